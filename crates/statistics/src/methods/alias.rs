//! Estimators by the names that R, Python, SPSS, JASP and jamovi have for them.

use crate::estimator::error::nearest;
use crate::estimator::{Estimator, EstimatorError, Request, ResultTable};
use crate::methods::list::ESTIMATORS;

/// Names of other programs, and the estimators that each of them may mean; columns decide between several.
const ALIASES: &[(&[&str], &[&str])] = &[
    (&["descriptives", "summary", "skim"], &["describe"]),
    (&["percentiles"], &["quantiles"]),
    (&["mad"], &["outliers"]),
    (&["boxplot", "iqr"], &["outliers-tukey"]),
    (&["binomial", "wilson", "prop.test", "proportion-confint"], &["proportion"]),
    (&["boot", "bootstrap"], &["bootstrap-mean", "bootstrap-median", "bootstrap-pearson", "bootstrap-spearman"]),
    (&["pearsonr", "pearson-correlation"], &["pearson", "matrix-pearson"]),
    (&["spearmanr", "spearman-correlation", "rho"], &["spearman", "matrix-spearman"]),
    (&["kendalltau", "kendall-correlation", "tau", "tau-b", "mann-kendall"], &["kendall", "matrix-kendall"]),
    (&["cor", "cor.test", "corr", "correlation"], &["pearson", "spearman", "kendall"]),
    (&["partial-corr", "pcor", "pcor.test", "partial-correlation"], &["partial-pearson", "partial-spearman"]),
    (&["rcorr", "corr-matrix", "pairwise-corr"], &["matrix-pearson", "matrix-spearman", "matrix-kendall"]),
    (&["rmcorr", "repeated-measures-correlation"], &["repeated"]),
    (&["t-test"], &["welch", "wilcoxon"]),
    (&["welch-t", "welch-t-test", "independent-samples-t-test", "unpaired-t", "ttest-ind"], &["welch"]),
    (&["u-test", "mwu", "mann-whitney-u", "mann-whitney-u-test", "ranksums", "rank-sum"], &["mann-whitney"]),
    (&["wilcoxon-rank-sum"], &["mann-whitney"]),
    (&["wilcox", "wilcox.test"], &["mann-whitney", "wilcoxon", "wilcoxon-columns"]),
    (&["signed-rank", "wilcoxon-signed-rank"], &["wilcoxon", "wilcoxon-columns"]),
    (&["brunner-munzel.test"], &["brunner-munzel"]),
    (&["kruskal", "kruskal.test", "kruskal-wallis-h", "h-test"], &["kruskal-wallis"]),
    (&["dunn.test", "posthoc-dunn"], &["dunn"]),
    (&["friedman.test", "friedman-chi-square"], &["friedman", "friedman-columns"]),
    (&["chi-square", "chi2", "chisq", "chisq.test", "chi2-contingency", "chi2-independence"], &["chi-squared"]),
    (&["crosstab", "crosstabs", "contingency-table"], &["chi-squared-cells", "chi-squared"]),
    (&["lm", "ols", "linregress", "linear-regression", "regression"], &["line"]),
    (&["rma", "metafor", "meta", "meta-analysis"], &["random-effects"]),
    (&["learning-curve", "power-law"], &["learning", "learning-parameters"]),
    (&["glm"], &["logistic", "line"]),
    (&["logit", "logistic-regression", "logreg", "binary-logistic"], &["logistic"]),
    (&["lmer", "lme", "lme4", "lmm", "mixedlm", "mixed-model", "linear-mixed-model", "hlm"], &["mixed"]),
    (&["glmer", "glmm", "melogit"], &["logistic-mixed"]),
    (&["emmeans", "lsmeans", "marginal-means"], &["mixed-means"]),
    (&["contrasts", "pairwise-contrasts"], &["mixed-contrasts", "logistic-mixed-contrasts"]),
    (&["likelihood-ratio", "lrt"], &["mixed-comparisons", "logistic-mixed-comparisons"]),
    (&["varcorr", "variance-components"], &["mixed-variances", "logistic-mixed-variances"]),
    (&["ranef", "blup"], &["mixed-modes", "logistic-mixed-modes"]),
    (&["spearman-brown"], &["split-half"]),
    (&["cronbach", "cronbach-alpha", "tau-equivalent"], &["alpha", "alpha-columns"]),
    (&["intraclass", "intraclass-corr", "intraclass-correlation"], &["icc", "icc-columns"]),
    (&["irt", "1pl", "eirt", "tam"], &["rasch"]),
    (&["rm", "conditional-rasch"], &["rasch-conditional"]),
    (&["km", "survfit", "kaplan-meier-fitter"], &["kaplan-meier"]),
    (&["survival", "survival-function"], &["survival-curve"]),
    (&["logrank-test", "survdiff", "mantel-cox"], &["log-rank"]),
    (&["coxph", "coxreg", "phreg", "cox-regression", "cox-ph-fitter"], &["cox"]),
    (&["cox.zph", "schoenfeld", "proportional-hazard-test"], &["proportional-hazards"]),
    (&["p.adjust", "multipletests", "multicomp", "fdr", "holm"], &["adjust"]),
];

