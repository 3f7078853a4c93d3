//! The study.toml of a proposal, with what is said of each entry as comments.

use super::proposal::{Certainty, Proposal, ProposalNote};
use plymap_log::{ColumnSpec, LogSpec, Role};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

/// Comment at the head of a proposal without questions.
pub const NO_QUESTION: &str =
    "Nothing is in doubt; look at it all the same: plymap check tells what becomes of each row.";

/// Comment at the head of a proposal with questions.
pub const QUESTIONS: &str =
    "Look at the lines that have QUESTION above them, then: plymap check tells what becomes of each row.";

/// Entries of a study.toml beside its log.
#[derive(Clone, Debug)]
pub struct StudyText<'a> {
    /// Name of the study.
    pub name: &'a str,
    /// Name of the game, or the path of its script.
    pub game: &'a str,
    /// Files and folders of levels.
    pub levels: &'a [PathBuf],
    /// Entries of `[rules]`.
    pub rules: &'a toml::Table,
    /// The folder that the study will lie in.
    pub folder: &'a Path,
}

/// The text of a study.toml.
///
/// # Errors
///
/// The folder of a file cannot be found.
pub fn study_toml(proposal: &Proposal, about: &StudyText<'_>) -> io::Result<String> {
    let folder = real(about.folder)?;
    let shown = |path: &PathBuf| -> io::Result<String> {
        Ok(relative(&folder, &real(path)?).display().to_string().replace('\\', "/"))
    };
    let paths = |paths: &[PathBuf]| paths.iter().map(shown).collect::<io::Result<Vec<_>>>();
    let n_questions = proposal.notes.iter().filter(|note| note.certainty == Certainty::Ask).count();
    let mut text = Text { text: String::new(), notes: &proposal.notes };
    text.note(&format!("Proposed by plymap import, for {}.", proposal.source));
    text.note(if n_questions == 0 { NO_QUESTION } else { QUESTIONS });
    text.line("");
    text.line("[study]");
    text.entry("name", about.name);
    text.line("");
    text.line("[levels]");
    text.notes("game", "");
    // A script is a file, seen from the study as all others.
    match about.game.ends_with(".lua") {
        true => text.entry("game", shown(&PathBuf::from(about.game))?),
        false => text.entry("game", about.game),
    }
    text.entry("files", paths(about.levels)?);
    if !about.rules.is_empty() {
        text.line("\n[rules]");
        for (key, value) in about.rules {
            text.entry(key, value);
        }
    }
    text.line("\n[log]");
    let spec = &proposal.spec;
    text.notes("files", "");
    text.entry("files", paths(&spec.files)?);
    // A preset of one's own is a file, seen from the study as all others.
    let preset = spec.preset.as_ref().filter(is_file).map(|file| shown(&PathBuf::from(file))).transpose()?;
    text.log_entries(&LogSpec { preset: preset.or(spec.preset.clone()), ..spec.clone() });
    text.line("\n[columns]");
    for role in Role::ALL {
        let key = role.key();
        let Some(column) = spec.columns.get(key) else {
            for note in proposal.notes.iter().filter(|note| note.entry == key) {
                text.note(&format!("{key}: {}: {}", note.certainty, note.reason));
            }
            continue;
        };
        text.notes(key, "");
        match column {
            // The form in which people write it.
            ColumnSpec::Template { template } => text.entry(key, template),
            ColumnSpec::Column { column, unit: None, first: None } => text.entry(key, column),
            column => text.entry(key, column),
        }
    }
    if !spec.events.is_empty() {
        text.line("\n[log.events]");
        for (value, event) in &spec.events {
            text.notes(&format!("events.{value}"), "");
            text.entry(value, event);
        }
    }
    Ok(text.text)
}

fn is_file(preset: &&String) -> bool {
    preset.ends_with(".toml")
}

/// A path without detours, also one that leads to nothing yet.
fn real(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let known = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    Ok(match known {
        Some((above, real)) => real.join(path.strip_prefix(above).unwrap_or(Path::new(""))),
        None => path,
    })
}

struct Text<'a> {
    text: String,
    notes: &'a [ProposalNote],
}

impl Text<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn note(&mut self, note: &str) {
        self.line(&format!("# {note}"));
    }

    /// Note on an entry.
    fn notes(&mut self, entry: &str, indent: &str) {
        for note in self.notes.iter().filter(|note| note.entry == entry) {
            self.line(&format!("{indent}# {}: {}", note.certainty, note.reason));
        }
    }

    fn entry(&mut self, key: &str, value: impl Serialize) {
        let mut entry = toml::Table::new();
        if let Ok(value) = toml::Value::try_from(value) {
            entry.insert(key.to_owned(), value);
        }
        // Inline, so that an entry is a line: `rt = { column = "rt", unit = "ms" }`.
        let line = toml::Value::Table(entry).to_string();
        let line = line.trim().strip_prefix('{').and_then(|line| line.strip_suffix('}')).unwrap_or(&line).trim();
        self.line(line);
    }

    fn log_entries(&mut self, spec: &LogSpec) {
        let entries = [
            ("preset", spec.preset.as_ref().map(toml::Value::try_from)),
            ("repeated_columns", spec.repeated_columns.as_ref().map(toml::Value::try_from)),
            ("table", spec.table.as_ref().map(toml::Value::try_from)),
            ("path", spec.path.as_ref().map(toml::Value::try_from)),
            ("decimal_comma", spec.decimal_comma.then(|| toml::Value::try_from(true))),
            ("thousands", spec.thousands.as_ref().map(toml::Value::try_from)),
            ("row_number", (!spec.row_number.is_empty()).then(|| toml::Value::try_from(&spec.row_number))),
            ("clock", spec.clock.as_ref().map(toml::Value::try_from)),
            ("null_moves", (spec.null_moves != Default::default()).then(|| toml::Value::try_from(spec.null_moves))),
        ];
        for (key, value) in entries {
            if let Some(Ok(value)) = value {
                self.notes(key, "");
                self.entry(key, value);
            }
        }
        if !spec.steps.is_empty() {
            self.line("steps = [");
            for step in &spec.steps {
                self.notes(step.name(), "    ");
                let step = toml::Value::try_from(step).map(|step| step.to_string()).unwrap_or_default();
                self.line(&format!("    {},", step.trim()));
            }
            self.line("]");
        }
    }
}

/// The path of `to` as seen from the folder `from`; both must be absolute.
pub(crate) fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(left, right)| left == right).count();
    if common == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(common).map(|_| Path::new(".."));
    up.chain(to.components().skip(common).map(|part| Path::new(part.as_os_str()))).collect()
}
