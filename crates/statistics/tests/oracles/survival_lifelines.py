"""The data of survival.json again, by lifelines: a second opinion beside R's.

lifelines gives the same curves and log-log intervals; at a share of 1 or 0, where the formula has no
interval, it gives 1 or 0 (left out here). Cox models with clusters are left to R.
"""

import json
import pathlib
import warnings

import lifelines
import numpy as np
import pandas as pd
from lifelines.statistics import multivariate_logrank_test

import oracle

warnings.simplefilter("ignore")
folder = pathlib.Path(__file__).parent
data = json.loads((folder / "survival.json").read_text(encoding="utf-8"))

curves, tests, models = [], [], []
for case in data["kaplan_meier"]:
    fitted = lifelines.KaplanMeierFitter(alpha=1 - case["confidence"]).fit(case["times"], case["events"])
    survival = fitted.survival_function_["KM_estimate"]
    limits = fitted.confidence_interval_.to_numpy()
    inside = [t for t in case["time"] if 0 < survival[t] < 1]
    rows = [int(np.flatnonzero(survival.index == t)[0]) for t in inside]
    curves.append({
        "name": case["name"], "confidence": case["confidence"], "times": case["times"], "events": case["events"],
        "time": inside, "survival": [survival[t] for t in inside],
        "lower": limits[rows, 0], "upper": limits[rows, 1],
    })
for case in data["log_rank"]:
    # lifelines cannot leave out a group of which nobody is at risk at an event.
    if case["expected"][0] == 0:
        continue
    result = multivariate_logrank_test(case["times"], case["group"], case["events"])
    tests.append({
        "times": case["times"], "events": case["events"], "group": case["group"], "n_groups": case["n_groups"],
        "statistic": result.test_statistic, "p_value": result.p_value,
    })
for case in data["cox"]:
    if case["clusters"]:
        continue
    frame = pd.DataFrame(dict(zip(case["names"], case["covariates"])))
    # lifelines does not converge on covariates far from 0; the effects do not depend on where 0 is.
    frame -= frame.mean().round()
    frame["time"], frame["event"] = case["times"], case["events"]
    fitted = lifelines.CoxPHFitter().fit(frame, "time", "event", fit_options={"precision": 1e-12})
    models.append({
        "name": case["name"], "estimate": fitted.params_.to_numpy(),
        "standard_error": fitted.standard_errors_.to_numpy(), "log_likelihood": fitted.log_likelihood_,
    })
oracle.write(__file__, {"kaplan_meier": curves, "log_rank": tests, "cox": models}, lifelines=lifelines.__version__)
