"""The titles that are installed, found by their entry points."""

from __future__ import annotations

import copyreg
import logging
import re
from functools import cache
from typing import Any

from paddock.core.errors import PaddockError, brief, quoted
from paddock.core.i18n import _, use_packages
from paddock.core.rooms import above
from paddock.core.title.facts import PROTOCOL, Title

GROUP = "paddock.titles"
# A requirement of the project that has our old name. It may install its own package «paddock» over this one.
STRANGER = re.compile(r"paddock(?![\w.-])", re.IGNORECASE)

log = logging.getLogger("paddock")


@cache
def titles() -> dict[str, Title]:
    """Return every title that can be played, by name; all are found by their entry points.

    A title that cannot be imported, or was written for another version of the title protocol, is left out:
    ``title`` says why. The log names those that cannot be imported.
    """
    installed, faults, notes = _installed()
    if warnings := [*faults.values(), *notes]:
        from multiprocessing import current_process  # imported late: rarely needed

        if current_process().name == "MainProcess":  # workers find the same
            for warning in warnings:
                log.warning(warning)
    fit = {name: warning for name, warning in installed.items() if warning.protocol == PROTOCOL}
    use_packages(title.package.partition(".")[0] for title in fit.values())
    return fit


def _installed() -> tuple[dict[str, Title], dict[str, str], set[str]]:
    """Return the titles that can be imported, and why others cannot, by name; and what is wrong with packages
    that can be."""
    from importlib.metadata import entry_points  # imported late: it is slow to import

    titles_found: dict[str, Title] = {}
    faults: dict[str, str] = {}
    notes: set[str] = set()
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            installed = point.load()
            if not isinstance(installed, Title):
                raise TypeError(_("{what} is not a Title").format(what=point.value))
            titles_found[point.name] = installed
        except (Exception, SystemExit) as error:  # anything may go wrong in a package of others
            template = _("the title {name} is left out: the package {package} cannot be imported ({error})")
            faults[point.name] = template.format(
                name=point.name,
                package=point.dist.name if point.dist else point.module,
                error=brief(f"{type(error).__name__}: {error}", 200),
            )
        if point.dist and any(map(STRANGER.match, point.dist.requires or ())):
            template = _(
                "the package {package} depends on “paddock”, which is another project on the package index: "
                "write paddock-games in its pyproject.toml, and install it again"
            )
            notes.add(template.format(package=point.dist.name))
    return titles_found, faults, notes


def title(name: Title | str) -> Title:
    """Return the title ``name``, or a title as it is; raise ``PaddockError`` with the known names."""
    if isinstance(name, Title):
        return name
    if not isinstance(name, str):
        raise PaddockError(_no_title(quoted(name)))
    if known := titles().get(name):
        return known
    every_title, faults, _notes = _installed()
    if name in faults:
        raise PaddockError(faults[name])
    if unfit := every_title.get(name):
        raise PaddockError(
            _(
                "{name} was written for version {theirs} of the title protocol, but this version of "
                "Paddock uses {ours}: install a matching release of {package}"
            ).format(name=name, theirs=unfit.protocol, ours=PROTOCOL, package=unfit.package.partition(".")[0])
        )
    raise PaddockError(_no_title(f"“{brief(name)}”"))


def _no_title(name: str) -> str:
    return _("there is no title {name}; the titles are {titles}").format(
        name=name, titles=", ".join(titles())
    )


def _pickled(pickled: Title) -> tuple[Any, ...]:
    """Pickle an installed title as its name, any other as its fields."""
    return (title, (pickled.name,)) if titles().get(pickled.name) is pickled else pickled.__reduce__()


copyreg.pickle(Title, _pickled)
above.register_titles(titles)
