"""The input tensors of a page: sizes, data types, and values by name or as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from itertools import takewhile

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, TooLarge
from dmlviz.base.words import _, locale
from dmlviz.movement import VALUES
from dmlviz.operators import Example, Operator
from dmlviz.operators.slots import Slot
from dmlviz.tensors import (
    DATA_TYPES,
    GO_ON,
    MAX_RANK,
    OWN,
    PICTURES,
    STARTING_VALUES,
    OwnPicture,
    check_element_count,
    data_type,
    data_type_of,
    draw,
    element_count,
    own_picture_full,
    print_compact,
    print_sizes,
    read_literal,
    start,
)
from dmlviz.tensors.types import Array, Sizes

_COUNTS = ("count-0", "count-1")


def check_typed_count(count: int, sizes: Sizes) -> None:
    """Refuse own values that are too few or too many for a tensor.

    Raises:
        Error: ``sizes`` need another number of them; the field is ``values``.
    """
    if count != element_count(sizes):
        raise Error(
            _("values: you typed {count} numbers; sizes {sizes} need {need}.").format(
                count=count, sizes=print_sizes(sizes), need=element_count(sizes)
            ),
            "values",
        )


@dataclass(frozen=True)
class InputState:
    """One input tensor from a page or a link.

    Attributes:
        sizes: 1 to 8 of them; none of a number that code leaves open.
        data_type: one of the eleven; of a further ``values`` input that of the first.
        values: the name of starting values, ``example-0`` and on, or ``own``.
        literal: own values one after the other, as :func:`print_compact` writes them.
        seed: for ``random``.
        picture: for ``picture``, its name, or ``own``.
        own_picture: for ``own``; it is never in an address.
        control: whether it only chooses elements, as indices or as a mask, and none of its own
            moves; one of code has no data type.
    """

    sizes: Sizes
    data_type: str
    values: str
    literal: str = ""
    seed: int = 0
    picture: str = ""
    own_picture: OwnPicture | None = field(default=None, repr=False)
    control: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "control", self.control or not self.data_type)

    def array(self, example: Array | None, before: int, limit: int) -> Array:
        """The tensor itself, its number of elements being one that is allowed.

        Args:
            example: the tensor in the documentation's example of that name, if there is one.
            before: how many elements the ``values`` inputs before it have.
            limit: the limit of numbers in own values.

        Raises:
            Error: the values do not fit the sizes or the data type.
        """
        if self.values == "own":
            return self._typed_values(limit)
        if example is not None:
            if example.shape != self.sizes:
                raise Error(
                    _("values: the documentation's example has sizes {due}, not {sizes}.").format(
                        due=print_sizes(example.shape), sizes=print_sizes(self.sizes)
                    ),
                    "values",
                )
            return example.astype(data_type(self.data_type).dtype)
        if self.values == GO_ON:
            count = element_count(self.sizes)
            line = start("count-1", (before + count,), self.data_type)
            return line[before:].reshape(self.sizes)
        if self.values == "picture":
            return self.drawn(self.sizes)
        return start(self.values, self.sizes, self.data_type, seed=self.seed)

    @property
    def is_number(self) -> bool:
        """Whether it is a number that code leaves open, and no tensor."""
        return self.control and not self.sizes

    @property
    def is_own_picture(self) -> bool:
        """Whether its values are the learner's own picture, which is here."""
        return (self.values, self.picture) == ("picture", OWN) and self.own_picture is not None

    def with_own_picture(self, picture: OwnPicture) -> InputState:
        """The same tensor with the learner's own picture in it."""
        own = replace(self, values="picture", picture=OWN, literal="", seed=0)
        return replace(own, own_picture=picture)

    def drawn(self, sizes: Sizes) -> Array:
        """The picture in its data type and these sizes, which need not be the tensor's.

        Raises:
            Error: it is the learner's own, which is not here, or the data type cannot hold it.
        """
        if self.picture != OWN:
            return draw(self.picture or next(iter(PICTURES)), sizes, self.data_type)
        if self.own_picture is None:
            raise Error(_("values: choose your picture first."), "values")
        return self.own_picture.draw(sizes, self.data_type)

    def _typed_values(self, limit: int) -> Array:
        if not self.data_type:
            values = _chosen_elements(self.literal, limit)
            check_typed_count(values.size, self.sizes)
            return values.reshape(self.sizes)
        literal = read_literal(self.literal, self.data_type, limit=limit)
        check_typed_count(literal.values.size, self.sizes)
        if literal.data_type != self.data_type:
            raise Error(
                _("values: the text says {theirs}, but the chosen data type is {ours}.").format(
                    theirs=literal.data_type, ours=self.data_type
                ),
                "values",
            )
        return literal.values.reshape(self.sizes)


_LONGEST_MASK = 100_000
"""How many characters are searched for words."""


