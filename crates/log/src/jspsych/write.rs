//! Files that an import writes: the log, the levels, a study, and the account of every raw row.

use super::imported::{Imported, ImportedLevel, Micros, RowOutcome};
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

/// Columns of `log.csv`: those of the canonical log first.
const LOG_COLUMNS: [&str; 23] = [
    "participant",
    "session",
    "level",
    "attempt",
    "move_index",
    "event",
    "action",
    "state_before",
    "state_after",
    "onset_s",
    "rt_s",
    "condition",
    "problem",
    "problem_number",
    "pick_s",
    "drop_s",
    "n_put_backs",
    "put_back_s",
    "recorded_number",
    "recorded_min_moves",
    "raw_file",
    "raw_pick_row",
    "raw_row",
];

impl fmt::Display for Micros {
    /// In seconds, without zeros at the end.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let micros = self.0.unsigned_abs();
        let text = format!("{sign}{}.{:06}", micros / 1_000_000, micros % 1_000_000);
        formatter.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A cell; empty where the value is missing.
fn cell(value: Option<impl fmt::Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

impl Imported {
    /// The canonical log as CSV.
    pub fn log_csv(&self) -> String {
        let rows = self.log.iter().map(|row| {
            let (played, rest) = (row.played.as_ref(), row.rest.as_ref());
            let text = |cell_of: fn(&super::PlayedMove) -> String| played.map_or_else(String::new, cell_of);
            let time = |cell_of: fn(&super::PlayedMove) -> Option<Micros>,
                        of_rest: fn(&super::Rest) -> Option<Micros>| {
                cell(played.and_then(cell_of).or(rest.and_then(of_rest)))
            };
            let n_put_backs = played.map(|played| played.n_put_backs).or(rest.map(|rest| rest.n_put_backs));
            vec![
                row.participant.clone(),
                row.session.to_string(),
                row.level.clone(),
                row.attempt.to_string(),
                text(|played| played.index.to_string()),
                row.event.name().to_owned(),
                text(|played| played.action.clone()),
                text(|played| played.before.clone()),
                text(|played| played.after.clone()),
                time(|played| played.onset, |rest| rest.onset),
                time(|played| played.rt, |rest| rest.rt),
                row.condition.to_owned(),
                row.problem.clone(),
                row.problem_number.to_string(),
                text(|played| cell(played.pick)),
                text(|played| cell(played.drop)),
                cell(n_put_backs),
                time(|played| played.put_back, |rest| rest.put_back),
                text(|played| cell(played.recorded_number)),
                text(|played| cell(played.recorded_min_moves)),
                self.files[row.file].name.clone(),
                text(|played| played.pick_line.to_string()),
                row.line.to_string(),
            ]
        });
        table(&LOG_COLUMNS, rows)
    }

    /// The levels as CSV, as `[levels]` of a study reads them.
    pub fn levels_csv(&self) -> String {
        let columns = ["level", "board", "problem", "condition", "n_games", "recorded_min_moves"];
        let rows = self.levels.iter().map(|level: &ImportedLevel| {
            vec![
                level.id.clone(),
                level.board.clone(),
                level.problem.clone(),
                level.condition.to_owned(),
                level.n_games.to_string(),
                cell(level.recorded_min_moves),
            ]
        });
        table(&columns, rows)
    }

    /// A study of the log, to be run as it is.
    pub fn study_toml(&self, name: &str) -> String {
        let participants: std::collections::BTreeSet<&str> =
            self.log.iter().map(|row| row.participant.as_str()).collect();
        let n_practice = self.levels.iter().filter(|level| level.condition == "practice").count();
        format!(
            "# Written by an import of {} raw files of the Tower of London task. import.json counts what became of\n\
             # every raw row, import.csv lists the rows that are no moves.\n\n\
             [study]\n\
             name = {}\n\
             title = \"Tower of London: {} people, {} problems\"\n\
             description = \"A time is that of pick and drop together, and of \
             whatever was picked up and put back before; that of a limit is the time since the last move.\"\n\n\
             [levels]\n\
             game = \"tower-of-london\"\n\
             files = [\"levels.csv\"]            # {} problems, {n_practice} of them practice\n\n\
             [log]\n\
             files = [\"log.csv\"]\n\n\
             # Without this entry practice is analysed too.\n\
             [[exclude]]\n\
             trials = \"condition == 'practice'\"\n\
             reason = \"practice\"\n",
            self.files.len(),
            json_string(name),
            participants.len(),
            self.levels.len() - n_practice,
            self.levels.len(),
        )
    }

    /// The raw rows that are not half of a move, as CSV.
    pub fn import_csv(&self) -> String {
        let columns =
            ["raw_file", "raw_row", "participant", "task", "became", "level", "attempt", "move_index", "rt_s"];
        let level_of: BTreeMap<usize, (&str, u32)> =
            self.log.iter().map(|row| (row.game, (row.level.as_str(), row.attempt))).collect();
        let rows = self.rows.iter().filter(|row| !row.outcome.is_move()).map(|row| {
            let game = row.game.and_then(|game| level_of.get(&game));
            vec![
                self.files[row.file].name.clone(),
                row.line.to_string(),
                row.participant.clone(),
                row.task.clone(),
                row.outcome.name().to_owned(),
                game.map_or_else(String::new, |(level, _)| (*level).to_owned()),
                cell(game.map(|(_, attempt)| attempt)),
                cell(row.move_index),
                cell(row.rt),
            ]
        });
        table(&columns, rows)
    }

    /// The account of the import as JSON: counts by task and by what became of the rows, and every diagnostic.
    pub fn import_json(&self) -> String {
        let n_games = self.log.iter().map(|row| row.game).collect::<std::collections::BTreeSet<_>>().len();
        let mut text = String::from("{\n");
        let numbers = [
            ("files", self.files.len()),
            ("rows_read", self.n_rows()),
            ("moves", self.moves().count()),
            ("put_backs", self.n_of(RowOutcome::PutBackDrop)),
            ("games", n_games),
            ("levels", self.levels.len()),
        ];
        for (name, number) in numbers {
            let _ = writeln!(text, "  \"{name}\": {number},");
        }
        let rows = self.counts().into_iter().map(|(task, outcome, count)| {
            let (became, meaning) = (json_string(outcome.name()), json_string(outcome.meaning()));
            format!(
                "{{\"task\": {}, \"became\": {became}, \"rows\": {count}, \"meaning\": {meaning}}}",
                json_string(&task)
            )
        });
        let _ = writeln!(text, "  \"rows\": {},", json_list(rows.collect()));
        let balls = super::BALLS.iter().enumerate().map(|(number, letter)| format!("\"{}\": \"{letter}\"", number + 1));
        let _ = writeln!(text, "  \"balls\": {{{}}},", balls.collect::<Vec<_>>().join(", "));
        let diagnostics = self.diagnostics.iter().map(|diagnostic| {
            let pairs = [
                ("code", &*diagnostic.code),
                ("file", &diagnostic.file),
                ("column", &diagnostic.column),
                ("value", &diagnostic.value),
                ("rule", &diagnostic.rule),
                ("fix", &diagnostic.fix),
            ];
            let pairs = pairs.map(|(name, value)| format!("\"{name}\": {}", json_string(value)));
            let row = if diagnostic.row == 0 { "null".to_owned() } else { diagnostic.row.to_string() };
            format!("{{{}, \"row\": {row}}}", pairs.join(", "))
        });
        let _ = writeln!(text, "  \"diagnostics\": {}", json_list(diagnostics.collect()));
        text.push_str("}\n");
        text
    }
}

/// A table as CSV; cells are quoted where they have to be.
fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("{}\n", columns.join(","));
    for row in rows {
        text.push_str(&row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    text
}

fn quoted(cell: &str) -> String {
    // Spreadsheets split a cell at each of these.
    let needs_quotes = cell.contains([',', '"', '\n', '\r']);
    if needs_quotes { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

fn json_list(items: Vec<String>) -> String {
    if items.is_empty() { "[]".to_owned() } else { format!("[\n    {}\n  ]", items.join(",\n    ")) }
}

/// A text in quotes, as JSON and TOML have it.
fn json_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", control as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
