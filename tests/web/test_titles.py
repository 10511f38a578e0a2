"""A title's page: its templates, static files and drawings come from its package."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import invalidate_caches
from importlib.resources import files
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound

import paddock
from paddock.core.pages import Account, Drawings, Page
from paddock.core.title import Title, file_in
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.web.pages import Pages
from paddock.web.titles import drawn, draws, slot, web_files
from web.conftest import running
from web.helpers import RASANT, play_out
from web.helpers import page as shown

pytestmark = pytest.mark.anyio
WEB = files("paddock.web")
ROOMS = ("rules", "setup", "refusals", "text", "view")  # taken from Rasant
ASK = """
from types import SimpleNamespace
def ask(seen, seat, view):
    return SimpleNamespace(question="What now?", idle="Choose", refused={})
"""


@pytest.fixture
def islet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Title, Path]]:
    """Install a title in another package: the rules of Rasant and a minimal page. Tests add files."""
    folder, rasant = tmp_path / "site" / "islet", paddock.title("rasant")
    (folder / "web").mkdir(parents=True)
    (folder / "__init__.py").touch()
    for room in ROOMS:
        (folder / f"{room}.py").write_text(f"from {rasant.module(room)} import *\n")
    (folder / "page.py").write_text(ASK)
    rules = (files("paddock.games.rasant") / "RULES.md").read_text("utf-8")
    (folder / "RULES.md").write_text(rules, "utf-8")
    made = replace(rasant, name="islet", label="Islet", package="islet", kernel=("rules",))
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setitem(paddock.titles(), "islet", made)
    invalidate_caches()
    for found in (file_in, web_files):
        found.cache_clear()
    yield made, folder
    for found in (file_in, web_files):
        found.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "islet"]:
        del sys.modules[name]


def add(folder: Path, **texts: str) -> None:
    """Write files into the title's folder; ``__`` stands for a dot."""
    for name, text in texts.items():
        (folder / "web" / name.replace("__", ".")).write_text(text, "utf-8")


# Templates


def test_templates_are_loaded_from_the_package(islet: tuple[Title, Path]) -> None:
    title, folder = islet
    add(folder, facts__html="{{ _('Told by') }} {{ title.label }}")
    environment = Pages().environment
    name = slot(title, "facts")
    assert environment.get_template(name).render(title=title) == "Told by Islet"
    assert environment.get_template(slot(title, "board")).render() == ""


@pytest.mark.parametrize(
    "name",
    ["titles/islet/board.html", "titles/islet/../page.py", "titles/islet/../__init__.py", "titles/islet",
     "titles/islet/", "titles//facts.html", "titles/unknown/facts.html", "titles/islet/style.css",
     "islet/facts.html"],
)  # fmt: skip
def test_nothing_else_is_a_template(islet: tuple[Title, Path], name: str) -> None:
    add(islet[1], facts__html="", style__css="a {}")
    with pytest.raises(TemplateNotFound):
        Pages().environment.get_template(name)


# Static files


