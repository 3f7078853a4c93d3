//! Lines of logs that `plymap serve` and its pages recorded: each has a checksum, by which it is known to be as it was
//! written.
//!
//! Lines of other programs have none, and are read as they are.

use super::file_format::strip_bom;
use super::raw::RowDiagnostic;
use plymap_tables::checksum::json;
use plymap_tables::checksum::json::Checked;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, BufRead};

/// Message on a line whose checksum does not fit.
pub(super) const WRONG: &str = "the line is not as it was recorded: its checksum (`crc32`) is another one";

/// Remedy.
pub(super) const REPAIR: &str = "put the file back as it was recorded, or start plymap serve with --repair, which keeps all events \
                                 that follow one another; who changes lines on purpose takes `crc32` out of all lines of their session";

/// Message on a line that has its checksum elsewhere.
pub(super) const REWRITTEN: &str =
    "the line has a checksum (`crc32`) of plymap serve, and is not written as it was recorded";

/// Kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recorded {
    /// It has no checksum.
    Unsigned,
    /// The same, and it is no whole line.
    PartialOutput,
    /// It is as it was recorded.
    Signed,
    /// It is not.
    Wrong,
    /// It has the fields of a recorded line, and is written otherwise.
    Rewritten,
}

/// `true` if a file begins with a line that was recorded, whole or damaged: such a file is UTF-8, whatever its bytes
/// look like.
pub(super) fn begins(input: impl BufRead) -> io::Result<bool> {
    let mut line = Vec::new();
    input.take(MOST_OF_LINE).read_until(b'\n', &mut line)?;
    Ok(matches!(check(strip_bom(&line)), Recorded::Signed | Recorded::Wrong))
}

/// More bytes than a recorded line has.
const MOST_OF_LINE: u64 = 1 << 20;

/// Checks a line, with its end if it has one: the last one may lack it, as where an editor took it away.
pub(super) fn check(line: &[u8]) -> Recorded {
    let is_ended = line.ends_with(b"\n");
    let checked = if is_ended { json::check(line) } else { json::check(&[line, b"\n"].concat()) };
    match checked {
        Checked::Whole => Recorded::Signed,
        Checked::Wrong => Recorded::Wrong,
        Checked::Absent if is_rewritten(line) => Recorded::Rewritten,
        Checked::Absent if is_ended => Recorded::Unsigned,
        // A checksum that is not the end of its line: something was added, or stands in place of the end.
        Checked::Absent if json::has_sum(line) => Recorded::Wrong,
        // No beginning of an object is an object.
        Checked::Absent if serde_json::from_slice::<IgnoredAny>(line).is_ok() => Recorded::Unsigned,
        Checked::Absent => Recorded::PartialOutput,
    }
}

/// `true` if an object has all that a recorded line has, checksum included, wherever that stands.
fn is_rewritten(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Line<'a> {
        #[serde(borrow, rename = "participant")]
        _participant: Cow<'a, str>,
        #[serde(borrow, rename = "session")]
        _session: Cow<'a, str>,
        #[serde(rename = "seq")]
        _seq: u64,
        #[serde(borrow)]
        crc32: Cow<'a, str>,
    }
    let name = json::FIELD.as_bytes();
    line.windows(name.len()).any(|part| part == name)
        && serde_json::from_slice::<Line<'_>>(line)
            .is_ok_and(|line| line.crc32.len() == 8 && line.crc32.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Message on a last line that was not written to its end.
pub(super) fn unfinished_line(line: u64, text: &[u8]) -> RowDiagnostic {
    let rule = format!(
        "line {line}, the last one, was not written to its end, as where a server was killed; it was never confirmed, and is left out"
    );
    RowDiagnostic::new(
        "unfinished-line",
        "",
        &String::from_utf8_lossy(text),
        rule,
        "nothing: plymap serve cuts it off too",
    )
}

/// Sessions of a file, by participant and session.
#[derive(Default)]
pub(super) struct Sessions(HashMap<(String, String), Known>);

struct Known {
    /// The line that came first.
    line: u64,
    is_signed: bool,
    /// The number of the event that is to follow.
    next: u64,
}

#[derive(Deserialize)]
struct Session<'a> {
    #[serde(borrow)]
    participant: Cow<'a, str>,
    #[serde(borrow)]
    session: Cow<'a, str>,
    seq: Option<u64>,
}

