"""Statistics of any table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from . import _native
from .progress import shown
from .tables import Table

def stats(
    table: Any,
    estimator: str,
    *,
    formula: str | None = None,
    where: str | Iterable[str] = (),
    by: str | Iterable[str] = (),
    adjust: str | None = None,
    confidence: float = 0.95,
    seed: int = 1,
    measure: str = "mean",
    resamples: int | None = None,
    threshold: float | None = None,
    reference: Mapping[str, str] | None = None,
    progress: bool | None = None,
    **roles: str | Iterable[str],
) -> Table:
    """The results of an estimator for a table.

    Args:
        table: A table of pandas, polars, pyarrow, DuckDB or plymap.
        estimator: Its name, or that of a further table of its fit, such as ``"mixed-terms"``; :func:`estimators` lists
            all of them.
        formula: Mixed model instead of ``y``, ``predictor`` and ``random``, as in lme4.
        where: Conditions that rows must meet, such as ``"solved"`` or ``"time_s > 0"``.
        by: Grouping columns; each group is estimated separately.
        adjust: Adjustment of p values for multiple tests: ``"holm"`` or ``"benjamini-hochberg"``.
        confidence: Level of all intervals.
        seed: Seed of the random number generator.
        measure: Aggregation of the rows of a participant: ``"mean"`` or ``"median"``.
        resamples: Number of resamples, or of random splits; the default depends on the number of rows.
        threshold: Limit of outliers, in multiples of the MAD or the interquartile range.
        reference: Reference level of each categorical column.
        progress: ``True`` shows progress.
        roles: The columns in each role: ``x``, ``y``, ``group``, ``participant``, ``item``, ``trial``, ``time``,
            ``event``, ``stratum``, ``predictor``, ``random``, ``given``.

    Raises:
        PlymapError: The estimator, a role or a column is unknown, or a column has the wrong type.

    >>> import pandas, plymap
    >>> trials = pandas.DataFrame({"n_moves": [8, 12, 9, 30, 21], "time_s": [10.0, 14.5, 11.0, 41.0, 20.0]})
    >>> found = plymap.stats(trials, "spearman", x="n_moves", y="time_s").to_pandas()
    >>> float(found["estimate"][0])
    1.0
    """
    asked = {
        "roles": {role: _several(columns) for role, columns in roles.items()},
        "formula": formula,
        "where": _several(where),
        "by": _several(by),
        "adjust": adjust or "none",
        "confidence": confidence,
        "seed": seed,
        "measure": measure,
        "resamples": resamples,
        "threshold": threshold,
        "reference": dict(reference or {}),
    }
    with shown(progress) as show:
        return Table(_native.estimate(table, estimator, json.dumps(asked), show))


def estimators() -> Table:
    """All estimators: names of their tables, required and optional roles, purpose, and references."""
    return Table(_native.estimators())


def _several(words: str | Iterable[str]) -> list[str]:
    return [words] if isinstance(words, str) else list(words)
