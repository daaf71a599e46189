"""A state of an explorer as a documentation example, which the reader reads back."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import run
from dmlviz.operators import Operator
from dmlviz.operators.older import OlderForm
from dmlviz.operators.slots import by_name
from dmlviz.tensors import print_tensor, print_value
from dmlviz.tensors.types import Array
from dmlviz.verify.naming import count_members


def write_example(
    operator: Operator,
    inputs: Any,
    outputs: Any,
    *,
    named: bool = True,
    form: OlderForm | None = None,
) -> str:
    """An example in the style of DirectML's pages.

    Args:
        operator: with its settings.
        inputs: the input, any of the 11 data types; where there may be several, all of them by
            DirectML's names.
        outputs: what an engine gave for them, likewise.
        named: whether the structure's name stands first, so that the text says by itself
            which operator it is about.
        form: the structure that the page is about, where it is not the operator's own.

    Raises:
        Error: a tensor is missing or unknown, or the form cannot do what the operator does here.

    >>> from dmlviz.operators import Tile
    >>> print(write_example(Tile((2,)), np.int8([7]), np.int8([7, 7]), named=False))
    RepeatsCount: 1
    Repeats: {2}
    <BLANKLINE>
    InputTensor: (Sizes:{1}, DataType:INT8)
    [7]
    <BLANKLINE>
    OutputTensor: (Sizes:{2}, DataType:INT8)
    [7, 7]
    """
    tensors = operator.named_inputs(inputs, "x") | by_name(operator.output_slots, outputs, "output")
    fields = _counts(operator, tensors) | operator.documented
    structure = operator.structure
    if form is not None:
        structure, fields = form.structure, _fields_of(form, operator, inputs, outputs)
        tensors = {name: array for name, array in tensors.items() if name not in form.without}
    parts = [structure] if named else []
    if fields:
        parts.append("\n".join(f"{name}: {_value(value)}" for name, value in fields.items()))
    for name, tensor in tensors.items():
        buffer = operator.buffers.get(name)
        parts.append(
            print_tensor(name, tensor, *((buffer.sizes, buffer.strides) if buffer else ()))
        )
    return "\n\n".join(parts)


def forms_of(operator: Operator, inputs: Any, outputs: Any) -> tuple[OlderForm, ...]:
    """DirectML's other structures that do the same here, for which there can be an example.

    >>> from dmlviz.operators import Slice
    >>> operator, x = Slice((1,), (2,), (1,)), np.int8([7, 8, 9])
    >>> [form.structure for form in forms_of(operator, x, x[1:])]
    ['DML_SLICE_OPERATOR_DESC']
    """
    forms = []
    for form in operator.older_forms:
        with suppress(Error):
            _fields_of(form, operator, inputs, outputs)
            forms.append(form)
    return tuple(forms)


def _fields_of(form: OlderForm, operator: Operator, inputs: Any, outputs: Any) -> dict[str, Any]:
    """The fields of another structure that moves the same elements to the same places.

    Raises:
        Error: there are none.
    """
    named_inputs = operator.named_inputs(inputs, "x")
    named_outputs = by_name(operator.output_slots, outputs, "output")
    fields = form.fields(operator, operator.values_type(named_inputs))
    other = type(operator)(**form.read(fields))
    if form.free_outputs:
        other = other.with_output_sizes(
            {name: array.shape for name, array in named_outputs.items()}
        )
    ours, theirs = run(operator, named_inputs), run(other, named_inputs)
    without = [named_inputs[name] for name in form.without if name in named_inputs]
    if any(map(np.any, without)) or not all(
        np.array_equal(ours.sources[name], theirs.sources.get(name, ()))
        and ours.outputs[name].tobytes() == theirs.outputs[name].tobytes()
        for name in ours.outputs
    ):
        raise Error(
            _("{structure} cannot do what {own} does here.").format(
                structure=form.structure, own=operator.structure
            ),
            "structure",
        )
    return fields


def _counts(operator: Operator, tensors: Mapping[str, Array]) -> dict[str, int]:
    """How many tensors the lists have."""
    return {
        count: sum(tensor.startswith(f"{name}[") for tensor in tensors)
        for name, count in count_members(type(operator)).items()
    }


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(map(print_value, value)) + "}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {print_value(v)}" for name, v in value.items()) + "}"
    return value if isinstance(value, str) else print_value(value)
