"""What is said where an extra is missing, and what works without it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib import invalidate_caches
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import paddock
from paddock.bots import bot, levels
from paddock.cli import app
from paddock.core import extras
from paddock.core.errors import PaddockError
from paddock.core.extras import EXTRAS, has, need
from paddock.envs import vector
from paddock.kernel.bulk import say_plain
from paddock.kernel.loader import load_kernel

ROOT = Path(__file__).resolve().parent.parent.parent
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
Hide = Callable[[str], None]


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_has_the_packages_that_pyproject_declares(extra: str) -> None:
    """uvloop is not looked for: uvicorn runs without it."""
    wanted = {canonicalize_name(Requirement(text).name) for text in DECLARED[extra]}
    assert {canonicalize_name(name) for name in EXTRAS[extra]} == wanted - {"paddock-games", "uvloop"}


def test_every_extra_is_known() -> None:
    assert set(EXTRAS) == set(DECLARED) - {"all", "dev"}


@pytest.mark.parametrize(
    ("noted", "command"),
    [
        (None, "pip install 'paddock-games[fast]'"),
        (
            {"url": "file:///tmp/paddock.whl", "archive_info": {}},
            "pip install 'paddock-games[fast] @ file:///tmp/paddock.whl'",
        ),
        ({"url": "file:///my%20code", "dir_info": {"editable": True}}, "pip install -e '/my code[fast]'"),
    ],
)
def test_the_sentence(
    without: Hide, monkeypatch: pytest.MonkeyPatch, noted: dict[str, object] | None, command: str
) -> None:
    class Installed(Distribution):
        def read_text(self, filename: str) -> str | None:
            return json.dumps(noted) if noted else None

        def locate_file(self, path: object) -> Path:
            raise NotImplementedError

    monkeypatch.setattr(extras, "distribution", lambda name: Installed())
    need("fast", "this")
    without("numba")
    with pytest.raises(PaddockError) as refused:
        need("fast", "this")
    assert str(refused.value) == f"this needs the package numba: run {command}"


def test_only_the_packages_that_are_asked_for_must_be_there(without: Hide) -> None:
    without("gymnasium")
    need("research", "this", "pettingzoo")
    with pytest.raises(PaddockError, match="package gymnasium"):
        need("research", "this", "pettingzoo", "gymnasium")
    assert not has("research")


@pytest.mark.parametrize("bots", ["", " --seats club,rookie,club"])
def test_games_are_simulated_plainly_without_numba(
    without: Hide, tmp_path: Path, caplog: pytest.LogCaptureFixture, bots: str
) -> None:
    """The same games as compiled, and one sentence that says how to play more of them."""
    words = f"simulate rasant --games 40 --seed 5{bots} --csv"
    app([*words.split(), str(tmp_path / "compiled.csv")], standalone_mode=False)
    assert not caplog.messages
    without("numba")
    say_plain.cache_clear()
    for _ in range(2):
        app([*words.split(), str(tmp_path / "plain.csv")], standalone_mode=False)
    assert (tmp_path / "plain.csv").read_bytes() == (tmp_path / "compiled.csv").read_bytes()
    (said,) = caplog.messages
    assert re.fullmatch(
        r"Numba is not installed, so games are not compiled, .* run pip install .*\[fast\]'", said
    )


@pytest.mark.parametrize(
    ("words", "package", "extra"),
    [
        ("serve", "fastapi", "serve"),
        ("play", "segno", "serve"),
        ("settings", "pydantic_settings", "serve"),
        ("study lacorsa --to FILE", "numba", "fast"),
        ("invariants lacorsa", "numba", "fast"),
        ("bench", "numba", "fast"),
        ("race lacorsa --seats works,club --record FILE", "numba", "fast"),
        ("match lacorsa works club --to FILE", "numba", "fast"),
        ("match lacorsa club rookie --parquet FILE", "pyarrow", "lab"),
        ("match lacorsa club rookie --to FILE --cluster auto", "ray", "cluster"),
    ],
)
def test_a_command_names_the_extra_before_it_writes(
    without: Hide, tmp_path: Path, words: str, package: str, extra: str
) -> None:
    without(package)
    with pytest.raises(PaddockError, match=rf"needs the package {package}: run pip install .*\[{extra}\]'$"):
        app(words.replace("FILE", str(tmp_path / "file")).split(), standalone_mode=False)
    assert not list(tmp_path.iterdir())


def test_what_is_compiled_needs_numba_and_the_rest_does_not(without: Hide) -> None:
    without("numba")
    title = replace(paddock.title("lacorsa"), label="one that no test has compiled")
    for work in (
        lambda: load_kernel(title, compiled=True),
        lambda: vector(title, {}, 2),
        lambda: bot("lacorsa", "works"),
    ):
        with pytest.raises(PaddockError, match="needs the package numba"):
            work()
    with pytest.raises(PaddockError, match="an analysis needs the package numba"):
        paddock.analyse(paddock.start("lacorsa", seed=3))
    assert [level.name for level in levels("lacorsa")] == ["rookie", "club", "champion"]
    game = paddock.start("lacorsa", seed=3)
    seen = game.seen(1)
    assert len(seen.vector()) == seen.title.features.FEATURES
    assert bot("lacorsa", "works", wait=False)  # an old table may have one: it plays as Club


def test_what_is_not_the_server_imports_without_the_extras() -> None:
    """The server's rooms, what they alone use, and the adapters in ``envs`` may import theirs at once."""
    source = ROOT / "src/paddock"
    names = [
        ".".join(path.relative_to(source.parent).with_suffix("").parts)
        for path in sorted(source.rglob("*.py"))
        if path.relative_to(source).parts[0] not in ("envs", "features", "server", "store", "tables", "web")
        and path != source / "core/settings.py"
    ]
    names.append("paddock.envs")
    hidden = sorted({package for packages in EXTRAS.values() for package in packages} | {"uvloop"})
    code = f"""
import importlib, sys
for name in {hidden}: sys.modules[name] = None
for name in {names}: importlib.import_module(name.removesuffix(".__init__"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_package_that_is_installed_meanwhile_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXTRAS, "lab", ("paddock_test_package",))
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "paddock_test_package"
    folder.mkdir()  # a folder of that name is no package
    assert not has("lab")
    (folder / "__init__.py").touch()
    invalidate_caches()
    assert has("lab")
    extras._found.discard("paddock_test_package")
