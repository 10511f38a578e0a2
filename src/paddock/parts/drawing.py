"""Parts of ``draw.py``: names of pictures, and the podium in words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from paddock.core.i18n import _, plural


@dataclass(frozen=True)
class Finisher:
    """A player or team on the podium."""

    place: int  # equal for a tie
    name: str
    points: int


def aria(name: str, named: bool = True) -> str:
    """Return the attributes of a picture with this name, or of a hidden one (``named`` = false)."""
    return f'role="img" aria-label="{escape(name)}"' if named else 'aria-hidden="true"'


def short(name: str, letters: int) -> str:
    """Shorten a name to this many letters."""
    return name if len(name) <= letters else name[: letters - 1] + "…"


def podium_says(finishers: Sequence[Finisher], heading: str) -> str:
    """Return the name of a picture of the podium: «Podium: 1. Ana, 9 points; 2. …»."""
    steps = (
        _("{place}. {name}, {points}").format(
            place=f.place, name=f.name, points=plural("{n} point", "{n} points", f.points)
        )
        for f in finishers
    )
    label = heading or _("Podium")
    return f"{label}: {'; '.join(steps)}" if finishers else label


def poster(name: str, ground: str, ink: str) -> str:
    """Return the poster of a title that has none of its own: its name, a word on each line."""
    words = name.upper().split()
    size = min(160, 840 // max(map(len, words)))
    face = f'font-size="{size}" font-weight="700" font-family="var(--poster,Arial Narrow,sans-serif)"'
    lines = "".join(
        f'<text x="40" y="{790 - size * n}" {face} fill="{ink}">{escape(word)}</text>'
        for n, word in enumerate(reversed(words))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 840" {aria(name)}>'
        f'<rect x="-9" y="-9" width="618" height="858" fill="{ground}"/>{lines}</svg>'
    )


def still(id: str, drawing: str) -> str:
    """Return a part of a drawing that rarely changes, as a group: updates leave it out if the page has it.

    A part without a drawing is a plain group: the page would take it for one that was left out, and ask for
    it again and again.
    """
    if not drawing:
        return f'<g id="{id}"></g>'
    digest = hashlib.sha256(drawing.encode()).hexdigest()[:12]
    return f'<g id="{id}" data-still="{digest}">{drawing}<!--/still--></g>'


@dataclass(frozen=True)
class DrawnHand:
    """A hand of cards that the eyes of a view see: the name of its row, and its cards as drawings."""

    name: str
    cards: Sequence[str]  # each an ``<svg>`` of the same ``viewBox``


def with_hands(drawing: str, hands: Sequence[DrawnHand], *, ground: str, ink: str, font: str) -> str:
    """Return a drawing with a row for each hand below it, the words in ``ink`` on ``ground``."""
    hands = [hand for hand in hands if hand.cards]
    if not hands:
        return drawing
    left, top, width, height = map(float, re.findall(r'viewBox="([^"]+)"', drawing)[0].split())
    row, start = width * 0.08, width * 0.2
    foot = top + height
    frame = f'viewBox="{left:g} {top:g} {width:g} {height + row * len(hands):g}"'
    parts = [
        f'<rect x="{left:g}" y="{foot:g}" width="{width:g}" height="{row * len(hands):g}" fill="{ground}"/>'
    ]
    for n, hand in enumerate(hands):
        y = foot + row * n
        parts.append(
            f'<text x="{left + width * 0.01:g}" y="{y + row * 0.6:g}" font-size="{row * 0.28:g}" '
            f'font-family="{font}" font-weight="700" fill="{ink}">{escape(short(hand.name, 18))}</text>'
        )
        across, tall = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', hand.cards[0])[0])
        size = row * 0.9 * across / tall
        step = min(size * 1.08, (width * 0.99 - start - size) / max(1, len(hand.cards) - 1))
        for i, card in enumerate(hand.cards):  # many cards overlap
            place = f'x="{left + start + step * i:.1f}" y="{y + row * 0.05:.1f}"'
            box = f'<svg {place} width="{size:.1f}" height="{row * 0.9:.1f}"'
            parts.append(card.replace("<svg", box, 1))
    body = drawing.removesuffix("</svg>")
    return re.sub(r'viewBox="[^"]+"', frame, body, count=1) + "".join(parts) + "</svg>"


def standalone(drawing: str) -> str:
    """Return a drawing with its colours filled in: it then needs no style sheet."""
    return re.sub(r"var\(--[a-z-]+,([^()]+)\)", r"\1", drawing)
