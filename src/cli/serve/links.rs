//! The links of those who are invited, each with a secret of its own.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use crate::cli::Failure;
use crate::experiment::plan::Page;
use plymap_play::{Claim, claim_of};

/// The table, beside the study.
pub const FILE: &str = "links.csv";

/// Its columns; the last may be left out.
const COLUMNS: [&str; 3] = ["participant", "secret", "link"];

/// The fewest letters of a secret: nobody tries 2^95 of them.
const FEWEST_LETTERS: usize = 16;

/// The longest name of a participant or a session.
pub(super) const LONGEST_NAME: usize = 64;

/// A row of the table.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Row {
    participant: String,
    secret: String,
    #[serde(default)]
    link: String,
}

impl Row {
    /// Returns the end of a link, behind the name of the parameter: the participant and the secret.
    fn own_parameters(&self) -> String {
        format!("{}&token={}", self.participant, self.secret)
    }

    /// Returns the fault of the row, below those that come before it, in words; none if it has none.
    fn fault(&self, earlier: &[Self]) -> Option<String> {
        let Self { participant, secret, link } = self;
        let is_of_link = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        if !is_name(participant) {
            return Some(format!("{participant:?} is no code of a participant"));
        }
        if earlier.iter().any(|other| other.participant == *participant) {
            return Some(format!("participant {participant:?} stands there twice"));
        }
        if !secret.chars().all(is_of_link) {
            return Some(format!(
                "the secret of {participant:?} has more than letters, digits, hyphens and underscores"
            ));
        }
        if !secret.is_empty() && secret.len() < FEWEST_LETTERS {
            return Some(format!(
                "the secret of {participant:?} can be guessed: {FEWEST_LETTERS} letters are needed; an empty cell gets a new one"
            ));
        }
        if earlier.iter().any(|other| !secret.is_empty() && other.secret == *secret) {
            return Some(format!("the secret of {participant:?} is that of another row"));
        }
        // A cell that was changed, or a column that was sorted without the others: the link is what the participant has.
        if !link.is_empty() && !link.ends_with(&format!("={}", self.own_parameters())) {
            return Some(format!(
                "the link is not that of {participant:?} with this secret: if it was sent, write its token into the column \
                 secret; if not, empty both cells, and they are drawn anew"
            ));
        }
        None
    }
}

/// The table of links.
#[derive(Debug)]
pub struct Links {
    pub file: PathBuf,
    rows: Vec<Row>,
    /// Participants who got a new secret.
    drawn: Vec<String>,
}

impl Links {
    /// The table in a file, with rows for `n` participants at least, and links that begin with `address`. Rows that are there
    /// keep their secrets; those without one get one.
    pub fn of(file: &Path, n: u32, address: &str, page: &Page) -> Result<Self, Failure> {
        let mut rows = read(file)?;
        add(&mut rows, n);
        let mut drawn = Vec::new();
        let address = address.trim_end_matches('/');
        for row in &mut rows {
            if row.secret.is_empty() {
                row.secret = secret();
                drawn.push(row.participant.clone());
            }
            let parameter = utf8_percent_encode(page.participant_parameter(), NON_ALPHANUMERIC);
            row.link = format!("{address}/?{parameter}={}", row.own_parameters());
        }
        let links = Self { file: file.to_owned(), rows, drawn };
        links.write().map_err(|error| Failure::message(format!("{}: {error}", file.display())))?;
        Ok(links)
    }

    /// Returns the number of new links, and whose they are, in words; none if all were there.
    pub fn drawn(&self) -> Option<String> {
        match self.drawn.as_slice() {
            [] => None,
            [one] => Some(format!("a new link, that of {one}")),
            [first, .., last] => Some(format!("{} new links, those of {first} to {last}", self.drawn.len())),
        }
    }

    /// The claim of each participant.
    pub fn claims(&self) -> HashMap<String, Claim> {
        self.rows.iter().map(|row| (row.participant.clone(), claim_of(&row.secret))).collect()
    }

    /// Writes the table, whole or not at all, for the eyes of its owner alone.
    fn write(&self) -> io::Result<()> {
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut table = csv::Writer::from_writer(tempfile::NamedTempFile::new_in(folder)?);
        self.rows.iter().try_for_each(|row| table.serialize(row))?;
        let table = table.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        table.as_file().sync_all()?;
        table.persist(&self.file)?;
        Ok(())
    }
}

/// Adds rows until there are `n`: `P01` and so on, as wide as those that are there, so that no two codes differ by zeros alone.
fn add(rows: &mut Vec<Row>, n: u32) {
    let known: Vec<(usize, u32)> = rows.iter().filter_map(numbered_code).collect();
    let width = known.iter().map(|(width, _)| *width).min().unwrap_or(n.to_string().len().max(2));
    let is_new = |number: &u32| known.iter().all(|(_, existing)| existing != number);
    let n_missing = (n as usize).saturating_sub(rows.len());
    rows.extend((1..=n).filter(is_new).take(n_missing).map(|number| Row {
        participant: format!("P{number:0width$}"),
        secret: String::new(),
        link: String::new(),
    }));
}

/// The number of digits and the number of a code such as `P01`; none where the code is another one.
fn numbered_code(row: &Row) -> Option<(usize, u32)> {
    let digits = row.participant.strip_prefix('P').filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some((digits.len(), digits.parse().ok()?))
}

/// Returns true if a participant or a session may have this name: names become names of files and cells of tables
/// elsewhere.
pub(super) fn is_name(name: &str) -> bool {
    let is_usual = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    // Addresses with a part that is `.` or `..` lead elsewhere.
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_usual) && ![".", ".."].contains(&name)
}

/// A secret of 128 bits. It begins with a letter or digit: spreadsheets read what begins with a hyphen as a formula.
fn secret() -> String {
    loop {
        let drawn = URL_SAFE_NO_PAD.encode(rand::rng().random::<[u8; 16]>());
        if drawn.starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
            return drawn;
        }
    }
}

fn read(file: &Path) -> Result<Vec<Row>, Failure> {
    let wrong = |why: &str| {
        Failure::message(format!(
            "{}{why}; mend it, or move the file away, and all participants get new links",
            file.display()
        ))
    };
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| wrong(&format!(": {error}")))?,
    };
    let mut table = csv::Reader::from_reader(text.as_bytes());
    check_columns(table.headers().map_err(|error| wrong(&format!(": {error}")))?).map_err(|why| wrong(&why))?;
    let mut rows: Vec<Row> = Vec::new();
    for (place, row) in table.deserialize().enumerate() {
        let in_row = |why: &str| wrong(&format!(", row {}: {why}", place + 1));
        let row: Row = row.map_err(|error| in_row(&error.to_string()))?;
        if let Some(why) = row.fault(&rows) {
            return Err(in_row(&why));
        }
        rows.push(row);
    }
    if rows.is_empty() { Err(wrong(" has no participants")) } else { Ok(rows) }
}

/// Checks the first line of the table.
fn check_columns(header: &csv::StringRecord) -> Result<(), String> {
    let has = |name: &str| header.iter().any(|column| column == name);
    if let Some(missing) = COLUMNS[..2].iter().find(|name| !has(name)) {
        let is_of_others = header.iter().any(|column| column.contains([';', '\t']));
        let why = if is_of_others {
            ": its columns are separated by semicolons or tabs, and have to be by commas"
        } else {
            ""
        };
        return Err(format!(" has no column {missing}{why}"));
    }
    match header.iter().find(|column| !COLUMNS.contains(column)) {
        Some(other) => Err(format!(" has a column {other:?}, which would be lost here: keep it in another file")),
        None => Ok(()),
    }
}
