//! Style of the numbers of a column.

use crate::proposal::Certainty;
use plymap_expression::NumberStyle;
use plymap_log::Unit;
use regex::Regex;
use std::sync::LazyLock;

/// Separator of thousands.
const MARKS: [char; 4] = ['.', ',', ' ', '\''];

/// The way in which the numbers of a column are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Written {
    pub style: NumberStyle,
    /// The unit that stands behind each number.
    pub unit: Option<Unit>,
    pub certainty: Certainty,
}

impl Written {
    /// The number in a cell.
    pub fn number(self, cell: &str) -> Option<f64> {
        let text = if self.unit.is_some() { part_without_unit(cell)? } else { cell };
        self.style.number(text)
    }
}

/// A number, and the unit behind it.
pub(super) const WITH_UNIT: &str = r"^([-+]?[0-9][0-9.,']*(?:[eE][-+]?[0-9]+)?) *(ms|msec|s|sec|secs|seconds?)$";
static PARTS: LazyLock<Regex> = LazyLock::new(|| Regex::new(WITH_UNIT).expect("a test compiles it"));

fn part_without_unit(cell: &str) -> Option<&str> {
    PARTS.captures(cell).and_then(|parts| parts.get(1)).map(|part| part.as_str())
}

/// The way in which most of these cells are numbers; nothing where they are none. Of milliseconds thousands are usual,
/// and three decimals are not.
pub(super) fn written(cells: &[&str], is_milliseconds: bool) -> Option<Written> {
    if cells.is_empty() || !cells.iter().all(|cell| PARTS.is_match(cell)) {
        return style_of(cells, is_milliseconds).map(|(style, certainty)| Written { style, unit: None, certainty });
    }
    let parts: Vec<(&str, &str)> = cells
        .iter()
        .filter_map(|cell| PARTS.captures(cell))
        .filter_map(|parts| Some((parts.get(1)?.as_str(), parts.get(2)?.as_str())))
        .collect();
    if parts.iter().any(|(_, unit)| is_milli(unit) != is_milli(parts[0].1)) {
        return None;
    }
    let unit = if is_milli(parts[0].1) { Unit::Milliseconds } else { Unit::Seconds };
    let numbers: Vec<&str> = parts.iter().map(|(number, _)| *number).collect();
    style_of(&numbers, unit == Unit::Milliseconds).map(|(style, certainty)| Written {
        style,
        unit: Some(unit),
        certainty,
    })
}

fn is_milli(unit: &str) -> bool {
    unit.starts_with('m')
}

fn style_of(cells: &[&str], is_milliseconds: bool) -> Option<(NumberStyle, Certainty)> {
    let style = |decimal_comma, thousands| NumberStyle { decimal_comma, thousands };
    let fits =
        |style: NumberStyle| 10 * cells.iter().filter(|cell| style.number(cell).is_some()).count() >= 9 * cells.len();
    let has = |mark: char| cells.iter().any(|cell| cell.contains(mark));
    let point_and_comma = cells.iter().any(|cell| cell.contains('.') && cell.contains(','));
    if cells.is_empty() {
        return None;
    }
    // Both marks in one number: the last is the decimal one.
    if point_and_comma {
        let candidates = [style(true, Some('.')), style(false, Some(','))];
        return candidates.into_iter().find(|style| fits(*style)).map(|style| (style, Certainty::Sure));
    }
    for mark in MARKS.into_iter().filter(|mark| has(*mark)) {
        // What never stands behind a decimal mark are three digits alone, beside numbers of three digits without one.
        if is_of_thousands(cells, mark, is_milliseconds) {
            let (decimal_comma, sure) = (mark == '.', cells.iter().any(|cell| cell.matches(mark).count() > 1));
            let style = style(decimal_comma, Some(mark));
            if fits(style) {
                return Some((style, if sure { Certainty::Sure } else { Certainty::Likely }));
            }
        }
    }
    match (has(','), has('.')) {
        (true, false) if fits(style(true, None)) => Some((style(true, None), Certainty::Sure)),
        _ => fits(style(false, None)).then_some((style(false, None), Certainty::Sure)),
    }
}

/// `true` if a mark separates thousands: three digits stand behind it wherever it is, and numbers without it are below
/// 1000, most of them near that.
fn is_of_thousands(cells: &[&str], mark: char, is_milliseconds: bool) -> bool {
    let (marked, plain): (Vec<&str>, Vec<&str>) = cells.iter().partition(|cell| cell.contains(mark));
    let all_grouped = marked.iter().all(|cell| {
        let mut groups = cell.split(mark);
        groups.next().is_some_and(is_first_group) && groups.all(is_group)
    });
    if !all_grouped || marked.is_empty() {
        return false;
    }
    if marked.iter().any(|cell| cell.matches(mark).count() > 1) || !matches!(mark, '.' | ',') {
        return true;
    }
    if plain.is_empty() {
        return is_milliseconds;
    }
    let plain: Vec<f64> = plain.iter().filter_map(|cell| cell.parse().ok()).collect();
    let n_near = plain.iter().filter(|number| number.abs() >= 100.0).count();
    plain.iter().all(|number| number.abs() < 1000.0) && 2 * n_near > plain.len()
}

fn is_first_group(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0')
}

fn is_group(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_thousands_are_told_from_decimal_ones() {
        let style_of = |cells: &[&str]| {
            let written = written(cells, false).expect("numbers");
            let NumberStyle { decimal_comma, thousands } = written.style;
            (decimal_comma, thousands, written.number(cells[0]))
        };
        assert_eq!(style_of(&["1.444", "987", "1.295"]), (true, Some('.'), Some(1444.0)));
        assert_eq!(style_of(&["1,444", "987"]), (false, Some(','), Some(1444.0)));
        assert_eq!(style_of(&["1.444,1", "986,5"]), (true, Some('.'), Some(1444.1)));
        assert_eq!(style_of(&["1,444.1", "986.5"]), (false, Some(','), Some(1444.1)));
        assert_eq!(style_of(&["0,987", "1,444"]), (true, None, Some(0.987)));
        // Without a number of three digits beside them they are seconds.
        assert_eq!(style_of(&["1.444", "1.295"]), (false, None, Some(1.444)));
        assert_eq!(style_of(&["1.444", "2"]), (false, None, Some(1.444)));
        assert_eq!(style_of(&["1.234.567", "12"]), (true, Some('.'), Some(1_234_567.0)));
        assert_eq!(style_of(&["1 444", "987"]), (false, Some(' '), Some(1444.0)));
        assert_eq!(style_of(&["9.87E-01", "1.44E+00"]), (false, None, Some(0.987)));
        assert_eq!(style_of(&["0.987 s", "1.444 s"]), (false, None, Some(0.987)));
        let of_milliseconds = written(&["1.444", "1.295"], true).expect("numbers");
        assert_eq!(of_milliseconds.number("1.444"), Some(1444.0));
        assert_eq!(written(&["987 ms", "1 s"], false), None);
        assert_eq!(written(&["a", "b"], false), None);
    }
}
