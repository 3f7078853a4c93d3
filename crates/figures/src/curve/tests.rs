//! Tests of the figure of curves.

use super::super::{Figure, Reference, Width, draw, legible};
use super::*;
use legible::draw_one;

fn input(curves: usize, points: usize) -> Curves {
    let point = |curve: usize, number: usize| {
        let x = 10.0 + 10.0 * number as f64;
        let y = 1.0 - (-x * (curve + 1) as f64 / 120.0).exp();
        Point { x, y, band: Some(((y - 0.05).max(0.0), (y + 0.05).min(1.0))) }
    };
    let curve = |curve: usize| Curve {
        label: format!("r = 0.{}", curve + 1),
        points: (0..points).map(|number| point(curve, number)).collect(),
        ..Default::default()
    };
    Curves {
        heading: Heading { name: "power".to_owned(), title: "Power".into(), ..Default::default() },
        x_title: "participants".into(),
        y_title: "power".into(),
        y_range: Some((0.0, 1.0)),
        band: "95 % interval".into(),
        reference: Some(Reference { value: 0.8, label: "power of 0.8".into() }),
        pages: vec![(0..curves).map(curve).collect()],
        ..Default::default()
    }
}

#[test]
fn the_data_are_the_input() {
    let points = vec![Point { x: 10.0, y: 0.25, band: Some((0.2, 0.375)) }, Point { x: 20.0, y: f64::NAN, band: None }];
    let input =
        Curves { pages: vec![vec![Curve { label: "d, 1".to_owned(), points, ..Default::default() }]], ..input(0, 0) };
    assert_eq!(
        draw_one(&input, &Style::default()).to_csv().unwrap(),
        "kind,curve,x,y,lower,upper\npoint,\"d, 1\",10,0.25,0.2,0.375\npoint,\"d, 1\",20,,,\n\
         reference,power of 0.8,,0.8,,\n"
    );
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (curves, points) in [(0, 0), (1, 1), (1, 12), (3, 12), (8, 60)] {
            for log in [false, true] {
                let y_range = input(0, 0).y_range.filter(|_| !log);
                let input = Curves { x_log: log, y_log: log, y_range, ..input(curves, points) };
                let figure = draw_one(&input, &Style::new(width));
                legible::check(&figure);
                assert_eq!(figure.data.rows.len(), curves * points + 1);
                assert_eq!(figure, draw_one(&input, &Style::new(width)));
            }
        }
    }
}

#[test]
fn curves_and_bands_break_at_missing_values() {
    let mut input = input(1, 7);
    let count = |input: &Curves| {
        let svg = draw_one(input, &Style::default()).svg;
        let filled = svg.split("<g").filter(|group| group.contains("fill-opacity=\"0.2\""));
        (svg.matches("<circle").count(), filled.map(|group| group.matches("<polygon").count()).sum::<usize>())
    };
    // One disc is that of the legend.
    assert_eq!(count(&input), (8, 1));
    input.pages[0][0].points[3].y = f64::NAN;
    assert_eq!(count(&input), (7, 2));
}

#[test]
fn curves_break_at_missing_whole_numbers_where_asked_to() {
    let mut input = Curves { reference: None, ..input(1, 8) };
    input.pages[0][0].points.iter_mut().enumerate().for_each(|(index, point)| point.x = index as f64 + 1.0);
    let pieces = |input: &Curves| {
        let figure = draw_one(input, &Style::default());
        let filled = figure.svg.split("<g").filter(|group| group.contains("fill-opacity=\"0.2\""));
        let bands = filled.map(|group| group.matches("<polygon").count()).sum::<usize>();
        (first_lines(&figure).len(), bands, figure.data.rows.len())
    };
    let whole = pieces(&input);
    input.pages[0][0].points.remove(5);
    assert_eq!(pieces(&input), (whole.0, whole.1, whole.2 - 1), "from 5 to 7");
    input.breaks = true;
    assert_eq!(pieces(&input), (whole.0 + 1, whole.1 + 1, whole.2 - 1), "the data are the input");
    input.pages[0][0].points.iter_mut().for_each(|point| point.x *= 2.0);
    assert_eq!(pieces(&input), (whole.0, whole.1, whole.2 - 1), "no series of steps by 1");
    input.pages[0][0].points.iter_mut().for_each(|point| point.x *= 0.25);
    assert_eq!(pieces(&input), (whole.0, whole.1, whole.2 - 1), "no whole numbers");
}

#[test]
fn points_beyond_the_axes_are_counted() {
    let mut input = input(1, 5);
    input.pages[0][0].points[0].y = -0.5;
    let caption = draw_one(&input, &Style::default()).caption;
    assert!(caption.contains("1 not shown (beyond the axes)"), "{caption}");
}

