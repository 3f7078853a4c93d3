//! Choice of the columns of a very wide table: a log has a handful that tell of play, and thousands beside them would
//! leave time and memory for few rows alone.
//!
//! Cheap tests tell what a column can be: its name, and what stands in its first cells. Columns that are numbered are
//! one candidate, of which the first are looked at. What is proposed is tried with all columns all the same.

use super::find::Plays;
use super::proposal::{Certainty, ProposalNote};
use super::{search, words};
use plymap_log::{Files, LogError, LogSpec, is_instant, without_numbers};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Largest number of columns of a table that are looked at.
pub(super) const COLUMNS: usize = 500;
/// So many columns that are numbered are looked at; of shorter ones as large a part, and of each so many at least.
const NUMBERED: usize = 50;
const FEW: usize = 3;
/// Number of different cells of a column that are looked at before it is decided, and least number of rows.
const VALUES: usize = 8;
const ROWS: u64 = 50;
/// Longest cell that the game is asked about, in bytes.
const LONG: usize = 200;

/// Kinds of column, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    /// Moves, positions, levels, events or lists.
    Play,
    /// The same, but its cells are plain numbers, which are soon met.
    PlayInNumbers,
    /// Texts of several parts.
    Parts,
    Texts,
    Numbers,
    /// It has the same in all rows, or nothing.
    Constant,
}

/// Statistics of a column.
#[derive(Clone, Default)]
struct Seen {
    values: Vec<Box<str>>,
}

/// A log of very many columns with those alone that may tell of play, whose rows are held; as it is where they are few.
pub(super) fn narrowed(
    base: LogSpec,
    n_columns: usize,
    plays: &Plays<'_>,
) -> Result<(LogSpec, Option<ProposalNote>), LogError> {
    if n_columns <= COLUMNS {
        return Ok((base, None));
    }
    let files = Files::open(&base)?;
    let names = files.columns().to_vec();
    if names.len() <= COLUMNS {
        return Ok((base, None));
    }
    let (n_files, max_rows) = (files.n_files() as u64, base.max_rows.unwrap_or(u64::MAX));
    let rows_within =
        |n_columns: usize| max_rows.min((search::CELLS / n_columns as u64).max(ROWS).div_ceil(n_files.max(1)));
    let mut first_cells = vec![Seen::default(); names.len()];
    files.look(rows_within(names.len()), &mut |place, cell| {
        let values = &mut first_cells[place].values;
        if !values.iter().any(|value| **value == *cell) {
            values.push(cell.into());
        }
        values.len() < VALUES
    })?;
    let mut kinds = Kinds { plays, of_texts: HashMap::new() };
    let kinds: Vec<Kind> = first_cells.iter().map(|column| kinds.of_column(column)).collect();
    let said = said_by_preset(&base)?;
    let kept = kept(&names, &kinds, &|name| said.contains(name));
    let reason = format!(
        "of {} columns those {} were looked at that can tell of play, by their names and first cells; of columns that are \
         numbered, the first",
        names.len(),
        kept.len()
    );
    let held = files.hold(rows_within(kept.len().max(1)), &kept)?;
    let note = ProposalNote { entry: "files".to_owned(), certainty: Certainty::Likely, reason };
    Ok((LogSpec { held: Some(held), ..base }, Some(note)))
}

/// All that the preset of a log says, in which the names of the columns that it needs stand.
fn said_by_preset(base: &LogSpec) -> Result<String, LogError> {
    if base.preset.is_none() && base.steps.is_empty() {
        return Ok(String::new());
    }
    let LogSpec { steps, columns, usual_columns, usual_row_number, row_number, .. } = base.with_preset()?;
    Ok(format!("{steps:?} {columns:?} {usual_columns:?} {usual_row_number:?} {row_number:?}"))
}

/// Kinds of texts; each text is asked of the game once.
struct Kinds<'a> {
    plays: &'a Plays<'a>,
    of_texts: HashMap<Box<str>, Kind>,
}

