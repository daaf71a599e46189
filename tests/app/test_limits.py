"""Addresses at the limits of sizes, and parts that refuse what they are given: a sentence or a
picture, never an exception.
"""

from __future__ import annotations

import json
from itertools import product

import pytest

from dmlviz.app import fragments, result
from dmlviz.base.errors import Error
from dmlviz.picture.scene import STAGE_LIMIT
from tests.app.conftest import EXPLORERS, ROOT, Session

GRID_LIMIT = 4_096
"""The most elements of a grid and of own values in an address."""
RANKS = (1, 2, 4, 5, 8)


def sizes_at(count):
    """Sizes of about so many elements: of every rank with the elements in the first dimensions, in
    the last and in between, and one element more.
    """
    for rank in RANKS:
        inner = (2,) * (rank - 1)
        most = count // 2 ** (rank - 1)
        yield from ((most, *inner), (*inner, most), (most + 1, *inner))
        if rank > 1:
            yield from ((1, count, *(1,) * (rank - 2)), (*(1,) * (rank - 1), count + 1))


def opened(page, sizes, **more):
    return Session().open(page, sections=False, sizes=",".join(map(str, sizes)), **more)


def walls(shown):
    """What the pictures of a page for a room were sent around them."""
    sent = [json.loads(found.proto.json) for found in shown.at.get("bidi_component")]
    options = [json.loads(one.get("options", "{}")) for one in sent]
    return [one["present"] for one in options if one.get("present")]


def answered_for_a_room(shown):
    """There is a wall with or without a picture, or a sentence."""
    assert shown.exceptions == []
    assert shown.errors or walls(shown)


@pytest.mark.slow
@pytest.mark.parametrize("page", EXPLORERS)
def test_an_address_at_the_limit_of_the_stage_has_a_picture_or_a_sentence(page):
    for sizes in ((STAGE_LIMIT,), (STAGE_LIMIT // 8, 2, 2, 2), (1, STAGE_LIMIT // 4, 1, 1)):
        opened(page, sizes).answered()
        answered_for_a_room(opened(page, sizes, present="true"))


@pytest.mark.thorough
@pytest.mark.parametrize("page", EXPLORERS)
def test_an_address_at_any_limit_has_a_picture_or_a_sentence(page):
    for sizes in (*sizes_at(STAGE_LIMIT), *sizes_at(GRID_LIMIT)):
        opened(page, sizes).answered()
        answered_for_a_room(opened(page, sizes, present="true"))
    for sizes, more in product(
        ((STAGE_LIMIT // 8, 2, 2, 2), (1, GRID_LIMIT, 1, 1)),
        ({"compare": "true"}, {"predict": "true"}, {"values": "own"}, {"engine": "onnxruntime"}),
    ):
        opened(page, sizes, **more).answered()


def test_a_wall_without_values_still_asks_why_the_operator_refuses():
    shown = opened("depth_to_space", (STAGE_LIMIT,), present="true")
    assert shown.exceptions == shown.errors == []
    (wall,) = walls(shown)
    assert wall["still"]["image"] == ""
    assert wall["reveal"].startswith("sizes: {65536} has 1 dimensions")


def refusing(*_args, **_named):
    raise Error("sizes: {65537} has 65,537 elements; the limit is 65,536.", "sizes")


def test_a_section_that_refuses_says_why_and_the_others_stay(session, monkeypatch):
    monkeypatch.setattr(result, "rule_lines", refusing)
    shown = session.open("tile")
    assert shown.exceptions == []
    assert shown.errors == ["sizes: {65537} has 65,537 elements; the limit is 65,536."]
    assert len(shown.stages) == 1
    # the tensors as text stand in a section after it
    assert "(Sizes:{1, 1, 2, 3}" in shown.tensors


def test_a_part_that_runs_alone_and_refuses_says_why(session, monkeypatch):
    shown = session.open("tile", sections=False)
    shown.drawn()
    monkeypatch.setattr(fragments, "summary", refusing)
    shown.at.selectbox(key="tile_data_type").set_value("FLOAT16").run()
    assert shown.exceptions == []
    assert shown.errors == ["sizes: {65537} has 65,537 elements; the limit is 65,536."]


def test_a_page_that_refuses_says_why(session, monkeypatch):
    monkeypatch.setattr("dmlviz.app.opening.outcome_of", refusing)
    shown = session.open("tile")
    assert shown.exceptions == []
    assert shown.errors == ["sizes: {65537} has 65,537 elements; the limit is 65,536."]


def test_every_part_that_runs_alone_tells_its_errors():
    own = {"parts.py"}
    for path in (ROOT / "dmlviz/app").glob("*.py"):
        assert path.name in own or "st.fragment" not in path.read_text(encoding="utf-8"), path
