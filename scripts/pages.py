"""The pages of the documentation that are made from the code, or from files outside ``docs/``."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from posixpath import relpath

import typer
from typer.cli import get_docs_for_click
from typer.main import get_command

import cited
from paddock.cli import app
from paddock.core.clauses import Clause, Rulebook
from paddock.core.i18n import language
from paddock.core.title import Title, title
from paddock.features.reach.ways import WAYS
from paddock.kernel.closure import source

ROOT = cited.ROOT
CLAUSE = re.compile(r"(?<![\w-])([A-Z]{2}-\d+(?:\.\d+)?)(?![\w.-]*\d)")
UNSEARCHED = "---\nsearch:\n  exclude: true\nhide:\n  - toc\n---\n"
TOKENS = re.compile(r"^:root \{.*?^\}\n(?:@supports.*?^\}\n)?", re.MULTILINE | re.DOTALL)


def included() -> dict[str, str]:
    """Return the pages whose text is elsewhere in the repository, by their path in the site."""
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8").replace("](docs/", "](")
    licence = (ROOT / "LICENSE").read_text("utf-8")
    return {
        "contributing.md": contributing,
        "changelog.md": (ROOT / "CHANGELOG.md").read_text("utf-8").replace("](docs/", "]("),
        "record-format.md": (ROOT / "src/paddock/records/SPEC.md").read_text("utf-8"),
        "licence.md": f"# Licence\n\n```text\n{licence}```\n",
    }


def tokens() -> str:
    """Return the colours and the type of Paddock's own pages: the first rules of their style sheet."""
    found = TOKENS.search((ROOT / "src/paddock/web/static/paddock.css").read_text("utf-8"))
    assert found, "paddock.css does not begin with :root"
    return found[0]


# The rules, and the sources that cite them


def rules(name: str) -> str:
    """Return the rules of a title: each clause with an anchor, and links to what cites it."""
    found = title(name)
    return _rules(found.rulebook, lambda clause: _clause(found, clause))


def translations() -> list[tuple[str, str]]:
    """Return each title and language in which its rules are, beside English."""
    return sorted((path.parent.name, path.suffixes[0][1:]) for path in cited.GAMES.glob("*/RULES.*.md"))


def translated(name: str, code: str) -> str:
    """Return the rules of a title in another language: each clause with an anchor."""
    token = language.set(code)
    book = title(name).rulebook
    language.reset(token)
    return _rules(book, _anchored)


def _rules(book: Rulebook, written: Callable[[Clause], str]) -> str:
    parts = re.split(r"^(?=## )", book.markdown, flags=re.MULTILINE)
    chapters = {f"## {chapter.id} {chapter.title}": chapter for chapter in book.chapters}
    out = []
    for part in parts:
        heading = part.partition("\n")[0]
        if chapter := chapters.get(heading):
            out.append(f"{heading} {{ #{chapter.id.lower()} }}")
            out += [written(book.clauses[id]) for id in chapter.clauses]
        else:
            out.append(_linked(part.strip()))
    return "\n\n".join(out) + "\n"


def _clause(of: Title, clause: Clause) -> str:
    places = cited.in_source(of.name).get(clause.id, [])
    modules = {source(of.module(name)) for name in of.kernel}
    kernel = [place for place in places if place.path in modules]
    code = kernel or places
    tests = cited.in_tests(of.name).get(clause.id, [])
    more = {"Tests": tests, "Elsewhere in the code": [place for place in places if place not in code]}
    counts = ", ".join(f"{heading}: {len(found)}" for heading, found in more.items() if found)
    lists = [
        f"<p>{heading}:</p><ul>{''.join(f'<li>{_place(place)}</li>' for place in found)}</ul>"
        for heading, found in more.items()
        if found
    ]
    return "\n\n".join(
        [
            _anchored(clause),
            f'<p class="cites">In the code: {", ".join(map(_place, code))}</p>',
            f'<details class="cites"><summary>{counts}</summary>{"".join(lists)}</details>',
        ]
    )


def _anchored(clause: Clause) -> str:
    text = f"{_linked(clause.text)} *{_linked(clause.source)}*"
    return f"### {clause.id} {{ #{clause.id.lower()} }}\n\n{text}"


def _place(place: cited.Place) -> str:
    """Return a link from a page of rules to a line of a source."""
    to = relpath(source_page(place.path), "rules").removesuffix(".md")
    name = place.name if place.is_test else f"{place.path.stem}.{place.name}".rstrip(".")
    return f'<a href="{to}.html#line-0-{place.line}"><code>{escape(name)}</code></a>'


