//! The rows of the table `moves`, as measures and analyses read them, and which of them are measured.
//!
//! Whoever walks over the rows of an attempt asks [`AttemptEnd`] whether a row is measured, so that all counts are of
//! the same rows.

use std::ops::Range;

use polars::prelude::{DataFrame, DataType, PolarsResult};

use crate::label::{Quality, cost_name};
use crate::log::Event;
use plymap_puzzles::game::Unit;

/// A row of an attempt, with all that is measured of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<'a> {
    /// What happened, as logs name it.
    pub event: &'a str,
    /// Seconds since the row before.
    pub rt_s: Option<f64>,
    /// Whether the attempt had solved the level before it.
    pub is_after_goal: bool,
    /// The move; absent for other events.
    pub made: Option<RowMove>,
}

/// A move with what is known of it; see the columns of the table `moves`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowMove {
    /// Number of the move within its attempt, from 0.
    pub ply: u32,
    /// What it costs in the level's metric, or the points that it gains.
    pub cost: u32,
    /// Value of the position before it.
    pub value_before: Option<f64>,
    /// Value of the position after it.
    pub value_after: Option<f64>,
    /// What it loses against the best move.
    pub regret: Option<f64>,
    /// What it did to the value of the position.
    pub quality: Option<Quality>,
    /// Share of optimal moves among the legal ones.
    pub chance: Option<f64>,
    /// Whether no other move is better.
    pub is_optimal: bool,
    /// Whether it leads back to the position before the previous move.
    pub is_undo: bool,
    /// Whether the attempt has been in the position after it before.
    pub is_revisit: bool,
    /// Whether it reaches a goal.
    pub is_goal: bool,
    /// Whether it ends the attempt: the level is solved, or the game over.
    pub is_end: bool,
}

/// How an attempt stands after some of its rows, and after all of them how it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttemptEnd {
    /// With the level solved, or the game over.
    Finished,
    /// With a reset.
    Reset,
    /// With a logged give-up.
    GaveUp,
    /// With the last row of the log.
    #[default]
    Open,
}

impl AttemptEnd {
    /// Whether the attempt is over: nothing that follows under its number is measured.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Finished | Self::GaveUp)
    }

    /// Whether a row that comes now is measured.
    pub fn measures(self, row: &Row) -> bool {
        !self.is_final() && !row.is_after_goal
    }

    /// How the attempt stands after a row that is measured. A reset within a numbered attempt does not end it if more
    /// is played.
    #[must_use]
    pub fn after(self, row: &Row) -> Self {
        match (&row.made, Event::from_name(row.event)) {
            (Some(made), _) if made.is_end => Self::Finished,
            (None, Some(Event::Reset)) => Self::Reset,
            (None, Some(Event::GiveUp)) => Self::GaveUp,
            _ => Self::Open,
        }
    }
}

/// The rows of a table `moves`.
pub struct Rows<'a> {
    participant: Vec<Option<&'a str>>,
    session: Vec<Option<&'a str>>,
    level: Vec<Option<&'a str>>,
    attempt: Vec<Option<i64>>,
    event: Vec<Option<&'a str>>,
    condition: Vec<Option<&'a str>>,
    source_file: Vec<Option<&'a str>>,
    source_row: Vec<Option<u64>>,
    rt_s: Vec<Option<f64>>,
    ply: Vec<Option<u32>>,
    cost: Vec<Option<u32>>,
    value_before: Vec<Option<f64>>,
    value_after: Vec<Option<f64>>,
    regret: Vec<Option<f64>>,
    quality: Vec<Option<&'a str>>,
    chance: Vec<Option<f64>>,
    is_optimal: Vec<Option<bool>>,
    is_undo: Vec<Option<bool>>,
    is_revisit: Vec<Option<bool>>,
    is_goal: Vec<Option<bool>>,
    is_end: Vec<Option<bool>>,
    is_after_goal: Vec<Option<bool>>,
}

/// The rows of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRows<'a> {
    /// Who played.
    pub participant: &'a str,
    /// In which sitting.
    pub session: &'a str,
    /// At which level.
    pub level: &'a str,
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Experimental condition of its first row that has one.
    pub condition: Option<&'a str>,
    /// Numbers of its rows in the table, from 0.
    pub rows: Range<usize>,
}

