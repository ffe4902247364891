"""Finds comparisons that became an ordering of texts, which no test should need to notice."""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain

EQUALITY, ORDERING = ast.Eq | ast.NotEq, ast.Lt | ast.LtE | ast.Gt | ast.GtE
METHODS = {"casefold", "join", "lower", "removeprefix", "removesuffix", "replace", "strip", "upper"}


def orders_texts(source: str, mutated: str, constants: Collection[str]) -> bool:
    """Tell whether an equality of a source has become an ordering, with an operand that is known to be a text."""
    own = _names(source)
    texts = {name for name in (*own, *constants) if own.get(name, True)}
    pairs = zip(_comparisons(source), _comparisons(mutated), strict=False)
    return any(
        isinstance(before, EQUALITY) and isinstance(after, ORDERING) and any(_is_text(each, texts) for each in operands)
        for (before, *operands), (after, *_) in pairs
    )


def text_constants(sources: Iterable[str]) -> set[str]:
    """Return the names in upper case to which each module that binds them binds a text."""
    bound = [(name, is_text) for source in sources for name, is_text in _names(source).items() if name.isupper()]
    return {name for name, is_text in bound if is_text} - {name for name, is_text in bound if not is_text}


def _comparisons(source: str) -> Iterator[tuple[ast.cmpop, ast.expr, ast.expr]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            yield from zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False)


@cache
def _names(source: str) -> dict[str, bool]:
    """Map each name that a source binds to whether it is always a text, by its annotation or its value."""
    bound, assigned = defaultdict[str, list[bool]](list), set[ast.expr]()
    for node in ast.walk(ast.parse(source)):  # an assignment comes before its targets
        match node:
            case ast.arg(arg=name, annotation=annotation):
                bound[name].append(_is_str(annotation))
            case ast.AnnAssign(target=ast.Name(id=name) as annotated, annotation=annotation, value=value):
                bound[name].append(_is_str(annotation) or _is_text(value))
                assigned.add(annotated)
            case ast.Assign(targets=targets, value=value):
                for one, each in chain.from_iterable(_pairs(target, value) for target in targets):
                    bound[ast.unparse(one)].append(_is_text(each))
                    assigned.add(one)
            case ast.Name(id=name, ctx=ast.Store()) if node not in assigned:
                bound[name].append(False)
    return {name: all(given) for name, given in bound.items()}


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values):
            yield from zip(targets, values, strict=False)
        case _:
            yield target, value


def _is_str(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "str"


def _is_text(node: ast.expr | None, names: Collection[str] = ()) -> bool:
    """Tell whether an expression is a literal text, one of the names, `str(...)`, or the value of a text's method."""
    match node:
        case ast.JoinedStr() | ast.Constant(value=str()) | ast.Call(func=ast.Name(id="str")):
            return True
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in METHODS
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr=name):
            return name.isupper() and name in names
    return False
