"""The log of a game in notation and in sentences, as some eyes know it.

``transcript`` is the body of records and of information states; ``readable_transcript`` is the story for
people to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

from paddock.core.errors import PaddockError, whole
from paddock.core.i18n import _
from paddock.core.log import Entry, EventBatch, EventLog, Log
from paddock.core.series import RoundResult
from paddock.core.title import Seen, Title
from paddock.core.words import CHANCE, HIDDEN, LINK

if TYPE_CHECKING:
    from paddock.core.options import Options

UNKNOWN = "?"  # in place of what the eyes did not see


class TranscriptGame(Protocol):
    """What this module reads from a ``paddock.Game``, which imports this module."""

    title: Title
    options: Options
    setup: Any
    log: Log
    events: EventLog
    rounds: list[RoundResult]

    @property
    def heading(self) -> str: ...
    @property
    def deciders(self) -> tuple[int, ...]: ...
    def append(self, entry: Entry) -> None: ...
    def at(self, entry: int) -> Self: ...
    def seen(self, eyes: int) -> Seen: ...
    def shown(self, eyes: int, entry: Entry) -> int: ...
    def events_for(self, eyes: int) -> Sequence[EventBatch]: ...


@dataclass(frozen=True)
class Made:
    """A move that was made."""

    entry: int  # index in the log
    round: int  # from 0
    seat: int  # from 0
    who: str  # the name of the seat, as sentences use it
    move: str  # in notation
    sentence: str  # the move and its consequence, as its button said before it was made
    linked: bool  # whether it was submitted together with the move before


@dataclass
class TranscriptLine:
    """A submission, or consecutive outcomes with one heading, as some eyes know them."""

    round: int  # from 0
    by: int  # seat or CHANCE
    heading: str  # the number of the seat from 1, or what chance decided
    words: list[str]  # in notation, or UNKNOWN
    first: int  # the index of its first entry in the log
    last: int  # and of its last one


def lines_of(game: TranscriptGame, log: Iterable[Entry], eyes: int | None) -> list[TranscriptLine]:
    """Play the entries of ``log`` in ``game``, and return them as lines.

    Entries that ``eyes`` (a bitmask of seats) did not see are ``?``; None sees everything. A move of a
    simultaneous decision is shown to all once the decision is over.
    """
    text, g = game.title.text, game.setup
    played: list[Entry] = []
    places: list[tuple[int, str]] = []  # for each entry: (round, heading)
    shown: list[int] = []
    face_down: list[int] = []  # entries of the open simultaneous decision
    for i, entry in enumerate(log):
        played.append(entry)
        places.append((len(game.rounds), game.heading or str(entry.by + 1)))
        shown.append(entry.what if eyes is None else game.shown(eyes, entry))
        before = game.deciders
        game.append(entry)
        if entry.by == CHANCE:
            continue
        if is_face_down(game, before, entry.by):
            face_down.append(i)
        elif face_down:
            for j in (*face_down, i):
                shown[j] = played[j].what
            face_down.clear()
    lines: list[TranscriptLine] = []
    for i, (entry, id) in enumerate(zip(played, shown, strict=True)):
        notation = text.outcome if entry.by == CHANCE else text.move
        word = UNKNOWN if id == HIDDEN else str(notation(g, id))
        if entry.linked or (entry.by == CHANCE and i > 0 and places[i] == places[i - 1]):
            lines[-1].words.append(word)
            lines[-1].last = i
        else:
            lines.append(TranscriptLine(places[i][0], entry.by, places[i][1], [word], i, i))
    return lines


def transcript(game: TranscriptGame, log: Iterable[Entry], eyes: int | None) -> list[str]:
    """Return ``lines_of`` as text: ``deal 1: 4 ? ?``, ``2: 12+R``. Every round has a heading."""
    out: list[str] = []
    round = -1
    for line in lines_of(game, log, eyes):
        if line.round != round:
            round = line.round
            out += ["", f"{game.title.round_name} {round + 1}"]
        out.append(f"{line.heading}: {(' ' if line.by == CHANCE else LINK).join(line.words)}")
    return out


def readable_transcript(game: TranscriptGame, eyes: int | None) -> str:
    """Return the story of a game as ``TranscriptGame.transcript`` describes it."""
    check_eyes(game, eyes)
    names = game.seen(0).seat_names
    events = game.events if eyes is None else game.events_for(eyes)
    sentences: dict[int, list[str]] = {}
    for batch in events:
        sentences_told = [
            sentence for _place, _event, sentence in game.title.sentences(game.setup, batch, names)
        ]
        sentences.setdefault(batch.entry, []).extend(sentences_told)
    out: list[str] = []
    round = -1
    for line in lines_of(game.at(0), game.log, eyes):
        if line.round != round:
            round = line.round
            out += ["", f"{_(game.title.round_name).capitalize()} {round + 1}", ""]
        if line.by != CHANCE:
            out.append(f"{names[line.by]}: {LINK.join(line.words)}")
        elif set(line.words) != {UNKNOWN}:
            out.append(f"{line.heading}: {' '.join(line.words)}")
        for entry in range(line.first, line.last + 1):
            out += [f"  {sentence}" for sentence in sentences.get(entry, ())]
    return "\n".join(out).strip()


def moves_of(game: TranscriptGame) -> list[Made]:
    """Return the moves of a game, as ``TranscriptGame.moves`` describes them."""
    options, text = game.options, game.title.text
    names, replayed, moves = game.seen(0).seat_names, game.at(0), []
    for index, entry in enumerate(game.log):
        if entry.by != CHANCE:
            seen = replayed.seen(options.eyes(options.owners[entry.by]))
            label = text.label(seen, entry.by, entry.what)
            move = str(text.move(game.setup, entry.what))
            move_made = Made(
                index, len(replayed.rounds), entry.by, names[entry.by], move, label, entry.linked
            )
            moves.append(move_made)
        replayed.append(entry)
    return moves


def check_eyes(game: TranscriptGame, eyes: int | None) -> None:
    """Raise ``PaddockError`` unless ``eyes`` is None or a bitmask of seats."""
    mask = whole(eyes)
    if eyes is not None and (mask is None or not 0 <= mask < 1 << game.options.seats):
        raise PaddockError(_("eyes: give a bitmask of the {n} seats").format(n=game.options.seats))


def is_face_down(game: TranscriptGame, before: Sequence[int], seat: int) -> bool:
    """Whether the move that ``seat`` just made is hidden until others of a simultaneous decision have moved.

    ``before`` are the deciders before the move.
    """
    still_deciding = tuple(other for other in before if other != seat)
    return bool(still_deciding) and game.deciders == still_deciding
