//! `plymap shard` and `plymap merge`

use crate::run::{Division, divide, division_within};
use crate::study::Study;
use plymap_report::OutputFiles;
use std::path::PathBuf;

use bytesize::ByteSize;
use clap::Args;

use super::output::{print_account, say};
use super::run::{What, print_summary, say_new_key};
use super::{Bars, ExitCode, Failure};

/// Divide the log of a study into shards: sets of participants, each with all their rows.
///
/// For logs that are larger than memory, or that many machines are to work on. Each shard is labelled by itself, in any
/// order and on any machine that sees the folder; plymap merge then makes of all of them what plymap run makes of the whole
/// log. Shards hold rows as they are in the log, with whatever tells who somebody is.
///
/// Example: plymap shard study.toml --n 8 --out shards; plymap run study.toml --shards shards --shard 1;
/// plymap merge study.toml --shards shards
#[derive(Debug, Args)]
pub struct Shard {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// How many shards, with about as many rows each; fewer where there are fewer participants.
    #[arg(long, value_name = "NUMBER", required_unless_present = "memory", conflicts_with = "memory")]
    n: Option<usize>,
    /// As many shards as are needed for each to be labelled in so much memory, such as 4GiB.
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

/// Put the labelled shards of a log together: what plymap run writes of the whole log.
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
        print_summary(&self.what.run(Some(self.shards), bars)?)
    }
}
