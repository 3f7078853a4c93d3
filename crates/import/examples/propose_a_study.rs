//! A study proposed for a foreign log: which column is which, and how sure that is.

use plymap_import::propose;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{LoadError, LoadedLevel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("log.csv");
    std::fs::write(&path, "subject,puzzle,clicked,ms\nanna,easy,A+1,812\nanna,easy,A+1,455\nben,easy,A+1,901\n")?;
    let board = "......\n......\nAA....>\n......\n......\n......\n";
    let level = LoadedLevel::from_text("easy", board, Default::default(), &Default::default()).map_err(LoadError)?;
    let rules: [(&str, &dyn Rules); 1] = [("easy", &*level.rules)];

    let proposal = propose(&[path], None, &rules, &Silent)?;
    for note in &proposal.notes {
        println!("{:<12} {}: {}", note.entry, note.certainty, note.reason);
    }
    Ok(())
}
