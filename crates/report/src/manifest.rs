//! The proof of a run: what went in, what came out, byte for byte.

use super::error::ReportError;
use super::failed::FailedPart;
use plymap_log::StepCount;
use plymap_measures::doctor::Anomaly;
use plymap_measures::selection::SelectionCount;
use plymap_tables::checksum::json::{Checked, check_document, sign_document};
use plymap_tables::{FileError, TableError, checksum, failed, regular};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Name of the manifest inside the folder of a run.
pub const MANIFEST_NAME: &str = "manifest.json";

/// Manifest of a run: its settings, inputs and outputs. It holds no absolute path, date, host name or number of
/// threads, so that two runs over the same inputs write the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of plymap that made the run.
    pub plymap: String,
    /// Configuration of the study, as it was read.
    pub study: serde_json::Value,
    /// Seeds of everything random, by what they drive.
    pub seeds: BTreeMap<String, u64>,
    /// Kind of codes that stand for the ids of participants; absent if the ids themselves are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participants: Option<String>,
    /// Numbers of things that were read, kept and left out, by what they count.
    pub counts: BTreeMap<String, u64>,
    /// Counts of the steps of `[log]`, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepCount>,
    /// Counts of the selections of the study, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selection: Vec<SelectionCount>,
    /// Anomalies of the log as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anomalies: Vec<Anomaly>,
    /// The parts of the run that could not be made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedPart>,
    /// The files that the run read, sorted by path.
    pub inputs: Vec<FileEntry>,
    /// The files that the run wrote, sorted by path; all but the manifest.
    pub outputs: Vec<FileEntry>,
}

/// One file as it was when the run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileEntry {
    /// Relative path with `/` between its parts: inputs from the folder of the study, outputs from
    /// the folder of the run.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// SHA-256 of its bytes in hexadecimal (NIST, 2015, FIPS 180-4).
    pub sha256: String,
}

impl Manifest {
    /// Returns true if the run was a quick look, whose intervals and p values are coarse.
    pub fn is_preview(&self) -> bool {
        self.study["run"]["fast"] == true
    }

    /// A manifest of this version for a study, without files, seeds and counts.
    pub fn new(study: serde_json::Value) -> Self {
        Self {
            plymap: env!("CARGO_PKG_VERSION").to_owned(),
            study,
            seeds: BTreeMap::new(),
            participants: None,
            counts: BTreeMap::new(),
            steps: Vec::new(),
            selection: Vec::new(),
            anomalies: Vec::new(),
            failed: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Hashes a file and records it as an input under `name`, which [`input_name`] can make. The
    /// same name twice is recorded once.
    ///
    /// # Errors
    /// A file that cannot be read, or a name that is an absolute path or has a `\` in it.
    pub fn add_input(&mut self, name: &str, file: &Path) -> Result<(), ReportError> {
        self.add_entry(file_entry(name, file)?);
        Ok(())
    }

    /// The same of several files, under the names that [`input_name`] makes of them.
    ///
    /// # Errors
    /// A file that cannot be read, or a name that has a `\` in it.
    pub fn add_inputs(
        &mut self,
        files: impl IntoIterator<Item: AsRef<Path>>,
        study_folder: &Path,
    ) -> Result<(), ReportError> {
        files.into_iter().try_for_each(|file| self.add_input(&input_name(file.as_ref(), study_folder), file.as_ref()))
    }

    /// Records an input that was hashed when it was read.
    pub fn add_entry(&mut self, entry: FileEntry) {
        if let Err(at) = self.inputs.binary_search_by(|other| other.path.cmp(&entry.path)) {
            self.inputs.insert(at, entry);
        }
    }

    /// Hashes every file below `folder` as the outputs and writes the manifest there. Comes last:
    /// what is written later is not proved.
    ///
    /// # Errors
    /// A file that cannot be read or written, or one whose name is not UTF-8.
    pub fn write(&mut self, folder: &Path) -> Result<PathBuf, ReportError> {
        let paths = files_below(folder)?;
        let outputs = paths.iter().filter(|path| *path != MANIFEST_NAME);
        self.outputs = outputs.map(|path| file_entry(path, &folder.join(path))).collect::<Result<_, _>>()?;
        let path = folder.join(MANIFEST_NAME);
        fs::write(&path, self.to_json()?).map_err(failed("write", &path))?;
        Ok(path)
    }

    /// The manifest as indented JSON with its checksum, the same for the same manifest.
    fn to_json(&self) -> Result<Vec<u8>, ReportError> {
        let mut text = serde_json::to_vec_pretty(self)?;
        sign_document(&mut text);
        Ok(text)
    }

    /// Reads the manifest of a run from its folder. That of an earlier version of plymap has no checksum.
    ///
    /// # Errors
    /// A folder without one, or a file that is none, or is not as it was written.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        Ok(Self::checked(folder)?.0)
    }

    /// The files that are listed in the folder of a run, whether its manifest is as it was written or not; nothing where there is
    /// no manifest of plymap.
    pub(super) fn listed(folder: &Path) -> Option<Vec<FileEntry>> {
        let text = regular::read(&folder.join(MANIFEST_NAME)).ok()?;
        Some(serde_json::from_slice::<Self>(&text).ok()?.outputs)
    }

    /// The manifest, and whether it has a checksum.
    fn checked(folder: &Path) -> Result<(Self, bool), ReportError> {
        let path = folder.join(MANIFEST_NAME);
        let text = regular::read(&path).map_err(failed("read", &path))?;
        let checked = check_document(&text);
        if checked == Checked::Wrong {
            return Err(ReportError::ChangedManifest { path });
        }
        let manifest = serde_json::from_slice(&text).map_err(|source| ReportError::BadManifest { path, source })?;
        Ok((manifest, checked == Checked::Whole))
    }
}

/// Departure of a folder from its manifest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mismatch {
    /// The file has other bytes than it had.
    Changed {
        /// Path within the folder.
        path: String,
        /// SHA-256 in the manifest.
        expected: String,
        /// SHA-256 now.
        found: String,
    },
    /// The file is gone.
    Missing {
        /// Path within the folder.
        path: String,
    },
    /// There is a link, a pipe or a device in the place of the file.
    Irregular {
        /// Path within the folder.
        path: String,
    },
    /// The file is there but the manifest does not know it.
    Unlisted {
        /// Path within the folder.
        path: String,
    },
    /// The manifest has no checksum: nothing tells whether it is as it was written.
    Unchecked,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Changed { path, .. } => write!(formatter, "{path}: differs from what the run wrote"),
            Self::Missing { path } => write!(formatter, "{path}: is not there any more"),
            Self::Irregular { path } => {
                write!(formatter, "{path}: is a link, pipe or device, and not the file that the run wrote")
            }
            Self::Unlisted { path } => write!(formatter, "{path}: is not of the run"),
            Self::Unchecked => {
                write!(formatter, "{MANIFEST_NAME}: has no checksum (`crc32`), as that of an earlier version of plymap")
            }
        }
    }
}

