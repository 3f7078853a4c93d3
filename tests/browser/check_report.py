"""Opens the report of a run in headless Chromium and fails if anything in it does not work.

    python tests/browser/check_report.py reports/demo/report.html [--shots FOLDER] [--widths 360 800] [--no-map]

At four widths: no message of the browser's console (errors, warnings, refusals of the content security policy),
no request beyond the file, no part of the page wider than the window, sections folded until they are asked for, tables that fit with the columns that
matter, every figure drawn with a size, without text below 12 pixels or beyond the edge. Then one table
is sorted, one figure enlarged, a state of the map chosen by mouse and by key, an attempt replayed, and the page printed.
Maps are unpacked here too, without the scripts of the page: states that are pressed where these data have them must be
chosen, with the distance, the notation and the number of moves that the data have. The page is opened without WebGL and
without scripts as well. Time to the first map and sizes are printed.
Needs Python with `playwright` (`pip install playwright`) and a Chromium of the system.
"""

import base64
import gzip
import json
import pathlib
import re
import struct
import sys
import tempfile

from harness import NO_GRAPHICS_CARD, Check, PlaywrightTimeout, chromium, parser

WIDTHS = (360, 400, 800, 1280)
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


def check_columns(page, check, where, width):
    """Tables fit in the page; the columns that are left out come on demand; on a phone rows are cards."""
    visible = """() => Array.from(document.querySelectorAll(".table"), (one) =>
      Array.from(one.querySelectorAll("tbody tr:first-child > *")).filter((cell) => cell.offsetWidth > 0).length)"""
    wide = page.evaluate(
        """() => Array.from(document.querySelectorAll(".table"))
          .filter((one) => { const scroll = one.querySelector(".scroll"); return scroll.scrollWidth > scroll.clientWidth + 1; })
          .map((one) => one.id)"""
    )
    if width >= 1280 or width <= 400:
        check.that(not wide, f"{where}: tables scroll sideways: {', '.join(wide)}")
    is_card = page.evaluate("() => getComputedStyle(document.querySelector('.table td')).display === 'block'")
    check.that(is_card == (width <= 640), f"{where}: rows are {'' if is_card else 'no '}cards")
    before = page.evaluate(visible)
    page.locator(".table .all input").first.check()
    after = page.evaluate(visible)
    check.that(sum(after) > sum(before), f"{where}: no columns come on demand")
    page.locator(".table .all input").first.uncheck()


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
    # At narrow widths each row is a card, without heads to press.
    if not head.locator("button").is_visible():
        return False
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


def comes_true(page, condition, argument=None):
    """Whether a condition in JavaScript holds within some seconds: machines that run checks can be slow."""
    try:
        page.wait_for_function(condition, arg=argument, timeout=15_000)
    except PlaywrightTimeout:
        return False
    return True


CHOSEN = "document.querySelector('.map-plot').dataset.state"
SPAN = "(() => { const [left, right] = document.querySelector('.map-plot').dataset.view.split(' ').map(Number); return right - left; })()"
# Around the map within its element, in pixels: left, right, top, bottom.
MARGIN = (8, 8, 8, 44)
# Largest map of a level of 541,934 states, and largest report of the demo, in bytes.
MOST_OF_LEVEL, MOST_OF_DEMO = 15_000_000, 4_000_000


class MapData:
    """A part of a map as the page holds it, read from the description of its format."""

    def __init__(self, html, number, name):
        packed = re.search(f'id="state-map-{number}-{name}">([^<]*)<', html)[1]
        self.n_letters = len(packed)
        data = gzip.decompress(base64.b64decode(packed))
        (length,) = struct.unpack_from("<I", data)
        self.head = json.loads(data[4 : 4 + length])
        self.arrays = {}
        at = 4 + length
        for array, width, n in self.head["arrays"]:
            numbers, at = self.numbers(data, at, width, n)
            self.arrays.setdefault(array, []).append(numbers)
        assert at == len(data), f"{len(data) - at} bytes behind the arrays"

    @staticmethod
    def numbers(data, at, width, n):
        if width:
            planes = [data[at + byte * n : at + (byte + 1) * n] for byte in range(width)]
            return [sum(plane[i] << 8 * byte for byte, plane in enumerate(planes)) for i in range(n)], at + width * n
        numbers = []
        for _ in range(n):
            number = shift = 0
            while True:
                number |= (data[at] & 127) << shift
                shift, at = shift + 7, at + 1
                if data[at - 1] < 128:
                    break
            numbers.append(number)
        return numbers, at


