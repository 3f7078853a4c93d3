"""Reference values of sequence::*.

transitions: pandas.crosstab, statsmodels proportion_confint (Wilson). dependence: scipy chi2_contingency of the
table of pairs, and of one table for each middle code. residuals: statsmodels Table.standardized_resids (adjusted
after Haberman) and Table2x2 (odds ratio). runs: itertools.groupby, statsmodels runstest_1samp without correction.
revisits and same_piece: by definition, looking back from each move; the chance of the same piece by the mean over
shuffles in fractions. hazard: numpy.histogram, Table2x2.riskratio. trap: scipy binomtest and poisson_binom,
statsmodels multipletests. cost: looking ahead from each error; medians by lifelines. shuffles: the mean and the
share of as extreme values over all orders within attempts, counted out.
"""

import itertools
import math
from fractions import Fraction

import lifelines
import numpy as np
import pandas as pd
import statsmodels
from lifelines.utils import median_survival_times
from scipy import stats
from statsmodels.sandbox.stats.runs import runstest_1samp
from statsmodels.stats.contingency_tables import Table, Table2x2
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

import oracle

rng = np.random.default_rng(20240703)
LEVEL = 0.95


def chain(n, probabilities, order=1):
    """Codes of one attempt; the row of `probabilities` is that of the code (or the two codes) before."""
    codes = list(rng.integers(0, probabilities.shape[0], order))
    while len(codes) < n:
        codes.append(rng.choice(probabilities.shape[-1], p=probabilities[tuple(codes[-order:])]))
    return [int(code) for code in codes[:n]]


sticky = np.array([[0.6, 0.3, 0.1], [0.4, 0.4, 0.2], [0.2, 0.3, 0.5]])
second = rng.dirichlet([1.5, 1.5, 1.5], (3, 3))
sequences = {
    "first order": (3, [chain(n, sticky) for n in rng.integers(5, 40, 12)]),
    "second order": (3, [chain(n, second, 2) for n in rng.integers(10, 60, 12)]),
    "independent": (4, [[int(c) for c in rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])] for n in rng.integers(1, 50, 15)]),
    "one attempt of two codes": (2, [[int(c) for c in rng.integers(0, 2, 60)]]),
    "a code that never comes": (4, [chain(n, sticky) for n in (20, 15, 0, 1, 30)]),
}


def pairs_of(attempts, lag=1):
    return [(a[i], a[i + lag]) for a in attempts for i in range(len(a) - lag)]


def wilson(k, n):
    if n == 0:
        return None, None, None
    return (k / n, *proportion_confint(k, n, 1 - LEVEL, "wilson"))


def table_of(pairs, n_codes):
    counts = np.zeros((n_codes, n_codes), int)
    for a, b in pairs:
        counts[a, b] += 1
    return counts


def trimmed(table):
    return table[np.ix_(table.sum(1) > 0, table.sum(0) > 0)]


def order_test(tables):
    """Sums over the tables of G2, X2 and their degrees of freedom; entropies in bits."""
    sums = np.zeros(3)
    n = sum(table.sum() for table in tables)
    information = entropy = 0.0
    small = 0
    for table in map(trimmed, tables):
        if table.sum() == 0:
            continue
        columns = table.sum(0) / table.sum()
        entropy += table.sum() / n * stats.entropy(columns, base=2)
        conditional = sum(row.sum() / n * stats.entropy(row / row.sum(), base=2) for row in table)
        information += table.sum() / n * stats.entropy(columns, base=2) - conditional
        g = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
        x = stats.chi2_contingency(table, correction=False)
        small += int((x.expected_freq < 5).sum())
        sums += [g.statistic, x.statistic, g.dof]
    g, x, df = sums
    return {
        "n": n, "likelihood_ratio": [g, df, stats.chi2.sf(g, df)], "pearson": [x, df, stats.chi2.sf(x, df)],
        "mutual_information": information, "share_of_entropy": information / entropy, "n_small_cells": small,
    }


def runs_of(attempt, code):
    return [len(list(run)) for key, run in itertools.groupby(attempt) if key == code]


