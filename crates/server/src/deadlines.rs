//! Time that a client may take, whatever it sends and however slowly it reads.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::places::Place;

/// Deadlines at which a connection is closed. All are absolute: a byte now and then prolongs none of them.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    /// Time from the end of an answer, or from the connection, until the whole head of the next request is there.
    pub head: Duration,
    /// Time from the head of a request until its whole body is there.
    pub body: Duration,
    /// Time from the body of a request until its answer is computed.
    pub answer: Duration,
    /// Time that a client may take to read an answer, beside `pace`.
    pub reading: Duration,
    /// Number of bytes of an answer for which a client has a second more.
    pub pace: u32,
}

impl Default for Deadlines {
    /// A minute each, and a pace at which the largest map, of 4 MB, may take two minutes on the slowest of telephones.
    fn default() -> Self {
        let minute = Duration::from_secs(60);
        Self { head: minute, body: minute, answer: minute, reading: minute, pace: 32_768 }
    }
}

/// A connection that ends where its client takes an answer too slowly.
pub(super) struct Paced<S> {
    pub(super) stream: S,
    deadlines: Deadlines,
    /// Deadline by which what is being written has to be taken; none while nothing waits.
    until: Option<Pin<Box<Sleep>>>,
    place: Arc<Place>,
}

impl<S> Paced<S> {
    pub(super) fn new(stream: S, deadlines: Deadlines, place: Arc<Place>) -> Self {
        Self { stream, deadlines, until: None, place }
    }

    /// Returns the result of a write, or an error if the time for it is over.
    fn in_time(&mut self, context: &mut Context, result: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let Deadlines { reading, pace, .. } = self.deadlines;
        match &result {
            Poll::Ready(Ok(n_written)) => {
                if let Some(until) = &mut self.until {
                    let more = Duration::from_secs_f64(*n_written as f64 / f64::from(pace));
                    let prolonged = until.deadline() + more;
                    until.as_mut().reset(prolonged);
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let until = self.until.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + reading)));
                return until.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()));
            }
        }
        result
    }

    #[cfg(test)]
    pub(super) fn until(&self) -> Option<Instant> {
        self.until.as_ref().map(|until| until.deadline())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        bytes: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.in_time(context, result)
    }

    /// Without it, each connection would have a copy of the answer that it waits for.
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Is called when the whole answer was written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        if result.is_ready() {
            self.until = None;
            self.place.has_written();
        }
        result
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
