"""What an agent reads: short definitions of the tools, each result on one page, and what is missing by name."""

import asyncio
import json
from typing import Any

import pytest
from goldpan.errors import InvalidRequest
from goldpan.kinds.answer import Answer
from goldpan.known import Known, Preview
from goldpan_local.agents.pages import known_so_far, parse_export, search_page

from tests.support.factories import request
from tests.support.fixed_papers import FULL, paper_answer
from tests.support.local import ANSWER, answer, github_runtime

MAX_TOKENS = 1800


def shown(found: Answer, number: int = 1) -> dict[str, Any]:
    """Return a page as an agent gets it."""
    return search_page(found, number)


def pages(found: Answer) -> list[list[str]]:
    """List the ids of each page, following `next_page`."""
    listed, number = [], 1
    while number:
        page = shown(found, number)
        listed.append([each["id"] for each in page["results"]])
        number = page.get("next_page", 0)
    return listed


def papers(count: int) -> list[dict[str, object]]:
    """Make a number of papers."""
    return [{**FULL, "id": f"paper {number}"} for number in range(count)]


@pytest.mark.parametrize(("count", "sizes"), [(5, [5]), (6, [5, 1]), (10, [5, 5])])
def test_the_last_page_is_the_last_with_results(count: int, sizes: list[int]) -> None:
    """Also after as many results as fill their pages; asking for another page is an error."""
    found = pages(paper_answer(*papers(count)))
    assert [len(page) for page in found] == sizes
    assert [each for page in found for each in page] == [f"paper {number}" for number in range(count)]
    for wrong in (0, len(sizes) + 1):
        with pytest.raises(InvalidRequest, match=rf"page: allowed are 1 to {len(sizes)} \(given {wrong}\)"):
            shown(paper_answer(*papers(count)), wrong)
    assert shown(answer(repositories={**ANSWER["repositories"], "results": []}))["results"] == []


def test_what_was_known_is_addresses_alone() -> None:
    """A title is a text of others, and an address that no browser may open is left out."""
    found = (Preview(title="Ignore all", url="https://a.example/1"), Preview(title="x", url="javascript:alert(1)"))
    said = known_so_far(Known(candidates={"papers": found}))
    assert said == " Found before it failed, in no order: https://a.example/1"
    assert (known_so_far(None), known_so_far(Known())) == ("", "")


def test_both_kinds_alternate_and_the_longer_one_goes_on() -> None:
    """No result is lost because the other kind has fewer; each has the title that its kind shows."""
    both = paper_answer(*papers(4), repositories=True)
    assert [each["title"] for each in shown(both)["results"]][:2] == ["motion/react-motion", FULL["title"]]
    found = pages(both)
    assert found == [["motion/react-motion", "paper 0", "glide/glide", "paper 1", "paper 2"], ["paper 3"]]


def test_a_row_has_the_facts_of_a_result() -> None:
    """Scores by their scale, no share, what is known alone; a quote and lists are short."""
    first, second = shown(answer())["results"]
    scores = {"maturity": 9.8, "activity": 3.1, "documentation": 7.0, "community": 6.5, "ease_of_use": 6.0}
    assert first["facts"] == {
        "stars": 21456, "language": "TypeScript", "overall_of_10": 7.4, "maintenance_of_10": 4.2,
        **{f"{name}_of_10": value for name, value in scores.items()},
    }  # fmt: skip
    assert (first["quoted"], first["caveats"]) == ("Springs for *React*.", ["No push for 11 months."])
    assert (second["facts"], "url" in second) == ({}, False)
    many = {"authors": [f"Author {number} {'x' * 120}" for number in range(9)], "abstract": f"a\u200bb\n{'x' * 500}"}
    row = shown(paper_answer(FULL | many))["results"][0]
    assert (len(row["quoted"]), row["quoted"][-1]) == (400, "…")
    assert row["quoted"].startswith("ab x")
    assert [len(name) for name in row["facts"]["authors"]] == [100] * 5
    homepages = [
        {**ANSWER["repositories"]["results"][0], "homepage": url} for url in ("https://a.example", "javascript:x")
    ]
    rows = shown(answer(repositories={**ANSWER["repositories"], "results": homepages}))["results"]
    assert [row["facts"].get("homepage") for row in rows] == ["https://a.example", None]


def test_what_is_weaker_or_went_wrong_is_a_line() -> None:
    """Weaker matches are named below the others alone; notes have what failed, and a source without its key has not."""
    first, second = ANSWER["repositories"]["results"]
    below = answer(repositories={**ANSWER["repositories"], "results": [first], "weaker": [second]})
    assert shown(below)["weaker"] == "1 weaker match: glide/glide"
    assert shown(below)["notes"] == ["One strategy failed.", "scout: expanded failed"]
    alone = shown(answer(repositories={**ANSWER["repositories"], "results": [], "weaker": [second]}))
    assert ("weaker" in alone, [each["id"] for each in alone["results"]]) == (False, ["glide/glide"])
    skipped = {"kind": "papers", "strategy": "serpapi", "source": "serpapi", "status": "skipped", "detail": "no key"}
    page = shown(answer(sources=[*ANSWER["sources"], skipped]))
    assert page["failed_sources"] == ["github: rate_limited (no searches left)"]


def test_an_export_is_of_the_kind_that_has_it() -> None:
    """What is not, or is for another kind, names what is allowed; without one, any request is."""
    papers_alone, both = (request(kinds=kinds) for kinds in (["papers"], ["papers", "repositories"]))
    assert (parse_export("ris", papers_alone), parse_export(None, both)) == (papers_alone, both)
    for name, asked, said in (
        ("docx", papers_alone, r"format: allowed are bibtex, ris, csl-json \(given 'docx'\)"),
        ("ris", both, r"format: ris needs kinds to be papers alone \(given papers, repositories\)"),
    ):
        with pytest.raises(InvalidRequest, match=said):
            parse_export(name, asked)


@pytest.mark.filterwarnings("ignore:open_binary is deprecated")
def test_the_definitions_of_all_tools_are_short() -> None:
    """With the schemas of their outputs, in the tokens of o200k_base, as JSON without spaces, which is sent."""
    pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is not installed")
    encoding = pytest.importorskip("bpe_openai").get_encoding("o200k_base")
    from goldpan_local.agents.server import make_server  # noqa: PLC0415 - optional

    tools = asyncio.run(make_server(github_runtime()).list_tools())
    definitions = [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in tools]
    assert len(encoding.encode(json.dumps(definitions, separators=(",", ":")))) <= MAX_TOKENS
    [exclude] = [each["inputSchema"]["properties"]["filters"]["properties"]["exclude"] for each in definitions[:1]]
    assert exclude == {"type": "array", "items": {"type": "string"}, "description": "Nothing that is this"}
