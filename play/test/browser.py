"""Plays the test levels in headless Chromium by mouse, touch and keys, and fails if anything does not work.

    python test/browser.py [--chromium PATH] [--shots FOLDER]

The folder `play` is served with a strict content security policy. Any message of the console, any uncaught error and any
request beyond the server is a fault. Needs Python with `playwright` (`pip install playwright`) and a Chromium of the
system.
"""

import base64
import functools
import json
import pathlib
import re
import sys
import urllib.parse

FOLDER = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(FOLDER.parent / "tests" / "browser"))

from harness import KEYS, BoardPage, Check, LocalServer, PlaywrightTimeout, RequestHandler, chromium, parser  # noqa: E402

LEVELS = ("slide", "tower", "triangle", "swipe", "lamps", "jugs", "pusher", "pegs")
WIDTHS = ((360, 640), (800, 900), (1400, 700))


class MapHandler(RequestHandler):
    """The folder, and files that a test puts into `maps`."""

    def do_GET(self):
        name = self.path.partition("?")[0]
        if name in LevelServer.maps:
            self.answer(200, LevelServer.maps[name])
        else:
            super().do_GET()


class LevelServer(LocalServer):
    handler = MapHandler
    maps = {}


class Play(BoardPage):
    """A page with one level, and what is on it."""

    def __init__(self, browser, base, check, level, *, size=(800, 900), wait=0, touch=False, map=None, media=None, **options):
        query = {"level": level, "wait": wait, "options": json.dumps(options)} | ({"map": map} if map else {})
        where = f"{level}, {size[0]} px" + (", touch" if touch else "") + (f", {wait} ms" if wait else "")
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch, **(media or {}))
        super().__init__(check, where, context, allowed=base, notes_inputs=True)
        self.page.goto(f"{base}/test/page.html?{urllib.parse.urlencode(query)}")
        self.ready()

    def ready(self):
        self.page.wait_for_function("() => window.play && window.play.isReady")

    def reload(self):
        self.page.reload()
        self.ready()

    # What the page says

    def events(self):
        return self.page.evaluate("window.play.events")

    def said(self):
        """Kinds and actions of all events."""
        return [(one["event"], one["action"]) for one in self.events()]

    def wait_for(self, n_events):
        try:
            self.page.wait_for_function("(n) => window.play.events.length >= n", arg=n_events, timeout=5_000)
        except PlaywrightTimeout:
            self.that(False, f"{n_events} events are awaited, and there are {self.said()}")

    def outcome(self, wanted):
        try:
            self.page.wait_for_function("(wanted) => window.play.outcome === wanted", arg=wanted, timeout=5_000)
        except PlaywrightTimeout:
            pass
        return self.same(self.page.evaluate("window.play.outcome"), wanted, "outcome")

    def on_time(self, what):
        """The last event has the time of its input: a click of its own may follow a tap."""
        time = self.events()[-1]["time_ms"]
        inputs = self.inputs()
        self.that(any(begin <= time <= end for begin, end in inputs), f"{what} is logged at {time:.1f} ms, its inputs at {inputs[-2:]}")

    def speech(self):
        return self.page.locator(".play-hidden[aria-live]").text_content().strip()

    # Where things are

    def picture(self):
        """What is drawn, wherever in the document, with places and colours."""
        return self.page.evaluate(
            """() => Array.from(document.querySelectorAll(".play-board svg > g > g:not(.play-target)"), (one) =>
              [getComputedStyle(one).transform, one.firstElementChild.getAttribute("fill"), one.textContent].join(" ")).sort()"""
        )


