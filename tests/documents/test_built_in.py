import re

import numpy as np
import pytest

import dmlviz
from dmlviz.documents import available, built_in, read_document, verify
from dmlviz.documents.naming import class_of
from tests.documents.pages import CLASSES, REAL, leaves_sizes_free, real

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
    # where the output's sizes are free, no sum says what they are
    assert document.statements or leaves_sizes_free(CLASSES[key])
    assert all(said.agrees for said in document.statements)
    verdicts = verify(document, available())
    assert {verdict.status for verdict in verdicts} == {"match"}
    assert {v.engine for v in verdicts} >= {"numpy"}


@pytest.mark.parametrize("key", PAGES)
def test_its_examples_are_those_of_the_documentation(key):
    theirs = CLASSES[key].examples()
    for ours, due in zip(read_document(PAGES[key].text).examples, theirs, strict=True):
        assert ours.operator == due.operator
        np.testing.assert_array_equal(ours.x, due.x, strict=True)
        np.testing.assert_array_equal(ours.expected, dmlviz.run(due.operator, due.x).output)


@pytest.mark.parametrize("key", PAGES)
def test_its_tables_are_complete(key):
    rows = read_document(PAGES[key].text).support
    newest_first = class_of(PAGES[key].title).support[::-1]
    for tensor in ("InputTensor", "OutputTensor"):
        told = [row.support for row in rows if row.tensor == tensor]
        assert [(r.level, r.ranks) for r in told] == [(r.level, r.ranks) for r in newest_first]
        for row, due in zip(told, newest_first, strict=True):
            assert sorted(row.data_types) == sorted(due.data_types)


@pytest.mark.parametrize("name", [name for name in REAL if ".ko." not in name])
def test_its_sentences_are_our_own(name):
    def sentences(text):
        told = re.split(r"\. |\.?\n", text)
        return {s for s in told if len(re.findall(r"\b[a-z]{2,}\b", s)) >= 4 and "|" not in s}

    theirs = sentences(real(name))
    assert theirs
    assert not sentences(PAGES[REAL[name]].text) & theirs
