//! Tests of the figure of levels by series.

use super::super::{Width, draw, legible};
use super::*;

fn input(levels: usize, series: usize) -> LevelsBySeries {
    let value = |level: usize, series: usize| match (level * 7 + series * 3) % 23 {
        0 => Value::Missing,
        1 if series > 0 => Value::Cut(100_000.0),
        rest => Value::Found((10.0 + rest as f64 * 40.0) * (series + 1) as f64),
    };
    let numbered = |series: usize| Series {
        label: format!("algorithm {series}"),
        values: (0..levels).map(|level| value(level, series)).collect(),
    };
    LevelsBySeries {
        heading: Heading { name: "nodes".to_owned(), title: "Expanded nodes".into(), ..Default::default() },
        y_title: "expanded nodes".into(),
        log: true,
        levels: (1..=levels).map(|level| format!("puzzle {level}")).collect(),
        series: (0..series).map(numbered).collect(),
        ..Default::default()
    }
}

#[test]
fn the_data_are_the_input() {
    let values = vec![Value::Found(12.5), Value::Cut(60.0), Value::Missing, Value::Found(f64::NAN)];
    let input = LevelsBySeries {
        levels: ["a", "b", "c", "d, e"].map(str::to_owned).to_vec(),
        series: vec![Series { label: "A*".to_owned(), values }],
        ..Default::default()
    };
    let csv = draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap();
    assert_eq!(csv, "level,series,value,kind\na,A*,12.5,found\nb,A*,60,cut\nc,A*,,missing\n\"d, e\",A*,,missing\n");
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (levels, series) in [(0, 2), (1, 1), (1, 8), (5, 2), (30, 8), (70, 2), (70, 8), (71, 3), (200, 2)] {
            for numbered in [false, true] {
                let mut input = input(levels, series);
                if numbered {
                    input.levels = (1..=levels).map(|level| level.to_string()).collect();
                    input.log = false;
                }
                let pages = draw(&input, &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert_eq!(pages.len(), levels.div_ceil(LEVELS_PER_PAGE).max(1));
                assert_eq!(pages.iter().map(|page| page.data.rows.len()).sum::<usize>(), levels * series);
                assert!(pages.iter().all(|page| page.height_mm <= 230.0));
                assert_eq!(pages, draw(&input, &Style::new(width)).unwrap());
            }
        }
    }
}

#[test]
fn each_value_has_its_mark_and_cut_ones_are_open() {
    // Discs of the first series are the only circles: filled ones, and for an open one a white disc and a ring.
    let circles = |values: Vec<Value>| {
        let levels = (0..values.len()).map(|level| level.to_string()).collect();
        let series = vec![Series { label: "s".to_owned(), values }];
        let input = LevelsBySeries { levels, series, ..Default::default() };
        draw(&input, &Style::default()).unwrap()[0].svg.matches("<circle").count()
    };
    // The legend has one more, and for the open mark two more.
    assert_eq!(circles(vec![Value::Found(1.0), Value::Missing, Value::Found(3.0)]), 3);
    assert_eq!(circles(vec![Value::Found(1.0), Value::Cut(3.0)]), 1 + 2 + 1 + 2);
}

#[test]
fn lines_break_at_missing_values() {
    let coloured_lines = |values: Vec<Value>| {
        let levels = (0..values.len()).map(|level| level.to_string()).collect();
        let series = vec![Series { label: "s".to_owned(), values }];
        let figure = &draw(&LevelsBySeries { levels, series, ..Default::default() }, &Style::default()).unwrap()[0];
        let groups = figure.svg.split("<g").filter(|group| group.contains("stroke-opacity=\"0.8\""));
        groups.map(|group| group.matches("<polyline").count() + group.matches("<line").count()).sum::<usize>()
    };
    let value = Value::Found(2.0);
    assert_eq!(coloured_lines(vec![value; 5]), 4);
    assert_eq!(coloured_lines(vec![value, value, Value::Missing, value, value]), 2);
    assert_eq!(coloured_lines(vec![value, Value::Missing, value]), 0);
}

#[test]
fn nothing_to_draw_is_said_with_its_reason() {
    let mut input = input(3, 2);
    input.heading.no_data_reason = "no level was searched".into();
    input.series.iter_mut().for_each(|series| series.values.fill(Value::Missing));
    let figure = &draw(&input, &Style::new(Width::Single)).unwrap()[0];
    assert!(figure.svg.contains("no data: no level was searched"), "{}", &*figure.svg);
    assert_eq!(figure.data.rows.len(), 6);
}

#[test]
fn zeros_are_left_out_of_a_logarithmic_axis_and_counted() {
    let mut input = input(3, 1);
    input.series[0].values = vec![Value::Found(0.0), Value::Found(-1.0), Value::Found(5.0)];
    let caption = &draw(&input, &Style::default()).unwrap()[0].caption;
    assert!(caption.contains("2 not shown (not positive)"), "{caption}");
    input.log = false;
    assert!(!draw(&input, &Style::default()).unwrap()[0].caption.contains("not shown"));
}

#[test]
fn contradictions_are_named() {
    let fault = |input: &LevelsBySeries| draw(input, &Style::default()).unwrap_err().to_string();
    assert!(fault(&input(3, 9)).contains("9 series"), "{}", fault(&input(3, 9)));
    let mut wrong = input(3, 2);
    wrong.series[0].values[0] = Value::Found(f64::MAX);
    assert!(fault(&wrong).contains("beyond the reach"), "{}", fault(&wrong));
    wrong.series[1].values[0] = Value::Cut(0.0);
    assert!(fault(&wrong).contains("limit 0 at level \"puzzle 1\""), "{}", fault(&wrong));
    wrong.series[1].values.pop();
    assert!(fault(&wrong).contains("2 values for 3 levels"), "{}", fault(&wrong));
}
