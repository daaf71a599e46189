"""What a link or an example becomes, and why it cannot become anything."""

import re
import subprocess
import sys
from urllib.parse import urlencode

import pytest

from dmlviz.base.places import ROOT
from dmlviz.base.words import speaking
from dmlviz.extensions.movement import Fence, MovementRefused, movement, movement_of, replaced
from dmlviz.teaching.presets import presets
from tests.extensions.building import EXAMPLE, LINK, SAID, WRONG
from tests.limits import LINKED_PAGE

SHARED = {"plotly.min.js", "player.js", "player.css"}


def test_a_link_and_its_example_are_one_movement(tmp_path):
    by_link = movement(LINK)
    assert by_link.title == "TILE: Repeats=[1, 2]"
    assert by_link.alt.startswith("Input of sizes {1, 3}, output of sizes {1, 6}, FLOAT32.")
    assert movement(f"https://example.org/app{LINK}") == by_link
    by_example = movement(EXAMPLE)
    assert (by_example.title, by_example.example) == (by_link.title, EXAMPLE)
    by_link.write(tmp_path / "new" / "folder")
    assert {p.name for p in (tmp_path / "new" / "folder").iterdir()} == {by_link.name, *SHARED}
    assert len(by_link.page) < LINKED_PAGE


def test_a_link_has_its_own_language():
    korean = movement(f"{LINK}&lang=ko")
    assert '<html lang="ko"' in korean.page
    with speaking("ko"):
        assert movement(LINK) == korean
        assert movement(f"{LINK}&lang=en-US") == movement(f"{LINK}&lang=en")
        assert '<html lang="en"' in movement(f"{LINK}&lang=en").page


def test_nothing_of_it_is_loaded_unasked():
    code = (
        "import sys, dmlviz, dmlviz.__main__\n"
        "assert not [name for name in sys.modules if name.startswith('dmlviz.extensions')]\n"
        "import dmlviz.extensions.movement\n"
        "print(sorted({'streamlit', 'sphinx', 'docutils', 'mkdocs'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.split() == [b"[]"]


def test_writing_again_leaves_what_is_the_same(tmp_path):
    movement(LINK).write(tmp_path)
    times = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    (tmp_path / "player.css").write_text("of an older dmlviz")
    movement(LINK).write(tmp_path)
    changed = [p.name for p in tmp_path.iterdir() if p.stat().st_mtime_ns != times[p.name]]
    assert changed == ["player.css"]
    assert (tmp_path / "player.css").stat().st_size > 1_000


def test_every_preset_becomes_a_movement_or_says_why():
    refused = [preset.key for preset in presets() if not preset.opens]
    found = []
    for preset in presets():
        try:
            assert movement(preset.link).page.startswith("<!doctype html>")
        except MovementRefused as error:
            assert str(error) == preset.refusal
            found.append(preset.key)
    assert found == refused


def test_the_html_is_of_plain_text():
    evil = '"><script>alert(1)</script>'
    figure = movement(LINK).figure("a&b", title=evil, alt=evil, height=420)
    assert "<script" not in figure
    assert 'src="a&amp;b/tile-' in figure
    assert 'height="420"' in figure
    assert "\n" not in figure  # Markdown would end it there
    assert 'data-dmlviz="fit"' not in figure
    assert 'data-dmlviz="fit"' in movement(LINK).figure("a")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("/tile?sizes=1,3&repeats=1", 1, "repeats=1"),
        ("/tile?sizes=0", 1, "dimension 0 is 0"),
        ("/nothing?sizes=3", 1, 'there is no page "nothing"'),
        ("", 1, "has no example"),
        ("See below.\nAnd above.", 1, "has no example"),
        (WRONG, 10, SAID),
        (EXAMPLE.replace("{1, 2}", "{1, x}"), 4, 'Repeats: "x" is not a whole number'),
        (f"{EXAMPLE}\n\nExample 2\n\n{EXAMPLE}", 16, "2 examples are given"),
        (f"<!-- dmlviz: skip (an older output) -->\n{EXAMPLE}", 4, "an older output"),
        ("/tile?sizes=64,64&repeats=9,9", 1, "65,536"),
    ],
)
def test_what_does_not_hold(text, line, words):
    with pytest.raises(MovementRefused) as raised:
        movement(text)
    assert words in str(raised.value)
    assert not str(raised.value).startswith("line ")
    assert raised.value.line == line


