"""Writes what PsychoJS (Pavlovia) saves, in the form that the source of its ExperimentHandler describes.

It differs from PsychoPy: no comma at the ends of lines, columns in the order in which they first appear, lists as JSON.
The sheet that it goes through rounds numbers to eleven characters, but not those within lists.
"""

import csv
import io
import json

from experiment import OUT, SITTING, sittings, word

TEXTS = ["Free the red car.", 'Drag the cars, "one after the other".']


def write():
    for variant in ("clicks", "lists"):
        folder = OUT / "psychojs" / variant
        folder.mkdir(parents=True, exist_ok=True)
        for sitting in sittings():
            data = rows(sitting, variant)
            names = list(dict.fromkeys(name for row in data for name in row))
            text = io.StringIO()
            writer = csv.DictWriter(text, names, lineterminator="\n")
            writer.writeheader()
            writer.writerows(data)
            name = f"{sitting.participant}_rush_hour_{sitting.start:%Y-%m-%d_%Hh%M.%S}.{sitting.start.microsecond // 1000:03}.csv"
            (folder / name).write_text(text.getvalue(), encoding="utf-8-sig", newline="")


def rows(sitting, variant):
    info = {
        "participant": sitting.participant,
        "session": "001",
        "date": f"{sitting.start:%Y-%m-%d_%Hh%M.%S}.000",
        "expName": "rush_hour",
        "psychopyVersion": "2024.1.0",
        "OS": "Linux",
        "frameRate": 60,
    }
    data = []
    for screen, text in zip([s for s in sitting.screens if s.kind == "instruction"], TEXTS):
        data.append({"text": text, "key_resp.keys": "space", "key_resp.rt": cell(screen.duration), **info})
    for index, level in enumerate(SITTING["levels"]):
        loop = {"trials.thisRepN": 0, "trials.thisTrialN": index, "trials.thisN": index, "trials.thisIndex": index, "trials.ran": 1,
                "level": level, "condition": sitting.condition}
        screens = [s for s in sitting.screens if s.kind == "level" and s.level == level]
        seen = [(screen.onset - screens[0].onset + row.t, word(row), screen.attempt) for screen in screens for row in screen.rows]
        if variant == "clicks":
            data += [{"mouse.time": cell(t), "move": move, "attempt": attempt, **loop, **info} for t, move, attempt in seen]
        else:
            lists = {"mouse.time": [number(t) for t, _, _ in seen], "move": [move for _, move, _ in seen], "attempt": [a for _, _, a in seen]}
            data.append({name: json.dumps(value, separators=(",", ":")) for name, value in lists.items()} | loop | info)
    end = sitting.screens[-1]
    data.append({"text": "Thank you.", "key_resp.keys": "space", "key_resp.rt": cell(end.duration), **info})
    return data


def number(milliseconds):
    """Seconds as a difference of two readings of the browser's clock."""
    return (51234.7 + milliseconds) / 1000 - 51234.7 / 1000


def cell(milliseconds):
    return f"{number(milliseconds):.9g}"
