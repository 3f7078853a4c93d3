//! Labels of a figure, in no language yet: messages with their numbers, and words of the caller.

use std::borrow::Cow;
use std::fmt;

use super::message::{Message, filled};
use super::text::{TextStyle, Translatable, grouped};

impl Message {
    /// The message with its numbers, as they are written in English.
    pub fn with<N: Into<String>>(self, numbers: impl IntoIterator<Item = N>) -> Label {
        Label::Message(self, numbers.into_iter().map(Into::into).collect())
    }

    /// The message about something of this name, which no language changes.
    pub fn named(self, name: impl Into<String>) -> Label {
        Label::Named(self, name.into())
    }

    /// The message with a whole number.
    pub fn count(self, number: usize) -> Label {
        self.with([grouped(number as u64)])
    }
}

/// A text of a figure, in no language yet.
#[derive(Clone, PartialEq, Eq)]
pub enum Label {
    /// Words of the caller: a name, or an English phrase for which a language may have another.
    Given(String),
    /// A message, with its numbers.
    Message(Message, Vec<String>),
    /// A message about something that has a name, such as a level.
    Named(Message, String),
    /// Several with commas between them.
    Parts(Vec<Label>),
}

impl Default for Label {
    fn default() -> Self {
        Self::none()
    }
}

impl Label {
    /// A text that is the same in all languages: one of a figure that has no other, or of a user.
    pub fn untranslated(text: impl Into<String>) -> Self {
        Self::Given(text.into())
    }

    /// No text.
    pub fn none() -> Self {
        Self::Given(String::new())
    }

    /// Words of the caller, or else a message.
    pub fn given_or(label: &Self, message: Message) -> Self {
        if label.is_empty() { message.into() } else { label.clone() }
    }

    /// The English text.
    pub fn english(&self) -> String {
        match self {
            Self::Given(text) => text.clone(),
            Self::Message(message, numbers) => filled(message.english(), numbers.iter().map(String::as_str)),
            Self::Named(message, name) => named(message.english(), name),
            Self::Parts(parts) => parts.iter().map(Self::english).collect::<Vec<_>>().join(", "),
        }
    }

    /// `true` if there is nothing to read.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Given(text) if text.trim().is_empty())
    }
}

impl From<Message> for Label {
    fn from(message: Message) -> Self {
        Self::Message(message, Vec::new())
    }
}

impl From<&Label> for Label {
    fn from(label: &Label) -> Self {
        label.clone()
    }
}

/// The English text.
impl fmt::Display for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.english())
    }
}

/// The English text in quotes, as a fault names it.
impl fmt::Debug for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.english(), formatter)
    }
}

/// Words of the caller. There is no label from a `&str`: what a chart says itself is a message.
impl From<&String> for Label {
    fn from(text: &String) -> Self {
        Self::Given(text.clone())
    }
}

impl Translatable for Label {
    fn translated(&self, font: &TextStyle) -> Cow<'_, str> {
        match (self, font.language()) {
            (Self::Given(text), _) => text.translated(font),
            (label, None) => Cow::Owned(label.english()),
            (Self::Message(message, numbers), Some(language)) => Cow::Owned(language.say(*message, numbers)),
            (Self::Named(message, name), Some(language)) => Cow::Owned(named(&language.say(*message, &[]), name)),
            (Self::Parts(parts), _) => {
                Cow::Owned(parts.iter().map(|part| part.translated(font)).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl Translatable for Message {
    fn translated(&self, font: &TextStyle) -> Cow<'_, str> {
        font.language().map_or(Cow::Borrowed(self.english()), |language| Cow::Owned(language.say(*self, &[])))
    }
}

/// A text with a name in place of its `*`.
fn named(text: &str, name: &str) -> String {
    text.replacen('*', name, 1)
}

/// A note on one thing or on several, with their number; none on nothing.
pub(super) fn note(number: usize, singular: Message, plural: Message) -> Option<Label> {
    (number > 0).then(|| if number == 1 { singular } else { plural }.count(number))
}
