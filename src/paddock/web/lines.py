"""Tables as lines of a list: those of a browser, and those of others that everybody may find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from paddock.core.i18n import _, pgettext, plural
from paddock.tables import Table
from paddock.tables.restore import CLOSED
from paddock.web.feature import Feature, named
from paddock.web.links import link


@dataclass(frozen=True, kw_only=True)
class TableLine:
    """A table in a list: a link, and what is said of it."""

    url: str
    title: str  # the label of its title
    names: str
    facts: str
    status: str


@dataclass(frozen=True)
class LobbyLine:
    """A lobby that everybody may find."""

    url: str
    name: str
    status: str


def mine(
    table: Table, me: str | None, now: datetime, features: Sequence[Feature], waited: str = ""
) -> TableLine:
    """Return a line of «your tables»; ``waited`` says for how long it has been this browser's turn."""
    title, seats = table.title, table.players_of(me)
    what = _(table.kind.label) if table.kind.label else named(features, table, now)
    others = [player.name for player in table.players if player.index not in seats and player.name]
    facts = [what]
    if table.running:
        facts += _round(table)
        if len(seats) == 1:
            facts += title.page.standing(table.view(None), seats[0])
    if table.game.over or table.fully_visible:
        status = pgettext("status of a table", "finished")
    elif table.fault is CLOSED:
        status = pgettext("status of a table", "closed")
    elif table.abandoned:
        status = pgettext("status of a table", "abandoned")
    elif table.phase == "lobby":
        status = _("in the lobby")
    elif set(table.awaited()) & set(seats):
        status = _("your turn for {time}").format(time=waited) if waited else _("your turn")
    else:
        status = pgettext("status of a table", "running")
    return TableLine(
        url=link(f"/t/{table.id}"),
        title=title.label,
        names=_("with {names}").format(names=_(", ").join(others)) if others else "",
        facts=_(", ").join(filter(None, facts)),
        status=status,
    )


def _round(table: Table) -> list[str]:
    rounds = table.options.rounds
    n = min(len(table.game.rounds) + 1, rounds)
    words = _("{word} {n} of {of}")
    return [words.format(word=_(table.title.round_name), n=n, of=rounds)] if rounds > 1 else []


def lobby(table: Table) -> LobbyLine:
    """Return a line of the public lobbies."""
    free = sum(p.bot is None and p.holder is None for p in table.players)
    words = [plural("{n} open seat", "{n} open seats", free), _("in the lobby")]
    return LobbyLine(link(f"/t/{table.id}"), _called(table), _(", ").join(words))


def live(table: Table, watching: int) -> TableLine:
    """Return a line of the public games to watch, as a spectator sees them."""
    free = sum(p.bot is None and p.holder is None for p in table.players)
    facts = [*_round(table), table.title.text.status(table.seen(None))]
    facts += [plural("{n} open seat", "{n} open seats", free)] if free else []
    if watching:
        facts.append(plural("{n} person is watching", "{n} people are watching", watching))
    return TableLine(
        url=link(f"/t/{table.id}"),
        title=table.title.label,
        names=_("with {names}").format(names=_names(table)),
        facts=_(", ").join(facts[:-1] if watching else facts),
        status=facts[-1] if watching else _("running: you can watch"),
    )


def _called(table: Table) -> str:
    return _("{title} with {names}").format(title=table.title.label, names=_names(table))


def _names(table: Table) -> str:
    return _(", ").join(p.name for p in table.players if p.bot or p.holder)
