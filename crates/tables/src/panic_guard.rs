//! Panics of libraries that read files, as errors: no input ends the program.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reads that are under way in any thread: what panics meanwhile says so by an error, and not on standard error.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// The result of a reader, or, where it panics, a message for the user.
///
/// # Errors
///
/// The text of the panic.
pub fn caught<T>(reader: impl FnOnce() -> T) -> Result<T, String> {
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
    let result = catch_unwind(AssertUnwindSafe(reader));
    UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    result.map_err(|panic| format!("the file is damaged ({})", message(&*panic)))
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
        let message = caught(|| [1, 2, 3][index]).unwrap_err();
        assert!(message.contains("the file is damaged (index out of bounds"), "{message}");
        assert_eq!(caught(|| 7), Ok(7));
    }
}
