//! An experiment as a folder of static files, for any web host.

use plymap_play::map_file;
use plymap_play::page_files::{FILES, PAGE, STUDY_OF_SERVER, STUDY_OF_SITE};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::{Manifest, OutputFolder, ReportError};
use plymap_run::study::Study;
use plymap_run::{RunError, continues, level_stems, no_script_error};
use plymap_tables::checksum::json::sign;
use plymap_tables::{FileError, TableError, failed};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::jspsych;
use super::plan::Page;
use plymap_play::experiment::EntryError;

/// Error of writing an experiment.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// Error that any run can have.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Entry of `[experiment]` that names what is not there.
    #[error("[experiment] `{}`: {}", .0.entry, .0.message)]
    Entry(EntryError),
    /// Level that cannot be played without a server.
    #[error(
        "level {level:?} cannot be played from a file: it is a game of chance, is not mapped, or has more than {} positions; \
         plymap serve serves it, or leave it out",
        plymap_play::map_file::MAX_STATES
    )]
    NoMap {
        /// The level.
        level: String,
    },
}

impl From<EntryError> for ExperimentError {
    fn from(error: EntryError) -> Self {
        Self::Entry(error)
    }
}

errors_of_a_run!(ExperimentError: ReportError, FileError, TableError);

/// Form of an experiment: the program that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The page of plymap, complete.
    Page,
    /// A package for jsPsych, to be built.
    JsPsych,
}

impl Form {
    /// The preset that reads what it saves.
    pub fn preset(self) -> &'static str {
        match self {
            Self::Page => "plymap",
            Self::JsPsych => "plymap-jspsych",
        }
    }
}

/// Summary of a written experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteSummary {
    /// The levels that are played.
    pub levels: Vec<String>,
    /// Number of files, the manifest included.
    pub n_files: usize,
    /// Their size in bytes.
    pub n_bytes: u64,
}

/// Writes the experiment of a study to `target`, a folder that appears, or replaces an earlier one, only when everything is
/// done. The levels come with the files that they are from; those that are played in no condition are left out.
///
/// # Errors
///
/// [`ExperimentError`]; nothing was written, and an earlier folder is as it was.
pub fn write_site(
    study: &Study,
    study_file: &Path,
    (levels, level_files): (&[ValuedLevel], &[PathBuf]),
    form: Form,
    target: &Path,
    progress: &dyn Progress,
) -> Result<SiteSummary, ExperimentError> {
    let folder = OutputFolder::create(target)?;
    let page = page(study, levels)?;
    let site = Site { folder: folder.path() };
    match form {
        Form::Page => {
            let index = PAGE.replace(STUDY_OF_SERVER, STUDY_OF_SITE);
            let index = with_remedy(&with_policy(&index, &page.policy()), page.language());
            site.write("index.html", index.as_bytes())?;
            FILES.iter().try_for_each(|(name, _, content)| site.write(&format!("play/{name}"), content.as_bytes()))?;
        }
        Form::JsPsych => {
            let policy = page.policy() + jspsych::POLICY;
            jspsych::files().try_for_each(|(name, content)| match name.as_str() {
                "index.html" => site.write(&name, with_policy(content, &policy).as_bytes()),
                _ => site.write(&name, content.as_bytes()),
            })?;
        }
    }
    for (name, file) in &page.media {
        let content = fs::read(file).map_err(failed("read", file))?;
        site.write(name, &content)?;
    }
    let mut study_of_site = serde_json::to_vec(&page).map_err(ReportError::from)?;
    // The timeline of jsPsych is the researcher's to change, and what it reads with it.
    if matches!(form, Form::Page) {
        sign(&mut study_of_site);
    }
    site.write(STUDY_OF_SITE, &study_of_site)?;
    site.maps(&page, levels, progress)?;
    no_script_error(levels)?;
    let played: Vec<String> = page.levels().iter().map(|level| level.id.clone()).collect();
    // What a page must not tell, such as hypotheses, stays at home.
    let mut manifest = Manifest::new(json!({ "study": { "name": study.study.name } }));
    manifest.add_inputs([study_file], &study.folder)?;
    manifest.add_inputs(level_files.iter().chain(page.media.iter().map(|(_, file)| file)), &study.folder)?;
    manifest.counts.insert("levels".to_owned(), played.len() as u64);
    manifest.write(folder.path())?;
    continues(progress)?;
    folder.commit()?;
    let n_bytes = manifest.outputs.iter().map(|file| file.bytes).sum();
    Ok(SiteSummary { levels: played, n_files: manifest.outputs.len() + 1, n_bytes })
}

