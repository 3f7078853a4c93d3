"""Plays an experiment on a site of files alone in headless Chromium, and compares what was sent with what the hand did.

    python test/experiment.py [--chromium PATH] [--shots FOLDER]

Needs what `session.py` needs. The site lies in a folder of its host, under a strict content security policy; nothing but
what is posted to it is answered by a program.
"""

import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse

from browser import FOLDER, WIDTHS
from harness import Check, LocalServer, PlaywrightTimeout, RequestHandler, chromium, parser
from session import PLAN, Session, now, run

# Where the site lies on its host, and where JATOS would have it.
PLACE = "/a%20folder/of/a/host/"
PUBLIX = "/publix/17/29/"
LEVELS = ("slide", "tower", "swipe", "lamps", "triangle", "jugs", "pusher")
SOLUTIONS = {level: one["solution"] for level, one in json.loads(subprocess.run(["node", FOLDER / "test" / "levels_of_server.js", *LEVELS], capture_output=True, check=True, text=True).stdout).items()}

CONSENT = "<h1>A study of puzzles</h1><p>You will move <strong>blocks</strong> and disks for ten minutes. Your moves are recorded without your name.</p><ul><li>You can stop at any time.</li><li>Ask us: <a href='mailto:lab@example.org'>lab@example.org</a></li></ul>"
INSTRUCTIONS = ["<h2>How to play</h2><p>Drag a block along its row or column.</p><p><img src='media/board.svg' alt='A board with two blocks' width='300' height='120'></p>",
                "<h2>How to win</h2><p>Bring the red block to the opening in the frame, in as few moves as you can.</p><table><tr><th>Block</th><th>Goal</th></tr><tr><td>R</td><td>right side</td></tr></table>"]


def question(name, when, kind, text, options=(), *, multiple=False, long=False, required=True):
    return {"name": name, "text": f"<p>{text}</p>", "type": kind, "options": list(options), "multiple": multiple, "long": long, "required": required, "when": when}


AGREE = ("strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree")
QUESTIONS = [
    question("gender", "start", "choice", "What is your gender?", ("female", "male", "non-binary", "I prefer not to say")),
    question("games", "start", "choice", "Which of these have you played?", ("Rush Hour", "Tower of Hanoi", "2048"), multiple=True, required=False),
    question("age", "start", "text", "How old are you?"),
    question("hard", "level", "likert", "How hard was this level?", ("very easy", "", "", "", "", "", "very hard")),
    question("focus", "block", "likert", "I could concentrate well.", AGREE),
    question("plan", "end", "likert", "How far ahead did you plan?", ("not at all", "", "", "", "", "", "", "", "", "", "to the very end")),
    question("how", "end", "text", "How did you go about it?", long=True, required=False),
]
WHOLE = PLAN | {
    "consent": CONSENT, "instructions": INSTRUCTIONS, "practice": ["lamps"],
    "blocks": [{"name": "blocks", "levels": ["slide", "swipe"], "order": "latin-square"}, {"name": "disks", "levels": ["tower"], "order": "given"}],
    "breaks": {"every": None, "blocks": True, "html": "<p>Half of it is done. Look out of the window for a moment.</p>"},
    "questions": QUESTIONS, "debriefing": "<h2>What it was about</h2><p>We look at how people plan.</p>", "completion": {"code": "C0MPL3TE", "link": None},
}
LIMITED = WHOLE | {"condition": "limited", "hints": False, "undo": False, "give_up": False, "clock": False, "limits": {"seconds": None, "moves": 3}}
OPEN = WHOLE | {"condition": "open"}


def study(**more):
    maps = [{"id": level, "map": f"maps/{level}.plymap", "hints": f"maps/{level}.hints.plymap"} for level in LEVELS]
    return {"name": "experiment", "title": "Planning in puzzles", "language": "en", "texts": {}, "server": False, "participant": ["PROLIFIC_PID", "participant"],
            "session": ["session"], "assign": "evenly", "save": {"post": "save", "datapipe": None}, "levels": maps, "plans": [OPEN, LIMITED]} | more


def only(**plan):
    """A study of one plan with little in it."""
    return study(plans=[PLAN | {"blocks": [{"name": "levels", "levels": ["swipe"], "order": "given"}]} | plan])


