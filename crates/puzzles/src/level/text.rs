//! Text files of levels: blocks between blank lines, or one level a line.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::columns::{BOARD_NAMES, ID_NAMES, LevelColumns, board_column};
use super::found_level::{Cell, FoundLevel};
use super::lines::{Line, LineKind, lines};
use crate::diagnostic::{Diagnostic, SourceText};

/// The shortest word that is taken for a whole level in a line of several words: a board of 3 x 3.
const MIN_WORD: usize = 9;

/// The shortest word that is taken for a whole level where it stands alone on its line: a board of
/// 5 x 5. Shorter ones are rows of a board.
const MIN_LONE_WORD: usize = 25;

/// The levels of a text file.
pub(super) fn levels(
    source: &Arc<SourceText>,
    columns: &LevelColumns,
    faults: &mut Vec<Diagnostic>,
) -> Vec<FoundLevel> {
    let lines: Vec<Line> = lines(&source.text).collect();
    if let Some(levels) = colon_lines(&lines) {
        return levels;
    }
    match LevelLines::of(&lines, columns) {
        Some(rows) => rows.levels(source, columns, faults),
        None => blocks(source, &lines),
    }
}

/// The levels of a text with lines such as `name: moves: board`, all with as many colons, two or more; the last part
/// is the board, and what follows `#` is a remark. A whole number between is called `moves`.
fn colon_lines(lines: &[Line]) -> Option<Vec<FoundLevel>> {
    let content: Vec<&Line> =
        lines.iter().filter(|line| line.kind != LineKind::Blank && !line.text.trim().starts_with('#')).collect();
    let rows: Vec<Vec<Range<usize>>> = content.iter().map(|line| colon_parts(line)).collect();
    let n_parts = rows.first()?.len();
    let text = |row: usize, at: usize| {
        let Range { start, end } = rows[row][at].clone();
        &content[row].text[start - content[row].start..end - content[row].start]
    };
    let is_row =
        |row: usize| rows[row].len() == n_parts && !text(row, 0).is_empty() && is_board(text(row, n_parts - 1));
    if n_parts < 3 || !(0..rows.len()).all(is_row) {
        return None;
    }
    let numbers = |at: usize| (0..rows.len()).all(|row| text(row, at).parse::<u64>().is_ok());
    let moves: Vec<usize> = (1..n_parts - 1).filter(|&at| numbers(at)).collect();
    let name = |at: usize| if moves == [at] { "moves".to_owned() } else { format!("field_{}", at + 1) };
    let level = |row: usize| FoundLevel {
        id: Some((text(row, 0).to_owned(), rows[row][0].clone())),
        span: rows[row][n_parts - 1].clone(),
        text: text(row, n_parts - 1).to_owned(),
        column: None,
        extra: (1..n_parts - 1)
            .map(|at| Cell { name: name(at), value: text(row, at).to_owned(), span: rows[row][at].clone() })
            .collect(),
    };
    Some((0..rows.len()).map(level).collect())
}

fn is_board(board: &str) -> bool {
    let n_marks = board.bytes().filter(|mark| !mark.is_ascii_whitespace()).count();
    (n_marks >= MIN_WORD || board.contains('/')) && !board.contains('"')
}

/// The bytes of the text that hold the parts of a line between its colons, without blanks around them or a remark
/// behind.
fn colon_parts(line: &Line) -> Vec<Range<usize>> {
    let mut at = line.start;
    // A board may begin with a wall.
    let begins_board = |at: &usize| line.text[..*at].trim_end().ends_with(':');
    let remark = match line.text.find('#') {
        Some(wall) if begins_board(&wall) => line.text[wall..].find(" # ").map(|at| wall + at),
        remark => remark,
    };
    let parts = line.text[..remark.unwrap_or(line.text.len())].split(':').map(|part| {
        let start = at + part.len() - part.trim_start().len();
        at += part.len() + 1;
        start..start + part.trim().len()
    });
    parts.collect()
}

/// `true` if a word is long enough, and of the right length, to be a whole square board.
pub(super) fn is_whole_board(word: &str) -> bool {
    let length = word.chars().count();
    length >= MIN_LONE_WORD && length.isqrt().pow(2) == length && is_level_word(word)
}

