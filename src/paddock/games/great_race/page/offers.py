"""The Great Race: what the question of a page consists of: pictures, buttons, boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from paddock.parts.page import Choice, Way


@dataclass(frozen=True)
class Face:
    """A picture to choose: of a card, a leader or a tile."""

    kind: str  # "card", "leader" or "tile"
    word: str  # in notation
    says: str = ""  # what it does
    number: str = ""  # on the picture of a card


@dataclass(frozen=True)
class Press:
    """A button that adds a move to the chain. Without a legal move it says why."""

    move: str  # notation
    short: str  # on the button
    says: str  # the whole sentence
    note: str = ""  # small: what it costs
    key: str = ""
    fits: bool = True
    face: Face | None = None
    count: int = 1  # equal cards
    clause: str = ""  # of the refusal


@dataclass(frozen=True)
class ButtonGroup:
    """Buttons in a row, such as the cards of a sequence."""

    name: str  # "petrol", "cards", "crew", "steps", "spaces", "tiles" or "answers"
    heading: str
    presses: tuple[Press, ...]
    none: str = ""  # why there are no buttons


@dataclass(frozen=True)
class Box:
    """One of the four boxes on which assistants are placed."""

    name: str
    uses: str  # in a few words
    says: str  # in sentences
    key: str


@dataclass(frozen=True)
class Hand:
    """What a seat is asked, and all that it can choose. See ``Hand`` in core/pages.py."""

    question: str
    idle: str
    kind: str  # "chain", "picks", "window" or "plan"
    refused: dict[str, tuple[str, str]] = field(default_factory=dict)
    groups: tuple[ButtonGroup, ...] = ()  # of a chain
    cards: tuple[Choice[Face], ...] = ()  # of picks
    signs: tuple[Choice[Face], ...] = ()
    plus: None = None
    ways: tuple[Way, ...] = ()  # of a window, each sends at once
    sends: tuple[str, ...] = ()  # what each way sends
    boxes: tuple[Box, ...] = ()  # of a plan
    crew: int = 0  # assistants to place
    shows: tuple[Face, ...] = ()  # what the question is about
    spaces: Mapping[int, str] = field(default_factory=dict)  # on the map: space → what a click adds
    labels: Mapping[int, str] = field(default_factory=dict)  # space → what that does
    tray: tuple[Press, ...] = ()  # the cards of the hand, where they are not choices
    hint: str = ""
    clause: str = ""
    key: str = "g"  # of the button that sends
