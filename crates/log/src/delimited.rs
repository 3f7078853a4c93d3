//! CSV and TSV after RFC 4180, with the line of every row.
//!
//! Rows are taken apart here rather than by the `csv` crate (1.4) for two reasons. Its line numbers are
//! off after blank lines and with CRLF, and a stray quote makes it swallow all rows up to the next
//! quote. Here a quoted field may span lines, but only if the row that comes of it is in order;
//! otherwise its first line alone is rejected and reading goes on at the next one.

use super::error::LogError;
use super::file_format::strip_bom;
use super::file_settings::RepeatedColumns;
use super::limit::{check_row, read_line};
use super::raw::Sink;
use super::raw::{RawRow, RowDiagnostic};
use super::separator::{Separator, declared_separator};
use super::source::Source;
use plymap_puzzles::progress::Progress;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, BufRead};

/// Lines that one quoted field may span.
const MAX_LINES: usize = 1000;

/// Head of a file, before its rows begin.
pub(super) struct Header {
    pub names: Vec<String>,
    /// Lines above the names that are none of the table.
    pub n_above: u64,
    /// Of a file in sections, the one that is read, and the others.
    pub sections: Option<(String, Vec<String>)>,
}

/// Reads the names of columns, and what stands above them.
pub(super) fn header(source: &Source, separator: Separator) -> Result<Header, LogError> {
    let mut records = Records::open(source, separator, None)?;
    if !source.header.is_empty() {
        return Ok(Header { names: source.header.clone(), n_above: records.n_above, sections: None });
    }
    let names = names(source, &mut records)?;
    let unreadable = |error: io::Error| source.unreadable(&error);
    while records.section.is_some() && records.skip_section().map_err(unreadable)? {}
    // The head of the only one is a line above the header as any other.
    let (is_alone, section) = (records.others.is_empty(), records.section);
    let n_above = records.n_above + u64::from(is_alone && section.is_some());
    let sections = section.filter(|_| !is_alone).map(|section| (section, records.others));
    Ok(Header { names, n_above, sections })
}

fn names(source: &Source, records: &mut Records<'_>) -> Result<Vec<String>, LogError> {
    let mut header = Record::default();
    if !records.next(&mut header, None).map_err(|error| source.unreadable(&error))? {
        return Err(LogError::NoRows { path: source.file.path.clone() });
    }
    if let Some(diagnostic) = header.diagnostic {
        return Err(source.malformed(header.line, format!("in the header, {}", diagnostic.rule()), diagnostic.fix()));
    }
    let mut names: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    let mut last_numbers: HashMap<String, u32> = HashMap::new();
    for (number, field) in header.fields().enumerate() {
        let name = std::str::from_utf8(field)
            .map_err(|_| source.malformed(header.line, "the header is not UTF-8 text", "save the file as UTF-8"))?;
        if name.contains(['\0', '\r']) {
            let fix = "save the file as UTF-8 text with line ends of Unix or Windows";
            return Err(source.malformed(header.line, "the header has NUL bytes or line ends of old Macs", fix));
        }
        let mut name = match name.trim() {
            // R and pandas write row names under an empty header.
            "" => format!("column_{}", number + 1),
            name => name.to_owned(),
        };
        if known.contains(&name) && source.repeated_columns == RepeatedColumns::Number {
            let last = last_numbers.entry(name.clone()).or_insert(1);
            *last = (*last + 1..).find(|number| !known.contains(&format!("{name}_{number}"))).unwrap_or_default();
            name = format!("{name}_{last}");
        }
        if !known.insert(name.clone()) {
            return Err(LogError::RepeatedColumn { path: source.file.path.clone(), line: header.line, column: name });
        }
        names.push(name);
    }
    // What jsPsych writes where there is nothing: two quotes.
    if names == ["column_1"] && header.text.is_empty() {
        return Err(LogError::NoRows { path: source.file.path.clone() });
    }
    Ok(names)
}

/// Hands every row below the header to `sink`.
pub(super) fn rows(
    source: &Source,
    separator: Separator,
    progress: &dyn Progress,
    sink: &mut Sink<'_>,
) -> Result<(), LogError> {
    let mut records = Records::open(source, separator, Some(progress))?;
    let mut record = Record::default();
    let unreadable = |error: io::Error| source.unreadable(&error);
    if source.header.is_empty() {
        records.next(&mut record, None).map_err(unreadable)?;
    }
    let width = source.columns.len();
    while records.next(&mut record, Some(width)).map_err(unreadable)? {
        let mut cells = Vec::with_capacity(width);
        let mut fault = record.diagnostic.map(|diagnostic| Box::new(diagnostic.of(&record, width)));
        for field in record.fields() {
            match std::str::from_utf8(field) {
                Ok(text) => cells.push(Some(text)),
                Err(_) => {
                    let column = source.columns.get(cells.len()).map_or("", String::as_str);
                    fault.get_or_insert_with(|| not_utf8(column, field).into());
                    cells.push(None);
                }
            }
        }
        sink(RawRow { line: record.line, cells: &cells, fault, notices: &[] })?;
    }
    Ok(())
}

