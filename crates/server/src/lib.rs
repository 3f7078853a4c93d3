#![doc = include_str!("../README.md")]

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use clap::Args;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use api_error::{ApiError, refused};
use deadlines::Paced;
use hosts::{Hosts, forwarded_for, is_forwarded};
use places::{Full, Place, Places};
use rates::Rates;

pub mod api_error;
mod deadlines;
mod files;
mod hosts;
mod places;
mod rates;

pub use deadlines::Deadlines;
pub use files::file_of;
pub use hosts::HostName;

/// Threads that compute answers or write; more only take memory.
pub const MOST_THREADS: usize = 16;

/// Connections beyond the most that are told why they are closed; further ones are closed at once.
const MOST_REFUSALS: usize = 64;

/// Maximum size of the head of a request, and of what is read of one at once, in bytes.
const MOST_OF_HEAD: usize = 1 << 16;

/// Pause after the system gave no further connection.
const PAUSE: Duration = Duration::from_millis(100);

/// Content security policy of the pages of the server: they load only what comes from it.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Where a server listens, and how much of it one client may have.
#[derive(Clone, Debug, Args)]
pub struct Access {
    /// Address to listen at; 0.0.0.0 for connections from other machines.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub host: IpAddr,
    /// Port; 0 for a free one.
    #[arg(long, default_value_t = 8080)]
    pub port: u16,
    /// Host name of the server; may be given several times. Addresses and localhost need none.
    #[arg(long = "name", value_name = "HOST")]
    pub names: Vec<HostName>,
    /// Address of a trusted proxy, which sends X-Forwarded-For and X-Forwarded-Host.
    #[arg(long, value_name = "ADDRESS")]
    pub behind_proxy: Option<IpAddr>,
    /// Limit of requests per second of one address, each of 320 bytes on average; more are refused.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub rate: u32,
    /// Limit of connections; for a further one, the longest idle one is closed.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections: u32,
    /// Limit of connections of one address, or of requests of one behind the proxy; default: two fifths of
    /// --connections.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub connections_per_address: Option<u32>,
}

impl Access {
    /// For this machine alone, at a free port.
    pub fn local() -> Self {
        Self {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            names: Vec::new(),
            behind_proxy: None,
            rate: 1_000_000,
            connections: 100,
            connections_per_address: None,
        }
    }

    fn per_address(&self) -> Result<u32, AccessError> {
        let most = self.connections;
        match self.connections_per_address {
            Some(limit) if limit > most => Err(AccessError::MoreThanAll { limit, most }),
            Some(limit) => Ok(limit),
            None => Ok((most / 5 * 2).max(1)),
        }
    }
}

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// One address may have more connections than there are.
    #[error("--connections-per-address {limit} is more than --connections {most}, which are all; name a smaller one")]
    MoreThanAll {
        /// Limit of connections of one address.
        limit: u32,
        /// Limit of connections.
        most: u32,
    },
    /// The port cannot be listened at.
    #[error("{host}, port {port} cannot be used: {error}; name another one with --port, 0 for a free one")]
    Port {
        /// Address to listen at.
        host: IpAddr,
        /// Port to listen at.
        port: u16,
        /// Error of the system.
        error: io::Error,
    },
}

/// A port that is listened at.
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
    gate: Gate,
}

impl Bound {
    /// Listens. The largest body of a request has so many bytes; `tell` hears what whoever runs the server should know.
    ///
    /// # Errors
    ///
    /// [`AccessError`] if limits contradict each other, or the port cannot be used.
    pub fn new(access: &Access, most_bytes: usize, deadlines: Deadlines, tell: fn(&str)) -> Result<Self, AccessError> {
        let &Access { host, port, .. } = access;
        let per_address = access.per_address()?;
        let (listener, address) = listen(host, port).map_err(|error| AccessError::Port { host, port, error })?;
        let gate = Gate {
            hosts: Hosts { is_open: !host.is_loopback(), names: access.names.clone() },
            proxy: access.behind_proxy.map(|proxy| proxy.to_canonical()),
            is_nameless: AtomicBool::new(false),
            is_another: AtomicBool::new(false),
            rates: Rates::new(access.rate),
            places: Places::new(access.connections as usize, per_address as usize),
            refusals: Semaphore::new(MOST_REFUSALS),
            most_bytes,
            deadlines,
            tell,
        };
        Ok(Self { listener, address, gate })
    }