/// Hashes the outputs in the folder of a run again and returns every departure from its manifest,
/// sorted; none if the folder is as the run left it.
///
/// # Errors
/// A manifest or an output that cannot be read.
pub fn verify(folder: &Path) -> Result<Vec<Mismatch>, ReportError> {
    let (manifest, has_checksum) = Manifest::checked(folder)?;
    // Not what a link leads to, which is no part of the folder.
    let is_file = |path: &str| {
        let path = folder.join(path);
        fs::symlink_metadata(&path).map(|metadata| metadata.is_file()).map_err(failed("inspect", &path))
    };
    let mut unlisted: BTreeSet<String> = files_below(folder)?.into_iter().collect();
    unlisted.remove(MANIFEST_NAME);
    let mut mismatches = Vec::from_iter((!has_checksum).then_some(Mismatch::Unchecked));
    if !is_file(MANIFEST_NAME)? {
        mismatches.push(Mismatch::Irregular { path: MANIFEST_NAME.to_owned() });
    }
    for FileEntry { path, sha256: expected, .. } in manifest.outputs {
        if !unlisted.remove(&path) {
            mismatches.push(Mismatch::Missing { path });
            continue;
        }
        if !is_file(&path)? {
            mismatches.push(Mismatch::Irregular { path });
            continue;
        }
        let (_, sum) = sha256_file(&folder.join(&path))?;
        if sum != expected {
            mismatches.push(Mismatch::Changed { path, expected, found: sum });
        }
    }
    mismatches.extend(unlisted.into_iter().map(|path| Mismatch::Unlisted { path }));
    mismatches.sort();
    Ok(mismatches)
}

/// Size in bytes and SHA-256 in hexadecimal of a file, read piece by piece.
///
/// # Errors
/// A file that cannot be read.
pub fn sha256_file(path: &Path) -> Result<(u64, String), FileError> {
    let mut file = regular::open(path).map_err(failed("open", path))?;
    checksum::sha256(&mut file).map_err(failed("read", path))
}

/// The entry of a file under a portable name.
///
/// # Errors
/// A file that cannot be read, or a name that is an absolute path or has a `\` in it.
pub fn file_entry(name: &str, file: &Path) -> Result<FileEntry, ReportError> {
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    if name.is_empty() || name.starts_with('/') || name.contains('\\') || has_drive {
        return Err(ReportError::PathNotPortable { path: name.to_owned() });
    }
    let (bytes, sha256) = sha256_file(file)?;
    Ok(FileEntry { path: name.to_owned(), bytes, sha256 })
}