def check_slide_by_mouse(open_level):
    with open_level("slide", hints=True) as play:
        play.same(play.said(), [("start", "")], "events at the start")
        play.drag((0.5, 2.5), (2.9, 4.5), release=False)
        play.same(play.piece("A"), [2.5, 2.5], "a dragged block keeps to its line and goes no farther than its last place")
        play.page.mouse.up()
        play.wait_for(2)
        play.same(play.said()[1:], [("move", "A+1")], "drag")
        play.on_time("a drag")
        play.settle()
        play.same(play.piece("A"), [2.5, 2.5], "place of A")
        play.same(play.speech(), "A moved to row 2, column 3", "speech")

        # What the rules do not allow: too short a way, and a block that cannot move.
        play.drag((1, 5.5), (1.3, 5.5))
        play.drag((2.5, 0.5), (2.5, 3.5))
        play.settle()
        play.same(len(play.events()), 2, "events after what is not allowed")
        play.same([play.piece("D"), play.piece("R")], [[1, 5.5], [2.5, 1]], "blocks that went back")

        play.drag((1, 5.5), (3, 5.5), release=False)
        play.press("Escape")
        play.page.mouse.up()
        play.settle()
        play.same([len(play.events()), play.piece("D")], [2, [1, 5.5]], "a drag that Escape ends")

        # Two clicks: the place is the cell at the head.
        play.click(1, 5.5)
        play.same(play.page.locator(".play-target").count(), 4, "places of D")
        play.click(4.5, 5.5)
        play.wait_for(3)
        play.same(play.said()[2:], [("move", "D+3")], "clicks")
        play.on_time("a click")
        # One place only: a second click on the piece goes there. A click elsewhere lets go.
        play.click(4.5, 1.5)
        play.click(0.5, 0.5)
        play.same(play.page.locator(".play-target").count(), 0, "places after a click elsewhere")
        play.click(4.5, 1.5)
        play.click(4.5, 1.5)
        play.wait_for(4)
        play.same(play.said()[3:], [("move", "C+1")], "two clicks on a piece with one place")

        play.button("Undo").click()
        play.wait_for(5)
        play.on_time("undo")
        play.same(play.said()[4:], [("undo", "C+1")], "undo")
        play.button("Start again").click()
        play.wait_for(6)
        play.settle()
        play.same([play.said()[5], play.events()[5]["attempt"]], [("reset", ""), 1], "reset")
        play.same(play.piece("A"), [1.5, 2.5], "place of A at the start")
        play.button("Undo").click(force=True)
        play.same(len(play.events()), 6, "events after an undo at the start")
        solve_by_hints(play)


def solve_by_hints(play):
    """The way that hints show leads to the goal, one nearer each time."""
    play.button("Hint").click()
    play.wait_for(7)
    distance = int(re.search(r"From here (\d+) move", play.status())[1])
    for left in range(distance, 0, -1):
        play.that(re.search(rf"From here {left} move", play.status()), f"{left} moves left: {play.status()}")
        kind, action = play.said()[-1]
        play.same(kind, "hint", "a hint is logged")
        name, way = action[0], int(action[1:])
        row, column = play.piece(name)
        play.drag((row, column), (row, column + way) if name in "RC" else (row + way, column))
        play.settle()
        if left > 1:
            play.button("Hint").click()
            play.page.wait_for_function("() => window.play.events.at(-1).event === 'hint'")
    play.outcome("solved")
    play.same([kind for kind, _ in play.said()[-2:]], ["move", "solved"], "the last events")
    play.same(play.events()[-1]["time_ms"], play.events()[-2]["time_ms"], "a goal is reached when its move is made")
    play.same(play.events()[-1]["attempt"], 2, "attempt after a reset")
    play.same(play.status(), f"Solved: {distance} moves.", "status")
    n_events = len(play.events())
    row, column = play.piece("A")
    play.drag((row, column), (row - 1, column))
    play.press("d")
    play.same(len(play.events()), n_events, "events after the end")


