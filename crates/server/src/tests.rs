//! Clients that wait for ever, against deadlines that are short. Nothing is measured: what has to end is waited for.

use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread::sleep;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::{get, post};
use tokio::io::AsyncWrite;

use super::{Access, Bound, Deadlines, Paced, Places};

/// More than the buffers of a connection hold.
const LARGE: usize = 1 << 26;

const SHORT: Duration = Duration::from_millis(100);
const NEVER: Duration = Duration::from_secs(3600);
const PATIENT: Deadlines = Deadlines { head: NEVER, body: NEVER, answer: NEVER, reading: NEVER, pace: 1 << 20 };

fn serving(access: &Access, deadlines: Deadlines) -> SocketAddr {
    let router = Router::new()
        .route("/", get(|| async { "here" }))
        .route("/never", get(std::future::pending::<&str>))
        .route("/large", get(|| async { vec![b'x'; LARGE] }))
        .route("/body", post(|body: Bytes| async move { body.len().to_string() }));
    let Ok(bound) = Bound::new(access, 1 << 20, deadlines, |_| ()) else { panic!("there is no free port") };
    let address = bound.address();
    drop(bound.serve(router));
    address
}

fn connected(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

fn request(path: &str, further: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{further}\r\n").into_bytes()
}

/// Asks on a connection of its own; returns the status and all of the answer.
fn ask(address: SocketAddr, path: &str, further: &str) -> (u16, String) {
    read(&mut connected(address, &request(path, &format!("Connection: close\r\n{further}"))))
}

fn read(stream: &mut TcpStream) -> (u16, String) {
    let mut all = Vec::new();
    // The server may close before all was sent; what it said is there.
    let _ = stream.read_to_end(&mut all);
    let all = String::from_utf8_lossy(&all).into_owned();
    (all.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default(), all)
}

/// Asks on a connection that stays open; returns the answer.
fn ask_on(stream: &mut TcpStream) -> String {
    stream.write_all(&request("/", "")).unwrap();
    let mut all = Vec::new();
    while !all.ends_with(b"here") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        all.push(byte[0]);
    }
    String::from_utf8(all).unwrap()
}

/// Does something again and again until it is so.
#[track_caller]
fn until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..6_000 {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("it was never so");
}

/// Sends a byte now and then until the server has closed the connection; returns what it said.
fn drip(stream: &mut TcpStream) -> Vec<u8> {
    let mut said = Vec::new();
    stream.set_nonblocking(true).unwrap();
    until(|| {
        let _ = stream.write(b"a");
        let mut bytes = [0; 4096];
        match stream.read(&mut bytes) {
            Ok(0) => true,
            Ok(n) => {
                said.extend_from_slice(&bytes[..n]);
                false
            }
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        }
    });
    said
}

#[test]
fn a_head_has_to_come_whole_in_its_time() {
    let address = serving(&Access::local(), Deadlines { head: SHORT, ..PATIENT });
    for begun in [&b""[..], b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: "] {
        drip(&mut connected(address, begun));
    }
    // So has the one after an answer.
    let mut stream = TcpStream::connect(address).unwrap();
    ask_on(&mut stream);
    drip(&mut stream);
}

#[test]
fn a_body_has_to_come_whole_in_its_time() {
    let address = serving(&Access::local(), Deadlines { body: SHORT, ..PATIENT });
    for length in ["Content-Length: 1000000", "Transfer-Encoding: chunked"] {
        let head = format!("POST /body HTTP/1.1\r\nHost: localhost\r\n{length}\r\n\r\n");
        let chunk = if length.contains("chunked") { "f4240\r\n" } else { "" };
        let said = drip(&mut connected(address, (head + chunk).as_bytes()));
        let said = String::from_utf8_lossy(&said);
        assert!(said.starts_with("HTTP/1.1 408") && said.contains("did not come in 0.1 s"), "{said}");
    }
    let whole = b"POST /body HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody";
    assert!(read(&mut connected(address, whole)).1.ends_with("\r\n\r\n4"));
}

#[test]
fn an_answer_has_to_be_computed_in_its_time() {
    let address = serving(&Access::local(), Deadlines { answer: SHORT, ..PATIENT });
    let (status, said) = ask(address, "/never", "");
    assert!(status == 503 && said.contains("too long to compute") && said.contains("retry-after: 1"), "{said}");
}

#[test]
fn who_does_not_read_the_answer_loses_the_connection() {
    let access = Access { connections: 1, ..Access::local() };
    let address = serving(&access, Deadlines { reading: SHORT, ..PATIENT });
    let mut stream = connected(address, &request("/large", ""));
    // The one place is taken until the connection ends.
    until(|| ask(address, "/", "").0 == 200);
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    assert!(all.len() < LARGE, "{} bytes", all.len());
    // Whoever reads gets it whole.
    assert_eq!(ask(address, "/large", "").1.matches('x').count() / 1_000, LARGE / 1_000);
}

/// A stream that takes all or nothing.
struct Taking(bool);

