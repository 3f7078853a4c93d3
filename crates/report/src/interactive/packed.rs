//! Data of a map as the page unpacks them: a head in JSON and arrays of numbers, compressed.
//!
//! Unpacked, a part is the length of its head as four bytes, the least first, the head, and the arrays one after the
//! other. The head lists them under `arrays` with their name, width and length. An array of width 1, 2 or 4 holds first
//! the least bytes of all its numbers, then the next ones; one of width 0 holds numbers of 7 bits in each byte, the
//! least first, of which all but the last have the highest bit.

use std::io::Write as _;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::{Compression, GzBuilder};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A part of a map that is being packed.
#[derive(Default)]
pub(super) struct Part {
    head: Map<String, Value>,
    arrays: Vec<Value>,
    bytes: Vec<u8>,
}

impl Part {
    /// Puts a value into the head.
    pub fn set(&mut self, name: &str, value: impl Serialize) {
        let value = serde_json::to_value(value).expect("numbers, texts and lists have a place in JSON");
        self.head.insert(name.to_owned(), value);
    }

    /// Adds an array of as many bytes for each number as the greatest needs.
    pub fn numbers(&mut self, name: &str, numbers: &[u32]) {
        let width = match numbers.iter().max() {
            None | Some(0..=0xff) => 1,
            Some(0x100..=0xffff) => 2,
            Some(_) => 4,
        };
        self.list(name, width, numbers.len());
        for byte in 0..width {
            self.bytes.extend(numbers.iter().map(|number| number.to_le_bytes()[byte]));
        }
    }

    /// Adds an array of bytes.
    pub fn bytes(&mut self, name: &str, bytes: &[u8]) {
        self.list(name, 1, bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds an array of numbers that take the fewer bytes the smaller they are.
    pub fn small_numbers(&mut self, name: &str, numbers: &[u32]) {
        self.list(name, 0, numbers.len());
        for &number in numbers {
            let mut rest = number;
            while rest >= 0x80 {
                self.bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            self.bytes.push(rest as u8);
        }
    }

    fn list(&mut self, name: &str, width: usize, length: usize) {
        self.arrays.push(json!([name, width, length]));
    }

    /// Returns the part as the text that stands in the page.
    pub fn pack(mut self) -> String {
        self.head.insert("arrays".to_owned(), Value::Array(self.arrays));
        let head = Value::Object(self.head).to_string();
        packed(&[&(head.len() as u32).to_le_bytes(), head.as_bytes(), &self.bytes])
    }
}

/// Returns pieces of data one behind the other, compressed by gzip and written in base64.
pub(crate) fn packed(pieces: &[&[u8]]) -> String {
    // Without a time, so that the same data give the same text.
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
    let written = pieces.iter().try_for_each(|piece| encoder.write_all(piece));
    BASE64_STANDARD.encode(written.and_then(|()| encoder.finish()).expect("memory takes all bytes"))
}

/// Returns a difference as a number that is small where the difference is near 0.
pub(super) fn folded(difference: i64) -> u32 {
    ((difference << 1) ^ (difference >> 63)) as u32
}

/// Returns the differences of ascending numbers, the first one from 0.
pub(super) fn steps(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut before = 0;
    numbers
        .map(|number| {
            let step = number - before;
            before = number;
            step
        })
        .collect()
}
