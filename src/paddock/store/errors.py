"""Errors of the database."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from paddock.core.errors import PaddockError
from paddock.core.i18n import _

log = logging.getLogger("paddock.store")


class StoreError(PaddockError):
    """The database cannot be used; ``str(error)`` says what to do."""


class Unavailable(StoreError):
    """The database does not answer at the moment; it may later."""


class KeyTaken(PaddockError):
    """The key of an answer is not new."""


@contextmanager
def available() -> Iterator[None]:
    """Raise ``Unavailable`` instead of the errors of a database that is gone, full or too slow."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, PoolTimeout, OSError) as error:
        log.error("the database does not answer: %s", getattr(error, "orig", None) or error)
        raise Unavailable(
            _("the database does not answer at the moment: nothing is lost, try again in a few seconds")
        ) from error
