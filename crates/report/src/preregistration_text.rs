//! The text of a preregistration, in the order of the fields of the OSF's form, from the settings of a study alone.

use plymap_analysis::confirmatory::Hypothesis;
use plymap_analysis::models::{ModelSpec, SIGNIFICANT};
use plymap_analysis::registered::{LEFT_OUT, RegisteredHypothesis, own_models};
use plymap_documents::{ApaColumn, ApaTable, Document, Part, Run, apa};
use plymap_puzzles::valuation::LevelSummary;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::apa::counted;
use serde_json::Value;

use super::preregistration::{Preregistration, fingerprint};

/// A level as a preregistration describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredLevel {
    /// Its name.
    pub id: String,
    /// Value of its start, which is its distance from the goal in most games; absent where no goal can be reached.
    pub value: Option<String>,
    /// Number of its states; absent where it is not mapped.
    pub n_states: Option<u64>,
}

impl From<LevelSummary> for RegisteredLevel {
    fn from(level: LevelSummary) -> Self {
        let value = level.start_value.map(|value| value.to_string());
        Self { id: level.id, value, n_states: level.map.map(|map| map.states.n_states) }
    }
}

/// A text in the making.
struct Text<'a> {
    study: &'a Value,
    parts: Vec<Part>,
}

/// Returns the text of a preregistration. `study` is the configuration with its defaults, as a manifest has it. What settings
/// cannot tell is left to the authors, in brackets.
pub fn preregistration_text(study: &Value, levels: &[RegisteredLevel], registration: &Preregistration) -> Document {
    let mut text = Text { study, parts: Vec::new() };
    text.information();
    text.design(levels);
    text.sampling();
    text.variables();
    text.analysis();
    text.heading(1, "Other");
    text.parts.extend(fingerprint(registration));
    let title = text.at("study.title").or(text.at("study.name"));
    let title = format!("Preregistration: {}", title.unwrap_or_default());
    Document { title, made_by: registration.generated_by.clone(), parts: text.parts }
}

