//! Survival analysis: times until an event that has not happened to all, such as attempts until they are
//! solved, with those that were given up censored.
//!
//! A time is the time of the event, or of the end of observation. Censored times count as if just
//! after events at the same time, as everywhere in this field: who gave up at 30 s was still at risk
//! of an event at 30 s. All methods assume non-informative censoring: if those give up
//! who would have needed longest, the curves are too optimistic.

mod between_clusters;
mod concordance;
pub mod cox;
pub mod kaplan_meier;
pub mod log_rank;
mod partial_likelihood;
pub mod proportional_hazards;
mod robust;
pub mod sorted;
pub mod split_hazards;
mod ticks;
