"""The tensors of a page in its address, written and read.

The page of an operator has a parameter for each part of a tensor, such as ``sizes=2,3``,
``values=random`` and ``seed=7``; those of a further tensor begin with its name, such as
``IndicesTensor.sizes=2``.  The page for code has one for all tensors: ``sizes=x:2,3;i:2``,
``values=x:random:7`` and ``controls=i:0,1`` are read as ``x.sizes=2,3``, ``x.values=random``,
``x.seed=7`` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dmlviz.base.addresses import SOURCE, Reading
from dmlviz.base.errors import Error, Problem, of_tensor
from dmlviz.base.words import _
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.inputs import InputState
from dmlviz.tensors import (
    MOST_SEED,
    OWN,
    PICTURES,
    OwnPicture,
    check_element_count,
    print_compact,
    read_sizes,
)
from dmlviz.tensors.types import Sizes

_MORE = {"random": "seed", "picture": "picture"}
"""The part that says more about values of that name."""


def listed(sizes: Sizes) -> str:
    """Sizes as a parameter."""
    return ",".join(map(str, sizes))


def tensor_parameters(tensor: InputState, *, whole: bool) -> dict[str, str]:
    """The parameters of one tensor, but for its data type.

    Args:
        tensor: to write.
        whole: also write the first seed and the first picture.
    """
    parameters = {"sizes": listed(tensor.sizes), "values": tensor.values}
    if tensor.values == "own":
        parameters["literal"] = tensor.literal
    elif tensor.values == "random" and (tensor.seed or whole):
        parameters["seed"] = str(tensor.seed)
    elif tensor.values == "picture" and (tensor.picture != next(iter(PICTURES)) or whole):
        parameters["picture"] = tensor.picture
    return parameters


def compact_values(tensor: InputState, usual: str) -> str:
    """The values of one tensor as one text, such as ``random:7``; empty for the usual ones."""
    parts = tensor_parameters(tensor, whole=True)
    if "literal" in parts:
        return parts["literal"]
    more = [parts[part] for part in _MORE.values() if part in parts]
    return "" if tensor.values == usual else ":".join([tensor.values, *more])


def spelled_values(text: str, options: Collection[str]) -> Iterator[tuple[str, str]]:
    """The parts of :func:`compact_values`, with their texts.

    >>> dict(spelled_values("random:7", ["random"])), dict(spelled_values("1,2", ["random"]))
    ({'values': 'random', 'seed': '7'}, {'values': 'own', 'literal': '1,2'})
    """
    name, _colon, more = text.partition(":")
    if name not in options or (more and name not in _MORE):
        yield from (("values", "own"), ("literal", text))
        return
    yield "values", name
    if more:
        yield _MORE[name], more


class TensorReading(Reading):
    """The parameters of one link, while a page with tensors reads them.

    Attributes:
        own_picture: the reader's own, which a link names but does not hold.
        typed: invalid texts to show in the widgets they belong to.
    """

    def __init__(self, parameters: Mapping[str, str], own_picture: OwnPicture | None) -> None:
        super().__init__(parameters)
        self.own_picture = own_picture
        self.typed: dict[str, str] = {}

    def input_state(
        self,
        start: str,
        usual: InputState,
        options: Sequence[str],
        types: Sequence[str] = (),
        sizes_of: Callable[[str], Sizes] = read_sizes,
    ) -> InputState:
        """One tensor.

        Args:
            start: of the names of its parameters, such as ``x.``.
            usual: what it is where the link says nothing.
            options: the names of its values.
            types: its data types; none if a parameter of the page says it.
            sizes_of: reads its sizes.
        """
        sizes = self.typed_part(f"{start}sizes", sizes_of, usual.sizes)
        fitted = usual
        if types:
            kind = self.one_of(f"{start}data_type", types, usual.data_type)
            fitted = replace(usual, data_type=kind)
        values = self.one_of(f"{start}values", options, usual.values)
        seed = self.whole(f"{start}seed", 0, MOST_SEED, 0)
        picture = self.picture(f"{start}picture", shown=values == "picture")
        literal = usual.literal if values == usual.values else ""
        if f"{start}literal" in self.texts or values == "own":
            literal = self.typed_values(start, replace(fitted, sizes=sizes, values=values), literal)
        return replace(
            fitted,
            sizes=sizes,
            values=values,
            literal=literal if values == "own" else "",
            seed=seed if values == "random" else 0,
            picture=picture if values == "picture" else "",
            own_picture=self.own_picture if (values, picture) == ("picture", OWN) else None,
        )

    def picture(self, name: str, *, shown: bool) -> str:
        """A picture's name; a built-in one takes the place of a learner's own that is not here."""
        usual = next(iter(PICTURES))
        picture = self.one_of(name, (*PICTURES, OWN), usual)
        if picture == OWN and self.own_picture is None:
            if shown:
                sentence = _(
                    "link: the picture is missing, because it is someone's own and stays in their "
                    "session. This is the built-in picture {title}; you can choose your own."
                ).format(title=PICTURES[usual]())
                self.problems.append(Problem(name, sentence, SOURCE))
            return usual
        return picture

    def typed_part(self, name: str, read: Callable[[str], Any], usual: Any) -> Any:
        """As :meth:`part`; invalid text is kept for its widget."""

        def kept(text: str) -> Any:
            try:
                return read(text)
            except Error as error:
                self.typed[name] = text
                tensor, dot, _part = name.rpartition(".")
                said = of_tensor(tensor, error.field, str(error)) if dot else str(error)
                self.problems.append(Problem(name, said, SOURCE))
                return usual

        return self.part(name, kept, usual)

    def typed_values(self, start: str, tensor: InputState, usual: str) -> str:
        """Own values, in the notation of links; problems with them are reported."""
        name = f"{start}literal"
        self.know(name)
        text = self.texts.get(name, usual)
        if tensor.values != "own":
            if text:
                self.bad(name, _("it needs values=own."))
            return ""
        if f"{start}sizes" in self.typed:
            # it is unknown whether they fit
            self.typed[name] = text
            return ""
        try:
            check_element_count(tensor.sizes, STAGE_LIMIT, "sizes")
            return print_compact(replace(tensor, literal=text).array(None, 0, STAGE_LIMIT))
        except Error as error:
            self.typed[name] = text
            problem = Problem(error.field, str(error), SOURCE)
            problem = problem.within(start[:-1]) if start else problem
            self.problems.append(replace(problem, field=name))
            return ""
