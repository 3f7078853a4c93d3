//! Figures of trials: moves against time, quality, and change from trial to trial.

use super::groups::{Group, named_by, titled_by};
use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, heading, percent};
use plymap_analysis::measures::mean;
use plymap_analysis::practice::{Levels, Practice};
use plymap_analysis::{TrialMeasure, models, moves_and_time};
use plymap_figures::curve::{self, Curve, Curves};
use plymap_figures::panels::PanelHead;
use plymap_figures::quality::{self, MoveQuality};
use plymap_figures::scatter::{self, Panel, Scatter};
use plymap_figures::{Facets, Label, Message, grouped};
use plymap_measures::label::Quality;
use plymap_measures::measure::{Tally, Trial};
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::apa::counted;
use plymap_statistics::stats::correlation::{CorrelationKind, correlate};
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::median_interval;
use plymap_statistics::stats::regression::line;
use plymap_statistics::stats::{Confidence, apa};

/// Values at which a fitted curve is drawn.
const FIT_POINTS: usize = 60;

/// A straight line through the logarithms of points, with its slope.
struct PowerFit {
    slope: f64,
    fit: scatter::Fit,
}

/// The straight line of log y on log x: of this slope through their means or, where none is given, by least squares. It has
/// no band: that of a line through all trials would take them for independent.
fn power_fit(points: &[(f64, f64)], slope: Option<f64>, confidence: Confidence) -> Option<PowerFit> {
    let positive = points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0);
    let (x, y): (Vec<f64>, Vec<f64>) = positive.map(|(x, y)| (x.ln(), y.ln())).unzip();
    let (low, high) = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
    if low >= high {
        return None;
    }
    let [mean_x, mean_y] = [mean(&x)?, mean(&y)?];
    let slope = match slope {
        Some(slope) => slope,
        None => line(&x, &y, confidence).slope?.estimate,
    };
    let grid = (0..FIT_POINTS).map(|step| low + (high - low) * step as f64 / (FIT_POINTS - 1) as f64);
    let (x, y) = grid.map(|at| (at.exp(), (mean_y + slope * (at - mean_x)).exp())).unzip();
    Some(PowerFit { slope, fit: scatter::Fit { x, y } })
}

fn moves_and_times<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Vec<(f64, f64)> {
    let solved = trials.into_iter().filter(|trial| trial.solution.is_some());
    solved.filter_map(|trial| Some((TrialMeasure::NMoves.of(trial)?, TrialMeasure::Time.of(trial)?))).collect()
}

/// The number of trials of a panel, their coefficient and the slope of the line, as a description.
fn statistic(points: &[(f64, f64)], fit: Option<&PowerFit>, confidence: Confidence) -> String {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let correlation = correlate(CorrelationKind::Spearman, &x, &y, confidence);
    let slope = fit.map(|fit| format!(", b = {}", apa::number(fit.slope, 2))).unwrap_or_default();
    match correlation.estimate() {
        Some(estimate) => format!("n = {}, ρ = {}{slope}", grouped(points.len() as u64), apa::bounded(estimate, 2)),
        None => correlation.sentence(),
    }
}

/// The mean of the coefficients of levels.
fn over_levels(input: &FigureInput) -> Option<String> {
    let table = input.table("within_correlations")?;
    Some(format!("mean {}", moves_and_time(table, "each-level", CorrelationKind::Spearman)?))
}

/// Points without groups.
pub(super) fn scatter_points(points: &[(f64, f64)]) -> Vec<scatter::Point> {
    points.iter().map(|&(x, y)| scatter::Point { x, y, group: None }).collect()
}

fn moves_against_time_axes(unit: Unit) -> scatter::Axes {
    let time = if unit.is_distance() { Message::TimeToSolve } else { Message::TimeOfGame };
    scatter::Axes { x_title: Message::NumberOfMoves.into(), y_title: time.into(), ..scatter::Axes::default() }
}

