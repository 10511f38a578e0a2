"""The arena: language models and programs play by words (docs/arena.md)."""

from paddock.arena.environment import TextGame, text
from paddock.arena.match import match
from paddock.arena.results import ArenaMatch, Conduct
from paddock.arena.words import LegalMove, describe, legal_moves, rules

__all__ = [
    "ArenaMatch", "Conduct", "LegalMove", "TextGame", "describe", "legal_moves", "match", "rules", "text",
]  # fmt: skip
