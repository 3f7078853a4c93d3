"""Uses the page of `plymap open` in headless Chromium as a psychologist would, and fails if anything in it does not work.

    python tests/browser/check_open.py --plymap target/debug/plymap [--chromium /usr/bin/chromium] [--shots FOLDER]

Logs go from an empty folder to a figure: a tidy one, one whose proposal is corrected by two menus, one whose moves are in parts, and one
with faulty rows. The server is killed and the page loaded again on the way, names and requests that lead elsewhere are refused, and it is
all done in German, by keys alone where a part says so, and at 400 px. Files come by every way of the start page: chosen, dropped, in a folder
and in a zip. Needs Python with `playwright` and a Chromium of the system.
"""

import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile

from harness import NO_GRAPHICS_CARD, ROOT, BoardPage, Check, chromium, parser

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
CHOOSE, PROPOSE, RUN, PREVIEW, APPLY, UNDO = "Dateien wählen", "Studie vorschlagen", "Auswerten", "Schnelle Vorschau", "Übernehmen", "Rückgängig"
IS_PREVIEW = "schnelle Vorschau: Intervalle und p-Werte sind grob"
KEEP_ILLEGAL = "Unerlaubte Züge behalten, als Züge, die nichts ändern"
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


def tidy(browser, check, program, folder, shots):
    """From an empty folder to figures, the table of a trial, and a run; killed and loaded again in between."""
    server = OpenServer(program, folder)
    with OpenPage(check, "tidy log", browser, server) as page:
        page.same(page.page.locator("html").get_attribute("lang"), "de", "the language")
        page.choose(*LEVELS, ("ordentlich.csv", tidy_log()))
        page.same(page.page.locator(".files li").count(), len(LEVELS) + 1, "files that are there")
        page.same(page.propose(), 1.0, "share of rows that replay")
        killed_and_loaded_again(page, server)
        page.same(page.share(), 1.0, "share after the server was killed")

        first = page.page.locator(".replay").first
        first.get_by_role("button", name="Ein Zug weiter").click()
        page.that("E-2" in first.locator(".replay-line").inner_text(), "the replay does not show its first move")

        page.go("run")
        page.button(PREVIEW).click()
        report = page.page.frame_locator("iframe.report").locator("h1").first
        report.wait_for(timeout=120_000)
        page.that(report.inner_text().strip() != "", "the report is empty")
        page.same(page.page.locator("iframe.report").get_attribute("src"), "preview/report.html", "the report of a preview")
        page.that(IS_PREVIEW in page.page.locator("main .warning").first.inner_text(), "nothing says that the results are a preview")

        page.go("explore/trial?participant=P0&session=1&level=demo-03")
        page.page.locator(".trial .chart svg").wait_for()
        page.same(page.page.locator(".trial .chart svg > *:is(circle, polygon)").count(), len(SOLUTIONS["demo-03"]) + 1, "points of the curve")
        page.page.get_by_role("button", name="3. D+2").click()
        page.that("D+2" in page.page.locator(".replay-line").inner_text(), "a row of the table does not lead to its move")
        explored(page, shots)
        mapped(page, shots)
        leads_to_the_same(page, server)
    server.kill()


def killed_and_loaded_again(page, server):
    address = server.address
    server.kill()
    lost = page.page.locator(".lost")
    lost.wait_for()
    page.that("plymap open" in lost.inner_text(), f"the page does not say how to start the server again: {lost.inner_text()!r}")
    mark = server.folder / "reports/.study.running"
    mark.parent.mkdir()
    mark.touch()
    server.start()
    page.same(server.address, address, "the address after a new start")
    lost.wait_for(state="hidden")
    page.page.reload()
    page.heading()
    page.page.locator(".alarm", has_text="Die letzte Auswertung kam nicht zu Ende").wait_for()
    mark.unlink()
    page.that("#read" in page.page.url, f"after loading again the page is at {page.page.url}")


