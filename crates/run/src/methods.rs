//! The methods of a run as paragraphs that a paper can take over.

use super::{Certified, Play, Results, Sample, Statistics, Totals, n_states};
use crate::baseline::Comparison;
use crate::study::Study;
use plymap_analysis::columns::{FREQUENCY, P_ADJUSTED, SHARE_IN_TREE, SLOPE, TEST};
use plymap_analysis::confirmatory::CONFIRMATORY;
use plymap_analysis::models::{FAMILY, N_NOT_DRAWN};
use plymap_measures::label::unit_of;
use plymap_measures::selection::{PlayCount, SelectionCount};
use plymap_puzzles::game::Valuation;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::RowCounts;
use plymap_report::references::Citation::{Narrative, Parenthetical};
use plymap_report::references::*;
use plymap_statistics::record::{Column, DF, ESTIMATE, P_VALUE};
use plymap_statistics::stats::apa;
use plymap_tables::Table;

/// Sentence for the section on methods, and the result by which one sees that the method was used.
struct MethodText {
    table: &'static str,
    when: When,
    /// The sentence, with `{}` in the place of each citation.
    sentence: &'static str,
    citations: &'static [Citation],
}

/// Sign in a table that a method was used.
enum When {
    /// The table has rows.
    Always,
    /// A cell of this column is not empty.
    Column(Column),
    /// A cell of this column says so.
    Cell(Column, &'static str),
    /// A cell of this column is a number above 0.
    Positive(Column),
}

const fn method(table: &'static str, when: When, sentence: &'static str, citations: &'static [Citation]) -> MethodText {
    MethodText { table, when, sentence, citations }
}

/// Sentences on each table of an analysis, in the order of the report. Those of what a study does not make are left
/// out.
const METHODS: &[MethodText] = &[
    method(
        "description",
        When::Always,
        "Quartiles are those of type 7 of {}; values farther from the median than three times 1.4826 times the median absolute deviation were marked as outliers ({}), of times by their logarithms, and left out of nothing.",
        &[Narrative(&HYNDMAN_FAN_1996), Parenthetical(&LEYS_2013)],
    ),
    method(
        "within_correlations",
        When::Always,
        "Relations within participants and within levels were estimated by repeated measures correlation ({}), with intervals by a cluster bootstrap of participants ({}); coefficients of single levels were pooled by random effects of Fisher's z ({}). Intervals of these, and of correlations over all trials, are those of a bootstrap that resamples participants and levels ({}).",
        &[
            Parenthetical(&BAKDASH_MARUSICH_2017),
            Parenthetical(&DAVISON_HINKLEY_1997),
            Parenthetical(&VIECHTBAUER_2005),
            Parenthetical(&OWEN_2007),
        ],
    ),
    method(
        "participant_correlations",
        When::Always,
        "The p values of correlations over participants were corrected for multiple comparisons by the method of {}.",
        &[Narrative(&HOLM_1979)],
    ),
    method(
        "condition_tests",
        When::Cell(TEST, "mann-whitney"),
        "Measures of participants in different conditions were compared by Welch's t test, by the U test of {} and by the test of {}, with p values corrected for multiple comparisons by the method of {}.",
        &[Narrative(&MANN_WHITNEY_1947), Narrative(&BRUNNER_MUNZEL_2000), Narrative(&HOLM_1979)],
    ),
    method(
        "condition_tests",
        When::Cell(TEST, "wilcoxon"),
        "Measures of the same participants in different conditions were compared by the signed-rank test of {}, with p values corrected for multiple comparisons by the method of {}.",
        &[Narrative(&WILCOXON_1945), Narrative(&HOLM_1979)],
    ),
    method(
        "time_tests",
        When::Always,
        "Participants' median inter-move times were compared between groups of moves, by quality, by whether the move was optimal and by properties of the position, with the test of {} for all groups and the signed-rank test of {} for each pair; p values were corrected for multiple comparisons by the method of {}, those of all groups over all groupings and those of pairs over the pairs of a grouping.",
        &[Narrative(&FRIEDMAN_1937), Narrative(&WILCOXON_1945), Narrative(&HOLM_1979)],
    ),
    method(
        "learning",
        When::Always,
        "Change over trials was described by four curves (constant, linear, exponential and power; {}), fitted by least squares to the means over participants and to each participant, and compared by AICc ({}).",
        &[Parenthetical(&HEATHCOTE_2000), Parenthetical(&BURNHAM_ANDERSON_2002)],
    ),
    method(
        "reliability",
        When::Always,
        "Reliability of measures was estimated by repeated random split halves with the Spearman-Brown correction, and by intraclass correlations ({}).",
        &[Parenthetical(&SHROUT_FLEISS_1979)],
    ),
    method(
        "level_correlations",
        When::Always,
        "Difficulty of levels was related to properties of their maps by rank correlation over levels, with p values corrected for multiple comparisons by the method of {}.",
        &[Narrative(&HOLM_1979)],
    ),
    method(
        "level_rasch",
        When::Column(ESTIMATE),
        "Difficulties of levels and abilities of participants were estimated on one scale by the Rasch model ({}) of solving, with normally distributed abilities, fitted by marginal maximum likelihood ({}).",
        &[Parenthetical(&RASCH_1960), Parenthetical(&BOCK_AITKIN_1981)],
    ),
    method(
        "models",
        When::Column(DF),
        "Times, and numbers of moves, were analysed by linear mixed models of their logarithms, with random intercepts for participants and levels and random slopes for what varies within participants ({}), uncorrelated with each other ({}), fitted by restricted maximum likelihood ({}), with degrees of freedom by the method of {} and marginal and conditional R² as proposed by {}.",
        &[
            Parenthetical(&BARR_2013),
            Parenthetical(&MATUSCHEK_2017),
            Parenthetical(&BATES_2015),
            Narrative(&SATTERTHWAITE_1946),
            Narrative(&NAKAGAWA_SCHIELZETH_2013),
        ],
    ),
    method(
        "model_fits",
        When::Cell(FAMILY, "logistic"),
        "Outcomes that occur or not, such as whether a move is optimal, were analysed by logistic mixed models in the same way, fitted by Laplace's approximation ({}), with Student's t and degrees of freedom by the between-within method ({}).",
        &[Parenthetical(&BRESLOW_CLAYTON_1993), Parenthetical(&LI_REDDEN_2015)],
    ),
    method(
        "model_terms",
        When::Column(P_ADJUSTED),
        "The tests of the predictors that these models are about were corrected for the rate of false discoveries ({}), those of each question together; predictors that are held constant were not tested.",
        &[Parenthetical(&BENJAMINI_HOCHBERG_1995)],
    ),
    method(
        "model_fits",
        When::Positive(N_NOT_DRAWN),
        "Where there are more than 50,000 moves, models of moves are those of as many participants, drawn at random, as have no more together.",
        &[],
    ),
    method(
        "phases",
        When::Always,
        "Phases of thinking and acting were classified, for each participant, by a hidden Markov model with two states and log-normal times ({}), and for comparison by a quantile, by a mixture of two log-normal distributions ({}) and by change points; numbers of states were compared by BIC ({}), and participants for whom one was enough were taken to have no phases; the labels of the methods were compared by the adjusted Rand index ({}), and the lengths of phases with those of shuffled times.",
        &[
            Parenthetical(&RABINER_1989),
            Parenthetical(&MCLACHLAN_PEEL_2000),
            Parenthetical(&SCHWARZ_1978),
            Parenthetical(&HUBERT_ARABIE_1985),
        ],
    ),
    method(
        "dependence",
        When::Always,
        "How much the quality of a move tells of the next is described by the likelihood-ratio statistic of {}, and runs of optimal moves and of errors by the mean of permutations of the moves of each attempt. People and successive positions are alike in how easily one errs, so that even a player without memory shows such dependence; whether an error makes another more likely was tested by the mixed model of errors.",
        &[Narrative(&ANDERSON_GOODMAN_1957)],
    ),
    method(
        "repetition",
        When::Always,
        "How often moves were taken back, moved the same piece again or returned to an earlier position is given with its interval and its chance level, that of uniformly random choice among the legal moves of the same positions.",
        &[],
    ),
    method(
        "survival",
        When::Always,
        "Time to solution was described by the estimator of {}, trials that ended without a solution being censored. Intervals of curves rest, where there are several participants, on the variance between them ({}) and Student's t with one degree of freedom less; those of medians invert them ({}).",
        &[Narrative(&KAPLAN_MEIER_1958), Parenthetical(&WILLIAMS_1995), Parenthetical(&BROOKMEYER_CROWLEY_1982)],
    ),
    method(
        "survival",
        When::Column(P_VALUE),
        "Conditions were compared by the statistic of the log-rank test ({}), with its p from permutations of participants, and all of their trials, between conditions.",
        &[Parenthetical(&MANTEL_1966)],
    ),
    method(
        "survival_cox",
        When::Column(ESTIMATE),
        "What the time to solution depends on was estimated by Cox regressions ({}; ties after {}), with cluster-robust standard errors (clusters: participants and levels; {}; {}) and Student's t with the degrees of freedom of the units that a covariate varies over ({}); that hazards are proportional was tested by the difference of the ratios before and after half of the solutions, with such a standard error.",
        &[
            Parenthetical(&COX_1972),
            Parenthetical(&EFRON_1977),
            Parenthetical(&LIN_WEI_1989),
            Parenthetical(&CAMERON_2011),
            Parenthetical(&CAMERON_MILLER_2015),
        ],
    ),
    method(
        "survival_differences",
        When::Column(ESTIMATE),
        "How much longer trials last in one condition than in another was measured by the difference of restricted mean times to solve ({}), which asks for no proportional hazards, with an interval from resampled participants; the difference was computed again as if trials that ended without a solution would never, or at once, have been solved.",
        &[Parenthetical(&ROYSTON_PARMAR_2013)],
    ),
    method(
        "survival_differences",
        When::Column(P_VALUE),
        "Its p comes from permutations of participants between the conditions, or of the conditions of each participant where all were in both.",
        &[],
    ),
    method(
        "traps",
        When::Always,
        "Positions at which people err more often than each of them errs elsewhere, in positions with as many ways to err, were sought by exact tests, corrected for multiple comparisons by the method of {}.",
        &[Narrative(&BENJAMINI_HOCHBERG_1995)],
    ),
    method(
        "error_costs",
        When::Always,
        "The cost of an error was measured by the moves and the time until the goal was as near again as before it.",
        &[],
    ),
    method(
        "choice_models",
        When::Always,
        "Models of choice among the legal moves were fitted to each participant by maximum likelihood ({}), cross-validated by level, and compared by the information criteria of Akaike (AIC; {}) and Schwarz (BIC; {}).",
        &[Parenthetical(&MCFADDEN_1974), Parenthetical(&AKAIKE_1974), Parenthetical(&SCHWARZ_1978)],
    ),
    method(
        "choice_selection",
        When::Always,
        "How frequent each model is among participants was estimated by random-effects model selection ({}; {}).",
        &[Parenthetical(&STEPHAN_2009), Parenthetical(&RIGOUX_2014)],
    ),
    method(
        "choice_sequences",
        When::Column(P_VALUE),
        "As a check that knows the positions, errors after errors were compared with those of bootstrap replicates, which choose in the positions of each participant by the model of choice that describes the participant best by BIC (a parametric bootstrap; {}).",
        &[Parenthetical(&EFRON_TIBSHIRANI_1993)],
    ),
    method(
        "thought",
        When::Column(SHARE_IN_TREE),
        "Whether moves follow from reasoning backwards from the goal was measured by the AND-OR tree of each position ({}): the share of moves that are in the tree, their depth there, and the probability to stop thinking at each step, fitted to each participant by maximum likelihood.",
        &[Parenthetical(&OLIESLAGERS_2024)],
    ),
    method(
        "thought_stopping",
        When::Column(SLOPE),
        "Whether that probability changes from move to move was tested by slopes of its log odds, fitted to each participant, put together by random effects (restricted maximum likelihood; {}; error of the mean after {}, modified after {}), and judged by levels that took no part in the fit.",
        &[Parenthetical(&VIECHTBAUER_2005), Narrative(&KNAPP_HARTUNG_2003), Narrative(&ROEVER_KNAPP_FRIEDE_2015)],
    ),
    method(
        "thought_stopping_selection",
        When::Column(FREQUENCY),
        "These changes were compared with each other, with none and with all of them on the same moves by random-effects selection ({}; {}).",
        &[Narrative(&STEPHAN_2009), Narrative(&RIGOUX_2014)],
    ),
];

/// The section on methods.
#[derive(Debug, Default)]
pub(super) struct MethodsSection {
    /// Paragraphs on levels, play and statistics.
    pub paragraphs: Vec<String>,
    /// The works that they cite.
    pub cited: Vec<&'static Work>,
}

/// Returns the section on methods, with the works that it cites.
pub(super) fn methods(
    study: &Study,
    (levels, certified): (&[ValuedLevel], Certified),
    results: &Results,
) -> MethodsSection {
    let mut section = MethodsSection { paragraphs: vec![of_levels(study, levels, certified)], cited: Vec::new() };
    let Some(play) = results.play else { return section };
    let tables: Vec<&Table> = results.statistics.into_iter().flat_map(Statistics::all_tables).collect();
    let mut statistics = format!(
        "Correlations of the number of moves with time at single levels are given as Pearson's r, with the interval of Fisher, and as Spearman's ρ, with the interval of {}; shares have intervals after {}, those of moves at the effective number of moves over participants ({}). Inter-move times of moves of each quality are described by their medians, with distribution-free intervals that take moves for independent. All intervals are at {}.",
        Narrative(&BONETT_WRIGHT_2000),
        Narrative(&WILSON_1927),
        Parenthetical(&KORN_GRAUBARD_1998),
        study.statistics.confidence
    );
    section.cited.extend([&BONETT_WRIGHT_2000, &KORN_GRAUBARD_1998, &WILSON_1927]);
    for method in METHODS.iter().filter(|method| method.was_used(&tables)) {
        statistics.push(' ');
        statistics.push_str(&method.text());
        section.cited.extend(method.citations.iter().map(|citation| citation.work()));
    }
    section.paragraphs.push(of_play(play));
    section.paragraphs.extend(play.sample.as_ref().map(of_sample));
    section.paragraphs.push(statistics);
    section.paragraphs.extend(results.comparison.map(of_comparison));
    let n_p_values = n_p_values(&tables);
    if n_p_values > 0 {
        let kind = match study.statistics.confirmatory.len() {
            0 => "plymap was told of no hypothesis beforehand, so that all of these tests count as exploratory."
                .to_owned(),
            1 => "One of them tests the hypothesis that the study names as confirmatory. All others count as exploratory."
                .to_owned(),
            n => format!(
                "{} of them test hypotheses that the study names as confirmatory; they were corrected as one family by the method of {}. All others count as exploratory.",
                apa::count(n),
                Narrative(&HOLM_1979)
            ),
        };
        if study.statistics.confirmatory.len() > 1 {
            section.cited.push(&HOLM_1979);
        }
        let n = apa::counted(n_p_values, "p value");
        section.paragraphs.push(match play.is_pilot() {
            true => {
                format!("The files of tables of these analyses hold {n}. With so few participants none is reported.")
            }
            false => format!("The tables of these analyses hold {n}. {kind}"),
        });
    }
    if !tables.is_empty() {
        section.paragraphs.push(format!(
            "All random number generators (resampling, shuffling, simulated play) were seeded with {}.",
            study.simulation.seed
        ));
    }
    section
}

/// Returns the number of p values in tables; corrected ones beside them are the same tests again.
fn n_p_values(tables: &[&Table]) -> usize {
    // The hypotheses are tests that the tables of analyses have too.
    tables.iter().filter(|table| table.name != CONFIRMATORY).map(|table| n_p_values_of(table)).sum()
}

fn n_p_values_of(table: &Table) -> usize {
    let is_p = |name: &str| name == P_VALUE.name || name.ends_with("_p");
    let of_column = |column: &polars::prelude::Column| column.len() - column.null_count();
    table.data.columns().iter().filter(|column| is_p(column.name())).map(of_column).sum()
}

impl MethodText {
    /// Its sentence with the citations.
    fn text(&self) -> String {
        let mut pieces = self.sentence.split("{}");
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.zip(self.citations).fold(first, |text, (piece, citation)| format!("{text}{citation}{piece}"))
    }

