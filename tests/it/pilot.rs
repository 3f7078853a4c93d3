//! Studies of few people, and of few levels that all of them played: what their reports say, and leave out.

use crate::common::{program, repository};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A study of the demo's log, of these participants with their conditions, at its levels; with all analyses where none is
/// named.
fn study(participants: &[(&str, &str)], analyses: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = repository().join("data/demo");
    let text = fs::read_to_string(demo.join("study.toml")).expect("a study");
    let entry = if analyses.is_empty() { String::new() } else { format!("analyses = {analyses:?}\n") };
    let text = text.replacen("[statistics]\n", &format!("[statistics]\n{entry}"), 1);
    let text = text.replacen("formats = [\"svg\", \"pdf\", \"png\"]", "formats = [\"svg\"]", 1);
    fs::create_dir_all(folder.path().join("logs")).expect("a folder");
    fs::create_dir_all(folder.path().join("levels")).expect("a folder");
    for entry in fs::read_dir(demo.join("levels")).expect("levels") {
        let entry = entry.expect("a level");
        fs::copy(entry.path(), folder.path().join("levels").join(entry.file_name())).expect("a copy");
    }
    let log = fs::read_to_string(demo.join("logs/moves.csv")).expect("a log");
    let (head, rows) = log.split_once('\n').expect("a head");
    let of_row = |row: &str| {
        let (participant, _) = row.split_once(',')?;
        let (_, condition) = participants.iter().find(|(name, _)| *name == participant)?;
        // Nobody of this study played the last level.
        let (rest, _) = row.rsplit_once(',').filter(|_| !row.contains(",demo-12,"))?;
        Some(format!("{rest},{condition}"))
    };
    let rows: Vec<String> = rows.lines().filter_map(of_row).collect();
    fs::write(folder.path().join("logs/moves.csv"), format!("{head}\n{}\n", rows.join("\n"))).expect("a log");
    fs::write(folder.path().join("study.toml"), text).expect("a study");
    folder
}

/// The report of a study as Markdown, without its marks, and the drawings.
fn report(folder: &Path) -> (String, Vec<PathBuf>) {
    program().current_dir(folder).args(["run", "study.toml", "--out", "run"]).assert().success();
    let text = fs::read_to_string(folder.join("run/report.md")).expect("a report");
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace('\\', "");
    let drawings =
        fs::read_dir(folder.join("run/figures")).expect("figures").map(|entry| entry.expect("a file").path());
    (text, drawings.filter(|file| file.extension().is_some_and(|kind| kind == "svg")).collect())
}

/// The places at which a text tells a p value, with what is around them.
fn p_values(text: &str) -> Vec<&str> {
    let signs = ["p = .", "p < .", "p > ."].into_iter().flat_map(|sign| text.match_indices(sign));
    let places = signs.map(|(place, _)| place);
    let around = |place: usize| {
        let line = text[..place].rfind('\n').map_or(0, |end| end + 1);
        text[line..].split('\n').next().unwrap_or_default()
    };
    let is_p = |place: &usize| !text[..*place].ends_with(char::is_alphanumeric);
    places.filter(is_p).map(around).collect()
}

#[test]
fn a_pilot_has_intervals_and_nowhere_a_p() {
    let people = [("p01", "a"), ("p02", "b"), ("p03", "c"), ("p04", "a"), ("p05", "b"), ("p06", "c")];
    let folder = study(&people, &[]);
    let (report, drawings) = report(folder.path());
    assert!(report.contains("This is a pilot: 6 participants took part"), "{report}");
    assert_eq!(p_values(&report), Vec::<&str>::new());
    for told in [
        "adjusted p",
        "significant",
        "log-rank χ²",
        "log-rank test: χ²",
        "| p_value",
        "| p_adjusted",
        "not shown",
        "; F(",
    ] {
        assert!(!report.contains(told), "{told:?} is in the report of a pilot");
    }
    assert!(drawings.len() > 20, "{}", drawings.len());
    for drawing in drawings {
        let text = fs::read_to_string(&drawing).expect("a drawing").replace("&lt;", "<").replace("&gt;", ">");
        assert_eq!(p_values(&text), Vec::<&str>::new(), "{}", drawing.display());
        assert!(!text.contains("log-rank") && !text.contains("Kruskal"), "{}", drawing.display());
    }
    // Of three conditions each difference is told with its interval, and the files of tables have all tests.
    let said = |begin: &str| report.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("{report}"));
    for begin in ["Under b, participants took ", "Haste saves time: under b, participants took "] {
        let time = said(begin);
        assert!(time.contains(". Under c, participants took ") && time.matches(" CI ").count() >= 2, "{time}");
    }
    let terms = fs::read_to_string(folder.path().join("run/tables/model_terms.csv")).expect("a table");
    assert!(terms.lines().next().is_some_and(|head| head.contains("p_value,")), "{terms}");
    // What was played, beside what the study has.
    assert!(report.contains("- levels: 13\n- states: 37,699\n- levels played: 12\n"), "{report}");
    assert!(report.contains("participants: 6, levels played: 12."), "{report}");
}

