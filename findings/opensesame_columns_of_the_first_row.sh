#!/usr/bin/env bash
# The first row that OpenSesame logs fixes the columns of the file: what a script makes later is never in it, although the
# logger is set to log all variables; and a second logger writes its rows under the header of the first.
#
# Versions: opensesame-core 4.1.22, pygame 2.6.1, numpy 2.4.6.
# Input:    an experiment of the backend legacy without a screen, for subject 1: a page with instructions, then two trials (a
#           level, a key, and a script that sets var.score and adds a response of "board"), each logged with "auto_log yes".
#           The page is logged (a) not at all, (b) by the logger of the trials, (c) by the same, which names score with
#           "log score", (d) by another logger.
# Guess:    the trials are in the file with the same variables each time; where the page has no value there is NA.
# Seen:     (a) as guessed. (b) score, response_board and response_time_board are not in the file; the warnings are in the
#           console alone. (c) score is there, NA for the page; the two others are not. (d) Without a warning, the header has
#           61 cells and the trials 68: by the header their subject_nr is 2 and their level is 768 (the height of the screen).
# So:       name in the logger every variable that a script makes, use one logger item in all places, log no page before the
#           first trial without need, and compare the number of cells of each row with that of the header.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check opensesame-core==4.1.22 pygame==2.6.1 numpy==2.4.6
cd "$folder"
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy QT_QPA_PLATFORM=offscreen
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import contextlib
import csv
import io
import os

from libopensesame.experiment import Experiment
from libopensesame.oslogging import oslogger

EXPERIMENT = """---
API: 3
OpenSesame: 4.1.22
Platform: posix
---
set canvas_backend legacy
set start experiment

define sequence experiment
	run page always
	run logger_of_page always
	run trials always

define keyboard_response page
	set timeout 5

define loop trials
	set repeat 1
	set order sequential
	setcycle 0 level easy
	setcycle 1 level hard
	run trial

define sequence trial
	run key always
	run scoring always
	run logger always

define keyboard_response key
	set timeout 5

define inline_script scoring
	___run__
	var.score = 10 if var.level == 'easy' else 20
	responses.add(response='left', response_time=300, item='board')
	__end__

define logger logger
	set auto_log yes

define logger another
	set auto_log yes
"""
SHOWN = ("subject_nr", "level", "score", "response_board", "response_time_board")
by_the_same = EXPERIMENT.replace("logger_of_page", "logger")
experiments = {
    "a": EXPERIMENT.replace("\trun logger_of_page always\n", ""),
    "b": by_the_same,
    "c": by_the_same.replace("define logger logger\n", "define logger logger\n\tlog score\n"),
    "d": EXPERIMENT.replace("logger_of_page", "another"),
}
found = {}
console = io.StringIO()  # what OpenSesame says goes here instead
with contextlib.redirect_stdout(console):
    oslogger.start()
for name, text in experiments.items():
    console.seek(0)
    console.truncate()
    Experiment(string=text, logfile="data.csv", subject_nr=1, experiment_path=os.getcwd()).run()
    with open("data.csv") as file:
        header, *rows = csv.reader(file)
    warned = sorted(shown for shown in SHOWN if f"the variable {shown} was created after" in console.getvalue())
    values = [[dict(zip(header, row)).get(shown) for shown in SHOWN] for row in rows]
    found[name] = (len(header), [len(row) for row in rows], values, warned)
    print(f"({name}) {len(header)} columns, rows of {found[name][1]} cells, warned of {found[name][3]}")
    for row in values:
        print("    " + ", ".join(f"{shown} {value}" for shown, value in zip(SHOWN, row)))
late = ["response_board", "response_time_board"]
assert found == {
    "a": (68, [68, 68], [["1", "easy", "10", "left", "300"], ["1", "hard", "20", "left", "300"]], []),
    "b": (61, [61] * 3, [["1", level, None, None, None] for level in ("NA", "easy", "hard")], [*late, "score"]),
    "c": (62, [62] * 3, [["1", *of_row, None, None] for of_row in (("NA", "NA"), ("easy", "10"), ("hard", "20"))], late),
    "d": (61, [61, 68, 68], [["1", "NA", None, None, None], *[["2", "768", None, None, None]] * 2], []),
}, "it behaves otherwise now"
PYTHON
