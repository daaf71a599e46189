"""The refusals of a class, each with a status and one sentence in the reader's language."""

from __future__ import annotations

from dmlviz.base.words import _


class ClassRefusal(Exception):
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


class Invalid(ClassRefusal):
    """The request contains an invalid value."""

    key = "invalid"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self._message = message

    def sentence(self) -> str:
        return self._message


class NoClass(ClassRefusal):
    """There is no class with this code, or it has expired."""

    status, key = 404, "no_class"

    def sentence(self) -> str:
        return _("There is no class with this code.")


class NotFound(ClassRefusal):
    """There is nothing at this address."""

    status, key = 404, "not_found"

    def sentence(self) -> str:
        return _("There is nothing at this address.")


class NotJoined(ClassRefusal):
    """The device has not joined the class."""

    status, key = 403, "not_joined"

    def sentence(self) -> str:
        return _("This device has not joined the class. Join with the code first.")


class NotYours(ClassRefusal):
    """The token is missing or is not this class's."""

    status, key = 403, "not_yours"

    def sentence(self) -> str:
        return _("Only the teacher's own link allows this.")


class Foreign(ClassRefusal):
    """The request comes from a page of another site."""

    status, key = 403, "foreign"

    def sentence(self) -> str:
        return _("The request comes from a page of another site.")


class NotJson(ClassRefusal):
    """The body is not JSON, or not an object."""

    status, key = 415, "not_json"

    def sentence(self) -> str:
        return _("The request is not a JSON object.")


class TooLong(ClassRefusal):
    """The body is larger than the limit."""

    status, key = 413, "too_long"

    def sentence(self) -> str:
        return _("The request is too long.")


class TooFast(ClassRefusal):
    """The requests of one device exceed its rate limit."""

    status, key = 429, "too_fast"

    def sentence(self) -> str:
        return _("This device sends too many requests. Wait a moment and try again.")


class WrongCodes(TooFast):
    """Too many wrong codes came from one address."""

    key = "wrong_codes"

    def sentence(self) -> str:
        return _("Too many wrong codes came from this network. Check the four letters.")


class JoinsTooFast(TooFast):
    """Too many new devices of one address join a class at the same time."""

    key = "joins_too_fast"

    def sentence(self) -> str:
        return _("Too many devices of this network are joining at once. Wait a moment.")


class OpensTooFast(TooFast):
    """Too many classes are opened from one address in a short time."""

    key = "opens_too_fast"

    def sentence(self) -> str:
        return _("Too many classes were just started from this network. Wait 20 seconds.")


class PicturesBusy(TooFast):
    """Too many pictures wait to be drawn."""

    key = "pictures_busy"

    def sentence(self) -> str:
        return _("Too many pictures are waiting to be drawn. Try again in a moment.")


class TooMany(ClassRefusal):
    """A limit of devices, classes or streams is reached.

    Args:
        most: the limit.
    """

    status, key = 429, "too_many"

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class ClassFull(TooMany):
    """The class has its most devices."""

    key = "class_full"

    def sentence(self) -> str:
        return _("This class is full: its limit is {most} devices.").format(most=self.most)


class AddressFull(TooMany):
    """The class has the most devices of this address that the teacher allows."""

    key = "address_full"

    def sentence(self) -> str:
        sentence = _(
            "This class has {most} devices of this network, its limit. The teacher can raise it."
        )
        return sentence.format(most=self.most)


class StreamsFull(TooMany):
    """This process has its most streams of this kind."""

    key = "streams_full"

    def sentence(self) -> str:
        sentence = _("The server's limit of {most} open class pages is reached. Try again later.")
        return sentence.format(most=self.most)


class AddressStreamsFull(TooMany):
    """This address has its most streams of this kind in this process."""

    key = "address_streams_full"

    def sentence(self) -> str:
        sentence = _("The limit of {most} open class pages for one network is reached.")
        return sentence.format(most=self.most)


class ClassesFull(TooMany):
    """The most classes are open."""

    key = "classes_full"

    def sentence(self) -> str:
        sentence = _("The server's limit of {most} classes is reached. Try again later.")
        return sentence.format(most=self.most)


class AddressClassesFull(TooMany):
    """The most classes of one address are open."""

    key = "address_classes_full"

    def sentence(self) -> str:
        sentence = _(
            "The limit of {most} open classes for one network is reached. Delete a class first."
        )
        return sentence.format(most=self.most)


class Locked(ClassRefusal):
    """The teacher has closed the class to new devices."""

    status, key = 423, "locked"

    def sentence(self) -> str:
        return _("The teacher has closed the class to new devices.")


class NoNicknames(ClassRefusal):
    """The class takes no nicknames."""

    status, key = 409, "no_nicknames"

    def sentence(self) -> str:
        return _("This class takes no nicknames.")


class Closed(ClassRefusal):
    """The vote is not open in this round of this question."""

    status, key = 409, "closed"

    def sentence(self) -> str:
        return _("Voting is closed.")


class NotNow(ClassRefusal):
    """The phase cannot follow the current one."""

    status, key = 409, "not_now"

    def sentence(self) -> str:
        return _("The class cannot move to that point from here.")


class Stale(ClassRefusal):
    """The class has changed since the version in the request."""

    status, key = 409, "stale"

    def sentence(self) -> str:
        return _("The class has already moved on.")


class Away(ClassRefusal):
    """The database is locked or unavailable; the write may not be stored."""

    status, key = 503, "away"

    def sentence(self) -> str:
        return _("The class's database does not answer. Try again in a moment.")


class NotSetUp(ClassRefusal):
    """This server's settings name no usable database."""

    status, key = 503, "not_set_up"

    def sentence(self) -> str:
        return _("This server is not set up for classes. Its log says why.")


class DiskFull(Away):
    """The database's disk has no room; the write is not stored."""

    key = "disk_full"

    def sentence(self) -> str:
        return _("The disk of the class's database is full. Nothing is stored until it has room.")


class Damaged(Away):
    """The database's file is damaged or is not a database."""

    key = "damaged"

    def sentence(self) -> str:
        return _("The class's database is damaged. The server's log names the file.")


class NotRevealed(ClassRefusal):
    """The question has not been asked or revealed yet."""

    status, key = 403, "not_shown"

    def sentence(self) -> str:
        return _("This has not been shown yet.")


class NoPicture(ClassRefusal):
    """The question's state cannot be drawn."""

    status, key = 404, "no_picture"

    def sentence(self) -> str:
        return _("This question has no picture.")
