//! Proofs of the tables of distances in the folder of a run.

use std::collections::BTreeSet;
use std::path::Path;

use plymap_certify::{Certificate, CertifyError, Claim, certify};
use plymap_measures::level_tables::{DISTANCE, STATE};
use plymap_puzzles::game::{Distance, StateCode, Valuation};
use plymap_puzzles::progress::Progress as _;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::LoadedLevel;
use plymap_report::Manifest;
use plymap_tables::parallel::map_in_order;
use plymap_tables::{Column, Columns, SafeStems, Table, TableFormat, count, read_table, text};

use super::recorded::Recorded;
use crate::cli::{Bars, Failure};

/// What became of the proof of a level, by one of its tables.
pub struct Proof {
    /// Name of the level; of a file that belongs to none, its own.
    level: String,
    /// The file, from the folder of the run; absent if there is none.
    file: Option<String>,
    pub verdict: Verdict,
}

/// Whether the distances of a table are right.
pub enum Verdict {
    /// They are, all of them.
    Certified(Certificate),
    /// They are not, or the table cannot be read.
    Wrong(String),
    /// They were not looked at.
    NotCertified(&'static str),
}

impl Verdict {
    fn name(&self) -> &'static str {
        match self {
            Self::Certified(_) => "certified",
            Self::Wrong(_) => "wrong",
            Self::NotCertified(_) => "not certified",
        }
    }

    pub fn certificate(&self) -> Option<Certificate> {
        match self {
            Self::Certified(certificate) => Some(*certificate),
            _ => None,
        }
    }

    fn reason(&self) -> Option<&str> {
        match self {
            Self::Certified(_) => None,
            Self::Wrong(reason) => Some(reason),
            Self::NotCertified(reason) => Some(reason),
        }
    }
}

/// Proves every table of distances in the folder of a run.
pub fn proofs(folder: &Path, inputs: Option<&Path>, bars: &Bars) -> Result<Vec<Proof>, Failure> {
    let manifest = Manifest::read(folder)?;
    let Recorded { levels, expand_goals } = Recorded::read(&manifest, inputs)?;
    let stems = SafeStems::of(levels.iter().map(|level| level.origin.id.as_str()));
    let tables = folder.join("distances");
    let mut unclaimed = files(&tables);
    let written = manifest.outputs.iter().filter_map(|entry| entry.path.strip_prefix("distances/"));
    unclaimed.extend(written.map(str::to_owned));
    let mut tasks = Vec::new();
    for level in &levels {
        let stem = stems.stem(&level.origin.id);
        let there = TableFormat::ALL.into_iter().filter(|format| unclaimed.remove(&format!("{stem}.{format}")));
        let formats: Vec<Option<TableFormat>> = there.map(Some).collect();
        let formats = if formats.is_empty() { vec![None] } else { formats };
        tasks.extend(formats.into_iter().map(|format| (level, stem.clone(), format)));
    }
    let n_states = manifest.counts.get("states").copied().unwrap_or_default();
    let n_formats = tasks.len().checked_div(levels.len()).unwrap_or_default() as u64;
    bars.begin("certifying distances", Some(n_states * n_formats));
    let mut proofs = map_in_order(tasks, |(level, stem, format)| {
        let verdict = match format {
            Some(format) if !tables.join(format!("{stem}.{format}")).exists() => {
                Verdict::Wrong("the run wrote this file, and it is not there any more".to_owned())
            }
            Some(format) => verdict(level, (&tables, &stem, format), expand_goals, bars)?,
            None => Verdict::NotCertified(reason_without_table(&*level.rules)),
        };
        let file = format.map(|format| format!("distances/{stem}.{format}"));
        Ok::<_, Failure>(Proof { level: level.origin.id.clone(), file, verdict })
    })?;
    bars.end();
    proofs.extend(unclaimed.into_iter().map(|name| Proof {
        file: Some(format!("distances/{name}")),
        level: name,
        verdict: Verdict::NotCertified("no level of the run has this file"),
    }));
    Ok(proofs)
}

