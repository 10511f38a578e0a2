"""A part of ``draw.py``: a race as lanes from the start to the finish, for titles that count steps."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from paddock.parts.drawing import short

_COLOURS = ("#1f7a5c", "#d9a441", "#c0392b", "#2f6db5", "#7d4fa0", "#5b2333")  # of the seats
_START, _FINISH, _HEIGHT = 12, 482, 32


def lanes(
    at: str,
    length: str,
    *,
    lane: str = "",
    lanes: int = 0,
    ahead: Callable[[Any, int], int] | None = None,
    marked: str = "",
) -> Callable[[Any], str]:
    """Return the function ``svg(view)`` of a room ``draw.py``: who is how far.

    ``at`` is the row of the state with the steps of each seat, and ``length`` the option with those of the
    race. Each seat has a lane of its own, or there are so many ``lanes`` and the row ``lane`` says which it
    is in. ``ahead(state, seat)`` are steps that are shown in front of a seat. A seat has a card behind the
    finish while its number in the row ``marked`` is not 0, whether the reader knows it or not.
    """

    def svg(view: Any) -> str:
        state, scale = view.state, (_FINISH - _START) / view.setup[length]
        rows = lanes or len(view.names)
        parts = [f'<path d="M{_START} {_HEIGHT * row + 24}H{_FINISH}"/>' for row in range(rows)]
        there: list[tuple[int, int]] = []
        for seat, name in enumerate(view.names):
            row, steps = state[lane][seat] if lane else seat, state[at][seat]
            x, y = _START + scale * min(steps, view.setup[length]), _HEIGHT * row + 24
            beside = sum(other == row and abs(place - steps) * scale < 12 for other, place in there)
            there.append((row, steps))
            colour = _COLOURS[seat % len(_COLOURS)]
            if ahead and (more := scale * ahead(state, seat)):
                parts.append(f'<path stroke="{colour}" stroke-width="4" d="M{x:g} {y}h{more:g}"/>')
            anchor = "end" if x > 250 else "start"
            parts.append(
                f'<circle cx="{x:g}" cy="{y - 3 * beside:g}" r="6" fill="{colour}"/>'
                f'<text x="{x:g}" y="{y - 10 - 9 * beside:g}" text-anchor="{anchor}" stroke="none" '
                f'fill="currentColor">{escape(short(name, 18))}: {steps}</text>'
            )
            if marked and state[marked][seat] != 0:
                parts.append(
                    f'<rect x="{_FINISH + 4}" y="{y - 14}" width="8" height="11" rx="1" fill="#d9a441"/>'
                )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="lanes" viewBox="0 0 500 {_HEIGHT * rows + 4}" '
            f'width="100%" font-size="9" stroke="currentColor" stroke-width="0.5">{"".join(parts)}</svg>'
        )

    return svg
