//! Settings of `[log]`: the files, and the meaning of their columns.

use super::error::LogError;
use super::event::Event;
use super::held_files::Held;
use super::pipeline_step::PipelineStep;
use super::role::Role;
use crate::file_settings::Frame;
use crate::file_settings::RepeatedColumns;
use crate::file_settings::Unit;
use jiff::tz::TimeZone;
use plymap_expression::{Expression, MISSING, NumberStyle, Template};
use plymap_puzzles::diagnostic::EntryDiagnostic;
use plymap_tables::did_you_mean::nearest;
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Files of a log, and the meaning of their columns: `[log]` of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogSpec {
    /// The files, folders of files, patterns such as `raw/*.csv`, or `-` for standard input; their rows are joined in
    /// this order, those of a folder or pattern in the order of their names.
    pub files: Vec<PathBuf>,
    /// Program that wrote the files: a name of [`presets`](super::presets), or a file of one's own in that form. What
    /// the study says itself counts before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Pattern of the ends of the paths of files, such as `{participant}-{session}.csv`; each name becomes a column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Keys in the names of files, as in `sub-01_ses-2_beh.tsv`, and the columns that their values become; what a file
    /// has itself under that name counts before it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub entities: BTreeMap<String, String>,
    /// `true` if JSON files beside the files tell the units of their columns, as in BIDS.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sidecars: bool,
    /// Names of the columns of CSV files that have no header.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub header: Vec<String>,
    /// Treatment of a header that has a name twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_columns: Option<RepeatedColumns>,
    /// Encoding of text files, such as `windows-1252`; found in them where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Sheet of a workbook, table of a database or section of a text file, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Steps taken with rows before their columns are read, from top to bottom.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<PipelineStep>,
    /// Texts that stand for a missing value, beside the empty text; [`MISSING`] where they are not given.
    pub null_values: Option<Vec<String>>,
    /// Value in the files to canonical event; canonical names need no entry.
    pub events: BTreeMap<String, String>,
    /// Separator of CSV files; found in their header where it is not given.
    pub separator: Option<char>,
    /// `true` if numbers are written as `2,5` rather than `2.5`.
    pub decimal_comma: bool,
    /// Separator of groups of three digits in numbers, such as the comma of `1,393`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thousands: Option<char>,
    /// Time zone of dates and times that tell none, such as `Europe/Berlin`; UTC where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Treatment of a logged action that the rules do not allow.
    pub illegal_moves: IllegalMoves,
    /// Treatment of a logged action that changes nothing, such as a piece that is put back.
    #[serde(skip_serializing_if = "NullMoves::is_default")]
    pub null_moves: NullMoves,
    /// The largest share of rows that may be rejected or excluded in a run; any where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unused: Option<f64>,
    /// `true` if attempts that no row ends were reset, where the next one of the participant is at the same level, or
    /// given up, where another level follows.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub implied_ends: bool,
    /// Columns that tell one row of the files from another, such as a counter or a clock: a row that has them and
    /// everything else twice was saved twice, and a counter that falls starts again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub row_number: Vec<String>,
    /// Meaning of a new file of a participant, or of a counter that starts again, where no column tells sessions.
    #[serde(skip_serializing_if = "SessionRule::is_default")]
    pub sessions: SessionRule,
    /// Start of the clock of onsets; [`Clock::Running`] where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// `true` if participants have codes in place of their ids in all that is written.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pseudonymise: bool,
    /// `true` if columns that tell who somebody is are kept: `keep_personal` of `[output]`.
    #[serde(skip)]
    pub keep_personal: bool,
    /// `true` if nothing may be written, not even a new key of codes, which then lasts as long as the log.
    #[serde(skip)]
    pub writes_nothing: bool,
    /// `[columns]`: canonical name (`participant`, `onset`, `rt`, …) to the column of the files that holds it. A
    /// canonical name that is not listed is taken from the column of that very name, if there is one.
    #[serde(skip)]
    pub columns: BTreeMap<String, ColumnSpec>,
    /// Columns that the preset names: those of them that the files have.
    #[serde(skip)]
    pub usual_columns: BTreeMap<String, ColumnSpec>,
    /// Columns that tell rows apart as the preset names them, where the study names none: those of them that the files
    /// have.
    #[serde(skip)]
    pub usual_row_number: Vec<String>,
    /// A table in memory that is the log, in place of files; what it is called stands in `files`.
    #[serde(skip)]
    pub frame: Option<Frame>,
    /// The first rows of the files, where they are held in memory; nothing else is read of the files then.
    #[serde(skip)]
    pub held: Option<Held>,
    /// The most rows that are read of each file; all where it is not given.
    #[serde(skip)]
    pub max_rows: Option<u64>,
    /// The most files that are read, spread over all; all where it is not given.
    #[serde(skip)]
    pub max_files: Option<usize>,
    /// Folder that relative paths in `files` start from; empty for the current one. It is never
    /// shown: `source_file` is the path as `files` has it, so that tables do not depend on where a
    /// study lies.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Treatment of a logged action that the rules do not allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IllegalMoves {
    /// Reject the row and exclude the rest of its attempt.
    #[default]
    Reject,
    /// Keep the row as a move that changed nothing, labelled `illegal`: for logs that record failed tries.
    Keep,
}

