//! Columns that several tables of a study share.

use plymap_statistics::record::{self, Column, Record, text, whole};
use plymap_statistics::stats::apa;

pub const METHOD: Column = text("method", "coefficient");
pub const N_NOT_SOLVED: Column =
    record::N_EXCLUDED.means("number of trials that were not solved or are not known to have been");
pub const COEFFICIENT: Column = record::ESTIMATE.means("the coefficient");
pub const LOWER: Column = record::LOWER.means("lower end of the interval");
/// What the lower end of the interval of a share of moves is.
pub const LOWER_OVER_PARTICIPANTS: &str = "lower end of its interval: Wilson (1927) at the effective number of moves, clusters being participants (Korn and Graubard, 1998); empty where fewer than two made such moves";
/// What it is in the rows of single participants.
pub const LOWER_OF_PARTICIPANT: &str = "of a single participant: Wilson over moves";
pub const UPPER: Column = record::UPPER.means("upper end of the interval");
pub const CONFIDENCE: Column = record::CONFIDENCE.means("level of the interval");
pub const T_OR_Z: Column =
    record::STATISTIC.means("t; for Kendall z; empty where it is infinite because the correlation is perfect");
pub const CORRELATION_DF: Column = whole("df", "degrees of freedom, n − 2; empty for Kendall");
pub use plymap_statistics::stats::correlation::P_OF_CORRELATION;
pub const SENTENCE: Column = record::SENTENCE.means("APA-formatted result");
pub const NO_RESULT: Column = record::REASON.means("why the result, or its interval, is missing");

/// The sentence of a test of a family, with the p value of its column `adjusted`: the one that readers may rely on, for
/// what is said was picked from many tests.
pub fn adjusted_sentence(record: &Record, adjusted: Column) -> Option<String> {
    let sentence = record.text(record::SENTENCE)?;
    let p_values = record.number(record::P_VALUE).zip(record.number(adjusted));
    Some(p_values.map_or_else(|| sentence.to_owned(), |(p, adjusted)| apa::adjusted(sentence, p, adjusted)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_statistics::record::{P_VALUE, REASON, number};

    const P_HOLM: Column = number("p_adjusted", "p after Holm (1979)");

    #[test]
    fn a_sentence_has_the_p_of_its_family() {
        let record = Record::new().set(record::SENTENCE, "ρ(8) = .33, p = .345").set(P_VALUE, 0.345);
        assert_eq!(adjusted_sentence(&record, P_HOLM).as_deref(), Some("ρ(8) = .33, p = .345"));
        let adjusted = record.set(P_HOLM, 1.0);
        assert_eq!(adjusted_sentence(&adjusted, P_HOLM).as_deref(), Some("ρ(8) = .33, p > .999 (adjusted)"));
        let none = Record::new().set(record::SENTENCE, "ρ not estimable, n = 2").set(REASON, "too few");
        assert_eq!(adjusted_sentence(&none, P_HOLM).as_deref(), Some("ρ not estimable, n = 2"));
        assert_eq!(adjusted_sentence(&Record::new(), P_HOLM), None);
    }
}
