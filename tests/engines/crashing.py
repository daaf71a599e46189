"""Engines that do what no engine should, for a process of their own."""

import os
import re
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import dmlviz
from dmlviz.base.words import language
from dmlviz.engines.base import Engine
from dmlviz.engines.numpy import NumpyEngine


class Crashing(NumpyEngine):
    """What it does depends on the first repeat of a Tile; otherwise it is NumPy."""

    name = "onnxruntime"
    title = "ONNX Runtime"

    def status(self):
        return Engine(self.name, self.title, True, "", f"crashing, {os.getpid()}")

    def run(self, operator, inputs, form=""):
        if isinstance(operator, dmlviz.Tile):
            DEEDS.get(operator.repeats[0], lambda: None)()
        return super().run(operator, inputs)


def say(words):
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def endless():
    while True:
        time.sleep(0.01)


def chatty():
    say("words on Python's output")
    os.write(1, b"\x05\x00\x00\x00words on the process's own output")
    assert sys.stdin.read() == ""


def raises(error):
    raise error


def language_spoken():
    raises(dmlviz.EngineRefused(language(), "engine"))


ABORT, SEGMENTATION, EXIT, ENDLESS, CHATTY, BUG, MEMORY, REFUSED, ABSENT, SPOKEN = range(101, 111)
DEEDS = {
    ABORT: os.abort,
    SEGMENTATION: lambda: os.kill(os.getpid(), signal.SIGSEGV),
    EXIT: lambda: os._exit(3),
    ENDLESS: endless,
    CHATTY: chatty,
    BUG: lambda: raises(IndexError("list index\nout of range")),
    MEMORY: lambda: np.empty(1 << 58),
    REFUSED: lambda: raises(dmlviz.EngineRefused("no, because of it", "repeats")),
    ABSENT: lambda: raises(dmlviz.EngineUnavailable("not here", "engine")),
    SPOKEN: language_spoken,
}


class CrashesAtStart(Crashing):
    """Its runtime does not even load."""

    def status(self):
        os.abort()


class AbortsOnTile(Crashing):
    """One operator is too much for it."""

    def run(self, operator, inputs, form=""):
        if isinstance(operator, dmlviz.Tile):
            os.abort()
        return super().run(operator, inputs)


class CrashesOnce(Crashing):
    """Its process is killed the first time that it runs anything."""

    def run(self, operator, inputs, form=""):
        flag = Path(os.environ["DMLVIZ_TEST_FLAG"])
        if not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().run(operator, inputs)


class Spent(Crashing):
    """Its runtime refuses a Tile, and crashes at the next model in that process."""

    spent = False

    def run(self, operator, inputs, form=""):
        if self.spent:
            os.abort()
        if isinstance(operator, dmlviz.Tile):
            self.spent = True
            raise dmlviz.EngineRefused("onnxruntime refused: 80070057", "engine")
        return super().run(operator, inputs)


class WithoutATensor(Crashing):
    """It forgets what came out."""

    def run(self, operator, inputs, form=""):
        return replace(super().run(operator, inputs), outputs={})


class Hanging(Crashing):
    """A native call that does not come back and lets no other thread run."""

    def run(self, operator, inputs, form=""):
        say("it hangs")
        re.match("(a+)+$", "a" * 64 + "b")
