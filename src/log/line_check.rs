//! The checksum of a recorded line: its last field, by which a line that was damaged, cut off or changed is known.
//!
//! `{"a":1}` is written as `{"a":1,"crc32":"xxxxxxxx"}`. The eight digits are the CRC-32 (ISO-HDLC, as gzip has it) of the bytes
//! before the comma that precedes the field, in hexadecimal. It notices each change of up to 32 bits that stand together.

/// The name of the field.
#[cfg_attr(not(test), expect(dead_code, reason = "the reader of logs is to use it"))]
pub(crate) const FIELD: &str = "crc32";

/// What stands before the digits, and behind them.
const BEFORE: &[u8] = br#","crc32":""#;
const BEHIND: &[u8] = br#""}"#;
const DIGITS: usize = 8;

/// What the checksum of a line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// It has none.
    Absent,
    /// The line is as it was written.
    Whole,
    /// It is not: its bytes or its end are others.
    Wrong,
}

/// Adds the checksum to an object of JSON that has a field at least, and ends the line.
pub(crate) fn sign(line: &mut Vec<u8>) {
    debug_assert!(line.len() > 2 && line.ends_with(b"}"), "an object of JSON");
    line.pop();
    let sum = crc32fast::hash(line);
    line.extend_from_slice(BEFORE);
    line.extend_from_slice(format!("{sum:08x}").as_bytes());
    line.extend_from_slice(BEHIND);
    line.push(b'\n');
}

/// Checks a line with its end, which may be that of Windows: one without an end was not written to it.
pub(crate) fn check(line: &[u8]) -> Checked {
    if let Some(text) = line.strip_suffix(b"\n") {
        return found(text.trim_ascii_end());
    }
    // Another byte may stand where the end was.
    let shorter = line.split_last().map_or(line, |(_, shorter)| shorter);
    match [line, shorter].map(found) {
        [Checked::Absent, Checked::Absent] => Checked::Absent,
        _ => Checked::Wrong,
    }
}

/// Whether bytes hold a whole checksum, so that a line which was written to its end is among them.
pub(crate) fn has_sum(bytes: &[u8]) -> bool {
    bytes.windows(BEFORE.len() + DIGITS + BEHIND.len()).any(|part| part.starts_with(BEFORE))
}

/// What the checksum of a line without its end tells.
fn found(text: &[u8]) -> Checked {
    let length = BEFORE.len() + DIGITS + BEHIND.len();
    let Some((content, field)) = text.len().checked_sub(length).map(|at| text.split_at(at)) else {
        return Checked::Absent;
    };
    let (before, rest) = field.split_at(BEFORE.len());
    let (digits, behind) = rest.split_at(DIGITS);
    let is_field = before == BEFORE && behind == BEHIND;
    // A field whose name was damaged is told by its digits.
    let is_sum = digits == format!("{:08x}", crc32fast::hash(content)).as_bytes();
    match (is_field, is_sum) {
        (true, true) => Checked::Whole,
        (false, false) => Checked::Absent,
        _ => Checked::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(content: &str) -> Vec<u8> {
        let mut line = content.as_bytes().to_vec();
        sign(&mut line);
        line
    }

    #[test]
    fn the_sum_is_that_of_the_standard() {
        // "123456789" has the CRC-32 cbf43926 (the check value of CRC-32/ISO-HDLC).
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
        // python3 -c 'import zlib; print("%08x" % zlib.crc32(b"{\"a\":1"))'
        assert_eq!(signed("{\"a\":1}"), b"{\"a\":1,\"crc32\":\"a702fc6e\"}\n");
    }

    #[test]
    fn each_flip_and_each_cut_is_noticed() {
        let line = signed("{\"participant\":\"Zoë\",\"seq\":0}");
        assert_eq!(check(&line), Checked::Whole);
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut flipped = line.clone();
                flipped[at] ^= 1 << bit;
                assert_eq!(check(&flipped), Checked::Wrong, "bit {bit} of byte {at}");
            }
            // A piece of a line is no JSON; that it has no checksum tells nobody anything.
            assert_ne!(check(&line[..at]), Checked::Whole, "cut at {at}");
        }
        assert_eq!(check(&line[..line.len() - 1]), Checked::Wrong, "without its end");
    }

    #[test]
    fn lines_without_one_are_told_from_lines_that_were_changed() {
        assert_eq!(check(b"{\"participant\":\"P1\",\"action\":\"A+1\"}\n"), Checked::Absent);
        assert_eq!(check(b"\n"), Checked::Absent);
        assert_eq!(check(b"{\"a\":2,\"crc32\":\"00000000\"}\n"), Checked::Wrong);
        let windows = [signed("{\"a\":1}").trim_ascii_end(), b"\r\n"].concat();
        assert_eq!(check(&windows), Checked::Whole);
    }
}
