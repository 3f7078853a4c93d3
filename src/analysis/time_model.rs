//! Time and quality in one model: a linear mixed model of the logarithm of inter-move times, with crossed random
//! intercepts for participants and levels.

use polars::prelude::PolarsResult;

use super::Context;
use crate::label::Quality;
use crate::table::{Columns, Table};
use plymap_statistics::stats::NotEstimable;
use plymap_statistics::stats::mixed::{Criterion, Design, Effect, FTest, Grouping, MixedModel, mixed_model};

/// The model with the observations that were left out.
#[derive(Debug)]
pub struct TimeModel {
    /// The fit, or why there is no design.
    model: Result<MixedModel, NotEstimable>,
    /// The joint test of all qualities.
    quality: Option<FTest>,
    /// First moves of attempts, which have a time of their own.
    n_first: u64,
    /// Later moves without a time, or with a time of 0, which has no logarithm.
    n_without_time: u64,
    /// Later moves from positions without a value.
    n_without_value: u64,
}

/// The columns of the design.
#[derive(Default)]
struct Observations {
    log_time: Vec<f64>,
    quality: Vec<&'static str>,
    value: Vec<f64>,
    log_n_legal: Vec<f64>,
    participant: Vec<String>,
    level: Vec<String>,
}

impl TimeModel {
    /// Fits ln t = quality + value before the move + ln(number of legal moves) + participant + level, by REML, to all
    /// moves but the first of each attempt. The reference quality is the best one that occurs.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let mut rows = Observations::default();
        let (mut n_first, mut n_without_time, mut n_without_value) = (0, 0, 0);
        for attempt in &data.attempts {
            for row in data.moves_of(attempt) {
                if row.ply == 0 {
                    n_first += 1;
                    continue;
                }
                let Some(time) = row.rt_s.filter(|&time| time > 0.0) else {
                    n_without_time += 1;
                    continue;
                };
                let Some(value) = row.value_before else {
                    n_without_value += 1;
                    continue;
                };
                rows.log_time.push(time.ln());
                rows.quality.push(row.quality.name());
                rows.value.push(value);
                rows.log_n_legal.push(f64::from(row.n_legal.max(1)).ln());
                rows.participant.push(data.participants[attempt.participant].clone());
                rows.level.push(data.levels[attempt.level].clone());
            }
        }
        let model = rows.design(data.unit.is_distance()).map(|design| {
            let groupings = [Grouping::new("participant", &rows.participant), Grouping::new("level", &rows.level)];
            // A factor of one label has no variance to estimate.
            let groupings: Vec<Grouping> = groupings.into_iter().filter(|grouping| grouping.labels.len() > 1).collect();
            mixed_model(&rows.log_time, &design, &groupings, Criterion::Reml, context.confidence)
        });
        let quality = model.as_ref().ok().map(|model| model.term_test("quality"));
        Self { model, quality, n_first, n_without_time, n_without_value }
    }

    fn reason(&self) -> Option<String> {
        match &self.model {
            Ok(model) => model.reason.as_ref().map(ToString::to_string),
            Err(reason) => Some(reason.to_string()),
        }
    }

    /// The tables `time_model` and `time_model_variances`.
    ///
    /// # Errors
    ///
    /// Never in practice: polars builds the frame from columns of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        let effects: Vec<Effect> = self.model.as_ref().map(|model| model.fixed.clone()).unwrap_or_default();
        let n = self.model.as_ref().map_or(0, |model| model.n as u64);
        struct Row {
            kind: &'static str,
            effect: Option<Effect>,
            test: Option<FTest>,
        }
        let mut rows: Vec<Row> =
            effects.into_iter().map(|effect| Row { kind: "effect", effect: Some(effect), test: None }).collect();
        match &self.quality {
            Some(test) if !rows.is_empty() => {
                rows.push(Row { kind: "joint test", effect: None, test: Some(test.clone()) });
            }
            _ => rows.push(Row { kind: "no model", effect: None, test: None }),
        }
        let rows = &rows[..];
        let of = |value: fn(&Effect) -> Option<f64>| move |row: &Row| row.effect.as_ref().and_then(value);
        let fixed = Columns::new()
            .text(rows, "kind", "effect: one fixed effect; joint test: all qualities together; no model: see reason", |row| {
                row.kind.to_owned()
            })
            .label(rows, "term", "intercept, a quality against the reference, the value before the move, or ln of the number of legal moves", |row| {
                let of_test = || row.test.as_ref().map(|test| test.name.clone());
                row.effect.as_ref().map(|effect| effect.name.clone()).or_else(of_test)
            })
            .count(rows, "n", "number of moves in the model", |_| n)
            .count(rows, "n_first_moves", "first moves of attempts, left out", |_| self.n_first)
            .count(rows, "n_without_time", "moves without a time, or with a time of 0, left out", |_| self.n_without_time)
            .count(rows, "n_without_value", "moves from positions from which no goal can be reached, left out", |_| {
                self.n_without_value
            })
            .number(rows, "estimate", "ln s", "effect on the natural logarithm of the time", of(|effect| effect.estimate))
            .number(rows, "standard_error", "ln s", "its standard error", of(|effect| effect.standard_error))
            .number(rows, "lower", "ln s", "lower end of its interval, by Student's t", of(|effect| effect.lower))
            .number(rows, "upper", "ln s", "upper end of its interval", of(|effect| effect.upper))
            .number(rows, "factor", "", "exp(estimate): by which factor times are longer; of the intercept, the time in s", of(|effect| effect.estimate.map(f64::exp)))
            .number(rows, "statistic", "", "t of an effect, F of the joint test", |row| {
                let of_test = || row.test.as_ref().and_then(|test| test.statistic);
                row.effect.as_ref().and_then(|effect| effect.statistic).or_else(of_test)
            })
            .number(rows, "df", "", "degrees of freedom by Satterthwaite's method; of the joint test the denominator degrees of freedom", |row| {
                let of_test = || row.test.as_ref().and_then(|test| test.df2);
                row.effect.as_ref().and_then(|effect| effect.df).or_else(of_test)
            })
            .whole(rows, "df_numerator", "", "numerator degrees of freedom of the joint test", |row| {
                row.test.as_ref().and_then(|test| test.df1).map(|df| df as i64)
            })
            .number(rows, "p_value", "", "two-sided p of t; p of F", |row| {
                let of_test = || row.test.as_ref().and_then(|test| test.p_value);
                row.effect.as_ref().and_then(|effect| effect.p_value).or_else(of_test)
            })
            .label(rows, "sentence", "APA-formatted result", |row| {
                let of_test = || row.test.as_ref().map(FTest::sentence);
                row.effect.as_ref().map(Effect::sentence).or_else(of_test)
            })
            .label(rows, "reason", "why a result is missing, where it is", |row| {
                let of_effect = row.effect.as_ref().and_then(|effect| effect.reason.as_ref());
                let of_test = || row.test.as_ref().and_then(|test| test.reason.as_ref());
                of_effect.or_else(of_test).map(ToString::to_string).or_else(|| self.reason())
            })
            .into_table(
                "time_model",
                "Linear mixed model (REML) of ln inter-move time with crossed random intercepts for participants and levels: fixed effects with Satterthwaite's degrees of freedom.",
            )?;
        Ok(vec![fixed, self.variances()?])
    }

    fn variances(&self) -> PolarsResult<Table> {
        struct Part {
            name: String,
            n: u64,
            sd: Option<f64>,
            icc: Option<f64>,
        }
        let mut parts = Vec::new();
        if let Ok(model) = &self.model {
            parts.extend(model.random.iter().map(|random| Part {
                name: random.name.clone(),
                n: random.n_labels as u64,
                sd: Some(random.sd),
                icc: Some(random.icc),
            }));
            parts.push(Part { name: "residual".to_owned(), n: model.n as u64, sd: model.residual_sd, icc: None });
        }
        let fit = |value: fn(&MixedModel) -> Option<f64>| move |_: &Part| self.model.as_ref().ok().and_then(value);
        let parts = &parts[..];
        Columns::new()
            .text(parts, "part", "participant, level or residual", |part| part.name.clone())
            .count(parts, "n", "number of participants, levels or moves", |part| part.n)
            .number(parts, "sd", "ln s", "standard deviation of the random intercepts, or of the residuals", |part| part.sd)
            .number(parts, "variance", "ln s squared", "its square", |part| part.sd.map(|sd| sd * sd))
            .number(parts, "icc", "", "intraclass correlation: share of this variance in those of all intercepts and residuals", |part| part.icc)
            .number(parts, "r2_marginal", "", "marginal R²: share of variance that the fixed effects explain (Nakagawa and Schielzeth, 2013), the same in each row", fit(|model| model.r2_marginal))
            .number(parts, "r2_conditional", "", "conditional R²: share that fixed effects and intercepts explain together", fit(|model| model.r2_conditional))
            .number(parts, "log_likelihood", "", "restricted log-likelihood of the model", fit(|model| model.log_likelihood))
            .number(parts, "aic", "", "Akaike information criterion (AIC)", fit(|model| model.aic))
            .number(parts, "bic", "", "Bayesian information criterion (BIC)", fit(|model| model.bic))
            .flag(parts, "is_singular", "whether the fit is singular: a variance is estimated as 0", |_| {
                self.model.as_ref().ok().and_then(|model| model.singular)
            })
            .flag(parts, "converged", "whether the optimiser converged", |_| {
                self.model.as_ref().ok().map(|model| model.converged)
            })
            .into_table("time_model_variances", "Variances of the mixed model of ln inter-move time, and how well it fits.")
    }

    /// The effect of each quality, in words.
    pub fn sentences(&self) -> Vec<String> {
        let Ok(model) = &self.model else {
            return vec![format!("Times could not be modelled: {}.", self.reason().unwrap_or_default())];
        };
        let mut sentences = vec![format!(
            "A linear mixed model of the logarithm of {} inter-move times has random intercepts for {}.",
            model.n,
            model
                .random
                .iter()
                .map(|random| format!("{} {}s", random.n_labels, random.name))
                .collect::<Vec<_>>()
                .join(" and ")
        )];
        let of_quality = model.fixed.iter().filter(|effect| effect.name.starts_with("quality"));
        sentences.extend(of_quality.filter_map(|effect| {
            let factor = effect.estimate?.exp();
            Some(format!("{}: times are longer by a factor of {factor:.2}, {}.", effect.name, effect.sentence()))
        }));
        if let Some(test) = self.quality.as_ref().filter(|test| test.statistic.is_some()) {
            sentences.push(format!("All qualities together: {}.", test.sentence()));
        }
        sentences
    }
}

impl Observations {
    fn design(&self, is_distance: bool) -> Result<Design, NotEstimable> {
        let n = self.log_time.len();
        let occurring = Quality::ALL.into_iter().find(|quality| self.quality.contains(&quality.name()));
        let reference = occurring.map_or("", Quality::name);
        let design = Design::with_intercept(n);
        // One quality alone is no factor.
        let has_several = self.quality.iter().any(|&quality| quality != reference);
        let design = if has_several { design.factor("quality", &self.quality, reference)? } else { design };
        let design = constant_or(design, if is_distance { "distance" } else { "value" }, &self.value)?;
        constant_or(design, "ln n_legal", &self.log_n_legal)
    }
}

/// Adds a column unless all of its values are equal, where it would be the intercept again.
fn constant_or(design: Design, name: &str, values: &[f64]) -> Result<Design, NotEstimable> {
    if values.windows(2).all(|pair| pair[0] == pair[1]) { Ok(design) } else { design.numeric(name, values) }
}
