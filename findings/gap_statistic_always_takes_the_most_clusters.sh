#!/usr/bin/env bash
# The number of clusters that find_optimal_k of sundar-gap-stat calls the best is the largest that it is asked about, whether there
# are three clear clusters or none.
#
# Versions: sundar-gap-stat 2.0.0, scikit-learn 1.9.1, numpy 2.4.6, scipy 1.17.1.
# Input:    120 points in the plane, with k-means for 2 to 8 clusters: uniform, normal, and three clusters of 40 that are ten
#           standard deviations apart; five samples each. As it is, with criterion="maxgap", and with the original statistic of
#           the same package (use_user_labels=False).
# Guess:    the rule of Tibshirani, Walther and Hastie, with another way of clustering: 3 for three clusters, and a small number
#           where there are none.
# Seen:     8 in all 15 samples and by both criteria: the labels of the data are put on the random reference, which they cannot
#           divide, so that every split of the data is better than that. The original statistic says 3 for the
#           three clusters, and 2, the smallest asked about, where there are none.
# So:       cluster the reference as the data (use_user_labels=False, by hand for each number, as find_optimal_k does not hand it
#           on), or take the silhouette; "the gap is still rising at the end" is then of the method, not of the people.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check sundar-gap-stat==2.0.0 scikit-learn==1.9.1 numpy==2.4.6 \
    scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from sklearn.cluster import KMeans
from sundar_gap_stat import find_optimal_k, gap_statistic

SIZES = range(2, 9)
samples = {
    "uniform": lambda random: random.uniform(size=(120, 2)),
    "normal": lambda random: random.normal(size=(120, 2)),
    "three clusters": lambda random: random.normal(size=(120, 2)) + np.repeat([[0, 0], [10, 0], [0, 10]], 40, axis=0),
}


def cluster(points, k):
    return KMeans(k, n_init=5, random_state=0).fit_predict(points)


def original(points):
    gaps = [gap_statistic(points, cluster(points, k), B=10, use_user_labels=False) for k in SIZES]
    ends = [k for k, (gap, _), (after, error) in zip(SIZES, gaps, gaps[1:]) if gap >= after - error]
    return ends[0] if ends else SIZES[-1]


found = {}
for name, sample in samples.items():
    by_default, by_largest, by_original = set(), set(), set()
    for seed in range(5):
        points = sample(np.random.default_rng(seed))
        by_default.add(find_optimal_k(points, cluster, SIZES, B=30)[0])
        by_largest.add(find_optimal_k(points, cluster, SIZES, B=30, criterion="maxgap")[0])
        by_original.add(original(points))
    found[name] = (by_default, by_largest, by_original)
    print(f"{name}: best {by_default}, by maxgap {by_largest}, by the original {by_original}")
assert found == {
    "uniform": ({8}, {8}, {2}), "normal": ({8}, {8}, {2}), "three clusters": ({8}, {8}, {3})
}, f"it behaves otherwise now: {found}"
PYTHON
