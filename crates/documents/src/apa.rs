//! The style of the APA: which letters are italic, and how columns of statistics are headed (American Psychological
//! Association, 2020, Publication Manual, 7th ed., sections 6.44 and 7.12).

use plymap_tables::{Cells, Print, Table, TableError, print_cell};

use crate::document::{ApaColumn, ApaTable, Run};

/// Symbols of statistics that are set in italics. Greek letters stay upright, and so do abbreviations such as AIC and CI.
const SYMBOLS: [&str; 22] = [
    "F", "H", "M", "MAD", "Mdn", "N", "R", "SD", "SE", "U", "V", "W", "Z", "b", "d", "df", "g", "n", "p", "r", "t", "z",
];

/// Heads of columns that have a usual symbol, by the names of the columns: the symbol, what stands behind it, and the
/// meaning for the note where it is an abbreviation.
const HEADS: [(&str, &str, &str, &str); 15] = [
    ("n", "n", "", ""),
    ("p_value", "p", "", ""),
    ("p_adjusted", "p", " (adjusted)", ""),
    ("df", "df", "", ""),
    ("mean", "M", "", ""),
    ("sd", "SD", "", ""),
    ("standard_deviation", "SD", "", ""),
    ("standard_error", "SE", "", ""),
    ("se", "SE", "", ""),
    ("median", "Mdn", "", ""),
    ("t", "t", "", ""),
    ("z", "z", "", ""),
    ("lower", "", "LL", "lower limit of the interval"),
    ("upper", "", "UL", "upper limit of the interval"),
    ("mad", "MAD", "", "median absolute deviation"),
];

/// Returns a sentence with its statistical symbols in italics: those before an operator, as in `p < .001`, or before degrees
/// of freedom, as in `t(23)`.
pub fn with_symbols(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut begun = 0;
    for (start, word) in words(text) {
        let end = start + word.len();
        if SYMBOLS.contains(&word) && is_before_value(&text[end..]) {
            if begun < start {
                runs.push(Run::plain(&text[begun..start]));
            }
            runs.push(Run::italic(word));
            begun = end;
        }
    }
    if begun < text.len() || runs.is_empty() {
        runs.push(Run::plain(&text[begun..]));
    }
    runs
}

/// The words of a text, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_letter = |c: char| (c.is_alphanumeric() && c != '²') || c == '_';
    text.split(move |c: char| !is_letter(c))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Returns true if a value or degrees of freedom follow a symbol.
fn is_before_value(rest: &str) -> bool {
    let rest = rest.strip_prefix('²').unwrap_or(rest);
    let is_digit = |c: char| c.is_ascii_digit();
    match rest.strip_prefix('(') {
        Some(inner) => inner.starts_with(is_digit),
        None => {
            let rest = rest.trim_start_matches([' ', '\u{a0}']);
            rest.starts_with(['=', '<', '>', '≤', '≥', '≈'])
        }
    }
}

/// The head of a column: its symbol where statistics have one, else its name as words, with its unit.
pub fn head(name: &str, unit: &str) -> Vec<Run> {
    match HEADS.iter().find(|(known, ..)| *known == name) {
        Some((_, symbol, rest, _)) => {
            let symbol = (!symbol.is_empty()).then(|| Run::italic(*symbol));
            symbol.into_iter().chain((!rest.is_empty()).then(|| Run::plain(*rest))).collect()
        }
        None => vec![Run::plain(as_words(name, unit))],
    }
}

/// The longest unit that stands in a head; of a longer one the codebook tells.
const MAX_UNIT: usize = 12;

/// A name of a column as words: `n_moves` as `Number of moves`, `time_per_move_s` as `Time per move (s)`.
fn as_words(name: &str, unit: &str) -> String {
    let is_shown = !unit.is_empty() && unit != "p-value" && unit.chars().count() <= MAX_UNIT;
    let (name, unit) = match name.strip_suffix(unit).and_then(|name| name.strip_suffix('_')) {
        Some(name) if is_shown => (name, format!(" ({unit})")),
        _ if is_shown => (name, format!(" ({unit})")),
        _ => (name, String::new()),
    };
    let words = match name.strip_prefix("n_") {
        Some(counted) => format!("Number of {counted}"),
        None => name.to_owned(),
    };
    let words = words.replace('_', " ");
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}{unit}", letters.as_str())
}

