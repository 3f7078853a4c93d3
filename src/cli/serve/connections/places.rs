//! Limits of the number of connections at once, in all and of each address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::AbortHandle;
use tokio::time::Instant;

/// All connections.
#[derive(Debug)]
pub(super) struct Places {
    most: usize,
    most_of_one: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    next: u64,
    connections: HashMap<u64, Connection>,
    /// Connections of each address, and requests under way of each address behind a proxy.
    of: HashMap<IpAddr, usize>,
}

#[derive(Debug)]
struct Connection {
    address: Option<IpAddr>,
    /// Time since which it waits for a request; none while one is answered.
    waits_since: Option<Instant>,
    is_answered: bool,
    task: Option<AbortHandle>,
    /// The address behind a proxy whose request is under way.
    asks: Option<IpAddr>,
}

/// Refusal of a connection, with the limit that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    /// All connections answer requests.
    All(usize),
    /// The address has as many as it may have.
    OfOne(usize),
}

impl Full {
    pub(super) fn why(self, address: IpAddr) -> String {
        match self {
            Self::All(most) => {
                format!("all {most} connections are in use: try again, or start the server with a higher --connections")
            }
            Self::OfOne(most) => format!(
                "{address} has {most} connections, the most of one address: close some, or start the server with a higher --connections-per-address"
            ),
        }
    }
}

/// Returns the address under which one is counted: of version 6 its network of 64 bits, all of which one client may
/// have.
pub(super) fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
        address => address,
    }
}

impl Taken {
    fn enter(&mut self, address: IpAddr, most: usize) -> Result<(), Full> {
        let n = self.of.entry(counted(address)).or_default();
        if *n >= most {
            return Err(Full::OfOne(most));
        }
        *n += 1;
        Ok(())
    }

    fn leave(&mut self, address: Option<IpAddr>) {
        let Some(address) = address.map(counted) else { return };
        if let Some(n) = self.of.get_mut(&address) {
            *n -= 1;
            if *n == 0 {
                self.of.remove(&address);
            }
        }
    }

    fn remove(&mut self, number: u64) -> Option<Connection> {
        let found = self.connections.remove(&number)?;
        self.leave(found.address);
        self.leave(found.asks);
        Some(found)
    }

    /// Closes the connection that has waited longest for a request, of those of an address or of all; says whether there was one.
    fn close_longest_waiting(&mut self, of: Option<IpAddr>) -> bool {
        let is_meant = |own: &Connection| of.is_none() || own.address.map(counted) == of.map(counted);
        let since = |(&number, own): (&u64, &Connection)| {
            own.waits_since.filter(|_| is_meant(own)).map(|since| (since, number))
        };
        let Some((_, number)) = self.connections.iter().filter_map(since).min() else { return false };
        if let Some(task) = self.remove(number).and_then(|connection| connection.task) {
            task.abort();
        }
        true
    }
}

impl Places {
    pub(super) fn new(most: usize, most_of_one: usize) -> Arc<Self> {
        Arc::new(Self { most, most_of_one, taken: Mutex::default() })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection; without an address it counts among all alone. Where all of the address, or all, are taken, the
    /// connection of them that has waited longest for a request ends for it.
    pub(super) fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Result<Place, Full> {
        let mut taken = self.taken();
        if let Some(address) = address {
            let entered = taken.enter(address, self.most_of_one);
            if let Err(full) = entered {
                if !taken.close_longest_waiting(Some(address)) {
                    return Err(full);
                }
                taken.enter(address, self.most_of_one)?;
            }
        }
        if taken.connections.len() >= self.most && !taken.close_longest_waiting(None) {
            taken.leave(address);
            return Err(Full::All(self.most));
        }
        let number = taken.next;
        taken.next += 1;
        let waits_since = Some(Instant::now());
        taken
            .connections
            .insert(number, Connection { address, waits_since, is_answered: false, task: None, asks: None });
        Ok(Place { places: Arc::clone(self), number })
    }

    /// Closes the connection that has waited longest for a request, where the system gives no further one.
    pub(super) fn make_room(&self) {
        self.taken().close_longest_waiting(None);
    }
}

/// The place of a connection, free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    number: u64,
}

