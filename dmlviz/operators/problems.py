"""Why an operator cannot run: the rules for all operators, then each operator's own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index as as_int
from typing import Any, overload

from dmlviz.base.errors import Error, Problem, Refused
from dmlviz.base.words import _
from dmlviz.movement import VALUES
from dmlviz.operators.checks import data_type_problems, output_problems, sizes_problems
from dmlviz.operators.declaration import Declaration
from dmlviz.operators.feature_levels import (
    Supported,
    at_least,
    feature_level,
    level_problems,
    print_ranks,
)
from dmlviz.tensors import data_type_of, print_sizes, short_text
from dmlviz.tensors.types import Array, Sizes


def types_ever(operator: Declaration | type[Declaration]) -> tuple[str, ...]:
    """The data types of moving elements that DirectML runs at its newest level."""
    return (*operator.support[-1].data_types, *operator.unlisted_types)


@dataclass(frozen=True)
class Checked(Declaration):
    """A description that says why it cannot run.

    A problem names the field, its value, the rule, and what documents the rule.
    """

    # ---- what each operator has

    @abstractmethod
    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        """Problems under the operator's own rules, for sizes that are valid in themselves."""

    @abstractmethod
    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        """The sizes of every output by name, for valid inputs."""

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        """Problems with the tensors' values, for tensors of valid sizes and types."""
        return []

    def level_rules(self, level: str) -> list[Problem]:
        """Problems with the settings at a feature level, in addition to the table's."""
        return []

    # ---- for all

    def problems(
        self,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] = (),
        data_type: str | Mapping[str, str] | None = None,
        feature_level: str | None = None,
    ) -> list[Problem]:
        """Why the operator cannot run on such inputs; empty if it can.

        Args:
            sizes: of the input, or of each input by DirectML's name; rank 1 to 8, each size 1 to
                4,294,967,295; nothing if there are no inputs.
            data_type: one of DirectML's 11 for the elements that move, or one for each input by
                name; None skips the check of types.
            feature_level: ``"5_0"`` or ``"DML_FEATURE_LEVEL_5_0"``; None checks only what
                DirectML itself refuses at its newest level.

        The rules are those of the operator's page at learn.microsoft.com and of DirectML 1.15.4.
        """
        try:
            named = self.named_inputs(sizes)
        except Error as error:
            return [Problem("sizes", str(error), f"{self.structure}")]
        types = self.named_types(named, data_type)
        problems = [
            p
            for n, input_sizes in named.items()
            for p in self._within(n, sizes_problems(input_sizes))
        ]
        for name, kind in types.items():
            problems += self._within(name, data_type_problems(kind))
        if problems:
            return problems
        checked = {
            name: tuple(as_int(n) for n in input_sizes) for name, input_sizes in named.items()
        }
        first = checked.get(self.first_input()) or self._outputs_alone()
        if len(first) not in self.ranks_ever():
            return [self._on_settings(self._wrong_rank(first))]
        problems = [*self._control_types(types), *self.inputs_problems(checked, types)]
        if not problems:
            outputs = self.outputs_after(checked)
            for out in outputs.values():
                problems += output_problems(out, self.structure)
            problems += self._contradictions(outputs)
        values = next((k for n, k in types.items() if self.role(n) == VALUES), None)
        if not self.input_slots:
            values = self.values_type({})
        problems += self._of_the_form(values)
        if feature_level is None:
            problems += self._never(values)
        else:
            supported = Supported(self.structure, self.support, self.unlisted_types)
            problems += level_problems(supported, self.described_rank(first), values, feature_level)
            problems += self._control_types(types, feature_level)
            problems += self.level_rules(feature_level)
        return [self._on_settings(problem) for problem in problems]

    def refusals(
        self, inputs: Mapping[str, Array], feature_level: str | None = None
    ) -> list[Problem]:
        """Why it cannot run on these tensors; empty if it can."""
        problems = self.problems(
            {name: array.shape for name, array in inputs.items()},
            {name: data_type_of(array.dtype) for name, array in inputs.items()},
            feature_level,
        )
        return problems or self.control_problems(inputs)

    @overload
    def output_sizes(self, sizes: Sequence[int] = ()) -> tuple[int, ...]: ...

    @overload
    def output_sizes(self, sizes: Mapping[str, Sequence[int]]) -> Any: ...

    def output_sizes(self, sizes: Sequence[int] | Mapping[str, Sequence[int]] = ()) -> Any:
        """The sizes of the output for inputs of ``sizes``; by name if there are several outputs.

        Args:
            sizes: of the input, or of each input by DirectML's name.

        Raises:
            Refused: the operator cannot take inputs of these sizes.
        """
        problems = self.problems(sizes, None)
        if problems:
            raise Refused(problems)
        named = self.named_inputs(sizes)
        checked = {
            name: tuple(as_int(n) for n in input_sizes) for name, input_sizes in named.items()
        }
        outputs = self.outputs_after(checked)
        if any(slot.most for slot in self.output_slots) or len(outputs) > 1:
            return outputs
        return next(iter(outputs.values()))

    def _wrong_rank(self, sizes: Sizes) -> Problem:
        """The problem with a first input of a rank that the operator never takes."""
        if self.buffers:
            words = _(
                "sizes: {sizes} has {rank} dimensions; memory has one, its elements in order."
            )
        else:
            words = _("sizes: {sizes} has {rank} dimensions; {operator} takes {ranks}.")
        message = words.format(
            sizes=print_sizes(sizes),
            rank=len(sizes),
            operator=self.structure.removesuffix("_OPERATOR_DESC"),
            ranks=print_ranks(self.ranks_ever()),
        )
        return Problem("sizes", message, f"{self.structure}, Tensor support")

    def _never(self, data_type: str | None) -> Iterator[Problem]:
        """The problem with a data type of the values that DirectML does not take at any level."""
        taken = types_ever(self)
        if data_type is None or data_type in taken:
            return
        message = _(
            "data_type: {data_type} is not supported; {operator} takes {data_types}."
        ).format(
            data_type=data_type,
            operator=self.structure.removesuffix("_OPERATOR_DESC"),
            data_types=", ".join(taken),
        )
        yield Problem("data_type", message, f"{self.structure}, Tensor support")

    def _of_the_form(self, data_type: str | None) -> Iterator[Problem]:
        """The problem with a data type that the structure of the operator's description has."""
        form = self.description.form
        if form is None or data_type is None or data_type not in types_ever(self):
            return
        if message := form.problem(data_type, self.structure):
            yield Problem("data_type", message, f"{form.structure}, Tensor support")

    def _contradictions(self, outputs: Mapping[str, Sequence[int]]) -> Iterator[Problem]:
        """Output sizes of the description that differ from those that the inputs make."""
        structure = (self.description.form or self).structure
        described = self.description.output_sizes
        for slot in self.output_slots:
            names = [
                [name for name in side if name.partition("[")[0] == slot.name]
                for side in (described, outputs)
            ]
            if names[0] and names[0] != names[1]:
                message = _("desc: {name} of {structure} has {count} tensors, not {due}.").format(
                    name=slot.name, structure=structure, count=len(names[0]), due=len(names[1])
                )
                yield Problem(slot.name, message, structure)
                return
        for name, sizes in described.items():
            slot_name = name.partition("[")[0]
            free = slot_name in self.free_tensors
            same = len(sizes) == len(outputs[name]) and all(
                a == b or (free and a == 0) for a, b in zip(sizes, outputs[name], strict=True)
            )
            if not same:
                message = _("desc: {name} of {structure} has Sizes {output}, not {due}.").format(
                    name=name,
                    structure=structure,
                    output=short_text(list(sizes)),
                    due=print_sizes(outputs[name]),
                )
                yield Problem(slot_name, message, structure)

    def _outputs_alone(self) -> Sizes:
        """The sizes of the first output of an operator without inputs."""
        return next(iter(self.outputs_after({}).values()))

    def _on_settings(self, problem: Problem) -> Problem:
        """A problem with sizes or a type, on the setting that an operator without inputs has."""
        attributes = {"sizes": "Sizes", "data_type": "DataType"}
        if self.input_slots or problem.field not in attributes:
            return problem
        ending = attributes[problem.field]
        names = (name for name, s in self.declared.items() if s.label.endswith(ending))
        return problem.renamed(next(names, problem.field))

    def described_rank(self, sizes: Sequence[int]) -> int:
        """How many dimensions DirectML sees, if the first input here has these sizes."""
        buffer = self.buffers.get(self.first_input())
        return len(sizes if buffer is None else buffer.sizes)

    def _control_types(
        self, types: Mapping[str, str], level: str | None = None
    ) -> Iterator[Problem]:
        """Problems with the data type of a tensor of indices, at any level or only at this one."""
        structure = self.structure
        own = {name: self.output_type(name, "") for name in self.index_slots()}
        for slot in (*self.input_slots, *self.output_slots):
            data_type = own.get(slot.name) or types.get(slot.name)
            if not slot.support or data_type is None:
                continue
            if level is None:
                taken = slot.data_types
                words = _(
                    "{name}: {data_type} is not supported; {operator} takes {data_types} there."
                )
            elif data_type in slot.data_types:
                usable = [row for row in slot.support if at_least(feature_level(level), row.level)]
                taken = usable[-1].data_types if usable else slot.data_types
                words = _(
                    "{name}: {data_type} is not accepted by {operator} at feature level {level}, "
                    "which takes {data_types} there."
                )
            else:
                # already reported without a level
                continue
            if data_type not in taken:
                message = words.format(
                    name=slot.name,
                    data_type=data_type,
                    operator=structure.removesuffix("_OPERATOR_DESC"),
                    data_types=", ".join(taken),
                    level=level,
                )
                yield Problem(slot.name, message, f"{structure}, Tensor support")

    def _within(self, name: str, problems: Iterable[Problem]) -> list[Problem]:
        """Fields of the first input are "sizes" etc., those of others "IndicesTensor.sizes" etc."""
        return [problem if self.is_first(name) else problem.within(name) for problem in problems]
