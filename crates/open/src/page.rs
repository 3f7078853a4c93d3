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
    use plymap_analysis::two_groups::GROUP_MEASURES;
    use plymap_log::{Consequence, Event, IGNORE, Role};
    use plymap_measures::selection::SelectionKind;
    use plymap_report::figures::{KINDS as FIGURES, Subject};

    use super::*;
    use crate::check::REMEDIES;
    use crate::notes::CERTAINTIES;
    use crate::problem::MESSAGES;
    use crate::reading::{BESIDE_EVENTS, OUTCOMES, PART_KEYS};
    use crate::take::KINDS;

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

    /// Returns the keys of the texts of all names that an answer can have, as the page asks for them.
    fn keys() -> Vec<String> {
        let consequences = Consequence::ALL.map(Consequence::name);
        let parts: Vec<&str> = Event::NAMES.into_iter().chain(BESIDE_EVENTS).collect();
        let parts = parts.iter().flat_map(|part| ["one", "other"].map(|form| format!("n_account_{part}_{form}")));
        let figures = FIGURES.iter().filter(|kind| kind.subject == Subject::People).map(|kind| kind.kind.name());
        let named = |kind: &str, names: &[&str]| -> Vec<String> {
            names.iter().map(|name| format!("{kind}_{}", name.replace('-', "_"))).collect()
        };
        let outcomes = OUTCOMES.iter().chain(&consequences).map(|name| format!("outcome_{}", name.replace('_', "-")));
        [
            named("problem", MESSAGES),
            named("remedy", REMEDIES),
            outcomes.collect(),
            parts.collect(),
            named("event", &[&Event::NAMES[..], &[IGNORE]].concat()),
            named("role", &Role::ALL.map(Role::key)),
            named("part", &PART_KEYS),
            named("certainty", &CERTAINTIES.map(|(_, name)| name)),
            named("selection", &[SelectionKind::Include, SelectionKind::Exclude].map(SelectionKind::name)),
            named("measure", &GROUP_MEASURES.iter().map(|measure| measure.key).collect::<Vec<_>>()),
            named("figure", &figures.collect::<Vec<_>>()),
            named("take", &KINDS.map(|(name, ..)| name)),
        ]
        .concat()
    }

    #[test]
    fn the_page_has_a_text_for_each_key_of_an_answer_in_each_language() {
        let texts: Vec<_> = FILES.iter().filter(|(name, ..)| name.starts_with("texts_")).collect();
        assert_eq!(texts.len(), 3);
        let has = |text: &str, key: &str| {
            [key.to_owned(), format!("'{key}'")].iter().any(|key| text.contains(&format!("\n  {key}: '")))
        };
        let missing = |(name, _, text): &&(&str, &str, &str)| {
            keys().into_iter().filter(|key| !has(text, key)).map(|key| format!("{name}: {key}")).collect::<Vec<_>>()
        };
        assert_eq!(texts.iter().flat_map(missing).collect::<Vec<_>>(), [""; 0]);
    }
}
