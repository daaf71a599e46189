"""Rate limits: a bounded number of token buckets."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from dmlviz.classroom.database import USUAL_DEVICES
from dmlviz.classroom.refusals import WrongCodes


class RateLimit:
    """A rate limit for each asker: a burst, then so many requests a second.

    Args:
        at_once: the most requests that an asker can make at once.
        per_second: how many more are allowed each second.
        most: how many askers are remembered; the least recent one is forgotten first.
        clock: gives the time in seconds.

    >>> limit = RateLimit(2, 1.0, clock=lambda: 0.0)
    >>> limit.take("a"), limit.take("a"), limit.take("a"), limit.take("b")
    (True, True, False, True)
    """

    def __init__(
        self,
        at_once: float,
        per_second: float,
        most: int = 20_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once, self._per_second, self._most = at_once, per_second, most
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def has(self, asker: Hashable) -> bool:
        """Whether the asker can make another request."""
        return self._now(asker) >= 1

    def take(self, asker: Hashable) -> bool:
        """Count one request; False if none is left."""
        left = self._now(asker)
        taken = left >= 1
        self._left[asker] = (left - taken, self._clock())
        self._left.move_to_end(asker)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return taken

    def _now(self, asker: Hashable) -> float:
        left, at = self._left.get(asker, (self._at_once, 0.0))
        return min(self._at_once, left + (self._clock() - at) * self._per_second)


@dataclass(frozen=True)
class Limits:
    """The limits of one process.

    A whole school can share one address, so what one person there does must not shut out the
    others: a right code is always admitted, however many wrong ones came from its address.
    A code is therefore no secret; the teacher can close the class and remove devices.

    Attributes:
        device: requests of one device.
        failed: wrong codes of one address.
        joins: new devices of one address in one class.
        opened: classes opened from one address.
    """

    device: RateLimit
    failed: RateLimit
    joins: RateLimit
    opened: RateLimit

    def has_failed(self, address: str) -> None:
        """Count a wrong code.

        Raises:
            WrongCodes: the address has sent too many.
        """
        if not self.failed.take(address):
            raise WrongCodes


def usual_limits(devices: int = USUAL_DEVICES) -> Limits:
    """The default limits of the app, for classes of so many devices."""
    return Limits(
        device=RateLimit(30, 3.0),
        failed=RateLimit(40, 0.5),
        joins=RateLimit(max(500.0, devices / 2), max(10.0, devices / 100)),
        opened=RateLimit(20, 0.05),
    )
