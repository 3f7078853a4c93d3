//! Figures as they were drawn, and as files.

use std::ops::RangeInclusive;
use std::path::Path;

use rayon::prelude::*;

use super::files::{make_folder, write};
use super::parts::attempt;
use super::{RunError, continues};
use crate::cache::{Cache, Key};
use plymap_figures::{ChartError, Conversion, Figure, Styles};
use plymap_puzzles::progress::Progress;
use plymap_report::figures::{Illustration, Kind, Sketch};
use plymap_report::settings::{DocumentFormat, FigureFormat, Figures};
use plymap_report::{Drawn, FailedPart, PartKind, Pictures, figures_as};
use polars::prelude::PolarsResult;

/// Figures as they were drawn, and those that could not be.
#[derive(Debug, Default)]
pub struct Drawings {
    /// The figures, page by page.
    pub illustrations: Vec<Illustration>,
    /// Parts that could not be drawn.
    pub failed: Vec<FailedPart>,
}

impl Drawings {
    /// Draws figures one by one; with a remark for their sentences, such as of whom they are.
    ///
    /// # Errors
    ///
    /// None in practice: nobody can interrupt the drawing of one figure.
    pub fn draw(
        &mut self,
        sketches: impl IntoIterator<Item = Sketch>,
        styles: &Styles,
        remark: &str,
    ) -> Result<(), RunError> {
        for sketch in sketches {
            match attempt(PartKind::Figure, sketch.name(), || sketch.draw(styles))? {
                Ok(mut pages) => {
                    // What became of all rows and people is of everybody, whoever was drawn for the other figures.
                    let sampled = pages.iter_mut().filter(|page| page.kind != Kind::ParticipantFlow);
                    sampled.for_each(|page| page.sentence.push_str(remark));
                    self.illustrations.extend(pages);
                }
                Err(failed) => self.failed.push(failed),
            }
        }
        Ok(())
    }

    /// Thinks out the figures of this kind and draws them.
    ///
    /// # Errors
    ///
    /// As [`Drawings::draw`].
    pub(super) fn of(
        kind: &str,
        sketch: impl FnOnce() -> PolarsResult<Vec<Sketch>>,
        styles: &Styles,
        remark: &str,
    ) -> Result<Self, RunError> {
        let mut drawings = Self::default();
        match attempt(PartKind::Figure, kind, sketch)? {
            Ok(sketches) => drawings.draw(sketches, styles, remark)?,
            Err(failed) => drawings.failed.push(failed),
        }
        Ok(drawings)
    }
}

impl Extend<Self> for Drawings {
    fn extend<I: IntoIterator<Item = Self>>(&mut self, others: I) {
        for Self { illustrations, failed } in others {
            self.illustrations.extend(illustrations);
            self.failed.extend(failed);
        }
    }
}

/// Writes figures into a folder: the numbers of each, and its drawing in the formats that are asked for; the files that
/// could not be made of a drawing.
///
/// # Errors
///
/// A file that cannot be written; [`RunError::Interrupted`] if the caller asks to stop.
pub fn write_figures(
    settings: &Figures,
    illustrations: &[Illustration],
    folder: &Path,
    cache: Option<&Cache>,
    progress: &dyn Progress,
) -> Result<Vec<FailedPart>, RunError> {
    make_folder(folder)?;
    progress.begin("writing figures", Some(illustrations.len() as u64));
    let failed = illustrations.par_iter().map(|illustration| {
        let failed = write_figure(settings, &illustration.figure, folder, cache)?;
        progress.advance(1);
        continues(progress).map(|()| failed)
    });
    let failed: Vec<Vec<FailedPart>> = failed.collect::<Result<_, _>>()?;
    progress.end();
    if !settings.documents.is_empty() {
        let drawn = illustrations.iter().map(|page| &page.figure);
        let pictures = match settings.documents.contains(&DocumentFormat::Docx) {
            true => pictures(drawn, settings, folder, cache, progress)?,
            false => Pictures::new(),
        };
        for format in &settings.documents {
            let (bytes, _) = figures_as(*format, "Figures", illustrations, &pictures)?;
            write(&folder.join(format!("figures.{}", format.extension())), &bytes)?;
        }
    }
    Ok(failed.into_iter().flatten().collect())
}

/// Resolution of figures in documents: of a page on paper, and no larger file than mail takes.
const DPI: u32 = 200;

/// Resolutions of PNG files that a document takes as they are.
const DPI_TAKEN: RangeInclusive<u32> = 120..=300;

