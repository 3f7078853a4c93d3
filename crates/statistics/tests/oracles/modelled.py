"""Reference values of sequence::modelled.

Replicates: every way in which the events can come, weighted by its probability (people combine as they are independent); the
difference of residuals by least squares (numpy) with an intercept of each person. Shuffled shares: every order of each
stretch, counted out.
"""

import itertools

import numpy as np

import oracle


def stretches(person):
    found = []
    for happened, probability, follows in person:
        if not follows:
            found.append([])
        found[-1].append((happened, probability))
    return found


def pairs(stretch):
    """Before, after, and the probability of the latter."""
    return [(stretch[i - 1][0], stretch[i][0], stretch[i][1]) for i in range(1, len(stretch))]


def difference(people):
    """Coefficient of the event before, of the residuals, with an intercept of each person; nothing if it does not vary."""
    rows = [(number, *pair) for number, person in enumerate(people) for stretch in person for pair in pairs(stretch)]
    design = np.zeros((len(rows), len(people) + 1))
    residuals = np.zeros(len(rows))
    for row, (number, before, after, probability) in enumerate(rows):
        design[row, number], design[row, -1], residuals[row] = 1, before, after - probability
    # Within people.
    for number in range(len(people)):
        own = design[:, number] == 1
        design[own, -1] -= design[own, -1].mean() if own.any() else 0
    if np.allclose(design[:, -1], 0):
        return None
    return float(np.linalg.lstsq(design, residuals, rcond=None)[0][-1])


def redrawn(people, events):
    events = iter(events)
    return [[[(next(events), probability) for _, probability in stretch] for stretch in person] for person in people]


def shares(people, code):
    """Observed number, events, expected sum; and the shuffled share."""
    found = [pair for person in people for stretch in person for pair in pairs(stretch) if pair[0] == code]
    n, n_events = 0.0, 0.0
    for stretch in (stretch for person in people for stretch in person):
        orders = list(itertools.permutations([happened for happened, _ in stretch]))
        own = [(a, b) for order in orders for a, b in zip(order, order[1:]) if a == code]
        n += len(own) / len(orders)
        n_events += sum(b for _, b in own) / len(orders)
    return [len(found), sum(pair[1] for pair in found), sum(pair[2] for pair in found), n_events / n if n else None]


def case(name, recorded):
    people = [stretches(person) for person in recorded]
    observed = difference(people)
    probabilities = [probability for person in people for stretch in person for _, probability in stretch]
    values, weights = [], []
    for events in itertools.product([0, 1], repeat=len(probabilities)):
        weight = np.prod([p if event else 1 - p for event, p in zip(events, probabilities)])
        value = difference(redrawn(people, events)) if weight > 0 else None
        if value is not None:
            values.append(value)
            weights.append(weight)
    values, weights = np.array(values), np.array(weights) / np.sum(weights)
    mean = float((weights * values).sum())
    return {
        "name": name, "people": [[list(move) for move in person] for person in recorded], "difference": observed,
        "mean": mean, "sd": float(np.sqrt((weights * (values - mean) ** 2).sum())),
        "p_at_least": float(weights[values >= observed - 1e-9].sum()),
        "p_at_most": float(weights[values <= observed + 1e-9].sum()),
        "after_none": shares(people, 0), "after_event": shares(people, 1),
    }


first = [(1, 0.5, False), (1, 0.3, True), (0, 0.2, True), (1, 0.7, True), (1, 0.4, False), (0, 0.6, True)]
second = [(0, 0.1, False), (0, 0.35, True), (1, 0.5, True), (1, 0.25, True), (0, 0.9, True), (0, 0.15, True)]
certain = [(1, 1.0, False), (0, 0.0, True), (1, 0.5, True), (0, 0.5, True), (0, 0.5, True)]
sure = [[(0, 0.2, False), (0, 0.2, True)], certain]
oracle.write(
    __file__,
    [
        case("one person", [first]),
        case("two people", [first, second]),
        case("one who never errs, and one with moves that are certain", sure),
    ],
)
