"""A state of the page for code: the text, the tensors that it takes, and how it is looked at."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping
from contextlib import suppress
from dataclasses import field, replace
from typing import ClassVar

import numpy as np

from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.code import (
    Chain,
    ChainTrace,
    CodeRefused,
    Comparison,
    ModelPart,
    compared,
    library_of,
    read,
    run_chain,
)
from dmlviz.code.address import DATA_TYPE, START, VALUES_LIMIT, code_parameters
from dmlviz.code.chain import OF_LIBRARY
from dmlviz.code.code_parts import CodePart, CodeParts, parts_of
from dmlviz.code.comparing import check_same_inputs
from dmlviz.code.inputs import (
    CodeInput,
    NothingFits,
    Suggestion,
    code_inputs,
    made_data_type,
    suggested,
)
from dmlviz.code.libraries import libraries_of, library_beside, read_as_another
from dmlviz.code.onnx import ONNX
from dmlviz.code.operator import operator_of
from dmlviz.code.running import element_type, other_library, with_indices
from dmlviz.movement import VALUES
from dmlviz.picture.scene import STAGE_LIMIT, Scene, scene
from dmlviz.picture.strip import STRIP_LIMIT, Strip, StripTensor
from dmlviz.states.inputs import (
    NO_TENSORS,
    HashableArrays,
    InputState,
    Tensors,
    arrays_of,
    hashable,
)
from dmlviz.states.page import PageState
from dmlviz.states.tensor_address import compact_values
from dmlviz.states.view import View
from dmlviz.tensors import (
    GO_ON,
    check_element_count,
    data_type,
    data_type_of,
    print_compact,
    start,
)
from dmlviz.tensors.sizes import READ_LIMIT
from dmlviz.tensors.types import Array, Sizes

CODE = "code"
"""The page's key."""

USUAL_SIZES = (2, 3)
"""The sizes of a tensor that the code does not say, where none fit."""