fn not_utf8(column: &str, field: &[u8]) -> RowDiagnostic {
    let fix = "save the file as UTF-8; it may be Latin-1 or Windows text";
    RowDiagnostic::new("not-utf8", column, &String::from_utf8_lossy(field), "the text is not UTF-8", fix)
}

/// Fault in the form of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Malformation {
    Unclosed,
    AfterQuote,
    Ragged,
}

impl Malformation {
    fn rule(self) -> &'static str {
        match self {
            Self::Unclosed => "a field opens with a quote that is never closed in a proper row",
            Self::AfterQuote => "there is text behind the closing quote of a field",
            Self::Ragged => "the number of fields is not that of the header",
        }
    }

    fn fix(self) -> &'static str {
        match self {
            Self::Ragged => "quote fields that contain the separator, or name the right one in `separator`",
            _ => "double the quotes within a quoted field",
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::Unclosed => "unclosed-quote",
            Self::AfterQuote => "text-after-quote",
            Self::Ragged => "ragged-row",
        }
    }

    fn of(self, record: &Record, width: usize) -> RowDiagnostic {
        let shown = String::from_utf8_lossy(&record.raw);
        let rule = match self {
            Self::Ragged => format!("the row has {} fields, the header {width}", record.ends.len()),
            _ => self.rule().to_owned(),
        };
        RowDiagnostic::new(self.code(), "", shown.trim_end_matches(['\r', '\n']), rule, self.fix())
    }
}

/// One row, taken apart.
#[derive(Debug, Default)]
struct Record {
    /// Line that it begins on, from 1.
    line: u64,
    /// Its first line as it stands in the file.
    raw: Vec<u8>,
    /// All fields, one behind the other, unquoted.
    text: Vec<u8>,
    /// End of each field in `text`.
    ends: Vec<usize>,
    diagnostic: Option<Malformation>,
}

impl Record {
    fn fields(&self) -> impl Iterator<Item = &[u8]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.text[begin..end])
    }

    fn end_field(&mut self) {
        self.ends.push(self.text.len());
    }

    /// Makes it the record that begins with this line, not yet taken apart; takes no memory of its own for it.
    fn begin(&mut self, line: u64, raw: Vec<u8>) {
        (self.line, self.raw, self.diagnostic) = (line, raw, None);
        self.text.clear();
        self.ends.clear();
    }
}

/// State of the parser within a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    FieldStart,
    Plain,
    Quoted,
    QuoteInQuoted,
}

/// The records of a file.
struct Records<'s> {
    input: Box<dyn BufRead + 's>,
    separator: u8,
    /// Lines that were read ahead for a quoted field and given back.
    ahead: VecDeque<(u64, Vec<u8>)>,
    lines_read: u64,
    /// Lines above the header that are none of the table.
    n_above: u64,
    /// The section that is read, where the file has such.
    section: Option<String>,
    /// The sections before and behind it, as far as they were met.
    others: Vec<String>,
}

impl<'s> Records<'s> {
    fn open(source: &'s Source, separator: Separator, progress: Option<&'s dyn Progress>) -> Result<Self, LogError> {
        let mut input = source.open(progress)?;
        let start = input.fill_buf().map_err(|error| source.unreadable(&error))?;
        let mark = start.len() - strip_bom(start).len();
        let declared = declared_separator(strip_bom(start)).map(|(_, length)| length);
        input.consume(mark + declared.unwrap_or(0));
        let lines_read = u64::from(declared.is_some());
        let mut records = Self::new(input, separator, lines_read);
        let unreadable = |error: io::Error| source.unreadable(&error);
        records.skip_above(source.header.is_empty()).map_err(unreadable)?;
        if let (Some(wanted), Some(first)) = (&source.table, records.section.clone())
            && *wanted != first
        {
            records.others.push(first);
            while records.others.last() != Some(wanted) {
                if !records.skip_section().map_err(unreadable)? {
                    let (path, has) = (source.file.path.clone(), records.others);
                    return Err(LogError::NoTable { path, wanted: Some(wanted.clone()), has });
                }
            }
            records.section = records.others.pop();
        }
        Ok(records)
    }

    fn new(input: Box<dyn BufRead + 's>, separator: Separator, lines_read: u64) -> Self {
        let (ahead, separator) = (VecDeque::new(), separator.0);
        Self { input, separator, ahead, lines_read, n_above: 0, section: None, others: Vec::new() }
    }

