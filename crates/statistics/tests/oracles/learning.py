"""Reference values of stats::learning: scipy.optimize.curve_fit (Levenberg-Marquardt of MINPACK) from many starts,
of which the best is kept, with its own covariance; the straight line and the mean from statsmodels. AICc by its
formula (Burnham & Anderson, 2002, section 2.4), checked for the line against statsmodels' likelihood."""

import math
import warnings

import numpy as np
import statsmodels
import statsmodels.api as sm
from scipy import optimize, stats

import oracle

warnings.simplefilter("ignore")  # starts that fail are among them
rng = np.random.default_rng(20261201)


def exponential(t, a, b, c):
    return a + b * np.exp(-c * (t - 1))


def power(t, a, b, c):
    return a + b * t**-c


def observed(function, values, t, noise):
    return t, np.round(function(t, *values) + rng.normal(0, noise, len(t)), 4)


trials = np.arange(1.0, 41.0)
samples = {
    "exponential": observed(exponential, (2.0, 3.0, 0.15), trials, 0.2),
    "power": observed(power, (1.0, 5.0, 0.7), trials, 0.2),
    "rising": observed(exponential, (0.9, -0.5, 0.3), trials, 0.05),
    "steep": observed(exponential, (2.0, 8.0, 1.2), np.arange(1.0, 16.0), 0.1),
    "several at each trial": observed(power, (500.0, 3000.0, 1.1), np.repeat(np.arange(1.0, 13.0), 4), 200.0),
    "gaps, from trial 3": observed(exponential, (1.0, 4.0, 0.1), np.array([3.0, 4, 7, 8, 12, 13, 20, 26, 31, 45, 60]), 0.1),
    "few": observed(power, (1.0, 2.0, 0.9), np.arange(1.0, 8.0), 0.05),
}


def fitted(function, t, y):
    best = None
    for c in np.geomspace(0.005, 5, 25):
        part = function(t, 0, 1, c)
        slope, level = np.polyfit(part, y, 1)
        try:
            values, covariance = optimize.curve_fit(
                function, t, y, (level, slope, c), ftol=1e-15, xtol=1e-15, gtol=1e-15, maxfev=20_000
            )
        except RuntimeError:
            continue
        rss = ((y - function(t, *values)) ** 2).sum()
        if values[2] > 0 and np.isfinite(covariance).all() and (best is None or rss < best[0]):
            best = rss, values, np.sqrt(np.diag(covariance))
    return best


def aicc(rss, n, k):
    return n * math.log(rss / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1)


cases = []
for name, (t, y) in samples.items():
    n = len(t)
    curves = {}
    line = sm.OLS(y, sm.add_constant(t)).fit()
    constant = sm.OLS(y, np.ones(n)).fit()
    # The likelihood has a constant that AICc here leaves out: n (1 + ln 2 pi).
    assert np.isclose(aicc(line.ssr, n, 3) + n * (1 + math.log(2 * math.pi)), -2 * line.llf + 6 + 24 / (n - 4))
    curves["constant"] = (constant.ssr, constant.params, constant.bse)
    curves["linear"] = (line.ssr, line.params, line.bse)
    curves["exponential"] = fitted(exponential, t, y)
    curves["power"] = fitted(power, t, y)
    criteria = {key: aicc(value[0], n, len(value[1]) + 1) for key, value in curves.items()}
    smallest = min(criteria.values())
    weights = {key: math.exp(-(value - smallest) / 2) for key, value in criteria.items()}
    total = ((y - y.mean()) ** 2).sum()
    cases.append({
        "name": name, "trials": t, "y": y, "confidence": 0.95, "best": min(criteria, key=criteria.get),
        "exponential_over_power": weights["exponential"] / weights["power"],
        "curves": [{
            "shape": key, "estimates": values, "errors": errors, "rss": rss, "aicc": criteria[key],
            "delta": criteria[key] - smallest, "weight": weights[key] / sum(weights.values()),
            "r_squared": 1 - rss / total, "half_widths": stats.t.isf(0.025, n - len(values)) * np.asarray(errors),
        } for key, (rss, values, errors) in curves.items()],
    })
    print(name, cases[-1]["best"], [(c["shape"], np.round(c["estimates"], 3)) for c in cases[-1]["curves"]])
oracle.write(__file__, cases, statsmodels=statsmodels.__version__)
