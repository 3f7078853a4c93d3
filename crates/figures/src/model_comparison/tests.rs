//! Tests of the comparison of models.

use super::super::{Width, draw, legible};
use super::*;

const NAMES: [&str; 4] =
    ["random", "softmax over distance, learning rate by participant", "BFS depth 3", "distance+mobility+undo"];

fn input(models: usize, criteria: usize) -> ModelComparison {
    let outcome = |model: usize, criterion: usize| Outcome {
        difference: (model % 13 != 12).then_some(7.5 * model as f64 * (criterion + 1) as f64),
        interval: (model > 0 && model % 13 != 12)
            .then_some((7.0 * model as f64, (9.0 * model as f64 + 3.0) * (criterion + 1) as f64)),
        best_for: (model % 5 != 4).then_some(1234_u64.saturating_sub(model as u64 * 200)),
    };
    let model = |model: usize| Model {
        label: format!("{} {model}", NAMES[model % NAMES.len()]),
        outcomes: (0..criteria).map(|criterion| outcome(model, criterion)).collect(),
    };
    let criterion = |number: usize| Criterion {
        name: ["BIC", "AIC", "cross-validated log-likelihood of the held-out trials", "WAIC"][number % 4].to_owned(),
        x_title: "ΔBIC for each participant".into(),
    };
    ModelComparison {
        heading: Heading { name: "models".to_owned(), title: "Models of choices".into(), ..Default::default() },
        estimate: "mean".to_owned(),
        confidence: "95 %".to_owned(),
        units: String::new(),
        criteria: (0..criteria).map(criterion).collect(),
        models: (0..models).map(model).collect(),
    }
}

#[test]
fn the_data_are_the_input() {
    let outcome = Outcome { difference: Some(2.5), interval: Some((1.0, 4.25)), best_for: Some(7) };
    let none = Outcome { best_for: Some(0), ..Default::default() };
    let input = ModelComparison {
        models: vec![
            Model { label: "a, b".to_owned(), outcomes: vec![outcome] },
            Model { label: "c".to_owned(), outcomes: vec![none] },
        ],
        ..input(0, 1)
    };
    let figure = &draw(&input, &Style::default()).unwrap()[0];
    assert_eq!(
        figure.to_csv().unwrap(),
        "criterion,model,difference,low,high,best_for\nBIC,\"a, b\",2.5,1,4.25,7\nBIC,c,,,,0\n"
    );
    assert!(figure.caption.contains("1 difference missing"), "{}", figure.caption);
    assert_eq!(figure.svg.matches("no value").count(), 1);
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (models, criteria) in [(0, 0), (0, 1), (1, 1), (5, 2), (30, 1), (30, 4), (150, 2), (5, 9)] {
            let pages = draw(&input(models, criteria), &Style::new(width)).unwrap();
            pages.iter().for_each(legible::check);
            assert!(pages.iter().all(|page| page.height_mm <= 230.0));
            let rows: usize = pages.iter().map(|page| page.data.rows.len()).sum();
            assert_eq!(rows, models * criteria, "every outcome once");
            assert!(models > 30 || criteria > 1 || pages.len() == 1, "{models} models, {} pages", pages.len());
            assert_eq!(pages, draw(&input(models, criteria), &Style::new(width)).unwrap());
        }
    }
}

#[test]
fn without_counts_or_names_nothing_stands_above_or_beside() {
    let mut input = input(5, 1);
    input.criteria[0].name.clear();
    input.models.iter_mut().for_each(|model| model.outcomes[0].best_for = None);
    for width in [Width::Single, Width::Double] {
        let figure = &draw(&input, &Style::new(width)).unwrap()[0];
        legible::check(figure);
        assert!(!figure.svg.contains("best for") && !figure.caption.contains("bars"));
    }
}

#[test]
fn differences_and_bars_stand_in_proportion() {
    let outcome = |difference: f64, best_for: u64| Outcome {
        difference: Some(difference),
        interval: None,
        best_for: Some(best_for),
    };
    let model = |difference, best_for| Model { label: "m".to_owned(), outcomes: vec![outcome(difference, best_for)] };
    let input = ModelComparison { models: vec![model(0.0, 20), model(10.0, 5), model(40.0, 0)], ..input(0, 1) };
    let figure = &draw(&input, &Style::new(Width::Single)).unwrap()[0];
    let blue = figure.svg.split("<g").filter(|group| group.contains("fill=\"#0072B2\""));
    let number = |text: &str| text.split('"').next().unwrap().parse::<f64>().unwrap();
    let discs: Vec<f64> = blue.flat_map(|group| group.split("<circle cx=\"").skip(1)).map(number).collect();
    // The first disc is that of the legend.
    let [_, a, b, c] = discs[..] else { panic!("{discs:?}") };
    assert!(((c - a) / (b - a) - 4.0).abs() < 0.01, "{discs:?}");
    // The dashed line of the best model runs through the mark of the best one.
    let upright = |line: &&str| line.split('"').next().unwrap().matches(&format!("{a},")).count() == 2;
    let dashes = figure.svg.split("<polyline points=\"").skip(1).filter(upright);
    assert!(dashes.count() > 3, "{a}");
    let grey = figure.svg.split("<g").filter(|group| group.contains("fill=\"#999999\""));
    let width = |polygon: &str| {
        let points = polygon.split('"').next().unwrap().split_whitespace();
        let x: Vec<f64> = points.map(|point| point.split(',').next().unwrap().parse().unwrap()).collect();
        x.iter().copied().fold(f64::NEG_INFINITY, f64::max) - x.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let bars: Vec<f64> = grey.flat_map(|group| group.split("<polygon points=\"").skip(1)).map(width).collect();
    // A count of 0 has no bar.
    assert_eq!(bars, [800.0, 200.0]);
}

#[test]
fn nothing_to_draw_is_said_with_its_reason() {
    let mut input = input(3, 1);
    input.heading.no_data_reason = "no model could be fitted".into();
    input.models.iter_mut().for_each(|model| model.outcomes[0] = Outcome::default());
    assert!(draw(&input, &Style::default()).unwrap()[0].svg.contains("no data: no model could be fitted"));
}

#[test]
fn contradictions_are_named() {
    let fault = |input: &ModelComparison| draw(input, &Style::default()).unwrap_err().to_string();
    let mut wrong = input(2, 1);
    wrong.models[1].outcomes[0].difference = Some(1e300);
    assert!(fault(&wrong).contains("1e300 is beyond the reach"), "{}", fault(&wrong));
    wrong.models[1].outcomes[0].interval = Some((5.0, 4.0));
    assert!(fault(&wrong).contains("interval 5 to 4"), "{}", fault(&wrong));
    wrong.models[0].outcomes.clear();
    assert!(fault(&wrong).contains("has 0 outcomes, but there are 1 criteria"), "{}", fault(&wrong));
}
