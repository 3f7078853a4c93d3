//! Hypotheses that were written down before the data were seen: tested and corrected as one family, and reported first.
//!
//! Every other test of a report is exploratory. A hypothesis names a test that the analyses make anyway, so that what is
//! reported of it is what the tables of the analysis say.

use super::columns::MODEL;
pub use super::confirmatory_table::{CONFIRMATORY, corrected};
use super::confirmatory_table::{HYPOTHESIS, P_ADJUSTED};
use super::model_specification::{ModelSpec, term_named, terms_of, usual_outcome};
use super::models::{FORMULA, SIGNIFICANT, TermEffect, effects_of, largest, left_out, of_hypotheses};
use super::registry::{ANALYSES, Analysis};
use super::words::{CategoryEffect, differs, outcome_noun};
use plymap_statistics::record::*;
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::{Confidence, apa};
use plymap_tables::{Named, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of differences from one condition up to which each is told.
const MOST_TOLD: usize = 4;
/// The table that tests the terms of models.
const TERMS: &str = "model_terms";
/// The table of the models.
const FITS: &str = "model_fits";

/// A hypothesis of `[statistics] confirmatory`: which test it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a hypothesis is \"model: term\", or { table = \"condition_tests\", row = { measure = \"time_s\", test = \"welch\" } }, or { name = \"Haste makes waste\", test = \"optimal: condition\" }"
)]
pub enum Hypothesis {
    /// A model and one of its terms, such as `solved: condition`.
    Term(String),
    /// A test with the name that the study gives the hypothesis.
    Named {
        /// Name, as readers of the report know the hypothesis.
        name: String,
        /// The test.
        test: Box<Hypothesis>,
    },
    /// A row of a table, by texts of its columns.
    Row {
        /// The table.
        table: String,
        /// Texts of columns that only this row has.
        row: BTreeMap<String, String>,
    },
}
const NAME: Column = text("name", "the name that the study gives the hypothesis");
const IN_WORDS: Column = text(
    "in_words",
    "the effect in words, with direction and unit; of several differences between conditions each of up to four, of other terms with several effects the largest of them",
);
const TABLE: Column = text("table", "the table with the test");
const EFFECT: Column = text("effect", "the effect of which the result is, where the term of a model has a single one");
const RESULT: Column = text("result", "APA-formatted result, p not corrected");
const COLUMNS: &[Column] = &[
    HYPOTHESIS,
    NAME,
    TABLE,
    STATISTIC.means("the statistic of the test, as its table gives it"),
    DF.means("its degrees of freedom, the denominator's of F"),
    P_VALUE.means("p value, not corrected"),
    P_ADJUSTED,
    EFFECT,
    IN_WORDS,
    RESULT,
    REASON.means("why the hypothesis could not be tested"),
];

impl Hypothesis {
    /// Checks that the hypothesis can be tested with these analyses and models.
    ///
    /// # Errors
    ///
    /// Why not, in words.
    pub fn check(&self, analyses: &[&Analysis], models: &[ModelSpec]) -> Result<(), String> {
        let is_made = |table: &str| analyses.iter().any(|analysis| analysis.tables.contains(&table));
        let not_made = |table: &str| match ANALYSES.iter().find(|analysis| analysis.tables.contains(&table)) {
            Some(Analysis { name, .. }) => format!(
                "the hypothesis {self} is tested in the table {table} of the analysis {name}, which the study leaves out; add {name} to analyses in [statistics]"
            ),
            None => format!("the hypothesis {self} names the table {table}, which no analysis makes"),
        };
        match self {
            Self::Term(text) => {
                let (model, term) = model_and_term(text)?;
                let terms = terms_of(models, model)?;
                if !terms.contains(&term) {
                    return Err(format!("the model {model} has no term {term:?}; its terms are {}", terms.join(", ")));
                }
                if is_made(TERMS) { Ok(()) } else { Err(not_made(TERMS)) }
            }
            Self::Row { table, row } => match (is_made(table), row.is_empty()) {
                (false, _) => Err(not_made(table)),
                (true, true) => Err(format!("the hypothesis {self} names no column")),
                (true, false) => Ok(()),
            },
            Self::Named { name, test } => match (name.trim().is_empty(), &**test) {
                (true, _) => Err(format!("the hypothesis {test} has an empty name")),
                (false, Self::Named { .. }) => Err(format!("the hypothesis {name} has two names")),
                (false, test) => test.check(analyses, models),
            },
        }
    }

