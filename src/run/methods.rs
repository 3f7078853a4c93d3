//! The methods of a run as a paragraph that a paper can take over, with its references.

use super::{Play, RowCounts, n_states};
use crate::game::Valuation;
use crate::label::{Quality, unit_of};
use crate::study::Study;
use crate::valuation::ValuedLevel;

/// A reference as it stands at the end of a paper; its first word and its year are how the text cites it.
struct Reference {
    cited: &'static str,
    full: &'static str,
}

const fn reference(cited: &'static str, full: &'static str) -> Reference {
    Reference { cited, full }
}

/// What an analysis is, for the section on methods, with its references.
struct Method {
    analysis: &'static str,
    sentence: &'static str,
    references: &'static [Reference],
}

const OF_ANALYSES: &[Method] = &[
    Method {
        analysis: "within",
        sentence: "Relations within participants were estimated by repeated measures correlation (Bakdash & Marusich, 2017).",
        references: &[reference(
            "Bakdash & Marusich, 2017",
            "Bakdash, J. Z., & Marusich, L. R. (2017). Repeated measures correlation. Frontiers in Psychology, 8, 456.",
        )],
    },
    Method {
        analysis: "participants",
        sentence: "Correlations over participants were corrected for their number by the method of Holm (1979).",
        references: &[reference(
            "Holm, 1979",
            "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics, 6, 65–70.",
        )],
    },
    Method {
        analysis: "learning",
        sentence: "Change over trials was described by exponential and power curves, compared by the corrected criterion of Akaike (Burnham & Anderson, 2002).",
        references: &[reference(
            "Burnham & Anderson, 2002",
            "Burnham, K. P., & Anderson, D. R. (2002). Model selection and multimodel inference (2nd ed.). Springer.",
        )],
    },
    Method {
        analysis: "reliability",
        sentence: "Reliability of measures was estimated by repeated random splits into halves and by intraclass correlations (Shrout & Fleiss, 1979).",
        references: &[reference(
            "Shrout & Fleiss, 1979",
            "Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: Uses in assessing rater reliability. Psychological Bulletin, 86, 420–428.",
        )],
    },
    Method {
        analysis: "difficulty",
        sentence: "Difficulty of levels was related to properties of their maps by rank correlation over levels.",
        references: &[],
    },
    Method {
        analysis: "time-model",
        sentence: "The logarithm of inter-move time was analysed by a linear mixed model with crossed random intercepts for participants and levels, fitted by restricted maximum likelihood (Bates et al., 2015), with degrees of freedom by the method of Satterthwaite (1946).",
        references: &[
            reference(
                "Bates et al., 2015",
                "Bates, D., Mächler, M., Bolker, B., & Walker, S. (2015). Fitting linear mixed-effects models using lme4. Journal of Statistical Software, 67(1), 1–48.",
            ),
            reference(
                "Satterthwaite, 1946",
                "Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bulletin, 2, 110–114.",
            ),
        ],
    },
    Method {
        analysis: "phases",
        sentence: "Phases of thinking and acting were told apart, for each participant, by a hidden Markov model with two states and log-normal times (Rabiner, 1989), and for comparison by a quantile, by a mixture of two log-normal distributions (McLachlan & Peel, 2000) and by change points; numbers of states were compared by the criterion of Schwarz (1978).",
        references: &[
            reference(
                "Rabiner, 1989",
                "Rabiner, L. R. (1989). A tutorial on hidden Markov models and selected applications in speech recognition. Proceedings of the IEEE, 77, 257–286.",
            ),
            reference("McLachlan & Peel, 2000", "McLachlan, G., & Peel, D. (2000). Finite mixture models. Wiley."),
            reference(
                "Schwarz, 1978",
                "Schwarz, G. (1978). Estimating the dimension of a model. Annals of Statistics, 6, 461–464.",
            ),
        ],
    },
    Method {
        analysis: "sequences",
        sentence: "Dependence of a move's quality on that of the move before was tested as by Anderson and Goodman (1957), and against shuffled sequences.",
        references: &[reference(
            "Anderson & Goodman, 1957",
            "Anderson, T. W., & Goodman, L. A. (1957). Statistical inference about Markov chains. Annals of Mathematical Statistics, 28, 89–110.",
        )],
    },
    Method {
        analysis: "survival",
        sentence: "Time to solution was described by the estimator of Kaplan and Meier (1958), trials that ended without a solution being censored; groups were compared by the log-rank test (Mantel, 1966).",
        references: &[
            reference(
                "Kaplan & Meier, 1958",
                "Kaplan, E. L., & Meier, P. (1958). Nonparametric estimation from incomplete observations. Journal of the American Statistical Association, 53, 457–481.",
            ),
            reference(
                "Mantel, 1966",
                "Mantel, N. (1966). Evaluation of survival data and two new rank order statistics arising in its consideration. Cancer Chemotherapy Reports, 50, 163–170.",
            ),
        ],
    },
    Method {
        analysis: "errors",
        sentence: "Positions at which people erred more often than chance would were found by exact binomial tests, corrected for their number.",
        references: &[],
    },
    Method {
        analysis: "choice",
        sentence: "Models of choice among the legal moves were fitted to each participant by maximum likelihood (McFadden, 1974), cross-validated by level, and compared by the criteria of Akaike (1974) and Schwarz (1978).",
        references: &[
            reference(
                "McFadden, 1974",
                "McFadden, D. (1974). Conditional logit analysis of qualitative choice behavior. In P. Zarembka (Ed.), Frontiers in econometrics (pp. 105–142). Academic Press.",
            ),
            reference(
                "Akaike, 1974",
                "Akaike, H. (1974). A new look at the statistical model identification. IEEE Transactions on Automatic Control, 19, 716–723.",
            ),
            reference(
                "Schwarz, 1978",
                "Schwarz, G. (1978). Estimating the dimension of a model. Annals of Statistics, 6, 461–464.",
            ),
        ],
    },
];

