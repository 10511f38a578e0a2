"""How a game can be set up: a validated class of options per title, each with its clause.

An option may be data: a map or a deck, the name of a shipped one or one's own from a file. The title checks
it and makes one word of it. Records and positions have this word whole; addresses and stored tables name a
long one by its digest: ``~`` and 16 letters and digits.
"""

from __future__ import annotations

import hashlib
import re
from abc import abstractmethod
from base64 import b32encode
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.config import JsonDict

from paddock.core.errors import BadOption, brief, quoted
from paddock.core.i18n import _

LONGEST_DATA = 50_000  # characters of one file; a record holds all of them
LONGEST_WORD = 64  # characters of data that is its own best name
_NAMED = re.compile(r"(?<![^ =])~([a-z2-7]{16})(?![^ ])")

Find = Callable[[str], str | None]  # from a digest to the word that it names, where that is known


def option(
    default: Any, clause: str, help: str, *, advanced: bool = False, data: bool = False, **checks: Any
) -> Any:
    """A field of an ``Options`` class: its default, the clause it comes from, a sentence of help.

    ``data``: a text that is the name of something shipped, or one's own data. A ``field_validator`` of the
    title checks it, naming every fault, and returns one word that does not begin with ``~``.
    """
    extra: JsonDict = {"clause": clause, "advanced": advanced, "data": data}
    if data:
        checks["max_length"] = LONGEST_DATA
    return Field(default, description=help, json_schema_extra=extra, **checks)


def digest_of_data(word: str) -> str:
    """The digest that names data: 80 bits as 16 letters and digits."""
    return b32encode(hashlib.blake2b(word.encode(), digest_size=10).digest()).decode().lower()


def digests(text: str) -> list[str]:
    """The digests that a text of options, or of the value of one, names."""
    return _NAMED.findall(text)