@dataclass(frozen=True)
class CodeState(PageState):
    """One state of the page for code.

    Attributes:
        code: the text.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`; empty to guess it.
        tensors: that the code takes, by name; one that only chooses elements has its own values as
            text.
        call: the call on the stage, from 1; 0 for all of them, from first to last.
        view: how it is looked at; :attr:`compare` has what it is compared with.
        compare: the text of the code to compare it with, called B, which takes the same tensors;
            empty if nothing is compared.
        compare_library: as ``library``, of B; what B does not say is read as A's library.
        middle: of a tensor that is too large to draw, the element of the output that the excerpt
            has in its middle; if there are several outputs, after the output's number. Empty for
            the first elements.
        kept: the parameters that a reader has set and that other code leaves as they are, such as
            ``library`` or ``x.sizes``; no address has them.
    """

    code: str
    library: str = ""
    tensors: Tensors = NO_TENSORS
    call: int = 0
    view: View = field(default_factory=View)
    compare: str = ""
    compare_library: str = ""
    kept: frozenset[str] = field(default=frozenset(), compare=False)
    middle: tuple[int, ...] = ()

    key: str = field(default=CODE, init=False)
    element_limit: ClassVar[int] = READ_LIMIT

    def with_view(self, view: View) -> CodeState:
        return replace(self, view=view)

    @property
    def reads_as(self) -> str:
        """The key of the library that the code is read as."""
        return self.library or library_of(self.code)

    @property
    def program(self) -> str:
        """The code, and B where it differs: equal in states that differ in values or in layout."""
        second = self.second()
        both = [(one.reads_as, one.code.split()) for one in (self, second) if one is not None]
        return repr(both[:1] if both[0] == both[-1] else both)

    def second(self) -> CodeState | None:
        """The code to compare it with, on the same tensors; None if there is none.

        A tensor that only chooses elements is left out if B does not use it.
        """
        if not self.compare:
            return None
        library = self.compare_library or library_beside(self.compare, self.reads_as)
        library = "" if library == library_of(self.compare) else library
        other = replace(self._without_second(), code=self.compare, library=library)
        with suppress(CodeRefused):
            names = {x.name for x in code_inputs(other.code, other.reads_as)}
            takes = {n: one for n, one in self.tensors.items() if n in names or not one.control}
            return replace(other, tensors=Tensors.of(takes))
        return other

    @property
    def compares(self) -> bool:
        return bool(self.compare)

    def values_of(self, name: str, limit: int) -> Array:
        """As of :class:`PageState`; a picture with three channels in the last dimension is drawn
        so.
        """
        tensor = self.tensors[name]
        if tensor.values == "picture" and _has_channels_last(tensor.sizes):
            *outer, height, width, channels = tensor.sizes
            check_element_count(tensor.sizes, limit, "sizes")
            return np.moveaxis(tensor.drawn((*outer, channels, height, width)), -3, -1).copy()
        return tensor.array(None, self.tensors.before(name), min(limit, STAGE_LIMIT))

    def chain(self) -> Chain:
        """What the code does to these tensors.

        Raises:
            CodeRefused: the code is not read.
            Error: as of :meth:`arrays`.
        """
        return _chain(self.code, self.reads_as, self._inputs())

    def trace(self) -> ChainTrace:
        """The engine's run of the whole code.

        Raises:
            CodeRefused, Error: as of :meth:`chain`.
            EngineUnavailable, EngineRefused: the engine cannot run here, or reported an error.
        """
        return _trace(self.code, self.reads_as, self._inputs(), self.view.engine)

    def _inputs(self, arrays: Mapping[str, Array] | None = None) -> _Inputs:
        """What the values of all tensors are made of: the values themselves, unless they are many.

        Args:
            arrays: the tensors, if they are made already.

        Raises:
            Error: as of :meth:`arrays`.
        """
        if sum(map(math.prod, self.tensors.sizes.values())) > STAGE_LIMIT:
            return self.tensors
        return hashable(self.arrays() if arrays is None else arrays)

    def around(self) -> CodeParts:
        """What of the code moves before and after the calls that compute; empty if none does."""
        chosen = {n: self.array(n) for n, tensor in self.tensors.items() if tensor.control}
        return _around(self.code, self.reads_as, tuple(self._sizes.items()), hashable(chosen))

    @property
    def _sizes(self) -> dict[str, Sizes]:
        """The sizes of the tensors, by name; numbers have none."""
        return {n: tensor.sizes for n, tensor in self.tensors.items() if not tensor.is_number}

    def scene(
        self, inputs: Mapping[str, Array] | None = None, pair: PageState | None = None
    ) -> Scene:
        """As of :class:`PageState`: a call, or all of them from first to last.

        Raises:
            CodeRefused, Error, EngineUnavailable, EngineRefused: as of :meth:`trace`.
        """
        arrays = None if inputs is None else {name: inputs[name] for name in self.tensors}
        beside = (pair if isinstance(pair, CodeState) else self)._index_tensors()
        return _picture(
            self.code,
            self.reads_as,
            self._inputs(arrays),
            self.view.engine,
            self.call,
            self.view.directions,
            self.tensors.full,
            None if beside is None else hashable(beside),
            self.excerpt_middle(),
        )

    def excerpt_middle(self) -> tuple[tuple[str, Sizes], ...]:
        """The element in the middle of an excerpt, by its output; empty for the first ones."""
        if not self.middle:
            return ()
        outputs = list(self.outputs().items())
        number, at = (self.middle[0], self.middle[1:]) if len(outputs) > 1 else (0, self.middle)
        name, sizes = outputs[number] if number < len(outputs) else ("", ())
        inside = len(at) == len(sizes) and all(i < n for i, n in zip(at, sizes, strict=True))
        return ((name, at),) if inside else ()

    @property
    def is_large(self) -> bool:
        """As of :class:`PageState`."""
        if sum(map(math.prod, self.tensors.sizes.values())) > STAGE_LIMIT:
            return True
        with suppress(Error):
            return sum(map(math.prod, self.outputs().values())) > STAGE_LIMIT
        return False

    def second_scene(self, inputs: Mapping[str, Array] | None = None) -> Scene | None:
        """As of :class:`PageState`.

        Raises:
            CodeRefused, Error, EngineUnavailable, EngineRefused: as of :meth:`trace`, for B; or
                the two do not move the same tensors.
        """
        second = self.second()
        if second is None:
            return None
        check_same_inputs(self.chain(), second.chain())
        return second.scene(inputs, self)

    def _index_tensors(self) -> Mapping[str, Array] | None:
        """The index tensors and masks of two codes that are compared, by name; empty for one code.

        They are None if the cells that choose an element together are not as far apart in both:
        these are marked by one rule.
        """
        second, both = self.second(), dict[str, Array]()
        with suppress(Error):
            chains = [] if second is None else [self.chain(), second.chain()]
            if chains:
                check_same_inputs(*chains)
            for chain in chains:
                both = dict(operator_of(chain, shows_indices=True, beside=both).choosing.tensors)
            each = [operator_of(one, shows_indices=True, beside=both).choosing for one in chains]
            if len({(one.length, one.apart) for one in each}) > 1:
                return None
        return both

    def comparison(self) -> Comparison | None:
        """Where the two codes differ; None if nothing is compared.

        Raises:
            CodeRefused, Error: as of :meth:`second_scene`.
        """
        second = self.second()
        return None if second is None else _comparison(self.chain(), second.chain())

    def inputs(self, limit: int | None = None) -> dict[str, Array]:
        """As of :class:`PageState`; of refused code, what it takes.

        Raises:
            Error, EngineUnavailable, EngineRefused: as of :meth:`trace`.
        """
        try:
            return dict(self.scene().trace.inputs)
        except CodeRefused:
            return self.arrays(limit)

    def controls(self) -> frozenset[str]:
        """As of :class:`PageState`: the weights of a call that computes, and the index tensors and
        masks on the stage.
        """
        with suppress(Error):
            trace = self.scene().trace
            return frozenset(name for name in trace.inputs if trace.roles[name] != VALUES)
        return frozenset()

    def problems(self) -> list[Problem]:
        """As of :class:`PageState`: why the code is refused, with the place in it."""
        try:
            self.outputs()
        except CodeRefused as refused:
            message = str(refused)
            if "library" in self.kept and refused.kind in OF_LIBRARY:
                chosen = {n: self.array(n) for n, x in self.tensors.items() if x.control}
                numbers = {n: int(x) for n, x in chosen.items() if not x.ndim}
                arrays = {n: x for n, x in chosen.items() if x.ndim}
                other = other_library(self.code, self._sizes, arrays, self.reads_as, numbers)
                message = read_as_another(message, other) if other else message
            return [Problem(CODE, message, "dmlviz", refused.place)]
        return []

    def second_problems(self) -> list[Problem]:
        """As of :class:`PageState`: B has a row of its own."""
        return [replace(problem, field="compare") for problem in super().second_problems()]

    def parameters(self, *, whole: bool = False) -> dict[str, str]:
        """As of :class:`PageState`: an address of code has all of it.

        Tensors that are the learner's own picture are written as a built-in one.
        """
        values, second = dict[str, str](), self.second()
        for name, tensor in self.tensors.items():
            if tensor.values == "own":
                with suppress(Error):
                    tensor = replace(tensor, literal=print_compact(self.array(name)))
            values[name] = compact_values(tensor, START)
        controls = {name: values.pop(name) for name in self.tensors.controls}
        kind = self.tensors.data_type or DATA_TYPE
        sizes = self.tensors.sizes
        parameters = {
            **code_parameters(self.code, self.reads_as, sizes, kind, values, controls),
            "call": str(self.call) if self.call else "",
            "middle": ",".join(map(str, self.middle)),
            "compare": self.compare,
            "b_library": "" if second is None else second.reads_as,
        }
        filled = {name: text for name, text in parameters.items() if text}
        return filled | self.view.parameters((), several=self.several)

    def outputs(self) -> dict[str, Sizes]:
        """As of :class:`PageState`: of the call on the stage, or of all calls.

        Raises:
            CodeRefused, Error: as of :meth:`chain`.
        """
        return dict(_outputs(self.code, self.reads_as, self._inputs(), self.call))

    def _without_second(self) -> CodeState:
        return replace(self, compare="", compare_library="")


