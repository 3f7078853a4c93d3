//! Tables and figures of the survey of Lights Out boards of all sizes.
//!
//! The questions are those with which the article on Enlight ends (Osenkov 2008): is a solution unique, which
//! boards have none, which single lamps can be turned off and by what pattern, and what comes of larger boards.

use plymap_figures::boards::{Frame, Storyboard, StripKind};
use plymap_figures::scatter::{Axes, Panel, Point, Scatter};
use plymap_figures::{Chart, ChartError, Figure, Heading, Label, Styles, draw};
use plymap_puzzles::game::Picture;
use plymap_puzzles::game::lights_out::column_search::n_steps;
use plymap_puzzles::game::lights_out::survey::{Size, Solution};
use plymap_puzzles::game::picture::{Form, Ground, Role, Shape};
use plymap_tables::{ColumnDoc, Columns, Table, count, number, text, whole};

type SolutionOf = fn(&Size) -> Option<&Solution>;

/// The boards of a size whose lightest solutions the survey tells.
const BOARDS: [(&str, SolutionOf); 4] = [
    ("corner", |size| size.corner.as_ref()),
    ("centre", |size| size.centre.as_ref()),
    ("all-on", |size| size.all_on.as_ref()),
    ("solvable-lamps", |size| size.solvable_lamps_on.as_ref()),
];

/// The table `sizes`: one row for each size of board. `counts_steps` tells whether the column search of the
/// article applies, which knows the neighbourhood plus only.
pub fn sizes_table(sizes: &[Size], counts_steps: bool) -> Table {
    let weight = |solution: &Option<Solution>| solution.as_ref().map(|solution| i64::from(solution.weight));
    Columns::new()
        .column(sizes, count("side", "number of rows, and of columns"), |size| size.side as u64)
        .column(sizes, count("nullity", "dimension of the null space: 2^nullity sets of presses change no lamp, so a board that can be solved has 2^nullity solutions"), |size| size.nullity as u64)
        .column(sizes, number("share_solvable", "share of all boards that can be solved: 2^-nullity"), |size| {
            Some(size.share_solvable)
        })
        .column(sizes, count("n_solvable_lamps", "number of lamps that, lit alone, can be turned off"), |size| {
            size.solvable_lamps.len() as u64
        })
        .column(sizes, number("share_solvable_lamps", "n_solvable_lamps / number of lamps"), |size| {
            Some(size.share_solvable_lamps)
        })
        .column(sizes, text("solvable_lamps", "these lamps, row by row; `all` or `none`"), |size| {
            cells(&size.solvable_lamps, size.side)
        })
        .column(sizes, whole("largest_distance", "largest distance of any board that can be solved; empty where it would take too long").unit("moves"), |size| size.largest_distance.map(i64::from))
        .column(sizes, whole("presses_for_corner", "fewest presses that turn off the upper left lamp alone; empty if none do, or with a nullity above 26").unit("moves"), |size| weight(&size.corner))
        .column(sizes, whole("presses_for_centre", "fewest presses that turn off the middle lamp alone (of four, the upper left one); empty if none do, or with a nullity above 26").unit("moves"), |size| weight(&size.centre))
        .column(sizes, whole("presses_for_all_on", "fewest presses that turn off all lamps at once; empty if none do, or with a nullity above 26").unit("moves"), |size| weight(&size.all_on))
        .values(
            count(
                "column_search_steps",
                "steps of the column-by-column search of the article: 2^h - 1 + 2^h h (w - 1); empty for other neighbourhoods than plus, and from 2^64 steps",
            ),
            sizes.iter().map(|size| steps_of_column_search(size.side).filter(|_| counts_steps)).collect(),
        )
        .into_table("sizes", "Square boards of Lights Out by their size.")
}

fn steps_of_column_search(side: usize) -> Option<u64> {
    n_steps(side, side).filter(|_| side > 1)?.try_into().ok()
}

