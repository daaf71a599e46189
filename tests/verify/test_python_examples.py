"""Python examples on a page: what is checked, what is found wrong, and what is not checked."""

import json
import re
import time
from textwrap import dedent

import numpy as np
import pytest

from dmlviz.verify import FORMATS, as_lines, as_markdown, check, document_data, read_document
from dmlviz.verify.fixes import corrected, edits
from dmlviz.verify.python_examples import EXAMPLES_LIMIT, python_examples
from dmlviz.verify.report import UNCHECKED, marks
from dmlviz.verify.verifier import MATCH, MISMATCH, SKIPPED

DOCTEST = """
    # Flip

    >>> x = np.arange(6).reshape(2, 3)
    >>> x
    array([[0, 1, 2],
           [3, 4, 5]])
    >>> x.T[::-1]
    array([[2, 5],
           [1, 4],
           [0, 3]])
    >>> np.tile(np.array([1., 2.5]), 2)
    array([1. , 2.5, 1. , 2.5])
    >>> x.shape
    (2, 3)
    >>> np.split(x, 3, axis=1)
    [array([[0],
           [3]]), array([[1],
           [4]]), array([[2],
           [5]])]
    >>> x[1, 2]
    5
    >>> x > 2
    array([[False, False, False],
           [ True,  True,  True]])
    >>> x.sum()
    15
"""
SCRIPT = """
    # Permute

    ```python
    import torch
    from einops import rearrange

    x = torch.tensor([[1, 2, 3], [4, 5, 6]])
    x.t()  # tensor([[1, 4], [2, 5], [3, 6]])
    y = x.reshape(3, 2)  # (3, 2)
    print(y)
    # tensor([[1, 2],
    #         [3, 4],
    #         [5, 6]])
    z = rearrange(x, 'a b -> (b a)')
    z  # => tensor([1, 4, 2, 5, 3, 6])
    print(z.shape)  # torch.Size([6])
    ```
"""
NODES = """
    ### <a name="Gather"></a><a name="gather">**Gather**</a>

    ```
    data = [
        [1.0, 1.2, 1.9],
        [2.3, 3.4, 3.9],
    ]
    indices = [
        [0, 2],
    ]
    axis = 1,
    output = [
        [[1.0, 1.9]],
        [[2.3, 3.9]],
    ]
    ```

    #### Examples

    ```python
    node = onnx.helper.make_node("Transpose", inputs=["data"], outputs=["out"], perm=[2, 0, 1])
    data = np.random.random_sample((2, 3, 4)).astype(np.float32)
    out = np.transpose(data, (2, 0, 1))
    expect(node, inputs=[data], outputs=[out], name="test_transpose")
    node = onnx.helper.make_node("Slice", inputs=["x", "starts", "ends"], outputs=["y"])
    x = np.random.randn(5, 4).astype(np.float32)
    starts = np.array([1, 0], dtype=np.int64)
    ends = np.array([3, 2], dtype=np.int64)
    expect(node, inputs=[x, starts, ends], outputs=[x[1:3, :2]], name="test_slice")
    node = onnx.helper.make_node("Abs", inputs=["x"], outputs=["y"])
    expect(node, inputs=[x], outputs=[abs(x)], name="test_abs")
    ```
"""
PRINTED = """
    ```python
    x = np.arange(8).reshape(2, 2, 2)
    print(x.T)
    print(x[0])
    ```

    Output:

    ```
    [[[0 4]
      [2 6]]

     [[1 5]
      [3 7]]]
    [[0 1]
     [2 3]]
    ```
"""


def page(text):
    return dedent(text).lstrip("\n")


def checked(text, name="page.md", engines=("numpy",)):
    text = page(text)
    return check(read_document(text, name), text, engines)


def said(report):
    return [(v.example.title, v.status, v.message) for v in report.verdicts]


@pytest.mark.parametrize(
    ("text", "count", "left"), [(DOCTEST, 6, 2), (SCRIPT, 5, 0), (PRINTED, 2, 0)]
)
def test_what_is_right_matches_on_every_engine(text, count, left):
    report = checked(text, engines=("numpy", "onnxruntime"))
    assert [v.status for v in report.verdicts] == [MATCH] * 2 * count, said(report)
    assert len(report.document.unchecked) == left
    assert report.problems == ()
    assert report.outcome.code == 0
    assert report.document.coverage.python.checked == count


