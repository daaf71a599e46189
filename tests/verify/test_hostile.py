"""Pages made to break the reader: a sentence, in time and space in proportion to the page.

No time is asserted; what is not linear in a megabyte would never end.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.verify import (
    PAGE_LIMIT,
    as_lines,
    as_markdown,
    check,
    document_data,
    read_document,
)
from tests.memory import at_most
from tests.verify.pages import pages

MEGABYTE = 1_000_000
HEAD = (
    "DML_TILE_OPERATOR_DESC\nRepeats: {1, 1, 3, 3}\n"
    "InputTensor: (Sizes:{1, 1, 2, 3}, DataType:FLOAT32)\n"
)
ONE = "Repeats: {1}\nInputTensor: (Sizes:{1}, DataType:INT8)\n[1]\n"
OUT = "OutputTensor: (Sizes:{1}, DataType:INT8)\n[1]\n"
NAMED = "DML_TILE_OPERATOR_DESC\n" + ONE + OUT


def fill(piece, before="", behind=""):
    return before + piece * ((MEGABYTE - len(before) - len(behind)) // len(piece)) + behind


LARGE = {
    "opening brackets": fill("[", HEAD),
    "opening brackets that are read": fill("[", HEAD, "\n" + OUT),
    "closing brackets": fill("]", HEAD, OUT),
    "pairs of brackets": fill("[]", HEAD, OUT),
    "braces": fill("{a,", HEAD),
    "unfinished tags": fill("<a ", HEAD),
    "scripts": fill("<script>x</script>", HEAD),
    "scripts that never end": fill("<script>", HEAD),
    "comments that never end": fill("<!--", HEAD),
    "labels": fill("InputTensor:", HEAD),
    "tensors that never end": fill("InputTensor: [", HEAD),
    "tensors": fill("InputTensor: (Sizes:{1}, DataType:INT8) [1]\n"),
    "parameters": fill("Repeats: {1,1,3,3}\n"),
    "headings": fill("Example 1\nRepeats: {1}\n"),
    "blank lines": fill("\n" * 399 + "Repeats: {1}"),
    "lists of names": fill("InputTensor {A,B,C} ", HEAD),
    "sentences": fill("A is X * ", ONE + OUT + "InputTensor {X,Y} OutputTensor { A, B } "),
    "equations": fill("OutputTensor.Sizes[i] = InputTensor.Sizes[i] * ", ONE + OUT),
    "nested sums": fill("(", ONE + OUT + "OutputTensor.Sizes[i] = "),
    "entities": fill("&#x5b;", HEAD),
    "levels": fill("DML_FEATURE_LEVEL_1_0\nInputTensor FLOAT32\n", ONE + OUT),
    "levels on one line": fill("DML_FEATURE_LEVEL_1_0 ", NAMED),
    "levels of a table": fill("DML_FEATURE_LEVEL_1_0\nInputTensor 4 FLOAT32\n", NAMED),
    "levels of all numbers": (
        NAMED
        + "".join(
            f"DML_FEATURE_LEVEL_{n // 100}_{n % 100}\nInputTensor 4 FLOAT32\n"
            for n in range(10_000)
        )
    ).ljust(MEGABYTE),
    "members": fill("UINT a;", ONE + OUT + "struct DML_TILE_OPERATOR_DESC {"),
    "names of examples": fill("Example 7 ", "DML_TILE_OPERATOR_DESC\nExample 1\n" + ONE + OUT),
    "rows": fill("[1,2,3]\n", HEAD, OUT),
    "one word": fill("a", HEAD + "[[[[", "]]]]\n" + OUT),
    "tags in headings": fill("# <b>x\n\n", HEAD.replace("\n", "\n\n")),
    "tags in lists": fill("- a <b>b</b> c\n\n  > d <i>e</i> f `<b>` g\n", HEAD),
    "comments of HTML that never end": fill("<!-- x ", "<html>" + HEAD, " >"),
    "sections of HTML that never end": fill("<![CDATA[", "<html>" + HEAD, " >"),
    "attributes": fill("x='", HEAD + "<b ", ">"),
    "code that never ends": fill("`<", HEAD),
    "tensors without labels": fill("(Sizes:{1}) [[1, 2],\n", HEAD),
    "parameters that are not read": fill("BlockSize = 1\n", HEAD, OUT),
    "names of operators": fill("DML_TILE_OPERATOR_DES "),
    "block quotes": fill("> a\n", HEAD, OUT),
    "comments of C": fill("/*\n * a\n", HEAD, OUT),
    "objects": fill('{"Sizes": ', HEAD, OUT),
    "half a name": fill("struct DML_" + "A" * 90 + " "),
}


def outcome(page):
    """All that is told of a page, in every form; the sentences for people."""
    document = read_document(page)
    report = check(document, "")
    assert document_data(report)
    assert as_markdown(report)
    return report, as_lines(report)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough if k % 4 else [])
        for k, name in enumerate(LARGE)
    ],
)
def test_a_megabyte(name):
    page = LARGE[name]
    assert 0.99 * MEGABYTE < len(page) <= PAGE_LIMIT
    report, lines = outcome(page)
    assert len(lines) >= 2
    assert all(len(line) < 1_000 and line.isprintable() for line in lines)
    if ONE in page:
        assert [verdict.status for verdict in report.verdicts] == ["match"]
    else:
        assert not report.verdicts or report.verdicts[0].status in ("mismatch", "unreadable")


BILLION = 10**9
SMALL = {
    "tags of HTML": "<html>" + HEAD + "<b>" * 120_000,
    "tags in half as many lines as are read": HEAD + "- a <b>b</b> c\n" * 25_000,
    "parameters that are not read": fill("BlockSize = 1\n", HEAD, OUT),
    "signs": fill("* 2\n", HEAD, OUT),
    "nested 10,000 deep": HEAD + "[" * 10_000 + "1" + "]" * 10_000 + "\n" + OUT,
    "sums nested 10,000 deep": "OutputTensor.Sizes[i] = " + "(" * 10_000 + "1" + ")" * 10_000,
    "binary": bytes(range(256)) * 4_000,
    "nothing but zeros": bytes(MEGABYTE),
    "too long": b"[" * (PAGE_LIMIT + 1),
    "sizes of the input": (
        HEAD.replace("{1, 1, 2, 3}", f"{{{BILLION}, {BILLION}, {BILLION}, {BILLION}}}")
        + "[[[[1, 2, 3], [4, 5, 6]]]]\n"
        + OUT
    ),
    "sizes of the output": ONE + OUT.replace("{1}", f"{{{BILLION}}}"),
    "repeats": ONE.replace("{1}", f"{{{BILLION}}}", 1) + OUT,
    "repeats with many digits": ONE.replace("{1}", "{" + "9" * 1_900 + "}", 1) + OUT,
    "repeats of a page's own size": ONE.replace("{1}", f"{{{BILLION}}}", 1)
    + OUT.replace("{1}", f"{{{BILLION}}}"),
    "paddings": (
        "PaddingMode: DML_PADDING_MODE_EDGE\n"
        + ONE.replace("Repeats: {1}", f"StartPadding: {{{BILLION}}}\nEndPadding: {{0}}")
        + OUT
    ),
    "blocks": (
        "DML_DEPTH_TO_SPACE1_OPERATOR_DESC\nOrder: COLUMN_ROW_DEPTH\n"
        + ONE.replace("Repeats: {1}", f"BlockSize: {BILLION}")
        + OUT
    ),
    "exponents": HEAD + "[1e999999999, 1e-999999999]\n" + OUT,
    "a large input that many examples share": (
        "DML_TILE_OPERATOR_DESC\nInputTensor: (Sizes:{65000}, DataType:INT8)\n["
        + "1," * 64_999
        + "1]\n"
        + ("Repeats: {1}\n" + OUT) * 450
    ),
    "large outputs of many examples": (
        "DML_TILE_OPERATOR_DESC\nInputTensor: (Sizes:{1}, DataType:INT8)\n[1]\n"
        + ("Repeats: {262144}\n" + OUT) * 450
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_no_large_allocation(name):
    with at_most(100_000_000):
        report, lines = outcome(SMALL[name])
    assert len(lines) >= 2
    assert all(len(line) < 1_000 for line in lines)
    assert "match" not in {verdict.status for verdict in report.verdicts}


BITS = (
    *("[", "]", "{", "}", "(", ",", ":", ";", "\n", "\n\n", "|", "# ", "1", "-1", "NaN", "1e-50"),
    *("InputTensor:", "OutputTensor:", "InputTensor", "Sizes:", "DataType:", "INT8", "Repeats:"),
    *("BlockSize:", "PaddingMode:", "Example 2\n", "<pre>", "<script>", "<!--", "&#91;", "..."),
    *("DML_FEATURE_LEVEL_1_0", "DML_CAST_OPERATOR_DESC", "OutputTensor.Sizes[i] = ", "/ 0"),
    *("array(", "dtype=int8", "\0", "\ud800", "\u202e", "９", "²"),
)


@given(st.sampled_from([text for _, _, text in pages()]), st.data())
def test_any_page_cut_and_pasted_at_random(page, data):
    for _change in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(page)))
        cut = data.draw(st.sampled_from([0, 0, 1, 30, 500]))
        page = page[:place] + data.draw(st.sampled_from(("", *BITS))) + page[place + cut :]
    _, lines = outcome(page)
    assert all(line.isprintable() for line in lines)


def test_nothing_of_a_page_is_run_or_kept_as_html():
    page = HEAD.replace(
        "Repeats",
        "<script>document.title = 'Repeats: {9}'</script><iframe srcdoc='BlockSize: 2'></iframe>"
        "<svg onload=alert(1)><b>Example 1</b>\nRepeats",
    )
    page += "[[[[__import__('os').getcwd(), 2, 3], [4, 5, 6]]]]\n" + OUT
    report, lines = outcome(page)
    assert report.verdicts[0].status == "unreadable"
    told = "\n".join(lines) + str(document_data(report))
    assert not any(sign in told for sign in ("<", "script", "iframe", "onload", "BlockSize"))
