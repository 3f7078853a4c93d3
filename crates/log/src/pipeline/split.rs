//! A cell with several elements: one row for each of them.

use super::super::json::as_text;
use super::super::pipeline_step;
use super::super::raw::RowDiagnostic;
use super::columns::ColumnSet;
use super::python;
use super::step::{Row, Step, StepContext};
use crate::error::LogError;
use plymap_statistics::stats::apa::counted;
use serde_json::{Map, Value};
use std::collections::HashSet;

pub(super) struct Split {
    /// Numbers and names of the columns that are taken apart, side by side.
    cells: Vec<(usize, String)>,
    cut: Cut,
    /// Columns of the elements of one row.
    into: Vec<usize>,
    /// Columns whose elements come behind those of the first.
    then: Vec<usize>,
    /// `true` if an element ends in the number of times that it stands for.
    has_times: bool,
    keeps_empty: bool,
    number: Option<usize>,
    /// Columns that the rows had before; keys of elements do not take their names.
    before: HashSet<String>,
    /// Texts that stand for a missing value, in elements as in whole cells.
    nulls: HashSet<String>,
}

/// Way in which a cell is taken apart.
enum Cut {
    /// As JSON or a list of Python.
    Nested,
    /// At this text.
    At(String),
    /// Into so many characters each.
    Each(usize),
}

/// The most times that an element stands for.
const MOST_TIMES: usize = 10_000;

impl Cut {
    fn new(split: &pipeline_step::Split) -> Result<Self, &'static str> {
        match (&split.by, split.each) {
            (Some(_), Some(_)) => Err("`by` and `each` exclude each other; keep one of them"),
            (_, Some(0)) => Err("`each` is 0; say how many characters are an element"),
            (Some(by), None) if by.is_empty() => Ok(Self::Each(1)),
            (Some(by), None) => Ok(Self::At(by.clone())),
            (None, Some(n)) => Ok(Self::Each(n)),
            (None, None) => Ok(Self::Nested),
        }
    }
}

/// The columns of one element, with their values.
type Element = Vec<(String, Option<String>)>;

impl Split {
    pub(super) fn new(
        split: &pipeline_step::Split,
        columns: &mut ColumnSet,
        context: &StepContext<'_>,
    ) -> Result<Self, LogError> {
        let cut = Cut::new(split).map_err(|reason| context.wrong(reason))?;
        if !split.into.is_empty() && (!split.with.is_empty() || split.number.is_some()) {
            return Err(context.wrong("with `into` the elements stay in one row; leave out `with` and `number`"));
        }
        let names = std::iter::once(&split.column).chain(&split.with);
        let cells =
            names.map(|name| Ok((context.column(name, columns)?, name.clone()))).collect::<Result<Vec<_>, _>>()?;
        if !split.then.is_empty() && (!split.with.is_empty() || !split.into.is_empty()) {
            return Err(context.wrong(
                "with `then` the elements of one column come behind those of another; leave out `with` and `into`",
            ));
        }
        let then = split.then.iter().map(|name| context.column(name, columns)).collect::<Result<Vec<_>, _>>()?;
        // A key may take the name of the cell that it came out of, but not that of a column beside it.
        let is_taken: HashSet<&String> = cells.iter().map(|(_, name)| name).chain(&split.then).collect();
        let there = columns.there().map(|(_, name)| name.to_owned());
        let before = there.filter(|name| !is_taken.contains(name)).collect();
        if matches!(cut, Cut::Nested) {
            // They come back if an element is a value of its own.
            cells.iter().for_each(|(column, _)| columns.remove(*column));
        }
        then.iter().for_each(|column| columns.remove(*column));
        let number = split.number.as_ref().map(|name| columns.add(name));
        let into = split.into.iter().map(|name| columns.add(name)).collect();
        let nulls = context.pipeline.spec.null_values().into_iter().map(str::to_owned).collect();
        let (has_times, keeps_empty) = (split.times, split.keep_empty);
        Ok(Self { cells, cut, into, then, has_times, keeps_empty, number, before, nulls })
    }

    /// The elements of a cell, each as columns with their values.
    fn elements(&self, name: &str, cell: &str) -> Result<Vec<Element>, String> {
        let elements = self.written(name, cell)?;
        if self.has_times { repeated(elements) } else { Ok(elements) }
    }

