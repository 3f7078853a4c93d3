//! Tests of the figure of distances along attempts.

use super::super::{Width, draw, legible};
use super::*;
use legible::draw_one;

fn level(number: usize, attempts: usize) -> Level {
    let attempt = |who: usize| {
        let length = 12 + (who * 7 + number) % 30;
        let distance =
            (0..length).map(|ply| Some(f64::from((length - ply) as u32 * 10 / length as u32 + (ply % 3 == 1) as u32)));
        Attempt {
            name: format!("p{who}"),
            x: (0..length).map(|ply| ply as f64).collect(),
            distance: distance.collect(),
            highlighted: who == 1,
        }
    };
    let head = PanelHead { title: format!("level {number}"), statistic: format!("n = {attempts}") };
    Level {
        head,
        attempts: (0..attempts).map(attempt).collect(),
        optimal: vec![(0.0, 10.0), (10.0, 0.0)],
        x_limit: None,
    }
}

#[test]
fn the_data_are_the_input_and_a_dead_end_is_empty() {
    let attempt =
        Attempt { name: "p1".to_owned(), x: vec![0.0, 1.0], distance: vec![Some(3.0), None], highlighted: true };
    let head = PanelHead { title: "1".to_owned(), statistic: "n = 1".to_owned() };
    let input = DistancePath {
        levels: vec![Level { head, attempts: vec![attempt], optimal: vec![(0.0, 3.0)], x_limit: None }],
        ..Default::default()
    };
    let csv = draw_one(&input, &Style::default()).to_csv().unwrap();
    let expected = "level,statistic,kind,attempt,highlighted,x,distance\n\
                    1,n = 1,attempt,p1,true,0,3\n1,n = 1,attempt,p1,true,1,\n1,n = 1,optimal,,,0,3\n";
    assert_eq!(csv, expected);
}

#[test]
fn every_width_and_amount_is_legible() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (levels, attempts) in [(0, 0), (1, 1), (1, 400), (2, 3), (30, 12)] {
            let levels: Vec<Level> = (0..levels).map(|number| level(number, attempts)).collect();
            let input = DistancePath { levels, x_title: "ply".into(), ..Default::default() };
            let pages = draw(&input, &Style::new(width)).unwrap();
            pages.iter().for_each(legible::check);
            assert_eq!(pages, draw(&input, &Style::new(width)).unwrap());
        }
    }
}

#[test]
fn attempts_beyond_the_limit_are_counted() {
    let alone = Level { head: PanelHead::default(), ..level(1, 9) };
    let input = DistancePath { levels: vec![alone], x_limit: Some(20.0), ..Default::default() };
    let beyond = input.levels[0].attempts.iter().filter(|attempt| attempt.x.len() > 21).count();
    let figure = draw_one(&input, &Style::default());
    legible::check(&figure);
    assert!(figure.caption.contains(&format!("{beyond} attempts go on beyond")), "{}", figure.caption);
}

#[test]
fn a_step_holds_until_its_move_is_made() {
    let attempt =
        Attempt { x: vec![0.0, 4.0, 10.0], distance: [2.0, 1.0, 0.0].map(Some).to_vec(), ..Default::default() };
    let level = Level { attempts: vec![attempt], ..Default::default() };
    let points = |steps: bool, dead: bool| -> Vec<(f64, f64)> {
        let mut input = DistancePath { levels: vec![level.clone()], steps, ..Default::default() };
        if dead {
            input.levels[0].attempts[0].distance[2] = None;
        }
        let svg = draw_one(&input, &Style::default()).svg;
        // The attempt is the only line of this pen beside the one of the legend.
        let group = svg.split("<g ").filter(|group| group.contains("stroke-opacity=\"0.8\"")).last().unwrap();
        legible::points(group.split("points=\"").nth(1).unwrap())
    };
    let (slanted, steps, dead) = (points(false, false), points(true, false), points(true, true));
    let [a, b, c] = slanted[..] else { panic!("{slanted:?}") };
    assert_eq!(steps, [a, (b.0, a.1), b, (c.0, b.1), c]);
    assert!(((b.0 - a.0) / (c.0 - a.0) - 0.4).abs() < 0.001, "4 of 10 seconds: {slanted:?}");
    assert_eq!(dead, [a, (b.0, a.1), b, (c.0, b.1)], "the last distance holds until the dead end");
}

