//! Figures of the times between moves: by the quality of the move, and how they are distributed.

use super::groups::{Group, named_by, titled_by};
use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, heading};
use super::steps::inter_move_s;
use plymap_analysis::columns::MODEL;
use plymap_analysis::dataset::AttemptRow;
use plymap_analysis::{QualityTimes, models, times_by_quality};
use plymap_figures::histogram::{self, Component, Histogram};
use plymap_figures::panels::PanelHead;
use plymap_figures::time_by_quality::{Panel, TimeByQuality, Times};
use plymap_figures::{Facets, Label, Message, grouped};
use plymap_statistics::phase::em::Em;
use plymap_statistics::phase::mixture::mixture;
use plymap_statistics::record::N;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::apa::counted;
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::median_interval;
use plymap_tables::Table;

/// Inter-move time by the quality of the move, of all trials, and by facets where they are asked for.
pub(super) fn by_quality(input: &FigureInput) -> Sketched {
    const NAME: &str = "time-by-quality";
    const TITLE: Message = Message::InterMoveTimeByQualityOfMove;
    const NO_DATA: Message = Message::NoMoveHasTime;
    let times = boxes(&times_by_quality(input.measures.trials.iter()), input.confidence);
    let test = test_of_quality(|name| input.table(name));
    let sentence = "Time before moves of each quality; first moves of attempts are left out; intervals of medians are as if moves were independent";
    let told = match &test {
        Some(_) => format!("{sentence}; the test is that of quality in the mixed model move-time"),
        None => sentence.to_owned(),
    };
    let chart = TimeByQuality {
        heading: heading(NAME, TITLE, test.unwrap_or_else(|| counted(n_moves(&times), "move")), NO_DATA),
        y_title: Label::none(),
        confidence: input.confidence.to_string(),
        panels: vec![Panel { times, ..Panel::default() }],
    };
    let mut illustrations = vec![Sketch::new(Kind::TimeByQuality, chart, told)];
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
    let sentence = models::test(table, models::QUALITY_OF_TIME)?;
    Some(format!("{sentence}, mixed model, {}", counted(n as u64, "move")))
}

fn n_moves(times: &[Times]) -> u64 {
    times.iter().map(|one| one.n).sum()
}

fn boxes(groups: &[QualityTimes], confidence: Confidence) -> Vec<Times> {
    let times = groups.iter().map(|group| {
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
    let panels = input.attempts(facets).into_iter().map(|Group { name, members }: Group<&AttemptRow>| {
        let moves = members.iter().flat_map(|attempt| input.data.moves_of(attempt));
        panel(input, name, moves.filter_map(inter_move_s).collect())
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

fn panel(input: &FigureInput, name: String, times: Vec<f64>) -> histogram::Panel {
    let mut components: Vec<Component> = Vec::new();
    if let Ok(found) = mixture(&times, 2, &Em::new(input.seed)).outcome.map(|found| found.parameters) {
        let mut parts: Vec<(f64, f64, f64)> = found
            .weights
            .iter()
            .zip(&found.means)
            .zip(&found.sds)
            .map(|((&weight, &mean), &sd)| (weight, mean, sd))
            .collect();
        parts.sort_by(|one, other| one.1.total_cmp(&other.1));
        for (name, (weight, log_mean, log_sd)) in ["acting", "thinking"].into_iter().zip(parts) {
            components.push(Component { name: name.to_owned(), weight, log_mean, log_sd });
        }
    }
    let n = grouped(times.len() as u64);
    let statistic = match &components[..] {
        [acting, thinking] => {
            let (acting, thinking) = (acting.log_mean.exp(), thinking.log_mean.exp());
            format!("n = {n}; medians {acting:.2} s and {thinking:.2} s")
        }
        _ => format!("n = {n}; no mixture fits"),
    };
    let boundary = match &components[..] {
        [acting, thinking] => boundary(acting, thinking),
        _ => None,
    };
    histogram::Panel { head: PanelHead { title: name, statistic }, values: times, components, boundary }
}

/// Where, between the means of the logarithms, both components are equally probable.
fn boundary(acting: &Component, thinking: &Component) -> Option<f64> {
    let weight = |component: &Component, log: f64| {
        let z = (log - component.log_mean) / component.log_sd;
        component.weight.ln() - component.log_sd.ln() - z * z / 2.0
    };
    let difference = |log: f64| weight(thinking, log) - weight(acting, log);
    let (mut low, mut high) = (acting.log_mean, thinking.log_mean);
    if !(difference(low) < 0.0 && difference(high) > 0.0) {
        return None;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if difference(middle) < 0.0 { low = middle } else { high = middle }
    }
    Some(high.exp())
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
    fn the_test_of_times_is_that_of_the_mixed_model() {
        let said = |rows: &[(&str, Option<f64>, &str)]| {
            let tables = model(rows);
            test_of_quality(|name| tables.iter().find(|own| own.name == name))
        };
        let found = said(&[("ply", Some(0.5), ""), ("quality", Some(0.718), "")]);
        assert_eq!(found.as_deref(), Some("F(2, 106.9) = 0.33, p = .862 (adjusted), mixed model, 10,529 moves"));
        assert_eq!(said(&[("ply", Some(0.5), "")]), None, "all moves have one quality");
        assert_eq!(said(&[("quality", None, "")]), None);
        assert_eq!(said(&[("quality", Some(0.718), "the fit did not converge")]), None);
    }
}
