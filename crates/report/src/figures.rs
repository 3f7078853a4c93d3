//! The figures of a study: from its measures and statistics to the inputs of [`plymap_figures`].

mod diagnostics;
mod flow;
mod groups;
mod input;
mod kind;
mod kinds;
mod levels;
mod played;
mod rainclouds;
mod results;
mod row_flow;
mod sketch;
mod steps;
mod thought;
mod times;
mod trajectories;
mod trials;

pub use groups::drawn;
pub use input::FigureInput;
pub use kind::{Kind, kinds_table};
pub use kinds::{FigureKind, KINDS, Subject, section};
pub use levels::{position, solution, state_graph};
pub use played::on_the_map;
pub use results::{MapMeasure, map_measure};
pub use row_flow::RowFlow;
pub use sketch::{Illustration, Screens, Sketch};
pub use thought::thought_tree;