/// The article's question: number of moves against time to solve, all trials together and each level alone.
pub(super) fn moves_against_time(input: &FigureInput) -> Sketched {
    const NAME: &str = "moves-against-time";
    let (measures, confidence) = (input.measures, input.confidence);
    let pooled = moves_and_times(measures.trials.iter());
    let words = measures.terminology();
    let (title, none_solved) = if measures.unit.is_distance() {
        (Message::MovesAgainstTimeToSolve, Message::NoLevelWasSolvedInRecordedTime)
    } else {
        (Message::MovesAgainstTimeOfGame, Message::NoLevelWasFinishedInRecordedTime)
    };
    let points = scatter_points(&pooled);
    // The line is what the subtitle says: another slope than that within people and levels would contradict it.
    let effect = input.effect(models::TIME_OF_MOVES);
    let said = |effect: &models::ReportedEffect| format!("; {}, mixed model of ln time by ln moves", effect.sentence);
    let said = effect.as_ref().map(said);
    let fit = effect.and_then(|effect| power_fit(&pooled, Some(effect.estimate), confidence));
    let line = match fit.is_some() {
        true => {
            ". The line has the slope b of the subtitle, that within people and levels, and runs through the means of the logarithms"
        }
        false => "",
    };
    let together = format!(
        "Each point is one {} trial, a participant at a level: all moves made until then, and the time they took{line}",
        words.solved
    );
    let chart = Scatter {
        heading: heading(NAME, title, solved_trials(input, pooled.len()) + &said.unwrap_or_default(), none_solved),
        axes: moves_against_time_axes(measures.unit),
        marginals: true,
        line: Message::SlopeOfMixedModel.into(),
        panels: vec![Panel { points, fit: fit.map(|line| line.fit), ..Panel::default() }],
        ..Scatter::default()
    };
    let mut illustrations = vec![Sketch::new(Kind::MovesAgainstTime, chart, together)];
    let facets = input.styles.facets_of(NAME, Facets::Level);
    let alone = match facets {
        Facets::None => return Ok(illustrations),
        Facets::Level => "The same for each level alone, so that the difficulty of levels cannot produce the relation",
        Facets::Condition => "The same for each experimental condition alone",
        Facets::Participant => {
            "The same for each participant alone, so that differences between people cannot produce the relation"
        }
    };
    let pooled = match facets {
        Facets::Level => over_levels(input).unwrap_or_default(),
        _ => String::new(),
    };
    let panels = input.trials(facets).into_iter().map(|Group { name, members }| {
        let points = moves_and_times(members);
        let fit = power_fit(&points, None, confidence);
        let head = PanelHead { title: name, statistic: statistic(&points, fit.as_ref(), confidence) };
        Panel { head, points: scatter_points(&points), fit: fit.map(|line| line.fit) }
    });
    let chart = Scatter {
        heading: heading(&named_by(NAME, facets), titled_by(title, facets), pooled, none_solved),
        axes: moves_against_time_axes(measures.unit),
        line: Message::FitOfPanel.into(),
        panels: panels.collect(),
        ..Scatter::default()
    };
    illustrations.push(Sketch::new(Kind::MovesAgainstTime, chart, alone));
    Ok(illustrations)
}

/// Returns the number of trials shown, and of how many if some of those that came to an end have no time.
fn solved_trials(input: &FigureInput, n_shown: usize) -> String {
    let solved = input.measures.terminology().solved;
    let n_solved = input.measures.trials.iter().filter(|trial| trial.solution.is_some()).count();
    if n_shown == n_solved {
        counted(n_solved as u64, &format!("{solved} trial"))
    } else {
        format!("{} of {}", grouped(n_shown as u64), counted(n_solved as u64, &format!("{solved} trial")))
    }
}

/// Move quality, with the chance level of optimal moves: a bar for each level.
pub(super) fn quality(input: &FigureInput) -> Sketched {
    let unit = input.measures.unit;
    let qualities = Quality::of_unit(unit);
    let facets = input.styles.facets_of("quality", Facets::Level);
    let mut n_moves = 0;
    let bar = |Group { name, members }: Group<&Trial>| {
        let mut tally = Tally::default();
        members.iter().for_each(|trial| tally.add(&trial.tally));
        n_moves += tally.n_moves;
        quality::Level {
            label: if name.is_empty() { "all moves".to_owned() } else { name },
            counts: qualities.iter().map(|quality| tally.n_by_quality[quality.index()]).collect(),
            chance: tally.share_optimal_by_chance(),
        }
    };
    let levels = input.trials(facets).into_iter().map(bar).collect();
    let title = match facets {
        Facets::None => Message::QualityOfMoves,
        Facets::Level => Message::QualityOfMovesByLevel,
        Facets::Condition => Message::QualityOfMovesByCondition,
        Facets::Participant => Message::QualityOfMovesByParticipant,
    };
    let subtitle = counted(n_moves, "move");
    let chart = MoveQuality {
        heading: heading(&named_by("quality", facets), title, subtitle, Message::NoMoveWasReplayed),
        qualities: qualities.iter().map(|quality| quality.name().to_owned()).collect(),
        levels,
    };
    let shares = if unit.is_distance() {
        "Share of moves that brought the goal nearer, left it as far, or took it farther"
    } else {
        "Share of moves that gave away none of the expected points (best), up to 2 % (slip), up to 10 % (mistake) or more (blunder)"
    };
    let sentence = format!(
        "{shares}; the mark is the chance level: the share of optimal moves under uniformly random choice in the same positions"
    );
    Ok(vec![Sketch::new(Kind::Quality, chart, sentence)])
}

