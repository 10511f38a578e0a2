"""Rasant: how partial records are counted; see ``paddock.records.room``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.core.words import CHANCE, HIDDEN
from paddock.games.rasant.state import BLACK, DISCARD, KINDS, PASS, SPEEDS, Setup


def stock(g: Setup) -> Sequence[int]:
    """RA-1.2 how many cards of each kind there are."""
    return [g.deck[kind] for kind in range(KINDS)]


def owner(g: Setup, heading: str) -> int | None:
    """RA-2.2, RA-5.1 the seat whose hand gets what chance decides under ``heading``; None for a lot."""
    found = re.fullmatch(r"(?:deal|draw) ([1-9]\d?)", heading)
    return int(found[1]) - 1 if found else None


def uses(g: Setup, move: int) -> tuple[int, ...]:
    """RA-3.3, RA-5.2 the cards that a move takes out of the hand."""
    if move < PASS:
        return (move,)
    return () if move == PASS else (move - DISCARD,)


def allowed(g: Setup, kind: int) -> bool:
    """RA-3.2 whether a hand that is proved to hold no coloured card may hold this one."""
    return kind >= BLACK


def proofs(
    g: Setup, lines: Sequence[tuple[int, str, Sequence[int]]], over: bool
) -> tuple[dict[int, list[int]], list[int]]:
    """What the lines of one game (who, heading, ids) prove; ``over``: that it is known to have ended.

    Returns the seats that hold black cards only, by the index of the line before which that is so:
    who passes while no card is led (RA-3.2), and all at the end (RA-5.3). Then the seats of which
    one must hold a coloured card after the last line: those still in a round that nobody has led
    (RA-3.7); none where it has been led.
    """
    cards = [0] * g.players
    passed: set[int] = set()
    best: int | None = None  # who played the highest card of the round; None before a card is led
    black: dict[int, list[int]] = {}
    for i, (by, heading, whats) in enumerate(lines):
        if by == CHANCE:
            seat = owner(g, heading)
            if seat is not None and seat < g.players:
                cards[seat] += len(whats)
            continue
        if whats[0] == HIDDEN:
            continue
        cards[by] -= len(uses(g, whats[0]))
        if whats[0] < PASS:
            best = by
        else:
            passed.add(by)
            if best is None:
                black[i] = [by]
        if best is None:
            continue
        awaited = set(_still_in(cards, passed)) - (set() if g.to_the_last else {best})
        if not awaited or (whats[0] < PASS and whats[0] % SPEEDS == SPEEDS - 1):  # RA-3.4
            passed, best = set(), None
    if over:
        return black | {len(lines): list(range(g.players))}, []
    return black, _still_in(cards, passed) if best is None else []


def _still_in(cards: Sequence[int], passed: set[int]) -> list[int]:
    """RA-3.3, RA-3.10 who holds cards and has not passed."""
    return [seat for seat, count in enumerate(cards) if count > 0 and seat not in passed]
