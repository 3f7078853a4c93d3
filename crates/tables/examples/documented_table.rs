//! A table with documented columns: printed, written with its documentation, read back.

use plymap_tables::{Columns, Print, TableFormat, count, number, read_table, text, to_text, write_table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trials = [("anna", 14, 21.5), ("ben", 9, 12.25)];
    let table = Columns::new()
        .column(&trials, text("participant", "who played"), |trial| trial.0.to_owned())
        .column(&trials, count("n_moves", "moves made"), |trial| trial.1)
        .column(&trials, number("time_s", "from the start of the trial to its end").unit("s"), |trial| Some(trial.2))
        .into_table("trials", "One row for each trial.");
    print!("{}", to_text(&table, &Print::default())?);

    let folder = tempfile::tempdir()?;
    write_table(&table, folder.path(), &[TableFormat::Csv])?;
    print!("{}", std::fs::read_to_string(folder.path().join("trials.csv"))?);

    let read = read_table(folder.path(), "trials", TableFormat::Csv)?;
    assert!(read.data.equals_missing(&table.data));
    println!("{}: {} [{}]", read.columns[2].name, read.columns[2].meaning, read.columns[2].unit);
    Ok(())
}
