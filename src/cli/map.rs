//! `plymap map`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use plymap_certify::Certificate;
use plymap_figures::grouped;
use plymap_measures::level_tables::{ExpectedSummary, expected_moves_table, levels_table};
use plymap_puzzles::diagnostic::Diagnostic;
use plymap_puzzles::game::Valuation;
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{LevelSummary, LoadedLevel, MapNumbers};
use plymap_report::{Manifest, OutputFolder, write_codebook};
use plymap_run::study::Study;
use plymap_run::{
    Certified, ExpectedPlayer, RunError, certify_level, expected_moves, level_distances, value_levels, write_checks,
    write_distances, write_edges,
};
use plymap_statistics::stats::apa::counted;
use plymap_tables::{SafeStems, TableFormat, write_table};

use super::diagnostics::print_diagnostics;
use super::levels::{RuleArguments, say_remarks};
use super::output::say;
use super::{Bars, ExitCode, Failure};

/// Map levels: write the table of levels, and the distance of every state.
///
/// Writes tables/levels and, for each level, distances/LEVEL into the output folder.
///
/// Example: plymap map data/demo/levels --out maps --format csv
#[derive(Debug, Args)]
pub struct Map {
    /// Files and folders with levels.
    #[arg(required = true, value_name = "LEVELS")]
    files: Vec<PathBuf>,
    /// Folder to write to; it appears when complete.
    #[arg(long, default_value = "maps", value_name = "DIR")]
    out: PathBuf,
    /// Formats of the tables: csv, parquet; several separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "parquet", value_parser = table_format)]
    format: Vec<TableFormat>,
    /// Write the table of levels alone.
    #[arg(long)]
    no_distances: bool,
    /// Write the edges of each map too, one row for each legal move of each state; large levels make large files.
    #[arg(long)]
    edges: bool,
    /// Numbers of each map: distances (of states), moves, solutions (the shortest ones), structure (components,
    /// articulation points, bridges), or all; several separated by commas. Distances alone, with --no-distances, need no
    /// map, and are found much faster for Rush Hour.
    #[arg(long, value_delimiter = ',', default_value = "all")]
    numbers: Vec<Numbers>,
    /// Expected numbers of moves to a goal, exactly, of players who choose by the position alone: chance (any legal move),
    /// greedy:HEURISTIC, look-ahead:DEPTH:HEURISTIC; several separated by commas. Without a heuristic, greedy takes the
    /// first of the level, and look-ahead none. They stand in tables/expected_moves, and for each state in distances.
    #[arg(long, value_delimiter = ',', value_name = "PLAYERS")]
    expected_moves: Vec<ExpectedPlayer>,
    /// Prove the distances of each map from the rules alone; see plymap verify.
    #[arg(long)]
    certify: bool,
    #[command(flatten)]
    rules: RuleArguments,
}

/// Numbers of maps, as they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Numbers {
    All,
    Distances,
    Moves,
    Solutions,
    Structure,
}

/// Reads the name of a format of tables.
pub fn table_format(word: &str) -> Result<TableFormat, String> {
    word.parse().map_err(|error: plymap_tables::TableError| error.to_string())
}

