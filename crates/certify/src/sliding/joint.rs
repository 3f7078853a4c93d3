//! The positions of one box from which a block in a row slides on into the next box.

use super::space::Space;

/// The positions that two neighbouring boxes share but for the block that slides from one to the other.
#[derive(Default)]
pub(super) struct Joint {
    /// Number of positions that stand side by side in both boxes: those of the first columns, whose ranks are the same.
    length: usize,
    /// The places in both boxes from which on they do.
    places: Vec<(u32, u32)>,
}

impl Joint {
    /// Makes it that of two boxes.
    pub(super) fn set(&mut self, space: &Space, one: usize, other: usize) {
        self.places.clear();
        self.places.push((0, 0));
        self.length = 1;
        let mut strides = (1, 1);
        for (before, after, is_same) in space.gaps_of_both(one, other) {
            let n = (before.ways.len() as u32, after.ways.len() as u32);
            if !is_same {
                let ranks = before.joint(after).ranks.iter();
                self.repeat(ranks.map(|&(one, other)| (u32::from(one) * strides.0, u32::from(other) * strides.1)));
            } else if strides == (self.length as u32, self.length as u32) && self.places.len() == 1 {
                self.length *= n.0 as usize;
            } else {
                self.repeat((0..n.0).map(|rank| (rank * strides.0, rank * strides.1)));
            }
            strides = (strides.0 * n.0, strides.1 * n.1);
        }
        if strides.0 == 0 || strides.1 == 0 {
            self.places.clear();
        }
    }

    /// Repeats the places so far with each of these steps; none are left without a step.
    fn repeat(&mut self, mut steps: impl Iterator<Item = (u32, u32)>) {
        let n = self.places.len();
        let Some(first) = steps.next() else {
            self.places.clear();
            return;
        };
        for (one, other) in steps {
            for place in 0..n {
                let at = self.places[place];
                self.places.push((at.0 + one, at.1 + other));
            }
        }
        self.places[..n].iter_mut().for_each(|at| *at = (at.0 + first.0, at.1 + first.1));
    }

    /// Passes on the least distances from the first box to the second, and that one position more was passed.
    pub(super) fn pass_on(&self, from: &(Vec<u8>, Vec<u8>), to: &mut (Vec<u8>, Vec<u8>)) {
        let ((from, n_from), (to, n_to)) = (from, to);
        for &(one, other) in &self.places {
            let (one, other) = (one as usize, other as usize);
            if self.length == 1 {
                lower(from[one], &mut to[other]);
                n_to[other] = n_from[one] + 1;
                continue;
            }
            let (one, other) = (one..one + self.length, other..other + self.length);
            to[other.clone()].iter_mut().zip(&from[one.clone()]).for_each(|(to, &from)| lower(from, to));
            n_to[other].iter_mut().zip(&n_from[one]).for_each(|(to, &from)| *to = from + 1);
        }
    }

    /// Passes on the least distances from the second box to the first.
    pub(super) fn pass_back(&self, from: &[u8], to: &mut [u8]) {
        for &(one, other) in &self.places {
            let (one, other) = (one as usize, other as usize);
            if self.length == 1 {
                lower(from[other], &mut to[one]);
                continue;
            }
            let (one, other) = (one..one + self.length, other..other + self.length);
            to[one].iter_mut().zip(&from[other]).for_each(|(to, &from)| lower(from, to));
        }
    }
}

/// Lowers a byte to another one.
#[inline]
pub(super) fn lower(distance: u8, least: &mut u8) {
    *least = distance.min(*least);
}
