//! Tables of levels with a header: CSV, TSV and their kin.

use std::ops::Range;
use std::sync::Arc;

use super::columns::{Chosen, LevelColumns, are_pieces, same};
use super::found_level::{Cell, FoundLevel};
use super::text;
use super::text::is_whole_board;
use crate::diagnostic::{Diagnostic, SourceText};

const SEPARATORS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// `true` if the first line of a text names columns, one of them a column of levels or several of settings.
pub(super) fn has_header(source: &SourceText, columns: &LevelColumns) -> bool {
    let is_remark = source.text.starts_with('#');
    !is_remark && SEPARATORS.into_iter().any(|separator| header_has_level(&source.text, separator, columns))
}

/// The levels of a table; `separator` is detected where it is not given.
///
/// A table without a column of levels that holds mostly whole numbers, or nothing but single
/// characters, is itself one level or several, as in a text file.
pub(super) fn levels(
    source: &Arc<SourceText>,
    columns: &LevelColumns,
    separator: Option<u8>,
    faults: &mut Vec<Diagnostic>,
) -> Vec<FoundLevel> {
    let separator = separator.unwrap_or_else(|| detect_separator(&source.text, columns));
    let mut reader = reader(&source.text, separator);
    let Some(header) = reader.records().next().and_then(Result::ok) else {
        return Vec::new();
    };
    let names: Vec<&str> = header.iter().map(str::trim).collect();
    let chosen = match columns.choose(&names) {
        Ok(chosen) => chosen,
        Err(_) if columns.board.is_none() && are_pieces(&names) => {
            let fault = several_levels(source, separator, &names);
            return if let Some(fault) = fault {
                faults.push(fault);
                Vec::new()
            } else {
                text::levels(source, columns, faults)
            };
        }
        Err(_) if columns.board.is_none() && is_level_itself(&source.text, separator) => {
            return text::levels(source, columns, faults);
        }
        Err(unchosen) => {
            let header_end = source.text.find('\n').unwrap_or(source.text.len());
            let fault = Diagnostic::error(unchosen.code, source, 0..header_end, unchosen.message);
            faults.push(fault.labelled("the names of the columns").with_help(unchosen.help));
            return Vec::new();
        }
    };
    let mut levels = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => levels.extend(row(source, separator, &names, chosen, &record, faults)),
            // Cannot happen: the text is UTF-8 already and rows may have any length.
            Err(error) => faults.push(Diagnostic::error("bad-table", source, 0..0, error.to_string())),
        }
    }
    levels
}

/// That a table of pieces, one a row, holds those of several levels, as a column that names levels tells.
fn several_levels(source: &Arc<SourceText>, separator: u8, names: &[&str]) -> Option<Diagnostic> {
    let at = names.iter().position(|name| LEVELS_OF_PIECES.iter().any(|known| same(known, name)))?;
    let mut reader = reader(&source.text, separator);
    let rows: Vec<csv::StringRecord> = reader.records().skip(1).map_while(Result::ok).collect();
    let first = rows.first()?.get(at)?;
    let other = rows.iter().find(|row| row.get(at).is_some_and(|level| level != first))?;
    let start = other.position().map_or(0, |position| position.byte() as usize);
    let span = field_spans(&source.text, start, separator).get(at).cloned().unwrap_or_default();
    let message = format!("the pieces are those of several levels: {:?} is {first:?} and {:?}", names[at], &other[at]);
    let help = "write the pieces of each level into a file of its own, or give each level one row with its board";
    Some(Diagnostic::error("several-levels", source, span, message).labelled("another level").with_help(help))
}

/// Names of columns with which a level may have an empty board.
const SIZES: [&str; 3] = ["size", "board_size", "width"];

/// Names of columns that tell the level of a piece.
const LEVELS_OF_PIECES: [&str; 10] =
    ["level", "level_id", "level_nr", "puzzle", "puzzle_id", "problem", "problem_id", "board", "card", "config"];

