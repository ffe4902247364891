"""`goldpan search --kind papers`: options, formats, and another round of the last search."""

from pathlib import Path

import pytest
from goldpan.contracts import SearchRequest, parse_request
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue
from goldpan.local.bootstrap import open_connections
from goldpan_local.last_search import keep_last, read_last

from tests.support import fixed_papers
from tests.support.fakes import FakeClock
from tests.unit.local.conftest import Run

PAPERS = ("search", "attention", "--kind", "papers")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[SearchRequest]:
    """Search fixed papers with a cache in an empty folder; returns the requests that were searched."""
    monkeypatch.setenv("GOLDPAN_CACHE", str(tmp_path / "cache" / "cache.sqlite"))
    return fixed_papers.use_papers(monkeypatch)


def test_filters_of_papers_reach_the_search(run: Run, asked: list[SearchRequest]) -> None:
    """Each as the filter of that name, years as one or a range; an order of papers is allowed beside repositories."""
    options = ("--year", "2020..2024", "--venue", "ACL", "--venue", "EMNLP", "--author", "Ada", "--type", "Review")
    assert run(*PAPERS, *options, "--open-access", "--exclude", "survey", "--sort", "citations").exit_code == 0
    assert asked[0].filters == {
        "year_from": 2020, "year_to": 2024, "venues": ["ACL", "EMNLP"], "authors": ["Ada"], "types": ["review"],
        "open_access": True, "exclude": ["survey"],
    }  # fmt: skip
    assert asked[0].sort == "citations"
    assert run(*PAPERS, "--kind", "repositories", "--sort", "year", "--no-open-access").exit_code == 0
    assert (asked[1].kinds, asked[1].filters) == (("papers", "repositories"), {"open_access": False})
    ranges = {"2020": {"year_from": 2020, "year_to": 2020}, "2020..": {"year_from": 2020}, "..2024": {"year_to": 2024}}
    for years, bounds in (*ranges.items(), (" 1999 .. 2001 ", {"year_from": 1999, "year_to": 2001})):
        run(*PAPERS, "--year", years)
        assert asked[-1].filters == bounds


def test_a_library_is_searched_beside_the_world_or_alone(run: Run, asked: list[SearchRequest]) -> None:
    """The project is the default one where a library is asked for without a name."""
    for options in (("--project", "thesis"), ("--library-only",), ("--source", "library", "--source", "arxiv")):
        assert run(*PAPERS, *options).exit_code == 0
    assert [(each.project_id, each.library_only) for each in asked] == [
        ("thesis", False), ("default", True), ("default", False)
    ]  # fmt: skip


def test_the_last_search_is_continued(run: Run, asked: list[SearchRequest], user_file: Path) -> None:
    """With its question, filters and strategies; what is typed changes the rest, wishes and what is ignored add up."""
    run(*PAPERS, "--year", "2020..", "--venue", "ACL", "--offset", "1")
    user_file.write_text('mode = "focused"\n')  # the search has had the defaults of its time
    assert run("search", "--refine", "more on evaluation", "--refine", "no surveys", "--year", "..2022").exit_code == 0
    assert (asked[1].query, asked[1].feedback) == ("attention", ("more on evaluation", "no surveys"))
    assert asked[1].previous_strategies == (fixed_papers.STRATEGY,)
    assert (asked[1].filters, asked[1].offset) == ({"year_to": 2022, "venues": ["ACL"]}, 0)
    assert asked[1].mode == "balanced"
    for number in range(6):
        assert run("search", "--refine", f"wish {number}", "--format", "urls").exit_code == 0
    assert asked[-1].feedback == ("more on evaluation", "no surveys", *(f"wish {number}" for number in range(6)))
    assert [len(request.previous_strategies) for request in asked] == [0, 1, 2, 3, 4, 5, 5, 5]
    assert [run("search", "--ignore", name).exit_code for name in ("wish:wish-1", "wish:no-surveys")] == [0, 0]
    assert asked[-1].ignore == ("wish:wish-1", "wish:no-surveys")
    run(*PAPERS, "--ignore", "wish:another")
    assert [*asked[-1].ignore, *asked[-1].feedback] == ["wish:another"]
    run("search", "React animation", "--source", "catalogue")
    assert run("search", "--refine", "smaller", "--format", "json").exit_code == 0


def test_without_a_cache_no_search_is_continued(run: Run, asked: list[SearchRequest], tmp_path: Path) -> None:
    """Where it is off, the message says so; a cache that cannot be written costs the answer nothing."""
    off = run("search", "--refine", "x", env={"GOLDPAN_CACHE": "off"})
    assert (off.exit_code, "GOLDPAN_CACHE is off" in off.stderr) == (2, True)
    (tmp_path / "cache").write_text("a file in the place of the folder")
    result = run(*PAPERS)
    assert (result.exit_code, result.stdout.startswith("attention\n"), len(asked)) == (0, True, 1)
    assert "there is no search of the last 24 hours" in run("search", "--refine", "x").stderr


@pytest.mark.parametrize("further", [(), ("--save", "mine")])
def test_a_search_of_a_catalogue_is_continued_there(run: Run, tmp_path: Path, further: tuple[str, ...]) -> None:
    """No question for a file of one's own goes to GitHub; one that was saved is the last one, too."""
    own = {"GOLDPAN_CACHE": str(tmp_path / "cache.sqlite"), "XDG_DATA_HOME": str(tmp_path)}
    build_catalogue([], file := tmp_path / "mine.sqlite", "mine")
    run("search", "React animation", "--catalogue", str(file), *further, env=own)
    file.unlink()
    assert f"no catalogue at {file}" in run("search", "--refine", "smaller", env=own).stderr


def test_a_search_is_kept_for_a_day(tmp_path: Path) -> None:
    """With the strategies of its answer."""
    clock, answer = FakeClock(), fixed_papers.paper_answer()
    with open_connections({"GOLDPAN_CACHE": str(tmp_path / "cache.sqlite")}, clock=clock) as opened:
        for text in ("one", "two"):
            keep_last(opened, parse_request({"query": text, "kinds": ["papers"]}), answer)
        clock.wait(23 * 3600)
        kept = read_last(opened)
        assert (kept.request["query"], kept.strategies) == ("two", (fixed_papers.STRATEGY,))
        clock.wait(3600)
        assert read_last(opened) is None
