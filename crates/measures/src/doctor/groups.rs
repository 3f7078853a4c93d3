//! Participants who have several of what most have one of: conditions, sessions.

use super::anomaly::Concerned;
use super::anomaly::{Anomaly, DoctorInput};
use crate::label::LabelledAttempt;
use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet};

/// Rules of the conditions and sessions of participants.
pub(super) fn anomalies(play: &DoctorInput<'_>) -> Vec<Anomaly> {
    let conditions = several(play, |attempt| attempt.condition.as_deref());
    let sessions = several(play, |attempt| Some(attempt.session.as_str()));
    let of_conditions = "each trial counts for the condition of its own rows, so that groups are not independent; look for a \
                         mistyped condition or id, or leave such participants out with [[exclude]]";
    let of_sessions = "the same level in two sessions is two trials; look for somebody who began anew or for an id that two \
                       people share, or leave such participants out with [[exclude]]";
    let message = [said(&conditions, "conditions"), said(&sessions, "sessions")];
    let anomalies = [
        conditions.anomaly("several-conditions", "participants", &message[0], of_conditions),
        sessions.anomaly("several-sessions", "participants", &message[1], of_sessions),
    ];
    anomalies.into_iter().flatten().collect()
}

fn said(concerned: &Concerned<'_>, what: &str) -> String {
    let (n, verb) = (concerned.n, if concerned.n == 1 { "has" } else { "have" });
    format!("{n} of {} {verb} several {what}, and most have one", counted(concerned.of, "participant"))
}

/// Participants who have several values where most have one, with their trials beyond the value that they have most
/// often. Where most have several, that is how the experiment was made.
fn several<'a>(play: &DoctorInput<'a>, value: impl Fn(&'a LabelledAttempt) -> Option<&'a str>) -> Concerned<'a> {
    let mut people: BTreeMap<&str, BTreeMap<&str, Vec<&'a LabelledAttempt>>> = BTreeMap::new();
    for attempt in &play.labelled.attempts {
        if let Some(value) = value(attempt) {
            people.entry(&attempt.participant).or_default().entry(value).or_default().push(attempt);
        }
    }
    let mut concerned = Concerned::new(play);
    concerned.of = people.len() as u64;
    let odd: Vec<_> = people.values().filter(|values| values.len() > 1).collect();
    // Where most have several, the design is within participants.
    if odd.len() * 2 >= people.len() {
        return concerned;
    }
    for values in odd {
        concerned.n += 1;
        // Of two that are as frequent, the first by name is the usual one.
        let usual = values.iter().rev().max_by_key(|(_, attempts)| n_trials(attempts)).map(|(value, _)| *value);
        for attempt in values.iter().filter(|(value, _)| Some(**value) != usual).flat_map(|(_, attempts)| attempts) {
            let place = play.labelled.places.get(attempt.rows.start).copied();
            concerned.add_trial([&attempt.participant, &attempt.session, &attempt.level], place);
        }
    }
    concerned
}

fn n_trials(attempts: &[&LabelledAttempt]) -> usize {
    attempts.iter().map(|attempt| (&attempt.session, &attempt.level)).collect::<BTreeSet<_>>().len()
}
