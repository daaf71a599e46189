"""Generated questions: one right answer, the engine's, and distractors that people believe in."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.operators.calculations import equations
from dmlviz.operators.feature_levels import at_least
from dmlviz.teaching.kinds import kinds_for, kinds_of_practice
from dmlviz.teaching.misread import misread_sizes
from dmlviz.teaching.plain import plain_operators
from dmlviz.teaching.posed import marked_cell
from dmlviz.teaching.practice import MOST_NUMBER, Practice, ask
from dmlviz.teaching.questions import (
    LEVELS,
    settings_text,
    source_text,
    support_rows,
    travelling,
    value_text,
)
from dmlviz.teaching.subjects import FIRST_QUESTIONS
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import located, print_all_sizes, print_cell, sizes_by_name
from tests.every import every
from tests.teaching.guessing import GUESSERS, gain
from tests.thorough import tries

KEYS = [cls.key for cls in OPERATORS]
ASKED = [(cls.key, kind) for cls in OPERATORS for kind in kinds_for(cls)]
COUNT = tries(6_000)
GUESSED = 2_000
MOST_GAINED = 0.15


def answer(question):
    return question.choices[question.right].text


def wrong(question):
    return [c for i, c in enumerate(question.choices) if i != question.right]


def check_told(question, trace, number):
    """The explanation is of this cell, with its own numbers, and ends where the engine says."""
    taken = source_text(sources(trace)[number], travelling(trace))
    cell = print_cell(number, trace.outputs, "out")
    # a place without a source may equal no element: its line says why
    filled = trace.inputs and "[" not in taken
    begins = (f"{cell} = ", f"{cell}: ") if filled else f"{cell} = "
    lines = [line for line in question.explanation.split("\n") if line.startswith(begins)]
    assert len(lines) == 1, question.explanation
    if "[" in taken:
        assert lines[0].endswith(f" = {taken}")
    elif not trace.inputs:
        name, index = located(number, trace.outputs)
        assert lines[0].endswith(f" = {print_value(trace.outputs[name][index])}")
    else:
        assert lines[0].endswith("no input element is its source.")


def check_sizes(question, trace):
    out = sizes_by_name(trace.outputs)
    assert answer(question) == print_all_sizes(out)
    *sums, last = question.explanation.split("\n")
    before = print_all_sizes(sizes_by_name(trace.inputs))
    becomes = "becomes" if len(trace.inputs) == 1 else "become"
    assert last == f"{before} {becomes} {print_all_sizes(out)}."
    if sums == [question.operator.size_words()]:
        sums = []
    for line in sums:
        name, d, result = re.match(r"(?:(\S+), d|D)imension (\d): .* = (\d+)$", line).groups()
        assert out[name or next(iter(out))][int(d)] == int(result)
    beliefs = {(print_all_sizes(sizes), m.words) for sizes, m in misread_sizes(trace)}
    for choice in wrong(question):
        mixed = re.fullmatch(
            r"(?:The size of dimension (\d) is|(Elements|Rows|Columns):) (.*), not (\d+)\.",
            choice.why,
        )
        assert bool(mixed) != ((choice.text, choice.why) in beliefs)
        if mixed:
            name, due = next(iter(out.items()))
            d, way, told, n = mixed.groups()
            # a row and a table have words of their own
            assert (way is not None) == (len(due) <= 2) == (d is None)
            d = ("Rows", "Columns").index(way) if way and len(due) == 2 else d or 0
            size = told.removesuffix(" as in the input")
            assert size.endswith(str(due[int(d)]))
            if size != told:
                assert next(iter(sizes_by_name(question.inputs).values()))[int(d)] == due[int(d)]
            shown = re.search(r"\{(.*?)\}", choice.text)[1].split(", ")
            assert shown[int(d)] == n != str(due[int(d)])


def check_source(question, trace):
    flat, travels = numbered(trace, question.marked, question.output), travelling(trace)
    at = print_cell(flat, trace.outputs, "out")
    assert answer(question) == source_text(sources(trace)[flat], travels)
    assert f"lands at {at}?" in question.prompt
    check_told(question, trace, flat)
    for choice in wrong(question):
        (m,) = [m for m in misreadings(question) if choice.why == m.words]
        assert choice.text == source_text(int(m.source[flat]), travels)


def check_value(question, trace):
    flat, travels = numbered(trace, question.marked, question.output), travelling(trace)
    values = np.concatenate([x.ravel() for x in travels.values()])
    assert np.unique(values).size == values.size, "else several sources have one value"
    at = print_cell(flat, trace.outputs, "out")
    assert float(answer(question)) == trace.outputs[question.output][question.marked]
    assert f"does {at} hold?" in question.prompt
    check_told(question, trace, flat)
    assert question.explanation.endswith(f"\nSo {at} holds {answer(question)}.")
    padding = question.operator.padding(trace.data_type)
    for choice in wrong(question):
        (m,) = [m for m in misreadings(question) if choice.why.startswith(m.words)]
        assert choice.text == value_text(int(m.source[flat]), travels, padding)


def check_setting(question, trace):
    assert answer(question) == settings_text(question.operator)
    check_told(question, trace, sum(source_text.size for source_text in trace.copies.values()) - 1)
    due = sizes_by_name(trace.outputs)
    for choice in wrong(question):
        outputs = dmlviz.run(read(choice.text, type(question.operator)), trace.inputs).outputs
        assert sizes_by_name(outputs) == due, "the sizes alone tell that it is wrong"
        assert sizes_by_name(outputs) != sizes_by_name(trace.inputs) or any(
            not np.array_equal(a, b)
            for a, b in zip(outputs.values(), trace.inputs.values(), strict=False)
        ), "nobody takes what does nothing"
        told = re.fullmatch(
            r"(?:.*\. )?With this setting, (\S+)\[([\d, ]+)\] (?:= |would be ).*?"
            r"(?:would be|which is|=|^)? ?(-?[\d.]+)(?:: .*\. The|; the) output holds (\S+) there\.",
            choice.why,
        )
        name = told[1] if len(due) > 1 else next(iter(due))
        index = tuple(map(int, told[2].split(",")))
        held = outputs[name][index], trace.outputs[name][index]
        assert (float(told[3]), float(told[4])) == held
        assert held[0] != held[1], "it would be right too"


def check_refused(question, trace):
    refused = 0
    for choice in question.choices:
        problems = problems_of(choice.text, type(question.operator))
        refused += bool(problems)
        if choice.why:
            assert not problems
            assert choice.why.startswith("That is accepted")
        else:
            assert problems
            labels = {p.name: p.label for p in question.operator.parameters()}
            named = [problem.partition(":") for problem in problems]
            assert question.explanation.split("\n") == [
                f"{labels.get(name, name)}:{rest}" for name, _colon, rest in named
            ]
    assert refused == 1


def problems_of(text, cls):
    """Read a choice as a learner does, and ask the operator."""
    braces = r"\{([-\d., ]*)\}"
    text = text.removeprefix("sizes ")
    first = cls.first_input()
    sizes = {}
    while told := re.match(rf"(?:(\w+Tensors?(?:\[\d+\])?) )?{braces}(?:, |$)", text):
        sizes[told[1] or first] = tuple(map(int, told[2].split(",")))
        text = text[told.end() :]
    at = re.search(r", (\w+) at feature level (\w+)$", text)
    found = read(text, cls).problems(sizes, *(at.groups() if at else (None,)))
    return [problem.message for problem in found]


def read(text, cls):
    """The operator with the settings that a choice names."""
    braces = r"\{([-\d., ]*)\}"
    values = {}
    for parameter in cls.parameters():
        found = re.search(rf"{parameter.label} (?:{braces}|([\w.-]+))", text)
        if found is None:
            continue
        if found[1] is not None:
            read = float if parameter.real else int
            values[parameter.name] = tuple(map(read, found[1].split(",")))
        elif re.fullmatch(r"-?\d+", found[2]):
            values[parameter.name] = int(found[2])
        else:
            values[parameter.name] = found[2]
    return cls(**values)


def misreadings(question):
    return question.operator.misreadings(question.inputs)


def sources(trace):
    """Through all outputs, one after the other."""
    return [int(n) for source_text in trace.sources.values() for n in source_text.ravel()]


def numbered(trace, index, output):
    """The number of an output's element through all outputs."""
    before = list(trace.outputs)[: list(trace.outputs).index(output)]
    number = int(np.ravel_multi_index(index, trace.outputs[output].shape))
    return number + sum(trace.outputs[name].size for name in before)


