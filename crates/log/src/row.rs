//! One row of a log: what it says, and whether it can be used.

use super::columns::{Mapping, Origin};
use super::event::Event;
use super::file_settings::Unit;
use super::raw::{RawRow, RowDiagnostic};
use super::role::Role;
use super::spec::{IGNORE, LogSpec};
use super::time::{Time, TimeError, TimeStyle, has_offset, is_instant, parse_time};
use plymap_expression::NumberStyle;
use plymap_tables::did_you_mean::nearest;
use std::collections::{BTreeMap, HashSet};

/// Values of a row. Everything that could be read is there even if the row is rejected.
pub(super) struct Reading<'a> {
    pub participant: Option<&'a str>,
    pub session: Option<&'a str>,
    pub level: Option<&'a str>,
    pub attempt: Option<i64>,
    pub index: Option<i64>,
    pub event: Event,
    pub action: Option<&'a str>,
    pub state_before: Option<&'a str>,
    pub state_after: Option<&'a str>,
    pub condition: Option<&'a str>,
    pub onset: Option<Time>,
    pub rt: Option<Time>,
    /// `true` if the study leaves out rows such as this.
    pub is_ignored: bool,
    /// `true` if the column of sessions says nothing.
    pub without_session: bool,
    /// `true` if the onset is a date and time without an offset from UTC.
    pub without_zone: bool,
    /// The first rule that the row breaks, if it breaks any.
    pub rejected: Option<Box<RowDiagnostic>>,
    /// Times that are missing because they could not be read.
    pub lost_times: Vec<RowDiagnostic>,
    /// Diagnostics that leave the row in use.
    pub notices: Vec<RowDiagnostic>,
}

/// Reads the cells of rows.
pub(super) struct Checker<'a> {
    mapping: &'a Mapping,
    nulls: Nulls<'a>,
    /// `true` if a constant of the study has a NUL byte.
    is_damaged: bool,
    events: &'a BTreeMap<String, String>,
    style: TimeStyle,
}

impl<'a> Checker<'a> {
    pub(super) fn new(spec: &'a LogSpec, mapping: &'a Mapping) -> Self {
        let nulls = Nulls::new(spec.null_values());
        let constant = |role| match &mapping.bound(role)?.origin {
            Origin::Constant(value) => Some(value.contains('\0')),
            Origin::Column(_) | Origin::FirstOf(_) => None,
        };
        let is_damaged = Role::ALL.into_iter().filter_map(constant).any(|is_damaged| is_damaged);
        Self { mapping, nulls, is_damaged, events: &spec.events, style: TimeStyle::new(spec) }
    }

    /// Places of the columns of the mapping among those of a file.
    pub(super) fn positions(&self, columns: &[String]) -> Vec<Option<usize>> {
        self.mapping.positions(columns)
    }

    /// Values of a row of a file whose columns lie at `positions`.
    pub(super) fn read<'r>(&'r self, raw: &'r RawRow<'_>, positions: &'r [Option<usize>]) -> Reading<'r> {
        // A NUL byte is what a crash leaves in a file, and never what a program writes.
        let damaged = nul_byte(raw);
        let cells = Cells { checker: self, raw, positions, is_damaged: self.is_damaged || damaged.is_some() };
        let action = cells.name(Role::Action);
        // A value in the column of actions that the study translates into an event, such as `RESET` among moves.
        let in_action = action.and_then(|action| self.events.get(action)).map(String::as_str);
        let event_name = in_action.or_else(|| {
            let name = cells.name(Role::Event)?;
            Some(self.events.get(name).map_or(name, String::as_str))
        });
        let mut reading = Reading {
            participant: cells.name(Role::Participant),
            session: cells.name(Role::Session),
            level: cells.name(Role::Level),
            attempt: None,
            index: None,
            event: Event::Move,
            action: action.filter(|_| in_action.is_none()),
            state_before: cells.text(Role::StateBefore),
            state_after: cells.text(Role::StateAfter),
            condition: cells.name(Role::Condition),
            onset: None,
            rt: None,
            is_ignored: false,
            without_zone: false,
            without_session: false,
            rejected: raw.fault.clone().or(damaged.map(Box::new)),
            lost_times: Vec::new(),
            notices: raw.notices.to_vec(),
        };
        if reading.rejected.is_none() && event_name.is_some_and(is_beside_play) {
            reading.is_ignored = true;
            return reading;
        }
        self.read_keys(&cells, &mut reading);
        self.read_event(&cells, event_name, &mut reading);
        self.read_index(&cells, &mut reading);
        self.read_times(&cells, &mut reading);
        reading
    }

