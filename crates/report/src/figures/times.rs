//! Figures of the times between moves: by the quality of the move, and how they are distributed.

use super::groups::{Group, named_by, titled_by};
use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, heading};
use plymap_analysis::columns::{GROUP, MODEL, SCOPE};
use plymap_analysis::dataset::{AttemptRow, MoveRow};
use plymap_analysis::time_mixtures::{ACTING, BOUNDARY_S, ComponentColumns, POOLED, THINKING, TIME_MIXTURES};
use plymap_analysis::{QualityTimes, models, times_by_quality};
use plymap_figures::histogram::{self, Component, Histogram};
use plymap_figures::panels::PanelHead;
use plymap_figures::time_by_quality::{Panel, TimeByQuality, Times};
use plymap_figures::{Facets, Label, Message, grouped};
use plymap_statistics::record::N;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::apa::counted;
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::median_interval;
use plymap_tables::Table;
use polars::prelude::PolarsResult;
use std::collections::HashMap;

/// Inter-move time by the quality of the move, of all trials, and by facets where they are asked for.
pub(super) fn by_quality(input: &FigureInput) -> Sketched {
    const NAME: &str = "time-by-quality";
    const TITLE: Message = Message::InterMoveTimeByQualityOfMove;
    const NO_DATA: Message = Message::NoMoveHasTime;
    let times = boxes(&times_by_quality(input.measures.trials.iter()), input.confidence);
    let test = test_of_quality(|name| input.table(name)).filter(|_| !input.is_pilot);
    let sentence = "Time before moves of each quality; first moves of attempts are left out; intervals of medians are as if moves were independent";
    let caption = match &test {
        Some(_) => format!("{sentence}; the test is that of quality in the mixed model move-time"),
        None => sentence.to_owned(),
    };
    let chart = TimeByQuality {
        heading: heading(NAME, TITLE, test.unwrap_or_else(|| counted(n_moves(&times), "move")), NO_DATA),
        y_title: Label::none(),
        confidence: input.confidence.to_string(),
        panels: vec![Panel { times, ..Panel::default() }],
    };
    let mut illustrations = vec![Sketch::new(Kind::TimeByQuality, chart, caption)];
    let facets = input.styles.facets_of(NAME, Facets::None);
    if facets == Facets::None {
        return Ok(illustrations);
    }
    let panels = input.trials(facets).into_iter().map(|Group { name, members }| {
        let times = boxes(&times_by_quality(members), input.confidence);
        let head = PanelHead { title: name, statistic: format!("n = {}", grouped(n_moves(&times))) };
        Panel { head, times }
    });
    let chart = TimeByQuality {
        heading: heading(&named_by(NAME, facets), titled_by(TITLE, facets), String::new(), NO_DATA),
        y_title: Label::none(),
        confidence: input.confidence.to_string(),
        panels: panels.collect(),
    };
    illustrations.push(Sketch::new(Kind::TimeByQuality, chart, sentence));
    Ok(illustrations)
}

/// The test of quality in the mixed model of times, with the number of moves that it rests on: those of the boxes may be
/// others, such as illegal ones. Absent where the model says nothing that can be relied on.
fn test_of_quality<'a>(table: impl Fn(&str) -> Option<&'a Table>) -> Option<String> {
    let fits = table("model_fits")?;
    let n = fits.number_at(fits.row(&[(MODEL, models::QUALITY_OF_TIME.0)])?, N)?;
    let sentence = models::test(table, models::QUALITY_OF_TIME)?.sentence;
    Some(format!("{sentence}, mixed model, {}", counted(n as u64, "move")))
}

fn n_moves(times: &[Times]) -> u64 {
    times.iter().map(|group| group.n).sum()
}

