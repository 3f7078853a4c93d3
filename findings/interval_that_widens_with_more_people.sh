#!/usr/bin/env bash
# The more people, the wider is the 95 % interval of a rank-biserial correlation of pairs in esek: of ten people it misses the
# truth seven times of ten, and of 300 it includes 0 at p = 4e-13.
#
# Versions: esek 0.1.38, statsmodels 0.15.0, numpy 2.4.6, scipy 1.17.1, pandas 2.3.3.
# Input:    differences of two conditions, normal with a mean of .5 and an sd of 1, of 10, 20, 50 and 200 people, 400 studies
#           each (seed 1); the true correlation is that of very many people, .520. Then one study of 300 people, and eight
#           differences, 11, 4, 9, -2, 7, -3, 6 and 5, in both orders of the conditions.
# Guess:    about 95 % of the intervals include the truth, and their width halves with four times the people; the other order of
#           conditions changes signs.
# Seen:     27 % of the intervals include the truth with 10 people, 59 % with 20, 94 % with 50 and all with 200; their mean width
#           is .22, .31, .53 and 1.00. With 300 people it is .483 (-.345 to .889), at p = 4e-13. The p beside it is that of a
#           normal approximation, .036 in the one order of the conditions and .042 in the other, of which only the second
#           is corrected for continuity.
# So:       take the interval from a bootstrap of people, and p from scipy.stats.wilcoxon.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check esek==0.1.38 statsmodels==0.15.0 numpy==2.4.6 \
    scipy==1.17.1 pandas==2.3.3
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from esek.calculators.two_paired_mean.two_paired_aparametric import TwoPairedAparametricTests
from scipy.stats import rankdata, wilcoxon

draw = np.random.default_rng(1)


def by_esek(differences):
    pairs = [np.asarray(differences, float), np.zeros(len(differences))]
    return TwoPairedAparametricTests.from_data(pairs, 0, 0.95).matched_pairs_biserial_wilcoxon


def by_hand(differences):
    ranks = rankdata(np.abs(differences))
    return (ranks[differences > 0].sum() - ranks[differences < 0].sum()) / ranks.sum()


truth = np.mean([by_hand(draw.normal(0.5, 1, 5000)) for _ in range(40)])
print(f"truth: {truth:.3f}")
found = {}
for people in (10, 20, 50, 200):
    effects = [by_esek(draw.normal(0.5, 1, people)) for _ in range(400)]
    covered = np.mean([effect.ci.lower <= truth <= effect.ci.upper for effect in effects])
    width = np.mean([effect.ci.upper - effect.ci.lower for effect in effects])
    found[people] = covered, width
    print(f"{people} people: {100 * covered:.0f} % of the intervals include it, mean width {width:.2f}")
many = draw.normal(0.5, 1, 300)
effect = by_esek(many)
line = f"300 people: {effect.value:.3f} ({effect.ci.lower:.3f} to {effect.ci.upper:.3f}), p {effect.p_value:.0e}"
print(f"{line}, scipy {wilcoxon(many).pvalue:.0e}")
few = np.array([11.0, 4, 9, -2, 7, -3, 6, 5])
orders = [by_esek(few), by_esek(-few)]
for order in orders:
    print(f"eight people: {order.value:.3f} ({order.ci.lower:.3f} to {order.ci.upper:.3f}), p {order.p_value:.4f}")
exact, plain = wilcoxon(few).pvalue, wilcoxon(few, method="asymptotic").pvalue
corrected = wilcoxon(few, method="asymptotic", correction=True).pvalue
print(f"scipy, in both orders: p {exact:.4f} exact, {plain:.4f} approximate, {corrected:.4f} corrected")
assert abs(truth - 0.52) < 0.01
for people, covered, width in ((10, 0.27, 0.22), (20, 0.59, 0.31), (50, 0.94, 0.53), (200, 1, 1)):
    assert abs(found[people][0] - covered) < 0.06 and abs(found[people][1] - width) < 0.05, "it behaves otherwise now"
assert effect.ci.lower < -0.2 and effect.p_value < 1e-10, "it behaves otherwise now"
assert np.allclose([order.p_value for order in orders], [plain, corrected]), "both orders have one p now"
PYTHON