    /// A cell of a column that is kept as it is.
    pub(super) fn extra<'r>(&self, raw: &RawRow<'r>, place: Option<usize>) -> Option<&'r str> {
        self.present(raw.cells.get(place?).copied()??)
    }

    fn present<'r>(&self, text: &'r str) -> Option<&'r str> {
        (!self.nulls.has(text)).then_some(text)
    }

    fn read_keys(&self, cells: &Cells<'_, '_>, reading: &mut Reading<'_>) {
        for (role, code, value) in [
            (Role::Participant, "missing-participant", reading.participant),
            (Role::Level, "missing-level", reading.level),
        ] {
            if value.is_none() {
                let rule = format!("the row does not say its {}", role.name());
                reading.reject(|| cells.diagnostic(role, code, rule, "fill in the cell, or delete the row"));
            }
        }
        if reading.session.is_none() {
            reading.without_session = self.mapping.bound(Role::Session).is_some();
            // Most logs have one session and no column for it.
            reading.session = Some("1");
        }
        if self.mapping.bound(Role::Attempt).is_none() {
            return;
        }
        match cells.name(Role::Attempt).map(|text| parse_whole(text, &self.style.numbers)) {
            Some(Some(attempt)) => reading.attempt = Some(attempt),
            Some(None) => reading.reject(|| {
                cells.diagnostic(
                    Role::Attempt,
                    "bad-attempt",
                    "an attempt is a whole number",
                    "number the attempts of each level",
                )
            }),
            None => reading.reject(|| {
                let fix = "fill in the cell, or leave attempts to be found from resets by naming no such column";
                cells.diagnostic(Role::Attempt, "missing-attempt", "the row does not say its attempt", fix)
            }),
        }
    }

    /// `name` is what the row says of its event, translated.
    fn read_event(&self, cells: &Cells<'_, '_>, name: Option<&str>, reading: &mut Reading<'_>) {
        if let Some(name) = name {
            match Event::from_name(name) {
                Some(event) => reading.event = event,
                None => reading.reject(|| {
                    let text = cells.name(Role::Event).unwrap_or(name);
                    let rule = format!("this is no event; events are {}", Event::NAMES.join(", "));
                    // Without a likely meaning none is suggested: what is called a move becomes one.
                    let fix = match nearest(text, Event::NAMES.into_iter()) {
                        Some(near) => format!(
                            "translate it in [log.events], as in {text:?} = {near:?}, or = {IGNORE:?} to leave such rows out"
                        ),
                        None => format!(
                            "say in [log.events] what it means: {text:?} = \"move\" if it is a move, or = {IGNORE:?} to \
                             leave such rows out"
                        ),
                    };
                    cells.diagnostic(Role::Event, "unknown-event", rule, fix)
                }),
            }
        }
        let needs_before = self.mapping.bound(Role::StateBefore).is_some();
        let has_states = reading.state_after.is_some() && (reading.state_before.is_some() || !needs_before);
        if reading.event == Event::Move && reading.action.is_none() && !has_states {
            reading.reject(|| {
                let rule = "a move needs its action, or the position after it and, where the log has such a column, that before it";
                let fix = "fill in the cell; for rows that are no moves, say so in an event column";
                cells.diagnostic(Role::Action, "missing-action", rule, fix)
            });
        }
    }

    fn read_index(&self, cells: &Cells<'_, '_>, reading: &mut Reading<'_>) {
        let Some(bound) = self.mapping.bound(Role::MoveIndex) else { return };
        let fix = "number the moves of each attempt, or leave out the column to number them as they stand in the file";
        let Some(text) = cells.name(Role::MoveIndex) else {
            if reading.event.is_play() {
                let rule = "the move has no number and stays behind the row before it";
                reading.notices.push(cells.diagnostic(Role::MoveIndex, "missing-move-index", rule, fix));
            }
            return;
        };
        match parse_whole(text, &self.style.numbers).and_then(|number| number.checked_sub(bound.first)) {
            Some(index) if index >= 0 => reading.index = Some(index),
            _ => reading.reject(|| {
                let rule = format!("a move index is a whole number from {}", bound.first);
                cells.diagnostic(Role::MoveIndex, "bad-move-index", rule, fix)
            }),
        }
    }

    fn read_times(&self, cells: &Cells<'_, '_>, reading: &mut Reading<'_>) {
        for role in [Role::Onset, Role::Rt] {
            let (Some(bound), Some(text)) = (self.mapping.bound(role), cells.name(role)) else { continue };
            let time = match parse_time(text, bound.unit, &self.style) {
                Ok(time) => Some(time),
                Err(TimeError::Negative) => {
                    let fix = "find out how the clock could run backwards; leave the cell empty if the time is lost";
                    reading.lost_times.push(cells.diagnostic(role, "negative-time", "a time cannot be negative", fix));
                    None
                }
                Err(TimeError::Unreadable(expected)) => {
                    let rule = format!("this is not {expected}");
                    let fix = time_fix(role, text, bound.unit, self.style.numbers);
                    // A move without its time is still a move: only the time is lost.
                    reading.lost_times.push(cells.diagnostic(role, "bad-time", rule, fix));
                    None
                }
            };
            if role == Role::Rt {
                reading.rt = time;
            } else {
                reading.without_zone =
                    bound.unit == Unit::Iso8601 && self.style.zone.is_none() && time.is_some() && !has_offset(text);
                reading.onset = time;
            }
        }
    }
}

