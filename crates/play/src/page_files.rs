//! The files of the page on which people play, which are part of the program.

/// The page itself. It loads all else from `play/`, and the study from where it says.
pub const PAGE: &str = include_str!("../../../play/src/session.html");

/// Address at which the page of a server finds its study.
pub const STUDY_OF_SERVER: &str = "api/study";
/// The same for a site.
pub const STUDY_OF_SITE: &str = "study.json";

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Name, kind and content of each file.
macro_rules! files {
    ($($name:literal: $kind:expr),* $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("../../../play/src/", $name)))),*]
    };
}

/// Files that the page loads from `play/`: name, type and content.
pub const FILES: &[(&str, &str, &str)] = files![
    "board.css": STYLE,
    "session.css": STYLE,
    "backends.js": SCRIPT,
    "board.js": SCRIPT,
    "checksum.js": SCRIPT,
    "drawing.js": SCRIPT,
    "gestures.js": SCRIPT,
    "i18n.js": SCRIPT,
    "indexed_db.js": SCRIPT,
    "input.js": SCRIPT,
    "local_store.js": SCRIPT,
    "log.js": SCRIPT,
    "map_game.js": SCRIPT,
    "page_layout.js": SCRIPT,
    "pages.js": SCRIPT,
    "panel.js": SCRIPT,
    "plan.js": SCRIPT,
    "procedure.js": SCRIPT,
    "progress.js": SCRIPT,
    "questions.js": SCRIPT,
    "randomization.js": SCRIPT,
    "recorder.js": SCRIPT,
    "requests.js": SCRIPT,
    "server_game.js": SCRIPT,
    "session.js": SCRIPT,
    "simulated_page.js": SCRIPT,
    "simulated_player.js": SCRIPT,
    "texts.js": SCRIPT,
    "trial.js": SCRIPT,
    "upload.js": SCRIPT,
    "validation.js": SCRIPT,
];

/// Returns true if the page has a text of this name.
pub fn is_text(name: &str) -> bool {
    let texts = FILES.iter().find(|(file, ..)| *file == "texts.js").map_or("", |(.., content)| content);
    texts.lines().any(|line| {
        line.strip_prefix("  ").and_then(|line| line.strip_prefix(name)).is_some_and(|rest| rest.starts_with(": "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_of_the_page_are_part_of_the_program() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../play/src");
        let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".js") || name.ends_with(".css")).collect();
        names.sort();
        let mut known: Vec<&str> = FILES.iter().map(|(name, ..)| *name).collect();
        known.sort_unstable();
        assert_eq!(known, names);
        assert!(PAGE.contains(STUDY_OF_SERVER));
    }
}
