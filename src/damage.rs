//! Files that a library reads, and at which it panics where they are damaged: no input ends the program.

use std::any::Any;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use polars::prelude::{DataFrame, ParquetReader, PolarsError, PolarsResult, SerReader as _};

/// Reads that are under way in any thread: what panics meanwhile says so by an error, and not on standard error.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// A Parquet file as a table.
pub(crate) fn read_parquet(file: File) -> PolarsResult<DataFrame> {
    read(|| ParquetReader::new(file).finish())
}

/// What a reader of polars gives, or an error where it panics.
pub(crate) fn read<T>(reader: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    caught(reader).unwrap_or_else(|reason| Err(PolarsError::ComputeError(reason.into())))
}

/// What a reader gives, or where it panics, what to tell the user.
pub(crate) fn caught<T>(reader: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if UNDER_WAY.load(Ordering::Relaxed) == 0 {
                usual(panic);
            }
        }));
    });
    UNDER_WAY.fetch_add(1, Ordering::Relaxed);
    // The reader and what it has read are dropped with the panic.
    let found = catch_unwind(AssertUnwindSafe(reader));
    UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    found.map_err(|panic| format!("the file is damaged ({})", message(&*panic)))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("its reader stopped")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_panics_gives_an_error() {
        let index = std::hint::black_box(5);
        let found = read(|| Ok([1, 2, 3][index])).unwrap_err().to_string();
        assert!(found.contains("the file is damaged (index out of bounds"), "{found}");
        assert_eq!(read(|| Ok(7)).unwrap(), 7);
    }
}
