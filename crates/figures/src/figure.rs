//! A finished figure, what stands above it, the numbers behind it, and its conversion to PDF, PNG and CSV.

use std::cell::OnceCell;
use std::sync::{Arc, LazyLock};

use super::error::ChartError;
use super::label::Label;
use super::svg::Svg;

/// Texts above a figure, and the reason that it gives where there is nothing to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// Name of the figure and stem of its files, such as `moves-against-time`.
    pub name: String,
    /// Title, in bold.
    pub title: Label,
    /// The line below it: n, the statistic and its interval. May be empty.
    pub subtitle: String,
    /// Reason for having nothing to draw, such as `no trial was solved`; stands in the frame of an
    /// empty figure.
    pub no_data_reason: Label,
}

/// A value that others are compared with, drawn as a dashed line across the plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// Place of the line, in the unit of its axis. Must be finite, and positive on a logarithmic axis.
    pub value: f64,
    /// Meaning for the legend, such as `optimum` or `chance`.
    pub label: Label,
}

/// The numbers behind a figure, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlottedData {
    /// Names of the columns.
    pub header: Vec<String>,
    /// One entry for each row, as many cells as the header; missing values are empty.
    pub rows: Vec<Vec<String>>,
}

impl PlottedData {
    /// No row yet; the header as in a CSV file.
    pub(super) fn new(header: &str) -> Self {
        Self { header: header.split(',').map(str::to_owned).collect(), rows: Vec::new() }
    }
}

/// A finished figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Name and stem of its files.
    pub name: String,
    /// Its title, with which its caption begins.
    pub title: String,
    /// The line below the title, which follows it in the caption: n, the statistic and its interval. May be empty.
    pub subtitle: String,
    /// Width in print, in millimetres.
    pub width_mm: f64,
    /// Height in print, in millimetres.
    pub height_mm: f64,
    /// The drawing, byte for byte the same for the same input.
    pub svg: Svg,
    /// Text below the figure: its content, and how to read it.
    pub caption: String,
    /// The numbers that are drawn.
    pub data: PlottedData,
}

/// The embedded fonts, and no font of the machine.
static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        fonts.load_font_source(usvg::fontdb::Source::Binary(Arc::new(font)));
    }
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// The most pixels that a PNG may have: 1,200 dpi at 180 × 230 mm is 92 million.
const MAX_PIXELS: f64 = 1e8;

impl Figure {
    /// The figure as a PDF page of its size, with text that can be selected and the font embedded.
    ///
    /// # Errors
    ///
    /// [`ChartError`] if `svg` is no SVG, or cannot be converted.
    pub fn to_pdf(&self) -> Result<Vec<u8>, ChartError> {
        Conversion::new(self).to_pdf()
    }

    /// The figure as a PNG with `dpi` pixels for each inch; 600 suits print. The file states its resolution.
    ///
    /// # Errors
    ///
    /// [`ChartError`] if `svg` is no SVG, or the picture would have no pixel or more than 100 million.
    pub fn to_png(&self, dpi: f64) -> Result<Vec<u8>, ChartError> {
        Conversion::new(self).to_png(dpi)
    }

    /// The numbers behind the figure as CSV with a header.
    ///
    /// # Errors
    ///
    /// [`ChartError::Convert`] if a row has another number of cells than the header.
    pub fn to_csv(&self) -> Result<String, ChartError> {
        let fault = |reason: String| ChartError::Convert { figure: self.name.clone(), format: "CSV", reason };
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.data.header).map_err(|error| fault(error.to_string()))?;
        for row in &self.data.rows {
            writer.write_record(row).map_err(|error| fault(error.to_string()))?;
        }
        let bytes = writer.into_inner().map_err(|error| fault(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| fault(error.to_string()))
    }

    pub(super) fn tree(&self) -> Result<usvg::Tree, ChartError> {
        let options =
            usvg::Options { fontdb: FONTS.clone(), font_family: "DejaVu Sans".to_owned(), ..Default::default() };
        usvg::Tree::from_str(&self.svg, &options)
            .map_err(|error| ChartError::Svg { figure: self.name.clone(), reason: error.to_string() })
    }
}

/// A figure that is converted to several formats: its drawing is read, and its text shaped, once.
pub struct Conversion<'a> {
    figure: &'a Figure,
    tree: OnceCell<usvg::Tree>,
}

impl<'a> Conversion<'a> {
    /// Reads nothing yet: perhaps all formats are known from an earlier run.
    pub fn new(figure: &'a Figure) -> Self {
        Self { figure, tree: OnceCell::new() }
    }