def check_slide_by_keys(open_level):
    with open_level("slide") as play:
        play.press("Tab")
        play.same(play.page.evaluate("document.activeElement.getAttribute('role')"), "application", "the first stop of the tab key")
        play.same(play.speech(), "A, row 1, column 3, 1 place to go", "the piece at which keys begin")
        play.press("ArrowRight")
        play.same(play.speech(), "D, row 1, column 6, 4 places to go", "to the right")
        play.press("ArrowLeft")
        play.press("ArrowDown", "ArrowRight")
        play.same(play.speech(), "B, row 4, column 5, 4 places to go", "down, and to the right")
        play.press("Enter")
        play.same(play.speech(), "B picked up, 4 places to go", "picked up")
        play.press("ArrowUp", "ArrowUp")
        play.same(play.speech(), "row 2, column 5", "chosen place")
        play.press("Escape")
        play.same(play.speech(), "B is back in its place", "let go")
        play.press("Enter", "ArrowDown", "Enter")
        play.wait_for(2)
        play.on_time("a key")
        play.same(play.said()[1:], [("move", "B+1")], "keys")
        play.same(play.speech(), "B moved to row 5, column 5", "speech")
        play.press("Enter", "ArrowUp", "ArrowUp", "ArrowUp", " ")
        play.wait_for(3)
        play.same(play.said()[2:], [("move", "B-3")], "the keys stay with the piece that moved")
        play.press("PageDown", "PageDown", "PageDown", "PageDown")
        play.same(play.speech(), "B, row 2, column 5, 4 places to go", "once round all pieces")
        play.press("d")
        words = play.speech()
        play.that("R: row 3, column 1. A: row 1, column 3. B: row 2, column 5." in words, f"description: {words}")
        play.press("Tab")
        play.same(play.page.evaluate("document.activeElement.textContent"), "Undo", "the board is one stop of the tab key")
        play.press("Enter")
        play.wait_for(4)
        play.on_time("undo by a key")
        play.same(play.speech(), "Taken back: B-3", "speech after undo")


def check_tower(open_level):
    with open_level("tower") as play:
        play.drag((1, 2), (0.4, 5.8))
        play.wait_for(2)
        play.same(play.said()[1:], [("move", "1>2")], "a disk let go above a peg")
        play.settle()
        play.same(play.piece("1"), [3, 6], "it lies on the peg")
        play.drag((2, 2), (2, 6))
        play.settle()
        play.same([len(play.events()), play.piece("2")], [2, [2, 2]], "a disk let go where it may not be")
        play.click(2, 2)
        play.click(3, 10)
        play.wait_for(3)
        play.same(play.said()[2:], [("move", "1>3")], "clicks on a disk and a place")
    with open_level("tower", touch=True, size=(360, 640)) as play:
        play.touch((1, 2), (2, 10.2))
        play.wait_for(2)
        play.on_time("a drag by a finger")
        play.settle()
        play.touch((2, 2))
        play.touch((3, 6))
        play.wait_for(3)
        play.on_time("a tap")
        play.same(play.said()[1:], [("move", "1>3"), ("move", "1>2")], "fingers")


def check_triangle(open_level):
    with open_level("triangle", touch=True, size=(360, 640)) as play:
        play.touch((2.23, 1.5), (1.4, 1.9))
        play.wait_for(2)
        play.same(play.said()[1:], [("move", "4")], "a pebble dragged into the hole")
        play.touch((1.37, 1.0))
        play.touch((1.37, 1.0))
        play.wait_for(3)
        play.same(play.said()[2:], [("move", "1")], "a pebble tapped twice")
        play.settle()
        play.same(play.piece("B"), [2.23, 2.5], "the other B stays")


def check_swipe(open_level):
    with open_level("swipe", touch=True, size=(360, 640)) as play:
        play.touch((1, 2), (1.2, 0.5))
        play.wait_for(2)
        play.on_time("a swipe")
        play.touch((2, 2), (2, 1.95))
        play.touch((2, 1), (3.5, 1.2))
        play.wait_for(3)
        play.same(play.said()[1:], [("move", "left"), ("move", "down")], "swipes of a finger")
        play.same(play.page.evaluate("scrollY"), 0, "a swipe scrolls the page")
    with open_level("swipe") as play:
        play.drag((1, 2), (1, 1))
        play.wait_for(2)
        play.press("ArrowDown")
        play.wait_for(3)
        play.on_time("an arrow key")
        play.button("up").click()
        play.wait_for(4)
        play.same(play.said()[1:], [("move", "left"), ("move", "down"), ("move", "up")], "mouse, key and button")
        play.page.locator(".play-board").focus()
        play.page.keyboard.down("ArrowDown")
        play.page.keyboard.down("ArrowUp")
        play.page.keyboard.down("ArrowUp")
        play.wait_for(6)
        play.same(play.said()[4:], [("move", "down"), ("move", "up")], "a key that is held moves once")
        play.page.keyboard.up("ArrowUp")
        play.press("ArrowUp")
        play.same(play.speech(), "Not possible: up", "a direction in which nothing moves")


