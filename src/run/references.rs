//! The works that the texts of a report cite, and how they stand in its list of references.

use std::collections::BTreeSet;

/// A work in the list of references.
struct Work {
    /// Who wrote it, as a text cites them, without commas: `Kaplan and Meier`. Three and more authors may also be
    /// cited as the first `et al.`
    authors: &'static str,
    year: u16,
    /// In the style of the American Psychological Association (*Publication manual*, 7th ed., chapter 10).
    full: &'static str,
}

const fn work(authors: &'static str, year: u16, full: &'static str) -> Work {
    Work { authors, year, full }
}

/// All works that a report can cite, in the order of the alphabet.
const WORKS: &[Work] = &[
    work(
        "Akaike",
        1974,
        "Akaike, H. (1974). A new look at the statistical model identification. IEEE Transactions on Automatic Control, 19(6), 716–723.",
    ),
    work(
        "Anderson and Goodman",
        1957,
        "Anderson, T. W., & Goodman, L. A. (1957). Statistical inference about Markov chains. Annals of Mathematical Statistics, 28(1), 89–110.",
    ),
    work(
        "Bakdash and Marusich",
        2017,
        "Bakdash, J. Z., & Marusich, L. R. (2017). Repeated measures correlation. Frontiers in Psychology, 8, Article 456.",
    ),
    work(
        "Bates Mächler Bolker and Walker",
        2015,
        "Bates, D., Mächler, M., Bolker, B., & Walker, S. (2015). Fitting linear mixed-effects models using lme4. Journal of Statistical Software, 67(1), 1–48.",
    ),
    work(
        "Benjamini and Hochberg",
        1995,
        "Benjamini, Y., & Hochberg, Y. (1995). Controlling the false discovery rate: A practical and powerful approach to multiple testing. Journal of the Royal Statistical Society: Series B (Methodological), 57(1), 289–300.",
    ),
    work(
        "Bock and Aitkin",
        1981,
        "Bock, R. D., & Aitkin, M. (1981). Marginal maximum likelihood estimation of item parameters: Application of an EM algorithm. Psychometrika, 46(4), 443–459.",
    ),
    work(
        "Bock and Mislevy",
        1982,
        "Bock, R. D., & Mislevy, R. J. (1982). Adaptive EAP estimation of ability in a microcomputer environment. Applied Psychological Measurement, 6(4), 431–444.",
    ),
    work(
        "Bonett and Wright",
        2000,
        "Bonett, D. G., & Wright, T. A. (2000). Sample size requirements for estimating Pearson, Kendall and Spearman correlations. Psychometrika, 65(1), 23–28.",
    ),
    work(
        "Brunner and Munzel",
        2000,
        "Brunner, E., & Munzel, U. (2000). The nonparametric Behrens-Fisher problem: Asymptotic theory and a small-sample approximation. Biometrical Journal, 42(1), 17–25.",
    ),
    work(
        "Burnham and Anderson",
        2002,
        "Burnham, K. P., & Anderson, D. R. (2002). Model selection and multimodel inference: A practical information-theoretic approach (2nd ed.). Springer.",
    ),
    work(
        "Cameron Gelbach and Miller",
        2011,
        "Cameron, A. C., Gelbach, J. B., & Miller, D. L. (2011). Robust inference with multiway clustering. Journal of Business & Economic Statistics, 29(2), 238–249.",
    ),
    work(
        "Cox",
        1972,
        "Cox, D. R. (1972). Regression models and life-tables. Journal of the Royal Statistical Society: Series B (Methodological), 34(2), 187–220.",
    ),
    work(
        "Davison and Hinkley",
        1997,
        "Davison, A. C., & Hinkley, D. V. (1997). Bootstrap methods and their application. Cambridge University Press.",
    ),
    work(
        "Efron",
        1977,
        "Efron, B. (1977). The efficiency of Cox’s likelihood function for censored data. Journal of the American Statistical Association, 72(359), 557–565.",
    ),
    work(
        "Friedman",
        1937,
        "Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of variance. Journal of the American Statistical Association, 32(200), 675–701.",
    ),
    work(
        "Grambsch and Therneau",
        1994,
        "Grambsch, P. M., & Therneau, T. M. (1994). Proportional hazards tests and diagnostics based on weighted residuals. Biometrika, 81(3), 515–526.",
    ),
    work(
        "Haberman",
        1973,
        "Haberman, S. J. (1973). The analysis of residuals in cross-classified tables. Biometrics, 29(1), 205–220.",
    ),
    work(
        "Heathcote Brown and Mewhort",
        2000,
        "Heathcote, A., Brown, S., & Mewhort, D. J. K. (2000). The power law repealed: The case for an exponential law of practice. Psychonomic Bulletin & Review, 7(2), 185–207.",
    ),
    work(
        "Holm",
        1979,
        "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics, 6(2), 65–70.",
    ),
    work(
        "Hubert and Arabie",
        1985,
        "Hubert, L., & Arabie, P. (1985). Comparing partitions. Journal of Classification, 2(1), 193–218.",
    ),
    work(
        "Hyndman and Fan",
        1996,
        "Hyndman, R. J., & Fan, Y. (1996). Sample quantiles in statistical packages. The American Statistician, 50(4), 361–365.",
    ),
    work(
        "Kaplan and Meier",
        1958,
        "Kaplan, E. L., & Meier, P. (1958). Nonparametric estimation from incomplete observations. Journal of the American Statistical Association, 53(282), 457–481.",
    ),
    work(
        "Kruskal and Wallis",
        1952,
        "Kruskal, W. H., & Wallis, W. A. (1952). Use of ranks in one-criterion variance analysis. Journal of the American Statistical Association, 47(260), 583–621.",
    ),
    work(
        "Leys Ley Klein Bernard and Licata",
        2013,
        "Leys, C., Ley, C., Klein, O., Bernard, P., & Licata, L. (2013). Detecting outliers: Do not use standard deviation around the mean, use absolute deviation around the median. Journal of Experimental Social Psychology, 49(4), 764–766.",
    ),
    work(
        "Liang and Zeger",
        1986,
        "Liang, K.-Y., & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. Biometrika, 73(1), 13–22.",
    ),
    work(
        "Lin and Wei",
        1989,
        "Lin, D. Y., & Wei, L. J. (1989). The robust inference for the Cox proportional hazards model. Journal of the American Statistical Association, 84(408), 1074–1078.",
    ),
    work(
        "Mann and Whitney",
        1947,
        "Mann, H. B., & Whitney, D. R. (1947). On a test of whether one of two random variables is stochastically larger than the other. Annals of Mathematical Statistics, 18(1), 50–60.",
    ),
    work(
        "Mantel",
        1966,
        "Mantel, N. (1966). Evaluation of survival data and two new rank order statistics arising in its consideration. Cancer Chemotherapy Reports, 50(3), 163–170.",
    ),
    work(
        "McFadden",
        1974,
        "McFadden, D. (1974). Conditional logit analysis of qualitative choice behavior. In P. Zarembka (Ed.), Frontiers in econometrics (pp. 105–142). Academic Press.",
    ),
    work("McLachlan and Peel", 2000, "McLachlan, G., & Peel, D. (2000). Finite mixture models. Wiley."),
    work(
        "Nakagawa and Schielzeth",
        2013,
        "Nakagawa, S., & Schielzeth, H. (2013). A general and simple method for obtaining R² from generalized linear mixed-effects models. Methods in Ecology and Evolution, 4(2), 133–142.",
    ),
    work(
        "Rabiner",
        1989,
        "Rabiner, L. R. (1989). A tutorial on hidden Markov models and selected applications in speech recognition. Proceedings of the IEEE, 77(2), 257–286.",
    ),
    work(
        "Rasch",
        1960,
        "Rasch, G. (1960). Probabilistic models for some intelligence and attainment tests. Danish Institute for Educational Research.",
    ),
    work(
        "Rigoux Stephan Friston and Daunizeau",
        2014,
        "Rigoux, L., Stephan, K. E., Friston, K. J., & Daunizeau, J. (2014). Bayesian model selection for group studies—Revisited. NeuroImage, 84, 971–985.",
    ),
    work(
        "Satterthwaite",
        1946,
        "Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bulletin, 2(6), 110–114.",
    ),
    work(
        "Schwarz",
        1978,
        "Schwarz, G. (1978). Estimating the dimension of a model. Annals of Statistics, 6(2), 461–464.",
    ),
    work(
        "Shrout and Fleiss",
        1979,
        "Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: Uses in assessing rater reliability. Psychological Bulletin, 86(2), 420–428.",
    ),
    work(
        "Stephan Penny Daunizeau Moran and Friston",
        2009,
        "Stephan, K. E., Penny, W. D., Daunizeau, J., Moran, R. J., & Friston, K. J. (2009). Bayesian model selection for group studies. NeuroImage, 46(4), 1004–1017.",
    ),
    work(
        "Wilcoxon",
        1945,
        "Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin, 1(6), 80–83.",
    ),
    work(
        "Wilson",
        1927,
        "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the American Statistical Association, 22(158), 209–212.",
    ),
    work(
        "Wright and Masters",
        1982,
        "Wright, B. D., & Masters, G. N. (1982). Rating scale analysis: Rasch measurement. MESA Press.",
    ),
];

