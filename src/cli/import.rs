//! `plymap import`

use plymap_statistics::stats::apa::counted;
use std::path::{Path, PathBuf};

use clap::Args;
use plymap_import::{
    Certainty, GameProposal, Proposal, ProposalError, StudyText, propose_game, study_name, study_toml,
};
use plymap_log::jspsych::{ImportError, Imported, RowOutcome, import_tower};
use plymap_log::{Consequence, DiagnosticSummary, LogDiagnostic, LogError, LogSpec, input_files};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::progress::Progress as _;
use plymap_puzzles::valuation::LoadedLevel;
use plymap_report::{Manifest, OutputFolder};
use plymap_run::files::write as write_file;

use super::levels::{RuleArguments, say_remarks};
use super::output::{print_lines, say};
use super::{Bars, ExitCode, Failure};

/// Propose a study for the files of an experiment: find out what their columns mean, and write a commented study.toml.
///
/// The files may be of any experiment program and in any format of logs (docs/logs.md). Their meaning is inferred from
/// names and contents of columns, and by replay on the levels. Each entry has its certainty. A run guesses nothing: it
/// reads the study.toml, which you can change.
///
/// Example: plymap import raw/*.csv --levels levels --out study
///
/// Example: plymap import raw/*.json --levels levels --preview
///
/// Example: plymap import raw/*.csv.gz --preset tower-of-london-jspsych --out tower
#[derive(Debug, Args)]
pub struct Import {
    /// The files, folders of files, or patterns such as 'raw/*.csv'.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// File or folder with the levels that were played; may be given several times.
    #[arg(long, value_name = "LEVELS", required_unless_present = "preset")]
    levels: Vec<PathBuf>,
    /// Folder to write to; it must not exist yet, or be empty.
    #[arg(long, value_name = "DIR", required_unless_present = "preview")]
    out: Option<PathBuf>,
    /// What wrote the files: bids, datashop, expyriment, gorilla, jspsych, labjs, opensesame, osweb, otree, plymap, plymap-jspsych,
    /// psiturk, psiturk-database, psych-ds, psychopy, xes, the path of a preset of your own, or tower-of-london-jspsych, whose files hold the levels too; found where it is not given.
    #[arg(long, value_name = "PRESET")]
    preset: Option<String>,
    /// Show the proposal, and the first attempts as boards and moves; without --out nothing is written.
    #[arg(long)]
    preview: bool,
    #[command(flatten)]
    rules: RuleArguments,
}

/// The task whose raw files are joined to moves by a reader of their own, and hold their levels.
const TOWER: &str = "tower-of-london-jspsych";
/// The most diagnostics that are printed; `import.json` and `plymap check` have all.
const DIAGNOSTICS_SHOWN: usize = 10;
/// Number of attempts of a preview, with so many moves of each.
const ATTEMPTS_SHOWN: usize = 2;
const MOVES_SHOWN: usize = 3;

/// Diagnostics that every log without such a column has.
const QUIET: [&str; 2] = ["move-index-derived", "attempt-derived"];

impl Import {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        if let Some(out) = &self.out {
            refuse_taken(out)?;
        }
        if self.preset.as_deref() == Some(TOWER) {
            let out = self.out.ok_or_else(|| Failure::message(format!("--preset {TOWER} needs --out")))?;
            return import_tower_files(&self.files, &out, bars);
        }
        if self.levels.is_empty() {
            return Err(Failure::message("name the levels that were played with --levels"));
        }
        let games = self.rules.load_as_any(&self.levels)?;
        let is_named = self.rules.named_game().is_some();
        let proposed = propose_game(&self.files, self.preset.as_deref(), games, is_named, bars);
        let GameProposal { proposal, levels, game } = proposed.map_err(|error| match error {
            ProposalError::Cancelled | ProposalError::Log(LogError::Cancelled) => Failure::Interrupted,
            error => Failure::message(error),
        })?;
        say_remarks(&levels);
        bars.clear();
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from("."));
        let name = study_name(&out);
        let game = self.rules.named_game().unwrap_or(game.name);
        let rules = self.rules.rules();
        let about = StudyText { name, game, levels: &self.levels, rules: &rules, folder: &out };
        let text = study_toml(&proposal, &about).map_err(Failure::message)?;
        if self.preview {
            print_lines(&format!("{text}\n{}", preview(&proposal, &levels)))?;
        }
        print_proposal(&proposal);
        if let Some(out) = &self.out {
            let folder = OutputFolder::create(out)?;
            write_file(&folder.path().join("study.toml"), text.as_bytes())?;
            folder.commit()?;
            say!("a study is in {0}; look at {0}/study.toml, then: plymap check {0}", out.display());
        }
        Ok(if proposal.is_doubtful() { ExitCode::DOUBTFUL } else { ExitCode::SUCCESS })
    }
}

