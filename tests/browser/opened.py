"""The helpers of the checks of `plymap open`: logs of a small experiment, the server of a folder, and its page in a window."""

import csv
import io
import json
import pathlib
import re
import subprocess
import urllib.error
import urllib.request
import zipfile

from harness import NO_GRAPHICS_CARD, ROOT, BoardPage

# Shortest solutions of three levels of the demo.
SOLUTIONS = {
    "demo-01": ["E-2", "C-1", "A+2"],
    "demo-02": ["F+1", "D-2", "E+2", "A+3"],
    "demo-03": ["E-2", "M-2", "D+2", "G-1", "C+3", "A+3"],
}
N_PEOPLE = 6
LEVELS = [(f"{level}.txt", (ROOT / f"data/demo/levels/{level}.txt").read_text()) for level in SOLUTIONS]
N_ROWS = N_PEOPLE * sum(map(len, SOLUTIONS.values()))

# What the page says in German.
CHOOSE, PROPOSE, APPLY = "Dateien wählen", "Studie vorschlagen", "Übernehmen"

# Addresses of the views that need no name.
VIEWS = ["start", "read", "check", "run", "explore", "explore/trials", "explore/groups", "explore/figures", "take"]


def moves():
    """Person from 0, level, move and milliseconds of each row: all solve all, half of them in half of the time."""
    for person in range(N_PEOPLE):
        for level, solution in SOLUTIONS.items():
            for number, action in enumerate(solution):
                yield person, level, action, (900 + 130 * number + 70 * person) * (1 + person % 2)


def log_of(header, cells):
    return "\n".join([header, *(",".join(map(str, cells(*move))) for move in moves())]) + "\n"


def tidy_log():
    return log_of("participant,level,action,rt_s,condition", lambda person, level, action, ms: (f"P{person}", level, action, ms / 1000, ("fast", "slow")[person % 2]))


def odd_log():
    """Nothing tells that `x` is the response time, and `y` the condition."""
    return log_of("a,b,zug,x,y", lambda person, level, action, ms: (person, level, action, ms, ("eilig", "ruhig")[person % 2]))


def parted_log():
    """A move is a piece and how far it goes, each in a column."""
    return log_of("person,level,piece,way,rt_s", lambda person, level, action, ms: (f"P{person}", level, action[0], action[1:], ms / 1000))


def faulty_log():
    """A move that the rules do not allow, a level that is none, and a row without a participant, in attempts of their own."""
    wrong = "P7,demo-01,A+5,1.5,fast\nP8,demo-99,E-2,1.5,fast\n,demo-02,F+1,1.5,slow\n"
    return tidy_log() + wrong


def logs_of_people():
    """The tidy log as experiments leave it: a file for each person."""
    header, *rows = tidy_log().splitlines()
    of_person = lambda person: [row for row in rows if row.startswith(f"P{person},")]
    return [(f"P{person}.csv", "\n".join([header, *of_person(person)]) + "\n") for person in range(N_PEOPLE)]


# Files as an experiment leaves them: folders, and in them hidden files of the system, which nobody wants.
EXPERIMENT = {
    **{f"boards/{name}": text for name, text in LEVELS},
    **{f"raw/{name}": text for name, text in logs_of_people()},
    ".DS_Store": "",
    "raw/.directory": "[Dolphin]\n",
}
N_FILES = len(LEVELS) + N_PEOPLE


