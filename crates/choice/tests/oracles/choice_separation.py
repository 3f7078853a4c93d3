"""Reference values of plymap_choice where estimates are infinite: which parameters of a conditional logit model have a finite
estimate, by linear programming (scipy.optimize.linprog), and the likelihood at its limit.

Few decisions among few moves, so that separation, collinear habits and habits that never show come often. With c the covariates of a
move less those of the chosen one, the likelihood never falls along d if c . d <= 0 for all c (and d >= 0 for an inverse
temperature, which is at least 0); it rises without end if one of these is below 0. A parameter is infinite if it has a part in
such a d, and not told if it has one in a d with c . d = 0 for all c. Along a d with as many c . d < 0 as there can be, the
moves of these become impossible: the limit is the likelihood without them, which is maximised here by scipy and then Newton's
method on what is free.
"""

import pathlib
import sys

import numpy as np
from scipy import optimize

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "statistics/tests/oracles"))
import oracle  # noqa: E402

rng = np.random.default_rng(20261201)
MODELS = {
    "soft-optimal": ["inverse-temperature", "undo", "same-piece"],
    "hill-climbing": ["first-feature", "second-feature", "undo", "same-piece"],
}


def draw_decisions():
    weights = rng.normal(0, 2, 4)
    decisions = []
    for _ in range(rng.integers(3, 14)):
        moves = []
        for _ in range(rng.integers(2, 5)):
            same = bool(rng.random() < 0.4)
            moves.append([int(rng.integers(0, 3)), bool(rng.random() < 0.5) and same, same,
                          int(rng.integers(-1, 3)), int(rng.integers(0, 2))])
        least = min(move[0] for move in moves)
        for move in moves:
            move[0] -= least  # the best move loses nothing
        moves.append([1, False, False, 0, 0])
        scores = [-weights[0] * m[0] + weights[1] * m[1] + weights[2] * m[2] + weights[3] * m[3] for m in moves]
        chosen = int(np.argmax(scores + rng.gumbel(size=len(moves))))
        decisions.append({"moves": moves, "chosen": chosen})
    return decisions


def covariates(move, rule):
    regret, undo, same, first, second = move
    return ([-regret] if rule == "soft-optimal" else [first, second]) + [float(undo), float(same)]


def analyse(decisions, rule):
    names = MODELS[rule]
    n = len(names)
    tables = [np.array([covariates(move, rule) for move in d["moves"]]) for d in decisions]
    tables = [table - table[d["chosen"]] for table, d in zip(tables, decisions)]
    c = np.concatenate(tables)
    least = [(0, 1) if name == "inverse-temperature" else (-1, 1) for name in names]

    def extreme(place, sign):
        goal = np.zeros(n)
        goal[place] = -sign
        return -optimize.linprog(goal, c, np.zeros(len(c)), bounds=least).fun > 1e-7

    def told(place):
        goal = np.zeros(n)
        goal[place] = -1
        return -optimize.linprog(goal, A_eq=c, b_eq=np.zeros(len(c)), bounds=[(-1, 1)] * n).fun < 1e-7

    varies = [bool(np.any(c[:, place])) for place in range(n)]
    status = {}
    for place, name in enumerate(names):
        if not varies[place]:
            status[name] = "never"
        elif not told(place):
            status[name] = "flat"
        elif extreme(place, 1) or extreme(place, -1):
            status[name] = "endless"
        else:
            status[name] = "finite"
    # A direction with as much as possible below 0: the sum of slacks of at most 1, in a box without much of an edge.
    goal = np.concatenate([np.zeros(n), -np.ones(len(c))])
    upper = np.hstack([c, np.eye(len(c))])
    box = [(0, 1e4) if name == "inverse-temperature" else (-1e4, 1e4) for name in names]
    found = optimize.linprog(goal, upper, np.zeros(len(c)), bounds=box + [(0, 1)] * len(c))
    direction = found.x[:n]
    gaps = [table @ direction for table in tables]
    assert all(np.all((gap > -1e-6) | (gap < -0.999)) for gap in gaps), gaps
    kept = [table[gap > -1e-6] for table, gap in zip(tables, gaps)]

    def moments(theta):
        value, gradient, hessian = 0.0, np.zeros(n), np.zeros((n, n))
        for table in kept:
            logits = table @ theta
            shift = logits.max()
            weights = np.exp(logits - shift)
            value += shift + np.log(weights.sum())
            p = weights / weights.sum()
            mean = p @ table
            gradient += mean
            hessian += (table * p[:, None]).T @ table - np.outer(mean, mean)
        return value, gradient, hessian

    bounds = [(0, None) if name == "inverse-temperature" else (None, None) for name in names]
    rough = optimize.minimize(lambda t: moments(t)[:2], np.zeros(n), jac=True, bounds=bounds, method="L-BFGS-B",
                              options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 5000})
    theta = rough.x
    for _ in range(40):
        _, gradient, hessian = moments(theta)
        free = [i for i in range(n) if not (bounds[i][0] == 0 and theta[i] <= 1e-7 and gradient[i] > 0)]
        theta[[i for i in range(n) if i not in free]] = 0.0
        theta[free] -= np.linalg.pinv(hessian[np.ix_(free, free)], rcond=1e-11, hermitian=True) @ gradient[free]
        if bounds[0][0] == 0:
            theta[0] = max(theta[0], 0.0)
    value, gradient, hessian = moments(theta)
    # At its end, also where the slope is 0 there.
    free = [i for i in range(n) if not (bounds[i][0] == 0 and theta[i] < 1e-9 and gradient[i] > -1e-9)]
    theta[[i for i in range(n) if i not in free]] = 0.0
    assert np.abs(gradient[free]).max(initial=0) < 1e-9, (gradient, theta)
    covariance = np.linalg.pinv(hessian[np.ix_(free, free)], rcond=1e-11, hermitian=True)
    errors = {names[i]: np.sqrt(covariance[row, row]) for row, i in enumerate(free)}
    rank = np.linalg.matrix_rank(c, tol=1e-9)
    is_finite = lambda name: status[name] == "finite"  # noqa: E731
    return {
        "rule": rule, "decisions": decisions, "status": status, "log_likelihood": -value, "n_parameters": int(rank),
        "values": {name: theta[i] for i, name in enumerate(names) if is_finite(name)},
        "errors": {name: errors.get(name) for name in names if is_finite(name)},
    }


cases = []
for number in range(120):
    cases.append(analyse(draw_decisions(), "soft-optimal" if number % 2 == 0 else "hill-climbing"))
counts = {status: sum(list(case["status"].values()).count(status) for case in cases) for status in ("never", "flat", "endless", "finite")}
print(counts)
oracle.write(__file__, cases)