/// Inserts the policy into a page, ahead of everything that it loads.
fn with_policy(index: &str, policy: &str) -> String {
    const FIRST: &str = "<meta charset=\"utf-8\">\n";
    let meta = format!("{FIRST}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n");
    index.replacen(FIRST, &meta, 1)
}

/// Inserts what the page says until its script runs, which browsers forbid where it was opened from a folder.
fn with_remedy(index: &str, language: &str) -> String {
    const LAST: &str = "</main>";
    let [title, remedy, link] = match language {
        "de" => [
            "Diese Seite muss von einem Webserver kommen.",
            "Sie wurde aus einem Ordner geöffnet, und Browser lassen Seiten keine Dateien lesen. Bitte in diesem Ordner ausführen:",
            "Dann diese Adresse öffnen:",
        ],
        "fr" => [
            "Cette page doit venir d’un serveur web.",
            "Elle a été ouverte depuis un dossier, et les navigateurs interdisent aux pages de lire des fichiers. Exécutez dans ce dossier\u{a0}:",
            "Puis ouvrez cette adresse\u{a0}:",
        ],
        _ => [
            "This page has to come from a web server.",
            "It was opened from a folder, where browsers forbid pages to read files. Run in that folder:",
            "Then open this address:",
        ],
    };
    let said = format!(
        "<div class=\"session-unserved\"><h1>{title}</h1><p>{remedy}</p><pre>python3 -m http.server 8000</pre><p>{link}</p>\
         <pre>http://localhost:8000/</pre></div>"
    );
    index.replacen(LAST, &format!("{said}{LAST}"), 1)
}

/// Creates the page of a site.
fn page(study: &Study, levels: &[ValuedLevel]) -> Result<Page, ExperimentError> {
    let stems = level_stems(levels);
    let address =
        |level: &str, hints: bool| format!("maps/{}{}.plymap", stems.stem(level), if hints { ".hints" } else { "" });
    let page = Page::new(study, levels, false, false, &address)?.with_played_levels();
    match page.levels().iter().find(|level| level.map.is_none()) {
        Some(level) => Err(ExperimentError::NoMap { level: level.id.clone() }),
        None => Ok(page),
    }
}

struct Site<'a> {
    folder: &'a Path,
}

impl Site<'_> {
    fn write(&self, name: &str, content: &[u8]) -> Result<(), FileError> {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed("create", parent))?;
        }
        fs::write(&path, content).map_err(failed("write", &path))
    }

    fn maps(&self, page: &Page, levels: &[ValuedLevel], progress: &dyn Progress) -> Result<(), ExperimentError> {
        progress.begin("writing maps", Some(page.levels().len() as u64));
        for planned in page.levels() {
            let Some(level) = levels.iter().find(|level| level.id == planned.id) else { continue };
            for (name, hints) in [(&planned.map, false), (&planned.hints, true)] {
                continues(progress)?;
                let Some(name) = name else { continue };
                let map = map_file(level, hints).map_err(failed("write", &self.folder.join(name)))?;
                self.write(name, &map.ok_or_else(|| ExperimentError::NoMap { level: level.id.clone() })?)?;
            }
            progress.advance(1);
        }
        progress.end();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_opened_from_a_folder_says_what_to_do() {
        for (language, words) in [("en", "from a folder"), ("de", "aus einem Ordner"), ("fr", "depuis un dossier")] {
            let page = with_remedy(PAGE, language);
            assert!(page.contains(words) && page.contains("python3 -m http.server 8000"), "{page}");
            // It stands where the script of the page puts everything else.
            assert!(page.find("<main") < page.find(words) && page.find(words) < page.find("</main>"));
        }
    }

    #[test]
    fn both_pages_have_a_policy_before_anything_is_loaded() {
        let of_jspsych = jspsych::files().find(|(name, _)| name == "index.html").unwrap().1;
        for page in [PAGE, of_jspsych] {
            let page = with_policy(page, "default-src 'self'");
            let [policy, first] = ["content=\"default-src 'self'\">", "<link"].map(|part| page.find(part).unwrap());
            assert!(policy < first && page.find("<script").is_some_and(|script| policy < script));
            // What stands in the page itself would not run, or not look as it shall.
            assert!(!page.contains("style=") && !page.contains("<style") && !page.contains("<script>"), "{page}");
        }
    }
}
