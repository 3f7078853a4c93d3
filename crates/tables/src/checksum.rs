//! Checksums of the files that plymap reads back: what is read is what was written, or is refused.
//!
//! JSON has its own as its last field ([`json`]), every other file as its last bytes ([`seal`]).

use std::io::{self, Read, Write};

use sha2::{Digest as _, Sha256};

pub mod json;
pub mod seal;

/// SHA-256 (NIST, 2015, FIPS 180-4) of what is written into it.
#[derive(Debug)]
pub struct Hashing(pub Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the number of bytes that can be read, and their SHA-256 in hexadecimal; read piece by piece.
pub fn sha256(from: &mut impl Read) -> io::Result<(u64, String)> {
    let mut hashing = Hashing(Sha256::new());
    let n_bytes = io::copy(from, &mut hashing)?;
    Ok((n_bytes, hexadecimal(&hashing.0.finalize())))
}

/// Bytes as two digits each, in lower case.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
