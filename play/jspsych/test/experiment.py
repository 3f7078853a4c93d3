"""Builds the experiment that the program writes for jsPsych, goes through it by hand and simulated, and compares each row of
the saved data with what was done.

    python experiment.py [--chromium PATH] [--shots FOLDER] [--sample FILE]

Needs node and npm, Python with `playwright`, and a Chromium of the system. Any message of the console and any uncaught
error is a fault. `--sample` writes the data of one session.
"""

import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

from plugin import SOLUTION, Board, JsPsychServer
from harness import Check, PlaywrightTimeout, RequestHandler, chromium, parser

HERE = pathlib.Path(__file__).resolve().parent

# One of the plugins of jsPsych asks for the focus twice.
HARMLESS = "Autofocus processing was blocked"
KEYS = {"event", "action", "time_ms", "attempt"}


class ExperimentHandler(RequestHandler):
    def do_GET(self):
        name = self.path.partition("?")[0]
        if name in self.site.simulated:
            self.json(200, self.site.simulated[name])
        elif name.startswith("/publix/1/") and name.endswith("jatos.js"):
            self.answer(200, JATOS.encode(), "text/javascript")
        else:
            self.path = self.path.removeprefix("/publix/1")
            super().do_GET()

    def do_POST(self):
        body = self.body()
        if self.site.n_failures:
            self.site.n_failures -= 1
            self.answer(503)
            return
        self.site.posted.append((self.path, self.headers["Content-Type"], body))
        self.answer(200)


class ExperimentServer(JsPsychServer):
    """The folder, what is posted to it, and a file of JATOS."""

    handler = ExperimentHandler

    def __init__(self, folder):
        self.posted = []
        # Scripts of simulated people by their addresses.
        self.simulated = {}
        # So many posts are answered by 503 first.
        self.n_failures = 0
        super().__init__(folder)


JATOS = """
window.jatos = {
  urlQueryParameters: { PROLIFIC_PID: 'from-jatos', condition: 'unused' },
  studyResultId: '4',
  onLoad: (call) => setTimeout(call, 50),
  submitResultData: async (data) => { window.submitted = data; },
  endStudy: () => { window.ended = 'ended'; },
  endStudyAndRedirect: (link) => { window.ended = link; },
};
"""


# Instructions that take their time to be drawn.
SLOW = """
const drawn = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', { ...drawn, set(html) {
  drawn.set.call(this, html);
  for (const start = performance.now(); html.includes('instructions-nav') && performance.now() < start + DRAWING_MS;);
} });
"""


class Session(Board):
    """A page with an experiment."""

    def __init__(self, browser, server, check, *, path="/", size=(800, 900), troubles=(), drawing_ms=0, **query):
        self.server = server
        self.harmless = (HARMLESS, *troubles)
        where = f"{path}?{urllib.parse.urlencode(query)}, {size[0]} px"
        super().__init__(check, where, browser.new_context(viewport={"width": size[0], "height": size[1]}))
        if drawing_ms:
            self.page.add_init_script(SLOW.replace("DRAWING_MS", str(drawing_ms)))
        self.page.goto(f"{server.base}{path}index.html?{urllib.parse.urlencode(query)}")

    def __enter__(self):
        self.server.posted.clear()
        return self

    def heard(self, message):
        self.that(any(text in message.text for text in self.harmless), f"console {message.type}: {message.text[:300]}")

    def on(self, *names):
        for name in names:
            self.button(name).click()

    def text(self):
        return self.page.inner_text("body")

    def wait_for(self, text):
        try:
            self.page.get_by_text(text).first.wait_for(timeout=10_000)
        except PlaywrightTimeout:
            self.that(False, f"{text!r} is not on the page: {self.text()!r}")

    def shot(self, shots, name):
        if shots:
            self.page.screenshot(path=str(shots / f"{name}-{self.page.viewport_size['width']}.png"), full_page=True)
        width, height = self.page.evaluate("[document.documentElement.scrollWidth, Math.max(document.documentElement.scrollHeight, document.body.scrollHeight)]")
        if name in ("practice", "level-solved"):
            self.that(height <= self.page.viewport_size["height"], f"{name} is {height} px high")
        self.that(width <= self.page.viewport_size["width"], f"{name} is {width} px wide")

    def level_begins(self, hint="Give up"):
        self.button(hint).wait_for()

    def give_up(self):
        self.on("Give up", "Yes, give up", "Continue")

    def saved(self, address="/save"):
        """The rows that were posted, and that they were once."""
        self.same([(path, kind) for path, kind, _ in self.server.posted], [(f"{address}?file={self.file}", "text/plain")], "posts")
        return json.loads(self.server.posted[-1][2]) if self.server.posted else []

    def rated(self, point):
        self.wait_for("How hard was this level?")
        self.page.locator(".jspsych-survey-likert-opts input").nth(point - 1).check()
        self.on("Continue")


