"""The page for code with tensors that are too large to draw: an excerpt, an element of it, and the
same code with small numbers."""

import json

import numpy as np
import pytest

from dmlviz.base.errors import Error
from dmlviz.live.page import answer
from dmlviz.picture.payload import payload
from dmlviz.picture.runs import sizes_on_stage
from dmlviz.states import code as states
from dmlviz.states.code_small import small_code
from dmlviz.states.pages import changed, form_of, predicting, read_page
from dmlviz.states.same import same_of
from tests.every import every

PATCHES = (
    "b, c, h, w = x.shape\n"
    "x = x.reshape(b, c, h // 16, 16, w // 16, 16)\n"
    "x.permute(0, 2, 4, 3, 5, 1).reshape(b, (h // 16) * (w // 16), -1)"
)
IMAGE = {"code": PATCHES, "sizes": "x:1,3,224,224"}


def opened(**parameters):
    return read_page("code", parameters)


def rows(state):
    return {row.name: row for group in form_of(state) for row in group.fields}


def test_a_link_at_the_limit_opens_and_one_beyond_says_so():
    assert not opened(code="x.T", sizes="x:2048,2048").problems
    (problem,) = opened(code="x.T", sizes="x:2048,2049").problems
    assert "4,196,352 elements; the limit is 4,194,304" in problem.message
    state = opened(**IMAGE).state
    assert state.problems() == []
    assert state.tensors.sizes == {"x": (1, 3, 224, 224)}
    assert opened(**state.parameters()).state == state


def test_a_pinned_element_may_be_anywhere():
    found = opened(**IMAGE, pinned="0,100,300")
    state, picture = found.state, found.state.scene()
    assert not found.problems
    (cell,) = state.view.look(sizes_on_stage(picture.trace))["pinned"]
    assert picture.output.at(cell)[1] == (0, 100, 300)
    assert picture.input.at(int(picture.source[cell]))[1] == (0, 0, 118, 36)
    # it stays where the player alone keeps pins
    again = opened(**state.without_player().parameters()).state
    assert again.middle == (0, 100, 300)
    # what is outside the part is no pin
    elsewhere = opened(**IMAGE, pinned="0,100,300;0,5,5").state
    assert len(elsewhere.view.look(sizes_on_stage(picture.trace))["pinned"]) == 1


def test_small_tensors_have_no_excerpt_and_no_row():
    state = opened(code="x.T", sizes="x:2,3", pinned="1,1").state
    assert state.middle == ()
    assert "middle" not in rows(state)
    assert "middle" in rows(opened(**IMAGE).state)


def test_nothing_of_an_excerpt_is_predicted():
    assert predicting(opened(code="x.T", sizes="x:2,3", predict="true").state)
    assert not predicting(opened(**IMAGE, predict="true").state)
    assert opened(code="x.expand(500, 500)", sizes="x:1,1", predict="true").state.is_large


def test_the_row_moves_the_excerpt():
    state = changed(opened(**IMAGE).state, "middle", "0, 195, 767")
    assert state.scene().trace.places["out"][1][-1] == 195
    assert "middle=0,195,767" in state.address()
    assert changed(state, "middle", " ").middle == ()


@every("text", ["a", "0,1", "0,196,0", "-1,0,0", "0,0,0,0", "1" * 50, ","])
def test_no_element_is_one_sentence(text):
    with pytest.raises(Error, match=r"^middle: "):
        changed(opened(**IMAGE).state, "middle", text)


def test_the_element_of_an_output_has_its_number():
    state = opened(code="x, x.T", sizes="x:300,400", middle="1,399,0").state
    places = state.scene().trace.places
    assert [name for name, own in places.items() if 399 in own[0]] == ["out1"]


def test_large_values_are_not_listed():
    state = opened(**IMAGE).state
    with pytest.raises(Error, match="150,528 elements; the limit is 65,536"):
        changed(state, "x.values", "own")
    assert changed(state, "x.values", "random").scene().trace.places


def test_a_large_chain_is_sent_without_its_elements():
    picture = opened(**IMAGE).state.scene()
    sent = payload(picture)
    assert [tensor["numbers"] for tensor in sent["strip"]["tensors"]] == [None] * 4
    assert len(json.dumps(sent)) < 100_000
    assert all(own.numbers is None for own in picture.strip.tensors)


def test_every_call_has_its_excerpt():
    for call in (1, 2, 3):
        assert opened(**IMAGE, call=str(call)).state.scene().trace.places


def test_what_is_the_same_is_so_for_all_elements():
    lines = [one.text for one in same_of(opened(**IMAGE).state.scene().trace)]
    assert any(line.startswith("rearrange(x, 'n c (h1 h2) (w1 w2)") for line in lines)
    # of one call, nothing is said
    assert same_of(opened(**IMAGE, call="2").state.scene().trace) == ()


SMALL = (
    (PATCHES, "x:1,3,224,224", "", {"x": (1, 3, 32, 32)}, {}),
    (
        "b, n, d = q.shape\nq.view(b, n, heads, d // heads).transpose(1, 2)",
        "q:1,128,768",
        "heads:12",
        {"q": (1, 3, 4)},
        {"heads": 2},
    ),
    ("x.T", "x:300,300", "", {"x": (2, 2)}, {}),
)


@pytest.mark.parametrize(("code", "sizes", "controls", "small", "numbers"), SMALL)
def test_the_same_code_with_small_numbers(code, sizes, controls, small, numbers):
    state = opened(code=code, sizes=sizes, **({"controls": controls} if controls else {})).state
    made = small_code(state)
    assert (made.code, made.reads_as) == (code, state.reads_as)
    assert {n: of for n, of in made.tensors.sizes.items() if of} == small
    assert {n: int(one.literal) for n, one in made.tensors.items() if one.is_number} == numbers
    assert made.scene().trace.places == {}
    assert made.problems() == []


def test_numbers_that_the_code_says_stay():
    state = opened(code="q.view(1, 128, 12, 64).transpose(1, 2)").state
    assert state.problems() == []
    assert np.prod(*state.tensors.sizes.values()) == 98_304
    assert small_code(state) is None


def test_a_page_without_a_server_draws_an_excerpt():
    link = opened(**IMAGE, pinned="0,100,300").state.address()
    told = answer(json.dumps({"link": link, "language": "en", "changes": []}))
    assert "The picture is an excerpt" in json.dumps(json.loads(told))


def test_a_large_link_is_not_read_and_run_again(monkeypatch):
    reads, runs = [], []
    read, run_chain = states.read, states.run_chain
    monkeypatch.setattr(states, "read", lambda *args: reads.append(args) or read(*args))
    monkeypatch.setattr(states, "run_chain", lambda *args: runs.append(args) or run_chain(*args))
    state = opened(code="x.T[:, ::-1]", sizes="x:1024,1111").state
    counts = set[tuple[int, int]]()
    for _turn in range(3):
        assert state.problems() == []
        assert state.outputs() == {"out": (1111, 1024)}
        assert state.scene().trace.places
        counts.add((len(reads), len(runs)))
    ((read_count, run_count),) = counts
    assert run_count == 1
    # the code is too large to be kept: it is read to find its sizes, for them, and for the run
    assert read_count <= 6
