//! Mixed models of trials and of moves: what explains how long people take, how many moves they make, and how well they
//! choose, with what differs between participants and between levels as random effects.
//!
//! Each model has random slopes of participants in what varies within them: without, what differs from person to
//! person counts as if each move were a new person (Barr, Levy, Scheepers & Tily, 2013, *Journal of Memory and Language*,
//! 68, 255–278). Slopes are not correlated, but for those of predictors that mirror each other, so that small studies can be
//! fitted (Matuschek et al., 2017, *Journal of Memory and Language*, 94, 305–315); a variance that is estimated as 0 is told,
//! and changes nothing else.

pub mod diagnostics;
mod observations;

use rayon::prelude::*;

use super::columns::{self, MIXED_MODEL as MODEL};
use super::confirmatory_table::{CONFIRMATORY, corrected};
use super::context::Context;
use super::measures::{capital, solved_word};
use super::words::{CANNOT_BE_TOLD, is_too_wide};
use observations::Observations;
use plymap_puzzles::game::Unit;
use plymap_statistics::record::*;
use plymap_statistics::stats::NotEstimable;
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::apa::{self, TestFamily};
use plymap_statistics::stats::covariate::{MODEL_TERM, RATIO, RATIO_LOWER, RATIO_UPPER};
use plymap_statistics::stats::mixed::*;
use plymap_tables::Table;

pub use crate::model_specification::*;
pub use crate::model_variables::Rows;
pub use diagnostics::DIAGNOSTIC_TABLES;
pub use observations::MOST_MOVES;

const N_LEFT_OUT: Column = count(
    "n_left_out",
    "number of rows of the kind that is modelled without a value that the model needs, such as a time above 0 s",
);
/// The participants of whom no moves are modelled.
pub const N_NOT_DRAWN: Column = count(
    "n_participants_not_drawn",
    "number of participants whose moves are not modelled because there are more than 50,000; drawn with the seed of the study",
);
pub(crate) const FORMULA: Column = text(
    "formula",
    "the model, as R's lme4 writes it; numbers are centred at their means, within(x) at those of each participant and of each level, and the columns of a category in a random term with || are uncorrelated too",
);
/// The family of a model.
pub const FAMILY: Column =
    text("family", "normal: a linear mixed model; logistic: one of log odds").levels(&["normal", "logistic"]);
const ROWS: Column =
    text("rows", "what each observation is, as the entry rows of study.toml names it").levels(&Rows::NAMES);
