"""The frozen networks that play in tasks: files of their own, known by their SHA-256."""

from __future__ import annotations

from pathlib import Path

from paddock.bots.registry import EXACT
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.tasks.record_file import sha256

CHECKOUT = Path(__file__).parents[3] / "benchmark" / "pool"  # beside the source; no wheel has it
POOL = {  # the files, without “.npz”, and their SHA-256
    "great-race-half": "4cc3be05d70c294b7b9ea7cdba56d832b5cbbf7cb65db04ab07b5173044911e1",
    "lacorsa-2": "6b7a208bfeee5105ae3220f5424fb651826bb30b49238f67e7d2c410df20f851",
    "lacorsa-4-works": "0f823bddbd8808efdd4aa3407635953bfc1c9541ce4360bd02e28c44b8c47858",
    "lacorsa-4": "75090e589bea680573abfe69ae43526dc67a53cc27be5e4dbd20bac666166e4b",
    "lacorsa-5": "f5ad884e56261305a9848a12a35002986f963666441c91f96489195c9ef0cb19",
    "large-grid": "9c3107c81fae8fa4751337e7c952919e157967b679776ef799f7a2d862f6602b",
}


def level_of(opponent: str, pool: Path | None) -> str:
    """Return the level that plays for an opponent: itself, or a network of the folder ``pool``.

    ``pool`` is by default that of a checkout. Raises ``PaddockError`` if the file is missing, or another one.
    """
    if opponent not in POOL:
        return opponent
    file = (pool or CHECKOUT) / f"{opponent}.npz"
    if not file.is_file():
        sentence = _(
            "this task needs {file} of the pool, which no wheel has: copy the folder benchmark/pool of "
            "Paddock's repository, and name it with --pool"
        )
        raise PaddockError(sentence.format(file=file.name))
    if sha256(file) != POOL[opponent]:
        sentence = _("{file} is not the frozen network “{name}”: its SHA-256 must be {digest}")
        raise PaddockError(sentence.format(file=file, name=opponent, digest=POOL[opponent]))
    return f"{EXACT}{file}"
