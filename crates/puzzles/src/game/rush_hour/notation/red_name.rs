//! The names by which a piece is known to be the red one.

/// The name of the red piece on drawn boards that do not name another one.
pub const RED_LETTER: &str = "A";

/// Names by which the red piece is known, if the level does not say which one it is; so are names that begin with
/// "red".
pub const RED_NAMES: [&str; 6] = ["A", "r", "R", "red", "Red", "X"];

/// Red piece if the level does not name one.
#[derive(Clone, Copy)]
pub(super) enum DefaultRed {
    /// The one at this index of the pieces, or one that is there but faulty.
    At(Option<usize>),
    /// The one that its name tells; if there is none, the first row of the list, which may be faulty.
    NamedOrFirst(Option<usize>),
    /// The one that its name tells.
    Named,
    /// The one that its letter tells. Letters are also names of pieces one after the other, from A on, so that R and
    /// X say little.
    Letter,
}

/// `true` if a piece of this name may be the red one by it.
pub(super) fn is_red_name(name: &str) -> bool {
    RED_NAMES.contains(&name) || name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("red"))
}
