//! Limits of scripts.

/// The longest text that a script may make or get, in bytes.
pub const LONGEST_TEXT: usize = 1 << 20;

/// Limits of one script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most instructions of the Lua machine in one call of a function of the script, counted in thousands.
    pub max_instructions: u64,
    /// The most memory that it may use, in units of 1,048,576 bytes: what Lua holds, and the answer of a call while it is
    /// read.
    pub max_memory_mb: usize,
    /// The most entries of a list that a function of Lua takes.
    pub longest_list: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_instructions: 10_000_000, max_memory_mb: 256, longest_list: 10_000_000 }
    }
}
