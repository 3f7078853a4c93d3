//! The command line: parses the arguments, runs the command, prints what went wrong, and tells the exit code.

use std::borrow::Cow;
use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

mod caching;
mod calibrate;
mod check;
mod diagnostics;
mod diff;
mod documents;
mod error;
mod exit_code;
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
mod open;
mod output;
mod position;
mod power;
mod preregister;
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
mod study_arguments;
mod tablebase;
mod terminal;
mod tournament;
mod verify;
mod watch;

use caching::say_damaged;
use error::Failure;
pub use exit_code::ExitCode;
pub use licenses::carry_notices;
pub use output::closed as output_is_closed;
use progress::Bars;
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
    /// Print only results and errors: no progress, no summary, no notices.
    #[arg(long, global = true)]
    quiet: bool,
    /// Number of threads; default: all cores. Results do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(subcommand)]
    command: Command,
}

/// Declares the commands in the order of the help, and how each is run.
macro_rules! commands {
    ($bars:ident: $($name:ident($arguments:ty) => $run:ident($($given:expr)?);)+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name($arguments)),+
        }

        impl Command {
            fn run(self, $bars: &Bars) -> Result<ExitCode, Failure> {
                match self {
                    $(Self::$name(arguments) => arguments.$run($($given)?)),+
                }
            }
        }
    };
}

commands! {
    bars:
    Init(init::Init) => run();
    Import(Box<import::Import>) => run(bars);
    Open(open::Open) => run(bars);
    Run(run::Run) => run(bars);
    Shard(shard::Shard) => run(bars);
    Merge(shard::Merge) => run(bars);
    Watch(watch::Watch) => run(bars);
    Serve(serve::Serve) => run(bars);
    Experiment(experiment::Experiment) => run(bars);
    Check(check::Check) => run(bars);
    Map(map::Map) => run(bars);
    Tablebase(tablebase::MakeTablebase) => run(bars);
    Solve(solve::Solve) => run(bars);
    Hint(hint::Hint) => run(bars);
    Explain(explain::Explain) => run(bars);
    Label(label::Label) => run(bars);
    Stats(Box<stats::Stats>) => run(bars);
    Figures(figures::Figures) => run(bars);
    SearchStudy(search_study::SearchStudy) => run(bars);
    Simulate(simulate::Simulate) => run(bars);
    Power(power::Power) => run(bars);
    Preregister(preregister::Preregister) => run(bars);
    Calibrate(calibrate::Calibrate) => run(bars);
    Tournament(tournament::Tournament) => run(bars);
    LightsOut(lights_out::LightsOut) => run(bars);
    Export(export::Export) => run(bars);
    Verify(verify::Verify) => run(bars);
    Diff(diff::Diff) => run(bars);
    Completions(shell::Completions) => run(command_line());
    Man(shell::Man) => run(command_line());
    Licenses(licenses::Licenses) => run();
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
    let bars = Bars::new(arguments.quiet);
    let result = begin_threads(arguments.threads).and_then(|()| arguments.command.run(&bars));
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

/// Starts as many threads as were asked for, or as there are cores.
fn begin_threads(threads: Option<u16>) -> Result<(), Failure> {
    if let Some(fewer) = plymap_tables::threads::begin(threads.map(usize::from)).map_err(Failure::message)? {
        say!("plymap: {fewer}; results do not depend on it");
    }
    Ok(())
}

/// The command line as clap describes it: help, man pages, completions and docs/commands.md are made of it.
pub fn command_line() -> clap::Command {
    with_numbers_below_zero(Arguments::command())
}

/// The same command whose options take a number below 0 as their value, so that they can say what they need instead.
fn with_numbers_below_zero(command: clap::Command) -> clap::Command {
    command.mut_args(allowing_negative_numbers).mut_subcommands(with_numbers_below_zero)
}

fn allowing_negative_numbers(argument: clap::Arg) -> clap::Arg {
    let is_option = !argument.is_positional() && argument.get_action().takes_values();
    argument.allow_negative_numbers(is_option)
}

#[cfg(test)]
mod tests;
