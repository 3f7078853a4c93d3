//! Messages on standard error, and texts of others as a terminal may show them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns the text with what a terminal would obey, or would be led by to show other letters than there are, written
/// as JSON and TOML write it, such as `\u001b`: control characters other than line breaks and tabs, and those that turn
/// the direction of text around.
pub fn visible(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut begin = 0;
    for (place, letter) in text.char_indices() {
        let behind = place + letter.len_utf8();
        let is_obeyed = match letter {
            '\n' | '\t' => false,
            '\r' => !text[behind..].starts_with('\n'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
            letter => letter.is_control(),
        };
        if is_obeyed {
            shown.push_str(&text[begin..place]);
            let _ = write!(shown, "\\u{:04x}", u32::from(letter));
            begin = behind;
        }
    }
    if begin == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(&text[begin..]);
    Cow::Owned(shown)
}

/// Says something on standard error, in a line of its own.
macro_rules! say {
    ($($said:tt)*) => {
        $crate::cli::say::say_drawn(&$crate::cli::say::visible(&format!($($said)*)))
    };
}
pub(super) use say;

static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Returns true if nothing is said but results and failures.
pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Turns messages off or on; returns true if they were off.
pub fn set_quiet(is_quiet: bool) -> bool {
    IS_QUIET.swap(is_quiet, Ordering::Relaxed)
}

/// Writes a line on standard error as it is, for what may have colours. Nobody may listen: that is no reason to fail.
pub fn say_drawn(text: &str) {
    if is_quiet() {
        return;
    }
    let _ = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        let title = "\u{1b}]0;owned\u{7}";
        assert_eq!(visible(title), "\\u001b]0;owned\\u0007");
        assert_eq!(visible("a\u{7f}\u{9b}31mb\u{202e}c\u{2066}"), "a\\u007f\\u009b31mb\\u202ec\\u2066");
        assert_eq!(visible("gone\rthere\r\nnext"), "gone\\u000dthere\r\nnext");
        let plain = "a line\n\tand größer, שלום, e\u{301}";
        assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
        let all: String = ('\0'..='\u{2070}').collect();
        let left: Vec<char> = visible(&all).chars().filter(|letter| letter.is_control()).collect();
        assert_eq!(left, ['\t', '\n']);
        // In JSON it is the same value.
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<String>(&visible(&json)).unwrap(), all);
    }
}
