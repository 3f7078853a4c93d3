//! One run at a level between resets.

use super::attempt_end::AttemptEnd;
use super::shared;
use super::tally::Tally;
use crate::label::LabelledRow;
use plymap_log::Event;
use std::sync::Arc;

/// One run at a level between resets.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Attempt {
    /// Participant.
    pub participant: String,
    /// Session.
    pub session: String,
    /// At which level.
    pub level: String,
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Experimental condition of its first row that has one.
    pub condition: Option<String>,
    /// Value of the position at its start, in the unit of the measures.
    pub start_value: Option<f64>,
    /// Value of the position at its end.
    pub end_value: Option<f64>,
    /// End of the attempt.
    pub end: AttemptEnd,
    /// `true` if it ends in a goal: the level solved, or the target reached.
    pub reaches_goal: bool,
    /// Tally of its events.
    #[serde(with = "shared")]
    pub tally: Arc<Tally>,
    /// `true` if a row was added to it.
    pub has_rows: bool,
}

impl Attempt {
    /// Excess over the distance at its start, in the level's metric; absent if it does not solve the level, or rows
    /// of it were left out.
    pub fn excess_moves(&self) -> Option<f64> {
        let is_whole = self.is_solved() && self.tally.n_left_out == 0;
        Some(self.tally.cost_sum as f64 - self.start_value.filter(|_| is_whole)?)
    }

    /// Adds the next row.
    pub fn push(&mut self, row: &LabelledRow) {
        let tally = Arc::make_mut(&mut self.tally);
        if row.is_time_in_next {
            *tally.n_events.entry(row.event).or_default() += u64::from(self.end.measures(row));
            return;
        }
        let is_first = !self.has_rows;
        self.has_rows = true;
        if !self.end.measures(row) {
            let n_after = match self.end {
                AttemptEnd::GaveUp | AttemptEnd::Limit => &mut tally.n_after_give_up,
                _ => &mut tally.n_after_goal,
            };
            *n_after += u64::from(row.made().is_some());
            return;
        }
        self.end = self.end.after(row);
        match row.rt_s {
            Some(time) => {
                tally.time_ns = tally.time_ns.saturating_add((time * 1e9).round() as i128);
                tally.n_times += 1;
            }
            // The clock starts with a start event; it needs no time of its own.
            None if is_first => tally.n_starts_untimed += u64::from(row.event != Event::Start),
            None => tally.n_times_missing += 1,
        }
        let Some((played, label)) = row.made() else {
            *tally.n_events.entry(row.event).or_default() += 1;
            return;
        };
        if played.ply == 0 {
            self.start_value = label.value_before();
        }
        self.end_value = label.value_after();
        self.reaches_goal = label.is_goal;
        tally.n_moves += 1;
        tally.cost_sum += u64::from(played.cost);
        tally.n_by_quality[label.quality.index()] += 1;
        tally.n_optimal += u64::from(label.is_optimal());
        tally.n_undos += u64::from(played.is_undo);
        tally.n_revisits += u64::from(played.is_revisit);
        if let Some(chance) = label.chance() {
            tally.n_choices += 1;
            tally.chance_sum += chance;
        }
        if let Some(regret) = label.regret {
            tally.n_regrets += 1;
            tally.regret_sum += regret;
        }
        match row.rt_s {
            Some(time) if played.ply == 0 => tally.first_latencies_s.push(time),
            Some(time) => tally.inter_move_s[label.quality.index()].push(time),
            None => {}
        }
    }

    /// `true` if it ends with the level solved, or, where values are points, with the end of the game.
    pub fn is_solved(&self) -> bool {
        self.end == AttemptEnd::Finished
    }
}
