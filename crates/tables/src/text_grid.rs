//! Tables as text: columns side by side, narrowed to a width where there is one, or a block of lines for each row where
//! they cannot be.

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Gap between two columns.
const GAP: &str = "  ";

/// A table whose cells are texts without line breaks.
pub struct Grid {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// For each column, true if it holds numbers, which stand to the right and are never broken.
    pub numeric: Vec<bool>,
}

/// Text in lines of at most so many columns, broken at spaces; a longer word, such as a position, stays in one piece.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let options = Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .break_words(false);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

/// The name of a column in lines of at most so many columns, broken behind underscores.
fn name_in_lines(name: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in name.split_inclusive(['_', ' ']) {
        let line = lines.last_mut().expect("a line");
        if line.is_empty() || display_width(line) + display_width(part) <= width {
            line.push_str(part);
        } else {
            lines.push(part.to_owned());
        }
    }
    lines
}

/// Returns the width of columns of these widths side by side.
fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
}

impl Grid {
    /// The table, no wider than `width` where that is given and no word is longer; each line ends in a line feed.
    pub fn to_text(&self, width: Option<usize>) -> String {
        let natural = self.widths(|cell, _| display_width(cell), display_width);
        let Some(width) = width.filter(|width| *width < total(&natural)) else { return self.in_columns(&natural) };
        let blocks = self.in_blocks(width);
        let Some(widths) = self.narrowed(&natural, width) else { return blocks };
        let columns = self.in_columns(&widths);
        if columns.lines().count() <= blocks.lines().count() { columns } else { blocks }
    }