impl Map {
    fn numbers(&self) -> MapNumbers {
        let is_asked = |numbers| self.numbers.contains(&Numbers::All) || self.numbers.contains(&numbers);
        MapNumbers {
            moves: is_asked(Numbers::Moves),
            solutions: is_asked(Numbers::Solutions),
            structure: is_asked(Numbers::Structure),
        }
    }

    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let names: Vec<&str> = self.expected_moves.iter().map(ExpectedPlayer::name).collect();
        if let Some(twice) = (1..names.len()).find(|&place| names[..place].contains(&names[place])) {
            return Err(Failure::message(format!("--expected-moves names {} twice", names[twice])));
        }
        let folder = OutputFolder::create(&self.out)?;
        let loaded = self.rules.load(&self.files);
        // A folder with a study in it may hold levels too, so that only what cannot be read is taken for a study.
        let (levels, game) =
            loaded.map_err(|failure| match self.files.iter().find_map(|file| refused_study(file)) {
                Some(message) => Failure::message(message),
                None => failure,
            })?;
        say_remarks(&levels);
        let mut files: Vec<PathBuf> = levels.iter().map(|level| level.origin.source.path.clone()).collect();
        files.dedup();
        let stems = SafeStems::of(levels.iter().map(|level| level.origin.id.as_str()));
        let rules: Vec<_> = levels.iter().map(|level| (level.origin.id.clone(), level.rules.clone())).collect();
        let begun = Instant::now();
        let mapped = self.map_levels(levels, game.name, &stems, folder.path(), bars)?;
        let seconds = begun.elapsed().as_secs_f64();
        if !self.no_distances {
            let is_mapped = |(_, rules): &&(String, Arc<dyn Rules>)| rules.valuation() == Valuation::Map;
            let mapped = rules.iter().filter(is_mapped).map(|(id, rules)| (id.as_str(), &**rules));
            let checks = folder.path().join("checks");
            write_checks(mapped, &stems, self.rules.expands_goals(), &self.format, &checks)?;
        }
        let (mapped, faults): (Vec<_>, Vec<_>) = mapped.into_iter().unzip();
        let (mut summaries, mut certificates, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for Mapped { summary, certificate, expected: of_level } in mapped {
            summaries.push(summary);
            certificates.push(certificate);
            expected.extend(of_level);
        }
        let tables = folder.path().join("tables");
        make_folder(&tables)?;
        write_table(&levels_table(&summaries), &tables, &self.format)?;
        if !self.expected_moves.is_empty() {
            write_table(&expected_moves_table(&expected), &tables, &self.format)?;
        }
        write_codebook(folder.path(), "state maps")?;
        let mut manifest = Manifest::new(self.rules.as_json());
        manifest.add_inputs(files.iter().chain(&(game.files)(&self.rules.options())), Path::new(""))?;
        let n_states: u64 =
            summaries.iter().filter_map(|level| level.map.as_ref()).map(|map| map.states.n_states).sum();
        manifest.counts =
            BTreeMap::from([("levels".to_owned(), summaries.len() as u64), ("states".to_owned(), n_states)]);
        manifest.write(folder.path())?;
        if bars.is_cancelled() {
            return Err(Failure::Interrupted);
        }
        folder.commit()?;
        // A table of levels may well hold unsolvable ones: it says so in its column `solvable`.
        let warnings: Vec<_> = faults.into_iter().flatten().map(Diagnostic::as_warning).collect();
        if !warnings.is_empty() {
            print_diagnostics(&warnings);
        }
        let speed = grouped((n_states as f64 / seconds.max(1e-9)) as u64);
        say!("levels {}, states {n_states}, {speed} a second, mapped into {}", summaries.len(), self.out.display());
        if self.certify {
            let Certified { n_levels, n_states } = Certified::of(certificates);
            say!("certified: the distances of {n_states} states of {}", counted(n_levels, "level"));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Maps the levels, writes the tables of each, and certifies them where this is asked for.
    fn map_levels(
        &self,
        levels: Vec<LoadedLevel>,
        game: &'static str,
        stems: &SafeStems,
        folder: &Path,
        bars: &Bars,
    ) -> Result<Vec<(Mapped, Option<Diagnostic>)>, Failure> {
        let store = self.rules.store();
        let (numbers, options) = (self.numbers(), self.rules.valuation_options(&store, bars));
        let needs_map = !self.no_distances || self.edges || self.certify || !self.expected_moves.is_empty();
        if numbers == MapNumbers::DISTANCES && !needs_map {
            let rows = level_distances(levels, game, &options, bars)?;
            let mapped = |summary| Mapped { summary, certificate: None, expected: Vec::new() };
            return Ok(rows.into_iter().map(|(row, fault)| (mapped(row), fault)).collect());
        }
        // Levels side by side share a bar of their own.
        let cancel = CancelOnly(bars);
        let of_level: &dyn Progress = if levels.len() == 1 { bars } else { &cancel };
        let (distances, edges) = (folder.join("distances"), folder.join("edges"));
        for folder in [(!self.no_distances).then_some(&distances), self.edges.then_some(&edges)].into_iter().flatten() {
            make_folder(folder)?;
        }
        let mapped = value_levels(levels, game, &options, bars, |level| {
            let expected = expected_moves(&level, &self.expected_moves, of_level)?;
            if !self.no_distances {
                write_distances(&level, &distances, &stems.stem(&level.id), &self.format, &expected)?;
            }
            let expected = expected.into_iter().map(|expected| expected.summary(&level.id)).collect();
            if self.edges {
                write_edges(&level, &edges, &stems.stem(&level.id), &self.format)?;
            }
            let certificate = if self.certify { certify_level(&level, &CancelOnly(bars))? } else { None };
            let summary = level.summary_with(numbers);
            match level.rules.script_error() {
                None => Ok(Mapped { summary, certificate, expected }),
                Some(script_error) => {
                    let source = plymap_puzzles::graph::MapError::Rules(script_error).into();
                    Err(RunError::Valuation { level: level.id, source })
                }
            }
        })?;
        // They stay empty where no level is mapped.
        let _ = std::fs::remove_dir(&distances);
        let _ = std::fs::remove_dir(&edges);
        Ok(mapped)
    }
}

/// The row of a level, with its certificate and expected numbers of moves where they were asked for.
struct Mapped {
    summary: LevelSummary,
    certificate: Option<Certificate>,
    expected: Vec<ExpectedSummary>,
}

/// Returns advice on a study that is given instead of levels; none on what is no study.
fn refused_study(path: &Path) -> Option<String> {
    let file = if path.is_dir() { path.join("study.toml") } else { path.to_owned() };
    if file.extension().is_none_or(|extension| extension != "toml") {
        return None;
    }
    let study = Study::read(&file).ok()?;
    let mut command = "plymap map".to_owned();
    for levels in study.level_files() {
        command.push_str(&format!(" {}", levels.display()));
    }
    if let Some(game) = &study.levels.game {
        command.push_str(&format!(" --game {game}"));
    }
    for (name, value) in &study.rules {
        match value {
            toml::Value::String(text) => command.push_str(&format!(" --rule {name}={text}")),
            toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => {
                command.push_str(&format!(" --rule {name}={value}"));
            }
            _ => {}
        }
    }
    Some(format!("{} is a study, and map takes levels; name those of the study: `{command}`", path.display()))
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path)
        .map_err(|error| Failure::message(format!("cannot make the folder {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_given_as_levels_is_told_with_the_command_for_its_levels() {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo");
        let said = refused_study(&demo.join("study.toml")).unwrap();
        assert!(said.contains("study.toml is a study, and map takes levels"), "{said}");
        assert!(said.contains("levels --game rush-hour --rule goal=exit --rule metric=slide`"), "{said}");
        assert_eq!(refused_study(&demo.join("levels")), None);
        assert_eq!(refused_study(&demo.join("players.csv")), None);
    }
}
