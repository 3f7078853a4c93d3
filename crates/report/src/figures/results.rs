//! Figures of results: each is drawn from a table of the run, so that its numbers are those of the table.

use super::groups::{named_by, of_group, titled_by};
use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, heading, percent};
use super::trials::{curves_on_pages, scatter_points};
use plymap_analysis::TrialMeasure;
use plymap_analysis::columns::*;
use plymap_analysis::level_play::{N_MOVES_AWAY, N_SHORTEST, N_STATES, START_DISTANCE};
use plymap_analysis::words::is_too_wide;
use plymap_figures::curve::{self, Curve, Curves};
use plymap_figures::matrix::{CorrelationMatrix, Pair};
use plymap_figures::model_comparison::{Criterion, Model, ModelComparison, Outcome};
use plymap_figures::ranking::{Category, MOST_GROUPS, Ranking};
use plymap_figures::scatter::{Axes, Panel, Scatter};
use plymap_figures::transitions::{Diagram, State, Transition, Transitions};
use plymap_figures::{Facets, Label, Message, Reference, grouped};
use plymap_measures::label::Quality;
use plymap_puzzles::game::Unit;
use plymap_statistics::record::{Column, ESTIMATE, N, N_PARTICIPANTS, P_VALUE, REASON, TERM, X, Y};
use plymap_statistics::stats::apa::{TestFamily, counted};
use plymap_statistics::stats::correlation::CorrelationKind;
use plymap_statistics::stats::survival::kaplan_meier::N_AT_RISK;
use plymap_statistics::stats::{apa, describe};
use plymap_tables::Table;
use polars::prelude::PolarsResult;
use std::collections::BTreeSet;

/// The measures of participants, each with each.
pub(super) fn correlation_matrix(input: &FigureInput) -> Sketched {
    let Some(table) = input.table("participant_correlations") else { return Ok(Vec::new()) };
    let [x, y, method] = [table.texts(X)?, table.texts(Y)?, table.texts(METHOD)?];
    let (estimates, p, n) = (table.numbers(ESTIMATE)?, table.numbers(P_ADJUSTED)?, table.counts(N)?);
    let mut measures: Vec<&String> = Vec::new();
    for name in x.iter().zip(&y).flat_map(|(x, y)| [x, y]) {
        if !measures.contains(&name) {
            measures.push(name);
        }
    }
    let place = |name: &String| measures.iter().position(|measure| *measure == name).unwrap_or(0);
    let is_shown = |row: &usize| method[*row] == CorrelationKind::Spearman.key();
    let pairs: Vec<Pair> = (0..table.n_rows())
        .filter(is_shown)
        .filter_map(|row| {
            Some(Pair {
                measures: (place(&x[row]), place(&y[row])),
                estimate: estimates[row],
                n: n[row]?,
                p_adjusted: p[row].filter(|_| !input.is_pilot),
                significant: !input.is_pilot && p[row].is_some_and(|p| p < 0.05),
            })
        })
        .collect();
    let most = pairs.iter().map(|pair| pair.n).max().unwrap_or(0);
    let chart = CorrelationMatrix {
        heading: heading(
            "correlations-of-participants",
            Message::CorrelationsOfMeasuresOverParticipants,
            format!("Spearman's ρ; n = {}", grouped(most)),
            Message::NoTwoMeasuresCouldBeCorrelated,
        ),
        measures: measures.into_iter().map(|name| label(name)).collect(),
        coefficient: Message::SpearmanRho.into(),
        significance: Message::BelowPHolm.with([".05"]),
        pairs,
    };
    let sentence = match input.is_pilot {
        true => "Each cell is the rank correlation of two measures over participants",
        false => {
            "Each cell is the rank correlation of two measures over participants; bold ones are significant after Holm's correction for multiple comparisons"
        }
    };
    Ok(vec![Sketch::new(Kind::CorrelationsOfParticipants, chart, sentence)])
}

/// A measure of participants as a figure prints it.
fn label(column: &str) -> String {
    match TrialMeasure::ALL.iter().find(|measure| measure.column() == column) {
        Some(measure) if measure.is_time() => format!("{} (s)", measure.title()),
        Some(measure) => measure.title().to_owned(),
        None => column.to_owned(),
    }
}

