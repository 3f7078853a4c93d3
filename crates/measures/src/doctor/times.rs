//! Times that are missing, and times that people cannot have.

use super::anomaly::{Anomaly, DoctorInput, rows};
use crate::label::LabelledRow;
use plymap_log::PLAUSIBLE_MEDIAN;
use plymap_statistics::stats::describe::quantile;

/// People do not see a board and act on it in less, in seconds (simple reactions take some 0.2 s).
const FASTEST: f64 = 0.05;
/// A pause of more is rather a break than thought, in seconds.
const LONGEST: f64 = 300.0;

/// Rules of the times of moves.
pub(super) fn anomalies(play: &DoctorInput<'_>) -> Vec<Anomaly> {
    let times: Vec<f64> = play.labelled.rows.iter().filter(is_later_move).filter_map(|row| row.rt_s).collect();
    let mut anomalies = Vec::new();
    if times.is_empty() {
        let advice = &without_times(play);
        anomalies.extend(rows(play, is_move, |row| row.rt_s.is_none()).anomaly(
            "no-times",
            "moves",
            "no move has a time",
            advice,
        ));
        return anomalies;
    }
    let median = quantile(&times, 0.5).unwrap_or_default();
    if !PLAUSIBLE_MEDIAN.contains(&median) {
        let message = format!("the median time between moves is {} s, and people take seconds", shown(median));
        anomalies.extend(rows(play, is_later_move, |row| row.rt_s.is_some()).anomaly(
            "implausible-times",
            "moves",
            &message,
            &units(median),
        ));
    }
    let advice = "they are left out of all results about times. A time is lost behind a gap in move_index, behind a row that \
                  was rejected, and where a clock runs backwards: rejects names the rows. [[exclude]] leaves trials out \
                  that have too many, as with trials = \"n_times_missing > 3\"";
    anomalies.extend(rows(play, is_later_move, |row| row.rt_s.is_none()).anomaly(
        "missing-times",
        "moves",
        "moves have no time",
        advice,
    ));
    let advice = "first-move latencies are computed from the others alone. If the clock starts with each trial, say clock = \
                  \"trial\" in [log]; if the log tells when a level appeared, make that row a start event in [log.events]";
    anomalies.extend(rows(play, is_first_move, |row| row.rt_s.is_none()).anomaly(
        "missing-first-move-latencies",
        "moves",
        "nothing tells how long first moves took",
        advice,
    ));
    let message = format!("moves were made in less than {FASTEST} s");
    let advice =
        "they are used as they are; leave such attempts out with [[exclude]], or look for rows that were written twice";
    anomalies.extend(rows(play, is_later_move, |row| row.rt_s.is_some_and(|time| time < FASTEST)).anomaly(
        "impossible-speed",
        "moves",
        &message,
        advice,
    ));
    let message = format!("moves took more than {} minutes", LONGEST / 60.0);
    let advice =
        "they are used as they are, and means feel them more than medians; leave such trials out with [[exclude]]";
    anomalies.extend(rows(play, is_move, |row| row.rt_s.is_some_and(|time| time > LONGEST)).anomaly(
        "idle-gaps",
        "moves",
        &message,
        advice,
    ));
    anomalies
}

fn is_first_move(row: &LabelledRow) -> bool {
    row.step.played.is_some_and(|played| played.ply == 0)
}

fn is_later_move(row: &LabelledRow) -> bool {
    row.step.played.is_some_and(|played| played.ply > 0)
}

fn is_move(row: &LabelledRow) -> bool {
    row.step.played.is_some()
}

/// Advice where no move has a time: name a column, or mend the one that is named.
fn without_times(play: &DoctorInput<'_>) -> String {
    let columns = &play.log.time_columns;
    let lost = play.diagnostics.iter().find(|diagnostic| diagnostic.row > 0 && columns.contains(&diagnostic.column));
    let has_times = || play.log.rows.iter().any(|row| row.onset_s().is_some() || row.rt_s().is_some());
    let why = match (columns.as_slice(), lost) {
        ([], _) => "name the column of times as rt or onset in [columns]".to_owned(),
        (_, Some(diagnostic)) => format!(
            "the column {:?} has no time that can be used; the first is {:?} in row {} of {}: {}",
            diagnostic.column, diagnostic.value, diagnostic.row, diagnostic.file, diagnostic.rule
        ),
        (_, None) if has_times() => "a time between moves needs two rows of an attempt that both tell one".to_owned(),
        _ => format!("the column {:?} is empty in every row: name another one in [columns]", columns.join(", ")),
    };
    format!("nothing about times is computed; {why}")
}

/// Advice for times with this median, in seconds.
fn units(median: f64) -> String {
    let other = [("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9), ("s", 1e3)];
    let fits = |factor: f64| PLAUSIBLE_MEDIAN.contains(&(median * factor));
    match other.into_iter().find(|&(_, factor)| fits(factor)) {
        Some((unit, factor)) => format!(
            "look at the unit of the column of times in [columns]: with unit = {unit:?} instead of {} the median would be {} s",
            if factor > 1.0 { "\"ms\"" } else { "seconds" },
            shown(median * factor)
        ),
        None => "look at the unit of the column of times in [columns]".to_owned(),
    }
}

/// A time with three significant digits; 0 has none.
fn shown(seconds: f64) -> String {
    if seconds == 0.0 {
        return "0".to_owned();
    }
    let digits = (2 - seconds.abs().log10().floor() as i32).clamp(0, 9) as usize;
    format!("{seconds:.digits$}")
}
