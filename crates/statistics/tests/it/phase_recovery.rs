//! Players whose phases are known: does segmentation find them again?
//!
//! A player thinks and acts as a two-state Markov chain. Times are log-normal: a move takes `median_s`
//! while acting, `factor` times as long while thinking, times e to the power of normal noise with the
//! standard deviation `sigma`. An attempt's first move has a median of its own, and counts as acting. This
//! is the tempo of plymap's synthetic players.

use plymap_statistics::phase::agreement::{agreement, agreements};
use plymap_statistics::phase::em::Em;
use plymap_statistics::phase::hidden_markov::hidden_markov;
use plymap_statistics::phase::mixture::mixture;
use plymap_statistics::phase::null::shuffle_test;
use plymap_statistics::phase::quality::quality_by_place;
use plymap_statistics::phase::segments::phases_of_all;
use plymap_statistics::phase::selection::Selection;
use plymap_statistics::phase::{Mode, Move, PhaseMethod, Segmentation, Segmenter};
use plymap_statistics::stats::Confidence;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

#[derive(Clone, Copy)]
struct Player {
    median_s: f64,
    sigma: f64,
    first_median_s: f64,
    p_start_thinking: f64,
    p_keep_thinking: f64,
    factor: f64,
}

/// Thinks six times as long as it acts: the medians lie 4.5 standard deviations apart.
const PENSIVE: Player = Player {
    median_s: 0.9,
    sigma: 0.4,
    first_median_s: 7.0,
    p_start_thinking: 0.12,
    p_keep_thinking: 0.5,
    factor: 6.0,
};

/// Never thinks.
const STEADY: Player = Player { p_start_thinking: 0.0, p_keep_thinking: 0.0, factor: 1.0, ..PENSIVE };

/// Thinks as often as [`PENSIVE`], but at any move alike.
const FORGETFUL: Player = Player { p_start_thinking: 0.2, p_keep_thinking: 0.2, ..PENSIVE };

/// Simulated play: moves, and the true mode of each; first moves have none.
struct Played {
    attempts: Vec<Vec<Move>>,
    modes: Vec<Vec<Option<Mode>>>,
}

impl Player {
    fn play(&self, n_attempts: usize, n_moves: usize, seed: u64) -> Played {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut played = Played { attempts: Vec::new(), modes: Vec::new() };
        for _ in 0..n_attempts {
            let (mut moves, mut modes) = (Vec::new(), Vec::new());
            let mut mode = Mode::Acting;
            for index in 0..n_moves {
                let uniform: f64 = generator.random();
                let normal: f64 = generator.sample(StandardNormal);
                let noise = (self.sigma * normal).exp();
                if index == 0 {
                    moves.push(Move { is_first: true, ..Move::later(self.first_median_s * noise) });
                    modes.push(None);
                    continue;
                }
                let p = if mode == Mode::Thinking { self.p_keep_thinking } else { self.p_start_thinking };
                mode = if uniform < p { Mode::Thinking } else { Mode::Acting };
                let factor = if mode == Mode::Thinking { self.factor } else { 1.0 };
                moves.push(Move::later(self.median_s * factor * noise));
                modes.push(Some(mode));
            }
            played.attempts.push(moves);
            played.modes.push(modes);
        }
        played
    }
}

impl Played {
    /// Times of all but first moves.
    fn times(&self) -> Vec<Vec<f64>> {
        let later = |moves: &Vec<Move>| moves.iter().filter(|step| !step.is_first).map(|step| step.time_s).collect();
        self.attempts.iter().map(later).collect()
    }

    /// Agreement of labels with the truth: share of moves and Cohen's κ.
    fn recovered(&self, segmentation: &Segmentation) -> (f64, f64) {
        let flat = |modes: &[Vec<Option<Mode>>]| modes.iter().flatten().copied().collect::<Vec<_>>();
        let (truth, labels) = (flat(&self.modes), flat(&segmentation.modes));
        assert!(truth.iter().zip(&labels).all(|(truth, label)| truth.is_some() == label.is_some()));
        let pick = |labels: Vec<Option<Mode>>| labels.into_iter().flatten().collect::<Vec<_>>();
        let result = agreement(&pick(truth), &pick(labels));
        (result.share_equal.unwrap(), result.kappa.unwrap())
    }
}

fn segmenter(method: PhaseMethod) -> Segmenter {
    Segmenter::new(method, 1)
}

const HIDDEN_MARKOV: PhaseMethod = PhaseMethod::HiddenMarkov { n_states: 2 };
const MIXTURE: PhaseMethod = PhaseMethod::Mixture { n_components: 2 };

