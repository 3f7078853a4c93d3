//! `[[exclude]]` and `[[include]]`: what they leave out, and what they say of it.

use std::sync::Arc;

use plymap_log::Consequence;
use plymap_measures::measure::Measures;
use plymap_measures::selection::{PlayCount, SelectionKind};
use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::progress::Silent;
use plymap_run::study::Study;
use plymap_run::{Play, Results, RunOptions, illustrate, play, run, statistics, study_levels};

use crate::common::repository;

/// The demo's study with more entries behind it.
fn study(more: &str) -> Result<Study, String> {
    let path = repository().join("data/demo/study.toml");
    let text = std::fs::read_to_string(&path).expect("a study") + "\n" + more;
    let folder = path.parent().expect("a folder").to_owned();
    Study::parse(&Arc::new(SourceText { path, text }), folder).map_err(|faults| faults[0].to_string())
}

fn played(study: &Study) -> Result<Play, String> {
    let (levels, _) = study_levels(study, &Silent).expect("levels without faults");
    play(study, &levels, &Silent).map(|play| play.expect("a log")).map_err(|error| error.to_string())
}

/// Leaving people out after their moves were labelled gives the measures of a log without them.
#[test]
fn an_exclusion_of_people_is_a_log_without_them() {
    let whole = played(&study("").unwrap()).unwrap();
    let gone = whole.measures.participants[0].clone();
    let exclusion = format!("[[exclude]]\nparticipants = \"participant == '{gone}'\"\nreason = \"left the room\"");
    let excluded = played(&study(&exclusion).unwrap()).unwrap();

    let mut without = study("").unwrap();
    let step = format!("steps = [{{ where = \"participant != '{gone}'\" }}]\nfiles = []");
    let steps: plymap_log::LogSpec = toml::from_str(&step).unwrap();
    without.log.steps = steps.steps;
    let without = played(&without).unwrap();

    assert_eq!(excluded.measures, without.measures);
    assert_eq!(excluded.labelled.rows.len(), without.labelled.rows.len());
    let count = &excluded.account.selection[0];
    assert_eq!((count.kind, count.of.as_str(), count.n_undecided), (SelectionKind::Exclude, "participants", 0));
    assert_eq!(
        (count.left_out.n_participants, count.left.n_participants + 1),
        (1, whole.measures.participants.len() as u64)
    );
    let counts = excluded.account.counts;
    counts.check().expect("rows are conserved");
    assert_eq!(counts.left_out, (whole.labelled.rows.len() - excluded.labelled.rows.len()) as u64);
    assert!(without.account.steps[0].n_left_out >= counts.left_out);
    let said: Vec<_> = excluded
        .account
        .diagnostic_summaries()
        .into_iter()
        .filter(|diagnostic| diagnostic.consequence == Consequence::LeftOut)
        .collect();
    assert_eq!((said.len(), said[0].n, said[0].code.as_str()), (1, counts.left_out, "left-out"));
    assert!(said[0].rule.starts_with("left the room (exclude participants: "), "{}", said[0].rule);
}

/// An inclusion and the exclusion of the opposite leave the same where nothing is missing; what is open is kept by an
/// exclusion only.
#[test]
fn inclusions_and_exclusions_differ_where_a_value_is_missing() {
    let selected = |more: &str| played(&study(more).unwrap()).unwrap();
    let solved = |play: &Play| play.measures.trials.iter().map(|trial| trial.is_solved).collect::<Vec<_>>();
    let whole = selected("");
    let included = selected("[[include]]\ntrials = \"solved\"\nreason = \"solved\"");
    let excluded = selected("[[exclude]]\ntrials = \"not solved\"\nreason = \"not solved\"");
    let expected =
        |keep: fn(Option<bool>) -> bool| solved(&whole).into_iter().filter(|&is_solved| keep(is_solved)).count();
    assert_eq!(solved(&included).len(), expected(|is_solved| is_solved == Some(true)));
    assert_eq!(solved(&excluded).len(), expected(|is_solved| is_solved != Some(false)));
    assert!(solved(&whole).contains(&Some(false)), "otherwise nothing was tested");
    assert_eq!(included.account.selection[0].n_undecided, expected(|is_solved| is_solved.is_none()) as u64);
}