def sound(page, rows, participant, condition, number):
    """What holds for all rows."""
    for row in rows:
        of = f"row {row['trial_index']} ({row['trial_type']})"
        page.same([row["participant"], row["session"], row.get("condition"), row["number"]], [participant, "1", condition, number], of)
        page.that(row["events"] and all(set(event) - {"value"} == KEYS for event in row["events"]), f"{of}: keys of events {row['events'][:1]}")
        page.that("stimulus" not in row, f"{of} has a text of the study")
    times = [event["time_ms"] for row in rows for event in row["events"]]
    page.same(times, sorted(times), "times in order")


def told(rows):
    """Lines as a log without jsPsych has them, without times."""
    return [
        (row.get("level") or "", event["attempt"], event["event"], event["action"], event.get("value"), row.get("block"), row.get("trial"))
        for row in rows
        for event in row["events"]
    ]


def page_line(name, kind="page", level="", block=None, trial=None):
    return (level, 1, kind, name, None, block, trial)


def answer_line(name, value, level="", block=None, trial=None):
    return (level, 1, "answer", name, value, block, trial)


def check_by_hand(open_session, shots, sample):
    with open_session(participant="P01", number="0") as page:
        page.file = "P01_1.json"
        page.wait_for("Your data are kept")
        page.shot(shots, "consent")
        page.on("I agree")
        page.wait_for("Bring all disks")
        page.shot(shots, "instructions")
        page.on("Continue >")
        page.on("< Back")
        page.on("Continue >", "Continue >")
        page.level_begins()
        page.that("Practice level" not in page.text(), "one practice level needs no number")
        page.shot(shots, "practice")
        page.page.mouse.click(*page.point(0.5, 0.5))
        page.on("Continue")

        page.wait_for("How old are you?")
        page.shot(shots, "question-text")
        page.on("Continue")
        page.that("How old are you?" in page.text(), "a question that has to be answered keeps the page")
        page.page.locator("input[type=text]").fill(" 33 ")
        page.on("Continue")
        page.wait_for("Which hand")
        page.shot(shots, "question-choice")
        page.page.get_by_label('both "equally" & <well>').check()
        page.on("Continue")

        page.level_begins()
        page.that("Level 1 of 3" in page.text(), f"progress: {page.text()!r}")
        page.disk("1>2")
        page.button("Undo").click()
        page.button("Hint").click()
        page.disk("1>2")
        page.button("Start again").click()
        for move in SOLUTION:
            page.disk(move)
        page.shot(shots, "level-solved")
        page.on("Continue")
        page.wait_for("How hard")
        page.shot(shots, "question-likert")
        page.rated(5)
        page.level_begins()
        page.page.keyboard.press("ArrowRight")
        page.give_up()
        page.rated(1)
        page.wait_for("How did you go about it?")
        page.shot(shots, "question-several")
        page.page.get_by_label('by "trial" & error').check()
        page.page.get_by_label("by <luck>").check()
        page.on("Continue")
        page.wait_for("Have a rest.")
        page.shot(shots, "break")
        page.on("Continue")
        page.level_begins()
        page.on("+A")
        page.give_up()
        page.rated(3)
        page.wait_for("How did you go about it?")
        page.on("Continue")
        page.wait_for("Anything else?")
        page.page.locator("textarea").fill("No.\nThanks")
        page.on("Continue")
        page.wait_for("C0FFEE")
        page.wait_for("This was about towers.")
        page.wait_for("Everything is saved.")
        page.same(page.page.get_by_role("link", name="Finish").get_attribute("href"), "https://example.org/done", "link at the end")
        page.shot(shots, "end")

        rows = page.saved()
        sound(page, rows, "P01", "free", 0)
        first, second, third = ("first", 2), ("first", 3), ("second", 4)
        wanted = [("", 1, "assign", "free", "0", None, None), page_line("consent")]
        wanted += [page_line(f"instructions-{number}") for number in (1, 1, 2)]
        wanted += [("lamps", 1, event, action, None, "practice", 1) for event, action in (("start", ""), ("move", "a1"), ("solved", ""))]
        wanted += [answer_line("age", "33"), answer_line("hand", 'both "equally" & <well>'), page_line("questions-start")]
        wanted += [("tower", 1, event, action, None, *first) for event, action in (("start", ""), ("move", "1>2"), ("undo", "1>2"), ("hint", "1>3"), ("move", "1>2"), ("reset", ""))]
        wanted += [("tower", 2, "move", move, None, *first) for move in SOLUTION] + [("tower", 2, "solved", "", None, *first)]
        wanted += [answer_line("hard", "5", "tower", *first), page_line("questions-level-tower", "page", "tower", *first)]
        wanted += [("swipe", 1, event, action, None, *second) for event, action in (("start", ""), ("move", "right"), ("give_up", ""))]
        wanted += [answer_line("hard", "1", "swipe", *second), page_line("questions-level-swipe", "page", "swipe", *second)]
        wanted += [answer_line("way", 'by "trial" & error; by <luck>', "", "first"), page_line("questions-block-first", "page", "", "first")]
        wanted += [page_line("break-1")]
        wanted += [("jugs", 1, event, action, None, *third) for event, action in (("start", ""), ("move", "+A"), ("give_up", ""))]
        wanted += [answer_line("hard", "3", "jugs", *third), page_line("questions-level-jugs", "page", "jugs", *third)]
        wanted += [answer_line("way", "", "", "second"), page_line("questions-block-second", "page", "", "second")]
        wanted += [answer_line("more", "No.\nThanks"), page_line("questions-end")]
        found = told(rows)
        for index, (one, other) in enumerate(zip(found, wanted)):
            page.same(one, other, f"line {index}")
        page.same(len(found), len(wanted), "number of lines")
        levels = [(row["level"], row["outcome"], row["n_moves"], row["n_attempts"]) for row in rows if row["trial_type"] == "plymap"]
        page.same(levels, [("lamps", "solved", 1, 1), ("tower", "solved", 9, 2), ("swipe", "given_up", 1, 1), ("jugs", "given_up", 1, 1)], "rows of levels")
        page.same(told(json.loads((HERE / "sample.json").read_text())), wanted, "lines of sample.json")
        if sample:
            sample.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


