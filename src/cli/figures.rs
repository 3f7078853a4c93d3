//! `plymap figures`

use std::path::PathBuf;

use clap::Args;
use plymap_figures::Width;
use plymap_report::figures::kinds_table;
use plymap_report::settings::{DocumentFormat, FigureFormat, Figures as Settings};
use plymap_run::study::Study;
use plymap_run::{RunOptions, figure_labels, figures_only};
use plymap_statistics::stats::apa::counted;
use plymap_tables::Format;

use super::caching::Caching;
use super::error::tell_failed;
use super::output::{print, print_data, print_table, say};
use super::{Bars, ExitCode, Failure};

/// Draw the figures of a study.
///
/// Each figure is written in the formats of the study, with its numbers as CSV.
///
/// Example: plymap figures data/demo/study.toml --out figures --width single --format pdf
#[derive(Debug, Args)]
pub struct Figures {
    /// The study.
    #[arg(value_name = "STUDY", required_unless_present = "list")]
    study: Option<PathBuf>,
    /// List all kinds of figures with the commands that draw them, and stop.
    #[arg(long)]
    list: bool,
    /// Folder to write to.
    #[arg(long, value_name = "DIR", default_value = "figures")]
    out: PathBuf,
    #[command(flatten)]
    look: Look,
    /// Only these figures, by their names, or by first words of names that are no name themselves; several separated
    /// by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// Draw nothing; print the labels without a translation in the language of the study, as a table [figures.labels]
    /// to fill in, including names of levels, participants and conditions.
    #[arg(long)]
    labels: bool,
    #[command(flatten)]
    caching: Caching,
}

/// How figures are written.
#[derive(Debug, Args)]
pub struct Look {
    /// Formats of figures: svg, pdf, png, and docx (all figures in one file for Word) and xlsx (their numbers in one
    /// workbook); several separated by commas. Default: those of the study, or svg.
    #[arg(long, value_delimiter = ',', value_enum)]
    format: Vec<FormatWord>,
    /// Width of figures in print; default: that of the study, or double.
    #[arg(long, value_enum)]
    width: Option<WidthWord>,
    /// Size of text in points, from 6 to 14; default: that of the study, or 8.
    #[arg(long, value_name = "PT", value_parser = font_size)]
    font_size: Option<f64>,
    /// Leave title and subtitle off the drawings.
    #[arg(long)]
    no_titles: bool,
}

fn font_size(text: &str) -> Result<f64, String> {
    let size: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if (6.0..=14.0).contains(&size) { Ok(size) } else { Err("it must be from 6 to 14 points".to_owned()) }
}

impl Look {
    /// Returns true if any option is given.
    pub fn is_given(&self) -> bool {
        !self.format.is_empty() || self.width.is_some() || self.font_size.is_some() || self.no_titles
    }

    /// Returns these settings with the given options in their place.
    pub fn over(&self, mut settings: Settings) -> Settings {
        if !self.format.is_empty() {
            settings.formats = self.format.iter().filter_map(figure_format).collect();
            settings.documents = self.format.iter().filter_map(document_format).collect();
        }
        if let Some(width) = self.width {
            settings.width = match width {
                WidthWord::Single => Width::Single,
                WidthWord::Onehalf => Width::OneAndHalf,
                WidthWord::Double => Width::Double,
            };
        }
        settings.font_size = self.font_size.unwrap_or(settings.font_size);
        settings.titles &= !self.no_titles;
        settings
    }
}

fn figure_format(word: &FormatWord) -> Option<FigureFormat> {
    match word {
        FormatWord::Svg => Some(FigureFormat::Svg),
        FormatWord::Pdf => Some(FigureFormat::Pdf),
        FormatWord::Png => Some(FigureFormat::Png),
        FormatWord::Docx | FormatWord::Xlsx => None,
    }
}

fn document_format(word: &FormatWord) -> Option<DocumentFormat> {
    match word {
        FormatWord::Docx => Some(DocumentFormat::Docx),
        FormatWord::Xlsx => Some(DocumentFormat::Xlsx),
        FormatWord::Svg | FormatWord::Pdf | FormatWord::Png => None,
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FormatWord {
    Svg,
    Pdf,
    Png,
    Docx,
    Xlsx,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum WidthWord {
    /// 85 mm.
    Single,
    /// 120 mm.
    Onehalf,
    /// 180 mm.
    Double,
}

impl Figures {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let Some(study) = self.study.filter(|_| !self.list) else {
            print_table(&kinds_table(), Format::Table)?;
            return Ok(ExitCode::SUCCESS);
        };
        let mut study = Study::read(&study)?;
        study.figures = self.look.over(study.figures);
        if self.labels {
            let labels = figure_labels(&study, &self.only, bars)?;
            let missing = labels.into_iter().filter(|(_, has_words)| !has_words);
            let table: toml::Table =
                missing.map(|(english, _)| (english.clone(), toml::Value::String(english))).collect();
            print_data(&format!("[figures.labels]\n{table}"))?;
            return Ok(ExitCode::SUCCESS);
        }
        let options = RunOptions { cache: self.caching.cache(&study), ..RunOptions::default() };
        let drawings = figures_only(&study, &self.only, &self.out, &options, bars)?;
        for illustration in &drawings.illustrations {
            print(&format!("{}\n", illustration.figure.name))?;
        }
        say!("{} in {}", counted(drawings.illustrations.len(), "figure"), self.out.display());
        Ok(tell_failed(&drawings.failed))
    }
}
