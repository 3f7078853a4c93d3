//! Where the page of a project was served, which is kept for the next time.

use std::fs;
use std::io::Write as _;

use serde::{Deserialize, Serialize};

use crate::TOKEN_LENGTH;
use crate::project::Project;

/// Name of the file that tells where the page was served.
const ADDRESS: &str = ".plymap-open.json";

/// Where the page of a project was served the last time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// Port of the server.
    pub port: u16,
    /// Token of the page.
    pub token: String,
}

impl Project {
    /// Returns the address at which the page was served the last time; none if it was not.
    pub fn address(&self) -> Option<Address> {
        let address: Address = serde_json::from_slice(&fs::read(self.folder.join(ADDRESS)).ok()?).ok()?;
        let is_token =
            address.token.len() == TOKEN_LENGTH && address.token.chars().all(|letter| letter.is_ascii_alphanumeric());
        is_token.then_some(address)
    }

    /// Keeps the address for the next time, for the eyes of this user alone. Where it cannot be kept, a page that is open has to
    /// be opened anew then.
    pub fn keep_address(&self, port: u16, token: &str) {
        let address = Address { port, token: token.to_owned() };
        // A temporary file is for this user alone, and takes the place of a link rather than that which it leads to.
        let kept = tempfile::NamedTempFile::new_in(&self.folder).and_then(|mut file| {
            file.write_all(&serde_json::to_vec(&address)?)?;
            file.persist(self.folder.join(ADDRESS)).map_err(|error| error.error)
        });
        drop(kept);
    }
}
