//! Codes in place of the ids of participants.
//!
//! A code is the beginning of HMAC-SHA-256 (Krawczyk, Bellare & Canetti, 1997, RFC 2104) of the id. Without the key
//! nobody can try ids until a code fits, as one could with a plain hash; with it, the same person has the same code in
//! every run and in every study that has the same key.

use super::columns::Mapping;
use super::error::LogError;
use super::raw::RowDiagnostic;
use super::role::Role;
use super::row::Reading;
use super::spec::LogSpec;
use hmac::{Hmac, KeyInit, Mac};
use plymap_tables::checksum::hexadecimal;
use plymap_tables::regular;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the file beside the study that holds the key.
pub const KEY_NAME: &str = "study.key";

/// Length of a key in bytes, that of the hash.
const KEY_BYTES: usize = 32;
/// Digits of a code, unless another has the same.
const DIGITS: usize = 6;

/// Path of the key of a study.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct KeyFile {
    /// The file.
    pub path: PathBuf,
    /// `true` if it was written just now.
    pub is_new: bool,
}

/// Makes the key of a study in its folder, and nothing where there is one.
///
/// # Errors
///
/// It cannot be written.
pub fn make_key(folder: &Path) -> Result<(), LogError> {
    let path = folder.join(KEY_NAME);
    if path.try_exists().is_ok_and(|exists| exists) {
        return Ok(());
    }
    let failed = |reason: String| LogError::BadKey { path: path.clone(), reason };
    write(&path, &drawn().map_err(failed)?).map_err(|error| failed(error.to_string()))
}

/// The codes of all participants so far.
#[derive(Debug)]
pub(super) struct Pseudonyms {
    key: [u8; KEY_BYTES],
    codes: HashMap<String, String>,
    used: HashSet<String>,
    /// Ids that rows of each file have, by the number of the file.
    of_files: HashMap<usize, HashSet<String>>,
}

impl Pseudonyms {
    /// Those of a study: with its key, which is written where there is none yet.
    pub(super) fn open(spec: &LogSpec) -> Result<(Self, Option<KeyFile>), LogError> {
        let path = spec.folder.join(KEY_NAME);
        let failed = |reason: String| LogError::BadKey { path: path.clone(), reason };
        let (key, is_new) = match read(&path)? {
            Some(key) => (key, false),
            None => {
                let key = drawn().map_err(failed)?;
                if !spec.writes_nothing {
                    write(&path, &key).map_err(|error| failed(error.to_string()))?;
                }
                (key, true)
            }
        };
        let file = (!is_new || !spec.writes_nothing).then_some(KeyFile { path, is_new });
        let empty = Self { key, codes: HashMap::new(), used: HashSet::new(), of_files: HashMap::new() };
        Ok((empty, file))
    }

    /// Those that were given to the participants of a whole log.
    pub(super) fn given(codes: &BTreeMap<String, String>) -> Self {
        let codes = codes.iter().map(|(id, code)| (id.clone(), code.clone())).collect();
        Self { key: [0; KEY_BYTES], codes, used: HashSet::new(), of_files: HashMap::new() }
    }

    /// Fingerprint of the key, which does not tell the key: SHA-256 of its random bytes.
    pub(super) fn key_sum(&self) -> String {
        key_sum(&self.key)
    }

    /// All codes, by the ids for which they stand.
    pub(super) fn codes(&self) -> BTreeMap<String, String> {
        self.codes.iter().map(|(id, code)| (id.clone(), code.clone())).collect()
    }

    /// The code of a participant of whom the file of that number has a row.
    pub(super) fn code(&mut self, id: &str, file: usize) -> String {
        let ids = self.of_files.entry(file).or_default();
        if !ids.contains(id) {
            ids.insert(id.to_owned());
        }
        if let Some(code) = self.codes.get(id) {
            return code.clone();
        }
        let digits = hexadecimal(&hmac(&self.key, id.as_bytes()));
        // Whoever comes second has more digits, so that codes stay as they are when rows are added.
        let codes = (DIGITS..=digits.len()).map(|n| format!("P-{}", &digits[..n]));
        let code = codes.into_iter().find(|code| !self.used.contains(code)).unwrap_or_else(|| format!("P-{digits}"));
        self.used.insert(code.clone());
        self.codes.insert(id.to_owned(), code.clone());
        code
    }

