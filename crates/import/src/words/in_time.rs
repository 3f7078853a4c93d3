//! Names of which one goes on where the other ends, by a word that tells the first from the second.

use super::parts::words_of;
use std::collections::HashMap;

/// Words that tell which of two columns comes first.
const IN_TIME: [(&str, &str); 7] = [
    ("before", "after"),
    ("first", "second"),
    ("pre", "post"),
    ("early", "late"),
    ("vor", "nach"),
    ("vorher", "nachher"),
    ("avant", "après"),
];

/// Two names that differ in one word, which tells the first from the second, in this order: `movesBefore`, `movesAfter`.
pub(crate) fn in_time<'n>(left: &'n str, right: &'n str) -> Option<(&'n str, &'n str)> {
    let (ones, others) = (words_of(left), words_of(right));
    if ones.len() != others.len() || ones.len() < 2 {
        return None;
    }
    let mut differing = ones.iter().zip(&others).filter(|(left, right)| left != right);
    let (word, other_word) = differing.next().filter(|_| differing.next().is_none())?;
    if IN_TIME.iter().any(|pair| is_pair(pair, word, other_word)) {
        return Some((left, right));
    }
    IN_TIME.iter().any(|pair| is_pair(pair, other_word, word)).then_some((right, left))
}

fn is_pair(pair: &(&str, &str), first: &str, second: &str) -> bool {
    *pair == (first, second)
}

/// Names by their words, so that those that another one goes on in are found without comparing each with each.
pub(crate) struct InTime(HashMap<Vec<String>, Vec<usize>>);

impl InTime {
    /// Of these names, which have numbers in their order.
    pub fn new<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        let mut by_words: HashMap<Vec<String>, Vec<usize>> = HashMap::new();
        for (number, name) in names.enumerate() {
            by_words.entry(words_of(name)).or_default().push(number);
        }
        Self(by_words)
    }

    /// The numbers of the names that [`in_time`] sees beside this one, in their order.
    pub fn others(&self, name: &str) -> Vec<usize> {
        let words = words_of(name);
        let mut pairs = Vec::new();
        for (place, word) in words.iter().enumerate().filter(|_| words.len() > 1) {
            for (left, right) in IN_TIME.into_iter().flat_map(|(left, right)| [(left, right), (right, left)]) {
                if word == left {
                    let mut others = words.clone();
                    right.clone_into(&mut others[place]);
                    pairs.extend(self.0.get(&others).into_iter().flatten());
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_go_on_are_found_as_by_comparing_each_with_each() {
        let names = [
            "movesBefore",
            "moves_after",
            "Moves after",
            "first_rt",
            "second_rt",
            "after",
            "before",
            "x",
            "moves_before_2",
        ];
        let names = names.map(str::to_owned);
        let in_time_of = InTime::new(names.iter());
        for name in &names {
            let compared: Vec<usize> =
                (0..names.len()).filter(|&other| in_time(name, &names[other]).is_some()).collect();
            assert_eq!(in_time_of.others(name), compared, "{name}");
        }
        assert_eq!(in_time_of.others("movesBefore"), [1, 2]);
    }
}
