"""Plays a study on the page of a session in headless Chromium, with a server that fails, and compares what was recorded.

    python test/session.py [--chromium PATH] [--shots FOLDER]

The server keeps its sessions in memory and implements what the page asks for. Needs what `browser.py` needs, and node,
which writes the levels.
"""

import base64
import contextlib
import itertools
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

from browser import FOLDER, WIDTHS
from harness import BoardPage, Check, LocalServer, PlaywrightError, PlaywrightTimeout, RequestHandler, chromium, parser

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript"}
LEVELS = json.loads(subprocess.run(["node", FOLDER / "test" / "levels_of_server.js", "slide", "tower", "swipe"], capture_output=True, check=True, text=True).stdout)
IDS = ("slide", "tower", "swipe")
# The clock of the page may be so far from that of this script, in milliseconds.
CLOCKS = 20
# Nothing but levels, one of which has no map file.
PLAN = {"condition": None, "consent": None, "instructions": [], "practice": [], "blocks": [{"name": "levels", "levels": list(IDS), "order": "given"}],
        "block_order": "given", "breaks": {"every": None, "blocks": False, "html": None}, "questions": [], "debriefing": None,
        "completion": {"code": None, "link": None}, "hints": True, "undo": True, "reset": True, "give_up": True, "clock": True, "counter": True, "letters": True,
        "limits": {"seconds": None, "moves": None}}
MAPS = {level: None if level == "tower" else f"api/levels/{level}/map" for level in IDS}
STUDY = {"name": "test", "title": "Three puzzles", "language": "en", "texts": {}, "server": True, "participant": ["participant"], "session": ["session"],
         "assign": "evenly", "save": None, "levels": [{"id": level, "map": MAPS[level], "hints": MAPS[level]} for level in IDS], "plans": [PLAN]}
KEY = "plymap/test/P01/1"


def now():
    """Milliseconds since 1970."""
    return time.time() * 1000


class StudyServer(LocalServer):
    """A server that keeps what it has, as on a disk, when it is stopped and started again."""

    def __init__(self):
        self.lock = threading.Lock()
        self.handler = StudyHandler
        self.reset()
        super().__init__(FOLDER / "src")

    def reset(self):
        self.study = STUDY
        self.sessions = {}
        self.owners = {}
        # What the page that opened a session last has to send with its events.
        self.leases = {}
        # What happens to requests with events: nothing, `before` or `after` (the line is cut before or after the server
        # has stored them), `double`, `gone` (the log is not where it was), or a status to refuse them with.
        self.faults = itertools.repeat(None)
        self.n_requests = 0

    def kept(self, session):
        with self.lock:
            return list(self.sessions.get(session, []))

    def begin(self, session, secret, request):
        """Writes the first event, with the number of those who came before."""
        with self.lock:
            if self.owners.setdefault(session, secret) != secret:
                return 401, {"error": "this session is somebody else's"}
            kept = self.sessions.setdefault(session, [])
            if not kept:
                number, plans = len(self.owners) - 1, self.study["plans"]
                condition = plans[number % len(plans)]["condition"]
                kept.append({"seq": 0, "level": "", "attempt": 1, "event": "assign", "action": condition or "", "value": str(number)}
                            | ({"condition": condition} if condition else {}) | {"time_ms": request["time_ms"], "onset_s": request["onset_s"]})
        return self.lease(session, secret)

    def lease(self, session, secret):
        with self.lock:
            if self.owners.get(session, secret) != secret:
                return 401, {"error": "this session is somebody else's"}
            self.leases[session] = self.leases.get(session, 0) + 1
            kept = self.sessions.get(session, [])
            return 200, {"n_events": len(kept), "events": kept[:500], "lease": self.leases[session]}

    def events(self, session="P01/1"):
        """All but the first and the last, which have checks of their own."""
        return [event for event in self.kept(session) if event["event"] != "assign" and (event["event"], event["action"]) != ("page", "end")]

    def wait_for(self, n_events, session="P01/1", seconds=20):
        """Until so many events are there."""
        end = time.time() + seconds
        while len(self.events(session)) < n_events and time.time() < end:
            time.sleep(0.02)
        return len(self.events(session))

    def store(self, request):
        with self.lock:
            session = f"{request['participant']}/{request['session']}"
            kept = self.sessions.setdefault(session, [])
            events = request["events"]
            if kept and request["lease"] != self.leases[session]:
                return 409, {"error": "another page has opened this session since", "n_events": len(kept), "overtaken": True}
            if not 0 < len(events) <= 500:
                return 413, {"error": f"{len(events)} events in a request"}
            if events[0]["seq"] > len(kept):
                return 409, {"error": f"event {events[0]['seq']} is beyond {len(kept)}", "n_events": len(kept)}
            for event in events:
                if event["seq"] < len(kept) and kept[event["seq"]] != event:
                    return 409, {"error": f"event {event['seq']} differs from the one on disk", "n_events": len(kept), "conflict": True}
            kept.extend(events[len(kept) - events[0]["seq"]:])
            return 200, {"n_events": len(kept)}


