//! Names and JSON files in folders of datasets, as Psych-DS and BIDS have them.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::error::ExportError;
use plymap_report::ReportError;
use plymap_run::files::write;

/// Letters and digits for each name, which is all that names of files may hold in BIDS and Psych-DS. Names that have
/// nothing else stay as they are. Of others what is left stays; where that is nothing or is taken already, be it in
/// capitals, a number makes it another.
pub(super) fn labels<'a>(names: impl Iterator<Item = &'a str>, if_empty: &str) -> BTreeMap<&'a str, String> {
    let letters = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let mut names: Vec<(bool, &str)> = names.map(|name| (name.is_empty() || letters(name) != name, name)).collect();
    names.sort_unstable();
    names.dedup();
    let mut labels = BTreeMap::new();
    let mut used_labels = HashSet::new();
    for (_, name) in names {
        let kept = letters(name);
        let stem = if kept.is_empty() { if_empty } else { &kept };
        let numbered = (2_u64..).map(|number| format!("{stem}{number}"));
        // Some systems do not tell small letters from capitals in names of files.
        let label =
            std::iter::once(stem.to_owned()).chain(numbered).find(|label| used_labels.insert(label.to_lowercase()));
        labels.extend(label.map(|label| (name, label)));
    }
    labels
}

/// The label of one name.
pub(super) fn label(name: &str, if_empty: &str) -> String {
    labels(std::iter::once(name), if_empty).remove(name).unwrap_or_default()
}

/// JSON with its line break.
pub(super) fn write_json(path: &Path, value: &serde_json::Value) -> Result<(), ExportError> {
    let text = serde_json::to_string_pretty(value).map_err(ReportError::from)? + "\n";
    Ok(write(path, text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_letters_and_digits_and_differ() {
        let names = ["p-01", "p01", "P01", "é", "", "p_01", "p 2"];
        let labels = labels(names.into_iter(), "none");
        let expected = [
            ("", "none"),
            ("P01", "P01"),
            ("p 2", "p2"),
            ("p-01", "p013"),
            ("p01", "p012"),
            ("p_01", "p014"),
            ("é", "none2"),
        ];
        assert_eq!(labels, expected.map(|(name, label)| (name, label.to_owned())).into());
        assert_eq!(label("tower-of-hanoi", "study"), "towerofhanoi");
    }
}
