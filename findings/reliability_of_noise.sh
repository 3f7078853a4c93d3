#!/usr/bin/env bash
# reliabiliPy finds a reliability of .8 in answers that have nothing to do with each other: from a table it takes the absolute
# values of the correlations.
#
# Versions: reliabiliPy 0.0.36, factor_analyzer 0.5.1, scikit-learn 1.5.2, numpy 1.26.4, pandas 2.2.3, scipy 1.13.1.
# Input:    20 independent normal measures of 30 people, 100 tables; and six measures of one trait, two of which count the other
#           way round. Each as a table (raw_dataset) and as its correlations (correlations_matrix).
# Guess:    alpha of the correlations, and the same by both ways; about 0 for noise, and below 0 for the second table until its two
#           measures are turned by hand, as in psych of R (which warns of them) and Pingouin.
# Seen:     the mean alpha of noise is .78 and the mean omega .80; from its correlations alpha is about 0, as by hand. The fewer
#           the people, the higher: 200 people, .55. The measures that count the other way make no difference: alpha is
#           .84 for the table and -.24 for its correlations.
# So:       give correlations_matrix=table.corr(). No value from a table can show that measures do not belong together.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check reliabiliPy==0.0.36 factor_analyzer==0.5.1 \
    scikit-learn==1.5.2 numpy==1.26.4 pandas==2.2.3 scipy==1.13.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pandas as pd
from reliabilipy import reliability_analysis


def both(table):
    of_table = reliability_analysis(raw_dataset=table.copy(), is_corr_matrix=False)
    of_correlations = reliability_analysis(correlations_matrix=table.corr())
    of_table.fit()
    of_correlations.fit()
    matrix = table.corr().to_numpy()
    measures = len(matrix)
    by_hand = measures / (measures - 1) * (1 - measures / matrix.sum())
    absolute = measures / (measures - 1) * (1 - measures / np.abs(matrix).sum())
    assert abs(of_correlations.alpha_cronbach - by_hand) < 1e-9
    return of_table.alpha_cronbach, of_table.omega_total, of_correlations.alpha_cronbach, absolute


found = {}
for people in (30, 200):
    tables = [pd.DataFrame(np.random.default_rng(seed).normal(size=(people, 20))) for seed in range(100)]
    rows = np.array([both(table) for table in tables])
    alpha, omega, other, absolute = rows.mean(axis=0)
    print(f"noise of {people} people: alpha {alpha:.2f} (from {rows[:, 0].min():.2f} to {rows[:, 0].max():.2f}), omega {omega:.2f}; "
          f"from correlations alpha {other:.2f}; alpha of their absolute values {absolute:.2f}")
    found[people] = alpha, omega
    assert abs(alpha - absolute) < 1e-9 and abs(other) < 0.2, "it behaves otherwise now"

random = np.random.default_rng(1)
trait = pd.DataFrame(random.normal(size=(200, 1)) + random.normal(size=(200, 6)))
turned = trait.assign(**{str(number): -trait[number] for number in (0, 1)}).drop(columns=[0, 1])
turned.columns = range(6)
as_is, with_turned = both(trait), both(turned)
print(f"one trait: alpha {as_is[0]:.2f}, from correlations {as_is[2]:.2f}; two measures turned: {with_turned[0]:.2f}, "
      f"{with_turned[2]:.2f}")
assert abs(as_is[0] - with_turned[0]) < 1e-9 and with_turned[2] < 0, "it behaves otherwise now"
assert found[30][0] > 0.7 and found[30][1] > 0.7 and found[200][0] > 0.4, "it behaves otherwise now"
PYTHON