impl Place {
    /// Notes the task that ends where the place is needed.
    pub(super) fn is_of(places: &Places, number: u64, task: AbortHandle) {
        match places.taken().connections.get_mut(&number) {
            Some(connection) => connection.task = Some(task),
            // The place was needed before its task was known.
            None => task.abort(),
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn with(&self, change: impl FnOnce(&mut Connection)) {
        self.places.taken().connections.get_mut(&self.number).map(change);
    }

    /// A request has come.
    pub(super) fn begins(&self) {
        self.with(|own| (own.waits_since, own.is_answered) = (None, false));
    }

    /// Counts a request for an address behind a proxy, of which so many may be under way as of others there are
    /// connections.
    pub(super) fn asks_for(&self, address: IpAddr) -> Result<(), Full> {
        let mut taken = self.places.taken();
        taken.enter(address, self.places.most_of_one)?;
        match taken.connections.get_mut(&self.number) {
            Some(own) => own.asks = Some(address),
            None => taken.leave(Some(address)),
        }
        Ok(())
    }

    /// The answer is there, and is being written.
    pub(super) fn is_answered(&self) {
        self.with(|own| own.is_answered = true);
    }

    /// Notes that all that was to be written is; after an answer, the connection waits again.
    pub(super) fn has_written(&self) {
        let mut taken = self.places.taken();
        let Some(own) = taken.connections.get_mut(&self.number).filter(|own| own.is_answered) else { return };
        (own.waits_since, own.is_answered) = (Some(Instant::now()), false);
        let asks = own.asks.take();
        taken.leave(asks);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.taken().remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn one_address_leaves_places_to_others() {
        let places = Places::new(4, 2);
        let own: Vec<_> = (0..2).map(|_| places.enter(Some(address(1))).unwrap()).collect();
        let other = places.enter(Some(address(2))).unwrap();
        own[0].begins();
        // Of one address the connection that waits makes room, though another one has waited as long.
        let again = places.enter(Some(address(1))).unwrap();
        assert_eq!(places.taken().connections.len(), 3);
        again.begins();
        assert_eq!(places.enter(Some(address(1))).unwrap_err(), Full::OfOne(2));
        drop(again);
        drop(own);
        places.enter(Some(address(1))).unwrap();
        drop(other);
        assert!(places.taken().of.is_empty() && places.taken().connections.is_empty());
    }

    #[test]
    fn a_newcomer_takes_the_place_of_who_has_waited_longest_and_of_nobody_who_is_answered() {
        let places = Places::new(3, 3);
        let [first, second, third] = [1, 2, 3].map(|last| places.enter(Some(address(last))).unwrap());
        first.begins();
        let is_open = |place: &Place| places.taken().connections.contains_key(&place.number);
        let fourth = places.enter(Some(address(4))).unwrap();
        assert_eq!([&first, &second, &third, &fourth].map(is_open), [true, false, true, true]);
        // Written is not yet answered: the head of an interim answer, for one.
        first.has_written();
        third.begins();
        fourth.begins();
        assert_eq!(places.enter(Some(address(5))).unwrap_err(), Full::All(3));
        assert_eq!(places.taken().of.get(&address(5)), None);
        first.is_answered();
        first.has_written();
        let _fifth = places.enter(Some(address(5))).unwrap();
        assert_eq!([&first, &third, &fourth].map(is_open), [false, true, true]);
    }

    #[test]
    fn behind_a_proxy_requests_under_way_are_counted() {
        let places = Places::new(9, 1);
        let [first, second] = [(); 2].map(|()| places.enter(None).unwrap());
        first.begins();
        first.asks_for(address(1)).unwrap();
        assert_eq!(second.asks_for(address(1)), Err(Full::OfOne(1)));
        second.asks_for(address(2)).unwrap();
        first.is_answered();
        first.has_written();
        let third = places.enter(None).unwrap();
        third.asks_for(address(1)).unwrap();
        drop((second, third));
        assert!(places.taken().of.is_empty());
    }

    #[test]
    fn networks_of_version_6_count_as_one() {
        let of = |text: &str| counted(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), address(1));
    }
}
