//! Number of working threads: as many as were asked for, or as the system gives.
//!
//! A system refuses threads beyond the limit of a user (`ulimit -u`) or of a container. Two libraries panic then, and one
//! of them asks for its threads when the work is under way; so it is asked before whether there are enough.

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::testing::give;

/// Threads beside those that are counted: what waits for Ctrl-C, draws progress, reads a file, answers a page.
const OTHERS: usize = 8;

/// The most threads that encode row groups of a Parquet file.
const OF_ROW_GROUPS: usize = 8;

/// Fewer threads work than were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fewer {
    /// Number of threads that work.
    pub n: usize,
    /// Number asked for.
    pub wanted: usize,
    /// Number that the system gives, of all kinds.
    pub given: usize,
}

impl fmt::Display for Fewer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n, wanted, given } = self;
        write!(
            formatter,
            "{n} threads work in place of {wanted}: the system gives no more than {given}, with those that libraries begin"
        )
    }
}

/// Error of starting the threads.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// The system gives too few threads.
    #[error(
        "the system gives {given} threads, and {needed} are needed, {of_polars} of them by polars: raise the limit of the user \
         (ulimit -u) or of the container (pids), or set POLARS_MAX_THREADS to 1"
    )]
    TooFew {
        /// Number that it gives.
        given: usize,
        /// Number that is needed.
        needed: usize,
        /// Number of those that polars takes.
        of_polars: usize,
    },
    /// The threads cannot be begun all the same.
    #[error("the threads cannot be begun: {0}; name fewer with --threads")]
    Pool(#[from] rayon::ThreadPoolBuildError),
}

/// True once the pool was made here.
static IS_MADE: AtomicBool = AtomicBool::new(false);

/// Starts `wanted` threads, or as many as there are cores; fewer where the system does not give as many. To be called
/// before any work; in a process that calls it several times, the first number counts.
///
/// # Errors
///
/// [`ThreadsError`].
pub fn begin(wanted: Option<usize>) -> Result<Option<Fewer>, ThreadsError> {
    let n_cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let named = |variable: &str| std::env::var(variable).ok()?.parse().ok().filter(|&n: &usize| n > 0);
    let of_polars = named("POLARS_MAX_THREADS").unwrap_or(n_cores);
    let usual = named("RAYON_NUM_THREADS").unwrap_or(n_cores);
    let n = wanted.unwrap_or(usual);
    let fewer = allotted(n, of_polars, to_be_had(needed(n, of_polars)))?;
    // Where nothing is said, they begin with the first work.
    if let Some(n) = fewer.map(|fewer| fewer.n).or(wanted)
        && !IS_MADE.swap(true, Ordering::Relaxed)
    {
        // polars has a pool of its own, which reads its size from the environment at its first use; results
        // do not depend on it, and plymap's own work is bounded here.
        rayon::ThreadPoolBuilder::new().num_threads(n).build_global()?;
    }
    Ok(fewer)
}

/// The same for a library that is called again and again, where nobody names a number: the first time counts.
///
/// # Errors
///
/// [`ThreadsError`], the first time.
pub fn begin_once() -> Result<(), ThreadsError> {
    static BEGUN: Once = Once::new();
    let mut result = Ok(());
    BEGUN.call_once(|| result = begin(None).map(drop));
    result
}

/// Returns the number of threads that there may be where `n` work: the pool, those that work on items in their order,
/// and the pool for what goes on apart; those of polars; and others.
fn needed(n: usize, of_polars: usize) -> usize {
    let n_plymap = if n == 1 { 1 } else { 3 * n + OF_ROW_GROUPS };
    n_plymap + of_polars + OTHERS
}

/// Returns how many of the `wanted` threads may work where the system gives `n_given`; `None` if all of them may.
fn allotted(wanted: usize, of_polars: usize, n_given: usize) -> Result<Option<Fewer>, ThreadsError> {
    if n_given >= needed(wanted, of_polars) {
        return Ok(None);
    }
    match (1..wanted).rev().find(|&n| needed(n, of_polars) <= n_given) {
        Some(n) => Ok(Some(Fewer { n, wanted, given: n_given })),
        None => Err(ThreadsError::TooFew { given: n_given, needed: needed(1, of_polars), of_polars }),
    }
}

/// Returns the number of threads that the system gives beside those that there are, up to `most`: as many as can wait
/// at once.
fn to_be_had(most: usize) -> usize {
    let gate = Mutex::new(());
    let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        let wait = || drop(gate.lock());
        let n = (0..most).take_while(|_| spawn(scope, wait).is_ok()).count();
        drop(closed);
        n
    })
}

/// Begins a thread, if the system gives one.
///
/// # Errors
///
/// It gives none.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    give()?;
    Builder::new().spawn_scoped(scope, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_threads;

    #[test]
    fn as_many_are_counted_as_can_be_at_once() {
        assert_eq!(to_be_had(5), 5);
        assert_eq!([0, 3, 9].map(|n| with_threads(n, || to_be_had(5))), [0, 3, 5]);
    }

    #[test]
    fn fewer_work_where_the_system_gives_fewer() {
        let allotted = |wanted, n_given| allotted(wanted, 2, n_given).map_err(|error| error.to_string());
        assert_eq!(allotted(500, 3 * 500 + 18), Ok(None));
        assert_eq!(allotted(500, 3 * 500 + 17), Ok(Some(Fewer { n: 499, wanted: 500, given: 3 * 500 + 17 })));
        assert_eq!(allotted(500, 24).map(|fewer| fewer.map(|fewer| fewer.n)), Ok(Some(2)));
        assert_eq!(allotted(500, 23).map(|fewer| fewer.map(|fewer| fewer.n)), Ok(Some(1)));
        assert_eq!(allotted(1, 11), Ok(None));
        let said = allotted(500, 10).unwrap_err();
        assert!(said.starts_with("the system gives 10 threads, and 11 are needed, 2 of them by polars: "), "{said}");
    }
}
