"""Pig race as a drawing: a lane for each pig."""

from html import escape
from typing import Any


def svg(view: Any) -> str:
    """The pigs between start and finish, and the steps of this turn ahead of one of them."""
    lanes, state, scale = "", view.state, 480 / view.setup["track"]
    for seat, name in enumerate(view.names):
        x = 10 + scale * state["at"][seat]
        steps = scale * state["steps"] if seat == state["turn"] else 0
        lanes += f'<g transform="translate(0 {30 * seat})"><path d="M10 22H490"/>'
        lanes += f'<path class="steps" d="M{x:g} 22h{steps:g}"/><circle cx="{x:g}" cy="22" r="6"/>'
        lanes += f'<text x="10" y="12">{escape(name)}: {state["at"][seat]}</text></g>'
    box = f"0 0 500 {30 * len(view.names)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="pigs" viewBox="{box}">{lanes}</svg>'