/// Treatment of a logged action that changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NullMoves {
    /// Treat it as every other action that the rules do not allow.
    #[default]
    Reject,
    /// Leave it out of the moves; its time is part of that of the next move.
    Drop,
    /// Keep its row as the event `null_move`; its time is part of that of the next move too.
    Keep,
}

impl NullMoves {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Rule for the sessions of a participant where no column tells them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionRule {
    /// A level that comes again in another file, or behind a counter that started again, begins the next session.
    #[default]
    Files,
    /// All rows of a participant are of one.
    One,
}

impl SessionRule {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Start of the clock of onsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Somewhere before the experiment: the onset of the first row of an attempt is no duration. Where the study says
    /// so itself, the clock runs on through resets even if a column numbers the attempts.
    #[default]
    Running,
    /// With each trial: the onset of the first row of a participant at a level is its first-move latency.
    Trial,
    /// With each attempt.
    Attempt,
}

/// Word in `[log.events]` for values that are no events, and whose rows are left out.
pub const IGNORE: &str = "ignore";

impl LogSpec {
    /// Texts that stand for a missing value, beside the empty text.
    pub(super) fn null_values(&self) -> Vec<&str> {
        match &self.null_values {
            Some(values) => values.iter().map(String::as_str).collect(),
            None => MISSING.to_vec(),
        }
    }

    /// Style of its numbers.
    pub fn numbers(&self) -> NumberStyle {
        NumberStyle { decimal_comma: self.decimal_comma, thousands: self.thousands }
    }

    /// The diagnostics of `[log]` and `[columns]`, as far as they can be told before a file is opened.
    pub fn diagnostics(&self) -> Vec<EntryDiagnostic> {
        let Err(error) = self.check() else { return Vec::new() };
        let keys = match &error {
            LogError::UnknownEvent { value, .. } => vec!["log", "events", value],
            LogError::UnknownKey { key, .. } => vec!["columns", key],
            LogError::BadColumn { key, .. } => vec!["columns", key],
            LogError::BadStep { step, .. } => vec!["log", step],
            _ => vec!["columns"],
        };
        let help = "docs/logs.md lists what the columns of a log can be";
        vec![EntryDiagnostic::new("bad-columns", &keys, error.to_string(), help)]
    }