fn boxes(groups: &[QualityTimes], confidence: Confidence) -> Vec<Times> {
    let times = groups.iter().map(|group| {
        // The axis is logarithmic.
        let positive: Vec<f64> = group.times_s.iter().copied().filter(|&time| time > 0.0).collect();
        let at = |share| quantile(&positive, share).ok();
        let quantiles = (|| Some([at(0.05)?, at(0.25)?, at(0.5)?, at(0.75)?, at(0.95)?]))();
        let interval = median_interval(&positive, confidence);
        Times {
            label: group.quality.name().to_owned(),
            n: positive.len() as u64,
            quantiles,
            median_interval: interval.lower.zip(interval.upper),
            density: Vec::new(),
        }
    });
    times.collect()
}

/// The distribution of inter-move times, of all moves and by level, with a mixture of two log-normal components.
pub(super) fn distribution(input: &FigureInput) -> Sketched {
    const NAME: &str = "inter-move-times";
    let mut drawn = distribution_by(input, Facets::None)?;
    match input.styles.facets_of(NAME, Facets::Level) {
        Facets::None => {}
        facets => drawn.extend(distribution_by(input, facets)?),
    }
    Ok(drawn)
}

fn distribution_by(input: &FigureInput, facets: Facets) -> Sketched {
    let scope = if facets == Facets::None { POOLED } else { facets.name() };
    let mixtures = input.table(TIME_MIXTURES).map(|table| mixtures(table, scope)).transpose()?.unwrap_or_default();
    let panels = input.attempts(facets).into_iter().map(|Group { name, members }: Group<&AttemptRow>| {
        let moves = members.iter().flat_map(|attempt| input.data.moves_of(attempt));
        panel(mixtures.get(&name), name, moves.filter_map(MoveRow::inter_move_s).collect())
    });
    let mut panels: Vec<histogram::Panel> = panels.collect();
    let n: usize = panels.iter().map(|panel| panel.values.len()).sum();
    let subtitle = match panels.first_mut() {
        // The statistic of the only panel stands in the subtitle.
        Some(panel) if facets == Facets::None => std::mem::take(&mut panel.head).statistic,
        _ => counted(n as u64, "move"),
    };
    let name = named_by("inter-move-times", facets);
    let title = titled_by(Message::DistributionOfInterMoveTimes, facets);
    let chart = Histogram {
        heading: heading(&name, title, subtitle, Message::NoMoveHasTime),
        boundary: Message::AsProbableInBoth.into(),
        panels,
        ..Histogram::default()
    };
    let sentence = "Times before moves on a logarithmic axis, first moves of attempts left out, with a mixture of two log-normal distributions fitted to them; longer times are those of thinking";
    Ok(vec![Sketch::new(Kind::InterMoveTimes, chart, sentence)])
}

/// A fitted mixture of two components.
struct TimeMixture {
    components: Vec<Component>,
    medians_s: [f64; 2],
    boundary_s: Option<f64>,
}

/// The mixtures of the groups of a scope, where they could be fitted.
fn mixtures(table: &Table, scope: &str) -> PolarsResult<HashMap<String, TimeMixture>> {
    let (scopes, groups) = (table.texts(SCOPE)?, table.texts(GROUP)?);
    let component = |row: usize, columns: ComponentColumns| {
        Some(Component {
            name: columns.name.to_owned(),
            weight: table.number_at(row, columns.weight)?,
            log_mean: table.number_at(row, columns.log_mean)?,
            log_sd: table.number_at(row, columns.log_sd)?,
        })
    };
    let mixture = |row: usize| {
        Some(TimeMixture {
            components: vec![component(row, ACTING)?, component(row, THINKING)?],
            medians_s: [table.number_at(row, ACTING.median_s)?, table.number_at(row, THINKING.median_s)?],
            boundary_s: table.number_at(row, BOUNDARY_S),
        })
    };
    let rows = groups.into_iter().enumerate().filter(|(row, _)| scopes[*row] == scope);
    Ok(rows.filter_map(|(row, group)| Some((group, mixture(row)?))).collect())
}

