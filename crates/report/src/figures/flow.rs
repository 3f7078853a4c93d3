//! Flow of rows and participants from the log to the analysis.

use super::input::FigureInput;
use super::kind::Kind;
use super::row_flow::RowFlow;
use super::sketch::{Sketch, Sketched, heading};
use plymap_figures::flow::{Flow, FlowBox, FlowCount, FlowStage, MOST_GROUPS};
use plymap_figures::grouped;
use plymap_figures::{Label, Message};
use plymap_measures::selection::{PlayCount, SelectionKind};
use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet};

impl RowFlow<'_> {
    fn rows_of_files(&self) -> u64 {
        self.files.iter().map(|file| file.n_rows).sum()
    }

    fn left_out_by_steps(&self) -> u64 {
        self.steps.iter().map(|step| step.n_left_out).sum()
    }

    /// Returns the counts of play before the selections.
    fn replayed(&self) -> PlayCount {
        self.selection.iter().fold(self.analysed, |sum, count| sum.plus(count.left_out))
    }

    fn stages(&self) -> Vec<FlowStage> {
        let (of_files, by_steps) = (self.rows_of_files(), self.left_out_by_steps());
        let mut counts = rows(of_files);
        counts.push(FlowCount::new(self.files.len() as u64, "file", "files"));
        let mut stages = vec![stage("Log files", counts)];
        let steps = self.steps.iter().filter(|step| step.n_left_out > 0).map(|step| {
            let (title, words) = match step.step.as_str() {
                "events" => ("Ignored events", String::new()),
                name => ("Left out by a step", format!("{name} {}", step.detail)),
            };
            FlowBox { title: title.to_owned(), words, counts: rows(step.n_left_out), ..FlowBox::default() }
        });
        stages[0].left_out.extend(steps);
        match of_files == self.n_read + by_steps {
            true if by_steps == 0 => {}
            true => stages.push(stage("After the steps of the log", rows(self.n_read))),
            false => stages.push(stage("As steps took rows apart or joined them", rows(self.n_read))),
        }
        if self.n_refused > 0
            && let Some(last) = stages.last_mut()
        {
            last.left_out.push(FlowBox {
                title: "Rejected or excluded".to_owned(),
                counts: rows(self.n_refused),
                kinds: self.kinds_of_refusal(),
                ..FlowBox::default()
            });
        }
        let drawn = self.drawn.map(|drawn| stage("Drawn at random for the analyses", all(drawn)));
        if self.selection.is_empty() {
            let title = if drawn.is_some() { "Replayed" } else { "Replayed and analysed" };
            stages.push(stage(title, all(self.analysed)));
            stages.extend(drawn);
            return stages;
        }
        let selected = self.selection.iter().map(|count| {
            let title = match count.kind {
                SelectionKind::Include => "Not included by the study",
                SelectionKind::Exclude => "Excluded by the study",
            };
            let (title, words) = (title.to_owned(), count.reason.clone());
            FlowBox { title, words, counts: all(count.left_out), ..FlowBox::default() }
        });
        stages.push(FlowStage { left_out: selected.collect(), ..stage("Replayed", all(self.replayed())) });
        let title = if drawn.is_some() { "Kept by the study" } else { "Analysed" };
        stages.push(stage(title, all(self.analysed)));
        stages.extend(drawn);
        stages
    }

    /// Codes in words, the most frequent first.
    fn kinds_of_refusal(&self) -> Vec<(String, u64)> {
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        for kind in &self.refused {
            *kinds.entry(kind.code.as_str()).or_default() += kind.n;
        }
        let mut kinds: Vec<_> = kinds.into_iter().map(|(code, n)| (code.replace('-', " "), n)).collect();
        kinds.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        kinds
    }

    fn sentence(&self) -> String {
        let by_selections = self.selection.iter().map(|count| count.left_out.n_rows).sum();
        let n_selections = counted(self.selection.len() as u64, "selection");
        let left_out = [
            (self.left_out_by_steps(), "by the steps of the log".to_owned()),
            (self.n_refused, "as rejected or excluded".to_owned()),
            (by_selections, format!("by {n_selections} of the study")),
        ];
        let said = left_out.into_iter().filter(|(n, _)| *n > 0);
        let said: Vec<String> = said.map(|(n, how)| format!("{} {how}", grouped(n))).collect();
        let left_out = match said.split_last() {
            None => "none was left out".to_owned(),
            Some((last, [])) => format!("left out were {last}"),
            Some((last, others)) => format!("left out were {} and {last}", others.join(", ")),
        };
        let (verb, drawn) = match self.drawn {
            None => ("are analysed", String::new()),
            Some(PlayCount { n_rows, n_participants, .. }) => {
                let people = counted(n_participants, "participant");
                ("are in the tables", format!("; analysed are {} of {people} drawn at random", grouped(n_rows)))
            }
        };
        format!(
            "The way from the log to the analysis (as CONSORT asks for it; Schulz et al., 2010): of {} in {}, {} of {} in \
             {} {verb}; {left_out}{drawn}",
            counted(self.rows_of_files(), "row"),
            counted(self.files.len() as u64, "file"),
            grouped(self.analysed.n_rows),
            counted(self.analysed.n_participants, "participant"),
            counted(self.analysed.n_trials, "trial"),
        )
    }
}

