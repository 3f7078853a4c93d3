//! Figures of single moves by the distance to the goal, the number of legal moves, or the time before them.

use super::groups::{Group, named_by, of_group, titled_by};
use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, distance_title, heading, percent};
use plymap_analysis::dataset::{AttemptRow, MoveRow};
use plymap_analysis::measures::deviations_from_both;
use plymap_analysis::models;
use plymap_figures::binned::{Bin, Binned, Subset};
use plymap_figures::curve::{self, Curve, Curves};
use plymap_figures::{Facets, Label, Message};
use plymap_measures::label::Quality;
use plymap_statistics::stats::apa::counted;
use plymap_statistics::stats::describe::{describe, quantile};
use plymap_statistics::stats::interval::median_interval;
use std::collections::BTreeMap;

/// Time and quality by the distance to the goal.
pub(super) fn by_distance(input: &FigureInput) -> Sketched {
    if !input.data.unit.is_distance() {
        return Ok(Vec::new());
    }
    let by = By {
        kind: Kind::TimeAndQualityByDistance,
        title: Message::TimeAndQualityByDistanceToGoal,
        x_title: distance_title(input.data.unit),
        no_data: Message::NoMoveHasDistance,
        sentence: "Moves by their distance from the goal: the time before them, first moves of attempts left out, and below it their quality",
        number: |row| row.value_before.map(|value| value as i64),
    };
    by.draw(input)
}

/// Time and quality by the number of legal moves.
pub(super) fn by_number_of_moves(input: &FigureInput) -> Sketched {
    let by = By {
        kind: Kind::TimeAndQualityByLegalMoves,
        title: Message::TimeAndQualityByNumberOfLegalMoves,
        x_title: Message::NumberOfLegalMoves.into(),
        no_data: Message::NoMoveWasReplayed,
        sentence: "Moves by the number of legal moves: the time before them, first moves of attempts left out, and below it their quality",
        number: |row| Some(i64::from(row.n_legal)),
    };
    by.draw(input)
}

/// Number by which moves are binned, with the texts of its figure.
struct By {
    kind: Kind,
    title: Message,
    x_title: Label,
    no_data: Message,
    sentence: &'static str,
    number: fn(&MoveRow) -> Option<i64>,
}

impl By {
    /// Draws the figure of all moves, and by facets where they are asked for.
    fn draw(&self, input: &FigureInput) -> Sketched {
        let binning = Binning::new(input.data.moves.iter().filter_map(self.number));
        let subset = |Group { name, members }: Group<&AttemptRow>| {
            let moves: Vec<&MoveRow> = members.iter().flat_map(|attempt| input.data.moves_of(attempt)).collect();
            let subtitle = of_group(&name, &counted(moves.len() as u64, "move"));
            Subset { subtitle, bins: binning.bins(input, &moves, self.number) }
        };
        let usual = input.styles.facets_of(self.kind.name(), Facets::None);
        let mut drawn = Vec::new();
        for facets in [Facets::None].into_iter().chain(Some(usual).filter(|&facets| facets != Facets::None)) {
            let (name, title) = (named_by(self.kind.name(), facets), titled_by(self.title, facets));
            let chart = Binned {
                heading: heading(&name, title, String::new(), self.no_data),
                x_title: self.x_title.clone(),
                confidence: input.confidence.to_string(),
                qualities: Quality::of_unit(input.data.unit).iter().map(|quality| quality.name().to_owned()).collect(),
                subsets: input.attempts(facets).into_iter().map(subset).collect(),
                ..Binned::default()
            };
            drawn.push(Sketch::new(self.kind, chart, self.sentence));
        }
        Ok(drawn)
    }
}

/// Number of parts into which moves are divided by the time before them.
const N_PARTS: usize = 5;

/// Optimal moves by the time before them, compared with what is usual for the person at the level.
pub(super) fn optimal_by_time(input: &FigureInput) -> Sketched {
    let data = input.data;
    let timed = |attempt| data.moves_of(attempt).iter().filter_map(move |row| Some((attempt, row, row.rt_s?)));
    let is_shown = |(_, row, time): &(&AttemptRow, &MoveRow, f64)| row.is_choice() && *time > 0.0;
    let rows: Vec<(&AttemptRow, &MoveRow, f64)> = data.attempts.iter().flat_map(timed).filter(is_shown).collect();
    let [participants, levels] = [|attempt: &AttemptRow| attempt.participant, |attempt: &AttemptRow| attempt.level]
        .map(|place| rows.iter().map(|row| place(row.0)).collect::<Vec<usize>>());
    let longer = deviations_from_both(&participants, &levels, rows.iter().map(|row| row.2.ln()).collect());
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&left, &right| longer[left].total_cmp(&longer[right]));
    let parts = parts(&order, |row| longer[row]);
    let curve = |label: &str, value: fn(&MoveRow) -> f64, has_band: bool| {
        let point = |part: &&[usize]| {
            let mut values_of: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            part.iter().for_each(|&row| values_of.entry(participants[row]).or_default().push(value(rows[row].1)));
            let means: Vec<f64> =
                values_of.values().map(|values| values.iter().sum::<f64>() / values.len() as f64).collect();
            let described = describe(&means);
            let band = described.mean_interval(input.confidence).filter(|_| has_band);
            let times: Vec<f64> = part.iter().map(|&row| longer[row]).collect();
            let x = quantile(&times, 0.5).unwrap_or(f64::NAN).exp();
            curve::Point { x, y: described.mean.unwrap_or(f64::NAN), band }
        };
        Curve { label: label.to_owned(), points: parts.iter().map(point).collect(), ..Curve::default() }
    };
    let curves = vec![
        curve("people", |row| f64::from(u8::from(row.is_optimal)), true),
        curve("chance level", |row| f64::from(row.n_optimal) / f64::from(row.n_legal), false),
    ];
    let reported = input.effect(models::OPTIMAL_OF_TIME);
    let n = counted(rows.len() as u64, "move");
    let told = |effect: models::ReportedEffect| format!("{n}; {}, logistic mixed model", effect.sentence);
    let subtitle = reported.map_or(n.clone(), told);
    let chart = Curves {
        heading: heading(
            "optimal-by-time",
            Message::ShareOfOptimalMovesByTimeBeforeThem,
            subtitle,
            Message::NoMoveHasTime,
        ),
        x_title: Message::TimeBeforeMoveRelativeToUsual.into(),
        y_title: Message::ShareOfOptimalMoves.into(),
        x_log: true,
        y_range: Some((0.0, 1.0)),
        band: Message::IntervalOfMean.with([percent(input.confidence)]),
        pages: vec![if rows.is_empty() { Vec::new() } else { curves }],
        ..Curves::default()
    };
    let sentence = "Moves in five parts of equal size, from those after the shortest to those after the longest time, relative to what is usual for the person and the level; means over participants of their shares of optimal moves, and of what uniformly random choice would reach in the same positions. Moves from positions in which every move is optimal, or none, are left out";
    Ok(vec![Sketch::new(Kind::OptimalByTime, chart, sentence)])
}