@pytest.mark.parametrize("text", [DOCTEST, SCRIPT, PRINTED])
def test_every_number_that_is_changed_is_found_in_its_place(text):
    """Each digit of a result, one at a time: the line and the value are those of the page."""
    rows = page(text).split("\n")
    results = [
        (line, match)
        for line, row in enumerate(rows, 1)
        if not re.match(r">>>|\s*(?:x|y|z|import|from|print\(x)\b", row.replace("# ", "  ", 1))
        for match in re.finditer(r"(?<![\w.\[(])(?<!_)\d(?=[\s,\]])|(?<=\[)\d(?=[\s,\]])", row)
    ]
    unchecked = {15} if text is DOCTEST else set()
    assert len(results) >= 7
    for line, match in results:
        wrong = str((int(match[0]) + 1) % 10)
        damaged = rows.copy()
        damaged[line - 1] = rows[line - 1][: match.start()] + wrong + rows[line - 1][match.end() :]
        report = checked("\n".join(damaged))
        found = [v for v in report.verdicts if v.status == MISMATCH]
        assert len(found) == 1 or int(match[0]) in unchecked, damaged[line - 1]
        first = found[0].first_difference
        if first:
            assert (first.line, float(first.expected)) == (line, float(wrong))
            assert float(first.actual) == float(match[0])
        assert report.problems[0].line == line
        assert report.problems[0].rule.code == "DOC101"
        assert report.outcome.code == 1


def test_a_wrong_result_is_reported_as_an_operators_is():
    text = page(DOCTEST).replace("[1, 4],\n       [0, 3]", "[1, 4],\n       [0, 9]")
    report = check(read_document(text, "page.md"), text)
    words = "out[2, 1] is 9 on the page, but the engine gives 3; 1 of 6 elements differ."
    assert [str(p.message) for p in report.problems] == [f"line 10: {words}"]
    data = document_data(report)
    (example,) = [e for e in data["examples"] if e["status"] == MISMATCH]
    assert example["title"] == "x.T[::-1]"
    assert example["first_difference"] == {
        "tensor": "out",
        "index": [2, 1],
        "expected": "9",
        "actual": "3",
        "line": 10,
    }
    assert example["differing"] == {"out": [[2, 1]]}
    assert data["checked"]["python"] == {"checked": 6, "unchecked": [22, 25]}
    assert [u["line"] for u in data["unchecked"]] == [22, 25]
    assert "sum computes new values" in data["unchecked"][1]["message"]
    sarif = json.loads(FORMATS["sarif"]([report]))["runs"][0]["results"]
    assert [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in sarif] == [10]
    assert 'failures="1"' in FORMATS["junit"]([report])
    assert "line=10" in FORMATS["github"]([report])
    assert "1 of 6 elements differ." in as_markdown(report)
    assert "  not checked: the Python examples on lines 22, 25" in as_lines(report, planes=True)
    assert "[9]" in "\n".join(as_lines(report, planes=True))
    notes = [mark for mark in marks(report) if mark.kind == UNCHECKED]
    assert [mark.line for mark in notes] == [22, 25]


def test_values_are_fixed_in_their_place():
    text = (
        page(SCRIPT)
        .replace("[5, 6]])\nz", "[7, 6]])\nz")
        .replace("[1, 4, 2, 5, 3, 6]", "[1, 4, 2, 5, 6, 3]")
    )
    report = check(read_document(text, "page.md"), text)
    assert edits(text, report) == ()
    assert corrected(text, report, ("numpy",), values=True) == page(SCRIPT)


