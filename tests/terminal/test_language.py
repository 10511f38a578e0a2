"""The command line in another language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from typer.main import get_command

from paddock.cli import app
from paddock.core.i18n import language
from terminal.test_cli import here


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """English again afterwards: a command sets the language of its process."""
    token = language.set("en")
    yield
    language.reset(token)


def test_commands_speak_the_language_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences, refusals and help; notation and records stay the same."""
    monkeypatch.setenv("PADDOCK_LANGUAGE", "de")
    done = here("race", "lacorsa", "--seats", "club,rookie,rookie,rookie", "--races", "1", "--seed", "7")
    assert "Summe" in done.stdout and "Total" not in done.stdout
    assert "es gibt kein Spiel “chess”" in here("rules", "chess").stderr
    shown = here("race", "--help").stdout
    assert "Im Terminal mit Bots spielen" in shown and "--seats" in shown


def test_help_is_made_anew_in_each_language() -> None:
    token = language.set("de")
    assert str(get_command(app).help).startswith("Rennspiele")
    language.reset(token)
    assert str(get_command(app).help).startswith("Racing tabletop games")
