#!/usr/bin/env bash
# Optimal matching of sequences of different lengths in sequenzo counts each step that one has more twice, however the shorter
# one is filled up.
#
# Versions: sequenzo 0.1.42, rapidfuzz 3.14.6, numpy 2.4.6, pandas 3.1.1.
# Input:    three solutions, AB, ABCD and ABCDABCD, in a table with a column for each step; OM with indel 1 and substitutions
#           of 2. The rest of a shorter one is missing (NaN); or NaN is one of the states; or the rest is "%", the symbol for
#           steps outside of what was observed, which is named among the states as the package asks for.
# Guess:    the package follows TraMineR, which takes what is missing at the end as the end: 2, 4 and 6, as insertions alone,
#           and at least for "%". It does report lengths from 2 to 8.
# Seen:     4, 8 and 12 in all three ways: the filling is a state like others, so that a step that one has more costs a deletion
#           of it and an insertion of the filling. ABCD is as far from AB as AB from CD. The method "LCS" does the same.
#           rapidfuzz, with the same costs (Indel), says 2, 4 and 6.
# So:       by these distances solutions form clusters of lengths rather than of moves: for lists of different lengths take a
#           distance of lists.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export MPLCONFIGDIR="$folder"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check sequenzo==0.1.42 rapidfuzz==3.14.6 numpy==2.4.6 \
    pandas==3.1.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import contextlib
import io

import numpy as np
import pandas as pd
from rapidfuzz.distance import Indel
from sequenzo import SequenceData, get_distance_matrix

solutions = ["AB", "ABCD", "ABCDABCD", "CD"]
pairs = [(0, 1), (1, 2), (0, 2), (0, 3)]
steps = [str(step) for step in range(1, 9)]


def distances(filling, states, **settings):
    rows = [[*solution] + [filling] * (8 - len(solution)) for solution in solutions]
    data = pd.DataFrame(rows, columns=steps).assign(id=range(len(rows)))
    with contextlib.redirect_stdout(io.StringIO()) as said:
        sequences = SequenceData(data, time=steps, states=states, id_col="id")
        matrix = np.asarray(get_distance_matrix(sequences, **settings))
    length = next(line.split(": ")[1] for line in said.getvalue().splitlines() if "sequence length" in line)
    return [float(matrix[pair]) for pair in pairs], length


matching = dict(method="OM", sm="CONSTANT", indel=1)
found = {
    "missing": distances(np.nan, [*"ABCD"], **matching),
    "missing, a state": distances(np.nan, [*"ABCD", np.nan], **matching),
    "outside": distances("%", [*"ABCD", "%"], **matching),
    "missing, by LCS": distances(np.nan, [*"ABCD"], method="LCS"),
}
of_lists = [Indel.distance(solutions[i], solutions[j]) for i, j in pairs]
print(", ".join(f"{solutions[i]}-{solutions[j]}" for i, j in pairs))
for name, (values, length) in found.items():
    print(f"sequenzo, {name}: {values} (lengths {length})")
print(f"rapidfuzz: {of_lists}")
assert of_lists == [2, 4, 6, 4]
assert [values for values, _ in found.values()] == [[4, 8, 12, 4]] * 4, "it behaves otherwise now"
assert found["missing"][1] == "2 / 8", "it reports other lengths now"
PYTHON
