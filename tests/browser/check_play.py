"""Plays every game in headless Chromium, served by `plymap serve`, and fails if anything in it does not work.

    python tests/browser/check_play.py --plymap target/debug/plymap [--chromium /usr/bin/chromium] [--shots FOLDER]

In each game moves are made by mouse, by clicks, by touch and by keys, and the page is loaded again in mid-level. Every move has to be
recorded once, with the notation of the rules and a time at which the page was told of the input; in the end plymap reads what was
recorded without a reject. Needs Python with `playwright` and a Chromium of the system.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

from playwright.sync_api import sync_playwright

from checking import Check

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "play" / "test"))

from browser import NOTE_INPUTS, inputs_of  # noqa: E402

# Game, file of its levels, and whether pieces are moved, the board is swiped, cells are pressed, or buttons make the moves.
GAMES = {
    "rush-hour": ("rush-hour", "demo/levels/demo-01.txt", "pieces"),
    "panguru": ("panguru", "panguru/levels.txt", "pieces"),
    "match-the-tiles": ("match-the-tiles", "match_the_tiles/levels.txt", "swipes"),
    "lights-out": ("lights-out", "lights_out/levels.txt", "presses"),
    "2048": ("2048", "2048/endless.txt", "swipes"),
    "tower-of-london": ("tower-of-london", "tower_of_london/levels.txt", "pieces"),
    "tower-of-hanoi": ("tower-of-hanoi", "tower_of_hanoi/levels.txt", "pieces"),
    "eight-puzzle": ("{data}/lua/eight_puzzle.lua", "lua/eight_puzzle_levels.txt", "pieces"),
    "water-jugs": ("{data}/lua/water_jugs.lua", "lua/water_jugs_levels.txt", "buttons"),
}

# Between moves, in milliseconds.
PAUSE = 150


class Server:
    """`plymap serve` of the first level of a game, in a folder of its own."""

    def __init__(self, program, folder, name):
        game, levels, self.hands = GAMES[name]
        data = ROOT / "data"
        self.program, self.study, self.record = program, folder / "study.toml", folder / "recorded.ndjson"
        self.study.write_text(
            f'[study]\nname = "{name}"\n[levels]\ngame = {json.dumps(game.format(data=data))}\nfiles = [{json.dumps(str(data / levels))}]\n'
            '[log]\nfiles = ["recorded.ndjson"]\n'
        )
        command = [program, "serve", self.study, "--port", "0", "--hints"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = ""
        while "http://" not in said:
            line = self.process.stderr.readline()
            if not line:
                raise SystemExit(f"{name}: the server did not start: {said}")
            said += line
        self.base = re.search(r"http://[^/]+", said).group()

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def events(self, participant):
        """What is on disk: the server tells a session to the page that began it alone."""
        lines = self.record.read_text().splitlines() if self.record.exists() else []
        return [event for event in map(json.loads, lines) if event["participant"] == participant]

    def stop(self):
        self.process.kill()
        self.process.wait()


class Play:
    """A participant at the first level."""

    def __init__(self, browser, server, check, name, hand, size=(800, 900)):
        self.server, self.check, self.where, self.participant = server, check, f"{name}, {hand}", hand
        self.level = server.ask("/api/study")["levels"][0]["id"]
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=hand == "touch")
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("console", lambda message: check.that(False, f"{self.where}: console {message.type}: {message.text[:300]}"))
        self.page.on("pageerror", lambda error: check.that(False, f"{self.where}: uncaught {error}"))
        own = server.base
        self.page.on("request", lambda request: check.that(request.url.startswith(own), f"{self.where}: asked for {request.url[:200]}"))
        self.page.add_init_script(NOTE_INPUTS)
        self.open()

    def open(self):
        query = urllib.parse.urlencode({"participant": self.participant, "level": self.level})
        self.page.goto(f"{self.server.base}/?{query}")
        self.page.wait_for_selector(".play-board svg")
        self.wait_for(1)

    def events(self):
        """Those of the level: the first of all tells the condition."""
        return [event for event in self.server.events(self.participant) if event["level"]]

    def wait_for(self, n_events):
        """Until so many events are on disk."""
        for _ in range(100):
            events = self.events()
            if len(events) >= n_events:
                break
            self.page.wait_for_timeout(50)
        return self.check.that(len(events) == n_events, f"{self.where}: {n_events} events are awaited, and there are {len(events)}: {events[-3:]}")

    def position(self):
        """Where the events lead, as the rules say."""
        events = self.events()
        path = f"/api/levels/{urllib.parse.quote(self.level)}"
        state = next((event["state_after"] for event in reversed(events) if "state_after" in event), None)
        found = self.server.ask(path)["start"] if state is None else self.server.ask(f"{path}/position?" + urllib.parse.urlencode({"state": state}))
        for event in events:
            if event["event"] == "move":
                found = self.server.ask(f"{path}/play", {"state": found["state"], "action": event["action"]})["position"]
        return found

    def point(self, row, column):
        return self.page.evaluate(
            """([row, column]) => {
              const { x, y } = new DOMPoint(column * 100, row * 100).matrixTransform(document.querySelector(".play-board svg").getScreenCTM());
              return [x, y];
            }""",
            [row, column],
        )

    def settle(self):
        self.page.wait_for_function("() => document.getAnimations().length === 0")

    def drag(self, start, end):
        points = [self.point(*start), self.point(*end)]
        if self.participant != "touch":
            self.page.mouse.move(*points[0])
            self.page.mouse.down()
            self.page.mouse.move(*points[1], steps=6)
            self.page.mouse.up()
            return
        session = self.context.new_cdp_session(self.page)
        (x0, y0), (x1, y1) = points
        for step in range(7):
            place = {"x": x0 + (x1 - x0) * step / 6, "y": y0 + (y1 - y0) * step / 6}
            session.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [place]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    def tap(self, place):
        x, y = self.point(*place)
        self.page.touchscreen.tap(x, y) if self.participant == "touch" else self.page.mouse.click(x, y)

    def make(self, hands, number):
        """Makes a legal move with a hand, and says which."""
        moves = self.position()["moves"]
        move = moves[(2 * number) % len(moves)]
        gesture = move["gesture"]
        board = self.page.locator(".play-board")
        if self.participant == "keys":
            board.focus()
            for key in {"pieces": ["ArrowRight", "Enter", "PageDown", "Enter"], "swipes": [f"Arrow{(gesture or {}).get('swipe', '').title()}"], "presses": ["ArrowRight", "ArrowDown", "Enter"]}[hands]:
                self.page.keyboard.press(key)
            return move["notation"] if hands == "swipes" else None
        if hands == "swipes":
            down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[gesture["swipe"]]
            if self.participant == "clicks":
                self.page.get_by_role("button", name=re.compile(gesture["swipe"], re.I)).first.click()
            else:
                self.drag((2 - down, 2 - right), (2 + down, 2 + right))
        elif hands == "presses":
            row, column = gesture["press"]
            self.tap((row + 0.5, column + 0.5))
        else:
            start, end, sides = self.way(move)
            if self.participant == "clicks":
                self.tap(start)
                # The cell that its end reaches: a piece that is longer than its way still covers others of its cells.
                self.tap([b + (0 if a == b else (0.4 if b > a else -0.4) * max(side - 0.2, 0)) for a, b, side in zip(start, end, sides)])
            else:
                self.drag(start, end)
        return move["notation"]

    def way(self, move):
        """The middle of the piece that a move takes elsewhere, before and after it, and its sides."""
        before, after = self.position()["shapes"], move["after"]
        kind = lambda shape: (shape[2], shape[3], shape[5])
        gone = next(shape for shape in before if shape not in after and any(kind(other) == kind(shape) and other not in before for other in after))
        come = next(shape for shape in after if kind(shape) == kind(gone) and shape not in before)
        return *[(row + rows / 2, column + columns / 2) for row, column, rows, columns, *_ in (gone, come)], come[2:4]


def play_game(browser, server, check, name, shots):
    hands = server.hands
    for hand in ("buttons",) if hands == "buttons" else ("mouse", "clicks", "touch", "keys"):
        play = Play(browser, server, check, name, hand)
        n_events = 1
        for number in range(4):
            play.settle()
            # Nobody is faster: plymap check would say so.
            play.page.wait_for_timeout(PAUSE)
            if hands == "buttons":
                wanted = play.position()["moves"][0]["notation"]
                play.page.locator(".play-others button").first.click()
            else:
                wanted = play.make(hands, number)
            n_events += 1
            if not play.wait_for(n_events):
                break
            event = play.events()[-1]
            if event["event"] == "solved":
                break
            said = event["action"]
            is_same = wanted is None or said == wanted or said.startswith(wanted + "+")
            check.that(event["event"] == "move" and is_same, f"{play.where}: {said} is recorded, and {wanted} was made")
            # Times of records are whole milliseconds.
            is_of_input = any(begin - 1 <= event["time_ms"] <= end + 1 for begin, end in inputs_of(play.page))
            check.that(is_of_input, f"{play.where}: {said} is recorded at {event['time_ms']} ms, when no input was made")
            if number == 1:
                play.page.reload()
                play.page.wait_for_selector(".play-board svg")
                play.page.wait_for_timeout(200)
        if play.events()[-1]["event"] != "solved":
            play.page.get_by_role("button", name="Give up").click()
            play.page.get_by_role("button", name="Yes, give up").click()
            play.wait_for(n_events + 1)
        play.page.locator(".session-say h2").wait_for()
        play.context.close()
    if shots:
        for width in (360, 800, 1400):
            play = Play(browser, server, check, name, f"shot{width}", (width, 800))
            play.page.screenshot(path=shots / f"{name}-{width}.png")
            wide = play.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            check.that(wide <= 0, f"{name}, {width} px: the page is {wide} px too wide")
            play.context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plymap", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome"))
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--games", nargs="*", choices=GAMES, default=list(GAMES))
    arguments = parser.parse_args()
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    check = Check()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        for name in arguments.games:
            with tempfile.TemporaryDirectory() as folder:
                server = Server(arguments.plymap, pathlib.Path(folder), name)
                try:
                    play_game(browser, server, check, name, arguments.shots)
                finally:
                    server.stop()
                found = subprocess.run([arguments.plymap, "check", server.study], capture_output=True, text=True)
                said = found.stdout + found.stderr
                check.that("nothing is wrong" in said and "(rejected)" not in said, f"{name}: plymap check: {said}")
                numbers = {}
                for line in server.record.read_text().splitlines():
                    event = json.loads(line)
                    check.that(event["seq"] == numbers.get(event["participant"], 0), f"{name}: event {event['seq']} is not in its place")
                    numbers[event["participant"]] = event["seq"] + 1
        browser.close()
    for fault in check.faults:
        print(fault)
    print(f"{check.n_checks} checks of play in the browser, {len(check.faults)} faults")
    sys.exit(bool(check.faults))


if __name__ == "__main__":
    main()
