//! Expected numbers of moves of players, as columns of the table of distances and as a table of their own.

use plymap_tables::{ColumnDoc, Columns, Table, count, number, text};
use plymap_walks::hitting_times::{HittingError, HittingTimes};

/// The hitting times of a player at a level.
pub struct ExpectedMoves {
    /// The player, as asked for.
    pub player: String,
    /// Its hitting times, or the reason why there are none.
    pub times: Result<HittingTimes, HittingError>,
}

/// Row of the table of expected numbers of moves.
pub struct ExpectedSummary {
    level: String,
    player: String,
    numbers: Result<Numbers, HittingError>,
}

struct Numbers {
    /// From the start; absent where it is infinite.
    moves: Option<f64>,
    arrival: f64,
    largest: Option<f64>,
    n_uncertain: u64,
    relative_error: f64,
    arrival_error: f64,
}

impl ExpectedMoves {
    /// Adds for each state the expected number of moves, and the probability of arrival.
    pub(super) fn added_to(&self, columns: Columns) -> Columns {
        let Ok(times) = &self.times else { return columns };
        let suffix: String = self.player.chars().map(|sign| if sign.is_alphanumeric() { sign } else { '_' }).collect();
        let player = &self.player;
        let moves = format!(
            "expected number of moves of the player {player} to a goal; empty where the player may never come to one"
        );
        let arrival = format!("probability that the player {player} comes to a goal");
        columns
            .values(
                ColumnDoc::new(&format!("moves_{suffix}"), &moves).unit("moves"),
                times.moves.iter().copied().map(finite).collect::<Vec<Option<f64>>>(),
            )
            .values(ColumnDoc::new(&format!("arrival_{suffix}"), &arrival), times.arrival.clone())
    }

    /// The row of the level and player in the table of expected numbers of moves.
    pub fn summary(self, level: &str) -> ExpectedSummary {
        let numbers = self.times.map(|times| {
            let HittingTimes { moves, arrival, moves_error, arrival_error } = times;
            Numbers {
                moves: finite(moves[0]),
                arrival: arrival[0],
                largest: moves.iter().copied().filter_map(finite).reduce(f64::max),
                n_uncertain: moves.iter().filter(|moves| moves.is_infinite()).count() as u64,
                relative_error: moves_error,
                arrival_error,
            }
        });
        ExpectedSummary { level: level.to_owned(), player: self.player, numbers }
    }
}

fn finite(moves: f64) -> Option<f64> {
    moves.is_finite().then_some(moves)
}

impl ExpectedSummary {
    fn reason(&self) -> Option<String> {
        match &self.numbers {
            Ok(Numbers { moves: Some(_), .. }) => None,
            Ok(_) => Some("infinite: the player may never come to a goal".to_owned()),
            Err(error) => Some(error.to_string()),
        }
    }
}

/// The table of expected numbers of moves: one row for each level and player.
pub fn expected_moves_table(rows: &[ExpectedSummary]) -> Table {
    fn of<T>(number: fn(&Numbers) -> Option<T>) -> impl Fn(&ExpectedSummary) -> Option<T> {
        move |row| number(row.numbers.as_ref().ok()?)
    }
    let moves = "expected number of moves from the start to a goal; empty if it is infinite or unknown";
    let largest = "largest expected number of moves from any state from which the player comes to a goal for certain";
    let error =
        "bound of the relative error of each expected number of moves, proved from what it leaves of its equation";
    Columns::new()
        .column(rows, text("level", "the level"), |row| row.level.clone())
        .column(rows, text("player", "the player, as asked for"), |row| row.player.clone())
        .column(rows, number("expected_moves", moves).unit("moves"), of(|numbers| numbers.moves))
        .column(
            rows,
            number("arrival", "probability that the player comes from the start to a goal"),
            of(|numbers| Some(numbers.arrival)),
        )
        .column(rows, number("largest_expected_moves", largest).unit("moves"), of(|numbers| numbers.largest))
        .column(
            rows,
            count("n_uncertain", "number of states from which the player may never come to a goal"),
            of(|numbers| Some(numbers.n_uncertain)),
        )
        .column(rows, number("relative_error", error), of(|numbers| Some(numbers.relative_error)))
        .column(
            rows,
            number("arrival_error", "bound of the error of each probability, proved in the same way"),
            of(|numbers| Some(numbers.arrival_error)),
        )
        .column(rows, text("reason", "reason for a missing expected number of moves"), ExpectedSummary::reason)
        .into_table(
            "expected_moves",
            "Expected numbers of moves to a goal of players who choose by the position alone: one row for each level and player.",
        )
}
