//! Correlations of several measures: the lower triangle of their matrix, as coloured cells with coefficients.

use std::ops::Range;

use super::chart::{Chart, Page, evenly};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::sheet::{INK, MM_PER_PT, Mark, SOFT_INK, Sheet, cell};
use super::{ChartError, Heading, PlottedData, Style};

mod layout;
mod triangle;

use layout::Layout;
use triangle::{Block, Triangle, place};

pub use triangle::Pair;

/// The most measures down the side of one page.
pub const MOST_MEASURES: usize = 20;

/// The correlations of several measures: the lower triangle of their matrix. Up to 20 measures stand on one page; more
/// are drawn in blocks of rows and columns, one on each page, all pairs once.
///
/// Every pair must be of two different measures that exist and be given once; coefficients must lie within -1 and 1, p
/// values within 0 and 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CorrelationMatrix {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Names of the measures, in the order of rows and columns; broken into lines where they are long.
    pub measures: Vec<String>,
    /// Name of the coefficient, for the legend, such as `Spearman's ρ`; empty for `coefficient`.
    pub coefficient: Label,
    /// Rule by which a coefficient is significant, for the legend, such as `p < .05 (Holm)`; empty for `significant`.
    pub significance: Label,
    /// The pairs, in any order, each once. A pair that is not given has no coefficient.
    pub pairs: Vec<Pair>,
}

impl Chart for CorrelationMatrix {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let measures = self.measures.len();
        let mut has_pair = vec![false; measures * measures.saturating_sub(1) / 2];
        for pair in &self.pairs {
            let (a, b) = pair.measures;
            if a.max(b) >= measures {
                return Err(format!("a pair is of measure {}, but there are {measures} measures", a.max(b)));
            }
            let names = format!("{:?} and {:?}", self.measures[a], self.measures[b]);
            if a == b {
                return Err(format!("a pair is of {:?} alone: give two different measures", self.measures[a]));
            }
            if std::mem::replace(&mut has_pair[place((a, b))], true) {
                return Err(format!("the pair of {names} is given twice"));
            }
            if let Some(value) = pair.estimate.filter(|value| !(-1.0..=1.0).contains(value)) {
                return Err(format!("the coefficient of {names} is {value}: it must lie from -1 to 1"));
            }
            if let Some(p) = pair.p_adjusted.filter(|p| !(0.0..=1.0).contains(p)) {
                return Err(format!("the p value of {names} is {p}: it must lie from 0 to 1"));
            }
        }
        Ok(())
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        self.legend(true)
    }

    fn notes(&self) -> Vec<Label> {
        self.notes_of(Some(&self.whole()))
    }

    fn reading(&self) -> String {
        let data = match self.pairs.iter().any(|pair| pair.p_adjusted.is_some()) {
            true => "the n and the p value of each are in the data",
            false => "the n of each is in the data",
        };
        format!(
            "Each cell is the correlation of the measure of its row with that of its column: blue below zero, white at zero, \
             vermilion above it; {data}"
        )
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let (triangle, measures) = (self.triangle(), self.measures.len());
        if !self.pairs.iter().any(|pair| pair.estimate.is_some()) {
            let notes = Some(self.notes_of(None));
            return Ok(vec![Page { notes, ..Page::empty(self.data(&triangle, &self.whole())) }]);
        }
        // The legend of a page may take one line more than the one that was measured.
        let room_mm = room_mm - 1.5 * style.small_pt * MM_PER_PT;
        let mut layouts = Vec::new();
        for groups in measures.div_ceil(MOST_MEASURES)..=measures {
            layouts = self.layouts(&triangle, style, groups, room_mm)?;
            if layouts.iter().all(|layout| layout.has_room(style) && layout.height_mm() <= room_mm + 0.01) {
                break;
            }
        }
        let any_other = layouts.len() > 1;
        let page = |layout: Layout| {
            let (keys, notes) =
                (self.legend(layout.shows_text()), self.notes_of(Some(&layout.block).filter(|_| any_other)));
            let (data, body_mm) = (self.data(&triangle, &layout.block), layout.height_mm());
            let paint = move |sheet: &Sheet, body| layout.draw(sheet, body, &self.triangle());
            Page { keys: Some(keys), notes: Some(notes), ..Page::new(data, body_mm, paint) }
        };
        Ok(layouts.into_iter().map(page).collect())
    }
}

