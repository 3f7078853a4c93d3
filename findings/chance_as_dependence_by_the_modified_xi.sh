#!/usr/bin/env bash
# The test of Chatterjee's xi in xicorpy finds a dependence in up to half of all pairs of independent columns, the more often the
# longer they are.
#
# Versions: xicorpy 0.6, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    pairs of independent normal columns of 20, 50, 200 (1,000 each) and 1,000 rows (300);
#           compute_xi_correlation(get_p_values=True) as it is, with get_modified_xi=False, and scipy's chatterjeexi.
# Guess:    5 % are below .05, by each.
# Seen:     as it is (the modified xi of Lin and Han, which its page recommends): 24, 31, 43 and 44 %; with get_modified_xi=False,
#           and by scipy, about 5 %. The coefficient is right: its sd over the samples is what Lin and Han say for it,
#           √(2 / 5nm + 8m / 15n²). The test takes twice this variance for the variance times n: its z is √(n / 2) times too
#           large. Its page says that with ties the plain xi is taken, but a tie is only a row that is there twice: for a
#           column of times and one of solved or not, as independent, the mean xi is .26 and all are below .05.
# So:       get_modified_xi=False, or a permutation of one column for p.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check xicorpy==0.6 numpy==2.4.6 pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from scipy.stats import chatterjeexi, norm
from xicorpy import compute_xi_correlation


def modified(x, y, **words):
    xi, p = compute_xi_correlation(x.tolist(), y.tolist(), get_p_values=True, **words)
    return float(xi), float(p)


shares, solved = {}, []
for rows in (20, 50, 200, 1000):
    random = np.random.default_rng(1)
    m = min(int(rows**0.5), 10)
    said = (2 / (5 * rows * m) + 8 * m / (15 * rows**2)) ** 0.5
    found = []
    for _ in range(1000 if rows < 1000 else 300):
        x, y = random.normal(size=rows), random.normal(size=rows)
        xi, p = modified(x, y)
        plain = modified(x, y, get_modified_xi=False)
        found.append((xi, p, plain[1], chatterjeexi(x, y).pvalue, norm.sf(xi / said)))
        assert abs(norm.sf(xi / said * (rows / 2) ** 0.5) - p) < 1e-9, "it behaves otherwise now"
        if rows == 200:
            yes = (random.random(rows) < 0.5).astype(float)
            solved.append((*modified(x, yes), *modified(x, yes, get_modified_xi=False)))
    found = np.array(found)
    shares[rows] = (found[:, 1:] < 0.05).mean(axis=0)
    print("{} rows: p < .05 in {:.0%}; plain xi {:.0%}, scipy {:.0%}; of the modified xi by Lin and Han {:.0%}; ".format(
          rows, *shares[rows]) + f"sd {found[:, 0].std():.4f}, by Lin and Han {said:.4f}")
    assert 0.8 < found[:, 0].std() / said < 1.25
solved = np.array(solved)
of_solved = (solved[:, [1, 3]] < 0.05).mean(axis=0)
print(f"200 rows, solved or not: mean xi {solved[:, 0].mean():.3f}, p < .05 in {of_solved[0]:.0%}; plain xi "
      f"{solved[:, 2].mean():.3f}, {of_solved[1]:.0%}")
assert of_solved[1] < 0.09 and of_solved[0] > 0.9 and solved[:, 0].mean() > 0.15, "it behaves otherwise now"
assert all(row[1] < 0.09 and row[2] < 0.09 for row in shares.values())
assert shares[20][0] > 0.2 and shares[200][0] > 0.35 and shares[1000][0] > 0.35, "it behaves otherwise now"
PYTHON
