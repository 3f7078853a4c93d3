//! Small datasets for the tests of analyses, built by hand.

use super::context::{Context, Settings};
use super::dataset::{AttemptEnd, AttemptRow, Dataset, LevelRow, MoveFact, MoveRow, Trial};
use plymap_measures::label::Quality;
use plymap_puzzles::game::Unit;
use plymap_statistics::record::{Column, Record};
use plymap_statistics::stats::Confidence;
use plymap_tables::Table;
use polars::prelude::DataType;
use std::sync::{Arc, LazyLock};

/// A solved trial; of its measures only the number of moves and the time.
pub fn trial(participant: usize, level: usize, n_moves: f64, time_s: f64) -> Trial {
    Trial {
        participant,
        level,
        session: "1".to_owned(),
        order: Some(level),
        is_solved: Some(true),
        n_moves: Some(n_moves),
        time_s: Some(time_s),
        ..Trial::default()
    }
}

/// The dataset of these trials, without moves. Participants are `p0`, `p1` …, levels `l0`, `l1` …, whose start
/// distances are 5, 6 ….
pub fn dataset(trials: Vec<Trial>) -> Dataset {
    let n_participants = trials.iter().map(|trial| trial.participant + 1).max().unwrap_or(0);
    let n_levels = trials.iter().map(|trial| trial.level + 1).max().unwrap_or(0);
    let levels: Vec<String> = (0..n_levels).map(|number| format!("l{number}")).collect();
    let row = |(number, name): (usize, &String)| LevelRow {
        name: name.clone(),
        measures: vec![("start_distance", Some((5 + number) as f64))],
    };
    Dataset {
        participants: (0..n_participants).map(|number| format!("p{number}")).collect(),
        level_rows: levels.iter().enumerate().map(row).collect(),
        levels,
        // The position before every move of the fixture.
        positions: (n_levels > 0).then(|| (0, "position".to_owned())).into_iter().collect(),
        attempts: Vec::new(),
        moves: Vec::new(),
        trials: trials.into(),
        unit: Unit::Moves,
    }
}

/// A move of this quality, with its time; better ones are optimal, and the position before has four legal moves and
/// is five away from the goal.
pub fn step(quality: Quality, rt_s: Option<f64>) -> MoveRow {
    let fact = MoveFact {
        cost: 1,
        n_legal: 4,
        n_optimal: 1,
        value_before: Some(5.0),
        value_after: Some(5.0),
        regret: Some(0.0),
        quality,
        is_optimal: matches!(quality, Quality::Better | Quality::Best),
        before: 0,
        after: 0,
    };
    MoveRow {
        row: 0,
        ply: 0,
        rt_s,
        is_undo: false,
        is_revisit: false,
        is_same_piece: None,
        is_next: false,
        fact: Arc::new(fact),
    }
}

impl MoveRow {
    /// The same with another fact.
    pub fn but(mut self, change: impl FnOnce(&mut MoveFact)) -> Self {
        change(Arc::make_mut(&mut self.fact));
        self
    }
}

/// Adds an attempt with these moves, whose plies and rows are set; each follows the one before it.
pub fn add_attempt(data: &mut Dataset, participant: usize, level: usize, moves: Vec<MoveRow>) {
    let start = data.moves.len();
    let numbered =
        |(ply, row): (usize, MoveRow)| MoveRow { row: (start + ply) as u32, ply: ply as u32, is_next: ply > 0, ..row };
    data.moves.extend(moves.into_iter().enumerate().map(numbered));
    data.attempts.push(AttemptRow {
        participant,
        level,
        session: "1".to_owned(),
        attempt: 1,
        condition: None,
        moves: start..data.moves.len(),
        others: Vec::new(),
        end: AttemptEnd::Finished,
    });
}

/// The context of a dataset: 95 %, seed 7.
pub fn context(data: &Dataset) -> Context<'_> {
    static SETTINGS: LazyLock<Settings> = LazyLock::new(|| Settings::new(Confidence::default(), 7, false));
    Context::new(data, &SETTINGS)
}

