"""The address follows the page, and the page its address; share it, or embed the stage."""

from __future__ import annotations

import numpy as np
import pytest

from dmlviz.app.address import whole_address
from dmlviz.app.share import embedding, with_player
from dmlviz.picture.qr import MOST_SCANNED, qr_code, too_long
from dmlviz.states import View, first_state, read_link
from tests.app.conftest import Session


def test_address_follows_each_change(explorer):
    shown = explorer("tile")
    assert shown.at.query_params == {}
    shown.set(repeats_2=5)
    assert shown.at.query_params == {"repeats": "1,1,5,3"}
    shown.set(values="count-0", feature_level="6_4")
    assert shown.at.query_params == {
        "values": "count-0",
        "repeats": "1,1,5,3",
        "feature_level": "6_4",
    }
    shown.set(values="own").set(literal="9 8 7; 6 5 4")
    assert shown.at.query_params["literal"] == "9,8,7,6,5,4"
    shown.reset()
    assert shown.at.query_params == {}


def test_address_of_a_comparison(explorer):
    shown = explorer("padding", compare="true", b_padding_mode="WRAP", b_end_padding="0,0,1,1")
    assert shown.exceptions == shown.warnings == []
    (stage,) = shown.stages
    assert [tensor["name"] for tensor in stage["payload"]["output"]["tensors"]] == ["A", "B"]
    assert shown.value("b_padding_mode") == "WRAP"
    assert [shown.value(f"b_end_padding_{d}") for d in range(4)] == [0, 0, 1, 1]
    shown.set(b_padding_mode="SYMMETRIC")
    assert shown.at.query_params == {
        "compare": "true",
        "b_padding_mode": "SYMMETRIC",
        "b_end_padding": "0,0,1,1",
    }
    shown.at.toggle(key="padding_compare").set_value(False).run()
    assert shown.at.query_params == {}


def test_address_waits_while_something_is_mended(explorer):
    shown = explorer("tile").set(repeats_2=5).set(sizes="words")
    shown.refused("words")
    assert shown.at.query_params == {"repeats": "1,1,5,3"}
    shown.set(sizes="1, 1, 3, 2")
    shown.drawn()
    assert shown.at.query_params["sizes"] == "1,1,3,2"


def test_what_the_operator_refuses_has_an_address_too(explorer):
    shown = explorer("depth_to_space", block_size="5").set(order="COLUMN_ROW_DEPTH")
    shown.refused("BlockSize: 5 does not fit")
    assert shown.at.query_params == {"block_size": "5", "order": "COLUMN_ROW_DEPTH"}


def test_more_own_values_than_an_address_holds(explorer):
    shown = explorer("tile").set(sizes="65, 64", values="random")
    before = shown.at.query_params
    shown.set(values="own")
    shown.drawn()
    assert shown.at.query_params == before


def test_an_address_that_means_the_same_is_left_as_it_is(explorer):
    words = {"sizes": "1 1 2 3", "repeats": "1,1,3,3", "nonsense": "x"}
    shown = explorer("tile", **words)
    assert len(shown.warnings) == 1
    assert shown.at.query_params == words
    shown.set(repeats_3=2)
    assert shown.at.query_params == {"repeats": "1,1,3,2"}


def test_a_link_means_the_usual_for_what_it_does_not_say(explorer):
    shown = explorer("padding").set(sizes="7", data_type="INT8", values="random", seed=4)
    shown.open("padding", values="random")
    assert shown.value("sizes") == "1, 1, 4, 4"
    assert [shown.value("data_type"), shown.value("seed")] == ["FLOAT32", 0]
    # and what its settings hide can still be used
    shown.open("padding", padding_mode="EDGE").set(padding_mode="CONSTANT")
    shown.drawn()


def test_back_to_where_the_visit_began(explorer, monkeypatch):
    shown = explorer("tile").set(repeats_2=5, data_type="INT8")
    monkeypatch.setattr("dmlviz.app.address.by_history", lambda: True)
    shown.open("tile")
    assert [shown.value("repeats_2"), shown.value("data_type")] == [3, "FLOAT32"]
    shown.open("tile", repeats="1,1,5,3")
    assert [shown.value("repeats_2"), shown.value("data_type")] == [5, "FLOAT32"]


def test_a_change_before_the_last_ones_address_arrived_takes_nothing_back(explorer):
    shown = explorer("tile").set(repeats_2=5)
    before = shown.at.query_params
    shown.set(repeats_3=4)
    shown.at.query_params = before  # what the browser still has
    shown.set(data_type="INT8")
    assert [shown.value("repeats_2"), shown.value("repeats_3")] == [5, 4]
    assert shown.at.query_params == {"data_type": "INT8", "repeats": "1,1,5,4"}
    # from another page the same words are a link again
    shown.open("home").open("tile", **before)
    assert [shown.value("repeats_3"), shown.value("data_type")] == [3, "FLOAT32"]


def test_return_to_a_page_brings_its_address_back(explorer):
    shown = explorer("tile").set(repeats_2=5).open("padding").open("tile")
    assert shown.value("repeats_2") == 5
    assert shown.at.query_params == {"repeats": "1,1,5,3"}


def test_engine_that_is_not_here(explorer):
    shown = explorer("tile", engine="directml:999999", data_type="INT8")
    shown.drawn()
    assert ["directml:999999 cannot run" in w for w in shown.warnings] == [True]
    assert shown.value("engine") == "numpy"
    # where the link came from, the engine is right
    assert shown.at.query_params["engine"] == "directml:999999"