/// Measures that may change with practice.
const PRACTISED: [TrialMeasure; 3] = [TrialMeasure::Time, TrialMeasure::ExcessMoves, TrialMeasure::MedianInterMove];

/// Medians by the trial number within the participant, by condition where there are several.
pub(super) fn learning(input: &FigureInput) -> Sketched {
    let measures = TrialMeasure::of_unit(input.data.unit);
    let practised = PRACTISED.into_iter().filter(|measure| measures.contains(measure));
    Ok(practised.map(|measure| learning_of(input, measure)).collect())
}

fn learning_of(input: &FigureInput, measure: TrialMeasure) -> Sketch {
    let name = format!("learning-{}", measure.column().replace('_', "-"));
    let facets = input.facets_by_condition(&name);
    let practice = Practice::new(input.data, measure);
    let n_shown = practice.values.len();
    let has_order = input.data.trials.iter().any(|trial| trial.order.is_some());
    let no_data = if has_order { Message::NoTrialHasThisMeasure } else { Message::OrderOfTrialsIsNotKnown };
    let curve = |Group { name, members }: Group<&Trial>| {
        let value = |trial: &Trial| practice.values.get(&(trial.participant, trial.order?)).copied();
        let mut values: Vec<(usize, f64)> =
            members.into_iter().filter_map(|trial| Some((trial.order? + 1, value(trial)?))).collect();
        values.sort_by_key(|point| point.0);
        let point = |run: &[(usize, f64)]| {
            let values: Vec<f64> = run.iter().map(|point| point.1).collect();
            let interval = median_interval(&values, input.confidence);
            let band = interval.lower.zip(interval.upper);
            curve::Point { x: run[0].0 as f64, y: quantile(&values, 0.5).unwrap_or(f64::NAN), band }
        };
        let label = if name.is_empty() { "all participants".to_owned() } else { name };
        let points = values.chunk_by(|left, right| left.0 == right.0).map(point).collect();
        Curve { label, points, ..Curve::default() }
    };
    let curves: Vec<Curve> = input.trials(facets).into_iter().map(curve).collect();
    let unit = measure.unit(input.data.unit).unwrap_or_default();
    let told = match practice.levels {
        Levels::Corrected => "; corrected for the difficulty of levels",
        Levels::Confounded => "; order and difficulty of levels are confounded",
        Levels::One => "",
    };
    let subtitle = solved_trials(input, n_shown) + told;
    let title: Label = match measure {
        TrialMeasure::Time => Message::ChangeOverTrialsTime.into(),
        TrialMeasure::ExcessMoves => Message::ChangeOverTrialsExcessMoves.into(),
        TrialMeasure::MedianInterMove => Message::ChangeOverTrialsMedianInterMoveTime.into(),
        // It is none of those that people practise.
        measure => Label::untranslated(format!("Change over trials: {}", measure.title())),
    };
    let chart = Curves {
        heading: heading(&name, title, subtitle, no_data),
        x_title: Message::TrialNumberWithinParticipant.into(),
        y_title: match measure {
            TrialMeasure::Time => Message::MedianTimeS.into(),
            TrialMeasure::MedianInterMove => Message::MedianInterMoveTimeS.into(),
            TrialMeasure::ExcessMoves if unit == "moves" => Message::MedianExcessMovesMoves.into(),
            measure => Label::untranslated(format!("median {} ({unit})", measure.title())),
        },
        band: Message::IntervalOfMedian.with([percent(input.confidence)]),
        pages: curves_on_pages(curves),
        breaks: true,
        ..Curves::default()
    };
    let who = match facets {
        Facets::Participant => "Each participant's trials that they solved first, second, and so on",
        _ => "Medians over participants of the trials that they solved first, second, and so on",
    };
    let levels = match practice.levels {
        Levels::Corrected => {
            "; a level's own difficulty, by least squares with level and trial number as factors (of times, of their logarithms), is taken off, so that what is left is the change with practice"
        }
        Levels::Confounded => {
            "; levels and trial numbers go together in this study, so that a change may be practice or the difficulty of the levels"
        }
        Levels::One => "",
    };
    let sentence = format!("{who}{levels}");
    Sketch::new(Kind::Learning, chart, sentence)
}

/// The most curves that can be distinguished in one plot.
const MOST_CURVES: usize = 6;

/// Curves, a few on each page.
pub(super) fn curves_on_pages(curves: Vec<Curve>) -> Vec<Vec<Curve>> {
    if curves.is_empty() {
        return vec![Vec::new()];
    }
    let n_pages = curves.len().div_ceil(MOST_CURVES);
    curves.chunks(curves.len().div_ceil(n_pages)).map(<[Curve]>::to_vec).collect()
}
