//! The head of a table's file: what it is the table of, and how far it is.

use std::io;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::numbering::Numbering;

/// Bytes before the first position: two copies of the head, of which one is whole whatever happens while the other is
/// written.
pub const HEAD: usize = 2 * COPY;
const COPY: usize = 1 << 16;
const MAGIC: &str = "plymap tablebase 1";

/// Bytes of positions with a checksum of their own, so that a look-up reads few.
pub const PART: usize = 1 << 16;

/// Bits of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Bits {
    /// The distance modulo 3, from which it is found by walking to the goal.
    #[default]
    Two,
    /// The distance, at most 254.
    Eight,
}

impl From<Bits> for u8 {
    fn from(bits: Bits) -> Self {
        match bits {
            Bits::Two => 2,
            Bits::Eight => 8,
        }
    }
}

impl TryFrom<u8> for Bits {
    type Error = String;

    fn try_from(bits: u8) -> Result<Self, String> {
        match bits {
            2 => Ok(Self::Two),
            8 => Ok(Self::Eight),
            _ => Err(format!("a position takes 2 or 8 bits, not {bits}")),
        }
    }
}

/// The head of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The positions and their places.
    #[serde(flatten)]
    pub numbering: Numbering,
    pub bits: Bits,
    /// Number of positions of a block.
    pub block_len: usize,
    /// Bytes from one block to the next.
    pub block_bytes: usize,
    pub n_blocks: u64,
    /// Number of positions at each distance of which all are found.
    pub layers: Vec<u64>,
    /// `true` if there is no farther one.
    pub is_complete: bool,
    /// The first of those that are farthest, once it is complete.
    pub farthest: Vec<(u64, u16)>,
}

impl Header {
    /// The largest distance of which all positions are found.
    pub fn largest(&self) -> usize {
        self.layers.len() - 1
    }

    /// Bytes of all positions.
    pub fn data_bytes(&self) -> u64 {
        self.n_blocks.saturating_mul(self.block_bytes as u64)
    }

    /// Bytes of the file: head, positions and the checksums of their parts.
    pub fn file_bytes(&self) -> u64 {
        (HEAD as u64).saturating_add(self.data_bytes()).saturating_add(self.n_parts() * size_of::<u32>() as u64)
    }

    /// Number of parts that have a checksum each.
    pub fn n_parts(&self) -> u64 {
        self.data_bytes().div_ceil(PART as u64)
    }

    /// Where its copy stands in a file: the older one stays while the newer one is written over the one before it.
    pub fn copy(&self) -> Range<usize> {
        self.number() % 2 * COPY..(self.number() % 2 + 1) * COPY
    }

    /// Rises with each copy.
    fn number(&self) -> usize {
        self.layers.len() + usize::from(self.is_complete)
    }

    /// Its copy, zeros behind it.
    pub fn text(&self) -> io::Result<Vec<u8>> {
        let json = serde_json::to_string(self)?;
        let sum = crc32fast::hash(json.as_bytes());
        let mut text = format!("{MAGIC}\n{}\n{sum:08x}\n{json}\n", self.number()).into_bytes();
        if text.len() > COPY {
            let reason = format!("its head has no room for {} layers; build it in memory", self.layers.len());
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        }
        text.resize(COPY, 0);
        Ok(text)
    }

    /// The newer whole copy.
    pub fn read(head: &[u8]) -> Result<Self, String> {
        let copies = head.chunks(COPY).filter_map(|copy| {
            let text = std::str::from_utf8(copy.split(|&byte| byte == 0).next()?).ok()?;
            let (magic, rest) = text.split_once('\n')?;
            let (number, rest) = rest.split_once('\n')?;
            let (sum, json) = rest.split_once('\n')?;
            let json = json.trim_end();
            let is_whole = magic == MAGIC && sum == format!("{:08x}", crc32fast::hash(json.as_bytes()));
            is_whole.then(|| Some((number.parse::<usize>().ok()?, serde_json::from_str(json).ok()?)))?
        });
        let newest = copies.max_by_key(|&(number, _): &(usize, Self)| number);
        newest.map(|(_, header)| header).ok_or_else(|| "its head is missing or damaged".to_owned())
    }
}
