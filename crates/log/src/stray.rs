//! Attribution of unparseable (rejected) rows to attempts, and which attempts they break.
//!
//! A row with too many fields may still begin with its participant, level and attempt, and a row that is
//! no JSON says nothing. What its cells say is believed where a row beside it says the same. Otherwise the
//! row stands between its neighbours and may belong to either: the attempt before it ends with it, and the
//! one behind it lacks its beginning, unless that is seen to begin there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::entry::{Entry, EntryGroup, NO_GROUP};
use super::event::Event;

/// Place that a rejected row gives itself; nothing where it cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub participant: Option<u32>,
    pub session: Option<u32>,
    pub level: Option<u32>,
    /// Absent too where no column identifies attempts.
    pub attempt: Option<i64>,
}

/// A rejected row without a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stray {
    pub row: usize,
    pub named: Named,
    /// `true` if its cells may stand under the wrong column.
    pub is_shifted: bool,
}

/// Rows of an attempt that a stray makes worthless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Side {
    /// Those behind the anchor.
    Behind,
    /// The anchor, and those behind it.
    From,
    /// All rows of the attempt that the anchor belongs to.
    Whole,
}

/// A place in an attempt from which on nobody knows the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    /// The stray.
    pub culprit: usize,
    /// A row of the attempt that it breaks.
    pub anchor: usize,
    pub side: Side,
    /// `true` if the stray breaks an attempt of somebody in another part of the log too.
    pub is_shared: bool,
}

/// Breaks by all strays of a log.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    /// In the order of their strays.
    pub all: Vec<Break>,
    /// For each stray a row of the attempt that it counts for, where there is one.
    pub homes: HashMap<usize, usize>,
}

impl Breaks {
    /// Finds what `strays`, in the order of their rows, break among all `rows`. Where these are but the rows of people
    /// near strays, `known` tells of the rest.
    pub(super) fn new(
        rows: &[Entry],
        groups: &[EntryGroup],
        strays: &[Stray],
        has_attempts: bool,
        known: Option<Known<'_>>,
    ) -> Self {
        if strays.is_empty() {
            return Self::default();
        }
        let search = Search::new(rows, groups, strays, has_attempts, known);
        // Two walks instead of a search for each stray, so that a file of broken rows takes no quadratic time.
        let before = search.nearest(0..rows.len());
        let behind = search.nearest((0..rows.len()).rev());
        let mut verdicts: Vec<Verdict> = before
            .iter()
            .zip(&behind)
            .enumerate()
            .map(|(number, (before, behind))| search.verdict(number, before, behind))
            .collect();
        search.join_runs(&mut verdicts);
        let mut breaks = Self::default();
        for (stray, verdict) in strays.iter().zip(verdicts) {
            let broken = |(anchor, side)| Break { culprit: stray.row, anchor, side, is_shared: false };
            breaks.all.extend(verdict.breaks.into_iter().map(broken));
            breaks.homes.extend(verdict.home.map(|home| (stray.row, home)));
        }
        breaks
    }
}

/// Facts about all rows that a search among some of them needs.
pub(super) struct Known<'a> {
    /// `true` if a text of this number is a level of the log.
    pub is_level: &'a dyn Fn(u32) -> bool,
    /// The index that attempts begin with.
    pub first_index: Option<i64>,
}

/// Breaks by the strays of a log, by the numbers of rows in the whole log.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct FarBreaks {
    breaks: Vec<FarBreak>,
    /// For each stray a row of the attempt that it counts for, where there is one, and whose row that is.
    homes: BTreeMap<u64, (u64, String)>,
}

/// A place in an attempt from which on nobody knows the position.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FarBreak {
    culprit: u64,
    anchor: u64,
    /// Whose row the anchor is.
    participant: String,
    side: Side,
    is_shared: bool,
}

