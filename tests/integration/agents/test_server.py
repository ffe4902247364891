"""What an agent gets, through the official client, from a server in a process of its own."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import environment, judged, many_repositories
from tests.integration.serve.process import plain_environment
from tests.support.loopback import LoopbackGitHub, LoopbackLLM, sample_repositories

pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is not installed")
QUESTION = "React animation library"


def with_client(use: Callable[[Any], Awaitable[Any]], **environment: str) -> Any:
    """Start the server, connect the client over standard input and output, and use it."""
    from mcp.client.client import Client  # noqa: PLC0415 - optional
    from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: PLC0415

    command = StdioServerParameters(
        command=sys.executable, args=["-m", "goldpan_local", "mcp"], env=plain_environment() | environment
    )

    async def run() -> Any:
        async with Client(stdio_client(command)) as client:
            return await use(client)

    return asyncio.run(asyncio.wait_for(run(), 60))


@pytest.fixture(scope="module")
def github() -> Any:
    """Serve the sample repositories."""
    with LoopbackGitHub(sample_repositories()) as server:
        yield {"GITHUB_API_URL": server.url, "GITHUB_TOKEN": "good-token"}


def test_a_search_comes_in_small_pages_with_progress(github: dict[str, str]) -> None:
    """Each result comes once, in the form of the schema; a wish with the strategies continues the search."""
    reported: list[tuple[float, float | None, str | None]] = []

    async def progress(*event: Any) -> None:
        reported.append(event)

    async def use(client: Any) -> tuple[list[Any], Any, Any]:
        pages, page = [], 1
        while page:
            given = {"query": QUESTION, "page": page}
            called = await client.call_tool("search", given, progress_callback=progress)
            pages.append(called.structured_content)
            page = pages[-1].get("next_page")
        wish = {"feedback": ["not motion-kit"], "previous_strategies": pages[0]["strategies"]}
        further = (await client.call_tool("search", {"query": QUESTION, **wish})).structured_content
        return pages, (await client.list_tools()).tools, further

    pages, tools, further = with_client(use, **github)
    found = [result["id"] for page in pages for result in page["results"]]
    assert len(pages[0]["results"]) == 5
    assert len(found) == len(set(found)) == pages[0]["total"]
    assert [(done, steps) for done, steps, _ in reported[:6]] == [(done, 6) for done in range(1, 7)]
    assert (further["understood"][0], len(further["strategies"])) == ("wish: not motion-kit", 2)
    assert further["total"] == pages[0]["total"] - 1
    assert (reported[0][2], reported[5][2]) == ("Query translated", "Answered")
    described = {tool.name: tool for tool in tools}
    assert {"results", "next_page", "failed_sources"} <= {*described["search"].output_schema["properties"]}
    offered = described["search"].input_schema["properties"]
    assert offered["preference"]["enum"] == ["balanced", "influential", "recent"]
    stars = {"type": "integer", "description": "repositories: At least this number of stars"}
    assert offered["filters"]["properties"]["min_stars"] == stars
    assert all(tool.annotations.read_only_hint for tool in tools)


def test_an_error_says_what_to_do(github: dict[str, str]) -> None:
    """In goldpan's words, with the field and what is allowed; the prompt that clients offer has the user's question."""

    async def use(client: Any) -> list[tuple[bool, str]]:
        prompt = await client.get_prompt("goldpan", {"question": "a JSON parser"})
        assert "a JSON parser" in prompt.messages[0].content.text
        asked = {"query": QUESTION}
        bad = [{}, {"query": ""}, asked | {"mode": "deep"}, asked | {"page": 99}, asked | {"page": "two"}]
        bad += [asked | {"kind": ["papers"]}, asked | {"kinds": ["papers"], "preference": "new"}]
        called = [await client.call_tool("search", given) for given in bad]
        return [(each.is_error, each.content[0].text) for each in called]

    for (failed, text), field in zip(
        with_client(use, **github), ("query", "query", "mode", "page", "page", "kind", "preference"), strict=True
    ):
        assert failed
        assert f"{field}: " in text
        assert "pydantic" not in text
        assert text.endswith("Correct the named argument and call again.")


def test_the_library_of_the_user_is_searched_and_cited(tmp_path: Path) -> None:
    """Papers come with excerpts, passages with citations, and BibTeX for a bibliography; what is missing is named."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "pans.md").write_text("# Gold pans\n\nA gold pan separates heavy grains from sand in running water.\n")
    for number in range(30):
        (notes / f"{number}.md").write_text(f"# Sieve {number}\n\nA sieve of {number} holes.\n")
    environment = plain_environment() | {"GOLDPAN_LIBRARIES": str(tmp_path / "libraries")}
    command = [sys.executable, "-m", "goldpan_local", "library", "import", str(notes), "--project", "thesis"]
    subprocess.run(command, env=environment, check=True, capture_output=True)

    async def use(client: Any) -> list[Any]:
        asked = {"query": "separate grains from sand", "project_id": "thesis"}
        cited = {"query": "gold pans", "project_id": "thesis", "kinds": ["papers"], "format": "bibtex"}
        called = [
            await client.call_tool("search_library", asked),
            await client.call_tool("retrieve_chunks", asked),
            await client.call_tool("search_library", asked | {"project_id": "other"}),
            await client.call_tool("list_libraries", {}),
            await client.call_tool("search", cited),
            await client.call_tool("search_library", asked | {"query": "sieve", "page": 6}),
        ]
        return [each.content[0].text if each.is_error else each.structured_content for each in called]

    papers, passages, missing, listed, exported, last = with_client(
        use, GOLDPAN_LIBRARIES=environment["GOLDPAN_LIBRARIES"]
    )
    assert [row["title"] for row in papers["results"]] == ["Gold pans"]
    assert "**sand**" in papers["results"][0]["quoted"]
    assert "Gold pans" in passages["passages"][0]["citation"]
    assert "heavy grains" in passages["passages"][0]["quoted"]
    assert "thesis" in missing
    assert listed == {"libraries": ["thesis"]}
    assert (exported["results"], exported["total"]) == ([], 1)
    assert (len(last["results"]), last["total"], "next_page" in last) == (5, 30, False)
    assert "title = {Gold pans}" in exported["exported"]


