//! Content of the report of a study.

use super::answers::{ADDED, AnswerInput, ConfirmatorySentences};
use super::methods::methods;
use super::parts::attempt;
use super::play::FEWEST;
use super::publish::Page;
use super::{Certified, Play, Results, RunError, Statistics, Totals};
use crate::baseline::Comparison;
use crate::study::Study;
use plymap_analysis::confirmatory::CONFIRMATORY;
use plymap_analysis::{Findings, models};
use plymap_log::Consequence;
use plymap_measures::label::unit_of;
use plymap_puzzles::game::{Unit, Valuation};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::claims::Checked;
use plymap_report::figures::section::{DIAGNOSTICS, LEVELS, MOVES_AND_TIME, PLAYERS, QUALITY, SCORES, TIME};
use plymap_report::figures::{KINDS, Kind, section};
use plymap_report::references::references;
use plymap_report::settings::Question;
use plymap_report::{PartKind, ReportContent, ReportDiagnostic, Section};
use plymap_statistics::stats::apa;
use plymap_statistics::stats::correlation::CorrelationKind;
use plymap_statistics::stats::describe::quantile;
use std::collections::HashSet;

pub(super) fn content(
    mut page: Page,
    study: &Study,
    (levels, certified): (&[ValuedLevel], Certified),
    results: &Results,
    claims: &[Checked],
) -> Result<ReportContent, RunError> {
    let &Results { play, comparison, statistics } = results;
    page.can_redraw().count("levels", levels.len() as u64);
    if let Some(n) = super::n_states(levels) {
        page.count("states", n);
    }
    if let Some(play) = play {
        count_play(&mut page, play, levels.len());
        sections_on_play(&mut page, study, play, statistics)?;
    }
    page.claims(claims)?;
    if let Some(comparison) = comparison {
        page.section(
            SCORES,
            "Between chance and optimal play",
            score_sentences(comparison),
            &figures_of(SCORES),
            &["chance_normalised_scores", "simulated_players"],
        )?;
    }
    page.section(LEVELS, "Levels and their maps", vec![level_sentence(levels)], &figures_of(LEVELS), &["levels"])?;
    if statistics.is_some_and(|statistics| {
        statistics.findings.iter().any(|findings| findings.analysis.name == section::analysis(DIAGNOSTICS))
    }) {
        let about = "What the mixed models leave unexplained, and what single participants and levels do to them. Where something is wrong, the section on the models says so.";
        let figures = figures_of(DIAGNOSTICS);
        page.section(
            DIAGNOSTICS,
            "Appendix: diagnostics of the mixed models",
            vec![about.to_owned()],
            &figures,
            &models::DIAGNOSTIC_TABLES,
        )?;
    }
    if let (Some(play), Some(statistics)) = (play, statistics) {
        answer_questions(&mut page, study, play, statistics)?;
    }
    define(&mut page, study, levels, comparison.is_some());
    let diagnostics_file = if play.is_some() { page.table_file("rejects") } else { String::new() };
    let remark = page.options.remark();
    let description = study.study.description.iter().flat_map(|text| text.split("\n\n"));
    let mut content = page.content;
    if play.is_some_and(Play::is_pilot) {
        content.without_p();
    }
    let (diagnostics, remarks) = play.map(diagnostics).unwrap_or_default();
    let methods = methods(study, (levels, certified), results);
    let answers = content.answers.iter().flat_map(|answer| &answer.paragraphs).map(String::as_str);
    let texts: Vec<&str> = answers.chain(content.sections.iter().flat_map(texts)).collect();
    let references = references(&methods.cited, &texts);
    Ok(ReportContent {
        description: remark
            .into_iter()
            .chain(play.and_then(pilot))
            .chain(description.map(|text| text.trim().to_owned()))
            .collect(),
        rows: play.map(|play| play.account.counts),
        selection: play.map(|play| play.account.selection.clone()).unwrap_or_default(),
        steps: play.map(|play| play.account.steps.clone()).unwrap_or_default(),
        diagnostics,
        remarks,
        diagnostics_file,
        anomalies: play.map(|play| play.anomalies.clone()).unwrap_or_default(),
        methods: methods.paragraphs,
        references,
        ..content
    })
}