impl FarBreaks {
    /// Breaks among rows with these numbers; `name` tells whose row one is.
    pub(super) fn new<'n>(breaks: &Breaks, numbers: &[u64], name: &dyn Fn(usize) -> &'n str) -> Self {
        let mut people: HashMap<usize, BTreeSet<&str>> = HashMap::new();
        for broken in &breaks.all {
            people.entry(broken.culprit).or_default().insert(name(broken.anchor));
        }
        let far = |broken: &Break| FarBreak {
            culprit: numbers[broken.culprit],
            anchor: numbers[broken.anchor],
            participant: name(broken.anchor).to_owned(),
            side: broken.side,
            is_shared: people[&broken.culprit].len() > 1,
        };
        let home = |(&stray, &home): (&usize, &usize)| (numbers[stray], (numbers[home], name(home).to_owned()));
        Self { breaks: breaks.all.iter().map(far).collect(), homes: breaks.homes.iter().map(home).collect() }
    }

    /// Whose attempt a stray counts for.
    pub(super) fn home(&self, stray: u64) -> Option<&str> {
        self.homes.get(&stray).map(|(_, participant)| participant.as_str())
    }

    /// Whose attempts each stray breaks.
    pub(super) fn people(&self) -> HashMap<u64, BTreeSet<&str>> {
        let mut people: HashMap<u64, BTreeSet<&str>> = HashMap::new();
        for far in &self.breaks {
            people.entry(far.culprit).or_default().insert(&far.participant);
        }
        people
    }

    /// Breaks among rows with these numbers, which rise within each shard. A stray is in every shard in which it
    /// breaks something.
    pub(super) fn near(&self, numbers: &[u64]) -> Breaks {
        let mut breaks = Breaks::default();
        let mut start = 0;
        for shard in numbers.chunk_by(|before, next| before < next) {
            // Numbers rise within a shard only, since shards follow each other by participant.
            let row = |number: u64| shard.binary_search(&number).ok().map(|row| start + row);
            breaks.all.extend(self.breaks.iter().filter_map(|far| {
                let &FarBreak { culprit, anchor, side, is_shared, .. } = far;
                Some(Break { culprit: row(culprit)?, anchor: row(anchor)?, side, is_shared })
            }));
            breaks.homes.extend(self.homes.iter().filter_map(|(&stray, (home, _))| Some((row(stray)?, row(*home)?))));
            start += shard.len();
        }
        breaks.all.sort_by_key(|broken| broken.culprit);
        breaks
    }
}

/// Rows with a place on one side of a stray, the closest of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Nearest {
    /// In the same file.
    any: Option<usize>,
    /// In the same file, of the participant that the stray names.
    of_participant: Option<usize>,
    /// Of the attempt that the stray names.
    of_attempt: Option<usize>,
}

/// Attribution of one stray.
#[derive(Clone, Debug, Default)]
struct Verdict {
    breaks: Vec<(usize, Side)>,
    home: Option<usize>,
    anchor_side: AnchorSide,
}

/// To which of its neighbours a stray belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum AnchorSide {
    #[default]
    Unknown,
    Before(usize),
    Behind(usize),
}

impl Verdict {
    fn before(anchor: usize) -> Self {
        Self { breaks: vec![(anchor, Side::Behind)], home: Some(anchor), anchor_side: AnchorSide::Before(anchor) }
    }

    fn behind(anchor: usize) -> Self {
        Self { breaks: vec![(anchor, Side::From)], home: Some(anchor), anchor_side: AnchorSide::Behind(anchor) }
    }

    fn whole(self) -> Self {
        Self { breaks: self.breaks.into_iter().map(|(anchor, _)| (anchor, Side::Whole)).collect(), ..self }
    }
}

struct Search<'a> {
    rows: &'a [Entry],
    groups: &'a [EntryGroup],
    strays: Vec<Stray>,
    has_attempts: bool,
    /// The index that attempts begin with.
    first_index: Option<i64>,
}

