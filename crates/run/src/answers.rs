//! The questions at the head of a report, and what the results answer.

use super::{Play, RunError, Statistics};
use crate::study::Study;
use plymap_analysis::columns::{LEVEL, MEDIAN_TIME, METHOD, P_ADJUSTED, SENTENCE, SHARE_OPTIMAL, SHARE_SOLVED};
use plymap_analysis::confirmatory::{CONFIRMATORY, Spoken};
use plymap_analysis::dataset::Trial;
use plymap_analysis::measures::capital;
use plymap_analysis::models::{Direction, ReportedEffect, SIGNIFICANT, TermEffect};
use plymap_analysis::words::{CategoryEffect, MULTIPLE, differs, is_too_wide, outcome_noun};
use plymap_analysis::{models, moves_and_time};
use plymap_log::Event;
use plymap_measures::label::Quality;
use plymap_measures::measure::Terminology;
use plymap_report::figures::section::MOVES_AND_TIME;
use plymap_report::figures::{Illustration, Kind, MapMeasure, map_measure};
use plymap_report::settings::Question;
use plymap_report::{Preregistration, PreregistrationFile, ReportError};
use plymap_statistics::record::{Column, ESTIMATE, P_VALUE, X, Y};
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::apa::{self, TestFamily};
use plymap_statistics::stats::correlation::CorrelationKind;
use plymap_statistics::stats::describe::quantile;
use plymap_tables::Table;

use listed::{extremes, first_of, in_words, listed, most};

mod listed;

/// Answer to a question of the report.
pub(super) struct Answer {
    /// The question in words.
    pub question: String,
    /// One sentence for each paragraph; none where the study cannot have an answer.
    pub sentences: Vec<String>,
    /// The figure that shows it, if one does.
    pub figure: Option<ShownFigure>,
    /// The section with the details.
    pub section: &'static str,
}

/// A figure that shows an answer: the first of a kind, or the one of this name.
#[derive(Clone, Copy)]
pub(super) struct ShownFigure {
    kind: Kind,
    name: Option<&'static str>,
}

impl ShownFigure {
    fn first(kind: Kind) -> Option<Self> {
        Some(Self { kind, name: None })
    }

    /// Returns true for the pages of the figure.
    pub fn is_shown_by(self, illustration: &Illustration) -> bool {
        illustration.kind == self.kind && self.name.is_none_or(|name| name == illustration.name)
    }
}

/// Question of the hypotheses that a registration does not have.
pub(super) const ADDED: &str = "Confirmatory hypotheses, added after the registration";

/// Results of the hypotheses that a study names as confirmatory, as sentences.
pub(super) struct ConfirmatorySentences {
    /// Of those that its preregistration has.
    pub registered: Vec<String>,
    /// Of the others: all, where a study has no preregistration.
    pub unregistered: Vec<String>,
}

impl ConfirmatorySentences {
    /// Words the results of a study.
    ///
    /// # Errors
    ///
    /// Its preregistration cannot be read.
    pub fn new(study: &Study, statistics: &Statistics) -> Result<Self, RunError> {
        let read = |PreregistrationFile { file }: &_| Preregistration::read(&study.folder.join(file));
        let registration = study.preregistration.as_ref().map(read).transpose().map_err(ReportError::from)?;
        let (mut registered, mut unregistered) = (Vec::new(), Vec::new());
        for (hypothesis, sentence) in study.statistics.confirmatory.iter().zip(statistics.confirmatory.sentences()) {
            let entry = serde_json::to_value(hypothesis).unwrap_or_default();
            let is_registered = |one: &Preregistration| one.has_entry("statistics.confirmatory", &entry);
            let place =
                if registration.as_ref().is_some_and(is_registered) { &mut registered } else { &mut unregistered };
            place.push(sentence);
        }
        Ok(Self { registered, unregistered })
    }
}

/// The log, its statistics and the confidence level that answers are worded from.
pub(super) struct AnswerInput<'a> {
    study: &'a Study,
    play: &'a Play,
    statistics: &'a Statistics,
    confidence: Confidence,
    /// True if too few people took part for any test.
    is_pilot: bool,
}

