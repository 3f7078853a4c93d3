#!/usr/bin/env bash
# Ratings by Bradley and Terry in evalica stop after 100 rounds without a word, wherever they are then: in a tournament in which
# neighbours meet, half of the range is missing, and strategies are in the wrong order.
#
# Versions: evalica 0.4.2, choix 0.4.1, numpy 2.4.6, pandas 3.1.1, scipy 1.17.1.
# Input:    a ladder of n strategies: each plays 20 games against the next, and wins at least one and loses at least one. The
#           maximum of the likelihood is known: neighbours differ by the logit of their score. bradley_terry() as it is.
# Guess:    it converges to its tolerance of .000001, or says that it did not, as fits of statsmodels and scikit-learn do.
# Seen:     100 rounds each time, and nothing is said. With 10 strategies the ratings are right to .00001. With 20 their range
#           is 5.74 instead of 6.05, with 40 it is 5.73 instead of 10.03, and 45 of 780 pairs are in the wrong order. With
#           limit=100000 and tolerance=1e-12 all are right to .00000001; choix is, without settings of precision, to .000001.
# So:       pass limit and tolerance, and compare result.iterations with result.limit before a table of ratings is printed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check evalica==0.4.2 choix==0.4.1 numpy==2.4.6 pandas==3.1.1 \
    scipy==1.17.1
"$folder/python/bin/python" - <<'PYTHON'
import warnings

import choix
import evalica
import numpy as np

warnings.simplefilter("error")
GAMES = 20


def from_mean(ratings):
    return np.asarray(ratings) - np.mean(ratings)


def by_evalica(wins, **settings):
    names = [f"strategy {i:02}" for i in range(len(wins) + 1)]
    games = [(i, won) for i, n in enumerate(wins) for won in [True] * n + [False] * (GAMES - n)]
    winners = [evalica.Winner.X if won else evalica.Winner.Y for _, won in games]
    result = evalica.bradley_terry([names[i] for i, _ in games], [names[i + 1] for i, _ in games], winners, **settings)
    return from_mean(np.log(result.scores.sort_index().to_numpy())), result.iterations


found = {}
for n in (10, 20, 40):
    random = np.random.default_rng(1)
    wins = random.binomial(GAMES - 2, 1 / (1 + np.exp(0.3)), size=n - 1) + 1
    exact = from_mean(np.concatenate([[0], np.cumsum(np.log((GAMES - wins) / wins))]))
    ratings, rounds = by_evalica(wins)
    closer, _ = by_evalica(wins, limit=100_000, tolerance=1e-12)
    pairs = [pair for i, k in enumerate(wins) for pair in [(i, i + 1)] * k + [(i + 1, i)] * (GAMES - k)]
    of_choix = from_mean(choix.ilsr_pairwise(n, pairs, max_iter=1000))
    assert np.abs(closer - exact).max() < 1e-8 and np.abs(of_choix - exact).max() < 1e-6
    above = np.sign(np.subtract.outer(ratings, ratings)), np.sign(np.round(np.subtract.outer(exact, exact), 9))
    wrong = (above[0] * above[1] < 0).sum() // 2
    found[n] = (round(np.ptp(ratings), 2), round(np.ptp(exact), 2), int(wrong), rounds)
    print(f"{n} strategies, {rounds} rounds: range {found[n][0]} instead of {found[n][1]}, {wrong} pairs in the wrong order")
assert found == {10: (1.66, 1.66, 0, 100), 20: (5.74, 6.05, 1, 100), 40: (5.73, 10.03, 45, 100)}, "it behaves otherwise now"
PYTHON
