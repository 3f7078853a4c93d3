//! All tables of a run, and the distance tables of its levels.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use super::certificates::write_checks;
use super::files::make_folder;
use super::play::{PIECES_AHEAD, pieces};
use super::publish::Publication;
use super::shards::{LongTable, LongWriter, Merged};
use super::{Play, Results, RunError, continues, level_stems};
use crate::study::Study;
use plymap_analysis::MoveColumns;
use plymap_measures::level_tables::{ExpectedMoves, distance_table, edge_table, levels_table};
use plymap_measures::measure;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::{LevelSummary, ValuedLevel};
use plymap_report::claims::{Checked, claims_table, read_claims};
use plymap_tables::parallel::{each_in_order, map_in_order};
use plymap_tables::{Table, TableFormat, write_table_as};
use rayon::prelude::*;

/// The tables that were written.
pub(super) struct Written {
    /// The tables; of those that are too long for memory the first rows.
    pub tables: Vec<Table>,
    /// The numbers of rows of these.
    pub n_rows: BTreeMap<String, usize>,
    /// The claims that were checked against the tables.
    pub claims: Vec<Checked>,
}

/// Writes all tables and the distance tables of all levels.
pub(super) fn write_tables(
    study: &Study,
    levels: &[ValuedLevel],
    results: &Results,
    merged: Option<&Merged>,
    publication: &Publication,
    progress: &dyn Progress,
) -> Result<Written, RunError> {
    let claims = study.study.claims.as_ref().map(|file| read_claims(&study.folder.join(file))).transpose()?;
    let claims = claims.unwrap_or_default();
    let summaries: Vec<LevelSummary> = levels.par_iter().map(ValuedLevel::summary).collect();
    let mut tables = vec![levels_table(&summaries)];
    if let Some(play) = results.play {
        tables.extend([
            measure::conditions_table(&play.measures),
            measure::level_play_table(&play.measures),
            measure::participants_table(&play.measures),
            measure::trials_table(&play.measures),
            measure::attempts_table(&play.measures),
        ]);
        tables.extend(results.statistics.iter().flat_map(|statistics| statistics.all_tables()).cloned());
        if let Some(comparison) = results.comparison {
            tables.extend([comparison.scores_table(), comparison.players_table()]);
        }
        tables.push(match claims.iter().any(|claim| claim.is_about("moves")) {
            true => with_columns(results, play, play.all_moves(levels)?, 0..play.labelled.rows.len()),
            // Until it is written, piece by piece.
            false => play.moves(0..0, levels)?,
        });
        play.remark(&mut tables[1..]);
        tables.extend(play.sample.as_ref().map(|sample| sample.table(&play.measures.participants)));
        tables.push(play.account.rejects());
    }
    let claims: Vec<Checked> = claims.iter().map(|claim| claim.check(&tables)).collect();
    if study.study.claims.is_some() {
        tables.push(claims_table(&claims));
        if let (Some(play), Some(table)) = (results.play, tables.last_mut()) {
            play.remark(std::slice::from_mut(table));
        }
    }
    // Of these not all rows are in memory at once.
    let mut long = Vec::new();
    if let Some(play) = results.play {
        let folder = publication.path().join("tables");
        make_folder(&folder)?;
        let formats = &study.output.tables;
        long = match merged {
            Some(merged) => {
                merged.write_tables(&play.account, levels, &move_columns(results), &folder, formats, progress)?
            }
            None => vec![write_moves(results, play, levels, &folder, formats, progress)?],
        };
    }
    let is_long = |name: &str| long.iter().any(|table| table.head.name == name);
    publication.write_tables(tables.iter().filter(|table| !is_long(&table.name)))?;
    let is_result = |table: &&Table| {
        let mut results = results.statistics.iter().flat_map(|statistics| statistics.all_tables());
        table.name == "claims" || results.any(|result| result.name == table.name)
    };
    publication.write_results(tables.iter().filter(is_result))?;
    if !study.output.distances.is_empty() && levels.iter().any(|level| level.whole.is_some()) {
        write_all_distances(study, levels, &publication.path().join("distances"), progress)?;
        let mapped = levels.iter().filter(|level| level.whole.is_some());
        let mapped = mapped.map(|level| (level.id.as_str(), &*level.rules));
        let (stems, checks) = (level_stems(levels), publication.path().join("checks"));
        write_checks(mapped, &stems, study.map.expand_goals, &study.output.distances, &checks)?;
    }
    let n_rows = long.iter().map(|table| (table.head.name.clone(), table.n_rows)).collect();
    for LongTable { head, .. } in long {
        tables.iter_mut().filter(|table| table.name == head.name).for_each(|table| *table = head.clone());
    }
    Ok(Written { tables, n_rows, claims })
}