const DF_NUMERATOR: Column = whole("df_numerator", "numerator degrees of freedom: number of contrasts of the term");
const EFFECTS: &[Column] = &[
    MODEL,
    MODEL_TERM.shown_as("term").means("intercept, a predictor, or a label of a category against its reference"),
    N.means("number of trials or moves in the model"),
    ESTIMATE.means("effect on the outcome (ln s, ln moves, or log odds) for one more of the predictor, all others held constant; of the intercept, the expected outcome where numbers are at their means and categories at their reference"),
    STANDARD_ERROR,
    LOWER,
    UPPER,
    CONFIDENCE,
    RATIO.shown_as("factor").means("exp(estimate): by which factor the time, the number of moves or the odds are larger"),
    RATIO_LOWER.shown_as("factor_lower").means("lower end of its interval"),
    RATIO_UPPER.shown_as("factor_upper").means("upper end of its interval"),
    STATISTIC.means("t; z of log odds where it has no degrees of freedom"),
    DF.means("degrees of freedom of t: by Satterthwaite's method; of log odds by the between-within method (Li and Redden, 2015)"),
    P_VALUE.means("two-sided p of the hypothesis that there is no effect"),
    SENTENCE,
    REASON,
];
const TERMS: &[Column] = &[
    MODEL,
    MODEL_TERM.shown_as("term").means("the predictor, with all labels of a category"),
    STATISTIC.means("F; of log odds Wald's χ² divided by the numerator degrees of freedom"),
    DF_NUMERATOR,
    DF.means("denominator degrees of freedom: by Satterthwaite's method; of log odds by the between-within method"),
    P_VALUE.means("p of the hypothesis that the predictor has no effect (type III)"),
    QUESTION,
    P_ADJUSTED,
    SENTENCE,
    REASON,
];
/// The question that a test answers.
pub const QUESTION: Column = text(
    "question",
    "the question that the test answers, with others of its name; of a model of the study the name of the model; empty of predictors that are only held constant",
);
const P_ADJUSTED: Column = columns::P_ADJUSTED.means(
    "p after Benjamini and Hochberg (1995), over the tests of the same question; of predictors that are held constant there is none",
);
const VARIANCES: &[Column] = &[
    MODEL,
    FACTOR.means("participant, level or residual"),
    EFFECT.means("the random effect: intercept, or the predictor of a slope; none of the residuals"),
    WITH.means("the other effect, where the row is the covariance of two correlated ones"),
    N_LABELS.means("number of participants or levels"),
    SD.means("standard deviation of the effect over participants or levels, or of the residuals, on the scale of estimates"),
    VARIANCE.means("its square, or the covariance"),
    CORRELATION.means("of a covariance, the correlation of the two effects; empty where one does not vary"),
    INTRACLASS.means("share of all random effects of this participant or level term in the variance of random effects and residuals, on average over the rows"),
];
const FITS: &[Column] = &[
    MODEL,
    FORMULA,
    FAMILY,
    ROWS,
    N.means("number of trials or moves in the model"),
    N_EVENTS.means("number of them at which what is modelled happened; none of a linear model"),
    N_PARTICIPANTS,
    N_LEVELS,
    N_LEFT_OUT,
    N_NOT_DRAWN,
    R_MARGINAL.shown_as("r2_marginal").means(
        "marginal R²: share of variance that the predictors explain (Nakagawa and Schielzeth, 2013; Nakagawa et al., 2017)",
    ),
    R_CONDITIONAL.shown_as("r2_conditional").means("conditional R²: share that predictors and random effects explain"),
    LOG_LIKELIHOOD.means("log-likelihood of the model, restricted if it is linear"),
    AIC,
    BIC,
    SINGULAR.shown_as("is_singular"),
    CONVERGED,
    REASON,
];
const N_LEVELS: Column = count("n_levels", "number of levels");

/// A model with what it was fitted to.
#[derive(Debug)]
struct Fitted {
    /// The model, its formula without what does not vary.
    model: Model,
    counts: Record,
    fit: Result<MixedModel, NotEstimable>,
    /// Diagnostics of the fit.
    diagnostics: Option<diagnostics::Report>,
    unit: Unit,
}

/// The models of a study. Time grows with the number of moves up to [`MOST_MOVES`], and with the cube of the smaller of
/// the numbers of participants and levels.
#[derive(Debug)]
pub struct Models {
    fitted: Vec<Fitted>,
    /// The tests of all predictors of all models; those that models are about are corrected, question by question.
    terms: Vec<Record>,
    is_pilot: bool,
}

impl Models {
    /// Fits all models whose rows and columns the log has.
    pub fn new(context: &Context) -> Self {
        let models = models(context.models());
        let fitted: Vec<Option<Fitted>> = models.into_par_iter().map(|model| Fitted::new(model, context)).collect();
        let fitted: Vec<Fitted> = fitted.into_iter().flatten().collect();
        let mut terms: Vec<Record> = fitted.iter().flat_map(Fitted::terms).collect();
        Adjustment::BenjaminiHochberg.apply_to(&mut terms, P_ADJUSTED);
        Self { fitted, terms, is_pilot: context.is_pilot() }
    }

    /// The tables `models`, `model_terms`, `model_variances` and `model_fits`, and those of diagnostics.
    pub fn tables(&self) -> Vec<Table> {
        let all = |rows: fn(&Fitted) -> Vec<Record>| self.fitted.iter().flat_map(rows).collect::<Vec<Record>>();
        let (effects, variances, fits) =
            (all(Fitted::effects), all(Fitted::variances), all(|fitted| vec![fitted.fit_record()]));
        let of_effects = "Mixed models of trials and of moves, with what differs between participants and between levels as random effects: effect of each predictor.";
        let of_terms = "Tests of the predictors of the mixed models, all labels of a category at once.";
        let of_variances = "Random effects of the mixed models: how much participants and levels differ.";
        let of_fits = "The mixed models: formulas, numbers of observations, and how well each fits.";
        let mut tables = vec![
            Table::of_records("models", of_effects, EFFECTS, &effects),
            Table::of_records("model_terms", of_terms, TERMS, &self.terms),
            Table::of_records("model_variances", of_variances, VARIANCES, &variances),
            Table::of_records("model_fits", of_fits, FITS, &fits),
        ];
        let reports: Vec<&diagnostics::Report> =
            self.fitted.iter().filter_map(|fitted| fitted.diagnostics.as_ref()).collect();
        tables.extend(diagnostics::tables(&reports));
        tables
    }

