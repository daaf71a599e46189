"""The process in which engines run for the app: ``python -m dmlviz.engines.worker SECONDS``.

It reads requests from its input and answers on its output, one after the other, until its
input is closed. Everything that a runtime prints goes to the error stream.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import IO, Any

import numpy as np

from dmlviz.base import errors
from dmlviz.base.words import _, use
from dmlviz.engines.frames import READY, SPENT, Words, operator_of, read_frame, write_frame
from dmlviz.tensors.types import Tensors

Answer = tuple[Words, Tensors]


def main() -> None:
    """Answer requests until the input is closed."""
    # Ctrl+C ends the server; the end of its input ends this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = _moved_pipes()
    limit = float(sys.argv[1])
    with contextlib.suppress(OSError, EOFError), open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        write_frame(answers, {READY: True})
        while (frame := read_frame(requests)) is not None:
            # in case the server has ended and the runtime never returns
            faulthandler.dump_traceback_later(limit, exit=True, file=nowhere)
            answered = answer(*frame)
            faulthandler.cancel_dump_traceback_later()
            write_frame(answers, *answered)


def answer(words: Words, tensors: Tensors) -> Answer:
    """The answer to a request; an error is an answer too."""
    use(str(words.get("language", "")))
    runner = None
    reply: Words
    outputs: Tensors = {}
    try:
        runner = _runner(words["engine"], words.get("adapter"))
        reply, outputs = _DO[words["do"]](runner, words, tensors)
    except errors.Error as error:
        kind = type(error).__name__
        reply = {"error": kind, "message": str(error), "field": error.field}
    except Exception as error:
        said = f"{type(error).__name__}: {' '.join(str(error).split())[:600]}"
        message = _("{engine} failed: {words}").format(engine=words["name"], words=said)
        reply = {"error": "EngineRefused", "message": message, "field": "engine"}
    if getattr(runner, "spent", False):
        reply[SPENT] = True
    return reply, outputs


def _status(runner: Any, words: Words, tensors: Tensors) -> Answer:
    return asdict(runner.status()), {}


def _adapters(runner: Any, words: Words, tensors: Tensors) -> Answer:
    return {"adapters": [[adapter.number, adapter.name] for adapter in runner.adapters()]}, {}


def _run(runner: Any, words: Words, tensors: Tensors) -> Answer:
    ran = runner.run(operator_of(words), tensors, words["form"])
    reply = {
        "provider": ran.provider,
        "nodes": list(ran.nodes),
        "form": ran.form,
        "seconds": ran.seconds,
    }
    return reply, ran.outputs


def _model(runner: Any, words: Words, tensors: Tensors) -> Answer:
    from dmlviz.engines.models import model_file

    return {}, {"model": np.frombuffer(model_file(operator_of(words), tensors), np.uint8)}


_DO: dict[str, Callable[[Any, Words, Tensors], Answer]] = {
    "status": _status,
    "adapters": _adapters,
    "run": _run,
    "model": _model,
}


@cache
def _runner(path: str, adapter: int | None) -> Any:
    """The engine of a class ``module:name``, on the given adapter if there is one."""
    module, _colon, name = path.partition(":")
    runner = getattr(importlib.import_module(module), name)()
    return runner if adapter is None else runner.on(adapter)


def _moved_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The process's input and output, moved so that no runtime can print to them."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        # a server without an error stream
        os.dup2(nowhere, 1)
    return requests, answers


if __name__ == "__main__":
    main()
