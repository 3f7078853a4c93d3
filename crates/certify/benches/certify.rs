//! The certificate of a table of Rush Hour, by what the level is made of and by its rules. Each benchmark asserts the
//! counts that it computed.
//!
//! Run with `cargo bench -p plymap-certify --bench certify`.

use divan::Bencher;
use divan::counter::ItemsCount;
use plymap_certify::{Certificate, Claim, certify, certify_by_rules};
use plymap_puzzles::graph::{DistanceTable, MapOptions};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::LoadedLevel;

fn main() {
    divan::main();
}

/// Board, states, moves.
const BOARDS: [(&str, u64, u64); 3] = [
    ("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.", 4_780, 37_382),
    ("B..CDDBEEC.F.G.AAF.GHHIJKKL.IJ..L.MM", 278_666, 3_763_212),
    ("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...", 541_934, 8_349_408),
];

fn bench(
    bencher: Bencher,
    (board, n_states, n_moves): (&str, u64, u64),
    check: impl Fn(&LoadedLevel, &Claim) -> Certificate,
) {
    let options = RuleOptions::of_game(Some("rush-hour"), Default::default(), Default::default());
    let level = LoadedLevel::from_text("board", board, Game::find("rush-hour").expect("a game"), &options);
    let level = level.expect("a board without faults");
    let map = level.rules.map(&MapOptions::default()).expect("a level within the limits");
    let distances = DistanceTable::new(&map);
    let entries = (0..map.n_states() as u32).map(|node| (map.code(node), distances.get(node)));
    let claim = Claim::new("board", true, entries);
    bencher.counter(ItemsCount::new(n_states)).bench_local(|| {
        let certificate = check(&level, &claim);
        assert_eq!((certificate.n_states, certificate.n_moves), (n_states, n_moves));
    });
}

/// As a run certifies it.
#[divan::bench(args = BOARDS, sample_count = 10)]
fn by_blocks(bencher: Bencher, board: (&str, u64, u64)) {
    bench(bencher, board, |level, claim| certify(&*level.rules, claim, &Silent).expect("a certificate"));
}

/// State by state and move by move, as the rules list them.
#[divan::bench(args = BOARDS, sample_count = 3)]
fn by_rules(bencher: Bencher, board: (&str, u64, u64)) {
    bench(bencher, board, |level, claim| certify_by_rules(&*level.rules, claim, &Silent).expect("a certificate"));
}
