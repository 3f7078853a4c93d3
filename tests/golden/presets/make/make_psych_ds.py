"""Writes a small Psych-DS dataset, by its specification."""

import csv
import json
import shutil

from experiment import OUT, sittings

ROOT = OUT / "psych-ds"
VARIABLES = {
    "level": ("Level that was played", None),
    "condition": ("Instruction: speed or accuracy", None),
    "attempt": ("Run at the level between resets, from 1", None),
    "event": ("move, reset or give_up", None),
    "move": ("Car and cells: B+3 is car B three cells to the right or down; empty for reset and give_up", None),
    "rt": ("Time since the row before, or since the level appeared", "ms"),
}


def write():
    shutil.rmtree(ROOT, ignore_errors=True)
    (ROOT / "data").mkdir(parents=True)
    measured = []
    for name, (description, unit) in VARIABLES.items():
        measured.append({"@type": "PropertyValue", "name": name, "description": description})
        if unit:
            measured[-1]["unitText"] = unit
    about = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": "Rush Hour, simulated",
        "description": "Three simulated participants at three levels of Rush Hour.",
        "variableMeasured": measured,
    }
    (ROOT / "dataset_description.json").write_text(json.dumps(about, indent=2) + "\n")
    (ROOT / "README.md").write_text("# Rush Hour\n\nThree simulated participants at three levels. The file names tell who played, and when.\n")
    for sitting in sittings():
        name = f"subject-{sitting.participant.removeprefix('P')}_session-1_data.csv"
        with open(ROOT / "data" / name, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(VARIABLES)
            for screen in sitting.screens:
                for row in getattr(screen, "rows", []):
                    writer.writerow([screen.level, sitting.condition, screen.attempt, row.event, row.action, row.rt])
