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
    occupancy: Mutex<Occupancy>,
}

#[derive(Debug, Default)]
struct Occupancy {
    next: u64,
    connections: HashMap<u64, Connection>,
    /// Connections of each address, and requests under way of each address behind a proxy.
    per_address: HashMap<IpAddr, usize>,
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

impl Occupancy {
    fn enter(&mut self, address: IpAddr, most: usize) -> Result<(), Full> {
        let n = self.per_address.entry(counted(address)).or_default();
        if *n >= most {
            return Err(Full::OfOne(most));
        }
        *n += 1;
        Ok(())
    }

    fn leave(&mut self, address: Option<IpAddr>) {
        let Some(address) = address.map(counted) else { return };
        if let Some(n) = self.per_address.get_mut(&address) {
            *n -= 1;
            if *n == 0 {
                self.per_address.remove(&address);
            }
        }
    }

    fn remove(&mut self, number: u64) -> Option<Connection> {
        let connection = self.connections.remove(&number)?;
        self.leave(connection.address);
        self.leave(connection.asks);
        Some(connection)
    }

    /// Closes the connection that has waited longest for a request, of those of an address or of all; says whether there was one.
    fn close_longest_waiting(&mut self, address: Option<IpAddr>) -> bool {
        let is_meant =
            |connection: &Connection| address.is_none() || connection.address.map(counted) == address.map(counted);
        let since = |(&number, connection): (&u64, &Connection)| {
            connection.waits_since.filter(|_| is_meant(connection)).map(|since| (since, number))
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
        Arc::new(Self { most, most_of_one, occupancy: Mutex::default() })
    }

    fn occupancy(&self) -> MutexGuard<'_, Occupancy> {
        self.occupancy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection; without an address it counts among all alone. Where all of the address, or all, are taken, the
    /// connection of them that has waited longest for a request ends for it.
    pub(super) fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Result<Place, Full> {
        let mut occupancy = self.occupancy();
        if let Some(address) = address {
            let entered = occupancy.enter(address, self.most_of_one);
            if let Err(full) = entered {
                if !occupancy.close_longest_waiting(Some(address)) {
                    return Err(full);
                }
                occupancy.enter(address, self.most_of_one)?;
            }
        }
        if occupancy.connections.len() >= self.most && !occupancy.close_longest_waiting(None) {
            occupancy.leave(address);
            return Err(Full::All(self.most));
        }
        let number = occupancy.next;
        occupancy.next += 1;
        let waits_since = Some(Instant::now());
        occupancy
            .connections
            .insert(number, Connection { address, waits_since, is_answered: false, task: None, asks: None });
        Ok(Place { places: Arc::clone(self), number })
    }

    /// Closes the connection that has waited longest for a request, where the system gives no further one.
    pub(super) fn make_room(&self) {
        self.occupancy().close_longest_waiting(None);
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
        match places.occupancy().connections.get_mut(&number) {
            Some(connection) => connection.task = Some(task),
            // The place was needed before its task was known.
            None => task.abort(),
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn with(&self, change: impl FnOnce(&mut Connection)) {
        self.places.occupancy().connections.get_mut(&self.number).map(change);
    }

    /// A request has come.
    pub(super) fn begins(&self) {
        self.with(|connection| (connection.waits_since, connection.is_answered) = (None, false));
    }

    /// Counts a request for an address behind a proxy, of which so many may be under way as of others there are
    /// connections.
    pub(super) fn asks_for(&self, address: IpAddr) -> Result<(), Full> {
        let mut occupancy = self.places.occupancy();
        occupancy.enter(address, self.places.most_of_one)?;
        match occupancy.connections.get_mut(&self.number) {
            Some(connection) => connection.asks = Some(address),
            None => occupancy.leave(Some(address)),
        }
        Ok(())
    }

    /// The answer is there, and is being written.
    pub(super) fn is_answered(&self) {
        self.with(|connection| connection.is_answered = true);
    }

    /// Notes that all that was to be written is; after an answer, the connection waits again.
    pub(super) fn has_written(&self) {
        let mut occupancy = self.places.occupancy();
        let Some(connection) = occupancy.connections.get_mut(&self.number).filter(|connection| connection.is_answered)
        else {
            return;
        };
        (connection.waits_since, connection.is_answered) = (Some(Instant::now()), false);
        let asks = connection.asks.take();
        occupancy.leave(asks);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.occupancy().remove(self.number);
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
        let of_first: Vec<_> = (0..2).map(|_| places.enter(Some(address(1))).unwrap()).collect();
        let other = places.enter(Some(address(2))).unwrap();
        of_first[0].begins();
        // Of one address the connection that waits makes room, though another one has waited as long.
        let again = places.enter(Some(address(1))).unwrap();
        assert_eq!(places.occupancy().connections.len(), 3);
        again.begins();
        assert_eq!(places.enter(Some(address(1))).unwrap_err(), Full::OfOne(2));
        drop(again);
        drop(of_first);
        places.enter(Some(address(1))).unwrap();
        drop(other);
        assert!(places.occupancy().per_address.is_empty() && places.occupancy().connections.is_empty());
    }

    #[test]
    fn a_newcomer_takes_the_place_of_who_has_waited_longest_and_of_nobody_who_is_answered() {
        let places = Places::new(3, 3);
        let [first, second, third] = [1, 2, 3].map(|last| places.enter(Some(address(last))).unwrap());
        first.begins();
        let is_open = |place: &Place| places.occupancy().connections.contains_key(&place.number);
        let fourth = places.enter(Some(address(4))).unwrap();
        assert_eq!([&first, &second, &third, &fourth].map(is_open), [true, false, true, true]);
        // Written is not yet answered: the head of an interim answer, for one.
        first.has_written();
        third.begins();
        fourth.begins();
        assert_eq!(places.enter(Some(address(5))).unwrap_err(), Full::All(3));
        assert_eq!(places.occupancy().per_address.get(&address(5)), None);
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
        assert!(places.occupancy().per_address.is_empty());
    }

    #[test]
    fn networks_of_version_6_count_as_one() {
        let network = |text: &str| counted(text.parse().unwrap());
        assert_eq!(network("2001:db8:1:2:3::4"), network("2001:db8:1:2:ffff::"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:10.0.0.1"), address(1));
    }
}
