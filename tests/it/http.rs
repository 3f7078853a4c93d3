//! A program that answers requests, and requests to it.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Header that shows whose session it is, where a test has one participant or none.
pub const TOKEN: &str = "Authorization: Bearer drawn-by-these-tests";

/// The program while it listens; it is ended with the test.
pub struct Serving {
    program: Child,
    pub address: String,
    said: Arc<Mutex<String>>,
}

/// Answer of the program.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

impl Serving {
    /// Starts the program, which tells its address in its first messages.
    pub fn new(arguments: &[&str], prepare: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("plymap"));
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
        prepare(&mut command);
        let mut program = command.spawn().expect("a program");
        let mut lines = BufReader::new(program.stderr.take().expect("messages"));
        let mut said = String::new();
        let address = loop {
            assert!(lines.read_line(&mut said).expect("a line") > 0, "it ended: {said}");
            if let Some((_, rest)) = said.split_once("http://") {
                break rest.split(['/', ';']).next().expect("an address").to_owned();
            }
        };
        let said = Arc::new(Mutex::new(said));
        let later = Arc::clone(&said);
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                *later.lock().expect("no panic") += &(line + "\n");
            }
        });
        Self { program, address, said }
    }

    /// Returns what the program says within ten seconds, once these words are in it.
    #[track_caller]
    pub fn said(&self, words: &str) -> String {
        for _ in 0..1_000 {
            let said = self.said.lock().expect("no panic").clone();
            if said.contains(words) {
                return said;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{words:?} is not said: {}", self.said.lock().expect("no panic"));
    }

    /// Returns the resident memory of the program, in bytes, as Linux tells it.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let file = format!("/proc/{}/status", self.program.id());
        let status = std::fs::read_to_string(file).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") << 10
    }

    /// Asks it to stop, as Ctrl-C does, and returns its exit code.
    pub fn stop(mut self) -> Option<i32> {
        let sent = Command::new("kill").args(["-TERM", &self.program.id().to_string()]).status().expect("a signal");
        assert!(sent.success());
        self.program.wait().expect("an end").code()
    }

    /// Ends it at once, whatever it is doing.
    pub fn kill(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }

    /// Sends a request for a path, by its method, further lines of its head, and its body; returns the answer.
    pub fn ask(&self, method: &str, path: &str, head: &[&str], body: &[u8]) -> io::Result<Answer> {
        exchange(&self.address, method, path, head, body)
    }

    /// The bytes of a request.
    pub fn request(&self, method: &str, path: &str, head: &[&str], body: &[u8]) -> Vec<u8> {
        request(method, path, head, body)
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[TOKEN], &[]).expect("an answer")
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &serde_json::Value) -> Answer {
        self.ask("POST", path, &["Content-Type: application/json", TOKEN], body.to_string().as_bytes())
            .expect("an answer")
    }
}

/// Sends a request to an address on a connection of its own; returns the answer.
pub fn exchange(address: &str, method: &str, path: &str, head: &[&str], body: &[u8]) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(&request(method, path, head, body))?;
    let mut all = Vec::new();
    stream.read_to_end(&mut all)?;
    let end = all.windows(4).position(|four| four == b"\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    let (head, body) = (String::from_utf8_lossy(&all[..end]).into_owned(), all[end + 4..].to_vec());
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    Ok(Answer { status, head, body })
}

fn request(method: &str, path: &str, head: &[&str], body: &[u8]) -> Vec<u8> {
    let host = if head.iter().any(|line| line.starts_with("Host:")) { "" } else { "Host: localhost\r\n" };
    let further: String = head.iter().map(|line| format!("{line}\r\n")).collect();
    let length = body.len();
    let head =
        format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {length}\r\n{further}\r\n");
    [head.as_bytes(), body].concat()
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.kill();
    }
}