class StudyHandler(RequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        parts = [urllib.parse.unquote(part) for part in path.split("/")[1:]]
        match parts:
            case [""]:
                self.file("session.html")
            case ["play", name] if (FOLDER / "src" / name).is_file():
                self.file(name)
            case ["favicon.ico"]:
                self.answer(200, b"", "image/x-icon")
            case ["api", "study"]:
                self.json(200, self.site.study)
            case ["api", "sessions", participant, session]:
                events = self.site.kept(f"{participant}/{session}")
                start = int(urllib.parse.parse_qs(query).get("from", ["0"])[0])
                self.json(200, {"n_events": len(events), "events": events[start:start + 500]})
            case ["api", "levels", level, "map"] if level in LEVELS:
                self.answer(200, base64.b64decode(LEVELS[level]["map"]), "application/octet-stream")
            case ["api", "levels", level] if level in LEVELS:
                self.json(200, LEVELS[level]["head"] | {"start": LEVELS[level]["positions"][0]})
            case ["api", "levels", level, "position"] if level in LEVELS:
                self.json(200, LEVELS[level]["positions"][int(urllib.parse.parse_qs(query)["state"][0])])
            case _:
                self.json(404, {"error": f"there is no {path}"})

    def do_POST(self):
        request = json.loads(self.body())
        parts = self.path.split("/")[1:]
        if parts[1:] == ["events"]:
            self.events(request)
            return
        if parts[1] == "sessions" and parts[4:] == ["lease"]:
            self.json(*self.site.lease("/".join(parts[2:4]), self.headers["Authorization"]))
            return
        if parts[1] == "sessions":
            self.json(*self.site.begin("/".join(parts[2:]), self.headers["Authorization"], request))
            return
        _, _, level, _ = parts
        target = LEVELS[level]["targets"][int(request["state"])][request["action"]]
        self.json(200, {"notation": request["action"], "position": LEVELS[level]["positions"][target]})

    def events(self, request):
        with self.site.lock:
            fault = next(self.site.faults)
            self.site.n_requests += 1
        if isinstance(fault, int):
            self.json(fault, {"error": "the study is closed"})
            return
        if fault == "gone":
            self.json(503, {"error": "the log was moved", "log": "gone"})
            return
        answers = [self.site.store(request) for _ in range({"before": 0, "double": 2}.get(fault, 1))]
        if fault in ("before", "after"):
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        else:
            self.json(*answers[-1])

    def file(self, name):
        file = FOLDER / "src" / name
        self.answer(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))


