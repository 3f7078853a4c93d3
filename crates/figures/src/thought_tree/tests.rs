//! Tests of the tree of thoughts: what is drawn, what is said of it, and what is refused.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Language, MessageRecorder, Width, draw, legible};
use super::columns::Columns;
use super::*;
use legible::draw_one;
use plymap_picture::Picture;
use plymap_picture::{Form, Ground, Opening, Role, Shape, Side};

const WIDTHS: [Width; 3] = [Width::Single, Width::OneAndHalf, Width::Double];

/// ```text
/// . . B . . .
/// A A B . C . >    A must leave to the right, B and C are in its way.
/// . . D D . .
/// ```
fn board(moved: &[(&str, usize, usize)]) -> Picture {
    let pieces = [("A", 1, 0, 1, 2), ("B", 0, 2, 2, 1), ("C", 1, 4, 1, 1), ("D", 2, 2, 1, 2)];
    let shape = |(label, row, column, rows, columns): (&str, usize, usize, usize, usize)| {
        let role = if label == "A" { Role::Hero } else { Role::Piece(column) };
        let place =
            moved.iter().find(|piece| piece.0 == label).map_or((row, column), |&(_, row, column)| (row, column));
        Shape::block(place.0, place.1, rows, columns, role, label.to_owned())
    };
    let openings = vec![Opening { row: 1, column: 5, side: Side::Right }];
    Picture { shapes: pieces.map(shape).to_vec(), openings, ..Picture::grid(6, 3) }
}

fn wish(label: &str, depth: u32, obstacles: &[usize], legal: Option<usize>) -> WishedMove {
    WishedMove { label: label.to_owned(), depth, obstacles: obstacles.to_vec(), legal }
}

fn obstacle(depth: u32, ways: &[usize]) -> Obstacle {
    Obstacle { depth, ways: ways.to_vec() }
}

fn legal(label: &str, probability: Option<f64>, moved: (&str, usize, usize)) -> LegalMove {
    LegalMove { label: label.to_owned(), after: board(&[moved]), probability }
}

/// B goes down once D is away; C is away already when it goes up or down.
fn small() -> ThoughtTree {
    let heading = Heading { name: "thought".to_owned(), title: "Thoughts".into(), ..Heading::default() };
    ThoughtTree {
        heading,
        board: board(&[]),
        moves: vec![
            legal("D+1", Some(0.5), ("D", 2, 3)),
            legal("C-1", Some(0.125), ("C", 0, 4)),
            legal("A+0", Some(0.001), ("A", 1, 0)),
        ],
        wishes: vec![
            wish("A+4", 1, &[0, 1], None),
            wish("C-1", 2, &[], Some(1)),
            wish("B+1", 2, &[2], None),
            wish("D+1", 3, &[], Some(0)),
            wish("D-3", 3, &[3], None),
        ],
        obstacles: vec![obstacle(2, &[2]), obstacle(2, &[1]), obstacle(3, &[3, 4]), obstacle(4, &[])],
        roots: vec![0],
    }
}

/// A tree of so many depths with so many wished moves each, half of the moves legal at the last one.
fn large(depths: u32, per_depth: usize, label: &str) -> ThoughtTree {
    let (mut wishes, mut obstacles) = (vec![wish(label, 1, &[], None)], Vec::new());
    let mut above = vec![0];
    for depth in 2..=depths {
        let first = wishes.len();
        for place in 0..per_depth {
            wishes.push(wish(label, depth, &[], (depth == depths && place % 2 == 0).then_some(place % 4)));
        }
        for place in 0..per_depth.div_ceil(3) {
            let ways: Vec<usize> = (0..5).map(|way| first + (7 * place + 3 * way) % per_depth).collect();
            let number = obstacles.len();
            obstacles.push(obstacle(depth, if place == 4 { &[] } else { &ways }));
            for parent in 0..2 {
                let parent: usize = above[(5 * place + parent) % above.len()];
                wishes[parent].obstacles.push(number);
            }
        }
        above = (first..wishes.len()).collect();
    }
    let moves = (1..=4).map(|step| legal(label, None, ("A", 1, step % 4))).collect();
    ThoughtTree { moves, wishes, obstacles, ..small() }
}

