//! Intraclass correlations of complete tables.

use serde::Serialize;

use super::alpha::ALPHA;
use super::tables::{MEASURED, N_ITEMS, WIDE, WIDE_ASSUMPTIONS, each_long_table, wide_table};
use crate::apa;
use crate::estimator::{Estimate, Estimator};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::{f_upper, f_upper_quantile};
use crate::numeric::moments::mean;
use crate::record::*;
use crate::stats::friedman::check_rows;

/// Form of the intraclass correlation, in the notation of Shrout & Fleiss (1979) and, in parentheses, of
/// McGraw & Wong (1996). The first number is the model; k marks the mean of the k columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Form {
    /// ICC(1,1): one-way, each row has other random columns; a single value.
    #[serde(rename = "ICC(1,1)")]
    OneSingle,
    /// ICC(2,1) (A,1): random columns, absolute agreement; a single value.
    #[serde(rename = "ICC(2,1)")]
    AgreementSingle,
    /// ICC(3,1) (C,1): consistency, differences between the columns do not count; a single value.
    #[serde(rename = "ICC(3,1)")]
    ConsistencySingle,
    /// ICC(1,k): one-way; the mean of k values.
    #[serde(rename = "ICC(1,k)")]
    OneMean,
    /// ICC(2,k) (A,k): absolute agreement of the mean of k values.
    #[serde(rename = "ICC(2,k)")]
    AgreementMean,
    /// ICC(3,k) (C,k): consistency of the mean of k values; equal to Cronbach's α.
    #[serde(rename = "ICC(3,k)")]
    ConsistencyMean,
}

/// One intraclass correlation with its test and interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Intraclass {
    /// The form.
    pub form: Form,
    /// The coefficient, at most 1; estimates can be negative.
    pub estimate: f64,
    /// Lower end of the interval; absent if the rows differ without any error.
    pub lower: Option<f64>,
    /// Upper end of the interval; absent with the lower one.
    pub upper: Option<f64>,
    /// The F statistic of the hypothesis that the coefficient is 0; infinite without error.
    pub statistic: f64,
    /// Numerator degrees of freedom.
    pub df1: usize,
    /// Denominator degrees of freedom.
    pub df2: usize,
    /// Probability of so large an F.
    pub p_value: f64,
    /// Method of the p value.
    pub p_method: PMethod,
}

/// All six intraclass correlations of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IntraclassForms {
    /// Number of rows n (participants).
    pub n: usize,
    /// Number of columns k (occasions, levels, raters).
    pub k: usize,
    /// The six forms in the order of [`Form`]; empty if they cannot be estimated.
    pub forms: Vec<Intraclass>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Reason why there are none, or why they have no intervals.
    pub reason: Option<NotEstimable>,
}

/// Mean squares of a two-way table with one value in each cell.
struct MeanSquares {
    rows: f64,
    columns: f64,
    error: f64,
    within_rows: f64,
}

const FORM: Column = text(
    "form",
    "1: one-way; 2: absolute agreement; 3: consistency; then 1 for a single value, k for the mean of the k items",
);

/// The intraclass correlations of a column of any table, by participant and item.
pub const ICC: Estimator = Estimator {
    name: "icc",
    summary: "The six intraclass correlations of participants by items, occasions or raters.",
    source: "Shrout and Fleiss (1979); McGraw and Wong (1996).",
    columns: joined!(
        &[
            MEASURED,
            FORM,
            N.means("number of participants with all items"),
            N_ITEMS,
            N_ROWS.means("number of rows with all values"),
            N_MISSING,
            N_EXCLUDED,
            ESTIMATE.means("the intraclass correlation, at most 1")
        ],
        BOUNDS,
        &[STATISTIC.means("F"), DF.means("numerator degrees of freedom"), DF2, P_VALUE],
        P_METHOD_COLUMNS
    ),
    estimate: Estimate::Table(|sample| each_long_table(sample, estimate_table)),
    ..ALPHA
};

/// The intraclass correlations of the columns of any table as items.
pub const ICC_COLUMNS: Estimator = Estimator {
    name: "icc-columns",
    summary: "The six intraclass correlations of columns, each an item, occasion or rater.",
    assumptions: WIDE_ASSUMPTIONS,
    roles: WIDE,
    estimate: Estimate::Table(|sample| wide_table(sample, estimate_table)),
    ..ICC
};

