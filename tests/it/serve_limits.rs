//! Clients that `plymap serve` answers, directly and behind proxies: nginx and Caddy, set as docs/play.md says.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{program, repository};
use crate::http::{Serving, TOKEN};

/// The name of the server in docs/play.md.
const NAME: &str = "play.lab.example";

fn serving(folder: &Path, more: &[&str]) -> Serving {
    let study = repository().join("data/demo/study.toml");
    let log = folder.join("recorded.ndjson");
    let arguments =
        ["serve", study.to_str().expect("a path"), "--port", "0", "--record", log.to_str().expect("a path")];
    Serving::new(&[&arguments[..], more].concat(), |_| ())
}

#[test]
fn a_server_for_others_answers_to_its_addresses_and_the_names_that_were_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut serving = serving(folder.path(), &["--host", "0.0.0.0", "--name", NAME, "--name", "Other.lab.example"]);
    serving.address = serving.address.replace("0.0.0.0", "127.0.0.1");
    for (host, status) in [
        ("127.0.0.1:8080", 200),
        ("192.168.7.7", 200),
        ("localhost", 200),
        ("play.lab.example:8080", 200),
        ("OTHER.lab.example", 200),
        ("elsewhere.example", 403),
        ("elsewhere.example:8080", 403),
        ("play.lab.example.elsewhere.example", 403),
    ] {
        for path in ["/", "/api/study", "/play/board.js", "/nothing"] {
            let expected = if status == 200 && path == "/nothing" { 404 } else { status };
            let answer = serving.ask("GET", path, &[&format!("Host: {host}")], &[]).expect("an answer");
            assert_eq!(answer.status, expected, "{host}{path}: {}", answer.text());
        }
    }
    let said = serving.ask("GET", "/", &["Host: elsewhere.example"], &[]).expect("an answer").text();
    assert!(said.contains("--name elsewhere.example"), "{said}");
    // Nobody is a proxy unless it is named.
    let forwarded = ["Host: elsewhere.example", "X-Forwarded-Host: localhost"];
    assert_eq!(serving.ask("GET", "/", &forwarded, &[]).expect("an answer").status, 403);
}

/// Whoever comes through a proxy that is not the named one would share one rate with all others, unnoticed.
#[test]
fn a_proxy_that_is_not_the_named_one_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for (more, known) in [(&["--behind-proxy", "::1"][..], "the proxy is ::1"), (&[], "no proxy is named")] {
        let serving = serving(folder.path(), more);
        assert_eq!(serving.get("/").status, 200);
        for _ in 0..3 {
            assert_eq!(serving.ask("GET", "/", &["X-Forwarded-For: 10.0.0.1"], &[]).expect("an answer").status, 200);
        }
        let said = serving.said(known);
        assert_eq!(said.matches("--behind-proxy 127.0.0.1").count(), 1, "{said}");
    }
}

