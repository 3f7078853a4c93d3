//! How often do the tests of a report reject what is true? Studies in which nothing is true are simulated, and what their
//! reports would say is counted.
//!
//! The people of each simulated study are drawn with replacement from those of the study: each has the skill and the
//! tempo of one of them, and plays the levels of the study. Times do not depend on moves or positions, conditions are
//! drawn, an error makes no other more likely, no position is harder than the skill of a person says, and people restart
//! and give up after any move alike.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::analysis::dataset::{AttemptEnd, AttemptRow, Dataset};
use crate::analysis::{Analysis, models};
use crate::log::{LogSpec, read_log};
use crate::player::{LapseOptimal, Persistence, PlayedTrial, Player, Tempo, write_log};
use crate::report::ReportError;
use crate::run::{Play, RunError, RunOptions, play_of, statistics};
use crate::study::Study;
use crate::table::Table;
use crate::unfinished::TemporaryFile;
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::record::*;
use plymap_statistics::stats::describe::describe;
use plymap_statistics::stats::interval::proportion;

/// A test that a report makes much of, and whose hypothesis is true in the simulated studies.
struct Headline {
    /// What it asks.
    question: &'static str,
    analysis: &'static str,
    table: &'static str,
    /// The texts of its row.
    row: &'static [(&'static str, &'static str)],
    /// The column of its p value.
    p: &'static str,
}

const fn of_models(question: &'static str, row: &'static [(&'static str, &'static str)]) -> Headline {
    Headline { question, analysis: "models", table: "model_terms", row, p: "p_value" }
}

const QUALITY_OF_TIME: &[(&str, &str)] = &[("model", models::QUALITY_OF_TIME.0), ("term", models::QUALITY_OF_TIME.1)];

const HEADLINES: &[Headline] = &[
    of_models("time of moves by quality, mixed model", QUALITY_OF_TIME),
    of_models("time of moves by distance, mixed model", &[("model", "move-time"), ("term", "value_before")]),
    of_models(
        "time of moves by number of legal moves, mixed model",
        &[("model", "move-time"), ("term", "log(n_legal)")],
    ),
    of_models("time of moves by moves made before, mixed model", &[("model", "move-time"), ("term", "ply")]),
    of_models("time of moves by condition, mixed model", &[("model", "move-time"), ("term", "condition")]),
    of_models("time of trials by condition, mixed model", &[("model", "trial-time"), ("term", "condition")]),
    of_models(
        "time of trials by number of the trial, mixed model",
        &[("model", "trial-time"), ("term", "trial_number")],
    ),
    of_models("moves of trials by condition, mixed model", &[("model", "trial-moves"), ("term", "condition")]),
    of_models(
        "moves of trials by number of the trial, mixed model",
        &[("model", "trial-moves"), ("term", "trial_number")],
    ),
    of_models("solved trials by condition, logistic mixed model", &[("model", "solved"), ("term", "condition")]),
    of_models("optimal moves by condition, logistic mixed model", &[("model", "optimal"), ("term", "condition")]),
    of_models(
        "optimal moves by the time before, logistic mixed model",
        &[("model", models::OPTIMAL_OF_TIME.0), ("term", models::OPTIMAL_OF_TIME.1)],
    ),
    of_models("errors after an error, logistic mixed model", &[("model", "error"), ("term", "after_error")]),
    of_models(
        "restarts after an error, logistic mixed model",
        &[("model", models::RESTART_OF_ERROR.0), ("term", models::RESTART_OF_ERROR.1)],
    ),
    of_models(
        "give-ups after an error, logistic mixed model",
        &[("model", models::GIVE_UP_OF_ERROR.0), ("term", models::GIVE_UP_OF_ERROR.1)],
    ),
    Headline {
        question: "median times of participants by quality, Friedman",
        analysis: "time-tests",
        table: "time_tests",
        row: &[("factor", "quality"), ("test", "friedman")],
        p: "p_value",
    },
    Headline {
        question: "times of participants by condition, Mann-Whitney",
        analysis: "conditions",
        table: "condition_tests",
        row: &[("measure", "time_s"), ("test", "mann-whitney")],
        p: "p_value",
    },
    Headline {
        question: "moves of participants by condition, Mann-Whitney",
        analysis: "conditions",
        table: "condition_tests",
        row: &[("measure", "n_moves"), ("test", "mann-whitney")],
        p: "p_value",
    },
    Headline {
        question: "time to solve by condition, log-rank with participants permuted",
        analysis: "survival",
        table: "survival",
        row: &[("scope", "condition")],
        p: "p_value",
    },
    Headline {
        question: "mean times to solve by condition, participants permuted",
        analysis: "survival",
        table: "survival_differences",
        row: &[("unsolved", "independent")],
        p: "p_value",
    },
    Headline {
        question: "proportional hazards of conditions within levels, jackknife",
        analysis: "survival",
        table: "survival_cox",
        row: &[("strata", "level")],
        p: "proportional_p",
    },
    Headline {
        question: "time to solve by condition within levels, Cox",
        analysis: "survival",
        table: "survival_cox",
        row: &[("strata", "level")],
        p: "p_value",
    },
    Headline { question: "the surest trap, adjusted", analysis: "errors", table: "traps", row: &[], p: "p_adjusted" },
];

