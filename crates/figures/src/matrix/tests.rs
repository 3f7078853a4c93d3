//! Tests of the correlation matrix.

use super::super::{Figure, Width, draw, legible};
use super::layout::apa;
use super::*;

const NAMES: [&str; 5] =
    ["age", "share of optimal moves", "time to solve (s)", "mean thinking time before the first move (s)", "IQ"];

/// A measure for each number, with a coefficient for each pair except every 29th.
fn input(measures: usize) -> CorrelationMatrix {
    let pairs = (0..measures).flat_map(|row| (0..row).map(move |column| (column, row)));
    let pair = |(index, measures): (usize, (usize, usize))| Pair {
        measures,
        estimate: (index % 29 != 28).then_some((index as f64 * 2.3).sin()),
        n: 30 + index as u64 % 7,
        p_adjusted: Some(0.01 * (index % 100) as f64),
        significant: index % 3 == 0,
    };
    CorrelationMatrix {
        heading: Heading { name: "m".to_owned(), title: "Correlations".into(), ..Default::default() },
        measures: (0..measures).map(|number| NAMES[number % NAMES.len()].to_owned()).collect(),
        coefficient: "Spearman's ρ".into(),
        significance: "p < .05, adjusted after Holm (1979)".into(),
        pairs: pairs.enumerate().map(pair).collect(),
    }
}

/// The rectangles with this fill, as left, top, right and bottom in millimetres.
fn fields(figure: &Figure, fill: &str) -> Vec<[f64; 4]> {
    let groups = figure.svg.split("<g").filter(|group| group.contains(&format!("fill=\"{fill}\"")));
    let polygons = groups.flat_map(|group| group.split("<polygon points=\"").skip(1));
    let rectangle = |polygon: &str| {
        let points: Vec<Vec<f64>> = polygon.split('"').next().unwrap().split_whitespace().map(pair_of).collect();
        let ends = |axis: usize| {
            let values = || points.iter().map(|point| point[axis] / 100.0);
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
        };
        let (x, y) = (ends(0), ends(1));
        [x.0, y.0, x.1, y.1]
    };
    polygons.map(rectangle).collect()
}

fn pair_of(text: &str) -> Vec<f64> {
    text.split(',').map(|number| number.parse().unwrap()).collect()
}

#[test]
fn coefficients_are_in_the_style_of_the_apa() {
    let texts = [0.347, -0.12, 1.0, -1.0, 0.0, -0.0, 0.05].map(apa);
    assert_eq!(texts, [".35", "−.12", "1.00", "−1.00", ".00", ".00", ".05"]);
}

#[test]
fn a_coefficient_that_is_neither_none_nor_perfect_is_not_printed_as_such() {
    let texts = [0.996, -0.996, 0.004, -0.004, 0.9949, 0.006].map(apa);
    assert_eq!(texts, [".996", "−.996", ".004", "−.004", ".99", ".01"]);
    let texts = [0.9996, -0.999_999, 0.0003, -0.000_01].map(apa);
    assert_eq!(texts, [">.999", "<−.99", "<.001", ">−.01"]);
}

