//! Ways to read a log that were tried.

use super::proposal::{ProposalNote, Trial};
use plymap_log::{LogSpec, PipelineStep};

/// Share of rows from which on a proposal can be sure.
pub(crate) const SURE: f64 = 0.98;

/// A reading that was tried.
pub(crate) struct Tried {
    pub spec: LogSpec,
    pub title: Option<String>,
    pub notes: Vec<ProposalNote>,
    pub trial: Trial,
    pub score: f64,
    /// The next best, which plays other moves.
    pub next: Option<Box<Next>>,
    /// Score of its play.
    pub(super) played: u64,
    /// `true` if nearly all rows of the files are moves in it.
    pub(super) plays_all: bool,
    /// `true` if its notes say what is said of its files.
    pub(super) is_told: bool,
}

/// A reading that is not the best.
#[derive(Clone, Debug)]
pub(crate) struct Next {
    pub spec: LogSpec,
    pub title: Option<String>,
    pub notes: Vec<ProposalNote>,
    pub score: f64,
    pub n_moves: usize,
    pub n_unused: u64,
    pub(super) played: u64,
    pub(super) is_told: bool,
}

impl Tried {
    pub(super) fn as_next(&self) -> Box<Next> {
        let Self { spec, title, notes, score, trial, played, is_told, .. } = self;
        let Trial { n_moves, n_unused, .. } = *trial;
        let (spec, title, notes) = (spec.clone(), title.clone(), notes.clone());
        Box::new(Next { spec, title, notes, score: *score, n_moves, n_unused, played: *played, is_told: *is_told })
    }

    /// `true` if it gives way to another that plays all rows as they stand: rows that are made of columns are so many
    /// that some of them are moves by chance.
    pub(super) fn gives_way_to(&self, other: &Self) -> bool {
        let is_wide = |tried: &Self| tried.spec.steps.iter().any(|step| matches!(step, PipelineStep::Wide(_)));
        other.plays_all && !is_wide(other) && is_wide(self) && self.trial.share() < SURE
    }
}