impl AsyncWrite for Taking {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.0 { Poll::Ready(Ok(bytes.len())) } else { Poll::Pending }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[test]
fn what_is_read_prolongs_the_time_by_the_pace_alone() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let _entered = runtime.enter();
    let place = Arc::new(Places::new(1, 1).enter(None).unwrap());
    let mut paced = Paced::new(Taking(true), Deadlines { pace: 500, ..PATIENT }, place);
    let context = &mut Context::from_waker(Waker::noop());
    let mut write = |paced: &mut Paced<Taking>, is_taking| {
        paced.stream.0 = is_taking;
        Pin::new(paced).poll_write(context, &[0; 1_000]).is_ready()
    };
    assert!(write(&mut paced, true));
    assert_eq!(paced.until(), None);
    assert!(!write(&mut paced, false));
    let first = paced.until().unwrap();
    assert!(!write(&mut paced, false));
    assert_eq!(paced.until(), Some(first));
    assert!(write(&mut paced, true) && !write(&mut paced, false));
    assert_eq!(paced.until(), Some(first + Duration::from_secs(2)));
    assert!(Pin::new(&mut paced).poll_flush(&mut Context::from_waker(Waker::noop())).is_ready());
    assert_eq!(paced.until(), None);
}

#[test]
fn who_waits_longest_makes_room_and_one_address_leaves_room() {
    let address = serving(&Access { connections: 1, ..Access::local() }, PATIENT);
    let mut first = TcpStream::connect(address).unwrap();
    ask_on(&mut first);
    until(|| ask(address, "/", "").0 == 200);
    assert_eq!(first.read(&mut [0]).unwrap_or(0), 0, "it was closed");

    let address = serving(&Access { connections: 5, ..Access::local() }, PATIENT);
    // One that has connected, and whose request is not there yet, makes room too.
    let mut open = Vec::new();
    until(|| {
        open.push(connected(address, &request("/never", "")));
        let (status, said) = ask(address, "/", "");
        status == 503 && said.contains("127.0.0.1 has 2 connections") && said.contains("--connections-per-address")
    });
    drop(open);
    until(|| ask(address, "/", "").0 == 200);
    let of_one = Access { connections_per_address: Some(11), connections: 10, ..Access::local() };
    assert!(Bound::new(&of_one, 0, PATIENT, |_| ()).is_err());
}

/// The proxy of these tests is the address that asks.
fn behind_proxy() -> Access {
    Access { behind_proxy: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)), connections_per_address: Some(2), ..Access::local() }
}

#[test]
fn rates_behind_a_proxy_are_of_the_addresses_that_it_saw() {
    let address = serving(&Access { rate: 1, ..behind_proxy() }, PATIENT);
    let statuses = |client: &str, n: usize| -> Vec<u16> {
        let status = |number| {
            ask(address, "/", &format!("X-Forwarded-For: 10.9.9.{number}\r\nX-Forwarded-For: 6.6.6.6, {client}\r\n")).0
        };
        (0..n).map(status).collect()
    };
    let first = statuses("10.0.0.1", 20);
    assert!(first[0] == 200 && first.contains(&429), "{first:?}");
    assert_eq!(statuses("10.0.0.2", 1), [200]);
    assert_eq!(ask(address, "/", "X-Forwarded-For: unknown\r\n").0, 400);
    // Without a proxy that is named nobody is believed.
    let address = serving(&Access { rate: 1, ..Access::local() }, PATIENT);
    let said: Vec<u16> = (0..20).map(|n| ask(address, "/", &format!("X-Forwarded-For: 10.0.0.{n}\r\n")).0).collect();
    assert!(said.contains(&429), "{said:?}");
}

#[test]
fn who_has_sent_too_much_waits_and_may_ask_meanwhile() {
    let address = serving(&Access { rate: 100, ..Access::local() }, PATIENT);
    let body = "x".repeat(1 << 20);
    let head = "POST /body HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1048576\r\n\r\n";
    let send = || read(&mut connected(address, format!("{head}{body}").as_bytes()));
    let statuses: Vec<u16> = (0..8).map(|_| send().0).collect();
    assert_eq!(statuses, [200; 8]);
    // A further megabyte has to be waited for, half a minute at this rate.
    let (status, said) = send();
    assert!(status == 429 && said.contains("more than 32000 bytes in a second from 127.0.0.1"), "{said}");
    assert_eq!(ask(address, "/", "").0, 200);
}

#[test]
fn requests_under_way_behind_a_proxy_are_counted_by_the_addresses_that_it_saw() {
    let address = serving(&behind_proxy(), PATIENT);
    let slow = || connected(address, &request("/never", "X-Forwarded-For: 10.0.0.1\r\n"));
    let under_way = [slow(), slow()];
    let ask_as = |client: &str| ask(address, "/", &format!("X-Forwarded-For: {client}\r\n"));
    until(|| ask_as("10.0.0.1").0 == 503);
    assert!(ask_as("10.0.0.1").1.contains("10.0.0.1 has 2 connections"));
    assert_eq!(ask_as("10.0.0.2").0, 200);
    // The proxy has as many connections as there are.
    let mut open = [(); 20].map(|()| TcpStream::connect(address).unwrap());
    open.iter_mut().for_each(|stream| drop(ask_on(stream)));
    drop(under_way);
    until(|| ask_as("10.0.0.1").0 == 200);
}