/// Draws transitions from one quality to the next, of all moves, and by facets where they are asked for.
pub(super) fn transition_diagrams(input: &FigureInput) -> Sketched {
    const NAME: &str = "transitions";
    let Some(table) = input.table("transitions") else { return Ok(Vec::new()) };
    let sentence = "Each arrow is the share of moves of one quality that is followed by one of the other; shares from one quality add up to 100 %";
    let mut drawn = vec![Sketch::new(Kind::Transitions, transitions(input, table, Facets::None)?, sentence)];
    let facets = input.styles.facets_of(NAME, Facets::None);
    if facets != Facets::None {
        drawn.push(Sketch::new(Kind::Transitions, transitions(input, table, facets)?, sentence));
    }
    Ok(drawn)
}

/// The diagrams of each group of a scope of the table `transitions`.
fn transitions(input: &FigureInput, table: &Table, facets: Facets) -> PolarsResult<Transitions> {
    let [scopes, groups] = [table.texts(SCOPE)?, table.texts(GROUP)?];
    let [from, to] = [table.texts(FROM)?, table.texts(TO)?];
    let (n, n_from) = (table.counts(N)?, table.counts(N_FROM)?);
    let shares = table.numbers(SHARE)?;
    let scope = if facets == Facets::None { "all" } else { facets.name() };
    let mut names: Vec<&String> =
        (0..table.n_rows()).filter(|&row| scopes[row] == scope).map(|row| &groups[row]).collect();
    names.dedup();
    if names.is_empty() && facets == Facets::None {
        names.push(&NO_GROUP);
    }
    let diagram = |name: &String| {
        let rows: Vec<usize> =
            (0..table.n_rows()).filter(|&row| scopes[row] == scope && groups[row] == *name).collect();
        let mut states: Vec<State> = Vec::new();
        for quality in Quality::of_unit(input.data.unit) {
            let pairs = || rows.iter().filter(|&&row| from[row] == quality.name() || to[row] == quality.name());
            if pairs().any(|&row| n[row] > Some(0)) {
                let first = pairs().find(|&&row| from[row] == quality.name());
                states.push(State {
                    label: quality.name().to_owned(),
                    n: first.and_then(|&row| n_from[row]).unwrap_or(0),
                });
            }
        }
        let place = |name: &str| states.iter().position(|state| state.label == name);
        let transitions: Vec<Transition> = rows
            .iter()
            .filter_map(|&row| {
                let (from, to) = (place(&from[row])?, place(&to[row])?);
                Some(Transition { from, to, n: n[row]?, share: shares[row]? })
            })
            .collect();
        let total: u64 = transitions.iter().map(|transition| transition.n).sum();
        Diagram {
            subtitle: of_group(
                name,
                &if total == 1 { "1 pair of moves".to_owned() } else { format!("{} pairs of moves", grouped(total)) },
            ),
            states,
            transitions,
        }
    };
    Ok(Transitions {
        heading: heading(
            &named_by("transitions", facets),
            titled_by(Message::FromQualityOfMoveToThatOfNext, facets),
            String::new(),
            Message::NoAttemptHasTwoMoves,
        ),
        counted: "moves".to_owned(),
        least_share: 0.01,
        diagrams: names.into_iter().map(diagram).collect(),
    })
}

/// The group of all moves.
static NO_GROUP: String = String::new();

/// The effects in the mixed model of inter-move times.
pub(super) fn time_model(input: &FigureInput) -> Sketched {
    // What a label is compared with: the best quality that occurs in the model, the first condition.
    let formula_rows =
        || input.data.moves.iter().filter(|row| row.inter_move_s().is_some() && row.value_before.is_some());
    let qualities = Quality::of_unit(input.data.unit);
    let best = qualities.iter().find(|&&quality| formula_rows().any(|row| row.quality == quality));
    let first = conditions(input).first().copied();
    let label = |_: &str, term: &str| {
        let Some((name, label)) = term.split_once(" = ") else { return (predictor(term, input.data.unit), None) };
        let reference = if name == "quality" { best.map(|best| best.name()) } else { first };
        (reference.map_or_else(|| label.to_owned(), |reference| format!("{label}, compared with {reference}")), None)
    };
    let chart = Ranking {
        x_title: Message::RatioOfInterMoveTimes.into(),
        ..effects(input, "time-model", Message::EffectsOnInterMoveTime, |model, _| model == "move-time", label)?
    };
    let sentence = "The factor by which inter-move times are longer (above ×1) or shorter for one unit more of each predictor, or for each quality than for the best one, while all others stay the same, by a linear mixed model with random effects of participants and levels; the value of the position and the number of moves made before are less the means of participants and of levels";
    Ok(vec![Sketch::new(Kind::TimeModel, chart, sentence)])
}

