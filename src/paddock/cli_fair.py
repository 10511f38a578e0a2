"""``paddock fair``: anybody can check that the cards of a race follow from a secret that was fixed before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.terminal.arguments import contents
from paddock.terminal.output import out


def fair(
    proof: Annotated[
        Path,
        typer.Argument(
            metavar="PROOF",
            help="What the server told: /api/v1/daily/DAY or /api/v1/evenings/EVENING; - reads it from "
            "standard input.",
        ),
    ],
    records: Annotated[
        list[Path] | None, typer.Argument(metavar="RECORD", help="Records of races that it is about.")
    ] = None,
    commitment: Annotated[
        str, typer.Option(help="What the server showed before: it must be the hash of the secret.")
    ] = "",
) -> None:
    """Check that a secret matches what was shown before, and gives the cards, dice and bots of records."""
    from paddock import records as files
    from paddock.bots.fair import check
    from paddock.features import proof as read

    text = contents("PROOF", proof)
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise PaddockError(
            _("this is no proof: give what the server tells of a day or an evening that is over")
        )
    found = read(told)
    good = found.holds(commitment)
    words = _("{name}: the secret matches the hash shown before.")
    if not good:
        words = _("{name}: the secret does NOT match the hash shown before.")
    out.print(words.format(name=found.name))
    for file in records or ():
        race, made = check(files.read(contents("RECORD", file)), found)
        words = _("{file} ({race}): {outcomes} random outcomes and {moves} bot moves match the secret.")
        if made.fault:
            words = _("{file}: does NOT match this secret: {fault}")
            good = False
        out.print(
            words.format(
                file=file, race=race.label, fault=made.fault, outcomes=made.outcomes, moves=made.moves
            )
        )
    if not good:
        raise typer.Exit(1)
