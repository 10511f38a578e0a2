"""How a game can be set up: a validated class of options per title, each with its clause."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.config import JsonDict

from paddock.core.errors import BadOption, brief, quoted
from paddock.core.i18n import _


def option(default: Any, clause: str, help: str, *, advanced: bool = False, **checks: Any) -> Any:
    """A field of an ``Options`` class: its default, the clause it comes from, a sentence of help."""
    extra: JsonDict = {"clause": clause, "advanced": advanced}
    return Field(default, description=help, json_schema_extra=extra, **checks)


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
    def read(cls, values: Mapping[str, Any], *, revision: int | None = None) -> Self:
        """Options from values or their texts; raises ``BadOption`` with every fault as a sentence.

        ``revision`` is that of the rules for which they were written; None: the newest.
        """
        if revision is not None:
            values = cls.of_revision(revision, values)
        try:
            return cls.model_validate({k: cls._plain(k, v) for k, v in values.items()})
        except ValidationError as error:
            faults = [cls._fault(dict(e), values) for e in error.errors()]
            raise BadOption(list(dict.fromkeys(faults))) from None

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
        if error["type"] != "value_error":
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
        }
        return f"{write[row['kind']]} ({row['clause']})"

    @classmethod
    def read_text(cls, text: str, *, revision: int | None = None) -> Self:
        """Options from ``name=value`` words, as ``text`` writes them; ``revision`` as ``read`` has it."""
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
        return cls.read(values, revision=revision)

    @property
    def text(self) -> str:
        """Every option as ``name=value``, separated by spaces; ``read_text`` reads it back."""
        return " ".join(f"{name}={_text(getattr(self, name))}" for name in type(self).model_fields)

    @classmethod
    def describe(cls) -> list[dict[str, Any]]:
        """One row an option, for set-up pages and help: name, kind, bounds, default, help, clause."""
        properties = cls.model_json_schema()["properties"]
        rows = []
        for name, field in cls.model_fields.items():
            extra = field.json_schema_extra
            assert isinstance(extra, dict), name  # made by ``option``
            schema = properties[name]
            rows.append(
                {
                    "name": name,
                    "kind": "choice" if "enum" in schema else schema["type"],
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


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ",".join(map(_text, value))
    return value if isinstance(value, str) else quoted(value)
