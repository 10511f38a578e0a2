"""The titles that are installed, found by their entry points."""

from __future__ import annotations

import copyreg
from functools import cache
from typing import Any, cast

from paddock.core.errors import PaddockError, brief, quoted
from paddock.core.i18n import _, use_packages
from paddock.core.title.facts import PROTOCOL, Title

GROUP = "paddock.titles"


@cache
def titles() -> dict[str, Title]:
    """Return every title that can be played, by name; all are found by their entry points.

    A title that was written for another version of the title protocol is left out: ``title`` says why.
    """
    found = {name: one for name, one in _installed().items() if one.protocol == PROTOCOL}
    use_packages(one.package.partition(".")[0] for one in found.values())
    return found


def _installed() -> dict[str, Title]:
    from importlib.metadata import entry_points  # imported late: it is slow to import

    return {e.name: cast(Title, e.load()) for e in sorted(entry_points(group=GROUP), key=lambda e: e.name)}


def title(name: Title | str) -> Title:
    """Return the title ``name``, or a title as it is; raise ``PaddockError`` with the known names."""
    if isinstance(name, Title):
        return name
    if not isinstance(name, str):
        raise PaddockError(_no_title(quoted(name)))
    found = titles().get(name)
    if found is None and (unfit := _installed().get(name)):
        raise PaddockError(
            _(
                "{name} was written for version {theirs} of the title protocol, but this version of "
                "Paddock uses {ours}: install a matching release of {package}"
            ).format(name=name, theirs=unfit.protocol, ours=PROTOCOL, package=unfit.package.partition(".")[0])
        )
    if found is None:
        raise PaddockError(_no_title(f"«{brief(name)}»"))
    return found


def _no_title(name: str) -> str:
    return _("there is no title {name}; the titles are {titles}").format(
        name=name, titles=", ".join(titles())
    )


def _pickled(one: Title) -> tuple[Any, ...]:
    """Pickle an installed title as its name, any other as its fields."""
    return (title, (one.name,)) if titles().get(one.name) is one else one.__reduce__()


copyreg.pickle(Title, _pickled)