def explored(page, shots):
    """Groups, filters and figures; the address holds what is looked at."""
    page.go("explore/groups?by=condition&a=fast&b=slow&measure=time_s")
    drawn(page)
    page.page.reload()
    page.heading()
    page.same(page.page.locator("select[data-key='groups b']").input_value(), "slow", "the second group after loading again")
    labels = page.page.locator("main dl.facts dt").all_inner_texts()
    page.that("wie im Pilot" in page.page.locator("main dl.facts").inner_text() and "p" not in labels, f"what is said of a test of a pilot: {labels}")
    page.that(b"<svg" in saved(page, "figure .downloads a >> text=SVG")[:200], "the drawing of the groups is no SVG")
    rows = list(csv.DictReader(io.StringIO(saved(page, "figure .downloads a >> text=CSV").decode())))
    values = [row for row in rows if row["kind"] == "participant"]
    page.same((len({row["unit"] for row in values}), {row["group"] for row in values}), (N_PEOPLE, {"fast", "slow"}), "the numbers of the figure of the groups")

    page.go("explore/figures?condition=fast")
    rows = page.page.locator(".rows").inner_text()
    page.that(f"{N_ROWS // 2} von {N_ROWS}" in rows, f"with one of two conditions the page says {rows!r}")
    picture = page.page.locator("figure img.figure")
    drawn(page)
    for kind, begins in {"SVG": b"<", "PDF": b"%PDF", "PNG": b"\x89PNG"}.items():
        page.that(saved(page, f"figure .downloads a >> text={kind}").startswith(begins), f"the figure is no {kind}")
    page.that(saved(page, "table .downloads a >> text=Excel >> nth=0").startswith(b"PK"), "the table for Excel is no workbook")
    if shots:
        picture.scroll_into_view_if_needed()
        page.page.screenshot(path=shots / "open-figure.png")


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


def mapped(page, shots):
    """The map of a level: opened and used by keys and by mouse; the address holds it, and filters leave less on it."""
    page.go("explore/level?level=demo-03")
    page.same(page.page.locator("iframe.map").count(), 0, "maps that nobody asked for")
    page.page.locator("[data-key='level map']").focus()
    page.press("Enter")
    facts = map_frame(page).locator(".map-facts")
    n_moves = len(SOLUTIONS["demo-03"])
    page.that(f"Start. Distance {n_moves} moves" in facts.inner_text(), f"the map begins with {facts.inner_text()!r}")
    page.that(f"visited {N_PEOPLE} times" in facts.inner_text(), f"the map says of its start {facts.inner_text()!r}")
    plot = page.page.frame_locator("iframe.map").locator(".map-plot")
    plot.focus()
    page.press("ArrowLeft")
    facts.filter(has_text=f"Distance {n_moves - 1} moves").wait_for()
    # The goals stand above 0, 8 pixels being left free at each side.
    left, right = map(float, plot.get_attribute("data-view").split()[:2])
    box = plot.bounding_box()
    plot.click(position={"x": 8 + -left / (right - left) * (box["width"] - 16), "y": box["height"] / 2 - 18})
    facts.filter(has_text="Goal. Distance 0 moves").wait_for()
    if shots:
        plot.scroll_into_view_if_needed()
        page.page.screenshot(path=shots / "open-map.png")

    page.page.reload()
    page.heading()
    map_frame(page)
    page.go("explore/level?level=demo-03&map=open&condition=fast")
    facts = map_frame(page).locator(".map-facts").filter(has_text=f"visited {N_PEOPLE // 2} times")
    page.that(facts.count(), "the map of one of two conditions has the play of both")
    page.page.locator("[data-key='level map']").click()
    page.page.wait_for_function("() => !location.hash.includes('map=')")
    with page.page.expect_popup() as alone:
        page.page.get_by_role("link", name="Karte in eigenem Tab öffnen").click()
    alone.value.locator(".map-plot[data-state]").wait_for(timeout=60_000)
    text = alone.value.locator("header").inner_text()
    page.that("demo-03" in text and "condition fast" in text, f"the map in a tab says above it {text!r}")
    alone.value.close()


