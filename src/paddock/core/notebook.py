"""What notebooks show: drawings of views, and small tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from paddock.core.places import room_beside


class Drawn:
    """The base class of a title's ``View``: a notebook shows it as ``svg`` of the title's ``draw.py``."""

    def _repr_svg_(self) -> str | None:
        """The drawing; None if the title has none."""
        svg = getattr(room_beside(type(self).__module__, "draw"), "svg", None)
        return svg(self) if svg else None


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table without colours of its own: it fits a dark notebook as well. Texts are escaped."""

    def row(cells: Sequence[str], tag: str) -> str:
        written = (f'<{tag} style="text-align:left">{escape(cell)}</{tag}>' for cell in cells)
        return f"<tr>{''.join(written)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>"
