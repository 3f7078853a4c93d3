//! The text of a level of a scripted puzzle: its lines and its settings.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::game::LevelText;
use crate::level::Origin;
use crate::level::lines::{LineKind, lines};

/// A level as the script gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// The lines without comments and settings, joined by line ends.
    pub text: String,
    /// The same lines; those of a level on one line are the parts between `/`.
    pub rows: Vec<String>,
    pub settings: BTreeMap<String, String>,
}

/// A line `key: value`.
struct Setting<'a> {
    key: &'a str,
    value: &'a str,
    line: Range<usize>,
    hashed: bool,
}

/// Reads a level. Of its settings, `known` lists those that it may have with their defaults, and `options` those
/// that hold for all levels unless a level says otherwise.
///
/// # Errors
///
/// A setting that is not known, or that is there twice.
pub(super) fn read(
    level: &LevelText,
    known: Option<&BTreeMap<String, String>>,
    options: &BTreeMap<String, String>,
) -> Result<Level, Vec<Diagnostic>> {
    let origin = Origin::new(level.text, level.source, level.span.start);
    let mut rows: Vec<&str> = Vec::new();
    let mut written = Vec::new();
    for line in lines(level.text) {
        match line.kind {
            LineKind::Comment => {}
            LineKind::Setting { key, .. } if key.eq_ignore_ascii_case("id") => {}
            LineKind::Setting { key, value, hashed, .. } => {
                written.push(Setting { key, value, line: line.start..line.start + line.text.len(), hashed });
            }
            LineKind::Blank | LineKind::Content => rows.push(line.text.trim_end()),
        }
    }
    let n_blank = rows.iter().take_while(|row| row.is_empty()).count();
    rows.drain(..n_blank);
    rows.truncate(rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1));
    let text = rows.join("\n");
    let rows = match rows.as_slice() {
        [row] => row.split('/').map(str::to_owned).collect(),
        rows => rows.iter().map(|&row| row.to_owned()).collect(),
    };
    Ok(Level { text, rows, settings: settings(&origin, &written, known, options)? })
}

fn settings(
    origin: &Origin,
    written: &[Setting],
    known: Option<&BTreeMap<String, String>>,
    options: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Vec<Diagnostic>> {
    let mut settings = known.cloned().unwrap_or_default();
    settings.extend(options.iter().map(|(key, value)| (key.clone(), value.clone())));
    let mut seen_keys = Vec::new();
    let mut faults = Vec::new();
    for Setting { key, value, line, hashed } in written {
        let key = key.to_ascii_lowercase();
        if let Some(known) = known.filter(|known| !known.contains_key(&key)) {
            if !hashed {
                let fault = origin.error("unknown-setting", line.clone(), format!("{key:?} is not a setting"));
                faults.push(fault.with_help(format!("{}; a remark starts with #", listed(known))));
            }
        } else if seen_keys.contains(&key) {
            let fault = origin.error("repeated-setting", line.clone(), format!("the setting {key:?} is there twice"));
            let help = "if a new level begins here, give it a name of its own in a line `# id: name`";
            faults.push(fault.with_help(help));
        } else {
            settings.insert(key.clone(), (*value).to_owned());
            seen_keys.push(key);
        }
    }
    if faults.is_empty() { Ok(settings) } else { Err(faults) }
}

/// The settings of a script, as a help shows them.
pub(super) fn listed(known: &BTreeMap<String, String>) -> String {
    if known.is_empty() {
        return "the script has no settings".to_owned();
    }
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    format!("the settings of the script are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceText;
    use std::sync::Arc;

    fn level(text: &str, known: Option<&[(&str, &str)]>) -> Result<Level, Vec<Diagnostic>> {
        let source = Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() });
        let map =
            |pairs: &[(&str, &str)]| pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        let known: Option<BTreeMap<String, String>> = known.map(map);
        let options = map(&[("tap", "given")]);
        read(&LevelText { text, source: &source, span: 0..text.len() }, known.as_ref(), &options)
    }

    #[test]
    fn lines_and_settings_are_distinguished() {
        let read = level("# id: a\n# a remark\nCapacities: 8 5 3\n\n  xx \n.x\n", None).unwrap();
        assert_eq!(read.text, "  xx\n.x");
        assert_eq!(read.rows, ["  xx", ".x"]);
        assert_eq!(
            read.settings.into_iter().collect::<Vec<_>>(),
            [("capacities".to_owned(), "8 5 3".to_owned()), ("tap".to_owned(), "given".to_owned()),]
        );
        let read = level("ab/c", None).unwrap();
        assert_eq!((read.text.as_str(), read.rows), ("ab/c", vec!["ab".to_owned(), "c".to_owned()]));
        let sokoban = level("# id: a\n# a remark\n#####\n#@$.#\n#####\n", None).unwrap();
        assert_eq!(sokoban.rows, ["#####", "#@$.#", "#####"]);
        assert_eq!(level("goal: 4", None).unwrap().rows, Vec::<String>::new());
    }

    #[test]
    fn a_level_comes_before_the_study_and_the_study_before_the_script() {
        let known: &[(&str, &str)] = &[("tap", "script"), ("goal", "script")];
        let settings = |text: &str| level(text, Some(known)).unwrap().settings;
        assert_eq!(settings("x")["tap"], "given");
        assert_eq!(settings("tap: level")["tap"], "level");
        assert_eq!(settings("x")["goal"], "script");
    }

    #[test]
    fn unknown_and_repeated_settings_are_faults() {
        let known: &[(&str, &str)] = &[("goal", ""), ("tap", "")];
        let faults = level("goal: 4\n# see: elsewhere\ntop: yes\nGOAL: 5\n", Some(known)).unwrap_err();
        let messages: Vec<String> = faults.iter().map(Diagnostic::to_string).collect();
        assert_eq!(
            messages,
            [
                "levels.txt:3:1: \"top\" is not a setting [unknown-setting] (the settings of the script are goal, tap; \
                 a remark starts with #)",
                "levels.txt:4:1: the setting \"goal\" is there twice [repeated-setting] (if a new level begins \
                 here, give it a name of its own in a line `# id: name`)",
            ]
        );
    }
}
