"""Results as one self-contained HTML page, without script, for screens of any size and for paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from paddock.core.i18n import _, language
from paddock.core.pages import Chart
from paddock.core.title import Title
from paddock.core.wording import number
from paddock.lab.figures import Estimate, apart, shown


@dataclass(frozen=True)
class NumberTable:
    """Numbers; the first column has the names of the rows."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    wide: bool = False  # closed at first, across the page; else beside a picture


@dataclass(frozen=True)
class Section:
    """A chapter of the report."""

    id: str
    heading: str
    says: Sequence[str]  # paragraphs
    pictures: Sequence[Chart] = ()
    figures: Sequence[Estimate] = ()
    tables: Sequence[NumberTable] = ()
    notes: Sequence[str] = ()
    commands: Sequence[str] = ()  # besides that of the page


def page(template: str, title: Title, **values: Any) -> str:
    """Return a page from a template in ``templates``, in the colours of the title."""
    environment = Environment(
        loader=PackageLoader("paddock.lab"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    tag = language.get().replace("_", "-")
    environment.globals.update(_=_, shown=shown, apart=apart, number=number, language=tag)
    return environment.get_template(template).render(
        title=title,
        tokens=Markup(_house_style() + _title_style(title)),
        style=Markup(files("paddock.lab").joinpath("templates", "study.css").read_text("utf-8")),
        poster=Markup(title.draw.poster()) if title.draw.poster else "",
        **values,
    )


def _house_style() -> str:
    """Return the colours, the type and the plain elements of Paddock's pages."""
    return files("paddock").joinpath("web", "static", "paddock.css").read_text("utf-8")


def _title_style(title: Title) -> str:
    """Return the title's own colours: the first paragraph of its style sheet that is not a comment."""
    file = title.file("web").joinpath("style.css")
    if not file.is_file():
        return ""
    paragraphs = file.read_text("utf-8").split("\n\n")
    return next((paragraph for paragraph in paragraphs if paragraph.startswith("[data-title=")), "")