def check_declined(open_session):
    with open_session(PROLIFIC_PID="P02", number="2") as page:
        page.file = "P02_1.json"
        page.on("I do not agree")
        page.wait_for("You have decided not to take part.")
        rows = page.saved()
        sound(page, rows, "P02", "free", 2)
        page.same(told(rows), [("", 1, "assign", "free", "2", None, None), page_line("consent", "decline")], "lines")


def check_other_condition(open_session):
    """No consent, no undo, five moves; the line is cut twice at the end."""
    with open_session(participant="P03", number="1", troubles=("503",)) as page:
        page.file = "P03_1.json"
        page.on("Continue >", "Continue >")
        page.level_begins()
        page.same(page.button("Undo").count() + page.button("Start again").count(), 0, "buttons that the condition does not have")
        page.give_up()
        page.page.locator("input[type=text]").fill("20")
        page.on("Continue")
        page.page.get_by_label("left").check()
        page.on("Continue")
        page.level_begins()
        for move in ("1>2", "2>3", "3>2", "2>1", "1>2"):
            page.disk(move)
        page.wait_for("The last move has been made.")
        page.on("Continue")
        page.rated(2)
        page.level_begins()
        page.give_up()
        page.rated(2)
        page.on("Continue", "Continue")
        page.level_begins()
        page.give_up()
        page.rated(2)
        page.on("Continue")
        page.wait_for("Anything else?")
        page.server.n_failures = 2
        page.on("Continue")
        page.wait_for("Your data could not be sent yet.")
        page.wait_for("Everything is saved.")
        rows = page.saved()
        sound(page, rows, "P03", "strict", 1)
        (tower,) = [row for row in rows if row["trial_type"] == "plymap" and row["level"] == "tower"]
        page.same([tower["outcome"], tower["events"][-1]["event"], tower["events"][-1]["action"]], ["limit_moves", "limit", "moves"], "limit of moves")