/// The effects of the condition in all mixed models that have it.
pub(super) fn condition_effects(input: &FigureInput) -> Sketched {
    const PREFIX: &str = "condition = ";
    const OUTCOMES: [(&str, &str); 5] = [
        ("trial-time", "time of solved trials"),
        ("trial-moves", "moves of solved trials"),
        ("solved", "odds of solving a trial"),
        ("move-time", "inter-move time"),
        ("optimal", "odds of an optimal move"),
    ];
    // In the other models the condition is only held constant.
    let is_condition =
        |model: &str, term: &str| term.starts_with(PREFIX) && OUTCOMES.iter().any(|(name, _)| *name == model);
    let conditions = conditions(input);
    // Conditions are groups, as far as marks tell them apart.
    let others: Vec<String> = conditions.iter().skip(1).map(|&name| name.to_owned()).collect();
    let are_groups = others.len() <= MOST_GROUPS;
    let label = |model: &str, term: &str| {
        let outcome = OUTCOMES.iter().find(|(name, _)| *name == model).map_or(model, |(_, outcome)| outcome);
        let condition = term.trim_start_matches(PREFIX);
        if are_groups {
            return (outcome.to_owned(), others.iter().position(|other| other == condition));
        }
        (format!("{outcome}, {condition}"), None)
    };
    let title = Message::EffectsOfCondition;
    let mut chart = Ranking {
        x_title: match conditions.first().filter(|_| are_groups) {
            Some(first) => Message::RatioTo.named(*first),
            None => Message::RatioOfInterMoveTimes.into(),
        },
        heading: heading(
            "condition-effects",
            title,
            counted(input.data.participants.len() as u64, "participant"),
            Message::ThereIsNoModel,
        ),
        ..effects(input, "condition-effects", title, is_condition, label)?
    };
    let (Some(first), false) = (conditions.first(), chart.categories.is_empty()) else { return Ok(Vec::new()) };
    if are_groups {
        chart.groups =
            others.iter().map(|other| Label::Parts(vec![other.into(), Message::ComparedWith.named(*first)])).collect();
    }
    let sentence = format!(
        "Ratio of times, moves and odds to those in the condition {first} (×2 is twice as much, ×½ half as much), in mixed models with random effects of participants and levels, in which the other predictors stay the same; to the right, there is more of what is named"
    );
    Ok(vec![Sketch::new(Kind::ConditionEffects, chart, sentence)])
}

/// The conditions of the study, by name.
fn conditions<'a>(input: &'a FigureInput) -> BTreeSet<&'a str> {
    input.data.trials.iter().filter_map(|trial| trial.condition.as_deref()).collect()
}

/// Effects of the table `models` that are asked for, each with its label and its group.
fn effects(
    input: &FigureInput,
    name: &str,
    title: Message,
    is_asked: impl Fn(&str, &str) -> bool,
    shown_as: impl Fn(&str, &str) -> (String, Option<usize>),
) -> PolarsResult<Ranking> {
    let Some(table) = input.table("models") else { return Ok(Ranking::default()) };
    let [models, terms, reasons] = [table.texts(MODEL)?, table.texts(TERM)?, table.texts(REASON)?];
    let (estimates, lower, upper) = (table.numbers(ESTIMATE)?, table.numbers(LOWER)?, table.numbers(UPPER)?);
    // The intercept is an expected outcome and not a difference. A model without a fit has a row that says why.
    let is_shown = |row: &usize| {
        let is_found = estimates[*row].is_some() && reasons[*row].is_empty();
        is_found && terms[*row] != "intercept" && is_asked(&models[*row], &terms[*row])
    };
    let shown: Vec<usize> = (0..table.n_rows()).filter(is_shown).collect();
    let counts = table.counts(N)?;
    let n = shown.iter().filter_map(|&row| counts[row]).max().unwrap_or(0);
    let category = |&row: &usize| {
        let (label, group) = shown_as(&models[row], &terms[row]);
        let (estimate, interval) = ratio(estimates[row], lower[row].zip(upper[row])).unzip();
        Category { label, group, estimate, interval: interval.flatten(), ..Category::default() }
    };
    Ok(Ranking {
        heading: heading(name, title, counted(n, "move"), Message::ThereIsNoModel),
        estimate: "effect".to_owned(),
        confidence: input.confidence.to_string(),
        log: true,
        ratio: true,
        reference: Some(Reference { value: 1.0, label: Message::NoEffect.into() }),
        categories: shown.iter().map(category).collect(),
        ..Ranking::default()
    })
}

