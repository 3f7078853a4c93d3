"""Reference values of plymap_choice: likelihoods, fits and intervals of models of choice.

The decisions are drawn here. Likelihoods follow the formulas of the models, move by move. Conditional logit
models are fitted by statsmodels' ConditionalLogit, those with a lapse rate by scipy.optimize from many starts,
with gradient and Hessian by automatic differentiation (autograd). Profile intervals by scipy's brentq.
Random-effects selection by the package groupBMC (Rigoux et al., 2014), with two corrections that are named below.

    pip install numpy scipy statsmodels autograd groupBMC
    python crates/choice/tests/oracles/choice.py
"""

import pathlib
import sys
import warnings
from importlib.metadata import version

import autograd
import autograd.numpy as anp
import numpy as np
import statsmodels
from groupBMC.groupBMC import GroupBMC
from scipy import optimize, stats
from scipy.special import logsumexp
from statsmodels.discrete.conditional_models import ConditionalLogit

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "statistics/tests/oracles"))
import oracle  # noqa: E402

N_DECISIONS = 320
DEPTHS = [1, 3]
Z = stats.norm.ppf(0.975)
warnings.filterwarnings("ignore", message="Dropped")  # decisions with one legal move say nothing to statsmodels
rng = np.random.default_rng(20241121)


def draw_decision(number):
    """Positions as those of a reversible game with some dead ends; every tenth has no dead end but ties."""
    n = int(rng.integers(1, 11)) if number % 40 else 1
    regret = [float(r) for r in rng.choice([0.0, 1.0, 2.0], n, p=[0.25, 0.4, 0.35])]
    regret[int(rng.integers(n))] = 0.0
    optimal = [int(r == 0.0) for r in regret]
    for index in range(n):
        if not optimal[index] and rng.random() < 0.08:
            regret[index] = None
    if number % 53 == 7:  # no goal can be reached any more
        regret, optimal = [None] * n, [0] * n
    piece = rng.integers(0, 4, n)
    same = [int(p == 0) for p in piece]
    undo = [0] * n
    if any(same) and number % 9:
        undo[same.index(1)] = 1
    value = [-(3.0 if r is None else r) for r in regret]
    ahead = [[round(float(0.3 * v + rng.normal()), 2), round(float(0.8 * v + 0.6 * rng.normal()), 2)] for v in value]
    return {
        "regret": regret, "optimal": optimal, "undo": undo, "same_piece": same, "look_ahead": ahead,
        "distance": int(rng.integers(1, 13)) if number % 17 else None, "level": int(rng.integers(0, 8)),
    }


decisions = [draw_decision(number) for number in range(N_DECISIONS)]


# The models, as their formulas stand.


def log_weights(decision, rule, p):
    """The logarithm of the weight of each move, before habits."""
    n = len(decision["optimal"])
    optimal = np.array(decision["optimal"], float)
    if rule in ("lapse-optimal", "eureka"):
        near = rule == "lapse-optimal" or (decision["distance"] is not None and decision["distance"] <= p["k"])
        seen = optimal / optimal.sum() if near and optimal.sum() > 0 else np.full(n, 1 / n)
        return np.log(p["lapse"] / n + (1 - p["lapse"]) * seen)
    if rule == "soft-optimal":
        return -p["beta"] * regrets(decision)
    if rule == "look-ahead":
        return p["beta"] * np.array(decision["look_ahead"])[:, DEPTHS.index(p["depth"])]
    return np.zeros(n)


def regrets(decision):
    """A dead end loses 10, or as much as the worst move that is none."""
    cap = max([10.0] + [r for r in decision["regret"] if r is not None])
    return np.array([cap if r is None else r for r in decision["regret"]])


def log_probabilities(decision, rule, p):
    logs = log_weights(decision, rule, p)
    logs = logs + p.get("undo", 0.0) * np.array(decision["undo"], float)
    logs = logs + p.get("same_piece", 0.0) * np.array(decision["same_piece"], float)
    return logs - logsumexp(logs)


def log_likelihood(choices, rule, p, subset=None):
    keep = range(len(decisions)) if subset is None else subset
    with np.errstate(divide="ignore"):
        return sum(log_probabilities(decisions[index], rule, p)[choices[index]] for index in keep)


# The same on tables of decisions by moves, which automatic derivatives can follow quickly.

WIDTH = max(len(d["optimal"]) for d in decisions)


def table(column):
    return np.array([list(column(d)) + [0.0] * (WIDTH - len(d["optimal"])) for d in decisions], float)


def seen_within(k):
    def column(d):
        n_optimal = sum(d["optimal"])
        near = k is None or (d["distance"] is not None and d["distance"] <= k)
        return [o / n_optimal if near and n_optimal else 1 / len(d["optimal"]) for o in d["optimal"]]

    return table(column)


