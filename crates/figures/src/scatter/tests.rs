//! Tests of the figure of moves against time.

use super::super::{Figure, Width, draw, legible};
use super::*;
use legible::draw_one;

fn trials(n: usize) -> Vec<Point> {
    let wave = |i: usize, step: f64| (i as f64 * step).sin();
    (0..n)
        .map(|i| Point { x: (60.0 + 40.0 * wave(i, 1.7)).round(), y: 90.0 + 70.0 * wave(i, 2.3), group: None })
        .collect()
}

/// One plot as wide as the figure.
fn plot(points: Vec<Point>, fit: Option<Fit>) -> Scatter {
    Scatter { panels: vec![Panel { points, fit, ..Panel::default() }], ..Scatter::default() }
}

fn line() -> Fit {
    Fit { x: vec![20.0, 60.0, 100.0], y: vec![40.0, 80.0, 120.0] }
}

#[test]
fn the_data_are_the_input() {
    let points = vec![Point { x: 12.0, y: 34.5, group: Some(1) }, Point { x: 7.0, y: f64::NAN, group: None }];
    let fit = Some(Fit { x: vec![7.0], y: vec![20.0] });
    let groups = vec!["novice".into(), "expert, trained".into()];
    let input = Scatter { groups, ..plot(points, fit) };
    let csv = draw_one(&input, &Style::default()).to_csv().unwrap();
    assert_eq!(csv, "kind,x,y,lower,upper,group\ntrial,12,34.5,,,\"expert, trained\"\ntrial,7,,,,\nfit,7,20,,,\n");
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for n in [0, 1, 34, 800, 4_000] {
            let heading = Heading { name: "s".to_owned(), title: "Moves against time".into(), ..Default::default() };
            let input = Scatter { heading, ..plot(trials(n), (n > 1).then(line)) };
            let figure = draw_one(&input, &Style::new(width));
            legible::check(&figure);
            assert_eq!(figure, draw_one(&input, &Style::new(width)));
            assert_eq!(figure.svg.contains("trials in a hexagon"), n > MAX_POINTS);
        }
    }
}

#[test]
fn seventy_levels_make_pages_of_at_most_24_panels() {
    let panel = |i: usize| Panel {
        head: PanelHead { title: format!("puzzle {i}"), statistic: "r = 0.71 [0.52, 0.83], n = 34".to_owned() },
        points: if i == 3 { Vec::new() } else { trials(10 + i) },
        fit: Some(line()),
    };
    for width in [Width::Single, Width::Double] {
        let input = Scatter { panels: (1..=70).map(panel).collect(), ..Default::default() };
        let pages = draw(&input, &Style::new(width)).unwrap();
        pages.iter().for_each(legible::check);
        let trials_of = |page: &Figure| page.data.rows.iter().filter(|row| row[2] == "trial").count();
        assert_eq!(
            pages.iter().map(trials_of).sum::<usize>(),
            (1..=70).filter(|&i| i != 3).map(|i| 10 + i).sum::<usize>()
        );
        assert!(pages.iter().all(|page| page.height_mm <= 230.0));
    }
}

#[test]
fn zeros_are_left_out_of_a_logarithmic_plot_and_counted() {
    let points = vec![Point { x: 0.0, y: 5.0, group: None }, Point { x: 5.0, y: 5.0, group: None }];
    let figure = draw_one(&plot(points, None), &Style::default());
    assert!(figure.caption.contains("1 not shown (missing or not positive)"), "{}", figure.caption);
}

#[test]
fn contradictions_are_named() {
    let fit = Some(Fit { x: vec![1.0], ..Default::default() });
    let error = draw(&plot(Vec::new(), fit), &Style::default()).unwrap_err().to_string();
    assert!(error.contains("[1, 0]"), "{error}");
    let points = vec![Point { x: 1.0, y: 1.0, group: Some(2) }];
    let error = draw(&plot(points, None), &Style::default()).unwrap_err().to_string();
    assert!(error.contains("group 2"), "{error}");
}

#[test]
fn marginals_are_legible_and_count_every_shown_point() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (n, log) in [(0, true), (1, false), (1, true), (34, true), (800, false), (4_000, true)] {
            let axes = Axes { log, ..Axes::default() };
            let mut points = trials(n);
            points.push(Point { x: f64::NAN, y: 3.0, group: None });
            let plain = Scatter { axes, ..plot(points, (n > 1).then(line)) };
            let input = Scatter { marginals: true, ..plain.clone() };
            let figure = draw_one(&input, &Style::new(width));
            legible::check(&figure);
            let count = |kind: &str, column: usize| -> usize {
                let rows = figure.data.rows.iter().filter(|row| row[0] == kind);
                rows.map(|row| row[column].parse::<usize>().unwrap()).sum()
            };
            assert_eq!((count("bar above", 2), count("bar at the right", 1)), (n, n));
            assert!(n == 0 || figure.height_mm > draw_one(&plain, &Style::new(width)).height_mm + 5.0);
        }
    }
}

