//! The search for the reading of a log by which most of it can be replayed.

use super::find::{Actions, Finder, Found, Levels, NAMES, Plays, Shares, fill_of_participants, number_elements};
use super::form::{self, Form};
use super::notes::{lists_in_order, no_level, unread_lists, what_stands};
use super::proposal::{Certainty, ProposalError, ProposalNote, Trial};
use super::tried::{SURE, Tried};
use super::{shape, words};
use plymap_log::replay::replay;
use plymap_log::{
    Consequence, Event, LogDiagnostic, LogError, LogSpec, NullMoves, PipelineStep, Sample, read_log, sample_within,
};
use plymap_puzzles::progress::{Progress, Silent};
use plymap_statistics::stats::apa::counted;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};

/// Largest number of times that cells are taken apart one after the other.
const DEPTH: usize = 3;
/// Number of ways to take rows apart that are tried; what has more columns of lists is not a log that can be guessed.
const SHAPES: usize = 40;
/// Approximate number of rows that are read and replayed of each reading, however many one row of the files becomes.
const MADE: usize = 10_000;
/// Least number of rows of the files by which a reading is judged, if there are as many: fewer fit much by chance.
const FEWEST: u64 = 50;
/// Number of cells that are looked at of each reading: a log of many columns tells as much by fewer rows.
pub(super) const CELLS: u64 = 10_000_000;
/// Number of readings of the same rows that are read and replayed in whole, and share of the best score below which
/// none is.
const READ: usize = 6;
const FAR: f64 = 0.3;
/// Share of people at goals above which other forms of moves need not be tried.
const MANY: f64 = 0.5;
/// Weight of the share of people who reach goals: where every move is legal, it alone tells a wrong reading.
const GOALS: f64 = 0.15;

/// Weight of more moves in the same rows, as a power.
const PIECES: f64 = 0.05;

pub(super) struct Search<'a> {
    plays: &'a Plays<'a>,
    progress: &'a dyn Progress,
    pub best: Option<Tried>,
    /// Reason why there is none, by the reading that came nearest.
    pub reason: String,
    nearest: f64,
    /// Ways to take rows apart that were tried.
    n_shapes: usize,
    /// Score of the best way to write moves in its sample.
    best_score: f64,
    /// The most rows of one file that are looked at.
    rows_of_file: u64,
    /// The rows as the files have them.
    whole: Sample,
}

impl<'a> Search<'a> {
    pub fn new(plays: &'a Plays<'a>, progress: &'a dyn Progress) -> Self {
        Self {
            plays,
            progress,
            best: None,
            reason: "no column names a level".to_owned(),
            nearest: -1.0,
            n_shapes: 0,
            best_score: 0.0,
            rows_of_file: 1,
            whole: Sample::default(),
        }
    }

    /// Remembers why something is no proposal, if nothing came nearer to one.
    pub fn note(&mut self, nearness: f64, reason: String) {
        if nearness > self.nearest {
            (self.nearest, self.reason) = (nearness, reason);
        }
    }

    /// Tries files, or one table of them; `title` is that of their preset, and `note` what is said of
    /// them if they are proposed.
    pub fn try_files(
        &mut self,
        base: &LogSpec,
        title: Option<String>,
        note: Option<ProposalNote>,
    ) -> Result<(), ProposalError> {
        let usual = base.with_preset()?.usual_columns;
        // A bound in cells and not in rows: wide tables are as slow as long ones.
        let whole = sample_within(base, CELLS)?;
        let mut rows: HashMap<usize, u64> = HashMap::new();
        whole.rows.iter().for_each(|row| *rows.entry(row.file).or_default() += 1);
        self.rows_of_file = rows.into_values().max().unwrap_or(1);
        let fill = fill_of_participants(&whole, &usual);
        self.whole = whole;
        let steps = fill.iter().map(|(step, _)| step.clone()).collect();
        if base.is_said_by_preset()? {
            self.try_reading(Found::new(base), 1.0, 1.0, 1.0);
        } else {
            self.try_shape(&LogSpec { steps, ..base.clone() }, DEPTH, &BTreeSet::new(), None)?;
        }
        let of_files: Vec<ProposalNote> = note.into_iter().chain(fill.map(|(_, note)| note)).collect();
        let whole = &self.whole;
        let tell = |spec: &LogSpec, notes: &mut Vec<ProposalNote>| {
            notes.extend(of_files.iter().cloned());
            notes.extend(lists_in_order(spec));
            notes.extend(unread_lists(whole, spec));
        };
        if let Some(best) = self.best.as_mut() {
            if !std::mem::replace(&mut best.is_told, true) {
                best.title.clone_from(&title);
                tell(&best.spec, &mut best.notes);
            }
            if let Some(next) = best.next.as_mut().filter(|next| !next.is_told) {
                (next.title, next.is_told) = (title, true);
                tell(&next.spec, &mut next.notes);
            }
        }
        Ok(())
    }

