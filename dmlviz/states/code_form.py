"""The form of the page for code as data, and a state of it after a change."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from dmlviz.base.errors import Error, of_tensor
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _
from dmlviz.code import LIBRARIES, library_of
from dmlviz.code.libraries import library_beside
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.changing import one_of, read_seed, sizes_of_typed
from dmlviz.states.code import (
    CODE,
    CodeState,
    array_of,
    chooses,
    fitted,
    library_of_edited,
    no_call,
)
from dmlviz.states.code_reading import code_text
from dmlviz.states.controls import SECOND, FormControl, FormField, FormGroup
from dmlviz.states.form import (
    chosen_fields,
    data_type_field,
    grid_fields,
    rows_of_tensor,
    sizes_field,
    sizes_text,
    titles_of_values,
)
from dmlviz.states.inputs import InputState
from dmlviz.states.own_picture import PictureChoice, file_field, part_fields
from dmlviz.states.view import CHANGES_OF_VIEW, changed_view
from dmlviz.tensors import (
    DATA_TYPES,
    GO_ON,
    OWN,
    PICTURES,
    STARTING_VALUES,
    check_element_count,
    print_compact,
    print_literal,
    read_literal,
    read_sizes,
    short_text,
)


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
    moving = [input_state for _name, input_state in state.tensors if not chooses(input_state)]
    if moving:
        row = data_type_field("data_type", tuple(DATA_TYPES))
        fields.append(row.with_values((moving[0].data_type,)))
    second = [second_code_field().with_values((state.compare,))]
    if (other := state.second()) is not None:
        second.append(second_library_field().with_values((other.reads_as,)))
    tensors = (
        FormGroup(name, tuple(_tensor_fields(state, name, picture))) for name in state.input_states
    )
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


def _tensor_fields(state: CodeState, name: str, picture: PictureChoice | None) -> list[FormField]:
    input_state = state.input_states[name]
    fields = [sizes_field(f"{name}.sizes").with_values(sizes_text(input_state.sizes))]
    if chooses(input_state):
        return [
            *fields,
            chosen_elements_field(f"{name}.literal").with_values((input_state.literal,)),
        ]
    options = _options(state, name)
    menu = FormControl("menu", options, titles_of_values(options))
    fields.append(
        FormField(f"{name}.values", _("Values"), "", (menu,), values=(input_state.values,))
    )
    literal = input_state.literal
    if input_state.values == "own":
        literal = print_literal(input_state.array(None, 0, STAGE_LIMIT))
    fields += chosen_fields(f"{name}.", input_state, literal, own_picture=bool(picture))
    if input_state.values == "picture":
        part = part_fields(picture) if picture is not None and input_state.is_own_picture else ()
        fields += rows_of_tensor(f"{name}.", (file_field(), *part))
    with suppress(Error):
        fields += grid_fields(f"{name}.", state.arrays()[name])
    return fields


def _options(state: CodeState, name: str) -> tuple[str, ...]:
    """The starting values that are offered for a tensor."""
    further = name != next(iter(state.input_states))
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
        fixed = frozenset(n for n in state.input_states if f"{n}.sizes" in state.kept)
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
        return _fitted(state, frozenset(state.input_states))
    if name == "b_library":
        key = one_of(name, text, tuple(LIBRARIES))
        library = "" if key == library_beside(state.compare, state.reads_as) else key
        return replace(state, compare_library=library, kept=state.kept | {name})
    if name == "call":
        return _with_call(state, text)
    if name == "data_type":
        kind = one_of(name, text, tuple(DATA_TYPES))
        for tensor, input_state in state.tensors:
            if not chooses(input_state):
                state = _with_tensor(state, tensor, replace(input_state, data_type=kind))
        return state
    tensor, _dot, part = name.rpartition(".")
    if tensor not in state.input_states or part not in _OF_TENSOR:
        raise Error(
            _("{field}: {value} is not one of {options}.").format(
                field="parameter", value=short_text(name), options=", ".join(state.input_states)
            ),
            name,
        )
    try:
        return _OF_TENSOR[part](state, tensor, text)
    except Error as error:
        raise Error(of_tensor(tensor, error.field, str(error)), name) from None


def _fitted(state: CodeState, fixed: frozenset[str]) -> CodeState:
    """The state with the tensors that its code takes; all calls are on the stage."""
    tensors = fitted(state.code, state.library, state.tensors, fixed)
    return replace(state, tensors=tensors, call=0)


def _with_call(state: CodeState, text: str) -> CodeState:
    chain = state.chain()
    call = read_whole(text, 0, len(chain.operations))
    if call is None:
        raise no_call(short_text(text), chain)
    return replace(state, call=call)


def _with_tensor(state: CodeState, name: str, input_state: InputState) -> CodeState:
    """The state with another tensor of that name.

    Raises:
        Error: its own values do not fit its sizes or its data type.
    """
    if input_state.values == "own" or chooses(input_state):
        array_of(input_state, 0)
    if input_state.values == "own" and not chooses(input_state):
        input_state = replace(
            input_state, literal=print_compact(input_state.array(None, 0, STAGE_LIMIT))
        )
    tensors = tuple((n, input_state if n == name else other) for n, other in state.tensors)
    return replace(state, tensors=tensors)


def _with_sizes(state: CodeState, name: str, text: str) -> CodeState:
    sizes = read_sizes(text)
    check_element_count(sizes, STAGE_LIMIT, "sizes")
    state = _with_tensor(state, name, replace(state.input_states[name], sizes=sizes))
    # sizes that a reader has typed stay when the code changes
    return replace(state, kept=state.kept | {f"{name}.sizes"})


def _with_values(state: CodeState, name: str, text: str) -> CodeState:
    values = one_of("values", text, _options(state, name))
    literal = print_compact(state.arrays()[name]) if values == "own" else ""
    picture = next(iter(PICTURES)) if values == "picture" else ""
    input_state = replace(
        state.input_states[name], values=values, literal=literal, seed=0, picture=picture
    )
    return _with_tensor(state, name, replace(input_state, own_picture=None))


def _with_literal(state: CodeState, name: str, text: str) -> CodeState:
    input_state = state.input_states[name]
    if chooses(input_state):
        return _with_tensor(state, name, replace(input_state, literal=text))
    literal = read_literal(text, input_state.data_type, limit=STAGE_LIMIT)
    if literal.data_type != input_state.data_type:
        state = code_changed(state, "data_type", literal.data_type)
    sizes = sizes_of_typed(input_state.sizes, literal.sizes, len(input_state.sizes))
    own = replace(state.input_states[name], sizes=sizes, values="own")
    return _with_tensor(state, name, replace(own, literal=print_compact(literal.values)))


def with_own_picture_in_code(state: CodeState, name: str, choice: PictureChoice) -> CodeState:
    """The state with the reader's own picture in a tensor, which keeps its sizes and its type.

    Args:
        state: before the change.
        name: of the tensor.
        choice: the picture, and what is shown of it.
    """
    for tensor, input_state in state.tensors:
        if tensor == name or input_state.is_own_picture:
            state = _with_tensor(state, tensor, input_state.with_own_picture(choice.part))
    return state


def _with_seed(state: CodeState, name: str, text: str) -> CodeState:
    input_state = replace(state.input_states[name], values="random", seed=read_seed(text))
    return _with_tensor(state, name, input_state)


def _with_picture(state: CodeState, name: str, text: str) -> CodeState:
    picture = one_of("picture", text, (*PICTURES, OWN))
    before = state.input_states[name]
    own = before.own_picture if picture == OWN else None
    now = replace(before, values="picture", picture=picture, own_picture=own)
    return _with_tensor(state, name, now)


_OF_TENSOR = {
    "sizes": _with_sizes,
    "values": _with_values,
    "literal": _with_literal,
    "grid": _with_literal,
    "seed": _with_seed,
    "picture": _with_picture,
}
"""What a change of a tensor's parameter does, by the parameter's name without the tensor's."""
