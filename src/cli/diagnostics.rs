//! Faults of inputs on standard error, as compilers show theirs: rule, message, place, the line with what is marked in it,
//! and what to do.

use std::collections::HashMap;
use std::env;
use std::io::{self, IsTerminal as _};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use plymap_puzzles::diagnostic::{Diagnostic, Severity};
use plymap_statistics::stats::apa;
use textwrap::core::display_width;

use super::say::{say, say_drawn, visible};
use super::terminal::columns_of;
use plymap_tables::wrapped;

/// Maximum number of faults that are drawn with their source; the others are counted.
const FAULTS_DRAWN: usize = 50;

/// The most faults of one rule that are all drawn; of more, such as those of a file in an unknown notation, the first is,
/// and the places of the next are named.
const FAULTS_OF_RULE_DRAWN: usize = 3;

/// Columns of a drawn fault, where the terminal has as many.
const FAULT_WIDTH: usize = 100;

/// Draws faults on standard error, each with the place it points at, rule by rule.
pub fn print_diagnostics(faults: &[Diagnostic]) {
    let drawing = Drawing::of_terminal();
    let mut n_said = 0;
    let mut n_drawn = 0;
    for same in by_rule(faults) {
        let n = if same.len() > FAULTS_OF_RULE_DRAWN { 1 } else { same.len() };
        if n_drawn + n > FAULTS_DRAWN {
            break;
        }
        for fault in &same[..n] {
            say_drawn(&format!("{}\n", drawing.of(fault)));
        }
        if let Some(more) = more_of_rule(&same[n..]) {
            say!("{more}\n");
        }
        (n_said, n_drawn) = (n_said + same.len(), n_drawn + n);
    }
    if faults.len() > n_said {
        say!("… and {} more", faults.len() - n_said);
    }
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error).count();
    say!("plymap: {}", counted(errors, faults.len() - errors));
}

/// Faults that break the same rule and need the same to be done, in the order of the first of each.
fn by_rule(faults: &[Diagnostic]) -> Vec<Vec<&Diagnostic>> {
    let mut rules: Vec<Vec<&Diagnostic>> = Vec::new();
    let mut numbers = HashMap::new();
    for fault in faults {
        let number =
            *numbers.entry((fault.code, fault.severity == Severity::Error, &fault.help)).or_insert(rules.len());
        match rules.get_mut(number) {
            Some(same) => same.push(fault),
            None => rules.push(vec![fault]),
        }
    }
    rules
}

/// Returns a note on the further faults of a rule: their number, and the places of the first.
fn more_of_rule(faults: &[&Diagnostic]) -> Option<String> {
    let code = faults.first()?.code;
    let place =
        |fault: &&Diagnostic| format!("{}:{}", fault.place.source.path.display(), fault.place.line_and_column().0);
    let mut places: Vec<String> = faults.iter().take(FAULTS_OF_RULE_DRAWN).map(place).collect();
    places.dedup();
    let end = if faults.len() > FAULTS_OF_RULE_DRAWN { ", …" } else { "" };
    Some(format!("… and {} more of {code}, at {}{end}", faults.len(), places.join(", ")))
}

