//! Figures of model diagnostics, a panel for each mixed model; drawn from their tables.

use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, heading};
use plymap_analysis::columns::{FACTOR, MODEL};
use plymap_analysis::models::diagnostics::*;
use plymap_figures::Message;
use plymap_figures::panels::PanelHead;
use plymap_figures::scatter::{Axes, Fit, Panel, Point, Scatter};
use plymap_statistics::stats::apa;
use plymap_tables::{Column, Table};
use std::collections::BTreeMap;

/// Standardised residuals by fitted values.
pub(super) fn residuals(input: &FigureInput) -> Sketched {
    let chart = Scatter {
        heading: heading("model-residuals", Message::ResidualsOfMixedModels, String::new(), NONE),
        axes: axes(Message::PercentileOfFittedValue, Message::ResidualSD, "percentile of a bin"),
        groups: vec![Message::TwoPercentiles.with(["5", "95"]), Message::Quartiles.into(), Message::Median.into()],
        line: Message::MedianAt.with(["0"]),
        ..Scatter::default()
    };
    let sentence = "Residuals of each linear model in bins of equal numbers by their fitted values, on the scale of the model; where it fits, each percentile runs level, and medians are at 0";
    of_part(Kind::ModelResiduals, input, chart, "fitted", (SPREAD_RATIO, "spread, high to low: "), sentence, |rows| {
        let n = rows.len() as f64;
        let x = |bin: usize| 100.0 * (bin as f64 + 0.5) / n;
        let point = |(bin, row): (usize, &Row)| {
            let [lowest, q1, q3, highest] = row.percentiles;
            [(lowest, 0), (highest, 0), (q1, 1), (q3, 1), (row.y, 2)].map(|(y, group)| Point {
                x: x(bin),
                y: y.unwrap_or(f64::NAN),
                group: Some(group),
            })
        };
        let points = rows.iter().enumerate().flat_map(point).collect();
        (points, line(&[(0.0, 0.0), (100.0, 0.0)]))
    })
}

/// Quantiles of residuals against those of the normal distribution.
pub(super) fn quantiles(input: &FigureInput) -> Sketched {
    let chart = Scatter {
        heading: heading("model-quantiles", Message::QuantilesOfResidualsOfMixedModels, String::new(), NONE),
        axes: axes(Message::NormalQuantile, Message::QuantileOfResidualsSD, "quantile"),
        line: Message::Normal.into(),
        ..Scatter::default()
    };
    let sentence = "Quantiles of the standardised residuals of each linear model against those of the normal distribution; where residuals are normal, points lie on the line";
    of_part(Kind::ModelQuantiles, input, chart, "quantiles", (SKEWNESS, "skewness: "), sentence, |rows| {
        let points: Vec<Point> = rows.iter().map(Row::point).collect();
        let ends = [points.first(), points.last()].into_iter().flatten();
        let normal: Vec<(f64, f64)> = ends.map(|end| (end.x, end.x)).collect();
        (points, line(&normal))
    })
}

/// Observed shares against fitted probabilities.
pub(super) fn shares(input: &FigureInput) -> Sketched {
    let chart = Scatter {
        heading: heading("model-shares", Message::SharesAndProbabilitiesOfMixedModels, String::new(), NONE),
        axes: axes(Message::FittedProbability, Message::ObservedShare, "bin of equal numbers"),
        line: Message::ShareProbability.into(),
        ..Scatter::default()
    };
    let sentence = "How often it happened against the fitted probability, for each logistic model; where it fits, points lie on the line";
    of_part(Kind::ModelShares, input, chart, "shares", (N_BINS_OFF, "bins off: "), sentence, |rows| {
        let points = rows.iter().map(Row::point).collect();
        (points, line(&[(0.0, 0.0), (1.0, 1.0)]))
    })
}

