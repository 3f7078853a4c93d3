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

use super::answers::is_name;
use crate::cli::error::Failure;
use crate::experiment::plan::Page;
use crate::play::{Claim, claim_of};

/// The table, beside the study.
pub const FILE: &str = "links.csv";

/// The fewest letters of a secret: nobody tries 2^95 of them.
const FEWEST_LETTERS: usize = 16;

/// A row of the table.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Row {
    participant: String,
    secret: String,
    #[serde(default)]
    link: String,
}

/// The table of links.
#[derive(Debug)]
pub struct Links {
    pub file: PathBuf,
    rows: Vec<Row>,
}

impl Links {
    /// The table in a file, with rows for `n` participants at least, and links that begin with `address`. Rows that are there
    /// keep their secrets; those without one get one.
    pub fn of(file: &Path, n: u32, address: &str, page: &Page) -> Result<Self, Failure> {
        let mut rows = read(file)?;
        let width = n.to_string().len().max(2);
        for number in 1..=n {
            let participant = format!("P{number:0width$}");
            if rows.len() < n as usize && !rows.iter().any(|row| row.participant == participant) {
                rows.push(Row { participant, secret: String::new(), link: String::new() });
            }
        }
        let address = address.trim_end_matches('/');
        for row in &mut rows {
            if row.secret.is_empty() {
                row.secret = URL_SAFE_NO_PAD.encode(rand::rng().random::<[u8; 16]>());
            }
            let parameter = utf8_percent_encode(page.participant_parameter(), NON_ALPHANUMERIC);
            row.link = format!("{address}/?{parameter}={}&token={}", row.participant, row.secret);
        }
        let links = Self { file: file.to_owned(), rows };
        links.write().map_err(|error| Failure::message(format!("{}: {error}", file.display())))?;
        Ok(links)
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

fn read(file: &Path) -> Result<Vec<Row>, Failure> {
    let wrong = |row: usize, why: &str| {
        Failure::message(format!(
            "{}, row {row}: {why}; mend it, or move the file away, and all participants get new links",
            file.display()
        ))
    };
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| Failure::message(format!("{}: {error}", file.display())))?,
    };
    let mut rows: Vec<Row> = Vec::new();
    for (place, row) in csv::Reader::from_reader(text.as_bytes()).deserialize().enumerate() {
        let row: Row = row.map_err(|error| wrong(place + 1, &error.to_string()))?;
        if !is_name(&row.participant) {
            return Err(wrong(place + 1, &format!("{:?} is no code of a participant", row.participant)));
        }
        if rows.iter().any(|other| other.participant == row.participant) {
            return Err(wrong(place + 1, &format!("participant {:?} stands there twice", row.participant)));
        }
        if !row.secret.is_empty() && row.secret.len() < FEWEST_LETTERS {
            return Err(wrong(
                place + 1,
                &format!(
                    "the secret of {:?} can be guessed: {FEWEST_LETTERS} letters are needed; an empty cell gets a new one",
                    row.participant
                ),
            ));
        }
        if rows.iter().any(|other| !row.secret.is_empty() && other.secret == row.secret) {
            return Err(wrong(place + 1, &format!("the secret of {:?} is that of another row", row.participant)));
        }
        rows.push(row);
    }
    Ok(rows)
}
