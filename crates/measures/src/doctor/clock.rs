//! Clocks that are set anew between trials.

use super::anomaly::Concerned;
use super::anomaly::{Anomaly, DoctorInput};
use crate::label::LabelledAttempt;
use plymap_log::{Clock, FileRow, TimeSource};
use plymap_statistics::stats::apa::counted;
use std::collections::BTreeMap;

/// Between two trials of a session more time than this is rather another session, in seconds.
const LONGEST_BREAK: f64 = 3600.0;

/// Rules of the onsets of different trials.
pub(super) fn anomalies(play: &DoctorInput<'_>) -> Vec<Anomaly> {
    jumps(play).into_iter().collect()
}

/// A row with its place, the attempt that it belongs to, and its onset.
type Timed<'a> = (FileRow, &'a LabelledAttempt, f64);

/// Changes of the level within a session at which a running clock goes back, or forward by more than a break.
fn jumps(play: &DoctorInput<'_>) -> Option<Anomaly> {
    let log = play.labelled;
    if play.spec.clock.unwrap_or_default() != Clock::Running {
        return None;
    }
    let mut sessions: BTreeMap<(&str, &str), Vec<Timed<'_>>> = BTreeMap::new();
    for attempt in &log.attempts {
        let session = sessions.entry((&attempt.participant, &attempt.session)).or_default();
        for number in attempt.rows.clone() {
            let row = play.log.rows.at(log.rows.at(number).step.row as usize);
            // A sum of durations begins anew with each attempt.
            if let Some(onset) = row.onset_s().filter(|_| row.time_source() != Some(TimeSource::OnsetFromRt)) {
                session.push((log.places[number], attempt, onset));
            }
        }
    }
    let mut concerned = Concerned::new(play);
    let (mut n_back, mut n_far) = (0, 0);
    for mut rows in sessions.into_values() {
        // By place in the file: the order of play follows the very clock that is doubted.
        rows.sort_by_key(|&(place, ..)| place);
        for pair in rows.windows(2) {
            let [(last, before, earlier), (place, attempt, later)] = [pair[0], pair[1]];
            // Another file can have another clock.
            if last.file() != place.file() || before.level == attempt.level {
                continue;
            }
            concerned.of += 1;
            let (is_back, is_far) = (later < earlier, later - earlier > LONGEST_BREAK);
            n_back += u64::from(is_back);
            n_far += u64::from(is_far);
            if is_back || is_far {
                concerned.add(attempt, Some(place));
            }
        }
    }
    let mut said = Vec::new();
    if n_back > 0 {
        said.push(format!("onsets run backwards from one trial to the next of a session, {}", counted(n_back, "time")));
    }
    if n_far > 0 {
        said.push(format!("onsets jump by more than {} minutes, {}", LONGEST_BREAK / 60.0, counted(n_far, "time")));
    }
    let advice = "nothing is derived across trials. If the clock starts with each trial, say clock = \"trial\" in [log], and \
                  the onset of its first row is a first-move latency; if it does not, the rows may not be in the order of \
                  play, which the order of trials follows, or a column of sessions is not named in [columns]";
    concerned.anomaly("clock-jumps", "level changes", &said.join("; "), advice)
}
