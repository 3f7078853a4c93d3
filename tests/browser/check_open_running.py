"""Runs a study in the page of `plymap open` and in a terminal, and fails if anything there does not work.

    python tests/browser/check_open_running.py --plymap target/debug/plymap [--chromium /usr/bin/chromium]

A preview says that it is one. A run is begun, stopped and begun again by keys: what is stopped leaves the report before it, and the next run
says what it changed. `plymap run` makes the same of the study that the page wrote. Needs Python with `playwright` and a Chromium of the system.
"""

import io
import subprocess
import sys
import tempfile
import zipfile

from harness import Check, chromium, parser
from opened import APPLY, LEVELS, N_PEOPLE, OpenPage, OpenServer, saved, tidy_log

# What the page says in German.
IS_PREVIEW = "schnelle Vorschau: Intervalle und p-Werte sind grob"
CURRENT, OUTDATED = "Der Bericht gehört zu Studie, Levels und Protokollen, wie sie jetzt sind.", "haben sich seit dieser Auswertung geändert"
CHANGES = "Was sich seit der letzten Auswertung geändert hat"


def run(browser, check, program, folder):
    """From a preview over a run that is stopped to what has changed, and to the same in a terminal."""
    server = OpenServer(program, folder)
    with OpenPage(check, "a run", browser, server) as page:
        page.choose(*LEVELS, ("ordentlich.csv", tidy_log()))
        page.propose()
        previewed(page)
        begun(page, "run")
        report = shown(page, "run/report.html")
        page.that(CURRENT in page.page.locator("main").inner_text(), "the page does not say that the report is of the study")
        stopped(page, report)
        changed(page)
        is_the_same_in_a_terminal(page, server)
        taken_away(page)
    server.kill()


def begun(page, key):
    """Begins a run by keys, and waits until it is under way."""
    page.go("run")
    page.tab_to(key)
    page.press("Enter")
    page.page.locator(".run-progress .task:not(.is-idle) progress").wait_for()


def shown(page, address):
    """The text of the report in its frame, once it is that of this address."""
    page.page.locator(f"iframe.report[src='{address}']").wait_for(timeout=120_000)
    page.page.locator(".run-progress .task.is-idle").wait_for(state="attached", timeout=120_000)
    page.heading()
    text = page.page.frame_locator("iframe.report").locator("body").inner_text()
    page.that(len(text) > 1000, f"the report is {text!r}")
    return text


def previewed(page):
    begun(page, "run-fast")
    shown(page, "preview/report.html")
    page.that(IS_PREVIEW in page.page.locator("main .warning").first.inner_text(), "nothing says that the results are a preview")
    page.go("take")
    page.page.get_by_role("link", name="report.html").wait_for()
    page.that(IS_PREVIEW in page.page.locator("main .warning").first.inner_text(), "nothing says that a preview is taken away")


def stopped(page, report):
    """The study is changed, and its run is stopped: the report before it is there, and said to be of an earlier study."""
    manifest = (page.server.folder / "reports/study/manifest.json").read_bytes()
    area = page.page.locator(".study textarea")
    area.fill(page.server.study + '\n[[exclude]]\ntrials = "level == \'demo-03\'"\nreason = "too hard"\n')
    page.button(APPLY).click()
    page.wait_for_study("too hard")
    page.page.locator("main .warning", has_text=OUTDATED).wait_for()
    begun(page, "run")
    page.tab_to("run-stop")
    page.press("Enter")
    page.page.locator(".message", has_text="Angehalten. Nichts wurde geschrieben.").wait_for()
    page.same(shown(page, "run/report.html"), report, "the report after a run that was stopped")
    page.that(page.page.locator("main .warning", has_text=OUTDATED).count() == 1, "the report is no longer said to be of an earlier study")
    page.same((page.server.folder / "reports/study/manifest.json").read_bytes(), manifest, "the results after a run that was stopped")
    page.same(page.page.get_by_role("heading", name=CHANGES).count(), 0, "changes without a run")


def changed(page):
    """The next run tells what it changed: a level less."""
    begun(page, "run")
    heading = page.page.get_by_role("heading", name=CHANGES)
    heading.wait_for(timeout=120_000)
    shown(page, "run/report.html")
    changes = page.page.locator("main > section").filter(has=heading)
    changes.locator("summary").click()
    rows = [row.split("\t") for row in changes.locator("tbody tr").all_inner_texts()]
    for row in (["option", "exclude.1.reason", "–", "–", "too hard"], ["participants", "n_trials", str(N_PEOPLE), "3", "2"]):
        page.that(row in rows, f"{row} is not among the changes: {rows}")


def is_the_same_in_a_terminal(page, server):
    """Who leaves the page goes on in a terminal: what it has written is a study that others read and run to the same tables."""
    for command in (["check", server.folder], ["run", server.folder, "--quiet", "--out", server.folder.parent / "again"]):
        found = subprocess.run([server.program, *command], capture_output=True, text=True)
        page.that(found.returncode == 0, f"plymap {command[0]}: {found.stdout}{found.stderr}")
    tables = lambda results: {path.name: path.read_bytes() for path in (results / "tables").glob("*.csv")}
    here, there = tables(server.folder / "reports/study"), tables(server.folder.parent / "again")
    page.that(len(here) > 5 and here == there, f"tables that plymap run makes otherwise: {[name for name in here if here[name] != there.get(name)]}")


def taken_away(page):
    page.go("take")
    page.page.get_by_role("link", name="report.html").wait_for()
    page.same(page.page.locator("main .warning").count(), 0, "warnings before a whole run is taken away")
    names = zipfile.ZipFile(io.BytesIO(saved(page, "a >> text=Alles als Zip, für OSF"))).namelist()
    wanted = {"study/study.toml", "study/logs/ordentlich.csv", "study/levels/demo-01.txt", "study/reports/study/report.html"}
    page.same(wanted - set(names), set(), "files that the archive lacks")


def main():
    options = parser(__doc__, needs_plymap=True).parse_args()
    check = Check()
    with chromium(options.chromium) as browser, tempfile.TemporaryDirectory() as folder:
        check.run_in_folders(browser, options.plymap, folder, {"run": (run,)})
    sys.exit(check.end(" of running in the page of plymap open"))


if __name__ == "__main__":
    main()
