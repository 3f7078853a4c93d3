"""Kills tab, browser, server and line under a person who plays in Chromium, and compares what was recorded with what the hand did.

    python test/kills.py --plymap ../target/debug/plymap [--chromium PATH] [--kills 50] [--seed 1]

`kills.test.js` kills the modules of the page many thousand times under a clock that jumps; this shows that a real browser is what it
takes it for. It prints how long pages took until the same board could be played again. Needs what `browser.py` needs, and the program.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "browser"))

from harness import Check, PlaywrightError, PlymapServer, parser, sync_playwright  # noqa: E402

STUDY = """
[study]
name = "kills"
[levels]
game = "match-the-tiles"
files = ["levels.txt"]
[log]
preset = "plymap"
files = ["recorded.ndjson"]
"""
# Whoever swipes at random does not solve it: from most states no goal can be reached.
LEVELS = "# id: one\n....x\n.A.xB\n.....\n...xb\n.xa..\n"
KEYS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}
KILLS = ("tab", "crash", "browser", "server", "line", "line and browser", "line and server")
# What is on the board: shapes with their places, the moves, and whether one can be taken back.
BOARD = """() => {
  const board = document.querySelector('.play-board svg');
  if (!board?.querySelector('g > g') || document.getAnimations().length) return null;
  const shapes = Array.from(board.querySelectorAll('g > g'), (one) => one.getAttribute('style') + one.getAttribute('transform') + one.textContent);
  const undo = document.querySelector('[data-tool=undo]');
  const moves = /Moves\\s*(\\d+)/.exec(document.querySelector('.play-head').innerText);
  return undo && moves ? JSON.stringify([shapes, moves[1], undo.getAttribute('aria-disabled')]) : null;
}"""
N_EVENTS = "(key) => JSON.parse(localStorage.getItem(key) ?? '{}').n_events ?? 0"
# How long anything may take before the script gives up, in milliseconds; not what is measured.
PATIENCE = 30_000


class Browser:
    """A Chromium with a profile that outlives it."""

    def __init__(self, playwright, program):
        self.playwright, self.program = playwright, program
        self.profile = tempfile.mkdtemp(prefix="plymap-kills-")
        self.start()

    def start(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={self.profile}", f"--remote-debugging-port={port}"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(600):
            try:
                self.browser = self.playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
                break
            except PlaywrightError:
                time.sleep(0.1)
        self.context = self.browser.contexts[0]

    def page(self):
        """A new tab; the first one after a crash may have got what was killed with it."""
        for _ in range(20):
            try:
                return self.context.new_page()
            except PlaywrightError:
                time.sleep(0.2)
        raise SystemExit("the browser opens no tab")

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def crash(self):
        """Kills what runs the pages, but not what keeps their storage."""
        for line in subprocess.run(["ps", "-eo", "pid,sid,args"], capture_output=True, check=True, text=True).stdout.splitlines():
            pid, session, command = line.split(maxsplit=2) if len(line.split()) > 2 else (0, 0, "")
            if session == str(self.process.pid) and "--type=renderer" in command:
                os.kill(int(pid), signal.SIGKILL)

    def close(self):
        self.kill()
        shutil.rmtree(self.profile, ignore_errors=True)


class Person:
    """Somebody at the keys, and what they saw done."""

    def __init__(self, browser, server, check, name):
        self.browser, self.server, self.check, self.name = browser, server, check, name
        self.key = f"plymap/kills/{name}/1"
        self.done, self.board, self.took = [], None, []
        self.open()

    def open(self):
        self.page = self.browser.page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("dialog", lambda dialog: dialog.accept())
        began = time.perf_counter()
        self.page.goto(f"{self.server.base}/?participant={self.name}", wait_until="commit")
        board = self.page.wait_for_function(BOARD, polling=10).json_value()
        self.took.append(time.perf_counter() - began)
        if self.board is not None:
            self.check.same(board, self.board, f"{self.name}: the board after {len(self.done)} moves")
        self.board = board

    def press(self, key):
        """A swipe, if the board has it."""
        before = self.page.evaluate(N_EVENTS, self.key)
        self.page.locator(".play-board").press(key)
        self.page.wait_for_timeout(30)
        n_events = self.page.evaluate(N_EVENTS, self.key)
        self.board = self.page.wait_for_function(BOARD, polling=10).json_value()
        if n_events > before:
            self.done.append(("move", KEYS[key]))

    def undo(self):
        if json.loads(self.board)[2] == "true":
            return
        self.page.locator("[data-tool=undo]").click()
        self.board = self.page.wait_for_function(BOARD, polling=10).json_value()
        last = [action for event, action in self.left()][-1]
        self.done.append(("undo", last))

    def left(self):
        """The moves that were not taken back."""
        stack = []
        for event, action in self.done:
            if event == "move":
                stack.append((event, action))
            else:
                stack.pop()
        return stack

    def play(self, draw, n):
        for _ in range(n):
            if draw.random() < 0.2:
                self.undo()
            else:
                self.press(draw.choice(list(KEYS)))

    def finish(self):
        self.page.wait_for_function("(key) => JSON.parse(localStorage.getItem(key)).events.length === 0", arg=self.key)
        events = self.server.events(self.name)
        told = [(one["event"], one["action"]) for one in events if one["event"] not in ("assign", "start")]
        self.check.same(told, self.done, f"{self.name}: recorded")
        self.check.same([one["seq"] for one in events], list(range(len(events))), f"{self.name}: numbers of events")
        self.page.close()


def kill(person, what, draw):
    """Kills something, and leads the person back to a page."""
    browser, server = person.browser, person.server
    if "line" in what:
        browser.context.set_offline(True)
        person.play(draw, 3)
        # What was given to the database is there soon after.
        person.page.wait_for_timeout(50)
    if "browser" in what:
        browser.kill()
        browser.start()
    if "server" in what:
        server.kill()
        person.play(draw, 2)
        server.start()
    if "line" in what and "browser" not in what:
        began = time.perf_counter()
        browser.context.set_offline(False)
        person.page.wait_for_function("(key) => JSON.parse(localStorage.getItem(key)).events.length === 0", arg=person.key, polling=10)
        person.back.append(time.perf_counter() - began)
        return
    if what == "crash":
        browser.crash()
    elif what == "tab":
        person.page.close()
    elif what == "server":
        return
    person.open()


def main():
    options = parser(__doc__, needs_plymap=True)
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    draw, check = random.Random(options.seed), Check()
    took, back = [], []
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = pathlib.Path(temporary)
        (folder / "study.toml").write_text(STUDY)
        (folder / "levels.txt").write_text(LEVELS)
        server = PlymapServer(options.plymap, folder)
        browser = Browser(playwright, options.chromium)
        person, n_people = None, 0
        counts = dict.fromkeys(KILLS, 0)
        for number in range(options.kills):
            if number % 10 == 0:
                if person:
                    person.finish()
                n_people += 1
                person = Person(browser, server, check, f"P{n_people}")
                person.back = back
                took.append([])
                person.took = took[-1]
            person.play(draw, draw.randint(1, 4))
            what = KILLS[number % len(KILLS)]
            counts[what] += 1
            kill(person, what, draw)
        person.finish()
        browser.close()
        server.kill()
        said = subprocess.run([options.plymap, "check", folder], capture_output=True, text=True)
        check.that(said.returncode == 0, f"plymap check: {said.stderr}")
    times = sorted(one for each in took for one in each)
    print(f"kills: {counts}")
    print(f"the same board after {len(times)} loads: median {times[len(times) // 2]:.2f} s, at most {times[-1]:.2f} s; all is sent {max(back):.2f} s after the line is back at most")
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
