import re

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import FEATURE_LEVELS
from dmlviz.verify import available, built_in, read_document, verify
from dmlviz.verify.naming import class_of, is_alone
from tests.verify.pages import CLASSES, FAMILY, REAL, real

PAGES = {page.key: page for page in built_in()}


def test_one_page_per_operator():
    assert list(PAGES) == [cls.key for cls in CLASSES.values()]
    assert [page.title for page in PAGES.values()] == [cls.structure for cls in CLASSES.values()]


@pytest.mark.parametrize("key", PAGES)
def test_nothing_is_wrong_with_it(key):
    document = read_document(PAGES[key].text, key)
    assert document.structure == PAGES[key].title
    assert document.problem == ""
    assert document.all_findings == ()
    # where the output's sizes are free, no sum says what they are; of several tensors none is
    # read, nor of an output of another rank
    cls = CLASSES[key]
    other_rank = any(slot.support for slot in cls.output_slots)
    assert document.statements or cls.free_tensors or not is_alone(cls) or other_rank, (
        f"assets/documents/{key}.en.md: no sum says the sizes of the output; "
        f"write one, or say in free_tensors of {cls.__name__} that they are free"
    )
    assert all(said.agrees for said in document.statements)
    verdicts = verify(document, available())
    assert {verdict.status for verdict in verdicts} == {"match"}
    assert {v.engine for v in verdicts} >= {"numpy"}


@pytest.mark.parametrize("key", PAGES)
def test_its_examples_are_those_of_the_documentation(key):
    theirs = CLASSES[key].examples()
    for ours, due in zip(read_document(PAGES[key].text).examples, theirs, strict=True):
        assert ours.operator == due.operator
        trace = dmlviz.run(due.operator, due.x)
        for mine, theirs in ((ours.inputs, trace.inputs), (ours.outputs, trace.outputs)):
            assert list(mine) == list(theirs)
            for name, array in mine.items():
                np.testing.assert_array_equal(array, theirs[name], strict=True)


@pytest.mark.parametrize("key", PAGES)
def test_its_tables_are_complete(key):
    rows = read_document(PAGES[key].text).support
    cls = class_of(PAGES[key].title)
    for slot in (*cls.input_slots, *cls.output_slots):
        ranked = slot.support if slot in cls.output_slots else ()
        newest_first = (ranked or cls.support)[::-1]
        told = [row.support for row in rows if row.tensor == slot.name]
        assert [(r.level, r.ranks) for r in told] == [(r.level, r.ranks) for r in newest_first]
        own = slot.support or cls.support
        for row in told:
            due = [
                r for r in own if FEATURE_LEVELS.index(r.level) <= FEATURE_LEVELS.index(row.level)
            ]
            assert sorted(row.data_types) == sorted(due[-1].data_types)


@pytest.mark.parametrize("name", [name for name in REAL | FAMILY if ".ko." not in name])
def test_its_sentences_are_our_own(name):
    def sentences(text):
        told = re.split(r"\. |\.?\n", text)
        return {s for s in told if len(re.findall(r"\b[a-z]{2,}\b", s)) >= 4 and "|" not in s}

    theirs = sentences(real(name))
    assert theirs
    assert not sentences(PAGES[(REAL | FAMILY)[name]].text) & theirs
