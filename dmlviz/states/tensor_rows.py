"""The rows of a form for one tensor of a page, and what a change of one of them does to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import prod

from dmlviz.base.errors import Error
from dmlviz.base.excerpts import short_text
from dmlviz.base.spelling import read_integer
from dmlviz.base.words import _
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.controls import PICTURES_ROW, FormControl, FormField
from dmlviz.states.inputs import InputState
from dmlviz.states.own_picture import PictureChoice, file_field, part_fields
from dmlviz.states.page import PageState
from dmlviz.tensors import (
    GO_ON,
    MOST_SEED,
    OWN,
    PICTURES,
    STARTING_VALUES,
    check_element_count,
    element_count,
    print_compact,
    print_literal,
    print_sizes,
    read_literal,
    read_sizes,
)
from dmlviz.tensors.types import Array, Sizes

_MOST_PLANES, _MOST_COLUMNS = 512, 64
"""What a grid has at most."""
_SIZES_TYPED = 200
"""The most characters of a tensor's sizes."""
_MOST_CELLS = 4_096
"""The most elements of a grid; no address holds more."""


def tensor_rows(
    state: PageState,
    name: str,
    options: Sequence[str],
    titles: Sequence[str],
    types: Sequence[str] = (),
    picture: PictureChoice | None = None,
) -> Iterator[FormField]:
    """The rows of one tensor.

    Args:
        state: of the page.
        name: of the tensor.
        options, titles: the starting values that are offered, and what people read for them.
        types: the data types that it may have; none where another tensor has the row for them.
        picture: the reader's own; None if there is none.
    """
    yield from rows_with_tensor(state, name, _rows(state, name, options, titles, types, picture))


def rows_with_tensor(state: PageState, name: str, rows: Iterable[FormField]) -> Iterator[FormField]:
    """Rows that say which tensor they are of.

    Args:
        state: of the page.
        name: of the tensor.
        rows: of its form.
    """
    several = bool(state.prefix(name)) or len(state.tensors) > 1
    for row in rows:
        title = _("Sizes of {name}").format(name=name) if several and row.is_sizes else row.title
        yield replace(row, tensor=name, title=title)


def _rows(
    state: PageState,
    name: str,
    options: Sequence[str],
    titles: Sequence[str],
    types: Sequence[str],
    picture: PictureChoice | None,
) -> Iterator[FormField]:
    tensor, start = state.tensors[name], state.prefix(name)
    yield sizes_field(f"{start}sizes").with_values(sizes_text(tensor.sizes))
    if types:
        yield data_type_field(f"{start}data_type", types).with_values((tensor.data_type,))
    menu = FormControl("menu", tuple(options), tuple(titles))
    row = FormField(f"{start}values", _("Values"), "", (menu,), values=(tensor.values,))
    # an operator names the tensor whose values it refuses
    refused = (name,) if tensor.values != "own" else ()
    yield replace(row, problems_of=refused)
    if tensor.values == "random":
        number = FormControl("number", least=0, most=MOST_SEED, step=1)
        help_text = _("The same seed gives the same numbers.")
        seed = (str(tensor.seed),)
        yield FormField(f"{start}seed", _("Seed"), help_text, (number,), values=seed)
    elif tensor.values == "picture":
        pictures = {key: title() for key, title in PICTURES.items()}
        if picture is not None:
            pictures[OWN] = _("My own picture")
        menu = FormControl("menu", tuple(pictures), tuple(pictures.values()))
        shows = (tensor.picture or next(iter(PICTURES)),)
        row = FormField(f"{start}picture", _("Picture"), "", (menu,), values=shows)
        yield replace(row, picture=PICTURES_ROW)
        part = part_fields(picture) if picture is not None and tensor.is_own_picture else ()
        yield from rows_of_tensor(start, (file_field(), *part))
    elif tensor.values == "own":
        title, box = _("Your own values"), FormControl("lines")
        literal = (_literal(state, name),)
        row = FormField(f"{start}literal", title, typed_values_help(), (box,), values=literal)
        yield replace(row, problems_of=(name,))


def typed_values_help() -> str:
    """How values can be typed."""
    return _(
        "A nested list of Python, NumPy or JSON, DirectML's documentation style, or "
        "rows such as 1 2; 3 4."
    )


def rows_of_tensor(start: str, rows: Iterable[FormField]) -> Iterator[FormField]:
    """Rows whose parameters are those of one tensor.

    Args:
        start: of their names, such as ``IndicesTensor.``.
        rows: with the names without it.
    """
    yield from (replace(row, name=f"{start}{row.name}") for row in rows)


def _literal(state: PageState, name: str) -> str:
    """Own values as the documentation prints them; as they are if they do not fit the sizes."""
    try:
        return print_literal(state.array(name))
    except Error:
        return state.tensors[name].literal


def sizes_field(name: str) -> FormField:
    """The row for a tensor's sizes."""
    help_text = _("One number per dimension, outermost first: 1 to 8 dimensions.")
    control = FormControl("text", most_characters=_SIZES_TYPED)
    row = FormField(name, _("Sizes"), help_text, (control,), is_sizes=True)
    return replace(row, leads=name == "sizes")


def sizes_text(sizes: Sizes) -> tuple[str]:
    """What stands in the row for sizes."""
    return (print_sizes(sizes).strip("{}"),)


