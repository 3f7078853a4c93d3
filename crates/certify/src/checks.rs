//! Pages of Python and R that check tables of distances with nothing of plymap, and the levels that they read.

use plymap_puzzles::rules::Rules;

/// A file of the folder `checks`.
pub struct CheckFile {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

/// A level and its table.
pub struct CheckedLevel<'a> {
    /// Name of the level.
    pub level: &'a str,
    /// Name of its table, a CSV file of the folder `distances`.
    pub table: String,
    /// Its rules.
    pub rules: &'a dyn Rules,
    /// `true` if positions beyond a goal belong to the table.
    pub expand_goals: bool,
}

/// What all pages have, with [`PLACE`] for the rules of a kind of puzzle.
const COMMON: [&str; 2] = [include_str!("checks/common.py"), include_str!("checks/common.R")];

/// The line in whose place the rules stand.
const PLACE: &str = "# RULES\n";

/// The kinds of puzzles whose rules are written in Python and R too.
const KINDS: [(&str, [&str; 2]); 4] = [
    ("sliding-blocks", [include_str!("checks/sliding_blocks.py"), include_str!("checks/sliding_blocks.R")]),
    ("lights", [include_str!("checks/lights.py"), include_str!("checks/lights.R")]),
    ("pegs", [include_str!("checks/pegs.py"), include_str!("checks/pegs.R")]),
    ("swipes", [include_str!("checks/swipes.py"), include_str!("checks/swipes.R")]),
];

/// The files that check the tables of these levels of one game: a page of Python, one of R, and a list of the levels that
/// they can check. None if they can check none.
pub fn check_files<'a>(levels: impl IntoIterator<Item = CheckedLevel<'a>>) -> Vec<CheckFile> {
    let mut rules = None;
    let mut rows = String::new();
    for CheckedLevel { level, table, rules: level_rules, expand_goals } in levels {
        let Some(specification) = level_rules.specification() else { continue };
        let Some((_, pages)) = KINDS.iter().find(|(kind, _)| *kind == specification.kind) else { continue };
        let start = level_rules.format_state(level_rules.start());
        let goals_have_moves = if expand_goals { "yes" } else { "no" };
        let fixed = [("level", level), ("table", &table), ("start", &start), ("goals_have_moves", goals_have_moves)];
        let own = specification.settings.iter().map(|(name, value)| (*name, value.as_str()));
        let cells: Vec<(&str, &str)> = fixed.into_iter().chain(own).collect();
        if rules.is_none() {
            rows.push_str(&line(cells.iter().map(|cell| cell.0)));
        }
        rows.push_str(&line(cells.iter().map(|cell| cell.1)));
        rules = Some(pages);
    }
    let Some([python, r]) = rules else { return Vec::new() };
    vec![
        CheckFile { name: "check_distances.py", text: COMMON[0].replace(PLACE, python) },
        CheckFile { name: "check_distances.R", text: COMMON[1].replace(PLACE, r) },
        CheckFile { name: "levels.csv", text: rows },
    ]
}

/// A line of CSV.
fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let quoted = |cell: &str| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
