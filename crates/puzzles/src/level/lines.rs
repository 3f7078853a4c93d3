//! The lines of a text file of levels: blank, comment, setting or content.

use super::json::looks_like_json;

/// One line, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The text of the line.
    pub text: &'a str,
    /// Start of the line in the text, in bytes.
    pub start: usize,
    /// Kind of the line.
    pub kind: LineKind<'a>,
}

/// Kind of a line.
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
        /// Value behind the colon, without white space around it.
        value: &'a str,
        /// Start of the value in the text, in bytes.
        value_start: usize,
        /// `true` if the line starts with `#`, so that an unknown key is a mere comment.
        hashed: bool,
    },
    /// Anything else.
    Content,
}

/// The lines of a text; `\n` and `\r\n` end a line. Lines that begin with `#` are no comments where they draw a board
/// that walls of `#` surround.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let trimmed = line.strip_suffix('\n').unwrap_or(line);
        let trimmed = trimmed.strip_suffix('\r').unwrap_or(trimmed);
        let result = Line { text: trimmed, start, kind: kind(trimmed, start) };
        start += line.len();
        result
    });
    let mut lines: Vec<Line> = lines.collect();
    if text.contains('#') {
        let mut is_drawn = false;
        for run in lines.chunk_by_mut(|this, other| may_be_walled(this) && may_be_walled(other)) {
            let rows: Vec<&str> = run.iter().flat_map(|line| line.text.split('/')).collect();
            if is_walled(&rows) {
                run.iter_mut().for_each(|line| line.kind = LineKind::Content);
                is_drawn = true;
            }
        }
        if is_drawn {
            read_titles(&mut lines);
        }
    }
    lines.into_iter()
}

/// Reads what collections of Sokoban write beside their boards: `; name` or `Title: name` is the name of the level
/// below, and other lines of that kind are remarks. Where they stand below their boards, all of them are remarks,
/// lest a name go to the next level.
fn read_titles(lines: &mut [Line]) {
    let title = |line: &Line<'_>| match (line.text.trim().strip_prefix(';'), &line.kind) {
        (Some(name), _) => Some((true, name.trim().len())),
        (None, LineKind::Setting { key, value, hashed: false, .. }) => {
            let is_known = ["title", "author", "date", "comment", "collection", "copyright", "email"];
            let key = key.to_ascii_lowercase();
            is_known.contains(&key.as_str()).then_some((key == "title", value.len()))
        }
        _ => None,
    };
    let first = |is_wanted: &dyn Fn(&Line<'_>) -> bool| lines.iter().position(is_wanted).unwrap_or(usize::MAX);
    let is_above = first(&|line| title(line).is_some_and(|(is_name, _)| is_name))
        < first(&|line| line.kind == LineKind::Content && title(line).is_none());
    for line in lines {
        let Some((is_name, length)) = title(line) else { continue };
        let (text, end) = (line.text, line.text.trim_end().len());
        line.kind = if is_name && is_above && length > 0 {
            let value_start = line.start + end - length;
            LineKind::Setting { key: "id", value: &text[end - length..end], value_start, hashed: true }
        } else {
            LineKind::Comment
        };
    }
}

/// The marks of levels of Sokoban.
const SOKOBAN: &[u8] = b"#@+$*. -_";

/// `true` if a line may be a row of a board with walls of `#`.
fn may_be_walled(line: &Line) -> bool {
    matches!(line.kind, LineKind::Comment | LineKind::Content) && {
        let row = line.text.trim();
        row.bytes().all(|mark| SOKOBAN.contains(&mark)) || (row.starts_with('#') && row.ends_with('#'))
    }
}

/// `true` if rows draw a board that walls of `#` surround: a player and things to push among the marks of Sokoban, or a
/// rectangle without blanks whose first and last rows are nothing but wall.
fn is_walled(rows: &[&str]) -> bool {
    let rows: Vec<&str> = rows.iter().map(|row| row.trim()).collect();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return false };
    let has = |marks: [char; 2]| rows.iter().any(|row| row.contains(marks));
    let is_wall = |row: &str| row.bytes().all(|mark| mark == b'#');
    let is_sokoban = || {
        let is_mark = |mark: u8| SOKOBAN.contains(&mark);
        rows.iter().all(|row| row.bytes().all(is_mark)) && has(['@', '+']) && has(['$', '*']) && first.contains('#')
    };
    let is_rectangle = || {
        let is_within = |row: &str| row.starts_with('#') && row.ends_with('#') && !row.contains(' ');
        let is_row = |row: &&str| row.len() == first.len() && is_within(row);
        is_wall(first) && is_wall(last) && rows.iter().all(is_row) && !rows.iter().all(|row| is_wall(row))
    };
    rows.len() >= 3 && (is_sokoban() || is_rectangle())
}

/// The JSON behind lines of settings, with blanks instead of them, so that it stands where it stood; absent where no
/// JSON follows.
pub(crate) fn json_behind_settings(text: &str) -> Option<String> {
    let content = lines(text).find(|line| line.kind == LineKind::Content)?;
    looks_like_json(content.text).then(|| " ".repeat(content.start) + &text[content.start..])
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
        let kinds = |text: &str| lines(text).map(|line| line.kind == LineKind::Content).collect::<Vec<_>>();
        assert_eq!(kinds("# a remark\n#####\n#@$.#\n#####"), [false, true, true, true]);
        assert_eq!(kinds("  ####\n###  #\n#  $@#\n#.####\n"), [true; 4]);
        assert_eq!(kinds("--####\n###--#\n#--$@#\n#.####\n"), [true; 4]);
        assert_eq!(kinds("#####/#.Aa#/#####"), [true]);
        assert_eq!(kinds("########\n# note #\n########"), [false; 3]);
        assert_eq!(kinds("########\n# note\n#####@#*"), [false; 3]);
        assert_eq!(&text[38..], "right 3");
        let board = "#####\n#@$.#\n#####\n";
        let name = |value, value_start| LineKind::Setting { key: "id", value, value_start, hashed: true };
        let first = |text: &str| lines(text).next().map(|line| format!("{:?}", line.kind)).unwrap_or_default();
        assert_eq!(first(&format!("; 1\n\n{board}")), format!("{:?}", name("1", 2)));
        assert_eq!(first(&format!("Title: a b\n{board}")), format!("{:?}", name("a b", 7)));
        assert_eq!(first(&format!("Author: me\n{board}")), format!("{:?}", LineKind::Comment));
        let below = format!("{board}; 1\n\n{board}Title: 2\n");
        assert!(
            lines(&below).all(|line| !matches!(line.kind, LineKind::Setting { .. })),
            "no name goes to the next level"
        );
    }
}
