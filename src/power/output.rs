//! The figure and the report of a study of power.

use super::curve::PowerCurve;
use plymap_figures::curve::{Curve, Curves, Point};
use plymap_figures::{Heading, Label, Reference};
use plymap_measures::measure::Measure;
use plymap_report::ReportContent;
use plymap_report::figures::{Kind, Sketch};
use plymap_run::RunError;
use plymap_run::publish::Page;
use plymap_run::study::{Power, Study};
use plymap_statistics::stats::apa::counted;

fn what(power: &Power) -> String {
    let title = |name: &String| Measure::of_power_named(name).map_or(name.as_str(), |(_, title)| title).to_owned();
    let outcome = match (&power.measure, &power.model) {
        (Some(measure), _) => title(measure),
        (None, model) => format!("the model {}", model.as_deref().unwrap_or_default()),
    };
    match &power.with {
        Some(with) => format!("{outcome} with {} in cohort {}", title(with), power.cohorts[0]),
        None => format!("{outcome}: {} against {}", power.cohorts[1], power.cohorts[0]),
    }
}

/// The curve of the power.
pub(super) fn figure(curve: &PowerCurve, power: &Power, study: &Study) -> Sketch {
    let points = curve.points.iter().filter_map(|point| {
        let band = point.power.lower.zip(point.power.upper);
        Some(Point { x: f64::from(point.n), y: point.power.estimate?, band })
    });
    let confidence = study.statistics.confidence;
    let chart = Curves {
        heading: Heading {
            name: "power".to_owned(),
            title: Label::untranslated("Power by number of participants"),
            subtitle: format!(
                "{}; {}, α = {}; {} for each n",
                what(power),
                curve.test.title(),
                power.alpha,
                counted(power.repeats, "simulated experiment")
            ),
            no_data_reason: Label::untranslated("no experiment could be simulated"),
        },
        x_title: Label::untranslated(if curve.test.compares() {
            "participants of each cohort"
        } else {
            "participants"
        }),
        y_title: Label::untranslated("power"),
        y_range: Some((0.0, 1.0)),
        band: Label::untranslated(format!("{confidence} interval")),
        reference: Some(Reference {
            value: power.target,
            label: Label::untranslated(format!("power {}", power.target)),
        }),
        pages: vec![vec![Curve { label: "simulated".to_owned(), points: points.collect(), ..Curve::default() }]],
        ..Curves::default()
    };
    let sentence = "Share of simulated experiments that found the effect, by their size";
    Sketch::new(Kind::Power, chart, sentence)
}

/// Returns the content of the report.
pub(super) fn report(
    mut page: Page,
    study: &Study,
    power: &Power,
    n_levels: usize,
    curve: &PowerCurve,
) -> Result<ReportContent, RunError> {
    let needed = match curve.needed {
        Some(n) => format!(
            "A power of {} needs about {}{}, if the effect is as large as these cohorts say.",
            power.target,
            counted(n, "participant"),
            if curve.test.compares() { " in each cohort" } else { "" }
        ),
        None => format!("A power of {} is not reached with any number of participants that was tried.", power.target),
    };
    page.about("power")
        .count("levels", n_levels as u64)
        .count("simulated experiments", u64::from(power.repeats) * curve.points.len() as u64)
        .define(
            "power",
            "share of simulated experiments whose p value is below alpha",
            format!("alpha = {}; repeats = {}; seed = {}", power.alpha, power.repeats, study.simulation.seed),
        )
        .define("test", format!("{} of {}", curve.test.title(), what(power)), "");
    for cohort in study.cohort.iter().filter(|cohort| power.cohorts.contains(&cohort.name)) {
        let settings = [("policy", &cohort.policy), ("tempo", &cohort.tempo), ("persistence", &cohort.persistence)];
        let settings =
            settings.into_iter().filter_map(|(name, table)| settings_text(name, table)).collect::<Vec<_>>().join("; ");
        page.define(&cohort.name, "a cohort of simulated players", settings);
    }
    page.section("power", "How many participants?", vec![needed], &[Kind::Power], &["power"])?;
    Ok(page.content)
}

fn settings_text(name: &str, table: &toml::Table) -> Option<String> {
    let entries: Vec<String> = table.iter().map(|(entry, value)| format!("{entry} = {value}")).collect();
    (!entries.is_empty()).then(|| format!("{name}: {}", entries.join(", ")))
}
