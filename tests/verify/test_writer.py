"""What the writer writes, the reader reads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.teaching.presets import presets
from dmlviz.tensors import DATA_TYPES
from dmlviz.verify import forms_of, read_document, verify, write_example
from tests.every import every
from tests.strategies import any_runs, bits


def small(run):
    return sum(x.size for x in run[1].values()) < 50


def same(ours, theirs):
    """Bit by bit; a NaN is written as NaN, whatever its payload."""
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    differing = bits(ours) != bits(theirs)
    if ours.dtype.kind == "f":
        differing &= ~(np.isnan(ours) & np.isnan(theirs))
    return not differing.any()


def check_read(example, trace):
    """An example is what was written, tensor by tensor."""
    assert type(example.operator) is type(trace.operator)
    assert example.operator.documented == trace.operator.documented
    for ours, theirs in ((example.inputs, trace.inputs), (example.outputs, trace.outputs)):
        assert list(ours) == list(theirs)
        assert all(same(ours[name], theirs[name]) for name in ours)


@given(any_runs(), st.booleans())
def test_round_trip(run, inside_a_page):
    operator, inputs = run
    trace = dmlviz.run(operator, inputs)
    written = write_example(operator, trace.inputs, trace.outputs, named=not inside_a_page)
    if inside_a_page:
        written = f"# {operator.structure}\n\n## Example 1\n\n```\n{written}\n```\n"
    document = read_document(written)
    assert document.all_findings == ()
    assert document.structure == operator.structure
    (example,) = document.examples
    check_read(example, trace)
    (verdict,) = verify(document)
    assert verdict.status == "match"


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_the_examples_of_every_operator(cls):
    for example in cls.examples():
        trace = dmlviz.run(example.operator, example.x)
        document = read_document(write_example(example.operator, trace.inputs, trace.outputs))
        assert document.all_findings == ()
        check_read(document.examples[0], trace)
        # single tensors, too
        if len(trace.inputs) == len(trace.outputs) == 1 and not cls.input_slots[0].most:
            alone = write_example(example.operator, trace.x, trace.output)
            assert alone == write_example(example.operator, trace.inputs, trace.outputs)


SHOWN = [(preset.key, which, preset) for preset in presets() for which in ("trace", "second_trace")]


@every(("key", "which", "preset"), SHOWN, ids=lambda part: part if isinstance(part, str) else "")
def test_every_preset(key, which, preset):
    """The app offers each of them as a documentation example, for a page of its own or another's."""
    if not preset.opens:
        with pytest.raises(dmlviz.Error):
            getattr(preset, which)()
        return
    trace = getattr(preset, which)()
    for named in (True, False):
        written = write_example(trace.operator, trace.inputs, trace.outputs, named=named)
        page = written if named else f"# {trace.operator.structure}\n\n```\n{written}\n```\n"
        document = read_document(page)
        assert document.all_findings == ()
        assert document.structure == trace.operator.structure
        check_read(document.examples[0], trace)
        assert [verdict.status for verdict in verify(document)] == ["match"]
    for form in forms_of(trace.operator, trace.inputs, trace.outputs):
        written = write_example(trace.operator, trace.inputs, trace.outputs, form=form)
        document = read_document(written)
        assert document.structure == form.structure
        assert {found.rule for found in document.all_findings} <= {"other-form", "remark"}
        (example,) = document.examples
        assert [verdict.status for verdict in verify(document)] == ["match"]
        for name, y in trace.outputs.items():
            assert same(example.outputs[name], y)


