//! Answers on a position, shared by `solve`, `hint` and `explain`.

use plymap_measures::level_tables::method_name;
use plymap_puzzles::distance::Evaluation;
use plymap_puzzles::game::{Distance, Value};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::apa::counted;
use serde_json::{Map, json};

/// Head of an answer in JSON: the position, and its value.
#[derive(serde::Serialize)]
pub struct Head {
    level: String,
    game: &'static str,
    state: String,
    is_goal: bool,
    /// True if a goal can be reached; absent where values are points.
    #[serde(skip_serializing_if = "Option::is_none")]
    solvable: Option<bool>,
    /// Fewest moves to a goal; absent where values are points.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Option<u32>>,
    /// Expected points; absent where values are distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<f64>,
    unit: &'static str,
    /// Source of the value.
    pub method: &'static str,
    #[serde(skip_serializing_if = "Map::is_empty")]
    attributes: Map<String, serde_json::Value>,
}

impl Head {
    /// The head of an answer about a position.
    pub fn new(level: &ValuedLevel, evaluation: &Evaluation) -> Self {
        let unit = level.rules.unit();
        let attributes = level.rules.attributes(evaluation.state);
        Self {
            level: level.id.clone(),
            game: level.game,
            state: level.rules.format_state(evaluation.state),
            is_goal: evaluation.is_goal,
            solvable: unit.is_distance().then_some(evaluation.value.is_some()),
            distance: unit.is_distance().then_some(distance(evaluation.value)),
            points: evaluation.value.filter(|_| !unit.is_distance()).map(Value::number),
            unit: unit.name(),
            method: method_name(level.rules.valuation()),
            attributes: attributes
                .into_iter()
                .map(|attribute| {
                    (attribute.name.to_owned(), attribute.whole().map_or(json!(attribute.value), |whole| json!(whole)))
                })
                .collect(),
        }
    }
}

/// A value as whole moves; absent for points.
pub fn distance(value: Option<Value>) -> Option<u32> {
    value.and_then(Value::as_distance).map(|Distance(moves)| moves)
}

/// Returns a line on a position, and the attributes that its game knows beside its value.
pub fn headline(level: &ValuedLevel, evaluation: &Evaluation) -> String {
    let n_optimal = evaluation.n_optimal();
    let n_legal = evaluation.moves.len();
    let (legal, are) = (counted(n_legal, "legal move"), if n_optimal == 1 { "is" } else { "are" });
    let mut text = match evaluation.value {
        _ if evaluation.is_goal => "the level is solved in this position\n".to_owned(),
        None => "no goal can be reached from this position\n".to_owned(),
        Some(points) if n_legal == 0 && level.rules.is_start_drawn() && evaluation.state == level.rules.start() => {
            format!("chance draws the start of each game; expected points: {points}\n")
        }
        Some(points) if n_legal == 0 && !level.rules.legal_moves(evaluation.state).is_empty() => {
            format!("chance has its turn in this position: paste it with what chance adds; expected points: {points}\n")
        }
        Some(Value::Points(_)) if n_legal == 0 => "the game is over in this position\n".to_owned(),
        Some(value @ Value::Points(_)) => {
            let method = method_name(level.rules.valuation());
            format!("expected points ({method}): {value}; {n_optimal} of {legal} {are} optimal\n")
        }
        Some(distance) => {
            let unit = level.rules.unit().name();
            format!("distance to the goal: {distance} {unit}; {n_optimal} of {legal} {are} optimal\n")
        }
    };
    for attribute in level.rules.attributes(evaluation.state) {
        text.push_str(&format!("{}: {} ({})\n", attribute.name, attribute.value, attribute.meaning));
    }
    text
}
