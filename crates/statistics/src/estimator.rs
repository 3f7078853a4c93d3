//! Estimators that apply to any table: the columns that they need, and their results as tables.
//!
//! A [`Frame`] holds the columns of a table as plain data. A [`Request`] says which column has which [`Role`], which
//! rows count, and what is reported apart. An [`Estimator`] from [`ESTIMATORS`](crate::methods::ESTIMATORS) checks the request and runs a function
//! of [`crate::stats`] on the rows that have all values; what it left out is counted in its result, and what could not
//! be estimated has a `reason`.
//!
//! ```
//! use plymap_statistics::estimator::{EstimatorError, Frame, Request, Role, Values};
//! use plymap_statistics::methods;
//!
//! let numbers = |values: [f64; 5]| Values::Numbers(values.map(Some).to_vec());
//! let frame = Frame::new(vec![
//!     ("n_moves".to_owned(), numbers([8.0, 12.0, 9.0, 30.0, 21.0])),
//!     ("time_s".to_owned(), numbers([11.0, 25.0, 14.0, 41.0, 44.0])),
//! ])?;
//! let request = Request::new(&frame).role(Role::X, &["n_moves"]).role(Role::Y, &["time_s"]);
//! let found = methods::named("spearman")?.estimate(&request)?;
//! assert_eq!((found.number(0, "n"), found.number(0, "estimate")), (Some(5.0), Some(0.9)));
//! # Ok::<(), EstimatorError>(())
//! ```
//!
//! To add one: a constant in the file of its method, with its roles, its columns and a function that makes rows of a
//! sample; its name in [`crate::methods`]; a row in `docs/estimators.md`.

mod apply;
pub(crate) mod comparison;
mod condition;
mod definition;
pub(crate) mod description;
pub(crate) mod error;
mod estimates;
pub(crate) mod fit;
mod frame;
mod input;
pub(crate) mod labels;
mod pairs;
pub(crate) mod repeated_measures;
mod repeated_rows;
mod request;
mod role;
pub(crate) mod sample;

pub use condition::Filtered;
pub(crate) use definition::Estimate;
pub use definition::{Estimator, ResultTable};
pub(crate) use definition::{INDEPENDENT, NAME_PARTICIPANTS};
pub use error::EstimatorError;
pub use estimates::Estimates;
pub use frame::{Frame, Values, Written};
pub(crate) use input::{Complete, Input};
pub use labels::MOST_COMPARED;
pub(crate) use pairs::each_pair;
pub use repeated_rows::RepeatedRows;
pub use request::{Average, MOST_GROUPS, Request};
pub use role::{Kind, Need, Role};
