"""plymap: analysis of logs of people solving puzzles.

    >>> import plymap
    >>> level = plymap.read_levels("BB...G\\nE..H.G\\nEAAH.G>\\nE..H..\\nF...CC\\nF.DDD.\\n")[0]
    >>> level.map().n_states
    1247

``read_levels`` returns levels and their maps, ``label`` and ``measure`` replay logs on them, ``stats`` computes
statistics of any table, and ``run`` runs a whole study. Tables come from pandas, polars, pyarrow and DuckDB and go to
them without files in between.
"""

from ._native import __version__
from .errors import Fault, PlymapError, PlymapWarning
from .levels import UNREACHABLE, Hint, Level, Levels, Map, Solution, States, read_levels
from .statistics import estimators, stats
from .studies import Played, Report, Run, label, label_shard, measure, merge, run, shard
from .tables import Column, Figure, Table

__all__ = [
    "UNREACHABLE",
    "Column",
    "Fault",
    "Figure",
    "Hint",
    "Level",
    "Levels",
    "Map",
    "Played",
    "PlymapError",
    "PlymapWarning",
    "Report",
    "Run",
    "Solution",
    "States",
    "Table",
    "__version__",
    "estimators",
    "label",
    "label_shard",
    "measure",
    "merge",
    "read_levels",
    "run",
    "shard",
    "stats",
]