class MapOfLevel:
    """What the page holds of a level."""

    def __init__(self, html, number):
        parts = [MapData(html, number, name) for name in ("picture", "moves", "boards")]
        self.n_letters = sum(part.n_letters for part in parts)
        picture, moves, boards = parts
        self.head, self.n = picture.head, picture.head["n_shown"]
        (self.x,), (self.y,), (self.distance,) = (picture.arrays[name] for name in ("x", "y", "distance"))
        self.letters, (self.notation_bytes,) = boards.head["letters"], boards.arrays["notation"]
        self.n_moves = [0] * self.n
        at = 0
        for _, _, n in moves.head["kinds"]:
            state = 0
            for step in moves.arrays["from"][0][at : at + n]:
                state += step
                self.n_moves[state] += 1
            at += n

    def notation(self, state):
        return bytes(self.notation_bytes[place * self.n + state] for place in range(self.letters)).rstrip(b"\0").decode()

    def place(self, state, box, view):
        """Where on the page a state stands."""
        left, right, low, high = self.head["frame"]
        x, y = left + self.x[state] / 65535 * (right - left), low + self.y[state] / 65535 * (high - low)
        width, height = box["width"] - MARGIN[0] - MARGIN[1], box["height"] - MARGIN[2] - MARGIN[3]
        across, up = (x - view[0]) / (view[1] - view[0]), (y - view[2]) / (view[3] - view[2])
        return box["x"] + MARGIN[0] + across * width, box["y"] + MARGIN[2] + (1 - up) * height

    def near_middle(self, box, view):
        """The state nearest to the middle of the map, but not the start."""
        centre = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        away = lambda state: sum((a - b) ** 2 for a, b in zip(self.place(state, box, view), centre))
        return min((state for state in range(self.n) if state != self.head["start"]), key=away)


def view_of(page):
    """The frame of the map on the page, and the part of the map that it shows."""
    return page.locator(".map-plot").bounding_box(), [float(one) for one in page.locator(".map-plot").get_attribute("data-view").split()]


def open_map(page):
    page.locator("#state-map").scroll_into_view_if_needed()
    # The first state has been chosen when its board is there.
    page.wait_for_selector("#state-map.map-ready .map-plot[data-level]", timeout=60_000)
    page.wait_for_selector(".map-board svg")
    page.locator(".map-widget").evaluate("(one) => one.scrollIntoView({ block: 'start' })")
    page.wait_for_timeout(400)


def check_map(page, check, where, maps):
    open_map(page)
    start = page.evaluate(CHOSEN)
    box, view = view_of(page)
    state = maps[0].near_middle(box, view)
    place = maps[0].place(state, box, view)
    page.mouse.move(place[0] - 3, place[1])
    page.mouse.move(*place)
    shows = comes_true(page, "() => !document.querySelector('.map-tip').hidden")
    check.that(shows, f"{where}: the map does not tell what lies under the mouse")
    # Presses as short as those of people, right behind a movement.
    for press in (0, 45, 60, 80, 100):
        page.get_by_role("button", name="Start", exact=True).click()
        check.same(page.evaluate(CHOSEN), start, f"{where}: state of the button Start")
        page.mouse.move(place[0] - 3, place[1])
        page.mouse.move(*place)
        page.mouse.click(*place, delay=press)
        chose = comes_true(page, f"(state) => {CHOSEN} === String(state)", state)
        check.that(chose, f"{where}: a press of {press} ms on state {state} chose {page.evaluate(CHOSEN)}")
    check_state(page, check, where, maps[0], state)
    heads = page.locator(".map-panel thead th").evaluate_all("(all) => all.filter((one) => one.getBoundingClientRect().left >= 0).map((one) => one.innerText)")
    check.that(heads[:3] == ["move", "to go", "regret"], f"{where}: the columns of the legal moves are headed {heads}")
    check_way_to_goal(page, check, where)
    check_keys_and_zoom(page, check, where, maps[0])
    if page.locator(".map-replay").is_visible():
        check_replay(page, check, where)
    check_levels(page, check, where, maps)


