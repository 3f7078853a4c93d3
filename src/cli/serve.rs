//! `plymap serve`

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::experiment::plan::Page;
use crate::experiment::site::ExperimentError;
use axum::body::Bytes;
use clap::Args;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use plymap_play::experiment::address::of_web;
use plymap_play::experiment::text::kind_of;
use plymap_play::{Journal, Numbering, repair};
use plymap_puzzles::progress::Progress as _;
use plymap_run::study::Study;
use plymap_run::study_levels;
use plymap_server::{Access, Bound, Deadlines};

use super::output::say;
use super::{Bars, ExitCode, Failure};

mod answers;
mod links;
mod served;

use served::Served;

/// Interval between two checks whether the server shall end.
const PAUSE: Duration = Duration::from_millis(100);

/// Maximum size of all images of a study, in bytes: they are kept in memory.
const MOST_OF_MEDIA: u64 = 256 << 20;

/// Serve the levels of a study for play in a browser, and record the play.
///
/// With an [experiment] in the study: consent, instructions, levels, questions; see docs/experiments.md. The address is
/// printed; no browser is opened. Each participant has a link of their own, ADDRESS/?participant=P01, with &session=2
/// for a second session and &level=ID for one level alone. What they do is appended to a log that plymap reads as it
/// stands, one event a line; a step is confirmed to the page when it is on disk, and the page sends it again until
/// then. With --hints the page offers hints, and ADDRESS/api/levels/LEVEL/hint?state=STATE answers what plymap hint
/// prints as JSON. ADDRESS/api/openapi.json describes all answers. Ctrl-C ends it.
///
/// Example: plymap serve data/demo/study.toml --record played.ndjson
#[derive(Debug, Args)]
pub struct Serve {
    /// The study, or its folder.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Log to append to; default: recorded.ndjson beside the study.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    access: Access,
    /// Allow hints, whatever the experiment of the study says.
    #[arg(long)]
    hints: bool,
    /// Language of the page: en, de or fr; default: that of the experiment, or of the figures.
    #[arg(long, value_name = "CODE", value_parser = ["en", "de", "fr"])]
    language: Option<String>,
    /// Number of participants, P01 and so on, each with a secret link in links.csv beside the study; nobody else can
    /// take part. Existing links are kept.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    participants: Option<u32>,
    /// Beginning of the links, such as https://lab.example/play; default: the address of the server. Required with
    /// --host 0.0.0.0.
    #[arg(long, value_name = "URL", requires = "participants", value_parser = address_of_links)]
    address: Option<String>,
    /// Move faulty lines of the log into a file beside it, and continue with the consecutive events.
    #[arg(long)]
    repair: bool,
    /// Minutes of inactivity after which the number, and so the condition, of an unfinished participant is given to
    /// another; 0 for never.
    #[arg(long, value_name = "MINUTES", default_value_t = 120)]
    dropped_after: u32,
}

/// The images of a page, read once: what lies under their names later is never served.
fn media(page: &Page) -> Result<HashMap<String, (&'static str, Bytes)>, Failure> {
    let mut left = MOST_OF_MEDIA;
    let mut read = |(name, file): &(String, PathBuf)| -> io::Result<_> {
        let mut image = Vec::new();
        File::open(file)?.take(left + 1).read_to_end(&mut image)?;
        left = left.checked_sub(image.len() as u64).ok_or_else(|| {
            let most = MOST_OF_MEDIA >> 20;
            io::Error::other(format!("the images of the study have more than {most} MiB together; make them smaller"))
        })?;
        let kind = name.rsplit('.').next().and_then(kind_of).unwrap_or_default();
        Ok((name.clone(), (kind, Bytes::from(image))))
    };
    let named = |image: &(String, PathBuf)| {
        read(image).map_err(|error| Failure::message(format!("{}: {error}", image.1.display())))
    };
    page.media.iter().map(named).collect()
}

/// Checks an address that links begin with.
fn address_of_links(text: &str) -> Result<String, String> {
    let uri = of_web(text)?;
    if uri.query().is_some() || text.contains('#') {
        return Err(format!("{text:?} has a question mark or a hash: links get their own behind it; leave them out"));
    }
    Ok(text.to_owned())
}