class Session(BoardPage):
    """A page of a session, and what was done on it."""

    def __init__(self, context, server, check, link="/?participant=P01", *, done=None, is_line_bad=False, others=()):
        super().__init__(check, link, context, allowed=(server.base, "blob:", *others), notes_inputs=True)
        self.server = server
        # (level, attempt, event, action), and between which milliseconds since 1970 the hand did it.
        self.done = [] if done is None else done
        # A browser tells the console of each request without an answer, whatever a page does about it.
        self.is_line_bad = is_line_bad
        self.dialogs = []
        self.page.on("dialog", self.asked)
        self.page.goto(server.base + link)

    def __exit__(self, *_):
        self.page.close()

    def heard(self, message):
        if not (self.is_line_bad and message.text.startswith("Failed to load resource")):
            super().heard(message)

    def asked(self, dialog):
        self.dialogs.append(dialog.type)
        dialog.accept()

    def text(self, part=".session"):
        return self.page.locator(part).inner_text()

    def shows(self, text):
        try:
            self.page.get_by_text(text).first.wait_for(timeout=20_000)
        except PlaywrightTimeout:
            self.that(False, f"{text!r} is not shown, but {self.text()!r}")

    def on_board(self, level):
        """Until a level is on the board."""
        try:
            self.page.get_by_role("application", name=f"Board of level {level}").wait_for()
            self.page.locator(".play-board svg > g > g").first.wait_for()
        except PlaywrightTimeout:
            self.that(False, f"level {level} is not on the board: {self.text()!r}")

    # What a hand does

    def act(self, hand, *told):
        """Does something that the board tells as these (level, attempt, event, action)."""
        before = now()
        hand()
        after = now()
        self.noted(len(self.done) + len(told), is_over=told[-1:] and told[-1][2] in ("solved", "give_up"))
        self.done += [(one, before, after) for one in told]
        self.settle()

    def noted(self, n_events, is_over=False):
        """Until the page has so many events beside the assignment, whether or not a server has them; the end of a level may be that of all."""
        most = n_events + 1 if is_over else n_events
        try:
            self.page.wait_for_function("([key, n, most]) => { const { seq } = JSON.parse(localStorage.getItem(key) ?? '{}').last ?? { seq: -1 }; return n <= seq && seq <= most; }", arg=[KEY, n_events, most], timeout=5000)
        except PlaywrightTimeout:
            self.that(False, f"{n_events} events are awaited; kept is {self.page.evaluate('(key) => localStorage.getItem(key)', KEY)}")

    def saved(self):
        """Until the server has confirmed all events."""
        self.page.wait_for_function("(key) => JSON.parse(localStorage.getItem(key)).events.length === 0", arg=KEY)

    def slide(self, move, *more, attempt=1):
        """Drags a block of level `slide`."""
        way = int(move[1:])
        row, column = self.piece(move[0])
        self.drag((row, column), (row, column + way) if move[0] in "RC" else (row + way, column), release=False)
        self.act(self.page.mouse.up, ("slide", attempt, "move", move), *more)

    def carry(self, pegs, move, *more):
        """Drags a disk of level `tower`; `pegs` says where the disks lie."""
        start, end = int(move[0]) - 1, int(move[2]) - 1
        disk = pegs.index(start)
        pegs[disk] = end
        self.drag(self.piece(str(disk + 1)), (0.4, end * 4 + 2), release=False)
        self.act(self.page.mouse.up, ("tower", 1, "move", move), *more)

    def next_level(self, level):
        before = now()
        self.button("Next level").click()
        self.on_board(level)
        self.noted(len(self.done) + 1)
        self.done.append(((level, 1, "start", ""), before, now()))


def told(events):
    return [(one["level"], one["attempt"], one["event"], one["action"]) for one in events]


def begun(*steps):
    """A session that began with these (event, action, seconds) in level `slide`."""
    assign = {"seq": 0, "level": "", "attempt": 1, "event": "assign", "action": "", "value": "0", "time_ms": 0, "onset_s": 0}
    return [assign] + [{"seq": seq, "level": "slide", "attempt": 1, "event": event, "action": action, "time_ms": at * 1000.5, "onset_s": at, "block": "levels", "trial": 1}
                       for seq, (event, action, at) in enumerate(steps, 1)]


def every_third():
    """Two requests go well, and the third one is cut off, cut off after it was stored, or heard twice."""
    for fault in itertools.cycle(("before", "after", "double")):
        yield from (None, None, fault)


