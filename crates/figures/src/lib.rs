#![doc = include_str!("../README.md")]

mod axis;
mod chart;
mod colours;
mod error;
mod figure;
mod figure_layout;
mod groups;
mod key;
mod label;
mod language;
pub mod layout;
mod message;
mod names;
mod rows;
mod series;
mod sheet;
mod style;
mod svg;
mod text;

pub mod binned;
pub mod boards;
pub mod curve;
pub mod distance_path;
pub mod flow;
pub mod histogram;
pub mod levels_by_series;
pub mod matrix;
pub mod model_comparison;
pub mod panels;
pub mod phase_raster;
pub mod quality;
pub mod raincloud;
pub mod ranking;
pub mod scatter;
pub mod share_bars;
pub mod state_graph;
pub mod thought_tree;
pub mod time_by_quality;
pub mod transitions;

pub use chart::{Chart, draw};
pub use error::ChartError;
pub use figure::{Conversion, Figure, Heading, PlottedData, Reference};
pub use label::Label;
pub use language::{Language, LanguageError, MessageRecorder};
pub use message::Message;
pub use style::{Change, FONT_PT, Facets, Screen, Style, Styles, Width, begins_with, is_related};
pub use svg::Svg;
pub use text::grouped;

#[cfg(test)]
mod legible;
