"""DML_UNFOLD: a window slides over the input, and each of its positions becomes a column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.expressions import Expr, const, index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator
from dmlviz.operators.checks import agreeing_count, count_problem, desc_fields, whole_numbers
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.feature_levels import NO_DOUBLE, Support
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.settings import Setting, Sizes
from dmlviz.operators.slots import Slot
from dmlviz.operators.unfold.code import unfold_snippets
from dmlviz.operators.unfold.kinds import Apart, Window, Zeros
from dmlviz.operators.unfold.slides import LEADING, Slide, flattened, interleaved, taken
from dmlviz.operators.unfold.steps import unfold_steps
from dmlviz.tensors import DATA_TYPES, DIMENSION_MAX, MAX_RANK, shown
from dmlviz.words import _

# batch, row (channel and place in the window), position of the window
_LETTERS = ("n", "r", "p")


@dataclass(frozen=True)
class Unfold(OneTensor):
    """Make a column of each position of a sliding window, as ``DML_UNFOLD_OPERATOR_DESC`` does.

    All five have a number for each spatial dimension: for each but the first two, which are
    batch and channel.

    Args:
        window_sizes: how many places the window covers, 1 or more.
        strides: from one window to the next, 1 or more.
        dilations: from one place of a window to the next, 1 or more.
        start_padding: how many zeros come before the first element.
        end_padding: how many zeros come after the last one.

    Whatever the input's rank, the output has three dimensions: batch, channel and place in the
    window, window. The rows of channel 0 come first.

    >>> Unfold((3, 3), (1, 1), (1, 1), (0, 0), (0, 0)).output_sizes((1, 2, 5, 5))
    (1, 18, 9)
    >>> Unfold((2,), (1,), (2,), (0,), (1,)).apply(np.array([[[1, 2, 3]]])).tolist()
    [[[1, 2], [3, 0]]]
    """

    window_sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    start_padding: tuple[int, ...]
    end_padding: tuple[int, ...]

    key: ClassVar[str] = "unfold"
    place: ClassVar[int] = 90
    operator_type: ClassVar[str] = "DML_OPERATOR_UNFOLD"
    structure: ClassVar[str] = "DML_UNFOLD_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = (
        "DimensionCount",
        "WindowSizes",
        "Strides",
        "Dilations",
        "StartPadding",
        "EndPadding",
    )
    # the page omits the types; DirectML 1.15.4 runs these
    support: ClassVar[tuple[Support, ...]] = (Support("6_4", tuple(range(3, 9)), NO_DOUBLE),)
    output_slots: ClassVar[tuple[Slot, ...]] = (
        Slot("OutputTensor", support=(Support("6_4", (3,), NO_DOUBLE),)),
    )
    first_index: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for setting in self.parameters():
            numbers = whole_numbers(setting.name, getattr(self, setting.name))
            object.__setattr__(self, setting.name, numbers)

    @property
    def desc(self) -> dict[str, Any]:
        return {setting.label: list(getattr(self, setting.name)) for setting in self.parameters()}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        count, *arrays = cls.members
        desc_fields(cls.structure, desc, arrays, (count,))
        operator = cls(*(desc[name] for name in arrays))
        numbers = {name: tuple(found) for name, found in operator.desc.items()}
        agreeing_count(cls.structure, desc, count, numbers)
        return operator

    @property
    def documented(self) -> dict[str, Any]:
        return {"DimensionCount": len(self.window_sizes), **self.desc}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Window(
                "window_sizes",
                "WindowSizes",
                _("How many places the window covers: a number for dimension 2 and each after it."),
                least=1,
                usual=1,
                skip=LEADING,
            ),
            Apart(
                "strides",
                "Strides",
                _("From one window to the next: 1 means that it moves on by one element."),
                least=1,
                skip=LEADING,
            ),
            Apart(
                "dilations",
                "Dilations",
                _("From one place of a window to the next: 2 leaves one element out between them."),
                least=1,
                skip=LEADING,
            ),
            Zeros(
                "start_padding",
                "StartPadding",
                _("How many zeros to add before the first element."),
                skip=LEADING,
            ),
            Zeros(
                "end_padding",
                "EndPadding",
                _("How many zeros to add after the last element."),
                skip=LEADING,
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(25, dtype=np.float32).reshape(1, 1, 5, 5)
        ones = (1, 1)
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                cls((3, 3), ones, ones, pads, pads),
                x,
                f"{cls.structure}, Example {number}",
            )
            for number, pads in enumerate(((0, 0), (1, 0)), 1)
        )

    def alternative(self) -> Operator:
        # windows side by side, or one after every element
        ones = (1,) * len(self.strides)
        apart = tuple(max(1, window) for window in self.window_sizes)
        return replace(self, strides=ones if self.strides == apart else apart)

    def padding(self, data_type: str) -> np.generic | None:
        zero: np.generic = DATA_TYPES[data_type].dtype.type(0)
        return zero

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        counted = (
            count_problem(
                setting.name,
                getattr(self, setting.name),
                len(sizes),
                self.structure,
                setting.label,
                LEADING,
            )
            for setting in self.parameters()
        )
        wrong = [problem for problem in counted if problem] or list(self._impossible())
        return wrong or list(self._too_wide(sizes))

    def _impossible(self) -> Iterator[Problem]:
        """Numbers that are invalid for every dimension."""
        for setting in self.parameters():
            least = 0 if isinstance(setting, Zeros) else 1
            for d, number in enumerate(getattr(self, setting.name), LEADING):
                if not least <= number <= DIMENSION_MAX:
                    message = _(
                        "{field}: {number} in dimension {d} is invalid; it must be a whole "
                        "number from {least} to {most}."
                    ).format(
                        field=setting.name,
                        number=shown(number),
                        d=d,
                        least=least,
                        most=f"{DIMENSION_MAX:,}",
                    )
                    yield Problem(setting.name, message, f"{self.structure}, {setting.label}")

    def _too_wide(self, sizes: tuple[int, ...]) -> Iterator[Problem]:
        """Dimensions in which not even one window fits."""
        for d, slide in enumerate(self.slides(sizes), LEADING):
            if slide.extent > slide.padded:
                message = _(
                    "window_sizes: {window} in dimension {d} is invalid; with dilation "
                    "{dilation} the window reaches over 1 + {dilation} · ({window} − 1) = "
                    "{extent} places, and there are {start} + {size} + {end} = {padded}."
                ).format(
                    window=shown(slide.window),
                    d=d,
                    dilation=shown(slide.dilation),
                    extent=shown(slide.extent),
                    start=shown(slide.start),
                    size=slide.size,
                    end=shown(slide.end),
                    padded=shown(slide.padded),
                )
                yield Problem("window_sizes", message, f"{self.structure}, WindowSizes")

    def slides(self, sizes: Sequence[int]) -> tuple[Slide, ...]:
        """How the window moves along each spatial dimension."""
        numbers = (getattr(self, setting.name) for setting in self.parameters())
        return tuple(Slide(*each) for each in zip(sizes[LEADING:], *numbers, strict=True))

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        slides = self.slides(sizes)
        rows = sizes[1] * math.prod(slide.window for slide in slides)
        return (sizes[0], rows, math.prod(slide.count for slide in slides))

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        slides = self.slides(sizes)
        batch, rows, windows = self.sizes_after(tuple(sizes))
        factors = " · ".join(str(n) for n in (sizes[1], *self.window_sizes))
        counted = [
            f"(({slide.start} + {slide.size} + {slide.end} − {slide.extent}) div {slide.stride}"
            " + 1)"
            for slide in slides
        ]
        return (
            f"{batch}",
            f"{factors} = {rows}",
            f"{' · '.join(counted)} = {windows}",
        )

    def apply(self, x: Array) -> Array:
        slides = self.slides(x.shape)
        return flattened(taken(x, slides), slides)

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        return None

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        slides = self.slides(sizes)
        shape = Node("Reshape", (FLOW, _numbers("shape", self.sizes_after(sizes))))
        if LEADING + 2 * len(slides) > MAX_RANK:
            return Graph("lowered", (*_flat_nodes(sizes, slides, data_type), shape))
        nodes: list[Node] = []
        flow = list(sizes)
        # two dimensions for one, those that shrink first: so no tensor in between is much larger
        # than both the input and the output; from the last on, so that those before stay
        order = sorted(
            range(len(slides)),
            key=lambda k: slides[k].window * slides[k].count > slides[k].size,
        )
        for number, k in enumerate(order):
            slide = slides[k]
            d = LEADING + k + sum(other < k for other in order[:number])
            places = slide.places
            outside = (places < 0) | (places >= slide.size)
            if outside.any():
                # a 0 follows all elements, for places outside
                slab = [1 if e == d else n for e, n in enumerate(flow)]
                zeros = np.zeros(slab, DATA_TYPES[data_type].dtype)
                nodes.append(Node("Concat", (FLOW, Constant("zeros", zeros)), {"axis": d}))
            at = np.where(outside, slide.size, places).astype(np.int32)
            nodes.append(Node("Gather", (FLOW, Constant("indices", at)), {"axis": d}))
            flow[d : d + 1] = at.shape
        turned = Node("Transpose", (FLOW,), {"perm": list(interleaved(len(slides)))})
        return Graph("lowered", (*nodes, turned, shape))

    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        return unfold_snippets(case, self.slides(case.sizes), self.documented)

    def formula(self, sizes: Sequence[int]) -> Formula:
        slides = self.slides(sizes)
        row, window = index(1), index(2)
        places = math.prod(slide.window for slide in slides)
        source = [index(0), row // places if sizes[1] > 1 else const(0)]
        tap = row % places if sizes[1] > 1 else row
        for d, slide in enumerate(slides):
            later = slides[d + 1 :]
            k = _digit(tap, [s.window for s in later], slide.window, first=d == 0)
            block = _digit(window, [s.count for s in later], slide.count, first=d == 0)
            source.append(block * slide.stride + k * slide.dilation - slide.start)
        missing = _("it is 0, and no input element is its source.")
        out = self.output_sizes(sizes)
        return Formula(tuple(sizes), out, tuple(source), missing, letters=_LETTERS)

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return super().letters(sizes) | {self.output_slots[0].name: _LETTERS}

    def steps(self, sizes: Sequence[int]) -> Steps:
        return unfold_steps(self.output_sizes(sizes), self.slides(sizes))


def _numbers(name: str, numbers: Sequence[int]) -> Constant:
    return Constant(name, np.array(numbers, np.int64))


def _flat_nodes(sizes: Sizes, slides: Sequence[Slide], data_type: str) -> Iterator[Node]:
    """The nodes for more spatial dimensions than two each fit in a tensor: all of them as one."""
    count, spatial = math.prod(sizes[:LEADING]), sizes[LEADING:]
    yield Node("Reshape", (FLOW, _numbers("rows", (count, math.prod(spatial)))))
    # a 0 follows all elements, for places outside
    zeros = np.zeros((count, 1), DATA_TYPES[data_type].dtype)
    yield Node("Concat", (FLOW, Constant("zeros", zeros)), {"axis": 1})
    numbered = np.arange(1, 1 + math.prod(spatial), dtype=np.int32).reshape((1, 1, *spatial))
    places = flattened(taken(numbered, slides), slides)[0] - 1
    at = np.where(places < 0, math.prod(spatial), places).astype(np.int32)
    yield Node("Gather", (FLOW, Constant("indices", at)), {"axis": 1})


def _digit(number: Expr, later: Sequence[int], size: int, first: bool) -> Expr:
    """One of several indices that a number combines; the last index counts fastest."""
    if size == 1:
        return const(0)
    found = number // math.prod(later)
    # there is nothing to subtract for the first one
    return found if first else found % size
