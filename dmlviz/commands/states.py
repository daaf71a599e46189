"""What several commands share: a state of an explorer, as a link or by options; files to write."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from dmlviz.base.addresses import split_link, write_link
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, run
from dmlviz.operators import OPERATORS
from dmlviz.picture.scene import STAGE_LIMIT, check_stage
from dmlviz.states import State, read_link
from dmlviz.states.view import VIEW_FIELDS
from dmlviz.tensors import read_literal, short_text

_INPUT = ("sizes", "data_type", "values", "literal", "seed", "picture")
_SETTINGS = tuple(dict.fromkeys(p.name for cls in OPERATORS for p in cls.declared.values()))
_VIEW = {name: one.option for name, one in VIEW_FIELDS.items() if one.option is not None}


def add_state(parser: ArgumentParser) -> None:
    """The arguments that name a state; they are the words of a link."""
    parser.add_argument(
        "state",
        metavar="STATE",
        help=_("an operator ({operators}), or a link such as '/tile?sizes=2,3&repeats=1,2'").format(
            operators=", ".join(cls.key for cls in OPERATORS)
        ),
    )
    descriptions = {
        "sizes": _("sizes of the input, such as 1,1,2,3"),
        "data_type": _("data type, such as FLOAT32"),
        "values": _("starting values, as in a link: count-1, count-0, random, picture, own …"),
        "literal": _("your own values, such as '[[1, 2], [3, 4]]'"),
    } | {name: description() for name, description in _VIEW.items()}
    for name in (*_INPUT, *_SETTINGS, *_VIEW):
        parser.add_argument(f"--{name.replace('_', '-')}", help=descriptions.get(name))
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=VALUES",
        help=_(
            "an input by DirectML's name, such as IndicesTensor='[[1, 0]]'; repeat it for "
            "each input"
        ),
    )


def read_state(arguments: Namespace) -> State:
    """The state that the arguments name.

    Raises:
        Error: a part of it is not possible; the sentence says which.
    """
    named = {name: getattr(arguments, name) for name in (*_INPUT, *_SETTINGS, *_VIEW)}
    settings = {name: text for name, text in named.items() if text is not None}
    link = split_link(arguments.state)
    parameters = link.parameters
    if "literal" in settings:
        settings.setdefault("values", "own")
        if "sizes" not in settings and "sizes" not in parameters:
            literal = read_literal(
                settings["literal"], settings.get("data_type", "FLOAT32"), STAGE_LIMIT
            )
            settings["sizes"] = ",".join(map(str, literal.sizes))
            settings["data_type"] = literal.data_type
    elif "sizes" in settings and "values" not in parameters:
        # an example has sizes of its own
        settings.setdefault("values", "count-1")
    for each in arguments.input:
        name, equals, text = each.partition("=")
        if not equals:
            raise Error(
                _("input: {value} must be a tensor's name and its values, {such_as}.").format(
                    value=short_text(each), such_as="IndicesTensor='[[1, 0]]'"
                ),
                "input",
            )
        settings[name.strip()] = text
    opened = read_link(write_link(link.page, {**parameters, **settings}))
    for problem in (*link.problems, *opened.problems):
        raise Error(problem.message, problem.field)
    assert opened.state is not None
    return opened.state


def run_state(state: State, *, drawn: bool = False) -> Trace:
    """What the state's engine makes of it.

    Args:
        state: of the command line.
        drawn: whether a picture is made of it, for which the stage's limits hold.

    Raises:
        TooLarge: it is too large to be drawn; nothing was computed.
        Error: the operator, its feature level or the engine refuses it.
    """
    # what is wrong with the values is said before what the operator is against
    inputs = state.inputs()
    for problem in state.problems():
        raise Error(problem.message, problem.field)
    if drawn:
        check_stage(state.tensors.sizes, state.operator().outputs_after(state.tensors.sizes))
    return run(state.operator(), inputs, state.view.engine)


def save(path: str | Path, data: bytes) -> None:
    """Write a file.

    Raises:
        Error: it cannot be written.
    """
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise Error(
            _("file: cannot write {file}: {reason}.").format(
                file=path, reason=error.strerror or error
            ),
            "file",
        ) from None
