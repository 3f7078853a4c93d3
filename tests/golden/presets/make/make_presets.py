"""Writes the files of the tools that run in Python, and of those that nobody can run here.

    python make_presets.py [name ...]        names: truth psychopy psychojs psiturk bids psych_ds datashop gorilla
                                                    expyriment opensesame osweb otree

Each name is a module of this folder; it needs only what its tool needs. Without names, those of the first line are
written; those of the second, which take the process for themselves, want a run each.
"""

import csv
import importlib
import sys

from experiment import OUT, truth

NAMES = ("truth", "psychopy", "psychojs", "psiturk", "bids", "psych_ds", "datashop", "gorilla")


def write_truth():
    rows = truth()
    with open(OUT / "truth.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


for name in sys.argv[1:] or NAMES:
    if name == "truth":
        write_truth()
    else:
        importlib.import_module(f"make_{name}").write()