/// Converts figures to pictures for a document, or takes them from the folder in which they were written as PNG. One that
/// cannot be converted is absent.
///
/// # Errors
///
/// [`RunError::Interrupted`] if the caller asks to stop.
pub(super) fn pictures<'a>(
    figures: impl Iterator<Item = &'a Figure>,
    settings: &Figures,
    folder: &Path,
    cache: Option<&Cache>,
    progress: &dyn Progress,
) -> Result<Pictures, RunError> {
    let figures: Vec<&Figure> = figures.collect();
    progress.begin("drawing the figures of the document", Some(figures.len() as u64));
    let is_written = settings.formats.contains(&FigureFormat::Png) && DPI_TAKEN.contains(&settings.dpi);
    let drawn = figures.into_par_iter().map(|figure| {
        let written = is_written.then(|| std::fs::read(folder.join(format!("{}.png", figure.name))).ok()).flatten();
        let convert = || converted(cache, figure, Some(DPI), || figure.to_png(f64::from(DPI))).ok();
        let png = written.or_else(convert);
        progress.advance(1);
        continues(progress)?;
        let drawn = |png| Drawn { png, width_mm: figure.width_mm, height_mm: figure.height_mm };
        Ok(png.map(|png| (figure.name.clone(), drawn(png))))
    });
    let pictures: Vec<_> = drawn.collect::<Result<_, RunError>>()?;
    progress.end();
    Ok(pictures.into_iter().flatten().collect())
}

/// Writes the files of a figure; those that could not be made.
fn write_figure(
    settings: &Figures,
    figure: &Figure,
    folder: &Path,
    cache: Option<&Cache>,
) -> Result<Vec<FailedPart>, RunError> {
    let dpi = settings.dpi;
    let conversion = Conversion::new(figure);
    let text = |text: &str| Ok(text.as_bytes().to_vec());
    let numbers = ("csv", attempt(PartKind::Figure, &format!("{}.csv", figure.name), || text(&figure.to_csv()?))?);
    let drawings = settings.formats.iter().map(|format| {
        let make = || match format {
            FigureFormat::Svg => text(&figure.svg),
            FigureFormat::Pdf => converted(cache, figure, None, || conversion.to_pdf()),
            FigureFormat::Png => converted(cache, figure, Some(dpi), || conversion.to_png(f64::from(dpi))),
        };
        let extension = format.extension();
        Ok((extension, attempt(PartKind::Figure, &format!("{}.{extension}", figure.name), make)?))
    });
    let drawings: Vec<_> = drawings.collect::<Result<_, RunError>>()?;
    let mut failed = Vec::new();
    for (extension, bytes) in std::iter::once(numbers).chain(drawings) {
        match bytes {
            Ok(bytes) => write(&folder.join(format!("{}.{extension}", figure.name)), &bytes)?,
            Err(part) => failed.push(part),
        }
    }
    Ok(failed)
}

/// Converts an SVG, or takes the result from the cache: a PNG of this resolution, a PDF without one.
fn converted(
    cache: Option<&Cache>,
    figure: &Figure,
    dpi: Option<u32>,
    convert: impl FnOnce() -> Result<Vec<u8>, ChartError>,
) -> Result<Vec<u8>, ChartError> {
    let Some(cache) = cache else { return convert() };
    let key = Key::new("picture", &(&figure.svg, figure.width_mm, figure.height_mm, dpi));
    cache.get_or("pictures", key, convert)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_figures::Heading;
    use plymap_figures::curve::{Curve, Curves, Point};
    use plymap_tables::parallel::map_in_order;

    fn sketch(name: &str, xs: [f64; 2]) -> Sketch {
        let points = xs.map(|x| Point { x, y: x, band: None }).to_vec();
        let heading = Heading { name: name.to_owned(), ..Heading::default() };
        let pages = vec![vec![Curve { points, ..Curve::default() }]];
        Sketch::new(Kind::Learning, Curves { heading, pages, ..Curves::default() }, "What it shows")
    }

    #[test]
    fn kinds_that_are_drawn_side_by_side_stand_in_their_order() {
        let kinds = ["first", "broken", "wrong", "last"];
        let draw = |kind: &str| {
            // The first kinds are done last.
            std::thread::sleep(std::time::Duration::from_millis(if kind == "first" { 60 } else { 0 }));
            let sketches = || match kind {
                "broken" => panic!("no sketch"),
                "wrong" => Ok(vec![sketch("before", [1.0, 2.0]), sketch(kind, [2.0, 1.0])]),
                _ => Ok(vec![sketch(kind, [1.0, 2.0])]),
            };
            Drawings::of(kind, sketches, &Styles::default(), "")
        };
        let mut drawings = Drawings::default();
        drawings.extend(map_in_order(kinds.to_vec(), draw).unwrap());
        let drawn: Vec<&str> = drawings.illustrations.iter().map(|page| page.figure.name.as_str()).collect();
        assert_eq!(drawn, ["first", "before", "last"]);
        let failed: Vec<&str> = drawings.failed.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(failed, ["broken", "wrong"]);
    }

    #[test]
    fn a_chart_that_cannot_be_drawn_leaves_the_others() {
        let mut drawings = Drawings::default();
        let sketches = [sketch("rising", [1.0, 2.0]), sketch("falling", [2.0, 1.0]), sketch("same", [1.0, 1.0])];
        drawings.draw(sketches, &Styles::default(), "; of a sample").unwrap();
        let drawn: Vec<&str> = drawings.illustrations.iter().map(|page| page.figure.name.as_str()).collect();
        assert_eq!(drawn, ["rising", "same"]);
        assert_eq!(drawings.illustrations[0].sentence, "What it shows; of a sample");
        let failed = drawings.failed.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(failed.len(), 1);
        assert!(failed[0].starts_with("figure falling could not be made: curve \"\" has the x 2 before 1"));
    }
}
