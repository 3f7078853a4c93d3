"""Looks at every view of the page of `plymap open`, and fails if one of them cannot be read.

    python tests/browser/check_open_views.py --plymap target/debug/plymap [--chromium /usr/bin/chromium] [--shots FOLDER]

Every view fits windows of 400 to 1920 px with letters that can be read, and names its controls for readers. Means say over which trials they
are, figures have all their pages, and names, numbers and marks are those of the language of the page. Needs Python with `playwright` and a
Chromium of the system.
"""

import re
import sys
import tempfile

from harness import Check, chromium, parser
from opened import VIEWS, OpenPage, OpenServer, drawn, map_frame

WIDTHS = (400, 768, 1280, 1920)
# Views of what is chosen, of the demo.
CHOSEN = ["explore/participant?participant=p01", "explore/trial?participant=p01&session=1&level=demo-01", "explore/level?level=demo-01", "explore/groups?by=level&a=demo-01&b=demo-02&measure=time_s"]
# What a reader has to be told of by a name.
NAMED = {"button", "checkbox", "combobox", "dialog", "image", "img", "Iframe", "link", "listbox", "progressbar", "radio", "region", "slider", "spinbutton", "table", "textbox"}
# Texts of a size below 14 px, below 12 in drawings.
SMALL_TEXTS = """() => Array.from(document.querySelectorAll("body *")).flatMap((one) => {
  const text = Array.from(one.childNodes).filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map((node) => node.textContent.trim()).join("");
  if (!text || !one.getClientRects().length || one.closest(".hidden")) return [];
  const isDrawn = one instanceof SVGElement;
  const size = parseFloat(getComputedStyle(one).fontSize) * (isDrawn ? Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b) : 1);
  return Math.round(size * 100) / 100 < (isDrawn ? 12 : 14) ? [`${text.slice(0, 30)}: ${size}`] : [];
})"""
HEADINGS = "Array.from(document.querySelectorAll('h1, h2, h3, h4, h5, h6')).filter((one) => one.getClientRects().length).map((one) => Number(one.tagName[1]))"


def explored(browser, check, program, folder, shots):
    """Means say over which trials they are, figures have all their pages, and all names are those of the language."""
    server = OpenServer(program, folder)
    with OpenPage(check, "explored", browser, server) as page:
        page.page.locator("[data-key='example demo']").click()
        page.page.wait_for_function("() => location.hash.startsWith('#read')")
        page.go("explore")
        page.page.locator("main table").first.wait_for()
        page.same(page.page.locator("a[href*='kind=quality']").inner_text(), "Abbildung: Güte der Züge nach Level", "the way to a figure")
        rows = page.page.locator("section", has_text="Personen").locator("tbody tr")
        names = [row.locator("th").inner_text() for row in rows.all() if "100 %" not in row.inner_text().replace("\xa0", " ")]
        page.go(f"explore/participant?participant={names[0]}")
        page.page.locator("figure img.figure").first.wait_for()
        over = page.page.locator("section table").first.locator("tbody th .help").all_inner_texts()
        n, of = map(int, re.findall(r"\d+", over[0]))
        page.that(over[0].startswith("über gelöste Durchgänge") and n < of, f"a mean is over {over[0]!r}")
        page.same(over[-1], f"über Durchgänge: {of} von {of}", "what the share solved is over")

        page.go("explore/figures?kind=thinking-and-acting")
        drawn(page)
        page.same(page.page.locator("figure img.figure").count(), 3, "pages of a figure for a wide window")
        page.same(page.page.locator("figure .downloads").count(), 4, "pages in print with their files")
        numbers = [page.page.context.request.get(server.address + link.get_attribute("href")).text() for link in page.page.locator("figure .downloads a", has_text="CSV").all()]
        page.same(len(set(numbers)), 4, "different numbers of the pages")
        page.go("explore/figures?kind=learning")
        drawn(page)
        page.same(page.page.locator("figure").count(), 3, "figures of one kind")
        words = page.page.evaluate("import(new URL('page/texts.js', document.baseURI)).then(({ TEXTS }) => TEXTS)")
        kinds = page.page.locator("[data-key='figure kind'] option").evaluate_all("(all) => all.map(({ value }) => value)")
        for language, texts in words.items():
            missing = [kind for kind in kinds if f"figure_{kind.replace('-', '_')}" not in texts]
            page.same(missing, [], f"kinds of figures without a name in {language}")
        shown = page.page.locator("main").inner_text()
        page.that("Levels, wie sie gespielt wurden" in shown and "Level play" not in shown, f"names of tables: {shown!r}")

        page.go("explore/groups?by=level&a=demo-01&b=demo-02&measure=time_s")
        page.page.locator(".notes li").first.wait_for()
        line = page.page.locator(".notes li").first.inner_text()
        page.that(re.search(r"p [<=] ,\d", line) and not re.search(r"\d?\.\d", line), f"decimal marks of {line!r}")
        page.page.locator("select.language").select_option("fr")
        page.go("explore/trials?level=demo-01")
        chip = page.page.locator(".chip").inner_text()
        page.that("niveau\xa0: demo-01" in chip, f"a filter in French: {chip!r}")
        french = words["fr"]
        page.same([text for text in french.values() if re.search(r"[^\W\d](?: |)[:;?!»](?:\s|$)", text) and not re.search(r"\xa0[:;?!»]", text)], [], "French marks without their space")
        page.page.locator("select.language").select_option("de")
        looked_over(page)
        small(page, shots)
    narrow(browser, check, server, shots)
    server.kill()


