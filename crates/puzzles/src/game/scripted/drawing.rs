//! Pictures from what `draw` and `picture` of a script return.

use std::collections::BTreeMap;

use plymap_lua::{Key, Value};

use super::entries::{Entries, MAX_SIDE};
use super::images::{colour, filled, image};
use crate::game::picture::{Form, GoalArea, Ground, Picture, Role, Shape};
use std::sync::Arc;

/// The picture of what `draw` returned: text, a list of rows, or a table of shapes.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn picture(drawn: &Value) -> Result<Picture, String> {
    match drawn {
        Value::Text(text) => cells(&text.lines().collect::<Vec<_>>()),
        Value::Table(entries) if entries.contains_key(&Key::Name("shapes".to_owned())) => shapes(entries),
        Value::Table(rows) => {
            let rows: Option<Vec<&str>> = rows.values().map(as_text).collect();
            cells(&rows.ok_or("it returns a table that is neither a list of rows nor has `shapes`")?)
        }
        other => Err(format!("it returns {other}, and has to return text, a list of rows or a table with `shapes`")),
    }
}

/// The picture of what `picture` returned: a table of shapes.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn of_shapes(returned: &Value) -> Result<Picture, String> {
    match returned {
        Value::Table(entries) => shapes(entries),
        other => Err(format!("it returns {other}, and has to return a table with `width`, `height` and `shapes`")),
    }
}

/// The most characters on a row of a state that is shown as text: longer rows could not be read in a figure.
const ROW_LENGTH: usize = 12;

/// A state as text in a frame, where the script does not draw: on one line in a terminal, and on rows of at most
/// [`ROW_LENGTH`] characters in a figure.
pub(super) fn line(text: &str) -> Picture {
    let rows = wrapped(text, ROW_LENGTH);
    let longest = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    let width = longest / 2 + 1;
    let row = |(row, text): (usize, &String)| Shape::block(row, 0, 1, width, Role::Frame, text.clone());
    let shapes = rows.iter().take(MAX_SIDE).enumerate().map(row).collect();
    let height = rows.len().min(MAX_SIDE);
    Picture { ground: Ground::Plain, shapes, text: Some(format!("{text}\n")), ..Picture::grid(width, height) }
}

/// The text in rows of at most so many characters, broken behind blanks, commas and the like where there are any.
fn wrapped(text: &str, length: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let letters: Vec<char> = text.chars().collect();
    let mut rest = letters.as_slice();
    while rest.len() > length {
        let is_break = |&at: &usize| !rest[at - 1].is_alphanumeric() && !matches!(rest[at - 1], '(' | '[' | '{' | '-');
        let at = (length / 2..=length).rev().find(is_break).unwrap_or(length);
        rows.push(rest[..at].iter().collect::<String>().trim().to_owned());
        rest = &rest[at..];
    }
    rows.push(rest.iter().collect::<String>().trim().to_owned());
    rows
}

/// A picture of one character for each cell.
fn cells(rows: &[&str]) -> Result<Picture, String> {
    let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    if width == 0 {
        return Err("the drawing is empty".to_owned());
    }
    if width.max(rows.len()) > MAX_SIDE {
        return Err(format!("the drawing has {width} columns and {} rows; {MAX_SIDE} are possible", rows.len()));
    }
    let mut picture = Picture::grid(width, rows.len());
    for (row, line) in rows.iter().enumerate() {
        for (column, character) in line.chars().enumerate() {
            let (role, label) = match character {
                '.' | '_' | ' ' => continue,
                '#' | 'x' => (Role::Wall, String::new()),
                other => (Role::Piece(colour_of_letter(other)), other.to_string()),
            };
            picture.shapes.push(Shape::block(row, column, 1, 1, role, label));
        }
    }
    let lines: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
    picture.text = Some(format!("{}\n", lines.join("\n").trim_end()));
    Ok(picture)
}

/// The number of a colour: that of the digit, or the place in the alphabet.
fn colour_of_letter(character: char) -> usize {
    let letter = character.to_ascii_uppercase();
    match letter {
        'A'..='Z' => letter as usize - 'A' as usize,
        _ => character.to_digit(10).map_or(character as usize % 10, |digit| digit as usize),
    }
}

