//! Notes on a proposal: its certainty, what it leaves aside, and the reason why there is none.

use super::find::Levels;
use super::proposal::{Certainty, Proposal, ProposalNote, Trial};
use super::tried::{Next, SURE};
use super::{shape, words};
use plymap_log::{ColumnSpec, LogSpec, PipelineStep, Sample};
use plymap_statistics::stats::apa::{counted, first_of};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A second reading that is as good as this is near.
const NEAR: f64 = 0.9;
/// Between two readings that are as even as this, nothing in the files decides.
const EVEN: f64 = 0.999;
/// Number of attempts without a goal reached from which on they are likely read wrongly, at games in which nearly
/// every move is legal.
const FEW_ATTEMPTS: usize = 3;

/// Entries that moves are read from.
const ROLES: [&str; 4] = ["action", "state_before", "state_after", "level"];

/// Lets no note be surer than the replay is: sure only where nearly all rows are moves and no other reading comes
/// near, and a question where many rows are not.
pub(super) fn weigh(notes: &mut Vec<ProposalNote>, spec: &LogSpec, trial: &Trial, score: f64, next: Option<&Next>) {
    let is_near = next.is_some_and(|next| next.score > NEAR * score);
    // What names say is worth little where the replay does not bear it out.
    if trial.share() < SURE || is_near {
        for note in notes.iter_mut().filter(|note| can_be_wrong(&note.entry)) {
            note.certainty = note.certainty.max(Certainty::Likely);
        }
    }
    let role = notes.iter().map(|note| note.entry.as_str()).find(|entry| ROLES[..3].contains(entry));
    let role = role.unwrap_or("action").to_owned();
    if !notes.iter().any(|note| note.entry == role) {
        let reason = "as the preset says".to_owned();
        notes.push(ProposalNote { entry: role.clone(), certainty: Certainty::Likely, reason });
    }
    let said = notes.iter_mut().find(|note| note.entry == role).expect("it stands there now");
    if trial.share() < Proposal::USABLE {
        said.certainty = Certainty::Ask;
        said.reason += &format!("; only {} can be replayed so", of_rows(trial.n_moves, trial.n_unused));
    }
    let is_guessed = !spec.is_said_by_preset().unwrap_or(false);
    // Without a goal a log of legal moves may be read at the wrong levels.
    if is_guessed && trial.n_solved == 0 && trial.n_attempts >= FEW_ATTEMPTS {
        said.certainty = Certainty::Ask;
        said.reason += &format!("; none of {} reaches a goal", counted(trial.n_attempts, "attempt"));
    }
    if next.is_some_and(|next| next.score > EVEN * score) {
        said.certainty = Certainty::Ask;
        said.reason += "; another reading fits as well";
    }
    if let Some(next) = next {
        let difference = difference(&spec.columns, &next.spec.columns);
        said.reason += &format!("; next best: {difference}, {}", of_rows(next.n_moves, next.n_unused));
    }
}

fn can_be_wrong(entry: &str) -> bool {
    let others = ["participant", "attempt", "event", "onset", "rt", "decimal_comma"];
    ROLES.contains(&entry) || others.contains(&entry)
}

fn of_rows(n: usize, unused: u64) -> String {
    format!("{n} of {}", counted(n + unused as usize, "row"))
}

/// Files that give no move, and why; a question where they may call a column otherwise.
pub(super) fn files_without_moves(spec: &LogSpec, trial: &Trial) -> Option<ProposalNote> {
    const ENTRIES: [&str; 5] = ["participant", "level", "action", "state_before", "state_after"];
    let files = &trial.log.files;
    let mut has_moves = vec![false; files.len()];
    for step in trial.replay.steps.iter().filter(|step| step.played.is_some_and(|played| played.is_legal)) {
        has_moves[trial.log.rows.at(step.row as usize).file()] = true;
    }
    let without = files.iter().zip(has_moves).filter(|(file, has_moves)| !has_moves && file.n_rows > 0);
    let paths: Vec<String> = without.map(|(file, _)| format!("{:?}", file.path.display().to_string())).collect();
    if paths.is_empty() {
        return None;
    }
    let said = format!("{} give no move", first_of(&paths, 3));
    let is_used = |name: &str| ENTRIES.contains(&name) || spec.columns.values().any(|column| names(column, name));
    let lacking: Vec<&str> = trial
        .log
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code == "column-missing")
        .map(|diagnostic| diagnostic.column.as_str())
        .filter(|column| is_used(column))
        .collect();
    let (certainty, reason) = match lacking.is_empty() {
        true => (Certainty::Likely, said),
        false => {
            let columns = lacking.iter().map(|column| format!("{column:?}")).collect::<Vec<_>>().join(", ");
            let ask = "if a file calls one of them otherwise, name both in [columns], as in [\"one\", \"other\"]";
            (Certainty::Ask, format!("{said}; some files lack {columns}: {ask}"))
        }
    };
    Some(ProposalNote { entry: "files".to_owned(), certainty, reason })
}

/// Difference of a second reading.
fn difference(best: &BTreeMap<String, ColumnSpec>, next: &BTreeMap<String, ColumnSpec>) -> String {
    let keys: BTreeSet<&String> = best.keys().chain(next.keys()).collect();
    // What is read by its own name needs no entry; but for these two, nobody has to have it.
    let is_told = |key: &String| next.contains_key(key) || ["participant", "level"].contains(&key.as_str());
    let keys = keys.into_iter().filter(|key| best.get(*key) != next.get(*key) && is_told(key));
    let text = |key: &String| match next.get(key) {
        None => format!("{key} = {key:?}"),
        Some(ColumnSpec::Template { template }) => format!("{key} = {template:?}"),
        Some(ColumnSpec::Column { column, .. }) => format!("{key} = {column:?}"),
        Some(other) => format!(
            "{key} = {}",
            toml::Value::try_from(other).map_or_else(|_| String::new(), |value| value.to_string())
        ),
    };
    let said: Vec<String> = keys.map(text).collect();
    if said.is_empty() { "rows taken apart otherwise".to_owned() } else { said.join(", ") }
}