def check_lamps(open_level):
    with open_level("lamps", canUndo=False) as play:
        before = play.picture()
        play.click(0.5, 2.5)
        play.wait_for(2)
        play.on_time("a press")
        play.that(play.picture() != before, "no lamp was switched")
        play.same(play.speech(), "Move c1", "speech")
        play.press("ArrowDown", "ArrowLeft")
        play.that(play.page.locator(".play-keys .play-cursor").count(), "keys after a click are not shown")
        play.same(play.speech(), "grey block, row 2, column 2", "the cell under the keys")
        play.press("Enter")
        play.wait_for(3)
        play.same(play.said()[1:], [("move", "c1"), ("move", "b2")], "a click and keys")
        play.same(play.button("Undo").count(), 0, "buttons Undo")
    with open_level("lamps", touch=True) as play:
        play.touch((0.5, 0.5))
        play.wait_for(2)
        play.same(play.said()[1:], [("move", "a1"), ("solved", "")], "a tap")
        play.outcome("solved")


def check_jugs(open_level):
    with open_level("jugs", hints=True) as play:
        play.button("Hint").click()
        play.wait_for(2)
        play.same(play.status(), "Hint: +A. From here 6 moves to the goal.", "hint")
        play.same(play.page.locator(".play-hinted").all_inner_texts(), ["+A"], "hinted button")
        play.same(play.page.locator(".play-others p").inner_text(), "Moves", "title of the buttons, where there is nothing else")
        for index, action in enumerate(("+A", "A>B", "-B", "A>B", "+A", "A>B")):
            play.button(action).focus()
            play.press("Enter")
            play.wait_for(index + 3)
            play.on_time("a move by a button")
            if index == 3:
                play.that(play.page.evaluate("document.activeElement.closest('.play-others') !== null"), "the focus gets lost")
        play.same(play.said()[-1], ("solved", ""), "the last event")
        play.outcome("solved")
        play.same(play.page.evaluate("document.activeElement.getAttribute('role')"), "application", "focus after the end")


def check_pusher_and_pegs(open_level):
    with open_level("pusher") as play:
        play.drag((1.5, 2.5), (1.5, 3.5))
        play.wait_for(2)
        play.settle()
        play.same([play.said()[1:], play.piece("@")], [[("move", "R")], [1.5, 2.5]], "a box is dragged, and the pusher follows")
        play.same(play.speech(), "blue block moved to row 2, column 4. @ moved to row 2, column 3", "speech")
        play.drag((1.5, 2.5), (2.5, 2.5))
        play.wait_for(3)
        play.same(play.said()[2:], [("move", "d")], "the pusher walks")
    with open_level("pegs") as play:
        play.drag((0.5, 0.5), (0.5, 2.5))
        play.wait_for(2)
        play.settle()
        play.same(play.said()[1:], [("move", "a-c")], "a peg jumps")
        play.same(play.page.locator(".play-board svg > g > g ellipse").count(), 3, "pegs that are left")


def check_stuck(open_level):
    """Without a move the level goes on where it can be taken back, and ends where it cannot."""
    with open_level("pegs") as play:
        for index, (start, end) in enumerate((((0.5, 0.5), (0.5, 2.5)), ((0.5, 3.5), (0.5, 5.5)))):
            play.drag(start, end)
            play.wait_for(index + 2)
            play.settle()
        play.same(play.status(), "No move is possible here. Take a move back.", "status")
        play.button("Undo").click()
        play.wait_for(4)
        play.same(play.status(), "", "status after undo")
    with open_level("pegs", canUndo=False, canReset=False) as play:
        for index, (start, end) in enumerate((((0.5, 0.5), (0.5, 2.5)), ((0.5, 3.5), (0.5, 5.5)))):
            play.drag(start, end)
            play.wait_for(index + 2)
            play.settle()
        play.outcome("ended")