fn shown(figure: &super::super::Figure, kind: &str, is_drawn: &str) -> usize {
    figure.data.rows.iter().filter(|row| row[0] == kind && row[7] == is_drawn).count()
}

#[test]
fn the_data_are_the_input() {
    let expected = "kind,id,depth,label,is_legal,probability,leads_to,is_drawn\n\
        legal move,0,3,D+1,true,0.5,,\nlegal move,1,2,C-1,true,0.125,,\nlegal move,2,,A+0,true,0.001,,\n\
        wished move,0,1,A+4,false,,0 1,true\nwished move,1,2,C-1,true,0.125,,true\n\
        wished move,2,2,B+1,false,,2,true\nwished move,3,3,D+1,true,0.5,,true\nwished move,4,3,D-3,false,,3,true\n\
        obstacle,0,2,,,,2,true\nobstacle,1,2,,,,1,true\nobstacle,2,3,,,,3 4,true\nobstacle,3,4,,,,,true\n";
    for width in WIDTHS {
        assert_eq!(draw_one(&small(), &Style::new(width)).to_csv().unwrap(), expected);
    }
}

#[test]
fn moves_are_listed_by_their_depth_and_drawn_on_the_board() {
    let figure = draw_one(&small(), &Style::new(Width::Single));
    let texts: Vec<&str> = figure.svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1)).collect();
    let head = texts.iter().position(|text| *text == "move").unwrap();
    let list = ["move", "depth", "p", "C-1", "2", ".12", "D+1", "3", ".50", "A+0", "–", "&lt;.01"];
    assert_eq!(texts[head..head + list.len()], list);
    // A blue head for each of two arrows; A+0 is not thought of. Then the boxes of two legal moves, and the key.
    let groups = figure.svg.split("<g fill=\"#0072B2\">").skip(1);
    let polygons = groups.map(|group| group.split("</g>").next().unwrap().matches("<polygon").count());
    assert_eq!(polygons.sum::<usize>(), 2 + 2 + 1);
    let mut unlikely = small();
    unlikely.moves.iter_mut().for_each(|legal| legal.probability = None);
    let figure = draw_one(&unlikely, &Style::new(Width::Single));
    assert!(!figure.svg.contains(">p<") && !figure.caption.contains("probab"), "{}", figure.caption);
}

#[test]
fn every_width_and_size_is_legible_and_the_same_twice() {
    for width in WIDTHS {
        for code in ["en", "de", "fr"] {
            let language = Language::new(code, &BTreeMap::new(), None).unwrap();
            let style = Style { language, ..Style::new(width) };
            for (depths, per_depth, label) in
                [(1, 1, "A+4"), (2, 3, "A+4"), (9, 9, "right+2@c3"), (9, 30, "B-1"), (40, 2, "B-1"), (4, 70, "B-1")]
            {
                let tree = large(depths, per_depth, label);
                let figure = draw_one(&tree, &style);
                legible::check(&figure);
                assert!(figure.height_mm <= style.max_height_mm, "{} mm", figure.height_mm);
                assert_eq!(figure, draw_one(&tree, &style));
                assert!(shown(&figure, "wished move", "true") > 0);
            }
        }
    }
}

#[test]
fn what_is_too_deep_for_the_page_is_counted() {
    for (depths, per_depth) in [(40, 2), (9, 30), (4, 70), (3, 4)] {
        for width in WIDTHS {
            let tree = large(depths, per_depth, "B-1");
            let figure = draw_one(&tree, &Style::new(width));
            let (wishes, obstacles) = (shown(&figure, "wished move", "false"), shown(&figure, "obstacle", "false"));
            let deepest =
                figure.data.rows.iter().filter(|row| row[7] == "true").map(|row| row[2].parse().unwrap()).max();
            let deepest: u32 = deepest.unwrap();
            let note =
                format!("drawn to depth {deepest}; {wishes} wished moves not drawn; {obstacles} obstacles not drawn");
            assert_eq!(figure.caption.contains(&note), wishes + obstacles > 0, "{note} in {}", figure.caption);
            assert_eq!(figure.caption.contains("three dots"), deepest < depths);
            // Whole depths, the deepest first.
            for row in figure.data.rows.iter().filter(|row| row[0] != "legal move") {
                assert_eq!(row[7] == "true", row[2].parse::<u32>().unwrap() <= deepest);
            }
        }
    }
    let single = draw_one(&large(9, 9, "B-1"), &Style::new(Width::Single));
    let double = draw_one(&large(9, 9, "B-1"), &Style::new(Width::Double));
    assert!(shown(&single, "wished move", "true") > 1 + 4 * 9, "five depths and more at 85 mm");
    assert_eq!(shown(&double, "wished move", "false"), 0, "all of 73 at 180 mm");
}

