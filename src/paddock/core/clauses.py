"""Parses a title's ``RULES.md``: numbered clauses that code, tests, error messages and pages refer to.

The file is a strict subset of CommonMark, which markdown-it-py reads:

- ``# Title`` once, as the first line, ``## Section`` and ``## LC-4 Chapter``;
- paragraphs, and lists whose items are one paragraph each;
- every item in a chapter is a clause and ends with its source in italics::

      - **LC-5.2** The higher value wins; a tie goes to the defender. *Regulations.*

  A clause whose source contains the word *ruling* is a decision of this project;
- in a section called ``Revisions`` every item is ``- **1** what changed``, the newest first; rules
  without it are at revision 1;
- code in backticks, ``**bold**`` and ``*italics*``. A clause or chapter id in a sentence becomes a
  link; an unknown id is an error.

``RULES.de.md`` beside it has the same rules in German, and so for any language: the same blocks in the same
order, with the same ids. The section with the revisions, the rulings and the anchors come from the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from types import MappingProxyType

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from markdown_it.utils import EnvType, OptionsDict

from paddock.core.errors import PaddockError, brief
from paddock.core.i18n import _


class BadClause(PaddockError):
    """A rules text that cannot be parsed: the ``line`` (from 1) and the ``reason``."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True)
class Clause:
    """One numbered rule. ``text`` keeps the inline Markdown, ``plain`` is the same text without it."""

    id: str
    chapter: str
    text: str
    source: str
    ruling: bool  # decided by this project, where the sources are silent or disagree

    @property
    def plain(self) -> str:
        """The text without inline Markdown."""
        return re.sub(r"[*`]", "", self.text)

    @property
    def markdown(self) -> str:
        """The clause as it is written in ``RULES.md``."""
        return f"- **{self.id}** {self.text} *{self.source}*"


@dataclass(frozen=True)
class Chapter:
    """A chapter: its id, its title and the ids of its clauses, in order."""

    id: str
    title: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class _Block:
    """A heading, a paragraph or a list item, with the number of its first line."""

    line: int
    kind: str  # "#", "##", "p" or "-"
    text: str

    @property
    def id(self) -> str:
        """The id of the chapter, clause or revision that the block begins with; empty if it is none."""
        match = self.kind in _IDS and _IDS[self.kind].match(self.text)
        return match[1] if match else ""


@dataclass(frozen=True)
class Rulebook:
    """The rules of a title."""

    title: str
    revision: int  # the newest one
    markdown: str
    chapters: tuple[Chapter, ...]
    clauses: Mapping[str, Clause]  # by id, in the order of the file
    _blocks: tuple[_Block, ...] = field(repr=False)
    _original: tuple[_Block, ...] = field(repr=False)  # the same blocks in the first language

    def excerpt(self, id: str) -> str:
        """Return a clause or a whole chapter as Markdown; raise ``PaddockError`` for an unknown id."""
        clause_id = id.strip().upper()
        if clause_id in self.clauses:
            return self.clauses[clause_id].markdown
        for chapter in self.chapters:
            if chapter.id == clause_id:
                lines = (self.clauses[clause].markdown for clause in chapter.clauses)
                return "\n".join([f"## {chapter.id} {chapter.title}", "", *lines])
        known = ", ".join(chapter.id for chapter in self.chapters)
        example = next(iter(self.clauses))
        raise PaddockError(
            _(
                "there is no clause “{id}”; the chapters are {chapters}, a clause is for example {example}"
            ).format(id=brief(id), chapters=known, example=example)
        )

    @cached_property
    def short(self) -> str:
        """What comes before the first chapter, and how moves are written, as Markdown."""
        out, in_chapters, shown = list[str](), False, True
        for block, original in zip(self._blocks, self._original, strict=True):
            if block.kind == "##":
                in_chapters = in_chapters or bool(block.id)
                shown = not in_chapters or original.text == "Notation"
            if shown:
                out.append(f"{block.kind} {block.text}".removeprefix("p "))
        return "\n\n".join(out) + "\n"

    def noted(self, head: str, notes: Mapping[str, Sequence[str]]) -> Rulebook:
        """Return the rules with a paragraph at their beginning, and sentences at the end of some clauses.

        ``notes`` are the sentences by the id of their clause.
        """
        clauses = {
            id: replace(clause, text=" ".join([clause.text, *(f"**{note}**" for note in notes.get(id, ()))]))
            for id, clause in self.clauses.items()
        }
        paragraph = _Block(1, "p", f"**{head}**")

        def noted(block: _Block) -> _Block:
            clause = clauses.get(block.id) if block.id in notes else None
            return replace(block, text=clause.markdown.removeprefix("- ")) if clause else block

        title, *others = map(noted, self._blocks)
        blocks = (title, paragraph, *others)
        return replace(
            self,
            markdown="\n\n".join(f"{block.kind} {block.text}".removeprefix("p ") for block in blocks) + "\n",
            clauses=MappingProxyType(clauses),
            _blocks=blocks,
            _original=(self._original[0], paragraph, *self._original[1:]),
        )

    @cached_property
    def html(self) -> str:
        """The rules as HTML. Clauses and chapters have their ids as anchors; all text is escaped."""
        ids = {*self.clauses, *(chapter.id for chapter in self.chapters)}
        out: list[str] = []
        in_list = False
        for block, original in zip(self._blocks, self._original, strict=True):
            if in_list != (block.kind == "-"):
                out.append("</ul>" if in_list else "<ul>")
                in_list = not in_list
            inline = _inline(block.text, ids)
            if block.kind == "#":
                out.append(f"<h1>{inline}</h1>")
            elif block.kind == "##":
                anchor = block.id or re.sub(r"\W+", "-", original.text.lower()).strip("-")
                out.append(f'<h2 id="{escape(anchor)}">{escape(block.text)}</h2>')
            elif block.kind == "p":
                out.append(f"<p>{inline}</p>")
            elif (match := _CLAUSE.fullmatch(block.text)) and match["id"] in self.clauses:
                out.append(_clause_html(self.clauses[match["id"]], ids))
            else:
                out.append(f"<li>{inline}</li>")
        return "\n".join([*out, "</ul>"] if in_list else out) + "\n"


