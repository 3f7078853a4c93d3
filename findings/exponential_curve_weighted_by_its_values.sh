#!/usr/bin/env bash
# The exponential curve that Vega-Lite (and Altair) fits is neither least squares of the values nor of their logarithms: each
# point is weighted by its value. The power curve beside it is not weighted.
#
# Versions: vega 6.4.0, vega-lite 6.4.3, echarts-stat 1.2.0 (npm); numpy 2.4.6, scipy 1.17.1 (PyPI).
# Input:    mean times of eight blocks of practice: 100, 60, 40, 30, 20, 15, 9 and 8 seconds after 1, 2, 3, 4, 6, 8, 12 and 16
#           puzzles; the regression transform with method "exp" and "pow", and regression("exponential") of echarts-stat.
# Guess:    a straight line through the logarithms, as in a spreadsheet's trend line (a rate of .160 for each puzzle), or
#           nonlinear least squares (.370).
# Seen:     .205 in both packages: the line through the logarithms with weights that are the times themselves, as numpy
#           confirms. "pow" is the line through the logarithms without weights (exponent -.957), but its rSquared is of the
#           times, .985, not of the line, .994: a comparison of the two laws by their curves has two yardsticks.
# So:       fit learning curves elsewhere, and draw the result as a line; name the estimator in the paper.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error vega@6.4.0 vega-lite@6.4.3 echarts-stat@1.2.0 >npm.log
cat >fit.mjs <<'JAVASCRIPT'
import ecStat from 'echarts-stat';
import * as vega from 'vega';
import * as vegaLite from 'vega-lite';

const after = [1, 2, 3, 4, 6, 8, 12, 16];
const times = [100, 60, 40, 30, 20, 15, 9, 8];
const values = after.map((n, i) => ({n, time: times[i]}));
const fits = {};
for (const method of ['exp', 'pow']) {
  const transform = [{regression: 'time', on: 'n', method, params: true}];
  const chart = {data: {values}, transform, mark: 'point', encoding: {}};
  const view = new vega.View(vega.parse(vegaLite.compile(chart).spec), {renderer: 'none'});
  await view.runAsync();
  const {coef, rSquared} = view.data('data_0')[0];
  fits[method] = [...coef, rSquared];
}
const {coefficient, index} = ecStat.regression('exponential', values.map(({n, time}) => [n, time])).parameter;
fits.echarts = [coefficient, index];
console.log(JSON.stringify({after, times, fits}));
JAVASCRIPT
node fit.mjs >fits.json
"$folder/python/bin/python" - <<'PYTHON'
import json

import numpy as np
from scipy.optimize import curve_fit

with open("fits.json") as file:
    read = json.load(file)
n, time, fits = np.array(read["after"], float), np.array(read["times"], float), read["fits"]


def line(x, weights):
    design = np.column_stack([np.ones_like(x), x]) * np.sqrt(weights)[:, None]
    start, slope = np.linalg.lstsq(design, np.log(time) * np.sqrt(weights), rcond=None)[0]
    return float(np.exp(start)), float(slope)


def r_squared(values, fitted):
    return float(1 - np.sum((values - fitted) ** 2) / np.sum((values - values.mean()) ** 2))


ones = np.ones_like(time)
plain, weighted = line(n, ones), line(n, time)
nonlinear = tuple(map(float, curve_fit(lambda x, a, b: a * np.exp(b * x), n, time, p0=plain)[0]))
power = line(np.log(n), ones)
by_power = power[0] * n ** power[1]
print(f"Vega-Lite, exp: {fits['exp'][0]:.2f} e^({fits['exp'][1]:.3f} n)")
print(f"echarts-stat: {fits['echarts'][0]:.2f} e^({fits['echarts'][1]:.3f} n)")
print(f"by hand: logarithms {plain[1]:.3f}, logarithms weighted by the times {weighted[1]:.3f}, times {nonlinear[1]:.3f}")
print(f"Vega-Lite, pow: {fits['pow'][0]:.2f} n^{fits['pow'][1]:.3f}, rSquared {fits['pow'][2]:.3f}")
print(f"by hand: {power[0]:.2f} n^{power[1]:.3f}, R² of times {r_squared(time, by_power):.3f}, of logarithms "
      f"{r_squared(np.log(time), np.log(by_power)):.3f}")
assert np.allclose(fits["exp"][:2], weighted) and np.allclose(fits["echarts"], weighted)
assert np.allclose(fits["pow"], [*power, r_squared(time, by_power)])
assert [round(rate, 3) for rate in (plain[1], weighted[1], nonlinear[1])] == [-0.16, -0.205, -0.37]
PYTHON