def check_give_up(open_level):
    with open_level("slide", language="de") as play:
        play.button("Aufgeben").click()
        play.same(play.page.evaluate("document.activeElement.textContent"), "Nein, weiter", "focus of the question")
        play.press("Escape")
        play.same(play.page.evaluate("document.activeElement.textContent"), "Aufgeben", "focus after the question")
        play.button("Aufgeben").click()
        play.button("Nein, weiter").click()
        play.same(len(play.events()), 1, "events before it is meant")
        play.button("Aufgeben").click()
        play.button("Ja, aufgeben").click()
        play.outcome("given_up")
        play.on_time("giving up")
        play.same(play.said()[1:], [("give_up", "")], "events")
        play.same(play.status(), "Dieses Level ist aufgegeben.", "status")


def check_limits(open_level):
    with open_level("slide", limits={"moves": 2}) as play:
        play.drag((1, 5.5), (2, 5.5))
        play.wait_for(2)
        play.button("Undo").click()
        play.wait_for(3)
        play.settle()
        play.that("Moves left 1" in play.page.locator(".play-head").inner_text(), "a move that is taken back counts")
        play.drag((1, 5.5), (2, 5.5))
        play.outcome("moves")
        play.same(play.status(), "The last move has been made.", "status")
        play.same(play.said()[-2:], [("move", "D+1"), ("limit", "moves")], "the end by a limit")
        play.same(play.events()[-1]["time_ms"], play.events()[-2]["time_ms"], "a limit of moves is reached by its last move")
    with open_level("slide", limits={"seconds": 1.5}) as play:
        play.drag((1, 5.5), (2, 5.5), release=False)
        play.outcome("time")
        now = play.page.evaluate("performance.now()")
        play.page.mouse.up()
        play.settle()
        play.same([play.said(), play.piece("D")], [[("start", ""), ("limit", "seconds")], [1, 5.5]], "what is dragged when the time is up goes back")
        start, end = (one["time_ms"] for one in play.events())
        play.that(start + 1500 <= end <= now, f"the time was up after {end - start:.1f} ms, and it is {now - start:.1f} ms now")
        play.that("00:00" in play.page.locator(".play-head").inner_text(), "the clock does not stand at zero")


def check_reload(open_level):
    with open_level("slide", hints=True) as play:
        play.drag((1, 5.5), (3, 5.5))
        play.wait_for(2)
        play.button("Start again").click()
        play.wait_for(3)
        play.settle()
        play.drag((1, 5.5), (4, 5.5))
        play.wait_for(4)
        play.button("Hint").click()
        play.wait_for(5)
        play.settle()
        play.drag((4, 4.5), (1, 4.5))
        play.wait_for(6)
        play.button("Undo").click()
        play.wait_for(7)
        play.settle()
        before = play.picture()
        play.reload()
        play.same(play.events(), [], "events of a reload")
        play.same(play.picture(), before, "picture after a reload")
        play.drag((4.5, 1.5), (4.5, 2.5))
        play.wait_for(1)
        play.same([play.said(), play.events()[0]["attempt"]], [[("move", "C+1")], 2], "the first event after a reload")
        play.button("Undo").click()
        play.wait_for(2)
        play.button("Undo").click()
        play.wait_for(3)
        play.same(play.said()[1:], [("undo", "C+1"), ("undo", "D+3")], "what was done before can be taken back")
    with open_level("strip") as play:
        play.page.locator(".play-board").focus()
        for index, key in enumerate(("ArrowRight", "ArrowLeft")):
            play.press(key)
            play.wait_for(index + 2)
        play.settle()
        play.that(all(re.fullmatch(r"(left|right)\+\d", action) for _, action in play.said()[1:]), f"chance is not logged: {play.said()}")
        before = play.picture()
        play.reload()
        play.same(play.picture(), before, "what chance did, after a reload")
        play.that("Points 10" in play.page.locator(".play-head").inner_text(), "points after a reload")


