//! Time and quality in one model: a linear mixed model of the logarithm of inter-move times, with crossed random
//! intercepts for participants and levels.

use super::Context;
use crate::label::Quality;
use crate::table::Table;
use plymap_statistics::record::*;
use plymap_statistics::stats::NotEstimable;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::mixed::*;

const KIND: Column = text("kind", "effect: one fixed effect; joint test: all qualities together; no model: see reason");
const N_FIRST_MOVES: Column = count("n_first_moves", "first moves of attempts, left out");
const N_WITHOUT_TIME: Column = count("n_without_time", "moves without a time, or with a time of 0, left out");
const N_WITHOUT_VALUE: Column =
    count("n_without_value", "moves from positions from which no goal can be reached, left out");
const TIME_FACTOR: Column =
    number("factor", "exp(estimate): by which factor times are longer; of the intercept, the time in s");
const DF_NUMERATOR: Column = whole("df_numerator", "numerator degrees of freedom of the joint test");
const EFFECTS: &[Column] = &[
    KIND,
    TERM.means(
        "intercept, a quality against the reference, the value before the move, or ln of the number of legal moves",
    ),
    N.means("number of moves in the model"),
    N_FIRST_MOVES,
    N_WITHOUT_TIME,
    N_WITHOUT_VALUE,
    ESTIMATE.means("effect on the natural logarithm of the time").unit("ln s"),
    STANDARD_ERROR.means("its standard error").unit("ln s"),
    LOWER.means("lower end of its interval, by Student's t").unit("ln s"),
    UPPER.means("upper end of its interval").unit("ln s"),
    TIME_FACTOR,
    STATISTIC.means("t of an effect, F of the joint test"),
    DF.means("degrees of freedom by Satterthwaite's method; of the joint test the denominator degrees of freedom"),
    DF_NUMERATOR,
    P_VALUE.means("two-sided p of t; p of F"),
    SENTENCE.means("APA-formatted result"),
    REASON.means("why a result is missing, where it is"),
];
const VARIANCES: &[Column] = &[
    FACTOR.shown_as("part").means("participant, level or residual"),
    N_LABELS.shown_as("n").means("number of participants, levels or moves"),
    SD.means("standard deviation of the random intercepts, or of the residuals").unit("ln s"),
    VARIANCE.means("its square").unit("ln s squared"),
    INTRACLASS.means("intraclass correlation: share of this variance in those of all intercepts and residuals"),
    R_MARGINAL.shown_as("r2_marginal").means(
        "marginal R²: share of variance that the fixed effects explain (Nakagawa and Schielzeth, 2013), the same in each row",
    ),
    R_CONDITIONAL
        .shown_as("r2_conditional")
        .means("conditional R²: share that fixed effects and intercepts explain together"),
    LOG_LIKELIHOOD.means("restricted log-likelihood of the model"),
    AIC.means("Akaike information criterion (AIC)"),
    BIC.means("Bayesian information criterion (BIC)"),
    SINGULAR.shown_as("is_singular").means("whether the fit is singular: a variance is estimated as 0"),
    CONVERGED,
];

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
            let terms: Vec<RandomTerm> =
                groupings.into_iter().filter(|own| own.labels.len() > 1).map(RandomTerm::intercepts).collect();
            mixed_model(&rows.log_time, &design, &terms, Criterion::Reml, context.confidence())
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
    pub fn tables(&self) -> Vec<Table> {
        let caption = "Linear mixed model (REML) of ln inter-move time with crossed random intercepts for participants and levels: fixed effects with Satterthwaite's degrees of freedom.";
        let fixed = Table::of_records("time_model", caption, EFFECTS, &self.effects());
        let caption = "Variances of the mixed model of ln inter-move time, and how well it fits.";
        vec![fixed, Table::of_records("time_model_variances", caption, VARIANCES, &self.variances())]
    }

    /// The fixed effects and the joint test of qualities; one row that says why if there are none.
    fn effects(&self) -> Vec<Record> {
        let effects =
            self.model.iter().flat_map(|model| &model.fixed).map(|effect: &Effect| {
                effect.record().set(KIND, "effect").set(TIME_FACTOR, effect.estimate.map(f64::exp))
            });
        let mut rows: Vec<Record> = effects.collect();
        rows.push(match &self.quality {
            Some(test) if !rows.is_empty() => {
                test.record().set(KIND, "joint test").set(DF, test.df2).set(DF_NUMERATOR, test.df1)
            }
            _ => Record::new().set(KIND, "no model"),
        });
        let shared = Record::new()
            .set(N, self.model.as_ref().map_or(0, |model| model.n))
            .set(N_FIRST_MOVES, self.n_first)
            .set(N_WITHOUT_TIME, self.n_without_time)
            .set(N_WITHOUT_VALUE, self.n_without_value)
            .set(REASON, self.reason());
        rows.into_iter().map(|row| shared.clone().overlaid(row)).collect()
    }

    /// The variances of the intercepts and of the residuals, each with the fit of the model.
    fn variances(&self) -> Vec<Record> {
        let Ok(model) = &self.model else { return Vec::new() };
        let fit = model.record().set(N_LABELS, model.n);
        let square = |row: Record| {
            let sd = row.cell(SD.name).number();
            row.set(VARIANCE, sd.map(|sd| sd * sd))
        };
        let mut parts = model.variance_records();
        if model.residual_sd.is_none() {
            parts.push(Record::new().set(FACTOR, "residual"));
        }
        parts.into_iter().map(|row| fit.clone().overlaid(square(row))).collect()
    }

    /// The effect of each quality, in words.
    pub fn sentences(&self) -> Vec<String> {
        let Ok(model) = &self.model else {
            return vec![format!("Times could not be modelled: {}.", self.reason().unwrap_or_default())];
        };
        let mut sentences = vec![format!(
            "A linear mixed model of the logarithm of {} inter-move times has random intercepts for {}.",
            apa::count(model.n),
            model
                .random
                .iter()
                .map(|random| format!("{} {}s", apa::count(random.n_labels), random.factor))
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