impl Kinds<'_> {
    fn of_column(&mut self, column: &Seen) -> Kind {
        let kind = column.values.iter().map(|value| self.of_text(value)).min().unwrap_or(Kind::Constant);
        // A single text may name the only level, or be the only move.
        if column.values.len() < 2 && kind > Kind::PlayInNumbers { Kind::Constant } else { kind }
    }

    fn of_text(&mut self, text: &str) -> Kind {
        if let Some(&kind) = self.of_texts.get(text) {
            return kind;
        }
        let is_number = text.parse::<f64>().is_ok();
        let is_asked = text.len() <= LONG && !(is_number && text.contains(['.', 'e', 'E']));
        let tells = text.starts_with(['[', '{', '('])
            || words::event(text).is_some()
            || (is_asked && self.plays.can_be_of_play(text));
        let kind = match () {
            () if tells && is_number => Kind::PlayInNumbers,
            () if tells => Kind::Play,
            () if is_number => Kind::Numbers,
            () if is_of_parts(text) => Kind::Parts,
            () => Kind::Texts,
        };
        self.of_texts.insert(text.into(), kind);
        kind
    }
}

/// `true` if a text has several parts, with something between them or letter by letter.
fn is_of_parts(text: &str) -> bool {
    let n_marks = text.chars().filter(|letter| !letter.is_alphanumeric()).count();
    let letters: BTreeSet<char> = text.chars().collect();
    n_marks > 1 || is_instant(text) || (text.chars().count() > 2 * letters.len() && letters.len() > 1)
}

/// The columns that are looked at: those that are called after something in a log, and those that can be it by what
/// stands in them, in the order of the table.
fn kept(names: &[String], kinds: &[Kind], is_said: &dyn Fn(&str) -> bool) -> HashSet<String> {
    let chosen = without_repetitions(names, kinds);
    let mut kept: HashSet<usize> = HashSet::new();
    let mut fill = |most: usize, is_it: &dyn Fn(usize) -> bool| {
        for &place in &chosen {
            if kept.len() >= most {
                break;
            }
            if is_it(place) {
                kept.insert(place);
            }
        }
    };
    // None of them takes the room of the others.
    let named_by = |is_it: fn(&str) -> bool| -> HashSet<usize> {
        chosen.iter().copied().filter(|&place| is_it(&names[place])).collect()
    };
    let (of_roles, named) = (named_by(words::tells_role), named_by(words::tells_of_log));
    fill(COLUMNS / 5, &|place| is_said(&names[place]));
    fill(COLUMNS / 4, &|place| of_roles.contains(&place) && kinds[place] != Kind::Constant);
    fill(COLUMNS / 2, &|place| named.contains(&place) && kinds[place] != Kind::Constant);
    for kind in [Kind::Play, Kind::PlayInNumbers, Kind::Parts, Kind::Texts] {
        fill(COLUMNS * 3 / 4, &|place| kinds[place] == kind);
    }
    fill(COLUMNS * 7 / 8, &|place| of_roles.contains(&place));
    fill(COLUMNS, &|place| named.contains(&place));
    for kind in [Kind::Numbers, Kind::Play, Kind::PlayInNumbers, Kind::Parts, Kind::Texts, Kind::Constant] {
        fill(COLUMNS, &|place| kinds[place] == kind);
    }
    kept.into_iter().map(|place| names[place].clone()).collect()
}

/// The places of all columns but for most of those that repeat with a number. One of them that tells of play where the
/// others do not is none of a repetition.
fn without_repetitions(names: &[String], kinds: &[Kind]) -> Vec<usize> {
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, name) in
        names.iter().enumerate().filter(|(_, name)| name.contains(|letter: char| letter.is_ascii_digit()))
    {
        alike.entry(without_numbers(name)).or_default().push(place);
    }
    let is_play = |place: &usize| kinds[*place] == Kind::Play;
    let tells = |places: &Vec<usize>| 2 * places.iter().filter(|place| is_play(place)).count() >= places.len();
    let longest_of =
        |is_it: &dyn Fn(&Vec<usize>) -> bool| alike.values().filter(|columns| is_it(columns)).map(Vec::len).max();
    let telling = longest_of(&|places| places.len() >= FEW && tells(places));
    let longest = telling.or_else(|| longest_of(&|_| true)).unwrap_or(0).max(NUMBERED);
    let mut left_out: HashSet<usize> = HashSet::new();
    for places in alike.values() {
        // As large a part of each, so that what is about as long as another stays so; what is far longer than moves is of
        // something else.
        let most = match places.len() > 2 * longest {
            true => FEW,
            false => (places.len() * NUMBERED).div_ceil(longest).max(FEW),
        };
        let is_own = |place: &&usize| is_play(place) && !tells(places);
        left_out.extend(places.iter().skip(most).filter(|place| !is_own(place)));
    }
    (0..names.len()).filter(|place| !left_out.contains(place)).collect()
}
