"""Every lesson's states, claims and answers, by running them; a wrong number is found here."""

from __future__ import annotations

import re
import tomllib

import pytest

from dmlviz.base.errors import Error
from dmlviz.base.words import ENGLISH, language, languages, speaking
from dmlviz.operators import OPERATORS
from dmlviz.states import read_link
from dmlviz.states.code import CodeState
from dmlviz.states.pages import read_any_link
from dmlviz.teaching.claims import holds
from dmlviz.teaching.facts import facts_of, facts_on, fill
from dmlviz.teaching.glossary import first_uses, glossary
from dmlviz.teaching.lessons import FOLDER, lessons, passed, read_lesson
from dmlviz.teaching.posed import of_belief, of_part
from dmlviz.tensors import print_sizes
from tests.words.numbers import numbers

LESSONS = {lesson.key: lesson for lesson in lessons(ENGLISH)}
SPOKEN = [
    (spoken, key)
    for spoken in languages()
    for key in LESSONS
    if (FOLDER / f"{key}.{spoken}.toml").exists()
]
PARTS = [(*named, i) for named in SPOKEN for i in range(len(LESSONS[named[1]].parts))]
CODE = {"reshape-and-transpose", "torch-views", "im2col-product"}
DUE = {
    *CODE,
    *("tile", "padding-modes", "padding-folding", "space-to-depth", "feature-levels"),
    *("depth-to-space-dcr", "depth-to-space-crd", "depth-to-space-orders"),
    *("depth-to-space-pictures", "reading-documentation"),
}
# the most words, and letters, of a sentence
LONGEST = {"en": (25, 180), "ko": (20, 80)}
TILE = "/tile?sizes=1,3&values=count-1&repeats=1,2&data_type=FLOAT32"


def named(given):
    """A test's name: the language, unless it is English, the lesson and the part from 1."""
    spoken, key, *part = given
    names = [spoken] * (spoken != ENGLISH) + [key] + [str(i + 1) for i in part]
    return "-".join(names)


@pytest.fixture(params=SPOKEN, ids=named)
def lesson(request):
    """A lesson in each language, while that is spoken."""
    spoken, key = request.param
    with speaking(spoken):
        yield next(found for found in lessons() if found.key == key)


@pytest.fixture(params=PARTS, ids=named)
def part(request):
    """A part in each language, while that is spoken."""
    spoken, key, i = request.param
    with speaking(spoken):
        yield next(found for found in lessons() if found.key == key).parts[i]


@pytest.fixture(params=PARTS, ids=named)
def raw(request):
    """A part as its file says it, before the engine fills it."""
    spoken, key, i = request.param
    text = (FOLDER / f"{key}.{spoken}.toml").read_text(encoding="utf-8")
    with speaking(spoken):
        yield tomllib.loads(text)["parts"][i]


def test_all_lessons_are_there():
    assert set(LESSONS) >= DUE
    shown = {key for lesson in lessons() for key in lesson.operators}
    assert shown <= {cls.key for cls in OPERATORS}
    assert shown >= {"tile", "depth-to-space", "space-to-depth", "padding"}
    assert LESSONS["padding-modes"].operators == ("padding",)
    modes = {facts_of(part.link)("padding_mode") for part in LESSONS["padding-modes"].parts}
    assert modes == {"CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC", "WRAP"}


def test_dimensions_grow_in_small_steps():
    """No part of the lesson has more than one dimension more, eight elements or three new words."""
    terms, seen, ranks = [term for term in glossary(ENGLISH) if term.links], set(), [1]
    for part in LESSONS["dimensions"].parts:
        before = set(seen)
        for text in part.reading():
            first_uses(text, seen, terms)
        assert len(seen - before) <= 3, part.title
        facts = facts_of(part.link)
        assert max(int(facts("input elements")), int(facts("elements"))) <= 8, part.title
        ranks.append(int(facts("rank")))
        assert ranks[-1] <= max(ranks[:-1]) + 1, part.title


def test_every_link_opens_exactly(lesson):
    for link in lesson.links():
        opened = read_any_link(link)
        assert opened.problems == (), link
        again = read_any_link(opened.state.address(whole=True))
        assert again.state == opened.state


