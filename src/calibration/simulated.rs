//! One simulated study.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::effects::{CONDITIONS, Effects};
use super::headlines::{HEADLINES, Headline};
use crate::simulation::replayed;
use plymap_analysis::Analysis;
use plymap_analysis::dataset::{AttemptEnd, AttemptRow, Dataset};
use plymap_players::policy::{LevelContext, PolicyError, PolicyState, Situation};
use plymap_players::{LapseOptimal, ParameterError, Persistence, PlayError, PlayedTrial, Player, Policy, Tempo};
use plymap_puzzles::distance::Evaluation;
use plymap_puzzles::game::StateCode;
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_run::study::Study;
use plymap_run::{RunError, RunOptions, statistics};
use plymap_statistics::record::{ESTIMATE, LOWER, UPPER};
use plymap_statistics::stats::describe::describe;
use plymap_tables::Table;

/// A person of the study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Person {
    /// Errors beyond optimal play, as a share of those of moves drawn from the legal ones.
    pub lapse: f64,
    pub tempo: Tempo,
    /// Probability to restart after a move.
    pub restart: f64,
    /// Probability to give up after a move.
    pub give_up: f64,
}

impl Person {
    /// Returns the same person without runs of thought, with the same mean and spread of the logarithms of times.
    fn without_pauses(self) -> Self {
        let Tempo { sigma, thinking_factor, .. } = self.tempo;
        let share = self.tempo.share_thinking();
        let spread = (sigma * sigma + share * (1.0 - share) * thinking_factor.ln().powi(2)).sqrt();
        let median = self.tempo.median_time_s * thinking_factor.powf(share);
        let first_move_median_s = self.tempo.first_move_median_s;
        Self { tempo: Tempo { first_move_median_s, ..Tempo::steady(median, spread) }, ..self }
    }

    /// Draws the times of the moves of a trial anew, with the median and the spread that the person has: the correlation of
    /// the logarithms of times of two moves in a row of an attempt is `correlation`, of two moves further on its square, and
    /// so on (an autoregressive process of order 1).
    fn draw_correlated_times(&self, trial: &mut PlayedTrial, correlation: f64, random: &mut ChaCha8Rng) {
        let mut last: Option<(u32, f64)> = None;
        for row in trial.rows.iter_mut().filter(|row| row.made.is_some()) {
            let new: f64 = random.sample(StandardNormal);
            let noise = match last.filter(|(attempt, _)| *attempt == row.attempt) {
                Some((_, before)) => correlation * before + (1.0 - correlation * correlation).sqrt() * new,
                None => new,
            };
            last = Some((row.attempt, noise));
            let Tempo { median_time_s, first_move_median_s, sigma, .. } = self.tempo;
            let median = if row.move_index == Some(0) { first_move_median_s } else { median_time_s };
            row.rt_s = median * (sigma * noise).exp();
        }
    }
}

/// Policy that plays optimally but for lapses, of which there may be more after an error.
#[derive(Clone, Copy, Debug)]
struct Lapses {
    usual: f64,
    after_error: f64,
}

impl Policy for Lapses {
    fn kind(&self) -> &'static str {
        "lapses"
    }

    fn describe(&self) -> String {
        format!("optimally but for lapses, of which there are {}, and {} after an error", self.usual, self.after_error)
    }

    fn check(&self) -> Result<(), ParameterError> {
        [self.usual, self.after_error].iter().try_for_each(|&lapse| LapseOptimal { lapse }.check())
    }

    fn needs_oracle(&self) -> bool {
        true
    }

    fn start_level<'a>(&'a self, _seat: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        Ok(Box::new(Lapsing { lapses: self, before: None }))
    }
}

struct Lapsing<'a> {
    lapses: &'a Lapses,
    /// The position before, with its moves.
    before: Option<Evaluation>,
}

impl PolicyState for Lapsing<'_> {
    fn begin_attempt(&mut self, _state: StateCode) -> Result<(), PolicyError> {
        self.before = None;
        Ok(())
    }

    fn probabilities(&mut self, situation: &Situation) -> Result<Vec<f64>, PolicyError> {
        let evaluation = situation.evaluation()?;
        let last =
            self.before.iter().flat_map(|before| &before.moves).find(|valued| valued.legal.next == situation.state);
        let is_after_error = last.is_some_and(|valued| !valued.is_optimal());
        let lapse = if is_after_error { self.lapses.after_error } else { self.lapses.usual };
        let probabilities = LapseOptimal { lapse }.probabilities(evaluation);
        self.before = Some(evaluation.clone());
        Ok(probabilities)
    }
}

/// Result of one headline in a simulated study.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Finding {
    pub p_value: Option<f64>,
    /// An estimate and its interval.
    pub estimate: Option<[f64; 3]>,
}

