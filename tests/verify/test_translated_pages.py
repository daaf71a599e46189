"""Translated pages: formulas among other letters, two languages side by side, tables of HTML."""

import re

import pytest
from markdown_it import MarkdownIt

from dmlviz.verify import built_in, read_document, verify
from dmlviz.verify.text import plain
from tests.verify.pages import TILE

FORMULA = "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]"
AMONG = [
    "これは{}として",
    "として{}です",
    "wird mit {}berechnet",
    "{}。",
]
SIGNS = {"*": "\\*", "x": "x", "·": "·", "×": "×", "full width": "＊", "∗": "∗"}


@pytest.mark.parametrize("sentence", AMONG)
@pytest.mark.parametrize("sign", SIGNS)
def test_formulas_in_sentences(sentence, sign):
    right = sentence.format(FORMULA.replace("*", SIGNS[sign]))
    wrong = right.replace(f" {SIGNS[sign]} ", " + ")
    for formula, agrees in ((right, True), (wrong, False)):
        (said,) = read_document(f"{TILE}\n{formula}\n").statements
        assert (said.line, said.agrees) == (10, agrees)


@pytest.mark.parametrize(
    "formula",
    ["Repeats[i] x", "Repeats[i](2)", "Repeats[i][0]", "Repeats[i]2", "Repeats[i] x ?"],
)
def test_formulas_that_go_on_in_another_way(formula):
    page = f"{TILE}\nOutputTensor.Sizes[i] = InputTensor.Sizes[i] * {formula}\n"
    assert all(said.agrees for said in read_document(page).statements)


(PAGE,) = (page.text for page in built_in() if page.key == "tile")


def html(page):
    rendered = MarkdownIt("commonmark").enable("table").render(page)
    return f"<!DOCTYPE html><html><body><h1>DML_TILE_OPERATOR_DESC</h1>\n{rendered}</body></html>"


def side_by_side(page, original=lambda text: text):
    """The page as it was published in two languages: the original follows each translation."""

    def both(found):
        shown = f'<span data-ttu-id="4bb3c-101">{found[2]}</span>'
        hidden = f'<span data-stu-id="4bb3c-101">{original(found[2])}</span>'
        return f'{found[1]}{shown}<span class="sxs-lookup">{hidden}</span>{found[3]}'

    pieces = re.split(r"(<pre>.*?</pre>)", page, flags=re.DOTALL)
    texts = re.compile(r"(<(?:p|td|th|h\d|li|em|strong|code)[^>]*>)([^<\n]+)(<)")
    return "".join(p if p.startswith("<pre>") else texts.sub(both, p) for p in pieces)


@pytest.mark.parametrize("made", [html, lambda page: side_by_side(html(page))])
def test_tables_and_formulas_of_html(made):
    due, read = read_document(PAGE), read_document(made(PAGE))
    assert [v.status for v in verify(read)] == ["match"] * len(due.examples)
    assert [e.title for e in read.examples] == [e.title for e in due.examples]
    assert [(r.tensor, r.support) for r in read.support] == [
        (r.tensor, r.support) for r in due.support
    ]
    assert len(read.support) >= 4
    assert [s.message for s in read.statements] == [s.message for s in due.statements]
    assert len(read.statements) >= 1


def test_a_wrong_table_and_a_wrong_formula_are_said_once():
    page = side_by_side(html(PAGE.replace("Repeats[i]", "2").replace("| 1 to 8 |", "| 1 to 7 |")))
    read = read_document(page)
    assert [s.agrees for s in read.statements] == [False]
    told = [str(f) for f in read.findings if "the page says rank 1 to 7" in str(f)]
    assert len(told) == PAGE.count("| 1 to 8 |") > 0


def test_the_original_is_not_joined_to_the_translation():
    page = '<p><span>Beispiel 1:</span><span class="a sxs-lookup"><span>Example 1:</span></span> b'
    assert plain(f"<html>{page}").text.strip() == "Beispiel 1: b"
    assert plain(f"{page}</p>").text.strip() == "Beispiel 1: b"
    # one that is never closed hides nothing
    assert "Example 1" in plain('<html><span class="sxs-lookup">Example 1').text
