//! Registry of the kinds of figures: what they are drawn from, and in which section of the report they stand.

use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched};
use super::{diagnostics, flow, rainclouds, results, steps, thought, times, trajectories, trials};
use plymap_analysis::Analysis;
use plymap_figures::is_related;
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
    /// Diagnostics of the mixed models.
    pub const DIAGNOSTICS: &str = "diagnostics";

    /// The name of the analysis of which a section is, if it is of one.
    pub fn analysis(section: &str) -> &str {
        if section == DIAGNOSTICS { "models" } else { section }
    }
}

/// A kind of figure of a study.
#[derive(Clone, Copy)]
pub struct FigureKind {
    /// The kind.
    pub kind: Kind,
    /// The section of the report in which they stand: that of the analysis from which they are drawn, if they need one.
    pub section: &'static str,
    /// True if they belong to the first answers of a report, which a quick look shows.
    pub is_answer: bool,
    /// Subject of the figures.
    pub subject: Subject,
    /// Function that draws them from the input; those that need more give none.
    sketch: fn(&FigureInput) -> Sketched,
}

/// Subject of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Play of people, all levels taken together or side by side.
    People,
    /// Play of people on the map of one level.
    PeopleOnMap,
    /// Participants compared with simulated baselines.
    Baseline,
    /// A level.
    Level,
}

/// All kinds of figures of a study.
pub const KINDS: &[FigureKind] = &[
    answer(of_people(Kind::ParticipantFlow, section::PLAYERS, flow::participants)),
    answer(of_people(Kind::MovesAgainstTime, section::MOVES_AND_TIME, trials::moves_against_time)),
    answer(of_people(Kind::Quality, section::QUALITY, trials::quality)),
    answer(of_people(Kind::TimeByQuality, section::TIME, times::by_quality)),
    of_people(Kind::DistanceAlongAttempts, section::QUALITY, trajectories::along_attempts),
    of_people(Kind::TimeAndQualityByDistance, section::QUALITY, steps::by_distance),
    of_people(Kind::DistanceOverTime, section::QUALITY, trajectories::over_time),
    of_people(Kind::TimeAndQualityByLegalMoves, section::QUALITY, steps::by_number_of_moves),
    of_people(Kind::InterMoveTimes, section::TIME, times::distribution),
    of_people(Kind::ThinkingAndActing, "phases", trajectories::raster),
    of_people(Kind::Learning, "learning", trials::learning),
    of_people(Kind::Raincloud, section::PLAYERS, rainclouds::rainclouds),
    of_people(Kind::CorrelationsOfParticipants, "participants", results::correlation_matrix),
    of_people(Kind::Transitions, "sequences", results::transition_diagrams),
    answer(of_people(Kind::Survival, "survival", results::survival)),
    of_people(Kind::TimeModel, "models", results::time_model),
    answer(of_people(Kind::OptimalByTime, "models", steps::optimal_by_time)),
    answer(of_people(Kind::ConditionEffects, "models", results::condition_effects)),
    answer(of_people(Kind::DifficultyBy, "difficulty", results::difficulty)),
    of_people(Kind::ModelResiduals, section::DIAGNOSTICS, diagnostics::residuals),
    of_people(Kind::ModelQuantiles, section::DIAGNOSTICS, diagnostics::quantiles),
    of_people(Kind::ModelShares, section::DIAGNOSTICS, diagnostics::shares),
    of_people(Kind::ModelInfluence, section::DIAGNOSTICS, diagnostics::influence),
    of_people(Kind::ModelsOfChoice, "choice", results::model_comparison),
    of_people(Kind::ThoughtByDistance, "thought", thought::by_distance),
    of_people(Kind::ThoughtTimes, "thought", thought::times),
    other(Kind::Players, section::SCORES, Subject::Baseline),
    other(Kind::StateGraph, section::LEVELS, Subject::Level),
    other(Kind::Solution, section::LEVELS, Subject::Level),
    other(Kind::Game, section::LEVELS, Subject::Level),
    other(Kind::Traffic, section::LEVELS, Subject::PeopleOnMap),
    other(Kind::Trajectory, section::LEVELS, Subject::PeopleOnMap),
    other(Kind::Attempt, section::LEVELS, Subject::PeopleOnMap),
    other(Kind::Traps, "errors", Subject::PeopleOnMap),
];

const fn of_people(kind: Kind, section: &'static str, sketch: fn(&FigureInput) -> Sketched) -> FigureKind {
    FigureKind { kind, section, is_answer: false, subject: Subject::People, sketch }
}

const fn answer(kind: FigureKind) -> FigureKind {
    FigureKind { is_answer: true, ..kind }
}

/// Figures of single levels, or of simulated players: they are drawn by [`super::state_graph`], [`super::solution`],
/// [`super::on_the_map`] and [`crate::baseline::figures`].
const fn other(kind: Kind, section: &'static str, subject: Subject) -> FigureKind {
    FigureKind { kind, section, is_answer: false, subject, sketch: |_| Ok(Vec::new()) }
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

    /// Returns true if figures of this kind can have one of these names, or names that begin with one of them; always
    /// if there are none.
    pub fn is_among(&self, names: &[String]) -> bool {
        names.is_empty() || names.iter().any(|name| is_related(name, self.kind.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_its_words_and_by_longer_and_shorter_names() {
        let kinds = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            KINDS.iter().filter(|kind| kind.is_among(&names)).map(|kind| kind.kind.name()).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&[]).len(), KINDS.len());
        assert_eq!(kinds(&["state-graph-demo-06"]), ["state-graph"]);
        assert_eq!(kinds(&["time-and-quality"]), ["time-and-quality-by-distance", "time-and-quality-by-legal-moves"]);
        assert_eq!(kinds(&["quality-by-level", "traps"]), ["quality", "traps"]);
        assert_eq!(kinds(&["qualities"]), Vec::<&str>::new());
    }
}
