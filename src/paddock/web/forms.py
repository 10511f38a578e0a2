"""The fields of the set-up page: what each option is called, what there is to choose, and its pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode

from paddock.core.errors import BadOption
from paddock.core.extras import DISTRIBUTION
from paddock.core.i18n import _
from paddock.core.options import LONGEST_WORD, OptionRow, Options
from paddock.core.pages import Part, Parts, Sample
from paddock.core.title import Preset, Title
from paddock.parts.numbers import Numbers
from paddock.web.changes import consequences
from paddock.web.links import link

OWN = "own"  # the value of an option whose parts or data are in fields of their own
PRESETS = "presets"  # the pictures of presets
FEW = 12  # values of a number that are all shown
PLACES = 12  # fields of a list of numbers


def named(row: OptionRow) -> str:
    """Return what a page calls an option."""
    return row.label[:1].upper() + row.label[1:]


def parts_of(title: Title, row: OptionRow) -> Parts | None:
    """Return the small fields of an option; None if it has none."""
    usual = Numbers(PLACES) if row.kind == "array" else None
    return title.forms.PARTS.get(row.name, usual)


def value_words(title: Title, row: OptionRow, options: Options) -> str:
    """Return the value of an option as people read it: «The Large Grid», «9, 6, 4»."""
    name = row.name
    value: Any = getattr(options, name)
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    if row.kind == "array":
        text = ",".join(map(str, value))
    offered = {one: label for one, label, _says in row.values} | dict(title.forms.choices(name, options))
    if text in offered:
        return str(offered[text][:1].upper() + offered[text][1:])
    if row.kind == "data":
        return title.forms.called(name, text)
    if row.kind == "array":
        return text.replace(",", ", ")
    return text if row.kind != "string" or parts_of(title, row) is None else _("As you like")


# ---- reading a form -------------------------------------------------------------------------------


def joined(title: Title, values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a form with one value for each option, from its parts or its own data."""
    out = dict(values)
    for row in title.options.describe():
        name = row.name
        own = {
            key: out.pop(key)
            for key in values
            if re.fullmatch(rf"{re.escape(name)}-(own|file|\d{{1,2}})", key)
        }
        if out.get(name) != OWN and (name in out or not own):
            continue
        if row.kind == "data":
            out[name] = own.get(f"{name}-file") or own.get(f"{name}-{OWN}", "")
        elif parts := parts_of(title, row):
            usual = parts.split(row.default, title.options())
            texts = [own.get(f"{name}-{n}", part.value) for n, part in enumerate(usual, 1)]
            out[name] = parts.join(texts)
    return out


def usual_parts(title: Title) -> dict[str, str]:
    """Return the default of every small field."""
    out: dict[str, str] = {}
    for row in title.options.describe():
        if parts := parts_of(title, row):
            fields = parts.split(row.default, title.options())
            out |= {f"{row.name}-{n}": part.value for n, part in enumerate(fields, 1)}
    return out


# ---- what a page shows ----------------------------------------------------------------------------


@dataclass(frozen=True)
class OptionValue:
    """A value that can be chosen."""

    value: str
    label: str
    says: str = ""
    facts: Sequence[str] = ()
    picture: str = ""  # its address


@dataclass(frozen=True)
class OptionField:
    """An option as a page asks for it."""

    name: str
    label: str
    help: str
    clause: str
    kind: str  # "cards" with pictures, "rows" with sentences, "chips", "number" or "text"
    value: str  # that is chosen
    choices: Sequence[OptionValue] = ()
    least: int | None = None
    most: int | None = None
    step: int = 1
    own: str = ""  # "data" or "parts": there is one more choice, with fields of its own
    text: str = ""  # data of one's own that is wrong, or not read yet
    parts: Sequence[Part] = ()
    about: str = ""  # what a file contains
    sources: Sequence[OptionValue] = ()  # built-in files, as a start for one's own
    samples: Sequence[tuple[Sample, str]] = ()  # with the address of the picture
    faults: Sequence[str] = ()
    unusual: bool = False
    follows: bool = False  # the values follow from other options

    @property
    def fresh(self) -> bool:
        """Whether what can be chosen may change with other options, or with a file."""
        return self.own == "data" or self.follows


