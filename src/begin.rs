//! Start of the process: standard streams and signals that the program depends on.
//!
//! Whether standard output is closed is asked before `main`. Rust opens `/dev/null` in place of a closed one, and nothing tells it
//! then from the output of somebody who wants to see nothing, which Python opens in the same way.

#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns true if standard output was closed when the program began; false where the system runs nothing before
/// `main`, so that it is unknown.
pub fn output_was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(any(target_vendor = "apple", target_os = "linux", target_os = "freebsd"))]
extern "C" fn look() {
    // The only way in which it fails is that there is no such file.
    WAS_CLOSED.store(rustix::io::fcntl_getfd(std::io::stdout()).is_err(), Ordering::Relaxed);
}

/// Entry of the section of functions that the system calls before `main`, in an order of its own. `look` needs nothing
/// of the language that is not there yet: it asks the system, and stores a number.
#[cfg(any(target_vendor = "apple", target_os = "linux", target_os = "freebsd"))]
#[used]
#[expect(unsafe_code, reason = "there is no other way to run anything before `main`")]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;

/// Makes writing to a file at its size limit (`ulimit -f`) fail as writing to a full disk does. Without a handler of
/// the signal, the system ends the program in the middle of a write.
pub fn outlive_files_that_may_not_grow() {
    #[cfg(unix)]
    {
        // Programs that this one starts have their own way. Where it cannot be heard, it ends the program as it always does.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}