fn print_proposal(proposal: &Proposal) {
    let trial = &proposal.trial;
    let (files, rows) = (counted(trial.log.files.len(), "file"), counted(trial.log.n_read, "row"));
    say!("{}, {files}: {rows}", proposal.source);
    for note in &proposal.notes {
        say!("  {:<8} {}: {}", note.certainty.to_string(), note.entry, note.reason);
    }
    let moves = counted(trial.n_moves, "move");
    say!("{moves} that the rules allow, {} that cannot be used", counted(trial.n_unused, "row"));
    if proposal.is_doubtful() {
        say!(
            "fewer than {} % of the rows can be replayed as proposed: something is read wrongly",
            100.0 * Proposal::USABLE
        );
    }
    let diagnostics: Vec<DiagnosticSummary> = trial.diagnostics().into_iter().filter(is_told).collect();
    for diagnostic in diagnostics.iter().take(DIAGNOSTICS_SHOWN) {
        say!("  {diagnostic}");
    }
    if diagnostics.len() > DIAGNOSTICS_SHOWN {
        say!("  … {} kinds of diagnostics in all; plymap check lists them", diagnostics.len());
    }
    if proposal.notes.iter().any(|note| note.certainty == Certainty::Ask) {
        say!("what has QUESTION before it is for you to say");
    }
}

/// False for what is nothing to worry about: that a log has no numbers of moves, and starts at the beginning.
fn is_told(diagnostic: &DiagnosticSummary) -> bool {
    diagnostic.consequence != Consequence::Kept || !QUIET.contains(&diagnostic.code.as_ref())
}

/// The first attempts as boards and moves.
fn preview(proposal: &Proposal, levels: &[LoadedLevel]) -> String {
    let trial = &proposal.trial;
    let mut text = String::new();
    let (mut n_attempts, mut n_moves) = (0, 0);
    let mut last = None;
    for step in trial.replay.steps.iter().filter(|step| step.played.is_some()) {
        let row = trial.log.rows.at(step.row as usize);
        let level = &levels[step.level as usize];
        let board = |state: StateCode| level.rules.picture(state).to_text();
        if last.replace(row.place()) != Some(row.place()) {
            n_attempts += 1;
            n_moves = 0;
            if n_attempts > ATTEMPTS_SHOWN {
                break;
            }
            let head = format!("participant {}, level {}, attempt {}", row.participant(), row.level(), row.attempt());
            text.push_str(&format!("{head}\n{}\n", board(step.before)));
        }
        n_moves += 1;
        if n_moves <= MOVES_SHOWN {
            let action = row.action().unwrap_or("a move");
            let time = match (row.rt_s(), row.onset_s()) {
                (Some(time), _) => format!(", {time} s"),
                (None, Some(time)) => format!(", at {time} s"),
                (None, None) => String::new(),
            };
            text.push_str(&format!("{action}{time}\n{}\n", board(step.after)));
        }
    }
    text
}

fn import_tower_files(files: &[PathBuf], out: &Path, bars: &Bars) -> Result<ExitCode, Failure> {
    let folder = OutputFolder::create(out)?;
    let imported = import_tower(files, bars).map_err(|error| match error {
        ImportError::Cancelled => Failure::Interrupted,
        error => Failure::message(error),
    })?;
    let name = out.file_name().and_then(|name| name.to_str()).unwrap_or("tower-of-london").to_owned();
    imported.write(folder.path(), &name).map_err(Failure::message)?;
    let mut manifest = Manifest::new(serde_json::json!({ "import": TOWER }));
    let spec = LogSpec { files: files.to_vec(), ..LogSpec::default() };
    manifest.add_inputs(input_files(&spec).map_err(Failure::message)?, Path::new(""))?;
    manifest.counts = RowOutcome::ALL.map(|outcome| (outcome.name().to_owned(), imported.n_of(outcome) as u64)).into();
    manifest.write(folder.path())?;
    if bars.is_cancelled() {
        return Err(Failure::Interrupted);
    }
    folder.commit()?;
    bars.clear();
    print_account(&imported);
    say!("a study is in {0}; run it with: plymap run {0}", out.display());
    Ok(ExitCode::SUCCESS)
}

fn print_account(imported: &Imported) {
    say!("{} of {}:", counted(imported.n_rows(), "row"), counted(imported.files.len(), "file"));
    for outcome in RowOutcome::ALL {
        let n = imported.n_of(outcome);
        if n > 0 {
            say!("  {n:>8} × {}: {}", outcome.name(), outcome.meaning());
        }
    }
    say!("{} at {}", counted(imported.moves().count(), "move"), counted(imported.levels.len(), "level"));
    for diagnostic in imported.diagnostics.iter().take(DIAGNOSTICS_SHOWN) {
        let place = if diagnostic.row > 0 {
            format!("{}:{}", diagnostic.file, diagnostic.row)
        } else {
            diagnostic.file.clone()
        };
        let LogDiagnostic { code, column, value, rule, fix, .. } = diagnostic;
        say!("  {code}, {place}, column {column}, {value:?}: {rule}; {fix}");
    }
    if imported.diagnostics.len() > DIAGNOSTICS_SHOWN {
        say!("  … {} diagnostics in all; import.json lists them", imported.diagnostics.len());
    }
}

/// A folder with anything in it is left alone: what was imported may have been edited since.
fn refuse_taken(target: &Path) -> Result<(), Failure> {
    let is_taken = std::fs::read_dir(target).map_or_else(|_| target.exists(), |mut files| files.next().is_some());
    let message = || format!("{} exists already; name a new folder with --out", target.display());
    if is_taken { Err(Failure::message(message())) } else { Ok(()) }
}
