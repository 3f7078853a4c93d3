//! Moves of two rows: where a piece is picked up, and where it is put down.

use super::{Actions, Tried};
use crate::find::element_numbers::NUMBER;
use crate::find::finder::Finder;
use crate::find::plays::Said;
use crate::proposal::Certainty;
use crate::quoted::quoted;
use crate::words;
use plymap_log::{ColumnSpec, Pair, PipelineStep};
use std::collections::HashMap;

/// Largest number of things that can be clicked.
const PLACES: usize = 9;

/// Condition that tells the first row of a move from the second.
struct Turns {
    first: String,
    second: String,
    /// The column that tells it.
    place: Option<usize>,
}

impl Turns {
    fn of_numbers(column: &str, first: u32, place: Option<usize>) -> Self {
        let condition = |rest: u32| format!("{column} % 2 == {rest}");
        Self { first: condition(first % 2), second: condition((first + 1) % 2), place }
    }
}

impl Finder<'_> {
    /// Columns of clicks of which each second one ends a move. `is_split` says whether they are elements of one cell,
    /// which can be numbered then.
    pub(super) fn pairs_of_clicks(&self, tried: &Tried<'_>, is_split: bool) -> Vec<Actions> {
        let turns = match is_split {
            true => Some(Turns::of_numbers(NUMBER, 0, None)),
            false => self.turns(tried),
        };
        let Some(turns) = turns else { return Vec::new() };
        let is_few = |place: &usize| (2..=PLACES).contains(&self.distinct(*place).len());
        self.free().filter(is_few).filter_map(|place| self.pair_of_clicks(tried, place, &turns)).collect()
    }

    /// The column by which rows take turns: words for two halves, or a number that grows by one.
    fn turns(&self, tried: &Tried<'_>) -> Option<Turns> {
        let cell = |row: usize, place: usize| self.sample.rows[row].cell(place);
        let by_words = |place: usize| {
            let values: Vec<&str> = self.distinct(place).into_iter().collect();
            let [first, second] = values[..] else { return None };
            let (begins, ends) = words::halves(first, second)?;
            let is = |value: &str| format!("{} == '{}'", quoted(self.name(place)), value.replace('\'', "''"));
            Some(Turns { first: is(begins), second: is(ends), place: Some(place) })
        };
        let by_numbers = |place: usize| {
            let number = |row: usize| cell(row, place)?.parse::<u32>().ok();
            let first = number(*tried.runs.first()?.first()?)?;
            let counts =
                |run: &Vec<usize>| run.iter().enumerate().all(|(at, &row)| number(row) == Some(first + at as u32));
            let is_it = first <= 1 && words::may_count(self.name(place)) && tried.runs.iter().all(counts);
            is_it.then(|| Turns::of_numbers(&quoted(self.name(place)), first, Some(place)))
        };
        self.free().find_map(by_words).or_else(|| self.free().find_map(by_numbers))
    }

    fn pair_of_clicks(&self, tried: &Tried<'_>, place: usize, turns: &Turns) -> Option<Actions> {
        let cell = |row: usize| self.sample.rows[row].cell(place);
        let pairs = tried.runs.iter().flat_map(|run| run.chunks_exact(2).map(|pair| (pair[1], pair[0])));
        let first_of: HashMap<usize, usize> = pairs.collect();
        let replayed = self.replayed(&tried.runs, &mut |row| {
            let ends = first_of.get(&row).and_then(|&first| Some((cell(first)?, cell(row)?)));
            ends.map_or(Said::Nothing, |(from, to)| Said::Move(format!("{from}>{to}")))
        });
        if replayed.share_legal() < 0.5 {
            return None;
        }
        let name = self.name(place);
        let by = self.people.iter().chain(&self.level_places);
        let mut by: Vec<String> = by.map(|&place| self.name(place).to_owned()).collect();
        if self.found.spec.path.is_some() {
            by.insert(0, "participant".to_owned());
        }
        let (first, second) = (turns.first.clone(), turns.second.clone());
        let pair = Pair { first, second, by, prefix: "first_".to_owned() };
        let template = format!("{{{}}}>{{{}}}", quoted(&format!("first_{name}")), quoted(name));
        let places: Vec<usize> = [place].into_iter().chain(turns.place).collect();
        let actions = Actions {
            steps: vec![PipelineStep::Pair(pair)],
            certainty: Certainty::Likely,
            needs_number: turns.place.is_none(),
            ..Actions::of_action(
                &places,
                ColumnSpec::Template { template },
                words::tells_play(name) || words::is_called(name, &["clicked", "name", "peg"]),
                "two clicks are a move: where a piece is picked up, and where it is put down".to_owned(),
            )
        };
        // Half of the rows have a move, by their nature.
        actions.rated(&replayed)
    }
}