    /// Returns a sentence for each model on its predictors of interest, with p values corrected over those of a
    /// question, and sentences on singular fits and diagnostics.
    pub fn sentences(&self) -> Vec<String> {
        let of_models = self.fitted.iter().filter_map(|fitted| fitted.sentence(&self.terms, self.is_pilot));
        of_models.chain(self.singular()).chain(self.remarks()).collect()
    }

    /// Returns a sentence that names the singular fits: those with a variance of 0.
    fn singular(&self) -> Option<String> {
        let is_singular = |fitted: &&Fitted| fitted.fit.as_ref().is_ok_and(|fit| fit.singular == Some(true));
        let names: Vec<&str> =
            self.fitted.iter().filter(is_singular).map(|fitted| fitted.model.name.as_str()).collect();
        let models = match names.len() {
            0 => return None,
            1 => "the model",
            _ => "the models",
        };
        Some(format!(
            "Some of what {models} {} would let differ between participants or levels does not differ in these data: its variance is estimated as 0 (a singular fit).",
            names.join(", ")
        ))
    }

    /// Returns a sentence with the remarks of the diagnostics on all models.
    fn remarks(&self) -> Option<String> {
        let remark =
            |fitted: &Fitted| Some(format!("{}: {}", fitted.model.name, fitted.diagnostics.as_ref()?.remark()?));
        let remarks: Vec<String> = self.fitted.iter().filter_map(remark).collect();
        let all = remarks.join(". ");
        (!remarks.is_empty()).then(|| format!("What the diagnostics in the appendix say against models: {all}."))
    }
}

impl Fitted {
    /// The model without what does not vary in these data; absent where no row is of the kind, unless the study wrote it.
    fn new(model: Model, context: &Context) -> Option<Self> {
        let unit = context.data.unit;
        let counts = Record::new().set(MODEL, model.name.as_str());
        match Observations::new(&model, context) {
            Ok(observed) => {
                let fit = observed.specification.and_then(|spec| spec.fit(Criterion::Reml, context.confidence()));
                let counts = counts
                    .set(N, observed.n)
                    .set(N_EVENTS, observed.n_events)
                    .set(N_PARTICIPANTS, observed.n_participants)
                    .set(N_LEVELS, observed.n_levels)
                    .set(N_LEFT_OUT, observed.n_left_out)
                    .set(N_NOT_DRAWN, observed.n_not_drawn);
                let diagnose = |fit: &MixedModel| {
                    diagnostics::Report::new(&model.name, fit, &model.said, &observed.next, context.confidence())
                };
                let diagnostics = fit.as_ref().ok().and_then(diagnose);
                Some(Self { model: Model { formula: observed.formula, ..model }, counts, fit, diagnostics, unit })
            }
            Err(why) => model.is_own.then(|| {
                let fit = Err(NotEstimable::Undefined { quantity: "the model", why });
                Self { model, counts, fit, diagnostics: None, unit }
            }),
        }
    }

    fn reason(&self) -> Option<String> {
        match &self.fit {
            Ok(model) => model.reason.as_ref().map(ToString::to_string),
            Err(reason) => Some(reason.to_string()),
        }
    }

    /// Returns the values common to all rows of the model, with the reason if it has no fit, or none that is sure.
    fn shared(&self) -> Record {
        Record::new().set(MODEL, self.model.name.as_str()).set(REASON, self.reason())
    }

    fn effects(&self) -> Vec<Record> {
        let shared = self.shared().set(N, self.counts.number(N));
        let effects = self.fit.iter().flat_map(|fit| &fit.fixed);
        shared.shared_by(effects.map(Effect::odds_record).collect())
    }

