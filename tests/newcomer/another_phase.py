"""Every room of a class with three more phases; run inside a copy of the project that has them.

python another_phase.py ROOM
"""

import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import dmlviz
from dmlviz.classroom.phase_table import TABLE
from tests.classroom.conftest import QUESTIONS
from tests.classroom.serving import Lesson, serving

PATH = ("ask", "closed", "hint", "third", "closed_third", "reveal")


@contextmanager
def taught(*path):
    """A class with one phone, that has gone through these phases."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "x.sqlite") as (port, _s):
        lesson = Lesson(port, QUESTIONS)
        lesson.phone = lesson.join()
        for phase in path:
            lesson.move(phase)
        yield lesson


def state(browser, lesson):
    """What a stream says first."""
    stream = browser.listen(f"{lesson.path}/events")
    told = stream.until(lambda _state: True)
    stream.close()
    return told


def labels(told):
    return {each["label"]: each for each in told["actions"]}


def teacher():
    with taught("ask", "closed") as lesson:
        button = labels(state(lesson.teacher, lesson))["Show the hint"]
        assert (button["key"], button["main"]) == ("H", False)
        lesson.change(**button["change"])
        told = state(lesson.teacher, lesson)
        assert (told["phase"], told["note"], told["left_ms"] > 30_000) == (
            "hint",
            "The hint is shown",
            True,
        )
        assert set(told["can"]) == {"pause", "more", "bars", "invite"}
        assert lesson.change(more=60)["left_ms"] <= 50_000
        # the one key goes on to the answer
        for main, phase in (
            ("Start the third vote", "third"),
            ("Close the third vote", "closed_third"),
            ("Show the answer", "reveal"),
        ):
            button = labels(state(lesson.teacher, lesson))[main]
            assert button["main"]
            assert lesson.change(**button["change"])["phase"] == phase


def phone():
    with taught("ask", "closed", "hint") as lesson:
        _status, told = lesson.phone.post(f"{lesson.path}/join")
        assert (told["note"], told["layout"]) == ("Read the hint on the wall.", "talking")
        assert lesson.vote(lesson.phone, 1)[0] == 409
        lesson.move("third")
        assert lesson.vote(lesson.phone, 1, turn=3)[0] == 200
        _status, told = lesson.phone.post(f"{lesson.path}/join")
        assert (told["round"], told["mine"]["vote"]["answer"]) == (3, "1")


def wall():
    with taught("ask", "closed", "hint", "third") as lesson:
        lesson.vote(lesson.phone, 1, turn=3)
        lesson.change(bars=True)
        told = state(lesson.wall(), lesson)
        assert (told["note"], told["counts"]["votes"]) == ("Vote once more", 1)
        assert [each["votes"] for each in told["counts"]["rounds"]] == [0, 0, 1]


def store():
    with tempfile.TemporaryDirectory() as folder:
        address = Path(folder) / "x.sqlite"
        with serving(address) as (port, _service):
            lesson = Lesson(port, QUESTIONS)
            device = lesson.join()
            for phase in PATH[:4]:
                lesson.move(phase)
            assert lesson.vote(device, 1, turn=3)[0] == 200
        # another process
        with serving(address) as (port, _service):
            lesson.teacher.port = device.port = port
            assert state(lesson.teacher, lesson)["phase"] == "third"
            _status, told = device.post(f"{lesson.path}/join")
            assert told["mine"]["vote"] == {"answer": "1", "seq": 1}
            assert lesson.change(to="closed_third")["round"] == 3


def report():
    with taught(*PATH[:4]) as lesson:
        lesson.vote(lesson.phone, 0, turn=3)
        _status, told = lesson.teacher.get(f"{lesson.path}/results")
        (row, *_rows) = told["rows"]
        assert [each["votes"] for each in row["rounds"]] == [0, 0, 1]
        assert (row["mistaken_round"], row["mistaken"][0]["shown"]) == (3, "A: 1")
        _status, text = lesson.teacher.get(f"{lesson.path}/results?format=csv")
        assert "votes_2,right_2,votes_3,right_3,votes_alone" in text.replace('"', "")


if __name__ == "__main__":
    (ROOM,) = sys.argv[1:]
    assert Path(dmlviz.__file__).is_relative_to(Path.cwd()), dmlviz.__file__
    {each.__name__: each for each in (teacher, phone, wall, store, report)}[ROOM]()
    sys.stdout.write(
        f"{ROOM}: {len({'hint', 'third', 'closed_third'} & {each.name for each in TABLE})}"
    )
