//! The rows of the canonical log, in its order: numbers and codes of texts, of which tables are made, whole or piece by
//! piece.

use super::entry::{Entry, EntryGroup, FileRow};
use super::event::Event;
use super::order::{Derived, TimeSource};
use super::reject::{Consequence, LogDiagnostic};
use super::texts::{Names, Texts};
use super::time::Time;
use plymap_tables::coded_texts;
use polars::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// The rows of a log, sorted by participant, session, level (as text, byte by byte), attempt and move index; rows
/// without an index stay behind the row that they follow in their file.
#[derive(Clone, Debug)]
pub struct CanonicalRows {
    /// Entries, in the order of the files.
    pub(super) entries: Vec<Entry>,
    /// Numbers of the entries in the canonical log, in its order.
    pub(super) order: Vec<u32>,
    pub(super) names: Names,
    pub(super) groups: Vec<EntryGroup>,
    /// Columns of [`Role::TEXTS`](super::Role::TEXTS).
    pub(super) texts: [Texts; 4],
    /// Other columns of the files, and their names.
    pub(super) extras: Vec<(String, Texts)>,
    pub(super) file_names: Arc<[String]>,
    pub(super) derived: Derived,
}

/// One row of the canonical log.
#[derive(Clone, Copy, Debug)]
pub struct CanonicalRow<'a> {
    rows: &'a CanonicalRows,
    entry: &'a Entry,
    /// Its number among [`CanonicalRows::entries`].
    number: usize,
}

impl CanonicalRows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// `true` if there is none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The row of this number.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub fn at(&self, row: usize) -> CanonicalRow<'_> {
        let number = self.order[row] as usize;
        CanonicalRow { rows: self, entry: &self.entries[number], number }
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = CanonicalRow<'_>> {
        (0..self.len()).map(|row| self.at(row))
    }

    /// The names of the files, by number.
    pub fn file_names(&self) -> &[String] {
        &self.file_names
    }

    /// The number of a column of the files that is kept as it is.
    pub fn extra(&self, name: &str) -> Option<usize> {
        self.extras.iter().position(|(known, _)| known == name)
    }

    /// Runs of rows of the same attempt.
    pub(crate) fn attempts(&self, rows: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut start = rows.start;
        std::iter::from_fn(move || {
            let begin = (start < rows.end).then_some(start)?;
            let place = self.at(begin).place();
            start = (begin + 1..rows.end).find(|&row| self.at(row).place() != place).unwrap_or(rows.end);
            Some(begin..start)
        })
    }

    /// All rows in pieces of whole attempts, of so many rows where the attempts allow it.
    pub fn pieces(&self, n_rows: usize) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut start = 0;
        while start < self.len() {
            let mut end = (start + n_rows.max(1)).min(self.len());
            while end < self.len() && self.at(end).place() == self.at(end - 1).place() {
                end += 1;
            }
            pieces.push(start..end);
            start = end;
        }
        pieces
    }

    /// The canonical log as a table; see [the module](super).
    pub fn table(&self) -> DataFrame {
        self.table_of(|| self.iter().map(|row| (row, row.event(), row.rt_s())))
    }

    /// The same of some of its rows, with what is now known of their events and times.
    pub fn table_of<'a, I>(&'a self, played: impl Fn() -> I) -> DataFrame
    where
        I: Iterator<Item = (CanonicalRow<'a>, Event, Option<f64>)>,
    {
        let rows = || played().map(|(row, ..)| row);
        let group_text = |name: &str, part: fn(&EntryGroup) -> u32| {
            coded_texts(name, |text| self.names.text(text), rows().map(|row| Some(part(row.group()))))
        };
        let kept = |name: &str, texts: &Texts| {
            coded_texts(name, |text| texts.text(text), rows().map(|row| texts.code(row.number)))
        };
        let [action, state_before, state_after, condition] = &self.texts;
        let mut columns = vec![
            group_text("participant", |group| group.participant),
            group_text("session", |group| group.session),
            group_text("level", |group| group.level),
            Int64Chunked::from_iter_values("attempt".into(), rows().map(CanonicalRow::attempt)).into_column(),
            Int64Chunked::from_iter_options("move_index".into(), rows().map(|row| row.entry.index())).into_column(),
            coded_texts(
                "event",
                |event| Event::NAMES[event as usize],
                played().map(|(_, event, _)| Some(event as u32)),
            ),
            kept("action", action),
            kept("state_before", state_before),
            kept("state_after", state_after),
            Float64Chunked::from_iter_options("onset_s".into(), rows().map(CanonicalRow::onset_s)).into_column(),
            Float64Chunked::from_iter_options("rt_s".into(), played().map(|(.., rt_s)| rt_s)).into_column(),
            coded_texts(
                "time_source",
                |source| TimeSource::NAMES[source as usize],
                rows().map(|row| Some(row.time_source()? as u32)),
            ),
            kept("condition", condition),
        ];
        columns.extend(self.extras.iter().map(|(name, texts)| kept(name, texts)));
        columns.push(coded_texts(
            "source_file",
            |file| &self.file_names[file as usize],
            rows().map(|row| Some(row.file() as u32)),
        ));
        columns.push(UInt64Chunked::from_iter_values("source_row".into(), rows().map(|row| row.line())).into_column());
        DataFrame::new_infer_height(columns).expect("a value for each row; extra columns have names of their own")
    }
}

