"""The settings of a server: the environment variables ``PADDOCK_…``, as one typed class."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from paddock.core.addresses import host, site
from paddock.core.errors import PaddockError, brief
from paddock.core.i18n import LANGUAGE, _, mark

PREFIX: Final = "PADDOCK_"
_AT_MOST = 999_999


class BadSetting(PaddockError):
    """An environment variable with an invalid value, or one that does nothing."""


class Instead(ValueError):
    """What is wrong with a value, where that is better known than by what is usually to be written."""


def environment_with(**settings: str) -> dict[str, str]:
    """Return the environment of this process with other settings, for a process of its own."""
    return os.environ | {f"{PREFIX}{name.upper()}": value for name, value in settings.items()}


def _split(value: object) -> object:
    """Split ``a, b c`` into its names, in lower case."""
    return frozenset(filter(None, re.split(r"[,\s]+", value.lower()))) if isinstance(value, str) else value


def _hosts(value: frozenset[str]) -> frozenset[str]:
    """Return the host names as browsers send them."""
    return frozenset(name if name == "*" else host(name) for name in value)


def _sites(value: frozenset[str]) -> frozenset[str]:
    """Return the sites if all are valid: they become part of a response header."""
    return frozenset(name if name == "*" else site(name) for name in value)


def _database(value: str | None) -> str | None:
    """Return the address of a database; whether it answers is seen when it is opened."""
    if value and (not _DATABASE.fullmatch(value) or urlsplit(value).port == 0):
        raise ValueError("not a database")
    return value


def _machine(value: str) -> str:
    """Return the name or the address of a machine, which others can ask."""
    name = host(value) if value else ""
    if urlsplit(f"//{name}").port is not None:
        raise ValueError("a port")
    if name.strip("[]") in ("0.0.0.0", "::"):
        raise Instead(mark("the address by which others reach this machine"))
    return name


# Perhaps a name, then what stands before and behind the @. A name with a comma is in quotes.
# A file, or a host; not a database in memory, which would be lost.
_DATABASE = re.compile(r"sqlite(\+aiosqlite)?:///(?!:memory:)[^?]+(\?.*)?|postgres(ql)?(\+asyncpg)?://.+")
_NAME, _WHO = r'"[^"\r\n]*"|[^"@<>,;:()\r\n]*', r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+"
_FROM = re.compile(rf"((?:{_NAME})\s*<)?({_WHO})@([^@<>\s]+)(>?)")
_PORTS = {"smtp": 465, "smtps": 587}  # where a mail server expects the other one


def _mail_server(value: str) -> str:
    """Return the address of a mail server."""
    if not value:
        return value
    parts = urlsplit(value)
    if parts.scheme not in _PORTS or not parts.netloc or "".join(value.split()) != value:
        raise ValueError("not a mail server")
    if parts.query or parts.fragment or parts.path.strip("/"):
        raise Instead(mark("%2F for /, %3F for ? and %23 for # in the name and the password"))
    login, sign, machine = parts.netloc.rpartition("@")
    machine = host(machine)
    if urlsplit(f"//{machine}").port == _PORTS[parts.scheme]:
        raise Instead(mark("smtp:// with port 587, or smtps:// with port 465"))
    return f"{parts.scheme}://{login}{sign}{machine}"


def _mail_address(value: str) -> str:
    """Return an e-mail address, perhaps with a name before it, as mail servers take it."""
    if not value:
        return value
    if not (match := _FROM.fullmatch(value)) or bool(match[1]) != bool(match[4]):
        raise ValueError("not an address")
    name, who, domain, end = match.groups("")
    return f"{name}{who}@{host(domain)}{end}"


def _pack(value: Path | None) -> Path | None:
    """Return the folder of a pack, which is empty until the pack is written."""
    if value and not (value / "pack.json").is_file() and not (value.is_dir() and not any(value.iterdir())):
        raise ValueError("not a pack")
    return value


def _networks(value: frozenset[str]) -> frozenset[str]:
    """Return the addresses and networks if all are valid: uvicorn takes others for names."""
    for address in value:
        ip_network(address)  # raises ``ValueError``
    return value


# How the addresses of our own pages begin.
OURS: Final = frozenset({
    "admin", "api", "apple-touch-icon.png", "calendar", "club", "clubs", "daily", "device", "evening",
    "evenings", "fair", "favicon.ico", "files", "healthz", "learn", "manifest.webmanifest", "me", "metrics",
    "new", "offline", "pair", "pictures", "puzzle", "puzzles", "reach", "readyz", "records", "rules",
    "settings", "static", "sw.js", "t", "tables", "watch",
})  # fmt: skip
_BASE = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")


def _base_path(value: object) -> object:
    """Return a base path without a slash at its end, if its first part is not one of our own addresses."""
    if not isinstance(value, str):
        return value
    path = "/" + value.strip("/") if value.strip("/") else ""
    if path and (not _BASE.fullmatch(path) or path.split("/")[1] in OURS):
        raise ValueError("not a base path")
    return path


def _setting(default: object, says: str, write: str, usual: str | None = None, **rules: Any) -> Any:
    """Declare a setting: its default, what it does, what to write, and the default as documented."""
    extra: dict[str, Any] = {"write": write, "usual": str(default) if usual is None else usual}
    return Field(default, description=says, json_schema_extra=extra, **rules)


def _days(says: str) -> Any:
    """Declare for how many days something is kept."""
    return _setting(0, says, mark("a whole number of days, 0 for never"), ge=0, le=_AT_MOST)


class Settings(BaseSettings):
    """The settings of a server. ``Settings.read()`` takes them from the environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="ignore")

    @field_validator("*", mode="before")
    @classmethod
    def _bare(cls, value: object, info: ValidationInfo) -> object:
        """Return a value without space around it; only spaces count as not set. Shells remove quotes, and
        files of variables may not."""
        if not isinstance(value, str):
            return value
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            raise Instead(mark("it without the quotes"))
        return value or cls.model_fields[str(info.field_name)].default

    hosts: Annotated[frozenset[str], NoDecode, BeforeValidator(_split), AfterValidator(_hosts)] = _setting(
        frozenset(),
        mark(
            "The host names that the server accepts, separated by commas or spaces; `*` accepts any name. A"
            " name with a port, such as `club.example:8443`, lets links in messages have this port. If"
            " not set: every IP address, this machine's name, and the reserved names `localhost`,"
            " `*.localhost` and `*.test`."
        ),
        mark("host names such as club.example or club.example:8443, separated by commas or spaces, or *"),
        "",
    )
    base_path: Annotated[str, BeforeValidator(_base_path)] = _setting(
        "",
        mark(
            "The path below which the server runs, such as `/games` for `https://club.example/games/`. Your"
            " proxy may pass it on or remove it. If not set: the server has the host name for itself."
        ),
        mark(
            "a path such as /games, of letters, digits and - _ . ~, which is not one of Paddock's own pages"
        ),
        "",
    )
    trusted_proxies: Annotated[
        frozenset[str], NoDecode, BeforeValidator(_split), AfterValidator(_networks)
    ] = _setting(
        frozenset(),
        mark(
            "The addresses or networks of your proxies, separated by commas or spaces. Their"
            " `X-Forwarded-For` and `X-Forwarded-Proto` say who asks, and whether by HTTPS. If not set: no"
            " proxy is believed."
        ),
        mark("addresses such as 127.0.0.1 or 10.0.0.0/8, separated by commas or spaces"),
        "",
    )
    database_url: Annotated[str | None, AfterValidator(_database)] = _setting(
        None,
        mark(
            "The database: `sqlite:///FILE` or `postgresql://USER@HOST/NAME`. If not set: a file in the"
            " user's data folder."
        ),
        mark("sqlite:///FILE or postgresql://USER@HOST/NAME"),
        "",
        repr=False,  # it may contain a password
    )
    address: Annotated[str, AfterValidator(_machine)] = _setting(
        "",
        mark(
            "The name or address of this machine at which the other servers of the same PostgreSQL database"
            " reach it. If not set: the address on which the server listens."
        ),
        mark("a name or an address, without a port"),
        "",
    )
    abandon_lobby_hours: int = _setting(
        24,
        mark("Hours without activity after which a lobby counts as abandoned; 0 means never."),
        mark("a whole number, 0 for never"),
        ge=0,
        le=_AT_MOST,
    )
    abandon_game_days: int = _setting(
        30,
        mark("Days without activity after which an unfinished game counts as abandoned; 0 means never."),
        mark("a whole number, 0 for never"),
        ge=0,
        le=_AT_MOST,
    )
    keep_lobbies_days: int = _days(
        mark("Days after which tables that were never started are deleted; 0 means never.")
    )
    keep_games_days: int = _days(
        mark("Days without activity after which finished and abandoned games are deleted; 0 means never.")
    )
    keep_talk_days: int = _days(
        mark("Days after its last line after which the chat of a table is deleted; 0 means never.")
    )
    name_filter: Path | None = _setting(
        None,
        mark("A file with more names that nobody may use, one per line."),
        mark("the path of a file"),
        "",
    )
    pack: Annotated[Path | None, AfterValidator(_pack)] = _setting(
        None,
        mark(
            "The folder of a pack, as `paddock pack` writes it. Browsers can keep it, and race against bots"
            " where there is no network. If not set: nothing of it is offered."
        ),
        mark("the path of a folder that “paddock pack” has written"),
        "",
    )
    embed: Annotated[frozenset[str], NoDecode, BeforeValidator(_split), AfterValidator(_sites)] = _setting(
        frozenset(),
        mark(
            "The sites that may show tables in a frame (`https://club.example`), separated by commas or"
            " spaces; `*` means every site. A table's host must allow it too. If not set: none."
        ),
        mark("sites such as https://club.example, separated by commas or spaces, or *"),
        "",
    )
    admin_token: str = _setting(
        "",
        mark(
            "A secret of at least 16 characters that opens the page `/admin` and the numbers at `/metrics`."
            " If not set: they do not exist."
        ),
        mark("at least 16 characters without spaces, such as those of “openssl rand -hex 16”"),
        "",
        pattern=r"^(|[!-~]{16,200})$",
        repr=False,
    )
    smtp_url: Annotated[str, AfterValidator(_mail_server)] = _setting(
        "",
        mark(
            "The mail server that sends messages to players: "
            "`smtp://NAME:PASSWORD@HOST:587`, or `smtps://…`. It needs `PADDOCK_MAIL_FROM`, "
            "and `PADDOCK_PUBLIC_URL` or names in `PADDOCK_HOSTS`. If not set: nobody is "
            "notified by e-mail."
        ),
        mark("smtp://NAME:PASSWORD@HOST:PORT or smtps://NAME:PASSWORD@HOST:PORT"),
        "",
        repr=False,
    )
    mail_from: Annotated[str, AfterValidator(_mail_address)] = _setting(
        "",
        mark("Whom these messages come from, such as `Paddock <paddock@club.example>`."),
        mark("an e-mail address such as paddock@club.example or Paddock <paddock@club.example>"),
        "",
    )
    public_url: Annotated[str, AfterValidator(lambda value: value and site(value))] = _setting(
        "",
        mark(
            "The address of the server as players know it, without its base path, such as"
            " `https://play.club.example`: links in messages to players begin with it. If not set: with the"
            " address by which the player has asked, as far as `PADDOCK_HOSTS` lists it."
        ),
        mark("an address such as https://play.club.example, without a path"),
        "",
    )
    reach_networks: Annotated[
        frozenset[str], NoDecode, BeforeValidator(_split), AfterValidator(_networks)
    ] = _setting(
        frozenset(),
        mark(
            "Private addresses or networks that messages to players may be sent to, such as that of your own"
            " ntfy server, separated by commas or spaces. If not set: public addresses only."
        ),
        mark("addresses such as 192.168.1.10 or 10.0.0.0/8, separated by commas or spaces"),
        "",
    )
    log: str = _setting(
        "text",
        mark("How the server writes its log: `text`, or `json` with one object on each line."),
        mark("text or json"),
        pattern=r"^(text|json)$",
    )
    rate_address: float = _setting(
        100,
        mark("Requests per second from one address, with bursts of twenty times as many; 0 means no limit."),
        mark("requests per second, 0 for no limit"),
        ge=0,
        le=_AT_MOST,
        allow_inf_nan=False,
    )
    rate_holder: float = _setting(
        50,
        mark("Requests per second from one browser or token; 0 means no limit."),
        mark("requests per second, 0 for no limit"),
        ge=0,
        le=_AT_MOST,
        allow_inf_nan=False,
    )
    reach_address: int = _setting(
        40,
        mark(
            "Ways to be notified that may be added or tested from one address in an hour; 0 means no limit."
        ),
        mark("a whole number, 0 for no limit"),
        ge=0,
        le=_AT_MOST,
    )
    streams_address: int = _setting(
        200,
        mark("Tables that may be open live from one address at the same time; 0 means no limit."),
        mark("a whole number, 0 for no limit"),
        ge=0,
        le=_AT_MOST,
    )

    @classmethod
    def read(cls) -> Self:
        """Read the environment; raise ``BadSetting`` with the first variable that cannot work."""
        _check_names(os.environ)
        try:
            settings = cls()
        except ValidationError as error:
            fault = error.errors()[0]
            name = str(fault["loc"][0])
            reason = fault.get("ctx", {}).get("error")
            what_to_write = str(reason) if isinstance(reason, Instead) else _extra(name)["write"]
            words = _("{variable}={value}: write {what}")
            secret = cls.model_fields[name].repr is False
            value = "…" if secret else brief(str(fault["input"]))
            raise BadSetting(
                words.format(variable=variable(name), value=value, what=_(what_to_write))
            ) from None
        settings.check_mail()
        return settings

    @property
    def named(self) -> bool:
        """Whether it is known where links to this server lead, whatever address a visitor asks for."""
        return bool(self.public_url or (self.hosts and "*" not in self.hosts))

    def check_mail(self) -> None:
        """Raise ``BadSetting`` if only a part of what e-mail needs is set."""
        parts = {"smtp_url": self.smtp_url, "mail_from": self.mail_from, "public_url": self.named}
        missing = [name for name, value in parts.items() if not value]
        if (self.smtp_url or self.mail_from) and missing:
            set_variable = next(variable(name) for name in ("smtp_url", "mail_from") if parts[name])
            words = _("{variable} alone sends no e-mail: set {missing} too")
            raise BadSetting(words.format(variable=set_variable, missing=variable(missing[0])))


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + name.upper()


