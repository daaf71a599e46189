"""Right pages with one thing made wrong: each is caught, and the right place is named."""

import re

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dmlviz.verify import read_document, verify
from dmlviz.verify.naming import count_members
from tests.thorough import tries
from tests.verify.pages import (
    CLASSES,
    LABEL,
    examples,
    line,
    pages,
    replaced,
    tensors,
)

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
        found = verdicts(page)
        assert len(examples(page)) == len(found), name
        if name.startswith("built-in"):
            assert len(found) == len(CLASSES[key].examples())
        assert {verdict.status for verdict in found} == {"match"}, name


def check_cells(page, parts, verdict, cells):
    """The verdict names exactly these cells of the outputs of ``page``."""
    assert verdict.status == "mismatch"
    assert verdict.differing == cells
    assert verdict.differing_count == sum(map(len, cells.values()))
    first = verdict.first_difference
    label = next(name for name in parts.outputs if name in cells)
    expected = parts.outputs[label]
    assert first.tensor == label
    assert first.index == tuple(int(i) for i in np.unravel_index(cells[label][0], expected.shape))
    place = expected.numbers[cells[label][0]]
    assert first.line == line(page, place.start())
    assert first.expected == str(int(place[0]))
    assert first.actual != first.expected
    assert told_line(verdict.message) == first.line
    named = label if len(parts.outputs) > 1 else "out"
    assert f"{named}{list(first.index)} is {first.expected} on the page" in verdict.message


@settings(max_examples=tries(150))
@given(places(), st.data())
def test_one_number_of_an_output(place, data):
    (_, page), number = NAMED[place[0]], place[1]
    label, expected = drawn(data, [*examples(page)[number].outputs.items()])
    cell = data.draw(st.integers(0, len(expected.numbers) - 1))
    match = expected.numbers[cell]
    altered = replaced(page, (*match.span(), other(data.draw, match)))
    found = verdicts(altered)
    check_cells(altered, examples(altered)[number], found[number], {label: (cell,)})
    assert found[number].first_difference.actual == match[0]
    assert [v.status for v in found].count("match") == len(found) - 1


@settings(max_examples=tries(75))
@given(places(), st.data())
def test_two_numbers_of_an_output_swapped(place, data):
    (_, page), number = NAMED[place[0]], place[1]
    wide = [o for o in examples(page)[number].outputs.items() if len(o[1].numbers) > 1]
    label, expected = drawn(data, wide)
    cells = st.sampled_from(range(len(expected.numbers)))
    pair = st.tuples(cells, cells).map(sorted)
    one, two = data.draw(
        pair.filter(lambda p: expected.numbers[p[0]][0] != expected.numbers[p[1]][0])
    )
    a, b = expected.numbers[one], expected.numbers[two]
    altered = replaced(page, (*a.span(), b[0]), (*b.span(), a[0]))
    found = verdicts(altered)[number]
    check_cells(altered, examples(altered)[number], found, {label: (one, two)})


def arrays(parts):
    """The values that stand on a page; all of these pages have small whole numbers."""
    return {
        label: np.reshape([int(n[0]) for n in tensor.numbers], tensor.shape)
        for label, tensor in parts.items()
    }


def differing(operator, parts):
    """The cells of a page's outputs that NumPy does not give for its inputs."""
    given = operator.evaluate(operator.named_inputs(arrays(parts.inputs), "x"))
    pairs = {label: (y, given[label]) for label, y in arrays(parts.outputs).items()}
    wrong = {label: np.flatnonzero(a != b) for label, (a, b) in pairs.items()}
    return {label: tuple(cells.tolist()) for label, cells in wrong.items() if cells.size}


@settings(max_examples=tries(100))
@given(places(), st.data())
def test_one_number_of_an_input(place, data):
    """Every element that came from it differs, in every example that has this input."""
    _key, page = NAMED[place[0]]
    tensors = [*examples(page)[place[1]].inputs.values()]
    assume(tensors)
    tensor = drawn(data, tensors)
    match = drawn(data, tensor.numbers)
    altered = replaced(page, (*match.span(), other(data.draw, match)))
    due = [example.operator for example in read_document(page).examples]
    for operator, parts, found in zip(due, examples(altered), verdicts(altered), strict=True):
        if tensor.start not in [x.start for x in parts.inputs.values()]:
            assert found.status == "match"
        elif operator.control_problems(arrays(parts.inputs)):
            # an index that there is not
            assert found.status == "refused"
            assert told_line(found.message) == line(altered, tensor.start)
            assert f": {tensor.label}: " in found.message
        elif cells := differing(operator, parts):
            check_cells(altered, parts, found, cells)
        else:
            # an element that the operator leaves behind, or another of the same value
            assert found.status == "match"


@settings(max_examples=tries(75))
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_a_wrong_size(name, data):
    page = NAMED[name][1]
    # other sizes of a tensor with strides read memory in another way
    tensor = drawn(data, [one for one in tensors(page) if not one.has_strides])
    match = drawn(data, tensor.sizes)
    altered = replaced(page, (*match.span(), other(data.draw, match)))
    header = line(page, tensor.start)
    wrong = [v for v in verdicts(altered) if v.status != "match"]
    assert wrong
    for verdict in wrong:
        assert verdict.status in ("mismatch", "unreadable")
        assert told_line(verdict.message) == header
        assert "sizes" in verdict.message.lower()


