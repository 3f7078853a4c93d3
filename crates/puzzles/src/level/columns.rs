//! Which column of a table holds the levels' names, and which the levels.

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
pub const BOARD_NAMES: [&str; 14] = [
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
];

/// Names of columns that name levels, the first one found wins. Case, spaces and hyphens do not count.
pub const ID_NAMES: [&str; 9] =
    ["id", "level", "level_id", "puzzle", "puzzle_id", "name", "instance", "problem", "item"];

/// The columns of one table, by their index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub id: Option<usize>,
    pub board: usize,
}

/// Why the columns of a table cannot be told.
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
            Some(name) => named(names, name, "no-board-column", "board")?,
            None => board_column(names).ok_or_else(|| Unchosen {
                code: "no-board-column",
                message: format!("no column is known to hold levels among {}", names.join(", ")),
                help: "name the column `board`, or name it in the study: `board = \"its name\"`".to_owned(),
            })?,
        };
        let id = match &self.id {
            Some(name) => Some(named(names, name, "no-id-column", "id")?),
            None => known(names, &ID_NAMES, Some(board)),
        };
        Ok(Chosen { id, board })
    }

    /// Whether one of these names is that of a column of levels.
    pub(super) fn have_board(&self, names: &[&str]) -> bool {
        match &self.board {
            Some(name) => names.iter().any(|other| same(other, name)),
            None => board_column(names).is_some(),
        }
    }
}

/// Which of these names is that of a column of levels ([`BOARD_NAMES`]).
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

fn same(first: &str, second: &str) -> bool {
    normal(first).eq(normal(second))
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
        let found = |names: &[&str]| LevelColumns::default().choose(names).map(|chosen| (chosen.id, chosen.board));
        assert_eq!(found(&["puzzle", "board36", "full_states"]), Ok((Some(0), 1)));
        assert_eq!(found(&["Board-String", "n", "Level"]), Ok((Some(2), 0)));
        assert_eq!(found(&["n", "grid"]), Ok((None, 1)));
        assert_eq!(found(&["puzzle", "n"]).unwrap_err().code, "no-board-column");
    }

    #[test]
    fn names_given_by_the_user_win() {
        let columns = LevelColumns { id: Some("nr".to_owned()), board: Some("start".to_owned()) };
        assert_eq!(columns.choose(&["id", "board", "start", "nr"]), Ok(Chosen { id: Some(3), board: 2 }));
        assert_eq!(columns.choose(&["start", "id"]).unwrap_err().code, "no-id-column");
    }
}
