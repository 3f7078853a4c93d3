#!/usr/bin/env bash
# In the cumulative shares and quantile groups of Vega-Lite (and Altair) and Arquero, people who tie for the smallest value do
# not stay together: the one whose row comes first has a share of 1/n.
#
# Versions: vega 6.4.0, vega-lite 6.4.3, arquero 8.0.1 (npm); pandas 3.1.1, numpy 2.4.6 (PyPI).
# Input:    hints that ten people took: six took none, four took 1, 1, 2 and 5. The window functions cume_dist and ntile(2),
#           ordered by hints, in Vega-Lite and in Arquero; then the same people in the reverse order.
# Guess:    cume_dist is the share of people with at most as many hints, as in SQL, .6 for each of the six, and they are in
#           one half together; the order of the rows does not matter. (ntile of SQL may divide a tie, as it counts rows.)
# Seen:     both packages say .1 for the first of the six and .6 for the other five; ties above the smallest are right. ntile is
#           made of that share, so that one of six equal people is in the lower half and five are in the upper: with the rows
#           reversed it is another one. rank and percent_rank are the same for all six.
# So:       compute shares before the chart, or as (rank - 1 + ties) / n; make no groups by ntile where the smallest value is
#           common (no hints, no errors, the fewest moves).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 numpy==2.4.6
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error vega@6.4.0 vega-lite@6.4.3 arquero@8.0.1 >npm.log
cat >shares.mjs <<'JAVASCRIPT'
import * as arquero from 'arquero';
import * as vega from 'vega';
import * as vegaLite from 'vega-lite';

const people = [0, 1, 0, 2, 0, 0, 1, 0, 5, 0].map((hints, person) => ({person, hints}));
const result = {people};
for (const [order, values] of [['as it is', people], ['reversed', people.toReversed()]]) {
  const window = [
    {op: 'cume_dist', as: 'share'}, {op: 'ntile', param: 2, as: 'half'}, {op: 'percent_rank', as: 'rank'},
  ];
  const chart = {data: {values}, transform: [{window, sort: [{field: 'hints'}]}], mark: 'point', encoding: {}};
  const view = new vega.View(vega.parse(vegaLite.compile(chart).spec), {renderer: 'none'});
  await view.runAsync();
  const {cume_dist: share, ntile: half, percent_rank: rank} = arquero.op;
  const table = arquero.from(values).orderby('hints').derive({share: share(), half: half(2), rank: rank()});
  for (const [name, rows] of [['Vega-Lite', view.data('data_0')], ['Arquero', table.objects()]]) {
    const sorted = rows.map((row) => ({...row})).sort((a, b) => a.person - b.person);
    result[`${name}, ${order}`] = sorted.map(({share, half, rank}) => [share, half, rank]);
  }
}
console.log(JSON.stringify(result));
JAVASCRIPT
node shares.mjs >shares.json
"$folder/python/bin/python" - <<'PYTHON'
import json

import pandas as pd

with open("shares.json") as file:
    read = json.load(file)
hints = pd.Series([person["hints"] for person in read.pop("people")])
right = hints.rank(method="max", pct=True).round(3).tolist()
none = hints.index[hints == 0].tolist()
print(f"persons without hints: {none}; share of people with at most as many: {right}")
found = {}
for name, rows in read.items():
    shares = [round(row[0], 3) for row in rows]
    lower = [person for person, row in enumerate(rows) if row[1] == 1]
    apart = [person for person in hints.index if shares[person] != right[person]]
    assert len({row[2] for person, row in enumerate(rows) if person in none}) == 1
    found[name] = (apart, [shares[person] for person in apart], lower)
    print(f"{name}: other shares for persons {apart}: {found[name][1]}; in the lower half: {lower}")
first, last = none[0], none[-1]
assert found == {
    f"{name}, {order}": ([person], [0.1], [person])
    for name in ("Vega-Lite", "Arquero") for order, person in (("as it is", first), ("reversed", last))
}, f"it behaves otherwise now: {found}"
PYTHON
