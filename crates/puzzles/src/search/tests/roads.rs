//! A puzzle for tests: roads between towns, with a cost for each.

use super::*;
use crate::game::{MoveError, Picture, StateError, Unindexed};

/// Towns are numbers, and roads lead one way.
pub(super) struct Roads {
    /// Ends and costs of the roads, in order, by the town where it begins.
    pub roads: Vec<Vec<(u32, u32)>>,
    pub goals: Vec<u32>,
}

impl Roads {
    /// Roads such as `0-3>1`, from 0 to 1 at a cost of 3.
    pub fn new(text: &str, goals: &[u32]) -> Self {
        let mut roads = Vec::new();
        for road in text.split_whitespace() {
            let numbers: Vec<u32> = road.split(['-', '>']).map(|number| number.parse().unwrap()).collect();
            let [from, cost, to] = numbers[..] else { panic!("{road}") };
            roads.resize(roads.len().max(from.max(to) as usize + 1), Vec::new());
            roads[from as usize].push((to, cost));
        }
        roads.iter_mut().for_each(|roads| roads.sort_unstable());
        Self { roads, goals: goals.to_vec() }
    }

    /// The cost of the cheapest path from each town to a goal, by relaxing all roads again and again (Bellman 1958).
    pub fn costs(&self) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; self.roads.len()];
        self.goals.iter().for_each(|&goal| costs[goal as usize] = 0.0);
        for _ in 0..costs.len() {
            for (from, roads) in self.roads.iter().enumerate() {
                for &(to, cost) in roads {
                    costs[from] = costs[from].min(costs[to as usize] + f64::from(cost));
                }
            }
        }
        costs
    }

    /// Searches from town 0.
    pub fn search(&self, algorithm: Algorithm, heuristic: &dyn Fn(u32) -> f64, limits: &Limits) -> Found<u32> {
        let result = super::super::search(self, 0, algorithm, Some(heuristic), &[], limits, &Silent);
        if let Some(moves) = result.moves() {
            let mut town = 0;
            let mut cost = 0;
            for &to in moves {
                cost += self.roads[town as usize].iter().find(|road| road.0 == to).expect("a road").1;
                town = to;
            }
            assert!(self.goals.contains(&town));
            assert_eq!(result.cost, Some(cost));
        }
        result
    }
}

impl Puzzle for Roads {
    type State = u32;
    type Move = u32;
    type Index = Unindexed;

    const REVERSIBLE: bool = false;

    fn start(&self) -> u32 {
        0
    }

    fn is_goal(&self, town: u32) -> bool {
        self.goals.contains(&town)
    }

    fn legal_moves(&self, town: u32, moves: &mut Vec<u32>) {
        moves.extend(self.roads[town as usize].iter().map(|road| road.0));
    }

    fn play_unchecked(&self, _town: u32, to: u32) -> u32 {
        to
    }

    fn play(&self, _town: u32, to: u32) -> Result<u32, String> {
        Ok(to)
    }

    fn cost(&self, town: u32, to: u32) -> u32 {
        self.roads[town as usize].iter().find(|road| road.0 == to).map_or(0, |road| road.1)
    }

    fn code_bits(&self) -> u32 {
        // More than 64, so that the wide codes are used too.
        96
    }

    fn encode(&self, town: u32) -> u128 {
        u128::from(town) << 64
    }

    fn decode(&self, code: u128) -> u32 {
        (code >> 64) as u32
    }

    fn parse_state(&self, text: &str) -> Result<u32, StateError> {
        text.parse().map_err(|_| StateError { text: text.to_owned(), reason: "no number".to_owned() })
    }

    fn format_state(&self, town: u32) -> String {
        town.to_string()
    }

    fn parse_move(&self, _town: u32, text: &str) -> Result<u32, MoveError> {
        text.parse().map_err(|_| MoveError::Unreadable { text: text.to_owned(), expected: "a number".to_owned() })
    }

    fn move_between(&self, before: u32, after: u32) -> Option<u32> {
        self.roads[before as usize].iter().any(|road| road.0 == after).then_some(after)
    }

    fn format_move(&self, _town: u32, to: u32) -> String {
        to.to_string()
    }

    fn picture(&self, _town: u32) -> Picture {
        Picture::grid(1, 1)
    }
}
