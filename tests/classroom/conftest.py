"""A class to work with, in a store of either kind."""

from __future__ import annotations

import pytest

from dmlviz.classroom.database import connect, url_of
from dmlviz.classroom.polls import read_polls
from dmlviz.classroom.store import Store
from tests.classroom.postgres import running_postgres

QUESTIONS = [
    {
        "key": "modes",
        "kind": "choice",
        "prompt": "Which value is there?",
        "link": "/tile?sizes=2,3",
        "choices": [
            {"text": "1", "misconception": "counts from the end"},
            {"text": "2"},
            {"text": "=3", "misconception": "takes the neighbour"},
        ],
        "answer": 1,
    },
    {
        "key": "place",
        "kind": "cell",
        "prompt": "Where does it come from?",
        "link": "/tile?sizes=2,3",
        "tensors": [{"name": "InputTensor", "sizes": [2, 3]}],
        "answer": 4,
        "misconceptions": [[1, "mixes up rows and columns"]],
    },
    {
        "key": "sizes",
        "kind": "sizes",
        "prompt": "Which sizes?",
        "link": "/tile?sizes=2,3",
        "answer": "2,6",
    },
    {
        "key": "value",
        "kind": "value",
        "prompt": "Which value?",
        "link": "/tile?sizes=2,3",
        "answer": "2.50",
    },
]
"""As JSON brings them: one of each kind."""


class Clock:
    """Milliseconds that pass when the test says so."""

    def __init__(self):
        self.now = 1_700_000_000_000

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def polls():
    return read_polls(QUESTIONS)


@pytest.fixture(scope="session")
def postgres(postgres_tool):
    with running_postgres(postgres_tool.parent) as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.tool)])
def address(request, tmp_path):
    """Of an empty database of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "folder" / "classes.sqlite")
    return request.getfixturevalue("postgres").database()


@pytest.fixture
def make_store(address, clock):
    """Stores of one database, each as another process would have it."""
    made = []

    def make(changed=lambda codes: None, days=30, **more):
        made.append(Store(connect(url_of(address)), days, changed, clock, **more))
        return made[-1]

    yield make
    for store in made:
        store.close()


@pytest.fixture
def store(make_store):
    return make_store()