def runs_case(attempts, code):
    lengths = [length for a in attempts for length in runs_of(a, code)]
    total, variance, expected = 0, 0.0, 0.0
    for a in attempts:
        if not a:
            continue
        flags = [int(c == code) for c in a]
        own_runs = len(list(itertools.groupby(flags)))
        total += own_runs
        n1, n = sum(flags), len(flags)
        mean = 2 * n1 * (n - n1) / n + 1
        own = 2 * n1 * (n - n1) * (2 * n1 * (n - n1) - n) / n**2 / (n - 1) if 0 < n1 < n else 0.0
        if own > 0:
            z, _ = runstest_1samp(np.array(flags), cutoff=0.5, correction=False)
            assert np.isclose(z, (own_runs - mean) / math.sqrt(own), rtol=1e-12)
        expected, variance = expected + mean, variance + own
    z = (total - expected) / math.sqrt(variance) if variance > 0 else None
    return {
        "code": code, "n_with_code": sum(lengths), "n_code_runs": len(lengths), "longest": max(lengths, default=0),
        "lengths": sorted(lengths), "n_at_end": sum(a[-1:] == [code] for a in attempts), "n_runs": total,
        "expected": expected, "statistic": z, "p_value": 2 * stats.norm.sf(abs(z)) if z is not None else None,
    }


codes = []
for name, (n_codes, attempts) in sequences.items():
    table = table_of(pairs_of(attempts), n_codes)
    flat = pairs_of(attempts)
    check = pd.crosstab([a for a, _ in flat], [b for _, b in flat])
    assert (check.to_numpy() == trimmed(table)).all()
    shares = [[int(table[i, j]), int(table[i].sum()), *wilson(table[i, j], table[i].sum())] for i in range(n_codes) for j in range(n_codes)]
    triples = [[(a[i], a[i + 1], a[i + 2]) for i in range(len(a) - 2)] for a in attempts]
    middle = [table_of([(x, z) for t in triples for x, y, z in t if y == code], n_codes) for code in range(n_codes)]
    present = np.flatnonzero((table.sum(1) > 0) & (table.sum(0) > 0))
    adjusted = Table(trimmed(table), shift_zeros=False).standardized_resids
    residuals = []
    assert (table.sum(1) > 0).tolist() == (table.sum(0) > 0).tolist()
    for i, j in itertools.product(range(n_codes), repeat=2):
        if i not in present or j not in present:
            residuals.append([None] * 4)
            continue
        residual = adjusted[list(present).index(i), list(present).index(j)]
        four = [[table[i, j], table[i].sum() - table[i, j]], [table[:, j].sum() - table[i, j], 0]]
        four[1][1] = table.sum() - four[0][0] - four[0][1] - four[1][0]
        odds = (None, None, None)
        if np.min(four) > 0:
            two = Table2x2(np.array(four), shift_zeros=False)
            odds = (two.oddsratio, *two.oddsratio_confint(1 - LEVEL))
        residuals.append([residual, *odds])
    codes.append({
        "name": name, "confidence": LEVEL, "n_codes": n_codes, "attempts": attempts, "transitions": shares,
        "first_order": order_test([table]), "second_order": order_test(middle), "residuals": residuals,
        "runs": [runs_case(attempts, code) for code in range(n_codes)],
    })


def walk(n, n_states):
    """A walk on a ring with short cuts that often takes a move back, and sometimes stands still."""
    states = [0]
    for _ in range(n):
        undo = len(states) > 1 and rng.random() < 0.25
        step = rng.choice([-1, 1, 3, 0], p=[0.3, 0.4, 0.25, 0.05])
        states.append(states[-2] if undo else int((states[-1] + step) % n_states))
    return states


