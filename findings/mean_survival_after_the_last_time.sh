#!/usr/bin/env bash
# A restricted mean survival time of lifelines goes on for any length after the last observation.
#
# Versions: lifelines 0.30.3, numpy 2.4.6, pandas 2.3.3, scipy 1.17.1.
# Input:    two events at 1 and 2, two people censored at 3 and 4.
# Guess:    asked for the mean up to 100, when nobody was seen after 4, it refuses (as survRM2 of R does), or ends at 4.
# Seen:     the curve is taken to stay where it is: the mean is 2.75 up to 4 and 50.75 up to 100, with nothing said. Half of
#           all people are then counted as unsolved for 96 seconds in which nobody was observed.
# So:       restrict to a time at which somebody is still at risk in each group.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check lifelines==0.30.3 numpy==2.4.6 pandas==2.3.3 scipy==1.17.1
"$folder/python/bin/python" - <<'PYTHON'
import warnings

from lifelines import KaplanMeierFitter
from lifelines.utils import restricted_mean_survival_time

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    curve = KaplanMeierFitter().fit([1, 2, 3, 4], [1, 1, 0, 0])
    caught.clear()
    found = {limit: float(restricted_mean_survival_time(curve, t=limit)) for limit in (3, 4, 100)}
print(found, [str(warning.message) for warning in caught])
assert found == {3: 2.25, 4: 2.75, 100: 50.75} and not caught, "it behaves otherwise now"
PYTHON
