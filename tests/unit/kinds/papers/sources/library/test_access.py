"""The requests of a library as a deployment runs them, and a file that does not arrive in their time."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import SourcesFailed, TimedOut
from goldpan.kinds.papers.scout import scout
from goldpan.kinds.papers.sources.library.requests import ACCESS
from goldpan.local.library_folder import FolderLibraries

from tests.support.factories import StillClock
from tests.support.loopback.llm import HashedEncoder
from tests.support.paper_fakes import collect, own_paper, scout_task, some_seconds


class LateLibraries(FolderLibraries):
    """The libraries of a folder, of which the one named `late` never arrives before the deadline."""

    @contextmanager
    def file(self, project: str, deadline: Deadline | None = None) -> Iterator[Path]:
        """Hand out a file."""
        if project == "late":
            raise TimedOut(f"2 of 6 MiB were read in {deadline.left if deadline else 'unlimited'} seconds")
        with super().file(project, deadline) as path:
            yield path


def opened(folder: Path, *projects: str) -> Any:
    """Open these projects, each with a paper of cats."""
    for project in projects:
        collect(folder, project, [own_paper(f"{project}-1", "Cats in graphs", abstract=f"How {project} sees cats.")])
    return ACCESS.open(LateLibraries({"GOLDPAN_LIBRARIES": str(folder)}), HashedEncoder())


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
    fields: dict[str, Any] = {"query": "cats", "k": 1}
    first = ACCESS.respond("/library/chunks", fields, opened(tmp_path, "a", "b"), None, some_seconds())
    assert len(json.loads(first.body)["chunks"]) == 1
    alone: list[tuple[str, dict[str, Any]]] = [("/library/chunks", {})]
    alone += [(path, {"project_id": "late"}) for path in ("/library/search", "/library/chunks")]
    for path, fields in alone:
        with pytest.raises(SourcesFailed, match=r"^library: 2 of 6 MiB were read in 6\.0 seconds"):
            ACCESS.respond(path, {"query": "cats", **fields}, opened(tmp_path, "late"), ["late"], some_seconds())
