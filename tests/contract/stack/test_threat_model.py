"""The threat model names files that exist, and shows each of its claims by a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.contract.stack.documents import ROOT, template

TEXT = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.partition("## Who may attack")[2].splitlines()
    if line.startswith("| ") and not line.startswith("| through |")
]
SOURCES = ("layers", "local", "functions", "statemachine", "api", "tests")
FILES = [path for folder in SOURCES for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]


def spans(text: str) -> list[str]:
    """List what is written as code."""
    return re.findall(r"`([^`]+)`", text)


def named(ending: str) -> list[Path]:
    """Find the files that a name means: the end of their paths, from a folder on."""
    return [path for path in FILES if path.as_posix().endswith(f"/{ending}")]


@pytest.mark.parametrize("name", sorted({span for span in spans(TEXT) if re.search(r"\.(?:py|ya?ml)$", span)}))
def test_every_file_named_is_there(name: str) -> None:
    """A name means one file, and no other."""
    assert len(named(name)) == 1


@pytest.mark.parametrize("row", ROWS, ids=lambda row: re.sub(r"\W+", "-", row[0])[:40])
def test_every_defence_is_shown_by_a_test(row: list[str]) -> None:
    """A row has three cells; the last names files of tests alone, and each holds tests."""
    _, _, shown = row
    assert spans(shown)
    assert re.sub(r"`[^`]+`|[, |]", "", shown) == ""
    for name in spans(shown):
        assert (ROOT / "tests" / name).is_file()
        assert re.search(r"^def test_", (ROOT / "tests" / name).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    "attacker", ["readme", "model", "question", "caller", "key", "log", "function", "dependency", "operator", "machine"]
)
def test_every_attacker_is_thought_of(attacker: str) -> None:
    """No way in that the page begins with is lost from its table."""
    assert [row for row in ROWS if attacker in row[0].lower()]


def test_the_parameters_named_are_the_template_s() -> None:
    """What an operator is told to set can be set."""
    said = {span.partition("=")[0] for span in spans(TEXT) if re.fullmatch(r"[A-Z][a-z]+[A-Z]\w+(=\w+)?", span)}
    assert said
    assert said <= set(template()["Parameters"])
