#!/usr/bin/env bash
# A rating that is missing is one more category for the kappas of statsmodels: plays that nobody rated make raters who guess
# agree by a kappa of .3, and ratings that are lost here and there make raters who agree look half as good.
#
# Versions: statsmodels 0.15.0, krippendorff 0.9.0, numpy 2.4.6, scipy 1.17.1, pandas 2.3.3.
# Input:    three raters sort 60 plays into three strategies, 100 studies each: they guess, or see the strategy with a chance of
#           .8 and guess otherwise (kappa .64). Of the plays a quarter has no rating (NaN), or each rating is missing with a
#           chance of .1 or .25. fleiss_kappa(aggregate_raters(ratings)[0]), the same of the plays with all ratings, and
#           Krippendorff's alpha, which is made for missing ratings. Of the first two raters also
#           cohens_kappa(to_table(ratings)[0]).
# Guess:    NaN is refused, as the text of aggregate_raters says that what is no integer raises an exception, and as
#           scikit-learn does; or the play is left out.
# Seen:     guessing raters, a quarter of the plays without a rating: .33 (Cohen's of two: .34), where complete plays and alpha
#           have -.02 and -.01. Raters who agree: .76 instead of .64 with such plays, and .48 and .31 with .1 and .25 of the
#           ratings missing, where both others have .63 to .65. No warning: NaN is the last of the categories that
#           aggregate_raters returns, and the last row and column of to_table; "missing" is an agreement or a disagreement like
#           any other.
# So:       drop rows with NaN before both, or take alpha; if the second result of aggregate_raters ends in nan, kappa is wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check statsmodels==0.15.0 krippendorff==0.9.0 numpy==2.4.6 \
    scipy==1.17.1 pandas==2.3.3
"$folder/python/bin/python" -W error - <<'PYTHON'
import krippendorff
import numpy as np
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa, to_table

PLAYS, RATERS, STRATEGIES, STUDIES = 60, 3, 3, 100


def study(seed, seen, lost, whole_plays):
    random = np.random.default_rng(seed)
    strategy = random.integers(0, STRATEGIES, (PLAYS, 1))
    sees = random.random((PLAYS, RATERS)) < seen
    ratings = np.where(sees, strategy, random.integers(0, STRATEGIES, (PLAYS, RATERS))).astype(float)
    if whole_plays:
        ratings[random.choice(PLAYS, int(lost * PLAYS), replace=False)] = np.nan
    else:
        ratings[random.random(ratings.shape) < lost] = np.nan
    return ratings


def kappa(ratings):
    return fleiss_kappa(aggregate_raters(ratings)[0])


def alpha(ratings):
    return krippendorff.alpha(reliability_data=ratings.T, level_of_measurement="nominal")


found = []
for seen, lost, whole_plays in ((0, 0.25, True), (0.8, 0, False), (0.8, 0.25, True), (0.8, 0.1, False), (0.8, 0.25, False)):
    studies = [study(seed, seen, lost, whole_plays) for seed in range(STUDIES)]
    complete = [ratings[~np.isnan(ratings).any(axis=1)] for ratings in studies]
    means = [float(np.mean(values)) for values in (
        [kappa(ratings) for ratings in studies], [kappa(ratings) for ratings in complete], [alpha(ratings) for ratings in studies]
    )]
    found.append([round(value, 2) for value in means])
    print(
        f"raters see {seen:.0%}, {lost:.0%} of the {'plays' if whole_plays else 'ratings'} missing: kappa {means[0]:.2f}, of"
        f" complete plays {means[1]:.2f}, alpha {means[2]:.2f}"
    )
counts, categories = aggregate_raters(study(0, 0, 0.25, True))
print(f"categories: {categories}")
assert np.isnan(categories[-1]) and (counts[:, -1] == 3).sum() == 15
cohen = np.mean([cohens_kappa(to_table(study(seed, 0, 0.25, True)[:, :2])[0]).kappa for seed in range(STUDIES)])
print(f"Cohen's kappa of two who guess, 25% of the plays missing: {cohen:.2f}")
first = [kappas[0] for kappas in found]
assert first == [0.33, 0.64, 0.76, 0.48, 0.31] and 0.25 < cohen < 0.4, f"it behaves otherwise now: {found}"
assert all(abs(kappas[1] - kappas[2]) < 0.03 for kappas in found)
PYTHON
