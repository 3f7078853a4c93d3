//! The levels of a run, read again from the files that its manifest names.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use plymap_puzzles::valuation::{LoadedLevel, load_levels};
use plymap_report::{FileEntry, Manifest, input_name, sha256_file};
use plymap_run::study::Study;

use crate::cli::Failure;
use crate::cli::levels::RuleArguments;

/// The levels of a run.
pub struct Recorded {
    pub levels: Vec<LoadedLevel>,
    /// True if positions beyond a goal belong to their maps.
    pub expand_goals: bool,
}

/// Folders below the current one in which inputs are looked for: so many levels of them, and so many in all.
const DEPTH: usize = 3;
const MOST_FOLDERS: usize = 10_000;

impl Recorded {
    /// Reads the levels that a manifest names, from this folder or one that is found.
    pub fn read(manifest: &Manifest, inputs: Option<&Path>) -> Result<Self, Failure> {
        if manifest.study["study"]["name"].is_string() {
            return Self::of_study(manifest, inputs);
        }
        match RuleArguments::of_json(&manifest.study) {
            Some(arguments) => Self::of_map(manifest, &arguments, inputs),
            None => Err(Failure::message(
                "the folder is neither of `plymap run` nor of `plymap map`: there are no distances",
            )),
        }
    }

    fn of_study(manifest: &Manifest, inputs: Option<&Path>) -> Result<Self, Failure> {
        let name = manifest.study["study"]["name"].as_str();
        let is_toml = |entry: &&FileEntry| entry.path.ends_with(".toml");
        // Presets and players may be files of TOML too.
        let read = |entry: &FileEntry| {
            let folder = found(entry, inputs)?;
            Study::read(&folder.join(&entry.path)).ok().filter(|study| Some(&*study.study.name) == name)
        };
        let study = manifest.inputs.iter().filter(is_toml).find_map(read).ok_or_else(|| absent("the study", inputs))?;
        let (game, options) = (study.game(), study.rule_options());
        let levels = load_levels(&study.level_files(), &study.level_columns(), game, &options)?;
        let files = levels.iter().map(|level| level.origin.source.path.clone()).chain((game.files)(&options));
        check_inputs(manifest, files, &study.folder)?;
        Ok(Self { levels, expand_goals: study.map.expand_goals })
    }

    fn of_map(manifest: &Manifest, arguments: &RuleArguments, inputs: Option<&Path>) -> Result<Self, Failure> {
        let first = manifest.inputs.first().ok_or_else(|| absent("the levels", inputs))?;
        let folder = found(first, inputs).ok_or_else(|| absent(&first.path, inputs))?;
        let rules = arguments.game_files(&folder);
        let files: Vec<PathBuf> = manifest.inputs.iter().map(|entry| folder.join(&entry.path)).collect();
        check_inputs(manifest, files.iter().cloned(), &folder)?;
        let is_level =
            |file: &PathBuf| !rules.iter().any(|rules| input_name(rules, &folder) == input_name(file, &folder));
        let files: Vec<PathBuf> = files.into_iter().filter(is_level).collect();
        let (levels, _) = arguments.load_from(&files, &folder)?;
        Ok(Self { levels, expand_goals: arguments.expands_goals() })
    }
}

/// Fails for the first file that is not as the manifest says.
fn check_inputs(manifest: &Manifest, files: impl Iterator<Item = PathBuf>, folder: &Path) -> Result<(), Failure> {
    let mut last = None;
    for file in files {
        if last.as_ref() == Some(&file) {
            continue;
        }
        let name = input_name(&file, folder);
        let entry = manifest.inputs.iter().find(|entry| entry.path == name);
        let is_same = entry.is_some_and(|entry| sha256_file(&file).is_ok_and(|(_, sum)| sum == entry.sha256));
        if !is_same {
            return Err(Failure::message(format!(
                "{} is not the file that the run read: bring it back as it was, name the folder that has it with --inputs, or make the run anew",
                file.display()
            )));
        }
        last = Some(file);
    }
    Ok(())
}

fn absent(what: &str, inputs: Option<&Path>) -> Failure {
    let place = match inputs {
        Some(folder) => format!("{} has not {what} as the run read it", folder.display()),
        None => format!("neither this folder nor one below has {what} as the run read it"),
    };
    Failure::message(format!(
        "{place}: name with --inputs the folder of the study, or the one in which `plymap map` was called"
    ))
}

/// The folder from which the entry of a manifest names a file with its hash: this one, or the nearest to the current one.
fn found(entry: &FileEntry, inputs: Option<&Path>) -> Option<PathBuf> {
    let is_there = |folder: &Path| {
        let file = folder.join(&entry.path);
        let has_size = file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == entry.bytes);
        has_size && sha256_file(&file).is_ok_and(|(_, sum)| sum == entry.sha256)
    };
    if let Some(folder) = inputs {
        return is_there(folder).then(|| folder.to_owned());
    }
    let mut folders = VecDeque::from([(PathBuf::from("."), 0)]);
    for _ in 0..MOST_FOLDERS {
        let (folder, depth) = folders.pop_front()?;
        if is_there(&folder) {
            return Some(folder);
        }
        if depth == DEPTH {
            continue;
        }
        let inner = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let inner = inner.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let is_hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
        let mut inner: Vec<PathBuf> =
            inner.filter(|entry| !is_hidden(&entry.file_name())).map(|entry| entry.path()).collect();
        inner.sort();
        folders.extend(inner.into_iter().map(|folder| (folder, depth + 1)));
    }
    None
}
