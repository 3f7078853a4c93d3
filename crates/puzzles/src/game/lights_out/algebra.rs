//! Linear algebra over GF(2): which presses turn off a set of lamps.
//!
//! A press is its own inverse and the order of presses does not matter, so a board is a system of linear
//! equations over the field of two elements: one unknown for each press, one equation for each lamp (Anderson
//! and Feil 1998). Sets of presses that change no lamp, the quiet patterns, are its null space; adding them to one
//! solution gives all others.

use super::bits::Bits;

/// The largest nullity for which the lightest solution is looked for: 2^26 solutions, about half a second for
/// each board.
pub const MAX_NULLITY: usize = 26;

/// The equations of a board, solved once for all sets of lit lamps.
#[derive(Clone, Debug)]
pub struct Algebra<B> {
    /// For each lamp, the presses that a solution gains when the lamp is lit.
    inverse: Vec<B>,
    /// A board has a solution exactly if it lights an even number of the lamps of each of these sets.
    checks: Vec<B>,
    /// A basis of the quiet patterns.
    quiet: Vec<B>,
}

/// The lightest of all solutions of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lightest<B> {
    /// Number of presses: the distance.
    pub weight: u32,
    /// Number of solutions with so few presses.
    pub n_solutions: u64,
    /// The presses of the first of them: of two, the one that has the first cell in which they differ.
    pub presses: B,
}

/// Presses in the lightest solutions of a board, and in those of one press more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightPresses<B> {
    /// Number of presses of the lightest solutions: the distance.
    pub weight: u32,
    /// The presses of all lightest solutions.
    pub lightest: B,
    /// The presses of all solutions of one press more.
    pub next: B,
}

impl<B: Bits> LightPresses<B> {
    /// The distance after a press. Its solutions are those of the board before it, each with this press added or
    /// taken away; so one of the lightest loses a press if it has this one, and otherwise one of the next may.
    pub fn weight_after(&self, press: usize) -> u32 {
        if self.lightest.contains(press) {
            self.weight - 1
        } else if self.next.contains(press) {
            self.weight
        } else {
            self.weight + 1
        }
    }
}

impl<B: Bits> Algebra<B> {
    /// Solves the equations by Gauss-Jordan elimination. `presses` gives the lamps that each press inverts; there
    /// are as many lamps as presses, at most `B::CAPACITY`.
    pub fn new(presses: &[B]) -> Self {
        let n_cells = presses.len();
        let mut equations: Vec<Equation<B>> = (0..n_cells).map(|lamp| Equation::of_lamp(lamp, presses)).collect();
        let mut pivots = Vec::new();
        for press in 0..n_cells {
            let row = pivots.len();
            let Some(with_press) = (row..n_cells).find(|&row| equations[row].presses.contains(press)) else { continue };
            equations.swap(row, with_press);
            let pivot = equations[row];
            let others = equations.iter_mut().enumerate().filter(|&(other, _)| other != row);
            // Rows above are cleared too (Jordan), so that a solution is read off without substitution.
            others.filter(|(_, other)| other.presses.contains(press)).for_each(|(_, other)| other.add(pivot));
            pivots.push(press);
        }
        // Each equation has carried along the lamps that were added to it: one elimination serves all sets of lit
        // lamps.
        let (solved, empty) = equations.split_at(pivots.len());
        let pivots_where = |holds: &dyn Fn(&Equation<B>) -> bool| {
            B::of_cells(solved.iter().zip(&pivots).filter(|(equation, _)| holds(equation)).map(|(_, &press)| press))
        };
        let quiet =
            |free: usize| pivots_where(&|equation: &Equation<B>| equation.presses.contains(free)).xor(B::single(free));
        Self {
            inverse: (0..n_cells).map(|lamp| pivots_where(&|equation| equation.lamps.contains(lamp))).collect(),
            checks: empty.iter().map(|equation| equation.lamps).collect(),
            quiet: (0..n_cells).filter(|press: &usize| pivots.binary_search(press).is_err()).map(quiet).collect(),
        }
    }

