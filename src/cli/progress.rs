//! Progress on a terminal, and the request to stop.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use plymap_puzzles::progress::Progress;

/// When the user first asked to stop, in milliseconds since the start and 1; 0 before that.
static FIRST_REQUEST_MS: AtomicU64 = AtomicU64::new(0);

/// A bar for the stage that is under way; nothing where standard error is no terminal.
pub struct Bars {
    shown: bool,
    bar: Mutex<ProgressBar>,
}

impl Bars {
    /// Starts to listen for Ctrl-C: the first asks the work to stop, one more than a second later ends the program
    /// at once.
    pub fn new(quiet: bool) -> Self {
        // Without a handler Ctrl-C ends the program as it always does: that is no reason to fail.
        let begun = Instant::now();
        let _ = ctrlc::set_handler(move || {
            // One key press can arrive twice, through the terminal and through a parent: only a later one ends.
            let now = begun.elapsed().as_millis() as u64 + 1;
            let first = FIRST_REQUEST_MS.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed);
            if first.is_err_and(|first| now - first > 1_000) {
                std::process::exit(130);
            }
        });
        Self { shown: !quiet && std::io::stderr().is_terminal(), bar: Mutex::new(ProgressBar::hidden()) }
    }

    /// Removes the bar, so that a message can be written.
    pub fn clear(&self) {
        self.with(|bar| bar.finish_and_clear());
    }

    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        // A poisoned lock means that another thread panicked while drawing: draw on.
        act(&mut self.bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
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
                .with_message(stage.to_owned());
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
        FIRST_REQUEST_MS.load(Ordering::Relaxed) > 0
    }
}
