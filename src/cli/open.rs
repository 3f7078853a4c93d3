//! `plymap open`

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use plymap_open::{MOST_BYTES, Opened, Project, STUDY, router, token};
use plymap_puzzles::progress::Progress as _;
use plymap_run::study::Study;
use plymap_server::{Access, Bound, Deadlines};

use super::output::{print, say};
use super::{Bars, ExitCode, Failure};

/// Interval between two checks whether the server shall end.
const PAUSE: Duration = Duration::from_millis(100);

/// Folder of a new study where none is named.
const NEW_STUDY: &str = "my-study";

/// Open a page in the browser: drop logs and levels, correct how they are read, check, run and explore the study.
///
/// Everything that is decided in the page stands in study.toml, so that plymap run goes on with it. The page is for this
/// machine and the printed address alone, which holds a secret; it reads and writes the folder of the study, and reads the
/// files that are named. Ctrl-C ends it; what was begun in the page is there the next time.
///
/// Example: plymap open raw/*.csv levels --out my-study
///
/// Example: plymap open data/demo/study.toml
#[derive(Debug, Args)]
pub struct Open {
    /// A study, its folder, or files and folders of levels and logs; without any, a new study is begun.
    #[arg(value_name = "STUDY | FILES")]
    paths: Vec<PathBuf>,
    /// Folder of a new study; default: my-study.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Port; 0 for a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Print the address alone, and open no browser.
    #[arg(long)]
    no_browser: bool,
    /// Language of the page: en, de or fr; default: that of the browser.
    #[arg(long, value_name = "CODE", value_parser = ["en", "de", "fr"])]
    language: Option<String>,
}

impl Open {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let project = self.project()?;
        let before = project.address();
        let token = before.as_ref().map_or_else(token, |before| before.token.clone());
        let bound = self.bound(before.map(|before| before.port))?;
        let address = format!("http://{}/{token}/", bound.address());
        project.keep_address(bound.address().port(), &token);
        let language = self.language.as_deref().unwrap_or_default();
        let opened = Arc::new(Opened::new(project, language, env!("CARGO_PKG_VERSION")));
        let ended = bound.serve(router(Arc::clone(&opened), &token));
        say!("plymap: the page for {} is at", opened.folder().display());
        print(&format!("{address}\n"))?;
        say!("plymap: Ctrl-C ends it");
        if !self.no_browser
            && let Err(error) = ::open::that_detached(&address)
        {
            say!("plymap: no browser could be opened ({error}): open the address yourself");
        }
        while !bars.is_cancelled() {
            if ended.is_finished() {
                let why =
                    ended.join().ok().and_then(Result::err).map_or("it failed".to_owned(), |error| error.to_string());
                return Err(Failure::message(format!("the server ended by itself: {why}")));
            }
            thread::sleep(PAUSE);
        }
        opened.stop();
        Ok(ExitCode::SUCCESS)
    }

    /// Listens at the port that is named, else at that of the last time, so that an open page goes on, else at a free one.
    fn bound(&self, before: Option<u16>) -> Result<Bound, Failure> {
        let at = |port| {
            let access = Access { host: IpAddr::V4(Ipv4Addr::LOCALHOST), port, ..Access::local() };
            Bound::new(&access, MOST_BYTES, Deadlines::default(), |news| say!("plymap: {news}"))
        };
        let again = before.filter(|_| self.port == 0).and_then(|port| at(port).ok());
        Ok(again.map_or_else(|| at(self.port), Ok)?)
    }

    /// Returns the project of the study that is named, or a new one with the files that are.
    fn project(&self) -> Result<Project, Failure> {
        if let Some(missing) = self.paths.iter().find(|path| !path.exists()) {
            return Err(Failure::message(format!("there is no {}", missing.display())));
        }
        let studies: Vec<&PathBuf> = self.paths.iter().filter(|path| is_study(path)).collect();
        let (file, named) = match studies.as_slice() {
            [] => (self.out.clone().unwrap_or_else(|| NEW_STUDY.into()).join(STUDY), self.paths.clone()),
            [study] if self.out.is_none() => {
                let others = self.paths.iter().filter(|path| path != study).cloned().collect();
                (Study::file(study), others)
            }
            [study] => {
                let message = format!("{} is a study and has a folder: leave out --out", study.display());
                return Err(Failure::message(message));
            }
            [one, other, ..] => {
                let message = format!("{} and {} are two studies: open one", one.display(), other.display());
                return Err(Failure::message(message));
            }
        };
        let failed = |error| Failure::message(format!("the folder of {} cannot be used: {error}", file.display()));
        Project::open(&file, named).map_err(failed)
    }
}

fn is_study(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml") || path.join(STUDY).is_file()
}
