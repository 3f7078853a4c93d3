//! The allocator of the program, and of the module for Python.

/// Gives back what threads have freed: that of Linux keeps for each thread what it once had, so that limits of memory would
/// not hold.
pub use mimalloc::MiMalloc as Allocator;

/// Has freed memory given back after seconds, and not after a tenth of one: by then the next batch of rows wants as much
/// again, and the system has to clear it first, which was a sixth of the time of labelling.
#[allow(unsafe_code)]
pub fn keep_freed_memory() {
    // `mi_option_purge_delay`, for which the bindings have no name; arenas take ten times as long.
    const PURGE_DELAY: std::ffi::c_int = 15;
    const MILLISECONDS: std::ffi::c_long = 300;
    // SAFETY: the option exists in this version, and its value is read where it is used.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, MILLISECONDS) }
}
