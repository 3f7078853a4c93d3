//! Where the page of a project was served, which is kept for the next time.

use std::fs;

use serde::{Deserialize, Serialize};

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
        let is_token = address.token.len() >= 32 && address.token.chars().all(|letter| letter.is_ascii_alphanumeric());
        is_token.then_some(address)
    }

    /// Keeps the address for the next time, for the eyes of this user alone. Where it cannot be kept, a page that is open has to
    /// be opened anew then.
    pub fn keep_address(&self, port: u16, token: &str) {
        let path = self.folder.join(ADDRESS);
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let address = Address { port, token: token.to_owned() };
        let written = options.open(path).map_err(serde_json::Error::io);
        let _ = written.and_then(|file| serde_json::to_writer(file, &address));
    }
}
