"""The section that names what a movement is the same as."""

import pytest

TILE = {"sizes": "1,1,2,3", "values": "count-1", "repeats": "1,1,2,2"}
CODE = {
    "code": "x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 6)",
    "library": "numpy",
    "sizes": "x:1,8,2,3",
}


@pytest.mark.parametrize(
    ("page", "words", "due"),
    [
        ("tile", TILE, "repeat(x, 'n c h w"),
        ("code", CODE, "F.pixel_shuffle(x, 2)"),
        ("code", CODE, "DepthToSpace(block_size=2"),
    ],
)
def test_it_names_lines_and_operators(session, page, words, due):
    session.at.session_state[f"{page}_more"] = ["same"]
    session.open(page, sections=False, **words)
    assert not session.at.exception
    assert any(one.value.startswith(due) for one in session.at.code)


# only the operator's own calls, where several inputs move
def test_an_operator_with_indices_has_its_own_calls(session):
    session.at.session_state["scatter_more"] = ["same"]
    session.open("scatter", sections=False)
    assert not session.at.exception
    assert any(one.value.startswith("op.ScatterElements(") for one in session.at.code)
    assert "The same for every IndicesTensor:" in [one.value for one in session.at.caption]


# its values say where they move
def test_nothing_is_named_where_nothing_is_known(session):
    session.at.session_state["top_k_more"] = ["same"]
    session.open("top_k", sections=False)
    assert not session.at.exception
    assert not session.at.code
