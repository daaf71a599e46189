"""The same formula of sizes, however a page spells it: a right one agrees, a wrong one does not."""

import json
import re

import pytest

from dmlviz.__main__ import main
from dmlviz.verify import built_in, read_document
from dmlviz.verify.notation import in_one_notation
from tests.every import every

PAGES = {page.key: page.text for page in built_in()}
PLACE = re.compile(r"(\w+\.Sizes|Repeats|\w+Padding)\[(\w)\]")

RIGHT = {
    "tile": (
        "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]",
        "OutputTensor.Sizes[3] = InputTensor.Sizes[3] * Repeats[3]",
        "OutputHeight = InputHeight * Repeats[2]",
    ),
    "padding": (
        "OutputTensor.Sizes[i] = StartPadding[i] + InputTensor.Sizes[i] + EndPadding[i]",
        "EndPadding[i] = OutputTensor.Sizes[i] - InputTensor.Sizes[i] - StartPadding[i]",
    ),
    "diagonal-matrix": ("OutputTensor.Sizes[i] = InputTensor.Sizes[i]",),
    "depth-to-space": (
        "OutputChannelCount = InputChannelCount / (BlockSize * BlockSize)",
        "OutputHeight = InputHeight * BlockSize",
        "OutputWidth = BlockSize * InputWidth",
        "OutputTensor.Sizes[2] = InputTensor.Sizes[2] * BlockSize",
        "OutputHeight = 2 * InputHeight * BlockSize / 2",
        "OutputWidth = (InputWidth + InputWidth) * BlockSize / 2",
    ),
    "space-to-depth": (
        "OutputTensor.Sizes[1] = InputTensor.Sizes[1] * BlockSize * BlockSize",
        "OutputTensor.Sizes[2] = InputTensor.Sizes[2] / BlockSize",
        "OutputWidth = Width / BlockSize",
    ),
}
"""What is right, on the pages of these operators."""

WRONG = {
    "tile": (
        "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + Repeats[i]",
        "OutputTensor.Sizes[3] = InputTensor.Sizes[3] * Repeats[2] + 1",
    ),
    "padding": ("OutputTensor.Sizes[i] = InputTensor.Sizes[i] - StartPadding[i] + EndPadding[i]",),
    "diagonal-matrix": ("OutputTensor.Sizes[i] = InputTensor.Sizes[i] + InputTensor.Sizes[i]",),
    "depth-to-space": (
        "OutputChannelCount = InputChannelCount / (BlockSize + BlockSize)",
        "OutputHeight = InputHeight + BlockSize",
        "OutputWidth = InputWidth - BlockSize",
        "OutputTensor.Sizes[2] = InputTensor.Sizes[2] / BlockSize",
        "OutputHeight = 2 * InputHeight",
    ),
    "space-to-depth": ("OutputHeight = Height * BlockSize",),
}


def signs(formula, **others):
    """The formula with other signs."""
    for sign, other in {"*": "times", "/": "over", "+": "plus", "-": "minus", "=": "is_"}.items():
        formula = formula.replace(f" {sign} ", f" {others.get(other, sign)} ")
    return formula


def words(formula):
    return signs(formula, times="times", over="divided by", plus="plus", minus="minus")


def latex(formula):
    """As LaTeX writes it: indices are small, and a dot in a name is in text."""
    formula = re.sub(r"(\w+\.)?[A-Z]\w+", lambda name: rf"\text{{{name[0]}}}", formula)
    formula = re.sub(r"\[(\w)\]", r"_{\1}", formula)
    return formula.replace("*", r"\times").replace("(", r"\left(").replace(")", r"\right)")


def prose(formula):
    """With names in words: ``Output height``."""
    return re.sub(r"\b(Output|Input|Block)([A-Z]\w+)\b(?!\.)", spaced, formula)


def spaced(name):
    return (
        re.sub(r"(?<!^)(?=[A-Z])", " ", name[0]).lower().capitalize()
        if "Tensor" not in name[0]
        else name[0]
    )


