"""What stands round the cells: the heads of tensors, titles of planes, indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from dmlviz.scene import Layout, Scene
from dmlviz.scene.runs import on_stage, print_settings, settings_apart
from dmlviz.tensors import data_type_of, print_sizes
from dmlviz.words import _

_INDEX_LIMIT = 400


@dataclass(frozen=True)
class Marks:
    """Texts of one kind along the edges of a tensor's planes.

    Attributes:
        kind: ``title``, ``columns`` or ``rows``.
        x, y: where each of them stands, in cells: at the edge of its plane. Whoever knows the
            size of a cell moves it off the edge.
        texts: what they say.
    """

    kind: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Head:
    """What stands above a tensor.

    Attributes:
        name: what it is called.
        sizes, data_type: as DirectML writes them.
        settings: in which its run is not as the other; none where there is one run.
    """

    name: str
    sizes: str
    data_type: str
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def setting(self) -> str:
        """The settings with their names."""
        return print_settings(self.settings)

    @property
    def value(self) -> str:
        """The settings alone, which often tell what they are."""
        return ", ".join(self.settings.values())

    @property
    def rests(self) -> list[str]:
        """What is said behind the name where there is room, ever shorter; the last is empty."""
        rests = [f"{self.sizes} {self.data_type}", self.sizes, ""]
        if not self.settings:
            return rests
        return [*(f"{self.setting}  {rest}".rstrip() for rest in rests), self.value, *rests[1:]]

    @property
    def whole(self) -> str:
        """All that there is to say."""
        return f"{self.name}  {self.rests[0]}"


def heads(picture: Scene) -> list[Head]:
    """What stands above every tensor, inputs first: its name, sizes and data type.

    Above the outputs of two runs stands the setting in which one is not as the other.
    """
    inputs, outputs = picture.trace.inputs, picture.outputs
    apart = _settings_apart(picture)
    arrays = [(t.name, inputs[t.name], _("Input")) for t in picture.input.tensors]
    arrays += [(t.name, outputs[t.name], _("Output")) for t in picture.output.tensors]
    return [
        Head(
            word if picture.single else name,
            print_sizes(array.shape),
            data_type_of(array.dtype),
            apart.get(name, {}),
        )
        for name, array, word in arrays
    ]


def _settings_apart(picture: Scene) -> dict[str, dict[str, str]]:
    """By output, the settings in which its run is not as the other."""
    if picture.other is None:
        return {}
    one, two = picture.trace.operator, picture.other.operator
    others = {id(picture.trace): two, id(picture.other): one}
    return on_stage(
        picture.runs,
        lambda run: dict.fromkeys(run.outputs, settings_apart(run.operator, others[id(run)])),
    )


def marks(tensor: Layout, corner: tuple[float, float] = (0.0, 0.0)) -> Iterator[Marks]:
    """Titles of planes, and indices along their upper and left edges.

    Args:
        tensor: where its cells are.
        corner: its upper left corner within its side, in cells.
    """
    sizes = tensor.sizes
    columns, rows = sizes[-1], sizes[-2] if len(sizes) > 1 else 0
    planes = [(at, corner[0] + x, corner[1] + y) for at, x, y in tensor.planes()]
    lefts, tops = [x for _at, x, _y in planes], [y for _at, _x, y in planes]
    if len(sizes) > 2:
        texts = tuple(f"[{', '.join(map(str, at))}, :, :]" for at, _x, _y in planes)
        yield Marks("title", tuple(lefts), tuple(tops), texts)
    folded = tensor.axes[-1].dy
    if len(planes) * (rows + columns) > _INDEX_LIMIT or folded:
        return
    x = tuple(left + j + 0.5 for left in lefts for j in range(columns))
    y = tuple(top for top in tops for _j in range(columns))
    yield Marks("columns", x, y, tuple(map(str, range(columns))) * len(planes))
    x = tuple(left for left in lefts for _i in range(rows))
    y = tuple(top + i + 0.5 for top in tops for i in range(rows))
    yield Marks("rows", x, y, tuple(map(str, range(rows))) * len(planes))