/// The greatest ratio that a figure shows, and the inverse of the least: what is beyond is no estimate but a sign that there
/// is none, as is an interval that is too wide to be a result.
const MOST_RATIO: f64 = 1e4;

/// Returns the ratio of an effect on a logarithm with its interval; none where it, or an end, has no place on an axis.
fn ratio(estimate: Option<f64>, interval: Option<(f64, f64)>) -> Option<(f64, Option<(f64, f64)>)> {
    let has_place = |log: f64| log.abs() <= MOST_RATIO.ln();
    let estimate = estimate.filter(|&log| has_place(log))?;
    let fits = !is_too_wide(interval);
    fits.then(|| (estimate.exp(), interval.map(|(lower, upper)| (lower.exp(), upper.exp()))))
}

/// A predictor of the mixed models in words.
fn predictor(term: &str, unit: Unit) -> String {
    match term.strip_prefix("within(").and_then(|inner| inner.strip_suffix(')')).unwrap_or(term) {
        "value_before" if unit.is_distance() => format!("distance to goal ({})", unit.name()),
        "value_before" => "expected further points".to_owned(),
        "log(n_legal)" => "number of legal moves (ln)".to_owned(),
        "ply" => "moves made before".to_owned(),
        _ => term.to_owned(),
    }
}

/// The share of trials that are not solved yet, over time; by condition where there are several.
pub(super) fn survival(input: &FigureInput) -> Sketched {
    const NAME: &str = "survival";
    let Some(table) = input.table("survival_curves") else { return Ok(Vec::new()) };
    let [scopes, groups] = [table.texts(SCOPE)?, table.texts(GROUP)?];
    let (times, at_risk, censored) = (table.numbers(TIME)?, table.counts(N_AT_RISK)?, table.counts(N_CENSORED)?);
    let (unsolved, lower, upper) = (table.numbers(UNSOLVED)?, table.numbers(LOWER)?, table.numbers(UPPER)?);
    // Curves of single participants have too few trials each, and the table has none.
    let wanted = input.facets_by_condition(NAME).name();
    let scope = if scopes.iter().any(|scope| scope == wanted) { wanted } else { "all" };
    let mut names: Vec<&String> =
        (0..table.n_rows()).filter(|&row| scopes[row] == scope).map(|row| &groups[row]).collect();
    names.dedup();
    let curve = |name: &String| {
        let rows: Vec<usize> =
            (0..table.n_rows()).filter(|&row| scopes[row] == scope && groups[row] == *name).collect();
        let start = curve::Point { x: 0.0, y: 1.0, band: Some((1.0, 1.0)) };
        let point =
            |&row: &usize| Some(curve::Point { x: times[row]?, y: unsolved[row]?, band: lower[row].zip(upper[row]) });
        Curve {
            label: if name.is_empty() { "all trials".to_owned() } else { name.clone() },
            points: std::iter::once(start).chain(rows.iter().filter_map(point)).collect(),
            marks: rows.iter().filter(|&&row| censored[row] > Some(0)).filter_map(|&row| times[row]).collect(),
            at_risk: rows.iter().filter_map(|&row| Some((times[row]?, at_risk[row]?))).collect(),
        }
    };
    let curves: Vec<Curve> = names.into_iter().map(curve).collect();
    let n: u64 = curves.iter().filter_map(|curve| curve.at_risk.first()).map(|(_, n)| n).sum();
    let test = input.table("survival").filter(|_| !input.is_pilot);
    let test = test.map(|table| log_rank(table, scope)).transpose()?.flatten();
    let test = test.map(|test| format!("; log-rank test: {test}")).unwrap_or_default();
    let n_trials = input.data.trials.len() as u64;
    let n = if n == n_trials { grouped(n) } else { format!("{} of {}", grouped(n), counted(n_trials, "trial")) };
    let is_distance = input.data.unit.is_distance();
    let (title, share, mark, sentence) = if is_distance {
        (
            Message::HowLongTrialsStayUnsolved,
            Message::ShareOfTrialsNotYetSolved,
            Message::EndedWithoutSolution,
            "Kaplan-Meier curves: the share of trials that are not solved at each time; trials that ended without a solution are censored at their end",
        )
    } else {
        (
            Message::HowLongGamesLast,
            Message::ShareOfGamesNotYetOver,
            Message::LeftBeforeEnd,
            "Kaplan-Meier curves: the share of games that are not over at each time; games that were left before their end are censored there",
        )
    };
    let chart = Curves {
        heading: heading(NAME, title, format!("n = {n}{test}"), Message::NoTrialHasRecordedTime),
        x_title: Message::Time.into(),
        y_title: share.into(),
        y_range: Some((0.0, 1.0)),
        band: Message::Interval.with([percent(input.confidence)]),
        step: true,
        mark: mark.into(),
        pages: curves_on_pages(curves),
        ..Curves::default()
    };
    Ok(vec![Sketch::new(Kind::Survival, chart, sentence)])
}

