//! Tests of the state graph: legibility, data, and where marks stand.

use super::super::axis::Plot;
use super::super::label::Label;
use super::super::{Width, draw, legible};
use super::*;
use legible::draw_one;

/// A tree in which node n hangs on node n / 3, the root being the goal, with a few edges inside layers.
fn tree(states: u32) -> StateGraph {
    let mut distance: Vec<Option<u32>> = Vec::new();
    for node in 0..states {
        let above = if node == 0 { None } else { distance[(node / 3) as usize] };
        distance.push(Some(above.map_or(0, |above: u32| above + 1)));
    }
    let edges = (1..states).flat_map(|node| [(node / 3, node), (node, (node + 1) % states)]).collect();
    let is_goal = (0..states).map(|node| node == 0).collect();
    StateGraph { distance, is_goal, edges, start: states.checked_sub(1), ..Default::default() }
}

#[test]
fn the_data_are_the_input() {
    let input = StateGraph {
        distance: vec![Some(0), Some(1), None],
        is_goal: vec![true, false, false],
        edges: vec![(1, 0), (1, 2), (0, 1)],
        start: Some(1),
        ..Default::default()
    };
    let csv = draw_one(&input, &Style::default()).to_csv().unwrap();
    let expected = "kind,id,target,distance,n,has_start,has_goal,x,y\n\
                    state,0,,0,1,false,true,,\nstate,1,,1,1,true,false,,\nstate,2,,,1,false,false,,\n\
                    edge,0,1,,1,,,,\nedge,1,2,,1,,,,\n";
    assert_eq!(csv, expected);
}

#[test]
fn discs_stand_for_all_states() {
    let figure = draw_one(&tree(5_000), &Style::default());
    let rows_of = |kind: &'static str| figure.data.rows.iter().filter(move |row| row[0] == kind);
    assert_eq!(rows_of("disc").map(|row| row[4].parse::<u32>().unwrap()).sum::<u32>(), 5_000);
    assert_eq!(rows_of("disc").filter(|row| row[5] == "true").count(), 1, "the start is in one of them");
    assert!(rows_of("edge").all(|row| row[1] != row[2]));
}

#[test]
fn a_level_without_a_goal_has_no_axis_of_distance() {
    let input = StateGraph { distance: vec![None; 9], is_goal: vec![false; 9], start: Some(0), ..Default::default() };
    let figure = draw_one(&input, &Style::default());
    legible::check(&figure);
    assert!(figure.svg.contains(">∞<") && !figure.svg.contains(">0<"));
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for states in [0, 1, 2, 20, 1_000, 2_001] {
            let mut input = tree(states);
            if states == 20 {
                input.distance[19] = None;
                input.colouring = Colouring::Blue;
            }
            let figure = draw_one(&input, &Style::new(width));
            legible::check(&figure);
            assert_eq!(figure, draw_one(&input, &Style::new(width)));
            assert_eq!(figure.caption.contains("summed up"), states > 2_000);
        }
    }
}

#[test]
fn given_positions_are_kept_undistorted() {
    let mut input = tree(4);
    input.positions = Some(vec![(0.0, 0.0), (10.0, 0.0), (10.0, 1.0), (0.0, 1.0)]);
    legible::check(&draw_one(&input, &Style::default()));
    let drawing = Drawing::new(&input, &Style::default());
    let (x, y) = drawing.axes();
    let place = Rect { left: 0.0, top: 0.0, width: 100.0, height: 50.0 };
    let plot = drawing.undistorted(Plot { place, x, y });
    let (right, up) = (plot.at(10.0, 0.0).0 - plot.at(0.0, 0.0).0, plot.at(0.0, 0.0).1 - plot.at(0.0, 1.0).1);
    assert!((right - 10.0 * up).abs() < 1e-9, "{right} mm and {up} mm");
}

#[test]
fn contradictions_are_named() {
    let mut input = tree(3);
    input.edges.push((0, 7));
    assert!(draw(&input, &Style::default()).unwrap_err().to_string().contains("state 7"));
    input.is_goal.pop();
    assert!(draw(&input, &Style::default()).unwrap_err().to_string().contains("2 goal flags"));
}