impl Sessions {
    /// Takes a line; why its session cannot be trusted.
    pub fn take(&mut self, line: u64, text: &[u8], is_signed: bool) -> Result<(), String> {
        // What tells no session was recorded elsewhere.
        let Ok(Session { participant, session, seq }) = serde_json::from_slice(text) else { return Ok(()) };
        let key = (participant.into_owned(), session.into_owned());
        let who = format_args!("of participant {:?}, session {:?}", key.0, key.1).to_string();
        let known = self.0.entry(key).or_insert(Known { line, is_signed, next: 0 });
        if is_signed != known.is_signed {
            let (with, without) = if is_signed { (line, known.line) } else { (known.line, line) };
            return Err(format!(
                "{who}, line {with} has a checksum (`crc32`) and line {without} has none, so that they were not recorded together"
            ));
        }
        let Some(seq) = seq.filter(|_| is_signed) else { return Ok(()) };
        // Whoever opens a site in another browser begins anew.
        if seq != known.next && seq != 0 {
            let next = known.next;
            return Err(format!(
                "{who}, event {seq} (`seq`) stands where event {next} was recorded: a line was lost, doubled or moved"
            ));
        }
        known.next = seq + 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Log, LogError, LogSpec, read_log};
    use plymap_puzzles::progress::Silent;
    use plymap_tables::checksum::json::sign;
    use plymap_tables::testing::assert_noticed;

    fn line(participant: &str, seq: u64, is_signed: bool) -> Vec<u8> {
        let text = format!(
            r#"{{"participant":"{participant}","session":"1","seq":{seq},"level":"1","attempt":1,"event":"move","action":"A+1"}}"#
        );
        let mut line = text.into_bytes();
        match is_signed {
            true => sign(&mut line),
            false => line.push(b'\n'),
        }
        line
    }

