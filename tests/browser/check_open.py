"""Uses the page of `plymap open` in headless Chromium as a psychologist would, and fails if anything in it does not work.

    python tests/browser/check_open.py --plymap target/debug/plymap [--chromium /usr/bin/chromium]

Three logs go from an empty folder to a figure that is saved: a tidy one, one whose proposal is corrected by two menus, and one with faulty
rows; the server is killed and the page loaded again on the way of each. Moves are read that are in parts, a study is written before there is
a file, cells, names and requests that lead elsewhere do no harm, and it is all done in German, by keys alone where a part says so. Files come
by every way of the start page: chosen, dropped, in a folder and in a zip. Needs Python with `playwright` and a Chromium of the system.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.parse

from harness import Check, chromium, parser
from opened import APPLY, EXPERIMENT, LEVELS, SOLUTIONS, N_FILES, N_PEOPLE, N_ROWS, OpenPage, OpenServer, are_pictures, drawn, faulty_log, log_of, logs_of_people, map_frame, odd_log, parted_log, rows_of, tidy_log, zip_of

# What the page says in German.
PREVIEW, UNDO = "Schnelle Vorschau", "Rückgängig"
KEEP_ILLEGAL = "Unerlaubte Züge behalten, als Züge, die nichts ändern"


def tidy(browser, check, program, folder):
    """From an empty folder to a figure; killed and loaded again in between."""
    server = OpenServer(program, folder)
    with OpenPage(check, "tidy log", browser, server) as page:
        page.same(page.page.locator("html").get_attribute("lang"), "de", "the language")
        page.choose(*LEVELS, ("ordentlich.csv", tidy_log()))
        page.same(page.page.locator(".files li").count(), len(LEVELS) + 1, "files that are there")
        page.same(page.propose(), 1.0, "share of rows that replay")
        # As a run leaves it that does not come to its end.
        mark = server.folder / "reports/.study.running"
        mark.parent.mkdir()
        killed_and_loaded_again(page, server, mark.touch)
        page.page.locator(".alarm", has_text="Die letzte Auswertung kam nicht zu Ende").wait_for()
        mark.unlink()
        page.that("#read" in page.page.url, f"after loading again the page is at {page.page.url}")
        page.same(page.share(), 1.0, "share after the server was killed")

        first = page.page.locator(".replay").first
        first.get_by_role("button", name="Ein Zug weiter").click()
        page.that("E-2" in first.locator(".replay-line").inner_text(), "the replay does not show its first move")
        comes_to_a_figure(page)
        found = subprocess.run([program, "check", folder], capture_output=True, text=True)
        page.that(found.returncode == 0, f"plymap check: {found.stdout}{found.stderr}")
    server.kill()


def killed_and_loaded_again(page, server, meanwhile=lambda: None):
    """The page says that its server is lost, and how to start it again; then it is there again, loaded anew or not."""
    address = server.address
    server.kill()
    lost = page.page.locator(".lost")
    lost.wait_for()
    page.that("plymap open" in lost.inner_text(), f"the page does not say how to start the server again: {lost.inner_text()!r}")
    meanwhile()
    server.start()
    page.same(server.address, address, "the address after a new start")
    lost.wait_for(state="hidden")
    page.page.reload()
    page.heading()


def comes_to_a_figure(page):
    """The quality of all moves, in each format; its numbers are those of the log."""
    page.go("explore/figures?kind=quality")
    drawn(page)
    are_pictures(page, "figure .downloads a >> text=/^{}$/")
    rows = rows_of(page, "figure .downloads a >> text=/^CSV$/")
    counts = {(row["level"], row["quality"]): int(row["count"]) for row in rows if int(row["count"])}
    page.same(counts, {(level, "better"): N_PEOPLE * len(solution) for level, solution in SOLUTIONS.items()}, "moves of the figure by level and quality")


def odd(browser, check, program, folder):
    """A proposal that is corrected by two menus, by keys alone."""
    server = OpenServer(program, folder)
    with OpenPage(check, "odd log", browser, server) as page:
        page.choose(*LEVELS, ("seltsam.csv", odd_log()))
        page.propose()
        for column, letters, part in (("x", "Reaktion", 'rt = { column = "x", unit = "ms" }'), ("y", "Bedingung", 'condition = "y"')):
            # To the menu by the tab key, and to its entry by its first letters.
            page.tab_to(f"column {column}")
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
        killed_and_loaded_again(page, server)
        comes_to_a_figure(page)
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
    # It is not applied over what the editor wrote since, of which the page has not said anything; once it has, it is.
    later = text + "# later\n"
    file.write_text(later)
    page.button(APPLY).click()
    page.page.locator(".alarm", has_text="inzwischen in einem anderen Fenster oder Editor").wait_for()
    page.same((page.server.study, area.input_value()[-7:]), (later, "# typed"), "the study, and what was typed, after it was applied")
    typed = area.input_value()
    page.button(APPLY).click()
    page.wait_for_study("# typed")
    page.same(page.server.study, typed, "the study with what was typed")
    area.press("Control+End")
    page.page.keyboard.type("# more")
    page.button("Verwerfen").click()
    page.same(area.input_value(), typed, "the text of the study")


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
        killed_and_loaded_again(page, server)
        page.same(server.study, before, "the study after the server was killed")
        # What does not replay is not in it.
        comes_to_a_figure(page)
    server.kill()


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


def anew(browser, check, program, folder):
    """A study that is written before there is a file, by its form alone; then its levels and its log come."""
    server = OpenServer(program, folder)
    name = 'Stau "A"'
    with OpenPage(check, "a study anew", browser, server) as page:
        page.tab_to("new-name")
        page.page.keyboard.type(name)
        page.tab_to("new-game")
        page.page.keyboard.type("Rush")
        page.press("Tab", "Enter")
        page.page.locator(".study-name", has_text=name).wait_for()
        page.heading()
        study = tomllib.loads(server.study)
        page.same((study["study"]["name"], study["levels"]["game"]), (name, "rush-hour"), "name and game of the study")
        page.choose(*LEVELS, ("ordentlich.csv", tidy_log()))
        page.go("read")
        page.same(page.share(), 1.0, "share of rows that replay")
    server.kill()


def marked_up(browser, check, program, folder):
    """Cells that are elements of a page, harmless ones: they stay text in every view, in figures, in the map and in the report."""
    server = OpenServer(program, folder)
    markup = lambda what: f"<img src=x onerror=document.title='{what}'>"
    row = lambda person, level, action, ms: (f"{markup('who')}{person}", level, action, ms / 1000, markup(("fast", "slow")[person % 2]), markup("note"))
    with OpenPage(check, "cells with markup", browser, server) as page:
        page.choose(*LEVELS, ("marken.csv", log_of("participant,level,action,rt_s,condition,<b>note</b>", row)))
        page.same(page.propose(), 1.0, "share of rows that replay")
        who = urllib.parse.quote(f"{markup('who')}0")
        shown = {
            "read": "table.log",
            "check": "main",
            "explore": "main",
            "explore/trials": "main",
            f"explore/participant?participant={who}": "h1",
            f"explore/trial?participant={who}&session=1&level=demo-01": "h1",
            "explore/level?level=demo-01": "main",
            "explore/groups?by=condition": "main",
            f"explore/figures?participant={who}": "main",
        }
        for view, place in shown.items():
            page.go(view)
            page.page.wait_for_timeout(200)
            page.that(view == "check" or "<img src=x" in page.page.locator(place).first.inner_text(), f"{view} does not show the cells as they are")
            page.same(page.page.locator("img[src=x], main b").count(), 0, f"cells that became elements of {view}")
            page.that(page.page.title().endswith(" – study – plymap"), f"a cell of {view} made the title {page.page.title()!r}")
        page.go(f"explore/level?level=demo-01&map=open&participant={who}")
        page.same(map_frame(page).locator("img[src=x]").count(), 0, "cells that became elements of the map")
        page.go("run")
        page.button(PREVIEW).click()
        report = page.page.frame_locator("iframe.report")
        report.locator("h1").first.wait_for(timeout=120_000)
        page.that("<img src=x" in report.locator("body").inner_text(), "the report does not show the cells as they are")
        page.same(report.locator("img[src=x]").count(), 0, "cells that became elements of the report")
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


def main():
    options = parser(__doc__, needs_plymap=True).parse_args()
    check = Check()
    parts = {"tidy": (tidy,), "odd": (odd,), "parted": (parted,), "faulty": (faulty,), "ways": (ways,), "anew": (anew,), "marked up": (marked_up,), "hostile": (hostile,)}
    with chromium(options.chromium) as browser, tempfile.TemporaryDirectory() as folder:
        check.run_in_folders(browser, options.plymap, folder, parts)
    sys.exit(check.end(" of the page of plymap open"))


if __name__ == "__main__":
    main()