def check_waiting(open_level):
    """Inputs while a server is asked: none is made of a position that is over, none is lost that can wait."""
    with open_level("swipe", wait=120) as play:
        play.page.locator(".play-board").focus()
        play.press("ArrowLeft", "ArrowDown", "ArrowUp")
        play.wait_for(4)
        play.same(play.said()[1:], [("move", "left"), ("move", "down"), ("move", "up")], "keys that come quickly")
        times, inputs = [one["time_ms"] for one in play.events()[-3:]], play.inputs()[-3:]
        play.that(all(begin <= time <= end for time, (begin, end) in zip(times, inputs)), f"times of what waited: {times}, of inputs: {inputs}")
    with open_level("slide", wait=120) as play:
        play.drag((1, 5.5), (2, 5.5))
        play.drag((1, 2.5), (2, 2.5))
        play.page.wait_for_timeout(900)
        play.same(play.said()[1:], [("move", "D+1")], "a piece taken while the move before is being made")
        play.same(play.page.evaluate("window.play.calls.filter((one) => one === 'play').length"), 1, "moves that were asked for")
        play.page.evaluate("window.play.refuse = true")
        before = play.picture()
        play.drag((1, 2.5), (2, 2.5))
        play.page.wait_for_function("() => document.querySelector('.play-status').textContent !== ''")
        play.same(play.status(), "This did not work: the line is dead", "status")
        play.settle()
        play.same([play.picture(), len(play.events())], [before, 2], "a move that failed is not made")
        play.drag((1, 2.5), (2, 2.5))
        play.wait_for(3)
        play.same(play.said()[2:], [("move", "A+1")], "the same move again")
    with open_level("jugs", wait=120) as play:
        play.button("+A").click()
        play.button("+B").click()
        play.page.wait_for_timeout(900)
        play.same(play.said()[1:], [("move", "+A")], "a button of a position that is over")


def check_motion(open_level):
    lasting = "document.getAnimations().map((one) => one.effect.getTiming().duration)"
    with open_level("swipe") as play:
        play.page.locator(".play-board").focus()
        play.press("ArrowLeft")
        times = play.page.evaluate(lasting)
        play.that(times and max(times) <= 150, f"blocks slide for {times} ms")
    with open_level("swipe", media={"reduced_motion": "reduce"}) as play:
        play.page.locator(".play-board").focus()
        play.press("ArrowLeft")
        play.wait_for(2)
        play.same(play.page.evaluate(lasting), [], "what slides where motion is not wanted")


def check_map_file(open_level, check):
    """A map file of the server, its end cut off, and none."""
    with open_level("tower") as play:
        packed = play.page.evaluate(
            """async () => btoa(String.fromCharCode(...new Uint8Array(await window.play.mapFile("tower"))))"""
        )
        LevelServer.maps["/maps/tower.plymap"] = base64.b64decode(packed)
        LevelServer.maps["/maps/short.plymap"] = base64.b64decode(packed)[:-40]
        fault = play.page.evaluate(
            """async () => {
              const { MapGame } = await import("/src/map_game.js");
              return MapGame.load("/maps/short.plymap").then(() => "", (error) => error.message);
            }"""
        )
        check.that("/maps/short.plymap" in fault and "cut short" in fault, f"a short file: {fault}")
    with open_level("tower", map="/maps/tower.plymap") as play:
        play.drag((1, 2), (3, 6))
        play.wait_for(2)
        play.same(play.said()[1:], [("move", "1>2")], "a level from a file of the server")


def check_options(open_level, check):
    with open_level("slide", texts={"undo": "Oops"}, showClock=False, canGiveUp=False, progress={"level": 2, "of": 7}) as play:
        play.same(play.button("Oops").count(), 1, "buttons with a text of the page")
        play.same(play.page.locator(".play-head").inner_text().split("\n"), ["Level 2 of 7", "Moves 0"], "head")
        play.same(play.button("Give up").count(), 0, "buttons to give up")
        faults = play.page.evaluate(
            """async () => {
              const { Board } = await import("/src/board.js");
              const { MapGame } = await import("/src/map_game.js");
              const game = await MapGame.read(await window.play.mapFile("slide"));
              const wrong = [{ undo: true }, { language: "xx" }, { texts: { undoo: "" } }, { limits: { moves: 0 } }, { limits: { hours: 1 } }];
              return wrong.map((options) => {
                try { return new Board(document.createElement("div"), game, options) && ""; } catch (error) { return error.message; }
              });
            }"""
        )
        for fault, words in zip(faults, ("no option undo", "texts are missing", "no text undoo", "more than 0", "no limit of hours")):
            check.that(words in fault, f"an option that is wrong: {fault!r} does not say {words!r}")
        play.page.evaluate("window.play.board.destroy()")
        play.same(play.page.locator("#place").inner_html(), "", "the page after the board is destroyed")


