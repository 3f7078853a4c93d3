//! Stand-ins for what games are given when they prepare.

use std::collections::HashMap;
use std::io::{self, Cursor, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Store;
use crate::progress::Progress;

/// A store in memory.
#[derive(Default)]
pub(in crate::game) struct Shelf {
    pub files: Mutex<HashMap<String, Vec<u8>>>,
    pub n_kept: AtomicUsize,
    pub damaged: Mutex<Vec<String>>,
}

impl Store for Shelf {
    fn open(&self, key: &str) -> Option<Box<dyn Read>> {
        let bytes = self.files.lock().unwrap().get(key)?.clone();
        Some(Box::new(Cursor::new(bytes)))
    }

    fn keep(&self, key: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.files.lock().unwrap().insert(key.to_owned(), bytes);
        self.n_kept.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn note_damage(&self, key: &str) {
        self.damaged.lock().unwrap().push(key.to_owned());
    }
}

/// Asks to stop at once.
pub(in crate::game) struct Impatient;

impl Progress for Impatient {
    fn begin(&self, _stage: &str, _total: Option<u64>) {}
    fn advance(&self, _steps: u64) {}
    fn end(&self) {}
    fn is_cancelled(&self) -> bool {
        true
    }
}
