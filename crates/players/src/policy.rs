//! Policies: rules by which a player chooses among legal moves.
//!
//! A [`Policy`] is a rule of choice, whoever plays by it. It starts a level ([`Policy::start_level`]); the
//! [`PolicyState`] that it gives remembers what the rule needs from one move to the next. It states probabilities
//! rather than drawing a move, so that the same rule can play and be fitted to the moves of people.
//!
//! Policies are the same for every game: they know positions by [`Rules`] and values by an [`Oracle`](plymap_puzzles::distance::Oracle).
//! [`PolicySpec`] reads one from a study, and `docs/policies.md` describes them all.
//!
//! [`Rules`]: plymap_puzzles::rules::Rules
//! [`Oracle`]: plymap_puzzles::distance::Oracle

use super::parameter::ParameterError;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::WholeMap;
use plymap_walks::hitting_times::Chain;

mod and_or;
mod chance;
mod cyclic;
mod disqualification;
mod error;
mod estimate;
mod eureka;
mod external;
mod fitted;
mod greedy;
mod habits;
mod hill_climbing;
mod kind;
mod lapse_optimal;
mod look_ahead;
mod lua;
mod own;
mod rule;
mod situation;
mod soft_optimal;
mod spec;
#[cfg(test)]
mod tests;
mod weights;

pub use and_or::AndOr;
pub use chance::Chance;
pub use cyclic::Cyclic;
pub use disqualification::Disqualification;
pub use error::PolicyError;
pub use eureka::Eureka;
pub use external::{External, PROTOCOL, answers};
pub use fitted::FITTED;
pub use greedy::Greedy;
pub use habits::{Habits, WithHabits};
pub use hill_climbing::HillClimbing;
pub use kind::SpecError;
pub use lapse_optimal::LapseOptimal;
pub use look_ahead::LookAhead;
pub use lua::LuaPolicy;
pub use own::OwnStrategy;
pub use rule::{Policy, PolicyState};
pub use situation::{Ending, History, LevelContext, Previous, Situation};
pub use soft_optimal::SoftOptimal;
pub use spec::{KINDS, PolicyKind, PolicySpec};

/// Implements [`Policy`] for a pointer to a policy.
macro_rules! forward_policy {
    ($pointer:ty) => {
        impl<P: Policy + ?Sized> Policy for $pointer {
            fn kind(&self) -> &'static str {
                (**self).kind()
            }

            fn describe(&self) -> String {
                (**self).describe()
            }

            fn check(&self) -> Result<(), ParameterError> {
                (**self).check()
            }

            fn needs_oracle(&self) -> bool {
                (**self).needs_oracle()
            }

            fn chain<'a>(&self, rules: &dyn Rules, whole: &'a WholeMap) -> Result<Chain<'a>, PolicyError> {
                (**self).chain(rules, whole)
            }

            fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
                (**self).start_level(context)
            }
        }
    };
}

forward_policy!(&P);
forward_policy!(Box<P>);
