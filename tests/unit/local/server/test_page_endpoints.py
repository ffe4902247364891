"""What the page asks of its own server: the beginning, exports, and additions to a library."""

import json
from pathlib import Path
from typing import Any

import pytest
from goldpan.kinds.answer import Answer
from goldpan_local.formats.plain_text import render_csv

from tests.support.factories import NOW
from tests.support.fixed_papers import FULL, LEAST, paper_answer
from tests.support.local import client, problem_of

OWN = {"x-request-id": "page"}


def answer() -> dict[str, Any]:
    """Make the JSON of an answer with two papers."""
    long = {**FULL, "abstract": "x" * 64 * 1024}  # an answer may be larger than a question
    found = paper_answer(long, LEAST, query="Cats =in graphs!", answered_at=NOW, cached=True)
    made: dict[str, Any] = json.loads(found.to_json())
    return made


@pytest.mark.parametrize("name", ["csv", "Markdown", "bibtex", "RIS", "csl-json"])
def test_an_export_is_that_of_the_command(name: str) -> None:
    """In each format, however it is written, with a file name that says what it is."""
    made = client().post("/page/export", params={"format": name}, json=answer()).json()
    assert made["name"].startswith(f"cats-in-graphs-{NOW:%Y-%m-%d}.")
    assert "Attention is not" in made["text"]
    assert "--refresh" not in made["text"]  # an option of the command
    if name == "csv":
        assert made["text"] == render_csv(Answer.model_validate(answer()))


def test_the_files_of_the_page_are_sent_once() -> None:
    """Again only if they have changed; scripts and styles of other addresses are not carried out."""
    first = client().get("/")
    policy = first.headers["content-security-policy"]
    assert [name for name in ("script-src", "style-src", "connect-src") if f"{name} 'self'" not in policy] == []
    assert (first.headers["cache-control"], policy.split(";")[0]) == ("no-cache", "default-src 'none'")
    for known, status in ("{}", 304), ('W/{}, "other"', 304), ('"other"', 200):
        headers = {"if-none-match": known.format(first.headers["etag"])}
        assert client().get("/", headers=headers).status_code == status
    assert client().get("/page/described_kinds.js").text.startswith('export default [{"name": "repositories"')


def test_a_wrong_format_or_answer_is_refused_by_name() -> None:
    """With what is allowed."""
    for name, changes, said in (("docx", {}, "csl-json"), ("csv", {"mode": "high"}, "mode")):
        response = client().post("/page/export", params={"format": name}, json=answer() | changes)
        assert (response.status_code, said in problem_of(response)["detail"]) == (400, True)


def test_papers_are_added_to_a_library_by_the_page_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of another site adds nothing, nor does one without the key of the server."""
    monkeypatch.setenv("GOLDPAN_LIBRARIES", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    http = client(keys="k", cors="https://other.example")
    key = {"x-api-key": "k"}
    foreign = {**key, "sec-fetch-site": "cross-site", "origin": "https://other.example"}

    found = answer()
    first, second = found["papers"]["results"]
    found["papers"] |= {"results": [first], "weaker": [second], "total_weaker": 1}

    def add(headers: dict[str, str]) -> Any:
        return http.post("/page/add", params={"project": "thesis"}, json=found, headers=headers)

    assert [add(headers).status_code for headers in (OWN, foreign)] == [403, 403]
    assert http.post("/page/export", params={"format": "csv"}, json=found, headers=OWN).status_code == 403
    assert [*tmp_path.iterdir()] == []
    said = [add(key).json()["message"] for _ in range(2)]
    assert said == ["thesis: 2 papers added", "thesis: 0 papers added, 2 were there already"]
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.sqlite"]


def test_the_start_says_what_is_configured_and_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by the setting that configures it, never by its value; saved searches with the results of their last run."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("GOLDPAN_LIBRARIES", str(tmp_path))
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_secret")
    monkeypatch.delenv("OPENALEX_API_KEY", raising=False)
    folder = tmp_path / "goldpan/saved"
    folder.mkdir(parents=True)
    request = {"query": "cats", "kinds": ["papers"]}
    (folder / "cats.json").write_text(json.dumps({"saved_at": NOW.isoformat(), "request": request}))
    (folder / "a-damaged.json").write_text("{")  # it costs the others nothing
    runs = [logged(["a", "b"]), logged(["a", "c", "d"]), {"at": NOW.isoformat(), "request": request, "error": "down"}]
    (folder / "cats.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    assert client(keys="k").get("/page/start", headers=OWN).status_code == 403
    response = client(keys="k").get("/page/start", headers={"x-api-key": "k"})
    shown = response.json()
    assert "ghp_secret" not in response.text
    configured = {each["settings"][0]: each["is_configured"] for each in shown["configured"]}
    assert (configured["GITHUB_TOKEN"], configured["OPENALEX_API_KEY"]) == (True, False)
    [saved] = shown["saved"]
    assert (saved["name"], saved["request"], saved["ids"], saved["new"]) == ("cats", request, ["a", "c", "d"], 2)


def logged(ids: list[str]) -> dict[str, Any]:
    """Make the log of a run with these results."""
    results = [{"id": each, "relevance": 0.5, "basis": "rules"} for each in ids]
    section = {"before_deduplication": 9, "after_deduplication": 9, "shortlisted": 9, "results": results}
    return {"at": NOW.isoformat(), "request": {}, "sections": {"papers": section}}
