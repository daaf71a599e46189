import numpy as np
import pytest

from dmlviz.verify.anchors import anchors
from dmlviz.verify.text import plain
from dmlviz.verify.values import VALUES_LIMIT, PageTensors, Unreadable, header_of, read_block


def read(page, data_type="FLOAT32"):
    source = plain(page)
    block = anchors(source)[0]
    return read_block(source, block, header_of(source, block), data_type)


def test_values_know_their_lines():
    tensor = read("\nInputTensor: (Sizes:{2, 2}, DataType:INT16)\n[[1,\n 2],\n\n [3, 4]]")
    np.testing.assert_array_equal(tensor.values, np.int16([[1, 2], [3, 4]]), strict=True)
    assert not tensor.values.flags.writeable
    assert tensor.lines == (3, 4, 6, 6)
    assert (tensor.label, tensor.line, tensor.data_type) == ("InputTensor", 2, "INT16")
    assert tensor.findings == tensor.contradictions == ()


@pytest.mark.parametrize(
    ("sizes", "values", "shape", "agrees"),
    [
        ("1, 1, 2, 3", "[[1, 2, 3], [4, 5, 6]]", (1, 1, 2, 3), True),
        ("2, 3", "[[[[1, 2, 3], [4, 5, 6]]]]", (2, 3), True),
        ("2, 3", "[1, 2, 3, 4, 5, 6]", (2, 3), True),
        ("3, 2", "[[1, 2, 3], [4, 5, 6]]", (2, 3), False),
        ("6", "[[1, 2, 3], [4, 5, 6]]", (2, 3), False),
        ("2, 4", "[[1, 2, 3], [4, 5, 6]]", (2, 3), False),
        ("7", "[1, 2, 3, 4, 5, 6]", (6,), False),
        ("1000000000, 1000000000", "[[1, 2, 3], [4, 5, 6]]", (2, 3), False),
    ],
)
def test_sizes_and_values(sizes, values, shape, agrees):
    tensor = read(f"InputTensor: (Sizes:{{{sizes}}}, DataType:INT8) {values}")
    assert tensor.values.shape == shape
    assert tensor.values.ravel().tolist() == [1, 2, 3, 4, 5, 6]
    (finding,) = tensor.findings if agrees else tensor.contradictions
    assert (tensor.contradictions == ()) == agrees
    assert finding.message.endswith("they agree.") == agrees
    assert finding.message.startswith(f"InputTensor: Sizes say {{{sizes}}}, ")


def test_integers_in_a_float_tensor():
    tensor = read("InputTensor: (Sizes:{2}, DataType:FLOAT16) [1, 65504]")
    np.testing.assert_array_equal(tensor.values, np.float16([1, 65504]), strict=True)
    assert tensor.findings == ()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("[1, 2,\n 3.5]", 2),
        ("[1,\n 2,\n NaN]", 3),
        ("[[1],\n [2, 3]]", 2),
        ("[]", 1),
        ("[1}", 1),
        ("[" * 9 + "1" + "]" * 9, 1),
    ],
)
def test_unreadable(words, line):
    with pytest.raises(Unreadable) as caught:
        read(f"OutputTensor: {words}", "INT8")
    assert caught.value.finding.line == line
    assert caught.value.finding.message.startswith("OutputTensor: ")
    assert "values: " not in caught.value.finding.message


def test_too_many_values():
    tensor = read("InputTensor: [" + "1," * (VALUES_LIMIT - 1) + "1]")
    assert tensor.values.size == VALUES_LIMIT
    with pytest.raises(Unreadable, match="65,536"):
        read("InputTensor: [" + "1," * VALUES_LIMIT + "1]")


def test_a_wrong_header():
    source = plain("\nInputTensor: (Sizes:{1, 0}, DataType:INT8) [[1]]")
    with pytest.raises(Unreadable) as caught:
        header_of(source, anchors(source)[0])
    assert caught.value.finding.line == 2
    assert "{1, 0}" in caught.value.finding.message


def test_each_tensor_is_read_once():
    source = plain("InputTensor: [1, 2] OutputTensor: [1, x]")
    right, wrong = anchors(source)
    tensors = PageTensors(source)
    assert tensors.read(right, "INT8") is tensors.read(right, "INT8")
    assert tensors.read(right, "INT16").values.dtype == np.int16
    findings = []
    for _again in range(2):
        with pytest.raises(Unreadable) as caught:
            tensors.read(wrong, "INT8")
        findings.append(caught.value.finding)
    assert findings[0] is findings[1]
