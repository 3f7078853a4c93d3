//! The first pass through a log that is to be divided: everything that depends on all of its rows.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Division;
use super::error::MOST_SHARDS;
use crate::columns::Mapping;
use crate::error::LogError;
use crate::pseudonym::{KeyFile, Pseudonyms};
use crate::raw::RawRow;
use crate::row::{Checker, Reading};
use crate::spec::LogSpec;
use crate::survey::Survey;
use crate::whole::Shard;

/// Results of a first pass over all rows.
pub(super) struct FirstPass<'a> {
    pub(super) mapping: &'a Mapping,
    pub(super) survey: Survey<'a>,
    pub(super) pseudonyms: Option<(Pseudonyms, Option<KeyFile>)>,
    /// Rows of each participant, but for those of the run.
    pub(super) rows_of: BTreeMap<String, u64>,
    /// The participant of the last rows, and how many these are: rows of one participant mostly stand together.
    pub(super) run: (String, u64),
    pub(super) levels: BTreeSet<String>,
    pub(super) first_index: Option<i64>,
    pub(super) n_read: u64,
    pub(super) n_ignored: u64,
    pub(super) n_strays: u64,
    /// Participants that rows which nobody can attribute stand beside, or name.
    pub(super) near: HashSet<String>,
    /// The participant of the last row of each file, and whether rows that nobody can attribute follow it.
    pub(super) last: HashMap<usize, (Option<String>, bool)>,
}

impl<'a> FirstPass<'a> {
    pub(super) fn new(mapping: &'a Mapping, spec: &LogSpec) -> Result<Self, LogError> {
        Ok(Self {
            mapping,
            survey: Survey::new(mapping, spec),
            pseudonyms: spec.pseudonymise.then(|| Pseudonyms::open(spec)).transpose()?,
            rows_of: BTreeMap::new(),
            run: (String::new(), 0),
            levels: BTreeSet::new(),
            first_index: None,
            n_read: 0,
            n_ignored: 0,
            n_strays: 0,
            near: HashSet::new(),
            last: HashMap::new(),
        })
    }

    pub(super) fn end_run(&mut self) {
        let (participant, n) = std::mem::take(&mut self.run);
        if n > 0 {
            *self.rows_of.entry(participant).or_default() += n;
        }
    }

    pub(super) fn push(
        &mut self,
        checker: &Checker<'_>,
        file: usize,
        positions: &[Option<usize>],
        (raw, reading): (&RawRow<'_>, Reading<'_>),
    ) {
        if reading.is_ignored {
            self.n_ignored += 1;
            return;
        }
        self.n_read += 1;
        let code = match (&mut self.pseudonyms, reading.participant) {
            (Some((pseudonyms, _)), Some(id)) => Some(pseudonyms.code(id, file)),
            _ => None,
        };
        // From here on the code is the name: shards hold no id.
        let participant = code.as_deref().or(reading.participant);
        let id = reading.participant.filter(|_| code.is_some());
        self.survey.push(checker, (file, positions), raw, &reading, (participant, id));
        if let (Some([_, _, level]), Some(participant)) = (reading.group(self.mapping), participant) {
            // One look into the map for each run, not for each row.
            if self.run.0 != participant {
                self.end_run();
                participant.clone_into(&mut self.run.0);
            }
            self.run.1 += 1;
            if !self.levels.contains(level) {
                self.levels.insert(level.to_owned());
            }
            self.first_index = match (self.first_index, reading.index) {
                (Some(first), Some(index)) => Some(first.min(index)),
                (first, index) => first.or(index),
            };
            let last = self.last.entry(file).or_default();
            // The first one behind such rows may be whom they belong to.
            if std::mem::take(&mut last.1) {
                self.near.insert(participant.to_owned());
            }
            if last.0.as_deref() != Some(participant) {
                last.0 = Some(participant.to_owned());
            }
        } else {
            self.n_strays += 1;
            let last = self.last.entry(file).or_default();
            self.near.extend(last.0.clone());
            self.near.extend(participant.map(str::to_owned));
            last.1 = true;
        }
    }
}

/// The shards of participants with so many rows.
pub(super) fn divided(rows_of: &BTreeMap<String, u64>, division: Division) -> Vec<Shard> {
    let n_rows: u64 = rows_of.values().sum();
    let most = match division {
        Division::Shards(n) => n_rows.div_ceil(n.clamp(1, MOST_SHARDS) as u64),
        Division::Rows(most) => most.max(n_rows.div_ceil(MOST_SHARDS as u64)),
    };
    let mut shards: Vec<Shard> = Vec::new();
    for (participant, &n) in rows_of {
        match shards.last_mut() {
            // Of a wanted number, shards are filled until they have their share.
            Some(last)
                if last.n_rows + n <= most || (matches!(division, Division::Shards(_)) && last.n_rows < most) =>
            {
                last.n_rows += n;
                last.n_participants += 1;
            }
            _ => shards.push(Shard { first: participant.clone(), n_participants: 1, n_rows: n, seal: String::new() }),
        }
    }
    if shards.is_empty() {
        shards.push(Shard { first: String::new(), n_participants: 0, n_rows: 0, seal: String::new() });
    }
    shards
}
