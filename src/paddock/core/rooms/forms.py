"""The room ``forms.py``: what the set-up page shows of the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from paddock.core.i18n import _
from paddock.core.rooms.basics import Usual

if TYPE_CHECKING:
    from paddock.core.options import Options  # which imports Pydantic


@dataclass(frozen=True)
class Part:
    """A small field of an option that consists of several, such as the points of a place."""

    label: str
    value: str
    choices: Sequence[tuple[str, str]] = ()  # (value, name); without them it is a whole number
    most: int = 1000  # of a whole number


class Parts(Protocol):
    """How a page asks for an option that is written as a list or a text: in several small fields."""

    def split(self, value: str, options: Options) -> Sequence[Part]:
        """Return the fields for a value as it is written, also for one that is wrong."""

    def join(self, texts: Sequence[str]) -> str:
        """Return the value as it is written, from what the fields have. The options check it."""


@dataclass(frozen=True)
class Sample:
    """Something to look at below an option, such as a leader: ``PICTURES`` draws ``value``."""

    value: str
    label: str
    says: str


class Forms(Protocol):
    """The room ``forms.py``: what the set-up page shows of the options, besides the words of the rulebook.

    All of it is optional; the defaults are in brackets. It also draws, each as an SVG that stands alone,
    without words, as an image has no other fonts and does not follow the language.
    """

    PICTURES: Mapping[str, Callable[[str], str]]
    """The option → a function that draws a value of it, about 160 by 100 [none]. ``presets`` draws a preset
    by its name; the option for the number of players draws the piece of each, from "1"."""

    PARTS: Mapping[str, Parts]
    """The options that are asked for in several fields [lists of whole numbers]."""

    FORMATS: Mapping[str, str]
    """An option with data → a sentence about what a file of one's own contains [none]."""

    def choices(self, option: str, options: Options) -> Sequence[tuple[str, str]]:
        """Return values, with their names, that follow from other options [none]."""

    def called(self, option: str, value: str) -> str:
        """Return the name of data of one's own, such as the title of a map [«Your own»]."""

    def facts(self, option: str, value: str) -> Sequence[str]:
        """Return facts about a value, each in a few words: how long it is, for how many players [none]."""

    def source(self, option: str, value: str) -> str:
        """Return the file of a built-in value, as a start for one's own [none]."""

    def samples(self, option: str) -> Sequence[Sample]:
        """Return what an option is about, as pictures with words [nothing]."""


class UsualForms(Usual):
    """The set-up page shows the words of the rulebook, and no pictures."""

    PICTURES: Mapping[str, Callable[[str], str]] = MappingProxyType({})
    PARTS: Mapping[str, Parts] = MappingProxyType({})
    FORMATS: Mapping[str, str] = MappingProxyType({})

    def choices(self, option: str, options: Options) -> Sequence[tuple[str, str]]:
        return ()

    def called(self, option: str, value: str) -> str:
        return _("Your own")

    def facts(self, option: str, value: str) -> Sequence[str]:
        return ()

    def source(self, option: str, value: str) -> str:
        return ""

    def samples(self, option: str) -> Sequence[Sample]:
        return ()