fn estimate_table(rows: &[Vec<f64>], confidence: Confidence) -> Vec<Record> {
    intraclass(rows, confidence).records()
}

/// The intraclass correlations of a complete table: each row is a participant, each column an
/// occasion.
///
/// Shrout & Fleiss (1979). Intraclass correlations: Uses in assessing rater reliability.
/// *Psychological Bulletin*, 86, 420–428. McGraw & Wong (1996). Forming inferences about some intraclass
/// correlation coefficients. *Psychological Methods*, 1, 30–46 (and the correction on p. 390), whose
/// intervals these are. The same as pingouin's `intraclass_corr`.
///
/// ```
/// use plymap_statistics::stats::{Confidence, reliability::intraclass};
///
/// // Shrout & Fleiss (1979), table 2: four judges rate six targets.
/// let ratings = [[9.0, 2.0, 5.0, 8.0], [6.0, 1.0, 3.0, 2.0], [8.0, 4.0, 6.0, 8.0],
///     [7.0, 1.0, 2.0, 6.0], [10.0, 5.0, 6.0, 9.0], [6.0, 2.0, 4.0, 7.0]];
/// let found = intraclass(&ratings, Confidence::default());
/// let rounded: Vec<f64> = found.forms.iter().map(|icc| (100.0 * icc.estimate).round() / 100.0).collect();
/// assert_eq!(rounded, [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]);
/// ```
pub fn intraclass<R: AsRef<[f64]>>(table: &[R], confidence: Confidence) -> IntraclassForms {
    let rows: Vec<&[f64]> = table.iter().map(AsRef::as_ref).collect();
    let (n, k) = (rows.len(), rows.first().map_or(0, |row| row.len()));
    let mut result = IntraclassForms { n, k, forms: Vec::new(), confidence, reason: None };
    match MeanSquares::of(&rows) {
        Ok(squares) => result.complete(&squares),
        Err(reason) => result.reason = Some(reason),
    }
    result
}

impl Intraclass {
    /// `ICC(2,1) = .29, 95 % CI [.02, .76], F(5, 15) = 11.03, p < .001`, with the confidence level of
    /// the table that it is from.
    pub fn sentence(&self, confidence: Confidence) -> String {
        let interval = apa::interval(confidence, self.lower.zip(self.upper), |value| apa::bounded(value, 2));
        let (estimate, f) = (apa::bounded(self.estimate, 2), apa::number(self.statistic, 2));
        let (df1, df2, p) = (self.df1, self.df2, apa::p_value(self.p_value));
        format!("{} = {estimate}{interval}, F({df1}, {df2}) = {f}, {p}", self.form.name())
    }
}

impl Form {
    /// Its name, such as `ICC(2,1)`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneSingle => "ICC(1,1)",
            Self::AgreementSingle => "ICC(2,1)",
            Self::ConsistencySingle => "ICC(3,1)",
            Self::OneMean => "ICC(1,k)",
            Self::AgreementMean => "ICC(2,k)",
            Self::ConsistencyMean => "ICC(3,k)",
        }
    }
}

impl MeanSquares {
    fn of(rows: &[&[f64]]) -> Result<Self, NotEstimable> {
        check_rows(rows)?;
        check_count("an intraclass correlation", "rows", rows.len(), 2)?;
        check_count("an intraclass correlation", "columns", rows[0].len(), 2)?;
        let all: Vec<f64> = rows.iter().flat_map(|row| row.iter()).copied().collect();
        if all.iter().all(|&value| value == all[0]) {
            return Err(NotEstimable::NoVariance { variable: "the table" });
        }
        let (n, k) = (rows.len() as f64, rows[0].len() as f64);
        let grand = mean(&all);
        let row_means: Vec<f64> = rows.iter().map(|row| mean(row)).collect();
        let column_means: Vec<f64> =
            (0..rows[0].len()).map(|number| mean(&rows.iter().map(|row| row[number]).collect::<Vec<_>>())).collect();
        let squares = |means: &[f64]| means.iter().map(|mean| (mean - grand).powi(2)).sum::<f64>();
        let total = squares(&all);
        let (mut error, mut within) = (0.0, 0.0);
        for (row, row_mean) in rows.iter().zip(&row_means) {
            for (value, column_mean) in row.iter().zip(&column_means) {
                error += (value - row_mean - column_mean + grand).powi(2);
                within += (value - row_mean).powi(2);
            }
        }
        // Rounding of the means is no error of measurement.
        let or_zero = |sum: f64| if sum <= total * (8.0 * f64::EPSILON).powi(2) { 0.0 } else { sum };
        Ok(Self {
            rows: k * or_zero(squares(&row_means)) / (n - 1.0),
            columns: n * or_zero(squares(&column_means)) / (k - 1.0),
            error: or_zero(error) / ((n - 1.0) * (k - 1.0)),
            within_rows: or_zero(within) / (n * (k - 1.0)),
        })
    }
}

