//! `plymap check`

use std::path::PathBuf;

use crate::experiment::plan::Page;
use crate::experiment::site::ExperimentError;
use crate::search_study::check_plan;
use clap::Args;
use plymap_log::{Consequence, DiagnosticSummary, read_log, summarise};
use plymap_measures::doctor::Anomaly;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::claims::read_claims;
use plymap_run::study::Study;
use plymap_run::{RunError, check_figures, level_remarks, play, study_levels};
use plymap_statistics::stats::apa::counted;

use super::output::{print, say};
use super::{Bars, ExitCode, Failure};

/// Find all faults of a study, its levels and its logs; write nothing.
///
/// The exit code is 3 if there is a fault or an unusable row, and 0 if there are only notices.
///
/// Example: plymap check data/demo/study.toml
#[derive(Debug, Args)]
pub struct Check {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
}

impl Check {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let mut has_problems = false;
        let mut study = match Study::read(&Study::file(&self.study)).map_err(Failure::from) {
            Ok(study) => study,
            Err(failure @ Failure::Diagnostics(_)) => {
                failure.print();
                return Ok(ExitCode(3));
            }
            Err(failure) => return Err(failure),
        };
        study.log.writes_nothing = true;
        let levels = or_print(study_levels(&study, bars), bars, &mut has_problems)?.map(|(levels, _)| levels);
        if let Some(levels) = &levels {
            or_print(check_figures(&study, levels), bars, &mut has_problems)?;
            has_problems |= print_searches(&study, levels);
            has_problems |= print_experiment(&study, levels);
        }
        has_problems |= print_claims(&study);
        let (diagnostics, odd) = read_play(&study, levels.as_deref(), bars, &mut has_problems)?;
        let remarks = levels.map(|levels| level_remarks(&study, &levels, bars)).unwrap_or_default();
        bars.clear();
        for remark in &remarks {
            print(&format!("{remark}\n"))?;
        }
        for anomaly in &odd {
            has_problems |= anomaly.code == "implausible-times";
            print(&format!("{anomaly}\n"))?;
        }
        // What is wrong beyond single rows, of which their number says nothing.
        let mended = if has_problems { "what is said above has to be mended; " } else { "" };
        for diagnostic in &diagnostics {
            has_problems |= !matches!(diagnostic.consequence, Consequence::Kept | Consequence::LeftOut);
            print(&format!("{diagnostic}\n"))?;
        }
        let name = &study.study.name;
        match (has_problems, row_fault_summary(&diagnostics)) {
            (true, Some(rows)) => say!("plymap: study {name:?}: {mended}{rows}"),
            (true, None) => say!("plymap: study {name:?}: what is said above has to be mended"),
            (false, rows) if !odd.is_empty() => {
                let rows = rows.map(|rows| format!("; {rows}")).unwrap_or_default();
                say!(
                    "study {name:?} can be run; {} of its log should be looked at{rows}",
                    counted(odd.len(), "oddity")
                );
            }
            (false, Some(rows)) => say!("nothing is wrong with study {name:?}; {rows}"),
            (false, None) => say!("nothing is wrong with study {name:?}"),
        }
        Ok(if has_problems { ExitCode(3) } else { ExitCode::SUCCESS })
    }
}

/// Returns the value, or none after a failure, which is printed and noted in `has_problems`; an interruption is passed on.
fn or_print<T>(
    result: Result<T, impl Into<Failure>>,
    bars: &Bars,
    has_problems: &mut bool,
) -> Result<Option<T>, Failure> {
    match result.map_err(Into::into) {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        Err(failure) => {
            bars.clear();
            failure.print();
            *has_problems = true;
            Ok(None)
        }
    }
}

