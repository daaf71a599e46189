"""Practice: an answer is told right or wrong, counted, explained and played."""

from __future__ import annotations

import pytest

from dmlviz.app.text import plain
from dmlviz.operators.padding import Padding
from dmlviz.teaching.plain import PLAIN
from dmlviz.teaching.posed import marked_cell
from dmlviz.teaching.practice import ask, operators_at
from dmlviz.tensors import print_value
from tests.app.conftest import Session

LINK = {"seed": "7", "level": "2", "operator": "padding", "number": "3"}


@pytest.fixture
def practice():
    def opened(**query):
        return Session().open("practice", **query)

    return opened


def question(shown):
    words = shown.at.query_params
    return ask(
        int(words["seed"]),
        int(words["number"]),
        level=int(words["level"]),
        operator=words.get("operator", ""),
    )


def choose(shown, right):
    asked = question(shown)
    shown.widget(f"choice_{asked.right if right else (asked.right + 1) % 3}").click().run()
    assert shown.exceptions == []
    return asked


def told(shown):
    """What is said of the answer."""
    beginnings = ("Right: ", "Not ", "Correct answer: ")
    return [text for text in shown.texts if text.startswith(beginnings)]


def on(shown):
    shown.widget("next").click().run()
    assert shown.exceptions == []


def test_a_link_gives_everybody_the_same_question(practice):
    shown = practice(**LINK)
    asked = ask(7, 3, level=2, operator="padding")
    assert f"**{asked.asks}**" in shown.texts
    # a reader can tell the answer from the rule, which is not part of the question itself
    assert plain(asked.rule) in shown.texts
    buttons = [found for found in shown.at.button if "_choice_" in found.key]
    assert [found.label for found in buttons] == [choice.text for choice in asked.choices]
    assert [found.proto.shortcut for found in buttons] == ["1", "2", "3", "4"][: len(buttons)]
    assert shown.at.query_params == LINK
    assert shown.stages == [], "nothing is drawn of what is refused"
    assert shown.exceptions == shown.warnings == []


@pytest.mark.parametrize("number", range(1, 9))
def test_right(practice, number):
    shown = practice(**LINK | {"number": str(number)})
    for stage in shown.stages:
        # neither elements nor sources, unless the output is in view
        kind, before = question(shown).kind, stage["payload"]
        assert before["formula"]["of"] == {}
        assert [step["title"] for step in before["steps"]] == [""]
        labels = [tensor["labels"] for tensor in before["output"]["tensors"]]
        assert (labels == [None]) is (kind != "setting")
    assert bool(shown.stages) is (question(shown).kind != "refused")
    asked = choose(shown, right=True)
    assert told(shown) == [f"Right: {asked.choices[asked.right].text}"]
    assert asked.explanation.replace("\n", "  \n") in [part.value for part in shown.at.markdown]
    (stage,) = shown.stages
    assert stage["payload"]["output"]["tensors"][0]["sizes"] == list(
        asked.operator.output_sizes(asked.x.shape)
    )
    assert not shown.has("choice_0"), "one answer to a question"


def test_wrong_is_explained_by_its_own_numbers(practice):
    shown = practice(**LINK | {"number": "2"})
    asked = choose(shown, right=False)
    taken = asked.choices[(asked.right + 1) % 3]
    right = f"Correct answer: {asked.choices[asked.right].text}"
    assert told(shown) == [f"Not {taken.text}. {taken.why}", right]
    assert len(shown.stages) == 1


@pytest.mark.parametrize("operator", ["padding", "join", "gather"])
@pytest.mark.parametrize("level", [PLAIN, 1])
def test_a_wrong_answer_marks_the_element_that_it_takes(practice, level, operator):
    questions = (
        (n, ask(3, n, level=level, operator=operator))
        for n in range(1, 60)
        if operator in {cls.key for cls in operators_at(level)}
    )
    number, asked = next(((n, one) for n, one in questions if one.kind == "value"), (0, None))
    if asked is None:
        pytest.skip("the level has no such question")
    shown = practice(seed="3", level=str(level), operator=operator, number=str(number))
    (before,) = shown.stages
    assert before["link"]["view"]["mistaken"] == -1
    wrong = (asked.right + 1) % 3
    choose(shown, right=False)
    view = shown.stages[0]["link"]["view"]
    assert view["mistaken"] == asked.reads[wrong]
    assert view["pinned"] == [marked_cell(asked)]
    assert view["explained"] is True
    numbers = [print_value(x) for array in asked.inputs.values() for x in array.ravel()]
    for choice, taken in zip(asked.choices, asked.reads, strict=True):
        assert taken == -1 or numbers[taken] == choice.text


def test_the_place_that_was_asked_for_is_pinned_once_it_is_told(practice):
    number = next(n for n in range(1, 60) if ask(3, n, level=PLAIN).kind == "source")
    shown = practice(seed="3", level="0", number=str(number))
    assert shown.stages[0]["link"]["view"]["pinned"] == []
    asked = choose(shown, right=False)
    assert shown.stages[0]["link"]["view"]["pinned"] == [marked_cell(asked, answered=True)]
    assert marked_cell(asked) == -1


def test_the_cell_asked_about_is_pinned_on_the_stage(practice):
    number = next(n for n in range(1, 40) if ask(1, n, operator="tile").kind == "source")
    shown = practice(seed="1", level="1", operator="tile", number=str(number))
    asked = choose(shown, right=True)
    (stage,) = shown.stages
    assert stage["link"]["view"]["pinned"] == [
        int(
            asked.marked[-1]
            + sum(i * asked.operator.output_sizes(asked.x.shape)[-1] for i in asked.marked[:-1])
        )
    ]
    assert stage["link"]["writes"] is False


