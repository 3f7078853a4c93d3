//! Names as people write them: the one that was meant, and what two of them have in common.

/// The closest of `names` to `wanted`, if it is close enough to be meant.
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let wanted = wanted.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(1);
    names
        .map(|name| (strsim::osa_distance(&wanted, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, name)| name.to_owned())
}

/// A name as names are compared across programs: its letters and digits, in small letters.
pub fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("Particpant", ["level", "participant"].into_iter()).as_deref(), Some("participant"));
        assert_eq!(nearest("mvoe", ["undo", "move"].into_iter()).as_deref(), Some("move"));
        assert_eq!(nearest("level", ["subject", "rt"].into_iter()), None);
    }
}