/// Cells by their names, or `all` or `none`.
fn cells(cells: &[usize], side: usize) -> String {
    match cells.len() {
        0 => "none".to_owned(),
        n if n == side * side => "all".to_owned(),
        _ => {
            let names = cells.iter().map(|cell| format!("r{}c{}", cell / side + 1, cell % side + 1));
            names.collect::<Vec<_>>().join(" ")
        }
    }
}

/// The table `patterns`: the lightest solution of four boards of each size.
pub fn patterns_table(sizes: &[Size]) -> Table {
    let rows: Vec<(&Size, &str, &Solution)> = sizes
        .iter()
        .flat_map(|size| BOARDS.iter().filter_map(move |(name, solution_of)| Some((size, *name, solution_of(size)?))))
        .collect();
    Columns::new()
        .column(&rows, count("side", "number of rows, and of columns"), |row| row.0.side as u64)
        .values(
            ColumnDoc::new("board", "what is lit: the upper left lamp, the middle one, all lamps, or all lamps that can be turned off alone")
                .levels(&BOARDS.map(|(name, _)| name)),
            rows.iter().map(|row| row.1).collect(),
        )
        .column(&rows, whole("n_presses", "number of presses of the lightest solution").unit("moves"), |row| {
            Some(i64::from(row.2.weight))
        })
        .column(&rows, count("n_lightest", "number of solutions that are as light"), |row| row.2.n_lightest)
        .column(&rows, number("share_pressed", "n_presses / number of lamps"), |row| Some(row.2.share_pressed))
        .column(&rows, whole("n_presses_again", "presses that solve the board whose lit lamps are these presses; empty if none do, or with a nullity above 26").unit("moves"), |row| row.2.weight_again.map(i64::from))
        .values(
            text(
                "period",
                "after how many solutions of solutions the board is itself again; empty if solutions are not unique, or beyond 10,000",
            ),
            rows.iter().map(|row| row.2.period).collect(),
        )
        .column(&rows, text("presses", "the first of the lightest solutions, row by row: `*` is pressed"), |row| {
            drawn(&row.2.presses, row.0.side)
        })
        .into_table("patterns", "The lightest solutions of some boards of Lights Out.")
}

/// The table `distances`: how many boards of each size lie at each distance.
pub fn distances_table(sizes: &[Size]) -> Table {
    let rows: Vec<(u64, i64, u128)> = sizes.iter().flat_map(distances_of).collect();
    let total = |side: u64| rows.iter().filter(|row| row.0 == side).map(|row| row.2).sum::<u128>() as f64;
    Columns::new()
        .column(&rows, count("side", "number of rows, and of columns"), |row| row.0)
        .column(&rows, whole("distance", "fewest presses that turn all lamps off").unit("moves"), |row| Some(row.1))
        .column(&rows, text("n_boards", "number of boards at this distance, in all its digits"), |row| row.2.to_string())
        .column(&rows, number("share", "n_boards / number of boards that can be solved"), |row| {
            Some(row.2 as f64 / total(row.0))
        })
        .into_table("distances", "Square boards of Lights Out that can be solved, by their distance; sizes of which that would take too long are left out.")
}

fn distances_of(size: &Size) -> Vec<(u64, i64, u128)> {
    let counts = size.n_by_distance.clone().unwrap_or_default();
    let side = size.side as u64;
    counts.into_iter().enumerate().map(move |(distance, n)| (side, distance as i64, n)).collect::<Vec<_>>()
}

fn drawn(presses: &[usize], side: usize) -> String {
    let row = |row: usize| -> String {
        (0..side).map(|column| if presses.contains(&(row * side + column)) { '*' } else { '.' }).collect()
    };
    (0..side).map(row).collect::<Vec<_>>().join("/")
}

