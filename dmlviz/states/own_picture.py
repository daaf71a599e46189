"""A reader's own picture in a tensor: which part of it, in how many channels, and how wide."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial

from dmlviz.base.deferred import dataclass
from dmlviz.base.spelling import read_integer
from dmlviz.base.words import _
from dmlviz.operators import Operator
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.controls import OWN_PICTURE_ROW, FormControl, FormField
from dmlviz.tensors import OwnPicture
from dmlviz.tensors.own_picture import KEPT_SIDE, USED_SIDE, USUAL_SIDE
from dmlviz.tensors.types import Sizes

FILE = "own_picture"
"""The parameter of a change that brings another picture; no link has it."""

COLUMNS, ROWS = f"{FILE}_columns", f"{FILE}_rows"
CHANNELS, WIDTH = f"{FILE}_channels", f"{FILE}_width"
CHOICES = (COLUMNS, ROWS, CHANNELS, WIDTH)
"""The parameters of changes of what tensors show of it; no link has them."""

COLOR, GRAY = 3, 1
"""The channels that a picture can have."""

WHOLE = (0, 100)
"""All of the columns or rows, in percent."""


_row = partial(FormField, picture=OWN_PICTURE_ROW)


@dataclass(frozen=True)
class PictureChoice:
    """A reader's own picture, and what of it tensors show.

    Attributes:
        picture: all of it, at most 512 by 512 pixels.
        columns, rows: where the part starts and ends, in percent from the left and from the top.
        channels: :data:`COLOR` or :data:`GRAY`.
        width: in pixels; 0 for one that makes the longer side about 48.
    """

    picture: OwnPicture
    columns: tuple[int, int] = WHOLE
    rows: tuple[int, int] = WHOLE
    channels: int = COLOR
    width: int = 0

    @cached_property
    def part(self) -> OwnPicture:
        """The part that was chosen, at most 256 by 256 pixels."""
        return self.picture.cropped(self.rows, self.columns)

    @property
    def widest(self) -> int:
        """The largest width that fits on the stage, at most 256; at least 1."""
        heights = ((width, self._height(width)) for width in range(1, USED_SIDE + 1))
        fitting = (
            width
            for width, height in heights
            if self.channels * width * height <= STAGE_LIMIT and height <= USED_SIDE
        )
        return max(fitting, default=1)

    @property
    def width_on_stage(self) -> int:
        """The width that was chosen, as far as it fits."""
        part = self.part
        usual = max(1, USUAL_SIDE * part.width // max(part.width, part.height))
        return min(self.width or usual, self.widest)

    @property
    def colors(self) -> str:
        """What colors show first: its own, or how large values are."""
        return "planes" if self.channels == COLOR else "value"

    def _height(self, width: int) -> int:
        """The height in pixels that keeps the part's proportions."""
        return max(1, round(width * self.part.height / self.part.width))

    def sizes(self, cls: type[Operator], operator: Operator | None) -> Sizes:
        """The sizes of the first input that shows it.

        They are empty where the operator takes no tensor of four dimensions: the picture is then
        drawn in the sizes that are there.

        Args:
            cls: the operator.
            operator: with its settings; None while they are invalid.
        """
        if 4 not in cls.ranks_ever():
            return ()
        width = self.width_on_stage
        height = self._height(width)
        if operator is None:
            return (1, self.channels, height, width)
        return operator.picture_sizes(self.channels, height, width)

    def changed(self, name: str, text: str) -> PictureChoice:
        """The choice after somebody changed one of its parameters.

        Args:
            name: one of :data:`CHOICES`.
            text: its new value.

        Raises:
            Error: the text is no such value.
        """
        if name in (COLUMNS, ROWS):
            ends = [read_integer(name, end, *WHOLE) for end in text.split(",", 1)]
            part = (min(ends), max(ends))
            return replace(self, columns=part) if name == COLUMNS else replace(self, rows=part)
        if name == CHANNELS:
            return replace(self, channels=COLOR if text == str(COLOR) else GRAY)
        return replace(self, width=read_integer(_("Width in pixels"), text, 1, self.widest))


def part_fields(choice: PictureChoice) -> tuple[FormField, FormField]:
    """The rows for the part, which every tensor can show."""
    least, most = WHOLE
    ends = tuple(
        FormControl("slider", titles=(title,), least=least, most=most)
        for title in (_("Start"), _("End"))
    )
    columns, rows = (tuple(map(str, part)) for part in (choice.columns, choice.rows))
    return (
        _row(COLUMNS, _("Columns, in percent from the left"), "", ends, True, columns),
        _row(ROWS, _("Rows, in percent from the top"), "", ends, True, rows),
    )


def titles_of_channels() -> dict[int, str]:
    """The channels that a picture can have, and what people read for them."""
    return {COLOR: _("Red, green, blue"), GRAY: _("Gray")}


def channels_field(choice: PictureChoice) -> FormField:
    """The row for the channels, which the first input gets."""
    titles = titles_of_channels()
    menu = FormControl("menu", tuple(titles), tuple(titles.values()))
    return _row(CHANNELS, _("Channels"), "", (menu,), values=(str(choice.channels),))


def width_field(choice: PictureChoice) -> FormField:
    """The row for the width, which the first input gets."""
    number = FormControl("number", least=1, most=choice.widest, step=1)
    help_text = _(
        "The height follows. A tensor has at most {most:,} elements here, and the output may "
        "be larger than the input."
    ).format(most=STAGE_LIMIT)
    width = (str(choice.width_on_stage),)
    return _row(WIDTH, _("Width in pixels"), help_text, (number,), values=width)


def file_field() -> FormField:
    """The row in which a picture is chosen."""
    wrong = _("This is not a PNG, JPEG or WebP picture that the browser can read.")
    control = FormControl("file", titles=(_("Choose a file"), wrong), most=KEPT_SIDE)
    help_text = _("PNG, JPEG or WebP. You can also drop a picture here, or paste one.")
    return _row(FILE, _("My own picture"), help_text, (control,), values=("",))
