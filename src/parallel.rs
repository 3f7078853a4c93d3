//! Work on many items side by side, in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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
    let n_items = items.len();
    let n_threads = rayon::current_num_threads().min(n_items);
    let waiting: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work_on = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = waiting.get(number).and_then(|item| item.lock().ok()?.take()) else { break };
            let result = work(item);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((number, result));
        }
        done
    };
    let mut results: Vec<(usize, Result<U, E>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work_on)).collect();
        let joined = threads.into_iter().flat_map(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    });
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let squares = map_in_order((0..1_000).collect(), |item: u64| Ok::<_, ()>(item * item));
        assert_eq!(squares, Ok((0..1_000).map(|item| item * item).collect()));
        assert_eq!(map_in_order(Vec::new(), |item: u64| Ok::<_, ()>(item)), Ok(Vec::new()));
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
}