def check_whole_study(context, server, check):
    server.faults = every_third()
    start = now()
    with Session(context, server, check, is_line_bad=True) as play:
        play.on_board("slide")
        play.noted(1)
        play.done.append((("slide", 1, "start", ""), start, now()))
        first_load = play.page.evaluate("performance.timeOrigin")
        play.same(play.page.title(), "Three puzzles", "title")
        play.same(play.page.evaluate("document.documentElement.lang"), "en", "language")
        play.same(play.text(".session-head").split(), "Three puzzles Participant P01".split(), "head")
        play.that(play.text(".session-how").startswith("Drag a piece"), f"how to play: {play.text('.session-how')}")
        play.that(play.text(".play-head").startswith("Level 1 of 3"), "progress")

        play.act(lambda: play.button("Hint").click(), ("slide", 1, "hint", "B-3"))
        play.slide("B-3")
        play.act(lambda: play.button("Undo").click(), ("slide", 1, "undo", "B-3"))
        play.slide("D+1")
        play.act(lambda: play.button("Start again").click(), ("slide", 1, "reset", ""))
        play.slide("B-3", attempt=2)

        play.saved()
        play.page.reload()
        play.on_board("slide")
        play.same(play.piece("B"), [1, 4.5], "the piece that was moved before the page was loaded again")
        play.that("Moves 1" in play.text(".play-head").replace("\n", " "), f"moves after the page was loaded again: {play.text('.play-head')}")
        play.slide("C+3", attempt=2)

        server.stop()
        play.slide("A+3", attempt=2)
        play.slide("R+4", ("slide", 2, "solved", ""), attempt=2)
        play.same(play.status(), "Solved: 4 moves.", "status")
        play.that(play.button("Next level").evaluate("(one) => one === document.activeElement"), "the focus is on the next level")
        play.page.wait_for_timeout(3000)
        play.same(play.text(".session-notice"), "", "a notice before 5 seconds are over")
        server.start()

        play.next_level("tower")
        pegs = [0, 0, 0]
        *moves, last = LEVELS["tower"]["solution"]
        for move in moves[:3]:
            play.carry(pegs, move)
        play.saved()
        play.page.reload()
        play.on_board("tower")
        play.that(play.text(".play-head").startswith("Level 2 of 3"), "progress after the page was loaded again")
        for move in moves[3:]:
            play.carry(pegs, move)
        play.carry(pegs, last, ("tower", 1, "solved", ""))

        before = now()
        play.page.keyboard.press("Enter")
        play.on_board("swipe")
        play.noted(len(play.done) + 1)
        play.done.append((("swipe", 1, "start", ""), before, now()))
        play.same(play.page.evaluate("document.activeElement.getAttribute('role')"), "application", "what has the keys in the next level")
        play.that(play.text(".session-how").startswith("Swipe"), f"how to play: {play.text('.session-how')}")
        play.act(lambda: play.press("ArrowLeft"), ("swipe", 1, "move", "left"))
        play.act(lambda: play.press("ArrowUp"), ("swipe", 1, "move", "up"))
        play.button("Give up").click()
        play.act(lambda: play.button("Yes, give up").click(), ("swipe", 1, "give_up", ""))
        play.shows("Thank you!")
        play.that("You can close this page." in play.text(), f"thanks: {play.text()!r}")
        play.that("You have given up this level." in play.text(), f"the end of the last level: {play.text()!r}")

        events = server.events()
        play.same(told(events), [one for one, _, _ in play.done], "recorded")
        play.same([one["seq"] for one in events], list(range(1, len(events) + 1)), "numbers of events")
        assign = server.kept("P01/1")[0]
        play.same([assign[name] for name in ("seq", "level", "attempt", "event", "action", "value")], [0, "", 1, "assign", "", "0"], "the assignment")
        play.same({(one["block"], one["trial"]) for one in events}, {("levels", trial) for trial in (1, 2, 3)}, "blocks and trials")
        worst = 0.0
        for event, (_, before, after) in zip(events, play.done):
            at = first_load + event["onset_s"] * 1000
            worst = max(worst, before - at, at - after)
        play.that(worst <= CLOCKS, f"onsets lie up to {worst:.1f} ms beside what the hand did")
        onsets = [one["onset_s"] for one in events]
        play.same(onsets, sorted(onsets), "onsets run on")
        play.same(play.dialogs, [], "warnings")
        moves = [after - before for (_, _, event, _), before, after in play.done if event == "move"]
        print(f"{len(events)} events in {server.n_requests} requests; onsets at most {max(worst, 0):.1f} ms beside the hand, whose moves took up to {max(moves):.1f} ms")

        play.page.reload()
        play.shows("You can close this page.")
        play.same(play.page.locator(".play").count(), 0, "boards after the end")
        play.same(len(server.events()), len(events), "events after the end")


