//! Level files: which levels a file holds, in whatever container; no game is known here.
//!
//! A container is a plain file with one level, a text file with several, a list with one level a
//! line, a CSV or TSV table, or JSON; each may be compressed with gzip or zstd. What a level's own
//! text means is for its game to say. `docs/levels.md` shows every container by example.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use found_level::FoundLevel;

use crate::diagnostic::{Diagnostic, Place, SourceText};

mod bytes;
mod columns;
mod error;
mod found_level;
pub mod json;
pub mod lines;
mod objects;
mod origin;
mod table;
mod text;

pub use bytes::MAX_BYTES;
pub use columns::{BOARD_NAMES, ID_NAMES, LevelColumns, MAYBE_ID_NAMES, board_column, compact_name, is_setting_name};
pub(crate) use columns::{
    COLUMNS, LENGTHS, ORIENTATIONS, ROWS, board_size, is_near_setting, is_refused_name, normal_name, same,
};
pub use error::{EXTENSIONS, LevelError};
pub use found_level::Cell;
pub use objects::{LIST_KEYS, OWN_KEYS, is_level_object};
pub use origin::Origin;
pub(crate) use origin::Spanned;

/// One level as it stands in a file, not yet understood by any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSource {
    /// Its name; no two levels of a reading share one.
    pub id: String,
    /// The file that it stands in.
    pub source: Arc<SourceText>,
    /// The bytes of the file that hold the level's own text, maybe with escapes (see [`Origin`]).
    pub span: Range<usize>,
    /// The level's own text, escapes resolved.
    pub text: String,
    /// The name of the column or key that the text stands in, where a table or an object holds it alone.
    pub column: Option<String>,
    /// The other columns of its table row, in order.
    pub extra: Vec<Cell>,
}

impl LevelSource {
    /// `true` if it stands beside others in a table, and has a number for a name because no column is known to name
    /// them.
    pub fn is_numbered(&self) -> bool {
        let (stem, _) = stem_and_end(&self.source.path);
        let number = self.id.strip_prefix(&stem).and_then(|rest| rest.strip_prefix('-'));
        !self.extra.is_empty() && number.is_some_and(|number| number.len() == 4 && number.parse::<u32>().is_ok())
    }
}

/// Reads the levels of a file, or of all level files of a folder, in the order of their names.
///
/// Subfolders and hidden files are left out. All faults of all files are collected.
///
/// # Errors
///
/// [`LevelError`], which names the path; a file without levels and two levels of one name are faults.
pub fn read_levels(path: &Path, columns: &LevelColumns) -> Result<Vec<LevelSource>, LevelError> {
    let (levels, faults) = read_levels_and_diagnostics(path, columns)?;
    if faults.is_empty() { Ok(levels) } else { Err(LevelError::Diagnostics(faults)) }
}

/// As [`read_levels`], with the levels that were found beside the faults, so that a game can go on to look
/// for faults in them. Where there is a fault the levels are not to be used.
///
/// # Errors
///
/// [`LevelError`] if a file cannot be read; never [`LevelError::Diagnostics`].
pub fn read_levels_and_diagnostics(
    path: &Path,
    columns: &LevelColumns,
) -> Result<(Vec<LevelSource>, Vec<Diagnostic>), LevelError> {
    let mut levels = Vec::new();
    let mut faults = Vec::new();
    for file in level_files(path)? {
        let source = Arc::new(bytes::read_text(&file)?);
        levels.extend(found_levels(&source, columns, &mut faults));
    }
    find_repeated_ids(&levels, &mut faults);
    Ok((levels.into_iter().map(|named| named.level).collect(), faults))
}

/// The levels of a text that is already read; the end of its path tells the container, where it is
/// `.csv`, `.tsv`, `.json`, `.jsonl` or `.ndjson`.
///
/// # Errors
///
/// All faults of the text, at least one.
pub fn levels_of_text(source: &Arc<SourceText>, columns: &LevelColumns) -> Result<Vec<LevelSource>, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let levels = found_levels(source, columns, &mut faults);
    find_repeated_ids(&levels, &mut faults);
    if faults.is_empty() { Ok(levels.into_iter().map(|named| named.level).collect()) } else { Err(faults) }
}

/// A level with its name, and the bytes of the file to blame if the name is taken.
struct Named {
    level: LevelSource,
    id_span: Range<usize>,
}