/// The APA-formatted test between the groups of a scope.
fn log_rank(table: &Table, scope: &str) -> PolarsResult<Option<String>> {
    let (scopes, statistics) = (table.texts(SCOPE)?, table.numbers(LOG_RANK)?);
    let p = table.numbers(P_VALUE)?;
    let row = (0..table.n_rows()).find(|&row| scopes[row] == scope && statistics[row].is_some());
    let said = |row: usize| {
        let (statistic, p) = (apa::number(statistics[row]?, 2), apa::p_value(p[row]?));
        Some(format!("χ² = {statistic}, {p} (participants permuted)"))
    };
    Ok(row.and_then(said))
}

/// A measure of maps that levels are compared by.
pub struct MapMeasure {
    /// Its column in the table `difficulty`.
    pub column: Column,
    /// The name of the figure.
    pub figure: &'static str,
    /// Name of the measure in words.
    pub title: Message,
    /// The title of the figure.
    title_of_figure: Message,
}

const OF_MAPS: [MapMeasure; 4] = [
    MapMeasure {
        column: START_DISTANCE,
        figure: "difficulty-by-start-distance",
        title: Message::DistanceOfStartToGoal,
        title_of_figure: Message::TimeByStartDistance,
    },
    MapMeasure {
        column: N_STATES,
        figure: "difficulty-by-states",
        title: Message::NumberOfStates,
        title_of_figure: Message::TimeByStates,
    },
    MapMeasure {
        column: N_SHORTEST,
        figure: "difficulty-by-shortest",
        title: Message::NumberOfShortestSolutions,
        title_of_figure: Message::TimeByShortestSolutions,
    },
    MapMeasure {
        column: N_MOVES_AWAY,
        figure: "difficulty-by-moves-away",
        title: Message::MovesThatMustGoAwayFromGoal,
        title_of_figure: Message::TimeByMovesAway,
    },
];

/// The measure of maps in a column of the table `difficulty`, if there is a figure of it.
pub fn map_measure(column: &str) -> Option<&'static MapMeasure> {
    OF_MAPS.iter().find(|measure| measure.column.name == column)
}

/// The rank correlation over levels of their times with a measure of their maps, as the table has it: with the p value
/// that is adjusted for all pairs of measures.
fn level_correlation(table: &Table, measure: &str) -> PolarsResult<Option<String>> {
    let [x, y, method, said] = [table.texts(X)?, table.texts(Y)?, table.texts(METHOD)?, table.texts(SENTENCE)?];
    let (p, adjusted) = (table.numbers(P_VALUE)?, table.numbers(P_ADJUSTED)?);
    let is_asked = |row: &usize| {
        (&*x[*row], &*y[*row], &*method[*row]) == (MEDIAN_TIME.name, measure, CorrelationKind::Spearman.key())
    };
    // Those of a human measure by one method are a family.
    let is_beside = |row: usize, other: usize| (&x[row], &method[row]) == (&x[other], &method[other]);
    let sentence = |row: usize| {
        let p_values = p[row].zip(adjusted[row]);
        let n_tests = (0..x.len()).filter(|&other| is_beside(row, other) && adjusted[other].is_some()).count();
        p_values.map_or_else(
            || said[row].clone(),
            |(p, adjusted)| apa::adjusted(&said[row], p, adjusted, TestFamily::of_tests(n_tests)),
        )
    };
    Ok((0..table.n_rows()).find(is_asked).map(sentence).filter(|said| !said.is_empty()))
}

