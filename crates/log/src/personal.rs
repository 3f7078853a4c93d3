//! Columns that tell who somebody is: names, mail addresses, IP addresses, ids of crowd workers.

use std::collections::BTreeSet;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::entry::FileRow;
use plymap_tables::did_you_mean::plain;

/// Kind of personal data in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PersonalKind {
    /// Names.
    Names,
    /// Mail addresses.
    Mail,
    /// Addresses of computers.
    Ip,
    /// Ids by which platforms know their workers.
    Worker,
}

/// A column of a log that tells who somebody is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalColumn {
    /// Its name in the files.
    pub name: String,
    /// Kind of personal data.
    pub kind: PersonalKind,
    /// `true` if it is the column of participants.
    pub is_participant: bool,
    /// `true` if it is in the canonical log.
    pub is_kept: bool,
}

/// Personal data in a log, beyond play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonalData {
    /// The columns.
    pub columns: Vec<PersonalColumn>,
    /// Rows that have a value in one of them.
    pub n_rows: u64,
    /// Participants at levels that have such rows.
    pub n_trials: u64,
    /// Participants that have such rows.
    pub n_participants: u64,
    /// The first such rows.
    pub first: BTreeSet<FileRow>,
}

impl PersonalKind {
    /// Name of the cells, in the plural.
    pub fn words(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Mail => "mail addresses",
            Self::Ip => "IP addresses",
            Self::Worker => "ids of crowd workers",
        }
    }

    /// Kind of personal data in a column of this name, in English, German or French.
    pub(super) fn of_name(column: &str) -> Option<Self> {
        // What is nested has the keys above it in its name; `level.name` names no person.
        let (whole, last) = (plain(column), plain(column.rsplit(['.', '/']).next().unwrap_or(column)));
        if matches!(whole.as_str(), "name" | "nom") {
            return Some(Self::Names);
        }
        match last.as_str() {
            "firstname" | "lastname" | "fullname" | "surname" | "givenname" | "familyname" | "forename"
            | "username" | "participantname" | "subjectname" | "playername" | "vorname" | "nachname"
            | "familienname" | "benutzername" | "prénom" | "prenom" | "nomdefamille" | "nomutilisateur" => {
                Some(Self::Names)
            }
            "email" | "mail" | "emailaddress" | "mailaddress" | "emailadresse" | "mailadresse" | "courriel"
            | "adresseemail" | "adressemail" => Some(Self::Mail),
            "ip" | "ipaddress" | "ipaddr" | "ipadresse" | "adresseip" | "clientip" | "remoteaddr" | "remoteip" => {
                Some(Self::Ip)
            }
            "workerid"
            | "prolificpid"
            | "prolificid"
            | "prolificparticipantid"
            | "mturkid"
            | "mturkworkerid"
            | "amazonid"
            | "crowdworkerid" => Some(Self::Worker),
            _ => None,
        }
    }
}

/// Common traits of the texts of a column so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextTraits {
    has_text: bool,
    has_mail: bool,
    has_other_than_ip: bool,
    has_other_than_worker: bool,
}

impl TextTraits {
    /// Takes another text; one that is known already changes nothing.
    pub(super) fn add(&mut self, text: &str) {
        self.has_text = true;
        self.has_mail = self.has_mail || has_mail(text);
        self.has_other_than_ip = self.has_other_than_ip || text.trim().parse::<IpAddr>().is_err();
        self.has_other_than_worker = self.has_other_than_worker || !is_worker(text.trim());
    }

    /// `true` if there was a text.
    pub(super) fn has_text(&self) -> bool {
        self.has_text
    }

    /// `true` if all of them are written as ids of crowd workers.
    pub(super) fn may_be_worker(&self) -> bool {
        !self.has_other_than_worker
    }

    /// Kind of personal data in the column. `identifies` says whether each participant has one of its texts, and not
    /// all the same: ids of crowd workers look like those of rows and of studies.
    pub(super) fn kind(&self, identifies: impl FnOnce() -> bool) -> Option<PersonalKind> {
        match () {
            () if !self.has_text => None,
            // One in a free text is enough.
            () if self.has_mail => Some(PersonalKind::Mail),
            () if !self.has_other_than_ip => Some(PersonalKind::Ip),
            () if self.may_be_worker() && identifies() => Some(PersonalKind::Worker),
            () => None,
        }
    }
}

/// `true` if a word of the text is written as `somebody@example.org`.
fn has_mail(text: &str) -> bool {
    text.contains('@')
        && text.split(|c| !is_of_address(c)).any(|word| {
            let Some((person, host)) = word.trim_matches('.').split_once('@') else { return false };
            let Some((name, top)) = host.rsplit_once('.') else { return false };
            // Moves are written as `A@14`; the last part of a host has letters alone.
            !person.is_empty()
                && !name.is_empty()
                && !host.contains('@')
                && top.chars().count() >= 2
                && top.chars().all(char::is_alphabetic)
        })
}

fn is_of_address(c: char) -> bool {
    c.is_alphanumeric() || "@._%+-".contains(c)
}

/// `true` if a text is written as the ids of Prolific, 24 hexadecimal digits, or of Mechanical Turk, `A2RLKQ5KV1HTTA`.
fn is_worker(text: &str) -> bool {
    let is_prolific = text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_turk = text.strip_prefix('A').is_some_and(|rest| {
        let is_code = rest.bytes().all(|byte| byte.is_ascii_uppercase() || is_digit(byte));
        rest.len() >= 9 && is_code && rest.bytes().any(is_digit)
    });
    is_prolific || is_turk
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_tell_what_they_hold() {
        let kind_of = PersonalKind::of_name;
        for name in ["name", "first_name", "Vorname", "prénom", "participant.first_name"] {
            assert_eq!(kind_of(name), Some(PersonalKind::Names), "{name}");
        }
        for name in ["E-Mail", "email_address", "courriel"] {
            assert_eq!(kind_of(name), Some(PersonalKind::Mail), "{name}");
        }
        assert_eq!((kind_of("IP_Adresse"), kind_of("workerId")), (Some(PersonalKind::Ip), Some(PersonalKind::Worker)));
        assert_eq!(kind_of("PROLIFIC_PID"), Some(PersonalKind::Worker));
        assert_eq!(["level.name", "trip", "tip", "filename", "session"].map(kind_of), [None; 5]);
    }

    #[test]
    fn cells_tell_what_they_are() {
        let kind_of = |texts: &[&str], identifies: bool| {
            let mut traits = TextTraits::default();
            texts.iter().for_each(|text| traits.add(text));
            traits.kind(|| identifies)
        };
        assert_eq!(kind_of(&["none", "write to anna@example.org."], false), Some(PersonalKind::Mail));
        assert_eq!(kind_of(&["A@14", "@", "a@b", "B@3.5"], true), None);
        assert_eq!(kind_of(&["192.168.0.1", "2001:db8::1"], false), Some(PersonalKind::Ip));
        assert_eq!(kind_of(&["192.168.0.1", "1.5"], false), None);
        let workers = ["5f3c1d2e4b6a7988001122ff", "A2RLKQ5KV1HTTA"];
        assert_eq!((kind_of(&workers, true), kind_of(&workers, false)), (Some(PersonalKind::Worker), None));
        assert_eq!(kind_of(&["ABANDONMENT", "ACCELERATE"], true), None);
        assert_eq!(kind_of(&[], true), None);
    }
}
