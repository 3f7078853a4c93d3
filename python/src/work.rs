//! Work without Python's lock, with progress that Python shows, and Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use plymap::plymap_puzzles::progress::Progress;
use pyo3::prelude::*;

use crate::error::Failed;

/// Interval at which progress is shown, and a request to stop looked for.
const MOMENT: Duration = Duration::from_millis(50);

/// State of the work.
#[derive(Default)]
struct Watched {
    /// Number of stages begun, name of the last of them, and its number of steps, if known.
    stage: Mutex<(u64, String, Option<u64>)>,
    n_done: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Progress for Watched {
    fn begin(&self, stage: &str, total: Option<u64>) {
        let mut current = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        self.n_done.store(0, Ordering::Relaxed);
        *current = (current.0 + 1, stage.to_owned(), total);
    }

    fn advance(&self, steps: u64) {
        self.n_done.fetch_add(steps, Ordering::Relaxed);
    }

    fn end(&self) {}

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// Does `work` on a thread of its own. Meanwhile `show`, if it is given, is called now and then with the number of the stage,
/// its name, its steps if they are known, and how many of them are done.
///
/// # Errors
///
/// What `work` says; `KeyboardInterrupt`, or whatever else a handler of signals or `show` raises, once the work has stopped.
pub fn work<T: Send>(
    py: Python<'_>,
    show: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Progress) -> Result<T, Failed> + Send,
) -> PyResult<T> {
    plymap_tables::threads::begin_once().map_err(|error| Failed::new(error.to_string()).raised(py))?;
    let watched = Watched::default();
    let (sender, receiver) = sync_channel(1);
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        let watched = &watched;
        let worker = scope.spawn(move || {
            let result = work(watched);
            let _ = sender.send(());
            result
        });
        let mut raised = None;
        loop {
            let waited = py.detach(|| {
                let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                receiver.recv_timeout(MOMENT)
            });
            if !matches!(waited, Err(RecvTimeoutError::Timeout)) {
                break;
            }
            let shown = py.check_signals().and_then(|()| match show.filter(|_| raised.is_none()) {
                Some(show) => show.call1(watched.now()).map(drop),
                None => Ok(()),
            });
            if let Err(error) = shown {
                watched.is_cancelled.store(true, Ordering::Relaxed);
                raised.get_or_insert(error);
            }
        }
        let joined = py.detach(|| worker.join());
        if let Some(error) = raised {
            return Err(error);
        }
        match joined {
            Ok(result) => result.map_err(|failed| failed.raised(py)),
            Err(panic) => Err(Failed::defect(&*panic).raised(py)),
        }
    })
}

impl Watched {
    fn now(&self) -> (u64, String, Option<u64>, u64) {
        let (number, stage, total) = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (number, stage, total, self.n_done.load(Ordering::Relaxed))
    }
}
