//! Search for the column of events, and the meaning of its values.

use super::finder::Finder;
use crate::proposal::Certainty;
use crate::quoted::quoted;
use crate::words;
use plymap_log::{Event, Pair, PipelineStep, SampleRow};
use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Cells that say yes.
const YES: [&str; 4] = ["1", "true", "TRUE", "True"];

impl Finder<'_> {
    /// The share of the rows with this value that have a move.
    fn share_with_move(&self, place: usize, value: &str) -> f64 {
        let rows = || self.column(place).filter(|(_, level, cell)| level.is_some() && *cell == value);
        let has_move = |row: &SampleRow| self.moves.iter().all(|&place| row.cell(place).is_some());
        let n = rows().filter(|(row, _, _)| has_move(row)).count();
        n as f64 / rows().count().max(1) as f64
    }

    /// `true` if the values of a column tell rows with a move from those without, which are called after events.
    fn tells_moves_apart(&self, place: usize) -> bool {
        let shares: Vec<(&str, f64)> =
            self.distinct(place).into_iter().map(|value| (value, self.share_with_move(place, value))).collect();
        shares.iter().all(|(_, share)| *share <= 0.05 || *share >= 0.95)
            && shares.iter().any(|(_, share)| *share >= 0.95)
            && shares.iter().any(|(value, share)| *share <= 0.05 && words::event(value).is_some())
    }

    /// `true` if a column has several values, of which each person has one: it is of people, such as a group of those who
    /// were told to start at once.
    fn is_of_people(&self, place: usize) -> bool {
        let mut values: HashMap<(usize, Option<&str>), &str> = HashMap::new();
        for (row, _) in self.level.iter().enumerate().filter(|(_, level)| level.is_some()) {
            let Some(cell) = self.sample.rows[row].cell(place) else { continue };
            if *values.entry(self.person(row)).or_insert(cell) != cell {
                return false;
            }
        }
        values.values().collect::<BTreeSet<_>>().len() > 1
    }

    pub(super) fn find_events(&mut self) {
        if self.find_halves() {
            return;
        }
        let mut best: Option<((usize, bool), usize)> = None;
        for place in self.free() {
            let values = self.distinct(place);
            let n_told = self.column(place).filter(|(_, level, _)| level.is_some()).count();
            // One word in all rows tells nothing apart, such as the name of a page.
            let is_constant = values.len() == 1 && n_told >= self.n_play();
            if values.is_empty() || is_constant || values.len() > 20 || self.is_of_people(place) {
                continue;
            }
            // In a column of events some rows say that they are moves, or say nothing.
            let is_move =
                |value: &&str| words::event(value) == Some("move") || self.share_with_move(place, value) >= 0.9;
            let has_moves = n_told < self.n_play() || values.iter().any(is_move);
            let n =
                self.column(place).filter(|(_, level, cell)| level.is_some() && words::event(cell).is_some()).count();
            let is_named = words::is_of_events(self.name(place));
            let is_like_events = 2 * n >= n_told || is_named || self.tells_moves_apart(place);
            let rank = (n, is_named);
            if has_moves && is_like_events && (n > 0 || is_named) && best.is_none_or(|(known, _)| rank > known) {
                best = Some((rank, place));
            }
        }
        let Some((_, place)) = best else { return self.find_flags() };
        self.used.insert(place);
        self.found.has_events = true;
        let name = self.name(place);
        let values = self.distinct(place);
        if name != "event" {
            let reason = format!(
                "{} of its {} values are words for events",
                values.iter().filter(|value| words::event(value).is_some()).count(),
                values.len()
            );
            self.found.name("event", name, Certainty::Sure, reason);
        }
        for value in values {
            let (event, certainty, reason) = match words::event(value) {
                Some("reset") => self.meaning_of_resets(place, value),
                Some(event) => (event, Certainty::Likely, "by its name".to_owned()),
                None if self.share_with_move(place, value) >= 0.9 => {
                    ("move", Certainty::Likely, "its rows have moves".to_owned())
                }
                None if self.is_of_solved(place, value) => {
                    ("solved", Certainty::Likely, "each of its rows says that the level is solved".to_owned())
                }
                None => {
                    ("ignore", Certainty::Ask, "what does it mean? Such rows are left out until you say so".to_owned())
                }
            };
            if Event::from_name(value).is_none_or(|known| known.name() != event) {
                self.found.spec.events.insert(value.to_owned(), event.to_owned());
                self.found.say(&format!("events.{value}"), certainty, reason);
            }
        }
        self.find_unanswered(place);
    }

    /// `true` if a column of yes and no that is called after solved levels says yes in all rows with this value.
    fn is_of_solved(&self, place: usize, value: &str) -> bool {
        let says_solved = |told: usize| {
            let mut rows = self.column(place).filter(|(_, _, cell)| *cell == value).map(|(row, _, _)| row.cell(told));
            rows.all(|cell| cell.is_some_and(|cell| YES.contains(&cell)))
        };
        let mut told = self.free().filter(|&told| words::event(self.name(told)) == Some("solved"));
        told.any(says_solved)
    }

    /// Rows of events that are moves and have none: nobody answered there, and nothing was moved.
    fn find_unanswered(&mut self, place: usize) {
        let Some(&moves) = self.moves.first() else { return };
        let means_move = |value: &&str| match self.found.spec.events.get(*value) {
            Some(event) => event == "move",
            None => Event::from_name(value) == Some(Event::Move),
        };
        let values: Vec<&str> = self.distinct(place).into_iter().filter(means_move).collect();
        let is_unanswered = |(row, level, cell): &(&SampleRow, Option<usize>, &str)| {
            level.is_some() && values.contains(cell) && row.cell(moves).is_none()
        };
        let n = self.column(place).filter(is_unanswered).count();
        if n == 0 {
            return;
        }
        let name = quoted(self.name(place));
        let is = |value: &&str| format!("{name} == '{}'", value.replace('\'', "''"));
        let means_move = values.iter().map(is).collect::<Vec<_>>().join(" or ");
        let action = quoted(self.name(moves));
        let event = format!("if({action} is missing and ({means_move}), 'null_move', {name})");
        self.found.spec.steps.push(PipelineStep::Set(BTreeMap::from([("event".to_owned(), event)])));
        self.found.spec.columns.remove("event");
        let reason = format!("{} of trials without an answer: nothing was moved", counted(n, "row"));
        self.found.say("set", Certainty::Likely, reason);
    }

    /// A column whose values say, turn by turn, that an action begins and that it ends: one move, of which the end is
    /// kept.
    fn find_halves(&mut self) -> bool {
        let runs = self.runs();
        let halves = |place: usize| {
            let values = self.distinct(place);
            let mut values = values.iter();
            let (Some(first), Some(second), None) = (values.next(), values.next(), values.next()) else { return None };
            let (begins, ends) = words::halves(first, second)?;
            let cell = |row: usize| self.sample.rows[row].cell(place);
            let in_turn = |run: &Vec<usize>| {
                let mut pairs = run.chunks_exact(2);
                pairs.all(|pair| (cell(pair[0]), cell(pair[1])) == (Some(begins), Some(ends)))
            };
            let n_in_turn = runs.iter().filter(|run| in_turn(run)).count();
            (10 * n_in_turn >= 9 * runs.len()).then_some((place, begins, ends))
        };
        let Some((place, begins, ends)) = self.free().find_map(halves) else { return false };
        self.used.insert(place);
        self.found.has_events = true;
        let name = self.name(place);
        let reason = format!("{begins:?} and {ends:?} stand there in turn, the beginning and the end of one action");
        self.found.name("event", name, Certainty::Likely, reason);
        for (value, event) in [(begins, "ignore"), (ends, "move")] {
            self.found.spec.events.insert(value.to_owned(), event.to_owned());
        }
        self.halves = Some(place);
        true
    }

    /// Joins the two rows of an action where each has a duration of its own, of which one would be lost.
    pub(super) fn join_halves(&mut self) {
        let Some(place) = self.halves.filter(|_| self.found.spec.columns.contains_key("rt")) else { return };
        let name = quoted(self.name(place));
        let is = |event: &str| {
            let value =
                self.found.spec.events.iter().find(|(_, known)| *known == event).map(|(value, _)| value.clone());
            format!("{name} == '{}'", value.unwrap_or_default().replace('\'', "''"))
        };
        let (first, second) = (is("ignore"), is("move"));
        let by = self.people.iter().chain(&self.level_places).map(|&place| self.name(place).to_owned()).collect();
        let pair = Pair { first, second, by, prefix: "first_".to_owned() };
        self.found.spec.steps.push(PipelineStep::Pair(pair));
        self.found.add_times_of("first_");
        self.found.spec.events.retain(|_, event| event != "ignore");
    }

    /// Columns of 0 and 1 that are called after events, such as `undoIndicator`.
    fn find_flags(&mut self) {
        const NO: [&str; 4] = ["0", "false", "FALSE", "False"];
        let flag = |place: usize| {
            let values: Vec<&str> = self.distinct(place).into_iter().collect();
            let yes = values.iter().find(|value| YES.contains(value))?;
            let is_flag = values.len() == 2 && values.iter().all(|value| value == yes || NO.contains(value));
            let event = words::event_in_name(self.name(place)).filter(|_| is_flag)?;
            let yes = if *yes == "1" { "1".to_owned() } else { format!("'{yes}'") };
            Some((place, format!("{} == {yes}", quoted(self.name(place))), event))
        };
        let flags: Vec<(usize, String, &str)> = self.free().filter_map(flag).collect();
        // A column of events that is left says it better, and would be written over.
        if flags.is_empty() || self.sample.columns.iter().any(|name| words::is_of_events(name)) {
            return;
        }
        let event = flags.iter().rev().fold("'move'".to_owned(), |otherwise, (_, condition, event)| {
            format!("if({condition}, '{event}', {otherwise})")
        });
        self.used.extend(flags.iter().map(|(place, _, _)| *place));
        self.found.has_events = true;
        self.found.spec.steps.push(PipelineStep::Set(BTreeMap::from([("event".to_owned(), event)])));
        let names: Vec<String> = flags.iter().map(|(place, _, _)| format!("{:?}", self.name(*place))).collect();
        self.found.say("set", Certainty::Likely, format!("{} marks rows that are no moves", names.join(" and ")));
    }

    /// Purpose of resets: to begin anew, or to leave a level.
    pub(super) fn meaning_of_resets(&self, place: usize, value: &str) -> (&'static str, Certainty, String) {
        let is_it = |row: usize| self.sample.rows[row].cell(place) == Some(value);
        let gives_up = |row: usize| self.sample.rows[row].cell(place).and_then(words::event) == Some("give_up");
        let runs = self.runs();
        let n = runs.iter().flatten().filter(|row| is_it(**row)).count();
        let n_last = runs.iter().filter(|run| run.last().is_some_and(|&row| is_it(row))).count();
        let before_end = |run: &Vec<usize>| run.windows(2).filter(|pair| is_it(pair[0]) && gives_up(pair[1])).count();
        let n_before_end: usize = runs.iter().map(before_end).sum();
        match () {
            () if n_last == n => {
                let reason = format!("each of the {n} is the last row of its trial; say \"reset\" if nobody gave up");
                ("give_up", Certainty::Ask, reason)
            }
            () if n_before_end == n => (
                "ignore",
                Certainty::Likely,
                format!("each of the {n} stands before a row that says the level was given up"),
            ),
            () => ("reset", Certainty::Likely, format!("of {n}, {n_last} are the last rows of their trials")),
        }
    }
}
