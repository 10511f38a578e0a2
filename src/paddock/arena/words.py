"""A decision in words: what a seat sees, what it may play, and what its answer means.

Everything here is made of a ``Seen``, so no word depends on what the seat cannot know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from paddock.core.errors import BadMove, brief
from paddock.core.game import MOST_LINKS, too_many_links
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Seen, Title, move_id, split_notation

SHORT, WHOLE = "short", "whole"  # parts of the rules
_NAMED = re.compile(r"move\s*:\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True)
class LegalMove:
    """A legal move: its id, the notation that an answer has, and the text of its button."""

    id: int
    notation: str
    label: str


def rules(title: Title, options: Options, part: str = SHORT) -> str:
    """Return the rules by which a game of these options is played, as Markdown.

    ``part`` is ``short`` (an overview and how moves are written, at most 1,500 words), ``whole``, or the id
    of a chapter or clause such as ``LC-5``. Raises ``PaddockError`` for an unknown id.
    """
    book = title.rules_with(options)
    if part == WHOLE:
        return book.markdown
    if part != SHORT:
        return book.excerpt(part)
    chapters = ", ".join(f"{chapter.id} {chapter.title}" for chapter in book.chapters)
    return book.short + "\n" + _("Chapters of the whole rules: {chapters}.").format(chapters=chapters)


def legal_moves(seen: Seen, seat: int) -> list[LegalMove]:
    """Return the legal moves of a seat; none if it has nothing to decide."""
    text = seen.title.text
    return [
        LegalMove(id, str(text.move(seen.setup, id)), text.label(seen, seat, id)) for id in seen.legal(seat)
    ]


def describe(seen: Seen, seat: int, story: Sequence[str] = ()) -> str:
    """Return what a seat sees and what it may play, in words.

    ``story`` are the sentences of what happened since its last decision, as ``Game.story_for`` returns them.
    """
    title = seen.title
    lines = [
        _("You are {name} in {title}.").format(name=seen.seat_name(seat), title=title.label),
        _("Options: {options}").format(options=seen.options.text),
    ]
    if story:
        lines += ["", _("What has happened since you last chose:"), *(f"- {line}" for line in story)]
    lines += ["", _("The position:"), *title.text.board(seen), title.text.status(seen)]
    if moves := legal_moves(seen, seat):
        lines += ["", _("Your legal moves:"), *(f"- {move.notation}: {move.label}" for move in moves)]
        lines += ["", _how_to_answer(moves)]
        if title.chains:
            lines.append(_("You may answer with several moves that follow each other: join them with “;”."))
    return "\n".join(lines)


def _how_to_answer(moves: Sequence[LegalMove]) -> str:
    sentence = _("Answer with one move as it stands before the colon, or end with a line “move: {example}”.")
    return sentence.format(example=moves[0].notation)


def answered(seen: Seen, seat: int, answer: str) -> tuple[int, ...]:
    """Return the moves that an answer means: one, or several that are joined by «;».

    An answer is one line with a move, or ends with a line ``move: …``. Capital letters and spaces do not
    matter. Raises ``BadMove`` for what is no move, and ``IllegalMove`` with its clause for one that the rules
    forbid.
    """
    text, links = seen.title.text, list[int]()
    words = split_notation(_move_words(seen, seat, answer))
    if len(words) > MOST_LINKS:
        raise BadMove(too_many_links())
    for word in words:
        preview = seen.preview(links, seat)
        legal = {_plain(str(text.move(preview.seen.setup, id))): id for id in preview.legal}
        id = legal.get(_plain(word))
        links.append(_any_move(seen, word) if id is None else id)
    seen.preview(links, seat)
    return tuple(links)


def _any_move(seen: Seen, word: str) -> int:
    """Return the id of a move that is not legal, however it is capitalised; raise ``BadMove``."""
    for written in (word.lower(), word.upper()):
        with suppress(BadMove):
            return move_id(seen.title, seen.setup, written)
    return move_id(seen.title, seen.setup, word)


def _move_words(seen: Seen, seat: int, answer: str) -> str:
    """Return the part of an answer that names the move; raise ``BadMove``."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    named = _NAMED.fullmatch(lines[-1]) if lines else None
    words = named[1] if named else lines[0] if len(lines) == 1 else ""
    if not words:
        moves = legal_moves(seen, seat)
        if not moves:
            raise BadMove(_("there is nothing to decide now"))
        fault = _("“{answer}” names no move.") if lines else _("Empty answer.")
        fault = fault.format(answer=brief(lines[-1] if lines else ""))
        raise BadMove(f"{fault} {_how_to_answer(moves)}")
    return words


def _plain(text: str) -> str:
    """A notation without capital letters and spaces."""
    return "".join(text.casefold().split())