ALIKE = 0.75  # how much a name is like that of a setting that was meant
_OPTIONS = ("port", "processes")  # of «paddock serve», which have no variable


def _check_names(environment: Mapping[str, str]) -> None:
    """Raise ``BadSetting`` if a variable is not a setting, and probably was meant to be one.

    Others may belong to something else: Kubernetes sets ``PADDOCK_PORT=tcp://…`` for a service of this name.
    """
    known = {name.upper() for name in Settings.model_fields} | {LANGUAGE.removeprefix(PREFIX)}
    for name in _without_prefix(environment):
        if name in known:
            continue
        value = brief(environment[PREFIX + name])
        if name.lower() in _OPTIONS and value.isdecimal():
            words = _("{variable}={value} does nothing: write paddock serve --{option} {value}")
            raise BadSetting(words.format(variable=PREFIX + name, value=value, option=name.lower()))
        if near := get_close_matches(name, known, 1, ALIKE):
            words = _("{variable} is not a setting: did you mean {other}?")
            raise BadSetting(words.format(variable=PREFIX + name, other=PREFIX + near[0]))


def _without_prefix(environment: Iterable[str]) -> list[str]:
    return sorted(name.removeprefix(PREFIX) for name in environment if name.startswith(PREFIX))


def _extra(name: str) -> dict[str, str]:
    extra = Settings.model_fields[name].json_schema_extra
    assert isinstance(extra, dict)
    return {key: str(value) for key, value in extra.items()}


def described() -> list[tuple[str, str, str]]:
    """Return every variable, its default as text (empty if there is none), and what it does."""
    return [
        (variable(name), _extra(name)["usual"], _(str(field.description)))
        for name, field in Settings.model_fields.items()
    ]


def table() -> str:
    """Return the settings as a Markdown table for the documentation."""
    rows = [f"| `{name}` | {usual} | {says} |" for name, usual, says in described()]
    return "\n".join(["| variable | default | |", "| --- | --- | --- |", *rows])