def saved(page, what):
    """The bytes that a link or button gives."""
    with page.page.expect_download() as download:
        page.page.locator(what).click()
    return pathlib.Path(download.value.path()).read_bytes()


def leads_to_the_same(page, server):
    """Who leaves the page goes on in a terminal: what it has written is a study that others read."""
    found = subprocess.run([server.program, "check", server.folder], capture_output=True, text=True)
    page.that(found.returncode == 0, f"plymap check: {found.stdout}{found.stderr}")
    page.go("take")
    page.page.get_by_role("link", name="report.html").wait_for()
    page.that(IS_PREVIEW in page.page.locator("main .warning").first.inner_text(), "nothing says that a preview is taken away")
    page.that(saved(page, "a >> text=Alles als Zip, für OSF").startswith(b"PK"), "the archive is no zip")


def odd(browser, check, program, folder):
    """A proposal that is corrected by two menus, by keys alone."""
    server = OpenServer(program, folder)
    with OpenPage(check, "odd log", browser, server) as page:
        page.choose(*LEVELS, ("seltsam.csv", odd_log()))
        page.propose()
        for column, letters, part in (("x", "Reaktion", 'rt = { column = "x", unit = "ms" }'), ("y", "Bedingung", 'condition = "y"')):
            # To the menu by the tab key, and to its entry by its first letters.
            tab_to(page, f"column {column}")
            page.page.keyboard.type(letters)
            page.wait_for_study(part)
            focused = page.page.evaluate("document.activeElement.dataset.key")
            page.same(focused, f"column {column}", "the focus after a choice")
        page.same(page.share(), 1.0, "share of rows that replay")
        page.press("Control+Home")
        for step in ("#check", "#explore"):
            page.page.locator(f"header a[href='{step}']").focus()
            page.press("Enter")
            page.page.wait_for_function("(step) => location.hash === step", arg=step)
            # The focus leads to the heading of the new view.
            page.page.wait_for_function("() => document.activeElement.tagName === 'H1'")
            page.heading()
        conditions = page.page.locator("select[data-key='filter condition'] option").all_inner_texts()
        page.same(conditions[1:], ["eilig", "ruhig"], "the conditions")
        page.go("explore/participant?participant=nobody")
        said = page.page.locator("main .error").inner_text()
        page.that("„nobody“ gibt es nicht. Es gibt: 0, 1, 2" in said, f"of a participant who is not there the page says {said!r}")
        page.page.get_by_role("link", name="Alles zeigen, ohne Filter").click()
        page.page.locator("select[data-key='filter condition']").wait_for()
        asked_before_a_proposal(page)
        taken_out_and_brought_back(page)
        changed_in_an_editor(page)
    server.kill()


def asked_before_a_proposal(page):
    """What was chosen is named before a proposal takes its place, and an undo brings it back; by keys alone."""
    page.go("start")
    chosen = page.server.study
    dialog = page.page.locator("dialog")
    for answer in ("Escape", "Enter"):
        page.page.locator("[data-key=propose]").focus()
        page.press("Enter")
        dialog.wait_for()
        page.same(dialog.locator("code").all_inner_texts(), ["columns.rt", "columns.condition"], "entries that would be lost")
        # The focus is on the answer that loses nothing.
        page.same(page.page.evaluate("document.activeElement.textContent"), "Die Studie behalten", "the first answer")
        page.press(answer)
        dialog.wait_for(state="detached")
        page.same(page.server.study, chosen, f"the study after {answer}")
    page.page.locator("[data-key=propose]").focus()
    page.press("Enter")
    dialog.wait_for()
    page.press("Tab")
    page.press("Enter")
    page.page.wait_for_function("() => location.hash.startsWith('#read')", timeout=60_000)
    page.heading()
    page.that('condition = "y"' not in page.server.study, "a new proposal has what was chosen before it")
    page.button(UNDO).click()
    page.wait_for_study('condition = "y"')
    page.same(page.server.study, chosen, "the study after an undo")


