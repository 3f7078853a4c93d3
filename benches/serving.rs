//! Rate and latency of hints: 100,000 requests over 200 connections at once to `plymap serve`, on this machine alone.
//! Every answer is compared with that of `plymap hint`, and the memory of the server is looked at before and after.
//!
//!     cargo bench --bench serving

use std::error::Error;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plymap");

const N_REQUESTS: usize = 100_000;

const N_CONNECTIONS: usize = 200;

/// A level with 4,780 positions.
const LEVEL: &str = "article-1";

/// The server ends with the benchmark, however that ends.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let study = concat!(env!("CARGO_MANIFEST_DIR"), "/data/demo/study.toml");
    let hint = Command::new(PROGRAM).args(["hint", study, "--level", LEVEL, "--format", "json"]).output()?;
    let expected: serde_json::Value = serde_json::from_slice(&hint.stdout)?;
    let record = folder.path().join("recorded.ndjson");
    let mut program = Command::new(PROGRAM)
        .args(["serve", study, "--port", "0", "--hints", "--rate", "1000000000", "--record"])
        .arg(&record)
        .stderr(Stdio::piped())
        .spawn()?;
    let mut said = BufReader::new(program.stderr.take().ok_or("no messages")?);
    let id = program.id();
    let server = Server(program);
    let mut line = String::new();
    while !line.contains("http://") {
        line.clear();
        if said.read_line(&mut line)? == 0 {
            return Err("the server did not start".into());
        }
    }
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).ok_or("no address")?.to_owned();
    std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
    let before = resident(id);
    let begun = Instant::now();
    let mut latencies: Vec<Duration> = std::thread::scope(|scope| {
        let ask = || asked(&address, N_REQUESTS / N_CONNECTIONS, &expected);
        let threads: Vec<_> = (0..N_CONNECTIONS).map(|_| scope.spawn(ask)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a thread failed")?)
            .collect::<Result<Vec<_>, String>>()
    })?
    .concat();
    let elapsed = begun.elapsed();
    latencies.sort_unstable();
    let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{} answers in {:.1} s, {:.0} a second, no error",
        latencies.len(),
        elapsed.as_secs_f64(),
        latencies.len() as f64 / elapsed.as_secs_f64()
    );
    println!(
        "latency of {N_CONNECTIONS} at once: p50 {:.1} ms, p99 {:.1} ms, p99.9 {:.1} ms, most {:.1} ms",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    // The first requests make room for the connections; what must not grow is what follows.
    let between = resident(id);
    asked(&address, 10_000, &expected)?;
    println!(
        "memory: {} before, {} after, {} after 10,000 more of one connection",
        mb(before),
        mb(between),
        mb(resident(id))
    );
    drop(server);
    Ok(())
}

/// Asks for the hint again and again on one connection; returns the time of each answer.
fn asked(address: &str, n: usize, expected: &serde_json::Value) -> Result<Vec<Duration>, String> {
    let ask = || -> Result<Vec<Duration>, Box<dyn Error>> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream.try_clone()?);
        let request = format!("GET /api/levels/{LEVEL}/hint HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let (mut latencies, mut known) = (Vec::with_capacity(n), None);
        for _ in 0..n {
            let begun = Instant::now();
            stream.write_all(request.as_bytes())?;
            let mut line = String::new();
            reader.read_line(&mut line)?;
            if !line.starts_with("HTTP/1.1 200") {
                return Err(line.into());
            }
            let mut length = 0;
            loop {
                line.clear();
                reader.read_line(&mut line)?;
                if line == "\r\n" {
                    break;
                }
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse()?;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body)?;
            latencies.push(begun.elapsed());
            // The same bytes have the same meaning.
            if known.as_ref() != Some(&body) {
                if serde_json::from_slice::<serde_json::Value>(&body)? != *expected {
                    return Err("another hint than that of plymap hint".into());
                }
                known = Some(body);
            }
        }
        Ok(latencies)
    };
    ask().map_err(|error| error.to_string())
}

/// Memory of a process, in bytes, where the system tells it.
fn resident(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1_024)
}

fn mb(bytes: Option<u64>) -> String {
    bytes.map_or("unknown".to_owned(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6))
}
