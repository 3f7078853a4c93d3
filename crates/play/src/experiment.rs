//! The section `[experiment]` of a study: what participants read, play and are asked, and what is different in each condition.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use plymap_puzzles::diagnostic::EntryDiagnostic;
use serde::{Deserialize, Serialize};

pub mod address;
pub mod text;

use text::Texts;

/// `[experiment]`: what participants read, play and are asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Experiment {
    /// Title above each page; that of the study where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Parameters of the address that may hold the code of the participant; the first that is there counts.
    pub participant: Vec<String>,
    /// Parameters of the address that may hold the session.
    pub session: Vec<String>,
    /// Code of the language of the page; that of the figures where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Texts instead of those of the page, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
    /// Assignment of participants to conditions.
    pub assign: Assign,
    /// Address that the data of a site are sent to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub save: Option<String>,
    /// Experiment of DataPipe that the data of a site are sent to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datapipe: Option<String>,
    /// Text of the consent, to which participants agree before anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<String>,
    /// Pages before the levels.
    pub instructions: Vec<String>,
    /// Levels that are played for practice, before the others.
    pub practice: Vec<String>,
    /// Order of the levels of a block.
    pub order: Order,
    /// Order of the blocks.
    pub block_order: Order,
    /// Breaks between levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaks: Option<Breaks>,
    /// Text of the breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_text: Option<String>,
    /// Text at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debriefing: Option<String>,
    /// The code that shows who sent them that they took part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The page that they go to in the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// True if participants may ask for hints.
    pub hints: bool,
    /// True if they may take moves back.
    pub undo: bool,
    /// True if they may start a level again.
    pub reset: bool,
    /// True if they may give up.
    pub give_up: bool,
    /// True if they see the time.
    pub clock: bool,
    /// True if they see the number of their moves.
    pub counter: bool,
    /// True if pieces have the letters that name them.
    pub letters: bool,
    /// Time limit of a level, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
    /// Largest number of moves in a level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// Questions to participants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub question: Vec<Question>,
    /// Blocks of levels; all levels but those for practice are one where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub block: Vec<Block>,
    /// Conditions: a name, and the entries that are different in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<toml::Table>,
}

impl Default for Experiment {
    fn default() -> Self {
        Self {
            title: None,
            participant: vec!["participant".to_owned()],
            session: vec!["session".to_owned()],
            language: None,
            texts: BTreeMap::new(),
            assign: Assign::default(),
            save: None,
            datapipe: None,
            consent: None,
            instructions: Vec::new(),
            practice: Vec::new(),
            order: Order::default(),
            block_order: Order::default(),
            breaks: None,
            break_text: None,
            debriefing: None,
            code: None,
            link: None,
            hints: false,
            undo: true,
            reset: true,
            give_up: true,
            clock: true,
            counter: true,
            letters: true,
            seconds: None,
            moves: None,
            question: Vec::new(),
            block: Vec::new(),
            condition: Vec::new(),
        }
    }
}

/// Assignment of participants to conditions, and to rows of Latin squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assign {
    /// One after the other.
    #[default]
    Evenly,
    /// The parameter `condition` of the address names it.
    Url,
}

/// Order of levels or blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As the study has them.
    #[default]
    Given,
    /// In an order of chance for each participant.
    Shuffled,
    /// In the next row of a Latin square in which each comes after each other equally often (Williams, 1949).
    LatinSquare,
}

/// Breaks between levels, in which participants may rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a number of levels, or \"blocks\", is needed here")]
pub enum Breaks {
    /// After so many levels.
    Every(u32),
    /// Between `"blocks"`.
    Word(String),
}

impl Breaks {
    /// Only word that [`Self::Word`] may hold.
    const BLOCKS: &str = "blocks";
}

/// Levels that are played together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Its name in the log; its number where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its levels.
    pub levels: Vec<String>,
    /// Their order; that of the experiment where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
}

