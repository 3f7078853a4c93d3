//! Mapping a level: states, adjacency, distances. Each benchmark asserts the counts that it computed.
//!
//! Run with `cargo bench`. The peer is petgraph with a hash map from positions to nodes, the way the
//! task is usually written.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use divan::Bencher;
use plymap::distance::DistanceTable;
use plymap::fault::SourceText;
use plymap::game::Puzzle;
use plymap::game::rush_hour::{Options, RushHour, notation};
use plymap::graph::{LevelMap, MapOptions};
use plymap::rules::Rules;

fn main() {
    divan::main();
}

/// Board, states, largest distance.
const BOARDS: [(&str, usize, u32); 3] = [
    ("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.", 4_780, 51),
    ("B..CDDBEEC.F.G.AAF.GHHIJKKL.IJ..L.MM", 278_666, 24),
    ("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...", 541_934, 15),
];

fn rules(board: &str) -> RushHour {
    let source = Arc::new(SourceText { path: "board".into(), text: board.to_owned() });
    let layout = notation::parse(board, &source, 0).expect("a board without faults");
    RushHour::new(layout, Options::default()).expect("a board within the limits")
}

/// States, adjacency and the distance of every state.
#[divan::bench(args = BOARDS, sample_count = 10)]
fn map_and_distances(bencher: Bencher, (board, n_states, max_distance): (&str, usize, u32)) {
    let rules = rules(board);
    bencher.bench_local(|| {
        let map: LevelMap = Rules::map(&rules, &MapOptions::default()).expect("a level within the limits");
        let distances = DistanceTable::new(&map);
        assert_eq!((map.n_states(), distances.max().map(|max| max.0)), (n_states, Some(max_distance)));
    });
}

/// The peer: a hash map from positions to nodes, a petgraph graph, a breadth-first search over it.
#[divan::bench(args = BOARDS, sample_count = 3)]
fn peer_hash_map_and_petgraph(bencher: Bencher, (board, n_states, max_distance): (&str, usize, u32)) {
    let rules = rules(board);
    bencher.bench_local(|| {
        let mut graph = petgraph::Graph::<_, ()>::new();
        let start = Puzzle::start(&rules);
        let mut nodes = HashMap::from([(start, graph.add_node(start))]);
        let mut queue = VecDeque::from([start]);
        let mut moves = Vec::new();
        while let Some(state) = queue.pop_front() {
            moves.clear();
            Puzzle::legal_moves(&rules, state, &mut moves);
            for &action in &moves {
                let after = rules.play_unchecked(state, action);
                let target = *nodes.entry(after).or_insert_with(|| {
                    queue.push_back(after);
                    graph.add_node(after)
                });
                graph.add_edge(nodes[&state], target, ());
            }
        }
        let mut distances = vec![u32::MAX; graph.node_count()];
        let mut queue: VecDeque<_> =
            graph.node_indices().filter(|&node| Puzzle::is_goal(&rules, graph[node])).collect();
        queue.iter().for_each(|node| distances[node.index()] = 0);
        while let Some(node) = queue.pop_front() {
            for before in graph.neighbors_directed(node, petgraph::Incoming) {
                if distances[before.index()] == u32::MAX {
                    distances[before.index()] = distances[node.index()] + 1;
                    queue.push_back(before);
                }
            }
        }
        assert_eq!((graph.node_count(), distances.iter().max().copied()), (n_states, Some(max_distance)));
    });
}