def test_a_page_has_operators_and_python():
    tile = "DML_TILE_OPERATOR_DESC\nRepeats: {2}\nInputTensor: (Sizes:{1}, DataType:INT8) [7]\n"
    tile += "OutputTensor: (Sizes:{2}, DataType:INT8) [7, 7]\n\n"
    report = checked(tile + page(DOCTEST))
    assert report.document.coverage.examples.checked == 1
    assert [v.status for v in report.verdicts] == [MATCH] * 7
    skipped = page(DOCTEST).replace(">>> x.T", "<!-- dmlviz: skip (of old) -->\n>>> x.T")
    report = checked(tile + skipped)
    assert [v.message for v in report.verdicts if v.status == SKIPPED] == ["of old"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (">>> x + 1\narray([9, 9])", "computes new values"),
        (">>> foo(x)\narray([9, 9])", "foo"),
        (">>> x[x > 0]\narray([9, 9, ..., 9])", "shortened"),
        (">>> y = foo(x)\n>>> x\narray([9, 9])", "unknown"),
        (">>> np.add(x, 1, x)\n>>> x\narray([9, 9])", "unknown"),
        (">>> def f():\n...     x[0] = 9\n>>> f()\n>>> x\narray([9, 9])", "unknown"),
        (">>> y = np.lib.asview(x)\n>>> y[0] = 9\n>>> x\narray([9, 9])", "unknown"),
        (">>> np.random.rand(2)\narray([0.1, 0.2])", "Random numbers"),
        (">>> np.empty(2)\narray([0.1, 0.2])", ""),
        (">>> (x * 1.5).astype(int)\narray([0, 3])", ""),
        (">>> np.array([1.5, 300.])[::-1].astype(np.uint8)\narray([44, 1])", "computes"),
        (">>> np.array([(1, 2)], dtype='i4,i4').shape\n(1,)", ""),
        (">>> x.reshape(3)\narray([9, 9, 9])", "have 3 elements, but"),
        (">>> x.dtype\ndtype('int64')", "array"),
        (">>> x.astype(str)\narray(['0', '1'])", "array"),
        (">>> t = torch.from_numpy(x)\n>>> t[0] = 9\n>>> x\narray([9, 9])", "unknown"),
        (">>> [x for x in range(3)]\n[9, 9]", ""),
    ],
)
def test_what_cannot_be_run_is_not_checked(code, reason):
    text = f">>> x = np.arange(4)\n{code}\n"
    found = python_examples(text)
    assert found.examples == ()
    assert len(found.unchecked) == 1
    assert reason in found.unchecked[0].message
    report = check(read_document(text, "page.md"), text)
    assert (report.verdicts, report.problems) == ((), ())
    assert report.outcome.code is None


@pytest.mark.parametrize(
    "code",
    [
        ">>> 1 + 1\n3",
        "```python\nx = np.arange(6).reshape(2, 3)\nx.T  # (1, 0)\n```",
        "```python\nx = np.arange(6).reshape(2, 3)  # rows [0, 1] and more\nx.T  # [batch, 2]\n```",
        "```python\nx = np.arange(2)\nx.T\n# [5, 6, 7]\ny = x  # [1]\n```",
        ">>> x = np.arange(3)\n>>> x.foo\nTraceback (most recent call last):\nAttributeError",
        "```python\nx = np.arange(4)\nx.reshape(2, 2)\n# array\n```",
        "np.arange(3) gives array([9, 9, 9])",
    ],
)
def test_what_is_no_example(code):
    found = python_examples(code)
    assert found.examples == ()
    assert found.unchecked == ()


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("[[2.3, 3.9]],", "[[2.3, 3.4]],", 14),
        ("[0, 2],", "[0, 1],", 13),
        ("data, (2, 0, 1)", "data, (1, 0, 2)", 24),
        ("perm=[2, 0, 1]", "perm=[0, 2, 1]", 24),
        ("x[1:3, :2]", "x[1:3, 1:3]", 29),
    ],
)
def test_onnx_nodes(old, new, line):
    report = checked(NODES, engines=("numpy", "onnxruntime"))
    assert [v.status for v in report.verdicts] == [MATCH] * 6, said(report)
    assert ["computes new values" in f.message for f in report.document.unchecked] == [True]
    wrong = checked(NODES.replace(old, new))
    assert [v.line for v in wrong.verdicts if v.status == MISMATCH] == [line]
    # an attribute that the block does not name may be in the text
    left = checked(NODES.replace("    axis = 1,\n", ""))
    assert [v.status for v in left.verdicts] == [MATCH] * 2