/// Each selection is made on what the ones before it left.
#[test]
fn selections_follow_each_other() {
    let text = "[[exclude]]\ntrials = \"trial_number > 3\"\nreason = \"the first three\"\n\
                [[exclude]]\nparticipants = \"n_trials > 3\"\nreason = \"none is left\"";
    let play = played(&study(text).unwrap()).unwrap();
    assert!(play.measures.trials.iter().all(|trial| trial.order.is_some_and(|order| order <= 3)));
    assert_eq!(play.account.selection[1].left_out, PlayCount::default());
    assert_eq!(play.account.selection[0].left, play.account.selection[1].left);
    let Measures { participants, trials, .. } = &play.measures;
    assert_eq!(play.account.selection[1].left.n_participants, participants.len() as u64);
    assert_eq!(play.account.selection[1].left.n_trials, trials.len() as u64);
}

/// In the flow from the log to the analysis, every box holds what the box above it holds without what stands at their
/// right, in rows, attempts, trials and participants.
#[test]
fn the_boxes_of_the_flow_add_up() {
    let text = "[[include]]\ntrials = \"trial_number <= 9\"\nreason = \"the first nine, \\\"as registered\\\"\"\n\
                [[exclude]]\nattempts = \"n_moves < 3\"\nreason = \"too short\"\n\
                [[exclude]]\nparticipants = \"participant == 'p02'\"\nreason = \"withdrew\"";
    let mut study = study(text).unwrap();
    let steps = "steps = [{ where = \"participant != 'p01'\" }, { where = \"level != 'article-1'\" }]\nfiles = []";
    study.log.steps = toml::from_str::<plymap_log::LogSpec>(steps).unwrap().steps;
    study.figures.only = vec!["participant-flow".to_owned()];
    let (levels, _) = study_levels(&study, &Silent).expect("levels without faults");
    let play = play(&study, &levels, &Silent).unwrap().expect("a log");
    let statistics = statistics(&study, &play, &levels, &[], &RunOptions::default(), &Silent).expect("no statistics");
    let results = Results { play: Some(&play), comparison: None, statistics: Some(&statistics) };
    let drawn =
        illustrate(&study, &study.figures.styles(), &levels, &results, &RunOptions::default()).expect("one figure");
    assert_eq!((drawn.illustrations.len(), drawn.failed.len()), (1, 0));
    let drawn = &drawn.illustrations[0];
    let rows = &drawn.figure.data.rows;
    let sum = |stage: usize, place: &str, what: &str| {
        let is_asked = |row: &&Vec<String>| row[0] == stage.to_string() && row[1] == place && row[4] == what;
        let counts: Vec<u64> = rows.iter().filter(is_asked).map(|row| row[5].parse().expect("a number")).collect();
        (!counts.is_empty()).then(|| counts.iter().sum::<u64>())
    };
    let titles: Vec<&str> =
        rows.iter().filter(|row| row[1] == "left" && row[4] == "rows").map(|row| &row[2][..]).collect();
    assert_eq!(titles, ["Log files", "After the steps of the log", "Replayed", "Analysed"]);
    for stage in 1..titles.len() {
        for what in ["rows", "attempts", "trials", "participants"] {
            let (above, below) = (sum(stage, "left", what), sum(stage + 1, "left", what));
            let Some((above, below)) = above.zip(below) else { continue };
            let left_out = sum(stage, "left out", what).expect("what was left out");
            assert_eq!(above - left_out, below, "{what} behind {}", titles[stage - 1]);
            assert!(left_out > 0, "otherwise nothing was tested: {what} behind {}", titles[stage - 1]);
        }
        let kinds = sum(stage, "kind", "rows");
        assert!(kinds.is_none() || kinds == sum(stage, "left out", "rows"), "each refused row has one reason");
    }
    assert_eq!(sum(2, "kind", "rows"), Some(play.account.counts.rejected + play.account.counts.excluded));
    assert_eq!(sum(4, "left", "rows"), Some(play.labelled.rows.len() as u64));
    // Each participant of the demo is in one of two conditions.
    assert_eq!(sum(5, "group", "trials"), sum(4, "left", "trials"));
    assert_eq!(sum(5, "group", "participants"), sum(4, "left", "participants"));
    let words: Vec<&str> = rows.iter().filter(|row| row[1] == "left out").map(|row| &row[3][..]).collect();
    assert!(
        words.contains(&"the first nine, \"as registered\"") && words.contains(&"where level != 'article-1'"),
        "{words:?}"
    );
    assert!(drawn.sentence.contains("by 3 selections of the study"), "{}", drawn.sentence);
}

