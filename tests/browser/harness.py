"""The helpers of all checks in a browser: counted faults, local servers, and mouse, touch and keys on a board."""

import argparse
import contextlib
import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

__all__ = ["PlaywrightError", "PlaywrightTimeout", "sync_playwright"]

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLAY = ROOT / "play"
# Without a graphics card, each picture that is taken of a map waits for the software that draws it, which the console tells.
NO_GRAPHICS_CARD = "GPU stall due to ReadPixels"
# Words for keys in the languages of pages, which a touch screen does not have.
KEYS = re.compile(r"\bkeys?\b|keyboard|\bEnter\b|Escape|Taste|Clavier|Entrée|Échap|\bD (?:describes|beschreibt|décrit)\b", re.I)
# Notes when an input reaches the page, before the board hears of it, and when all have heard of it: however slow the
# machine is, what is done at once has a time between them.
NOTE_INPUTS = """
  window.inputs = [];
  for (const name of ["pointerup", "keydown", "click"])
    window.addEventListener(name, () => {
      const input = { from: performance.now() };
      window.inputs.push(input);
      setTimeout(() => { input.to = performance.now(); });
    }, { capture: true });
"""


class Check:
    """The number of checks, and the faults that were found."""

    def __init__(self):
        self.n_checks = 0
        self.faults = []

    def that(self, is_so, fault):
        self.n_checks += 1
        if not is_so:
            self.faults.append(fault)
        return is_so

    def same(self, found, wanted, what):
        return self.that(found == wanted, f"{what}: {found!r} and not {wanted!r}")

    def run(self, name, part, *given):
        """Runs a part, whose failure is a fault: what came before it, such as a message of the console, tells more."""
        try:
            return part(*given)
        except Exception as error:
            self.that(False, f"{name}: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}")

    def run_in_folders(self, browser, program, folder, parts):
        """Runs the parts by their names, each with the place of a study in a folder of its own."""
        for name, (part, *more) in parts.items():
            place = pathlib.Path(folder) / name / "study"
            place.parent.mkdir()
            self.run(name, part, browser, self, program, place, *more)

    def end(self, about="", more=""):
        """Prints the faults; the exit code."""
        for fault in self.faults:
            print(f"fault: {fault}", file=sys.stderr)
        print(f"{self.n_checks} checks{about}, {len(self.faults)} faults{more}")
        return 1 if self.faults else 0


def folder(text):
    """A folder that is made if it is not there."""
    path = pathlib.Path(text)
    path.mkdir(parents=True, exist_ok=True)
    return path


def parser(words, needs_plymap=False):
    """The options that all scripts have, `words` being their documentation."""
    options = argparse.ArgumentParser(description=words.splitlines()[0])
    options.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome"))
    options.add_argument("--shots", type=folder, help="folder for screenshots")
    if needs_plymap:
        options.add_argument("--plymap", required=True, type=lambda path: pathlib.Path(path).resolve())
    return options


