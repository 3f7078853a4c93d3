//! The levels by name.

use std::collections::{BTreeSet, HashMap};

use plymap_puzzles::rules::Rules;
use plymap_tables::did_you_mean::plain;

/// The levels by name.
pub(crate) type Levels<'a> = [(&'a str, &'a dyn Rules)];

/// The names of levels, and other ways in which logs write them.
pub(crate) struct Names<'a> {
    pub(super) exact: HashMap<&'a str, usize>,
    alike: HashMap<String, usize>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(levels: &Levels<'a>) -> Self {
        let numbered = || levels.iter().enumerate().map(|(number, (id, _))| (*id, number));
        let mut alike: HashMap<String, usize> = HashMap::new();
        let mut is_twice: BTreeSet<String> = BTreeSet::new();
        for (id, number) in numbered() {
            if alike.insert(plain(id), number).is_some() {
                is_twice.insert(plain(id));
            }
        }
        // What could be two levels is neither.
        alike.retain(|name, _| !name.is_empty() && !is_twice.contains(name));
        Self { exact: numbered().collect(), alike }
    }

    /// The level that a cell names.
    pub(crate) fn find(&self, cell: &str) -> Option<usize> {
        // Files of levels are often logged with their ending, or with the folder that they lie in.
        let name = || cell.rsplit(['/', '\\']).next().unwrap_or(cell);
        let is_number = cell.parse::<f64>().is_ok();
        let alike = |name: &str| self.alike.get(&plain(name)).filter(|_| !is_number);
        // Of numbers only whole ones are names, also where a program wrote 2 as 2.0.
        let whole = || {
            let (whole, rest) = cell.split_once('.').filter(|_| is_number)?;
            rest.bytes().all(|digit| digit == b'0').then(|| self.exact.get(whole)).flatten()
        };
        let stem = || alike(name().rsplit_once('.').map_or(name(), |(stem, _)| stem));
        self.exact.get(cell).or_else(|| alike(cell)).or_else(whole).or_else(stem).copied()
    }
}
