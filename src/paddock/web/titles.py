"""The parts of a title that pages use: its page, its drawings, and the folder ``web`` of its package.

Templates in that folder fill slots of the shared pages (docs/look.md lists them). Its style sheet, script and
pictures are static files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Literal

from jinja2 import BaseLoader, Environment, TemplateNotFound
from markupsafe import Markup
from starlette.exceptions import HTTPException

from paddock.core.errors import PaddockError
from paddock.core.title import Title, file_in, titles
from paddock.core.title import title as find_title
from paddock.parts.drawing import poster

HERE = "titles/"  # prefix of the templates and static files of titles
KINDS = {  # media types of static files
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
TEMPLATE = ".html"
EMPTY = "_empty.html"  # a shared template without anything in it
USUAL = {  # the templates for slots that a title does not fill
    "aside": "_lines.html",
    "board": "_drawing.html",
    "scorepad": "_points.html",
}
Drawing = Literal["card", "picture", "podium", "poster", "sprite", "svg"]


def by_button(title: Title) -> bool:
    """Whether a decision is made with a button for each move: the title draws no hand, and has no chains."""
    return not (_own(title, "hand") or asset(title, "compose.js") or title.chains)


def draws(title: Title, part: Drawing) -> bool:
    """Whether the title has this drawing."""
    return getattr(title.draw, part) is not None


def drawn(title: Title, part: Drawing, *given: Any, **named: Any) -> Markup:
    """Return a drawing of the title for a template; empty if the title does not have it.

    Every title has a poster: that of a title without one shows its name.
    """
    if part == "poster" and not draws(title, part):
        return Markup(poster(title.label, *colours(title)))
    return Markup(getattr(title.draw, part)(*given, **named)) if draws(title, part) else Markup()


def colours(title: Title) -> tuple[str, str]:
    """Return the colour behind the title's shared pictures, and of words on it; see ``Drawings``."""
    return title.draw.FIELD, title.draw.LIGHT


def title_of(name: str) -> Title:
    """Return the title with this name; raise a 404."""
    try:
        return find_title(name)
    except PaddockError as error:
        raise HTTPException(404, str(error)) from None


def chosen(name: str | None) -> Title:
    """Return the title with this name (None: the first title); raise a 404."""
    return in_order()[0] if name is None else title_of(name)


@cache
def web_files(title: Title) -> Mapping[str, Traversable]:
    """Return the files in the title's folder ``web``, always those of the newest revision: path → file."""
    return dict(_walk(file_in(title.base or title.package, "web"), ""))


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry, f"{path}{entry.name}/")
        elif entry.name.endswith((TEMPLATE, *KINDS)):
            yield f"{path}{entry.name}", entry


def _own(title: Title, name: str) -> bool:
    return f"{name}{TEMPLATE}" in web_files(title)


def fills(title: Title, name: str) -> bool:
    """Whether a slot of a page has contents: those of the title, or the usual ones."""
    return _own(title, name) or (name in USUAL and (name != "board" or draws(title, "svg")))


def slot(title: Title, name: str) -> str:
    """Return the template for a slot: the title's, the usual one, or an empty one."""
    if _own(title, name):
        return f"{HERE}{title.name}/{name}{TEMPLATE}"
    return USUAL[name] if fills(title, name) else EMPTY


def asset(title: Title, file: str) -> str | None:
    """Return the path of a title's static file among all static files; None if there is no such file."""
    return f"{HERE}{title.name}/{file}" if file in web_files(title) else None


def assets() -> dict[str, Traversable]:
    """Return the static files of all titles: path among all static files → file."""
    return {
        f"{HERE}{title.name}/{path}": file
        for title in titles().values()
        for path, file in web_files(title).items()
        if not path.endswith(TEMPLATE)
    }


class TitleLoader(BaseLoader):
    """Loads the templates ``titles/<title>/<slot>.html`` from the packages of the titles."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, None]:
        """Return the text of a template; raise ``TemplateNotFound`` if there is none."""
        name, _slash, path = template.removeprefix(HERE).partition("/")
        title = titles().get(name) if template.startswith(HERE) else None
        file = web_files(title).get(path) if title and path.endswith(TEMPLATE) else None
        if file is None:
            raise TemplateNotFound(template)
        return file.read_text("utf-8"), str(file), None

    def list_templates(self) -> list[str]:
        """Return the templates of all titles."""
        return [
            f"{HERE}{title.name}/{path}"
            for title in titles().values()
            for path in web_files(title)
            if path.endswith(TEMPLATE)
        ]


def in_order() -> list[Title]:
    """Return the titles, short games first; one without presets is taken for half an hour."""
    return sorted(
        titles().values(), key=lambda title: min((one.minutes for one in title.presets), default=30)
    )