@settings(max_examples=tries(75))
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_a_missing_row(name, data):
    page = NAMED[name][1]
    tensor = drawn(data, tensors(page))
    row = drawn(data, tensor.rows)
    comma = re.compile(r",?[ \t]*").match(page, row.end())
    altered = replaced(page, (row.start(), comma.end(), ""))
    check_tensor(page, tensor, verdicts(altered))


@settings(max_examples=tries(75))
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_a_row_too_many(name, data):
    page = NAMED[name][1]
    tensor = drawn(data, tensors(page))
    row = drawn(data, tensor.rows)
    # a row more where it belongs, or behind the brackets where nobody looks
    at = data.draw(st.sampled_from([row.end(), tensor.end]))
    altered = replaced(page, (at, at, f",{row[0]}"))
    check_tensor(page, tensor, verdicts(altered))


@settings(max_examples=tries(75))
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
        # behind a blank line, rows that are left over are a tensor without a name
        assert re.search(rf": {LABEL}: |: this tensor belongs", verdict.message)


MEMBERS = "|".join(
    sorted({name for cls in CLASSES.values() for name in cls.members}, key=len, reverse=True)
)
OLDER = {name for cls in CLASSES.values() for form in cls.older_forms for name in form.members}
PARAMETERS = re.compile(
    rf"^(?!RepeatsCount|PaddingValue)({MEMBERS}|{'|'.join(OLDER)})\s*[:=] ((?:\{{|\d).*)$",
    re.MULTILINE,
)
FIELDED = sorted(name for name, (_key, page) in NAMED.items() if PARAMETERS.search(page))
COUNTS = {name for cls in CLASSES.values() for name in count_members(cls).values()}
CHOICES = re.compile(r"^(Order|PaddingMode): (DML_\w+)$", re.MULTILINE)


@settings(max_examples=tries(150))
@given(st.sampled_from(FIELDED), st.data())
def test_a_wrong_number_in_a_parameter(name, data):
    """It passes only where it says the truth: another window may give the same elements."""
    page = NAMED[name][1]
    field = drawn(data, list(PARAMETERS.finditer(page)))
    match = drawn(data, list(re.compile(r"\d+").finditer(page, *field.span(2))))
    altered = replaced(page, (*match.span(), other(data.draw, match)))
    here = line(page, field.start())
    (said,) = (f for f in PARAMETERS.finditer(altered) if f.start() == field.start())
    touched = 0
    for parts, found in zip(examples(altered), verdicts(altered), strict=True):
        example = found.example
        if found.status == "unreadable":
            touched += 1
            assert told_line(found.message) == here
            continue
        if example.line_of(field[1]) != here:
            assert found.status == "match"
            continue
        touched += 1
        check_parameter(said, example.operator, parts, found)
        told = told_line(found.message) if found.status != "match" else here
        if found.status == "refused":
            # the parameter itself, or another with which it clashes
            assert told in [here, *example.places.values()]
        elif "sizes" in found.message:
            assert told in [line(altered, y.start) for y in parts.outputs.values()]
        elif found.first_difference:
            assert told == found.first_difference.line or told == here
    assert touched
    assert all(said.agrees or said.line for said in read_document(altered).statements)


