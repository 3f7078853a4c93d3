#!/usr/bin/env bash
# Expyriment does not round its times to whole milliseconds: it cuts them, and so they are half a millisecond short on average.
#
# Versions: expyriment 1.0.1, pygame 2.6.1, numpy 2.4.6.
# Input:    an experiment without a screen, whose timer is replaced, so that the true times are known: 0.4999, 0.5001, 0.5004,
#           0.5006 and 0.5009 s; 10000 times between 0.2 and 2 s; and 11.774 s from each of 1000, 1001, …, 1999 s. Each is
#           measured with clock.stopwatch_time, with the time of a new Clock, and with a key that ends keyboard.wait.
# Guess:    the nearest whole millisecond: 500, 500, 500, 501, 501; right on average; 11774 each time.
# Seen:     the same in all three: 499, 500, 500, 500, 500; 0.5 ms short on average; and 11773 in 987 of 1000 cases, as the
#           difference of two numbers of seconds is mostly a rounding error below 11.774 and then loses a whole millisecond.
# So:       add 0.5 ms to a mean of such times before it is compared with that of another program (differences between
#           conditions stay as they are), and under a simulated timer set the clock half a millisecond later than is meant.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check expyriment==1.0.1 pygame==2.6.1 numpy==2.4.6
cd "$folder"
SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy "$folder/python/bin/python" -W ignore - <<'PYTHON'
import random
from collections import Counter

import pygame
from expyriment import control, design, misc

control.set_develop_mode(True)
control.defaults.opengl = 0
control.defaults.event_logging = 0
control.defaults.initialise_delay = 0
control.defaults.auto_create_subject_id = True
exp = design.Experiment(name="times")
control.initialise(exp)
control.start(skip_ready_screen=True)
now = [0.0]  # seconds
misc._timer.perf_counter = lambda: now[0]


def stopwatch(start, duration):
    now[0] = start
    exp.clock.reset_stopwatch()
    now[0] = start + duration
    return exp.clock.stopwatch_time


def clock(start, duration):
    now[0] = start
    begun_now = misc.Clock()
    now[0] = start + duration
    return begun_now.time


def keyboard(start, duration):
    def press():
        now[0] = start + duration
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE))

    now[0] = start
    return exp.keyboard.wait(callback_function=press, process_control_events=False)[1]


random.seed(1)
durations = [random.uniform(0.2, 2) for _ in range(10000)]
for tool in (stopwatch, clock, keyboard):
    near_500 = [tool(1000, seconds) for seconds in (0.4999, 0.5001, 0.5004, 0.5006, 0.5009)]
    bias = round(sum(tool(1000, seconds) - 1000 * seconds for seconds in durations) / len(durations), 1)
    exact = dict(Counter(tool(start, 11.774) for start in range(1000, 2000)))
    print(f"{tool.__name__}: {near_500}, {bias} ms on average, 11.774 s: {exact}")
    assert near_500 == [499, 500, 500, 500, 500], "it behaves otherwise now"
    assert bias == -0.5, "it behaves otherwise now"
    assert exact == {11774: 13, 11773: 987}, "it behaves otherwise now"
PYTHON
