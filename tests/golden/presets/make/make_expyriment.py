"""Runs the experiment with Expyriment, without a screen: SDL draws into memory.

Only time is false: that of the simulated experiment. The data files are those that `control.end` leaves.
"""

import os
import pathlib
import shutil
import sys
import tempfile
import time
from zoneinfo import ZoneInfo

from experiment import OUT, SITTING, sittings, word

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "LC_ALL": "en_US.UTF-8"}
NOW = [0.0]  # seconds
WORK = pathlib.Path(tempfile.mkdtemp())
# Expyriment names its files after the script that was started, and writes a hash of it.
shutil.copy(__file__, WORK / "rush_hour.py")
os.chdir(WORK)
sys.argv = ["rush_hour.py"]

from expyriment import control, design, io, misc, stimuli  # noqa: E402

misc._timer.perf_counter = lambda: NOW[0]
control.set_develop_mode(True, skip_wait_methods=True)
control.defaults.opengl = 0
control.defaults.event_logging = 0
control.defaults.initialise_delay = 0
control.defaults.auto_create_subject_id = True
io.defaults.outputfile_time_stamp = True


def write():
    shutil.rmtree(OUT / "expyriment", ignore_errors=True)
    for variant in ("per-move", "lists"):
        folder = OUT / "expyriment" / variant
        folder.mkdir(parents=True)
        io.defaults.datafile_directory = str(folder)
        for sitting in sittings():
            run(sitting, variant)


def run(sitting, variant):
    began = NOW[0] = 1000.0 * sitting.number
    local = sitting.start.astimezone(ZoneInfo("America/New_York")).timetuple()
    real, time.localtime = time.localtime, lambda *_: local

    def at(screen, milliseconds=0):
        NOW[0] = began + (screen.onset + milliseconds) / 1000

    exp = design.Experiment(name="Rush Hour")
    block = design.Block(name="test")
    for level in SITTING["levels"]:
        trial = design.Trial()
        trial.set_factor("level", level)
        block.add_trial(trial)
    exp.add_block(block)
    control.initialise(exp)
    exp.data_variable_names = ["block", "trial", "level", "attempt", "move", "RT"] if variant == "per-move" else [
        "block", "trial", "level", "moves", "RTs"]
    control.start(subject_id=sitting.number, skip_ready_screen=True)
    exp.data.add_subject_info(f"condition = {sitting.condition}")
    for trial in block.trials:
        level = trial.get_factor("level")
        moves, times = [], []
        for screen in (s for s in sitting.screens if s.kind == "level" and s.level == level):
            at(screen)
            stimuli.TextLine(level).present()
            exp.clock.reset_stopwatch()
            for row in screen.rows:
                at(screen, row.t + 0.5)  # the stopwatch cuts what is beyond whole milliseconds
                rt = exp.clock.stopwatch_time
                at(screen, row.t)
                exp.clock.reset_stopwatch()
                if variant == "per-move":
                    exp.data.add([block.name, trial.id, level, screen.attempt, word(row), rt])
                moves.append(word(row))
                times.append(rt)
        if variant == "lists":
            exp.data.add([block.name, trial.id, level, moves, times])
    control.end(fast_quit=True)
    time.localtime = real
