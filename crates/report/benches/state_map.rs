//! The map of a level in a report: its layout, and all of it as the page holds it. Each benchmark asserts what it computed.
//!
//! Run with `cargo bench -p plymap-report --bench state_map`.

use divan::Bencher;
use plymap_figures::layout;
use plymap_puzzles::game::Distance;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};
use plymap_report::interactive::{LevelMap, LevelPlay};

fn main() {
    divan::main();
}

/// Board, states, undirected edges.
const BOARDS: [(&str, usize, usize); 2] = [
    ("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.", 4_780, 18_691),
    ("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...", 541_934, 4_174_704),
];

fn level(board: &str) -> ValuedLevel {
    let level = LoadedLevel::from_text("board", board, Default::default(), &Default::default())
        .unwrap_or_else(|faults| panic!("{}", faults[0]));
    ValuedLevel::new(level, "rush-hour", &Default::default()).expect("a level within the limits")
}

#[divan::bench(args = BOARDS, sample_count = 3)]
fn layers(bencher: Bencher, (board, n_states, n_edges): (&str, usize, usize)) {
    let level = level(board);
    let whole = level.whole.as_deref().expect("a mapped level");
    let distances: Vec<_> = whole.distances.iter().map(|far| far.map(|Distance(far)| far)).collect();
    let from_state = |state: u32| whole.map.graph.successors(state).iter().map(move |&after| (state, after));
    let edges: Vec<(u32, u32)> = (0..n_states as u32).flat_map(from_state).filter(|(a, b)| a < b).collect();
    assert_eq!((distances.len(), edges.len()), (n_states, n_edges));
    bencher.bench_local(|| {
        let layers = layout::layers(&distances, &edges);
        let length = layout::mean_length(&layers, &edges);
        // In a random order it is about 1/3.
        assert!(length < 0.07, "{length}");
        layers
    });
}

#[divan::bench(args = BOARDS, sample_count = 3)]
fn whole_map(bencher: Bencher, (board, _, _): (&str, usize, usize)) {
    let level = level(board);
    bencher.bench_local(|| {
        let map = LevelMap::new(&level, &LevelPlay::default(), &Silent).expect("a mapped level");
        // The largest level is 5.3 MB of a page.
        assert!(map.n_letters() < 15_000_000);
        map
    });
}
