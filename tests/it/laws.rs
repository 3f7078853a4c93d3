//! The laws that every game obeys, and the agreement of every fast path with a slow one.
//!
//! A new game joins with its levels in `levels()`.

use std::collections::{HashMap, HashSet, VecDeque};

use petgraph::visit::{EdgeRef as _, IntoEdgeReferences as _};
use plymap::distance::{Distance, DistanceTable, Oracle as _};
use plymap::game::{RuleOptions, Rules, StateCode};
use plymap::graph::{LevelMap, MapOptions};
use plymap::mapping::{LoadedLevel, MappedLevel};

use crate::common::{ARTICLE, level, options};

/// Pieces whose names no board string can show.
const CARS: &str = r#"{"width": 4, "height": 4, "red": "red car", "pieces": [
    {"id": "red car", "position": 4, "length": 2, "orientation": "horizontal"},
    {"id": "a@1, b", "position": 3, "length": 2, "orientation": "vertical"},
    {"id": "red", "position": 12, "length": 2, "orientation": "horizontal"}]}"#;

/// Levels of every game, small enough to look at each of their states.
fn levels() -> Vec<(&'static str, LoadedLevel)> {
    let plain = RuleOptions::default();
    vec![
        ("article", level(ARTICLE, &plain)),
        ("article by cells", level(ARTICLE, &options("metric = \"cell\""))),
        ("article, path clear", level(ARTICLE, &options("goal = \"path-clear\""))),
        ("walls", level("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", &plain)),
        ("exit on the left", level("....B.\n....B.\n<.C.AA.\n.C....\n......\n......\n", &plain)),
        (
            "wide board",
            level(".........\n..B......\nAAB....C.\n.......C.\n.........\n.........\n.........\n.........\n", &plain),
        ),
        ("names with blanks", level(CARS, &plain)),
        ("unsolvable", level("......\n......\nAA.xBB\n......\n......\n......\n", &plain)),
    ]
}

fn for_every_state(check: impl Fn(&str, &dyn Rules, &LevelMap, StateCode)) {
    for (name, level) in levels() {
        let map = level.rules.map(&MapOptions::default()).expect("a level within the limits");
        for node in 0..map.n_states() as u32 {
            check(name, &*level.rules, &map, map.code(node));
        }
    }
}

#[test]
fn states_survive_a_round_trip() {
    for_every_state(|name, rules, map, state| {
        let text = rules.format_state(state);
        assert_eq!(rules.parse_state(&text).as_ref(), Ok(&state), "{name}: {text}");
        assert!(map.node(state).is_some_and(|node| map.code(node) == state), "{name}: {text}");
    });
}

#[test]
fn legal_moves_are_distinct_playable_and_readable() {
    for_every_state(|name, rules, _, state| {
        let moves = rules.legal_moves(state);
        let notations: HashSet<&str> = moves.iter().map(|legal| legal.notation.as_str()).collect();
        assert_eq!(notations.len(), moves.len(), "{name}: two moves share a notation");
        for legal in &moves {
            assert_eq!(rules.play(state, &legal.notation).as_ref(), Ok(legal), "{name}: {}", legal.notation);
            assert_eq!(rules.move_between(state, legal.after).as_ref(), Some(legal), "{name}: {}", legal.notation);
            assert_ne!(legal.after, state, "{name}: {} moves nothing", legal.notation);
        }
    });
}

#[test]
fn moves_can_be_undone_where_the_game_says_so() {
    for_every_state(|name, rules, _, state| {
        for legal in rules.legal_moves(state).iter().filter(|_| rules.is_reversible()) {
            let back = rules.legal_moves(legal.after).into_iter().any(|other| other.after == state);
            assert!(back, "{name}: {} cannot be undone", legal.notation);
        }
    });
}

/// The arcs of the map are the legal moves, in their order.
#[test]
fn maps_hold_exactly_the_legal_moves() {
    for_every_state(|name, rules, map, state| {
        let node = map.node(state).expect("a state of the map");
        let arcs: Vec<StateCode> = map.graph.successors(node).iter().map(|&after| map.code(after)).collect();
        let moves: Vec<StateCode> = rules.legal_moves(state).into_iter().map(|legal| legal.after).collect();
        assert_eq!(arcs, moves, "{name}: {}", rules.format_state(state));
        assert_eq!(map.is_goal(node), rules.is_goal(state), "{name}");
    });
}

