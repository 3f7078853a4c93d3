//! Two models of the same decisions: one errs at any move alike, the other rather by little than by much.

use plymap_choice::{Alternative, Decision, Decisions, FitOptions, Model, Rule, fit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let best = Alternative { regret: Some(0.0), is_optimal: true, ..Alternative::default() };
    let alternatives = [
        best,
        Alternative { regret: Some(1.0), ..Alternative::default() },
        Alternative { regret: Some(3.0), ..Alternative::default() },
    ];
    // Of forty decisions among three moves, thirty are for the best, nine for the second, one for the worst.
    let mut decisions = Decisions::new();
    for chosen in [0; 30].into_iter().chain([1; 9]).chain([2]) {
        decisions.push(&Decision { alternatives: &alternatives, chosen, ..Decision::default() })?;
    }
    for rule in [Rule::Chance, Rule::LapseOptimal, Rule::SoftOptimal] {
        println!("{}", fit(&decisions, &Model::new(rule), &FitOptions::default()).sentence());
    }
    Ok(())
}
