//! The works that the texts of a report cite, and how they stand in its list of references.

use std::fmt;

/// A work in the list of references.
#[derive(Debug, PartialEq, Eq)]
pub struct Work {
    /// Family names, in the order of the work.
    authors: &'static [&'static str],
    year: u16,
    /// In the style of the American Psychological Association (*Publication manual*, 7th ed., chapter 10).
    full: &'static str,
}

/// A work as a text cites it.
#[derive(Clone, Copy, Debug)]
pub enum Citation {
    /// Within a sentence: `Bock and Aitkin (1981)`.
    Narrative(&'static Work),
    /// Within parentheses: `Bock & Aitkin, 1981`.
    Parenthetical(&'static Work),
}

impl Work {
    /// The first of three and more authors, or all, with this word before the last.
    fn cited_authors(&self, and: &str) -> String {
        match self.authors {
            [first, _, _, ..] => format!("{first} et al."),
            authors => authors.join(&format!(" {and} ")),
        }
    }

    /// Returns true if a text cites the work. The meaning of a column, say, is fixed text and cites in its own words.
    fn is_cited_in(&self, text: &str) -> bool {
        let all = |and: &str| match self.authors {
            [others @ .., last] if !others.is_empty() => format!("{} {and} {last}", others.join(", ")),
            authors => authors.concat(),
        };
        let year = self.year;
        let is_by = |authors: &str| {
            text.contains(&format!("{authors}, {year}")) || text.contains(&format!("{authors} ({year}"))
        };
        [self.cited_authors("and"), all("and"), all("&")].iter().any(|authors| is_by(authors))
    }
}

impl Citation {
    /// The work that is cited.
    pub fn work(self) -> &'static Work {
        match self {
            Self::Narrative(work) | Self::Parenthetical(work) => work,
        }
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Narrative(work) => write!(formatter, "{} ({})", work.cited_authors("and"), work.year),
            Self::Parenthetical(work) => write!(formatter, "{}, {}", work.cited_authors("&"), work.year),
        }
    }
}

/// Each work by a key of its own, and the list of them.
macro_rules! bibliography {
    ($($key:ident: $authors:expr, $year:literal, $full:literal;)*) => {
        $(
            #[doc = $full]
            pub const $key: Work = Work { authors: &$authors, year: $year, full: $full };
        )*

        /// All works that a report can cite, in the order of the alphabet.
        const WORKS: &[&Work] = &[$(&$key),*];
    };
}

