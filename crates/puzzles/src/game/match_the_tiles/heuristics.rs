//! The heuristics of Match-the-Tiles.
//!
//! All but `swipes` are those of a student project at the University of Porto (IART, class 1, group 12: "Match-the-
//! Tiles"). Its report names three: the distance between blocks and goals, whether both are collinear, and the value
//! of the walls that blocks come to rest at. It adds them up freely, which is left to the caller here.
//!
//! # Distance
//!
//! `euclidean-DF-NF` and `manhattan-DF-NF`: for each block, the distances to all goals of its colour are joined by
//! the function NF, and the numbers of all blocks by DF; both are `min`, `mean` or `max`. The outer function comes
//! first, as in the report. A distance counts cells and sees no walls. No such number is a bound: one swipe moves a
//! block over many cells.
//!
//! # Collinear
//!
//! For a block and a goal of its colour: 0 if it lies on the goal, 1 if both are in one row or column with no wall
//! between them, 2 if they are not, 3 if a wall is between them. Of several goals the smallest number counts. How
//! the numbers of several blocks are joined the report does not say. All blocks move together, so `collinear`
//! takes the largest number, which is a bound: alone, the block needs so many swipes at least. `collinear-sum` adds
//! them up, which is no bound. The report's own results speak for the sum: with a bound A* would have found the
//! fewest swipes on every level, and it did so on 95.24 % of them.
//!
//! # Collision
//!
//! A wall has the value of the fewest turns on a path from a goal to it. The path leads over free cells, in any
//! direction and past any block, may turn on every cell, and ends by running into the wall from any side; straight
//! from the goal into the wall are 0 turns. The edges of the board are walls too, cell by cell. Of several goals of a
//! colour the smallest number counts. A block has the smallest value of the walls that it touches. Where the report
//! is silent: a block that touches no wall has the smallest value of the four walls that it faces, and the blocks are
//! joined as for `collinear`, into `collision` (the largest, a bound) and `collision-sum`.

use super::layout::{Cell, Layout};
use crate::game::Heuristic;

/// Measure of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DistanceMeasure {
    Euclidean,
    Manhattan,
}

/// Way in which several numbers become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    Min,
    Mean,
    Max,
    Sum,
}

/// One heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Swipes,
    Collinear(Join),
    Collision(Join),
    Distance { measure: DistanceMeasure, outer: Join, inner: Join },
}

/// The three functions that the report applies to distances.
const LAYERS: [Join; 3] = [Join::Min, Join::Mean, Join::Max];

impl Join {
    fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Mean => "mean",
            Self::Max => "max",
            Self::Sum => "sum",
        }
    }

    /// The numbers as one; 0 where there is none.
    fn of(self, numbers: impl Iterator<Item = f64>) -> f64 {
        let mut count = 0.0;
        let counted = numbers.inspect(|_| count += 1.0);
        match self {
            Self::Min => counted.reduce(f64::min).unwrap_or(0.0),
            Self::Max => counted.reduce(f64::max).unwrap_or(0.0),
            Self::Sum => counted.sum(),
            Self::Mean => counted.reduce(|sum, number| sum + number).map_or(0.0, |sum| sum / count),
        }
    }

    /// As it stands in a sentence.
    fn article(self) -> &'static str {
        match self {
            Self::Min => "smallest",
            Self::Mean => "mean",
            Self::Max => "largest",
            Self::Sum => "sum",
        }
    }
}

impl Kind {
    /// All of them, in the order of [`super::MatchTheTiles`]'s heuristics.
    fn all() -> Vec<Self> {
        let mut kinds = vec![Self::Swipes];
        kinds.extend([Join::Max, Join::Sum].map(Self::Collinear));
        kinds.extend([Join::Max, Join::Sum].map(Self::Collision));
        for measure in [DistanceMeasure::Euclidean, DistanceMeasure::Manhattan] {
            for outer in LAYERS {
                kinds.extend(LAYERS.map(|inner| Self::Distance { measure, outer, inner }));
            }
        }
        kinds
    }

