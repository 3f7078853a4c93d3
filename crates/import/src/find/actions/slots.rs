//! Moves whose parts stand in columns of their own, by the form in which the game itself writes moves, such as
//! `2x4@0,3`.

use super::{Actions, Tried};
use crate::find::finder::Finder;
use crate::quoted::quoted;
use crate::words;
use plymap_expression::Template;
use plymap_log::SampleRow;
use plymap_puzzles::rules::Rules;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::LazyLock;

/// Number of levels that are looked at, and of positions of each.
const LEVELS: usize = 3;
const POSITIONS: usize = 100;
/// Numbers of parts that a move may have, and number of ways to find columns for them that are tried.
const PARTS: std::ops::RangeInclusive<usize> = 2..=5;
const WAYS: usize = 3_000;
/// Numbers as they are, and shifted in two ways to the least one of the game.
const SHIFTS: usize = 3;
/// Number of these that are replayed.
const BEST: usize = 8;

/// A part of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// It is the same in all moves.
    Mark(String),
    /// A number, with a sign or without, and the least one.
    Number { is_signed: bool, least: i64 },
    /// One of some words.
    Word(BTreeSet<String>),
}

/// The parts of a text: numbers, words and what stands between them.
fn tokens(text: &str) -> Vec<&str> {
    static TOKEN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[+-]?[0-9]+|\p{L}+|[^\p{L}0-9]").expect("a test compiles it"));
    TOKEN.find_iter(text).map(|token| token.as_str()).collect()
}

/// The form that nearly all of these moves have.
fn form(moves: &BTreeSet<String>) -> Option<Vec<Part>> {
    // What stands between, words, numbers.
    let kind = |token: &str| match () {
        () if token.parse::<i64>().is_ok() => 2,
        () => u8::from(token.chars().all(char::is_alphabetic)),
    };
    let mut forms: BTreeMap<Vec<u8>, Vec<Vec<&str>>> = BTreeMap::new();
    for text in moves {
        let tokens = tokens(text);
        forms.entry(tokens.iter().map(|token| kind(token)).collect()).or_default().push(tokens);
    }
    let (kinds, alike) = forms.into_iter().max_by_key(|(_, moves)| moves.len())?;
    if 10 * alike.len() < 9 * moves.len() {
        return None;
    }
    let part = |place: usize| {
        let texts: BTreeSet<&str> = alike.iter().map(|tokens| tokens[place]).collect();
        let only_text = texts.first().filter(|_| texts.len() == 1);
        match (only_text, kinds[place]) {
            (Some(text), _) if kinds[place] != 2 => Part::Mark((*text).to_owned()),
            (_, 2) => Part::Number {
                is_signed: texts.iter().any(|text| text.starts_with(['+', '-'])),
                least: texts.iter().filter_map(|text| text.parse().ok()).min().unwrap_or(0),
            },
            _ => Part::Word(texts.iter().map(|text| (*text).to_owned()).collect()),
        }
    };
    Some((0..kinds.len()).map(part).collect())
}

/// Moves of some positions of a level.
fn moves_of(rules: &dyn Rules, moves: &mut BTreeSet<String>) {
    let mut visited = BTreeSet::from([rules.start()]);
    let mut open = VecDeque::from([rules.start()]);
    while let Some(position) = open.pop_front() {
        for next in rules.legal_moves(position) {
            moves.insert(next.notation);
            if visited.len() < POSITIONS && visited.insert(next.next) {
                open.push_back(next.next);
            }
        }
    }
}

