//! Moves of towers as logs and people write them.

use std::borrow::Cow;

use crate::game::MoveError;

/// A move as it is written: what it comes from, and the peg that it goes to, from 0.
pub(super) struct WrittenMove<'a> {
    /// Text before the arrow: a peg, or the ball or disk that moves.
    pub source: Cow<'a, str>,
    /// `true` if the source is said to be a ball or disk.
    pub is_item: bool,
    /// The ball or disk that is said to move, where the peg that it comes from is given too.
    pub item: Option<String>,
    from: Option<usize>,
    pub to: usize,
}

/// Separators between the two ends of a move; those that contain another one come first.
const ARROWS: [&str; 12] = ["->", "=>", ">", "\u{2192}", "\u{2013}", "\u{2212}", "-", " to ", " nach ", ":", "_", " "];

/// Words in sentences before the peg that a move comes from, in English, German, French and Spanish.
const FROM: [&str; 10] = ["from", "von", "vom", "de", "du", "depuis", "desde", "del", "aus", "off"];

/// Words before the peg that it goes to.
const TO: [&str; 17] = [
    "to", "onto", "on", "nach", "auf", "zu", "zum", "zur", "\u{e0}", "au", "vers", "sur", "a", "al", "hasta", "hacia",
    "into",
];

/// Words before what moves.
const ITEM: [&str; 12] =
    ["disk", "disc", "ring", "ball", "scheibe", "kugel", "disque", "anneau", "boule", "disco", "anillo", "bola"];

/// Words that say nothing more.
const FILLERS: [&str; 38] = [
    "move",
    "moves",
    "moved",
    "put",
    "place",
    "take",
    "the",
    "peg",
    "rod",
    "tower",
    "pole",
    "bewege",
    "verschiebe",
    "lege",
    "der",
    "die",
    "das",
    "den",
    "dem",
    "stab",
    "stange",
    "turm",
    "pfosten",
    "d\u{e9}placer",
    "d\u{e9}place",
    "deplacer",
    "le",
    "la",
    "tige",
    "piquet",
    "poteau",
    "mueve",
    "mover",
    "el",
    "poste",
    "torre",
    "varilla",
    "estaca",
];

/// Words for the left, the middle and the right peg.
const PLACES: [&[&str]; 3] = [
    &["left", "links", "linke", "linker", "linken", "gauche", "izquierda", "izquierdo"],
    &["middle", "mid", "center", "centre", "mitte", "mittlere", "mittlerer", "mittleren", "milieu", "centro", "medio"],
    &["right", "rechts", "rechte", "rechter", "rechten", "droite", "derecha", "derecho"],
];

impl<'a> WrittenMove<'a> {
    /// Splits a move into its two ends; `example` is how a move that names its ball or disk is written, for messages.
    pub fn read(text: &'a str, n_pegs: usize, example: &str) -> Result<Self, MoveError> {
        let trimmed = text.trim();
        let unreadable = || MoveError::Unreadable {
            text: trimmed.to_owned(),
            expected: format!("write the two pegs (1>3){example}; pegs are numbered from 1, from the left"),
        };
        let ends = Ends::of_list(trimmed).or_else(|| Ends::of_sentence(trimmed)).or_else(|| Ends::of_arrow(trimmed));
        let Ends { source, target, item, is_item } = ends.ok_or_else(unreadable)?;
        let (from, to) = pegs(&source, &target, n_pegs);
        let to = to.ok_or_else(unreadable)?;
        if source.is_empty() || !source.chars().all(|letter| letter.is_alphanumeric() || letter == ' ') {
            return Err(unreadable());
        }
        if to >= n_pegs {
            return Err(no_such_peg(trimmed, to, n_pegs));
        }
        Ok(Self { source, is_item, item, from: from.filter(|_| !is_item), to })
    }

    /// The peg that the move comes from, if its source is a peg.
    pub fn from(&self, text: &str, n_pegs: usize) -> Result<Option<usize>, MoveError> {
        match self.from {
            Some(from) if from >= n_pegs => Err(no_such_peg(text.trim(), from, n_pegs)),
            from => Ok(from),
        }
    }
}

/// The two ends of a move, and what moves where that is said too.
struct Ends<'a> {
    source: Cow<'a, str>,
    target: Cow<'a, str>,
    item: Option<String>,
    is_item: bool,
}

impl<'a> Ends<'a> {
    /// The ends of `1>3`.
    fn of_arrow(text: &'a str) -> Option<Self> {
        let (source, target) = two_ends(text)?;
        Some(Self { source: source.into(), target: target.into(), item: None, is_item: false })
    }