fn is_beside_play(name: &str) -> bool {
    name == IGNORE || Event::BESIDE_PLAY.contains(&name)
}

impl<'r> Reading<'r> {
    /// Its texts, in the order of [`Role::TEXTS`].
    pub(super) fn texts(&self) -> [Option<&'r str>; 4] {
        [self.action, self.state_before, self.state_after, self.condition]
    }

    /// Participant, session and level, where these and the attempt are beyond doubt.
    pub(super) fn group(&self, mapping: &Mapping) -> Option<[&'r str; 3]> {
        let is_placed = self.attempt.is_some() || mapping.bound(Role::Attempt).is_none();
        let is_trusted = self.rejected.as_ref().is_none_or(|diagnostic| !diagnostic.breaks_cells());
        Some([self.participant?, self.session?, self.level?]).filter(|_| is_trusted && is_placed)
    }

    /// Keeps the first reason only, so that each rejected row has one diagnostic.
    fn reject(&mut self, diagnostic: impl FnOnce() -> RowDiagnostic) {
        if self.rejected.is_none() {
            self.rejected = Some(diagnostic().into());
        }
    }
}

/// The cells of one row, by what they mean.
struct Cells<'r, 'c> {
    checker: &'r Checker<'r>,
    raw: &'r RawRow<'c>,
    positions: &'r [Option<usize>],
    /// `true` if it has a NUL byte.
    is_damaged: bool,
}

impl<'r, 'c> Cells<'r, 'c>
where
    'c: 'r,
{
    fn written(&self, role: Role) -> Option<&'r str> {
        match &self.checker.mapping.bound(role)?.origin {
            Origin::Constant(value) => Some(value),
            Origin::Column(place) => self.raw.cells.get(self.positions[*place]?).copied().flatten(),
            Origin::FirstOf(places) => {
                let place = places.iter().find_map(|&place| self.positions[place])?;
                self.raw.cells.get(place).copied().flatten()
            }
        }
    }

    /// The cell as it is written, unless it stands for a missing value.
    fn text(&self, role: Role) -> Option<&'r str> {
        self.checker.present(self.written(role)?)
    }

    /// The cell without blanks around it: `P1` and `P1 ` are the same participant.
    fn name(&self, role: Role) -> Option<&'r str> {
        // A damaged name is none, lest its row stands for somebody of its own.
        self.checker.present(trimmed(self.written(role)?)).filter(|name| !self.is_damaged || !name.contains('\0'))
    }

    fn diagnostic(
        &self,
        role: Role,
        code: &'static str,
        rule: impl Into<String>,
        fix: impl Into<String>,
    ) -> RowDiagnostic {
        RowDiagnostic::new(
            code,
            self.checker.mapping.source_name(role),
            self.written(role).unwrap_or_default(),
            rule,
            fix,
        )
    }
}

/// Texts that stand for a missing value, as the empty one does.
struct Nulls<'a> {
    texts: HashSet<&'a str, foldhash::fast::RandomState>,
    /// Bytes with which one of them begins: hardly any cell does.
    begins: [bool; 256],
}

impl<'a> Nulls<'a> {
    fn new(texts: Vec<&'a str>) -> Self {
        let mut begins = [false; 256];
        texts.iter().filter_map(|text| text.bytes().next()).for_each(|first| begins[usize::from(first)] = true);
        Self { texts: texts.into_iter().collect(), begins }
    }

    fn has(&self, text: &str) -> bool {
        let Some(first) = text.bytes().next() else { return true };
        // Every cell of a log passes here: one byte decides for nearly all.
        self.begins[usize::from(first)] && self.texts.contains(text)
    }
}

