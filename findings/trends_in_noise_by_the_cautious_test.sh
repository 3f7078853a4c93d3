#!/usr/bin/env bash
# The test for a trend in pymannkendall that allows for autocorrelation (Yue and Wang) finds one in nearly half of all series of
# pure noise, the plain test in 5 %; and where there is autocorrelation it is the worse one too.
#
# Versions: pymannkendall 1.4.3, numpy 2.4.6, scipy 1.17.1.
# Input:    times of a person in 20, 50 and 100 trials without any trend, 300 series each: independent, and with a correlation of
#           .5 between a trial and the next. original_test, yue_wang_modification_test as it is, and with lag=1.
# Guess:    of independent times each finds a trend in about 5 %; with autocorrelation the plain test finds too many (25 %), and
#           that of Yue and Wang fewer.
# Seen:     independent: 43, 47 and 49 % by yue_wang_modification_test, where original_test has 4 %. With autocorrelation 53, 50
#           and 51 %, where original_test has 24 to 26 %. lag=1: 13, 6 and 5 %, and 16, 10 and 10 %. As it is, it takes the
#           autocorrelations of all lags, though its text speaks of significant ones. Those of a series about its own mean
#           always add up to -1/2, whatever the series, so that 1 + 2 · (sum of (1 - k / n) · r) is small: the variance is cut
#           to .14 of itself in the median where 1 is right.
# So:       lag=1, which is in its text as a choice; "with a correction for autocorrelation" alone says nothing, as a learning
#           effect over trials may be made by it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pymannkendall==1.4.3 numpy==2.4.6 scipy==1.17.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from pymannkendall import original_test, yue_wang_modification_test
from scipy.stats import theilslopes

SERIES = 300


def times(seed, trials, correlation):
    value, series = 0.0, []
    for noise in np.random.default_rng(seed).normal(size=trials + 100):
        value = correlation * value + noise
        series.append(value)
    return np.array(series[100:])


def factor(series):
    """what the variance is multiplied by, from the formula"""
    n = len(series)
    rest = series - theilslopes(series).slope * np.arange(n)
    rest = rest - rest.mean()
    lags = np.arange(1, n)
    correlations = np.array([(rest[lag:] * rest[:-lag]).sum() for lag in lags]) / (rest**2).sum()
    assert np.isclose(correlations.sum(), -0.5)
    return 1 + 2 * ((1 - lags / n) * correlations).sum()


found, factors = {}, []
for correlation in (0, 0.5):
    for trials in (20, 50, 100):
        shares = np.zeros(3)
        for seed in range(SERIES):
            series = times(seed, trials, correlation)
            plain, cautious, first = (
                original_test(series), yue_wang_modification_test(series), yue_wang_modification_test(series, lag=1)
            )
            shares += [result.p < 0.05 for result in (plain, cautious, first)]
            assert np.isclose(cautious.var_s, factor(series) * plain.var_s)
            if not correlation:
                factors.append(cautious.var_s / plain.var_s)
        found[correlation, trials] = shares / SERIES
        print(
            f"correlation {correlation}, {trials} trials: a trend in {shares[0] / SERIES:.0%} by the plain test,"
            f" {shares[1] / SERIES:.0%} by Yue and Wang, {shares[2] / SERIES:.0%} with lag=1"
        )
print(f"factor of the variance without autocorrelation: {np.median(factors):.2f} in the median, least {min(factors):.3f}")
assert all(shares[1] > 0.35 and shares[1] > 1.5 * shares[0] and shares[2] < 0.2 for shares in found.values()), "otherwise now"
assert all(found[0, trials][0] < 0.08 for trials in (20, 50, 100)) and np.median(factors) < 0.2, "it behaves otherwise now"
PYTHON