/// The numbers in columns of a record.
pub fn numbers<const COUNT: usize>(record: &Record, columns: [Column; COUNT]) -> [Option<f64>; COUNT] {
    columns.map(|column| record.number(column))
}

/// Tables as tests read them.
pub trait Cells {
    /// The cells of a column as text, missing ones absent.
    fn cells(&self, column: &str) -> Vec<Option<String>>;
}

impl Cells for Table {
    fn cells(&self, column: &str) -> Vec<Option<String>> {
        let column = self.data.column(column).unwrap_or_else(|error| panic!("{error}"));
        // As Rust writes numbers: a whole one without a point.
        if let Ok(numbers) = column.f64() {
            return numbers.iter().map(|cell| cell.map(|number| number.to_string())).collect();
        }
        let text = column.cast(&DataType::String).expect("every column has a text");
        text.str().expect("text").iter().map(|cell| cell.map(str::to_owned)).collect()
    }
}

/// Fails if a cell of a table is not a number that can be computed with, or none of the values that its column lists, or
/// a column is not explained.
pub fn check_cells(table: &Table) {
    assert!(!table.caption.is_empty(), "{} has no caption", table.name);
    for doc in &table.columns {
        assert!(!doc.meaning.is_empty(), "{}.{} has no meaning", table.name, doc.name);
        for cell in table.cells(&doc.name).iter().flatten() {
            assert!(!["NaN", "inf", "-inf"].contains(&cell.as_str()), "{}.{} is {cell}", table.name, doc.name);
            let is_level = doc.levels.is_empty() || doc.levels.contains(cell);
            assert!(is_level, "{}.{} is {cell}, which it does not list", table.name, doc.name);
        }
    }
    let mut names: Vec<&str> = table.columns.iter().map(|doc| doc.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), table.columns.len(), "{} repeats a column", table.name);
}

/// The datasets that every analysis must survive: nothing, one trial, one level, one participant, no times, times
/// of 0, equal values, and values in points.
pub fn hard_cases() -> Vec<Dataset> {
    let many = || (0..6).flat_map(|p| (0..5).map(move |l| trial(p, l, (p * l) as f64 + 3.0, (7 * p + l * l) as f64)));
    let mut cases = vec![
        dataset(Vec::new()),
        dataset(vec![trial(0, 0, 12.0, 30.0)]),
        dataset(many().filter(|trial| trial.level == 0).collect()),
        dataset(many().filter(|trial| trial.participant == 0).collect()),
        dataset(many().map(|trial| Trial { time_s: None, order: None, ..trial }).collect()),
        dataset(many().map(|trial| Trial { time_s: Some(0.0), ..trial }).collect()),
        dataset(many().map(|trial| Trial { n_moves: Some(4.0), time_s: Some(9.0), ..trial }).collect()),
        dataset(many().map(|trial| Trial { is_solved: Some(false), ..trial }).collect()),
        dataset(many().map(|t| Trial { condition: Some(format!("c{}", t.level % 3)), ..t }).collect()),
        dataset(many().map(|t| Trial { condition: Some(format!("c{}", t.participant % 2)), ..t }).collect()),
    ];
    let mut points = dataset(many().collect());
    points.unit = Unit::Points;
    for participant in 0..6 {
        let moves = [Quality::Best, Quality::Slip, Quality::Best, Quality::Blunder].map(|q| step(q, Some(0.0)));
        add_attempt(&mut points, participant, 0, moves.to_vec());
    }
    let mut untimed = dataset(many().collect());
    for participant in 0..6 {
        add_attempt(&mut untimed, participant, 0, vec![step(Quality::Better, None), step(Quality::Worse, None)]);
        add_attempt(&mut untimed, participant, 1, Vec::new());
    }
    cases.extend([points, untimed]);
    cases
}
