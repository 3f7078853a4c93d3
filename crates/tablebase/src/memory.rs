//! Memory that several threads write at once, of its own or of a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use memmap2::{MmapMut, MmapOptions, MmapRaw};
use rayon::prelude::*;

use crate::header::{HEAD, Header, PART};

/// Pages of memory, zero at first. Those that are never written take none.
pub struct Memory(MmapRaw);

impl Memory {
    /// Memory of its own.
    pub fn new(bytes: usize) -> io::Result<Self> {
        Ok(Self(MmapMut::map_anon(bytes.max(1))?.into()))
    }

    /// A new file of a table of which nothing is found. Its head is written first, so that what is left after a power
    /// failure is known for what it is, then all of its room is taken from the disk, so that it cannot run full later.
    pub fn create(path: &Path, header: &Header) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        let begun = file.write_all(&header.text()?).and_then(|()| reserve(&file, header.file_bytes()));
        begun.and_then(|()| MmapOptions::new().map_raw(&file)).map(Self).inspect_err(|_| {
            let _ = std::fs::remove_file(path);
        })
    }

    /// A file as it is, to go on with it.
    pub fn open(path: &Path) -> io::Result<Self> {
        MmapOptions::new().map_raw(&OpenOptions::new().read(true).write(true).open(path)?).map(Self)
    }

    /// A file that is only read.
    pub fn read(path: &Path) -> io::Result<Self> {
        MmapOptions::new().map_raw_read_only(&File::open(path)?).map(Self)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Writes the positions of a file to the disk, then its head: what the head says is there.
    pub fn save(&self, header: &Header) -> io::Result<()> {
        self.0.flush()?;
        let copy = header.copy();
        for (byte, value) in self.bytes(copy.start).iter().zip(header.text()?) {
            byte.store(value, Relaxed);
        }
        self.0.flush_range(copy.start, copy.len())
    }

    /// Writes the checksum of each part of the positions behind them.
    pub fn seal(&self, header: &Header) {
        let data = HEAD + header.data_bytes() as usize;
        (0..header.n_parts() as usize).into_par_iter().for_each(|part| {
            let place = data + part * size_of::<u32>();
            let sum = self.checksum(header, part).to_le_bytes();
            self.bytes(place).iter().zip(sum).for_each(|(byte, value)| byte.store(value, Relaxed));
        });
    }

    /// True if a part of the positions is as it was written.
    pub fn is_whole(&self, header: &Header, part: usize) -> bool {
        let place = HEAD + header.data_bytes() as usize + part * size_of::<u32>();
        let kept = self.bytes(place).iter().take(size_of::<u32>()).map(|byte| byte.load(Relaxed));
        kept.eq(self.checksum(header, part).to_le_bytes())
    }

    fn checksum(&self, header: &Header, part: usize) -> u32 {
        let bytes = self.bytes(HEAD).iter().take(header.data_bytes() as usize);
        let bytes: Vec<u8> = bytes.skip(part * PART).take(PART).map(|byte| byte.load(Relaxed)).collect();
        crc32fast::hash(&bytes)
    }

    /// The head of a file.
    pub fn header(&self) -> Result<Header, String> {
        let head = self.bytes(0).iter().take(HEAD).map(|byte| byte.load(Relaxed)).collect::<Vec<u8>>();
        Header::read(&head)
    }

    /// The bytes of a part.
    #[expect(unsafe_code, reason = "mapped memory can be looked at in no other way")]
    pub fn bytes(&self, start: usize) -> &[AtomicU8] {
        assert!(start <= self.len());
        // SAFETY: the pages live as long as `self`, and are read and written by atomic operations alone, which allow
        // any other one at the same time.
        unsafe { std::slice::from_raw_parts(self.0.as_mut_ptr().add(start).cast(), self.len() - start) }
    }

    /// The words of a part, which begins at a multiple of their length.
    #[expect(unsafe_code, reason = "mapped memory can be looked at in no other way")]
    pub fn words(&self, start: usize) -> &[AtomicU64] {
        assert!(start <= self.len() && start.is_multiple_of(size_of::<AtomicU64>()));
        let n_words = (self.len() - start) / size_of::<AtomicU64>();
        // SAFETY: as above; a mapping begins at a page, and so at a multiple of the length of a word.
        unsafe { std::slice::from_raw_parts(self.0.as_mut_ptr().add(start).cast(), n_words) }
    }
}

#[cfg(unix)]
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
        Err(rustix::io::Errno::OPNOTSUPP) => file.set_len(bytes),
        result => result.map_err(io::Error::from),
    }
}

#[cfg(not(unix))]
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    file.set_len(bytes)
}