/// Returns the remark on a study of few people.
fn pilot(play: &Play) -> Option<String> {
    let n = play.account.totals.n_participants;
    play.is_pilot().then(|| {
        format!(
            "This is a pilot: {} took part, and below {FEWEST} no test says much, in either direction. The results are \
             estimates with intervals, without p, which only the files of tables have; plymap power tells how many participants a hypothesis needs.",
            apa::counted(n, "participant")
        )
    })
}

/// Answers the questions of the study at the head of the page, those of its hypotheses first.
fn answer_questions(page: &mut Page, study: &Study, play: &Play, statistics: &Statistics) -> Result<(), RunError> {
    let input = AnswerInput::new(study, play, statistics);
    input.confirmatory()?.into_iter().for_each(|answer| page.answer(answer));
    for question in &study.report.questions {
        match attempt(PartKind::Answer, question.name(), || Ok::<_, RunError>(input.answer(*question)))? {
            Ok(answer) => page.answer(answer),
            Err(part) => page.content.failed.push(part),
        }
    }
    Ok(())
}

fn count_play(page: &mut Page, play: &Play, n_levels: usize) {
    let Totals { n_participants, n_trials, n_solved, n_attempts, .. } = play.account.totals;
    let played: HashSet<usize> = play.measures.trials.iter().map(|trial| trial.level).collect();
    // Of a sample it is not known which levels the others played.
    if play.sample.is_none() && played.len() < n_levels {
        page.count("levels played", played.len() as u64);
    }
    page.count("participants", n_participants)
        .count("trials", n_trials)
        .count(&format!("{} trials", play.measures.terminology().solved), n_solved)
        .count("attempts", n_attempts);
}

fn sections_on_play(
    page: &mut Page,
    study: &Study,
    play: &Play,
    statistics: Option<&Statistics>,
) -> Result<(), RunError> {
    let about_time =
        "The time of a first move is the first-move latency; it is analysed separately from inter-move times."
            .to_owned();
    if let Some(statistics) = statistics {
        let ConfirmatorySentences { registered: mut sentences, unregistered } =
            ConfirmatorySentences::new(study, statistics)?;
        if study.preregistration.is_some() && !unregistered.is_empty() {
            sentences.push(format!("{ADDED}:"));
        }
        sentences.extend(unregistered);
        if !sentences.is_empty() {
            page.section(CONFIRMATORY, "Confirmatory hypotheses", sentences, &[], &[CONFIRMATORY])?;
        }
    }
    page.section(
        MOVES_AND_TIME,
        "Moves and time",
        article_question(study, play, statistics),
        &figures_of(MOVES_AND_TIME),
        &["correlations"],
    )?
    .section(QUALITY, "Quality of moves", quality_sentences(play), &figures_of(QUALITY), &["quality_by_level"])?
    .section(TIME, "Time and quality", vec![about_time], &figures_of(TIME), &["time_by_quality"])?;
    for Findings { analysis, tables, sentences, .. } in statistics.iter().flat_map(|statistics| &statistics.findings) {
        let names = tables.iter().map(|table| table.name.as_str());
        let names: Vec<&str> = names.filter(|name| !models::DIAGNOSTIC_TABLES.contains(name)).collect();
        page.section(analysis.name, analysis.heading, sentences.clone(), &figures_of(analysis.name), &names)?;
    }
    page.section(
        PLAYERS,
        "Participants and trials",
        Vec::new(),
        &figures_of(PLAYERS),
        &["conditions", "participants", "level_play", "trials", "sample"],
    )?;
    Ok(())
}

