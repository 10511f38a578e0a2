"""Commands of the host: bots, open seats, bans, mutes; and the mark of abandoned tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

from paddock.bots import label_of, levels
from paddock.core.errors import BadOption
from paddock.core.i18n import Sentence, Word, _, mark
from paddock.core.settings import Settings
from paddock.core.wording import either
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.errors import Forbidden
from paddock.tables.make import free_usual_name, place
from paddock.tables.seats import check_host, check_open, empty, pass_on, player_at
from paddock.tables.table import Player, Table


@dataclass(frozen=True)
class Abandon:
    """The idle times after which lobbies and games are marked as abandoned; None: never."""

    lobby: timedelta | None = timedelta(days=1)
    game: timedelta | None = timedelta(days=30)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the times in the settings, where 0 means never."""
        return cls(
            timedelta(hours=settings.abandon_lobby_hours) or None,
            timedelta(days=settings.abandon_game_days) or None,
        )


def set_bot(table: Table, context: Context, holder: str, player: int, level: str | None) -> Change[None]:
    """Replace a player by a bot of this level; None opens a bot's seat for a person.

    For the host only, in the lobby and in a running game. Raises ``Frozen``, ``Forbidden`` and ``BadOption``.
    """
    change = Change(table, context.now, None)
    check_host(table, holder)
    check_open(table)
    who = player_at(table, player)
    if who.bot == level:
        return change
    level_names = [kind.name for kind in levels(table.title)]
    if level is not None and level not in level_names:
        choices = either(level_names)
        raise BadOption([_("“{level}”: choose {choices}").format(level=level[:32], choices=choices)])
    change.touch()
    if level is None:
        empty(change, context, who, bot=None, muted=False)
        opened = mark("The host opens {place}.")
        if who.removed_by:
            opened = mark("The host opens {place} for the person who had it before.")
        change.announce(opened, place=place(table, who))
        return change
    # In a running game a bot keeps the name of the player whom it replaces.
    name = who.name if table.phase == "play" else free_usual_name(table, who, level)
    empty(change, context, who, bot=level, name=name, muted=False, **_removed(table, who))
    words: dict[str, Word] = {"bot": Sentence(label_of(level)), "place": place(table, who), "name": who.name}
    if who.holder is None:
        change.announce(mark("The host adds a bot ({bot}) as {place}."), **words)
    else:
        change.announce(mark("The host replaces {name} ({place}) with a bot ({bot})."), **words)
    if who.holder == table.host and table.players_of(who.holder) == [player]:
        pass_on(change, holder)
    return change


def free(table: Table, context: Context, host: str, player: int) -> Change[None]:
    """Open a person's seat. In a running game only they may come back to it: see ``claims.py``.

    Raises the same errors as ``set_bot``.
    """
    change = Change(table, context.now, None)
    check_host(table, host)
    check_open(table)
    who = _person(table, player)
    if who.holder == host:
        raise Forbidden(_("this is your own seat: leave it instead"))
    empty(change, context, who, muted=False, **_removed(table, who))
    words = mark("The host removes {name}: {place} is open.")
    if table.phase == "play":
        words = mark("The host removes {name}: a bot plays {place} until they are back.")
    change.announce(words, name=who.name, place=place(table, who))
    change.touch()
    return change


def kick(table: Table, context: Context, host: str, player: int) -> Change[None]:
    """Ban a person's browser from the seats of this table. Raises the same errors as ``set_bot``."""
    change = Change(table, context.now, None)
    check_host(table, host)
    check_open(table)
    who = _person(table, player)
    if who.holder == host or who.holder is None:
        raise Forbidden(_("you cannot ban yourself: leave your seat instead"))
    if who.holder not in table.banned:
        change.banned.append(who.holder)
    for i in table.players_of(who.holder):
        empty(change, context, table.players[i], muted=False, **_removed(table, who) | {"last_holder": None})
        change.announce(mark("The host bans {name}."), name=table.players[i].name)
    change.touch()
    return change


def mute(table: Table, context: Context, host: str, player: int, muted: bool = True) -> Change[None]:
    """Mute or unmute a person at this table. Raises the same errors as ``set_bot``."""
    change = Change(table, context.now, None)
    check_host(table, host)
    who = _person(table, player)
    if who.muted != muted:
        change.player(player, muted=muted)
        words = mark("The host mutes {name}.") if muted else mark("The host unmutes {name}.")
        change.announce(words, name=who.name)
        change.touch()
    return change


def _removed(table: Table, who: Player) -> dict[str, Any]:
    """Return the columns of a seat that the host takes away from somebody else: see ``claims.py``."""
    if table.phase == "lobby" or not who.person or who.holder == table.host:
        return {}
    return {"removed_by": table.host}


def _person(table: Table, player: int) -> Player:
    who = player_at(table, player)
    if not who.person:
        raise Forbidden(_("no person plays this seat"))
    return who