def check_copies(question, trace):
    """What is counted by value: all elements are distinct, and none is a padding value."""
    name = re.search(r"of (\S+\[[\d, ]*\])\?$", question.asks)[1]
    travels = travelling(trace)
    (value,) = (
        x[index]
        for tensor, x in travels.items()
        for index in np.ndindex(x.shape)
        if name in (f"{tensor}[{', '.join(map(str, index))}]", f"in[{', '.join(map(str, index))}]")
    )
    copied = [x for n, x in trace.outputs.items() if n not in trace.operator.index_slots()]
    assert answer(question) == str(sum(int((x == value).sum()) for x in copied))
    assert question.explanation.rpartition(": ")[2] in (f"{answer(question)}.", "0 copies.")
    # nothing is marked before the answer, and then the first copy
    marked = marked_cell(question, answered=True)
    values = np.concatenate([x.ravel() for x in trace.outputs.values()])
    assert marked_cell(question) == -1
    assert (marked >= 0) == (answer(question) != "0")
    assert marked < 0 or values[marked] == value


CHECKS = {
    "sizes": check_sizes,
    "source": check_source,
    "value": check_value,
    "setting": check_setting,
    "refused": check_refused,
    "copies": check_copies,
}


def check(question):
    texts = [choice.text for choice in question.choices]
    assert 2 + (question.kind != "setting") <= len(texts) == len(set(texts)) <= 4
    assert [bool(c.why) for c in question.choices] == [
        i != question.right for i in range(len(texts))
    ]
    for text in (question.prompt, question.explanation, *(c.why for c in wrong(question))):
        assert not re.search(r"\{[a-z]", text), text
    # within the level, and what the engine does
    trace = dmlviz.run(question.operator, question.inputs)
    assert trace.agrees
    assert all(x.size <= 240 for x in list(trace.inputs.values())[:1])
    assert sum(output.size for output in trace.outputs.values()) <= 240
    if question.kind in ("sizes", "source", "value"):
        but = question.operator.same_sizes if question.kind == "sizes" else ()
        assert settings_text(question.operator, but) in question.prompt
        assert print_all_sizes(sizes_by_name(question.inputs)) in question.prompt
    assert question.kind in CHECKS, f"{question.kind} has no law in CHECKS of this file"
    CHECKS[question.kind](question, trace)


