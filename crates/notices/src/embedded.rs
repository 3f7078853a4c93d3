//! Parts that are built in beside crates: C that crates carry under licences of its own, and Rust's
//! own library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::build::Build;
use crate::linked::Crate;
use crate::texts::Text;

/// The title of Rust's own library.
pub const RUST: &str = "Rust's own library (MIT OR Apache-2.0, and others for what it is made of)";

/// The title of the library of C that Rust brings where a program needs none of the system, and whose it is.
pub const MUSL: &str = "musl (MIT)";
pub const MUSL_AUTHORS: &str = "2005-2020 Rich Felker, et al.";

/// A part that a crate carries, which may be needed for the build only.
struct Part {
    name: &'static str,
    licence: &'static str,
    /// The crate that carries it.
    within: &'static str,
    /// Its notices among the sources of the crate.
    texts: fn(&Path) -> io::Result<Vec<Text>>,
}

const PARTS: [Part; 2] = [
    Part { name: "Lua", licence: "MIT", within: "lua-src", texts: lua },
    Part { name: "SQLite", licence: "in the public domain", within: "libsqlite3-sys", texts: sqlite },
];

impl Build {
    /// Returns the parts that crates of a package carry, each with its title and texts.
    pub(crate) fn embedded(&self, package: &str) -> io::Result<Vec<(String, Vec<Text>)>> {
        let crates = self.crates(package, "normal,build")?;
        let mut embedded = Vec::new();
        for part in PARTS {
            let carriers: Vec<&Crate> = crates.iter().filter(|carrier| carrier.name == part.within).collect();
            for carrier in carriers {
                let texts = carrier.folder.as_deref().map(part.texts).transpose()?.unwrap_or_default();
                embedded
                    .push((format!("{} in {} {} ({})", part.name, carrier.name, carrier.version, part.licence), texts));
            }
        }
        Ok(embedded)
    }

    /// The notices of Rust's own library, as the compiler brings them; where it does not, what they begin with.
    pub(crate) fn rust_library(&self) -> io::Result<Vec<Text>> {
        let output = Command::new(&self.rustc).args(["--print", "sysroot"]).output()?;
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        match fs::read_to_string(folder.join("share/doc/rust/COPYRIGHT-library.html")) {
            Ok(page) => Ok(texts_of_page(&page)),
            Err(_) => Ok(vec![Text::new(
                "Copyright (c) The Rust Project Developers (see https://thanks.rust-lang.org)\n\
                 The Rust Standard Library is dual-licensed under Apache 2.0 and MIT terms.",
            )]),
        }
    }
}

/// The comment at the end of `lua.h`, of the version that is built.
fn lua(folder: &Path) -> io::Result<Vec<Text>> {
    let mut versions: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    versions
        .retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("lua-5.4")));
    let mut texts = Vec::new();
    for version in versions {
        let header = String::from_utf8_lossy(&fs::read(version.join("lua.h"))?).into_owned();
        let notice = header.rfind("* Copyright (C)").and_then(|begin| header[begin..].split_once("****"));
        if let Some((notice, _)) = notice {
            let lines = notice.lines().map(|line| line.trim_start_matches('*').trim());
            texts.push(Text::new(&lines.collect::<Vec<_>>().join("\n")));
        }
    }
    Ok(texts)
}

/// SQLite has no licence, and says so.
fn sqlite(folder: &Path) -> io::Result<Vec<Text>> {
    let header = String::from_utf8_lossy(&fs::read(folder.join("sqlite3/sqlite3.h"))?).into_owned();
    let blessing = header.split_once("/*").and_then(|(_, behind)| behind.split_once("****"));
    Ok(blessing.map(|(text, _)| uncommented(text)).into_iter().collect())
}

/// The text of a comment in C or JavaScript without what marks its lines.
fn uncommented(comment: &str) -> Text {
    let lines = comment.lines().map(|line| line.trim_start().trim_start_matches('*'));
    Text::new(&lines.collect::<Vec<_>>().join("\n"))
}

/// The texts of a page: what is said in it, and the licences that stand in blocks of their own.
fn texts_of_page(page: &str) -> Vec<Text> {
    let mut said = String::new();
    let mut texts = Vec::new();
    for part in page.split("<pre>") {
        let rest = match part.split_once("</pre>") {
            Some((licence, rest)) => {
                texts.push(Text::new(&unescaped(licence)));
                rest
            }
            None => part,
        };
        said.push_str(&without_tags(rest));
    }
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    texts.insert(0, Text::new(&unescaped(&lines.collect::<Vec<_>>().join("\n"))));
    texts
}

fn without_tags(page: &str) -> String {
    page.split('<')
        .enumerate()
        .map(|(place, part)| if place == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) })
        .collect()
}

fn unescaped(text: &str) -> String {
    let letters = [
        ("&#60;", "<"),
        ("&lt;", "<"),
        ("&#62;", ">"),
        ("&gt;", ">"),
        ("&#34;", "\""),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ];
    letters.iter().fold(text.to_owned(), |text, (escaped, letter)| text.replace(escaped, letter))
}