/// The meaning of each abbreviation among the heads of these columns, for a note; may be empty.
pub fn abbreviations<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut entries = Vec::new();
    for name in names {
        if let Some((_, symbol, rest, meaning)) = HEADS.iter().find(|(known, ..)| *known == name)
            && !meaning.is_empty()
        {
            entries.push(format!("{symbol}{rest} = {meaning}"));
        }
    }
    if entries.is_empty() { String::new() } else { format!("{}.", entries.join("; ")) }
}

/// A printed cell with a minus sign in the place of a hyphen, if it is a number.
pub fn cell(text: &str, is_number: bool) -> Vec<Run> {
    vec![Run::plain(if is_number { text.replace('-', "−") } else { text.to_owned() })]
}

/// A table in this style, of the columns in these places and its first rows.
///
/// # Errors
/// A type that no table can carry.
pub fn table(
    table: &Table,
    number: usize,
    places: &[usize],
    most_rows: usize,
    note: &str,
) -> Result<ApaTable, TableError> {
    let cells = Cells::of_table(table)?;
    let significant = Print::default().significant;
    let row = |row: usize| {
        let printed = |&place: &usize| {
            let text = print_cell(cells[place].get(row), &table.columns[place], significant);
            cell(&text, cells[place].is_numeric())
        };
        places.iter().map(printed).collect()
    };
    let column = |&place: &usize| ApaColumn {
        head: head(&table.columns[place].name, &table.columns[place].unit),
        is_number: cells[place].is_numeric(),
    };
    let explained = abbreviations(places.iter().map(|&place| table.columns[place].name.as_str()));
    Ok(ApaTable {
        number,
        title: title(&table.caption).to_owned(),
        columns: places.iter().map(column).collect(),
        rows: (0..table.n_rows().min(most_rows)).map(row).collect(),
        note: note_of(&[rest(&table.caption), &explained, note]),
    })
}

/// The first sentence of a caption, without its full stop: the title.
pub fn title(caption: &str) -> &str {
    match caption.split_once(". ") {
        Some((first, _)) => first,
        None => caption.trim_end_matches('.'),
    }
}

/// The further sentences of a caption, for the note.
pub fn rest(caption: &str) -> &str {
    caption.split_once(". ").map_or("", |(_, rest)| rest)
}

/// A note of these sentences, of which some may be empty.
pub fn note_of(sentences: &[&str]) -> Vec<Run> {
    let said: Vec<&str> = sentences.iter().copied().filter(|sentence| !sentence.is_empty()).collect();
    if said.is_empty() { Vec::new() } else { with_symbols(&said.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Emphasis;

    /// The texts in italics.
    fn italic(text: &str) -> Vec<String> {
        let runs = with_symbols(text);
        assert_eq!(runs.iter().map(|run| run.text.as_str()).collect::<String>(), text, "nothing is lost");
        runs.into_iter().filter(|run| run.emphasis == Emphasis::Italic).map(|run| run.text).collect()
    }

    #[test]
    fn symbols_are_italic_before_a_value_and_nowhere_else() {
        assert_eq!(italic("It differs, t(23) = 2.10, p = .047, d = 0.44, n = 24."), ["t", "p", "d", "n"]);
        assert_eq!(italic("F(2, 46) = 3.1, p < .001; R² = .30, ρ = .85"), ["F", "p", "R"]);
        assert_eq!(italic("Median over n of t (see W); p-values, level r = 1"), ["r"]);
        assert_eq!(italic("the function f(x), M(s)"), [""; 0]);
    }

    #[test]
    fn a_caption_is_a_title_and_a_note() {
        assert_eq!(title("One row per move. Others are left out."), "One row per move");
        assert_eq!(rest("One row per move. Others are left out."), "Others are left out.");
        assert_eq!((title("One row per move."), rest("One row per move.")), ("One row per move", ""));
    }

    #[test]
    fn heads_are_symbols_or_words() {
        assert_eq!(head("p_adjusted", "p-value"), [Run::italic("p"), Run::plain(" (adjusted)")]);
        assert_eq!(head("lower", ""), [Run::plain("LL")]);
        let words = |name: &str, unit: &str| head(name, unit)[0].text.clone();
        assert_eq!(words("n_moves", ""), "Number of moves");
        assert_eq!(words("time_per_move_s", "s"), "Time per move (s)");
        assert_eq!(words("estimate", "as the outcome is"), "Estimate");
        assert_eq!(abbreviations(["lower", "time_s"]), "LL = lower limit of the interval.");
    }
}