@cache
def drawn(number):
    # level 1 asks what is refused only where that kind is chosen
    kind = "refused" if number % 8 == 0 else ""
    return ask(2026, number, level=LEVELS[number % 3], kind=kind)


@pytest.mark.slow
@pytest.mark.parametrize("guesser", GUESSERS, ids=lambda guesser: guesser.__name__)
def test_options_alone_do_not_tell_the_answer(guesser):
    gains = {kind: [] for kind in kinds_of_practice()}
    for question in map(drawn, range(1, GUESSED + 1)):
        gains[question.kind].append(gain(guesser, question))
    told = {kind: round(sum(found) / len(found), 3) for kind, found in gains.items()}
    # 250 questions or more of each kind: chance alone makes 0.06 of two standard deviations
    assert max(told.values()) <= MOST_GAINED, told
    assert sum(map(sum, gains.values())) / GUESSED <= MOST_GAINED / 2, told


@pytest.mark.slow
def test_one_question_in_eight_asks_what_is_refused():
    for seed in (1, 7, 2026):
        kinds = [ask(seed, number, level=2, operator="padding").kind for number in range(1, 41)]
        assert {kinds[at : at + 8].count("refused") for at in range(33)} == {1}
        small = [ask(seed, number, level=1, operator="padding").kind for number in range(1, 41)]
        assert "refused" not in small


