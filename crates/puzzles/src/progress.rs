//! Progress reports and cancellation of long work.

/// Receives the progress of long work. The library never prints: the command line draws bars.
pub trait Progress: Sync {
    /// A stage begins; `total` steps are expected where that is known.
    fn begin(&self, stage: &str, total: Option<u64>);
    /// `steps` more steps of the stage are done.
    fn advance(&self, steps: u64);
    /// The stage is over.
    fn end(&self);
    /// `true` if the caller wants the work to stop. Long loops ask now and then.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Shows nothing and never asks to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _stage: &str, _total: Option<u64>) {}
    fn advance(&self, _steps: u64) {}
    fn end(&self) {}
}

/// Passes on whether to stop, and nothing else: for work that goes on side by side, or is one step of a larger one.
pub struct CancelOnly<'a>(pub &'a dyn Progress);

impl Progress for CancelOnly<'_> {
    fn begin(&self, _stage: &str, _total: Option<u64>) {}
    fn advance(&self, _steps: u64) {}
    fn end(&self) {}
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
