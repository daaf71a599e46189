"""Presets in the app: each opens in both themes, asks its question, and leaves with its state."""

from __future__ import annotations

import pytest

from dmlviz.engines.recorded import recorded
from dmlviz.operators import OPERATORS
from dmlviz.teaching.presets import preset, presets, presets_of
from dmlviz.tensors import print_label, print_tensor
from tests.app.conftest import output_labels

pytestmark = pytest.mark.slow

ALL = presets()


def page_of(found):
    return found.state.key.replace("-", "_")


def question_of(shown):
    """The question on the page, or None; its answer is not there until somebody wants it."""
    rows = [list(row.children.values())[:2] for row in shown.at.get("flex_container")]
    found = [row for row in rows if [each.type for each in row] == ["markdown", "button"]]
    found = [row for row in found if row[1].label in ("Answer", "Play answer")]
    assert len(found) <= 1
    return found[0][0].value if found else None


def asked(found):
    return f"**{found.question}**"


def check_answer(session, found):
    """Press Answer: the text comes, and the stage marks the cells that it names; then hide it."""

    def answered():
        return found.answer in [told.value for told in session.at.markdown]

    def judged():
        words = (" elements differ, first at ", "same output, all", "have different sizes")
        return any(word in text.value for text in session.at.markdown for word in words)

    button = f"answer_{found.key}"
    assert not answered()
    # how much differs is often the question
    assert not judged()
    before = [stage["link"] for stage in session.stages]
    session.widget(button).click().run()
    assert session.exceptions == []
    assert answered()
    assert judged() == (found.state.second() is not None and found.opens)
    after = [stage["link"] for stage in session.stages]
    assert all(link["answers"] for link in after)
    assert [link["opened"] for link in after] == [link["opened"] + 1 for link in before]
    session.widget(button).click().run()
    assert not answered()
    return after[0]["view"]["pinned"] if after else []


def output_of(stage):
    """An output's labels, flat."""
    return output_labels(stage["payload"])


@pytest.mark.parametrize(
    ("found", "theme"),
    [
        *((found, "light") for found in ALL),
        # pages differ in the dark by their colors alone
        *((presets_of(cls.key)[0], "dark") for cls in OPERATORS),
    ],
    ids=lambda one: getattr(one, "key", one),
)
def test_it_opens_in_both_themes(session, found, theme):
    session.at.context["theme"] = theme
    session.open(page_of(found), **found.state.parameters(whole=True))
    assert session.exceptions == []
    assert session.warnings == []
    assert question_of(session) == asked(found)
    assert session.value("preset") == found.key
    if not found.opens:
        # the refusal is the answer
        assert session.errors == []
        next(button for button in session.at.button if button.label == "Answer").click().run()
        session.whole()
        # on the page it begins with the label of the widget
        session.refused(found.refusal.partition(": ")[2])
        known = recorded(found.operator, found.inputs)
        outputs = known.outputs if known else {}
        # what DirectML does with it, wherever it was recorded
        assert [code.value for code in session.at.code] == [
            print_tensor(name, output) for name, output in outputs.items()
        ]
        return
    assert session.errors == []
    traces = [found.trace()] + ([found.second_trace()] if found.second else [])
    # one stage, whichever settings are compared on it
    assert [output_of(stage) for stage in session.stages] == [
        [
            print_label(value)
            for trace in traces
            for output in trace.outputs.values()
            for value in output.flat
        ]
    ]
    if theme == "light":
        check_answer(session, found)


def test_the_answer_marks_its_cells_until_another_question_is_asked(session):
    one = preset("padding-edge-or-wrap")
    session.open("padding", **one.state.parameters(whole=True))
    # three of A, and three of B, whose cells are counted after the ten of A
    assert check_answer(session, one) == [0, 1, 2, 10, 11, 12]
    session.widget(f"answer_{one.key}").click().run()
    session.whole()
    other = preset("padding-reflection-as-large")
    session.set(preset=other.key)
    assert question_of(session) == asked(other)
    assert [stage["link"]["answers"] for stage in session.stages] == [False]
    session.set(preset=one.key)
    assert one.answer not in [told.value for told in session.at.markdown]


@pytest.mark.parametrize("page", ["tile", "depth_to_space", "space_to_depth", "padding"])
def test_one_after_the_other_by_the_choice(explorer, page):
    shown = explorer(page)
    found = presets_of(page.replace("_", "-"))
    assert shown.widget("preset").options == [one.title for one in found]
    assert question_of(shown) == asked(found[1])
    for one in [found[0], *found[2:], found[1]]:
        shown.set(preset=one.key)
        assert shown.exceptions == []
        assert question_of(shown) == asked(one)
        # what the player keeps by itself is not the server's to write
        words = one.state.without_player().parameters()
        assert dict(shown.at.query_params) == words
        looks = {(s["link"]["view"]["moves"], s["link"]["view"]["colors"]) for s in shown.stages}
        assert looks == ({(one.state.view.moves, one.state.view.colors)} if one.opens else set())


def test_another_state_asks_nothing_and_the_same_state_asks_again(explorer):
    shown = explorer("tile", **preset("tile-or-repeat").state.parameters(whole=True))
    shown.set(repeats_0=3)
    assert question_of(shown) is None
    assert shown.value("preset") is None
    shown.set(repeats_0=2)
    assert question_of(shown) == asked(preset("tile-or-repeat"))


def test_other_looks_keep_the_question(explorer):
    shown = explorer(
        "padding",
        **preset("padding-reflection-as-large").state.parameters(whole=True),
        step="2",
        engine="onnxruntime",
    )
    assert question_of(shown) == asked(preset("padding-reflection-as-large"))
    shown.set(feature_level="1_0")
    assert question_of(shown) is None


def test_nothing_to_ask_while_there_is_something_to_mend(explorer):
    shown = explorer("tile").set(sizes="words")
    assert question_of(shown) is None
    shown.set(preset="tile-or-broadcast")
    shown.drawn()
    assert question_of(shown) == asked(preset("tile-or-broadcast"))


def test_embedded_there_is_only_the_stage(session):
    session.at.context["is_embedded"] = True
    session.open("tile", **preset("tile-or-repeat").state.parameters(whole=True))
    assert question_of(session) is None
    assert not session.has("preset")
    assert len(session.stages) == 1
