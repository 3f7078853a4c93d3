//! A log of clicks in milliseconds, read into the canonical log, with every row accounted for.

use plymap_log::{LogSpec, read_log, summarise};
use plymap_puzzles::progress::Silent;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let text = "subject,level,action,rt_ms\nanna,1,A+1,812\nanna,1,B-2,455\nanna,,A+1,300\n";
    std::fs::write(folder.path().join("log.csv"), text)?;
    // As the sections [log] and [columns] of a study say it.
    let columns = toml::from_str("participant = \"subject\"\nrt = { column = \"rt_ms\", unit = \"ms\" }")?;
    let spec =
        LogSpec { files: vec!["log.csv".into()], folder: folder.path().to_owned(), columns, ..LogSpec::default() };

    let log = read_log(&spec, &Silent)?;
    println!("{} rows: {} used, {} rejected", log.n_read, log.rows.len(), log.n_rejected);
    for row in log.rows.iter() {
        println!("{} {} {} s", row.participant(), row.action().unwrap_or("-"), row.rt_s().unwrap_or(f64::NAN));
    }
    for diagnostic in summarise(&log.diagnostics) {
        println!("{}: {}", diagnostic.code, diagnostic.rule);
    }
    Ok(())
}