const QUESTION: Column =
    text("test", "the test: what it asks, and how; in the simulated studies its hypothesis is true");
const N_STUDIES: Column = count("n", "number of simulated studies in which the test could be made");
const N_FAILED: Column = count("n_failed", "number of simulated studies in which it could not");
const RATE: Column = number("rate", "share of these studies in which p is below .05");
const RATE_LOWER: Column = number("lower", "lower end of its interval (Wilson, 1927)");
const RATE_UPPER: Column = number("upper", "upper end of its interval");
const COLUMNS: &[Column] = &[QUESTION, N_STUDIES, N_FAILED, RATE, RATE_LOWER, RATE_UPPER];

/// The design of the simulated studies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    /// Number of simulated studies.
    pub n_studies: u32,
    /// Number of participants of each; that of the study where it is not given.
    pub n_participants: Option<usize>,
    /// Number of levels, the first of the study; all where it is not given.
    pub n_levels: Option<usize>,
    /// Probability of everybody to restart a level after a move; the share of each person where it is not given.
    pub restart: Option<f64>,
    /// Probability of everybody to give a level up after a move; the share of each person where it is not given.
    pub give_up: Option<f64>,
}

/// A person of the study.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Person {
    /// Errors beyond optimal play, as a share of those of moves drawn from the legal ones.
    lapse: f64,
    tempo: Tempo,
    /// Probability to restart after a move.
    restart: f64,
    /// Probability to give up after a move.
    give_up: f64,
}

/// Rates of rejection of the tests of a report, at 5 %, in simulated studies in which nothing is true.
///
/// # Errors
///
/// [`RunError`] if the study cannot be played, or the caller asks to stop.
pub fn calibrate(
    study: &Study,
    play: &Play,
    levels: &[ValuedLevel],
    design: Design,
    progress: &dyn Progress,
) -> Result<Table, RunError> {
    let data = Dataset::new(&play.labelled, &play.measures, levels);
    let of_design = |person: Person| Person {
        restart: design.restart.unwrap_or(person.restart),
        give_up: design.give_up.unwrap_or(person.give_up),
        ..person
    };
    let people: Vec<Person> = people(&data).into_iter().map(of_design).collect();
    if people.is_empty() {
        return Err(RunError::Nobody);
    }
    let levels = &levels[..design.n_levels.unwrap_or(levels.len()).min(levels.len())];
    let n_participants = design.n_participants.unwrap_or(data.participants.len());
    let has_conditions = data.trials.iter().any(|trial| trial.condition.is_some());
    progress.begin("simulating studies", Some(u64::from(design.n_studies)));
    let of_study = |number: u32| {
        let seed = study.simulation.seed.wrapping_add(u64::from(number));
        let found = Simulated { study, levels, people: &people, n_participants, has_conditions, seed };
        let p_values = found.p_values(progress);
        progress.advance(1);
        p_values
    };
    let found: Vec<Vec<Option<f64>>> =
        (0..design.n_studies).into_par_iter().map(of_study).collect::<Result<_, RunError>>()?;
    progress.end();
    let row = |(place, headline): (usize, &Headline)| {
        let own: Vec<f64> = found.iter().filter_map(|study| study[place]).collect();
        let n_rejected = own.iter().filter(|&&p| p < 0.05).count() as u64;
        let rate = proportion(n_rejected, own.len() as u64, study.statistics.confidence);
        Record::new()
            .set(QUESTION, headline.question)
            .set(N_STUDIES, own.len())
            .set(N_FAILED, found.len() - own.len())
            .set(RATE, rate.estimate)
            .set(RATE_LOWER, rate.lower)
            .set(RATE_UPPER, rate.upper)
    };
    let rows: Vec<Record> = HEADLINES.iter().enumerate().map(row).collect();
    let caption = format!(
        "How often the tests of the report reject at 5 % what is true: {} simulated studies of {n_participants} participants at {} levels.",
        design.n_studies,
        levels.len()
    );
    Ok(Table::of_records("calibration", &caption, COLUMNS, &rows))
}

