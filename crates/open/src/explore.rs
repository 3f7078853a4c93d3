//! The play of a study to look at: participants, levels and groups, by filters.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use axum::http::StatusCode;
use plymap_log::KEY_NAME;
use plymap_measures::measure::Trial;
use plymap_measures::selection::{Selection, SelectionError};
use plymap_puzzles::progress::{Progress, Silent};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_run::study::Study;
use plymap_run::{Play, RunError, level_remarks, play, study_files, study_levels};
use plymap_statistics::stats::quantile::quantile;
use serde::Serialize;

use crate::problem::Problem;
use crate::project::Project;

mod drawn;
mod figures;
mod groups;
mod level;
mod map;
mod overview;
mod participant;
mod trial;

pub use drawn::FiguresRequest;
pub use figures::{FigureRequest, TableRequest, ViewFile};
pub use groups::GroupRequest;
pub use level::LevelView;
pub use map::{MapRequest, Maps};
pub use overview::Overview;
pub use participant::ParticipantView;
pub use trial::{TrialRow, TrialView};

/// Number of filtered views that are kept beside that of everybody.
const VIEWS_KEPT: usize = 4;

/// Number of names that are listed where another one is not there.
const NAMES_SHOWN: usize = 10;

/// Creates the problem of filters that leave nothing.
fn nothing_left() -> Problem {
    Problem::missing("no trial fits these filters").says("no_trial_fits", [])
}

/// Creates the problem of play that is not there yet.
pub fn being_read() -> Problem {
    Problem::conflict("the play is being read").says("being_read", [])
}

/// Creates the problem of a name that is none of those that there are, `what` being `participant`, `level` or `condition`.
fn none_of(what: &'static str, name: &str, there: &[String]) -> Problem {
    let more = if there.len() > NAMES_SHOWN { ", …" } else { "" };
    let names =
        if there.is_empty() { "–".to_owned() } else { there[..there.len().min(NAMES_SHOWN)].join(", ") + more };
    let why = format!("there is no {what} {name:?}; there are: {names}");
    Problem::missing(why).says("none_of", [("what", what), ("name", name), ("names", &names)])
}

/// Creates the problem of a value that a filter cannot have.
fn no_value(filter: &str, value: &str, remedy: &str) -> Problem {
    let what = if filter == "solved" { "solved" } else { "trial" };
    Problem::bad(format!("{filter} = {value:?}: {remedy}")).says("no_value", [("what", what), ("value", value)])
}

/// What is left of the play: trials that fit all of these. A list fits where one of its values does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Filter {
    /// Conditions.
    pub condition: Vec<String>,
    /// Levels.
    pub level: Vec<String>,
    /// Participants.
    pub participant: Vec<String>,
    /// True or false for trials that were solved or not.
    pub solved: Option<bool>,
    /// Numbers of trials within their participant, from 1.
    pub trial: Vec<u32>,
}

impl Filter {
    /// Takes the filters of a query, and returns the other pairs.
    ///
    /// # Errors
    ///
    /// A value that no such filter can have.
    pub fn of_query(pairs: Vec<(String, String)>) -> Result<(Self, Vec<(String, String)>), Problem> {
        let mut filter = Self::default();
        let mut others = Vec::new();
        for (key, value) in pairs {
            match key.as_str() {
                "condition" => filter.condition.push(value),
                "level" => filter.level.push(value),
                "participant" => filter.participant.push(value),
                "solved" => {
                    let why = || no_value(&key, &value, "say true or false");
                    filter.solved = Some(value.parse().map_err(|_| why())?);
                }
                "trial" => {
                    let trial = value.parse().ok().filter(|trial| *trial > 0);
                    let why = || no_value(&key, &value, "say a number from 1");
                    filter.trial.push(trial.ok_or_else(why)?);
                }
                _ => others.push((key, value)),
            }
        }
        Ok((filter, others))
    }

    /// Makes sure that participants, levels and conditions that it names are there.
    fn check(&self, whole: &View) -> Result<(), Problem> {
        let measures = &whole.play.measures;
        let conditions: BTreeSet<&String> =
            measures.trials.iter().filter_map(|trial| trial.condition.as_ref()).collect();
        let conditions: Vec<String> = conditions.into_iter().cloned().collect();
        for (what, named, there) in [
            ("participant", &self.participant, &measures.participants),
            ("level", &self.level, &measures.levels),
            ("condition", &self.condition, &conditions),
        ] {
            if let Some(name) = named.iter().find(|name| !there.contains(name)) {
                return Err(none_of(what, name, there));
            }
        }
        Ok(())
    }