def taken_out_and_brought_back(page):
    page.go("start")
    n_files = page.page.locator(".files li").count()
    log = page.server.folder / "logs/seltsam.csv"
    page.page.locator("[data-key='remove logs/seltsam.csv']").click()
    page.page.locator(".message", has_text="Rückgängig holt sie zurück").wait_for()
    page.that(not log.exists(), "a log that was taken out is there")
    page.button(UNDO).click()
    page.page.locator("[data-key='remove logs/seltsam.csv']").wait_for()
    page.same((log.read_text(), page.page.locator(".files li").count()), (odd_log(), n_files), "the log after an undo")
    # As after a restart, when there is nothing to undo.
    page.page.locator("[data-key='remove logs/seltsam.csv']").click()
    page.page.locator("[data-key='back .removed/1/logs/seltsam.csv']").click()
    page.page.locator("[data-key='remove logs/seltsam.csv']").wait_for()
    page.same((log.read_text(), page.page.locator(".files li").count()), (odd_log(), n_files), "the log after it was brought back")


def changed_in_an_editor(page):
    """What an editor writes is shown without a step in the page, and what somebody is typing in the page stays."""
    file, text = page.server.folder / "study.toml", page.server.study
    page.go("read")
    file.write_text(text.replace('rt = { column = "x", unit = "ms" }', 'rt = { column = "x", unit = "s" }'))
    page.page.wait_for_function("() => document.querySelector('.study textarea').value.includes('unit = \"s\"')", timeout=10_000)
    page.page.wait_for_function("() => document.querySelector(\"[data-key='unit x']\")?.value === 's'", timeout=10_000)
    area = page.page.locator(".study textarea")
    area.press("Control+End")
    page.page.keyboard.type("# typed")
    file.write_text(text)
    page.page.locator(".study [role=status]", has_text="hat sich inzwischen geändert").wait_for(timeout=10_000)
    page.that(area.input_value().endswith("# typed"), "what was typed is gone")
    # The first time it is not applied over what the editor wrote, which it was not begun on.
    page.button(APPLY).click()
    page.page.locator(".alarm", has_text="inzwischen in einem anderen Fenster oder Editor").wait_for()
    page.same((page.server.study, area.input_value()[-7:]), (text, "# typed"), "the study, and what was typed, after it was applied")
    page.button("Verwerfen").click()
    page.same(area.input_value(), text, "the text of the editor")


def tab_to(page, key):
    for _ in range(200):
        page.press("Tab")
        if page.page.evaluate("document.activeElement.dataset.key") == key:
            return
    page.that(False, f"the tab key does not come to {key}")


def parted(browser, check, program, folder):
    """Moves that are made of several columns, whose menus say what they are after the page was loaded again."""
    server = OpenServer(program, folder)
    with OpenPage(check, "log of parts", browser, server) as page:
        page.choose(*LEVELS, ("teile.csv", parted_log()))
        page.same(page.propose(), 1.0, "share of rows that replay")
        for column, part in {"piece": "part:piece", "way": "part:distance"}.items():
            page.page.locator(f"[data-key='column {column}']").select_option(part)
            page.page.wait_for_function("(part) => decodeURIComponent(location.hash).includes(part)", arg=f"part:{column}={part[5:]}")
            page.same(page.share(), 1.0, f"share with {column} as {part}")
        page.page.reload()
        for column, part in {"piece": "part:piece", "way": "part:distance"}.items():
            page.same(page.page.locator(f"[data-key='column {column}']").input_value(), part, f"the menu of {column}")
        # Without a part there is no move, and the menus are there to mend it.
        page.page.locator("[data-key='column piece']").select_option("")
        page.page.locator("main .error").wait_for()
        page.same(page.share(), 0.0, "share without a move")
        page.page.locator("[data-key='column piece']").select_option("part:piece")
        page.page.locator("main .error").wait_for(state="detached")
        page.same(page.share(), 1.0, "share with a move again")
        page.that('action = "{piece}{way}"' in server.study, f"the study does not make moves of parts: {server.study}")
        page.go("explore/level?level=demo-02")
        page.same(page.page.locator(".bars .bar-label").first.inner_text(), "F+1", "the first move of all")
    server.kill()