def test_tensors_of_two_libraries_have_the_methods_of_their_own():
    text = ">>> x = np.zeros((2, 3, 4))\n>>> y = torch.zeros(2, 3, 4)\n"
    text += ">>> y.transpose(0, 1).shape\ntorch.Size([3, 2, 4])\n>>> x.transpose(0, 2, 1).shape\n(2, 4, 3)\n"
    report = checked(text)
    assert [v.status for v in report.verdicts] == [MATCH] * 2
    assert report.document.unchecked == ()


def test_random_numbers_that_the_page_shows_are_its_own():
    code = (
        ">>> x = torch.randn(2, 2)\n>>> x\ntensor([[ 0.4875,  0.9158],\n        [-0.5872,  0.1]])\n"
    )
    good = check(read_document(f"{code}>>> x.t()[0]\ntensor([ 0.4875, -0.5872])\n"), "")
    assert [v.status for v in good.verdicts] == [MATCH]
    bad = check(read_document(f"{code}>>> x.t()[0]\ntensor([ 0.4875,  0.5872])\n"), "")
    assert [v.status for v in bad.verdicts] == [MISMATCH]
    # what may share memory with something else is no tensor of its own
    code = ">>> x = np.arange(2)\n>>> y = foo(x)\n>>> y\narray([0, 1])\n>>> y\narray([5, 1])\n"
    assert python_examples(code).examples == ()


@pytest.mark.parametrize(
    ("code", "result"),
    [
        (
            "x = tf.constant([[1, 2], [3, 4]])\n>>> tf.transpose(x)",
            "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\narray([[1, 3],\n       [2, 4]], dtype=int32)>",
        ),
        (
            "x = mx.arange(6).reshape(2, 3)\n>>> mx.flip(x, axis=0)",
            "array([[3, 4, 5],\n       [0, 1, 2]], dtype=int32)",
        ),
        (
            "x = keras.ops.convert_to_tensor([[1, 2], [3, 4]])\n>>> keras.ops.transpose(x)",
            "tensor([[1, 3],\n        [2, 4]], dtype=torch.int32)",
        ),
        ("x = lax.iota(int, 5)\n>>> lax.rev(x, (0,))", "Array([4, 3, 2, 1, 0], dtype=int32)"),
    ],
)
def test_a_result_is_read_as_its_library_prints_it(code, result):
    right = check(read_document(f">>> {code}\n{result}\n"), "")
    assert [v.status for v in right.verdicts] == [MATCH]
    wrong = check(read_document(f">>> {code}\n{result.replace('4', '9')}\n"), "")
    assert [v.status for v in wrong.verdicts] == [MISMATCH]


def test_numbers_are_rounded_as_they_are_printed():
    code = ">>> x = torch.tensor([1 / 3, 2e-5, 1e6])\n>>> x.flip(0)\n"
    right = check(read_document(f"{code}tensor([1.0000e+06, 2.0000e-05, 3.3333e-01])"), "")
    assert [v.status for v in right.verdicts] == [MATCH]
    wrong = check(read_document(f"{code}tensor([1.0000e+06, 2.0000e-05, 3.3334e-01])"), "")
    assert wrong.verdicts[0].first_difference.index == (2,)


def test_names_are_those_of_their_part_of_the_page():
    text = ">>> x = np.arange(2)\n\n# Next\n\n>>> x\narray([5, 6])\n"
    assert python_examples(text).examples == ()
    assert len(python_examples(text.replace("# Next", "Next")).examples) == 1
    html = "<html><pre>&gt;&gt;&gt; x = np.arange(2)\n</pre>{}<pre>&gt;&gt;&gt; x[::-1]\narray([1, 0])</pre>"
    assert len(python_examples(html.format("<p>So</p>")).examples) == 1
    assert python_examples(html.format("<h2>So</h2>\n")).examples == ()


