//! The checksum of a text of JSON: its last field, by which a text that was damaged, cut off or changed is known.
//!
//! A recorded line `{"a":1}` is written as `{"a":1,"crc32":"xxxxxxxx"}`; a document over several lines has the field in the last of
//! them. The eight digits are the CRC-32 (ISO-HDLC, as gzip has it) of the bytes before the comma that precedes the field, in
//! hexadecimal. It notices each change of up to 32 bits that stand together.

/// The name of the field.
pub const FIELD: &str = "crc32";

const DIGITS: usize = 8;

/// Text around the digits.
struct Layout {
    before: &'static [u8],
    behind: &'static [u8],
    /// End of the text without the field.
    end: &'static [u8],
}

/// A line of a log.
const LINE: Layout = Layout { before: br#","crc32":""#, behind: br#""}"#, end: b"}" };

/// A document, as serde_json writes it for people.
const DOCUMENT: Layout = Layout { before: b",\n  \"crc32\": \"", behind: b"\"\n}", end: b"\n}" };

/// Result of the check of a text by its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The text has no checksum.
    Absent,
    /// The text is as it was written.
    Whole,
    /// The text is damaged: its bytes or its end are others.
    Wrong,
}

/// Adds the checksum to an object of JSON that has a field at least, and ends the line.
pub fn sign(line: &mut Vec<u8>) {
    LINE.sign(line);
}

/// Adds the checksum to an object of JSON over several lines that has a field at least, and ends its last line.
pub fn sign_document(text: &mut Vec<u8>) {
    DOCUMENT.sign(text);
}

/// Checks a line with its end, which may be that of Windows: one without an end was not written to it.
pub fn check(line: &[u8]) -> Checked {
    LINE.check(line)
}

/// Checks a document, likewise.
pub fn check_document(text: &[u8]) -> Checked {
    DOCUMENT.check(text)
}

/// Returns true if bytes hold a whole checksum, so that a line which was written to its end is among them.
pub fn has_sum(bytes: &[u8]) -> bool {
    bytes.windows(LINE.length()).any(|part| part.starts_with(LINE.before))
}

impl Layout {
    const fn length(&self) -> usize {
        self.before.len() + DIGITS + self.behind.len()
    }

    fn sign(&self, text: &mut Vec<u8>) {
        debug_assert!(text.len() > self.end.len() + 1 && text.ends_with(self.end), "an object of JSON");
        text.truncate(text.len() - self.end.len());
        let sum = crc32fast::hash(text);
        text.extend_from_slice(self.before);
        text.extend_from_slice(format!("{sum:08x}").as_bytes());
        text.extend_from_slice(self.behind);
        text.push(b'\n');
    }

    fn check(&self, text: &[u8]) -> Checked {
        if let Some(text) = text.strip_suffix(b"\n") {
            return self.found(text.trim_ascii_end());
        }
        // Another byte may stand where the end was.
        let shorter = text.split_last().map_or(text, |(_, shorter)| shorter);
        match [text, shorter].map(|text| self.found(text)) {
            [Checked::Absent, Checked::Absent] => Checked::Absent,
            _ => Checked::Wrong,
        }
    }

    /// Checks a text without its line end.
    fn found(&self, text: &[u8]) -> Checked {
        let Some((content, field)) = text.len().checked_sub(self.length()).map(|at| text.split_at(at)) else {
            return Checked::Absent;
        };
        let (before, rest) = field.split_at(self.before.len());
        let (digits, behind) = rest.split_at(DIGITS);
        let is_field = before == self.before && behind == self.behind;
        // A field whose name was damaged is told by its digits; where they are none, nothing is to be computed.
        let are_digits = digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        let is_sum = are_digits && digits == format!("{:08x}", crc32fast::hash(content)).as_bytes();
        match (is_field, is_sum) {
            (true, true) => Checked::Whole,
            (false, false) => Checked::Absent,
            _ => Checked::Wrong,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_noticed;

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
    fn each_flip_of_a_document_is_noticed() {
        let mut text = serde_json::to_vec_pretty(&serde_json::json!({ "a": [1, 2], "b": "Zoë" })).unwrap();
        sign_document(&mut text);
        assert!(text.ends_with(b"\"\n}\n") && serde_json::from_slice::<serde_json::Value>(&text).is_ok());
        let read = |text: &[u8]| (check_document(text) != Checked::Wrong).then(|| text.to_vec());
        assert_eq!(assert_noticed(&text, &text, read), 8 * text.len());
        assert_eq!(check_document(&text[..text.len() - 1]), Checked::Wrong, "without its end");
        assert_eq!(check_document(b"{\n  \"a\": 1\n}\n"), Checked::Absent);
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
