//! Mapping a level: states, adjacency, distances. Each benchmark asserts the counts that it computed.
//!
//! Run with `cargo bench -p plymap-puzzles --bench map`. The peer is petgraph with a hash map from positions to
//! nodes, the way the task is usually written.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use divan::Bencher;
use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::distance::DistanceTable;
use plymap_puzzles::game::rush_hour::{Options, RushHour, notation};
use plymap_puzzles::game::{LevelText, Puzzle};
use plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;

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

/// A level of each game whose positions are mapped, with its number of states: what a state of each costs beside
/// one of Rush Hour, in the same run.
const LEVELS: [(&str, &str, usize); 7] = [
    ("rush-hour", "B..CDDBEEC.F.G.AAF.GHHIJKKL.IJ..L.MM", 278_666),
    ("lights-out", "*...*/.*.*./..*../.*.*.", 1_048_576),
    (
        "panguru",
        "lines: 0-1-3-6, 2-4-7, 5-8, 0-2-5, 1-4-8, 3-7, 6-7-8, 3-4-5, 1-2, 0-4\nABCDABCDE\n-BCDACBDA\n",
        22_680,
    ),
    (
        "match-the-tiles",
        "A..b....../B..x.....e/.x....x.../c.C......x/....x..d../.x..D...../...a..x.../..x....E../.....x..../.x........",
        63_853,
    ),
    ("tower-of-london", "# capacities: 7 7 7\nRGBYCPW/-/- > -/-/RGBYCPW\n", 181_440),
    ("tower-of-hanoi", "11 disks 3 pegs\n", 177_147),
    ("sliding-tiles", "8 6 7/2 5 4/3 . 1\n", 181_440),
];

/// States, adjacency and distances, as states per second.
#[divan::bench(args = LEVELS.map(|(game, ..)| game), sample_count = 10)]
fn map_of_each_game(bencher: Bencher, game: &str) {
    let (_, text, n_states) = LEVELS.into_iter().find(|(known, ..)| *known == game).expect("a level of the game");
    let rules = loaded(game, text);
    bencher.counter(divan::counter::ItemsCount::new(n_states)).bench_local(|| {
        let map = rules.map(&MapOptions::default()).expect("a level within the limits");
        let distances = DistanceTable::new(&map);
        assert_eq!((map.n_states(), distances.iter().len()), (n_states, n_states));
    });
}

fn loaded(game: &str, text: &str) -> Box<dyn Rules> {
    let source = Arc::new(SourceText { path: "level".into(), text: text.to_owned() });
    let level = LevelText { text: &source.text, source: &source, span: 0..text.len() };
    let game = Game::named(game).expect("a game");
    (game.load)(&level, &RuleOptions::default()).unwrap_or_else(|faults| panic!("{}", faults[0]))
}
