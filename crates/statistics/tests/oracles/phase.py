"""Reference values of phase.

- `mixture`: scikit-learn's GaussianMixture of log times, without its regularisation (reg_covar=0).
- `hidden_markov`: hmmlearn's GaussianHMM of log times, without its priors (covars_prior=0): log-likelihood,
  posterior and Viterbi path at given parameters; then the parameters after EM from these, for 12
  iterations and for 4,000, when nothing changes any more.
- `change_points`: the exact minimum by a plain dynamic programme in numpy, written from the definition; where
  ruptures' Pelt finds a partition of the same cost, its cuts must be the same (asserted here).
- `agreement`: scikit-learn's cohen_kappa_score and adjusted_rand_score.
- `shuffles`: the exact distribution of the number of runs when labels are shuffled within attempts, by going
  through all orders of the labels.

    pip install numpy scipy scikit-learn hmmlearn ruptures
    python crates/statistics/tests/oracles/phase.py
"""

import itertools
import math
import warnings
from collections import Counter

import hmmlearn
import numpy as np
import ruptures
import sklearn
from hmmlearn.hmm import GaussianHMM
from scipy import stats
from sklearn.metrics import adjusted_rand_score, cohen_kappa_score
from sklearn.mixture import GaussianMixture

import oracle

rng = np.random.default_rng(20240607)
warnings.simplefilter("ignore")  # both libraries warn when EM stops at its number of iterations


def player(lengths, start_thinking, keep_thinking, factor, sigma, median=1.0):
    """Times of attempts of a player who thinks and acts as a Markov chain, to the millisecond."""
    attempts = []
    for length in lengths:
        thinking, times = False, []
        for _ in range(length):
            thinking = rng.random() < (keep_thinking if thinking else start_thinking)
            times.append(round(median * (factor if thinking else 1) * math.exp(sigma * rng.normal()), 3))
        attempts.append(times)
    return attempts


# Mixtures.

def given_mixture(weights, means, sds, iterations, tolerance):
    return GaussianMixture(
        len(weights), covariance_type="full", reg_covar=0, max_iter=max(iterations, 1), tol=tolerance,
        weights_init=weights, means_init=np.array(means)[:, None],
        precisions_init=1 / np.array(sds)[:, None, None] ** 2, random_state=1,
    )


def mixture_of(model):
    return {"weights": model.weights_, "means": model.means_[:, 0], "sds": np.sqrt(model.covariances_[:, 0, 0])}


def at_parameters(weights, means, sds):
    """A mixture with exactly these parameters."""
    model = given_mixture(weights, means, sds, 1, 0)
    model.weights_, model.means_ = np.array(weights), np.array(means)[:, None]
    model.covariances_ = np.array(sds)[:, None, None] ** 2
    model.precisions_cholesky_ = 1 / np.array(sds)[:, None, None]
    return model


mixtures = []
for name, times, start in [
    ("two far apart", player([150], 0.3, 0.3, 6, 0.4), ([0.5, 0.5], [-0.3, 1.2], [0.6, 0.7])),
    ("two that overlap", player([300], 0.4, 0.4, 3, 0.5), ([0.5, 0.5], [-0.2, 1.0], [0.5, 0.4])),
    ("three", [list(np.round(np.exp(np.concatenate([rng.normal(m, s, n) for m, s, n in
                                                   [(-0.5, 0.3, 90), (1, 0.35, 60), (2.8, 0.5, 40)]])), 3))],
     ([0.4, 0.4, 0.2], [-0.4, 0.8, 2.5], [0.4, 0.4, 0.4])),
    ("one", player([40], 0, 0, 1, 0.7), ([1.0], [0.5], [2.0])),
]:
    times = np.array(times[0])
    logs = np.log(times)[:, None]
    given = at_parameters(*start)
    after = given_mixture(*start, 12, 0).fit(logs)
    # Converged: no change of the mean log-likelihood that a float could show.
    converged = given_mixture(*start, 200_000, 1e-15).fit(logs)
    assert converged.converged_, name
    mixtures.append({
        "name": name, "times": times, "start": dict(zip(["weights", "means", "sds"], start)),
        "given": {"log_likelihood": given.score(logs) * len(times), "posterior": given.predict_proba(logs[:25]),
                  "bic": given.bic(logs)},
        "after_12": mixture_of(after) | {"log_likelihood": after.score(logs) * len(times)},
        "converged": mixture_of(converged) | {"log_likelihood": converged.score(logs) * len(times),
                                              "bic": converged.bic(logs)},
    })


