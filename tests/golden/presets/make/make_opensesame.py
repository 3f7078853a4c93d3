"""Runs the experiment with OpenSesame and its backend `legacy`, without a screen: SDL draws into memory.

Only the clock and the key that is pressed are false. The board is an inline script, as nothing in OpenSesame drags.
"""

import os
import pathlib
import shutil
import tempfile
from types import SimpleNamespace
from zoneinfo import ZoneInfo

from experiment import OUT, SITTING, sittings, word

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "QT_QPA_PLATFORM": "offscreen"}
WORK = pathlib.Path(tempfile.mkdtemp())
os.chdir(WORK)  # the path of the experiment and of its log are among what is logged

import pygame  # noqa: E402
from libopensesame import experiment as opensesame  # noqa: E402

NOW = [0]  # milliseconds
KEYS = []  # how long it takes until a key is pressed

EXPERIMENT = """---
API: 3
OpenSesame: 4.1.22
Platform: posix
---
set canvas_backend legacy
set title "Rush Hour"
set start experiment

define sequence experiment
	run set_up always
	run page always
	run key always
	LOG_PAGE
	run levels always

define inline_script set_up
	___run__
	play = lab.begin(var.subject_nr)
	var.condition = play.condition
	var.attempt = 'NA'
	__end__

define sketchpad page
	set duration 0
	draw textline center=1 color=white font_family=mono font_size=18 show_if=always text="Free the red car." x=0 y=0 z_index=0

define keyboard_response key
	set timeout infinite
	set duration keypress

define loop levels
	set repeat 1
	set order sequential
	set break_if never
LEVELS
	run level_sequence

define sequence level_sequence
	run show always
	run moves always
	LOG_LEVEL

define inline_script show
	___run__
	events = play.show(var.level)
	var.over = 'no'
	move_list, time_list = [], []
	__end__

define loop moves
	set repeat 1000
	set order sequential
	set break_if "over == 'yes'"
	set break_if_on_first no
	setcycle 0 piece any
	run move_sequence

define sequence move_sequence
	run board always
	LOG_MOVE

define inline_script board
	___run__
	event = next(events)
	responses.add(response=event.word, response_time=event.rt, item='board')
	var.attempt = event.attempt
	var.over = 'yes' if event.is_last else 'no'
	move_list.append(event.word)
	time_list.append(event.t)
	var.moves, var.times = move_list, time_list
	__end__

define logger logger
LOGGED
"""
ALL = "\tset auto_log yes"
SOME = "\tset auto_log no\n" + "\n".join(
    f"\tlog {name}" for name in ("subject_nr", "datetime", "experiment_file", "condition", "level", "moves", "times"))


class Lab:
    """What the inline scripts ask for: somebody who plays."""

    def __init__(self, sitting):
        self.sitting = sitting
        self.condition = sitting.condition

    def begin(self, number):
        assert number == self.sitting.number
        instructions = [screen.duration for screen in self.sitting.screens if screen.kind == "instruction"]
        KEYS[:] = instructions[:1]
        return self

    def show(self, level):
        screens = [screen for screen in self.sitting.screens if screen.kind == "level" and screen.level == level]
        for screen in screens:
            for row in screen.rows:
                NOW[0] = screen.onset + row.t
                yield SimpleNamespace(word=word(row), rt=float(row.rt), attempt=screen.attempt,
                                      t=float(screen.onset - screens[0].onset + row.t),
                                      is_last=screen is screens[-1] and row is screen.rows[-1])


def pressed(kind=None):
    """What has happened since it was last asked: on the second question, the key."""
    if kind != pygame.KEYDOWN or not KEYS:
        return []
    if KEYS[0]:
        NOW[0] += KEYS[0]
        KEYS[0] = 0
        return []
    KEYS.pop()
    return [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE, unicode=" ")]


def write():
    pygame.time.get_ticks = lambda: NOW[0]
    pygame.event.get = pressed
    FOLDER = OUT / "opensesame"
    levels = "\n".join(f'\tsetcycle {number} level "{level}"' for number, level in enumerate(SITTING["levels"]))
    for variant, where, logged in (("per-move", ("LOG_PAGE", "LOG_MOVE"), ALL), ("lists", ("LOG_LEVEL",), SOME)):
        folder = OUT / "opensesame" / variant
        folder.mkdir(parents=True)
        text = EXPERIMENT.replace("LEVELS", levels).replace("LOGGED", logged)
        for place in ("LOG_PAGE", "LOG_MOVE", "LOG_LEVEL"):
            text = text.replace(f"\t{place}\n", "\trun logger always\n" if place in where else "")
        (WORK / "rush_hour.osexp").write_text(text)
        for sitting in sittings():
            NOW[0] = 0
            local = sitting.start.astimezone(ZoneInfo("America/New_York"))
            opensesame.time = SimpleNamespace(strftime=local.strftime)
            log = f"subject-{sitting.number}.csv"
            run = opensesame.Experiment(string=text, logfile=log, subject_nr=sitting.number, experiment_path="rush_hour.osexp")
            run.python_workspace["lab"] = Lab(sitting)
            run.run()
            shutil.copy(WORK / log, folder / log)