impl Text<'_> {
    fn heading(&mut self, depth: u8, text: &str) {
        self.parts.push(Part::Heading(depth, text.to_owned()));
    }

    fn say(&mut self, text: impl AsRef<str>) {
        self.parts.push(Part::Paragraph(apa::with_symbols(text.as_ref())));
    }

    fn item(&mut self, text: impl AsRef<str>) {
        self.parts.push(Part::Item(apa::with_symbols(text.as_ref())));
    }

    /// A field that the authors fill in.
    fn ask(&mut self, field: &str, what: &str) {
        self.heading(2, field);
        self.say(format!("[To be written by the authors: {what}]"));
    }

    fn value(&self, path: &str) -> &Value {
        path.split('.').fold(self.study, |value, key| &value[key])
    }

    /// A setting as text; absent where it is not set.
    fn at(&self, path: &str) -> Option<String> {
        shown(self.value(path))
    }

    /// The tables of a list of tables.
    fn tables(&self, path: &str) -> Vec<Value> {
        self.value(path).as_array().cloned().unwrap_or_default()
    }

    /// The models of the study's own.
    fn models(&self) -> Vec<ModelSpec> {
        serde_json::from_value(self.value("statistics.model").clone()).unwrap_or_default()
    }

    fn hypotheses(&self) -> Vec<RegisteredHypothesis> {
        let hypotheses = self.value("statistics.confirmatory").clone();
        let hypotheses: Vec<Hypothesis> = serde_json::from_value(hypotheses).unwrap_or_default();
        let models = self.models();
        hypotheses.iter().map(|hypothesis| RegisteredHypothesis::new(hypothesis, &models)).collect()
    }

    fn information(&mut self) {
        self.heading(1, "Study information");
        if let Some(description) = self.at("study.description") {
            self.heading(2, "Description");
            self.say(description);
        }
        self.heading(2, "Hypotheses");
        let hypotheses = self.hypotheses();
        if hypotheses.is_empty() {
            self.say("No hypothesis is registered: all tests are exploratory.");
        }
        for (place, hypothesis) in hypotheses.iter().enumerate() {
            self.item(format!("H{}. {}", place + 1, hypothesis.statement));
        }
        self.say("[To be written by the authors: the direction that is expected of each, and why]");
    }

    fn design(&mut self, levels: &[RegisteredLevel]) {
        self.heading(1, "Design plan");
        self.heading(2, "Study design");
        let rules = self.value("rules").as_object().cloned().unwrap_or_default();
        let rules: Vec<String> =
            rules.iter().filter_map(|(name, rule)| Some(format!("{name} = {}", shown(rule)?))).collect();
        let game = self.at("levels.game").unwrap_or_default();
        let rules = if rules.is_empty() { String::new() } else { format!(" ({})", rules.join("; ")) };
        self.say(format!("Participants solve {} of {game}{rules}.", counted(levels.len(), "level")));
        let number = |n: Option<String>| apa::cell(&n.unwrap_or_else(|| "–".to_owned()), true);
        let rows = levels.iter().map(|level| {
            vec![
                vec![Run::plain(&level.id)],
                number(level.value.clone()),
                number(level.n_states.map(|n| n.to_string())),
            ]
        });
        let column = |head: &str, is_number| ApaColumn { head: vec![Run::plain(head)], is_number };
        let columns =
            vec![column("Level", false), column("Distance or value of the start", true), column("States", true)];
        let title = "Levels of the study".to_owned();
        self.parts.push(Part::Table(ApaTable { number: 1, title, columns, rows: rows.collect(), note: Vec::new() }));
        if self.value("experiment").is_object() {
            self.experiment();
        }
        self.ask("Blinding", "who does not know the condition of a participant");
    }

    /// The session, as `[experiment]` gives it.
    fn experiment(&mut self) {
        self.heading(2, "Randomization");
        if let Some(assign) = self.at("experiment.assign") {
            self.say(format!("Participants are assigned to conditions: {assign}."));
        }
        let order = self.at("experiment.order").unwrap_or_default();
        let blocks = self.at("experiment.block_order").unwrap_or_default();
        self.say(format!("Order of the levels of a block: {order}; order of the blocks: {blocks}."));
        self.heading(2, "Session");
        let entries = ["practice", "seconds", "hints", "undo", "reset", "give_up", "clock", "counter"];
        for entry in entries {
            if let Some(value) = self.at(&format!("experiment.{entry}")) {
                self.item(format!("{}: {value}", entry.replace('_', " ")));
            }
        }
        for (table, name) in [("condition", "condition"), ("block", "block"), ("question", "question")] {
            for entry in self.tables(&format!("experiment.{table}")) {
                self.item(format!("{name} {}", entry_of(&entry)));
            }
        }
    }

    fn sampling(&mut self) {
        self.heading(1, "Sampling plan");
        self.ask("Existing data", "which data there are when this is registered, and who has seen them");
        self.ask("Data collection", "who takes part, how they are found and paid, and when it ends");
        self.heading(2, "Sample size");
        if self.value("power").is_object() {
            let target = self.at("power.target").unwrap_or_default();
            let alpha = self.at("power.alpha").unwrap_or_default();
            let test = self.at("power.model").or(self.at("power.measure")).unwrap_or_default();
            let sizes = self.at("power.n").unwrap_or_default();
            let repeats = self.at("power.repeats").unwrap_or_default();
            self.say(format!(
                "A power of {target} at α = {alpha} is wanted for {test}. It was computed by simulated play: {repeats} experiments \
                 of each size ({sizes} participants in each cohort)."
            ));
            self.say(
                "[To be written by the authors: the number that plymap power gave, and the number that is planned]",
            );
        } else {
            self.say("[To be written by the authors: the number of participants; plymap power computes it from simulated play]");
        }
        for cohort in self.tables("cohort") {
            self.item(format!("simulated cohort {}", entry_of(&cohort)));
        }
        self.ask("Stopping rule", "what ends the data collection");
    }

    fn variables(&mut self) {
        self.heading(1, "Variables");
        self.heading(2, "Manipulated variables");
        let conditions = self.tables("experiment.condition");
        let names: Vec<String> = conditions.iter().filter_map(|condition| shown(&condition["name"])).collect();
        match names.is_empty() {
            true => self.say("No condition is set by the study; conditions of its log are compared where it has them."),
            false => self.say(format!("The condition: {}.", names.join(", "))),
        }
        self.heading(2, "Measured variables");
        self.say(
            "Each move with its time; from them the distance to the goal before and after it, its regret and quality; of trials the \
             time, the moves, the excess over the shortest solution, and whether they were solved.",
        );
        for question in self.tables("experiment.question") {
            self.item(format!("answer to the question {}", entry_of(&question)));
        }
    }

    fn analysis(&mut self) {
        self.heading(1, "Analysis plan");
        self.heading(2, "Statistical models");
        let hypotheses = self.hypotheses();
        for (place, hypothesis) in hypotheses.iter().enumerate() {
            self.item(format!("H{}. {}", place + 1, hypothesis.test));
        }
        own_models(&self.models()).into_iter().for_each(|model| self.item(model));
        self.say(LEFT_OUT);
        self.say(match self.at("statistics.analyses") {
            Some(analyses) => format!("The exploratory analyses are those of plymap named {analyses}."),
            None => "The exploratory analyses are all those of plymap.".to_owned(),
        });
        self.heading(2, "Inference criteria");
        let confidence = self.value("statistics.confidence").as_f64().and_then(|level| Confidence::new(level).ok());
        let confidence = confidence.unwrap_or_default();
        let family = match hypotheses.len() {
            0 => String::new(),
            1 => format!(
                " The p value of the single hypothesis is not adjusted; the level of significance is {SIGNIFICANT}."
            ),
            n => format!(
                " The {n} hypotheses are one family of tests, whose p values are adjusted by the method of Holm (1979); the level \
                 of significance is {SIGNIFICANT}."
            ),
        };
        self.say(format!(
            "All tests are two-sided, and all intervals are {confidence} confidence intervals.{family} All other tests are \
             exploratory; the report names the method by which their p values are adjusted."
        ));
        self.heading(2, "Data exclusion");
        let selections: Vec<(&str, Value)> = ["include", "exclude"]
            .into_iter()
            .flat_map(|kind| self.tables(kind).into_iter().map(move |selection| (kind, selection)))
            .collect();
        if selections.is_empty() {
            self.say("No participant, level, trial or attempt is left out.");
        }
        for (kind, selection) in selections {
            self.item(selection_in_words(kind, &selection));
        }
        match self.at("log.illegal_moves").as_deref() {
            Some("keep") => {
                self.item("Moves that the rules do not allow are kept as failed tries that changed nothing.")
            }
            Some(_) => {
                self.item("A move that the rules do not allow is rejected, and the rest of its attempt excluded.")
            }
            None => {}
        }
        self.heading(2, "Missing data");
        self.say("A value that does not exist is left empty and never counted as zero; each table says how many rows it is of.");
    }
}