impl AnswerInput<'_> {
    /// The answer to a question, as far as there is one.
    pub(super) fn answer(&self, question: Question) -> Answer {
        let Terminology { solved, .. } = self.play.measures.terminology();
        let (question, section, figure, sentences) = match question {
            Question::MovesAndTime => (
                "Do people who make more moves take more time?",
                MOVES_AND_TIME,
                ShownFigure::first(Kind::MovesAgainstTime),
                self.moves_and_time(),
            ),
            Question::Levels => {
                let (figure, sentences) = self.levels();
                ("Which levels are hard, and what goes with it?", "difficulty", figure, sentences)
            }
            Question::Thinking => (
                "Does thinking before a move make it better?",
                "models",
                ShownFigure::first(Kind::OptimalByTime),
                self.thinking(),
            ),
            Question::GivingUp => {
                ("Who gives up, and when?", "survival", ShownFigure::first(Kind::Survival), self.giving_up())
            }
            Question::Conditions => (
                "Do the conditions differ?",
                "models",
                ShownFigure::first(Kind::ConditionEffects),
                self.conditions(solved),
            ),
        };
        Answer { question: question.to_owned(), sentences, figure, section }
    }
}

impl<'a> AnswerInput<'a> {
    pub fn new(study: &'a Study, play: &'a Play, statistics: &'a Statistics) -> Self {
        Self { study, play, statistics, confidence: study.statistics.confidence, is_pilot: play.is_pilot() }
    }

