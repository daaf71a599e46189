import base64
import gzip
import html
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.picture.files import page_script, plotly_script
from dmlviz.picture.formats import PICTURES, PictureLook
from dmlviz.picture.page import json_safe, script_safe
from dmlviz.picture.policy import policy, script_hash
from tests.limits import PACKED_FRAME, PACKED_PAGE, SAVED_PAGE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def player(padded):
    from dmlviz.picture.page import player

    return player(padded())


def without_plotly(page):
    assert page.count(script_safe(plotly_script())) == 1
    return page.replace(script_safe(plotly_script()), "")


def test_the_public_name_is_a_function_however_often_it_is_used():
    code = (
        "import numpy as np, dmlviz\n"
        "trace = dmlviz.run(dmlviz.Tile((2,)), np.zeros(2))\n"
        "dmlviz.figure(trace)\n"
        "for _ in range(2): dmlviz.player(trace)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr


def test_a_saved_page_is_complete(player, tmp_path):
    path = player.save(tmp_path / "movement.html")
    text = path.read_text(encoding="utf-8")
    assert text == player.html()
    assert text.startswith("<!doctype html>")
    assert "<title>PADDING: PaddingMode=CONSTANT, PaddingValue=9, StartPadding=[0, 2, 6]" in text
    assert html.escape(player.payload["check"]) in text
    found = re.search(r'<script type="application/json" id="payload">(.*?)</script>', text)
    assert json.loads(found[1]) == json.loads(json.dumps(player.payload))


def test_a_saved_page_fetches_nothing(player):
    # types in comments are written as imports
    page = re.sub(r"/\*\*.*?\*/", "", without_plotly(player.html()), flags=re.DOTALL)
    assert "<link" not in page
    assert "@import" not in page
    assert "url(" not in page
    assert not re.search(r"\b(src|href|action)\s*=", page)
    assert not re.search(r"\bimport\b\s*[({\"'*]", page)
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|importScripts)\b", page)
    assert set(re.findall(r"https?://[^\s\"'`<)]+", page)) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize(
    "hostile",
    ["</script><script>alert(1)</script>", "<!--<script>", "</SCRIPT >", "\u2028</style>", '"><b>'],
)
def test_no_text_breaks_out(player, monkeypatch, hostile):
    marked = f"START{hostile}END"
    player.payload["check"] = marked
    player.payload["steps"][0]["caption"] = marked
    player.payload["input"]["tensors"][0]["labels"][0] = marked
    monkeypatch.setattr(type(player.trace), "title", marked)
    page = without_plotly(player.html())
    assert marked not in page
    assert page.count("</script") == 3
    assert page.count("<!--") == 0
    assert page.count(html.escape(marked)) == 2
    found = re.search(r'id="payload">(.*?)</script>', page, re.DOTALL)
    assert json.loads(found[1])["check"] == marked


def test_script_texts_cannot_end_their_element():
    assert "</" not in json_safe({"a": ["</script>"]})
    assert json.loads(json_safe("<!--</script>é\u2029")) == "<!--</script>é\u2029"
    assert script_safe("a</script>b<!--c") == "a<\\/script>b<\\!--c"


def rules(page):
    """The page's content security policy as names and sources."""
    [text] = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    return dict(rule.strip().split(" ", 1) for rule in html.unescape(text).split(";"))


def scripts(page):
    return re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


@pytest.mark.parametrize("plotly", ["inline", "packed", "plotly.min.js"])
def test_the_policy_permits_the_pages_own_scripts_and_no_other(player, plotly):
    page = player.html(plotly)
    found = rules(page)
    assert found["default-src"] == "'none'"
    assert found["base-uri"] == found["form-action"] == "'none'"
    permitted = found["script-src"].split()
    assert "'unsafe-inline'" not in permitted
    assert "'unsafe-eval'" not in permitted
    for script in scripts(page):
        assert script_hash(script) in permitted
    assert sum(source.startswith("'sha256-") for source in permitted) == (
        1 if plotly.endswith(".js") else 2
    )
    # before anything that it rules
    assert page.index("Content-Security-Policy") < page.index("<style")


