"""When a puzzle comes back: the more often it was solved, the later (FSRS, a model of how people forget)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from fsrs import Card, Rating, Scheduler, State

from paddock.features.puzzles.rows import PuzzleRow

# Without learning steps a puzzle comes back after days, never after minutes. Fuzzing would be luck.
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def answered(row: PuzzleRow, right: bool, now: datetime) -> PuzzleRow:
    """Return a puzzle of a browser after an answer.

    A right answer before it is due changes nothing: the explanation may have been read a minute ago.
    """
    if row.seen_at is not None and now < row.due and right:
        return row
    card = Card(
        card_id=0,
        state=State.Learning if row.seen_at is None else State.Review,
        stability=row.stability,
        difficulty=row.difficulty,
        due=row.due,
        last_review=row.seen_at,
    )
    card, _log = _SCHEDULER.review_card(card, Rating.Good if right else Rating.Again, now)
    return replace(
        row,
        due=card.due,
        seen_at=now,
        right=right,
        stability=card.stability,
        difficulty=card.difficulty,
    )
