"""Plays levels as trials of jsPsych in headless Chromium, and compares the data with what was done.

    python plugin.py [--chromium PATH] [--shots FOLDER]

The plugin has to be built (`npm ci && npm run build` in the folder above). Any message of the console and any uncaught error is a
fault. Needs Python with `playwright` and a Chromium of the system.
"""

import functools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "browser"))

from harness import KEYS, PLAY, BoardPage, Check, LocalServer, PlaywrightTimeout, chromium, parser  # noqa: E402

# The shortest way of three disks, as the board writes it.
SOLUTION = ["1>3", "1>2", "3>2", "1>3", "2>1", "2>3", "1>3"]
PEGS = {"1": 2, "2": 6, "3": 10}
WIDTHS = ((360, 640), (800, 900))


class JsPsychServer(LocalServer):
    """The folder `play`, where plugins of jsPsych write styles into their page."""

    policy = None


class Board(BoardPage):
    """A board with the tower of three disks."""

    def disk(self, move):
        """Drags the top disk of one peg to another."""
        self.settle()
        start, end = move.split(">")
        top = self.page.evaluate(
            """(middle) => {
              const svg = document.querySelector(".play-board svg");
              const tops = Array.from(svg.querySelectorAll("text"), (text) => text.previousElementSibling.getBoundingClientRect())
                .map((box) => new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(svg.getScreenCTM().inverse()))
                .filter(({ x }) => Math.abs(x / 100 - middle) < 0.1).map(({ y }) => y / 100);
              return Math.min(...tops);
            }""",
            PEGS[start],
        )
        self.drag((top, PEGS[start]), (top, PEGS[end]))
        self.settle()


class Trial(Board):
    """A page with trials."""

    def __init__(self, browser, base, check, levels, *, size=(800, 900), touch=False, mode=None, data=None, speed=1, quiet=True, loads=True, **parameters):
        where = f"{','.join(levels)}, {mode or 'by hand'}, {size[0]} px"
        self.is_quiet = quiet
        super().__init__(check, where, browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch, is_mobile=touch))
        page = self.page
        page.goto(f"{base}/jspsych/test/plugin.html")
        page.wait_for_function("() => window.run")
        page.evaluate("([levels, parameters, mode, options]) => { run(levels, parameters, mode, options); }", [levels, parameters, mode, {"data": data or {}, "speed": speed}])
        page.wait_for_function("() => test.began")
        self.began = page.evaluate("test.began")
        if loads and mode is None:
            page.wait_for_function("() => test.loads > 0")

    def heard(self, message):
        if self.is_quiet:
            super().heard(message)

    def failed(self, error):
        if self.is_quiet:
            super().failed(error)

    def next(self):
        self.button("Next level").click()

    def rows(self, timeout=15_000):
        try:
            self.page.wait_for_function("() => test.rows || test.error", timeout=timeout)
        except PlaywrightTimeout:
            self.that(False, f"the trial does not end: {self.page.inner_text('body')!r}")
            return [{}]
        error = self.page.evaluate("test.error")
        self.that(error is None, f"error {error}")
        rows = self.page.evaluate("test.rows")
        for row in rows or []:
            self.sound(row)
        return rows or [{}]

    def sound(self, row):
        """What holds for the data of every trial."""
        events = row["events"]
        times = [event["time_ms"] for event in events]
        self.same(times, sorted(times), "times in order")
        self.same(row["rt"], round_half_up(times[-1] - times[0]), "rt is the time from the first event to the last")
        self.same(row["n_moves"], sum(event["event"] == "move" for event in events), "n_moves")
        self.same(row["n_attempts"], 1 + sum(event["event"] == "reset" for event in events), "n_attempts")
        self.same([events[0]["event"], row["trial_type"]], ["start", "plymap"], "first event and type")
        self.that(all(set(event) == {"event", "action", "time_ms", "attempt"} for event in events), f"keys of events: {events[0]}")


def round_half_up(number):
    return int(number + 0.5)