impl<'a> Search<'a> {
    fn new(
        rows: &'a [Entry],
        groups: &'a [EntryGroup],
        strays: &[Stray],
        has_attempts: bool,
        known: Option<Known<'_>>,
    ) -> Self {
        let participants: HashSet<u32> = groups.iter().map(|group| group.participant).collect();
        let levels: HashSet<u32> = groups.iter().map(|group| group.level).collect();
        let is_level = |name: u32| match &known {
            Some(known) => (known.is_level)(name),
            None => levels.contains(&name),
        };
        // Cells under the wrong column seldom give names of participants and levels that there are.
        let is_credible = |named: &Named| {
            named.participant.is_some_and(|name| participants.contains(&name))
                && named.level.is_some_and(is_level)
                && named.session.is_some()
                && (named.attempt.is_some() || !has_attempts)
        };
        let believed = |stray: &Stray| match stray.is_shifted && !is_credible(&stray.named) {
            true => Stray { named: Named::default(), ..*stray },
            false => *stray,
        };
        let of_rows = || rows.iter().filter(|row| row.group != NO_GROUP).filter_map(Entry::index).min();
        let first_index = known.as_ref().map_or_else(of_rows, |known| known.first_index);
        Self { rows, groups, strays: strays.iter().map(believed).collect(), has_attempts, first_index }
    }

    fn group(&self, row: usize) -> EntryGroup {
        self.groups[self.rows[row].group as usize]
    }

    /// The closest rows with a place that a walk over all rows met before each stray.
    fn nearest(&self, walk: impl Iterator<Item = usize>) -> Vec<Nearest> {
        let numbers: HashMap<usize, usize> =
            self.strays.iter().enumerate().map(|(number, stray)| (stray.row, number)).collect();
        let attempt_of = |attempt| if self.has_attempts { attempt } else { 0 };
        let (mut any, mut of_participant, mut of_attempt) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut nearest = vec![Nearest::default(); self.strays.len()];
        for row in walk {
            let file = self.rows[row].at.file();
            if self.rows[row].group != NO_GROUP {
                let group = self.group(row);
                any.insert(file, row);
                of_participant.insert((file, group.participant), row);
                of_attempt.insert((group, attempt_of(self.rows[row].attempt)), row);
            } else if let Some(&number) = numbers.get(&row) {
                let named = self.strays[number].named;
                let group = named.participant.zip(named.session).zip(named.level);
                let group = group.map(|((participant, session), level)| EntryGroup { participant, session, level });
                let attempt = if self.has_attempts { named.attempt } else { Some(0) };
                nearest[number] = Nearest {
                    any: any.get(&file).copied(),
                    of_participant: named.participant.and_then(|name| of_participant.get(&(file, name)).copied()),
                    of_attempt: group.zip(attempt).and_then(|key| of_attempt.get(&key).copied()),
                };
            }
        }
        nearest
    }

    /// `true` if nothing that a stray says speaks against the attempt of a row.
    fn agrees(&self, named: &Named, row: usize) -> bool {
        let group = self.group(row);
        named.participant.is_none_or(|name| name == group.participant)
            && named.session.is_none_or(|name| name == group.session)
            && named.level.is_none_or(|name| name == group.level)
            && named.attempt.is_none_or(|attempt| attempt == self.rows[row].attempt)
    }

    /// `true` if an attempt is seen to begin with this row.
    fn begins(&self, row: usize) -> bool {
        let row = &self.rows[row];
        row.event == Event::Start || (row.index.is_some() && row.index() == self.first_index)
    }

    fn verdict(&self, number: usize, before: &Nearest, behind: &Nearest) -> Verdict {
        let Stray { named, is_shifted, row } = self.strays[number];
        // Cells that surely stand under their columns tell the participant; others must fit the rows beside them.
        let choose = |nearest: &Nearest| match named.participant {
            Some(_) if !is_shifted => nearest.of_participant,
            _ => nearest.any,
        };
        let (last, next) = (choose(before), choose(behind));
        let fits = |neighbour: Option<usize>| neighbour.filter(|&neighbour| self.agrees(&named, neighbour));
        match (fits(last), fits(next)) {
            (Some(last), Some(next)) => self.between(row, &named, last, next),
            (Some(last), None) if named != Named::default() => self.in_order(row, Some(last), None),
            (None, Some(next)) if named != Named::default() => self.in_order(row, None, Some(next)),
            // What it surely says, no row beside it says: it belongs to neither.
            _ if named != Named::default() && !is_shifted => Verdict::default(),
            _ => {
                let mut verdict = self.between_strangers(last, next);
                if let Some(home) = before.of_attempt.or(behind.of_attempt) {
                    verdict.home = Some(home);
                    verdict.breaks.push((home, if before.of_attempt.is_some() { Side::Behind } else { Side::From }));
                }
                verdict
            }
        }
    }

