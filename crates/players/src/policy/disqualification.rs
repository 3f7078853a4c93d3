//! Disqualification of a program.

/// Reason for which a program is disqualified.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Disqualification {
    /// It could not be started.
    #[error("it cannot be started: {reason}")]
    NotStarted {
        /// Message of the system.
        reason: String,
    },
    /// It ended, or closed its output, while an answer was due.
    #[error("it ended before it answered{}{}", exit_text(.exit_code), stderr_text(.last_line))]
    Ended {
        /// Its exit code; absent if a signal ended it or it still runs.
        exit_code: Option<i32>,
        /// The last line that it wrote to its standard error; empty if it wrote none.
        last_line: String,
    },
    /// It did not answer in time.
    #[error("it did not answer within {limit_s} s")]
    TooSlow {
        /// The limit, in seconds.
        limit_s: f64,
    },
    /// It wrote a line that is too long.
    #[error("it wrote a line of more than {LONGEST_LINE} bytes")]
    TooLong,
    /// Its answer is neither a move nor an object with one.
    #[error("it answered {answer:?}; an answer is {{\"move\": \"…\"}} on one line, or the move alone")]
    Unreadable {
        /// The answer, shortened.
        answer: String,
    },
    /// It answered with a move that the rules do not allow.
    #[error("it answered {answer:?} at the position {state}, which is no legal move there")]
    Illegal {
        /// The move, shortened.
        answer: String,
        /// The position in the notation of the level.
        state: String,
    },
}

pub(crate) fn exit_text(code: &Option<i32>) -> String {
    code.map(|code| format!(" (exit code {code})")).unwrap_or_default()
}

pub(crate) fn stderr_text(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!(": {line}") }
}

/// The longest line that a program may write, in bytes.
pub(crate) const LONGEST_LINE: usize = 1 << 20;
