//! Encoding of the text of a file.

use super::error::LogError;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use encoding_rs_io::DecodeReaderBytesBuilder;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// The encoding that the study names.
pub(super) fn named(encoding: Option<&str>) -> Result<Option<&'static Encoding>, LogError> {
    let Some(name) = encoding else { return Ok(None) };
    // The web, whose names these are, writes no hyphen in "latin1".
    let encoding =
        Encoding::for_label(name.as_bytes()).or_else(|| Encoding::for_label(name.replace('-', "").as_bytes()));
    encoding.map(Some).ok_or_else(|| LogError::UnknownEncoding { name: name.to_owned() })
}

/// The encoding of a text, from its bytes: by the mark at its beginning; UTF-16 where every second byte is zero; UTF-8
/// where the bytes are such, or most of those beyond ASCII are; and Windows-1252 otherwise, which has the letters of
/// Latin-1 in it.
pub(super) fn sniff(mut input: impl BufRead) -> io::Result<&'static Encoding> {
    let start = input.fill_buf()?;
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return Ok(encoding);
    }
    let zeros_at = |parity: usize| start.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count() * 5;
    for (parity, encoding) in [(1, UTF_16LE), (0, UTF_16BE)] {
        // Text of western languages has a zero in each pair; a damaged file has some anywhere.
        if start.len() >= 4 && zeros_at(parity) > start.len() && zeros_at(1 - parity) * 10 < start.len() {
            return Ok(encoding);
        }
    }
    let (mut n_letters, mut n_broken) = (0u64, 0u64);
    let mut rest: Vec<u8> = Vec::new();
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let n = chunk.len();
        if rest.is_empty() && chunk.is_ascii() {
            input.consume(n);
            continue;
        }
        rest.extend_from_slice(chunk);
        input.consume(n);
        let kept = count(&rest, &mut n_letters, &mut n_broken);
        rest.drain(..rest.len() - kept);
    }
    n_broken += u64::from(!rest.is_empty());
    Ok(if n_broken > n_letters { WINDOWS_1252 } else { UTF_8 })
}

/// Counts letters of several bytes, and bytes that belong to none; how many bytes at the end may be half of one.
fn count(bytes: &[u8], n_letters: &mut u64, n_broken: &mut u64) -> usize {
    let mut rest = bytes;
    loop {
        let (valid, broken) = match std::str::from_utf8(rest) {
            Ok(text) => (text, None),
            Err(error) => {
                let (valid, behind) = rest.split_at(error.valid_up_to());
                (std::str::from_utf8(valid).unwrap_or_default(), Some((behind, error.error_len())))
            }
        };
        *n_letters += valid.chars().filter(|letter| !letter.is_ascii()).count() as u64;
        match broken {
            None => return 0,
            Some((behind, None)) => return behind.len(),
            Some((behind, Some(length))) => {
                *n_broken += 1;
                rest = &behind[length..];
            }
        }
    }
}

/// The text of `input` as UTF-8.
pub(super) fn decoded<'p>(
    input: Box<dyn BufRead + 'p>,
    encoding: &'static Encoding,
) -> io::Result<Box<dyn BufRead + 'p>> {
    if encoding == UTF_8 {
        // Bytes that are no text are found row by row.
        return Ok(input);
    }
    let mut decoder = DecodeReaderBytesBuilder::new().encoding(Some(encoding)).build(input);
    // The first reads of a decoder give a few bytes only, and what a file is shows in its first line.
    let mut start = Vec::new();
    decoder.by_ref().take(1 << 16).read_to_end(&mut start)?;
    Ok(Box::new(Cursor::new(start).chain(BufReader::with_capacity(1 << 16, decoder))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniffed(bytes: &[u8]) -> &'static Encoding {
        // A small buffer, so that letters lie across its end.
        sniff(BufReader::with_capacity(7, bytes)).unwrap()
    }

    #[test]
    fn the_encoding_is_seen_from_the_bytes() {
        assert_eq!(sniffed(b"level,action\neasy,A+1\n"), UTF_8);
        assert_eq!(sniffed("Rätsel;Jürgen;größer".as_bytes()), UTF_8);
        assert_eq!(sniffed(b"R\xe4tsel;J\xfcrgen\n"), WINDOWS_1252);
        assert_eq!(sniffed(b"\xff\xfel\0e\0v\0"), UTF_16LE);
        assert_eq!(sniffed(b"l\0e\0v\0e\0l\0"), UTF_16LE);
        assert_eq!(sniffed(b"\0l\0e\0v\0e\0l"), UTF_16BE);
        assert_eq!(sniffed(b"\xef\xbb\xbfR"), UTF_8);
        // One damaged letter among whole ones does not make the others wrong.
        assert_eq!(
            sniffed(
                "Rätsel;J\u{fc}rgen;gr"
                    .as_bytes()
                    .iter()
                    .chain(b"\xf6\xdfer;\xe4")
                    .copied()
                    .collect::<Vec<u8>>()
                    .as_slice()
            ),
            WINDOWS_1252
        );
        assert_eq!(sniffed(&["Rätsel;Jürgen;größer;".as_bytes(), b"\xe4;"].concat()), UTF_8);
    }

    #[test]
    fn names_are_those_that_people_write() {
        let encoding_of = |name: &str| named(Some(name));
        for name in ["latin1", "latin-1", "Latin-1", "iso-8859-1", "windows-1252", "cp1252"] {
            assert_eq!(encoding_of(name).unwrap(), Some(WINDOWS_1252), "{name}");
        }
        assert_eq!(encoding_of("UTF-16LE").unwrap(), Some(UTF_16LE));
        assert!(encoding_of("ansi2").unwrap_err().to_string().contains("is not known"));
    }
}
