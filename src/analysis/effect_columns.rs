//! Columns of the effects of covariates, which the tables of regressions share.

use crate::table::Columns;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::covariate::Effect;

/// What the columns call the scale and the ratio of a model.
pub(super) struct Names {
    /// What the estimate is, such as `change of the log odds of the event for one unit more of the covariate`.
    pub estimate: &'static str,
    /// Name of the column of the ratio.
    pub ratio: &'static str,
    /// Its meaning.
    pub ratio_meaning: &'static str,
    /// How the standard error allows for dependence.
    pub standard_error: &'static str,
}

/// Adds estimate, standard error, intervals, the ratio, z and p. Ratios beyond the range of numbers are empty.
pub(super) fn effect_columns<T>(
    columns: Columns,
    rows: &[T],
    names: &Names,
    confidence: Confidence,
    effect: impl Fn(&T) -> Option<&Effect> + Copy,
) -> Columns {
    let of = |value: fn(&Effect) -> f64| move |row: &T| effect(row).map(value).filter(|value| value.is_finite());
    let ends = [("lower", "lower"), ("upper", "upper")].map(|(end, word)| (format!("{}_{end}", names.ratio), word));
    columns
        .number(rows, "estimate", "", names.estimate, of(|effect| effect.estimate))
        .number(rows, "standard_error", "", names.standard_error, of(|effect| effect.standard_error))
        .number(rows, "lower", "", "lower end of the interval of the estimate (Wald)", of(|effect| effect.lower))
        .number(rows, "upper", "", "upper end of the interval of the estimate", of(|effect| effect.upper))
        .number(rows, names.ratio, "", names.ratio_meaning, of(|effect| effect.ratio))
        .number(rows, &ends[0].0, "", &format!("{} end of its interval", ends[0].1), of(|effect| effect.ratio_lower))
        .number(rows, &ends[1].0, "", &format!("{} end of its interval", ends[1].1), of(|effect| effect.ratio_upper))
        .number(rows, "confidence", "", "level of the intervals", |_| Some(confidence.level()))
        .number(rows, "statistic", "", "z: estimate / standard_error", of(|effect| effect.statistic))
        .number(
            rows,
            "p_value",
            "",
            "two-sided p of the hypothesis of no effect, from the normal distribution",
            of(|effect| effect.p_value),
        )
}
