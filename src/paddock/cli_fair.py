"""``paddock fair``: anybody can check that the cards of a race follow from a secret that was fixed before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.terminal.arguments import contents
from paddock.terminal.output import out

if TYPE_CHECKING:
    from paddock.bots.fair import Proof
    from paddock.records import Record


def fair(
    first: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A record that proves its cards, or what the server told: /api/v1/daily/DAY or "
            "/api/v1/evenings/EVENING; - reads it from standard input.",
        ),
    ],
    more: Annotated[
        list[Path] | None, typer.Argument(metavar="RECORD", help="Records of races that it is about.")
    ] = None,
    commitment: Annotated[
        str, typer.Option(help="What the server showed before: it must be the hash of the secret.")
    ] = "",
) -> None:
    """Check that a secret matches what was shown before, and gives the cards, dice and bots of records."""
    from paddock import records
    from paddock.bots.fair import proof_in
    from paddock.records.form import FORMAT

    text, good = contents("FILE", first), True
    proof = None if text.startswith(FORMAT) else _told(text)
    if proof:
        good = _says_secret(proof, commitment)
    files = [(file, contents("RECORD", file)) for file in more or ()]
    for file, record_text in files if proof else [(first, text), *files]:
        record = records.read(record_text)
        own = proof or proof_in(record)
        if own is None:
            words = _(
                "{file} does not prove its cards: give what the server tells of its day or evening, too"
            )
            raise PaddockError(words.format(file=file))
        if not proof:
            good = _says_secret(own, commitment) and good
        good = _says_record(file, record, own) and good
    if not good:
        raise typer.Exit(1)


def _told(text: str) -> Proof:
    """Return what a server told as a proof; raise ``PaddockError``."""
    from paddock.features import proof

    try:
        told = json.loads(text)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise PaddockError(
            _("this is no proof: give a record, or what the server tells of a day or an evening that is over")
        )
    return proof(told)


def _says_secret(proof: Proof, commitment: str) -> bool:
    """Say whether a secret is the one whose hash was shown; return it."""
    good = proof.holds(commitment)
    words = _("{name}: the secret matches the hash shown before.")
    if not good:
        words = _("{name}: the secret does NOT match the hash shown before.")
    out.print(words.format(name=proof.name))
    return good


def _says_record(file: Path, record: Record, proof: Proof) -> bool:
    """Say whether a record follows from a secret; return it."""
    from paddock.bots.fair import check

    race, made = check(record, proof)
    words = _("{file} ({race}): {outcomes} random outcomes and {moves} bot moves match the secret.")
    if made.fault:
        words = _("{file}: does NOT match this secret: {fault}")
    out.print(
        words.format(file=file, race=race.label, fault=made.fault, outcomes=made.outcomes, moves=made.moves)
    )
    return not made.fault
