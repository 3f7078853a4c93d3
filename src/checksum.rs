//! Checksums of the files that plymap reads back: what is read is what was written, or is refused.
//!
//! JSON has its own as its last field ([`json`]), every other file as its last bytes ([`seal`]).

#[cfg(test)]
pub(crate) mod flips;
pub(crate) mod json;
pub(crate) mod seal;