    /// The name of a file with codes in it where it has ids of its rows, such as `anna.csv`.
    pub(super) fn file_name(&self, name: &str, number: usize) -> String {
        let mut ids: Vec<&String> = self.of_files.get(&number).into_iter().flatten().collect();
        // The longest first: an id may be a part of another.
        ids.sort_by_key(|id| (std::cmp::Reverse(id.len()), id.as_str()));
        ids.into_iter().fold(name.to_owned(), |name, id| replace_word(&name, id, &self.codes[id]))
    }

    /// Takes from what is said of a row whatever may tell its participant: values of the whole row, of columns of whose
    /// meaning nothing is known, and those that hold the id.
    pub(super) fn hide(reading: &mut Reading<'_>, mapping: &Mapping) {
        let id = reading.participant.map(str::to_owned);
        let is_known = |diagnostic: &RowDiagnostic| {
            let mut others = Role::ALL.into_iter().filter(|&role| role != Role::Participant);
            let is_of_participant = diagnostic.column == mapping.source_name(Role::Participant);
            !diagnostic.breaks_cells()
                && !is_of_participant
                && others.any(|role| mapping.source_name(role) == diagnostic.column)
        };
        let holds_id = |text: &str| id.as_ref().is_some_and(|id| has_word(text, id));
        let diagnostics =
            reading.rejected.iter_mut().map(Box::as_mut).chain(&mut reading.lost_times).chain(&mut reading.notices);
        for diagnostic in diagnostics {
            if !is_known(diagnostic) || holds_id(&diagnostic.value) {
                diagnostic.value.clear();
            }
            if let Some(id) = id.as_ref().filter(|id| has_word(&diagnostic.rule, id)) {
                diagnostic.rule = replace_word(&diagnostic.rule, id, "…");
            }
        }
    }
}

/// `true` if a cell tells the id, or a part of it, as columns do from which ids are put together.
pub(super) fn tells(cell: &str, id: &str) -> bool {
    let (cell, id) = (cell.to_lowercase(), id.to_lowercase());
    has_word(&cell, &id) || has_word(&id, cell.trim())
}

fn has_word(text: &str, word: &str) -> bool {
    words(text, word).next().is_some()
}

/// Place of a word in a text, with no letter and no digit beside it.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let places = text.match_indices(word).map(|(place, _)| place).filter(move |_| !word.is_empty());
    places.filter(move |&place| {
        let beside = [text[..place].chars().next_back(), text[place + word.len()..].chars().next()];
        !beside.into_iter().flatten().any(char::is_alphanumeric)
    })
}

fn replace_word(text: &str, word: &str, other: &str) -> String {
    let mut replaced = String::new();
    let mut end = 0;
    for place in words(text, word) {
        replaced.push_str(&text[end..place]);
        replaced.push_str(other);
        end = place + word.len();
    }
    replaced + &text[end..]
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut code = Hmac::<Sha256>::new_from_slice(key).expect("keys may have any length");
    code.update(text);
    code.finalize().into_bytes().into()
}

/// Refuses a key of a study that is gone, or is not the one with this sum.
pub(super) fn check_key(spec: &LogSpec, sum: &str) -> Result<(), LogError> {
    let path = spec.folder.join(KEY_NAME);
    match read(&path)? {
        Some(key) if key_sum(&key) == sum => Ok(()),
        other => Err(LogError::OtherKey { path, is_gone: other.is_none() }),
    }
}

fn key_sum(key: &[u8; KEY_BYTES]) -> String {
    hexadecimal(&Sha256::new_with_prefix(b"key of codes\n").chain_update(key).finalize())
}