/// A trial of which three of nine times are missing, and one of which all are there.
#[test]
fn trials_with_too_many_missing_times_are_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.csv");
    let mut rows = "participant,level,action,rt_s\n".to_owned();
    for (person, missing) in [("few", 2), ("many", 3)] {
        let action = ["E-1", "E+1"].into_iter().cycle();
        for (number, action) in (0..9).zip(action) {
            let time = if (1..=missing).contains(&number) { "" } else { "1.5" };
            rows += &format!("{person},demo-01,{action},{time}\n");
        }
    }
    std::fs::write(&log, rows).expect("a file");
    let text = "[[exclude]]\ntrials = \"n_times_missing > 0.25 * n_moves\"\nreason = \"too many missing times\"";
    let mut study = study(text).unwrap();
    study.log = plymap_log::LogSpec { files: vec![log], ..plymap_log::LogSpec::default() };
    let play = played(&study).unwrap();
    assert_eq!(play.measures.participants, ["few"]);
    assert_eq!((play.account.selection[0].left_out.n_trials, play.account.selection[0].left_out.n_rows), (1, 9));
}

#[test]
fn what_cannot_be_selected_is_said() {
    let fault = |text: &str| study(text).unwrap_err();
    assert!(
        fault("[[exclude]]\nreason = \"x\"").contains("needs exactly one of participants, levels, trials and attempts")
    );
    assert!(fault("[[exclude]]\ntrials = \"a\"\nlevels = \"b\"\nreason = \"x\"").contains("needs exactly one"));
    assert!(fault("[[include]]\ntrials = \"n_moves >\"\nreason = \"x\"").contains("the expression ends too early"));
    assert!(fault("[[exclude]]\ntrials = \"solved\"").contains("reason"));
    let failure = |text: &str| played(&study(text).unwrap()).unwrap_err();
    let unknown = failure("[[exclude]]\ntrials = \"n_move > 3\"\nreason = \"x\"");
    assert!(
        unknown.contains("there is no column \"n_move\"; did you mean \"n_moves\"?") && unknown.contains("^^^^^^"),
        "{unknown}"
    );
    let empty = failure("[[exclude]]\ntrials = \"n_moves >= 0 or n_moves is missing\"\nreason = \"x\"");
    assert!(empty.contains("leaves nothing that was played"), "{empty}");
}

#[test]
fn a_selection_is_not_blamed_where_nothing_was_played_before_it() {
    let mut study = study("[[exclude]]\ntrials = \"trial_number == 1\"\nreason = \"practice\"").unwrap();
    let broken: plymap_log::LogSpec =
        toml::from_str("steps = [{ set = { action = \"'jump'\" } }]\nfiles = []").unwrap();
    study.log.steps = broken.steps;
    let play = played(&study).expect("rows that are rejected, and no failure");
    assert_eq!(
        (play.labelled.rows.iter().filter(|row| row.step.played.is_some()).count(), play.account.selection.len()),
        (0, 1)
    );
    assert!(play.account.diagnostic_summaries().iter().any(|diagnostic| diagnostic.code == "unreadable-move"));
}

/// The report counts people before and after exclusions, and tells of an interaction with one effect.
#[test]
fn a_report_counts_whom_it_leaves_out_and_tells_of_interactions() {
    let gone = "[[exclude]]\nparticipants = \"participant == 'p01'\"\nreason = \"left the room\"\n";
    let model = "[[statistics.model]]\nname = \"own\"\nrows = \"solved-trials\"\n\
                 formula = \"log(time_s) ~ condition * start_distance + (1 | participant)\"\n\
                 about = [\"condition:start_distance\"]\n";
    let study = study(&format!("{gone}{model}")).expect("a study");
    let folder = tempfile::tempdir().expect("a folder");
    let options = RunOptions { only: vec!["models".to_owned()], is_fast: true, ..RunOptions::default() };
    let target = folder.path().join("run");
    let file = repository().join("data/demo/study.toml");
    run(&study, &file, &target, &options, &Silent).expect("a run");
    let page = std::fs::read_to_string(target.join("report.md")).expect("a page");
    assert!(page.contains("The logs of 36 participants hold 11,139 rows"), "{page}");
    assert!(page.contains("left the room (1 participant). That leaves 35 participants and"), "{page}");
    assert!(page.contains("condition = speed : start\\_distance, b = "), "{page}");
}
