//! The measures: each declared once, with what tables, analyses, baselines and studies of power need of it.
//!
//! A measure that is added to [`MEASURES`] is a column of every table of its kind. It is a measure of power if it has a
//! title there, and one that analyses take of each trial if [`TrialMeasure`](crate::analysis::TrialMeasure) names it.

use super::attempt::Attempt;
use super::summary::Summary;
use super::tally::{Tally, share};
use super::trial::Trial;
use crate::label::Quality;
use plymap_log::Event;
use plymap_puzzles::game::Unit;
use plymap_statistics::record::{Column, ColumnKind, count, number, whole};
use plymap_tables::Columns;

/// Measure of moves, trials or participants.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its name, what a value means, and the unit.
    pub column: Column,
    /// The measure in words, as sentences and figures say them; empty for what only tables show.
    pub title: &'static str,
    /// The measure of a simulated participant in words, with its unit; absent for what studies of power do not test.
    pub power_title: Option<&'static str>,
    /// `true` if its unit is that of values: moves, cells or points.
    pub is_in_values: bool,
    /// Condition for such a measure.
    pub needs: Needs,
    /// Formula.
    pub value: MeasureValue,
}

/// Of which values there is a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Of distances and of points.
    Any,
    /// Of distances: of points there is no fewest number, for instance.
    Distances,
    /// Of points.
    Points,
}

/// Computation of a measure, and its source: the tables whose column it is.
#[derive(Clone, Copy, Debug)]
pub enum MeasureValue {
    /// Of the moves of a run: of an attempt, a trial, a participant, a level or a condition.
    Moves(fn(&Tally) -> Option<f64>),
    /// Of one attempt.
    Attempt(fn(&Attempt) -> Option<f64>),
    /// Of one trial.
    Trial(fn(&Trial) -> Option<f64>),
    /// Over the trials of a participant, a level or a condition.
    Trials(fn(&Summary) -> Option<f64>),
    /// Over the trials of a player, where players are compared; no column of the tables of people.
    Player(fn(&Summary) -> Option<f64>),
}

impl Measure {
    const fn new(column: Column, value: MeasureValue) -> Self {
        Self { column, title: "", power_title: None, is_in_values: false, needs: Needs::Any, value }
    }

    const fn of_moves(column: Column, value: fn(&Tally) -> Option<f64>) -> Self {
        Self::new(column, MeasureValue::Moves(value))
    }

    const fn of_attempt(column: Column, value: fn(&Attempt) -> Option<f64>) -> Self {
        Self::new(column, MeasureValue::Attempt(value))
    }

    const fn of_trial(column: Column, value: fn(&Trial) -> Option<f64>) -> Self {
        Self::new(column, MeasureValue::Trial(value))
    }

    const fn of_trials(column: Column, value: fn(&Summary) -> Option<f64>) -> Self {
        Self::new(column, MeasureValue::Trials(value))
    }

    const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    const fn of_power(self, title: &'static str) -> Self {
        Self { power_title: Some(title), ..self }
    }

    const fn in_values(self) -> Self {
        Self { is_in_values: true, ..self }
    }

    const fn needs(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    /// The measures that studies of power can test.
    pub fn all_of_power() -> impl Iterator<Item = (&'static Self, &'static str)> {
        MEASURES.iter().filter_map(|measure| Some((measure, measure.power_title?)))
    }

    /// The measure of this name that studies of power can test, and what it is in words.
    pub fn of_power_named(name: &str) -> Option<(&'static Self, &'static str)> {
        Self::all_of_power().find(|(measure, _)| measure.name() == name)
    }

    /// Its name: that of its column.
    pub const fn name(&self) -> &'static str {
        self.column.name
    }

    /// The same measure with what it means in one table.
    pub const fn means(self, meaning: &'static str) -> Self {
        Self { column: self.column.means(meaning), ..self }
    }

    /// `true` if there is such a measure where values are in this unit.
    pub fn is_for(&self, values: Unit) -> bool {
        match self.needs {
            Needs::Any => true,
            Needs::Distances => values.is_distance(),
            Needs::Points => !values.is_distance(),
        }
    }