/// Trajectory of a fixed walk through a graph: every move at most once an error.
fn walked(graph: &StateGraph, length: usize) -> Trajectory {
    let mut trajectory = Trajectory { states: graph.start.into_iter().collect(), steps: Vec::new() };
    let Some(&start) = trajectory.states.first() else { return trajectory };
    let mut state = start;
    for step in 0..length {
        let beside = graph.edges.iter().filter(|(a, b)| a != b && (*a == state || *b == state));
        let beside: Vec<u32> = beside.map(|&(a, b)| if a == state { b } else { a }).collect();
        if beside.is_empty() {
            break;
        }
        let next = beside[(step * 7 + step / 3) % beside.len()];
        let is_nearer = graph.distance[next as usize] < graph.distance[state as usize];
        trajectory.states.push(next);
        trajectory.steps.push(if is_nearer { Step::Optimal } else { Step::Error });
        state = next;
    }
    trajectory
}

fn traffic(trajectory: &Trajectory, count: u64) -> Traffic {
    let used = |(pair, step): (&[u32], &Step)| {
        let n_errors = if *step == Step::Error { count } else { 0 };
        UsedMove { from: pair[0], to: pair[1], count, n_errors }
    };
    Traffic { moves: trajectory.states.windows(2).zip(&trajectory.steps).map(used).collect() }
}

fn traps(trajectory: &Trajectory, n_flagged: usize) -> Traps {
    let mut states: Vec<Trap> = Vec::new();
    for (index, &state) in trajectory.states.iter().enumerate() {
        let is_error = trajectory.steps.get(index) == Some(&Step::Error);
        let place = states.iter().position(|trap| trap.state == state).unwrap_or(states.len());
        if place == states.len() {
            states.push(Trap { state, flagged: place < n_flagged, ..Default::default() });
        }
        states[place].n_visits += 1;
        states[place].n_errors += u64::from(is_error);
    }
    Traps { states, flag: "a very long name of what makes such a state stand out among all of the others".into() }
}

#[test]
fn everything_on_the_graph_is_legible_at_every_width() {
    for (states, lengths) in [(1, [0, 1]), (20, [1, 60]), (300, [0, 400]), (1_999, [2, 60]), (2_001, [0, 900])] {
        let mut graph = tree(states);
        if states == 300 {
            graph.colouring = Colouring::Blue;
            graph.distance[5] = None;
        }
        for length in lengths {
            let mut trajectory = walked(&graph, length);
            if length == 60 && states > 2 {
                // A restart from wherever the walk is.
                trajectory.states.push(graph.start.unwrap());
                trajectory.steps.push(Step::Jump);
            }
            let inputs = [
                StateGraph { traffic: Some(traffic(&trajectory, 1)), ..graph.clone() },
                StateGraph { traffic: Some(traffic(&trajectory, 1_234_567)), ..graph.clone() },
                StateGraph { trajectory: Some(trajectory.clone()), ..graph.clone() },
                StateGraph { traps: Some(traps(&trajectory, 0)), ..graph.clone() },
                StateGraph { traps: Some(traps(&trajectory, MAX_LETTERS)), ..graph.clone() },
                StateGraph { traps: Some(traps(&trajectory, 60)), ..graph.clone() },
            ];
            for input in &inputs {
                // A jump is no move that traffic may hold.
                if input.traffic.is_some() && trajectory.steps.contains(&Step::Jump) {
                    continue;
                }
                for width in [Width::Single, Width::OneAndHalf, Width::Double] {
                    let figure = draw_one(input, &Style::new(width));
                    legible::check(&figure);
                    assert!(figure.height_mm <= 230.0);
                }
            }
        }
    }
}

/// All tags of a kind with a paint that holds `paint`, as their attributes.
fn tags<'a>(svg: &'a str, tag: &str, paint: &str) -> Vec<&'a str> {
    let mut matching = Vec::new();
    for group in svg.split("<g ").skip(1) {
        let (head, body) = group.split_once('>').unwrap();
        if head.contains(paint) {
            matching.extend(body.lines().filter(|line| line.starts_with(&format!("<{tag} "))));
        }
    }
    matching
}