/// A picture of shapes, each with its place.
fn shapes(entries: &BTreeMap<Key, Value>) -> Result<Picture, String> {
    let entries = Entries::of(entries, "the drawing", &["width", "height", "shapes", "ground", "goal", "text"])?;
    let mut picture = Picture::grid(1, 1);
    picture.width = entries.side("width")?;
    picture.height = entries.side("height")?;
    picture.ground = match entries.text("ground")? {
        None | Some("grid") => Ground::Grid,
        Some("plain") => Ground::Plain,
        Some(other) => return Err(format!("`ground` of the drawing is {other:?}; it is \"grid\" or \"plain\"")),
    };
    picture.text = entries.text("text")?.map(|text| {
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        format!("{}\n", lines.join("\n").trim_end())
    });
    let Some(Value::Table(shapes)) = entries.get("shapes") else {
        return Err("`shapes` of the drawing has to be a list of tables".to_owned());
    };
    for (number, shape) in shapes.values().enumerate() {
        let what = format!("shape {} of the drawing", number + 1);
        let Value::Table(entries) = shape else { return Err(format!("{what} has to be a table")) };
        let shape = self::shape(&Entries::of(entries, &what, &SHAPE_ENTRIES)?)?;
        check_inside(&what, [shape.row, shape.column, shape.rows, shape.columns], &picture)?;
        picture.shapes.push(shape);
    }
    picture.goal = match entries.get("goal") {
        None => None,
        Some(Value::Table(entries)) => Some(goal_area(entries, &picture)?),
        Some(other) => return Err(format!("`goal` of the drawing is {other}, and has to be a table")),
    };
    Ok(picture)
}

/// The entries of the part that shows the goal.
const GOAL_ENTRIES: [&str; 5] = ["row", "column", "rows", "columns", "caption"];

/// The height of the caption of the goal where the script does not say it, as a share of the width of the picture: so it can be
/// read on a telephone.
const CAPTION: f64 = 0.06;

fn goal_area(entries: &BTreeMap<Key, Value>, picture: &Picture) -> Result<GoalArea, String> {
    let what = "`goal` of the drawing";
    let entries = Entries::of(entries, what, &GOAL_ENTRIES)?;
    let [row, column, rows, columns] = entries.rectangle(None)?;
    let caption = entries.number("caption", Some(CAPTION * picture.width))?;
    check_inside(what, [row, column, rows, columns], picture)?;
    Ok(GoalArea { row, column, rows, columns, caption })
}

/// Checks that a rectangle lies inside of the picture.
fn check_inside(what: &str, [row, column, rows, columns]: [f64; 4], picture: &Picture) -> Result<(), String> {
    let is_inside = |start: f64, length: f64, end: f64| start >= -1e-6 && length > 0.0 && start + length <= end + 1e-6;
    if is_inside(row, rows, picture.height) && is_inside(column, columns, picture.width) {
        return Ok(());
    }
    Err(format!(
        "{what} begins at row {} and column {}, {rows} high and {columns} wide, and the drawing is {} high and {} wide: a \
         shape lies inside of the drawing, from row 1 and column 1",
        row + 1.0,
        column + 1.0,
        picture.height,
        picture.width
    ))
}

const SHAPE_ENTRIES: [&str; 10] =
    ["row", "column", "rows", "columns", "role", "colour", "fill", "label", "form", "image"];

fn shape(entries: &Entries) -> Result<Shape, String> {
    let what = entries.what;
    let number = entries.number("colour", Some(1.0))?.max(1.0) as usize - 1;
    let is_label = entries.text("form")? == Some("label");
    let role = match entries.text("role")? {
        None if is_label => Role::Frame,
        None | Some("piece") => Role::Piece(number),
        Some("hero") => Role::Hero,
        Some("wall") => Role::Wall,
        Some("target") => Role::Target(number),
        Some("lamp on") => Role::Lamp(true),
        Some("lamp off") => Role::Lamp(false),
        Some("ranked") => Role::Ranked(number + 1),
        Some("frame") => Role::Frame,
        Some("mark") => Role::Mark,
        Some(other) => {
            return Err(format!(
                "`role` of {what} is {other:?}; it is piece, hero, wall, target, lamp on, lamp off, ranked, frame or \
                 mark"
            ));
        }
    };
    let fill = entries.text("fill")?.map(|fill| colour(fill, what)).transpose()?;
    let form = match (entries.text("form")?, entries.get("image")) {
        (_, Some(_)) if fill.is_some() => {
            return Err(format!("{what} has an `image` and a `fill`: give the parts of the image their colours"));
        }
        (None | Some("image"), Some(drawn)) => Form::Image(Arc::new(image(drawn, &format!("`image` of {what}"))?)),
        (Some("image"), None) => return Err(format!("{what} is an image and has no `image`: give it its path")),
        (Some(_), Some(_)) => return Err(format!("{what} has an `image` and another `form`: leave one of them out")),
        (Some("label"), None) if fill.is_some() => {
            return Err(format!("{what} is a label, which has no `fill`: put a shape with it behind"));
        }
        (None | Some("block"), None) => fill.map_or(Form::Block, |fill| Form::Image(Arc::new(filled(fill, false)))),
        (Some("disc"), None) => fill.map_or(Form::Disc, |fill| Form::Image(Arc::new(filled(fill, true)))),
        (Some("label"), None) => Form::Label,
        (Some(other), None) => return Err(format!("`form` of {what} is {other:?}; it is block, disc, label or image")),
    };
    let [row, column, rows, columns] = entries.rectangle(Some(1.0))?;
    let label = entries.text("label")?.unwrap_or_default().to_owned();
    if is_label && label.trim().is_empty() {
        return Err(format!("{what} is a label without a `label`: give it its text"));
    }
    Ok(Shape { row, column, rows, columns, form, role, label })
}

