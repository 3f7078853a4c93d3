//! Reliability: how well a measure distinguishes between participants, and would again.
//!
//! [`intraclass`] for complete tables of participants by occasions (levels, raters); [`one_way`] for
//! participants with unequal numbers of values; [`split_half`] and [`odd_even`] for the trials of
//! each participant; [`cronbach_alpha`] for the sum of items.

mod alpha;
mod intraclass;
mod one_way;
mod split_half;
mod tables;

pub use alpha::{ALPHA, ALPHA_COLUMNS, Alpha, cronbach_alpha};
pub use intraclass::{Form, ICC, ICC_COLUMNS, Intraclass, IntraclassForms, intraclass};
pub use one_way::{ICC_ONE_WAY, OneWay, one_way};
pub use split_half::{
    MOST_SPLITS, ODD_EVEN, OddEven, SPLIT_HALF, SPLITS, SplitHalf, SplitReliability, affordable_splits, odd_even,
    spearman_brown, split_half,
};
