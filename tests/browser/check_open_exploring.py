"""Explores a study in the page of `plymap open`, and fails if anything there does not work.

    python tests/browser/check_open_exploring.py --plymap target/debug/plymap [--chromium /usr/bin/chromium] [--shots FOLDER]

A trial plays in the time that it took, and stands among those of others; a level has its maps, its traps and who solved it how; groups,
figures and tables are saved and say what was played. Needs Python with `playwright` and a Chromium of the system.
"""

import math
import re
import statistics
import sys
import tempfile

from harness import Check, chromium, parser
from opened import LEVELS, SOLUTIONS, N_PEOPLE, N_ROWS, OpenPage, OpenServer, are_pictures, drawn, map_frame, moves, rows_of, saved, tidy_log

# Two people take the first move at the first level back, and think for longer than anybody wants to watch; one leaves another level.
WINDING = [("E-2", 1), ("E+2", 2), ("E-2", 1), ("C-1", 0.5), ("A+2", 6)]
LEFT = [("E-2", 1), ("M-2", 1)]
N_WINDING = N_ROWS + 2 * (len(WINDING) - len(SOLUTIONS["demo-01"])) + len(LEFT)


def winding_log():
    header, *rows = tidy_log().splitlines()
    winding = lambda person, level, rows: [f"P{person},{level},{action},{seconds},{('fast', 'slow')[person % 2]}" for action, seconds in rows]
    rows = [row for row in rows if not row.startswith(("P0,demo-01", "P1,demo-01"))]
    return "\n".join([header, *winding(0, "demo-01", WINDING), *winding(1, "demo-01", WINDING), *rows, *winding(6, "demo-03", LEFT)]) + "\n"


def watched(browser, check, program, folder):
    """A trial, its participant and its level, of which all numbers are known."""
    server = OpenServer(program, folder)
    with OpenPage(check, "a winding trial", browser, server) as page:
        page.choose(*LEVELS, ("umwege.csv", winding_log()))
        page.same(page.propose(), 1.0, "share of rows that replay")
        page.go("explore/trial?participant=P0&session=1&level=demo-01")
        plays_in_time(page)
        stands_among_others(page)
        page.same(page.page.locator("section tbody tr", has_text="erster Verlust").locator("th").all_inner_texts(), ["2. E+2"], "the first move that cost something")
        curve_is_saved(page)
        participant_and_level(page)
        filtered_by_solved(page)
    server.kill()


def plays_in_time(page):
    """Each move comes after the time that it took, a long one after 5 s, and all sooner at a higher speed."""
    line = page.page.locator(".replay-line")
    shown = lambda: re.findall(r"^Zug (\d)", line.inner_text()) or ["0"]
    # From here on, time passes only as it is let.
    page.page.clock.install(time=0)
    page.page.clock.pause_at(1)
    for speed in (1, 10):
        page.page.locator(".replay select").select_option(str(speed))
        page.page.get_by_role("button", name="Abspielen").click()
        for number, (action, seconds) in enumerate(WINDING):
            wait = round(1000 * min(seconds, 5) / speed)
            page.page.clock.run_for(wait - 1)
            before = shown()
            page.page.clock.run_for(1)
            page.same((before, shown(), action in line.inner_text()), ([str(number)], [str(number + 1)], True), f"moves shown {wait - 1} and {wait} ms after another at speed {speed}")
    page.page.clock.resume()


def stands_among_others(page):
    """5 moves and 10.5 s are more than those of four of six: the point stands above the median and the middle half."""
    facts = page.page.locator(".among")
    for name, place in {"moves": 0, "time": 1}.items():
        page.that("Rang 5 von 6" in facts.nth(place).inner_text(), f"the rank by {name}: {facts.nth(place).inner_text()!r}")
    point, median, end = facts.nth(1).locator("svg").evaluate("""(svg) => {
        const [point, line, band] = [svg.querySelector("circle"), svg.querySelectorAll("line")[1], svg.querySelector("rect")];
        const number = (one, key) => Number(one.getAttribute(key));
        return [number(point, "cx"), number(line, "x1"), number(band, "x") + number(band, "width")];
    }""")
    page.that(median < end < point, f"median, end of the middle half and point by time: {median}, {end}, {point}")