    /// The unit of its numbers where values are in this unit; empty for counts and shares.
    pub fn unit(&self, values: Unit) -> &'static str {
        if self.is_in_values { values.name() } else { self.column.unit }
    }

    /// Its value over trials, taken together; absent where there is none, and for measures of one attempt or trial.
    pub fn of(&self, summary: &Summary) -> Option<f64> {
        match self.value {
            MeasureValue::Moves(value) => value(&summary.tally),
            MeasureValue::Trials(value) | MeasureValue::Player(value) => value(summary),
            MeasureValue::Attempt(_) | MeasureValue::Trial(_) => None,
        }
    }
}

/// Columns of measures.
pub trait MeasureColumns: Sized {
    /// A column of a measure, whose values come in the order of the rows.
    fn measure<T>(self, rows: &[T], measure: &Measure, values: Unit, value: impl Fn(&T) -> Option<f64>) -> Self;

    /// The measures of moves, which every table of players has.
    fn of_moves<T>(self, rows: &[T], values: Unit, tally: impl Fn(&T) -> &Tally + Copy) -> Self;

    /// The measures of attempts.
    fn of_attempt(self, rows: &[Attempt], values: Unit) -> Self;

    /// The measures of trials.
    fn of_trial(self, rows: &[Trial], values: Unit) -> Self;

    /// The measures of trials taken together.
    fn of_trials<T>(self, rows: &[T], values: Unit, summary: impl Fn(&T) -> &Summary + Copy) -> Self;
}

impl MeasureColumns for Columns {
    fn measure<T>(self, rows: &[T], measure: &Measure, values: Unit, value: impl Fn(&T) -> Option<f64>) -> Self {
        let column = measure.column.unit(measure.unit(values));
        match column.kind {
            ColumnKind::Count => self.column(rows, column, |row| value(row).map_or(0, |count| count as u64)),
            ColumnKind::Whole => self.column(rows, column, |row| value(row).map(|number| number as i64)),
            _ => self.column(rows, column, value),
        }
    }

    fn of_moves<T>(self, rows: &[T], values: Unit, tally: impl Fn(&T) -> &Tally + Copy) -> Self {
        MEASURES.iter().filter(|measure| measure.is_for(values)).fold(self, |columns, measure| match measure.value {
            MeasureValue::Moves(value) => columns.measure(rows, measure, values, |row| value(tally(row))),
            _ => columns,
        })
    }

    fn of_attempt(self, rows: &[Attempt], values: Unit) -> Self {
        MEASURES.iter().filter(|measure| measure.is_for(values)).fold(self, |columns, measure| match measure.value {
            MeasureValue::Attempt(value) => columns.measure(rows, measure, values, value),
            _ => columns,
        })
    }

    fn of_trial(self, rows: &[Trial], values: Unit) -> Self {
        MEASURES.iter().filter(|measure| measure.is_for(values)).fold(self, |columns, measure| match measure.value {
            MeasureValue::Trial(value) => columns.measure(rows, measure, values, value),
            _ => columns,
        })
    }

    fn of_trials<T>(self, rows: &[T], values: Unit, summary: impl Fn(&T) -> &Summary + Copy) -> Self {
        MEASURES.iter().filter(|measure| measure.is_for(values)).fold(self, |columns, measure| match measure.value {
            MeasureValue::Trials(value) => columns.measure(rows, measure, values, |row| value(summary(row))),
            _ => columns,
        })
    }
}

/// Number of moves.
pub const N_MOVES: Measure = Measure::of_moves(count("n_moves", "number of moves"), |tally| Some(tally.n_moves as f64))
    .titled("number of moves")
    .of_power("number of moves");

/// Share of optimal moves.
pub const SHARE_OPTIMAL: Measure =
    Measure::of_moves(number("share_optimal", "n_optimal / n_moves"), Tally::share_optimal)
        .titled("share of optimal moves")
        .of_power("share of optimal moves");

/// Share of optimal moves that uniformly random choice would reach in the same positions.
pub const SHARE_OPTIMAL_BY_CHANCE: Measure = Measure::of_moves(
    number("share_optimal_by_chance", "chance level: mean of n_optimal / n_legal over the same positions"),
    Tally::share_optimal_by_chance,
);

/// Mean regret of a move.
pub const MEAN_REGRET: Measure =
    Measure::of_moves(number("mean_regret", "mean regret of a move, over the moves that have one"), Tally::mean_regret)
        .in_values()
        .titled("mean regret")
        .of_power("mean regret of a move");

