"""Reads logs with questions in the page of `plymap open`, and fails if anything there does not work.

    python tests/browser/check_open_reading.py --plymap target/debug/plymap [--chromium /usr/bin/chromium]

What a proposal asks is answered by its controls, by keys too, and leaves page and study; files that differ in their columns are shown one by
one; rows add up in sight; folders are dropped as the system drops them. Needs Python with `playwright` and a Chromium of the system.
"""

import itertools
import re
import sys
import tempfile
from collections import defaultdict

from harness import Check, chromium, parser
from opened import EXPERIMENT, LEVELS, SOLUTIONS, N_FILES, N_PEOPLE, N_ROWS, OpenPage, OpenServer, log_of, moves, odd_log

# What the page says in German.
RIGHT_SO, LEAVE_OUT = "Es ist richtig so", "Schritt 1 weglassen"
N_TRIALS = N_PEOPLE * len(SOLUTIONS)


def log_of_events():
    """Moves among beginnings, ends that say that the level is solved, and a value that nobody explains."""
    rows, last = [], None
    for person, level, action, ms in [*moves(), (None,) * 4]:
        if (person, level) != last:
            if last:
                rows += [("P%s,%s,piep,,," % last) + "false", ("P%s,%s,runde_ende,,," % last) + "true"]
            if person is not None:
                rows.append(f"P{person},{level},start,,,false")
            last = (person, level)
        if person is not None:
            rows.append(f"P{person},{level},verschoben,{action},{ms / 1000},false")
    return "\n".join(["participant,level,event,action,rt_s,solved", *rows]) + "\n"


def asked(browser, check, program, folder):
    """A question about an event is answered by its menu, by keys; sums of rows are seen; what no longer holds leaves the study."""
    server = OpenServer(program, folder)
    with OpenPage(check, "log of events", browser, server) as page:
        page.choose(*LEVELS, ("ereignisse.csv", log_of_events()))
        page.same(page.propose(), 1.0, "share of rows that replay")
        question = page.page.locator("[data-question='log.events.piep']")
        page.that("QUESTION" in server.study, f"nothing is asked: {server.study}")
        page.same(page.page.locator("[data-question]").count(), 1, "questions")
        text = page.page.locator("[data-sum]").inner_text()
        numbers = [int(one.replace(".", "")) for one in re.findall(r"\d[\d.]*", text)]
        page.same(numbers, [N_ROWS + 2 * N_TRIALS, N_ROWS, N_TRIALS, N_TRIALS], f"the sum of {text!r}")
        files = page.page.locator(".account").inner_text()
        page.that(str(N_ROWS + 3 * N_TRIALS) in files and f"− {N_TRIALS}" in files, f"the rows of the files: {files!r}")
        page.that("weggelassen" in page.page.locator("table.log tbody").inner_text(), "a row of an event that is ignored is called kept")

        question.locator("select").focus()
        page.page.keyboard.type("nichts")
        page.wait_for_study('piep = "null_move"')
        page.same(page.page.locator("[data-question]").count(), 0, "questions after the answer")
        page.that("QUESTION" not in server.study and "# Changed or confirmed" in server.study, f"the study still asks: {server.study}")
        page.same(page.page.locator("[data-key='event piep']").input_value(), "null_move", "the meaning among all events")
        page.that(f"{N_TRIALS} ohne Änderung" in page.page.locator("[data-sum]").inner_text(), "the sum after the answer")
        page.page.locator("[data-key='event runde_ende']").select_option("ignore")
        page.wait_for_study('runde_ende = "ignore"')
        # The end that says so is left out, and nobody claims that the log says the contrary.
        page.go("check")
        page.that("outcome-contradicts-replay" not in page.page.locator("main").inner_text(), "the log is said to call solved trials unsolved")
    server.kill()


def confirmed(browser, check, program, folder):
    """What is right is said to be, a step is left out by its button, and the head of the study says no more than holds."""
    server = OpenServer(program, folder)
    with OpenPage(check, "confirmed", browser, server) as page:
        page.choose(*LEVELS, ("ohne-zeit.csv", log_of("participant,level,action,x", lambda person, level, action, _: (f"P{person}", level, action, "a"))))
        page.propose()
        page.that("# Look at the lines" in server.study, f"nothing is asked: {server.study}")
        page.page.locator("[data-question='columns.onset']").get_by_role("button", name=RIGHT_SO).click()
        page.page.locator("[data-question]").wait_for(state="detached")
        page.that(not re.search("QUESTION|Look at", server.study), f"the study still asks: {server.study}")
        before = server.study
        (folder / "study.toml").write_text(before.replace("[log]\n", "[log]\nsteps = [{ where = \"x != 'a'\" }, { set = { y = \"x\" } }]\n"))
        page.page.reload()
        page.heading()
        page.page.get_by_role("button", name=LEAVE_OUT).click()
        page.page.wait_for_function("() => !document.querySelector('.study textarea').value.includes('where')")
        page.that('set = { y = "x" }' in server.study, f"the other step is gone, too: {server.study}")
        page.same(page.share(), 1.0, "share without the step")
    server.kill()


def in_milliseconds(browser, check, program, folder):
    """The column that answers a question about times is read in the unit that its numbers have."""
    server = OpenServer(program, folder)
    with OpenPage(check, "a time in milliseconds", browser, server) as page:
        page.choose(*LEVELS, ("seltsam.csv", odd_log()))
        page.propose()
        page.page.locator("[data-question='columns.onset'] select").first.select_option("x")
        page.wait_for_study('onset = { column = "x", unit = "ms" }')
    server.kill()


