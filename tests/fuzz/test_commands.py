"""The command line: 240 ways to call it, an exit code and a sentence for each."""

import io
from random import Random
from types import SimpleNamespace

import pytest

from tests.fuzz import corpus, doors
from tests.fuzz.mutations import mutations
from tests.thorough import tries


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with pages to verify, to be in and to write to."""
    monkeypatch.chdir(tmp_path)
    pages = corpus.documents()
    (tmp_path / "page.md").write_text(pages[0], encoding="utf-8")
    (tmp_path / "wrong.md").write_text(pages[0].replace("5", "7", 1), encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "second.md").write_bytes(pages[1].encode()[:300] + b"\xff")
    return tmp_path


def lines(seed, count):
    """Command lines with arguments cut, swapped, repeated and mutated."""
    dice = Random(seed)
    words = mutations(seed, corpus.ARGUMENTS + corpus.VALUES, corpus.LINK_WORDS, count * 6)
    for _each in range(count):
        arguments = dice.choice(corpus.COMMANDS).split()
        for _change in range(dice.randint(0, 3)):
            at = dice.randint(1, max(1, len(arguments)))
            word = dice.choice((next(words), dice.choice(corpus.ARGUMENTS)))
            change = dice.randrange(4)
            if change == 0:
                arguments.insert(at, word)
            elif change == 1:
                arguments[at - 1 : at] = [word]
            elif change == 2:
                del arguments[at - 1 : at]
            else:
                arguments += arguments[at - 1 : at + 1]
        # what no system hands over: a NUL; and no folder full of pages is to be written here
        arguments = [text.replace("\0", "") for text in arguments]
        if "site" not in arguments or "page.md" in arguments:
            yield arguments


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_any_command_line(seed, folder, bounded, capsys, monkeypatch):
    codes = []
    for arguments in lines(seed, tries(120)):
        text = io.BytesIO(corpus.documents()[0].encode())
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=text))
        bounded()
        codes.append(doors.command(arguments, capsys))
    assert set(codes) == {0, 1, 2}
    assert codes.count(0) > len(codes) / 12