def _chosen_elements(text: str, limit: int) -> Array:
    """Indices or a mask from text in any common notation: ``[[0, 2], [1, 1]]``, ``True, False``.

    Returns:
        INT64, or bool where each element is ``True`` or ``False``.

    Raises:
        Error: it is neither.
    """
    words = re.findall(r"[A-Za-z]+", text[:_LONGEST_MASK])
    mask = bool(words) and {*words} <= {"True", "False"}
    numbers = text.replace("True", "1").replace("False", "0") if mask else text
    values: Array = read_literal(numbers, "INT64", limit).values
    return values.astype(bool) if mask else values


@dataclass(frozen=True)
class Tensors(Mapping[str, InputState]):
    """The inputs of a page by name, in their order; all whose elements move have one data type.

    >>> x = InputState((2, 3), "INT8", "count-1")
    >>> tensors = Tensors.of({"x": x, "i": InputState((2,), "", "own", "1,0")})
    >>> tensors.sizes, tensors.controls, tensors.data_type
    ({'x': (2, 3), 'i': (2,)}, frozenset({'i'}), 'INT8')
    """

    named: tuple[tuple[str, InputState], ...] = ()

    @classmethod
    def of(cls, tensors: Mapping[str, InputState], kind: str = "") -> Tensors:
        """Those of a mapping.

        Args:
            tensors: by name.
            kind: the data type of those whose elements move; empty for that of the first of them.
        """
        kind = kind or next((one.data_type for one in tensors.values() if not one.control), "")
        return cls(
            tuple(
                (name, one if one.control else replace(one, data_type=kind))
                for name, one in tensors.items()
            )
        )

    def __getitem__(self, name: str) -> InputState:
        return dict(self.named)[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _tensor in self.named)

    def __len__(self) -> int:
        return len(self.named)

    def with_tensor(self, name: str, tensor: InputState) -> Tensors:
        """The same with another input of that name, the last one if there was none.

        If its elements move, its data type is that of all whose elements move.
        """
        return self.of({**self, name: tensor}, "" if tensor.control else tensor.data_type)

    def with_own_picture(self, name: str, picture: OwnPicture) -> Tensors:
        """The same with the learner's own picture in an input, and in those that had another."""
        return self.of(
            {
                n: one.with_own_picture(picture) if n == name or one.is_own_picture else one
                for n, one in self.named
            }
        )

    @property
    def sizes(self) -> dict[str, Sizes]:
        """The sizes of every input."""
        return {name: one.sizes for name, one in self.named}

    @property
    def data_type(self) -> str:
        """That of the inputs whose elements move; empty if there are none."""
        return next((one.data_type for _name, one in self.named if not one.control), "")

    @property
    def controls(self) -> frozenset[str]:
        """The names of the inputs that only choose elements."""
        return frozenset(name for name, one in self.named if one.control)

    @property
    def full(self) -> float | None:
        """The value of full brightness where an input is the learner's own picture, else None."""
        own = [one.data_type for _name, one in self.named if one.is_own_picture]
        return own_picture_full(own[0]) if own else None

    @property
    def fits_address(self) -> bool:
        """Whether an address holds the own values of all inputs."""
        own = (one.sizes for _name, one in self.named if one.values == "own")
        return sum(map(element_count, own)) <= LINK_LIMIT

    def before(self, name: str) -> int:
        """How many elements that move the inputs before one have."""
        earlier = takewhile(lambda each: each[0] != name, self.named)
        return sum(element_count(one.sizes) for _name, one in earlier if not one.control)


NO_TENSORS = Tensors()


def slot_of(cls: type[Operator], name: str) -> Slot:
    """The slot that an input of that name belongs to."""
    return next(slot for slot in cls.input_slots if slot.name == name.partition("[")[0])


def list_slot(cls: type[Operator]) -> Slot | None:
    """The slot that holds a list of tensors, if there is one."""
    return next((slot for slot in cls.input_slots if slot.most), None)


def several_outputs(cls: type[Operator]) -> bool:
    """Whether there can be several outputs, identified by number or name."""
    return len(cls.output_slots) > 1 or cls.output_slots[0].most > 0


def input_names(cls: type[Operator], count: int) -> tuple[str, ...]:
    """The names of all inputs, the list among them having ``count`` tensors."""
    return tuple(name for slot in cls.input_slots for name in slot.names(count))


def types_of(cls: type[Operator], name: str) -> tuple[str, ...]:
    """The data types that a control tensor may have, the usual one first."""
    return slot_of(cls, name).data_types or tuple(DATA_TYPES)


def examples_of(cls: type[Operator]) -> Sequence[Example]:
    """The documentation's examples, with titles in the reader's language, made once for each."""
    return _examples(cls, locale())


@cache
def _examples(cls: type[Operator], _locale: str) -> Sequence[Example]:
    return tuple(cls.examples())


def example_of(cls: type[Operator], values: str) -> Example | None:
    """The documentation example of that name, such as ``example-0``."""
    number = values.removeprefix("example-")
    if number == values:
        return None
    examples = examples_of(cls)
    if values not in (f"example-{i}" for i in range(len(examples))):
        return None
    return examples[int(number)]


