//! Diagnostics of the rows and files of a log.

use super::Assembly;
use crate::columns::Lacking;
use crate::entry::{Entry, NO_GROUP};
use crate::log_file::{LogFile, above_header};
use crate::order::RowFinding;
use crate::raw::RowDiagnostic;
use crate::reject::{Consequence, LogDiagnostic};
use crate::role::Role;
use crate::row::Reading;
use crate::stray::Breaks;
use crate::survey::Facts;
use plymap_statistics::stats::apa::counted;

impl Assembly<'_> {
    pub(super) fn report(&mut self, row: &Entry, reading: &Reading<'_>) {
        let diagnostics: Vec<(Consequence, &RowDiagnostic)> = match &reading.rejected {
            Some(diagnostic) => vec![(Consequence::Rejected, diagnostic)],
            None => {
                let lost = reading.lost_times.iter().map(|diagnostic| (Consequence::TimeMissing, diagnostic));
                lost.chain(reading.notices.iter().map(|diagnostic| (Consequence::Kept, diagnostic))).collect()
            }
        };
        for (consequence, diagnostic) in diagnostics {
            let known = |text: Option<&str>| text.filter(|_| !diagnostic.breaks_cells()).map(str::to_owned);
            let diagnostic = LogDiagnostic {
                participant: known(reading.participant),
                session: known(reading.session),
                level: known(reading.level),
                ..LogDiagnostic::new(diagnostic.clone(), consequence, &self.file_names[row.at.file()], row.at.row())
            };
            self.diagnostics.push((diagnostic, Some(self.rows.len())));
        }
    }

    pub(super) fn report_finding(&mut self, finding: RowFinding) {
        let row = &self.rows[finding.row];
        let group = self.groups[row.group as usize];
        let text = |number| Some(self.names.text(number).to_owned());
        let diagnostic = finding.kind.diagnostic(self.mapping, &self.rows, row, &self.file_names);
        let diagnostic = LogDiagnostic {
            participant: text(group.participant),
            session: text(group.session),
            level: text(group.level),
            ..LogDiagnostic::new(diagnostic, finding.kind.consequence(), &self.file_names[row.at.file()], row.at.row())
        };
        self.diagnostics.push((diagnostic, Some(finding.row)));
    }

    /// Says of each diagnostic which attempt it belongs to, which is known only now.
    ///
    /// A row that cannot be read counts for the attempt that it most likely belongs to.
    pub(super) fn place_diagnostics(&mut self, breaks: &Breaks) {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        for (diagnostic, row) in &mut diagnostics {
            let Some(row) = *row else { continue };
            if self.rows[row].group != NO_GROUP {
                diagnostic.attempt = Some(self.rows[row].attempt);
                let session = self.groups[self.rows[row].group as usize].session;
                diagnostic.session = diagnostic.session.take().map(|_| self.names.text(session).to_owned());
            } else if let Some(neighbour) = breaks.homes.get(&row).map(|&home| &self.rows[home]) {
                let group = self.groups[neighbour.group as usize];
                let text = |number| Some(self.names.text(number).to_owned());
                diagnostic.participant = text(group.participant);
                diagnostic.session = text(group.session);
                diagnostic.level = text(group.level);
                diagnostic.attempt = Some(neighbour.attempt);
            }
        }
        self.diagnostics = diagnostics;
    }

    /// Says of each column that some files lack which these are.
    pub(super) fn report_lacking(&mut self) {
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
            let diagnostic = RowDiagnostic::new("column-missing", column, "", rule, fix);
            self.diagnostics.push((LogDiagnostic::new(diagnostic, Consequence::Kept, names[0], 0), None));
        }
    }

    /// Reports on whole files.
    pub(super) fn report_files(&mut self, files: &[LogFile], facts: &Facts) {
        let derived = self.derived();
        self.report_lacking();
        for (number, file) in files.iter().enumerate() {
            for diagnostic in file.notices.clone() {
                self.diagnostics
                    .push((LogDiagnostic::new(diagnostic, Consequence::Kept, &self.file_names[number], 0), None));
            }
            let mut say = |code, column: &str, value: &str, rule: &str, fix: &str, row| {
                let diagnostic = RowDiagnostic::new(code, column, value, rule, fix);
                self.diagnostics
                    .push((LogDiagnostic::new(diagnostic, Consequence::Kept, &self.file_names[number], row), None));
            };
            if file.n_rows == 0 {
                say("empty-file", "", "", "the file has no rows", "check that nothing was lost", 0);
                continue;
            }
            if file.n_above > 0 {
                say("lines-above-header", "", "", &above_header(file.n_above), "nothing, if it is meant so", 0);
            }
            if derived.attempt {
                let rule = "no column says which attempt a move belongs to, so that attempts were told apart by the order of \
                            the rows: a new one begins after each reset, at each start, and where move_index falls";
                let fix = "nothing, if people had one attempt at a level or the log has their resets; else name the column \
                           that numbers attempts: attempt = \"…\" in [columns]";
                say("attempt-derived", "attempt", "", rule, fix, 0);
            }
            if derived.index {
                let rule =
                    "no column is read as the number of a move, so that moves were numbered in the order of the rows";
                let fix = "nothing, if the rows stand in the order of play; else name the column that numbers moves: \
                           move_index = \"…\" in [columns]";
                say("move-index-derived", "move_index", "", rule, fix, 0);
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