@pytest.mark.parametrize(
    "text",
    [
        ">>> x = np.array(" + "[" * 100_000 + "\n>>> x\n" + "[" * 100_000,
        ">>> np.arange(3)\narray(" + "[" * 500_000,
        ">>> np.arange(3)\narray([" + "1, " * 300_000 + "])",
        ">>> np.arange(3)" + ".T" * 300_000 + "\narray([1])",
        ">>> np.arange(3)\n" + "(" * 500_000 + ")" * 500_000,
        "np.\n" + ">>> " * 250_000,
        "np.\n```\n" * 100_000,
        "np.\n```python\n" + "x = 1  # [1]\n" * 70_000,
        "np.\n" + ">>> x = np.zeros((256, 256))\n" * 30_000,
        "np.\n" + ">>> np.zeros((4, 4)).T\narray([[0]])\n" * 20_000,
        "np.\n" + "".join(f">>> x{n} = np.zeros((256, 200)).T\n" for n in range(15_000)),
        ">>> x = np.arange(3)\n>>> x\narray([0, 1, 2])  " + "#" * 900_000,
        "np.\n" + "```python\nprint(x)\n```\n```\n[[\n" * 30_000,
        "import numpy as np\n" + "x\n=\n" * 200_000,
        ">>> np.arange(" + "9" * 4_000 + ")\narray([1])",
        ">>> np.arange(1e300)\narray([1])",
        ">>> x = [[1] * 4096] * 4096\n>>> np.array(x).T\narray([[1]])",
        ">>> a = [0]\n" + ">>> a = [a, a]\n" * 60 + ">>> np.array(a)\narray([1])",
        ">>> a = [0]\n>>> a.append(a)\n>>> np.array(a)\narray([1])",
        ">>> a = [0]\n>>> a += [a]\n>>> np.array(a)\narray([1])",
    ],
)
def test_hostile_pages_cost_little(text):
    start = time.process_time()
    found = python_examples(text[:4_194_304])
    assert len(found.examples) + len(found.unchecked) <= EXAMPLES_LIMIT + 1
    assert time.process_time() - start < 7


def test_every_bit_of_damage_is_taken_without_an_error():
    rng = np.random.default_rng(3)
    text = page(DOCTEST + SCRIPT + PRINTED)
    for _ in range(60):
        at, length = rng.integers(len(text)), rng.integers(1, 20)
        damaged = (
            text[:at]
            + "".join(rng.choice(list("([{}])>#`.,=:' \n09x"), length))
            + text[at + length :]
        )
        check(read_document(damaged, "page.md"), damaged)


TENSORFLOW = """
    >>> x = tf.constant([[1, 2, 3], [4, 5, 6]])
    >>> tf.transpose(x)
    <tf.Tensor: shape=(3, 2), dtype=int32, numpy=
    array([[1, 4],
           [2, 5],
           [3, 6]], dtype=int32)>
    >>> tf.reverse(x, [1])
    <tf.Tensor: shape=(2, 3), dtype=int32, numpy=array([[3, 2, 1], [6, 5, 4]], dtype=int32)>
    >>> x[0, 1]
    <tf.Tensor: shape=(), dtype=int32, numpy=2>
    >>> tf.split(x, 3, axis=1)
    [<tf.Tensor: shape=(2, 1), dtype=int32, numpy=
    array([[1],
           [4]], dtype=int32)>, <tf.Tensor: shape=(2, 1), dtype=int32, numpy=
    array([[2],
           [5]], dtype=int32)>, <tf.Tensor: shape=(2, 1), dtype=int32, numpy=
    array([[3],
           [6]], dtype=int32)>]
    >>> print(tf.roll(x, 1, 0))
    tf.Tensor(
    [[4 5 6]
     [1 2 3]], shape=(2, 3), dtype=int32)
    >>> tf.Variable(tf.reverse(x, [0]))
    <tf.Variable 'Variable:0' shape=(2, 3) dtype=int32, numpy=
    array([[4, 5, 6],
           [1, 2, 3]], dtype=int32)>
"""


def test_tensors_that_tensorflow_prints():
    report = checked(page(TENSORFLOW))
    assert [v.status for v in report.verdicts] == [MATCH] * 5
    for old, new in (
        (" [3, 6]]", " [3, 9]]"),
        ("numpy=2", "numpy=3"),
        ("       [6]]", "       [7]]"),
    ):
        wrong = checked(page(TENSORFLOW).replace(old, new))
        assert [v.status for v in wrong.verdicts].count(MISMATCH) == 1, new


