//! Limits of the requests and bytes that each address may send in a second.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::places::counted;

/// Maximum number of addresses that are remembered; when there are more, those that have been quiet are forgotten.
const MOST_ADDRESSES: usize = 10_000;

/// Bytes that come with a request in the long run: a move is sent in some 300.
const BYTES_OF_REQUEST: u32 = 320;

/// Bytes that an address may send at once: what 40,000 moves take, so that pages that were offline for hours catch up.
const BYTES_AT_ONCE: u32 = 8 << 20;

/// Token buckets of each address, for requests and for bytes. They hold the requests of a second and [`BYTES_AT_ONCE`],
/// and are filled up steadily.
pub(super) struct Rates {
    requests: Rate,
    bytes: Rate,
    left: Mutex<HashMap<IpAddr, Left>>,
}

/// Capacity of a token bucket, and the tokens that it gains in a second.
struct Rate {
    most: f64,
    each_second: f64,
}

impl Rate {
    fn after(&self, left: f64, time: Duration) -> f64 {
        (left + self.each_second * time.as_secs_f64()).min(self.most)
    }
}

/// Tokens that are left to an address.
struct Left {
    requests: f64,
    bytes: f64,
    at: Instant,
}

impl Rates {
    pub(super) fn new(rate: u32) -> Self {
        let each_second = f64::from(rate) * f64::from(BYTES_OF_REQUEST);
        Self {
            requests: Rate { most: rate.into(), each_second: rate.into() },
            bytes: Rate { most: each_second.max(BYTES_AT_ONCE.into()), each_second },
            left: Mutex::default(),
        }
    }

    pub(super) fn why(&self, address: IpAddr) -> String {
        let rate = self.requests.each_second;
        format!("more than {rate} requests in a second from {address}: wait, or start the server with a higher --rate")
    }

    pub(super) fn why_bytes(&self, address: IpAddr) -> String {
        let Rate { most, each_second } = self.bytes;
        format!(
            "more than {each_second} bytes in a second from {address}, beyond {most} at once: wait, or start the server with a \
             higher --rate"
        )
    }

    fn later(&self, bucket: &Left, now: Instant) -> Left {
        let time = now.duration_since(bucket.at);
        Left {
            requests: self.requests.after(bucket.requests, time),
            bytes: self.bytes.after(bucket.bytes, time),
            at: now,
        }
    }

    /// Returns true if an address may do as much again as one that never did anything.
    fn is_full(&self, bucket: &Left, now: Instant) -> bool {
        let Left { requests, bytes, .. } = self.later(bucket, now);
        requests >= self.requests.most && bytes >= self.bytes.most
    }

    /// Returns true if an address may make a request, which then counts as made.
    pub(super) fn allows(&self, address: IpAddr, now: Instant) -> bool {
        self.take(address, now, |bucket| &mut bucket.requests, 1.0)
    }

    /// Returns true if an address may send so many bytes, which then count as sent.
    pub(super) fn allows_bytes(&self, address: IpAddr, n_bytes: usize, now: Instant) -> bool {
        n_bytes == 0 || self.take(address, now, |bucket| &mut bucket.bytes, n_bytes as f64)
    }

    fn take(&self, address: IpAddr, now: Instant, part: impl FnOnce(&mut Left) -> &mut f64, n: f64) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let mut address = counted(address);
        if left.len() >= MOST_ADDRESSES && !left.contains_key(&address) {
            // Full buckets are as good as new ones: nobody gains anything by being forgotten.
            left.retain(|_, bucket| !self.is_full(bucket, now));
            if left.len() >= MOST_ADDRESSES {
                // All others share one rate, so that memory is bounded.
                address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
            }
        }
        let all = Left { requests: self.requests.most, bytes: self.bytes.most, at: now };
        let bucket = left.entry(address).or_insert(all);
        *bucket = self.later(bucket, now);
        let amount = part(bucket);
        let is_allowed = *amount >= n;
        *amount -= if is_allowed { n } else { 0.0 };
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_ask_so_often_in_a_second_and_then_as_fast_as_that() {
        let (rates, address, start) = (Rates::new(10), IpAddr::from([127, 0, 0, 1]), Instant::now());
        let n_allowed = (0..30).filter(|_| rates.allows(address, start)).count();
        assert_eq!(n_allowed, 10);
        assert!(rates.allows(IpAddr::from([127, 0, 0, 2]), start), "another address has its own rate");
        let later = start + Duration::from_millis(250);
        assert_eq!((0..30).filter(|_| rates.allows(address, later)).count(), 2);
    }

    #[test]
    fn an_address_may_send_so_much_at_once_and_then_as_fast_as_its_requests_have_it() {
        let (rates, address, start) = (Rates::new(200), IpAddr::from([127, 0, 0, 1]), Instant::now());
        // Requests of 256 kB, the largest.
        let n_allowed = |now| (0..100).filter(|_| rates.allows_bytes(address, 1 << 18, now)).count();
        assert_eq!(n_allowed(start), 32);
        assert!(rates.allows_bytes(address, 0, start) && rates.allows(address, start));
        assert!(rates.allows_bytes(IpAddr::from([127, 0, 0, 2]), 1 << 18, start), "another address has its own rate");
        assert_eq!(n_allowed(start + Duration::from_secs(41)), 10);
        // As much as it was; a day of it is 5.5 GB.
        assert_eq!(n_allowed(start + Duration::from_secs(1_000)), 32);
    }

    #[test]
    fn any_number_of_addresses_takes_bounded_memory() {
        let (rates, start) = (Rates::new(1), Instant::now());
        let address = |number: u32| IpAddr::from(0x0a00_0000_u32.wrapping_add(number).to_be_bytes());
        let at = |ms| start + Duration::from_millis(ms);
        let n_known = || rates.left.lock().unwrap().len();
        assert!(rates.allows_bytes(address(0), 3_200, start));
        let n_allowed = (0..20_000).filter(|number| rates.allows(address(*number), start)).count();
        assert_eq!((n_allowed, n_known()), (MOST_ADDRESSES + 1, MOST_ADDRESSES + 1));
        assert!(rates.allows(address(20_001), at(1_000)));
        assert_eq!(n_known(), 2, "what was sent is remembered for ten seconds");
        assert_eq!((30_000..40_000).filter(|number| rates.allows(address(*number), at(9_500))).count(), 10_000);
        assert!(rates.allows(address(20_002), at(10_500)));
        assert_eq!(n_known(), 1);
    }
}
