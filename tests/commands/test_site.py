"""``python -m dmlviz site``: every preset as a page."""

import html
import json
import re

import pytest

from dmlviz.__main__ import main
from dmlviz.operators.texts import FAMILIES, family_title
from dmlviz.states.pages import refusals_of
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import of_part
from dmlviz.teaching.presets import presets
from dmlviz.tensors.numbering import differing_elements, sizes_by_name
from tests.limits import SITE_PAGE

SHOWN = [preset for preset in presets() if preset.opens]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites") / "site"
    assert main(["site", str(folder)]) == 0
    return folder


def sent_in(page):
    """The one payload of a page."""
    (found,) = re.findall(
        r'<script type="application/json" id="payload">(.*?)</script>', page, re.S
    )
    return json.loads(found)


@pytest.mark.slow
@pytest.mark.parametrize("preset", SHOWN, ids=lambda preset: preset.key)
def test_every_preset_has_its_page(site, preset):
    page = (site / f"{preset.key}.html").read_text(encoding="utf-8")
    sent = sent_in(page)
    drawn = [tuple(tensor["sizes"]) for tensor in sent["output"]["tensors"]]
    runs = [preset.trace()] + ([preset.second_trace()] if preset.second is not None else [])
    assert drawn == [sizes for run in runs for sizes in sizes_by_name(run.outputs).values()]
    if preset.second is not None:
        a, b = (run.outputs for run in runs)
        count = sum(output.size for output in a.values())
        where = differing_elements(a, b)
        assert sent["differing"] == where + [count + i for i in where]
    summary, answer = page.index("<details>"), page.index("</details>")
    assert "?" in page[:summary]
    assert answer - summary > 60


def test_the_gallery_shows_all(site):
    index = (site / "index.html").read_text(encoding="utf-8")
    linked = re.findall(r'href="([\w-]+)\.html"', index)
    parts = [name for name in linked if name.startswith("lesson-")]
    assert set(linked) - set(parts) == {preset.key for preset in SHOWN}
    # a part whose state is refused has no movement to show
    assert set(parts) == {
        f"lesson-{lesson.key}-{number}"
        for lesson in lessons()
        for number, part in enumerate(lesson.parts, 1)
        if not state_of(part.link).problems()
    }
    assert (site / f"{SHOWN[0].key}.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_page_is_small(site):
    pages = list(site.glob("*.html"))
    assert max(path.stat().st_size for path in pages) < SITE_PAGE
    assert len(list(site.glob("plotly*"))) == 1


@pytest.mark.slow
def test_a_second_time_brings_it_up_to_date(site, capsys):
    before = sorted(path.name for path in site.iterdir())
    assert main(["site", str(site)]) == 0
    assert sorted(path.name for path in site.iterdir()) == before
    pages = len(list(site.glob("*.html"))) - 1
    assert f"{pages} pages" in capsys.readouterr().err


def test_not_into_a_folder_of_others(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("mine")
    assert main(["site", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("dmlviz: folder")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_part_of_a_lesson(site):
    part = lessons()[0].parts[0]
    page = (site / f"lesson-{lessons()[0].key}-1.html").read_text(encoding="utf-8")
    assert sent_in(page)["look"]["step"] == 0
    asked, *choices = page.split('<details name="choice">')
    assert part.prediction.prompt in html.unescape(asked)
    assert part.prediction.reveal not in html.unescape(asked)
    for answer, told in zip(part.prediction.answers, choices, strict=True):
        told = html.unescape(told)
        assert told.startswith(f"<summary>{answer.text}</summary>")
        assert answer.why in told
        assert part.prediction.reveal in told
    assert 'class="movement"' in choices[-1]


def test_above_the_stage_is_what_the_question_says_and_no_more(site):
    """Of what is in question, such as an order or a line of code, nothing is there."""
    for lesson in lessons():
        for number, part in enumerate(lesson.parts, 1):
            path = site / f"lesson-{lesson.key}-{number}.html"
            state = state_of(part.link)
            if refusals_of(state):
                assert not path.exists()
                continue
            page = path.read_text(encoding="utf-8")
            (above,) = re.findall(r"<header>.*?<span>(.*?)</span>", page, re.DOTALL)
            posed = of_part(lesson, number)
            assert html.unescape(above) == posed.runs
            several = posed.runs_code and len(state.chain().operations) > 1
            assert (sent_in(page)["strip"] is not None) is several


def test_the_gallery_goes_by_what_operators_do(site):
    index = (site / "index.html").read_text(encoding="utf-8")
    groups = [html.unescape(name) for name in re.findall(r"<h2>(.*?)</h2>", index)]
    assert groups[-6:] == [family_title(family) for family in FAMILIES]
    assert len(groups) == len(lessons()) + 6
