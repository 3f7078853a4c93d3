//! How often each address may ask.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::places::counted;

/// Addresses that are remembered; when there are more, those that have been quiet are forgotten.
const MOST_ADDRESSES: usize = 10_000;

/// After so long an address may ask as often as one that never did.
const FULL: Duration = Duration::from_secs(1);

/// How many requests each address may still make: as many as in a second, filled up steadily.
pub(super) struct Rates {
    rate: f64,
    left: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Rates {
    pub(super) fn new(rate: u32) -> Self {
        Self { rate: f64::from(rate), left: Mutex::default() }
    }

    pub(super) fn why(&self, address: IpAddr) -> String {
        let rate = self.rate;
        format!("more than {rate} requests in a second from {address}: wait, or start the server with a higher --rate")
    }

    pub(super) fn allows(&self, address: IpAddr, now: Instant) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let mut address = counted(address);
        if left.len() >= MOST_ADDRESSES && !left.contains_key(&address) {
            left.retain(|_, (_, last)| now.duration_since(*last) < FULL);
            if left.len() >= MOST_ADDRESSES {
                // All others share one rate, so that memory is bounded.
                address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
            }
        }
        let (tokens, last) = left.entry(address).or_insert((self.rate, now));
        *tokens = (*tokens + self.rate * now.duration_since(*last).as_secs_f64()).min(self.rate);
        *last = now;
        let is_allowed = *tokens >= 1.0;
        *tokens -= if is_allowed { 1.0 } else { 0.0 };
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
    fn any_number_of_addresses_takes_bounded_memory() {
        let (rates, start) = (Rates::new(1), Instant::now());
        let address = |number: u32| IpAddr::from(0x0a00_0000_u32.wrapping_add(number).to_be_bytes());
        let n_allowed = (0..20_000).filter(|number| rates.allows(address(*number), start)).count();
        assert_eq!(n_allowed, MOST_ADDRESSES + 1);
        assert_eq!(rates.left.lock().unwrap().len(), MOST_ADDRESSES + 1);
        assert!(rates.allows(address(20_001), start + FULL));
        assert_eq!(rates.left.lock().unwrap().len(), 1);
    }
}