    /// Returns its parts in words, such as `condition a or b`.
    fn in_words(&self) -> Vec<String> {
        let listed =
            |name: &str, values: &[String]| (!values.is_empty()).then(|| format!("{name} {}", values.join(" or ")));
        let trials: Vec<String> = self.trial.iter().map(u32::to_string).collect();
        let solved = self.solved.map(|solved| if solved { "solved" } else { "not solved" }.to_owned());
        let of_lists = [
            listed("condition", &self.condition),
            listed("level", &self.level),
            listed("participant", &self.participant),
            listed("trial", &trials),
        ];
        of_lists.into_iter().chain([solved]).flatten().collect()
    }

    /// Returns the selections of trials that it stands for, as a study writes them.
    fn selections(&self) -> Vec<Selection> {
        let one_of = |column: &str, values: &[String]| {
            let tests: Vec<String> = values.iter().map(|value| format!("{column} == {}", quoted(value))).collect();
            (!tests.is_empty()).then(|| tests.join(" or "))
        };
        let trials: Vec<String> = self.trial.iter().map(|trial| format!("trial_number == {trial}")).collect();
        // Numbers of trials come first: they are counted anew among what is left.
        [
            (!trials.is_empty()).then(|| trials.join(" or ")),
            one_of("condition", &self.condition),
            one_of("level", &self.level),
            one_of("participant", &self.participant),
            self.solved.map(|solved| format!("solved == {solved}")),
        ]
        .into_iter()
        .flatten()
        .map(|condition| Selection {
            trials: Some(condition),
            participants: None,
            levels: None,
            attempts: None,
            reason: "chosen in the page".to_owned(),
        })
        .collect()
    }
}

/// Returns a text as expressions quote it.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Play with its levels and the study by which it was read.
#[derive(Debug)]
pub struct View {
    /// The study, with the filter among its selections.
    pub study: Study,
    /// Levels of the study.
    pub levels: Arc<Vec<ValuedLevel>>,
    /// The play.
    pub play: Play,
    /// Remarks on the levels, with those of which the map and what is published do not agree.
    pub remarks: Arc<Vec<String>>,
    /// The filter.
    pub filter: Filter,
    /// Numbers of the trials of everybody, from 1, by participant, session and level.
    numbers: Arc<Numbers>,
    drawn: drawn::Drawn,
}

type Numbers = HashMap<(String, String, String), usize>;

fn numbers(play: &Play) -> Numbers {
    let measures = &play.measures;
    let number = |trial: &Trial| {
        let (participant, level) = (&measures.participants[trial.participant], &measures.levels[trial.level]);
        Some(((participant.clone(), trial.session.clone(), level.clone()), trial.order? + 1))
    };
    measures.trials.iter().filter_map(number).collect()
}

/// Text of the study and stamps of its files, by which a change shows.
type State = (String, Vec<(PathBuf, u64, Option<SystemTime>)>);

/// The views that were made of the study as it is.
#[derive(Debug, Default)]
pub struct Views(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    state: Option<State>,
    /// The view of everybody, or why there is none: without a change there will be none either.
    whole: Option<Result<Arc<View>, Problem>>,
    filtered: VecDeque<Arc<View>>,
}

impl Views {
    /// Returns the view of everybody, if it was made of the study as it is.
    ///
    /// # Errors
    ///
    /// The study, its levels or its logs cannot be read.
    pub fn whole(&self, project: &Project) -> Result<Option<Arc<View>>, Problem> {
        let state = state(project)?;
        let kept = self.kept();
        kept.whole.clone().filter(|_| kept.state.as_ref() == Some(&state)).transpose()
    }

    /// Makes the view of everybody, and keeps it if the study is still as it was when this began.
    ///
    /// # Errors
    ///
    /// The study, its levels or its logs cannot be read, or the caller asks to stop.
    pub fn make(&self, project: &Project, progress: &dyn Progress) -> Result<(), Problem> {
        let state = state(project)?;
        // Not a conflict, which would pass by itself.
        let failed = |problem| Problem { status: StatusCode::UNPROCESSABLE_ENTITY, ..problem };
        let whole = View::of_everybody(project, progress).map(Arc::new).map_err(failed);
        let made = whole.as_ref().map(drop).map_err(Problem::clone);
        let is_answer = made.is_ok() || !progress.is_cancelled();
        if is_answer && self::state(project)? == state {
            *self.kept() = Kept { state: Some(state), whole: Some(whole), filtered: VecDeque::new() };
        }
        made
    }

