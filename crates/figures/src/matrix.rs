//! Correlations of several measures: the lower triangle of their matrix, as coloured cells with coefficients.

use std::ops::Range;

use super::sheet::{Draft, INK, Key, Mark, SOFT_INK, cell, grouped};
use super::{ChartError, Figure, Heading, PlottedData, Style};
use layout::{Block, Layout};

mod layout;

/// The most measures down the side of one page.
pub const MOST_MEASURES: usize = 25;

/// One pair of measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pair {
    /// Indices into [`Input::measures`]: two different ones, in any order.
    pub measures: (usize, usize),
    /// The coefficient, from -1 to 1; absent where it does not exist.
    pub estimate: Option<f64>,
    /// How many observations have both measures.
    pub n: u64,
    /// The p value, adjusted for the number of tests; absent where there is none.
    pub p_adjusted: Option<f64>,
    /// Whether it counts as significant: its coefficient is then printed in bold.
    pub significant: bool,
}

/// The correlations of several measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Names of the measures, in the order of rows and columns; broken into lines where they are long.
    pub measures: Vec<String>,
    /// What the coefficient is, for the legend, such as `Spearman's ρ`; empty for `coefficient`.
    pub coefficient: String,
    /// When a coefficient is significant, for the legend, such as `p < .05 (Holm)`; empty for `significant`.
    pub significance: String,
    /// The pairs, in any order, each once. A pair that is not given has no coefficient.
    pub pairs: Vec<Pair>,
}

/// Draws the lower triangle of the matrix. Up to 25 measures stand on one page; more are drawn in blocks of rows and
/// columns, one on each page, all pairs once.
///
/// # Errors
///
/// [`ChartError::Input`] if a pair is of a measure that does not exist or of one measure alone, is given twice, or if
/// a coefficient is beyond -1 and 1 or a p value beyond 0 and 1.
pub fn draw(input: &Input, style: &Style) -> Result<Vec<Figure>, ChartError> {
    check(input)?;
    let triangle = Triangle::new(input);
    let measures = input.measures.len();
    let whole = Block { rows: 0..measures, columns: 0..measures };
    if !triangle.pairs.iter().flatten().any(|pair| pair.estimate.is_some()) {
        let draft = draft(input, &triangle, style, (1, 1), &whole, Vec::new());
        return Ok(vec![draft.draw_empty()?]);
    }
    let all_keys = keys(input, &triangle, true);
    let head = draft(input, &triangle, style, (99, 99), &whole, all_keys);
    // The legend of a page may take one line more than the one that is measured here.
    let room_mm = head.max_body_mm()? - 1.5 * style.small_pt * super::sheet::MM_PER_PT;
    let mut pages = Vec::new();
    for groups in measures.div_ceil(MOST_MEASURES)..=measures {
        pages = layouts(input, &triangle, style, groups, room_mm)?;
        if pages.iter().all(|layout| layout.height_mm() <= room_mm + 0.01) {
            break;
        }
    }
    let figure = |(number, layout): (usize, &Layout)| {
        let keys = keys(input, &triangle, layout.shows_text());
        let draft = draft(input, &triangle, style, (number + 1, pages.len()), &layout.block, keys);
        draft.draw(layout.height_mm(), |sheet, body| layout.draw(sheet, body, &triangle))
    };
    pages.iter().enumerate().map(figure).collect()
}

/// The blocks of the triangle where rows and columns are cut into this many groups of about the same size.
fn layouts(
    input: &Input,
    triangle: &Triangle,
    style: &Style,
    groups: usize,
    room_mm: f64,
) -> Result<Vec<Layout>, ChartError> {
    let measures = input.measures.len();
    let group = |index: usize| (index * measures / groups)..((index + 1) * measures / groups);
    let blocks = (0..groups).flat_map(|row| (0..=row).map(move |column| (row, column)));
    let blocks = blocks.map(|(row, column)| Block { rows: group(row), columns: group(column) });
    // A group of one measure has no pair with itself.
    let blocks = blocks.filter(|block| groups == 1 || block.rows != block.columns || block.rows.len() > 1);
    blocks.map(|block| Layout::new(&input.measures, triangle, block, groups > 1, style, room_mm)).collect()
}

/// The pairs by their place below the diagonal.
struct Triangle<'a> {
    pairs: Vec<Option<&'a Pair>>,
}

impl<'a> Triangle<'a> {
    fn new(input: &'a Input) -> Self {
        let measures = input.measures.len();
        let mut pairs = vec![None; measures * measures.saturating_sub(1) / 2];
        for pair in &input.pairs {
            pairs[place(pair.measures)] = Some(pair);
        }
        Self { pairs }
    }

    /// The pair of two measures, where it was given.
    fn get(&self, row: usize, column: usize) -> Option<&'a Pair> {
        self.pairs.get(place((row, column))).copied().flatten()
    }

    /// Rows and columns of the cells of a block, row by row.
    fn cells(&self, block: &Block) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (rows, columns) = (block.rows.clone(), block.columns.clone());
        let pairs = rows.flat_map(move |row| columns.clone().map(move |column| (row, column)));
        pairs.filter(|(row, column)| row > column)
    }
}

