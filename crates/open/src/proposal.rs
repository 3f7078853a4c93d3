//! The study that is proposed for the files of a project.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use axum::http::StatusCode;
use plymap_import::{GameLevels, GameProposal, ProposalError, StudyText, levels_of_games, propose_game, study_toml};
use plymap_log::{ColumnSpec, LogSpec, PipelineStep, Role, sample};
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::{Progress, Silent};
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::load_levels;
use plymap_run::study::About;
use serde_json::{Value, json};

use crate::edit::{Edit, edited};
use crate::problem::Problem;
use crate::project::{FileKind, Project, check_seen};
use crate::reading::loaded;

/// Number of files of a kind from which on a study names their folder.
const MANY: usize = 20;

/// Proposes a study for the levels and logs of a project, and writes it, unless the study is
/// another than was `seen`. `game` is one that somebody named.
///
/// # Errors
///
/// There are no levels or no logs, no game reads the levels, or nothing in the logs is play at them.
pub fn propose(project: &Project, game: Option<&str>, seen: &str, progress: &dyn Progress) -> Result<(), Problem> {
    let (scripts, levels): (Vec<_>, Vec<_>) = project
        .paths(FileKind::Levels)?
        .into_iter()
        .partition(|path| path.extension().is_some_and(|extension| extension == "lua"));
    let logs = project.paths(FileKind::Logs)?;
    if levels.is_empty() {
        let why = "there are no levels: add the boards that were played, as docs/levels.md shows them";
        return Err(Problem::conflict(why).says("no_levels", []));
    }
    check_seen(seen, project.text()?.as_deref())?;
    let script = scripts.first().map(|script| script.display().to_string());
    let game = game.or(script.as_deref());
    progress.begin("reading levels", None);
    let games = games(&levels, game)?;
    // A name that somebody gave stays.
    let name = project.study().map_or_else(|_| About::name_in(&project.folder), |study| study.study.name);
    if logs.is_empty() {
        return project.write(&without_logs(project, &name, &games[0], game, &levels), seen);
    }
    let best = propose_game(&logs, None, games, game.is_some(), progress)?;
    let GameProposal { mut proposal, game: of_levels, .. } = best;
    // Files are called as the study calls them, wherever its folder lies.
    let folder = format!("{}{}", project.folder.display(), std::path::MAIN_SEPARATOR);
    for note in &mut proposal.notes {
        note.reason = note.reason.replace(&folder, "");
    }
    proposal.spec.files = or_folder(project, &proposal.spec.files, FileKind::Logs);
    let levels = or_folder(project, &levels, FileKind::Levels);
    let rules = toml::Table::new();
    let about = StudyText {
        name: &name,
        game: game.unwrap_or(of_levels.name),
        levels: &levels,
        rules: &rules,
        folder: &project.folder,
    };
    let text = study_toml(&proposal, &about)
        .map_err(|error| Problem::conflict(format!("a file of the study cannot be found: {error}")))?;
    if progress.is_cancelled() {
        return Err(Problem::stopped());
    }
    project.write(&text, seen)
}

/// Reads the levels as those of the named game, or of each that can read them.
fn games(levels: &[PathBuf], game: Option<&str>) -> Result<Vec<GameLevels>, Problem> {
    let columns = LevelColumns::default();
    let options = |name: &str| RuleOptions::of_game(Some(name), toml::Table::new(), PathBuf::new());
    if let Some(name) = game {
        let game = Game::find(name).map_err(|error| Problem::bad(error.to_string()))?;
        let levels = load_levels(levels, &columns, game, &options(name))?;
        return Ok(vec![(levels, game)]);
    }
    let (read, nearest) = levels_of_games(levels, &columns, &toml::Table::new());
    match nearest {
        Some((game, faults)) if read.is_empty() => {
            let mut problem = Problem::from(faults);
            problem.error = format!("no game reads these levels; the nearest is {}: {}", game.name, problem.error);
            Err(problem)
        }
        _ => Ok(read),
    }
}

/// Returns the files, or their folder where they are many and all that is in it.
fn or_folder(project: &Project, files: &[PathBuf], kind: FileKind) -> Vec<PathBuf> {
    let folder = project.folder_of(kind);
    match files.len() > MANY && files.iter().all(|file| file.starts_with(&folder)) {
        true => vec![folder],
        false => files.to_vec(),
    }
}

/// Returns the study of levels that nobody has played yet.
fn without_logs(project: &Project, name: &str, levels: &GameLevels, game: Option<&str>, files: &[PathBuf]) -> String {
    let shown = |path: &PathBuf| toml::Value::String(project.name(path)).to_string();
    let files: Vec<String> = or_folder(project, files, FileKind::Levels).iter().map(shown).collect();
    let game = game.map_or(levels.1.name.to_owned(), |game| project.name(game.as_ref()));
    format!(
        "# A study of levels: it has no logs yet.\n\n[study]\nname = {}\n\n[levels]\ngame = {}\nfiles = [{}]\n",
        toml::Value::String(name.to_owned()),
        toml::Value::String(game),
        files.join(", ")
    )
}