    /// The table and what the columns of the row hold.
    fn place(&self) -> (&str, Vec<(&str, String)>) {
        match self {
            Self::Term(text) => {
                let (model, term) = model_and_term(text).unwrap_or((text, String::new()));
                (TERMS, vec![(MODEL.name, model.to_owned()), (TERM.name, term)])
            }
            Self::Row { table, row } => {
                (table, row.iter().map(|(column, text)| (column.as_str(), text.clone())).collect())
            }
            Self::Named { test, .. } => test.place(),
        }
    }

    /// The test, as its table has it.
    fn record(&self, tables: &[&Table], spoken: &Spoken<'_>) -> Record {
        let (name, wanted) = self.place();
        let record = Record::new().set(HYPOTHESIS, self.to_string()).set(NAME, self.name()).set(TABLE, name);
        let Some(table) = tables.iter().find(|table| table.name == name) else {
            return record.set(REASON, "the data gave no such table");
        };
        if let Some((column, _)) = wanted.iter().find(|(column, _)| !table.has(Named(column))) {
            return record.set(REASON, format!("the table has no column {column}"));
        }
        let has =
            |row: &usize| wanted.iter().all(|(column, text)| table.text_at(*row, Named(column)).as_ref() == Some(text));
        let rows: Vec<usize> = (0..table.data.height()).filter(has).collect();
        let &[row] = rows.as_slice() else {
            return record.set(
                REASON,
                match rows.len() {
                    0 => "no row of the table is like that: what it is about may not vary in the data".to_owned(),
                    n => format!("{n} rows of the table are like that; name more columns"),
                },
            );
        };
        let number = |column: Column| table.number_at(row, column);
        let reason = table.text_at(row, REASON).filter(|_| number(P_VALUE).is_none());
        let reason = reason.or_else(|| number(P_VALUE).is_none().then(|| "the row has no p value".to_owned()));
        let record = record
            .set(STATISTIC, number(STATISTIC))
            .set(DF, number(DF))
            .set(P_VALUE, number(P_VALUE))
            .set(RESULT, table.text_at(row, SENTENCE))
            .set(REASON, reason);
        let Some((model, term)) = self.model_and_term() else { return record };
        match effects_of(table_of(tables), (model, &term)).as_slice() {
            [] => record,
            [effect] => record
                .set(EFFECT, effect.label.as_str())
                .set(RESULT, effect.sentence.as_str())
                .set(IN_WORDS, spoken.words(model, effect)),
            several => record.set(IN_WORDS, spoken.several(model, several, true)),
        }
    }

    /// What its test is about.
    fn about(&self, tables: &[&Table], spoken: &Spoken<'_>) -> About {
        let Some((model, term)) = self.model_and_term() else { return About::Row };
        let n_effects = match effects_of(table_of(tables), (model, &term)).as_slice() {
            [effect] if effect.is_too_wide() => return About::TooWide(effect.told()),
            [] | [_] => return About::Row,
            several => several.len(),
        };
        let response = || {
            let fits = table_of(tables)(FITS)?;
            let formula = fits.text_at(fits.row(&[(MODEL, model)])?, FORMULA)?;
            formula.split_once(" ~ ").map(|(response, _)| response.to_owned())
        };
        let outcome =
            outcome_noun(model, spoken.solved).or_else(|| usual_outcome(model).map(str::to_owned)).or_else(response);
        let outcome = outcome.unwrap_or_else(|| format!("the response of the model {model}"));
        About::Joint { outcome, term, n_effects }
    }

    /// The model and the term that it tests, if it is one of a term.
    fn model_and_term(&self) -> Option<(&str, String)> {
        match self {
            Self::Term(text) => model_and_term(text).ok(),
            Self::Named { test, .. } => test.model_and_term(),
            Self::Row { .. } => None,
        }
    }

    /// What its sentence begins with: its name, or what is tested.
    fn subject(&self) -> String {
        match self {
            Self::Named { name, .. } => name.clone(),
            Self::Row { table, row } => {
                let row: Vec<String> = row.iter().map(|(column, text)| format!("{column} {text}")).collect();
                format!("The test in {table} of {}", row.join(", "))
            }
            Self::Term(text) => match model_and_term(text) {
                Ok((model, term)) => format!("The effect of {} in the model {model}", term.replace(" : ", " × ")),
                Err(_) => text.clone(),
            },
        }
    }