def curve_is_saved(page):
    links = "main > .downloads a >> text=/^{}$/ >> nth=0"
    are_pictures(page, links)
    rows = rows_of(page, links.format("CSV"))
    found = [(row["attempt"], float(row["x"]), int(row["distance"])) for row in rows if row["kind"] == "attempt"]
    page.same(found, [("P0", *point) for point in [(0, 3), (1, 2), (3, 3), (4, 2), (4.5, 1), (10.5, 0)]], "seconds and distances of the curve")


def participant_and_level(page):
    page.go("explore/participant?participant=P0")
    costly = page.page.locator(".pairs li")
    page.same((costly.locator("h3").all_inner_texts(), costly.locator("svg").count()), (["E+2: 2 weiter als nötig"], 2), "the moves that cost most, with the boards before and after")
    costly.get_by_role("link", name="demo-01, Versuch 1, Zeile 2").click()
    page.page.locator(".trial .chart svg").wait_for()
    page.that(page.heading() == "P0 · demo-01", "a costly move does not lead to its trial")

    page.go("explore/level?level=demo-01")
    part = lambda title: page.page.locator("main > section").filter(has=page.page.get_by_role("heading", name=title, exact=True))
    # From there all six go on, and two of them go back before.
    page.same(part("Wo Züge wegführten").locator("h3").all_inner_texts(), [f"{N_PEOPLE + 2} Züge von hier, davon führten 2 weg (2 Personen)"], "the traps")
    how = [row.split("\t") for row in part("Wer es wie gelöst hat").locator("tbody tr").all_inner_texts()]
    moves_of_all = {row[0]: (row[3], *row[5:8]) for row in how}
    winding = ("ja", str(len(WINDING)), "3", "10,5 s")
    page.same((len(how), moves_of_all["P0"], moves_of_all["P1"], moves_of_all["P2"]), (N_PEOPLE, winding, winding, ("ja", "3", "3", "3,51 s")), "who solved it how: solved, moves, fewest moves, time")
    figures = part("Karten").locator("figure")
    figures.nth(2).wait_for(timeout=60_000)
    page.same(figures.locator("figcaption").all_inner_texts(), ["Alle Stellungen nach ihrem Abstand zum Ziel", "Wo Personen entlanggingen", "Wo Personen hängen blieben"], "the figures of a level")
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        picture = figure.locator("img").first.element_handle()
        page.page.wait_for_function("(picture) => picture.naturalWidth > 0", arg=picture)
        page.same(figure.locator(".downloads a").all_inner_texts(), ["SVG", "PDF", "PNG", "CSV"], "files of a figure of a level")


def filtered_by_solved(page):
    """What was not solved is chosen by its menu, and left again by its chip."""
    page.go("explore/trials")
    rows = page.page.locator("main tbody tr")
    page.same(rows.count(), N_PEOPLE * len(SOLUTIONS) + 1, "trials")
    page.page.locator("[data-key='filter solved']").select_option("false")
    page.page.wait_for_function("() => location.hash.includes('solved=false')")
    page.heading()
    page.same(page.page.locator(".rows").inner_text(), f"{len(LEFT)} von {N_WINDING} Zeilen", "rows of what was not solved")
    page.same(rows.locator("th").all_inner_texts(), ["P6 · demo-03"], "trials that were not solved")
    page.page.locator(".chip").click()
    page.page.wait_for_function("() => !location.hash.includes('solved')")
    page.heading()
    page.same(rows.count(), N_PEOPLE * len(SOLUTIONS) + 1, "trials without the filter")


def compared(browser, check, program, folder, shots):
    """Groups, figures and the map of a level of a tidy log."""
    server = OpenServer(program, folder)
    with OpenPage(check, "compared", browser, server) as page:
        page.choose(*LEVELS, ("ordentlich.csv", tidy_log()))
        page.propose()
        page.go("explore/trial?participant=P0&session=1&level=demo-03")
        page.page.locator(".trial .chart svg").wait_for()
        page.same(page.page.locator(".trial .chart svg > *:is(circle, polygon)").count(), len(SOLUTIONS["demo-03"]) + 1, "points of the curve")
        page.page.get_by_role("button", name="3. D+2").click()
        page.that("D+2" in page.page.locator(".replay-line").inner_text(), "a row of the table does not lead to its move")
        in_groups_and_figures(page, shots)
        grouped_by_keys(page)
        mapped(page, shots)
    server.kill()


