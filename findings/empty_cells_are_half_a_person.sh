#!/usr/bin/env bash
# An empty cell of a table counts as half a person in statsmodels unless it is told otherwise: a chi-square test of a table with
# some empty cells is hardly ever significant; and the table of the caller itself is changed, for those who use it after.
#
# Versions: statsmodels 0.15.0, numpy 2.4.6, scipy 1.17.1, pandas 2.3.3.
# Input:    tables of first moves by strategies, 300 each: 60 people in 6 × 8 cells, independent, or with every third person's
#           strategy fixed by the first move; Table(counts).test_nominal_association() as it is, with shift_zeros=False, and
#           scipy's chi2_contingency. Moves there and back, four pairs of 5 and 0: SquareTable(counts).symmetry(). And the
#           counts afterwards.
# Guess:    as scipy. If zeros are shifted, then as the text says: 0.5 is added to all cells, as StratifiedTable does. The counts
#           of the caller stay what they are.
# Seen:     independent: none of the 300 tests is significant, where scipy (and shift_zeros=False) has 3 %; the median of p is .98
#           instead of .48. With every third fixed 33 % are significant, 90 % by scipy. Only the empty cells get .5: 60 people
#           become 67. Symmetry: p is .0225 instead of .0028. An array of floats is changed in place: chi2_contingency gives .69
#           before Table has seen the counts and 1.00 after it; table_orig, "the original", is changed too. Whole numbers, as of
#           crosstab, are left alone.
# So:       shift_zeros=False, or scipy; give it a copy. A null result of a sparse table by the default is none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check statsmodels==0.15.0 numpy==2.4.6 scipy==1.17.1 pandas==2.3.3
"$folder/python/bin/python" - <<'PYTHON'
import numpy as np
from scipy.stats import chi2_contingency
from statsmodels.stats.contingency_tables import SquareTable, StratifiedTable, Table


def counts(seed, fixed):
    random = np.random.default_rng(seed)
    moves = random.integers(0, 6, 60)
    strategies = np.where(random.random(60) < fixed, moves, random.integers(0, 8, 60))
    table = np.zeros((6, 8))
    np.add.at(table, (moves, strategies), 1)
    return table[:, table.any(axis=0)]


def by_scipy(table):
    return chi2_contingency(table, correction=False).pvalue


found = {}
for fixed in (0, 1 / 3):
    tables = [counts(seed, fixed) for seed in range(300)]
    default = np.array([Table(table.copy()).test_nominal_association().pvalue for table in tables])
    unshifted = np.array([Table(table.copy(), shift_zeros=False).test_nominal_association().pvalue for table in tables])
    right = np.array([by_scipy(table) for table in tables])
    by_hand = [by_scipy(np.where(table == 0, 0.5, table)) for table in tables]
    assert np.allclose(unshifted, right) and np.allclose(default, by_hand)
    people = np.mean([Table(table.copy()).table.sum() for table in tables])
    found[fixed] = (float((default < 0.05).mean()), float((right < 0.05).mean()))
    print(
        f"fixed {fixed:.0%}: significant {found[fixed][0]:.0%}, by scipy {found[fixed][1]:.0%}; median p {np.median(default):.2f}"
        f" and {np.median(right):.2f}; {people:.0f} people instead of 60"
    )

there = np.zeros((4, 4))
there[[0, 0, 1, 2], [1, 2, 2, 3]] = 5
symmetry = [SquareTable(there.copy(), shift_zeros=shift).symmetry().pvalue for shift in (True, False)]
print(f"symmetry: p {symmetry[0]:.4f}, without the shift {symmetry[1]:.4f}")

mine = counts(0, 0)
before, empty = by_scipy(mine), int((mine == 0).sum())
table = Table(mine)
after = by_scipy(mine)
print(f"the same counts by scipy before Table(counts): p {before:.2f}, after: p {after:.2f}; {empty} cells were empty")
assert (mine == 0.5).sum() == empty and (table.table_orig == 0.5).sum() == empty, "the counts are left alone now"
whole = counts(0, 0).astype(int)
assert Table(whole).table.min() == 0.5 and whole.min() == 0, "whole numbers are changed too"
strata = StratifiedTable([np.array([[0.0, 10], [5, 5]])], shift_zeros=True).table[:, :, 0]
assert (strata == [[0.5, 10.5], [5.5, 5.5]]).all(), "StratifiedTable does not add to all cells"
assert found[0][0] < 0.01 and 0.02 < found[0][1] < 0.08 and found[1 / 3][0] < found[1 / 3][1] - 0.2, "it behaves otherwise now"
assert after > before + 0.1 and np.allclose(symmetry, [0.0225, 0.0028], atol=1e-4), "it behaves otherwise now"
PYTHON