    /// Checks what can be checked before a file is opened.
    ///
    /// # Errors
    ///
    /// No file, an unknown canonical name or event, or a unit where none can be.
    pub fn check(&self) -> Result<(), LogError> {
        if self.files.is_empty() {
            return Err(LogError::NoFiles);
        }
        if self.preset.is_some() {
            return self.with_preset()?.check();
        }
        if let Some(name) = &self.time_zone
            && let Err(error) = TimeZone::get(name)
        {
            let reason = format!("{name:?} is not known ({error}); use a name such as \"Europe/Berlin\"");
            return Err(bad_entry("time_zone", reason));
        }
        if let Some(most) = self.max_unused.filter(|most| !(0.0..=1.0).contains(most)) {
            return Err(bad_entry("max_unused", format!("{most} is no share; write one from 0 to 1, such as 0.05")));
        }
        let decimal = if self.decimal_comma { ',' } else { '.' };
        let is_unfit = |mark: char| mark == decimal || mark.is_ascii_alphanumeric() || "+-\"\r\n".contains(mark);
        if let Some(mark) = self.thousands.filter(|&mark| is_unfit(mark)) {
            let reason = format!(
                "{mark:?} cannot stand between digits of a number whose decimal mark is {decimal:?}; use one such as \
                 \",\", or say decimal_comma"
            );
            return Err(bad_entry("thousands", reason));
        }
        if let Some(separator) = self.separator.filter(|&mark| !mark.is_ascii() || "\"\r\n".contains(mark)) {
            let reason = format!("{separator:?} cannot separate fields; use one such as \",\", \";\" or \"\\t\"");
            return Err(bad_entry("separator", reason));
        }
        for (value, event) in &self.events {
            if event != IGNORE && Event::from_name(event).is_none() {
                let nearest = nearest(event, Event::NAMES.iter().copied().chain([IGNORE]));
                return Err(LogError::UnknownEvent { value: value.clone(), event: event.clone(), nearest });
            }
        }
        let mut seen_roles = BTreeMap::new();
        for (key, column) in &self.columns {
            let role = Role::from_key(key).ok_or_else(|| unknown_key(key))?;
            if let Some(other) = seen_roles.insert(role.name(), key) {
                let reason = format!("{other:?} and {key:?} mean the same column; keep one of them");
                return Err(LogError::BadColumn { key: key.clone(), reason });
            }
            column.check(role).map_err(|reason| LogError::BadColumn { key: key.clone(), reason })?;
        }
        Ok(())
    }
}

fn bad_entry(entry: &str, reason: String) -> LogError {
    LogError::BadStep { step: entry.to_owned(), reason }
}

fn unknown_key(key: &str) -> LogError {
    let keys = || Role::ALL.iter().map(|role| role.key());
    LogError::UnknownKey {
        key: key.to_owned(),
        nearest: nearest(key, keys()),
        known: keys().collect::<Vec<_>>().join(", "),
    }
}

/// Source of one canonical column.
///
/// In study.toml either the name of a column, `participant = "subject"`, or a table:
/// `rt = { column = "rt_ms", unit = "ms" }`, `move_index = { column = "move", first = 1 }` for logs
/// that count from 1, `session = { value = "2" }` for a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ColumnSpec {
    /// A column of the files.
    Column {
        /// Its name.
        column: String,
        /// Unit of its values; only for `onset` and `rt`, seconds where it is not given.
        #[serde(skip_serializing_if = "Option::is_none")]
        unit: Option<Unit>,
        /// Number of the first row of an attempt; only for `move_index`, 0 where it is not given.
        #[serde(skip_serializing_if = "Option::is_none")]
        first: Option<i64>,
    },
    /// The same value in all rows.
    Value {
        /// The value.
        value: String,
    },
    /// A text with columns in it, such as `"{piece}@{cell}"`.
    Template {
        /// The text.
        template: String,
    },
    /// The first of several columns that the files have.
    FirstOf(Vec<ColumnSpec>),
}

impl ColumnSpec {
    /// The column of that name, with the usual unit.
    pub fn column(name: &str) -> Self {
        Self::Column { column: name.to_owned(), unit: None, first: None }
    }

    /// The column of that name, with its times in `unit`.
    pub fn with_unit(name: &str, unit: Unit) -> Self {
        Self::Column { column: name.to_owned(), unit: Some(unit), first: None }
    }

    /// Returns the columns that a template names; of all else none.
    pub fn template_names(&self) -> Vec<String> {
        let Self::Template { template } = self else { return Vec::new() };
        let parsed = Template::parse(template).ok();
        parsed.iter().flat_map(Template::expressions).flat_map(Expression::names).map(str::to_owned).collect()
    }

    fn check(&self, role: Role) -> Result<(), String> {
        let (unit, first) = match self {
            Self::Column { unit, first, .. } => (unit, first),
            Self::Value { .. } => {
                return match role {
                    Role::Onset | Role::Rt => Err("a time cannot be the same in all rows; name a column".to_owned()),
                    _ => Ok(()),
                };
            }
            Self::Template { .. } => return Ok(()),
            Self::FirstOf(columns) => {
                return match columns.iter().find(|column| !matches!(column, Self::Column { .. })) {
                    None if !columns.is_empty() => columns.iter().try_for_each(|column| column.check(role)),
                    _ => Err("a list names columns of the files, of which the first that is there is taken".to_owned()),
                };
            }
        };
        match (role, unit) {
            (Role::Onset, _) | (_, None) => {}
            (Role::Rt, Some(unit)) if !unit.is_instant() => {}
            (Role::Rt, Some(unit)) => {
                return Err(format!(
                    "{unit} tells instants, and rt is a duration; use s, ms, us or ns, or map it as onset"
                ));
            }
            _ => return Err("only onset and rt have a unit; leave it out".to_owned()),
        }
        match first {
            Some(_) if role != Role::MoveIndex => Err("only move_index has a first value; leave it out".to_owned()),
            _ => Ok(()),
        }
    }
}

impl<'de> Deserialize<'de> for ColumnSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ColumnSpecVisitor)
    }
}

struct ColumnSpecVisitor;

