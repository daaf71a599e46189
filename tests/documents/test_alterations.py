"""Right pages with one thing made wrong: each is caught, and the right place is named."""

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.documents import read_document, verify
from tests.documents.pages import CLASSES, examples, line, pages, replaced, tensors

PAGES = pages()
NAMED = {name: (key, page) for name, key, page in PAGES}
A_LINE = re.compile(r"line (\d+): ")


def told_line(message):
    found = A_LINE.match(message)
    assert found, message
    return int(found[1])


def other(draw, match):
    """Another number than the one that stands there."""
    return str(draw(st.integers(0, 99).filter(lambda n: n != int(match[0]))))


def drawn(data, things):
    return things[data.draw(st.integers(0, len(things) - 1))]


def verdicts(page):
    document = read_document(page)
    assert not document.problem
    return verify(document)


@st.composite
def places(draw):
    """The name of a page and the number of one of its examples."""
    name = draw(st.sampled_from(sorted(NAMED)))
    return name, draw(st.integers(0, len(examples(NAMED[name][1])) - 1))


def test_the_pages_are_right():
    for name, key, page in PAGES:
        assert len(examples(page)) == len(CLASSES[key].examples()), name
        assert {verdict.status for verdict in verdicts(page)} == {"match"}, name


def check_cells(page, expected, verdict, cells):
    """The verdict names exactly these cells of the tensor ``expected`` of ``page``."""
    assert verdict.status == "mismatch"
    assert verdict.differing == cells
    first = verdict.first_difference
    assert first.index == tuple(int(i) for i in np.unravel_index(cells[0], expected.shape))
    place = expected.numbers[cells[0]]
    assert first.line == line(page, place.start())
    assert first.expected == str(int(place[0]))
    assert first.actual != first.expected
    assert told_line(verdict.message) == first.line
    assert f"out{list(first.index)} is {first.expected} on the page" in verdict.message


@settings(max_examples=150)
@given(places(), st.data())
def test_one_number_of_an_output(place, data):
    (_, page), number = NAMED[place[0]], place[1]
    expected = examples(page)[number][1]
    cell = data.draw(st.integers(0, len(expected.numbers) - 1))
    match = expected.numbers[cell]
    altered = replaced(page, (*match.span(), other(data.draw, match)))
    found = verdicts(altered)
    check_cells(altered, examples(altered)[number][1], found[number], (cell,))
    assert found[number].first_difference.actual == match[0]
    assert [v.status for v in found].count("match") == len(found) - 1


@settings(max_examples=75)
@given(places(), st.data())
def test_two_numbers_of_an_output_swapped(place, data):
    (_, page), number = NAMED[place[0]], place[1]
    expected = examples(page)[number][1]
    cells = st.sampled_from(range(len(expected.numbers)))
    pair = st.tuples(cells, cells).map(sorted)
    one, two = data.draw(
        pair.filter(lambda p: expected.numbers[p[0]][0] != expected.numbers[p[1]][0])
    )
    a, b = expected.numbers[one], expected.numbers[two]
    altered = replaced(page, (*a.span(), b[0]), (*b.span(), a[0]))
    check_cells(altered, examples(altered)[number][1], verdicts(altered)[number], (one, two))


@settings(max_examples=75)
@given(places(), st.data())
def test_one_number_of_an_input(place, data):
    """Every element that came from it differs, in every example that has this input."""
    key, page = NAMED[place[0]]
    x = examples(page)[place[1]][0]
    cell = data.draw(st.integers(0, len(x.numbers) - 1))
    match = x.numbers[cell]
    altered = replaced(page, (*match.span(), other(data.draw, match)))
    found = verdicts(altered)
    due = CLASSES[key].examples()
    for number, (theirs, expected) in enumerate(examples(altered)):
        if theirs.start != x.start:
            assert found[number].status == "match"
            continue
        source = dmlviz.run(due[number].operator, due[number].x).source
        cells = tuple(np.flatnonzero(source.ravel() == cell).tolist())
        check_cells(altered, expected, found[number], cells)