def visits_case(name, attempts):
    lengths = []
    for states in attempts:
        for ply in range(1, len(states)):
            earlier = [other for other in range(ply) if states[other] == states[ply]]
            if earlier:
                lengths.append(ply - max(earlier))
    n_moves = sum(len(states) - 1 for states in attempts)
    unique = sum(len(set(states)) for states in attempts)
    returns, undos, loops = (sum(test(k) for k in lengths) for test in (lambda k: k > 1, lambda k: k == 2, lambda k: k > 2))
    pieces = [[int(p) for p in rng.choice(5, len(states) - 1, p=[0.4, 0.3, 0.1, 0.1, 0.1])] for states in attempts]
    same = sum(a == b for piece in pieces for a, b in zip(piece, piece[1:]))
    n_pairs = sum(max(len(piece) - 1, 0) for piece in pieces)
    # A pair of neighbours in random order is a random pair of moves.
    chance = sum(
        Fraction(sum(piece[i] == piece[j] for i in range(len(piece)) for j in range(i)) * 2, len(piece) * (len(piece) - 1)) * (len(piece) - 1)
        for piece in pieces if len(piece) > 1
    ) / n_pairs
    piece_runs = sorted(len(list(run)) for piece in pieces for _, run in itertools.groupby(piece))
    return {
        "name": name, "confidence": LEVEL, "attempts": attempts, "lengths": sorted(k for k in lengths if k > 1),
        "n_stays": lengths.count(1), "unique": [unique, n_moves + len(attempts), *wilson(unique, n_moves + len(attempts))],
        "revisits": [returns, n_moves, *wilson(returns, n_moves)],
        "undos": [undos, (m := sum(max(len(s) - 2, 0) for s in attempts)), *wilson(undos, m)],
        "loops": [loops, (m := sum(max(len(s) - 3, 0) for s in attempts)), *wilson(loops, m)],
        "pieces": pieces, "same": [same, n_pairs, *wilson(same, n_pairs)], "chance": float(chance), "piece_runs": piece_runs,
    }


states = [
    visits_case("one attempt", [walk(50, 20)]),
    visits_case("several attempts", [walk(int(n), 30) for n in rng.integers(1, 40, 10)]),
]

covariate = np.round(rng.gamma(3, 3, 200), 1)
events = (rng.random(200) < 0.05 + 0.015 * covariate).astype(int)
edges = [0.0, 4.0, 8.0, 8.5, 16.0, 20.0]
at_risk, _ = np.histogram(covariate, edges)
happened, _ = np.histogram(covariate[events == 1], edges)
errors = [[int(c == 2) for c in attempt] for attempt in sequences["first order"][1]]
after = table_of(pairs_of(errors), 2)
ratio = Table2x2(np.array([[after[1, 1], after[1, 0]], [after[0, 1], after[0, 0]]]), shift_zeros=False)
hazards = [{
    "confidence": LEVEL, "events": events, "covariate": covariate, "edges": edges,
    "bins": [[int(k), int(n), *wilson(k, n)] for k, n in zip(happened, at_risk)],
    "n_outside": int(((covariate < edges[0]) | (covariate > edges[-1])).sum()),
    "quantile_edges": np.unique(np.quantile(covariate, np.linspace(0, 1, 6))), "n_bins": 5,
    "errors": errors, "after_event": [int(after[1, 1]), int(after[1].sum()), *wilson(after[1, 1], after[1].sum())],
    "after_none": [int(after[0, 1]), int(after[0].sum()), *wilson(after[0, 1], after[0].sum())],
    "ratio": [ratio.riskratio, *ratio.riskratio_confint(1 - LEVEL)],
}]

visits = []
for state in range(25):
    varied = state % 3 == 0
    chances = rng.choice([0.2, 0.25, 0.4], int(rng.integers(1, 30))) if varied else np.full(int(rng.integers(1, 60)), rng.choice([0.1, 0.3, 1 / 3]))
    for chance in chances:
        visits.append([state, int(rng.integers(0, 12)), int(rng.random() < chance + (0.4 if state % 5 == 0 else 0)), float(chance)])
visits = [visits[i] for i in rng.permutation(len(visits))]
N_MIN = 5
found = []
for state in range(25):
    own = [visit for visit in visits if visit[0] == state]
    if len(own) < N_MIN:
        continue
    k, n, chances = sum(v[2] for v in own), len(own), np.array([v[3] for v in own])
    p = stats.poisson_binom.sf(k - 1, chances) if k > 0 else 1.0
    if len(set(chances)) == 1:
        binomial = stats.binomtest(k, n, chances[0], alternative="greater").pvalue
        assert np.isclose(p, binomial, rtol=1e-6)
        p = binomial
    found.append([state, k, n, *wilson(k, n), chances.mean(), p, len({v[1] for v in own}), len({v[1] for v in own if v[2]})])