IS_MOVE = table(lambda d: [1.0] * len(d["optimal"]))
UNIFORM = IS_MOVE / IS_MOVE.sum(1, keepdims=True)
TABLES = {h: table(lambda d: d[h]) for h in ("undo", "same_piece")} | {"regret": table(lambda d: regrets(d))}


def smooth_log_likelihood(chosen, p, seen=None, subset=None):
    """With a lapse rate if `seen` is given, else with an inverse temperature."""
    rows = np.arange(len(decisions)) if subset is None else np.array(subset)
    habits = sum(p[h] * TABLES[h] for h in ("undo", "same_piece") if h in p) + 0.0 * IS_MOVE
    if seen is None:
        weights = anp.exp(habits - p["beta"] * TABLES["regret"]) * IS_MOVE
    else:
        weights = (p["lapse"] * UNIFORM + (1 - p["lapse"]) * seen) * anp.exp(habits) * IS_MOVE
    own = weights[rows, np.array(chosen)[rows]]
    return anp.sum(anp.log(own) - anp.log(anp.sum(weights[rows], axis=1)))


def draw(rule, p):
    with np.errstate(divide="ignore"):
        return [int(rng.choice(len(d["optimal"]), p=np.exp(log_probabilities(d, rule, p)))) for d in decisions]


choices = {
    "soft": draw("soft-optimal", {"beta": 0.9, "undo": -0.7, "same_piece": 0.5}),
    "lapse": draw("lapse-optimal", {"lapse": 0.35, "undo": -0.4, "same_piece": 0.6}),
    "eureka": draw("eureka", {"lapse": 0.2, "k": 6}),
    "look-ahead": draw("look-ahead", {"depth": 3, "beta": 1.1}),
    "always optimal": [d["optimal"].index(1) if 1 in d["optimal"] else 0 for d in decisions],
    "never optimal": [d["optimal"].index(0) if 0 in d["optimal"] else 0 for d in decisions],
}


# Likelihoods at given values.

fixed = []
for rule, p in [
    ("chance", {}), ("chance", {"undo": -1.3, "same_piece": 0.4}),
    ("lapse-optimal", {"lapse": 0.35}), ("lapse-optimal", {"lapse": 1.0}),
    ("lapse-optimal", {"lapse": 0.01, "undo": -2.0, "same_piece": 0.7}),
    ("eureka", {"lapse": 0.3, "k": 5}), ("eureka", {"lapse": 0.1, "k": 9, "undo": 0.8}),
    ("soft-optimal", {"beta": 0.0}), ("soft-optimal", {"beta": 1.7}), ("soft-optimal", {"beta": 250.0, "same_piece": -1.0}),
    ("soft-optimal", {"beta": 0.6, "undo": -0.5, "same_piece": 0.25}),
    ("look-ahead", {"depth": 1, "beta": 2.0}), ("look-ahead", {"depth": 3, "beta": 0.4, "undo": -3.0, "same_piece": 1.0}),
]:
    for name in ("soft", "never optimal"):
        fixed.append({"choices": name, "rule": rule, "values": p, "log_likelihood": log_likelihood(choices[name], rule, p)})


# Fits.


def conditional_logit(name, columns):
    """statsmodels' conditional logit: the moves of a decision are a group, the chosen one is its success."""
    outcome, groups, rows = [], [], []
    for index, decision in enumerate(decisions):
        for move in range(len(decision["optimal"])):
            outcome.append(int(move == choices[name][index]))
            groups.append(index)
            rows.append([column(decision)[move] for column in columns])
    model = ConditionalLogit(np.array(outcome), np.array(rows, float), groups=np.array(groups))
    result = model.fit(method="newton", disp=False, maxiter=100, tol=1e-14)
    # Groups of one move say nothing, and statsmodels leaves them out.
    return result.params, result.bse, result.llf


COLUMNS = {
    "undo": lambda d: d["undo"],
    "same_piece": lambda d: d["same_piece"],
    "beta": lambda d: -regrets(d),
    "depth 1": lambda d: [row[0] for row in d["look_ahead"]],
    "depth 3": lambda d: [row[1] for row in d["look_ahead"]],
}


