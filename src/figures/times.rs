//! Figures of the times between moves: by the quality of the move, and how they are distributed.

use super::groups::{Group, named_by, titled_by};
use super::{Drawn, Scene, counted, heading, on_pages};
use crate::analysis::dataset::AttemptRow;
use crate::analysis::{QualityTimes, test_of_times, times_by_quality};
use plymap_figures::histogram::{self, Component, Histogram};
use plymap_figures::panels::PanelHead;
use plymap_figures::time_by_quality::{Panel, TimeByQuality, Times};
use plymap_figures::{Facets, grouped};
use plymap_statistics::phase::em::Em;
use plymap_statistics::phase::mixture::mixture;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::median_interval;

use super::steps::inter_move_s;

/// Inter-move time by the quality of the move, of all trials, and by facets where they are asked for.
pub(super) fn by_quality(scene: &Scene) -> Drawn {
    const NAME: &str = "time-by-quality";
    const TITLE: &str = "Inter-move time by the quality of the move";
    const NO_DATA: &str = "no move has a recorded time";
    let all = times_by_quality(&scene.measures.trials);
    let chart = TimeByQuality {
        heading: heading(NAME, TITLE, test_of_times(&all).sentence(), NO_DATA),
        y_title: String::new(),
        confidence: scene.confidence.to_string(),
        panels: vec![Panel { times: boxes(&all, scene.confidence), ..Panel::default() }],
    };
    let sentence = "Time before moves of each quality; first moves of attempts are left out";
    let mut illustrations = on_pages(&chart, scene.styles, sentence)?;
    let facets = scene.styles.facets_of(NAME, Facets::None);
    if facets == Facets::None {
        return Ok(illustrations);
    }
    let panels = scene.trials(facets).into_iter().map(|Group { name, members }| {
        let times = times_by_quality(members);
        let head = PanelHead { title: name, statistic: test_of_times(&times).sentence() };
        Panel { head, times: boxes(&times, scene.confidence) }
    });
    let chart = TimeByQuality {
        heading: heading(&named_by(NAME, facets), &titled_by(TITLE, facets), String::new(), NO_DATA),
        y_title: String::new(),
        confidence: scene.confidence.to_string(),
        panels: panels.collect(),
    };
    illustrations.extend(on_pages(&chart, scene.styles, sentence)?);
    Ok(illustrations)
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
pub(super) fn distribution(scene: &Scene) -> Drawn {
    const NAME: &str = "inter-move-times";
    let mut drawn = distribution_by(scene, Facets::None)?;
    match scene.styles.facets_of(NAME, Facets::Level) {
        Facets::None => {}
        facets => drawn.extend(distribution_by(scene, facets)?),
    }
    Ok(drawn)
}

fn distribution_by(scene: &Scene, facets: Facets) -> Drawn {
    let panels = scene.attempts(facets).into_iter().map(|Group { name, members }: Group<&AttemptRow>| {
        let moves = members.iter().flat_map(|attempt| scene.data.moves_of(attempt));
        panel(scene, name, moves.filter_map(inter_move_s).collect())
    });
    let mut panels: Vec<histogram::Panel> = panels.collect();
    let n: usize = panels.iter().map(|panel| panel.values.len()).sum();
    let subtitle = match panels.first_mut() {
        // The statistic of the only panel stands in the subtitle.
        Some(panel) if facets == Facets::None => std::mem::take(&mut panel.head).statistic,
        _ => counted(n as u64, "move"),
    };
    let name = named_by("inter-move-times", facets);
    let title = titled_by("Distribution of inter-move times", facets);
    let chart = Histogram {
        heading: heading(&name, &title, subtitle, "no move has a recorded time"),
        boundary: "as probable in both".to_owned(),
        panels,
        ..Histogram::default()
    };
    let sentence = "Times before moves on a logarithmic axis, first moves of attempts left out, with a mixture of two log-normal distributions fitted to them; longer times are those of thinking";
    Ok(on_pages(&chart, scene.styles, sentence)?)
}

fn panel(scene: &Scene, name: String, times: Vec<f64>) -> histogram::Panel {
    let mut components: Vec<Component> = Vec::new();
    if let Ok(found) = mixture(&times, 2, &Em::new(scene.seed)).outcome.map(|found| found.parameters) {
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