    /// The ends of `[1, 3]`, or of `[disk, from, to]`.
    fn of_list(text: &'a str) -> Option<Self> {
        let inner =
            ["[]", "()"].into_iter().find_map(|pair| text.strip_prefix(&pair[..1])?.strip_suffix(&pair[1..]))?;
        let parts: Vec<&str> = inner.split(',').map(|part| part.trim().trim_matches(['"', '\''])).collect();
        let (item, source, target) = match parts.as_slice() {
            [from, to] => (None, *from, *to),
            [item, from, to] => (Some((*item).to_owned()), *from, *to),
            _ => return None,
        };
        Some(Self { source: source.into(), target: target.into(), item, is_item: false })
    }

    /// The ends of `Move disk 1 from A to C`; absent where the text has none of the words of such sentences.
    fn of_sentence(text: &str) -> Option<Self> {
        // In front of a vowel the article of French has no blank behind it; alone, `l` is the left peg.
        let lower = text.to_lowercase().replace(['\u{2019}'], "'").replace("l'", " ");
        let words: Vec<&str> =
            lower.split([' ', '\t', ',', '.', ';', '!', '\'']).filter(|word| !word.is_empty()).collect();
        if !words.iter().all(|word: &&str| word.chars().all(char::is_alphanumeric)) || !words.iter().any(is_filler) {
            return None;
        }
        let (mut item, mut ends): (Option<&str>, Vec<&str>) = (None, Vec::new());
        let mut rest = words.into_iter().peekable();
        while let Some(word) = rest.next() {
            match word {
                _ if ITEM.contains(&word) => item = item.or(rest.next()),
                _ if is_place(word) => ends.push(word),
                _ if FROM.contains(&word) || FILLERS.contains(&word) => {}
                // `a` before a peg is Spanish, and peg A where nothing follows.
                _ if TO.contains(&word) && rest.peek().is_some() && !(word == "a" && ends.is_empty()) => {}
                _ => ends.push(word),
            }
        }
        let owned = |text: &str| Cow::Owned(text.to_owned());
        match (item, ends.as_slice()) {
            (item, &[from, to]) => {
                Some(Self { source: owned(from), target: owned(to), item: item.map(str::to_owned), is_item: false })
            }
            (Some(item), &[to]) => Some(Self { source: owned(item), target: owned(to), item: None, is_item: true }),
            _ => None,
        }
    }
}

fn is_filler(word: &&str) -> bool {
    FROM.contains(word) || ITEM.contains(word) || FILLERS.contains(word)
}

fn is_place(word: &str) -> bool {
    PLACES.iter().any(|words| words.contains(&word))
}

fn two_ends(text: &str) -> Option<(&str, &str)> {
    for arrow in ARROWS {
        if let Some((source, target)) = text.split_once(arrow) {
            return Some((source.trim(), target.trim()));
        }
    }
    // Two pegs without anything between them are two digits or two letters.
    let kind = |byte: &u8| (byte.is_ascii_digit(), byte.is_ascii_alphabetic());
    match text.as_bytes() {
        [from, to] if kind(from) == kind(to) && from.is_ascii_alphanumeric() => Some(text.split_at(1)),
        _ => None,
    }
}

/// The pegs that two ends name, from 0. Letters are pegs from A, but for L, M or C, and R on both ends: left, middle
/// or centre, right.
fn pegs(source: &str, target: &str, n_pegs: usize) -> (Option<usize>, Option<usize>) {
    let place = |text: &str| match text.to_ascii_lowercase().as_str() {
        "l" => Some(0),
        "m" | "c" => Some(1),
        "r" => Some(2),
        _ => None,
    };
    let are_places = !(source.eq_ignore_ascii_case("c") && target.eq_ignore_ascii_case("c"));
    match (place(source), place(target)) {
        (Some(from), Some(to)) if n_pegs == 3 && are_places => (Some(from), Some(to)),
        _ => (peg_number(source, n_pegs), peg_number(target, n_pegs)),
    }
}

/// The peg that a text names, from 0: a number from 1, a letter from A, or left and right; `peg` may stand before it.
fn peg_number(text: &str, n_pegs: usize) -> Option<usize> {
    let lower = text.trim().to_lowercase();
    let name = lower.strip_prefix("peg").unwrap_or(&lower).trim_matches([' ', '_']);
    match PLACES.iter().position(|words| words.contains(&name)) {
        Some(1) if n_pegs.is_multiple_of(2) => return None,
        Some(place) => return Some(place * (n_pegs - 1) / 2),
        None => {}
    }
    match name.as_bytes() {
        [letter @ b'a'..=b'i'] => Some(usize::from(letter - b'a')),
        digits if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            name.parse::<usize>().ok()?.checked_sub(1)
        }
        _ => None,
    }
}

