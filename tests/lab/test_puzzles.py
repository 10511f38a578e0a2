"""Making puzzles from games of bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.bots.puzzles import dump, loads
from paddock.core.errors import PaddockError
from paddock.core.title import title
from paddock.lab import puzzles
from paddock.lab.puzzles import make
from terminal.test_cli import here

pytestmark = pytest.mark.slow("loads the compiled rollouts")
FEW = {"games": 3, "worlds": 128, "seed": 5}


@pytest.fixture(autouse=True)
def less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "TIMES", 2)
    monkeypatch.setattr(puzzles, "CANDIDATES", 12)


def test_the_same_seed_makes_the_same_puzzles_and_known_ones_count() -> None:
    made = make("lacorsa", each=2, **FEW)
    assert made.games == 3 and made.sources and made.kept == made.themes.total()
    text = "\n".join(map(dump, made.sources))
    assert text == "\n".join(map(dump, make("lacorsa", each=2, **FEW).sources))
    known = loads(title("lacorsa"), text)
    assert len(known.puzzles) == made.themes.total() and max(made.themes.values()) <= 2
    full = {theme for theme, n in made.themes.items() if n == 2}
    more = make("lacorsa", each=2, known=known, games=2, worlds=128, seed=6)
    assert not full & {puzzle.theme for source in more.sources for puzzle in source.puzzles}
    assert f"{made.kept} of these stayed the best in 2 times the worlds" in str(made)


def test_a_title_without_themes_has_no_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "puzzling", lambda title: None)
    with pytest.raises(PaddockError, match="LACORSA has no puzzles"):
        make("lacorsa")


def test_the_command_checks_a_file_again_and_adds_to_it(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    words = [
        "puzzles",
        "make",
        "lacorsa",
        "--each",
        "2",
        "--games",
        "3",
        "--worlds",
        "128",
        "--to",
        str(file),
    ]
    said = here(*words, "--seed", "5").stdout
    first = file.read_text("utf-8")
    assert "The set has" in said and f"Written: {file}" in said and first
    again = here(*words, "--seed", "6").stdout
    before, after = (loads(title("lacorsa"), text).puzzles for text in (first, file.read_text("utf-8")))
    stayed = len(before.keys() & after.keys())
    assert stayed > 0 and f"{stayed} of {len(before)} known puzzles stayed." in " ".join(again.split())