/// One simulated study.
pub(super) struct Simulated<'a> {
    pub study: &'a Study,
    pub levels: &'a [ValuedLevel],
    pub people: &'a [Person],
    pub n_participants: usize,
    pub has_conditions: bool,
    pub effects: Effects,
    /// Correlation of the logarithms of times of successive moves; where it is not given, times come in runs of
    /// thought.
    pub autocorrelation: Option<f64>,
    pub seed: u64,
}

impl Simulated<'_> {
    /// Simulates and analyses the study; returns the finding of each headline.
    pub fn findings(&self, progress: &dyn Progress) -> Result<Vec<Finding>, RunError> {
        let silent = CancelOnly(progress);
        let (study, play) = replayed(self.study, &self.trials(&silent)?, self.levels, &silent)?;
        let mut analyses: Vec<&Analysis> = Vec::new();
        for headline in HEADLINES {
            let analysis = Analysis::named(headline.analysis).expect("it is one of the analyses");
            if !analyses.iter().any(|known| known.name == analysis.name) {
                analyses.push(analysis);
            }
        }
        let statistics = statistics(&study, &play, self.levels, &analyses, &RunOptions::default(), &silent)?;
        let table = |name: &str| statistics.all_tables().find(|table| table.name == name);
        let finding = |headline: &Headline| Finding {
            p_value: table(headline.table).and_then(|table| smallest(table, headline)),
            estimate: headline.effect.as_ref().and_then(|effect| {
                let table = table(effect.table)?;
                let row = table.row(effect.row)?;
                let number = |column| table.number_at(row, column);
                Some([number(ESTIMATE)?, number(LOWER)?, number(UPPER)?])
            }),
        };
        Ok(HEADLINES.iter().map(finding).collect())
    }

    /// Simulates the trials of all participants, each of whom plays the levels in an order of their own.
    fn trials(&self, progress: &dyn Progress) -> Result<Vec<PlayedTrial>, RunError> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        // A stream of its own: what is true changes nothing else.
        let mut of_effects = ChaCha8Rng::seed_from_u64(self.seed);
        of_effects.set_stream(1);
        let mut of_times = ChaCha8Rng::seed_from_u64(self.seed);
        of_times.set_stream(2);
        let mut conditions: Vec<Option<&str>> =
            (0..self.n_participants).map(|number| self.has_conditions.then(|| CONDITIONS[number % 2])).collect();
        conditions.shuffle(&mut random);
        let mut all = Vec::new();
        for (number, condition) in conditions.into_iter().enumerate() {
            let person = *self.people.choose(&mut random).expect("there is somebody");
            let person = if self.autocorrelation.is_some() { person.without_pauses() } else { person };
            let effects = self.effects.of_person(&mut of_effects);
            let is_second = condition == Some(CONDITIONS[1]);
            let usual = (person.lapse * if is_second { effects.condition_lapses } else { 1.0 }).min(1.0);
            let mut player = Player {
                participant: format!("p{number:04}"),
                condition: condition.map(str::to_owned),
                policy: Lapses { usual, after_error: (usual * effects.after_error_lapses).min(1.0) },
                tempo: person.tempo,
                // With 0 a person is always astray, so that restarts are as likely after any move.
                persistence: Persistence { astray_by: 0, reset_chance: person.restart, ..Persistence::default() },
            };
            let mut order: Vec<&ValuedLevel> = self.levels.iter().collect();
            order.shuffle(&mut random);
            let seed = random.random();
            for (number, level) in order.into_iter().enumerate() {
                player.persistence.max_moves = moves_until_given_up(person.give_up, &mut random);
                let mut trial = player.play(level, seed, progress)?;
                if let Some(correlation) = self.autocorrelation {
                    person.draw_correlated_times(&mut trial, correlation, &mut of_times);
                }
                effects.apply(&mut trial, number, level).map_err(|source| PlayError::Policy {
                    participant: trial.participant.clone(),
                    level: trial.level.clone(),
                    source: source.into(),
                })?;
                all.push(trial);
            }
        }
        Ok(all)
    }
}

/// Returns the smallest p value of the rows of a headline.
fn smallest(table: &Table, headline: &Headline) -> Option<f64> {
    let is_own =
        |row: &usize| headline.row.iter().all(|(column, text)| table.text_at(*row, *column).as_deref() == Some(*text));
    let rows = (0..table.data.height()).filter(is_own);
    rows.filter_map(|row| table.number_at(row, headline.p)).reduce(f64::min)
}

/// Draws the number of moves until a give-up that has this probability after each of them, at most the usual maximum.
fn moves_until_given_up(probability: f64, random: &mut ChaCha8Rng) -> u32 {
    let most = Persistence::default().max_moves;
    (1..most).find(|_| random.random::<f64>() < probability).unwrap_or(most)
}