    /// The name that the study gives it.
    fn name(&self) -> Option<String> {
        match self {
            Self::Named { name, .. } => Some(name.clone()),
            Self::Term(_) | Self::Row { .. } => None,
        }
    }
}

/// What a test is about.
#[derive(Clone, Debug)]
enum About {
    /// The row of a table, or a single effect, whose sentence says it.
    Row,
    /// A single effect that is no result, in words: its interval is too wide.
    TooWide(String),
    /// Several effects at once.
    Joint { outcome: String, term: String, n_effects: usize },
}

/// What the words of effects need beside them.
#[derive(Clone, Copy, Debug)]
pub struct Spoken<'a> {
    /// The condition that others are compared with.
    pub reference: Option<&'a str>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Verb of a trial that came to its end: solved, or finished.
    pub solved: &'a str,
    /// True if so few people took part that no test is told.
    pub is_pilot: bool,
}

impl Spoken<'_> {
    /// An effect of the condition in words.
    fn words(&self, model: &str, effect: &TermEffect) -> Option<String> {
        let words = CategoryEffect {
            model,
            category: effect.label.strip_prefix("condition = ")?,
            reference: self.reference?,
            estimate: effect.estimate?,
            interval: effect.interval,
            confidence: self.confidence,
            solved: self.solved,
        };
        words.sentence()
    }

    /// Several effects in sentences without the last full stop: each difference between conditions, the largest of many
    /// and of effects that have no words. Only their test has a p that is corrected.
    pub fn several(&self, model: &str, effects: &[TermEffect], has_statistics: bool) -> Option<String> {
        let told = |effect: &TermEffect| {
            let words = self.words(model, effect)?;
            // The width of an interval that is no result is none either.
            Some(match effect.is_too_wide() || !has_statistics {
                true => words,
                false => format!("{words} ({})", apa::without_p(&effect.told())),
            })
        };
        if effects.len() <= MOST_TOLD
            && let Some(all) = effects.iter().map(told).collect::<Option<Vec<String>>>()
        {
            return Some(all.join(". "));
        }
        let effect = largest(effects)?;
        let (n, left_out) = (effects.len(), left_out(effects));
        Some(match told(effect) {
            Some(words) if effect.is_too_wide() => words,
            Some(words) => {
                let reference = self.reference.unwrap_or_default();
                let words = words.replacen("Under ", "under ", 1).replacen(", ", ", where ", 1);
                format!("Of the {n} differences from {reference}{left_out}, the largest is that {words}")
            }
            None => {
                let statistics = apa::without_p(&effect.told());
                format!("Of the {n} effects{left_out}, the largest is that of {} ({statistics})", effect.label)
            }
        })
    }
}

impl std::fmt::Display for Hypothesis {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Term(text) => match model_and_term(text) {
                Ok((model, term)) => write!(out, "{model}: {term}"),
                Err(_) => out.write_str(text),
            },
            Self::Row { table, row } => {
                let row: Vec<String> = row.iter().map(|(column, text)| format!("{column} {text}")).collect();
                write!(out, "{table}: {}", row.join(", "))
            }
            Self::Named { test, .. } => test.fmt(out),
        }
    }
}

fn table_of<'a>(tables: &[&'a Table]) -> impl Fn(&str) -> Option<&'a Table> {
    move |name| tables.iter().copied().find(|table| table.name == name)
}

pub(super) fn model_and_term(text: &str) -> Result<(&str, String), String> {
    let parts = text.split_once(": ").map(|(model, term)| (model.trim(), term_named(term)));
    parts.ok_or_else(|| format!("the hypothesis {text:?} is not a model and a term, such as \"solved: condition\""))
}

/// The hypotheses of a study, tested.
#[derive(Clone, Debug)]
pub struct Confirmatory {
    records: Vec<Record>,
    /// What the sentence of each begins with, and what it is about.
    said: Vec<(String, About)>,
    is_pilot: bool,
}

