//! The results of a Rasch model as they stand in a sentence; see [`apa`](crate::apa).

use crate::apa::{count, counted, interval, not_estimable, number};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::numeric::distribution::normal_upper_quantile;
use crate::stats::rasch::conditional::ConditionalRasch;
use crate::stats::rasch::levels::{Ability, LevelDifficulty};
use crate::stats::rasch::model::Rasch;

impl Rasch {
    /// `SD of ability = 1.14 (SE = 0.18), 60 participants, 8 levels, 480 responses`; levels without a
    /// finite difficulty are counted apart. Where the search found no maximum there is no result, and the
    /// sentence says why.
    pub fn sentence(&self) -> String {
        let Some(sd) = self.ability_sd.filter(|_| self.converged) else {
            return not_estimable("Rasch model", self.n_responses, self.reason.as_ref());
        };
        let error = self.ability_sd_error.map_or(String::new(), |error| format!(" (SE = {})", number(error, 2)));
        let (people, n) = (counted(self.n_participants, "participant"), counted(self.n_responses, "response"));
        format!("SD of ability = {}{error}, {people}, {}, {n}", number(sd, 2), levels_in_words(&self.levels))
    }
}

impl ConditionalRasch {
    /// `conditional log-likelihood = −180.52, 52 participants, 8 levels`.
    pub fn sentence(&self) -> String {
        let Some(log_likelihood) = self.log_likelihood.filter(|_| self.converged) else {
            return not_estimable("conditional Rasch model", self.n_participants, self.reason.as_ref());
        };
        let (value, people) = (number(log_likelihood, 2), counted(self.n_participants, "participant"));
        format!("conditional log-likelihood = {value}, {people}, {}", levels_in_words(&self.levels))
    }
}

impl LevelDifficulty {
    /// `difficulty = 0.52, 95 % CI [−0.10, 1.14], 25 of 60 solved`.
    pub fn sentence(&self, confidence: Confidence) -> String {
        let Some(difficulty) = self.difficulty else {
            return not_estimable("difficulty", self.n, self.reason.as_ref());
        };
        let ends = interval(confidence, self.lower.zip(self.upper), |value| number(value, 2));
        format!("difficulty = {}{ends}, {} of {} solved", number(difficulty, 2), count(self.n_solved), count(self.n))
    }
}

impl Ability {
    /// The normal interval of the ability.
    pub fn interval(&self, confidence: Confidence) -> Option<(f64, f64)> {
        let half = normal_upper_quantile(confidence.tail()) * self.sd?;
        self.ability.map(|ability| (ability - half, ability + half))
    }

    /// `ability = 0.52, 95 % CI [−0.10, 1.14], 5 of 8 solved`.
    pub fn sentence(&self, confidence: Confidence) -> String {
        let (Some(ability), Some((lower, upper))) = (self.ability, self.interval(confidence)) else {
            return not_estimable("ability", self.n, self.reason.as_ref());
        };
        let ends = interval(confidence, Some((lower, upper)), |value| number(value, 2));
        format!("ability = {}{ends}, {} of {} solved", number(ability, 2), count(self.n_solved), count(self.n))
    }
}

/// `8 levels`, or `6 levels (2 more without a finite difficulty)`.
fn levels_in_words(levels: &[LevelDifficulty]) -> String {
    let n_absent = levels.iter().filter(|level| matches!(level.reason, Some(NotEstimable::Undefined { .. }))).count();
    let n = levels.len() - n_absent;
    if n_absent == 0 {
        counted(n, "level")
    } else {
        format!("{} ({n_absent} more without a finite difficulty)", counted(n, "level"))
    }
}