/// Demanded of each of ten players with 750 moves: at least 95 % of the moves right and κ at least 0.9.
/// If both components were known, a mixture would be wrong at 1 to 2 % of the moves.
#[test]
fn hidden_markov_models_and_mixtures_find_the_phases_of_a_pensive_player() {
    for seed in 0..10 {
        let played = PENSIVE.play(30, 26, seed);
        for method in [HIDDEN_MARKOV, MIXTURE] {
            let segmentation = segmenter(method).segment(&played.attempts);
            assert_eq!((segmentation.n_moves, segmentation.n_left_out, &segmentation.reason), (750, 30, &None));
            let (share, kappa) = played.recovered(&segmentation);
            assert!(share >= 0.95 && kappa >= 0.9, "{method}, seed {seed}: {share} right, κ = {kappa}");
        }
    }
}

/// The order of times helps where times alone overlap: of ten players whose thinking takes 2.5 times as
/// long and goes on for five moves, the hidden Markov model labels more moves rightly for each, and at
/// least 5 % more on average.
#[test]
fn order_helps_where_times_overlap() {
    let player = Player { factor: 2.5, sigma: 0.5, p_start_thinking: 0.1, p_keep_thinking: 0.8, ..PENSIVE };
    let gain = |seed: u64| {
        let played = player.play(30, 41, seed);
        let share = |method| played.recovered(&segmenter(method).segment(&played.attempts)).0;
        share(HIDDEN_MARKOV) - share(MIXTURE)
    };
    let gains: Vec<f64> = (0..10).map(gain).collect();
    assert!(gains.iter().all(|&gain| gain > 0.0), "{gains:?}");
    assert!(gains.iter().sum::<f64>() / 10.0 >= 0.05, "{gains:?}");
}

/// Deviations of estimates from the truth are counted in the standard errors that they would have if the
/// states were seen. States that are not seen cost some more. Demanded of 30 players with 1,200 moves each:
/// every median within 10 %, no bias (the mean of 30 deviations within three of its standard errors), and
/// a standard deviation of at most 1.5 of these errors. By chance alone, an unbiased estimator would fail
/// one of the six demands on the mean with a probability of about 3 %, once and for all.
#[test]
fn parameters_of_a_pensive_player_are_recovered() {
    let deviations: Vec<[f64; 6]> = (100..130).map(deviations_of_a_pensive_player).collect();
    let n = deviations.len() as f64;
    for parameter in 0..6 {
        let values: Vec<f64> = deviations.iter().map(|row| row[parameter]).collect();
        let mean = values.iter().sum::<f64>() / n;
        let sd = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        assert!(mean.abs() <= 3.0 * sd / n.sqrt(), "parameter {parameter}: mean {mean}, sd {sd}");
        assert!(sd <= 1.5, "parameter {parameter}: sd {sd}");
    }
}

/// Deviations of the estimated means, standard deviations and probabilities of thinking from the true ones, each for
/// acting and for thinking, in standard errors.
fn deviations_of_a_pensive_player(seed: u64) -> [f64; 6] {
    let played = PENSIVE.play(40, 31, seed);
    let fit = hidden_markov(&played.times(), 2, &Em::new(3));
    let optimum = fit.outcome.unwrap();
    assert_eq!((fit.n, optimum.reason), (1_200, None));
    let parameters = optimum.parameters;
    let n_thinking = played.modes.iter().flatten().filter(|&&mode| mode == Some(Mode::Thinking)).count() as f64;
    let mut deviations = [0.0; 6];
    for (state, n) in [1_200.0 - n_thinking, n_thinking].into_iter().enumerate() {
        let median = PENSIVE.median_s * [1.0, PENSIVE.factor][state];
        let p = [PENSIVE.p_start_thinking, PENSIVE.p_keep_thinking][state];
        let off = parameters.means[state] - median.ln();
        assert!(off.abs() < 1.1_f64.ln(), "seed {seed}: median {} of state {state}", parameters.means[state].exp());
        deviations[state] = off / (PENSIVE.sigma / n.sqrt());
        deviations[2 + state] = (parameters.sds[state] - PENSIVE.sigma) / (PENSIVE.sigma / (2.0 * n).sqrt());
        deviations[4 + state] = (parameters.transitions[state][1] - p) / (p * (1.0 - p) / n).sqrt();
    }
    let plain = mixture(&played.times().concat(), 2, &Em::new(3)).outcome.unwrap().parameters;
    for (actual, expected) in plain.medians_s().into_iter().zip([0.9, 5.4]) {
        assert!((actual / expected).ln().abs() < 1.1_f64.ln(), "seed {seed}: median {actual} of the mixture");
    }
    // The share of thinking is 0.12 / (0.12 + 0.5) = 0.19, a little less at the start of attempts.
    assert!((0.1..0.3).contains(&plain.weights[1]), "seed {seed}: {:?}", plain.weights);
    deviations
}

