//! Marks of single pieces in lists, beside their places: which one is red, and what plymap does not use.

use std::ops::Range;

use plymap_expression::is_missing;

use super::field::{Field, TextDiagnostic};
use super::red_name::DefaultRed;
use super::setup::Setup;
use crate::level::compact_name;

/// Names of columns and keys that say of a piece whether it is the red one, without `is` before them.
const FLAGS: [&str; 10] =
    ["red", "target", "player", "main", "goal", "hero", "redcar", "targetcar", "playercar", "redpiece"];

/// Names of columns and keys whose value tells the red piece if it is one of [`KINDS`].
const DESCRIBED: [&str; 7] = ["color", "colour", "farbe", "couleur", "type", "kind", "role"];

/// Values that tell the red piece, in lower case.
const KINDS: [&str; 8] = ["red", "rot", "rouge", "#f00", "#ff0000", "target", "player", "hero"];

/// Marks of the pieces of a list, beside their names and places.
#[derive(Default)]
pub(super) struct Marks {
    /// The pieces that are said to be red: their index among those that could be read, and where it stands.
    red: Vec<(Option<usize>, Range<usize>)>,
    /// Names of columns or keys that are not used, each once.
    unused: Vec<String>,
}

impl Marks {
    /// Takes note of a column or key of a piece; `at` is the index that the piece has if it can be read.
    pub fn add(&mut self, name: &str, field: &Field, at: Option<usize>) -> Result<(), TextDiagnostic> {
        match is_red(name, field)? {
            Some(true) => self.red.push((at, field.span.clone())),
            Some(false) => {}
            None => self.not_used(name),
        }
        Ok(())
    }

    /// Takes note of a column or key that is not used.
    pub fn not_used(&mut self, name: &str) {
        if !self.unused.iter().any(|known| known == name) {
            self.unused.push(name.to_owned());
        }
    }

    /// Tells the setup which piece is red, and what is not used.
    pub fn apply(self, setup: &mut Setup, span: impl Fn(Range<usize>) -> Range<usize>) {
        if !self.unused.is_empty() {
            let names: Vec<String> = self.unused.iter().map(|name| format!("{name:?}")).collect();
            setup.remarks.push(format!("of the pieces, {} is not used", names.join(", ")));
        }
        if setup.settings.red.is_some() {
            return;
        }
        match self.red.as_slice() {
            [] => {}
            [(only, _)] => setup.red = DefaultRed::At(*only),
            [.., (_, last)] => {
                setup.red = DefaultRed::At(None);
                let message = format!("{} pieces are said to be the red one", self.red.len());
                let help = "mark one piece, or name it with `red`";
                setup.fault("ambiguous-red-piece", span(last.clone()), message, "another one", help);
            }
        }
    }
}

/// The answer of a column or key to the question if its piece is the red one; absent where it speaks of something else.
fn is_red(name: &str, field: &Field) -> Result<Option<bool>, TextDiagnostic> {
    let (name, value) = (compact_name(name), field.text.trim().to_lowercase());
    if DESCRIBED.contains(&name.as_str()) {
        return Ok(Some(KINDS.contains(&value.as_str())));
    }
    if !FLAGS.contains(&name.strip_prefix("is").unwrap_or(&name)) {
        return Ok(None);
    }
    match value.as_str() {
        "1" | "true" | "t" | "yes" | "y" | "x" | "red" => Ok(Some(true)),
        "0" | "false" | "f" | "no" | "n" | "-" => Ok(Some(false)),
        _ if is_missing(field.text) => Ok(Some(false)),
        _ => Err(TextDiagnostic {
            code: "bad-mark",
            span: field.span.clone(),
            message: format!("{:?} does not say whether the piece is the red one", field.text),
            help: "write 1 or true for the red piece, 0 or false for the others; or rename what is a remark",
        }),
    }
}
