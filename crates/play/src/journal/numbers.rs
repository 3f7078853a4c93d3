//! The numbers by which people come to conditions and to rows of Latin squares.
//!
//! Whoever begins gets the smallest number, from 0, that nobody holds. Who leaves before the end holds theirs no more, so that
//! those who stay have all numbers from 0 on, but for those of people who are at it: conditions, and rows within them, are as
//! often played as one another, whoever drops out.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Numbers of the people of one condition, or of all.
#[derive(Debug, Default)]
struct Pool {
    people: HashMap<String, Holder>,
    /// Number of people who hold each number.
    held: HashMap<u64, u32>,
    /// All below are held.
    lowest: u64,
}

#[derive(Debug)]
struct Holder {
    number: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At it, and last heard of then.
    Playing(Instant),
    Finished,
    Left,
}

impl Pool {
    fn hold(&mut self, number: u64) {
        *self.held.entry(number).or_default() += 1;
    }

    fn release(&mut self, number: u64) {
        let Some(count) = self.held.get_mut(&number) else { return };
        *count -= 1;
        if *count == 0 {
            self.held.remove(&number);
            self.lowest = self.lowest.min(number);
        }
    }

    fn set(&mut self, participant: &str, state: State) {
        let Some(holder) = self.people.get_mut(participant) else { return };
        let (number, before) = (holder.number, std::mem::replace(&mut holder.state, state));
        match (before == State::Left, state == State::Left) {
            (false, true) => self.release(number),
            // They come back, and go on with the number that they had, also where somebody else has it by now.
            (true, false) => self.hold(number),
            _ => {}
        }
    }

    fn release_silent(&mut self, now: Instant, after: Duration) {
        let is_silent = |state| matches!(state, State::Playing(heard) if now.saturating_duration_since(heard) >= after);
        let silent = self.people.iter().filter(|(_, holder)| is_silent(holder.state));
        let silent: Vec<String> = silent.map(|(name, _)| name.clone()).collect();
        silent.iter().for_each(|name| self.set(name, State::Left));
    }
}

/// Action of a participant, as far as it concerns their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    Something,
    Finished,
    Refused,
}

/// The numbers of all people.
#[derive(Debug)]
pub(super) struct Numbers {
    /// By condition where links name it, so that each condition has all rows; else one.
    pools: HashMap<String, Pool>,
    is_by_condition: bool,
    /// Silence after which somebody who has not finished counts as gone.
    dropped_after: Option<Duration>,
}

impl Numbers {
    pub fn new(is_by_condition: bool, dropped_after: Option<Duration>) -> Self {
        Self { pools: HashMap::new(), is_by_condition, dropped_after }
    }

    fn pool(&mut self, condition: &str) -> &mut Pool {
        let key = if self.is_by_condition { condition } else { "" };
        self.pools.entry(key.to_owned()).or_default()
    }

    /// The number of somebody in a condition, if they have one.
    pub fn known(&self, participant: &str, condition: &str) -> Option<u64> {
        let key = if self.is_by_condition { condition } else { "" };
        Some(self.pools.get(key)?.people.get(participant)?.number)
    }

    /// Returns the number that somebody who begins is to get.
    pub fn next(&mut self, condition: &str, now: Instant) -> u64 {
        let after = self.dropped_after;
        let pool = self.pool(condition);
        if let Some(after) = after {
            pool.release_silent(now, after);
        }
        while pool.held.contains_key(&pool.lowest) {
            pool.lowest += 1;
        }
        pool.lowest
    }

    /// Takes note of a number that is in the log.
    pub fn assign(&mut self, participant: &str, condition: &str, number: u64, now: Instant) {
        let pool = self.pool(condition);
        if !pool.people.contains_key(participant) {
            pool.hold(number);
            pool.people.insert(participant.to_owned(), Holder { number, state: State::Playing(now) });
        }
    }

