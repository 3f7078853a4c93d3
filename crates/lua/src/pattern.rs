//! Lua's text patterns, matched in a bounded number of steps.
//!
//! A search may take long, and Lua's own matcher cannot be stopped meanwhile.
//! This one follows the same rules (Lua 5.4 reference manual, section 6.4.1) and counts its steps.

use std::ops::Range;

/// The most captures of a pattern.
const MAX_CAPTURES: usize = 32;

/// Largest depth of repetitions and captures that call each other.
const MAX_DEPTH: usize = 200;

/// So many bytes that are compared at once are one step.
const COMPARED: usize = 16;

/// A part of the text that a match holds on to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// Begun, and not yet ended.
    Open(usize),
    /// From the first byte up to the second, which is not in it.
    Part(usize, usize),
    /// A place in the text, from `()` in the pattern.
    Place(usize),
}

/// Place where a pattern was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub span: Range<usize>,
    pub captures: Vec<Capture>,
}

/// Search for a pattern.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Search {
    /// The byte to start from.
    pub first: usize,
    /// A match that ends here does not count; for repeated searches.
    pub not_to: Option<usize>,
    /// `true` if `^` at the start of the pattern stands for itself.
    pub literal_caret: bool,
}

/// Finds the first match of a pattern. `step` is called for each step, and may stop the search.
///
/// # Errors
///
/// What is wrong with the pattern, or what `step` says.
pub(super) fn find<E: From<String>>(
    text: &[u8],
    pattern: &[u8],
    search: Search,
    step: impl FnMut() -> Result<(), E>,
) -> Result<Option<Match>, E> {
    let anchored = !search.literal_caret && pattern.first() == Some(&b'^');
    let pattern = if anchored { &pattern[1..] } else { pattern };
    let mut matcher = Matcher { text, pattern, captures: Vec::new(), depth: 0, step };
    let last = if anchored { search.first } else { text.len() };
    for start in search.first..=last {
        matcher.captures.clear();
        if let Some(end) = matcher.from(start, 0)?.filter(|&end| Some(end) != search.not_to) {
            if matcher.captures.iter().any(|capture| matches!(capture, Capture::Open(_))) {
                return Err(E::from("the pattern opens a capture that it does not close".to_owned()));
            }
            return Ok(Some(Match { span: start..end, captures: matcher.captures }));
        }
    }
    Ok(None)
}

/// Finds a text as it is.
///
/// # Errors
///
/// What `step` says.
pub(super) fn find_plain<E>(
    text: &[u8],
    wanted: &[u8],
    first: usize,
    mut step: impl FnMut() -> Result<(), E>,
) -> Result<Option<Range<usize>>, E> {
    for start in first..=text.len().saturating_sub(wanted.len()).max(first) {
        step()?;
        let mut length = 0;
        while length < wanted.len() && text.get(start + length) == Some(&wanted[length]) {
            length += 1;
            step()?;
        }
        if length == wanted.len() {
            return Ok(Some(start..start + length));
        }
    }
    Ok(None)
}

struct Matcher<'a, S> {
    text: &'a [u8],
    pattern: &'a [u8],
    captures: Vec<Capture>,
    depth: usize,
    step: S,
}

