//! Files that end with their seal: SHA-256 of all bytes before it, and of what they are.
//!
//! A step that reads several files of the step before has their seals from its account or manifest: they are then not only
//! whole, but those that were written together.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Take, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{Hashing, hexadecimal};
use crate::regular;

/// Length of a seal in bytes, and in hexadecimal digits.
const BYTES: usize = 32;

/// Message on a file that is not as it was written.
pub const DAMAGED: &str = "the file is damaged or cut off: it is not as it was written";

/// Takes what is written into a file that is to have a seal.
#[derive(Debug)]
pub struct Sealing<W> {
    inner: W,
    hash: Sha256,
    what: Vec<u8>,
}

impl<W: Write> Sealing<W> {
    /// Begins a file; `what` tells it from files of other kinds, and is no part of it.
    pub fn new(what: &[u8], inner: W) -> Self {
        Self { inner, hash: Sha256::new(), what: what.to_owned() }
    }

    /// Ends the file with its seal; gives it in hexadecimal.
    pub fn finish(mut self) -> io::Result<String> {
        let seal: [u8; BYTES] = seal_of(self.hash, &self.what);
        self.inner.write_all(&seal)?;
        self.inner.flush()?;
        Ok(hexadecimal(&seal))
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.hash.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The content of a file that is as it was written; nothing of any other.
pub fn content<'b>(what: &[u8], file: &'b [u8]) -> Option<&'b [u8]> {
    let (content, seal) = file.split_last_chunk::<BYTES>()?;
    (seal_of(Sha256::new_with_prefix(content), what) == *seal).then_some(content)
}

/// Opens a file at its content. It is read through once before, so that nothing of a damaged one is given away.
///
/// # Errors
///
/// A file that cannot be read, or is not as it was written; where `seal` is known, also one that is whole and another one.
pub fn open(what: &[u8], path: &Path, seal: Option<&str>) -> io::Result<Take<File>> {
    let Sealed { mut file, n_bytes, hash, checksum } = Sealed::open(path)?;
    if checksum != seal_of(hash, what) {
        return Err(wrong(DAMAGED));
    }
    if seal.is_some_and(|seal| seal != hexadecimal(&checksum)) {
        return Err(wrong("the file is whole, but is not the one that was written with those beside it"));
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(file.take(n_bytes))
}

/// The place among `whats` of what a file is; none if it is none of these, or is not as it was written.
pub fn which(path: &Path, mut whats: impl Iterator<Item = Vec<u8>>) -> Option<usize> {
    let Sealed { hash, checksum, .. } = Sealed::open(path).ok()?;
    whats.position(|what| checksum == seal_of(hash.clone(), &what))
}

/// A file that was read through, whatever it is.
struct Sealed {
    file: File,
    /// Length of its content.
    n_bytes: u64,
    /// Hash of its content.
    hash: Sha256,
    /// The seal at its end.
    checksum: [u8; BYTES],
}

impl Sealed {
    fn open(path: &Path) -> io::Result<Self> {
        let mut file = regular::open(path)?;
        let n_bytes = file.metadata()?.len().checked_sub(BYTES as u64).ok_or_else(|| wrong(DAMAGED))?;
        let mut hash = Hashing(Sha256::new());
        io::copy(&mut (&file).take(n_bytes), &mut hash)?;
        let mut checksum = [0; BYTES];
        file.read_exact(&mut checksum)?;
        Ok(Self { file, n_bytes, hash: hash.0, checksum })
    }
}

/// The seal of a file with this content. What it is comes last, so that it can be found out after a single reading.
fn seal_of(content: Sha256, what: &[u8]) -> [u8; BYTES] {
    content.chain_update(what).finalize().into()
}

fn wrong(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_noticed;

    fn sealed(what: &[u8], content: &[u8]) -> (Vec<u8>, String) {
        let mut file = Vec::new();
        let mut sealing = Sealing::new(what, &mut file);
        sealing.write_all(content).unwrap();
        let seal = sealing.finish().unwrap();
        (file, seal)
    }

    #[test]
    fn the_seal_is_that_of_the_standard() {
        // FIPS 180-4, example "abc".
        let (file, seal) = sealed(b"c", b"ab");
        assert_eq!(seal, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(content(b"c", &file), Some(&b"ab"[..]));
    }

    #[test]
    fn what_is_not_as_it_was_written_is_not_opened() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        let (file, seal) = sealed(b"rows", b"some content");
        let read = |bytes: &[u8], seal: Option<&str>| {
            std::fs::write(&path, bytes).unwrap();
            let mut text = Vec::new();
            open(b"rows", &path, seal).and_then(|mut file| file.read_to_end(&mut text)).map(|_| text)
        };
        assert_eq!(read(&file, Some(&seal)).unwrap(), b"some content");
        let n_refused = assert_noticed(&file, &b"some content".to_vec(), |bytes| read(bytes, Some(&seal)).ok());
        assert_eq!(n_refused, 8 * file.len());
        for length in 0..file.len() {
            assert!(read(&file[..length], None).unwrap_err().to_string().contains("damaged or cut off"), "{length}");
        }
        let (other, _) = sealed(b"rows", b"other content");
        assert!(read(&other, None).is_ok());
        assert!(read(&other, Some(&seal)).unwrap_err().to_string().contains("whole, but is not the one"));
        let (foreign, _) = sealed(b"moves", b"some content");
        assert!(read(&foreign, None).is_err() && content(b"rows", &foreign).is_none());
        let which = || which(&path, [b"rows", b"move", b"mail"].map(Vec::from).into_iter().chain([b"moves".to_vec()]));
        assert_eq!(which(), Some(3));
        std::fs::write(&path, &foreign[1..]).unwrap();
        assert_eq!(which(), None);
    }
}
