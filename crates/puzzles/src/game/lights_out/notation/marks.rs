//! The characters of a drawn board.

use crate::game::lights_out::neighbourhood::{OFF, ON};

/// The lit lamp or the dark one that a character stands for.
pub(super) fn lamp(mark: char) -> Option<bool> {
    if ON.contains(&mark) { Some(true) } else { OFF.contains(&mark).then_some(false) }
}

/// `true` if a character between lamps does not count.
pub(super) fn is_between(mark: char) -> bool {
    mark.is_whitespace() || matches!(mark, ',' | ';')
}