impl<'a> Rows<'a> {
    /// The rows of a table whose values are in this unit.
    ///
    /// # Errors
    ///
    /// If a column of the table is missing or has another type.
    pub fn new(moves: &'a DataFrame, unit: Unit) -> PolarsResult<Self> {
        let text =
            |name: &str| -> PolarsResult<Vec<Option<&'a str>>> { Ok(moves.column(name)?.str()?.iter().collect()) };
        let flag = |name: &str| -> PolarsResult<Vec<Option<bool>>> { Ok(moves.column(name)?.bool()?.iter().collect()) };
        let whole = |name: &str| -> PolarsResult<Vec<Option<u32>>> { Ok(moves.column(name)?.u32()?.iter().collect()) };
        let number = |name: &str| -> PolarsResult<Vec<Option<f64>>> {
            Ok(moves.column(name)?.cast(&DataType::Float64)?.f64()?.iter().collect())
        };
        Ok(Self {
            participant: text("participant")?,
            session: text("session")?,
            level: text("level")?,
            attempt: moves.column("attempt")?.i64()?.iter().collect(),
            event: text("event")?,
            condition: text("condition")?,
            source_file: text("source_file")?,
            source_row: moves.column("source_row")?.u64()?.iter().collect(),
            rt_s: number("rt_s")?,
            ply: whole("ply")?,
            cost: whole(cost_name(unit))?,
            value_before: number("value_before")?,
            value_after: number("value_after")?,
            regret: number("regret")?,
            quality: text("quality")?,
            chance: number("p_optimal_by_chance")?,
            is_optimal: flag("is_optimal")?,
            is_undo: flag("is_undo")?,
            is_revisit: flag("is_revisit")?,
            is_goal: flag("is_goal")?,
            is_end: flag("is_end")?,
            is_after_goal: flag("is_after_goal")?,
        })
    }

    /// The attempts, in the order of the table.
    pub fn attempts(&self) -> Vec<AttemptRows<'a>> {
        let key = |row: usize| (self.participant[row], self.session[row], self.level[row], self.attempt[row]);
        let mut attempts: Vec<AttemptRows> = Vec::new();
        let mut current = None;
        for row in 0..self.participant.len() {
            if current != Some(key(row)) {
                current = Some(key(row));
                attempts.push(AttemptRows {
                    participant: self.participant[row].unwrap_or_default(),
                    session: self.session[row].unwrap_or_default(),
                    level: self.level[row].unwrap_or_default(),
                    attempt: self.attempt[row].unwrap_or_default(),
                    condition: None,
                    rows: row..row,
                });
            }
            let Some(attempt) = attempts.last_mut() else { continue };
            attempt.rows.end = row + 1;
            attempt.condition = attempt.condition.or(self.condition[row].filter(|name| !name.is_empty()));
        }
        attempts
    }

    /// A row, by its number in the table, from 0.
    pub fn row(&self, row: usize) -> Row<'a> {
        let is = |column: &[Option<bool>]| column[row] == Some(true);
        Row {
            event: self.event[row].unwrap_or_default(),
            rt_s: self.rt_s[row],
            is_after_goal: is(&self.is_after_goal),
            made: self.ply[row].map(|ply| RowMove {
                ply,
                cost: self.cost[row].unwrap_or(0),
                value_before: self.value_before[row],
                value_after: self.value_after[row],
                regret: self.regret[row],
                quality: Quality::ALL.into_iter().find(|known| Some(known.name()) == self.quality[row]),
                chance: self.chance[row],
                is_optimal: is(&self.is_optimal),
                is_undo: is(&self.is_undo),
                is_revisit: is(&self.is_revisit),
                is_goal: is(&self.is_goal),
                is_end: is(&self.is_end),
            }),
        }
    }

    /// The file of the log in which a row stands, and its row there.
    pub fn place(&self, row: usize) -> (&'a str, u64) {
        (self.source_file[row].unwrap_or_default(), self.source_row[row].unwrap_or_default())
    }
}