#[test]
fn every_pair_has_its_place() {
    let places: Vec<usize> = [(1, 0), (2, 0), (2, 1), (3, 0), (1, 3), (3, 2)].map(place).to_vec();
    assert_eq!(places, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn the_data_are_the_input() {
    let pair = Pair { measures: (0, 2), estimate: Some(-0.5), n: 34, p_adjusted: Some(0.0625), significant: true };
    let none = Pair { measures: (2, 1), n: 3, ..Default::default() };
    let measures = ["a, b", "c", "d"].map(str::to_owned).to_vec();
    let input = CorrelationMatrix { measures, pairs: vec![none, pair], ..Default::default() };
    let figure = &draw(&input, &Style::default()).unwrap()[0];
    assert_eq!(
        figure.to_csv().unwrap(),
        "row,column,coefficient,n,p_adjusted,significant\nc,\"a, b\",,,,\nd,\"a, b\",-0.5,34,0.0625,true\n\
         d,c,,3,,false\n"
    );
    assert!(figure.caption.contains("2 pairs have no coefficient"), "{}", figure.caption);
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for measures in [0, 1, 2, 6, 20, 21, 70] {
            let pages = draw(&input(measures), &Style::new(width)).unwrap();
            pages.iter().for_each(legible::check);
            assert!(pages.iter().all(|page| page.height_mm <= 230.0), "{measures} at {width:?}");
            let rows: usize = pages.iter().map(|page| page.data.rows.len()).sum();
            assert_eq!(rows, measures * measures.saturating_sub(1) / 2, "every pair once");
            // One column is too narrow for more than a dozen names beside each other.
            let most = if width == Width::Single { 6 } else { MOST_MEASURES };
            assert!(measures > most || pages.len() == 1, "{} pages of {measures}", pages.len());
            assert!(measures <= MOST_MEASURES || pages.len() > 1, "{} pages of {measures}", pages.len());
            assert_eq!(pages, draw(&input(measures), &Style::new(width)).unwrap());
        }
    }
}

#[test]
fn even_20_measures_print_their_coefficients() {
    for width in [Width::Single, Width::Double] {
        let pages = draw(&input(MOST_MEASURES), &Style::new(width)).unwrap();
        for pair in input(MOST_MEASURES).pairs.iter().take(50).filter_map(|pair| pair.estimate) {
            let text = format!(">{}<", apa(pair));
            assert!(pages.iter().any(|page| page.svg.contains(&text)), "{pair} at {width:?}");
        }
    }
}

#[test]
fn cells_stand_below_the_diagonal_in_the_colour_of_their_sign() {
    let pair = |measures, estimate| Pair { measures, estimate: Some(estimate), ..Default::default() };
    let input = CorrelationMatrix { pairs: vec![pair((0, 1), -1.0), pair((0, 2), 1.0), pair((1, 2), 0.5)], ..input(3) };
    let figure = &draw(&input, &Style::new(Width::Single)).unwrap()[0];
    // Of the strongest colours: the cell alone, for the ramp of the legend stays half a step below them.
    let (blue, vermilion) = (fields(figure, "#0072B2"), fields(figure, "#D55E00"));
    assert_eq!((blue.len(), vermilion.len()), (1, 1), "{blue:?} {vermilion:?}");
    let (blue, vermilion) = (blue[0], vermilion[0]);
    // Same column, one row below: the cells touch.
    assert_eq!((blue[0], blue[2]), (vermilion[0], vermilion[2]));
    assert!((blue[3] - vermilion[1]).abs() < 0.02, "{blue:?} {vermilion:?}");
    // Half way from white (255, 255, 255) to vermilion (213, 94, 0): right of the cell of the same row.
    let half = fields(figure, "#EAAF80");
    let right = half.iter().find(|field| (field[0] - vermilion[2]).abs() < 0.02);
    assert!(right.is_some_and(|field| field[1] == vermilion[1] && field[3] == vermilion[3]), "{half:?}");
}

#[test]
fn what_is_significant_is_bold() {
    let mut input = input(3);
    for (index, pair) in input.pairs.iter_mut().enumerate() {
        (pair.estimate, pair.significant) = (Some(0.31 + 0.1 * index as f64), index == 1);
    }
    let svg = &draw(&input, &Style::default()).unwrap()[0].svg;
    let group = |text: &str| svg.split("<g").find(|group| group.contains(&format!(">{text}<"))).unwrap();
    assert!(group(".41").contains("font-weight=\"bold\""));
    assert!(!group(".31").contains("font-weight=\"bold\"") && !group(".51").contains("font-weight=\"bold\""));
}

#[test]
fn nothing_to_draw_is_said_with_its_reason() {
    let mut input = input(3);
    input.heading.no_data_reason = "no measure varies".into();
    input.pairs.iter_mut().for_each(|pair| pair.estimate = None);
    assert!(draw(&input, &Style::default()).unwrap()[0].svg.contains("no data: no measure varies"));
}

#[test]
fn contradictions_are_named() {
    let fault = |change: fn(&mut Pair)| {
        let mut wrong = input(3);
        change(&mut wrong.pairs[1]);
        draw(&wrong, &Style::default()).unwrap_err().to_string()
    };
    type Fault = (fn(&mut Pair), &'static str);
    let faults: [Fault; 6] = [
        (|pair| pair.measures = (0, 3), "of measure 3, but there are 3 measures"),
        (|pair| pair.measures = (2, 2), "of \"time to solve (s)\" alone"),
        (|pair| pair.measures = (1, 0), "\"share of optimal moves\" and \"age\" is given twice"),
        (|pair| pair.estimate = Some(1.01), "is 1.01: it must lie from -1 to 1"),
        (|pair| pair.estimate = Some(f64::NAN), "is NaN"),
        (|pair| pair.p_adjusted = Some(-0.1), "the p value of \"age\" and \"time to solve (s)\" is -0.1"),
    ];
    for (change, expected) in faults {
        assert!(fault(change).contains(expected), "{}", fault(change));
    }
}