/// Clients that ask for a large image and do not read it take no memory for it, and get the image that was checked.
#[cfg(target_os = "linux")]
#[test]
fn images_are_in_memory_once_and_as_they_were_at_the_start() {
    const N_CONNECTIONS: usize = 60;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::copy(repository().join("data/tower_of_london/levels.txt"), path("levels.txt")).expect("a copy");
    let text = "[study]\nname = \"images\"\n[levels]\ngame = \"tower-of-london\"\nfiles = [\"levels.txt\"]\n[log]\nfiles = [\"recorded.ndjson\"]\n[experiment]\nconsent = \"consent.md\"\n";
    fs::write(path("study.toml"), text).expect("written");
    fs::write(path("consent.md"), "![The board](board.png)\n").expect("written");
    let image: Vec<u8> = (0..12_000_000_u32).map(|number| (number / 7) as u8).collect();
    fs::write(path("board.png"), &image).expect("written");
    fs::write(path("secret"), "secret").expect("written");
    let study = path("study.toml");
    let serving = Serving::new(&["serve", study.to_str().expect("a path"), "--port", "0"], |_| ());
    fs::remove_file(path("board.png")).expect("removed");
    std::os::unix::fs::symlink(path("secret"), path("board.png")).expect("a link");
    let answer = serving.get("/media/1.png");
    assert!(answer.status == 200 && answer.head.contains("image/png") && answer.body == image);
    let before = serving.memory();
    let open: Vec<TcpStream> = (0..N_CONNECTIONS)
        .map(|_| {
            let mut stream = TcpStream::connect(&serving.address).expect("a connection");
            stream.write_all(b"GET /media/1.png HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
            // The first bytes tell that the answer is on its way.
            let mut begin = [0; 15];
            stream.read_exact(&mut begin).expect("an answer");
            assert_eq!(&begin, b"HTTP/1.1 200 OK");
            stream
        })
        .collect();
    let more = serving.memory().saturating_sub(before) >> 20;
    assert!(more < 60, "{more} MiB more for {} connections", open.len());
}

#[test]
fn limits_that_cannot_be_are_refused_with_what_to_do() {
    let study = repository().join("data/demo/study.toml");
    for (arguments, words) in [
        (["--name", "http://play.lab.example/"], "without http://"),
        (["--behind-proxy", "proxy.lab.example"], "--behind-proxy"),
        (["--connections-per-address", "2000"], "more than --connections 1000"),
        (["--connections", "0"], "--connections"),
    ] {
        let mut command = program();
        command.arg("serve").arg(&study).args(["--port", "0"]).args(arguments);
        let output = command.timeout(Duration::from_secs(120)).output().expect("an end");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{arguments:?}: {said}");
    }
}

/// A proxy of one of the two programs, with all that it writes in a folder of its own; it ends with the test.
struct Proxy {
    program: Child,
    address: SocketAddr,
    _folder: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Returns the settings of a proxy in docs/play.md.
fn documented(program: &str) -> String {
    let page = fs::read_to_string(repository().join("docs/play.md")).expect("a page");
    let block = page.split(&format!("```{program}\n")).nth(1).expect("a block of it");
    block.split("```").next().expect("its end").to_owned()
}

impl Proxy {
    /// Starts a proxy; none where the program is not installed.
    fn new(name: &str, is_host_kept: bool, server: &str) -> Option<Self> {
        let is_there = |argument| Command::new(name).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if is_there(if name == "nginx" { "-v" } else { "version" }).is_err() {
            let _ = writeln!(std::io::stderr(), "SKIPPED: there is no {name} to be a proxy");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let free =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr()).expect("a port");
        let documented = documented(name).replace("127.0.0.1:8080", server);
        let mut command = Command::new(name);
        if name == "nginx" {
            nginx(&mut command, folder.path(), &documented, is_host_kept, free.port());
        } else {
            caddy(&mut command, folder.path(), &documented, is_host_kept, free.port());
        }
        let program = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a proxy");
        let mut proxy = Self { program, address: free, _folder: folder };
        while TcpStream::connect(proxy.address).is_err() {
            assert!(proxy.program.try_wait().expect("a state").is_none(), "{name} did not start with:\n{documented}");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(proxy)
    }

    /// Sends a request for a host from an address of this machine; returns the status and all of the answer.
    fn ask(&self, from: u8, request: &[u8]) -> (u16, String) {
        let mut stream = connected(IpAddr::from([127, 0, 0, from]), self.address);
        // In pieces, as a slow client sends it.
        for piece in request.chunks(request.len().div_ceil(7)) {
            stream.write_all(piece).expect("sent");
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut all = Vec::new();
        stream.read_to_end(&mut all).expect("an answer");
        let all = String::from_utf8_lossy(&all).into_owned();
        (all.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), all)
    }

    fn get(&self, from: u8, host: &str, further: &str) -> (u16, String) {
        self.ask(
            from,
            format!("GET /api/study HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{further}\r\n").as_bytes(),
        )
    }
}

fn nginx(command: &mut Command, folder: &Path, documented: &str, is_host_kept: bool, port: u16) {
    let mut location = documented[documented.find("location").expect("a location")..].to_owned();
    location.truncate(location.rfind('}').expect("the end of the server"));
    let host = "proxy_set_header Host $host;";
    assert!(location.contains(host));
    if !is_host_kept {
        location = location.replace(host, "");
    }
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|what| format!("{what}_temp_path {}/{what};\n", folder.display()))
        .collect();
    let pid = folder.join("pid").display().to_string();
    let text = format!(
        "daemon off; master_process off; pid {pid};\nevents {{}}\nhttp {{ access_log off; {temporary}\nserver {{ listen 127.0.0.1:{port}; {location} }} }}\n"
    );
    fs::write(folder.join("nginx.conf"), text).expect("written");
    command.arg("-e").arg(folder.join("error.log")).arg("-c").arg(folder.join("nginx.conf"));
}

fn caddy(command: &mut Command, folder: &Path, documented: &str, is_host_kept: bool, port: u16) {
    let begin = "reverse_proxy ";
    let place =
        documented.find(begin).and_then(|at| documented[at..].find('{').map(|end| at + end + 1)).expect("a block");
    let rewritten = if is_host_kept { "" } else { "\nheader_up Host {upstream_hostport}" };
    let caddyfile = [&documented[..place], rewritten, &documented[place..]].concat();
    let caddyfile = caddyfile.replacen(NAME, &format!("http://{NAME}:{port}"), 1);
    fs::write(folder.join("Caddyfile"), format!("{{\nadmin off\n}}\n{caddyfile}")).expect("written");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
    command.env("HOME", folder).env("XDG_CONFIG_HOME", folder).env("XDG_DATA_HOME", folder);
}

/// A connection from one address of this machine to another one.
fn connected(from: IpAddr, to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind((from, 0).into())?;
        socket.connect(to).await?.into_std()
    });
    let stream = stream.expect("a connection");
    stream.set_nonblocking(false).expect("a stream");
    stream
}