fn number(tag: &str, name: &str) -> f64 {
    tag.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
}

fn points(tag: &str) -> Vec<(f64, f64)> {
    legible::points(tag.split(" points=\"").nth(1).unwrap())
}

/// A chain: state n at distance n.
fn chain(states: u32) -> StateGraph {
    StateGraph {
        distance: (0..states).map(Some).collect(),
        is_goal: (0..states).map(|state| state == 0).collect(),
        edges: (1..states).map(|state| (state - 1, state)).collect(),
        start: states.checked_sub(1),
        ..Default::default()
    }
}

const BLUE_STROKE: &str = "stroke=\"#0072B2\"";
const ORANGE: &str = "#D55E00";

#[test]
fn lines_are_as_wide_as_moves_are_frequent() {
    let used = |from, to, count, n_errors| UsedMove { from, to, count, n_errors };
    let moves = vec![used(3, 2, 400, 0), used(2, 1, 100, 0), used(1, 2, 25, 25)];
    let input = StateGraph { traffic: Some(Traffic { moves }), ..chain(5) };
    let figure = draw_one(&input, &Style::default());
    let widths = |count: &str| {
        let strokes = figure.svg.split("<g ").skip(1).map(|group| group.split_once('>').unwrap().0);
        let strokes =
            strokes.filter(|head| head.contains(count)).map(|head| number(&format!(" {head}"), "stroke-width"));
        strokes.fold((f64::MAX, 0.0_f64), |(least, most), width| (least.min(width), most.max(width)))
    };
    // The legend has lines of 1, 100 and 200 moves, and one that is 0.4 mm wide.
    let (least, most) = widths(BLUE_STROKE);
    assert!(least < 25.0 && most > 80.0, "{least} to {most} hundredths of a millimetre");
    let orange = widths(&format!("stroke=\"{ORANGE}\""));
    // The root of 25 / 400 is a quarter; the legend's line is 0.4 mm wide.
    assert!((orange.0 - most / 4.0).abs() < 1.5, "{orange:?} for a quarter of {most}");
}

#[test]
fn the_trajectory_runs_through_its_states_and_errors_have_numbers() {
    let steps = vec![Step::Optimal, Step::Error, Step::Optimal, Step::Jump, Step::Optimal];
    let trajectory = Trajectory { states: vec![4, 3, 4, 3, 1, 0], steps };
    let input = StateGraph { trajectory: Some(trajectory), ..chain(6) };
    let figure = draw_one(&input, &Style::default());
    for text in [">0<", ">5<", ">2<"] {
        assert!(figure.svg.contains(text), "{text}: the ends of the trajectory and its error are numbered");
    }
    let rows: Vec<String> = figure.data.rows.iter().filter(|row| row[0] == "moves").map(|row| row.join(",")).collect();
    let expected = [
        "moves,1,0,,1,,,,,,,optimal,5",
        "moves,3,1,,1,,,,,,,jump,4",
        "moves,3,4,,1,,,,,,,error,2",
        "moves,4,3,,2,,,,,,,optimal,1 3",
    ];
    assert_eq!(rows, expected);
    let visited = |state: usize| figure.data.rows[state][9].clone();
    assert_eq!([0, 1, 2, 3, 4, 5].map(visited), ["true", "true", "false", "true", "true", "false"]);
    // The heads of the moves between 3 and 4 point against each other, each right of its direction: the error, to the
    // right on the sheet, runs lower.
    let heads = |paint: &str| -> Vec<Vec<(f64, f64)>> {
        let tags = tags(&figure.svg, "polygon", paint);
        tags.into_iter().map(points).filter(|corners| corners.len() == 3 && corners[0].1 > 2_000.0).collect()
    };
    let (error, optimal) = (heads(&format!("fill=\"{ORANGE}\"")), heads("fill=\"#0072B2\""));
    assert_eq!((error.len(), optimal.len()), (1, 2), "one head for each line");
    assert!(error[0][0].0 > error[0][1].0 && optimal.iter().all(|head| head[0].0 < head[1].0));
    let twice = optimal.iter().max_by(|a, b| a[0].0.total_cmp(&b[0].0)).unwrap();
    assert!(error[0][0].1 > twice[0].1, "{error:?} below {twice:?}");
}