bibliography! {
    AKAIKE_1974: ["Akaike"], 1974,
        "Akaike, H. (1974). A new look at the statistical model identification. IEEE Transactions on Automatic Control, 19(6), 716–723.";
    ANDERSON_GOODMAN_1957: ["Anderson", "Goodman"], 1957,
        "Anderson, T. W., & Goodman, L. A. (1957). Statistical inference about Markov chains. Annals of Mathematical Statistics, 28(1), 89–110.";
    BAKDASH_MARUSICH_2017: ["Bakdash", "Marusich"], 2017,
        "Bakdash, J. Z., & Marusich, L. R. (2017). Repeated measures correlation. Frontiers in Psychology, 8, Article 456.";
    BARR_2013: ["Barr", "Levy", "Scheepers", "Tily"], 2013,
        "Barr, D. J., Levy, R., Scheepers, C., & Tily, H. J. (2013). Random effects structure for confirmatory hypothesis testing: Keep it maximal. Journal of Memory and Language, 68(3), 255–278.";
    BATES_2015: ["Bates", "Mächler", "Bolker", "Walker"], 2015,
        "Bates, D., Mächler, M., Bolker, B., & Walker, S. (2015). Fitting linear mixed-effects models using lme4. Journal of Statistical Software, 67(1), 1–48.";
    BELSLEY_1980: ["Belsley", "Kuh", "Welsch"], 1980,
        "Belsley, D. A., Kuh, E., & Welsch, R. E. (1980). Regression diagnostics: Identifying influential data and sources of collinearity. Wiley.";
    BENJAMINI_HOCHBERG_1995: ["Benjamini", "Hochberg"], 1995,
        "Benjamini, Y., & Hochberg, Y. (1995). Controlling the false discovery rate: A practical and powerful approach to multiple testing. Journal of the Royal Statistical Society: Series B (Methodological), 57(1), 289–300.";
    BOCK_AITKIN_1981: ["Bock", "Aitkin"], 1981,
        "Bock, R. D., & Aitkin, M. (1981). Marginal maximum likelihood estimation of item parameters: Application of an EM algorithm. Psychometrika, 46(4), 443–459.";
    BOCK_MISLEVY_1982: ["Bock", "Mislevy"], 1982,
        "Bock, R. D., & Mislevy, R. J. (1982). Adaptive EAP estimation of ability in a microcomputer environment. Applied Psychological Measurement, 6(4), 431–444.";
    BONETT_WRIGHT_2000: ["Bonett", "Wright"], 2000,
        "Bonett, D. G., & Wright, T. A. (2000). Sample size requirements for estimating Pearson, Kendall and Spearman correlations. Psychometrika, 65(1), 23–28.";
    BRESLOW_CLAYTON_1993: ["Breslow", "Clayton"], 1993,
        "Breslow, N. E., & Clayton, D. G. (1993). Approximate inference in generalized linear mixed models. Journal of the American Statistical Association, 88(421), 9–25.";
    BROOKMEYER_CROWLEY_1982: ["Brookmeyer", "Crowley"], 1982,
        "Brookmeyer, R., & Crowley, J. (1982). A confidence interval for the median survival time. Biometrics, 38(1), 29–41.";
    BRUNNER_MUNZEL_2000: ["Brunner", "Munzel"], 2000,
        "Brunner, E., & Munzel, U. (2000). The nonparametric Behrens-Fisher problem: Asymptotic theory and a small-sample approximation. Biometrical Journal, 42(1), 17–25.";
    BURNHAM_ANDERSON_2002: ["Burnham", "Anderson"], 2002,
        "Burnham, K. P., & Anderson, D. R. (2002). Model selection and multimodel inference: A practical information-theoretic approach (2nd ed.). Springer.";
    CAMERON_2011: ["Cameron", "Gelbach", "Miller"], 2011,
        "Cameron, A. C., Gelbach, J. B., & Miller, D. L. (2011). Robust inference with multiway clustering. Journal of Business & Economic Statistics, 29(2), 238–249.";
    CAMERON_MILLER_2015: ["Cameron", "Miller"], 2015,
        "Cameron, A. C., & Miller, D. L. (2015). A practitioner's guide to cluster-robust inference. Journal of Human Resources, 50(2), 317–372.";
    COX_1972: ["Cox"], 1972,
        "Cox, D. R. (1972). Regression models and life-tables. Journal of the Royal Statistical Society: Series B (Methodological), 34(2), 187–220.";
    DAVISON_HINKLEY_1997: ["Davison", "Hinkley"], 1997,
        "Davison, A. C., & Hinkley, D. V. (1997). Bootstrap methods and their application. Cambridge University Press.";
    EFRON_1977: ["Efron"], 1977,
        "Efron, B. (1977). The efficiency of Cox’s likelihood function for censored data. Journal of the American Statistical Association, 72(359), 557–565.";
    EFRON_TIBSHIRANI_1993: ["Efron", "Tibshirani"], 1993,
        "Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.";
    FRIEDMAN_1937: ["Friedman"], 1937,
        "Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of variance. Journal of the American Statistical Association, 32(200), 675–701.";
    HABERMAN_1973: ["Haberman"], 1973,
        "Haberman, S. J. (1973). The analysis of residuals in cross-classified tables. Biometrics, 29(1), 205–220.";
    HEATHCOTE_2000: ["Heathcote", "Brown", "Mewhort"], 2000,
        "Heathcote, A., Brown, S., & Mewhort, D. J. K. (2000). The power law repealed: The case for an exponential law of practice. Psychonomic Bulletin & Review, 7(2), 185–207.";
    HOLM_1979: ["Holm"], 1979,
        "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics, 6(2), 65–70.";
    HUBERT_ARABIE_1985: ["Hubert", "Arabie"], 1985,
        "Hubert, L., & Arabie, P. (1985). Comparing partitions. Journal of Classification, 2(1), 193–218.";
    HYNDMAN_FAN_1996: ["Hyndman", "Fan"], 1996,
        "Hyndman, R. J., & Fan, Y. (1996). Sample quantiles in statistical packages. The American Statistician, 50(4), 361–365.";
    KAPLAN_MEIER_1958: ["Kaplan", "Meier"], 1958,
        "Kaplan, E. L., & Meier, P. (1958). Nonparametric estimation from incomplete observations. Journal of the American Statistical Association, 53(282), 457–481.";
    KNAPP_HARTUNG_2003: ["Knapp", "Hartung"], 2003,
        "Knapp, G., & Hartung, J. (2003). Improved tests for a random effects meta-regression with a single covariate. Statistics in Medicine, 22(17), 2693–2710.";
    KORN_GRAUBARD_1998: ["Korn", "Graubard"], 1998,
        "Korn, E. L., & Graubard, B. I. (1998). Confidence intervals for proportions with small expected number of positive counts estimated from survey data. Survey Methodology, 24(2), 193–201.";
    KRUSKAL_WALLIS_1952: ["Kruskal", "Wallis"], 1952,
        "Kruskal, W. H., & Wallis, W. A. (1952). Use of ranks in one-criterion variance analysis. Journal of the American Statistical Association, 47(260), 583–621.";
    LEYS_2013: ["Leys", "Ley", "Klein", "Bernard", "Licata"], 2013,
        "Leys, C., Ley, C., Klein, O., Bernard, P., & Licata, L. (2013). Detecting outliers: Do not use standard deviation around the mean, use absolute deviation around the median. Journal of Experimental Social Psychology, 49(4), 764–766.";
    LIANG_ZEGER_1986: ["Liang", "Zeger"], 1986,
        "Liang, K.-Y., & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. Biometrika, 73(1), 13–22.";
    LIN_WEI_1989: ["Lin", "Wei"], 1989,
        "Lin, D. Y., & Wei, L. J. (1989). The robust inference for the Cox proportional hazards model. Journal of the American Statistical Association, 84(408), 1074–1078.";
    LI_REDDEN_2015: ["Li", "Redden"], 2015,
        "Li, P., & Redden, D. T. (2015). Comparing denominator degrees of freedom approximations for the generalized linear mixed model in analyzing binary outcome in small sample cluster-randomized trials. BMC Medical Research Methodology, 15, Article 38.";
    MANN_WHITNEY_1947: ["Mann", "Whitney"], 1947,
        "Mann, H. B., & Whitney, D. R. (1947). On a test of whether one of two random variables is stochastically larger than the other. Annals of Mathematical Statistics, 18(1), 50–60.";
    MANTEL_1966: ["Mantel"], 1966,
        "Mantel, N. (1966). Evaluation of survival data and two new rank order statistics arising in its consideration. Cancer Chemotherapy Reports, 50(3), 163–170.";
    MATUSCHEK_2017: ["Matuschek", "Kliegl", "Vasishth", "Baayen", "Bates"], 2017,
        "Matuschek, H., Kliegl, R., Vasishth, S., Baayen, H., & Bates, D. (2017). Balancing Type I error and power in linear mixed models. Journal of Memory and Language, 94, 305–315.";
    MCFADDEN_1974: ["McFadden"], 1974,
        "McFadden, D. (1974). Conditional logit analysis of qualitative choice behavior. In P. Zarembka (Ed.), Frontiers in econometrics (pp. 105–142). Academic Press.";
    MCLACHLAN_PEEL_2000: ["McLachlan", "Peel"], 2000,
        "McLachlan, G., & Peel, D. (2000). Finite mixture models. Wiley.";
    NAKAGAWA_2017: ["Nakagawa", "Johnson", "Schielzeth"], 2017,
        "Nakagawa, S., Johnson, P. C. D., & Schielzeth, H. (2017). The coefficient of determination R² and intra-class correlation coefficient from generalized linear mixed-effects models revisited and expanded. Journal of the Royal Society Interface, 14(134), Article 20170213.";
    NAKAGAWA_SCHIELZETH_2013: ["Nakagawa", "Schielzeth"], 2013,
        "Nakagawa, S., & Schielzeth, H. (2013). A general and simple method for obtaining R² from generalized linear mixed-effects models. Methods in Ecology and Evolution, 4(2), 133–142.";
    OLIESLAGERS_2024: ["Olieslagers", "Bnaya", "Li", "Ma"], 2024,
        "Olieslagers, J., Bnaya, Z., Li, Y., & Ma, W. J. (2024). Backward reasoning through AND/OR trees to solve problems. Proceedings of the Annual Meeting of the Cognitive Science Society, 46.";
    OWEN_2007: ["Owen"], 2007,
        "Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics, 1(2), 386–411.";
    RABINER_1989: ["Rabiner"], 1989,
        "Rabiner, L. R. (1989). A tutorial on hidden Markov models and selected applications in speech recognition. Proceedings of the IEEE, 77(2), 257–286.";
    RASCH_1960: ["Rasch"], 1960,
        "Rasch, G. (1960). Probabilistic models for some intelligence and attainment tests. Danish Institute for Educational Research.";
    RIGOUX_2014: ["Rigoux", "Stephan", "Friston", "Daunizeau"], 2014,
        "Rigoux, L., Stephan, K. E., Friston, K. J., & Daunizeau, J. (2014). Bayesian model selection for group studies—Revisited. NeuroImage, 84, 971–985.";
    ROEVER_KNAPP_FRIEDE_2015: ["Röver", "Knapp", "Friede"], 2015,
        "Röver, C., Knapp, G., & Friede, T. (2015). Hartung-Knapp-Sidik-Jonkman approach and its modification for random-effects meta-analysis with few studies. BMC Medical Research Methodology, 15, Article 99.";
    ROYSTON_PARMAR_2013: ["Royston", "Parmar"], 2013,
        "Royston, P., & Parmar, M. K. B. (2013). Restricted mean survival time: An alternative to the hazard ratio for the design and analysis of randomized trials with a time-to-event outcome. BMC Medical Research Methodology, 13, Article 152.";
    SATTERTHWAITE_1946: ["Satterthwaite"], 1946,
        "Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bulletin, 2(6), 110–114.";
    SCHULZ_2010: ["Schulz", "Altman", "Moher"], 2010,
        "Schulz, K. F., Altman, D. G., & Moher, D. (2010). CONSORT 2010 statement: Updated guidelines for reporting parallel group randomised trials. BMJ, 340, Article c332.";
    SCHWARZ_1978: ["Schwarz"], 1978,
        "Schwarz, G. (1978). Estimating the dimension of a model. Annals of Statistics, 6(2), 461–464.";
    SHROUT_FLEISS_1979: ["Shrout", "Fleiss"], 1979,
        "Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: Uses in assessing rater reliability. Psychological Bulletin, 86(2), 420–428.";
    STEPHAN_2009: ["Stephan", "Penny", "Daunizeau", "Moran", "Friston"], 2009,
        "Stephan, K. E., Penny, W. D., Daunizeau, J., Moran, R. J., & Friston, K. J. (2009). Bayesian model selection for group studies. NeuroImage, 46(4), 1004–1017.";
    VIECHTBAUER_2005: ["Viechtbauer"], 2005,
        "Viechtbauer, W. (2005). Bias and efficiency of meta-analytic variance estimators in the random-effects model. Journal of Educational and Behavioral Statistics, 30(3), 261–293.";
    WILCOXON_1945: ["Wilcoxon"], 1945,
        "Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin, 1(6), 80–83.";
    WILLIAMS_1995: ["Williams"], 1995,
        "Williams, R. L. (1995). Product-limit survival functions with correlated survival times. Lifetime Data Analysis, 1(2), 171–186.";
    WILSON_1927: ["Wilson"], 1927,
        "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the American Statistical Association, 22(158), 209–212.";
    WRIGHT_MASTERS_1982: ["Wright", "Masters"], 1982,
        "Wright, B. D., & Masters, G. N. (1982). Rating scale analysis: Rasch measurement. MESA Press.";
}

