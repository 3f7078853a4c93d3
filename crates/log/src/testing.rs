//! A count of the cells that proposals look at, for tests of how it grows with the size of a log: times depend on the machine.

use std::cell::Cell;

thread_local! {
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

pub(crate) fn look() {
    LOOKS.set(LOOKS.get() + 1);
}

/// Number of cells that this thread has looked at so far.
pub fn looks() -> u64 {
    LOOKS.get()
}
