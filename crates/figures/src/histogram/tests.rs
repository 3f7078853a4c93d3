//! Tests of the distribution of times.

use super::super::panels::PanelHead;
use super::super::{Width, draw, legible};
use super::*;

fn panel(number: usize, n: usize) -> Panel {
    let component =
        |name: &str, weight: f64, log_mean: f64| Component { name: name.to_owned(), weight, log_mean, log_sd: 0.6 };
    Panel {
        head: PanelHead {
            title: format!("participant {number} with a long name"),
            statistic: format!("n = {n}, weight = 0.36 [0.21, 0.48], entropy = 0.81"),
        },
        values: (0..n).map(|index| 0.1 * 1.5_f64.powi(((index * 7 + number) % 11) as i32)).collect(),
        components: vec![component("acting", 0.7, -0.7), component("thinking, a component of a long name", 0.3, 1.2)],
        boundary: Some(1.3),
    }
}

fn input(panels: usize, n: usize) -> Histogram {
    Histogram {
        heading: Heading { name: "times".to_owned(), title: "Time between moves".into(), ..Default::default() },
        boundary: "boundary of acting and thinking".into(),
        panels: (0..panels).map(|number| panel(number, if number == 2 { 0 } else { n })).collect(),
        ..Default::default()
    }
}

#[test]
fn the_data_are_the_bins_and_the_mixture() {
    let component = Component { name: "a, b".to_owned(), weight: 1.0, log_mean: 0.5, log_sd: 2.0 };
    let head = PanelHead { title: "p".to_owned(), statistic: "n = 4".to_owned() };
    // 1 is an edge and belongs to the bin above it; 0 and the missing value have no place.
    let values = vec![0.5, 1.0, 2.0, 9.9, 0.0, f64::NAN];
    let input = Histogram {
        height: Height::Share,
        bins_per_decade: Some(1),
        panels: vec![Panel { head, values, components: vec![component], boundary: Some(3.0) }],
        ..Default::default()
    };
    let figure = &draw(&input, &Style::default()).unwrap()[0];
    let rows: Vec<String> = figure.data.rows.iter().map(|row| row[2..].join(",")).collect();
    let expected = [
        "bin,,0.01,0.1,0,0,,,,",
        "bin,,0.1,1,1,25,,,,",
        "bin,,1,10,3,75,,,,",
        "bin,,10,100,0,0,,,,",
        "component,a, b,,,,,1,0.5,2,",
        "boundary,,,,,,,,,3",
    ];
    assert_eq!(rows, expected);
    assert!(figure.caption.contains("2 not shown (missing or not positive)"), "{}", figure.caption);
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (panels, n) in [(0, 0), (1, 0), (1, 1), (1, 3_000), (2, 40), (6, 200), (70, 25)] {
            for height in [Height::Density, Height::Share] {
                let input = Histogram { height, ..input(panels, n) };
                let pages = draw(&input, &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= 230.0));
                let counted: u64 = pages
                    .iter()
                    .flat_map(|page| &page.data.rows)
                    .filter(|row| row[2] == "bin")
                    .map(|row| row[6].parse::<u64>().unwrap())
                    .sum();
                assert_eq!(counted as usize, input.panels.iter().map(|panel| panel.values.len()).sum::<usize>());
                assert_eq!(pages, draw(&input, &Style::new(width)).unwrap());
            }
        }
    }
}

#[test]
fn bars_and_their_mixture_have_an_area_of_one() {
    let input = input(1, 500);
    let bins = Bins::new(&input.panels, input.bins_per_decade);
    let counts = bins.counts(&input.panels[0]);
    let area: f64 = counts.iter().map(|&count| bins.height(Height::Density, count, 500) * bins.width()).sum();
    assert!((area - 1.0).abs() < 1e-12, "{area}");
    // The trapezoid rule over many times in place of the formula's own integral.
    let step = 0.01;
    let curve: f64 = (-1_000..1_000).map(|n| step * mixture(&input.panels[0], (f64::from(n) * step).exp())).sum();
    assert!((curve - 1.0).abs() < 1e-6, "{curve}");
    let share: f64 = counts.iter().map(|&count| bins.height(Height::Share, count, 500)).sum();
    assert!((share - 100.0).abs() < 1e-9, "{share}");
}

#[test]
fn the_mark_of_a_component_stands_at_its_median_and_height() {
    let mut input = input(1, 500);
    input.panels[0].components.truncate(1);
    input.panels[0].components[0].weight = 1.0;
    input.panels[0].boundary = Some((-0.7_f64).exp());
    let figure = &draw(&input, &Style::default()).unwrap()[0];
    // The first circle is that of the legend. The boundary was put at the same median: its line has the same x.
    let circle = figure.svg.split("<circle cx=\"").nth(2).unwrap();
    let x: f64 = circle.split('"').next().unwrap().parse().unwrap();
    let at = format!("points=\"{x},");
    let dashes = figure.svg.split("<polyline ").filter(|line| line.starts_with(&at)).count();
    assert!(dashes > 10, "{dashes} dashes at {x}");
    // The height of a normal density at its mean is 1 / (σ √(2π)) = 0.664904 for σ = 0.6.
    let height = input.panels[0].components[0].density((-0.7_f64).exp());
    assert!((height - 0.664_904).abs() < 1e-6, "{height}");
}

#[test]
fn a_panel_of_few_times_does_not_press_the_others() {
    let mut input = input(3, 400);
    input.panels[2].values = vec![1.0];
    let pages = draw(&input, &Style::default()).unwrap();
    assert!(pages[0].caption.contains("1 bar of a panel with n < 30 cut at the top (arrow)"), "{}", pages[0].caption);
    input.panels[2].values.clear();
    let without = draw(&input, &Style::default()).unwrap();
    assert!(!without[0].caption.contains("cut at the top"));
    assert!(without[0].svg.contains(">no data<"));
}

#[test]
fn nothing_to_draw_and_contradictions_are_said() {
    let fault = |input: &Histogram| draw(input, &Style::default()).unwrap_err().to_string();
    let mut wrong = input(1, 0);
    wrong.heading.no_data_reason = "no move was timed".into();
    assert!(draw(&wrong, &Style::default()).unwrap()[0].svg.contains("no data: no move was timed"));
    wrong.panels[0].values = vec![1e300];
    assert!(fault(&wrong).contains("beyond the reach"), "{}", fault(&wrong));
    wrong.panels[0].boundary = Some(0.0);
    assert!(fault(&wrong).contains("boundary at 0"), "{}", fault(&wrong));
    wrong.panels[0].components[1].weight = 0.5;
    assert!(fault(&wrong).contains("sum to 1.2"), "{}", fault(&wrong));
    wrong.panels[0].components[1].log_sd = 0.0;
    assert!(fault(&wrong).contains("standard deviation 0"), "{}", fault(&wrong));
    wrong.bins_per_decade = Some(0);
    assert!(fault(&wrong).contains("0 bins for each decade"), "{}", fault(&wrong));
    let mut many = input(1, 1);
    many.panels[0].components =
        (0..9).map(|n| Component { name: n.to_string(), log_sd: 1.0, ..Default::default() }).collect();
    assert!(fault(&many).contains("9 names of components"), "{}", fault(&many));
}
