#!/usr/bin/env bash
# Marginal means and pairs of mixedlm test with the rows less the coefficients as degrees of freedom, whoever the rows are from;
# the summary of the same fit has those of Satterthwaite.
#
# Versions: mixedlm 1.3.0, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    8 people, 4 trained and 4 not, with 25 times each: y ~ training + (1 | person). And the same with 6 people in each of
#           two conditions, once each.
# Guess:    pairs(emmeans(fit)) has for two groups the p of the summary; both follow lme4 and emmeans of R by name and form, and
#           these have 6 degrees of freedom for 8 people, and 5 for 6 pairs.
# Seen:     the summary has 6 and 5, the pairs have 198 and 10, with the same t: p is .0123 and .0005, .0126 and .0035. With
#           t = 2.1 for the 8 people it is .08 or .04. The intervals of the means are of the same kind. There is no argument for
#           it.
# So:       read comparisons from the summary (choose the reference level), or compute p from t with the degrees of freedom of
#           satterthwaite_df.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export MPLCONFIGDIR="$folder"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check mixedlm==1.3.0 numpy==2.4.6 pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import mixedlm
import numpy as np
import pandas as pd
from scipy.stats import ttest_ind, ttest_rel


def compare(title, table, factor, exact, free):
    fit = mixedlm.lmer(f"y ~ {factor} + (1 | person)", table)
    row = fit.tidy(effects="fixed").iloc[1]
    means = mixedlm.emmeans(fit, factor)
    pairs = means.pairs()
    summary = float(mixedlm.satterthwaite_df(fit).df[1])
    p, t = float(np.ravel(pairs.p_value)[0]), abs(float(np.ravel(pairs.t_ratio)[0]))
    print(f"{title}: t {abs(exact.statistic):.3f}, p {exact.pvalue:.4f}, {free} degrees of freedom, by the t test of people")
    print(f"    summary t {abs(row['statistic']):.3f}, p {row['p.value'] if 'p.value' in row else row['p_value']:.4f}, "
          f"{summary:.1f} degrees of freedom; pairs t {t:.3f}, p {p:.4f}, {pairs.df:.1f}")
    assert abs(t - abs(exact.statistic)) < 0.01 and abs(summary - free) < 0.01
    return pairs.df, p, exact.pvalue


random = np.random.default_rng(4)
person = np.repeat(np.arange(8), 25)
trained = np.where(person % 2, "yes", "no")
y = 2 * (person % 2) + random.normal(size=8)[person] + random.normal(size=200)
groups = pd.DataFrame({"y": y, "training": trained, "person": [f"p{number}" for number in person]})
means = groups.groupby(["person", "training"])["y"].mean().reset_index()
halves = [means["y"][means["training"] == some] for some in ("yes", "no")]
between = compare("two groups", groups, "training", ttest_ind(*halves), 6)

times = random.normal(size=(6, 2)) + 2 * random.normal(size=(6, 1)) + [0, 1]
names = np.repeat([f"p{number}" for number in range(6)], 2)
paired = pd.DataFrame({"y": times.ravel(), "condition": ["a", "b"] * 6, "person": names})
within = compare("pairs", paired, "condition", ttest_rel(times[:, 1], times[:, 0]), 5)
assert (between[0], within[0]) == (198, 10) and between[1] < between[2] and within[1] < within[2], "it behaves otherwise now"
PYTHON