    /// Returns the address that is listened at, with its port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests on threads of their own.
    pub fn serve(self, router: Router) -> JoinHandle<io::Result<()>> {
        thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_multi_thread();
            let runtime = runtime.max_blocking_threads(MOST_THREADS).enable_all().build()?;
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(self.listener)?;
                accept(&listener, &Arc::new(self.gate), &TowerToHyperService::new(router)).await
            })
        })
    }
}

fn listen(host: IpAddr, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind((host, port))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Takes connections for ever.
async fn accept(
    listener: &tokio::net::TcpListener,
    gate: &Arc<Gate>,
    router: &TowerToHyperService<Router>,
) -> io::Result<()> {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => gate.take(stream, peer.ip().to_canonical(), router),
            Err(error) if [ConnectionAborted, ConnectionRefused, ConnectionReset].contains(&error.kind()) => {}
            // As a rule there are too many files.
            Err(_) => {
                gate.places.make_room();
                sleep(PAUSE).await;
            }
        }
    }
}

/// Checks that each connection and each request passes.
struct Gate {
    hosts: Hosts,
    proxy: Option<IpAddr>,
    /// True once the proxy was silent about who asks.
    is_nameless: AtomicBool,
    /// True once somebody else said who asks.
    is_another: AtomicBool,
    rates: Rates,
    places: Arc<Places>,
    refusals: Semaphore,
    most_bytes: usize,
    deadlines: Deadlines,
    tell: fn(&str),
}

impl Gate {
    /// Serves a connection, or says why not, in a task of its own.
    fn take(self: &Arc<Self>, stream: TcpStream, peer: IpAddr, router: &TowerToHyperService<Router>) {
        // What is small goes at once. A connection of which this cannot be asked has ended.
        let _ = stream.set_nodelay(true);
        let is_of_proxy = self.proxy == Some(peer);
        let gate = Arc::clone(self);
        match self.places.enter((!is_of_proxy).then_some(peer)) {
            Ok(place) => {
                let (number, router) = (place.number(), router.clone());
                let task = tokio::spawn(async move { gate.serve(stream, peer, place, router).await });
                Place::is_of(&self.places, number, task.abort_handle());
            }
            Err(full) => drop(tokio::spawn(async move { gate.refuse(stream, peer, full).await })),
        }
    }