# Hidden Markov models.

def given_hmm(start, iterations=0):
    model = GaussianHMM(
        len(start["start"]), covariance_type="diag", covars_prior=0, covars_weight=1, min_covar=0,
        n_iter=iterations, tol=-math.inf, init_params="", implementation="log",
    )
    model.startprob_, model.transmat_ = np.array(start["start"]), np.array(start["transitions"])
    model.means_, model.covars_ = np.array(start["means"])[:, None], np.array(start["sds"])[:, None] ** 2
    return model


def hmm_of(model):
    return {"start": model.startprob_, "transitions": model.transmat_, "means": model.means_[:, 0],
            "sds": np.sqrt(model.covars_[:, 0, 0])}


hidden = []
for name, attempts, start in [
    ("two far apart", player([40, 25, 1, 60, 33], 0.15, 0.5, 6, 0.4),
     {"start": [0.8, 0.2], "transitions": [[0.8, 0.2], [0.4, 0.6]], "means": [-0.2, 1.4], "sds": [0.5, 0.6]}),
    ("two that overlap", player([30] * 8, 0.1, 0.8, 2.5, 0.6),
     {"start": [0.6, 0.4], "transitions": [[0.7, 0.3], [0.3, 0.7]], "means": [-0.3, 1.0], "sds": [0.6, 0.6]}),
    ("three states", player([25] * 10, 0.2, 0.7, 5, 0.5),
     {"start": [0.5, 0.3, 0.2], "transitions": [[0.6, 0.2, 0.2], [0.3, 0.5, 0.2], [0.2, 0.2, 0.6]],
      "means": [-0.5, 0.5, 1.8], "sds": [0.4, 0.5, 0.5]}),
    ("a state that cannot follow itself", player([50, 50], 0.2, 0.0, 8, 0.4),
     {"start": [1.0, 0.0], "transitions": [[0.8, 0.2], [1.0, 0.0]], "means": [0.1, 1.9], "sds": [0.5, 0.5]}),
    ("one long attempt", player([400], 0.05, 0.85, 4, 0.5),
     {"start": [0.5, 0.5], "transitions": [[0.9, 0.1], [0.1, 0.9]], "means": [0.0, 1.0], "sds": [0.7, 0.7]}),
]:
    lengths = [len(attempt) for attempt in attempts]
    logs = np.log(np.concatenate(attempts))[:, None]
    given = given_hmm(start)
    path_score, path = given.decode(logs, lengths, algorithm="viterbi")
    case = {
        "name": name, "attempts": attempts, "start": start,
        "given": {"log_likelihood": given.score(logs, lengths), "path": path,
                  "posterior": given.predict_proba(logs, lengths)[:40], "bic": given.bic(logs, lengths)},
    }
    for label, iterations in [("after_12", 12), ("converged", 4_000)]:
        model = given_hmm(start, iterations).fit(logs, lengths)
        case[label] = hmm_of(model) | {"log_likelihood": model.score(logs, lengths)}
    hidden.append(case)


# Change points.

def cost(part):
    return ((part - part.mean()) ** 2).sum()


def optimal(logs, price, min_moves):
    n = len(logs)
    if n < 2 * min_moves:
        return cost(logs), [n]
    best, last = [math.inf] * (n + 1), [0] * (n + 1)
    best[0] = -price
    for end in range(min_moves, n + 1):
        for start in range(0, end - min_moves + 1):
            total = best[start] + cost(logs[start:end]) + price
            if total < best[end] - 1e-12:
                best[end], last[end] = total, start
    ends = [n]
    while last[ends[0]]:
        ends.insert(0, last[ends[0]])
    return best[n], ends