def check_two_pages(context, server, check):
    # A browser notes that the server wants to know who goes on.
    with Session(context, server, check, is_line_bad=True) as first:
        first.on_board("slide")
        first.noted(1)
        first.done.append((("slide", 1, "start", ""), 0, 0))
        server.wait_for(1)
        with Session(context, server, check, done=list(first.done)) as second:
            second.on_board("slide")
            first.slide("B-3")
            server.wait_for(2)
            second.is_line_bad = True
            second.drag((1, 5.5), (2, 5.5))
            second.shows("This session has gone on in another window")
            second.that("Not recorded from this page: 1 step." in second.text(), f"what was lost: {second.text()!r}")
            second.same(second.page.locator(".play").count(), 0, "boards after recording has stopped")
            second.same(second.page.get_by_role("alert").count(), 1, "alerts")
            second.same(told(server.events())[1:], [("slide", 1, "move", "B-3")], "events of two pages")
            yield "conflict", second
            second.is_line_bad = False
            second.button("Load again").click()
            second.on_board("slide")
            second.same(second.dialogs, [], "warnings about what cannot be saved anyway")
            second.same(second.piece("B"), [1, 4.5], "a piece moved on the other page")
            second.done += first.done[1:]
            second.slide("C+3")
            server.wait_for(3)
            row, column = first.piece("D")
            first.drag((row, column), (row + 1, column))
            first.shows("This session has gone on in another window")
            first.same(told(server.events())[2:], [("slide", 1, "move", "C+3")], "events of two pages, the other way round")


def check_notice(context, server, check):
    with Session(context, server, check, is_line_bad=True) as play:
        play.on_board("slide")
        play.noted(1)
        play.done.append((("slide", 1, "start", ""), 0, 0))
        server.wait_for(1)
        box = play.page.locator(".play-board").bounding_box()
        server.stop()
        play.slide("B-3")
        play.slide("C+3")
        play.page.wait_for_timeout(4000)
        play.same(play.text(".session-notice"), "", "a notice before 5 seconds are over")
        play.shows("Not saved yet: 2 steps. The page goes on trying.")
        play.same(play.page.locator(".session > .play-hidden").text_content(), "Not saved yet: 2 steps. The page goes on trying.", "what is read aloud")
        play.same(play.page.locator(".play-board").bounding_box(), box, "the board stays where it is")
        play.slide("A+3")
        play.shows("Not saved yet: 3 steps.")
        yield "notice", play
        server.start()
        server.wait_for(4)
        play.page.wait_for_function("() => document.querySelector('.session-notice').textContent === ''")
        play.same(play.page.locator(".session > .play-hidden").text_content(), "Everything is saved again.", "what is read aloud")
        play.same(told(server.events()), [one for one, _, _ in play.done], "recorded")
        play.slide("R+4", ("slide", 1, "solved", ""))
        yield "solved", play


def check_closing(context, server, check):
    """A page that is closed warns while something is not saved, and sends it all the same."""
    with Session(context, server, check, is_line_bad=True) as play:
        play.on_board("slide")
        play.noted(1)
        play.done.append((("slide", 1, "start", ""), 0, 0))
        server.wait_for(1)
        server.faults = itertools.chain(["before"], itertools.repeat(None))
        play.slide("B-3")
        play.page.goto("about:blank")
        play.same(play.dialogs, ["beforeunload"], "warnings")
        play.same(server.wait_for(2, seconds=3), 2, "events after the page is gone")
        play.page.goto(server.base + "/?participant=P01")
        play.on_board("slide")
        play.same(play.piece("B"), [1, 4.5], "the piece that was moved last")
        play.slide("C+3")
        server.wait_for(3)
        play.page.wait_for_timeout(200)
        play.page.goto("about:blank")
        play.same(play.dialogs, ["beforeunload"], "warnings where all is saved")