    fn read(content: &[u8]) -> Result<Log, LogError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("log.ndjson"), content).unwrap();
        let spec = LogSpec { files: vec!["log.ndjson".into()], folder: folder.path().to_owned(), ..LogSpec::default() };
        read_log(&spec, &Silent)
    }

    /// All that was read, and what was said of it.
    fn shown(log: &Log) -> String {
        format!("{} {:?} {} {:?}", log.rows.table(), log.diagnostics, log.n_read, log.empty_columns)
    }

    fn refusal(content: &[u8]) -> String {
        read(content).map(|log| shown(&log)).unwrap_err().to_string()
    }

    #[test]
    fn each_flip_in_a_recorded_log_is_noticed() {
        // A log of ASCII alone is another text with any other byte in it.
        for name in ["P1", "Zoë"] {
            let log = [line(name, 0, true), line(name, 1, true)].concat();
            let whole = shown(&read(&log).unwrap());
            let n_refused = assert_noticed(&log, &whole, |log| read(log).ok().as_ref().map(shown));
            assert_eq!(n_refused, 8 * log.len());
        }
        let mut flipped = [line("Zoë", 0, true), line("Zoë", 1, true)].concat();
        let at = flipped.len() - 60;
        flipped[at] ^= 1;
        let said = refusal(&flipped);
        assert!(
            said.starts_with("log.ndjson:2: the line is not as it was recorded") && said.contains("--repair"),
            "{said}"
        );
    }

    #[test]
    fn a_session_has_each_of_its_lines_once_and_in_order() {
        let lines: Vec<Vec<u8>> = (0..4).map(|seq| line("P1", seq, true)).collect();
        let joined = |order: &[usize]| order.iter().flat_map(|&at| lines[at].clone()).collect::<Vec<u8>>();
        for (order, at, event, next) in
            [(&[0, 1, 3][..], 3, 3, 2), (&[1, 2, 3], 1, 1, 0), (&[0, 1, 1, 2], 3, 1, 2), (&[0, 2, 1, 3], 2, 2, 1)]
        {
            let said = refusal(&joined(order));
            let message = format!(
                "log.ndjson:{at}: of participant \"P1\", session \"1\", event {event} (`seq`) stands where event {next}"
            );
            assert!(said.starts_with(&message), "{said}");
        }
        // Another session between them, an end that is missing, and one that was begun anew.
        let between = [&joined(&[0, 1])[..], &line("P2", 0, true), &joined(&[2]), &joined(&[0, 1])].concat();
        assert_eq!(read(&between).unwrap().n_read, 6);
        // Who takes lines out on purpose takes the checksums out too.
        let unsigned = [0, 2].map(|seq| line("P1", seq, false)).concat();
        assert_eq!(read(&unsigned).unwrap().n_read, 2);
    }

    #[test]
    fn a_checksum_is_checked_wherever_it_stands() {
        let (first, second) = (line("P1", 0, true), line("P1", 1, true));
        let text = |line: &[u8]| String::from_utf8(line.trim_ascii_end().to_vec()).unwrap();
        let (head, tail) = (text(&first), text(&second));
        let spaced = tail.replace(",\"", ", \"");
        let fields = tail.strip_prefix('{').unwrap().strip_suffix('}').unwrap();
        let (rest, sum) = fields.rsplit_once(',').unwrap();
        let moved = format!("{{{sum},{rest}}}");
        for rewritten in [spaced, moved] {
            let changed = rewritten.replace("A+1", "A+2");
            for log in [format!("{head}\n{changed}\n"), format!("[{head},\n{changed}]\n"), format!("{head}\n{changed}")]
            {
                let said = refusal(log.as_bytes());
                assert!(
                    said.starts_with("log.ndjson:2: ") && said.contains("not written as it was recorded"),
                    "{said}"
                );
            }
        }
        // As rows of an array, untouched, and with one that is not.
        let array = read(format!("[{head},\n{tail}]\n").as_bytes()).unwrap();
        assert_eq!((array.n_read, array.rows.table().width()), (2, read(&first).unwrap().rows.table().width()));
        assert!(refusal(format!("[{head},\n{}]", tail.replace("A+1", "A+2")).as_bytes()).starts_with("log.ndjson:2: "));
        // A checksum of somebody else is a column.
        let theirs = r#"{"participant":"P1","level":"1","crc32":"01234567","action":"A+1"}"#;
        let table = read(format!("{theirs}\n").as_bytes()).unwrap().rows.table().get_column_names_owned();
        assert!(table.iter().any(|name| name.as_str() == "crc32"), "{table:?}");
    }

    #[test]
    fn a_checksum_is_no_column() {
        let columns = |log: &[u8]| read(log).unwrap().rows.table().get_column_names_owned();
        assert_eq!(columns(&line("P1", 0, true)), columns(&line("P1", 0, false)));
    }

    #[test]
    fn a_last_line_that_was_never_finished_is_left_out_and_said() {
        let (first, second) = (line("P1", 0, true), line("P1", 1, true));
        for length in 1..second.len() {
            let log = [&first, &second[..length]].concat();
            let is_whole = length == second.len() - 1;
            if !is_whole && second[..length].ends_with(b"}") {
                continue;
            }
            let log = read(&log).unwrap_or_else(|error| panic!("{length}: {error}"));
            let n_said = log.diagnostics.iter().filter(|diagnostic| diagnostic.code == "unfinished-line").count();
            assert_eq!((log.n_read, n_said), if is_whole { (2, 0) } else { (1, 1) }, "{length}");
        }
        // The same of another program is a row that cannot be read, as anywhere else in its file.
        let log = read(&[&line("P1", 0, false)[..], b"{\"participant\":"].concat()).unwrap();
        assert_eq!((log.n_read, log.n_rejected), (2, 1));
        assert!(refusal(&[&first, &second[..second.len() - 1], b" and more"].concat()).starts_with("log.ndjson:2: "));
    }

    #[test]
    fn a_session_has_checksums_in_all_lines_or_in_none() {
        let mixed = [line("P1", 0, true), line("P2", 0, true), line("P1", 1, false)].concat();
        let said = refusal(&mixed);
        let message =
            "log.ndjson:3: of participant \"P1\", session \"1\", line 1 has a checksum (`crc32`) and line 3 has none";
        assert!(said.starts_with(message), "{said}");
        let apart = [line("P1", 0, true), line("P2", 0, false), line("P2", 1, false)].concat();
        assert_eq!(read(&apart).unwrap().n_read, 3);
        // Without its end, and whole: nothing that a server would have begun to write.
        let by_hand = [&line("P1", 0, true)[..], line("P1", 1, false).trim_ascii_end()].concat();
        assert!(refusal(&by_hand).starts_with("log.ndjson:2: of participant"), "{}", refusal(&by_hand));
    }
}
