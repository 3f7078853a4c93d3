//! Reliability: how well a measure distinguishes between participants, and would again.
//!
//! [`intraclass`] for complete tables of participants by occasions (levels, raters); [`one_way`] for
//! participants with unequal numbers of values; [`split_half`] and [`odd_even`] for the trials of
//! each participant; [`cronbach_alpha`] for the sum of items.

mod alpha;
mod intraclass;
mod one_way;
mod split_half;

pub use alpha::{Alpha, cronbach_alpha};
pub use intraclass::{Form, Intraclass, IntraclassForms, intraclass};
pub use one_way::{OneWay, one_way};
pub use split_half::{MOST_SPLITS, OddEven, SplitHalf, odd_even, spearman_brown, split_half};
