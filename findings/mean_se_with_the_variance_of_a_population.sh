#!/usr/bin/env bash
# The bars of one standard error that plotnine draws are too short, and have no length for a group of one, unlike its own
# intervals and those of ggplot2.
#
# Versions: plotnine 0.15.9, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1, matplotlib 3.11.2.
# Input:    times of four groups of 1, 2, 3 and 10 people; stat_summary with mean_se, mean_cl_normal and mean_sdl.
# Guess:    the half bar of mean_se is s / √n with s of n - 1, as in ggplot2, whose names and arguments these are; so it is
#           that of mean_cl_normal over the quantile of t, and for a group of one there is none.
# Seen:     mean_se divides the sum of squares by n: its bars are √(1 - 1/n) of the others, .707 for two people, .816 for three
#           and .949 for ten. One person has a bar from 5 to 5, as if known without error; mean_cl_normal and mean_sdl have
#           none there, and divide by n - 1.
# So:       with few people in a cell compute mean and se before the plot, or draw mean_cl_normal. Its source
#           was changed after this release.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check plotnine==0.15.9 numpy==2.4.6 pandas==2.3.3 \
    scipy==1.17.1 matplotlib==3.11.2
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pandas as pd
from plotnine import aes, ggplot, stat_summary
from scipy.stats import t

times = {1: [5], 2: [4, 9], 3: [2, 6, 7], 10: [3, 8, 4, 6, 11, 5, 7, 2, 9, 6]}
data = pd.DataFrame([(people, float(time)) for people, some in times.items() for time in some], columns=["people", "time"])


def half_bars(name, **settings):
    plot = ggplot(data, aes("people", "time")) + stat_summary(fun_data=name, fun_args=settings)
    plot._build()
    bars = plot.layers[0].data
    return (bars["ymax"] - bars["y"]).to_numpy()


se, interval, sd = half_bars("mean_se"), half_bars("mean_cl_normal"), half_bars("mean_sdl", mult=1)
n = np.array(list(times))
with np.errstate(invalid="ignore"):
    expected = interval / t.ppf(0.975, n - 1)
for people, one, other, deviation in zip(n, se, expected, sd):
    print(f"n = {people:2}: mean_se {one:.4f}, of mean_cl_normal {other:.4f}, sd / √n {deviation / people**0.5:.4f}")
assert np.allclose(expected[1:], sd[1:] / np.sqrt(n[1:])) and np.isnan(expected[0]) and np.isnan(sd[0])
assert se[0] == 0 and np.allclose(se[1:] / expected[1:], np.sqrt(1 - 1 / n[1:])), "it behaves otherwise now"
PYTHON