changes = []
for name, attempts, penalty, min_moves in [
    ("slow changes", player([60, 45, 80], 0.05, 0.95, 4, 0.4), 2, 2),
    ("long stretches", player([60, 45, 80, 5, 3, 1], 0.05, 0.95, 4, 0.4), 2, 5),
    ("cheap cuts", player([50, 50], 0.2, 0.7, 6, 0.4), 0.5, 1),
    ("frequent pauses", player([30] * 6, 0.2, 0.5, 6, 0.4), 2, 2),
    ("nothing changes", player([90, 70], 0, 0, 1, 0.5), 2, 3),
]:
    logs = [np.log(attempt) for attempt in attempts]
    differences = np.concatenate([np.diff(attempt) for attempt in logs])
    noise_sd = np.median(np.abs(differences)) / stats.norm.ppf(0.75) / math.sqrt(2)
    n = sum(len(attempt) for attempt in attempts)
    price = penalty * noise_sd**2 * math.log(n)
    ends, total, n_same = [], 0, 0
    for attempt in logs:
        own_cost, own = optimal(attempt, price, min_moves)
        ends.append(own)
        total += own_cost
        if len(attempt) >= 2 * min_moves:
            theirs = ruptures.Pelt(model="l2", min_size=min_moves, jump=1).fit(attempt).predict(pen=price)
            parts = zip([0, *theirs], theirs)
            their_cost = sum(cost(attempt[start:end]) for start, end in parts) + (len(theirs) - 1) * price
            assert their_cost >= own_cost - 1e-9, name
            if their_cost < own_cost + 1e-9:
                assert theirs == own, name
                n_same += 1
    changes.append({
        "name": name, "attempts": attempts, "penalty": penalty, "min_moves": min_moves, "noise_sd": noise_sd,
        "price": price, "mean": np.concatenate(logs).mean(), "ends": ends, "cost": total,
        "n_attempts_as_in_ruptures": n_same,
    })


# Agreement.

agreements = []
for name, left, right in [
    ("alike", rng.integers(0, 2, 60), None),
    ("independent", rng.integers(0, 2, 60), rng.integers(0, 2, 60)),
    ("three labels against two", rng.integers(0, 3, 80), rng.integers(0, 2, 80)),
    ("one label against two", np.zeros(20, int), rng.integers(0, 2, 20)),
    ("one label twice", np.zeros(20, int), np.zeros(20, int)),
    ("only single moves", np.arange(6), np.arange(6)[::-1]),
]:
    if right is None:
        right = np.where(rng.random(60) < 0.15, 1 - left, left)
    agreements.append({"name": name, "left": left, "right": right, "share_equal": (left == right).mean(),
                       "kappa": cohen_kappa_score(left, right), "adjusted_rand": adjusted_rand_score(left, right)})


# Shuffles.

def runs(labels):
    return 1 + sum(a != b for a, b in zip(labels, labels[1:]))


shuffles = []
for name, attempts in [
    ("long pauses", player([9, 12, 7, 11], 0.2, 0.85, 6, 0.4)),
    ("no order", player([10, 10, 1, 12, 5], 0.5, 0.5, 6, 0.4)),
    ("single pauses", player([12, 8, 12], 0.7, 0.0, 6, 0.4)),
]:
    threshold = np.median(np.concatenate(attempts))
    total, observed = Counter({0: 1.0}), 0
    for attempt in attempts:
        labels = [time > threshold for time in attempt]
        observed += runs(labels)
        n, k = len(labels), sum(labels)
        own = Counter()
        for places in itertools.combinations(range(n), k):
            own[runs([place in places for place in range(n)])] += 1 / math.comb(n, k)
        total = sum((Counter({a + b: p * q}) for a, p in total.items() for b, q in own.items()), Counter())
    mean = sum(value * p for value, p in total.items())
    shuffles.append({
        "name": name, "attempts": attempts, "observed": observed, "mean": mean,
        "sd": math.sqrt(sum((value - mean) ** 2 * p for value, p in total.items())),
        "p_low": sum(p for value, p in total.items() if value <= observed),
        "p_high": sum(p for value, p in total.items() if value >= observed),
    })

cases = {
    "mixture": mixtures, "hidden_markov": hidden, "change_points": changes, "agreement": agreements, "shuffles": shuffles,
}
versions = {"sklearn": sklearn.__version__, "hmmlearn": hmmlearn.__version__, "ruptures": ruptures.__version__}
oracle.write(__file__, cases, **versions)