impl<'a> CanonicalRow<'a> {
    /// Key of its attempt among all of the log.
    pub fn place(self) -> (u32, i64) {
        (self.entry.group, self.entry.attempt)
    }

    fn group(self) -> &'a EntryGroup {
        &self.rows.groups[self.entry.group as usize]
    }

    fn text(self, role: usize) -> Option<&'a str> {
        let texts = &self.rows.texts[role];
        Some(texts.text(texts.code(self.number)?))
    }

    /// Participant.
    pub fn participant(self) -> &'a str {
        self.rows.names.text(self.group().participant)
    }

    /// Session.
    pub fn session(self) -> &'a str {
        self.rows.names.text(self.group().session)
    }

    /// At which level.
    pub fn level(self) -> &'a str {
        self.rows.names.text(self.group().level)
    }

    /// Attempt.
    pub fn attempt(self) -> i64 {
        self.entry.attempt
    }

    /// Event of the row.
    pub fn event(self) -> Event {
        self.entry.event
    }

    /// The action, as it was logged.
    pub fn action(self) -> Option<&'a str> {
        self.text(0)
    }

    /// The number of the text of its action, the same in all rows that have it.
    pub(super) fn action_code(self) -> Option<u32> {
        self.rows.texts[0].code(self.number)
    }

    /// The recorded position before it.
    pub fn state_before(self) -> Option<&'a str> {
        self.text(1)
    }

    /// The recorded position after it.
    pub fn state_after(self) -> Option<&'a str> {
        self.text(2)
    }

    /// The experimental condition.
    pub fn condition(self) -> Option<&'a str> {
        self.text(3)
    }

    /// Cell in the column of this number that is kept as it is.
    pub fn extra(self, column: usize) -> Option<&'a str> {
        let (_, texts) = self.rows.extras.get(column)?;
        Some(texts.text(texts.code(self.number)?))
    }

    /// Onset in seconds since the zero of the log.
    pub fn onset_s(self) -> Option<f64> {
        self.entry.onset.map(Time::seconds)
    }

    /// Seconds since what happened before it in the attempt.
    pub fn rt_s(self) -> Option<f64> {
        self.entry.rt.map(Time::seconds)
    }

    /// Source of its times.
    pub fn time_source(self) -> Option<TimeSource> {
        self.rows.derived.time_source(self.entry)
    }

    /// Diagnostic of the row, but for the words.
    pub fn diagnostic(self, consequence: Consequence) -> LogDiagnostic {
        LogDiagnostic {
            code: "".into(),
            consequence,
            file: self.file_name().to_owned(),
            row: self.line(),
            column: String::new(),
            value: String::new(),
            rule: String::new(),
            fix: String::new(),
            participant: Some(self.participant().to_owned()),
            session: Some(self.session().to_owned()),
            level: Some(self.level().to_owned()),
            attempt: Some(self.attempt()),
        }
    }

    /// Place.
    pub fn file_row(self) -> FileRow {
        self.entry.at
    }

    /// The number of its file.
    pub fn file(self) -> usize {
        self.entry.at.file()
    }

    /// The name of its file.
    pub fn file_name(self) -> &'a str {
        &self.rows.file_names[self.file()]
    }

    /// The line of its file, or row of a Parquet file, from 1.
    pub fn line(self) -> u64 {
        self.entry.at.row()
    }
}
