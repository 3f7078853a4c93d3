//! Names as sentences list them: the most frequent, the hardest and the easiest, and columns in words.

use plymap_statistics::stats::apa;

/// The name of a column of a measure, as one would say it.
pub fn in_words(column: &str) -> String {
    let begun = [("n_", "number of "), ("max_", "largest "), ("share_", "share of ")];
    let worded = begun.iter().find_map(|(prefix, words)| Some(format!("{words}{}", column.strip_prefix(prefix)?)));
    worded.unwrap_or_else(|| column.to_owned()).replace("_bits", " (bits)").replace('_', " ")
}

/// Names of which some occur.
pub struct Occurring {
    /// Number of names that occur.
    pub n: usize,
    /// Most frequent names, and how often they occur.
    pub often: String,
}

pub fn most(names: &[String], places: impl Iterator<Item = usize>) -> Occurring {
    let mut counts = vec![0_usize; names.len()];
    places.for_each(|place| counts[place] += 1);
    let largest = counts.iter().copied().max().unwrap_or(0);
    let often: Vec<String> =
        names.iter().zip(&counts).filter(|(_, n)| **n == largest).map(|(name, _)| name.clone()).collect();
    let shown = if often.len() > 3 { format!("{} of them", often.len()) } else { listed(&often) };
    let times = match largest {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{} times", apa::count(n)),
    };
    Occurring { n: counts.iter().filter(|&&n| n > 0).count(), often: format!("{shown} ({times})") }
}

/// Levels by their places in a list, each with how hard it is.
pub type Ranked = [(usize, f64)];

/// Returns, of levels from the hardest to the easiest, the three hardest with all that tie with the third, and all that
/// tie with the easiest; the former are none where all tie.
pub fn extremes(rows: &Ranked) -> (&Ranked, &Ranked) {
    let tied = |left: &(usize, f64), right: &(usize, f64)| left.1 == right.1;
    let groups: Vec<&Ranked> = rows.chunk_by(tied).collect();
    let easiest = groups.last().copied().unwrap_or_default();
    let mut n_hardest = 0;
    for group in &groups[..groups.len().saturating_sub(1)] {
        if n_hardest < 3 {
            n_hardest += group.len();
        }
    }
    (&rows[..n_hardest], easiest)
}

/// The first five of several names, and how many more there are.
pub fn first_of(names: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 5;
    let n_more = names.len().saturating_sub(SHOWN);
    let more = (n_more > 0).then(|| format!("{n_more} more that tie"));
    listed(&names.take(SHOWN).chain(more).collect::<Vec<_>>())
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_tie_are_hardest_together() {
        let rows = |values: &[f64]| values.iter().copied().enumerate().collect::<Vec<_>>();
        let n = |values: &[f64]| {
            let rows = rows(values);
            let (hardest, easiest) = extremes(&rows);
            (hardest.len(), easiest.len())
        };
        assert_eq!(n(&[9.0, 8.0, 7.0, 6.0, 5.0]), (3, 1));
        assert_eq!(n(&[9.0, 8.0, 7.0, 7.0, 5.0]), (4, 1), "no order among the third and the fourth");
        assert_eq!(n(&[9.0, 5.0, 5.0, 5.0]), (1, 3));
        assert_eq!(n(&[5.0, 5.0]), (0, 2));
        assert_eq!(first_of(names(2).into_iter()), "p1 and p2");
        assert_eq!(first_of(names(7).into_iter()), "p1, p2, p3, p4, p5 and 2 more that tie");
    }

    fn names(n: usize) -> Vec<String> {
        (1..=n).map(|number| format!("p{number}")).collect()
    }

    #[test]
    fn those_who_occur_most_often_are_named() {
        let said = |places: &[usize]| {
            let commonest = most(&names(6), places.iter().copied());
            format!("{}: {}", commonest.n, commonest.often)
        };
        assert_eq!(said(&[1]), "1: p2 (once)");
        assert_eq!(said(&[1, 0, 1, 0, 5]), "3: p1 and p2 (twice)");
        assert_eq!(said(&[0, 1, 2, 3]), "4: 4 of them (once)");
        assert_eq!(said(&[2; 1200]), "1: p3 (1,200 times)");
    }

    #[test]
    fn columns_are_said_in_words() {
        assert_eq!(in_words("n_states_on_solutions"), "number of states on solutions");
        assert_eq!(in_words("max_distance"), "largest distance");
        assert_eq!(in_words("entropy_bits"), "entropy (bits)");
        assert_eq!([1, 2, 3].map(|n| listed(&names(n))), ["p1", "p1 and p2", "p1, p2 and p3"]);
    }
}
