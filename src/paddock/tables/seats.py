"""Commands of the people at a table: take a seat, leave it, a new name, ready, another browser.

Every change that others can see adds a line to the chat of the table.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

from paddock.core.errors import BadOption
from paddock.core.hashed import hashed
from paddock.core.i18n import _, mark
from paddock.records.proof import is_lot
from paddock.tables import cards, claims, clock
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.errors import Forbidden, TwoHands
from paddock.tables.fold import decision_rows, draw_due_chance
from paddock.tables.make import clean, free_usual_name, name_taken, place
from paddock.tables.names import NameFilter
from paddock.tables.table import Player, Table

T = TypeVar("T")
P = ParamSpec("P")


def claim(table: Table, context: Context, holder: str, player: int, name: str = "") -> Change[str]:
    """Take an open seat; in a running game, ask the other people for it: see ``claims.py``.

    The answer is "joined", also if the seat is yours already, or "asked". Raises ``Frozen``, ``Forbidden``
    and ``BadOption``.
    """
    change, who = Change(table, context.now, "joined"), player_at(table, player)
    if who.holder == holder:
        return change
    check_open(table)
    if who.bot or who.holder:
        raise Forbidden(_("{name} already has that seat: choose another one").format(name=who.name))
    _check_welcome(table, holder)
    if table.phase == "play" and table.players_of(holder):
        raise Forbidden(_("you already play at this table, and nobody may see two hands"))
    name = _name(table, context, who, name)
    if table.phase == "lobby" or who.last_holder == holder:
        claims.sit(change, context, who, holder, name)
    else:
        claims.ask(change, context, who, holder, name)
    return change


def leave(table: Table, context: Context, holder: str, player: int) -> Change[None]:
    """Leave a seat, which becomes open. A host without a seat passes the role to another player.

    Raises the same errors as ``claim``.
    """
    change, who = Change(table, context.now, None), own_player(table, holder, player)
    check_open(table)
    empty(change, context, who)
    change.announce(mark("{name} leaves: {place} is open."), name=who.name, place=place(table, who))
    if table.host == holder and table.players_of(holder) == [player]:
        pass_on(change, holder)
    change.touch()
    return change


def rename(table: Table, context: Context, holder: str, player: int, name: str) -> Change[None]:
    """Rename a player of this browser. Raises the same errors as ``claim``."""
    change, who = Change(table, context.now, None), own_player(table, holder, player)
    check_open(table)
    name = _name(table, context, who, name)
    if name != who.name:
        change.player(player, name=name)
        change.announce(mark("{old} is now called {new}."), old=who.name, new=name)
        change.touch()
    return change


def ready(
    table: Table, context: Context, holder: str, player: int, ready: bool = True, lot: str = ""
) -> Change[bool]:
    """Set whether a player is ready; the answer is whether the game has begun.

    The game starts once every seat is taken and everybody is ready. ``lot`` is the number of the browser, in
    hex, where cards are fair. Raises the same errors as ``claim``.
    """
    change, who = Change(table, context.now, False), own_player(table, holder, player)
    if table.phase == "play" and ready:
        change.answer = True
        return change
    _check_lobby(table)
    if who.ready == ready:
        return change
    if lot and not is_lot(lot):
        raise BadOption([_("the number of this browser is wrong: reload the page")])
    change.player(player, ready=ready, lot=lot if ready and table.secret else "")
    change.announce(mark("{name} is ready.") if ready else mark("{name} is no longer ready."), name=who.name)
    change.touch()
    if ready and not _missing(table, ready=player):
        _deal(change, context)
        change.answer = True
    return change


def start(table: Table, context: Context, holder: str) -> Change[None]:
    """Start the game, for the host, if all seats are taken and all are ready. Raises the same errors as
    ``claim``."""
    change = Change(table, context.now, None)
    check_host(table, holder)
    if table.phase == "play":
        return change
    _check_lobby(table)
    if missing := _missing(table):
        names = ", ".join(player.name for player in missing)
        raise Forbidden(_("not everybody is ready: still waiting for {names}").format(names=names))
    _deal(change, context)
    return change


def _deal(change: Change[Any], context: Context) -> None:
    """Start the game."""
    table, game = change.before, change.before.game.fork()
    draw_due_chance(game, cards.source(change.after()) if table.secret else context.chance)
    change.table(phase="play")
    change.announce(mark("Everybody is ready: the game begins."))
    change.play(game, decision_rows(game, 0, 0, table.hash_prefix))


def as_seen(
    table: Table,
    context: Context,
    command: Callable[Concatenate[Table, Context, str, int, P], Change[T]],
    name: str | None,
    holder: str,
    player: int,
    *args: P.args,
    **kwargs: P.kwargs,
) -> Change[T]:
    """Run a command about a seat if it still has the name that the reader saw (None: whoever has it now)."""
    if name not in (None, player_at(table, player).name):
        raise Forbidden(_("this seat is not {name}’s any more: look at the table again").format(name=name))
    return command(table, context, holder, player, *args, **kwargs)


# Moving a seat to another browser


def keep_recovery(table: Table, context: Context, holder: str, player: int, secret: str) -> Change[None]:
    """Keep the hash of a recovery secret, which moves the seat to another browser.

    It replaces an earlier one. Raises the same errors as ``claim``.
    """
    change, who = Change(table, context.now, None), own_player(table, holder, player)
    _check_movable(table)
    change.player(who.index, recovery=hashed(secret))
    return change


def new_secret() -> str:
    """Return a recovery secret of 256 bits."""
    return secrets.token_urlsafe(32)


def recover(table: Table, context: Context, secret: str, holder: str, both: bool = False) -> Change[int]:
    """Move a seat to this browser by its recovery secret, which is used up; the answer is the player.

    The host role moves along. If the browser then sees ``two_hands``, ``both`` says that this is meant, and
    the table says it to everybody. Raises the same errors as ``claim``, and ``TwoHands`` without ``both``.
    """
    who = owner(table, secret)
    if who is None:
        raise Forbidden(_("this link was used already or replaced by a newer one: ask for a new link"))
    _check_welcome(table, holder)
    _check_movable(table)
    others = two_hands(table, who, holder)
    if others and not both:
        raise TwoHands(
            _("this browser already plays {name} here, and would see two hands").format(name=others)
        )
    change = Change(table, context.now, who.index)
    if table.host == who.holder:
        change.table(host=holder)
    change.player(who.index, holder=holder, recovery=None)
    for other in table.players:
        if other.last_holder == holder:
            change.player(other.index, last_holder=None)
    if others:
        words = mark("{name} continues in the browser of {other}, which now sees the hands of both.")
        change.announce(words, holder, name=who.name, other=others)
    else:
        change.announce(mark("{name} continues in another browser."), name=who.name)
    change.touch()
    return change


def _check_movable(table: Table) -> None:
    """Raise ``Forbidden`` for a sealed table, which stays with its browser."""
    if table.kind.seal:
        raise Forbidden(_(table.kind.seal.move))


def owner(table: Table, secret: str) -> Player | None:
    """Return the player whose recovery secret this is; None if it is not valid, or no longer."""
    digest = hashed(secret)
    return next((p for p in table.players if p.recovery and secrets.compare_digest(p.recovery, digest)), None)


def two_hands(table: Table, who: Player, holder: str | None) -> str:
    """Return whose hands a browser sees already in a running game if it takes the seat of ``who``; or ""."""
    if not table.running:
        return ""
    return ", ".join(table.players[p].name for p in table.players_of(holder) if p != who.index)


# Parts of commands


def empty(change: Change[Any], context: Context, player: Player, **columns: Any) -> None:
    """Reset a seat, and delete the data of the person who had it. During a game they may come back to it.

    A mute stays unless ``columns`` change it, so that nobody can end it by leaving and joining again.
    """
    table = change.before
    change.orders |= {seat: "" for seat in table.seats_of(player.index) if seat in table.orders}
    blank: dict[str, Any] = {
        "holder": None,
        "ready": False,
        "stand_in": False,
        "recovery": None,
        "read_up_to": 0,
    }
    last = (player.holder or player.last_holder) if table.phase == "play" else None
    blank |= {"last_holder": last, "removed_by": None if player.person else player.removed_by}
    if table.phase == "lobby":
        blank["lot"] = ""
    name, bank = free_usual_name(table, player), clock.left(table, player.index, context.spent)
    change.player(player.index, **{**blank, "name": name, "bank_ms": bank, **columns})


def pass_on(change: Change[Any], host: str) -> None:
    """Pass the host role to another person, if there is one."""
    others = [p for p in change.before.players if p.person and p.holder != host]
    if others:
        change.table(host=others[0].holder)
        change.announce(mark("{name} is now the host."), name=others[0].name)


def open_places(table: Table) -> list[int]:
    """Return the players whose seats are open."""
    return [player.index for player in table.players if player.open]


def _missing(table: Table, ready: int | None = None) -> list[Player]:
    """Return the players whom the start waits for; the player ``ready`` counts as ready."""
    waits = [p for p in table.players if p.bot is None and (p.holder is None or not p.ready)]
    return [p for p in waits if p.holder is None or p.index != ready]


def player_at(table: Table, player: int) -> Player:
    """Return a player; raise ``BadOption`` if there is no such player."""
    if not 0 <= player < len(table.players):
        raise BadOption([_("choose one of the {n} players").format(n=len(table.players))])
    return table.players[player]


def own_player(table: Table, holder: str, player: int) -> Player:
    """Return a player of this browser; raise ``Forbidden`` or ``BadOption``."""
    who = player_at(table, player)
    if who.holder != holder:
        raise Forbidden(_("{place} is not yours at this table").format(place=place(table, who)))
    return who


def check_host(table: Table, holder: str) -> None:
    """Raise ``Forbidden`` unless this browser has the host role."""
    if table.host != holder:
        raise Forbidden(_("only the host of this table can do that"))


def check_open(table: Table) -> None:
    """Raise ``Forbidden`` if seats can no longer change."""
    if not table.kind.race:
        raise Forbidden(_("seats cannot change at this table"))
    if table.game.over:
        raise Forbidden(_("the game is over: ask for a rematch"))


def fault_of_name(names: NameFilter, players: Sequence[Player], who: Player, name: str) -> str | None:
    """Return why a player cannot have this name; None if they can."""
    if names.refuses(name):
        return _("the name “{name}” is not allowed here: choose another one").format(name=name)
    if name_taken(players, who, name):
        return _("somebody here already has the name “{name}”: choose another one").format(name=name)
    return None


def _name(table: Table, context: Context, who: Player, given: str) -> str:
    """Return the cleaned name, or a default one if it is empty; raise ``BadOption``."""
    name = clean(given)
    if not name:
        return free_usual_name(table, who)
    if fault := fault_of_name(context.names, table.players, who, name):
        raise BadOption([fault])
    return name


def _check_lobby(table: Table) -> None:
    if table.phase != "lobby":
        raise Forbidden(_("the game has begun"))


def _check_welcome(table: Table, holder: str) -> None:
    if holder in table.banned:
        raise Forbidden(_("the host removed you from this table"))
