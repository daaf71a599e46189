"""DML_PADDING: elements around the input, filled in one of five modes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Error, Problem
from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Beyond, Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node, gathers
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Operator
from dmlviz.operators.checks import (
    agreeing_count,
    count_problem,
    desc_fields,
    whole_number,
    whole_numbers,
)
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.examples import Example
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support, at_least
from dmlviz.operators.feature_levels import feature_level as short_level
from dmlviz.operators.older import OlderForm
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.padding.code import PaddingCode
from dmlviz.operators.padding.folding import MODES
from dmlviz.operators.padding.newer import NEWER, read_newer, write_newer
from dmlviz.operators.padding.steps import padding_steps
from dmlviz.operators.padding.value import (
    padding_scalar,
    print_padding_value,
    read_padding_value,
    value_problems,
)
from dmlviz.operators.per_dimension import PerDimension
from dmlviz.operators.settings import Choice, Number, Setting
from dmlviz.tensors import DIMENSION_MAX, data_type_of, shown
from dmlviz.words import _

# there is no 16-bit Pad in ONNX Runtime's CPU provider, and FLOAT16 is cast
_CPU_TYPES = frozenset(
    {"FLOAT64", "FLOAT32", "INT64", "INT32", "INT8", "UINT64", "UINT32", "UINT8"}
)
# Reflection beyond size - 1 read unrelated memory before 1.25 and is refused since; wrap was
# wrong beyond twice the size before 1.31.
_SOUND_FROM = {"reflect": "1.25", "wrap": "1.31"}
_MODE_LEVELS = {"SYMMETRIC": "3_0", "WRAP": "6_4"}


@dataclass(frozen=True)
class Padding(OneTensor):
    """Put padding before and after each dimension, as ``DML_PADDING`` does.

    Args:
        padding_mode: ``"CONSTANT"``, ``"EDGE"``, ``"REFLECTION"``, ``"SYMMETRIC"`` (feature
            level 3_0) or ``"WRAP"`` (feature level 6_4; in DirectML's header, not on its page).
        start_padding: how many elements to add before each dimension, 0 or more.
        end_padding: how many elements to add after each dimension.
        padding_value: for CONSTANT; a FLOAT, so 16777217 becomes 16777216, and 10.6 in an
            integer tensor becomes 10.

    Output sizes are ``start_padding[i] + sizes[i] + end_padding[i]``.  Padding may be larger
    than the input: the mirrored modes then fold again.

    >>> Padding("REFLECTION", (0, 3), (0, 0)).output_sizes((2, 3))
    (2, 6)
    >>> print(Padding("CONSTANT", (1,), (1,), 9).explain((3,), (0,)))
    out[w] = in[w − 1]
    out[0] = in[0 − 1] = in[-1], and index -1 is outside 0 to 2 in dimension 0: \
it is the padding value 9; no input element is its source.
    Dimension 0: 1 before the start.
    """

    padding_mode: str
    start_padding: tuple[int, ...]
    end_padding: tuple[int, ...]
    padding_value: float = 0.0

    key: ClassVar[str] = "padding"
    place: ClassVar[int] = 40
    operator_type: ClassVar[str] = "DML_OPERATOR_PADDING"
    structure: ClassVar[str] = "DML_PADDING_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = (
        "PaddingMode",
        "PaddingValue",
        "DimensionCount",
        "StartPadding",
        "EndPadding",
    )
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4, 5), FLOATS),
        Support("2_1", (4, 5), SMALL),
        Support("3_1", ANY_RANK, SMALL),
        Support("5_0", ANY_RANK, ALL),
    )
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        OlderForm(*NEWER, read_newer, newer=True, write=write_newer),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "padding_mode", read_mode(self.padding_mode))
        for name in ("start_padding", "end_padding"):
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        object.__setattr__(self, "padding_value", read_padding_value(self.padding_value))

    @property
    def desc(self) -> dict[str, Any]:
        # -0.0 does not equal its integer bit for bit
        whole = self.padding_value.is_integer() and str(self.padding_value) != "-0.0"
        return {
            "PaddingMode": self.padding_mode,
            "PaddingValue": int(self.padding_value) if whole else self.padding_value,
            "StartPadding": list(self.start_padding),
            "EndPadding": list(self.end_padding),
        }

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        needed = ("PaddingMode", "StartPadding", "EndPadding")
        desc_fields(cls.structure, desc, needed, ("PaddingValue", "DimensionCount"))
        operator = cls(
            desc["PaddingMode"],
            desc["StartPadding"],
            desc["EndPadding"],
            desc.get("PaddingValue", 0.0),
        )
        arrays = {"StartPadding": operator.start_padding, "EndPadding": operator.end_padding}
        agreeing_count(cls.structure, desc, "DimensionCount", arrays)
        return operator

    @property
    def documented(self) -> dict[str, Any]:
        fields = {**self.desc, "PaddingMode": f"DML_PADDING_MODE_{self.padding_mode}"}
        if self.padding_mode != "CONSTANT":
            del fields["PaddingValue"]
        return fields

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Choice(
                "padding_mode",
                "PaddingMode",
                _("What fills the padding: one value, the edge, a mirror image, or the other end."),
                offered=lambda sizes: tuple(MODES),
                default="CONSTANT",
            ),
            Number(
                "padding_value",
                "PaddingValue",
                _("The value for CONSTANT, a FLOAT; integer types drop its fraction."),
                used=lambda settings: settings.get("padding_mode") == "CONSTANT",
            ),
            PerDimension(
                "start_padding",
                "StartPadding",
                _("How many elements to add before the first of each dimension."),
            ),
            PerDimension(
                "end_padding",
                "EndPadding",
                _("How many elements to add after the last of each dimension."),
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        rows = [[1, 2, 3, 4], [5, 6, 7, 8]] * 2
        x = np.array(rows, np.float32).reshape(1, 1, 4, 4)
        start, end = (0, 0, 1, 2), (0, 0, 3, 4)
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                cls(mode, start, end, 9.0 if mode == "CONSTANT" else 0.0),
                x,
                f"{cls.structure}, Example {number}",
            )
            for number, mode in enumerate(list(MODES)[:4], 1)
        )

    def alternative(self) -> Operator:
        other = {"REFLECTION": "SYMMETRIC", "SYMMETRIC": "REFLECTION", "CONSTANT": "EDGE"}
        return replace(self, padding_mode=other.get(self.padding_mode, "REFLECTION"))

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        problems = []
        if self.padding_mode not in MODES:
            message = _("padding_mode: {mode} is not one of {modes}.").format(
                mode=shown(self.padding_mode), modes=", ".join(MODES)
            )
            problems.append(Problem("padding_mode", message, "DML_PADDING_MODE"))
        for name, label in (("start_padding", "StartPadding"), ("end_padding", "EndPadding")):
            values = getattr(self, name)
            wrong_count = count_problem(name, values, len(sizes), self.structure, label)
            if wrong_count:
                problems.append(wrong_count)
                continue
            for d, value in enumerate(values):
                if not 0 <= value <= DIMENSION_MAX:
                    message = _(
                        "{field}: {value} in dimension {d} is invalid; padding must be a whole "
                        "number of 0 or more; it never crops."
                    ).format(field=name, value=shown(value), d=d)
                    problems.append(Problem(name, message, f"{self.structure}, {label}"))
        if data_type is not None and self.padding_mode == "CONSTANT":
            problems += value_problems(self.padding_value, data_type)
        return problems

    def level_rules(self, level: str) -> list[Problem]:
        needed = _MODE_LEVELS.get(self.padding_mode)
        if needed is None or at_least(short_level(level), needed):
            return []
        message = _(
            "padding_mode: {mode} is not available at feature level {level}; feature level "
            "{needed} and above accept it."
        ).format(mode=self.padding_mode, level=short_level(level), needed=needed)
        return [Problem("padding_mode", message, "DML_PADDING_MODE")]

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            s + n + e for s, n, e in zip(self.start_padding, sizes, self.end_padding, strict=True)
        )

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        parts = zip(self.start_padding, sizes, self.end_padding, strict=True)
        return tuple(f"{s} + {n} + {e} = {s + n + e}" if s or e else f"{n}" for s, n, e in parts)

    def apply(self, x: Array) -> Array:
        width = list(zip(self.start_padding, self.end_padding, strict=True))
        mode: Any = MODES[self.padding_mode].numpy
        if mode == "constant":
            value = self.padding(data_type_of(x.dtype))
            return np.pad(x, width, mode, constant_values=value)
        return np.pad(x, width, mode)

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        mode = MODES[self.padding_mode].onnx
        if not mode:
            return None
        pads = np.array(self.start_padding + self.end_padding, np.int64)
        value = self.padding(data_type)
        constants = [Constant("pads", pads)]
        if value is not None:
            constants.append(Constant("value", np.array(value)))
        beyond = mode in _SOUND_FROM and self._folds_beyond(sizes)
        return Graph(
            "native",
            (Node("Pad", (FLOW, *constants), {"mode": mode}),),
            19 if mode == "wrap" else 13,
            _CPU_TYPES,
            _SOUND_FROM[mode] if beyond else "",
        )

    def _folds_beyond(self, sizes: tuple[int, ...]) -> bool:
        """Whether ONNX's Pad would fold the whole axis."""
        pads = zip(self.start_padding, sizes, self.end_padding, strict=True)
        return any(max(s, e) > n - 1 or (max(s, e) > 0 and n == 1) for s, n, e in pads)

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        padded = [
            d
            for d, (start, end) in enumerate(zip(self.start_padding, self.end_padding, strict=True))
            if start or end
        ]
        if not padded:
            return Graph("lowered", (Node("Identity"),))
        if self.padding_mode == "CONSTANT":
            return Graph("lowered", tuple(self._blocks(sizes, data_type, padded)))
        source = self.formula(sizes).source
        places = [
            (d, np.array([source[d].evaluate([i] * len(sizes)) for i in range(out)]))
            for d, out in enumerate(self.sizes_after(sizes))
            if d in padded
        ]
        return Graph("lowered", gathers(places))

    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        value, written = self.padding(case.data_type), self.written(case.sizes, case.data_type)
        pads = (self.start_padding, self.end_padding)
        return PaddingCode(
            case, self.padding_mode, *pads, self.padding_value, value, written
        ).snippets()

    def _blocks(self, sizes: tuple[int, ...], data_type: str, padded: list[int]) -> Iterator[Node]:
        """One Concat per axis, with blocks of the padding value on both sides."""
        now = list(sizes)
        value = self.padding(data_type)
        for d in padded:
            sides = []
            for width in (self.start_padding[d], self.end_padding[d]):
                block = [*now[:d], width, *now[d + 1 :]]
                sides.append((Constant("padding", np.full(block, value)),) if width else ())
            yield Node("Concat", (*sides[0], FLOW, *sides[1]), {"axis": d})
            now[d] += self.start_padding[d] + self.end_padding[d]

    def on_indices(self) -> Operator:
        return replace(self, padding_value=-1.0)

    def padding(self, data_type: str) -> np.generic | None:
        if self.padding_mode != "CONSTANT":
            return None
        return padding_scalar(self.padding_value, data_type)

    def formula(self, sizes: Sequence[int]) -> Formula:
        mode = MODES[self.padding_mode]
        source = tuple(
            mode.source(index(d) - start, n) if start or end else index(d)
            for d, (start, n, end) in enumerate(
                zip(self.start_padding, sizes, self.end_padding, strict=True)
            )
        )
        missing = _("it is the padding value {value}; no input element is its source.").format(
            value=print_padding_value(self.padding_value)
        )
        return Formula(tuple(sizes), self.output_sizes(sizes), source, missing)

    def beyond(self, sizes: tuple[int, ...]) -> tuple[Beyond, ...]:
        mode = MODES[self.padding_mode]
        found = []
        for d, (start, n, end) in enumerate(
            zip(self.start_padding, sizes, self.end_padding, strict=True)
        ):
            if not start and not end:
                continue
            period = mode.period(n)
            if period:
                before = _("Dimension {d}: {distance} before the start, fold {fold} of {mode}.")
                behind = _("Dimension {d}: {distance} after the end, fold {fold} of {mode}.")
            else:
                before = _("Dimension {d}: {distance} before the start.")
                behind = _("Dimension {d}: {distance} after the end.")
            told = (
                text.replace("{d}", str(d)).replace("{mode}", self.padding_mode)
                for text in (before, behind)
            )
            found.append(Beyond(d, start, n, period, *told))
        return tuple(found)

    def steps(self, sizes: Sequence[int]) -> Steps:
        out = self.output_sizes(sizes)
        value = print_padding_value(self.padding_value)
        return padding_steps(MODES[self.padding_mode], tuple(sizes), out, self.start_padding, value)


def read_mode(mode: Any) -> str:
    """A mode's short name from its name, DirectML's full name, or its number.

    Raises:
        Error: it is neither a name nor a number.  An unknown one is kept, for ``problems``.
    """
    if isinstance(mode, str):
        name = mode.strip().upper().removeprefix("DML_PADDING_MODE_")
        return name if name in MODES else mode.strip()
    try:
        number = whole_number("padding_mode", mode)
    except Error:
        raise Error(
            _("padding_mode: {mode} is not one of {modes}.").format(
                mode=shown(mode), modes=", ".join(MODES)
            ),
            "padding_mode",
        ) from None
    return list(MODES)[number] if 0 <= number < len(MODES) else shown(number)
