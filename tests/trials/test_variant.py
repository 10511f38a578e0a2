"""``paddock variant``: a copy of a title is a title of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import paddock
from paddock.core.errors import PaddockError
from paddock.trials import PLAYING
from paddock.trials.trial import outcome
from paddock.trials.variant import write_package
from titles.installing import found, install


def test_a_variant_is_a_title_of_its_own(tmp_path: Path) -> None:
    """RA-4.2 a changed line is played by the variant, and the title stays as it is."""
    modules = write_package(paddock.title("rasant"), "tripled", tmp_path / "package")
    numbers = (tmp_path / "package" / "NUMBERS.md").read_text()
    assert re.search(r"- `black_factor` \(2\): .*rulebook.py:\d+, .*rules/rounds.py:\d+", numbers)
    assert re.search(r"- `CARS` \(13\): ", numbers)
    rulebook = modules / "rulebook.py"
    rulebook.write_text(
        re.sub(r"(black_factor: int = rule_number\(\s*)2,", r"\g<1>3,", rulebook.read_text("utf-8")), "utf-8"
    )
    with found(install(tmp_path / "package", tmp_path / "site"), "tripled") as title:
        assert (title.label, title.package, title.options.read({}).black_factor) == ("Tripled", "tripled", 3)
        assert paddock.title("rasant").options.read({}).black_factor == 2
        assert [outcome(trial, title, 1).room for trial in PLAYING] == [""] * len(PLAYING)
        assert title.rules.State.__module__.startswith("tripled.")


@pytest.mark.parametrize("name", ["Tripled", "3x", "a-b", "rasant", "json", ""])
def test_a_name_that_cannot_be_one_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(PaddockError, match="write a name of small letters"):
        write_package(paddock.title("rasant"), name, tmp_path / "package")
    assert not (tmp_path / "package").exists()


def test_a_folder_that_exists_is_kept(tmp_path: Path) -> None:
    with pytest.raises(PaddockError, match="give another folder"):
        write_package(paddock.title("rasant"), "fourfold", tmp_path)