adjusted = multipletests([row[6 + 1] for row in found], method="fdr_bh")[1]
trap = [{"confidence": LEVEL, "n_min": N_MIN, "visits": visits, "states": [[*row, q] for row, q in zip(found, adjusted)]}]


def course(n):
    distance, distances = 10, []
    for _ in range(n):
        distances.append(distance)
        if distance == 0:
            break
        distance = None if rng.random() < 0.01 else (distance if distance is not None else 8) + int(rng.choice([-1, 0, 1], p=[0.5, 0.2, 0.3]))
    return distances, np.round(np.cumsum(rng.lognormal(0, 0.7, len(distances))), 3)


courses = [course(60) for _ in range(12)]
costs = []
for number, (distances, times) in enumerate(courses):
    until = -1
    for ply in range(len(distances) - 1):
        before, later = distances[ply], distances[ply + 1]
        if before is None or (later is not None and later <= before):
            continue
        back = [j for j in range(ply + 1, len(distances)) if distances[j] is not None and distances[j] <= before]
        end = back[0] if back else len(distances) - 1
        costs.append([number, ply, end - ply, times[end] - times[ply], int(bool(back)), int(ply < until)])
        until = max(until, end if back else len(distances))


def median_of(rows, column):
    fit = lifelines.KaplanMeierFitter().fit([row[column] for row in rows], [row[4] for row in rows])
    assert not np.any(np.isclose(fit.survival_function_["KM_estimate"], 0.5, atol=1e-9))
    limits = median_survival_times(fit.confidence_interval_).to_numpy()[0]
    return [fit.median_survival_time_, *limits]


outermost = [row for row in costs if not row[5]]
cost = [{
    "distances": [distances for distances, _ in courses], "times": [times for _, times in courses], "errors": costs,
    "all": {"moves": median_of(costs, 2), "seconds": median_of(costs, 3)},
    "outermost": {"moves": median_of(outermost, 2), "seconds": median_of(outermost, 3)},
}]


def g_of(attempts, n_codes):
    table = trimmed(table_of(pairs_of(attempts), n_codes))
    if min(table.shape) < 2:
        return 0.0
    return stats.chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic


def shuffles_case(name, n_codes, attempts, code):
    """Every different order of an attempt is equally likely; those of several attempts combine."""
    orders = [sorted(set(itertools.permutations(attempt))) for attempt in attempts]
    everything = list(itertools.product(*orders))
    observed, observed_table = g_of(attempts, n_codes), table_of(pairs_of(attempts), n_codes)
    values = np.array([g_of(combined, n_codes) for combined in everything])
    tables = np.array([table_of(pairs_of(combined), n_codes) for combined in everything])
    runs = [[length for a in combined for length in runs_of(a, code)] for combined in everything]
    n_runs, longest = np.array([len(r) for r in runs]), np.array([max(r) for r in runs])
    own = [length for a in attempts for length in runs_of(a, code)]
    return {
        "name": name, "n_codes": n_codes, "attempts": attempts, "n_orders": len(everything), "statistic": observed,
        "mean": values.mean(), "sd": values.std(), "p": float((values >= observed - 1e-9).mean()),
        "expected": tables.mean(0).ravel(), "sds": tables.std(0).ravel(),
        "p_at_least": (tables >= observed_table).mean(0).ravel(), "p_at_most": (tables <= observed_table).mean(0).ravel(),
        "code": code, "runs": [len(own), n_runs.mean(), n_runs.std(), (n_runs <= len(own)).mean(), (n_runs >= len(own)).mean()],
        "longest": [max(own), longest.mean(), longest.std(), (longest >= max(own)).mean()],
    }


shuffled = [
    shuffles_case("one attempt", 3, [[0, 0, 0, 1, 1, 2, 0]], 0),
    shuffles_case("two attempts", 2, [[0, 0, 0, 1, 1, 0], [1, 1, 1, 0, 1, 1]], 1),
    shuffles_case("alternating", 2, [[0, 1, 0, 1, 0, 1, 0, 1, 0]], 0),
]
oracle.write(
    __file__,
    {"codes": codes, "states": states, "hazard": hazards, "trap": trap, "cost": cost, "shuffles": shuffled},
    statsmodels=statsmodels.__version__, pandas=pd.__version__, lifelines=lifelines.__version__,
)
