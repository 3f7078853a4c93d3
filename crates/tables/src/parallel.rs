//! Work on many items side by side, in order.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use crate::threads::spawn;

/// Applies `work` to every item on as many threads as the pool of rayon has; the results are in the order
/// of the items. After the first error no further item is begun, and the error of the first such item is
/// returned.
///
/// The threads are not those of rayon's pool: work that itself waits for a pool, as polars does when it
/// writes Parquet, would let a waiting thread of the pool begin another whole item, one on top of the
/// other, until its stack is full.
///
/// # Errors
///
/// The error of the first item that failed.
pub fn map_in_order<T: Send, U: Send, E: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<U, E> + Sync,
) -> Result<Vec<U>, E> {
    let mut results = Vec::with_capacity(items.len());
    each_in_order(items, rayon::current_num_threads(), usize::MAX, work, |result| {
        results.push(result);
        Ok(())
    })?;
    Ok(results)
}

/// The same on at most so many threads, and hands each result to `sink` on the calling thread, in the order of the items. At
/// most so many results as `ahead` says, and one for each thread, wait for their turn. Where the system gives fewer threads, fewer
/// work; where it gives none, the calling one. Who calls it from a thread of rayon's
/// pool works on that thread alone.
///
/// # Errors
///
/// The first error, be it of an item or of `sink`.
///
/// # Panics
///
/// If `work` or `sink` does.
pub fn each_in_order<T: Send, U: Send, E: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    n_threads: usize,
    ahead: usize,
    work: impl Fn(T) -> Result<U, E> + Sync,
    mut sink: impl FnMut(U) -> Result<(), E>,
) -> Result<(), E> {
    let items = items.into_iter();
    let n_threads = n_threads.min(items.size_hint().1.unwrap_or(usize::MAX));
    // A thread of rayon's pool that waited here for work which waits for the pool would wait for ever.
    if n_threads <= 1 || rayon::current_thread_index().is_some() {
        return items.map(work).try_for_each(|result| sink(result?));
    }
    let queue = Queue::new(items, ahead.saturating_add(n_threads));
    let (queue, work) = (&queue, &work);
    std::thread::scope(|scope| {
        let end = StopOnDrop(queue);
        let (sender, receiver) = mpsc::channel();
        let work_on = |results: mpsc::Sender<(usize, Result<U, E>)>| {
            // Nobody waits for an item whose work ended in a panic.
            let _end = StopOnDrop(queue);
            while let Some((number, item)) = queue.take() {
                let result = work(item);
                let is_last = result.is_err();
                if results.send((number, result)).is_err() || is_last {
                    return;
                }
            }
        };
        let begin = |_| {
            let sender = sender.clone();
            spawn(scope, move || work_on(sender)).ok()
        };
        // As many as the system gives.
        let threads: Vec<_> = (0..n_threads).map_while(begin).collect();
        drop(sender);
        if threads.is_empty() {
            return std::iter::from_fn(|| queue.take()).try_for_each(|(_, item)| {
                sink(work(item)?)?;
                queue.advance();
                Ok(())
            });
        }
        let ended = hand_over(receiver, queue, &mut sink);
        drop(end);
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        ended
    })
}

/// Does work in a pool of rayon of its own, with as many threads as that of the process: what goes on in the other one never
/// has to wait for it. In one pool, a thread that waits for a part of the one work begins a part of the other, however long
/// that takes.
pub fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build() {
        Ok(pool) => pool.install(work),
        // There are no threads left: as well as it goes, then.
        Err(_) => work(),
    }
}

/// Hands the results to `sink` in the order of their numbers, until the first error.
fn hand_over<I, U, E>(
    results: mpsc::Receiver<(usize, Result<U, E>)>,
    queue: &Queue<I>,
    sink: &mut impl FnMut(U) -> Result<(), E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut due = 0;
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&due) {
            due += 1;
            sink(result?)?;
            queue.advance();
        }
    }
    Ok(())
}

/// Items that wait for a thread, in their order.
struct Queue<I> {
    items: Mutex<std::iter::Enumerate<I>>,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

struct Waiting {
    n_taken: usize,
    /// Number of items that may be taken until more results are handed over.
    n_allowed: usize,
    /// True if no further item is begun. What was taken is worked on all the same, so that of several errors the first
    /// counts.
    is_stopped: bool,
}

impl<I: Iterator> Queue<I> {
    fn new(items: I, n_allowed: usize) -> Self {
        let waiting = Waiting { n_taken: 0, n_allowed, is_stopped: false };
        Self { items: Mutex::new(items.enumerate()), waiting: Mutex::new(waiting), changed: Condvar::new() }
    }