impl IntraclassForms {
    /// A row for each form, or one that says why there is none.
    fn records(&self) -> Vec<Record> {
        if self.forms.is_empty() {
            return vec![Record::new().set(REASON, self.reason.clone())];
        }
        self.forms.iter().map(|form| self.record(form)).collect()
    }

    /// One of the forms as a row.
    pub fn record(&self, form: &Intraclass) -> Record {
        Record::new()
            .family(form.form.name())
            .set(FORM, form.form.name())
            .set(ESTIMATE, form.estimate)
            .set(LOWER, form.lower)
            .set(UPPER, form.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(STATISTIC, form.statistic)
            .set(DF, form.df1)
            .set(DF2, form.df2)
            .set(P_VALUE, form.p_value)
            .set(P_METHOD, form.p_method)
            .set(SENTENCE, form.sentence(self.confidence))
            .set(REASON, self.reason.clone())
    }

    fn complete(&mut self, squares: &MeanSquares) {
        if squares.rows == 0.0 && squares.error == 0.0 {
            let why = "the rows do not differ and there is no error".to_owned();
            self.reason = Some(NotEstimable::Undefined { quantity: "an intraclass correlation", why });
            return;
        }
        let (n, k) = (self.n as f64, self.k as f64);
        let MeanSquares { rows, columns, error, within_rows } = *squares;
        let one_way = self.ratio(rows, within_rows, self.n * (self.k - 1));
        let consistency = self.ratio(rows, error, (self.n - 1) * (self.k - 1));
        let single =
            |ratio: &Ratio| (ratio.numerator - ratio.denominator) / (ratio.numerator + (k - 1.0) * ratio.denominator);
        let agreement = (rows - error) / (rows + (k - 1.0) * error + k * (columns - error) / n);
        let agreement_mean = (rows - error) / (rows + (columns - error) / n);
        let ends = self.agreement_ends(squares, agreement);
        let of_mean = |end: f64| k * end / (1.0 + (k - 1.0) * end);
        let one_ends = one_way.ends(self.confidence);
        let consistency_ends = consistency.ends(self.confidence);
        let to_single = |(low, high): (f64, f64)| ((low - 1.0) / (low + k - 1.0), (high - 1.0) / (high + k - 1.0));
        let to_mean = |(low, high): (f64, f64)| (1.0 - 1.0 / low, 1.0 - 1.0 / high);
        // Agreement is tested by the F of consistency: its numerator too is 0 where the rows' mean square is that of
        // error.
        self.forms = vec![
            one_way.form(Form::OneSingle, single(&one_way), one_ends.map(to_single)),
            consistency.form(Form::AgreementSingle, agreement, ends),
            consistency.form(Form::ConsistencySingle, single(&consistency), consistency_ends.map(to_single)),
            one_way.form(Form::OneMean, 1.0 - within_rows / rows, one_ends.map(to_mean)),
            consistency.form(
                Form::AgreementMean,
                agreement_mean,
                ends.map(|(low, high)| (of_mean(low), of_mean(high))),
            ),
            consistency.form(Form::ConsistencyMean, 1.0 - error / rows, consistency_ends.map(to_mean)),
        ];
        if self.forms.iter().any(|form| !form.estimate.is_finite()) {
            self.forms.clear();
            let why = "the rows' means do not differ".to_owned();
            self.reason = Some(NotEstimable::Undefined { quantity: "an intraclass correlation", why });
        } else if self.forms.iter().any(|form| form.lower.is_none()) {
            let why = "there is no error, so that F is infinite".to_owned();
            self.reason = Some(NotEstimable::Undefined { quantity: "an interval", why });
        }
    }

    fn ratio(&self, numerator: f64, denominator: f64, df2: usize) -> Ratio {
        Ratio { numerator, denominator, df1: self.n - 1, df2 }
    }

    /// The interval of ICC(A,1), with Satterthwaite's degrees of freedom (McGraw & Wong, 1996, table 7).
    fn agreement_ends(&self, squares: &MeanSquares, estimate: f64) -> Option<(f64, f64)> {
        let (n, k) = (self.n as f64, self.k as f64);
        let MeanSquares { rows, columns, error, .. } = *squares;
        let column_weight = k * estimate / (n * (1.0 - estimate));
        let error_weight = 1.0 + k * estimate * (n - 1.0) / (n * (1.0 - estimate));
        let (of_columns, of_error) = (column_weight * columns, error_weight * error);
        let df = (of_columns + of_error).powi(2)
            / (of_columns.powi(2) / (k - 1.0) + of_error.powi(2) / ((n - 1.0) * (k - 1.0)));
        if error == 0.0 || !(df.is_finite() && df > 0.0) {
            return None;
        }
        let tail = self.confidence.tail();
        let below = f_upper_quantile(tail, n - 1.0, df);
        let above = f_upper_quantile(tail, df, n - 1.0);
        let rest = k * columns + (k * n - k - n) * error;
        let lower = n * (rows - below * error) / (below * rest + n * rows);
        let upper = n * (above * rows - error) / (rest + n * above * rows);
        Some((lower, upper)).filter(|(lower, upper)| lower.is_finite() && upper.is_finite())
    }
}

/// Two mean squares and their degrees of freedom.
struct Ratio {
    numerator: f64,
    denominator: f64,
    df1: usize,
    df2: usize,
}

impl Ratio {
    fn statistic(&self) -> f64 {
        self.numerator / self.denominator
    }