/// A text without blanks around it. Hardly any has some, and those of ASCII are seen at once.
fn trimmed(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// Remedy for a text that is no time in `unit`, as far as its looks tell.
fn time_fix(role: Role, text: &str, unit: Unit, numbers: NumberStyle) -> &'static str {
    let has_comma = text.split_once(',').is_some_and(|(whole, rest)| is_digits(whole) && is_digits(rest));
    let NumberStyle { decimal_comma, thousands } = numbers;
    let has_groups = |mark| NumberStyle { thousands: Some(mark), ..numbers }.number(text).is_some();
    let marks = text.bytes().filter(|byte| b"-/.:".contains(byte)).count();
    let is_date = marks >= 2 && text.bytes().filter(u8::is_ascii_digit).count() >= 4;
    match role {
        _ if has_comma && !decimal_comma && thousands.is_none() && has_groups(',') && unit != Unit::Iso8601 => {
            "the comma is a decimal one or stands between thousands: set decimal_comma = true or thousands = \",\" in [log]"
        }
        _ if has_comma && !decimal_comma && unit != Unit::Iso8601 => {
            "the number has a decimal comma: set decimal_comma = true in [log]"
        }
        _ if text.contains('.') && decimal_comma && thousands.is_none() && has_groups('.') && unit != Unit::Iso8601 => {
            "if the point stands between thousands, set thousands = \".\" in [log]; if it is the decimal one, leave \
             out decimal_comma"
        }
        _ if text.contains('.') && !is_date && decimal_comma && unit != Unit::Iso8601 => {
            "with decimal_comma = true numbers have no point: leave it out of [log] if the point is the decimal one"
        }
        Role::Rt if is_date => "rt is a duration: name a column of dates and times as onset in [columns]",
        _ if is_instant(text) => "it is a date with a time: say unit = \"iso8601\" with the column in [columns]",
        _ if is_date => {
            "write dates with their time, year first, as in 2026-03-01T10:00:00.250, and say unit = \"iso8601\" with \
             the column in [columns]"
        }
        _ => {
            "give the unit of the column in [columns]; name texts that mean a missing value in null_values; set \
             decimal_comma for numbers such as 2,5"
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A whole number, also written `3.0` as programs do whose column has missing values.
fn parse_whole(text: &str, numbers: &NumberStyle) -> Option<i64> {
    text.parse().ok().or_else(|| {
        let number = numbers.number(text)?;
        (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
    })
}

fn nul_byte(raw: &RawRow<'_>) -> Option<RowDiagnostic> {
    // Cells are short: to go through them costs less than to call what searches long texts.
    let cell = raw.cells.iter().flatten().find(has_nul)?;
    Some(RowDiagnostic::new(
        "nul-byte",
        "",
        cell,
        "the row has a NUL byte",
        "restore the file; it was damaged where it was written or copied",
    ))
}

fn has_nul(text: &&&str) -> bool {
    text.bytes().fold(false, |has_any, byte| has_any | (byte == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_do_about_a_time_follows_from_its_looks() {
        let [point, comma] = [false, true].map(|decimal_comma| NumberStyle { decimal_comma, thousands: None });
        let fix = |text| time_fix(Role::Onset, text, Unit::Seconds, point);
        assert!(fix("1,87").contains("decimal_comma = true"));
        assert!(fix("1,873").contains("thousands = \",\""));
        assert!(time_fix(Role::Rt, "1.250", Unit::Milliseconds, comma).contains("thousands = \".\""));
        assert!(fix("2026-03-01T10:00:00").contains("unit = \"iso8601\""));
        assert!(fix("01.02.2026 13:00:00").contains("year first"));
        assert!(fix("fast").contains("null_values"));
        assert!(time_fix(Role::Rt, "2026-03-01T10:00:00", Unit::Seconds, point).contains("as onset"));
        assert!(time_fix(Role::Rt, "1250.5", Unit::Seconds, comma).contains("leave it out"));
        assert!(time_fix(Role::Onset, "01.02.2026 13:00:00", Unit::Iso8601, point).contains("year first"));
    }

    #[test]
    fn whole_numbers_may_have_a_zero_fraction() {
        let read = |numbers| ["3", "3.0", "3.5", "x", "1,000"].map(|text| parse_whole(text, &numbers));
        assert_eq!(read(NumberStyle::default()), [Some(3), Some(3), None, None, None]);
        let thousands = NumberStyle { decimal_comma: false, thousands: Some(',') };
        assert_eq!(read(thousands), [Some(3), Some(3), None, None, Some(1000)]);
    }

    /// `none` is what people call a condition without feedback, and no word for a missing value: whatever steps there
    /// are.
    #[test]
    fn none_is_a_condition() {
        let folder = tempfile::TempDir::new().unwrap();
        let rows = "participant,level,action,condition,note\np,1,A+1,none,none\np,1,A+1,None,NA\n";
        std::fs::write(folder.path().join("log.csv"), rows).unwrap();
        for entries in ["", "steps = [{ set = { twice = 'concat(note, note)' } }]", "entities = { sub = 'p' }"] {
            let spec: LogSpec = toml::from_str(&format!("files = ['log.csv']\n{entries}")).unwrap();
            let spec = LogSpec { folder: folder.path().to_owned(), ..spec };
            let log = super::super::read_log(&spec, &plymap_puzzles::progress::Silent).unwrap();
            let conditions: Vec<_> = (0..2).map(|row| log.rows.at(row).condition()).collect();
            assert_eq!(conditions, [Some("none"), None], "{entries}");
        }
    }
}
