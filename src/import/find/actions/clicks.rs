//! Moves of two clicks: where a piece is picked up, and where it is put down.

use super::{Actions, Said, Tried};
use crate::import::find::{Finder, quoted};
use crate::import::{Certainty, words};
use crate::log::{ColumnSpec, Pair, Transform};

/// Things that can be clicked are few.
const PLACES: usize = 9;
/// The column that numbers the clicks of a trial.
pub(in crate::import) const NUMBER: &str = "click";

impl Finder<'_> {
    /// Columns of clicks of which each second one ends a move. Their elements have to be numbered.
    pub(super) fn pairs_of_clicks(&self, tried: &Tried<'_>) -> Vec<Actions> {
        let is_few = |place: &usize| (2..=PLACES).contains(&self.distinct(*place).len());
        self.free().filter(is_few).filter_map(|place| self.pair_of_clicks(tried, place)).collect()
    }

    fn pair_of_clicks(&self, tried: &Tried<'_>, place: usize) -> Option<Actions> {
        let cell = |row: usize| self.sample.rows[row].cells[place].as_deref();
        let before: std::collections::HashMap<usize, usize> =
            tried.runs.iter().flat_map(|run| run.chunks_exact(2).map(|pair| (pair[1], pair[0]))).collect();
        let replayed = self.replayed(&tried.runs, &mut |row| {
            let ends = before.get(&row).and_then(|&first| Some((cell(first)?, cell(row)?)));
            ends.map_or(Said::Nothing, |(from, to)| Said::Move(format!("{from}>{to}")))
        });
        if replayed.share_legal() < 0.5 {
            return None;
        }
        let name = self.name(place);
        let by = [self.people.map(|place| self.name(place)), self.level_place.map(|place| self.name(place))];
        let mut by: Vec<String> = by.into_iter().flatten().map(str::to_owned).collect();
        if self.found.path.is_some() {
            by.insert(0, "participant".to_owned());
        }
        let pair = Pair {
            first: format!("{NUMBER} % 2 == 0"),
            second: format!("{NUMBER} % 2 == 1"),
            by,
            prefix: "first_".to_owned(),
        };
        let template = format!("{{{}}}>{{{}}}", quoted(&format!("first_{name}")), quoted(name));
        let actions = Actions {
            steps: vec![Transform::Pair(pair)],
            certainty: Certainty::Likely,
            needs_number: true,
            ..Actions::of_action(
                &[place],
                ColumnSpec::Template { template },
                words::is_called(name, &words::MOVES) || words::is_called(name, &["clicked", "name"]),
                "two clicks are a move: where a piece is picked up, and where it is put down".to_owned(),
            )
        };
        // Half of the rows have a move, by their nature.
        actions.rated(&replayed)
    }
}