fn stage(title: &str, counts: Vec<FlowCount>) -> FlowStage {
    let left = FlowBox { title: title.to_owned(), counts, ..FlowBox::default() };
    FlowStage { left, left_out: Vec::new() }
}

fn rows(n: u64) -> Vec<FlowCount> {
    vec![FlowCount::new(n, "row", "rows")]
}

fn people_and_trials(n_participants: u64, n_trials: u64) -> Vec<FlowCount> {
    vec![FlowCount::new(n_participants, "participant", "participants"), FlowCount::new(n_trials, "trial", "trials")]
}

fn all(count: PlayCount) -> Vec<FlowCount> {
    let mut counts = people_and_trials(count.n_participants, count.n_trials);
    counts.push(FlowCount::new(count.n_attempts, "attempt", "attempts"));
    counts.extend(rows(count.n_rows));
    counts
}

/// Returns a box for each condition; none unless there are 2 to `MOST_GROUPS` of them.
fn by_condition(input: &FigureInput) -> Vec<FlowBox> {
    // Those without a condition come last.
    let mut groups: BTreeMap<(bool, &str), (BTreeSet<usize>, u64)> = BTreeMap::new();
    // Of trials without a place no row is left, and they are not among those that are analysed.
    for trial in input.measures.trials.iter().filter(|trial| trial.order.is_some()) {
        let condition = trial.condition.as_deref();
        let (people, n_trials) = groups.entry((condition.is_none(), condition.unwrap_or_default())).or_default();
        people.insert(trial.participant);
        *n_trials += 1;
    }
    if !(2..=MOST_GROUPS).contains(&groups.len()) {
        return Vec::new();
    }
    let group = |((is_without, name), (people, n_trials)): ((bool, &str), (BTreeSet<usize>, u64))| FlowBox {
        title: if is_without { "no condition".to_owned() } else { String::new() },
        words: name.to_owned(),
        counts: people_and_trials(people.len() as u64, n_trials),
        kinds: Vec::new(),
    };
    groups.into_iter().map(group).collect()
}

/// Draws the flow from the rows of the log to the play that is analysed.
pub(super) fn participants(input: &FigureInput) -> Sketched {
    let flow = &input.flow;
    if flow.files.is_empty() {
        return Ok(Vec::new());
    }
    let groups = by_condition(input);
    let in_groups: u64 =
        groups.iter().filter_map(|group| group.counts.first()).map(|participants| participants.number).sum();
    let mut sentence = flow.sentence();
    if in_groups > flow.drawn.unwrap_or(flow.analysed).n_participants {
        sentence.push_str("; who played in several conditions is counted in each of them");
    }
    let n = format!("n = {}", counted(flow.analysed.n_participants, "participant"));
    let chart = Flow {
        heading: heading("participant-flow", Message::FromLogToAnalysis, n, Label::none()),
        stages: flow.stages(),
        groups,
    };
    Ok(vec![Sketch::new(Kind::ParticipantFlow, chart, sentence)])
}