/// References of what every run with people does.
const OF_ALL: &[Reference] = &[
    reference(
        "Bonett & Wright, 2000",
        "Bonett, D. G., & Wright, T. A. (2000). Sample size requirements for estimating Pearson, Kendall and Spearman correlations. Psychometrika, 65, 23–28.",
    ),
    reference(
        "Kruskal & Wallis, 1952",
        "Kruskal, W. H., & Wallis, W. A. (1952). Use of ranks in one-criterion variance analysis. Journal of the American Statistical Association, 47, 583–621.",
    ),
];

/// The paragraph, and the list of its references in the order of the alphabet.
pub(super) fn methods(study: &Study, levels: &[ValuedLevel], play: Option<&Play>) -> (Vec<String>, Vec<String>) {
    let mut paragraphs = vec![of_levels(study, levels)];
    let mut references: Vec<&'static str> = Vec::new();
    let cite = |paragraph: &str, known: &'static [Reference], references: &mut Vec<&'static str>| {
        for Reference { cited, full } in known {
            let (who, year) = cited.rsplit_once(", ").unwrap_or((cited, ""));
            let first = who.split([' ', ',']).next().unwrap_or_default();
            if paragraph.contains(first) && paragraph.contains(year) && !references.contains(full) {
                references.push(full);
            }
        }
    };
    if let Some(play) = play {
        paragraphs.push(of_play(play));
        let of_analyses: Vec<&Method> = study
            .analyses()
            .filter_map(|analysis| OF_ANALYSES.iter().find(|method| method.analysis == analysis.name))
            .collect();
        let mut statistics = format!(
            "Correlations of the number of moves with time are given as Pearson's r, with the interval of Fisher, and as Spearman's ρ, with the interval of Bonett and Wright (2000); inter-move times of moves of different quality were compared by the test of Kruskal and Wallis (1952), and their medians have distribution-free intervals. All intervals are at {}.",
            study.statistics.confidence
        );
        for method in &of_analyses {
            statistics.push(' ');
            statistics.push_str(method.sentence);
        }
        cite(&statistics, OF_ALL, &mut references);
        of_analyses.iter().for_each(|method| cite(&statistics, method.references, &mut references));
        paragraphs.push(statistics);
    }
    let mut references: Vec<String> = references.into_iter().map(str::to_owned).collect();
    references.push(format!("plymap (version {}) [Computer software].", env!("CARGO_PKG_VERSION")));
    references.sort_by_key(|reference| reference.to_lowercase());
    (paragraphs, references)
}

fn of_levels(study: &Study, levels: &[ValuedLevel]) -> String {
    let unit = unit_of(levels);
    let n = levels.len();
    let game = study.game().title;
    let version = env!("CARGO_PKG_VERSION");
    let start = format!(
        "The {} of {game} {} analysed with plymap (version {version}).",
        if n == 1 { "level".to_owned() } else { format!("{n} levels") },
        if n == 1 { "was" } else { "were" },
    );
    let n_mapped = levels.iter().filter(|level| level.whole.is_some()).count();
    let method = match (unit.is_distance(), n_states(levels)) {
        (true, Some(states)) if n_mapped == n => format!(
            "All positions that can be reached from the start of each were enumerated ({states} in sum), and the distance of each to the nearest goal was computed exactly, in {}, by search backwards from all goals.",
            unit.name()
        ),
        (true, Some(states)) => format!(
            "All positions that can be reached were enumerated for {n_mapped} of them ({states} positions in sum); the distances to the goal, in {}, are exact in all, in the others by the algorithm of the game.",
            unit.name()
        ),
        (true, None) => {
            format!("Distances to the goal, in {}, were computed exactly by the algorithm of the game.", unit.name())
        }
        (false, _) if levels.iter().all(|level| level.rules.valuation() == Valuation::Exact) => {
            "The value of a position is the number of points that the best play can still expect, computed exactly."
                .to_owned()
        }
        (false, _) => {
            "The value of a position is an estimate of the number of points that the best play can still expect."
                .to_owned()
        }
    };
    let quality = match unit.is_distance() {
        true => {
            "A move was called better, same or worse when it brought the goal nearer, left it as far, or took it farther; it was optimal when no other legal move led to a shorter solution."
        }
        false => {
            "A move was called best, slip, mistake or blunder by the share of the expected points that it gave away (none, up to 2 %, up to 10 %, more)."
        }
    };
    format!("{start} {method} {quality}")
}

fn of_play(play: &Play) -> String {
    let RowCounts { read, rejected, replayed, excluded, .. } = play.counts();
    let people = play.measures.participants().len();
    let left_out = match rejected + excluded {
        0 => "all of them".to_owned(),
        n => format!("{replayed}; {n} were left out for reasons that are listed with the data"),
    };
    let illegal =
        play.measures.attempts.iter().map(|attempt| attempt.tally.n_by_quality[Quality::Illegal.index()]).sum::<u64>();
    let illegal = if illegal > 0 {
        format!(" {illegal} moves that the rules do not allow were counted and not analysed further.")
    } else {
        String::new()
    };
    format!(
        "The logs of {people} participant{} hold {read} rows; the moves were replayed from the start of each level ({left_out}).{illegal} First moves of attempts were kept apart from inter-move times. The chance level of optimal moves is the share that a player who chooses evenly among the legal moves would reach in the same positions.",
        if people == 1 { "" } else { "s" }
    )
}