/// Reads the log of a study; returns its diagnostics by kind, and the anomalies of the log as a whole.
fn read_play(
    study: &Study,
    levels: Option<&[ValuedLevel]>,
    bars: &Bars,
    has_problems: &mut bool,
) -> Result<(Vec<DiagnosticSummary>, Vec<Anomaly>), Failure> {
    let Some(spec) = study.log_spec() else { return Ok(Default::default()) };
    if let Some(levels) = levels {
        let play = or_print(play(study, levels, bars), bars, has_problems)?.flatten();
        return Ok(play.map(|play| (play.account.diagnostic_summaries(), play.anomalies)).unwrap_or_default());
    }
    // Without levels nothing can be replayed; the log is read for its own faults.
    let log = or_print(read_log(&spec, bars).map_err(RunError::from), bars, has_problems)?;
    Ok((log.map(|log| summarise(&log.diagnostics)).unwrap_or_default(), Vec::new()))
}

/// Says which name in `[search]` the levels do not have; returns true if there is one.
fn print_searches(study: &Study, levels: &[ValuedLevel]) -> bool {
    let checked = check_plan(&study.search, levels);
    if let Err(error) = &checked {
        Failure::message(error.to_string()).print();
    }
    checked.is_err()
}

/// Says which entry of `[experiment]` names something absent; returns true if there is one.
fn print_experiment(study: &Study, levels: &[ValuedLevel]) -> bool {
    // Without addresses nothing is written.
    let page = Page::new(study, levels, true, false, &|_, _| String::new());
    let fault = page.err().filter(|_| study.experiment.is_some());
    if let Some(fault) = &fault {
        Failure::message(ExperimentError::Entry(fault.clone())).print();
    }
    fault.is_some()
}

/// Says which files of claims cannot be read; returns true if there is one.
fn print_claims(study: &Study) -> bool {
    let mut has_problems = false;
    for file in study.study.claims.iter().chain(&study.search.claims) {
        if let Err(error) = read_claims(&study.folder.join(file)) {
            Failure::message(error).print();
            has_problems = true;
        }
    }
    has_problems
}

/// Returns a sentence on the rows with faults and what that means for the results; none if there are none. Diagnostics
/// of whole files are no faults of rows.
fn row_fault_summary(diagnostics: &[DiagnosticSummary]) -> Option<String> {
    let n = |consequence| -> u64 {
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.consequence == consequence && diagnostic.row > 0)
            .map(|diagnostic| diagnostic.n)
            .sum()
    };
    let phrase = |n: u64, singular: &str, plural: &str| format!("{n} {}", if n == 1 { singular } else { plural });
    let mut said = Vec::new();
    let (rejected, excluded) = (n(Consequence::Rejected), n(Consequence::Excluded));
    if rejected + excluded > 0 {
        let rows = phrase(rejected + excluded, "row is", "rows are");
        said.push(format!("{rows} left out of all results ({rejected} rejected, {excluded} excluded)"));
    }
    let left_out = n(Consequence::LeftOut);
    if left_out > 0 {
        said.push(format!("{} left out by the study", phrase(left_out, "row is", "rows are")));
    }
    let without_time = n(Consequence::TimeMissing);
    if without_time > 0 {
        let times = phrase(without_time, "time is", "times are");
        said.push(format!("{times} unusable, and missing from all results of times"));
    }
    let noticed = n(Consequence::Kept);
    if noticed > 0 {
        said.push(format!("{} on rows that are used as they are", counted(noticed, "notice")));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_what_faults_of_rows_mean() {
        assert_eq!(row_fault_summary(&[]), None);
        assert_eq!(row_fault_summary(&[diagnostic(Consequence::Kept, 1, 0)]), None, "about a whole file");
        let diagnostics = [
            diagnostic(Consequence::Rejected, 1, 2),
            diagnostic(Consequence::TimeMissing, 32, 2),
            diagnostic(Consequence::Kept, 28, 3),
        ];
        assert_eq!(
            row_fault_summary(&diagnostics).unwrap(),
            "1 row is left out of all results (1 rejected, 0 excluded); 32 times are unusable, and missing from all \
             results of times; 28 notices on rows that are used as they are"
        );
    }

    fn diagnostic(consequence: Consequence, n: u64, row: u64) -> DiagnosticSummary {
        DiagnosticSummary {
            code: "a-code".to_owned(),
            consequence,
            n,
            file: "log.csv".to_owned(),
            row,
            column: String::new(),
            value: String::new(),
            rule: String::new(),
            fix: String::new(),
        }
    }
}
