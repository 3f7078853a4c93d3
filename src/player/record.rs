//! Synthetic play as files: the log, and the truth about who wrote it.

use std::io::Write;

use polars::prelude::{Column, DataFrame, PolarsResult};

use super::{LapseOptimal, PlayedTrial, Player};
use crate::table::{ColumnDoc, Table};

/// The columns of a synthetic log: those of the canonical log that a player fills.
pub const LOG_COLUMNS: [&str; 8] =
    ["participant", "level", "attempt", "move_index", "event", "action", "rt_s", "condition"];

/// Writes trials as a log in CSV, in their order. Times have three decimals, as of a clock with a
/// resolution of one millisecond. Where chance draws starts, a column `state_after` tells them.
///
/// # Errors
///
/// If the output cannot be written to.
pub fn write_log<'a>(
    trials: impl IntoIterator<Item = &'a PlayedTrial, IntoIter: Clone>,
    output: impl Write,
) -> csv::Result<()> {
    let trials = trials.into_iter();
    let has_starts = trials.clone().flat_map(|trial| &trial.rows).any(|row| row.state_after.is_some());
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record(LOG_COLUMNS.into_iter().chain(has_starts.then_some("state_after")))?;
    for trial in trials {
        for row in &trial.rows {
            let (attempt, rt_s) = (row.attempt.to_string(), format!("{:.3}", row.rt_s));
            let move_index = row.move_index.map_or_else(String::new, |index| index.to_string());
            let fields = [
                trial.participant.as_str(),
                &trial.level,
                &attempt,
                &move_index,
                row.event.name(),
                row.action.as_deref().unwrap_or_default(),
                &rt_s,
                trial.condition.as_deref().unwrap_or_default(),
            ];
            let state_after = has_starts.then(|| row.state_after.as_deref().unwrap_or_default());
            writer.write_record(fields.into_iter().chain(state_after))?;
        }
    }
    writer.flush()?;
    Ok(())
}

/// The table `players`: the true parameters of each player.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn players_table(players: &[Player<LapseOptimal>]) -> PolarsResult<Table> {
    let number = |name: &str, value: fn(&Player) -> f64| {
        Column::new(name.into(), players.iter().map(value).collect::<Vec<f64>>())
    };
    let count =
        |name: &str, value: fn(&Player) -> u32| Column::new(name.into(), players.iter().map(value).collect::<Vec<_>>());
    let names: Vec<&str> = players.iter().map(|player| player.participant.as_str()).collect();
    let conditions: Vec<Option<&str>> = players.iter().map(|player| player.condition.as_deref()).collect();
    let data = DataFrame::new_infer_height(vec![
        Column::new("participant".into(), names),
        Column::new("condition".into(), conditions),
        number("lapse", |player| player.policy.lapse),
        number("median_time_s", |player| player.tempo.median_time_s),
        number("sigma", |player| player.tempo.sigma),
        number("first_move_median_s", |player| player.tempo.first_move_median_s),
        number("choice_exponent", |player| player.tempo.choice_exponent),
        number("p_start_thinking", |player| player.tempo.p_start_thinking),
        number("p_keep_thinking", |player| player.tempo.p_keep_thinking),
        number("thinking_factor", |player| player.tempo.thinking_factor),
        count("astray_by", |player| player.persistence.astray_by),
        number("reset_chance", |player| player.persistence.reset_chance),
        count("max_moves", |player| player.persistence.max_moves),
    ])?;
    let caption = "The true parameters of each synthetic player.".to_owned();
    Ok(Table { name: "players".to_owned(), caption, data, columns: player_columns() })
}

fn player_columns() -> Vec<ColumnDoc> {
    vec![
        ColumnDoc::new("participant", "who plays"),
        ColumnDoc::new("condition", "experimental condition; empty where there is none"),
        ColumnDoc::new(
            "lapse",
            "probability that a move is chosen evenly among all legal moves rather than among the optimal ones, 0 to 1",
        ),
        ColumnDoc::new("median_time_s", "median time of a move while acting, at 10 legal moves").unit("s"),
        ColumnDoc::new("sigma", "standard deviation of the natural logarithm of times"),
        ColumnDoc::new("first_move_median_s", "median time of the first move of an attempt, at 10 legal moves")
            .unit("s"),
        ColumnDoc::new(
            "choice_exponent",
            "by which power of the number of legal moves times grow; 0 where they do not",
        ),
        ColumnDoc::new(
            "p_start_thinking",
            "probability that a move is thought about after one that was not, first moves left out",
        ),
        ColumnDoc::new("p_keep_thinking", "probability that a move is thought about after one that was"),
        ColumnDoc::new("thinking_factor", "by which factor a move takes longer that is thought about"),
        ColumnDoc::new(
            "astray_by",
            "from how much above the least distance of the attempt on a player is astray, in the level's metric",
        ),
        ColumnDoc::new("reset_chance", "probability, before each move, that a player who is astray resets the level"),
        ColumnDoc::new("max_moves", "number of moves at a level, over all attempts, after which the player gives up"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Event;
    use crate::player::{Persistence, PlayedRow, Tempo};
    use crate::report::{Format, render};

    #[test]
    fn a_log_has_one_line_for_each_row() {
        let row = |move_index, event, action: Option<&str>, rt_s| PlayedRow {
            attempt: 1,
            move_index,
            event,
            action: action.map(str::to_owned),
            state_after: None,
            rt_s,
            n_legal: 4,
            mode: None,
        };
        let trial = PlayedTrial {
            participant: "p,1".to_owned(),
            condition: None,
            level: "one".to_owned(),
            rows: vec![row(Some(0), Event::Move, Some("A+2"), 1.2345), row(None, Event::GiveUp, None, 0.5)],
            is_solved: false,
        };
        let mut text = Vec::new();
        write_log([&trial], &mut text).unwrap();
        let expected = "participant,level,attempt,move_index,event,action,rt_s,condition\n\
                        \"p,1\",one,1,0,move,A+2,1.234,\n\
                        \"p,1\",one,1,,give_up,,0.500,\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn the_table_of_players_is_whole() {
        let player = Player {
            participant: "p1".to_owned(),
            condition: Some("speed".to_owned()),
            policy: LapseOptimal { lapse: 0.25 },
            tempo: Tempo::steady(1.5, 0.4),
            persistence: Persistence::up_to(60),
        };
        let text = render(&players_table(&[player]).unwrap(), Format::Csv).unwrap();
        assert_eq!(text.lines().nth(1).unwrap(), "p1,speed,0.25,1.5,0.4,1.5,0.0,0.0,0.0,1.0,1,0.0,60");
    }
}