    /// The width of each column: that of its widest cell or of its name.
    fn widths(&self, of_cell: impl Fn(&str, bool) -> usize, of_name: impl Fn(&str) -> usize) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| of_cell(&row[column], self.numeric[column]));
            cells.chain([of_name(&self.header[column])]).max().unwrap_or(0)
        };
        (0..self.header.len()).map(width).collect()
    }

    /// Widths that sum to at most `width`: names of columns are broken before cells are, and the widest cells first. Absent
    /// where numbers or words would have to be broken.
    fn narrowed(&self, natural: &[usize], width: usize) -> Option<Vec<usize>> {
        let name = |name: &str| name.split_inclusive(['_', ' ']).map(display_width).max().unwrap_or(0);
        let word = |cell: &str| cell.split(' ').map(display_width).max().unwrap_or(0);
        let least = self.widths(|cell, is_number| if is_number { display_width(cell) } else { word(cell) }, name);
        let whole_cells = self.widths(|cell, _| display_width(cell), name);
        let at_most = |most: usize| -> Vec<usize> {
            whole_cells.iter().zip(&least).map(|(whole, least)| (*whole).min(most.max(*least))).collect()
        };
        let mut widths = (0..=width).rev().map(at_most).find(|widths| total(widths) <= width)?;
        // What is left goes to names that then stay whole.
        let mut spare = width - total(&widths);
        for (width, natural) in widths.iter_mut().zip(natural) {
            let more = natural - *width;
            if more <= spare {
                *width += more;
                spare -= more;
            }
        }
        Some(widths)
    }

    /// Columns of these widths side by side, under a rule.
    fn in_columns(&self, widths: &[usize]) -> String {
        let mut out = String::new();
        let header: Vec<Vec<String>> =
            self.header.iter().zip(widths).map(|(name, width)| name_in_lines(name, *width)).collect();
        self.push_lines(&mut out, &header, widths);
        out.push_str(&widths.iter().map(|&width| "─".repeat(width)).collect::<Vec<_>>().join(GAP));
        out.push('\n');
        for row in &self.rows {
            let cell = |(text, width): (&String, &usize)| match display_width(text) <= *width {
                true => vec![text.clone()],
                false => wrapped(text, *width),
            };
            let cells: Vec<Vec<String>> = row.iter().zip(widths).map(cell).collect();
            self.push_lines(&mut out, &cells, widths);
        }
        out
    }

    /// A row whose cells have several lines.
    fn push_lines(&self, out: &mut String, cells: &[Vec<String>], widths: &[usize]) {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let padded = cells.iter().zip(widths).zip(&self.numeric).map(|((cell, width), to_right)| {
                let text = cell.get(line).map_or("", String::as_str);
                let space = " ".repeat(width.saturating_sub(display_width(text)));
                if *to_right { space + text } else { text.to_owned() + &space }
            });
            out.push_str(padded.collect::<Vec<_>>().join(GAP).trim_end());
            out.push('\n');
        }
    }

    /// A block for each row: its number, and a line for each column.
    fn in_blocks(&self, width: usize) -> String {
        let names = self.header.iter().map(|name| display_width(name)).max().unwrap_or(0);
        let left = width.saturating_sub(names + GAP.len());
        let mut out = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            let number = format!("── {} ", place + 1);
            out.push_str(&number);
            out.push_str(&"─".repeat(width.saturating_sub(display_width(&number))));
            out.push('\n');
            for ((name, text), is_number) in self.header.iter().zip(row).zip(&self.numeric) {
                let space = " ".repeat(names - display_width(name));
                let lines = if *is_number { vec![text.clone()] } else { wrapped(text, left) };
                if lines.iter().all(|line| display_width(line) <= left) {
                    let value = lines.join(&format!("\n{}", " ".repeat(names + GAP.len())));
                    out.push_str(format!("{name}{space}{GAP}{value}").trim_end());
                } else {
                    // What is longer than that has lines of its own, to be copied.
                    let lines = if *is_number { lines } else { wrapped(text, width) };
                    out.push_str(&format!("{name}\n{}", lines.join("\n")));
                }
                out.push('\n');
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(header: &[&str], rows: &[&[&str]], numeric: &[bool]) -> Grid {
        let texts = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        Grid { header: texts(header), rows: rows.iter().map(|row| texts(row)).collect(), numeric: numeric.to_vec() }
    }

    fn small() -> Grid {
        let header = ["move", "distance_after", "is_optimal", "what it does"];
        let rows: [&[&str]; 2] =
            [&["B+1", "7", "true", "makes way for the red piece"], &["C-3", "11", "false", "nothing"]];
        grid(&header, &rows, &[false, true, false, false])
    }

    #[test]
    fn without_a_width_or_with_enough_of_it_columns_are_as_wide_as_their_cells() {
        let expected = "\
move  distance_after  is_optimal  what it does
────  ──────────────  ──────────  ───────────────────────────
B+1                7  true        makes way for the red piece
C-3               11  false       nothing
";
        assert_eq!(small().to_text(None), expected);
        assert_eq!(small().to_text(Some(61)), expected);
    }

    #[test]
    fn columns_of_text_and_names_are_broken_and_numbers_are_not() {
        let expected = "\
move  distance_  is_      what it does
          after  optimal
────  ─────────  ───────  ─────────────
B+1           7  true     makes way for
                          the red piece
C-3          11  false    nothing
";
        assert_eq!(small().to_text(Some(39)), expected);
        let wide = grid(&["n", "p"], &[&["123456789012", "< .001"], &["1", ".5"]], &[true, true]);
        for width in 1..30 {
            let text = wide.to_text(Some(width));
            assert!(text.contains("123456789012") && text.contains("< .001"), "{text}");
        }
    }

    #[test]
    fn a_row_becomes_a_block_where_columns_do_not_fit() {
        let expected = "\
── 1 ───────────────────────
move            B+1
distance_after  7
is_optimal      true
what it does    makes way
                for the red
                piece
── 2 ───────────────────────
move            C-3
distance_after  11
is_optimal      false
what it does    nothing
";
        assert_eq!(small().to_text(Some(28)), expected);
        let state = "GKPMHLIJFCDEABNOGKPMHLIJFCDEABNO";
        let long = grid(&["level", "state"], &[&["one", state]], &[false, false]);
        assert!(long.to_text(Some(20)).lines().any(|line| line == state), "in one piece, to be copied");
    }

    #[test]
    fn letters_that_take_two_columns_are_counted_as_two() {
        let wide = grid(&["level", "n"], &[&["迷路一", "1"], &["a", "2"]], &[false, true]);
        assert_eq!(wide.to_text(None), "level   n\n──────  ─\n迷路一  1\na       2\n");
    }

    #[test]
    fn no_line_is_longer_than_the_width() {
        for width in 28..70 {
            let text = small().to_text(Some(width));
            let longest = text.lines().map(display_width).max();
            assert!(longest.is_some_and(|longest| longest <= width), "{width}\n{text}");
        }
    }
}
