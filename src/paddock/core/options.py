"""Game options: each title has a validated class, and each option names its clause.

An option may be data, such as a map or a deck: the name of a built-in one, or the content of a user's file.
The title validates it and converts it to one word. Records and positions contain the whole word; URLs and
stored tables contain the digest of a long one: ``~`` and 16 letters and digits.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

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

from paddock.core.errors import BadOption, BadValue, brief, quoted
from paddock.core.i18n import _, mark
from paddock.core.wording import either, number

LONGEST_DATA = 50_000  # characters in one file; a record contains all of them
LONGEST_WORD = 64  # characters; longer data is named by its digest
MOST_PARTS = 1000  # of a list; pydantic notes a fault for each
DESIGN = mark("For designers")  # the heading of the numbers of the rules
_NAMED = re.compile(r"(?<![^ =])~([a-z2-7]{16})(?![^ ])")

Find = Callable[[str], str | None]  # returns the word for a digest, or None


def option(
    default: Any,
    clause: str,
    help: str,
    *,
    label: str = "",
    values: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    write: str = "",
    group: str = "",
    advanced: bool = False,
    data: bool = False,
    later: bool = False,
    rulebook: bool = False,
    **checks: Any,
) -> Any:
    """Declare a field of an ``Options`` class: its default, its clause and a sentence of help.

    - ``label``: what pages call it [its name].
    - ``values``: what pages offer: the value as it is written → its name and a sentence, which may be empty.
    - ``write``: what to write besides the values in ``name=value``; pages do not show it.
    - ``advanced``: pages fold it away, under the heading ``group``.
    - ``data`` marks a text that is the name of something built in, or user data. A ``field_validator`` of
      the title checks it, reports every fault, and returns one word that does not begin with ``~``.
    - ``later``: texts leave it out where it has its default, so that texts from before it stay as they are.
    - ``rulebook``: it is a number of the rules; declare those with ``rule_number``.
    """
    extra: JsonDict = {
        "clause": clause,
        "advanced": advanced,
        "data": data,
        "later": later,
        "rulebook": rulebook,
        "label": label,
        "values": {value: list(words) for value, words in values.items()},
        "write": write,
        "group": group,
    }
    if data:
        checks["max_length"] = LONGEST_DATA
    return Field(default, description=help, json_schema_extra=extra, **checks)


def rule_number(
    default: int, clause: str, help: str, *, least: int, most: int, step: int = 1, label: str = ""
) -> Any:
    """Declare an option that is a number of the rules, whose default is the rulebook's.

    Pages fold it away under the heading ``DESIGN``, and texts leave it out where it is the rulebook's.
    """
    return option(
        default,
        clause,
        help,
        label=label,
        group=DESIGN,
        advanced=True,
        later=True,
        rulebook=True,
        ge=least,
        le=most,
        multiple_of=step,
    )


def digest_of_data(word: str) -> str:
    """Return the digest of data: 80 bits as 16 letters and digits."""
    return b32encode(hashlib.blake2b(word.encode(), digest_size=10).digest()).decode().lower()


def digests(text: str) -> list[str]:
    """Return the digests in a text of options or of one value."""
    return _NAMED.findall(text)


@dataclass(frozen=True)
class OptionRow:
    """An option as set-up pages and help show it, in the language of the reader."""

    name: str
    label: str  # what pages call it
    kind: Literal["choice", "boolean", "integer", "string", "array", "data"]
    choices: Sequence[Any]  # of a choice: everything that it can be
    values: Sequence[tuple[str, str, str]]  # what a page offers: as written, a name, a sentence
    least: int | None
    most: int | None
    default: str
    help: str
    write: str  # what can be written besides those values
    clause: str
    advanced: bool
    group: str
    rulebook: bool  # whether it is a number of the rules, and its default the rulebook's
    step: int  # of an integer: it is a multiple of this

    @property
    def numbers(self) -> range:
        """The whole numbers that it can be; none if it has no bounds."""
        if self.least is None or self.most is None:
            return range(0)
        return range(self.least, self.most + 1, self.step)


@dataclass(frozen=True)
class Change:
    """A number of the rules that is not the rulebook's."""

    name: str
    label: str
    value: int
    usual: str  # the rulebook's
    clause: str

    @property
    def words(self) -> str:
        """Both values: «points of a car: 3, not 1»."""
        return _("{label}: {value}, not {usual}").format(label=self.label, value=self.value, usual=self.usual)


