//! Aims, gestures and pictures of scripts: what the shipped ones say, and how a wrong one is refused.

use std::sync::Arc;

use super::super::{Options, Scripted};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::direction::Direction;
use crate::game::picture::{Form, Picture, Role};
use crate::game::{Gesture, LevelText};
use crate::rules::Rules;
use crate::testing::project;

fn loaded(script: &str, level: &str) -> Result<Scripted, Vec<Diagnostic>> {
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: level.to_owned() });
    let script = Arc::new(SourceText { path: "task.lua".into(), text: script.to_owned() });
    let text = LevelText { text: level, source: &source, span: 0..level.len() };
    Scripted::load(&text, &script, &Options::default())
}

fn shipped(name: &str, level: &str) -> Scripted {
    let script = std::fs::read_to_string(project().join("data/lua").join(name)).unwrap();
    loaded(&script, level).unwrap_or_else(|faults| panic!("{name}: {}", faults[0]))
}

/// A puzzle of one move, from a to b, with further entries in its table from line 4 on.
fn step(entries: &str) -> String {
    format!(
        "return {{ start = function() return 'a' end, goal = function(state) return state == 'b' end,\n\
         moves = function(state) return state == 'a' and {{ go = 'b' }} or {{}} end,\n\
         \n{entries} }}"
    )
}

fn fault(entries: &str) -> String {
    let faults = loaded(&step(entries), "x").map(|_| ()).expect_err(entries);
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults[0].to_string()
}

/// Pictures of a level and of all that one move makes of it.
fn pictures(puzzle: &Scripted) -> Vec<Picture> {
    let start = Rules::start(puzzle);
    let after = puzzle.legal_moves(start).into_iter().map(|legal| legal.after);
    let pictures = std::iter::once(start).chain(after).map(|state| Rules::picture(puzzle, state)).collect();
    assert_eq!(Rules::script_error(puzzle), None);
    pictures
}

#[test]
fn shipped_scripts_draw_and_tell_their_aim() {
    let levels = [
        ("river.lua", "pairs: 3"),
        ("water_jugs.lua", "capacities: 8 5 3\nstart: 8 0 0\ngoal: 4 4 -"),
        ("water_jugs.lua", "capacities: 5 3\ngoal: 4\ntap: yes"),
        ("eight_puzzle.lua", "12.\n453\n786"),
        ("peg_solitaire.lua", "shape: triangle\nlast: a1\n.\noo\nooo"),
        ("sokoban.lua", "moves: step\nxxxxxxx\nx@ $ .x\nxxxxxxx"),
    ];
    for (name, level) in levels {
        let puzzle = shipped(name, level);
        let aim = Rules::aim(&puzzle);
        assert!([&aim.en, &aim.de, &aim.fr].iter().all(|text| text.ends_with('.')), "{name}: {aim:?}");
        assert!(aim.en != aim.de && aim.de != aim.fr, "{name}: {aim:?}");
        let pictures = pictures(&puzzle);
        let frame = |picture: &Picture| (picture.width, picture.height, picture.goal);
        assert!(pictures.iter().all(|picture| frame(picture) == frame(&pictures[0])), "{name}");
        // Every move is seen.
        assert!(pictures[1..].iter().all(|picture| picture.shapes != pictures[0].shapes), "{name}");
        let has_images = pictures[0].shapes.iter().any(|shape| matches!(shape.form, Form::Image(_)));
        assert_eq!(has_images, ["river.lua", "water_jugs.lua", "sokoban.lua"].contains(&name), "{name}");
    }
}

#[test]
fn the_text_of_a_picture_is_what_the_script_draws_or_its_state() {
    let text = |name, level| pictures(&shipped(name, level))[0].to_text();
    assert_eq!(text("eight_puzzle.lua", "12.\n453\n786"), "12.\n453\n786\n");
    assert_eq!(text("river.lua", "pairs: 3"), "{boat=left hobbits=3 orcs=3}\n");
    let own = step("picture = function() return { width = 2, height = 1, shapes = {}, text = 'own' } end");
    assert_eq!(pictures(&loaded(&own, "x").unwrap())[0].to_text(), "own\n");
}

#[test]
fn the_player_of_sokoban_walks_by_arrows() {
    let gestures = |level: &str| {
        let puzzle = shipped("sokoban.lua", level);
        let legal = puzzle.legal_moves(Rules::start(&puzzle)).into_iter();
        legal.map(|legal| (legal.notation, legal.gesture)).collect::<Vec<_>>()
    };
    let swipe = |direction| Some(Gesture::Swipe(direction));
    let board = "xxxxxx\nx @$.x\nx    x\nxxxxxx";
    let expected = [("R", Direction::Right), ("d", Direction::Down), ("l", Direction::Left)];
    let expected: Vec<_> = expected.map(|(move_, direction)| (move_.to_owned(), swipe(direction))).into();
    assert_eq!(gestures(&format!("moves: step\n{board}")), expected);
    assert!(gestures(board).iter().all(|(_, gesture)| gesture.is_none()));
}