def first_code() -> CodeState:
    """What a new page shows."""
    x = InputState((2, 12), DATA_TYPE, START)
    return CodeState("x.reshape(2, 3, 4).permute(0, 2, 1)", tensors=Tensors((("x", x),)))


def _has_channels_last(sizes: Sizes) -> bool:
    """Whether a picture of these sizes has three channels, in the last dimension."""
    return len(sizes) > 2 and sizes[-1] == 3 != sizes[-3] and min(sizes[-3:-1]) > 3


_Inputs = HashableArrays | Tensors


def _tensors(inputs: _Inputs) -> dict[str, Array]:
    if isinstance(inputs, Tensors):
        return CodeState("", tensors=inputs).arrays()
    return arrays_of(inputs)


@cached(megabytes=8.65, refusals=(CodeRefused,))
def _chain(code: str, library: str, inputs: _Inputs) -> Chain:
    every = _tensors(inputs)
    numbers = {name: int(x) for name, x in every.items() if not x.ndim}
    arrays = {name: x for name, x in every.items() if x.ndim}
    sizes = {name: x.shape for name, x in arrays.items()}
    return read(code, sizes, arrays, library, element_type(arrays), numbers)


@cached(megabytes=0.1, refusals=(CodeRefused,))
def _outputs(code: str, library: str, inputs: _Inputs, call: int) -> dict[str, Sizes]:
    """See :meth:`CodeState.outputs`; a large chain is kept nowhere."""
    chain = _chain(code, library, inputs)
    call = call_on_stage(chain, call)
    if 0 < call <= len(chain.operations):
        if call - 1 in chain.computing:
            return dict(operator_of(chain, str(call - 1)).outputs_after({}))
        return {name: chain.sizes[name] for name in chain.operations[call - 1].outputs}
    return {name: chain.maps[tensor].shape for name, tensor in chain.outputs.items()}