/// The tables in a folder; none where there is no folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let is_table = |name: &String| TableFormat::ALL.iter().any(|format| name.ends_with(&format!(".{format}")));
    names.filter(is_table).collect()
}

fn reason_without_table(rules: &dyn Rules) -> &'static str {
    match rules.valuation() {
        Valuation::Map => "the run wrote no table of its distances",
        _ => "its positions are valued by an algorithm of the game, and not by a map",
    }
}

/// Proves one table.
fn verdict(
    level: &LoadedLevel,
    (folder, stem, format): (&Path, &str, TableFormat),
    expand_goals: bool,
    bars: &Bars,
) -> Result<Verdict, Failure> {
    let read = read_table(folder, stem, format).map_err(|error| error.to_string());
    let entries = match read.and_then(|table| entries(&*level.rules, &table)) {
        Ok(entries) => entries,
        Err(reason) => return Ok(Verdict::Wrong(reason)),
    };
    match certify(&*level.rules, &Claim::new(&level.origin.id, expand_goals, entries), bars) {
        Ok(certificate) => Ok(Verdict::Certified(certificate)),
        Err(CertifyError::Interrupted) => Err(Failure::Interrupted),
        Err(error) => Ok(Verdict::Wrong(error.to_string())),
    }
}

/// The states of a table with their distances; what is no position or no distance, with its row.
fn entries(rules: &dyn Rules, table: &Table) -> Result<Vec<(StateCode, Option<Distance>)>, String> {
    let states = table.texts(STATE).map_err(|error| error.to_string())?;
    let distances = table.numbers(DISTANCE).map_err(|error| error.to_string())?;
    let entry = |(row, (state, distance)): (usize, (String, Option<f64>))| {
        let at = |column: Column| format!("row {}, column {:?}", row + 1, column.name);
        let state = rules.parse_state(&state).map_err(|error| format!("{}: {error}", at(STATE)))?;
        let is_count = |value: f64| value >= 0.0 && value < f64::from(u32::MAX) && value.fract() == 0.0;
        match distance {
            Some(value) if !is_count(value) => Err(format!("{}: {value} is no number of moves", at(DISTANCE))),
            distance => Ok((state, distance.map(|value| Distance(value as u32)))),
        }
    };
    states.into_iter().zip(distances).enumerate().map(entry).collect()
}

/// The table of proofs.
pub fn table(proofs: &[Proof]) -> Table {
    let counts = |number: fn(Certificate) -> u64| {
        proofs.iter().map(|proof| proof.verdict.certificate().map(number)).collect::<Vec<_>>()
    };
    let texts = |text: fn(&Proof) -> Option<&str>| {
        proofs.iter().map(|proof| text(proof).map(str::to_owned)).collect::<Vec<_>>()
    };
    Columns::new()
        .values(text("level", "name of the level"), texts(|proof| Some(&proof.level)))
        .values(
            text("file", "its table of distances, from the folder of the run"),
            texts(|proof| proof.file.as_deref()),
        )
        .values(
            text("result", "whether the distances are proved, or one of them is wrong").levels(&[
                "certified",
                "wrong",
                "not certified",
            ]),
            texts(|proof| Some(proof.verdict.name())),
        )
        .values(
            count("n_states", "number of states that can be reached from the start"),
            counts(|proof| proof.n_states),
        )
        .values(count("n_moves", "number of moves between them"), counts(|proof| proof.n_moves))
        .values(count("n_goals", "number of goals among them"), counts(|proof| proof.n_goals))
        .values(
            count("n_without_distance", "number of states from which no goal can be reached"),
            counts(|proof| proof.n_without_distance),
        )
        .values(text("reason", "what is wrong, or why it was not looked at"), texts(|proof| proof.verdict.reason()))
        .into_table("certificates", "The tables of distances of a run, and whether each is proved from the rules.")
}