def check_end(context, server, check):
    """No thanks before everything is saved."""
    server.study = STUDY | {"plans": [PLAN | {"blocks": [{"name": "levels", "levels": ["slide"], "order": "given"}]}]}
    with Session(context, server, check, is_line_bad=True) as play:
        play.on_board("slide")
        play.noted(1)
        play.done.append((("slide", 1, "start", ""), 0, 0))
        server.wait_for(1)
        play.that(not play.text(".play-head").startswith("Level"), "no progress where there is one level")
        server.faults = itertools.repeat("before")
        for move in LEVELS["slide"]["solution"][:-1]:
            play.slide(move)
        play.slide("R+4", ("slide", 1, "solved", ""))
        play.shows("All levels are done. Your last steps are being saved")
        play.that("Thank you" not in play.text(), f"thanks while steps wait: {play.text()!r}")
        yield "saving", play
        server.faults = itertools.repeat(None)
        play.shows("Thank you!")
        play.same(told(server.events()), [one for one, _, _ in play.done], "recorded")
        play.that("being saved" not in play.text(), f"saving after all is saved: {play.text()!r}")
        yield "thanks", play


def check_lost_solution(context, server, check):
    """Where the page went away between a move and its solution, the solution has the time of its move."""
    server.sessions["P01/1"] = begun(("start", "", 0), *(("move", move, 2 + number) for number, move in enumerate(LEVELS["slide"]["solution"])))
    with Session(context, server, check) as play:
        play.on_board("slide")
        play.button("Next level").wait_for()
        server.wait_for(6)
        last = server.events()[-1]
        play.same([last["event"], last["onset_s"], last["time_ms"]], ["solved", 5, 5002.5], "the solution")


def check_changed_level(context, server, check):
    """Steps that do not fit their level."""
    server.sessions["P01/1"] = begun(("start", "", 0), ("move", "X+9", 1))
    with Session(context, server, check) as play:
        play.shows("The level cannot go on from where you left it.")
        play.that("step 2 (move X+9) cannot be repeated" in play.text(), f"the reason: {play.text()!r}")
        yield "changed", play
        play.button("Try again").click()
        play.shows("The level cannot go on from where you left it.")
        play.button("Start the level again").click()
        play.on_board("slide")
        server.wait_for(3)
        play.drag((1, 5.5), (2, 5.5))
        server.wait_for(4)
        play.same(told(server.events())[2:], [("slide", 2, "start", ""), ("slide", 2, "move", "D+1")], "a level that was begun anew")
        play.page.reload()
        play.on_board("slide")
        play.same(play.piece("D"), [2, 5.5], "the level that was begun anew goes on")
        play.button("Start again").click()
        play.settle()
        play.drag((1, 5.5), (2, 5.5))
        server.wait_for(6)
        play.same(told(server.events())[4:], [("slide", 2, "reset", ""), ("slide", 3, "move", "D+1")], "attempts are counted on")


def check_refused(context, server, check):
    for status, title in ((410, "Recording has stopped, so playing has stopped too."), (403, "This link is not complete, or not yours.")):
        server.reset()
        with Session(context, server, check) as play:
            play.on_board("slide")
            server.wait_for(1)
            server.faults = itertools.repeat(status)
            play.is_line_bad = True
            play.drag((1, 5.5), (2, 5.5))
            play.shows(title)
            play.that("the study is closed" in play.text(), f"the reason: {play.text()!r}")
            yield f"refused-{status}", play
            server.faults = itertools.repeat(None)
            play.button("Load again").click()
            play.on_board("slide")
            play.same(play.piece("D"), [2, 5.5], "what was refused is still there")
            play.same(server.wait_for(2), 2, "and is sent again")
            play.page.evaluate("localStorage.clear(); indexedDB.deleteDatabase('plymap')")