impl Confirmatory {
    /// Looks the tests up in the tables of the analyses, and corrects them as one family.
    pub fn new(hypotheses: &[Hypothesis], tables: &[&Table], spoken: &Spoken<'_>) -> Self {
        let mut records: Vec<Record> = hypotheses.iter().map(|hypothesis| hypothesis.record(tables, spoken)).collect();
        Adjustment::Holm.apply_to(&mut records, P_ADJUSTED);
        let said = |hypothesis: &Hypothesis| (hypothesis.subject(), hypothesis.about(tables, spoken));
        Self { records, said: hypotheses.iter().map(said).collect(), is_pilot: spoken.is_pilot }
    }

    /// The table `confirmatory`; absent where the study has no such hypotheses.
    pub fn table(&self) -> Option<Table> {
        let caption = "The hypotheses that the study names as confirmatory, tested and corrected as one family.";
        (!self.records.is_empty()).then(|| Table::of_records(CONFIRMATORY, caption, COLUMNS, &self.records))
    }

    /// One sentence for each hypothesis; of a pilot without the test.
    pub fn sentences(&self) -> Vec<String> {
        let said = if self.is_pilot { estimates } else { sentence };
        self.records.iter().zip(&self.said).map(|(row, (subject, about))| said(row, subject, about)).collect()
    }
}

/// What is estimated for a hypothesis, without a test.
fn estimates(row: &Record, subject: &str, about: &About) -> String {
    match (row.text(IN_WORDS), about) {
        (Some(words), About::Joint { .. }) => format!("{subject}: {}.", begun_small(words)),
        _ => apa::without_p(&sentence(row, subject, about)),
    }
}

fn sentence(row: &Record, subject: &str, about: &About) -> String {
    let text = |column: Column| row.text(column).unwrap_or_default();
    let (Some(p), Some(adjusted)) = (row.number(P_VALUE), row.number(P_ADJUSTED)) else {
        return format!("{subject} could not be tested: {}.", text(REASON));
    };
    let result = apa::adjusted(text(RESULT), p, adjusted, of_hypotheses(row.n_tests));
    match (about, row.text(IN_WORDS), row.text(EFFECT)) {
        (About::Joint { outcome, term, n_effects }, words, _) => {
            let differs = differs(outcome, term, *n_effects, adjusted < SIGNIFICANT);
            let effects = words.map(|words| format!(" {words}.")).unwrap_or_default();
            format!("{subject}: {differs}, {result}.{effects}")
        }
        (About::TooWide(_), Some(words), _) => format!("{subject}: {}.", begun_small(words)),
        (About::TooWide(size), None, effect) => format!("{subject} ({}): {size}.", effect.unwrap_or_default()),
        (About::Row, Some(words), _) => format!("{subject}: {}; {result}.", begun_small(words)),
        (About::Row, None, Some(effect)) => format!("{subject} ({effect}): {result}."),
        (About::Row, None, None) => format!("{subject}: {result}."),
    }
}

