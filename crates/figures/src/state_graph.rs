//! The state graph of a level: every position a player can come to, by its distance to the goal; on it, where
//! wanted, the moves that people made, the trajectory of one of them, or the states in which they err.

use super::chart::{Chart, Page};
use super::sheet::{Rect, Sheet};
use super::{ChartError, Heading, Style};

mod apart;
mod axes;
mod check;
mod flows;
mod graph;
mod labels;
mod legend;
mod nodes;
mod paint;
mod traps;
mod words;

use nodes::{Drawing, body_mm};

pub use graph::{Colouring, MAX_LETTERS, MAX_SINGLE, StateGraph, Step, Traffic, Trajectory, Trap, Traps, UsedMove};

impl Chart for StateGraph {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        check::graph_fault(self).or_else(|| check::overlay_fault(self)).map_or(Ok(()), Err)
    }

    fn pages<'a>(&'a self, style: &'a Style, _: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let drawing = Drawing::new(self, style);
        let (data, reading) = (drawing.data(), Some(drawing.reading()));
        if self.distance.is_empty() {
            return Ok(vec![Page { reading, ..Page::empty(data) }]);
        }
        let (keys, notes) = (Some(drawing.keys()), Some(drawing.notes()));
        let legend = drawing.legend(style)?;
        let body_mm = body_mm(style) + legend.height_mm();
        let paint = move |sheet: &Sheet, body: Rect| {
            legend.draw(sheet, body)?;
            let below = Rect { top: body.top + legend.height_mm(), height: body.height - legend.height_mm(), ..body };
            drawing.draw(sheet, below)
        };
        Ok(vec![Page { shrinks: true, keys, notes, reading, ..Page::new(data, body_mm, paint) }])
    }
}

#[cfg(test)]
mod tests;