class Options(BaseModel):
    """The options of a title; immutable. A title adds its fields and answers the questions below."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    if TYPE_CHECKING:  # a title may have an option of this name, which would shadow it

        @property
        def players(self) -> int:
            """The number of players, each of whom holds one seat or more."""

    @property
    @abstractmethod
    def owners(self) -> tuple[int, ...]:
        """The player (from 0) of every seat."""

    @property
    @abstractmethod
    def teams(self) -> tuple[int, ...]:
        """The team (from 0) of every player; empty where there are none."""

    @property
    @abstractmethod
    def rounds(self) -> int:
        """How many games (races, expeditions) the series has."""

    @property
    def countback(self) -> bool:
        """Whether a tie on points goes to who has more wins, then more seconds, and so on."""
        return False

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.owners)

    def eyes(self, player: int) -> int:
        """The bitmask of the seats that ``player`` holds."""
        return sum(1 << seat for seat, owner in enumerate(self.owners) if owner == player)

    @classmethod
    def of_revision(cls, revision: int, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values that play today as ``values`` did under an earlier revision of the rules."""
        return values

    @classmethod
    def read(
        cls, values: Mapping[str, Any], *, revision: int | None = None, find: Find | None = None
    ) -> Self:
        """Options from values or their texts; raises ``BadOption`` with every fault as a sentence.

        ``revision`` is that of the rules for which they were written; None: the newest. ``find`` knows data
        that is named by its digest. Validators find the revision in their context.
        """
        if revision is not None:
            values = cls.of_revision(revision, values)
        try:
            plain = {k: cls._plain(k, v) for k, v in values.items()}
            return cls.model_validate(plain, context={"find": find, "revision": revision})
        except ValidationError as error:
            faults = [cls._fault(dict(e), values) for e in error.errors()]
            raise BadOption(list(dict.fromkeys(faults))) from None

    @field_validator("*", mode="before")
    @classmethod
    def _found(cls, value: Any, info: ValidationInfo) -> Any:
        """The data that a digest names."""
        name = str(info.field_name)
        if not (isinstance(value, str) and value.startswith("~") and cls._is_data(name)):
            return value
        find = info.context and info.context["find"]
        word = find(value[1:]) if find else None
        if word is None:
            clause = cls._extra(name)["clause"]
            raise ValueError(
                _("no file with this digest is known here: give the file itself ({clause})").format(
                    clause=clause
                )
            )
        return word

    @model_validator(mode="after")
    def _one_word(self) -> Self:
        """Data can be written into a line of options."""
        for name in filter(self._is_data, type(self).model_fields):
            word = getattr(self, name)
            if word.startswith("~") or word.split() != [word]:
                raise TypeError(f"{name}: the validator of an option that is data returns one word")
            if len(word) > LONGEST_DATA:
                raise ValueError(f"{name}={brief(word)}: {self._too_long(name, len(word))}")
        return self

    @classmethod
    def _extra(cls, name: str) -> JsonDict:
        extra = cls.model_fields[name].json_schema_extra
        assert isinstance(extra, dict), name  # made by ``option``
        return extra

    @classmethod
    def _is_data(cls, name: str) -> bool:
        return bool(cls._extra(name)["data"])

    @classmethod
    def _too_long(cls, name: str, length: int) -> str:
        return _("a file has at most {most} characters, not {n} ({clause})").format(
            most=f"{LONGEST_DATA:,}", n=f"{length:,}", clause=cls._extra(name)["clause"]
        )

    @classmethod
    def _plain(cls, name: str, value: Any) -> Any:
        """A text as a form, a file or a command line gives it, made ready: a list by its commas."""
        field = cls.model_fields.get(name)
        if not isinstance(value, str):
            return value
        if "," in value and field and field.annotation is not str:
            return tuple(part.strip() for part in value.split(","))
        return value.encode(errors="replace").decode().strip()

    @classmethod
    def _fault(cls, error: dict[str, Any], values: Mapping[str, Any]) -> str:
        where = error["loc"]
        name = str(where[0]) if where else ""
        if error["type"] == "extra_forbidden":
            return f"there is no option «{brief(name)}»; the options are {', '.join(cls.model_fields)}"
        message = str(error["msg"]).removeprefix("Value error, ")
        if not name:
            return message
        if error["type"] == "string_too_long":
            message = cls._too_long(name, len(error["input"]))
        elif error["type"] != "value_error":
            message = cls._asked(name)
        return f"{name}={brief(_text(values[name]))}: {message}"

    @classmethod
    def _asked(cls, name: str) -> str:
        """What to write for an option, with its clause."""
        row = next(row for row in cls.describe() if row["name"] == name)
        write = {
            "choice": _("write {choices}").format(choices=_(" or ").join(map(str, row["choices"]))),
            "integer": _("write a whole number from {least} to {most}").format(**row),
            "boolean": _("write yes or no"),
            "array": _("write whole numbers, separated by commas"),
            "string": _("write a text"),
            "data": _("write a text"),
        }
        return f"{write[row['kind']]} ({row['clause']})"

    @classmethod
    def read_text(cls, text: str, *, revision: int | None = None, find: Find | None = None) -> Self:
        """Options from ``name=value`` words, as ``text`` and ``short`` write them; else as ``read`` does."""
        values: dict[str, str] = {}
        faults = []
        for word in text.split():
            name, equals, value = word.partition("=")
            if not equals:
                faults.append(f"«{word}»: write an option as NAME=VALUE")
            elif name in values:
                faults.append(f"the option «{name}» is given twice")
            values[name] = value
        if faults:
            raise BadOption(faults)
        return cls.read(values, revision=revision, find=find)

    @cached_property
    def text(self) -> str:
        """The options as ``name=value``, separated by spaces; ``read_text`` reads it back."""
        return _words({name: getattr(self, name) for name in type(self).model_fields if self._is_said(name)})

    @property
    def short(self) -> str:
        """As ``text``, with the names of ``named``: for addresses, and what is stored beside its data."""
        return _words({name: value for name, value in self.named.items() if self._is_said(name)})

    def _is_said(self, name: str) -> bool:
        """Whether texts name the option. A title may leave out one that is as ever."""
        return True

    @cached_property
    def named(self) -> dict[str, Any]:
        """The value of every option, long data as ``~`` and its digest."""
        names = {word: f"~{digest}" for digest, word in self.data.items()}
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {
            name: names.get(value, value) if self._is_data(name) else value for name, value in values.items()
        }

    @property
    def data(self) -> dict[str, str]:
        """Long data, each by its digest."""
        words = (getattr(self, name) for name in filter(self._is_data, type(self).model_fields))
        return {digest_of_data(word): word for word in words if len(word) > LONGEST_WORD}

    @classmethod
    def describe(cls) -> list[dict[str, Any]]:
        """One row an option, for set-up pages and help: name, kind, bounds, default, help, clause."""
        properties = cls.model_json_schema()["properties"]
        rows = []
        for name, field in cls.model_fields.items():
            extra, schema = cls._extra(name), properties[name]
            rows.append(
                {
                    "name": name,
                    "kind": "data" if extra["data"] else "choice" if "enum" in schema else schema["type"],
                    "choices": schema.get("enum", []),
                    "least": schema.get("minimum"),
                    "most": schema.get("maximum"),
                    "default": _text(field.default),
                    "help": field.description,
                    "clause": extra["clause"],
                    "advanced": extra["advanced"],
                }
            )
        return rows


def _words(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={_text(value)}" for name, value in values.items())


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ",".join(map(_text, value))
    return value if isinstance(value, str) else quoted(value)
