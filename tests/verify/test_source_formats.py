"""Examples as formats wrap, quote and spell them: read, with every sign on its line."""

import json

import pytest

from dmlviz.verify import read_document, verify
from tests.verify.pages import TILE

HEAD, BODY = TILE.split("\n", 1)
HEAD += "\n"
INPUT, OUTPUT = "(Sizes:{2, 3}, DataType:FLOAT32)", "(Sizes:{2, 6}, DataType:FLOAT32)"
X = "[[1, 2, 3],\n [4, 5, 6]]"
Y = "[[1, 2, 3, 1, 2, 3],\n [4, 5, 6, 4, 5, 6]]"
TENSORS = f"InputTensor: {INPUT}\n{X}\nOutputTensor: {OUTPUT}\n{Y}\n"


def each(before, page=BODY, behind=""):
    return "".join(f"{before}{line}{behind}\n" for line in page.splitlines())


PAGES = {
    "equality": TILE.replace("Tensor:", "Tensor =").replace("s: {", "s = {").replace(":", " = "),
    "a sentence": (
        f"{HEAD}With InputTensor = [[1, 2], [3, 4]], Repeats = [1, 2], this gives "
        "OutputTensor = [[1, 2, 1, 2], [3, 4, 3, 6]].\n"
    ).replace("6", "4"),
    "a sentence, parameters first": (
        f"{HEAD}With Repeats = [1, 2] and InputTensor = [[1, 2], [3, 4]], we get OutputTensor = "
        "[[1, 2, 1, 2], [3, 4, 3, 4]].\n"
    ),
    "a block quote": f"{HEAD}> [!NOTE]\n> ```\n{each('> ')}> ```\n",
    "a block quote without blanks": HEAD + each(">"),
    "remarks with #": TILE.replace("3],", "3],  # row 0").replace("6]]", "6]]  # row 1"),
    "remarks between /* and */": TILE.replace("3],", "3], /* row 0 */"),
    "a remark before the rows": TILE.replace("[[1", "// row by row [0] to [1]\n[[1"),
    "a comment of C": f"/**\n{each(' * ', TILE)} */\n",
    "lines after ///": each("/// ", TILE),
    "lines after //": each("    // ", TILE),
    "lines after #": each("# ", TILE),
    "a table": f"{HEAD}| Parameter | Value |\n| --- | --- |\n| `Repeats` | {{1, 2}} |\n\n{TENSORS}",
    "a table of HTML": (
        f"{HEAD}<table><tr><th>Parameter</th><th>Value</th></tr>\n<tr><td>Repeats</td>"
        f"<td>{{1, 2}}</td></tr></table>\n<pre>{TENSORS}</pre>"
    ),
    "a table with a line for each cell": (
        f"{HEAD}<table>\n<tr>\n<td>Repeats</td>\n<td>{{1, 2}}</td>\n</tr>\n</table>\n"
        f"<pre>{TENSORS}</pre>"
    ),
    "a table with descriptions": (
        f"{HEAD}| Parameter | Type | Value | Description |\n| --- | --- | --- | --- |\n"
        f"| **Repeats** | UINT* | {{1, 2}} | how often |\n\n{TENSORS}"
    ),
    "a table with descriptions first": (
        f"{HEAD}| Parameter | Description | Value |\n| --- | --- | --- |\n| Repeats | copies of "
        f"the input, one after the other in each dimension | {{1, 2}} |\n\n{TENSORS}"
    ),
    "a table of HTML with descriptions": (
        f"{HEAD}<table><tr>\n<td>Repeats</td>\n<td>{{1, 2}}</td>\n<td>how often</td>\n</tr></table>"
        f"<pre>\n{TENSORS}</pre>"
    ),
    "parameters after the tensors": f"{HEAD}## Example 1\n{TENSORS}\nRepeats: {{1, 2}}\n",
    "arrays of NumPy": (
        f"{HEAD}Repeats = [1, 2]\nInputTensor = np.array({X}, dtype=np.int8)\n"
        f"OutputTensor = numpy.array(\n{Y},\ndtype='int8')\n"
    ),
    "an array after a header": TILE.replace(X, f"np.array({X})"),
    "MyST": (
        f"# {HEAD}\n:::{{admonition}} Note\n:class: tip\n:::\n\n```{{code-block}} text\n---\n"
        f"linenos: true\n---\n{BODY}```\n"
    ),
    "LaTeX": (
        "\\section{DML\\_TILE\\_OPERATOR\\_DESC}\n\\begin{lstlisting}[language=C]\n"
        f"{BODY}\\end{{lstlisting}}\n"
    ),
    "copied cells": f"{HEAD}Repeats\t{{1, 2}}\n{TENSORS}",
    "code in rows of a table": (
        "<html><body><table>"
        + each("<tr><td data-line-number='1'></td><td class='code'>", TILE, "</td></tr>")
        + "</table></body></html>"
    ),
    "Word's HTML": f"<html><body>{each('<p>', TILE, '<o:p></o:p></p>')}</body></html>",
    "quoted names": TILE.replace("Repeats:", '"Repeats":').replace(
        "InputTensor:", "'InputTensor':"
    ),
    "a quoted value": TILE.replace("{1, 2}", '"{1, 2}"'),
    "curly quotes": TILE.replace("Repeats: {1, 2}", "“Repeats”: “{1, 2}”"),
    "pandoc's signs": "".join(f"\\{c}" if c in "_[]{}" else c for c in TILE),
    "full-width digits": TILE.translate(str.maketrans("12345", "１２３４５")).replace("３２", "32"),
    "small letters": TILE.replace("Repeats", "repeats").replace("Tensor", "tensor"),
    "large letters": TILE.replace("Repeats", "REPEATS").replace("OutputTensor", "OUTPUTTENSOR"),
    "a header without brackets": TILE.replace("(Sizes", "Sizes").replace("32)", "32"),
    "soft hyphens": TILE.replace("Tensor", "Ten\u00adsor").replace("Repeats", "Re\u00adpeats"),
    "JSON": json.dumps(
        {
            "struct": "DML_TILE_OPERATOR_DESC",
            "Repeats": [1, 2],
            "InputTensor": {"Sizes": [1, 2], "DataType": "INT8", "Values": [[1, 2]]},
            "OutputTensor": {"Sizes": [1, 4], "DataType": "INT8", "Values": [[1, 2, 1, 2]]},
        }
    ).replace("}, ", "},\n"),
    "reStructuredText": f"{HEAD}=====\n\nExample::\n\n{each('    ')}\n",
    "a directive": f"{HEAD}\n.. code-block:: text\n   :linenos:\n\n{each('   ')}\n",
    "fields of reStructuredText": (
        f":Repeats: {{1, 2}}\n:InputTensor: {INPUT}\n\n::\n\n  {X}\n\n:OutputTensor: {OUTPUT} ::\n\n"
        f"  {Y}\n"
    ),
    "AsciiDoc": (
        f"= {HEAD}\n`Repeats`:: `+{{1, 2}}+`\n`InputTensor`:: `{INPUT}`\n+\n----\n{X}\n----\n"
        f"OutputTensor:: {OUTPUT}\n[source,text]\n----\n{Y}\n----\n"
    ),
    "a table of AsciiDoc": (
        f"= {HEAD}\n|===\n|Parameter |Value\n\n|Repeats\n|{{1, 2}}\n|===\n\n....\n{TENSORS}....\n"
    ),
    "MDX": (
        f"import X from './x'\n\n# {HEAD}\n<Tabs>\n<CodeBlock>{{`\n{BODY}`}}</CodeBlock>\n</Tabs>\n"
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_read_and_nothing_put_right_that_is_right(name):
    page = PAGES[name]
    document = read_document(page)
    assert [verdict.status for verdict in verify(document)] == ["match"], document.all_findings
    found = [str(finding) for finding in document.all_findings]
    # what is no slip of the page is said nowhere; remarks and missing headers are
    assert all("comment" in line or "Sizes" in line or "DataType" in line for line in found) or (
        HEAD not in page
    ), found


@pytest.mark.parametrize("name", PAGES)
def test_a_wrong_value_is_found_on_its_line(name):
    page = PAGES[name]
    at = (
        max(page.rfind(digit) for digit in "456" if f"{digit}]" in page or f"{digit}\\]" in page)
        if (name != "JSON")
        else page.rfind("2")
    )
    wrong = f"{page[:at]}9{page[at + 1 :]}"
    (verdict,) = verify(read_document(wrong))
    assert verdict.status == "mismatch"
    assert verdict.first_difference.line == wrong.count("\n", 0, at) + 1


LINKED = """DML_DEPTH_TO_SPACE1_OPERATOR_DESC
BlockSize: [2](x.md)
Order: [**DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW**](/x/ne-directml-dml_depth_space_order)
InputTensor: (Sizes:{1,4,1,1}, DataType:INT8) [[[[1]], [[2]], [[3]], [[4]]]]
OutputTensor: (Sizes:{1,1,2,2}, DataType:INT8) [[[[1, 2], [3, 4]]]]
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[**DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW**]", "[DEPTH_COLUMN_ROW]"),
        ("Order: ", "order: "),
        ("BlockSize: [2](x.md)", "block_size: 2"),
        ("BlockSize: [2](x.md)", "“Block Size”: “2”"),
    ],
)
def test_linked_and_cased(before, after):
    for page in (LINKED, LINKED.replace(before, after)):
        assert [verdict.status for verdict in verify(read_document(page))] == ["match"]
    page = LINKED.replace("DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH").replace("3, 4", "4, 3")
    assert [verdict.status for verdict in verify(read_document(page))] == ["mismatch"]


UNREAD = {
    "two columns of values": TILE.replace("Repeats: {1, 2}", "| Repeats | {1, 2} | {1, 3} |"),
    "two parameters in a row": TILE.replace(
        "Repeats: {1, 2}", "| Repeats | Axis |\n| --- | --- |\n| {1, 2} | 0 |\n"
    ),
    "numbers of lines": "<html><table>"
    + "".join(f"<tr><td>{n}</td><td>{line}</td></tr>\n" for n, line in enumerate(TILE.split("\n")))
    + "</table>",
    "an array that is changed": TILE.replace(X, f"np.array({X}).T"),
    "an array with an option": TILE.replace(X, f"np.array({X}, order='F')"),
    "an array of another type": TILE.replace(X, f"np.array({X}, dtype=np.int8)"),
    "a value and its default": TILE.replace("Repeats: {1, 2}", "| Repeats | {1, 1} | {1, 2} |"),
    "a matrix of LaTeX": TILE.replace(INPUT, "").replace(
        X, "\\begin{bmatrix} 1 & 2 & 3 \\\\ 4 & 5 & 6 \\end{bmatrix}"
    ),
    "a quotation that does not end": TILE.replace("{1, 2}", '"{1, 2}'),
    "two values": TILE.replace("{1, 2}", '"{1, 2}" or "{1, 3}"'),
    "a wrong name": TILE.replace("Repeats", "repeat"),
    "a link to nothing": TILE.replace("{1, 2}", "[1](x), 2"),
    "a header that goes on": TILE.replace(INPUT, "Sizes:{2, 3} or {3, 2}, DataType:FLOAT32"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_has_several_meanings_is_said(name):
    document = read_document(UNREAD[name])
    assert "match" not in {verdict.status for verdict in verify(document)}
    assert document.lacks_examples or any(example.unreadable for example in document.examples)