fn panel(mixture: Option<&TimeMixture>, name: String, times: Vec<f64>) -> histogram::Panel {
    let n = grouped(times.len() as u64);
    let statistic = match mixture {
        Some(TimeMixture { medians_s: [acting, thinking], .. }) => {
            format!("n = {n}; medians {acting:.2} s and {thinking:.2} s")
        }
        None => format!("n = {n}; no mixture fits"),
    };
    histogram::Panel {
        head: PanelHead { title: name, statistic },
        values: times,
        components: mixture.map(|mixture| mixture.components.clone()).unwrap_or_default(),
        boundary: mixture.and_then(|mixture| mixture.boundary_s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_tables::Columns;
    use plymap_tables::{number, text};

    /// The tables of a model: its terms with p and reason, and its number of moves.
    fn model(rows: &[(&str, Option<f64>, &str)]) -> [Table; 2] {
        let terms = Columns::new()
            .column(rows, text("model", ""), |_| "move-time".to_owned())
            .column(rows, text("term", ""), |row| row.0.to_owned())
            .column(rows, number("p_value", ""), |row| row.1)
            .column(rows, number("p_adjusted", ""), |row| row.1.map(|p| (1.2 * p).min(1.0)))
            .column(rows, text("sentence", ""), |_| "F(2, 106.9) = 0.33, p = .718".to_owned())
            .column(rows, text("reason", ""), |row| (!row.2.is_empty()).then(|| row.2.to_owned()))
            .into_table("model_terms", "A table.");
        let fits = Columns::new()
            .column(&[()], text("model", ""), |()| "move-time".to_owned())
            .column(&[()], number("n", ""), |()| Some(10_529.0))
            .into_table("model_fits", "A table.");
        [terms, fits]
    }

    #[test]
    fn a_panel_shows_the_mixture_of_its_group() {
        let rows =
            [(POOLED, "", Some(0.5)), ("level", "A", Some(1.0)), ("level", "B", None), ("participant", "A", Some(3.0))];
        let rows = &rows[..];
        let table = Columns::new()
            .column(rows, SCOPE, |row| row.0.to_owned())
            .column(rows, GROUP, |row| (!row.1.is_empty()).then(|| row.1.to_owned()));
        let columns = |table: Columns, component: ComponentColumns| {
            let columns = [component.weight, component.log_mean, component.log_sd, component.median_s];
            columns.into_iter().fold(table, |table, column| table.column(rows, column, |row| row.2))
        };
        let table = [ACTING, THINKING].into_iter().fold(table, columns);
        let table = table
            .column(rows, BOUNDARY_S, |row| row.2.filter(|time| *time > 1.0))
            .into_table("time_mixtures", "A table.");
        let of_levels = mixtures(&table, "level").expect("the columns");
        let drawn = |name: &str| panel(of_levels.get(name), name.to_owned(), vec![2.0; 1_200]);
        assert_eq!(drawn("A").head.statistic, "n = 1,200; medians 1.00 s and 1.00 s");
        let names: Vec<String> = drawn("A").components.into_iter().map(|component| component.name).collect();
        assert_eq!((names, drawn("A").boundary), (vec!["acting".to_owned(), "thinking".to_owned()], None));
        for without in ["B", "C"] {
            assert_eq!(drawn(without).head.statistic, "n = 1,200; no mixture fits");
            assert!(drawn(without).components.is_empty());
        }
        assert_eq!(mixtures(&table, POOLED).expect("the columns").keys().collect::<Vec<_>>(), [""]);
        assert_eq!(mixtures(&table, "participant").expect("the columns")["A"].boundary_s, Some(3.0));
    }

    #[test]
    fn the_test_of_times_is_that_of_the_mixed_model() {
        let said = |rows: &[(&str, Option<f64>, &str)]| {
            let tables = model(rows);
            test_of_quality(|name| tables.iter().find(|table| table.name == name))
        };
        let sentence = said(&[("ply", Some(0.5), ""), ("quality", Some(0.718), "")]);
        assert_eq!(
            sentence.as_deref(),
            Some("F(2, 106.9) = 0.33, p = .862 (adjusted over 2 tests), mixed model, 10,529 moves")
        );
        assert_eq!(said(&[("ply", Some(0.5), "")]), None, "all moves have one quality");
        assert_eq!(said(&[("quality", None, "")]), None);
        assert_eq!(said(&[("quality", Some(0.718), "the fit did not converge")]), None);
    }
}
