//! `plymap shard` and `plymap merge`

use plymap_report::OutputFiles;
use plymap_run::study::Study;
use plymap_run::{Division, divide, division_within};
use std::path::PathBuf;

use bytesize::ByteSize;
use clap::Args;

use super::output::{print_account, say};
use super::run::{What, print_report, print_summary, say_new_key};
use super::{Bars, ExitCode, Failure};

/// Divide the log of a study into shards: sets of participants, each with all their rows.
///
/// For logs larger than memory, or for many machines. Each shard is labelled separately, in any order and on any
/// machine with access to the folder; plymap merge then writes the results of plymap run for the whole log. Shards hold
/// the rows of the log, with identifying columns.
///
/// Example: plymap shard study.toml --n 8 --out shards; plymap run study.toml --shards shards --shard 1;
/// plymap merge study.toml --shards shards
#[derive(Debug, Args)]
pub struct Shard {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Number of shards, of about equal size; at most one for each participant.
    #[arg(long, value_name = "NUMBER", required_unless_present = "memory", conflicts_with = "memory")]
    n: Option<usize>,
    /// Memory in which each shard can be labelled, such as 4GiB; sets the number of shards.
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
    /// Folder to write to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Shard {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let study = Study::read(&self.study)?;
        let division = match (self.n, self.memory) {
            (Some(n), _) => Division::Shards(n),
            (None, memory) => division_within(memory.unwrap_or_default().as_u64()),
        };
        let files = OutputFiles::create(&self.out)?;
        let log = divide(&study, division, files.path(), bars)?;
        files.commit()?;
        let sizes = log.sizes().enumerate();
        for (number, (n_rows, n_participants)) in sizes {
            print_account(&format!(
                "shard {:>5}: {n_rows:>11} rows of {n_participants:>9} participants\n",
                number + 1
            ))?;
        }
        let (shown, folder) = (self.study.display(), self.out.display());
        say_new_key(log.key().as_ref());
        say!(
            "label each with `plymap run {shown} --shards {folder} --shard NUMBER`, then put them together with `plymap merge \
             {shown} --shards {folder}`"
        );
        Ok(ExitCode::SUCCESS)
    }
}

/// Merge the labelled shards of a log into the results of plymap run for the whole log.
///
/// Example: plymap merge study.toml --shards shards
#[derive(Debug, Args)]
pub struct Merge {
    #[command(flatten)]
    what: What,
    /// Folder of the shards, each labelled by plymap run with --shard.
    #[arg(long, value_name = "DIR")]
    shards: PathBuf,
}

impl Merge {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let summary = self.what.run(Some(self.shards), bars)?;
        let code = print_summary(&summary)?;
        print_report(&summary.folder, false)?;
        Ok(code)
    }
}
