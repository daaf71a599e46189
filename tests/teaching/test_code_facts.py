"""The facts of code: what the reader and the engine say, by name."""

import re

import pytest

from dmlviz.base.errors import Error
from dmlviz.states.pages import read_any_link, refusals_of
from dmlviz.teaching.claims import holds
from dmlviz.teaching.code_facts import CodeFacts
from dmlviz.teaching.facts import facts_of, fill, operator_keys
from dmlviz.teaching.operator_facts import OperatorFacts
from dmlviz.teaching.posed import Posed
from dmlviz.teaching.state_facts import PARTS, declared_facts, table

BOTH = "/code?code=a,+b+%3D+x.reshape(3,+2),+x.T&sizes=x:2,3"
VIEWS = "/code?code=t+%3D+x.T%0Ay+%3D+t.contiguous()%0At,+y&library=torch&sizes=x:2,3"
REFUSED = "/code?code=x.T.view(6)&library=torch&sizes=x:2,3"
ONE = "/code?code=y+%3D+x.expand(3,+4)&library=torch&sizes=x:4"


@pytest.mark.parametrize(
    ("link", "fact", "answer"),
    [
        (BOTH, "a[0, :]", "1, 2"),
        (BOTH, "b[0, :]", "1, 4"),
        (BOTH, "x", "1, 2, 3, 4, 5, 6"),
        (BOTH, "source of b[0, :]", "[0, 0], [1, 0]"),
        (BOTH, "source[1] of b[:, 1]", "0, 1, 2"),
        (BOTH, "copy of x[1, 0]", "a[1, 1]"),
        (BOTH, "copy of x[1, 0] in b", "[0, 1]"),
        (BOTH, "copy[1] of x[1, 0] in b", "1"),
        (BOTH, "copies of x[1, 0]", "2"),
        (BOTH, "copies of x[1, 0] in b", "1"),
        (BOTH, "first difference of a and b", "[0, 1]"),
        (BOTH, "first difference of a and a", "nothing"),
        (BOTH, "differing of a and b", "4"),
        (BOTH, "sizes of b[0] · sizes of b[1]", "6"),
        (BOTH, "elements − 2", "10"),
        (BOTH, "rank", "2"),
        (BOTH, "steps", "6"),
        (BOTH, "refused", "nothing"),
        (BOTH, "message", ""),
        (VIEWS, "memory of t", "x"),
        (VIEWS, "memory of y", "y"),
        (VIEWS, "strides of t", "{1, 3}"),
        (VIEWS, "strides of y[0]", "2"),
        (VIEWS, "views of x", "t"),
        (VIEWS, "copying calls", "contiguous"),
        (BOTH, "views of x", "a, b"),
        (BOTH, "copying calls", "nothing"),
        (ONE, "places of y", "4"),
        (ONE, "strides of y", "{0, 1}"),
        (ONE, "calls", "1"),
        (ONE, "formula", "y[h, w] = x[w]"),
        (REFUSED, "refused", "view"),
        (REFUSED, "x[1, :]", "4, 5, 6"),
        (ONE, f"memory of t at {VIEWS}", "x"),
    ],
)
def test_what_can_be_asked(link, fact, answer):
    assert facts_of(link)(fact) == answer
    assert fill(f"It is {{{fact}}}.", link) == f"It is {answer}."
    assert holds(f"{fact} = {answer}", link)
    assert not holds(f"{fact} = 99", link)


@pytest.mark.parametrize(
    "fact",
    [
        *("nothing", "z[0]", "a[0]", "a[0, 2]", "source of z[0]", "copy of a[0, 0]"),
        *("copy of x[0, :]", "copy of x[0, 0] in z", "memory of z", "places of a[0]"),
        *("strides of a[2]", "first difference of a and x", "elements + ", "elements + nothing"),
        "elements" + " + 1" * 99,
    ],
)
def test_what_cannot_be_asked_is_said(fact):
    with pytest.raises(Error):
        facts_of(BOTH)(fact)


def test_a_refusal_has_a_message_and_no_tensors():
    facts = facts_of(REFUSED)
    (problem,) = facts.problems
    assert facts("message") == problem.message
    assert [each.message for each in refusals_of(facts.state)] == [problem.message]
    assert facts.state.inputs().keys() == {"x"}
    with pytest.raises(Error):
        facts("out[0]")


def test_one_link_opens_any_page():
    assert read_any_link(BOTH).problems == ()
    assert read_any_link("/tile?sizes=2").state.key == "tile"
    assert [p.field for p in read_any_link("/code?code=x.T&sizes=x:0").problems] == ["x.sizes"]
    assert [p.field for p in read_any_link("/nowhere").problems] == ["page"]
    assert operator_keys(["/tile", BOTH, "/slice", "/tile"]) == ("tile", "slice")


def test_the_code_stands_with_a_question_unless_it_is_the_question():
    assert Posed("?", ONE).runs == "PyTorch \u00b7 y = x.expand(3, 4)"
    assert Posed("?", VIEWS).runs.splitlines() == [
        "PyTorch",
        "t = x.T",
        "y = t.contiguous()",
        "t, y",
    ]
    assert Posed("?", VIEWS, quiet=("code",)).runs == ""
    assert not Posed("?", "/tile").runs_code


def test_inputs_and_scene_are_those_of_the_call_on_the_stage():
    state = read_any_link(f"{ONE.replace('x.expand', 'x[::2].repeat(2).expand')}&call=2").state
    assert {name: x.tolist() for name, x in state.inputs().items()} == {"t1": [1, 3]}
    (scene,) = state.scenes()
    assert scene.strip.call == 2


@pytest.mark.parametrize("kind", [OperatorFacts, CodeFacts])
def test_every_fact_says_what_it_answers(kind):
    texts = [text for each in declared_facts(kind) for text in each.texts]
    assert len(texts) == len({*texts})
    for asked, meaning in table(kind):
        assert meaning.endswith("."), asked
        assert {*re.findall(r"\{\w+\}", asked)} <= PARTS.keys(), asked


def test_what_another_run_is_asked_is_what_its_own_link_answers():
    compared = "/tile?sizes=1,3&values=count-1&repeats=1,2&b_repeats=2,1&compare=true"
    assert facts_of(compared)("other sizes") == "{2, 3}"
    assert facts_of(compared)("other source of out[1, 0]") == "in[0, 0]"
    assert facts_of(compared)("other[1, 0]") == facts_of(compared)("other out[1, 0]") == "1"
    with pytest.raises(Error, match="compares nothing"):
        facts_of("/tile?sizes=2")("other sizes")