    /// Leaves out the lines of `#` above the header, and the head of a first section. The last line of `#` is the
    /// header where it has as many fields as the row behind it.
    fn skip_above(&mut self, has_header: bool) -> io::Result<()> {
        let mut comments: Vec<(u64, Vec<u8>)> = Vec::new();
        let first = loop {
            match self.written_line()? {
                Some((line, raw)) if raw.starts_with(b"#") && comments.len() < MAX_LINES => comments.push((line, raw)),
                other => break other,
            }
        };
        self.n_above = comments.len() as u64;
        if let Some((line, raw)) = comments.pop().filter(|_| has_header) {
            let n_fields = self.n_fields(&raw);
            if n_fields > Some(1) && first.as_ref().is_none_or(|(_, row)| self.n_fields(row) == n_fields) {
                self.n_above -= 1;
                // A column may be called so.
                let is_name = raw.get(1) == Some(&self.separator);
                let header = if is_name { raw } else { raw[1..].to_vec() };
                self.ahead.extend([Some((line, header)), first].into_iter().flatten());
                return Ok(());
            }
        }
        let Some(first) = first else { return Ok(()) };
        match self.n_above == 0 && has_header && self.begins_section(&first.1)? {
            true => self.section = Some(name_of_section(&first.1)),
            false => self.ahead.push_front(first),
        }
        Ok(())
    }

    /// `true` if a line is the head of a section: one field above a header of several.
    fn begins_section(&mut self, line: &[u8]) -> io::Result<bool> {
        if self.n_fields(line) != Some(1) {
            return Ok(false);
        }
        let (second, third) = (self.written_line()?, self.written_line()?);
        let n_fields = |line: &Option<(u64, Vec<u8>)>| line.as_ref().and_then(|(_, raw)| self.n_fields(raw));
        let is_row = |line: &(u64, Vec<u8>)| self.n_fields(&line.1) == n_fields(&second) || is_in_brackets(&line.1);
        let is_head = n_fields(&second) > Some(1) && third.as_ref().is_none_or(is_row);
        [third, second].into_iter().flatten().for_each(|line| self.ahead.push_front(line));
        Ok(is_head)
    }

    /// Goes on to the next section, and takes down its name; whether there is one.
    fn skip_section(&mut self) -> io::Result<bool> {
        let mut record = Record::default();
        while self.next(&mut record, None)? {}
        let Some((_, head)) = self.line(Vec::new())? else { return Ok(false) };
        self.others.push(name_of_section(&head));
        Ok(true)
    }

    /// The next line that is not blank.
    fn written_line(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        loop {
            match self.line(Vec::new())? {
                Some((_, raw)) if raw.iter().all(|byte| matches!(byte, b'\r' | b'\n')) => {}
                other => return Ok(other),
            }
        }
    }

    /// Number of fields of a line; nothing where a quote leads beyond it.
    fn n_fields(&self, line: &[u8]) -> Option<usize> {
        let mut record = Record::default();
        (self.parse(line, At::FieldStart, &mut record) != At::Quoted).then_some(record.ends.len())
    }

    /// Reads the next record, if there is one before the end of the file or of the section; `width` is the number of
    /// fields that it should have.
    fn next(&mut self, record: &mut Record, width: Option<usize>) -> io::Result<bool> {
        let mut is_apart = false;
        loop {
            let Some((line, raw)) = self.line(std::mem::take(&mut record.raw))? else { return Ok(false) };
            let is_blank = raw.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
            if self.section.is_some() && (is_apart || is_in_brackets(&raw)) && !is_blank && self.begins_section(&raw)? {
                self.ahead.push_front((line, raw));
                return Ok(false);
            }
            record.begin(line, raw);
            if !is_blank {
                break;
            }
            is_apart = true;
        }
        let raw = std::mem::take(&mut record.raw);
        let at = self.parse(&raw, At::FieldStart, record);
        record.raw = raw;
        if at == At::Quoted {
            self.next_lines(record, width)?;
        } else if record.diagnostic.is_none() && width.is_some_and(|width| record.ends.len() != width) {
            record.diagnostic = Some(Malformation::Ragged);
        }
        Ok(true)
    }

    /// Goes on with a record whose first line ends within quotes.
    fn next_lines(&mut self, record: &mut Record, width: Option<usize>) -> io::Result<()> {
        let first_line = (record.text.len(), record.ends.len());
        let mut lines = Vec::new();
        // A row over many lines is no longer than one on one line may be.
        while lines.len() < MAX_LINES && check_row(record.text.len()).is_ok() {
            let Some((line, raw)) = self.line(Vec::new())? else { break };
            let at = self.parse(&raw, At::Quoted, record);
            lines.push((line, raw));
            if at != At::Quoted {
                if record.diagnostic.is_none() && width.is_none_or(|width| record.ends.len() == width) {
                    return Ok(());
                }
                break;
            }
        }
        for line in lines.into_iter().rev() {
            self.ahead.push_front(line);
        }
        record.text.truncate(first_line.0);
        record.ends.truncate(first_line.1);
        record.diagnostic = Some(Malformation::Unclosed);
        Ok(())
    }

