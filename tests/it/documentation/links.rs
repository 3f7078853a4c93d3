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
        } else if path.extension().is_some_and(|own| own == extension) {
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
    let top = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "data", "notebooks", "reports", "python", "play"];
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
fn every_page_that_a_source_names_is_there() {
    if !repository().join("crates").exists() {
        return skipped("the other crates are not in this package");
    }
    let page = Regex::new(r"\bdocs/[a-z0-9_/-]+\.md\b").expect("a pattern");
    let folders = ["src", "crates", "tests", "examples", "benches"];
    let sources = folders.iter().flat_map(|folder| files_below(&repository().join(folder), "rs"));
    let mut n_pages = 0;
    for source in sources {
        let text = std::fs::read_to_string(&source).expect("a source");
        for page in page.find_iter(&text).map(|page| page.as_str()) {
            assert!(repository().join(page).exists(), "{}: there is no {page}", source.display());
            n_pages += 1;
        }
    }
    assert!(n_pages > 50, "{n_pages} pages");
}
