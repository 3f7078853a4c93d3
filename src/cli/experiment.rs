//! `plymap experiment`

use std::path::PathBuf;

use crate::experiment::simulated::{self, SimulationReport};
use crate::experiment::site::{Form, write_site};
use bytesize::ByteSize;
use clap::Args;
use plymap_run::study::Study;
use plymap_run::study_levels;

use super::output::print_account;
use super::{Bars, ExitCode, Failure};

mod browser;
mod built;

/// Write the experiment of a study as a folder of static files, for any web host.
///
/// [experiment] of the study defines texts, levels and questions; see docs/experiments.md. The page keeps the events
/// until they are saved: by POST to an address, by DataPipe, by JATOS, or by a download. plymap import reads what comes
/// back.
///
/// With --jspsych it is a package for jsPsych 8, completed by npm install && npm run build.
///
/// With --simulate N, N simulated people play it in a headless Chromium, as the [[cohort]]s of the study choose, twenty
/// times as fast as people; what they did goes to the folder DIR-simulated, with a study that reads it. With --jspsych a copy
/// of the folder is completed by npm for that.
///
/// Example: plymap experiment data/demo/study.toml --out site --simulate 2
#[derive(Debug, Args)]
pub struct Experiment {
    /// The study, or its folder.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Folder to write to; it appears when complete.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write it for jsPsych.
    #[arg(long)]
    jspsych: bool,
    /// Number of simulated participants who play it in a browser.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    simulate: Option<u32>,
    /// The browser, Chromium or Chrome; default: found by its usual names.
    #[arg(long, value_name = "PROGRAM", requires = "simulate")]
    browser: Option<PathBuf>,
}

impl Experiment {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let file = Study::file(&self.study);
        let study = Study::read(&file)?;
        let browser = self.simulate.map(|_| browser::find(self.browser.as_deref())).transpose()?;
        let (levels, level_files) = study_levels(&study, bars)?;
        let form = if self.jspsych { Form::JsPsych } else { Form::Page };
        let summary = write_site(&study, &file, (&levels, &level_files), form, &self.out, bars)?;
        let out = self.out.display();
        print_account(&format!(
            "levels        {:>9}\nfiles written {:>9}, {} in {out}\n",
            summary.levels.len(),
            summary.n_files,
            ByteSize(summary.n_bytes)
        ))?;
        let (Some(n), Some(browser)) = (self.simulate, browser) else {
            print_account(&format!(
                "open it through a web server, such as: python3 -m http.server --directory {out}\n"
            ))?;
            return Ok(ExitCode::SUCCESS);
        };
        let played: Vec<_> = levels.iter().filter(|level| summary.levels.contains(&level.id)).collect();
        let scripts = simulated::scripts(&study, &played, n, bars)?;
        let sent = match form {
            Form::Page => browser::play(&browser, &self.out, &scripts, bars)?,
            Form::JsPsych => browser::play(&browser, built::by_npm(&self.out, bars)?.path(), &scripts, bars)?,
        };
        // Beside the folder, also where its path ends with a slash.
        let mut target = self.out.components().as_path().to_owned().into_os_string();
        target.push("-simulated");
        let target = PathBuf::from(target);
        let SimulationReport { account, n_moves: [planned, found] } =
            simulated::keep(&study, &levels, &scripts, (form, &sent), &target, bars)?;
        let counts = account.counts;
        print_account(&format!(
            "people        {n:>9}, simulated, in a browser\nrows          {:>9} = {} accepted + {} rejected\nmoves         {found:>9} of {planned} planned\nanalyse them with: plymap run {}\n",
            counts.read,
            counts.accepted,
            counts.rejected,
            target.display()
        ))?;
        if counts.rejected > 0 || (planned != found && !simulated::has_limits(&study)) {
            return Err(Failure::message(format!(
                "what simulated people did did not come back whole; {} has what was recorded, and plymap check says what is wrong",
                target.display()
            )));
        }
        Ok(ExitCode::SUCCESS)
    }
}