/// All that a section says: sentences, captions, what columns mean, and the cells that are shown.
fn texts(section: &Section) -> impl Iterator<Item = &str> {
    let figures = section.figures.iter().flat_map(|figure| [&figure.caption, &figure.alt]);
    let tables = section.tables.iter().flat_map(|table| {
        let meanings = table.columns.iter().map(|column| &column.meaning);
        let cells = table.rows.iter().flatten().map(|cell| &cell.text);
        std::iter::once(&table.caption).chain(meanings).chain(cells)
    });
    section.paragraphs.iter().chain(figures).chain(tables).map(String::as_str)
}

/// The kinds of the figures of a section.
fn figures_of(section: &str) -> Vec<Kind> {
    KINDS.iter().filter(|kind| kind.section == section).map(|kind| kind.kind).collect()
}

/// Returns the diagnostics of what was left out, and those of rows that are used and of whole files.
fn diagnostics(play: &Play) -> (Vec<ReportDiagnostic>, Vec<ReportDiagnostic>) {
    let place = |file: &str, row: u64| if row == 0 { file.to_owned() } else { format!("{file}:{row}") };
    let shown = |summary: plymap_log::DiagnosticSummary| ReportDiagnostic {
        code: summary.code,
        n: summary.n,
        first: place(&summary.file, summary.row),
        column: summary.column,
        value: summary.value,
        rule: match summary.consequence {
            Consequence::Rejected => format!("{} (rejected)", summary.rule),
            Consequence::Excluded => format!("{} (excluded)", summary.rule),
            Consequence::LeftOut => format!("{} (left out)", summary.rule),
            Consequence::TimeMissing => format!("{} (kept, its time left out)", summary.rule),
            Consequence::Kept => format!("{} (kept)", summary.rule),
        },
        fix: summary.fix,
    };
    let (used, left_out): (Vec<_>, Vec<_>) = play
        .account
        .diagnostic_summaries()
        .into_iter()
        .partition(|summary| matches!(summary.consequence, Consequence::Kept | Consequence::TimeMissing));
    (left_out.into_iter().map(shown).collect(), used.into_iter().map(shown).collect())
}

fn define(page: &mut Page, study: &Study, levels: &[ValuedLevel], has_comparison: bool) {
    let unit = unit_of(levels);
    page.define_game();
    match unit.is_distance() {
        true => define_distances(page, study, levels, unit),
        false => define_points(page, levels),
    }
    let trial = match unit.is_distance() {
        true => "one participant at one level: all attempts up to and including the first solution",
        false => "one participant at one level: all attempts, each of which is a game",
    };
    page.define(
        "chance level",
        "share of optimal moves under uniformly random choice among the legal moves in the same positions",
        "mean of n_optimal / n_legal",
    )
    .define("trial", trial, "");
    if unit.is_distance() {
        page.define(
            "excess moves",
            "what was spent beyond the fewest possible, over all attempts of a solved trial",
            "cost of all moves - start_distance",
        );
    }
    if has_comparison {
        page.define(
            "chance_normalised_score",
            "regret per move against that of chance at the same levels, each level weighted by the player's moves: 1 is optimal play, 0 loses as much as chance",
            "1 - mean_regret / chance_regret",
        );
    }
    page.define(
        if unit.is_distance() { "time to solve" } else { "time of the game" },
        "sum of the times of all rows of the trial up to the solution",
        "",
    )
    .define("interval", format!("all intervals are at {}", study.statistics.confidence), "");
}