/// Time of all rows.
pub const TIME: Measure = Measure::of_moves(
    number(
        "time_s",
        "sum of the times of all rows up to the solution, give-up or limit; from the first row on where that has no time; empty if the time of a later row is missing",
    )
    .unit("s"),
    Tally::time_s,
)
.titled("time")
.of_power("time of all trials (s)");

/// Median time of the moves after a first one.
pub const MEDIAN_INTER_MOVE: Measure = Measure::of_moves(
    number("median_inter_move_s", "median time of the moves after a first one").unit("s"),
    Tally::median_inter_move_s,
)
.titled("median inter-move time")
.of_power("median inter-move time (s)");

/// Excess over the fewest possible.
pub const EXCESS_MOVES: Measure = Measure::of_trial(
    whole(
        "excess_moves",
        "cost of all moves - start_distance, over all attempts; empty if not solved, if rows were left out, or if an attempt did not begin at the level's start",
    ),
    |trial| trial.excess_moves,
)
.in_values()
.needs(Needs::Distances)
.titled("excess moves");

/// Time of the first move of the first attempt.
pub const FIRST_MOVE_LATENCY: Measure = Measure::of_trial(
    number("first_move_latency_s", "time of the first move of the first attempt").unit("s"),
    |trial| trial.first_move_latency_s,
)
.titled("first-move latency");

/// Number of trials.
pub const N_TRIALS: Measure =
    Measure::of_trials(count("n_trials", "number of trials"), |summary| Some(summary.n_trials as f64));

/// Number of solved trials.
pub const N_SOLVED: Measure =
    Measure::of_trials(count("n_solved", "number of trials in which the level was solved"), |summary| {
        Some(summary.n_solved as f64)
    })
    .needs(Needs::Distances);

/// Mean of the excess moves of solved trials.
pub const MEAN_EXCESS_MOVES: Measure = Measure::new(
    number("mean_excess_moves", "mean of the excess moves over solved trials that began at the start of their level"),
    MeasureValue::Player(Summary::mean_excess_moves),
)
.in_values()
.needs(Needs::Distances)
.of_power("mean excess moves of solved trials");

/// Number of moves of a quality.
macro_rules! n_of {
    ($quality:ident, $name:literal, $words:literal) => {
        Measure::of_moves(count(concat!("n_", $name), concat!("number of moves of quality ", $words)), |tally| {
            Some(tally.n_by_quality[Quality::$quality.index()] as f64)
        })
    };
}

/// Share of moves of a quality.
macro_rules! share_of {
    ($quality:ident, $name:literal, $words:literal) => {
        Measure::of_moves(
            number(concat!("share_", $name), concat!("moves of quality ", $words, " / n_moves")),
            |tally| share(tally.n_by_quality[Quality::$quality.index()], tally.n_moves),
        )
    };
}