/// Writes the distance tables of all levels into a folder.
fn write_all_distances(
    study: &Study,
    levels: &[ValuedLevel],
    folder: &Path,
    progress: &dyn Progress,
) -> Result<(), RunError> {
    make_folder(folder)?;
    let stems = level_stems(levels);
    progress.begin("writing distances", Some(levels.len() as u64));
    map_in_order(levels.iter().collect(), |level| {
        write_distances(level, folder, &stems.stem(&level.id), &study.output.distances, &[])?;
        progress.advance(1);
        continues(progress)
    })?;
    progress.end();
    Ok(())
}

/// Writes the table `moves`, piece by piece.
fn write_moves(
    results: &Results,
    play: &Play,
    levels: &[ValuedLevel],
    folder: &Path,
    formats: &[TableFormat],
    progress: &dyn Progress,
) -> Result<LongTable, RunError> {
    let n_rows = play.labelled.rows.len();
    progress.begin("writing moves", Some(n_rows as u64));
    let make = |rows: Range<usize>| -> Result<Table, RunError> {
        Ok(with_columns(results, play, play.moves(rows.clone(), levels)?, rows))
    };
    let mut writer = None;
    // A log of which nothing can be played has a table too.
    LongWriter::append(&mut writer, &make(0..0)?, folder, formats)?;
    each_in_order(pieces(n_rows), rayon::current_num_threads(), PIECES_AHEAD, make, |table| {
        LongWriter::append(&mut writer, &table, folder, formats)?;
        progress.advance(table.data.height() as u64);
        continues(progress)
    })?;
    progress.end();
    writer.expect("a piece was written").finish()
}

/// The table `moves` of these labelled rows with what analyses say of them.
fn with_columns(results: &Results, play: &Play, moves: Table, rows: Range<usize>) -> Table {
    let numbers: Vec<Option<u32>> = rows.map(|row| Some(row as u32)).collect();
    let add = |table: Table, columns: &MoveColumns| columns.added_to(&table, &numbers, &play.account.empty_columns);
    move_columns(results).into_iter().fold(moves, add)
}

/// Returns the columns that analyses add to the table `moves`.
fn move_columns<'a>(results: &Results<'a>) -> Vec<&'a MoveColumns> {
    let findings = results.statistics.into_iter().flat_map(|statistics| &statistics.findings);
    findings.filter_map(|findings| findings.columns.as_ref()).collect()
}

/// Writes the distance table of a level, with columns for each of these players, into files of this name; nothing if it
/// was not mapped.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_distances(
    level: &ValuedLevel,
    folder: &Path,
    stem: &str,
    formats: &[TableFormat],
    players: &[ExpectedMoves],
) -> Result<(), RunError> {
    if let Some(table) = distance_table(level, players) {
        write_table_as(&table, folder, stem, formats)?;
    }
    Ok(())
}

/// Writes the table of edges of a level into files of this name; nothing if it was not mapped.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_edges(level: &ValuedLevel, folder: &Path, stem: &str, formats: &[TableFormat]) -> Result<(), RunError> {
    if let Some(table) = edge_table(level) {
        write_table_as(&table, folder, stem, formats)?;
    }
    Ok(())
}
