"""What the page says of the finished games of a browser. Pure: it is made beside the event loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paddock.bots import levels
from paddock.bots.analysis import kind_names
from paddock.bots.ledger import Amount, Total
from paddock.core.i18n import _
from paddock.core.title import titles
from paddock.core.wording import dated
from paddock.core.wording import number as figure
from paddock.features.mygames.games import Finished, GamesTally, Rivalry, by_title, rivalries, sums, tally
from paddock.web.links import link

SHOWN = 24  # finished games on the page, unless all are asked for
PAGE = 100  # of all
STRIP = 16  # results in a row
RIVALS = 12  # opponents on the page


@dataclass(frozen=True)
class Figures:
    """What some games add up to, in words; empty where nothing is known."""

    games: str
    wins: str
    place: str  # the average
    clocks: str  # games in which the time never ran out
    error: str  # points that a decision costs
    left: str  # games that were left


@dataclass(frozen=True)
class Chip:
    """A result in a row of them."""

    place: int | str
    won: bool
    said: str


@dataclass(frozen=True)
class SumsShown:
    """Where the points came from."""

    titles: Sequence[tuple[str, int]]  # each with its number of games
    # For each part: its name, the points a game and their error for each title, whether it is one's own work
    rows: Sequence[tuple[str, Sequence[tuple[str, str]], bool]]
    results: Sequence[str]


@dataclass(frozen=True)
class RivalLine:
    """Games against somebody."""

    name: str
    games: int
    ahead: int
    behind: int


@dataclass(frozen=True)
class GameLine:
    """A finished game."""

    url: str  # empty: this server has no table of it
    title: str
    names: str
    won: bool
    place: int | str
    facts: str
    date: str  # as in ``<time datetime>``
    day: str


@dataclass(frozen=True)
class FinishedGames:
    """All of it: some games, the newest or a page of all, and what all games add up to."""

    total: Figures | None = None  # None: there is no game
    strip: Sequence[Chip] = ()
    titles: Sequence[tuple[str, Figures]] = ()
    sums: SumsShown | None = None
    rivals: Sequence[RivalLine] = ()
    games: Sequence[GameLine] = ()
    more: int = 0  # games that are not shown
    newer: str | None = None  # the addresses of the pages before and after this one
    older: str | None = None


def finished(every: bool, page: int, games: Sequence[Finished]) -> FinishedGames:
    """Return what the page says of these games; ``every``: a page of all, else the newest."""
    labels = {level.name: level.label for title in titles().values() for level in levels(title)}
    first, end = (PAGE * (page - 1), PAGE * page) if every else (0, SHOWN)
    return FinishedGames(
        total=_figures(tally(games)) if games else None,
        strip=[_chip(game) for game in [game for game in games if game.counts][:STRIP]],
        titles=[(_label(name), _figures(total)) for name, total in by_title(games).items()],
        sums=_sums(sums(games)),
        rivals=[_rival(rivalry, labels) for rivalry in rivalries(games)[:RIVALS]],
        games=[_line(game) for game in games[first:end]],
        more=0 if every else max(0, len(games) - SHOWN),
        newer=_page_url(page - 1) if every and page > 1 else None,
        older=_page_url(page + 1) if every and end < len(games) else None,
    )


def _page_url(page: int) -> str:
    return link("/me?all=yes" + (f"&page={page}" if page > 1 else "") + "#games")


def _label(title: str) -> str:
    """Return the label of a title, which may not be installed here."""
    return titles()[title].label if title in titles() else title


def _figures(total: GamesTally) -> Figures:
    place = ""
    if total.place is not None and total.field is not None:
        place = _("{place} of {n}").format(place=figure(total.place, ".1f"), n=figure(total.field, ".1f"))
    return Figures(
        games=str(total.games),
        wins=str(total.wins),
        place=place,
        clocks=_("{n} of {of}").format(n=total.kept, of=total.timed) if total.timed else "",
        error="" if total.error is None else figure(total.error, ".2f"),
        left=str(total.left) if total.left else "",
    )


def _sums(totals: Mapping[str, Total]) -> SumsShown | None:
    """Return where the points came from, by title and on average; None without an analysed game."""
    if not totals:
        return None
    rows = []
    for kind, name in kind_names().items():
        cells = [_amount(total.parts[kind], total.games) for total in totals.values()]
        if any(points for points, _error in cells):
            rows.append((name, cells, kind == "skill"))
    return SumsShown(
        titles=[(_label(name), total.games) for name, total in totals.items()],
        rows=rows,
        results=[figure(total.result / total.games, "+.2f") for total in totals.values()],
    )


def _amount(part: Amount, games: int) -> tuple[str, str]:
    """Return the points a game and their error; nothing where there cannot be any."""
    if not (part.points or part.error):
        return "", ""
    return figure(part.points / games, "+.2f"), figure(part.error / games, ".2f")


def _chip(game: Finished) -> Chip:
    words = _("{title}: no place") if not game.place else _("{title}: place {place} of {n}")
    said = words.format(title=_label(game.title), place=game.place, n=game.players)
    return Chip(game.place or "–", game.place == 1, said)


def _line(game: Finished) -> GameLine:
    names = _(", ").join(other.name for other in game.others if other.name)
    facts = [_("place {place} of {n}").format(place=game.place, n=game.players)] if game.place else []
    if game.kept is not None:
        facts.append(_("clock kept") if game.kept else _("out of time"))
    facts += [_("left")] if game.left else []
    facts += [_("with hints")] if game.hinted else []
    facts += [_("changed numbers")] if game.changed else []
    facts += [] if game.counts else [_("does not count")]
    if not game.here:
        facts.append(_("on your device") if game.device else _("from another server"))
    return GameLine(
        url=link(f"/t/{game.id}") if game.here else "",
        title=_label(game.title),
        names=_("with {names}").format(names=names) if names else "",
        won=game.place == 1 and game.counts,
        place=game.place or "–",
        facts=_(", ").join(facts),
        date=f"{game.ended:%Y-%m-%d}",
        day=dated(game.ended),
    )


def _rival(rivalry: Rivalry, labels: Mapping[str, str]) -> RivalLine:
    name = rivalry.name
    if rivalry.bot:
        name = _("bots: {level}").format(level=labels.get(rivalry.bot, rivalry.bot))
    return RivalLine(name, rivalry.games, rivalry.ahead, rivalry.behind)
