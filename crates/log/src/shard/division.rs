//! Shards by the numbers of rows of the participants.

use std::collections::BTreeMap;

use super::error::MOST_SHARDS;
use crate::whole::Shard;

/// Rule by which a log is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Into so many shards with about as many rows each; fewer where there are fewer participants.
    Shards(usize),
    /// Into shards of at most so many rows, unless one participant has more.
    Rows(u64),
}

/// The shards of participants with so many rows.
pub(super) fn divided(rows_of: &BTreeMap<String, u64>, division: Division) -> Vec<Shard> {
    let n_rows: u64 = rows_of.values().sum();
    let most = match division {
        Division::Shards(n) => n_rows.div_ceil(n.clamp(1, MOST_SHARDS) as u64),
        Division::Rows(most) => most.max(n_rows.div_ceil(MOST_SHARDS as u64)),
    };
    let mut shards: Vec<Shard> = Vec::new();
    for (participant, &n) in rows_of {
        match shards.last_mut() {
            // Of a wanted number, shards are filled until they have their share.
            Some(last)
                if last.n_rows + n <= most || (matches!(division, Division::Shards(_)) && last.n_rows < most) =>
            {
                last.n_rows += n;
                last.n_participants += 1;
            }
            _ => shards.push(Shard { first: participant.clone(), n_participants: 1, n_rows: n, seal: String::new() }),
        }
    }
    if shards.is_empty() {
        shards.push(Shard { first: String::new(), n_participants: 0, n_rows: 0, seal: String::new() });
    }
    shards
}
