"""Each template gets one object, which declares the names that the template uses: no more and no less."""

from collections.abc import Iterator
from dataclasses import fields

import pytest
from jinja2 import Environment, meta, nodes

from paddock.features import FEATURES
from paddock.web.cookies import SETTINGS
from paddock.web.page import Page
from paddock.web.pages import Pages
from paddock.web.titles import in_order, slot

ALWAYS = {"here", "lang", "spoken", *SETTINGS}  # what every page gets besides its own


def _kinds(kind: type[Page] = Page) -> Iterator[type[Page]]:
    for sub in kind.__subclasses__():
        if "template" in vars(sub):
            yield sub
        yield from _kinds(sub)


def _used(environment: Environment, name: str, seen: set[str]) -> tuple[set[str], set[str]]:
    """Return the names that a template and those that it extends or includes take from its page: those that
    it needs, and those that it uses if they are there.
    """
    if name in seen:
        return set(), set()
    seen.add(name)
    loader = environment.loader
    assert loader
    tree = environment.parse(loader.get_source(environment, name)[0])
    names = meta.find_undeclared_variables(tree) - {macro.name for macro in tree.find_all(nodes.Macro)}
    for brought in tree.find_all(nodes.FromImport):
        names -= {name if isinstance(name, str) else name[1] for name in brought.names}
    asked = [
        node.node.name
        for node in tree.find_all((nodes.Filter, nodes.Test))
        if node.name in ("default", "defined") and isinstance(node.node, nodes.Name)
    ]
    needed, optional = names - set(asked), names & set(asked)
    named: list[nodes.Expr] = [include.template for include in tree.find_all(nodes.Include)]
    named += [extends.template for extends in tree.find_all(nodes.Extends)]
    for of in named:
        parts: list[str] = []
        if isinstance(of, nodes.Const):
            parts = [of.value]
        elif isinstance(of, nodes.Call) and isinstance(of.node, nodes.Name) and of.node.name == "slot":
            assert isinstance(of.args[1], nodes.Const)
            parts = [slot(title, of.args[1].value) for title in in_order()]
        for part in parts:
            more, perhaps = _used(environment, part, seen)
            needed, optional = needed | more, optional | perhaps
    return needed, optional


@pytest.mark.parametrize("kind", sorted(_kinds(), key=str))
def test_a_page_has_the_names_of_its_template(kind: type[Page]) -> None:
    environment = Pages(FEATURES).environment
    needed, optional = _used(environment, kind.template, set())
    always = ALWAYS | set(environment.globals)
    declared = {field.name for field in fields(kind)}
    assert needed - declared - always == set(), "the template uses what its page lacks"
    assert declared - needed - optional == set(), "the page has what its template does not use"