def test_a_lesson_has_what_a_class_needs(lesson):
    assert 5 <= lesson.minutes <= 20
    assert len(lesson.aims) >= 3
    assert len(lesson.parts) >= 3
    assert len(lesson.plan.questions) >= 3
    assert lesson.plan.opening
    for found in lesson.plan.misunderstandings:
        assert found.claims
        for claim in found.claims:
            assert holds(claim, found.link), claim
    for asked in lesson.plan.questions:
        for claim in asked.claims:
            assert holds(claim, asked.link), claim


def test_a_question_for_a_class_is_without_markdown(lesson):
    posed = [of_part(lesson, number + 1) for number in range(len(lesson.parts))]
    beliefs = len(lesson.plan.misunderstandings)
    posed += [of_belief(lesson, number + 1) for number in range(beliefs)]
    assert "`" not in repr(posed)


def test_a_question_for_the_class_may_have_claims():
    def read(told):
        asked = LESSON.replace("[[plan.questions]]\n", f"[[plan.questions]]\n{told}", 1)
        return read_lesson(asked, "tile", "tile.en.toml").plan.questions[0]

    asked = read(f'link = "{TILE}"\nclaims = ["sizes = {{1, 6}}"]\n')
    assert (asked.link, asked.claims) == (TILE, ("sizes = {1, 6}",))
    for alone in (f'link = "{TILE}"\n', 'claims = ["sizes = {1, 6}"]\n'):
        with pytest.raises(Error, match=r"plan.questions\[0\]"):
            read(alone)


def test_every_claim_holds(part):
    assert part.claims
    for claim in part.claims:
        assert holds(claim, part.link), claim
    assert part.what_if.claims
    for claim in part.what_if.claims:
        assert holds(claim, part.what_if.link), claim


def test_exactly_the_right_answer_is_right(part):
    answers = part.prediction.answers
    assert len({answer.text for answer in answers}) == len(answers)
    true = [i for i, answer in enumerate(answers) if holds(answer.claim, part.link)]
    assert true == [part.prediction.right]


def test_the_right_answer_is_not_always_in_one_place():
    places = [part.prediction.right for lesson in lessons() for part in lesson.parts]
    assert max(places.count(i) for i in range(3)) < len(places) * 0.6


def test_nothing_on_screen_answers_before_the_question(lesson):
    for number, part in enumerate(lesson.parts, 1):
        right = part.prediction.answers[part.prediction.right].text.rstrip(".").casefold()
        shown = [lesson.title, part.title]
        # a number alone may be said of something else
        if len(right) > 2:
            shown += [part.words, part.prediction.prompt, of_part(lesson, number).runs]
        # nor is a part of a longer list the answer
        whole = re.compile(rf"(?<![\w{{])(?<!, ){re.escape(right)}(?!, |[\w}}])")
        texts = [answer.text.casefold() for answer in part.prediction.answers]
        for text in shown:
            # a line of code that names all choices gives none of them away
            if all(each in text.casefold() for each in texts):
                continue
            assert not whole.search(text.casefold()), (part.title, right, text)


def test_two_of_three_right_pass_a_lesson():
    assert [passed([True] * n + [False] * (5 - n)) for n in range(6)] == [False] * 4 + [True] * 2
    assert not passed([True, True, True, None])


def test_there_is_a_move_to_see_or_a_refusal(part):
    facts = facts_of(part.link)
    if facts.problems:
        assert any(claim.startswith("refused = ") for claim in part.claims)
        return
    assert facts.trace.agrees
    assert 1 <= facts.state.view.step <= int(facts("steps"))


def told_in(text):
    """The numbers of a text in the language that is spoken."""
    return numbers(text, language())


def known(link, claims):
    """The numbers of sizes, settings, moment and pinned cells, and those that are claimed."""
    facts = facts_of(link)
    state = facts.state
    found = numbers(" ".join(claims), ENGLISH) | {"0"}
    if isinstance(state, CodeState):
        texts = [state.code, *map(print_sizes, state.tensors.sizes.values())]
        texts += [str(len(sizes)) for sizes in state.tensors.sizes.values()]
    else:
        texts = [facts("input sizes"), facts("rank"), *dict(state.settings).values()]
    if not facts.problems:
        texts.append(facts("sizes"))
    texts += [str(i) for index in state.view.pinned for i in index]
    return found | numbers(" ".join(texts).replace(",", ", "), ENGLISH)