    /// Returns the view of what fits a filter.
    ///
    /// # Errors
    ///
    /// The view of everybody was not made yet, or a filter names what is not there.
    pub fn filtered(&self, project: &Project, filter: &Filter) -> Result<Arc<View>, Problem> {
        let whole = self.whole(project)?.ok_or_else(being_read)?;
        if *filter == Filter::default() {
            return Ok(whole);
        }
        filter.check(&whole)?;
        let known = self.kept().filtered.iter().find(|view| view.filter == *filter).cloned();
        if let Some(view) = known {
            return Ok(view);
        }
        let mut study = whole.study.clone();
        study.chosen = filter.selections();
        // The selections of the study leave something: there is a view of everybody.
        let none_fits = |error| match error {
            RunError::Selection(SelectionError::NothingLeft { .. }) => nothing_left(),
            error => Problem::from(error),
        };
        let play = play(&study, &whole.levels, &Silent).map_err(none_fits)?;
        let play = play.ok_or_else(Problem::no_logs)?;
        if play.measures.trials.is_empty() {
            return Err(nothing_left());
        }
        let (levels, numbers) = (Arc::clone(&whole.levels), Arc::clone(&whole.numbers));
        let (remarks, drawn) = (Arc::clone(&whole.remarks), drawn::Drawn::default());
        let view = Arc::new(View { study, levels, play, remarks, filter: filter.clone(), numbers, drawn });
        self.keep(&whole, &view);
        Ok(view)
    }

