"""Riders as a drawing: a lane for each rider."""

from html import escape
from typing import Any


def svg(view: Any) -> str:
    """The riders between start and finish, and who has chosen a card."""
    lanes, state, scale = "", view.state, 460 / view.setup["length"]
    for seat, name in enumerate(view.names):
        x = 20 + min(460, scale * state["at"][seat])
        chosen = "" if state["chosen"][seat] == 0 else '<rect x="482" y="3" width="8" height="11" rx="1"/>'
        lanes += f'<g transform="translate(0 {32 * seat})"><path d="M12 24H482"/>{chosen}'
        lanes += f'<circle cx="{x:g}" cy="24" r="6"/><circle cx="{x - 9:g}" cy="24" r="6"/>'
        lanes += f'<text x="12" y="13">{escape(name)}: {state["at"][seat]}</text></g>'
    box = f"0 0 500 {32 * len(view.names) + 4}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="riders" viewBox="{box}">{lanes}</svg>'