/// Number of rows by which it is found how moves are made of columns.
const ROWS_OF_PARTS: u64 = 2_000;

/// Finds how a move is made of these columns alone, and writes it into the study.
///
/// The columns are tried as the import tries all: what makes most legal moves is taken.
///
/// # Errors
///
/// There is no such column, or nothing that is made of them is a move at the levels.
pub fn make_of_parts(project: &Project, parts: &BTreeSet<String>, seen: &str) -> Result<(), Problem> {
    let study = project.study()?;
    let spec = study.log_spec().ok_or_else(Problem::no_logs)?;
    let sample = sample(&LogSpec { max_rows: Some(ROWS_OF_PARTS), ..spec.clone() })?;
    let unknown = parts.iter().find(|part| sample.place(part).is_none());
    if let Some(unknown) = unknown {
        let why = format!("the log has no column {unknown:?}");
        return Err(Problem::bad(why).says("no_column", [("column", unknown)]));
    }
    let columns_before = spec.with_preset()?.columns;
    // What the study reads already, under the names of plymap, and the parts under their own.
    let of_role = |role: Role| {
        let name = match columns_before.get(role.key()) {
            Some(ColumnSpec::Column { column, .. }) => column.as_str(),
            Some(_) => return None,
            None => role.key(),
        };
        Some((role.key(), sample.place(name).filter(|_| !parts.contains(name))?))
    };
    let known =
        [Role::Participant, Role::Session, Role::Level, Role::Attempt, Role::Event].into_iter().filter_map(of_role);
    let of_parts = parts.iter().map(|part| (part.as_str(), sample.place(part).expect("it was looked for")));
    let columns: Vec<(&str, usize)> = known.chain(of_parts).collect();
    let failed = |error: &dyn std::fmt::Display| Problem::conflict(format!("the columns cannot be tried: {error}"));
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let file = folder.path().join("parts.csv");
    let mut writer = csv::Writer::from_path(&file).map_err(|error| failed(&error))?;
    writer.write_record(columns.iter().map(|(name, _)| *name)).map_err(|error| failed(&error))?;
    for row in &sample.rows {
        let cells = columns.iter().map(|(_, place)| row.cell(*place).unwrap_or_default());
        writer.write_record(cells).map_err(|error| failed(&error))?;
    }
    writer.flush().map_err(|error| failed(&error))?;
    drop(writer);
    let levels = loaded(&study)?;
    let rules: Vec<(&str, &dyn Rules)> = levels.iter().map(|level| (level.origin.id.as_str(), &*level.rules)).collect();
    let names = parts.iter().map(|part| format!("{part:?}")).collect::<Vec<_>>().join(", ");
    let none = |why: &str| {
        let error = format!("no move at these levels is made of {names}{why}");
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error).says("no_move", [("columns", &names)])
    };
    let proposal = match plymap_import::propose(&[file], None, &rules, &Silent) {
        Ok(proposal) => proposal,
        Err(ProposalError::Log(error)) => return Err(error.into()),
        Err(_) => return Err(none("")),
    };
    let uses_parts = |column: &ColumnSpec| match column {
        // What a step made of a part is none of the columns that were known.
        ColumnSpec::Template { .. } => {
            let is_known = |name: &String| Role::ALL.iter().any(|role| role.key() == name);
            column.template_names().iter().any(|name| parts.contains(name) || !is_known(name))
        }
        ColumnSpec::Column { column, .. } => parts.contains(column),
        _ => false,
    };
    let mut edits = Vec::new();
    for role in [Role::Action, Role::StateBefore, Role::StateAfter] {
        let column = proposal.spec.columns.get(role.key()).filter(|column| uses_parts(column));
        let value = column.map(|column| match column {
            ColumnSpec::Template { template } => json!(template),
            column => json!(column),
        });
        let is_there = study.columns.contains_key(role.key());
        if value.is_some() || is_there {
            let path = ["columns", role.key()].map(str::to_owned).to_vec();
            edits.push(Edit { path, value: value.unwrap_or(Value::Null) });
        }
    }
    if edits.iter().all(|edit| edit.value.is_null()) {
        return Err(none(""));
    }
    let kept = spec.steps.iter().filter(|step| !makes_only_moves(step, &columns_before, parts));
    let steps: Vec<&PipelineStep> = kept.chain(&proposal.spec.steps).collect();
    if !steps.iter().copied().eq(&spec.steps) {
        let path = ["log", "steps"].map(str::to_owned).to_vec();
        edits.push(Edit { path, value: json!(steps) });
    }
    project.change(seen, |text| edited(text.unwrap_or_default(), &edits).map_err(|why| none(&format!(": {why}"))))
}

/// Returns true if a step computes columns of which moves were made until now, and which are none of the new parts.
fn makes_only_moves(step: &PipelineStep, columns: &BTreeMap<String, ColumnSpec>, parts: &BTreeSet<String>) -> bool {
    let PipelineStep::Set(made) = step else { return false };
    let of_moves = columns.get(Role::Action.key()).map(ColumnSpec::template_names).unwrap_or_default();
    made.keys().all(|name| of_moves.contains(name) && !parts.contains(name))
}
