//! Work on many items side by side, in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};

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
    each_in_order(items, usize::MAX, work, |result| {
        results.push(result);
        Ok(())
    })?;
    Ok(results)
}

/// The same, and hands each result to `sink` on the calling thread, in the order of the items. At most so many results as
/// `ahead` says, and one for each thread, wait for their turn.
///
/// # Errors
///
/// The first error, be it of an item or of `sink`.
pub fn each_in_order<T: Send, U: Send, E: Send>(
    items: Vec<T>,
    ahead: usize,
    work: impl Fn(T) -> Result<U, E> + Sync,
    mut sink: impl FnMut(U) -> Result<(), E>,
) -> Result<(), E> {
    let n_items = items.len();
    let n_threads = rayon::current_num_threads().min(n_items);
    let waiting: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let next = AtomicUsize::new(0);
    let turn = Turn { may_begin: Mutex::new(ahead.saturating_add(n_threads)), changed: Condvar::new() };
    let work_on = |results: mpsc::Sender<(usize, Result<U, E>)>| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= n_items || !turn.comes(number) {
                return;
            }
            let Some(item) = waiting[number].lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
            let result = work(item);
            if result.is_err() {
                turn.stop();
            }
            if results.send((number, result)).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..n_threads {
            let sender = sender.clone();
            scope.spawn(|| work_on(sender));
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (number, result) in receiver {
            early.insert(number, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                if let Err(error) = result.and_then(&mut sink) {
                    turn.stop();
                    return Err(error);
                }
                turn.advance();
            }
        }
        Ok(())
    })
}

/// Whose turn it is.
struct Turn {
    /// Items below this number may be begun; none if it is 0.
    may_begin: Mutex<usize>,
    changed: Condvar,
}

impl Turn {
    /// Waits until an item may be begun; whether it ever may.
    fn comes(&self, number: usize) -> bool {
        let may_begin = self.may_begin.lock().unwrap_or_else(PoisonError::into_inner);
        let is_waiting = |may_begin: &mut usize| *may_begin > 0 && *may_begin <= number;
        let may_begin = self.changed.wait_while(may_begin, is_waiting).unwrap_or_else(PoisonError::into_inner);
        *may_begin > 0
    }

    fn advance(&self) {
        let mut may_begin = self.may_begin.lock().unwrap_or_else(PoisonError::into_inner);
        if *may_begin > 0 {
            *may_begin = may_begin.saturating_add(1);
            self.changed.notify_all();
        }
    }

    fn stop(&self) {
        *self.may_begin.lock().unwrap_or_else(PoisonError::into_inner) = 0;
        self.changed.notify_all();
    }
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

    #[test]
    fn few_results_wait_and_what_takes_them_can_end_the_work() {
        let (n_begun, n_taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |item: usize| {
            let begun = n_begun.fetch_add(1, Ordering::SeqCst) + 1;
            let most = n_taken.load(Ordering::SeqCst) + 1 + 4 + rayon::current_num_threads();
            if begun > most { Err(format!("{begun} were begun where {most} may be")) } else { Ok(item) }
        };
        let mut taken = Vec::new();
        let result = each_in_order((0..10_000).collect(), 4, work, |item| {
            n_taken.fetch_add(1, Ordering::SeqCst);
            taken.push(item);
            if item == 5_000 { Err("enough".to_owned()) } else { Ok(()) }
        });
        assert_eq!(result, Err("enough".to_owned()));
        assert_eq!(taken, (0..=5_000).collect::<Vec<_>>());
    }
}