async def test_static_files_are_served_from_the_package(islet: tuple[Title, Path], tmp_path: Path) -> None:
    _title, folder = islet
    (folder / "web" / "pictures").mkdir()
    kinds = {"style.css": "text/css", "compose.js": "text/javascript", "pictures/map.webp": "image/webp",
             "a.png": "image/png", "b.svg": "image/svg+xml"}  # fmt: skip
    for name in kinds:
        (folder / "web" / name).write_bytes(name.encode())
    app = create_app(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    base = f"/static/{app.state.pages.digest}/titles/islet"
    async with running(app) as client:
        for name, kind in kinds.items():
            answer = await client.get(f"{base}/{name}")
            assert (answer.status_code, answer.content) == (200, name.encode())
            assert answer.headers["content-type"].partition(";")[0] == kind
            assert "immutable" in answer.headers["cache-control"]
        assert (await client.head(f"{base}/style.css")).status_code == 200
        assert (await client.post(f"{base}/style.css")).status_code == 405
        assert f'href="{base}/style.css"' in (await client.get("/?title=islet")).text, "home shows its poster"
        assert "islet/style.css" not in (await client.get("/puzzles")).text
        setup = (await client.get("/new/islet")).text
        assert f'href="{base}/style.css"' in setup
        rules = (await client.get("/rules/islet")).text
        at = [rules.index(f"{name}.js") for name in ("titles/islet/compose", "/main")]
        assert at == sorted(at), "the title's composer is there before the page's scripts begin"


TRICKS = [
    "../page.py", "page.py", "facts.html", "notes.txt", ".secret.css/../../__init__.py", "../__init__.py",
    "..%2fpage.py", "%2e%2e/page.py", "..%5cpage.py", "%2e%2e%2f%2e%2e%2fetc/passwd", "style.css%00.png",
    "STYLE.CSS", "pictures", "", "../../../../../../etc/passwd", "../islet/../islet/page.py",
]  # fmt: skip


@pytest.mark.parametrize("path", TRICKS)
async def test_nothing_else_is_served(islet: tuple[Title, Path], tmp_path: Path, path: str) -> None:
    add(islet[1], style__css="a {}", facts__html="words", notes__txt="words")
    app = create_app(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    async with running(app) as client:
        answer = await client.get(f"/static/{Pages().digest}/titles/islet/{path}")
    assert answer.status_code == 404
    assert "words" not in answer.text and "def ask" not in answer.text


def test_the_address_of_static_files_covers_those_of_titles(islet: tuple[Title, Path]) -> None:
    _title, folder = islet
    digests = []
    for text in ("a {}", "b {}"):
        add(folder, style__css=text)
        web_files.cache_clear()  # as after a restart of the server
        digests.append(Pages().digest)
    (folder / "web" / "style.css").rename(folder / "web" / "other.css")
    web_files.cache_clear()
    assert len({*digests, Pages().digest}) == 3


# A minimal title


async def test_a_title_needs_only_a_form_for_moves(islet: tuple[Title, Path], tmp_path: Path) -> None:
    """Without drawings, templates, styles and scripts, every page works and the game can be played."""
    title, _folder = islet
    app = create_app(f"sqlite:///{tmp_path / 'tables.sqlite3'}", chance=Seeded(7), pace="instant")
    async with running(app) as client:
        home = (await client.get("/?title=islet")).text
        assert "/rules/islet" in home and "/learn/islet" not in home
        assert "Start the game" in (await client.get("/new/islet")).text
        path = (await client.post("/tables", data=RASANT | {"title": "islet"})).headers["location"]
        text = await shown(client, path)
        assert "What now?" in text, "a button for each move"
        assert re.findall(r'<select id="(\w+)"', text) == ["lang"], "no list of moves"
        assert '<ul class="lines">' in text and 'class="board' not in text
        await play_out(client, path)
        over = (await client.get(path)).text
        assert re.search(r"<h1>[^<]* wins?</h1>|<h1>[^<]* share the win</h1>", over)
        assert "podium.svg" not in over
        picture = await client.get(f"{path}/podium.svg")
        assert picture.status_code == 404 and "Islet draws no podium." in picture.text
        assert (await client.get(f"{path}/replay?step=0")).status_code == 200
    game = paddock.start("islet", seed=1)
    assert game._repr_svg_() is None
    assert ">ISLET<" in drawn(title, "poster") and not draws(title, "sprite")


async def test_a_title_can_fill_any_slot(islet: tuple[Title, Path], tmp_path: Path) -> None:
    _title, folder = islet
    names = ("status", "board", "aside", "dashboard", "hand", "facts", "scorepad")
    add(folder, **{f"{name}__html": f"[the {name} of {{{{ title.label }}}}]" for name in names})
    (folder / "draw.py").write_text("def sprite():\n    return '<svg id=\"sprites\"></svg>'\n")
    app = create_app(f"sqlite:///{tmp_path / 'tables.sqlite3'}", chance=Seeded(7), pace="instant")
    async with running(app) as client:
        path = (await client.post("/tables", data=RASANT | {"title": "islet"})).headers["location"]
        text = await shown(client, path)
    for name in names:
        assert f"[the {name} of Islet]" in text, name
    assert '<div class="board" id="board" tabindex="-1">[the board' in text and '<svg id="sprites">' in text
    assert text.index("[the dashboard") < text.index("[the hand") < text.index("[the facts")


# What shared code may use of a title


def members(protocol: type) -> set[str]:
    return {name for name in (*vars(protocol), *protocol.__annotations__) if not name.startswith("_")}


def test_shared_code_uses_only_the_drawings_of_the_protocol() -> None:
    asked = set()
    for folder, ends in (("", ".py"), ("templates", ".html")):
        for file in (WEB / folder).iterdir():
            if file.name.endswith(ends) and file.name != "titles.py":
                text = file.read_text("utf-8")
                assert ".draw" not in text, file.name
                asked |= set(re.findall(r'\bdrawn?s?\(\w*(?:\.\w+)*, "(\w+)"', text))
    assert {"card", "picture", "poster", "podium", "sprite", "svg"} == asked
    # `titles.colours` and `paddock map draw` use the others.
    assert asked | {"FIELD", "LIGHT", "drawn_map"} == members(Drawings)


def test_shared_code_uses_only_the_page_protocol() -> None:
    asked = set()
    for file in WEB.iterdir():
        if file.name.endswith(".py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Attribute) and re.fullmatch(
                    r"page|.*title\.page", ast.unparse(node.value)
                ):
                    asked.add(node.attr)
    for file in (WEB / "templates").iterdir():
        asked |= set(re.findall(r"title\.page\.(\w+)", file.read_text("utf-8")))
    asked -= {"template", "context"}  # those are of the ``WebPage`` of a template
    assert asked | {"matters", "goes_on"} == members(Page), "the coach and its hints ask for these"


def test_an_empty_page_room_has_the_defaults(islet: tuple[Title, Path]) -> None:
    page = islet[0].page
    assert (page.START, page.OPENING) == ("Start the game", "")
    assert not page.SHORTCUTS and not page.faces(None, 0) and page.reveal([], [], None, 0) is None
    assert [page.headline(names, 1) for names in ([], ["Ana"], ["Ana", "Ben"])] == [
        "Nobody wins", "Ana wins", "Ana and Ben share the win"
    ]  # fmt: skip
    assert page.account(None, []) == Account()
    with pytest.raises(AttributeError):
        page.unknown