ZEROS = np.zeros((2, 3), np.int16)
OTHERS = [
    # a window that ends after the last element
    (dmlviz.Slice((1,), (4,), (2,)), np.int8([1, 2, 3, 4, 5]), True),
    (dmlviz.Slice((1,), (3,), (-2,)), np.int8([1, 2, 3, 4, 5]), False),
    (dmlviz.DiagonalMatrix(7, 1, 2), ZEROS, True),
    (dmlviz.DiagonalMatrix(7, 1, 3), ZEROS, False),
    (dmlviz.DiagonalMatrix(7, 1, 2), ZEROS + 1, False),
    (dmlviz.DepthToSpace(2, "COLUMN_ROW_DEPTH"), np.zeros((1, 8, 1, 1), np.int8), False),
    (dmlviz.Padding("CONSTANT", (1,), (0,), 0.1), np.float64([1]), False),
    (dmlviz.Padding("CONSTANT", (1,), (0,), 0.1), np.float32([1]), True),
    (dmlviz.TopK(0, 1, "INCREASING"), np.float32([3, 4]), False),
    (dmlviz.TopK(0, 1, "INCREASING"), np.float32([3, 3]), True),
]


@pytest.mark.parametrize(("operator", "x", "possible"), OTHERS)
def test_what_another_structure_can_do(operator, x, possible):
    """The same elements have to come to the same places, and not only the same values."""
    trace = dmlviz.run(operator, x)
    form = operator.older_forms[0]
    given = (operator, trace.inputs, trace.outputs)
    assert (form in forms_of(*given)) == possible
    if not possible:
        with pytest.raises(dmlviz.Error):
            write_example(*given, form=form)
        return
    written = write_example(*given, form=form)
    assert written.startswith(form.structure)
    assert not any(f"{name}:" in written for name in form.without)
    assert [verdict.status for verdict in verify(read_document(written))] == ["match"]


def test_tensors_that_the_operator_does_not_have():
    x = np.int8([1])
    with pytest.raises(dmlviz.Error, match='there is no tensor "OutputTensor"; the tensors are'):
        write_example(dmlviz.Split(0, (1,)), x, {"OutputTensors[0]": x, "OutputTensor": x})
    with pytest.raises(dmlviz.Error, match="IndicesTensor is missing"):
        write_example(dmlviz.Gather(0, 1), x, x)


@given(st.lists(any_runs().filter(small), min_size=2, max_size=4))
def test_several_on_one_page(found):
    """Each stands for itself: nothing of one is taken for another's."""
    key = type(found[0][0])
    traces = [dmlviz.run(*run) for run in found if type(run[0]) is key]
    page = key.structure + "".join(
        f"\n\nExample {n}\n\n"
        + write_example(trace.operator, trace.inputs, trace.outputs, named=False)
        for n, trace in enumerate(traces, 1)
    )
    document = read_document(page)
    assert [e.title for e in document.examples] == [
        f"Example {n}" for n in range(1, len(traces) + 1)
    ]
    for example, trace in zip(document.examples, traces, strict=True):
        assert example.operator.documented.items() >= trace.operator.documented.items()
        assert all(same(x, trace.inputs[name]) for name, x in example.inputs.items())
    assert {verdict.status for verdict in verify(document)} == {"match"}


@pytest.mark.parametrize("data_type", DATA_TYPES)
def test_every_data_type_and_its_limits(data_type):
    dtype = DATA_TYPES[data_type].dtype
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        tiny = limits.smallest_subnormal
        values = [limits.max, limits.min, tiny, -0.0, 0, np.nan, np.inf, -np.inf, 1 / 3]
    else:
        limits = np.iinfo(dtype)
        values = [limits.max, limits.min, 0, 1]
    x = np.array(values, dtype)
    operator = dmlviz.Tile((2,))
    document = read_document(write_example(operator, x, np.tile(x, 2)))
    assert document.all_findings == ()
    assert same(document.examples[0].x, x)
    assert [verdict.status for verdict in verify(document)] == ["match"]


@pytest.mark.parametrize(
    "value", [-0.0, 0.1, float(np.float32(0.1)), 1e30, np.nan, np.inf, -np.inf]
)
def test_padding_values(value):
    operator = dmlviz.Padding("CONSTANT", (1,), (0,), value)
    x = np.float32([1])
    document = read_document(write_example(operator, x, dmlviz.run(operator, x).output))
    assert document.all_findings == ()
    (example,) = document.examples
    found = np.float64([example.operator.padding_value])
    assert same(found.astype(np.float32), np.float64([value]).astype(np.float32))
    assert [verdict.status for verdict in verify(document)] == ["match"]
