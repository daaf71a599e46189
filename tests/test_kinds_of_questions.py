"""A kind of question is one declaration: no page knows which kind it asks."""

import re
from pathlib import Path

from dmlviz.classroom.phases import Class
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.tally import Counts, Tally
from dmlviz.classroom.views import counted
from dmlviz.teaching.answer_inputs import INPUTS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "dmlviz" / "classroom" / "pages").glob("*.js"))
READ = re.compile(
    r"(?:question|asked|row|poll)\??\.(\w+)\s*[!=]==?\s*\"(\w*)\"|\b(input) [!=]== \"(\w*)\""
)


def test_pages_of_a_class_ask_for_the_input_alone():
    names = {each.name for each in INPUTS.values()}
    read = set()
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\.kind\b", text), f"{path.name} asks for a question's kind"
        for match in READ.finditer(text):
            field, name = [part for part in match.groups() if part is not None]
            assert field == "input", f"{path.name}: {match[0]} reads more than the input"
            assert name in names, f"{path.name}: {name} is not the name of an input"
            read.add(name)
    # the number is what is typed otherwise
    assert read == names


def test_a_wall_shows_no_words_that_only_learners_know():
    poll = Poll("k", "text", "?", (), "axis 1", "/tile", misconceptions=(("axis 0", "rows"),))
    votes = Tally({"axis 1": 2, "axis 0": 1, "rude": 3}, 2)
    place = {"number": 0, "phase": "ask", "round": 1, "paused": False, "bars": True, "version": 1}
    times = dict.fromkeys(("seconds", "closes", "left", "step", "opened"), 0)
    current = Class("AAAA", "t", (poll,), **place, **times, expires=10**9)
    for teacher, shown in ((False, {"axis 1", "axis 0"}), (True, {"axis 1", "axis 0", "rude"})):
        view = counted(current, Counts(6, 0, votes, Tally({}, 0)), 0, 100, teacher=teacher)
        assert set(view["rounds"][0]["counts"]) == shown
        assert view["votes"] == 6
