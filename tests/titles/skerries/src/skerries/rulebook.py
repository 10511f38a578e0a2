"""Skerries: what is this game and how can it be set up?"""

from __future__ import annotations

from pydantic import field_validator

from paddock.core.options import Options as CoreOptions
from paddock.core.options import option
from paddock.core.title import Preset, Title, minutes
from skerries.chart import SHIPPED, chart_word, read_chart


class Options(CoreOptions):
    """How a regatta of Skerries can be set up."""

    skippers: int = option(3, "SK-1.2", "How many skippers take part.", ge=2, le=4)
    races: int = option(1, "SK-5.4", "How many races the regatta has; points are added up.", ge=1, le=5)
    days: int = option(3, "SK-5.2", "A race is over after this many days.", ge=1, le=12)
    copies: int = option(
        4,
        "SK-1.3",
        "How many cards of each kind there are: gusts, pilots, anchors.",
        ge=1,
        le=6,
        advanced=True,
    )
    chart: str = option(
        "sisters",
        "SK-1.1",
        "The waters to sail in.",
        values={
            "sisters": ("Three sisters", "Around the rocks, or over the reefs beside them."),
            "narrows": ("The narrows", "Reefs across the straight way, and a light in either corner."),
        },
        write="or your own rows of . + x h q l; q.+/.x./h.l has three rows",
        data=True,
    )

    @field_validator("chart")
    @classmethod
    def _chart(cls, text: str) -> str:
        return text if text in SHIPPED else chart_word(read_chart(text))


TITLE = Title(
    name="skerries",
    label="Skerries",
    tagline="Small boats, sudden gusts, and no honour among skippers.",
    package="skerries",
    revision=1,
    round_name="race",
    player_name="skipper",
    seat_name="skipper",
    options=Options,
    presets=(  # a race of Clubs has 34 decisions, in the narrows 47
        Preset("race", "A race", "Once around the three sisters.", minutes(34), "races=1"),
        Preset(
            "regatta", "A regatta", "Three races in the narrows.", minutes(3 * 47), "races=3 chart=narrows"
        ),
    ),
    kernel=("sailing", "cards", "rules"),
)
