//! Limits of scripts that show only from outside: the memory of the whole program, and its end where it is asked to stop.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Maximum time that a test waits.
const PATIENCE: Duration = Duration::from_secs(120);

/// The limit of the scripts here, in units of 1,048,576 bytes.
const LIMIT: u64 = 128;

/// A folder with `task.lua`, whose moves come from one function, and with six levels.
fn task(body: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!(
        "local function moves(state) if state == 'end' then return {{}} end\n{body}\nend\nreturn {{ moves = moves, \
         start = function(level) return level.rows[1] end, goal = function(state) return state == 'end' end }}"
    );
    fs::write(folder.path().join("task.lua"), script).expect("a script");
    let levels: Vec<String> = (1..=6).map(|number| format!("# id: l{number}\nstart {number}\n")).collect();
    fs::write(folder.path().join("levels.txt"), levels.join("\n")).expect("levels");
    folder
}

/// `plymap map` with four threads.
fn begun(folder: &Path, rules: &[String]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("plymap"));
    command.current_dir(folder).args([
        "map",
        "levels.txt",
        "--threads",
        "4",
        "--game",
        "lua",
        "--rule",
        "script=task.lua",
    ]);
    for rule in rules {
        command.args(["--rule", rule]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a program")
}

/// The most memory that a program has had so far, in units of 1,048,576 bytes.
fn peak_memory(program: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", program.id())).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

/// Waits for the end of a program: its exit code, what it said, and the most memory that it had.
pub fn ended(mut program: Child) -> (Option<i32>, String, u64) {
    let begun = Instant::now();
    let mut peak = 0;
    let status = loop {
        peak = peak.max(peak_memory(&program).unwrap_or(0));
        if let Some(status) = program.try_wait().expect("a program") {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "no end in {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(2));
    };
    let mut said = String::new();
    program.stderr.take().expect("messages").read_to_string(&mut said).expect("text");
    (status.code(), said, peak)
}

/// Four threads at six levels: together they stay near the limit of one script.
#[test]
#[ignore = "slow: scripts that ask for memory without end"]
fn the_memory_of_scripts_is_limited_as_a_whole() {
    for (body, is_accepted) in [
        // Texts and lists that Lua holds.
        ("local t = {} for i = 1, 90 do t[i] = ('x'):rep(1000000) end return { a = 'end' }", true),
        ("local t = {} for i = 1, 180 do t[i] = ('x'):rep(1000000) end return { a = 'end' }", false),
        ("local t = {} for i = 1, 1500000 do t[i] = {} end return { a = 'end' }", true),
        ("local t = {} for i = 1, 3000000 do t[i] = {} end return { a = 'end' }", false),
        // What is let go again and again.
        ("for i = 1, 140 do local t = ('x'):rep(1000000) end return { a = 'end' }", true),
        // Texts that Lua holds once, and plymap as often as the answer names them.
        ("local s, t = ('x'):rep(1000000), {} for i = 1, 100 do t[i] = {'m' .. i, s} end return t", true),
        ("local s, t = ('end'):rep(300000), {} for i = 1, 300 do t[i] = {'m' .. i, s} end return t", false),
        (
            "local s, t = ('x'):rep(1000000), {} for i = 1, 500 do t[i] = s end local n = #tostring(t) return { a = 'end' }",
            true,
        ),
    ] {
        let folder = task(body);
        let (code, said, peak) = ended(begun(folder.path(), &[format!("max-memory-mb={LIMIT}")]));
        assert_eq!(code == Some(0), is_accepted, "{body}: {said}");
        // Beside the limit: an eighth for each of the other threads, what the allocator has not yet given back, and the
        // program itself. Each of the six levels has the limit once.
        assert!(peak > 10 && peak < 3 * LIMIT, "{body}: {peak} MB");
    }
}

/// Left to themselves they work for a minute or so.
#[test]
fn a_script_that_takes_long_is_left_where_it_is() {
    for body in [
        "for i = 1, 10000000000 do end",
        "local a, b = ('x'):rep(1000000), ('x'):rep(1000000) for i = 1, 1000000 do local same = a == b end",
        "local t = {} for i = 1, 200000 do t = { [('x'):rep(1000000)] = 1 } end",
        "return ('a'):rep(150000):find('a-x')",
    ] {
        let folder = task(body);
        // So many instructions, and the time that is given with them, pass nothing.
        let mut program = begun(folder.path(), &["max-instructions=1000000000000000".to_owned()]);
        std::thread::sleep(Duration::from_secs(1));
        assert!(program.try_wait().expect("a program").is_none(), "{body}: it had ended before it was asked to");
        let sent = Command::new("kill").args(["-TERM", &program.id().to_string()]).status().expect("a signal");
        assert!(sent.success());
        let begun = Instant::now();
        let (code, said, _) = ended(program);
        assert_eq!(code, Some(130), "{body}: {said}");
        assert!(said.contains("interrupted; nothing was written"), "{body}: {said}");
        // Half a second where the machine is not busy.
        assert!(begun.elapsed() < Duration::from_secs(10), "{body}: {:?}", begun.elapsed());
    }
}
