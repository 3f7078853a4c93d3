//! Personal data in the rows of a log, and what is hidden of it.

use super::Assembly;
use crate::log_file::LogFile;
use crate::personal::{PersonalColumn, PersonalData};
use crate::role::Role;
use crate::survey::Facts;
use std::collections::{BTreeSet, HashMap, HashSet};

/// So many places of personal data are named.
const PLACES: usize = 3;

impl Assembly<'_> {
    /// Puts codes into the names of files that have the ids of their participants.
    pub(super) fn hide_in_names(&mut self, files: &mut [LogFile]) {
        let Some((pseudonyms, _)) = &self.pseudonyms else { return };
        let hidden: Vec<String> =
            self.file_names.iter().enumerate().map(|(number, name)| pseudonyms.file_name(name, number)).collect();
        let renamed: HashMap<&str, &str> =
            self.file_names.iter().map(String::as_str).zip(hidden.iter().map(String::as_str)).collect();
        for (diagnostic, _) in &mut self.diagnostics {
            diagnostic.file = renamed[diagnostic.file.as_str()].to_owned();
        }
        for (file, name) in files.iter_mut().zip(&hidden) {
            file.path = name.into();
        }
        self.file_names = hidden.into();
    }

    /// Personal data in the rows. Of columns that are not written, no diagnostic shows a value.
    pub(super) fn personal(&mut self, order: &[u32], facts: &Facts) -> PersonalData {
        let participant_of = |row: usize| self.groups[self.rows[row].group as usize].participant;
        let mut data = PersonalData::default();
        let mut concerned: BTreeSet<usize> = BTreeSet::new();
        let order = || order.iter().map(|&row| row as usize);
        for (number, (extra, texts)) in self.mapping.extras.iter().zip(&self.extras).enumerate() {
            if let Some(kind) = facts.kinds[number] {
                concerned.extend(order().filter(|&row| texts.code(row).is_some()));
                let name = self.mapping.columns[extra.column].clone();
                let is_kept = facts.is_written[number];
                data.columns.push(PersonalColumn { name, kind, is_participant: false, is_kept });
            }
        }
        if let Some(kind) = facts.kind_of_participants {
            concerned.extend(order());
            let name = self.mapping.source_name(Role::Participant).to_owned();
            data.columns.insert(0, PersonalColumn { name, kind, is_participant: true, is_kept: true });
        }
        let groups: HashSet<u32> = concerned.iter().map(|&row| self.rows[row].group).collect();
        let people: HashSet<u32> = concerned.iter().map(|&row| participant_of(row)).collect();
        data.n_rows = concerned.len() as u64;
        (data.n_trials, data.n_participants) = (groups.len() as u64, people.len() as u64);
        for row in concerned {
            data.first.insert(self.rows[row].at);
            if data.first.len() > PLACES {
                data.first.pop_last();
            }
        }
        self.hide_unwritten(&facts.is_written);
        data
    }

    /// Takes the cells of columns that are not written from what is said of rows: those of the columns themselves, and
    /// those of whole rows.
    pub(super) fn hide_unwritten(&mut self, is_written: &[bool]) {
        let extras = self.mapping.extras.iter().zip(is_written).filter(|(_, written)| !**written);
        let unwritten: HashSet<&str> = extras.map(|(extra, _)| self.mapping.columns[extra.column].as_str()).collect();
        if unwritten.is_empty() {
            return;
        }
        for (diagnostic, _) in &mut self.diagnostics {
            if diagnostic.row > 0 && (diagnostic.column.is_empty() || unwritten.contains(diagnostic.column.as_str())) {
                diagnostic.value.clear();
            }
        }
    }
}
