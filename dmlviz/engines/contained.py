"""Engines of native code in a process of their own: a crash there loses only one answer."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Protocol

from dmlviz.base import errors
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import EngineLost, EngineRefused, Error
from dmlviz.base.words import _, locale
from dmlviz.engines.base import Engine, Inputs, Ran, Runner
from dmlviz.engines.directml import Adapter
from dmlviz.engines.frames import READY, SPENT, Words, operator_words, read_frame, write_frame
from dmlviz.operators import Operator
from dmlviz.tensors.types import Array, Tensors

Reply = tuple[Words, Tensors]

_START = "start"
_REMEMBERED = 64


class Process:
    """A ``dmlviz.engines.worker``, started at the first request.

    Threads take turns. A process that ends may have been killed by chance: another gets the same
    request at once. A request that ended both is refused for a while, so that one bad request,
    repeated, does not block others; so is one that took too long or lost the device, at its first
    time. If both ended while they started, or during a request without tensors, the next one
    starts after a wait that doubles each time.

    Args:
        limit: seconds after which a request fails and the process is killed.
        pause: seconds for which a request that ended the process is refused.
        starting: limit in seconds for the start of the process; a busy machine takes several.
        wait: the first wait, in seconds, after two processes ended by chance; at most ``pause``.
    """

    def __init__(
        self,
        limit: float = 30.0,
        pause: float = 60.0,
        starting: float = 60.0,
        wait: float = 2.0,
    ) -> None:
        self.limit, self.pause, self.starting, self.wait = limit, pause, starting, wait
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._ends: OrderedDict[str, _End] = OrderedDict()

    @property
    def pid(self) -> int | None:
        """The process ID; None if no process is running."""
        return self._running.pid if self._running else None

    def ask(self, words: Words, tensors: Tensors | None = None) -> Reply:
        """The answer to a request.

        Args:
            words: ``name`` of the engine, its ``engine`` class, what to ``do``, and what for.
            tensors: by name, of the 11 types.

        Raises:
            EngineRefused: the process ended or took too long; the message says which of the two.
            Error: the engine's own error, with its type and message.
        """
        with self._lock:
            said, outputs = self._answer(words, tensors)
        if "error" in said:
            raise _raised(said)
        return said, outputs

    def close(self) -> None:
        """End the process; the next request starts another."""
        with self._lock:
            self._end()

    def _answer(self, words: Words, tensors: Tensors | None, again: bool = True) -> Reply:
        """The answer to a request, from a new process if none is running."""
        name = words["name"]
        self._not_again(_START, name)
        # a large tensor takes a while
        if self._ends:
            self._not_again(_key(words, tensors), name)
        starting = True
        try:
            if self._running is None or self._running.poll() is not None:
                self._start()
                self._ends.pop(_START, None)
            starting = False
            reply = self._exchange(words, tensors, self.limit)
            if reply[0].pop(SPENT, False):
                self._end()
            if reply[0].get("error") == EngineLost.__name__:
                self._end()
                raise _Ended(reply[0]["message"].removeprefix(f"{name}: "), certain=True)
        except _Ended as ended:
            by_chance = not ended.certain and (starting or not tensors)
            # without a pause nothing would be refused, so nothing is made sure of
            if again and (by_chance or (self.pause and not ended.certain)):
                return self._answer(words, tensors, again=False)
            key = _START if starting else _key(words, tensors)
            end = self._remember(key, str(ended), by_chance)
            raise self._refusal(end, name, at_start=starting) from ended
        if not tensors:
            self._ends.pop(_key(words, tensors), None)
        return reply

    def _start(self) -> None:
        """Start a process.

        Raises:
            _Ended: it did not start.
        """
        self._end()
        # the worker can import everything that this process can
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)  # noqa: PTH100
        try:
            self._running = subprocess.Popen(  # noqa: S603  our own interpreter and module
                # the process's own limit applies when there is no server left to end it
                [sys.executable, "-P", "-m", "dmlviz.engines.worker", str(self.limit * 1.2)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": paths},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            said, _nothing = self._exchange(None, None, self.starting)
            if READY not in said:
                raise _Ended(self._end())
        except OSError as error:
            self._end()
            raise _Ended(str(error)) from error

    def _exchange(self, words: Words | None, tensors: Tensors | None, limit: float) -> Reply:
        """Send a message, or nothing, and read the answer of the process.

        Raises:
            _Ended: the answer was invalid, and the process has ended.
        """
        running = self._running
        assert running is not None
        assert running.stdin is not None
        assert running.stdout is not None
        late = threading.Event()

        def give_up() -> None:
            late.set()
            running.kill()

        # only killing the process ends a blocked read on every system
        timer = threading.Timer(limit, give_up)
        timer.daemon = True
        timer.start()
        frame = None
        try:
            if words is not None:
                write_frame(running.stdin, words, tensors)
            frame = read_frame(running.stdout)
        except (OSError, EOFError, ValueError, TypeError, MemoryError):
            # a partial answer counts as none
            frame = None
        except BaseException:
            self._end()
            raise
        finally:
            timer.cancel()
            timer.join()
        if frame is None or late.is_set():
            how = self._end()
            if late.is_set():
                how = _("no answer after {n} s").format(n=f"{limit:g}")
            if frame is None:
                raise _Ended(how, late.is_set())
        return frame

    def _end(self) -> str:
        """End the process, if there is one, and return how it ended, as text."""
        running, self._running = self._running, None
        if running is None:
            return ""
        with contextlib.suppress(OSError):
            assert running.stdin is not None
            running.stdin.close()
        try:
            # its input is closed: it ends by itself, or has ended already
            code = running.wait(1)
        except subprocess.TimeoutExpired:
            running.kill()
            code = running.wait()
        assert running.stdout is not None
        running.stdout.close()
        return _how(code)

    def _remember(self, key: str, how: str, by_chance: bool) -> _End:
        wait = self.pause
        if by_chance:
            before = self._ends.get(key)
            wait = min(self.wait if before is None else 2 * before.wait, self.pause)
        end = _End(how, wait, time.monotonic() + wait)
        self._ends[key] = end
        self._ends.move_to_end(key)
        while len(self._ends) > _REMEMBERED:
            self._ends.popitem(last=False)
        return end

    def _not_again(self, key: str, name: str) -> None:
        end = self._ends.get(key)
        if end is not None and time.monotonic() < end.until:
            raise self._refusal(end, name, at_start=key == _START)

    def _refusal(self, end: _End, name: str, at_start: bool) -> EngineRefused:
        message = (
            _("{engine}: its process did not start ({how}); dmlviz tries again in {n} seconds.")
            if at_start
            else _(
                "{engine}: its process was lost ({how}). The next run gets a new one; this run "
                "is not repeated for {n} seconds."
            )
        )
        return EngineRefused(message.format(engine=name, how=end.how, n=f"{end.wait:g}"), "engine")


@dataclass(frozen=True)
class _End:
    """How a process ended, the length of the wait before the next try, and when it is over."""

    how: str
    wait: float
    until: float


class _Ended(Exception):
    """The process has ended; the message says how.

    Args:
        how: the message.
        certain: whether the request ended it, not chance: it took too long, or lost the device.
    """

    def __init__(self, how: str, certain: bool = False) -> None:
        super().__init__(how)
        self.certain = certain


def _how(code: int) -> str:
    """How a process ended, by its exit code.

    >>> _how(-11), _how(3)
    ('signal SIGSEGV', 'exit code 3')
    """
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = str(-code)
        return _("signal {name}").format(name=name)
    # Windows codes are usually written in hexadecimal, such as 0xC0000005
    return _("exit code {code}").format(code=code if code < 1 << 16 else f"0x{code:08X}")


def _key(words: Words, tensors: Tensors | None) -> str:
    hasher = hashlib.sha256(json.dumps(words).encode())
    for name, tensor in (tensors or {}).items():
        hasher.update(repr((name, tensor.dtype.str, tensor.shape)).encode())
        hasher.update(tensor.tobytes())
    return hasher.hexdigest()


def _raised(said: Words) -> Error:
    """The engine's error, made again in this process."""
    kind = getattr(errors, said["error"], Error)
    if kind is errors.Refused or not (isinstance(kind, type) and issubclass(kind, Error)):
        # its constructor takes more than a message
        kind = Error
    error: Error = kind(said["message"], said["field"])
    return error


