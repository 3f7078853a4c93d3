//! What a level is made of beyond its start, in words.

/// What a level is made of beyond its start, for whoever reads its rules without plymap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// Kind of the puzzle, which several games may share.
    pub kind: &'static str,
    /// What tells the level apart from others of this kind with the same start: name and value, the same names for all.
    pub settings: Vec<(&'static str, String)>,
}
