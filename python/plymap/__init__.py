"""plymap: analysis of logs of people solving puzzles.

    >>> import plymap
    >>> level = plymap.read_levels("BB...G\\nE..H.G\\nEAAH.G>\\nE..H..\\nF...CC\\nF.DDD.\\n")[0]
    >>> level.map().n_states
    1247

``propose`` finds out what the files of an experiment mean, ``read_levels`` returns levels and their maps, ``label`` and
``measure`` replay logs on them, ``stats`` computes statistics of any table, ``figure`` draws one figure, and ``run`` runs
a whole study; ``simulate`` and ``power`` plan the next experiment. Tables come from pandas, polars, pyarrow and DuckDB and
go to them without files in between.
"""

from ._native import __version__
from .errors import Fault, PlymapError, PlymapWarning
from .figures import figure, figure_kinds
from .levels import UNREACHABLE, Hint, Level, Levels, Map, Solution, States, read_levels
from .pages import Page, open
from .proposals import Note, Proposal, propose
from .statistics import estimators, stats
from .studies import (
    Played,
    Power,
    Report,
    Run,
    Simulated,
    label,
    label_shard,
    measure,
    merge,
    power,
    run,
    shard,
    simulate,
)
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
    "Note",
    "Page",
    "Played",
    "PlymapError",
    "PlymapWarning",
    "Power",
    "Proposal",
    "Report",
    "Run",
    "Simulated",
    "Solution",
    "States",
    "Table",
    "__version__",
    "estimators",
    "figure",
    "figure_kinds",
    "label",
    "label_shard",
    "measure",
    "merge",
    "open",
    "power",
    "propose",
    "read_levels",
    "run",
    "shard",
    "simulate",
    "stats",
]
