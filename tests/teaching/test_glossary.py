"""Every term is explained by earlier ones, and linked where a lesson first uses it."""

from __future__ import annotations

import re

import polib
import pytest

from dmlviz.base.errors import Error
from dmlviz.base.words import ENGLISH, LOCALE, VOCABULARIES, in_words_of, languages
from dmlviz.states import read_link
from dmlviz.teaching.facts import facts_of
from dmlviz.teaching.glossary import first_uses, glossary, linked, read_glossary
from dmlviz.teaching.lessons import lessons
from dmlviz.tensors import DATA_TYPES

CODE = ("dmlviz/code/", "dmlviz/teaching/code.toml")
TERMS = glossary(ENGLISH)
BY_KEY = {term.key: term for term in TERMS}
NAME = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{2,}(?![A-Za-z0-9_])")
each_term = pytest.mark.parametrize(
    ("spoken", "term"),
    [
        pytest.param(spoken, term, id=term.key if spoken == ENGLISH else f"{spoken}-{term.key}")
        for spoken in languages()
        for term in glossary(spoken)
    ],
)
each_lesson = pytest.mark.parametrize(
    ("spoken", "lesson"),
    [
        pytest.param(spoken, found, id=found.key if spoken == ENGLISH else f"{spoken}-{found.key}")
        for spoken in languages()
        for found in lessons(spoken)
    ],
)
MOST_NEW = 5
DUE = {
    *("tensor", "dimension", "sizes", "rank", "element", "index", "plane", "channel", "block"),
    *("repeats", "padding", "fold", "order", "data-type", "feature-level", "engine", "source"),
    *("move", "operator", "inverse", "mode", "input", "output"),
}


def test_the_terms_are_there():
    assert set(BY_KEY) >= DUE
    forms = [form for term in TERMS for form in term.forms]
    assert len(forms) == len(set(forms))
    assert {form for form in BY_KEY["data-type"].forms if form.isupper()} == set(DATA_TYPES)


@each_term
def test_a_term_is_a_short_sentence_and_a_picture(spoken, term):
    assert term.sentence.endswith(".")
    # Korean chains no clauses: what the term is, then an example of it
    assert term.sentence[:-1].count(". ") <= (spoken == "ko")
    assert 4 <= len(term.sentence.split()) <= 25
    assert re.fullmatch(r"[a-z-]+", term.key)
    opened = read_link(term.link)
    assert opened.problems == ()
    facts = facts_of(term.link)
    assert facts.problems == []
    assert facts.trace.agrees
    assert facts.state.view.step <= int(facts("steps"))


@each_term
def test_a_sentence_uses_only_terms_that_stand_before_it(spoken, term):
    order = list(BY_KEY)
    used = [use.term.key for use in first_uses(term.sentence, {term.key}, glossary(spoken))]
    assert all(order.index(key) < order.index(term.key) for key in used), used


ALSO = {"en": r"also called (?:an? |the )?(\w+)", "ko": r"(\w+?)(?:이)?라고도"}


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize("spoken", ALSO)
def test_no_term_is_also_called_what_it_is_called(spoken, vocabulary):
    terms = glossary(in_words_of(spoken, vocabulary))
    also = [(term.name, re.findall(ALSO[spoken], term.sentence)) for term in terms]
    assert any(names for _name, names in also)
    assert [name for name, names in also if name in names] == []


def code_texts(spoken):
    """What the page for code says: refusals, and questions with their answers."""
    entries = polib.pofile(str(LOCALE / "ko" / "LC_MESSAGES" / "dmlviz.po"))
    return [
        entry.msgid if spoken == ENGLISH else entry.msgstr
        for entry in entries
        if any(file.startswith(CODE) for file, _line in entry.occurrences)
    ]


@pytest.mark.parametrize("spoken", languages())
def test_every_term_is_used_in_a_lesson_or_about_code(spoken):
    used: set[str] = set()
    texts = [text for lesson in lessons(spoken) for text in lesson.reading()]
    for text in [*texts, *code_texts(spoken)]:
        first_uses(text, used, glossary(spoken))
    assert used == set(BY_KEY)


FIELD = """
axis axes batch batches block broadcast broadcasting broadcasts channel channels contiguous
convolution convolutions copy dilation dilations dimension dimensions element elements filter filters
gather gathers index indices interpolate interpolates interpolation kernel kernels layout layouts
mask masks matrices matrix memory offset offsets operator operators padding permute permuted permutes
plane planes rank ranks reshape reshaped reshapes scale scales scatter scatters shape shapes slice
slices squeeze squeezes stride strides tensor tensors transpose transposed transposes tuple tuples
unsqueeze upsample upsamples upsampling view views window windows
"""
"""Words of the field, as NumPy, PyTorch and ONNX use them."""


