"""The address of an explorer's state, made from an operator and an array.

The parameters are named as in Python and DirectML: ``/tile?sizes=2,3&
data_type=FLOAT32&values=count-1&repeats=1,3``.  :func:`dmlviz.states.read_link` reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from dmlviz.base.addresses import LANGUAGE, content_parameters, write_link
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, as_inputs
from dmlviz.operators import Operator
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states import (
    InputState,
    State,
    View,
    first_state,
    print_compact,
    read_parameters,
    settings_of,
    several_outputs,
    value_options,
)
from dmlviz.states.inputs import LINK_LIMIT, Tensors
from dmlviz.states.view import convert_view
from dmlviz.tensors import PICTURES, check_element_count, data_type_of, short_text
from dmlviz.tensors.types import Array


def too_many() -> str:
    """Why a view with own values has no address."""
    return _(
        "Your own values do not fit in an address, which holds at most {most:,}. You can "
        "share starting values and smaller tensors."
    ).format(most=LINK_LIMIT)


def link(operator: Operator | Trace, x: Any = None, **view: Any) -> str:
    """The address, relative to the app's root, that opens ``operator`` on ``x``.

    If ``x`` is exactly one of the page's starting values, the address names it; otherwise it
    contains the values themselves.

    Args:
        operator: with its settings; or a run, which has its tensors. One of ``dmlviz.code`` takes
            no view but ``compare``, another run of code, and ``lang``.
        x: the input, or a mapping of all inputs by DirectML's names; at most 4,096 elements
            together, or 65,536 if they are all starting values with a name; None if the operator
            has no inputs.
        view: any of

            * ``feature_level``, ``engine``: their names;
            * ``colors``: ``value``, ``channel``, ``position`` or ``picture``;
            * ``moves``: ``steps``, ``all`` or ``stages``; without it as a player begins;
            * ``step``: the number of completed steps;
            * ``pinned``: one index in the output, or several; if there can be several outputs,
              the number of the output comes before each index; those of ``compare`` come last;
            * ``directions``: for outer dimensions, ``{0: "across"}`` or ``{0: "down"}``;
            * ``compare``: a second operator of the same kind;
            * ``predict``: True to hide the output until the learner predicts it;
            * ``lang``: the language of the page, one that has a catalogue, such as ``ko``.

    Raises:
        TooLarge: ``x`` has more elements than an address can carry.
        Error: ``x`` is not a tensor, or a key or value of ``view`` is invalid.

    >>> import numpy as np
    >>> from dmlviz.operators import Tile
    >>> link(Tile((2,)), np.array([1, 2, 3], np.uint8), step=2)
    '/tile?sizes=3&data_type=UINT8&values=count-1&repeats=2&step=2'
    >>> link(Tile((2,)), np.array([7, 8], np.uint8))
    '/tile?sizes=2&data_type=UINT8&values=own&repeats=2&literal=7,8'
    """
    if isinstance(operator, Trace):
        trace = operator
        own_page = trace.parameters()
        if own_page is not None:
            return _code_link(trace.operator.key, own_page, x, view)
        operator, x = trace.operator, trace.inputs if x is None else x
    inputs = as_inputs(operator, x)
    own = {name: _typed(array) for name, array in inputs.items()}
    page = State(operator.key, Tensors(tuple(own.items())), settings_of(operator))
    for name, array in inputs.items():
        page = _named(page, name, array)
    page = _printed(page, inputs)
    spoken = view.pop(LANGUAGE, None)
    parameters = {**page.parameters(whole=True), **_view_parameters(view, page)}
    if spoken is not None:
        parameters[LANGUAGE] = str(spoken)
    # raises what is invalid here, with the sentence that the page would show
    for problem in read_parameters(operator.key, content_parameters(parameters)).problems:
        raise Error(problem.message, problem.field)
    return write_link(operator.key, parameters)


def _code_link(key: str, parameters: dict[str, str], x: Any, view: dict[str, Any]) -> str:
    spoken, second = view.pop(LANGUAGE, None), view.pop("compare", None)
    if second is not None:
        other = second.parameters() if isinstance(second, Trace) else None
        if other is None or "code" not in other:
            raise Error(
                _("compare: {value} is not a run of dmlviz.code.").format(value=short_text(second)),
                "compare",
            )
        parameters |= {"compare": other["code"], "b_library": other["library"]}
    for name in ("x",) if x is not None else tuple(view):
        raise Error(
            _("{name} is not part of a link to code; the code has its tensors.").format(
                name=short_text(name)
            ),
            name,
        )
    if spoken is not None:
        parameters[LANGUAGE] = str(spoken)
    return write_link(key, parameters)


def _typed(array: Array) -> InputState:
    return InputState(array.shape, data_type_of(array.dtype), "own")


def _named(page: State, name: str, array: Array) -> State:
    """The page with the name of the starting values that equal this input, if there are any."""
    if array.size <= STAGE_LIMIT:
        for candidate in _candidates(page, name):
            values = candidate.array(name)
            if values.dtype == array.dtype and values.tobytes() == array.tobytes():
                return candidate
    return page


def _candidates(page: State, name: str) -> Iterator[State]:
    """The page with each of an input's starting values of these sizes, plain ones first."""
    input_state = page.tensors[name]
    names = [option for option in value_options(page.cls, name) if option != "own"]
    for option in sorted(names, key=lambda option: option.startswith("example-")):
        if option == "picture":
            for picture in PICTURES:
                yield page.with_input(name, replace(input_state, values=option, picture=picture))
        elif (
            not option.startswith("example-")
            or first_state(page.key, option).tensors[name].sizes == input_state.sizes
        ):
            yield page.with_input(name, replace(input_state, values=option))


def _printed(page: State, inputs: Mapping[str, Array]) -> State:
    """The page with its own values written out, if they fit in an address."""
    own = {
        name: input_state
        for name, input_state in page.tensors.items()
        if input_state.values == "own"
    }
    total = 0
    for name, input_state in own.items():
        field = "x" if len(inputs) == 1 else name
        check_element_count(input_state.sizes, LINK_LIMIT - total, field)
        total += inputs[name].size
    for name, input_state in own.items():
        page = page.with_input(name, replace(input_state, literal=print_compact(inputs[name])))
    return page


def _view_parameters(view: Mapping[str, Any], state: State) -> dict[str, str]:
    names = [part.name for part in fields(View)]
    for name in view:
        if name not in names:
            raise Error(
                _("{name} is not part of a view; use {names}.").format(
                    name=short_text(name), names=", ".join([*names, LANGUAGE])
                ),
                name,
            )
    parts = {name: value for name, value in view.items() if value is not None}
    second = parts.pop("compare", None)
    parts = convert_view(parts)
    if second is not None:
        if getattr(second, "key", None) != state.key:
            raise Error(
                _("{name}: {value} is invalid here.").format(
                    name="compare", value=short_text(second)
                ),
                "compare",
            )
        parts["compare"] = settings_of(second)
    if "compare" in parts and "pinned" in parts and not several_outputs(state.cls):
        (sizes,) = state.operator().outputs_after(state.tensors.sizes).values()
        # an index in the first's output needs no number
        parts["pinned"] = tuple(
            (0, *index) if len(index) == len(sizes) else index for index in parts["pinned"]
        )
    return View(**parts).parameters(state.settings, several=several_outputs(state.cls))