def faulty(browser, check, program, folder):
    """Rows that do not replay have reasons, remedies edit the study, and what is written by hand is checked."""
    server = OpenServer(program, folder)
    with OpenPage(check, "faulty log", browser, server) as page:
        page.choose(*LEVELS, ("fehlerhaft.csv", faulty_log()))
        page.that(page.propose() < 1, "all rows of a faulty log replay")
        text = page.page.locator("main").inner_text()
        for value in ("A+5", "demo-99"):
            page.that(value in text, f"the row with {value} is not among those that do not replay")

        page.go("check")
        page.button(KEEP_ILLEGAL).click()
        page.wait_for_study('illegal_moves = "keep"')
        page.button(UNDO).click()
        page.page.wait_for_function("() => !document.querySelector('.study textarea').value.includes('illegal_moves')")
        page.that("illegal_moves" not in server.study, "what was undone is still in the study")

        before = server.study
        area = page.page.locator(".study textarea")
        area.fill(before + "\n[nonsense]\na = 1\n")
        page.button(APPLY).click()
        page.page.locator(".gutter .error").wait_for()
        page.same(page.page.locator(".gutter .error").inner_text(), str(before.count("\n") + 2), "the line of the fault")
        page.same(server.study, before, "a study with faults")
        page.button("Verwerfen").click()
        page.same(area.input_value(), before, "the text after it was discarded")
    server.kill()