fn as_text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_states_are_shown_on_rows() {
        let text = "left: farmer, goat; right: wolf";
        assert_eq!(wrapped(text, 12), ["left:", "farmer,", "goat; right:", "wolf"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        let picture = line(text);
        assert_eq!((picture.shapes.len(), picture.height), (4, 4.0));
        assert_eq!(picture.to_text(), format!("{text}\n"));
    }

    fn drawn(expression: &str) -> Result<Picture, String> {
        let lua = mlua::Lua::new();
        picture(&Value::from_lua(&lua.load(expression).eval().unwrap()).unwrap())
    }

    #[test]
    fn text_becomes_cells() {
        let picture = drawn("'xA.\\nx3'").unwrap();
        assert_eq!((picture.width, picture.height), (3.0, 2.0));
        let roles: Vec<_> = picture.shapes.iter().map(|shape| (shape.role, shape.label.as_str())).collect();
        assert_eq!(roles, [(Role::Wall, ""), (Role::Piece(0), "A"), (Role::Wall, ""), (Role::Piece(3), "3")]);
        assert_eq!(picture.to_text(), "xA.\nx3\n");
        assert_eq!(drawn("{'xA.', 'x3'}").unwrap(), picture);
    }

    #[test]
    fn shapes_count_from_one() {
        let picture = drawn(
            "{width = 3, height = 2, ground = 'plain', text = 'two discs \\n', shapes = {
                {row = 2, column = 1, columns = 1.5, form = 'disc', label = 'big', colour = 4},
                {row = 1, column = 1, role = 'target'}}}",
        );
        let picture = picture.unwrap();
        assert_eq!((picture.ground, picture.text.as_deref()), (Ground::Plain, Some("two discs\n")));
        let disc = &picture.shapes[0];
        assert_eq!((disc.row, disc.column, disc.rows, disc.columns), (1.0, 0.0, 1.0, 1.5));
        assert_eq!((&disc.form, disc.role, disc.label.as_str()), (&Form::Disc, Role::Piece(3), "big"));
        assert_eq!(picture.shapes[1].role, Role::Target(0));
    }

    #[test]
    fn faults_name_the_entry() {
        let fault = |expression: &str| drawn(expression).unwrap_err();
        assert_eq!(fault("''"), "the drawing is empty");
        assert_eq!(fault("7"), "it returns 7, and has to return text, a list of rows or a table with `shapes`");
        assert_eq!(fault("{1, 2}"), "it returns a table that is neither a list of rows nor has `shapes`");
        assert_eq!(fault("{shapes = {}}"), "the drawing has no `width`");
        assert_eq!(
            fault("{shapes = {}, width = 1, hight = 1}"),
            "the drawing has an entry `hight`; its entries are width, height, shapes, ground, goal, text"
        );
        assert_eq!(
            fault("{shapes = {{row = 1, column = 1, role = 'red'}}, width = 1, height = 1}"),
            "`role` of shape 1 of the drawing is \"red\"; it is piece, hero, wall, target, lamp on, lamp off, ranked, \
             frame or mark"
        );
        assert_eq!(
            fault("{shapes = {{row = 'a', column = 1}}, width = 1, height = 1}"),
            "`row` of shape 1 of the drawing is a, and has to be a number"
        );
    }
}