SPELLINGS = {
    "equals sign": str,
    "two equals signs": lambda f: f.replace("=", "=="),
    "defined": lambda f: f.replace("=", ":="),
    "colon": lambda f: f.replace(" =", ":"),
    "equals": lambda f: f.replace("=", "equals"),
    "is equal to": lambda f: f.replace("=", "is equal to"),
    "with articles": lambda f: signs(f, is_="equals the", times="times the", over="divided by the"),
    "must equal": lambda f: f.replace("=", "must equal"),
    "is": lambda f: f.replace("=", "is") + ".",
    "words for signs": words,
    "only words": lambda f: words(f).replace("=", "equals"),
    "multiplied by": lambda f: signs(f, times="multiplied by"),
    "no blanks": lambda f: f.replace(" ", ""),
    "dollars": lambda f: f"${f}$",
    "two dollars": lambda f: f"$${f}$$",
    "dollars and commands": lambda f: f"${latex(f)}$",
    "a display": lambda f: rf"\[{latex(f)}\]",
    "dots": lambda f: f"$$ {f} $$".replace("*", r"\cdot"),
    "bold": lambda f: f"**{f}**",
    "bold names": lambda f: re.sub(r"(\w+\.)?[A-Z]\w+(\[\w\])?", r"**\g<0>**", f),
    "emphasized names": lambda f: re.sub(r"(\w+\.)?[A-Z]\w+(\[\w\])?", r"*\g<0>*", f),
    "code": lambda f: f"`{f}`",
    "code of names": lambda f: re.sub(r"(\w+\.)?[A-Z]\w+(\[\w\])?", r"`\g<0>`", f),
    "HTML": lambda f: f"<b>{f.replace('*', '&times;').replace('-', '&minus;')}</b>",
    "signs of typography": lambda f: signs(f, times="×", over="÷", minus="\u2212"),
    "en dash": lambda f: signs(f, minus="\u2013"),
    "pointers": lambda f: f.replace("Tensor.Sizes", "Tensor->Sizes"),
    "names in words": prose,
    "a table": lambda f: f"| {f.replace('=', '|')} |" if re.search(r"[-+*/]", f) else f,
    "the other way round": lambda f: " = ".join(reversed(f.split(" = "))),
    "Korean words": lambda f: signs(f, times="곱하기", plus="더하기", minus="빼기", over="나누기"),
    "a comment of code": lambda f: f"{f} // the sizes",
}
MARKS = ("{}", "- {}", "* {}", "Where {}", "1. {}", "    {};", "It follows that {}, as below.")


def stated(page, line):
    """What a page says with one more line after its list of the output's dimensions."""
    before, heading, after = page.partition("### -field OutputTensor\n")
    body, other, rest = after.partition("\n### ")
    number = (before + heading + body).count("\n") + 3
    document = read_document(f"{before}{heading}{body}\n\n{line}\n\n{other}{rest}")
    return document, [said for said in document.statements if said.line == number], number


CASES = [
    (key, formula, agrees)
    for formulas, agrees in ((RIGHT, True), (WRONG, False))
    for key, several in formulas.items()
    for formula in several
]


@pytest.mark.parametrize("spelling", SPELLINGS)
@every(("key", "formula", "agrees"), CASES)
def test_each_formula_is_read_in_each_spelling(spelling, key, formula, agrees):
    document, told, number = stated(PAGES[key], SPELLINGS[spelling](formula))
    assert [said.agrees for said in told] == [agrees], SPELLINGS[spelling](formula)
    assert number not in document.coverage.formulas.unchecked


@pytest.mark.parametrize("spelling", ["equals sign", "is"])
@pytest.mark.parametrize("mark", MARKS)
@every(("key", "formula", "agrees"), CASES)
def test_formulas_in_lists_and_sentences(spelling, mark, key, formula, agrees):
    text = SPELLINGS[spelling](formula).removesuffix(".")
    document, told, number = stated(PAGES[key], mark.format(text))
    assert [said.agrees for said in told] == [agrees], text
    assert number not in document.coverage.formulas.unchecked


LISTS = {
    "words": words,
    "code": lambda f: f"`{f}`",
    "commands": lambda f: f"${latex(f)}$",
    "powers": lambda f: f.replace("BlockSize * BlockSize", "BlockSize ** 2"),
    "squares": lambda f: f.replace("BlockSize * BlockSize", "BlockSize²"),
    "names in words": prose,
    "stars for marks": lambda f: f.replace("BlockSize", "*BlockSize*"),
}


@every("spelling", LISTS)
def test_lists_of_sizes_in_each_spelling(spelling):
    """The list on the page of SPACE_TO_DEPTH."""
    page = PAGES["space-to-depth"]
    items = re.search("Channels [*] .* / BlockSize", page)[0]
    for text, agrees in ((items, True), (items.replace("*", "+").replace("/", "*"), False)):
        spelled = page.replace(items, ", ".join(map(LISTS[spelling], text.split(", "))))
        told = read_document(spelled).statements
        assert [said.agrees for said in told] == [agrees] * 3


def test_equations_of_two_sums():
    for formula, agrees in (
        ("OutputHeight / BlockSize = InputHeight", True),
        ("OutputHeight - InputHeight = InputHeight * BlockSize - InputHeight", True),
        ("2 * OutputHeight = InputHeight * (BlockSize + BlockSize)", True),
        ("(OutputHeight + OutputHeight) / 2 = BlockSize * InputHeight", True),
        ("OutputHeight / BlockSize = InputHeight + 1", False),
        ("OutputTensor.Sizes[-1] = InputTensor.Sizes[-1] * BlockSize", True),
        ("OutputTensor.Sizes[-1] = InputTensor.Sizes[-2] * BlockSize", False),
    ):
        _document, told, _number = stated(PAGES["depth-to-space"], formula)
        assert [said.agrees for said in told] == [agrees], formula
    assert stated(PAGES["depth-to-space"], "OutputHeight / BlockSize = InputHeight + 1")[1][
        0
    ].message == (
        "OutputHeight / BlockSize = InputHeight + 1: 2 + 1 = 3, but in Example 1. "
        "Depth-column-row order OutputHeight / BlockSize is 2."
    )