/// All measures. Tables show those of their kind in this order, and messages those of power.
pub const MEASURES: &[Measure] = &[
    // Of one attempt.
    Measure::of_attempt(whole("start_distance", "distance to the goal before its first move"), |attempt| {
        attempt.start_value
    })
    .in_values()
    .needs(Needs::Distances),
    Measure::of_attempt(
        whole("end_distance", "distance to the goal after its last move; after the move that solved the level, if it did"),
        |attempt| attempt.end_value,
    )
    .in_values()
    .needs(Needs::Distances),
    Measure::of_attempt(
        whole("excess_moves", "cost of all moves - start_distance; empty if the attempt does not solve the level"),
        Attempt::excess_moves,
    )
    .in_values()
    .needs(Needs::Distances),
    Measure::of_attempt(number("start_points", "expected points before its first move"), |attempt| attempt.start_value)
        .in_values()
        .needs(Needs::Points),
    // Of one trial.
    Measure::of_trial(whole("solved_in_attempt", "number of the attempt that solved it"), |trial| {
        Some(trial.solution?.attempt as f64)
    }),
    Measure::of_trial(
        count("n_attempts", "attempts up to and including the first solution; all other columns count these"),
        |trial| Some(trial.n_attempts as f64),
    )
    .needs(Needs::Distances),
    Measure::of_trial(
        count("n_attempts", "attempts, each a game; all other columns count them all"),
        |trial| Some(trial.n_attempts as f64),
    )
    .needs(Needs::Points),
    Measure::of_trial(count("n_attempts_after", "attempts after the first solution, not measured"), |trial| {
        Some(trial.n_attempts_after as f64)
    }),
    Measure::of_trial(count("n_reached_target", "number of attempts that reached the target"), |trial| {
        Some(trial.n_goals as f64)
    })
    .needs(Needs::Points),
    Measure::of_trial(count("best_score", "most points that an attempt gained"), |trial| Some(trial.best_score as f64))
        .needs(Needs::Points),
    Measure::of_trial(whole("start_distance", "fewest moves that solve the level"), |trial| {
        trial.start_distance.map(f64::from)
    })
    .in_values()
    .needs(Needs::Distances),
    EXCESS_MOVES,
    Measure::of_trial(whole("n_moves_of_solution", "moves of the attempt that solved the level"), |trial| {
        Some(trial.solution?.n_moves as f64)
    }),
    Measure::of_trial(
        number("time_of_solution_s", "time of the attempt that solved the level").unit("s"),
        |trial| trial.solution?.time_s,
    ),
    FIRST_MOVE_LATENCY,
    // Of moves: of an attempt, and of all attempts of trials.
    N_MOVES,
    Measure::of_moves(count("score", "points gained by all moves"), |tally| Some(tally.cost_sum as f64))
        .needs(Needs::Points),
    Measure::of_moves(number("points_lost", "sum of regret over all moves"), |tally| Some(tally.regret_sum))
        .in_values()
        .needs(Needs::Points),
    n_of!(Better, "better", "better").needs(Needs::Distances),
    n_of!(Same, "same", "same").needs(Needs::Distances),
    n_of!(Worse, "worse", "worse").needs(Needs::Distances),
    n_of!(DeadEnd, "dead_end", "dead-end").needs(Needs::Distances),
    n_of!(Best, "best", "best").needs(Needs::Points),
    n_of!(Slip, "slip", "slip").needs(Needs::Points),
    n_of!(Mistake, "mistake", "mistake").needs(Needs::Points),
    n_of!(Blunder, "blunder", "blunder").needs(Needs::Points),
    n_of!(Illegal, "illegal", "illegal"),
    share_of!(Better, "better", "better").needs(Needs::Distances),
    share_of!(Same, "same", "same").needs(Needs::Distances),
    share_of!(Worse, "worse", "worse").needs(Needs::Distances),
    share_of!(DeadEnd, "dead_end", "dead-end").needs(Needs::Distances),
    share_of!(Best, "best", "best").needs(Needs::Points),
    share_of!(Slip, "slip", "slip").needs(Needs::Points),
    share_of!(Mistake, "mistake", "mistake").needs(Needs::Points),
    share_of!(Blunder, "blunder", "blunder").needs(Needs::Points),
    share_of!(Illegal, "illegal", "illegal"),
    Measure::of_moves(count("n_optimal", "number of optimal moves"), |tally| Some(tally.n_optimal as f64)),
    SHARE_OPTIMAL,
    SHARE_OPTIMAL_BY_CHANCE,
    MEAN_REGRET,
    // Of trials taken together.
    MEAN_EXCESS_MOVES,
    N_TRIALS,
    N_SOLVED,
    Measure::of_trials(
        count("n_finished", "number of trials in which a game was played to its end, or to its target"),
        |summary| Some(summary.n_solved as f64),
    )
    .needs(Needs::Points),
    Measure::of_trials(
        count("n_incomplete_trials", "number of trials that were not solved, but lack rows that were left out"),
        |summary| Some(summary.n_incomplete_trials as f64),
    )
    .needs(Needs::Distances),
    Measure::of_trials(
        count("n_incomplete_trials", "number of trials that were not finished, but lack rows that were left out"),
        |summary| Some(summary.n_incomplete_trials as f64),
    )
    .needs(Needs::Points),
    Measure::of_trials(number("share_solved", "n_solved / (n_trials - n_incomplete_trials)"), Summary::share_solved)
        .needs(Needs::Distances)
        .of_power("share of solved trials"),
    Measure::of_trials(number("share_finished", "n_finished / (n_trials - n_incomplete_trials)"), Summary::share_solved)
        .needs(Needs::Points),
    Measure::of_trials(count("n_attempts", "number of attempts up to and including first solutions"), |summary| {
        Some(summary.n_attempts as f64)
    }),
    Measure::of_trials(
        number("median_moves_of_solved", "median over solved trials without rows left out of n_moves"),
        |summary| summary.moves_of_solved.median(),
    ),
    Measure::of_trials(count("n_reached_target", "number of games that reached the target"), |summary| {
        Some(summary.n_goals as f64)
    })
    .needs(Needs::Points),
    Measure::of_trials(
        count("n_perfect", "number of trials in which the level was solved in the fewest moves: excess_moves is 0"),
        |summary| Some(summary.n_perfect as f64),
    )
    .needs(Needs::Distances),
    Measure::of_trials(
        number(
            "share_perfect",
            "n_perfect / number of trials of which it is known: solved with excess_moves, or not solved without rows left out",
        ),
        |summary| share(summary.n_perfect, summary.n_perfect + summary.n_imperfect),
    )
    .needs(Needs::Distances),
    Measure::of_trials(
        count(
            "n_perfect_attempts",
            "number of trials of which the attempt that solved the level took the fewest moves, whatever was tried before: its excess_moves is 0",
        ),
        |summary| Some(summary.n_perfect_attempts as f64),
    )
    .needs(Needs::Distances),
    Measure::of_trials(
        number(
            "share_perfect_attempts",
            "n_perfect_attempts / number of trials of which the excess_moves of the attempt that solved the level are known",
        ),
        |summary| share(summary.n_perfect_attempts, summary.n_solving_attempts),
    )
    .needs(Needs::Distances),
    Measure::of_trials(
        number("median_excess_moves", "median over solved trials without rows left out of excess_moves"),
        |summary| summary.excess_of_solved.median(),
    )
    .in_values()
    .needs(Needs::Distances),
    Measure::of_trials(
        number("median_time_of_solved_s", "median over solved trials without rows left out of time_s").unit("s"),
        |summary| summary.times_of_solved.median(),
    ),
    // Of moves again, behind the shares.
    Measure::of_moves(
        count(
            "n_without_regret",
            "number of moves without a regret, which mean_regret leaves out: illegal ones, and those after which no goal can be reached",
        ),
        |tally| Some(tally.n_without_regret() as f64),
    ),
    Measure::of_moves(count("n_undos", "number of moves back to the position before the previous move"), |tally| {
        Some(tally.n_undos as f64)
    }),
    Measure::of_moves(number("share_undos", "n_undos / n_moves"), |tally| share(tally.n_undos, tally.n_moves)),
    Measure::of_moves(count("n_revisits", "number of moves to a position that the attempt had been in"), |tally| {
        Some(tally.n_revisits as f64)
    }),
    Measure::of_moves(number("share_revisits", "n_revisits / n_moves"), |tally| share(tally.n_revisits, tally.n_moves)),
    Measure::of_moves(
        count("n_after_goal", "number of moves after the level was solved, counted nowhere else"),
        |tally| Some(tally.n_after_goal as f64),
    ),
    Measure::of_moves(
        count("n_after_give_up", "number of moves after a give-up or a limit in the same attempt, counted nowhere else"),
        |tally| Some(tally.n_after_give_up as f64),
    ),
    Measure::of_moves(count("n_undo_events", "number of logged undo events"), |tally| Some(tally.n_of(Event::Undo) as f64)),
    Measure::of_moves(count("n_resets", "number of logged resets"), |tally| Some(tally.n_of(Event::Reset) as f64)),
    Measure::of_moves(count("n_hints", "number of logged hints"), |tally| Some(tally.n_of(Event::Hint) as f64)),
    Measure::of_moves(
        count("n_null_moves", "number of actions that changed nothing, such as pieces that were put back"),
        |tally| Some(tally.n_of(Event::NullMove) as f64),
    ),
    Measure::of_moves(count("n_give_ups", "number of logged give-ups"), |tally| Some(tally.n_of(Event::GiveUp) as f64)),
    Measure::of_moves(
        count("n_times_missing", "number of rows whose time is missing, the first rows of attempts left out"),
        |tally| Some(tally.n_times_missing as f64),
    ),
    TIME,
    MEDIAN_INTER_MOVE,
    Measure::of_moves(
        number("median_first_move_latency_s", "median time of first moves, over attempts").unit("s"),
        Tally::median_first_latency_s,
    )
    .of_power("median first-move latency (s)"),
];