impl<'de> Visitor<'de> for ColumnSpecVisitor {
    type Value = ColumnSpec;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a column, a list of such names, a text with columns in braces, { column = \"…\", unit = \"ms\" } or { value = \"…\" }")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ColumnSpec, A::Error> {
        let mut columns = Vec::new();
        while let Some(column) = list.next_element()? {
            columns.push(column);
        }
        Ok(ColumnSpec::FirstOf(columns))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<ColumnSpec, E> {
        Ok(match Template::is_template(name) {
            true => ColumnSpec::Template { template: name.to_owned() },
            false => ColumnSpec::column(name),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ColumnSpec, A::Error> {
        let (mut column, mut unit, mut first, mut value) = (None, None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "template" => {
                    let template = map.next_value()?;
                    return Ok(ColumnSpec::Template { template });
                }
                "column" => column = Some(map.next_value()?),
                "unit" => unit = Some(map.next_value()?),
                "first" => first = Some(map.next_value()?),
                "value" => value = Some(map.next_value::<Constant>()?.0),
                _ => return Err(de::Error::unknown_field(&key, &["column", "unit", "first", "value"])),
            }
        }
        match (column, value) {
            (Some(column), None) => Ok(ColumnSpec::Column { column, unit, first }),
            (None, Some(value)) if unit.is_none() && first.is_none() => Ok(ColumnSpec::Value { value }),
            (None, Some(_)) => Err(de::Error::custom("`unit` and `first` go with `column`, not with `value`")),
            (Some(_), Some(_)) => Err(de::Error::custom("`column` and `value` exclude each other; keep one of them")),
            (None, None) => Err(de::Error::custom("`column` or `value` is needed")),
        }
    }
}

/// A constant, which may be written as a text, a number or a truth value.
struct Constant(String);

impl<'de> Deserialize<'de> for Constant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "`value` is a text, a whole number, or true or false")]
        enum Scalar {
            Text(String),
            Integer(i64),
            Truth(bool),
        }
        Ok(Self(match Scalar::deserialize(deserializer)? {
            Scalar::Text(text) => text,
            Scalar::Integer(number) => number.to_string(),
            Scalar::Truth(truth) => truth.to_string(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of a study.
    #[derive(Deserialize)]
    struct Tables {
        log: LogSpec,
        #[serde(default)]
        columns: BTreeMap<String, ColumnSpec>,
    }

    fn spec(toml: &str) -> Result<LogSpec, String> {
        let tables: Tables = toml::from_str(toml).map_err(|error| error.message().to_owned())?;
        Ok(LogSpec { columns: tables.columns, ..tables.log })
    }

    #[test]
    fn a_column_is_a_name_a_table_or_a_constant() {
        let spec = spec(
            "log.files = ['a.csv']\n[columns]\nparticipant = 'subject'\nrt = { column = 'rt_ms', unit = 'µs' }\nsession = { value = 2 }",
        )
        .unwrap();
        assert_eq!(spec.columns["participant"], ColumnSpec::column("subject"));
        assert_eq!(spec.columns["rt"], ColumnSpec::with_unit("rt_ms", Unit::Microseconds));
        assert_eq!(spec.columns["session"], ColumnSpec::Value { value: "2".to_owned() });
        assert!(["", "NA", "n/a", "None", "nan", "."].iter().all(|word| spec.null_values().contains(word)));
        let again: BTreeMap<String, ColumnSpec> = toml::from_str(&toml::to_string(&spec.columns).unwrap()).unwrap();
        assert_eq!(again, spec.columns);
    }

    #[test]
    fn what_a_column_cannot_be_is_said() {
        let message = |column: &str| spec(&format!("log.files = ['a']\ncolumns.rt = {column}")).unwrap_err();
        assert!(message("{ column = 'rt', unit = 'sec' }").contains("unknown unit \"sec\"; units are s, ms, us"));
        assert!(message("{ colum = 'rt' }").contains("unknown field `colum`, expected one of `column`"));
        assert!(message("{ unit = 's' }").contains("`column` or `value` is needed"));
        assert!(message("3").contains("the name of a column"));
    }

    #[test]
    fn checks_before_a_file_is_opened() {
        let check = |columns: &str| {
            spec(&format!("log.files = ['a']\n{columns}")).unwrap().check().map_err(|error| error.to_string())
        };
        assert!(check("columns.partcipant = 'x'").unwrap_err().contains("did you mean \"participant\"?"));
        assert!(check("columns.rt = { column = 'x', unit = 'epoch_s' }").unwrap_err().contains("rt is a duration"));
        assert!(check("columns.level = { column = 'x', unit = 'ms' }").unwrap_err().contains("only onset and rt"));
        assert!(check("columns.rt = 'x'\ncolumns.rt_s = 'y'").unwrap_err().contains("mean the same column"));
        assert!(check("log.events.Drop = 'mvoe'").unwrap_err().contains("did you mean \"move\"?"));
        assert!(check("columns.onset = { column = 'x', unit = 'iso8601' }").is_ok());
    }
}
