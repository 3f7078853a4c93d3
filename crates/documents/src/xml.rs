//! XML with as much convenience as the parts of a document need.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// An attribute: its name and its value.
pub(crate) type Attribute<'a> = (&'a str, &'a str);

/// An XML text in the making. Whatever is written into it is escaped.
pub(crate) struct Xml {
    writer: Writer<Vec<u8>>,
}

impl Xml {
    /// A text that begins with its declaration.
    pub fn new() -> io::Result<Self> {
        let mut writer = Writer::new(Vec::new());
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("yes"))))?;
        Ok(Self { writer })
    }

    /// Opens an element.
    pub fn open(&mut self, name: &str, attributes: &[Attribute]) -> io::Result<()> {
        self.writer.write_event(Event::Start(element(name, attributes)))
    }

    /// Closes an element.
    pub fn close(&mut self, name: &str) -> io::Result<()> {
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    /// Writes an element without content.
    pub fn empty(&mut self, name: &str, attributes: &[Attribute]) -> io::Result<()> {
        self.writer.write_event(Event::Empty(element(name, attributes)))
    }

    /// Writes an element with a text.
    pub fn text(&mut self, name: &str, attributes: &[Attribute], text: &str) -> io::Result<()> {
        self.open(name, attributes)?;
        self.writer.write_event(Event::Text(BytesText::new(&allowed(text))))?;
        self.close(name)
    }

    /// Returns the text.
    pub fn finish(self) -> Vec<u8> {
        self.writer.into_inner()
    }
}

fn element<'a>(name: &'a str, attributes: &[Attribute]) -> BytesStart<'a> {
    let mut element = BytesStart::new(name);
    for (key, value) in attributes {
        element.push_attribute((*key, allowed(value).as_str()));
    }
    element
}

/// The text with a mark in the place of each character that XML 1.0 forbids, even escaped.
fn allowed(text: &str) -> String {
    text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
