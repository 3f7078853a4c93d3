//! Spearman's ρ with its interval, Welch's test and a linear mixed model, of plain numbers.

use plymap_statistics::estimator::{Frame, Request, Role, Values};
use plymap_statistics::methods;
use plymap_statistics::stats::{Confidence, correlation::spearman, two_samples::welch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Four participants at three levels each: moves made, seconds needed.
    let moves = [8.0, 12.0, 19.0, 9.0, 15.0, 24.0, 10.0, 13.0, 30.0, 8.0, 17.0, 21.0];
    let seconds = [11.0, 25.0, 47.0, 14.0, 31.0, 52.0, 7.0, 12.0, 40.0, 6.0, 18.0, 26.0];
    println!("{}", spearman(&moves, &seconds, Confidence::default()).sentence());

    // The first two participants were asked to take care, the others to be quick.
    let (careful, quick) = seconds.split_at(6);
    println!("{}", welch(careful, quick, Confidence::default()).sentence());

    // Any method on the columns of a table: here the time explained by the moves, with random intercepts.
    let numbers = |values: &[f64]| Values::Numbers(values.iter().copied().map(Some).collect());
    let labels = |label: fn(usize) -> usize| Values::Text((0..12).map(|row| Some(label(row).to_string())).collect());
    let columns = [("moves", numbers(&moves)), ("seconds", numbers(&seconds))];
    let keys = [("participant", labels(|row| row / 3)), ("level", labels(|row| row % 3))];
    let frame = Frame::new(columns.into_iter().chain(keys).map(|(name, values)| (name.to_owned(), values)).collect())?;
    let request = Request::new(&frame)
        .role(Role::Y, &["log(seconds)"])
        .role(Role::Predictor, &["moves"])
        .role(Role::Random, &["participant", "level"]);
    let model = methods::named("mixed")?.estimate(&request)?;
    for row in 0..model.n_rows() {
        let text = |column| model.text(row, column).unwrap_or_default();
        println!("{}: {}", text("term"), text("sentence"));
    }
    Ok(())
}
