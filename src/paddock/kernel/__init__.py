"""How rules are run: plain or compiled, their records, events and chance, bulk play."""

from paddock.core.words import CHANCE, HIDDEN, PUBLIC
from paddock.kernel.chance import below, stream, weighted
from paddock.kernel.choices import undecided
from paddock.kernel.events import TELL, tell
from paddock.kernel.fields import Field, field
from paddock.kernel.generated import clearing, listing
from paddock.kernel.mode import rule
from paddock.kernel.record import (
    Begins,
    Floats,
    Grid,
    Hidden,
    Past,
    PlainRecord,
    Row,
    i8,
    i16,
    i32,
    i64,
    record,
)
from paddock.kernel.scale import share

__all__ = [
    "CHANCE",
    "HIDDEN",
    "PUBLIC",
    "TELL",
    "Begins",
    "Field",
    "Floats",
    "Grid",
    "Hidden",
    "Past",
    "PlainRecord",
    "Row",
    "below",
    "clearing",
    "field",
    "i8",
    "i16",
    "i32",
    "i64",
    "listing",
    "record",
    "rule",
    "share",
    "stream",
    "tell",
    "undecided",
    "weighted",
]