#[test]
fn a_gesture_is_a_direction_or_a_cell() {
    let told = |gesture: &str| {
        let puzzle = loaded(&step(&format!("gesture = function(move) return {gesture} end")), "x").unwrap();
        puzzle.legal_moves(Rules::start(&puzzle))[0].gesture
    };
    assert_eq!(told("move == 'go' and 'down' or nil"), Some(Gesture::Swipe(Direction::Down)));
    assert_eq!(told("{ row = 2, column = 3 }"), Some(Gesture::Press { row: 1, column: 2 }));
    assert_eq!(told("nil"), None);
    for wrong in ["'downwards'", "7", "{ row = 0, column = 1 }", "{ 1, 2 }"] {
        let fault = fault(&format!("gesture = function() return {wrong} end"));
        assert!(fault.starts_with("task.lua:4:1: gesture: it returns "), "{fault}");
        assert!(
            fault.ends_with("(return \"up\", \"down\", \"left\", \"right\" or { row = 1, column = 1 })"),
            "{fault}"
        );
    }
}

#[test]
fn an_aim_is_text_a_table_of_languages_or_a_function() {
    let aim = |aim: &str| Rules::aim(&loaded(&step(&format!("aim = {aim}")), "x").unwrap());
    assert_eq!(aim("'Reach b.'").de, "Reach b.");
    let told = aim("{ en = 'Reach b.', de = 'Nach b.' }");
    assert_eq!((told.en.as_str(), told.de.as_str(), told.fr.as_str()), ("Reach b.", "Nach b.", "Reach b."));
    assert_eq!(aim("function() return { de = 'Nach b.' } end").en, "Nach b.");
    for wrong in ["''", "'a\\nb'", "{ es = 'A b.' }", "{}", "function() return 7 end"] {
        let fault = fault(&format!("aim = {wrong}"));
        assert!(fault.contains("aim: the aim ") && fault.contains("write aim ="), "{fault}");
    }
    assert!(fault("aim = 7").contains("`aim` of the script's table is a number, and has to be text, a table or a"));
}

#[test]
fn a_wrong_picture_is_an_error_of_the_script_with_its_line_and_remedy() {
    for (returned, words) in [
        ("'a'", "it returns a, and has to return a table with `width`, `height` and `shapes`"),
        ("{ width = 2, height = 1 }", "`shapes` of the drawing has to be a list of tables"),
        ("{ width = 2, height = 1, shapes = { { row = 1, column = 2, columns = 2 } } }", "lies inside of the drawing"),
        ("{ width = 2, height = 1, shapes = { { row = 1, column = 1, form = 'label' } } }", "give it its text"),
        ("{ width = 2, height = 1, shapes = { { row = 1, column = 1, image = 'M0 0' } } }", "three points"),
        ("{ width = 2, height = 1, shapes = { { row = 1, column = 1, fill = 'red' } } }", "such as \"#8b5a2b\""),
        ("{ width = 2, height = 1, shapes = { { row = 0 / 0, column = 1 } } }", "is not a finite number"),
        (
            "{ width = 2, height = 1, shapes = {}, goal = { row = 1, column = 1 } }",
            "`goal` of the drawing has no `rows`",
        ),
    ] {
        let fault = fault(&format!("picture = function() return {returned} end"));
        assert!(fault.starts_with("task.lua:4:1: picture: ") && fault.contains(words), "{returned}: {fault}");
        assert!(fault.contains("[bad-script] (return { width = 3"), "{fault}");
    }
}

#[test]
fn all_pictures_of_a_level_have_one_size() {
    let entries = "picture = function(state) return { width = state == 'a' and 2 or 3, height = 1, shapes = {} } end";
    let puzzle = loaded(&step(entries), "x").unwrap();
    let after = puzzle.legal_moves(Rules::start(&puzzle))[0].after;
    Rules::picture(&puzzle, after);
    let error = Rules::script_error(&puzzle).unwrap();
    assert!(error.starts_with("task.lua:4: picture: its `width`"), "{error}");
}

#[test]
fn fills_labels_and_images_become_shapes() {
    let shapes = "{ { row = 1, column = 1, fill = '#010203', role = 'frame' }, { row = 1, column = 2, form = 'disc', \
                  fill = '#010203' }, { row = 1, column = 2, form = 'label', label = 'two' } }";
    let entries = format!("picture = function() return {{ width = 2, height = 1, shapes = {shapes} }} end");
    let picture = &pictures(&loaded(&step(&entries), "x").unwrap())[0];
    let n_corners = |index: usize| match &picture.shapes[index].form {
        Form::Image(image) => (image.parts[0].outlines[0].len(), image.parts[0].fill),
        form => panic!("{form:?}"),
    };
    assert_eq!((n_corners(0), n_corners(1)), ((4, Some([1, 2, 3])), (48, Some([1, 2, 3]))));
    assert_eq!((picture.shapes[2].role, &picture.shapes[2].form), (Role::Frame, &Form::Label));
}