    /// Keeps a view of what fits a filter, unless the view of everybody that it was made of is no longer the last one.
    fn keep(&self, whole: &Arc<View>, view: &Arc<View>) {
        let mut kept = self.kept();
        if matches!(&kept.whole, Some(Ok(last)) if Arc::ptr_eq(last, whole)) {
            kept.filtered.push_front(Arc::clone(view));
            kept.filtered.truncate(VIEWS_KEPT);
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn state(project: &Project) -> Result<State, Problem> {
    let study = project.study()?;
    let mut files = study_files(&study, project.study_file())?;
    // With another one all codes of participants are others.
    files.extend(study.log.pseudonymise.then(|| project.folder.join(KEY_NAME)));
    let stamp = |path: PathBuf| {
        let metadata = path.metadata().ok();
        let n_bytes = metadata.as_ref().map_or(0, std::fs::Metadata::len);
        (path, n_bytes, metadata.and_then(|metadata| metadata.modified().ok()))
    };
    Ok((project.text()?.unwrap_or_default(), files.into_iter().map(stamp).collect()))
}

impl View {
    fn of_everybody(project: &Project, progress: &dyn Progress) -> Result<Self, Problem> {
        let study = project.study()?;
        let (levels, _) = study_levels(&study, progress)?;
        let play = play(&study, &levels, progress)?.ok_or_else(Problem::no_logs)?;
        let numbers = Arc::new(numbers(&play));
        let (remarks, drawn) = (Arc::new(level_remarks(&study, &levels, progress)), drawn::Drawn::default());
        Ok(Self { study, levels: Arc::new(levels), play, remarks, filter: Filter::default(), numbers, drawn })
    }

    /// Returns the number of a trial among all of its participant, from 1; none where the order is not known.
    fn number(&self, trial: &Trial) -> Option<usize> {
        let measures = &self.play.measures;
        let (participant, level) = (&measures.participants[trial.participant], &measures.levels[trial.level]);
        self.numbers.get(&(participant.clone(), trial.session.clone(), level.clone())).copied()
    }

    /// Returns the largest number of a trial; 0 where no order is known.
    fn last_trial(&self) -> usize {
        self.play.measures.trials.iter().filter_map(|trial| self.number(trial)).max().unwrap_or_default()
    }

    /// Returns a level of the study by its name.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn level(&self, name: &str) -> Result<&ValuedLevel, Problem> {
        let level = self.levels.iter().find(|level| level.id == name);
        let names = || self.levels.iter().map(|level| level.id.clone()).collect::<Vec<_>>();
        level.ok_or_else(|| none_of("level", name, &names()))
    }
}

/// Returns trials by a number of each, which is below `n`.
fn grouped(trials: &[Trial], n: usize, number: impl Fn(&Trial) -> usize) -> Vec<Vec<&Trial>> {
    let mut groups = vec![Vec::new(); n];
    for trial in trials {
        groups[number(trial)].push(trial);
    }
    groups
}

/// Place of a value among others: quartiles, and its rank from 1 of so many, the smallest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Number of values.
    pub n: usize,
    /// First quartile.
    pub p25: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub p75: f64,
    /// 1 + the number of values that are smaller.
    pub rank: Option<usize>,
}

impl Place {
    /// Returns the place of a value among values, of which it may be one; none if none of them is finite.
    pub fn among(value: Option<f64>, values: &[f64]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let quantile = |share: f64| quantile(&sorted, share).ok();
        Some(Self {
            n: sorted.len(),
            p25: quantile(0.25)?,
            median: quantile(0.5)?,
            p75: quantile(0.75)?,
            rank: value.map(|value| 1 + sorted.iter().filter(|other| **other < value).count()),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use serde_json::json;

    use super::*;
    use crate::examples;
    use crate::project::STUDY;

    /// Returns the project of an example in a folder.
    pub(super) fn example(folder: &tempfile::TempDir) -> Project {
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        examples::write(&project, "tower-of-london").unwrap();
        project
    }

    /// Writes one more line to a file when the first stage begins.
    struct Editor {
        file: PathBuf,
        is_done: AtomicBool,
    }

    impl Progress for Editor {
        fn begin(&self, _: &str, _: Option<u64>) {
            if !self.is_done.swap(true, Ordering::Relaxed) {
                let text = std::fs::read_to_string(&self.file).unwrap();
                std::fs::write(&self.file, text + "# edited\n").unwrap();
            }
        }

        fn advance(&self, _: u64) {}

        fn end(&self) {}
    }

    #[test]
    fn a_view_of_a_study_that_changed_meanwhile_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (project, views) = (example(&folder), Views::default());
        let editor = Editor { file: project.study_file().to_owned(), is_done: AtomicBool::new(false) };
        views.make(&project, &editor).unwrap();
        assert!(editor.is_done.load(Ordering::Relaxed) && views.kept().whole.is_none());
        views.make(&project, &editor).unwrap();
        let before = views.whole(&project).unwrap().unwrap();
        let filter = Filter { solved: Some(true), ..Filter::default() };
        let view = views.filtered(&project, &filter).unwrap();
        assert_eq!(views.kept().filtered.len(), 1);
        // The play was read again while the filter was applied.
        views.make(&project, &Silent).unwrap();
        views.keep(&before, &view);
        assert!(views.kept().filtered.is_empty());
        let now = views.whole(&project).unwrap().unwrap();
        views.keep(&now, &view);
        assert_eq!(views.kept().filtered.len(), 1);
    }

    #[test]
    fn a_query_becomes_selections_of_trials() {
        let pairs = [("level", "a\"b"), ("level", "c"), ("solved", "false"), ("trial", "2"), ("by", "x")];
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        let (filter, others) = Filter::of_query(pairs).unwrap();
        assert_eq!(others, [("by".to_owned(), "x".to_owned())]);
        let conditions: Vec<String> =
            filter.selections().into_iter().filter_map(|selection| selection.trials).collect();
        assert_eq!(conditions, ["trial_number == 2", "level == \"a\\\"b\" or level == \"c\"", "solved == false"]);
        for (key, value) in [("solved", "yes"), ("trial", "0"), ("trial", "-1")] {
            let refused = Filter::of_query(vec![(key.to_owned(), value.to_owned())]).unwrap_err();
            assert_eq!(json!(refused.message), json!({ "key": "no_value", "values": { "what": key, "value": value } }));
        }
        assert_eq!(filter.in_words(), ["level a\"b or c", "trial 2", "not solved"]);
    }

    #[test]
    fn what_is_not_there_is_told_in_the_words_of_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let (project, views) = (example(&folder), Views::default());
        views.make(&project, &Silent).unwrap();
        let whole = views.whole(&project).unwrap().unwrap();
        let measures = &whole.play.measures;
        let (one, level) = (measures.participants[0].clone(), measures.levels[0].clone());
        let problem = TrialView::new(&whole, &one, "9", &level).unwrap_err();
        let values = json!({ "participant": one, "level": level, "session": "9" });
        assert_eq!(json!(problem.message), json!({ "key": "no_trial", "values": values }));
        // Traps are of positions that several people met.
        let alone = views.filtered(&project, &Filter { participant: vec![one], ..Filter::default() }).unwrap();
        let request: FiguresRequest = serde_json::from_value(json!({ "kind": "traps" })).unwrap();
        let problem = alone.figures(&request).unwrap_err();
        assert_eq!(json!(problem.message), json!({ "key": "no_figure", "values": {} }));
        assert!(!problem.error.contains("asked for"), "{}", problem.error);
    }

    #[test]
    fn a_place_has_quartiles_and_a_rank() {
        let place = Place::among(Some(3.0), &[1.0, 2.0, 3.0, 4.0, 5.0, f64::NAN]).unwrap();
        assert_eq!((place.n, place.p25, place.median, place.p75, place.rank), (5, 2.0, 3.0, 4.0, Some(3)));
        assert_eq!(Place::among(Some(1.0), &[]), None);
    }
}