/// Estimates skill, tempo and persistence of everybody with timed moves.
pub(super) fn people(data: &Dataset) -> Vec<Person> {
    let lapses = plymap_analysis::errors::lapses(data);
    let of_person = |(attempts, lapse): (Vec<&AttemptRow>, f64)| {
        let moves = || attempts.iter().flat_map(|attempt| data.moves_of(attempt));
        let logs = |is_first: bool| -> Vec<f64> {
            let selected = moves().filter(|row| (row.ply == 0) == is_first);
            selected.filter_map(|row| row.rt_s).filter(|&time| time > 0.0).map(f64::ln).collect()
        };
        let (first, later) = (logs(true), logs(false));
        let (mean, spread) = (describe(&later).mean?, describe(&later).sd?);
        let usual = Tempo::default();
        // What pauses add to the spread of logarithms is not in that of single moves.
        let share = usual.share_thinking();
        let of_pauses = share * (1.0 - share) * usual.thinking_factor.ln().powi(2);
        let median = (mean - share * usual.thinking_factor.ln()).exp();
        let tempo = Tempo {
            median_time_s: median.clamp(1e-3, 1e6),
            sigma: (spread * spread - of_pauses).max(0.01).sqrt().min(5.0),
            first_move_median_s: describe(&first).mean.map_or(median, f64::exp).clamp(1e-3, 1e6),
            // Times depend on positions by the effects alone.
            choice_exponent: 0.0,
            ..usual
        };
        let share = |end: AttemptEnd| {
            attempts.iter().filter(|attempt| attempt.end == end).count() as f64 / moves().count() as f64
        };
        let (restart, give_up) = (share(AttemptEnd::Reset), share(AttemptEnd::GaveUp));
        Some(Person { lapse: lapse.min(1.0), tempo, restart: restart.min(1.0), give_up: give_up.min(1.0) })
    };
    data.attempts_by_participant().into_iter().zip(lapses).filter_map(of_person).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_log::Event;
    use plymap_players::{MadeMove, PlayedRow};

    const PERSON: Person = Person {
        lapse: 0.1,
        tempo: Tempo {
            median_time_s: 2.0,
            sigma: 0.4,
            first_move_median_s: 6.0,
            choice_exponent: 0.0,
            p_start_thinking: 0.1,
            p_keep_thinking: 0.6,
            thinking_factor: 4.0,
        },
        restart: 0.0,
        give_up: 0.0,
    };

    #[test]
    fn who_has_no_pauses_has_as_much_spread() {
        let steady = PERSON.without_pauses().tempo;
        // A fifth of the moves takes four times as long: ln 4 / 5 more, and .2 · .8 · (ln 4)² of variance.
        assert!((steady.median_time_s - 2.0 * (4f64.ln() / 5.0).exp()).abs() < 1e-12);
        assert!((steady.sigma - (0.16 + 0.16 * 4f64.ln().powi(2)).sqrt()).abs() < 1e-12);
        assert_eq!((steady.first_move_median_s, steady.share_thinking()), (6.0, 0.0));
    }

    #[test]
    fn times_in_a_row_are_correlated_within_attempts() {
        const N: u32 = 20_000;
        let state = StateCode(0);
        let step = Some(MadeMove { before: state, after: state, next: state, cost: 1, piece: None });
        let row = |number: u32| PlayedRow {
            attempt: 1 + number / 50,
            move_index: Some(number % 50),
            event: Event::Move,
            action: None,
            state_after: None,
            rt_s: 1.0,
            made: step,
            n_legal: 5,
            mode: None,
        };
        let mut trial = PlayedTrial {
            participant: "p".to_owned(),
            condition: None,
            level: "l".to_owned(),
            rows: (0..N).map(row).collect(),
            is_solved: true,
            last_state: state,
            cost: 0,
        };
        PERSON.draw_correlated_times(&mut trial, 0.5, &mut ChaCha8Rng::seed_from_u64(1));
        let noise = |row: &PlayedRow| {
            let median: f64 = if row.move_index == Some(0) { 6.0 } else { 2.0 };
            (row.rt_s / median).ln() / 0.4
        };
        let mean = |products: &[f64]| products.iter().sum::<f64>() / products.len() as f64;
        let lagged = |lag: usize, is_asked: fn(u32) -> bool| {
            let pairs = trial.rows.iter().zip(&trial.rows[lag..]);
            let selected = pairs.filter(|(_, later)| is_asked(later.move_index.unwrap_or(0)));
            mean(&selected.map(|(earlier, later)| noise(earlier) * noise(later)).collect::<Vec<f64>>())
        };
        // Four standard errors of a mean of products of two standard normal numbers, of which a 50th begins an attempt.
        let error = 4.0 * (2.0 / f64::from(N)).sqrt();
        assert!((lagged(0, |_| true) - 1.0).abs() < 1.5 * error);
        assert!((lagged(1, |index| index > 0) - 0.5).abs() < 1.5 * error);
        assert!((lagged(2, |index| index > 1) - 0.25).abs() < 1.5 * error);
        assert!(lagged(1, |index| index == 0).abs() < 4.0 / f64::from(N / 50).sqrt());
    }
}