class UploadHandler(RequestHandler):
    def do_POST(self):
        path, _, query = self.path.partition("?")
        self.site.posted.append((path, urllib.parse.parse_qs(query), self.body()))
        self.answer(next(self.site.answers))


class Site(LocalServer):
    """A host of files, which notes what is posted to it."""

    handler = UploadHandler

    def __init__(self, folder):
        super().__init__(folder)
        self.reset()

    def reset(self):
        # (path, parameters, text) of each request.
        self.posted = []
        # Statuses of the answers.
        self.answers = itertools.repeat(200)
        self.policy = "default-src 'self'"

    def write(self, what, place=PLACE):
        folder = self.folder / urllib.parse.unquote(place).strip("/")
        (folder / "media").mkdir(parents=True, exist_ok=True)
        subprocess.run(["node", FOLDER / "test" / "site.js", folder], input=json.dumps(what), text=True, check=True)
        (folder / "media" / "board.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 120"><path fill="#ddd" d="M0 0h300v120H0z"/><path fill="#cc3311" d="M20 40h100v40H20z"/></svg>')
        return folder

    def wait_for(self, n_posted, seconds=20):
        end = time.time() + seconds
        while len(self.posted) < n_posted and time.time() < end:
            time.sleep(0.02)
        return self.posted


class Experiment(Session):
    """A page of an experiment, and what was done on it: (event, action, level, attempt, value), and when."""

    def __init__(self, context, site, check, link, *, key="plymap/experiment/P01/1", place=PLACE, **more):
        self.key = key
        super().__init__(context, site, check, place + link, **more)

    def events(self):
        return json.loads(self.page.evaluate("(key) => localStorage.getItem(key)", self.key) or '{"events": []}')["events"]

    def noted(self, n_events, is_over=False):
        try:
            self.page.wait_for_function("([key, n]) => JSON.parse(localStorage.getItem(key) ?? '{\"events\": []}').events.length >= n", arg=[self.key, n_events], timeout=5000)
        except PlaywrightTimeout:
            self.that(False, f"{n_events} events are awaited; kept is {[told(one) for one in self.events()[-3:]]}")

    def does(self, hand, *events):
        self.act(hand, *((event, action, level, attempt, value) for event, action, level, attempt, value in events))

    def page_is(self, name, **more):
        """Until such a page is there; it has the keys."""
        try:
            self.page.get_by_role("region", name=name, exact=True).wait_for(timeout=5000)
        except PlaywrightTimeout:
            self.that(False, f"there is no page {name}: {self.text()!r}")
        self.that(self.page.evaluate("document.activeElement.classList.contains('session-page')"), f"the focus is on the page {name}")

    def left(self, name, text="Continue", *before):
        self.does(lambda: self.button(text).click(), *before, ("page", name, "", 1, None))

    def began(self, level):
        """A level that came by the hand before."""
        self.on_board(level)
        self.noted(len(self.done) + 1)
        self.done.append((("start", "", level, 1, None), 0, now()))

    def step(self, hand, level, event, action, *more, attempt=1):
        self.does(hand, (event, action, level, attempt, None), *((kind, what, level, attempt, None) for kind, what in more))

    def tap(self, cell):
        self.click(int(cell[1]) - 0.5, "abc".index(cell[0]) + 0.5)


def told(event):
    return (event["event"], event["action"], event["level"], event["attempt"], event.get("value"))


def read(text):
    return [json.loads(line) for line in text.splitlines()]


def check_whole(context, site, check):
    """All that an experiment has, with a page that is loaded again in the middle of a level, and a host that fails first."""
    site.write(study())
    site.answers = itertools.chain([503, 503], itertools.repeat(200))
    with Experiment(context, site, check, "?PROLIFIC_PID=P01&participant=no&number=3", is_line_bad=True) as play:
        play.page_is("Consent")
        play.noted(1)
        play.done.append((("assign", "limited", "", 1, "3"), 0, now()))
        play.that(play.page.locator(".session-page h1").inner_text() == "A study of puzzles", "the text of the consent")
        yield "consent", play
        play.left("consent", "I agree")

        play.page_is("Instructions, page 1 of 2")
        play.same(play.button("Back").count(), 0, "ways back from the first page")
        play.page.wait_for_function("() => document.querySelector('.session-text img').naturalWidth > 0")
        yield "instructions-1", play
        play.left("instructions-1")
        play.page_is("Instructions, page 2 of 2")
        yield "instructions-2", play
        play.button("Back").click()
        play.page_is("Instructions, page 1 of 2")
        play.left("instructions-1")
        play.page_is("Instructions, page 2 of 2")
        # By keys alone.
        play.does(lambda: play.press("Tab", "Tab", "Enter"), ("page", "instructions-2", "", 1, None))

        play.began("lamps")
        play.same(play.page.evaluate("document.activeElement.getAttribute('role')"), "application", "what has the keys after a page")
        play.same(play.text(".session-mark"), "Practice", "mark of practice")
        play.same([play.button(name).count() for name in ("Undo", "Start again", "Hint", "Give up")], [0, 1, 0, 0], "buttons of the condition")
        play.that("Moves left" in play.text(".play-head") and "Time" not in play.text(".play-head"), f"counters of the condition: {play.text('.play-head')}")
        yield "practice", play
        for cell in ("b2", "c3"):
            play.step(lambda cell=cell: play.tap(cell), "lamps", "move", cell)
        play.step(lambda: play.tap("c1"), "lamps", "move", "c1", ("limit", "moves"))
        play.same(play.status(), "The last move has been made.", "the end by a limit")
        yield "limit", play
        play.button("Continue").click()
        yield from answer_first(play)

        # Row 1 of the square: the second level comes first.
        play.began("swipe")
        play.that(play.text(".play-head").startswith("Level 1 of 3"), f"progress: {play.text('.play-head')}")
        play.step(lambda: play.press("ArrowLeft"), "swipe", "move", "left")
        play.page.reload()
        play.on_board("swipe")
        play.that(play.text(".play-head").replace("\n", " ").startswith("Level 1 of 3 Moves 1 Moves left 2"), f"a level goes on: {play.text('.play-head')!r}")
        play.page.locator(".play-board").focus()
        play.step(lambda: play.press("ArrowUp"), "swipe", "move", "up")
        play.step(lambda: play.press("ArrowRight"), "swipe", "move", "right", ("solved", ""))
        play.press("Enter")
        play.page_is("Questions")
        play.page.reload()
        play.page_is("Questions")
        yield "likert-ends", play
        play.page.get_by_role("radio", name="7, very hard").check()
        play.left("questions-level-swipe", "Continue", ("answer", "hard", "swipe", 1, "7"))

        play.began("slide")
        play.that(play.text(".play-head").startswith("Level 2 of 3"), f"progress: {play.text('.play-head')}")
        for move in ("B-3", "C+3"):
            row, column = play.piece(move[0])
            play.drag((row, column), (row, column + 3) if move[0] == "C" else (row - 3, column), release=False)
            play.step(play.page.mouse.up, "slide", "move", move)
        play.step(lambda: play.button("Start again").click(), "slide", "reset", "")
        row, column = play.piece("D")
        play.drag((row, column), (row + 1, column), release=False)
        play.step(play.page.mouse.up, "slide", "move", "D+1", ("limit", "moves"), attempt=2)
        play.button("Continue").click()
        play.page_is("Questions")
        play.button("Continue").click()
        play.same(play.page.get_by_role("alert").filter(has_text="Please answer").count(), 1, "what is said of a missing answer")
        play.page.locator(".session-point").nth(1).click()
        play.same(play.page.get_by_text("Please answer this question.").count(), 0, "what is said once it is there")
        play.left("questions-level-slide", "Continue", ("answer", "hard", "slide", 1, "2"))
        play.page_is("Questions")
        yield "likert-named", play
        play.page.get_by_text("neither agree nor disagree").click()
        play.left("questions-block-blocks", "Continue", ("answer", "focus", "", 1, "3"))
        play.page_is("Break")
        yield "break", play
        play.left("break-1")

        play.began("tower")
        pegs = [0, 0, 0]
        for move in SOLUTIONS["tower"][:3]:
            start, end = int(move[0]) - 1, int(move[2]) - 1
            disk = pegs.index(start)
            pegs[disk] = end
            play.drag(play.piece(str(disk + 1)), (0.4, end * 4 + 2), release=False)
            play.step(play.page.mouse.up, "tower", "move", move, *([("limit", "moves")] if move == "3>2" else []))
        play.button("Continue").click()
        play.page_is("Questions")
        play.page.keyboard.press("Tab")
        play.press(" ", "ArrowRight", "ArrowRight")
        play.left("questions-level-tower", "Continue", ("answer", "hard", "tower", 1, "3"))
        play.page_is("Questions")
        play.page.get_by_text("strongly agree").click()
        play.left("questions-block-disks", "Continue", ("answer", "focus", "", 1, "5"))

        play.page_is("Questions")
        play.page.get_by_role("radio", name="11, to the very end").check()
        play.page.get_by_role("textbox").fill(" By trial;\nand error. ")
        yield "questions-end", play
        play.does(lambda: play.button("Continue").click(), ("answer", "plan", "", 1, "11"), ("answer", "how", "", 1, "By trial;\nand error."), ("page", "questions-end", "", 1, None))
        play.shows("Your data could not be sent yet. The page goes on trying")
        yield "sending", play
        play.shows("Your completion code")
        play.that("Everything is saved." in play.text(), f"the end: {play.text()!r}")
        play.same(play.text(".session-code"), "C0MPL3TE", "the code")
        play.that("We look at how people plan." in play.text(), "debriefing")
        play.same(play.text(".session-notice"), "", "a notice after all is saved")
        yield "end", play
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        play.button("Copy code").click()
        play.shows("Copied")
        play.same(play.page.evaluate("navigator.clipboard.readText()"), "C0MPL3TE", "the clipboard")

        play.same([(path, query) for path, query, _ in site.posted], [(PLACE + "save", {"file": ["P01_1.ndjson"]})] * 3, "what was posted")
        compare(play, read(site.posted[-1][2]), "limited", {"lamps": ("practice", 1), "swipe": ("blocks", 2), "slide": ("blocks", 3), "tower": ("disks", 4)})
        play.page.reload()
        play.shows("C0MPL3TE")
        play.same(len(site.posted), 3, "requests after all was sent")


def answer_first(play):
    play.page_is("Questions")
    yield "questions", play
    play.button("Continue").click()
    play.same(play.page.get_by_text("Please answer this question.").count(), 2, "missing answers")
    play.that(play.page.get_by_role("radio", name="female", exact=True).evaluate("(one) => one === document.activeElement"), "the focus is on the first question without an answer")
    yield "unanswered", play
    play.page.get_by_text("non-binary").click()
    play.page.get_by_role("textbox", name="How old are you?").fill(" 31 ")
    play.page.get_by_text("Tower of Hanoi").click()
    play.page.get_by_text("2048").click()
    play.left("questions-start", "Continue", ("answer", "gender", "", 1, "non-binary"), ("answer", "games", "", 1, "Tower of Hanoi; 2048"), ("answer", "age", "", 1, "31"))


def compare(play, events, condition, trials):
    """All that was sent with all that the hand did."""
    play.same([told(one) for one in events], [one for one, _, _ in play.done] + [("page", "end", "", 1, None)], "data")
    play.same([one["seq"] for one in events], list(range(len(events))), "numbers of events")
    play.same({(one["participant"], one["session"], one.get("condition")) for one in events}, {("P01", "1", condition)}, "who, and in which condition")
    play.that(all(one["onset_s"] <= other["onset_s"] for one, other in itertools.pairwise(events)), "onsets go on")
    for event in events:
        if event["level"]:
            play.same((event.get("block"), event.get("trial")), trials[event["level"]], f"block and trial of {told(event)}")
        elif event["action"] == "focus":
            play.that(event["block"] in ("blocks", "disks") and "trial" not in event, f"block of {told(event)}")
        else:
            play.that("block" not in event and "trial" not in event, f"a block of {told(event)}")


def check_refusal(context, site, check):
    site.write(study())
    with Experiment(context, site, check, "?participant=P01&number=0") as play:
        play.page_is("Consent")
        play.noted(1)
        play.button("I do not agree").click()
        play.shows("You have decided not to take part.")
        play.same(play.page.get_by_role("button").count(), 0, "buttons after a refusal")
        yield "declined", play
        site.wait_for(1)
        play.same([told(one) for one in read(site.posted[0][2])], [("assign", "open", "", 1, "0"), ("decline", "consent", "", 1, None)], "data of a refusal")
        play.page.reload()
        play.shows("You have decided not to take part.")
        play.same(len(site.posted), 1, "requests after a refusal that was sent")


def solve(play):
    """Level `swipe`, after the assignment."""
    play.on_board("swipe")
    play.page.locator(".play-board").focus()
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight"):
        play.press(key)
        play.settle()


SOLVED = ["assign", "start", "move", "move", "move", "solved", "page"]


def check_download(context, site, check):
    """Nowhere to send data to, and a place that refuses them."""
    site.write(only(completion={"code": "DONE", "link": None}) | {"save": None})
    with Experiment(context, site, check, "?participant=P01") as play:
        solve(play)
        play.button("Continue").click()
        play.shows("Please download your data")
        yield "download", play
        with play.page.expect_download() as download:
            play.page.get_by_role("link", name="Download data").click()
        play.same(download.value.suggested_filename, "P01_1.ndjson", "name of the file")
        play.same([one["event"] for one in read(pathlib.Path(download.value.path()).read_text())], SOLVED, "data in the file")
        play.same(site.posted, [], "requests")
    site.write(only())
    site.answers = itertools.chain([403], itertools.repeat(200))
    with Experiment(context, site, check, "?participant=P02", key="plymap/experiment/P02/1", is_line_bad=True) as play:
        solve(play)
        play.shows("Your data could not be sent.")
        play.same(play.page.get_by_role("link", name="Download data").count(), 1, "a file instead")
        yield "not-sent", play
        play.button("Try again").click()
        play.shows("You can close this page.")
        play.same([[one["event"] for one in read(text)] for _, _, text in site.posted], [SOLVED] * 2, "data of both tries")


def check_datapipe(context, site, check):
    site.write(only() | {"save": {"post": None, "datapipe": "abc123"}})
    # A site that sends data elsewhere needs a policy that says so.
    site.policy = "default-src 'self'; connect-src 'self' https://pipe.jspsych.org"
    requests = []
    answers = iter([(503, "{}"), (201, "{}")])

    def answer(route):
        requests.append(json.loads(route.request.post_data))
        status, body = next(answers)
        route.fulfill(status=status, body=body, headers={"Access-Control-Allow-Origin": "*"})

    with Experiment(context, site, check, "?participant=P01", is_line_bad=True, others=("https://pipe.jspsych.org/",)) as play:
        play.page.route("https://pipe.jspsych.org/**", lambda route: answer(route) if route.request.method == "POST" else route.fulfill(status=204, headers={"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"}))
        solve(play)
        play.shows("You can close this page.")
        play.same([(one["experimentID"], one["filename"], [event["event"] for event in read(one["data"])]) for one in requests], [("abc123", "P01_1.ndjson", SOLVED)] * 2, "requests to DataPipe")


# What JATOS would serve; it notes what it is told, and refuses the first data.
JATOS = """
const told = [];
globalThis.jatos = {
  told,
  urlQueryParameters: { PROLIFIC_PID: 'P01' },
  studyResultId: 7,
  onLoad: (call) => setTimeout(call, 50),
  submitResultData: async (data) => {
    told.push(['data', data]);
    if (told.length === 1) throw new Error('down');
  },
  endStudy: () => told.push(['end']),
  endStudyAndRedirect: (link) => told.push(['end', link]),
};
"""


def check_jatos(context, site, check):
    link = "https://app.prolific.com/submissions/complete?cc=C0DE"
    folder = site.write(study(plans=[plan | {"consent": None, "instructions": [], "practice": [], "questions": [], "blocks": only()["plans"][0]["blocks"], "completion": {"code": None, "link": link}} for plan in (OPEN, LIMITED)]), PUBLIX)
    (folder / "jatos.js").write_text(JATOS)
    with Experiment(context, site, check, "index.html", place=PUBLIX) as play:
        solve(play)
        play.button("Continue").click()
        play.shows("Everything is saved.")
        yield "jatos", play
        play.button("Finish").click()
        (_, first), (_, data), end = play.page.evaluate("jatos.told")
        play.same([first == data, end], [True, ["end", link]], "what JATOS is told")
        events = read(data)
        play.same([one["event"] for one in events], SOLVED, "data")
        play.same([events[0][name] for name in ("participant", "action", "value")], ["P01", "limited", "7"], "the participant and the number are those of JATOS")
    # Nothing to read at the end: the study ends at once. Without a code the run has one.
    folder = site.write(only(), PUBLIX)
    (folder / "jatos.js").write_text(JATOS.replace("PROLIFIC_PID: 'P01'", ""))
    with Experiment(context, site, check, "index.html", place=PUBLIX, key="plymap/experiment/jatos-7/1") as play:
        solve(play)
        play.page.wait_for_function("() => jatos.told.length === 3")
        play.same(play.page.evaluate("jatos.told.at(-1)"), ["end"], "the end of a study without a last page")


def check_two_pages(context, site, check):
    site.write(only())
    with Experiment(context, site, check, "?participant=P01") as first:
        first.on_board("swipe")
        first.noted(2)
        with Experiment(context, site, check, "?participant=P01") as second:
            second.on_board("swipe")
            first.page.locator(".play-board").press("ArrowLeft")
            first.noted(3)
            second.page.locator(".play-board").press("ArrowLeft")
            second.shows("This session has gone on in another window")
            second.same([told(one)[:2] for one in second.events()][1:], [("start", ""), ("move", "left")], "events of two pages")


def check_time(context, site, check):
    """The time of a level goes on where it was when the page is loaded again, and its end is told to the digit."""
    site.write(only(limits={"seconds": 2.5, "moves": None}))
    with Experiment(context, site, check, "?participant=P01") as play:
        play.on_board("swipe")
        play.page.wait_for_timeout(1000)
        play.page.locator(".play-board").press("ArrowLeft")
        play.noted(3)
        play.page.reload()
        play.on_board("swipe")
        play.that(play.text(".play-head").split()[-1] in ("00:01", "00:02"), f"time left: {play.text('.play-head')}")
        play.shows("The time is up.")
        play.shows("Thank you!")
        events = read(site.wait_for(1)[0][2])
        play.same([told(one)[:2] for one in events][2:], [("move", "left"), ("limit", "seconds"), ("page", "end")], "the end by a limit of time")
    with Experiment(context, site, check, "?participant=P02") as play:
        play.on_board("swipe")
        play.noted(2)
        address = play.page.url
        play.page.goto("about:blank")
        # No time is won by leaving the page.
        play.page.wait_for_timeout(2600)
        play.page.goto(address)
        play.shows("Thank you!")
        events = read(site.wait_for(2)[1][2])
        play.same([told(one)[:2] for one in events][2:], [("limit", "seconds"), ("page", "end")], "the end by a limit of time while the page was away")


def check_links(context, site, check):
    site.write(study(assign="url"))
    for link, words in (("?participant=P01", "It does not say for which condition"), ("?participant=P01&condition=none", "The study has no condition none."),
                        ("?participant=P01&condition=open&number=x", "this one is x"), ("?participant=P01&condition=open&level=nine", "The study has no level nine.")):
        with Experiment(context, site, check, link) as play:
            play.shows("This link is not right.")
            play.shows(words)
            play.same(play.events(), [], "events after a wrong link")
            if "none" in link:
                yield "wrong-link", play
    with Experiment(context, site, check, "?condition=open&PROLIFIC_PID=") as play:
        play.shows("Your participant code")
        play.page.keyboard.type("P09")
        play.press("Enter")
        play.page_is("Consent")
        play.same(urllib.parse.parse_qs(urllib.parse.urlparse(play.page.url).query), {"PROLIFIC_PID": ["P09"], "condition": ["open"]}, "the link that the form makes")
    # A session that goes on keeps its condition, whatever its link says then.
    with Experiment(context, site, check, "?condition=limited&participant=P09", key="plymap/experiment/P09/1") as play:
        play.page_is("Consent")
        play.same([told(one)[:2] for one in play.events()], [("assign", "open")], "the condition of a session that goes on")
    with Experiment(context, site, check, "?condition=limited&participant=P10&level=tower", key="plymap/experiment/P10/1") as play:
        play.on_board("tower")
        play.same(play.page.get_by_role("progressbar").count(), 0, "progress where one level is played alone")


def check_texts(context, site, check):
    """Texts of a study, instead of those of the page and of the board."""
    site.write(only(consent="<p>Will you?</p>") | {"texts": {"agree": "Yes, I will", "undo": "One move back"}})
    with Experiment(context, site, check, "?participant=P01") as play:
        play.button("Yes, I will").click()
        play.on_board("swipe")
        play.same(play.button("One move back").count(), 1, "a button of the board")
    site.write(only() | {"texts": {"agre": "Yes"}})
    with Experiment(context, site, check, "?participant=P02") as play:
        play.shows("There is no text agre;")


def planned(level):
    """The shortest solution of a level, as a simulated person is told."""
    return [{"event": "move", "action": move, "wait_s": 1.5} for move in SOLUTIONS[level]]


def played(events):
    return {level: [told(one)[:2] for one in events if one["level"] == level and one["event"] != "answer"] for level in LEVELS}


def check_simulated(context, site, check):
    """A simulated person plays by itself, at twenty times the speed and on the clock of life."""
    folder = site.write(study(save=None))
    (folder / "simulated").mkdir(exist_ok=True)
    moves = {level: planned(level) for level in ("slide", "swipe", "tower")}
    lamps = [{"event": "move", "action": "b2", "wait_s": 2}, {"event": "undo", "action": "b2", "wait_s": 1}, {"event": "hint", "action": "", "wait_s": 1}]
    (folder / "simulated" / "R01.json").write_text(json.dumps({"speed": 20, "seed": 5, "levels": moves | {"lamps": lamps, "slide": [*moves["slide"][:2], {"event": "reset", "action": "", "wait_s": 3}, *moves["slide"]]}}))
    start = time.time()
    with Experiment(context, site, check, "?participant=R01&simulate=1&number=0") as play:
        play.same([path for path, _, _ in site.wait_for(1, 60)][:1], [PLACE + "simulated/save"], "where simulated data go")
        took = time.time() - start
        play.same([(path, text[:300]) for path, _, text in site.posted if path.endswith("failed")], [], "faults")
        play.shows("Your completion code")
        events = read(site.posted[0][2])
        play.same(site.posted[0][1], {"file": ["R01_1.ndjson"]}, "name of the file")
        play.same(play.events(), [], "what a simulated person leaves in the browser")
        by_level = played(events)
        whole = {level: [("start", ""), *(("move", move) for move in solution), ("solved", "")] for level, solution in SOLUTIONS.items()}
        play.same(by_level["tower"], whole["tower"], "tower")
        play.same(by_level["swipe"], whole["swipe"], "swipe")
        play.same(by_level["slide"], [*whole["slide"][:3], ("reset", ""), *whole["slide"][1:]], "slide")
        play.same([event for event, _ in by_level["lamps"]], ["start", "move", "undo", "hint", "give_up"], "a list that ends before its level")
        play.same([one["action"] for one in events if one["event"] == "page"], ["consent", "instructions-1", "instructions-2", "questions-start", "questions-level-slide",
                  "questions-level-swipe", "questions-block-blocks", "break-1", "questions-level-tower", "questions-block-disks", "questions-end", "end"], "pages")
        play.that(all(one["value"] for one in events if one["event"] == "answer"), "answers")
        tower = [one["onset_s"] for one in events if one["level"] == "tower" and one["event"] == "move"]
        gaps = [later - earlier for earlier, later in itertools.pairwise(tower)]
        play.that(all(1.5 <= gap <= 3 for gap in gaps), f"seconds between moves: {gaps}")
        print(f"a simulated person of {events[-1]['onset_s']:.0f} s took {took:.1f} s; moves came {min(gaps):.2f} to {max(gaps):.2f} s after each other, and were to come 1.5 s after")
    # Pieces, presses, steps and buttons, whatever there is.
    site.reset()
    folder = site.write(only(blocks=[{"name": "levels", "levels": list(LEVELS), "order": "given"}]))
    (folder / "simulated" / "R05.json").write_text(json.dumps({"speed": 20, "seed": 1, "levels": {level: planned(level) for level in LEVELS}}))
    with Experiment(context, site, check, "?participant=R05&simulate=1") as play:
        path, _, text = site.wait_for(1, 60)[0]
        if play.same(path, PLACE + "simulated/save", f"where the data of all levels go ({text[:200]})"):
            play.same(played(read(text)), whole, "all levels")
    # What does not go as the list says is told, and so is a person that nobody knows.
    for link, fault in (("?participant=R03&simulate=1&number=0", "There is no simulated person R03"), ("?simulate=1", "The link names no participant")):
        site.reset()
        with Experiment(context, site, check, link, is_line_bad=True) as play:
            path, _, text = site.wait_for(1)[0]
            play.that(path == PLACE + "simulated/failed" and fault in text, f"a fault: {path} {text}")
    site.reset()
    (folder / "simulated" / "R02.json").write_text(json.dumps({"speed": 20, "seed": 5, "levels": {"lamps": [{"event": "move", "action": "z9", "wait_s": 1}]}}))
    with Experiment(context, site, check, "?participant=R02&simulate=1&number=0") as play:
        path, _, text = site.wait_for(1)[0]
        play.same([path, text], [PLACE + "simulated/failed", "Level lamps: the move z9 is not legal"], "a fault")


def check_layout(browser, site, check, shots):
    """Pages with long words in all languages."""
    texts = {"de": ("Einverständniserklärung", ("stimme überhaupt nicht zu", "stimme eher nicht zu", "weder noch", "stimme eher zu", "stimme voll und ganz zu")),
             "fr": ("Formulaire de consentement", ("pas du tout d’accord", "plutôt pas d’accord", "ni d’accord ni pas d’accord", "plutôt d’accord", "tout à fait d’accord"))}
    for (language, (title, labels)), (width, height) in itertools.product(texts.items(), WIDTHS):
        questions = [question("a", "start", "likert", "Donaudampfschifffahrtsgesellschaft", labels), question("b", "start", "likert", "?", [str(n) for n in range(11)]), question("c", "start", "likert", "?", labels[:1] + ("",) * 5 + labels[-1:])]
        site.write(study(language=language, title=title, plans=[WHOLE | {"instructions": [], "practice": [], "questions": questions}]))
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", has_touch=True)
        with Experiment(context, site, check, "?participant=P01") as play:
            play.where = f"{language}, {width} px"
            play.page.locator(".session-page").wait_for()
            look(play, f"consent-{language}", width, height, shots)
            play.page.locator(".session-ways .session-button:not(.session-other)").tap()
            play.page.locator(".session-scale").first.wait_for()
            look(play, f"scales-{language}", width, height, shots)
        context.close()


def look(play, name, width, height, shots):
    """What has to be so of each page in each width."""
    page = play.page.evaluate("document.documentElement.scrollWidth")
    play.that(page <= width, f"{name}: the page is {page} px wide at {width} px")
    small = play.page.evaluate("Array.from(document.querySelectorAll('button, a.session-button, label.session-choice, label.session-point, input[type=text], textarea'), (one) => [one.offsetHeight, one.offsetWidth, one.textContent]).filter(([height, width]) => height > 0 && (height < 44 || width < 40))")
    play.same(small, [], f"{name}: small controls at {width} px")
    clipped = play.page.evaluate("""Array.from(document.querySelectorAll('.session *'), (one) => [one.scrollWidth - one.clientWidth, one.className])
      .filter(([over, name]) => over > 1 && typeof name === 'string' && name.startsWith('session'))""")
    play.same(clipped, [], f"{name}: what is wider than its place at {width} px")
    if shots:
        play.page.screenshot(path=shots / f"experiment-{name}-{width}.png", full_page=True)


def main():
    options = parser(__doc__).parse_args()
    check = Check()
    parts = [check_whole, check_refusal, check_download, check_datapipe, check_jatos, check_two_pages, check_time, check_links, check_texts, check_simulated]
    with tempfile.TemporaryDirectory() as folder, chromium(options.chromium) as browser:
        site = Site(folder)
        for part in parts:
            run(browser, site, check, part, look, options.shots)
        check_layout(browser, site, check, options.shots)
        site.stop()
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
