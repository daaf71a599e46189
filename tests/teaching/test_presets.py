"""Every preset: it opens what it says, and its answer is what an engine gives."""

from __future__ import annotations

import re
import tomllib
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.base.words import speaking
from dmlviz.operators import OPERATORS
from dmlviz.states import View, first_state, read_link
from dmlviz.teaching.presets import preset, presets, presets_of
from tests.every import every

ALL = presets()
OPEN = [found for found in ALL if found.opens]
REFUSED = [found for found in ALL if not found.opens]
REFLECTED = ("padding-reflection-as-large", "padding-reflection-larger", "padding-onnx-example")
# by operator: words of each answer, and what is on screen, by output if there are several
EXPECTED = {
    path.stem.replace("_", "-"): tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "answers").glob("*.toml"))
}


def name(found):
    return found.key


def test_keys_are_unique_and_begin_with_their_operator():
    keys = [found.key for found in ALL]
    assert len(set(keys)) == len(keys)
    for found in ALL:
        assert found.key.startswith(f"{found.state.key}-")
        assert re.fullmatch("[a-z0-9-]+", found.key)
        assert preset(found.key).state == found.state


def test_there_is_no_other():
    with pytest.raises(dmlviz.Error, match=r'preset: there is no preset "tile-nothing"\.'):
        preset("tile-nothing")
    assert presets_of("engines") == ()


def alike(mine, theirs):
    """The same tensors, by name."""
    assert list(mine) == list(theirs)
    for name, array in mine.items():
        np.testing.assert_array_equal(array, theirs[name], strict=True)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_operator_has_some_and_the_second_is_its_documentation(cls):
    found = presets_of(cls.key)
    assert 5 <= len(found) <= 11
    assert {one.state.key for one in found} == {cls.key}
    assert found[1].state == first_state(cls.key)
    assert len({one.state for one in found}) == len(found)
    pictured = [one for one in found if one.pictured]
    assert found[0] in pictured
    assert 1 <= len(pictured) <= 2
    assert all(one.opens and one.second is None for one in pictured)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_the_first_is_small_and_in_plain_words(cls):
    found = presets_of(cls.key)[0]
    least = min(cls.ranks_ever())
    trace = found.trace()
    for tensor in (*trace.inputs.values(), *trace.outputs.values()):
        assert tensor.size <= 12
        assert sum(n > 1 for n in tensor.shape) <= 2
        # an operator that takes no fewer dimensions has dimensions of size 1
        assert tensor.ndim <= max(2, least)
    for language in ("en", "ko"):
        with speaking(language):
            one = presets_of(cls.key)[0]
            for text in (one.title, one.question, one.answer):
                assert not re.search("[a-z][A-Z]|[A-Z]{2}", text)


@every("found", ALL, ids=name)
def test_the_link_opens_exactly_this(found):
    opened = read_link(found.link)
    assert opened.problems == ()
    assert opened.typed == {}
    assert opened.state == found.state
    assert found.matches(opened.state)
    assert opened.state.operator() == found.operator
    assert opened.state.second() == found.state.second()
    alike(opened.state.inputs(), found.inputs)
    # and the same as from the public names
    view = {
        "compare": found.second,
        "colors": found.state.view.colors,
        "moves": found.state.view.moves,
    }
    by_hand = read_link(dmlviz.link(found.operator, found.inputs, **view)).state
    alike(by_hand.inputs(), found.inputs)
    assert (by_hand.settings, by_hand.view) == (found.state.settings, found.state.view)


@every("found", ALL, ids=name)
def test_it_asks_one_question_in_few_words(found):
    assert found.question.endswith("?")
    assert found.question.count("?") == 1
    assert len(found.question) <= 100
    assert len(found.title) <= 34
    assert found.answer.endswith(".")
    assert "{" not in re.sub(r"\{[0-9, ]+\}", "", found.answer), "a placeholder was left"


