"""The interactive map of a report, as its data say that it is: checks of `check_report.py`."""

import base64
import gzip
import json
import re
import struct

from harness import PlaywrightTimeout

CHOSEN = "document.querySelector('.map-plot').dataset.state"
SPAN = "(() => { const [left, right] = document.querySelector('.map-plot').dataset.view.split(' ').map(Number); return right - left; })()"
# Around the map within its element, in pixels: left, right, top, bottom.
MARGIN = (8, 8, 8, 44)
# Colours of the moves that people made, optimal ones and errors, and of the moves of the chosen state.
OPTIMAL_FLOW, ERROR_FLOW, INK = (0, 114, 178), (213, 94, 0), (28, 33, 38)
# Of the widest of these moves, in pixels.
WIDEST_FLOW = 9


def comes_true(page, condition, argument=None):
    """Whether a condition in JavaScript holds within some seconds: machines that run checks can be slow."""
    try:
        page.wait_for_function(condition, arg=argument, timeout=15_000)
    except PlaywrightTimeout:
        return False
    return True


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
        # Numbers of states beyond those that are shown are states that are not on the map.
        self.targets = [[] for _ in range(self.n)]
        at = 0
        for _, _, n in moves.head["kinds"]:
            state = lead = 0
            for step, leads in zip(moves.arrays["from"][0][at : at + n], moves.arrays["leads"][0][at : at + n]):
                state, lead = state + step, lead + ((leads >> 1) ^ -(leads & 1))
                self.targets[state].append(state + lead)
            at += n
        self.n_moves = [len(targets) for targets in self.targets]
        self.has_values = "value" in picture.arrays
        state, self.traffic = 0, []
        for step, to, times in zip(*(picture.arrays[name][0] for name in ("made_from", "made_to", "made"))):
            state += step
            self.traffic.append((state, to, times))

    def is_optimal(self, start, end):
        """Whether a move leads nearer to the goal; distances begin at 1, and 0 is none."""
        return 0 < self.distance[end] < self.distance[start]

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
    check_colours(page, check, where, maps[0])
    if maps[0].traffic:
        check_traffic(page, check, where, maps[0])
    check_choice(page, check, where, maps[0])
    check_levels(page, check, where, maps)


# The colour of the drawing above the states at places of the page, or beside them, for a line can be thinner than a pixel; nothing
# where it is empty.
PIXELS = """(places) => {
  const canvas = document.querySelectorAll(".map-plot canvas")[1];
  const { left, top, width } = canvas.getBoundingClientRect();
  const ratio = canvas.width / width;
  const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  return places.map(([x, y]) => {
    const { data } = pen.getImageData(Math.round((x - left) * ratio) - 1, Math.round((y - top) * ratio) - 1, 3, 3);
    const inked = [4, 1, 3, 5, 7, 0, 2, 6, 8].find((one) => data[4 * one + 3] > 60);
    return inked === undefined ? null : Array.from(data.subarray(4 * inked, 4 * inked + 3));
  });
}"""
DRAWN_ABOVE = "document.querySelectorAll('.map-plot canvas')[1].toDataURL()"


def show_whole(page):
    """The whole map from its start, with nothing under the mouse; returns its frame on the page, and what it shows."""
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Whole map").click()
    page.mouse.move(0, 0)
    page.wait_for_timeout(600)
    return view_of(page)


def check_colours(page, check, where, level):
    """The menu has the colours that the data allow, and each of them draws another map."""
    has_play, n_conditions = level.head["n_attempts"] > 0, len(level.head["conditions"])
    fits = {"Distance": True, "Visits": has_play, "Value": level.has_values, "Dead ends": True, "Condition": has_play and n_conditions > 1}
    colours = page.locator('.map-tools label:has(span:text-is("Colour")) select')
    names = colours.locator("option").all_inner_texts()
    check.same(names, [name for name in fits if fits[name]], f"{where}: colours of the map")
    show_whole(page)
    pictures = {}
    for name in names:
        colours.select_option(name)
        page.wait_for_timeout(200)
        pictures[name] = page.locator(".map-plot").screenshot()
    check.same(len(set(pictures.values())), len(names), f"{where}: different maps in the colours {names}")
    colours.select_option(names[0])


def nearest(colour):
    return colour and min((OPTIMAL_FLOW, ERROR_FLOW, INK), key=lambda one: sum((a - b) ** 2 for a, b in zip(one, colour)))


def check_traffic(page, check, where, level):
    """The most frequent optimal move and the most frequent error are drawn as arcs beside the way between their states."""
    box, view = show_whole(page)
    most = max(times for _, _, times in level.traffic)

    def along(arc):
        start, end, times = arc
        (x0, y0), (x1, y1) = level.place(start, box, view), level.place(end, box, view)
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        aside = (WIDEST_FLOW * (times / most) ** 0.5 / 2 + 0.5) / length
        return [(x0 + share * (x1 - x0) - aside * (y1 - y0), y0 + share * (y1 - y0) + aside * (x1 - x0)) for share in (n / 40 for n in range(10, 31))]

    def widest(is_optimal):
        return max((arc for arc in level.traffic if arc[0] != arc[1] and level.is_optimal(*arc[:2]) == is_optimal), key=lambda arc: arc[2], default=None)

    # Of an error's arc six tenths are drawn, for it is dashed, and other arcs may cross both.
    flows = [(widest(True), OPTIMAL_FLOW, 0.7), (widest(False), ERROR_FLOW, 0.2)]

    def shares():
        pixels = [page.evaluate(PIXELS, along(arc)) if arc else None for arc, _, _ in flows]
        return [sum(nearest(one) == colour for one in found) / len(found) if found else None for found, (_, colour, _) in zip(pixels, flows)]

    before, picture = shares(), page.evaluate(DRAWN_ABOVE)
    page.get_by_label("Traffic").check()
    page.wait_for_timeout(200)
    for (arc, colour, least), share, earlier in zip(flows, shares(), before):
        check.that(arc is None or (earlier == 0 and share >= least), f"{where}: {share} of the arc {arc} has the colour {colour}, without traffic {earlier}")
    key = page.locator(".map-key").inner_text()
    check.that("optimal moves that people made" in key and "their errors" in key, f"{where}: the key to traffic: {key}")
    page.get_by_label("Traffic").uncheck()
    page.wait_for_timeout(200)
    check.that(page.evaluate(DRAWN_ABOVE) == picture, f"{where}: traffic leaves something behind")


def check_choice(page, check, where, level):
    """A chosen state has a ring, and lines to all states that its moves lead to."""
    box, view = show_whole(page)
    of_start = page.evaluate(DRAWN_ABOVE)
    state = level.near_middle(box, view)
    page.mouse.click(*level.place(state, box, view))
    chose = comes_true(page, f"(state) => {CHOSEN} === String(state)", state)
    page.mouse.move(0, 0)
    page.wait_for_timeout(200)
    check.that(chose and page.evaluate(DRAWN_ABOVE) != of_start, f"{where}: the drawing is the same when state {state} is chosen")
    place = level.place(state, box, view)
    ends = [level.place(target, box, view) for target in level.targets[state] if target < level.n]
    middles = [tuple((a + b) / 2 for a, b in zip(place, end)) for end in ends]
    drawn = page.evaluate(PIXELS, [place, *middles])
    check.that(drawn[0] is not None, f"{where}: no mark on the chosen state {state}")
    check.that(drawn[1:].count(None) == 0, f"{where}: {drawn[1:].count(None)} of {len(ends)} moves of state {state} have no line")
    page.get_by_role("button", name="Start", exact=True).click()


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
