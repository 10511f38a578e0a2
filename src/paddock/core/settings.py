"""The settings of a server: the environment variables ``PADDOCK_…``, as one typed class."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from paddock.core.errors import PaddockError, brief
from paddock.core.i18n import _, mark

PREFIX: Final = "PADDOCK_"
_AT_MOST = 999_999


class BadSetting(PaddockError):
    """An environment variable with a value that nothing can be done with."""


def _split(value: object) -> object:
    """``a, b c`` as the names in it, in small letters."""
    return frozenset(filter(None, re.split(r"[,\s]+", value.lower()))) if isinstance(value, str) else value


def _setting(default: object, says: str, write: str, usual: str | None = None, **rules: Any) -> Any:
    """A field: its default, what it does, what to write, and how the documentation writes the default."""
    more: dict[str, Any] = {"write": write, "usual": str(default) if usual is None else usual}
    return Field(default, description=says, json_schema_extra=more, **rules)


class Settings(BaseSettings):
    """What whoever runs a server can set. ``Settings.read()`` takes it from the environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="ignore")

    hosts: Annotated[frozenset[str], NoDecode, BeforeValidator(_split)] = _setting(
        frozenset(),
        mark(
            "The names that the server answers to, separated by commas or spaces; `*` means any name. If not"
            " set: every address, this machine's name, and the reserved names `localhost`, `*.localhost` and"
            " `*.test`."
        ),
        mark("names, separated by commas or spaces"),
        "",
    )
    database_url: str | None = _setting(
        None,
        mark(
            "The database: `sqlite:///FILE` or `postgresql://USER@HOST/NAME`. If not set: a file in the"
            " user's data folder."
        ),
        mark("sqlite:///FILE or postgresql://USER@HOST/NAME"),
        "",
        repr=False,  # it may hold a password
    )
    abandon_lobby_hours: int = _setting(
        24,
        mark("After how many hours an untouched lobby counts as abandoned; 0 means never."),
        mark("a whole number, 0 for never"),
        ge=0,
        le=_AT_MOST,
    )
    abandon_game_days: int = _setting(
        30,
        mark("After how many days an untouched, unfinished game counts as abandoned; 0 means never."),
        mark("a whole number, 0 for never"),
        ge=0,
        le=_AT_MOST,
    )
    name_filter: Path | None = _setting(
        None,
        mark("A file with more names that nobody may use, one a line."),
        mark("the path of a file"),
        "",
    )
    rate_address: float = _setting(
        100,
        mark("Requests a second from one address; twenty times as many may come at once; 0 means no limit."),
        mark("requests a second, 0 for no limit"),
        ge=0,
        le=_AT_MOST,
        allow_inf_nan=False,
    )
    rate_holder: float = _setting(
        50,
        mark("Requests a second from one browser or token; 0 means no limit."),
        mark("requests a second, 0 for no limit"),
        ge=0,
        le=_AT_MOST,
        allow_inf_nan=False,
    )

    @classmethod
    def read(cls) -> Self:
        """The settings in the environment; raises ``BadSetting``, which names the first wrong variable."""
        try:
            return cls()
        except ValidationError as error:
            fault = error.errors()[0]
            name = str(fault["loc"][0])
            words = _("{variable}={value}: write {what}")
            raise BadSetting(
                words.format(
                    variable=variable(name), value=brief(str(fault["input"])), what=_(_extra(name)["write"])
                )
            ) from None


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


def _extra(name: str) -> dict[str, str]:
    extra = Settings.model_fields[name].json_schema_extra
    assert isinstance(extra, dict)
    return {key: str(value) for key, value in extra.items()}


def described() -> list[tuple[str, str, str]]:
    """Every variable, how its default is written (empty: there is none), and what it does."""
    return [
        (variable(name), _extra(name)["usual"], _(str(field.description)))
        for name, field in Settings.model_fields.items()
    ]


def table() -> str:
    """The table of the documentation, in Markdown."""
    rows = [f"| `{name}` | {usual} | {says} |" for name, usual, says in described()]
    return "\n".join(["| variable | default | |", "| --- | --- | --- |", *rows])