fn is_level_word(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-*#@+$".contains(&byte))
        && !word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The levels of a text in which blank lines, or lines with a name, part them. Comments and settings that stand alone
/// between blank lines belong to the level that follows, unless they have a name and another name follows, or nothing
/// follows: then their settings are a level, if one of them is written without `#`.
fn blocks(source: &Arc<SourceText>, lines: &[Line]) -> Vec<FoundLevel> {
    let mut levels = Vec::new();
    let mut block = Block::default();
    for line in lines {
        let is_whole = match line.kind {
            LineKind::Blank => block.has_content,
            _ => is_id(line) && (block.has_content || (block.has_id && block.has_settings)),
        };
        if is_whole {
            levels.push(std::mem::take(&mut block).level(source));
        }
        block.push(line);
    }
    if block.has_content || block.has_settings {
        levels.push(block.level(source));
    }
    levels
}

/// Lines that may become a level.
#[derive(Default)]
struct Block<'a, 'b> {
    lines: Vec<&'b Line<'a>>,
    has_content: bool,
    /// `true` if there is a setting that is no comment to anybody, such as the capacities of jugs.
    has_settings: bool,
    has_id: bool,
}

impl<'a, 'b> Block<'a, 'b> {
    fn push(&mut self, line: &'b Line<'a>) {
        if line.kind != LineKind::Blank {
            self.lines.push(line);
        }
        self.has_content |= line.kind == LineKind::Content;
        self.has_settings |= matches!(line.kind, LineKind::Setting { hashed: false, .. });
        self.has_id |= is_id(line);
    }

    fn level(self, source: &SourceText) -> FoundLevel {
        let id = self.lines.iter().find_map(|line| match line.kind {
            LineKind::Setting { value, value_start, .. } if is_id(line) => {
                Some((value.to_owned(), value_start..value_start + value.len()))
            }
            _ => None,
        });
        let start = self.lines.first().map_or(0, |line| line.start);
        let end = self.lines.last().map_or(start, |line| line.start + line.text.len());
        let text = source.text[start..end].to_owned();
        FoundLevel { id, span: start..end, text, column: None, extra: Vec::new() }
    }
}

fn is_id(line: &Line) -> bool {
    matches!(line.kind, LineKind::Setting { key, value, .. } if key.eq_ignore_ascii_case("id") && !value.is_empty())
}

/// A text with one level a line, among as many other words as on each other line.
struct LevelLines<'a> {
    header: Option<LevelLine<'a>>,
    rows: Vec<LevelLine<'a>>,
    n_fields: usize,
    /// The fields that hold words which can be levels, in more than half of the rows.
    candidates: Vec<usize>,
}

struct LevelLine<'a> {
    fields: Vec<&'a str>,
    /// Start of each field in the text.
    starts: Vec<usize>,
}