/// The name under which an input is recorded: as the study wrote it if that is relative, from the
/// study's folder if it lies below it, else the name of the file alone, for a path through somebody's
/// home means nothing elsewhere.
pub fn input_name(file: &Path, study_folder: &Path) -> String {
    let within = file.strip_prefix(study_folder).unwrap_or(file);
    let within = if within.is_absolute() { Path::new(within.file_name().unwrap_or_default()) } else { within };
    let parts = within.components().filter(|part| !matches!(part, Component::CurDir));
    parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

/// Relative paths of all files below a folder, with `/`, sorted by their bytes.
pub(super) fn files_below(folder: &Path) -> Result<Vec<String>, ReportError> {
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(failed("list", &folder))? {
            let entry = entry.map_err(failed("list", &folder))?;
            let name = entry.file_name();
            let name = name.to_str().ok_or_else(|| TableError::Stem { stem: name.to_string_lossy().into_owned() })?;
            let path = format!("{prefix}{name}");
            // A link is recorded as a file; following one could lead out of the folder or in circles.
            if entry.file_type().map_err(failed("inspect", &entry.path()))?.is_dir() {
                folders.push((entry.path(), path + "/"));
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;
    use plymap_tables::testing::assert_noticed;

    #[test]
    fn the_hash_is_the_one_of_the_standard() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        fs::write(&path, "abc").unwrap();
        // FIPS 180-4, example "abc".
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_file(&path).unwrap(), (3, expected.to_owned()));
        // Longer than the buffer: hashed in pieces, the same as at once.
        let long = vec![7; 200_000];
        fs::write(&path, &long).unwrap();
        let at_once = checksum::hexadecimal(&Sha256::digest(&long));
        assert_eq!(sha256_file(&path).unwrap(), (200_000, at_once));
    }

    #[test]
    fn each_flip_in_a_manifest_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.csv"), "a\n1\n").unwrap();
        let path = Manifest::new(serde_json::json!({ "study": { "name": "Zoë" } })).write(folder.path()).unwrap();
        let text = fs::read(&path).unwrap();
        let whole = Manifest::read(folder.path()).unwrap();
        let n_refused = assert_noticed(&text, &whole, |text| {
            fs::write(&path, text).unwrap();
            Manifest::read(folder.path()).ok()
        });
        assert_eq!(n_refused, 8 * text.len());
        let said = Manifest::read(folder.path()).unwrap_err().to_string();
        assert!(said.contains("manifest.json") && said.contains("not as plymap wrote it"), "{said}");
        // As earlier versions wrote it.
        fs::write(&path, serde_json::to_vec_pretty(&whole).unwrap()).unwrap();
        assert_eq!(
            (Manifest::read(folder.path()).unwrap(), verify(folder.path()).unwrap()),
            (whole, vec![Mismatch::Unchecked])
        );
        fs::write(&path, text).unwrap();
        assert_eq!(verify(folder.path()).unwrap(), []);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_not_as_the_run_left_it() {
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("run");
        fs::create_dir(&folder).unwrap();
        ["a.csv", "b.csv"].iter().for_each(|name| fs::write(folder.join(name), "a\n1\n").unwrap());
        Manifest::new(serde_json::json!({})).write(&folder).unwrap();
        let away = |name: &str| {
            fs::rename(folder.join(name), place.path().join(name)).unwrap();
            (place.path().join(name), folder.join(name))
        };
        let pipe = |path: &Path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
        let irregular = |path: &str| Mismatch::Irregular { path: path.to_owned() };
        let (copy, link) = away("a.csv");
        symlink(&copy, &link).unwrap();
        pipe(&away("b.csv").1);
        let (manifest, link) = away(MANIFEST_NAME);
        symlink(&manifest, &link).unwrap();
        assert_eq!(verify(&folder).unwrap(), ["a.csv", "b.csv", MANIFEST_NAME].map(irregular));
        fs::remove_file(&link).unwrap();
        pipe(&link);
        assert!(verify(&folder).unwrap_err().to_string().contains("manifest.json: it is no regular file, but a pipe"));
        assert_eq!(Manifest::listed(&folder), None);
    }

    #[test]
    fn inputs_get_names_that_mean_the_same_elsewhere() {
        let name = |file: &str| input_name(Path::new(file), Path::new("/home/a/study"));
        assert_eq!(name("./logs/moves.csv"), "logs/moves.csv");
        assert_eq!(name("../data/moves.csv"), "../data/moves.csv");
        assert_eq!(name("/home/a/study/logs/moves.csv"), "logs/moves.csv");
        assert_eq!(name("/home/a/elsewhere/moves.csv"), "moves.csv");
    }

    #[test]
    fn an_absolute_name_is_refused() {
        for name in ["/etc/hostname", "C:/x", "a\\b", ""] {
            assert!(matches!(file_entry(name, Path::new("x")), Err(ReportError::PathNotPortable { .. })), "{name}");
        }
    }
}
