//! `plymap run`

use plymap_statistics::stats::apa::counted;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::Args;
use clap::builder::PossibleValuesParser;
use plymap_log::KeyFile;
use plymap_report::REPORT_PAGE;
use plymap_run::study::Study;
use plymap_run::{RunOptions, RunSummary, Shards, sections, study_levels};

use super::caching::Caching;
use super::error::tell_failed;
use super::output::{print_account, say};
use super::{Bars, ExitCode, Failure};

/// Run a whole study: levels and logs in; tables, figures and a report out.
///
/// Writes to reports/NAME, where NAME is the name of the study, or with --fast to reports/NAME-preview, unless --out says
/// otherwise. The folder appears, or replaces the one of an earlier run, when the run is complete.
///
/// Results of its stages are cached: an unchanged study is not computed again, and after an edit only what depends on
/// it.
///
/// A log with more rows than max_moves in [statistics] is processed in shards, sets of participants that fit into
/// memory one after the other. plymap shard divides that work between machines.
///
/// Example: plymap run data/demo/study.toml
#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    what: What,
    /// Folder of the shards that plymap shard made of the log.
    #[arg(long, value_name = "DIR", requires = "shard")]
    shards: Option<PathBuf>,
    /// Only label this shard, from 1, for plymap merge; nothing else is written.
    #[arg(long, value_name = "NUMBER", requires = "shards", conflicts_with_all = ["out", "only", "fast", "memory"])]
    shard: Option<usize>,
    /// Open the report in a browser when it is complete.
    #[arg(long, conflicts_with = "shard")]
    open: bool,
}

/// A study, where its results go, and how much of it is made.
#[derive(Debug, Args)]
pub struct What {
    /// The study.
    #[arg(value_name = "STUDY")]
    pub study: PathBuf,
    /// Folder to write to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only these sections of the report, with the tables and figures that they need; several separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "SECTION", value_parser = PossibleValuesParser::new(sections()))]
    only: Vec<String>,
    /// Preview: a tenth of the resamples, and only the figures of the first questions. The report says so.
    #[arg(long)]
    fast: bool,
    /// Memory for shards of a log with more rows than the study analyses, such as 4GiB; default: half of the free
    /// memory. Results do not depend on it.
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
    #[command(flatten)]
    caching: Caching,
}

impl What {
    /// Runs the study as it is now, from shards in this folder if they were made before. Where its results are, with what was
    /// done.
    pub fn run(&self, shards: Option<PathBuf>, bars: &Bars) -> Result<RunSummary, Failure> {
        let file = Study::file(&self.study);
        let study = Study::read(&file)?;
        let cache = self.caching.cache(&study);
        let memory = self.memory.map(|size| size.as_u64());
        let options = RunOptions { only: self.only.clone(), is_fast: self.fast, cache, memory, shards };
        let target = self.out.clone().unwrap_or_else(|| options.target(&study));
        Ok(plymap_run::run(&study, &file, &target, &options, bars)?)
    }
}

impl Run {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        match self.shards.zip(self.shard) {
            Some((folder, number)) => label_shard(&self.what.study, &folder, number, bars).map(|()| ExitCode::SUCCESS),
            None => {
                let summary = self.what.run(None, bars)?;
                let code = print_summary(&summary)?;
                print_report(&summary.folder, self.open)?;
                Ok(code)
            }
        }
    }
}

/// Prints the path of the report of a run, from where one stands, and opens it in a browser if that is asked for. There
/// is none if it could not be made, which the summary says.
pub fn print_report(folder: &Path, is_opened: bool) -> Result<(), Failure> {
    let report = folder.join(REPORT_PAGE);
    if !report.exists() {
        return Ok(());
    }
    let shown = from_here(&report);
    print_account(&format!("open          {}\n", shown.display()))?;
    if is_opened && let Err(error) = open::that_detached(&report) {
        say!("plymap: no browser could be started ({error}); open {} in one", shown.display());
    }
    Ok(())
}

/// Returns a path relative to the current folder if it is in it, else as it is.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let relative = path.strip_prefix(&here).ok().filter(|_| here.is_absolute());
    relative.unwrap_or(path).to_owned()
}

