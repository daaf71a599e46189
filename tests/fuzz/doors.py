"""Every door for text from outside: what may come out of it, whatever goes in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

import numpy as np

from dmlviz.__main__ import main
from dmlviz.app.share import with_player
from dmlviz.app.text import plain
from dmlviz.base.errors import Error
from dmlviz.operators import OPERATORS, feature_level, operator_from_desc
from dmlviz.picture.scene import STAGE_LIMIT, check_stage
from dmlviz.states import read_link, read_parameters
from dmlviz.teaching.practice import Practice, read_practice
from dmlviz.teaching.worksheets import read_sheet
from dmlviz.tensors import (
    DATA_TYPES,
    data_type,
    element_count,
    print_literal,
    read_literal,
    read_number,
    read_sizes,
)
from dmlviz.verify import FORMATS, as_lines, as_markdown, check, document_data, read_document

TYPES = tuple(DATA_TYPES)
LONGEST_SENTENCE = 600
# what only Python says, and nobody who uses the app should read
_INTERNALS = re.compile(
    r"Traceback|<class|<function| object at 0x|\bnp\.|dtype\(|NoneType|frozenset"
    r"|Error\(|Errno|\bself\b|\bNone\b|invalid literal|unhashable|codec"
)


def check_sentence(message: str, given: str) -> None:
    """A refusal is one short line that a person can read."""
    assert message.strip(), given
    assert len(message) <= LONGEST_SENTENCE, (given, message)
    assert message.isprintable(), (given, message)
    assert message.rstrip('"')[-1] in ".?)…", (given, message)
    message.encode("utf-8")
    for word in _INTERNALS.findall(message):
        assert word in given, (given, message)
    check_plain(plain(message))


# what Streamlit's Markdown makes more of than text: a link, picture, formula, colour, an entity, an
# address in angles; emphasis by lines that do not stand inside a word; a block at a line's start
_TAKEN = re.compile(
    r"\][(\[:]|(?<!\\)[$`*~&<|]|(?<!\\)(?:(?<![^\W_])_|_(?![^\W_]))|(?<!\\):(?:(?-i:[a-z])|[\w-]+[\[{])"
    r"|(?<!\u2060)(?:://|@|(?<=www)\.)|^[ \t]*(?:[#>=]|::|[-+](?:[-+\s]|$)|\d+[.)](?:\s|$))",
    re.IGNORECASE | re.MULTILINE,
)


def check_plain(shown: str) -> None:
    """What Streamlit's Markdown gets is text and nothing else."""
    assert not _TAKEN.search(shown), shown


def check_sentences(messages: Iterable[str], given: str) -> None:
    for message in messages:
        check_sentence(message, given)


def literal(text: str, name: str, limit: int = 65_536) -> bool:
    """Whether it is a tensor; if so, it is what it says, and prints as what reads back."""
    try:
        read = read_literal(text, name, limit)
    except Error as error:
        check_sentence(str(error), text)
        assert error.field in ("values", "data_type")
        assert getattr(error, "offset", None) is None or 0 <= error.offset <= len(text)
        return False
    assert read.values.shape == read.sizes
    assert 1 <= len(read.sizes) <= 8
    assert 1 <= read.values.size <= limit
    assert read.values.dtype == data_type(read.data_type).dtype
    assert not read.values.flags.writeable
    assert len(read.offsets) == read.values.size
    check_sentences(read.findings, text)
    if read.values.size <= 24:
        again = read_literal(print_literal(read.values), read.data_type).values
        assert again.tobytes() == read.values.tobytes() or np.isnan(again).any(), text
    return True


def small(text: str, turn: int) -> bool:
    """One of the small readers: sizes, one number, a setting, a type, a feature level."""
    parameters = [p for cls in OPERATORS for p in cls.parameters()]
    readers = (
        read_sizes,
        lambda text: read_number(text, TYPES[turn % len(TYPES)], (0, 2)),
        lambda text: parameters[turn % len(parameters)].read(text),
        data_type,
        feature_level,
    )
    try:
        readers[turn % len(readers)](text)
    except Error as error:
        check_sentence(str(error), text)
        return False
    return True


def link(text: str) -> bool:
    """Whether it leads to a state; if so, the state is one, and its own link leads to it again."""
    return opened(read_link(text), text)


def parameters(key: str, given: Mapping[str, str]) -> bool:
    """The parameters of an explorer's address, as Streamlit hands them over."""
    return opened(read_parameters(key, given), repr(given) + " ".join(given.values()))