impl Work {
    /// Whether these authors, as a text has them before the year, are its own. A word with a capital before them may
    /// be taken for one of theirs: `After Wilson (1927)`.
    fn is_by(&self, cited: &str) -> bool {
        let ends_with = |authors: &str| {
            cited.strip_suffix(authors).is_some_and(|before| before.is_empty() || before.ends_with(' '))
        };
        let mut names = self.authors.split(' ').filter(|name| *name != "and");
        let first = names.next().unwrap_or_default();
        ends_with(self.authors) || (names.count() > 1 && ends_with(&format!("{first} et al.")))
    }
}

/// The references of all works that these texts cite, in the order of the alphabet, plymap among them.
pub(super) fn references<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let cited: BTreeSet<(String, u16)> = texts.flat_map(citations).collect();
    let is_cited = |work: &&Work| cited.iter().any(|(authors, year)| *year == work.year && work.is_by(authors));
    let mut references: Vec<String> = WORKS.iter().filter(is_cited).map(|work| work.full.to_owned()).collect();
    references.push(format!("plymap (Version {}) [Computer software].", env!("CARGO_PKG_VERSION")));
    references.sort_by_key(|reference| reference.to_lowercase());
    references
}

/// The works that a text cites, `Wilson (1927)` or `(Bock & Aitkin, 1981)`: authors without commas, and the year.
fn citations(text: &str) -> Vec<(String, u16)> {
    let years = text.match_indices(|c: char| c.is_ascii_digit()).map(|(place, _)| place);
    years.filter_map(|place| Some((authors_before(text, place)?, year_at(text, place)?))).collect()
}

