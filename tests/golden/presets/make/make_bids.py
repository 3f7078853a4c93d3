"""Writes a small BIDS dataset, by its specification."""

import csv
import json
import shutil

from experiment import OUT, sittings

ROOT = OUT / "bids"
TEXT = {
    "README.md": """# Rush Hour

Three simulated participants at three levels of Rush Hour. `_beh.tsv` has one row for each move, `_events.tsv` the whole
sitting with its screens.
""",
    "CHANGES": "1.0.0 2026-03-10\n  - First version\n",
}
BEH = {
    "TaskName": "rushhour",
    "TaskDescription": "The participant slides cars until the red one can leave the board.",
    "level": {"Description": "Level that was played"},
    "attempt": {"Description": "Run at the level between resets, from 1"},
    "event": {"Description": "What happened", "Levels": {"move": "A car was moved", "reset": "The level was put back to its start", "give_up": "The level was left unsolved"}},
    "move": {"Description": "Car and cells: B+3 is car B three cells to the right or down"},
    "rt": {"LongName": "Response time", "Description": "Time since the row before, or since the level appeared", "Units": "ms"},
}
EVENTS = {
    "onset": {"Description": "Time since the sitting began", "Units": "s"},
    "duration": {"Description": "How long a screen was shown; a key press has none", "Units": "s"},
    "trial_type": {"Description": "What began", "Levels": {"screen": "Instructions, fixation, or the like", "board": "A level appeared", "move": "A car was moved", "reset": "The level was put back to its start", "give_up": "The level was left unsolved"}},
    "level": {"Description": "Level that was played"},
    "attempt": {"Description": "Run at the level between resets, from 1"},
    "move": {"Description": "Car and cells: B+3 is car B three cells to the right or down"},
    "response_time": {"Description": "Time since the row before, or since the level appeared", "Units": "s"},
}
PEOPLE = {
    "condition": {"Description": "Instruction", "Levels": {"speed": "Be fast", "accuracy": "Use few moves"}},
    "age": {"Description": "Age of the participant", "Units": "year"},
}


def write():
    shutil.rmtree(ROOT, ignore_errors=True)
    ROOT.mkdir(parents=True)
    for name, text in TEXT.items():
        (ROOT / name).write_text(text)
    dump("dataset_description.json", {"Name": "Rush Hour, simulated", "BIDSVersion": "1.10.0", "DatasetType": "raw", "License": "CC0",
                                      "Authors": ["A. Simulator", "B. Generator"], "GeneratedBy": [{"Name": "make_bids.py"}]})
    dump("participants.json", PEOPLE)
    dump("task-rushhour_events.json", EVENTS)  # holds for all _events.tsv, by inheritance
    people = []
    for sitting in sittings():
        subject = f"sub-{sitting.participant.removeprefix('P')}"
        stem = f"{subject}/ses-1/beh/{subject}_ses-1_task-rushhour"
        people.append([subject, sitting.condition, "n/a"])
        (ROOT / stem).parent.mkdir(parents=True)
        levels = [screen for screen in sitting.screens if screen.kind == "level"]
        table(f"{stem}_beh.tsv", ["level", "attempt", "event", "move", "rt"],
              [[s.level, s.attempt, row.event, row.action or "n/a", row.rt] for s in levels for row in s.rows])
        dump(f"{stem}_beh.json", BEH)
        table(f"{stem}_events.tsv", list(EVENTS), list(events(sitting)))
    table("participants.tsv", ["participant_id", "condition", "age"], people)


def events(sitting):
    for screen in sitting.screens:
        if screen.kind != "level":
            yield [s(screen.onset), s(screen.duration), "screen", *["n/a"] * 4]
            continue
        yield [s(screen.onset), s(screen.duration), "board", screen.level, screen.attempt, "n/a", "n/a"]
        for row in screen.rows:
            yield [s(screen.onset + row.t), "n/a", row.event, screen.level, screen.attempt, row.action or "n/a", s(row.rt)]


def s(milliseconds):
    return f"{milliseconds / 1000:.3f}"


def table(name, header, rows):
    with open(ROOT / name, "w", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([header, *rows])


def dump(name, value):
    (ROOT / name).write_text(json.dumps(value, indent=2) + "\n")