    /// The next item with its number, when it is its turn; nothing if there is none any more.
    fn take(&self) -> Option<(usize, I::Item)> {
        let is_early = |waiting: &mut Waiting| !waiting.is_stopped && waiting.n_taken >= waiting.n_allowed;
        let mut waiting = self.changed.wait_while(self.lock(), is_early).unwrap_or_else(PoisonError::into_inner);
        if waiting.is_stopped {
            return None;
        }
        waiting.n_taken += 1;
        // Results are taken while one waits for an item that is not there yet.
        drop(waiting);
        self.items.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

impl<I> Queue<I> {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(&self) {
        let mut waiting = self.lock();
        waiting.n_allowed = waiting.n_allowed.saturating_add(1);
        self.changed.notify_all();
    }
}

/// Guard that has nothing more begun when a thread ends: with an error, with a panic, or as there is nothing left.
struct StopOnDrop<'q, I>(&'q Queue<I>);

impl<I> Drop for StopOnDrop<'_, I> {
    fn drop(&mut self) {
        self.0.lock().is_stopped = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_threads;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Whichever of the two is done first.
    #[test]
    fn an_error_is_never_lost() {
        for _ in 0..2_000 {
            let result = map_in_order(vec![0, 1], |item| match item {
                0 => Ok(item),
                _ => Err(item),
            });
            assert_eq!(result, Err(1));
        }
    }

    #[test]
    fn a_panic_of_an_item_or_of_what_takes_the_results_is_passed_on() {
        let work = |item: usize| if item == 20 { panic!("at 20") } else { Ok::<_, ()>(item) };
        let said = |run: &dyn Fn() -> Result<(), ()>| {
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
            *caught.downcast::<&str>().unwrap()
        };
        assert_eq!(said(&|| each_in_order(0..1_000, 2, 4, work, |_| Ok(()))), "at 20");
        let sink = |item: usize| if item == 10 { panic!("taken") } else { Ok(()) };
        assert_eq!(said(&|| each_in_order(0..1_000, 2, 4, Ok, sink)), "taken");
    }

    #[test]
    fn work_that_waits_for_the_pool_may_be_called_from_the_pool() {
        use rayon::prelude::*;
        let work = |item: u64| Ok::<_, ()>((0..item).into_par_iter().sum::<u64>());
        let n = 4 * rayon::current_num_threads();
        let sums: Vec<_> = (0..n).into_par_iter().map(|_| map_in_order((0..200).collect(), work)).collect();
        let expected: Vec<u64> = (0..200).map(|item: u64| item * item.saturating_sub(1) / 2).collect();
        assert!(sums.into_iter().all(|sum| sum == Ok(expected.clone())));
    }

    #[test]
    fn results_keep_the_order_of_the_items() {
        let squares = map_in_order((0..1_000).collect(), |item: u64| Ok::<_, ()>(item * item));
        assert_eq!(squares, Ok((0..1_000).map(|item| item * item).collect()));
        assert_eq!(map_in_order(Vec::new(), |item: u64| Ok::<_, ()>(item)), Ok(Vec::new()));
    }

    #[test]
    fn as_many_threads_work_as_the_system_gives() {
        for n_given in [0, 1, 2] {
            let squares = with_threads(n_given, || map_in_order((0..1_000).collect(), |item: u64| Ok(item * item)));
            assert_eq!(squares, Ok::<_, ()>((0..1_000).map(|item| item * item).collect()));
            let failed = with_threads(n_given, || {
                map_in_order((0..1_000).collect(), |item| if item < 7 { Ok(()) } else { Err(item) })
            });
            assert_eq!(failed, Err(7));
            let mut items = Vec::new();
            let ended = with_threads(n_given, || {
                each_in_order(0..1_000, 2, 0, Ok, |item| {
                    items.push(item);
                    if item == 500 { Err(()) } else { Ok(()) }
                })
            });
            assert_eq!((ended, items), (Err(()), (0..=500).collect()));
        }
    }

    #[test]
    fn the_first_error_ends_the_work() {
        let n_begun = AtomicUsize::new(0);
        let result = map_in_order((0..100_000).collect(), |item: usize| {
            n_begun.fetch_add(1, Ordering::Relaxed);
            if item >= 10 { Err(item) } else { Ok(item) }
        });
        assert_eq!(result, Err(10));
        assert!(n_begun.into_inner() < 100_000);
    }

    #[test]
    fn few_results_wait_and_what_takes_them_can_end_the_work() {
        let (n_begun, n_taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |item: usize| {
            let begun = n_begun.fetch_add(1, Ordering::SeqCst) + 1;
            let most = n_taken.load(Ordering::SeqCst) + 1 + 4 + rayon::current_num_threads();
            if begun > most { Err(format!("{begun} were begun where {most} may be")) } else { Ok(item) }
        };
        let mut items = Vec::new();
        let result = each_in_order(0..10_000, rayon::current_num_threads(), 4, work, |item| {
            n_taken.fetch_add(1, Ordering::SeqCst);
            items.push(item);
            if item == 5_000 { Err("enough".to_owned()) } else { Ok(()) }
        });
        assert_eq!(result, Err("enough".to_owned()));
        assert_eq!(items, (0..=5_000).collect::<Vec<_>>());
    }
}