def test_the_player_begins_as_the_link_says(explorer):
    words = {"colors": "channel", "moves": "all", "step": "1", "pinned": "0,0,1,1;0,0,0,2"}
    shown = explorer("tile", **words)
    link = shown.stages[0]["link"]
    assert link["view"] == {
        "colors": "channel",
        "moves": "all",
        "memory": False,
        "step": 1,
        "pinned": [10, 2],
    }
    assert (link["page"], link["writes"], link["shares"]) == ("tile", True, True)
    # the player's words are no new link; other words are
    for name in words:
        del shown.at.query_params[name]
    shown.set(repeats_2=2)
    assert shown.stages[0]["link"]["opened"] == link["opened"]
    shown.open("tile", step="2", repeats="1,1,2,2")
    assert shown.stages[0]["link"]["opened"] == link["opened"] + 1
    assert shown.stages[0]["link"]["view"]["step"] == 2


def test_pins_that_the_output_no_longer_has(explorer):
    shown = explorer("tile", pinned="0,0,5,8").set(repeats_3=1)
    shown.drawn()
    assert shown.stages[0]["link"]["view"]["pinned"] == []


def embedded(page, **words):
    session = Session()
    session.at.context["is_embedded"] = True
    return session.open(page, **words)


def test_embedded_stage_only():
    shown = embedded("tile", sizes="2,3", values="count-1", repeats="2,2", data_type="INT8")
    shown.drawn()
    assert shown.output[:6] == ["1", "2", "3", "1", "2", "3"]
    assert not shown.stages[0]["link"]["shares"]
    assert shown.state() == {}
    for kind in ("title", "markdown", "expander", "button", "code", "warning", "toggle"):
        assert len(getattr(shown.at, kind)) == 0, kind


def test_embedded_comparison_and_bad_parts():
    shown = embedded("padding", compare="true", b_padding_mode="WRAP", nonsense="1")
    assert shown.exceptions == shown.errors == []
    (stage,) = shown.stages
    assert len(stage["payload"]["output"]["tensors"]) == 2
    assert ["nonsense=1" in warning for warning in shown.warnings] == [True]


def test_embedded_refusals(hostile):
    shown = embedded("depth_to_space", block_size="5")
    assert shown.stages == shown.exceptions == []
    assert "block_size: 5 does not fit" in shown.errors[0]
    shown = embedded("tile", sizes="1000,1000", repeats="1,1")
    assert "the limit is 65,536" in shown.errors[0]
    shown = embedded("tile", values="own", literal=hostile, engine=hostile)
    assert shown.exceptions == []
    assert shown.warnings


def test_whole_address():
    state = read_link("/tile?values=count-0&repeats=1,1,2,2").state
    words = "values=count-0&repeats=1,1,2,2"
    assert whole_address(state, "http://box:8501/tile") == f"http://box:8501/tile?{words}"
    assert whole_address(state, "https://host.invalid/base/tile") == (
        f"https://host.invalid/base/tile?{words}"
    )
    assert whole_address(state, None) == f"/tile?{words}"
    assert whole_address(first_state("tile"), "http://box/tile") == "http://box/tile"


def test_what_the_player_says_is_shared_as_far_as_it_is_right():
    state = read_link("/tile?repeats=1,1,2,2&engine=onnxruntime").state
    seen = with_player(
        state, "?repeats=9&colors=channel&step=1&pinned=0,0,1,1&moves=x&engine=numpy"
    )
    assert seen.settings == state.settings
    assert seen.view == View(engine="onnxruntime", colors="channel", step=1, pinned=((0, 0, 1, 1),))
    assert with_player(state, "") == state
    assert with_player(state, "?" + "&;=%00\ud800" * 1_000) == state


def test_a_view_is_embedded_by_its_address():
    text = embedding('http://box/tile?sizes=2,3&x="><b>')
    assert (
        '<iframe src="http://box/tile?sizes=2,3&amp;x=&quot;&gt;&lt;b&gt;&amp;embed=true"' in text
    )
    assert 'src="http://box/tile?embed=true"' in embedding("http://box/tile")


def test_qr_codes_up_to_what_telephones_read():
    from io import BytesIO

    from PIL import Image

    start = "http://box/tile?x="
    picture = qr_code(start + "1" * (MOST_SCANNED - len(start)))
    with Image.open(BytesIO(picture)) as image:
        pixels = np.asarray(image.convert("L"))
    # the quiet border, then the corner of the first finder pattern
    assert (pixels[:32] == 255).all()
    assert (pixels[32:88, 32:40] == 0).all()
    assert pixels.shape[0] == pixels.shape[1] < 1_500
    assert qr_code("x" * (MOST_SCANNED + 1)) == b""
    assert "2,001" in too_long("x" * 2_001)


@pytest.mark.parametrize(
    ("asked", "near"), [("tyle", "tile"), ("Practise", "practice"), ("<b>x</b>" * 99, None)]
)
def test_an_address_of_no_page_is_said_with_the_nearest_page(session, monkeypatch, asked, near):
    monkeypatch.setattr("dmlviz.app.navigation.requested_page", lambda: asked)
    session.open("home")
    (warning,) = session.at.warning
    assert warning.value == "This address names no page, so Home is open."
    links = [link.page for link in session.links if link.label.startswith("Did you mean")]
    assert links == ([near] if near else [])
    monkeypatch.setattr("dmlviz.app.navigation.requested_page", lambda: "tile")
    session.open("home")
    assert not session.at.warning