/// Question to participants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Its name in the data.
    pub name: String,
    /// The question.
    pub text: String,
    /// Kind of the answer.
    #[serde(rename = "type")]
    pub kind: QuestionKind,
    /// Options of a choice; of a scale the labels of its points, or of its two ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Number of points of a scale of which `options` are the ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// True if several options can be chosen.
    #[serde(default)]
    pub multiple: bool,
    /// True if the answer has several lines.
    #[serde(default)]
    pub long: bool,
    /// True if it has to be answered.
    #[serde(default = "yes")]
    pub required: bool,
    /// Time at which it is asked.
    #[serde(default)]
    pub when: When,
}

fn yes() -> bool {
    true
}

/// Kind of the answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionKind {
    /// One of several options, or some of them.
    Choice,
    /// A point of a rating scale (Likert, 1932).
    Likert,
    /// Words.
    Text,
}

/// Time at which a question is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Before the levels.
    Start,
    /// After each level that is no practice.
    Level,
    /// After each block.
    Block,
    /// After all levels.
    #[default]
    End,
}

/// The entries that are the same in all conditions.
const OF_ALL: [&str; 9] =
    ["title", "participant", "session", "language", "texts", "assign", "save", "datapipe", "condition"];

/// Error in an entry of `[experiment]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryError {
    /// The entry of `[experiment]`.
    pub entry: &'static str,
    /// Description of the error.
    pub message: String,
}

/// An error of an entry of `[experiment]`.
pub fn entry_error(entry: &'static str, message: impl Into<String>) -> EntryError {
    EntryError { entry, message: message.into() }
}

