//! Texts of the command line, and of others about it: help, documentation and messages.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use plymap_statistics::methods;
use regex::Regex;

use super::*;

/// All commands, with those of commands.
fn commands() -> Vec<clap::Command> {
    let mut whole = command_line();
    whole.build();
    let mut all = vec![whole];
    let mut place = 0;
    while place < all.len() {
        let below: Vec<clap::Command> = all[place].get_subcommands().cloned().collect();
        all.extend(below);
        place += 1;
    }
    all
}

#[test]
fn paragraphs_of_help_break_where_the_line_ends_and_not_where_the_source_does() {
    let mut n_texts = 0;
    for command in commands() {
        let arguments = command.get_arguments();
        let of_arguments = arguments.flat_map(|argument| [argument.get_help(), argument.get_long_help()]);
        let texts = [command.get_about(), command.get_long_about()].into_iter().chain(of_arguments).flatten();
        for text in texts.map(ToString::to_string) {
            let broken = text.split("\n\n").find(|paragraph| paragraph.contains('\n'));
            assert_eq!(broken, None, "in the help of {}", command.get_name());
            n_texts += 1;
        }
    }
    assert!(n_texts > 200, "{n_texts} texts");
}

#[test]
fn help_fits_the_terminal() {
    for command in commands() {
        for width in [60, 80, 100, 120] {
            let help = command.clone().term_width(width).render_long_help().to_string();
            // A name that is longer than a line, such as that of a formula, stays in one piece.
            let too_long = help.lines().find(|line| line.chars().count() > width && line.trim().contains(' '));
            assert_eq!(too_long, None, "{} at {width} columns", command.get_name());
        }
    }
}

#[test]
fn every_command_has_an_example_and_no_example_runs_into_another() {
    for command in commands().iter().filter(|command| !command.has_subcommands() && command.get_name() != "help") {
        let Some(long) = command.get_long_about().map(ToString::to_string) else { continue };
        let n_examples = long.matches("Example: ").count();
        let n_paragraphs = long.split("\n\n").filter(|text| text.starts_with("Example: plymap ")).count();
        assert!(n_examples > 0 && n_examples == n_paragraphs, "{}: {long}", command.get_name());
    }
}

/// A command line as a text shows it, and where.
struct Shown {
    place: String,
    line: String,
}

/// Files below a folder of the project whose names end so.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|suffix| suffix == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The sources of the program and its crates, without their tests.
fn sources() -> Vec<(PathBuf, String)> {
    let all = files("src", "rs").into_iter().chain(files("crates", "rs"));
    let is_test =
        |path: &PathBuf| path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
    all.filter(|path| !is_test(path)).map(without_tests).collect()
}

fn without_tests(path: PathBuf) -> (PathBuf, String) {
    let text = std::fs::read_to_string(&path).expect("a source");
    (path, text.split("#[cfg(test)]").next().unwrap_or_default().to_owned())
}

