"""A learner's own picture in the app: sent by the browser, cropped, shown, and never in an address."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from dmlviz.app import form_widgets as room
from dmlviz.operators import OPERATORS
from dmlviz.picture.own_picture import read_own_picture
from dmlviz.states import first_state, read_parameters
from dmlviz.states.inputs import value_options
from dmlviz.tensors import OWN, OwnPicture

PIXELS = np.random.default_rng(20).integers(0, 256, (12, 20, 3), np.uint8)
PICTURE = OwnPicture(12, 20, PIXELS.tobytes())
NAMED = {"values": "picture", "picture": OWN}


def sent(data: bytes) -> dict:
    """The session after the browser has sent this."""

    def script(told: str) -> None:
        import streamlit as st

        from dmlviz.app import form_widgets as room

        st.session_state["own_picture_file"] = {"picture": told}
        room._sent()

    at = AppTest.from_function(script, args=(b64encode(data).decode(),)).run()
    assert not at.exception
    return {
        key: at.session_state[key] for key in (room._READ, room._REFUSED) if key in at.session_state
    }


def test_what_the_browser_sends_is_read():
    out = BytesIO()
    Image.fromarray(PIXELS).save(out, "PNG")
    found = sent(out.getvalue())
    assert found[room._READ] == PICTURE == read_own_picture(out.getvalue())
    assert room._REFUSED not in found


@pytest.mark.parametrize(("data_type", "full"), [("UINT8", 255), ("INT32", 255), ("FLOAT16", 1)])
def test_full_brightness_follows_from_the_type_alone(data_type, full):
    asked = {"sizes": "1,3,4,5", "data_type": data_type, **NAMED}
    own = read_parameters("tile", asked, PICTURE).state
    assert own is not None
    assert own.tensors.full == full
    other = read_parameters("tile", {**asked, "picture": "cat"}, PICTURE).state
    assert other is not None
    assert other.tensors.full is None


@pytest.mark.parametrize("data", [b"", b"<svg/>", b"\x89PNG\r\n\x1a\n"])
def test_anything_else_is_refused_in_a_sentence(data):
    found = sent(data)
    assert found[room._REFUSED].startswith("picture:")
    assert room._READ not in found


def test_a_part_is_cropped_scaled_and_shown(explorer):
    shown = explorer("tile", sizes="1,1,2,3", repeats="1,1,1,2", values="picture")
    shown.set(picture=OWN)
    shown.refused("choose your picture first")
    shown.at.session_state[room._READ] = PICTURE
    shown.at.session_state["own_picture_columns"] = (0, 50)
    shown.widget("own_picture").click().run()
    shown.at.button(key="own_picture_use").click().run()
    shown.drawn()
    part = PICTURE.cropped((0, 100), (0, 50))
    assert shown.at.session_state["own_picture"] == part
    assert (shown.value("sizes"), shown.value("data_type")) == ("1, 3, 48, 40", "UINT8")
    drawn = part.draw((1, 3, 48, 40), "UINT8")
    assert shown.output == [str(v) for v in np.tile(drawn, (1, 1, 1, 2)).ravel().tolist()]
    # the address names it and holds none of it
    assert shown.at.query_params["picture"] == OWN
    assert set(shown.at.query_params) <= {"sizes", "data_type", "values", "picture", "repeats"}
    # every page of the session has it, nobody else's
    shown.open("slice", sizes="1,3,6,5", data_type="UINT8", **NAMED).drawn()
    assert shown.warnings == []
    assert shown.value("picture") == OWN


def test_elsewhere_a_built_in_picture_takes_its_place(explorer):
    shown = explorer("slice", sizes="1,3,6,5", data_type="UINT8", **NAMED)
    shown.drawn()
    (told,) = shown.warnings
    assert "the picture is missing" in told
    assert "Sailboat" in told
    assert (shown.value("values"), shown.value("picture")) == ("picture", "sailboat")


WITH_INPUT = [cls for cls in OPERATORS if cls.input_slots]


@pytest.mark.parametrize("cls", WITH_INPUT, ids=lambda cls: cls.key)
def test_every_operator_takes_it(cls):
    state = first_state(cls.key)
    assert "picture" in value_options(cls)
    typed = {**NAMED, "data_type": "FLOAT32", "sizes": ",".join(map(str, state.sizes))}
    opened = read_parameters(cls.key, typed, PICTURE)
    assert opened.problems == ()
    found = next(iter(opened.state.inputs().values()))
    assert (found.shape, found.dtype) == (state.sizes, np.float32)
    assert 0 <= found.min() < found.max() <= 1
    again = read_parameters(cls.key, opened.state.parameters(), PICTURE)
    assert again.state == opened.state
    if 4 in cls.ranks_ever():
        assert state.operator().picture_sizes(3, 24, 24)[0] == 1


@pytest.mark.parametrize("key", ["depth-to-space", "space-to-depth"])
def test_blocks_get_sizes_that_they_divide(key):
    operator = first_state(key).operator()
    sizes = operator.picture_sizes(3, 25, 31)
    assert operator.problems(sizes, None) == []
    assert sizes[1] * sizes[2] * sizes[3] <= 3 * 25 * 31