def check_interrupted(context, server, check):
    """A log that is not where it was, which a page neither blames on its player nor ends for."""
    with Session(context, server, check, is_line_bad=True) as play:
        play.on_board("slide")
        play.noted(1)
        play.done.append((("slide", 1, "start", ""), 0, 0))
        server.wait_for(1)
        server.faults = itertools.repeat("gone")
        play.slide("B-3")
        play.shows("Recording is interrupted, through no fault of yours. Nothing is lost so far (waiting here: 1 step).")
        play.same(play.page.locator(".session > .play-hidden").text_content(), play.text(".session-notice"), "what is read aloud")
        play.that("window" not in play.text(), f"nobody blames a second window: {play.text()!r}")
        yield "interrupted", play
        play.slide("C+3")
        server.faults = itertools.repeat(None)
        play.same(server.wait_for(3), 3, "what waited is sent when the log is there again")
        play.page.wait_for_function("() => document.querySelector('.session-notice').textContent === ''")
        play.same(told(server.events()), [one for one, _, _ in play.done], "recorded")


def check_experiment(context, server, check):
    """Conditions by number of arrival, pages and answers on a server, and a session that goes on in another browser."""
    question = {"name": "age", "text": "<p>Your age?</p>", "type": "text", "options": [], "multiple": False, "long": False, "required": True, "when": "level"}
    plans = [PLAN | {"condition": condition, "consent": "<p>Do you agree?</p>", "instructions": [f"<p>Condition {condition}.</p>"], "questions": [question], "hints": condition == "helped",
                     "blocks": [{"name": "one", "levels": ["tower"], "order": "given"}], "completion": {"code": None, "link": "/?done"}} for condition in ("helped", "alone")]
    server.study = STUDY | {"plans": plans}
    server.begin("P00/1", "Bearer of another one", {"time_ms": 0, "onset_s": 0})
    link = "/?participant=P01&token=that-of-the-link"
    with Session(context, server, check, link) as play:
        play.button("I agree").click()
        play.shows("Condition alone.")
        server.wait_for(1)
        server.faults = itertools.repeat("before")
        play.is_line_bad = True
        play.button("Continue").click()
        play.on_board("tower")
        play.same(play.button("Hint").count(), 0, "hints in a condition without")
        play.shows("Not saved yet: 2 steps.")
        server.faults = itertools.repeat(None)
        play.page.wait_for_function("() => document.querySelector('.session-notice').textContent === ''")
    other = context.browser.new_context(viewport={"width": 800, "height": 900})
    with Session(other, server, check, link) as play:
        play.on_board("tower")
        play.button("Give up").click()
        play.button("Yes, give up").click()
        play.button("Continue").click()
        play.page.get_by_role("textbox").fill("31")
        play.button("Continue").click()
        play.shows("Everything is saved.")
        play.same(play.page.get_by_role("link", name="Finish").get_attribute("href"), "/?done", "the way on")
        yield "finish", play
        events = server.kept("P01/1")
        play.same([(one["event"], one["action"], one.get("value")) for one in events],
                  [("assign", "alone", "1"), ("page", "consent", None), ("page", "instructions-1", None), ("start", "", None), ("give_up", "", None), ("answer", "age", "31"), ("page", "questions-level-tower", None), ("page", "end", None)], "recorded")
        play.same({one["condition"] for one in events}, {"alone"}, "the condition")
        play.same([(one["level"], one["block"], one["trial"]) for one in events if one["event"] == "answer"], [("tower", "one", 1)], "what an answer is about")
    other.close()


def check_links(context, server, check):
    with Session(context, server, check, "/?session=2&level=swipe") as play:
        play.shows("Your participant code")
        play.that(play.page.locator("#participant").evaluate("(one) => one === document.activeElement"), "the focus is in the form")
        yield "form", play
        play.page.keyboard.type("P 7")
        play.press("Enter")
        play.same(play.page.url, f"{server.base}/?session=2&level=swipe", "a code that is not possible")
        play.page.locator("#participant").fill(" P07 ")
        play.button("Begin").click()
        play.on_board("swipe")
        play.same(urllib.parse.parse_qs(urllib.parse.urlparse(play.page.url).query), {"participant": ["P07"], "session": ["2"], "level": ["swipe"]}, "link")
        play.that(play.text(".play-head").startswith("Level 3 of 3"), "progress")
        play.that("Participant P07, session 2" in play.text(), "who plays")
        for key in ("ArrowLeft", "ArrowUp", "ArrowRight"):
            play.page.locator(".play-board").press(key)
            play.settle()
        play.shows("Thank you!")
        play.same(told(server.events("P07/2"))[-1], ("swipe", 1, "solved", ""), "the end of the one level")
    for link, words in (("/?participant=a/b", "The code a/b is not possible."), ("/?participant=..", "The code .. is not possible."),
                        ("/?participant=P01&level=nine", "The study has no level nine."), ("/?participant=P01&session=a%20b", "this one is a b")):
        with Session(context, server, check, link) as play:
            play.shows(words)
            play.same(server.events(), [], "events after a wrong link")