/// A sentence behind a colon.
fn begun_small(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Cells, check_cells};
    use plymap_tables::Columns;

    fn spoken() -> Spoken<'static> {
        Spoken { reference: Some("slow"), confidence: Confidence::default(), solved: "solved", is_pilot: false }
    }

    fn term(text: &str) -> Hypothesis {
        Hypothesis::Term(text.to_owned())
    }

    fn row(table: &str, cells: &[(&str, &str)]) -> Hypothesis {
        let cells = cells.iter().map(|&(column, text)| (column.to_owned(), text.to_owned()));
        Hypothesis::Row { table: table.to_owned(), row: cells.collect() }
    }

    /// Tests of three terms, the effects of two of them, and two tests of conditions.
    fn tables() -> [Table; 3] {
        let p_values = [Some(0.01), Some(0.04), None];
        let sentence = |p: Option<f64>| format!("F(1, 9) = 2.00, {}", p.map_or(String::new(), apa::p_value));
        let rows = [("solved", "condition"), ("pauses", "quality : condition"), ("solved", "trial_number")];
        let rows: Vec<_> = rows.iter().zip(p_values).collect();
        let terms = Columns::new()
            .column(&rows, text("model", ""), |row| row.0.0.to_owned())
            .column(&rows, text("term", ""), |row| row.0.1.to_owned())
            .column(&rows, number("p_value", ""), |row| row.1)
            .column(&rows, text("sentence", ""), |row| sentence(row.1))
            .column(&rows, text("reason", ""), |row| row.1.is_none().then(|| "it is constant".to_owned()))
            .into_table(TERMS, "Terms.");
        let tests = [("time_s", "welch", 0.03), ("time_s", "mann-whitney", 0.5)];
        let tests = Columns::new()
            .column(&tests, text("measure", ""), |row| row.0.to_owned())
            .column(&tests, text("test", ""), |row| row.1.to_owned())
            .column(&tests, number("p_value", ""), |row| Some(row.2))
            .column(&tests, text("sentence", ""), |row| format!("t(9) = 2.00, {}", apa::p_value(row.2)))
            .into_table("condition_tests", "Tests.");
        let effects = [
            ("solved", "condition = fast", "OR = 2.00, p = .010"),
            ("pauses", "quality = same : condition = fast", "b = 1.00, p = .200"),
            ("pauses", "quality = worse : condition = fast", "b = 2.00, p = .300"),
        ];
        let effects = Columns::new()
            .column(&effects, text("model", ""), |row| row.0.to_owned())
            .column(&effects, text("term", ""), |row| row.1.to_owned())
            .column(&effects, number("estimate", ""), |row| {
                Some(if row.1.contains("worse") { 2.0 } else { 2_f64.ln() })
            })
            .column(&effects, text("sentence", ""), |row| row.2.to_owned())
            .into_table("models", "Effects.");
        [terms, tests, effects]
    }

    #[test]
    fn hypotheses_are_one_family() {
        let tables = tables();
        let hypotheses = [
            term("solved: condition"),
            row("condition_tests", &[("measure", "time_s"), ("test", "welch")]),
            term("pauses: quality:condition"),
        ];
        let tests = Confirmatory::new(&hypotheses, &tables.each_ref(), &spoken());
        let table = tests.table().unwrap();
        check_cells(&table);
        // Holm: 3 times .01; 2 times .03; .04, but no less than that before.
        let adjusted: Vec<f64> = (0..3).map(|place| table.number_at(place, Named("p_adjusted")).unwrap()).collect();
        let close = |(value, expected): (&f64, f64)| (value - expected).abs() < 1e-12;
        assert!(adjusted.iter().zip([0.03, 0.06, 0.06]).all(close), "{adjusted:?}");
        assert_eq!(corrected(&table, ("solved", "condition")), table.number_at(0, Named("p_adjusted")));
        assert_eq!(corrected(&table, ("solved", "trial_number")), None);
        // A term with several effects is told by its own test, and the largest of them.
        assert_eq!(
            tests.sentences()[2],
            "The effect of quality × condition in the model pauses: it is not shown that the effect of quality on the response of the model pauses differs by condition, F(1, 9) = 2.00, p = .060 (adjusted over 3 hypotheses). Of the 2 effects, the largest is that of quality = worse : condition = fast (b = 2.00)."
        );
        assert_eq!(
            tests.sentences()[0],
            "The effect of condition in the model solved: under fast, the odds that a trial was solved were 2.00 times as high as under slow; OR = 2.00, p = .030 (adjusted over 3 hypotheses)."
        );
    }

    #[test]
    fn a_pilot_has_estimates_without_tests() {
        let hypotheses = [term("solved: condition"), term("pauses: quality:condition")];
        let spoken = Spoken { is_pilot: true, ..spoken() };
        let said = Confirmatory::new(&hypotheses, &tables().each_ref(), &spoken).sentences();
        assert_eq!(
            said,
            [
                "The effect of condition in the model solved: under fast, the odds that a trial was solved were 2.00 times as high as under slow; OR = 2.00.",
                "The effect of quality × condition in the model pauses: of the 2 effects, the largest is that of quality = worse : condition = fast (b = 2.00).",
            ]
        );
    }

    #[test]
    fn an_effect_that_is_no_result_is_told_without_its_statistics() {
        let [terms, ..] = tables();
        let models = ["solved"];
        let fits = Columns::new()
            .column(&models, text("model", ""), |model| (*model).to_owned())
            .column(&models, text("family", ""), |_| "logistic".to_owned())
            .column(&models, text("formula", ""), |_| "solved ~ 1 + condition".to_owned())
            .into_table(FITS, "Fits.");
        // Conditions with their log odds, and half of the width of the interval.
        let said = |rows: &[(&str, f64, f64)]| {
            let effects = Columns::new()
                .column(rows, text("model", ""), |_| models[0].to_owned())
                .column(rows, text("term", ""), |row| format!("condition = {}", row.0))
                .column(rows, number("estimate", ""), |row| Some(row.1))
                .column(rows, number("lower", ""), |row| Some(row.1 - row.2))
                .column(rows, number("upper", ""), |row| Some(row.1 + row.2))
                .column(rows, text("sentence", ""), |row| format!("OR = {}, p = .010", apa::ratio(row.1.exp())))
                .into_table("models", "Effects.");
            let tests = Confirmatory::new(&[term("solved: condition")], &[&terms, &effects, &fits], &spoken());
            tests.sentences().remove(0)
        };
        let subject = "The effect of condition in the model solved";
        let unknown = "ow fast and slow differ in the odds that a trial was solved cannot be told from these data";
        assert_eq!(said(&[("fast", 9.0, 9.0)]), format!("{subject}: h{unknown}."));
        // A test alone is that of no family.
        let differed = format!(
            "{subject}: the odds that a trial was solved differed between the 3 conditions, F(1, 9) = 2.00, p = .010"
        );
        let quick = "Under quick, the odds that a trial was solved were 2.00 times as high as under slow, 95 % CI [1.21, 3.30] (OR = 2.00)";
        assert_eq!(
            said(&[("fast", 9.0, 9.0), ("quick", 2_f64.ln(), 0.5)]),
            format!("{differed}. H{unknown}. {quick}.")
        );
        // Of many differences the largest is told.
        let many = said(
            &["a", "b", "c", "quick", "d"].map(|name| (name, if name == "quick" { 2_f64.ln() } else { 0.1 }, 0.5)),
        );
        let largest = quick
            .replace("Under quick, the", "Of the 5 differences from slow, the largest is that under quick, where the");
        assert!(many.ends_with(&format!("between the 6 conditions, F(1, 9) = 2.00, p = .010. {largest}.")), "{many}");
    }

    #[test]
    fn what_cannot_be_tested_is_told_and_is_no_part_of_the_family() {
        let tables = tables();
        let hypotheses = [
            term("solved: trial_number"),
            term("solved: start_distance"),
            row("condition_tests", &[("measure", "time_s")]),
            row("survival", &[("scope", "all")]),
            term("solved: condition"),
        ];
        let tests = Confirmatory::new(&hypotheses, &tables.each_ref(), &spoken());
        let table = tests.table().unwrap();
        let reasons = table.cells("reason");
        let has = |place: usize, words: &str| reasons[place].as_deref().is_some_and(|reason| reason.contains(words));
        assert!(has(0, "it is constant") && has(1, "may not vary") && has(2, "2 rows"), "{reasons:?}");
        assert!(has(3, "no such table") && reasons[4].is_none(), "{reasons:?}");
        assert_eq!(table.number_at(4, Named("p_adjusted")), Some(0.01));
        let untested = "The effect of trial_number in the model solved could not be tested: it is constant";
        assert!(tests.sentences()[0].starts_with(untested));
        assert!(Confirmatory::new(&[], &tables.each_ref(), &spoken()).table().is_none());
    }

    #[test]
    fn a_hypothesis_must_be_a_test_that_there_is() {
        let all: Vec<&Analysis> = ANALYSES.iter().collect();
        let specs = [ModelSpec {
            name: "pauses".to_owned(),
            rows: crate::models::Rows::LaterMoves,
            formula: "rt_s ~ quality * condition + (1 | participant)".to_owned(),
            about: Vec::new(),
        }];
        let check = |hypothesis: Hypothesis| hypothesis.check(&all, &specs);
        assert_eq!(check(term("pauses: quality:condition")), Ok(()));
        assert_eq!(check(row("survival", &[("scope", "all")])), Ok(()));
        let refused = |hypothesis, words: &str| {
            let why = check(hypothesis).unwrap_err();
            assert!(why.contains(words), "{why}");
        };
        refused(term("pauses: ply"), "its terms are quality, condition, quality : condition");
        refused(term("puases: quality"), "the models are time-of-moves, ");
        refused(term("condition"), "is not a model and a term");
        refused(row("survivals", &[("scope", "all")]), "the table survivals, which no analysis makes");
        refused(row("survival", &[]), "names no column");
        let why = term("solved: condition").check(&[Analysis::named("survival").unwrap()], &[]).unwrap_err();
        assert!(why.ends_with("add models to analyses in [statistics]"), "{why}");
    }
}