def data_type_field(name: str, types: Sequence[str]) -> FormField:
    """The row for a data type, one of those that the tensor may have."""
    return FormField(name, _("Data type"), "", (FormControl("menu", tuple(types)),))


def has_grid(sizes: Sizes) -> bool:
    """Whether a tensor of these sizes has few enough planes and columns for a grid.

    A number without sizes has none.

    >>> has_grid((513, 1, 1)), has_grid((64,)), has_grid((65,)), has_grid(())
    (False, True, False, False)
    """
    return bool(sizes) and prod(sizes[:-2]) <= _MOST_PLANES and sizes[-1] <= _MOST_COLUMNS


def grid_rows(state: PageState, name: str) -> Iterator[FormField]:
    """The row in which a tensor's elements are typed one by one; none for a large tensor."""
    sizes = state.tensors[name].sizes
    if not has_grid(sizes) or element_count(sizes) > _MOST_CELLS:
        return

    def texts() -> tuple[str, ...]:
        with suppress(Error):
            return tuple(print_compact(state.array(name)).split(","))
        return ()

    control = FormControl("grid", sizes=sizes)
    label = _("Edit as a grid")
    row = FormField(f"{state.prefix(name)}grid", label, "", (control,), True, later=texts)
    yield from rows_with_tensor(state, name, (row,))


def titles_of_values(options: Iterable[str]) -> tuple[str, ...]:
    """What people read for starting values that are no operator's examples."""
    titles = {name: title() for name, title in STARTING_VALUES.items()}
    titles |= {"own": _("My own values"), GO_ON: _("Counting on")}
    return tuple(titles[option] for option in options)


def changed_tensor(
    tensor: InputState,
    part: str,
    text: str,
    *,
    options: Sequence[str],
    types: Sequence[str],
    least_rank: int,
    array: Callable[[], Array],
    most: int = STAGE_LIMIT,
) -> InputState:
    """A tensor after somebody changed one of its rows; nothing that depends on it has followed.

    Args:
        tensor: before the change.
        part: of the row, such as ``sizes`` or ``literal``; one of :data:`PARTS`.
        text: its new value, as a link has it.
        options: the starting values that are offered.
        types: the data types that it may have.
        least_rank: the fewest dimensions that it may have.
        array: makes the tensor's elements before the change.
        most: the limit of its elements.

    Raises:
        Error: the text is no such value; the field is the part.
    """
    if part == "sizes":
        sizes = read_sizes(text)
        check_element_count(sizes, most, "sizes")
        return replace(tensor, sizes=sizes)
    if part == "data_type":
        return replace(tensor, data_type=one_of(part, text, types))
    if part == "values":
        values = one_of(part, text, options)
        literal = print_compact(array()) if values == "own" else ""
        picture = next(iter(PICTURES)) if values == "picture" else ""
        tensor = replace(tensor, values=values, literal=literal, seed=0, picture=picture)
        return replace(tensor, own_picture=None)
    if part == "seed":
        seed = read_integer(part, text, 0, MOST_SEED)
        return replace(tensor, values="random", seed=seed)
    if part == "picture":
        picture = one_of(part, text, (*PICTURES, OWN))
        own = tensor.own_picture if picture == OWN else None
        return replace(tensor, values="picture", picture=picture, own_picture=own)
    typed = read_literal(text, tensor.data_type, limit=STAGE_LIMIT)
    kind = typed.data_type if typed.data_type in types else tensor.data_type
    sizes = sizes_of_typed(tensor.sizes, typed.sizes, least_rank)
    return replace(tensor, sizes=sizes, values="own", literal=text, data_type=kind)


PARTS = ("sizes", "data_type", "values", "literal", "grid", "seed", "picture")
"""The rows of a tensor that a reader changes, by their names without the tensor's."""


def normalized(state: PageState, name: str) -> InputState:
    """An input with its own values in the notation of links.

    Raises:
        Error: they do not fit its sizes or its data type.
    """
    tensor = state.tensors[name]
    if tensor.values != "own" or not tensor.data_type:
        return tensor
    return replace(tensor, literal=print_compact(state.values_of(name, STAGE_LIMIT)))


def sizes_of_typed(sizes: Sizes | None, typed: Sizes, rank: int) -> Sizes:
    """The sizes of a tensor after its values were typed: those that it had, if they fit.

    Args:
        sizes: that the tensor had; None if they were invalid.
        typed: of the nested lists that were typed.
        rank: how many dimensions it has at least: the missing ones are outermost, of size 1.
    """
    same = sizes is not None and element_count(sizes) == element_count(typed)
    # brackets that were left out are where the sizes have them
    if sizes is not None and same and (len(typed) == 1 or _inner(sizes) == _inner(typed)):
        return sizes
    return (1,) * (rank - len(typed)) + typed


def _inner(sizes: Sizes) -> Sizes:
    """Sizes without the leading ones, for which brackets are often omitted."""
    first = next((d for d, n in enumerate(sizes) if n > 1), len(sizes) - 1)
    return sizes[first:]


def one_of(field: str, text: str, options: Sequence[str]) -> str:
    """The text, which must be one of the options.

    Raises:
        Error: the text is not one of the options.
    """
    if text not in options:
        raise Error(
            _("{field}: {value} is not one of {options}.").format(
                field=field, value=short_text(text), options=", ".join(options)
            ),
            field,
        )
    return text