@cached(megabytes=0.5)
def _around(
    code: str, library: str, sizes: tuple[tuple[str, Sizes], ...], chosen: HashableArrays
) -> CodeParts:
    every = _tensors(chosen)
    numbers = {name: int(x) for name, x in every.items() if not x.ndim}
    arrays = {name: x for name, x in every.items() if x.ndim}
    return parts_of(code, dict(sizes), arrays, library, numbers)


def state_of_part(part: CodePart | ModelPart) -> CodeState | None:
    """A part of code or of a model as a state of its own; None if its indices fit in no address."""
    if sum(array.size for array in part.arrays.values()) > VALUES_LIMIT:
        return None
    tensors: list[tuple[str, InputState]] = []
    for name, sizes in part.tensors.items():
        if name in part.arrays:
            array = part.arrays[name]
            text = (
                ",".join(map(str, array.ravel().tolist()))
                if array.dtype == bool
                else print_compact(np.asarray(array, np.int64))
            )
            tensors.append((name, InputState(sizes, "", "own", text)))
        elif math.prod(sizes):
            tensors.append((name, InputState(sizes, DATA_TYPE, GO_ON if tensors else START)))
    library = part.library if isinstance(part, CodePart) else ONNX.key
    return CodeState(part.text, library, Tensors(tuple(tensors)), kept=frozenset({"library"}))


def _movements(first: Chain, second: Chain) -> Hashable:
    """What a comparison depends on: values that only move do not matter."""
    return tuple(
        (chain.text, chain.library, tuple(chain.inputs.items()), hashable(chain.arrays))
        for chain in (first, second)
    )


@cached(megabytes=0.1, key=_movements, words=False, heavy=True)
def _comparison(first: Chain, second: Chain) -> Comparison:
    return compared(first, second)


def _trace(code: str, library: str, inputs: _Inputs, engine: str) -> ChainTrace:
    return run_chain(_chain(code, library, inputs), _tensors(inputs), engine)


@cached(megabytes=7.9)
def _picture(
    code: str,
    library: str,
    inputs: _Inputs,
    engine: str,
    call: int,
    directions: tuple[tuple[int, str], ...],
    full: float | None,
    beside: HashableArrays | None,
    around: tuple[tuple[str, Sizes], ...],
) -> Scene:
    trace = _trace(code, library, inputs, engine)
    if not 0 <= call <= len(trace.chain.operations):
        raise no_call(str(call), trace.chain)
    call = call_on_stage(trace.chain, call)
    part = trace.steps[call - 1].trace if call else trace
    if beside is not None:
        part = with_indices(part, STAGE_LIMIT, _tensors(beside))
    # of a single call all tensors are on the stage
    strip = _strip(trace, call) if len(trace.chain.operations) > 1 else None
    return replace(scene(part, dict(directions), full, dict(around)), strip=strip)


