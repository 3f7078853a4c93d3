//! Width of the terminal that a stream is.

/// The number of columns of the terminal that a stream is. Some terminals, such as those that other programs make, tell their
/// columns and no rows.
#[cfg(unix)]
pub fn columns_of(stream: impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(size.ws_col.into()).filter(|columns| *columns > 0)
}

/// The number of columns of the terminal that a stream is.
#[cfg(not(unix))]
pub fn columns_of(stream: impl std::os::windows::io::AsHandle) -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(stream)?;
    Some(width.into())
}