fn counted(errors: usize, warnings: usize) -> String {
    match (errors, warnings) {
        (errors, 0) => apa::counted(errors, "error"),
        (0, warnings) => apa::counted(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", apa::counted(errors, "error"), apa::counted(warnings, "warning")),
    }
}

/// Style in which faults are drawn on a stream.
struct Drawing {
    renderer: Renderer,
    /// Columns of a drawn fault.
    width: usize,
    /// True if sentences are broken into lines of this width: a terminal would break them within words.
    is_wrapped: bool,
}

impl Drawing {
    /// Creates the style of standard error: in colours where it is a terminal and `NO_COLOR` does not forbid them.
    fn of_terminal() -> Self {
        let is_colourless = env::var_os("NO_COLOR").is_some_and(|value| value != "0");
        let columns = columns_of(io::stderr());
        Self::new(columns, io::stderr().is_terminal() && !is_colourless)
    }

    /// Creates the style of a terminal with so many columns; with none that of another stream.
    fn new(columns: Option<usize>, is_coloured: bool) -> Self {
        let width = columns.map_or(FAULT_WIDTH, |columns| FAULT_WIDTH.min(columns));
        let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
        Self { renderer: renderer.term_width(width), width, is_wrapped: columns.is_some() }
    }

    /// A fault with its source.
    fn of(&self, fault: &Diagnostic) -> String {
        let (line, column) = fault.place.line_and_column();
        let path = fault.place.source.path.to_string_lossy();
        let path = visible(&path);
        let label = visible(&fault.label);
        let whole = Marked::of(fault);
        let n_lines = whole.text[..whole.span.end].matches('\n').count();
        let margin = (line + n_lines).to_string().len() + " | ".len();
        // A mark over several lines has two columns of its own.
        let room = self.width.saturating_sub(margin + 2 * n_lines.min(1));
        let Marked { text, span } = whole.within(room, display_width(&label));
        let column_shown = text[..span.start].chars().count() + 1;
        let (level, word) = match fault.severity {
            Severity::Error => (Level::ERROR, "error"),
            Severity::Warning => (Level::WARNING, "warning"),
        };
        let title = self.in_lines(&fault.message, word.len() + fault.code.len() + "[]: ".len());
        let mark = AnnotationKind::Primary.span(span).label(label);
        let snippet = Snippet::source(&text).line_start(line).path(&*path).annotation(mark);
        let mut report = level.primary_title(title).id(fault.code).element(snippet);
        if let Some(help) = &fault.help {
            report = report.element(Level::HELP.message(self.in_lines(help, margin + "help: ".len())));
        }
        let drawn = self.renderer.render(&[report]);
        // The column of the file, and not of what is shown of it.
        let place = |column: usize| format!("{path}:{line}:{column}\n");
        if column == column_shown { drawn } else { drawn.replacen(&place(column_shown), &place(column), 1) }
    }

    /// A sentence as a terminal may show it, in lines to stand behind so many columns.
    fn in_lines(&self, text: &str, margin: usize) -> String {
        let text = visible(text);
        let left = self.width.saturating_sub(margin);
        let is_narrow = left < self.width / 3;
        if !self.is_wrapped || is_narrow || display_width(&text) <= left {
            return text.into_owned();
        }
        text.lines().flat_map(|line| wrapped(line, left)).collect::<Vec<_>>().join("\n")
    }
}

/// The lines that a fault marks, as a terminal may show them, and the bytes that are marked.
struct Marked {
    text: String,
    span: Range<usize>,
}

impl Marked {
    fn of(fault: &Diagnostic) -> Self {
        let source = fault.place.source.text.as_str();
        let place = |place: usize| source.floor_char_boundary(place.min(source.len()));
        let begin = place(fault.place.span.start);
        let end = place(fault.place.span.end).max(begin);
        let first = source[..begin].rfind('\n').map_or(0, |newline| newline + 1);
        let last = source[end..].find('\n').map_or(source.len(), |newline| end + newline);
        let last = if source[end..last].ends_with('\r') { last - 1 } else { last };
        let before = visible(&source[first..begin]);
        let marked = visible(&source[begin..end]);
        let span = before.len()..before.len() + marked.len();
        Self { text: format!("{before}{marked}{}", visible(&source[end..last])), span }
    }

    /// The same where its lines have so many columns at the most, those of its label among them: of a longer one what is
    /// around the begin of the mark.
    fn within(self, room: usize, label: usize) -> Self {
        if self.text.lines().all(|line| display_width(line) <= room) {
            return self;
        }
        let (before, rest) = self.text.split_at(self.span.start);
        let (marked, rest) = rest.split_at(self.span.len());
        let line_of = |text: &str| text.split('\n').next().unwrap_or_default().to_owned();
        let (line, rest) = (line_of(marked), if marked.contains('\n') { String::new() } else { line_of(rest) });
        let marked = head(&line, room / 2);
        let n_left = room.saturating_sub(marked.chars().count() + label + 1).min(room / 3);
        let before = tail(before, n_left);
        let span = before.len()..before.len() + marked.len();
        let rest = if marked.len() < line.len() { "…".to_owned() } else { rest };
        let rest = head(&rest, room.saturating_sub(before.chars().count() + marked.chars().count()));
        Self { text: format!("{before}{marked}{rest}"), span }
    }
}

/// Returns the first letters of a text, at most `most`; the last is `…` if there are more.
fn head(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// Returns the last letters of a text, at most `most`; the first is `…` if there are more.
fn tail(text: &str, most: usize) -> String {
    let n_letters = text.chars().count();
    if n_letters <= most {
        return text.to_owned();
    }
    ['…'].into_iter().chain(text.chars().skip(n_letters + 1 - most.max(1))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use plymap_puzzles::diagnostic::SourceText;

    use super::*;

    fn drawn(text: &str, span: Range<usize>, columns: Option<usize>) -> String {
        let source = Arc::new(SourceText { path: "levels/a.txt".into(), text: text.to_owned() });
        let fault = Diagnostic::error("bent-piece", &source, span, "piece `A` is bent").labelled("here it turns");
        Drawing::new(columns, false).of(&fault.with_help("a piece lies in one row or one column"))
    }

    #[test]
    fn a_fault_looks_as_those_of_compilers() {
        let expected = "\
error[bent-piece]: piece `A` is bent
 --> levels/a.txt:2:2
  |
2 | .AA
  |  ^^ here it turns
  |
  = help: a piece lies in one row or one column";
        assert_eq!(drawn("...\n.AA\n..A\n", 5..7, None), expected);
    }

    #[test]
    fn several_lines_and_whole_files_are_marked() {
        let several = drawn("...\n.AA\n..A\n", 5..11, None);
        assert!(several.contains("2 |   .AA\n") && several.contains("^ here it turns"), "{several}");
        for (text, line) in [("...\n.AA\n", "1 | ...\n  | ^ here it turns"), ("", "1 |\n  | ^ here it turns")] {
            let whole = drawn(text, 0..0, None);
            assert!(whole.contains("levels/a.txt:1:1\n") && whole.contains(line), "{whole}");
        }
        // Behind the last line, too, and where a span is wrong.
        for span in [8..8, 8..20, 30..40] {
            let end = drawn("...\n.AA\n", span, None);
            assert!(end.contains("here it turns"), "{end}");
        }
    }

    #[test]
    fn control_characters_are_written_out_and_do_not_move_the_place() {
        for end in ["", "\n", "\r\n"] {
            let fault = drawn(&format!("a\u{1b}[0mb\u{202e}AA{end}"), 9..11, None);
            assert!(fault.contains("levels/a.txt:1:8\n"), "{fault}");
            assert!(fault.contains("1 | a\\u001b[0mb\\u202eAA\n  |                  ^^ here"), "{fault}");
        }
        let tabs = drawn("\tAA\n", 1..3, None);
        assert!(tabs.contains("levels/a.txt:1:2\n") && tabs.contains("1 |     AA\n  |     ^^ here"), "{tabs}");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}AA{}\n", "x".repeat(50_000), "y".repeat(50_000));
        for (begin, length) in [(0, 3), (50_000, 2), (49_990, 10_000), (100_000, 2), (7, 100_000)] {
            for columns in [60, 100] {
                let fault = drawn(&text, begin..begin + length, Some(columns));
                assert!(fault.contains(&format!("levels/a.txt:1:{}\n", begin + 1)), "{fault}");
                assert!(fault.lines().all(|line| line.chars().count() <= columns), "{columns}: {fault}");
                assert!(fault.contains('…') && fault.contains("^^") && fault.contains("here it turns"), "{fault}");
            }
        }
    }

    #[test]
    fn sentences_fit_a_terminal_and_stay_whole_in_a_pipe() {
        let source = Arc::new(SourceText { path: "a.txt".into(), text: "AA\n".to_owned() });
        let long = "a sentence of many words ".repeat(10);
        let fault = Diagnostic::error("long", &source, 0..2, long.trim()).with_help(long.trim());
        let terminal = Drawing::new(Some(60), false).of(&fault);
        assert!(terminal.lines().all(|line| line.len() <= 60), "{terminal}");
        assert!(terminal.contains("\n             ") && terminal.contains("\n          "), "{terminal}");
        assert_eq!(Drawing::new(None, false).of(&fault).matches(long.trim()).count(), 2);
        let coloured = Drawing::new(Some(60), true).of(&fault);
        assert!(coloured.contains("\u{1b}["), "{coloured}");
    }
}