    fn was_used(&self, tables: &[&Table]) -> bool {
        let Some(table) = tables.iter().find(|table| table.name == self.table) else { return false };
        match self.when {
            When::Always => table.n_rows() > 0,
            When::Column(column) => table.numbers(column).is_ok_and(|cells| cells.iter().any(Option::is_some)),
            When::Cell(column, text) => table.texts(column).is_ok_and(|cells| cells.iter().any(|cell| cell == text)),
            When::Positive(column) => table.counts(column).is_ok_and(|cells| cells.iter().any(|&cell| cell > Some(0))),
        }
    }
}

/// Returns a paragraph on the simulated players with whom participants are compared.
fn of_comparison(comparison: &Comparison) -> String {
    let cohorts = comparison.cohorts();
    let cohorts: Vec<String> = cohorts.iter().map(|(name, members)| format!("{name}, n = {}", members.len())).collect();
    format!(
        "Simulated players ({}) played the same levels and were measured by the same definitions; the regret per move of each player was normalised to a scale on which 0 is that of chance at the same levels and 1 is optimal play (chance-normalised score).",
        cohorts.join("; ")
    )
}

fn of_levels(study: &Study, levels: &[ValuedLevel], certified: Certified) -> String {
    let unit = unit_of(levels);
    let n = levels.len();
    let game = study.game().title;
    let version = env!("CARGO_PKG_VERSION");
    let start = format!(
        "The {} of {game} {} analysed with plymap (version {version}).",
        if n == 1 { "level".to_owned() } else { apa::counted(n, "level") },
        if n == 1 { "was" } else { "were" },
    );
    let n_mapped = levels.iter().filter(|level| level.whole.is_some()).count();
    let method = match (unit.is_distance(), n_states(levels)) {
        (true, Some(states)) if n_mapped == n => format!(
            "All positions that can be reached from the start of each were enumerated ({} in sum), and the distance of each to the nearest goal was computed exactly, in {}, by search backwards from all goals.",
            apa::count(states),
            unit.name()
        ),
        (true, Some(states)) => format!(
            "All positions that can be reached were enumerated for {n_mapped} of them ({} in sum); the distances to the goal, in {}, are exact in all, in the others by the algorithm of the game.",
            apa::counted(states, "position"),
            unit.name()
        ),
        (true, None) => {
            format!("Distances to the goal, in {}, were computed exactly by the algorithm of the game.", unit.name())
        }
        (false, _) if levels.iter().all(|level| level.rules.valuation() == Valuation::Exact) => {
            "The value of a position is the expected number of further points under optimal play, computed exactly."
                .to_owned()
        }
        (false, _) => {
            "The value of a position is an estimate of the expected number of further points under optimal play."
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
    format!("{start} {method}{} {quality}", of_certificates(certified))
}

/// Returns a sentence on the distances that were certified; empty where there are none.
fn of_certificates(Certified { n_levels, n_states }: Certified) -> String {
    if n_levels == 0 {
        return String::new();
    }
    format!(
        " The distances of all {} of {} were certified from the rules alone, by a check that shares no code with the enumeration and the search: goals have the distance 0, no move lowers the distance by more than 1, every other position from which a goal can be reached has a move that lowers it by 1, and every move leads to one of these positions.",
        apa::counted(n_states, "position"),
        if n_levels == 1 { "the level".to_owned() } else { apa::counted(n_levels, "level") },
    )
}

fn of_play(play: &Play) -> String {
    let RowCounts { read, rejected, excluded, .. } = play.account.counts;
    let Totals { n_participants: analysed, n_illegal: illegal, .. } = play.account.totals;
    // Before anything was left out.
    let selection = &play.account.selection;
    let people = selection.first().map_or(analysed, |first| first.left.n_participants + first.left_out.n_participants);
    let replayed = read - rejected - excluded;
    let left_out = match rejected + excluded {
        0 => "all of them".to_owned(),
        n => format!(
            "{}; {} left out for reasons that are listed with the data",
            apa::counted(replayed, "row"),
            if n == 1 { "1 was".to_owned() } else { format!("{} were", apa::count(n)) }
        ),
    };
    let illegal = if illegal > 0 {
        let were = if illegal == 1 { "was" } else { "were" };
        format!(
            " {} that the rules do not allow {were} counted and not analysed further.",
            apa::counted(illegal, "move")
        )
    } else {
        String::new()
    };
    let selected = selection_sentence(selection);
    format!(
        "The logs of {} hold {}; the moves in them were replayed from the start of each level ({left_out}).{selected}{illegal} First-move latencies were analysed separately from inter-move times. The chance level of optimal moves is their share under uniformly random choice among the legal moves of the same positions.",
        apa::counted(people, "participant"),
        apa::counted(read, "row")
    )
}

/// Returns a paragraph on the sample of participants whose play was analysed.
fn of_sample(sample: &Sample) -> String {
    format!(
        "The tables of attempts, trials, participants, levels and conditions hold all that was played. Analyses, comparisons and figures are of {sample}. Participants were drawn one after the other, all with the same probability, until the next would have exceeded the number of moves that the study analyses."
    )
}

/// Returns a sentence on the selections of the study, and how much they leave out.
fn selection_sentence(selection: &[SelectionCount]) -> String {
    if selection.is_empty() {
        return String::new();
    }
    let reasons: Vec<String> = selection.iter().map(exclusion).collect();
    let PlayCount { n_trials, n_participants, .. } = selection[selection.len() - 1].left;
    format!(
        " Left out of the analysis, in this order: {}. That leaves {} and {}.",
        reasons.join("; "),
        apa::counted(n_participants, "participant"),
        apa::counted(n_trials, "trial")
    )
}

/// The reason of a selection, and how much it leaves out.
fn exclusion(count: &SelectionCount) -> String {
    let PlayCount { n_attempts, n_trials, n_participants, .. } = count.left_out;
    let (n, what) = match count.of.as_str() {
        "participants" => (n_participants, "participant"),
        "attempts" => (n_attempts, "attempt"),
        _ => (n_trials, "trial"),
    };
    format!("{} ({})", count.reason.trim().trim_end_matches('.'), apa::counted(n, what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_analysis::{ANALYSES, testing};
    use plymap_tables::{ColumnDoc, Columns, text};

    fn table(name: &str, tests: &[&str], estimates: &[Option<f64>]) -> Table {
        let rows: Vec<(&str, Option<f64>)> = tests.iter().copied().zip(estimates.iter().copied()).collect();
        Columns::new()
            .column(&rows, TEST, |row| row.0.to_owned())
            .column(&rows, ESTIMATE, |row| row.1)
            .into_table(name, "A table.")
    }

    fn said(tables: &[Table]) -> String {
        let tables: Vec<&Table> = tables.iter().collect();
        let used = METHODS.iter().filter(|method| method.was_used(&tables));
        used.map(MethodText::text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_was_not_done_is_not_said() {
        assert!(said(&[]).is_empty());
        assert!(said(&[table("conditions", &["welch"], &[Some(1.0)])]).is_empty());
        let between = said(&[table("condition_tests", &["welch", "mann-whitney"], &[None, Some(1.0)])]);
        assert!(between.contains("Mann and Whitney (1947)") && !between.contains("Wilcoxon"), "{between}");
        let within = said(&[table("condition_tests", &["wilcoxon"], &[Some(1.0)])]);
        assert!(within.contains("Wilcoxon (1945)") && !within.contains("Mann"), "{within}");
        assert!(said(&[table("level_rasch", &["", ""], &[None, None])]).is_empty(), "no model, no method");
        assert!(said(&[table("level_rasch", &["", ""], &[Some(0.5), None])]).contains("(Rasch, 1960)"));
    }

    #[test]
    fn p_values_are_counted_once() {
        let rows = [Some(0.01), None, Some(0.5)];
        let columns = ["p_value", "p_adjusted", "proportional_p"];
        let table = columns
            .iter()
            .fold(Columns::new(), |table, name| table.column(&rows, ColumnDoc::new(name, "a number"), |row| *row));
        let table = table.column(&rows, text("p_method", "a word"), |_| "exact".to_owned()).into_table("own", "Own.");
        assert_eq!(n_p_values(&[&table]), 4);
    }

    #[test]
    fn every_citation_has_its_place() {
        for method in METHODS {
            assert_eq!(method.sentence.matches("{}").count(), method.citations.len(), "{}", method.sentence);
        }
    }

    #[test]
    fn every_table_and_column_that_tells_of_a_method_is_written() {
        let cases = testing::hard_cases();
        let run = |data| ANALYSES.iter().map(move |analysis| analysis.run(&testing::context(data), &[]));
        let tables: Vec<Table> = cases.iter().flat_map(run).flat_map(|findings| findings.tables).collect();
        for method in METHODS {
            let mut written = tables.iter().filter(|table| table.name == method.table).peekable();
            assert!(written.peek().is_some(), "{}", method.table);
            match method.when {
                When::Always => {}
                When::Column(name) | When::Cell(name, _) | When::Positive(name) => {
                    assert!(written.all(|table| table.has(name)), "{}.{}", method.table, name.name);
                }
            }
        }
    }
}