    /// Dimension of the null space: there are 2^nullity quiet patterns, and one board in 2^nullity has a solution.
    pub fn nullity(&self) -> usize {
        self.quiet.len()
    }

    /// A basis of the quiet patterns, the sets of presses that change no lamp.
    pub fn quiet_patterns(&self) -> &[B] {
        &self.quiet
    }

    /// `true` if some presses turn off these lamps.
    pub fn is_solvable(&self, lit: B) -> bool {
        !self.checks.iter().any(|check| check.is_odd_with(lit))
    }

    /// Some presses that turn off these lamps; absent if none do.
    pub fn solution(&self, lit: B) -> Option<B> {
        let presses = |lit: B| lit.cells().fold(B::EMPTY, |presses, lamp| presses.xor(self.inverse[lamp]));
        self.is_solvable(lit).then(|| presses(lit))
    }

    /// Number of presses of the lightest of all solutions that differ from this one by quiet patterns. The
    /// nullity must not exceed [`MAX_NULLITY`].
    pub fn least_weight(&self, solution: B) -> u32 {
        let mut least = u32::MAX;
        self.for_each_solution(solution, |presses| least = least.min(presses.count()));
        least
    }

    /// The lightest of all solutions that differ from this one by quiet patterns. The nullity must not exceed
    /// [`MAX_NULLITY`].
    pub fn lightest(&self, solution: B) -> Lightest<B> {
        let mut best = Lightest { weight: u32::MAX, n_solutions: 0, presses: solution };
        self.for_each_solution(solution, |presses| {
            let weight = presses.count();
            if weight < best.weight {
                best = Lightest { weight, n_solutions: 1, presses };
            } else if weight == best.weight {
                best.n_solutions += 1;
                if presses.precedes(best.presses) {
                    best.presses = presses;
                }
            }
        });
        best
    }

    /// The presses of the lightest and the next lighter of all solutions that differ from this one by quiet patterns.
    /// The nullity must not exceed [`MAX_NULLITY`].
    pub fn light_presses(&self, solution: B) -> LightPresses<B> {
        let mut light = LightPresses { weight: u32::MAX, lightest: B::EMPTY, next: B::EMPTY };
        self.for_each_solution(solution, |presses| {
            let weight = presses.count();
            if weight < light.weight {
                // What was lightest so far is heavier by one now, or plays no part any more.
                let next = if weight + 1 == light.weight { light.lightest } else { B::EMPTY };
                light = LightPresses { weight, lightest: presses, next };
            } else if weight == light.weight {
                light.lightest = light.lightest.or(presses);
            } else if weight == light.weight + 1 {
                light.next = light.next.or(presses);
            }
        });
        light
    }

    /// Visits the solution plus each quiet pattern, in the order of a Gray code: one addition for each.
    #[inline]
    fn for_each_solution(&self, solution: B, mut visit: impl FnMut(B)) {
        let mut presses = solution;
        visit(presses);
        for step in 1..1u64 << self.quiet.len() {
            presses = presses.xor(self.quiet[step.trailing_zeros() as usize]);
            visit(presses);
        }
    }
}

/// The presses of `presses` have to be odd in number exactly if the lit ones among `lamps` are.
#[derive(Clone, Copy)]
struct Equation<B> {
    presses: B,
    lamps: B,
}

impl<B: Bits> Equation<B> {
    fn of_lamp(lamp: usize, presses: &[B]) -> Self {
        let reaching = (0..presses.len()).filter(|&press| presses[press].contains(lamp));
        Self { presses: B::of_cells(reaching), lamps: B::single(lamp) }
    }

