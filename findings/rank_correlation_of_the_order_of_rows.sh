#!/usr/bin/env bash
# The rank correlation in permute correlates no ranks, but the row numbers of the sorted values: of a perfect relation it can be 0,
# and its test finds a correlation of .6 as seldom as chance.
#
# Versions: permute 0.2, cryptorandom 0.4, numpy 2.4.6, scipy 1.17.1.
# Input:    50 people with a number of moves without ties, and a time that grows or falls with it without exception, the rows in a
#           drawn order, and sorted by the number of moves. Then 100 studies of 20 people with a correlation of .6 (normal,
#           seed 1), by spearman_corr with 400 permutations, two-sided, and by scipy.
# Guess:    rho is that of scipy, and p is its p up to the permutations: the function is Pearson's correlation of ranks.
# Seen:     for a perfect relation 1, in both orders of rows; for a perfect opposite one -1 where the rows are sorted, and .02
#           where they are not. In the studies p is below .05 in 8 of 100, by scipy in 68; the coefficients of the two differ
#           by .52 on average. What is correlated is argsort, the inverse of the ranks.
# Known:    issue 191 of permute (2021) has it; PyPI has had no version since.
# So:       give ranks to permute.core.corr (scipy.stats.rankdata), which has midranks for ties as well.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check permute==0.2 cryptorandom==0.4 numpy==2.4.6 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from permute.core import corr, spearman_corr
from scipy.stats import rankdata, spearmanr

draw = np.random.default_rng(1)
moves = draw.permutation(np.arange(10.0, 60.0))
here = lambda x, y, reps=1: spearman_corr(x, y, alternative="two-sided", reps=reps, seed=1)[:2]
perfect = {}
for order, x in (("drawn", moves), ("sorted", np.sort(moves))):
    for relation, y in (("together", np.exp(x / 20)), ("opposite", np.exp(-x / 20))):
        perfect[order, relation] = round(float(here(x, y)[0]), 2)
        print(f"{relation}, rows {order}: permute {perfect[order, relation]}, scipy {spearmanr(x, y)[0]:.2f}")

significant, apart, ranked = np.zeros(3), [], []
for study in range(100):
    x = draw.normal(size=20)
    y = 0.6 * x + 0.8 * draw.normal(size=20)
    rho, p = here(x, y, 400)
    right = spearmanr(x, y)
    of_ranks = corr(rankdata(x), rankdata(y), alternative="two-sided", reps=400, seed=1)
    significant += np.array([p, right.pvalue, of_ranks[1]]) < 0.05
    apart.append(abs(rho - right.statistic))
    ranked.append(abs(of_ranks[0] - right.statistic))
print("studies of 100 below .05: permute {:.0f}, scipy {:.0f}, corr of ranks {:.0f}".format(*significant))
print(f"coefficients differ by {np.mean(apart):.2f} on average, those of corr of ranks by {np.max(ranked):.1e} at most")
assert (significant[1:] > 60).all() and np.max(ranked) < 1e-9
assert perfect["drawn", "together"] == perfect["sorted", "together"] == 1 and perfect["sorted", "opposite"] == -1
assert abs(perfect["drawn", "opposite"]) < 0.2 and significant[0] < 15 and np.mean(apart) > 0.4, "it behaves otherwise now"
PYTHON