def check_goal(open_level):
    """The aim is said, the goal has its caption, and what is free leaves the board."""
    aim = lambda play: play.page.locator(".play-aim").inner_text()
    with open_level("slide") as play:
        play.same(aim(play), "Get R out.", "aim")
        play.drag((0.5, 2.5), (2.9, 4.5))
        play.wait_for(2)
        play.settle()
        left = lambda: play.page.evaluate("Array.from(document.querySelectorAll('.play-left'), (one) => [one.textContent, getComputedStyle(one).visibility])")
        play.same(left(), [], "pieces that left before the level is solved")
        while play.page.evaluate("window.play.outcome") is None:
            hint = play.page.evaluate(
                """async () => {
                  const { MapGame } = await import("/src/map_game.js");
                  const game = await MapGame.read(await window.play.mapFile("slide", true));
                  let position = await game.start();
                  for (const { action } of window.play.events.filter(({ event }) => event === "move")) {
                    position = (await game.play(position, (await game.moves(position)).find(({ notation }) => notation === action))).position;
                  }
                  const { notation } = await game.hint(position);
                  const move = window.play.board.scene.controls.pieces.flatMap(({ shape, targets }) => targets.filter(({ move }) => move.notation === notation).map(({ row, column }) => [shape, row, column]))[0];
                  const from = window.play.board.scene.shapes[move[0]];
                  return [from.row + from.rows / 2, from.column + from.columns / 2, move[1] + from.rows / 2, move[2] + from.columns / 2];
                }"""
            )
            n_events = len(play.events())
            play.drag(tuple(hint[:2]), tuple(hint[2:]))
            play.wait_for(n_events + 1)
            play.settle()
        play.outcome("solved")
        play.page.wait_for_timeout(700)
        play.same(left(), [["R", "hidden"]], "pieces that left the board when it is solved")
    with open_level("slide", language="de") as play:
        play.same(aim(play), "R hinausbringen.", "aim in German")
    with open_level("slide", texts={"aim": "Free R."}) as play:
        play.same(aim(play), "Free R.", "aim in the words of a study")
    with open_level("tower") as play:
        play.that(not play.page.locator(".play-aim").is_visible(), "no aim is shown where the rules give none")
    with open_level("jugs", language="fr") as play:
        play.same(play.page.locator(".play-board svg > text").all_text_contents(), ["But"], "caption of the goal")


def check_letters(open_level):
    letters = "document.querySelectorAll('.play-board svg > g text').length"
    with open_level("slide") as play:
        play.same(play.page.evaluate(letters), 5, "letters of pieces")
    with open_level("slide", letters=False, hints=True) as play:
        play.same(play.page.evaluate(letters), 0, "letters where there are to be none")
        play.page.locator(".play-board").focus()
        play.press("d")
        play.that("red block" in play.speech() and "R" not in play.speech().replace("Row", ""), f"pieces are called by colours: {play.speech()}")
        play.drag((0.5, 2.5), (2.9, 4.5))
        play.wait_for(2)
        play.same(play.said()[1:], [("move", "A+1")], "a move of a piece without letter")


def check_touch_screen(open_level):
    help_text = "document.querySelector('.play-board > .play-hidden').textContent"
    for level, words in {"slide": "Arrow keys go from piece", "swipe": "Arrow keys move up", "lamps": "Arrow keys go from cell", "jugs": "D describes"}.items():
        with open_level(level) as play:
            play.that(words in play.page.evaluate(help_text), "keys are named where there are some")
        with open_level(level, size=(400, 800), touch=True, media={"is_mobile": True}) as play:
            play.same(play.page.evaluate(help_text), "", "words about keys on a touch screen")
            play.same(KEYS.findall(play.page.text_content("body")), [], "keys that are named on a touch screen")


