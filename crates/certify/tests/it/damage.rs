//! Tables that maps make, whole and damaged: the whole ones are certified, and each damage is found.

use plymap_certify::{Certificate, CertifyError};
use plymap_puzzles::game::Distance;
use plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap_puzzles::rules::Rules;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::fixtures::{Entries, LEVELS, certified, levels, mapped};

/// What a map counts, which shares no code with the certificate.
fn counted(map: &LevelMap, entries: &Entries) -> Certificate {
    Certificate {
        n_states: map.n_states() as u64,
        n_moves: map.graph.n_arcs() as u64,
        n_goals: map.goals().count() as u64,
        n_without_distance: entries.iter().filter(|entry| entry.1.is_none()).count() as u64,
    }
}

#[test]
fn the_table_of_every_map_is_certified() {
    let mut n_tables = 0;
    for expand_goals in [true, false] {
        for case in LEVELS {
            for level in levels(case) {
                let Some(entries) = mapped(&*level.rules, expand_goals, 60_000) else { continue };
                let map = level.rules.map(&MapOptions { expand_goals, ..MapOptions::default() }).unwrap();
                let certificate = certified(&*level.rules, expand_goals, &entries);
                assert_eq!(certificate, Ok(counted(&map, &entries)), "{case:?} {}", level.origin.id);
                n_tables += 1;
            }
        }
    }
    println!("{n_tables} tables");
    assert!(n_tables > 150, "{n_tables}");
}

/// Damages a table in one place: another distance, a state left out, or the distances of the two ends of a move
/// exchanged.
fn damage(rules: &dyn Rules, entries: &mut Entries, rng: &mut ChaCha8Rng) -> String {
    let at = rng.random_range(0..entries.len());
    match rng.random_range(0..3) {
        0 => {
            let before = entries[at].1;
            let most = entries.iter().filter_map(|entry| entry.1).max().map_or(0, |most| most.0);
            while entries[at].1 == before {
                entries[at].1 = Some(rng.random_range(0..=most + 2)).filter(|&value| value <= most + 1).map(Distance);
            }
            format!("{:?} for {before:?} at {at}", entries[at].1)
        }
        1 => {
            entries.remove(at);
            format!("without {at}")
        }
        _ => {
            let mut ends = Vec::new();
            rules.successors(entries[at].0, &mut ends);
            let mut other = ends.iter().filter_map(|end| entries.iter().position(|entry| entry.0 == *end));
            let Some(other) = other.find(|&other| entries[other].1 != entries[at].1) else {
                return damage(rules, entries, rng);
            };
            (entries[at].1, entries[other].1) = (entries[other].1, entries[at].1);
            format!("{at} and {other} exchanged")
        }
    }
}

#[test]
fn each_damage_of_a_table_is_found() {
    let cases = LEVELS.into_iter().flat_map(levels);
    let small = cases.filter_map(|level| Some((mapped(&*level.rules, true, 4_000)?, level)));
    let small: Vec<_> = small.filter(|(entries, _)| entries.len() > 2).collect();
    assert!(small.len() > 50, "{}", small.len());
    for seed in 0..1_000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (entries, level) = &small[rng.random_range(0..small.len())];
        let mut damaged = entries.clone();
        let what = damage(&*level.rules, &mut damaged, &mut rng);
        match certified(&*level.rules, true, &damaged) {
            Err(CertifyError::Violation(violation)) => {
                let said = violation.to_string();
                assert!(said.contains(&violation.state) && said.contains(violation.law.text()), "{said}");
            }
            other => panic!("seed {seed}, level {}, {what}: {other:?}", level.origin.id),
        }
    }
}