/// The figures of the survey: numbers by size, and the patterns that turn off the middle lamp.
///
/// # Errors
///
/// [`ChartError`] if a drawing fails.
pub fn figures(sizes: &[Size], styles: &Styles) -> Result<Vec<Figure>, ChartError> {
    let (numbers, patterns) = (numbers(sizes), patterns(sizes));
    let charts: [&dyn Chart; 2] = [&numbers, &patterns];
    let pages = charts.map(|chart| draw(chart, &styles.of(&chart.heading().name)));
    Ok(pages.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

fn numbers(sizes: &[Size]) -> Scatter {
    let share = |value: u32, size: &Size| f64::from(value) / (size.side * size.side) as f64;
    let points = sizes.iter().flat_map(|size| {
        // The three marks of one size stand side by side.
        let x = |group: usize| size.side as f64 + 0.16 * (group as f64 - 1.0);
        let point = |group: usize, value: f64| Point { x: x(group), y: value, group: Some(group) };
        let distance = size.largest_distance.map(|distance| point(2, share(distance, size)));
        [Some(point(0, size.share_solvable)), Some(point(1, size.share_solvable_lamps)), distance]
    });
    Scatter {
        heading: Heading {
            name: "lights-out-sizes".to_owned(),
            title: Label::untranslated("Lights Out boards by size"),
            subtitle: format!(
                "square boards with sides of 1 to {}; the marks of one size stand side by side",
                sizes.len()
            ),
            no_data_reason: Label::untranslated("no size was surveyed"),
        },
        axes: Axes {
            x_title: Label::untranslated("side of the board (lamps)"),
            y_title: Label::untranslated("share"),
            log: false,
            point: "size".to_owned(),
        },
        panels: vec![Panel { points: points.flatten().collect(), ..Panel::default() }],
        groups: ["boards that can be solved", "lamps that can be turned off alone", "largest distance / lamps"]
            .map(Label::untranslated)
            .to_vec(),
        ..Scatter::default()
    }
}

fn patterns(sizes: &[Size]) -> Storyboard {
    let frames = sizes.iter().filter_map(|size| {
        let solution = size.centre.as_ref()?;
        let middle = (size.side - 1) / 2 * (size.side + 1);
        let presses = if solution.weight == 1 { "press" } else { "presses" };
        Some(Frame {
            board: board(size.side, middle, &solution.presses),
            caption: format!("{0}x{0}: {1} {presses}", size.side, solution.weight),
            distance: None,
            note: String::new(),
            is_error: false,
        })
    });
    Storyboard {
        heading: Heading {
            name: "lights-out-centre".to_owned(),
            title: Label::untranslated("What turns off the middle lamp"),
            subtitle: "left out are sizes on which nothing does, or with a nullity above 26".to_owned(),
            no_data_reason: Label::untranslated("no middle lamp can be turned off"),
        },
        frames: frames.collect(),
        kind: StripKind::Gallery,
        note_meaning: String::new(),
    }
}

/// Side of every drawn board, in cells of the drawing: boards of all sizes are drawn equally large.
const DRAWN_SIDE: f64 = 12.0;

/// A board with one lamp lit, and marks where to press.
fn board(side: usize, lit: usize, presses: &[usize]) -> Picture {
    let scale = DRAWN_SIDE / side as f64;
    let place = |cell: usize, form: Form, role: Role| Shape {
        row: (cell / side) as f64 * scale,
        column: (cell % side) as f64 * scale,
        rows: scale,
        columns: scale,
        form,
        role,
        label: String::new(),
    };
    let lamps = (0..side * side).map(|cell| place(cell, Form::Block, Role::Lamp(cell == lit)));
    let marks = presses.iter().map(|&cell| place(cell, Form::Disc, Role::Mark));
    Picture {
        width: DRAWN_SIDE,
        height: DRAWN_SIDE,
        ground: Ground::Plain,
        shapes: lamps.chain(marks).collect(),
        ..Picture::grid(0, 0)
    }
}