impl<'a> LevelLines<'a> {
    /// The rows of a text, if it is one of rows.
    fn of(lines: &[Line<'a>], columns: &LevelColumns) -> Option<Self> {
        // A setting belongs to one level, so its file is one of blocks.
        if lines.iter().any(|line| matches!(line.kind, LineKind::Setting { .. })) {
            return None;
        }
        let content = lines.iter().filter(|line| line.kind == LineKind::Content);
        let mut rows: Vec<LevelLine> = content.map(LevelLine::of).collect();
        let header = rows.first().is_some_and(|first| first.is_header(columns)).then(|| rows.remove(0));
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for row in &rows {
            *counts.entry(row.fields.len()).or_default() += 1;
        }
        let (&n_fields, &n_rows) = counts.iter().find(|&(_, &count)| 2 * count > rows.len())?;
        let is_level =
            if n_fields == 1 { is_whole_board } else { |word: &str| word.len() >= MIN_WORD && is_level_word(word) };
        let regular = || rows.iter().filter(|row| row.fields.len() == n_fields);
        let candidates: Vec<usize> =
            (0..n_fields).filter(|&at| 2 * regular().filter(|row| is_level(row.fields[at])).count() > n_rows).collect();
        let lone = n_fields == 1 && rows.len() < 2 && header.is_none();
        (!candidates.is_empty() && !lone).then_some(Self { header, rows, n_fields, candidates })
    }

    fn levels(
        &self,
        source: &Arc<SourceText>,
        columns: &LevelColumns,
        faults: &mut Vec<Diagnostic>,
    ) -> Vec<FoundLevel> {
        if let Some(header) = self.header.as_ref().filter(|header| header.fields.len() != self.n_fields) {
            let n_names = header.fields.len();
            let message = format!("the header has {n_names} names, most lines have {} fields", self.n_fields);
            let fault = Diagnostic::error("ragged-table", source, header.span(), message);
            faults.push(fault.with_help("name each field once, without white space in a name"));
            return Vec::new();
        }
        let names = self.names();
        let (id, board) = match self.choose(&names, columns) {
            Ok(chosen) => chosen,
            Err((code, message, help)) => {
                let span = self.header.as_ref().or(self.rows.first()).map_or(0..0, LevelLine::span);
                faults.push(Diagnostic::error(code, source, span, message).with_help(help));
                return Vec::new();
            }
        };
        let mut levels = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            if row.fields.len() == self.n_fields {
                levels.push(row.level(&names, id, board));
            } else {
                let message = format!("the line has {} fields, most others have {}", row.fields.len(), self.n_fields);
                let fault = Diagnostic::error("ragged-table", source, row.span(), message);
                faults.push(fault.with_help("give each line the same fields, with white space between them"));
            }
        }
        levels
    }

    /// The names of the fields: those of the header, or `moves board cluster_size` where a level
    /// stands between two whole numbers, as in lists of generated levels, or `field_1` and so on.
    fn names(&self) -> Vec<String> {
        if let Some(header) = &self.header {
            return header.fields.iter().map(|&name| name.to_owned()).collect();
        }
        let is_number =
            |at: usize| self.rows.iter().all(|row| row.fields.get(at).is_none_or(|field| field.parse::<u64>().is_ok()));
        if self.n_fields == 3 && self.candidates == [1] && is_number(0) && is_number(2) {
            return ["moves", "board", "cluster_size"].map(str::to_owned).to_vec();
        }
        (1..=self.n_fields).map(|number| format!("field_{number}")).collect()
    }

    /// The fields of the name, if there is one, and of the level.
    fn choose(
        &self,
        names: &[String],
        columns: &LevelColumns,
    ) -> Result<(Option<usize>, usize), (&'static str, String, String)> {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut columns = columns.clone();
        if columns.board.is_none() && board_column(&known).is_none() {
            let board = self.longest_candidate().ok_or_else(|| {
                let message = format!(
                    "more than one field can be the level: {}",
                    self.candidates.iter().map(|&at| known[at]).collect::<Vec<_>>().join(", ")
                );
                ("no-board-column", message, "name it in the study: `board = \"field_2\"`".to_owned())
            })?;
            columns.board = Some(names[board].clone());
        }
        let chosen = columns.choose(&known).map_err(|unchosen| (unchosen.code, unchosen.message, unchosen.help))?;
        Ok((chosen.id, chosen.board.unwrap_or(self.candidates[0])))
    }

    /// The candidate whose shortest word is longer than every word of the others.
    fn longest_candidate(&self) -> Option<usize> {
        let lengths = |at: usize| self.rows.iter().filter_map(move |row| row.fields.get(at)).map(|field| field.len());
        let shortest = |at: usize| lengths(at).min().unwrap_or(0);
        let longest = |at: usize| lengths(at).max().unwrap_or(0);
        let beats = |this: usize, other: usize| this == other || shortest(this) > longest(other);
        self.candidates.iter().copied().find(|&this| self.candidates.iter().all(|&other| beats(this, other)))
    }
}

impl<'a> LevelLine<'a> {
    fn of(line: &Line<'a>) -> Self {
        let fields: Vec<&str> = line.text.split_whitespace().collect();
        let mut at = 0;
        let starts = fields.iter().map(|field| {
            // Each field is there, at or after the end of the one before it.
            at += line.text[at..].find(field).unwrap_or(0);
            let start = line.start + at;
            at += field.len();
            start
        });
        let starts = starts.collect();
        Self { fields, starts }
    }

