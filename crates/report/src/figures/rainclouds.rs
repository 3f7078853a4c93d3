//! Figures of groups at a glance: a measure of trials by a factor, one value of each participant.

use super::groups::titled_by_factor;
use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, heading};
use crate::settings::GroupFigure;
use plymap_analysis::two_groups::{GroupMeasure, GroupedMeans, TwoGroups};
use plymap_figures::raincloud::{Cloud, Drop, MOST_CLOUDS, Raincloud};
use plymap_figures::{Label, Message};
use plymap_statistics::record::SENTENCE;
use plymap_statistics::stats::apa::counted;
use plymap_statistics::stats::density::density;
use plymap_statistics::stats::describe::quantile;
use std::collections::BTreeSet;

/// Number of points of a density.
const DENSITY_POINTS: usize = 64;
/// Reach of whiskers from the quartiles, in interquartile ranges (Tukey, 1977, *Exploratory data analysis*).
const WHISKER: f64 = 1.5;

/// A raincloud for each measure by each factor that is wanted; of those that nobody asked for, where there are two to
/// six conditions.
pub(super) fn rainclouds(input: &FigureInput) -> Sketched {
    let drawn = input.groups.iter().filter_map(|wanted| {
        let measure = GroupMeasure::named(wanted.measure)?;
        let means = GroupedMeans::new(input.measures, wanted.factor, measure).ordered(input.first_groups);
        let is_comparison = (2..=MOST_CLOUDS).contains(&means.groups.len());
        (is_comparison || wanted.is_asked).then(|| sketch(input, wanted, measure, &means))
    });
    Ok(drawn.collect())
}

fn sketch(input: &FigureInput, wanted: &GroupFigure, measure: &GroupMeasure, means: &GroupedMeans) -> Sketch {
    let n_groups = means.groups.len();
    let compared = means.compared();
    let units: BTreeSet<&str> = compared.iter().flat_map(|(_, values)| values.iter().map(|(unit, _)| *unit)).collect();
    let unit = wanted.factor.unit_of_analysis();
    let n = counted(units.len() as u64, unit);
    let subtitle = match &compared[..] {
        [(a, _), (b, _)] => {
            let two = TwoGroups::new(means, wanted.factor, [a, b], measure, input.confidence);
            format!("{n}; {}", input.told(&two.sentence(input.confidence)))
        }
        _ if n_groups > 2 && !input.is_pilot => match means.omnibus() {
            Some((_, test)) => format!("{n}; {}", test.text(SENTENCE).unwrap_or_default()),
            None => n,
        },
        _ => n,
    };
    let (title, axis) = titles(measure);
    let clouds =
        if n_groups > MOST_CLOUDS { Vec::new() } else { compared.iter().map(|group| cloud(group, measure)).collect() };
    let chart = Raincloud {
        heading: heading(
            &wanted.name(),
            titled_by_factor(title, wanted.factor),
            subtitle,
            if n_groups > MOST_CLOUDS { Message::TooManyGroups } else { Message::NoTrialHasThisMeasure },
        ),
        y_title: axis,
        log: measure.is_ratio,
        unit: unit.to_owned(),
        is_paired: means.is_paired(),
        explained:
            "whiskers reach to the last value within 1.5 interquartile ranges of them, the density is that of a \
                    Gaussian kernel with Silverman's bandwidth, within the values"
                .to_owned(),
        clouds,
    };
    let trials = if means.only_solved { "solved trials" } else { "trials" };
    let average = if measure.is_ratio { "geometric mean" } else { "mean" };
    let effect = if measure.is_ratio { "the median ratio" } else { "the median difference" };
    let of_two = |test: &str| format!("{test}, the effect {effect} (Hodges and Lehmann) with its interval");
    let test = match (means.is_paired(), n_groups > 2) {
        (_, true) if input.is_pilot => "there is no test, as so few people took part".to_owned(),
        (true, false) => of_two("the test is that of signed ranks within them, as they are in both groups"),
        (false, false) => of_two("the test is that of Mann and Whitney, as each is in one group"),
        (true, true) => "the test is Friedman's, as they are in all groups".to_owned(),
        (false, true) if means.is_independent() => {
            "the test is that of Kruskal and Wallis, as each is in one group".to_owned()
        }
        (false, true) => "there is no test, as they are in some of the groups, and not in all".to_owned(),
    };
    let sentence = format!("Each point is a {unit}: the {average} over the {trials} in the group; {test}");
    Sketch::new(Kind::Raincloud, chart, sentence)
}

