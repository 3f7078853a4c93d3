//! Faults for the tests of this crate and of those above it: flipped bits, and a system that gives few threads.

use std::cell::Cell;
use std::io;

thread_local! {
    /// Number of threads that the system still gives to this one.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Takes one of the threads that are left.
pub(crate) fn give() -> io::Result<()> {
    let left = LEFT.get().checked_sub(1).ok_or(io::ErrorKind::WouldBlock)?;
    LEFT.set(left);
    Ok(())
}

/// Does work as on a system that gives only so many threads.
pub fn with_threads<T>(n: usize, work: impl FnOnce() -> T) -> T {
    LEFT.set(n);
    let result = work();
    LEFT.set(usize::MAX);
    result
}

/// Flips each bit of each byte of a file: `read` refuses it, which is nothing, or gives what the whole file gives. How often
/// it refused.
#[track_caller]
pub fn assert_noticed<T: PartialEq + std::fmt::Debug>(
    file: &[u8],
    whole: &T,
    read: impl Fn(&[u8]) -> Option<T>,
) -> usize {
    assert_eq!(read(file).as_ref(), Some(whole), "the whole file");
    let (mut flipped, mut n_refused, mut n_without_effect) = (file.to_vec(), 0, 0);
    for at in 0..file.len() {
        for bit in 0..8 {
            flipped[at] ^= 1 << bit;
            match read(&flipped) {
                None => n_refused += 1,
                Some(content) if content == *whole => n_without_effect += 1,
                Some(content) => panic!("bit {bit} of byte {at} of {} was not noticed: {content:?}", file.len()),
            }
            flipped[at] ^= 1 << bit;
        }
    }
    assert_eq!(n_refused + n_without_effect, 8 * file.len());
    n_refused
}