class OpenServer:
    """`plymap open` of a folder, which can be killed and started again at the same address."""

    def __init__(self, program, folder):
        self.program, self.folder, self.port = program, pathlib.Path(folder), 0
        self.start()

    def start(self):
        command = [self.program, "open", "--out", self.folder, "--port", str(self.port), "--no-browser"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = self.process.stdout.readline()
        address = re.search(r"(http://127\.0\.0\.1:(\d+)/)\S+/", said)
        if not address:
            raise SystemExit(f"{self.folder}: the server did not start: {said}")
        self.address, self.base, self.port = address[0], address[1], int(address[2])

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def study(self):
        return (self.folder / "study.toml").read_text()

    def status(self, path, body=None, **headers):
        """The status of a request, and whether a refusal says why."""
        request = urllib.request.Request(path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, True
        except urllib.error.HTTPError as error:
            try:
                return error.code, isinstance(json.load(error).get("error"), str)
            except (json.JSONDecodeError, AttributeError):
                return error.code, False


class OpenPage(BoardPage):
    """The page in a window of its own."""

    def __init__(self, check, where, browser, server, width=1280, locale="de-DE"):
        context = browser.new_context(viewport={"width": width, "height": 900}, locale=locale, accept_downloads=True)
        super().__init__(check, where, context, allowed=server.base)
        self.server = server
        self.page.goto(server.address)
        self.heading()

    def heard(self, message):
        # The browser itself tells of requests that fail: of a killed server, and of refusals, which the page shows.
        if not message.text.startswith("Failed to load resource") and NO_GRAPHICS_CARD not in message.text:
            super().heard(message)

    def heading(self):
        self.page.locator("main h1").wait_for()
        self.page.wait_for_function("() => document.querySelector('main').getAttribute('aria-busy') !== 'true'")
        return self.page.locator("main h1").inner_text()

    def go(self, view):
        self.page.evaluate("(hash) => { location.hash = hash; }", view)
        self.page.wait_for_timeout(50)
        return self.heading()

    def choose(self, *files):
        """Files as a dialog of the system gives them, by name and text."""
        given = [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in files]
        with self.page.expect_file_chooser() as chooser:
            self.button(CHOOSE).click()
        chooser.value.set_files(given)
        self.received()

    def give(self, way, path):
        """A path of the disk for the field of files or of a folder."""
        self.page.locator(f"[data-files={way}]").set_input_files(path)
        self.received()

    def drop(self, *files):
        """Files that are let go over the page, by name and text."""
        drop = """(zone, files) => {
            const dataTransfer = new DataTransfer();
            for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
            for (const type of ["dragover", "drop"])
                zone.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        }"""
        self.page.locator(".drop").evaluate(drop, [list(file) for file in files])
        # What was dropped is looked at before it is sent.
        self.page.locator(".uploads > *").first.wait_for(state="attached")
        self.received()

    def received(self):
        self.page.wait_for_function("() => !document.querySelector('.uploads .task')")
        self.heading()

    def propose(self):
        self.button(PROPOSE).click()
        self.page.wait_for_function("() => location.hash.startsWith('#read')", timeout=60_000)
        self.page.locator("[data-share]").wait_for()
        return self.share()

    def share(self):
        self.heading()
        return float(self.page.locator("[data-share]").get_attribute("data-share"))

    def tab_to(self, key):
        for _ in range(300):
            self.press("Tab")
            if self.page.evaluate("document.activeElement.dataset.key") == key:
                return
        self.that(False, f"the tab key does not come to {key}")

    def width(self):
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def wait_for_study(self, part):
        """Until the study on disk has a part; what the panel shows has to be the same."""
        for _ in range(100):
            if part in self.server.study:
                break
            self.page.wait_for_timeout(50)
        self.that(part in self.server.study, f"{part!r} is not in the study: {self.server.study}")
        self.page.wait_for_function("(part) => document.querySelector('.study textarea').value.includes(part)", arg=part)
        self.heading()


def drawn(page):
    """Waits for the figure of the view."""
    page.page.wait_for_function("() => document.querySelector('figure img.figure')?.naturalWidth > 0", timeout=60_000)


def map_frame(page):
    """The frame of the map of a level, which is drawn when it comes into view; it is as high as the map."""
    page.page.locator("iframe.map").scroll_into_view_if_needed()
    frame = page.page.frame_locator("iframe.map")
    frame.locator(".map-plot[data-state] canvas").first.wait_for(timeout=60_000)
    is_whole = "(root) => root.scrollHeight <= root.clientHeight && root.scrollWidth <= root.clientWidth"
    fits = page.page.wait_for_function(f"() => ({is_whole})(document.querySelector('iframe.map').contentDocument.documentElement)")
    page.that(fits, "the map scrolls within its frame")
    return frame


def saved(page, what):
    """The bytes that a link or button gives."""
    with page.page.expect_download() as download:
        page.page.locator(what).click()
    return pathlib.Path(download.value.path()).read_bytes()


def are_pictures(page, links):
    """Each format of a figure is what its name says; `links` has a place for that name."""
    for kind, begins in {"SVG": b"<svg", "PDF": b"%PDF", "PNG": b"\x89PNG"}.items():
        page.that(saved(page, links.format(kind)).startswith(begins), f"the figure is no {kind}")


def rows_of(page, link):
    """The rows of a table that is saved as CSV."""
    return list(csv.DictReader(io.StringIO(saved(page, link).decode())))


def zip_of(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path