    fn terms(&self) -> Vec<Record> {
        let shared = self.shared();
        let test = |(fit, term): (&MixedModel, &str)| {
            let test = fit.term_test(term);
            let row = test.record().set(DF, test.df2).set(DF_NUMERATOR, test.df1);
            match self.model.said.iter().find(|said| said.term == term) {
                // What a search that did not end found is no test, and must not weaken those of the same question.
                Some(said) if fit.reason.is_some() => row.skipping_adjustment().set(QUESTION, said.question.as_str()),
                Some(said) => row.family(&said.question).set(QUESTION, said.question.as_str()),
                None => row.skipping_adjustment(),
            }
        };
        let tests = self.fit.iter().flat_map(|fit| fit.terms().map(move |term| test((fit, term)))).collect();
        shared.shared_by(tests)
    }

    fn variances(&self) -> Vec<Record> {
        let shared = Record::new().set(MODEL, self.model.name.as_str());
        let rows = self.fit.iter().flat_map(MixedModel::variance_records);
        rows.map(|row| shared.clone().overlaid(row)).collect()
    }

    fn fit_record(&self) -> Record {
        let family = match &self.fit {
            Ok(fit) if fit.family == Family::Normal => Some("normal"),
            Ok(_) => Some("logistic"),
            Err(_) => None,
        };
        let fit = self.fit.as_ref().map_or_else(|_| Record::new(), MixedModel::record);
        self.counts
            .clone()
            .overlaid(fit.set(N, self.counts.number(N)))
            .set(FORMULA, self.model.formula.to_string())
            .set(FAMILY, family)
            .set(ROWS, self.model.rows.name())
            .set(REASON, self.reason())
    }

    fn effects_of(&self, fit: &MixedModel, term: &str) -> Vec<TermEffect> {
        let of_effect = |effect: &Effect| TermEffect {
            label: effect.name.clone(),
            estimate: effect.estimate,
            interval: effect.lower.zip(effect.upper),
            is_ratio: is_ratio(effect.family == Family::Logistic, &self.model.formula.response),
            sentence: effect.sentence(),
        };
        fit.fixed.iter().filter(|effect| belongs_to(&effect.name, term)).map(of_effect).collect()
    }

    fn sentence(&self, terms: &[Record], is_pilot: bool) -> Option<String> {
        let fit = self.fit.as_ref().ok().filter(|fit| fit.reason.is_none())?;
        let sentence_on = |said: &Said| {
            let (term, words) = (said.term.as_str(), said.words.as_str());
            let is_own =
                |row: &&Record| row.text(MODEL) == Some(&self.model.name) && row.text(MODEL_TERM) == Some(term);
            let row = terms.iter().find(is_own)?;
            let p = row.number(P_VALUE)?;
            let effects = self.effects_of(fit, term);
            let value = if self.unit.is_distance() { "distance to the goal" } else { "expected further points" };
            let words = words.replace(VALUE, value);
            // The test of a term with one effect is that of the effect.
            let (subject, sentence) = match effects.as_slice() {
                [only] if only.label == term => (words, only.told()),
                // Of an interaction no label is the reference.
                [only] => {
                    let against = fit.labels(term).first().map(|reference| format!(" against {reference}"));
                    (format!("{}{}", only.label, against.unwrap_or_default()), only.told())
                }
                several => {
                    let largest = largest(several)?;
                    let largest = format!(
                        "largest of {} effects{}: {}, {}",
                        several.len(),
                        left_out(several),
                        largest.label,
                        apa::without_p(&largest.told())
                    );
                    match is_pilot {
                        true => (words, largest),
                        false => (words, format!("{} ({largest})", row.text(SENTENCE)?)),
                    }
                }
            };
            let adjusted =
                row.number(P_ADJUSTED).map(|adjusted| apa::adjusted(&sentence, p, adjusted, row.family_of_tests()));
            Some(format!("{subject}, {}", adjusted.unwrap_or(sentence)))
        };
        let sentences: Vec<String> = self.model.said.iter().filter_map(sentence_on).collect();
        let solved = solved_word(self.unit);
        let title = capital(&self.model.title).replace("solved", solved);
        let rows = self.model.rows.word().replace("solved", solved);
        let people = self.counts.number(N_PARTICIPANTS).unwrap_or_default() as usize;
        let people = format!("{} participant{}", apa::count(people), if people == 1 { "" } else { "s" });
        (!sentences.is_empty())
            .then(|| format!("{title} ({} {rows}, {people}): {}.", apa::count(fit.n), sentences.join("; ")))
    }
}

