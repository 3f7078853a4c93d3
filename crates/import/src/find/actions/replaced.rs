//! Moves of columns whose words have to be replaced: directions by signs, letters by numbers.

use super::{Actions, FITS, Tried};
use crate::find::finder::Finder;
use crate::quoted::quoted;
use crate::words;
use plymap_log::{ColumnSpec, PipelineStep, Replace, SampleRow};

impl Finder<'_> {
    /// A piece, the word for a direction, and how far it goes, in columns of their own.
    pub(super) fn directions(&self, tried: &Tried<'_>) -> Vec<Actions> {
        let sign = words::sign;
        let is_direction = |place: &usize| {
            let values = self.distinct(*place);
            !values.is_empty() && values.iter().all(|value| sign(value).is_some())
        };
        let short = self.short_columns();
        let mut replacements = Vec::new();
        for direction in self.free().filter(is_direction) {
            let values = self.distinct(direction);
            let values: toml::Table =
                values.iter().filter_map(|value| Some(((*value).to_owned(), sign(value)?.into()))).collect();
            let steps: Vec<Option<usize>> =
                short.iter().filter(|place| self.is_whole(**place)).copied().map(Some).chain([None]).collect();
            for &piece in short.iter().filter(|&&piece| piece != direction) {
                for &step in steps.iter().filter(|step| **step != Some(piece)) {
                    let text = |row: &SampleRow| {
                        let n = step.map_or(Some("1"), |step| row.cell(step))?;
                        let (piece, word) = (row.cell(piece)?, row.cell(direction)?);
                        Some(format!("{piece}{}{n}", sign(word)?))
                    };
                    // The share is cheap, and rules out nearly all combinations before they are replayed.
                    let name = format!("{piece} {direction} {step:?}");
                    if self.share(tried, &name, &text) < FITS {
                        continue;
                    }
                    let n = step.map_or("1".to_owned(), |step| format!("{{{}}}", quoted(self.name(step))));
                    let template = format!("{{{}}}{{{}}}{n}", quoted(self.name(piece)), quoted(self.name(direction)));
                    let places: Vec<usize> = [piece, direction].into_iter().chain(step).collect();
                    let is_named = words::is_called(self.name(piece), &words::PIECES);
                    let said: Vec<String> = values.iter().map(|(word, sign)| format!("{word} = {sign}")).collect();
                    let reason = format!("a piece, a direction and how far it goes; {}", said.join(", "));
                    let replace = Replace { column: self.name(direction).to_owned(), values: values.clone(), by: None };
                    let actions = Actions {
                        steps: vec![PipelineStep::Replace(replace)],
                        lacks: Some(piece),
                        ..Actions::of_action(&places, ColumnSpec::Template { template }, is_named, reason)
                    };
                    replacements.extend(actions.rated(&self.replayed_as(tried, &text)));
                }
            }
        }
        replacements
    }

    /// A row and a column of which one is a letter, as on a chess board.
    pub(super) fn lettered(&self, tried: &Tried<'_>) -> Vec<Actions> {
        let is_letter = |place: &usize| {
            let values = self.distinct(*place);
            values.len() > 1 && values.iter().all(|cell| letter_number(cell).is_some())
        };
        let short = self.short_columns();
        let mut replacements = Vec::new();
        for &letter in short.iter().filter(|place| is_letter(place)) {
            let values: toml::Table = self
                .distinct(letter)
                .iter()
                .filter_map(|cell| Some(((*cell).to_owned(), letter_number(cell)?.to_string().into())))
                .collect();
            for &other in short.iter().filter(|place| self.is_whole(**place)) {
                for (one, two) in [(other, letter), (letter, other)] {
                    let text = |row: &SampleRow| {
                        let letter_at = |place: usize| {
                            let cell = row.cell(place)?;
                            if place == letter { Some(letter_number(cell)?.to_string()) } else { Some(cell.to_owned()) }
                        };
                        Some(format!("{} {}", letter_at(one)?, letter_at(two)?))
                    };
                    if self.share(tried, &format!("letters {one} {two}"), &text) < FITS {
                        continue;
                    }
                    let [a, b] = [one, two].map(|place| quoted(self.name(place)));
                    let template = format!("{{{a}}} {{{b}}}");
                    let replace = Replace { column: self.name(letter).to_owned(), values: values.clone(), by: None };
                    let reason = "a row and a column, of which one is a letter".to_owned();
                    let actions = Actions {
                        steps: vec![PipelineStep::Replace(replace)],
                        lacks: Some(letter),
                        ..Actions::of_action(&[one, two], ColumnSpec::Template { template }, false, reason)
                    };
                    replacements.extend(actions.rated(&self.replayed_as(tried, &text)));
                }
            }
        }
        replacements
    }
}

/// Place of a single letter in the alphabet, from 1.
fn letter_number(cell: &str) -> Option<u32> {
    let mut letters = cell.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase();
    letters.next().is_none().then(|| u32::from(letter) - u32::from('A') + 1)
}
