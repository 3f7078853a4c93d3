//! Rows of all files, put together into one canonical log.

use super::canonical::CanonicalRows;
use super::columns::Mapping;
use super::entry::{Entry, EntryGroup, FileRow, Index, NO_GROUP};
use super::error::LogError;
use super::log::Log;
use super::log::RowPlace;
use super::log_file::LogFile;
use super::order::{self, Copies, Finding, RowFinding};
use super::pseudonym::{KeyFile, Pseudonyms};
use super::raw::{RawRow, RowDiagnostic};
use super::reject::{Consequence, LogDiagnostic};
use super::role::Role;
use super::row::{Checker, Reading};
use super::session::sessions;
use super::spec::{Clock, LogSpec};
use super::stray::{Breaks, FarBreaks, Known, Named, Stray};
use super::survey::{Facts, Survey};
use super::texts::{Names, Texts};
use super::whole::Whole;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

mod personal;
mod reports;

/// Takes the rows of a log and puts them in order.
pub(super) struct Assembly<'a> {
    mapping: &'a Mapping,
    file_names: Arc<[String]>,
    names: Names,
    groups: Vec<EntryGroup>,
    group_numbers: HashMap<EntryGroup, u32, RandomState>,
    rows: Vec<Entry>,
    /// Of a part of a log, the number of each row in the whole log; rises within a shard.
    numbers: Vec<u64>,
    /// Rows of other parts that break attempts of this one: they have their diagnostic there.
    n_ghosts: u64,
    texts: [Texts; Role::TEXTS.len()],
    extras: Vec<Texts>,
    strays: Vec<Stray>,
    /// Each diagnostic with the row that it is about.
    diagnostics: Vec<(LogDiagnostic, Option<usize>)>,
    clock: Option<Clock>,
    /// Rows whose event the study ignores.
    n_ignored: u64,
    /// The codes that stand for participants, and where their key lies.
    pseudonyms: Option<(Pseudonyms, Option<KeyFile>)>,
    /// First row of a file with a date and time without an offset, in a part that is to be appended.
    without_zone: Option<(usize, u64)>,
    /// The same of a row without a session.
    without_session: Option<(usize, u64)>,
    /// Finds what must be known of the whole log, of which these are all rows.
    survey: Option<Survey<'a>>,
    /// Facts about the whole log, where these are some of its rows.
    whole: Option<&'a Whole>,
    /// `true` if what is said of files is said of these rows.
    tells_of_files: bool,
}

/// Place of a row of a part in the whole log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartRow {
    /// Its number among the rows of the log.
    pub number: u64,
    /// `true` if it belongs to another part.
    pub is_ghost: bool,
}

impl<'a> Assembly<'a> {
    /// A whole log.
    ///
    /// # Errors
    ///
    /// If participants are to have codes, and the key of these cannot be read or written.
    pub(super) fn new(mapping: &'a Mapping, file_names: Vec<String>, spec: &LogSpec) -> Result<Self, LogError> {
        let pseudonyms = spec.pseudonymise.then(|| Pseudonyms::open(spec)).transpose()?;
        let survey = Some(Survey::new(mapping, spec));
        Ok(Self { pseudonyms, survey, ..Self::empty(mapping, file_names.into(), spec.clock) })
    }

    /// A part of a log; whether it is the one that tells of whole files.
    pub(super) fn of_part(whole: &'a Whole, tells_of_files: bool, spec: &LogSpec) -> Self {
        let file_names = whole.files.iter().map(|file| file.path.display().to_string()).collect();
        let pseudonyms = whole.codes.as_ref().map(|codes| (Pseudonyms::given(codes), whole.key.clone()));
        Self { pseudonyms, whole: Some(whole), tells_of_files, ..Self::empty(&whole.mapping, file_names, spec.clock) }
    }

