"""``paddock map``: check, draw and print the maps of titles that have some."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paddock import title, titles
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.terminal.arguments import contents
from paddock.terminal.completion import Commands
from paddock.terminal.output import STDOUT, out, say_written, write

if TYPE_CHECKING:
    from paddock.core.title import Maps, Title

maps_app = typer.Typer(
    cls=Commands, help="Check, draw and print maps.", no_args_is_help=True, rich_markup_mode=None
)
MapFile = Annotated[str, typer.Argument(metavar="MAP", help="A file, or the name of a shipped map.")]
MapTitle = Annotated[
    str | None, typer.Option("--title", metavar="TITLE", help="The title; only needed if several have maps.")
]


def _with_maps(name: str | None) -> tuple[Title, Maps]:
    """Return the title ``name``, or the only one with maps, and its maps; raise ``PaddockError``."""
    having = [(t, t.maps) for t in ([title(name)] if name else titles().values()) if t.maps]
    if not having:
        raise PaddockError(
            _("{title} has no maps").format(title=name) if name else _("no installed title has maps")
        )
    if len(having) > 1:
        names = ", ".join(t.name for t, _maps in having)
        raise PaddockError(
            _("several titles have maps: write --title and one of {titles}").format(titles=names)
        )
    return having[0]


def _map(maps: Maps, map: str) -> str:
    """Return the text of a map: the name of a shipped one, or a file."""
    return maps.source(map) if map in maps.SHIPPED else contents(map, Path(map))


@maps_app.command("check")
def map_check(map: MapFile, of: MapTitle = None) -> None:
    """List the faults of a map; exit 1 if there are any."""
    _title, maps = _with_maps(of)
    text = _map(maps, map)
    faults = maps.check(text)
    for fault in faults:
        out.print(fault)
    if faults:
        raise typer.Exit(1)
    out.print(maps.summary(text))


@maps_app.command("draw")
def map_draw(
    map: MapFile,
    of: MapTitle = None,
    file: Annotated[
        Path | None, typer.Option("--out", help="The SVG file; default: MAP with the suffix .svg.")
    ] = None,
) -> None:
    """Draw a map as SVG."""
    found_title, maps = _with_maps(of)
    text = _map(maps, map)
    if faults := maps.check(text):
        raise PaddockError("; ".join(faults))
    draw = found_title.draw.drawn_map
    if draw is None:
        raise PaddockError(_("{title} does not draw maps").format(title=found_title.label))
    target = file or Path(map).with_suffix(".svg")
    write(target, draw(text))
    say_written(target)


@maps_app.command("show")
def map_show(map: MapFile, of: MapTitle = None) -> None:
    """Print a map. Start your own from a shipped one."""
    write(STDOUT, _map(_with_maps(of)[1], map))
