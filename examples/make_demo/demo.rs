//! The demo study: its levels, who plays them, and the files that this leaves.

use std::collections::BTreeMap;
use std::error::Error;

use plymap_log::Event;
use plymap_players::{
    LapseOptimal, Persistence, PlayedRow, PlayedTrial, Player, PlayerRow, Tempo, play_all, players_table, write_log,
};
use plymap_puzzles::game::rush_hour::notation::to_board_text;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};
use plymap_tables::{Format, render};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::boards;

/// Seed of the levels, of the participants and of their play.
pub const SEED: u64 = 1;
const N_PARTICIPANTS: usize = 36;

/// Level 1 of the article, as it stands there: size, orientation, row, column; the red piece first.
const ARTICLE: &str = "2 1 3 2\n2 1 1 1\n2 1 5 5\n3 1 6 3\n3 2 2 1\n2 2 5 1\n3 2 1 6\n3 2 2 4\n";

/// The demo before it is written.
pub struct Demo {
    /// Text of each level by its name, in the order of names and of play.
    pub level_texts: Vec<(String, String)>,
    /// The levels, in the same order.
    pub levels: Vec<ValuedLevel>,
    /// The participants.
    pub players: Vec<Player>,
    /// All that they did: the log before its three defects.
    pub trials: Vec<PlayedTrial>,
}

impl Demo {
    /// Makes the levels and the participants, and lets them play.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let mut level_texts = vec![("article-1".to_owned(), ARTICLE.to_owned())];
        for (number, layout) in (1..).zip(boards::choose(SEED)) {
            let board = to_board_text(&layout).ok_or("a board cannot be drawn")?;
            // The writer leaves out the usual exit; who sees a level for the first time wants to see it.
            let rows = board
                .lines()
                .enumerate()
                .map(|(row, line)| if row == layout.exit.line { format!("{line} >\n") } else { format!("{line}\n") });
            level_texts.push((format!("demo-{number:02}"), rows.collect()));
        }
        let levels: Vec<_> = level_texts.iter().map(|(id, text)| mapped(id, text)).collect::<Result<_, _>>()?;
        let players = cohort();
        let trials = play_all(&players, &levels, SEED, &Silent)?;
        Ok(Self { level_texts, levels, players, trials })
    }

    /// All files below `data/demo` that are made by this program.
    pub fn files(&self) -> Result<BTreeMap<String, Vec<u8>>, Box<dyn Error>> {
        let levels = self.level_texts.iter().map(|(id, text)| (format!("levels/{id}.txt"), text.clone().into_bytes()));
        let mut files: BTreeMap<_, _> = levels.collect();
        let players: Vec<PlayerRow> = self.players.iter().map(PlayerRow::from).collect();
        files.insert("players.csv".to_owned(), render(&players_table(&players), Format::Csv)?.into_bytes());
        let mut log = Vec::new();
        write_log(&self.with_defects()?, &mut log)?;
        files.insert("logs/moves.csv".to_owned(), log);
        Ok(files)
    }

    /// The trials with three things that real loggers write, so that the demo shows what becomes of them:
    /// a move that the board does not allow, an action that is no text, and a level that the study lacks.
    fn with_defects(&self) -> Result<Vec<PlayedTrial>, Box<dyn Error>> {
        let mut trials = self.trials.clone();
        action_of(&mut trials, "p07", "demo-05", 4)?.replace("A+5".to_owned());
        action_of(&mut trials, "p18", "demo-07", 6)?.replace("[object Object]".to_owned());
        let at = trials.iter().position(|trial| trial.participant == "p23").ok_or("nobody is p23")?;
        let practice = PlayedTrial { level: "practice".to_owned(), rows: vec![practice_move()], ..trials[at].clone() };
        trials.insert(at, practice);
        Ok(trials)
    }
}

/// The action of a participant's first move at a level with this number within its attempt.
fn action_of<'a>(
    trials: &'a mut [PlayedTrial],
    participant: &str,
    level: &str,
    index: u32,
) -> Result<&'a mut Option<String>, Box<dyn Error>> {
    let trial = trials.iter_mut().find(|trial| trial.participant == participant && trial.level == level);
    let row = trial.and_then(|trial| trial.rows.iter_mut().find(|row| row.move_index == Some(index)));
    Ok(&mut row.ok_or_else(|| format!("{participant} made no move {index} at {level}"))?.action)
}

fn practice_move() -> PlayedRow {
    let action = Some("A+3".to_owned());
    PlayedRow {
        attempt: 1,
        move_index: Some(0),
        event: Event::Move,
        action,
        state_after: None,
        rt_s: 4.5,
        made: None,
        n_legal: 1,
        mode: None,
    }
}

fn mapped(id: &str, text: &str) -> Result<ValuedLevel, Box<dyn Error>> {
    let game = Game::named("rush-hour").ok_or("no such game")?;
    let level = LoadedLevel::from_text(id, text, game, &RuleOptions::default());
    Ok(ValuedLevel::new(level.map_err(|faults| faults[0].to_string())?, game.name, &Default::default())?)
}

/// Half of the participants are told to be quick, half to be right, in turn. The ranges of the conditions
/// overlap, as those of people do.
fn cohort() -> Vec<Player> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    // Apart from the streams of boards, which are numbered by distances.
    random.set_stream(u64::MAX);
    let numbers = 1..=N_PARTICIPANTS;
    numbers.map(|number| participant(number, number % 2 == 1, &mut random)).collect()
}

fn participant(number: usize, is_speed: bool, random: &mut ChaCha8Rng) -> Player {
    // Rounded, so that the table of players tells the whole truth.
    let mut between = |low: f64, high: f64| (1000.0 * random.random_range(low..high)).round() / 1000.0;
    let (condition, lapse, median_time_s, first_move_factor) = if is_speed {
        ("speed", between(0.25, 0.55), between(0.7, 1.6), between(2.0, 4.0))
    } else {
        ("accuracy", between(0.10, 0.40), between(1.3, 3.2), between(3.0, 7.0))
    };
    let tempo = Tempo {
        median_time_s,
        sigma: between(0.35, 0.6),
        first_move_median_s: (1000.0 * median_time_s * first_move_factor).round() / 1000.0,
        choice_exponent: between(0.1, 0.4),
        p_start_thinking: between(0.04, 0.12),
        p_keep_thinking: between(0.3, 0.6),
        thinking_factor: between(3.0, 6.0),
    };
    let persistence = Persistence {
        astray_by: between(2.0, 4.0) as u32,
        reset_chance: between(0.1, 0.6),
        max_moves: between(40.0, 130.0) as u32,
    };
    Player {
        participant: format!("p{number:02}"),
        condition: Some(condition.to_owned()),
        policy: LapseOptimal { lapse },
        tempo,
        persistence,
    }
}