/// Lists of which one goes on in the other, by their names alone.
pub(super) fn lists_in_order(spec: &LogSpec) -> Option<ProposalNote> {
    let split = spec.steps.iter().find_map(|step| match step {
        PipelineStep::Split(split) => split.then.first().map(|then| (&split.column, then)),
        _ => None,
    });
    let reason = |(column, then)| format!("by their names, {then:?} goes on where {column:?} ends");
    split.map(|lists| ProposalNote { entry: "split".to_owned(), certainty: Certainty::Likely, reason: reason(lists) })
}

/// Data that a proposal leaves aside: lists beside those that are taken apart.
pub(super) fn unread_lists(sample: &Sample, spec: &LogSpec) -> Option<ProposalNote> {
    let of_splits = spec.steps.iter().filter_map(|step| match step {
        PipelineStep::Split(split) => Some([&split.column].into_iter().chain(&split.with).chain(&split.then)),
        _ => None,
    });
    let in_splits: HashSet<&String> = of_splits.flatten().collect();
    let uses = |name: &String| in_splits.contains(name) || spec.columns.values().any(|column| names(column, name));
    // What stands before and behind the number in the names of columns of which rows with a use were made.
    let of_wide = spec.steps.iter().filter_map(|step| match step {
        PipelineStep::Wide(wide) => Some(wide.columns.iter().filter(|(name, _)| uses(name))),
        _ => None,
    });
    let ends: Vec<(String, String)> = of_wide.flatten().filter_map(ends_of).collect();
    let is_read = |name: &String| {
        let is_it = |(before, behind): &(String, String)| name.starts_with(before) && name.ends_with(behind);
        uses(name) || ends.iter().any(is_it)
    };
    let unread: Vec<String> =
        shape::lists(sample).iter().filter(|name| !is_read(name)).map(|name| format!("{name:?}")).collect();
    // Columns that are numbered as one that is read, or close to it.
    let read: Vec<&String> = sample.columns.iter().filter(|name| is_read(name)).collect();
    let in_time = words::InTime::new(read.iter().copied());
    let read: HashSet<&String> = read.into_iter().collect();
    let of_group = |(pattern, names): (&String, &Vec<&String>)| {
        let is_left = names.len() > 2 && names.iter().any(|name| !read.contains(name));
        let is_alike = || names.iter().any(|name| read.contains(name)) || !in_time.others(names[0]).is_empty();
        (is_left && is_alike()).then(|| format!("{pattern:?}"))
    };
    let groups: Vec<String> = shape::numbered(sample.columns.iter()).iter().filter_map(of_group).collect();
    let said = match (unread.is_empty(), groups.is_empty()) {
        (true, true) => return None,
        (false, true) => format!("{} hold lists too", unread.join(", ")),
        (true, false) => format!("{} are columns of the same kind", groups.join(", ")),
        (false, false) => {
            format!("{} hold lists too, {} are columns of the same kind", unread.join(", "), groups.join(", "))
        }
    };
    let reason = format!("{said}, and are kept as they are");
    Some(ProposalNote { entry: "split".to_owned(), certainty: Certainty::Likely, reason })
}

/// The text before and behind the number in a pattern of names.
fn ends_of((_, pattern): (&String, &String)) -> Option<(String, String)> {
    let ends = pattern.split_once("{n}").zip(pattern.rsplit_once("{n}"));
    ends.map(|((before, _), (_, behind))| (before.to_owned(), behind.to_owned()))
}

/// `true` if a canonical column is this one.
fn names(column: &ColumnSpec, name: &str) -> bool {
    match column {
        ColumnSpec::Column { column, .. } => column == name,
        column => column.template_names().iter().any(|of_template| of_template == name),
    }
}

/// Content of the columns that are called so, as the end of a sentence.
pub(super) fn what_stands(sample: &Sample, is_called_so: impl Fn(&str) -> bool) -> String {
    let called = sample.columns.iter().enumerate().filter(|(_, name)| is_called_so(name));
    let cells = |place: usize| {
        let cells: BTreeSet<&str> = sample.rows.iter().filter_map(|row| row.cell(place)).collect();
        cells.into_iter().take(3).map(|cell| format!("{cell:?}")).collect::<Vec<_>>().join(", ")
    };
    let said = called.map(|(place, name)| (name, cells(place))).filter(|(_, cells)| !cells.is_empty());
    let said: Vec<String> = said.map(|(name, cells)| format!("{name:?} has {cells}")).take(3).collect();
    if said.is_empty() { String::new() } else { format!(": {}", said.join(", and ")) }
}

/// Reason why a sample is no play at these levels.
pub(super) fn no_level(sample: &Sample, levels: &Levels<'_>) -> String {
    let names: Vec<String> = levels.iter().take(3).map(|(id, _)| format!("{id:?}")).collect();
    match what_stands(sample, |name| words::level(name).is_some()) {
        said if said.is_empty() => "no column names a level".to_owned(),
        said => format!("no column names a level{said}, and the levels are {}", names.join(", ")),
    }
}
