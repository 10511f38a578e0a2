"""The picture of a link: words and a drawing as a PNG. Pure, for a worker process: rasterising takes long."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import wrap

from paddock.bots.workers import PackedSeen, unpack
from paddock.core.extras import installed
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.parts.alphabet import capitals, outlined, plain, write
from paddock.web.titles import colours, drawn

WIDE, HIGH = 1200, 630  # the size that sites expect
EDGE = 56
MOST_LINES = 3  # of the heading


@dataclass(frozen=True)
class Picture:
    """What a picture shows. Equal ones look the same in the same language."""

    title: str
    heading: str
    text: str
    shows: PackedSeen | str  # a position to draw, or a finished drawing: an SVG, or empty


def can_rasterise() -> bool:
    """Return whether what makes a PNG of a drawing is installed."""
    return installed("resvg_py")


def png(picture: Picture) -> bytes:
    """Return the picture as a PNG of 1200 × 630."""
    import resvg_py  # imported late: links work without their pictures

    title, shows = find_title(picture.title), picture.shows
    drawing = shows if isinstance(shows, str) else _of(shows)
    svg = composed(title, picture.heading, picture.text, drawing)
    return resvg_py.svg_to_bytes(svg_string=svg, width=WIDE, height=HIGH, skip_system_fonts=True)


def _of(position: PackedSeen) -> str:
    """Draw a position, in a simple form where the title has one."""
    seen = unpack(position)
    view = seen.title.view.view(seen)
    return drawn(seen.title, "picture", view) or drawn(seen.title, "svg", view)


_BOX = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)"')


def composed(title: Title, heading: str, text: str, drawing: str) -> str:
    """Return the picture as an SVG: the drawing beside or below the words. It needs no fonts."""
    field, light = colours(title)
    box = _BOX.search(drawing)
    wide = box is not None and float(box[3]) > 1.5 * float(box[4])
    room = WIDE - 2 * EDGE if wide or not drawing else WIDE // 2 - EDGE
    size = 60 if wide else 68
    parts = [f'<rect width="{WIDE}" height="{HIGH}" fill="{field}"/>']
    parts.append(write("Paddock", EDGE, 92, 44, light, anchor="start"))
    y = 178 if wide else 210
    lines = _lines(heading, size, room, MOST_LINES - wide)
    for line in lines:
        parts.append(write(line, EDGE, y, size, light, anchor="start", fit=room))
        y += size
    for line in _lines(text, 34, room, 1 if wide else 5):
        parts.append(write(line, EDGE, y, 34, light, anchor="start", fit=room))
        y += 46
    if drawing:
        x, top = (0, y - 10) if wide else (WIDE / 2 + EDGE / 2, EDGE / 2)
        across, high = (WIDE, HIGH - top) if wide else (WIDE / 2 - EDGE, HIGH - EDGE)
        spot = f'x="{x:g}" y="{top:g}" width="{across:g}" height="{high:g}"'
        parts.append(re.sub(r"<svg ", f"<svg {spot} ", drawing, count=1))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}">{"".join(parts)}</svg>'
    return outlined(svg)


def _lines(text: str, size: float, room: float, most: int) -> list[str]:
    """Return a text in lines that fit; what is left over is cut off."""
    words = plain(text)
    if not words or most < 1:
        return []
    each = max(1.0, capitals.width(words, 0.7 * size) / len(words))
    lines = wrap(words, max(8, int(room / each)))
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]}..."]
    return lines
