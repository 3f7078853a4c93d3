//! The log as an event log of process mining: XES, the eXtensible Event Stream (IEEE 1849-2016).

use plymap_log::{Clock, ColumnSpec};
use plymap_measures::label::LabelledAttempt;
use plymap_puzzles::progress::Progress;
use plymap_run::continues;
use plymap_run::study::Study;
use plymap_tables::{Cell, Cells, FileError};
use std::path::Path;

use jiff::Timestamp;

use super::attempts::Attempts;
use super::error::ExportError;
use super::xml::Xml;

/// The extensions whose attributes are written, with the prefixes of these.
const EXTENSIONS: [(&str, &str); 3] = [("Concept", "concept"), ("Time", "time"), ("Organizational", "org")];

/// Columns that say the same of all events of a trace, and stand with the trace.
const OF_TRACE: [&str; 4] = ["participant", "session", "level", "attempt"];

pub(super) fn write(attempts: &Attempts, path: &Path, progress: &dyn Progress) -> Result<(), ExportError> {
    let mut xml = Xml::create(path)?;
    let standard = "http://www.xes-standard.org/";
    xml.open("log", &[("xes.version", "1849-2016"), ("xes.features", ""), ("xmlns", standard)])?;
    for (name, prefix) in EXTENSIONS {
        let uri = format!("{standard}{prefix}.xesext");
        xml.empty("extension", &[("name", name), ("prefix", prefix), ("uri", &uri)])?;
    }
    global(&mut xml, "trace", &["concept:name", "participant", "session", "level"])?;
    global(&mut xml, "event", &["concept:name", "org:resource", "event"])?;
    for (name, key) in [("Action", "concept:name"), ("Kind of event", "event")] {
        xml.empty("classifier", &[("name", name), ("scope", "event"), ("keys", key)])?;
    }
    string(&mut xml, "concept:name", &attempts.study.study.name)?;
    string(&mut xml, "time_zero", time_zero(attempts.study))?;
    let cells = Cells::of_table(&attempts.moves)?;
    let names = attempts.moves.columns.iter().map(|column| column.name.as_str());
    let events = Events { columns: names.zip(&cells).collect() };
    progress.begin("writing attempts", Some(attempts.chosen.len() as u64));
    for attempt in &attempts.chosen {
        events.trace(&mut xml, attempt)?;
        progress.advance(1);
        continues(progress)?;
    }
    progress.end();
    xml.close("log")?;
    Ok(xml.finish()?)
}

/// Returns a sentence on the meaning of the timestamps of events, for a log of this study.
fn time_zero(study: &Study) -> &'static str {
    let spec = study.log_spec().and_then(|spec| spec.with_preset().ok()).unwrap_or_default();
    if let Some(ColumnSpec::Column { unit: Some(unit), .. }) =
        spec.columns.get("onset").or_else(|| spec.usual_columns.get("onset"))
        && unit.is_instant()
    {
        return "time:timestamp is a time of the calendar";
    }
    match spec.clock.unwrap_or_default() {
        Clock::Running => {
            "time:timestamp is no time of the calendar: 1970-01-01T00:00:00Z stands for the zero of the log, or for the \
             beginning of the attempt where time_source is \"onset from rt\""
        }
        Clock::Trial => {
            "time:timestamp is no time of the calendar: 1970-01-01T00:00:00Z stands for the beginning of the trial, or of \
             the attempt where time_source is \"onset from rt\""
        }
        Clock::Attempt => {
            "time:timestamp is no time of the calendar: 1970-01-01T00:00:00Z stands for the beginning of the attempt"
        }
    }
}

/// The columns of the table `moves`, by name.
struct Events<'a> {
    columns: Vec<(&'a str, &'a Cells)>,
}

impl Events<'_> {
    fn get(&self, name: &str, row: usize) -> Cell<'_> {
        let column = self.columns.iter().find(|(key, _)| *key == name);
        column.map_or(Cell::Missing, |(_, cells)| cells.get(row))
    }

    fn trace(&self, xml: &mut Xml, attempt: &LabelledAttempt) -> Result<(), FileError> {
        let LabelledAttempt { participant, session, level, attempt: number, rows, .. } = attempt;
        xml.open("trace", &[])?;
        string(xml, "concept:name", &format!("{participant} / {session} / {level} / {number}"))?;
        for (key, value) in [("participant", participant), ("session", session), ("level", level)] {
            string(xml, key, value)?;
        }
        value(xml, "attempt", Cell::Integer(*number))?;
        for row in rows.clone() {
            self.event(xml, participant, row)?;
        }
        xml.close("trace")
    }

    fn event(&self, xml: &mut Xml, participant: &str, row: usize) -> Result<(), FileError> {
        xml.open("event", &[])?;
        let name = match self.get("action", row) {
            Cell::Missing | Cell::Text("") => self.get("event", row),
            action => action,
        };
        string(xml, "concept:name", &name.to_string())?;
        if let Some(time) = self.get("onset_s", row).number().and_then(timestamp) {
            xml.empty("date", &[("key", "time:timestamp"), ("value", &time.to_string())])?;
        }
        string(xml, "org:resource", participant)?;
        for (name, cells) in self.columns.iter().filter(|(name, _)| !OF_TRACE.contains(name)) {
            // A column of the log with the name of an attribute stays beside it.
            let is_taken = EXTENSIONS.iter().any(|(_, prefix)| name.split(':').next() == Some(prefix));
            let key = if is_taken { format!("log_{name}") } else { (*name).to_owned() };
            value(xml, &key, cells.get(row))?;
        }
        xml.close("event")
    }
}

/// The moment so many seconds after 1970-01-01T00:00:00Z, to the microsecond; absent beyond the calendar.
fn timestamp(seconds: f64) -> Option<Timestamp> {
    Timestamp::from_microsecond((seconds * 1e6).round() as i64).ok()
}

/// Attributes that all traces or events have.
fn global(xml: &mut Xml, scope: &str, keys: &[&str]) -> Result<(), FileError> {
    xml.open("global", &[("scope", scope)])?;
    for key in keys {
        string(xml, key, "")?;
    }
    xml.close("global")
}

fn string(xml: &mut Xml, key: &str, value: &str) -> Result<(), FileError> {
    xml.empty("string", &[("key", key), ("value", value)])
}

/// A value under its type; nothing where it is missing.
fn value(xml: &mut Xml, key: &str, cell: Cell) -> Result<(), FileError> {
    let (element, text) = match cell {
        Cell::Missing => return Ok(()),
        Cell::Boolean(_) => ("boolean", cell.to_string()),
        // An integer of XES has 64 bits, one of them for the sign.
        Cell::Unsigned(value) if i64::try_from(value).is_err() => ("string", cell.to_string()),
        Cell::Integer(_) | Cell::Unsigned(_) => ("int", cell.to_string()),
        // XML writes infinity in capitals.
        Cell::Single(_) | Cell::Number(_) => ("float", cell.to_string().replace("inf", "INF")),
        Cell::Text(_) => ("string", cell.to_string()),
    };
    xml.empty(element, &[("key", key), ("value", &text)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_moments() {
        let moment = |seconds: f64| timestamp(seconds).map(|moment| moment.to_string());
        assert_eq!(moment(0.0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(moment(2.366).as_deref(), Some("1970-01-01T00:00:02.366Z"));
        assert_eq!(moment(1_767_268_800.25).as_deref(), Some("2026-01-01T12:00:00.25Z"));
        assert_eq!(moment(1e15), None);
    }
}
