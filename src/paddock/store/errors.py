"""Errors of the database."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence

log = logging.getLogger("paddock.store")


class StoreError(PaddockError):
    """The database cannot be used; ``str(error)`` says what to do."""


class Unavailable(StoreError):
    """The database does not answer at the moment; it may later."""


class InUse(StoreError):
    """Another server uses the database."""


class Newer(StoreError):
    """The schema of the database is from a newer version."""


class KeyTaken(PaddockError):
    """The key of an answer is not new."""


@contextmanager
def available() -> Iterator[None]:
    """Raise ``Unavailable`` instead of the errors of a database that is gone, full, too slow or in use."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, PoolTimeout, OSError, InUse) as error:
        log.error("the database does not answer: %s", getattr(error, "orig", None) or error)
        raise no_answer() from error


def no_answer() -> Unavailable:
    """Return the error of a database that does not answer; its words are in the language of each reader."""
    return Unavailable(
        Sentence("the database does not answer at the moment: nothing is lost, try again in a few seconds")
    )


def passes(error: Exception) -> bool:
    """Whether an error of opening a database may go away: the server is down or starts, the disk is full."""
    if isinstance(error, ConnectionError | TimeoutError):
        return True
    cause = getattr(error, "orig", None)
    if isinstance(getattr(cause, "__cause__", None), ConnectionError | TimeoutError):
        return True
    # Classes of SQLSTATE: no connection, not enough resources, a lock, an operator's action.
    state = str(getattr(cause, "sqlstate", None) or "")
    return state[:2] in ("08", "53", "55", "57") or any(
        word in str(cause) for word in ("is locked", "disk is full")
    )
