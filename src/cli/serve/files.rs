//! The files of the page, which are part of the program.

/// The page itself.
pub const PAGE: &str = include_str!("../../../play/src/sitting.html");

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Name, kind and content of each file.
macro_rules! files {
    ($($name:literal: $kind:expr),* $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("../../../play/src/", $name)))),*]
    };
}

/// What the page loads from `/play/`.
pub const FILES: &[(&str, &str, &str)] = files![
    "board.css": STYLE,
    "sitting.css": STYLE,
    "board.js": SCRIPT,
    "course.js": SCRIPT,
    "drawing.js": SCRIPT,
    "gestures.js": SCRIPT,
    "hands.js": SCRIPT,
    "map_game.js": SCRIPT,
    "panel.js": SCRIPT,
    "reading.js": SCRIPT,
    "recorder.js": SCRIPT,
    "server_game.js": SCRIPT,
    "session.js": SCRIPT,
    "sitting.js": SCRIPT,
    "texts.js": SCRIPT,
    "words.js": SCRIPT,
];