    fn is_header(&self, columns: &LevelColumns) -> bool {
        let names = BOARD_NAMES.iter().chain(&ID_NAMES).copied().chain(columns.board.as_deref());
        let mut names: Vec<&str> = names.collect();
        names.dedup();
        self.fields.iter().any(|field| names.iter().any(|name| name.eq_ignore_ascii_case(field)))
            && self.fields.iter().all(|field| field.parse::<f64>().is_err())
    }

    fn span(&self) -> Range<usize> {
        match (self.starts.first(), self.starts.last().zip(self.fields.last())) {
            (Some(&start), Some((last, field))) => start..last + field.len(),
            _ => 0..0,
        }
    }

    fn field_span(&self, at: usize) -> Range<usize> {
        self.starts[at]..self.starts[at] + self.fields[at].len()
    }

    fn level(&self, names: &[String], id: Option<usize>, board: usize) -> FoundLevel {
        let cell =
            |at: usize| Cell { name: names[at].clone(), value: self.fields[at].to_owned(), span: self.field_span(at) };
        FoundLevel {
            id: id.map(|id| (self.fields[id].to_owned(), self.field_span(id))),
            span: self.field_span(board),
            text: self.fields[board].to_owned(),
            column: Some(names[board].clone()),
            extra: (0..self.fields.len()).filter(|&at| at != board && Some(at) != id).map(cell).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and texts of the levels of a file; `-` where a level has no name.
    fn found(text: &str) -> Vec<(String, String)> {
        let source = Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() });
        let mut faults = Vec::new();
        let levels = levels(&source, &LevelColumns::default(), &mut faults);
        assert_eq!(faults, []);
        let name = |id: Option<(String, Range<usize>)>| id.map_or("-".to_owned(), |(id, _)| id);
        levels.into_iter().map(|level| (name(level.id), level.text)).collect()
    }

    fn pair(id: &str, text: &str) -> (String, String) {
        (id.to_owned(), text.to_owned())
    }

    #[test]
    fn settings_alone_are_a_level_where_no_board_follows() {
        assert_eq!(found("goal: 4\n"), [pair("-", "goal: 4")]);
        assert_eq!(
            found("# Jugs.\n\n# id: a\ngoal: 4\n\n# id: b\ngoal: 5\n"),
            [pair("a", "# Jugs.\n\n# id: a\ngoal: 4"), pair("b", "# id: b\ngoal: 5")]
        );
        assert_eq!(found("id: a\nid: b\n"), [pair("a", "id: a"), pair("b", "id: b")]);
        assert_eq!(found("AB.\n...\n\ngoal: 4\n"), [pair("-", "AB.\n..."), pair("-", "goal: 4")]);
    }

    #[test]
    fn settings_that_stand_alone_belong_to_the_board_that_follows() {
        let text = "exit: left\n\n# id: a\n\nAB.\n...\n";
        assert_eq!(found(text), [pair("a", text.trim_end())]);
        assert_eq!(found("# id: a\n\n# red: B\n\nAB.\n...\n").len(), 1);
    }

    #[test]
    fn lines_may_have_colons_between_name_and_board() {
        let text = "# name: moves: board\n\np01:  3: GBBCCC GIDDEE  # a remark\np02: 4: AA... ....B\n";
        assert_eq!(found(text), [pair("p01", "GBBCCC GIDDEE"), pair("p02", "AA... ....B")]);
        let source = Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() });
        let levels = levels(&source, &LevelColumns::default(), &mut Vec::new());
        assert_eq!((levels[0].extra[0].name.as_str(), levels[0].extra[0].value.as_str()), ("moves", "3"));
        assert_eq!(&text[levels[0].extra[0].span.clone()], "3");
        assert_eq!(found("note: a: b\nAA..\n...."), [pair("-", "note: a: b\nAA..\n....")]);
    }

    #[test]
    fn remarks_alone_are_no_level() {
        assert_eq!(found("# a remark\n# red: B\n"), []);
        assert_eq!(found("AB.\n...\n\n# the end\n# author: me\n").len(), 1);
    }
}
