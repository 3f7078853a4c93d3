//! Cache of the results of stages, for the next run.
//!
//! An entry is found by a hash of all that its stage depends on: the sources of the program, and the very values that
//! the stage is given, such as all measured moves. So an edit of a study or of a log needs no rule about what it makes
//! invalid: what a stage is given is the same as before, or it is not.
//!
//! An entry has a seal over its key and content. One that is damaged, or that something else wrote, is said, computed anew and
//! kept again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::study::Study;
use plymap_puzzles::game::Store as _;
use plymap_tables::checksum::seal::Sealing;
use plymap_tables::checksum::{Hashing, hexadecimal, seal};
use plymap_tables::store::FolderStore;

/// Maximum total size of the entries, in bytes, unless [`Cache::bounded`] sets another one.
pub const MOST_BYTES: u64 = 2 << 30;

/// Prefix of the names of entries, which lie beside the files of games in the same folder.
const PREFIX: &str = "stage-";

/// Level of compression by zstd: what takes a second to compute must not take another one to keep.
const COMPRESSION: i32 = 1;

/// Cache of the results of stages, in a folder.
#[derive(Clone, Debug)]
pub struct Cache {
    store: FolderStore,
    most_bytes: u64,
    uses: Arc<Mutex<BTreeMap<&'static str, Use>>>,
}

/// Numbers of look-ups and hits of one kind of result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Number of look-ups that found a result.
    pub n_found: u64,
    /// Number of look-ups.
    pub n_asked: u64,
}

/// Hash of all that the result of a stage depends on, the program included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Key([u8; 32]);

impl Key {
    /// Returns the key of what a stage makes of these values; none if they cannot be hashed, and so nothing is kept.
    pub fn new(stage: &str, inputs: &impl Serialize) -> Option<Self> {
        let mut hasher = Hashing(Sha256::new());
        postcard::to_io(&(PROGRAM, stage, inputs), &mut hasher).ok()?;
        Some(Self(hasher.0.finalize().into()))
    }

    /// Returns the key in hexadecimal.
    pub fn hexadecimal(self) -> String {
        hexadecimal(&self.0)
    }

    fn name(self) -> String {
        format!("{PREFIX}{}", hexadecimal(&self.0))
    }
}

/// Identity of the program that made a result: its version, and a hash of its sources.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("PLYMAP_SOURCES"));

/// Environment variable that disables the cache, for tests and for whoever measures time.
const NO_CACHE: &str = "PLYMAP_NO_CACHE";

impl Cache {
    /// Returns the cache in the folder of a study, or of the user; none where the variable `PLYMAP_NO_CACHE` is set.
    pub fn of_study(study: &Study) -> Option<Self> {
        study.store().filter(|_| std::env::var_os(NO_CACHE).is_none()).map(Self::new)
    }

    /// Creates a cache in the folder of this store.
    pub fn new(store: FolderStore) -> Self {
        Self { store, most_bytes: MOST_BYTES, uses: Arc::default() }
    }