    /// As [`Figure::to_pdf`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn to_pdf(&self) -> Result<Vec<u8>, ChartError> {
        let tree = self.tree()?;
        let fault = |reason: String| ChartError::Convert { figure: self.figure.name.clone(), format: "PDF", reason };
        let points = |mm: f64| (mm / 25.4 * 72.0) as f32;
        let size = krilla::geom::Size::from_wh(points(self.figure.width_mm), points(self.figure.height_mm))
            .ok_or_else(|| {
                fault(format!("{} × {} mm is no size of a page", self.figure.width_mm, self.figure.height_mm))
            })?;
        let mut document = krilla::Document::new();
        let mut page = document.start_page_with(krilla::page::PageSettings::new(size));
        let mut surface = page.surface();
        krilla_svg::SurfaceExt::draw_svg(&mut surface, tree, size, krilla_svg::SvgSettings::default())
            .ok_or_else(|| fault("its drawing was refused".to_owned()))?;
        surface.finish();
        page.finish();
        document.finish().map_err(|error| fault(format!("{error:?}")))
    }

    /// As [`Figure::to_png`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn to_png(&self, dpi: f64) -> Result<Vec<u8>, ChartError> {
        let fault = |reason: String| ChartError::Convert { figure: self.figure.name.clone(), format: "PNG", reason };
        let pixels = |mm: f64| (mm / 25.4 * dpi).round();
        let (width, height) = (pixels(self.figure.width_mm), pixels(self.figure.height_mm));
        if !(width >= 1.0 && height >= 1.0 && width * height <= MAX_PIXELS) {
            let limit = "the picture must have between 1 and 100 million pixels: choose another resolution";
            return Err(fault(format!("{width} × {height} pixels at {dpi} dpi; {limit}")));
        }
        let tree = self.tree()?;
        let mut pixmap = resvg::tiny_skia::Pixmap::new(width as u32, height as u32)
            .ok_or_else(|| fault(format!("{width} × {height} pixels at {dpi} dpi are too many")))?;
        pixmap.fill(resvg::tiny_skia::Color::WHITE);
        let scale = (width as f32 / tree.size().width(), height as f32 / tree.size().height());
        resvg::render(tree, resvg::tiny_skia::Transform::from_scale(scale.0, scale.1), &mut pixmap.as_mut());
        let png = pixmap.encode_png().map_err(|error| fault(error.to_string()))?;
        Ok(with_resolution(png, dpi))
    }

    fn tree(&self) -> Result<&usvg::Tree, ChartError> {
        match self.tree.get() {
            Some(tree) => Ok(tree),
            None => self.figure.tree().map(|tree| self.tree.get_or_init(|| tree)),
        }
    }
}

/// Adds the chunk `pHYs` behind the header chunk, so that programs place the picture at its size in print.
fn with_resolution(mut png: Vec<u8>, dpi: f64) -> Vec<u8> {
    // 8 bytes of signature; the chunk IHDR has 4 of length, 4 of type, 13 of data, 4 of checksum.
    const BEHIND_HEADER: usize = 8 + 4 + 4 + 13 + 4;
    let per_metre = (dpi / 0.0254).round() as u32;
    let mut chunk = b"pHYs".to_vec();
    chunk.extend(per_metre.to_be_bytes());
    chunk.extend(per_metre.to_be_bytes());
    chunk.push(1);
    let checksum = crc32(&chunk);
    let bytes = 9_u32.to_be_bytes().into_iter().chain(chunk).chain(checksum.to_be_bytes());
    if png.len() >= BEHIND_HEADER {
        png.splice(BEHIND_HEADER..BEHIND_HEADER, bytes);
    }
    png
}

/// The checksum of PNG chunks (ISO 3309; PNG specification, annex D).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |checksum, &byte| {
        (0..8).fold(checksum ^ u32::from(byte), |rest, _| (rest >> 1) ^ (0xEDB8_8320 & (rest & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Style, Width, legible, ranking};
    use super::*;

    fn figure() -> Figure {
        let heading = Heading {
            name: "empty".to_owned(),
            title: "Quality & time <of moves>".into(),
            no_data_reason: "no trial was solved".into(),
            ..Default::default()
        };
        legible::draw_one(&ranking::Ranking { heading, ..Default::default() }, &Style::new(Width::Single))
    }

    #[test]
    fn the_checksum_is_the_published_one() {
        // The check value of CRC-32/ISO-HDLC (Williams, 1993, "A painless guide to CRC error detection").
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn the_png_has_its_size_and_states_its_resolution() {
        let figure = figure();
        let png = figure.to_png(600.0).unwrap();
        let word = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!(f64::from(word(16)), (85.0 / 25.4 * 600.0_f64).round());
        assert_eq!(&png[37..41], b"pHYs");
        assert_eq!(word(41), 23_622, "600 dpi in pixels for each metre");
        let error = figure.to_png(1e6).unwrap_err().to_string();
        assert!(error.contains("choose another resolution"), "{error}");
    }

    #[test]
    fn the_pdf_embeds_the_font_and_holds_no_date() {
        let pdf = figure().to_pdf().unwrap();
        let holds = |needle: &[u8]| pdf.windows(needle.len()).any(|window| window == needle);
        assert!(pdf.starts_with(b"%PDF-"));
        assert!(holds(b"DejaVuSans"), "the font is named");
        assert!(holds(b"/FontFile") || holds(b"/FontFile2") || holds(b"/FontFile3"), "its outlines are embedded");
        assert!(holds(b"/ToUnicode"), "the text can be selected");
        assert!(!holds(b"CreationDate") && !holds(b"CreateDate") && !holds(b"ModDate"));
        assert_eq!(pdf, figure().to_pdf().unwrap());
    }

    #[test]
    fn a_drawing_that_was_read_for_one_format_gives_the_same_bytes_in_the_other() {
        let figure = figure();
        let conversion = Conversion::new(&figure);
        let (pdf, png) = (conversion.to_pdf().unwrap(), conversion.to_png(120.0).unwrap());
        assert_eq!((pdf, png), (figure.to_pdf().unwrap(), figure.to_png(120.0).unwrap()));
    }

    #[test]
    fn the_svg_stands_alone() {
        let figure = figure();
        assert!(figure.svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"85mm\""), "{}", &*figure.svg);
        assert!(figure.svg.contains("viewBox=\"0 0 8500 "));
        assert!(figure.svg.contains("font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\""));
        assert!(figure.svg.contains("Quality &amp; time &lt;of moves&gt;"));
        assert!(figure.svg.contains("no data") && figure.svg.contains("no trial was solved"));
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let mut figure = figure();
        figure.data = PlottedData { header: vec!["level".to_owned()], rows: vec![vec!["a, \"b\"".to_owned()]] };
        assert_eq!(figure.to_csv().unwrap(), "level\n\"a, \"\"b\"\"\"\n");
    }
}
