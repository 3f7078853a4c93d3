//! `plymap stats`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use plymap_analysis::Analysis;
use plymap_analysis::confirmatory::CONFIRMATORY;
use plymap_analysis::estimator_tables::{
    frame_of_table, is_table, read_frame, table_of_estimates, table_of_estimators,
};
use plymap_expression::{Expression, MISSING, NumberStyle};
use plymap_import::participant_column;
use plymap_log::LogSpec;
use plymap_report::{FailedPart, OutputFiles};
use plymap_run::study::Study;
use plymap_run::{RunOptions, play, statistics, study_levels};
use plymap_statistics::estimator::{Average, EstimatorError, Frame, Request, Role};
use plymap_statistics::formula::{Formula, FormulaError};
use plymap_statistics::methods;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::adjust::Adjustment;
use plymap_tables::{Format, Table, TableFormat, render, write_table_as};

use super::caching::Caching;
use super::documents::{TableOutput, asked_document, check_place, document_of, give_document, table_output};
use super::error::tell_failed;
use super::output::{print, print_json, print_table, say};
use super::run::say_new_key;
use super::{Bars, ExitCode, Failure};

/// Print the statistics of a study, or any statistic of any table.
///
/// Tables of a study: correlations, time_by_quality, time_mixtures, quality_by_level and those of every analysis, such
/// as models, phases, transitions, survival, traps and choice_models; trials, attempts, participants, conditions,
/// level_play, moves, levels.
///
/// With --estimator a statistic is computed from the columns of a table: any file in a format of logs, or with --table
/// a table of a study. docs/estimators.md lists all estimators with examples.
///
/// Example: plymap stats data/demo/study.toml --table correlations --format csv
///
/// Example: plymap stats trials.csv --estimator spearman --x n_moves --y time_s --where solved --by level
///
/// Example: plymap stats trials.csv --estimator mixed --formula 'log(time_s) ~ condition + (1 | participant) + (1 | level)'
#[derive(Debug, Args)]
pub struct Stats {
    /// The study, or a table: a file in any format of logs, such as .csv, .tsv, .jsonl, .xlsx or .parquet.
    #[arg(value_name = "STUDY|TABLE", required_unless_present = "list_estimators")]
    source: Option<PathBuf>,
    /// Table of the study; default: all statistics.
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// How to print it: table, json, csv, tsv, markdown or latex; or docx, in the style of the APA, and xlsx, into a file or
    /// pipe.
    #[arg(long, default_value = "table", value_parser = table_output)]
    format: TableOutput,
    /// File to write the table to: .csv or .parquet, with a file that documents its columns, which stats can read again; or
    /// .docx or .xlsx.
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    out: Option<PathBuf>,
    /// List all estimators, and stop.
    #[arg(long)]
    list_estimators: bool,
    /// Estimator for the table, by its name or that of another program, such as t-test, coxph or lmer; prints all
    /// tables of a model (as csv, tsv, json and with --out the first), or the named one, such as mixed-terms.
    #[arg(long, value_name = "NAME")]
    estimator: Option<String>,
    #[command(flatten)]
    roles: Roles,
    #[command(flatten)]
    reading: Reading,
    /// Mixed model instead of --y, --predictor and --random, as in lme4: 'log(time_s) ~ condition * n_moves + (1 +
    /// n_moves | participant) + (1 | level)'.
    #[arg(long, value_name = "FORMULA", requires = "estimator", value_parser = formula)]
    formula: Option<Formula>,
    /// Condition that rows must meet, such as solved or 'time_s > 0 and level != "easy"'; all must hold.
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true, requires = "estimator", value_parser = Expression::parse)]
    conditions: Vec<Expression>,
    /// Grouping columns; each group is estimated separately.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    by: Vec<String>,
    /// Adjustment of p values for multiple tests.
    #[arg(long, value_enum, default_value = "none")]
    adjust: AdjustWord,
    /// Level of all intervals.
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    confidence: f64,
    /// Seed of the random number generator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Aggregation of the rows of a participant.
    #[arg(long, value_enum, default_value = "mean")]
    measure: MeasureWord,
    /// Number of resamples, or of random splits; the default depends on the number of rows.
    #[arg(long, value_name = "N")]
    resamples: Option<usize>,
    /// Limit of outliers, in multiples of the MAD or the IQR.
    #[arg(long, value_name = "X")]
    threshold: Option<f64>,
    /// Reference level of a predictor, as column=label.
    #[arg(long, value_name = "COLUMN=LABEL", value_parser = reference)]
    reference: Vec<(String, String)>,
    #[command(flatten)]
    caching: Caching,
}