/// The order of what pegs of these names hold, from the left; absent where the names are not those of all pegs, each
/// once.
pub(crate) fn pegs_in_order(names: &[&str]) -> Option<Vec<usize>> {
    let sorted = |peg: &dyn Fn(&str) -> Option<usize>| {
        let mut pegs = names.iter().enumerate().map(|(at, name)| Some((peg(name)?, at))).collect::<Option<Vec<_>>>()?;
        pegs.sort_unstable();
        let are_all = pegs.iter().enumerate().all(|(place, (peg, _))| place == *peg);
        are_all.then(|| pegs.into_iter().map(|(_, at)| at).collect())
    };
    // Numbers of pegs may count from 0 too: all of them tell.
    sorted(&|name| peg_number(name, names.len())).or_else(|| sorted(&|name| name.trim().parse().ok()))
}

fn no_such_peg(text: &str, peg: usize, n_pegs: usize) -> MoveError {
    let reason = format!("there is no peg {}; the pegs go from 1 to {n_pegs}", peg.saturating_add(1));
    MoveError::Illegal { text: text.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_in_many_ways() {
        let written = [
            "1>3",
            " 1-3",
            "1->3",
            "1→3",
            "1 3",
            "13",
            "A>C",
            "ac",
            "a-c",
            "peg1>peg3",
            "1 to 3",
            "Peg 1 > Peg 3",
            "1:3",
            "1−3",
            "1_3",
            "left>right",
            "L R",
            "Links-Rechts",
            "izquierda derecha",
            "gauche : droite",
            "[1, 3]",
            "[1, 1, 3]",
            "(1,1,3)",
            "Move disk 1 from A to C",
            "Move the disk 1 from peg A to peg C.",
            "Bewege Scheibe 1 von links nach rechts",
            "Déplacer le disque 1 de la tige A à la tige C",
            "Mueve el disco 1 de A a C",
            "from left to right",
            "von 1 nach 3",
            "1 nach 3",
            "Déplacer l’anneau 1 de A à C",
            "Déplacer l'anneau 1 de la tige A à la tige C",
        ];
        for text in written {
            let ends = WrittenMove::read(text, 3, "").unwrap();
            assert_eq!((ends.from(text, 3).unwrap(), ends.to), (Some(0), 2), "{text}");
        }
    }

    #[test]
    fn middle_and_centre_are_the_peg_between() {
        for text in ["L>M", "l c", "left to centre", "links Mitte", "from left to the middle", "gauche>milieu"] {
            let ends = WrittenMove::read(text, 3, "").unwrap();
            assert_eq!((ends.from(text, 3).unwrap(), ends.to), (Some(0), 1), "{text}");
        }
        let ends = WrittenMove::read("Move disk 1 from L to C", 3, "").unwrap();
        assert_eq!((ends.item.as_deref(), ends.from("", 3).unwrap(), ends.to), (Some("1"), Some(0), 1));
        let ends = WrittenMove::read("Move disk 1 from R to L", 3, "").unwrap();
        assert_eq!((ends.from("", 3).unwrap(), ends.to), (Some(2), 0));
        let ends = WrittenMove::read("disk 2 to C", 3, "").unwrap();
        assert_eq!((ends.source.as_ref(), ends.to, ends.is_item), ("2", 2, true));
        assert!(WrittenMove::read("left>middle", 4, "").is_err(), "four pegs have no middle");
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in
            ["", ">", "1>", ">3", "1>x", "1", "123", "1>0", "A1", "1>3>2", "1,3", "?>2", "move", "[1]", "[1,2,3,1]"]
        {
            assert!(matches!(WrittenMove::read(text, 3, ""), Err(MoveError::Unreadable { .. })), "{text:?}");
        }
        let error = WrittenMove::read("1>4", 3, "").err().unwrap();
        assert_eq!(error.to_string(), "\"1>4\" is not possible here: there is no peg 4; the pegs go from 1 to 3");
        let ends = WrittenMove::read("9>1", 3, "").unwrap();
        assert!(matches!(ends.from("9>1", 3), Err(MoveError::Illegal { .. })));
    }
}
