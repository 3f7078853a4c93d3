//! Plan of an experiment as the page reads it: everything that participants of each condition read, play and are asked.

use plymap_play::experiment::text::Texts;
use plymap_play::experiment::{
    Assign, Breaks, EntryError, Experiment, Order, PlannedBlock, Question, QuestionKind, When, address, entry_error,
};
use plymap_play::has_map;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_run::study::Study;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;

/// The host of DataPipe, as `play/src/upload.js` has it.
const DATAPIPE: &str = "https://pipe.jspsych.org";

/// A study as the page takes it. `play/README.md` describes it.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    name: String,
    title: String,
    language: String,
    texts: BTreeMap<String, String>,
    server: bool,
    participant: Vec<String>,
    session: Vec<String>,
    assign: Assign,
    save: Option<Save>,
    levels: Vec<Level>,
    plans: Vec<Plan>,
    /// Images of the texts: where the page has them, and where they are.
    #[serde(skip)]
    pub media: Vec<(String, PathBuf)>,
}

/// Destinations of the data of a site.
#[derive(Clone, Debug, Serialize)]
struct Save {
    post: Option<String>,
    datapipe: Option<String>,
}

/// Addresses of the maps of a level.
#[derive(Clone, Debug, Serialize)]
pub struct Level {
    /// Its name.
    pub id: String,
    /// The address of its map without distances.
    pub map: Option<String>,
    /// The address of its map with distances, where any condition has hints.
    pub hints: Option<String>,
}

/// The experiment of a condition.
#[derive(Clone, Debug, Serialize)]
struct Plan {
    condition: Option<String>,
    consent: Option<String>,
    instructions: Vec<String>,
    practice: Vec<String>,
    blocks: Vec<PlannedBlock>,
    block_order: Order,
    breaks: Rests,
    questions: Vec<PlannedQuestion>,
    debriefing: Option<String>,
    completion: Completion,
    hints: bool,
    undo: bool,
    reset: bool,
    give_up: bool,
    clock: bool,
    counter: bool,
    letters: bool,
    limits: Limits,
}

