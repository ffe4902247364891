"""The paths of the library on the server: the papers and passages of a project, and the problems of a request."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Runtime
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.bootstrap import open_answers, open_runtime
from goldpan_local.server.app import make_app
from goldpan_local.server.searches import Searches
from starlette.testclient import TestClient

from tests.contract.openapi.contract import as_written
from tests.support.local import client, github_runtime, problem_of
from tests.support.loopback.llm import HashedEncoder
from tests.support.paper_fakes import collect, open_libraries, own_paper

ENCODER = HashedEncoder(synonyms={"felines": "cats"})
CATS = own_paper("cat-1", "Cats in graphs", abstract="Why cats walk on graphs.", tags=("read",))
DOGS = own_paper("dog-1", "Dogs in trees", abstract="Why dogs climb no trees.", year=1999)


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    """Make a runtime with one project, whose papers have vectors, and one whose file is damaged."""
    with LibraryWriter.open(collect(tmp_path, "thesis", [CATS, DOGS])) as writer:
        encode_library(writer, ENCODER)
    (tmp_path / "broken.sqlite").write_bytes(b"no database" * 100)
    made = github_runtime()
    return replace(made, dependencies=replace(made.dependencies, libraries=open_libraries(tmp_path, ENCODER)))


def test_the_papers_of_a_project_are_searched_by_words_and_meaning(runtime: Runtime) -> None:
    """Best first, with the excerpt, and the encoder that took part; the answer keeps the contract."""
    body = {"query": "felines on graphs", "project_id": "thesis", "limit": 1, "filters": {"year_from": 2000}}
    response = client(runtime).post("/library/search", json=body)
    assert response.status_code == 200, response.text
    found = response.json()
    as_written("LibraryAnswer").validate(found)
    assert [row["id"] for row in found["results"]] == ["cat-1"]
    assert (found["query"], found["encoder"]) == ("felines on graphs", "hashed")
    assert "**graphs**" in found["results"][0]["excerpt"]
    assert found["results"][0]["tags"] == ["read"]


@pytest.mark.parametrize("path", ["search", "chunks"])
def test_an_endpoint_for_embeddings_is_asked_within_the_limit_of_a_response(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """One that hangs would else hold the request, for each project anew, until the response is a failure."""
    seconds = list[float]()

    def within(deadline: Deadline) -> HashedEncoder:
        seconds.append(deadline.left)
        return ENCODER

    monkeypatch.setattr(ENCODER, "within", within, raising=False)
    body = {"query": "felines on graphs", "project_id": "thesis"}
    assert client(runtime).post(f"/library/{path}", json=body).status_code == 200
    assert [20 < each <= 25 for each in seconds] == [True]


def test_passages_of_all_projects_leave_out_what_cannot_be_read(runtime: Runtime) -> None:
    """A passage names its project and document, and its place there; the damaged project is noted."""
    response = client(runtime).post("/library/chunks", json={"query": "why cats walk", "k": 1})
    assert response.status_code == 200, response.text
    as_written("ChunksAnswer").validate(response.json())
    (chunk,) = response.json()["chunks"]
    assert (chunk["project"], chunk["document"]) == ("thesis", "cat-1")
    assert "Why cats walk on graphs." in chunk["text"]
    (note,) = response.json()["notes"]
    assert note.startswith("broken was left out: ")
    start = client(runtime).get("/page/start", headers={"x-request-id": "page"})
    assert start.json()["projects"] == ["broken", "thesis"]


@pytest.mark.parametrize(
    ("path", "body", "status", "detail"),
    [
        ("search", {"query": "x", "project_id": "other"}, 404, "there is no project other (there are broken, thesis)"),
        ("search", {"query": "x"}, 400, "project_id: is required"),
        ("search", {"query": "x", "project_id": "a", "limit": "5"}, 400, "limit: must be a whole number (given '5')"),
        ("chunks", {"query": "x", "k": 51}, 400, "k: must be at most 50 (given 51)"),
        ("search", {"query": "x", "project_id": "broken"}, 500, "broken.sqlite"),
    ],
)
def test_a_wrong_request_is_a_problem(
    runtime: Runtime, path: str, body: dict[str, Any], status: int, detail: str
) -> None:
    """The detail names the field, the value and what is allowed."""
    response = client(runtime).post(f"/library/{path}", json=body)
    assert response.status_code == status
    assert detail in problem_of(response)["detail"]


def test_a_search_after_an_import_is_not_answered_from_the_cache(tmp_path: Path) -> None:
    """The same body, which the server has parsed before, has another key after it."""
    file = {"GOLDPAN_CACHE": str(tmp_path / "cache.sqlite"), "GOLDPAN_LIBRARIES": str(tmp_path)}
    collect(tmp_path, "thesis", [CATS])
    body = {"query": "cats in graphs", "kinds": ["papers"], "project_id": "thesis", "library_only": True}
    with open_runtime(file, ["library"]) as runtime:
        http = TestClient(make_app(Searches(runtime, 1, open_answers(file)), None))
        answers = [http.post("/search", json=body).json() for _ in range(2)]
        collect(tmp_path, "thesis", [own_paper("new", "Cats in graphs, at last")])
        answers.append(http.post("/search", json=body).json())
    assert [answer["cached"] for answer in answers] == [False, True, False]
    assert [paper["id"] for paper in answers[2]["papers"]["results"]] == ["library:thesis/new"]