def test_no_number_stands_in_the_words_that_nothing_vouches_for(raw):
    ours = known(raw["link"], raw["claims"])
    choices = raw["predict"]["choices"]
    told = ours | {n for choice in choices for n in told_in(choice["text"])}
    told |= {n for choice in choices for n in numbers(choice.get("claim", ""), ENGLISH)}
    changed = told | known(raw["what_if"]["link"], raw["what_if"]["claims"])
    texts = [
        (raw["title"], ours),
        (raw["words"], ours),
        (raw["look"], ours),
        (raw["predict"]["prompt"], ours),
        (raw["predict"]["reveal"], told),
        (raw["what_if"]["words"], changed),
        *[(choice.get("why", ""), told) for choice in choices],
    ]
    for text, vouched in texts:
        plain = re.sub(r"\{[a-z][^{}]*\}", "", text)
        assert told_in(plain) <= vouched, (told_in(plain) - vouched, text)


def sentences(text):
    return [s for s in re.split(r"(?<=[.!?:])\s+", text.strip()) if s]


def test_sentences_are_short(lesson):
    asked = [text for question in lesson.plan.questions for text in question.reading()]
    told = [*lesson.reading(), lesson.plan.opening, *asked]
    words, letters = LONGEST.get(language(), LONGEST[ENGLISH])
    refusals = [facts_of(part.link)("message") for part in lesson.parts]
    for text in told:
        if any(said and said in text for said in refusals):
            continue  # what the operator itself says
        for sentence in sentences(text):
            assert len(sentence.split()) <= words, sentence
            assert len(sentence) <= letters, sentence
        assert len(sentences(text)) <= 8, text


@pytest.mark.parametrize("key", sorted(CODE))
def test_a_lesson_in_code_shows_code_alone_and_computes_its_wrong_answers(key):
    """Each wrong answer is what other code gives, or is claimed of the part's own."""
    lesson = LESSONS[key]
    assert all(link.startswith("/code?") for link in lesson.links())
    assert set(lesson.operators) <= {cls.key for cls in OPERATORS}
    assert len(lesson.operators) >= 1
    for part in lesson.parts:
        sources = [claim.replace(" ", "") for claim in part.claims]
        assert any(" at /code?" in claim for claim in (*part.claims, part.what_if.link)) or any(
            answer.claim for answer in part.prediction.answers
        )
        for answer in part.prediction.answers:
            text = answer.text.replace(" ", "")
            claimed = any(text in claim for claim in sources)
            assert answer.why == "" or claimed or not answer.claim.endswith(answer.text), text


def test_a_wrong_number_is_found():
    assert holds("out[0, 4] = 2", TILE)
    assert not holds("out[0, 4] = 3", TILE)
    assert not holds("sizes = {1, 7}", TILE)
    assert not holds("source of out[0, 4] = in[0, 2]", TILE)
    assert not holds("2 · 3 = 7", TILE)
    assert not holds("7 mod 3 = 2", TILE)
    assert not holds("out[0, 0] differs from out[0, 3]", TILE)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("out[0, :]", "1, 2, 3, 1, 2, 3"),
        ("in[0, 2]", "3"),
        ("copies of in[0, 1]", "2"),
        ("step of out[0, 5]", "2"),
        ("steps", "2"),
        ("repeats[1]", "2"),
        ("repeats", "{1, 2}"),
        ("refused", "nothing"),
        ("accepted from", "3_1"),
        ("elements", "6"),
        ("sizes at /tile", "{1, 1, 6, 9}"),
        ("sizes[2:] at /tile", "{6, 9}"),
        ("source of out[0, :]", "in[0, 0], in[0, 1], in[0, 2]" + ", in[0, 0], in[0, 1], in[0, 2]"),
        ("source[1] of out[0, :]", "0, 1, 2, 0, 1, 2"),
        ("repeats[1] · input elements", "6"),
        ("sizes[1] − repeats[0] − repeats[1] + 4", "7"),
    ],
)
def test_what_can_be_asked(asked, answer):
    assert facts_of(TILE)(asked) == answer
    assert fill(f"It is {{{asked}}}.", TILE) == f"It is {answer}."


