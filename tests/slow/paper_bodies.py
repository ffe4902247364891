"""Bodies as the sources of papers could send them: records with all fields that goldpan reads, then broken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from tests.slow.upstream_bodies import TEXTS, broken, written
from tests.support.paper_shapes import (
    Facts,
    arxiv_feed,
    crossref_work,
    europe_pmc_result,
    openalex_work,
    semantic_scholar_paper,
    serpapi_result,
)

Body = Any
PLAIN = TEXTS.map(lambda text: "".join(filter(str.isprintable, text)))
"""What XML can hold; control characters and lone surrogates come into a body when that is broken."""
TITLES = PLAIN | st.sampled_from(["React animation library", "A survey of animation", "<i>React</i> &amp; <b>library"])
FACTS: st.SearchStrategy[Facts] = st.fixed_dictionaries(
    {
        "title": TITLES,
        "authors": st.lists(st.sampled_from(["Ada Lovelace", "Bo", "", "World Health Organization"]), max_size=3),
        "year": st.sampled_from([2021, 1900, None]),
        "venue": PLAIN | st.none(),
        "abstract": PLAIN | st.none(),
        "doi": st.sampled_from(["10.1000/cats.1", "10.1000/a,b", "no doi", "10.48550/arXiv.2101.00001"]),
        "arxiv": st.sampled_from(["2101.00001", "cs/9901001", "none"]),
        "pmid": st.sampled_from(["123", None]),
        "citations": st.sampled_from([0, 7, 2**31]),
        "open_access": st.booleans(),
        "pdf_url": st.sampled_from(["https://example.org/a.pdf", "https://[", None]),
        "type": st.sampled_from(["article", "review", "preprint"]),
    }
)


def _openalex(records: list[Facts]) -> Body:
    works = [openalex_work(facts) | {"title": facts["title"]} for facts in records]
    for work in works:
        work["authorships"] += [{"author": None, "raw_author_name": "Ada"}]
        work["ids"] |= {"pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/45"}
    return {"meta": {"count": len(works)}, "results": works}


def _crossref(records: list[Facts]) -> Body:
    further = {
        "subtitle": ["A part"],
        "short-container-title": ["J. Cats"],
        "published": {"date-parts": [[2021, 1]]},
        "link": [{"URL": "https://example.org/a.pdf", "content-type": "application/pdf"}],
        "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/"}],
        "relation": {"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2101.00001"}]},
        "updated-by": [{"type": "retraction", "DOI": "10.1000/2"}],
        "editor": [{"name": "A group"}],
    }
    items = [crossref_work(facts) | further for facts in records]
    return {"status": "ok", "message": {"total-results": len(items), "items": items}}


def _semantic_scholar(records: list[Facts]) -> Body:
    return {"total": len(records), "offset": 0, "data": [semantic_scholar_paper(facts) for facts in records]}


def _europe_pmc(records: list[Facts]) -> Body:
    further = {
        "pmcid": "PMC45",
        "fullTextUrlList": {
            "fullTextUrl": [{"documentStyle": "pdf", "availabilityCode": "OA", "url": "https://example.org/a.pdf"}]
        },
        "bookOrReportDetails": {"publisher": "Cats"},
    }
    results = [europe_pmc_result(facts) | further for facts in records]
    for result in results:
        result["authorList"]["author"] += [{"collectiveName": "A group"}, {"firstName": "Ada", "lastName": "Cat"}]
    return {"hitCount": len(results), "resultList": {"result": results}}


def _serpapi(records: list[Facts]) -> Body:
    results = [serpapi_result(facts, place) for place, facts in enumerate(records)]
    for result in results:
        result |= {"type": "Pdf", "resources": [{"file_format": "PDF", "link": "https://arxiv.org/pdf/2101.00001"}]}
    return {"search_information": {"total_results": len(results)}, "organic_results": results}


JSON_SHAPES: Mapping[str, Callable[[list[Facts]], Body]] = {
    "openalex": _openalex,
    "crossref": _crossref,
    "semantic_scholar": _semantic_scholar,
    "europe_pmc": _europe_pmc,
    "serpapi": _serpapi,
}


def bodies(source: str) -> st.SearchStrategy[Body]:
    """Make the response of a source to a search: JSON, or the bytes of arXiv's feed."""
    records = st.lists(FACTS, min_size=1, max_size=3)
    return _feeds(records) if source == "arxiv" else broken(records.map(JSON_SHAPES[source]))


def looked_up(body: Body, path: str) -> Body:
    """Return what a look-up gives of it: a work of OpenAlex, a list of Semantic Scholar, else the body itself."""
    name = "results" if "/works/doi:" in path else "data" if path.endswith("/batch") else None
    if name is None or not isinstance(body, dict):
        return body
    listed = body.get(name)
    return listed[0] if name == "results" and isinstance(listed, list) and listed else listed


def as_sent(body: Body) -> bytes:
    """Write a body, unless it is one already."""
    return body if isinstance(body, bytes) else written(body)


@st.composite
def _feeds(draw: st.DrawFn, records: st.SearchStrategy[list[Facts]]) -> bytes:
    """Write a feed, and replace up to two pieces of it: an element, a number, a namespace, a part of a tag."""
    feed = arxiv_feed(draw(records), draw(st.sampled_from([0, 1, 10**9]))).decode()
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        old = draw(st.sampled_from(["</title>", "<summary>", "http://arxiv.org/abs/", "<author>", "published", "Atom"]))
        new = draw(st.sampled_from(["", "<x>", "</entry>", "http://arxiv.org/api/errors#", "9" * 5000, "&e;", "<a/>"]))
        feed = feed.replace(old, new, draw(st.sampled_from([1, -1])))
    return feed.encode()