#[test]
fn what_has_no_interval_or_no_slope_does_not_speak_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    program().current_dir(folder.path()).args(["init", "first"]).assert().success();
    program().current_dir(folder.path()).args(["run", "first", "--fast"]).assert().success();
    let report = fs::read_to_string(folder.path().join("reports/first-preview/report.md")).expect("a report");
    let pooled = report.lines().find(|line| line.starts_with("Over all solved trials together")).expect("a sentence");
    assert!(!pooled.contains(" CI ") && !pooled.contains("its interval"), "{pooled}");
    let figure =
        report.lines().find(|line| line.contains("** Number of moves against time to solve.")).expect("a figure");
    assert!(!figure.contains("slope b"), "{figure}");
    // The odds after an error are between 0 and 6 to the power of 24.
    let error =
        report.lines().find(|line| line.starts_with("Whether a move after another is an error")).expect("a model");
    assert!(error.ends_with("after an error, of a size that cannot be told from these data."), "{error}");
    assert!(!report.contains("00000000"), "{report}");
}

#[test]
fn conditions_are_compared_by_a_sentence_with_a_test() {
    let people: Vec<(String, &str)> =
        (1..=12).map(|number| (format!("p{number:02}"), ["a", "b", "c"][number % 3])).collect();
    let people: Vec<(&str, &str)> = people.iter().map(|(name, condition)| (name.as_str(), *condition)).collect();
    let (report, _) = report(study(&people, &["models"]).path());
    let said = |begin: &str| {
        let line = report.lines().find(|line| line.starts_with(begin));
        line.unwrap_or_else(|| panic!("{begin:?} is not in {report}")).to_owned()
    };
    // Whose conditions these are was drawn by nobody: they do not differ.
    let time = said("It is not shown that the time for a solved trial differs between the 3 conditions: F(2, ");
    assert!(
        time.contains("; mixed model. Under b, ") && time.contains(". Under c, ") && time.contains(" CI "),
        "{time}"
    );
    let hypothesis = said(
        "Haste saves time: it is not shown that the time for a solved trial differs between the 3 conditions, F(2, ",
    );
    assert!(
        hypothesis.contains(" (adjusted over 3 hypotheses). Under b, ") && hypothesis.contains("). Under c, "),
        "{hypothesis}"
    );
    let product = said(
        "The effect of quality × condition in the model pauses: it is not shown that the effect of quality on log(rt_s) differs by condition, F(4, ",
    );
    assert!(product.contains(". Of the 4 effects, the largest is that of quality = "), "{product}");
    let reverse = said("The other way round, ");
    assert!(
        reverse.contains("moves of different quality take different times: F(2, ") && reverse.contains("times as long"),
        "{reverse}"
    );
}

#[test]
fn nine_participants_are_a_pilot_and_ten_are_none() {
    let people: Vec<String> = (1..=10).map(|number| format!("p{number:02}")).collect();
    let said = |n: usize| {
        let people: Vec<(&str, &str)> = people[..n].iter().map(|name| (name.as_str(), "a")).collect();
        report(study(&people, &["models"]).path()).0
    };
    let (nine, ten) = (said(9), said(10));
    assert!(nine.contains("This is a pilot: 9 participants took part") && p_values(&nine).is_empty(), "{nine}");
    assert!(!ten.contains("This is a pilot") && !p_values(&ten).is_empty(), "{ten}");
}
