"""Which line made this output: one choice makes it, and each of the others differs where it is said."""

import re

import numpy as np
import pytest

from dmlviz.base.errors import Error
from dmlviz.code import run_code
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.kinds import KINDS
from dmlviz.teaching.sets import StateQuestion

LINKS = [
    "/between?before=[[1,2,3],[4,5,6]]&after=[[3,6],[2,5],[1,4]]",
    "/between?before=[[1,2,3],[4,5,6]]&after=[[1,4],[2,5],[3,6]]",
    "/between?before=[1,2,3]&after=[1,2,3,1,2,3]",
    "/between?before=[[1,2],[3,4]]&after=[[1,1,2,2],[3,3,4,4]]",
    "/between?before=[[[1,2],[3,4]],[[5,6],[7,8]]]&after=[[[1,5],[2,6]],[[3,7],[4,8]]]",
    "/between?before=[[1,2],[3,4]]&after=[[1,2],[3,4]]",
    "/code?code=np.roll(x,1,axis=1)&sizes=x:2,4",
]


@pytest.mark.parametrize("link", LINKS)
def test_only_the_right_line_makes_the_output(link):
    trace = state_of(link).scene().trace
    ((name, x),) = trace.inputs.items()
    posed = StateQuestion(link=link, asks="line").posed()
    assert len(posed.answers) > 1
    for answer in posed.answers:
        made = run_code(answer.text, {name: x}).output
        assert made.shape == trace.output.shape
        assert np.array_equal(made, trace.output) is not bool(answer.why), answer
        if answer.why:
            index, wrong, right = re.search(
                r"out\[(.*?)\] would hold (\S+); .* (\S+) there", answer.why
            ).groups()
            at = tuple(map(int, index.split(", ")))
            assert (f"{made[at]:g}", f"{trace.output[at]:g}") == (wrong, right)


def test_the_line_is_nowhere_before_the_answer():
    for link in LINKS:
        assert StateQuestion(link=link, asks="line").posed().runs == ""


@pytest.mark.parametrize(
    "link",
    ["/tile", "/code?code=np.stack([x,y])&sizes=x:2;y:2", "/code?code=x.T.reshape(6)&sizes=x:2,3"],
)
def test_what_is_more_than_one_line_on_one_tensor_is_refused(link):
    with pytest.raises(Error, match="choose another question"):
        KINDS["line"].on_state(state_of(link).scene(), "")
