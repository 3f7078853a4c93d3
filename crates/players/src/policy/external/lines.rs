//! The lines of an output, each of bounded length.

use std::io::{BufRead as _, BufReader, Read};

use crate::policy::disqualification::{Disqualification, LONGEST_LINE};

/// The lines of an output, up to the first that is too long.
pub(crate) fn lines(output: impl Read) -> impl Iterator<Item = Result<String, Disqualification>> {
    let mut output = Some(BufReader::new(output));
    std::iter::from_fn(move || {
        let reader = output.as_mut()?;
        let mut line = Vec::new();
        // One more than is allowed, so that a line that is too long shows.
        let n_read = reader.take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line).unwrap_or(0);
        if n_read == 0 || n_read > LONGEST_LINE {
            output = None;
        }
        match n_read {
            0 => None,
            1..=LONGEST_LINE => Some(Ok(String::from_utf8_lossy(&line).into_owned())),
            _ => Some(Err(Disqualification::TooLong)),
        }
    })
}

/// A text of a program, short enough for a message.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 100;
    let short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
