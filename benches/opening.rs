//! Time from a change in the page of `plymap open` until the log is replayed with it: the demo with 200,502 rows. Each
//! change keeps illegal moves, or rejects them, and the number of moves that are replayed has to follow.
//!
//!     cargo bench --bench opening

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

#[path = "../tests/it/http.rs"]
#[expect(dead_code, reason = "only requests are needed of it")]
mod http;

/// Number of copies of the participants of the demo.
const COPIES: u64 = 18;

/// Number of rows: those of the demo, by the copies.
const N_ROWS: u64 = 11_139 * COPIES;

/// Number of times that the page is asked for what is being read, each of which waits, before the reading counts as failed.
const PATIENCE: usize = 1_000;

/// Number of changes that are timed.
const N_CHANGES: usize = 10;

/// The page with its program, which ends with the benchmark, however that ends.
struct Page {
    program: Child,
    host: String,
    token: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Page {
    fn open(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut program = Command::new(env!("CARGO_BIN_EXE_plymap"))
            .args(["open", "study.toml", "--no-browser"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut address = String::new();
        BufReader::new(program.stdout.take().ok_or("no output")?).read_line(&mut address)?;
        let address = address.trim().trim_start_matches("http://").trim_end_matches('/');
        let (host, token) = address.split_once('/').ok_or("no address")?;
        Ok(Self { host: host.to_owned(), token: token.to_owned(), program })
    }

    fn ask(&self, method: &str, path: &str, body: &[u8]) -> Result<http::Answer, Box<dyn Error>> {
        let path = format!("/{}/{path}", self.token);
        Ok(http::exchange(&self.host, method, &path, &["X-Plymap: open"], body)?)
    }

    /// The value at an address, once the log is read.
    fn value(&self, path: &str) -> Result<Value, Box<dyn Error>> {
        for _ in 0..PATIENCE {
            match self.ask("GET", path, &[])? {
                answer if answer.status == 200 => return Ok(answer.json()),
                answer if answer.status == 409 => drop(self.ask("GET", "api/task?seen=0", &[])?),
                answer => return Err(answer.text().into()),
            }
        }
        Err(format!("{path}: the log is not read").into())
    }

    /// The reading of the log, once it is that of the study as it is now.
    fn reading(&self) -> Result<Value, Box<dyn Error>> {
        self.value("api/reading?n=20")
    }

    fn edit(&self, edit: &Value) -> Result<(), Box<dyn Error>> {
        let seen = self.value("api/revision")?["revision"].clone();
        let body = json!({ "edits": [edit], "seen": seen }).to_string();
        let answer = self.ask("POST", "api/edit", body.as_bytes())?;
        if answer.status == 200 { Ok(()) } else { Err(answer.text().into()) }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    study(folder.path())?;
    let page = Page::open(folder.path())?;
    let before = page.reading()?;
    assert_eq!(before["account"]["n_in_files"], N_ROWS, "{before}");
    let mut seconds = Vec::new();
    for change in 0..N_CHANGES {
        let treatment = if change % 2 == 0 { "keep" } else { "reject" };
        let begun = Instant::now();
        page.edit(&json!({ "path": ["log", "illegal_moves"], "value": treatment }))?;
        let reading = page.reading()?;
        seconds.push(begun.elapsed().as_secs_f64());
        assert_eq!(reading["n_moves"] == before["n_moves"], treatment == "reject", "{treatment}");
    }
    seconds.sort_by(f64::total_cmp);
    let median = (seconds[N_CHANGES / 2 - 1] + seconds[N_CHANGES / 2]) / 2.0;
    println!("{N_ROWS} rows: {median:.2} s from a change to the replay, at most {:.2} s", seconds[N_CHANGES - 1]);
    Ok(())
}

/// Writes the demo with more participants.
fn study(folder: &Path) -> Result<(), Box<dyn Error>> {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo");
    let levels = folder.join("levels");
    fs::create_dir(&levels)?;
    for entry in fs::read_dir(demo.join("levels"))? {
        let file = entry?;
        fs::copy(file.path(), levels.join(file.file_name()))?;
    }
    let study = "[study]\nname = \"large\"\n[levels]\ngame = \"rush-hour\"\nfiles = [\"levels\"]\n[log]\n\
                 illegal_moves = \"reject\"\nfiles = [\"log.csv\"]\n";
    fs::write(folder.join("study.toml"), study)?;
    let log = fs::read_to_string(demo.join("logs/moves.csv"))?;
    let (header, rows) = log.split_once('\n').ok_or("no header")?;
    let mut larger = format!("{header}\n");
    for copy in 0..COPIES {
        for row in rows.lines() {
            writeln!(larger, "{copy}x{row}")?;
        }
    }
    fs::write(folder.join("log.csv"), larger)?;
    Ok(())
}
