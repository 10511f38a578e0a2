"""The Great Race: moves and chance outcomes in notation.

A move is a space (``SF``, ``7d``), or words: ``play militia``, ``take militia``, ``discard militia``,
``player 2``, ``tile mud``, ``plan 2-1-1-1``, ``leader kate``, ``buy 3``, or a verb: ``scout``, ``drive``,
``pass``. What a space means follows from what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.errors import BadMove, brief
from paddock.core.i18n import _
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import Setup, State
from paddock.games.great_race.words import names as words

VERB_WORDS = (
    "scout", "supply", "repair", "drive", "clear", "cook-clears", "fund", "pass", "steal", "engine",
    "chassis", "buy-engine", "buy-chassis", "guard", "cook-guards", "pay", "decline", "halt", "done",
)  # fmt: skip
CARD_VERBS = ("play", "take", "discard")  # in the order of their ids


@dataclass(frozen=True)
class Move:
    """A move of The Great Race; ``str()`` is its notation on the map of its game."""

    id: int
    notation: str

    def __str__(self) -> str:
        return self.notation


def move(g: Setup, id: int) -> Move:
    """The typed move of a kernel id."""
    return Move(id, _write(g, id))


def _write(g: Setup, id: int) -> str:
    """Return the notation of a move. The ids of each kind of move are one range, the kinds in this order."""
    if id >= state.VERBS:
        return VERB_WORDS[id - state.VERBS]
    if id > state.BUY:
        return f"buy {id - state.BUY}"
    if id >= state.LEADER:
        return f"leader {words.LEADERS[id - state.LEADER]}"
    if id >= state.PLAN:
        return f"plan {words.plan_word(g, id - state.PLAN)}"
    if id >= state.TILE:
        return f"tile {words.TILES[id - state.TILE]}"
    if id >= state.SEAT:
        return f"player {id - state.SEAT + 1}"
    if id >= state.PLAY:
        verb, card = divmod(id - state.PLAY, state.CARDS)
        return f"{CARD_VERBS[verb]} {words.CARDS[card]}"
    if id - state.SPACE >= g.spaces:  # larger maps have it
        return f"space {id - state.SPACE}"
    return words.space_name(g, id - state.SPACE)


def parse_move(g: Setup, text: str) -> Move:
    """The move of a notation; raises ``BadMove``."""
    notation = " ".join(text.split())
    return Move(_read(g, notation), notation)


def _read(g: Setup, notation: str) -> int:
    """Return the id of a notation; raise ``BadMove``."""
    first, _space, argument = notation.partition(" ")
    if notation in VERB_WORDS:
        return state.VERBS + VERB_WORDS.index(notation)
    if first in CARD_VERBS:
        return state.PLAY + state.CARDS * CARD_VERBS.index(first) + index(words.CARDS, argument)
    if first == "tile":
        return state.TILE + index(words.TILES, argument)
    if first == "leader":
        return state.LEADER + index(words.LEADERS, argument)
    if first == "player" and re.fullmatch(f"[1-{state.SEATS}]", argument):
        return state.SEAT + int(argument) - 1
    if first == "space" and re.fullmatch("[0-9]{1,3}", argument) and g.spaces <= int(argument) < state.SPACES:
        return state.SPACE + int(argument)
    if first == "buy" and re.fullmatch("[1-9]", argument):
        return state.BUY + int(argument)
    if first == "plan":
        return state.PLAN + words.plan_of(g, argument)
    if re.fullmatch("[A-Z]{2}|[0-9]{1,2}[a-z]", notation):
        return state.SPACE + words.space_of(g, notation)
    raise BadMove(
        _(
            "“{text}” is no move: write a space as SF or 7d, play, take or "
            "discard and a card, player 2, tile mud, "
            "plan 2-1-1-1, leader kate, buy 3, or one of {verbs}"
        ).format(text=brief(notation), verbs=", ".join(VERB_WORDS))
    )


def index(known: Sequence[str], word: str) -> int:
    """The index of a word; raises ``BadMove`` that lists the known ones."""
    if word not in known:
        raise BadMove(_("“{text}” is none of {words}").format(text=brief(word), words=", ".join(known)))
    return known.index(word)


def chance_heading(s: State, g: Setup) -> str:
    """What chance decides now, as records write it.

    ``first``, ``end`` and ``numbers`` at set-up, ``bivouac``, ``tiles``, ``draw 2`` of player 2,
    ``theft 1 2`` from player 1 by player 2.
    """
    if s.stage == state.DRAW_CARD:
        return f"draw {s.turn + 1}"
    if s.stage == state.THEFT:
        return f"theft {s.target + 1} {s.turn + 1}"
    return {
        state.DRAW_FIRST: "first",
        state.DRAW_END: "end",
        state.DRAW_NUMBER: "numbers",
        state.DEAL: "bivouac",
        state.DRAW_TILE: "tiles",
    }[s.stage]


def outcome(g: Setup, id: int) -> str:
    """An outcome in notation, one word: a card, a tile, a player's number, a city, a number of cards."""
    if id < state.TILE_DRAWN:
        return words.CARDS[id]
    if id < state.FIRST:
        return words.TILES[id - state.TILE_DRAWN]
    if id < state.END:
        return str(id - state.FIRST + 1)
    if id <= state.NUMBER:
        return words.space_name(g, g.ends[id - state.END])
    return str(id - state.NUMBER)


def parse_outcome(g: Setup, heading: str, text: str) -> int:
    """The id of an outcome written under ``heading``; raises ``BadMove``."""
    if heading == "first":
        return state.FIRST + index([str(seat + 1) for seat in range(g.players)], text)
    if heading == "end":
        return state.END + index([words.space_name(g, g.ends[i]) for i in range(g.n_ends)], text)
    if heading == "numbers":
        return state.NUMBER + 1 + index(["1", "2"], text)
    if heading == "tiles":
        return state.TILE_DRAWN + index(words.TILES, text)
    return index(words.CARDS, text)