/// Index of a pair below the diagonal, counted row by row.
fn place((a, b): (usize, usize)) -> usize {
    let (row, column) = (a.max(b), a.min(b));
    row * row.saturating_sub(1) / 2 + column
}

/// A coefficient in the style of the APA: two decimals, no zero before the point.
fn apa(coefficient: f64) -> String {
    let hundredths = (coefficient.abs() * 100.0).round() as u64;
    let sign = if coefficient < 0.0 && hundredths > 0 { "−" } else { "" };
    if hundredths >= 100 { format!("{sign}1.00") } else { format!("{sign}.{hundredths:02}") }
}

fn draft<'a>(
    input: &'a Input,
    triangle: &Triangle,
    style: &'a Style,
    page: (usize, usize),
    block: &Block,
    keys: Vec<Key>,
) -> Draft<'a> {
    let mut notes = Vec::new();
    if page.1 > 1 {
        let span = |range: &Range<usize>| match range.len() {
            1 => format!("measure {}", range.end),
            _ => format!("measures {} to {}", range.start + 1, range.end),
        };
        let (rows, columns) = (span(&block.rows), span(&block.columns));
        // A block on the diagonal starts at the same measure both ways.
        notes.push(if block.rows.start == block.columns.start { rows } else { format!("{rows} with {columns}") });
    }
    let missing = triangle.pairs.iter().filter(|pair| pair.is_none_or(|pair| pair.estimate.is_none())).count();
    match missing {
        0 => {}
        1 => notes.push("1 pair has no coefficient".to_owned()),
        _ => notes.push(format!("{} pairs have no coefficient", grouped(missing as u64))),
    }
    Draft { heading: &input.heading, style, page, notes, keys, reading: reading(), data: data(input, triangle, block) }
}

fn coefficient_name(input: &Input) -> &str {
    if input.coefficient.is_empty() { "coefficient" } else { &input.coefficient }
}

/// The legend; without text in the cells, a dot stands for what bold print says.
fn keys(input: &Input, triangle: &Triangle, text: bool) -> Vec<Key> {
    let mut keys = vec![Key::Diverging { title: coefficient_name(input).to_owned() }];
    let given = || triangle.pairs.iter().copied().flatten();
    if given().any(|pair| pair.significant && pair.estimate.is_some()) {
        let label = if input.significance.is_empty() { "significant" } else { &input.significance };
        keys.push(match text {
            true => Key::Bold { sample: "bold".to_owned(), label: label.to_owned() },
            false => Key::mark(Mark::Disc(INK), label),
        });
    }
    if triangle.pairs.iter().any(|pair| pair.is_none_or(|pair| pair.estimate.is_none())) {
        keys.push(Key::mark(Mark::Cross(SOFT_INK), "no coefficient"));
    }
    keys
}

fn reading() -> String {
    "Each cell is the correlation of the measure of its row with that of its column: blue below zero, white at zero, \
     vermilion above it; the n and the p value of each are in the data"
        .to_owned()
}

fn check(input: &Input) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    let measures = input.measures.len();
    let mut seen = vec![false; measures * measures.saturating_sub(1) / 2];
    for pair in &input.pairs {
        let (a, b) = pair.measures;
        if a.max(b) >= measures {
            return fault(format!("a pair is of measure {}, but there are {measures} measures", a.max(b)));
        }
        let names = format!("{:?} and {:?}", input.measures[a], input.measures[b]);
        if a == b {
            return fault(format!("a pair is of {:?} alone: give two different measures", input.measures[a]));
        }
        if std::mem::replace(&mut seen[place((a, b))], true) {
            return fault(format!("the pair of {names} is given twice"));
        }
        if let Some(value) = pair.estimate.filter(|value| !(-1.0..=1.0).contains(value)) {
            return fault(format!("the coefficient of {names} is {value}: it must lie from -1 to 1"));
        }
        if let Some(p) = pair.p_adjusted.filter(|p| !(0.0..=1.0).contains(p)) {
            return fault(format!("the p value of {names} is {p}: it must lie from 0 to 1"));
        }
    }
    Ok(())
}

fn data(input: &Input, triangle: &Triangle, block: &Block) -> PlottedData {
    let mut data = PlottedData::new(&["row", "column", "coefficient", "n", "p_adjusted", "significant"]);
    for (row, column) in triangle.cells(block) {
        let pair = triangle.get(row, column);
        let number = |value: Option<f64>| cell(value.unwrap_or(f64::NAN));
        data.rows.push(vec![
            input.measures[row].clone(),
            input.measures[column].clone(),
            number(pair.and_then(|pair| pair.estimate)),
            pair.map_or(String::new(), |pair| pair.n.to_string()),
            number(pair.and_then(|pair| pair.p_adjusted)),
            pair.map_or(String::new(), |pair| pair.significant.to_string()),
        ]);
    }
    data
}

#[cfg(test)]
mod tests;