#[test]
fn nothing_to_draw_is_said_with_its_reason() {
    let mut input = input(0, 0);
    input.heading.no_data_reason = "no effect was simulated".into();
    assert!(draw_one(&input, &Style::default()).svg.contains("no data: no effect was simulated"));
}

#[test]
fn contradictions_are_named() {
    let fault = |input: &Curves| draw(input, &Style::default()).unwrap_err().to_string();
    assert!(fault(&input(9, 1)).contains("9 curves"));
    let mut wrong = input(1, 3);
    wrong.pages[0][0].points[2].x = f64::MAX;
    assert!(fault(&wrong).contains("beyond the reach"), "{}", fault(&wrong));
    wrong.pages[0][0].points[2].x = 30.0;
    wrong.reference = Some(Reference { value: 1.5, label: "limit".into() });
    assert!(fault(&wrong).contains("\"limit\" is 1.5, but the axis goes from 0 to 1"), "{}", fault(&wrong));
    wrong.y_range = Some((1.0, 0.0));
    assert!(fault(&wrong).contains("from 1 to 0"), "{}", fault(&wrong));
    wrong.pages[0][0].points[1].band = Some((0.5, 0.4));
    assert!(fault(&wrong).contains("band from 0.5 to 0.4"), "{}", fault(&wrong));
    wrong.pages[0][0].points[2].x = 19.0;
    assert!(fault(&wrong).contains("x 20 before 19"), "{}", fault(&wrong));
}

/// Somebody who is ready at once: the curve falls upright where it begins.
#[test]
fn a_curve_may_have_two_points_at_the_same_x() {
    let mut curves = survival(1, 4);
    curves.pages[0][0].points[1].x = 0.0;
    let figure = draw_one(&curves, &Style::default());
    let at_zero: Vec<&str> =
        figure.data.rows.iter().filter(|row| row[0] == "point" && row[2] == "0").map(|row| &*row[3]).collect();
    assert_eq!(at_zero, ["1", "0.75"]);
}

/// Curves of survival: everyone leaves one after the other at the times 1, 2, …, every third one censored.
fn survival(curves: usize, people: usize) -> Curves {
    let curve = |curve: usize| {
        let (mut share, mut points) = (1.0, vec![Point { x: 0.0, y: 1.0, band: None }]);
        let (mut marks, mut at_risk) = (Vec::new(), Vec::new());
        for person in 0..people {
            let (time, left) = ((person + 1) as f64 * (curve + 1) as f64, (people - person) as u64);
            at_risk.push((time, left));
            if person % 3 == 2 {
                marks.push(time);
            } else {
                share *= 1.0 - 1.0 / left as f64;
            }
            let band = (share < 1.0).then_some((share * 0.8, share + (1.0 - share) * 0.3));
            points.push(Point { x: time, y: share, band });
        }
        Curve { label: format!("an adaptive cohort with a long name, {curve}"), points, marks, at_risk }
    };
    Curves {
        heading: Heading { name: "survival".to_owned(), title: "Time to solve".into(), ..Default::default() },
        x_title: "time (s)".into(),
        y_title: "share not yet solved".into(),
        step: true,
        mark: "censored".into(),
        pages: vec![(0..curves).map(curve).collect()],
        reference: None,
        ..input(0, 0)
    }
}

/// The points of the lines of the first curve's colour and width, in millimetres.
fn first_lines(figure: &Figure) -> Vec<Vec<(f64, f64)>> {
    let groups = figure.svg.split("<g").filter(|group| group.contains("stroke=\"#0072B2\""));
    let groups = groups.filter(|group| group.contains("stroke-width=\"32\""));
    let lines = groups.flat_map(|group| group.split("<polyline").skip(1).map(|line| line.to_owned()));
    let points = |line: String| {
        let points = legible::points(line.split("points=\"").nth(1).unwrap());
        points.into_iter().map(|(x, y)| (x / 100.0, y / 100.0)).collect()
    };
    lines.map(points).collect()
}

#[test]
fn survival_is_legible_at_every_width_and_amount() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (curves, people) in [(1, 0), (1, 1), (2, 30), (3, 2_000), (8, 60)] {
            for x_log in [false, true] {
                let input = Curves { x_log, ..survival(curves, people) };
                let figure = draw_one(&input, &Style::new(width));
                legible::check(&figure);
                // The start, and for each person a point and a number at risk; every third has a mark.
                assert_eq!(figure.data.rows.len(), curves * (1 + 2 * people + people / 3));
            }
        }
    }
}

