use std::collections::BTreeSet;
use std::io::Read as _;

use super::*;
use plymap_play::page_picture::{PaintForm, PaintStyle};

/// Three states in a row, 2 to 1 to 0; the last is the goal. State 2 has a move to a state that is not shown.
fn level() -> LevelMap {
    let trajectory = AttemptTrajectory {
        participant: "p<1>".to_owned(),
        session: "1".to_owned(),
        attempt: 1,
        condition: String::new(),
        solved: true,
        states: vec![2, 1, 0],
        times: vec![Some(1.5), None],
        actions: vec![0, 0],
        qualities: vec![Some(0), Some(0)],
    };
    let paint = Paint {
        form: PaintForm::Block,
        style: PaintStyle::Piece,
        fill: "#cc3311".to_owned(),
        ink: "#ffffff".to_owned(),
        inset: 0.08,
        below: false,
    };
    LevelMap {
        level: "first".to_owned(),
        unit: "moves".to_owned(),
        figure: Some("figure-state-graph-first".to_owned()),
        n_states: 4,
        start: Some(2),
        x: vec![0.0, 1.0, 2.0],
        y: vec![0.0; 3],
        spacing: 0.5,
        distance: vec![Some(0), Some(1), Some(2)],
        goals: vec![0],
        visits: vec![1; 3],
        notations: vec!["a<b".to_owned(), "b".to_owned(), "c".to_owned()],
        first_move: vec![0, 1, 3, 5],
        targets: vec![1, 0, 2, 1, off_map(Some(3))],
        move_actions: vec![1, 0, 1, 0, 1],
        made: vec![0, 1, 0, 1, 0],
        actions: vec![("A+1".to_owned(), 1), ("A-1".to_owned(), 1)],
        board: Board { width: 3.0, height: 1.0, grid: true, openings: vec![(0, 2, "right".to_owned())] },
        paints: vec![paint],
        shapes: (0..3).map(|column| BoardShape(0.0, f64::from(column), 1.0, 1.0, 0, "A".to_owned())).collect(),
        boards: vec![vec![2], vec![1], vec![0]],
        played: vec!["A+1".to_owned()],
        n_attempts: 1,
        attempts: vec![trajectory],
    }
}

fn maps() -> StateMaps {
    StateMaps { qualities: vec!["better".to_owned()], levels: vec![level()] }
}

#[test]
fn the_json_cannot_end_its_script_and_reads_back_the_same() {
    let json = maps().to_json().unwrap();
    assert!(!json.contains('<'));
    assert_eq!(serde_json::from_str::<StateMaps>(&json).unwrap(), maps());
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    let paint = serde_json::json!({
        "form": "block", "style": "piece", "fill": "#cc3311", "ink": "#ffffff", "inset": 0.08, "below": false
    });
    assert_eq!(read["levels"][0]["paints"][0], paint);
    let level = &read["levels"][0];
    assert_eq!(level["notations"][0], "a<b");
    assert_eq!(level["attempts"][0]["participant"], "p<1>");
    assert_eq!(level["attempts"][0]["times"], serde_json::json!([1.5, null]));
    assert_eq!(level["shapes"][1], serde_json::json!([0.0, 1.0, 1.0, 1.0, 0, "A"]));
    assert_eq!(level["actions"][0], serde_json::json!(["A+1", 1]));
    assert_eq!(level["targets"][4], -5);
}

#[test]
fn lists_that_do_not_fit_are_refused() {
    let refused = |change: fn(&mut LevelMap)| {
        let mut maps = maps();
        change(&mut maps.levels[0]);
        maps.to_json().unwrap_err().to_string()
    };
    assert!(refused(|map| map.y.push(0.0)).contains("y has 4 entries for 3 states"));
    assert!(refused(|map| map.notations.truncate(1)).contains("notations has 1"));
    assert!(refused(|map| map.first_move[3] = 4).contains("do not fit 5 moves"));
    assert!(refused(|map| map.targets[0] = 3).contains("a state has the number 3 of 3"));
    assert!(refused(|map| map.boards[0][0] = 9).contains("a shape has the number 9 of 3"));
    assert!(refused(|map| map.x[0] = f64::NAN).contains("not a number"));
    assert!(refused(|map| map.n_states = 2).contains("3 of 2 states"));
    assert!(refused(|map| map.attempts[0].times.truncate(1)).contains("different lengths"));
    assert!(refused(|map| map.attempts[0].qualities[0] = Some(1)).contains("a quality has the number 1 of 1"));
}

#[test]
fn a_move_off_the_map_keeps_its_distance() {
    assert_eq!([None, Some(0), Some(1), Some(50)].map(off_map), [-1, -2, -3, -52]);
}

/// A ring of 100 states; state 0 is the start, 50 a goal.
fn ring(limit: usize, visits: &[u32]) -> Vec<u32> {
    shown_states(limit, 0, visits, |state| state <= 50, |state| [(state + 1) % 100, (state + 99) % 100])
}

#[test]
fn a_small_level_is_shown_whole() {
    assert_eq!(ring(100, &[0; 100]), (0..100).collect::<Vec<_>>());
}

#[test]
fn of_a_large_level_what_people_and_solutions_touch_is_shown() {
    let mut visits = [0; 100];
    visits[70] = 1;
    // The solution 0 to 50 with 51 and 99 beside it, and the visited state with its neighbours.
    let expected: BTreeSet<u32> = (0..=51).chain([99]).chain(69..=71).collect();
    assert_eq!(ring(99, &visits), expected.into_iter().collect::<Vec<_>>());
}

#[test]
fn the_limit_keeps_the_start_and_the_most_visited_states() {
    let mut visits = [0; 100];
    (60..70).for_each(|state| visits[state] = state as u32);
    assert_eq!(ring(4, &visits), [0, 67, 68, 69]);
    assert_eq!(ring(11, &visits), [vec![0], (60..70).collect()].concat());
}

#[test]
fn numbers_are_rounded_and_zero_has_no_sign() {
    assert_eq!(rounded(-0.000_4).to_string(), "0");
    assert_eq!(rounded(1.234_56).to_string(), "1.235");
}

#[test]
fn the_page_carries_plotly_and_not_mathjax() {
    let pieces = maps().pieces().unwrap();
    assert!(pieces.library.contains("plotly.js v") && pieces.library.contains("window.Plotly = Plotly"));
    assert!(!pieces.library.contains("MathJax.loader"));
    assert!(pieces.library.contains("Licensed under the MIT license"), "the notice of the licence goes with the text");
    let (_, rest) = pieces.markup.split_once("id=\"state-map-library\">").unwrap();
    let packed = rest.split_once("</script>").unwrap().0;
    assert!(packed.len() < 2_000_000, "{} bytes", packed.len());
    assert_eq!(unpacked(packed), pieces.library);
    assert!(pieces.markup.contains("<a href=\"#figure-state-graph-first\">first</a>"));
}

/// Unpacks the text as a browser does.
fn unpacked(packed: &str) -> String {
    let bytes = BASE64_STANDARD.decode(packed).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    text
}
