use super::super::entry::FileRow;
use super::*;
use Event::{GiveUp, Hint, Limit, Move, Reset, Start, Undo};

const GROUP: EntryGroup = EntryGroup { participant: 0, session: 1, level: 2 };

fn row(event: Event, index: Option<i64>) -> Entry {
    let index = index.and_then(Index::new);
    Entry {
        group: 0,
        attempt: 0,
        index,
        event,
        onset: None,
        rt: None,
        at: FileRow::new(0, 0),
        is_rejected: false,
        is_rt_from_onset: false,
    }
}

fn attempts(events: &[(Event, Option<i64>)]) -> Vec<i64> {
    let mut rows: Vec<Entry> = events.iter().map(|&(event, index)| row(event, index)).collect();
    derive_attempts(
        &mut rows,
        &[GROUP],
        &Derived { attempt: true, ..Derived::default() },
        &Breaks::default(),
        &Copies::new(),
    );
    rows.iter().map(|row| row.attempt).collect()
}

#[test]
fn moves_without_a_number_that_say_the_same_are_noticed_and_stay() {
    let at = |nanos| Some(Time::new(nanos));
    let derived = Derived { index: true, ..Derived::default() };
    let findings_of = |times: &[(Option<i64>, i64)]| {
        let mut rows: Vec<Entry> = times
            .iter()
            .enumerate()
            .map(|(index, &(onset, rt))| Entry {
                onset: onset.and_then(at),
                rt: at(rt),
                at: FileRow::new(0, index as u64),
                ..row(Move, Some(index as i64))
            })
            .collect();
        let (order, findings) = arranged(&mut rows, derived);
        assert_eq!(order.len(), rows.len(), "both stay");
        findings.iter().map(|findings| (findings.row, findings.kind)).collect::<Vec<_>>()
    };
    let same = |first| Finding::Same { first };
    assert_eq!(findings_of(&[(None, 5), (None, 5), (None, 5), (None, 6), (None, 5)]), [(1, same(0)), (2, same(0))]);
    assert_eq!(findings_of(&[(Some(1), 5), (Some(2), 5), (Some(2), 6), (Some(2), 5)]), [(3, same(1))]);
}

fn arranged(rows: &mut [Entry], derived: Derived) -> (Vec<u32>, Vec<RowFinding>) {
    arrange(rows, &[0], &derived, &Beginnings::new(), &|_| Vec::new())
}

#[test]
fn an_attempt_begins_with_the_reset_or_start_right_before_it() {
    let beginnings = |events: &[Event]| {
        let mut rows: Vec<Entry> = events.iter().map(|&event| row(event, None)).collect();
        let derived = Derived { attempt: true, rt: true, ..Derived::default() };
        let breaks = Breaks::default();
        let mut pairs: Vec<_> =
            derive_attempts(&mut rows, &[GROUP], &derived, &breaks, &Copies::new()).into_iter().collect();
        pairs.sort_unstable();
        pairs
    };
    assert_eq!(beginnings(&[Start, Move, Reset, Move, Reset, Reset, Start, Move]), [(3, 2), (6, 5)]);
    assert_eq!(beginnings(&[Move, Start, Move]), [], "what lies before a start is no event that begins");
}

#[test]
fn a_clock_that_is_said_to_run_on_does_so_through_resets() {
    let beginnings = |clock: Option<Clock>| {
        let attempts = [(Move, 1), (Reset, 1), (Move, 2)];
        let mut rows: Vec<Entry> = attempts.map(|(event, attempt)| Entry { attempt, ..row(event, None) }).to_vec();
        let derived = Derived { rt: true, clock, ..Derived::default() };
        derive_attempts(&mut rows, &[GROUP], &derived, &Breaks::default(), &Copies::new())
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(beginnings(None), [], "each attempt that a column numbers may have its clock");
    assert_eq!(beginnings(Some(Clock::Running)), [(2, 1)]);
    assert_eq!(beginnings(Some(Clock::Attempt)), []);
}

#[test]
fn the_end_of_an_attempt_without_a_duration_lasts_from_the_row_before_it() {
    let at = |seconds: i64| Some(Time::new(seconds * 1_000_000_000));
    let derived = Derived { index: true, ..Derived::default() };
    for (event, seconds, source) in [
        (Limit, Some(18.0), Some(TimeSource::RtFromOnset)),
        (GiveUp, Some(18.0), Some(TimeSource::RtFromOnset)),
        (Hint, None, Some(TimeSource::Logged)),
    ] {
        let mut rows =
            [Entry { onset: at(2), rt: at(2), ..row(Move, Some(0)) }, Entry { onset: at(20), ..row(event, None) }];
        arranged(&mut rows, derived);
        assert_eq!((rows[1].rt.map(Time::seconds), derived.time_source(&rows[1])), (seconds, source), "{event}");
        assert_eq!(derived.time_source(&rows[0]), Some(TimeSource::Logged));
    }
    // What the log says itself stays.
    let mut rows = [
        Entry { onset: at(2), rt: at(2), ..row(Move, Some(0)) },
        Entry { onset: at(20), rt: at(5), ..row(Limit, None) },
    ];
    arranged(&mut rows, derived);
    assert_eq!((rows[1].rt, derived.time_source(&rows[1])), (at(5), Some(TimeSource::Logged)));
}

#[test]
fn resets_end_attempts_and_starts_begin_them() {
    let plain = |events: &[Event]| attempts(&events.iter().map(|&event| (event, None)).collect::<Vec<_>>());
    assert_eq!(plain(&[Move, Reset, Move, Undo, Reset, Start, Move]), [1, 1, 2, 2, 2, 3, 3]);
    assert_eq!(plain(&[Start, Start, Reset, Move, Reset, Reset, Hint]), [1, 1, 1, 1, 1, 1, 2]);
    assert_eq!(plain(&[Move, Start, Move]), [1, 2, 2]);
}

#[test]
fn a_falling_index_begins_an_attempt_once() {
    let indexed = [(Move, Some(0)), (Move, Some(1)), (Hint, None), (Move, Some(0)), (Reset, Some(0)), (Move, Some(0))];
    assert_eq!(attempts(&indexed), [1, 1, 1, 2, 2, 3]);
}

#[test]
fn durations_are_differences_of_onsets_and_onsets_their_sums() {
    let at = |nanos| Some(Time::new(nanos));
    let mut rows: Vec<Entry> = [1_200_000_000, 1_300_000_000, 1_100_000_000]
        .iter()
        .enumerate()
        .map(|(index, &onset)| Entry { onset: at(onset), ..row(Move, Some(index as i64)) })
        .collect();
    let (_, findings) = arranged(&mut rows, Derived { rt: true, ..Derived::default() });
    assert_eq!(rows.iter().map(|row| row.rt.map(Time::seconds)).collect::<Vec<_>>(), [None, Some(0.1), None]);
    assert_eq!(findings, [RowFinding { row: 2, kind: Finding::Backwards { before: 1, is_time_lost: true } }]);

    let mut rows: Vec<Entry> = [(0, at(100)), (1, at(50)), (3, at(10)), (4, at(10))]
        .map(|(index, rt)| Entry { rt, ..row(Move, Some(index)) })
        .to_vec();
    let (_, findings) = arranged(&mut rows, Derived { onset: true, ..Derived::default() });
    let onsets: Vec<_> = rows.iter().map(|row| row.onset.map(Time::nanos)).collect();
    assert_eq!(onsets, [Some(100), Some(150), None, None], "what happened in the gap took an unknown time");
    assert_eq!(findings, [RowFinding { row: 2, kind: Finding::Gap { before: 1 } }]);
}