#[test]
fn discs_of_traps_have_their_area_and_colour() {
    let trap = |state, n_visits, n_errors, flagged| Trap { state, n_visits, n_errors, flagged };
    let states = vec![trap(1, 100, 100, true), trap(2, 25, 0, false), trap(3, 64, 32, true), trap(0, 0, 0, false)];
    let input = StateGraph { traps: Some(Traps { states, flag: Label::none() }), ..chain(5) };
    let figure = draw_one(&input, &Style::default());
    // Dark is all errors, bright none; the middle of the ramp is viridis at 0.46.
    let radius = |share: f64| {
        let colour = super::super::sheet::viridis(share);
        let fill = format!("fill=\"#{:02X}{:02X}{:02X}\"", colour.0, colour.1, colour.2);
        let circles = tags(&figure.svg, "circle", &fill);
        // The last is on the graph, those before it in the legend.
        number(circles.last().unwrap(), "r")
    };
    let (all, none, half) = (radius(0.0), radius(0.92), radius(0.46));
    assert!((all / none - 2.0).abs() < 0.05, "{all} and {none}: four times the visits are twice the radius");
    assert!((half / all - 0.8).abs() < 0.02, "{half} and {all}");
    assert!(figure.svg.contains(">A</text>") && figure.svg.contains(">B</text>") && !figure.svg.contains(">C</text>"));
    let letters: Vec<&str> =
        figure.data.rows.iter().filter(|row| row[0] == "state").map(|row| row[14].as_str()).collect();
    assert_eq!(letters, ["", "A", "", "B", ""]);
}

#[test]
fn visited_states_stand_alone_in_a_graph_that_is_summed_up() {
    let graph = tree(9_000);
    let trajectory = walked(&graph, 40);
    let input = StateGraph { trajectory: Some(trajectory.clone()), ..graph };
    let figure = draw_one(&input, &Style::new(Width::Single));
    let discs = || figure.data.rows.iter().filter(|row| row[0] == "disc");
    assert_eq!(discs().map(|row| row[4].parse::<u32>().unwrap()).sum::<u32>(), 9_000);
    let mut alone: Vec<u32> = discs().filter(|row| row[9] == "true").map(|row| row[10].parse().unwrap()).collect();
    let mut visited = trajectory.states.clone();
    visited.sort_unstable();
    visited.dedup();
    alone.sort_unstable();
    assert_eq!(alone, visited);
    let drawn = figure.data.rows.iter().filter(|row| row[0] == "moves").map(|row| row[4].parse::<usize>().unwrap());
    assert_eq!(drawn.sum::<usize>(), trajectory.steps.len());
}

#[test]
fn moves_inside_discs_are_counted_not_lost() {
    let graph = tree(20_000);
    // Everybody goes along every edge once: there are more visited states than discs.
    let moves = graph.edges.iter().map(|&(a, b)| UsedMove { from: b, to: a, count: 3, n_errors: u64::from(a > b) });
    let input = StateGraph { traffic: Some(Traffic { moves: moves.collect() }), ..graph.clone() };
    let figure = draw_one(&input, &Style::new(Width::Single));
    let drawn = figure.data.rows.iter().filter(|row| row[0] == "moves").map(|row| row[4].parse::<usize>().unwrap());
    let inside = 3 * graph.edges.len() - drawn.sum::<usize>();
    assert!(inside > 0);
    assert!(figure.caption.contains(&format!("{} moves inside one disc", super::super::grouped(inside as u64))));
}