impl<E: From<String>, S: FnMut() -> Result<(), E>> Matcher<'_, S> {
    /// The end of the match of the pattern from byte `at` on, which begins at byte `place` of the text.
    fn from(&mut self, place: usize, at: usize) -> Result<Option<usize>, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::from("the pattern is too complex".to_owned()));
        }
        self.depth += 1;
        let end = self.items(place, at);
        self.depth -= 1;
        end
    }

    fn items(&mut self, mut place: usize, mut at: usize) -> Result<Option<usize>, E> {
        loop {
            (self.step)()?;
            let next = self.pattern.get(at + 1).copied();
            match self.pattern.get(at) {
                None => return Ok(Some(place)),
                Some(b'(') if next == Some(b')') => return self.captured(Capture::Place(place), place, at + 2),
                Some(b'(') => return self.captured(Capture::Open(place), place, at + 1),
                Some(b')') => return self.closed(place, at + 1),
                Some(b'$') if at + 1 == self.pattern.len() => return Ok((place == self.text.len()).then_some(place)),
                Some(b'%') if next == Some(b'b') => match self.balanced(place, at + 2)? {
                    Some(end) => (place, at) = (end, at + 4),
                    None => return Ok(None),
                },
                Some(b'%') if next == Some(b'f') => {
                    let end = self.frontier_end(at + 2)?;
                    let byte = |place: Option<usize>| place.and_then(|place| self.text.get(place)).copied();
                    let before = byte(place.checked_sub(1)).unwrap_or(0);
                    let after = byte(Some(place)).unwrap_or(0);
                    if self.is_in_set(before, at + 2, end) || !self.is_in_set(after, at + 2, end) {
                        return Ok(None);
                    }
                    at = end;
                }
                Some(b'%') if next.is_some_and(|digit| digit.is_ascii_digit()) => {
                    let part = self.captured_before(next.unwrap_or(b'0'))?;
                    for _ in 0..part.as_ref().map_or(0, Range::len) / COMPARED {
                        (self.step)()?;
                    }
                    match part.filter(|part| self.text[place..].starts_with(&self.text[part.clone()])) {
                        Some(part) => (place, at) = (place + part.len(), at + 2),
                        None => return Ok(None),
                    }
                }
                Some(_) => {
                    let end = self.item_end(at)?;
                    match self.pattern.get(end) {
                        Some(b'?') => {
                            if self.fits(place, at, end) {
                                let matched = self.from(place + 1, end + 1)?;
                                if matched.is_some() {
                                    return Ok(matched);
                                }
                            }
                            at = end + 1;
                        }
                        Some(b'*') => return self.longest(place, place, at, end),
                        Some(b'+') if self.fits(place, at, end) => return self.longest(place, place + 1, at, end),
                        Some(b'+') => return Ok(None),
                        Some(b'-') => return self.shortest(place, at, end),
                        _ if self.fits(place, at, end) => (place, at) = (place + 1, end),
                        _ => return Ok(None),
                    }
                }
            }
        }
    }

    /// As many repetitions as possible of the item at `at..end`, but up to `least` at least.
    fn longest(&mut self, place: usize, least: usize, at: usize, end: usize) -> Result<Option<usize>, E> {
        let mut last = place;
        while self.fits(last, at, end) {
            (self.step)()?;
            last += 1;
        }
        for place in (least..=last).rev() {
            let matched = self.from(place, end + 1)?;
            if matched.is_some() {
                return Ok(matched);
            }
        }
        Ok(None)
    }

    /// As few repetitions as possible of the item at `at..end`.
    fn shortest(&mut self, mut place: usize, at: usize, end: usize) -> Result<Option<usize>, E> {
        loop {
            let matched = self.from(place, end + 1)?;
            if matched.is_some() {
                return Ok(matched);
            }
            if !self.fits(place, at, end) {
                return Ok(None);
            }
            place += 1;
        }
    }

    fn captured(&mut self, capture: Capture, place: usize, at: usize) -> Result<Option<usize>, E> {
        if self.captures.len() == MAX_CAPTURES {
            return Err(E::from(format!("the pattern has more than {MAX_CAPTURES} captures")));
        }
        let n_captures = self.captures.len();
        self.captures.push(capture);
        let matched = self.from(place, at)?;
        if matched.is_none() {
            self.captures.truncate(n_captures);
        }
        Ok(matched)
    }

    fn closed(&mut self, place: usize, at: usize) -> Result<Option<usize>, E> {
        let open = self.captures.iter().rposition(|capture| matches!(capture, Capture::Open(_)));
        let Some((number, Capture::Open(start))) = open.map(|number| (number, self.captures[number])) else {
            return Err(E::from("the pattern closes a capture that it does not open".to_owned()));
        };
        self.captures[number] = Capture::Part(start, place);
        let matched = self.from(place, at)?;
        if matched.is_none() {
            self.captures[number] = Capture::Open(start);
        }
        Ok(matched)
    }

    /// The part of the text that `%1` to `%9` stands for; nothing for a place.
    fn captured_before(&self, digit: u8) -> Result<Option<Range<usize>>, E> {
        let number = usize::from(digit - b'0');
        match number.checked_sub(1).and_then(|number| self.captures.get(number)) {
            Some(&Capture::Part(start, end)) => Ok(Some(start..end)),
            Some(&Capture::Place(_)) => Ok(None),
            _ => Err(E::from(format!("the pattern has no capture %{number} before it uses it"))),
        }
    }

    /// The end of a part of the text that begins with one byte and ends with its counterpart.
    fn balanced(&mut self, place: usize, at: usize) -> Result<Option<usize>, E> {
        let (Some(&open), Some(&close)) = (self.pattern.get(at), self.pattern.get(at + 1)) else {
            return Err(E::from("%b in a pattern takes two characters".to_owned()));
        };
        if self.text.get(place) != Some(&open) {
            return Ok(None);
        }
        let mut n_open = 1;
        for (index, &byte) in self.text.iter().enumerate().skip(place + 1) {
            (self.step)()?;
            if byte == close {
                n_open -= 1;
                if n_open == 0 {
                    return Ok(Some(index + 1));
                }
            } else if byte == open {
                n_open += 1;
            }
        }
        Ok(None)
    }

    fn frontier_end(&self, at: usize) -> Result<usize, E> {
        if self.pattern.get(at) != Some(&b'[') {
            return Err(E::from("%f in a pattern takes a set in brackets".to_owned()));
        }
        self.item_end(at)
    }

    /// End of the single character, class or set that begins at `at`.
    fn item_end(&self, at: usize) -> Result<usize, E> {
        match self.pattern[at] {
            b'%' if at + 1 == self.pattern.len() => Err(E::from("the pattern ends with a single %".to_owned())),
            b'%' => Ok(at + 2),
            b'[' => {
                let mut end = at + 1 + usize::from(self.pattern.get(at + 1) == Some(&b'^'));
                // The first character of a set stands for itself, even where it is a bracket.
                loop {
                    match self.pattern.get(end) {
                        None => return Err(E::from("the pattern has a [ without its ]".to_owned())),
                        Some(b'%') if end + 1 < self.pattern.len() => end += 2,
                        Some(_) => end += 1,
                    }
                    if self.pattern.get(end) == Some(&b']') {
                        return Ok(end + 1);
                    }
                }
            }
            _ => Ok(at + 1),
        }
    }

    fn fits(&self, place: usize, at: usize, end: usize) -> bool {
        let Some(&byte) = self.text.get(place) else { return false };
        match self.pattern[at] {
            b'.' => true,
            b'%' => is_of_class(byte, self.pattern[at + 1]),
            b'[' => self.is_in_set(byte, at, end),
            letter => letter == byte,
        }
    }

    /// `true` if a byte is in the set in brackets at `at..end`.
    fn is_in_set(&self, byte: u8, at: usize, end: usize) -> bool {
        let excludes = self.pattern[at + 1] == b'^';
        let set = &self.pattern[at + 1 + usize::from(excludes)..end - 1];
        let mut rest = set;
        let mut is_in = false;
        while let Some(&letter) = rest.first() {
            match rest {
                [b'%', class, ..] => {
                    is_in |= is_of_class(byte, *class);
                    rest = &rest[2..];
                }
                [low, b'-', high, ..] => {
                    is_in |= (*low..=*high).contains(&byte);
                    rest = &rest[3..];
                }
                _ => {
                    is_in |= letter == byte;
                    rest = &rest[1..];
                }
            }
        }
        is_in != excludes
    }
}