fn define_distances(page: &mut Page, study: &Study, levels: &[ValuedLevel], unit: Unit) {
    let unit = unit.name();
    let is_mapped = levels.iter().any(|level| level.whole.is_some());
    let method = match levels.iter().all(|level| level.whole.is_some()) {
        true => format!("fewest {unit} from a state to the nearest goal, over the whole state graph of the level"),
        false if is_mapped => format!(
            "fewest {unit} from a state to the nearest goal: over the whole state graph of the level where it was mapped, else by the exact algorithm of the game"
        ),
        false => format!("fewest {unit} from a state to the nearest goal, by the exact algorithm of the game"),
    };
    page.define("distance to goal", method, "");
    if is_mapped {
        let (meaning, setting) = match study.map.expand_goals {
            true => ("belong to the map", "expand_goals = true"),
            false => ("do not belong to the map: a goal has no moves", "expand_goals = false"),
        };
        page.define("positions beyond a goal", meaning, setting);
    }
    page.define(
        "regret",
        "what a move loses against the best one; 0 for an optimal move",
        "value_after + cost - value_before",
    )
    .define(
        "quality",
        "better, same or worse: whether the goal is nearer, as far or farther after the move; dead-end: no goal can be reached any more",
        "sign of value_after - value_before",
    );
}

fn define_points(page: &mut Page, levels: &[ValuedLevel]) {
    let is_exact = levels.iter().all(|level| level.rules.valuation() == Valuation::Exact);
    let method = if is_exact {
        "expected further points under optimal play, averaged over chance (expectimax); exact"
    } else {
        "expected further points under optimal play, averaged over chance (expectimax); an estimate that looks a bounded number of moves ahead, where the table of levels says so"
    };
    page.define("value", method, "")
        .define(
            "regret",
            "expected points that a move gives away against the best one; 0 for an optimal move",
            "value_before - gain - value_after",
        )
        .define(
            "quality",
            "best: gives nothing away; slip: up to 2 % of the expected points; mistake: up to 10 %; blunder: more",
            "regret / value_before",
        )
        .define("score", "points gained by all moves of an attempt or a trial", "sum of gain");
}

/// Moves and time: between people, between levels, within both, unless the report begins with that; then what is seen in
/// all trials and at each level.
fn article_question(study: &Study, play: &Play, statistics: Option<&Statistics>) -> Vec<String> {
    let solved = play.measures.terminology().solved;
    let input = statistics.map(|statistics| AnswerInput::new(study, play, statistics));
    let mut sentences = Vec::new();
    if !study.report.questions.contains(&Question::MovesAndTime) {
        sentences.extend(input.iter().flat_map(AnswerInput::moves_and_time));
    }
    let pooled =
        input.as_ref().and_then(|input| input.correlation_of_moves_and_time("pooled", CorrelationKind::Spearman));
    if let Some(sentence) = pooled {
        sentences.push(format!(
            "Over all {solved} trials together, in which people, levels and trials are mixed, {sentence}{}.",
            if sentence.contains(" CI [") { " (its interval is for other participants and other levels)" } else { "" }
        ));
    }
    let each_level =
        input.as_ref().and_then(|input| input.correlation_of_moves_and_time("each-level", CorrelationKind::Spearman));
    if let Some(sentence) = each_level {
        sentences.push(format!("Level by level, the mean of the coefficients is {sentence}."));
    }
    if sentences.is_empty() {
        sentences.push(format!(
            "The moves and times of {solved} trials are related in the table correlations; the analyses within and models, which tell people and levels apart, were not made or have too few trials."
        ));
    }
    sentences
}

fn quality_sentences(play: &Play) -> Vec<String> {
    let mut tally = plymap_measures::measure::Tally::default();
    play.measures.trials.iter().for_each(|trial| tally.add(&trial.tally));
    let (Some(optimal), Some(chance)) = (tally.share_optimal(), tally.share_optimal_by_chance()) else {
        return vec!["No move was replayed.".to_owned()];
    };
    let moves = apa::counted(tally.n_moves, "move");
    vec![format!(
        "Of {moves}, {:.1} % were optimal; the chance level (uniformly random choice among the legal moves of the same positions) is {:.1} %.",
        100.0 * optimal,
        100.0 * chance
    )]
}