def test_repositories_are_analyzed_and_compared_and_others_like_them_found(github: dict[str, str]) -> None:
    """Statements have evidence; what does not exist, or was not looked at, is named; what is liked is no result."""
    known, other = "example-org/motion-kit", "example-org/spring-ui"
    calls = {
        "analyze_repository": {"repo": known, "query": QUESTION},
        "compare_repositories": {"repos": [known, other, "no/such"], "query": QUESTION},
        "like_repository": {"repo": known},
    }

    async def use(client: Any) -> list[Any]:
        return [(await client.call_tool(tool, given)).structured_content for tool, given in calls.items()]

    analyzed, compared, liked = with_client(use, **github, OSV_URL="http://127.0.0.1:9")
    assert analyzed["scores_of_10"]["maturity"] > 0
    assert all(each["evidence_url"].startswith("https://") for each in analyzed["statements"])
    assert any(each.startswith("osv") for each in analyzed["not_looked_at"])
    assert {each["id"] for each in compared["results"]} == {known, other}
    assert any("no/such" in note for note in compared["notes"])
    assert liked["results"]
    assert known not in {each["id"] for each in liked["results"]}


def message(method: str, **fields: Any) -> bytes:
    """Write a message of the protocol."""
    return json.dumps({"jsonrpc": "2.0", "method": method, **fields}).encode() + b"\n"


@contextmanager
def called_server(**settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start the server, and call its search; what follows is up to the test, which closes stdin at the end."""
    command, pipe = [sys.executable, "-m", "goldpan_local", "mcp"], subprocess.PIPE
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    search = {"name": "search", "arguments": {"query": QUESTION}}
    with subprocess.Popen(
        command, env=plain_environment() | settings, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0
    ) as process:
        process.stdin.write(message("initialize", id=1, params=client))
        process.stdout.readline()
        process.stdin.write(message("notifications/initialized") + message("tools/call", id=2, params=search))
        yield process
        process.stdin.close()
        assert (process.wait(30), process.stderr.read()) == (0, b"")


def test_a_cancelled_call_asks_the_model_no_more() -> None:
    """The calls that have begun are the last ones."""
    with (
        LoopbackGitHub(many_repositories()) as github,
        LoopbackLLM(judged, latency=0.5) as llm,
        called_server(**environment(github, llm)) as process,
    ):
        until = time.monotonic() + 30
        while len(llm.requests) < 3 and time.monotonic() < until:
            time.sleep(0.02)
        process.stdin.write(message("notifications/cancelled", params={"requestId": 2}))
        time.sleep(2)
        assert 3 <= len(llm.requests) <= 12


def test_a_client_that_ends_is_no_error(github: dict[str, str]) -> None:
    """The server ends with code 0 and says nothing, though its answers have no reader any more."""
    with called_server(**github) as process:
        process.stdout.close()
