#!/usr/bin/env bash
# The rain of a raincloud plot by raincloudpy, its dots, lacks a quarter of 300 people, and those that are there are not at
# their values.
#
# Versions: raincloudpy 0.5.1, matplotlib 3.11.2, seaborn 0.13.2, numpy 2.4.6, pandas 3.1.1, scipy 1.17.1.
# Input:    times of 10, 30, 100 and 300 people, log-normal, one group each; raincloudplot with what it has by default, and with
#           y_threshold=0 and y_threshold=None.
# Guess:    one dot for each person, at the height of the time: the rain of a raincloud shows the raw data. y_threshold, which
#           puts dots side by side, rounds their heights at most.
# Seen:     27 dots of 30 people, 82 of 100 and 224 of 300. People within 5 % of the range become a row at their mean, and in a row
#           only the share is drawn that its density has of the highest: the farther from the mode, the more people are missing.
#           The mean of the dots is 19.7 where that of the 300 people is 22.6. With y_threshold=0 all dots are there, at their
#           heights; where two people have the same time, one of them may be missing. With None all are there.
# So:       y_threshold=None; nobody can read a number of people, or an outlier's value, from such a plot, which looks as others do.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check raincloudpy==0.5.1 matplotlib==3.11.2 seaborn==0.13.2 \
    numpy==2.4.6 pandas==3.1.1 scipy==1.17.1
MPLBACKEND=agg "$folder/python/bin/python" -W ignore - <<'PYTHON'
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from raincloudpy import raincloudplot


def rain(times, **settings):
    _, axes = plt.subplots()
    raincloudplot(data=pd.DataFrame({"group": "all", "time": times}), x="group", y="time", ax=axes, show_box=False,
                  show_violin=False, **settings)
    (dots,) = axes.collections
    plt.close()
    return np.sort(dots.get_offsets()[:, 1])


random = np.random.default_rng(1)
found = {}
for n in (10, 30, 100, 300):
    times = np.sort(np.exp(random.normal(3, 0.6, n)))
    dots = rain(times)
    at_value = np.isin(np.round(dots, 6), np.round(times, 6)).sum()
    found[n] = (len(dots), int(at_value), round(dots.mean(), 1), round(times.mean(), 1))
    print(f"{n} people: {len(dots)} dots, {at_value} at the value of somebody; mean {found[n][2]} instead of {found[n][3]}")
    assert np.array_equal(rain(times, y_threshold=None), times), "y_threshold=None behaves otherwise now"
    assert np.allclose(rain(times, y_threshold=0), times), "y_threshold=0 behaves otherwise now"
ties = np.array([10.0] * 8 + [30.0] * 3)
print(f"{len(ties)} people, some with the same time: {len(rain(ties, y_threshold=0))} dots with y_threshold=0")
assert len(rain(ties, y_threshold=0)) < len(ties), "ties behave otherwise now"
assert [found[n][0] for n in found] == [10, 27, 82, 224], f"it behaves otherwise now: {found}"
assert found[300][2:] == (19.7, 22.6), f"it behaves otherwise now: {found}"
PYTHON
