"""``python -m dmlviz worksheet``: a page to print, the same from the same words."""

import pytest

from dmlviz.__main__ import main
from dmlviz.teaching.worksheets import Sheet, worksheet

WORDS = ("--seed", "7", "--level", "2", "--operator", "padding", "--count", "3")


def test_a_file(tmp_path, capsys):
    file = tmp_path / "sheet.html"
    assert main(["worksheet", *WORDS, "-o", str(file)]) == 0
    sheet = Sheet(7, 2, "padding", count=3)
    expected = worksheet(sheet.questions(), "Padding, level 2", description=sheet.description())
    assert file.read_text(encoding="utf-8") == expected
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"{file}: print it from a browser\n"


def test_printed_with_a_title_and_an_address(capsys):
    root = "https://example.org/app/"
    assert main(["worksheet", *WORDS, "--title", "Monday", "--address", root]) == 0
    page = capsys.readouterr().out
    assert "<h1>Monday</h1>" in page
    assert "https://example.org/app/practice?seed=7&amp;level=2&amp;operator=padding" in page
    assert page.count('<li class="question"') == page.count('<li class="answer"') == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--count", "31"), "count: 31 is not a whole number from 1 to 30."),
        (("--count", "0"), "count: 0 is not"),
        (("--level", "4"), "level: 4 is not"),
        (("--seed", "-1"), "seed: -1 is not"),
        (("--address", "javascript:alert(1)"), 'address: "javascript:alert(1)" is not the address'),
        (("--address", "http://[x/"), 'address: "http://[x/" is not the address'),
        (("-o", "/nowhere/at/all.html"), "output: cannot write /nowhere/at/all.html"),
    ],
)
def test_what_is_not_possible(capsys, words, told):
    assert main(["worksheet", *words]) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.startswith(f"dmlviz: {told}")
    assert caught.err.count("\n") == 1
