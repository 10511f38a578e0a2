"""Errors of tables, besides illegal moves."""

from __future__ import annotations

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence
from paddock.store import Peer, Unavailable


class NoTable(PaddockError):
    """There is no table with this id."""


class Forbidden(PaddockError):
    """This browser has no permission for the seat or the table."""


class Outdated(PaddockError):
    """Something was asked for that is another one by now; nothing was done."""


class TwoHands(Forbidden):
    """A recovery link would show a browser two hands, and did not say that this is meant."""


class Frozen(PaddockError):
    """The table cannot be continued; ``str(error)`` says why."""


class Busy(PaddockError):
    """The server, or this visitor, has too much long work running; it may be asked again later."""


class Stopped(PaddockError):
    """Long work that the server did not finish."""


class Elsewhere(Unavailable):
    """Another server has the table, and answers for it; ``peer`` is None if it is not known which one."""

    def __init__(self, peer: Peer | None = None) -> None:
        super().__init__(Sentence("another server has this table now: nothing is lost, try again"))
        self.peer = peer