#[test]
fn bars_stand_above_their_points_with_counts_as_areas() {
    let at = |x: f64, y: f64| Point { x, y, group: None };
    // Four values of x, the third three times; one value of y.
    let points = vec![at(1.0, 5.0), at(10.0, 5.0), at(100.0, 5.0), at(100.0, 5.0), at(100.0, 5.0), at(1000.0, 5.0)];
    let figure = draw_one(&Scatter { marginals: true, ..plot(points, None) }, &Style::default());
    let bars: Vec<[f64; 4]> = rectangles(&figure, "#A6A6A6");
    assert_eq!(bars.len(), 5, "four above, one at the right: {bars:?}");
    let discs = discs(&figure);
    let x_of =
        |bar: &[f64; 4]| discs.iter().filter(|(x, y)| bar[0] <= *x && *x <= bar[2] + 0.12 && bar[3] < *y).count();
    assert_eq!(bars[..4].iter().map(x_of).collect::<Vec<_>>(), [1, 1, 3, 1], "{bars:?} {discs:?}");
    // Bars of the data, again counted: area over count is the same for all, but for the hairline between them.
    let widths = bars[1..3].iter().map(|bar| (bar[2] - bar[0] + 0.12) * (bar[3] - bar[1]));
    let areas: Vec<f64> = widths.zip([1.0, 3.0]).map(|(area, count)| area / count).collect();
    assert!((areas[0] / areas[1] - 1.0).abs() < 0.03, "{areas:?}");
    let right = bars[4];
    let plot_right = discs.iter().map(|(x, _)| *x).fold(0.0, f64::max);
    assert!(right[0] > plot_right && discs[1..].iter().all(|(_, y)| right[1] <= *y && *y <= right[3]), "{right:?}");
}

/// The rectangles of a fill, as left, top, right and bottom in millimetres.
fn rectangles(figure: &Figure, fill: &str) -> Vec<[f64; 4]> {
    let groups = figure.svg.split("<g").filter(|group| group.contains(&format!("fill=\"{fill}\"")));
    let corners = |polygon: &str| -> Vec<(f64, f64)> {
        legible::points(polygon).into_iter().map(|(x, y)| (x / 100.0, y / 100.0)).collect()
    };
    let ends = |corners: Vec<(f64, f64)>| {
        let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        corners.iter().fold(start, |[l, t, r, b], &(x, y)| [l.min(x), t.min(y), r.max(x), b.max(y)])
    };
    groups.flat_map(|group| group.split("<polygon points=\"").skip(1)).map(|polygon| ends(corners(polygon))).collect()
}

/// The middles of all discs but that of the legend, in millimetres.
fn discs(figure: &Figure) -> Vec<(f64, f64)> {
    let number = |text: &str| text.split('"').nth(1).unwrap().parse::<f64>().unwrap() / 100.0;
    let circles = figure.svg.split("<circle ").skip(2);
    circles.map(|circle| (number(circle), number(circle.split_once("cy=").unwrap().1))).collect()
}

#[test]
fn whole_numbers_fall_into_bins_between_them() {
    let point = |number: usize| Point { x: 1.0 + (number % 7) as f64, y: 0.25 * (number % 4) as f64, group: None };
    let points: Vec<Point> = (0..140).map(point).collect();
    for log in [false, true] {
        let axes = Axes { log, ..Axes::default() };
        let points = points.iter().map(|point| Point { y: point.y + 1.0, ..*point }).collect();
        let figure = draw_one(&Scatter { axes, marginals: true, ..plot(points, None) }, &Style::default());
        let bars = figure.data.rows.iter().filter(|row| row[0] == "bar above");
        let bars: Vec<[&str; 3]> = bars.map(|row| [row[2].as_str(), &row[3], &row[4]]).collect();
        let expected = [["20", "0.5", "1.5"], ["20", "1.5", "2.5"], ["20", "2.5", "3.5"], ["20", "3.5", "4.5"]];
        // Bins of equal length on a logarithmic axis are wider at its end: the last two numbers share one.
        let last = if log { ["40", "5.5", "7.5"] } else { ["20", "6.5", "7.5"] };
        assert_eq!((&bars[..4], bars.last()), (&expected[..], Some(&last)), "logarithmic: {log}");
    }
}