fn row(
    source: &Arc<SourceText>,
    separator: u8,
    names: &[&str],
    chosen: Chosen,
    record: &csv::StringRecord,
    faults: &mut Vec<Diagnostic>,
) -> Option<FoundLevel> {
    let start = record.position().map_or(0, |position| position.byte() as usize);
    let spans = field_spans(&source.text, start, separator);
    let mut fault = |code, span: &Range<usize>, message: String, help: &str| {
        faults.push(Diagnostic::error(code, source, span.clone(), message).with_help(help));
        None
    };
    let whole = spans.first().map_or(start, |span| span.start)..spans.last().map_or(start, |span| span.end);
    if record.len() != names.len() || spans.len() != record.len() {
        let message = format!("the row has {} fields, the header has {}", record.len(), names.len());
        return fault("ragged-table", &whole, message, "give each row as many fields as the header names");
    }
    if record.iter().all(|field| field.trim().is_empty()) {
        return None;
    }
    let cell = |at: usize| Cell { name: names[at].to_owned(), value: record[at].to_owned(), span: spans[at].clone() };
    // A board that is empty needs no drawing where the row gives its size.
    let has_size = || {
        let is_size = |name: &str| SIZES.iter().any(|known| same(known, name));
        names.iter().enumerate().any(|(at, name)| is_size(name) && !cell(at).is_missing())
    };
    let is_empty_board = chosen.board.is_some_and(|board| cell(board).is_missing() && has_size());
    let chosen = if is_empty_board { Chosen { board: None, ..chosen } } else { chosen };
    if let Some(board) = chosen.board.filter(|&board| cell(board).is_missing()) {
        let message = format!("the column {:?} is empty", names[board]);
        return fault("empty-level", &spans[board], message, "fill in the level, or leave the row out");
    }
    if let Some(id) = chosen.id.filter(|&id| cell(id).is_missing()) {
        let message = format!("the column {:?} is empty", names[id]);
        return fault("missing-id", &spans[id], message, "give each level a name of its own");
    }
    let extra = (0..names.len()).filter(|&at| Some(at) != chosen.board && Some(at) != chosen.id);
    Some(FoundLevel {
        id: chosen.id.map(|id| (record[id].trim().to_owned(), spans[id].clone())),
        span: chosen.board.map_or(whole.start..whole.start, |board| spans[board].clone()),
        text: chosen.board.map(|board| record[board].to_owned()).unwrap_or_default(),
        column: chosen.board.map(|board| names[board].to_owned()),
        extra: extra.map(cell).collect(),
    })
}

/// The bytes of each field of the record at `start`, without the quotes around it.
fn field_spans(text: &str, start: usize, separator: u8) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = start;
    // A record is said to start before the line end of the one before it.
    while matches!(bytes.get(at), Some(b'\r' | b'\n')) {
        at += 1;
    }
    let mut spans = Vec::new();
    loop {
        let quoted = bytes.get(at) == Some(&b'"');
        let field = at + usize::from(quoted);
        let mut inside = quoted;
        at = field;
        let mut end = None;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'"' && quoted {
                inside = !inside;
                // The last quote of an odd run closes the field.
                end = (!inside).then_some(at);
            } else if !inside && (byte == separator || byte == b'\n' || byte == b'\r') {
                break;
            }
            at += 1;
        }
        spans.push(field..end.unwrap_or(at).max(field));
        if bytes.get(at) != Some(&separator) {
            return spans;
        }
        at += 1;
    }
}

fn reader(text: &str, separator: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(text.as_bytes())
}

fn header_has_level(text: &str, separator: u8, columns: &LevelColumns) -> bool {
    let header = reader(text, separator).into_records().next().and_then(Result::ok);
    header.is_some_and(|header| header.len() > 1 && columns.have_level(&header.iter().collect::<Vec<_>>()))
}

/// The separator under which the header names a column of levels, else the most frequent one of the header.
fn detect_separator(text: &str, columns: &LevelColumns) -> u8 {
    let named = SEPARATORS.into_iter().find(|&separator| header_has_level(text, separator, columns));
    let header = text.lines().next().unwrap_or("");
    let count = |separator: &u8| header.bytes().filter(|byte| byte == separator).count();
    // `max_by_key` keeps the last of equals; the comma comes last.
    named.or_else(|| SEPARATORS.into_iter().rev().max_by_key(count)).unwrap_or(b',')
}

/// `true` if the table is a level: rows mostly of whole numbers and without a board among them, the
/// first one aside, or a board with one character in each field.
fn is_level_itself(text: &str, separator: u8) -> bool {
    let records: Vec<csv::StringRecord> = reader(text, separator).into_records().map_while(Result::ok).collect();
    let is_board = |field: &str| field.contains('\n') || is_whole_board(field.trim());
    let rows = if records.len() > 1 { &records[1..] } else { &records[..] };
    rows.iter().all(|record| {
        let n_numbers = record.iter().filter(|field| field.trim().parse::<i64>().is_ok()).count();
        2 * n_numbers > record.len() && !record.iter().any(is_board)
    }) || records.iter().all(|record| record.iter().all(is_character))
}

fn is_character(field: &str) -> bool {
    field.trim().chars().count() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_in_the_bytes_of_the_file() {
        let text = "id,board\r\n\r\na,\"[\"\"A\"\",\n1]\"\r\n\"b\",,c\n";
        let spans = field_spans(text, 8, b',');
        assert_eq!(spans.iter().map(|span| &text[span.clone()]).collect::<Vec<_>>(), ["a", "[\"\"A\"\",\n1]"]);
        let spans = field_spans(text, 26, b',');
        assert_eq!(spans.iter().map(|span| &text[span.clone()]).collect::<Vec<_>>(), ["b", "", "c"]);
    }
}
