#!/usr/bin/env bash
# The common language effect size that Pingouin gives beside the signed-rank test of pairs compares everybody with everybody: the
# pairs, which the test is about, do not count.
#
# Versions: pingouin 0.7.0, scipy 1.17.1, numpy 2.4.6.
# Input:    eight people, 1 to 8 in one condition and half a point less in the other.
# Guess:    the share of people who have more in the first condition: 1, as the rank-biserial correlation beside it is 1.
# Seen:     W 0 and a rank-biserial correlation of 1, and CLES 0.5625: of the 64 ways to take one value from each condition, 36
#           have more in the first. With the second condition put in another order of people the test changes (p from 0.0078 to
#           0.84), and CLES stays 0.5625.
# So:       report for pairs the share of positive differences (with half of those that are zero), which is not in the table; the
#           column CLES is that of two independent groups.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pingouin==0.7.0 scipy==1.17.1 numpy==2.4.6
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pingouin

first = np.arange(1.0, 9.0)
second = first - 0.5
found = {}
for name, paired_with in (("each below their own", second), ("turned around", second[::-1])):
    row = pingouin.wilcoxon(first, paired_with).iloc[0]
    share = np.mean(first > paired_with)
    found[name] = (round(row["p_val"], 4), round(row["RBC"], 3), row["CLES"], share)
    print(f"{name}: p {row['p_val']:.4f}, RBC {row['RBC']:.3f}, CLES {row['CLES']}; share of people with more in the first {share}")
of_all = (first[:, None] > second).mean() + (first[:, None] == second).mean() / 2
print(f"all 64 ways to take one of each: {of_all}")
together, apart = found["each below their own"], found["turned around"]
assert together[0] == 0.0078 and together[1:] == (1.0, 0.5625, 1.0) and of_all == 0.5625, "it behaves otherwise now"
assert apart[0] > 0.7 and apart[2] == 0.5625 and apart[3] == 0.5, "the order of people counts now"
PYTHON