@pytest.mark.parametrize("key", EXPECTED)
def test_its_answers_say_what_stands_there(key):
    presets = {found.key.removeprefix(f"{key}-"): found for found in presets_of(key)}
    assert list(presets) == list(EXPECTED[key])
    for name, expected in EXPECTED[key].items():
        found = presets[name]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            answer = found.answer
        for words in expected["says"]:
            assert words in answer, (name, answer)
        assert bool(found.refusal) == expected.get("refused", False), name
        if "output" in expected:
            screen(found.trace().outputs, expected["output"])


def screen(outputs, expected):
    """The tensors on screen: nested lists by name, or one alone."""
    named = expected if isinstance(expected, dict) else dict.fromkeys(outputs, expected)
    assert list(outputs) == list(named)
    for name, output in outputs.items():
        real = output.dtype if output.dtype.kind == "f" else None
        due = np.array(named[name], real)
        assert output.shape == due.shape
        np.testing.assert_array_equal(output, due)


@every("found", OPEN, ids=name)
def test_another_engine_gives_the_same(found):
    assert found.refusal == ""
    ran = found.trace()
    assert ran.agrees
    second = found.second_trace().outputs
    if "onnxruntime" in [engine.name for engine in dmlviz.engines() if engine.available]:
        for operator, due in (
            (found.operator, ran.outputs),
            (found.second or found.operator, second),
        ):
            alike(dmlviz.run(operator, found.inputs, engine="onnxruntime").outputs, due)


@pytest.mark.parametrize("found", REFUSED, ids=name)
def test_what_is_refused_is_refused_on_purpose(found):
    with pytest.raises(dmlviz.Error) as refused:
        found.trace()
    assert str(refused.value) == found.refusal
    assert found.answer.startswith(f"No. {found.refusal}")
    assert not found.pictured


@pytest.mark.parametrize("key", REFLECTED)
def test_onnx_runtimes_own_pad_refuses_what_is_said_to_be_refused(key):
    if not any(e.name == "onnxruntime" and e.available for e in dmlviz.engines()):
        pytest.skip("ONNX Runtime is not here")
    found = preset(key)
    # runtimes before 1.25 answer with memory that is not the tensor's: they are not asked
    words = "INVALID_ARGUMENT|reads memory beyond the tensor"
    with pytest.raises(dmlviz.EngineRefused, match=words):
        dmlviz.run(found.operator, found.inputs, engine="onnxruntime", form="native")


def test_libraries_are_as_the_answers_say():
    row = np.array([1, 2, 3])
    np.testing.assert_array_equal(
        np.repeat(row, 2), preset("tile-repeats-elements").trace().output.ravel()
    )
    one = preset("tile-or-broadcast")
    np.testing.assert_array_equal(np.broadcast_to(one.x, (4, 3)), one.trace().output)
    with pytest.raises(ValueError, match="broadcast"):
        np.broadcast_to(one.trace().output, (8, 3))
    # PixelShuffle as PyTorch writes it: n, c, r, r, h, w
    shuffle = preset("depth-to-space-pixel-shuffle")
    turned = shuffle.x.reshape(1, 2, 2, 2, 1, 2).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 2, 4)
    np.testing.assert_array_equal(shuffle.trace().output, turned)


def test_the_last_of_three_lines_copies():
    x = preset("depth-to-space-transpose").x
    one = x.reshape(1, 2, 2, 2, 1, 2)
    two = one.transpose(0, 3, 4, 1, 5, 2)
    three = two.reshape(1, 2, 2, 4)
    assert [np.shares_memory(x, y) for y in (one, two, three)] == [True, True, False]


def test_engine_and_layout_are_no_other_question():
    found = preset("tile-channels")
    for view in (View(engine="onnxruntime"), View(directions=((0, "down"),)), View(step=2)):
        assert found.matches(replace(found.state, view=view))
    other = View(compare=found.state.settings)
    assert not found.matches(replace(found.state, view=other))
    assert not found.matches(preset("tile-documentation").state)