def told(row):
    return [(event["event"], event["action"]) for event in row.get("events", [])]


def check_solved_by_mouse(open_trial):
    with open_trial(["tower"], progress={"level": 2, "of": 5}, hints=True) as play:
        play.that("Level 2 of 5" in play.page.inner_text("body"), "progress is shown")
        play.that("Drag a piece" in play.page.inner_text("body"), "how moves are made is shown")
        play.same(play.page.evaluate("document.activeElement.getAttribute('role')"), "application", "the board has the keys")
        play.disk("1>2")
        play.button("Undo").click()
        play.button("Hint").click()
        play.disk("1>2")
        play.button("Start again").click()
        play.settle()
        for move in SOLUTION:
            play.disk(move)
        play.that("Solved: 7 moves." in play.page.inner_text("body"), "the end is shown")
        play.that(play.page.evaluate("test.rows === null"), "the trial waits for the button")
        before = play.page.evaluate("performance.now()")
        play.next()
        (row,) = play.rows()
        wanted = [("start", ""), ("move", "1>2"), ("undo", "1>2"), ("hint", "1>3"), ("move", "1>2"), ("reset", "")]
        wanted += [("move", move) for move in SOLUTION] + [("solved", "")]
        play.same(told(row), wanted, "events")
        play.same([row["outcome"], row["n_moves"], row["n_attempts"], row["level"]], ["solved", 9, 2, "tower"], "data")
        play.that(play.began <= row["events"][0]["time_ms"] <= row["events"][-1]["time_ms"] <= before, "times are of the clock of the page")
        play.same(play.page.locator(".play").count(), 0, "boards after the end")


def check_given_up(open_trial):
    with open_trial(["tower"], button_label="On <with> it", language="de") as play:
        play.button("Aufgeben").click()
        play.button("Ja, aufgeben").click()
        play.button("On <with> it").click()
        (row,) = play.rows()
        play.same([told(row), row["outcome"], row["n_moves"]], [[("start", ""), ("give_up", "")], "given_up", 0], "data")


def check_limits(open_trial):
    with open_trial(["tower"], moves=2, feedback_duration=100) as play:
        play.disk("1>3")
        play.disk("1>2")
        (row,) = play.rows()
        play.same([told(row)[-2:], row["outcome"]], [[("move", "1>2"), ("limit", "moves")], "limit_moves"], "limit of moves")
        play.same(row["events"][-1]["time_ms"], row["events"][-2]["time_ms"], "the limit is reached by the move")
    with open_trial(["tower"], seconds=1, feedback_duration=0) as play:
        play.disk("1>3")
        (row,) = play.rows()
        play.same([told(row), row["outcome"]], [[("start", ""), ("move", "1>3"), ("limit", "seconds")], "limit_seconds"], "limit of seconds")
        play.same(row["rt"], 1000, "rt at a limit of 1 s")


def check_no_move_left(open_trial):
    with open_trial(["pegs"], undo=False, reset=False, give_up=False) as play:
        play.same(play.page.locator(".play-tools button:visible").count(), 0, "buttons where nothing is allowed")
        play.drag((0.5, 0.5), (0.5, 2.5))
        play.settle()
        play.drag((0.5, 3.5), (0.5, 5.5))
        play.settle()
        play.next()
        (row,) = play.rows()
        play.same([told(row)[-1], row["outcome"]], [("give_up", ""), "ended"], "data")


def check_what_is_shown(open_trial):
    with open_trial(["tower"], clock=False, counter=False, how=False, focus=False, texts={"undo": "Back", "next": "On"}) as play:
        text = play.page.inner_text("body")
        play.that("Time" not in text and "Moves" not in text and "Drag" not in text, f"what is not to be shown: {text!r}")
        play.that(play.page.evaluate("!document.activeElement.closest('.play')"), "the board has no keys")
        play.button("Back").wait_for()
        play.button("Give up").click()
        play.button("Yes, give up").click()
        play.button("On").click()
        play.rows()