_CITED = re.compile(r"(?<![\w-])[A-Z]{2,3}-\d+\.\d+(?![\w-])")
_CHAPTER = re.compile(r"(?P<id>[A-Z]{2,3}-\d+) \S.*")
_CLAUSE = re.compile(r"\*\*(?P<id>[A-Z]{2,3}-\d+\.\d+)\*\* (?P<text>\S.*) \*(?P<source>[^*]+)\*")
_IDS = {
    "##": re.compile(r"([A-Z]{2,3}-\d+) "),
    "-": re.compile(r"\*\*([A-Z]{2,3}-\d+\.\d+|[1-9]\d*)\*\* "),
}
_REVISION = re.compile(r"\*\*(?P<number>[1-9]\d*)\*\* \S.*")
_REFERENCE = re.compile(r"(?<![\w-])[A-Z]{2,3}-\d+(?:\.\d+)?(?![\w-])")
_SUBSET = "write one “# ” title on line 1, then only “## ” headings, paragraphs and “- ” items"


class _Html(RendererHTML):
    """Links references, whose ids are in ``env``."""

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Return a piece of plain text."""
        return _linked(tokens[idx].content, env["ids"])


_USED = ["backticks", "emphasis", "heading", "list"]
_REFUSED = ["blockquote", "code", "fence", "hr"]  # known, so that they are not read as paragraphs
_MARKDOWN = MarkdownIt("zero", renderer_cls=_Html).enable(_USED + _REFUSED)


def cited(sentence: str) -> str | None:
    """Return the id of the first clause in a sentence, or None."""
    match = _CITED.search(sentence)
    return match and match[0]


def load(markdown: str, original: Rulebook | None = None) -> Rulebook:
    """Parse a rulebook, or the translation of one; raise ``BadClause`` with the first wrong line."""
    blocks = tuple(_blocks(markdown))
    if not blocks or blocks[0].kind != "#":
        raise BadClause(1, "begin with “# ” and the title")
    if original:
        _check_shape(blocks, original._blocks)
    clauses: dict[str, Clause] = {}
    chapters: dict[str, tuple[_Block, list[str]]] = {}
    revisions: list[int] = []
    section, chapter = "", ""
    for block, first in zip(blocks, original._blocks if original else blocks, strict=True):
        if block.kind == "##":
            section, chapter = first.text, ""
            if match := _CHAPTER.fullmatch(block.text):
                chapter = match["id"]
                if chapter in chapters:
                    raise BadClause(block.line, f"the chapter {chapter} exists already")
                chapters[chapter] = block, []
            elif _REFERENCE.match(block.text):
                raise BadClause(block.line, "write a chapter as “## LC-4 Its title”")
        elif block.kind == "-" and chapter:
            clause = _clause(block, chapter, original)
            if clause.id in clauses:
                raise BadClause(block.line, f"the clause {clause.id} exists already")
            before = chapters[chapter][1]
            if before and _number(clause.id) < _number(before[-1]):
                raise BadClause(block.line, f"{clause.id} belongs before {before[-1]}")
            clauses[clause.id] = clause
            before.append(clause.id)
        elif block.kind == "-" and section == "Revisions":
            match = _REVISION.fullmatch(block.text)
            if not match or (revisions and int(match["number"]) != revisions[-1] - 1):
                raise BadClause(block.line, "write revisions as “- **1** what changed”, the newest first")
            revisions.append(int(match["number"]))
    for id, (heading, members) in chapters.items():
        if not members:
            raise BadClause(heading.line, f"the chapter {id} has no clauses")
    if not clauses:
        raise BadClause(1, "there are no clauses: write chapters as “## LC-4 Its title”")
    if revisions and revisions[-1] != 1:
        raise BadClause(1, "the list of “## Revisions” goes down to revision 1")
    _check_references(blocks, {*clauses, *chapters})
    return Rulebook(
        blocks[0].text,
        revisions[0] if revisions else 1,
        markdown,
        tuple(
            Chapter(id, heading.text.removeprefix(f"{id} "), tuple(m))
            for id, (heading, m) in chapters.items()
        ),
        MappingProxyType(clauses),
        blocks,
        original._blocks if original else blocks,
    )


def _blocks(markdown: str) -> Iterator[_Block]:
    """Yield the blocks of the text; raise ``BadClause`` for what is not in the subset."""
    for part in SyntaxTreeNode(_MARKDOWN.parse(markdown)).children:
        for block in part.children if part.type == "bullet_list" else [part]:
            line = block.map[0] + 1 if block.map else 1
            kind = {"heading": block.markup, "paragraph": "p", "list_item": "-"}.get(block.type)
            paragraphs = block.children if kind == "-" else [block]
            nodes = [node for paragraph in paragraphs for node in paragraph.children]
            is_one_text = [node.type for node in nodes] == ["inline"] and nodes[0].content
            if kind not in ("#", "##", "p", "-") or not is_one_text or (kind == "#" and line > 1):
                raise BadClause(line, _SUBSET)
            if any(node.type == "text" and re.search(r"[*`]", node.content) for node in nodes[0].children):
                raise BadClause(line, "a mark is not closed: write `code`, **bold** or *italics*")
            yield _Block(line, kind, re.sub(r" *\n *", " ", nodes[0].content))


def _check_shape(blocks: Sequence[_Block], original: Sequence[_Block]) -> None:
    """Raise ``BadClause`` where a translation does not have the blocks of the original."""
    for block, first in zip(blocks, original, strict=False):
        if (block.kind, block.id) != (first.kind, first.id):
            raise BadClause(block.line, f"the original has “{_beginning(first)}” here")
    if len(blocks) < len(original):
        raise BadClause(blocks[-1].line, f"the original goes on with “{_beginning(original[len(blocks)])}”")
    if len(blocks) > len(original):
        raise BadClause(blocks[len(original)].line, "the original ends before this")


def _beginning(block: _Block) -> str:
    return brief(f"{block.kind} {block.id or block.text}")


def _clause(block: _Block, chapter: str, original: Rulebook | None) -> Clause:
    """Parse a block as a clause of this chapter; raise ``BadClause``."""
    match = _CLAUSE.fullmatch(block.text)
    if not match:
        raise BadClause(block.line, f"write a clause as “- **{chapter}.1** Its text. *Its source.*”")
    if match["id"].split(".")[0] != chapter:
        raise BadClause(block.line, f"the clause {match['id']} does not belong to {chapter}")
    ruling = (
        original.clauses[match["id"]].ruling
        if original
        else bool(re.search(r"\brulings?\b", match["source"], re.IGNORECASE))
    )
    return Clause(match["id"], chapter, match["text"], match["source"], ruling)


def _number(id: str) -> int:
    return int(id.split(".")[1])


def _check_references(blocks: tuple[_Block, ...], ids: set[str]) -> None:
    """Raise ``BadClause`` if a sentence refers to an id of these rules that does not exist."""
    prefixes = {id.split("-")[0] for id in ids}
    for block in blocks:
        for id in _REFERENCE.findall(block.text):
            if id not in ids and id.split("-")[0] in prefixes:
                raise BadClause(block.line, f"there is no clause or chapter {id}")


def _inline(text: str, ids: set[str]) -> str:
    """Convert inline Markdown and references to HTML, and escape everything else."""
    return str(_MARKDOWN.renderInline(text, {"ids": ids}))


def _linked(text: str, ids: set[str]) -> str:
    """Return a text as HTML, in which every id of a clause is a link."""

    def link(match: re.Match[str]) -> str:
        id = match[0]
        return f'<a href="#{id}">{id}</a>' if id in ids else id

    return _REFERENCE.sub(link, escape(text))


def _clause_html(clause: Clause, ids: set[str]) -> str:
    """Return a clause as an item of a list, with its id and its source."""
    kind = "source ruling" if clause.ruling else "source"
    return (
        f'<li class="clause" id="{clause.id}"><a class="id" href="#{clause.id}">{clause.id}</a> '
        f'{_inline(clause.text, ids)} <em class="{kind}">{_linked(clause.source, ids)}</em></li>'
    )
