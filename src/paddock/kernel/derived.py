"""Defaults for the functions of a title's kernel that follow from its others.

Like loops.py, this source is executed with the title's functions and bounds as globals, in both modes. What
the title has itself takes precedence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddock.core.bounds import SPARE
from paddock.core.errors import OutOfBounds
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.chance import below as below
from paddock.kernel.chance import weighted
from paddock.kernel.generated import clearing, drawn_cards, listing, observation, secrets
from paddock.kernel.mode import compiling, rule
from paddock.kernel.record import Floats, Row, secrets_of
from paddock.kernel.scale import squash as squash

if TYPE_CHECKING:  # globals that the loader adds
    from paddock.kernel.contract import (
        ACTIONS,
        MAX_SEATS,
        MIN_SCORE,
        OUTCOMES,
        Setup,
        State,
        apply,
        drawing,
        scores,
        who,
        why_not,
        write_observation,
    )

if compiling():
    import numpy as np

    @rule
    def numbers(n: int) -> Row:
        """Return a buffer for ``n`` numbers."""
        return np.zeros(n, np.int64)

else:

    def numbers(n: int) -> Row:
        """Return a buffer for ``n`` numbers."""
        return [0] * n


# What is true in every state of every title: ``broken`` returns the index of the first that is not
INVARIANTS = ("", "every seat that must decide has a legal move", "chance that is due has an outcome")
FIELDS, _OBSERVATION = observation(State, Setup, MAX_SEATS)
FEATURES = sum(block.size for block in FIELDS)
exec(_OBSERVATION)  # defines ``write_observation``
clear = clearing(State)
if "why_not" in globals():
    legal = listing(why_not, ACTIONS)
exec(secrets(State, Setup))  # defines ``hide``, ``undecide`` and ``redeal`` if fields are declared ``Hidden``
CHOICES = any(secret.choice for secret in secrets_of(State).values())


@rule
def start(s: Any, g: Any) -> None:
    """Begin with 0 in every field, or what is declared."""
    clear(s)


@rule
def outcomes(s: Any, g: Any, out: Row, weights: Row) -> int:
    """All outcomes are possible, and equally likely."""
    for i in range(OUTCOMES):
        out[i] = i
        weights[i] = 1
    return OUTCOMES


exec(drawn_cards(State, OUTCOMES))  # defines ``outcomes`` if a deck is declared


@rule
def seen(s: Any, g: Any, eyes: int, by: int, move: int) -> int:
    """Return HIDDEN for an outcome that another seat draws, and for a hidden choice but the last one."""
    owner = by
    if by == CHANCE:
        owner = drawing(s, g)
    elif not CHOICES or who(s, g) == 1 << by:
        owner = -1
    return move if owner < 0 or eyes >> owner & 1 else HIDDEN


@rule
def possible(s: Any, g: Any, out: Row, weights: Row) -> int:
    """Write the possible outcomes of chance that is due and their weights; return how many: 1 to OUTCOMES."""
    n = outcomes(s, g, out, weights)
    if n < 1 or n > OUTCOMES:
        raise OutOfBounds("OUTCOMES", n, OUTCOMES)
    return n


@rule
def take_chance(s: Any, g: Any, rng: Row, out: Row, weights: Row) -> int:
    """Draw, apply and return the next chance outcome."""
    total = 0
    for i in range(possible(s, g, out, weights)):
        total += weights[i]
    if total < 1:
        raise OutOfBounds("weights", total, total)
    outcome = out[weighted(rng, weights, total)]
    apply(s, g, CHANCE, outcome)
    return outcome


@rule
def run_chance(s: Any, g: Any, rng: Row) -> None:
    """Draw all chance that is due, outcome by outcome."""
    out = numbers(OUTCOMES + SPARE)
    weights = numbers(OUTCOMES + SPARE)
    while who(s, g) >> CHANCE:
        take_chance(s, g, rng, out, weights)


@rule
def places(s: Any, g: Any, out: Row) -> None:
    """The place of a seat: 1, and 1 more for each seat with a higher score."""
    reached = numbers(MAX_SEATS + SPARE)
    for seat in range(MAX_SEATS):
        reached[seat] = MIN_SCORE  # of the seats that do not take part, ``scores`` says nothing
    scores(s, g, reached)
    for seat in range(MAX_SEATS):
        out[seat] = 1
        for other in range(MAX_SEATS):
            out[seat] += int(reached[other] > reached[seat])


@rule
def broken(s: Any, g: Any) -> int:
    """Return the index in ``INVARIANTS`` of one that the state breaks; 0 if there is none."""
    return every_broken(s, g)


@rule
def every_broken(s: Any, g: Any) -> int:
    """Return the index of a broken invariant that every title has: 1 no legal move, 2 no outcome; else 0."""
    waiting = who(s, g)
    if waiting >> CHANCE:
        return 2 * int(outcomes(s, g, numbers(OUTCOMES + SPARE), numbers(OUTCOMES + SPARE)) == 0)
    out = numbers(ACTIONS + SPARE)
    for seat in range(MAX_SEATS):
        if waiting >> seat & 1 and legal(s, g, seat, out) == 0:
            return 1
    return 0


@rule
def observe(s: Any, g: Any, seat: int, out: Floats) -> None:
    """Write what ``seat`` sees: who must decide, the numbers of the set-up, the fields of the state."""
    waiting = who(s, g)
    for i in range(MAX_SEATS):
        out[i] = float(waiting >> (seat + i) % MAX_SEATS & 1)
    write_observation(s, g, seat, out)
