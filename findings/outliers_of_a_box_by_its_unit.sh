#!/usr/bin/env bash
# How many outliers a box plot of Chart.js has, and where its whisker ends, depends on the unit: people whose times differ by less
# than .01 are one dot. Moments since 1970 are rounded to 131 seconds.
#
# Versions: @sgratzl/boxplots 2.0.0 (npm), which @sgratzl/chartjs-chart-boxplot draws from.
# Input:    log-normal times of 100, 300 and 1,000 people (a generator with seed 1), as whole milliseconds and as the same in
#           seconds; and the moments of five moves in milliseconds since 1970, a minute apart.
# Guess:    the same people are outliers in each unit; all numbers have the precision of JavaScript, so that the median is the
#           third moment.
# Seen:     in milliseconds 6, 7 and 39 outliers, as there are; in seconds 6, 6 and 21, and the whisker of the 1,000 ends at .738
#           instead of .730, beyond the fence. Of the moments the quartiles and the median are wrong by 15 to 45 s, and
#           right where they come as a Float64Array. Numbers are kept as 32-bit floats, and a tolerance of .01 in the unit of
#           the data says which are the same; the option for it (eps) has the same unit.
# So:       hand over milliseconds, or a Float64Array and an eps of 0 or a small one, and count the dots.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --no-package-lock --prefix "$folder" @sgratzl/boxplots@2.0.0 \
    >install.log 2>&1 || { cat install.log; exit 1; }
cat >boxes.mjs <<'JAVASCRIPT'
import assert from "node:assert";
import { boxplot } from "@sgratzl/boxplots";

let state = 1;
function uniform() { // a linear congruential generator
  state = (state * 48271) % 2147483647;
  return state / 2147483647;
}
const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());

const found = [];
for (const people of [100, 300, 1000]) {
  const times = Array.from({ length: people }, () => Math.round(300 * Math.exp(0.5 * normal())));
  const ms = boxplot(times), s = boxplot(times.map((time) => time / 1000));
  const fence = ms.q3 + 1.5 * ms.iqr, low = ms.q1 - 1.5 * ms.iqr;
  const out = times.filter((time) => time > fence || time < low);
  const last = Math.max(...times.filter((time) => time <= fence));
  found.push([out.length, ms.outlier.length, s.outlier.length, last, ms.whiskerHigh, s.whiskerHigh]);
  assert(new Set(out).size === out.length);
  console.log(`${people} people: ${out.length} outliers; ${ms.outlier.length} dots in ms, ${s.outlier.length} in s; ` +
    `whisker ends at ${ms.whiskerHigh} ms, ${s.whiskerHigh.toFixed(4)} s, should be ${last} ms (fence ${fence.toFixed(2)})`);
}
const first = Date.UTC(2026, 4, 1, 10, 30);
const moments = [0, 1, 2, 3, 4].map((minute) => first + 60000 * minute);
const summary = (box) => [box.min, box.q1, box.median, box.q3, box.max].map((moment, i) => (moment - moments[i]) / 1000);
const plain = summary(boxplot(moments)), typed = summary(boxplot(Float64Array.from(moments)));
console.log(`moments are off by ${plain.join(", ")} s, as a Float64Array by ${typed.join(", ")} s`);
assert.deepStrictEqual(found.map((row) => row.slice(0, 5)), [[6, 6, 6, 614, 614], [7, 7, 6, 723, 723], [39, 39, 21, 730, 730]],
  "it behaves otherwise now");
assert(Math.abs(found[2][5] - 0.738) < 1e-6, "it behaves otherwise now");
assert(plain.every((off) => Math.abs(off) > 10) && typed.every((off) => off === 0), "it behaves otherwise now");
JAVASCRIPT
node boxes.mjs
