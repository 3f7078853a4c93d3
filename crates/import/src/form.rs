//! Texts of one form, in which the parts of a move stand between the same words: `Car A moved down by 3`, `from 1 to
//! 3`, `AD2`.

use super::quoted::quoted;
use super::{shape, words};
use plymap_log::{PipelineStep, Sample};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Numbers of parts that a move may have.
const PARTS: std::ops::RangeInclusive<usize> = 2..=5;
/// Longest text with a move, in bytes.
const LONG: usize = 80;
/// Largest number of texts that may be the names of pieces or places.
const FEW: usize = 30;
/// Number of forms that are tried.
const FORMS: usize = 6;

/// The form of the texts of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub column: String,
    /// As a step `notation` reads it, such as `Car {part_1} moved {part_2} by {part_3}`.
    pub read: String,
    /// Columns of its parts, and what finds each in a text.
    parts: Vec<(String, String)>,
}

impl Form {
    /// The step that makes a column of each part.
    pub fn step(&self) -> PipelineStep {
        let of_part = |(name, pattern): &(String, String)| {
            (name.clone(), format!("extract({}, '{}')", quoted(&self.column), pattern.replace('\'', "''")))
        };
        PipelineStep::Set(self.parts.iter().map(of_part).collect())
    }

    /// `true` if a column is one of its parts.
    pub fn has_part(&self, name: &str) -> bool {
        self.parts.iter().any(|(part, _)| part == name)
    }
}

/// A piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Token<'t> {
    Word(&'t str),
    Number(&'t str),
    Mark(&'t str),
}

impl<'t> Token<'t> {
    fn text(self) -> &'t str {
        match self {
            Self::Word(text) | Self::Number(text) | Self::Mark(text) => text,
        }
    }

    /// Common part of all texts of a form at its place.
    fn kind(self) -> Self {
        match self {
            Self::Word(_) => Self::Word(""),
            Self::Number(_) => Self::Number(""),
            mark => mark,
        }
    }
}

/// Words, numbers and what stands between them. A sign belongs to its number where nothing that it could part stands
/// before.
fn tokens(text: &str) -> Vec<Token<'_>> {
    static TOKEN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?P<word>\p{L}+)|(?P<number>[0-9]+)|[^\p{L}0-9]+?").expect("a test compiles it"));
    let mut tokens: Vec<Token<'_>> = Vec::new();
    for captures in TOKEN.captures_iter(text.trim()) {
        let whole = captures.get(0).expect("a match");
        if captures.name("word").is_some() {
            tokens.push(Token::Word(whole.as_str()));
        } else if captures.name("number").is_some() {
            let follows_part = matches!(tokens.iter().nth_back(1), Some(Token::Word(_) | Token::Number(_)));
            let is_signed = matches!(tokens.last(), Some(Token::Mark("+" | "-"))) && !follows_part;
            let start = if is_signed { whole.start() - 1 } else { whole.start() };
            tokens.truncate(tokens.len() - usize::from(is_signed));
            tokens.push(Token::Number(&text.trim()[start..whole.end()]));
        } else if !(whole.as_str() == " " && tokens.last() == Some(&Token::Mark(" "))) {
            tokens.push(Token::Mark(whole.as_str()));
        }
    }
    tokens
}

/// Columns of texts that may be moves or parts of them.
fn columns_of_moves<'s>(
    sample: &'s Sample,
    columns_beside: &'s BTreeSet<String>,
) -> impl Iterator<Item = (&'s str, Vec<&'s str>)> {
    let columns = shape::columns_of_texts(sample, columns_beside).filter(move |(_, name, _)| !is_other(name));
    columns.map(|(_, name, cells)| (name, cells.into_iter().filter(|cell| words::event(cell).is_none()).collect()))
}

/// Returns true if a column is called after people, levels or times, and not after play.
fn is_other(name: &str) -> bool {
    let is_of_more = words::participant(name).is_some() || words::level(name).is_some() || words::tells_times(name);
    is_of_more && !words::tells_play(name)
}