def test_every_word_of_the_field_is_explained_in_every_language():
    """What a lesson, a line of its code, or a refusal of code says."""
    texts = code_texts(ENGLISH)
    for lesson in lessons(ENGLISH):
        texts += lesson.reading()
        texts += [code.lines for part in lesson.parts for code in part.code]
    words = set(re.findall(r"[a-z]+", " ".join(texts).lower()))
    forms = {form.lower() for term in TERMS for form in term.forms}
    forms |= set(
        re.findall(r"also called (?:an? |the )?(\w+)", " ".join(t.sentence for t in TERMS))
    )
    forms |= {"shapes"}  # of a shape
    assert words & set(FIELD.split()) - forms == set()
    assert len(words & set(FIELD.split())) > 60
    for spoken in languages():
        assert [term.key for term in glossary(spoken)] == list(BY_KEY)


@each_lesson
def test_no_term_is_used_before_it_is_explained(spoken, lesson):
    terms = [term for term in glossary(spoken) if term.links]
    seen: set[str] = set()
    explained: set[str] = set()
    for text in lesson.reading():
        # what is in backticks is code
        text = re.sub("`[^`]*`", "``", text)
        shown = linked(text, seen, terms)
        links = re.findall(r"\[([^\]]+)\]\(glossary\?term=([a-z-]+) ", shown)
        for words, key in links:
            assert words in [f for t in terms for f in (*t.forms, *map(upper_first, t.forms))]
            assert key not in explained
        # in reading order every use is behind, or is, the link
        for use in first_uses(text, set(explained), terms):
            assert (text[use.start : use.end], use.term.key) in links
        explained |= {key for _words, key in links}
    assert explained == seen


@each_lesson
def test_names_in_capitals_are_terms(spoken, lesson):
    forms = {form for term in glossary(spoken) for form in term.forms}
    # a setting of a state that the lesson opens is on the screen beside it
    settings = set(re.findall(r"\w+", " ".join(lesson.links())))
    for text in lesson.reading():
        for name in NAME.findall(text):
            # constants of DirectML and of OpenCV are named after what they belong to
            assert name in forms | settings or name.startswith(("DML_", "BORDER_")), name


def upper_first(form):
    return form[:1].upper() + form[1:]


@each_lesson
def test_no_part_has_more_than_five_new_words(spoken, lesson):
    """New is a term that no earlier part of the lesson has used."""
    used: set[str] = set()
    for part in lesson.parts:
        before = set(used)
        for text in part.reading():
            linked(text, used, glossary(spoken))
        assert len(used - before) <= MOST_NEW, part.title


def test_a_term_is_linked_once_and_the_longest_form_wins():
    seen: set[str] = set()
    shown = linked("Blocks have a block size; a block is small.", seen, TERMS)
    # the title is the sentence, which a tap shows
    block, size = (
        next(term for term in TERMS if term.key == key).sentence for key in ("block", "block-size")
    )
    assert shown == (
        f'[Blocks](glossary?term=block "{block}") have a '
        f'[block size](glossary?term=block-size "{size}"); a block is small.'
    )
    assert seen == {"block", "block-size"}
    assert linked("A block.", seen, TERMS) == "A block."


def test_code_and_parts_of_words_are_left_alone():
    assert linked("`tensor` and re-order", set(), TERMS) == "`tensor` and re-order"
    assert linked("bordered, edges", set(), TERMS) == "bordered, edges"


GOOD = '[one]\nname = "one"\nsentence = "A {rank} thing."\nlink = "/tile"\n'


def test_a_glossary_is_read_and_filled():
    (term,) = read_glossary(GOOD, "g.toml")
    assert (term.name, term.sentence, term.forms) == ("one", "A 4 thing.", ("one",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + 'colour = "red"', "g.toml: one.colour"),
        (GOOD.replace("sentence", "words"), "one.sentence"),
        (GOOD + GOOD.replace("[one]", "[two]"), "one appears twice"),
        ("one = 3", "one"),
        ("[one", "g.toml"),
        (GOOD.replace("/tile", "/tile?sizes=x"), "sizes"),
    ],
)
def test_a_file_that_is_no_glossary_is_refused(text, said):
    with pytest.raises(Error) as refused:
        read_glossary(text, "g.toml")
    assert said in str(refused.value)


def test_a_sentence_says_nothing_of_a_tensor_that_may_not_be_on_screen():
    # it is read in a popup, beside any picture
    for language, words in ((ENGLISH, r"\bhere\b|\bthis one\b"), ("ko", "여기|이 텐서")):
        found = {t.key: t.sentence for t in glossary(language) if re.search(words, t.sentence)}
        assert found.keys() <= {"directml"}, language


def test_how_copies_lie_is_not_told_before_it_is_asked_for():
    (first,) = [lesson for lesson in lessons(ENGLISH) if lesson.key == "tile"]
    for told in (first.title, first.parts[0].words, BY_KEY["tile"].sentence):
        assert not re.search(r"side by side|whole|entire|one after", told)


@pytest.mark.parametrize("spoken", languages())
def test_an_order_is_linked_only_where_it_is_the_setting(spoken):
    """Not in the order of indices, of memory or of updates."""
    keys = {"depth-to-space", "space-to-depth"}
    for lesson in lessons(spoken):
        seen: set[str] = set()
        for text in lesson.reading():
            linked(text, seen, glossary(spoken))
        assert "order" not in seen or keys & set(lesson.operators), lesson.key