def check_state(page, check, where, level, state):
    """The chosen state has the moves, the distance and the notation of the data, and a board."""
    facts = page.locator(".map-facts").inner_text()
    n_moves = page.locator(".map-panel tbody tr").count()
    said = re.search(r"([\d,]+) legal move", facts)
    check.same(said and int(said[1].replace(",", "")), level.n_moves[state], f"{where}: number of moves in: {facts}")
    check.same(n_moves, level.n_moves[state], f"{where}: moves listed for {facts}")
    distance = re.search(r"Distance (\d+)", facts)
    check.same(int(distance[1]) + 1 if distance else 0, level.distance[state], f"{where}: distance in: {facts}")
    check.same(page.locator(".map-notation code").inner_text(), level.notation(state), f"{where}: notation of state {state}")
    n_shapes = page.locator(".map-board svg rect, .map-board svg ellipse").count()
    check.that(n_shapes > 0, f"{where}: no board")


def check_levels(page, check, where, maps):
    """Every level opens, with the state under the mouse that its data have there; every colouring has a key."""
    levels = page.locator('.map-tools label:has(span:text-is("Level")) select')
    colours = page.locator('.map-tools label:has(span:text-is("Colour")) select')
    values = levels.locator("option").evaluate_all("(all) => all.map((one) => one.value)")
    check.same(len(values), len(maps), f"{where}: number of levels")
    for value, level in zip(values, maps):
        name = level.head["level"]
        levels.select_option(value)
        opened = comes_true(page, "(name) => document.querySelector('.map-plot').dataset.level === name && document.querySelector('.map-plot').dataset.state", name)
        check.that(opened, f"{where}: level {name} does not open")
        check.same(page.evaluate(CHOSEN), str(level.head["start"] or 0), f"{where}: first state of {name}")
        page.wait_for_timeout(100)
        box, view = view_of(page)
        state = level.near_middle(box, view)
        page.mouse.click(*level.place(state, box, view))
        chose = comes_true(page, f"(state) => {CHOSEN} === String(state)", state)
        if check.that(chose, f"{where}: in {name}, pressing state {state} chose {page.evaluate(CHOSEN)}"):
            check_state(page, check, f"{where}, {name}", level, state)
        check.that(is_painted(page), f"{where}: the map of {name} is empty")
    for colour in colours.locator("option").evaluate_all("(all) => all.map((one) => one.value)"):
        before = page.locator(".map-key").inner_html()
        colours.select_option(colour)
        check.that(colour == "Distance" or page.locator(".map-key").inner_html() != before, f"{where}: no key to colours by {colour}")


def is_painted(page):
    """Whether a picture of the map has colours in it, which axis and lines have not."""
    page.wait_for_timeout(200)
    png = page.locator(".map-plot").screenshot()
    return page.evaluate(
        """async (png) => {
          const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          pen.drawImage(bitmap, 0, 0);
          const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
          let coloured = 0;
          for (let at = 0; at < data.length; at += 4) {
            const [r, g, b] = data.subarray(at, at + 3);
            if (Math.max(r, g, b) - Math.min(r, g, b) > 60) coloured += 1;
          }
          return coloured > 30;
        }""",
        base64.b64encode(png).decode(),
    )


def check_way_to_goal(page, check, where):
    """The best move of each state leads to the goal, nearer each time."""
    page.get_by_role("button", name="Start", exact=True).click()
    distances = []
    for _ in range(200):
        found = re.search(r"Distance (\d+)", page.locator(".map-facts").inner_text())
        if not found:
            break
        distances.append(int(found[1]))
        first = page.locator(".map-panel tbody tr button:enabled").first
        if distances[-1] == 0 or not first.count():
            break
        first.click()
    is_falling = all(a > b for a, b in zip(distances, distances[1:]))
    check.that(distances and distances[-1] == 0 and is_falling, f"{where}: the best moves lead not to the goal: {distances}")


