//! Who may connect, how often and for how long.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

use super::super::error::Failure;
use super::answers::refused;

/// A connection that says nothing for so long is closed; browsers open another one.
const PATIENCE: Duration = Duration::from_secs(60);

/// Threads that compute answers or write; more only take memory.
const MOST_THREADS: usize = 16;

/// Addresses that are remembered for their rate; when there are more, those that have been quiet are forgotten.
const MOST_ADDRESSES: usize = 10_000;

/// What pages of the server may do: only what comes from it.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// A port that is listened at.
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
    connections: u32,
    rate: u32,
}

impl Bound {
    pub fn new(host: IpAddr, port: u16, connections: u32, rate: u32) -> Result<Self, Failure> {
        let listener = TcpListener::bind((host, port)).map_err(|error| {
            Failure::message(format!(
                "{host}, port {port} cannot be used: {error}; name another one with --port, 0 for a free one"
            ))
        })?;
        listener.set_nonblocking(true).map_err(Failure::message)?;
        let address = listener.local_addr().map_err(Failure::message)?;
        Ok(Self { listener, address, connections, rate })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests on threads of their own.
    pub fn serve(self, router: Router) -> JoinHandle<io::Result<()>> {
        let router = router.layer(from_fn(with_policy));
        let router = router.layer(from_fn_with_state(Arc::new(Rates::new(self.rate)), within_rate));
        let router = if self.address.ip().is_loopback() { router.layer(from_fn(only_local)) } else { router };
        thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_multi_thread();
            let runtime = runtime.max_blocking_threads(MOST_THREADS).enable_all().build()?;
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(self.listener)?;
                let permits = Arc::new(Semaphore::new(self.connections as usize));
                let listener = Limited { listener, permits };
                axum::serve(listener, router.into_make_service_with_connect_info::<Peer>()).await
            })
        })
    }
}

/// Refuses requests for another host: a page from elsewhere whose name leads here could read what is recorded.
pub async fn only_local(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    match host.rsplit_once(':').map_or(host, |(name, _)| name) {
        "127.0.0.1" | "localhost" | "[::1]" => next.run(request).await,
        _ => refused(StatusCode::FORBIDDEN, "the server is for this machine alone: ask for 127.0.0.1 or localhost")
            .into_response(),
    }
}

async fn with_policy(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let own = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let own = own.map(|(name, value): (HeaderName, &'static str)| (name, HeaderValue::from_static(value)));
    response.headers_mut().extend(own);
    response
}

/// Who is connected.
#[derive(Clone, Copy, Debug)]
pub struct Peer(IpAddr);

impl Connected<IncomingStream<'_, Limited>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Self {
        Self(stream.remote_addr().ip())
    }
}

/// How many requests each address may still make: as many as in a second, filled up steadily.
struct Rates {
    rate: f64,
    left: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Rates {
    fn new(rate: u32) -> Self {
        Self { rate: f64::from(rate), left: Mutex::default() }
    }

    fn allows(&self, address: IpAddr, now: Instant) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= MOST_ADDRESSES {
            left.retain(|_, (_, last)| now.duration_since(*last) < Duration::from_secs(1));
        }
        let (tokens, last) = left.entry(address).or_insert((self.rate, now));
        *tokens = (*tokens + self.rate * now.duration_since(*last).as_secs_f64()).min(self.rate);
        *last = now;
        let is_allowed = *tokens >= 1.0;
        *tokens -= if is_allowed { 1.0 } else { 0.0 };
        is_allowed
    }
}

async fn within_rate(
    State(rates): State<Arc<Rates>>,
    ConnectInfo(Peer(address)): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if rates.allows(address, Instant::now()) {
        return next.run(request).await;
    }
    let why = format!(
        "more than {} requests in a second from {address}: wait, or start the server with a higher --rate",
        rates.rate
    );
    ([(header::RETRY_AFTER, "1")], refused(StatusCode::TOO_MANY_REQUESTS, &why)).into_response()
}

/// Accepts so many connections at once; others wait until one ends.
struct Limited {
    listener: tokio::net::TcpListener,
    permits: Arc<Semaphore>,
}

impl Listener for Limited {
    type Io = Patient;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Patient, SocketAddr) {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (Patient { stream, quiet: Box::pin(sleep(PATIENCE)), _permit: permit }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when nothing comes for long.
struct Patient {
    stream: TcpStream,
    quiet: Pin<Box<Sleep>>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl AsyncRead for Patient {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        let found = Pin::new(&mut self.stream).poll_read(context, buffer);
        if found.is_ready() {
            self.quiet.as_mut().reset(tokio::time::Instant::now() + PATIENCE);
            return found;
        }
        self.quiet.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_ask_so_often_in_a_second_and_then_as_fast_as_that() {
        let (rates, address, start) = (Rates::new(10), IpAddr::from([127, 0, 0, 1]), Instant::now());
        let n_allowed = (0..30).filter(|_| rates.allows(address, start)).count();
        assert_eq!(n_allowed, 10);
        assert!(rates.allows(IpAddr::from([127, 0, 0, 2]), start), "another address has its own rate");
        let later = start + Duration::from_millis(250);
        assert_eq!((0..30).filter(|_| rates.allows(address, later)).count(), 2);
    }
}
