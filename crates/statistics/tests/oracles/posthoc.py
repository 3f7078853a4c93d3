"""Reference values of stats::posthoc: scikit_posthocs.posthoc_dunn, unadjusted and adjusted. Its table has p values
only; the z statistic is the normal quantile of the unadjusted one, with the sign of the difference of mean ranks."""

import numpy as np
import scikit_posthocs
from scipy import stats

import oracle

rng = np.random.default_rng(20261129)
samples = {
    "times by quality": [np.round(rng.lognormal(m, 0.6, n), 3) for m, n in ((0.5, 40), (0.7, 25), (0.9, 12))],
    "ties": [rng.integers(low, low + 5, n).astype(float) for low, n in ((1, 20), (2, 15), (2, 30), (3, 8))],
    "small": [np.array([1.0, 5.0, 3.0]), np.array([2.0, 8.0, 9.0, 11.0]), np.array([4.0, 12.0])],
}
adjustments = {"none": None, "holm": "holm", "benjamini-hochberg": "fdr_bh"}
cases = []
for name, groups in samples.items():
    ranks = np.split(stats.rankdata(np.concatenate(groups)), np.cumsum([len(g) for g in groups])[:-1])
    plain = scikit_posthocs.posthoc_dunn(groups).to_numpy()
    for adjustment, key in adjustments.items():
        adjusted = scikit_posthocs.posthoc_dunn(groups, p_adjust=key).to_numpy()
        pairs = []
        for i in range(len(groups)):
            for j in range(i + 1, len(groups)):
                difference = ranks[i].mean() - ranks[j].mean()
                pairs.append({
                    "first": i, "second": j, "rank_difference": difference, "p_value": plain[i, j],
                    "statistic": np.sign(difference) * stats.norm.isf(plain[i, j] / 2), "p_adjusted": adjusted[i, j],
                })
        cases.append({"name": name, "groups": groups, "adjustment": adjustment, "pairs": pairs})
oracle.write(__file__, cases, scikit_posthocs=scikit_posthocs.__version__)
