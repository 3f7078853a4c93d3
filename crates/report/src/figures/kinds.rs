//! The kinds of figures that there are: what they are drawn from, and in which section of the report they stand.

use super::input::FigureInput;
use super::sketch::{Sketch, Sketched};
use super::{diagnostics, flow, results, steps, thought, times, trajectories, trials};
use plymap_analysis::Analysis;
use plymap_figures::begins_with;
use polars::prelude::PolarsResult;

/// Names of the sections of the report that are no analyses and have figures; those of analyses have their names.
pub mod section {
    /// Moves against time.
    pub const MOVES_AND_TIME: &str = "moves-and-time";
    /// Quality of moves.
    pub const QUALITY: &str = "quality";
    /// Time and quality.
    pub const TIME: &str = "time";
    /// Participants and trials.
    pub const PLAYERS: &str = "players";
    /// Participants between chance and optimal play.
    pub const SCORES: &str = "chance_normalised_score";
    /// Levels and their maps.
    pub const LEVELS: &str = "levels";
    /// What speaks against the mixed models.
    pub const DIAGNOSTICS: &str = "diagnostics";

    /// The name of the analysis of which a section is, if it is of one.
    pub fn analysis(section: &str) -> &str {
        if section == DIAGNOSTICS { "models" } else { section }
    }
}

/// A kind of figure.
#[derive(Clone, Copy)]
pub struct FigureKind {
    /// The name of its figures, or the first words of their names.
    pub words: &'static str,
    /// The section of the report in which they stand: that of the analysis from which they are drawn, if they need one.
    pub section: &'static str,
    /// Whether they belong to the first answers of a report, which a quick look shows.
    pub is_answer: bool,
    /// What they show.
    pub subject: Subject,
    /// How they are drawn, where all that takes is an input.
    sketch: fn(&FigureInput) -> Sketched,
}

/// What a figure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// What people did, all levels taken together or side by side.
    People,
    /// What people did on the map of one level.
    PeopleOnMap,
    /// Participants compared with simulated baselines.
    Baseline,
    /// A level.
    Level,
}

/// All kinds of figures of a study.
pub const KINDS: &[FigureKind] = &[
    answer(of_people("participant-flow", section::PLAYERS, flow::participants)),
    answer(of_people("moves-against-time", section::MOVES_AND_TIME, trials::moves_against_time)),
    answer(of_people("quality", section::QUALITY, trials::quality)),
    answer(of_people("time-by-quality", section::TIME, times::by_quality)),
    of_people("distance-along-attempts", section::QUALITY, trajectories::along_attempts),
    of_people("time-and-quality-by-distance", section::QUALITY, steps::by_distance),
    of_people("distance-over-time", section::QUALITY, trajectories::over_time),
    of_people("time-and-quality-by-legal-moves", section::QUALITY, steps::by_number_of_moves),
    of_people("inter-move-times", section::TIME, times::distribution),
    of_people("thinking-and-acting", "phases", trajectories::raster),
    of_people("learning", "learning", trials::learning),
    of_people("correlations-of-participants", "participants", results::correlation_matrix),
    of_people("transitions", "sequences", results::transition_diagrams),
    answer(of_people("survival", "survival", results::survival)),
    of_people("time-model", "models", results::time_model),
    answer(of_people("optimal-by-time", "models", steps::optimal_by_time)),
    answer(of_people("condition-effects", "models", results::condition_effects)),
    answer(of_people("difficulty-by", "difficulty", results::difficulty)),
    of_people("model-residuals", section::DIAGNOSTICS, diagnostics::residuals),
    of_people("model-quantiles", section::DIAGNOSTICS, diagnostics::quantiles),
    of_people("model-shares", section::DIAGNOSTICS, diagnostics::shares),
    of_people("model-influence", section::DIAGNOSTICS, diagnostics::influence),
    of_people("models-of-choice", "choice", results::model_comparison),
    of_people("thought-by-distance", "thought", thought::by_distance),
    of_people("thought-times", "thought", thought::times),
    other("players", section::SCORES, Subject::Baseline),
    other("state-graph", section::LEVELS, Subject::Level),
    other("solution", section::LEVELS, Subject::Level),
    other("game", section::LEVELS, Subject::Level),
    other("traffic", section::LEVELS, Subject::PeopleOnMap),
    other("trajectory", section::LEVELS, Subject::PeopleOnMap),
    other("attempt", section::LEVELS, Subject::PeopleOnMap),
    other("traps", "errors", Subject::PeopleOnMap),
];

const fn of_people(words: &'static str, section: &'static str, sketch: fn(&FigureInput) -> Sketched) -> FigureKind {
    FigureKind { words, section, is_answer: false, subject: Subject::People, sketch }
}

const fn answer(kind: FigureKind) -> FigureKind {
    FigureKind { is_answer: true, ..kind }
}

/// Figures of single levels, or of simulated players: they are drawn by [`super::state_graph`], [`super::solution`],
/// [`super::on_the_map`] and [`crate::baseline::figures`].
const fn other(words: &'static str, section: &'static str, subject: Subject) -> FigureKind {
    FigureKind { words, section, is_answer: false, subject, sketch: |_| Ok(Vec::new()) }
}

impl FigureKind {
    /// The figures of people of this kind; none where the input has nothing to draw them from.
    ///
    /// # Errors
    ///
    /// If a table does not have the columns that they are drawn from.
    pub fn sketches(&self, input: &FigureInput) -> PolarsResult<Vec<Sketch>> {
        (self.sketch)(input)
    }

    /// The analysis from which they are drawn, if they need one.
    pub fn analysis(&self) -> Option<&'static Analysis> {
        Analysis::named(section::analysis(self.section))
    }

    /// Whether figures of this kind can have one of these names, or names that begin with one of them; all have if there
    /// are none.
    pub fn is_among(&self, names: &[String]) -> bool {
        names.is_empty() || names.iter().any(|name| begins_with(name, self.words) || begins_with(self.words, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_its_words_and_by_longer_and_shorter_names() {
        let found = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            KINDS.iter().filter(|kind| kind.is_among(&names)).map(|kind| kind.words).collect::<Vec<_>>()
        };
        assert_eq!(found(&[]).len(), KINDS.len());
        assert_eq!(found(&["state-graph-demo-06"]), ["state-graph"]);
        assert_eq!(found(&["time-and-quality"]), ["time-and-quality-by-distance", "time-and-quality-by-legal-moves"]);
        assert_eq!(found(&["quality-by-level", "traps"]), ["quality", "traps"]);
        assert_eq!(found(&["qualities"]), Vec::<&str>::new());
    }
}