def no_call(call: str, chain: Chain) -> Error:
    """The refusal of a number that no call of the code has."""
    count = len(chain.operations)
    message = _("call: there is no call {call}; the code has {count}.")
    return Error(message.format(call=call, count=count), "call")


def call_on_stage(chain: Chain, call: int) -> int:
    """The call on the stage, from 1; 0 for all of them, which are one movement if none computes.

    Args:
        chain: the code's.
        call: that is asked for; instead of all calls, the first that computes.
    """
    return call or next((number + 1 for number in chain.computing), 0)


def fitted(code: str, library: str, tensors: Tensors, fixed: Collection[str] = ()) -> Tensors:
    """The tensors that code takes: those that are there as far as it is read with them.

    Where sizes are missing or do not fit, they are those that the code says, or the first that fit,
    or, where none do, the first with which most lines are read; a tensor
    that the code uses as indices or as a mask gets such values.

    Args:
        code, library: as of :class:`CodeState`.
        tensors: that are there; those that the code does not take are left out.
        fixed: the names of those whose sizes stay, and of the numbers that do.
    """
    key = library or library_of(code)
    there = tensors
    try:
        inputs = code_inputs(code, key)
    except CodeRefused:
        return tensors
    names = [x.name for x in inputs]
    values = {x.name: x.values for x in inputs if x.values is not None}
    kinds = (made_data_type(inputs, key), *(g.data_type for g in there.values()))
    kind = next(filter(None, kinds), DATA_TYPE)
    said = {x.name: x.sizes for x in inputs if x.sizes is not None}
    kept_sizes = {
        n: g.sizes for n, g in there.items() if n in names and n in fixed and n not in said
    }
    if {*names} <= there.keys() and all(
        there[n] == with_values(values[n], kind) if n in values else there[n].sizes == of
        for n, of in said.items()
    ):
        state = CodeState(code, library, Tensors.of({name: there[name] for name in names}))
        if is_read(state):
            return state.tensors
    fits: dict[str, Suggestion] = {}
    farthest: NothingFits | None = None
    # the sizes that are there stay if the code is read with them
    all_there = {n: g.sizes for n, g in there.items() if n in names} | said
    numbers = {n: int(g.array(None, 0, 1)) for n, g in there.items() if g.is_number}
    kept_numbers = {n: number for n, number in numbers.items() if n in fixed}
    all_sets, kept_sets = (all_there, numbers), (kept_sizes, kept_numbers)
    for known, known_numbers in (all_sets, kept_sets) if all_sets != kept_sets else (kept_sets,):
        try:
            fits = fits or suggested(code, key, known, kind, known_numbers)
        except NothingFits as refused:
            if farthest is None or refused.line > farthest.line:
                farthest = refused
    made: dict[str, InputState] = {}
    for x in inputs:
        suggestion = fits.get(x.name)
        if not fits and farthest is not None and x.name not in fixed:
            number = farthest.numbers.get(x.name)
            chooses = None if number is None else np.array(number)
            suggestion = Suggestion(farthest.sizes[x.name], chooses)
        made[x.name] = _suggested(x, suggestion, there.get(x.name), kind, bool(made))
    return Tensors(tuple(made.items()))


def library_of_edited(
    code: str, before: str, tensors: Tensors = NO_TENSORS, fixed: Collection[str] = ()
) -> str:
    """The key of the library of code that has been edited.

    It is the one before where the code has no name that only one library has, unless the code is
    read only as another library for which it may be written. Code that computes is read around
    what computes.

    Args:
        code: as edited.
        before: the key of the library of the code before.
        tensors, fixed: as :func:`fitted` takes them.

    >>> library_of_edited("x.foo()", "torch"), library_of_edited("np.roll(x, 1)", "torch")
    ('torch', 'numpy')
    >>> library_of_edited("x.T", "torch"), library_of_edited("x.T", "onnx")
    ('torch', 'numpy')
    """
    key, around = library_beside(code, before), ""
    # each is a search for sizes, so only the likeliest are tried
    for one in dict.fromkeys((key, *libraries_of(code)[:2])):
        state = CodeState(code, one, fitted(code, one, tensors, fixed))
        if is_read(state):
            return one
        with suppress(Error):
            # with some sizes, one library moves nothing where another one does
            parts = state.around()
            if not around and parts.whole and parts.parts:
                around = one
        if not _may_be_of_another(state):
            break
    return around or key


