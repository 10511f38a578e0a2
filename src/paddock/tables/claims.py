"""Seats that open during a game: who gets one, and who must agree to that.

A bot plays an open seat, and whoever takes it sees its hand. One person may have several browsers at the
table, so these rules trust no majority. From the deal to the end of the game:

- Whoever had the seat last may come back without asking.
- Somebody new needs the agreement of everybody who has a seat, also of those who are away.
- A seat whose person the host removed goes to nobody new. A bot plays it until that person is back: to the
  end if they are banned, or if somebody new has got another seat meanwhile.

A request stays open until it is answered or withdrawn, or ends by itself: see ``Change.after``.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from paddock.core.i18n import Sentence, Word, _, mark
from paddock.store import ClaimRow
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.errors import Forbidden
from paddock.tables.make import free_name, place
from paddock.tables.table import Player, Table

ASKS = mark("{name} asks to play {place}. The others must agree.")
MOST, WITHIN = 5, timedelta(minutes=10)  # requests at a table in this time: each adds lines to the chat


def agree(table: Table, context: Context, holder: str | None, number: int) -> Change[str]:
    """Agree to the request with this number. Its browser gets the seat when everybody has agreed.

    The answer is "agreed" or "joined". Raises ``Frozen`` and ``Forbidden``.
    """
    change, old = Change(table, context.now, "agreed"), _open(table, number)
    who = table.players[old.player]
    consenters = [table.players[index] for index in table.players_of(holder)]
    if not consenters:
        raise Forbidden(_("only the other people at this table can agree to this"))
    new = replace(old, consents=tuple(sorted({*old.consents, *(p.index for p in consenters)})))
    if new != old:
        words = mark("{name} agrees that {other} plays {place}.")
        change.announce(words, name=consenters[0].name, other=old.name, place=place(table, who))
    if agreed(table, new):
        sit(change, context, who, new.holder, free_name(table.players, who, new.name))
        change.answer = "joined"
    else:
        change.claims = tuple(new if claim == old else claim for claim in table.claims)
    return change


def decline(table: Table, context: Context, holder: str | None, number: int) -> Change[None]:
    """Decline the request with this number, or withdraw your own. Raises the same errors as ``agree``."""
    change, old = Change(table, context.now, None), _open(table, number)
    words: dict[str, Word] = {"other": old.name, "place": place(table, table.players[old.player])}
    consenters = table.players_of(holder)
    if old.holder == holder:
        change.announce(mark("{other} no longer asks to play {place}."), **words)
    elif consenters:
        name = table.players[consenters[0]].name
        change.announce(mark("{name} does not agree that {other} plays {place}."), name=name, **words)
    else:
        raise Forbidden(_("only players of this table can do this"))
    change.claims = tuple(claim for claim in table.claims if claim != old)
    return change


def ask(change: Change[str], context: Context, who: Player, holder: str, name: str) -> None:
    """Keep a request for an open seat; where everybody has agreed to it already, seat its browser.

    Raises ``Forbidden``.
    """
    table = change.before
    change.answer = "asked"
    if table.kind.seal:
        raise Forbidden(_(table.kind.seal.move))
    if who.removed_by:
        raise Forbidden(
            _("the host removed the person who had this seat: a bot plays it, and nobody new gets it")
        )
    if old := of(table, holder):
        if old.player != who.index:
            raise Forbidden(_("you have asked for another seat: withdraw that request first"))
        if agreed(table, old):
            sit(change, context, who, holder, free_name(table.players, who, old.name))
            change.answer = "joined"
        return
    if any(claim.player == who.index for claim in table.claims):
        raise Forbidden(_("somebody else has asked for this seat: wait until that is answered"))
    if not consenters(table):
        raise Forbidden(_("nobody here can agree to a new player: a bot plays this seat to the end"))
    if _asked_within(table, change.now) >= MOST:  # anybody with the link can ask and withdraw
        raise Forbidden(_("there were too many requests for seats here: wait a few minutes"))
    claim = ClaimRow(who.index, table.requests + 1, holder, name)
    change.table(requests=claim.number)
    change.claims = tuple(sorted((*table.claims, claim), key=lambda claim: claim.player))
    change.announce(ASKS, name=name, place=place(table, who))


def sit(change: Change[Any], context: Context, who: Player, holder: str, name: str) -> None:
    """Give an open seat to a browser.

    Its way back to any other seat ends: nobody may see two hands. If it is new here, so do those of the
    people whom the host removed, who could not disagree.
    """
    table = change.before
    new = who.last_holder != holder
    for other in table.players:
        if other.last_holder == holder or (new and other.removed_by):
            change.player(other.index, last_holder=None)
    bank = _uncharged(table, who, context.spent)
    fresh = {"ready": False, "bank_ms": bank, "last_holder": None, "removed_by": None}
    change.player(who.index, holder=holder, name=name, **fresh)
    if table.host is None and not table.deal:  # nobody is the host where a feature deals
        change.table(host=holder)
    change.announce(mark("{name} joins as {place}."), name=name, place=place(table, who))
    change.touch()


# What a request waits for


def of(table: Table, holder: str | None) -> ClaimRow | None:
    """Return the open request of a browser."""
    return next((claim for claim in table.claims if claim.holder == holder), None)


def consenters(table: Table) -> list[int]:
    """Return the players who must agree that somebody new gets a seat: the people, present or away."""
    return [p.index for p in table.players if p.person]


def awaited(table: Table, claim: ClaimRow) -> list[int]:
    """Return the players who have not agreed yet."""
    return [p for p in consenters(table) if p not in claim.consents]


def agreed(table: Table, claim: ClaimRow) -> bool:
    """Whether everybody who must agree has agreed. Somebody must have."""
    return table.players[claim.player].on_offer and bool(claim.consents) and not awaited(table, claim)


def offers(table: Table) -> tuple[int, ...]:
    """Return the open seats of a running game that somebody new can ask for."""
    if not table.running or table.sealed or not consenters(table):
        return ()
    taken = {claim.player for claim in table.claims}
    return tuple(p.index for p in table.players if p.on_offer and p.index not in taken)


def way_back(table: Table, holder: str | None) -> int | None:
    """Return the open seat that a browser had last, and can take again without asking; None if there is
    none."""
    if not table.running or holder is None or holder in table.banned or table.players_of(holder):
        return None
    return next((p.index for p in table.players if p.open and p.last_holder == holder), None)


def _asked_within(table: Table, now: datetime) -> int:
    """Return the number of recent requests, by the lines of the chat."""
    lines = [
        Sentence.load(row.text) for row in table.talk if row.player is None and now - WITHIN < row.at <= now
    ]
    return sum(isinstance(line, Sentence) and line.template == ASKS for line in lines)


def _open(table: Table, number: int) -> ClaimRow:
    """Return the open request with this number; raise ``Forbidden`` if there is none."""
    for claim in table.claims:
        if claim.number == number:
            return claim
    raise Forbidden(_("this request is no longer open: look at the table again"))


def _uncharged(table: Table, who: Player, spent: int) -> int | None:
    """Return the bank for a seat that was open, so that the time since clocks were saved is not charged."""
    return who.bank_ms + spent if who.bank_ms is not None and who.index in table.awaited() else who.bank_ms
