"""What came by an address, a box or a file is text on every page, whatever Markdown is in it."""

from __future__ import annotations

from urllib.parse import quote

import pytest

# short, so that no sentence cuts them off
TYPED = (
    "https&colon;//evil.example",
    "https&#58;//evil.example",
    "http:&sol;/evil.example",
    "www&period;evil.example",
    "a&commat;evil.example",
    "<tel:1234>",
    "<mailto:a@evil.example>",
    "www.evil.example a@evil.example",
    "[x](//evil.example)",
    "![x](//evil.example)",
    "_a_ __b__ *c* **d** ~~e~~ `f`",
    "$x^2$ $$y$$",
    ":material/home: :smile: :streamlit:",
    ":red[a] :small[b] :red{.c} :blue",
    "# a",
    "- a",
    "<b>a</b><img src=x>",
)
PAGES = {
    "tile": ("sizes", "data_type", "repeats", "step", "engine", "feature_level", "lang"),
    "padding": ("padding_mode", "start_padding", "padding_value", "values", "colors", "pinned"),
    "depth-to-space": ("block_size", "order", "sizes", "picture", "b_order"),
    "space-to-depth": ("block_size", "order", "predict", "compare"),
    "practice": ("seed", "level", "number", "operator"),
    "worksheet": ("seed", "level", "count", "operator", "kind", "title"),
    "glossary": ("term",),
    "lessons": ("lesson",),
    "lessons?lesson=tile&x=": ("part",),
    "teach": ("lesson", "lang"),
    "verify": ("lang",),
    "engines": ("lang",),
    "": ("lang",),
    "padding?embed=true&x=": ("padding_mode", "sizes"),
}
MOST_VISITS = 3
# Streamlit's own signs beside a text have classes of their own
FOUND = """() => {
  const all = [...document.querySelectorAll('[data-testid=stMarkdownContainer]')]
    .filter(found => found.closest('[data-testid=stAlert]')
      && !found.textContent.includes('DML_TILE_OPERATOR_DESC'));
  return {
    links: [...document.querySelectorAll('a[href], img[src], [data-href]')]
      .map(found => found.getAttribute('href') || found.getAttribute('src') || '')
      .filter(address => /evil|^tel:|^mailto:/.test(address)),
    formats: all.flatMap(found => [...found.querySelectorAll(
      'a, em, strong, del, code, img, svg, math, .katex, h1, h2, h3, ul, ol, blockquote, b, '
      + '[data-testid=stIconMaterial], span[style], span[class*=color]')].map(e => e.outerHTML)),
    texts: all.map(found => found.textContent.replaceAll('\\u2060', '')),
  };
}"""


def check(window, typed):
    found = window.page.evaluate(FOUND)
    assert found["links"] == []
    assert found["formats"] == [], typed
    for text in found["texts"]:
        assert "\\" not in text
        assert "&amp;" not in text
    return found["texts"]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page,
            marks=[] if page in ("", "tile", "practice", "verify") else [pytest.mark.thorough],
        )
        for page in PAGES
    ],
    ids=lambda page: page or "home",
)
def test_an_address_plants_nothing(visit, page):
    window = visit(None)
    words = PAGES[page]
    said, sent = [], []
    # every page begins elsewhere, so that each text comes to several
    begin = list(PAGES).index(page) * 5
    for turn in range(MOST_VISITS):
        some = [TYPED[(begin + turn * len(words) + at) % len(TYPED)] for at in range(len(words))]
        sent += some
        query = "&".join(f"{w}={quote(t)}" for w, t in zip(words, some, strict=True))
        window.page.goto(f"{window.server}/{page}{'&' if '?' in page else '?'}{query}")
        window.page.wait_for_selector(".dmlviz-player, [data-testid=stAlert], h1")
        window.rested()
        said += check(window, some)
    # what is refused is repeated, as it was typed
    told = "\n".join(said)
    refused = [typed for typed in sent if typed in told]
    assert len(refused) >= len(sent) // 2, told


@pytest.mark.thorough
def test_a_box_plants_nothing(visit):
    window = visit("tile")
    box = window.page.get_by_role("textbox", name="Sizes")
    for typed in TYPED:
        box.fill(typed)
        box.press("Enter")
        window.page.get_by_test_id("stAlert").first.wait_for()
        window.rested()
        check(window, typed)


def test_a_file_plants_nothing(visit):
    window = visit(None)
    window.page.goto(f"{window.server}/verify")
    window.page.get_by_text("Upload", exact=True).click()
    for typed in TYPED:
        page = (
            "# DML_TILE_OPERATOR_DESC\n\n"
            f"## Example {typed}\n\n    InputTensor: (Sizes:{{1, {typed}}}, DataType:FLOAT32)\n"
            f"    [1]\n\nRepeats: {{1, {typed}}}\n\n    OutputTensor: (Sizes:{{1, 1}}, "
            "DataType:FLOAT32)\n    [1]\n"
        )
        file = {"name": f"{typed[:9]}.md", "mimeType": "text/markdown", "buffer": page.encode()}
        window.page.locator("input[type=file]").set_input_files(file)
        window.page.wait_for_timeout(300)
        window.rested()
        assert window.page.evaluate(FOUND)["links"] == []
