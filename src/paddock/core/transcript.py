"""The log of a game in notation, as some eyes know it: the body of records, and information states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from paddock.core.log import Entry
from paddock.core.words import CHANCE, HIDDEN, LINK

if TYPE_CHECKING:
    from paddock.core.game import Game

UNKNOWN = "?"  # in place of what the eyes did not see


def transcript(game: Game, log: Iterable[Entry], eyes: int | None) -> list[str]:
    """Play the entries of ``log`` in ``game``, and return them as lines: ``deal 1: 4 ? ?``, ``2: 12+R``.

    Entries that ``eyes`` (a bitmask of seats) did not see are ``?``; None sees everything. A move of a
    simultaneous decision is shown to all once the decision is over. Every round has a heading.
    """
    text, g = game.title.text, game.setup
    played: list[Entry] = []
    where: list[tuple[int, str]] = []  # for each entry: (round, text before the colon)
    shown: list[int] = []
    face_down: list[int] = []  # entries of the open simultaneous decision
    for i, entry in enumerate(log):
        played.append(entry)
        where.append((len(game.rounds), game.heading or str(entry.by + 1)))
        shown.append(entry.what if eyes is None else game.shown(eyes, entry))
        before = game.deciders
        game.append(entry)
        if entry.by == CHANCE:
            continue
        if commitment_open(game, before, entry.by):
            face_down.append(i)
        elif face_down:
            for j in (*face_down, i):
                shown[j] = played[j].what
            face_down.clear()
    lines: list[str] = []
    last: tuple[int, str] | None = None  # ``where`` of the previous entry
    for (round, heading), entry, what in zip(where, played, shown, strict=True):
        if last is None or round != last[0]:
            lines += ["", f"{game.title.round_name} {round + 1}"]
        notation = text.outcome if entry.by == CHANCE else text.move
        word = UNKNOWN if what == HIDDEN else str(notation(g, what))
        if entry.linked:
            lines[-1] += LINK + word
        elif entry.by == CHANCE and last == (round, heading):
            lines[-1] += f" {word}"
        else:
            lines.append(f"{heading}: {word}")
        last = round, heading
    return lines


def commitment_open(game: Game, before: Sequence[int], seat: int) -> bool:
    """Whether the move that ``seat`` just made is hidden until others of a simultaneous decision have moved.

    ``before`` are the deciders before the move.
    """
    others = tuple(other for other in before if other != seat)
    return bool(others) and game.deciders == others
