//! Moves in words, such as `B right 3`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::{Actions, Said, Tried};
use crate::import::find::Finder;
use crate::import::{Certainty, words};
use crate::log::{ColumnSpec, Notation, Transform};

impl Finder<'_> {
    pub(super) fn sentences(&self, tried: &Tried<'_>) -> Vec<Actions> {
        // It takes longer to compile them than to look through a column with them.
        static PATTERNS: LazyLock<[(Regex, bool); 2]> = LazyLock::new(|| {
            let patterns = [
                (r"^(?P<piece>\S+)(?P<a>[ ,;:/_-]+)(?P<direction>\p{L}+)(?P<b>[ ,;:/_-]*)(?P<n>\d+)$", true),
                (r"^(?P<piece>\S+)(?P<a>[ ,;:/_-]+)(?P<direction>\p{L}+)$", false),
            ];
            patterns.map(|(pattern, has_number)| (Regex::new(pattern).expect("a test compiles it"), has_number))
        });
        let mut found = Vec::new();
        for place in self.free() {
            for (pattern, has_number) in &*PATTERNS {
                let mut read: BTreeSet<String> = BTreeSet::new();
                let mut words: BTreeMap<String, String> = BTreeMap::new();
                let (mut n, mut n_all) = (0, 0);
                for (row, level) in &tried.rows {
                    let Some(cell) = row.cells[place].as_deref() else { continue };
                    n_all += 1;
                    let Some(parts) = pattern.captures(cell) else { continue };
                    let word = parts["direction"].to_lowercase();
                    let Some(sign) = words::sign(&word) else { continue };
                    if in_signs(pattern, *has_number, cell).is_some_and(|text| self.plays.is_move(*level, &text)) {
                        n += 1;
                        let b = if *has_number { format!("{}{{n}}", &parts["b"]) } else { String::new() };
                        read.insert(format!("{{piece}}{}{{direction}}{b}", &parts["a"]));
                        words.insert(word, sign.to_owned());
                    }
                }
                if n == 0 || 2 * n < n_all {
                    continue;
                }
                let write = if *has_number { "{piece}{direction}{n}" } else { "{piece}{direction}1" };
                let said: Vec<String> = words.iter().map(|(word, sign)| format!("{word} = {sign}")).collect();
                let notation = Notation {
                    column: self.name(place).to_owned(),
                    read: read.into_iter().collect(),
                    write: write.to_owned(),
                    words: BTreeMap::from([("direction".to_owned(), words)]),
                };
                let said_of = |row: usize| match self.sample.rows[row].cells[place].as_deref() {
                    Some(cell) => Said::Move(in_signs(pattern, *has_number, cell).unwrap_or_else(|| cell.to_owned())),
                    None => Said::Nothing,
                };
                let name = self.name(place);
                let actions = Actions {
                    steps: vec![Transform::Notation(notation)],
                    certainty: Certainty::Likely,
                    without: self.without(place),
                    ..Actions::of_action(
                        &[place],
                        ColumnSpec::column(name),
                        words::is_called(name, &words::MOVES),
                        format!("moves are written in words; {}", said.join(", ")),
                    )
                };
                found.extend(actions.rated(&self.replayed(&tried.runs, &mut |row| said_of(row))));
            }
        }
        found
    }
}

/// A move in words as the game writes it.
fn in_signs(pattern: &Regex, has_number: bool, cell: &str) -> Option<String> {
    let parts = pattern.captures(cell)?;
    let sign = words::sign(&parts["direction"])?;
    let number = if has_number { &parts["n"] } else { "1" };
    Some(format!("{}{sign}{number}", &parts["piece"]))
}