PERMUTED = "rearrange(x, 'b h w c -> b c h w')"


def test_code_its_link_and_its_options_are_one_movement():
    by_code = movement(PERMUTED)
    assert by_code.title == PERMUTED
    assert by_code.alt.startswith("Input of sizes {1, 2, 4, 6}, output of sizes {1, 6, 2, 4}")
    assert by_code.example.startswith(f"{PERMUTED}\n\nx: (Sizes:{{1, 2, 4, 6}}, DataType:FLOAT32)")
    address = f"/code?{urlencode({'code': PERMUTED, 'sizes': 'x:1,2,4,6'})}"
    assert movement(address) == by_code
    assert movement("", {"code": PERMUTED, "sizes": ""}) == by_code
    one = movement("y = x.T\ny[::-1]", {"sizes": "x:2,3", "values": "x:6,5,4,3,2,1"})
    assert one.example.endswith(
        "out: (Sizes:{3, 2}, DataType:FLOAT32)\n[[4, 1],\n [5, 2],\n [6, 3]]"
    )
    of_torch = movement("x.transpose(0, 1)", {"library": "torch", "sizes": "x:2,3,4"})
    assert "output of sizes {3, 2, 4}" in of_torch.alt
    assert '"strip":null' in one.page.replace(" ", "")


@pytest.mark.parametrize(
    ("info", "text"),
    [
        (f"{{dmlviz}} {PERMUTED}", ":height: 300"),
        ("{dmlviz}", f":height: 300\n{PERMUTED}"),
        ("{dmlviz}", f":height: 300\n:library: einops\n\n{PERMUTED}"),
        ("dmlviz height=300 code", PERMUTED),
        ("dmlviz height=300 sizes=x:1,2,4,6", PERMUTED),
        ("dmlviz height=300", PERMUTED),
    ],
)
def test_code_in_a_fence(info, text):
    found, figure = movement_of(Fence(3, info, text))
    assert (found.title, found.alt) == (PERMUTED, movement(PERMUTED).alt)
    assert 'height="300"' in figure("f")


@pytest.mark.parametrize(
    ("info", "text", "line", "words"),
    [
        ("{dmlviz} x.T + 1", "", 3, "This computes new values"),
        ("{dmlviz}", ":sizes: x:2,3\n\ny = x.T\ny.foo()", 7, "no movement .foo()"),
        ("dmlviz code", "y = x.T\ny[::", 5, "Python cannot read this"),
        ("dmlviz sizes=x:2,0", "x.T", 4, "x.sizes: dimension 1 is 0"),
        ("{dmlviz}", ":width: 3\nx.T", 4, "width=3 is not an option"),
        ("{dmlviz} x.T", "x.T", 3, "either a link or an example, not both"),
        ("{dmlviz} /code?code=x.T&sizes=x:3000,3000", "", 3, "4,194,304"),
    ],
)
def test_code_that_is_refused(info, text, line, words):
    with pytest.raises(MovementRefused, match=re.escape(words)) as raised:
        movement_of(Fence(3, info, text))
    assert raised.value.line == line


def test_options_of_a_fence():
    found, figure = movement_of(Fence(3, 'dmlviz height=300 title="Two copies"', LINK))
    assert 'height="300"' in figure("f")
    assert 'title="Two copies"' in figure("f")
    assert found.alt in figure("f")


@pytest.mark.parametrize("option", ["height", "height=0", "height=1e3", "width=3", 'title="a'])
def test_options_that_are_none(option):
    with pytest.raises(MovementRefused, match="is not an option such as height=420") as raised:
        movement_of(Fence(3, f"dmlviz {option}", LINK))
    assert raised.value.line == 3


def test_which_fences_are_ours():
    page = "\n".join(
        (
            "````markdown\n```dmlviz\n/tile\n```\n````",
            "```python\n1\n```",
            "> ~~~dmlviz\n> /tile\n> ~~~",
            "```dmlvizual\n```",
            "``` dmlviz\n/tile",
        )
    )
    seen = []
    told = replaced(page, lambda fence: seen.append(fence) or "HERE")
    assert seen == [Fence(9, "dmlviz", "/tile"), Fence(14, " dmlviz", "/tile")]
    assert told.count("HERE") == 2
    assert told.startswith(
        "````markdown\n```dmlviz\n/tile\n```\n````\n```python\n1\n```\n>\n> HERE\n>"
    )