    /// A stray that both its neighbours could have in their attempts.
    fn between(&self, row: usize, named: &Named, last: usize, next: usize) -> Verdict {
        let (stray, before, behind) = (&self.rows[row], &self.rows[last], &self.rows[next]);
        if self.has_attempts && (before.group, before.attempt) == (behind.group, behind.attempt) {
            return self.in_order(row, Some(last), Some(next));
        }
        // Counters decide between two attempts that both fit.
        if *named != Named::default() {
            match (follows(before.index(), stray.index()), follows(stray.index(), behind.index())) {
                (true, false) => return Verdict::before(last),
                (false, true) => return Verdict::behind(next),
                _ if before.event == Event::Reset || stray.event == Event::Start => return Verdict::behind(next),
                _ => {}
            }
        }
        self.between_strangers(Some(last), Some(next))
    }

    /// A stray that nothing is known of but its place in the file.
    fn between_strangers(&self, last: Option<usize>, next: Option<usize>) -> Verdict {
        // An attempt that is seen to begin lacks nothing before its first row.
        let next = next.filter(|&next| !self.begins(next));
        let breaks = last.map(|last| (last, Side::Behind)).into_iter().chain(next.map(|next| (next, Side::From)));
        // Behind its reset an attempt lacks nothing.
        let open = last.filter(|&last| self.rows[last].event != Event::Reset);
        Verdict { breaks: breaks.collect(), home: open.or(next), anchor_side: AnchorSide::Unknown }
    }

    /// A stray of a known attempt; where its index does not fit to its place in the file, it may stand anywhere in it.
    fn in_order(&self, row: usize, last: Option<usize>, next: Option<usize>) -> Verdict {
        let index = |row: Option<usize>| row.and_then(|row| self.rows[row].index());
        let (before, this, behind) = (index(last), self.rows[row].index(), index(next));
        let verdict = match (last, next) {
            (Some(last), _) => Verdict::before(last),
            (None, Some(next)) => Verdict::behind(next),
            (None, None) => Verdict::default(),
        };
        let is_ordered = rises(before, this) && rises(this, behind) && rises(before, behind);
        if is_ordered || !self.has_attempts { verdict } else { verdict.whole() }
    }

    /// Gives strays that nothing is known of the place of the one that they follow or precede: a row with text over
    /// several lines falls apart into several.
    fn join_runs(&self, verdicts: &mut [Verdict]) {
        let is_run = |left: usize, right: usize| {
            let (left, right) = (self.strays[left].row, self.strays[right].row);
            left + 1 == right && self.rows[left].at.file() == self.rows[right].at.file()
        };
        let is_unknown = |number: usize, verdict: &Verdict| {
            verdict.anchor_side == AnchorSide::Unknown && self.strays[number].named == Named::default()
        };
        for number in 1..verdicts.len() {
            if let AnchorSide::Behind(anchor) = verdicts[number - 1].anchor_side
                && is_run(number - 1, number)
                && is_unknown(number, &verdicts[number])
            {
                verdicts[number] = Verdict::behind(anchor);
            }
        }
        for number in (1..verdicts.len()).rev() {
            if let AnchorSide::Before(anchor) = verdicts[number].anchor_side
                && is_run(number - 1, number)
                && is_unknown(number - 1, &verdicts[number - 1])
            {
                verdicts[number - 1] = Verdict::before(anchor);
            }
        }
    }
}

fn rises(left: Option<i64>, right: Option<i64>) -> bool {
    left.zip(right).is_none_or(|(left, right)| left <= right)
}

