"""A feature: a package of ``paddock.features`` that has its rows, service, pages, API, templates and files.

It says here what the rest of Paddock needs of it. ``paddock.features`` lists all of them; nothing else names
one, and each may be missing: its pages are gone then, and tables are played as before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request

from paddock.core.title import Title
from paddock.tables import Tables

FEATURES = "features/"  # prefix of their static files


@dataclass(frozen=True)
class Door:
    """A way into a feature on the home page."""

    address: str
    label: str
    says: str  # one sentence
    bold: bool = False  # it waits for the reader
    others: bool = False  # it is about other people: gone for who has muted them


@dataclass(frozen=True)
class Link:
    """A link to a feature on other pages."""

    address: str  # at a table with ``{table}`` for its id
    label: str  # to be translated


async def _no_doors(request: Request, title: Title) -> Sequence[Door]:
    return ()


@dataclass(frozen=True)
class Feature:
    """What a feature adds to Paddock."""

    package: str  # with its folders ``templates`` and ``static``, if it has them
    service: Callable[[Tables], Any] | None = None  # made once, and found by ``Tables.service``
    pages: APIRouter = field(default_factory=APIRouter)
    api: APIRouter = field(default_factory=APIRouter)
    # What it adds to the home page where this title is chosen
    doors: Callable[[Request, Title], Awaitable[Sequence[Door]]] = _no_doors
    settings: Sequence[Link] = ()  # in the settings of every page
    at_table: Sequence[Link] = ()  # at a game with others, for who plays there
    # A static file: the module by which notifications come also when no page is open. It exports
    # ``subscribe`` and ``unsubscribe``, for the setting, and ``renew``, for the home page.
    notifier: str = ""
    slow: Sequence[str] = ()  # modules that are loaded when the server has started: they take long
    shut_out: str = ""  # a sentence, to be translated: what else ends for other devices that are shut out

    @property
    def name(self) -> str:
        """The name of its package, and the prefix of its templates."""
        return self.package.rpartition(".")[2]

    @property
    def templates(self) -> Path:
        """The folder of its templates, which others name with its name before them: ``pairing/pair.html``."""
        return Path(str(files(self.package))) / "templates"

    @property
    def static(self) -> Iterator[tuple[str, Traversable]]:
        """Its static files: path among all static files → file."""
        folder = files(self.package) / "static"
        for file in folder.iterdir() if folder.is_dir() else ():
            yield f"{FEATURES}{self.name}/{file.name}", file
