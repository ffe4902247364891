"""The log of a saved search, and what changed between two of its runs."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from goldpan.contracts import SourceStatus
from goldpan_local.saved.log import LoggedResult, LoggedSection, Run, append_run, changes_of, read_runs, run_of

from tests.support.factories import request
from tests.support.fixed_papers import FULL, paper_answer
from tests.support.local import ANSWER, HOSTILE, answer

AT = datetime(2026, 8, 22, 12, tzinfo=UTC)


def a_run(*ids: str, hours: int = 0, error: str | None = None, status: str = "ok", cached: bool = False) -> Run:
    """Make a run with these results."""
    facts = {"relevance": 0.5, "basis": "rules", "reasoning": HOSTILE}
    rows = ({"id": name, **facts} for name in ids)
    results = tuple(map(LoggedResult.model_validate, rows))
    section = LoggedSection(before_deduplication=9, after_deduplication=7, shortlisted=5, results=results)
    names = {"kind": "repositories", "strategy": "stars", "source": "github"}
    row = SourceStatus.model_validate({**names, "status": status, "cached": cached})
    sections = {} if error else {"repositories": section}
    at = AT + timedelta(hours=hours)
    return Run(at=at, request={"query": "x"}, sources=(row,), sections=sections, error=error)


def test_what_a_run_logs() -> None:
    """What was merged and dropped, how results were judged and named, and what was decided."""
    papers = {"kind": "papers", "strategy": "arxiv", "source": "arxiv", "status": "ok", "kept": 7}
    found = {**ANSWER["repositories"], "dropped": {"stars": 3}, "weaker": ANSWER["repositories"]["results"][:1]}
    given = answer(sources=[*ANSWER["sources"], papers], repositories=found)
    run = run_of(request(query="React animation", mode="focused"), given)
    section = run.sections["repositories"]
    assert (section.before_deduplication, section.after_deduplication, section.shortlisted) == (40, 1057, 25)
    assert (section.dropped, section.weaker) == ({"stars": 3}, 1)
    assert [each.basis for each in section.results] == ["llm", "rules"]
    assert (run.request, run.decisions.warnings) == ({"query": "React animation", "mode": "focused"}, given.warnings)
    (paper,) = run_of(request(query="x"), paper_answer({**FULL, "title": "ζ functions"})).sections["papers"].results
    assert ([each.title for each in section.results], paper.title) == (["", ""], "ζ functions")


def test_what_a_crash_left_is_skipped_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The next run has a line of its own all the same."""
    path = tmp_path / "x.jsonl"
    for name in ("a/b", "b/c"):
        append_run(path, a_run(name))
    with path.open("ab") as file:
        file.write(b'{"at": "2026-08-22T12:00:')
    append_run(path, a_run("c/d"))
    found = [result.id for each in read_runs(path) for result in each.sections["repositories"].results]
    assert (found, path.read_bytes().count(b"\n")) == (["a/b", "b/c", "c/d"], 4)
    assert "x.jsonl: skipped 1 damaged line" in capsys.readouterr().err
    assert read_runs(tmp_path / "none.jsonl") == []


def test_changes_are_those_since_the_last_run_that_has_results() -> None:
    """A failed run in between is no run without results."""
    earlier = [a_run("a/a"), a_run("a/a", "b/b", "c/c", "d/d"), a_run(hours=1, error="OutOfTime: late")]
    changes = changes_of("x", a_run("new/new", "b/b", "a/a", "d/d", hours=2), earlier)
    assert [(each.rank, each.result.id) for each in changes.new] == [(1, "new/new")]
    assert [(each.rank, each.result.id) for each in changes.gone] == [(3, "c/c")]
    assert (changes.since, changes.failed_sources) == (AT, ())
    assert len(changes_of("x", a_run("a/a"), []).new) == 1
    outage = a_run("a/a", "stands/in", hours=2, status="timeout")
    changes = changes_of("x", outage, earlier)
    assert (changes.new, [row.source for row in changes.failed_sources]) == ((), ["github"])
    second = a_run("a/a", "told/once", hours=3, status="timeout")
    found = ("a/a", "b/b"), ("new/new",), ("stands/in",), ("told/once",)
    after = [changes_of("x", a_run(*ids, "c/c"), [*earlier, outage, second]).new for ids in found]
    assert [[each.result.id for each in new] for new in after] == [[], ["new/new"], ["stands/in"], []]
    both = a_run("a/a", cached=True)
    both = both.model_copy(update={"sections": {**both.sections, "papers": both.sections["repositories"]}})
    assert [each.kind for each in changes_of("x", both, []).new] == ["repositories", "papers"]
    assert [len(changes_of("x", run, []).old_sources) for run in (both, a_run(cached=True, status="timeout"))] == [1, 0]