def test_a_question_about_levels_has_the_table_that_answers_it():
    for number in range(1, 40):
        question = ask(3, number, level=3, operator="padding", kind="refused")
        assert question.shows == "support"
        table = support_rows(question.operator)
        taken = set()
        for i, choice in enumerate(question.choices):
            sizes, data_type, level = re.fullmatch(
                r"sizes \{(.*?)\}.*, (\w+) at feature level (\w+)", choice.text
            ).groups()
            rows = [row for row in table if at_least(level, row[0])]
            rank = str(len(sizes.split(",")))
            ranks = {"4 or 5": "45", "1 to 8": "12345678"}[rows[-1][1]] if rows else ""
            if rank in ranks and data_type in rows[-1][2].split(", "):
                taken.add(i)
        assert taken == set(range(len(question.choices))) - {question.right}


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_what_is_refused_can_be_told_from_the_rule_before_the_answer(cls):
    # a tensor of a list is named by the list, or is one of all inputs
    rule = cls.accepts().replace("All inputs", "InputTensors")
    for seed in range(8):
        question = ask(seed, 1, level=2, operator=cls.key, kind="refused")
        assert question.rule == f"Rule: {cls.accepts()}"
        assert f"{question.rule} {question.asks}" in question.prompt
        for line in question.explanation.split("\n"):
            name = line.partition(": ")[0].partition("[")[0]
            assert name in rule or (name == "sizes" and "dimensions" in rule), line


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_the_explanation_of_sizes_says_where_they_come_from(cls):
    for number in range(1, 5 if "sizes" not in cls.unasked else 0):
        question = ask(7, number, level=2, operator=cls.key, kind="sizes")
        *reasons, _result = question.explanation.split("\n")
        sums = equations(question.operator.sums(sizes_by_name(question.inputs)))
        assert reasons
        assert bool(sums) != (reasons == [cls.size_words()])


def test_another_setting_says_what_it_would_take():
    question = ask(1, 1, level=2, operator="depth-to-space", kind="setting")
    (wrong,) = (choice for i, choice in enumerate(question.choices) if i != question.right)
    assert wrong.why == (
        "Channel of the input = channel of the output · 4 + row in the block · 2 + column in the "
        "block. With this setting, out[0, 0, 0, 1] = in[0, 0 · 4 + (0 mod 2) · 2 + (1 mod 2), 0 div 2, "
        "1 div 2] = in[0, 1, 0, 0], which is 3; the output holds 5 there."
    )


@pytest.mark.slow
def test_thousands_of_questions_have_one_right_answer_each():
    seen = Counter()
    places = Counter()
    for number in range(1, COUNT + 1):
        question = drawn(number)
        check(question)
        seen[question.operator.key, question.kind] += 1
        places[question.right] += 1
    assert seen.keys() == set(ASKED)
    # the right one stands anywhere
    assert set(places) == {0, 1, 2, 3}
    assert min(places[i] for i in range(3)) > COUNT / 5


@pytest.mark.slow
@every(("key", "kind"), ASKED)
def test_what_was_asked_for_is_what_comes(key, kind):
    for level in LEVELS:
        question = ask(1, 1, level=level, operator=key, kind=kind)
        assert (question.kind, question.level, question.operator.key) == (kind, level, key)
        check(question)


UNASKED = [
    (cls.key, kind)
    for cls in OPERATORS
    for kind in kinds_of_practice()
    if kind not in kinds_for(cls)
]


@pytest.mark.parametrize(("key", "kind"), UNASKED)
def test_what_cannot_be_asked_is_said(key, kind):
    with pytest.raises(dmlviz.Error, match=f"kind: {kind} cannot be asked about {key}"):
        ask(1, 1, operator=key, kind=kind)


