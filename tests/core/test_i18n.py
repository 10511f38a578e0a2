"""The language of a command, and sentences of core in another language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

import paddock
from paddock import records
from paddock.core.i18n import catalogues, language, of_environment


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    """Catalogues of Spanish and of Brazilian Portuguese."""
    words = {
        "there is no option «{name}»; the options are {options}": "no hay opción «{name}»: {options}",
        "and {n} more": "y {n} más",
        "line {line}: {reason}": "línea {line}: {reason}",
        "a record begins with the line «{format}»": "primero «{format}»",
        "there is no title {name}; the titles are {titles}": "no hay {name}: {titles}",
    }
    for code in ("es", "pt_BR"):
        catalogue = Catalog(code)
        for english, foreign in words.items():
            plural = english == "and {n} more"
            catalogue.add(
                (english, english) if plural else english, (foreign, foreign) if plural else foreign
            )
        path = tmp_path / code / "LC_MESSAGES"
        path.mkdir(parents=True)
        with (path / "paddock.mo").open("wb") as stream:
            write_mo(stream, catalogue)
    token = catalogues.set(tmp_path)
    yield
    catalogues.reset(token)


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es@euro"}, "es"),
        ({"LANG": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_PT.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": ""}, "es"),
        ({"LANGUAGE": "xx:pt_BR:es", "LANG": "es"}, "pt_BR"),
    ],
)
def test_a_command_speaks_the_language_of_its_environment(
    environment: dict[str, str], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert of_environment() == found


def test_validators_speak_the_current_language() -> None:
    token = language.set("es")
    with pytest.raises(paddock.BadOption) as bad:
        paddock.start("lacorsa", **{f"wrong{i}": 1 for i in range(22)})
    assert "no hay opción «wrong0»" in str(bad.value) and str(bad.value).endswith("; y 2 más")
    with pytest.raises(paddock.BadRecord, match="línea 1: primero «paddock record 1»"):
        records.read("nothing")
    with pytest.raises(paddock.PaddockError, match="no hay «chess»: great_race"):
        paddock.title("chess")
    language.reset(token)
