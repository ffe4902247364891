"""Chooses the tests of a mutant, from one recorded run of all tests."""

import ast
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from xml.etree import ElementTree as ET

from coverage import CoverageData

from tests.mutation.mutants import Mutant


class Recording:
    """The test functions that ran each line of a tree's files, the seconds of each, and those that fail."""

    def __init__(self, root: Path) -> None:
        """Read what was recorded: `.coverage`, whose contexts are such as `a.py::test_b[c]|run`, and `junit.xml`."""
        self._root, self._tests, data = root, dict[str, dict[int, set[str]]](), CoverageData(str(root / ".coverage"))
        data.read()
        for file in data.measured_files():
            self._tests[str(Path(file).relative_to(root))] = {
                line: {context.partition("|")[0].partition("[")[0] for context in contexts if context}
                for line, contexts in data.contexts_by_lineno(file).items()
            }
        self.seconds, self.failing = defaultdict[str, float](float), set[str]()
        for case in ET.parse(root / "junit.xml").iter("testcase"):
            test = f"{case.attrib['file']}::{case.attrib['name'].partition('[')[0]}"
            self.seconds[test] += float(case.attrib["time"])
            self.failing |= {test for part in case if part.tag in {"failure", "error"}}

    def tests(self, mutant: Mutant, max_seconds: float) -> list[str]:
        """Choose the tests of a mutant by the rules of targets.toml, in the order in which they run."""
        functions, tests = _function_lines(mutant.source), set[str]()
        if mutant.line in functions:
            tests = self._at(mutant.file, [mutant.line]) or self._at(mutant.file, functions[mutant.line])
        if not tests:
            files = {*self._tests, *map(_file, self.seconds)}
            sources = {file: (self._root / file).read_text("utf-8") for file in files}
            users = {file for file, source in sources.items() if file == mutant.file or _imports(source, mutant.file)}
            tests = {test for file in users for test in self._at(file, _function_lines(sources[file]))}
            tests |= {test for test in self.seconds if _file(test) in users}
        if not tests:  # only child processes ran it
            tests = {test for test in self.seconds if f"/{Path(mutant.file).parent.name}/" in test}
        own = f"/test_{Path(mutant.file).stem}.py::"
        ordered = sorted(tests - self.failing, key=lambda test: (own not in test, self.seconds[test], test))
        return self.within(ordered, max_seconds)

    def within(self, tests: list[str], seconds: float) -> list[str]:
        """Return the first tests that take a number of seconds together, at least one if there are any."""
        sums = list(accumulate(self.seconds[test] for test in tests))
        return tests[: max(1, bisect_right(sums, seconds))]

    def _at(self, file: str, lines: Iterable[int]) -> set[str]:
        return {test for line in lines for test in self._tests.get(file, {}).get(line, ())}


def _file(test: str) -> str:
    return test.partition("::")[0]


def _imports(source: str, file: str) -> bool:
    """Tell whether a source has `from a.b import c`, where a/b.py or a/b/c.py is the file."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    names = [f"{node.module}{end}" for node in imports for end in ("", *(f".{alias.name}" for alias in node.names))]
    return any(f"/{file}".endswith(f"/{name.replace('.', '/')}.py") for name in names)


def _function_lines(source: str) -> dict[int, range]:
    """Map each line in the body of a function that is not cached to all lines of its innermost function."""
    found: dict[int, range] = {}
    for node in ast.walk(ast.parse(source)):  # outer functions come first
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "cache" not in " ".join(
            map(ast.unparse, node.decorator_list)
        ):
            lines = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
            found |= dict.fromkeys(lines, lines)
    return found