#[derive(Clone, Debug, Serialize)]
struct Rests {
    every: Option<u32>,
    blocks: bool,
    html: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Completion {
    code: Option<String>,
    link: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Limits {
    seconds: Option<u32>,
    moves: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
struct PlannedQuestion {
    name: String,
    text: String,
    #[serde(rename = "type")]
    kind: QuestionKind,
    options: Vec<String>,
    multiple: bool,
    long: bool,
    required: bool,
    when: When,
}

/// Function from the name of a level to the address of its map, with distances or without.
pub type MapAddress<'a> = &'a dyn Fn(&str, bool) -> String;

impl Page {
    /// Creates the page of a study. `hints` allows them in all conditions; maps are at the addresses of `map`, and a
    /// server records what is done, or else the page itself does.
    ///
    /// # Errors
    ///
    /// A level, a text or an image is not there.
    pub fn new(
        study: &Study,
        levels: &[ValuedLevel],
        server: bool,
        hints: bool,
        map: MapAddress<'_>,
    ) -> Result<Self, EntryError> {
        let experiment = study.experiment.clone().unwrap_or_default();
        let ids: Vec<&str> = levels.iter().map(|level| level.id.as_str()).collect();
        let mut texts = Texts::new(&study.folder);
        let plans = experiment
            .conditions()?
            .into_iter()
            .map(|(name, condition)| Plan::new(name, condition, &ids, hints, &mut texts));
        let plans = plans.collect::<Result<Vec<_>, _>>()?;
        let has_hints = plans.iter().any(|plan| plan.hints);
        let level = |level: &ValuedLevel| {
            let address = |hints| has_map(level).then(|| map(&level.id, hints));
            Level { id: level.id.clone(), map: address(false), hints: address(true).filter(|_| has_hints) }
        };
        Ok(Self {
            name: study.study.name.clone(),
            title: experiment.title.unwrap_or_else(|| study.title().to_owned()),
            language: experiment.language.unwrap_or_else(|| study.figures.language.clone()),
            texts: experiment.texts,
            server,
            participant: experiment.participant,
            session: experiment.session,
            assign: experiment.assign,
            save: (experiment.save.is_some() || experiment.datapipe.is_some())
                .then_some(Save { post: experiment.save, datapipe: experiment.datapipe }),
            levels: levels.iter().map(level).collect(),
            plans,
            media: texts.into_media(),
        })
    }

    /// The same in another language.
    #[must_use]
    pub fn in_language(mut self, language: &str) -> Self {
        language.clone_into(&mut self.language);
        self
    }

    /// Returns the content security policy of the page of a site: it may load what lies beside it, and send data to
    /// where the study says. `frame-ancestors` has no meaning in a page itself.
    pub fn policy(&self) -> String {
        let post = self.save.as_ref().and_then(|save| save.post.as_deref());
        let post = post.and_then(|post| address::of_web(post).ok()).map(|uri| address::origin(&uri));
        let pipe = self.save.as_ref().and_then(|save| save.datapipe.as_ref()).map(|_| DATAPIPE.to_owned());
        let further: String = post.into_iter().chain(pipe).map(|origin| format!(" {origin}")).collect();
        format!(
            "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; connect-src 'self'{further}"
        )
    }

    /// The language that the page speaks.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The levels, in the order of the study.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Returns true if participants of any condition may ask for hints.
    pub fn has_hints(&self) -> bool {
        self.plans.iter().any(|plan| plan.hints)
    }

    /// Returns true if the link of a participant names their condition.
    pub fn is_assigned_by_link(&self) -> bool {
        self.assign == Assign::Url
    }

    /// The condition of a participant with this number, whose link names `named` where links do; its name may be none where
    /// there is only one.
    ///
    /// # Errors
    ///
    /// Links name conditions, and there is none that is called so; those that there are.
    pub fn condition(&self, number: u64, named: Option<&str>) -> Result<Option<&str>, Vec<&str>> {
        let names: Vec<&str> = self.plans.iter().filter_map(|plan| plan.condition.as_deref()).collect();
        match (names.len() as u64, named) {
            (0, _) => Ok(None),
            (n, _) if !self.is_assigned_by_link() => Ok(Some(names[(number % n) as usize])),
            (_, named) => names.iter().find(|name| named == Some(**name)).map(|name| Some(*name)).ok_or(names.clone()),
        }
    }

    /// The parameter of links that names the participant.
    pub fn participant_parameter(&self) -> &str {
        self.participant.first().map_or("participant", String::as_str)
    }

    /// The same with the levels alone that are played in some condition.
    #[must_use]
    pub fn with_played_levels(mut self) -> Self {
        let of_plan = |plan: &Plan| {
            plan.practice.iter().chain(plan.blocks.iter().flat_map(|block| &block.levels)).cloned().collect::<Vec<_>>()
        };
        let played: BTreeSet<String> = self.plans.iter().flat_map(of_plan).collect();
        self.levels.retain(|level| played.contains(&level.id));
        self
    }
}

impl Plan {
    fn new(
        condition: Option<String>,
        experiment: Experiment,
        levels: &[&str],
        hints: bool,
        texts: &mut Texts<'_>,
    ) -> Result<Self, EntryError> {
        let blocks = experiment.blocks(levels)?;
        let mut html = |entry: &'static str, text: &str| texts.html(text).map_err(|why| entry_error(entry, why));
        let mut optional = |entry, text: Option<&String>| text.map(|text| html(entry, text)).transpose();
        let (consent, debriefing) = (
            optional("consent", experiment.consent.as_ref())?,
            optional("debriefing", experiment.debriefing.as_ref())?,
        );
        let breaks = Rests {
            every: if let Some(Breaks::Every(levels)) = experiment.breaks { Some(levels) } else { None },
            blocks: matches!(experiment.breaks, Some(Breaks::Word(_))),
            html: optional("break_text", experiment.break_text.as_ref())?,
        };
        let planned = |question: &Question| {
            Ok(PlannedQuestion {
                name: question.name.clone(),
                text: html("question", &question.text)?,
                kind: question.kind,
                options: question.all_options(),
                multiple: question.multiple,
                long: question.long,
                required: question.required,
                when: question.when,
            })
        };
        let questions = experiment.question.iter().map(planned).collect::<Result<_, _>>()?;
        Ok(Self {
            condition,
            consent,
            instructions: experiment
                .instructions
                .iter()
                .map(|text| html("instructions", text))
                .collect::<Result<_, _>>()?,
            practice: experiment.practice,
            blocks,
            block_order: experiment.block_order,
            breaks,
            questions,
            debriefing,
            completion: Completion { code: experiment.code, link: experiment.link },
            hints: experiment.hints || hints,
            undo: experiment.undo,
            reset: experiment.reset,
            give_up: experiment.give_up,
            clock: experiment.clock,
            counter: experiment.counter,
            letters: experiment.letters,
            limits: Limits { seconds: experiment.seconds, moves: experiment.moves },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_sends_data_to_the_datapipe_that_its_policy_allows() {
        let (_, _, upload) = plymap_play::page_files::FILES.iter().find(|(name, ..)| *name == "upload.js").unwrap();
        assert!(upload.contains(&format!("'{DATAPIPE}/")));
    }
}
