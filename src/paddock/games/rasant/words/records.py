"""Rasant: how partial records are checked and completed; see ``paddock.core.rooms.records``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.core.words import CHANCE, HIDDEN
from paddock.games.rasant.rules.rounds import ends
from paddock.games.rasant.rules.state import BLACK, DISCARD, KINDS, PASS, Setup


def stock(g: Setup) -> Sequence[int]:
    """RA-1.2 return how many cards of each kind there are."""
    return [g.deck[kind] for kind in range(KINDS)]


def owner(g: Setup, heading: str) -> int | None:
    """RA-2.2, RA-5.1 return the seat that gets the card under ``heading``; None if it is no card."""
    match = re.fullmatch(r"(?:deal|draw) ([1-9]\d?)", heading)
    return int(match[1]) - 1 if match else None


def uses(g: Setup, move: int) -> tuple[int, ...]:
    """RA-3.3, RA-5.2 return the cards that leave the hand with a move."""
    if move < PASS:
        return (move,)
    return () if move == PASS else (move - DISCARD,)


def allowed(g: Setup, kind: int) -> bool:
    """RA-3.2 return whether a hand that is known to be all black may have this card."""
    return kind >= BLACK


def proofs(
    g: Setup, lines: Sequence[tuple[int, str, Sequence[int]]], over: bool
) -> tuple[dict[int, list[int]], list[int]]:
    """Return what the lines of one game (who, heading, ids) prove about hands. ``over``: the game has ended.

    First: index of a line → the seats whose hands are all black before that line. They are players who pass
    before a card is led (RA-3.2), and all players at the end (RA-5.3). Second: seats of which at least one
    has a coloured card after the last line. They are those still in a round in which no card is led (RA-3.7).
    """
    cards = [0] * g.players
    passed: set[int] = set()
    best: int | None = None  # the player of the highest card; None before a card is led
    black: dict[int, list[int]] = {}
    for i, (by, heading, ids) in enumerate(lines):
        if by == CHANCE:
            seat = owner(g, heading)
            if seat is not None and seat < g.players:
                cards[seat] += len(ids)
            continue
        if ids[0] == HIDDEN:
            continue
        cards[by] -= len(uses(g, ids[0]))
        if ids[0] < PASS:
            best = by
        else:
            passed.add(by)
            if best is None:
                black[i] = [by]
        if best is None:
            continue
        awaited = set(_still_in(cards, passed)) - (set() if g.to_the_last else {best})
        if not awaited or (ids[0] < PASS and ends(g, ids[0])):  # RA-3.4
            passed, best = set(), None
    if over:
        return black | {len(lines): list(range(g.players))}, []
    return black, _still_in(cards, passed) if best is None else []


def _still_in(cards: Sequence[int], passed: set[int]) -> list[int]:
    """RA-3.3, RA-3.10 return the seats that have cards and have not passed."""
    return [seat for seat, count in enumerate(cards) if count > 0 and seat not in passed]