@pytest.mark.parametrize(
    "asked",
    [
        *("out[0]", "out[0, 6]", "in[1, 0]", "block_size", "nonsense", "other[0, 0]", "remark", ""),
        *("repeats + 1", "steps +", "steps / 2", "steps + nonsense"),
        *("steps" + " + 1" * 999, "steps" + " · 99999" * 999),
    ],
)
def test_what_cannot_be_asked_is_said(asked):
    with pytest.raises(Error):
        facts_of(TILE)(asked)


def test_the_padding_value_is_no_source():
    state = read_link(
        "/padding?sizes=2&values=count-1&padding_mode=CONSTANT&start_padding=1&end_padding=0"
    ).state
    facts = facts_on(state)
    assert facts("source of out[0]") == "the padding value"
    assert facts("source[0] of out[:]") == "the padding value, 0, 1"
    assert [facts(f"constants of out[{at}]") for at in ("0", "1", ":")] == ["1", "0", "1"]
    assert facts("remark of out[0]") == "Along the row: 1 before the start."


def test_elements_that_are_not_copied():
    facts = facts_of("/strided?sizes=2&values=count-1&input_tensor_sizes=2&input_tensor_strides=1")
    asked = ("not copied", "values not copied", "indices not copied")
    assert [facts(one) for one in asked] == ["0", "", ""]
    gap = " at /strided?sizes=8&values=count-1&input_tensor_sizes=2,3&input_tensor_strides=4,1"
    assert [facts(one + gap) for one in asked] == ["2", "4, 8", "3, 7"]


def test_a_copy_is_of_an_element_of_any_tensor_and_in_either_output():
    # both rows name the same places, so the first row of updates is covered in A
    facts = facts_of(
        "/scatter?sizes=2,2&values=count-1&axis=0&IndicesTensor.sizes=2,2&IndicesTensor.values=own"
        "&IndicesTensor.literal=1,0,1,0&UpdatesTensor.sizes=2,2&UpdatesTensor.values=count-1"
        "&compare=true&b_axis=1"
    )
    assert facts("copy of in[0, 0]") == "out[0, 0]"
    assert facts("copy of UpdatesTensor[1, 0]") == "out[1, 0]"
    assert facts("copy[0] of UpdatesTensor[1, 1]") == "0"
    assert facts("other copy of UpdatesTensor[0, 0]") == "out[0, 1]"
    assert facts("copies of UpdatesTensor[1, 0]") == "1"
    assert facts("copies of in[1, 0]") == "0"
    for asked in (
        *("copy of in[1, 0]", "copy of UpdatesTensor[0, 0]", "other copy of in[0, 0]"),
        *("copy of IndicesTensor[0, 0]", "copies of IndicesTensor[0, 0]"),
        *("copy of in[0, :]", "copies of UpdatesTensor[0, 2]"),
    ):
        with pytest.raises(Error):
            facts(asked)


LESSON = (FOLDER / "tile.en.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("minutes = 10", "minutes = 10\nseconds = 3", "seconds"),
        ("minutes = 10", "minutes = 0", "minutes"),
        ("minutes = 10", 'minutes = "ten"', "minutes"),
        ("title = ", "titel = ", "title"),
        ("look = ", "lok = ", "parts[0].look"),
        ("prompt = ", "prompts = ", "parts[0].predict.prompt"),
        ("answer = ", 'colour = "red"\nanswer = ', "parts[0].predict.colour"),
        ('words = """', 'words = """{nonsense} ', "parts[0].words"),
        ("repeats=3&", "repeats=x&", "repeats"),
        ("aims = [", "aims = [3,", "aims[0]"),
        ("[plan]", "[plam]", "plan"),
        ("title = ", "title = = ", "tile.en.toml"),
        ('why = "', 'why = ""\nwhat = "', "choices"),
    ],
)
def test_a_file_with_anything_unexpected_is_refused(old, new, said):
    assert old in LESSON
    with pytest.raises(Error) as refused:
        read_lesson(LESSON.replace(old, new, 1), "tile", "tile.en.toml")
    assert said in str(refused.value)


def test_another_language_falls_back_to_english():
    assert lessons("xx") == lessons()