def check_touch_screen(open_trial):
    for level in ("slide", "tower", "swipe", "lamps"):
        shown = {}
        for touch in (False, True):
            with open_trial([level], size=(400, 800), touch=touch) as play:
                shown[touch] = KEYS.findall(play.page.locator(".play").locator("xpath=..").text_content())
                play.button("Give up").click()
                play.button("Yes, give up").click()
                play.next()
                play.rows()
        play.that(shown[False] and not shown[True], f"words for keys: {shown[False]}, and on a touch screen {shown[True]}")


def check_two_levels(open_trial):
    with open_trial(["lamps", "swipe"]) as play:
        play.page.mouse.click(*play.point(0.5, 0.5))
        play.next()
        play.page.wait_for_function("() => test.loads === 2")
        play.page.keyboard.press("ArrowRight")
        play.button("Give up").click()
        play.button("Yes, give up").click()
        play.next()
        rows = play.rows()
        play.same([row["level"] for row in rows], ["lamps", "swipe"], "levels")
        play.same([told(row)[1] for row in rows], [("move", "a1"), ("move", "right")], "first moves")
        play.that(rows[0]["events"][-1]["time_ms"] < rows[1]["events"][0]["time_ms"], "trials are on one clock")


def check_level_that_is_not_there(open_trial):
    with open_trial(["/nowhere/tower.plymap"], quiet=False, loads=False) as play:
        play.button("Try again").wait_for()
        text = play.page.inner_text("body")
        play.that("The level could not be loaded." in text and "404" in text, f"what is wrong is said: {text!r}")
        play.page.evaluate("import('../../test/levels.js').then(async ({ mapFile }) => { const file = await mapFile('tower'); window.fetch = async () => new Response(file); })")
        play.button("Try again").click()
        play.page.locator(".play-board").wait_for()
        play.button("Give up").click()
        play.button("Yes, give up").click()
        play.next()
        (row,) = play.rows()
        play.same([row["level"], row["outcome"]], ["tower", "given_up"], "data after a second try")


def check_preload(open_trial):
    with open_trial(["lamps"], quiet=False) as play:
        asked = []
        play.page.on("request", lambda request: asked.append(request.url))
        play.page.evaluate("['../../no.plymap', '../../no.plymap'].forEach(jsPsychPlymap.preload)")
        play.page.wait_for_timeout(200)
        play.same(len(asked), 1, "requests of a level that is preloaded twice")


def check_abort(open_trial):
    with open_trial(["tower"], seconds=2) as play:
        play.page.evaluate("() => { const clear = clearInterval; test.n_cleared = 0; window.clearInterval = (one) => { test.n_cleared += 1; clear(one); }; }")
        play.page.evaluate("test.jsPsych.abortExperiment('Over.')")
        play.page.wait_for_timeout(100)
        play.same(play.page.evaluate("test.n_cleared"), 1, "clocks that were stopped")
        play.page.wait_for_timeout(2400)
        play.same(play.page.inner_text("#jspsych-content"), "Over.", "page after the experiment was aborted")
        play.same(len(play.page.evaluate("test.rows")), 1, "rows")


