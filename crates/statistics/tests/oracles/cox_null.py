"""How often the tests of Cox models reject what is true, by an implementation of its own: docs/statistics/error-rates.md has the numbers.

    python cox_null.py 24 5 2000     # people, levels, simulated studies

Times are log-normal, with people and levels that differ (standard deviations of 0.4, of single times 0.5); a tenth of the
trials is censored at random. Neither the distance of a level nor the condition of a person changes anything. Each row is a
test at 5 %: how often it rejects, with Wilson's interval.
"""

import sys

import numpy as np
from scipy import stats


def fitted(times, events, columns, strata):
    """Effects, the inverse of the information, and the score residuals; None where Newton's method has no end."""
    columns = columns - columns.mean(axis=0)
    groups = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    groups = [rows[np.argsort(-times[rows])] for rows in groups]
    effects = np.zeros(columns.shape[1])
    for _ in range(25):
        gradient, information, parts = 0.0, 0.0, []
        for rows in groups:
            x, is_event = columns[rows], events[rows]
            weights = np.exp(x @ effects)
            total = np.cumsum(weights)
            mean = np.cumsum(weights[:, None] * x, axis=0) / total[:, None]
            second = np.cumsum(weights[:, None, None] * x[:, :, None] * x[:, None, :], axis=0) / total[:, None, None]
            gradient = gradient + (x - mean)[is_event].sum(axis=0)
            information = information + (second - mean[:, :, None] * mean[:, None, :])[is_event].sum(axis=0)
            parts.append((x, is_event, weights, total, mean))
        try:
            step = np.linalg.solve(information, gradient)
        except np.linalg.LinAlgError:
            return None
        effects = effects + step
        if abs(step).max() < 1e-9:
            break
    else:
        return None
    scores = np.zeros_like(columns)
    for rows, (x, is_event, weights, total, mean) in zip(groups, parts):
        steps = np.where(is_event, 1 / total, 0)
        past = lambda values: np.cumsum(values[::-1], axis=0)[::-1]  # noqa: E731
        hazard, weighted = past(steps), past(steps[:, None] * mean)
        scores[rows] = np.where(is_event[:, None], x - mean, 0) - weights[:, None] * (x * hazard[:, None] - weighted)
    return effects, np.linalg.inv(information), scores


def sandwich(fit, clusters):
    _, inverse, scores = fit
    sums = np.zeros((clusters.max() + 1, scores.shape[1]))
    np.add.at(sums, clusters, scores)
    return np.diag(inverse @ (sums.T @ sums) @ inverse)


n_people, n_levels, n_studies = map(int, sys.argv[1:4])
random = np.random.default_rng(43)
p_values = {}
who, level = np.repeat(np.arange(n_people), n_levels), np.tile(np.arange(n_levels), n_people)


def count(name, effect, variance, n, df):
    """The variance times n / df, and t with df degrees of freedom."""
    t = abs(effect) / np.sqrt(variance * n / df)
    p_values.setdefault(name, []).append(2 * stats.t.sf(t, df))


for _ in range(n_studies):
    log_times = random.normal(0, 0.4, n_people)[who] + random.normal(0, 0.4, n_levels)[level] + random.normal(0, 0.5, len(who))
    times, events = np.exp(log_times), random.random(len(who)) > 0.1
    distance = random.permutation(3 + 2 * np.arange(n_levels))[level].astype(float)
    condition = random.permutation(np.arange(n_people) % 2)[who].astype(float)
    none = np.zeros(len(who), int)
    if fit := fitted(times, events, np.column_stack([distance, condition]), none):
        of_people, of_levels, of_both = (sandwich(fit, own) for own in (who, level, np.arange(len(who))))
        two_way = np.maximum.reduce([of_people, of_levels, of_people + of_levels - of_both])
        fewer = min(n_people, n_levels)
        count("condition, as it was: the fewer clusters", fit[0][1], two_way[1], fewer, fewer - 1)
        count("condition, degrees of freedom of people", fit[0][1], two_way[1], n_people, n_people - 2)
        count("distance, as it was: the fewer clusters", fit[0][0], two_way[0], fewer, fewer - 1)
        count("distance, degrees of freedom of levels", fit[0][0], two_way[0], n_levels, n_levels - 2)
    if fit := fitted(times, events, condition[:, None], level):
        of_people = sandwich(fit, who)
        count("condition within levels, as it was: people less 1", fit[0][0], of_people[0], n_people, n_people - 1)
        count("condition within levels, people less 2", fit[0][0], of_people[0], n_people, n_people - 2)
    # Whether the ratio changes: who goes on after half of the solutions begins anew in strata of the own.
    split = np.sort(times[events])[(events.sum() - 1) // 2]
    late = times > split
    rows = np.concatenate([np.minimum(times, split), times[late]]), np.concatenate([events & ~late, events[late]])
    x = np.concatenate([condition, condition[late]])
    product = np.concatenate([0 * condition, condition[late]])
    strata = np.concatenate([level, n_levels + level[late]])
    if fit := fitted(*rows, np.column_stack([x, product]), strata):
        of_people = sandwich(fit, np.concatenate([who, who[late]]))
        count("change of the ratio of the condition, people less 2", fit[0][1], of_people[1], n_people, n_people - 2)

for name, own in p_values.items():
    found = stats.binomtest(int((np.array(own) < 0.05).sum()), len(own))
    interval = found.proportion_ci(method="wilson")
    print(f"{name}: {found.statistic:.3f} [{interval.low:.3f}, {interval.high:.3f}] of {len(own)}")
