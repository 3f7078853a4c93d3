//! Keeps the rows of a small table that meet a condition, and writes a column that is computed from others.
//!
//! Run with `cargo run -p plymap-expression --example keep_rows -- 'rt < 500 and level != "practice"'`.

use plymap_expression::{Expression, ExpressionError, Template, Value};

const COLUMNS: [&str; 3] = ["level", "piece", "rt"];
const ROWS: [[&str; 3]; 4] = [["easy", "R", "412"], ["easy", "A", "1250"], ["practice", "R", "300"], ["hard", "B", ""]];

fn main() -> Result<(), ExpressionError> {
    let condition = std::env::args().nth(1).unwrap_or_else(|| "rt < 500 and level != 'practice'".to_owned());
    let condition = Expression::parse(&condition)?;
    let line = Template::parse("{piece} at {level}")?;
    let column = |name: &str| COLUMNS.iter().position(|known| *known == name);
    for row in ROWS {
        let cell = |name: &str| column(name).map_or(Value::Missing, |place| Value::from(row[place]));
        let names: Vec<&str> = condition.names().collect();
        let decided = condition.decide(&|place: usize| cell(names[place]));
        let parts: Vec<Vec<&str>> = line.expressions().map(|part| part.names().collect()).collect();
        let text = line.fill(&|part: usize, place: usize| cell(parts[part][place]));
        println!("{text:?}: {decided:?}");
    }
    Ok(())
}