def check_simulated(open_trial):
    """The hand makes each kind of move, and the board tells what it was to do."""
    for level in ("slide", "tower", "triangle", "swipe", "lamps", "jugs", "pusher"):
        with open_trial([level], mode="visual", data={"rt": 900}) as play:
            (row,) = play.rows()
            play.same([row.get("outcome"), told(row)[-1:]], ["solved", [("solved", "")]], "data")
            play.that(895 <= row["rt"] <= 3000, f"rt {row['rt']}")
    steps = [("start", "", 5000), ("move", "1>2", 5300), ("undo", "1>2", 5500), ("hint", "1>3", 5700), ("move", "1>2", 6000), ("reset", "", 6200), ("move", "1>3", 6500), ("give_up", "", 6800)]
    events = [{"event": event, "action": action, "time_ms": time} for event, action, time in steps]
    with open_trial(["tower"], mode="visual", data={"events": events}, hints=True) as play:
        (row,) = play.rows()
        play.same(told(row), [step[:2] for step in steps], "events as wished")
        late = [event["time_ms"] - row["events"][0]["time_ms"] - (step[2] - 5000) for event, step in zip(row["events"], steps)]
        play.that(all(-2 <= one < 250 for one in late), f"times as wished, and late by {late}")
    with open_trial(["tower"], mode="visual", data={"outcome": "limit_moves"}, moves=3, feedback_duration=50) as play:
        (row,) = play.rows()
        play.same([row.get("outcome"), row.get("n_moves")], ["limit_moves", 3], "limit of moves")
    with open_trial(["tower"], mode="visual", data={"events": [{"event": "move", "action": "1>2", "time_ms": 100}]}, give_up=False, seconds=1) as play:
        (row,) = play.rows()
        play.same([row.get("outcome"), told(row)[1:]], ["limit_seconds", [("move", "1>2"), ("limit", "seconds")]], "limit of seconds")
    with open_trial(["tower"], mode="visual", data={"events": [{"event": "move", "action": "1>2", "time_ms": 60_000}]}, seconds=1) as play:
        (row,) = play.rows(timeout=5_000)
        play.same([row.get("outcome"), row.get("n_moves")], ["limit_seconds", 0], "a limit that comes before the first step")
    with open_trial(["tower"], mode="visual", data={"events": [{"event": "move", "action": "3>2", "time_ms": 100}]}, quiet=False) as play:
        play.page.wait_for_function("() => test.error")
        play.same(play.page.evaluate("test.error"), "Level tower: the move 3>2 is not legal", "a wrong step is named")
    with open_trial(["tower"], mode="visual", data={"rt": 60_000}, speed=100) as play:
        (row,) = play.rows(timeout=5_000)
        play.that(59_900 <= row["rt"] <= 75_000, f"rt {row['rt']} of a minute that is played in less than a second")
    with open_trial(["tower", "swipe"], mode="data-only") as play:
        rows = play.rows()
        play.same([row["outcome"] for row in rows], ["solved", "solved"], "data-only")


def check_sizes(open_trial, shots):
    for size in WIDTHS:
        for level in ("slide", "tower", "swipe", "jugs"):
            with open_trial([level], size=size, hints=True, progress={"level": 3, "of": 12}) as play:
                width, height = play.page.evaluate("[document.documentElement.scrollWidth, Math.max(document.body.scrollHeight, document.documentElement.scrollHeight)]")
                play.that(width <= size[0], f"the page is {width} px wide")
                lowest = play.page.evaluate("Math.max(...Array.from(document.querySelectorAll('.play-foot button'), (one) => one.getBoundingClientRect().bottom))")
                play.that(lowest <= size[1], f"the lowest button ends at {lowest}")
                if shots:
                    play.page.screenshot(path=str(shots / f"{level}-{size[0]}.png"))
                play.button("Give up").click()
                play.button("Yes, give up").click()
                bottom = play.button("Next level").bounding_box()
                play.that(bottom["y"] + bottom["height"] <= size[1], f"the button that goes on ends at {bottom}")
                if shots:
                    play.page.screenshot(path=str(shots / f"{level}-{size[0]}-end.png"))


def main():
    options = parser(__doc__).parse_args()
    check = Check()
    server = JsPsychServer(PLAY)
    parts = [check_solved_by_mouse, check_given_up, check_limits, check_no_move_left, check_what_is_shown, check_touch_screen, check_two_levels,
             check_level_that_is_not_there, check_preload, check_abort, check_simulated]
    with chromium(options.chromium) as browser:
        open_trial = functools.partial(Trial, browser, server.base, check)
        for part in parts:
            check.run(part.__name__, part, open_trial)
        check_sizes(open_trial, options.shots)
    server.stop()
    sys.exit(check.end())


if __name__ == "__main__":
    main()