/// Rows in rising order of a value, in up to five parts of about equal size. Rows of the same value stay together: which of
/// them came first would say nothing.
fn parts(order: &[usize], value: impl Fn(usize) -> f64) -> Vec<&[usize]> {
    // Equal times of one person at one level differ by rounding alone.
    let same: Vec<&[usize]> = order.chunk_by(|&previous, &next| value(next) - value(previous) < 1e-9).collect();
    let mut parts: Vec<&[usize]> = Vec::new();
    let (mut begin, mut end, mut share) = (0, 0, 1);
    for rows in same {
        end += rows.len();
        if end * N_PARTS >= share * order.len() {
            parts.push(&order[begin..end]);
            (begin, share) = (end, end * N_PARTS / order.len() + 1);
        }
    }
    parts
}

/// The most bins of a figure.
const MOST_BINS: usize = 30;

/// Bins of whole numbers of equal width: each number alone if they are few, else as many together as needed.
struct Binning {
    first: i64,
    width: i64,
}

impl Binning {
    fn new(numbers: impl Iterator<Item = i64>) -> Self {
        let mut numbers: Vec<i64> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        let (first, last) = (numbers.first().copied().unwrap_or(0), numbers.last().copied().unwrap_or(0));
        let width = if numbers.len() <= MOST_BINS { 1 } else { (last - first) / MOST_BINS as i64 + 1 };
        Self { first, width }
    }

    fn bins(&self, input: &FigureInput, moves: &[&MoveRow], number: fn(&MoveRow) -> Option<i64>) -> Vec<Bin> {
        let mut rows: Vec<(i64, &MoveRow)> = moves.iter().filter_map(|row| Some((number(row)?, *row))).collect();
        rows.sort_by_key(|&(number, _)| number);
        let place = |number: i64| (number - self.first) / self.width;
        rows.chunk_by(|left, right| place(left.0) == place(right.0)).map(|rows| bin(input, rows)).collect()
    }
}

fn bin(input: &FigureInput, rows: &[(i64, &MoveRow)]) -> Bin {
    let times: Vec<f64> = rows.iter().filter_map(|(_, row)| row.inter_move_s()).collect();
    let interval = median_interval(&times, input.confidence);
    let at = |share| quantile(&times, share).ok();
    let n_of = |quality: Quality| rows.iter().filter(|(_, row)| row.quality == quality).count() as u64;
    Bin {
        low: rows[0].0,
        high: rows[rows.len() - 1].0,
        n: rows.len() as u64,
        median: at(0.5),
        interval: interval.lower.zip(interval.upper),
        quartiles: at(0.25).zip(at(0.75)),
        counts: Quality::of_unit(input.data.unit).iter().map(|&quality| n_of(quality)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_same_time_are_in_the_same_part() {
        let sizes = |values: &[f64]| -> Vec<usize> {
            let order: Vec<usize> = (0..values.len()).collect();
            parts(&order, |row| values[row]).iter().map(|part| part.len()).collect()
        };
        assert_eq!(sizes(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]), [2, 2, 2, 2, 2]);
        assert_eq!(sizes(&[1.0; 7]), [7]);
        assert_eq!(sizes(&[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]), [9, 1]);
        assert_eq!(sizes(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0]), [8, 2]);
        assert_eq!(sizes(&[]), [] as [usize; 0]);
    }

    #[test]
    fn few_numbers_stand_alone_and_many_share_bins() {
        let few = Binning::new([3, 900, 3, 17].into_iter());
        assert_eq!((few.first, few.width), (3, 1));
        let many = Binning::new(1..=61);
        assert_eq!((many.first, many.width), (1, 3));
        let none = Binning::new(std::iter::empty());
        assert_eq!((none.first, none.width), (0, 1));
    }
}
