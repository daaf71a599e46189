"""The page for two arrays: what lies between them is a movement, or a sentence says why not."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dmlviz.base.errors import Error
from dmlviz.live.page import view_of_state
from dmlviz.states.pages import changed, first_of, read_any_link
from dmlviz.teaching.facts import fill

PAGE = "dmlviz/app/between_page.py"


def state(before, after):
    return changed(changed(first_of("between"), "before", before), "after", after)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("[[1, 2, 3], [4, 5, 6]]", "[[1, 4], [2, 5], [3, 6]]", {"x.T"}),
        ("1 2 3; 4 5 6", "[[3 2 1]\n [6 5 4]]", {"x[:, ::-1]"}),
        ("array([[1, 2], [3, 4]])", "[1, 2, 3, 4]", {"x.reshape(4)", "x.ravel()", "x.flatten()"}),
        (
            "InputTensor: (Sizes:{3}, DataType:INT8) [7, 8, 9]",
            "[7, 8, 9, 7, 8, 9]",
            {"repeat(x, 'w -> (r1 w)', r1=2)"},
        ),
        ("[1.5, 2, -3]", "[-3, 1.5, 2]", {"np.roll(x, 1, axis=0)"}),
    ],
)
def test_the_line_makes_the_second_array(before, after, lines):
    page = state(before, after)
    assert page.problems() == []
    trace = page.trace()
    assert trace.chain.text in lines
    np.testing.assert_array_equal(trace.output, page.array("after"))
    shown = view_of_state(page)
    assert shown["problems"] == []
    assert tuple(shown["picture"]["output"]["tensors"][0]["sizes"]) == page.array("after").shape
    assert read_any_link(page.address()).state == page
    assert not read_any_link(page.address()).problems


def test_what_no_short_line_does_is_drawn_all_the_same():
    before, after = list(range(1, 31)), [*range(30, 0, -1)]
    after[3], after[11], after[17], after[21] = after[11], after[21], after[3], after[17]
    page = state(str(before), str(after))
    assert page.between().same_as == ()
    np.testing.assert_array_equal(page.trace().output, page.array("after"))
    assert page.scene().trace.source.tolist() == [n - 1 for n in after]


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("[1, 2]", "[2, 7]", "1 element of after is not in before: 7 at [1]."),
        (
            "[1, 2]",
            "[[8, 2, 9]]",
            "2 elements of after are not in before; the first is 8 at [0, 0].",
        ),
        ("[1, 1, 1, 1]", "[1, 1]", "write a different number in every place."),
        ("[0, -1]", "[-0.0, -1]", "is not in before: -0 at [0]."),
    ],
)
def test_what_is_not_determined_is_said_beside_the_second_array(before, after, sentence):
    page = state(before, after)
    (problem,) = page.problems()
    assert problem.field == "after"
    assert problem.message.endswith(sentence)
    with pytest.raises(Error):
        page.scene()
    assert view_of_state(page)["picture"] is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x", "is not a number"),
        ("[[1, 2], [3]]", "has 1 item"),
        ("[" + "1," * 70_000 + "1]", "65,536"),
    ],
)
@pytest.mark.parametrize("name", ["before", "after"])
def test_a_text_that_is_no_array_is_refused_by_its_name(name, text, words):
    with pytest.raises(Error, match=words) as refused:
        changed(first_of("between"), name, text)
    assert refused.value.field == name


def test_a_link_with_a_damaged_array_opens_the_first_one():
    opened = read_any_link("/between?before=[[1,2]&after=[1]")
    (problem,) = opened.problems
    assert problem.field == "before"
    assert opened.state.array("before").shape == (2, 3)


def test_facts_are_those_of_the_line():
    link = "/between?before=[[1,2],[3,4]]&after=[[1,3],[2,4]]"
    assert fill("{out[0, 1]} of {sizes}", link) == "3 of {2, 2}"


def page_of(**query):
    app = AppTest.from_string(
        "from dmlviz.app.between_page import between_page\nbetween_page()", default_timeout=60
    )
    for name, text in query.items():
        app.query_params[name] = text
    return app.run()


def test_the_page_shows_the_line_and_keeps_what_is_refused():
    app = page_of(before="[[1,2],[3,4]]", after="[[1,3],[2,4]]")
    assert not app.exception
    assert [code.value for code in app.sidebar.code] == ["x.T"]
    app.sidebar.text_area[1].set_value("[[1, 3], [2, 9]]").run()
    assert not app.exception
    assert any("9 at [1, 1]" in box.value for box in app.sidebar.error)
    app.sidebar.text_area[1].set_value("[[1, 3], [2,").run()
    assert app.sidebar.text_area[1].value == "[[1, 3], [2,"
    assert app.sidebar.error


def test_the_line_waits_for_a_prediction():
    app = page_of(before="[[1,2],[3,4]]", after="[[1,3],[2,4]]", predict="true")
    assert not app.exception
    assert not app.sidebar.code
