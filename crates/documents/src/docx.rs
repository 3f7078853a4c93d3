//! A document as a file for Word (ECMA-376, Office Open XML, WordprocessingML).

use std::io;

use crate::DocumentError;
use crate::document::{ApaTable, Document, Emphasis, Part, Picture, Run};
use crate::package::Package;
use crate::xml::{Attribute, Xml};

const CONTENT_TYPES: &[u8] = include_bytes!("parts/content_types.xml");
const PACKAGE_RELATIONS: &[u8] = include_bytes!("parts/package_rels.xml");
const STYLES: &[u8] = include_bytes!("parts/styles.xml");
const SETTINGS: &[u8] = include_bytes!("parts/settings.xml");
const NUMBERING: &[u8] = include_bytes!("parts/numbering.xml");
const FOOTER: &[u8] = include_bytes!("parts/footer.xml");

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const DRAWING: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
const PICTURE: &str = "http://schemas.openxmlformats.org/drawingml/2006/picture";

/// Namespaces of the main part.
const NAMESPACES: [Attribute; 5] = [
    ("xmlns:w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    ("xmlns:r", OFFICE),
    ("xmlns:wp", "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"),
    ("xmlns:a", DRAWING),
    ("xmlns:pic", PICTURE),
];

/// Width and height of the text on a page of A4 with margins of 25 mm, in millimetres; figures leave room for their caption.
const TEXT_MM: [f64; 2] = [160.0, 200.0];

/// English Metric Units in a millimetre.
const EMU: f64 = 36_000.0;

/// Relations of the main part before those of its pictures.
const RELATIONS: [(&str, &str); 4] =
    [("styles", "styles.xml"), ("settings", "settings.xml"), ("numbering", "numbering.xml"), ("footer", "footer1.xml")];

/// Numbers of letters side by side from which a table is set smaller, and in what size (in half points).
const SMALLER: [(usize, &str); 2] = [(120, "16"), (95, "18")];

impl Document {
    /// Returns the document as a file for Word. The same document gives the same bytes.
    ///
    /// # Errors
    /// A row of a table that has not as many cells as the table has columns.
    pub fn to_docx(&self) -> Result<Vec<u8>, DocumentError> {
        let pictures: Vec<&Picture> = self.parts.iter().filter_map(as_picture).collect();
        let mut package = Package::new();
        package.text("[Content_Types].xml", CONTENT_TYPES)?;
        package.text("_rels/.rels", PACKAGE_RELATIONS)?;
        package.text("docProps/core.xml", &self.properties()?)?;
        package.text("word/document.xml", &self.main_part()?)?;
        package.text("word/_rels/document.xml.rels", &relations(pictures.len())?)?;
        package.text("word/styles.xml", STYLES)?;
        package.text("word/settings.xml", SETTINGS)?;
        package.text("word/numbering.xml", NUMBERING)?;
        package.text("word/footer1.xml", FOOTER)?;
        for (place, picture) in pictures.into_iter().enumerate() {
            package.stored(&format!("word/media/image{}.png", place + 1), &picture.png)?;
        }
        package.finish()
    }

    /// The properties of the file: no date and no user, so that the same document is the same file.
    fn properties(&self) -> io::Result<Vec<u8>> {
        let mut xml = Xml::new()?;
        let core = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties";
        xml.open("cp:coreProperties", &[("xmlns:cp", core), ("xmlns:dc", "http://purl.org/dc/elements/1.1/")])?;
        xml.text("dc:title", &[], &self.title)?;
        xml.text("dc:creator", &[], &self.made_by)?;
        xml.close("cp:coreProperties")?;
        Ok(xml.finish())
    }

    fn main_part(&self) -> Result<Vec<u8>, DocumentError> {
        let mut xml = Xml::new()?;
        xml.open("w:document", &NAMESPACES)?;
        xml.open("w:body", &[])?;
        paragraph(&mut xml, "Title", &[Run::plain(&self.title)])?;
        let mut n_pictures = 0;
        for part in &self.parts {
            match part {
                Part::Heading(depth, text) => {
                    paragraph(&mut xml, &format!("Heading{}", (*depth).clamp(1, 3)), &[Run::plain(text)])?;
                }
                Part::Paragraph(runs) => paragraph(&mut xml, "Normal", runs)?,
                Part::Item(runs) => paragraph(&mut xml, "ListBullet", runs)?,
                Part::Reference(runs) => paragraph(&mut xml, "Bibliography", runs)?,
                Part::Table(table) => write_table(&mut xml, table)?,
                Part::Figure(picture) => {
                    n_pictures += 1;
                    write_figure(&mut xml, picture, n_pictures)?;
                }
                Part::PageBreak => page_break(&mut xml)?,
            }
        }
        page_layout(&mut xml)?;
        xml.close("w:body")?;
        xml.close("w:document")?;
        Ok(xml.finish())
    }
}

fn as_picture(part: &Part) -> Option<&Picture> {
    match part {
        Part::Figure(picture) => Some(picture),
        _ => None,
    }
}

/// The relations of the main part to the others and to its pictures.
fn relations(n_pictures: usize) -> io::Result<Vec<u8>> {
    let mut xml = Xml::new()?;
    let namespace = "http://schemas.openxmlformats.org/package/2006/relationships";
    xml.open("Relationships", &[("xmlns", namespace)])?;
    let pictures = (1..=n_pictures).map(|n| (format!("rIdImage{n}"), "image", format!("media/image{n}.png")));
    let fixed = RELATIONS.iter().map(|&(kind, target)| (format!("rId{kind}"), kind, target.to_owned()));
    for (id, kind, target) in fixed.chain(pictures) {
        let kind = format!("{OFFICE}/{kind}");
        xml.empty("Relationship", &[("Id", &id), ("Type", &kind), ("Target", &target)])?;
    }
    xml.close("Relationships")?;
    Ok(xml.finish())
}

/// Size and margins of the page, and the footer with its number.
fn page_layout(xml: &mut Xml) -> io::Result<()> {
    xml.open("w:sectPr", &[])?;
    xml.empty("w:footerReference", &[("w:type", "default"), ("r:id", "rIdfooter")])?;
    xml.empty("w:pgSz", &[("w:w", "11906"), ("w:h", "16838")])?;
    let margins = ["w:top", "w:right", "w:bottom", "w:left"].map(|side| (side, "1417"));
    let rest = [("w:header", "708"), ("w:footer", "708"), ("w:gutter", "0")];
    xml.empty("w:pgMar", &[margins.as_slice(), &rest].concat())?;
    xml.close("w:sectPr")
}

fn page_break(xml: &mut Xml) -> io::Result<()> {
    xml.open("w:p", &[])?;
    xml.open("w:r", &[])?;
    xml.empty("w:br", &[("w:type", "page")])?;
    xml.close("w:r")?;
    xml.close("w:p")
}

/// Opens a paragraph of a style.
fn open_paragraph(xml: &mut Xml, style: &str) -> io::Result<()> {
    xml.open("w:p", &[])?;
    xml.open("w:pPr", &[])?;
    xml.empty("w:pStyle", &[("w:val", style)])?;
    xml.close("w:pPr")
}

fn paragraph(xml: &mut Xml, style: &str, runs: &[Run]) -> io::Result<()> {
    open_paragraph(xml, style)?;
    for run in runs {
        write_run(xml, run, None)?;
    }
    xml.close("w:p")
}

/// Writes a text in its look, in a size of its own where one is given (in half points).
fn write_run(xml: &mut Xml, run: &Run, size: Option<&str>) -> io::Result<()> {
    xml.open("w:r", &[])?;
    xml.open("w:rPr", &[])?;
    match run.emphasis {
        Emphasis::Plain => {}
        Emphasis::Italic => xml.empty("w:i", &[])?,
        Emphasis::Bold => xml.empty("w:b", &[])?,
        Emphasis::Code => xml.empty("w:rStyle", &[("w:val", "Code")])?,
    }
    if let Some(size) = size {
        xml.empty("w:sz", &[("w:val", size)])?;
    }
    xml.close("w:rPr")?;
    for (place, line) in run.text.split('\n').enumerate() {
        if place > 0 {
            xml.empty("w:br", &[])?;
        }
        xml.text("w:t", &[("xml:space", "preserve")], line.trim_end_matches('\r'))?;
    }
    xml.close("w:r")
}

/// Writes the lines above a table or figure: its number, which Word counts on, and its title.
fn caption(xml: &mut Xml, what: &str, number: usize, title: &str) -> io::Result<()> {
    open_paragraph(xml, "Caption")?;
    write_run(xml, &Run::plain(format!("{what} ")), None)?;
    xml.open("w:fldSimple", &[("w:instr", &format!(" SEQ {what} \\* ARABIC "))])?;
    write_run(xml, &Run::plain(number.to_string()), None)?;
    xml.close("w:fldSimple")?;
    xml.close("w:p")?;
    paragraph(xml, "CaptionTitle", &[Run::plain(title)])
}

fn note(xml: &mut Xml, runs: &[Run]) -> io::Result<()> {
    let word = [Run::italic("Note."), Run::plain(" ")];
    // Without a note the paragraph keeps what follows at a distance.
    let word: &[Run] = if runs.is_empty() { &[] } else { &word };
    paragraph(xml, "Note", &[word, runs].concat())
}

fn write_table(xml: &mut Xml, table: &ApaTable) -> Result<(), DocumentError> {
    table.check()?;
    caption(xml, "Table", table.number, &table.title)?;
    let letters = column_letters(table);
    let width: usize = letters.iter().sum();
    let size = SMALLER.iter().find(|(least, _)| width >= *least).map(|(_, size)| *size);
    xml.open("w:tbl", &[])?;
    xml.open("w:tblPr", &[])?;
    xml.empty("w:tblStyle", &[("w:val", "ApaTable")])?;
    xml.empty("w:tblW", &[("w:w", "5000"), ("w:type", "pct")])?;
    xml.empty("w:tblLayout", &[("w:type", "autofit")])?;
    xml.empty("w:tblLook", &[("w:val", "0020"), ("w:firstRow", "1")])?;
    xml.empty("w:tblCaption", &[("w:val", &table.title)])?;
    xml.close("w:tblPr")?;
    xml.open("w:tblGrid", &[])?;
    // Twentieths of a point of the width of the text, in proportion to what stands in the columns.
    let twips = |letters: usize| (9_072.0 * letters as f64 / width.max(1) as f64).round().to_string();
    for &letters in &letters {
        xml.empty("w:gridCol", &[("w:w", &twips(letters))])?;
    }
    xml.close("w:tblGrid")?;
    xml.open("w:tr", &[])?;
    xml.open("w:trPr", &[])?;
    xml.empty("w:cantSplit", &[])?;
    xml.empty("w:tblHeader", &[])?;
    xml.close("w:trPr")?;
    for column in &table.columns {
        write_cell(xml, &column.head, column.is_number, size, true)?;
    }
    xml.close("w:tr")?;
    for row in &table.rows {
        xml.open("w:tr", &[])?;
        xml.open("w:trPr", &[])?;
        xml.empty("w:cantSplit", &[])?;
        xml.close("w:trPr")?;
        for (cell, column) in row.iter().zip(&table.columns) {
            write_cell(xml, cell, column.is_number, size, false)?;
        }
        xml.close("w:tr")?;
    }
    xml.close("w:tbl")?;
    Ok(note(xml, &table.note)?)
}

/// Numbers of letters that stand side by side in the columns, for their widths.
fn column_letters(table: &ApaTable) -> Vec<usize> {
    const MOST: usize = 40;
    let n_letters = |runs: &Vec<Run>| runs.iter().map(|run| run.text.chars().count()).sum::<usize>();
    let letters = |place: usize| {
        let head = longest_word(&table.columns[place].head);
        let cells = table.rows.iter().map(|row| n_letters(&row[place])).max().unwrap_or(0);
        head.max(cells).clamp(3, MOST) + 2
    };
    (0..table.columns.len()).map(letters).collect()
}

fn longest_word(runs: &[Run]) -> usize {
    let text: String = runs.iter().map(|run| run.text.as_str()).collect();
    text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0)
}