def looked_over(page):
    """Every view has one main heading, none below it without that above, and no control, picture or table without a name; it fits its window,
    with letters that can be read."""
    devtools = page.context.new_cdp_session(page.page)
    devtools.send("Accessibility.enable")
    for view in [*VIEWS, *CHOSEN]:
        page.go(view)
        headings = page.page.evaluate(HEADINGS)
        is_ordered = headings[0] == 1 and headings.count(1) == 1 and all(one <= before + 1 for before, one in zip(headings, headings[1:]))
        page.that(is_ordered, f"the headings of {view} are of {headings}")
        nodes = [node for node in devtools.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"] and node["role"]["value"] in NAMED]
        page.that(len(nodes) > 10, f"{view} has {len(nodes)} controls")
        nameless = [node["role"]["value"] for node in nodes if not node.get("name", {}).get("value", "").strip()]
        page.same(nameless, [], f"what has no name in {view}")
        for width in WIDTHS:
            page.page.set_viewport_size({"width": width, "height": 900})
            page.that(page.width() <= 0, f"{view} is {page.width()} px wider than {width} px")
            page.same(page.page.evaluate(SMALL_TEXTS)[:3], [], f"texts of {view} at {width} px that are too small")
        page.page.set_viewport_size({"width": 1280, "height": 900})
    devtools.detach()


def languages(page):
    """All texts in all languages, with the same words in braces."""
    texts = page.page.evaluate("import(new URL('page/texts.js', document.baseURI)).then(({ TEXTS }) => TEXTS)")
    braces = {language: {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in of.items()} for language, of in texts.items()}
    for language in ("de", "fr"):
        page.same(braces[language], braces["en"], f"texts in {language}")


def narrow(browser, check, server, shots):
    """The same at the width of a phone, in three languages."""
    with OpenPage(check, "400 px", browser, server, width=400, locale="fr-FR") as page:
        page.same(page.page.locator("html").get_attribute("lang"), "fr", "the language")
        languages(page)
        # In German at all widths, elsewhere.
        for language in ("en", "fr"):
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


def small(page, shots):
    """At 400 px each step is in the window, and ranks are seen without scrolling."""
    page.page.set_viewport_size({"width": 400, "height": 900})
    for language in ("fr", "en", "de"):
        page.page.locator("select.language").select_option(language)
        page.heading()
        cut = page.page.locator("header nav a").evaluate_all("(all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth || one.getBoundingClientRect().left < 0 || one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)")
        page.same(cut, [], f"steps that are cut in {language}")
        name = page.page.evaluate("fetch('api/explore').then((answer) => answer.json()).then(({ participants }) => participants[0].participant)")
        page.go(f"explore/participant?participant={name}")
        rank = page.page.locator("section table").first.locator("tbody tr").first.locator("td").nth(1)
        rank.scroll_into_view_if_needed()
        box = page.page.locator("section .scroll").first.evaluate("(one) => { one.scrollLeft = 0; return one.getBoundingClientRect().right; }")
        page.that(rank.bounding_box()["x"] + rank.bounding_box()["width"] <= box + 1, f"the rank is out of sight in {language}")
        if shots:
            for view in [*VIEWS, f"explore/participant?participant={name}", "explore/level?level=demo-01", "explore/figures?kind=thinking-and-acting"]:
                page.go(view)
                page.page.wait_for_timeout(1500)
                for width in (400, 1280):
                    page.page.set_viewport_size({"width": width, "height": 900})
                    page.page.wait_for_timeout(200)
                    page.page.screenshot(path=shots / f"{re.sub(r'[^a-z]', '-', view)}-{language}-{width}.png", full_page=True)
                page.page.set_viewport_size({"width": 400, "height": 900})


def main():
    options = parser(__doc__, needs_plymap=True).parse_args()
    check = Check()
    with chromium(options.chromium) as browser, tempfile.TemporaryDirectory() as folder:
        check.run_in_folders(browser, options.plymap, folder, {"explored": (explored, options.shots)})
    sys.exit(check.end(" of the views of the page of plymap open"))


if __name__ == "__main__":
    main()
