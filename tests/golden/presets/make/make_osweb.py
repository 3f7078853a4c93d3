"""Writes what OSWeb (OpenSesame in a browser) leaves in JATOS, by its source, and the CSV that its converter makes of it.

Each logger call is an object, with all variables of the experiment. A participant who came to the end has them in one
object with `data` and `context` on a line of its own. The possible subject numbers are 0 and 1 unless somebody says
otherwise, so two of three people share one; `sessionid` is drawn anew with each run.
"""

import json
import pathlib
import tempfile
import zipfile
from zoneinfo import ZoneInfo

from datamatrix import io, operations
from osweb import results

from experiment import OUT, sittings, word

FOLDER = OUT / "opensesame/osweb"
WORK = pathlib.Path(tempfile.mkdtemp())


def write():
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = {40 + sitting.number: json.dumps(finished(sitting, 40 + sitting.number)) for sitting in sittings()}
    (FOLDER / "jatos_results_data.txt").write_text("".join(line + "\n" for line in lines.values()))
    people = []
    for result, line in lines.items():  # one archive each: in one of all, their order is that of the file system
        archive = WORK / f"{result}.jrzip"
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr(f"study_result_{result}/comp-result_{result + 1}/data.txt", line)
        people.append(results.parse_results(archive))
    io.writetxt(operations.stack(people), FOLDER / "results.csv")


def finished(sitting, result):
    start = sitting.start.astimezone(ZoneInfo("America/New_York"))
    context = {
        "browser": {"codename": "Mozilla", "name": "Netscape", "version": "5.0 (X11)"},
        "date": {"startdate": f"{start:%d-%m-%y}", "starttime": f"{start:%H:%M:%S}", "startdateUTC": f"{sitting.start:%d-%m-%y}"},
        "experiment": {"debug": 0, "parameters": 0, "pilot": 0, "taskname": 0, "taskversion": 0},
        "screen": {"availHeight": 1053, "availWidth": 1920, "colorDepth": 24, "height": 1080, "pixelDepth": 24, "width": 1920},
        "system": {"os": "Linux x86_64"},
        "jatosVersion": "3.9.3", "jatosStudyResultId": str(result), "queryParams": {},
    }
    return {"data": list(calls(sitting, start, result % 2)), "context": context}


def calls(sitting, start, number):
    always = {
        "background": "black", "canvas_backend": "osweb", "condition": sitting.condition, "count_experiment": 0,
        "datetime": f"{start:%a %b %d %Y %H:%M:%S} GMT-0500 (Eastern Standard Time)", "height": 768,
        "opensesame_codename": "Melodramatic Milgram", "opensesame_version": "2.2.9",
        "sessionid": int(sitting.start.timestamp() * 1000) + 7919 * sitting.number, "start": "experiment",
        "subject_nr": number, "subject_parity": "odd" if number else "even", "title": "Rush Hour", "width": 1024,
    }
    page = sitting.screens[0]
    # Only what there is by then is logged: before the first level, nothing of levels.
    rows = [{"response": "space", "response_time": page.duration}]
    for screen in (screen for screen in sitting.screens if screen.kind == "level"):
        t = screen.onset
        for row in screen.rows:
            rows.append({"level": screen.level, "attempt": screen.attempt, "response": word(row), "response_time": row.rt,
                         "time_board": t})
            t = screen.onset + row.t
    total = 0
    for count, row in enumerate(rows):
        total += row["response_time"]
        counts = {"avg_rt": total / (count + 1), "count_logger": count, "total_response_time": total,
                  "total_responses": count + 1}
        yield dict(sorted({**always, **counts, **row}.items()))
