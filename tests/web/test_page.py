"""Each template gets one object, which declares the names that the template uses: no more and no less."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

import pytest
from jinja2 import Environment, meta, nodes

from paddock.features import FEATURES
from paddock.server.app import routers
from paddock.web.cookies import SETTINGS
from paddock.web.page import WebPage
from paddock.web.pages import Pages
from paddock.web.titles import in_order, slot

ALWAYS = {"here", "lang", "places", "spoken", *SETTINGS}  # what every page gets besides its own


routers()  # whose modules declare all pages


def _kinds(kind: type[WebPage] = WebPage) -> Iterator[type[WebPage]]:
    for sub in kind.__subclasses__():
        if "template" in vars(sub):
            yield sub
        yield from _kinds(sub)


@dataclass
class Names:
    """The names that a template takes from its page."""

    needed: set[str] = field(default_factory=set)
    free: set[str] = field(default_factory=set)  # the needed ones that no template around it sets
    optional: set[str] = field(default_factory=set)  # used if they are there


def _own(tree: nodes.Template) -> set[str]:
    """Return the names that a template sets somewhere: those that it includes may use them."""
    named = {node.name for node in tree.find_all(nodes.Name) if node.ctx in ("store", "param")}
    named |= {macro.name for macro in tree.find_all(nodes.Macro)}
    for imported in tree.find_all(nodes.FromImport):
        named |= {name if isinstance(name, str) else name[1] for name in imported.names}
    return named


def _parts(tree: nodes.Template) -> Iterator[str]:
    """Yield the templates that a template extends or includes."""
    named: list[nodes.Expr] = [include.template for include in tree.find_all(nodes.Include)]
    for of in [*named, *(extends.template for extends in tree.find_all(nodes.Extends))]:
        if isinstance(of, nodes.Const):
            yield of.value
        elif isinstance(of, nodes.Call):
            assert isinstance(of.node, nodes.Name) and of.node.name == "slot"
            assert isinstance(of.args[1], nodes.Const)
            yield from (slot(title, of.args[1].value) for title in in_order())
        else:
            assert isinstance(of, nodes.Getattr)
            parts = [(one.home, one.share) if of.attr == "template" else (one.beside,) for one in FEATURES]
            owners = FEATURES if of.attr == "analysed" else [part for some in parts for part in some if part]
            yield from filter(None, (getattr(owner, of.attr) for owner in owners))


def _used(environment: Environment, name: str, seen: set[str]) -> Names:
    """Return what a template and those that it extends or includes take from its page."""
    if name in seen:
        return Names()
    seen.add(name)
    loader = environment.loader
    assert loader
    tree = environment.parse(loader.get_source(environment, name)[0])
    names, own = meta.find_undeclared_variables(tree), _own(tree)
    asked = {
        node.node.name
        for node in tree.find_all((nodes.Filter, nodes.Test))
        if node.name in ("default", "defined") and isinstance(node.node, nodes.Name)
    }
    used = Names(names - asked, names - asked - own, names & asked)
    for part in _parts(tree):
        more = _used(environment, part, seen)
        used.needed |= more.needed
        used.free |= more.free - own
        used.optional |= more.optional
    return used


@pytest.mark.parametrize("kind", sorted({*_kinds()}, key=str))
def test_a_page_has_the_names_of_its_template(kind: type[WebPage]) -> None:
    environment = Pages(FEATURES).environment
    used = _used(environment, kind.template, set())
    declared = {field.name for field in fields(kind)}
    assert used.free - declared - ALWAYS - set(environment.globals) == set(), "the page lacks what is used"
    assert declared - used.needed - used.optional == set(), "the page has what its template does not use"
    settled = ALWAYS - {"here"} | set(environment.globals)  # a page with a secret address names another one
    assert declared & settled == set(), "every page has another meaning for it"


def test_each_template_of_a_page_has_its_class() -> None:
    environment = Pages(FEATURES).environment
    loader = environment.loader
    assert loader
    sources = {name: loader.get_source(environment, name)[0] for name in environment.list_templates()}
    pages = {name for name, source in sources.items() if "{% extends" in source or "<!doctype" in source}
    assert {kind.template for kind in _kinds()} == pages - {"base.html"}
