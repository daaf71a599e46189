"""What every page with a stage is: a frozen value, whatever it shows.

To add a kind of page: derive a frozen dataclass from :class:`PageState` with its ten members, which
are ``key``, ``view``, ``tensors`` and the seven abstract methods, and give its page a row in
:data:`dmlviz.states.pages.KINDS`: its form, what a change of a row does, what it does with a
reader's picture, what a new page shows, and how a link is read. Its address, its form, pages
without a server and what a page of the app keeps then work; CONTRIBUTING.md says what the app's own
page needs besides.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Self

from dmlviz.base.addresses import write_link
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.operators import OPERATORS
from dmlviz.picture.scene import STAGE_LIMIT, Scene
from dmlviz.states.inputs import Tensors, check_inputs
from dmlviz.states.view import View
from dmlviz.tensors.types import Array, Sizes

_OPERATORS = frozenset(cls.key for cls in OPERATORS)


class PageState(ABC):
    """The whole of a page as a value; its only other form is its address.

    Attributes:
        key: the page's.
        view: how it is looked at.
        tensors: its inputs by name, in their order.
        call: of several calls, the one on the stage, from 1; 0 for all of them.
    """

    key: str
    view: View
    tensors: Tensors
    call: int = 0
    element_limit: ClassVar[int] = STAGE_LIMIT
    """How many elements all inputs may have together."""

    @abstractmethod
    def with_view(self, view: View) -> Self:
        """The same looked at otherwise."""

    @abstractmethod
    def second(self) -> Self | None:
        """What it is compared with, on the same inputs; None if nothing is compared.

        Raises:
            Error: a text is no setting.
        """

    @abstractmethod
    def values_of(self, name: str, limit: int) -> Array:
        """The elements of an input, which has an allowed number of them.

        Args:
            name: of the input.
            limit: the most numbers in own values.

        Raises:
            Error: they do not fit its sizes or its data type; the field is one of the input.
        """

    @abstractmethod
    def problems(self) -> list[Problem]:
        """Why there is no picture of it, whatever it is compared with; empty if there is one.

        Raises:
            Error: as of :meth:`arrays`, or a text is no setting.
        """

    @abstractmethod
    def scene(
        self, inputs: Mapping[str, Array] | None = None, pair: PageState | None = None
    ) -> Scene:
        """What the stage shows of it, without what it is compared with.

        Args:
            inputs: the state's, if they are made already.
            pair: the state that compares it with another, if there is one.

        Raises:
            Error: it is refused, or the engine cannot run it.
        """

    @abstractmethod
    def outputs(self) -> dict[str, Sizes]:
        """The sizes of its outputs on the stage by name, without what it is compared with.

        Raises:
            Error: it is refused.
        """

    @abstractmethod
    def parameters(self, *, whole: bool = False) -> dict[str, str]:
        """The parameters of its link.

        Args:
            whole: also write defaults, so that the link explains itself.
        """

    # ---- what follows from these, whatever the kind

    @property
    def operators(self) -> tuple[str, ...]:
        """The key of the operator whose page it is; none if it is no operator's."""
        return (self.key,) if self.key in _OPERATORS else ()

    @property
    def lacks(self) -> frozenset[str]:
        """The attributes of a view that the page does not have: operators have feature levels."""
        return frozenset() if self.operators else frozenset({"feature_level"})

    @property
    def is_large(self) -> bool:
        """Whether its tensors have more elements than are drawn, so that an excerpt is."""
        return False

    @property
    def compares(self) -> bool:
        """Whether two are on the stage."""
        return self.second() is not None

    def prefix(self, name: str) -> str:
        """How the parameters of an input begin: with its name, but for an operator's first."""
        return "" if self.operators and name == next(iter(self.tensors)) else f"{name}."

    @property
    def input_title(self) -> str:
        """The title of the only input in pictures; empty where inputs have names."""
        return _("Input") if self.operators and len(self.tensors) == 1 else ""

    def array(self, name: str, limit: int | None = None) -> Array:
        """An input; see :meth:`arrays`."""
        limit = self.element_limit if limit is None else limit
        check_inputs(self.tensors.sizes, limit)
        try:
            return self.values_of(name, limit)
        except Error as error:
            if not self.prefix(name):
                raise
            problem = Problem(error.field, str(error), "").within(name)
            raise Error(problem.message, problem.field) from None

    def arrays(self, limit: int | None = None) -> dict[str, Array]:
        """Every input by name: the page and the command line get the very same arrays.

        Raises:
            TooLarge: there are more than ``limit`` elements together, or, without one, than
                :attr:`element_limit`; nothing was allocated.
            Error: values do not fit the sizes or the data type of their tensor; the field is
                ``values`` of an operator's first input, and such as ``x.values`` of another.
        """
        return {name: self.array(name, limit) for name in self.tensors}

    def inputs(self, limit: int | None = None) -> dict[str, Array]:
        """The tensors that are the inputs on the stage, by name.

        Raises:
            TooLarge, Error: as of :meth:`arrays`.
        """
        return self.arrays(limit)

    def controls(self) -> frozenset[str]:
        """Those of :meth:`inputs` that only choose elements."""
        return self.tensors.controls

    def second_problems(self) -> list[Problem]:
        """As :meth:`problems`, of what it is compared with; each has the field of a row of B."""
        second = self.second()
        return [] if second is None else second.problems()

    def scenes(self, inputs: Mapping[str, Array] | None = None) -> tuple[Scene, ...]:
        """What the stage shows: its scene, and that of what it is compared with.

        Raises:
            Error: as of :meth:`scene`.
        """
        second = self.second_scene(inputs)
        first = self.scene(inputs, self)
        return (first,) if second is None else (first, second)

    def second_scene(self, inputs: Mapping[str, Array] | None = None) -> Scene | None:
        """The second of :meth:`scenes`; None if nothing is compared."""
        second = self.second()
        return None if second is None else second.scene(inputs, self)

    def stage_sizes(self) -> list[Sizes]:
        """The sizes of every output on the stage, those of B last; none of what is refused."""
        sizes: list[Sizes] = []
        for state in (self, self.second()):
            try:
                sizes += [] if state is None else state.outputs().values()
            except Error:
                continue
        return sizes

    @property
    def rank(self) -> int:
        """The most dimensions of a tensor of the picture, as far as the outputs are known."""
        return max(map(len, (*self.tensors.sizes.values(), *self.stage_sizes())), default=0)

    @property
    def several(self) -> bool:
        """Whether there can be several outputs on the stage, so that a pin names its own."""
        return len(self.stage_sizes()) > 1

    def address(self, *, whole: bool = False) -> str:
        """Its address, relative to the app's root.

        :func:`dmlviz.states.pages.read_any_link` reads it back.

        >>> from dmlviz.states import first_state
        >>> first_state("tile").address()
        '/tile'
        """
        return write_link(self.key, self.parameters(whole=whole))

    def addressed(self) -> Self | None:
        """The state; None if its own values are too many for an address."""
        return self if self.tensors.fits_address else None

    def without_player(self) -> Self:
        """The state as far as the server keeps it."""
        return self.with_view(self.view.without_player())