fn follows(left: Option<i64>, right: Option<i64>) -> bool {
    left.zip(right).is_some_and(|(left, right)| left.checked_add(1) == Some(right))
}

#[cfg(test)]
mod tests {
    use super::super::{CanonicalRow, Log, LogSpec, read_log};
    use plymap_puzzles::progress::Silent;

    /// Reads a log of these lines, in a file of this name.
    fn read(name: &str, lines: &[&str]) -> Log {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::write(folder.path().join(name), lines.join("\n")).unwrap();
        let spec = LogSpec { files: vec![name.into()], folder: folder.path().to_owned(), ..LogSpec::default() };
        let log = read_log(&spec, &Silent).unwrap();
        assert_eq!(log.n_read, log.rows.len() as u64 + log.n_rejected);
        log
    }

    /// The lines of the log that a rejected row makes worthless, each with that row; `?` where that may be of another
    /// attempt.
    fn worthless(log: &Log) -> Vec<String> {
        let lines = log.rows.iter().map(CanonicalRow::line).enumerate().filter_map(|(row, line)| {
            log.behind_rejected
                .get(&row)
                .map(|place| format!("{line} by {}{}", place.row, if place.is_of_attempt { "" } else { "?" }))
        });
        lines.collect()
    }

    /// Participant, level and attempt in the diagnostic of a rejected line.
    fn home(log: &Log, line: u64) -> String {
        let diagnostic = log.diagnostics.iter().find(|diagnostic| diagnostic.row == line).unwrap();
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let attempt = diagnostic.attempt.map_or_else(|| "-".to_owned(), |attempt| attempt.to_string());
        format!("{} {} {attempt}", text(&diagnostic.participant), text(&diagnostic.level))
    }

    const NUMBERED: &str = "participant,level,attempt,move_index,action";
    const PLAIN: &str = "participant,level,attempt,action";

    #[test]
    fn a_bad_first_row_spoils_its_own_attempt_alone() {
        let log = read(
            "log.csv",
            &[NUMBERED, "p,5,1,0,A+1", "p,5,1,1,B+1", "p,6,1,0,C+1,x", "p,6,1,1,D+1", "p,6,1,2,E+1", "p,7,1,0,A+1"],
        );
        assert_eq!(worthless(&log), ["5 by 4", "6 by 4"]);
        assert_eq!(home(&log, 4), "p 6 1");
        let log = read("log.csv", &[PLAIN, "anna,1,1,A+1", "anna,1,1,B+1", "ben,1,1,H+1,9", "ben,1,1,H-1"]);
        assert_eq!(worthless(&log), ["5 by 4"]);
        assert_eq!(home(&log, 4), "ben 1 1");
    }

    #[test]
    fn a_bad_last_row_counts_for_its_own_attempt_alone() {
        for (header, rows) in [
            (NUMBERED, ["p,5,1,0,A+1", "p,5,1,1,B+1,x", "p,6,1,0,C+1", "p,6,1,1,D+1"]),
            (PLAIN, ["p,5,1,A+1", "p,5,1,B+1,x", "p,6,1,C+1", "p,6,1,D+1"]),
            // Cut off behind the level: the row before it is all that there is to go by, and p6 is seen to begin.
            (NUMBERED, ["p,5,1,0,A+1", "p,5", "p,6,1,0,C+1", "p,6,1,1,D+1"]),
        ] {
            let log = read("log.csv", &[header, rows[0], rows[1], rows[2], rows[3]]);
            assert!(worthless(&log).is_empty(), "{:?}", worthless(&log));
            assert_eq!(home(&log, 3), "p 5 1");
        }
        let log = read("log.csv", &[PLAIN, "p,5,1,A+1", "p,5,1,B+1,x"]);
        assert_eq!(home(&log, 3), "p 5 1", "at the end of the file");
    }

