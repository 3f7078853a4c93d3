//! The kinds of figures that there are: what they are drawn from, and in which section of the report they stand.

use super::{Drawn, Scene, flow, results, steps, times, trajectories, trials};
use plymap_figures::begins_with;

/// A kind of figure.
#[derive(Clone, Copy)]
pub struct FigureKind {
    /// The name of its figures, or the first words of their names.
    pub words: &'static str,
    /// The analysis in whose section they stand, and from which they are drawn; absent for those that need none.
    pub analysis: Option<&'static str>,
    /// What they show.
    pub subject: Subject,
    /// How they are drawn, where all that takes is a scene.
    draw: fn(&Scene) -> Drawn,
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
    of_people("participant-flow", None, flow::participants),
    of_people("moves-against-time", None, trials::moves_against_time),
    of_people("quality", None, trials::quality),
    of_people("time-by-quality", None, times::by_quality),
    of_people("distance-along-attempts", None, trajectories::along_attempts),
    of_people("time-and-quality-by-distance", None, steps::by_distance),
    of_people("distance-over-time", None, trajectories::over_time),
    of_people("time-and-quality-by-legal-moves", None, steps::by_number_of_moves),
    of_people("inter-move-times", None, times::distribution),
    of_people("thinking-and-acting", Some("phases"), trajectories::raster),
    of_people("learning", Some("learning"), trials::learning),
    of_people("correlations-of-participants", Some("participants"), results::correlation_matrix),
    of_people("transitions", Some("sequences"), results::transition_diagrams),
    of_people("survival", Some("survival"), results::survival),
    of_people("time-model", Some("time-model"), results::time_model),
    of_people("difficulty-by", Some("difficulty"), results::difficulty),
    of_people("models-of-choice", Some("choice"), results::model_comparison),
    other("players", None, Subject::Baseline),
    other("state-graph", None, Subject::Level),
    other("solution", None, Subject::Level),
    other("game", None, Subject::Level),
    other("traffic", None, Subject::PeopleOnMap),
    other("trajectory", None, Subject::PeopleOnMap),
    other("attempt", None, Subject::PeopleOnMap),
    other("traps", Some("errors"), Subject::PeopleOnMap),
];

const fn of_people(words: &'static str, analysis: Option<&'static str>, draw: fn(&Scene) -> Drawn) -> FigureKind {
    FigureKind { words, analysis, subject: Subject::People, draw }
}

/// Figures of single levels, or of simulated players: they are drawn by [`super::state_graph`], [`super::solution`],
/// [`super::on_the_map`] and [`crate::baseline::figures`].
const fn other(words: &'static str, analysis: Option<&'static str>, subject: Subject) -> FigureKind {
    FigureKind { words, analysis, subject, draw: |_| Ok(Vec::new()) }
}

impl FigureKind {
    /// Whether figures of this kind can have one of these names, or names that begin with one of them; all have if there
    /// are none.
    pub fn is_among(&self, names: &[String]) -> bool {
        names.is_empty() || names.iter().any(|name| begins_with(name, self.words) || begins_with(self.words, name))
    }
}

/// The figures of people of these kinds.
///
/// # Errors
///
/// [`FigureError`](super::FigureError).
pub fn people<'a>(scene: &Scene, kinds: impl Iterator<Item = &'a FigureKind>) -> Drawn {
    let mut all = Vec::new();
    for kind in kinds {
        all.extend((kind.draw)(scene)?);
    }
    Ok(all)
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

    #[test]
    fn kinds_belong_to_analyses_that_there_are() {
        for kind in KINDS {
            let known = kind.analysis.is_none_or(|name| crate::analysis::Analysis::named(name).is_some());
            assert!(known, "{} belongs to the analysis {:?}", kind.words, kind.analysis);
        }
    }
}
