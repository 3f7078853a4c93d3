//! The figures of participants compared with simulated baselines.

use plymap_statistics::stats::apa::counted;
use std::collections::BTreeSet;

use super::{Comparison, PlayerScore};
use plymap_figures::ranking::{Category, Ranking};
use plymap_figures::{Heading, Label, Message, Reference};
use plymap_puzzles::game::Unit;
use plymap_report::figures::{Kind, Sketch, drawn};

/// One figure for each of chance-normalised score, share of optimal moves, excess moves and regret per move: a row for
/// each cohort, with its players, and one for each person.
///
/// Of more than 200 people so many are shown, drawn with this seed.
pub fn figures(comparison: &Comparison, seed: u64) -> Vec<Sketch> {
    let unit = comparison.unit.name();
    let (regret, excess) = if comparison.unit == Unit::Moves {
        (Message::MeanRegret.into(), Message::MeanExcess.into())
    } else {
        let untranslated = |what: &str| Label::untranslated(format!("{what} ({unit})"));
        (untranslated("mean regret of a move"), untranslated("mean excess of solved trials"))
    };
    let mut all = vec![sketch(
        comparison,
        seed,
        (
            "players-chance-normalised-score",
            Message::PeopleBetweenChanceAndOptimalPlay,
            Message::ChanceNormalisedScore.with(["0", "1"]),
        ),
        |score| score.chance_normalised_score,
        (true, Some(Reference { value: 1.0, label: Message::Optimal.into() })),
    )];
    all.push(sketch(
        comparison,
        seed,
        (
            "players-share-optimal",
            Message::ShareOfOptimalMovesOfPeopleAndSimulatedPlayers,
            Message::ShareOfOptimalMoves.into(),
        ),
        |score| score.summary.tally.share_optimal(),
        (true, None),
    ));
    all.push(sketch(
        comparison,
        seed,
        ("players-regret", Message::RegretOfPeopleAndSimulatedPlayers, regret),
        |score| score.summary.tally.mean_regret(),
        (false, None),
    ));
    if comparison.unit.is_distance() {
        all.push(sketch(
            comparison,
            seed,
            ("players-excess-moves", Message::ExcessMovesOfPeopleAndSimulatedPlayers, excess),
            |score| score.summary.mean_excess_moves(),
            (false, None),
        ));
    }
    all
}

/// Maximum number of people with a row of their own.
const MOST_PEOPLE: usize = 200;

fn sketch(
    comparison: &Comparison,
    seed: u64,
    (name, title, axis): (&str, Message, Label),
    value: impl Fn(&PlayerScore) -> Option<f64>,
    (more_is_better, reference): (bool, Option<Reference>),
) -> Sketch {
    let cohorts = comparison.cohorts();
    let mut categories: Vec<Category> = cohorts
        .iter()
        .map(|(cohort, members)| {
            let points: Vec<f64> = members.iter().filter_map(|member| value(member)).collect();
            let estimate = (!points.is_empty()).then(|| points.iter().sum::<f64>() / points.len() as f64);
            let points = if points.len() > 1 { points } else { Vec::new() };
            Category { label: (*cohort).to_owned(), group: Some(1), estimate, points, ..Category::default() }
        })
        .collect();
    let shown = shown(comparison.people().map(|person| value(person).is_some()).collect(), seed);
    let people = comparison.people().enumerate().filter(|(number, _)| shown.contains(number));
    let people = people.map(|(_, person)| Category {
        label: person.player.clone(),
        group: Some(0),
        estimate: value(person),
        ..Category::default()
    });
    categories.extend(people);
    // Who plays best stands first, people and cohorts in one order; who has no value stands last.
    let worth = |category: &Category| match category.estimate {
        Some(value) if more_is_better => -value,
        Some(value) => value,
        None => f64::INFINITY,
    };
    categories.sort_by(|left, right| worth(left).total_cmp(&worth(right)));
    let n_people = comparison.people().count();
    let n_cohorts = cohorts.len();
    let chart = Ranking {
        heading: Heading {
            name: name.to_owned(),
            title: title.into(),
            subtitle: format!(
                "{}, {}{}",
                counted(n_people, "person"),
                counted(n_cohorts, "simulated cohort"),
                if shown.len() < n_people {
                    format!("; {} people are shown, drawn at random", shown.len())
                } else {
                    String::new()
                }
            ),
            no_data_reason: Message::NobodyHasSuchValue.into(),
        },
        x_title: axis,
        estimate: "mean".to_owned(),
        point: "simulated player".to_owned(),
        groups: vec![Message::Person.into(), Message::SimulatedCohort.into()],
        reference,
        categories,
        ..Ranking::default()
    };
    let sentence = format!("{}, at the levels that people played, from the best to the worst", title.english());
    Sketch::new(Kind::Players, chart, sentence)
}

/// Draws the people to show, by their numbers: those with a value before those without one.
fn shown(has_value: Vec<bool>, seed: u64) -> BTreeSet<usize> {
    let (with, without): (Vec<usize>, Vec<usize>) = (0..has_value.len()).partition(|&person| has_value[person]);
    let rest = MOST_PEOPLE.saturating_sub(with.len());
    let sample =
        |people: &[usize], most| drawn(people.len(), most, seed).into_iter().map(|number| people[number]).collect();
    let (with, without): (Vec<usize>, Vec<usize>) = (sample(&with, MOST_PEOPLE), sample(&without, rest));
    with.into_iter().chain(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_a_value_is_shown_first() {
        let people = |n_with: usize, n: usize| (0..n).map(|person| person % (n / n_with) == 0).collect::<Vec<_>>();
        let n_with =
            |has_value: &[bool], shown: &BTreeSet<usize>| shown.iter().filter(|&&person| has_value[person]).count();
        let few = people(30, 1_200);
        let sampled = shown(few.clone(), 1);
        assert_eq!((sampled.len(), n_with(&few, &sampled)), (MOST_PEOPLE, 30));
        let many = people(600, 1_200);
        let sampled = shown(many.clone(), 1);
        assert_eq!((sampled.len(), n_with(&many, &sampled)), (MOST_PEOPLE, MOST_PEOPLE));
        assert_eq!(shown(vec![false; 3], 1).len(), 3);
    }
}
