"""Rendering pages: templates, and the addresses of static files."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from paddock.core.errors import visible
from paddock.core.i18n import _, language, mark, pgettext, plural
from paddock.core.options import changes
from paddock.core.title import Title
from paddock.tables import Busy, Forbidden, NoTable, Outdated, Stopped, Unavailable
from paddock.web.bar import lesson_of, places
from paddock.web.changes import consequences
from paddock.web.cookies import SETTINGS, keep
from paddock.web.feature import Feature
from paddock.web.forms import folded
from paddock.web.guard import COOKIE, holder, new_secret
from paddock.web.language import choices, kept
from paddock.web.links import link, rules_link
from paddock.web.page import WebPage
from paddock.web.titles import TitleLoader, asset, assets, by_button, drawn, fills, slot

HERE = Path(__file__).parent
STATIC = HERE / "static"
PAPER = {"light": "#f3e7d0", "dark": "#191512"}  # --paper of paddock.css, for the frame of the browser
_HEADLINES = {
    403: mark("Not allowed"),
    404: mark("Nothing here"),
    409: mark("Not now"),
    413: mark("Too big"),
}
LINES = 4096  # cached lines of stories
TURN_S = 0.005  # seconds of processor time that a page may take before others have their turn
RETRY = 5  # seconds after which to try again when the server or its database is too busy or gone
_STATUS = (
    (NoTable, 404),
    (Forbidden, 403),
    (Outdated, 409),
    (Busy, 429),
    (Stopped, 503),
    (Unavailable, 503),
)
_FAILED = mark("That did not work")
# A part of a page that rarely changes, such as the sea of a map; ``still`` marks it.
_STILL = re.compile(r'(<g [^<>]*data-still="([0-9a-f]+)">).*?<!--/still-->', re.DOTALL)


def html(text: str, status: int = 200) -> HTMLResponse:
    """Return a page as a response. The statuses 429 and 503 say when to try again."""
    return HTMLResponse(text, status, {"Retry-After": str(RETRY)} if status in (429, 503) else None)


class Pages:
    """The templates, and the addresses of static files, which contain a digest of their content."""

    def __init__(self, features: Sequence[Feature] = (), *, reachable: bool = True) -> None:
        self.features = features
        self.reachable = reachable  # from other devices
        self.own_page = next(filter(None, (feature.own_page for feature in features)), None)
        line = lru_cache(LINES)(self._line)  # most lines of a story were on the page before
        own = {feature.name: FileSystemLoader(feature.templates) for feature in features}
        self.environment = Environment(
            loader=ChoiceLoader([TitleLoader(), FileSystemLoader(HERE / "templates"), PrefixLoader(own)]),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
            auto_reload=False,  # else every part of a page asks the file system whether its template is new
        )
        self.environment.globals.update(
            static=self.asset,
            asset=asset,
            by_button=by_button,
            drawn=drawn,
            features=features,
            reachable=reachable,
            lesson_of=lesson_of,
            fills=fills,
            folded=folded,
            slot=slot,
            shortcuts=_shortcuts,
            story_line=lambda one, mark: line(one, mark, language.get()),
            paper=PAPER,
            link=link,
            rules_link=rules_link,
            changes=changes,
            consequences=consequences,
            languages=choices,
            own_page=self.own_page,
            notifier=next((one.file(one.notifier) for one in features if one.notifier), ""),
            _=_,
            pgettext=pgettext,
            plural=plural,
        )

    def _line(self, line: Hashable, mark: Markup, _language: str) -> Markup:
        module: Any = self.environment.get_template("_line.html").module
        out: Markup = module.line(line, mark)
        return out

    @cached_property
    def files(self) -> Mapping[str, Traversable]:
        """The static files: path → file. Those of titles and features have a folder each."""
        shared = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}
        own = {path: file for feature in self.features for path, file in feature.static}
        return shared | own | assets()

    @cached_property
    def digest(self) -> str:
        """One digest for all static files, because scripts import each other by relative addresses."""
        digest = hashlib.sha256()
        for name, file in sorted(self.files.items()):
            digest.update(name.encode() + b"\0" + file.read_bytes())
        return digest.hexdigest()[:12]

    def asset(self, path: str) -> str:
        """Return the address of a static file, which browsers may cache for ever."""
        return link(f"/static/{self.digest}/{path}")

    def text(self, request: Request, page: WebPage) -> str:
        """Render a whole page."""
        return "".join(self.parts(request, page))

    def parts(self, request: Request, page: WebPage) -> Iterator[str]:
        """Render a whole page bit by bit: see ``joined``."""
        return self.environment.get_template(page.template).generate(self._common(request) | page.context)

    def block(self, page: WebPage, block: str) -> Iterator[str]:
        """Render one block of a page for an update, bit by bit. It cannot use what ``about`` returns."""
        template = self.environment.get_template(page.template)
        return iter(template.blocks[block](template.new_context(page.context)))

    def about(self, request: Request) -> tuple[str, ...]:
        """Return the parts of the request that a whole page depends on besides its context."""
        return tuple(str(value) for value in self._common(request).values())

    def page(self, request: Request, page: WebPage, code: int = 200) -> HTMLResponse:
        """Render a page as a response."""
        return html(self.text(request, page), code)

    def error(
        self,
        request: Request,
        status: int,
        sentence: str,
        *,
        back: str | None = None,
    ) -> HTMLResponse:
        """Render a page with an error, and a link back."""
        headline = _(_HEADLINES.get(status, _FAILED))
        page = ErrorPage(code=status, headline=headline, sentence=visible(sentence), back_url=back)
        return self.page(request, page, status)

    def _common(self, request: Request) -> dict[str, Any]:
        here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return {
            "here": here if request.method == "GET" else link("/"),
            "lang": language.get().replace("_", "-"),
            "spoken": kept(request),
            "places": places(self.features, request),
            **{name: setting(request, name) for name in SETTINGS},
        }


@dataclass(frozen=True, kw_only=True)
class ErrorPage(WebPage):
    """What went wrong, with a link back."""

    template = "error.html"
    code: int
    headline: str
    sentence: str
    back_url: str | None


# The time that this thread has worked; where that is not measured, there is no other thread
_worked: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)


async def joined(parts: Iterable[str]) -> str:
    """Return a long page in one piece. Others have their turn before, while and after it is rendered."""
    await asyncio.sleep(0)
    out, since = [], _worked()
    for n, part in enumerate(parts):
        out.append(part)
        if not n % 16 and _worked() - since >= TURN_S:
            await asyncio.sleep(0)
            since = _worked()
    await asyncio.sleep(0)
    return "".join(out)


def without_still(request: Request, text: str) -> str:
    """Return an update without the parts that the page has already, whose digests it sends."""
    has = set(request.headers.get("paddock-still", "").split())
    return _STILL.sub(lambda part: part[1 if part[2] in has else 0], text) if has else text


def without_any_still(text: str) -> str:
    """Return an update without the parts that rarely change. A page that has others fetches them."""
    return _STILL.sub(lambda part: part[1], text)


def _shortcuts(title: Title | None) -> tuple[tuple[str, str], ...]:
    """Return the keyboard shortcuts of a title as pairs (key, effect)."""
    if title is None:
        return ()
    return tuple((key, _(does)) for key, does in title.page.SHORTCUTS)


def setting(request: Request, name: str) -> str:
    """Return what the reader has chosen for one of the ``SETTINGS``; its default if that is nothing."""
    value = request.cookies.get(name, "")
    return value if value in SETTINGS[name] else SETTINGS[name][0]


def redirect(url: str) -> RedirectResponse:
    """Redirect after a form."""
    return RedirectResponse(url, 303)


def with_browser(request: Request) -> tuple[str, str | None]:
    """Return the browser's digest, and a new secret for it if it has none yet (else None)."""
    known = holder(request)
    if known:
        return known, None
    secret, digest = new_secret()
    return digest, secret


def remember(request: Request, response: Response, secret: str | None) -> Response:
    """Set the browser's new secret as a cookie."""
    if secret:
        keep(request, response, COOKIE, secret)
    return response


def status_of(error: Exception) -> int:
    """Return the status of the response to an error that the user can correct, or wait for."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 422)


def sentence(text: str) -> str:
    """Return an error as a sentence, with a full stop, and a capital unless the first word has a «=»."""
    if "=" not in text.partition(" ")[0]:
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
