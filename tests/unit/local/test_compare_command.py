"""`goldpan compare` and `goldpan like`: what they print, and what they refuse."""

import json

import goldpan
import pytest

from tests.support.local import catalogue, github_runtime, use_runtime
from tests.unit.local.conftest import Run, refused

NAMES = ("motion/react-motion", "glide/glide")


@pytest.fixture(autouse=True)
def _test_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    use_runtime(monkeypatch, catalogue())


def test_a_comparison_is_a_column_a_repository(run: Run) -> None:
    """In 80 columns, with the rows that people compare; relevance is a row if there is a question."""
    shown = run("compare", *NAMES, env={"COLUMNS": "80"}).stdout
    assert max(map(len, shown.splitlines())) <= 80
    rows = {line[:14].strip(): line[14:].split() for line in shown.splitlines() if line[:14].strip()}
    assert shown.split()[:2] == list(NAMES)
    for title in ("maturity", "ease of use", "overall", "stars", "licence", "language", "pushed", "release"):
        assert len(rows[title]) == 2, title
    assert rows["caveats"] == ["none", "none"]
    assert "relevance" not in rows
    asked = run("compare", *NAMES, "--query", "React animation library").stdout
    assert "relevance" in asked
    assert "Matches" in asked


def test_a_comparison_has_the_other_formats_of_an_answer(run: Run) -> None:
    """What is missing is in `errors`, said plainly, and the command exits with 1."""
    answer = json.loads(run("compare", *NAMES, "no/such", "--format", "json").stdout)
    assert [each["repo"] for each in answer["repositories"]["results"]] == list(NAMES)
    assert answer["errors"][0]["error"].startswith("no/such was not found")
    shown = run("compare", *NAMES, "no/such")
    assert (shown.exit_code, shown.stdout.startswith("! no/such was not found: catalogue has none")) == (1, True)
    assert shown.stdout.count("no/such") == 1
    missing = run("compare", "no/such", "none/such")
    assert (missing.exit_code, "None of them was found." in missing.stdout) == (1, True)


def test_likeness_takes_the_options_of_a_search(run: Run) -> None:
    """The repository itself is left out; one that does not exist is named."""
    shown = run("like", f"https://github.com/{NAMES[0]}", "-n", "1", "--format", "urls", "--language", "TypeScript")
    assert shown.stdout.splitlines() == ["https://github.com/glide/glide"]
    assert "repo: no/such was not found: catalogue has none" in refused(run("like", "no/such"))


def test_both_are_entry_points_for_python() -> None:
    """The question and further fields of a request reach the search."""
    runtime = github_runtime()
    compared = goldpan.compare(NAMES, "React springs", runtime=runtime)
    assert {each.repo for each in compared.repositories.results} == set(NAMES)
    assert [each.text for each in compared.interpretation] != []
    liked = goldpan.like(NAMES[0], mode="focused", runtime=runtime)
    assert (liked.mode, [each.repo for each in liked.repositories.results]) == ("focused", [NAMES[1]])
