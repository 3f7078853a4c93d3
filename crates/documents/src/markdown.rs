//! A document as Markdown: its text, for forms and for reading as it stands.

use plymap_tables::escape_markdown;

use crate::document::{ApaTable, Document, Emphasis, Part, Run};

impl Document {
    /// Returns the document as Markdown. Of a figure its number, title and note are written.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n", escape_markdown(&self.title));
        let mut was_item = false;
        for part in &self.parts {
            let is_item = matches!(part, Part::Item(_));
            if !(is_item && was_item) {
                text.push('\n');
            }
            was_item = is_item;
            text += &part_of(part);
        }
        text
    }
}

fn part_of(part: &Part) -> String {
    match part {
        Part::Heading(depth, text) => {
            format!("{} {}\n", "#".repeat(usize::from((*depth).clamp(1, 3)) + 1), escape_markdown(text))
        }
        Part::Paragraph(runs) | Part::Reference(runs) => format!("{}\n", of_runs(runs)),
        Part::Item(runs) => format!("- {}\n", of_runs(runs)),
        Part::Table(table) => of_table(table),
        Part::Figure(figure) => format!("**Figure {}.** {}\n", figure.number, escape_markdown(&figure.title)),
        Part::PageBreak => String::new(),
    }
}

fn of_table(table: &ApaTable) -> String {
    let line = |cells: &mut dyn Iterator<Item = String>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    let mut text = format!("**Table {}.** {}\n\n", table.number, escape_markdown(&table.title));
    text += &line(&mut table.columns.iter().map(|column| of_runs(&column.head)));
    text += &line(&mut table.columns.iter().map(|column| if column.is_number { "---:" } else { "---" }.to_owned()));
    for row in &table.rows {
        text += &line(&mut row.iter().map(|cell| of_runs(cell)));
    }
    if table.note.is_empty() { text } else { format!("{text}\n*Note.* {}\n", of_runs(&table.note)) }
}

fn of_runs(runs: &[Run]) -> String {
    runs.iter().map(of_run).collect()
}

fn of_run(run: &Run) -> String {
    let text = escape_markdown(&run.text);
    match run.emphasis {
        Emphasis::Plain => text,
        Emphasis::Italic => format!("*{text}*"),
        Emphasis::Bold => format!("**{text}**"),
        // A backtick would end the code.
        Emphasis::Code => format!("`{}`", run.text.replace('`', "'").replace('\n', " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_set_apart_and_items_are_not() {
        let items = ["one", "two"].map(|text| Part::Item(vec![Run::plain(text)]));
        let parts =
            [vec![Part::Heading(1, "A_b".to_owned())], items.to_vec(), vec![Part::Paragraph(vec![Run::italic("p")])]];
        let document = Document { title: "T".to_owned(), parts: parts.concat(), ..Document::default() };
        assert_eq!(document.to_markdown(), "# T\n\n## A\\_b\n\n- one\n- two\n\n*p*\n");
    }
}