/// Human difficulty of levels against measures of their maps.
pub(super) fn difficulty(input: &FigureInput) -> Sketched {
    let Some(table) = input.table("difficulty") else { return Ok(Vec::new()) };
    let times = table.numbers(MEDIAN_TIME)?;
    let mut all = Vec::new();
    for MapMeasure { column, figure: name, title, title_of_figure } in OF_MAPS {
        let Ok(measure) = table.numbers(column) else { continue };
        // Games of points have no such measures, and some scripts give no estimate.
        if measure.iter().all(Option::is_none) {
            continue;
        }
        let points: Vec<(f64, f64)> = measure.iter().zip(&times).filter_map(|(x, y)| (*x).zip(*y)).collect();
        let x: Vec<f64> = points.iter().map(|&(x, _)| x).collect();
        let is_spread = x.iter().all(|&x| x > 0.0) && describe::quantile(&x, 1.0).unwrap_or(1.0) > 20.0;
        let correlated = input.table("level_correlations").map(|table| level_correlation(table, column.name));
        let statistic =
            correlated.transpose()?.flatten().map(|text| format!("; {}", input.told(&text))).unwrap_or_default();
        let n_levels = match (points.len(), table.n_rows()) {
            (n, all) if n == all => counted(n as u64, "level"),
            (n, all) => format!("{n} of {}", counted(all as u64, "level")),
        };
        let chart = Scatter {
            heading: heading(
                name,
                title_of_figure,
                format!("{n_levels}{statistic}"),
                Message::NoLevelWasSolvedInRecordedTime,
            ),
            axes: Axes {
                x_title: title.into(),
                y_title: Message::MedianTimeToSolveS.into(),
                log: is_spread,
                point: "level".to_owned(),
            },
            panels: vec![Panel { points: scatter_points(&points), ..Panel::default() }],
            ..Scatter::default()
        };
        let sentence = "Each point is a level: what its map says, against the median time that people took to solve it";
        all.push(Sketch::new(Kind::DifficultyBy, chart, sentence));
    }
    Ok(all)
}