impl Experiment {
    /// Returns the files of its texts in all conditions and their images. What is wrong with others is said where pages are
    /// made of them.
    pub fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let mut texts = Texts::new(folder);
        for (_, condition) in self.conditions().unwrap_or_default() {
            let pages = [&condition.consent, &condition.break_text, &condition.debriefing].into_iter().flatten();
            let questions = condition.question.iter().map(|question| &question.text);
            for text in pages.chain(&condition.instructions).chain(questions) {
                let _ = texts.html(text);
            }
        }
        texts.into_files()
    }

    /// The experiment as each condition has it, with the name of the condition; one without a name where there are none.
    ///
    /// # Errors
    ///
    /// A condition has no name of its own, or an entry that it cannot have.
    pub fn conditions(&self) -> Result<Vec<(Option<String>, Self)>, EntryError> {
        if self.condition.is_empty() {
            return Ok(vec![(None, self.clone())]);
        }
        let wrong = |message: String| entry_error("condition", message);
        // Merged as TOML, so that the entries of a condition are read and refused as those of the experiment are.
        let mut base = toml::Table::try_from(self).map_err(|error| wrong(error.to_string()))?;
        base.remove("condition");
        let mut names = BTreeSet::new();
        let resolved = |table: &toml::Table| {
            let Some(name) =
                table.get("name").and_then(toml::Value::as_str).filter(|name| name.trim() == *name && !name.is_empty())
            else {
                return Err(wrong("a condition needs a `name`, without blanks around it".to_owned()));
            };
            if !names.insert(name.to_owned()) {
                return Err(wrong(format!("there are two conditions {name:?}")));
            }
            let mut merged = base.clone();
            for (entry, value) in table.iter().filter(|(entry, _)| *entry != "name") {
                if OF_ALL.contains(&entry.as_str()) {
                    return Err(wrong(format!("condition {name:?}: `{entry}` is the same in all conditions")));
                }
                merged.insert(entry.clone(), value.clone());
            }
            let merged = merged.try_into().map_err(|error: toml::de::Error| {
                wrong(format!("condition {name:?}: {}", error.message().trim_end()))
            })?;
            Ok((Some(name.to_owned()), merged))
        };
        self.condition.iter().map(resolved).collect()
    }

    /// The diagnostics of the section, as far as they can be told without levels and files; `is_text` says whether the page has
    /// a text of a name.
    pub fn check(&self, is_text: impl Fn(&str) -> bool) -> Vec<EntryDiagnostic> {
        let help = "docs/experiments.md lists what an experiment can be";
        let diagnostic = |error: EntryError| {
            EntryDiagnostic::new("bad-experiment", &["experiment", error.entry], error.message, help)
        };
        self.first_error(is_text).err().map(diagnostic).into_iter().collect()
    }

    fn first_error(&self, is_text: impl Fn(&str) -> bool) -> Result<(), EntryError> {
        for (entry, names) in [("participant", &self.participant), ("session", &self.session)] {
            if names.is_empty() || names.iter().any(|name| name.is_empty()) {
                return Err(entry_error(entry, format!("`{entry}` names no parameter of the address")));
            }
        }
        if let Some(name) = self.language.as_deref().filter(|name| !LANGUAGES.contains(name)) {
            return Err(entry_error(
                "language",
                format!("the page does not speak {name:?}; it speaks {}", LANGUAGES.join(", ")),
            ));
        }
        if let Some(name) = self.texts.keys().find(|name| !is_text(name)) {
            let message = format!("the page has no text {name:?}; play/src/texts.js has their names");
            return Err(entry_error("texts", message));
        }
        if self.save.is_some() && self.datapipe.is_some() {
            return Err(entry_error("datapipe", "data go to one place: name `save` or `datapipe`"));
        }
        if let Some(save) = &self.save {
            address::of_web(save).map_err(|why| entry_error("save", why))?;
        }
        let is_id = |id: &str| id.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
        if let Some(id) = self.datapipe.as_deref().filter(|id| id.is_empty() || !is_id(id)) {
            let message = format!("{id:?} is no experiment of DataPipe: it has the ID of one, letters and digits");
            return Err(entry_error("datapipe", message));
        }
        for (_, resolved) in self.conditions()? {
            resolved.check_plan()?;
        }
        Ok(())
    }

    fn check_plan(&self) -> Result<(), EntryError> {
        if self.seconds == Some(0) {
            return Err(entry_error("seconds", "a level of no time cannot be played"));
        }
        if self.moves == Some(0) {
            return Err(entry_error("moves", "a level of no moves cannot be played"));
        }
        match &self.breaks {
            Some(Breaks::Every(0)) => return Err(entry_error("breaks", "a break comes after one level at least")),
            Some(Breaks::Word(word)) if word != Breaks::BLOCKS => {
                let message = format!("breaks = {word:?} is neither a number of levels nor {:?}", Breaks::BLOCKS);
                return Err(entry_error("breaks", message));
            }
            _ => {}
        }
        if let Some(link) = &self.link {
            address::of_web(link).map_err(|why| entry_error("link", why))?;
        }
        let mut names = BTreeSet::new();
        for question in &self.question {
            question.check()?;
            if !names.insert(&question.name) {
                return Err(entry_error("question", format!("there are two questions {:?}", question.name)));
            }
        }
        Ok(())
    }

    /// The blocks that are played of these levels, with names and orders.
    ///
    /// # Errors
    ///
    /// A level is not there, stands twice, or no level is left.
    pub fn blocks(&self, levels: &[&str]) -> Result<Vec<PlannedBlock>, EntryError> {
        let known = |entry, name: &String| match levels.contains(&name.as_str()) {
            true => Ok(()),
            false => Err(entry_error(entry, format!("the study has no level {name:?}"))),
        };
        self.practice.iter().try_for_each(|name| known("practice", name))?;
        let mut played: BTreeSet<&str> = BTreeSet::new();
        let mut twice = self.practice.iter().chain(self.block.iter().flat_map(|block| &block.levels));
        if let Some(name) = twice.find(|name| !played.insert(name.as_str())) {
            return Err(entry_error("block", format!("level {name:?} would be played twice")));
        }
        let mut blocks: Vec<PlannedBlock> = Vec::new();
        for (place, block) in self.block.iter().enumerate() {
            block.levels.iter().try_for_each(|name| known("block", name))?;
            let name = block.name.clone().unwrap_or_else(|| (place + 1).to_string());
            if block.levels.is_empty() || name == PRACTICE || blocks.iter().any(|other| other.name == name) {
                let message = format!("block {name:?} has no levels, or its name is that of another one");
                return Err(entry_error("block", message));
            }
            blocks.push(PlannedBlock { name, levels: block.levels.clone(), order: block.order.unwrap_or(self.order) });
        }
        if blocks.is_empty() {
            let is_left = |name: &&&str| !self.practice.iter().any(|practised| practised == **name);
            let levels: Vec<String> = levels.iter().filter(is_left).map(|name| (*name).to_owned()).collect();
            if levels.is_empty() {
                return Err(entry_error("practice", "all levels are practice, and none is left to be played"));
            }
            blocks.push(PlannedBlock { name: "1".to_owned(), levels, order: self.order });
        }
        Ok(blocks)
    }
}