/// The texts of a source that the program may say.
fn literals(source: &str) -> Vec<String> {
    static LITERAL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""((?:[^"\\]|\\.|\\\n)*)""#).expect("a pattern"));
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .fold(String::new(), |code, line| code + line + "\n");
    let unbroken = |text: &str| text.split("\\\n").map(str::trim_start).collect::<String>();
    // A quotation mark as a letter begins no text.
    let code = code.replace("'\"'", "' '");
    LITERAL.captures_iter(&code).map(|captures| unbroken(&captures[1])).collect()
}

/// Commands in the pages of the documentation: lines of shells, and what stands between backquotes.
fn shown_in_pages() -> Vec<Shown> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = files("docs", "md").into_iter().chain([root.join("README.md")]).chain(files("data", "md"));
    let inline = Regex::new("`(plymap [a-z][^`]*)`").expect("a pattern");
    let mut shown = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let mut language = None;
        for (number, line) in text.lines().enumerate() {
            let place = format!("{}:{}", page.display(), number + 1);
            match (line.trim_start().strip_prefix("```"), language) {
                (Some(name), None) => language = Some(name.trim()),
                (Some(_), Some(_)) => language = None,
                (None, Some("sh" | "console" | "")) if line.starts_with("plymap ") => {
                    shown.push(Shown { place, line: line.to_owned() });
                }
                (None, Some(_)) => {}
                (None, None) => {
                    let lines = inline.captures_iter(line).map(|captures| captures[1].to_owned());
                    shown.extend(lines.map(|line| Shown { place: place.clone(), line }));
                }
            }
        }
    }
    shown
}

/// The words of a command line as a shell takes them apart, up to where another command or a comment begins.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, Some(open)) if letter == open => quote = None,
            (' ', None) => words.extend(word.take()),
            ('|' | '&' | ';' | '>' | '#', None) => break,
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Returns what the program would say against a command line; what is missing in it, and words in capitals, may stand
/// for others.
fn refused(line: &str) -> Option<String> {
    let words = shell_words(line);
    let error = command_line().try_get_matches_from(&words).err();
    let estimator = words.iter().position(|word| word == "--estimator").and_then(|place| words.get(place + 1));
    let is_placeholder = |word: &str| word.chars().all(|letter| letter.is_uppercase() || letter == '-');
    if let Some(name) = estimator.filter(|name| !is_placeholder(name))
        && let Err(error) = methods::named(name)
    {
        return Some(error.to_string());
    }
    let error = error?;
    match error.kind() {
        ErrorKind::MissingRequiredArgument
        | ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => None,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => match error.get(ContextKind::InvalidValue) {
            // An option that is only named has no value.
            Some(ContextValue::String(value)) if value.is_empty() || is_placeholder(value) => None,
            _ => Some(error.to_string()),
        },
        _ => Some(error.to_string()),
    }
}

#[test]
fn every_command_that_a_page_shows_is_understood() {
    let shown = shown_in_pages();
    assert!(shown.len() > 100, "{} commands", shown.len());
    let wrong: Vec<String> = shown
        .iter()
        .filter_map(|Shown { place, line }| refused(line).map(|error| format!("{place}: {line}\n{error}")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_of_help_is_understood() {
    let mut n_examples = 0;
    for command in commands() {
        let long = command.get_long_about().map(ToString::to_string).unwrap_or_default();
        for example in long.split("\n\n").filter_map(|text| text.strip_prefix("Example: ")) {
            for line in example.split(['&', ';']).map(str::trim).filter(|line| line.starts_with("plymap ")) {
                assert_eq!(refused(line), None, "{line}");
                n_examples += 1;
            }
        }
    }
    assert!(n_examples > 25, "{n_examples} examples");
}

#[test]
fn every_command_option_and_estimator_that_a_message_names_is_one_that_the_program_takes() {
    let mut options: Vec<String> = vec!["help".to_owned(), "version".to_owned()];
    for command in commands() {
        options.extend(command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned));
    }
    let option = Regex::new("(?:^|[^-A-Za-z0-9])--([a-z][a-z-]+)").expect("a pattern");
    let command = Regex::new("`(plymap [a-z][^`]*)`").expect("a pattern");
    let estimator = Regex::new("the estimators? ([a-z]+(?:-[a-z]+)*)").expect("a pattern");
    let placeholder = Regex::new(r"\{[^}]*\}").expect("a pattern");
    let mut counts = [0; 3];
    for (path, source) in sources() {
        // Chromium, npm, Cargo and the tests of Rust have options of their own.
        let others = [
            "cli/experiment/browser.rs",
            "cli/experiment/built.rs",
            "notices/src/embedded.rs",
            "notices/src/linked.rs",
            "report/src/folder/killed.rs",
        ];
        let is_of_others = others.iter().any(|other| path.ends_with(other));
        for text in literals(&source).iter().filter(|_| !is_of_others) {
            // So has a web server of Python.
            for captures in option.captures_iter(text).filter(|_| !text.contains("http.server")) {
                let (place, name) = (path.display(), &captures[1]);
                assert!(options.iter().any(|known| known == name), "{place}: there is no --{name}: {text}");
                counts[0] += 1;
            }
            for captures in command.captures_iter(text) {
                let line = placeholder.replace_all(&captures[1], "X");
                assert_eq!(refused(&line), None, "{}: {text}", path.display());
                counts[1] += 1;
            }
            for captures in estimator.captures_iter(text).filter(|captures| !["of", "that"].contains(&&captures[1])) {
                let (place, name) = (path.display(), &captures[1]);
                assert!(methods::named(name).is_ok(), "{place}: there is no estimator {name}");
                counts[2] += 1;
            }
        }
    }
    assert!(counts[0] > 80 && counts[1] > 3 && counts[2] > 0, "{counts:?}");
}

#[test]
fn every_estimator_that_a_page_or_an_assumption_names_is_one() {
    let link = Regex::new(r"\[`([a-z-]+)`\]\((?:docs/|\.\./)?estimators\.md[^)]*\)").expect("a pattern");
    let instead =
        Regex::new(r": ((?:[a-z-]+, )*[a-z-]+(?: and [a-z-]+)?) (?:accounts?|allows?) for that").expect("a pattern");
    let mut n = 0;
    for page in files("docs", "md") {
        let text = std::fs::read_to_string(&page).expect("a page");
        for captures in link.captures_iter(&text) {
            assert!(methods::named(&captures[1]).is_ok(), "{}: {}", page.display(), &captures[1]);
            n += 1;
        }
    }
    for estimator in methods::tables() {
        for captures in instead.captures_iter(estimator.assumptions) {
            for name in captures[1].split([',', ' ']).filter(|word| !word.is_empty() && *word != "and") {
                assert!(methods::named(name).is_ok(), "{}: {name}", estimator.name);
                n += 1;
            }
        }
    }
    assert!(n > 5, "{n} names");
}