    /// The ends of the interval of the ratio of the expected mean squares.
    fn ends(&self, confidence: Confidence) -> Option<(f64, f64)> {
        let (df1, df2, tail) = (self.df1 as f64, self.df2 as f64, confidence.tail());
        let low = self.statistic() / f_upper_quantile(tail, df1, df2);
        let high = self.statistic() * f_upper_quantile(tail, df2, df1);
        Some((low, high)).filter(|(low, high)| *low > 0.0 && high.is_finite())
    }

    fn form(&self, form: Form, estimate: f64, ends: Option<(f64, f64)>) -> Intraclass {
        Intraclass {
            form,
            estimate,
            lower: ends.map(|ends| ends.0),
            upper: ends.map(|ends| ends.1),
            statistic: self.statistic(),
            df1: self.df1,
            df2: self.df2,
            p_value: f_upper(self.statistic(), self.df1 as f64, self.df2 as f64),
            p_method: PMethod::FDistribution,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimates(table: &[Vec<f64>]) -> Vec<f64> {
        intraclass(table, Confidence::default()).forms.iter().map(|form| form.estimate).collect()
    }

    #[test]
    fn a_constant_difference_between_columns_is_consistent_but_no_agreement() {
        let table = [vec![1.0, 3.0], vec![2.0, 4.0], vec![5.0, 7.0]];
        let constant_shift = intraclass(&table, Confidence::default());
        assert_eq!((constant_shift.forms[2].estimate, constant_shift.forms[2].statistic), (1.0, f64::INFINITY));
        assert!(constant_shift.forms[1].estimate < 0.8);
        assert!(constant_shift.reason.unwrap().to_string().contains("F is infinite"));
    }

    #[test]
    fn equal_columns_agree_wholly() {
        assert_eq!(estimates(&[vec![0.1, 0.1], vec![0.7, 0.7], vec![0.3, 0.3]]), [1.0; 6]);
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let reason = |table: &[Vec<f64>]| {
            let reliability = intraclass(table, Confidence::default());
            assert!(reliability.forms.is_empty());
            reliability.reason.unwrap().to_string()
        };
        assert_eq!(reason(&[]), "an intraclass correlation needs at least 2 rows, found 0");
        assert_eq!(reason(&[vec![1.0], vec![2.0]]), "an intraclass correlation needs at least 2 columns, found 1");
        assert_eq!(reason(&[vec![0.1; 2], vec![0.1; 2]]), "all values of the table are equal");
        assert!(reason(&[vec![1.0, 2.0], vec![1.0, 2.0]]).contains("the rows do not differ"));
        assert!(reason(&[vec![1.0, 2.0], vec![2.0, 1.0]]).contains("do not differ"));
        assert!(reason(&[vec![1.0, f64::NAN], vec![2.0, 1.0]]).starts_with("a row holds NaN"));
    }
}