    /// Takes note of what somebody does.
    pub fn note(&mut self, participant: &str, did: Did, now: Instant) {
        for pool in self.pools.values_mut() {
            let state = match did {
                Did::Finished => State::Finished,
                Did::Refused => State::Left,
                // Whoever has finished, and plays a further session, has finished.
                Did::Something if pool.people.get(participant).is_some_and(|who| who.state == State::Finished) => {
                    continue;
                }
                Did::Something => State::Playing(now),
            };
            pool.set(participant, state);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    /// Counts the values by their remainder modulo `n`.
    fn counts(values: impl Iterator<Item = u64>, n: u64) -> Vec<usize> {
        let values: Vec<u64> = values.collect();
        (0..n).map(|remainder| values.iter().filter(|value| **value % n == remainder).count()).collect()
    }

    #[test]
    fn conditions_and_their_rows_stay_balanced_when_people_drop_out() {
        let (n_conditions, n_rows) = (2, 4);
        for seed in 0..50 {
            let mut generator = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let mut numbers = Numbers::new(false, Some(HOUR));
            let start = Instant::now();
            let mut finished = Vec::new();
            let mut n_left = 0;
            for person in 0..400_u32 {
                let now = start + HOUR * person;
                let name = format!("P{person}");
                let number = numbers.next("", now);
                numbers.assign(&name, "", number, now);
                numbers.note(&name, Did::Something, now);
                // Four in ten leave: those of the second condition, which is harder, twice as often.
                let leaves = if number % n_conditions == 1 { 0.53 } else { 0.27 };
                match generator.random_bool(leaves) {
                    true => {
                        n_left += 1;
                        if generator.random_bool(0.5) {
                            numbers.note(&name, Did::Refused, now);
                        }
                    }
                    false => {
                        numbers.note(&name, Did::Finished, now);
                        finished.push(number);
                    }
                }
            }
            assert!(n_left > 100, "seed {seed}: {n_left} left");
            let spread = |counts: &[usize]| counts.iter().max().unwrap() - counts.iter().min().unwrap();
            let conditions = counts(finished.iter().copied(), n_conditions);
            assert!(spread(&conditions) <= 1, "seed {seed}: {conditions:?}");
            for condition in 0..n_conditions {
                let of_condition = finished.iter().filter(|number| *number % n_conditions == condition);
                let rows = counts(of_condition.map(|number| number / n_conditions), n_rows);
                assert!(spread(&rows) <= 1, "seed {seed}, condition {condition}: {rows:?}");
            }
        }
    }

    #[test]
    fn each_condition_of_links_has_all_rows() {
        let mut numbers = Numbers::new(true, None);
        let now = Instant::now();
        let mut generator = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut numbers_of: HashMap<&str, Vec<u64>> = HashMap::new();
        for person in 0..100 {
            let condition = *["easy", "hard"].choose(&mut generator).unwrap();
            let number = numbers.next(condition, now);
            numbers.assign(&format!("P{person}"), condition, number, now);
            numbers_of.entry(condition).or_default().push(number);
        }
        for (condition, numbers) in numbers_of {
            assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>(), "{condition}");
        }
    }

    #[test]
    fn numbers_go_on_and_are_taken_back_as_the_log_has_them() {
        let mut numbers = Numbers::new(false, None);
        let now = Instant::now();
        numbers.assign("far", "", u64::MAX, now);
        for person in 0..100_100 {
            let number = numbers.next("", now);
            assert_eq!(number, person);
            numbers.assign(&person.to_string(), "", number, now);
        }
        assert_eq!(numbers.known("far", ""), Some(u64::MAX));
        assert_eq!(numbers.known("100099", ""), Some(100_099));
        assert_eq!(numbers.known("nobody", ""), None);
    }

    #[test]
    fn who_comes_back_has_the_number_that_they_had() {
        let mut numbers = Numbers::new(false, Some(HOUR));
        let start = Instant::now();
        numbers.assign("one", "", 0, start);
        assert_eq!(numbers.next("", start + HOUR / 2), 1, "who was heard of lately holds it");
        assert_eq!(numbers.next("", start + HOUR), 0, "who was not, does not");
        numbers.note("one", Did::Something, start + HOUR);
        assert_eq!((numbers.next("", start + HOUR), numbers.known("one", "")), (1, Some(0)));
        numbers.note("one", Did::Finished, start + HOUR);
        assert_eq!(numbers.next("", start + HOUR * 9), 1, "who has finished holds it for good");
    }
}
