//! Search for the red piece, where a level does not name it.

use super::red_name::{DefaultRed, RED_LETTER, is_red_name};
use super::settings::WrittenExit;
use super::setup::Setup;
use crate::game::rush_hour::layout::{Layout, Orientation, Piece};

/// `true` if a piece is 2 long and lies on the line of the exit: where no side is given, horizontally; where no line
/// is given, in the middle of the board, or the line before it where two are there.
fn is_before_exit(piece: &Piece, exit: Option<WrittenExit>, (width, height): (usize, usize)) -> bool {
    let orientation = exit.map_or(Orientation::Horizontal, |exit| Orientation::towards(exit.side));
    let n_lines = if orientation == Orientation::Horizontal { height } else { width };
    let line = exit.and_then(|exit| exit.line).unwrap_or(n_lines.saturating_sub(1) / 2);
    (piece.length, piece.orientation, piece.line()) == (2, orientation, line)
}

/// `true` if a drawing of the layout, with its exit where it is not the default one, does not tell which piece is red.
pub(super) fn needs_red(layout: &Layout) -> bool {
    let red = &layout.pieces[layout.red];
    let exit = (layout.exit != red.default_exit())
        .then_some(WrittenExit { side: layout.exit.side, line: Some(layout.exit.line) });
    let fits = |piece: &&Piece| is_before_exit(piece, exit, (layout.width, layout.height));
    let known: Vec<&Piece> = layout.pieces.iter().filter(|piece| is_red_name(&piece.name)).collect();
    red.name != RED_LETTER || (known.len() > 1 && !(fits(&red) && known.into_iter().filter(fits).count() == 1))
}

impl Setup {
    /// The red piece; a fault where nothing, or too much, tells which one it is.
    pub(super) fn find_red(&mut self) -> Option<usize> {
        if let Some(red) = self.settings.red.clone() {
            let known_red = self.named(&red.value);
            if known_red.is_none() && !self.unread.contains(&red.value) {
                let message = format!("the red piece {:?} is not on the board", red.value);
                let help = format!("the pieces are {}", self.names());
                self.fault("missing-red-piece", red.span, message, "no piece has this name", &help);
            }
            return known_red;
        }
        if let Some(player) = &self.settings.player {
            let known_red = self.named(player);
            if known_red.is_some() {
                return known_red;
            }
            self.remarks.push(format!("\"player\" changes nothing here: no piece is called {player:?}"));
        }
        if let DefaultRed::At(at) = self.red {
            return at;
        }
        // One of the faulty pieces may be the red one.
        if self.unread.iter().any(|name| name.is_empty() || is_red_name(name)) {
            return None;
        }
        let known: Vec<usize> = (0..self.pieces.len()).filter(|&at| is_red_name(self.name(at))).collect();
        match (known.as_slice(), self.red) {
            ([], DefaultRed::NamedOrFirst(first)) => first,
            ([], _) => self.missing_red(),
            (&[only], DefaultRed::Letter) if self.name(only) != RED_LETTER && self.pieces[only].value.length != 2 => {
                self.missing_red()
            }
            (&[only], DefaultRed::NamedOrFirst(Some(first))) if first != only => {
                let (name, other) = (self.name(only), self.name(first));
                self.remarks.push(format!(
                    "{name:?} is taken for the red piece, as its name says, and not the first one, {other:?}"
                ));
                Some(only)
            }
            (&[only], _) => Some(only),
            (several, _) => self.red_of(several),
        }
    }

    /// The one of several pieces that could be red by their names which lies where the red one does.
    fn red_of(&mut self, known: &[usize]) -> Option<usize> {
        let list = |but: Option<usize>| {
            let names = known.iter().filter(|&&at| Some(at) != but).map(|&at| format!("{:?}", self.name(at)));
            names.collect::<Vec<_>>()
        };
        let exit = self.settings.exits.first().map(|exit| exit.value);
        let fits = |&at: &usize| is_before_exit(&self.pieces[at].value, exit, (self.width, self.height));
        let fitting: Vec<usize> = known.iter().copied().filter(fits).collect();
        if let &[red] = fitting.as_slice() {
            let (name, others) = (self.name(red), list(Some(red)).join(" or "));
            let place = "it alone of them is 2 long and lies before the exit";
            let remark =
                format!("{name:?} is taken for the red piece, not {others}: {place}; to be sure, name it with `red`");
            self.remarks.push(remark);
            return Some(red);
        }
        let (names, choices) =
            (list(None).join(", "), known.iter().map(|&at| ("red", self.name(at).to_owned())).collect());
        let second = self.pieces[known[1]].span.clone();
        let message = format!("each of the pieces {names} can be the red one by its name");
        let help = "say which piece is red: `# red: X` in text, a column `red` in a table, `\"red\": \"X\"` in JSON";
        self.fault("ambiguous-red-piece", second, message, "red or not?", help);
        if let Some(fault) = self.faults.pop() {
            self.faults.push(fault.with_choices(choices));
        }
        None
    }

    /// Says that no piece is the red one.
    pub(super) fn missing_red(&mut self) -> Option<usize> {
        let (whole, label) = (self.whole.clone(), "no red piece in this level");
        if matches!(self.red, DefaultRed::Letter) {
            let message = format!("there is no red piece {RED_LETTER:?}");
            let help = "call the red piece A, or give its letter: `# red: R` in a line, or a column `red`";
            self.fault("missing-red-piece", whole, message, label, help);
        } else {
            let message = format!("none of the pieces {} is known to be red", self.names());
            let help = "say which piece is red by `\"red\": \"its id\"` in the object of the level";
            self.fault("missing-red-piece", whole, message, label, help);
        }
        None
    }

    fn name(&self, at: usize) -> &str {
        &self.pieces[at].value.name
    }
}
