"""Settings: the environment, invalid values, and the documented table."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paddock.core.settings import BadSetting, Settings, described, table

ROOT = Path(__file__).resolve().parents[2]
PADDOCK = (sys.executable, "-c", "from paddock.cli import main; main()")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"PADDOCK_{name.upper()}", raising=False)


def test_defaults() -> None:
    settings = Settings.read()
    assert settings.hosts == frozenset() and settings.database_url is settings.name_filter is None
    assert (settings.abandon_lobby_hours, settings.abandon_game_days) == (24, 30)
    assert (settings.rate_address, settings.rate_holder) == (100, 50)


def test_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "HOSTS": "Play.example, [2001:db8::1] *",
        "DATABASE_URL": "postgresql://u:secret@h/n",
        "ABANDON_LOBBY_HOURS": "2",
        "ABANDON_GAME_DAYS": "",
        "NAME_FILTER": "words.txt",
        "RATE_ADDRESS": "0",
        "RATE_HOLDER": "2.5",
        "TRUSTED_PROXIES": "127.0.0.1, ::1 10.0.0.0/8",
        "CHROMIUM": "/not/a/setting/of/the/server",
    }.items():
        monkeypatch.setenv(f"PADDOCK_{name}", value)
    settings = Settings.read()
    assert settings.hosts == {"play.example", "[2001:db8::1]", "*"}
    assert settings.database_url == "postgresql://u:secret@h/n" and "secret" not in repr(settings)
    assert (settings.abandon_lobby_hours, settings.abandon_game_days) == (2, 30)
    assert settings.name_filter == Path("words.txt")
    assert (settings.rate_address, settings.rate_holder) == (0, 2.5)
    assert settings.trusted_proxies == {"127.0.0.1", "::1", "10.0.0.0/8"}


@pytest.mark.parametrize(
    ("name", "values", "write"),
    [
        ("RATE_ADDRESS", ("-1", "many", "1e9", "inf", "nan", "٣"), "requests per second, 0 for no limit"),
        (
            "TRUSTED_PROXIES",
            ("*", "localhost", "10.0.0.1/8", "127.0.0.1 caddy", "127.0.0.1:80"),
            "addresses such as 127.0.0.1 or 10.0.0.0/8, separated by commas or spaces",
        ),
        ("ABANDON_GAME_DAYS", ("-1", "soon", "1.5", "9" * 9), "a whole number, 0 for never"),
        (
            "PUBLIC_URL",
            ("club.example", "*", "ftp://a.b"),
            "an address such as https://play.club.example, without a path",
        ),
    ],
)
def test_a_wrong_value_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, values: tuple[str, ...], write: str
) -> None:
    for value in values:
        monkeypatch.setenv(f"PADDOCK_{name}", value)
        with pytest.raises(BadSetting) as refusal:
            Settings.read()
        assert str(refusal.value) == f"PADDOCK_{name}={value}: write {write}"


def test_the_server_does_not_start_with_a_wrong_value() -> None:
    ran = subprocess.run(
        [*PADDOCK, "serve", "--port", "0"],
        env=os.environ | {"PADDOCK_RATE_HOLDER": "many"},
        capture_output=True,
        text=True,
    )
    line = "paddock: PADDOCK_RATE_HOLDER=many: write requests per second, 0 for no limit\n"
    assert (ran.returncode, ran.stderr) == (2, line)


def test_the_documentation_has_the_table() -> None:
    assert table() in (ROOT / "docs" / "api.md").read_text("utf-8")
    assert all(len(row) > 20 and row.endswith(".") for _name, _default, row in described())


def test_the_command_lists_every_variable() -> None:
    ran = subprocess.run([*PADDOCK, "settings"], capture_output=True, text=True, check=True)
    assert [line for line in ran.stdout.splitlines() if line.startswith("PADDOCK_")] == [
        f"{name} ({default})" if default else name for name, default, _says in described()
    ]
    assert all(says.replace("`", "") in " ".join(ran.stdout.split()) for _name, _default, says in described())


def test_nothing_else_in_the_source_reads_the_environment() -> None:
    reads = [
        path
        for path in (ROOT / "src").rglob("*.py")
        if re.search(r"\bos\.environ|getenv", path.read_text("utf-8"))
    ]
    core = ROOT / "src" / "paddock" / "core"
    assert sorted(reads) == [core / "i18n.py", core / "settings.py"]  # LANG and its like; names of settings