/// Labels one shard.
fn label_shard(study: &Path, folder: &Path, number: usize, bars: &Bars) -> Result<(), Failure> {
    let study = Study::read(study)?;
    let shards = Shards::open(&study, folder)?;
    shards.check_key(&study)?;
    let index = shards.index(number)?;
    let (levels, _) = study_levels(&study, bars)?;
    Ok(plymap_run::label_shard(&study, &levels, &shards, index, rayon::current_num_threads(), bars)?)
}

/// Prints the summary of a run; returns the exit code that says whether all of it was made.
pub fn print_summary(summary: &RunSummary) -> Result<ExitCode, Failure> {
    print_account(&in_words(summary))?;
    if summary.rows.is_some_and(|rows| rows.replayed == 0) {
        say!(
            "plymap: not one row of the logs could be replayed: check the names of levels, the notation of moves, [rules] and [columns]"
        );
    }
    Ok(tell_failed(&summary.failed))
}

pub fn in_words(summary: &RunSummary) -> String {
    let mut text = format!("levels        {:>9}\n", summary.n_levels);
    if let Some(n_states) = summary.n_states {
        text.push_str(&format!("states        {n_states:>9}\n"));
    }
    for remark in &summary.level_remarks {
        text.push_str(&format!("  {remark}\n"));
    }
    if let Some(rows) = summary.rows {
        text.push_str(&format!("participants  {:>9}\n", summary.n_participants));
        text.push_str(&format!(
            "rows read     {:>9} = {} accepted + {} rejected\n",
            rows.read, rows.accepted, rows.rejected
        ));
        text.push_str(&format!(
            "accepted      {:>9} = {} replayed + {} excluded{}\n",
            rows.accepted,
            rows.replayed,
            rows.excluded,
            if rows.left_out > 0 { format!(" + {} left out by the study", rows.left_out) } else { String::new() }
        ));
    }
    if let Some(sample) = &summary.sample {
        text.push_str(&format!("analyses and figures are of {sample}\n"));
    }
    for anomaly in &summary.anomalies {
        text.push_str(&format!("  {anomaly}\n"));
    }
    for diagnostic in &summary.diagnostics {
        text.push_str(&format!("  {diagnostic}\n"));
    }
    if let Some(key) = &summary.key {
        text.push_str(&format!("{}\n", key_in_words(key)));
    }
    if summary.is_unchanged {
        let folder = summary.folder.display();
        text.push_str(&format!(
            "nothing has changed: {folder} has the {} of the last run\n",
            counted(summary.n_files, "file")
        ));
        return text;
    }
    let kept = summary.uses.iter().filter(|(_, uses)| uses.n_found > 0);
    let kept: Vec<String> = kept.map(|(what, uses)| format!("{} of {} {what}", uses.n_found, uses.n_asked)).collect();
    if !kept.is_empty() {
        text.push_str(&format!("as before     {}: taken from an earlier run\n", kept.join(", ")));
    }
    text.push_str(&format!("files written {:>9}, in {}\n", summary.n_files, summary.folder.display()));
    text
}

/// Returns a sentence on the key of the codes of participants: where it lies, and why to keep it.
fn key_in_words(key: &KeyFile) -> String {
    let is_new = if key.is_new { "was written to" } else { "is" };
    format!(
        "participants have codes; the key {is_new} {}: keep it apart from the data, for whoever has it can tell whose code is whose, \
         and without it the same people get other codes",
        key.path.display()
    )
}

/// Says on standard error where a key lies that was made just now.
pub fn say_new_key(key: Option<&KeyFile>) {
    if let Some(key) = key.filter(|key| key.is_new) {
        say!("{}", key_in_words(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_named_from_where_one_stands() {
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(from_here(&here.join("reports/demo/report.html")), Path::new("reports/demo/report.html"));
        assert_eq!(from_here(Path::new("reports/demo/report.html")), Path::new("reports/demo/report.html"));
        let elsewhere = here.parent().expect("a folder above").join("elsewhere/report.html");
        assert_eq!(from_here(&elsewhere), elsewhere);
    }
}
