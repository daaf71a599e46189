"""``python -m dmlviz export STATE FILE``: a state as a page, a picture, a model, arrays, code."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.dialects import DIALECTS, snippets_of
from dmlviz.commands.states import add_state, read_state, run_state, save
from dmlviz.engines.trace import Trace
from dmlviz.operators.slots import descs_of
from dmlviz.picture.formats import DATA, PICTURES, PictureLook, endings, format_of, npy
from dmlviz.picture.scene import scene
from dmlviz.picture.sections import untested
from dmlviz.states import State
from dmlviz.tensors import short_text
from dmlviz.tensors.numbering import sizes_by_name

_FORMATS = (*PICTURES, *DATA, "npy")


def add(parser: ArgumentParser) -> None:
    """A state, a file, and how it should look."""
    add_state(parser)
    parser.add_argument(
        "file",
        metavar="FILE",
        help=_(
            "the file extension selects the format: {endings}; with --code, - prints the code"
        ).format(endings=endings(_FORMATS)),
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
    ending = "" if arguments.code else format_of(Path(arguments.file), _FORMATS)
    trace = run_state(state, drawn=ending in PICTURES)
    data = _file(trace, ending, arguments, state) if ending else _code(trace, arguments.code)
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
    snippets = snippets_of(trace.operator, descs_of(trace.inputs, values=True))
    chosen = next(snippet for snippet in snippets if snippet.dialect == dialect)
    if not chosen.text:
        raise Error(chosen.note, "code")
    if not chosen.tested:
        print(untested(chosen.title), file=sys.stderr)
    return chosen.text.encode()


def _file(trace: Trace, ending: str, arguments: Namespace, state: State) -> bytes:
    if ending == "npy":
        return _array(trace, arguments.part)
    if ending in DATA:
        return DATA[ending](trace)
    return _picture(trace, ending, arguments, state)


def _picture(trace: Trace, ending: str, arguments: Namespace, state: State) -> bytes:
    from tqdm import tqdm

    view = state.view
    with tqdm(total=100, desc=ending, disable=not sys.stderr.isatty(), leave=False) as bar:
        look = PictureLook(
            view.step or None if arguments.step is None else arguments.step,
            view.colors,
            arguments.dark,
            arguments.width or None,
            view.look(sizes_by_name(trace.outputs)),
            lambda done: bar.update(int(done * 100) - bar.n),
        )
        return PICTURES[ending](scene(trace, dict(view.directions)), look)


def _array(trace: Trace, part: str) -> bytes:
    """One array of a run, as a file of NumPy."""
    arrays = {**trace.inputs, **trace.outputs}
    arrays |= {f"{name}.source": source for name, source in trace.sources.items()}
    # the only one goes without its name
    alone = {"input": trace.inputs, "output": trace.outputs, "source": trace.sources}
    arrays |= {name: next(iter(of.values())) for name, of in alone.items() if len(of) == 1}
    if part not in arrays:
        raise Error(
            _("part: {part} is not one of {parts}.").format(
                part=short_text(part), parts=", ".join(arrays)
            ),
            "part",
        )
    return npy(arrays[part])
