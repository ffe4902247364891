"""A project's library as a source and by its requests: what it returns, how it fails, and what closes it in use."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest, NotFound, SourcesFailed, TimedOut
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Batch, PaperQuery
from goldpan.kinds.papers.scout import scout
from goldpan.kinds.papers.sources.library.models import LibraryFilters
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.requests import ACCESS, LibrarySource
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.library_folder import FolderLibraries

from tests.support.factories import StillClock
from tests.support.loopback.llm import HashedEncoder
from tests.support.paper_fakes import collect, open_libraries, own_paper, scout_task, some_seconds

CATS = own_paper(
    "cat-1", "Cats in graphs", summary="My notes on felines.", doi="10.1000/cats", tags=("read",), citations=7
)
DOGS = own_paper("dog-1", "Dogs in graphs", year=None)


def scouted(
    folder: Path, *words: str, strategy: str = "library", encoder: HashedEncoder | None = None, **constraints: int
) -> Batch:
    """Search a project by one query, a concept a word."""
    query, limits = PaperQuery(concepts=tuple((word,) for word in words)), Constraints.model_validate(constraints)
    own = {"strategy": strategy, "project_id": "thesis", "constraints": limits}
    task = scout_task("library", 30_000, query).model_copy(update=own)
    sources = {"library": LibrarySource(open_libraries(folder, encoder))}
    return scout(task, Dependencies(clock=StillClock(), sources=sources), some_seconds())


def test_a_paper_of_the_library_keeps_what_the_user_knows(tmp_path: Path) -> None:
    """Its own id beside its others, its facts, the user's text where it has no abstract, and a passage of no title."""
    collect(tmp_path, "thesis", [CATS])
    found = scouted(tmp_path, "felines")
    (paper,) = found.papers
    assert (found.status.status, found.status.strategy, found.status.source) == ("ok", "library", "library")
    assert (paper.source, paper.title, paper.year, paper.citations) == ("library", "Cats in graphs", 2021, 7)
    assert (paper.ids.doi, paper.ids.other) == ("10.1000/cats", {"library": "thesis/cat-1"})
    assert paper.abstract == "My notes on felines."
    assert paper.snippet == "My notes on felines."
    collect(tmp_path, "thesis", [DOGS])
    assert [paper.snippet for paper in scouted(tmp_path, "dogs").papers] == [None]


def test_a_paper_whose_year_is_unknown_stays_for_a_question_about_years(tmp_path: Path) -> None:
    """The filters of the index find what meets them first, however many others match; the rules check the rest."""
    older = [own_paper(f"old-{number}", f"Old graphs {number}", year=1990) for number in range(60)]
    collect(tmp_path, "thesis", [*older, DOGS, CATS])
    titles = [paper.title for paper in scouted(tmp_path, "graphs", year_from=2000).papers]
    assert titles[0] == "Cats in graphs"
    assert "Dogs in graphs" in titles


@pytest.mark.parametrize("word", ["NOT", '"graphs', "(graphs", "year:graphs", "-graphs", "graphs AND"])
def test_a_concept_is_words_and_no_query_syntax(tmp_path: Path, word: str) -> None:
    """What a typed query would read as an operator is searched for as text."""
    collect(tmp_path, "thesis", [CATS, DOGS])
    assert len(scouted(tmp_path, word, "graphs").papers) == 2


def test_a_project_that_does_not_exist_ends_the_search_with_the_names_of_the_others(tmp_path: Path) -> None:
    """It is the caller's mistake; without any project the way to import is named."""
    with pytest.raises(
        InvalidRequest, match=r"^No papers collected yet\. The project thesis does not exist; .*goldpan library import"
    ):
        scouted(tmp_path, "graphs")
    collect(tmp_path, "cats", [CATS])
    with pytest.raises(InvalidRequest, match=r"project_id: there is no project thesis \(there are cats\)"):
        scouted(tmp_path, "graphs")
    for number in range(11):
        (tmp_path / f"project-{number:02}.sqlite").touch()
    with pytest.raises(InvalidRequest, match=r"there are cats, project-00, .*, project-08 and 2 more\)"):
        scouted(tmp_path, "graphs")


def test_a_damaged_library_is_a_failed_source(tmp_path: Path) -> None:
    """The row names the project, and the other sources go on."""
    (tmp_path / "thesis.sqlite").write_bytes(b"no database" * 100)
    row = scouted(tmp_path, "graphs").status
    assert row.status == "unavailable"
    assert row.detail.startswith("the library thesis cannot be read: ")


def test_a_library_without_vectors_is_searched_by_words_alone(tmp_path: Path) -> None:
    """The other strategy is skipped with the reason, and is no failure; with vectors both find the paper."""
    file = collect(tmp_path, "thesis", [CATS])
    encoder = HashedEncoder()
    row = scouted(tmp_path, "cats", strategy="hybrid", encoder=encoder).status
    assert (row.status, row.detail) == ("skipped", "Words alone decided: the library has no vectors of hashed yet.")
    with LibraryWriter.open(file) as writer:
        encode_library(writer, encoder)
        writer.replace_origin("more.json", "1", [own_paper("late", "Late cats", abstract="Of dogs.", year=1990)])
    encoder.texts.clear()
    assert len(scouted(tmp_path, "cats", encoder=encoder).papers) == 2
    assert encoder.texts == [], "words alone"
    found = scouted(tmp_path, "cats", strategy="hybrid", encoder=encoder, year_from=2000)
    assert next((paper.source, paper.title) for paper in found.papers) == ("hybrid", "Cats in graphs")
    assert found.status.detail == "1 paper without vectors so far; found by words alone."