def grouped_by_keys(page):
    """What is compared is chosen by the tab key and letters, and the focus stays."""
    page.go("explore/groups")
    for key, letters, part in (("groups by", "Le", "by=level"), ("groups b", "demo-03", "b=demo-03"), ("groups measure", "Z\u00fc", "measure=n_moves")):
        page.tab_to(key)
        page.page.keyboard.type(letters)
        page.page.wait_for_function("(part) => location.hash.includes(part)", arg=part)
        page.heading()
        page.same(page.page.evaluate("document.activeElement.dataset.key"), key, "the focus after a choice")
    # Three and six moves: of each pair the second has twice as many.
    said = page.page.locator("main .lead").inner_text()
    page.that("100\xa0%" in said and "demo-03" in said and "demo-01" in said, f"what is said of twice as many moves: {said!r}")


def time_of(person):
    """Geometric mean of the seconds that a person took for the levels."""
    return statistics.geometric_mean(sum(ms for who, level, _, ms in moves() if (who, level) == (person, one)) / 1000 for one in SOLUTIONS)


def in_groups_and_figures(page, shots):
    """Groups, filters and figures; the address holds what is looked at."""
    page.go("explore/groups?by=condition&a=fast&b=slow&measure=time_s")
    drawn(page)
    page.page.reload()
    page.heading()
    page.same(page.page.locator("select[data-key='groups b']").input_value(), "slow", "the second group after loading again")
    labels = page.page.locator("main dl.facts dt").all_inner_texts()
    page.that("wie im Pilot" in page.page.locator("main dl.facts").inner_text() and "p" not in labels, f"what is said of a test of a pilot: {labels}")
    page.that(b"<svg" in saved(page, "figure .downloads a >> text=SVG")[:200], "the drawing of the groups is no SVG")
    rows = rows_of(page, "figure .downloads a >> text=CSV")
    values = [row for row in rows if row["kind"] == "participant"]
    page.same((len({row["unit"] for row in values}), {row["group"] for row in values}), (N_PEOPLE, {"fast", "slow"}), "the numbers of the figure of the groups")
    numbers = "section .downloads a >> text=/^{}$/ >> nth=-1"
    rows = rows_of(page, numbers.format("CSV"))
    page.same([(row["group"], row["n"], row["n_trials"]) for row in rows], [(group, str(N_PEOPLE // 2), str(N_PEOPLE // 2 * len(SOLUTIONS))) for group in ("fast", "slow")], "the table of the groups")
    fast, slow = ([time_of(person) for person in range(first, N_PEOPLE, 2)] for first in (0, 1))
    wanted = [statistics.median(fast), statistics.median(slow), statistics.median(one / other for one in slow for other in fast)]
    found = [float(cell) for cell in (rows[0]["median"], rows[1]["median"], rows[1]["estimate"])]
    page.that(all(math.isclose(one, other) for one, other in zip(found, wanted)), f"medians and median ratio of the times: {found} and not {wanted}")
    page.same(rows[0]["estimate"], "", "an estimate of the first group")
    page.that(saved(page, numbers.format("Excel")).startswith(b"PK"), "the table of the groups for Excel is no workbook")

    page.go("explore/figures?condition=fast")
    rows = page.page.locator(".rows").inner_text()
    page.that(f"{N_ROWS // 2} von {N_ROWS}" in rows, f"with one of two conditions the page says {rows!r}")
    picture = page.page.locator("figure img.figure")
    drawn(page)
    are_pictures(page, "figure .downloads a >> text={}")
    page.that(saved(page, "table .downloads a >> text=Excel >> nth=0").startswith(b"PK"), "the table for Excel is no workbook")
    if shots:
        picture.scroll_into_view_if_needed()
        page.page.screenshot(path=shots / "open-figure.png")


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


def main():
    options = parser(__doc__, needs_plymap=True).parse_args()
    check = Check()
    parts = {"watched": (watched,), "compared": (compared, options.shots)}
    with chromium(options.chromium) as browser, tempfile.TemporaryDirectory() as folder:
        check.run_in_folders(browser, options.plymap, folder, parts)
    sys.exit(check.end(" of exploring in the page of plymap open"))


if __name__ == "__main__":
    main()
