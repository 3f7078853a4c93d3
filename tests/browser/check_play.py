"""Plays every game in headless Chromium, served by `plymap serve`, and fails if anything in it does not work.

    python tests/browser/check_play.py --plymap target/debug/plymap [--chromium /usr/bin/chromium] [--shots FOLDER]

In each game moves are made by mouse, by clicks, by touch and by keys, and the page is loaded again in mid-level. Every move has to be
recorded once, with the notation of the rules and a time at which the page was told of the input; in the end plymap reads what was
recorded without a reject. All levels of the files are looked at on a telephone, and two of each game on a computer: aim and board are in
view, no text is small, nothing is cut or lies on something else, and a telephone is told of no keys. Needs Python with `playwright` and
a Chromium of the system.
"""

import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

from harness import KEYS, ROOT, BoardPage, Check, PlymapServer, chromium, parser

# Game, files of its levels, the one that is played, and whether pieces are moved, the board is swiped, cells are pressed, tiles are
# pressed or dragged, or buttons make the moves.
GAMES = {
    "rush-hour": ("rush-hour", "demo/levels/demo-01.txt demo/levels/demo-10.txt demo/levels/article-1.txt", "demo-01", "pieces"),
    "panguru": ("panguru", "panguru/levels.txt", "first-six", "pieces"),
    "match-the-tiles": ("match-the-tiles", "match_the_tiles/levels.txt", "first-steps", "swipes"),
    "lights-out": ("lights-out", "lights_out/levels.txt", "first", "presses"),
    "2048": ("2048", "2048/endless.txt 2048/levels.txt", "endless", "swipes"),
    "tower-of-london": ("tower-of-london", "tower_of_london/levels.txt", "two-moves", "pieces"),
    "tower-of-hanoi": ("tower-of-hanoi", "tower_of_hanoi/levels.txt", "three-disks", "pieces"),
    "sliding-tiles": ("sliding-tiles", "sliding_tiles/levels.txt", "five", "tiles"),
    "eight-puzzle": ("{data}/lua/eight_puzzle.lua", "lua/eight_puzzle_levels.txt", "three", "pieces"),
    "peg-solitaire": ("{data}/lua/peg_solitaire.lua", "lua/peg_solitaire_levels.txt", "small-cross", "pieces"),
    "sokoban": ("{data}/lua/sokoban.lua", "lua/sokoban_levels.txt", "two-boxes-in-steps", "swipes"),
    "river": ("{data}/lua/river.lua", "lua/river_levels.txt", "two", "buttons"),
    "water-jugs": ("{data}/lua/water_jugs.lua", "lua/water_jugs_levels.txt", "two-jugs", "buttons"),
}

# Windows of a telephone, which is touched, and of a computer.
WINDOWS = {400: (400, 800), 1280: (1280, 800)}
LANGUAGES = ("en", "de", "fr")
LEAST_TEXT_PX = 12

# Between moves, in milliseconds.
PAUSE = 150


class Server(PlymapServer):
    """`plymap serve` of the first level of a game, in a folder of its own."""

    def __init__(self, program, folder, name):
        game, levels, self.level, self.hands = GAMES[name]
        data = ROOT / "data"
        # As in the study of the game: without a setting of the level the player walks by arrows.
        rules = '[rules.settings]\nmoves = "step"\n' if name == "sokoban" else ""
        (folder / "study.toml").write_text(
            f'[study]\nname = "{name}"\n[levels]\ngame = {json.dumps(game.format(data=data))}\nfiles = {json.dumps([str(data / one) for one in levels.split()])}\n'
            f'[log]\nfiles = ["recorded.ndjson"]\n{rules}'
        )
        super().__init__(program, folder, "--hints")

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


class Play(BoardPage):
    """A participant at the level that is played."""

    def __init__(self, browser, server, check, name, hand):
        self.server, self.participant, self.level = server, hand, server.level
        context = browser.new_context(viewport={"width": 800, "height": 900}, has_touch=hand == "touch")
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
            for key in {"pieces": ["ArrowRight", "Enter", "PageDown", "Enter"], "swipes": [f"Arrow{(gesture or {}).get('swipe', '').title()}"], "presses": ["ArrowRight", "ArrowDown", "Enter"], "tiles": ["ArrowRight", "ArrowDown", "Enter"]}[hands]:
                self.page.keyboard.press(key)
            return move["notation"] if hands == "swipes" else None
        if hands == "swipes":
            down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[gesture["swipe"]]
            if self.participant == "clicks":
                self.page.get_by_role("button", name=re.compile(gesture["swipe"], re.I)).first.click()
            else:
                self.pull((2 - down, 2 - right), (2 + down, 2 + right))
        elif hands == "presses" or (hands == "tiles" and self.participant != "mouse"):
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
        pairs = [(gone, come) for gone in before if gone not in after for come in after if come not in before and kind(come) == kind(gone)]
        # A peg that is jumped over goes, too: the one that jumps comes from farther away.
        gone, come = max(pairs, key=lambda pair: abs(pair[0][0] - pair[1][0]) + abs(pair[0][1] - pair[1][1]))
        return *[(row + rows / 2, column + columns / 2) for row, column, rows, columns, *_ in (gone, come)], come[2:4]


def play_game(browser, server, check, name):
    hands = server.hands
    for hand in ("buttons",) if hands == "buttons" else ("mouse", "clicks", "touch", "keys"):
        play = Play(browser, server, check, name, hand)
        n_events = 1
        for number in range(4):
            play.settle()
            # Nobody is faster: plymap check would say so.
            play.page.wait_for_timeout(PAUSE)
            if not play.position()["moves"]:
                break
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