@pytest.mark.slow
def test_the_other_order_and_the_other_mirror_are_among_the_choices():
    named = Counter()
    # the more operators there are, the rarer each of them is
    for number in range(1, 20 * len(OPERATORS)):
        question = ask(5, number, level=2, kind="source")
        whys = " ".join(choice.why for choice in question.choices)
        named["order"] += "in the other order" in whys
        named["mirror"] += bool(re.search(r"(SYMMETRIC|REFLECTION)(: | puts )", whys))
        named["one"] += "off by one" in whys
    assert min(named.values()) >= 10, named


def test_levels_grow():
    ranks = {1: set(), 2: set(), 3: set()}
    for level in LEVELS:
        for number in range(1, 60):
            question = ask(3, number, level=level, operator="padding", kind="value")
            ranks[level].add(question.x.ndim)
            start, end = question.operator.start_padding, question.operator.end_padding
            padded = [s + e for s, e in zip(start, end, strict=True) if s + e]
            assert len(padded) == 1 if level == 1 else 1 <= len(padded) <= 3
            if level == 3 and question.x.ndim > 1:
                assert len(padded) >= 2
    assert ranks == {1: {1, 2}, 2: {4}, 3: {2, 3, 4, 5}}


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("seed", (-1, 1)),
        ("seed", (2**31, 1)),
        ("seed", (True, 1)),
        ("number", (1, 0)),
        ("number", (1, 1_000_001)),
        ("number", (1, 1.5)),
    ],
)
def test_a_seed_and_a_number_that_are_none(field, arguments):
    with pytest.raises(dmlviz.Error, match=field):
        ask(*arguments)


@pytest.mark.parametrize(
    ("field", "word"), [("level", 4), ("operator", "conv"), ("kind", "riddle")]
)
def test_words_that_are_none(field, word):
    with pytest.raises(dmlviz.Error, match=field):
        ask(1, 1, **{field: word})


def test_pinned_questions():
    """These very ones, whatever the machine, the Python and the NumPy."""
    question = ask(7, 1, level=2, operator="padding", kind="setting")
    assert question.prompt == (
        "Padding made the output of sizes {1, 1, 4, 4} from the input of sizes {1, 1, 4, 2}. "
        "Which setting does that?"
    )
    assert question.x.ravel().tolist()[:5] == [1, 2, 3, 4, 5]
    assert [choice.text for choice in question.choices] == [
        "PaddingMode WRAP, StartPadding {0, 0, 0, 2}, EndPadding {0, 0, 0, 0}",
        "PaddingMode CONSTANT, PaddingValue 0, StartPadding {0, 0, 0, 1}, EndPadding {0, 0, 0, 1}",
        "PaddingMode CONSTANT, PaddingValue 0, StartPadding {0, 0, 0, 2}, EndPadding {0, 0, 0, 0}",
        "PaddingMode WRAP, StartPadding {0, 0, 0, 1}, EndPadding {0, 0, 0, 1}",
    ]
    assert question.right == 0
    assert question.choices[3].why == (
        "With this setting, out[0, 0, 0, 0] = in[0, 0, 0, (0 − 1) mod 2] = in[0, 0, 0, 1], which "
        "is 2; the output holds 1 there."
    )

    question = ask(1, 2, level=3, operator="depth-to-space", kind="source")
    assert question.prompt.startswith("DepthToSpace with BlockSize 2, Order COLUMN_ROW_DEPTH runs")
    assert question.marked == (0, 2, 2, 0)
    assert [choice.text for choice in question.choices] == [
        "in[0, 9, 1, 0]",
        "in[0, 8, 1, 0]",
        "in[0, 8, 2, 0]",
        "in[0, 2, 1, 0]",
    ]
    assert question.right == 1

    question = ask(1, 1, level=1, operator="tile", kind="sizes")
    assert [choice.text for choice in question.choices] == ["{10}", "{15}", "{20}", "{5}"]
    assert question.explanation == "Dimension 0: 5 · 2 = 10\n{5} becomes {10}."
    assert question.right == 0