/// Methods that plymap does not have, and the estimators that answer the same question.
const KINDRED: &[(&[&str], &[&str])] = &[
    (&["anova", "aov", "f-oneway", "oneway", "oneway.test", "welch-anova"], &["kruskal-wallis", "mixed-terms"]),
    (
        &["rm-anova", "repeated-measures-anova", "anova-rm", "ezanova", "aov-car", "manova"],
        &["mixed-terms", "friedman"],
    ),
    (&["ancova", "two-way-anova", "factorial-anova"], &["mixed-terms"]),
    (&["paired-t", "paired-t-test", "paired-samples-t-test", "ttest-rel"], &["mixed", "wilcoxon", "wilcoxon-columns"]),
    (&["one-sample-t", "one-sample-t-test", "ttest-1samp"], &["bootstrap-mean", "median"]),
    (&["sign-test", "mood"], &["wilcoxon", "median"]),
    (&["tukey", "tukey-hsd", "pairwise-tukey", "pairwise-t-test", "bonferroni"], &["dunn", "mixed-contrasts"]),
    (&["fisher", "fisher.test", "fisher-exact", "mcnemar", "cochran"], &["chi-squared", "logistic-mixed"]),
    (&["cohens-d", "hedges-g", "cliffs-delta", "effect-size"], &["welch", "mann-whitney"]),
    (&["gee", "cluster-robust"], &["logistic", "mixed"]),
    (&["poisson", "negative-binomial", "probit"], &["mixed", "logistic-mixed"]),
    (&["omega", "mcdonald"], &["alpha", "alpha-columns"]),
    (&["2pl", "3pl", "mirt"], &["rasch"]),
];

/// A name without what programs put between its words: t-test, t.test, t_test and `ttest` are one.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The tables of all estimators.
fn all() -> impl Iterator<Item = ResultTable> {
    ESTIMATORS.iter().flat_map(Estimator::tables)
}

/// The estimators beside this name in a table.
fn listed(table: &[(&[&str], &'static [&'static str])], name: &str) -> Option<Vec<ResultTable>> {
    let wanted = plain(name);
    let (_, estimators) = table.iter().find(|(names, _)| names.iter().any(|name| plain(name) == wanted))?;
    Some(estimators.iter().filter_map(|name| all().find(|table| table.name == *name)).collect())
}

/// Names of an estimator in other programs.
pub fn other_names(estimator: &str) -> impl Iterator<Item = &'static str> {
    ALIASES.iter().filter(move |(_, names)| names.contains(&estimator)).flat_map(|(names, _)| *names).copied()
}

/// The estimators that a name can mean: one of this name, or those that other programs know by it.
///
/// # Errors
///
/// [`EstimatorError::UnknownEstimator`], with the names that are nearest, and [`EstimatorError::NoSuchMethod`] with the
/// estimators that answer the same question.
pub(super) fn candidates(name: &str) -> Result<Vec<ResultTable>, EstimatorError> {
    let wanted = plain(name);
    if let Some(table) = all().find(|table| table.name == name || plain(table.name) == wanted) {
        return Ok(vec![table]);
    }
    if let Some(estimators) = listed(ALIASES, name) {
        return Ok(estimators);
    }
    if let Some(estimators) = listed(KINDRED, name) {
        return Err(EstimatorError::NoSuchMethod { name: name.to_owned(), choices: choices(&estimators) });
    }
    // The name of an estimator that is near is meant rather than another program's name for the same. Only what the command
    // takes is suggested: near the name of a method that is not there, the answer is that of the method.
    let mut near = nearest(name, all().map(|table| table.name));
    if near.is_empty() {
        near = nearest(name, names_in(ALIASES));
    }
    match nearest(name, names_in(KINDRED)).first().filter(|_| near.is_empty()) {
        Some(kindred) => candidates(kindred),
        None => Err(EstimatorError::UnknownEstimator { name: name.to_owned(), nearest: near }),
    }
}

