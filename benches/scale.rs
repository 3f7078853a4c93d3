//! Growth of the time and memory of a whole run with people, moves and levels.
//!
//! Run with `cargo bench --bench scale`. The demo is made larger in one direction at a time: more people, the same people
//! in more sessions, the same moves at more levels. Each study is run by the program, with all analyses and figures and
//! nothing kept; printed are its time and the most memory that it had, and the exponents that fit them.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// Factors by which the demo is made larger.
const SIZES: [usize; 4] = [2, 4, 8, 16];

/// Dimension in which the demo grows.
#[derive(Clone, Copy, Debug)]
enum Growing {
    People,
    Sessions,
    Levels,
}

/// Measurement of one run.
struct Measured {
    /// Size by which the exponent is taken: rows, or levels where rows stay as they are.
    size: f64,
    seconds: f64,
    megabytes: f64,
}

fn main() -> io::Result<()> {
    for growing in [Growing::People, Growing::Sessions, Growing::Levels] {
        println!("{growing:?}\n{:>10} {:>10} {:>10} {:>10}", "times", "size", "s", "MB");
        let mut all = Vec::new();
        for times in SIZES {
            let folder = tempfile::tempdir()?;
            let size = study(folder.path(), growing, times)?;
            let (elapsed, megabytes) = run(folder.path())?;
            let measured = Measured { size, seconds: elapsed.as_secs_f64(), megabytes };
            println!("{times:>10} {size:>10} {:>10.2} {megabytes:>10.0}", measured.seconds);
            all.push(measured);
        }
        let time = exponent(&all, |measured| measured.seconds);
        let memory = exponent(&all, |measured| measured.megabytes);
        println!("exponents: time {time:.2}, memory {memory:.2}\n");
    }
    Ok(())
}

/// Writes the demo, made larger, and returns its size.
fn study(folder: &Path, growing: Growing, times: usize) -> io::Result<f64> {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo");
    let text = fs::read_to_string(demo.join("study.toml"))?;
    // Claims are about the demo as it is, and so are the levels that are drawn. What people would see is not run.
    let (analysed, _) = text.split_once("\n[experiment]").unwrap_or((&text, ""));
    let is_kept = |line: &&str| !line.starts_with("claims") && !line.starts_with("levels = ");
    fs::write(folder.join("study.toml"), analysed.lines().filter(is_kept).collect::<Vec<_>>().join("\n"))?;
    let (levels, logs) = (folder.join("levels"), folder.join("logs"));
    fs::create_dir(&levels)?;
    fs::create_dir(&logs)?;
    let n_copies = if matches!(growing, Growing::Levels) { times } else { 1 };
    let mut n_levels = 0;
    for entry in fs::read_dir(demo.join("levels"))? {
        let file = entry?.path();
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for copy in 0..n_copies {
            // A level is called as its file.
            let name = if n_copies > 1 { format!("{name}x{copy}") } else { name.clone() };
            fs::copy(&file, levels.join(name).with_extension("txt"))?;
            n_levels += 1;
        }
    }
    let log = fs::read_to_string(demo.join("logs/moves.csv"))?;
    let (header, rows) = log.split_once('\n').unwrap_or((&log, ""));
    let mut larger = format!("session,{header}\n");
    let mut n_rows = 0;
    for copy in 0..times {
        for row in rows.lines() {
            let Some((participant, rest)) = row.split_once(',') else { continue };
            let Some((level, moves)) = rest.split_once(',') else { continue };
            let is_own = || participant.bytes().chain(level.bytes()).map(usize::from).sum::<usize>() % times == copy;
            let _ = match growing {
                Growing::People => writeln!(larger, "1,{participant}x{copy},{rest}"),
                Growing::Sessions => writeln!(larger, "{},{participant},{rest}", copy + 1),
                // Each level of each participant is one of its copies, so that there are as many rows as before.
                Growing::Levels if is_own() => writeln!(larger, "1,{participant},{level}x{copy},{moves}"),
                Growing::Levels => continue,
            };
            n_rows += 1;
        }
    }
    fs::write(logs.join("moves.csv"), larger)?;
    Ok(if matches!(growing, Growing::Levels) { f64::from(n_levels) } else { f64::from(n_rows) })
}

/// Runs the study; returns its duration, and the most memory that it had, in units of 1,048,576 bytes, where the system
/// tells.
fn run(folder: &Path) -> io::Result<(Duration, f64)> {
    let begun = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_plymap"));
    let command = command.current_dir(folder).args(["--quiet", "run", ".", "--no-cache"]);
    let mut program = command.stdout(Stdio::null()).spawn()?;
    let mut megabytes = f64::NAN;
    // The peak is told only as long as the program runs.
    let status = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", program.id())).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        megabytes = peak.map_or(megabytes, |kilobytes: f64| kilobytes / 1024.0);
        if let Some(status) = program.try_wait()? {
            break status;
        }
        thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "the run failed");
    Ok((begun.elapsed(), megabytes))
}

/// Returns the slope of the line through the logarithms, by least squares.
fn exponent(all: &[Measured], value: impl Fn(&Measured) -> f64) -> f64 {
    let points: Vec<(f64, f64)> = all.iter().map(|measured| (measured.size.ln(), value(measured).ln())).collect();
    let mean = |coordinate: fn(&(f64, f64)) -> f64| points.iter().map(coordinate).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    products / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}
