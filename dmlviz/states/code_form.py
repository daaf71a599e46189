"""The form of the page for code as data, and a state of it after a change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dmlviz.base.errors import Error, of_tensor
from dmlviz.base.excerpts import short_text
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _
from dmlviz.code import LIBRARIES, library_of
from dmlviz.code.libraries import library_beside
from dmlviz.code.python.numbers import NUMBER_LIMIT
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.code import CODE, CodeState, fitted, library_of_edited, no_call
from dmlviz.states.code_reading import code_text, element_index
from dmlviz.states.controls import SECOND, FormControl, FormField, FormGroup
from dmlviz.states.inputs import Tensors
from dmlviz.states.own_picture import PictureChoice
from dmlviz.states.tensor_rows import (
    PARTS,
    changed_tensor,
    data_type_field,
    grid_rows,
    normalized,
    one_of,
    rows_with_tensor,
    sizes_field,
    sizes_text,
    tensor_rows,
    titles_of_values,
)
from dmlviz.states.view import CHANGES_OF_VIEW, changed_view
from dmlviz.tensors import DATA_TYPES, GO_ON, STARTING_VALUES, print_sizes

INDEX_TYPED = 100
"""The limit of characters of an index."""


def code_form(state: CodeState, picture: PictureChoice | None = None) -> tuple[FormGroup, ...]:
    """The form: the code and its library, then each tensor that it takes.

    Args:
        state: that the page shows.
        picture: the reader's own; None if there is none.
    """
    fields = [
        FormField(CODE, _("Code"), "", (_code_box(),), values=(state.code,), leads=True),
        library_field().with_values((state.reads_as,)),
    ]
    if state.tensors.data_type:
        row = data_type_field("data_type", tuple(DATA_TYPES))
        fields.append(row.with_values((state.tensors.data_type,)))
    if state.is_large:
        fields.append(middle_field().with_values((",".join(map(str, state.middle)),)))
    second = [second_code_field().with_values((state.compare,))]
    if (other := state.second()) is not None:
        second.append(second_library_field().with_values((other.reads_as,)))
    tensors = (FormGroup(name, tuple(_tensor_rows(state, name, picture))) for name in state.tensors)
    return (FormGroup("", tuple(fields)), *tensors, FormGroup("", tuple(second), SECOND))


def library_field() -> FormField:
    """The row for the library of a code."""
    libraries = {key: library.title for key, library in LIBRARIES.items()}
    menu = FormControl("menu", tuple(libraries), tuple(libraries.values()))
    help_text = _(
        "Guessed from the code until you choose one. Code that could be from several "
        "libraries keeps the library of the code before it."
    )
    return FormField("library", _("Library"), help_text, (menu,), leads=True)


def middle_field() -> FormField:
    """The row for the element that an excerpt has in its middle."""
    help_text = _(
        "The picture is an excerpt. It has this element of the output in its middle, such as "
        "0,3,5; without one, the first elements."
    )
    control = FormControl("text", most_characters=INDEX_TYPED)
    return FormField("middle", _("Excerpt at"), help_text, (control,))


def second_library_field() -> FormField:
    """The row for the library of the code to compare with."""
    return replace(library_field(), name="b_library", label=_("Library of B"), leads=False)


def second_code_field() -> FormField:
    """The row for the code to compare with."""
    help_text = _(
        "Takes a second code, B, on the same tensors: both results side by side, and "
        "the first element in which they differ."
    )
    title = _("Code to compare it with, called B")
    return FormField("compare", title, help_text, (_code_box(),))


def _code_box() -> FormControl:
    return FormControl("lines", most_characters=TEXT_LIMIT)


def chosen_elements_field(name: str) -> FormField:
    """The row for the values of a tensor that only chooses elements."""
    help_text = _("A list such as [2, 0, 1] or [[True, False], [False, True]].")
    title = _("Indices, or a mask of True and False")
    return FormField(name, title, help_text, (FormControl("lines"),))


def number_field(name: str) -> FormField:
    """The row for a number that code leaves open, such as ``heads`` or ``self.heads``."""
    help_text = _("A whole number; the code is read with it.")
    control = FormControl("number", least=-NUMBER_LIMIT, most=NUMBER_LIMIT, step=1)
    title = _("Number {name}").format(name=name)
    row = FormField(f"{name}.literal", _("Number"), help_text, (control,), title=title)
    return replace(row, tensor=name, is_number=True)


def _tensor_rows(state: CodeState, name: str, picture: PictureChoice | None) -> Iterator[FormField]:
    tensor = state.tensors[name]
    if tensor.is_number:
        yield number_field(name).with_values((tensor.literal,))
        return
    if tensor.control:
        sizes = sizes_field(f"{name}.sizes").with_values(sizes_text(tensor.sizes))
        elements = chosen_elements_field(f"{name}.literal").with_values((tensor.literal,))
        elements = replace(elements, problems_of=(name,))
        yield from rows_with_tensor(state, name, (sizes, elements))
        return
    options = _options(state, name)
    yield from tensor_rows(state, name, options, titles_of_values(options), picture=picture)
    yield from grid_rows(state, name)


def _options(state: CodeState, name: str) -> tuple[str, ...]:
    """The starting values that are offered for a tensor."""
    further = name != next(iter(state.tensors))
    return (*((GO_ON,) if further else ()), *STARTING_VALUES, "own")


def code_changed(state: CodeState, name: str, text: str) -> CodeState:
    """The state after somebody changed one parameter, with all that follows from it.

    Other code takes other tensors: the sizes that are there stay as far as it is read with them.

    Args:
        state: before the change.
        name: ``code``, ``library``, ``data_type``, ``call``, a parameter of the view, or one of a
            tensor, such as ``x.sizes``.
        text: its new value.

    Raises:
        Error: the text is no such value, or the state has no such parameter; its field is the
            parameter's name.
    """
    if name in CHANGES_OF_VIEW:
        return replace(state, view=changed_view(state.view, name, text, state))
    if name == CODE:
        text = code_text(text)
        fixed = frozenset(n for n in state.tensors if state.kept & {f"{n}.sizes", f"{n}.literal"})
        # a library that was chosen stays
        key = state.reads_as if "library" in state.kept else ""
        key = key or library_of_edited(text, state.reads_as, state.tensors, fixed)
        library = "" if key == library_of(text) else key
        return _fitted(replace(state, code=text, library=library), fixed)
    if name == "compare":
        chosen = state.compare_library if "b_library" in state.kept else ""
        # two codes are compared from first to last
        return replace(state, compare=code_text(text).strip(), compare_library=chosen, call=0)
    if name == "library":
        key = one_of(name, text, tuple(LIBRARIES))
        library = "" if key == library_of(state.code) else key
        state = replace(state, library=library, kept=state.kept | {name})
        return _fitted(state, frozenset(state.tensors))
    if name == "b_library":
        key = one_of(name, text, tuple(LIBRARIES))
        library = "" if key == library_beside(state.compare, state.reads_as) else key
        return replace(state, compare_library=library, kept=state.kept | {name})
    if name == "call":
        return _with_call(state, text)
    if name == "middle":
        return _with_middle(state, text)
    tensor, _dot, part = name.rpartition(".")
    if name == "data_type":
        kind = one_of(name, text, tuple(DATA_TYPES))
        return _checked(replace(state, tensors=Tensors.of(state.tensors, kind)))
    if (
        tensor not in state.tensors
        or part not in PARTS
        or part == "data_type"
        or (state.tensors[tensor].is_number and part != "literal")
    ):
        raise Error(
            _("{field}: {value} is not one of {options}.").format(
                field="parameter", value=short_text(name), options=", ".join(state.tensors)
            ),
            name,
        )
    try:
        return _with_part(state, tensor, part, text)
    except Error as error:
        raise Error(of_tensor(tensor, error.field, str(error)), name) from None


def _with_part(state: CodeState, name: str, part: str, text: str) -> CodeState:
    """The state after a change of one of a tensor's rows."""
    tensor = state.tensors[name]
    if tensor.control and part == "literal":
        # what only chooses elements may be a mask, which is no literal
        tensor = replace(tensor, literal=text)
    else:
        tensor = changed_tensor(
            tensor,
            part,
            text,
            options=_options(state, name),
            types=tuple(DATA_TYPES),
            least_rank=len(tensor.sizes),
            array=lambda: state.array(name, STAGE_LIMIT),
            most=state.element_limit,
        )
    # sizes and numbers that a reader has typed stay when the code changes
    stays = part == "sizes" or tensor.is_number
    kept = state.kept | {f"{name}.{part}"} if stays else state.kept
    state = replace(state, tensors=state.tensors.with_tensor(name, tensor), kept=kept)
    return _checked(state)


