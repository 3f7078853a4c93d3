"""Writes a participants.db with the models of psiTurk, and saves from it what `download_datafiles` saves.

The data of a participant have the form in which psiturk.js sends them.
"""

import json
import os
import pathlib
import shutil
import sqlite3
import tempfile
from datetime import timedelta

from experiment import OUT, at, sittings, word

FOLDER = OUT / "psiturk"
WORK = pathlib.Path(tempfile.mkdtemp())
os.chdir(WORK)  # psiTurk reads its configuration and puts its database where it is started
(WORK / "config.txt").write_text(
    "[Database Parameters]\ndatabase_url = sqlite:///participants.db\ntable_name = rushhour\n"
    "[Task Parameters]\nexperiment_code_version = 1.0\n"
)

from psiturk.db import db_session, init_db  # noqa: E402
from psiturk.models import Participant  # noqa: E402
from psiturk.psiturk_shell import PsiturkNetworkShell  # noqa: E402


def write():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    init_db()
    for sitting in sittings():
        worker, assignment = sitting.participant, f"debugA{sitting.number}"
        person = Participant(workerid=worker, assignmentid=assignment, hitid="debugH1", cond=int(sitting.condition == "speed"),
                             counterbalance=0, ipaddress="127.0.0.1", browser="firefox", platform="linux", language="en", mode="debug")
        person.beginhit = (sitting.start - timedelta(seconds=41)).replace(tzinfo=None)
        person.beginexp = sitting.start.replace(tzinfo=None)
        end = at(sitting, sitting.screens[-1].onset + sitting.screens[-1].duration)
        person.endhit = (end + timedelta(seconds=2)).replace(tzinfo=None)
        person.status = 4
        person.datastring = json.dumps(datastring(sitting, person.uniqueid))
        db_session.add(person)
    db_session.commit()
    PsiturkNetworkShell.do_download_datafiles(None, None)
    for name in ("trialdata.csv", "eventdata.csv", "questiondata.csv", "participants.db"):
        shutil.copy(WORK / name, FOLDER / name)
    with sqlite3.connect(FOLDER / "participants.db", isolation_level=None) as database:  # half the size, the same content
        database.execute("PRAGMA page_size = 1024")
        database.execute("VACUUM")


def datastring(sitting, unique):
    """What psiturk.js posts: the first and the third participant with one row a move, the second with one an attempt."""
    data = []
    events = [(at(sitting, 0), "initialized", None), (at(sitting, 0), "window_resize", [1280, 800])]
    worker, assignment = unique.split(":")

    def record(milliseconds, trial):
        data.append({"uniqueid": unique, "current_trial": len(data), "dateTime": epoch(at(sitting, milliseconds)), "trialdata": trial})

    pages = ["instructions/1.html", "instructions/2.html"]
    record(0, {"phase": "INSTRUCTIONS", "templates": pages, "action": "Begin"})
    for number, screen in enumerate(s for s in sitting.screens if s.kind == "instruction"):
        action = "NextPage" if number == 0 else "FinishInstructions"
        record(screen.onset + screen.duration, {"phase": "INSTRUCTIONS", "template": pages[number], "indexOf": number,
                                                "action": action, "viewTime": screen.duration})
    for screen in (s for s in sitting.screens if s.kind == "level"):
        if sitting.number == 2:
            trial = {"phase": "TEST", "level": screen.level, "attempt": screen.attempt, "condition": sitting.condition,
                     "t": [row.t for row in screen.rows], "event": [word(row) for row in screen.rows]}
            record(screen.onset + screen.duration, trial)
            continue
        for row in screen.rows:
            record(screen.onset + row.t, {"phase": "TEST", "level": screen.level, "attempt": screen.attempt,
                                          "condition": sitting.condition, "move": word(row), "rt": row.rt})
    blurred = sitting.screens[3].onset + 250
    events += [(at(sitting, blurred), "focus", "off"), (at(sitting, blurred + 180), "focus", "on")]
    log = []
    for when, kind, value in events:
        interval = epoch(when) - log[-1]["timestamp"] if log else 0
        log.append({"eventtype": kind, "value": value, "timestamp": epoch(when), "interval": interval})
    return {"condition": int(sitting.condition == "speed"), "counterbalance": 0, "assignmentId": assignment, "workerId": worker,
            "hitId": "debugH1", "currenttrial": len(data), "bonus": 0, "data": data,
            "questiondata": {"engagement": str(5 + sitting.number), "difficulty": "4"}, "eventdata": log,
            "useragent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "mode": "debug", "id": unique}


def epoch(when):
    return round(when.timestamp() * 1000)
