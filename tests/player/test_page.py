import html
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.player.files import plotly_script
from dmlviz.player.page import json_safe, script_safe, title

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def player(padded):
    from dmlviz.player import player

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
    player.payload["input"]["labels"][0] = marked
    monkeypatch.setattr(sys.modules["dmlviz.player.page"], "title", lambda operator: marked)
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


def test_a_notebook_gets_a_frame(player):
    shown = player._repr_html_()
    frame = re.fullmatch(r'<iframe title="([^"]*)" [^>]*? srcdoc="([^"]*)"></iframe>', shown, re.S)
    assert html.unescape(frame[1]) == title(player.trace.operator)
    assert html.unescape(frame[2]) == player.html()


def test_titles():
    assert title(dmlviz.Tile((2, 3))) == "TILE: Repeats=[2, 3]"
    assert title(dmlviz.DepthToSpace(2)) == "DEPTH_TO_SPACE1: BlockSize=2, Order=DEPTH_COLUMN_ROW"


def test_a_place_that_cannot_be_written(player, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        player.save(tmp_path / "nowhere" / "x.html")


def test_every_type_of_text_is_utf_8(tmp_path):
    from dmlviz.player import player

    trace = dmlviz.run(dmlviz.Tile((2,)), np.array([np.inf, -np.inf]))
    page = player(trace).save(tmp_path / "x.html").read_bytes().decode("utf-8")
    assert '<meta charset="utf-8">' in page
    assert "-∞" in page
