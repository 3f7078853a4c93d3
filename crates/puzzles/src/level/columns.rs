//! Columns of a table that hold the levels and their names.

/// The columns of a table of levels as the user names them. A column that is not named is found
/// by its name ([`BOARD_NAMES`], [`ID_NAMES`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelColumns {
    /// The column that names the levels.
    pub id: Option<String>,
    /// The column that holds the levels.
    pub board: Option<String>,
}

/// Names of columns that hold levels, the first one found wins. Case, spaces and hyphens do not count.
pub const BOARD_NAMES: [&str; 18] = [
    "board",
    "board36",
    "board_string",
    "level_string",
    "puzzle_string",
    "initial_board",
    "start_board",
    "layout",
    "grid",
    "configuration",
    "matrix",
    "pieces",
    "cars",
    "vehicles",
    "start",
    "start_state",
    "initial_state",
    "start_position",
];

/// Names of settings of levels, or rules, of some game that hardly mean anything else: a game that has no such
/// setting refuses them. The last are close to settings of several games, and of none.
const REFUSED: [&str; 41] = [
    "width",
    "height",
    "size",
    "board_size",
    "exit",
    "exit_side",
    "wall",
    "walls",
    "red",
    "red_car",
    "red_piece",
    "target_car",
    "target_piece",
    "player_car",
    "neighbourhood",
    "neighborhood",
    "neighbours",
    "neighbors",
    "torus",
    "plates",
    "pebbles",
    "target",
    "target_state",
    "target_position",
    "target_peg",
    "target_tile",
    "goal",
    "goal_state",
    "goal_position",
    "goal_peg",
    "goal_tile",
    "capacities",
    "pegs",
    "metric",
    "centreline",
    "exit_row",
    "exit_column",
    "goal_tower",
    "goal_config",
    "target_tower",
    "target_config",
];

/// Names of settings of some game that stand in tables of many kinds: to a game that has no such setting they are
/// properties.
const EVERYDAY: [&str; 21] = [
    "player",
    "boundary",
    "boundaries",
    "wrap",
    "pattern",
    "line",
    "lines",
    "rules",
    "start",
    "start_state",
    "initial",
    "initial_state",
    "start_position",
    "initial_position",
    "start_peg",
    "end",
    "end_state",
    "end_position",
    "final",
    "final_state",
    "final_position",
];

/// Names of the numbers of disks and pegs: every day ones, and a level without a board.
const COUNTS: [&str; 11] = [
    "disks",
    "discs",
    "n_disks",
    "n_discs",
    "num_disks",
    "num_discs",
    "number_of_disks",
    "number_of_discs",
    "n_pegs",
    "num_pegs",
    "number_of_pegs",
];

/// Names of other settings with which a level needs no board.
const WITHOUT_BOARD: [&str; 8] =
    ["pegs", "initial", "initial_position", "size", "board_size", "plates", "pebbles", "capacities"];

/// Names of columns that may name levels, where no other column does, each row has its own value, and the first one
/// found wins.
pub const MAYBE_ID_NAMES: [&str; 24] = [
    "level_name",
    "level_nr",
    "level_number",
    "level_no",
    "puzzle_name",
    "puzzle_nr",
    "problem_id",
    "problem_name",
    "item_id",
    "board_id",
    "instance_id",
    "card",
    "card_id",
    "stimulus",
    "stimulus_id",
    "stim",
    "config",
    "aufgabe",
    "task",
    "task_id",
    "trial",
    "number",
    "nr",
    "key",
];

/// Names of columns that name levels, the first one found wins. Case, spaces and hyphens do not count.
pub const ID_NAMES: [&str; 9] =
    ["id", "level", "level_id", "puzzle", "puzzle_id", "name", "instance", "problem", "item"];

/// The columns of one table, by their index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub id: Option<usize>,
    /// Absent where the settings of a level are all of it.
    pub board: Option<usize>,
}

/// Reason why the columns of a table cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unchosen {
    pub code: &'static str,
    pub message: String,
    pub help: String,
}

impl LevelColumns {
    /// The columns among these names.
    pub(super) fn choose(&self, names: &[&str]) -> Result<Chosen, Unchosen> {
        let board = match &self.board {
            Some(name) => Some(named(names, name, "no-board-column", "board")?),
            None => board_column(names),
        };
        if board.is_none() && !are_settings(names) {
            return Err(Unchosen {
                code: "no-board-column",
                message: format!("no column is known to hold levels among {}", names.join(", ")),
                help: "name the column `board`, or name it in the study: `board = \"its name\"`".to_owned(),
            });
        }
        let id = match &self.id {
            Some(name) => Some(named(names, name, "no-id-column", "id")?),
            None => known(names, &ID_NAMES, board),
        };
        Ok(Chosen { id, board })
    }

    /// `true` if one of these names is that of a column of levels, or settings among them are levels without a board.
    pub(super) fn have_level(&self, names: &[&str]) -> bool {
        match &self.board {
            Some(name) => names.iter().any(|other| same(other, name)),
            None => board_column(names).is_some() || are_settings(names),
        }
    }
}

/// `true` if columns or keys of these names can be levels that have settings alone, such as `disks` and `pegs`.
/// Pieces of a board have settings of their own, and a direction.
pub(super) fn are_settings(names: &[&str]) -> bool {
    let has = |wanted: &[&str]| known(names, wanted, None).is_some();
    let is_of_piece = has(&ORIENTATIONS) || has(&["position"]);
    (has(&COUNTS) || has(&WITHOUT_BOARD) || (has(&["width"]) && has(&["height"]))) && !is_of_piece
}

/// `true` if a column or key of this name is a setting of some game, or a rule.
pub fn is_setting_name(name: &str) -> bool {
    is_refused_name(name) || [&EVERYDAY[..], &COUNTS].iter().any(|names| known(&[name], names, None).is_some())
}

