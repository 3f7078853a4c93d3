//! Facts about a whole log that are needed before any part of it is put together: which columns tell who somebody is,
//! which are empty, which times lack a zone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};

use super::columns::Mapping;
use super::personal::{PersonalKind, TextTraits};
use super::pseudonym::tells;
use super::raw::RawRow;
use super::role::Role;
use super::row::{Checker, Reading};
use super::spec::LogSpec;

/// Facts about a whole log.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Facts {
    /// Kinds of personal data in the extra columns.
    pub kinds: Vec<Option<PersonalKind>>,
    /// `true` for each extra column that is written.
    pub is_written: Vec<bool>,
    /// Text columns of the canonical log without any value.
    pub empty_columns: Vec<String>,
    /// Kind of personal data in the ids of participants, if they are no codes.
    pub kind_of_participants: Option<PersonalKind>,
    /// Row of each file that first has a date and time without an offset.
    pub without_zone: BTreeMap<usize, u64>,
    /// Row of each file whose cell of the session is the first without one.
    pub without_session: BTreeMap<usize, u64>,
}

/// Finds the facts of a log while its rows are read.
pub(super) struct Survey<'a> {
    mapping: &'a Mapping,
    keep_personal: bool,
    has_codes: bool,
    /// `true` if a row has each of [`Role::TEXTS`].
    has_role: [bool; Role::TEXTS.len()],
    extras: Vec<ColumnSurvey>,
    participants: TextTraits,
    known_participants: HashSet<u64>,
    last_participant: String,
    without_zone: BTreeMap<usize, u64>,
    without_session: BTreeMap<usize, u64>,
    hasher: RandomState,
}

/// One extra column.
#[derive(Default)]
struct ColumnSurvey {
    traits: TextTraits,
    /// Different texts, as hashes; so many that each further one is looked at anew.
    known: HashSet<u64>,
    has_several: bool,
    /// The text of each participant, as hashes, while each has one.
    of_participants: Option<HashMap<u64, u64>>,
    /// `true` if every cell so far told the id that a code stands for; nothing before the first cell.
    telling: Option<bool>,
}

/// So many different texts of a column are remembered.
const MOST_KNOWN: usize = 1 << 16;

impl<'a> Survey<'a> {
    pub(super) fn new(mapping: &'a Mapping, spec: &LogSpec) -> Self {
        let column = || ColumnSurvey { of_participants: Some(HashMap::new()), ..ColumnSurvey::default() };
        Self {
            mapping,
            keep_personal: spec.keep_personal,
            has_codes: spec.pseudonymise,
            has_role: Default::default(),
            extras: mapping.extras.iter().map(|_| column()).collect(),
            participants: TextTraits::default(),
            known_participants: HashSet::new(),
            without_zone: BTreeMap::new(),
            without_session: BTreeMap::new(),
            last_participant: String::new(),
            hasher: RandomState::default(),
        }
    }

    /// Takes a row of the file of that number, whose columns lie at `positions`. `participant` is who the canonical
    /// log says that it is of; `id` stands behind that, where it is a code.
    pub(super) fn push(
        &mut self,
        checker: &Checker<'_>,
        (file, positions): (usize, &[Option<usize>]),
        raw: &RawRow<'_>,
        reading: &Reading<'_>,
        (participant, id): (Option<&str>, Option<&str>),
    ) {
        let participant = participant.unwrap_or_default();
        if reading.without_zone {
            self.push_without_zone(file, raw.line);
        }
        if reading.without_session {
            self.push_without_session(file, raw.line);
        }
        if reading.group(self.mapping).is_some() {
            self.push_participant(participant);
        }
        if reading.rejected.is_some() {
            return;
        }
        self.push_roles(reading.texts().iter().map(Option::is_some));
        for (number, extra) in self.mapping.extras.iter().enumerate() {
            if let Some(cell) = checker.extra(raw, positions[extra.column]) {
                self.push_cell(number, cell, participant, id);
            }
        }
    }

    /// Takes the row of a file that first has a date and time without an offset, of some that follow each other.
    pub(super) fn push_without_zone(&mut self, file: usize, row: u64) {
        self.without_zone.entry(file).or_insert(row);
    }

    /// The same of a row without a session.
    pub(super) fn push_without_session(&mut self, file: usize, row: u64) {
        self.without_session.entry(file).or_insert(row);
    }

    /// Takes whether some rows have each of [`Role::TEXTS`].
    pub(super) fn push_roles(&mut self, has_role: impl Iterator<Item = bool>) {
        self.has_role.iter_mut().zip(has_role).for_each(|(has, is_there)| *has |= is_there);
    }

    /// Takes a participant of the canonical log.
    pub(super) fn push_participant(&mut self, participant: &str) {
        // Codes tell nothing of people, and the same name again nothing new.
        if self.has_codes || self.last_participant == participant {
            return;
        }
        participant.clone_into(&mut self.last_participant);
        if self.known_participants.insert(self.hasher.hash_one(participant)) {
            self.participants.add(participant);
        }
    }

    /// Takes a cell of the extra column of this number.
    pub(super) fn push_cell(&mut self, number: usize, cell: &str, participant: &str, id: Option<&str>) {
        let column = &mut self.extras[number];
        if let Some(id) = id.filter(|_| column.telling != Some(false)) {
            column.telling = Some(tells(cell, id));
        }
        // Hashes take 8 bytes whatever the text; a collision hides one text among thousands.
        let text = self.hasher.hash_one(cell);
        if !column.known.contains(&text) {
            column.has_several |= !column.known.is_empty();
            // A column of free texts would otherwise fill the memory; more than this many tell no more.
            if column.known.len() < MOST_KNOWN {
                column.known.insert(text);
            }
            column.traits.add(cell);
        }
        if !column.traits.may_be_worker() {
            column.of_participants = None;
        }
        if let Some(known) = &mut column.of_participants
            && *known.entry(self.hasher.hash_one(participant)).or_insert(text) != text
        {
            column.of_participants = None;
        }
    }

    pub(super) fn finish(self) -> Facts {
        let mut facts =
            Facts { without_zone: self.without_zone, without_session: self.without_session, ..Facts::default() };
        let roles =
            Role::TEXTS.iter().zip(self.has_role).filter(|(_, has)| !has).map(|(role, _)| role.name().to_owned());
        facts.empty_columns.extend(roles);
        for (extra, column) in self.mapping.extras.iter().zip(self.extras) {
            let identifies = || {
                let one_each = column.of_participants.as_ref();
                one_each.is_some_and(|known| known.len() == 1 || column.has_several)
            };
            let named = PersonalKind::of_name(&self.mapping.columns[extra.column]);
            let kind = named.filter(|_| column.traits.has_text()).or_else(|| column.traits.kind(identifies));
            facts.is_written.push(column.telling != Some(true) && (kind.is_none() || self.keep_personal));
            facts.kinds.push(kind);
            if !column.traits.has_text() {
                facts.empty_columns.push(extra.name.clone());
            }
        }
        if !self.has_codes {
            let named = PersonalKind::of_name(self.mapping.source_name(Role::Participant));
            facts.kind_of_participants = named.or_else(|| self.participants.kind(|| true));
        }
        facts
    }
}