/// The forms of the columns whose texts have one, those that are called after moves first.
pub(super) fn forms(sample: &Sample, columns_beside: &BTreeSet<String>) -> Vec<Form> {
    let mut columns: Vec<_> = columns_of_moves(sample, columns_beside).collect();
    columns.sort_by_key(|(name, _)| !words::tells_play(name));
    let base = base_of_parts(sample);
    let of_column = |(name, cells): (&str, Vec<&str>)| {
        let is_number = cells.iter().all(|cell| cell.parse::<f64>().is_ok());
        if cells.iter().any(|cell| cell.len() > LONG) || (is_number && !words::tells_play(name)) {
            return Vec::new();
        }
        forms_of(name, &cells, &base)
    };
    columns.into_iter().flat_map(of_column).take(FORMS).collect()
}

/// A step that takes what all texts of a column begin with from them: `stack_` of `stack_0`, `stack_2`.
pub(super) fn without_prefixes(sample: &Sample, columns_beside: &BTreeSet<String>) -> Option<PipelineStep> {
    let of_column = |(name, cells): (&str, Vec<&str>)| {
        let prefix = prefix(&cells.into_iter().collect())?;
        let pattern = format!("^{}(.+)$", regex::escape(prefix)).replace('\'', "''");
        Some((name.to_owned(), format!("coalesce(extract({0}, '{pattern}'), {0})", quoted(name))))
    };
    let set: BTreeMap<String, String> = columns_of_moves(sample, columns_beside).filter_map(of_column).collect();
    (!set.is_empty()).then_some(PipelineStep::Set(set))
}

/// Common beginning of these few texts, if the rest of each is a number or a letter, or stands behind a mark.
fn prefix<'t>(texts: &BTreeSet<&'t str>) -> Option<&'t str> {
    let (first, last) = (texts.first()?, texts.last()?);
    let alike = first.chars().zip(last.chars()).take_while(|(left, right)| left == right);
    let n: usize = alike.map(|(letter, _)| letter.len_utf8()).sum();
    // A number belongs to the rest in whole.
    let prefix = first[..n].trim_end_matches(|last: char| last.is_ascii_digit());
    let is_mark = prefix.ends_with(|last: char| !last.is_alphanumeric());
    let is_part = |rest: &str| !rest.is_empty() && (is_mark || is_short(rest));
    let is_it = !prefix.is_empty() && texts.len() <= FEW && texts.iter().all(|text| is_part(&text[prefix.len()..]));
    is_it.then_some(prefix)
}

fn is_short(rest: &str) -> bool {
    rest.chars().count() == 1 || rest.bytes().all(|byte| byte.is_ascii_digit())
}

/// Names of the columns of parts, which no other column has.
fn base_of_parts(sample: &Sample) -> String {
    let mut base = "part".to_owned();
    while sample.columns.iter().any(|name| name.starts_with(&format!("{base}_"))) {
        base.push('_');
    }
    base
}

/// The form of these texts, and that in which words and numbers of the same few letters are taken apart, too.
fn forms_of(column: &str, cells: &[&str], base: &str) -> Vec<Form> {
    let mut by_kind: BTreeMap<Vec<Token<'_>>, Vec<Vec<Token<'_>>>> = BTreeMap::new();
    for cell in cells {
        let tokens = tokens(cell);
        by_kind.entry(tokens.iter().map(|token| token.kind()).collect()).or_default().push(tokens);
    }
    let Some(alike) = by_kind.into_values().max_by_key(Vec::len) else { return Vec::new() };
    if 20 * alike.len() < 19 * cells.len() {
        return Vec::new();
    }
    let slots: Vec<BTreeSet<&str>> =
        (0..alike[0].len()).map(|place| alike.iter().map(|tokens| tokens[place].text()).collect()).collect();
    // So many letters of each text, where it is taken apart into letters.
    let letters = |place: usize| {
        let lengths: BTreeSet<usize> = slots[place].iter().map(|text| text.chars().count()).collect();
        let n = lengths.first().copied().filter(|n| lengths.len() == 1 && (2..=3).contains(n));
        n.filter(|_| slots[place].len() > 1 && slots[place].iter().all(|text| text.chars().all(char::is_alphanumeric)))
    };
    let form = |is_fine: bool| {
        // Each piece: what it reads, and the pattern of a part.
        let mut pieces: Vec<(String, Option<&str>)> = Vec::new();
        for (place, texts) in slots.iter().enumerate() {
            let token = alike[0][place];
            match (token, letters(place).filter(|_| is_fine)) {
                (Token::Mark(_), _) => pieces.push((token.text().to_owned(), None)),
                _ if texts.len() == 1 => pieces.push((token.text().to_owned(), None)),
                (Token::Word(_), Some(n)) => (0..n).for_each(|_| pieces.push((String::new(), Some(r"\p{L}")))),
                (_, Some(n)) => (0..n).for_each(|_| pieces.push((String::new(), Some("[0-9]")))),
                (Token::Word(_), None) => pieces.push((String::new(), Some(r"\p{L}+"))),
                (Token::Number(_), None) => pieces.push((String::new(), Some("[+-]?[0-9]+"))),
            }
        }
        let n = pieces.iter().filter(|(_, pattern)| pattern.is_some()).count();
        let has_braces = pieces.iter().any(|(text, _)| text.contains(['{', '}']));
        (PARTS.contains(&n) && !has_braces).then(|| of_pieces(column, base, &pieces))
    };
    let has_letters = (0..slots.len()).any(|place| letters(place).is_some());
    form(false).into_iter().chain(has_letters.then(|| form(true)).flatten()).collect()
}

