//! The game of levels that nobody named: the one at which the files replay best.

use std::path::{Path, PathBuf};

use plymap_log::LogError;
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::registry::{GAMES, Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{LoadError, LoadedLevel, load_levels};
use plymap_statistics::stats::apa::counted;

use super::proposal::{Certainty, Proposal, ProposalError, ProposalNote, Trial};
use super::propose;

/// Levels as those of a game.
pub type GameLevels = (Vec<LoadedLevel>, &'static Game);

/// Share of the best score from which another game may be meant as well.
const NEAR: f64 = 0.9;

/// Proposal for a game, with the levels at which it was found.
pub struct GameProposal {
    /// The proposal.
    pub proposal: Proposal,
    /// The levels.
    pub levels: Vec<LoadedLevel>,
    /// The game.
    pub game: &'static Game,
}

/// Reads the levels of files and folders as those of each game that can read them, and has these rules; returns also
/// the game that came nearest among those that cannot, with its faults.
pub fn levels_of_games(
    files: &[PathBuf],
    columns: &LevelColumns,
    rules: &toml::Table,
) -> (Vec<GameLevels>, Option<(&'static Game, LoadError)>) {
    let (mut read, mut nearest): (Vec<GameLevels>, Option<(&'static Game, LoadError)>) = (Vec::new(), None);
    for game in GAMES {
        let options = RuleOptions::of_game(Some(game.name), rules.clone(), PathBuf::new());
        if (game.check_options)(&options).is_err() {
            continue;
        }
        match load_levels(files, columns, game, &options) {
            Ok(levels) => read.push((levels, game)),
            Err(faults) if nearest.as_ref().is_none_or(|(_, least)| faults.0.len() < least.0.len()) => {
                nearest = Some((game, faults));
            }
            Err(_) => {}
        }
    }
    (read, nearest)
}

/// Finds out how the `files` may be read as play of one of these games: the one at whose levels they replay best. It is
/// noted as an assumption unless `is_named`.
///
/// # Errors
///
/// [`ProposalError`]; of several games, [`ProposalError::NoGame`].
pub fn propose_game(
    files: &[PathBuf],
    preset: Option<&str>,
    games: Vec<GameLevels>,
    is_named: bool,
    progress: &dyn Progress,
) -> Result<GameProposal, ProposalError> {
    let n_games = games.len();
    let mut candidates: Vec<GameProposal> = Vec::new();
    let mut reasons: Vec<String> = Vec::new();
    for (levels, game) in games {
        let rules: Vec<(&str, &dyn Rules)> =
            levels.iter().map(|level| (level.origin.id.as_str(), &*level.rules)).collect();
        match propose(files, preset, &rules, progress) {
            Ok(proposal) => candidates.push(GameProposal { proposal, levels, game }),
            Err(error @ (ProposalError::Cancelled | ProposalError::Log(LogError::Cancelled))) => return Err(error),
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
        best.proposal.notes.insert(0, about_game(&best, candidates.as_slice()));
    }
    Ok(best)
}

/// Returns a note on a game that nobody named; the others that read the levels can be meant too.
fn about_game(best: &GameProposal, others: &[GameProposal]) -> ProposalNote {
    let mut reason = format!("it reads the levels, and {} are moves in it", used_rows(best));
    let is_near =
        |other: &&GameProposal| !other.proposal.is_doubtful() && other.proposal.score > NEAR * best.proposal.score;
    let near: Vec<String> =
        others.iter().filter(is_near).map(|other| format!("{} ({})", other.game.name, used_rows(other))).collect();
    let certainty = if near.is_empty() { Certainty::Likely } else { Certainty::Ask };
    if !near.is_empty() {
        reason += &format!("; so it is in {}", near.join(", "));
    }
    ProposalNote { entry: "game".to_owned(), certainty, reason }
}

/// How many of the rows are moves of this game.
fn used_rows(best: &GameProposal) -> String {
    let Trial { n_moves, n_unused, .. } = &best.proposal.trial;
    format!("{n_moves} of {}", counted(n_moves + *n_unused as usize, "row"))
}

/// Returns the name of the study in a folder: that of the folder, where it has one.
pub fn study_name(folder: &Path) -> &str {
    folder.file_name().and_then(|name| name.to_str()).unwrap_or("study")
}