def check_loaded_again(open_session):
    """In the middle of a level, on a page of questions, and after the end."""
    with open_session(participant="P04", number="1") as page:
        page.file = "P04_1.json"
        page.on("Continue >", "Continue >")
        page.level_begins()
        page.page.mouse.click(*page.point(0.5, 0.5))
        page.on("Continue")
        page.page.locator("input[type=text]").fill("40")
        page.on("Continue")
        page.wait_for("Which hand")
        page.page.reload()
        page.wait_for("Which hand")
        page.page.get_by_label("right").check()
        page.on("Continue")
        page.level_begins()
        page.disk("1>2")
        page.page.reload()
        page.level_begins()
        page.disk("1>3")
        page.that("Level 1 of 3" in page.text(), "the level that was under way")
        page.give_up()
        page.rated(4)
        for _ in range(2):
            page.level_begins()
            page.give_up()
            page.rated(4)
            page.on("Continue")
            if page.page.get_by_text("Have a rest.").count():
                page.on("Continue")
        page.on("Continue")
        page.wait_for("Everything is saved.")
        rows = page.saved()
        sound(page, rows, "P04", "strict", 1)
        page.same([row["trial_index"] for row in rows], list(range(len(rows))), "rows are counted over the session")
        page.same([row["page_load"] for row in rows], [1, 1, 1, 1] + [2] + [3] * (len(rows) - 5), "which page each row is of")
        levels = [(row["level"], [event["action"] for event in row["events"]]) for row in rows if row["trial_type"] == "plymap"]
        page.same(levels, [("lamps", ["", "a1", ""]), ("tower", ["", "1>3", ""]), ("swipe", ["", ""]), ("jugs", ["", ""])], "levels")
        times = [event["time_ms"] for row in rows for event in row["events"]]
        page.that(times[-1] < 30_000, f"the clock goes on as that of the wall: {times[-1]} ms")
        page.page.reload()
        page.wait_for("Everything is saved.")
        page.wait_for("C0FFEE")
        page.saved()


def check_simulated(open_session, server):
    steps = [("move", "1>2", 0.4), ("hint", "", 1.0), ("undo", "", 0.5)] + [("move", move, 0.8) for move in SOLUTION]
    person = {"speed": 20, "seed": 7, "levels": {
        "lamps": [{"event": "move", "action": "a1", "wait_s": 1}],
        "tower": [{"event": event, "action": action, "wait_s": wait} for event, action, wait in steps],
        "swipe": [{"event": "move", "action": "right", "wait_s": 2}],
    }}
    server.simulated["/simulated/S1.json"] = person
    with open_session(participant="S1", number="0", simulate="1") as page:
        page.file = "S1_1.json"
        page.wait_for("Everything is saved.")
        rows = page.saved("/simulated/save")
        sound(page, rows, "S1", "free", 0)
        levels = [(row["level"], row["outcome"], row["n_moves"]) for row in rows if row["trial_type"] == "plymap"]
        page.same(levels, [("lamps", "solved", 1), ("tower", "solved", 8), ("swipe", "given_up", 1), ("jugs", "given_up", 0)], "rows of levels")
        (tower,) = [row for row in rows if row["trial_type"] == "plymap" and row["level"] == "tower"]
        times = [event["time_ms"] for event in tower["events"]]
        waits = [later - time for time, later in zip(times, times[1:])][: len(steps)]
        page.that(all(-1 <= wait - 1000 * step[2] <= 3000 for wait, step in zip(waits, steps)), f"waits of life at twenty times the speed: {waits}")
        answers = [event["value"] for row in rows for event in row["events"] if event["event"] == "answer"]
        page.same(len(answers), 8, "answers")
        page.that(all(answer != "" for answer in answers), f"answers {answers}")
        first = told(rows)
    with open_session(participant="S1", number="0", simulate="1", drawing_ms=30) as page:
        page.file = "S1_1.json"
        page.wait_for("Everything is saved.")
        rows = page.saved("/simulated/save")
        sound(page, rows, "S1", "free", 0)
        page.same(told(rows), first, "the same person again, with instructions that are drawn slowly")

    server.simulated["/simulated/S2.json"] = {**person, "levels": {"lamps": [{"event": "move", "action": "z9", "wait_s": 1}]}}
    with open_session(participant="S2", number="0", simulate="1") as page:
        page.wait_for("the move z9 is not legal")
        page.page.wait_for_timeout(200)
        page.same([(path, body) for path, _, body in server.posted], [("/simulated/failed", "Level lamps: the move z9 is not legal")], "posts after a step that is wrong")


