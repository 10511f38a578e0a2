"""The terms of tables in the API: fields of requests and responses, made from their declaration."""

from __future__ import annotations

from typing import Any, TypeVar, get_args

from pydantic import BaseModel, Field, create_model

from paddock.tables import HINTS, Terms

M = TypeVar("M", bound=BaseModel)


def asks_terms(model: type[M]) -> type[M]:
    """Add a field for each term to a request, with its default and bounds."""
    return _with(model, {name: (hint, getattr(Terms, name)) for name, hint in HINTS.items()})


def shows_terms(model: type[M]) -> type[M]:
    """Add a field for each term to a response that does not declare it itself."""
    found = {}
    for name, hint in HINTS.items():
        plain, *_column, fact = get_args(hint)
        found[name] = plain, Field(description=fact.description)
    return _with(model, found)


def _with(model: type[M], found: dict[str, Any]) -> type[M]:
    more = {name: fact for name, fact in found.items() if name not in model.model_fields}
    return create_model(
        model.__name__, __base__=model, __doc__=model.__doc__, __module__=model.__module__, **more
    )


def terms_of(request: BaseModel) -> Terms:
    """Return the terms in a request."""
    return Terms(**{name: getattr(request, name) for name in HINTS})