/// The form of a column from its pieces: what each reads, or the pattern by which a part is found.
fn of_pieces(column: &str, base: &str, pieces: &[(String, Option<&str>)]) -> Form {
    let places: Vec<usize> = (0..pieces.len()).filter(|&place| pieces[place].1.is_some()).collect();
    let name = |place: usize| {
        let number = places.iter().position(|&known| known == place).expect("a part") + 1;
        format!("{base}_{number}")
    };
    let read = |place: usize| match pieces[place].1 {
        Some(_) => format!("{{{}}}", name(place)),
        None => pieces[place].0.clone(),
    };
    let pattern_for = |part: usize| {
        let of_piece = |(place, (text, pattern)): (usize, &(String, Option<&str>))| match pattern {
            Some(pattern) if place == part => format!("({pattern})"),
            Some(pattern) => (*pattern).to_owned(),
            None if text == " " => r"\s+".to_owned(),
            None => regex::escape(text),
        };
        format!("^\\s*{}\\s*$", pieces.iter().enumerate().map(of_piece).collect::<String>())
    };
    Form {
        column: column.to_owned(),
        read: (0..pieces.len()).map(read).collect(),
        parts: places.iter().map(|&place| (name(place), pattern_for(place))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cells: &[&str]) -> Vec<String> {
        forms_of("move", cells, "part").into_iter().map(|form| form.read).collect()
    }

    #[test]
    fn parts_stand_between_the_same_words() {
        assert_eq!(
            read(&["Car A moved down by 3", "Car B moved left  by 12"]),
            ["Car {part_1} moved {part_2} by {part_3}"]
        );
        assert_eq!(read(&["from peg 1 to peg 3", "from peg 2 to peg 1"]), ["from peg {part_1} to peg {part_2}"]);
        assert_eq!(read(&["02", "31"]), ["{part_1}{part_2}"]);
        assert_eq!(read(&["AL1", "BR2"]), ["{part_1}{part_2}", "{part_1}{part_2}{part_3}"]);
        assert_eq!(read(&["1-2", "1-3", "2-1"]), ["{part_1}-{part_2}"]);
        assert_eq!(read(&["A: -2", "B: +1"]), ["{part_1}: {part_2}"]);
        assert!(read(&["up", "down"]).is_empty());
        assert!(read(&["12", "7", "133"]).is_empty());
    }

    #[test]
    fn prefixes_end_before_numbers_and_letters() {
        let prefix_of = |texts: &[&'static str]| prefix(&texts.iter().copied().collect());
        assert_eq!(prefix_of(&["stack_0", "stack_2"]), Some("stack_"));
        assert_eq!(prefix_of(&["carA", "carB"]), Some("car"));
        assert_eq!(prefix_of(&["peg 1", "peg 12"]), Some("peg "));
        assert_eq!(prefix_of(&["Red", "Rose"]), None);
        assert_eq!(prefix_of(&["10", "12"]), None);
        assert_eq!(prefix_of(&["left", "left tower"]), None);
    }

    #[test]
    fn each_part_becomes_a_column() {
        let form = &forms_of("my move", &["A to 1", "B to 2"], "part")[0];
        let PipelineStep::Set(set) = form.step() else { panic!("{:?}", form.step()) };
        assert_eq!(set["part_2"], r"extract(`my move`, '^\s*\p{L}+\s+to\s+([+-]?[0-9]+)\s*$')");
    }
}
