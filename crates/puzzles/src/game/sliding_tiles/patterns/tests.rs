//! Pattern databases, against searches with nothing but the rules.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::Ordering;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::game::Preparation;
use crate::game::testing::{Impatient, Shelf};
use crate::progress::Silent;

#[test]
fn patterns_take_every_tile_once() {
    for (width, height, blank, sizes) in [
        (2, 2, 3, vec![3]),
        (3, 2, 5, vec![5]),
        (3, 3, 4, vec![6, 2]),
        (4, 3, 11, vec![6, 5]),
        (4, 4, 15, vec![6, 6, 3]),
        (4, 4, 0, vec![6, 6, 3]),
        (5, 5, 24, vec![5, 5, 5, 5, 4]),
        (12, 2, 23, vec![5, 5, 5, 5, 3]),
    ] {
        let patterns = parted(&Frame::new(width, height), blank);
        assert_eq!(patterns.iter().map(Vec::len).collect::<Vec<_>>(), sizes, "{width}x{height}");
        let mut homes: Vec<usize> = patterns.into_iter().flatten().map(usize::from).collect();
        homes.sort_unstable();
        assert!(homes.into_iter().eq((0..width * height).filter(|&cell| cell != blank)), "{width}x{height}");
    }
}

/// The fewest moves of some tiles, by a search over their cells and that of the blank, in which only they count.
fn plain(frame: &Frame, blank: usize, homes: &[u8]) -> HashMap<Vec<u8>, u8> {
    let mut known: HashMap<(Vec<u8>, u8), u8> = HashMap::from([((homes.to_vec(), blank as u8), 0)]);
    let mut queue = VecDeque::from([(homes.to_vec(), blank as u8, 0)]);
    while let Some((cells, blank, moves)) = queue.pop_front() {
        if known[&(cells.clone(), blank)] < moves {
            continue;
        }
        for &from in frame.beside(blank.into()) {
            let mut after = cells.clone();
            let tile = after.iter().position(|&cell| cell == from);
            let moves = moves + u8::from(tile.is_some());
            tile.into_iter().for_each(|tile| after[tile] = blank);
            if known.get(&(after.clone(), from)).is_none_or(|&other| other > moves) {
                known.insert((after.clone(), from), moves);
                let next = (after, from, moves);
                if tile.is_some() { queue.push_back(next) } else { queue.push_front(next) }
            }
        }
    }
    let mut fewest: HashMap<Vec<u8>, u8> = HashMap::new();
    for ((cells, _), moves) in known {
        fewest.entry(cells).and_modify(|known| *known = moves.min(*known)).or_insert(moves);
    }
    fewest
}

#[test]
fn a_table_has_the_moves_of_a_plain_search() {
    for (width, height, blank, homes) in
        [(3, 3, 8, vec![0, 1, 4]), (3, 3, 4, vec![0, 8, 5]), (4, 2, 0, vec![7, 3, 1, 2]), (2, 5, 9, vec![0, 1, 2])]
    {
        let frame = Frame::new(width, height);
        let table = table::fewest_moves(&frame, blank, &homes, &Silent).unwrap();
        let plain = plain(&frame, blank, &homes);
        assert_eq!(plain.len() as u64, table::n_placements(frame.n_cells(), homes.len()));
        assert_eq!(table.iter().filter(|&&moves| moves != table::NONE).count(), plain.len());
        for (cells, moves) in plain {
            let number = cells.iter().rev().fold(0, |number, &cell| number * frame.n_cells() + usize::from(cell));
            assert_eq!(table[number], moves, "{width}x{height} {homes:?} {cells:?}");
        }
    }
}

#[test]
fn placements_are_numbered_in_order() {
    let mut numbers = Vec::new();
    table::for_each_placement(9, 3, &mut |number| numbers.push(number));
    assert_eq!((numbers.len(), numbers[0]), (504, 9 + 2));
    assert!(numbers.is_sorted_by(|this, next| this < next));
}

/// An estimate that is kept up to date move by move is the one that is made anew, in the mirror too.
#[test]
fn estimates_are_kept_up_to_date() {
    for (width, height, blank, n_views) in [(3, 3, 8, 2), (3, 3, 4, 2), (4, 3, 11, 1), (3, 4, 4, 1), (3, 4, 1, 1)] {
        let frame = Frame::new(width, height);
        let database = Database::new(&frame, blank, &parted(&frame, blank), &Silent).unwrap();
        assert_eq!(database.views.len(), n_views);
        let mut homes: Vec<u8> = (0..frame.n_cells() as u8).collect();
        let (mut at, mut estimate) = (blank, database.estimate(&homes, blank));
        let (mut random, mut n_differ) = (ChaCha8Rng::seed_from_u64(1), 0);
        assert_eq!(estimate.bound(), 0);
        for _ in 0..500 {
            let beside = frame.beside(at);
            let from = usize::from(beside[random.random_range(0..beside.len())]);
            estimate = database.moved(estimate, homes[from].into(), from, at);
            homes.swap(from, at);
            at = from;
            let anew = database.estimate(&homes, at);
            assert_eq!((estimate.placements, estimate.sums), (anew.placements, anew.sums), "{width}x{height}");
            n_differ += usize::from(n_views == 2 && estimate.sums[0] != estimate.sums[1]);
        }
        assert_eq!(n_differ > 20, n_views == 2, "the mirror says something else: {n_differ}");
    }
}

#[test]
fn a_kept_database_is_read_back_and_a_damaged_one_refused() {
    // A frame and a blank that no other test has, lest theirs be shared.
    let (frame, blank, shelf) = (Frame::new(3, 4), 7, Shelf::default());
    let kept = Preparation { progress: &Silent, store: Some(&shelf) };
    let shared = || Database::shared(&frame, blank, &kept).unwrap();
    let tables = |database: &Database| -> Vec<Vec<u8>> {
        database.patterns.iter().map(|pattern| pattern.table.clone()).collect()
    };
    let first = tables(&shared());
    assert_eq!(shelf.n_kept.load(Ordering::Relaxed), 1);
    assert_eq!(tables(&shared()), first);
    assert_eq!(shelf.n_kept.load(Ordering::Relaxed), 1);
    let words = shared::in_words(&frame, blank);
    let whole = shelf.files.lock().unwrap()[&shared::store_key(&words)].clone();
    let read = |bytes: &[u8], words: &str| kept::read_patterns(bytes, words, 12, &parted(&frame, blank)).is_some();
    assert!(read(&whole, &words) && !read(&whole, "3x4-blank-8") && !read(&whole[..whole.len() - 1], &words));
    let mut other = whole;
    let middle = other.len() / 2;
    other[middle] ^= 1;
    assert!(!read(&other, &words));
    shelf.files.lock().unwrap().insert(shared::store_key(&words), other);
    assert_eq!(tables(&shared()), first);
    assert_eq!(shelf.n_kept.load(Ordering::Relaxed), 2);
    assert_eq!(*shelf.damaged.lock().unwrap(), [shared::store_key(&words)]);
}

#[test]
fn preparation_stops_when_asked() {
    let (frame, blank) = (Frame::new(3, 4), 6);
    let interrupted = Database::shared(&frame, blank, &Preparation { progress: &Impatient, store: None });
    assert_eq!(interrupted.map(drop), Err(ValueError::Interrupted));
}
