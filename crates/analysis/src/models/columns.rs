//! Columns that several tables of models have.

use plymap_statistics::record::{Column, text};

pub(super) const MODEL: Column = text("model", "which model; the table model_fits has the formula of each");