    /// Sets the maximum total size of the entries, in bytes.
    #[must_use]
    pub fn bounded(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Returns the result kept under a key; none if there is none, or it is damaged.
    pub fn get<T: DeserializeOwned>(&self, key: Option<Key>) -> Option<T> {
        let key = key?;
        let mut bytes = Vec::new();
        let read = self.store.open(&key.name())?.read_to_end(&mut bytes);
        let content = read.ok().and_then(|_| zstd::decode_all(seal::content(&key.0, &bytes)?).ok());
        let Some(value) = content.and_then(|content| postcard::from_bytes(&content).ok()) else {
            self.store.note_damage(&key.name());
            return None;
        };
        // What was used last is thrown away last.
        if let Ok(file) = fs::File::options().append(true).open(self.store.file(&key.name())) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(value)
    }

    /// Keeps a result. One that cannot be kept is no reason to fail: it is computed anew next time.
    pub fn put(&self, key: Option<Key>, value: &impl Serialize) {
        let Some(key) = key else { return };
        let Ok(content) = postcard::to_stdvec(value) else { return };
        let Ok(content) = zstd::encode_all(&content[..], COMPRESSION) else { return };
        let _ = self.store.keep(&key.name(), &mut |file| {
            let mut file = Sealing::new(&key.0, file);
            file.write_all(&content)?;
            file.finish().map(drop)
        });
    }

    /// Returns the result kept under a key, or else makes it and keeps it. `what` names such results, in the plural.
    pub fn get_or<T: Serialize + DeserializeOwned, E>(
        &self,
        what: &'static str,
        key: Option<Key>,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let cached = self.get(key);
        self.count(what, cached.is_some());
        if let Some(cached) = cached {
            return Ok(cached);
        }
        let value = make()?;
        self.put(key, &value);
        Ok(value)
    }

    /// Counts a look-up of a result of this kind.
    pub fn count(&self, what: &'static str, is_found: bool) {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        let usage = uses.entry(what).or_default();
        usage.n_found += u64::from(is_found);
        usage.n_asked += 1;
    }

    /// Returns the numbers of look-ups and hits, by kind of result.
    pub fn uses(&self) -> BTreeMap<&'static str, Use> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Removes the least recently used entries until the others keep within the bound.
    pub fn trim(&self) {
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in self.store.files() {
            let is_entry = entry.file_name().to_string_lossy().starts_with(PREFIX);
            if let Some(metadata) = entry.metadata().ok().filter(|_| is_entry) {
                entries.push((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len(), entry.path()));
            }
        }
        let mut bytes: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        entries.sort();
        for (_, own, path) in entries {
            if bytes <= self.most_bytes {
                return;
            }
            // Another run may have removed it; then it takes no room either.
            let _ = fs::remove_file(path);
            bytes -= own;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_tables::testing::assert_noticed;

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(FolderStore::new(folder.path().to_owned()));
        (folder, cache)
    }

    fn files(folder: &tempfile::TempDir) -> Vec<PathBuf> {
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn what_is_kept_is_found_by_what_it_depends_on() {
        let (_folder, cache) = cache();
        let key = |values: &[f64]| Key::new("mean", &values);
        let make = |n: u32| cache.get_or("means", key(&[1.0, 2.0]), || Ok::<_, ()>(n)).unwrap();
        assert_eq!((make(1), make(2)), (1, 1));
        assert_eq!(cache.get::<u32>(key(&[1.0, f64::from_bits(2.0_f64.to_bits() + 1)])), None);
        assert_eq!(cache.get::<u32>(Key::new("median", &[1.0, 2.0].as_slice())), None);
        assert_eq!(cache.uses()["means"], Use { n_found: 1, n_asked: 2 });
    }

    #[test]
    fn a_damaged_or_foreign_entry_is_as_good_as_none() {
        let (folder, cache) = cache();
        let (key, other_key) = (Key::new("one", &()), Key::new("other", &()));
        cache.put(key, &vec![1_u8; 100]);
        let file = files(&folder).remove(0);
        let whole = fs::read(&file).unwrap();
        let n_refused = assert_noticed(&whole, &vec![1; 100], |bytes| {
            fs::write(&file, bytes).unwrap();
            cache.get::<Vec<u8>>(key)
        });
        assert_eq!(n_refused, 8 * whole.len());
        assert!(plymap_tables::store::take_damaged().contains(&file));
        for at in 0..whole.len() {
            fs::write(&file, &whole[..at]).unwrap();
            assert_eq!(cache.get::<Vec<u8>>(key), None, "cut at {at}");
        }
        fs::write(folder.path().join(other_key.unwrap().name()), &whole).unwrap();
        assert_eq!(cache.get::<Vec<u8>>(other_key), None, "the entry of another key");
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let (folder, cache) = cache();
        let keys = [0, 1, 2].map(|n| Key::new("n", &n));
        for (n, key) in keys.into_iter().enumerate() {
            cache.put(key, &n);
            let file = fs::File::options().append(true).open(cache.store.file(&key.unwrap().name())).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(n as u64)).unwrap();
        }
        fs::write(folder.path().join("values-of-a-game"), [0; 1000]).unwrap();
        let bytes = fs::metadata(cache.store.file(&keys[0].unwrap().name())).unwrap().len();
        assert_eq!(cache.get::<usize>(keys[0]), Some(0), "used now");
        cache.clone().bounded(2 * bytes).trim();
        let left = keys.map(|key| cache.get::<usize>(key));
        assert_eq!((left, files(&folder).len()), ([Some(0), None, Some(2)], 3));
    }
}
