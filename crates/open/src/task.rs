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

/// Kind of the task that draws a map: it changes nothing but the view that asked for it, and gives way to all others.
pub const MAP: &str = "map";

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
    /// What of its kind it makes, where there are several, such as the map of a level.
    #[serde(skip)]
    pub of: String,
}

impl Task {
    /// Returns true while a run is under way.
    pub fn is_run(&self) -> bool {
        self.kind == "run" && self.state == State::Running
    }
}

/// The task that is under way, or the last one.
#[derive(Debug, Default)]
pub struct Tasks {
    task: watch::Sender<Task>,
    /// Whether this task was asked to stop.
    is_stopped: Mutex<Arc<AtomicBool>>,
}

/// What the work of a task tells of its progress, and hears of a stop.
#[derive(Debug)]
pub struct Work {
    tasks: Arc<Tasks>,
    number: u64,
    is_stopped: Arc<AtomicBool>,
    began: Instant,
    news: Mutex<News>,
}

#[derive(Debug)]
struct News {
    told: Instant,
    /// Steps that pages have not heard of.
    untold: u64,
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

    /// Begins work on a thread of its own. It stops a map that is being drawn, which can be asked for again.
    ///
    /// # Errors
    ///
    /// Another task is under way.
    pub fn begin(
        self: &Arc<Self>,
        kind: &'static str,
        work: impl FnOnce(&Work) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Task, Problem> {
        self.start(Task { kind, ..Task::default() }, false, work)
    }

    /// Begins work as [`Tasks::begin`] does, or returns the task of its kind that is under way: whether it is the same is
    /// told by what it is `of`.
    ///
    /// # Errors
    ///
    /// A task of another kind is under way.
    pub fn begin_or_join(
        self: &Arc<Self>,
        kind: &'static str,
        of: String,
        work: impl FnOnce(&Work) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Task, Problem> {
        self.start(Task { kind, of, ..Task::default() }, true, work)
    }

    fn start(
        self: &Arc<Self>,
        wanted: Task,
        is_joining: bool,
        work: impl FnOnce(&Work) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Task, Problem> {
        // Held so that of two who begin at the same time one does.
        let mut is_stopped = self.is_stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let last = self.now();
        if last.state == State::Running {
            if is_joining && last.kind == wanted.kind {
                return Ok(last);
            }
            if last.kind != MAP || wanted.kind == MAP {
                let why = "other work is under way: wait until it is done, or stop it";
                return Err(Problem::conflict(why).says("busy", []));
            }
        }
        is_stopped.store(true, Ordering::Relaxed);
        *is_stopped = Arc::default();
        let number = last.number + 1;
        // Counted here, as a map that is stopped may still tell of a step.
        self.task.send_modify(|task| *task = Task { state: State::Running, n: task.n + 1, number, ..wanted });
        let now = Instant::now();
        let news = Mutex::new(News { told: now, untold: 0 });
        let begun = Work { tasks: Arc::clone(self), number, is_stopped: Arc::clone(&is_stopped), began: now, news };
        let task = self.now();
        thread::spawn(move || {
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&begun)));
            begun.finish(
                ended.unwrap_or_else(|_| Err(Problem::conflict("a bug in plymap ended the work; please report it"))),
            );
        });
        Ok(task)
    }

    /// Asks the task to stop.
    pub fn stop(&self) {
        self.is_stopped.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
    }
}

impl Work {
    fn finish(&self, result: Result<(), Problem>) {
        let is_stopped = self.is_cancelled();
        self.change(|task| match result {
            Ok(()) => task.state = State::Done,
            Err(problem) => {
                task.state = if is_stopped { State::Stopped } else { State::Failed };
                let problem = if is_stopped { Problem::stopped() } else { problem };
                (task.error, task.message, task.faults) = (Some(problem.error), problem.message, problem.faults);
            }
        });
    }

    fn news(&self) -> std::sync::MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the task, unless another one has taken its place.
    fn change(&self, change: impl FnOnce(&mut Task)) {
        let seconds = self.began.elapsed().as_secs_f64();
        self.tasks.task.send_if_modified(|task| {
            let is_own = task.number == self.number;
            if is_own {
                change(task);
                task.seconds = seconds;
                task.n += 1;
            }
            is_own
        });
    }
}

impl Progress for Work {
    fn begin(&self, stage: &str, total: Option<u64>) {
        self.news().untold = 0;
        self.change(|task| {
            stage.clone_into(&mut task.stage);
            (task.done, task.total) = (0, total);
        });
    }

    fn advance(&self, steps: u64) {
        let mut news = self.news();
        news.untold += steps;
        if news.told.elapsed() < INTERVAL {
            return;
        }
        news.told = Instant::now();
        let told = std::mem::take(&mut news.untold);
        drop(news);
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
        let until_stopped = |progress: &Work| {
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
    fn a_map_gives_way_to_other_work_and_is_waited_for_by_maps() {
        let tasks = Arc::new(Tasks::default());
        let draw = |level: &str| {
            let until_stopped = |progress: &Work| {
                while !progress.is_cancelled() {
                    thread::sleep(Duration::from_millis(1));
                }
                progress.begin("too late", None);
                Err(Problem::conflict("it gave up"))
            };
            tasks.begin_or_join(MAP, level.to_owned(), until_stopped)
        };
        let first = draw("a").unwrap();
        let waiting = ["a", "b"].map(|level| draw(level).unwrap());
        assert!(waiting.iter().all(|task| (task.number, task.of.as_str()) == (first.number, "a")), "{waiting:?}");
        let (sender, end) = std::sync::mpsc::channel();
        let run = tasks.begin("run", move |_| end.recv().map_err(|error| Problem::bad(error.to_string()))).unwrap();
        assert!(run.number > first.number && draw("a").unwrap_err().error.contains("under way"));
        // What the map that gave way still says is not heard.
        thread::sleep(Duration::from_millis(50));
        assert_eq!(tasks.now(), run);
        sender.send(()).unwrap();
        assert_eq!((ended(&tasks).kind, ended(&tasks).state), ("run", State::Done));
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
