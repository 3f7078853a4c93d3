"""The simulated experiment behind all files: what happened, and when."""

import csv
import json
import pathlib
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent
DEMO = OUT.parents[2] / "data/demo/logs/moves.csv"
SITTING = json.loads((HERE / "sitting.json").read_text())


def truth():
    """Rows of truth.csv, from the log of the demo."""
    with open(DEMO, newline="") as file:
        demo = list(csv.DictReader(file))
    rows = []
    for participant, who in SITTING["participants"].items():
        for level in SITTING["levels"]:
            played = [row for row in demo if (row["participant"], row["level"]) == (who["demo"], level)]
            if played[-1]["event"] == "give_up":
                played = played[: who["give_up_after"]] + played[-1:]
            for row in played:
                names = ("level", "attempt", "event", "action", "rt_s")
                rows.append({"participant": participant, **{name: row[name] for name in names}})
    return rows


def sittings():
    """One object for each participant, with `screens`, all times in whole milliseconds.

    A screen has `kind` (instruction, ready, fixation, level or end), `level` and `attempt` where they apply,
    `onset` since the participant began, `duration`, and `rows`: `event`, `action`, `rt` and `t`, since the screen
    appeared. An attempt is one screen; the next one appears with its reset.
    """
    rows = truth()
    for number, (participant, who) in enumerate(SITTING["participants"].items(), 1):
        screens = []
        now = 0

        def show(kind, duration, **more):
            nonlocal now
            screens.append(SimpleNamespace(kind=kind, onset=now, duration=duration, **more))
            now += duration

        for seconds in who["instructions_s"]:
            show("instruction", ms(seconds))
        for level, seconds in zip(SITTING["levels"], who["ready_s"]):
            show("ready", ms(seconds), level=level)
            show("fixation", ms(SITTING["fixation_s"]), level=level)
            mine = [row for row in rows if (row["participant"], row["level"]) == (participant, level)]
            for attempt in sorted({int(row["attempt"]) for row in mine}):
                t = 0
                done = []
                for row in mine:
                    if int(row["attempt"]) == attempt:
                        t += ms(row["rt_s"])
                        done.append(SimpleNamespace(event=row["event"], action=row["action"], rt=ms(row["rt_s"]), t=t))
                show("level", t, level=level, attempt=attempt, rows=done)
        show("end", ms(who["end_s"]))
        start = datetime.fromisoformat(who["start"].replace("Z", "+00:00")).astimezone(timezone.utc)
        yield SimpleNamespace(
            participant=participant, number=number, condition=who["condition"], start=start, screens=screens
        )


def ms(seconds):
    return round(float(seconds) * 1000)


def at(sitting, milliseconds):
    return sitting.start + timedelta(milliseconds=milliseconds)


def word(row):
    """What a button or a move puts into a log: `B+3`, `reset`, `give_up`."""
    return row.action or row.event
