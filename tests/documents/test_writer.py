"""What the writer writes, the reader reads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.documents import read_document, verify, write_example
from dmlviz.tensors import DATA_TYPES
from tests.strategies import bits, runs


def same(ours, theirs):
    """Bit by bit; a NaN is written as NaN, whatever its payload."""
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    differing = bits(ours) != bits(theirs)
    if ours.dtype.kind == "f":
        differing &= ~(np.isnan(ours) & np.isnan(theirs))
    return not differing.any()


@given(runs(), st.booleans())
def test_round_trip(run, inside_a_page):
    operator, x = run
    trace = dmlviz.run(operator, x)
    written = write_example(operator, x, trace.output, named=not inside_a_page)
    if inside_a_page:
        written = f"# {operator.structure}\n\n## Example 1\n\n```\n{written}\n```\n"
    document = read_document(written)
    assert document.all_findings == ()
    assert document.structure == operator.structure
    (example,) = document.examples
    assert type(example.operator) is type(operator)
    assert example.operator.documented == operator.documented
    assert same(example.x, x)
    assert same(example.expected, trace.output)
    (verdict,) = verify(document)
    assert verdict.status == "match"


@given(st.lists(runs().filter(lambda run: run[1].size < 50), min_size=2, max_size=4))
def test_several_on_one_page(found):
    """Each stands for itself: nothing of one is taken for another's."""
    key = type(found[0][0])
    found = [(operator, x) for operator, x in found if type(operator) is key]
    page = key.structure + "".join(
        f"\n\nExample {n}\n\n"
        + write_example(operator, x, dmlviz.run(operator, x).output, named=False)
        for n, (operator, x) in enumerate(found, 1)
    )
    document = read_document(page)
    assert [e.title for e in document.examples] == [
        f"Example {n}" for n in range(1, len(found) + 1)
    ]
    for example, (operator, x) in zip(document.examples, found, strict=True):
        assert example.operator.documented.items() >= operator.documented.items()
        assert same(example.x, x)
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