def _linked(text: str) -> str:
    """Make each id of a clause or chapter in Markdown a link to its anchor on the same page."""
    return CLAUSE.sub(lambda found: f"[{found[1]}](#{found[1].lower()})", text)


def source_page(path: Path) -> str:
    """Return where the site has a copy of a source."""
    inside = path.relative_to(ROOT).as_posix().removeprefix("src/")
    return f"source/{inside.removesuffix('.py')}.md"


def sources() -> dict[str, str]:
    """Return a page for each source that cites a clause, with an anchor for each line."""
    paths = {
        place.path
        for name in cited.titles()
        for id in cited.known(name)
        for place in [*cited.in_source(name).get(id, []), *cited.in_tests(name).get(id, [])]
    }
    return {source_page(path): _source(path) for path in sorted(paths)}


def _source(path: Path) -> str:
    name = path.relative_to(ROOT).as_posix()
    return f'{UNSEARCHED}\n# {name}\n\n~~~~~~ {{.python linenums="1"}}\n{path.read_text("utf-8")}~~~~~~\n'


# Tables that a page asks for: <!-- fields: lacorsa -->


def fields(name: str, room: str = "features") -> str:
    """Return the table of the observation of a title: where its blocks are, and what they mean."""
    features = title(name).room(room)
    assert features, name
    lines, at = ["| numbers | block | meaning |", "| --- | --- | --- |"], 0
    for block in features.FIELDS:
        last = at + block.size - 1
        lines.append(f"| {at if at == last else f'{at}–{last}'} | `{block.name}` | {block.says} |")
        at = last + 1
    return "\n".join(lines)


def short(name: str) -> str:
    """Return the table of the short observation of a title."""
    return fields(name, "short_features")


def options(name: str) -> str:
    """Return the table of the options of a title."""
    lines = ["| option | values | default | meaning | clause |", "| --- | --- | --- | --- | --- |"]
    for row in title(name).options.describe():
        values = {
            "choice": ", ".join(f"`{choice}`" for choice in row.choices),
            "integer": f"{row.least} to {row.most}",
            "boolean": "`yes`, `no`",
            "array": "whole numbers, with commas",
            "string": "text",
            "data": "a name, or a file: `@FILE`",
        }[row.kind]
        clause = row.clause
        link = f"[{clause}](../rules/{name}.md#{clause.lower()})"
        says = [f"`{value}`: {label}. {text}".strip() for value, label, text in row.values if label != value]
        meaning = " ".join([row.help, *says, *([_sentence(row.write)] if row.write else [])])
        lines.append(f"| `{row.name}` | {values} | `{row.default}` | {meaning} | {link} |")
    return "\n".join(lines)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def ways() -> str:
    """Return the table of the ways to be called, the reader's own device first."""
    lines = ["| way | what you do | what you get |", "| --- | --- | --- |"]
    for way in sorted(WAYS.values(), key=lambda way: (way.written, way.last)):
        lines.append(f"| {way.name} | {way.you_do} | {way.you_get} |")
    return "\n".join(lines)


def commands() -> str:
    """Return what ``paddock --help`` says, for every command."""
    command = get_command(app)
    text = get_docs_for_click(obj=command, ctx=typer.Context(command), name="paddock")
    sections = re.split(r"^#+ `(.+)`\n+", text, flags=re.MULTILINE)
    named = dict(zip(sections[1::2], sections[2::2], strict=True))
    says = {name: section.splitlines()[0] for name, section in named.items()}
    out = []
    for name, section in named.items():
        before, listed, _ = section.partition("**Commands**:\n")
        within = [other for other in named if other.rpartition(" ")[0] == name]
        lines = [f"* [`{other}`](#{_anchor(other)}): {says[other]}" for other in within]
        heading = f"## `{name}` {{ #{_anchor(name)} }}\n\n" * (name != "paddock")
        out.append("\n".join([f"{heading}{before}{listed}", *lines, ""]))
    return "\n".join(out)


def _anchor(command: str) -> str:
    return command.replace(" ", "-")


MADE = {"fields": fields, "short": short, "options": options}
ASKED = re.compile(r"^<!-- (fields|short|options): (\w+) -->$", re.MULTILINE)


def filled(markdown: str) -> str:
    """Write each table that a page asks for in its place."""
    markdown = ASKED.sub(lambda found: MADE[found[1]](found[2]), markdown)
    for made in (commands, ways):
        if (place := f"<!-- {made.__name__} -->") in markdown:
            markdown = markdown.replace(place, made())
    return markdown