/// Levels that are played together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedBlock {
    /// Its name in the log.
    pub name: String,
    /// Its levels.
    pub levels: Vec<String>,
    /// Their order.
    pub order: Order,
}

/// The block of levels that are played for practice.
pub const PRACTICE: &str = "practice";

/// The languages of the page.
pub const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

impl Question {
    fn check(&self) -> Result<(), EntryError> {
        let wrong = |why: &str| Err(entry_error("question", format!("question {:?}: {why}", self.name)));
        if self.name.is_empty() || self.name.trim() != self.name {
            return wrong("its name is empty, or has blanks around it");
        }
        let (is_choice, is_scale) = (self.kind == QuestionKind::Choice, self.kind == QuestionKind::Likert);
        if self.points.is_some() && (!is_scale || self.options.len() != 2) {
            return wrong("`points` is for a scale whose two `options` are its ends");
        }
        if self.points.is_some_and(|points| !(2..=MOST_POINTS).contains(&points)) {
            return wrong(&format!("a scale has 2 to {MOST_POINTS} points"));
        }
        if (is_choice || is_scale) && self.options.len() < 2 {
            return wrong("it needs two `options` at least");
        }
        if self.kind == QuestionKind::Text && !self.options.is_empty() {
            return wrong("an answer in words has no `options`");
        }
        if is_choice && self.options.iter().any(|option| option.is_empty() || option.contains("; ")) {
            return wrong("an option is empty, or has `; ` in it, which separates several in the data");
        }
        if self.multiple && !is_choice || self.long && self.kind != QuestionKind::Text {
            return wrong("`multiple` is for a choice, `long` for an answer in words");
        }
        Ok(())
    }

    /// Returns the labels of all points of a scale, or the options of a choice.
    pub fn all_options(&self) -> Vec<String> {
        match (self.points, self.options.as_slice()) {
            (Some(points), [low, high]) => {
                let mut labels = vec![String::new(); points as usize];
                labels[0].clone_from(low);
                labels[points as usize - 1].clone_from(high);
                labels
            }
            _ => self.options.clone(),
        }
    }
}

