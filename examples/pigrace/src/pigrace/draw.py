"""Pig race as a drawing: a lane for each pig."""

from html import escape
from typing import Any


def svg(view: Any) -> str:
    """The pigs between start and finish, and the steps of this turn ahead of one of them."""
    lanes, state, track = "", view.state, view.setup["track"]
    for seat, name in enumerate(view.names):
        at = state["at"][seat]
        steps = state["steps"] if seat == state["turn"] else 0
        lanes += f'<g transform="translate(0 {30 * seat})"><path d="M10 22H{10 + 5 * track}"/>'
        lanes += f'<path class="steps" d="M{10 + 5 * at} 22h{5 * steps}"/>'
        lanes += f'<circle cx="{10 + 5 * at}" cy="22" r="6"/>'
        lanes += f'<text x="10" y="12">{escape(name)}: {at}</text></g>'
    box = f"0 0 {20 + 5 * track} {30 * len(view.names)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="pigs" viewBox="{box}">{lanes}</svg>'
