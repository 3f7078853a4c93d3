//! Rows of all files, put together into one canonical log.

use super::canonical::CanonicalRows;
use super::columns::{Lacking, Mapping};
use super::entry::{Entry, EntryGroup, FileRow, Index, NO_GROUP};
use super::error::LogError;
use super::log::Log;
use super::log::RowPlace;
use super::log_file::LogFile;
use super::log_file::above_header;
use super::order::{self, Copies, Finding, RowFinding};
use super::personal::{PersonalColumn, PersonalData};
use super::pseudonym::{KeyFile, Pseudonyms};
use super::raw::{Flaw, RawRow};
use super::reject::{Consequence, LogIssue};
use super::role::Role;
use super::row::{Checker, Reading};
use super::sitting::sittings;
use super::spec::{Clock, LogSpec};
use super::stray::{Breaks, FarBreaks, Known, Named, Stray};
use super::survey::{Facts, Survey};
use super::texts::{Names, Texts};
use super::whole::Whole;
use foldhash::fast::RandomState;
use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// So many places of personal data are named.
const PLACES: usize = 3;

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
    /// Rows of other parts that break attempts of this one: they have their issue there.
    n_ghosts: u64,
    texts: [Texts; Role::TEXTS.len()],
    extras: Vec<Texts>,
    strays: Vec<Stray>,
    /// Each issue with the row that it is about.
    issues: Vec<(LogIssue, Option<usize>)>,
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
    /// Where these are some of its rows, what is known of it.
    whole: Option<&'a Whole>,
    /// Whether what is said of files is said of these rows.
    tells_of_files: bool,
}