def value_options(cls: type[Operator], name: str = "") -> tuple[str, ...]:
    """The names of values that an operator's page offers for an input; for the first, if none.

    Without inputs, they are the examples.
    """
    if not cls.input_slots:
        return tuple(f"example-{i}" for i in range(len(examples_of(cls))))
    name = name or cls.first_input()
    examples = tuple(f"example-{i}" for i, e in enumerate(examples_of(cls)) if name in e.inputs)
    if cls.role(name) != VALUES:
        return (*examples, *_COUNTS, "own")
    further = () if name == cls.first_input() else (GO_ON,)
    return (*examples, *further, *STARTING_VALUES, "own")


def check_inputs(sizes: Mapping[str, Sizes], limit: int) -> None:
    """Refuse, before anything is allocated, inputs of more than ``limit`` elements together.

    Raises:
        TooLarge: there are more; its field is the sizes of the tensor that exceeds the limit.
    """
    total = 0
    for number, (name, each) in enumerate(sizes.items()):
        total += element_count(each)
        if total <= limit:
            continue
        field = f"{name}.sizes" if number else "sizes"
        check_element_count(each, limit, field)
        message = _(
            "{field}: with {sizes} the inputs have {count:,} elements together; the limit is "
            "{limit:,}."
        ).format(field=field, sizes=print_sizes(each), count=total, limit=limit)
        raise TooLarge(message, field)


def example_inputs(example: Example, values: str) -> Iterator[tuple[str, InputState]]:
    """Every input of a documentation example, by name."""
    for name, array in example.inputs.items():
        yield name, InputState(array.shape, data_type_of(array.dtype), values)


def followed(
    cls: type[Operator], name: str, input_state: InputState, sizes: Sizes, before: Sizes
) -> InputState:
    """Another input after a change of the first one's sizes.

    ``values`` inputs follow in the dimensions in which they were equal to the first; ``control``
    inputs follow in rank alone. An example's values have the example's sizes: other sizes go on
    with counting, or with the same control elements.

    Args:
        cls: the operator.
        name: of the input.
        input_state: as it was.
        sizes: of the first input now.
        before: its sizes when ``input_state`` was set.
    """
    now = following(input_state.sizes, sizes, before, in_rank=cls.role(name) != VALUES)
    if now == input_state.sizes:
        return input_state
    example = example_of(cls, input_state.values)
    if example is None:
        return replace(input_state, sizes=now)
    if cls.role(name) == VALUES:
        return replace(input_state, sizes=now, values=GO_ON)
    array = example.inputs[name].astype(data_type(input_state.data_type).dtype)
    return replace(input_state, sizes=now, values="own", literal=print_compact(array))


def following(own: Sizes, sizes: Sizes, before: Sizes, *, in_rank: bool) -> Sizes:
    """Another tensor's sizes, after a change of the first one's.

    Args:
        own: the further tensor's.
        sizes: the first one's now.
        before: the first one's when ``own`` were set.
        in_rank: whether to only add or remove leading dimensions.

    >>> following((2, 3), (5, 4), (9, 3), in_rank=False)
    (2, 4)
    >>> following((2,), (1, 4), (4,), in_rank=True)
    (1, 2)
    >>> following((2, 3), (3, 3, 3), (9,), in_rank=True)
    (1, 2, 3)
    """
    more = len(sizes) - len(before)
    if in_rank or len(own) != len(before):
        if more > 0:
            # one that could not lose as many dimensions before gets as many fewer now
            most = len(sizes) if in_rank else MAX_RANK
            return (1,) * min(more, max(0, most - len(own))) + own
        drop = 0
        while drop < -more and len(own) - drop > 1 and own[drop] == 1:
            drop += 1
        return own[drop:]
    # dimensions are the same ones counted from the last, which images and rows are
    kept = [
        now if mine == was else mine
        for mine, was, now in zip(reversed(own), reversed(before), reversed(sizes), strict=False)
    ]
    kept += sizes[::-1][len(kept) :]
    return tuple(reversed(kept))


LINK_LIMIT = 4_096
"""Limit of elements whose own values fit in an address: browsers and servers cut longer ones."""


HashableArrays = tuple[tuple[str, bytes, str, Sizes], ...]
"""Arrays by name, as what is made of them is kept: their bytes, data types and sizes."""


def hashable(arrays: Mapping[str, Array]) -> HashableArrays:
    """Arrays in a form that can be hashed."""
    return tuple((name, x.tobytes(), x.dtype.str, x.shape) for name, x in arrays.items())


def arrays_of(arrays: HashableArrays) -> dict[str, Array]:
    """The arrays of :func:`hashable`; they cannot be written to."""
    return {name: np.frombuffer(of, dtype).reshape(sizes) for name, of, dtype, sizes in arrays}