def test_score_streak_and_summary(practice):
    shown = practice(**LINK | {"number": "1"})
    for right in (True, True, False):
        choose(shown, right)
        on(shown)
    choose(shown, True)
    assert shown.at.query_params == LINK | {"number": "4"}
    assert (
        "Question **4** \u2002·\u2002 Score **3 of 4** \u2002·\u2002 "
        "Streak **1**, longest **2**" in shown.texts
    )
    [copied] = [shown_code.value for shown_code in shown.at.code]
    assert copied.splitlines()[:2] == [
        "dmlviz practice: 3 of 4 right, longest streak 2",
        "seed 7, level 2, Padding: 1 right, 2 right, 3 wrong, 4 right",
    ]
    assert copied.endswith("?seed=7&level=2&operator=padding&number=1")
    shown.widget("forget").click().run()
    assert "Question **4**" in shown.texts
    assert list(shown.at.code) == []


def test_an_answered_question_stays_answered(practice):
    shown = practice(**LINK)
    choose(shown, right=False)
    on(shown)
    shown.open("home").open("practice", **LINK)
    assert not shown.has("choice_0")
    assert len(told(shown)) == 2


def test_other_settings_begin_at_question_one(practice):
    shown = practice(**LINK)
    shown.set(operator="tile")
    assert shown.at.query_params == LINK | {"operator": "tile", "number": "1"}
    shown.at.radio[0].set_value(3).run()
    assert shown.at.query_params == {
        "seed": "7",
        "level": "3",
        "operator": "tile",
        "number": "1",
    }
    shown.set(seed=8, operator="")
    assert shown.at.query_params == {"seed": "8", "level": "3", "number": "1"}
    assert shown.exceptions == []


@pytest.mark.parametrize(("level", "seed", "number"), [(2, 78, 2), (1, 1, 5)])
def test_the_question_is_bold_and_its_settings_are_quiet(practice, level, seed, number):
    shown = practice(seed=str(seed), level=str(level), number=str(number))
    question = ask(seed, number, level=level)
    [bold] = [text for text in shown.texts if text.startswith("**") and question.asks in text]
    assert bold == f"**{question.words} {question.asks}".replace("** ", "**") + "**"
    quiet = "  \n".join(map(plain, question.settings))
    assert quiet
    assert any(each.value.endswith(quiet) for each in shown.at.caption)
    assert question.stated not in "".join(shown.texts)


def test_a_first_visit_has_a_seed_of_its_own(practice):
    shown = practice()
    assert 1 <= int(shown.at.query_params["seed"]) < 10_000
    assert shown.at.query_params["number"] == "1"
    assert shown.at.query_params["level"] == "0"
    first = question(shown)
    assert f"**{first.words} {first.asks}**" in shown.texts


def test_what_is_wrong_in_an_address_is_said_and_left_out(practice, hostile):
    shown = practice(seed="7", level="9", operator=hostile, number="0", colour="blue")
    assert shown.exceptions == []
    assert [sentence.split("=")[0] for sentence in shown.warnings] == [
        "link: ignored level",
        "link: ignored operator",
        "link: ignored number",
        "link: ignored colour",
    ]
    assert shown.at.query_params == {"seed": "7", "level": "1", "number": "1"}
    on_page = "".join([*shown.warnings, *shown.texts])
    assert "](http" not in on_page


@pytest.mark.slow
@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_every_kind_can_be_drawn(practice, level):
    # after the first ones of level 1, which ask only what a picture shows
    shown = practice(seed="3", level=level, number="7")
    kinds = set()
    for _number in range(12):
        kinds.add(question(shown).kind)
        choose(shown, right=True)
        on(shown)
    assert len(kinds) >= 4


def test_level_0_has_six_operators_and_a_link_without_a_level_has_level_1(practice):
    shown = practice()
    assert len(shown.widget("operator").options) == 1 + 6
    asked = choose(shown, right=False)
    assert f"This was {type(asked.operator).title()}." in shown.texts
    assert shown.stages
    shown.at.radio[0].set_value(1).run()
    shown.set(operator="top-k")
    shown.at.radio[0].set_value(0).run()
    assert "operator" not in shown.at.query_params
    assert shown.exceptions == []
    shown = practice(seed="7")
    assert shown.at.query_params == {"seed": "7", "level": "1", "number": "1"}
    shown = practice(seed="7", level="0", operator="top-k")
    assert [sentence.split("=")[0] for sentence in shown.warnings] == ["link: ignored operator"]
    assert shown.exceptions == []


def test_the_summary_is_not_among_the_choices(practice):
    shown = practice(**LINK)
    summaries = lambda: [each.label for each in shown.at.expander].count("Summary to copy")  # noqa: E731
    choose(shown, right=True)
    assert summaries() == 1
    shown.widget("next").click().run()
    assert summaries() == 0


def test_the_first_level_that_names_operators_says_what_they_do(practice):
    captions = {
        level: {
            each.value: each.help
            for each in practice(**LINK | {"level": level, "number": "1"}).at.caption
            if each.value.startswith("Padding")
        }
        for level in ("0", "1")
    }
    assert captions["0"] == {}
    # and behind the question mark what each setting means
    [meaning] = captions["1"].values()
    assert all(one.label in meaning and one.help in meaning for one in Padding.parameters())


def test_what_all_choices_have_is_shown_once(practice):
    asked = ask(8892, 10)
    assert asked.shared == ("OutputTensor.Sizes {1, 4, 2, 4}", "ValueDataType FLOAT32")
    shown = practice(seed="8892", level="1", number="10")
    labels = [found.label for found in shown.at.button if "_choice_" in found.key]
    assert labels[asked.right] == "ValueStart 4, ValueDelta 1"
    assert any(each.value.endswith("ValueDataType FLOAT32") for each in shown.at.caption)
