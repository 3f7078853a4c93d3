//! The aim of a level in one sentence, for those who play it.

use serde::{Deserialize, Serialize};

/// The aim of a level, one sentence in each language of the page on which people play; all empty where the rules give none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aim {
    /// English.
    pub en: String,
    /// German.
    pub de: String,
    /// French.
    pub fr: String,
}

impl Aim {
    /// An aim from its sentences in English, German and French.
    pub fn new(en: impl Into<String>, de: impl Into<String>, fr: impl Into<String>) -> Self {
        Self { en: en.into(), de: de.into(), fr: fr.into() }
    }

    /// The same sentence in all languages, in whichever it is.
    pub fn in_one_language(sentence: &str) -> Self {
        Self::new(sentence, sentence, sentence)
    }
}