/// Events of a participant whose request has almost as many bytes as one may have.
fn many_events() -> Vec<u8> {
    let event = |seq: u64| json!({ "seq": seq, "level": "demo-01", "attempt": 1, "event": "hint", "action": "x".repeat(500), "time_ms": seq as f64, "onset_s": seq as f64 / 1e3 });
    let events: Vec<Value> = (0..400).map(event).collect();
    let body = json!({ "participant": "P1", "session": "1", "events": events }).to_string();
    assert!(body.len() > 200_000);
    let length = body.len();
    format!(
        "POST /api/events HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n{TOKEN}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// Only Linux has all addresses from 127.0.0.1 to 127.255.255.254.
#[cfg(target_os = "linux")]
#[test]
fn behind_a_proxy_each_participant_has_a_rate_of_their_own() {
    for (name, is_host_kept) in [("nginx", true), ("nginx", false), ("caddy", true), ("caddy", false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let server = serving(folder.path(), &["--behind-proxy", "127.0.0.1", "--name", NAME, "--rate", "1"]);
        let Some(proxy) = Proxy::new(name, is_host_kept, &server.address) else { continue };
        let about = format!("{name}, host kept: {is_host_kept}");
        // One who asks often, and says each time to be somebody else.
        let status =
            |n: u32| proxy.get(2, NAME, &format!("X-Forwarded-For: 10.0.0.{n}\r\nForwarded: for=10.0.0.{n}\r\n")).0;
        let statuses: Vec<u16> = (0..30).map(status).collect();
        assert!(statuses[0] == 200 && statuses.contains(&429), "{about}: {statuses:?}");
        // Others are let through meanwhile, also with as much as a request may have.
        for from in 3..9 {
            let (status, said) = proxy.get(from, NAME, "");
            assert_eq!(status, 200, "{about}: {said}");
        }
        let (status, said) = proxy.ask(9, &many_events());
        assert!(status == 200 && said.contains("\"n_events\":400"), "{about}: {said}");
        // Another host does not come through, whatever the client says of it.
        let (_, said) = proxy.get(10, "elsewhere.example", &format!("X-Forwarded-Host: {NAME}\r\n"));
        assert!(!said.contains("\"plans\""), "{about}: {said}");
        if name == "nginx" {
            assert!(said.starts_with("HTTP/1.1 403") && said.contains("--name elsewhere.example"), "{about}: {said}");
        }
    }
}
