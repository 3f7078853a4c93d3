"""Plays every game in headless Chromium, served by `plymap serve`, and fails if anything in it does not work.

    python tests/browser/check_play.py --plymap target/debug/plymap [--chromium /usr/bin/chromium] [--shots FOLDER]

In each game moves are made by mouse, by clicks, by touch and by keys, and the page is loaded again in mid-level. Every move has to be
recorded once, with the notation of the rules and a time at which the page was told of the input; in the end plymap reads what was
recorded without a reject. Needs Python with `playwright` and a Chromium of the system.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

from harness import ROOT, BoardPage, Check, PlymapServer, chromium, parser

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


class Server(PlymapServer):
    """`plymap serve` of the first level of a game, in a folder of its own."""

    def __init__(self, program, folder, name):
        game, levels, self.hands = GAMES[name]
        data = ROOT / "data"
        (folder / "study.toml").write_text(
            f'[study]\nname = "{name}"\n[levels]\ngame = {json.dumps(game.format(data=data))}\nfiles = [{json.dumps(str(data / levels))}]\n'
            '[log]\nfiles = ["recorded.ndjson"]\n'
        )
        super().__init__(program, folder, "--hints")

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


class Play(BoardPage):
    """A participant at the first level."""

    def __init__(self, browser, server, check, name, hand, size=(800, 900)):
        self.server, self.participant = server, hand
        self.level = server.ask("/api/study")["levels"][0]["id"]
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=hand == "touch")
        super().__init__(check, f"{name}, {hand}", context, allowed=server.base, notes_inputs=True)
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
        return self.that(len(events) == n_events, f"{n_events} events are awaited, and there are {len(events)}: {events[-3:]}")

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

    def tap(self, place):
        if self.participant == "touch":
            self.page.touchscreen.tap(*self.point(*place))
        else:
            self.click(*place)

    def pull(self, start, end):
        (self.touch if self.participant == "touch" else self.drag)(start, end)

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
                self.pull((2 - down, 2 - right), (2 + down, 2 + right))
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
                self.pull(start, end)
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
            play.that(event["event"] == "move" and is_same, f"{said} is recorded, and {wanted} was made")
            # Times of records are whole milliseconds.
            is_of_input = any(begin - 1 <= event["time_ms"] <= end + 1 for begin, end in play.inputs())
            play.that(is_of_input, f"{said} is recorded at {event['time_ms']} ms, when no input was made")
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
    options = parser(__doc__, needs_plymap=True)
    options.add_argument("--games", nargs="*", choices=GAMES, default=list(GAMES))
    options = options.parse_args()
    check = Check()
    with chromium(options.chromium) as browser:
        for name in options.games:
            with tempfile.TemporaryDirectory() as folder:
                server = Server(options.plymap, pathlib.Path(folder), name)
                try:
                    play_game(browser, server, check, name, options.shots)
                finally:
                    server.kill()
                found = subprocess.run([options.plymap, "check", server.folder], capture_output=True, text=True)
                said = found.stdout + found.stderr
                check.that("nothing is wrong" in said and "(rejected)" not in said, f"{name}: plymap check: {said}")
                numbers = {}
                for line in (server.folder / "recorded.ndjson").read_text().splitlines():
                    event = json.loads(line)
                    check.that(event["seq"] == numbers.get(event["participant"], 0), f"{name}: event {event['seq']} is not in its place")
                    numbers[event["participant"]] = event["seq"] + 1
    sys.exit(check.end(" of play in the browser"))


if __name__ == "__main__":
    main()
