//! docs/tutorial.md: its commands are run in their order, and what they print is compared with what the page shows.

use std::path::Path;

use tempfile::TempDir;

use crate::common::{program, repository, updates_golden};

const PAGE: &str = "docs/tutorial.md";

/// Stands for what the page leaves out: lines, or the rest of one.
const LEFT_OUT: &str = "…";

/// The row of a ball that is put back where it was, which nobody simulates: participant, problem and number of the row.
const PUT_BACK: (&str, &str, u32) = ("s08", "six", 6);

/// A fenced block of the page.
struct Block {
    language: String,
    /// The file that the block is of; empty for commands and what they print.
    file: String,
    /// True if its lines are added to that file.
    is_added: bool,
    lines: Vec<String>,
    /// Place of its first line in the page.
    place: usize,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (place, line) in page.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            if !is_open {
                let (language, file) = info.split_once(' ').unwrap_or((info, ""));
                let added = file.strip_prefix("+ ");
                blocks.push(Block {
                    language: language.to_owned(),
                    file: added.unwrap_or(file).to_owned(),
                    is_added: added.is_some(),
                    lines: Vec::new(),
                    place: place + 1,
                });
            }
            is_open = !is_open;
        } else if is_open {
            blocks.last_mut().expect("a block").lines.push(line.to_owned());
        }
    }
    blocks
}

/// Runs a command line of the page; returns what it prints, messages behind results, without blanks at the ends of lines.
fn printed(line: &str, folder: &Path) -> Vec<String> {
    let words = line.strip_prefix("plymap ").unwrap_or_else(|| panic!("{line} is no command of plymap"));
    let words = words.split(' ').map(|word| word.trim_matches('\''));
    let output = program().current_dir(folder).args(words).output().expect("a program");
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    assert!(output.status.success(), "{line}: {}", texts.concat());
    texts.iter().flat_map(|text| text.lines()).map(|line| line.trim_end().to_owned()).collect()
}

/// Returns true if the page shows this line so, whole or its beginning.
fn is_shown(line: &str, shown: &str) -> bool {
    shown.strip_suffix(LEFT_OUT).map_or(line == shown, |begin| line.starts_with(begin.trim_end()))
}

/// Returns the first line that is shown and not there, in their order.
fn missing<'a>(shown: &'a [String], there: &[String]) -> Option<&'a str> {
    let mut rest = there.iter();
    let mut may_skip = false;
    for line in shown {
        if line == LEFT_OUT {
            may_skip = true;
            continue;
        }
        let is_next = match may_skip {
            true => rest.any(|other| is_shown(other, line)),
            false => rest.next().is_some_and(|other| is_shown(other, line)),
        };
        if !is_next {
            return Some(line);
        }
        may_skip = false;
    }
    (!may_skip && rest.next().is_some()).then_some("(the end)")
}

/// Returns the lines to show of what is printed: as long as those that are shown, and without those that are left out.
fn shown_anew(shown: &[String], there: &[String]) -> Vec<String> {
    if !shown.iter().any(|line| line.ends_with(LEFT_OUT)) {
        return there.to_vec();
    }
    let begin = |line: &str| line.chars().take(14).collect::<String>();
    let anew = |line: &String| {
        let Some(other) = there.iter().find(|other| begin(other) == begin(line)) else { return line.clone() };
        match line.strip_suffix(LEFT_OUT) {
            Some(cut) => other.chars().take(cut.chars().count()).collect::<String>() + LEFT_OUT,
            None => other.clone(),
        }
    };
    shown.iter().map(|line| if line == LEFT_OUT { line.clone() } else { anew(line) }).collect()
}

/// Adds lines to the end of a file.
fn append(file: &Path, lines: &[String]) {
    let text = std::fs::read_to_string(file).expect("a file to add to");
    std::fs::write(file, text + "\n" + &lines.join("\n") + "\n").expect("a changed file");
}

/// Writes the files of the tutorial into a folder as they stand in the repository.
fn copy_files(folder: &Path) {
    let (from, to) = (repository().join("data/tutorial"), folder.join("data/tutorial"));
    std::fs::create_dir_all(to.join("raw")).expect("a folder");
    std::fs::copy(from.join("problems.txt"), to.join("problems.txt")).expect("problems");
    for entry in std::fs::read_dir(from.join("raw")).expect("raw files") {
        let file = entry.expect("an entry").path();
        std::fs::copy(&file, to.join("raw").join(file.file_name().expect("a name"))).expect("a raw file");
    }
}