    fn table(&self, name: &str) -> Option<&'a Table> {
        self.statistics.all_tables().find(|table| table.name == name)
    }

    fn effect(&self, name: (&str, &str)) -> Option<ReportedEffect> {
        models::reported_effect(|table| self.table(table), name)
    }

    /// The hypotheses that the study names as confirmatory: those that were registered, and those that were added later.
    pub fn confirmatory(&self) -> Result<Vec<Answer>, RunError> {
        let answer = |question: &str, sentences: Vec<String>| Answer {
            question: question.to_owned(),
            sentences,
            figure: None,
            section: CONFIRMATORY,
        };
        let ConfirmatorySentences { registered, unregistered } =
            ConfirmatorySentences::new(self.study, self.statistics)?;
        Ok(match self.study.preregistration {
            None => vec![answer("Hypotheses of the study", unregistered)],
            Some(_) => vec![answer("Preregistered hypotheses", registered), answer(ADDED, unregistered)],
        })
    }

    /// Returns sentences on moves and time: within people and levels, between people, and between levels.
    pub fn moves_and_time(&self) -> Vec<String> {
        let Terminology { solved, time } = self.play.measures.terminology();
        let within = self.effect(models::TIME_OF_MOVES).map(|effect| {
            if is_too_wide(effect.interval) {
                return "Within people and levels, it cannot be told from these data.".to_owned();
            }
            let is = match self.direction(&effect) {
                Some(Direction::More) => "Within people and levels, yes: a",
                Some(Direction::Less) => "Within people and levels, on the contrary: a",
                Some(Direction::Unknown) => "Within people and levels, it is not shown: in these data, a",
                None => "Within people and levels, in these data, a",
            };
            format!(
                "{is} {solved} trial with 10 % more moves takes {} ({}; a mixed model of the logarithms).",
                time_of_ten_percent(effect.estimate),
                effect.sentence
            )
        });
        let between = |scope: &str, words: &str| {
            let sentence = self.correlation_of_moves_and_time(scope, CorrelationKind::Spearman)?;
            Some(format!("{words} and the mean {time}: {sentence}."))
        };
        let people = between("between-participants", "Between people, the mean number of moves of a participant");
        let levels = between("between-levels", "Between levels, the mean number of moves at a level");
        [within, people, levels].into_iter().flatten().collect()
    }

    /// The correlation of the number of moves with the time, in words.
    pub fn correlation_of_moves_and_time(&self, scope: &str, method: CorrelationKind) -> Option<String> {
        let correlations = self.table("within_correlations")?;
        moves_and_time(correlations, scope, method)
    }

    /// The levels that are hardest and easiest for people, and the measures of maps that go with the time to solve them; with
    /// the figure of the one that goes with it most closely.
    fn levels(&self) -> (Option<ShownFigure>, Vec<String>) {
        let mut figure = ShownFigure::first(Kind::DifficultyBy);
        let Some(difficulty) = self.table("difficulty") else { return (figure, Vec::new()) };
        let solved_percent = |row: usize| {
            let share = difficulty.number_at(row, SHARE_SOLVED);
            share.map_or(String::new(), |share| format!(", solved by {} %", apa::number(100.0 * share, 0)))
        };
        let is_distance = self.statistics.data.unit.is_distance();
        let (measure, column) = match is_distance {
            true => ("the median time to solve them", MEDIAN_TIME),
            false => ("the share of optimal moves", SHARE_OPTIMAL),
        };
        let mut rows: Vec<(usize, f64)> =
            (0..difficulty.data.height()).filter_map(|row| Some((row, difficulty.number_at(row, column)?))).collect();
        if rows.len() < 2 {
            return (figure, Vec::new());
        }
        rows.sort_by(|left, right| if is_distance { right.1.total_cmp(&left.1) } else { left.1.total_cmp(&right.1) });
        let named = |&(row, value): &(usize, f64)| {
            let level = difficulty.text_at(row, LEVEL).unwrap_or_default();
            match is_distance {
                true => format!("{level} ({} s{})", apa::number(value, 1), solved_percent(row)),
                false => format!("{level} ({})", apa::bounded(value, 2)),
            }
        };
        let (hardest, easiest) = extremes(&rows);
        let is = |n: usize| if n == 1 { "is" } else { "are" };
        let unknown = match difficulty.n_rows() - rows.len() {
            n if n == 0 || !is_distance => String::new(),
            n => format!(" (without {} that nobody solved in a known time)", apa::counted(n, "level")),
        };
        let mut sentences = vec![match hardest {
            [] => format!("By {measure}, no level is harder than another: all {} tie.", rows.len()),
            hardest => format!(
                "By {measure}, the hardest level{} {} {}; the easiest of {}{unknown} {} {}.",
                if hardest.len() == 1 { "" } else { "s" },
                is(hardest.len()),
                first_of(hardest.iter().map(named)),
                rows.len(),
                is(easiest.len()),
                first_of(easiest.iter().map(named)),
            ),
        }];
        if let Some(correlations) = self.table("level_correlations") {
            let (words, best) = close_measures(correlations, self.is_pilot);
            figure =
                best.map_or(figure, |best| Some(ShownFigure { kind: Kind::DifficultyBy, name: Some(best.figure) }));
            sentences.extend(words);
        }
        (figure, sentences)
    }

    /// Returns sentences on whether moves after a longer time are better, and whether better moves take longer.
    fn thinking(&self) -> Vec<String> {
        let of_time = self.effect(models::OPTIMAL_OF_TIME).map(|effect| {
            if is_too_wide(effect.interval) {
                return "It cannot be told from these data.".to_owned();
            }
            let is = match self.direction(&effect) {
                Some(Direction::More) => "Yes: a",
                Some(Direction::Less) => "On the contrary: a",
                Some(Direction::Unknown) => "It is not shown: in these data, a",
                None => "In these data, a",
            };
            // The effect is that of a logarithm of time.
            let doubled = apa::ratio((effect.estimate * 2.0_f64.ln()).exp());
            format!(
                "{is} move that a person makes after twice the time has {doubled} times the odds of being optimal, compared with the same person's other moves at the same level (for one ln s more: {}; a logistic mixed model, in which the value of the position, the number of legal moves and the moves made before stay the same).",
                effect.sentence
            )
        });
        of_time.into_iter().chain(self.time_of_quality()).collect()
    }

    /// Returns a sentence on whether moves of different quality take different times, with the largest difference.
    fn time_of_quality(&self) -> Option<String> {
        let test = models::test(|name| self.table(name), models::QUALITY_OF_TIME)?;
        let effect = models::largest(&test.effects)?;
        let quality = effect.label.strip_prefix("quality = ").unwrap_or(&effect.label);
        let is_timed = |quality: &Quality| {
            let of_quality = self.statistics.data.moves.iter().filter(|row| row.quality == *quality);
            of_quality.into_iter().any(|row| row.inter_move_s().is_some() && row.value_before.is_some())
        };
        let best = Quality::of_unit(self.statistics.data.unit).iter().find(|quality| is_timed(quality))?.name();
        let largest = match is_too_wide(effect.interval) {
            true => format!("how long a move of the quality {quality} takes cannot be told from these data"),
            false => {
                let interval = effect.interval.map(|(lower, upper)| (lower.exp(), upper.exp()));
                format!(
                    "a move of the quality {quality} takes {} times as long as one of the quality {best}{}",
                    apa::ratio(effect.estimate?.exp()),
                    apa::interval(self.confidence, interval, apa::ratio)
                )
            }
        };
        if self.is_pilot {
            return Some(format!("The other way round, {largest}; mixed model."));
        }
        let take = match test.p_adjusted < SIGNIFICANT {
            true => "moves of different quality take different times",
            false => "it is not shown that moves of different quality take different times",
        };
        let which =
            if test.effects.len() > 1 { format!("{}: ", largest_from(best, &test.effects)) } else { String::new() };
        Some(format!("The other way round, {take}: {}; {which}{largest}; mixed model.", test.sentence))
    }

    /// Returns the direction of an effect; none in a pilot, which tests nothing.
    fn direction(&self, effect: &ReportedEffect) -> Option<Direction> {
        (!self.is_pilot).then(|| effect.direction())
    }

    /// Returns sentences on trials that ended without a solution: whose, where, after how much, and whether errors come
    /// before.
    fn giving_up(&self) -> Vec<String> {
        let data = &self.statistics.data;
        if !data.unit.is_distance() {
            return Vec::new();
        }
        let known: Vec<&Trial> = data.trials.iter().filter(|trial| trial.is_solved.is_some()).collect();
        let unsolved: Vec<&Trial> = known.iter().copied().filter(|trial| trial.is_solved == Some(false)).collect();
        if known.is_empty() {
            return Vec::new();
        }
        let trials = match data.trials.len() - known.len() {
            0 => apa::counted(known.len(), "trial"),
            _ => format!("{} of known outcome", apa::counted(known.len(), "trial")),
        };
        if unsolved.is_empty() {
            let all = if known.len() == 1 {
                "the only trial was solved".to_owned()
            } else {
                format!("all {trials} were solved")
            };
            return vec![format!("Nobody: {all}.")];
        }
        // Who gave up may have solved the level later: only trials that stayed unsolved count.
        let n_ended_by = |event| unsolved.iter().filter(|trial| trial.tally.n_of(event) > 0).count();
        let ended_by = |n: usize, how: &str| match n {
            0 => format!("none by {how}"),
            n if n == unsolved.len() => format!("by {how}"),
            n => format!("{} of them by {how}", apa::count(n)),
        };
        let mut ended = ended_by(n_ended_by(Event::GiveUp), "a logged give-up");
        if let n @ 1.. = n_ended_by(Event::Limit) {
            ended = format!("{ended}, {}", ended_by(n, "a limit"));
        }
        let people = most(&data.participants, unsolved.iter().map(|trial| trial.participant));
        let levels = most(&data.levels, unsolved.iter().map(|trial| trial.level));
        let mut sentences = vec![format!(
            "{} of {trials} ({} %) ended without a solution, {ended}: of {} of {}, most often of {}; at {} of {}, most often at {}.",
            apa::count(unsolved.len()),
            apa::number(100.0 * unsolved.len() as f64 / known.len() as f64, 1),
            people.n,
            apa::counted(data.participants.len(), "participant"),
            people.often,
            levels.n,
            apa::counted(data.levels.len(), "level"),
            levels.often,
        )];
        let median_of = |value: fn(&Trial) -> Option<f64>, unit: &str, decimals: usize| {
            let values: Vec<f64> = unsolved.iter().filter_map(|trial| value(trial)).collect();
            let at = |share| Some(apa::number(quantile(&values, share).ok()?, decimals));
            Some(format!("{} {unit} (interquartile range {} to {})", at(0.5)?, at(0.25)?, at(0.75)?))
        };
        let after = [median_of(|trial| trial.n_moves, "moves", 0), median_of(|trial| trial.time_s, "s", 1)];
        let after: Vec<String> = after.into_iter().flatten().collect();
        if !after.is_empty() {
            sentences.push(format!("They ended after a median of {}.", listed(&after)));
        }
        sentences.extend(self.after_errors());
        sentences
    }

    /// Returns a sentence on whether people give up, or restart, after errors.
    fn after_errors(&self) -> Option<String> {
        let compared = |effect: (&str, &str), words: &str| {
            let effect = self.effect(effect)?;
            if is_too_wide(effect.interval) {
                return Some(format!("how much likelier {words} is cannot be told from these data"));
            }
            if self.direction(&effect) == Some(Direction::Unknown) {
                return Some(format!("it is not shown that {words} is more or less likely ({})", effect.sentence));
            }
            let times = apa::ratio(effect.estimate.exp());
            Some(format!("the odds of {words} are {times} times as high ({})", effect.sentence))
        };
        let both = [compared(models::GIVE_UP_OF_ERROR, "a give-up"), compared(models::RESTART_OF_ERROR, "a restart")];
        let both: Vec<String> = both.into_iter().flatten().collect();
        (!both.is_empty()).then(|| {
            format!("After an error, compared with after an optimal move, {}; logistic mixed models.", both.join("; "))
        })
    }

    /// Returns the effect of a condition on the outcome of a model: direction and unit first, then the statistics.
    fn in_words(&self, model: &str, condition: &str, reference: &str, solved: &str) -> Option<String> {
        let effect = self.effect((model, &format!("condition = {condition}")))?;
        let words = CategoryEffect {
            model,
            category: condition,
            reference,
            estimate: effect.estimate,
            interval: effect.interval,
            confidence: self.confidence,
            solved,
        };
        // The width of an interval that is no result is none either.
        Some(match is_too_wide(effect.interval) {
            true => format!("{}; mixed model.", words.sentence()?),
            false => format!("{}; {}; mixed model.", words.sentence()?, effect.sentence),
        })
    }

    /// Returns sentences on what differs between conditions, one for each outcome; of more than two conditions the test is
    /// that of all together.
    fn conditions(&self, solved: &str) -> Vec<String> {
        let data = &self.statistics.data;
        let mut names: Vec<&str> = data.trials.iter().filter_map(|trial| trial.condition.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        let Some((first, others)) = names.split_first().filter(|(_, others)| !others.is_empty()) else {
            return Vec::new();
        };
        const OUTCOMES: [&str; 4] = ["trial-time", "trial-moves", "solved", "optimal"];
        if let [other] = others {
            return OUTCOMES.iter().filter_map(|model| self.in_words(model, other, first, solved)).collect();
        }
        let sentence = |model: &&str| {
            let outcome = outcome_noun(model, solved)?;
            let test = models::test(|name| self.table(name), (model, models::CONDITION))?;
            let spoken =
                Spoken { reference: Some(first), confidence: self.confidence, solved, is_pilot: self.is_pilot };
            let effects = spoken.several(model, &test.effects, false)?;
            if self.is_pilot {
                return Some(format!("{effects}; mixed model."));
            }
            let is_shown = test.p_adjusted < SIGNIFICANT;
            let differs = differs(&outcome, models::CONDITION, test.effects.len(), is_shown);
            Some(format!("{differs}: {}; mixed model. {effects}.", test.sentence))
        };
        OUTCOMES.iter().filter_map(sentence).map(|sentence| capital(&sentence)).collect()
    }
}

