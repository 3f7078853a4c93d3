//! XML, element by element.

use plymap_tables::{FileError, failed};
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// XML file that is written as its elements come, so that none of it is held in memory.
pub(super) struct Xml<'p> {
    writer: Writer<BufWriter<File>>,
    path: &'p Path,
}

impl<'p> Xml<'p> {
    /// Begins a file with its declaration.
    pub fn create(path: &'p Path) -> Result<Self, FileError> {
        let file = BufWriter::new(File::create(path).map_err(failed("create", path))?);
        let mut xml = Self { writer: Writer::new_with_indent(file, b' ', 1), path };
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        Ok(xml)
    }

    /// Opens an element.
    pub fn open(&mut self, name: &str, attributes: &[(&str, &str)]) -> Result<(), FileError> {
        self.write(Event::Start(element(name, attributes)))
    }

    /// Closes the element that was opened last and is open yet.
    pub fn close(&mut self, name: &str) -> Result<(), FileError> {
        self.write(Event::End(BytesEnd::new(name)))
    }

    /// An element without content.
    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> Result<(), FileError> {
        self.write(Event::Empty(element(name, attributes)))
    }

    /// An element that holds text.
    pub fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) -> Result<(), FileError> {
        self.open(name, attributes)?;
        self.write(Event::Text(BytesText::new(&allowed(text))))?;
        self.close(name)
    }

    /// Ends the file.
    pub fn finish(mut self) -> Result<(), FileError> {
        let out = self.writer.get_mut();
        writeln!(out).and_then(|()| out.flush()).map_err(failed("write", self.path))
    }

    fn write(&mut self, event: Event) -> Result<(), FileError> {
        self.writer.write_event(event).map_err(failed("write", self.path))
    }
}

fn element<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (key, value) in attributes {
        start.push_attribute((*key, allowed(value).as_ref()));
    }
    start
}

/// The text with a replacement mark for every character that XML 1.0 cannot hold, such as a control character.
fn allowed(text: &str) -> Cow<'_, str> {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    match text.chars().all(is_allowed) {
        true => Cow::Borrowed(text),
        false => text.chars().map(|c| if is_allowed(c) { c } else { '\u{fffd}' }).collect::<String>().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_marked_and_the_rest_escaped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.xml");
        let mut xml = Xml::create(&path).unwrap();
        xml.open("a", &[("b", "\"1\" < 2\n\u{1}")]).unwrap();
        xml.text("c", &[], "R & D").unwrap();
        xml.close("a").unwrap();
        xml.finish().unwrap();
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                        <a b=\"&quot;1&quot; &lt; 2&#10;\u{fffd}\">\n <c>R &amp; D</c>\n</a>\n";
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    }
}