impl CorrelationMatrix {
    fn triangle(&self) -> Triangle<'_> {
        Triangle::new(self.measures.len(), &self.pairs)
    }

    fn whole(&self) -> Block {
        Block { rows: 0..self.measures.len(), columns: 0..self.measures.len() }
    }

    /// The blocks of the triangle where rows and columns are cut into this many groups of about the same size.
    fn layouts(
        &self,
        triangle: &Triangle,
        style: &Style,
        groups: usize,
        room_mm: f64,
    ) -> Result<Vec<Layout>, ChartError> {
        let measures = self.measures.len();
        let group: Vec<_> = evenly(measures, groups).collect();
        let blocks = (0..groups).flat_map(|row| (0..=row).map(move |column| (row, column)));
        let blocks = blocks.map(|(row, column)| Block { rows: group[row].clone(), columns: group[column].clone() });
        // A group of one measure has no pair with itself.
        let blocks = blocks.filter(|block| groups == 1 || block.rows != block.columns || block.rows.len() > 1);
        blocks.map(|block| Layout::new(&self.measures, triangle, block, groups > 1, style, room_mm)).collect()
    }

    /// The legend; without text in the cells, a dot stands for what bold print says.
    fn legend(&self, text: bool) -> Vec<Key> {
        let mut keys = vec![Key::Diverging { title: Label::given_or(&self.coefficient, Message::Coefficient) }];
        if self.pairs.iter().any(|pair| pair.significant && pair.estimate.is_some()) {
            let label = Label::given_or(&self.significance, Message::Significant);
            keys.push(match text {
                true => Key::Bold { sample: Message::Bold.into(), label },
                false => Key::mark(Mark::Disc(INK), label),
            });
        }
        if self.triangle().missing() > 0 {
            keys.push(Key::mark(Mark::Cross(SOFT_INK), Message::NoCoefficient));
        }
        keys
    }

    /// Notes of a page: its block, where it is one of several, and the number of pairs without a coefficient.
    fn notes_of(&self, block: Option<&Block>) -> Vec<Label> {
        let ends = |range: &Range<usize>| match range.len() {
            1 => vec![range.end.to_string()],
            _ => vec![(range.start + 1).to_string(), range.end.to_string()],
        };
        let named = |Block { rows, columns }: &Block| match (rows.len() == 1, columns.len() == 1) {
            // A block on the diagonal starts at the same measure both ways.
            (true, _) if rows.start == columns.start => Message::MeasureAlone.with(ends(rows)),
            (false, _) if rows.start == columns.start => Message::MeasureRange.with(ends(rows)),
            (true, true) => Message::MeasureWithMeasure.with([ends(rows), ends(columns)].concat()),
            (true, false) => Message::MeasureWithRange.with([ends(rows), ends(columns)].concat()),
            (false, true) => Message::RangeWithMeasure.with([ends(rows), ends(columns)].concat()),
            (false, false) => Message::RangeWithRange.with([ends(rows), ends(columns)].concat()),
        };
        let missing = self.triangle().missing();
        let missing = note(missing, Message::PairWithoutCoefficient, Message::PairsWithoutCoefficient);
        block.map(named).into_iter().chain(missing).collect()
    }

    fn data(&self, triangle: &Triangle, block: &Block) -> PlottedData {
        let mut data = PlottedData::new("row,column,coefficient,n,p_adjusted,significant");
        for (row, column) in triangle.cells(block) {
            let pair = triangle.get(row, column);
            let number = |value: Option<f64>| cell(value.unwrap_or(f64::NAN));
            data.rows.push(vec![
                self.measures[row].clone(),
                self.measures[column].clone(),
                number(pair.and_then(|pair| pair.estimate)),
                pair.map_or(String::new(), |pair| pair.n.to_string()),
                number(pair.and_then(|pair| pair.p_adjusted)),
                pair.map_or(String::new(), |pair| pair.significant.to_string()),
            ]);
        }
        data
    }
}

#[cfg(test)]
mod tests;