/// One study in which nothing is true.
struct Simulated<'a> {
    study: &'a Study,
    levels: &'a [ValuedLevel],
    people: &'a [Person],
    n_participants: usize,
    has_conditions: bool,
    seed: u64,
}

impl Simulated<'_> {
    fn p_values(&self, progress: &dyn Progress) -> Result<Vec<Option<f64>>, RunError> {
        let silent = CancelOnly(progress);
        let trials = self.trials(&silent)?;
        let file = TemporaryFile::new(|file| write_log(&trials, file).map_err(std::io::Error::other));
        let file = file.map_err(|source| ReportError::Io { action: "write", path: std::env::temp_dir(), source })?;
        let mut study = self.study.clone();
        study.log = LogSpec { files: vec![file.path().to_owned()], ..LogSpec::default() };
        study.columns.clear();
        (study.include, study.exclude) = (Vec::new(), Vec::new());
        let spec = study.log_spec().unwrap_or_default();
        let log = read_log(&spec, &silent).map_err(RunError::from)?;
        let play = play_of(&study, log, self.levels, &silent)?;
        let mut analyses: Vec<&Analysis> = Vec::new();
        for headline in HEADLINES {
            let analysis = Analysis::named(headline.analysis).expect("it is one of the analyses");
            if !analyses.iter().any(|own| own.name == analysis.name) {
                analyses.push(analysis);
            }
        }
        let found = statistics(&study, &play, self.levels, &analyses, &RunOptions::default(), &silent)?;
        let p = |headline: &Headline| {
            let table = found.all_tables().find(|table| table.name == headline.table)?;
            table.number_at(table.row(headline.row)?, headline.p)
        };
        Ok(HEADLINES.iter().map(p).collect())
    }

    /// What everybody plays, each in an order of their own.
    fn trials(&self, progress: &dyn Progress) -> Result<Vec<PlayedTrial>, RunError> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut conditions: Vec<Option<String>> = (0..self.n_participants)
            .map(|number| self.has_conditions.then(|| ["one", "other"][number % 2].to_owned()))
            .collect();
        conditions.shuffle(&mut random);
        let mut all = Vec::new();
        for (number, condition) in conditions.into_iter().enumerate() {
            let person = self.people.choose(&mut random).expect("there is somebody");
            let mut player = Player {
                participant: format!("p{number:04}"),
                condition,
                policy: LapseOptimal { lapse: person.lapse },
                tempo: person.tempo,
                persistence: Persistence { astray_by: 0, reset_chance: person.restart, ..Persistence::default() },
            };
            let mut order: Vec<&ValuedLevel> = self.levels.iter().collect();
            order.shuffle(&mut random);
            let seed = random.random();
            for level in order {
                player.persistence.max_moves = moves_until_given_up(person.give_up, &mut random);
                all.push(player.play(level, seed, progress)?);
            }
        }
        Ok(all)
    }
}

/// After how many moves one gives up who does so after each with the same probability, at most as many as usual.
fn moves_until_given_up(probability: f64, random: &mut ChaCha8Rng) -> u32 {
    let most = Persistence::default().max_moves;
    (1..most).find(|_| random.random::<f64>() < probability).unwrap_or(most)
}

/// Skill, tempo and persistence of everybody with timed moves.
fn people(data: &Dataset) -> Vec<Person> {
    let lapses = crate::analysis::errors::lapses(data);
    let of_person = |(attempts, lapse): (Vec<&AttemptRow>, f64)| {
        let moves = || attempts.iter().flat_map(|attempt| data.moves_of(attempt));
        let logs = |is_first: bool| -> Vec<f64> {
            let own = moves().filter(|own| (own.ply == 0) == is_first);
            own.filter_map(|own| own.rt_s).filter(|&time| time > 0.0).map(f64::ln).collect()
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