def check_keys_and_zoom(page, check, where, level):
    page.locator(".map-plot").focus()
    before = page.evaluate(CHOSEN)
    page.keyboard.press("ArrowUp")
    chose = comes_true(page, f"(before) => {CHOSEN} !== before", before)
    is_alone = level.distance.count(level.distance[int(before)]) == 1
    check.that(chose != is_alone, f"{where}: the arrow key chose {'another' if chose else 'no other'} state")
    page.get_by_role("button", name="Whole map").click()
    page.wait_for_timeout(500)
    whole = page.evaluate(SPAN)
    page.get_by_role("button", name="Zoom in").click()
    zoomed = comes_true(page, f"(whole) => {SPAN} < 0.8 * whole", whole)
    check.that(zoomed, f"{where}: the map does not zoom in")
    page.get_by_role("button", name="Whole map").click()
    is_whole = f"(whole) => Math.abs({SPAN} - whole) < 1e-6 * whole"
    check.that(comes_true(page, is_whole, whole), f"{where}: the map does not go back to the whole")
    page.locator(".map-plot").hover()
    scrolled = page.evaluate("scrollY")
    page.mouse.wheel(0, -150)
    moved = comes_true(page, "(scrolled) => scrollY < scrolled", scrolled)
    check.that(moved, f"{where}: over the map, the wheel does not scroll the page")
    check.that(comes_true(page, is_whole, whole), f"{where}: the wheel zooms without Ctrl")
    page.locator(".map-plot").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -150)
    page.keyboard.up("Control")
    zoomed = comes_true(page, f"(whole) => {SPAN} < whole", whole)
    check.that(zoomed, f"{where}: Ctrl and wheel do not zoom in")
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Whole map").click()
    check.that(comes_true(page, is_whole, whole), f"{where}: after the wheel, the map does not go back to the whole")


def check_replay(page, check, where):
    attempts = page.locator(".map-replay select").first
    options = attempts.locator("optgroup option")
    if not options.count():
        return
    attempts.select_option(options.first.get_attribute("value"))
    speed = page.locator(".map-replay").get_by_label("Speed")
    speed.select_option("16")
    page.get_by_role("button", name="One step on").click()
    check.that(page.locator(".map-step").inner_text().startswith("Step 1 of"), f"{where}: no first step")
    page.get_by_role("button", name="Play", exact=True).click()
    check.that(page.locator(".map-play").inner_text() == "Pause", f"{where}: the replay does not start")
    page.wait_for_function("() => document.querySelector('.map-play').textContent === 'Play'", timeout=60_000)
    text = page.locator(".map-step").inner_text()
    found = re.match(r"Step (\d+) of (\d+)", text)
    check.that(found and found[1] == found[2], f"{where}: the replay did not reach its end: {text}")


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


def first_picture(browser, url):
    """Milliseconds from opening the page at its maps to the first picture of one."""
    page = browser.new_page(viewport={"width": WIDTHS[2], "height": HEIGHT})
    page.goto(f"{url}#state-maps")
    page.wait_for_selector(".map-plot[data-drawn]", timeout=60_000)
    drawn = int(page.locator(".map-plot").get_attribute("data-drawn"))
    page.close()
    return drawn


def check_sizes(path, maps, check):
    """No map of a level is too large, nor is the report of the demo with those of all 13 levels."""
    for level in maps:
        check.that(level.n_letters <= MOST_OF_LEVEL, f"the map of {level.head['level']} has {level.n_letters} bytes")
    names = {level.head["level"] for level in maps}
    if {"article-1", "demo-12"} <= names:
        check.same(len(names), 13, "levels of the demo with a map")
        check.that(path.stat().st_size <= MOST_OF_DEMO, f"the report of the demo has {path.stat().st_size} bytes")


def arguments():
    options = parser(__doc__)
    options.add_argument("report", type=pathlib.Path)
    options.add_argument("--widths", type=int, nargs="+", default=WIDTHS, help="widths of the window in pixels")
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
        if check_sorting(page, check):
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
    n_maps = len(re.findall(r'id="state-map-\d+-picture"', html))
    maps = [MapOfLevel(html, number) for number in range(n_maps)]
    check = Check()
    done = []
    check_sizes(options.report, maps, check)
    with chromium(options.chromium) as browser:
        for width in options.widths:
            done = check.run(f"{width} px", check_at, browser, url, width, check, options, maps) or done
        check_without_script(browser, url, check)
        if maps:
            print(f"first map after {first_picture(browser, url)} ms; {len(html):,} letters, {sum(level.n_letters for level in maps):,} of them maps")
    check.run("without WebGL", check_without_webgl, options.chromium, url, check)
    print(f"{options.report}: {', '.join(done)}")
    return check.end(" of a report")


if __name__ == "__main__":
    sys.exit(main())
