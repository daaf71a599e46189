"""What a class can refuse, each with its status and one sentence in the reader's language."""

from __future__ import annotations

from dmlviz.words import _


class Refusal(Exception):
    """A request that a class does not do.

    Attributes:
        status: of the answer.
        key: what a script tells it by.
    """

    status = 400
    key = "refused"

    def sentence(self) -> str:
        """What went wrong, made when it is read: a writing thread speaks nobody's language."""
        return _("The request is invalid.")


class Invalid(Refusal):
    """Something that was sent is not what it should be."""

    key = "invalid"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self._message = message

    def sentence(self) -> str:  # noqa: D102
        return self._message


class NoClass(Refusal):
    """There is no class with this code, or it has expired."""

    status, key = 404, "no_class"

    def sentence(self) -> str:  # noqa: D102
        return _("There is no class with this code.")


class NotFound(Refusal):
    """There is nothing at this address."""

    status, key = 404, "not_found"

    def sentence(self) -> str:  # noqa: D102
        return _("There is nothing at this address.")


class NotJoined(Refusal):
    """The device has not joined the class."""

    status, key = 403, "not_joined"

    def sentence(self) -> str:  # noqa: D102
        return _("This device has not joined the class. Join with the code first.")


class NotYours(Refusal):
    """The token is missing or is not this class's."""

    status, key = 403, "not_yours"

    def sentence(self) -> str:  # noqa: D102
        return _("Only the teacher's own link allows this.")


class Foreign(Refusal):
    """The request comes from a page of another site."""

    status, key = 403, "foreign"

    def sentence(self) -> str:  # noqa: D102
        return _("The request comes from a page of another site.")


class NotJson(Refusal):
    """The body is not JSON, or not an object."""

    status, key = 415, "not_json"

    def sentence(self) -> str:  # noqa: D102
        return _("The request is not a JSON object.")


class TooLong(Refusal):
    """The body is larger than it may be."""

    status, key = 413, "too_long"

    def sentence(self) -> str:  # noqa: D102
        return _("The request is too long.")


class TooFast(Refusal):
    """More requests than a limit allows."""

    status, key = 429, "too_fast"

    def sentence(self) -> str:  # noqa: D102
        return _("Too many requests. Wait a moment and try again.")


class TooMany(Refusal):
    """No more devices, classes or streams."""

    status, key = 429, "too_many"

    def sentence(self) -> str:  # noqa: D102
        return _("The server is full. Try again later.")


class Closed(Refusal):
    """The vote is not open in this round of this question."""

    status, key = 409, "closed"

    def sentence(self) -> str:  # noqa: D102
        return _("Voting is closed.")


class NotNow(Refusal):
    """The phase does not follow the one that the class is in."""

    status, key = 409, "not_now"

    def sentence(self) -> str:  # noqa: D102
        return _("The class cannot move to that point from here.")


class Stale(Refusal):
    """The class has changed since the asker last saw it."""

    status, key = 409, "stale"

    def sentence(self) -> str:  # noqa: D102
        return _("The class has already moved on.")


class Away(Refusal):
    """The database is locked, full or away: nothing is known to be stored."""

    status, key = 503, "away"

    def sentence(self) -> str:  # noqa: D102
        return _("The class's database does not answer. Try again in a moment.")


class NotShown(Refusal):
    """What is asked for is not shown yet: the question is not on, or not revealed."""

    status, key = 403, "not_shown"

    def sentence(self) -> str:  # noqa: D102
        return _("This has not been shown yet.")


class NoPicture(Refusal):
    """The question's state cannot be drawn."""

    status, key = 404, "no_picture"

    def sentence(self) -> str:  # noqa: D102
        return _("This question has no picture.")
