"""The text around the cells: the heads of tensors, titles of planes, and indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.movement import COMPUTED
from dmlviz.picture.runs import on_stage, print_settings, settings_apart
from dmlviz.picture.scene import Layout, Placed, Scene, Side
from dmlviz.tensors import data_type_of, print_sizes
from dmlviz.tensors.numbering import print_index, usual_name
from dmlviz.tensors.types import Sizes

_INDEX_LIMIT = 400

TITLED_PLANES = 1_024
"""The most planes of a side that have titles; more of them are too small for any."""


@dataclass(frozen=True)
class Marks:
    """Texts of one kind along the edges of a tensor's planes.

    Attributes:
        kind: ``title``, ``columns`` or ``rows``.
        x, y: where each text is, in cells: at the edge of its plane. Code that knows the size of a
            cell moves it off the edge.
        texts: the texts.
    """

    kind: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Head:
    """The words above a tensor.

    Attributes:
        name: what it is called.
        sizes, data_type: as DirectML writes them.
        settings: the settings that differ from the other run's; none if there is one run.
        alone: the tensor's name where ``name`` says more; otherwise empty.
    """

    name: str
    sizes: str
    data_type: str
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    alone: str = ""

    @property
    def setting(self) -> str:
        """The settings with their names."""
        return print_settings(self.settings)

    @property
    def brief(self) -> str:
        """The settings in short: a word is clear by itself, and so is one list in brackets.

        A list in braces would be read as sizes.
        """
        texts = list(self.settings.values())
        if all(text.isidentifier() for text in texts) or [text[:1] for text in texts] == ["["]:
            return ", ".join(texts)
        members = {name.rpartition(".")[2]: text for name, text in self.settings.items()}
        return print_settings(members)

    @property
    def rests(self) -> list[str]:
        """The texts to try after the name, from longest to shortest; the last is empty."""
        rests = [f"{self.sizes} {self.data_type}", self.sizes, ""]
        if not self.settings:
            return rests
        return [*(f"{self.setting}  {rest}".rstrip() for rest in rests), self.brief, *rests[1:]]

    @property
    def whole(self) -> str:
        """The whole text."""
        return f"{self.name}  {self.rests[0]}"


def heads(picture: Scene) -> list[Head]:
    """The head of every tensor, inputs first: its name, sizes and data type.

    The outputs of two runs also have the settings in which the runs differ.
    """
    inputs, outputs = picture.trace.inputs, picture.outputs
    apart = _settings_apart(picture)
    memory = picture.trace.memory

    def word(name: str, usual: str) -> str:
        # code has its own names, which its questions use, too
        return usual if name == "out" else usual_name(name, usual)

    arrays = [
        (
            t.name,
            inputs[t.name],
            word(t.name, _("Input as memory") if t.name in memory else _("Input")),
        )
        for t in picture.input.tensors
    ]
    arrays += [(t.name, outputs[t.name], word(t.name, _("Output"))) for t in picture.output.tensors]
    computed = () if picture.single else _computed(picture)
    types, titles = picture.trace.input_types, picture.trace.operator.titles()
    return [
        Head(
            titles.get(name.strip()) or _titled(picture, name, word),
            _sizes_words(picture, name, array.shape),
            types.get(name) or data_type_of(array.dtype),
            apart.get(name, {}),
            name.strip() if name in computed or name.strip() in titles else "",
        )
        for name, array, word in arrays
    ]


def _sizes_words(picture: Scene, name: str, sizes: Sizes) -> str:
    """The sizes of a tensor, and of the whole where only a part is drawn."""
    whole = picture.trace.whole_sizes.get(name, sizes) if name in picture.trace.places else sizes
    if whole == sizes:
        return print_sizes(sizes)
    return _("{part} of {whole}").format(part=print_sizes(sizes), whole=print_sizes(whole))


def _titled(picture: Scene, name: str, word: str) -> str:
    """What a tensor's title begins with that the operator has no own title for."""
    if picture.single:
        return word
    return _("{name}, computed").format(name=name) if name in _computed(picture) else name


def _computed(picture: Scene) -> list[str]:
    """The outputs whose elements are computed."""
    return [tensor.name for tensor in picture.output.tensors if tensor.role == COMPUTED]


def _settings_apart(picture: Scene) -> dict[str, dict[str, str]]:
    """By output, the settings in which its run differs from the other."""
    if picture.other is None:
        return {}
    others = {id(picture.trace): picture.other, id(picture.other): picture.trace}
    return on_stage(
        picture.runs,
        lambda run: dict.fromkeys(run.outputs, settings_apart(run, others[id(run)])),
    )


def side_marks(side: Side) -> Iterator[tuple[Placed, Marks]]:
    """The :func:`marks` of every tensor of a side; none if they have over 1,024 planes together."""
    if sum(tensor.layout.plane_count for tensor in side.tensors) <= TITLED_PLANES:
        for tensor in side.tensors:
            for part in marks(tensor.layout, (tensor.x, tensor.y)):
                yield tensor, part


def marks(tensor: Layout, corner: tuple[float, float] = (0.0, 0.0)) -> Iterator[Marks]:
    """Titles of planes, and indices along their upper and left edges; none for over 1,024 planes.

    Args:
        tensor: where its cells are.
        corner: its upper left corner within its side, in cells.
    """
    if tensor.plane_count > TITLED_PLANES:
        return
    sizes = tensor.sizes
    # along a dimension that the tensor does not have, nothing is numbered
    rows, columns = (0, 0, *sizes)[-2:]
    planes = [(at, corner[0] + x, corner[1] + y) for at, x, y in tensor.planes()]
    lefts, tops = [x for _at, x, _y in planes], [y for _at, _x, y in planes]
    if len(sizes) > 2:
        outer = (tensor.index((*at, 0, 0))[:-2] for at, _x, _y in planes)
        texts = tuple(print_index((*at, ":", ":")) for at in outer)
        yield Marks("title", tuple(lefts), tuple(tops), texts)
    folded = any(axis.dy for axis in tensor.axes[-1:])
    if len(planes) * (rows + columns) > _INDEX_LIMIT or folded:
        return
    own = ((), (), *tensor.places)[-2:] if tensor.places else (range(rows), range(columns))
    x = tuple(left + j + 0.5 for left in lefts for j in range(columns))
    y = tuple(top for top in tops for _j in range(columns))
    yield Marks("columns", x, y, tuple(map(str, own[-1])) * len(planes))
    x = tuple(left for left in lefts for _i in range(rows))
    y = tuple(top + i + 0.5 for top in tops for i in range(rows))
    yield Marks("rows", x, y, tuple(map(str, own[-2])) * len(planes))
