//! Names that pages or panels of several groups have in common.

/// All names of several lists, each once: those of the first list, and every other behind the one that it follows.
pub(super) fn common_names<'a>(lists: impl Iterator<Item = Vec<&'a str>>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for list in lists {
        let mut next = 0;
        for name in list {
            next = match names.iter().position(|known| *known == name) {
                Some(place) => place + 1,
                None => {
                    names.insert(next, name);
                    next + 1
                }
            };
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_order() {
        let lists = [vec!["better", "worse"], vec![], vec!["better", "same", "worse", "illegal"], vec!["none", "same"]];
        assert_eq!(common_names(lists.into_iter()), ["none", "better", "same", "worse", "illegal"]);
    }
}