fn write_cell(xml: &mut Xml, runs: &[Run], is_number: bool, size: Option<&str>, is_head: bool) -> io::Result<()> {
    xml.open("w:tc", &[])?;
    xml.open("w:tcPr", &[])?;
    if is_head {
        // Beside the style, for programs that do not know styles of parts of tables.
        xml.open("w:tcBorders", &[])?;
        for side in ["w:top", "w:bottom"] {
            xml.empty(side, &[("w:val", "single"), ("w:sz", "8"), ("w:space", "0"), ("w:color", "000000")])?;
        }
        xml.close("w:tcBorders")?;
        xml.empty("w:vAlign", &[("w:val", "bottom")])?;
    }
    xml.close("w:tcPr")?;
    xml.open("w:p", &[])?;
    xml.open("w:pPr", &[])?;
    xml.empty("w:pStyle", &[("w:val", "TableText")])?;
    if is_head {
        xml.empty("w:keepNext", &[])?;
    }
    xml.empty("w:jc", &[("w:val", if is_number { "right" } else { "left" })])?;
    xml.close("w:pPr")?;
    for run in runs {
        write_run(xml, run, size)?;
    }
    xml.close("w:p")?;
    xml.close("w:tc")
}

fn write_figure(xml: &mut Xml, picture: &Picture, place: usize) -> io::Result<()> {
    caption(xml, "Figure", picture.number, &picture.title)?;
    let scale = (TEXT_MM[0] / picture.width_mm).min(TEXT_MM[1] / picture.height_mm).min(1.0);
    let emu = |mm: f64| ((mm * scale * EMU).round() as u64).to_string();
    let (width, height) = (emu(picture.width_mm), emu(picture.height_mm));
    let (id, relation, name) = (place.to_string(), format!("rIdImage{place}"), format!("Figure {}", picture.number));
    open_paragraph(xml, "Drawing")?;
    xml.open("w:r", &[])?;
    xml.open("w:drawing", &[])?;
    xml.open("wp:inline", &[("distT", "0"), ("distB", "0"), ("distL", "0"), ("distR", "0")])?;
    xml.empty("wp:extent", &[("cx", &width), ("cy", &height)])?;
    xml.empty("wp:docPr", &[("id", &id), ("name", &name), ("descr", &picture.alt)])?;
    xml.open("a:graphic", &[])?;
    xml.open("a:graphicData", &[("uri", PICTURE)])?;
    xml.open("pic:pic", &[])?;
    xml.open("pic:nvPicPr", &[])?;
    xml.empty("pic:cNvPr", &[("id", &id), ("name", &name), ("descr", &picture.alt)])?;
    xml.empty("pic:cNvPicPr", &[])?;
    xml.close("pic:nvPicPr")?;
    xml.open("pic:blipFill", &[])?;
    xml.empty("a:blip", &[("r:embed", &relation)])?;
    xml.open("a:stretch", &[])?;
    xml.empty("a:fillRect", &[])?;
    xml.close("a:stretch")?;
    xml.close("pic:blipFill")?;
    xml.open("pic:spPr", &[])?;
    xml.open("a:xfrm", &[])?;
    xml.empty("a:off", &[("x", "0"), ("y", "0")])?;
    xml.empty("a:ext", &[("cx", &width), ("cy", &height)])?;
    xml.close("a:xfrm")?;
    xml.open("a:prstGeom", &[("prst", "rect")])?;
    xml.empty("a:avLst", &[])?;
    for name in
        ["a:prstGeom", "pic:spPr", "pic:pic", "a:graphicData", "a:graphic", "wp:inline", "w:drawing", "w:r", "w:p"]
    {
        xml.close(name)?;
    }
    note(xml, &picture.note)
}