def opened(found, text: str) -> bool:
    assert len(found.problems) <= 13
    check_sentences((problem.message for problem in found.problems), text)
    state = found.state
    if state is None:
        assert found.problems
        return False
    both = [one for one in (state, state.second()) if one is not None]
    operators = [one.operator() for one in both]
    json.dumps(state.view.look((2, 3)))
    try:
        inputs = state.inputs()
    except Error as error:
        check_sentence(str(error), text)
        return False
    for name, x in inputs.items():
        given = state.tensors[name]
        assert x.shape == given.sizes
        assert x.dtype == data_type(given.data_type).dtype
    assert sum(map(element_count, state.tensors.sizes.values())) <= STAGE_LIMIT
    for one, operator in zip(both, operators, strict=True):
        problems = one.problems()
        check_sentences((problem.message for problem in problems), text)
        if not problems:
            try:
                check_stage(state.tensors.sizes, operator.outputs_after(state.tensors.sizes))
            except Error as error:
                check_sentence(str(error), text)
    again = read_link(state.address())
    literal = any(name.endswith("literal") for name in found.typed)
    assert again.problems == () or literal, (text, again.problems)
    assert again.state == state or literal, (text, state.address())
    return True


def player(search: str, state) -> None:
    """What a browser says its address holds, when the view is shared."""
    shared = with_player(state, search)
    assert shared.settings == state.settings
    assert read_link(shared.address()).problems == ()


def sheet(given: Mapping[str, str]) -> None:
    """The parameters of a worksheet's address."""
    found, problems = read_sheet(given)
    check_sentences((p.message for p in problems), " ".join((*given, *given.values())))
    assert read_sheet(found.parameters()) == (found, ())


def practice(given: Mapping[str, str]) -> None:
    """The parameters of a practice question's address."""
    found, problems = read_practice(given, Practice(1))
    check_sentences((p.message for p in problems), " ".join((*given, *given.values())))
    assert read_practice(found.parameters(), Practice(2)) == (found, ())


def document(page: str | bytes, name: str = "") -> set[str]:
    """The statuses of a page's examples; everything that is told of it is text for people."""
    read = read_document(page, name)
    text = page if isinstance(page, str) else page.decode(errors="replace")
    report = check(read, text, required=[name])
    given = f"{name} {page if isinstance(page, str) else page.decode('latin-1')}"
    told = [*(v.message for v in report.verdicts), *(f.message for f in read.all_findings)]
    told += [said.message for said in read.statements]
    check_sentences([*told, *filter(None, [read.problem])], given)
    lines = as_lines(report)
    assert all(line.isprintable() and len(line) < 1_000 for line in lines), (page, lines)
    json.dumps(document_data(report), ensure_ascii=False, allow_nan=False).encode(
        "utf-8", "replace"
    )
    markdown = as_markdown(report)
    assert not re.search(r"(?<!\\)(?:\]\(|<\w|https?://)", markdown), (page, markdown)
    for verdict in report.verdicts:
        check_plain(plain(verdict.example.title))
    assert report.outcome.code in (0, 1, 2)
    ElementTree.fromstring(FORMATS["junit"]([report]).encode("utf-8", "replace"))
    lines = FORMATS["github"]([report]).split("\n")
    assert [line[:2] for line in lines if line] == ["::"] * len(report.problems)
    return {verdict.status for verdict in report.verdicts}


def desc(name: object, members: object) -> bool:
    """An operator from DirectML's names, as a page's example or a script gives them."""
    try:
        operator = operator_from_desc(name, members)
    except Error as error:
        check_sentence(str(error), f"{name!r} {members!r}")
        return False
    operator.problems((1, 4, 2, 2), "FLOAT32")
    return True


def command(arguments: list[str], capsys) -> int:
    """What the command line answers: an exit code, and in words what is wrong."""
    try:
        code = main(arguments)
    except SystemExit as end:  # argparse's own way to say what is no argument
        code = end.code
        told = capsys.readouterr().err
        assert code in (0, 2)
        assert "Traceback" not in told
        assert code == 0 or re.search(r"^dmlviz[ \w]*: error: .", told, re.MULTILINE), told
        return code
    told = capsys.readouterr()
    assert code in (0, 1, 2), arguments
    given = " ".join(arguments)
    if told.err.startswith("dmlviz: "):
        assert code == 2
        check_sentence(told.err.removeprefix("dmlviz: ").removesuffix("\n"), given)
    elif code == 2:
        # a page that cannot be read has its sentence in the report
        assert "verify" in arguments
    return code