/// The number of states that the criterion chooses among hidden Markov models of one to `most`.
fn n_hidden(times: &[Vec<f64>], most: usize, seed: u64) -> Option<usize> {
    let fits: Vec<_> = (1..=most).map(|n| hidden_markov(times, n, &Em::new(seed))).collect();
    Selection::of_hidden_markov(&fits).chosen
}

/// The same among mixtures.
fn n_components(times: &[f64], most: usize, seed: u64) -> Option<usize> {
    let fits: Vec<_> = (1..=most).map(|n| mixture(times, n, &Em::new(seed))).collect();
    Selection::of_mixtures(&fits).chosen
}

/// Demanded: the true number of states in at least 18 of 20 players with 300 moves each.
#[test]
fn the_criterion_finds_one_state_where_there_is_one_and_two_where_there_are_two() {
    for (player, truth) in [(STEADY, 1), (PENSIVE, 2)] {
        let chosen = |seed: u64| {
            let times = player.play(12, 26, 200 + seed).times();
            let hidden = n_hidden(&times, 3, seed);
            let plain = n_components(&times.concat(), 3, seed);
            (hidden == Some(truth), plain == Some(truth))
        };
        let right: Vec<(bool, bool)> = (0..20).map(chosen).collect();
        let (hidden, plain) = (right.iter().filter(|pick| pick.0).count(), right.iter().filter(|pick| pick.1).count());
        assert!(hidden >= 18, "hidden Markov models: {truth} chosen for {hidden} of 20");
        assert!(plain >= 18, "mixtures: {truth} chosen for {plain} of 20");
    }
}

/// Few moves tempt a component to settle on a few times that happen to be close. Demanded: one state in at
/// least 18 of 20 players with 40 moves each.
#[test]
fn few_moves_of_one_state_do_not_become_two() {
    let is_one = |seed: u64| {
        let times = STEADY.play(4, 11, 300 + seed).times();
        let plain = n_components(&times.concat(), 2, seed) == Some(1);
        (plain, n_hidden(&times, 2, seed) == Some(1))
    };
    let right: Vec<(bool, bool)> = (0..20).map(is_one).collect();
    let (plain, hidden) = (right.iter().filter(|pick| pick.0).count(), right.iter().filter(|pick| pick.1).count());
    assert!(plain >= 18 && hidden >= 18, "mixtures {plain} of 20, hidden Markov models {hidden} of 20");
}

/// Change points suit long stretches: demanded are 90 % of the moves of ten players who think for 30 moves
/// on average, and act for 30.
#[test]
fn change_points_find_long_stretches() {
    let player = Player { p_start_thinking: 1.0 / 30.0, p_keep_thinking: 29.0 / 30.0, ..PENSIVE };
    for seed in 400..410 {
        let played = player.play(6, 151, seed);
        let method = PhaseMethod::ChangePoints { penalty: 2.0, min_moves: 2 };
        let (share, _) = played.recovered(&segmenter(method).segment(&played.attempts));
        assert!(share >= 0.9, "seed {seed}: {share}");
    }
}

/// A split at the share of acting moves is right where the share is known beforehand, and says nothing
/// about it: at the median it calls half of the moves thinking, whatever the player.
#[test]
fn a_quantile_split_finds_what_it_was_told() {
    let played = PENSIVE.play(30, 26, 7);
    let share_acting = 0.5 / (0.12 + 0.5);
    let segmentation = segmenter(PhaseMethod::Quantile { proportion: share_acting }).segment(&played.attempts);
    assert!(played.recovered(&segmentation).0 >= 0.9, "{:?}", played.recovered(&segmentation));
    for player in [PENSIVE, STEADY] {
        let played = player.play(30, 26, 7);
        assert_eq!(segmenter(PhaseMethod::Quantile { proportion: 0.5 }).segment(&played.attempts).n_thinking, 375);
    }
}