def check_layout(open_level, shots):
    for level in LEVELS:
        for size in WIDTHS:
            with open_level(level, size=size, hints=True, progress={"level": 3, "of": 12}) as play:
                boxes = play.page.evaluate(
                    """() => ({
                      page: [document.documentElement.scrollWidth, innerWidth],
                      board: document.querySelector(".play-board").getBoundingClientRect().toJSON(),
                      foot: document.querySelector(".play-foot").getBoundingClientRect().bottom,
                      buttons: Array.from(document.querySelectorAll(".play button"), (one) => [one.offsetWidth, one.offsetHeight]).filter(([width]) => width > 0),
                    })"""
                )
                play.that(boxes["page"][0] <= boxes["page"][1], f"the page is {boxes['page'][0]} px wide")
                play.that(boxes["board"]["width"] <= 560.5, f"the board is {boxes['board']['width']} px wide")
                play.that(boxes["foot"] <= size[1], f"the controls end at {boxes['foot']} px")
                play.that(boxes["buttons"] and all(min(one) >= 44 for one in boxes["buttons"]), f"small buttons: {boxes['buttons']}")
                if shots:
                    play.page.screenshot(path=shots / f"{level}-{size[0]}.png")


def take_shots(open_level, shots):
    """Boards in the middle of things, for eyes."""

    def take(name, play):
        play.settle()
        play.page.screenshot(path=shots / f"{name}-{play.page.viewport_size['width']}.png")

    with open_level("slide", hints=True) as play:
        play.click(1, 5.5)
        take("slide-selected", play)
        play.click(5.5, 2.5)
        play.button("Hint").click()
        play.wait_for(2)
        take("slide-hint", play)
        play.page.locator(".play-board").focus()
        play.press("Tab", "Shift+Tab")
        take("slide-keys", play)
        play.press("Enter", "ArrowUp")
        take("slide-chosen", play)
        play.press("Escape")
        play.drag((4, 4.5), (2.4, 4.5), release=False)
        take("slide-dragged", play)
    with open_level("slide", size=(360, 640), language="de", hints=True) as play:
        take("slide-german", play)
        play.button("Aufgeben").click()
        take("slide-question", play)
        play.button("Ja, aufgeben").click()
        play.outcome("given_up")
        take("slide-given-up", play)
    with open_level("slide", size=(360, 640), language="fr", hints=True) as play:
        take("slide-french", play)
    for level in ("tower", "triangle", "swipe", "lamps", "pusher", "pegs"):
        with open_level(level, size=(360, 640), hints=True) as play:
            play.button("Hint").click()
            play.wait_for(2)
            take(f"{level}-hint", play)
    with open_level("tower", size=(360, 640)) as play:
        play.click(1, 2)
        take("tower-selected", play)
        play.drag((1, 2), (1.4, 5.2), release=False)
        take("tower-dragged", play)
    with open_level("triangle", size=(360, 640)) as play:
        play.click(1.37, 1)
        take("triangle-selected", play)
    with open_level("lamps", size=(360, 640)) as play:
        play.press("Tab", "ArrowDown", "ArrowRight")
        take("lamps-keys", play)
    with open_level("slide", hints=True, media={"forced_colors": "active"}) as play:
        play.press("Tab")
        take("slide-forced-colors", play)


def main():
    options = parser(__doc__).parse_args()
    server = LevelServer(FOLDER)
    check = Check()
    parts = [check_slide_by_mouse, check_slide_by_keys, check_tower, check_triangle, check_swipe, check_lamps, check_jugs,
             check_pusher_and_pegs, check_stuck, check_give_up, check_limits, check_reload, check_waiting, check_motion,
             check_goal, check_letters, check_touch_screen]
    with chromium(options.chromium) as browser:
        open_level = functools.partial(Play, browser, server.base, check)
        for part in parts:
            check.run(part.__name__, part, open_level)
        check.run("map file", check_map_file, open_level, check)
        check.run("options", check_options, open_level, check)
        check.run("layout", check_layout, open_level, options.shots)
        if options.shots:
            check.run("shots", take_shots, open_level, options.shots)
    server.stop()
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