def test_a_shape_that_contradicts_its_values_is_not_checked():
    report = checked(page(TENSORFLOW).replace("shape=(3, 2)", "shape=(2, 3)"))
    assert "Its shape is not that of its values." in " ".join(
        finding.message for finding in report.document.unchecked
    )


@pytest.mark.parametrize("end", ['    """', '"""', "    '''", '    )pbdoc",', "    ''' + more"])
@pytest.mark.parametrize("right", [True, False])
def test_the_last_result_before_the_quotes_of_a_docstring(end, right):
    last = f"    array([[0, 2],\n           [1, {3 if right else 4}]])"
    text = f"def f(x):\n    >>> x = np.arange(4).reshape(2, 2)\n    >>> x.T\n{last}"
    text += f"\n{end}\n    return x.T\n" if end.startswith(" ") else f"{end}\n    return x.T\n"
    report = checked(text)
    assert [v.status for v in report.verdicts] == [MATCH if right else MISMATCH]
    assert not report.document.unchecked


def test_highlighted_code_is_read_as_its_text():
    words = ("np", ".", "roll", "(", "x", ",", " 1", ")")
    spans = "".join(f'<span class="n">{word}</span>' for word in words)
    prompt = '<span class="gp">&gt;&gt;&gt; </span>'
    text = (
        "<!DOCTYPE html><html><body><h1>Roll</h1><div class='highlight'><pre><span></span>"
        f"{prompt}<span>x</span> = np<span>.</span>arange(3)\n{prompt}{spans}\n"
        "<span class='go'>array([2, 0, 1])</span>\n</pre></div></body></html>"
    )
    assert [v.status for v in checked(text, "a.html").verdicts] == [MATCH]
    assert [v.status for v in checked(text.replace("2, 0", "0, 2"), "a.html").verdicts] == [
        MISMATCH
    ]


def test_sizes_of_random_numbers_are_checked():
    text = """
    >>> x = torch.randn(2, 3, 5)
    >>> torch.permute(x, (2, 0, 1)).size()
    torch.Size([5, 2, 3])
    >>> y = x.permute(1, 0, 2)
    >>> y.shape, x.shape
    (torch.Size([3, 2, 5]), torch.Size([2, 3, 5]))
    """
    assert [v.status for v in checked(page(text)).verdicts] == [MATCH] * 2
    wrong = page(text).replace("([3, 2, 5])", "([2, 3, 5])").replace("([5, 2, 3])", "([3, 5, 2])")
    assert [v.status for v in checked(wrong).verdicts] == [MISMATCH] * 2


def test_sizes_that_a_page_states_are_those_of_what_a_file_has():
    text = """
    >>> x = np.load("images.npy")
    >>> x.shape
    (6, 4, 3)
    >>> rearrange(x, "b h w -> (b h) w").shape
    (24, 3)
    >>> x.T.shape
    (3, 4, 8)
    """
    assert [v.status for v in checked(page(text)).verdicts] == [MATCH, MISMATCH]


@pytest.mark.parametrize(
    "code",
    [
        "x[x > 0].shape",
        "x[m].shape",
        "torch.arange(6)[n].shape",
        "torch.arange(12).reshape(-1, 2)[:k].shape",
        "x[torch.where(x > 0)].shape",
        "torch.masked_select(x, m).shape",
        "x.repeat_interleave(n, 0).shape",
    ],
)
def test_sizes_that_depend_on_random_numbers_are_not_checked(code):
    text = f"""
    >>> x = torch.randn(2, 3)
    >>> m = x > 0
    >>> n = torch.randint(0, 5, (2,))
    >>> k = int(n[1])
    >>> {code}
    torch.Size([99])
    """
    assert not checked(page(text)).verdicts


def test_a_docstring_ends_its_examples_even_if_the_code_below_opens_a_bracket():
    text = (
        '    >>> x = np.arange(2)\n    >>> x[::-1]\n    array([1, 0])\n    """\n    return f(\n\n'
        "# Next\n\n>>> x[::-1]\narray([1, 0])\n"
    )
    report = checked(text)
    # names of one part of a page are not those of the next
    assert [v.example.line for v in report.verdicts] == [2]