NOT_UNDERSTOOD = (
    "OutputHeight = max(InputHeight, BlockSize)",
    "OutputHeight = InputHeight // BlockSize",
    "OutputHeight = InputHeight * BlockSize, rounded down",
    "OutputHeight = InputHeight scaled by BlockSize",
    "OutputHeight = InputHeight * Factor",
    "OutputHeight = InputHeight % BlockSize",
    "OutputHeight = InputHeight ^ BlockSize",
    "OutputHeight = 2 * 3",
    "OutputHeight = whatever you like",
    "OutputHeight <= InputHeight * BlockSize",
    "OutputHeight != InputHeight + BlockSize",
    "OutputHeight is at most InputHeight * BlockSize",
    "OutputHeight is not InputHeight + BlockSize",
    "OutputHeight is a multiple of InputHeight * BlockSize",
    "OutputHeight is the product of InputHeight and BlockSize",
    "OutputHeight (see above) is InputHeight + BlockSize",
    "InputHeight is OutputHeight * BlockSize",
    r"$OutputHeight = \lfloor InputHeight \times BlockSize \rfloor$",
    r"$OutputHeight = InputHeight \oplus BlockSize$",
    "OutputTensor.Sizes[Axis] = InputTensor.Sizes[Axis] + BlockSize",
    "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + BlockSize",
    "Output.Sizes[2] = InputHeight + BlockSize",
    "`{ Batch, OutputHeight + Factor }`",
    "OutputDepth = InputDepth + BlockSize",
)


@every("line", NOT_UNDERSTOOD)
def test_what_is_not_understood_is_counted(line):
    document, told, number = stated(PAGES["depth-to-space"], line)
    assert not told
    assert number in document.coverage.formulas.unchecked


NO_FORMULA = (
    "OutputHeight is the height of the output.",
    "- OutputHeight: the height of the output.",
    "OutputHeight - the height of the output.",
    "The output height is a multiple of the block size.",
    "For example, where InputHeight = 2 and BlockSize = 2, OutputHeight = 4.",
    "`InputHeight: 4`, `BlockSize: 2`",
    "If OutputHeight = InputHeight, nothing moves.",
    "InputHeight and InputWidth are read row by row, 3 times.",
    "The input/output tensors have a row-major order.",
    "InputTensor.Sizes = {1, 4, 2, 3}",
)


@every("line", NO_FORMULA)
def test_what_is_no_formula_is_not_counted(line):
    document, told, number = stated(PAGES["depth-to-space"], line)
    assert not told
    assert number not in document.coverage.formulas.unchecked


def test_items_of_a_list_are_not_one_sum():
    lines = ("OutputHeight = InputHeight * BlockSize", "BatchCount stays the same")
    for mark in "-*+•":
        listed = "\n".join(f"{mark} {line}" for line in lines)
        _document, told, _number = stated(PAGES["depth-to-space"], listed)
        assert [said.agrees for said in told] == [True]
        one_line = f"{lines[0]} {mark} BatchCount"
        assert [said.agrees for said in stated(PAGES["depth-to-space"], one_line)[1]] == [False]
    in_a_row = f"{lines[0]} - OutputWidth = InputWidth + BlockSize"
    told = stated(PAGES["depth-to-space"], in_a_row)[1]
    assert [said.agrees for said in told] == [True, False]
    # a sum that goes on in the next line
    longer = (
        "OutputTensor.Sizes[i] = InputTensor.Sizes[i]\n    + StartPadding[i]\n    + EndPadding[i]"
    )
    assert [said.agrees for said in stated(PAGES["padding"], longer)[1]] == [True]


def test_a_wrong_formula_fails_a_strict_run(tmp_path, capsys):
    page = PAGES["depth-to-space"]
    (tmp_path / "page.md").write_text(page)
    assert main(["verify", "--strict", "--quiet", str(tmp_path)]) == 0
    wrong = page.replace(
        "OutputHeight is InputHeight * `BlockSize`", "OutputHeight = InputHeight + BlockSize"
    )
    assert wrong != page
    (tmp_path / "page.md").write_text(wrong)
    capsys.readouterr()
    assert main(["verify", "--strict", "--quiet", "--json", str(tmp_path)]) == 1
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert [said["agrees"] for said in document["statements"]] == [True, False, True]
    assert document["checked"]["formulas"]["checked"] == 3


def test_other_text_stays_at_its_offset():
    for key, page in PAGES.items():
        spelled = in_one_notation(page)
        assert len(spelled) == len(page), key
        assert [n for n, sign in enumerate(spelled) if sign == "\n"] == [
            n for n, sign in enumerate(page) if sign == "\n"
        ]