def test_nothing_is_called_refused_that_directml_runs():
    """FLOAT64 is listed for Tile at no level, and DirectML runs it all the same."""
    for number in range(1, 60):
        question = ask(4, number, level=3, operator="tile", kind="refused")
        assert "at feature level" in question.prompt + question.choices[0].text
        assert not any("FLOAT64" in choice.text for choice in question.choices)


@pytest.mark.parametrize("seed", range(12))
def test_level_1_begins_where_level_0_ends(seed):
    for number in range(1, 7):
        question = ask(seed, number, level=1)
        assert type(question.operator) in plain_operators()
        inputs = sizes_by_name(question.inputs)
        outputs = question.operator.outputs_after(inputs)
        rank = max(map(len, (*inputs.values(), *outputs.values())))
        most = max(x.size for x in question.inputs.values())
        # rows, then tables
        if number <= 3:
            assert question.kind in ("value", "source")
            assert rank == 1
            assert most <= 12
        else:
            assert question.kind in ("value", "source", "sizes")
            assert rank == 2
            assert most <= 16
    # an operator that level 0 does not have begins as small as level 1 is
    assert type(ask(seed, 1, level=1, operator="depth-to-space").operator).key == "depth-to-space"


@pytest.mark.slow
def test_two_questions_one_after_the_other_are_about_different_runs():
    """The explanation of the first shows the output that the second would ask for."""

    def run_of(question):
        inputs = [(name, x.shape, x.tobytes()) for name, x in question.inputs.items()]
        return question.operator, inputs

    for level, operator in product((0, 1), ("tile", "slice", "padding")):
        asked = [ask(5, number, level=level, operator=operator) for number in range(1, 20)]
        assert all(run_of(one) != run_of(other) for one, other in pairwise(asked))
    for level in (0, 1, 2):
        keys = [ask(5, number, level=level).operator.key for number in range(1, 30)]
        assert all(one != other for one, other in pairwise(keys))


@pytest.mark.parametrize("seed", range(8))
def test_level_1_begins_in_plain_words_then_in_those_of_directml(seed):
    for number in range(1, FIRST_QUESTIONS[1][-1].until + 1):
        question = ask(seed, number)
        assert question.words.endswith(".")
        assert question.asks.endswith("?")
        # what is said in plain words is not said again in those of DirectML
        assert question.stated not in f"{question.words} {question.asks}"
        assert question.settings or type(question.operator).__name__ == "Strided"
        assert len(question.inputs) < 3
        assert min(question.operator.settings.get("input_window_strides", (1,))) > 0
        if question.kind != "sizes":
            # a sentence of level 0 comes before the formula
            plainly, *formula = question.explanation.split("\n")
            assert re.fullmatch(r"[\d.]+ is at [^:]*: it (comes from|is new)[^:]*[.]", plainly)
            assert any(line.startswith("out[") for line in formula)
            # the line with numbers, after what it looks up
            assert "[h" not in question.explanation
            assert "[w" not in question.explanation


@pytest.mark.parametrize("cls", [cls for cls in OPERATORS if cls.same_sizes])
def test_settings_that_keep_the_sizes_are_no_part_of_questions_about_sizes(cls):
    for number in range(1, 9):
        question = ask(3, number, level=2, operator=cls.key, kind="sizes")
        operator, sizes = question.operator, sizes_by_name(question.inputs)
        after = operator.outputs_after(sizes)
        first = next(iter(sizes.values()))
        for setting in (each for each in cls.parameters() if each.name in cls.same_sizes):
            assert not any(text.startswith(f"{setting.label} ") for text in question.settings)
            for value in setting.nearby(operator.settings[setting.name], first):
                changed = replace(operator, **{setting.name: value})
                if not changed.problems(sizes):
                    assert changed.outputs_after(sizes) == after


def test_a_size_that_stays_says_whose_it_is():
    [why] = [c.why for c in ask(2838, 4).choices if c.text == "{4, 9}"]
    assert why == "Rows: 2 as in the input, not 4."


