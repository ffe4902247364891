"""The mutants of targets.toml: fixed ones, and all that Cosmic Ray generates, in random order."""

import ast
import difflib
import random
import tomllib
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

TARGETS = Path(__file__).with_name("targets.toml")
NOTHING = ast.Constant(None)
SMALL_NUMBERS = 10
"""Limits from here on may be off by one without harm; a test would only repeat the constant."""
CACHES = {"cache", "lru_cache"}
STRICT = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}


@dataclass(frozen=True)
class Mutant:
    """A file with one change."""

    name: str
    file: str
    source: str
    mutated: str

    @property
    def line(self) -> int:
        """The first changed line, counted from 1."""
        pairs = zip(self.source.splitlines(), self.mutated.splitlines(), strict=False)
        return next(number for number, (before, after) in enumerate(pairs, start=1) if before != after)

    @property
    def diff(self) -> str:
        """The removed and the added lines."""
        lines = difflib.unified_diff(self.source.splitlines(), self.mutated.splitlines(), n=0, lineterm="")
        return "\n".join(list(lines)[3:])

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name}"


def load(root: Path) -> dict[str, Any]:
    """Read targets.toml. Raises ValueError with every path and text that a tree does not have."""
    targets = tomllib.loads(TARGETS.read_text("utf-8"))
    suite, fixed = targets["tests"], targets["fixed"]
    paths = {*targets["packages"], *suite["folders"], *suite["ignored"]}.union(*targets["areas"].values())
    problems = [f"there is no {path}" for path in sorted(paths) if not any(root.glob(path))]
    for each in fixed:
        count = (root / each["file"]).read_text("utf-8").count(each["text"])
        problems += [f"{each['text']!r} stands {count} times in {each['file']}, must be once"] if count != 1 else []
    if problems:
        raise ValueError("\n".join([f"{TARGETS} does not fit the tree:", *problems]))
    return targets


def fixed_mutants(targets: dict[str, Any], root: Path) -> Iterator[Mutant]:
    """Yield the mutants that are always run."""
    for each in targets["fixed"]:
        source = (root / each["file"]).read_text("utf-8")
        yield Mutant(each["name"], each["file"], source, source.replace(each["text"], each["replacement"]))


def random_mutants(targets: dict[str, Any], root: Path, seed: int) -> Iterator[Mutant]:
    """Yield all mutants of the areas; for the same seed and sources in the same order."""
    files = {path for pattern in chain(*targets["areas"].values()) for path in root.glob(pattern)}
    sources = {str(path.relative_to(root)): path.read_text("utf-8") for path in files}
    excluded = frozenset(targets["excluded"]["operators"])
    places = [
        (name, file, number)
        for file, source in sorted(sources.items())
        for name, count in _counts(source, excluded).items()
        for number in range(count)
    ]
    random.Random(seed).shuffle(places)
    for name, file, number in places:
        with suppress(AttributeError):  # Cosmic Ray cannot replace an exception that is named with its module
            operator = get_operator(name)()
            mutant = Mutant(name, file, sources[file], mutate_code(sources[file], operator, number))
            if _noticeable(mutant, targets["excluded"]["loggers"]):
                yield mutant


@cache
def _counts(source: str, excluded: frozenset[str]) -> dict[str, int]:
    """Count the places in a source that each operator changes, by its name."""
    operators = {name: get_operator(name)() for name in sorted({*operator_names()} - excluded)}
    nodes = list(ast_nodes(get_ast(source)))
    return {name: sum(len(list(one.mutation_positions(node))) for node in nodes) for name, one in operators.items()}


def _noticeable(mutant: Mutant, loggers: list[str]) -> bool:
    """Tell whether a mutant compiles, and to code that a test should tell from that of its source."""
    # `def f(a, +, b)`, from the `*` before keyword-only arguments; a warning, as of `name is "x"`, would fail all tests
    with suppress(SyntaxError), catch_warnings():
        simplefilter("error")
        compile(mutant.mutated, mutant.file, "exec")
        return _code(mutant.mutated, loggers) != _code(mutant.source, loggers)
    return False


def _code(source: str, loggers: list[str]) -> str:
    """Dump a source without what no test should notice: targets.toml lists it."""
    tree = ast.parse(source)
    constants = [node for node in tree.body if isinstance(node, ast.Assign) and _is_fraction(node.value, ())]
    limits = {ast.unparse(name) for node in constants for name in node.targets}
    for node in ast.walk(tree):
        match node:
            case ast.arg() | ast.AnnAssign():
                node.annotation = NOTHING
            case ast.FunctionDef():
                node.returns = NOTHING
                given = node.decorator_list
                node.decorator_list = [each for each in given if ast.unparse(each).partition("(")[0] not in CACHES]
            case ast.ClassDef(bases=[ast.Name(id="Protocol"), *_]):
                node.body = []
            case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Expr(value=ast.Constant(value=str())):
                node.value = NOTHING
            case ast.Assign(targets=[ast.Name(id="message")], value=ast.JoinedStr() as text):
                text.values = []
            case ast.Compare() if any(_is_fraction(each, limits) for each in (node.left, *node.comparators)):
                node.ops = [STRICT.get(type(each), type(each))() for each in node.ops]
            case ast.Call():
                _strip_call(node, loggers)
            case ast.Constant(value=int() | float() as number) if number > SMALL_NUMBERS:
                node.value = SMALL_NUMBERS
    return ast.dump(tree)


def _strip_call(call: ast.Call, loggers: list[str]) -> None:
    """Take away what is logged, and the options of a dataclass that only refuse something."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name)) if name in loggers:
            call.args, call.keywords = [], []
        case ast.Name(id="dataclass"):
            call.keywords = [each for each in call.keywords if each.arg not in {"frozen", "slots"}]


def _is_fraction(node: ast.expr, names: Collection[str]) -> bool:
    """Tell whether an expression is a number such as 0.5, or the name of one."""
    match node:
        case ast.Constant(value=float(value)):
            return not value.is_integer()
        case ast.Name(id=name):
            return name in names
    return False