/// `true` if a column or key of this name is refused by games that have no such setting.
pub(crate) fn is_refused_name(name: &str) -> bool {
    known(&[name], &REFUSED, None).is_some()
}

/// Words of names that are close to settings, whatever else the name says.
const SETTING_WORDS: [&str; 16] = [
    "start",
    "initial",
    "goal",
    "target",
    "exit",
    "red",
    "disk",
    "disks",
    "disc",
    "discs",
    "peg",
    "pegs",
    "neighbourhood",
    "neighborhood",
    "capacities",
    "torus",
];

/// Words of names of measures, which say something about a level and do not make it.
const MEASURES: [&str; 24] = [
    "n",
    "num",
    "number",
    "count",
    "moves",
    "move",
    "steps",
    "distance",
    "depth",
    "time",
    "date",
    "rt",
    "ms",
    "cost",
    "length",
    "size",
    "difficulty",
    "score",
    "rate",
    "percent",
    "ratio",
    "mean",
    "id",
    "name",
];

/// `true` if a name is close to that of a setting, though it is none, and names no measure.
pub(crate) fn is_near_setting(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (was_lower && letter.is_uppercase()) {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    // Settings have names of one word or two; what has more says what was measured.
    words.len() <= 2 && has(&SETTING_WORDS) && !has(&MEASURES)
}

/// Index of the name that is that of a column of levels ([`BOARD_NAMES`]).
pub fn board_column(names: &[&str]) -> Option<usize> {
    known(names, &BOARD_NAMES, None)
}

fn named(names: &[&str], name: &str, code: &'static str, what: &str) -> Result<usize, Unchosen> {
    names.iter().position(|other| same(other, name)).ok_or_else(|| Unchosen {
        code,
        message: format!("there is no column {name:?}"),
        help: format!("the columns are {}; correct `{what}` in the study", names.join(", ")),
    })
}

fn known(names: &[&str], wanted: &[&str], except: Option<usize>) -> Option<usize> {
    wanted.iter().find_map(|name| (0..names.len()).find(|&at| Some(at) != except && same(names[at], name)))
}

/// `true` if two names of columns are the same; case, spaces, hyphens and underscores do not count.
pub(crate) fn same(first: &str, second: &str) -> bool {
    compact(first).eq(compact(second))
}

/// A name of a column in lower case, without spaces, hyphens and underscores, so that `redCar` is `red_car`.
pub fn compact_name(name: &str) -> String {
    compact(name).collect()
}

fn compact(name: &str) -> impl Iterator<Item = char> {
    normal(name).filter(|&letter| letter != '_')
}

/// Names of columns, or keys, of the length of a piece of a board.
pub(crate) const LENGTHS: [&str; 3] = ["length", "size", "len"];

/// Names of the way that a piece lies.
pub(crate) const ORIENTATIONS: [&str; 3] = ["orientation", "direction", "dir"];

/// Names of its row.
pub(crate) const ROWS: [&str; 2] = ["row", "y"];

/// Names of its column.
pub(crate) const COLUMNS: [&str; 3] = ["column", "col", "x"];

/// `true` if these are the names of columns, or keys, of the pieces of a board, one a row.
pub(super) fn are_pieces(names: &[&str]) -> bool {
    let wanted: [&[&str]; 4] = [&LENGTHS, &ORIENTATIONS, &ROWS, &COLUMNS];
    wanted.iter().all(|wanted| known(names, wanted, None).is_some())
}

/// Columns and rows of `5x6`, or of `5 6`; a number alone is a square.
pub(crate) fn board_size(text: &str) -> Option<(usize, usize)> {
    let sides = text.split(['x', 'X', '×', ' ']).filter(|side| !side.is_empty()).map(|side| side.parse().ok());
    match *sides.collect::<Option<Vec<usize>>>()? {
        [width, height] => Some((width, height)),
        [side] => Some((side, side)),
        _ => None,
    }
}

/// A name of a column in lower case, with `_` for spaces and hyphens.
pub fn normal_name(name: &str) -> String {
    normal(name).collect()
}

fn normal(name: &str) -> impl Iterator<Item = char> {
    let separated = |letter| if matches!(letter, ' ' | '-') { '_' } else { letter };
    name.trim().chars().map(move |letter| separated(letter.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name() {
        let places = |names: &[&str]| LevelColumns::default().choose(names).map(|chosen| (chosen.id, chosen.board));
        assert_eq!(places(&["puzzle", "board36", "full_states"]), Ok((Some(0), Some(1))));
        assert_eq!(places(&["Board-String", "n", "Level"]), Ok((Some(2), Some(0))));
        assert_eq!(places(&["n", "grid"]), Ok((None, Some(1))));
        assert_eq!(places(&["id", "Disks", "pegs"]), Ok((Some(0), None)));
        assert_eq!(places(&["size", "orientation", "row", "column"]).unwrap_err().code, "no-board-column");
        assert_eq!(places(&["id", "cardtext", "exit"]).unwrap_err().code, "no-board-column");
        assert_eq!(places(&["id", "cardtext", "goal", "moves"]).unwrap_err().code, "no-board-column");
        assert_eq!(places(&["puzzle", "n"]).unwrap_err().code, "no-board-column");
    }

    #[test]
    fn names_given_by_the_user_win() {
        let columns = LevelColumns { id: Some("nr".to_owned()), board: Some("start".to_owned()) };
        assert_eq!(columns.choose(&["id", "board", "start", "nr"]), Ok(Chosen { id: Some(3), board: Some(2) }));
        assert_eq!(columns.choose(&["start", "id"]).unwrap_err().code, "no-id-column");
    }
}