#[test]
fn steps_hold_until_the_next_x() {
    let figure = draw_one(&Curves { y_range: None, ..survival(1, 4) }, &Style::default());
    let lines = first_lines(&figure);
    let line = lines.iter().max_by_key(|line| line.len()).unwrap();
    assert!(line.len() >= 8, "{lines:?}");
    for pair in line.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        assert!(dx.abs() < 0.02 || dy.abs() < 0.02, "{pair:?} slants");
    }
    let straight = draw_one(&Curves { step: false, y_range: None, ..survival(1, 4) }, &Style::default());
    let slants = |pair: &[(f64, f64)]| (pair[1].0 - pair[0].0).abs() > 1.0 && (pair[1].1 - pair[0].1).abs() > 1.0;
    assert!(first_lines(&straight).iter().any(|line| line.windows(2).any(slants)));
}

#[test]
fn marks_stand_on_the_curve_and_others_are_counted() {
    let (x, y) = (Axis::fixed(Label::none(), 0.0, 10.0, false), Axis::fixed(Label::none(), 0.0, 1.0, false));
    let point = |x, y| Point { x, y, band: None };
    let points = vec![point(0.0, 1.0), point(4.0, 0.5), point(6.0, f64::NAN), point(8.0, 0.25)];
    let curve = Curve { points, ..Default::default() };
    let heights = |step: bool| [-1.0, 2.0, 4.0, 5.0, 7.0, 8.0, 9.0].map(|at| place(&curve, step, &x, &y, at));
    assert_eq!(heights(true), [None, Some(1.0), Some(0.5), Some(0.5), None, Some(0.25), None]);
    assert_eq!(heights(false), [None, Some(0.75), Some(0.5), None, None, Some(0.25), None]);
    let mut input = survival(1, 6);
    input.pages[0][0].marks = vec![2.5, 7.0, -3.0];
    let caption = draw_one(&input, &Style::default()).caption;
    assert!(caption.contains("2 (censored) not shown (no curve there)"), "{caption}");
}

/// The height of a curve, as a share of the vertical axis.
fn place(curve: &Curve, step: bool, x: &Axis, y: &Axis, at: f64) -> Option<f64> {
    let (share_x, share_y) = lines::place(curve, step, (x, y), at)?;
    assert!((share_x - at / 10.0).abs() < 1e-12);
    Some(share_y)
}

#[test]
fn numbers_at_risk_are_those_who_have_not_left_before() {
    // 60 people leave at 1 to 60: at the time t, those who leave at t or later are still there.
    let mut input = survival(1, 60);
    input.at_risk = "still playing".into();
    let figure = draw_one(&input, &Style::new(Width::Double));
    let texts: Vec<&str> =
        figure.svg.split("<text").skip(1).map(|text| text.split(['>', '<']).nth(1).unwrap()).collect();
    let start = texts.iter().position(|&text| text == "still playing").unwrap();
    // The vertical axis has its labels between 0 and 1; those of the horizontal one and the numbers are whole.
    let whole: Vec<&str> = texts.iter().copied().filter(|text| text.parse::<u64>().is_ok()).collect();
    assert!(texts[start + 1..].starts_with(&["60", "51", "41", "31", "21", "11", "1"]), "{texts:?}");
    assert!(whole.windows(3).any(|some| some == ["10", "20", "30"]), "{texts:?}");
}

#[test]
fn contradictions_of_survival_are_named() {
    let fault = |input: &Curves| draw(input, &Style::default()).unwrap_err().to_string();
    let mut wrong = survival(1, 3);
    wrong.pages[0][0].marks[0] = f64::NAN;
    assert!(fault(&wrong).contains("has a mark at NaN"), "{}", fault(&wrong));
    wrong.pages[0][0].marks.clear();
    wrong.pages[0][0].at_risk[2].0 = 2.0;
    assert!(fault(&wrong).contains("numbers at risk at 2 before 2"), "{}", fault(&wrong));
}

#[test]
fn pages_of_groups_share_both_axes() {
    let pages = [4, 12, 0].map(|points| input(1, points).pages.remove(0)).to_vec();
    let input = Curves { y_range: None, pages, ..input(0, 0) };
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let pages = draw(&input, &Style::new(width)).unwrap();
        pages.iter().for_each(legible::check);
        assert_eq!(pages.iter().map(|page| page.name.as_str()).collect::<Vec<_>>(), ["power-1", "power-2", "power-3"]);
        assert!(pages[0].caption.starts_with("Power (1/3)."), "{}", pages[0].caption);
        assert!(pages[2].svg.contains("no data"));
        // The first four points of the long curve are those of the short one.
        let circles = |page: &Figure| -> Vec<String> {
            page.svg.split("<circle ").skip(2).map(|circle| circle.split('/').next().unwrap().to_owned()).collect()
        };
        let (short, long) = (circles(&pages[0]), circles(&pages[1]));
        assert_eq!((short.len(), &short[..]), (4, &long[..4]));
    }
    assert_eq!(draw(&Curves::default(), &Style::default()).unwrap(), []);
}
