//! Number format of a table, as far as its cells tell.

use plymap_expression::NumberStyle;

const PLAIN: NumberStyle = NumberStyle { decimal_comma: false, thousands: None };
const COMMA: NumberStyle = NumberStyle { decimal_comma: true, thousands: None };
const GROUPS: NumberStyle = NumberStyle { decimal_comma: false, thousands: Some(',') };
const BOTH: NumberStyle = NumberStyle { decimal_comma: true, thousands: Some('.') };

const STYLES: [NumberStyle; 4] = [PLAIN, COMMA, GROUPS, BOTH];

/// Source of the cells of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cells {
    /// Text whose fields commas separate, which decimal commas would break.
    CommaSeparated,
    /// Text with another separator: Excel writes it where a comma is the decimal mark.
    OtherwiseSeparated,
    /// A format that has numbers of its own, such as JSON.
    Typed,
}

/// The style that all columns of numbers are written in. Of several that fit, as for `1.393` beside `987`, the one in which
/// the numbers of a column lie closest together, for nobody measures both ones and thousands.
pub(super) fn style_of(columns: &[Vec<Option<String>>], cells: Cells) -> NumberStyle {
    let mut styles = STYLES;
    if cells == Cells::CommaSeparated {
        styles.swap(1, 2);
    }
    let numeric: Vec<&Vec<Option<String>>> =
        columns.iter().filter(|column| styles.iter().any(|style| numbers(style, column).is_some())).collect();
    let spread_in = |style: &NumberStyle| -> Option<f64> {
        numeric.iter().map(|column| numbers(style, column).map(|numbers| spread(&numbers))).sum()
    };
    let mut best: Option<(NumberStyle, f64)> = None;
    for style in styles {
        let Some(spread) = spread_in(&style) else { continue };
        if style == PLAIN && cells != Cells::OtherwiseSeparated {
            return style;
        }
        if best.is_none_or(|(_, least)| spread < least - 1e-9) {
            best = Some((style, spread));
        }
    }
    best.map_or(PLAIN, |(style, _)| style)
}

/// The numbers of a column; absent where a cell is none in this style.
fn numbers(style: &NumberStyle, column: &[Option<String>]) -> Option<Vec<f64>> {
    column.iter().flatten().map(|cell| number(style, cell)).collect()
}

/// Returns true if a cell is not a number in any style.
pub(super) fn is_word(cell: &str) -> bool {
    STYLES.iter().all(|style| style.number(cell).is_none())
}

/// The number of a cell; no group of digits follows a zero.
fn number(style: &NumberStyle, cell: &str) -> Option<f64> {
    let digits = cell.trim().trim_start_matches(['+', '-']);
    let is_grouped_zero =
        style.thousands.is_some_and(|mark| digits.strip_prefix('0').is_some_and(|rest| rest.starts_with(mark)));
    style.number(cell).filter(|_| !is_grouped_zero)
}

/// Returns the spread of numbers: the logarithm of the largest over the smallest, signs and zeros aside.
fn spread(numbers: &[f64]) -> f64 {
    let sizes = || numbers.iter().map(|number| number.abs()).filter(|size| *size > 0.0);
    let (least, most) = sizes().fold((f64::INFINITY, 0.0_f64), |(least, most), size| (least.min(size), most.max(size)));
    if most > 0.0 { (most / least).ln() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The style of columns of these cells.
    fn style(cells: Cells, columns: &[&[&str]]) -> NumberStyle {
        let column = |column: &&[&str]| column.iter().map(|cell| Some((*cell).to_owned())).collect();
        style_of(&columns.iter().map(column).collect::<Vec<_>>(), cells)
    }

    #[test]
    fn all_columns_decide() {
        let separated = |columns: &[&[&str]]| style(Cells::OtherwiseSeparated, columns);
        assert_eq!(separated(&[&["1.234,5", "986,5"], &["1,5", "0,25"]]), BOTH);
        assert_eq!(separated(&[&["1,500", "0,5"]]), COMMA);
        assert_eq!(separated(&[&["1,2"], &["2.5"]]), PLAIN, "a text beside numbers");
        assert_eq!(separated(&[&["1,2", "a"], &["2.5"]]), PLAIN);
        assert_eq!(separated(&[&["1,5", "2"], &["P1", "P2"]]), COMMA);
        assert_eq!(style(Cells::CommaSeparated, &[&["1,234", "2,345"]]), GROUPS);
        assert_eq!(style(Cells::CommaSeparated, &[&["1,234", "0,5"]]), COMMA);
    }

    #[test]
    fn thousands_lie_beside_hundreds() {
        let separated = |column: &[&str]| style(Cells::OtherwiseSeparated, &[column]);
        assert_eq!(separated(&["987", "1.393", "1.204", "2.001"]), BOTH);
        assert_eq!(separated(&["987", "1,393"]), GROUPS);
        assert_eq!(separated(&["2", "1.393", "100"]), PLAIN);
        assert_eq!(separated(&["987", "0.393"]), PLAIN);
        assert_eq!(separated(&["1.393", "2.204"]), PLAIN, "nothing tells, and a point is a decimal one");
        assert_eq!(style(Cells::CommaSeparated, &[&["987", "1.393"]]), PLAIN);
        assert_eq!(style(Cells::Typed, &[&["987", "1.393"]]), PLAIN, "numbers of the format itself");
        assert_eq!(style(Cells::Typed, &[&["987,5", "1,5"]]), COMMA, "texts in a workbook");
    }
}
