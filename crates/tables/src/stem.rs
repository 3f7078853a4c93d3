//! Names of files, from any names.

use std::collections::{BTreeSet, HashMap, HashSet};

use sha2::{Digest as _, Sha256};

use crate::checksum::hexadecimal;

/// The most bytes of a stem: file systems take 255 for a name, and figures add words and endings.
const MAX_STEM: usize = 160;

/// A name that every file system takes, from any name: letters, digits, `_`, `-` and inner dots stay,
/// every other byte becomes `~` and two hexadecimal digits. Very long names end in a hash, and names that Windows keeps
/// for devices, such as `CON` and `aux.1`, in `~`. Different names stay different; those that differ in capitals alone
/// do so where the system tells capitals from small letters, and by [`SafeStems`] everywhere.
pub fn safe_stem(name: &str) -> String {
    stem_of(name, |_| true)
}

/// Names of files for names that come into one folder: different ones on every system, also where they differ in
/// capitals alone. Of such names the capitals become `~` and two digits too; all others are those of [`safe_stem`].
#[derive(Clone, Debug, Default)]
pub struct SafeStems {
    /// The names that differ from another one in capitals alone.
    in_doubt: HashSet<String>,
}

impl SafeStems {
    /// Makes the stems for all names of the folder, given in any order.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        // Letters beyond ASCII are written as numbers: what systems make of their capitals and accents does not matter.
        let mut alike: HashMap<String, BTreeSet<&str>> = HashMap::new();
        for name in names {
            alike.entry(safe_stem(name).to_ascii_lowercase()).or_default().insert(name);
        }
        let in_doubt = alike.into_values().filter(|names| names.len() > 1).flatten();
        Self { in_doubt: in_doubt.map(str::to_owned).collect() }
    }

    /// The name of the file for one of the names.
    pub fn stem(&self, name: &str) -> String {
        if self.in_doubt.contains(name) { stem_of(name, |byte| !byte.is_ascii_uppercase()) } else { safe_stem(name) }
    }
}

fn stem_of(name: &str, is_kept: impl Fn(u8) -> bool) -> String {
    let mut stem = String::with_capacity(name.len());
    for (position, byte) in name.bytes().enumerate() {
        let inner_dot = byte == b'.' && position > 0 && position + 1 < name.len();
        if (byte.is_ascii_alphanumeric() && is_kept(byte)) || byte == b'_' || byte == b'-' || inner_dot {
            stem.push(byte as char);
        } else {
            stem.push_str(&format!("~{byte:02X}"));
        }
    }
    let first = stem.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let is_port =
        |name: &str| matches!(name.as_bytes(), [b'C', b'O', b'M', b'0'..=b'9'] | [b'L', b'P', b'T', b'0'..=b'9']);
    if matches!(&*first, "CON" | "PRN" | "AUX" | "NUL") || is_port(&first) {
        stem.insert(first.len(), '~');
    }
    if stem.len() <= MAX_STEM {
        return stem;
    }
    let hash = Sha256::digest(name.as_bytes());
    let hash = hexadecimal(&hash[..8]);
    stem.truncate(MAX_STEM - hash.len() - 1);
    format!("{stem}~{hash}")
}

/// Returns true if a stem could have come out of [`safe_stem`].
pub fn is_portable(stem: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_-~.".contains(c);
    !stem.is_empty() && stem.chars().all(allowed) && !stem.starts_with('.') && !stem.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_capitals_alone_get_files_that_differ_everywhere() {
        let long = "x".repeat(200);
        let (capital, composed, decomposed) = (long.to_uppercase(), "\u{e9}t\u{e9}", "e\u{301}te\u{301}");
        let names = [
            "A1",
            "a1",
            "b",
            "B-2",
            "con",
            "Con",
            "Aux.1",
            "aux.1",
            "~411",
            "\u{c9}T\u{c9}",
            composed,
            decomposed,
            "c.d",
            &long,
            &capital,
        ];
        let stems = SafeStems::of(names);
        let of_all = names.map(|name| stems.stem(name));
        assert_eq!(
            of_all[..9],
            ["~411", "a1", "b", "B-2", "con~", "~43on", "~41ux.1", "aux~.1", "~7E411"].map(str::to_owned)
        );
        let folded: HashSet<String> = of_all.iter().map(|stem| stem.to_ascii_lowercase()).collect();
        assert_eq!(folded.len(), names.len(), "{of_all:?}");
        assert!(of_all.iter().all(|stem| is_portable(stem) && stem.is_ascii() && stem.len() <= MAX_STEM));
        // It is a matter of which names there are, not of their order, and a name alone keeps its own.
        let again = SafeStems::of(names.into_iter().rev());
        assert_eq!(of_all, names.map(|name| again.stem(name)));
        assert_eq!(SafeStems::of(["A1", "A1", "b"]).stem("A1"), "A1");
    }
}