    /// The elements of a cell as they are written.
    fn written(&self, name: &str, cell: &str) -> Result<Vec<Element>, String> {
        let of_cell = |value: String| vec![(name.to_owned(), Some(value))];
        let nested = match &self.cut {
            Cut::At(by) => return Ok(cell.split(by.as_str()).map(|part| of_cell(part.trim().to_owned())).collect()),
            Cut::Each(n) => {
                let pieces = pieces(cell, *n, self.has_times)?;
                return Ok(pieces.into_iter().map(of_cell).collect());
            }
            Cut::Nested => nested(cell).map_err(|error| format!("the cell is no JSON: {error}"))?,
        };
        match nested {
            Value::Array(elements) => Ok(elements.into_iter().map(|element| self.element(name, element)).collect()),
            Value::Object(object) if !object.is_empty() && object.values().all(Value::is_array) => {
                self.side_by_side(name, object)
            }
            other => Ok(vec![self.element(name, other)]),
        }
    }

    fn element(&self, name: &str, element: Value) -> Element {
        match element {
            Value::Object(object) => {
                object.into_iter().map(|(key, value)| (self.column_of(name, key), as_text(value))).collect()
            }
            Value::Array(values) => values
                .into_iter()
                .enumerate()
                .map(|(place, value)| (format!("{name}_{}", place + 1), as_text(value)))
                .collect(),
            value => vec![(name.to_owned(), as_text(value))],
        }
    }

    /// An object of arrays: the n-th values of all are one element.
    fn side_by_side(&self, name: &str, object: Map<String, Value>) -> Result<Vec<Element>, String> {
        let mut elements: Vec<Element> = Vec::new();
        let mut first: Option<(String, usize)> = None;
        for (key, values) in object {
            let Value::Array(values) = values else { continue };
            let (first_key, n) = first.get_or_insert_with(|| (key.clone(), values.len()));
            if values.len() != *n {
                return Err(format!("the arrays have different lengths: {first_key:?} {n}, {key:?} {}", values.len()));
            }
            // The first array fixes the length; others were compared with it above.
            elements.resize(*n, Vec::new());
            for (element, value) in elements.iter_mut().zip(values) {
                element.push((self.column_of(name, key.clone()), as_text(value)));
            }
        }
        Ok(elements)
    }

    fn present(&self, value: Option<String>) -> Option<String> {
        value.filter(|value| !self.nulls.contains(value))
    }

    fn column_of(&self, name: &str, key: String) -> String {
        if self.before.contains(&key) { format!("{name}_{key}") } else { key }
    }

    /// The elements of all cells of a row: the n-th of each together.
    fn of_row(&self, cells: &[(String, String)]) -> Result<Vec<Element>, (String, String, String)> {
        let mut joined: Vec<Element> = Vec::new();
        for (number, (name, cell)) in cells.iter().enumerate() {
            let fault = |rule: String| (name.clone(), cell.clone(), rule);
            let elements = self.elements(name, cell).map_err(fault)?;
            if number > 0 && elements.len() != joined.len() {
                let n = counted(elements.len(), "element");
                let rule = format!("it has {n}, and {:?} has {}", cells[0].0, joined.len());
                return Err(fault(rule));
            }
            joined.resize(elements.len(), Element::new());
            joined.iter_mut().zip(elements).for_each(|(all, element)| all.extend(element));
        }
        Ok(joined)
    }

    /// Puts the elements of one cell into the columns of its row.
    fn spread(&self, row: &mut Row, elements: Vec<Element>) -> Result<(), String> {
        let n_elements = elements.len();
        let values: Vec<Option<String>> = elements.into_iter().flatten().map(|(_, value)| value).collect();
        // A list of one list is what that is; other lists in lists are none of single values.
        if values.len() != self.into.len() || (n_elements != 1 && n_elements != values.len()) {
            let (n, n_columns) = (counted(values.len(), "element"), counted(self.into.len(), "column"));
            return Err(format!("it has {n}, and `into` names {n_columns}"));
        }
        self.into.iter().zip(values).for_each(|(&column, value)| row.set(column, self.present(value)));
        Ok(())
    }
}