def _checked(state: CodeState) -> CodeState:
    """The state with its own values in the notation of links.

    Raises:
        Error: own values do not fit the sizes or the data type of their tensor.
    """
    for name, tensor in state.tensors.items():
        if tensor.control:
            state.values_of(name, STAGE_LIMIT)
        now = normalized(state, name)
        state = replace(state, tensors=state.tensors.with_tensor(name, now))
    return state


def _fitted(state: CodeState, fixed: frozenset[str]) -> CodeState:
    """The state with the tensors that its code takes; all calls are on the stage."""
    tensors = fitted(state.code, state.library, state.tensors, fixed)
    return replace(state, tensors=tensors, call=0)


def _with_middle(state: CodeState, text: str) -> CodeState:
    """The state with another element in the middle of the excerpt."""
    middle = element_index(text) if text.strip() else ()
    moved = replace(state, middle=middle)
    if middle and not moved.excerpt_middle():
        sizes = ", ".join(map(print_sizes, state.outputs().values()))
        message = _("middle: there is no element {text} in an output of sizes {sizes}.")
        raise Error(message.format(text=short_text(text), sizes=sizes), "middle")
    return moved


def _with_call(state: CodeState, text: str) -> CodeState:
    chain = state.chain()
    call = read_whole(text, 0, len(chain.operations))
    if call is None:
        raise no_call(short_text(text), chain)
    return replace(state, call=call)


def with_own_picture_in_code(state: CodeState, name: str, choice: PictureChoice) -> CodeState:
    """The state with the reader's own picture in a tensor, which keeps its sizes and its type.

    Args:
        state: before the change.
        name: of the tensor.
        choice: the picture, and what is shown of it.
    """
    tensors = state.tensors.with_own_picture(name, choice.part)
    return _checked(replace(state, tensors=tensors))