/// The p of a term, and the effect that it is tested by; absent where the model cannot be fitted to these data, or the
/// term has several effects.
pub fn effect(context: &Context, model: &str, term: &str) -> Option<(f64, f64)> {
    let model = models(context.models()).into_iter().find(|candidate| candidate.name == model)?;
    let specification = Observations::new(&model, context).ok()?.specification.ok()?;
    let fit = specification.fit(Criterion::Reml, context.confidence()).ok().filter(|fit| fit.reason.is_none())?;
    let mut effects = fit.fixed.iter().filter(|effect| belongs_to(&effect.name, term));
    let (effect, others) = (effects.next()?.estimate?, effects.count());
    let p_value = fit.term_test(term).record().number(P_VALUE)?;
    (others == 0).then_some((p_value, effect))
}

/// Effect of a model as reported in the tables of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedEffect {
    /// The effect, on the scale of the model.
    pub estimate: f64,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// The p of its term, corrected for the tests of its question.
    pub p_adjusted: f64,
    /// The APA-formatted result with the corrected p.
    pub sentence: String,
}

/// The family of this many confirmatory hypotheses.
pub fn of_hypotheses(n: usize) -> TestFamily {
    TestFamily { n, members: "hypotheses" }
}

/// The adjusted p value below which an effect is called significant.
pub const SIGNIFICANT: f64 = 0.05;

/// The direction of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Significant and positive.
    More,
    /// Significant and negative.
    Less,
    /// Not significant.
    Unknown,
}

impl ReportedEffect {
    /// Its direction, by its adjusted p value.
    pub fn direction(&self) -> Direction {
        match (self.p_adjusted < SIGNIFICANT, self.estimate > 0.0) {
            (true, true) => Direction::More,
            (true, false) => Direction::Less,
            (false, _) => Direction::Unknown,
        }
    }
}

/// An effect of a term, as the table of effects has it.
#[derive(Clone, Debug)]
pub struct TermEffect {
    /// The predictor, or a label of a category.
    pub label: String,
    /// The effect, on the scale of the model; absent where it has none.
    pub estimate: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// True if it is the logarithm of a ratio: of odds, or of times.
    pub is_ratio: bool,
    /// The APA-formatted result, p not corrected.
    pub sentence: String,
}

impl TermEffect {
    /// Returns true for a ratio whose interval is so wide that it is no result.
    pub fn is_too_wide(&self) -> bool {
        self.is_ratio && is_too_wide(self.interval)
    }

    /// Its result, if it is one.
    pub fn told(&self) -> String {
        match self.is_too_wide() {
            true => CANNOT_BE_TOLD.to_owned(),
            false => self.sentence.clone(),
        }
    }

    fn is_known(&self) -> bool {
        self.estimate.is_some() && !self.is_too_wide()
    }
}

fn is_ratio(is_logistic: bool, formula: &str) -> bool {
    is_logistic || formula.starts_with("log(")
}

/// Returns the effects that the tables of a run have for a term.
pub fn effects_of<'a>(table: impl Fn(&str) -> Option<&'a Table>, (model, term): (&str, &str)) -> Vec<TermEffect> {
    let Some(effects) = table("models") else { return Vec::new() };
    let of_fit = |fits: &Table| {
        let row = fits.row(&[(MODEL, model)])?;
        let is_logistic = fits.text_at(row, FAMILY).as_deref() == Some("logistic");
        Some(is_ratio(is_logistic, &fits.text_at(row, FORMULA)?))
    };
    let is_ratio = table("model_fits").and_then(of_fit).unwrap_or(false);
    let of_row = |row: usize| {
        let label = effects.text_at(row, TERM).filter(|label| belongs_to(label, term))?;
        let number = |column: Column| effects.number_at(row, column);
        Some(TermEffect {
            label,
            estimate: number(ESTIMATE),
            interval: number(LOWER).zip(number(UPPER)),
            is_ratio,
            sentence: effects.text_at(row, SENTENCE)?,
        })
    };
    let is_of_model = |row: &usize| effects.text_at(*row, MODEL).as_deref() == Some(model);
    (0..effects.n_rows()).filter(is_of_model).filter_map(of_row).collect()
}

/// Returns the largest of several effects; one whose interval is so wide that it is no result only where all are so.
pub fn largest(effects: &[TermEffect]) -> Option<&TermEffect> {
    let size = |effect: &TermEffect| effect.estimate.map_or(0.0, f64::abs);
    let order = |left: &&TermEffect, right: &&TermEffect| {
        left.is_known().cmp(&right.is_known()).then(size(left).total_cmp(&size(right)))
    };
    effects.iter().max_by(order)
}

