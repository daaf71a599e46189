"""What is found on a page is said in the reader's language, whatever the page's own."""

import json

import pytest

from dmlviz.__main__ import main
from dmlviz.base.words import speaking
from dmlviz.verify import read_document
from tests.verify.pages import TILE, real

# as Microsoft's Korean page has it: a comma is missing, and the output is called an input
SLIPS = TILE.replace(" 3],\n", " 3]\n", 1).replace("OutputTensor", "InputTensor")
FOUND = {
    "en": [
        "InputTensor: a comma is missing after a row.",
        "the second InputTensor is the output.",
    ],
    "ko": [
        "InputTensor: 쉼표로 끝나지 않는 행이 1개 있습니다({line}번째 줄).",
        "두 번째 InputTensor는 출력으로 보았습니다.",
    ],
}
LINES = {
    "en": "  found: line {line}: {message}",
    "ko": "  발견 사항: {line}번째 줄: {message}",
}
EQUAL = {
    "en": "  match      numpy             Example 1: {n} elements, all equal.",
    "ko": "  일치       numpy             예제 1: 요소 {n}개가 모두 일치합니다.",
}
MORE = {
    "en": "OutputTensor: commas are missing after 5 rows, on lines 53-57.",
    "ko": "OutputTensor: 쉼표로 끝나지 않는 행이 5개 있습니다(53-57번째 줄).",
}


def due(language, *lines):
    """Line and message of each finding."""
    told = [said.format(line=line) for said, line in zip(FOUND[language], lines, strict=True)]
    return list(zip(lines, told, strict=True))


@pytest.mark.parametrize("language", FOUND)
def test_the_same_slips(language):
    assert SLIPS != TILE
    with speaking(language):
        found = read_document(SLIPS).all_findings
        assert [(f.line, f.message) for f in found] == due(language, 4, 6)


@pytest.mark.parametrize("language", FOUND)
def test_on_the_command_line(language, tmp_path, capsys):
    path = tmp_path / "page.md"
    path.write_text(SLIPS, encoding="utf-8")
    assert main(["--lang", language, "verify", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == EQUAL[language].format(n=12)
    told = [LINES[language].format(line=n, message=message) for n, message in due(language, 4, 6)]
    assert lines[2:4] == told
    assert main(["--lang", language, "verify", "--json", str(path)]) == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    # programs read the same words in every language
    assert [example["status"] for example in document["examples"]] == ["match"]


@pytest.mark.parametrize("language", FOUND)
@pytest.mark.parametrize("name", ["tile.ko.txt"])
def test_the_korean_tile_page(language, name, tmp_path, capsys):
    page = real(name)
    due_here = [*due(language, 49, 52), (53, MORE[language])]
    with speaking(language):
        found = read_document(page).all_findings
        assert [(f.line, f.message) for f in found] == due_here
    path = tmp_path / name
    path.write_text(page, encoding="utf-8")
    assert main(["verify", str(path), "--lang", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == EQUAL[language].format(n=54)
    told = [LINES[language].format(line=n, message=message) for n, message in due_here]
    assert lines[2:5] == told
