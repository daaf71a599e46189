"""``--output-format html``: one file with results, pictures and movements."""

import base64
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from dmlviz import Resample, run
from dmlviz.__main__ import main
from dmlviz.picture.files import page_script
from dmlviz.picture.policy import script_hash
from dmlviz.verify import html_page, write_example
from tests.limits import PLAYING_REPORT, REPORT
from tests.verify.pages import TILE

WRONG = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 9, 6")
HOSTILE = "<img src=x onerror=alert(1)> 3"


class Read(HTMLParser):
    """Elements by name, with their attributes; the text of scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.data, self._at = [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self._at = tag
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self._at == "script" and data.startswith("{"):
            self.data.append(json.loads(data))

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]


@pytest.fixture
def report(tmp_path, monkeypatch, capsys):
    """Writes pages, verifies them; the exit code and the report."""
    monkeypatch.chdir(tmp_path)

    def report(**pages):
        (tmp_path / "docs").mkdir(exist_ok=True)
        for name, text in pages.items():
            (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
        code = main(["verify", "docs", "--output-format", "html", "--output-file", "r.html"])
        assert capsys.readouterr() == ("", "")
        return code, (tmp_path / "r.html").read_text(encoding="utf-8")

    return report


def policy(read):
    [content] = [m["content"] for m in read.all("meta") if "http-equiv" in m]
    return dict(rule.split(" ", 1) for rule in content.split("; "))


def drawing(address):
    kind, data = address.split(",")
    assert kind == "data:image/svg+xml;base64"
    return ElementTree.fromstring(base64.b64decode(data))


def test_an_example_that_differs_has_two_pictures_and_a_movement(report):
    code, text = report(wrong=WRONG, about="# Nothing of the kind\n")
    assert code == 1
    read = Read(text)
    assert [a["href"] for a in read.all("a")] == ["#page-1"]
    assert "line 8: out[1, 4] is 9 on the page, but the engine gives 5" in text
    light, dark = read.all("img"), read.all("source")
    assert [i["alt"] for i in light] == [
        f"{says}: a tensor of sizes {{2, 6}}, 1 cells marked as different."
        for says in ("The page says", "NumPy gives")
    ]
    for shown_as, key, accent in ((light, "src", "#c2410c"), (dark, "srcset", "#ff9b5e")):
        for image, value in zip(shown_as, "95", strict=True):
            picture = drawing(image[key])
            svg = "{http://www.w3.org/2000/svg}"
            assert [p.get("stroke") for p in picture.iter(f"{svg}path")] == [None, accent]
            cells = [g for g in picture.iter(f"{svg}g") if g.get("font-weight")]
            values = [t.text for g in cells for t in g.iter(f"{svg}text")]
            assert values == [*"1231234564", value, "6"]
    [movement] = read.data
    assert movement["differing"] == [10]


def test_equal_values_have_equal_colours_on_both_sides(report):
    # 9 is only on the page: each side by itself would stretch the scale otherwise
    sides = [drawing(image["src"]) for image in Read(report(wrong=WRONG)[1]).all("img")]
    first, second = ([r.get("fill") for r in s.iter() if r.tag.endswith("rect")] for s in sides)
    assert [n for n, pair in enumerate(zip(first, second, strict=True)) if len({*pair}) > 1] == [10]


def test_nothing_of_a_page_is_markup(report):
    page = f"## Example {HOSTILE}\n{WRONG}".replace("DML_TILE", f"{HOSTILE}\nDML_TILE", 1)
    _code, text = report(page=page)
    read = Read(text)
    assert {tag for tag, _attrs in read.elements} <= {
        *("html", "head", "meta", "title", "style", "body", "header", "h1", "p", "nav", "h2"),
        *("ul", "li", "a", "main", "section", "code", "article", "h3", "small", "span", "div"),
        *("figure", "figcaption", "picture", "source", "img", "details", "summary", "script"),
    }
    assert not [a for _tag, attrs in read.elements for a in attrs if a.startswith("on")]
    rules = policy(read)
    assert rules["default-src"] == "'none'"
    assert script_hash(page_script()) in rules["script-src"]
    assert "unsafe" not in rules["script-src"]
    assert text.count('id="plotly"') == 1
    assert len(text) < PLAYING_REPORT


def test_without_a_movement_there_is_no_script(report):
    code, text = report(refused=TILE.replace("{1, 2}", "{1, 0}"))
    assert code == 1
    assert policy(Read(text))["script-src"] == "'none'"
    assert "<script" not in text
    assert len(text) < REPORT


def test_what_fails_is_drawn_first_and_what_is_left_out_is_said(report, monkeypatch):
    monkeypatch.setattr(html_page, "PICTURES", 4)
    monkeypatch.setattr(html_page, "PLAYERS", 1)
    _code, text = report(a=TILE, b=TILE, c=WRONG)
    read = Read(text)
    assert len(read.all("img")) == 4
    articles = re.findall(r"<article.*?</article>", text, re.DOTALL)
    assert ["<img" in article for article in articles] == [True, False, True]
    assert ["<details" in article for article in articles] == [False, False, True]
    assert "1 example has no pictures: a report has at most" in text
    assert "2 examples have no movement to play: a report has at most" in text


def resampled(number):
    """A page's example of 330 elements, between whose two dimensions lie up to 108,900."""
    x = np.arange(number, number + 330, dtype=np.float32).reshape(1, 330)
    settings = {"input_pixel_offsets": (0.5, 0.5), "output_pixel_offsets": (-0.5, -0.5)}
    operator = Resample("DECREASING", (1, 1), output_tensor_sizes=(330, 1), **settings)
    trace = run(operator, x)
    return f"## Example {number}\n\n{write_example(operator, trace.inputs, trace.outputs)}\n"


def test_a_report_of_many_examples_stays_small(report, monkeypatch):
    code, text = report(many="".join(map(resampled, range(1, 51))))
    assert code == 0
    assert len(Read(text).data) == 50
    # Plotly alone has 2 MB
    assert len(text) < PLAYING_REPORT + html_page.DRAWN + html_page.PLAYED
    drawn = re.findall("<article.*?</article>", text, re.DOTALL)
    lacking = ["<img" in article for article in drawn].count(False)
    assert 10 < lacking < 40
    assert f"{lacking} examples have no pictures: a report has at most" in text
    assert "movement to play" not in text
    monkeypatch.setattr(html_page, "PLAYED", 300_000)
    _code, text = report(many="".join(map(resampled, range(1, 51))))
    sent = [json.dumps(one) for one in Read(text).data]
    assert 200_000 < sum(map(len, sent)) <= 300_000
    assert f"{50 - len(sent)} examples have no movement to play: a report has at most" in text


def test_a_large_example_is_told_and_not_drawn(report):
    row = ", ".join(["7"] * 600)
    page = (
        "DML_TILE_OPERATOR_DESC\nRepeats: {1}\n"
        f"InputTensor: (Sizes:{{600}}, DataType:INT8) [{row}]\n"
        f"OutputTensor: (Sizes:{{600}}, DataType:INT8) [{row}]\n"
    )
    code, text = report(large=page)
    assert code == 0
    assert "600 elements, all equal." in text
    assert "<img" not in text
    assert "1 example has no pictures" in text


def test_the_same_run_gives_the_same_file(report):
    assert report(a=WRONG) == report(a=WRONG)
