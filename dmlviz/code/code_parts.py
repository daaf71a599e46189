"""The parts of code around the calls that compute: each a chain of its own, proved as any other."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.base.budget import BudgetSpent, budget
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Place
from dmlviz.base.words import _
from dmlviz.code.boundaries import FACTORS, BoundaryReader
from dmlviz.code.chain import Chain, read
from dmlviz.code.computed_sizes import computes
from dmlviz.code.libraries import libraries_of, tensors_of
from dmlviz.code.memory import ELEMENTS
from dmlviz.code.onnx import ONNX
from dmlviz.code.open_names import open_names
from dmlviz.code.part_text import WRITERS, Unwritten, Writer, tensors_in
from dmlviz.code.reading import read_statements
from dmlviz.code.refusals import CodeRefused, UseDecides, reading
from dmlviz.code.running import ChainTrace, PartOfCode, run_part
from dmlviz.code.source import MODEL, parsed
from dmlviz.code.tensor import Tensor
from dmlviz.code.undefined import check_written
from dmlviz.tensors import print_sizes
from dmlviz.tensors.types import Array, Sizes, Tensors

TRIES = 12
"""The limit of sizes of unknown layers that are tried."""

PART_LIMIT = 64
"""The limit of parts of one code."""

PARTS = {"items": 131_072, "expressions": 12_000, "elements": 1 << 23}
"""What finding the parts of one text may cost, as of :data:`dmlviz.code.refusals.READING`."""

OPEN_NUMBER = 2
"""What a number is that the code leaves open."""


@dataclass(frozen=True, eq=False, repr=False)
class CodePart(PartOfCode):
    """Calls of code that only move elements, between those that compute.

    Attributes:
        text: the calls, as code of their own.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        tensors: the sizes of what the code takes.
        arrays: the values of those that choose elements.
        calls: the calls as the whole code has them.
        places: where these are.
        computed: for each input that a call computes, the text of that call.
        input_sizes, output_sizes: of the tensors that move, by their names in :attr:`text`.
    """

    text: str
    library: str
    tensors: Mapping[str, Sizes]
    arrays: Tensors
    calls: tuple[str, ...]
    places: tuple[Place, ...]
    computed: Mapping[str, str]
    input_sizes: Mapping[str, Sizes]
    output_sizes: Mapping[str, Sizes]

    @property
    def chain(self) -> Chain:
        """What the calls do; it is read anew each time."""
        return read(self.text, self.tensors, self.arrays, self.library)

    def run(self, values: Tensors | None = None, engine: str = "numpy") -> ChainTrace:
        """Run the part.

        Args:
            values: of its inputs, by name; those that are missing count from 1.
            engine: the name of an engine that is available here.

        Raises:
            Error: as :func:`dmlviz.code.run_chain`.
        """
        return run_part(self.chain, values, engine)


@dataclass(frozen=True)
class Computing:
    """A call that computes, between the parts of code.

    Attributes:
        name: such as ``@``, ``softmax`` or ``self.qkv``.
        text: that part of the code.
        place: where that is.
        takes: the sizes of the tensors that it computes from.
        gives: those of the tensors that it computes.
        sizes_follow: whether the code and the call's rule say them; otherwise they are the first
            with which the code after it is read, and can be given by their names.
    """

    name: str
    text: str
    place: Place
    takes: tuple[Sizes, ...]
    gives: Mapping[str, Sizes]
    sizes_follow: bool


@dataclass(frozen=True, eq=False)
class CodeParts:
    """Code whose calls compute and move.

    Attributes:
        parts: what moves, in the order of the code.
        computing: the calls that compute, in order.
        whole: whether all of the code is read.
        controls: the names of the inputs that choose elements.
    """

    parts: tuple[CodePart, ...]
    computing: tuple[Computing, ...]
    whole: bool
    controls: frozenset[str]


NO_PARTS = CodeParts((), (), False, frozenset())


def parts_of(
    text: str,
    sizes: Mapping[str, Sizes],
    arrays: Mapping[str, Array] | None = None,
    library: str | None = None,
    numbers: Mapping[str, int] | None = None,
    *,
    decides: bool = True,
) -> CodeParts:
    """The parts of code that only move elements, between those calls that compute.

    Args:
        text: at most 4,000 characters of Python.
        sizes: of each tensor that it takes, by name; a name that is not taken is that of a tensor
            which a call computes.
        arrays: the values of those that choose elements.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`; None to guess it.
        numbers: of names that the code leaves open.
        decides: whether a name that is left open is a number where its use needs one.

    Returns:
        No parts if no call computes, or the code is no Python.

    Raises:
        UseDecides: a name that is left open is used, and ``decides`` is off.
    """
    try:
        with budget(**PARTS):
            return _best_parts(text, sizes, arrays or {}, library, numbers or {}, decides)
    except BudgetSpent:
        return NO_PARTS


def _best_parts(
    text: str,
    sizes: Mapping[str, Sizes],
    arrays: Mapping[str, Array],
    library: str | None,
    numbers: Mapping[str, int],
    decides: bool,
) -> CodeParts:
    """The parts of the first library as whose code all of it is read, or most of it."""
    best = NO_PARTS
    for key in libraries_of(text) if library is None else (library,):
        try:
            made = _Parts(text, sizes, arrays, key, dict(numbers), decides).made()
        except UseDecides:
            raise
        except CodeRefused:
            continue
        if made.whole:
            return made
        best = best if len(best.computing) >= len(made.computing) else made
    return best


def computes_in(text: str) -> bool:
    """Whether code names a call that computes, or calls what it does not define."""
    try:
        tree, _source = parsed(text)
    except CodeRefused:
        return False
    own = {part.name for part in ast.walk(tree) if isinstance(part, ast.FunctionDef)}
    for part in ast.walk(tree):
        match part:
            case ast.MatMult():
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr=name)) if computes(
                name
            ) or (of == MODEL and name not in own):
                return True
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if computes(name):
                return True
    return False


def computing_lines(computing: Sequence[Computing]) -> list[str]:
    """What the calls compute that are no part, one sentence each."""
    lines = []
    for each in computing:
        sides = (each.takes, each.gives.values())
        taken, gives = (", ".join(map(print_sizes, side)) for side in sides)
        message = _("Line {line}: {name} computes {given} from {taken}.")
        if not each.sizes_follow:
            message = _(
                "Line {line}: {name} computes from {taken}; the code does not say the sizes of "
                "what it gives, and {given} fits."
            )
        lines.append(
            message.format(line=each.place.line, name=each.name, given=gives, taken=taken or "-")
        )
    return lines


class _Parts:
    """The readings of one code."""

    def __init__(
        self,
        text: str,
        sizes: Mapping[str, Sizes],
        arrays: Mapping[str, Array],
        library: str,
        numbers: dict[str, int],
        decides: bool,
    ) -> None:
        self.text, self.arrays, self.decides = text, arrays, decides
        self.tree, self.source = parsed(text)
        self.library = library
        names = open_names(self.tree)
        opened = [one.name for one in names]
        self.sizes = {n: of for n, of in sizes.items() if n in opened} if opened else dict(sizes)
        self.between = {name: of for name, of in sizes.items() if name not in self.sizes}
        usual = {one.name: one.number for one in names if one.number is not None}
        usual |= {one.name: OPEN_NUMBER for one in names if one.is_number and one.number is None}
        self.numbers = {n: x for n, x in usual.items() if n not in self.sizes} | numbers
        self.undecided = {*opened} - self.sizes.keys() - self.numbers.keys()
        self.fixed: dict[int, Sizes] = {}
        self.whole = False

    def made(self) -> CodeParts:
        """The parts, with the sizes that were given for what calls compute."""
        reader = self._read()
        names = _names(reader)
        if self.between and reader.boundaries:
            self.fixed = {
                number: self.between[names[x.name]]
                for number, each in enumerate(reader.boundaries)
                for x in each.gives
                if names[x.name] in self.between
            }
            reader = self._read()
        return self._parts(reader)

    def _read(self) -> BoundaryReader:
        """The reading that comes farthest, of some sizes of unknown layers."""
        choices: list[int] = []
        best: BoundaryReader | None = None
        for _try in range(TRIES):
            reader, refused = self._tried(choices)
            self.whole = refused is None
            if best is None or refused is None or len(reader.calls) > len(best.calls):
                best = reader
            choices = [*choices, *[0] * reader.guesses][: reader.guesses]
            # the last layer whose sizes can be others
            while choices and choices[-1] == len(FACTORS) - 1:
                choices.pop()
            if refused is None or refused.kind not in ("sizes", "argument") or not choices:
                break
            choices[-1] += 1
        assert best is not None
        return best

    def _tried(self, choices: Sequence[int]) -> tuple[BoundaryReader, CodeRefused | None]:
        """One reading, and why it does not come to the end."""
        while True:
            key = tensors_of(self.library, self.text).key
            reader = BoundaryReader(self.source, key, ELEMENTS, self.fixed, choices)
            try:
                with reading():
                    read_statements(
                        reader,
                        self.tree,
                        self.sizes,
                        self.arrays,
                        self.library,
                        self.numbers,
                        self.undecided,
                    )
            except UseDecides as use:
                if not self.decides:
                    raise
                if not use.is_number or not {*use.names} & self.undecided:
                    return reader, use
                self.undecided -= {*use.names}
                self.numbers |= dict.fromkeys(use.names, OPEN_NUMBER)
            except CodeRefused as refused:
                return reader, refused
            else:
                return reader, None

    def _parts(self, reader: BoundaryReader) -> CodeParts:
        names = _names(reader)
        computing = tuple(
            Computing(
                each.name,
                each.text,
                each.place,
                tuple(x.sizes for x in each.takes),
                MappingProxyType({names[x.name]: x.sizes for x in each.gives}),
                each.has_sizes,
            )
            for each in reader.boundaries
        )
        if not computing:
            return NO_PARTS
        texts = {names[x.name]: each.text for each in reader.boundaries for x in each.gives}
        made = (self._part(reader, numbers, names, texts) for numbers in _components(reader))
        parts = [part for part in made if part is not None]
        controls = frozenset(reader.builder.controls)
        return CodeParts(tuple(parts[:PART_LIMIT]), computing, self.whole, controls)

    def _part(
        self,
        reader: BoundaryReader,
        numbers: Sequence[int],
        names: Mapping[str, str],
        texts: Mapping[str, str],
    ) -> CodePart | None:
        """Calls as a part; None if nothing takes what they give."""
        outputs = _outputs(reader, numbers)
        if not outputs:
            return None
        try:
            check_written(reader.builder, outputs)
        except CodeRefused:
            return None
        for writer, is_onnx in WRITERS:
            part = self._written(reader, numbers, outputs, names, texts, writer, is_onnx)
            if part is not None:
                return part
        return None

    def _written(
        self,
        reader: BoundaryReader,
        numbers: Sequence[int],
        outputs: Sequence[Tensor],
        names: Mapping[str, str],
        texts: Mapping[str, str],
        writer: Writer,
        is_onnx: bool,
    ) -> CodePart | None:
        """A part as one way of writing has it; None if that does not give the same."""
        key = ONNX.key if is_onnx else self.library
        try:
            text, written = writer(reader, numbers, outputs, names)
            chain = read(text, written.sizes, written.arrays, key)
        except (CodeRefused, Unwritten):
            return None
        due = [np.asarray(tensor.array) for tensor in outputs]
        if not _is_same(chain, written.inputs, due, reader.builder.constants):
            return None
        return CodePart(
            text,
            key,
            MappingProxyType(written.sizes),
            MappingProxyType(written.arrays),
            tuple(reader.calls[k].text for k in numbers),
            tuple(reader.calls[k].place for k in numbers),
            MappingProxyType({name: texts[name] for name in written.inputs if name in texts}),
            MappingProxyType(dict(chain.inputs)),
            MappingProxyType({name: chain.sizes[of] for name, of in chain.outputs.items()}),
        )


def _names(reader: BoundaryReader) -> dict[str, str]:
    """The names of inputs and of what is computed, by the builder's: the code's, or a new one."""
    names = {tensor.name: name for name, tensor in reader.builder.inputs.items()}
    taken = {*names.values(), *reader.tensor_names.values()}
    for each in reader.boundaries:
        for tensor in each.gives:
            own = reader.tensor_names.get(tensor.name, "")
            if not own or own in names.values():
                numbered = (f"{own or 'y'}{k}" for k in range(1, len(taken) + 2))
                own = next(one for one in numbered if one not in taken)
            taken.add(own)
            names[tensor.name] = own
    return names


def _components(reader: BoundaryReader) -> list[list[int]]:
    """The numbers of the calls that move and are connected by a tensor that one of them gives."""
    builder = reader.builder
    sources = {x.name for x in builder.inputs.values()} | builder.constants.keys()
    sources |= {x.name for each in reader.boundaries for x in each.gives}
    group: dict[str, str] = {}

    def first(name: str) -> str:
        while group.setdefault(name, name) != name:
            name = group[name]
        return name

    for made in builder.nodes:
        linked = [item for item in made.node.inputs if isinstance(item, str)]
        linked = [name for name in linked if name not in sources] + [*made.node.outputs]
        for name in linked:
            group[first(name)] = first(linked[0])
    # the nodes of one call stay together
    owners: dict[int, str] = {}
    for made in builder.nodes:
        name = made.node.outputs[0]
        group[first(name)] = first(owners.setdefault(made.call, name))
    parts: dict[str, list[int]] = {}
    for number, call in enumerate(reader.calls):
        own = [x.name for x in call.tensors if x.name not in sources]
        if own:
            parts.setdefault(first(own[0]), []).append(number)
    return list(parts.values())


def _outputs(reader: BoundaryReader, numbers: Sequence[int]) -> list[Tensor]:
    """What calls give that a boundary takes, or the code, or no call."""
    builder = reader.builder
    own = dict.fromkeys(numbers)
    made = {x.name: x for k in numbers for x in reader.calls[k].tensors}
    inner = {name for each in builder.nodes if each.call in own for name in each.node.outputs}
    taken = {
        item
        for each in builder.nodes
        for item in each.node.inputs
        if isinstance(item, str) and item in inner
    }
    wanted = {x.name for each in reader.boundaries for x in each.takes}
    wanted |= {x.name for x in tensors_in(reader.result if reader.result is not None else ())}
    outputs = [x for name, x in made.items() if name in inner and name in wanted]
    return outputs or [x for name, x in made.items() if name in inner and name not in taken]


def _is_same(
    chain: Chain,
    inputs: Mapping[str, Tensor],
    due: Sequence[Array],
    constants: Mapping[str, Array],
) -> bool:
    """Whether a part read alone gives each element what the whole code gives it."""
    if [chain.sizes[of] for of in chain.outputs.values()] != [x.shape for x in due]:
        return False
    if chain.inputs.keys() - inputs.keys():
        return False
    lines = [inputs[name].array.ravel() for name in chain.inputs]
    line = np.concatenate(lines) if lines else np.zeros(0, np.int64)
    table = _constants(constants)
    for tensor, array in zip(chain.outputs.values(), due, strict=True):
        numbers = chain.maps[tensor]
        moved = numbers >= 0
        if (moved != (array >= 0)).any() or (line[numbers[moved]] != array[moved]).any():
            return False
        own = _constants(chain.constants)[-1 - numbers[~moved]]
        if any(a != b for a, b in zip(own, table[-1 - array[~moved]], strict=True)):
            return False
    return True


def _constants(constants: Mapping[str, Array]) -> Any:
    """The values of all constants in the order of their numbers."""
    values = [np.asarray(x).ravel().astype(object) for x in constants.values()]
    return np.concatenate(values) if values else np.zeros(0, object)