/// A selection of the study: `Excluded are trials with time_s < 1 (too fast).`
fn selection_in_words(kind: &str, selection: &Value) -> String {
    let entries = selection.as_object().cloned().unwrap_or_default();
    let reason = shown(&selection["reason"]).map(|reason| format!(" ({reason})")).unwrap_or_default();
    let what = entries.iter().filter(|(key, _)| *key != "reason");
    let what: Vec<String> = what.filter_map(|(key, value)| Some(format!("{key} with {}", shown(value)?))).collect();
    let begin = if kind == "include" { "Included are only" } else { "Excluded are" };
    format!("{begin} {}{reason}.", what.join(", "))
}

/// A value of a setting for readers; absent where it is not set, or empty.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(value) => Some(if *value { "yes" } else { "no" }.to_owned()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(shown).collect();
            (!items.is_empty()).then(|| items.join(", "))
        }
        Value::Object(_) => Some(entry_of(value)),
        number => Some(number.to_string()),
    }
}

/// An entry of a list of tables: its name, and its settings with theirs.
fn entry_of(value: &Value) -> String {
    let Value::Object(entries) = value else { return shown(value).unwrap_or_default() };
    let said = entries.iter().filter(|(key, _)| *key != "name").filter_map(|(key, value)| match value {
        Value::Object(_) => Some(format!("{} ({})", key.replace('_', " "), entry_of(value))),
        value => Some(format!("{} {}", key.replace('_', " "), shown(value)?)),
    });
    let said = said.collect::<Vec<_>>().join("; ");
    match shown(&value["name"]) {
        Some(name) if said.is_empty() => name,
        Some(name) => format!("{name}: {said}"),
        None => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;
    use serde_json::json;

    #[test]
    fn fields_of_the_form_hold_what_the_study_says() {
        let study = json!({
            "study": { "name": "x", "title": "Speed" }, "levels": { "game": "rush-hour" }, "rules": { "goal": "exit" },
            "statistics": { "confidence": 0.95, "confirmatory": ["trial-time: condition"] },
            "exclude": [{ "trials": "time_s < 1", "reason": "too fast" }],
            "power": { "model": "trial-time", "target": 0.8, "alpha": 0.05, "n": [20, 40], "repeats": 100 },
        });
        let registration = Preregistration::new(&Manifest::new(study.clone()), &[]);
        let level = RegisteredLevel { id: "a".to_owned(), value: Some("8".to_owned()), n_states: None };
        let text = preregistration_text(&study, &[level], &registration).to_markdown();
        let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let fields = ["Study information", "Design plan", "Sampling plan", "Variables", "Analysis plan", "Other"];
        assert_eq!(headings, fields);
        for said in [
            "# Preregistration: Speed",
            "- H1. The time of solved trials differs between the conditions.",
            "- H1. Linear mixed model (normal family; restricted maximum likelihood) of solved trials, with log(time\\_s) as the outcome",
            "The term tested is condition",
            "terms that do not vary in the data and random effects of a single participant or level are left out",
            "all intervals are 95 % confidence intervals",
            "1 level of rush-hour (goal = exit)",
            "| a | 8 | – |",
            "A power of 0.8 at α = 0.05 is wanted for trial-time",
            "(20, 40 participants in each cohort)",
            "The p value of the single hypothesis is not adjusted; the level of significance is 0.05.",
            "- Excluded are trials with time\\_s &lt; 1 (too fast).",
            &registration.sha256,
        ] {
            assert!(text.contains(said), "{said:?} is not in\n{text}");
        }
    }
}