def test_a_question_about_a_size_that_is_rounded_says_how():
    """Whether 4.5 becomes 4 or 5 is no one's to guess."""
    question = ask(78, 2, level=2)
    assert (question.kind, question.settings) == ("sizes", ("Scales {1, 1, 1, 1.5}",))
    assert "rounded down" in question.rule
    sizes = replace(question.operator, output_tensor_sizes=(1, 1, 3, 5))
    assert sizes.size_rule() == ""


def test_reasons_of_small_questions_say_places_instead_of_dimensions():
    jargon = re.compile(r"element \d+ at index|(?:of|in) dimension 0|With this mistake")
    for key in ("tile", "padding", "slice", "slice-grad", "resample"):
        for number in range(7, 15):
            question = ask(3, number, operator=key)
            if len(next(iter(question.inputs.values())).shape) == 1:
                assert not [choice.why for choice in question.choices if jargon.search(choice.why)]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "level", "operator"), [(1, 0, ""), (7, 0, ""), (7, 1, "tile")])
def test_a_run_does_not_repeat_a_question_of_the_last_twenty(seed, level, operator):
    def same(question):
        inputs = [(x.shape, x.tobytes()) for x in question.inputs.values()]
        return question.kind, question.operator, inputs, question.marked, question.lands

    practice, run, numbers = Practice(seed, level, operator), [], []
    for _question in range(25):
        run.append(same(practice.question()))
        numbers.append(practice.number)
        assert run[-1] not in run[-21:-1]
        practice = practice.following()
    # one of them would have come again, and the others keep their numbers
    assert numbers[-1] > 25
    # of the few that there are, one comes again
    assert Practice(1, 3, "tile", MOST_NUMBER).following().number == MOST_NUMBER


def test_a_question_says_what_the_mode_on_screen_does_and_one_that_asks_for_it_only_when_answered():
    for number in range(7, 40):
        question = ask(3, number, operator="padding")
        mode = question.operator.padding_mode
        words = {"CONSTANT": ""}.get(mode, f"{mode} ")
        if question.kind in ("source", "value"):
            assert question.rule.startswith(words)
        if question.kind == "setting":
            assert not question.rule
            assert words in question.explanation
            for choice in wrong(question):
                other = read(choice.text, type(question.operator)).padding_mode
                assert other in ("CONSTANT", mode) or choice.why.startswith(f"{other} ")


@pytest.mark.slow
@pytest.mark.parametrize("operator", ["scatter", "scatter-nd", "max-unpooling"])
def test_no_place_is_written_twice(operator):
    for number in range(1, 40):
        question = ask(3, number, operator=operator)
        assert not question.operator.undecided(question.inputs)
        for choice in question.choices if question.kind == "setting" else ():
            assert not read(choice.text, type(question.operator)).undecided(question.inputs)


@pytest.mark.parametrize(
    ("operator", "kind"),
    [
        ("fill-value-constant", "setting"),
        ("diagonal-matrix", "sizes"),
        ("max-unpooling", "sizes"),
    ],
)
@pytest.mark.parametrize("level", [1, 2])
def test_nothing_is_asked_whose_answer_stands_on_screen(operator, kind, level):
    assert kind not in {
        ask(3, number, level=level, operator=operator).kind for number in range(1, 9)
    }


def test_why_an_element_has_no_source_is_no_index_that_nobody_counts_to():
    told = dmlviz.SliceGrad((2,), (8,), (2,)).explain((4,), (5,))
    assert told.splitlines()[1:] == [
        "out[5]: it is 0, and no input element is its source.",
        "Elements go to places 2, 4, 6, 8 along the row; 5 is not one of them.",
    ]


def test_small_questions_about_resample_copy_the_element_that_is_nearest():
    for number in range(1, 20):
        question = ask(8892, number, operator="resample")
        operator = question.operator
        trace = dmlviz.run(operator, question.inputs)
        for d, scale in enumerate(operator.scales):
            centers = (np.arange(trace.output.shape[d]) + 0.5) / scale
            nearest = np.take(question.x, np.floor(centers).astype(int), axis=d)
            assert np.all(centers % 1)
            if all(other == 1 for e, other in enumerate(operator.scales) if e != d):
                assert np.array_equal(trace.output, nearest)
