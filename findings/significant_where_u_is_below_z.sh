#!/usr/bin/env bash
# Two packages of npm call a Mann-Whitney test significant where U is smaller than the z of the same U: one person against one
# always, and 25 against 25 hardly ever.
#
# Versions: mann-whitney-utest 1.0.5, @tainakanchu/mann-whitney-utest 1.1.0 (npm).
# Input:    n people in each of two conditions, normal values, 2,000 studies each: without a difference for n of 1, 2, 3 and 4, with
#           a difference of 1 sd for n of 10 and 25; test() and significant() as their pages have them. Beside it how often the
#           z that criticalValue() returns is above 1.96.
# Guess:    at most 5 % without a difference, and half or more with it: the critical value is the one of a table, or made of the
#           normal approximation.
# Seen:     significant without a difference in 100, 33, 19 and 6 % of the studies, with it in 1 % of those of 10 people and in
#           none of those of 25, where z is above 1.96 in 56 and 93 %. Of 25 people with a difference of 2 sd, U is 54 and z
#           is 5.02: not significant. The critical value is the z of the U at hand, and U is compared with it.
# So:       take U of test(), and compare criticalValue() with 1.96, from about ten people on; below that a table or exact p.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --no-package-lock --prefix "$folder" mann-whitney-utest@1.0.5 \
    @tainakanchu/mann-whitney-utest@1.1.0 >install.log 2>&1 || { cat install.log; exit 1; }
cat >studies.cjs <<'JAVASCRIPT'
const assert = require("node:assert");
const packages = [require("mann-whitney-utest"), require("@tainakanchu/mann-whitney-utest")];

let state = 1;
function uniform() { // a linear congruential generator
  state = (state * 48271) % 2147483647;
  return state / 2147483647;
}
const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
const group = (people, mean) => Array.from({ length: people }, () => mean + normal());

const studies = 2000;
const found = [];
for (const [people, difference] of [[1, 0], [2, 0], [3, 0], [4, 0], [10, 1], [25, 1]]) {
  const significant = [0, 0];
  let above = 0;
  for (let study = 0; study < studies; study++) {
    const samples = [group(people, difference), group(people, 0)];
    packages.forEach((test, i) => (significant[i] += test.significant(test.test(samples), samples)));
    above += packages[0].criticalValue(packages[0].test(samples), samples) > 1.96;
  }
  const share = (count) => Math.round((1000 * count) / studies) / 10;
  found.push([people, difference, ...significant.map(share), share(above)]);
  console.log(`${people} against ${people} people, difference of ${difference} sd: ` +
    `${significant.map(share).join(" % and ")} % significant; z above 1.96 in ${share(above)} %`);
}
const samples = [group(25, 2), group(25, 0)];
const u = packages[0].test(samples);
const z = packages[0].criticalValue(u, samples);
const called = packages.map((test) => test.significant(test.test(samples), samples));
console.log(`25 against 25 people, difference of 2 sd: U ${Math.min(...u)}, z ${z.toFixed(2)}, significant ${called}`);
assert(z > 4 && called.every((one) => !one), "it behaves otherwise now");
for (const [people, difference, first, second] of found) {
  assert(first === second);
  assert(difference ? first < 3 : first > { 1: 99, 2: 25, 3: 12, 4: 3 }[people], "it behaves otherwise now");
}
assert(found[4][4] > 45 && found[5][4] > 85);
JAVASCRIPT
node studies.cjs
