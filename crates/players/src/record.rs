//! Synthetic play as files: the log, and the truth about who wrote it.

use super::cohort::Member;
use super::persistence::Persistence;
use super::played::PlayedTrial;
use super::player::Player;
use super::tempo::Tempo;
use crate::policy::LapseOptimal;
use plymap_tables::{ColumnDoc, Columns, Table, count, number, text};
use std::io::Write;

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

/// True parameters of a synthetic player.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PlayerRow {
    /// Name in the log.
    pub participant: String,
    /// Name of the cohort, where there are cohorts.
    pub cohort: Option<String>,
    /// Condition in the log.
    pub condition: Option<String>,
    /// The entries of its policy, as studies write them.
    pub policy: Vec<(String, String)>,
    /// Its tempo.
    pub tempo: Tempo,
    /// Its persistence.
    pub persistence: Persistence,
}

impl From<&Player<LapseOptimal>> for PlayerRow {
    fn from(player: &Player<LapseOptimal>) -> Self {
        Self {
            participant: player.participant.clone(),
            cohort: None,
            condition: player.condition.clone(),
            policy: vec![("lapse".to_owned(), player.policy.lapse.to_string())],
            tempo: player.tempo,
            persistence: player.persistence,
        }
    }
}

impl From<&Member> for PlayerRow {
    fn from(Member { cohort, spec, player }: &Member) -> Self {
        Self {
            participant: player.participant.clone(),
            cohort: Some(cohort.clone()),
            condition: player.condition.clone(),
            policy: spec.settings(),
            tempo: player.tempo,
            persistence: player.persistence,
        }
    }
}

/// The table `players`: the true parameters of each player. Each entry of a policy has a column of its own.
pub fn players_table(rows: &[PlayerRow]) -> Table {
    let mut columns = Columns::new().column(rows, text("participant", "who plays"), |row| row.participant.clone());
    if rows.iter().any(|row| row.cohort.is_some()) {
        columns = columns.column(rows, text("cohort", "cohort of the study"), |row| row.cohort.clone());
    }
    columns = columns.column(rows, text("condition", "experimental condition; empty where there is none"), |row| {
        row.condition.clone()
    });
    let mut entries: Vec<&str> = Vec::new();
    for (entry, _) in rows.iter().flat_map(|row| &row.policy) {
        if !entries.contains(&entry.as_str()) {
            entries.push(entry);
        }
    }
    for entry in entries {
        let value = |row: &PlayerRow| row.policy.iter().find(|(name, _)| name == entry).map(|(_, value)| value.clone());
        let name = if entry == "kind" { "policy".to_owned() } else { entry.replace('-', "_") };
        let meaning = meaning_of(entry);
        let are_numbers = rows.iter().filter_map(value).all(|value| value.parse::<f64>().is_ok());
        let doc = ColumnDoc::new(&name, &meaning);
        columns = match are_numbers {
            true => columns.column(rows, doc, |row| value(row)?.parse::<f64>().ok()),
            false => columns.column(rows, doc, value),
        };
    }
    let of_persistence = |value: fn(&Persistence) -> u32| move |row: &PlayerRow| u64::from(value(&row.persistence));
    columns
        .column(
            rows,
            number("median_time_s", "median time of a move while acting, at 10 legal moves").unit("s"),
            |row| Some(row.tempo.median_time_s),
        )
        .column(rows, number("sigma", "standard deviation of the natural logarithm of times"), |row| {
            Some(row.tempo.sigma)
        })
        .column(
            rows,
            number("first_move_median_s", "median time of the first move of an attempt, at 10 legal moves").unit("s"),
            |row| Some(row.tempo.first_move_median_s),
        )
        .column(
            rows,
            number("choice_exponent", "by which power of the number of legal moves times grow; 0 where they do not"),
            |row| Some(row.tempo.choice_exponent),
        )
        .column(
            rows,
            number(
                "p_start_thinking",
                "probability that a move is thought about after one that was not, first moves left out",
            ),
            |row| Some(row.tempo.p_start_thinking),
        )
        .column(rows, number("p_keep_thinking", "probability that a move is thought about after one that was"), |row| {
            Some(row.tempo.p_keep_thinking)
        })
        .column(rows, number("thinking_factor", "by which factor a move takes longer that is thought about"), |row| {
            Some(row.tempo.thinking_factor)
        })
        .column(
            rows,
            count(
                "astray_by",
                "from how much above the least distance of the attempt on a player is astray, in the level's metric",
            ),
            of_persistence(|persistence| persistence.astray_by),
        )
        .column(
            rows,
            number("reset_chance", "probability, before each move, that a player who is astray resets the level"),
            |row| Some(row.persistence.reset_chance),
        )
        .column(
            rows,
            count("max_moves", "number of moves at a level, over all attempts, after which the player gives up"),
            of_persistence(|persistence| persistence.max_moves),
        )
        .into_table("players", "The true parameters of each synthetic player.")
}

fn meaning_of(entry: &str) -> String {
    match entry {
        "kind" => "kind of its policy".to_owned(),
        "lapse" => {
            "probability that a move is chosen uniformly at random among all legal moves rather than among the optimal ones, 0 to 1"
                .to_owned()
        }
        "undo" => "factor on the probability of moves straight back".to_owned(),
        "same-piece" => "factor on the probability of moves of the piece that moved last".to_owned(),
        other => format!("the entry {other} of its policy; docs/policies.md says what it means"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Persistence, PlayedRow, Tempo};
    use plymap_log::Event;
    use plymap_tables::{Format, render};

    #[test]
    fn a_log_has_one_line_for_each_row() {
        let row = |move_index, event, action: Option<&str>, rt_s| PlayedRow {
            attempt: 1,
            move_index,
            event,
            action: action.map(str::to_owned),
            state_after: None,
            rt_s,
            made: None,
            n_legal: 4,
            mode: None,
        };
        let trial = PlayedTrial {
            participant: "p,1".to_owned(),
            condition: None,
            level: "one".to_owned(),
            rows: vec![row(Some(0), Event::Move, Some("A+2"), 1.2345), row(None, Event::GiveUp, None, 0.5)],
            is_solved: false,
            last_state: plymap_puzzles::game::StateCode(0),
            cost: 1,
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
        let text = render(&players_table(&[PlayerRow::from(&player)]), Format::Csv).unwrap();
        assert_eq!(text.lines().nth(1).unwrap(), "p1,speed,0.25,1.5,0.4,1.5,0.0,0.0,0.0,1.0,1,0.0,60");
    }
}
