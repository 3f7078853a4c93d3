//! `plymap label`

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::Args;
use plymap_report::OutputFiles;
use plymap_run::study::Study;
use plymap_run::{label_moves, study_levels};
use plymap_tables::{Table, TableFormat, TableWriter};

use super::documents::{TableOutput, asked_document, check_place, give_document, table_output};
use super::output::{print_table, say};
use super::run::say_new_key;
use super::{Bars, ExitCode, Failure};

/// Label every logged move of a study: its distance before and after, its regret, its quality.
///
/// Example: plymap label data/demo/study.toml --out moves.parquet
#[derive(Debug, Args)]
pub struct Label {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// File to write to, .csv or .parquet, with a .json that documents its columns, or .xlsx; default: standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How to print it on standard output: csv, tsv, json, table, markdown or latex; or xlsx, with a sheet that says what the
    /// columns mean, and docx of a small log, into a file or pipe.
    #[arg(long, default_value = "csv", value_parser = table_output, conflicts_with = "out")]
    format: TableOutput,
    /// Memory for the log with --out, such as 4GiB; default: half of the free memory. A larger log is processed in
    /// shards, into the same file.
    #[arg(long, value_name = "SIZE", requires = "out")]
    memory: Option<ByteSize>,
}

impl Label {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let study = Study::read(&self.study)?;
        let document = asked_document(self.out.as_deref(), self.format);
        check_place(document, self.out.as_deref())?;
        let out = self.out.clone().filter(|_| document.is_none()).map(Target::new).transpose()?;
        let (levels, _) = study_levels(&study, bars)?;
        let no_log =
            || Failure::message(format!("{}: the study has no log; name one in files of [log]", self.study.display()));
        let labelled = match out {
            // What is printed is one table.
            None => {
                let mut table: Option<Table> = None;
                let mut join = |moves: &Table| match &mut table {
                    Some(table) => table.data.vstack_mut(&moves.data).map(drop).map_err(Failure::message),
                    None => {
                        table = Some(moves.clone());
                        Ok(())
                    }
                };
                let labelled = label_moves(&study, &levels, Some(u64::MAX), bars, &mut join)?.ok_or_else(no_log)?;
                match (&table, document) {
                    (Some(table), Some(kind)) => give_document(kind, study.title(), &[table], self.out.as_deref())?,
                    (Some(table), None) => print_table(table, self.format.printed())?,
                    (None, _) => {}
                }
                labelled
            }
            Some(target) => {
                let files = OutputFiles::create(&target.folder)?;
                let mut table = None;
                let labelled =
                    label_moves(&study, &levels, self.memory.map(|size| size.as_u64()), bars, &mut |moves| {
                        let writer = match &mut table {
                            Some(writer) => writer,
                            None => {
                                table.insert(TableWriter::create(moves, files.path(), &target.stem, &[target.format])?)
                            }
                        };
                        Ok::<_, Failure>(writer.append(moves)?)
                    })?;
                table.map(TableWriter::finish).transpose()?;
                files.commit()?;
                labelled.ok_or_else(no_log)?
            }
        };
        say_new_key(labelled.key.as_ref());
        for diagnostic in &labelled.diagnostics {
            say!("{diagnostic}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Target {
    folder: PathBuf,
    stem: String,
    format: TableFormat,
}

impl Target {
    fn new(path: PathBuf) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = extension.parse().map_err(|_| {
            Failure::message(format!("{}: the name must end in .csv, .parquet, .xlsx or .docx", path.display()))
        })?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .map_or_else(|| PathBuf::from("."), PathBuf::from);
        Ok(Self { folder, stem, format })
    }
}