#[test]
fn nodes_stand_apart_within_their_room() {
    for (room, depths, per_depth) in [((82.0, 150.0), 9, 9), ((177.0, 190.0), 12, 30), ((60.0, 40.0), 3, 5)] {
        let tree = large(depths, per_depth, "B-1");
        let columns = Columns::new(&tree, &Style::new(Width::Single), room).unwrap();
        assert!(columns.height <= room.1 && columns.steps.len() > 2);
        let boxes: Vec<_> = columns.boxes.iter().flatten().collect();
        let marks: Vec<_> = columns.marks.iter().flatten().collect();
        for (index, rect) in boxes.iter().enumerate() {
            assert!(
                rect.left >= 0.0 && rect.top > -1e-9 && rect.right() <= room.0 && rect.bottom() < columns.height + 1e-9
            );
            for other in &boxes[index + 1..] {
                let beside = rect.right() + 2.0 < other.left || other.right() + 2.0 < rect.left;
                assert!(beside || rect.bottom() + 0.5 < other.top || other.bottom() + 0.5 < rect.top);
            }
            assert!(marks.iter().all(|(x, _)| *x + 2.0 < rect.left || *x - 2.0 > rect.right()));
        }
        for (index, mark) in marks.iter().enumerate() {
            assert!(marks[index + 1..].iter().all(|other| (mark.0 - other.0).hypot(mark.1 - other.1) > 1.5));
        }
    }
}

#[test]
fn a_tree_that_is_given_the_wrong_way_round_has_no_crossings() {
    let mut wishes = vec![wish("A", 1, &[0, 1, 2], None)];
    wishes.extend((0..6).map(|place| wish(["F", "E", "D", "C", "B", "A"][place], 2, &[], None)));
    let obstacles = vec![obstacle(2, &[6, 3]), obstacle(2, &[1, 5]), obstacle(2, &[4, 2])];
    let tree = ThoughtTree { wishes, obstacles, ..small() };
    let columns = Columns::new(&tree, &Style::default(), (80.0, 80.0)).unwrap();
    let lines: Vec<(f64, f64)> = (0..3)
        .flat_map(|place| tree.obstacles[place].ways.iter().map(move |&way| (place, way)))
        .map(|(place, way)| (columns.marks[place].unwrap().1, columns.boxes[way].unwrap().centre().1))
        .collect();
    let cross = |a: &(f64, f64), b: &(f64, f64)| a.0 < b.0 && a.1 > b.1;
    assert!(lines.iter().all(|a| lines.iter().all(|b| !cross(a, b))), "{lines:?}");
}

#[test]
fn disks_on_pegs_have_arrows_too() {
    let disk = |row: f64, column: f64| Shape {
        row,
        column,
        rows: 0.9,
        columns: 0.9,
        form: Form::Disc,
        role: Role::Piece(2),
        label: "G".to_owned(),
    };
    let tower = |row, column| Picture { shapes: vec![disk(row, column)], ground: Ground::Plain, ..Picture::grid(6, 4) };
    let mut tree = small();
    tree.board = tower(3.0, 0.0);
    tree.moves = [(1.0, 2.0), (3.0, 4.0)]
        .map(|(row, column)| LegalMove { label: "G>2".to_owned(), after: tower(row, column), probability: None })
        .to_vec();
    for width in WIDTHS {
        let figure = draw_one(&tree, &Style::new(width));
        legible::check(&figure);
        let groups = figure.svg.split("<g fill=\"#0072B2\">").skip(1);
        let polygons = groups.map(|group| group.split("</g>").next().unwrap().matches("<polygon").count());
        assert_eq!(polygons.sum::<usize>(), 2 + 2 + 1);
    }
}

