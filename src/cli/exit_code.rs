//! The exit codes of the program.

/// Exit code of the program, one of those in its help; that of the standard library does not tell its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCode(pub u8);

impl ExitCode {
    pub(super) const SUCCESS: Self = Self(0);
    pub(super) const FAILURE: Self = Self(1);
    /// Some parts of the results could not be made.
    pub(super) const PARTIAL: Self = Self(6);
    /// A proposal is likely wrong.
    pub(super) const DOUBTFUL: Self = Self(7);
    /// Standard output could not be written.
    pub(super) const UNSHOWN: Self = Self(8);
}