/// Returns the address at which the page asks for the map of a level.
fn map_address(level: &str, hints: bool) -> String {
    let level = utf8_percent_encode(level, NON_ALPHANUMERIC);
    format!("api/levels/{level}/map{}", if hints { "?hints=true" } else { "" })
}

impl Serve {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        if self.participants.is_some() && self.address.is_none() && self.access.host.is_unspecified() {
            return Err(Failure::message(format!(
                "links with the address {} lead nowhere on another computer: name what they begin with, such as --address \
                 http://192.168.1.5:{}",
                self.access.host, self.access.port
            )));
        }
        let file = Study::file(&self.study);
        let study = Study::read(&file)?;
        let (levels, _) = study_levels(&study, bars)?;
        let record = self.record.clone().unwrap_or_else(|| file.with_file_name("recorded.ndjson"));
        let page = Page::new(&study, &levels, true, self.hints, &map_address).map_err(ExperimentError::from)?;
        let page = match &self.language {
            Some(language) => page.in_language(language),
            None => page,
        };
        let media = media(&page)?;
        // What cannot be served leaves no log behind.
        let listener =
            Bound::new(&self.access, answers::MOST_BYTES, Deadlines::default(), |news| say!("plymap: {news}"))?;
        let journal = self.open_log(&record, page.is_assigned_by_link())?;
        let address = format!("http://{}", listener.address());
        let of_links = self.address.as_ref().unwrap_or(&address);
        let table = file.with_file_name(links::FILE);
        let links = self.participants.map(|n| links::Links::of(&table, n, of_links, &page)).transpose()?;
        if let Some(drawn) = links.as_ref().and_then(links::Links::drawn) {
            say!("plymap: {} has {drawn}", table.display());
        }
        let links = links.map(|links| links.claims());
        let served = Arc::new(Served::new(page, levels, media, journal, links));
        let ended = listener.serve(answers::router(Arc::clone(&served)));
        let levels = file.display();
        match served.links {
            None => say!("plymap: the levels of {levels} are at {address}/?participant=NAME"),
            Some(_) => say!("plymap: the levels of {levels} are at {address}/, by the links in {}", table.display()),
        }
        say!("plymap: what is done there is appended to {}; Ctrl-C ends", record.display());
        while !bars.is_cancelled() {
            if ended.is_finished() {
                let why =
                    ended.join().ok().and_then(Result::err).map_or("it failed".to_owned(), |error| error.to_string());
                return Err(Failure::message(format!("the server ended by itself: {why}")));
            }
            served.journal.news().iter().for_each(|news| say!("plymap: {news}"));
            thread::sleep(PAUSE);
        }
        served.journal.check().map_err(Failure::message)?;
        Ok(ExitCode::SUCCESS)
    }

    fn open_log(&self, record: &Path, is_by_condition: bool) -> Result<Journal, Failure> {
        if let Some(done) = self.repair.then(|| repair(record)).transpose().map_err(Failure::message)?.flatten() {
            let aside = done.aside.map_or_else(
                || "nothing had to be set aside".to_owned(),
                |aside| format!("what was set aside is in {}:", aside.display()),
            );
            say!("plymap: {} was repaired, and has {} events; {aside}", record.display(), done.n_events);
            done.set_aside.iter().for_each(|(why, n)| say!("plymap:   {n} × {why}"));
        }
        let silence = Duration::from_secs(60 * u64::from(self.dropped_after));
        let dropped_after = Some(silence).filter(|silence| !silence.is_zero());
        let (journal, n_cut) =
            Journal::open(record, Numbering { is_by_condition, dropped_after }).map_err(Failure::message)?;
        if n_cut > 0 {
            let cut = if n_cut == 1 { "1 byte is".to_owned() } else { format!("{n_cut} bytes are") };
            say!("plymap: the last line of {} was never finished or confirmed; {cut} cut off", record.display());
        }
        Ok(journal)
    }
}
