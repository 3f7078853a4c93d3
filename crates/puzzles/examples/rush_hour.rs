//! A level of Rush Hour: its whole state graph, the value of every move, a shortest solution.

use std::sync::Arc;

use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::distance::Oracle as _;
use plymap_puzzles::level::{LevelColumns, levels_of_text};
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Each letter is a piece, A is the red one, and > is the exit.
    let text = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n".to_owned();
    let source = Arc::new(SourceText { path: "level-1.txt".into(), text });
    let origin = levels_of_text(&source, &LevelColumns::default()).map_err(|faults| format!("{faults:?}"))?.remove(0);
    let level =
        LoadedLevel::new(origin, Default::default(), &Default::default()).map_err(|faults| format!("{faults:?}"))?;
    let level = ValuedLevel::new(level, "rush-hour", &Default::default())?;
    println!("{} states can be reached", level.n_states().unwrap_or_default());

    let start = level.rules.start();
    for valued in level.oracle().evaluate(start)?.moves {
        let after = valued.after.map_or("no goal".to_owned(), |value| format!("{} from the goal", value.number()));
        println!("{:<6} {after}{}", valued.legal.notation, if valued.is_optimal() { ", optimal" } else { "" });
    }
    let solution = level.solution_from(start)?.ok_or("no solution")?;
    let moves: Vec<_> = solution.moves.iter().map(|played| played.notation.as_str()).collect();
    println!("solved by {}", moves.join(" "));
    let end = *solution.states.last().ok_or("no state")?;
    print!("{}", level.rules.picture(end).to_text());
    Ok(())
}