/// A breadth-first search from one state with nothing but the rules.
fn plain_distance(rules: &dyn Rules, start: StateCode) -> Option<u32> {
    let mut seen = HashMap::from([(start, 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        if rules.is_goal(state) {
            return Some(seen[&state]);
        }
        for legal in rules.legal_moves(state) {
            if !seen.contains_key(&legal.after) {
                seen.insert(legal.after, seen[&state] + 1);
                queue.push_back(legal.after);
            }
        }
    }
    None
}

#[test]
fn the_oracle_agrees_with_a_plain_search() {
    for (name, level) in levels() {
        let mapped = MappedLevel::new(level, "rush-hour", &MapOptions::default()).expect("a level within the limits");
        for node in (0..mapped.map.n_states() as u32).step_by(1 + mapped.map.n_states() / 40) {
            let state = mapped.map.code(node);
            let evaluation = mapped.oracle().evaluate(state).expect("a state of the map");
            assert_eq!(
                evaluation.value.map(|Distance(value)| value),
                plain_distance(&*mapped.rules, state),
                "{name}, state {node}"
            );
        }
    }
}

/// Neighbours differ by at most one move where every move can be undone; every solvable state that is
/// no goal has an optimal move; regrets are never negative.
#[test]
fn distances_are_consistent() {
    for (name, level) in levels() {
        let mapped = MappedLevel::new(level, "rush-hour", &MapOptions::default()).expect("a level within the limits");
        for node in 0..mapped.map.n_states() as u32 {
            let evaluation = mapped.oracle().evaluate(mapped.map.code(node)).expect("a state of the map");
            let solvable = evaluation.value.is_some() && !evaluation.is_goal;
            assert_eq!(evaluation.n_optimal() > 0, solvable, "{name}, state {node}");
            assert_eq!(
                evaluation.n_optimal(),
                mapped.distances.n_optimal(&mapped.map.graph, node),
                "{name}, state {node}"
            );
            for valued in &evaluation.moves {
                let (Some(Distance(before)), Some(Distance(after))) = (evaluation.value, valued.after) else {
                    continue;
                };
                assert!(!mapped.rules.is_reversible() || before.abs_diff(after) <= 1, "{name}, state {node}");
                assert!(valued.regret >= Some(0), "{name}, state {node}");
            }
        }
    }
}

/// petgraph, on its own graph built from the map and on the map itself, finds the same distances.
#[test]
fn petgraph_agrees() {
    for (name, level) in levels() {
        for expand_goals in [true, false] {
            let map =
                level.rules.map(&MapOptions { expand_goals, ..MapOptions::default() }).expect("within the limits");
            let distances = DistanceTable::new(&map);
            let mut backwards = map.to_petgraph();
            backwards.reverse();
            let hub = backwards.add_node(StateCode(u128::MAX));
            for goal in map.goals() {
                backwards.add_edge(hub, goal.into(), 0);
            }
            let found = petgraph::algo::dijkstra(&backwards, hub, None, |_| 1u32);
            for node in 0..map.n_states() as u32 {
                let expected =
                    found.get(&petgraph::graph::NodeIndex::from(node)).map(|&from_hub| Distance(from_hub - 1));
                assert_eq!(distances.get(node), expected, "{name}, state {node}");
            }
            let arcs = (&map.graph).edge_references().map(|arc| (arc.source(), arc.target()));
            let expected = (0..map.n_states() as u32)
                .flat_map(|node| map.graph.successors(node).iter().map(move |&after| (node, after)));
            assert!(arcs.eq(expected), "{name}: the arcs as petgraph sees them");
        }
    }
}

/// The number of shortest ways, counted backwards from the goals and forwards from the start.
#[test]
fn shortest_ways_are_counted_alike_in_both_directions() {
    for (name, level) in levels() {
        let mapped = MappedLevel::new(level, "rush-hour", &MapOptions::default()).expect("within the limits");
        assert_eq!(mapped.distances.n_shortest(&mapped.map.graph)[0], mapped.metrics.n_shortest, "{name}");
    }
}

/// Articulation points and bridges by their definition: take it away, and the graph falls apart.
#[test]
fn structure_agrees_with_its_definition() {
    for name in ["exit on the left", "wide board", "unsolvable"] {
        let (_, level) = levels().into_iter().find(|(other, _)| *other == name).expect("a level of that name");
        let mapped = MappedLevel::new(level, "rush-hour", &MapOptions::default()).expect("within the limits");
        let graph = &mapped.map.graph;
        let edges: Vec<(u32, u32)> = (0..graph.n_states() as u32)
            .flat_map(|node| graph.successors(node).iter().map(move |&after| (node, after)))
            .filter(|(node, after)| node < after)
            .collect();
        let n_parts = |without_node: Option<u32>, without_edge: Option<(u32, u32)>| {
            let kept = edges.iter().filter(|edge| Some(**edge) != without_edge);
            let kept = kept.filter(|edge| without_node.is_none_or(|node| edge.0 != node && edge.1 != node));
            let mut sets = petgraph::unionfind::UnionFind::<u32>::new(graph.n_states());
            kept.for_each(|&(one, other)| {
                sets.union(one, other);
            });
            let roots: HashSet<u32> = (0..graph.n_states() as u32)
                .filter(|&node| Some(node) != without_node)
                .map(|node| sets.find(node))
                .collect();
            roots.len()
        };
        let articulation = (0..graph.n_states() as u32).filter(|&node| n_parts(Some(node), None) > 1).count() as u64;
        let bridges = edges.iter().filter(|&&edge| n_parts(None, Some(edge)) > 1).count() as u64;
        assert_eq!(
            (mapped.structure.n_articulation_points, mapped.structure.n_bridges),
            (articulation, bridges),
            "{name}"
        );
    }
}