    #[test]
    fn a_bad_row_within_an_attempt_ends_it() {
        let log = read("log.csv", &[NUMBERED, "p,5,1,0,A+1", "p,5,1,1,\"B+1", "p,5,1,2,C+1", "p,6,1,0,D+1"]);
        assert_eq!(worthless(&log), ["4 by 3"]);
        let log = read("log.csv", &[NUMBERED, "p,5,1,2,C+1", "p,5,1,0,A+1,x", "p,5,1,1,B+1", "p,6,1,0,D+1"]);
        assert_eq!(worthless(&log), ["4 by 3", "2 by 3"], "out of order it may stand anywhere in its attempt");
    }

    #[test]
    fn what_says_nothing_may_belong_to_either_side() {
        let row = |level: u8, index: u8| {
            format!(
                "{{\"participant\": \"p\", \"level\": \"{level}\", \"attempt\": 1, \"move_index\": {index}, \"action\": \"A+1\"}}"
            )
        };
        let log = read("log.jsonl", &[&row(5, 0), &row(5, 1), "{\"parti", &row(6, 1), &row(6, 2)]);
        assert_eq!(worthless(&log), ["4 by 3?", "5 by 3?"], "level 6 is not seen to begin");
        assert_eq!(home(&log, 3), "p 5 1");
        let log = read("log.jsonl", &[&row(5, 0), &row(5, 1), "{\"parti", &row(6, 0), &row(6, 1)]);
        assert!(worthless(&log).is_empty(), "level 6 begins behind the row");
        assert_eq!(home(&log, 3), "p 5 1");
        let log = read("log.jsonl", &[&row(5, 0), "{\"parti", &row(5, 2), &row(6, 0)]);
        assert_eq!(worthless(&log), ["3 by 2"]);
    }

    #[test]
    fn cells_under_the_wrong_column_are_not_believed() {
        // The participant is lost, so that the level stands in its place.
        let log = read("log.csv", &[PLAIN, "1,1,1,A+1", "1,2,1,B+1", "2,1,C+1", "1,2,1,D+1"]);
        assert_eq!(worthless(&log), ["5 by 4"]);
        // Two rows in one line: the second may be the first of its attempt.
        let log = read("log.csv", &[PLAIN, "p,5,1,A+1", "p,5,1,B+1p,6,1,C+1", "p,6,1,D+1", "p,6,1,E+1"]);
        assert_eq!(worthless(&log), ["4 by 3?", "5 by 3?"]);
        assert_eq!(home(&log, 3), "p 5 1");
    }

    #[test]
    fn attempts_that_are_derived_lack_their_beginning_too() {
        let header = "participant,level,event,action";
        let log =
            read("log.csv", &[header, "p,5,,A+1", "p,5,reset,", "p,5,,B+1,x", "p,5,,C+1", "p,5,reset,", "p,5,,D+1"]);
        assert_eq!(worthless(&log), ["5 by 4", "6 by 4"]);
        assert_eq!(home(&log, 4), "p 5 2");
        let table = log.rows.table();
        let numbers = table.column("move_index").unwrap().i64().unwrap();
        assert_eq!(numbers.iter().collect::<Vec<_>>(), [Some(0), None, Some(1), None, Some(0)]);
    }

    #[test]
    fn a_text_over_several_lines_falls_apart_into_rows_of_one_attempt() {
        let log = read("log.csv", &[PLAIN, "p,5,1,A+1", "p,6,1,\"B+1", "C+1", "D+1\",x", "p,6,1,E+1"]);
        assert_eq!(worthless(&log), ["6 by 3"]);
        assert_eq!([3, 4, 5].map(|line| home(&log, line)), ["p 6 1", "p 6 1", "p 6 1"]);
    }

    #[test]
    fn a_participant_that_is_not_told_belongs_where_the_rest_fits() {
        let log = read("log.csv", &[PLAIN, "p,5,1,A+1", ",5,1,B+1", "p,6,1,C+1", "p,6,one,D+1", "p,6,1,E+1"]);
        assert_eq!(home(&log, 3), "p 5 1");
        assert_eq!(home(&log, 5), "p 6 1");
        assert_eq!(worthless(&log), ["6 by 5"]);
    }
}