    fn described(self) -> Heuristic {
        let (name, meaning) = match self {
            Self::Swipes => (
                "swipes".to_owned(),
                "the most swipes that any block needs to its nearest goal, alone on the board and free to stop"
                    .to_owned(),
            ),
            Self::Collinear(join) => (
                join.suffixed("collinear"),
                format!(
                    "{} over the blocks: 0 on a goal, 1 in one line with it, 2 if not, 3 with a wall between",
                    join.article()
                ),
            ),
            Self::Collision(join) => (
                join.suffixed("collision"),
                format!("{} over the blocks: turns on the path from a goal to the wall at the block", join.article()),
            ),
            Self::Distance { measure, outer, inner } => {
                let measure = if measure == DistanceMeasure::Euclidean { "euclidean" } else { "manhattan" };
                let meaning = format!(
                    "{} over the blocks of the {} distance to the goals of the block's colour, in cells ({measure})",
                    outer.article(),
                    inner.article()
                );
                (format!("{measure}-{}-{}", outer.name(), inner.name()), meaning)
            }
        };
        let is_admissible = matches!(self, Self::Swipes | Self::Collinear(Join::Max) | Self::Collision(Join::Max));
        Heuristic { name, meaning, is_admissible }
    }
}

impl Join {
    /// The name of a heuristic whose plain form takes the largest number of all blocks.
    fn suffixed(self, name: &str) -> String {
        if self == Self::Max { name.to_owned() } else { format!("{name}-{}", self.name()) }
    }
}

/// Facts about the board of one level that its heuristics need. Cells are the free ones, row by row; colours are
/// numbers.
#[derive(Clone, Debug)]
pub(super) struct Heuristics {
    kinds: Vec<Kind>,
    /// The row and column of each cell.
    places: Vec<(i32, i32)>,
    /// For each cell the number of the run of free cells in its column, and in its row, on which it lies.
    runs: Vec<[u32; 2]>,
    /// The cells of the goals of each colour.
    goals: Vec<Vec<usize>>,
    /// For each colour the value on collision of each cell; infinite where no path leads to a goal.
    collisions: Vec<Vec<f64>>,
}

impl Heuristics {
    /// The heuristics of a board; `places` are the places of its free cells, `goal_colours` the colours of the
    /// goals on them.
    pub fn new(layout: &Layout, places: &[usize], goal_colours: &[u8], n_colours: usize) -> Self {
        let of_colour = |colour: usize| -> Vec<usize> {
            (0..places.len()).filter(|&cell: &usize| usize::from(goal_colours[cell]) == colour).collect()
        };
        let goals: Vec<Vec<usize>> = (0..n_colours).map(of_colour).collect();
        let frame = Frame::new(layout);
        let framed: Vec<usize> = places.iter().map(|&place| frame.place(place)).collect();
        let collision = |goals: &Vec<usize>| {
            let goals = goals.iter().map(|&goal| framed[goal]);
            frame.values_of_blocks(goals.collect(), &framed)
        };
        Self {
            kinds: Kind::all(),
            places: places
                .iter()
                .map(|&place| ((place / layout.width) as i32, (place % layout.width) as i32))
                .collect(),
            runs: framed.iter().map(|&place| AXES.map(|axis| frame.first_of_run(place, axis) as u32)).collect(),
            collisions: goals.iter().map(collision).collect(),
            goals,
        }
    }

    /// All heuristics, in the order of their numbers.
    pub fn list(&self) -> Vec<Heuristic> {
        self.kinds.iter().map(|kind| kind.described()).collect()
    }

    /// Estimate by the heuristic of this number for blocks, each given by its colour and its cell; `swipes` are the
    /// swipes that each colour needs from each cell. 0 for a number that no heuristic has.
    pub fn estimate(&self, number: usize, blocks: impl Iterator<Item = (u8, usize)>, swipes: &[Vec<u16>]) -> f64 {
        match self.kinds.get(number) {
            None => 0.0,
            Some(Kind::Swipes) => {
                Join::Max.of(blocks.map(|(colour, cell)| f64::from(swipes[usize::from(colour)][cell])))
            }
            Some(Kind::Collinear(join)) => join.of(blocks.map(|(colour, cell)| self.collinear(colour, cell))),
            Some(Kind::Collision(join)) => {
                join.of(blocks.map(|(colour, cell)| self.collisions[usize::from(colour)][cell]))
            }
            Some(&Kind::Distance { measure, outer, inner }) => outer.of(blocks.map(|(colour, cell)| {
                inner.of(self.goals[usize::from(colour)].iter().map(|&goal| self.distance(measure, cell, goal)))
            })),
        }
    }

