"""Runs the experiment with PsychoPy's data handlers, as a script of the Builder does.

Only the window, the mouse and the clock are missing: the time is that of the simulated experiment.
"""

import shutil
from zoneinfo import ZoneInfo

import psychopy
from psychopy import clock, data
from psychopy.constants import priority

from experiment import OUT, SITTING, sittings, word

NOW = [0.0]  # seconds
clock.getTime = lambda: NOW[0]
TEXTS = ["Free the red car.", "Drag the cars, one after the other.\nReset whenever you like."]
NAME = "rush_hour"


def write():
    for variant in ("clicks", "lists"):
        folder = OUT / "psychopy" / variant
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for sitting in sittings():
            run(sitting, variant, folder)


def run(sitting, variant, folder):
    NOW[0] = 100 + 17.1234567 * sitting.number  # the zero of the machine's clock is arbitrary
    began = NOW[0]
    global_clock = clock.Clock()
    routine_clock = clock.Clock()
    local = sitting.start.astimezone(ZoneInfo("America/New_York"))
    date = local.strftime("%Y-%m-%d_%Hh%M.%S.%f")[:-3]
    info = {"participant": sitting.participant, "session": "001", "date": date, "expName": NAME, "expVersion": "1.0",
            "psychopyVersion": psychopy.__version__, "frameRate": 60.02400960384154}
    exp = data.ExperimentHandler(name=NAME, version="1.0", extraInfo=info, runtimeInfo=None, originPath="",
                                 savePickle=False, saveWideText=False,
                                 dataFileName=str(folder / f"{sitting.participant}_{NAME}_{date}"), sortColumns="time")
    exp.addData("piloting", False, priority=priority.LOW)
    exp.setPriority("thisRow.t", priority.CRITICAL)
    exp.setPriority("expName", priority.LOW)

    def at(screen, milliseconds=0):
        NOW[0] = began + (screen.onset + milliseconds) / 1000

    def start(routine, screen):
        at(screen)
        routine_clock.reset()
        exp.addData(f"{routine}.started", global_clock.getTime(format="float"))

    def stop(routine, screen):
        at(screen, screen.duration)
        exp.addData(f"{routine}.stopped", global_clock.getTime(format="float"))

    def page(routine, screen, text):
        start(routine, screen)
        exp.addData("text", text)
        at(screen, screen.duration)
        exp.addData("key_resp.keys", "space")
        exp.addData("key_resp.rt", routine_clock.getTime())
        exp.addData("key_resp.duration", None)
        stop(routine, screen)
        exp.nextEntry()

    for screen, text in zip([s for s in sitting.screens if s.kind == "instruction"], TEXTS):
        page("instructions", screen, text)

    conditions = [{"level": level, "condition": sitting.condition} for level in SITTING["levels"]]
    trials = data.TrialHandler2(name="trials", nReps=1, method="sequential", extraInfo=info, originPath=-1,
                                trialList=conditions, seed=None, isTrials=True)
    exp.addLoop(trials)
    for trial in trials:
        screens = [s for s in sitting.screens if getattr(s, "level", None) == trial["level"]]
        at(screens[0])
        exp.addData("thisRow.t", global_clock.getTime(format="float"))
        start("ready", screens[0])
        stop("ready", screens[0])
        start("fixation", screens[1])
        stop("fixation", screens[1])
        start("board", screens[2])
        lists = {"mouse.x": [], "mouse.y": [], "mouse.time": [], "move": [], "attempt": []}
        for screen in screens[2:]:
            for number, row in enumerate(screen.rows):
                at(screen, row.t)
                seen = {"mouse.x": round(0.05 * (number % 7) - 0.15, 4), "mouse.y": round(0.2 - 0.05 * (number % 5), 4),
                        "mouse.time": routine_clock.getTime(), "move": word(row), "attempt": screen.attempt}
                if variant == "lists":
                    for name, value in seen.items():
                        lists[name].append(float(value) if name == "mouse.time" else value)
                    continue
                for name, value in seen.items():
                    exp.addData(name, value)
                if screen is not screens[-1] or row is not screen.rows[-1]:
                    exp.nextEntry()
        if variant == "lists":
            for name, value in lists.items():
                exp.addData(name, value)
        stop("board", screens[-1])
        exp.nextEntry()

    page("thanks", sitting.screens[-1], "Thank you.")
    exp.nextEntry()  # as behind the last loop of a Builder script: a row with nothing but the session's data
    exp.saveAsWideText(exp.dataFileName + ".csv", delim="auto")