/// How a table is written, where it does not tell itself; as the entries of [log].
#[derive(Debug, Args)]
struct Reading {
    /// Separator of the fields of the table, such as ';' or tab; default: detected in its header.
    #[arg(long, value_name = "MARK", value_parser = mark)]
    separator: Option<char>,
    /// Numbers of the table are written as 2,5.
    #[arg(long)]
    decimal_comma: bool,
    /// Separator of groups of three digits in numbers of the table, such as ',' in 1,393.
    #[arg(long, value_name = "MARK", value_parser = mark)]
    thousands: Option<char>,
    /// Encoding of the table, such as windows-1252; default: detected.
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// Further texts for missing values, beside the empty one, NA, n/a, NaN, None, null and the like.
    #[arg(long, value_name = "TEXT", value_delimiter = ',', allow_hyphen_values = true)]
    missing: Vec<String>,
}

impl Reading {
    fn spec(&self) -> LogSpec {
        let missing = || MISSING.iter().map(|&word| word.to_owned()).chain(self.missing.clone()).collect();
        LogSpec {
            separator: self.separator,
            // A point between thousands is no decimal mark.
            decimal_comma: self.decimal_comma || self.thousands == Some('.'),
            thousands: self.thousands,
            encoding: self.encoding.clone(),
            null_values: (!self.missing.is_empty()).then(missing),
            ..LogSpec::default()
        }
    }

    /// Says how numbers were read, where nobody said it.
    fn tell(&self, style: NumberStyle) {
        if style == self.spec().numbers() {
            return;
        }
        let comma = style.decimal_comma.then_some("a decimal comma (--decimal-comma)".to_owned());
        let groups = style.thousands.map(|mark| format!("{mark:?} between thousands (--thousands '{mark}')"));
        let said: Vec<String> = [comma, groups].into_iter().flatten().collect();
        say!("numbers are read with {}; say so, or another way, to be sure", said.join(" and "));
    }
}

/// Reads a mark of one character; a tab has a name.
fn mark(text: &str) -> Result<char, String> {
    let mut letters = text.chars();
    match (text, letters.next(), letters.next()) {
        ("tab" | "\\t", ..) => Ok('\t'),
        (_, Some(mark), None) => Ok(mark),
        _ => Err("write one character, or tab".to_owned()),
    }
}

/// The columns in each role; each can be given several times, or with commas.
#[derive(Debug, Args)]
struct Roles {
    /// Measure that is described, or the first of a pair.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    x: Vec<String>,
    /// Outcome, or the second measure of a pair.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    y: Vec<String>,
    /// Label of the groups that are compared.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    group: Vec<String>,
    /// Participant of a row.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    participant: Vec<String>,
    /// Level, item or rater of a row.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    item: Vec<String>,
    /// Number of a trial, from 1.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    trial: Vec<String>,
    /// Time until the event, or until observation ended.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    time: Vec<String>,
    /// Whether it happened.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    event: Vec<String>,
    /// Stratum: label of groups with their own baseline hazard.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    stratum: Vec<String>,
    /// Predictor of the outcome.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    predictor: Vec<String>,
    /// Factor with random intercepts; with slopes see --formula.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    random: Vec<String>,
    /// Measure that is held constant.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "estimator")]
    given: Vec<String>,
}

