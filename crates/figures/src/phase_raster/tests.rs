//! Tests of the raster of attempts.

use super::super::{Figure, Width, draw, legible};
use super::*;

fn moves(count: usize, seed: usize) -> Vec<Move> {
    let mut end_s = 0.0;
    let step = |number: usize| {
        let duration_s = 0.2 + ((number * 37 + seed * 11) % 50) as f64 / 7.0;
        end_s += duration_s;
        let is_thinking = [Some(true), Some(false), Some(false), None][(number + seed) % 4];
        Move { end_s, duration_s, is_thinking, is_error: number % 5 == 2 }
    };
    (0..count).map(step).collect()
}

fn input(groups: usize, attempts: usize) -> PhaseRaster {
    let attempt = |row: usize| Attempt {
        label: [format!("{}", row + 1), format!("a participant with a very long name, attempt {row}")][row % 2].clone(),
        moves: moves(if row % 7 == 3 { 0 } else { 3 + row % 9 * (1 + row / 40) }, row),
        is_solved: [Some(true), Some(false), None][row % 3],
    };
    let group = |number: usize| Group {
        head: PanelHead {
            title: if number % 5 == 4 { String::new() } else { format!("group {number} of a long name {number}") },
            statistic: "n = 12, 71 % of the time thinking [65 %, 77 %], the longest of all statistics".to_owned(),
        },
        attempts: (0..attempts).map(attempt).collect(),
    };
    PhaseRaster {
        heading: Heading { name: "raster".to_owned(), title: "Thinking and acting".into(), ..Default::default() },
        groups: (0..groups).map(group).collect(),
        ..Default::default()
    }
}

/// Left, right, top and bottom of all polygons in units of the drawing, those of the legend first.
fn polygons(figure: &Figure) -> Vec<[f64; 4]> {
    let extent = |corners: Vec<(f64, f64)>| {
        let (mut x, mut y): (Vec<f64>, Vec<f64>) = corners.into_iter().unzip();
        x.sort_by(f64::total_cmp);
        y.sort_by(f64::total_cmp);
        [x[0], x[x.len() - 1], y[0], y[y.len() - 1]]
    };
    figure.svg.split("<polygon points=\"").skip(1).map(legible::points).map(extent).collect()
}

#[test]
fn the_data_are_the_input() {
    let thought = Move { end_s: 2.5, duration_s: 2.0, is_thinking: Some(true), is_error: true };
    let acted = Move { end_s: 3.0, duration_s: 0.5, is_thinking: None, is_error: false };
    let attempts = vec![
        Attempt { label: "p1, a".to_owned(), moves: vec![thought, acted], is_solved: Some(false) },
        Attempt { label: "p2".to_owned(), ..Default::default() },
    ];
    let head = PanelHead { title: "g".to_owned(), statistic: "s".to_owned() };
    let input = PhaseRaster { groups: vec![Group { head, attempts }], ..Default::default() };
    assert_eq!(
        draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap(),
        "group,statistic,attempt,solved,move,start_s,end_s,phase,error\ng,s,\"p1, a\",false,1,0.5,2.5,thinking,true\n\
         g,s,\"p1, a\",false,2,2.5,3,,false\ng,s,p2,,,,,,\n"
    );
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (groups, attempts) in [(0, 0), (1, 1), (3, 6), (40, 1), (1, 130), (9, 45)] {
            for (x_log, x_limit) in [(false, None), (true, None), (false, Some(12.0)), (true, Some(1e-3))] {
                let input = PhaseRaster { x_log, x_limit, ..input(groups, attempts) };
                let pages = draw(&input, &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= 230.0));
                assert_eq!(pages.len() > 1, groups * attempts > 300, "{groups} × {attempts}: {} pages", pages.len());
                let rows = input.attempts().map(|attempt| attempt.moves.len().max(1)).sum::<usize>();
                assert_eq!(pages.iter().map(|page| page.data.rows.len()).sum::<usize>(), rows);
                assert_eq!(pages, draw(&input, &Style::new(width)).unwrap());
            }
        }
    }
}

#[test]
fn bars_are_as_long_as_their_times_and_thinking_is_higher() {
    let step = |end_s: f64, duration_s: f64, is_thinking: bool| Move {
        end_s,
        duration_s,
        is_thinking: Some(is_thinking),
        is_error: false,
    };
    let moves = vec![step(10.0, 10.0, true), step(30.0, 20.0, false), step(50.0, 20.0, false), step(100.0, 25.0, true)];
    let group = Group { attempts: vec![Attempt { moves, ..Default::default() }], ..Default::default() };
    let figure = &draw(&PhaseRaster { groups: vec![group], ..Default::default() }, &Style::default()).unwrap()[0];
    // Two fields of the legend; then a bar of 10 s, one of two moves of 20 s each, a gap of 25 s, and one of 25 s.
    let bars = polygons(figure)[2..].to_vec();
    assert_eq!(bars.len(), 3);
    let per_second = (bars[0][1] - bars[0][0]) / 10.0;
    for (bar, (from, to)) in bars.iter().zip([(0.0, 10.0), (10.0, 50.0), (75.0, 100.0)]) {
        let expected = [from, to].map(|time| bars[0][0] + per_second * time);
        assert!((bar[0] - expected[0]).abs() < 8.0 && (bar[1] - expected[1]).abs() < 8.0, "{bar:?} {expected:?}");
    }
    assert!(bars.iter().all(|bar| bar[3] == bars[0][3]), "all stand on one line");
    let height = |bar: &[f64; 4]| bar[3] - bar[2];
    assert!(height(&bars[0]) > 1.9 * height(&bars[1]) && height(&bars[0]) == height(&bars[2]));
}

