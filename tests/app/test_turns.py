"""Few scripts run at once: in order, and nobody waits for what takes long."""

from __future__ import annotations

import ast
import threading
import time
from pathlib import Path

import dmlviz.app
from dmlviz.app.turns import Turns

APP = Path(dmlviz.app.__file__).parent


def together(count, work):
    threads = []
    for number in range(count):
        threads.append(threading.Thread(target=work, args=(number,)))
        threads[-1].start()
        # they come one after the other
        time.sleep(0.01)
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)


def test_no_more_than_so_many_run_at_once_and_the_first_come_first():
    turns, running, most, order = Turns(2, 60), [], [], []

    def work(number):
        with turns.turn():
            order.append(number)
            running.append(number)
            most.append(len(running))
            time.sleep(0.03)
            running.remove(number)

    together(8, work)
    assert max(most) == 2
    assert order == sorted(order)


def test_what_takes_long_keeps_nobody_waiting():
    turns, done, end = Turns(1, 0.05), [], threading.Event()

    def work(number):
        with turns.turn():
            if number == 0:
                end.wait(10)
            done.append(number)
            if len(done) == 2:
                end.set()

    together(3, work)
    assert done[-1] == 0


def test_a_script_has_one_turn_and_gives_it_back_when_it_fails():
    turns = Turns(1, 60)
    for _again in range(2):
        try:
            with turns.turn(), turns.turn():
                raise InterruptedError
        except InterruptedError:
            pass
    with turns.turn():
        pass


def test_every_fragment_takes_its_turn():
    found = set()
    for path in APP.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "st.fragment":
                found.add(path.name)
    assert found == {"parts.py"}