    fn distance(&self, measure: DistanceMeasure, cell: usize, goal: usize) -> f64 {
        let ((row, column), (goal_row, goal_column)) = (self.places[cell], self.places[goal]);
        let (rows, columns) = (f64::from(row - goal_row), f64::from(column - goal_column));
        match measure {
            // Squares of whole numbers are exact, so that all systems give the same root.
            DistanceMeasure::Euclidean => (rows * rows + columns * columns).sqrt(),
            DistanceMeasure::Manhattan => rows.abs() + columns.abs(),
        }
    }

    fn collinear(&self, colour: u8, cell: usize) -> f64 {
        let value = |&goal: &usize| {
            let ((row, column), (goal_row, goal_column)) = (self.places[cell], self.places[goal]);
            let is_free = (0..2).any(|axis| self.runs[cell][axis] == self.runs[goal][axis]);
            match (row == goal_row, column == goal_column) {
                (true, true) => 0.0,
                (false, false) => 2.0,
                _ if is_free => 1.0,
                _ => 3.0,
            }
        };
        Join::Min.of(self.goals[usize::from(colour)].iter().map(value))
    }
}

/// An axis of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Vertical,
    Horizontal,
}

const AXES: [Axis; 2] = [Axis::Vertical, Axis::Horizontal];

/// A board with one more wall on each side for its edges, so that each free cell has four neighbours.
struct Frame {
    inner_width: usize,
    width: usize,
    is_wall: Vec<bool>,
}

impl Frame {
    fn new(layout: &Layout) -> Self {
        let width = layout.width + 2;
        let mut frame = Self { inner_width: layout.width, width, is_wall: vec![true; width * (layout.height + 2)] };
        for (place, cell) in layout.cells.iter().enumerate() {
            let framed = frame.place(place);
            frame.is_wall[framed] = *cell == Cell::Wall;
        }
        frame
    }

    /// The place inside the frame of a place on the board.
    fn place(&self, place: usize) -> usize {
        (place / self.inner_width + 1) * self.width + place % self.inner_width + 1
    }

    fn step(&self, axis: Axis) -> usize {
        if axis == Axis::Vertical { self.width } else { 1 }
    }

    /// The walls at both ends of the run of free cells along this axis.
    fn ends_of_run(&self, place: usize, axis: Axis) -> [usize; 2] {
        let (mut low, mut high, step) = (place, place, self.step(axis));
        while !self.is_wall[low] {
            low -= step;
        }
        while !self.is_wall[high] {
            high += step;
        }
        [low, high]
    }

    fn first_of_run(&self, place: usize, axis: Axis) -> usize {
        self.ends_of_run(place, axis)[0] + self.step(axis)
    }

    /// The fewest turns from any of these goals to every wall; infinite where no path leads there.
    fn values_of_walls(&self, goals: Vec<usize>) -> Vec<f64> {
        let mut values = vec![f64::INFINITY; self.is_wall.len()];
        // Whether the run through a place was walked, along each axis. Breadth-first: all runs with fewer turns
        // come before those with more.
        let mut is_walked = vec![[false; 2]; self.is_wall.len()];
        let mut layer: Vec<(usize, Axis)> = goals.iter().flat_map(|&goal| AXES.map(|axis| (goal, axis))).collect();
        let mut turns = 0.0;
        while !layer.is_empty() {
            let mut next = Vec::new();
            for (place, axis) in layer {
                if is_walked[place][axis as usize] {
                    continue;
                }
                let [low, high] = self.ends_of_run(place, axis);
                for end in [low, high] {
                    values[end] = values[end].min(turns);
                }
                for place in (low + self.step(axis)..high).step_by(self.step(axis)) {
                    is_walked[place][axis as usize] = true;
                    next.push((place, AXES[1 - axis as usize]));
                }
            }
            layer = next;
            turns += 1.0;
        }
        values
    }

    /// The value on collision of a block on each of these free places.
    fn values_of_blocks(&self, goals: Vec<usize>, places: &[usize]) -> Vec<f64> {
        let walls = self.values_of_walls(goals);
        let value = |&place: &usize| {
            let beside = AXES.map(|axis| [place - self.step(axis), place + self.step(axis)]);
            let touched = beside.into_iter().flatten().filter(|&other| self.is_wall[other]);
            let faced = || AXES.into_iter().flat_map(|axis| self.ends_of_run(place, axis));
            touched
                .map(|wall| walls[wall])
                .reduce(f64::min)
                .unwrap_or_else(|| Join::Min.of(faced().map(|wall| walls[wall])))
        };
        places.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests;
