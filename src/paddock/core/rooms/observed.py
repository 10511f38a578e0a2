"""The rooms ``features.py`` and ``invariants.py``: a state as numbers, and what holds in every state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from paddock.core.errors import PaddockError
from paddock.core.rooms import above
from paddock.core.rooms.basics import Titled, Usual


class Features(Protocol):
    """The room ``features.py``: what a player sees, as numbers for a network."""

    FEATURES: int  # how many, the same for all options
    FIELDS: Sequence[Any]  # what they mean: a ``paddock.kernel.Field`` for each block, in order

    def observe(self, s: Any, g: Any, seat: int, out: Any) -> None:
        """Write the observation of ``seat`` from a state hidden for its player; ``out`` has FEATURES
        zeros."""


class UsualFeatures(Usual):
    """Every field of the hidden state: see ``paddock.kernel.generated.observation``."""

    def __init__(self, title: Titled, own: Mapping[str, Any]) -> None:
        if own:
            raise PaddockError(f"{title.package}.features needs all of FEATURES, FIELDS and observe")
        derived = above.kernel().whole_rules(title)
        self.FEATURES, self.FIELDS, self.observe = derived.FEATURES, derived.FIELDS, derived.observe
        super().__init__(title, {})


class Invariants(Protocol):
    """The room ``invariants.py``. The kernel also has its function ``broken(s, g)``."""

    @property
    def INVARIANTS(self) -> Sequence[str]:
        """Sentences, by the number that ``broken`` returns; 0 is none."""

    SAMPLES: Mapping[str, Sequence[str]]  # values of options that are texts


class UsualInvariants(Usual):
    """What is true in every state of every title. No option is a text."""

    SAMPLES: Mapping[str, Sequence[str]] = {}

    @cached_property
    def INVARIANTS(self) -> Sequence[str]:
        return above.kernel().whole_rules(self.title).INVARIANTS