fn largest_from(reference: &str, effects: &[TermEffect]) -> String {
    format!("the largest difference from {reference}{}", models::left_out(effects))
}

/// Returns the time of what is a power of something that grows by 10 %: `9.4 % more time`, or `2.14 times as much time`.
fn time_of_ten_percent(exponent: f64) -> String {
    let log_ratio = exponent * 1.1_f64.ln();
    if log_ratio >= MULTIPLE.ln() {
        return format!("{} times as much time", apa::ratio(log_ratio.exp()));
    }
    let direction = if exponent < 0.0 { "less" } else { "more" };
    format!("{} % {direction} time", apa::number(100.0 * log_ratio.exp_m1().abs(), 1))
}

/// The measures of maps that go with the median time to solve, the closest one first, and that one if it has a figure.
fn close_measures(correlations: &Table, is_pilot: bool) -> (Option<String>, Option<&'static MapMeasure>) {
    let is_asked = |row: &usize| {
        let text = |column: Column| correlations.text_at(*row, column);
        text(X).as_deref() == Some(MEDIAN_TIME.name) && text(METHOD).as_deref() == Some(CorrelationKind::Spearman.key())
    };
    let rows: Vec<usize> = (0..correlations.data.height()).filter(is_asked).collect();
    let n_tests = rows.iter().filter(|row| correlations.number_at(**row, P_ADJUSTED).is_some()).count();
    let of_row = |&row: &usize| {
        let number = |column: Column| correlations.number_at(row, column);
        let (estimate, p, adjusted) = (number(ESTIMATE)?, number(P_VALUE)?, number(P_ADJUSTED)?);
        let sentence = apa::adjusted(&correlations.text_at(row, SENTENCE)?, p, adjusted, TestFamily::of_tests(n_tests));
        Some((correlations.text_at(row, Y)?, estimate, adjusted, sentence))
    };
    let mut all: Vec<(String, f64, f64, String)> = rows.iter().filter_map(of_row).collect();
    all.sort_by(|left, right| right.1.abs().total_cmp(&left.1.abs()));
    let Some((closest, _, _, sentence)) = all.first() else { return (None, None) };
    let measure = map_measure(closest);
    let close: Vec<&(String, f64, f64, String)> =
        all.iter().filter(|correlation| correlation.2 < SIGNIFICANT).collect();
    let sentence = match close.len() {
        _ if is_pilot => format!(
            "Of {} measures of their maps, the {} goes most closely with the time: {sentence}.",
            all.len(),
            measure_name(closest)
        ),
        1 => format!(
            "Of {} measures of their maps, one goes with the time (adjusted p < .05), the {}: {sentence}. That does not show it to be the cause.",
            all.len(),
            measure_name(closest)
        ),
        0 => format!(
            "Of {} measures of their maps, none is shown to go with the time; the closest is the {}: {sentence}.",
            all.len(),
            measure_name(closest)
        ),
        n => {
            let next: Vec<String> =
                close[1..].iter().take(3).map(|correlation| format!("the {}", measure_name(&correlation.0))).collect();
            let next = if next.is_empty() { String::new() } else { format!("; after it, {}", listed(&next)) };
            format!(
                "Of {} measures of their maps, {n} go with the time (adjusted p < .05), most closely the {}: {sentence}{next}. Measures of maps go with each other, so that none of them is shown to be the cause.",
                all.len(),
                measure_name(closest)
            )
        }
    };
    (Some(sentence), measure)
}

fn measure_name(column: &str) -> String {
    map_measure(column).map_or_else(|| in_words(column), |measure| measure.title.english().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_percent_more_of_one_are_some_percent_of_the_other() {
        // 1.1, 1 / 1.1 and 1.1 to the power of 8.
        let said = [1.0, -1.0, 8.0].map(time_of_ten_percent);
        assert_eq!(said, ["10.0 % more time", "9.1 % less time", "2.14 times as much time"]);
    }

    #[test]
    fn an_effect_is_told_by_its_corrected_p() {
        assert_eq!(
            [direction_word(0.1, 0.049), direction_word(-0.1, 0.049), direction_word(0.1, 0.05)],
            ["more", "less", "unknown"]
        );
    }

    fn direction_word(estimate: f64, p_adjusted: f64) -> &'static str {
        let effect = ReportedEffect { estimate, interval: None, p_adjusted, sentence: String::new() };
        match effect.direction() {
            Direction::More => "more",
            Direction::Less => "less",
            Direction::Unknown => "unknown",
        }
    }
}