@dataclass
class FoldedOptions:
    """Options that are folded away together."""

    heading: str
    says: str = ""  # a sentence about all of them
    fields: list[OptionField] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether something in it is not as usual."""
        return any(one.unusual or one.faults for one in self.fields)


def field_of(
    title: Title,
    row: OptionRow,
    given: Mapping[str, str],
    options: Options,
    faults: Sequence[str],
    address: Callable[[str, str], str],
) -> OptionField:
    """Return an option as a page asks for it.

    ``options`` are those of the form, or the nearest valid ones; ``address`` returns that of a picture.
    """
    name, kind = row.name, row.kind
    forms, parts = title.forms, parts_of(title, row)
    pictured = name in forms.PICTURES
    value = given.get(name, row.default)
    if kind == "data" and not faults and name in given:
        value = str(options.named[name])

    def choice(value: str, label: str, says: str = "") -> OptionValue:
        picture = address(name, value) if pictured else ""
        return OptionValue(
            value, label[:1].upper() + label[1:], says, tuple(forms.facts(name, value)), picture
        )

    offered = [choice(*one) for one in row.values]
    offered += [choice(value, label) for value, label in forms.choices(name, options)]
    if 0 < len(row.numbers) <= FEW and not row.rulebook:
        offered = [OptionValue(str(n), str(n)) for n in row.numbers]
    own, text = "", ""
    fields: Sequence[Part] = ()
    known = any(one.value == value for one in offered)
    if kind == "data":
        own = "data"
        if not known and not faults and (value.startswith("~") or len(value) <= LONGEST_WORD):
            word = str(getattr(options, name))
            facts = tuple(forms.facts(name, word))
            picture = address(name, value) if pictured else ""
            offered.append(OptionValue(value, forms.called(name, word), "", facts, picture))
        elif not known:
            value, text = OWN, "" if value.startswith("~") else value
    elif parts:
        own = "parts"
        fields = tuple(parts.split(value, options))
        value = value if known else OWN
    shape = "cards" if pictured else "rows" if any(one.says or one.facts for one in offered) else "chips"
    if not offered and not own:
        shape = "number" if kind == "integer" else "text"
    return OptionField(
        name,
        named(row),
        row.help,
        row.clause,
        shape,
        value,
        offered,
        row.least,
        row.most,
        row.step,
        own,
        text,
        fields,
        _(forms.FORMATS[name]) if name in forms.FORMATS else "",
        [one for one in offered if kind == "data" and forms.source(name, one.value)],
        [(one, address(name, one.value)) for one in forms.samples(name)],
        faults,
        given.get(name, row.default) != row.default,
        kind == "string",
    )


@dataclass(frozen=True)
class Ready:
    """A preset as a page shows it."""

    preset: Preset
    chosen: bool
    picture: str


def presets(title: Title, options: Options, valid: bool, address: Callable[[str, str], str]) -> list[Ready]:
    """Return the presets. The one that the form has is chosen, whatever its number of players."""
    pictured = PRESETS in title.forms.PICTURES

    def chosen(preset: Preset) -> bool:
        wanted = {title.players_option: str(options.players)} | preset.values
        with suppress(BadOption):  # too many players for it
            return valid and title.options.read(wanted) == options
        return False

    return [Ready(one, chosen(one), address(PRESETS, one.name) if pictured else "") for one in title.presets]


def with_preset(title: Title, preset: Preset, values: Mapping[str, str]) -> dict[str, str]:
    """Return a form with the options of a preset. Who plays stays, and how many unless it says so."""
    options = {row.name for row in title.options.describe()} - {title.players_option}
    return {name: value for name, value in values.items() if name not in options} | preset.values


@dataclass(frozen=True)
class FormShown:
    """The options of a form as its page shows them."""

    presets: Sequence[Ready]
    fields: Sequence[OptionField]  # pictures first; without the number of players
    groups: Sequence[FoldedOptions]  # of those that are folded away
    pieces: Sequence[str]  # the address of the picture of each player


def shown(
    title: Title,
    given: Mapping[str, str],
    options: Options,
    said: Sequence[tuple[str, str]],
    digest: str,
) -> FormShown:
    """Return the options of a form as its page shows them.

    ``options`` are those of the form, or the nearest valid ones; ``said`` is that of ``BadOption``.
    ``digest`` is that of the static files: with the version, an address is new where a picture may be.
    """
    base, edition = link(f"/pictures/{title.name}"), f"{_version()}-{digest}"

    def address(option: str, value: str) -> str:
        return f"{base}/{option}?{urlencode({'of': value, 'v': edition})}"

    fields: list[OptionField] = []
    groups: dict[str, FoldedOptions] = {}
    most = 0
    for row in title.options.describe():
        if row.name == title.players_option:
            most = row.numbers[-1]
            continue
        faults = [sentence for name, sentence in said if name == row.name]
        field = field_of(title, row, given, options, faults, address)
        if row.advanced:
            heading = row.group or _("More options")
            says = consequences(title) if row.rulebook else ""
            groups.setdefault(heading, FoldedOptions(heading, says)).fields.append(field)
        else:
            fields.append(field)
    pictured = title.players_option in title.forms.PICTURES
    return FormShown(
        presets(title, options, not said, address),
        sorted(fields, key=lambda field: field.kind != "cards"),
        list(groups.values()),
        [address(title.players_option, str(n)) for n in range(1, most + 1)] if pictured else [],
    )


_CLAUSE = re.compile(r"\s*\(?\b([A-Z]{2}-\d+\.\d+)\b\)?:?\s*")


def folded(sentence: str) -> tuple[str, list[str]]:
    """Return the sentence of a fault without the clauses in it, and the clauses."""
    clauses = list(dict.fromkeys(_CLAUSE.findall(sentence)))
    text = " ".join(_CLAUSE.sub(" ", sentence).split())
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}.", clauses


@cache
def _version() -> str:
    return version(DISTRIBUTION)


# ---- pictures -------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def picture(title: Title, option: str, value: str) -> str:
    """Return a picture of a value; "" if the title draws none."""
    draw = title.forms.PICTURES.get(option)
    return draw(value) if draw else ""
