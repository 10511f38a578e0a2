"""Whether the options of a form fit together, and which single changes would make them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from paddock.core.errors import BadOption
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.web.forms import named

Read = Callable[[Mapping[str, str]], Options]


@dataclass(frozen=True)
class Fix:
    """A change that would make the options valid."""

    name: str
    value: str
    words: str  # «Grid: the Large Grid»


@dataclass(frozen=True)
class Fitted:
    """The options of a form, or the nearest valid ones; what is wrong, and what would fix it."""

    options: Options
    said: Sequence[tuple[str, str]] = ()  # (option or "", sentence)
    fixes: Sequence[Fix] = ()


def fitted(title: Title, read: Read, given: Mapping[str, str]) -> Fitted:
    """Read the options of a form."""
    try:
        return Fitted(read(given))
    except BadOption as error:
        nearest = _nearest(read, {name: given[name] for name in given if name not in error.wrong})
        return Fitted(nearest, error.said, _fixes(title, read, given, error.wrong))


def _fixes(title: Title, read: Read, given: Mapping[str, str], wrong: Collection[str]) -> list[Fix]:
    """Return the single changes that would make the options valid, basic options first.

    ``wrong`` are the options that are invalid by themselves: no change of another one makes them valid.
    """
    if len(wrong) > 1:
        return []
    out = []
    for row in sorted(title.options.describe(), key=lambda row: row.advanced):
        if (wrong and row.name not in wrong) or row.kind in ("integer", "array", "data"):
            continue
        for value, label, _says in row.values or [(row.default, row.default, "")]:
            try:
                read(dict(given) | {row.name: value})
            except BadOption:
                continue
            out.append(Fix(row.name, value, f"{named(row)}: {label}"))
    return out


def _nearest(read: Read, given: Mapping[str, str]) -> Options:
    """Return valid options: the given ones without those that cause an error. For a page with errors."""
    fine: dict[str, str] = {}
    for name, value in given.items():
        try:
            read(fine | {name: value})
            fine[name] = value
        except BadOption:
            continue
    return read(fine)