def check_wrong_links(open_session):
    with open_session(participant="P01", number="x") as page:
        page.wait_for("The number of a session is a whole number from 0; this one is x.")
    with open_session(session="a b", participant="P01") as page:
        page.wait_for("A session is named by")
    with open_session(number="0", session="2") as page:
        page.page.get_by_label("Your participant code").fill("P09")
        page.on("Begin")
        page.wait_for("Your data are kept")
        page.same(urllib.parse.parse_qs(urllib.parse.urlparse(page.page.url).query), {"participant": ["P09"], "number": ["0"], "session": ["2"]}, "address after the form")


def check_jatos(open_session):
    with open_session(path="/publix/1/") as page:
        page.on("I do not agree")
        page.on("Finish")
        page.same(page.page.evaluate("window.ended"), "ended", "end of the study")
        rows = json.loads(page.page.evaluate("window.submitted"))
        sound(page, rows, "from-jatos", "free", 4)


def one_level(folder, save):
    """Makes the study one of a single level, and gives what undoes that."""
    file = folder / "study.json"
    kept = file.read_text()
    study = json.loads(kept)
    plan = study["plans"][0]
    plan.update(consent=None, instructions=[], practice=[], questions=[], blocks=[{"name": "one", "levels": ["lamps"], "order": "given"}], condition=None)
    file.write_text(json.dumps({**study, "save": save, "plans": [plan]}))
    return lambda: file.write_text(kept)


def check_download(open_session, folder):
    undo = one_level(folder, None)
    with open_session(participant="P05") as page:
        page.give_up()
        page.wait_for("Please download your data")
        with page.page.expect_download() as download:
            page.page.get_by_role("link", name="Download data").click()
        page.same(download.value.suggested_filename, "P05_1.json", "name of the file")
        rows = json.loads(pathlib.Path(download.value.path()).read_text())
        page.same([(row["trial_type"], row.get("level"), "condition" in row) for row in rows], [("call-function", None, False), ("plymap", "lamps", False)], "rows")
    undo()


def check_datapipe(open_session, folder):
    """DataPipe refuses at first, and takes the data when they are sent again."""
    undo = one_level(folder, {"post": None, "datapipe": "abc123"})
    asked = []
    with open_session(participant="P06", troubles=("400",)) as page:
        answers = [400, 201]
        page.page.route("https://pipe.jspsych.org/**", lambda route: (asked.append(route.request), route.fulfill(status=answers.pop(0), json={"message": "Not now"}))[1])
        page.give_up()
        page.wait_for("Your data could not be sent.")
        page.on("Try again")
        page.wait_for("Everything is saved.")
        page.same([one.url for one in asked], ["https://pipe.jspsych.org/api/data/"] * 2, "addresses")
        body = asked[-1].post_data_json
        page.same([body["experimentID"], body["filename"], len(json.loads(body["data"]))], ["abc123", "P06_1.json", 2], "what DataPipe gets")
    undo()


def build(folder):
    for command in (["node", str(HERE / "compose.js"), str(folder)],):
        subprocess.run(command, check=True)
    for command in (["npm", "ci", "--no-audit", "--no-fund", "--silent"], ["npm", "run", "build", "--silent"]):
        subprocess.run(command, check=True, cwd=folder)


def main():
    options = parser(__doc__)
    options.add_argument("--sample", type=pathlib.Path)
    options = options.parse_args()
    check = Check()
    with tempfile.TemporaryDirectory() as name, chromium(options.chromium) as browser:
        folder = pathlib.Path(name)
        build(folder)
        server = ExperimentServer(folder)
        open_session = functools.partial(Session, browser, server, check)
        narrow = functools.partial(open_session, size=(360, 640))
        check.run("by hand", check_by_hand, open_session, options.shots, options.sample)
        check.run("by hand, narrow", check_by_hand, narrow, options.shots, None)
        check.run("declined", check_declined, open_session)
        check.run("other condition", check_other_condition, open_session)
        check.run("loaded again", check_loaded_again, open_session)
        check.run("simulated", check_simulated, open_session, server)
        check.run("wrong links", check_wrong_links, open_session)
        check.run("JATOS", check_jatos, open_session)
        check.run("download", check_download, open_session, folder)
        check.run("DataPipe", check_datapipe, open_session, folder)
        server.stop()
    sys.exit(check.end())


if __name__ == "__main__":
    main()