/// The chance-normalised scores of people, and how many exceed the mean of each cohort.
fn score_sentences(comparison: &Comparison) -> Vec<String> {
    let people: Vec<f64> = comparison.people().filter_map(|person| person.chance_normalised_score).collect();
    let mut sentences = vec![
        "Simulated players played the same levels and are measured by the same definitions; their parameters are in the table simulated_players.".to_owned(),
    ];
    let at = |proportion| quantile(&people, proportion).ok();
    let (Some(least), Some(middle), Some(most)) = (at(0.0), at(0.5), at(1.0)) else { return sentences };
    sentences.push(format!(
        "The chance-normalised score (0: as much regret per move as chance at the same levels; 1: optimal play) of {} ranges from {least:.2} to {most:.2}, with a median of {middle:.2}.",
        if people.len() == 1 { "one person".to_owned() } else { apa::counted(people.len(), "person") },
    ));
    for (cohort, members) in comparison.cohorts() {
        let scores: Vec<f64> = members.iter().filter_map(|member| member.chance_normalised_score).collect();
        if scores.is_empty() {
            continue;
        }
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let n_better = people.iter().filter(|&&score| score > mean).count();
        sentences.push(format!(
            "The mean chance-normalised score of the simulated cohort {cohort} is {mean:.2}; {n_better} of {} {} higher.",
            apa::counted(people.len(), "person"),
            if n_better == 1 { "scores" } else { "score" }
        ));
    }
    sentences
}

fn level_sentence(levels: &[ValuedLevel]) -> String {
    if !unit_of(levels).is_distance() {
        let points: Vec<f64> =
            levels.iter().filter_map(|level| level.start_value).map(|value| value.number()).collect();
        let least = points.iter().copied().fold(f64::INFINITY, f64::min);
        let most = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_estimate = levels.iter().any(|level| level.rules.valuation() == Valuation::Estimate);
        let remark = if is_estimate {
            " Where the table of levels says estimate, this looks a bounded number of moves ahead and can be far too low."
        } else {
            ""
        };
        return match points.len() {
            0 => "No level has a value.".to_owned(),
            1 => format!("The expected points under optimal play are {least:.2} from the start.{remark}"),
            _ => format!(
                "The expected points under optimal play are {least:.2} to {most:.2} from the starts of the levels.{remark}"
            ),
        };
    }
    let distances: Vec<u32> =
        levels.iter().filter_map(ValuedLevel::start_distance).map(|distance| distance.0).collect();
    let states: Vec<u64> = levels.iter().filter_map(ValuedLevel::n_states).collect();
    let from_to = |least: String, most: String| if least == most { least } else { format!("{least} to {most}") };
    let (Some(nearest), Some(farthest)) = (distances.iter().min(), distances.iter().max()) else {
        return "No level can be solved.".to_owned();
    };
    let solutions = format!(
        "Shortest solutions take {} {}",
        from_to(nearest.to_string(), farthest.to_string()),
        unit_of(levels).name()
    );
    let maps = || levels.iter().filter_map(|level| level.whole.as_ref());
    let extent = if maps().all(|whole| whole.map.goals_expanded()) {
        "each map holds all positions that can be reached"
    } else {
        "each map holds all positions that can be reached without passing a goal"
    };
    let of_states = apa::counted(states.iter().max().copied().unwrap_or_default(), "state");
    match (states.iter().min(), states.iter().max()) {
        (Some(fewest), Some(most)) if states.len() == levels.len() => format!(
            "{solutions}; {} {}. Every distance is exact: {extent}.",
            if levels.len() == 1 { "the map has" } else { "maps have" },
            if fewest == most { of_states } else { format!("{} to {of_states}", apa::count(*fewest)) },
        ),
        (Some(fewest), Some(most)) => format!(
            "{solutions}; {} of {} {} mapped, with {}, and the others are valued by the exact algorithm of the game. Every distance is exact: {extent}.",
            states.len(),
            apa::counted(levels.len(), "level"),
            if states.len() == 1 { "is" } else { "are" },
            if fewest == most { of_states } else { format!("{} to {of_states}", apa::count(*fewest)) },
        ),
        _ => format!(
            "{solutions}. The levels are too large to map; every distance is exact, by the algorithm of the game."
        ),
    }
}