/// The key in a file; none where there is no file.
fn read(path: &Path) -> Result<Option<[u8; KEY_BYTES]>, LogError> {
    let failed = |reason: String| LogError::BadKey { path: path.to_owned(), reason };
    match regular::open(path).and_then(io::read_to_string) {
        Ok(text) => parse(&text).map(Some).map_err(failed),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// The key of a file: its digits, and behind them their checksum, which those of earlier versions lack.
fn parse(text: &str) -> Result<[u8; KEY_BYTES], String> {
    let mut words = text.split_whitespace();
    let digits = words.next().unwrap_or_default();
    if words.next().is_some_and(|sum| sum != checksum(digits)) || words.next().is_some() {
        return Err("it is not as it was written: its checksum, the last eight digits, is another one".to_owned());
    }
    if digits.len() != 2 * KEY_BYTES || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(format!("it is not {} hexadecimal digits", 2 * KEY_BYTES));
    }
    let byte = |at: usize| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hexadecimal digits");
    Ok(std::array::from_fn(byte))
}

/// CRC-32 of the digits of a key.
fn checksum(digits: &str) -> String {
    format!("{:08x}", crc32fast::hash(digits.as_bytes()))
}

/// A new key.
fn drawn() -> Result<[u8; KEY_BYTES], String> {
    let mut key = [0; KEY_BYTES];
    SysRng.try_fill_bytes(&mut key).map_err(|error| error.to_string())?;
    Ok(key)
}

/// Writes a key where no file is yet, for its owner alone to read.
fn write(path: &Path, key: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let digits = hexadecimal(key);
    let mut file = options.open(path)?;
    // Half a key would be taken for a wrong one.
    writeln!(file, "{digits} {}", checksum(&digits)).inspect_err(|_| drop(fs::remove_file(path)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_tables::testing::assert_noticed;

    #[test]
    fn codes_are_the_hmac_of_the_standard() {
        // RFC 4231, test case 2.
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(hexadecimal(&hmac(b"Jefe", b"what do ya want for nothing?")), expected);
    }

    #[test]
    fn each_flip_in_a_key_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(KEY_NAME);
        let key: [u8; KEY_BYTES] = std::array::from_fn(|at| at as u8);
        write(&path, &key).unwrap();
        let text = fs::read(&path).unwrap();
        let read = |text: &[u8]| std::str::from_utf8(text).ok().and_then(|text| parse(text).ok());
        let n_refused = assert_noticed(&text, &key, read);
        // The digits, their checksum and the blank between them; another blank is one too.
        assert!(n_refused >= 8 * (text.len() - 2), "{n_refused}");
        assert!(parse(&hexadecimal(&key)).is_ok_and(|parsed| parsed == key), "as earlier versions wrote it");
    }

    #[test]
    fn no_two_people_have_one_code() {
        let mut names =
            Pseudonyms { key: [7; 32], codes: HashMap::new(), used: HashSet::new(), of_files: HashMap::new() };
        let usual = names.code("anna", 0);
        assert_eq!(usual.len(), "P-".len() + DIGITS);
        let mut other = Pseudonyms { used: HashSet::from([usual.clone()]), codes: HashMap::new(), ..names };
        let longer = other.code("anna", 0);
        assert!(longer.starts_with(&usual) && longer.len() == usual.len() + 1, "{longer}");
        assert_eq!(other.code("anna", 1), longer);
        assert_eq!(other.file_name("logs/anna-2.csv", 1), format!("logs/{longer}-2.csv"));
        assert_eq!(other.file_name("logs/annabel.csv", 1), "logs/annabel.csv");
    }

    #[test]
    fn what_tells_an_id() {
        assert!(tells("data/Anna_1.csv", "anna") && tells("Anna", "anna"));
        assert!(tells("7", "lab-7") && tells("lab-7-2", "lab-7"));
        assert!(!tells("annabel", "anna") && !tells("", "anna") && !tells("3", "anna"));
    }
}
