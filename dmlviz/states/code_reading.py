"""A link to the page for code, read part by part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from dmlviz.base.addresses import Reading
from dmlviz.base.errors import Error
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _
from dmlviz.code import library_of
from dmlviz.code.address import DATA_TYPE, START, named_parts
from dmlviz.code.libraries import library_beside, library_named
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.code import CodeState, fitted
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.states.reading import Opened
from dmlviz.states.view import View, read_view
from dmlviz.tensors import (
    GO_ON,
    MOST_SEED,
    OWN,
    PICTURES,
    STARTING_VALUES,
    OwnPicture,
    check_element_count,
    data_type,
    read_sizes,
)
from dmlviz.tensors.types import Sizes


def read_code_parameters(
    parameters: Mapping[str, str], usual: CodeState, own_picture: OwnPicture | None = None
) -> Opened[CodeState]:
    """The state that a link's parameters name; never raises, whatever they are.

    Args:
        parameters: names and texts; names may be unknown.
        usual: what the page shows without code.
        own_picture: the learner's own.
    """
    return _CodeReading(parameters, usual, own_picture).opened()


_PARAMETERS = (
    *("library", "sizes", "data_type", "values", "controls", "call", "compare", "b_library"),
)
"""The parameters of a link that need code."""


class _CodeReading(Reading):
    """One link, while it is read."""

    def __init__(
        self, parameters: Mapping[str, str], usual: CodeState, own_picture: OwnPicture | None
    ) -> None:
        super().__init__(parameters)
        self.usual = usual
        self.own_picture = own_picture

    def opened(self) -> Opened[CodeState]:
        if "code" not in self.texts:
            state = self.usual
            for name in _PARAMETERS:
                if name in self.texts:
                    self.know(name)
                    self.bad(name, _("it needs code."))
        else:
            state = self._code()
        state = replace(state, view=View(**read_view(self, state)))
        return Opened(state, self.all_problems())

    def _code(self) -> CodeState:
        code = self.part("code", code_text, self.texts["code"][:TEXT_LIMIT])
        library = self.part("library", library_named, "")
        library = "" if library == library_of(code) else library
        kind = self.part("data_type", lambda text: data_type(text).name, DATA_TYPE)
        no_sizes: dict[str, Sizes] = {}
        sizes = self.part("sizes", self._sizes, no_sizes)
        tensors = {name: InputState(of, kind, START) for name, of in sizes.items()}
        for name in ("values", "controls"):
            unchanged: dict[str, InputState] = {}
            tensors |= self.part(name, partial(self._values, name, tensors), unchanged)
        fitted_tensors = fitted(code, library, Tensors.of(tensors, kind), {*sizes})
        call = self.part("call", lambda text: _call(text), 0)
        compare = self.part("compare", code_text, self.texts.get("compare", "")[:TEXT_LIMIT])
        other_library = self.part("b_library", library_named, "")
        if "b_library" in self.texts and not compare:
            self.bad("b_library", _("it needs compare."))
        beside = library_beside(compare, library or library_of(code))
        other_library = "" if not compare or other_library == beside else other_library
        if call and compare:
            self.bad("call", _("two codes are compared from first to last."))
            call = 0
        chosen = {"library": library, "b_library": other_library}
        state = CodeState(
            code,
            library,
            fitted_tensors,
            call,
            compare=compare,
            compare_library=other_library,
            kept=frozenset(name for name, key in chosen.items() if key),
        )
        if call:
            try:
                count = len(state.chain().operations)
            except Error:
                count = 0
            if call > count:
                self.bad("call", _("the code has {count} calls.").format(count=count))
                state = replace(state, call=0)
        return state

    def _sizes(self, code_text: str) -> dict[str, Sizes]:
        sizes = {name: read_sizes(of) for name, of in named_parts(self.texts, "sizes").items()}
        for of in sizes.values():
            check_element_count(of, STAGE_LIMIT, "sizes")
        return sizes

    def _values(
        self, name_of_field: str, tensors: Mapping[str, InputState], code_text: str
    ) -> dict[str, InputState]:
        tensors_of_field = {}
        for name, text in named_parts(self.texts, name_of_field).items():
            if name not in tensors:
                raise Error(
                    _("{name} has no sizes; add them, such as sizes={name}:2,3.").format(name=name),
                    name_of_field,
                )
            input_state = tensors[name]
            if name_of_field == "controls":
                input_state = InputState(input_state.sizes, "", "own", text)
                tensors_of_field[name] = _checked(name, input_state)
                continue
            tensors_of_field[name] = self._named(name, input_state, text)
        return tensors_of_field

    def _named(self, name: str, input_state: InputState, text: str) -> InputState:
        word, _colon, more = text.partition(":")
        if word == "random":
            seed = read_whole(more or "0", 0, MOST_SEED)
            if seed is None:
                raise Error(
                    _("it must be a whole number from {least} to {most:,}.").format(
                        least=0, most=MOST_SEED
                    ),
                    "values",
                )
            return replace(input_state, values=word, seed=seed)
        if word == "picture":
            if more == OWN and self.own_picture is not None:
                return replace(input_state, values=word, picture=OWN, own_picture=self.own_picture)
            picture = more if more in PICTURES else next(iter(PICTURES))
            if more not in ("", *PICTURES):
                raise Error(
                    _("it must be one of {options}.").format(options=", ".join(PICTURES)), "values"
                )
            return replace(input_state, values=word, picture=picture)
        if word in STARTING_VALUES or word == GO_ON:
            return replace(input_state, values=word)
        return _checked(name, replace(input_state, values="own", literal=text))


def _checked(name: str, tensor: InputState) -> InputState:
    """A tensor whose own values fit it.

    Raises:
        Error: they do not.
    """
    CodeState("", tensors=Tensors(((name, tensor),))).values_of(name, STAGE_LIMIT)
    return tensor


def code_text(text: str) -> str:
    """The text of code.

    Raises:
        Error: it is too long.
    """
    if len(text) > TEXT_LIMIT:
        raise Error(
            _("it has {count:,} characters; the limit is {most:,}.").format(
                count=len(text), most=TEXT_LIMIT
            ),
            "code",
        )
    return text


def _call(text: str) -> int:
    number = read_whole(text, 0, 10_000)
    if number is None:
        raise Error(_("it must be the number of a call, such as 1."), "call")
    return number