#[test]
fn the_tutorial_shows_what_its_commands_print() {
    let folder = TempDir::new().expect("a folder");
    copy_files(folder.path());
    let page = std::fs::read_to_string(repository().join(PAGE)).expect("the page");
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    let (mut n_compared, mut said, mut faults) = (0, None, Vec::new());
    let mut changed: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for block in blocks(&page) {
        let file = folder.path().join(&block.file);
        let there = match &*block.language {
            "sh" => {
                let [line] = &block.lines[..] else { panic!("{PAGE}:{}: one command in a block", block.place) };
                said = Some(printed(line, folder.path()));
                continue;
            }
            "toml" if block.is_added => {
                append(&file, &block.lines);
                continue;
            }
            _ if block.file.is_empty() => said.take().expect("a command before what it prints"),
            _ => {
                let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", block.file));
                text.lines().map(str::to_owned).collect()
            }
        };
        let is_part = [LEFT_OUT.to_owned()].into_iter().chain(block.lines.clone()).chain([LEFT_OUT.to_owned()]);
        let shown = if block.language == "toml" { is_part.collect() } else { block.lines.clone() };
        let Some(line) = missing(&shown, &there) else {
            n_compared += 1;
            continue;
        };
        let there = if block.file.is_empty() { shown_anew(&block.lines, &there) } else { block.lines.clone() };
        faults.push(format!("{PAGE}:{}: {line:?} is not printed; now:\n{}", block.place, there.join("\n")));
        changed.push((block.place, block.lines.len(), there));
    }
    if updates_golden() {
        for (place, n, anew) in changed.into_iter().rev() {
            lines.splice(place..place + n, anew);
        }
        std::fs::write(repository().join(PAGE), lines.join("\n") + "\n").expect("the page");
        return;
    }
    assert!(faults.is_empty(), "{}\nUPDATE_GOLDEN=1 writes the page anew", faults.join("\n"));
    assert!(n_compared >= 9, "{n_compared} blocks compared");
}

/// Returns the raw files by their names: the rows of `log.csv` of the simulation, as a laboratory might write them.
fn raw_files(log: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for number in 1..=6 {
        for cohort in ["plan", "quick"] {
            let subject = format!("s{:02}", files.len() + 1);
            let mut text = "Subject,Group,Problem,Move,From,To,RT\n".to_owned();
            for row in log.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()) {
                let [participant, problem, _, index, "move", action, seconds, ..] = row[..] else { continue };
                if participant != format!("{cohort}-{number}") {
                    continue;
                }
                let (from, to) = action.split_once('>').expect("a move between pegs");
                let mut count = index.parse::<u32>().expect("a number") + 1;
                let is_of_trial = (&*subject, problem) == (PUT_BACK.0, PUT_BACK.1);
                if is_of_trial && count == PUT_BACK.2 {
                    text += &format!("{subject},{cohort},{problem},{count},{from},{from},640\n");
                }
                count += u32::from(is_of_trial && count >= PUT_BACK.2);
                let rt = (seconds.parse::<f64>().expect("seconds") * 1000.0).round();
                text += &format!("{subject},{cohort},{problem},{count},{from},{to},{rt}\n");
            }
            files.push((format!("{subject}.csv"), text));
        }
    }
    files
}

#[test]
fn the_raw_files_of_the_tutorial_are_simulated_play() {
    let folder = TempDir::new().expect("a folder");
    let study = repository().join("data/tutorial/simulation.toml");
    program().current_dir(&folder).arg("simulate").arg(study).args(["--out", "play"]).assert().success();
    let log = std::fs::read_to_string(folder.path().join("play/log.csv")).expect("a log");
    let raw = repository().join("data/tutorial/raw");
    let files = raw_files(&log);
    for (name, text) in &files {
        if updates_golden() {
            std::fs::write(raw.join(name), text).expect("a raw file");
        }
        let there = std::fs::read_to_string(raw.join(name)).expect("a raw file");
        assert!(there == *text, "data/tutorial/raw/{name} differs; UPDATE_GOLDEN=1 writes it anew");
    }
    assert_eq!(std::fs::read_dir(raw).expect("raw files").count(), files.len(), "files that nobody wrote");
    let (name, _, _) = PUT_BACK;
    let is_put_back =
        |line: &str| line.split(',').skip(4).take(2).collect::<Vec<_>>().windows(2).all(|pegs| pegs[0] == pegs[1]);
    let n_put_back = files.iter().flat_map(|(_, text)| text.lines()).filter(|line| is_put_back(line)).count();
    assert_eq!(n_put_back, 1, "the page is about the row of {name}");
}

#[test]
fn what_the_page_leaves_out_is_all_that_may_be_there() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("levels 5\nrows 7\nfiles 9, in reports");
    assert_eq!(missing(&lines("levels 5\n…\nfiles 9…"), &printed), None);
    assert_eq!(missing(&lines("levels 5\nfiles 9…"), &printed), Some("files 9…"));
    assert_eq!(missing(&lines("levels 5\n…\nrows 8"), &printed), Some("rows 8"));
    assert_eq!(missing(&lines("levels 5\nrows 7"), &printed), Some("(the end)"));
    let anew =
        shown_anew(&lines("levels 4\n…\nfiles written 8, …"), &lines("levels 5\nrows\nfiles written 9, in reports"));
    assert_eq!(anew, ["levels 4", "…", "files written 9, …"]);
}
