"""What every operator says about itself; everything else in the project asks only this."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import index as as_int
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Error, Problem, Refused
from dmlviz.operators.checks import data_type_problems, output_problems, sizes_problems
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.expressions import Expr, names_of
from dmlviz.operators.feature_levels import level_problems, print_ranks, ranks_ever
from dmlviz.operators.graphs import Graph
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate, Misreading, distinct
from dmlviz.operators.parameters import Parameter
from dmlviz.tensors import check_element_count, element_count, print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Draw = Callable[[tuple[int, ...]], Array]
"""Something that fills a tensor of given sizes with a picture."""


@dataclass(frozen=True)
class Step:
    """One move: a named group of output elements that land together."""

    title: str
    caption: str


@dataclass(frozen=True)
class Steps:
    """An operator's moves over one input.

    Attributes:
        steps: titles and captions, in playing order.
        step_of: for each output element, flat, the number of its step; int32.
        via: for each output element, flat, the output element (landed in an earlier step)
            that it is seen to come from, or -1 where it comes straight from its source; int64.
    """

    steps: tuple[Step, ...]
    step_of: Array
    via: Array


@dataclass(frozen=True)
class Formula:
    """Where an output element comes from, as one expression per input dimension.

    Attributes:
        sizes: of the input.
        output_sizes: of the output.
        source: expressions over the output indices.
        missing: what the element holds where the source lies outside the input, in words.
    """

    sizes: tuple[int, ...]
    output_sizes: tuple[int, ...]
    source: tuple[Expr, ...]
    missing: str = ""

    def symbolic(self) -> str:
        """``out[n, c, h, w] = in[...]`` in letters."""
        names = names_of(len(self.sizes))
        inner = ", ".join(e.show(names) for e in self.source)
        return f"out[{', '.join(names)}] = in[{inner}]"

    def numbers(self, index: Sequence[int]) -> str:
        """The same with one element's numbers put in, worked out to the end."""
        shown = [str(i) for i in index]
        left = f"out[{', '.join(shown)}]"
        inner = ", ".join(e.show(shown) for e in self.source)
        found = [e.evaluate(index) for e in self.source]
        worked = ", ".join(str(i) for i in found)
        text = f"{left} = in[{inner}]"
        if inner != worked:
            text += f" = in[{worked}]"
        if self.locate(index) is None:
            outside = next(
                d for d, (i, n) in enumerate(zip(found, self.sizes, strict=True)) if not 0 <= i < n
            )
            return outside_words().format(
                text=text,
                i=found[outside],
                last=self.sizes[outside] - 1,
                d=outside,
                missing=self.missing,
            )
        return text

    def locate(self, index: Sequence[int]) -> tuple[int, ...] | None:
        """The input element that the output element at ``index`` is a copy of, if there is one."""
        found = tuple(e.evaluate(index) for e in self.source)
        inside = all(0 <= i < n for i, n in zip(found, self.sizes, strict=True))
        return found if inside else None


def outside_words() -> str:
    """How to say that a source would lie outside the input."""
    return _("{text}, and index {i} is outside 0 to {last} in dimension {d}: {missing}")


@dataclass(frozen=True)
class Beyond:
    """How to say that an element lies beyond the input along one dimension.

    Attributes:
        dimension: which.
        start, size: elements ``start`` to ``start + size - 1`` of the output are inside.
        period: how many places one fold has; 0 where nothing folds.
        before, behind: sentences with ``{distance}``, and with ``{fold}`` where the mode folds.
    """

    dimension: int
    start: int
    size: int
    period: int
    before: str
    behind: str

    def sentence(self, index: int) -> str:
        """What to say of the element at ``index``; empty where it is inside."""
        distance = max(self.start - index, index - self.start - self.size + 1)
        if distance <= 0:
            return ""
        side = self.before if index < self.start else self.behind
        fold = (distance - 1) // self.period + 1 if self.period else 0
        return side.format(distance=distance, fold=fold)