    fn http(&self) -> http1::Builder {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.deadlines.head).max_buf_size(MOST_OF_HEAD);
        http
    }

    async fn serve(
        self: Arc<Self>,
        stream: TcpStream,
        peer: IpAddr,
        place: Place,
        router: TowerToHyperService<Router>,
    ) {
        let place = Arc::new(place);
        let http = self.http();
        let stream = TokioIo::new(Paced::new(stream, self.deadlines, Arc::clone(&place)));
        let answer = |request| {
            let (gate, place, router) = (Arc::clone(&self), Arc::clone(&place), router.clone());
            async move {
                place.begins();
                let answer = gate.answer(request, peer, &place, &router).await;
                place.is_answered();
                Ok::<_, Infallible>(with_policy(answer.unwrap_or_else(Refused::into_response)))
            }
        };
        // What a client does wrong is its own matter.
        let _ = http.serve_connection(stream, service_fn(answer)).await;
    }

    /// Answers the first request with the reason that there will be no other.
    async fn refuse(&self, stream: TcpStream, peer: IpAddr, full: Full) {
        let Ok(_permit) = self.refusals.try_acquire() else { return };
        let answer = |_: Request<Incoming>| async move {
            Ok::<_, Infallible>(with_policy(Refused::busy(&full.why(peer)).into_response()))
        };
        let mut http = self.http();
        let connection = http.keep_alive(false).serve_connection(TokioIo::new(stream), service_fn(answer));
        let _ = timeout(self.deadlines.head, connection).await;
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        peer: IpAddr,
        place: &Place,
        router: &TowerToHyperService<Router>,
    ) -> Result<Response, Refused> {
        let (head, body) = request.into_parts();
        let is_of_proxy = self.proxy == Some(peer);
        let forbidden = |why: String| Refused::closing(StatusCode::FORBIDDEN, &why);
        self.hosts.check(&head.uri, &head.headers, is_of_proxy).map_err(forbidden)?;
        let mut asking = peer;
        if !is_of_proxy && is_forwarded(&head.headers) {
            self.is_of_another(peer);
        }
        if is_of_proxy {
            let forwarded =
                forwarded_for(&head.headers).map_err(|why| Refused::closing(StatusCode::BAD_REQUEST, &why))?;
            self.has_named(peer, forwarded.is_some());
            asking = forwarded.unwrap_or(peer);
        }
        if !self.rates.allows(asking, Instant::now()) {
            return Err(Refused::later(StatusCode::TOO_MANY_REQUESTS, &self.rates.why(asking)));
        }
        if is_of_proxy && asking != peer {
            place.asks_for(asking).map_err(|full| Refused::busy(&full.why(asking)))?;
        }
        let (body, n_bytes) = self.whole(body).await?;
        if !self.rates.allows_bytes(asking, n_bytes, Instant::now()) {
            return Err(Refused::later(StatusCode::TOO_MANY_REQUESTS, &self.rates.why_bytes(asking)));
        }
        let answer = timeout(self.deadlines.answer, router.call(Request::from_parts(head, body))).await;
        match answer {
            Ok(Ok(answer)) => Ok(answer),
            Err(_) => Err(Refused::busy("the answer takes too long to compute: try again")),
        }
    }

    /// The body of a request and its length, read before anything is done with it, so that it is there in time or not at all.
    async fn whole(&self, body: Incoming) -> Result<(Body, usize), Refused> {
        match timeout(self.deadlines.body, to_bytes(Body::new(body), self.most_bytes)).await {
            Ok(Ok(bytes)) => {
                let n_bytes = bytes.len();
                Ok((Body::from(bytes), n_bytes))
            }
            Ok(Err(_)) => {
                // Or it broke off, and nobody reads this.
                let why = format!("the body of the request is longer than {} bytes", self.most_bytes);
                Err(Refused::closing(StatusCode::PAYLOAD_TOO_LARGE, &why))
            }
            Err(_) => {
                let why = format!("the body of the request did not come in {} s", self.deadlines.body.as_secs_f64());
                Err(Refused::closing(StatusCode::REQUEST_TIMEOUT, &why))
            }
        }
    }

    /// Says once that a proxy does not tell who asks.
    fn has_named(&self, proxy: IpAddr, is_named: bool) {
        if !is_named && !self.is_nameless.swap(true, Ordering::Relaxed) {
            (self.tell)(&format!(
                "requests of the proxy {proxy} have no X-Forwarded-For: all that have none share one rate; docs/play.md shows how a proxy is set"
            ));
        }
    }

    /// Says once that a proxy, or somebody who acts as one, is not that which is believed.
    fn is_of_another(&self, peer: IpAddr) {
        if self.is_another.swap(true, Ordering::Relaxed) {
            return;
        }
        let known = self.proxy.map_or("no proxy is named".to_owned(), |proxy| format!("the proxy is {proxy}"));
        (self.tell)(&format!(
            "a request of {peer} says for whom it asks (X-Forwarded-For), and is not believed: {known}. If {peer} is a \
             proxy of yours, all who come through it share one rate until the server is started with --behind-proxy {peer}"
        ));
    }
}

/// Refusal of a request, with a header for its client.
struct Refused {
    error: ApiError,
    more: (HeaderName, &'static str),
}

impl Refused {
    /// Creates a refusal after which another try may be answered.
    fn later(status: StatusCode, why: &str) -> Self {
        Self { error: refused(status, why), more: (header::RETRY_AFTER, "1") }
    }

    fn busy(why: &str) -> Self {
        Self::later(StatusCode::SERVICE_UNAVAILABLE, why)
    }

    /// No other request is expected of the connection.
    fn closing(status: StatusCode, why: &str) -> Self {
        Self { error: refused(status, why), more: (header::CONNECTION, "close") }
    }

    fn into_response(self) -> Response {
        ([self.more], self.error).into_response()
    }
}

/// Refuses requests for another host.
pub async fn only_local(request: Request, next: Next) -> Response {
    match Hosts::default().check(request.uri(), request.headers(), false) {
        Ok(()) => next.run(request).await,
        Err(why) => refused(StatusCode::FORBIDDEN, &why).into_response(),
    }
}

fn with_policy(mut response: Response) -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in headers {
        // A report in a frame has a policy of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests;
