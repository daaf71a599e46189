"""What is taken away is made when somebody asks for it, and equal files once for everybody."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from dmlviz.app import result
from dmlviz.base.cache import AT_ONCE, CachedFunction
from dmlviz.picture import staged
from dmlviz.picture.formats import DATA, PICTURES
from tests.app.conftest import Session

MADE = {"PNG": "png", "SVG": "svg", "GIF": "gif", "NumPy arrays": "npz"}


def forget():
    for found in (*vars(result).values(), staged._staged):
        if isinstance(found, CachedFunction):
            found.cache_clear()


@pytest.fixture
def files(monkeypatch):
    """The files that a session is offered, by name; how often each kind was made, and at once."""
    forget()
    offered, made, lock = {}, Counter(), threading.Lock()

    def button(label, data, **_options):
        offered[label] = data

    def counting(name, make):
        def counted(*args, **kwargs):
            with lock:
                made[name] += 1
                made["now"] += 1
                made["at once"] = max(made["at once"], made["now"])
            try:
                return make(*args, **kwargs)
            finally:
                with lock:
                    made["now"] -= 1

        return counted

    monkeypatch.setattr(result.st, "download_button", button)
    for table in (PICTURES, DATA):
        for ending, make in table.items():
            monkeypatch.setitem(table, ending, counting(ending, make))

    def opened(page="tile", **query):
        Session().open(page, **{"values": "count-0", **query}).drawn()
        return dict(offered)

    yield opened, made
    forget()


def test_equal_files_are_made_once_for_everybody(files):
    opened, made = files
    first = opened(sizes="1,1,1,3")
    # however the picture comes to be drawn again
    staged._staged.cache_clear()
    second = opened(sizes="1,1,1,3")
    for label in (*MADE, "Page", "ONNX model"):
        assert first[label]() == second[label]()
    names = (*MADE.values(), "html", "onnx")
    assert {name: made[name] for name in names} == dict.fromkeys(names, 1)


def test_other_pictures_are_other_files(files):
    opened, made = files
    asked = {"sizes": "1,1,1,3"}, {"sizes": "1,1,3,1"}, {"sizes": "1,1,1,3", "values": "count-1"}
    gifs = {opened(**query)["GIF"]() for query in asked}
    gifs.add(opened(sizes="1,1,1,3", lang="ko")["GIF"]())
    assert (len(gifs), made["gif"]) == (4, 4)


def test_a_saved_picture_of_a_comparison_shows_both(files):
    opened, _made = files
    alone = opened(sizes="1,1,1,3")["SVG"]().decode()
    both = opened(sizes="1,1,1,3", compare="true")["SVG"]().decode()
    assert ">B" not in alone
    assert ">A" in both
    assert ">B" in both


def test_many_who_ask_at_once_wait_for_one(files):
    opened, made = files
    offered = [opened(sizes="1,1,1,3")["GIF"] for _person in range(12)]
    with ThreadPoolExecutor(12) as pool:
        answers = {future.result(60) for future in [pool.submit(make) for make in offered]}
    assert (len(answers), made["gif"]) == (1, 1)


def test_few_pictures_are_made_at_the_same_time(files):
    opened, made = files
    offered = [opened(sizes=f"1,1,1,{n}") for n in range(2, 6)]
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(one[label]) for one in offered for label in ("GIF", "PNG", "SVG")]
        for future in asked:
            future.result(60)
    assert made["gif"] == made["png"] == made["svg"] == 4
    assert made["at once"] <= AT_ONCE
