//! One play, written down in the ways of many laboratories: whatever the columns are, the same moves come out.

use std::path::PathBuf;

use plymap_import::propose;
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::load_levels;

/// A move as the game writes it, and the positions before and behind it.
type Move = (String, String, String);
/// Columns, and what stands in them for a slide of a car, a press on a row and column, or a disk from one peg to another.
type SlideWay = (&'static str, fn(&Slide) -> String);
type PressWay = (&'static str, fn(i64, i64) -> String);
type DiskWay = (&'static str, fn(usize, usize) -> String);

/// Levels and people at them, who walk about and end at a goal if they get there.
struct Plays {
    levels: Vec<(String, std::sync::Arc<dyn Rules>)>,
    file: PathBuf,
    /// Person, level and the moves, each with the board before it and behind it.
    plays: Vec<(String, usize, Vec<Move>)>,
    _folder: tempfile::TempDir,
}

const CARS: &str = "# id: one\n..A...\n..A..B\nRR...B >\n...CC.\nD.....\nD..EEE\n\n# id: two\nA..BB.\nA.....\n.RR.C. \
                    >\n....C.\nDD..C.\n...EE.\n";
const LAMPS: &str = "# id: one\n*..*\n.*..\n....\n\n# id: two\n.*.*\n***.\n.*..\n";

impl Plays {
    fn new(game: &str, levels: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("levels.txt");
        std::fs::write(&file, levels).expect("a file");
        let game = Game::find(game).expect("a game");
        let loaded = load_levels(std::slice::from_ref(&file), &LevelColumns::default(), game, &RuleOptions::default());
        let levels: Vec<(String, std::sync::Arc<dyn Rules>)> =
            loaded.expect("levels").into_iter().map(|level| (level.origin.id.clone(), level.rules)).collect();
        let mut chance: u64 = 7;
        let mut any = |n: usize| {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (chance >> 33) as usize % n
        };
        let mut plays = Vec::new();
        for person in 0..5 {
            for (level, (_, rules)) in levels.iter().enumerate() {
                let mut position = rules.start();
                let mut moves = Vec::new();
                while moves.len() < 400 && !rules.is_goal(position) {
                    let legal = rules.legal_moves(position);
                    let goal = legal.iter().position(|next| rules.is_goal(next.next));
                    let next = &legal[goal.unwrap_or_else(|| any(legal.len()))];
                    let board = |position| rules.format_state(position);
                    moves.push((next.notation.clone(), board(position), board(next.next)));
                    position = next.next;
                }
                plays.push((format!("S{person}"), level, moves));
            }
        }
        Self { levels, file, plays, _folder: folder }
    }

    /// Proposes a study for the log in which each move is written so, and tells how many moves it has and how many rows
    /// cannot be used; the moves must lead to the positions that were reached.
    fn read(&self, columns: &str, row: &dyn Fn(&Move) -> String) -> (usize, u64) {
        let mut log = format!("participant,level,{columns},rt_s\n");
        for (person, level, moves) in &self.plays {
            for (number, one) in moves.iter().enumerate() {
                log += &format!("{person},{},{},{}.5\n", self.levels[*level].0, row(one), number % 4 + 1);
            }
        }
        let path = self.file.with_file_name("log.csv");
        std::fs::write(&path, log).expect("a file");
        let rules: Vec<(&str, &dyn Rules)> = self.levels.iter().map(|(id, rules)| (id.as_str(), &**rules)).collect();
        let proposal = propose(&[path], None, &rules, &Silent).unwrap_or_else(|error| panic!("{columns}: {error}"));
        let trial = &proposal.trial;
        let reached = trial.replay.steps.iter().filter(|step| step.played.is_some());
        let reached: Vec<String> = reached.map(|step| rules[step.level as usize].1.format_state(step.after)).collect();
        let expected: Vec<&String> = self.plays.iter().flat_map(|(_, _, moves)| moves).map(|(_, _, end)| end).collect();
        assert_eq!(reached.len(), expected.len(), "{columns}: {:?}", proposal.spec.columns);
        assert!(reached.iter().eq(expected), "{columns}: {:?}, {:?}", proposal.spec.columns, proposal.spec.steps);
        (trial.n_moves, trial.n_unused)
    }

    fn n_moves(&self) -> usize {
        self.plays.iter().map(|(_, _, moves)| moves.len()).sum()
    }
}

/// A move of a car, in parts.
struct Slide {
    car: String,
    delta: i64,
    /// Row and column of its first cell before and behind the move, from 0.
    from: (i64, i64),
    to: (i64, i64),
}

impl Slide {
    fn of((notation, before, after): &Move) -> Self {
        let first = |board: &str| {
            let cell = board.find(&notation[..1]).expect("the car") as i64;
            (cell / 6, cell % 6)
        };
        let delta = notation[1..].parse().expect("a number");
        Self { car: notation[..1].to_owned(), delta, from: first(before), to: first(after) }
    }

    fn direction(&self) -> &'static str {
        match (self.from.0 == self.to.0, self.delta > 0) {
            (true, true) => "right",
            (true, false) => "left",
            (false, true) => "down",
            (false, false) => "up",
        }
    }
}

#[test]
fn cars_are_moved_in_many_words() {
    let plays = Plays::new("rush-hour", CARS);
    let ways: [SlideWay; 14] = [
        ("car,from_row,from_col,to_row,to_col", |s| {
            format!("{},{},{},{},{}", s.car, s.from.0, s.from.1, s.to.0, s.to.1)
        }),
        ("piece,x0,y0,x1,y1", |s| format!("{},{},{},{},{}", s.car, s.from.1 + 1, s.from.0 + 1, s.to.1 + 1, s.to.0 + 1)),
        ("vehicle,new_row,new_col", |s| format!("{},{},{}", s.car, s.to.0, s.to.1)),
        ("car,dx,dy", |s| format!("{},{},{}", s.car, s.to.1 - s.from.1, s.to.0 - s.from.0)),
        ("vehicle,start_pos,end_pos", |s| {
            let line = |(row, column)| if s.from.0 == s.to.0 { column } else { row };
            format!("{},{},{}", s.car, line(s.from), line(s.to))
        }),
        ("car,sign,n", |s| format!("{},{},{}", s.car, if s.delta > 0 { "+" } else { "-" }, s.delta.abs())),
        ("vehicle,direction,distance", |s| format!("Car {},{},{}", s.car, s.direction(), s.delta.abs())),
        ("vehicle,delta", |s| format!("car_{},{}", s.car, s.delta)),
        ("action", |s| format!("Car {} moved {} by {}", s.car, s.direction(), s.delta.abs())),
        ("what", |s| {
            let cells = if s.delta.abs() == 1 { "cell" } else { "cells" };
            format!("{} went {} {} {cells}", s.car, s.direction(), s.delta.abs())
        }),
        ("move", |s| format!("{}:{}:{}", s.direction(), s.car, s.delta.abs())),
        ("move", |s| format!("{}{}{}", s.car, s.direction()[..1].to_uppercase(), s.delta.abs())),
        ("response", |s| format!("{} {} {}", s.car, s.direction(), s.delta.abs())),
        ("move", |s| format!("\"{}: {:+}\"", s.car, s.delta)),
    ];
    for (columns, way) in ways {
        assert_eq!(plays.read(columns, &|row| way(&Slide::of(row))), (plays.n_moves(), 0), "{columns}");
    }
}

#[test]
fn lamps_are_pressed_in_many_words() {
    let plays = Plays::new("lights-out", LAMPS);
    let ways: [PressWay; 10] = [
        ("cell", |row, column| format!("{}{}", row - 1, column - 1)),
        ("click", |row, column| format!("\"{},{}\"", column - 1, row - 1)),
        ("square", |row, column| format!("{}{row}", ["A", "B", "C", "D"][column as usize - 1])),
        ("square", |row, column| format!("{}{column}", ["A", "B", "C"][row as usize - 1])),
        ("button", |row, column| format!("btn_{row}_{column}")),
        ("button", |row, column| format!("\"row {row}, column {column}\"")),
        ("lamp", |row, column| format!("r{}c{}", row - 1, column - 1)),
        ("lamp", |row, column| format!("\"{{\"\"row\"\": {}, \"\"col\"\": {}}}\"", row - 1, column - 1)),
        ("row,col", |row, column| format!("row{row},col{column}")),
        ("lamp", |row, column| format!("{row}-{column}")),
    ];
    for (columns, way) in ways {
        let row = |(notation, _, _): &Move| {
            let (row, column) = notation[1..].split_once('c').expect("a press");
            way(row.parse().expect("a row"), column.parse().expect("a column"))
        };
        assert_eq!(plays.read(columns, &row), (plays.n_moves(), 0), "{columns}: {}", way(2, 3));
    }
}

#[test]
fn disks_are_moved_in_many_words() {
    let plays = Plays::new("tower-of-hanoi", "# id: one\n321/-/-\n\n# id: two\n21/3/-\n");
    let ways: [DiskWay; 9] = [
        ("move", |from, to| format!("from peg {from} to peg {to}")),
        ("move", |from, to| format!("{from} to {to}")),
        ("move", |from, to| format!("\"({}, {})\"", from - 1, to - 1)),
        ("move", |from, to| format!("{}{}", from - 1, to - 1)),
        ("move", |from, to| format!("\"{{\"\"from\"\": {}, \"\"to\"\": {}}}\"", from - 1, to - 1)),
        ("source_stack,target_stack", |from, to| format!("stack_{},stack_{}", from - 1, to - 1)),
        ("picked_from,dropped_on", |from, to| format!("peg{from},peg{to}")),
        ("from,to", |from, to| {
            format!("{},{}", ["left", "middle", "right"][from - 1], ["left", "middle", "right"][to - 1])
        }),
        ("move", |from, to| format!("rod {} -> rod {}", ["A", "B", "C"][from - 1], ["A", "B", "C"][to - 1])),
    ];
    for (columns, way) in ways {
        let row = |(notation, _, _): &Move| {
            let (from, to) = notation.split_once('>').expect("a move");
            way(from.parse().expect("a peg"), to.parse().expect("a peg"))
        };
        assert_eq!(plays.read(columns, &row), (plays.n_moves(), 0), "{columns}: {}", way(1, 3));
    }
}