/// Pieces of so many characters each, blanks aside; with the digits behind each, where these tell how often it is
/// meant.
fn pieces(cell: &str, n: usize, has_times: bool) -> Result<Vec<String>, String> {
    let mut letters = cell.chars().filter(|letter| !letter.is_whitespace()).peekable();
    let mut pieces = Vec::new();
    while letters.peek().is_some() {
        let mut piece: String = letters.by_ref().take(n).collect();
        if piece.chars().count() < n {
            let n_letters = cell.chars().filter(|letter| !letter.is_whitespace()).count();
            return Err(format!("{} cannot be divided into elements of {n}", counted(n_letters, "character")));
        }
        // Digits belong to the letter before them: `R5` is one element.
        while has_times && let Some(digit) = letters.next_if(char::is_ascii_digit) {
            piece.push(digit);
        }
        pieces.push(piece);
    }
    Ok(pieces)
}

/// Elements such as `R5`, which stands for five of `R`.
fn repeated(elements: Vec<Element>) -> Result<Vec<Element>, String> {
    let mut all = Vec::new();
    for element in elements {
        let [(name, Some(text))] = element.as_slice() else {
            all.push(element);
            continue;
        };
        let plain = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let times = if plain.len() == text.len() { Ok(1) } else { text[plain.len()..].parse() };
        // A bound, or one cell such as `R999999999` would fill the memory.
        let times = times.ok().filter(|&times| times <= MOST_TIMES && !plain.is_empty());
        let times = times.ok_or_else(|| {
            format!("{text:?} is no move with a number of times behind it, which is {MOST_TIMES} at most")
        })?;
        all.extend(std::iter::repeat_n(vec![(name.clone(), Some(plain.to_owned()))], times));
    }
    Ok(all)
}

/// A cell with a structure: JSON, or what Python prints for lists and dictionaries, with texts in single quotes.
pub(crate) fn nested(cell: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(cell).or_else(|error| serde_json::from_str(&python::as_json(cell)).map_err(|_| error))
}

impl Step for Split {
    fn take(&mut self, mut row: Row, columns: &mut ColumnSet, output: &mut Vec<Row>) {
        let take = |(column, name): &'_ (usize, String)| (name.clone(), row.take(*column));
        let cells: Vec<(String, Option<String>)> = self.cells.iter().map(take).collect();
        let behind: Vec<String> = self.then.iter().filter_map(|&column| row.take(column)).collect();
        if cells[0].1.is_none() && behind.is_empty() {
            output.extend(self.keeps_empty.then_some(row));
            return;
        }
        let present = |(name, cell): &(String, Option<String>)| Some((name.clone(), cell.clone()?));
        let cells: Vec<(String, String)> = cells.iter().filter_map(present).collect();
        let name = &self.cells[0].1;
        let elements = self.of_row(&cells).and_then(|mut all| {
            for cell in behind {
                all.extend(self.elements(name, &cell).map_err(|rule| (name.clone(), cell, rule))?);
            }
            Ok(all)
        });
        let elements = match elements {
            Ok(elements) => elements,
            Err(fault) => return output.push(reject(row, fault)),
        };
        if elements.is_empty() && self.keeps_empty {
            return output.push(row);
        }
        if !self.into.is_empty() {
            let spread = self.spread(&mut row, elements);
            let fault = |rule| (cells[0].0.clone(), cells[0].1.clone(), rule);
            return output.push(match spread {
                Ok(()) => row,
                Err(rule) => reject(row, fault(rule)),
            });
        }
        for (number, element) in elements.into_iter().enumerate() {
            let mut row = row.clone();
            for (name, value) in element {
                row.set(columns.add(&name), self.present(value));
            }
            if let Some(column) = self.number {
                row.set(column, Some(number.to_string()));
            }
            output.push(row);
        }
    }

    fn finds_columns(&self) -> bool {
        matches!(self.cut, Cut::Nested) && self.into.is_empty()
    }
}

fn reject(row: Row, (name, cell, rule): (String, String, String)) -> Row {
    let fix = "restore the cell, or leave the row out with a step { where = \"…\" }";
    row.reject(RowDiagnostic::new("bad-nested", &name, &cell, rule, fix))
}