#[test]
fn a_goal_and_small_discs_can_be_seen_in_a_graph_that_is_summed_up() {
    let graph = tree(65_536);
    let trajectory = walked(&graph, 3);
    let [traffic, traps] = [
        StateGraph { traffic: Some(traffic(&trajectory, 1)), ..graph.clone() },
        StateGraph { traps: Some(traps(&trajectory, 0)), ..graph.clone() },
    ];
    for width in [Width::Single, Width::Double] {
        for input in [&graph, &traffic, &traps] {
            let figure = draw_one(input, &Style::new(width));
            legible::check(&figure);
            let is_pale = input.traffic.is_some() || input.traps.is_some();
            let circles = tags(&figure.svg, "circle", "fill=\"#");
            let least = circles.iter().map(|circle| number(circle, "r")).fold(f64::MAX, f64::min);
            assert!(least >= if is_pale { 24.0 } else { 35.0 }, "{least} hundredths of a millimetre");
            if !is_pale {
                // The square of the goal: the only one of its colour beside that of the legend.
                let squares = tags(&figure.svg, "polygon", "fill=\"#CC3311\"");
                let corners = points(squares.last().unwrap());
                let side = corners.iter().map(|corner| corner.0).fold(0.0, f64::max) - corners[0].0;
                assert!(squares.len() == 2 && side >= 120.0, "{side} hundredths of a millimetre");
            }
        }
    }
}

#[test]
fn contradictions_on_the_graph_are_named() {
    let fault = |input: StateGraph| draw(&input, &Style::default()).unwrap_err().to_string();
    let used = |from, to, count, n_errors| Some(Traffic { moves: vec![UsedMove { from, to, count, n_errors }] });
    let error = fault(StateGraph { traffic: used(1, 9, 1, 0), ..chain(5) });
    assert!(error.contains("names state 9"), "{error}");
    let error = fault(StateGraph { traffic: used(1, 2, 1, 3), ..chain(5) });
    assert!(error.contains("an error 3 times but made 1 times"), "{error}");
    let error = fault(StateGraph { traffic: used(1, 3, 1, 0), ..chain(5) });
    assert!(error.contains("between the states 1 and 3, but no edge"), "{error}");
    let error = fault(StateGraph { traffic: used(1, 2, 1, 0), trajectory: Some(Trajectory::default()), ..chain(5) });
    assert!(error.contains("more than one of"), "{error}");
    let trajectory = |states, steps| Some(Trajectory { states, steps });
    let error = fault(StateGraph { trajectory: trajectory(vec![3, 2], vec![]), ..chain(5) });
    assert!(error.contains("2 states but 0 steps"), "{error}");
    let error = fault(StateGraph { trajectory: trajectory(vec![4, 1], vec![Step::Error]), ..chain(5) });
    assert!(error.contains("between the states 4 and 1"), "{error}");
    assert!(
        draw(&StateGraph { trajectory: trajectory(vec![4, 1], vec![Step::Jump]), ..chain(5) }, &Style::default())
            .is_ok()
    );
    let error = fault(StateGraph { trajectory: trajectory(vec![5], vec![]), ..chain(5) });
    assert!(error.contains("the trajectory names state 5"), "{error}");
    let trap = |state, n_visits, n_errors| Trap { state, n_visits, n_errors, flagged: false };
    let traps = |states| Some(Traps { states, flag: Label::none() });
    let error = fault(StateGraph { traps: traps(vec![trap(2, 1, 2)]), ..chain(5) });
    assert!(error.contains("2 errors in 1 visits"), "{error}");
    let error = fault(StateGraph { traps: traps(vec![trap(2, 1, 0), trap(2, 1, 0)]), ..chain(5) });
    assert!(error.contains("two error rates"), "{error}");
    let error = fault(StateGraph { traps: traps(vec![trap(7, 1, 0)]), ..chain(5) });
    assert!(error.contains("names state 7"), "{error}");
}

#[test]
fn nothing_made_is_said() {
    let caption = |input: StateGraph| draw_one(&input, &Style::default()).caption;
    assert!(caption(StateGraph { traffic: Some(Traffic::default()), ..chain(3) }).contains("no move was made"));
    assert!(caption(StateGraph { trajectory: Some(Trajectory::default()), ..chain(3) }).contains("no move was made"));
    assert!(caption(StateGraph { traps: Some(Traps::default()), ..chain(3) }).contains("nobody had to choose a move"));
}