def check_loading(context, server, check):
    """What cannot be loaded can be tried again, without losing the page."""
    with Session(context, server, check, is_line_bad=True) as play:
        play.on_board("slide")
        server.wait_for(1)
        play.button("Give up").click()
        play.button("Yes, give up").click()
        server.wait_for(2)
        server.stop()
        play.button("Next level").click()
        play.shows("The level could not be loaded.")
        yield "not-loaded", play
        server.start()
        # By itself, or by the button that is there until then.
        play.on_board("tower")
        server.wait_for(3)
        play.same(told(server.events())[1:], [("slide", 1, "give_up", ""), ("tower", 1, "start", "")], "recorded")


def check_layout(browser, server, check, shots):
    for language, (width, height) in itertools.product(("en", "de", "fr"), WIDTHS):
        for level in ("slide", "tower", "swipe"):
            server.reset()
            server.study = STUDY | {"language": language}
            context = browser.new_context(viewport={"width": width, "height": height})
            with Session(context, server, check, f"/?participant=P01&level={level}") as play:
                play.where = f"{level}, {width} px, {language}"
                play.page.locator(".play-board svg > g > g").first.wait_for()
                server.wait_for(1)
                play.settle()
                page, foot = play.page.evaluate("[document.documentElement.scrollWidth, document.querySelector('.play-foot').getBoundingClientRect().bottom]")
                play.that(page <= width, f"the page is {page} px wide")
                play.that(foot <= height, f"the controls end at {foot} px of {height}")
                play.same(play.page.evaluate("document.documentElement.lang"), language, "language")
                if shots:
                    play.page.screenshot(path=shots / f"session-{level}-{language}-{width}.png")
            context.close()


def look(play, name, width, height, shots):
    """What has to be so of each page in each width."""
    page = play.page.evaluate("document.documentElement.scrollWidth")
    play.that(page <= width, f"{name}: the page is {page} px wide at {width} px")
    small = play.page.evaluate("Array.from(document.querySelectorAll('button, input:not([type=radio]):not([type=checkbox])'), (one) => one.offsetHeight).filter((height) => height > 0 && height < 44)")
    play.same(small, [], f"{name}: small controls at {width} px")
    low = play.page.evaluate("Math.max(...Array.from(document.querySelectorAll('.session > *'), (one) => one.getBoundingClientRect().bottom))")
    play.that(low <= height, f"{name}: the page ends at {low} px of {height}")
    if shots:
        play.page.screenshot(path=shots / f"session-{name}-{width}.png")


def run(browser, server, check, part, look, shots):
    """Runs a check; what it yields on its way is looked at in all widths."""
    server.reset()
    context = browser.new_context(viewport={"width": 800, "height": 900})
    try:
        for name, play in part(context, server, check) or ():
            for width, height in WIDTHS:
                play.page.set_viewport_size({"width": width, "height": height})
                # Sizes are observed once a frame.
                play.page.wait_for_timeout(100)
                look(play, name, width, height, shots)
            play.page.set_viewport_size({"width": 800, "height": 900})
            play.page.wait_for_timeout(100)
    except PlaywrightError as error:
        check.that(False, f"{part.__name__}: {str(error).splitlines()[0]}")
    finally:
        with contextlib.suppress(PlaywrightError):
            context.close()


def main():
    options = parser(__doc__).parse_args()
    server = StudyServer()
    check = Check()
    parts = [check_whole_study, check_two_pages, check_notice, check_closing, check_end, check_lost_solution, check_changed_level,
             check_refused, check_interrupted, check_experiment, check_links, check_loading]
    with chromium(options.chromium) as browser:
        for part in parts:
            run(browser, server, check, part, look, options.shots)
        check_layout(browser, server, check, options.shots)
    server.stop()
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