/// The references of these works and of those that these texts cite, in the order of the alphabet, plymap among them.
pub fn references(cited: &[&Work], texts: &[&str]) -> Vec<String> {
    let is_cited = |work: &&&Work| cited.contains(*work) || texts.iter().any(|text| work.is_cited_in(text));
    let mut references: Vec<String> = WORKS.iter().filter(is_cited).map(|work| work.full.to_owned()).collect();
    references.push(format!("plymap (Version {}) [Computer software].", env!("CARGO_PKG_VERSION")));
    references.sort_by_key(|reference| alphabetical(reference));
    references
}

/// Returns the sort key of a text: letters with a mark stand where those without one do.
fn alphabetical(text: &str) -> String {
    let plain = |letter| match letter {
        'ä' => 'a',
        'ö' => 'o',
        'ü' => 'u',
        other => other,
    };
    text.to_lowercase().chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::Citation::{Narrative, Parenthetical};
    use super::*;
    use plymap_analysis::{ANALYSES, testing};

    #[test]
    fn a_work_is_cited_in_the_style_of_apa() {
        let said = |citation: Citation| citation.to_string();
        assert_eq!(said(Narrative(&HOLM_1979)), "Holm (1979)");
        assert_eq!(said(Parenthetical(&HOLM_1979)), "Holm, 1979");
        assert_eq!(said(Narrative(&BOCK_AITKIN_1981)), "Bock and Aitkin (1981)");
        assert_eq!(said(Parenthetical(&BOCK_AITKIN_1981)), "Bock & Aitkin, 1981");
        assert_eq!(said(Parenthetical(&STEPHAN_2009)), "Stephan et al., 2009");
    }

    #[test]
    fn citations_are_found_however_they_are_written() {
        let cited_years = |text: &str| -> Vec<u16> {
            WORKS.iter().filter(|work| work.is_cited_in(text)).map(|work| work.year).collect()
        };
        assert_eq!(
            cited_years(
                "by the criteria of Akaike (1974) and Schwarz (1978), robust (Lin and Wei, 1989; Cameron, Gelbach and Miller, 2011)."
            ),
            [1974, 2011, 1989, 1978]
        );
        assert_eq!(
            cited_years("(Stephan et al., 2009; Bock & Aitkin, 1981; Davison and Hinkley, 1997, section 3.8)"),
            [1981, 1997, 2009]
        );
        assert!(cited_years("n = 2000, t(1999) = 2.0, in 19 levels, 1950 of 2000.5, p01, 2001").is_empty());
    }

    #[test]
    fn every_work_is_found_by_its_own_citation_and_stands_in_the_order_of_the_alphabet() {
        for work in WORKS {
            for citation in [Narrative(work), Parenthetical(work)] {
                let cited = references(&[], &[&format!("as in {citation}")]);
                assert!(cited.iter().any(|full| full == work.full) && cited.len() == 2, "{citation}: {cited:?}");
                assert_eq!(references(&[citation.work()], &[]), cited);
            }
            assert!(work.full.contains(&format!(" ({}). ", work.year)), "{}", work.full);
            for author in work.authors {
                assert!(work.full.contains(author), "{author}: {}", work.full);
            }
        }
        assert!(WORKS.is_sorted_by_key(|work| (alphabetical(&work.authors.concat()), work.year)));
    }

    /// The years that follow a name, as `Wilson (1927` or `Wilson, 1927` has them.
    fn cited_years(text: &str) -> Vec<u16> {
        let year = |place: usize| -> Option<u16> {
            let before = text[..place].strip_suffix(", ").or_else(|| text[..place].strip_suffix(" ("))?;
            let name = before.rsplit(' ').next()?.trim_start_matches('(');
            let is_name = name.starts_with(char::is_uppercase) || name == "al.";
            text.get(place..place + 4)?.parse().ok().filter(|year| is_name && (1900..2100).contains(year))
        };
        text.match_indices(|c: char| c.is_ascii_digit()).filter_map(|(place, _)| year(place)).collect()
    }

    #[test]
    fn every_work_that_a_table_cites_has_a_reference() {
        let mut n_found = 0;
        for data in &testing::hard_cases() {
            let context = testing::context(data);
            for table in ANALYSES.iter().flat_map(|analysis| analysis.run(&context, &[]).tables) {
                let meanings = table.columns.iter().map(|column| column.meaning.as_str());
                for text in meanings.chain([table.caption.as_str()]) {
                    let known: Vec<u16> =
                        WORKS.iter().filter(|work| work.is_cited_in(text)).map(|work| work.year).collect();
                    let cited = cited_years(text);
                    assert!(cited.iter().all(|year| known.contains(year)), "{}: {text}", table.name);
                    n_found += cited.len();
                }
            }
        }
        assert!(n_found > 20, "{n_found}");
    }
}