@contextlib.contextmanager
def chromium(program, *options):
    """A browser without a sandbox, because containers, where such checks run, often forbid it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", *options])
        yield browser
        browser.close()


class RequestHandler(http.server.SimpleHTTPRequestHandler):
    """Answers with the files of its server, and logs nothing."""

    def __init__(self, server, *given):
        self.site = server
        super().__init__(*given, directory=str(server.folder))

    def do_GET(self):
        if self.path == "/favicon.ico":
            self.answer(200, b"", "image/x-icon")
        else:
            super().do_GET()

    def body(self):
        return self.rfile.read(int(self.headers["Content-Length"])).decode()

    def json(self, status, value):
        self.answer(status, json.dumps(value).encode(), "application/json")

    def answer(self, status, body=b"", kind="text/plain"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self):
        if self.site.policy:
            self.send_header("Content-Security-Policy", self.site.policy)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        pass


class LocalServer:
    """A server of a folder, which can be stopped and started again at the same port."""

    handler = RequestHandler
    policy = "default-src 'self'"

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.port = 0
        self.start()
        self.base = f"http://127.0.0.1:{self.port}"

    def start(self):
        self.httpd = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), functools.partial(self.handler, self))
        self.port = self.httpd.server_port
        threading.Thread(target=self.httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self):
        self.httpd.shutdown()
        self.httpd.server_close()


class PlymapServer:
    """`plymap serve` of a folder with a study, which can be killed and started again at the same port."""

    def __init__(self, program, folder, *options):
        self.program, self.folder, self.options, self.port = program, pathlib.Path(folder), options, 0
        self.start()

    def start(self):
        command = [self.program, "serve", self.folder, "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = ""
        while not (address := re.search(r"http://127\.0\.0\.1:(\d+)", said)):
            line = self.process.stderr.readline()
            if not line:
                raise SystemExit(f"{self.folder}: the server did not start: {said}")
            said += line
        self.base, self.port = address[0], int(address[1])

    def kill(self):
        self.process.kill()
        self.process.wait()

    def events(self, participant):
        """The events on disk: the server tells a session to the page that began it alone."""
        record = self.folder / "recorded.ndjson"
        lines = record.read_bytes().split(b"\n")[:-1] if record.exists() else []
        return [event for event in map(json.loads, lines) if event["participant"] == participant]


class BoardPage:
    """A page with a board. Any message of its console, any uncaught error and any request beyond `allowed` is a fault."""

    def __init__(self, check, where, context, *, allowed=None, notes_inputs=False):
        self.check, self.where, self.context = check, where, context
        self.page = context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("console", self.heard)
        self.page.on("pageerror", self.failed)
        if allowed:
            self.page.on("request", lambda request: self.that(request.url.startswith(allowed), f"the page asked for {request.url[:200]}"))
        if notes_inputs:
            self.page.add_init_script(NOTE_INPUTS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def that(self, is_so, fault):
        return self.check.that(is_so, f"{self.where}: {fault}")

    def same(self, found, wanted, what):
        return self.check.same(found, wanted, f"{self.where}: {what}")

    def heard(self, message):
        self.that(False, f"console {message.type}: {message.text[:300]}")

    def failed(self, error):
        self.that(False, f"uncaught {error}")

    def inputs(self):
        """Beginning and end of each input to a page that notes them, in milliseconds of its clock."""
        return self.page.evaluate("new Promise((done) => setTimeout(() => done(window.inputs.map(({ from, to }) => [from, to]))))")

    def status(self):
        return self.page.locator(".play-status").inner_text()

    def settle(self):
        """Until nothing slides any more."""
        self.page.wait_for_function("() => document.getAnimations().length === 0")

    def point(self, row, column):
        """A point of the board in the window."""
        return self.page.evaluate(
            """([row, column]) => {
              const { x, y } = new DOMPoint(column * 100, row * 100).matrixTransform(document.querySelector(".play-board svg").getScreenCTM());
              return [x, y];
            }""",
            [row, column],
        )

    def piece(self, label):
        """Row and column of the middle of a piece on the screen."""
        return self.page.evaluate(
            """(label) => {
              const svg = document.querySelector(".play-board svg");
              const shape = Array.from(svg.querySelectorAll("text")).findLast((one) => one.textContent === label)?.previousElementSibling;
              if (!shape) return null;
              const box = shape.getBoundingClientRect();
              const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(svg.getScreenCTM().inverse());
              return [y / 100, x / 100].map((one) => Math.round(one * 100) / 100);
            }""",
            label,
        )

    def drag(self, start, end, *, release=True):
        self.page.mouse.move(*self.point(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.point(*end), steps=6)
        if release:
            self.page.mouse.up()

    def click(self, row, column):
        self.page.mouse.click(*self.point(row, column))

    def touch(self, start, end=None):
        """A finger that goes down, moves and lifts."""
        devtools = self.context.new_cdp_session(self.page)
        points = [self.point(*start)]
        if end:
            (x0, y0), (x1, y1) = points[0], self.point(*end)
            points += [(x0 + (x1 - x0) * step / 6, y0 + (y1 - y0) * step / 6) for step in range(1, 7)]
        for index, (x, y) in enumerate(points):
            devtools.send("Input.dispatchTouchEvent", {"type": "touchMove" if index else "touchStart", "touchPoints": [{"x": x, "y": y}]})
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        devtools.detach()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)