#[test]
fn what_the_axis_cuts_is_said_and_marked() {
    let mut input = input(1, 2);
    input.groups[0].attempts[0].moves = vec![
        Move { end_s: 5.0, duration_s: 5.0, is_error: true, ..Default::default() },
        Move { end_s: 4_120.0, duration_s: 10.0, is_error: true, ..Default::default() },
    ];
    let whole = draw(&input, &Style::default()).unwrap().remove(0);
    input.x_limit = Some(600.0);
    let figure = draw(&input, &Style::default()).unwrap().remove(0);
    assert!(figure.caption.contains("1 attempt goes on beyond 600 s (arrows), up to 4,120 s"), "{}", figure.caption);
    assert!(figure.svg.contains(">4,120 s<") && !whole.svg.contains(">4,120 s<"));
    // One bar less, one arrow more.
    assert_eq!(polygons(&figure).len(), polygons(&whole).len());
    assert_eq!(figure.data, whole.data);
}

#[test]
fn moves_before_a_logarithmic_axis_are_counted() {
    let mut input = PhaseRaster { x_log: true, ..input(1, 1) };
    let early = Move { end_s: 0.001, duration_s: 0.001, ..Default::default() };
    let late = Move { end_s: 1e5, duration_s: 1.0, ..Default::default() };
    input.groups[0].attempts[0].moves = vec![early, early, late];
    let caption = draw(&input, &Style::default()).unwrap()[0].caption.clone();
    assert!(caption.contains("2 moves not shown (before the start of the axis)"), "{caption}");
}

#[test]
fn ends_have_the_words_of_the_game_and_one_that_is_not_known_says_so() {
    let mut input = input(1, 3);
    let svg = |input: &PhaseRaster| draw(input, &Style::default()).unwrap()[0].svg.clone();
    let usual = svg(&input);
    assert!([">solved<", ">not solved<", ">end not logged<"].iter().all(|words| usual.contains(words)));
    (input.solved, input.unsolved) = ("game over".into(), "left before its end".into());
    let renamed = svg(&input);
    assert!(
        renamed.contains(">game over<") && renamed.contains(">left before its end<") && !renamed.contains("solved<")
    );
    input.groups[0].attempts[2].is_solved = Some(true);
    assert!(!svg(&input).contains("end not logged"), "only where there is one");
}

#[test]
fn no_head_stands_alone_and_no_attempt_is_lost() {
    let input = input(23, 17);
    for room in [60.0, 100.0, 211.0] {
        let layout = Layout::new(&input.groups, &Style::new(Width::Single), room).unwrap();
        assert!(layout.pages.iter().all(|page| layout.height_mm(page) <= room + 0.02));
        assert!(layout.pages.iter().all(|page| matches!(page.last(), Some(Line::Attempt { .. }))));
        let attempts = layout.pages.iter().flatten().filter(|line| matches!(line, Line::Attempt { .. }));
        assert_eq!(attempts.copied().collect::<Vec<_>>(), input.every_line());
        // Every page but those that start with a nameless group says which group it is.
        let named = |page: &&Vec<Line>| match page[0] {
            Line::Head { .. } => true,
            Line::Attempt { group, .. } => input.groups[group].head.title.is_empty(),
        };
        assert_eq!(layout.pages.iter().filter(named).count(), layout.pages.len());
    }
}

#[test]
fn thin_rows_say_that_some_are_not_named() {
    let figure = &draw(&input(1, 130), &Style::new(Width::Single)).unwrap()[0];
    assert!(figure.caption.contains("only every 2nd row is named"), "{}", figure.caption);
    let figure = &draw(&input(1, 20), &Style::new(Width::Single)).unwrap()[0];
    assert!(!figure.caption.contains("row is named"), "{}", figure.caption);
}

#[test]
fn nothing_to_draw_and_contradictions_are_said() {
    let fault = |input: &PhaseRaster| draw(input, &Style::default()).unwrap_err().to_string();
    let mut wrong = input(1, 1);
    wrong.heading.no_data_reason = "no phase was fitted".into();
    wrong.groups[0].attempts[0].moves.clear();
    assert!(draw(&wrong, &Style::default()).unwrap()[0].svg.contains("no data: no phase was fitted"));
    wrong.groups[0].attempts[0].moves =
        [3.0, 2.0].map(|end_s| Move { end_s, duration_s: 1.0, ..Default::default() }).to_vec();
    assert!(fault(&wrong).contains("a move at 3 s before one at 2 s"), "{}", fault(&wrong));
    wrong.groups[0].attempts[0].moves[0].duration_s = 3.5;
    assert!(fault(&wrong).contains("a move of 3.5 s that ends at 3 s"), "{}", fault(&wrong));
    wrong.groups[0].attempts[0].moves[0].duration_s = f64::NAN;
    assert!(fault(&wrong).contains("NaN"), "{}", fault(&wrong));
    wrong.x_limit = Some(0.0);
    assert!(fault(&wrong).contains("ends at 0 s"), "{}", fault(&wrong));
}
