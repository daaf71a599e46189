"""No file says what CONTRIBUTING, "How we write", asks to say in another way."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.text

ROOT = Path(__file__).resolve().parent.parent
READ = {".css", ".html", ".js", ".md", ".py", ".toml", ".yaml", ".yml"}
PLACES = ("*", ".github/**/*", "assets/**/*", "benchmarks/**/*", "deploy/**/*", "dmlviz/**/*",
          "docs/**/*",
          "pages/**/*", "tests/**/*")  # fmt: skip
# these name the phrases
EXCEPT = {ROOT / "CONTRIBUTING.md", Path(__file__).resolve()}

# each phrase, and what to say instead; a space is any white space, a quote or a comment's sign
AVOIDED = {
    "afterwards one can": "by the end, students can",
    "as is exact": "automatic",
    "back to the documentation's example": "reset to the documentation example",
    "before and behind": "before and after",
    "comes round": "wraps around",
    "follow the pinned": "follow pinned element",
    "in its own words": "its message",
    "installed over each other": "conflict with each other",
    "keyboard alone": "keyboard only",
    "keys alone": "keyboard only",
    "leave the house": "outside the app",
    "lets go": "clears, releases",
    "more than the {most} that": "the limit is",
    "ones in front": "leading ones",
    "as they stand": "in the order of memory",
    "on a dark ground": "dark background",
    "said and left out": "reported and ignored",
    "so that neither is whole": "conflict with each other",
    "the movement as a table": "table of moves",
    "the rule as a formula": "formula",
    "things to mend": "problems to fix",
    "through every engine": "on every engine",
    "turned round": "reversed",
    "walk on": "move",
    "was left out:": "ignored",
    "what becomes of": "what happens to",
    "where planes stand": "the arrangement of planes",
    "which one wins is not promised": "which one wins is undefined",
}  # fmt: skip
_SPACE = re.compile(r'[\s"#*/]+')


def found(text: str) -> list[str]:
    """The avoided phrases in a text, also over the end of a line."""
    plain = f" {_SPACE.sub(' ', text.lower())} "
    return [
        phrase
        for phrase in AVOIDED
        if phrase in plain and re.search(rf"(?<![a-z]){re.escape(phrase)}(?![a-z])", plain)
    ]


def test_no_file_uses_them():
    paths = {p for place in PLACES for p in ROOT.glob(place) if p.suffix in READ and p.is_file()}
    assert len(paths) > 500
    told = {
        path.relative_to(ROOT).as_posix(): lines
        for path in paths - EXCEPT
        if (lines := found(path.read_text(encoding="utf-8")))
    }
    assert told == {}


@pytest.mark.parametrize("phrase", AVOIDED)
def test_each_is_found_over_a_broken_line(phrase):
    assert found("\n# " + phrase.replace(" ", "\n    # ", 1).upper()) != []


def test_words_that_only_contain_one_are_not():
    assert found("he walks only, and is nonetheless welcome round here") == []