def zip_of(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def ways(browser, check, program, folder):
    """Each way in which files come to the start page leads to the same rows."""
    given = folder.parent / "given"
    for name, text in EXPERIMENT.items():
        path = given / "experiment" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    single = [path for path in sorted((given / "experiment").rglob("*")) if path.suffix in (".txt", ".csv")]
    zipped = zip_of(given / "experiment.zip", {f"experiment/{name}": text for name, text in EXPERIMENT.items()})
    for way, give in {
        "chosen": lambda page: page.give("files", single),
        "zip": lambda page: page.give("files", zipped),
        "flat-zip": lambda page: page.give("files", zip_of(given / "flat.zip", {path.name: path.read_text() for path in single})),
        "folder": lambda page: page.give("folder", given / "experiment"),
        "dropped": lambda page: page.drop(*LEVELS, *logs_of_people()),
        "dropped-together": lambda page: page.drop(*LEVELS, ("alle.csv", tidy_log())),
    }.items():
        server = OpenServer(program, folder.parent / way)
        with OpenPage(check, f"files: {way}", browser, server) as page:
            give(page)
            page.same(page.page.locator(".uploads li").all_inner_texts(), [], f"{way}: what is said of the files")
            n_files = len(LEVELS) + 1 if way == "dropped-together" else N_FILES
            page.same(page.page.locator(".files li").count(), n_files, f"{way}: files that are there")
            page.same(page.propose(), 1.0, f"{way}: share of rows that replay")
            shown = page.page.locator("table.log caption").inner_text()
            page.same(re.findall(r"\d+", shown)[-1:], [str(N_ROWS)], f"{way}: rows of {shown!r}")
        server.kill()


def hostile(browser, check, program, folder):
    """Names and requests that lead elsewhere: harmless ones, which have to be refused."""
    server = OpenServer(program, folder)
    outside = set(server.folder.parent.iterdir())
    with OpenPage(check, "hostile names", browser, server) as page:
        page.choose(("c:x.csv", tidy_log()), ("<img src=x onerror=alert(1)>.csv", tidy_log()))
        page.same(page.page.locator(".uploads .error").count(), 2, "names that are refused")
        page.same(page.page.locator(".uploads img").count(), 0, "names that became elements")
        # Of an archive that leads elsewhere the rest is taken.
        elsewhere = ["../x.csv", "a/../../x.csv", str(server.folder.parent / "x.csv")]
        inside = zip_of(folder.parent.parent / "hostile.zip", dict.fromkeys([*elsewhere, "a/y.csv"], tidy_log()))
        page.give("files", inside)
        said = page.page.locator(".uploads .warning").all_inner_texts()
        named = [re.findall(r"Der Name (.*?) geht nicht", text) for text in said]
        page.same(named, [[name] for name in elsewhere], "names of the archive that are refused in words")
        page.same([path.name for path in server.folder.rglob("*.csv")], ["y.csv"], "files of the archive that are there")
        own = {"X-Plymap": "open", "Content-Type": "application/octet-stream"}
        files = server.address + "api/files?offset=0&last=true&name="
        for what, status in {
            "a name above the folder": server.status(files + "../x.csv", b"a,b\n", **own),
            "an absolute name": server.status(files + "/tmp/x.csv", b"a,b\n", **own),
            "a hidden name": server.status(files + ".x.csv", b"a,b\n", **own),
            "a file above the results": server.status(server.address + "run/..%2f..%2fstudy.toml"),
            "a request without its header": server.status(server.address + "api/undo", b"{}", **{"Content-Type": "application/json"}),
            "another token": server.status(server.base + "0" * 32 + "/api/project"),
            "another host": server.status(server.address + "api/project", Host="attacker.example"),
            "a foreign page": server.status(server.address + "api/undo", b"{}", Origin="http://attacker.example", **own),
        }.items():
            page.that(400 <= status[0] < 500 and status[1], f"{what} is answered by {status}")
        page.same(set(server.folder.parent.iterdir()), outside, "files beside the folder")
        page.that(not (server.folder / "study.toml").exists(), "there is a study that nobody made")
    server.kill()


def languages(page):
    """All texts in all languages, with the same words in braces."""
    texts = page.page.evaluate("import(new URL('page/texts.js', document.baseURI)).then(({ TEXTS }) => TEXTS)")
    braces = {language: {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in of.items()} for language, of in texts.items()}
    for language in ("de", "fr"):
        page.same(braces[language], braces["en"], f"texts in {language}")


def narrow(browser, check, program, folder, shots):
    """An example at the width of a phone, in three languages."""
    server = OpenServer(program, folder)
    with OpenPage(check, "400 px", browser, server, width=400, locale="fr-FR") as page:
        page.same(page.page.locator("html").get_attribute("lang"), "fr", "the language")
        page.page.locator("[data-key='example demo']").click()
        page.page.wait_for_function("() => location.hash.startsWith('#read')")
        languages(page)
        for language in ("de", "en", "fr"):
            page.page.locator("select.language").select_option(language)
            page.heading()
            for view in VIEWS:
                page.go(view)
                page.that(page.width() <= 0, f"{view} in {language} is {page.width()} px too wide")
        page.go("explore/level?level=demo-10&map=open")
        map_frame(page)
        page.that(page.width() <= 0, f"a level with its map is {page.width()} px too wide")
        if shots:
            page.page.screenshot(path=shots / "open-400.png", full_page=True)
    server.kill()


def main():
    options = parser(__doc__, needs_plymap=True).parse_args()
    check = Check()
    parts = {"tidy": (tidy, options.shots), "odd": (odd,), "parted": (parted,), "faulty": (faulty,), "ways": (ways,), "hostile": (hostile,), "narrow": (narrow, options.shots)}
    with chromium(options.chromium) as browser, tempfile.TemporaryDirectory() as folder:
        check.run_in_folders(browser, options.plymap, folder, parts)
    sys.exit(check.end(" of the page of plymap open"))


if __name__ == "__main__":
    main()