def lapse_fit(name, rule, habits, k=None, subset=None):
    names = ["lapse", *habits]

    seen = seen_within(k)

    def negative(theta):
        return -smooth_log_likelihood(choices[name], dict(zip(names, theta)), seen, subset)

    gradient, hessian = autograd.grad(negative), autograd.hessian(negative)
    best = None
    for start in (0.05, 0.3, 0.7):
        x0 = np.array([start] + [0.0] * len(habits))
        bounds = [(1e-9, 1.0)] + [(-10, 10)] * len(habits)
        found = optimize.minimize(negative, x0, jac=gradient, bounds=bounds, method="L-BFGS-B",
                                  options={"ftol": 1e-15, "gtol": 1e-10})
        if best is None or found.fun < best.fun:
            best = found
    theta = best.x
    if 1e-6 < theta[0] < 1 - 1e-6:
        for _ in range(6):
            theta = theta - np.linalg.solve(hessian(theta), gradient(theta))
        assert np.abs(gradient(theta)).max() < 1e-8
        errors = np.sqrt(np.diag(np.linalg.inv(hessian(theta))))
    else:
        errors = [None] * len(theta)
    values = dict(zip(names, theta))
    by_formula = log_likelihood(choices[name], rule, values | ({} if k is None else {"k": k}), subset)
    assert np.isclose(by_formula, -negative(theta), rtol=1e-12, atol=0)
    return values, dict(zip(names, errors)), by_formula


HABITS = ["undo", "same_piece"]
fits = []


def record(name, rule, habits, values, errors, llf, whole=None, **more):
    fits.append({
        "choices": name, "rule": rule, "habits": habits, "values": values, "errors": errors, "whole": whole or {},
        "log_likelihood": llf, "n_parameters": len(values) + len(whole or {}), **more,
    })


for name in ("soft", "lapse"):
    params, errors, llf = conditional_logit(name, [COLUMNS[h] for h in HABITS])
    record(name, "chance", HABITS, dict(zip(HABITS, params)), dict(zip(HABITS, errors)), llf)
    for habits in ([], ["undo"], HABITS):
        names = ["beta", *habits]
        params, errors, llf = conditional_logit(name, [COLUMNS[n] for n in names])
        record(name, "soft-optimal", habits, dict(zip(names, params)), dict(zip(names, errors)), llf)
        record(name, "lapse-optimal", habits, *lapse_fit(name, "lapse-optimal", habits))
for name, habits in (("look-ahead", []), ("look-ahead", HABITS), ("soft", ["same_piece"])):
    tried = {}
    for depth in DEPTHS:
        names = ["beta", *habits]
        params, errors, llf = conditional_logit(name, [COLUMNS[f"depth {depth}"], *(COLUMNS[h] for h in habits)])
        tried[depth] = (dict(zip(names, params)), dict(zip(names, errors)), llf)
    depth = max(tried, key=lambda d: tried[d][2])
    record(name, "look-ahead", habits, *tried[depth], whole={"depth": depth})
distances = sorted({d["distance"] for d in decisions if d["distance"] is not None})
for name, habits in (("eureka", []), ("lapse", ["undo"])):
    tried = {k: lapse_fit(name, "eureka", habits, k) for k in distances}
    k = max(tried, key=lambda k: tried[k][2])
    near = [other for other in distances if 2 * (tried[k][2] - tried[other][2]) <= Z**2]
    record(name, "eureka", habits, *tried[k], whole={"k": k}, whole_interval=[near[0], near[-1]])


# Intervals by profile likelihood.

profiles = []


def crossing(drop, inside, outside):
    return optimize.brentq(lambda x: drop(x) - Z**2 / 2, inside, outside, xtol=1e-13, rtol=1e-13)


def lapse_only(name, x):
    return log_likelihood(choices[name], "lapse-optimal", {"lapse": x})


def soft_with_habits(name, beta):
    """Maximum likelihood of the soft-optimal model with both habits at a given inverse temperature."""
    def negative(theta):
        return -smooth_log_likelihood(choices[name], {"beta": beta, "undo": theta[0], "same_piece": theta[1]})

    theta = np.zeros(2)
    for _ in range(7):
        theta = theta - np.linalg.solve(autograd.hessian(negative)(theta), autograd.grad(negative)(theta))
    return -negative(theta)


values, _, best = lapse_fit("lapse", "lapse-optimal", [])
drop = lambda x: best - lapse_only("lapse", x)
profiles.append({"choices": "lapse", "rule": "lapse-optimal", "habits": [], "parameter": "lapse",
                 "lower": crossing(drop, values["lapse"], 0.02), "upper": crossing(drop, values["lapse"], 0.98)})
params, errors, best = conditional_logit("soft", [COLUMNS[n] for n in ("beta", *HABITS)])
drop = lambda x: best - soft_with_habits("soft", x)
profiles.append({"choices": "soft", "rule": "soft-optimal", "habits": HABITS, "parameter": "inverse-temperature",
                 "lower": crossing(drop, params[0], params[0] - 5 * errors[0]),
                 "upper": crossing(drop, params[0], params[0] + 5 * errors[0])})