/// Values of a group, in the unit of the measure, with their box and density.
fn cloud((label, values): &(&str, Vec<(&str, f64)>), measure: &GroupMeasure) -> Cloud {
    let averaged: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let quartiles = [0.25, 0.5, 0.75].map(|share| quantile(&averaged, share).ok());
    let summary = match quartiles {
        [Some(lower), Some(median), Some(upper)] => {
            let reach = WHISKER * (upper - lower);
            let inside = || averaged.iter().copied().filter(|&value| value >= lower - reach && value <= upper + reach);
            let (low, high) = (inside().fold(lower, f64::min), inside().fold(upper, f64::max));
            Some([low, lower, median, upper, high].map(|value| measure.back(value)))
        }
        _ => None,
    };
    let drop = |(unit, value): &(&str, f64)| Drop { unit: (*unit).to_owned(), value: measure.back(*value) };
    let density = density(&averaged, DENSITY_POINTS);
    Cloud {
        label: (*label).to_owned(),
        drops: values.iter().map(drop).collect(),
        summary,
        density: density.into_iter().map(|(value, density)| (measure.back(value), density)).collect(),
    }
}

/// Title of the figure and of the axis.
fn titles(measure: &GroupMeasure) -> (Message, Label) {
    match measure.key {
        "time_s" => (Message::TimeOfTrials, Message::Time.into()),
        "n_moves" => (Message::MovesOfTrials, Message::NumberOfMoves.into()),
        "excess_moves" => (Message::ExcessOfTrials, Message::ExcessMoves.into()),
        "share_optimal" => (Message::OptimalMovesOfTrials, Message::ShareOfOptimalMoves.into()),
        "mean_regret" => (Message::RegretOfTrials, Message::RegretOfMove.into()),
        "first_move_latency_s" => (Message::FirstMoveLatencyOfTrials, Message::FirstMoveLatency.into()),
        "median_inter_move_s" => (Message::InterMoveTimeOfTrials, Message::MedianInterMoveTimeS.into()),
        _ => (Message::TrialsSolved, Message::ShareOfTrialsSolved.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_has_titles_of_its_own() {
        let titles: BTreeSet<String> = plymap_analysis::two_groups::GROUP_MEASURES
            .iter()
            .map(super::titles)
            .flat_map(|(title, axis)| [title.english().to_owned(), axis.english()])
            .collect();
        assert_eq!(titles.len(), 16);
    }

    #[test]
    fn whiskers_end_at_values_and_points_beyond_them_stay() {
        let regret = GroupMeasure::named("mean_regret").unwrap();
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 40.0].map(|value| ("p", value));
        // The quartiles are 2.25 and 4.75, so that whiskers may reach from −1.5 to 8.5.
        let cloud = cloud(&("a", values.to_vec()), regret);
        assert_eq!(cloud.summary, Some([1.0, 2.25, 3.5, 4.75, 5.0]));
        assert_eq!((cloud.drops.len(), cloud.density.len()), (6, DENSITY_POINTS));
        assert_eq!((cloud.density[0].0, cloud.density[DENSITY_POINTS - 1].0), (1.0, 40.0));
        let time = GroupMeasure::named("time_s").unwrap();
        let logs: Vec<(&str, f64)> = [10.0_f64, 20.0, 40.0].iter().map(|value| ("p", value.ln())).collect();
        let [_, _, median, ..] = super::cloud(&("a", logs), time).summary.unwrap();
        assert!((median - 20.0).abs() < 1e-9);
    }
}
