#!/usr/bin/env bash
# The empirical distribution that plotly draws counts people without a time as slower than everyone; seen from above, with
# ecdfmode="reversed", it counts them as faster than everyone.
#
# Versions: plotly 7.1.0, seaborn 0.13.2, matplotlib 3.11.2, pandas 3.1.1, numpy 2.4.6.
# Input:    times of ten people in one condition (10, 20, …, 80, and two missing) and of ten in another (10, 20, …, 100).
# Guess:    missing values are left out, as in all other plots of plotly.express, and as seaborn does: each curve ends at 1.
# Seen:     px.ecdf divides by the number of rows: the curve of the first condition ends at .8, so that its median is 50 and
#           not 40; where people have no time because a file was lost, both conditions look the same up to 80. The share at or
#           above the smallest time, which is everybody, is .8 with ecdfmode="reversed", and the share above it is .9
#           with "complementary", where 7 of 8 have more. seaborn's curve ends at 1.
# So:       drop rows without a time before px.ecdf, unless they did not solve the puzzle; then say so, and do not use "reversed".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check plotly==7.1.0 seaborn==0.13.2 matplotlib==3.11.2 \
    pandas==3.1.1 numpy==2.4.6
MPLBACKEND=agg "$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pandas as pd
import plotly.express as px
import seaborn as sns

times = [10.0, 20, 30, 40, 50, 60, 70, 80, None, None, *range(10, 101, 10)]
table = pd.DataFrame({"time": times, "condition": ["lost"] * 10 + ["whole"] * 10})


def curve(trace):
    drawn = ~np.isnan(np.asarray(trace.x, float))
    return np.asarray(trace.x)[drawn], np.asarray(trace.y)[drawn]


found = {}
for mode in ("standard", "reversed", "complementary"):
    for trace in px.ecdf(table, x="time", color="condition", ecdfmode=mode).data:
        x, y = curve(trace)
        found[mode, trace.name] = (round(float(y[0]), 3), round(float(y[-1]), 3))
        print(f"plotly, {mode}, {trace.name}: {y[0]:.3f} at {x[0]:.0f}, {y[-1]:.3f} at {x[-1]:.0f}")
        if mode == "standard":
            median = float(x[np.argmax(y >= 0.5 - 1e-9)])
            found["median", trace.name] = median
            print(f"plotly: the curve of {trace.name} reaches one half at {median:.0f}")
lost = table[table["condition"] == "lost"]
known = lost["time"].dropna().to_numpy()
x, y = sns.ecdfplot(lost, x="time").lines[0].get_data()
by_seaborn = (float(y[-1]), float(x[np.argmax(y >= 0.5 - 1e-9)]))
print(f"seaborn: {by_seaborn[0]:.3f} at {x[-1]:.0f}; one half at {by_seaborn[1]:.0f}")
print(f"of the {len(known)} known: at or above 10 {np.mean(known >= 10):.3f}, above 10 {np.mean(known > 10):.3f}")
assert by_seaborn == (1.0, 40.0) and np.mean(known <= 40) == 0.5
assert found == {
    ("standard", "lost"): (0.1, 0.8), ("median", "lost"): 50.0,
    ("standard", "whole"): (0.1, 1.0), ("median", "whole"): 50.0,
    ("reversed", "lost"): (0.8, 0.1), ("reversed", "whole"): (1.0, 0.1),
    ("complementary", "lost"): (0.9, 0.2), ("complementary", "whole"): (0.9, 0.0),
}, f"it behaves otherwise now: {found}"
PYTHON