@dataclass(frozen=True)
class Stage:
    """The tensor between two parts of the NumPy rule.

    Attributes:
        title, caption: what this part does.
        sizes: of the tensor after it.
        order: for each of its elements, flat, the flat index of the input element; int64.
    """

    title: str
    caption: str
    sizes: tuple[int, ...]
    order: Array


@dataclass(frozen=True)
class Example:
    """A documentation example: an operator, its input, and where it is printed."""

    title: str
    operator: Operator
    x: Array
    source: str


@dataclass(frozen=True)
class Operator(ABC):
    """A frozen description of what to do, with DirectML's field names.

    A new operator is one subclass in one file; pages, engines, stage and tests take
    everything from the members below.
    """

    key: ClassVar[str]
    """Its address in the app and its name on the command line, such as ``depth-to-space``."""
    operator_type: ClassVar[str]
    """DirectML's ``DML_OPERATOR_TYPE``."""
    structure: ClassVar[str]
    """DirectML's ``..._OPERATOR_DESC``."""
    members: ClassVar[tuple[str, ...]]
    """The structure's members beside its tensors, as DirectML.h orders them."""

    @property
    @abstractmethod
    def desc(self) -> dict[str, Any]:
        """DirectML's own fields; :func:`operator_from_desc` reads it back."""

    @classmethod
    @abstractmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        """The operator that DirectML's fields describe.

        Raises:
            Error: a field is missing, unknown or not of its type.
        """

    @property
    @abstractmethod
    def documented(self) -> dict[str, Any]:
        """The fields that a documentation example gives, in its order and spelling."""

    @classmethod
    @abstractmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Its settings, as the page offers them."""

    @classmethod
    @abstractmethod
    def examples(cls) -> tuple[Example, ...]:
        """The examples of DirectML's documentation, the page's first state foremost."""

    @abstractmethod
    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        """What the operator's own rules refuse, the sizes being possible ones."""

    @abstractmethod
    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The output's sizes where nothing is refused."""

    @abstractmethod
    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """How each of the output's sizes is worked out, such as ``2 · 3 = 6``."""

    @abstractmethod
    def apply(self, x: Array) -> Array:
        """The rule in NumPy's idiom, on an input that nothing refuses."""

    @abstractmethod
    def steps(self, sizes: Sequence[int]) -> Steps:
        """The moves in which the stage shows it."""

    @abstractmethod
    def formula(self, sizes: Sequence[int]) -> Formula:
        """The index formula for an input of these sizes."""

    @abstractmethod
    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        """The operator as ONNX models write it; None where ONNX has no such operator or mode."""

    @abstractmethod
    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        """The same in ONNX's plainest operators, exact for every type and bit."""

    @abstractmethod
    def snippets(self, sizes: tuple[int, ...], data_type: str) -> tuple[Snippet, ...]:
        """Code of the same operation, one piece per dialect of ``code.base.DIALECTS``.

        Raises:
            Refused: the operator cannot take an input of these sizes and this type.
        """

    @abstractmethod
    def misread(self, x: Array) -> Iterable[Candidate]:
        """Wrong outputs that people believe in, for a tensor of indices that nothing refuses."""

    def misreadings(self, sizes: Sequence[int]) -> tuple[Misreading, ...]:
        """How people misread this for an input of these sizes; only what differs from the truth.

        Raises:
            Refused: the operator cannot take an input of these sizes.
            TooLarge: input or output has more than 65,536 elements; nothing was allocated.
        """
        out = self.output_sizes(sizes)
        check_element_count(sizes, MISREADING_LIMIT, "sizes")
        check_element_count(out, MISREADING_LIMIT, "output_sizes")
        x = np.arange(element_count(sizes), dtype=np.int64).reshape(tuple(sizes))
        return distinct(self.on_indices().apply(x), self.misread(x))

    def case(self, sizes: Sequence[int], data_type: str) -> Case:
        """What code in any dialect has to be told of the tensors.

        Raises:
            Refused: as :meth:`snippets` does; so only checked numbers reach code.
        """
        found = self.problems(sizes, data_type)
        if found:
            raise Refused(found)
        checked = tuple(as_int(n) for n in sizes)
        out = self.sizes_after(checked)
        return Case(self.structure, self.operator_type, checked, out, data_type)

    def level_rules(self, level: str) -> list[Problem]:
        """What a feature level refuses in the settings themselves, beyond the table."""
        return []

    def on_indices(self) -> Operator:
        """The operator to run on a tensor of indices: padding values become -1."""
        return self

    def alternative(self) -> Operator:
        """The same with one setting changed: the one that people mix up with this."""
        return self

    def padding(self, data_type: str) -> np.generic | None:
        """The value of elements without a source, in the tensor's type; None if there are none."""
        return None

    def picture_input(self, sizes: tuple[int, ...], draw: Draw) -> Array:
        """An input of ``sizes`` in which a picture is best seen to move."""
        return draw(sizes)

    def problems(
        self, sizes: Sequence[int], data_type: str | None, feature_level: str | None = None
    ) -> list[Problem]:
        """Why the operator cannot run on such an input; empty where it can.

        Args:
            sizes: of the input, rank 1 to 8, each 1 to 4,294,967,295.
            data_type: one of DirectML's 11, or None to leave the type unchecked.
            feature_level: ``"5_0"`` or ``"DML_FEATURE_LEVEL_5_0"``; None asks only what
                DirectML itself refuses at its newest level.

        The rules are those of the operator's page at learn.microsoft.com and of DirectML 1.15.4.
        """
        found = sizes_problems(sizes) + data_type_problems(data_type)
        if found:
            return found
        checked = tuple(as_int(n) for n in sizes)
        ranks = ranks_ever(self.structure)
        if len(checked) not in ranks:
            message = _("sizes: {sizes} has {rank} dimensions; {operator} takes {ranks}.").format(
                sizes=print_sizes(checked),
                rank=len(checked),
                operator=self.structure.removesuffix("_OPERATOR_DESC"),
                ranks=print_ranks(ranks),
            )
            return [Problem("sizes", message, f"{self.structure}, Tensor support")]
        found = self.rule_problems(checked, data_type)
        if not found:
            found = output_problems(self.sizes_after(checked), self.structure)
        if feature_level is not None:
            found += level_problems(self.structure, len(checked), data_type, feature_level)
            found += self.level_rules(feature_level)
        return found

    def output_sizes(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """The sizes of the output for an input of ``sizes``.

        Raises:
            Refused: the operator cannot take an input of these sizes.
        """
        found = self.problems(sizes, None)
        if found:
            raise Refused(found)
        return self.sizes_after(tuple(as_int(n) for n in sizes))

    def explain(self, sizes: Sequence[int], index: Sequence[int]) -> str:
        """Where the output element at ``index`` comes from: the rule, then its own numbers.

        Raises:
            Refused: the operator cannot take an input of these sizes.
            Error: there is no output element at ``index``.
        """
        out = self.output_sizes(sizes)
        at = tuple(as_int(i) for i in index)
        if len(at) != len(out) or not all(0 <= i < n for i, n in zip(at, out, strict=True)):
            raise Error(
                _("index: {index} is not an element of an output of sizes {sizes}.").format(
                    index=list(at), sizes=print_sizes(out)
                ),
                "index",
            )
        formula = self.formula(sizes)
        lines = [formula.symbolic(), formula.numbers(at), *self.remarks(tuple(sizes), at)]
        return "\n".join(lines)

    def beyond(self, sizes: tuple[int, ...]) -> tuple[Beyond, ...]:
        """What can be said of elements that lie beyond the input, per dimension."""
        return ()

    def remarks(self, sizes: tuple[int, ...], index: tuple[int, ...]) -> list[str]:
        """Sentences that belong to one element, after its formula."""
        sentences = [rule.sentence(index[rule.dimension]) for rule in self.beyond(sizes)]
        return [sentence for sentence in sentences if sentence]

    def stages(self, sizes: Sequence[int]) -> tuple[Stage, ...]:
        """The parts of the NumPy rule, where it has several that are worth seeing."""
        return ()

    @property
    def settings(self) -> dict[str, Any]:
        """The Python names and their values."""
        return {f.name: getattr(self, f.name) for f in fields(self)}