/// The files that a path stands for: itself, or the level files of a folder in the order of their names.
///
/// # Errors
///
/// A folder that cannot be read, or holds no level file.
pub fn level_files(path: &Path) -> Result<Vec<PathBuf>, LevelError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let failed = |source| LevelError::Io { path: path.to_owned(), source };
    let mut files = Vec::new();
    for entry in path.read_dir().map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.is_file() && is_level_file(&file) {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() { Err(LevelError::NoFiles { path: path.to_owned() }) } else { Ok(files) }
}

fn is_level_file(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    !hidden && EXTENSIONS.contains(&stem_and_end(path).1.as_str())
}

/// The name of a file without its end, and the end in lower case; `.gz` and `.zst` do not count.
fn stem_and_end(path: &Path) -> (String, String) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let lower = name.to_ascii_lowercase();
    let compressed = [".gz", ".zst", ".zstd"].into_iter().find(|end| lower.ends_with(end)).map_or(0, str::len);
    let name = &name[..name.len() - compressed];
    match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => (stem.to_owned(), end.to_ascii_lowercase()),
        _ => (name.to_owned(), String::new()),
    }
}

fn found_levels(source: &Arc<SourceText>, columns: &LevelColumns, faults: &mut Vec<Diagnostic>) -> Vec<Named> {
    let (stem, end) = stem_and_end(&source.path);
    let n_faults = faults.len();
    let levels = match end.as_str() {
        "json" | "jsonl" | "ndjson" => objects::levels(source, columns, faults),
        "csv" => table::levels(source, columns, None, faults),
        "tsv" => table::levels(source, columns, Some(b'\t'), faults),
        _ if json::looks_like_json(&source.text) => objects::levels(source, columns, faults),
        _ if table::has_header(source, columns) => table::levels(source, columns, None, faults),
        _ => text::levels(source, columns, faults),
    };
    let levels = named_by_column(levels);
    if levels.is_empty() && faults.len() == n_faults {
        let fault = Diagnostic::error("empty-level", source, 0..0, format!("{} holds no level", source.path.display()));
        faults.push(fault.with_help("write a level into the file, or leave the file out"));
    }
    named(levels, source, &stem)
}

/// Gives levels without names those of a column that may name them ([`MAYBE_ID_NAMES`]). The column stays what it is
/// beside.
fn named_by_column(mut levels: Vec<FoundLevel>) -> Vec<FoundLevel> {
    if levels.iter().any(|level| level.id.is_some()) {
        return levels;
    }
    for name in MAYBE_ID_NAMES {
        let mut values = HashSet::new();
        if levels.iter().all(|level| named_cell(level, name).is_some_and(|(value, _)| values.insert(value))) {
            for level in &mut levels {
                level.id = named_cell(level, name);
            }
            break;
        }
    }
    levels
}

/// The cell of a column of a level, trimmed, and where it stands.
fn named_cell(level: &FoundLevel, name: &str) -> Option<(String, Range<usize>)> {
    let cell = level.extra.iter().find(|cell| columns::same(&cell.name, name) && !cell.is_missing())?;
    Some((cell.value.trim().to_owned(), cell.span.clone()))
}

/// Levels without a name are called after their file, and after their place in it if it holds several.
fn named(levels: Vec<FoundLevel>, source: &Arc<SourceText>, stem: &str) -> Vec<Named> {
    let alone = levels.len() == 1;
    let named = levels.into_iter().enumerate().map(|(index, FoundLevel { id, span, text, column, extra })| {
        let (id, id_span) = id.unwrap_or_else(|| {
            let id = if alone { stem.to_owned() } else { format!("{stem}-{:04}", index + 1) };
            (id, span.clone())
        });
        Named { level: LevelSource { id, source: source.clone(), span, text, column, extra }, id_span }
    });
    named.collect()
}

fn find_repeated_ids(named: &[Named], faults: &mut Vec<Diagnostic>) {
    let mut first_of: HashMap<&str, &Named> = HashMap::with_capacity(named.len());
    for this in named {
        let first = *first_of.entry(&this.level.id).or_insert(this);
        if !std::ptr::eq(first, this) {
            faults.push(duplicate_id(first, this));
        }
    }
}

fn duplicate_id(first: &Named, second: &Named) -> Diagnostic {
    let message = format!("the level {:?} is there twice", second.level.id);
    let place = Place { source: first.level.source.clone(), span: first.id_span.clone() };
    let (line, _) = place.line_and_column();
    Diagnostic::error("duplicate-id", &second.level.source, second.id_span.clone(), message)
        .labelled("this name is taken")
        .with_help(format!("rename it: the first one is in {}, line {line}", first.level.source.path.display()))
}
