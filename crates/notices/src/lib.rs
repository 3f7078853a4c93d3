#![doc = include_str!("../README.md")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

mod build;
mod embedded;
mod linked;
mod texts;

pub use build::Build;
use texts::Text;

/// The notices of a package and of all that is linked into it.
#[derive(Clone, Debug)]
pub struct Notices {
    /// The whole text, the same wherever it is made with these versions.
    pub text: String,
    /// Crates of which no text was found.
    pub without_text: Vec<String>,
}

impl Build {
    /// Writes the notices of a package for its program to include: `notices.rs` in the folder of the build, whose value is
    /// `Ok` with the text, or `Err` with the reason why there is none.
    ///
    /// # Errors
    /// The folder of the build cannot be written.
    pub fn write_notices(&self, package: &str) -> io::Result<()> {
        let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
        let value = match self.notices(package) {
            Ok(notices) => {
                fs::write(folder.join("notices.txt"), notices.text)?;
                "Ok(include_str!(\"notices.txt\"))".to_owned()
            }
            Err(error) => format!("Err({:?})", error.to_string()),
        };
        fs::write(folder.join("notices.rs"), value)
    }

    /// The notices of a package of the workspace.
    ///
    /// # Errors
    /// Cargo cannot tell what is linked, such as in a copy without Cargo.lock.
    pub fn notices(&self, package: &str) -> io::Result<Notices> {
        let crates = self.linked(package)?;
        let mut contents = Contents::default();
        for linked in &crates {
            contents.add(linked.title(), linked.texts(&self.workspace)?);
        }
        for (title, texts) in self.embedded(package)? {
            contents.add(title, texts);
        }
        if self.target.as_ref().is_some_and(|target| target.ends_with("-musl")) {
            contents.add(embedded::MUSL.to_owned(), texts::of_authors("MIT", embedded::MUSL_AUTHORS, &self.workspace)?);
        }
        contents.add(embedded::RUST.to_owned(), self.rust_library()?);
        Ok(contents.into_notices(package))
    }
}

/// Linked parts in order, each with the numbers of its texts; the same text stands once.
#[derive(Default)]
struct Contents {
    parts: Vec<(String, Vec<usize>)>,
    texts: Vec<String>,
    /// The numbers of texts by their words: line breaks and margins differ.
    numbers: BTreeMap<String, usize>,
}

impl Contents {
    fn add(&mut self, title: String, texts: Vec<Text>) {
        let mut numbers: Vec<usize> = texts.into_iter().map(|text| self.number_of(text)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        self.parts.push((title, numbers));
    }

    fn number_of(&mut self, Text(text): Text) -> usize {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        *self.numbers.entry(words).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len()
        })
    }

    fn into_notices(self, package: &str) -> Notices {
        let mut text = format!(
            "{package} is made of the parts below. Behind each stand its licence, and the numbers of the texts that hold its\n\
             copyright notices and the terms of its licence; where a part offers several licences, the texts of all are here.\n\n"
        );
        for (title, numbers) in &self.parts {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            let _ = writeln!(
                text,
                "{title}: {}",
                if numbers.is_empty() { "no text".to_owned() } else { numbers.join(", ") }
            );
        }
        for (place, license_text) in self.texts.iter().enumerate() {
            let _ = write!(text, "\n{:=<100}\n{license_text}\n", format!("== Text {} ", place + 1));
        }
        let without = self.parts.into_iter().filter(|(_, numbers)| numbers.is_empty());
        Notices { text, without_text: without.map(|(title, _)| title).collect() }
    }
}
