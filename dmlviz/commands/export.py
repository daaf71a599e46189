"""``python -m dmlviz export STATE FILE``: a state as a page, a picture, a model, arrays, code."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dmlviz.commands.files import format_of, save
from dmlviz.commands.states import add_state, read_state, run_state
from dmlviz.engines.trace import Trace
from dmlviz.errors import Error
from dmlviz.operators.code.base import DIALECTS
from dmlviz.operators.slots import descs_of
from dmlviz.picture.scene import Scene, scene
from dmlviz.picture.sections import untested
from dmlviz.states import State
from dmlviz.tensors import short_text
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.words import _

NAME = "export"

Make = Callable[[Trace, Namespace, State], bytes]


def help() -> str:
    """What it does."""
    return _("save a state: a page that plays offline, a picture, a model, arrays or code")


def add(parser: ArgumentParser) -> None:
    """A state, a file, and how it should look."""
    add_state(parser)
    parser.add_argument(
        "file",
        metavar="FILE",
        help=_(
            "the file extension selects the format: {endings}; with --code, - prints the code"
        ).format(endings=", ".join(_FORMATS)),
    )
    parser.add_argument(
        "--step",
        type=float,
        help=_(
            "the moment that a picture shows, as a number of completed steps (default: the "
            "link's step, or the end)"
        ),
    )
    parser.add_argument("--dark", action="store_true", help=_("use a dark background"))
    parser.add_argument("--width", type=int, help=_("width of a picture in pixels"))
    parser.add_argument(
        "--part",
        default="output",
        metavar="PART",
        help=_(
            "which array to write to a .npy file: input, output, source or a tensor's name; "
            "for the sources of one output, OutputTensors[1].source"
        ),
    )
    parser.add_argument("--code", choices=list(DIALECTS), help=_("print the code in this dialect"))


def run(arguments: Namespace) -> int:
    """Write the file; where it is, on standard error."""
    state = read_state(arguments)
    make = None if arguments.code else format_of(Path(arguments.file), _FORMATS)
    trace = run_state(state, drawn=make in _PICTURES.values())
    data = make(trace, arguments, state) if make else _code(trace, arguments.code)
    if arguments.file == "-":
        sys.stdout.buffer.write(data)
        return 0
    save(arguments.file, data)
    print(
        _("{file}: {bytes} bytes").format(file=arguments.file, bytes=f"{len(data):,}"),
        file=sys.stderr,
    )
    return 0


def _code(trace: Trace, dialect: str) -> bytes:
    snippets = trace.operator.code(descs_of(trace.inputs, values=True))
    chosen = next(snippet for snippet in snippets if snippet.dialect == dialect)
    if not chosen.text:
        raise Error(chosen.note, "code")
    if not chosen.tested:
        print(untested(chosen.title), file=sys.stderr)
    return chosen.text.encode()


def _scene(trace: Trace, state: State) -> Scene:
    return scene(trace, dict(state.view.directions))


def _moment(arguments: Namespace, state: State) -> float | None:
    step: float | None = arguments.step
    return step if step is not None else state.view.step or None


def _looks(arguments: Namespace, state: State) -> dict[str, Any]:
    looks = {"dark": arguments.dark, "colors": state.view.colors}
    return {**looks, "width": arguments.width} if arguments.width else looks


def _html(trace: Trace, arguments: Namespace, state: State) -> bytes:
    from dmlviz.picture.page import player

    look = state.view.look(sizes_by_name(trace.outputs))
    return player(trace, look, dict(state.view.directions)).html().encode()


def _png(trace: Trace, arguments: Namespace, state: State) -> bytes:
    from dmlviz.picture import exports

    moment = _moment(arguments, state)
    return exports.png(_scene(trace, state), moment, **_looks(arguments, state))


def _svg(trace: Trace, arguments: Namespace, state: State) -> bytes:
    from dmlviz.picture import exports

    moment = _moment(arguments, state)
    drawn = exports.svg(_scene(trace, state), moment, **_looks(arguments, state))
    return drawn.encode()


def _gif(trace: Trace, arguments: Namespace, state: State) -> bytes:
    from tqdm import tqdm

    from dmlviz.picture import exports

    with tqdm(total=100, desc="gif", disable=not sys.stderr.isatty(), leave=False) as bar:
        return exports.gif(
            _scene(trace, state),
            progress=lambda done: bar.update(int(done * 100) - bar.n),
            **_looks(arguments, state),
        )


def _onnx(trace: Trace, arguments: Namespace, state: State) -> bytes:
    from dmlviz.engines.models import model_file

    return model_file(trace.operator, trace.inputs)


def _npz(trace: Trace, arguments: Namespace, state: State) -> bytes:
    from dmlviz.picture import exports

    return exports.npz(trace)


def _npy(trace: Trace, arguments: Namespace, state: State) -> bytes:
    from dmlviz.picture import exports

    arrays = {**trace.inputs, **trace.outputs}
    arrays |= {f"{name}.source": source for name, source in trace.sources.items()}
    # the only one goes without its name
    alone = {"input": trace.inputs, "output": trace.outputs, "source": trace.sources}
    arrays |= {name: next(iter(of.values())) for name, of in alone.items() if len(of) == 1}
    if arguments.part not in arrays:
        raise Error(
            _("part: {part} is not one of {parts}.").format(
                part=short_text(arguments.part), parts=", ".join(arrays)
            ),
            "part",
        )
    return exports.npy(arrays[arguments.part])


_PICTURES: dict[str, Make] = {".html": _html, ".png": _png, ".svg": _svg, ".gif": _gif}
_FORMATS: dict[str, Make] = {
    **_PICTURES,
    ".onnx": _onnx,
    ".npz": _npz,
    ".npy": _npy,
}
