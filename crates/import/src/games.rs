//! The game of levels that nobody named: the one at which the files replay best.

use std::path::PathBuf;

use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::registry::{GAMES, Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{LoadError, LoadedLevel, load_levels};
use plymap_statistics::stats::apa::counted;

use crate::proposal::{Certainty, Proposal, ProposalError, ProposalNote, Trial};
use crate::propose;
use plymap_log::LogError;

/// Share of the best score from which on another game can be meant too.
const NEAR: f64 = 0.9;

/// Levels as one of the games reads them.
pub struct GameLevels {
    /// The game.
    pub game: &'static Game,
    /// The levels.
    pub levels: Vec<LoadedLevel>,
}

/// Reads the levels of files and folders as those of each game that can read them; `options` are the rules for each.
///
/// # Errors
///
/// If no game reads them: the game that is nearest, with its faults.
pub fn levels_of_any_game(
    files: &[PathBuf],
    columns: &LevelColumns,
    options: impl Fn(&Game) -> RuleOptions,
) -> Result<Vec<GameLevels>, (Option<&'static Game>, LoadError)> {
    let mut read = Vec::new();
    let mut nearest: Option<(&'static Game, LoadError)> = None;
    for game in GAMES {
        let options = options(game);
        if (game.check_options)(&options).is_err() {
            continue;
        }
        match load_levels(files, columns, game, &options) {
            Ok(levels) => read.push(GameLevels { game, levels }),
            Err(faults) if nearest.as_ref().is_none_or(|(_, least)| faults.0.len() < least.0.len()) => {
                nearest = Some((game, faults));
            }
            Err(_) => {}
        }
    }
    match nearest {
        Some((game, faults)) if read.is_empty() => Err((Some(game), faults)),
        None if read.is_empty() => Err((None, LoadError(Vec::new()))),
        _ => Ok(read),
    }
}

/// A proposal, and the levels by which it was found.
pub struct GameProposal {
    /// The proposal.
    pub proposal: Proposal,
    /// The levels.
    pub levels: Vec<LoadedLevel>,
    /// Their game.
    pub game: &'static Game,
}

/// Proposes how to read files as play at levels of the game at which they replay best. Where nobody named the game,
/// the proposal has a note on it.
///
/// # Errors
///
/// [`ProposalError`] of the only game, or of all games.
pub fn propose_best(
    files: &[PathBuf],
    preset: Option<&str>,
    games: Vec<GameLevels>,
    is_named: bool,
    progress: &dyn Progress,
) -> Result<GameProposal, ProposalError> {
    let n_games = games.len();
    let mut candidates: Vec<GameProposal> = Vec::new();
    let mut reasons: Vec<String> = Vec::new();
    for GameLevels { game, levels } in games {
        let rules: Vec<(&str, &dyn Rules)> =
            levels.iter().map(|level| (level.origin.id.as_str(), &*level.rules)).collect();
        match propose(files, preset, &rules, progress) {
            Ok(proposal) => candidates.push(GameProposal { proposal, levels, game }),
            Err(ProposalError::Cancelled | ProposalError::Log(LogError::Cancelled)) => {
                return Err(ProposalError::Cancelled);
            }
            Err(error) if n_games == 1 => return Err(error),
            Err(error) => reasons.push(format!("as {}: {error}", game.name)),
        }
    }
    candidates.sort_by(|left, right| right.proposal.score.total_cmp(&left.proposal.score));
    let mut candidates = candidates.into_iter();
    let Some(mut best) = candidates.next() else {
        return Err(ProposalError::NoGame { n_games, reasons: reasons.join("\n  ") });
    };
    if !is_named {
        let note = about_game(&best, candidates.as_slice());
        best.proposal.notes.insert(0, note);
    }
    Ok(best)
}

/// Returns a note on a game that nobody named; the others that read the levels can be meant too.
fn about_game(best: &GameProposal, others: &[GameProposal]) -> ProposalNote {
    let mut reason = format!("it reads the levels, and {} are moves in it", used_rows(best));
    let near: Vec<String> = others
        .iter()
        .filter(|other| !other.proposal.is_doubtful() && other.proposal.score > NEAR * best.proposal.score)
        .map(|other| format!("{} ({})", other.game.name, used_rows(other)))
        .collect();
    let certainty = if near.is_empty() { Certainty::Likely } else { Certainty::Ask };
    if !near.is_empty() {
        reason += &format!("; so it is in {}", near.join(", "));
    }
    ProposalNote { entry: "game".to_owned(), certainty, reason }
}

/// The number of rows that are moves of this game.
fn used_rows(best: &GameProposal) -> String {
    let Trial { n_moves, n_unused, .. } = &best.proposal.trial;
    format!("{n_moves} of {}", counted(n_moves + *n_unused as usize, "row"))
}