fn names_in(table: &'static [(&[&str], &[&str])]) -> impl Iterator<Item = &'static str> {
    table.iter().flat_map(|(names, _)| names.iter().copied())
}

/// The one of several estimators that takes the columns of the request.
pub(super) fn chosen(
    name: &str,
    candidates: &[ResultTable],
    request: Option<&Request>,
) -> Result<ResultTable, EstimatorError> {
    if let [only] = candidates {
        return Ok(*only);
    }
    let roles = request.map(Request::given).unwrap_or_default();
    let takes =
        |table: &&ResultTable| roles.iter().all(|role| table.estimator.roles.iter().any(|need| need.role == *role));
    let has_all = |table: &&&ResultTable| {
        table.estimator.roles.iter().all(|need| !need.is_required() || roles.contains(&need.role))
    };
    let taking: Vec<&ResultTable> = candidates.iter().filter(takes).collect();
    let complete: Vec<&&ResultTable> = taking.iter().filter(has_all).collect();
    match (complete.as_slice(), taking.as_slice()) {
        ([only], _) => Ok(***only),
        (_, [only]) if !roles.is_empty() => Ok(**only),
        _ => Err(EstimatorError::AmbiguousEstimator { name: name.to_owned(), choices: choices(candidates) }),
    }
}

/// Each estimator with what it does and the options that it needs.
fn choices(tables: &[ResultTable]) -> Vec<String> {
    tables.iter().map(described).collect()
}

fn described(table: &ResultTable) -> String {
    let does = table.summary.trim_end_matches('.');
    let needs = table.estimator.roles.iter().filter(|need| need.is_required()).map(|need| format!("--{}", need.role));
    format!("{} ({does}; {})", table.name, needs.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::estimator::Role;
    use crate::methods::{meant, named};

    #[test]
    fn every_name_is_there_once_and_stands_for_estimators() {
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for (names, estimators) in ALIASES.iter().chain(KINDRED) {
            for name in *names {
                assert_eq!(known.insert(plain(name), name), None, "{name} stands twice");
                assert!(!all().any(|table| plain(table.name) == plain(name)), "{name} is an estimator");
            }
            for name in *estimators {
                assert!(all().any(|table| table.name == *name), "there is no {name}");
            }
        }
    }

    #[test]
    fn an_estimator_is_found_by_what_others_call_it() {
        for (name, estimator) in [
            ("Mann-Whitney U", "mann-whitney"),
            ("mannwhitneyu", "mann-whitney"),
            ("KaplanMeierFitter", "kaplan-meier"),
            ("kaplan_meier", "kaplan-meier"),
            ("coxph", "cox"),
            ("glmer", "logistic-mixed"),
            ("logit", "logistic"),
            ("chisq.test", "chi-squared"),
            ("welch", "welch"),
        ] {
            assert_eq!(named(name).map(|table| table.name).ok(), Some(estimator), "{name}");
        }
        assert!(other_names("kaplan-meier").any(|name| name == "survfit"));
    }

    #[test]
    fn columns_decide_between_several() {
        let frame = crate::estimator::Frame::new(Vec::new()).unwrap();
        let meant = |name: &str, roles: &[Role]| {
            let request = roles.iter().fold(Request::new(&frame), |request, role| request.role(*role, &["a"]));
            meant(name, &request).map(|table| table.name).map_err(|error| error.to_string())
        };
        let (y, group, participant) = (Role::Y, Role::Group, Role::Participant);
        assert_eq!(meant("t-test", &[y, group]), Ok("welch"));
        assert_eq!(meant("wilcox.test", &[y, group]), Ok("mann-whitney"));
        assert_eq!(meant("wilcox.test", &[Role::X]), Ok("wilcoxon-columns"));
        assert_eq!(meant("cronbach_alpha", &[Role::X]), Ok("alpha-columns"));
        assert_eq!(meant("cronbach_alpha", &[y, participant]), Ok("alpha"), "which then says that it needs --item");
        let several = meant("t-test", &[y, group, participant]).unwrap_err();
        assert!(
            several.contains("welch (") && several.contains("wilcoxon (") && several.contains("--group"),
            "{several}"
        );
        assert!(meant("t-test", &[]).is_err());
    }

    #[test]
    fn a_method_that_is_not_there_is_answered_with_those_for_the_same_question() {
        let said = named("ttest_rel").unwrap_err().to_string();
        assert!(said.starts_with("plymap has no \"ttest_rel\"; for the same question there are mixed ("), "{said}");
        let near = named("ttest_rell").unwrap_err().to_string();
        assert!(near.starts_with("plymap has no \"ttest-rel\"; for the same question there are mixed ("), "{near}");
        let misspelt = named("survfitt").unwrap_err().to_string();
        assert!(misspelt.contains("did you mean \"survfit\"?"), "{misspelt}");
    }
}