def walk(browser, server, check):
    """The player of Sokoban walks and pushes by arrow keys in all four directions."""
    play = Play(browser, server, check, "sokoban", "walks")
    play.page.locator(".play-board").focus()
    way = {"ArrowLeft": "l", "ArrowUp": "u", "ArrowUp again": "U", "ArrowDown": "d", "ArrowRight": "r"}
    for number, key in enumerate(way):
        play.settle()
        play.page.wait_for_timeout(PAUSE)
        play.page.keyboard.press(key.split()[0])
        play.wait_for(number + 2)
    play.same([event["action"] for event in play.events()[1:]], list(way.values()), "steps of the player by arrow keys")
    play.context.close()


# What a page shows: the width beyond its window, boxes of its parts, and of the board the texts with their sizes and what is cut.
SEEN = """() => {
  const box = (one) => { const { left, top, right, bottom } = one.getBoundingClientRect(); return [left, top, right, bottom].map((side) => Math.round(side * 10) / 10); };
  const all = (what) => Array.from(document.querySelectorAll(what)).filter((one) => one.getClientRects().length && one.textContent.trim());
  const [svg, aim] = [document.querySelector(".play-board svg"), document.querySelector(".play-aim")];
  const scale = svg.getScreenCTM().a;
  const edge = box(svg);
  const isCut = (one) => { const [left, top, right, bottom] = box(one); return left < edge[0] - 1 || top < edge[1] - 1 || right > edge[2] + 1 || bottom > edge[3] + 1; };
  return {
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    aim: [aim.textContent, ...box(aim)],
    board: edge,
    parts: [...all(".session-head > *, .session-how, .play-aim, .play-head > span, .play-status, .play button, .play-others > p"), svg].map((one) => [one.textContent.trim().slice(0, 30), ...box(one)]),
    sizes: all(".session *:not(svg *)").filter((one) => !one.closest(".play-hidden") && Array.from(one.childNodes).some((node) => node.nodeType === 3 && node.data.trim()))
      .map((one) => [one.textContent.slice(0, 30), parseFloat(getComputedStyle(one).fontSize)]),
    letters: all(".play-board svg text").map((one) => [one.textContent, scale * parseFloat(getComputedStyle(one).fontSize), ...box(one)]),
    cut: Array.from(svg.querySelectorAll("rect, ellipse, circle, path, polygon, text")).filter((one) => one.getClientRects().length && isCut(one)).map((one) => one.outerHTML.slice(0, 80)),
    words: document.body.textContent,
  };
}"""


def overlap(one, other):
    """How far two boxes lie on each other, in pixels."""
    return min(min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1]))


def look(browser, server, check, name, shots):
    """Every level on a telephone, the first one in each language, and the first and the last one on a computer: aim and board are in view, and nothing is cut or small."""
    levels = [level["id"] for level in server.ask("/api/study")["levels"]]
    for width, size in WINDOWS.items():
        for language in LANGUAGES if width == 400 else LANGUAGES[:1]:
            context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=width == 400, is_mobile=width == 400)
            # Maps of large levels take a while; positions do not.
            context.route("**/api/study", functools.partial(answer_study, language))
            shown = levels[:1] if language != "en" else levels if width == 400 else [levels[0], levels[-1]]
            for level in shown:
                page = BoardPage(check, f"{name}, {level}, {width} px, {language}", context, allowed=server.base)
                query = urllib.parse.urlencode({"participant": f"sees-{width}-{language}-{levels.index(level)}", "level": level})
                page.page.goto(f"{server.base}/?{query}")
                page.page.wait_for_selector(".play-board svg")
                page.settle()
                look_at(page, size, language, server.ask(f"/api/levels/{urllib.parse.quote(level)}")["aim"])
                if shots:
                    page.page.screenshot(path=shots / f"{name}-{level}-{width}-{language}.png")
                page.page.close()
            context.close()


def answer_study(language, route):
    """The study in a language, without maps."""
    study = route.fetch().json() | {"language": language}
    for level in study["levels"]:
        level |= {"map": None, "hints": None}
    route.fulfill(json=study)


def look_at(page, size, language, aim):
    seen = page.page.evaluate(SEEN)
    width, height = size
    page.that(seen["wide"] <= 0, f"the page is {seen['wide']} px too wide")
    words, left, top, right, bottom = seen["aim"]
    page.same(words, aim[language], "aim")
    page.that(words and left >= 0 and top >= 0 and right <= width and bottom <= height, f"the aim is out of view: {seen['aim']}")
    left, top, right, bottom = seen["board"]
    page.that(left >= 0 and top >= 0 and right <= width and bottom <= height, f"the board is out of view: {seen['board']}")
    for boxes in (seen["parts"], [[text, *box] for text, _, *box in seen["letters"]]):
        pairs = [(one, other) for index, one in enumerate(boxes) for other in boxes[:index] if overlap(one[1:], other[1:]) > 1]
        page.that(not pairs, f"parts lie on each other: {pairs[:3]}")
    small = [(text, px) for text, px, *_ in seen["sizes"] + seen["letters"] if px < LEAST_TEXT_PX]
    page.that(not small, f"text below {LEAST_TEXT_PX} px: {small[:5]}")
    page.same(seen["cut"], [], "what is cut at the edge of the board")
    named = KEYS.findall(seen["words"])
    if width == 400:
        page.same(named, [], "keys that are named on a touch screen")
    else:
        page.that(named, "no keys are named where there are some")


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
                    play_game(browser, server, check, name)
                    if name == "sokoban":
                        walk(browser, server, check)
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
            with tempfile.TemporaryDirectory() as folder:
                server = Server(options.plymap, pathlib.Path(folder), name)
                try:
                    check.run(f"look at {name}", look, browser, server, check, name, options.shots)
                finally:
                    server.kill()
    sys.exit(check.end(" of play in the browser"))


if __name__ == "__main__":
    main()
