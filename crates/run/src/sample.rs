//! Sample of participants whose play is analysed, where a log has more moves than the study analyses.

use std::collections::HashSet;
use std::fmt;

use plymap_statistics::stats::apa;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use plymap_measures::selection::PlayCount;
use plymap_tables::{Columns, Table, text};

/// Participants that were drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Counts of the play of those who were drawn.
    pub count: PlayCount,
    /// Number of participants in all.
    pub of_participants: u64,
    /// Number of rows of the table `moves` of all participants.
    pub of_rows: u64,
    /// Seed of the draw.
    pub seed: u64,
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "a sample of {} of {}, drawn at random with seed {}: {} of {}",
            apa::count(self.count.n_participants),
            apa::counted(self.of_participants, "participant"),
            self.seed,
            apa::count(self.count.n_rows),
            apa::counted(self.of_rows, "row")
        )
    }
}

impl Sample {
    /// Draws participants one after the other, until the next would bring more than `most` rows; the first is always
    /// drawn. Nobody is drawn where all together have no more. `people` are all with their rows, in ascending order, so that
    /// the draw depends on nothing else.
    pub(super) fn draw(mut people: Vec<(String, u64)>, most: u64, seed: u64) -> Option<(Self, HashSet<String>)> {
        let of_rows = people.iter().map(|(_, n)| n).sum();
        if of_rows <= most {
            return None;
        }
        people.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let of_participants = people.len() as u64;
        let mut n_rows = 0;
        let mut drawn = HashSet::new();
        for (name, n) in people {
            if !drawn.is_empty() && n_rows + n > most {
                // Passing over this one for smaller ones would prefer participants with few rows.
                break;
            }
            n_rows += n;
            drawn.insert(name);
        }
        let count = PlayCount { n_participants: drawn.len() as u64, n_rows, ..PlayCount::default() };
        Some((Self { count, of_participants, of_rows, seed }, drawn))
    }

    /// The table `sample`: those of these participants who were drawn.
    pub(super) fn table(&self, participants: &[String]) -> Table {
        Columns::new()
            .column(participants, text("participant", "who was drawn"), String::clone)
            .into_table("sample", &format!("Participants of whom analyses, comparisons and figures are: {self}."))
    }

    /// Returns the remark on whatever is made of the sample.
    pub(super) fn remark(&self) -> String {
        format!("Of {self}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_drawn_until_the_next_would_be_too_many() {
        let people: Vec<(String, u64)> = (0..100).map(|n| (format!("p{n:03}"), 10)).collect();
        assert_eq!(Sample::draw(people.clone(), 1000, 1), None);
        let (sample, drawn) = Sample::draw(people.clone(), 255, 1).unwrap();
        assert_eq!((sample.count.n_participants, sample.count.n_rows, drawn.len()), (25, 250, 25));
        assert_eq!((sample.of_participants, sample.of_rows), (100, 1000));
        assert_eq!(Sample::draw(people.clone(), 255, 1).unwrap().1, drawn, "the same seed draws the same people");
        assert_ne!(Sample::draw(people.clone(), 255, 2).unwrap().1, drawn);
        assert_eq!(Sample::draw(people, 3, 1).unwrap().0.count.n_participants, 1, "somebody is needed");
        assert_eq!(
            sample.to_string(),
            "a sample of 25 of 100 participants, drawn at random with seed 1: 250 of 1,000 rows"
        );
    }
}
