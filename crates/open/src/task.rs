//! Work that takes longer than an answer may: one at a time, with progress and a stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use plymap_puzzles::progress::Progress;
use serde::Serialize;
use tokio::sync::watch;

use crate::problem::{Fault, Message, Problem};

/// Shortest interval between two changes that pages hear of while steps are counted.
const INTERVAL: Duration = Duration::from_millis(100);

/// State of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// There was none yet.
    #[default]
    None,
    /// It is under way.
    Running,
    /// It is done.
    Done,
    /// It failed, and says why.
    Failed,
    /// It was asked to stop, and did.
    Stopped,
}

/// A task as pages see it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Task {
    /// Kind of the task: `propose`, `run`, `play` or `map`; empty before the first.
    pub kind: &'static str,
    /// State of it.
    pub state: State,
    /// Stage that is under way.
    pub stage: String,
    /// Steps of the stage that are done.
    pub done: u64,
    /// Steps of the stage in all, where that is known.
    pub total: Option<u64>,
    /// Seconds since it began, or that it took.
    pub seconds: f64,
    /// Reason of a failure.
    pub error: Option<String>,
    /// The same in the language of the page, where it has a text for it.
    pub message: Option<Message>,
    /// Faults of files that made it fail.
    pub faults: Vec<Fault>,
    /// Number of changes so far.
    pub n: u64,
    /// Number of the task, from 1; 0 before the first.
    #[serde(skip)]
    pub number: u64,
}

impl Task {
    /// Returns true while a run is under way.
    pub fn is_run(&self) -> bool {
        self.kind == "run" && self.state == State::Running
    }
}

/// The task that is under way, or the last one.
#[derive(Debug)]
pub struct Tasks {
    task: watch::Sender<Task>,
    clock: Mutex<Clock>,
    is_stopped: AtomicBool,
}

#[derive(Debug)]
struct Clock {
    began: Instant,
    told: Instant,
    /// Steps that pages have not heard of.
    untold: u64,
}

impl Default for Tasks {
    fn default() -> Self {
        let now = Instant::now();
        Self {
            task: watch::Sender::new(Task::default()),
            clock: Mutex::new(Clock { began: now, told: now, untold: 0 }),
            is_stopped: AtomicBool::new(false),
        }
    }
}

impl Tasks {
    /// Returns the task as it is now.
    pub fn now(&self) -> Task {
        self.task.borrow().clone()
    }

    /// Returns the task as soon as it has changed since this number of changes, or after `patience`.
    pub async fn after(&self, n_seen: u64, patience: Duration) -> Task {
        let mut news = self.task.subscribe();
        let _ = tokio::time::timeout(patience, news.wait_for(|task| task.n != n_seen)).await;
        self.now()
    }

    /// Returns a task when it is no longer under way, or after `patience`; none if another one has begun since.
    pub async fn ended(&self, number: u64, patience: Duration) -> Option<Task> {
        let mut news = self.task.subscribe();
        let is_over = |task: &Task| task.number != number || task.state != State::Running;
        let _ = tokio::time::timeout(patience, news.wait_for(is_over)).await;
        Some(self.now()).filter(|task| task.number == number)
    }

