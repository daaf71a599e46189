"""A link to the page for code, read part by part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from dmlviz.base.errors import Error
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _
from dmlviz.code import library_of
from dmlviz.code.address import DATA_TYPE, START, named_parts
from dmlviz.code.libraries import library_beside, library_named
from dmlviz.code.python.numbers import NUMBER_LIMIT
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.states.code import USUAL_SIZES, CodeState, fitted, library_of_edited
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.states.reading import Opened
from dmlviz.states.tensor_address import TensorReading, spelled_values
from dmlviz.states.view import View, read_view
from dmlviz.tensors import (
    GO_ON,
    MAX_RANK,
    STARTING_VALUES,
    OwnPicture,
    check_element_count,
    data_type,
    read_sizes,
    short_text,
)
from dmlviz.tensors.sizes import READ_LIMIT
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
    *(
        "library",
        "sizes",
        "data_type",
        "values",
        "controls",
        "call",
        "around",
        "compare",
        "b_library",
    ),
)
"""The parameters of a link that need code."""

_VALUES = (GO_ON, *STARTING_VALUES)
"""The names of the values that a tensor may have."""


class _CodeReading(TensorReading):
    """One link, while it is read."""

    def __init__(
        self, parameters: Mapping[str, str], usual: CodeState, own_picture: OwnPicture | None
    ) -> None:
        super().__init__(parameters, own_picture)
        self.usual = usual

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
        if state.is_large and not state.middle and state.view.pinned:
            # so that it is drawn
            state = replace(state, middle=state.view.pinned[0])
        return Opened(state, self.all_problems(), self.typed)

    def _code(self) -> CodeState:
        code = self.part("code", code_text, self.texts["code"][:TEXT_LIMIT])
        library = self.part("library", library_named, "")
        library = "" if library == library_of(code) else library
        kind = self.part("data_type", lambda text: data_type(text).name, DATA_TYPE)
        tensors = self._tensors(kind)
        chosen_library = library
        if "library" not in self.texts:
            guess = library_of(code)
            likely = library_of_edited(code, guess, Tensors.of(tensors, kind), {*tensors})
            library = "" if likely == guess else likely
        fitted_tensors = fitted(code, library, Tensors.of(tensors, kind), {*tensors})
        # what the code does not take has no widgets
        self.typed = {n: t for n, t in self.typed.items() if n.partition(".")[0] in fitted_tensors}
        call = self.part("call", lambda text: _call(text), 0)
        no_index: tuple[int, ...] = ()
        middle = self.part("middle", element_index, no_index)
        compare = self.part("compare", code_text, self.texts.get("compare", "")[:TEXT_LIMIT])
        other_library = self.part("b_library", library_named, "")
        if "b_library" in self.texts and not compare:
            self.bad("b_library", _("it needs compare."))
        beside = library_beside(compare, library or library_of(code))
        other_library = "" if not compare or other_library == beside else other_library
        if call and compare:
            self.bad("call", _("two codes are compared from first to last."))
            call = 0
        chosen = {"library": chosen_library, "b_library": other_library}
        state = CodeState(
            code,
            library,
            fitted_tensors,
            call,
            compare=compare,
            compare_library=other_library,
            middle=middle,
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

    def _tensors(self, kind: str) -> dict[str, InputState]:
        """The tensors that the link has the sizes of, as far as these are valid."""
        no_parts: dict[str, str] = {}
        named = {
            field: self.part(field, partial(named_parts, field), no_parts)
            for field in ("sizes", "values", "controls")
        }
        for name, text in named["sizes"].items():
            self.texts[f"{name}.sizes"] = text
        tensors: dict[str, InputState] = {}
        for field, options in (("values", _VALUES), ("controls", ())):
            for name, text in named[field].items():
                if name not in named["sizes"] and field == "controls" and _is_whole(text):
                    tensors[name] = InputState((), "", "own", text)
                    continue
                if name not in named["sizes"]:
                    rule = _("{name} has no sizes; add them, such as sizes={name}:2,3.")
                    self.bad(field, rule.format(name=name))
                    continue
                for part, of_part in spelled_values(text, options):
                    self.texts[f"{name}.{part}"] = of_part
        for name in named["sizes"]:
            chooses = name in named["controls"]
            usual = InputState(USUAL_SIZES, "" if chooses else kind, "own" if chooses else START)
            tensor = self.input_state(f"{name}.", usual, (*_VALUES, "own"), sizes_of=_sizes)
            if f"{name}.sizes" not in self.typed:
                tensors[name] = tensor
        return tensors


def _is_whole(text: str) -> bool:
    return read_whole(text, -NUMBER_LIMIT, NUMBER_LIMIT) is not None


def _sizes(text: str) -> Sizes:
    sizes = read_sizes(text)
    check_element_count(sizes, READ_LIMIT, "sizes")
    return sizes


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


def element_index(text: str) -> tuple[int, ...]:
    """The index of an element.

    Raises:
        Error: it is none.
    """
    numbers = [read_whole(part, 0, READ_LIMIT) for part in text.split(",")]
    whole = tuple(n for n in numbers if n is not None)
    if len(whole) < len(numbers) or len(whole) > MAX_RANK + 1:
        message = _("middle: {text} is no index of an element, such as 0,3,5.")
        raise Error(message.format(text=short_text(text)), "middle")
    return whole


def _call(text: str) -> int:
    number = read_whole(text, 0, 10_000)
    if number is None:
        raise Error(_("it must be the number of a call, such as 1."), "call")
    return number