/// `true` if a byte is of the class `%a`, `%d` …; a capital letter means all others.
fn is_of_class(byte: u8, class: u8) -> bool {
    let is_in = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => byte.is_ascii_whitespace() || byte == 0x0b,
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => return class == byte,
    };
    is_in != class.is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, pattern: &str, first: usize) -> Result<Option<Match>, String> {
        find(text.as_bytes(), pattern.as_bytes(), Search { first, ..Search::default() }, || Ok(()))
    }

    /// Result of Lua's own string.find, as start, end and captures.
    fn lua_found(find: &mlua::Function, text: &str, pattern: &str, first: usize) -> Option<Option<Match>> {
        let values: mlua::MultiValue = find.call((text, pattern, first + 1)).ok()?;
        let number = |value: &mlua::Value| value.as_integer().unwrap_or(0) as usize;
        let values: Vec<mlua::Value> = values.into_iter().collect();
        if values[0].is_nil() {
            return Some(None);
        }
        let capture = |value: &mlua::Value| match value {
            mlua::Value::Integer(place) => Capture::Place(*place as usize - 1),
            // The text of a part does not tell where it stands: its length stands for it.
            other => Capture::Part(0, other.as_string().map_or(0, |part| part.as_bytes().len())),
        };
        let captures = values[2..].iter().map(capture).collect();
        Some(Some(Match { span: number(&values[0]) - 1..number(&values[1]), captures }))
    }

    fn without_starts(matched: Option<Match>) -> Option<Match> {
        let simple = |capture: &Capture| match *capture {
            Capture::Part(start, end) => Capture::Part(0, end - start),
            other => other,
        };
        matched.map(|matched| Match { captures: matched.captures.iter().map(simple).collect(), ..matched })
    }

    /// Two definitions of a match agree: this one and that of Lua itself, on some 50,000 made-up patterns.
    #[test]
    fn patterns_match_as_in_lua() {
        let lua = mlua::Lua::new();
        let lua_find: mlua::Function = lua.load("return string.find").eval().unwrap();
        let pieces = [
            "a", "b", ".", "%a", "%d", "[ab]", "[^a]", "[%d-]", "[]a]", "%b()", "%f[b]", "(", ")", "()", "%1", "$",
            "^", "-", "*", "+", "?", "%%", "(a*", ")+", "[a-", "[^]", "%", "[0-9]", "%S", "%w*", "x?", "(.-)",
        ];
        let mut seed = 1u64;
        let mut draw = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let (mut n_found, mut n_refused) = (0, 0);
        for _ in 0..60_000 {
            let pattern: String = (0..1 + draw(6)).map(|_| pieces[draw(pieces.len())]).collect();
            let text: String = (0..draw(9)).map(|_| ['a', 'b', '1', '(', ')', '-', ' '][draw(7)]).collect();
            let first = draw(text.len() + 1);
            // Without a special character Lua looks for the pattern as it stands, even where it is malformed.
            if !pattern.contains(['^', '$', '*', '+', '?', '.', '(', '[', '%', '-']) {
                continue;
            }
            let ours = found(&text, &pattern, first);
            let lua = lua_found(&lua_find, &text, &pattern, first);
            n_found += usize::from(matches!(ours, Ok(Some(_))));
            n_refused += usize::from(ours.is_err());
            assert_eq!(ours.clone().ok().map(without_starts), lua, "{pattern:?} in {text:?} from {first}: {ours:?}");
        }
        assert!(n_found > 5000 && n_refused > 5000, "{n_found} {n_refused}");
    }

    /// One step for each start, and one for each number of repetitions, from none to the letters that are left there.
    #[test]
    fn a_search_can_be_stopped() {
        let text = "a".repeat(200);
        let searched = |most: u64| {
            let mut n_steps = 0;
            let step = || {
                n_steps += 1;
                if n_steps <= most { Ok(()) } else { Err("enough".to_owned()) }
            };
            find(text.as_bytes(), b"a-x", Search::default(), step)
        };
        let n_steps = (0..=200).map(|n_left| 1 + n_left + 1).sum();
        assert_eq!(searched(n_steps), Ok(None));
        assert_eq!(searched(n_steps - 1), Err("enough".to_owned()));
    }

    #[test]
    fn plain_text_is_found() {
        let find = |text: &str, wanted: &str, first| {
            find_plain(text.as_bytes(), wanted.as_bytes(), first, || Ok::<(), String>(())).unwrap()
        };
        assert_eq!(find("a.b.c", ".c", 0), Some(3..5));
        assert_eq!(find("aab", "ab", 0), Some(1..3));
        assert_eq!(find("abc", "", 3), Some(3..3));
        assert_eq!(find("abc", "abcd", 0), None);
        assert_eq!(find("abc", "a", 1), None);
    }
}
