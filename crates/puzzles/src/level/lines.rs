//! The lines of a text file of levels: blank, comment, setting or content.

/// One line, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The text of the line.
    pub text: &'a str,
    /// Where the line starts in the text, in bytes.
    pub start: usize,
    /// What the line is.
    pub kind: LineKind<'a>,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind<'a> {
    /// Nothing but white space.
    Blank,
    /// Starts with `#` and is no setting.
    Comment,
    /// `# key: value` or `key: value`.
    Setting {
        /// The word before the colon, as written.
        key: &'a str,
        /// What follows the colon, without white space around it.
        value: &'a str,
        /// Where the value starts in the text, in bytes.
        value_start: usize,
        /// Whether the line starts with `#`, so that an unknown key is a mere comment.
        hashed: bool,
    },
    /// Anything else.
    Content,
}

/// The lines of a text; `\n` and `\r\n` end a line.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let trimmed = line.strip_suffix('\n').unwrap_or(line);
        let trimmed = trimmed.strip_suffix('\r').unwrap_or(trimmed);
        let result = Line { text: trimmed, start, kind: kind(trimmed, start) };
        start += line.len();
        result
    })
}

fn kind(line: &str, start: usize) -> LineKind<'_> {
    let trimmed = line.trim();
    if trimmed.is_empty() {
        return LineKind::Blank;
    }
    let hashed = trimmed.starts_with('#');
    let setting = trimmed.trim_start_matches('#').split_once(':').and_then(|(key, value)| {
        let key = key.trim();
        let is_word = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '_');
        is_word.then(|| {
            let value_start = start + line.trim_end().len() - value.trim_start().len();
            LineKind::Setting { key, value: value.trim(), value_start, hashed }
        })
    });
    setting.unwrap_or(if hashed { LineKind::Comment } else { LineKind::Content })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_distinguished() {
        let text = "# a remark\r\n# id: first\r\n\r\n ..AA\nexit:right 3";
        let kinds: Vec<_> = lines(text).map(|line| line.kind).collect();
        assert_eq!(
            kinds,
            [
                LineKind::Comment,
                LineKind::Setting { key: "id", value: "first", value_start: 18, hashed: true },
                LineKind::Blank,
                LineKind::Content,
                LineKind::Setting { key: "exit", value: "right 3", value_start: 38, hashed: false },
            ]
        );
        assert_eq!(&text[18..23], "first");
        assert_eq!(&text[38..], "right 3");
    }
}