/// The year that begins at this byte.
fn year_at(text: &str, place: usize) -> Option<u16> {
    let digits = text.get(place..place + 4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let rest = &text[place + 4..];
    let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let is_longer = goes_on(rest) || rest.strip_prefix(['.', ',']).is_some_and(goes_on);
    digits.parse().ok().filter(|year| !is_longer && (1900..2100).contains(year))
}

/// The names that end before a year, without commas and with `and` for `&`.
fn authors_before(text: &str, place: usize) -> Option<String> {
    let before = text[..place].strip_suffix(", ").or_else(|| text[..place].strip_suffix(" ("))?;
    let mut words = Vec::new();
    for word in before.rsplit(' ') {
        let opens = word.starts_with('(');
        let word = word.trim_start_matches('(').trim_end_matches(',');
        let is_name = word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '’' | '\''));
        match word {
            "&" | "and" => words.push("and"),
            "et" | "al." => words.push(word),
            word if is_name => words.push(word),
            _ => break,
        }
        if opens {
            break;
        }
    }
    words.reverse();
    // A sentence may go on with `and` before a name: … of Akaike (1974) and Schwarz (1978).
    let first = words.iter().position(|word| *word != "and")?;
    Some(words[first..].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_found_however_they_are_written() {
        let found = |text: &str| -> Vec<String> {
            citations(text).into_iter().map(|(authors, year)| format!("{authors} {year}")).collect()
        };
        assert_eq!(
            found(
                "by the criteria of Akaike (1974) and Schwarz (1978), robust (Lin and Wei, 1989; Cameron, Gelbach and Miller, 2011)."
            ),
            ["Akaike 1974", "Schwarz 1978", "Lin and Wei 1989", "Cameron Gelbach and Miller 2011"]
        );
        assert_eq!(
            found("(Stephan et al., 2009; Bock & Aitkin, 1981)"),
            ["Stephan et al. 2009", "Bock and Aitkin 1981"]
        );
        assert!(found("n = 2000, t(1999) = 2.0, in 19 levels, 1950 of 2000.5, p01, 2001").is_empty());
    }

    #[test]
    fn every_work_is_found_by_its_own_citation_and_stands_in_the_order_of_the_alphabet() {
        for work in WORKS {
            let text = format!("as in {} ({})", work.authors, work.year);
            let found = references(std::iter::once(text.as_str()));
            assert!(found.iter().any(|full| full == work.full) && found.len() == 2, "{text}: {found:?}");
            assert!(work.full.contains(&format!(" ({}). ", work.year)), "{}", work.full);
            for author in work.authors.split(' ').filter(|name| *name != "and") {
                assert!(work.full.contains(author), "{author}: {}", work.full);
            }
        }
        assert!(WORKS.is_sorted_by_key(|work| (work.authors.to_lowercase(), work.year)));
    }
}
