"""The room ``draw.py``: the pictures of a title."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from paddock.core.rooms.basics import Usual


class Drawings(Protocol):
    """The room ``draw.py``: the functions that notebooks and shared pages use. Each returns an SVG.

    All of them are optional; without one, the page has no such picture. The room may have more functions for
    the title's own templates, such as one for the board.
    """

    FIELD: str  # the colour behind pictures that are shared [Paddock's own]
    LIGHT: str  # the colour of words on it [Paddock's own]

    svg: Callable[[Any], str] | None
    """``svg(view)`` returns the view as a self-contained SVG drawing, for a notebook."""

    picture: Callable[[Any], str] | None
    """``picture(view)`` returns ``svg`` in a simple form for a small picture, without any hands [``svg``]."""

    drawn_map: Callable[[str], str] | None
    """``drawn_map(text)`` returns a map of the room ``maps``, with nobody on it, for ``paddock map draw``."""

    sprite: Callable[[], str] | None
    """``sprite()`` returns the symbols that the drawings on a page refer to. A page contains them once."""

    poster: Callable[[], str] | None
    """``poster()`` returns the title's poster."""

    card: Callable[..., str] | None
    """``card(card)`` returns the drawing of a card of ``Page.faces``."""

    podium: Callable[..., str] | None
    """``podium(finishers, *, heading="")`` returns the podium with ``Page.finishers`` on it."""


class UsualDrawings(Usual):
    """No pictures; the colours are Paddock's own."""

    FIELD = "#1e1a17"
    LIGHT = "#f6ecd8"
    svg: Callable[[Any], str] | None = None
    picture: Callable[[Any], str] | None = None
    drawn_map: Callable[[str], str] | None = None
    sprite: Callable[[], str] | None = None
    poster: Callable[[], str] | None = None
    card: Callable[..., str] | None = None
    podium: Callable[..., str] | None = None