    /// Takes one line apart, its end included; within quotes at the end means that the record goes on.
    fn parse(&self, line: &[u8], mut at: At, record: &mut Record) -> At {
        let end = line.len() - usize::from(line.ends_with(b"\n")) - usize::from(line.ends_with(b"\r\n"));
        // As most lines are.
        if at == At::FieldStart && !line.contains(&b'"') {
            for field in line[..end].split(|&byte| byte == self.separator) {
                record.text.extend_from_slice(field);
                record.end_field();
            }
            return At::Plain;
        }
        for (place, &byte) in line.iter().enumerate() {
            at = match (at, byte) {
                (At::Quoted, b'"') => At::QuoteInQuoted,
                (At::Quoted, _) => {
                    record.text.push(byte);
                    At::Quoted
                }
                _ if place >= end => break,
                (_, _) if byte == self.separator => {
                    record.end_field();
                    At::FieldStart
                }
                (At::FieldStart, b'"') => At::Quoted,
                (At::QuoteInQuoted, b'"') => {
                    record.text.push(b'"');
                    At::Quoted
                }
                (At::QuoteInQuoted, _) => {
                    record.diagnostic = Some(Malformation::AfterQuote);
                    record.text.push(byte);
                    At::Plain
                }
                (At::FieldStart | At::Plain, _) => {
                    record.text.push(byte);
                    At::Plain
                }
            };
        }
        if at != At::Quoted {
            record.end_field();
        }
        at
    }

    /// The next line and its number; `raw` is room for it.
    fn line(&mut self, mut raw: Vec<u8>) -> io::Result<Option<(u64, Vec<u8>)>> {
        if let Some(line) = self.ahead.pop_front() {
            return Ok(Some(line));
        }
        raw.clear();
        if read_line(&mut self.input, &mut raw)? == 0 {
            return Ok(None);
        }
        self.lines_read += 1;
        Ok(Some((self.lines_read, raw)))
    }
}

/// `true` if a line is like `[Actions]`.
fn is_in_brackets(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"[") && line.ends_with(b"]")
}

/// The name in the head of a section.
fn name_of_section(head: &[u8]) -> String {
    let text = String::from_utf8_lossy(head);
    text.trim().trim_matches('"').trim_start_matches('[').trim_end_matches(']').trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line, fields and diagnostic of each record; the header is the first.
    fn records(text: &'static str, width: usize) -> Vec<(u64, Vec<String>, Option<Malformation>)> {
        let mut records = Records::new(Box::new(text.as_bytes()), Separator(b','), 0);
        let mut record = Record::default();
        let mut read = Vec::new();
        while records.next(&mut record, Some(width)).unwrap() {
            let fields = record.fields().map(|field| String::from_utf8(field.to_vec()).unwrap()).collect();
            read.push((record.line, fields, record.diagnostic));
        }
        read
    }

    fn row(line: u64, fields: &[&str]) -> (u64, Vec<String>, Option<Malformation>) {
        (line, fields.iter().map(|&field| field.to_owned()).collect(), None)
    }

    #[test]
    fn lines_are_those_of_an_editor() {
        let text = "a,b\r\n\r\n1,\"x\ny\"\r\n2,\"say \"\"hi\"\"\"\n3,";
        assert_eq!(
            records(text, 2),
            [row(1, &["a", "b"]), row(3, &["1", "x\ny"]), row(5, &["2", "say \"hi\""]), row(6, &["3", ""])]
        );
    }

    #[test]
    fn a_stray_quote_costs_one_row_only() {
        let read = records("a,b\n1,\"x\n2,y\n3,\"z\"\n4,5\" disk\n", 2);
        assert_eq!(read[1], (2, vec!["1".to_owned()], Some(Malformation::Unclosed)));
        assert_eq!(read[2..], [row(3, &["2", "y"]), row(4, &["3", "z"]), row(5, &["4", "5\" disk"])]);
    }

    #[test]
    fn malformed_rows_are_distinguished() {
        let diagnostics: Vec<_> = records("1\n1,2,3\n1,\"2\"x\n1,\"2\n", 2)
            .into_iter()
            .map(|(_, _, diagnostic)| diagnostic.unwrap())
            .collect();
        assert_eq!(
            diagnostics,
            [Malformation::Ragged, Malformation::Ragged, Malformation::AfterQuote, Malformation::Unclosed]
        );
    }
}
