//! The files of the page, which are part of the program.

/// The page itself.
pub const PAGE: &str = include_str!("../page/index.html");

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const ICON: &str = "image/svg+xml";

/// Name, type and content of each file.
macro_rules! files {
    ($($name:literal: $kind:expr),* $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

/// Files that the page loads from `page/`: name, type and content.
pub const FILES: &[(&str, &str, &str)] = files![
    "api.js": SCRIPT,
    "app.js": SCRIPT,
    "charts.js": SCRIPT,
    "check.js": SCRIPT,
    "dom.js": SCRIPT,
    "explore.js": SCRIPT,
    "explore_figures.js": SCRIPT,
    "explore_groups.js": SCRIPT,
    "explore_level.js": SCRIPT,
    "explore_map.js": SCRIPT,
    "explore_participant.js": SCRIPT,
    "explore_trial.js": SCRIPT,
    "explore_trials.js": SCRIPT,
    "filters.js": SCRIPT,
    "format.js": SCRIPT,
    "icon.svg": ICON,
    "open.css": STYLE,
    "read.js": SCRIPT,
    "read_answers.js": SCRIPT,
    "replay.js": SCRIPT,
    "route.js": SCRIPT,
    "run.js": SCRIPT,
    "shell.js": SCRIPT,
    "start.js": SCRIPT,
    "study_panel.js": SCRIPT,
    "svg.js": SCRIPT,
    "take.js": SCRIPT,
    "texts.js": SCRIPT,
    "texts_de.js": SCRIPT,
    "texts_en.js": SCRIPT,
    "texts_fr.js": SCRIPT,
    "upload.js": SCRIPT,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_of_the_page_are_part_of_the_program() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let is_part = |name: &String| [".js", ".css", ".svg"].iter().any(|end| name.ends_with(end));
        let mut names: Vec<String> = names.filter(is_part).collect();
        names.sort();
        let mut known: Vec<&str> = FILES.iter().map(|(name, ..)| *name).collect();
        known.sort_unstable();
        assert_eq!(known, names);
    }
}
