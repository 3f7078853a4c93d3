//! Weights of the fixed effects whose sums are means of labels, and hypotheses about terms.

use std::collections::BTreeSet;

use super::design::{Plan, Term};
use crate::not_estimable::NotEstimable;
use crate::stats::mixed::effects::undefined;

/// More combinations of labels than this are not averaged over.
const MOST_CELLS: usize = 10_000;

impl Plan {
    /// Returns the weights of the estimated marginal mean of each label of a category.
    pub(super) fn marginal_rows(&self, category: &str) -> Result<Vec<(String, Vec<f64>)>, NotEstimable> {
        let place = self.axes.iter().position(|axis| axis.name == category && !axis.labels.is_empty());
        let place = place.ok_or_else(|| undefined(format!("the design has no category {category}")))?;
        let cells = self.cells(0..self.axes.len())?;
        let axis = &self.axes[place];
        let row = |(label, name): (usize, &String)| {
            let cells_of_label: Vec<&Vec<usize>> = cells.iter().filter(|cell| cell[place] == label).collect();
            let rows: Vec<Vec<f64>> = cells_of_label.iter().map(|cell| self.row(cell)).collect();
            let weights = (0..self.columns.len())
                .map(|column| rows.iter().map(|row| row[column]).sum::<f64>() / rows.len() as f64)
                .collect();
            (name.clone(), weights)
        };
        Ok(axis.labels.iter().enumerate().map(row).collect())
    }

    /// The contrasts that are all 0 where a term has no effect.
    ///
    /// The columns that share the numbers of the term say how the slope in these numbers depends on the categories. The
    /// hypothesis is about that slope at each combination of the term's own categories, averaged over the labels of the
    /// others: that no difference of differences remains.
    pub(super) fn hypothesis(&self, term: &str) -> Result<Vec<Vec<f64>>, NotEstimable> {
        let known_term = self.terms.iter().find(|known| known.name == term);
        let tested = known_term.ok_or_else(|| undefined(format!("the design has no term {term}")))?;
        let codes_all = |column: usize| self.columns[column].iter().any(|&(_, label)| label == Some(0));
        if tested.columns.clone().any(codes_all) {
            let unit =
                |index: usize| (0..self.columns.len()).map(|column| f64::from(u8::from(index == column))).collect();
            return Ok(tested.columns.clone().map(unit).collect());
        }
        let is_category = |place: &usize| !self.axes[*place].labels.is_empty();
        let categories: Vec<usize> = tested.variables.iter().copied().filter(is_category).collect();
        let numbers = |term: &Term| -> BTreeSet<usize> {
            term.variables.iter().copied().filter(|place| !is_category(place)).collect()
        };
        let of_interest: Vec<&Term> = self.terms.iter().filter(|other| numbers(other) == numbers(tested)).collect();
        let involved = of_interest.iter().flat_map(|term| &term.variables);
        let involved: BTreeSet<usize> = involved.copied().filter(is_category).collect();
        let cells = self.cells(involved.iter().copied())?;
        let columns: Vec<usize> = of_interest.iter().flat_map(|term| term.columns.clone()).collect();
        // One contrast for each combination of labels but the first of each category: the product of differences from it.
        let mut contrasts = vec![Vec::new()];
        for &category in &categories {
            let labels = 1..self.axes[category].labels.len();
            contrasts = contrasts
                .iter()
                .flat_map(|cell: &Vec<usize>| labels.clone().map(move |label| [cell.as_slice(), &[label]].concat()))
                .collect();
        }
        let row = |wanted: &Vec<usize>| {
            let mut weights = vec![0.0; self.columns.len()];
            for cell in &cells {
                let sign = |(&category, &label): (&usize, &usize)| match cell[category] {
                    0 => -1.0,
                    code if code == label => 1.0,
                    _ => 0.0,
                };
                let sign: f64 = categories.iter().zip(wanted).map(sign).product();
                for &column in columns.iter().filter(|_| sign != 0.0) {
                    let is_on =
                        |&(place, label): &(usize, Option<usize>)| label.is_none_or(|label| cell[place] == label);
                    weights[column] += if self.columns[column].iter().all(is_on) { sign } else { 0.0 };
                }
            }
            let n_averaged: usize = involved
                .iter()
                .filter(|place| !categories.contains(place))
                .map(|&place| self.axes[place].labels.len())
                .product();
            weights.iter().map(|weight| weight / n_averaged as f64).collect()
        };
        Ok(contrasts.iter().map(row).collect())
    }

    /// All combinations of labels of these categories; other places hold 0.
    fn cells(&self, places: impl Iterator<Item = usize>) -> Result<Vec<Vec<usize>>, NotEstimable> {
        let mut cells = vec![vec![0; self.axes.len()]];
        for place in places {
            let n = self.axes[place].labels.len().max(1);
            if cells.len() * n > MOST_CELLS {
                return Err(undefined(format!("the categories have more than {MOST_CELLS} combinations of labels")));
            }
            let with = |cell: &Vec<usize>, label: usize| {
                let mut cell = cell.clone();
                cell[place] = label;
                cell
            };
            cells = cells.iter().flat_map(|cell| (0..n).map(move |label| with(cell, label))).collect();
        }
        Ok(cells)
    }
}
