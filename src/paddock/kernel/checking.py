"""Changes of kernel sources before they are loaded.

Compiled code checks that every number fits into its field: an overflow is an error there too. That costs
time, so only the mode with events does, which tests, studies and ``paddock invariants`` use. Plain loops that
take long give way.
"""

from __future__ import annotations

import ast
from typing import Any

from paddock.kernel.record import overflow


class _Checks(ast.NodeTransformer):
    """Adds a check after every statement of a kernel function that writes to a field."""

    inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        before, self.inside = self.inside, bool(node.decorator_list)
        function = self.generic_visit(node)
        self.inside = before
        return function

    def visit_Assign(self, node: ast.Assign) -> Any:
        return self._checked(node, node.targets, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        return self._checked(node, [node.target], ast.BinOp(_read(node.target), node.op, node.value))

    def _checked(self, node: ast.stmt, targets: list[ast.expr], value: ast.expr) -> Any:
        fields = [(target, name) for target in targets if (name := _field(target))]
        if not fields or not self.inside:
            return node
        number = f"_given_{node.lineno}_{node.col_offset}"
        statements: list[ast.stmt] = [ast.Assign([ast.Name(number, ast.Store())], value)]
        for target in targets:
            statements.append(ast.Assign([target], ast.Name(number, ast.Load())))
        for target, name in fields:
            differs = ast.Compare(_read(target), [ast.NotEq()], [ast.Name(number, ast.Load())])
            error = ast.Call(ast.Name("OverflowError", ast.Load()), [ast.Constant(overflow(name))], [])
            statements.append(ast.If(differs, [ast.Raise(error)], []))
        return [ast.fix_missing_locations(ast.copy_location(statement, node)) for statement in statements]


def _field(target: ast.expr) -> str:
    """Return the name of the field that is written to; empty if it is something else."""
    if isinstance(target, ast.Subscript):
        target = target.value
    return target.attr if isinstance(target, ast.Attribute) else ""


def _read(target: ast.expr) -> ast.expr:
    """Return the expression that reads what ``target`` writes."""
    again: ast.expr = ast.parse(ast.unparse(target), mode="eval").body
    return again


def with_checks(tree: ast.Module) -> ast.Module:
    """Return a module that checks every number that it writes to a field."""
    tree_checked: ast.Module = _Checks().visit(tree)
    return ast.fix_missing_locations(tree_checked)


class _Steps(ast.NodeTransformer):
    """Writes ``yield`` for every call of ``give_way``."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        match node.value:
            case ast.Call(func=ast.Name(id="give_way")):
                return ast.copy_location(ast.Expr(ast.Yield()), node)
        return node


def with_steps(tree: ast.Module) -> ast.Module:
    """Return a module whose functions yield where they give way: calls of these return generators."""
    tree_in_steps: ast.Module = _Steps().visit(tree)
    return ast.fix_missing_locations(tree_in_steps)