    /// Tries the rows that `spec` gives, and those that come of them if they are taken apart. Cells of columns that
    /// stood beside some that were taken apart already, whose names are in `columns_beside`, would multiply the rows. With
    /// `form` the last step made columns of the parts of a text.
    fn try_shape(
        &mut self,
        spec: &LogSpec,
        depth: usize,
        columns_beside: &BTreeSet<String>,
        form: Option<&Form>,
    ) -> Result<(), ProposalError> {
        self.go_on()?;
        let sample = match sample_within(spec, CELLS) {
            Ok(sample) if !sample.rows.is_empty() => sample,
            // Steps that do not fit these files are no fault of the files.
            _ if depth < DEPTH => return Ok(()),
            other => other?,
        };
        let known = spec.with_preset()?;
        let is_split = matches!(spec.steps.last(), Some(PipelineStep::Split(_)));
        let finders = Finder::all(&sample, self.plays, spec, &known);
        if finders.is_empty() {
            self.note(0.0, no_level(&sample, self.plays.levels));
        }
        let parts = parts_of(spec, &sample, columns_beside);
        let shares = Shares::default();
        let mut candidates: Vec<(&Finder<'_>, Actions)> = Vec::new();
        for finder in &finders {
            let actions = finder.actions(is_split, &shares);
            if actions.is_empty() {
                let stands = what_stands(&sample, words::tells_play);
                let names = finder.what_names_levels();
                self.note(0.1, format!("{names}, and no column has moves or positions of them{stands}"));
            }
            // What is taken apart has to be what moves are made of.
            let is_of_parts = |actions: &Actions| parts.is_empty() || actions.uses_any(&parts);
            let written = |actions: Actions| match form {
                Some(form) => finder.written_in(form, actions),
                None => Some(actions),
            };
            let actions = actions.into_iter().filter(is_of_parts).filter_map(written);
            candidates.extend(actions.map(|actions| (finder, actions)));
        }
        // Replaying all rows is what costs, so that only the best of the sample come that far.
        candidates.sort_by(|left, right| quality(right).total_cmp(&quality(left)));
        for (number, (finder, actions)) in candidates.iter().take(READ).enumerate() {
            self.go_on()?;
            // What comes far behind in the sample does not win by all rows; of the rows as they are the second is told.
            if actions.score < FAR * self.best_score && (depth < DEPTH || number > 1) {
                break;
            }
            self.best_score = self.best_score.max(actions.score);
            let mut reading = (*finder).clone().found_beside(actions).with(actions);
            // A file whose rows become many more tells as much by fewer of them.
            // What came of those that were looked at tells what would come of all.
            let n_rows = sample.rows.len() as u64 * self.whole.n_read / sample.n_read.max(1);
            let part = (n_rows as usize / MADE).max(1);
            let (max_rows, n_parts) = self.rows_of_reading(part as u64);
            reading.spec.max_rows = Some(max_rows);
            let named = (finder.n_named + usize::from(actions.is_named)) as f64 / 3.0;
            self.try_reading(reading, named, actions.nearness(), n_parts);
        }
        if depth > 0 && !self.is_good() {
            self.try_parts_of_texts(spec, &sample, columns_beside)?;
        }
        if depth > 0 { self.try_more_rows(spec, &sample, depth - 1, columns_beside) } else { Ok(()) }
    }

    /// Number of rows of each file that are read where one of so many parts is enough, and how many times as many
    /// there are.
    fn rows_of_reading(&self, part: u64) -> (u64, f64) {
        let rows = (self.rows_of_file / part).max(1);
        let fewest = FEWEST.div_ceil(self.whole.files.len().max(1) as u64).min(self.rows_of_file);
        if rows < fewest { (fewest, self.rows_of_file as f64 / fewest as f64) } else { (rows, part as f64) }
    }

    /// Tries the parts of the texts of a sample as columns, and what stands behind prefixes.
    fn try_parts_of_texts(
        &mut self,
        spec: &LogSpec,
        sample: &Sample,
        columns_beside: &BTreeSet<String>,
    ) -> Result<(), ProposalError> {
        // Not taken apart any further: parts of parts multiply, and no log needs them.
        let with = |step: PipelineStep| LogSpec { steps: [&spec.steps[..], &[step]].concat(), ..spec.clone() };
        for form in form::forms(sample, columns_beside) {
            self.try_shape(&with(form.step()), 0, columns_beside, Some(&form))?;
        }
        form::without_prefixes(sample, columns_beside)
            .map_or(Ok(()), |step| self.try_shape(&with(step), 0, columns_beside, None))
    }

    /// Tries the steps that make more rows of those of a sample.
    fn try_more_rows(
        &mut self,
        spec: &LogSpec,
        sample: &Sample,
        depth: usize,
        columns_beside: &BTreeSet<String>,
    ) -> Result<(), ProposalError> {
        let lists = shape::lists(sample);
        let mut shapes = shape::shapes(sample, columns_beside);
        if !self.is_good() || self.leaves_lists() {
            shapes.extend(shape::texts(sample, columns_beside));
        }
        for step in shapes {
            // Counted over all depths, so that the search ends whatever the files hold.
            self.n_shapes += 1;
            if self.n_shapes > SHAPES {
                break;
            }
            let is_list = match &step {
                PipelineStep::Split(split) => {
                    split.into.is_empty() && (split.by.is_some() || lists.contains(&split.column))
                }
                // Lists in a list stand in columns with numbers.
                step => {
                    matches!(step, PipelineStep::Wide(_)) && matches!(spec.steps.last(), Some(PipelineStep::Split(_)))
                }
            };
            let mut columns_beside = columns_beside.clone();
            columns_beside.extend(shape::beside(&step, sample).cloned());
            let mut steps = [&spec.steps[..], &[step]].concat();
            if is_list {
                number_elements(&mut steps);
            }
            self.try_shape(&LogSpec { steps, ..spec.clone() }, depth, &columns_beside, None)?;
        }
        Ok(())
    }

    /// `true` if nothing better has to be looked for.
    fn is_good(&self) -> bool {
        // Where every move is legal, only goals tell that it is the right one.
        self.best.as_ref().is_some_and(|best| best.trial.share() >= SURE && best.trial.solved >= MANY)
    }

    /// `true` if the best leaves lists of the files aside.
    fn leaves_lists(&self) -> bool {
        self.best.as_ref().is_some_and(|best| unread_lists(&self.whole, &best.spec).is_some())
    }

    fn go_on(&self) -> Result<(), ProposalError> {
        if self.progress.is_cancelled() { Err(ProposalError::Cancelled) } else { Ok(()) }
    }

    /// Tries a reading whose columns are called so to the share `named`, in one of so many parts of the rows.
    fn try_reading(&mut self, Found { spec, mut notes, .. }: Found, named: f64, nearness: f64, n_parts: f64) {
        let tried = replayed(&spec, self.plays.levels, &Silent)
            .and_then(|trial| without_null_moves(spec, self.plays.levels, trial));
        let (spec, trial, note) = match tried {
            Ok(tried) => tried,
            // A reading that the reader refuses is no proposal.
            Err(error) => return self.note(nearness, error.to_string()),
        };
        if trial.n_moves == 0 {
            let diagnostics = trial.diagnostics();
            let worst = diagnostics.iter().find(|diagnostic| diagnostic.consequence != Consequence::Kept);
            return self.note(nearness, worst.map_or_else(|| "no row is a move".to_owned(), ToString::to_string));
        }
        notes.extend(note);
        let Played { moves: played, n_rows } = Played::of(&trial);
        // A row that is taken apart counts once, or the pieces of a move would be better than the move.
        // No more rows can be moves than there are, whatever comes of a part of them.
        let n_all = self.whole.n_read.max(1) as f64;
        let n_rows = (n_parts * n_rows).min(n_all);
        let size = n_rows * (n_parts * trial.n_moves as f64).powf(PIECES);
        let score = size * trial.share() * (1.0 - GOALS - NAMES + GOALS * trial.solved + NAMES * named);
        let plays_all = n_rows >= SURE * n_all && trial.share() >= SURE;
        self.take(Tried { spec, title: None, notes, trial, score, next: None, played, plays_all, is_told: false });
    }

    /// Keeps the two best readings that play different moves.
    fn take(&mut self, mut tried: Tried) {
        let Some(best) = &mut self.best else { return self.best = Some(tried) };
        if tried.score > best.score && !tried.gives_way_to(best) {
            let before = best.next.take().filter(|next| next.played != tried.played);
            tried.next = if best.played == tried.played { before } else { Some(best.as_next()) };
            self.best = Some(tried);
        } else if tried.played != best.played && best.next.as_ref().is_none_or(|next| tried.score > next.score) {
            best.next = Some(tried.as_next());
        }
    }
}

fn quality((finder, actions): &(&Finder<'_>, Actions)) -> f64 {
    actions.score + NAMES * finder.n_named as f64
}

/// The columns that the last step of a shape made or changed; none where nothing was taken apart.
fn parts_of(spec: &LogSpec, sample: &Sample, columns_beside: &BTreeSet<String>) -> Vec<usize> {
    let is_new = |name: &String| match spec.steps.last() {
        Some(PipelineStep::Split(split)) if !split.into.is_empty() => split.into.contains(name),
        Some(PipelineStep::Split(_)) => !columns_beside.contains(name),
        Some(PipelineStep::Wide(wide)) => wide.columns.contains_key(name),
        Some(PipelineStep::Set(set)) => set.contains_key(name),
        _ => false,
    };
    (0..sample.columns.len()).filter(|&place| is_new(&sample.columns[place])).collect()
}

/// Reads a log whole, and replays it at these levels.
///
/// # Errors
///
/// As [`read_log`].
pub fn replayed(spec: &LogSpec, levels: &Levels<'_>, progress: &dyn Progress) -> Result<Trial, LogError> {
    let log = read_log(spec, progress)?;
    let replay = replay(&log, 0..log.rows.len(), levels, spec);
    let n_moves = replay.steps.iter().filter(|step| step.played.is_some_and(|played| played.is_legal)).count();
    // A row that was saved twice is no loss.
    let n_copies = log.diagnostics.iter().filter(|diagnostic| diagnostic.code == "duplicate-row").count() as u64;
    let n_unused = log.n_rejected + replay.n_rejected + replay.n_excluded - n_copies;
    let mut attempts: HashMap<_, bool> = HashMap::new();
    let mut plays: HashMap<_, bool> = HashMap::new();
    for step in replay.steps.iter().filter(|step| step.played.is_some()) {
        let row = log.rows.at(step.row as usize);
        let is_goal = levels[step.level as usize].1.is_goal(step.after);
        *attempts.entry(row.place()).or_default() |= is_goal;
        *plays.entry((row.participant(), step.level)).or_default() |= is_goal;
    }
    let n_solved = attempts.values().filter(|solved| **solved).count();
    let solved = plays.values().filter(|solved| **solved).count() as f64 / plays.len().max(1) as f64;
    Ok(Trial { log, replay, n_moves, n_unused, n_attempts: attempts.len(), n_solved, solved })
}

/// Play of people by a trial.
struct Played {
    /// Their moves, as a number.
    moves: u64,
    /// Rows of the files with a move that the rules allow, and half of those that nobody answered.
    n_rows: f64,
}

impl Played {
    fn of(trial: &Trial) -> Self {
        let mut moves = DefaultHasher::new();
        let mut rows: HashSet<(usize, u64)> = HashSet::new();
        let mut unanswered: HashSet<(usize, u64)> = HashSet::new();
        for step in &trial.replay.steps {
            let row = trial.log.rows.at(step.row as usize);
            let Some(played) = step.played else {
                if row.event() == Event::NullMove {
                    unanswered.insert((row.file(), row.line()));
                }
                continue;
            };
            (row.participant(), row.level(), row.attempt(), step.before, step.after).hash(&mut moves);
            if played.is_legal {
                rows.insert((row.file(), row.line()));
            }
        }
        // Where nobody answered, the row is read all the same; moves are better.
        let n_rows = rows.len() as f64 + 0.5 * unanswered.difference(&rows).count() as f64;
        Self { moves: moves.finish(), n_rows }
    }
}

/// Leaves out actions that change nothing, where that makes more rows moves.
fn without_null_moves(
    spec: LogSpec,
    levels: &Levels<'_>,
    trial: Trial,
) -> Result<(LogSpec, Trial, Option<ProposalNote>), LogError> {
    if spec.null_moves != NullMoves::Reject || !trial.replay.diagnostics.iter().any(is_rejected) {
        return Ok((spec, trial, None));
    }
    let other = LogSpec { null_moves: NullMoves::Drop, ..spec.clone() };
    let without = replayed(&other, levels, &Silent)?;
    if without.n_moves <= trial.n_moves {
        return Ok((spec, trial, None));
    }
    let n = without.replay.diagnostics.iter().filter(|diagnostic| diagnostic.code == "null-move").count();
    let reason = format!("{} without effect; a time there becomes part of that of the next move", counted(n, "row"));
    let note = ProposalNote { entry: "null_moves".to_owned(), certainty: Certainty::Likely, reason };
    Ok((other, without, Some(note)))
}

fn is_rejected(diagnostic: &LogDiagnostic) -> bool {
    diagnostic.consequence == Consequence::Rejected
}