def test_an_import_is_seen_by_the_next_search_of_the_same_process(tmp_path: Path) -> None:
    """A library that stays open is opened anew, also where another file has taken its place."""
    libraries = open_libraries(tmp_path)
    source = LibrarySource(libraries).of_project("thesis", "library")
    query = [PaperQuery(concepts=(("graphs",),))]
    for papers in ([CATS], [CATS, DOGS], [DOGS]):
        collect(tmp_path / "new", "thesis", papers).replace(tmp_path / "thesis.sqlite")
        found = source.search(query, Constraints(), some_seconds())
        assert {paper.title for paper in found.lists[0]} == {paper.title for paper in papers}
    libraries.close()


def test_a_library_that_is_closed_during_a_search_serves_it_to_its_end(tmp_path: Path) -> None:
    """It is closed after that, as another thread may while the encoder works, and opened again by the next search."""
    file = collect(tmp_path, "thesis", [own_paper("one", "Cats in graphs"), own_paper("two", "Felines")])
    encoder = HashedEncoder(refuse=lambda _: libraries.close())
    libraries = open_libraries(tmp_path, encoder)
    with LibraryWriter.open(file) as writer:
        encode_library(writer, encoder)
    for _ in range(2):
        found = libraries.search("thesis", "cats", 5, LibraryFilters())
        assert [hit.paper.id for hit in found.results][:1] == ["one"]
        assert found.encoder == encoder.name


class MovingLibraries(FolderLibraries):
    """The libraries of a folder; something happens to each file, or to the time for it, before it is handed out."""

    def __init__(self, folder: Path, change: Callable[[Path, Deadline | None], object]) -> None:
        super().__init__({"GOLDPAN_LIBRARIES": str(folder)})
        self._change = change

    @contextmanager
    def file(self, project: str, deadline: Deadline | None = None) -> Iterator[Path]:
        """Change a file, and hand it out."""
        with super().file(project, deadline) as path:
            self._change(path, deadline)
            yield path


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_library_that_is_removed_while_it_is_asked_is_not_there(tmp_path: Path, change: Any) -> None:
    """A file that is removed, or that its first import has just made, is no damaged one."""
    libraries = OpenLibraries(MovingLibraries(tmp_path, lambda path, _: change(path)), HashedEncoder())
    collect(tmp_path, "thesis", [own_paper("one", "Cats in graphs")])
    with pytest.raises(NotFound):
        libraries.search("thesis", "cats", 5, LibraryFilters())
    collect(tmp_path, "thesis", [own_paper("one", "Cats in graphs")])
    with pytest.raises(NotFound):
        libraries.chunks("thesis", "cats", 5)


def arrive(path: Path, deadline: Deadline | None) -> None:
    """Let the project named `late` not arrive before the deadline."""
    if path.stem == "late":
        raise TimedOut(f"2 of 6 MiB were read in {deadline.left if deadline else 'unlimited'} seconds")


def opened(folder: Path, *projects: str) -> Any:
    """Open these projects, each with a paper of cats."""
    for project in projects:
        collect(folder, project, [own_paper(f"{project}-1", "Cats in graphs", abstract=f"How {project} sees cats.")])
    return ACCESS.open(MovingLibraries(folder, arrive), HashedEncoder())


@pytest.mark.parametrize("strategy", ["library", "hybrid"])
def test_a_file_that_is_cut_is_a_timeout_of_its_source(tmp_path: Path, strategy: str) -> None:
    """Its file has the time of the task, and the status says how far it came."""
    task = scout_task("library").model_copy(update={"strategy": strategy, "project_id": "late"})
    sources = {"library": ACCESS.source(opened(tmp_path, "late"))}
    row = scout(task, Dependencies(clock=StillClock(), sources=sources), some_seconds()).status
    assert (row.status, row.detail) == ("timeout", "2 of 6 MiB were read in 6.0 seconds")


def test_a_library_that_is_cut_does_not_cost_the_passages_of_the_others(tmp_path: Path) -> None:
    """The answer names it; without another one the request fails."""
    response = ACCESS.respond("/library/chunks", {"query": "cats"}, opened(tmp_path, "a", "late"), None, some_seconds())
    answer = json.loads(response.body)
    assert {chunk["project"] for chunk in answer["chunks"]} == {"a"}
    words_alone = "a: Words alone decided: the library has no vectors of hashed yet."
    assert answer["notes"] == [words_alone, "late was left out: 2 of 6 MiB were read in 6.0 seconds"]
    libraries = opened(tmp_path, "a", "b")
    first = ACCESS.respond("/library/chunks", {"query": "cats", "k": 1}, libraries, None, some_seconds())
    assert len(json.loads(first.body)["chunks"]) == 1
    for path, project in (("/library/chunks", None), ("/library/chunks", "late"), ("/library/search", "late")):
        fields = {"query": "cats", "project_id": project}
        with pytest.raises(SourcesFailed, match=r"^library: 2 of 6 MiB were read in 6\.0 seconds"):
            ACCESS.respond(path, fields, opened(tmp_path, "late"), ["late"], some_seconds())
