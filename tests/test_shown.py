"""No refusal sends back what turns its line around, or cannot be seen: U+202E and its kind.

The kind: an input is echoed as it came. Everything that is echoed goes through ``brief`` or ``quoted``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest

import paddock
from paddock import records
from paddock.bots import bot
from paddock.core.errors import PaddockError, visible
from paddock.core.title import Title
from paddock.features.mygames.archive import read as read_archive
from paddock.tables import clock
from sampling import SEED, count

HOSTILE = "x\u202ey\u2066\u200f\x1b[31m\ufeff\U000e0041\u200bz"
TITLES = [*paddock.titles().values()]
titles = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.name)


def unseen(text: str) -> str:
    """Return what of a text cannot be seen as it is; line breaks can."""
    return "".join(c for c in text if not c.isprintable() and c != "\n")


def refusal(work: Callable[[], object]) -> str:
    """Return all that an error says, to commands and to pages; empty if there was none."""
    try:
        work()
    except (PaddockError, ValueError) as error:
        said = [str(error), getattr(error, "reason", ""), *map(str, getattr(error, "faults", ()))]
        for one in getattr(error, "said", ()):
            said += [one] if isinstance(one, str) else [*one]
        return "\n".join(map(str, said))
    return ""


def spoiled(text: str) -> Iterator[str]:
    """Yield texts in which a part was replaced by hostile letters, or has them in it."""
    rng = random.Random(f"{SEED} {len(text)}")
    parts = [found.span() for found in re.finditer(r"[\w.-]+|\S", text)]
    for start, end in rng.sample(parts, min(len(parts), count(60, 400))):
        yield text[:start] + HOSTILE + text[end:]
        yield text[:end] + HOSTILE + text[end:]


def seen_at_least_once(refusals: Iterator[str]) -> None:
    found = [said for said in refusals if said]
    assert found
    assert [said for said in found if unseen(said)] == []


@titles
def test_no_fault_of_a_position_or_a_record_does(title: Title) -> None:
    game = paddock.start(title, seed=SEED)
    rng = random.Random(SEED)
    for _n in range(20):
        seat = game.deciders[0]
        game.play(seat, rng.choice(list(game.legal(seat))))
    seen_at_least_once(refusal(lambda text=text: paddock.position(text)) for text in spoiled(game.position))
    record = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    partial = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names], eyes=0)
    for whole in (record, partial):
        lines = re.sub(r"(?m)^checksum.*\n", "", whole)
        seen_at_least_once(refusal(lambda text=text: records.read(text)) for text in spoiled(lines))


@titles
def test_no_fault_of_an_option_does(title: Title) -> None:
    given: list[Callable[[], object]] = [
        lambda: title.options.read({HOSTILE: "1"}),
        lambda: title.options.read_text(HOSTILE),
        lambda: title.options.read_text(f"{HOSTILE}=1 {HOSTILE}=1"),
        lambda: title.preset(HOSTILE),
        lambda: paddock.start(title, names=HOSTILE),
    ]
    for row in title.options.describe():
        name, usual = row.name, str(row.default)
        source = ""
        if row.kind == "data":
            source = title.forms.source(name, usual)
        texts = [HOSTILE, f"~{HOSTILE}", f"{usual} {HOSTILE}", *(spoiled(source) if source else ())]
        given += [lambda name=name, text=text: title.options.read({name: text}) for text in texts]
    seen_at_least_once(refusal(work) for work in given)


@titles
def test_no_refused_move_does(title: Title) -> None:
    game = paddock.start(title, seed=SEED)
    seat = game.deciders[0]
    move = str(next(iter(game.legal(seat))))
    given = [
        lambda text=text: game.play(seat, text) for text in (HOSTILE, move + HOSTILE, f"{move} {HOSTILE}")
    ]
    given += [
        lambda: bot(title, HOSTILE),
        lambda: bot(title, f"net:{HOSTILE}"),
        lambda: bot("lacorsa", HOSTILE),
    ]
    seen_at_least_once(refusal(work) for work in given)


def test_no_other_refusal_does() -> None:
    given: list[Callable[[], object]] = [
        lambda: paddock.title(HOSTILE),
        lambda: clock.read(HOSTILE),
        lambda: read_archive('{"' + HOSTILE.replace("\x1b", "") + '": 1}'),
        lambda: records.read(HOSTILE),
    ]
    seen_at_least_once(refusal(work) for work in given)


def test_what_translations_write_stays() -> None:
    """French writes no-break spaces, German soft hyphens."""
    words = "Prix\u202f: 1\xa0000 F\nErkun\xadden – “ä” 👋 é"
    assert visible(words) == words
    assert visible("a\u202eb\u2066c\x1bd\ud800e\u2028f\x00") == "a�b�c�d�e�f�"