# At an end of the range: ln L at the end is the greatest, and the interval has one end.
drop = lambda x: lapse_only("always optimal", 0.0) - lapse_only("always optimal", x)
profiles.append({"choices": "always optimal", "rule": "lapse-optimal", "habits": [], "parameter": "lapse",
                 "lower": 0.0, "upper": crossing(drop, 0.0, 0.5), "estimate": 0.0, "log_likelihood": lapse_only("always optimal", 0.0)})
drop = lambda x: lapse_only("never optimal", 1.0) - lapse_only("never optimal", x)
profiles.append({"choices": "never optimal", "rule": "lapse-optimal", "habits": [], "parameter": "lapse",
                 "lower": crossing(drop, 1.0, 0.1), "upper": 1.0, "estimate": 1.0, "log_likelihood": lapse_only("never optimal", 1.0)})
soft = lambda x: log_likelihood(choices["never optimal"], "soft-optimal", {"beta": x})
drop = lambda x: soft(0.0) - soft(x)
profiles.append({"choices": "never optimal", "rule": "soft-optimal", "habits": [], "parameter": "inverse-temperature",
                 "lower": 0.0, "upper": crossing(drop, 0.0, 2.0), "estimate": 0.0, "log_likelihood": soft(0.0)})
# Always optimal: the likelihood grows with the inverse temperature up to the choice among optimal moves.
soft = lambda x: log_likelihood(choices["always optimal"], "soft-optimal", {"beta": x})
limit = sum(-np.log(sum(d["optimal"]) or len(d["optimal"])) for d in decisions)
drop = lambda x: limit - soft(x)
profiles.append({"choices": "always optimal", "rule": "soft-optimal", "habits": [], "parameter": "inverse-temperature",
                 "lower": crossing(drop, 30.0, 1.0), "upper": None, "estimate": None, "log_likelihood": limit})


# Cross-validation: each level left out in turn.

held_out = []
levels = sorted({d["level"] for d in decisions})
for name, rule, habits in (("lapse", "lapse-optimal", HABITS), ("lapse", "lapse-optimal", []), ("soft", "soft-optimal", [])):
    folds = []
    for level in levels:
        training = [i for i, d in enumerate(decisions) if d["level"] != level]
        test = [i for i, d in enumerate(decisions) if d["level"] == level]
        if rule == "lapse-optimal":
            p, _, _ = lapse_fit(name, rule, habits, subset=training)
        else:
            found = optimize.minimize_scalar(
                lambda b: -smooth_log_likelihood(choices[name], {"beta": b}, subset=training), bounds=(0, 5),
                method="bounded", options={"xatol": 1e-12})
            p = {"beta": found.x}
        folds.append(log_likelihood(choices[name], rule, p, subset=test))
    held_out.append({"choices": name, "rule": rule, "habits": habits, "folds": folds, "log_likelihood": sum(folds)})


# Random-effects selection.


class Corrected(GroupBMC):
    """The null hypothesis has frequencies 1 / K; the package takes the logarithm of the prior counts, which is the
    same only for counts of 1 / K. And log w + eps is replaced by the limit w log w = 0."""

    def F0(self):
        return (logsumexp(self.L, axis=0) - np.log(len(self.L))).sum()


selections = []
for name, evidence in {
    "one model wins": rng.normal(0, 3, (16, 3)) + np.array([0, 6, 1]),
    "nothing to choose": rng.normal(0, 0.5, (12, 4)),
    "two models share": np.where(rng.random((20, 1)) < 0.5, [[0, -9]], [[-9, 0]]) + rng.normal(0, 2, (20, 2)),
    "two participants": np.array([[-10.0, -11, -12], [-20, -18.5, -19]]),
}.items():
    evidence = np.round(evidence - 400, 3)
    fitted = Corrected(evidence.T, α_0=np.ones(evidence.shape[1]), max_iter=20_000, tolerance=0.0, min_iter=2_000)
    result = fitted.get_result()
    f1, f0 = fitted.F1(), fitted.F0()
    selections.append({
        "name": name, "log_evidence": evidence, "alpha": fitted.α.ravel(), "exceedance": result.exceedance_probability,
        "protected": result.protected_exceedance_probability, "omnibus_risk": 1 / (1 + np.exp(f1 - f0)),
        "free_energy": f1, "free_energy_null": f0,
    })

oracle.write(
    __file__,
    {
        "decisions": decisions,
        "choices": [{"name": name, "chosen": chosen} for name, chosen in choices.items()],
        "fixed": fixed, "fits": fits, "profiles": profiles, "held_out": held_out, "selections": selections,
    },
    statsmodels=statsmodels.__version__, autograd=version("autograd"), groupBMC=version("groupBMC"),
)