#[test]
fn a_level_that_is_much_longer_has_its_own_axis() {
    let mut levels: Vec<Level> = (0..5).map(|number| level(number, 4)).collect();
    let x: Vec<f64> = (0..1_024).map(f64::from).collect();
    let distance = x.iter().map(|x| Some(1_023.0 - x)).collect();
    levels[2].attempts[0] = Attempt { x, distance, ..Default::default() };
    let shared = DistancePath { levels, x_title: "moves made".into(), ..Default::default() };
    let own_axes = DistancePath { own_axes_factor: Some(5.0), ..shared.clone() };
    let longest = |input: &DistancePath| input.shared_axes(&input.own_axes()).0.high;
    let farthest = |input: &DistancePath| input.shared_axes(&input.own_axes()).1.high / 1.04;
    assert_eq!((longest(&shared), farthest(&shared)), (1_023.0, 1_023.0));
    assert!(farthest(&own_axes) <= 12.0, "{}", farthest(&own_axes));
    let others = [0, 1, 3, 4].map(|index| reach(&own_axes.levels[index]));
    assert_eq!(longest(&own_axes), others.into_iter().fold(0.0, f64::max));
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let figure = &draw(&own_axes, &Style::new(width)).unwrap()[0];
        legible::check(figure);
        assert!(figure.caption.contains("1 level has axes of its own"), "{}", figure.caption);
        let words: Vec<String> = legible::texts(figure).into_iter().map(|(_, words)| words).collect();
        assert!(words.join(" ").contains("own axes"), "{words:?}");
        assert_eq!(figure.data, draw(&shared, &Style::new(width)).unwrap()[0].data);
    }
    // A limit of its own cuts that level alone.
    let mut cut = own_axes.clone();
    cut.levels[2].x_limit = Some(300.0);
    let figure = &draw(&cut, &Style::default()).unwrap()[0];
    assert!(figure.caption.contains("1 attempt goes on beyond the right edge"), "{}", figure.caption);
    assert!(draw(&DistancePath { own_axes_factor: Some(1.0), ..cut }, &Style::default()).is_err());
}

/// Attempts at ten discs that hardly come nearer to the goal, 1,023 moves away.
fn far_from_the_goal(moves: usize) -> Level {
    let attempt = |who: usize| Attempt {
        x: (0..=moves).map(|ply| ply as f64).collect(),
        distance: (0..=moves).map(|ply| Some(1_023.0 - ((ply * (who + 2)) % 17) as f64)).collect(),
        ..Default::default()
    };
    let head = PanelHead { title: "ten-discs".to_owned(), statistic: "0 of 4 solved".to_owned() };
    let optimal = vec![(0.0, 1_023.0), (1_023.0, 0.0)];
    Level { head, attempts: (0..4).map(attempt).collect(), optimal, x_limit: None }
}

#[test]
fn attempts_and_not_the_optimal_solution_set_the_axes() {
    let level_alone = Level { head: PanelHead::default(), ..far_from_the_goal(60) };
    let alone = DistancePath { levels: vec![level_alone], ..Default::default() };
    let multiples = |input: &DistancePath| input.shared_axes(&input.own_axes()).1;
    let (x, y) = alone.shared_axes(&[]);
    assert_eq!((x.low, x.high), (0.0, 60.0));
    assert!(y.low > 1_000.0 && y.high < 1_030.0, "{} to {}", y.low, y.high);
    // Attempts that come down below the middle keep the goal on the axis, and so do short distances.
    let mut near = alone.clone();
    near.levels[0].attempts[0].distance[60] = Some(500.0);
    assert!(multiples(&near).low < 0.0);
    near.levels[0]
        .attempts
        .iter_mut()
        .for_each(|attempt| attempt.distance.iter_mut().flatten().for_each(|at| *at /= 64.0));
    assert!(multiples(&near).low < 0.0 && multiples(&near).high < 17.0);
    let mut levels: Vec<Level> = (0..5).map(|number| level(number, 4)).collect();
    levels[3] = far_from_the_goal(60);
    let many = DistancePath { levels, own_axes_factor: Some(5.0), ..Default::default() };
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let figure = draw_one(&alone, &Style::new(width));
        legible::check(&figure);
        assert!(figure.caption.contains("the vertical axis does not begin at 0"), "{}", figure.caption);
        assert!(figure.svg.contains(">1,010<") || figure.svg.contains(">1,015<"), "its labels are shown");
        let figure = &draw(&many, &Style::new(width)).unwrap()[0];
        legible::check(figure);
        let note = "the vertical axis of 1 level does not begin at 0";
        assert!(figure.caption.contains(note), "{}", figure.caption);
        assert!(figure.svg.contains(">1,010<"), "its labels are shown");
    }
}

#[test]
fn axes_of_whole_moves_have_whole_ticks() {
    let axes = |x: f64, distance: f64| {
        let attempt = Attempt { x: vec![0.0, x], distance: vec![Some(1.0), Some(distance)], ..Default::default() };
        let level = Level { attempts: vec![attempt], ..Default::default() };
        let input = DistancePath { levels: vec![level], ..Default::default() };
        let (x, y) = input.shared_axes(&[]);
        (x.whole, y.whole)
    };
    assert_eq!(axes(2.0, 0.0), (true, true));
    assert_eq!(axes(2.5, 0.25), (false, false));
}
