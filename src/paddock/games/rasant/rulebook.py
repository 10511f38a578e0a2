"""Rasant: its options, and ``TITLE``."""

from __future__ import annotations

from collections import Counter
from typing import Literal, Self

from pydantic import ValidationInfo, field_validator, model_validator

from paddock.core.i18n import _
from paddock.core.options import Options as CoreOptions
from paddock.core.options import option
from paddock.core.title import Title
from paddock.games.rasant.deck import COLOURS, SHIPPED, coloured, deck_words, read_deck

HAND = 6


class Options(CoreOptions):
    """The options of a match of Rasant."""

    players: int = option(4, "RA-1.3", "How many players there are.", ge=2, le=5)
    games: int = option(1, "RA-5.5", "How many games the match has. Their points are added up.", ge=1, le=20)
    round_end: Literal["one", "all"] = option(
        "one",
        "RA-3.4",
        "one: a round ends when all players but one have passed; all: the last player may keep raising.",
        advanced=True,
    )
    deck: str = option(
        "standard",
        "RA-1.2",
        "standard or all-black-top; or a list of cards: r10-130+g10-130+2*b70+k30.",
        advanced=True,
        data=True,
    )
    line: str = option(
        "shuffled",
        "RA-2.1",
        "The cars from the front: shuffled, or 13 letters that begin with k, as in krgbyrgbyrgby.",
        advanced=True,
    )

    @field_validator("deck")
    @classmethod
    def _deck(cls, text: str) -> str:
        return text if text in SHIPPED else deck_words(read_deck(text))

    @field_validator("line")
    @classmethod
    def _line(cls, text: str) -> str:
        if text == "shuffled":
            return text
        if text[:1] != "k" or Counter(text) != Counter("k" + 3 * COLOURS[:4]):
            raise ValueError(_("write shuffled, or k and then each of r, g, b and y three times (RA-2.1)"))
        return text

    @model_validator(mode="after")
    def _enough(self, info: ValidationInfo) -> Self:
        """RA-1.2 check that the deck has enough cards. Revision 1 allowed fewer coloured ones."""
        kinds = read_deck(self.deck)
        if len(kinds) < HAND * self.players:
            sentence = _("RA-1.2 {players} players need a deck of at least {least} cards, not {n}")
            least = HAND * self.players
            raise ValueError(sentence.format(players=self.players, least=least, n=len(kinds)))
        before = info.context and info.context.get("revision") == 1
        if coloured(kinds) < self.players and not before:
            sentence = _(
                "RA-1.2 {players} players need a deck with at least {players} coloured cards, not {n}"
            )
            raise ValueError(sentence.format(players=self.players, n=coloured(kinds)))
        return self

    @property
    def rounds(self) -> int:
        """RA-5.5 the number of games."""
        return self.games


TITLE = Title(
    name="rasant",
    label="Rasant",
    tagline="Nobody owns a car: win the round, and its colour overtakes everything.",
    package="paddock.games.rasant",
    revision=1,
    round_name="game",
    player_name="player",
    seat_name="player",
    options=Options,
    kernel=("state", "hands", "rounds", "rules"),
)