#[test]
fn many_moves_and_many_last_moves_find_room() {
    let mut tree = small();
    tree.moves.extend((0..200).map(|move_| legal(&format!("A{move_}"), None, ("A", 1, 1))));
    for width in WIDTHS {
        let figure = draw_one(&tree, &Style::new(width));
        legible::check(&figure);
        assert!(figure.caption.contains("more moves not shown"), "{}", figure.caption);
    }
    tree.roots = (0..200).map(|root| root + 5).collect();
    tree.wishes.extend((0..200).map(|_| wish("a last move with a notation of many letters", 1, &[], None)));
    for width in WIDTHS {
        let figure = draw_one(&tree, &Style::new(width));
        legible::check(&figure);
        assert!(figure.caption.contains("drawn to depth 0; 205 wished moves not drawn"), "{}", figure.caption);
    }
}

#[test]
fn every_label_has_a_phrase() {
    for code in ["de", "fr"] {
        let recorder = MessageRecorder::default();
        let language = Language::new(code, &BTreeMap::new(), None).unwrap().recorded_by(&recorder);
        let style = Style { language, ..Style::new(Width::Single) };
        for tree in [small(), large(9, 30, "B-1"), large(40, 1, "B-1")] {
            let heading = Heading { title: "p".into(), ..tree.heading.clone() };
            draw_one(&ThoughtTree { heading, ..tree }, &style);
        }
        assert_eq!(recorder.missing(), BTreeSet::new(), "{code}");
    }
}

#[test]
fn nothing_to_draw_is_said_with_its_reason() {
    let mut tree = small();
    tree.roots.clear();
    tree.heading.no_data_reason = "the level is solved".into();
    assert!(draw_one(&tree, &Style::default()).svg.contains("no data: the level is solved"));
    let empty = ThoughtTree { board: Picture::grid(0, 0), moves: Vec::new(), roots: vec![0], ..small() };
    let empty = ThoughtTree { wishes: vec![wish("A", 1, &[], None)], obstacles: Vec::new(), ..empty };
    assert!(draw_one(&empty, &Style::default()).svg.contains("no data"));
}

#[test]
fn contradictions_are_named() {
    let refused = |change: fn(&mut ThoughtTree), words: &str| {
        let mut tree = small();
        change(&mut tree);
        let error = draw(&tree, &Style::default()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(|tree| tree.roots.push(5), "a root is the wished move 5, but there are 5");
    refused(|tree| tree.roots.push(2), "the root 2 has depth 2");
    refused(|tree| tree.wishes[0].obstacles.push(4), "\"A+4\") names the obstacle 4, but there are 4");
    refused(|tree| tree.wishes[0].obstacles.push(2), "has depth 1 and its obstacle 2 3");
    refused(|tree| tree.wishes[1].legal = Some(3), "names the legal move 3, but there are 3");
    refused(|tree| tree.wishes[1].depth = 0, "has depth 0");
    refused(|tree| tree.obstacles[0].ways.push(9), "the obstacle 0 names the wished move 9");
    refused(|tree| tree.obstacles[0].ways.push(3), "the obstacle 0 has depth 2 and its way 3 3");
    refused(|tree| tree.obstacles.push(obstacle(1, &[])), "the obstacle 4 has depth 1");
    for value in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
        let mut tree = small();
        tree.moves[1].probability = Some(value);
        let error = draw(&tree, &Style::default()).unwrap_err().to_string();
        assert!(error.contains(&format!("\"C-1\" has the probability {value}")), "{error}");
    }
    refused(|tree| tree.board.shapes[0].column = 5.0, "\"A\" at row 1, column 5");
    refused(|tree| tree.moves[0].after.shapes[0].column = 5.0, "lies outside of the board");
    refused(|tree| tree.moves[0].after.height = 4.0, "has 4 × 6 cells, that of the position 3 × 6");
}
