//! Moves whose parts stand in columns of their own, by the form in which the game itself writes moves, such as `2x4@0,3`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::LazyLock;

use regex::Regex;

use super::{Actions, Tried};
use crate::import::find::{Finder, quoted};
use crate::log::SampleRow;
use plymap_expression::Template;
use plymap_puzzles::rules::Rules;

/// So many levels are looked at, and so many positions of each.
const LEVELS: usize = 3;
const POSITIONS: usize = 100;
/// So many parts a move has, and so many ways to find columns for them are tried.
const PARTS: std::ops::RangeInclusive<usize> = 2..=5;
const WAYS: usize = 3_000;
/// So many of these are replayed.
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
        let one = texts.first().filter(|_| texts.len() == 1);
        match (one, kinds[place]) {
            (Some(one), _) if kinds[place] != 2 => Part::Mark((*one).to_owned()),
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
    let mut seen = BTreeSet::from([rules.start()]);
    let mut open = VecDeque::from([rules.start()]);
    while let Some(position) = open.pop_front() {
        for next in rules.legal_moves(position) {
            moves.insert(next.notation);
            if seen.len() < POSITIONS && seen.insert(next.next) {
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
        let fitting = |part: &&Part| short.iter().copied().filter(|&place| self.can_be(place, part)).collect();
        let columns: Vec<Vec<usize>> = slots.iter().map(fitting).collect();
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for fitting in &columns {
            let longer = |way: &Vec<usize>| {
                let free = fitting.iter().filter(|place| !way.contains(place));
                free.map(|&place| way.iter().copied().chain([place]).collect()).collect::<Vec<Vec<usize>>>()
            };
            ways = ways.iter().flat_map(longer).take(WAYS).collect();
        }
        let mut rated: Vec<(usize, String, Vec<usize>)> = Vec::new();
        for way in ways {
            for is_shifted in [false, true] {
                let template = self.template_of(&form, &way, is_shifted);
                let Ok(parsed) = Template::parse(&template) else { continue };
                let text = self.filled(&parsed);
                let is_known = |(row, _): &&(&SampleRow, usize)| text(row).is_some_and(|text| moves.contains(&text));
                let n = tried.rows.iter().filter(is_known).count();
                if n > 0 && !rated.iter().any(|(_, known, _)| *known == template) {
                    rated.push((n, template, way.clone()));
                }
            }
        }
        rated.sort_by_key(|(n, _, _)| std::cmp::Reverse(*n));
        let replayed = |(_, template, way): (usize, String, Vec<usize>)| self.template(tried, template, &way, false);
        rated.into_iter().take(BEST).filter_map(replayed).collect()
    }

    /// Whether a column may hold a part of moves.
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

    /// The form with these columns in it; numbers are shifted to the least one of the game, if it is so wanted.
    fn template_of(&self, form: &[Part], way: &[usize], is_shifted: bool) -> String {
        let mut places = way.iter();
        let mut text = String::new();
        for part in form {
            let mut column = || places.next().map_or((String::new(), 0), |&place| (quoted(self.name(place)), place));
            match part {
                Part::Mark(mark) => text += &mark.replace('{', "{{").replace('}', "}}"),
                Part::Word(_) => text += &format!("{{{}}}", column().0),
                Part::Number { is_signed: true, .. } => text += &format!("{{signed({})}}", column().0),
                Part::Number { least, .. } => {
                    let (name, place) = column();
                    let smallest = self.distinct(place).iter().filter_map(|value| value.parse::<i64>().ok()).min();
                    text += &match smallest.map_or(0, |smallest| smallest - least) {
                        shift if is_shifted && shift > 0 => format!("{{{name} - {shift}}}"),
                        shift if is_shifted && shift < 0 => format!("{{{name} + {}}}", -shift),
                        _ => format!("{{{name}}}"),
                    };
                }
            }
        }
        text
    }
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
