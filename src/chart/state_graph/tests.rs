//! Tests of the state graph: legibility, data, and where marks stand.

use super::super::axis::Plot;
use super::super::{Width, legible};
use super::*;

/// A tree in which node n hangs on node n / 3, the root being the goal, with a few edges inside layers.
fn tree(states: u32) -> Input {
    let mut distance: Vec<Option<u32>> = Vec::new();
    for node in 0..states {
        let above = if node == 0 { None } else { distance[(node / 3) as usize] };
        distance.push(Some(above.map_or(0, |above: u32| above + 1)));
    }
    let edges = (1..states).flat_map(|node| [(node / 3, node), (node, (node + 1) % states)]).collect();
    let is_goal = (0..states).map(|node| node == 0).collect();
    Input { distance, is_goal, edges, start: states.checked_sub(1), ..Default::default() }
}

#[test]
fn the_data_are_the_input() {
    let input = Input {
        distance: vec![Some(0), Some(1), None],
        is_goal: vec![true, false, false],
        edges: vec![(1, 0), (1, 2), (0, 1)],
        start: Some(1),
        ..Default::default()
    };
    let csv = draw(&input, &Style::default()).unwrap().to_csv().unwrap();
    let expected = "kind,id,target,distance,n,has_start,has_goal,x,y\n\
                    state,0,,0,1,false,true,,\nstate,1,,1,1,true,false,,\nstate,2,,,1,false,false,,\n\
                    edge,0,1,,1,,,,\nedge,1,2,,1,,,,\n";
    assert_eq!(csv, expected);
}

#[test]
fn discs_stand_for_all_states() {
    let figure = draw(&tree(5_000), &Style::default()).unwrap();
    let of = |kind: &'static str| figure.data.rows.iter().filter(move |row| row[0] == kind);
    assert_eq!(of("disc").map(|row| row[4].parse::<u32>().unwrap()).sum::<u32>(), 5_000);
    assert_eq!(of("disc").filter(|row| row[5] == "true").count(), 1, "the start is in one of them");
    assert!(of("edge").all(|row| row[1] != row[2]));
}

#[test]
fn a_level_without_a_goal_has_no_axis_of_distance() {
    let input = Input { distance: vec![None; 9], is_goal: vec![false; 9], start: Some(0), ..Default::default() };
    let figure = draw(&input, &Style::default()).unwrap();
    legible::check(&figure);
    assert!(figure.svg.contains(">none<") && !figure.svg.contains(">0<"));
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
            let figure = draw(&input, &Style::new(width)).unwrap();
            legible::check(&figure);
            assert_eq!(figure, draw(&input, &Style::new(width)).unwrap());
            assert_eq!(figure.caption.contains("summed up"), states > 2_000);
        }
    }
}

#[test]
fn given_positions_are_kept_undistorted() {
    let mut input = tree(4);
    input.positions = Some(vec![(0.0, 0.0), (10.0, 0.0), (10.0, 1.0), (0.0, 1.0)]);
    legible::check(&draw(&input, &Style::default()).unwrap());
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