@settings(max_examples=75)
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_a_wrong_size(name, data):
    page = NAMED[name][1]
    tensor = drawn(data, tensors(page))
    match = drawn(data, tensor.sizes)
    altered = replaced(page, (*match.span(), other(data.draw, match)))
    header = line(page, tensor.start)
    wrong = [v for v in verdicts(altered) if v.status != "match"]
    assert wrong
    for verdict in wrong:
        assert verdict.status in ("mismatch", "unreadable")
        assert told_line(verdict.message) == header
        assert "sizes" in verdict.message.lower()


@settings(max_examples=75)
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_a_missing_row(name, data):
    page = NAMED[name][1]
    tensor = drawn(data, tensors(page))
    row = drawn(data, tensor.rows)
    comma = re.compile(r",?[ \t]*").match(page, row.end())
    altered = replaced(page, (row.start(), comma.end(), ""))
    check_tensor(page, tensor, verdicts(altered))


@settings(max_examples=75)
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_a_row_too_many(name, data):
    page = NAMED[name][1]
    tensor = drawn(data, tensors(page))
    row = drawn(data, tensor.rows)
    # a row more where it belongs, or behind the brackets where nobody looks
    at = data.draw(st.sampled_from([row.end(), tensor.end]))
    altered = replaced(page, (at, at, f",{row[0]}"))
    check_tensor(page, tensor, verdicts(altered))


@settings(max_examples=75)
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_a_missing_line(name, data):
    """With its brackets, so that those that are left do not fit."""
    page = NAMED[name][1]
    tensor = drawn(data, tensors(page))
    row = drawn(data, tensor.rows)
    start = page.rindex("\n", 0, row.start())
    altered = replaced(page, (start, page.index("\n", row.end()), ""))
    check_tensor(page, tensor, verdicts(altered))


def check_tensor(page, tensor, found):
    """Some example is wrong, and the tensor or its list is named."""
    wrong = [v for v in found if v.status != "match"]
    assert wrong
    first, last = line(page, tensor.start), line(page, tensor.end)
    for verdict in wrong:
        assert verdict.status in ("mismatch", "unreadable")
        assert first <= told_line(verdict.message) <= last, verdict.message
        assert "Tensor: " in verdict.message


PARAMETERS = re.compile(r"^(Repeats|StartPadding|EndPadding|BlockSize): (.*)$", re.MULTILINE)
CHOICES = re.compile(r"^(Order|PaddingMode): (DML_\w+)$", re.MULTILINE)


@settings(max_examples=75)
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_a_wrong_number_in_a_parameter(name, data):
    page = NAMED[name][1]
    fields = list(PARAMETERS.finditer(page))
    number = data.draw(st.integers(0, len(fields) - 1))
    numbers = list(re.compile(r"\d+").finditer(page, *fields[number].span(2)))
    match = drawn(data, numbers)
    altered = replaced(page, (*match.span(), other(data.draw, match)))
    wrong = [v for v in verdicts(altered) if v.status != "match"]
    assert len(wrong) == 1
    verdict = wrong[0]
    here = line(page, fields[number].start())
    if verdict.status == "mismatch":
        # the parameters are possible: then the output has other sizes than they give
        outputs = [line(page, y.start) for _, y in examples(page)]
        assert told_line(verdict.message) == min(n for n in outputs if n > here)
        assert "the page's output has sizes" in verdict.message
    else:
        assert verdict.status in ("refused", "unreadable")
        assert told_line(verdict.message) == here
    assert all(said.agrees or said.line for said in read_document(altered).statements)


@settings(max_examples=30)
@given(st.sampled_from(sorted(n for n, (key, _) in NAMED.items() if key != "tile")), st.data())
def test_a_wrong_mode_or_order(name, data):
    page = NAMED[name][1]
    fields = list(CHOICES.finditer(page))
    field = drawn(data, fields)
    names = {other[2] for other in fields} - {field[2]}
    altered = replaced(page, (*field.span(2), data.draw(st.sampled_from(sorted(names)))))
    wrong = [v for v in verdicts(altered) if v.status != "match"]
    assert [v.status for v in wrong] == ["mismatch"]
    assert wrong[0].first_difference.index == first_by_numpy(wrong[0])


def first_by_numpy(verdict):
    where = np.argwhere(verdict.actual != verdict.example.expected)
    return tuple(where[0].tolist())
