"""Rasant: its options, and ``TITLE``."""

from __future__ import annotations

from collections import Counter
from typing import Literal, Self

from pydantic import ValidationInfo, field_validator, model_validator

from paddock.core.errors import BadValue
from paddock.core.i18n import _
from paddock.core.options import Options as CoreOptions
from paddock.core.options import option, rule_number
from paddock.core.title import Preset, Title, minutes
from paddock.games.rasant.deck import COLOURS, SHIPPED, coloured, deck_words, read_deck

HAND = 6  # cards (RA-2.2, RA-5.1)
FASTEST = 130

LEAST_PLAYERS, MOST_PLAYERS = 2, 5


class Options(CoreOptions):
    """The options of a match of Rasant."""

    players: int = option(4, "RA-1.3", "How many players there are.", ge=LEAST_PLAYERS, le=MOST_PLAYERS)
    games: int = option(1, "RA-5.5", "How many games the match has. Their points are added up.", ge=1, le=20)
    round_end: Literal["one", "all"] = option(
        "one",
        "RA-3.4",
        "When a round ends.",
        label="End of a round",
        values={
            "one": ("One is left", "All players but one have passed."),
            "all": ("All have passed", "The last player may keep raising."),
        },
        advanced=True,
    )
    deck: str = option(
        "standard",
        "RA-1.2",
        "The cards to play with.",
        values={
            "standard": ("The usual deck", "Speeds to 130 in each colour, and four black cards."),
            "all-black-top": ("Black on top", "Only black reaches 130, and there are eight black cards."),
        },
        write="or a list of cards: r10-130+g10-130+2*b70+k30",
        data=True,
    )
    line: str = option(
        "shuffled",
        "RA-2.1",
        "The order of the thirteen cars at the start.",
        label="Cars at the start",
        values={"shuffled": ("Shuffled", "The black car leads, and chance puts the others behind it.")},
        write="or 13 letters from the front that begin with k, as in krgbyrgbyrgby",
        advanced=True,
    )

    dealt: int = rule_number(
        HAND, "RA-2.2", "How many cards each player is dealt.", least=1, most=HAND, label="Cards dealt"
    )
    hand: int = rule_number(
        HAND,
        "RA-5.1",
        "Up to how many cards a player draws after a round.",
        least=1,
        most=HAND,
        label="Full hand",
    )
    raise_by: int = rule_number(
        10,
        "RA-3.3",
        "By how much a coloured card must be higher than the highest one.",
        least=10,
        most=50,
        step=10,
        label="Least raise, coloured",
    )
    black_by: int = rule_number(
        10,
        "RA-3.3",
        "By how much a black card must be higher than the highest one; 0: it may be equal.",
        least=0,
        most=50,
        step=10,
        label="Least raise, black",
    )
    ending_speed: int = rule_number(
        FASTEST,
        "RA-3.4",
        "From which speed on a card ends the round at once; 140: none does.",
        least=60,
        most=140,
        step=10,
        label="Speed that ends a round",
    )
    car_points: int = rule_number(
        1, "RA-4.2", "The points for each car moved.", least=1, most=3, label="Points for a car"
    )
    black_factor: int = rule_number(
        2,
        "RA-4.2",
        "By what the black car multiplies the points of the cars that move with it.",
        least=1,
        most=4,
        label="Factor of the black car",
    )
    black_points: int = rule_number(
        0,
        "RA-4.2",
        "What the black car counts itself, besides its factor.",
        least=0,
        most=9,
        label="Points for the black car",
    )
    pass_cost: int = rule_number(
        1,
        "RA-5.2",
        "How many cards a pass costs once the reserve is empty.",
        least=0,
        most=1,
        label="Cost of a pass",
    )

    @field_validator("deck")
    @classmethod
    def _deck(cls, text: str) -> str:
        return text if text in SHIPPED else deck_words(read_deck(text))

    @field_validator("line")
    @classmethod
    def _line(cls, text: str) -> str:
        """RA-2.1 the line is shuffled, or has every colour three times behind the black car."""
        if text == "shuffled":
            return text
        if text[:1] != "k" or Counter(text) != Counter("k" + 3 * COLOURS[:4]):
            raise BadValue(
                _("give each colour to three cars (RA-2.1)"),
                write=_("write shuffled, or k and then each of r, g, b and y three times (RA-2.1)"),
            )
        return text

    @model_validator(mode="after")
    def _enough(self, info: ValidationInfo) -> Self:
        """RA-1.2 check that the deck has enough cards. Revision 1 allowed fewer coloured ones."""
        kinds = read_deck(self.deck)
        fewest = self.dealt * self.players
        if len(kinds) < fewest:
            sentence = _("RA-1.2 {players} players need a deck of at least {least} cards, not {n}")
            fault = sentence.format(players=self.players, least=fewest, n=len(kinds))
            raise BadValue(fault, write=fault, about="deck")
        before = info.context and info.context.get("revision") == 1
        if coloured(kinds) < self.players and not before:
            sentence = _(
                "RA-1.2 {players} players need a deck with at least {players} coloured cards, not {n}"
            )
            fault = sentence.format(players=self.players, n=coloured(kinds))
            raise BadValue(fault, write=fault, about="deck")
        return self


# Decisions in a game of Clubs, which docs/look.md counts: 86 with four players, 77 with two
PRESETS = (
    Preset("game", "A single game", "Four players, thirteen cars.", minutes(86), "games=1"),
    Preset(
        "evening", "A family evening", "Three games; the points are added up.", minutes(3 * 86), "games=3"
    ),
    Preset(
        "black",
        "Black on top",
        "Eight black cards, and only they reach 130.",
        minutes(88),
        "games=1 deck=all-black-top",
    ),
    Preset("duel", "A duel", "Two players, five games.", minutes(5 * 77), "players=2 games=5"),
)

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
    kernel=("rules.state", "rules.hands", "rules.rounds", "rules.rules"),
    presets=PRESETS,
)
