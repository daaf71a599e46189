"""The refusals of a class, each with a status and one sentence in the reader's language."""

from __future__ import annotations

from dmlviz.words import _


class Refusal(Exception):
    """A request that a class refuses.

    Attributes:
        status: the HTTP status.
        key: identifies the refusal to scripts.
    """

    status = 400
    key = "refused"

    def sentence(self) -> str:
        """What went wrong, in the language of the reader rather than of the writing thread."""
        return _("The request is invalid.")


class Invalid(Refusal):
    """The request contains an invalid value."""

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
    """The body is larger than the limit."""

    status, key = 413, "too_long"

    def sentence(self) -> str:  # noqa: D102
        return _("The request is too long.")


class TooFast(Refusal):
    """The requests exceed a rate limit."""

    status, key = 429, "too_fast"

    def sentence(self) -> str:  # noqa: D102
        return _("Too many requests. Wait a moment and try again.")


class TooMany(Refusal):
    """The limit of devices, classes or streams is reached."""

    status, key = 429, "too_many"

    def sentence(self) -> str:  # noqa: D102
        return _("The server is full. Try again later.")


class Closed(Refusal):
    """The vote is not open in this round of this question."""

    status, key = 409, "closed"

    def sentence(self) -> str:  # noqa: D102
        return _("Voting is closed.")


class NotNow(Refusal):
    """The phase cannot follow the current one."""

    status, key = 409, "not_now"

    def sentence(self) -> str:  # noqa: D102
        return _("The class cannot move to that point from here.")


class Stale(Refusal):
    """The class has changed since the version in the request."""

    status, key = 409, "stale"

    def sentence(self) -> str:  # noqa: D102
        return _("The class has already moved on.")


class Away(Refusal):
    """The database is locked, full or unavailable; the write may not be stored."""

    status, key = 503, "away"

    def sentence(self) -> str:  # noqa: D102
        return _("The class's database does not answer. Try again in a moment.")


class NotShown(Refusal):
    """The question has not been asked or revealed yet."""

    status, key = 403, "not_shown"

    def sentence(self) -> str:  # noqa: D102
        return _("This has not been shown yet.")


class NoPicture(Refusal):
    """The question's state cannot be drawn."""

    status, key = 404, "no_picture"

    def sentence(self) -> str:  # noqa: D102
        return _("This question has no picture.")