def _may_be_of_another(state: CodeState) -> bool:
    """Whether code that is not read may be code of another library."""
    try:
        state.chain()
    except CodeRefused as refused:
        return refused.kind in (*OF_LIBRARY, "computes", "nothing")
    except Error:
        return False
    return True


def is_read(state: CodeState) -> bool:
    """Whether the code is read, and each tensor moves or chooses as its values say."""
    try:
        chain = state.chain()
    except Error:
        return False
    chosen = chain.controls.keys() | chain.numbers.keys()
    return all((name in chosen) == tensor.control for name, tensor in state.tensors.items())


def _suggested(
    x: CodeInput, suggestion: Suggestion | None, before: InputState | None, kind: str, further: bool
) -> InputState:
    """A tensor as suggested, with the values that were there if they still fit."""
    if suggestion is None:
        sizes = x.sizes or (before.sizes if before else USUAL_SIZES)
    else:
        sizes = suggestion.sizes
    if suggestion is not None and suggestion.chooses is not None:
        if before is not None and before.control and before.sizes == sizes and sizes:
            return before
        return InputState(sizes, "", "own", print_compact(suggestion.chooses))
    if x.values is not None and x.values.dtype != bool and x.sizes == sizes:
        return with_values(x.values, kind)
    if before is not None and not before.control and before.values != "own":
        return replace(before, sizes=sizes, data_type=kind)
    if before is not None and before.sizes == sizes and before.data_type in ("", kind):
        return before
    multiplies = suggestion is not None and suggestion.multiplies
    return InputState(sizes, kind, GO_ON if further and not multiplies else START)


def with_values(values: Array, kind: str) -> InputState:
    """A tensor of the values that code makes, by their name if they are counted.

    Args:
        values: of any sizes and data type.
        kind: the data type of the tensor.
    """
    sizes = tuple(int(n) for n in values.shape)
    for name in ("count-1", "count-0"):
        if math.prod(sizes) <= READ_LIMIT and np.array_equal(start(name, sizes, kind), values):
            return InputState(sizes, kind, name)
    with np.errstate(all="ignore"):
        cast = values.astype(data_type(kind).dtype)
    if np.array_equal(cast, values) and values.size <= VALUES_LIMIT:
        return InputState(sizes, data_type_of(cast.dtype), "own", print_compact(cast))
    return InputState(sizes, kind, START)


def _strip(trace: ChainTrace, call: int) -> Strip:
    """All tensors of a chain, with one of its calls on the stage.

    Args:
        trace: of the whole chain.
        call: its number from 1; 0 for all calls.
    """
    chain = trace.chain
    computed = {name: chain.called(name) for name in chain.computing.values()}
    made = [name for operation in chain.operations for name in operation.outputs]
    cells = sum(chain.maps[name].size for name in (*chain.taken, *made))

    def numbers(name: str) -> Array | None:
        return chain.maps[name].ravel() if cells <= STRIP_LIMIT else None

    tensors = [StripTensor(n, of, 0, "", numbers(n)) for n, of in chain.taken.items()]
    for number, operation in enumerate(chain.operations, 1):
        tensors += [
            StripTensor(
                computed.get(name, name),
                chain.maps[name].shape,
                number,
                operation.text,
                numbers(name),
            )
            for name in operation.outputs
        ]
    if cells > STRIP_LIMIT:
        nothing = np.zeros(0, np.int64)
        return Strip(tuple(tensors), call, nothing, nothing, nothing, not chain.computing)
    inputs, outputs = tuple(chain.inputs), tuple(chain.outputs.values())
    if call:
        inputs, outputs = chain.operations[call - 1].inputs, chain.operations[call - 1].outputs
    before = [chain.maps[name].ravel() for name in inputs]
    after = [chain.maps[name].ravel() for name in outputs]
    if call - 1 in chain.computing:
        windows = trace.window_numbers(chain.computing[call - 1])
        before, after = before[:1], [windows.ravel(), *after]
    return Strip(
        tuple(tensors),
        call,
        np.concatenate(before),
        np.concatenate(after),
        np.concatenate([x.ravel() for x in trace.inputs.values()]),
        not chain.computing,
    )