class Native(Runner, Protocol):
    """An engine that another process can create by calling its class without arguments.

    Attributes:
        name, title: as in :class:`dmlviz.engines.Engine`.
    """

    name: str
    title: str


class Contained:
    """An engine that runs in a separate process.

    It gives the same answers and raises the same errors. A segmentation fault or an infinite
    loop in the engine becomes :class:`EngineRefused`.

    Args:
        inner: the engine; this process calls only those methods that do not load its runtime.
        process: where it runs; engines can share one.
    """

    def __init__(self, inner: Native, process: Process) -> None:
        self.inner, self.process = inner, process
        self.adapter: int | None = None
        self._status: dict[str, Engine] = {}

    def status(self) -> Engine:
        spoken = locale()
        if spoken not in self._status:
            try:
                said, _nothing = self.process.ask(self._words("status"))
            except EngineRefused as refused:
                # may be another time
                return Engine(self.inner.name, self.inner.title, False, str(refused), "")
            self._status[spoken] = Engine(**said)
        return self._status[spoken]

    def run(self, operator: Operator, inputs: Inputs, form: str = "") -> Ran:
        words = self._words("run", form=form, **operator_words(operator))
        said, outputs = self.process.ask(words, inputs)
        return Ran(
            self._whole(outputs),
            said["provider"],
            tuple(said["nodes"]),
            said["form"],
            said["seconds"],
        )

    def index_type(self, operator: Operator, inputs: Inputs, form: str = "") -> str:
        return self.inner.index_type(operator, inputs, form)

    def model(self, operator: Operator, inputs: Inputs) -> bytes:
        """The ONNX model of ``operator`` on ``inputs``: :func:`dmlviz.engines.models.model_file`.

        Raises:
            EngineRefused: it cannot be built.
        """
        words = self._words("model", **operator_words(operator))
        _said, tensors = self.process.ask(words, inputs)
        return self._whole(tensors)["model"].tobytes()

    def adapters(self) -> list[Adapter]:
        """The graphics adapters that the engine can use; empty if it has none to choose."""
        if not hasattr(self.inner, "adapters"):
            return []
        said, _nothing = self.process.ask(self._words("adapters"))
        return [Adapter(number, name) for number, name in said["adapters"]]

    def on(self, adapter: int) -> Contained | None:
        """The engine on the adapter of that number; None if it has none to choose."""
        if not hasattr(self.inner, "on"):
            return None
        other = Contained(self.inner, self.process)
        other.adapter, other._status = adapter, self._status
        return other

    def _words(self, do: str, **more: Any) -> Words:
        kind = type(self.inner)
        path = f"{kind.__module__}:{kind.__qualname__}"
        request = {"do": do, "name": self.inner.name, "engine": path, "adapter": self.adapter}
        request["language"] = locale()
        return {**request, **more}

    def _whole(self, tensors: Mapping[str, Array]) -> Mapping[str, Array]:
        if not tensors:
            raise EngineRefused(
                _("{engine}: it returned no tensor.").format(engine=self.inner.name),
                "engine",
            )
        return tensors
