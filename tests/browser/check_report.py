"""Opens the report of a run in headless Chromium and fails if anything in it does not work.

    python tests/browser/check_report.py reports/demo/report.html [--shots FOLDER] [--widths 360 800] [--no-map]

At four widths: no message of the browser's console (errors, warnings, refusals of the content security policy),
no request beyond the file, no part of the page wider than the window, sections folded until they are asked for, tables that fit with the columns that
matter, every figure drawn with a size, without text below 12 pixels or beyond the edge. Then one table
is sorted, one figure enlarged, a state of the map chosen by mouse and by key, its colours and traffic compared, an attempt replayed, and the page printed.
Maps are unpacked here too, without the scripts of the page: states that are pressed where these data have them must be
chosen, with the distance, the notation and the number of moves that the data have. The page is opened without WebGL and
without scripts as well. The first map has to be seen within two seconds; with `--plymap` one of 59,049 states, too.
Needs Python with `playwright` (`pip install playwright`) and a Chromium of the system.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from harness import NO_GRAPHICS_CARD, ROOT, Check, chromium, parser
from report_map import MapOfLevel, check_map, comes_true

WIDTHS = (360, 400, 800, 1280)
# Up to this width of the window, in pixels, each row of a table is a card.
WIDEST_CARD = 640
HEIGHT = 900


def watch(page, check, where):
    """Every message of the console counts as a fault, except plain logs; so does every request."""

    def on_console(message):
        if NO_GRAPHICS_CARD in message.text:
            return
        check.that(message.type not in ("error", "warning"), f"{where}: console {message.type}: {message.text[:300]}")

    def on_request(request):
        is_own = request.url.startswith(("file:", "data:", "blob:"))
        check.that(is_own, f"{where}: the page asked for {request.url[:200]}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: check.that(False, f"{where}: uncaught {error}"))
    page.on("request", on_request)


def check_layout(page, check, where):
    widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    check.that(widths[0] <= widths[1], f"{where}: the page is {widths[0]} px wide in a window of {widths[1]} px")
    wide = page.evaluate(
        """() => {
          const clipped = (element) => {
            for (let at = element.parentElement; at; at = at.parentElement)
              if (["auto", "hidden", "scroll", "clip"].includes(getComputedStyle(at).overflowX)) return true;
            return false;
          };
          const isOutside = (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
          const all = document.querySelectorAll("main *:not(svg *)");
          return Array.from(all).filter((one) => isOutside(one) && !clipped(one)).slice(0, 5)
            .map((one) => `${one.tagName.toLowerCase()}.${one.className}`);
        }"""
    )
    check.that(not wide, f"{where}: wider than the window: {', '.join(wide)}")


def check_folding(page, check, where):
    """Answers stand first and sections are folded; a link unfolds its section, which stays so; then all are unfolded."""
    n_open = "document.querySelectorAll('details.fold[open]').length"
    check.that(page.evaluate(n_open) == 0, f"{where}: sections are unfolded at first")
    first = page.locator("main > section").first.get_attribute("id")
    check.that(first == "answers", f"{where}: the page begins with {first}")
    last = page.locator('nav a[href^="#section-"]').last
    if not last.is_visible():
        check.that(page.viewport_size["width"] < 960, f"{where}: the contents are folded beside the text")
        page.locator(".contents > summary").click()
    target = last.get_attribute("href")
    last.click()
    check.that(page.locator(f"{target} > details[open]").count() == 1, f"{where}: the link to {target} does not unfold it")
    page.reload()
    check.that(page.evaluate(n_open) == 1, f"{where}: after the page is loaded again, {page.evaluate(n_open)} sections are unfolded")
    page.locator("#unfold").click()
    check.that(not page.locator("details.fold:not([open])").count(), f"{where}: not all sections unfold")


# Of each table the cells of its first row by the names of their columns: whether they are shown, their text, whether they
# come on demand, and what stands before it in a card.
FIRST_ROWS = """() => Object.fromEntries(Array.from(document.querySelectorAll(".table"), (one) => [one.id,
  Object.fromEntries(Array.from(one.querySelectorAll("tbody tr:first-child > *"), (cell, at) => [
    one.querySelector("thead tr").cells[at].textContent,
    [cell.offsetWidth > 0, cell.textContent, cell.classList.contains("more"), getComputedStyle(cell, "::before").content]]))]))"""


def check_names(page, check, where, is_narrow):
    """Each value has the name of its column: before it on a telephone, else above it."""
    is_card = page.evaluate("() => getComputedStyle(document.querySelector('.table td')).display === 'block'")
    check.that(is_card == is_narrow, f"{where}: rows are {'' if is_card else 'no '}cards")
    for name, table in page.evaluate(FIRST_ROWS).items():
        wrong = {head: before for head, (is_shown, _, _, before) in table.items() if is_shown and before != (json.dumps(head) if is_narrow else "none")}
        check.same(wrong, {}, f"{where}: names of columns in the rows of {name}")
        n_shown = sum(is_shown for is_shown, *_ in table.values())
        check.that(n_shown > 0, f"{where}: {name} has no column")
    heads = page.evaluate("() => Array.from(document.querySelectorAll('.table thead'), (one) => one.getBoundingClientRect().right > 0)")
    check.that(all(one != is_narrow for one in heads), f"{where}: {sum(heads)} of {len(heads)} tables have their heads above")


def check_columns(page, check, where, width):
    """Tables fit in the page; the columns that are left out come on demand; on a phone rows are cards."""
    wide = page.evaluate(
        """() => Array.from(document.querySelectorAll(".table"))
          .filter((one) => { const scroll = one.querySelector(".scroll"); return scroll.scrollWidth > scroll.clientWidth + 1; })
          .map((one) => one.id)"""
    )
    if width >= 1280 or width <= 400:
        check.that(not wide, f"{where}: tables scroll sideways: {', '.join(wide)}")
    is_narrow = width <= WIDEST_CARD
    check_names(page, check, where, is_narrow)
    before = page.evaluate(FIRST_ROWS)
    toggle = "(to) => document.querySelectorAll('.table .all input').forEach((one) => { if (one.checked !== to) one.click(); })"
    page.evaluate(toggle, True)
    after = page.evaluate(FIRST_ROWS)
    check_names(page, check, f"{where}, all columns", is_narrow)
    for name, table in after.items():
        # A card has no line for what is missing.
        hidden = [head for head, (is_shown, text, _, _) in table.items() if not is_shown and (text or not is_narrow)]
        n_more = sum(is_more and (bool(text) or not is_narrow) for _, text, is_more, _ in table.values())
        n_shown = [sum(cell[0] for cell in rows[name].values()) for rows in (before, after)]
        check.same(hidden, [], f"{where}: columns of {name} that do not come on demand")
        check.same(n_shown[1] - n_shown[0], n_more, f"{where}: columns of {name} that come on demand")
    page.evaluate(toggle, False)


LEAST_TEXT_PX = 12


def check_figures(page, check, where):
    """Each figure has a size, fits the page, and has no text that is too small: in user units times their scale."""
    unpacked = comes_true(page, "() => !document.querySelector('.canvas script')")
    check.that(unpacked, f"{where}: large drawings stay packed")
    fits = """() => Array.from(document.querySelectorAll(".canvas")).every((one) => one.scrollWidth <= one.clientWidth + 1)"""
    check.that(comes_true(page, fits), f"{where}: a figure is wider than its place")
    sizes = page.evaluate(
        """() => Array.from(document.querySelectorAll("figure"), (figure) => {
          const shown = Array.from(figure.querySelectorAll(".canvas svg")).filter((svg) => svg.getBoundingClientRect().width > 0);
          const box = shown[0]?.getBoundingClientRect();
          const marks = shown.flatMap((svg) => Array.from(svg.querySelectorAll("path, line, polyline, polygon, rect, circle, text")));
          const texts = shown.flatMap((svg) => {
            const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
            return Array.from(svg.querySelectorAll("text"), (text) => scale * parseFloat(getComputedStyle(text).fontSize));
          });
          return [figure.id, box?.width ?? 0, box?.height ?? 0, marks.length, Math.min(...texts)];
        })"""
    )
    for name, width, height, n_marks, least in sizes:
        check.that(width > 50 and height > 20 and n_marks > 0, f"{where}: {name} is {width} x {height} px, {n_marks} marks")
        # Hundredths of a millimetre round a size by a hundredth of a pixel.
        check.that(least >= LEAST_TEXT_PX - 0.05, f"{where}: {name} has text of {least:.2f} px")
    outside = page.evaluate(
        """() => Array.from(document.querySelectorAll("figure .canvas svg")).flatMap((svg) => {
          const frame = svg.getBoundingClientRect();
          const isOutside = ({ left, right, top, bottom }) =>
            left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 2 || bottom > frame.bottom + 2;
          return Array.from(frame.width > 0 ? svg.querySelectorAll("text") : [])
            .filter((text) => text.textContent && isOutside(text.getBoundingClientRect()))
            .map((text) => `${svg.closest("figure").id}: ${text.textContent}`);
        })"""
    )
    check.that(not outside, f"{where}: text is cut at the edge of its drawing: {'; '.join(outside[:5])}")
    links = page.evaluate(
        """() => Array.from(document.querySelectorAll('a[href^="#"]'), (a) => a.getAttribute("href").slice(1))
          .filter((id) => !document.getElementById(id))"""
    )
    check.that(not links, f"{where}: links lead nowhere: {', '.join(links[:5])}")
    return len(sizes)


def check_sorting(page, check):
    """Sorts the first table with a numeric column and several rows by that column, both ways."""
    found = page.evaluate(
        """() => {
          for (const [at, table] of document.querySelectorAll("table[data-sortable]").entries()) {
            const column = Array.from(table.tHead.rows[0].cells).findIndex((cell) => cell.classList.contains("n"));
            if (column >= 0 && table.tBodies[0].rows.length > 2) return [at, column];
          }
          return null;
        }"""
    )
    if not found:
        return False
    at, column = found
    head = page.locator("table[data-sortable]").nth(at).locator("thead th").nth(column)
    values = """([at, column]) => Array.from(document.querySelectorAll("table[data-sortable]")[at].tBodies[0].rows, (row) => {
      const cell = row.cells[column];
      return "exact" in cell.dataset ? cell.dataset.exact : cell.textContent;
    }).filter((text) => text !== "").map(Number)"""
    for direction, order in (("ascending", sorted), ("descending", lambda one: sorted(one, reverse=True))):
        head.locator("button").click()
        check.that(head.get_attribute("aria-sort") == direction, f"table {at}: aria-sort is not {direction}")
        numbers = page.evaluate(values, found)
        check.that(numbers == order(numbers), f"table {at}, column {column}: not sorted {direction}: {numbers[:8]}")
    return True


def check_enlarging(page, check, width):
    figure = page.locator("figure").first
    if not figure.count():
        return False
    button = figure.locator("button.enlarge")
    button.click()
    box = figure.bounding_box()
    check.that(box["width"] >= width - 20, f"the enlarged figure is only {box['width']} px wide")
    page.keyboard.press("Escape")
    check.that("zoomed" not in (figure.get_attribute("class") or ""), "Escape does not close the enlarged figure")
    return True


# Pages that a report may have on paper without its details.
MOST_PAGES = 25


def check_print(page, check, pdf):
    """Prints the page folded, which is short, and unfolded; counts the pages of the PDF."""
    page.emulate_media(media="print")
    check.that(not page.locator(".map-widget").first.is_visible() if page.locator(".map-widget").count() else True,
               "the map is printed, though it cannot be used on paper")
    page.emulate_media(media="screen")
    folds = "(open) => document.querySelectorAll('details.fold').forEach((fold) => { fold.open = open; })"
    page.evaluate(folds, False)
    n_folded = n_pages_of(page, pdf)
    check.that(0 < n_folded < MOST_PAGES, f"without its details the report prints in {n_folded} pages")
    page.evaluate(folds, True)
    n_pages = n_pages_of(page, pdf)
    check.that(n_pages > n_folded, f"with its details the report prints in {n_pages} pages")
    return n_pages


def n_pages_of(page, pdf):
    """Prints the page as it is; returns the number of pages."""
    page.pdf(path=pdf, format="A4")
    return len(re.findall(rb"/Type\s*/Page[^s]", pathlib.Path(pdf).read_bytes()))


def check_without_script(browser, url, check):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 800, "height": HEIGHT})
    page = context.new_page()
    page.goto(url)
    if page.locator("#state-map").count():
        check.that(page.locator(".map-static").is_visible(), "without a script, nothing stands in the place of the map")
        check.that(not page.locator(".map-widget").count(), "without a script, there are controls that do nothing")
    context.close()


def check_without_webgl(program, url, check):
    """Without WebGL the page says so, and points to the figures; nothing else fails."""
    with chromium(program, "--disable-gpu", "--disable-webgl", "--disable-webgl2", "--disable-3d-apis") as browser:
        page = browser.new_page(viewport={"width": WIDTHS[2], "height": HEIGHT})
        page.on("pageerror", lambda error: check.that(False, f"without WebGL: uncaught {error}"))
        page.goto(url)
        if not page.locator("#state-map").count():
            return
        page.locator("#state-map").scroll_into_view_if_needed()
        says = comes_true(page, "() => document.querySelector('.map-wait')?.textContent.includes('WebGL2')")
        check.that(says, "without WebGL, the page does not say why there is no map")
        check.that(page.locator(".map-static").is_visible(), "without WebGL, nothing stands in the place of the map")
        check.that(not page.locator(".map-widget").count(), "without WebGL, there are controls that do nothing")


def check_first_picture(browser, url, check, maps):
    """The first map is seen within two seconds, and no map is too large; returns the milliseconds that it took."""
    for level in maps:
        name = level.head["level"]
        check.that(level.n_letters <= MOST_OF_STATE * level.n, f"the map of {name} has {level.n_letters} bytes for {level.n} states")
    drawn = min(first_picture(browser, url) for _ in range(N_OPENINGS))
    check.that(drawn <= LONGEST_WAIT, f"the first map, of {maps[0].n} states, is seen after {drawn} ms")
    return drawn


def check_large_map(browser, program, check):
    """The same of a report with one level of 59,049 states."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, data = pathlib.Path(temporary), ROOT / "data/tower_of_hanoi"
        level = "ten-disks"
        (text,) = [part for part in (data / "levels.txt").read_text().split("# id: ") if part.startswith(level)]
        (folder / "levels.txt").write_text(f"# id: {text}")
        head, *rows = (data / "log.csv").read_text().splitlines(keepends=True)
        (folder / "log.csv").write_text(head + "".join(row for row in rows if level in row.split(",")))
        study = '[study]\nname = "large"\n[levels]\ngame = "tower-of-hanoi"\nfiles = ["levels.txt"]\n[log]\nfiles = ["log.csv"]\n'
        (folder / "study.toml").write_text(study)
        subprocess.run([program, "--quiet", "run", folder, "--out", folder / "run", "--only", "levels"], check=True)
        report = folder / "run/report.html"
        maps = maps_of(report.read_text(encoding="utf-8"))
        if check.same([one.n for one in maps], [3**10], "states of the large map"):
            return check_first_picture(browser, report.as_uri(), check, maps)


def first_picture(browser, url):
    """Milliseconds from opening the page at its maps to the first picture of one."""
    page = browser.new_page(viewport={"width": WIDTHS[2], "height": HEIGHT})
    page.goto(f"{url}#state-maps")
    page.wait_for_selector(".map-plot[data-drawn]", timeout=60_000)
    drawn = int(page.locator(".map-plot").get_attribute("data-drawn"))
    page.close()
    return drawn


# Largest part of a state in a map, that of 541,934 states being 15 MB, and largest report of the demo, in bytes.
MOST_OF_STATE, MOST_OF_DEMO = 15_000_000 / 541_934, 4_000_000
# Until a map is seen, in milliseconds; of so many openings the quickest counts, for other work slows a machine down.
LONGEST_WAIT, N_OPENINGS = 2_000, 3


def check_sizes(path, maps, check):
    """The report of the demo is not too large, with the maps of all 13 levels."""
    names = {level.head["level"] for level in maps}
    if {"article-1", "demo-12"} <= names:
        check.same(len(names), 13, "levels of the demo with a map")
        check.that(path.stat().st_size <= MOST_OF_DEMO, f"the report of the demo has {path.stat().st_size} bytes")


def maps_of(html):
    n_maps = len(re.findall(r'id="state-map-\d+-picture"', html))
    return [MapOfLevel(html, number) for number in range(n_maps)]


def arguments():
    options = parser(__doc__)
    options.add_argument("report", type=pathlib.Path)
    options.add_argument("--widths", type=int, nargs="+", default=WIDTHS, help="widths of the window in pixels")
    options.add_argument("--plymap", type=pathlib.Path, help="program that makes a report with a large map")
    options.add_argument("--no-map", action="store_true", help="the report has no map")
    return options.parse_args()


def check_at(browser, url, width, check, options, maps):
    """All checks at one width; returns what was done, in words."""
    where = f"{width} px"
    page = browser.new_page(viewport={"width": width, "height": HEIGHT})
    watch(page, check, where)
    page.goto(url, timeout=120_000)
    check_layout(page, check, where)
    check_folding(page, check, where)
    check_layout(page, check, f"{where}, unfolded")
    check_columns(page, check, where, width)
    done = [f"{check_figures(page, check, where)} figures"]
    has_map = page.locator("#state-map").count() == 1
    check.that(has_map != options.no_map, f"{where}: {'a map' if has_map else 'no map'} in the report")
    if has_map:
        check_map(page, check, where, maps)
        check_layout(page, check, f"{where}, with the map")
        done.append(f"{len(maps)} maps")
        if options.shots:
            page.locator(".map-widget").screenshot(path=options.shots / f"map-{width}.png")
    if options.shots:
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=options.shots / f"page-{width}.png")
    if width == options.widths[-1]:
        # A card has no head to press.
        if width > WIDEST_CARD and check_sorting(page, check):
            done.append("1 table sorted")
        if check_enlarging(page, check, width):
            done.append("1 figure enlarged")
        with tempfile.TemporaryDirectory() as folder:
            done.append(f"{check_print(page, check, str(pathlib.Path(folder) / 'report.pdf'))} pages printed")
    page.close()
    return done


def main():
    options = arguments()
    url = options.report.resolve().as_uri()
    html = options.report.read_text(encoding="utf-8")
    maps = maps_of(html)
    check = Check()
    done = []
    check_sizes(options.report, maps, check)
    with chromium(options.chromium) as browser:
        for width in options.widths:
            done = check.run(f"{width} px", check_at, browser, url, width, check, options, maps) or done
        check_without_script(browser, url, check)
        if maps:
            drawn = check_first_picture(browser, url, check, maps)
            print(f"first map after {drawn} ms; {len(html):,} letters, {sum(level.n_letters for level in maps):,} of them maps")
        if options.plymap:
            print(f"a map of 59,049 states after {check.run('a large map', check_large_map, browser, options.plymap, check)} ms")
    check.run("without WebGL", check_without_webgl, options.chromium, url, check)
    print(f"{options.report}: {', '.join(done)}")
    return check.end(" of a report")


if __name__ == "__main__":
    sys.exit(main())