    fn add(&mut self, other: Self) {
        self.presses = self.presses.xor(other.presses);
        self.lamps = self.lamps.xor(other.lamps);
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::BitWords;
    use super::super::neighbourhood::Neighbourhood;
    use super::*;

    fn square<B: Bits>(side: usize, neighbourhood: &Neighbourhood) -> (Vec<B>, Algebra<B>) {
        let presses = neighbourhood.presses(side, side);
        let algebra = Algebra::new(&presses);
        (presses, algebra)
    }

    fn pressed<B: Bits>(lamps: &[B], presses: B) -> B {
        presses.cells().fold(B::EMPTY, |lit, press| lit.xor(lamps[press]))
    }

    #[test]
    fn nullity_of_square_boards_as_published() {
        // OEIS A159257.
        let published = [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0, 0, 4, 0, 8, 2, 0, 16, 0];
        for (side, nullity) in (1..).zip(published) {
            assert_eq!(square::<BitWords<16>>(side, &Neighbourhood::Plus).1.nullity(), nullity, "{side}x{side}");
        }
    }

    #[test]
    fn solutions_solve_and_quiet_patterns_change_nothing() {
        let asymmetric: Neighbourhood = "0,0 0,1 2,0 1,-1".parse().unwrap();
        for neighbourhood in [Neighbourhood::Plus, Neighbourhood::Torus, Neighbourhood::Moore, asymmetric] {
            for side in 1..=7 {
                let (lamps, algebra) = square::<u64>(side, &neighbourhood);
                for &quiet in algebra.quiet_patterns() {
                    assert!(pressed(&lamps, quiet).is_empty());
                }
                let mut n_solvable = 0;
                for seed in 1..200u64 {
                    let all = u64::MAX >> (64 - side * side);
                    let lit = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) & all;
                    let reached = pressed(&lamps, lit);
                    assert_eq!(algebra.solution(reached).map(|presses| pressed(&lamps, presses)), Some(reached));
                    if let Some(presses) = algebra.solution(lit) {
                        assert_eq!(pressed(&lamps, presses), lit);
                        n_solvable += 1;
                    }
                }
                assert!(algebra.nullity() > 0 || n_solvable == 199);
            }
        }
    }

    #[test]
    fn all_lamps_of_the_classic_board_take_fifteen_presses() {
        let (lamps, algebra) = square::<u64>(5, &Neighbourhood::Plus);
        let all = (1 << 25) - 1;
        let lightest = algebra.lightest(algebra.solution(all).unwrap());
        assert_eq!((lightest.weight, lightest.n_solutions), (15, 4));
        assert_eq!(pressed(&lamps, lightest.presses), all);
        assert_eq!(algebra.least_weight(algebra.solution(all).unwrap()), 15);
        assert!(!algebra.is_solvable(1));
    }

    #[test]
    fn one_walk_gives_the_distance_after_every_press() {
        // All quiet patterns of the first three have an even number of presses; in the last, presses at the right
        // edge change nothing.
        let beside: Neighbourhood = "0,1".parse().unwrap();
        let boards = [(4, Neighbourhood::Plus), (5, Neighbourhood::Plus), (6, Neighbourhood::Torus), (4, beside)];
        let mut n_cases = [0; 3];
        for (side, neighbourhood) in boards {
            let (lamps, algebra) = square::<u64>(side, &neighbourhood);
            for seed in 0..60u64 {
                let presses = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - side * side);
                let lit = pressed(&lamps, presses);
                let light = algebra.light_presses(algebra.solution(lit).unwrap());
                for (press, &inverted) in lamps.iter().enumerate() {
                    let after = algebra.least_weight(algebra.solution(lit.xor(inverted)).unwrap());
                    assert_eq!(light.weight_after(press), after, "{side}x{side}, {lit:b}, {press}");
                    n_cases[(after + 1 - light.weight) as usize] += 1;
                }
            }
        }
        assert!(n_cases.iter().all(|&count| count > 0), "nearer, as far and farther were all seen: {n_cases:?}");
    }
}
