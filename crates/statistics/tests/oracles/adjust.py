"""Reference values of stats::adjust, from statsmodels' multipletests."""

import numpy as np
import statsmodels
from statsmodels.stats.multitest import multipletests

import oracle

rng = np.random.default_rng(20240605)
families = [
    [0.01, 0.04, 0.03, 0.005],
    [0.5],
    [0.02, 0.02, 0.02],
    [0.0, 1.0, 0.001, 0.9],
    np.round(rng.uniform(0, 1, 30) ** 3, 6).tolist(),
    np.round(rng.uniform(0, 0.2, 101), 4).tolist(),
]
cases = [
    {"p": p, "holm": multipletests(p, method="holm")[1], "benjamini_hochberg": multipletests(p, method="fdr_bh")[1]}
    for p in families
]
oracle.write(__file__, cases, statsmodels=statsmodels.__version__)
