//! A child process that answers lines with lines, and never keeps its caller waiting for ever.
//!
//! Three threads serve its three streams, as none of them may block the caller: a program need not read what it is
//! told. They end when the process and all that holds its streams have ended.

use super::lines::shortened;
use crate::policy::disqualification::Disqualification;
use serde_json::Value;
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time that a program which closed its output may take to end, before it counts as still running.
const GRACE: Duration = Duration::from_secs(1);

pub(super) struct Program {
    child: Child,
    /// Lines for its standard input; none once it was told that nothing follows.
    lines: Option<Sender<String>>,
    /// Lines of its standard output.
    output: Receiver<Result<String, Disqualification>>,
    /// The last line of its standard error, sent when that is closed.
    complaint: Receiver<String>,
}

impl Program {
    /// Starts a command in a folder. A program that is named by a path is looked for in that folder first.
    pub fn start(command: &[String], folder: &Path) -> Result<Self, Disqualification> {
        let Some((name, arguments)) = command.split_first() else {
            return Err(Disqualification::NotStarted { reason: "the command is empty".to_owned() });
        };
        let not_started = |error: std::io::Error| Disqualification::NotStarted { reason: error.to_string() };
        let path = folder.join(name);
        let is_path = Path::new(name).components().count() > 1;
        let mut command = match path.canonicalize() {
            Ok(program) if is_path && program.is_file() => Command::new(program),
            _ => Command::new(name),
        };
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !folder.as_os_str().is_empty() {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(not_started)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (lines, to_write) = channel::<String>();
        // Room for one line only: a program that writes without end is made to wait, and takes no memory.
        let (read, output) = sync_channel(1);
        let (complain, complaint) = channel();
        // From here on the process ends with this value, whatever fails.
        let program = Self { child, lines: Some(lines), output, complaint };
        let serve = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(work).map(drop).map_err(not_started);
        serve(Box::new(move || {
            let Some(mut stdin) = stdin else { return };
            for line in to_write {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        }))?;
        serve(Box::new(move || {
            // Ends where nobody listens any more.
            let _ = stdout.into_iter().flat_map(super::lines).try_for_each(|line| read.send(line));
        }))?;
        serve(Box::new(move || {
            // Nobody may listen any more.
            let _ = complain.send(stderr.map(last_line).unwrap_or_default());
        }))?;
        Ok(program)
    }

    /// Writes a message that needs no answer. Whether the program reads it shows at the next question.
    pub fn tell(&self, message: &Value) {
        if let Some(lines) = &self.lines {
            let _ = lines.send(format!("{message}\n"));
        }
    }

    /// Writes a message and waits for the next line.
    pub fn ask(&mut self, message: &Value, limit: Duration) -> Result<String, Disqualification> {
        self.tell(message);
        match self.output.recv_timeout(limit) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(Disqualification::TooSlow { limit_s: limit.as_secs_f64() }),
            Err(RecvTimeoutError::Disconnected) => {
                let exit_code = self.wait(GRACE);
                let last_line = self.complaint.recv_timeout(GRACE).unwrap_or_default();
                Err(Disqualification::Ended { exit_code, last_line: shortened(&last_line) })
            }
        }
    }

    /// Lets the program end by itself, for so long at most.
    pub fn leave(&mut self, limit: Duration) {
        self.lines = None;
        self.wait(limit);
        self.kill();
    }

    /// Ends the program.
    pub fn kill(&mut self) {
        self.lines = None;
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The exit code, if the program ends in time.
    fn wait(&mut self, limit: Duration) -> Option<i32> {
        const PAUSE: Duration = Duration::from_millis(2);
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.code(),
                Ok(None) if begun.elapsed() < limit => thread::sleep(PAUSE),
                _ => return None,
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads to the end, and keeps the last line that is not blank, of the last few thousand bytes.
fn last_line(mut stderr: impl Read) -> String {
    const KEPT: usize = 4096;
    let mut tail = Vec::new();
    let mut piece = [0; KEPT];
    while let Ok(n_bytes) = stderr.read(&mut piece) {
        if n_bytes == 0 {
            break;
        }
        tail.extend_from_slice(&piece[..n_bytes]);
        tail.drain(..tail.len().saturating_sub(KEPT));
    }
    let text = String::from_utf8_lossy(&tail);
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
}
