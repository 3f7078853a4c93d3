//! A forest plot from plain numbers, as SVG, PDF, PNG and CSV.
//!
//! `cargo run -p plymap-figures --example forest -- FOLDER`

use std::error::Error;
use std::path::PathBuf;

use plymap_figures::ranking::{Category, Ranking};
use plymap_figures::{Heading, Label, Reference, Style, Width, draw};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let effects = [
        ("one more object", 1.18, (1.11, 1.26)),
        ("a second task", 1.42, (1.21, 1.67)),
        ("practice, each session", 0.91, (0.86, 0.96)),
        ("time of the day, afternoon", 1.02, (0.93, 1.12)),
    ];
    let category = |(label, factor, interval): (&str, f64, (f64, f64))| Category {
        label: label.to_owned(),
        estimate: Some(factor),
        interval: Some(interval),
        ..Category::default()
    };
    let chart = Ranking {
        heading: Heading {
            name: "effects".to_owned(),
            title: Label::untranslated("Effects on the time to answer"),
            subtitle: "n = 1,280 answers of 32 people".to_owned(),
            no_data_reason: Label::untranslated("no model was fitted"),
        },
        x_title: Label::untranslated("factor of the time"),
        log: true,
        estimate: "factor".to_owned(),
        confidence: "95 %".to_owned(),
        reference: Some(Reference { value: 1.0, label: Label::untranslated("no effect") }),
        categories: effects.into_iter().map(category).collect(),
        ..Ranking::default()
    };
    for figure in draw(&chart, &Style::new(Width::Single))? {
        let file = |extension: &str| folder.join(&figure.name).with_extension(extension);
        std::fs::write(file("svg"), figure.svg.as_bytes())?;
        std::fs::write(file("pdf"), figure.to_pdf()?)?;
        std::fs::write(file("png"), figure.to_png(600.0)?)?;
        std::fs::write(file("csv"), figure.to_csv()?)?;
        println!("{}: {} × {} mm. {}", figure.name, figure.width_mm, figure.height_mm, figure.caption);
    }
    Ok(())
}