class Options(BaseModel):
    """The options of a title; immutable. A title adds fields and overrides the properties below."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    if TYPE_CHECKING:  # declared for type checkers only: ``Title`` finds them by its words

        @property
        def players(self) -> int:
            """The number of players. Each has one seat or more."""

        @property
        def rounds(self) -> int:
            """The number of games (races, expeditions) in the series; by default a single one."""

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """The player (from 0) of every seat. By default every player has one seat."""
        return tuple(range(self.players))

    @cached_property
    def teams(self) -> tuple[int, ...]:
        """The team (from 0) of every player; empty, the default, if there are no teams."""
        return ()

    @property
    def countback(self) -> bool:
        """Whether ties on points are broken by the number of wins, then of second places, and so on."""
        return False

    @classmethod
    def implied(cls, values: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Return the options that a set-up page switches on because of the chosen ones: name → (value, a
        sentence that says so). Only pages do this; ``read`` takes the options as they are."""
        return {}

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.owners)

    def eyes(self, player: int) -> int:
        """Return the bitmask of the seats of ``player``."""
        return sum(1 << seat for seat, owner in enumerate(self.owners) if owner == player)

    @classmethod
    def of_revision(cls, revision: int, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Convert values written for an earlier revision of the rules, so that they play as they did then."""
        return values

    @classmethod
    def read(
        cls, values: Mapping[str, Any], *, revision: int | None = None, find: Find | None = None
    ) -> Self:
        """Validate values or their texts; raise ``BadOption`` with every fault as a sentence.

        ``revision`` is the revision of the rules for which they were written (None: the newest). ``find``
        returns data by its digest. Validators get the revision in their context.
        """
        if revision is not None:
            values = cls.of_revision(revision, values)
        try:
            plain = {k: cls._plain_value(k, v) for k, v in values.items()}
            return cls.model_validate(plain, context={"find": find, "revision": revision})
        except ValidationError as error:
            errors: list[dict[str, Any]] = [dict(e) for e in error.errors()]
            first: dict[tuple[Any, str], dict[str, Any]] = {}  # a list has a fault for each part of it
            for e in errors:
                first.setdefault((e["loc"][:1], e["msg"]), e)
            faults = [cls._fault(e, values) for e in first.values()]
            wrong = [str(e["loc"][0]) for e in errors if e["loc"]]
            page_faults = [fault for _written, for_page in faults for fault in for_page]
            raise BadOption(
                list(dict.fromkeys(written for written, _told in faults)),
                wrong,
                list(dict.fromkeys(page_faults)),
            ) from None

    @field_validator("*", mode="before")
    @classmethod
    def _data_of_digest(cls, value: Any, info: ValidationInfo) -> Any:
        """Replace a digest by its data."""
        name = str(info.field_name)
        if not (isinstance(value, str) and value.startswith("~") and cls._is_data(name)):
            return value
        find = info.context and info.context["find"]
        word = find(value[1:]) if find else None
        if word is None:
            clause = cls._extra(name)["clause"]
            raise BadValue(
                _("this file is not stored here any more: choose it again ({clause})").format(clause=clause),
                write=_("no file with this digest is stored here: give the file itself ({clause})").format(
                    clause=clause
                ),
            )
        return word

    @model_validator(mode="after")
    def _one_word(self) -> Self:
        """Check that each data value is one word, so that it fits into a line of options."""
        for name in filter(self._is_data, type(self).model_fields):
            word = getattr(self, name)
            if word.startswith("~") or word.split() != [word]:
                raise TypeError(f"{name}: the validator of an option that is data returns one word")
            if len(word) > LONGEST_DATA:
                fault = self._too_long(name, len(word))
                raise BadValue(fault, write=f"{name}={brief(word)}: {fault}", about=name)
        return self

    @classmethod
    def _extra(cls, name: str) -> JsonDict:
        extra = cls.model_fields[name].json_schema_extra
        assert isinstance(extra, dict), name  # set by ``option``
        return extra

    @classmethod
    def _is_data(cls, name: str) -> bool:
        return bool(cls._extra(name)["data"])

    @classmethod
    def _too_long(cls, name: str, length: int) -> str:
        return _("a file has at most {most} characters, not {n} ({clause})").format(
            most=number(LONGEST_DATA, ","), n=number(length, ","), clause=cls._extra(name)["clause"]
        )

    @classmethod
    def _plain_value(cls, name: str, value: Any) -> Any:
        """Return a value ready for validation: texts are split at commas, or cleared of what UTF-8 lacks."""
        field = cls.model_fields.get(name)
        if isinstance(value, (tuple, list)) and len(value) > MOST_PARTS:
            return None  # which no option allows
        if not isinstance(value, str):
            return value
        if "," in value and field and field.annotation is not str:
            if value.count(",") >= MOST_PARTS:
                return None
            return tuple(part.strip() for part in value.split(","))
        return value.encode(errors="replace").decode().strip()

    @classmethod
    def _fault(cls, error: dict[str, Any], values: Mapping[str, Any]) -> tuple[str, list[tuple[str, str]]]:
        """Return a fault as a sentence about ``name=value``, and for pages: the option and a sentence."""
        path = error["loc"]
        name = str(path[0]) if path else ""
        if error["type"] in ("extra_forbidden", "invalid_key"):
            written = _("there is no option “{name}”; the options are {options}").format(
                name=brief(name), options=", ".join(cls.model_fields)
            )
            return written, [("", _("there is no option “{name}” here").format(name=brief(name)))]
        message = str(error["msg"]).removeprefix("Value error, ")
        raised = error.get("ctx", {}).get("error")
        sentences = raised.said if isinstance(raised, BadValue) else (message,)
        if not name:
            about = raised.about if isinstance(raised, BadValue) else ""
            return message, [(about, sentence) for sentence in sentences]
        if error["type"] == "string_too_long":
            message = cls._too_long(name, len(error["input"]))
            sentences = (message,)
        elif error["type"] != "value_error":
            message, page_sentence = cls._what_to_write(name)
            sentences = (page_sentence,)
        value = values[name]
        if isinstance(value, (tuple, list)):
            value = value[:MOST_PARTS]  # of which few are shown
        return f"{name}={brief(value_text(value))}: {message}", [(name, sentence) for sentence in sentences]

    @classmethod
    def _what_to_write(cls, name: str) -> tuple[str, str]:
        """Return what an option can be, with its clause: for ``name=value``, and for pages."""
        row = cls.row_of(name)
        number = (
            _("write a whole number from {least} to {most}")
            if row.step == 1
            else _("write a whole number from {least} to {most} in steps of {step}")
        ).format(least=row.least, most=row.most, step=row.step)
        text = _("write a text")
        written_words, page_words = {
            "choice": (
                _("write {choices}").format(choices=either(map(str, row.choices))),
                _("choose {choices}").format(choices=either(f"“{v[1]}”" for v in row.values)),
            ),
            "integer": (number, number),
            "boolean": (_("write yes or no"), _("choose yes or no")),
            "array": (_("write whole numbers, separated by commas"), _("fill in whole numbers")),
            "string": (text, text),
            "data": (text, text),
        }[row.kind]
        return f"{written_words} ({row.clause})", f"{page_words} ({row.clause})"

    @classmethod
    def read_text(cls, text: str, *, revision: int | None = None, find: Find | None = None) -> Self:
        """Parse ``name=value`` words as written by ``text`` and ``short``; otherwise like ``read``."""
        values: dict[str, str] = {}
        faults = []
        for word in text.split():
            name, equals, value = word.partition("=")
            if not equals:
                faults.append(_("“{word}”: write an option as NAME=VALUE").format(word=word))
            elif name in values:
                faults.append(_("the option “{name}” is given twice").format(name=name))
            values[name] = value
        if faults:
            raise BadOption(faults, said=[("", _("the options of this text cannot be read"))])
        return cls.read(values, revision=revision, find=find)

    @cached_property
    def text(self) -> str:
        """The options as ``name=value`` words; ``read_text`` parses them."""
        return _option_words(
            {name: getattr(self, name) for name in type(self).model_fields if self._is_written(name)}
        )

    @cached_property
    def short(self) -> str:
        """Like ``text``, but with digests for long data: for URLs, and beside stored data."""
        return _option_words({name: value for name, value in self.named.items() if self._is_written(name)})

    def _is_written(self, name: str) -> bool:
        """Whether texts include the option."""
        return not self._extra(name)["later"] or getattr(self, name) != type(self).model_fields[name].default

    @cached_property
    def changed(self) -> dict[str, int]:
        """The numbers of the rules that are not the rulebook's, by name; see ``changes``.

        A game with changed numbers is another game: it counts for nothing, as docs/designers.md says.
        """
        names = _rule_numbers(type(self))
        return {name: getattr(self, name) for name in names if self._is_written(name)}

    @classmethod
    def changed_in(cls, text: str) -> bool:
        """Return whether the options of a text have changed numbers; a text need not be valid."""
        return any(word.partition("=")[0] in _rule_numbers(cls) for word in text.split())

    @classmethod
    def numbers_in(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of the values that are numbers of the rules."""
        return {name: value for name, value in values.items() if name in _rule_numbers(cls)}

    @cached_property
    def named(self) -> dict[str, Any]:
        """The value of every option, with ``~`` and a digest for long data."""
        names = {word: f"~{digest}" for digest, word in self.data.items()}
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {
            name: names.get(value, value) if self._is_data(name) else value for name, value in values.items()
        }

    @property
    def data(self) -> dict[str, str]:
        """Long data by digest."""
        words = (getattr(self, name) for name in filter(self._is_data, type(self).model_fields))
        return {digest_of_data(word): word for word in words if len(word) > LONGEST_WORD}

    @classmethod
    def row_of(cls, name: str) -> OptionRow:
        """Return an option as set-up pages and help show it."""
        return next(row for row in cls.describe() if row.name == name)

    @classmethod
    def describe(cls) -> list[OptionRow]:
        """Return all options as set-up pages and help show them."""
        properties = cls.model_json_schema()["properties"]
        rows = []
        for name, field in cls.model_fields.items():
            extra, schema = cls._extra(name), properties[name]
            kind: Any = "data" if extra["data"] else "choice" if "enum" in schema else schema["type"]
            choices = schema.get("enum", [])
            words: Any = extra["values"]
            if not words and kind in ("choice", "boolean"):
                words = {str(choice): (str(choice), "") for choice in choices or ("no", "yes")}
            rows.append(
                OptionRow(
                    name=name,
                    label=_(str(extra["label"]) or name.replace("_", " ")),
                    kind=kind,
                    choices=choices,
                    values=[(value, _(label), says and _(says)) for value, (label, says) in words.items()],
                    least=schema.get("minimum"),
                    most=schema.get("maximum"),
                    default=value_text(field.default),
                    help=_(str(field.description)),
                    write=_(write) if (write := str(extra["write"])) else "",
                    clause=str(extra["clause"]),
                    advanced=bool(extra["advanced"]),
                    group=_(group) if (group := str(extra["group"])) else "",
                    rulebook=bool(extra["rulebook"]),
                    step=schema.get("multipleOf", 1),
                )
            )
        return rows


@cache
def _rule_numbers(options: type[Options]) -> tuple[str, ...]:
    return tuple(name for name in options.model_fields if options._extra(name)["rulebook"])


def changes(options: Options) -> list[Change]:
    """Return the numbers of the rules that are not the rulebook's, in the language of the reader."""
    if not options.changed:
        return []
    rows = options.describe()
    return [
        Change(row.name, row.label, options.changed[row.name], row.default, row.clause)
        for row in rows
        if row.name in options.changed
    ]


def _option_words(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value_text(value)}" for name, value in values.items())


def value_text(value: Any) -> str:
    """Return the value of an option as commands and records write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ",".join(map(value_text, value))
    return value if isinstance(value, str) else quoted(value)