/// `true` if a cell has a structure that a step `split` takes apart; the number of elements of a list.
pub fn n_nested(cell: &str) -> Option<Option<usize>> {
    let is_structure = cell.starts_with(['[', '{', '(']) || cell.starts_with("array(");
    match is_structure.then(|| nested(cell))? {
        Ok(Value::Array(elements)) => Some(Some(elements.len())),
        Ok(Value::Object(object)) => {
            // Arrays side by side, the n-th values of which belong together.
            let lengths: Option<Vec<usize>> = object.values().map(|value| Some(value.as_array()?.len())).collect();
            Some(lengths.and_then(|lengths| lengths.first().copied()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Log, LogSpec, read_log};
    use plymap_puzzles::progress::Silent;

    /// The rows of a log of such cells, read with this step.
    fn read(step: &str, cells: &[&str]) -> Log {
        let action = if step.contains("into") { "{disk?}{from}>{to}" } else { "cell" };
        read_with(&format!("split = {{ column = 'cell', {step} }}"), action, cells)
    }

    fn read_with(steps: &str, action: &str, cells: &[&str]) -> Log {
        let folder = tempfile::TempDir::new().unwrap();
        let rows: String = cells.iter().map(|cell| format!("p,1,\"{cell}\"\n")).collect();
        std::fs::write(folder.path().join("log.csv"), format!("participant,level,cell\n{rows}")).unwrap();
        let toml = format!("files = ['log.csv']\nsteps = [{{ {steps} }}]\n");
        let spec = LogSpec { folder: folder.path().to_owned(), ..toml::from_str(&toml).unwrap() };
        let columns = toml::from_str(&format!("action = '{action}'")).unwrap();
        read_log(&LogSpec { columns, ..spec }, &Silent).unwrap()
    }

    fn actions(log: &Log) -> Vec<Option<&str>> {
        (0..log.rows.len()).map(|row| log.rows.at(row).action()).collect()
    }

    #[test]
    fn texts_fall_apart_into_characters_and_pieces() {
        assert_eq!(actions(&read("by = ''", &["LU R"])), [Some("L"), Some("U"), Some("R")]);
        let log = read("each = 2", &["a1b2", "a1b"]);
        assert_eq!(actions(&log), [Some("a1"), Some("b2")]);
        assert!(log.diagnostics.iter().any(|diagnostic| diagnostic.code == "bad-nested"
            && diagnostic.rule == "3 characters cannot be divided into elements of 2"));
    }

    #[test]
    fn elements_become_columns_of_one_row() {
        let log = read("into = ['disk', 'from', 'to']", &["[1, 'A', 'C']", "(None, 'C', 'B')", "[1, 'A']"]);
        assert_eq!(actions(&log), [Some("1A>C"), Some("C>B")]);
        let fault = log.diagnostics.iter().find(|diagnostic| diagnostic.code == "bad-nested").unwrap();
        assert_eq!(fault.rule, "it has 2 elements, and `into` names 3 columns");
    }

    #[test]
    fn a_number_behind_an_element_repeats_it() {
        let log = read("by = '', times = true", &["R3 D-2L", "4R", "R10001"]);
        assert_eq!(actions(&log).into_iter().flatten().collect::<String>(), "RRRD--L");
        let faults = log.diagnostics.iter().filter(|diagnostic| diagnostic.code == "bad-nested").count();
        assert_eq!((faults, log.n_rejected), (2, 2));
        assert_eq!(actions(&read("by = ' ', times = true", &["A+1 B-2"])).len(), 3);
        assert_eq!(actions(&read("times = true", &["['up2', 'down']"])), [Some("up"), Some("up"), Some("down")]);
    }

    #[test]
    fn what_is_empty_may_stay() {
        assert_eq!(read("number = 'n'", &["['A']", "[]", ""]).n_read, 1);
        assert_eq!(read("keep_empty = true", &["['A']", "[]", ""]).n_read, 3);
    }

    #[test]
    fn words_for_missing_are_missing_in_elements_too() {
        let cell = "[{'move': 'A', 'at': '1'}, {'move': 'NA', 'at': '1'}, {'move': 'B', 'at': 'n/a'}]";
        let steps = "split = { column = 'cell' } }, { where = 'at is not missing and move is not missing'";
        let log = read_with(steps, "move", &[cell]);
        assert_eq!((actions(&log), log.n_read), (vec![Some("A")], 1));
        assert_eq!(read("into = ['disk', 'from', 'to']", &["['NA', 'A', 'C']"]).rows.at(0).action(), Some("A>C"));
    }
}