impl Roles {
    fn columns(self) -> BTreeMap<Role, Vec<String>> {
        let all = [
            (Role::X, self.x),
            (Role::Y, self.y),
            (Role::Group, self.group),
            (Role::Participant, self.participant),
            (Role::Item, self.item),
            (Role::Trial, self.trial),
            (Role::Time, self.time),
            (Role::Event, self.event),
            (Role::Stratum, self.stratum),
            (Role::Predictor, self.predictor),
            (Role::Random, self.random),
            (Role::Given, self.given),
        ];
        all.into_iter().filter(|(_, columns)| !columns.is_empty()).collect()
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum AdjustWord {
    None,
    Holm,
    BenjaminiHochberg,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum MeasureWord {
    Mean,
    Median,
}

fn formula(text: &str) -> Result<Formula, FormulaError> {
    text.parse()
}

/// Reads `column=label`.
fn reference(word: &str) -> Result<(String, String), String> {
    let (column, label) = word.split_once('=').ok_or_else(|| format!("{word:?} is not column=label"))?;
    Ok((column.to_owned(), label.to_owned()))
}

impl Stats {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        check_place(asked_document(self.out.as_deref(), self.format), self.out.as_deref())?;
        if self.list_estimators {
            return give(&table_of_estimators(), self.out.as_deref(), self.format).map(|()| ExitCode::SUCCESS);
        }
        let source = self.source.clone().unwrap_or_default();
        if is_table(&source) {
            if self.table.is_some() {
                return Err(Failure::message("--table chooses a table of a study, and a table was given"));
            }
            let table = read_frame(&source, &self.reading.spec()).map_err(Failure::message)?;
            table.notices.iter().for_each(|notice| say!("{notice}"));
            self.reading.tell(table.style);
            return self.estimate(&table.frame, &table.words);
        }
        if self.reading.spec() != LogSpec::default() {
            let options = "--separator, --decimal-comma, --thousands, --encoding and --missing";
            let reason = "say how a table is read, and a study was given: its [log] says how logs are read";
            return Err(Failure::message(format!("{options} {reason}")));
        }
        let Some(name) = &self.table else {
            // What cannot be printed is refused before it is computed.
            if self.estimator.is_some() {
                return Err(Failure::message("--estimator needs --table to say which table of the study is meant"));
            }
            if matches!(self.format, TableOutput::Printed(Format::Csv | Format::Tsv)) {
                let message = "tables with different columns cannot share one file: choose one with --table; they are";
                let study = Study::read(&source)?;
                return Err(Failure::message(format!("{message} {}", statistics_of(&study).join(", "))));
            }
            if self.out.as_deref().is_some_and(|out| document_of(out).is_none()) {
                return Err(Failure::message("--out takes one table: choose it with --table, or write .docx or .xlsx"));
            }
            let (tables, failed) = tables_of(&source, None, &self.caching, bars)?;
            return give_all(&tables, self.out.as_deref(), self.format).map(|()| tell_failed(&failed));
        };
        let (tables, failed) = tables_of(&source, Some(name), &self.caching, bars)?;
        tell_failed(&failed);
        let table = tables
            .iter()
            .find(|table| table.name == *name)
            .ok_or_else(|| Failure::message(format!("this study has no table {name:?}: what it says is not logged")))?;
        match self.estimator {
            Some(_) => {
                let frame = frame_of_table(&table.data).map_err(Failure::message)?;
                self.estimate(&frame, &BTreeMap::new())
            }
            None => give(table, self.out.as_deref(), self.format).map(|()| ExitCode::SUCCESS),
        }
    }

    /// Prints the results of an estimator for a table; `words` says of columns of numbers which cell is none.
    fn estimate(self, frame: &Frame, words: &BTreeMap<String, String>) -> Result<ExitCode, Failure> {
        let Some(name) = &self.estimator else {
            return Err(Failure::message(
                "--estimator says what is computed from a table; --list-estimators lists all",
            ));
        };
        let name = name.clone();
        let (format, out) = (self.format, self.out);
        let request = Request {
            roles: self.roles.columns(),
            formula: self.formula,
            conditions: self.conditions,
            by: self.by,
            adjust: match self.adjust {
                AdjustWord::None => Adjustment::None,
                AdjustWord::Holm => Adjustment::Holm,
                AdjustWord::BenjaminiHochberg => Adjustment::BenjaminiHochberg,
            },
            confidence: Confidence::new(self.confidence).map_err(Failure::message)?,
            seed: self.seed,
            measure: match self.measure {
                MeasureWord::Mean => Average::Mean,
                MeasureWord::Median => Average::Median,
            },
            n_resamples: self.resamples,
            threshold: self.threshold,
            references: self.reference.into_iter().collect(),
            ..Request::new(frame)
        };
        let table = methods::meant(&name, &request).map_err(Failure::message)?;
        if table.name != name {
            say!("{name} is the estimator {}", table.name);
        }
        // Formats for programs hold one table, those for readers all tables of the fit.
        let is_text = out.is_none() && matches!(format.printed(), Format::Table | Format::Markdown | Format::Latex);
        let is_read = is_text || asked_document(out.as_deref(), format).is_some();
        let estimates = match table.is_first() && is_read {
            true => table.estimator.estimate_all(&request),
            false => table.estimate(&request).map(|estimates| vec![estimates]),
        };
        let estimates = estimates.map_err(|error| match &error {
            EstimatorError::NotNumeric { column, .. } if let Some(word) = words.get(column) => Failure::message(format!(
                "{word}; mend the cell, say how numbers are written (--decimal-comma, --thousands), or that it means a \
                 missing value (--missing)"
            )),
            _ => Failure::message(error),
        })?;
        let tables: Vec<Table> = estimates.iter().map(table_of_estimates).collect();
        if let Some(participant) = participant_column(&frame.names().collect::<Vec<_>>()) {
            let repeated = table.estimator.repeated_rows(&request, participant).map_err(Failure::message)?;
            repeated.iter().for_each(|repeated| say!("{repeated}"));
        }
        let [only] = tables.as_slice() else {
            return give_all(&tables, out.as_deref(), format).map(|()| ExitCode::SUCCESS);
        };
        give(only, out.as_deref(), format)?;
        if matches!(format, TableOutput::Printed(Format::Table)) {
            say!("{}", only.caption);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Gives a table: prints it, or writes it to a file.
fn give(table: &Table, out: Option<&Path>, format: TableOutput) -> Result<(), Failure> {
    match (asked_document(out, format), out) {
        (Some(kind), _) => give_document(kind, &table.name, &[table], out),
        (None, Some(out)) => write(table, out),
        (None, None) => print_table(table, format.printed()),
    }
}

/// Writes a table to a file, with the one that documents its columns.
fn write(table: &Table, out: &Path) -> Result<(), Failure> {
    let unknown =
        || Failure::message(format!("{}: its name must end in .csv, .parquet, .docx or .xlsx", out.display()));
    let extension = out.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let kind: TableFormat = extension.parse().map_err(|_| unknown())?;
    let stem = out.file_stem().and_then(|stem| stem.to_str()).ok_or_else(unknown)?;
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = OutputFiles::create(folder)?;
    write_table_as(table, files.path(), stem, &[kind])?;
    Ok(files.commit()?)
}

/// Tables of what was measured, and of levels: they need no analysis.
const MEASURED: [&str; 7] = ["trials", "attempts", "participants", "conditions", "level_play", "moves", "levels"];

/// Tables that every study has.
const OF_ALL: [&str; 4] = ["correlations", "time_by_quality", "time_mixtures", "quality_by_level"];

/// The statistics that a study can have.
fn statistics_of(study: &Study) -> Vec<&'static str> {
    let confirmatory = (!study.statistics.confirmatory.is_empty()).then_some(CONFIRMATORY);
    let of_analyses = study.statistics.analyses().flat_map(|analysis| analysis.tables).copied();
    OF_ALL.into_iter().chain(confirmatory).chain(of_analyses).collect()
}

/// The tables of a study: all statistics, or those among which the named one is; and the analyses that could not be made.
fn tables_of(
    source: &Path,
    name: Option<&str>,
    caching: &Caching,
    bars: &Bars,
) -> Result<(Vec<Table>, Vec<FailedPart>), Failure> {
    let study = Study::read(source)?;
    let known: Vec<&str> = statistics_of(&study).into_iter().chain(MEASURED).collect();
    if let Some(name) = name.filter(|name| !known.contains(name)) {
        return Err(Failure::message(format!("there is no table {name:?}; the tables are {}", known.join(", "))));
    }
    let (levels, _) = study_levels(&study, bars)?;
    let play = play(&study, &levels, bars)?;
    let play = play.ok_or_else(|| {
        Failure::message(format!("{}: the study has no log; name one in files of [log]", source.display()))
    })?;
    say_new_key(play.account.key.as_ref());
    if name.is_some_and(|name| MEASURED.contains(&name)) {
        return Ok((play.tables(&levels).map_err(Failure::message)?, Vec::new()));
    }
    let is_needed =
        |analysis: &&'static Analysis| name.is_none_or(|name| name == CONFIRMATORY || analysis.tables.contains(&name));
    let analyses: Vec<_> = study.statistics.analyses().filter(is_needed).collect();
    let options = RunOptions { cache: caching.cache(&study), ..RunOptions::default() };
    let statistics = statistics(&study, &play, &levels, &analyses, &options, bars)?;
    let mut tables: Vec<Table> = statistics.all_tables().cloned().collect();
    play.remark(&mut tables);
    Ok((tables, statistics.failed))
}

/// Gives all tables: one after the other for people, as one object for JSON, or as one document.
fn give_all(tables: &[Table], out: Option<&Path>, format: TableOutput) -> Result<(), Failure> {
    if let Some(kind) = asked_document(out, format) {
        return give_document(kind, "Statistics", &tables.iter().collect::<Vec<_>>(), out);
    }
    match format.printed() {
        Format::Json => {
            let mut all = serde_json::Map::new();
            for table in tables {
                let rows = serde_json::from_str(&render(table, Format::Json)?).map_err(Failure::message)?;
                all.insert(table.name.clone(), rows);
            }
            print_json(&all)
        }
        format => {
            for table in tables {
                print(&format!("{}\n\n", table.caption))?;
                print_table(table, format)?;
                print("\n")?;
            }
            Ok(())
        }
    }
}