    /// Makes parts without rows, to be filled on other threads and then appended; nothing where the codes of
    /// participants depend on who came before.
    pub(super) fn parts(&self) -> Option<impl Fn() -> Self + use<'a>> {
        let (mapping, file_names, clock) = (self.mapping, self.file_names.clone(), self.clock);
        self.pseudonyms.is_none().then_some(move || Self::empty(mapping, file_names.clone(), clock))
    }

    /// Takes the rows of a part, behind those that are here.
    pub(super) fn append(&mut self, part: Self) {
        let start = self.rows.len();
        let names = part.names.numbers_in(&mut self.names);
        let name = |number: u32| names[number as usize];
        // Parts number names and groups on their own threads; here they get the numbers of the whole.
        let groups: Vec<u32> = (part.groups.iter())
            .map(|&EntryGroup { participant, session, level }| {
                let (participant, session, level) = (name(participant), name(session), name(level));
                self.group_of(EntryGroup { participant, session, level })
            })
            .collect();
        if let Some(survey) = &mut self.survey {
            part.tell(survey);
        }
        self.n_ignored += part.n_ignored;
        self.texts.iter_mut().zip(part.texts).for_each(|(column, behind)| column.append(behind));
        self.extras.iter_mut().zip(part.extras).for_each(|(column, behind)| column.append(behind));
        self.rows.extend(part.rows.into_iter().map(|row| match row.group {
            NO_GROUP => row,
            group => Entry { group: groups[group as usize], ..row },
        }));
        self.strays.extend(part.strays.into_iter().map(|stray| {
            let Named { participant, session, level, attempt } = stray.named;
            let [participant, session, level] = [participant, session, level].map(|number| number.map(name));
            Stray { row: start + stray.row, named: Named { participant, session, level, attempt }, ..stray }
        }));
        self.diagnostics
            .extend(part.diagnostics.into_iter().map(|(diagnostic, row)| (diagnostic, row.map(|row| start + row))));
    }

    /// Tells a survey of all its rows.
    fn tell(&self, survey: &mut Survey<'_>) {
        self.without_zone.iter().for_each(|&(file, row)| survey.push_without_zone(file, row));
        self.without_session.iter().for_each(|&(file, row)| survey.push_without_session(file, row));
        self.groups.iter().for_each(|group| survey.push_participant(self.names.text(group.participant)));
        survey.push_roles(self.texts.iter().map(|texts| !texts.is_empty()));
        for (number, texts) in self.extras.iter().enumerate() {
            let of_row =
                |(row, entry): (usize, &Entry)| Some((self.groups.get(entry.group as usize)?, texts.code(row)?));
            let mut cells: Vec<(u32, u32)> = (self.rows.iter().enumerate().filter_map(of_row))
                .map(|(group, cell)| (group.participant, cell))
                .collect();
            // What comes again tells nothing new.
            cells.dedup();
            for (participant, cell) in cells {
                survey.push_cell(number, texts.text(cell), self.names.text(participant), None);
            }
        }
    }

    fn empty(mapping: &'a Mapping, file_names: Arc<[String]>, clock: Option<Clock>) -> Self {
        Self {
            mapping,
            file_names,
            names: Names::default(),
            groups: Vec::new(),
            group_numbers: HashMap::default(),
            rows: Vec::new(),
            numbers: Vec::new(),
            n_ghosts: 0,
            texts: Default::default(),
            extras: mapping.extras.iter().map(|_| Texts::default()).collect(),
            strays: Vec::new(),
            diagnostics: Vec::new(),
            clock,
            n_ignored: 0,
            pseudonyms: None,
            without_zone: None,
            without_session: None,
            survey: None,
            whole: None,
            tells_of_files: true,
        }
    }

    /// Makes room for so many rows in all, where there is some: to make it bit by bit is to move all rows many times.
    pub(super) fn reserve(&mut self, n_rows: usize) {
        // What is refused here may still come in smaller steps.
        let _ = self.rows.try_reserve_exact(n_rows.saturating_sub(self.rows.len()));
        self.texts.iter_mut().chain(&mut self.extras).for_each(|column| column.reserve(n_rows));
    }

    /// Rows that were pushed.
    pub(super) fn n_read(&self) -> u64 {
        self.rows.len() as u64 - self.n_ghosts
    }

    /// Rows that were pushed and left out, because the study ignores their event.
    pub(super) fn n_ignored(&self) -> u64 {
        self.n_ignored
    }

    /// Takes one row of the file with this number, whose columns lie at `positions`, and what it says; of a part, `at`
    /// says which it is.
    pub(super) fn push(
        &mut self,
        checker: &Checker<'_>,
        file: usize,
        positions: &[Option<usize>],
        (raw, reading): (&RawRow<'_>, Reading<'_>),
        at: Option<PartRow>,
    ) {
        if reading.is_ignored {
            self.n_ignored += 1;
            return;
        }
        // From here on nobody knows another name.
        let id = reading.participant;
        let code = self.coded(file, id);
        let reading = self.hidden(reading, code.as_deref());
        let is_ghost = at.is_some_and(|at| at.is_ghost);
        let row = self.row(file, raw.line, &reading);
        // Ghosts were attributed when the log was divided.
        if row.group == NO_GROUP && !is_ghost {
            // Where a line end was lost, two rows stand in one line.
            let width = positions.iter().flatten().count();
            let is_one_row = raw.cells.len() * 2 < width * 3;
            let stray = self.stray(&reading);
            self.strays.push(if is_one_row { stray } else { Stray { named: Named::default(), ..stray } });
        }
        match is_ghost {
            true => self.n_ghosts += 1,
            false => self.report(&row, &reading),
        }
        let is_kept = !row.is_rejected;
        if reading.without_zone {
            self.without_zone.get_or_insert((file, raw.line));
        }
        if reading.without_session {
            self.without_session.get_or_insert((file, raw.line));
        }
        if let Some(survey) = &mut self.survey {
            let id = id.filter(|_| code.is_some());
            survey.push(checker, (file, positions), raw, &reading, (reading.participant, id));
        }
        self.rows.push(row);
        self.numbers.extend(at.map(|at| at.number));
        for (column, text) in self.texts.iter_mut().zip(reading.texts()) {
            column.push(text.filter(|_| is_kept));
        }
        for (column, extra) in self.extras.iter_mut().zip(&self.mapping.extras) {
            column.push(checker.extra(raw, positions[extra.column]).filter(|_| is_kept));
        }
    }

    /// The code of a participant, if the study wants codes.
    fn coded(&mut self, file: usize, id: Option<&str>) -> Option<String> {
        Some(self.pseudonyms.as_mut()?.0.code(id?, file))
    }

    /// Values of a row, with a code for its participant if the study wants codes.
    fn hidden<'r>(&self, mut reading: Reading<'r>, code: Option<&'r str>) -> Reading<'r> {
        if self.pseudonyms.is_some() {
            Pseudonyms::hide(&mut reading, self.mapping);
            reading.participant = code;
        }
        reading
    }

    /// Breaks among the rows of a part of which each is a stray or of a participant near one.
    pub(super) fn far_breaks(&self, whole: &Whole) -> FarBreaks {
        let known = Known {
            is_level: &|level: u32| whole.levels.contains(self.names.text(level)),
            first_index: whole.first_index,
        };
        let breaks = Breaks::new(&self.rows, &self.groups, &self.strays, !self.derived().attempt, Some(known));
        let name = |row: usize| self.names.text(self.groups[self.rows[row].group as usize].participant);
        FarBreaks::new(&breaks, &self.numbers, &name)
    }

    /// Puts the rows in order, and finds attempts and times.
    pub(super) fn finish(mut self, mut files: Vec<LogFile>) -> Log {
        let facts = self.facts(&mut files);
        // They stay while the study runs.
        self.rows.shrink_to_fit();
        self.texts.iter_mut().chain(&mut self.extras).for_each(Texts::shrink);
        let derived = self.derived();
        let breaks = match self.whole {
            Some(whole) => whole.strays.near(&self.numbers),
            None => Breaks::new(&self.rows, &self.groups, &self.strays, !derived.attempt, None),
        };
        // Copies are found first: they must neither begin a session nor take the number of a move.
        let copies = self.copies();
        self.number_sessions(&copies);
        let beginnings = order::derive_attempts(&mut self.rows, &self.groups, &derived, &breaks, &copies);
        let ranks = self.group_ranks();
        let (texts, extras) = (&self.texts, &self.extras);
        let said = |row| texts.iter().chain(extras).map(|column| column.code(row).unwrap_or(u32::MAX)).collect();
        // Before copies count as rejected: what stands behind a copy has lost nothing.
        let behind = order::behind_rejected(&self.rows, &ranks, &breaks);
        copies.keys().for_each(|&row| self.rows[row].is_rejected = true);
        let (order, mut findings) = order::arrange(&mut self.rows, &ranks, &derived, &beginnings, &said);
        let copied = copies.iter().map(|(&row, &first)| RowFinding { row, kind: Finding::Duplicate { first } });
        findings.extend(copied);
        findings.sort_by_key(|finding| finding.row);
        for finding in findings {
            self.report_finding(finding);
        }
        if self.tells_of_files {
            self.report_files(&files, &facts);
        }
        self.place_diagnostics(&breaks);
        let personal = self.personal(&order, &facts);
        self.sort_diagnostics();
        // All that are not rejected are in it.
        let n_rejected = (self.rows.len() - order.len()) as u64 - self.n_ghosts;
        let behind_rejected = self.behind_rejected(&order, &behind);
        let extras = self.mapping.extras.iter().zip(self.extras).zip(&facts.is_written);
        let n_read = self.rows.len() as u64 - self.n_ghosts;
        let is_bound = |role: &Role| self.mapping.bound(*role).is_some();
        let times = [Role::Onset, Role::Rt].into_iter().filter(is_bound);
        Log {
            rows: CanonicalRows {
                entries: self.rows,
                order,
                names: self.names,
                groups: self.groups,
                texts: self.texts,
                extras: extras
                    .filter(|(_, written)| **written)
                    .map(|((extra, texts), _)| (extra.name.clone(), texts))
                    .collect(),
                file_names: self.file_names,
                derived,
            },
            behind_rejected,
            files,
            n_read,
            n_rejected,
            steps: Vec::new(),
            joined: Vec::new(),
            time_columns: times.map(|role| self.mapping.source_name(role).to_owned()).collect(),
            personal,
            empty_columns: facts.empty_columns,
            key: self.pseudonyms.and_then(|(_, key)| key),
            diagnostics: self.diagnostics.into_iter().map(|(diagnostic, _)| diagnostic).collect(),
        }
    }

    /// Facts about the whole log: found in these rows, if they are all, or handed down with a part.
    fn facts(&mut self, files: &mut [LogFile]) -> Facts {
        match (self.survey.take(), self.whole) {
            (Some(survey), _) => {
                self.hide_in_names(files);
                survey.finish()
            }
            (None, whole) => whole.map(|whole| whole.facts.clone()).unwrap_or_default(),
        }
    }

    /// Brings diagnostics into the order of files and rows, those of one row as they were noticed.
    fn sort_diagnostics(&mut self) {
        let places: HashMap<&str, usize> =
            self.file_names.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        self.diagnostics
            .sort_by_key(|(diagnostic, _)| (places[diagnostic.file.as_str()], diagnostic.row, diagnostic.consequence));
    }

    /// Places of the rejected rows that make rows of the canonical log worthless, by the numbers of these in `order`.
    fn behind_rejected(&self, order: &[u32], behind: &HashMap<usize, order::Behind>) -> HashMap<usize, RowPlace> {
        // Most logs have no such row, and need not be gone through.
        let rows = if behind.is_empty() { &[] } else { order };
        rows.iter()
            .enumerate()
            .filter_map(|(number, &row)| {
                let rejected = behind.get(&(row as usize))?;
                let at = self.rows[rejected.row].at;
                Some((number, RowPlace { file: at.file(), row: at.row(), is_of_attempt: rejected.is_of_attempt }))
            })
            .collect()
    }

    /// Rows that were saved twice, where something tells one row from another.
    fn copies(&self) -> Copies {
        if self.mapping.row_number.is_empty() {
            return Copies::new();
        }
        let columns = || self.texts.iter().chain(&self.extras);
        let said = |row| columns().map(|column| column.code(row).unwrap_or(u32::MAX)).collect();
        let is_numbered = |row| (0..self.mapping.row_number.len()).all(|place| self.says_number(row, place));
        order::copies(&self.rows, self.mapping.takes_apart, &said, &is_numbered)
    }

    /// `true` if a row says the number, or what else tells it from others, of this place.
    fn says_number(&self, row: usize, place: usize) -> bool {
        let column = self.mapping.row_number[place];
        match self.mapping.extras.iter().position(|extra| extra.column == column) {
            Some(extra) => self.extras[extra].code(row).is_some(),
            None => self.rows[row].onset.is_some() || self.rows[row].index.is_some(),
        }
    }

    /// Gives rows of later sessions the session of that, where the log tells none.
    fn number_sessions(&mut self, copies: &Copies) {
        if !self.mapping.finds_sessions {
            return;
        }
        let numbers = &self.mapping.row_number;
        let places: Vec<Option<usize>> = (numbers.iter())
            .map(|&column| self.mapping.extras.iter().position(|extra| extra.column == column))
            .collect();
        let is_onset = |place: usize| {
            let name = &self.mapping.columns[numbers[place]];
            self.mapping.bound(Role::Onset).is_some() && self.mapping.source_name(Role::Onset) == name
        };
        let counter = |row: usize, place: usize| match places[place] {
            Some(extra) => self.extras[extra].text(self.extras[extra].code(row)?).parse().ok(),
            None if is_onset(place) => self.rows[row].onset.map(|onset| onset.nanos() as f64),
            None => None,
        };
        let numbered = sessions(&self.rows, &self.groups, copies, (numbers.len(), &counter));
        for (row, session) in numbered.of_rows {
            let session = self.names.number(&session.to_string());
            let group = EntryGroup { session, ..self.groups[self.rows[row].group as usize] };
            self.rows[row].group = self.group_of(group);
        }
        for (row, session) in numbered.begins {
            let Entry { group, at, .. } = self.rows[row];
            let EntryGroup { participant, level, .. } = self.groups[group as usize];
            let rule = format!(
                "a level that was played before begins again, in another file or behind a counter that starts again: session \
                 {session} of the participant is assumed to begin"
            );
            let fix = "name the column of sessions in [columns] if there is one; say sessions = \"one\" in [log] if it is one";
            let diagnostic = RowDiagnostic::new("session-derived", "session", "", rule, fix);
            let said = LogDiagnostic {
                participant: Some(self.names.text(participant).to_owned()),
                session: Some(session.to_string()),
                level: Some(self.names.text(level).to_owned()),
                ..LogDiagnostic::new(diagnostic, Consequence::Kept, &self.file_names[at.file()], at.row())
            };
            self.diagnostics.push((said, Some(row)));
        }
    }

    fn derived(&self) -> order::Derived {
        let lacks = |role| self.mapping.bound(role).is_none();
        order::Derived {
            attempt: lacks(Role::Attempt),
            index: lacks(Role::MoveIndex),
            rt: lacks(Role::Rt) && !lacks(Role::Onset),
            onset: lacks(Role::Onset) && !lacks(Role::Rt),
            clock: self.clock,
        }
    }

    fn row(&mut self, file: usize, line: u64, reading: &Reading<'_>) -> Entry {
        let mut row = Entry {
            group: NO_GROUP,
            attempt: reading.attempt.unwrap_or_default(),
            index: reading.index.and_then(Index::new),
            event: reading.event,
            onset: reading.onset,
            rt: reading.rt,
            at: FileRow::new(file, line),
            is_rejected: reading.rejected.is_some(),
            is_rt_from_onset: false,
        };
        if let Some(group) = reading.group(self.mapping) {
            row.group = self.group(group);
        }
        row
    }

    /// Place that a row without a group gives itself.
    fn stray(&mut self, reading: &Reading<'_>) -> Stray {
        let is_shifted = reading.rejected.as_ref().is_some_and(|diagnostic| diagnostic.breaks_cells());
        let mut number = |text: Option<&str>| text.map(|text| self.names.number(text));
        let named = Named {
            participant: number(reading.participant),
            session: number(reading.session.filter(|_| !reading.without_session)),
            level: number(reading.level),
            attempt: reading.attempt,
        };
        Stray { row: self.rows.len(), named, is_shifted }
    }

    fn group(&mut self, texts: [&str; 3]) -> u32 {
        // Rows beside each other are mostly of one group.
        let last = self.rows.last().map(|row| row.group).filter(|&group| group != NO_GROUP);
        if let Some(last) = last {
            let EntryGroup { participant, session, level } = self.groups[last as usize];
            if [participant, session, level].map(|number| self.names.text(number)) == texts {
                return last;
            }
        }
        let [participant, session, level] = texts.map(|text| self.names.number(text));
        self.group_of(EntryGroup { participant, session, level })
    }

    fn group_of(&mut self, group: EntryGroup) -> u32 {
        *self.group_numbers.entry(group).or_insert_with(|| {
            self.groups.push(group);
            self.groups.len() as u32 - 1
        })
    }

    /// Place of each group in the order of participant, session and level.
    fn group_ranks(&self) -> Vec<u32> {
        let mut sorted: Vec<usize> = (0..self.groups.len()).collect();
        sorted.sort_by_key(|&number| {
            let group = self.groups[number];
            [group.participant, group.session, group.level].map(|text| self.names.text(text))
        });
        let mut ranks = vec![0; sorted.len()];
        for (rank, number) in sorted.into_iter().enumerate() {
            ranks[number] = rank as u32;
        }
        ranks
    }
}
