//! Separator of the fields of a delimited file.

/// The byte between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Separator(pub u8);

impl Separator {
    /// The one of comma, semicolon and tab that the header has most often outside quotes, or the one that the file
    /// tells itself. Lines of `#` above the header tell nothing, nor does a first line that has none of them.
    pub(super) fn guess(start: &[u8]) -> Self {
        if let Some((mark, _)) = declared_separator(start) {
            return Self(mark);
        }
        let behind = |text: &[u8]| text.iter().position(|&byte| byte == b'\n').map(|end| end + 1);
        let mut rest = start.trim_ascii_start();
        while rest.starts_with(b"#")
            && let Some(end) = behind(rest)
            && !rest[end..].trim_ascii().is_empty()
        {
            rest = rest[end..].trim_ascii_start();
        }
        let of_first = most_frequent(rest);
        let of_second = || most_frequent(rest[behind(rest)?..].trim_ascii_start());
        Self(of_first.or_else(of_second).unwrap_or(b','))
    }
}

/// The mark that the first line has most often outside quotes.
fn most_frequent(text: &[u8]) -> Option<u8> {
    let mut counts = [(0, b','), (0, b';'), (0, b'\t')];
    let mut quoted = false;
    for &byte in text {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            _ if !quoted => counts.iter_mut().filter(|(_, mark)| *mark == byte).for_each(|(n, _)| *n += 1),
            _ => {}
        }
    }
    // Of equal counts `max_by_key` takes the last; a comma is what "CSV" promises.
    counts.into_iter().rev().max_by_key(|(n, _)| *n).filter(|(n, _)| *n > 0).map(|(_, mark)| mark)
}

/// The separator that a first line such as `sep=;` tells, as Excel writes and reads it, with the length of that line.
pub(super) fn declared_separator(start: &[u8]) -> Option<(u8, usize)> {
    let rest = start.get(..4).filter(|word| word.eq_ignore_ascii_case(b"sep=")).and(start.get(4..))?;
    match *rest {
        [mark, b'\n', ..] if mark != b'\r' => Some((mark, 6)),
        [mark, b'\r', b'\n', ..] => Some((mark, 7)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_the_most_frequent_of_the_header() {
        assert_eq!(Separator::guess(b"a;b;\"c,d,e,f\"\n1,2,3,4"), Separator(b';'));
        assert_eq!(Separator::guess(b"a\tb\n"), Separator(b'\t'));
        assert_eq!(Separator::guess(b"a\n"), Separator(b','));
        assert_eq!(Separator::guess(b"sep=;\r\na,b\n"), Separator(b';'), "as the file tells");
        assert_eq!(Separator::guess(b"# of a, b, c\n# more\na;b\n"), Separator(b';'), "below what is no header");
        assert_eq!(Separator::guess(b"Section A\n\na\tb\n"), Separator(b'\t'));
        assert_eq!(Separator::guess(b"sep=;,b\n"), Separator(b','), "a header that only begins so");
    }
}