impl Finder<'_> {
    pub(super) fn parts_of_moves(&self, tried: &Tried<'_>) -> Vec<Actions> {
        let levels: BTreeSet<usize> = self.level.iter().flatten().copied().collect();
        let mut moves = BTreeSet::new();
        levels.iter().take(LEVELS).for_each(|level| moves_of(self.plays.levels[*level].1, &mut moves));
        let Some(form) = form(&moves) else { return Vec::new() };
        let slots: Vec<&Part> = form.iter().filter(|part| !matches!(part, Part::Mark(_))).collect();
        if !PARTS.contains(&slots.len()) {
            return Vec::new();
        }
        let short = self.short_columns();
        let fillings: Vec<Vec<Filling>> = slots.iter().map(|part| self.fillings(part, &short)).collect();
        let mut ways: Vec<Vec<&Filling>> = vec![Vec::new()];
        for fitting in &fillings {
            ways = longer(&ways, fitting);
        }
        let mut rated: Vec<(usize, String, Vec<usize>)> = Vec::new();
        for way in ways {
            let places: Vec<usize> = way.iter().flat_map(|filling| filling.places.iter().copied()).collect();
            for shifts in 0..SHIFTS {
                let template = template_of(&form, &way, shifts);
                let Ok(parsed) = Template::parse(&template) else { continue };
                if rated.iter().any(|(_, known, _)| *known == template) {
                    continue;
                }
                let text = self.filled(&parsed);
                // Counting rows with a known move is cheap, and tells which ways are worth a replay.
                let is_known = |(row, _): &&(&SampleRow, usize)| text(row).is_some_and(|text| moves.contains(&text));
                let n = tried.rows.iter().filter(is_known).count();
                if n > 0 {
                    rated.push((n, template, places.clone()));
                }
            }
        }
        rated.sort_by_key(|(n, _, _)| std::cmp::Reverse(*n));
        let replayed = |(_, template, places): (usize, String, Vec<usize>)| {
            let is_named = words::is_called(self.name(places[0]), &words::PIECES);
            self.template(tried, template, &places, is_named)
        };
        rated.into_iter().take(BEST).filter_map(replayed).chain(self.pieces_on_cells(tried, &slots, &short)).collect()
    }

    /// A piece, and the row and the column that it is put on.
    fn pieces_on_cells(&self, tried: &Tried<'_>, slots: &[&Part], short: &[usize]) -> Vec<Actions> {
        let [piece @ Part::Word(_), Part::Number { is_signed: true, .. }] = slots else { return Vec::new() };
        let called = |names: &[&str]| -> Vec<usize> {
            let columns = short.iter().copied().filter(|&place| self.is_whole(place));
            columns.filter(|&place| words::is_called(self.name(place), names)).collect()
        };
        let (rows, columns) = (called(&words::ROWS), called(&words::COLUMNS));
        let mut fillings = Vec::new();
        for &piece in short.iter().filter(|&&place| self.can_be(place, piece)) {
            for (&row, &column) in rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column))) {
                let [p, r, c] = [piece, row, column].map(|place| quoted(self.name(place)));
                for template in [format!("{{{p}}}@r{{{r}}}c{{{c}}}"), format!("{{{p}}}@r{{{r} + 1}}c{{{c} + 1}}")] {
                    fillings.extend(self.template(tried, template, &[piece, row, column], true));
                }
            }
        }
        fillings
    }

    /// The least number of a column, and the least but for one in twenty, which may be slips.
    fn least(&self, place: usize) -> [i64; SHIFTS - 1] {
        let mut numbers: Vec<i64> = self
            .column(place)
            .filter_map(|(_, level, cell)| level.and_then(|_| cell.parse::<f64>().ok()))
            .map(|number| number as i64)
            .collect();
        numbers.sort_unstable();
        [0, numbers.len() / 20].map(|rank| numbers.get(rank).copied().unwrap_or(0))
    }

    /// Candidates in place of a part: a column, or two numbers whose difference or sum is a number with a sign.
    fn fillings(&self, part: &Part, short: &[usize]) -> Vec<Filling> {
        let fitting: Vec<usize> = short.iter().copied().filter(|&place| self.can_be(place, part)).collect();
        let name = |place: usize| quoted(self.name(place));
        let of_one = |&place: &usize| {
            let text = match part {
                Part::Number { is_signed: true, .. } => format!("signed({})", name(place)),
                _ => name(place),
            };
            let shifts = match part {
                Part::Number { is_signed: false, least } => self.least(place).map(|smallest| smallest - least),
                _ => [0; SHIFTS - 1],
            };
            Filling { text, shifts, places: vec![place] }
        };
        let mut fillings: Vec<Filling> = fitting.iter().map(of_one).collect();
        if matches!(part, Part::Number { is_signed: true, .. }) {
            let pairs = fitting.iter().flat_map(|&left| fitting.iter().map(move |&right| (left, right)));
            for (left, right) in pairs.filter(|(left, right)| left != right) {
                let two = |text: String| Filling {
                    text: format!("signed({text})"),
                    shifts: [0; SHIFTS - 1],
                    places: vec![left, right],
                };
                fillings.push(two(format!("{} - {}", name(right), name(left))));
                if left < right {
                    fillings.push(two(format!("{} + {}", name(left), name(right))));
                }
            }
        }
        fillings
    }

    /// `true` if a column may hold a part of moves.
    fn can_be(&self, place: usize, part: &Part) -> bool {
        match part {
            Part::Mark(_) => false,
            Part::Number { .. } => self.is_whole(place),
            Part::Word(words) => {
                let values = self.distinct(place);
                2 * values.iter().filter(|value| words.contains(**value)).count() >= values.len()
            }
        }
    }
}