def test_a_hash_is_what_browsers_compute():
    # the example of the standard itself: Content Security Policy, level 2
    assert script_hash("alert('Hello, world.');") == (
        "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    )


def test_rules_are_in_one_line():
    assert policy("'self'", images="https://a.example").split("; ") == [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'unsafe-inline'",
        "img-src data: blob: https://a.example",
        "base-uri 'none'",
        "form-action 'none'",
    ]


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("plotly.min.js", "'self' file:"),
        ("../lib/plotly.min.js?v=7", "'self' file:"),
        ("/static/plotly.min.js", "'self' file:"),
        ("https://cdn.example/plotly-3.1.0.min.js?x=1", "https://cdn.example/plotly-3.1.0.min.js"),
        ("http://localhost:8000/p.js", "http://localhost:8000/p.js"),
    ],
)
def test_plotly_from_an_address(player, address, source):
    page = player.html(address)
    assert f'<script src="{address}"></script>' in page
    assert rules(page)["script-src"] == f"{source} {script_hash(page_script())}"
    assert len(page) < SAVED_PAGE


@pytest.mark.parametrize(
    "address",
    [
        "",
        "javascript:alert(1)",
        "data:text/javascript,alert(1)",
        "//cdn.example/p.js",
        "https:p.js",
        "https://a.example/p.js; script-src *",
        "https://a.example/p.js 'unsafe-inline'",
        'p.js"></script><script>alert(1)</script>',
        "p.js\n",
        "x" * 5_000 + "'",
    ],
)
def test_what_is_no_address(player, address):
    with pytest.raises(dmlviz.Error, match=r"^plotly is ") as caught:
        player.html(address)
    assert caught.value.field == "plotly"
    assert len(str(caught.value)) < 300


def test_packed_is_the_same_plotly(player):
    page = player.html("packed")
    [data] = re.findall(r'<script type="application/gzip" id="plotly">([^<]*)</script>', page)
    unpacked = gzip.decompress(base64.b64decode(data)).decode()
    assert unpacked == script_safe(plotly_script())
    assert script_hash(unpacked) in rules(page)["script-src"]
    assert len(page) < PACKED_PAGE
    assert page == player.html("packed")


def test_the_page_script_is_no_module():
    lines = page_script().rstrip("\n").split("\n")
    assert lines[0] == "(() => {"
    assert lines[-2:] == ["startPage();", "})();"]
    assert not any(re.match(r"\s*(import|export)\b(?!\()", line) for line in lines)


def test_a_notebook_gets_a_frame(player):
    shown = player._repr_html_()
    assert shown.isascii()
    frame = re.fullmatch(r'<iframe title="([^"]*)" [^>]*? srcdoc="([^"]*)"></iframe>', shown, re.S)
    assert html.unescape(frame[1]) == player.trace.title
    assert html.unescape(frame[2]) == player.html("packed")
    assert len(shown) < PACKED_FRAME


def test_titles():
    assert dmlviz.Tile((2, 3)).on_one_line() == "TILE: Repeats=[2, 3]"
    assert (
        dmlviz.DepthToSpace(2).on_one_line()
        == "DEPTH_TO_SPACE1: BlockSize=2, Order=DEPTH_COLUMN_ROW"
    )


def test_a_place_that_cannot_be_written(player, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        player.save(tmp_path / "nowhere" / "x.html")


def test_every_type_of_text_is_utf_8(tmp_path):
    from dmlviz.picture.page import player

    trace = dmlviz.run(dmlviz.Tile((2,)), np.array([np.inf, -np.inf]))
    page = player(trace).save(tmp_path / "x.html").read_bytes().decode("utf-8")
    assert '<meta charset="utf-8">' in page
    assert "-∞" in page


def test_a_saved_page_of_code_has_the_code():
    chain = dmlviz.code("y = x[x.shape[0]:0:-1]\ny.T", x=(2, 3))
    page = dmlviz.player(chain).html("plotly.min.js")
    assert "<pre>y = x[x.shape[0]:0:-1]\ny.T</pre>" in page


def test_a_saved_page_of_an_operator_has_no_code(player):
    assert "<pre>" not in player.html("plotly.min.js").partition("</main>")[0]


@pytest.mark.parametrize("ending", ["png", "svg", "gif", "SVG"])
def test_a_player_is_saved_in_the_format_of_the_extension(padded, tmp_path, ending):
    trace = padded()
    made = dmlviz.player(trace, {"step": 1, "colors": "position"})
    path = made.save(tmp_path / f"movement.{ending}")
    drawn = PICTURES[ending.lower()](dmlviz.scene(trace), PictureLook(1, "position"))
    assert path.read_bytes() == drawn


@pytest.mark.parametrize(
    ("name", "ending"), [("a.mp4", ".mp4"), ("a", "no extension"), (".html", "no extension")]
)
def test_a_file_that_no_player_writes(player, tmp_path, name, ending):
    with pytest.raises(dmlviz.Error) as raised:
        player.save(tmp_path / name)
    assert str(raised.value) == (
        f"file: unsupported file type: {ending}; use .html, .png, .svg, .gif."
    )
    assert list(tmp_path.iterdir()) == []
