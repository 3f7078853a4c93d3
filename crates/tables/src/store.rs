//! A folder in which games and stages keep what took long to compute.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::cleanup::PartialOutput;
use crate::regular;
use plymap_puzzles::game::Store;

/// Keeps each result in a file of its own, in one folder, which appears with the first of them.
///
/// A file is written under another name and renamed at the end, so that nothing half-written is ever read. Nothing waits
/// for the disk: whoever reads checks the hash of what is read, and computes it anew where that is wrong.
#[derive(Clone, Debug)]
pub struct FolderStore {
    folder: PathBuf,
}

/// Files of all stores that are not as they were written. Of the whole process, because a command opens its store wherever it
/// needs one, and says this once.
static DAMAGED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Files that were to be read since this was last asked and are not as they were written, so that what they kept was computed
/// anew.
pub fn take_damaged() -> BTreeSet<PathBuf> {
    std::mem::take(&mut DAMAGED.lock().unwrap_or_else(PoisonError::into_inner))
}

impl FolderStore {
    /// A store in this folder.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The store of the user who runs the program, in the folder that the system has for such files; none
    /// where it has none.
    pub fn of_user() -> Option<Self> {
        dirs::cache_dir().map(|folder| Self::new(folder.join("plymap")))
    }

    /// The file of a key.
    pub fn file(&self, key: &str) -> PathBuf {
        self.folder.join(crate::safe_stem(key))
    }

    /// All files of the folder.
    pub fn files(&self) -> impl Iterator<Item = fs::DirEntry> {
        fs::read_dir(&self.folder).into_iter().flatten().flatten()
    }
}

impl Store for FolderStore {
    fn open(&self, key: &str) -> Option<Box<dyn Read>> {
        Some(Box::new(BufReader::new(regular::open(&self.file(key)).ok()?)))
    }

    fn keep(&self, key: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let file = tempfile::NamedTempFile::new_in(&self.folder)?;
        let _partial = PartialOutput::new(file.path());
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.persist(self.file(key)).map_err(|error| error.error)?;
        Ok(())
    }

    fn note_damage(&self, key: &str) {
        DAMAGED.lock().unwrap_or_else(PoisonError::into_inner).insert(self.file(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(store: &FolderStore, key: &str) -> Option<String> {
        let mut text = String::new();
        store.open(key)?.read_to_string(&mut text).ok()?;
        Some(text)
    }

    #[test]
    fn what_is_kept_can_be_read_and_what_failed_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderStore::new(folder.path().join("deep/er"));
        assert_eq!(text(&store, "a/b"), None);
        store.keep("a/b", &mut |file| file.write_all(b"first")).unwrap();
        store.keep("a/b", &mut |file| file.write_all(b"second")).unwrap();
        assert_eq!(text(&store, "a/b").as_deref(), Some("second"));
        let failed = store.keep("a/b", &mut |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(
            (failed.unwrap_err().to_string().as_str(), text(&store, "a/b").as_deref()),
            ("no more", Some("second"))
        );
        assert_eq!(fs::read_dir(folder.path().join("deep/er")).unwrap().count(), 1);
    }
}