def check_parameter(said, operator, parts, found):
    """Whether a verdict on an example is that of NumPy, its parameter being as it is said."""
    name, value = said[1], [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", said[2])]
    if name in COUNTS:
        assert found.status == "mismatch"
        assert f"{name} is {value[0]:.0f}, but the example has" in found.message
        return
    read = operator.documented.get(name)
    if read is not None:
        assert (read if isinstance(read, list) else [read]) == value
    sizes = {label: tensor.shape for label, tensor in parts.outputs.items()}
    inputs = arrays(parts.inputs)
    given = {label: x.shape for label, x in inputs.items()}
    if operator.problems(given, None) or operator.control_problems(inputs):
        assert found.status == "refused"
    elif operator.outputs_after(given) != sizes or differing(operator, parts):
        assert found.status == "mismatch"
    else:
        assert found.status == "match"


@settings(max_examples=tries(30))
@given(st.sampled_from(sorted(n for n, (_, p) in NAMED.items() if CHOICES.search(p))), st.data())
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


def passes(page):
    """Whether nothing of it counts against the page, as the command's exit code would have it."""
    document = read_document(page)
    return not document.problem and {v.status for v in verify(document)} == {"match"}


FIELD = re.compile(
    rf"^(?P<name>{MEMBERS}|{'|'.join(OLDER)})"
    r"(?P<colon>\s*[:=]) (?P<value>.*)$",
    re.MULTILINE,
)
HEAD = re.compile(
    rf"^(?P<label>{LABEL})(?P<colon>:) "
    r"\((?P<sizes>Sizes:\{)[^}]*\}, (?:(?P<strides>Strides:\{)[^}]*\}, )?(?P<type>DataType:[A-Z]+\d+)(?P<end>\))$",
    re.MULTILINE,
)
AFTER_VALUE = (",5", ",000", "/3", " or 4", "²", " * 2", "+", " 1", "½", "…", "'", "<3", "(3)")
BEFORE_VALUE = ("≥", "-", "~", "not ", "2 * ", "<", "1/", ".")


@settings(max_examples=tries(200))
@given(st.sampled_from(sorted(NAMED)), st.data())
def test_one_letter_of_a_name(name, data):
    """Of a parameter, a label, a header or a value: without it, with another or another case."""
    page = NAMED[name][1]
    places = [m.span(g) for m in FIELD.finditer(page) for g in ("name", "colon")]
    places += [m.span("value") for m in named_values(page)]
    places += [m.span(g) for m in HEAD.finditer(page) for g in HEAD.groupindex if m[g]]
    start, end = drawn(data, places)
    at = data.draw(st.integers(start, end - 1))
    letter = data.draw(st.sampled_from(["", "", "x", "#", ";", "7"]))
    if letter == page[at] or page[at] in " {}":
        return
    if not letter and re.match(r"UINT\d", page[at : at + 5]):
        # indices of INT32 are as good as those of UINT32
        return
    altered = replaced(page, (at, at + 1, letter))
    assert not passes(altered), altered[start - 20 : end + 20]


def named_values(page):
    return [m for m in FIELD.finditer(page) if m["value"].startswith("DML_")]


@settings(max_examples=tries(150))
@given(st.sampled_from(FIELDED), st.data())
def test_a_split_value(name, data):
    page = NAMED[name][1]
    field = drawn(data, list(FIELD.finditer(page)))
    if data.draw(st.booleans()):
        at, added = field.end("value"), data.draw(st.sampled_from(AFTER_VALUE))
    else:
        at, added = field.start("value"), data.draw(st.sampled_from(BEFORE_VALUE))
    assert not passes(replaced(page, (at, at, added)))


@settings(max_examples=tries(100))
@given(st.sampled_from(FIELDED), st.data())
def test_a_twin_field(name, data):
    """The same parameter once more, with another value, above or below or further down."""
    page = NAMED[name][1]
    field = drawn(data, list(FIELD.finditer(page)))
    number = re.compile(r"\d+").search(field["value"])
    if field["value"].startswith("DML_"):
        others = {m["value"] for m in named_values(page) if m["name"] == field["name"]}
        others = sorted(others - {field["value"]}) or ["DML_PADDING_MODE_WRAP"]
        value = data.draw(st.sampled_from(others))
    else:
        value = field["value"].replace(number[0], other(data.draw, number), 1)
    header = HEAD.search(page, field.end())
    at = data.draw(st.sampled_from([field.start(), field.end() + 1, header.start()]))
    assert not passes(replaced(page, (at, at, f"{field['name']}: {value}\n")))


@settings(max_examples=tries(75))
@given(places(), st.data())
def test_a_twin_tensor(place, data):
    """A tensor once more with another number: before its like, after it, or in its place."""
    (_, page), number = NAMED[place[0]], place[1]
    twin = drawn(data, examples(page)[number].all)
    match = drawn(data, twin.numbers)
    text = page[twin.start : twin.end]
    changed = replaced(
        text,
        (match.start() - twin.start, match.end() - twin.start, other(data.draw, match)),
    )
    if data.draw(st.booleans()):
        changed = changed.replace(
            "Tensor:", data.draw(st.sampled_from(["tensor:", " Tensor:", "s:"])), 1
        )
    at = data.draw(st.sampled_from([twin.start, twin.end + 1]))
    assert not passes(replaced(page, (at, at, changed + "\n")))


PHRASES = (
    *("where a<b and c", "i <n ", "i <count ;", "x<<y", "vector<UINT ", "std::map<a, b> c"),
    *("an unclosed <div", "`<!--`", "`<script>`", "`<style>`", "`<template>`", "``<noscript>``"),
    *("<!--", "<script>", "<a href='", '<b title="', "\\<script>", "<?", "<!", "</", "<![CDATA["),
)
ENDS = ("", "\n>", "\n-->", "\n</script> `-->`", "\n'> \">", "\n]]>")


@settings(max_examples=tries(75))
@given(places(), st.sampled_from(PHRASES), st.sampled_from(ENDS), st.data())
def test_a_wrong_number_behind_a_sign_that_is_no_tag(place, phrase, end, data):
    (_, page), number = NAMED[place[0]], place[1]
    expected = drawn(data, [*examples(page)[number].outputs.values()])
    match = drawn(data, expected.numbers)
    # between paragraphs, before the example or even among its parts
    gaps = [0, *(m.end() for m in re.finditer(r"\n\n(?=[A-Z#`])", page[: expected.start]))]
    at = drawn(data, gaps)
    altered = replaced(page, (at, at, phrase + "\n\n"), (*match.span(), other(data.draw, match)))
    # what a comment or a script really hides, no reader sees
    assume(phrase not in ("<!--", "<script>") or ("<" not in end and "-->" not in end))
    assert not passes(f"{altered}\n{end}\n")