    /// Begins work on a thread of its own.
    ///
    /// # Errors
    ///
    /// Another task is under way.
    pub fn begin(
        self: &Arc<Self>,
        kind: &'static str,
        work: impl FnOnce(&Self) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Task, Problem> {
        let mut begun = None;
        self.task.send_modify(|task| {
            if task.state != State::Running {
                let (n, number) = (task.n + 1, task.number + 1);
                *task = Task { kind, state: State::Running, n, number, ..Task::default() };
                begun = Some(task.clone());
            }
        });
        let begun = begun.ok_or_else(|| {
            Problem::conflict("other work is under way: wait until it is done, or stop it").says("busy", [])
        })?;
        self.is_stopped.store(false, Ordering::Relaxed);
        let now = Instant::now();
        *self.clock() = Clock { began: now, told: now, untold: 0 };
        let tasks = Arc::clone(self);
        thread::spawn(move || {
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&tasks)));
            tasks.finish(
                ended.unwrap_or_else(|_| Err(Problem::conflict("a bug in plymap ended the work; please report it"))),
            );
        });
        Ok(begun)
    }

    /// Asks the task to stop.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    fn finish(&self, result: Result<(), Problem>) {
        let seconds = self.clock().began.elapsed().as_secs_f64();
        let is_stopped = self.is_cancelled();
        self.task.send_modify(|task| {
            task.n += 1;
            task.seconds = seconds;
            match result {
                Ok(()) => task.state = State::Done,
                Err(problem) => {
                    task.state = if is_stopped { State::Stopped } else { State::Failed };
                    let problem = if is_stopped { Problem::stopped() } else { problem };
                    (task.error, task.message, task.faults) = (Some(problem.error), problem.message, problem.faults);
                }
            }
        });
    }

    fn clock(&self) -> std::sync::MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Task)) {
        let seconds = self.clock().began.elapsed().as_secs_f64();
        self.task.send_modify(|task| {
            change(task);
            task.seconds = seconds;
            task.n += 1;
        });
    }
}

impl Progress for Tasks {
    fn begin(&self, stage: &str, total: Option<u64>) {
        self.clock().untold = 0;
        self.change(|task| {
            stage.clone_into(&mut task.stage);
            (task.done, task.total) = (0, total);
        });
    }

    fn advance(&self, steps: u64) {
        let mut clock = self.clock();
        clock.untold += steps;
        if clock.told.elapsed() < INTERVAL {
            return;
        }
        clock.told = Instant::now();
        let told = std::mem::take(&mut clock.untold);
        drop(clock);
        self.change(|task| task.done += told);
    }

    fn end(&self) {}

    fn is_cancelled(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(tasks: &Tasks) -> Task {
        while tasks.now().state == State::Running {
            thread::sleep(Duration::from_millis(1));
        }
        tasks.now()
    }

    #[test]
    fn one_task_at_a_time_is_under_way_and_can_be_stopped() {
        let tasks = Arc::new(Tasks::default());
        let until_stopped = |progress: &Tasks| {
            progress.begin("waiting", Some(3));
            while !progress.is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
            Err(Problem::conflict("it gave up"))
        };
        assert_eq!(Tasks::begin(&tasks, "run", until_stopped).unwrap().state, State::Running);
        assert!(Tasks::begin(&tasks, "run", |_| Ok(())).unwrap_err().error.contains("under way"));
        tasks.stop();
        assert_eq!(ended(&tasks).state, State::Stopped);
        Tasks::begin(&tasks, "run", |_| Ok(())).unwrap();
        assert_eq!(ended(&tasks).state, State::Done);
    }

    #[test]
    fn the_end_of_a_task_is_not_that_of_the_next() {
        let (tasks, patience) = (Arc::new(Tasks::default()), Duration::from_secs(60));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let ended = |number| runtime.block_on(tasks.ended(number, patience));
        let first = Tasks::begin(&tasks, "play", |_| Err(Problem::bad("no logs"))).unwrap();
        assert_eq!(ended(first.number).unwrap().error.as_deref(), Some("no logs"));
        let next = Tasks::begin(&tasks, "play", |_| Ok(())).unwrap();
        assert_eq!(ended(first.number), None);
        assert_eq!(ended(next.number).unwrap().state, State::Done);
    }

    #[test]
    fn failures_and_panics_say_why() {
        let tasks = Arc::new(Tasks::default());
        Tasks::begin(&tasks, "run", |_| Err(Problem::bad("no levels"))).unwrap();
        assert_eq!(ended(&tasks).error.as_deref(), Some("no levels"));
        Tasks::begin(&tasks, "run", |_| panic!("a test of panics")).unwrap();
        let task = ended(&tasks);
        assert_eq!(task.state, State::Failed);
        assert!(task.error.unwrap().contains("bug in plymap"));
    }
}
