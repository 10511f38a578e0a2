"""A feature: a package of ``paddock.features`` that has its rows, service, pages, API, templates and files.

It says here what the rest of Paddock needs of it. ``paddock.features`` lists all of them; nothing else names
one, and each may be missing: its pages are gone then, and tables are played as before. Besides, its kinds of
tables are ``known`` to the store, its rows say in ``info`` what happens to them when browsers are forgotten
(``store/schema.py``), and its service adds itself to ``Tables``. The rows of a missing one stay, and neither
forgetting nor a backup knows them: leave out only what a database has never had.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.tables import Table, Tables
from paddock.web.links import link
from paddock.web.model import Model
from paddock.web.steps import Step
from paddock.web.timeline import TimelineMark

FEATURES = "features/"  # prefix of their static files


@dataclass(frozen=True)
class Door:
    """A way into a feature on the home page."""

    address: str
    label: str
    says: str  # one sentence
    bold: bool = False  # it waits for the reader
    others: bool = False  # it is about other people: gone for who has muted them


async def _none_waiting(request: Request, holder: str) -> int:
    return 0


@dataclass(frozen=True)
class Place:
    """Where a feature stands in the bar of every page."""

    address: str
    label: str  # to be translated: one short word or two
    icon: str  # of ``_macros.html``
    rank: int  # the lowest comes first
    # How many things wait there for this browser: asked for whole pages only, never for updates
    waiting: Callable[[Request, str], Awaitable[int]] = _none_waiting


@dataclass(frozen=True)
class Beside:
    """What a feature adds to the replay of a game, with its own style and script."""

    # What its templates get under this name; none: there is nothing to show, and no tab
    shown: Callable[[Request, Tables, Table, Step], Awaitable[Any]]
    label: str = ""  # of its tab beside the board: to be translated, one short word
    icon: str = ""  # of ``_macros.html``
    panel: str = ""  # the template of what the tab shows; empty: there is no tab
    # A static file, which also shows the panel that the root element names; and so is the script
    style: str = ""
    script: str = ""
    moment: str = ""  # the template of what the story says of the moment that is shown; empty: nothing
    marks: Callable[[Any], Iterable[TimelineMark]] = lambda _shown: ()  # on the timeline, of what is shown


@dataclass(frozen=True)
class PartShown:
    """What a feature adds to a page."""

    template: str
    shown: Any  # what the template gets under this name


@dataclass(frozen=True)
class BrowserPart:
    """What a feature adds below the games of the home page, or below the results of a browser."""

    template: str
    shown: Callable[[Request], Awaitable[Any]]  # what it gets as ``shown``; None: it is left out


@dataclass(frozen=True)
class SharePart:
    """What a feature adds where the pages of a table say how to share it."""

    template: str
    shown: Callable[[Request, Table, Model], Any]  # what it gets as ``shown``; None: nothing is added


@dataclass(frozen=True)
class Remark:
    """What a feature says on the page of a table that it has made."""

    note: str = ""  # a sentence or two
    address: str = ""  # where to go when the game is over
    label: str = ""


@dataclass(frozen=True)
class TablePanel:
    """A panel that a feature adds to the page of a running table, with a tab; without scripts, a link."""

    offered: Callable[[Table, int | None], bool]  # whether a player (None: a spectator) has it
    address: str  # with ``{table}`` for the id: what the script loads into the panel
    label: str  # of its tab: to be translated, one short word
    icon: str  # of ``_macros.html``
    script: str  # a static file, which also loads the style that shows the panel
    # Begins to load what the panel needs, and returns at once: called whenever a page with it is made
    prepare: Callable[[Tables, Table], object] = lambda _tables, _table: None


@dataclass(frozen=True)
class PanelShown:
    """A panel of a feature on the page of a table."""

    name: str
    address: str
    label: str
    icon: str
    script: str


@dataclass(frozen=True)
class FeatureLink:
    """A link to a feature on other pages."""

    address: str  # at a table with ``{table}`` for its id
    label: str  # to be translated


@dataclass(frozen=True)
class OwnPage:
    """The page of a browser: what it has played, and who it is here."""

    address: str
    more: str  # to be translated: a link to it below the tables of the home page
    shown: Callable[[Request, int, str], Awaitable[Response]]  # the page with a status, and what went wrong
    # Where a script sends a game that was played on the device, as the fields ``game`` and ``record``; it is
    # refused with 422 and a sentence
    played: str = ""


@dataclass(frozen=True)
class TodayLine:
    """What a browser has made of something that everybody can do today."""

    holder: str
    what: str  # the title
    result: str  # in words


async def _nothing_today(request: Request, holders: Collection[str]) -> Sequence[TodayLine] | None:
    return ()


async def _no_doors(request: Request, title: Title) -> Sequence[Door]:
    return ()


@dataclass(frozen=True)
class Feature:
    """What a feature adds to Paddock."""

    module: str  # that declares it: its package has the folders ``templates`` and ``static``, if any
    service: Callable[[Tables], Any] | None = None  # made once, and found by ``Tables.service``
    pages: APIRouter = field(default_factory=APIRouter)
    api: APIRouter = field(default_factory=APIRouter)
    # What it adds to the home page where this title is chosen
    doors: Callable[[Request, Title], Awaitable[Sequence[Door]]] = _no_doors
    analysed: str = ""  # the template of what it says below a complete analysis of a game; empty: nothing
    beside: Beside | None = None
    home: BrowserPart | None = None
    share: SharePart | None = None
    # Of a table that it has made, else None or empty: what its page says, and what it is called in a list
    remark: Callable[[Model], Remark | None] = lambda _model: None
    named: Callable[[Table, datetime], str] = lambda _table, _now: ""
    # What these browsers have made of today, as far as the reader may know; None: the reader must try first
    today: Callable[[Request, Collection[str]], Awaitable[Sequence[TodayLine] | None]] = _nothing_today
    own_page: OwnPage | None = None
    results: BrowserPart | None = None  # what it adds to that of another feature
    place: Place | None = None
    settings: Sequence[FeatureLink] = ()  # in the settings of every page
    at_table: Sequence[FeatureLink] = ()  # at a game with others, for who plays there
    panel: TablePanel | None = None
    # A static file: the module by which notifications come also when no page is open. It exports
    # ``subscribe`` and ``unsubscribe``, for the setting, and ``renew``, for the home page.
    notifier: str = ""
    # A static file: its part of the service worker of this server
    worker: str = ""
    needs: Sequence[str] = ()  # packages: where one is not installed, the feature is left out
    alone: bool = True  # whether one person without a network can use it
    # What a command of a server's operator does every night, and a device after its start
    chores: Callable[[Tables], Awaitable[None]] | None = None
    slow: Callable[[], None] = lambda: None  # loads, when the server has started, what takes long
    shut_out: str = ""  # a sentence, to be translated: what else ends for other devices that are shut out

    @property
    def package(self) -> str:
        """Its package."""
        return self.module.rpartition(".")[0]

    @property
    def name(self) -> str:
        """The name of its package, and the prefix of its templates."""
        return self.package.rpartition(".")[2]

    @property
    def templates(self) -> Path:
        """The folder of its templates, which others name with its name before them: ``pairing/pair.html``."""
        return Path(str(files(self.package))) / "templates"

    def file(self, name: str) -> str:
        """Return the path of one of its static files among all static files."""
        return f"{FEATURES}{self.name}/{name}"

    @property
    def static(self) -> Iterator[tuple[str, Traversable]]:
        """Its static files: path among all static files → file."""
        folder = files(self.package) / "static"
        for file in folder.iterdir() if folder.is_dir() else ():
            yield self.file(file.name), file


def remark(features: Sequence[Feature], model: Model) -> Remark:
    """Return what the page of a table says for the feature that has made it."""
    return next(filter(None, (feature.remark(model) for feature in features)), Remark())


def named(features: Sequence[Feature], table: Table, now: datetime) -> str:
    """Return what a table is called in a list by the feature that has made it; empty: nothing."""
    return next(filter(None, (feature.named(table, now) for feature in features)), "")


async def below_home(features: Sequence[Feature], request: Request) -> list[PartShown]:
    """Return what features add to the home page."""
    return await _shown((feature.home for feature in features), request)


async def below_results(features: Sequence[Feature], request: Request) -> list[PartShown]:
    """Return what features add to the page of a browser, below its results."""
    return await _shown((feature.results for feature in features), request)


async def _shown(parts: Iterable[BrowserPart | None], request: Request) -> list[PartShown]:
    """Return what parts show; one that shows None is left out."""
    shown = [(part.template, await part.shown(request)) for part in parts if part]
    return [PartShown(template, what) for template, what in shown if what is not None]


def panels(features: Sequence[Feature], table: Table, player: int | None) -> list[PanelShown]:
    """Return what features add to the page of a running table as its player (None: a spectator) sees it."""
    return [
        PanelShown(
            feature.name,
            link(it.address.format(table=table.id)),
            _(it.label),
            it.icon,
            feature.file(it.script),
        )
        for feature in features
        if (it := feature.panel) and it.offered(table, player)
    ]


def prepare_panels(features: Sequence[Feature], tables: Tables, table: Table, player: int | None) -> None:
    """Begin to load what the panels need that features add to this page."""
    for feature in features:
        if (panel := feature.panel) and panel.offered(table, player):
            panel.prepare(tables, table)


def shares(features: Sequence[Feature], request: Request, table: Table, model: Model) -> list[PartShown]:
    """Return what features add where a table is shared."""
    return [
        PartShown(part.template, shown)
        for feature in features
        if (part := feature.share) and (shown := part.shown(request, table, model)) is not None
    ]
