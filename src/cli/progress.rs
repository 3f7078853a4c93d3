//! Progress on a terminal, and the request to stop.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use plymap_puzzles::progress::Progress;
use plymap_tables::cleanup::stop;

use super::Failure;
use super::error::INTERRUPTED;
use super::say::{say, visible};

/// True if the user has asked to stop.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Time that the work has to end by itself when it is asked to stop.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar for the stage that is under way; nothing where standard error is no terminal.
pub struct Bars {
    shown: bool,
    bar: Arc<Mutex<ProgressBar>>,
}

impl Bars {
    /// Starts to listen for Ctrl-C and SIGTERM: work that looks up ends by itself. A fit or a read that does not is
    /// left where it is, and what it was writing is removed.
    pub fn new(quiet: bool) -> Self {
        let bar = Arc::new(Mutex::new(ProgressBar::hidden()));
        let shown_bar = Arc::clone(&bar);
        // Without a handler Ctrl-C ends the program as it always does: that is no reason to fail.
        let _ = ctrlc::set_handler(move || {
            if IS_STOPPED.swap(true, Ordering::Relaxed) {
                return;
            }
            std::thread::sleep(PATIENCE);
            lock(&shown_bar).finish_and_clear();
            stop(INTERRUPTED.into(), |is_written| match is_written {
                true => say!("plymap: interrupted; the results were in their places already"),
                false => Failure::Interrupted.print(),
            });
        });
        Self { shown: !quiet && std::io::stderr().is_terminal(), bar }
    }

    /// Removes the bar, so that a message can be written.
    pub fn clear(&self) {
        self.with(|bar| bar.finish_and_clear());
    }

    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        act(&mut lock(&self.bar));
    }
}

fn lock(bar: &Mutex<ProgressBar>) -> MutexGuard<'_, ProgressBar> {
    // A poisoned lock means that another thread panicked while drawing: draw on.
    bar.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress for Bars {
    fn begin(&self, stage: &str, total: Option<u64>) {
        if !self.shown {
            return;
        }
        let template = if total.is_some() {
            "{msg:20} {bar:30} {human_pos}/{human_len} {eta}"
        } else {
            "{msg:20} {spinner} {human_pos}"
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        self.with(|bar| {
            bar.finish_and_clear();
            *bar = total
                .map_or_else(ProgressBar::new_spinner, ProgressBar::new)
                .with_style(style)
                .with_message(visible(stage).into_owned());
            bar.enable_steady_tick(Duration::from_millis(120));
        });
    }

    fn advance(&self, steps: u64) {
        self.with(|bar| bar.inc(steps));
    }

    fn end(&self) {
        self.clear();
    }

    fn is_cancelled(&self) -> bool {
        IS_STOPPED.load(Ordering::Relaxed)
    }
}
