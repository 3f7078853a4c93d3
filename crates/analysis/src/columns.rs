//! Columns that several tables of a study share, or that its figures and sentences read: under one name, and with one
//! meaning unless a table says more.

#![expect(missing_docs, reason = "what a column means is said once, as its meaning")]

use plymap_statistics::record::{self, Column, Record, count, number, text, whole};
use plymap_statistics::stats::apa;

pub const SCOPE: Column = text("scope", "which rows are taken together");
pub const GROUP: Column = text("group", "the condition, level or participant");
pub const LEVEL: Column = text("level", "level that was played");
pub const POSITION: Column = text("position", "the position, for plymap explain");
pub const MODEL: Column = text("model", "the model");
pub const MIXED_MODEL: Column = MODEL.means("which model; the table model_fits has the formula of each");
pub const FACTOR: Column = text("factor", "what rows are grouped by");
pub const TEST: Column = text("test", "which test");
pub const CRITERION: Column = text("criterion", "what models are compared by");
pub const STRATA: Column = text(
    "strata",
    "none: one baseline hazard for all trials; level: one for each level, so that conditions are compared within levels",
)
.levels(&["none", "level"]);
pub const ASSUMPTION: Column = text("unsolved", "what is assumed of trials that ended without a solution");
pub const SOURCE: Column = text("source", "people, or a model");
pub const COVARIATE: Column = text("covariate", "by what it may change");
pub const FROM: Column = text("from", "quality of a move");
pub const TO: Column = text("to", "quality of the move that follows it");
pub const N_FROM: Column = count("n_from", "moves of the first quality that another follows");
pub const N_ERRORS: Column = count("n_errors", "how many of them did not move optimally");
pub const N_BEST: Column = count("n_best", "participants whom the model fits best");
pub const N_CENSORED: Column = count("n_censored", "ended without a solution at this time");
pub const UNSOLVED: Column = number("unsolved", "estimated share that is not solved by then");
pub const SHARE: Column = number("share", "share of the rows");
pub const SHARE_IN_TREE: Column =
    number("share_in_tree", "share of moves that are in the AND-OR tree of their position");
pub const SHARE_SOLVED: Column = number("share_solved", "n_solved / (n_trials − n_unknown)");
pub const SHARE_OPTIMAL: Column = plymap_measures::measure::SHARE_OPTIMAL.column;
pub const MEDIAN_TIME: Column = number("median_time_s", "median time of solved trials").unit("s");
pub const TIME: Column = number("time_s", "time").unit("s");
pub const MEAN: Column = number("mean", "mean over participants of their means");
pub const DISTANCE: Column = number("distance", "mean distance of these moves");
pub const SLOPE: Column = number("slope", "change for each unit of the covariate");
pub const DIFFERENCE: Column = number("difference", "score less that of the best model");
pub const MEAN_DIFFERENCE: Column =
    number("mean_difference", "mean over participants of the criterion less that of the best model");
pub const FREQUENCY: Column = number("frequency", "expected share of participants who follow the model");
pub const MEAN_OF_COVARIATE: Column = number("x", "mean of it over participants");
pub const LOG_RANK: Column = number("log_rank", "log-rank statistic of all conditions, the same in each of their rows");
pub const PROPORTIONAL_P: Column = number(
    "proportional_p",
    "p of the hypothesis that the two are alike, as proportional hazards are: from t of the difference of their logarithms, with a cluster-robust standard error and degrees of freedom as those of the estimate; empty where clusters are too few for twice the covariates",
);
pub const P_ADJUSTED: Column = number("p_adjusted", "p corrected for multiple comparisons");
pub const METHOD: Column = text("method", "coefficient");
pub const N_NOT_SOLVED: Column =
    record::N_EXCLUDED.means("number of trials that were not solved or are not known to have been");
pub const COEFFICIENT: Column = record::ESTIMATE.means("the coefficient");
pub const LOWER: Column = record::LOWER.means("lower end of the interval");
/// Meaning of the lower end of the interval of a share of moves.
pub const LOWER_OVER_PARTICIPANTS: &str = "lower end of its interval: Wilson (1927) at the effective number of moves, clusters being participants (Korn and Graubard, 1998); empty where fewer than two made such moves";
/// Addition to that meaning for the rows of single participants.
pub const LOWER_OF_PARTICIPANT: &str = "of a single participant: Wilson over moves";
pub const UPPER: Column = record::UPPER.means("upper end of the interval");
pub const CONFIDENCE: Column = record::CONFIDENCE.means("level of the interval");
pub const T_OR_Z: Column =
    record::STATISTIC.means("t; for Kendall z; empty where it is infinite because the correlation is perfect");
pub const CORRELATION_DF: Column = whole("df", "degrees of freedom, n − 2; empty for Kendall");
pub use plymap_statistics::stats::correlation::P_OF_CORRELATION;
/// Whether two groups differ by a factor or by an amount.
pub(crate) const EFFECT: Column =
    text("effect", "whether the two groups differ by a factor or by an amount").levels(&["ratio", "difference"]);
pub const SENTENCE: Column = record::SENTENCE.means("APA-formatted result");
pub const NO_RESULT: Column = record::REASON.means("why the result, or its interval, is missing");

/// The sentence of a test of a family, with the p value of its column `adjusted`: the one that readers may rely on, for
/// what is said was picked from many tests.
pub fn adjusted_sentence(record: &Record, adjusted: Column) -> Option<String> {
    let sentence = record.text(record::SENTENCE)?;
    let p_values = record.number(record::P_VALUE).zip(record.number(adjusted));
    Some(p_values.map_or_else(
        || sentence.to_owned(),
        |(p, adjusted)| apa::adjusted(sentence, p, adjusted, record.family_of_tests()),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_statistics::record::{P_VALUE, REASON};

    #[test]
    fn a_sentence_has_the_p_of_its_family() {
        let record = Record::new().set(record::SENTENCE, "ρ(8) = .33, p = .345").set(P_VALUE, 0.345);
        assert_eq!(adjusted_sentence(&record, P_ADJUSTED).as_deref(), Some("ρ(8) = .33, p = .345"));
        let mut adjusted = record.set(P_ADJUSTED, 1.0);
        adjusted.n_tests = 2;
        assert_eq!(
            adjusted_sentence(&adjusted, P_ADJUSTED).as_deref(),
            Some("ρ(8) = .33, p > .999 (adjusted over 2 tests)")
        );
        let none = Record::new().set(record::SENTENCE, "ρ not estimable, n = 2").set(REASON, "too few");
        assert_eq!(adjusted_sentence(&none, P_ADJUSTED).as_deref(), Some("ρ not estimable, n = 2"));
        assert_eq!(adjusted_sentence(&Record::new(), P_ADJUSTED), None);
    }
}