/// Models of choice against the best one.
pub(super) fn model_comparison(input: &FigureInput) -> Sketched {
    let Some(table) = input.table("choice_comparison") else { return Ok(Vec::new()) };
    let [criteria, models] = [table.texts(CRITERION)?, table.texts(MODEL)?];
    let (differences, best) = (table.numbers(MEAN_DIFFERENCE)?, table.counts(N_BEST)?);
    let (lower, upper, totals) = (table.numbers(LOWER)?, table.numbers(UPPER)?, table.numbers(DIFFERENCE)?);
    let n = table.counts(N_PARTICIPANTS)?;
    // A criterion for which no model could be fitted has a row without a model, which says why.
    let fitted: Vec<usize> = (0..table.n_rows()).filter(|&row| !models[row].is_empty()).collect();
    let distinct = |texts: &[String]| {
        let mut names: Vec<String> = Vec::new();
        for &row in &fitted {
            if !names.contains(&texts[row]) {
                names.push(texts[row].clone());
            }
        }
        names
    };
    let (kinds, names) = (distinct(&criteria), distinct(&models));
    let n_of =
        |kind: &str| fitted.iter().filter(|&&row| criteria[row] == kind).filter_map(|&row| n[row]).max().unwrap_or(0);
    let sizes: Vec<u64> = kinds.iter().map(|kind| n_of(kind)).collect();
    let (least, most) = (sizes.iter().min().copied().unwrap_or(0), sizes.iter().max().copied().unwrap_or(0));
    let of_all = if least == most {
        format!("n = {}", counted(most, "participant"))
    } else {
        format!("n = {least} to {}", counted(most, "participant"))
    };
    let outcome = |name: &String, kind: &String| {
        let row = (0..table.n_rows()).find(|&row| models[row] == *name && criteria[row] == *kind);
        let is_best = |row: usize| totals[row] == Some(0.0);
        Outcome {
            difference: row.and_then(|row| differences[row].or(is_best(row).then_some(0.0))),
            interval: row.and_then(|row| lower[row].zip(upper[row])),
            best_for: row.and_then(|row| best[row]),
        }
    };
    let title = |kind: &str| match kind {
        "AIC" => Message::DeltaAIC.into(),
        "BIC" => Message::DeltaBIC.into(),
        _ => Message::DeltaLnLOfLevelsLeftOut.with(["−2"]),
    };
    let chart = ModelComparison {
        heading: heading("models-of-choice", Message::ModelsOfChoiceCompared, of_all, Message::NoModelCouldBeFitted),
        estimate: "mean difference for each participant to the best model of all".to_owned(),
        confidence: input.confidence.to_string(),
        units: "participants".to_owned(),
        criteria: kinds
            .iter()
            .map(|kind| {
                // Where people are left out of a criterion, its panel says how many are in it.
                let n = if least == most { String::new() } else { format!(", n = {}", n_of(kind)) };
                Criterion { name: format!("{kind}{n}"), x_title: title(kind) }
            })
            .collect(),
        models: names
            .iter()
            .map(|name| Model { label: name.clone(), outcomes: kinds.iter().map(|kind| outcome(name, kind)).collect() })
            .collect(),
    };
    let sentence = "How much worse each model of choice is than the one that is best over all participants, and for how many of them it is the best";
    Ok(vec![Sketch::new(Kind::ModelsOfChoice, chart, sentence)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_statistics::record::Record;
    use plymap_statistics::stats::Confidence;
    use plymap_statistics::stats::adjust::Adjustment;
    use plymap_statistics::stats::correlation::correlate;

    #[test]
    fn an_effect_on_a_logarithm_is_shown_as_a_ratio() {
        let (half, ends) = ratio(Some(0.5_f64.ln()), Some((0.25_f64.ln(), 0.0))).unwrap();
        let (lower, upper) = ends.unwrap();
        assert!((half - 0.5).abs() < 1e-12 && (lower - 0.25).abs() < 1e-12 && upper == 1.0);
        assert_eq!(ratio(Some(0.0), None), Some((1.0, None)));
        // Of a label that separates the outcomes.
        assert_eq!([ratio(Some(1.0), Some((-90.0, 92.0))), ratio(Some(700.0), None), ratio(None, None)], [None; 3]);
    }

    #[test]
    fn the_correlation_of_a_figure_of_levels_is_that_of_the_table_with_its_adjusted_p() {
        let times = [20.0, 31.0, 25.0, 60.0, 44.0, 90.0, 71.0, 40.0];
        let of_maps = [
            ("start_distance", [5.0, 6.0, 8.0, 7.0, 9.0, 12.0, 10.0, 11.0]),
            ("n_edges", [9.0, 2.0, 8.0, 3.0, 7.0, 4.0, 6.0, 5.0]),
            ("n_states", [3.0; 8]),
        ];
        let mut records: Vec<Record> = Vec::new();
        for method in [CorrelationKind::Kendall, CorrelationKind::Spearman] {
            for (human, change) in [("median_moves", 1.0), (MEDIAN_TIME.name, 0.0)] {
                let values: Vec<f64> =
                    times.iter().enumerate().map(|(index, time)| time + change * (index % 3) as f64).collect();
                records.extend(of_maps.map(|(map, measure)| {
                    let record = correlate(method, &measure, &values, Confidence::default()).record();
                    let record = record.family(&format!("{human} by {}", method.key()));
                    record.set(X, human).set(Y, map).set(METHOD, method.key())
                }));
            }
        }
        Adjustment::Holm.apply_to(&mut records, P_ADJUSTED);
        let columns = [X, Y, METHOD, P_VALUE, P_ADJUSTED, SENTENCE];
        let table = Table::of_records("level_correlations", "Correlations.", &columns, &records);
        // The last rows: Spearman's, of the time.
        let [distance, ..] = records.last_chunk::<3>().unwrap();
        let (p, adjusted) = (distance.number(P_VALUE).unwrap(), distance.number(P_ADJUSTED).unwrap());
        assert!(p < adjusted);
        let sentence = level_correlation(&table, "start_distance").unwrap().unwrap();
        assert!(sentence.starts_with("ρ(6) = .") && sentence.contains(", 95 % CI ["), "{sentence}");
        assert!(sentence.ends_with(&format!(", {} (adjusted over 2 tests)", apa::p_value(adjusted))), "{sentence}");
        let none = level_correlation(&table, "n_states").unwrap().unwrap();
        assert!(none.starts_with("ρ not estimable, n = 8"), "{none}");
        assert_eq!(level_correlation(&table, "n_shortest").unwrap(), None);
    }
}