/// Content in place of a part of moves.
struct Filling {
    /// As expressions write it.
    text: String,
    /// Excess of its least numbers over that of the game.
    shifts: [i64; SHIFTS - 1],
    /// The columns.
    places: Vec<usize>,
}

impl Filling {
    fn shares_columns(&self, other: &Self) -> bool {
        self.places.iter().any(|place| other.places.contains(place))
    }
}

/// The ways with one more part each, of columns that they do not have yet.
fn longer<'f>(ways: &[Vec<&'f Filling>], fitting: &'f [Filling]) -> Vec<Vec<&'f Filling>> {
    let mut slots = Vec::new();
    for way in ways {
        for filling in fitting.iter().filter(|filling| !way.iter().any(|other| other.shares_columns(filling))) {
            slots.push(way.iter().copied().chain([filling]).collect());
        }
    }
    slots.truncate(WAYS);
    slots
}

/// The form with these in it; numbers stand as they are, or are shifted to the least one of the game.
fn template_of(form: &[Part], way: &[&Filling], shifts: usize) -> String {
    let mut fillings = way.iter();
    let mut text = String::new();
    for part in form {
        if let Part::Mark(mark) = part {
            text += &mark.replace('{', "{{").replace('}', "}}");
        } else if let Some(filling) = fillings.next() {
            let shift = if shifts == 0 { 0 } else { filling.shifts[shifts - 1] };
            text += &match shift {
                0 => format!("{{{}}}", filling.text),
                1.. => format!("{{{} - {shift}}}", filling.text),
                ..0 => format!("{{{} + {}}}", filling.text, -shift),
            };
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_moves_is_seen_in_moves() {
        let moves = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<String>>();
        let number = |least| Part::Number { is_signed: false, least };
        let mark = |text: &str| Part::Mark(text.to_owned());
        assert_eq!(
            form(&moves(&["1x2@0,0", "2x1@3,0", "2x2@1,4"])),
            Some(vec![number(1), mark("x"), number(1), mark("@"), number(0), mark(","), number(0)])
        );
        let words = Part::Word(BTreeSet::from(["A".to_owned(), "B".to_owned()]));
        let signed = Part::Number { is_signed: true, least: -1 };
        assert_eq!(form(&moves(&["A+2", "B-1"])), Some(vec![words, signed]));
        assert_eq!(form(&moves(&["left", "up+2"])), None);
    }
}
