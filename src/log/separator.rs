//! What separates the fields of a delimited file.

/// The byte between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Separator(pub u8);

impl Separator {
    /// The one of comma, semicolon and tab that the header has most often outside quotes, or the one that the file
    /// tells itself.
    pub(super) fn guess(start: &[u8]) -> Self {
        if let Some((mark, _)) = declared_separator(start) {
            return Self(mark);
        }
        let mut counts = [(0, b','), (0, b';'), (0, b'\t')];
        let mut quoted = false;
        for &byte in start.iter().skip_while(|byte| byte.is_ascii_whitespace()) {
            match byte {
                b'"' => quoted = !quoted,
                b'\n' if !quoted => break,
                _ if !quoted => counts.iter_mut().filter(|(_, mark)| *mark == byte).for_each(|(n, _)| *n += 1),
                _ => {}
            }
        }
        // Of equal counts `max_by_key` takes the last; a comma is what "CSV" promises.
        Self(counts.into_iter().rev().max_by_key(|(n, _)| *n).map_or(b',', |(_, mark)| mark))
    }
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
        assert_eq!(Separator::guess(b"sep=;,b\n"), Separator(b','), "a header that only begins so");
    }
}
