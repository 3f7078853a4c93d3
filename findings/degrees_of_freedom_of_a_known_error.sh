#!/usr/bin/env bash
# The degrees of freedom by Satterthwaite that interlace-lme gives are those for a known error variance: the p of a comparison
# within people is too small, and there can be more degrees of freedom than rows.
#
# Versions: interlace-lme 0.3.2, mixedlm 1.3.0, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    6 people with a value in each of two conditions, y ~ condition with a random intercept of people; 12 people at 8
#           levels with a predictor x that varies within people; and 200 studies of 6 people without an effect.
# Guess:    for complete pairs the mixed model is the paired t test: 5 degrees of freedom. The package has it by default
#           ("satterthwaite"), and names lmerTest as its source.
# Seen:     t is that of the paired test, but with 10 degrees of freedom (always twice the right number): p = .0003 in place of
#           .0027. For x it says 879 for 96 rows, where mixedlm says 85. Its formula takes the variance of a coefficient as a
#           function of the variance of people relative to the error alone, so that the error counts as known. With
#           df_method="kenward-roger" all are right. Without an effect more than the promised 5 % are significant.
# So:       name df_method="kenward-roger" in every fit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export MPLCONFIGDIR="$folder"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check interlace-lme==0.3.2 mixedlm==1.3.0 numpy==2.4.6 \
    pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import interlace
import mixedlm
import numpy as np
import pandas as pd
from scipy.stats import t, ttest_rel


def pairs(seed, effect, people=6):
    random = np.random.default_rng(seed)
    times = random.normal(size=(people, 2)) + 2 * random.normal(size=(people, 1)) + [0, effect]
    names = [f"p{number}" for number in range(people)]
    table = pd.DataFrame({"y": times.ravel(), "condition": ["a", "b"] * people, "person": np.repeat(names, 2)})
    return table, ttest_rel(times[:, 1], times[:, 0])


def by_interlace(table, predictor, method):
    words = {"df_method": method} if method else {}
    fit = interlace.fit(f"y ~ {predictor}", table, groups="person", **words)
    return float(fit.fe_tvalues.iloc[1]), float(fit.fe_df.iloc[1]), float(fit.fe_pvalues.iloc[1])


def by_mixedlm(table, predictor):
    return float(mixedlm.satterthwaite_df(mixedlm.lmer(f"y ~ {predictor} + (1 | person)", table)).df[1])


table, test = pairs(4, 1.5)
found = by_interlace(table, "condition", None)
other = by_interlace(table, "condition", "kenward-roger")
print(f"paired t test: t {test.statistic:.3f}, 5 degrees of freedom, p {test.pvalue:.5f}; by mixedlm "
      f"{by_mixedlm(table, 'condition'):.1f} degrees of freedom")
print("interlace: t {:.3f}, {:.1f} degrees of freedom, p {:.5f}".format(*found))
print("interlace, Kenward and Roger: t {:.3f}, {:.1f} degrees of freedom, p {:.5f}".format(*other))
assert abs(found[0] - test.statistic) < 0.01 and abs(other[1] - 5) < 0.01 and abs(by_mixedlm(table, "condition") - 5) < 0.01

random = np.random.default_rng(1)
long = pd.DataFrame({"person": np.repeat([f"p{number:02}" for number in range(12)], 8), "x": random.normal(size=96)})
long["y"] = long["x"] / 2 + np.repeat(random.normal(size=12), 8) + random.normal(size=96)
within = by_interlace(long, "x", None)[1]
print(f"x within 12 people, 96 rows: interlace {within:.0f}, mixedlm {by_mixedlm(long, 'x'):.1f}")
assert 80 < by_mixedlm(long, "x") < 94

significant = right = 0
for seed in range(200):
    null, of_pairs = pairs(seed, 0)
    significant += by_interlace(null, "condition", None)[2] < 0.05
    right += of_pairs.pvalue < 0.05
print(f"no effect: {significant} of 200 studies significant, by the paired test {right}; expected by 10 in place of 5 degrees of "
      f"freedom: {200 * 2 * t.sf(t.ppf(0.975, 10), 5):.0f}")
assert abs(found[1] - 10) < 0.1 and within > 96 and significant > right, "it behaves otherwise now"
PYTHON