/// Says how many effects the largest was not chosen from; nothing where it was chosen from all.
pub fn left_out(effects: &[TermEffect]) -> String {
    match effects.iter().filter(|effect| !effect.is_known()).count() {
        0 => String::new(),
        n if n == effects.len() => String::new(),
        n => format!(" (without {} that cannot be told from these data)", apa::count(n)),
    }
}

/// A test of several effects of a term at once, as the tables of a run report it.
#[derive(Clone, Debug)]
pub struct JointTest {
    /// The APA-formatted test with the corrected p.
    pub sentence: String,
    /// The p, corrected.
    pub p_adjusted: f64,
    /// The effects.
    pub effects: Vec<TermEffect>,
}

/// Returns the effect that the tables of a run report for a term, or for a label of a category (`condition = speed`);
/// absent where the model was not made or has no fit.
pub fn reported_effect<'a>(
    table: impl Fn(&str) -> Option<&'a Table>,
    (model, effect): (&str, &str),
) -> Option<ReportedEffect> {
    let effects = table("models")?;
    let row = effects.row(&[(MODEL, model), (TERM, effect)])?;
    let number = |column: Column| effects.number_at(row, column);
    let estimate = number(ESTIMATE).filter(|_| effects.text_at(row, REASON).is_none())?;
    let term = effect.split(" = ").next().unwrap_or(effect);
    let FamilyTest { p, p_adjusted, family } = FamilyTest::new(&table, (model, term))?;
    let sentence = apa::adjusted(&effects.text_at(row, SENTENCE)?, p, p_adjusted, family);
    Some(ReportedEffect { estimate, interval: number(LOWER).zip(number(UPPER)), p_adjusted, sentence })
}

/// Returns the test of a whole term that the tables of a run have, with the corrected p; absent where the model was not
/// made or has no fit.
pub fn test<'a>(table: impl Fn(&str) -> Option<&'a Table>, (model, term): (&str, &str)) -> Option<JointTest> {
    let terms = table("model_terms")?;
    let row = terms.row(&[(MODEL, model), (TERM, term)])?;
    let FamilyTest { p, p_adjusted, family } = FamilyTest::new(&table, (model, term))?;
    let sentence = apa::adjusted(&terms.text_at(row, SENTENCE)?, p, p_adjusted, family);
    Some(JointTest { sentence, p_adjusted, effects: effects_of(&table, (model, term)) })
}

/// The corrected p of a term that is a confirmatory hypothesis.
fn predicted_p<'a>(table: &impl Fn(&str) -> Option<&'a Table>, name: (&str, &str)) -> Option<f64> {
    table(CONFIRMATORY).and_then(|confirmatory| corrected(confirmatory, name))
}

/// The test of a term in its family.
struct FamilyTest {
    p: f64,
    /// The corrected p; of a confirmatory hypothesis over these.
    p_adjusted: f64,
    family: TestFamily,
}

impl FamilyTest {
    fn new<'a>(table: &impl Fn(&str) -> Option<&'a Table>, (model, term): (&str, &str)) -> Option<Self> {
        let terms = table("model_terms")?;
        let row = terms.row(&[(MODEL, model), (TERM, term)]).filter(|row| terms.text_at(*row, REASON).is_none())?;
        let p = terms.number_at(row, P_VALUE)?;
        let n_with_p = |table: &Table, is_of: &dyn Fn(usize) -> bool| {
            (0..table.n_rows()).filter(|&row| is_of(row) && table.number_at(row, P_ADJUSTED).is_some()).count()
        };
        if let Some(p_adjusted) = predicted_p(table, (model, term)) {
            return Some(Self { p, p_adjusted, family: of_hypotheses(n_with_p(table(CONFIRMATORY)?, &|_| true)) });
        }
        let question = terms.text_at(row, QUESTION);
        let n_tests = n_with_p(terms, &|row| terms.text_at(row, QUESTION) == question);
        Some(Self { p, p_adjusted: terms.number_at(row, P_ADJUSTED)?, family: TestFamily::of_tests(n_tests) })
    }
}

#[cfg(test)]
mod tests;