/// The most points of a scale that fits a telephone.
const MOST_POINTS: u32 = 11;

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(text: &str) -> Experiment {
        toml::from_str(text).unwrap()
    }

    fn is_text(name: &str) -> bool {
        name == "next"
    }

    #[test]
    fn a_condition_says_what_is_different_in_it() {
        let slow_and_fast = experiment(
            "hints = false\nseconds = 60\ninstructions = [\"Read.\"]\n\n[[condition]]\nname = \"slow\"\n\n[[condition]]\nname = \"fast\"\nseconds = 10\nhints = true\n",
        );
        let arms = slow_and_fast.conditions().unwrap();
        let said: Vec<_> = arms.iter().map(|(name, arm)| (name.as_deref(), arm.seconds, arm.hints)).collect();
        assert_eq!(said, [(Some("slow"), Some(60), false), (Some("fast"), Some(10), true)]);
        assert!(arms.iter().all(|(_, arm)| arm.instructions == ["Read."] && arm.condition.is_empty()));
        assert_eq!(Experiment::default().conditions().unwrap(), [(None, Experiment::default())]);
    }

    #[test]
    fn what_no_experiment_can_be_is_refused() {
        let cases = [
            ("participant = []", "participant", "no parameter"),
            ("language = \"la\"", "language", "en, de, fr"),
            ("texts = { nxt = \"Go\" }", "texts", "\"nxt\""),
            ("save = \"a\"\ndatapipe = \"b\"", "datapipe", "one place"),
            ("seconds = 0", "seconds", "no time"),
            ("moves = 0", "moves", "no moves"),
            ("breaks = 0", "breaks", "one level"),
            ("breaks = \"often\"", "breaks", "\"blocks\""),
            ("link = \"prolific.com\"", "link", "https://"),
            ("link = \"https://\"", "link", "\"https://\""),
            ("save = \"collect\"", "save", "\"collect\""),
            ("save = \"javascript:alert(1)\"", "save", "no address of the web"),
            ("datapipe = \"https://pipe.jspsych.org/x\"", "datapipe", "ID"),
            ("[[condition]]\nname = \"a\"\nlink = \"data:text/html,x\"", "link", "no address of the web"),
            ("[[condition]]\nhints = true", "condition", "`name`"),
            ("[[condition]]\nname = \"a\"\n[[condition]]\nname = \"a\"", "condition", "two"),
            ("[[condition]]\nname = \"a\"\nsave = \"b\"", "condition", "same in all"),
            ("[[condition]]\nname = \"a\"\nsecond = 3", "condition", "second"),
            ("[[condition]]\nname = \"a\"\nseconds = 0", "seconds", "no time"),
            (
                "[[question]]\nname = \"q\"\ntext = \"?\"\ntype = \"choice\"\noptions = [\"a\"]",
                "question",
                "two `options`",
            ),
            ("[[question]]\nname = \"q\"\ntext = \"?\"\ntype = \"text\"\nmultiple = true", "question", "`multiple`"),
            (
                "[[question]]\nname = \"q\"\ntext = \"?\"\ntype = \"likert\"\noptions = [\"a\", \"b\"]\npoints = 99",
                "question",
                "points",
            ),
            (
                "[[question]]\nname = \"q\"\ntext = \"?\"\ntype = \"text\"\n[[question]]\nname = \"q\"\ntext = \"?\"\ntype = \"text\"",
                "question",
                "two questions",
            ),
        ];
        for (text, entry, words) in cases {
            let error = experiment(text).first_error(is_text).unwrap_err();
            assert_eq!(error.entry, entry, "{text}: {error:?}");
            assert!(error.message.contains(words), "{text}: {error:?}");
        }
        assert_eq!(Experiment::default().first_error(is_text), Ok(()));
        assert_eq!(experiment("texts = { next = \"Go on\" }\nbreaks = \"blocks\"").first_error(is_text), Ok(()));
    }

    #[test]
    fn blocks_are_made_of_levels_that_are_there_once() {
        let levels = ["a", "b", "c"];
        let practised = experiment("practice = [\"b\"]\norder = \"shuffled\"");
        let [block] = practised.blocks(&levels).unwrap().try_into().unwrap();
        assert_eq!((block.levels, block.order), (vec!["a".to_owned(), "c".to_owned()], Order::Shuffled));
        for (text, words) in [
            ("practice = [\"d\"]", "no level \"d\""),
            ("practice = [\"a\", \"b\", \"c\"]", "none is left"),
            ("practice = [\"a\"]\n[[block]]\nlevels = [\"a\"]", "twice"),
            ("[[block]]\nlevels = []", "no levels"),
            ("[[block]]\nlevels = [\"a\"]\nname = \"practice\"", "its name"),
        ] {
            let error = experiment(text).blocks(&levels).unwrap_err();
            assert!(error.message.contains(words), "{text}: {error:?}");
        }
    }

    #[test]
    fn ends_of_a_scale_are_labels_of_its_points() {
        let text =
            "[[question]]\nname = \"q\"\ntext = \"?\"\ntype = \"likert\"\noptions = [\"low\", \"high\"]\npoints = 4";
        assert_eq!(experiment(text).question[0].all_options(), ["low", "", "", "high"]);
    }
}
