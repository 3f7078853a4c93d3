//! The links of the pages, each to a file of the repository and behind `#` to one of its headings; and the pages that
//! sources name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::common::repository;
use crate::recorded_data::skipped;

/// The files below a folder whose names end so.
fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|suffix| suffix == extension) {
            files.push(path);
        }
    }
    files
}

/// The lines of a page that are no code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchors of the headings of a page, as hosts of repositories make them: small letters, digits, `_` and `-` stay,
/// blanks become `-`, and a heading that comes again gets a number.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for heading in prose(page).filter(|line| line.starts_with('#')) {
        let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        let text: String = text.chars().filter(|letter| letter.is_alphanumeric() || "_-".contains(*letter)).collect();
        let numbered = (1..).map(|number| format!("{text}-{number}"));
        let anchor = [text.clone()].into_iter().chain(numbered).find(|anchor| !anchors.contains(anchor));
        anchors.insert(anchor.expect("numbers without end"));
    }
    anchors
}

/// A link of a page that leads nowhere, with the reason.
fn broken(page: &Path, target: &str) -> Option<String> {
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let file = if file.is_empty() { page.to_owned() } else { page.parent().expect("a folder").join(file) };
    if !file.exists() {
        return Some(format!("{}: no file {target}", page.display()));
    }
    let anchor = anchor.filter(|_| file.extension().is_some_and(|extension| extension == "md"))?;
    let text = std::fs::read_to_string(&file).expect("a page");
    (!anchors(&text).contains(anchor)).then(|| format!("{}: no heading {target}", page.display()))
}

#[test]
fn every_link_of_a_page_leads_to_a_file_and_a_heading() {
    if !repository().join("crates").exists() {
        return skipped("the other crates are not in this package");
    }
    let code = Regex::new("`[^`]*`").expect("a pattern");
    let link = Regex::new(r"\]\(([^()\s]+)\)").expect("a pattern");
    let top = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "data", "notebooks", "reports", "python", "r", "play"];
    let top = top.iter().map(|name| repository().join(name));
    let readmes = top.map(|path| if path.is_dir() { path.join("README.md") } else { path });
    let crates = std::fs::read_dir(repository().join("crates")).expect("the crates");
    let crates = crates.map(|folder| folder.expect("a crate").path().join("README.md"));
    let pages = readmes.chain(crates).chain(files_below(&repository().join("docs"), "md")).filter(|page| page.exists());
    let mut n_links = 0;
    let mut faults = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        for line in prose(&text) {
            let line = code.replace_all(line, "");
            for target in link.captures_iter(&line).map(|link| link[1].to_owned()).filter(|link| !link.contains("://"))
            {
                n_links += 1;
                faults.extend(broken(&page, &target));
            }
        }
    }
    assert!(n_links > 300, "{n_links} links");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn anchors_are_those_of_the_headings() {
    let page = "# `[[exclude]]` and 2048\n\n```text\n# code\n```\n\n## level_play\n### Level-play\n## level_play\n";
    let expected = ["exclude-and-2048", "level_play", "level-play", "level_play-1"];
    assert_eq!(anchors(page), expected.map(str::to_owned).into());
}

#[test]
fn every_file_that_a_page_or_a_source_names_is_there() {
    if !repository().join("crates").exists() {
        return skipped("the other crates are not in this package");
    }
    let name = Regex::new(
        r"(?m)(?:^|[^\w/.-])((?:docs/[a-z0-9_/-]+\.md|(?:src|crates|tests|benches|examples)/[a-z0-9_/-]+\.rs)\b)",
    );
    let name = name.expect("a pattern");
    let sources = ["src", "crates", "tests", "examples", "benches"].map(|folder| (folder, "rs"));
    let pages = ["docs", "crates"].map(|folder| (folder, "md"));
    let below = |(folder, extension): (&str, &str)| files_below(&repository().join(folder), extension);
    let top = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|page| repository().join(page));
    let mut n_names = 0;
    for file in sources.into_iter().chain(pages).flat_map(below).chain(top) {
        let text = std::fs::read_to_string(&file).expect("a text");
        // A crate names what it has by the path in its package.
        let in_crate = file.strip_prefix(repository().join("crates")).ok().and_then(|path| path.components().next());
        let package = in_crate.map(|name| repository().join("crates").join(name));
        for name in name.captures_iter(&text).map(|captures| captures.get(1).expect("a name").as_str()) {
            let is_there =
                [Some(repository()), package.clone()].into_iter().flatten().any(|root| root.join(name).exists());
            assert!(is_there, "{}: there is no {name}", file.display());
            n_names += 1;
        }
    }
    assert!(n_names > 150, "{n_names} names");
}