/// Thinking that goes on makes fewer phases than chance. A player who thinks at any move alike is held for
/// one whose phases differ in at most one in twenty tests at the 5 % level: among 100 such players, more than
/// 11 would come up by chance with probability 0.004.
#[test]
fn shuffling_tells_lasting_phases_from_chance() {
    let lasting = Player { p_keep_thinking: 0.7, ..PENSIVE };
    for method in [MIXTURE, PhaseMethod::Quantile { proportion: 0.5 }] {
        let shuffled = shuffle_test(&lasting.play(20, 26, 5).times(), &segmenter(method), 999, 1).n_phases;
        assert_eq!(shuffled.p_low, Some(0.001), "{method}: {shuffled:?}");
        assert!(shuffled.z.unwrap() < -5.0, "{method}: {shuffled:?}");
        let is_unusual = |seed: &u64| {
            let times = FORGETFUL.play(10, 26, 500 + seed).times();
            shuffle_test(&times, &segmenter(method), 199, *seed).n_phases.p_value.unwrap() <= 0.05
        };
        let n_unusual = (0..100).filter(is_unusual).count();
        assert!(n_unusual <= 11, "{method}: {n_unusual} of 100");
    }
}

/// The same for the hidden Markov model, which is fitted again to every shuffle: 40 players of whom more
/// than 6 would come up by chance with probability 0.003.
#[test]
fn a_hidden_markov_model_does_not_find_phases_in_chance() {
    let once = Segmenter { em: Em { n_starts: 1, ..Em::new(1) }, ..segmenter(HIDDEN_MARKOV) };
    let lasting = Player { p_keep_thinking: 0.7, ..PENSIVE };
    let shuffled = shuffle_test(&lasting.play(20, 26, 5).times(), &once, 99, 1);
    assert_eq!(shuffled.n_phases.p_low, Some(0.01), "{shuffled:?}");
    assert!(shuffled.mean_moves_thinking.z.unwrap() > 3.0, "{shuffled:?}");
    let is_unusual = |seed: &u64| {
        let shuffled = shuffle_test(&FORGETFUL.play(10, 21, 700 + seed).times(), &once, 39, *seed);
        shuffled.n_phases.p_value.unwrap() <= 0.05
    };
    let n_unusual = (0..40).filter(is_unusual).count();
    assert!(n_unusual <= 6, "{n_unusual} of 40");
}

/// Moves are optimal with probability 0.8 while thinking and 0.5 while acting; tables must show that.
#[test]
fn tables_of_a_pensive_player_show_how_it_was_made() {
    let mut played = PENSIVE.play(60, 41, 11);
    let mut generator = ChaCha8Rng::seed_from_u64(12);
    for (step, mode) in played.attempts.iter_mut().flatten().zip(played.modes.iter().flatten()) {
        let p = if *mode == Some(Mode::Thinking) { 0.8 } else { 0.5 };
        step.is_optimal = Some(generator.random::<f64>() < p);
    }
    let segmentation = segmenter(HIDDEN_MARKOV).segment(&played.attempts);
    let all = phases_of_all(&played.attempts, &segmentation);
    // A stay of thinking lasts 1 / (1 − 0.5) = 2 moves, one of acting 1 / 0.12 = 8.3, less what the ends of
    // attempts cut off.
    let [thinking, acting] = [all.thinking.mean_moves.unwrap(), all.acting.mean_moves.unwrap()];
    assert!((1.8..2.2).contains(&thinking) && (6.5..8.4).contains(&acting), "{thinking} and {acting} moves");
    assert!((all.thinking.median_time_s.unwrap() / 5.4 - 1.0).abs() < 0.1);
    let rows = quality_by_place(&played.attempts, None, &segmentation, Confidence::default()).unwrap();
    for (row, p) in [(0, 0.8), (1, 0.8), (3, 0.5), (4, 0.5)] {
        let share = rows[row].optimal.estimate.unwrap();
        let error = (p * (1.0_f64 - p) / rows[row].n as f64).sqrt();
        // Some two in a hundred moves have the wrong label, which pulls the shares together by 0.01 to 0.03.
        assert!((share - p).abs() < 3.0 * error + 0.03, "{:?}: {share}", rows[row].place);
    }
    let others = PhaseMethod::USUAL.map(|method| segmenter(method).segment(&played.attempts));
    let kappas: Vec<f64> = agreements(&others).iter().map(|row| row.agreement.kappa.unwrap()).collect();
    assert!(kappas[0] > 0.9, "hidden Markov model and mixture: {kappas:?}");
    assert!(kappas.iter().all(|&kappa| kappa > 0.0), "{kappas:?}");
}
