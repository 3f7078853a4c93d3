//! The command line: parses the arguments, runs the command, prints what went wrong, and tells the exit code.

use std::borrow::Cow;
use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

mod caching;
mod calibrate;
mod check;
mod diagnostics;
mod diff;
mod error;
mod experiment;
mod explain;
mod export;
mod figures;
mod hint;
mod import;
mod init;
mod label;
mod levels;
mod licenses;
mod lights_out;
mod map;
mod output;
mod position;
mod power;
mod progress;
mod run;
mod say;
mod search_study;
mod serve;
mod shard;
mod shell;
mod simulate;
mod solve;
mod stats;
mod tournament;
mod watch;

use error::Failure;
pub use licenses::carry_notices;
pub use output::closed as output_is_closed;
use say::{say, visible};

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    an input or a file is at fault; nothing was written
  2    the command line is not understood
  3    `check` or `verify` found something wrong, or `diff` a difference
  4    there is no solution
  5    more rows of a log cannot be used than `max_unused` allows
  6    done, but for parts that could not be made, which are named
  7    `import` proposes a study by which fewer than 90 % of the rows can be replayed
  8    done, but what was to be shown on standard output could not be written; files are there
  130  interrupted; nothing was written

Data goes to standard output, messages go to standard error.";

/// From the logs of people playing puzzles to results a paper can print.
#[derive(Debug, Parser)]
#[command(name = "plymap", version, after_help = EXIT_CODES, arg_required_else_help = true)]
struct Arguments {
    /// Say nothing but the results that were asked for and what went wrong: no progress, no account, no remarks.
    #[arg(long, global = true)]
    quiet: bool,
    /// Number of threads; all cores where it is not given. Results do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Init),
    Import(Box<import::Import>),
    Run(run::Run),
    Shard(shard::Shard),
    Merge(shard::Merge),
    Watch(watch::Watch),
    Serve(serve::Serve),
    Experiment(experiment::Experiment),
    Check(check::Check),
    Map(map::Map),
    Solve(solve::Solve),
    Hint(hint::Hint),
    Explain(explain::Explain),
    Label(label::Label),
    Stats(Box<stats::Stats>),
    Figures(figures::Figures),
    SearchStudy(search_study::SearchStudy),
    Simulate(simulate::Simulate),
    Power(power::Power),
    Calibrate(calibrate::Calibrate),
    Tournament(tournament::Tournament),
    LightsOut(lights_out::LightsOut),
    Export(export::Export),
    Verify(run::Verify),
    Diff(diff::Diff),
    Completions(shell::Completions),
    Man(shell::Man),
    Licenses(licenses::Licenses),
}

/// What the program tells whoever called it, one of those in its help; that of the standard library does not tell its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCode(pub u8);

impl ExitCode {
    const SUCCESS: Self = Self(0);
    const FAILURE: Self = Self(1);
    /// Some parts of the results could not be made.
    const PARTIAL: Self = Self(6);
    /// A proposal is likely wrong.
    const DOUBTFUL: Self = Self(7);
    /// Standard output could not be written.
    const UNSHOWN: Self = Self(8);
}

/// Runs the program with these arguments, the first of which is its name. It listens for Ctrl-C and SIGTERM, and ends the
/// process where work does not end by itself then.
pub fn main(arguments: &[OsString]) -> ExitCode {
    let arguments = match command_line()
        .try_get_matches_from(arguments)
        .and_then(|matches| Arguments::from_arg_matches(&matches))
    {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error, arguments),
    };
    say::set_quiet(arguments.quiet);
    let bars = progress::Bars::new(arguments.quiet);
    let result = begin_threads(arguments.threads).and_then(|()| run_command(arguments.command, &bars));
    say_damaged();
    output::ended(match result {
        Ok(code) => code,
        Err(failure) => {
            bars.clear();
            failure.print();
            failure.code()
        }
    })
}

/// Says which files of kept results were not as they were written.
fn say_damaged() {
    for path in plymap_tables::store::take_damaged() {
        say!("plymap: {} was damaged: what it kept of an earlier run was computed anew", path.display());
    }
}

/// Says what is wrong with the command line, or the help that it asks for.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let is_plain = |argument: &OsString| matches!(visible(&argument.to_string_lossy()), Cow::Borrowed(_));
    if !error.use_stderr() {
        output::wrote(error.print());
    } else if arguments.iter().all(is_plain) {
        // Nobody may listen: that is no reason to fail.
        let _ = error.print();
    } else {
        // Patterns of a shell may have put names of files among the arguments; clap would repeat them as they are.
        say!("{}", error.render());
    }
    output::ended(ExitCode(error.exit_code() as u8))
}

/// Has as many threads work as were asked for, or as there are.
fn begin_threads(threads: Option<u16>) -> Result<(), Failure> {
    if let Some(fewer) = plymap_tables::threads::begin(threads.map(usize::from)).map_err(Failure::message)? {
        say!("plymap: {fewer}; results do not depend on it");
    }
    Ok(())
}

fn run_command(command: Command, bars: &progress::Bars) -> Result<ExitCode, Failure> {
    match command {
        Command::Init(init) => init.run(),
        Command::Import(import) => import.run(bars),
        Command::Run(run) => run.run(bars),
        Command::Shard(shard) => shard.run(bars),
        Command::Merge(merge) => merge.run(bars),
        Command::Watch(watch) => watch.run(bars),
        Command::Serve(serve) => serve.run(bars),
        Command::Experiment(experiment) => experiment.run(bars),
        Command::Check(check) => check.run(bars),
        Command::Map(map) => map.run(bars),
        Command::Solve(solve) => solve.run(bars),
        Command::Hint(hint) => hint.run(bars),
        Command::Explain(explain) => explain.run(bars),
        Command::Label(label) => label.run(bars),
        Command::Stats(stats) => stats.run(bars),
        Command::Figures(figures) => figures.run(bars),
        Command::SearchStudy(search_study) => search_study.run(bars),
        Command::Simulate(simulate) => simulate.run(bars),
        Command::Power(power) => power.run(bars),
        Command::Calibrate(calibrate) => calibrate.run(bars),
        Command::Tournament(tournament) => tournament.run(bars),
        Command::LightsOut(lights_out) => lights_out.run(bars),
        Command::Export(export) => export.run(bars),
        Command::Verify(verify) => verify.run(),
        Command::Diff(diff) => diff.run(bars),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::Licenses(licenses) => licenses.run(),
    }
}

/// The command line as clap describes it: help, man pages, completions and docs/commands.md are made of it.
pub fn command_line() -> clap::Command {
    with_numbers_below_zero(Arguments::command())
}

/// The same command whose options take a number below 0 as their value, so that they can say what they need instead.
fn with_numbers_below_zero(command: clap::Command) -> clap::Command {
    let takes = |argument: clap::Arg| {
        let is_option = !argument.is_positional() && argument.get_action().takes_values();
        argument.allow_negative_numbers(is_option)
    };
    command.mut_args(takes).mut_subcommands(with_numbers_below_zero)
}

#[cfg(test)]
mod tests;
