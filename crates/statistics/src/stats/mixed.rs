//! Linear and logistic mixed models with random intercepts and slopes of crossed factors, such as participant and level.
//!
//! y = Xβ + Σ Zb(factor) + ε, where each label of each factor has its own effects, normal with a
//! covariance of their own, and ε is normal with one variance. Estimated by restricted maximum
//! likelihood (Patterson & Thompson, 1971, *Biometrika*, 58, 545–554) or by maximum likelihood, from
//! the deviance profiled over θ, the Cholesky factors of the covariances relative to the residual variance
//! (Bates, Mächler, Bolker & Walker, 2015, *Journal of Statistical Software*, 67(1)). Checked against R's
//! lme4, lmerTest and emmeans.
//!
//! The search for θ has no random part: the same data give the same digits.

mod basis;
mod cells;
mod derivative;
mod descent;
pub(crate) mod design;
mod diagnostics;
mod effects;
mod equations;
mod estimators;
mod inference;
mod layout;
mod logistic;
mod marginal;
mod model;
mod optimise;
mod profile;
mod records;
mod sentence;
mod specification;

pub use design::{Design, Grouping, INTERCEPT, RandomTerm, Variable};
pub use diagnostics::{Diagnostics, Influence};
pub use effects::{Criterion, Effect, FTest, Family, MOST_COVARIANCES, MOST_TERMS, MOST_WORK, Mode, RandomEffects};
pub use estimators::{LOGISTIC_MIXED, LOGISTIC_MIXED_COMPARISONS, MIXED, MIXED_COMPARISONS};
pub use model::{MixedModel, logistic_mixed_model, mixed_model, mixed_model_alone};
pub use records::{
    CORRELATION, EFFECT, FACTOR, INTRACLASS, N_LABELS, R_CONDITIONAL, R_MARGINAL, SD, SINGULAR, VARIANCE, WITH,
};
pub use specification::{Comparison, Outcome, Specification};