/// Changes of the effects of interest without single participants or levels, in standard errors.
pub(super) fn influence(input: &FigureInput) -> Sketched {
    let (Some(models), Some(table)) = (input.table("model_diagnostics"), input.table("model_influence")) else {
        return Ok(Vec::new());
    };
    let [names, factors] = [table.texts(MODEL)?, table.texts(FACTOR)?];
    let changes = table.numbers(CHANGE)?;
    let kinds = ["participant", "level"];
    let panel = |model: String| {
        let of_kind = |(group, kind): (usize, &&str)| {
            let is_own = |row: &usize| names[*row] == model && factors[*row] == **kind;
            let mut sorted: Vec<f64> = (0..names.len()).filter(is_own).filter_map(|row| changes[row]).collect();
            sorted.sort_by(f64::total_cmp);
            let n = sorted.len() as f64;
            let point = |(place, y)| Point { x: 100.0 * (place as f64 + 0.5) / n, y, group: Some(group) };
            sorted.into_iter().enumerate().map(point).collect::<Vec<Point>>()
        };
        let points = kinds.iter().enumerate().flat_map(of_kind).collect();
        let most = largest(models, &model);
        Panel { head: PanelHead { title: model, statistic: most }, points, fit: line(&[(0.0, 0.0), (100.0, 0.0)]) }
    };
    let chart = Scatter {
        heading: heading(
            "model-influence",
            Message::InfluenceOfParticipantsAndLevelsOnMixedModels,
            String::new(),
            NONE,
        ),
        axes: axes(Message::PercentileAmongParticipantsOrLevels, Message::ChangeOfEffectSE, "participant or level"),
        groups: vec![Message::Participant.into(), Message::Level.into()],
        line: Message::NoChange.into(),
        panels: models.texts(MODEL)?.into_iter().map(panel).collect(),
        ..Scatter::default()
    };
    if chart.panels.is_empty() {
        return Ok(Vec::new());
    }
    let sentence = "By how many of its standard errors the effect that a model is about would change without each participant or level, variances staying as they are; of several effects that which changes most";
    Ok(vec![Sketch::new(Kind::ModelInfluence, chart, sentence)])
}

const NONE: Message = Message::ThereIsNoModelOfThisKind;

/// A row of the table of residuals.
struct Row {
    x: Option<f64>,
    y: Option<f64>,
    percentiles: [Option<f64>; 4],
}

impl Row {
    fn point(&self) -> Point {
        Point { x: self.x.unwrap_or(f64::NAN), y: self.y.unwrap_or(f64::NAN), group: None }
    }
}

/// The chart with a panel for each model that has such a part; nothing where none has. Above each panel stands a cell of
/// the table of models.
fn of_part(
    kind: Kind,
    input: &FigureInput,
    mut chart: Scatter,
    part: &str,
    (column, words): (Column, &str),
    sentence: &str,
    points: impl Fn(&[Row]) -> (Vec<Point>, Option<Fit>),
) -> Sketched {
    let (Some(models), Some(table)) = (input.table("model_diagnostics"), input.table("model_residuals")) else {
        return Ok(Vec::new());
    };
    let [names, parts] = [table.texts(MODEL)?, table.texts(PART)?];
    let (x, y) = (table.numbers(X)?, table.numbers(Y)?);
    let [lowest, q1, q3, highest] =
        [table.numbers(LOWEST)?, table.numbers(Q1)?, table.numbers(Q3)?, table.numbers(HIGHEST)?];
    let mut by_model: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for row in (0..names.len()).filter(|&row| parts[row] == part) {
        let percentiles = [lowest[row], q1[row], q3[row], highest[row]];
        by_model.entry(&names[row]).or_default().push(Row { x: x[row], y: y[row], percentiles });
    }
    for model in models.texts(MODEL)? {
        let Some(rows) = by_model.get(model.as_str()) else { continue };
        let (points, fit) = points(rows);
        let value = models.row(&[(MODEL, &model)]).and_then(|row| models.number_at(row, column));
        let said = |value: f64| if value.fract() == 0.0 { value.to_string() } else { apa::number(value, 2) };
        let statistic = value.map_or(String::new(), |value| format!("{words}{}", said(value)));
        chart.panels.push(Panel { head: PanelHead { title: model, statistic }, points, fit });
    }
    if chart.panels.is_empty() { Ok(Vec::new()) } else { Ok(vec![Sketch::new(kind, chart, sentence)]) }
}

/// The greatest change of an effect of a model.
fn largest(models: &Table, model: &str) -> String {
    let cell = |column| models.number_at(models.row(&[(MODEL, model)])?, column);
    let changes = [PARTICIPANT_CHANGE, LEVEL_CHANGE].into_iter().filter_map(cell);
    let most = changes.max_by(|left, right| left.abs().total_cmp(&right.abs()));
    most.map_or(String::new(), |change| format!("largest: {}", apa::number(change, 2)))
}

fn axes(x: Message, y: Message, point: &str) -> Axes {
    Axes { x_title: x.into(), y_title: y.into(), log: false, point: point.to_owned() }
}

fn line(points: &[(f64, f64)]) -> Option<Fit> {
    Some(Fit { x: points.iter().map(|point| point.0).collect(), y: points.iter().map(|point| point.1).collect() })
}