/// Where a row of a part stands in the whole log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartRow {
    /// Its number among the rows of the log.
    pub number: u64,
    /// Whether it belongs to another part.
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

    /// Makes parts without rows, to be filled on other threads and then appended; nothing where the codes of participants
    /// depend on who came before.
    pub(super) fn parts(&self) -> Option<impl Fn() -> Self + use<'a>> {
        let (mapping, file_names, clock) = (self.mapping, self.file_names.clone(), self.clock);
        self.pseudonyms.is_none().then_some(move || Self::empty(mapping, file_names.clone(), clock))
    }

    /// Takes the rows of a part, behind those that are here.
    pub(super) fn append(&mut self, part: Self) {
        let start = self.rows.len();
        let names = part.names.numbers_in(&mut self.names);
        let name = |number: u32| names[number as usize];
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
        self.texts.iter_mut().zip(part.texts).for_each(|(column, own)| column.append(own));
        self.extras.iter_mut().zip(part.extras).for_each(|(column, own)| column.append(own));
        self.rows.extend(part.rows.into_iter().map(|row| match row.group {
            NO_GROUP => row,
            group => Entry { group: groups[group as usize], ..row },
        }));
        self.strays.extend(part.strays.into_iter().map(|stray| {
            let Named { participant, session, level, attempt } = stray.named;
            let [participant, session, level] = [participant, session, level].map(|number| number.map(name));
            Stray { row: start + stray.row, named: Named { participant, session, level, attempt }, ..stray }
        }));
        self.issues.extend(part.issues.into_iter().map(|(issue, row)| (issue, row.map(|row| start + row))));
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
            issues: Vec::new(),
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

    /// Takes one row of the file with this number, whose columns lie at `positions`, and what it says; of a part, `at` says
    /// which it is.
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

    /// What a row says, with a code for its participant if the study wants codes.
    fn hidden<'r>(&self, mut reading: Reading<'r>, code: Option<&'r str>) -> Reading<'r> {
        if self.pseudonyms.is_some() {
            Pseudonyms::hide(&mut reading, self.mapping);
            reading.participant = code;
        }
        reading
    }

    /// What strays break among the rows of a part of which each is a stray or of a participant near one.
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
        let facts = match (self.survey.take(), self.whole) {
            (Some(survey), _) => {
                self.hide_in_names(&mut files);
                survey.finish()
            }
            (None, whole) => whole.map(|whole| whole.facts.clone()).unwrap_or_default(),
        };
        // They stay while the study runs.
        self.rows.shrink_to_fit();
        self.texts.iter_mut().chain(&mut self.extras).for_each(Texts::shrink);
        let derived = self.derived();
        let breaks = match self.whole {
            Some(whole) => whole.strays.near(&self.numbers),
            None => Breaks::new(&self.rows, &self.groups, &self.strays, !derived.attempt, None),
        };
        let copies = self.copies();
        self.number_sittings(&copies);
        let beginnings = order::derive_attempts(&mut self.rows, &self.groups, &derived, &breaks, &copies);
        let ranks = self.group_ranks();
        let (texts, extras) = (&self.texts, &self.extras);
        let said = |row| texts.iter().chain(extras).map(|column| column.code(row).unwrap_or(u32::MAX)).collect();
        let behind = order::behind_rejected(&self.rows, &ranks, &breaks);
        copies.keys().for_each(|&row| self.rows[row].is_rejected = true);
        let (order, mut found) = order::arrange(&mut self.rows, &ranks, &derived, &beginnings, &said);
        let copied = copies.iter().map(|(&row, &first)| RowFinding { row, kind: Finding::Duplicate { first } });
        found.extend(copied);
        found.sort_by_key(|finding| finding.row);
        for finding in found {
            self.report_finding(finding);
        }
        if self.tells_of_files {
            self.report_files(&files, &facts);
        }
        self.place_issues(&breaks);
        let personal = self.personal(&order, &facts);
        let places: HashMap<&str, usize> =
            self.file_names.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        self.issues.sort_by_key(|(issue, _)| (places[issue.file.as_str()], issue.row, issue.consequence));
        // All that are not rejected are in it.
        let n_rejected = (self.rows.len() - order.len()) as u64 - self.n_ghosts;
        let place_of = |found: order::Behind| {
            let row = &self.rows[found.row];
            RowPlace { file: row.at.file(), row: row.at.row(), is_of_attempt: found.is_of_attempt }
        };
        let found = |(number, row): (usize, &u32)| Some((number, place_of(*behind.get(&(*row as usize))?)));
        let of_broken = if behind.is_empty() { &[] } else { order.as_slice() };
        let behind_rejected = of_broken.iter().enumerate().filter_map(found).collect();
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
            issues: self.issues.into_iter().map(|(issue, _)| issue).collect(),
        }
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

    /// Whether a row says the number, or what else tells it from others, of this place.
    fn says_number(&self, row: usize, place: usize) -> bool {
        let column = self.mapping.row_number[place];
        match self.mapping.extras.iter().position(|extra| extra.column == column) {
            Some(extra) => self.extras[extra].code(row).is_some(),
            None => self.rows[row].onset.is_some() || self.rows[row].index.is_some(),
        }
    }

    /// Gives rows of later sittings the session of that, where the log tells none.
    fn number_sittings(&mut self, copies: &Copies) {
        if !self.mapping.finds_sittings {
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
        let found = sittings(&self.rows, &self.groups, copies, (numbers.len(), &counter));
        for (row, sitting) in found.of_rows {
            let session = self.names.number(&sitting.to_string());
            let group = EntryGroup { session, ..self.groups[self.rows[row].group as usize] };
            self.rows[row].group = self.group_of(group);
        }
        for (row, sitting) in found.begins {
            let Entry { group, at, .. } = self.rows[row];
            let EntryGroup { participant, level, .. } = self.groups[group as usize];
            let rule = format!(
                "a level that was played before begins again, in another file or behind a counter that starts again: session \
                 {sitting} of the participant is assumed to begin"
            );
            let fix = "name the column of sessions in [columns] if there is one; say sittings = \"one\" in [log] if it is one";
            let flaw = Flaw::new("session-derived", "session", "", rule, fix);
            let said = LogIssue {
                participant: Some(self.names.text(participant).to_owned()),
                session: Some(sitting.to_string()),
                level: Some(self.names.text(level).to_owned()),
                ..issue(flaw, Consequence::Kept, &self.file_names[at.file()], at.row())
            };
            self.issues.push((said, Some(row)));
        }
    }

    /// Puts codes into the names of files that have the ids of their participants.
    fn hide_in_names(&mut self, files: &mut [LogFile]) {
        let Some((pseudonyms, _)) = &self.pseudonyms else { return };
        let hidden: Vec<String> =
            self.file_names.iter().enumerate().map(|(number, name)| pseudonyms.file_name(name, number)).collect();
        let renamed: HashMap<&str, &str> =
            self.file_names.iter().map(String::as_str).zip(hidden.iter().map(String::as_str)).collect();
        for (issue, _) in &mut self.issues {
            issue.file = renamed[issue.file.as_str()].to_owned();
        }
        for (file, name) in files.iter_mut().zip(&hidden) {
            file.path = name.into();
        }
        self.file_names = hidden.into();
    }

    /// What the rows tell of people beyond their play. Of columns that are not written, no issue shows a value.
    fn personal(&mut self, order: &[u32], facts: &Facts) -> PersonalData {
        let participant_of = |row: usize| self.groups[self.rows[row].group as usize].participant;
        let mut found = PersonalData::default();
        let mut concerned: BTreeSet<usize> = BTreeSet::new();
        let order = || order.iter().map(|&row| row as usize);
        for (number, (extra, texts)) in self.mapping.extras.iter().zip(&self.extras).enumerate() {
            if let Some(kind) = facts.kinds[number] {
                concerned.extend(order().filter(|&row| texts.code(row).is_some()));
                let name = self.mapping.columns[extra.column].clone();
                let is_kept = facts.is_written[number];
                found.columns.push(PersonalColumn { name, kind, is_participant: false, is_kept });
            }
        }
        if let Some(kind) = facts.kind_of_participants {
            concerned.extend(order());
            let name = self.mapping.source_name(Role::Participant).to_owned();
            found.columns.insert(0, PersonalColumn { name, kind, is_participant: true, is_kept: true });
        }
        let groups: HashSet<u32> = concerned.iter().map(|&row| self.rows[row].group).collect();
        let people: HashSet<u32> = concerned.iter().map(|&row| participant_of(row)).collect();
        found.n_rows = concerned.len() as u64;
        (found.n_trials, found.n_participants) = (groups.len() as u64, people.len() as u64);
        for row in concerned {
            found.first.insert(self.rows[row].at);
            if found.first.len() > PLACES {
                found.first.pop_last();
            }
        }
        self.hide_unwritten(&facts.is_written);
        found
    }

    /// Takes the cells of columns that are not written from what is said of rows: those of the columns themselves, and
    /// those of whole rows.
    fn hide_unwritten(&mut self, is_written: &[bool]) {
        let extras = self.mapping.extras.iter().zip(is_written).filter(|(_, written)| !**written);
        let unwritten: HashSet<&str> = extras.map(|(extra, _)| self.mapping.columns[extra.column].as_str()).collect();
        if unwritten.is_empty() {
            return;
        }
        for (issue, _) in &mut self.issues {
            if issue.row > 0 && (issue.column.is_empty() || unwritten.contains(issue.column.as_str())) {
                issue.value.clear();
            }
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

    /// What a row without a group says of its place.
    fn stray(&mut self, reading: &Reading<'_>) -> Stray {
        let is_shifted = reading.rejected.as_ref().is_some_and(|flaw| flaw.breaks_cells());
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

    fn report(&mut self, row: &Entry, reading: &Reading<'_>) {
        let flaws: Vec<(Consequence, &Flaw)> = match &reading.rejected {
            Some(flaw) => vec![(Consequence::Rejected, flaw)],
            None => {
                let lost = reading.lost_times.iter().map(|flaw| (Consequence::TimeMissing, flaw));
                lost.chain(reading.notices.iter().map(|flaw| (Consequence::Kept, flaw))).collect()
            }
        };
        for (consequence, flaw) in flaws {
            let known = |text: Option<&str>| text.filter(|_| !flaw.breaks_cells()).map(str::to_owned);
            let issue = LogIssue {
                participant: known(reading.participant),
                session: known(reading.session),
                level: known(reading.level),
                ..issue(flaw.clone(), consequence, &self.file_names[row.at.file()], row.at.row())
            };
            self.issues.push((issue, Some(self.rows.len())));
        }
    }

    fn report_finding(&mut self, finding: RowFinding) {
        let row = &self.rows[finding.row];
        let group = self.groups[row.group as usize];
        let text = |number| Some(self.names.text(number).to_owned());
        let flaw = finding.kind.flaw(self.mapping, &self.rows, row, &self.file_names);
        let issue = LogIssue {
            participant: text(group.participant),
            session: text(group.session),
            level: text(group.level),
            ..issue(flaw, finding.kind.consequence(), &self.file_names[row.at.file()], row.at.row())
        };
        self.issues.push((issue, Some(finding.row)));
    }

    /// Says of each issue which attempt it belongs to, which is known only now.
    ///
    /// A row that cannot be read counts for the attempt that it most likely belongs to.
    fn place_issues(&mut self, breaks: &Breaks) {
        let mut issues = std::mem::take(&mut self.issues);
        for (issue, row) in &mut issues {
            let Some(row) = *row else { continue };
            if self.rows[row].group != NO_GROUP {
                issue.attempt = Some(self.rows[row].attempt);
                let session = self.groups[self.rows[row].group as usize].session;
                issue.session = issue.session.take().map(|_| self.names.text(session).to_owned());
            } else if let Some(neighbour) = breaks.homes.get(&row).map(|&home| &self.rows[home]) {
                let group = self.groups[neighbour.group as usize];
                let text = |number| Some(self.names.text(number).to_owned());
                issue.participant = text(group.participant);
                issue.session = text(group.session);
                issue.level = text(group.level);
                issue.attempt = Some(neighbour.attempt);
            }
        }
        self.issues = issues;
    }

    /// Says of each column that some files lack which these are.
    fn report_lacking(&mut self) {
        for Lacking { column, first, n_lacking, n_files } in &self.mapping.lacking {
            let names: Vec<&str> = first.iter().map(|&file| self.file_names[file].as_str()).collect();
            let others = n_lacking.saturating_sub(names.len());
            let more = if others > 0 { format!(" and {}", counted(others, "other")) } else { String::new() };
            let have = if *n_lacking == 1 { "has" } else { "have" };
            let rule = format!(
                "{n_lacking} of {} {have} no column {column:?}, and it is missing there: {}{more}",
                counted(*n_files, "file"),
                names.join(", ")
            );
            let fix = "if they call it otherwise, name both in [columns], as in [\"one\", \"other\"]; leave out files that \
                       are no logs";
            let flaw = Flaw::new("column-missing", column, "", rule, fix);
            self.issues.push((issue(flaw, Consequence::Kept, names[0], 0), None));
        }
    }

    /// What is to be said of whole files.
    fn report_files(&mut self, files: &[LogFile], facts: &Facts) {
        let derived = self.derived();
        self.report_lacking();
        for (number, file) in files.iter().enumerate() {
            for flaw in file.notices.clone() {
                self.issues.push((issue(flaw, Consequence::Kept, &self.file_names[number], 0), None));
            }
            let mut say = |code, column: &str, value: &str, rule: &str, fix: &str, row| {
                let flaw = Flaw::new(code, column, value, rule, fix);
                self.issues.push((issue(flaw, Consequence::Kept, &self.file_names[number], row), None));
            };
            if file.n_rows == 0 {
                say("empty-file", "", "", "the file has no rows", "check that nothing was lost", 0);
                continue;
            }
            if file.n_above > 0 {
                say("lines-above-header", "", "", &above_header(file.n_above), "nothing, if it is meant so", 0);
            }
            if derived.attempt {
                let rule = "no column identifies attempts; a new one is assumed to begin after each reset, at each \
                            start, and where move_index falls";
                say("attempt-derived", "attempt", "", rule, "name the column in [columns] if there is one", 0);
            }
            if derived.index {
                let rule = "no column numbers the moves; they are numbered as they stand in the file";
                say("move-index-derived", "move_index", "", rule, "name the column in [columns] if there is one", 0);
            }
            if let Some(encoding) = &file.encoding {
                let rule = format!("the text is not UTF-8; it was read as {encoding}");
                let fix = "look at names with accents; say `encoding = \"…\"` in [log] if they are wrong";
                say("encoding", "", encoding, &rule, fix, 0);
            }
            if let Some(row) = facts.without_session.get(&number).filter(|_| !self.mapping.is_session_optional) {
                let column = self.mapping.source_name(Role::Session);
                let rule = format!("from row {row} on, rows have no session, and it is assumed to be 1");
                let fix = "fill in the cells if participants came more than once";
                say("missing-session", column, "", &rule, fix, 0);
            }
            if let Some(&row) = facts.without_zone.get(&number) {
                let column = self.mapping.source_name(Role::Onset);
                let rule = format!("from row {row} on, times have no offset from UTC, and are assumed to be UTC");
                say(
                    "time-without-zone",
                    column,
                    "",
                    &rule,
                    "differences are right unless clocks were changed in between",
                    0,
                );
            }
        }
    }
}

fn issue(flaw: Flaw, consequence: Consequence, file: &str, row: u64) -> LogIssue {
    LogIssue {
        code: flaw.code,
        consequence,
        file: file.to_owned(),
        row,
        column: flaw.column,
        value: flaw.value,
        rule: flaw.rule,
        fix: flaw.fix,
        participant: None,
        session: None,
        level: None,
        attempt: None,
    }
}
