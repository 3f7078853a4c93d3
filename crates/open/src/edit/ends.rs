//! Comments at the ends of sections, which a parser of TOML takes for a part of what comes behind them.

use std::collections::HashMap;

use crate::notes::is_of_other;

/// A section: its header with the number among those that are alike, and its lines, that of the header among them.
struct Section<'a> {
    name: (&'a str, usize),
    lines: Vec<&'a str>,
}

impl Section<'_> {
    /// Returns the number of lines up to the last of an entry.
    fn n_of_entries(&self) -> usize {
        let is_of_entry = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with('#');
        self.lines.iter().rposition(is_of_entry).map_or(0, |last| last + 1)
    }

    /// Returns the number of lines up to the last comment on the section. What stands above the header of another is about
    /// that one, but for notes on entries.
    fn n_of_own(&self, is_last: bool) -> usize {
        let is_own = |line: &&str| if is_last { line.trim().starts_with('#') } else { is_of_other(line) };
        let last = self.lines.iter().rposition(is_own).map_or(0, |last| last + 1);
        last.max(self.n_of_entries())
    }
}

/// Changes a text of TOML by `change`, which is not shown the comments at the ends of its sections: they stay there.
///
/// # Errors
///
/// As of `change`.
pub fn keeping_ends(text: &str, change: impl FnOnce(&str) -> Result<String, String>) -> Result<String, String> {
    let sections = sections(text);
    let mut shown = String::new();
    let mut ends: HashMap<(&str, usize), Vec<&str>> = HashMap::new();
    for (number, section) in sections.iter().enumerate() {
        let begin = section.n_of_entries();
        let end = if section.name.0.is_empty() { begin } else { section.n_of_own(number + 1 == sections.len()) };
        shown.extend(section.lines[..begin].iter().chain(&section.lines[end..]).copied());
        ends.insert(section.name, section.lines[begin..end].to_vec());
    }
    let changed = change(&shown)?;
    let mut whole = String::new();
    for section in self::sections(&changed) {
        let (entries, behind) = section.lines.split_at(section.n_of_entries());
        let end = ends.remove(&section.name).unwrap_or_default();
        push(&mut whole, entries.iter().copied());
        push(&mut whole, end.into_iter());
        push(&mut whole, behind.iter().copied());
    }
    // Of a section that is gone: what somebody wrote at the end of the study.
    for section in sections.iter().filter_map(|section| ends.remove(&section.name)) {
        push(&mut whole, section.into_iter().filter(|line| !is_of_other(line)));
    }
    Ok(whole)
}

/// Adds lines to a text of whole lines.
fn push<'a>(text: &mut String, lines: impl Iterator<Item = &'a str>) {
    for line in lines {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(line);
    }
}

/// Returns the sections of a text; the first is what stands above all headers.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = vec![Section { name: ("", 0), lines: Vec::new() }];
    let mut n_of_header: HashMap<&str, usize> = HashMap::new();
    for line in text.split_inclusive('\n') {
        if line.trim().starts_with('[') {
            let n = n_of_header.entry(line.trim()).or_default();
            sections.push(Section { name: (line.trim(), *n), lines: Vec::new() });
            *n += 1;
        }
        sections.last_mut().expect("there is a first").lines.push(line);
    }
    sections
}
