//! `plymap preregister`

use std::path::PathBuf;

use clap::Args;
use plymap_report::{OutputFiles, RegisteredLevel, preregistration_text};
use plymap_run::study::Study;
use plymap_run::{registration, study_levels};
use plymap_tables::failed;

use super::documents::document_of;
use super::output::say;
use super::{Bars, ExitCode, Failure};

/// Write the text of a preregistration, and the settings that a run is compared with.
///
/// From the study and its levels alone, before there are data: hypotheses, design, sampling, variables, analyses and
/// exclusions in the order of the form of the OSF, as Markdown or for Word. The .json file beside it has all settings; with
/// [preregistration] file = "…" in the study, its report says which of them departed.
///
/// Example: plymap preregister data/demo/study.toml --out preregistration.docx
#[derive(Debug, Args)]
pub struct Preregister {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// File of the text, .md or .docx; the settings have the same name with .json.
    #[arg(long, value_name = "FILE", default_value = "preregistration.md")]
    out: PathBuf,
}

impl Preregister {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let out = &self.out;
        let is_word = document_of(out).is_some_and(|kind| kind.extension() == "docx");
        if !is_word && out.extension().is_none_or(|extension| extension != "md") {
            return Err(Failure::message(format!("{}: the name must end in .md or .docx", out.display())));
        }
        let file = Study::file(&self.study);
        let study = Study::read(&file)?;
        let (levels, level_files) = study_levels(&study, bars)?;
        let (manifest, registration) = registration(&study, &file, &level_files, &levels)?;
        let levels: Vec<RegisteredLevel> = levels.iter().map(|level| level.summary().into()).collect();
        let text = preregistration_text(&manifest.study, &levels, &registration);
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(".".as_ref());
        let files = OutputFiles::create(folder)?;
        let target = files.path().join(out.file_name().unwrap_or_default());
        let bytes = if is_word { text.to_docx().map_err(Failure::message)? } else { text.to_markdown().into_bytes() };
        std::fs::write(&target, bytes).map_err(failed("write", &target)).map_err(Failure::message)?;
        registration.write(&target.with_extension("json")).map_err(Failure::message)?;
        files.commit()?;
        say!("{} and {} (sha256 {})", out.display(), out.with_extension("json").display(), registration.sha256);
        Ok(ExitCode::SUCCESS)
    }
}