def differing(browser, check, program, folder):
    """Columns of each file can be looked at and chosen; what others call so stays."""
    server = OpenServer(program, folder)
    with OpenPage(check, "files that differ", browser, server) as page:
        of = lambda person, header: "\n".join([header, *(f"Q{person},{level},{action},{ms / 1000}" for who, level, action, ms in moves() if who == person)]) + "\n"
        logs = [(f"s{person}.csv", of(person, "person,level,action,rt_s" if person else "wer,level,action,rt_s")) for person in range(N_PEOPLE)]
        page.choose(*LEVELS, *logs)
        page.propose()
        page.that(page.share() < 1, "files that lack a column are read")
        menu = page.page.locator("[data-key=files]")
        page.same(menu.locator("option").count(), 2, "tables")
        for table, column in (("1", "person"), ("0", "wer")):
            menu.select_option(table)
            page.page.locator(f"[data-key='column {column}']").wait_for()
            page.same(page.page.locator("table.log .column-name").count(), 4, f"columns of the files with {column!r}")
        page.page.locator("[data-key='column wer']").select_option("role:participant")
        page.page.wait_for_function("() => document.querySelector('[data-share]').dataset.share === '1'")
        page.that('participant = ["person", "wer"]' in server.study, f"one of both names is lost: {server.study}")
        page.same(page.page.locator("[data-question='log.files']").count(), 0, "the question about the files")
    server.kill()


def named_by_files(browser, check, program, folder):
    """A column of people answers whether each file is of one of them, by the control of the question and by the menu above the column."""
    for way in ("[data-question='log.path'] select", "[data-key='column code']"):
        server = OpenServer(program, folder.parent / re.sub(r"\W", "", way))
        with OpenPage(check, "people in files", browser, server) as page:
            of = lambda person: "\n".join(["level,action,rt_s,code", *(f"{level},{action},{ms / 1000},{level}" for who, level, action, ms in moves() if who == person)]) + "\n"
            page.choose(*LEVELS, *((f"anna{person}.csv", of(person)) for person in range(3)))
            page.propose()
            page.that("# QUESTION: no column is called after people" in server.study, f"nothing is asked about the files: {server.study}")
            page.page.locator(way).select_option("code" if "question" in way else "role:participant")
            page.wait_for_study('participant = "code"')
            page.same(page.page.locator("[data-question]").count(), 0, f"questions after an answer by {way}")
            page.that("QUESTION" not in server.study, f"the study still asks: {server.study}")
        server.kill()


def dropped(browser, check, program, folder):
    """A folder, with the files and folders in it, dropped as the system does it."""
    server = OpenServer(program, folder)
    given = folder.parent / "experiment"
    for name, text in EXPERIMENT.items():
        path = given / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with OpenPage(check, "a folder that is dropped", browser, server) as page:
        box = page.page.locator(".drop").bounding_box()
        devtools = page.context.new_cdp_session(page.page)
        data = {"items": [], "files": [str(given)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            devtools.send("Input.dispatchDragEvent", {"type": kind, "x": box["x"] + 50, "y": box["y"] + 30, "data": data})
        page.page.locator(".uploads > *").first.wait_for(state="attached")
        page.received()
        page.same(page.page.locator(".files li").count(), N_FILES, "files of the folder")
        page.same(page.propose(), 1.0, "share of rows that replay")
    server.kill()


def late(browser, check, program, folder):
    """A log that comes after the proposal is called no part of the study and becomes one; a row that was saved twice is one of those that do not replay."""
    server = OpenServer(program, folder)
    with OpenPage(check, "a late log", browser, server) as page:
        places = defaultdict(itertools.count)
        log = log_of("participant,level,move_index,action,rt_s", lambda person, level, action, ms: (f"P{person}", level, next(places[person, level]), action, ms / 1000))
        page.choose(*LEVELS, ("log.csv", log))
        page.propose()
        head, row, *_ = log.splitlines()
        page.go("start")
        page.choose(("spaet.csv", "\n".join([head, row.replace("P0", "Q0"), row.replace("P0", "Q0")]) + "\n"))
        item = page.page.locator(".files li", has_text="spaet.csv")
        page.that("nicht in der Studie" in item.inner_text(), f"nothing says so: {item.inner_text()!r}")
        page.same(page.page.get_by_role("button", name="In die Studie aufnehmen").count(), 1, "buttons that add a file")
        item.get_by_role("button", name="In die Studie aufnehmen").click()
        page.wait_for_study('"logs/spaet.csv"')
        page.that("nicht in der Studie" not in page.page.locator(".files").last.inner_text(), "the file is still called no part of the study")
        page.go("read")
        caption = page.page.locator("section", has=page.page.get_by_role("heading", name="Zeilen, die sich nicht nachspielen lassen")).locator("caption")
        page.same(caption.inner_text(), "1 von 1 Zeile", "rows that do not replay")
    server.kill()


def main():
    options = parser(__doc__, needs_plymap=True).parse_args()
    check = Check()
    parts = {"asked": (asked,), "confirmed": (confirmed,), "in milliseconds": (in_milliseconds,), "differing": (differing,), "named by files": (named_by_files,), "dropped": (dropped,), "late": (late,)}
    with chromium(options.chromium) as browser, tempfile.TemporaryDirectory() as folder:
        check.run_in_folders(browser, options.plymap, folder, parts)
    sys.exit(check.end(" of reading in the page of plymap open"))


if __name__ == "__main__":
    main()
