"""All six sources of papers on a loopback port: documented requests and responses, keys, latency, faults on demand."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import unquote

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response
from tests.support.paper_shapes import (
    Facts,
    arxiv_feed,
    crossref_work,
    europe_pmc_result,
    openalex_work,
    semantic_scholar_paper,
    serpapi_result,
)

SOURCES = ("openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi")
GOOD_KEY = "good-paper-key"
KEYS = {"openalex": "api_key", "serpapi": "api_key", "semantic_scholar": "x-api-key"}
"""Where each source expects its key: a parameter or a header."""
_SYNTAX = re.compile(r"\b(?:AND|OR|NOT|ANDNOT)\b|\b(?:all|ti|abs|au|title|abstract|auth)(?=:)", re.IGNORECASE)
_FROM = re.compile(r"\bfrom[-_a-z]*:(\d{4})|^(\d{4})-")
_TO = re.compile(r"\b(?:to|until)[-_a-z]*:(\d{4})|^\d*-(\d{4})")


def _page(found: Sequence[Facts], request: RecordedRequest, size: str) -> Sequence[Facts]:
    """Return the first page of what was found, of the size that the request names."""
    return found[: int(request.params.get(size, len(found)))]


def _asked(record: dict[str, Any], request: RecordedRequest) -> dict[str, Any]:
    """Return the fields of a record that the request names, as these sources do; Semantic Scholar adds its id."""
    listed = request.params.get("select") or request.params.get("fields") or "title"
    names = {name.partition(".")[0] for name in listed.split(",")} | {"paperId"}
    return {name: value for name, value in record.items() if name in names}


def paper_environment(url: str, key: str | None = GOOD_KEY) -> dict[str, str]:
    """Return the settings with which goldpan calls such a server."""
    addresses = {f"{name.upper()}_URL": f"{url}/{name}" for name in SOURCES}
    return addresses | ({f"{name.upper()}_API_KEY": key for name in KEYS} if key else {})


class LoopbackPapers(LoopbackServer):
    """Serves papers as all six sources do, or as those that a paper names: `{url}/openalex/works`."""

    def __init__(self, papers: Iterable[Facts] = (), *, key: str = GOOD_KEY, latency: float = 0.0) -> None:
        super().__init__(latency=latency)
        self._papers, self._key = list(papers), key
        self.credits = 10_000
        """What remains of OpenAlex's free credits of the day, of which a search costs ten."""

    def environment(self, *, key: str | None = GOOD_KEY) -> dict[str, str]:
        """Return the settings with which goldpan calls this server, by default with all keys."""
        return paper_environment(self.url, key)

    def asked(self, source: str) -> list[RecordedRequest]:
        """List the requests that a source received."""
        return [request for request in self.requests if request.path.startswith(f"/{source}/")]

    def answer(self, request: RecordedRequest) -> Response:
        """Answer without a fault."""
        _, source, path = request.path.split("/", 2)
        place = KEYS.get(source, "")
        sent = request.params.get(place, request.headers.get(place))
        if sent not in {None, self._key}:
            status = 403 if source == "semantic_scholar" else 401
            return Response.of_json(status, {"error": "Invalid API key", "message": f"Invalid API key: {sent}"})
        answer: Callable[[RecordedRequest, str], Response] = getattr(self, f"_{source}")
        return answer(request, path)

    def _openalex(self, request: RecordedRequest, _path: str) -> Response:
        filters, semantic = request.params.get("filter", ""), request.params.get("search.semantic")
        if filters.startswith("doi:"):
            found = self._by_doi("openalex", filters.removeprefix("doi:").split("|"))
        elif semantic:
            found = self._search("openalex_semantic", semantic, filters)
        else:
            found = self._search("openalex", request.params.get("search", ""), filters)
        works = [_asked(openalex_work(facts), request) for facts in _page(found, request, "per_page")]
        body = {"meta": {"count": len(found)}, "results": works}
        self.credits -= 10
        state = {"limit": 10_000, "remaining": self.credits, "reset": 3600}
        return Response.of_json(200, body, {f"x-ratelimit-{name}": str(value) for name, value in state.items()})

    def _crossref(self, request: RecordedRequest, _path: str) -> Response:
        filters = request.params.get("filter", "")
        dois = [part.removeprefix("doi:") for part in filters.split(",") if part.startswith("doi:")]
        text = request.params.get("query.bibliographic", "")
        found = self._by_doi("crossref", dois) if dois else self._search("crossref", text, filters)
        works = [_asked(crossref_work(facts), request) for facts in _page(found, request, "rows")]
        message = {"total-results": len(found), "items": works}
        return Response.of_json(200, {"status": "ok", "message-type": "work-list", "message": message})

    def _semantic_scholar(self, request: RecordedRequest, path: str) -> Response:
        if path == "paper/batch":
            own = self._of("semantic_scholar")
            by_id = {f"{name}:{facts.get(name.lower())}": facts for facts in own for name in ("DOI", "ARXIV")}
            wanted = [by_id.get(name) for name in request.body["ids"]]
            if not any(wanted):
                return Response.of_json(400, {"error": "No valid paper ids given"})
            known = [facts and _asked(semantic_scholar_paper(facts), request) for facts in wanted]
            return Response.of_json(200, known)
        found = self._search("semantic_scholar", request.params["query"], request.params.get("year", ""))
        data = [_asked(semantic_scholar_paper(facts), request) for facts in _page(found, request, "limit")]
        return Response.of_json(200, {"total": len(found), "offset": 0, "data": data})

    def _arxiv(self, request: RecordedRequest, _path: str) -> Response:
        found = [facts for facts in self._search("arxiv", request.params.get("search_query", "")) if facts.get("arxiv")]
        page = _page(found, request, "max_results")
        return Response(200, arxiv_feed(page, len(found)), {"content-type": "application/atom+xml; charset=utf-8"})

    def _europe_pmc(self, request: RecordedRequest, _path: str) -> Response:
        text = request.params.get("query", "")
        dois = re.findall(r'DOI:"?([^\s")]+)', text)
        named = self._by_doi("europe_pmc", dois) if dois else self._search("europe_pmc", text)
        found = [facts for facts in named if facts.get("pmid")]
        page = [*map(europe_pmc_result, _page(found, request, "pageSize"))]
        return Response.of_json(200, {"hitCount": len(found), "resultList": {"result": page}})

    def _serpapi(self, request: RecordedRequest, path: str) -> Response:
        if path == "account.json":
            return Response.of_json(200, {"api_key": request.params["api_key"], "total_searches_left": 5958})
        found = self._search("serpapi", request.params.get("q", ""))
        body: dict[str, Any] = {"search_metadata": {"status": "Success"}}
        if found:
            body["search_information"] = {"total_results": len(found)}
            body["organic_results"] = [
                serpapi_result(facts, place) for place, facts in enumerate(_page(found, request, "num"))
            ]
        else:
            body["error"] = "Google hasn't returned any results for this query."
        return Response.of_json(200, body)

    def _of(self, source: str) -> list[Facts]:
        name = source.removesuffix("_semantic")
        return [facts for facts in self._papers if name in facts.get("sources", SOURCES)]

    def _by_doi(self, source: str, dois: Sequence[str]) -> list[Facts]:
        wanted = {doi.lower() for doi in dois}
        return [facts for facts in self._of(source) if facts.get("doi", "").lower() in wanted]

    def _search(self, source: str, text: str, filters: str = "") -> list[Facts]:
        """Return the papers that have a word of the text, and are of the years of the filters, most words first."""
        words = set(re.findall(r"\w+", _SYNTAX.sub(" ", unquote(text)).lower()))
        years = [pattern.search(filters) for pattern in (_FROM, _TO)]  # as three of the sources write them
        first, last = (int(year[1] or year[2]) if year else limit for year, limit in zip(years, (0, 9999), strict=True))
        votes = [(len(words & _words(facts)), facts) for facts in self._of(source)]
        ranked = sorted((row for row in votes if row[0]), key=lambda row: -row[0])
        return [facts for _, facts in ranked if first <= (facts.get("year") or 0) <= last]


def _words(facts: Facts) -> set[str]:
    text = f"{facts['title']} {facts.get('abstract') or ''} {' '.join(facts.get('authors', ()))}"
    return set(re.findall(r"\w+", text.lower()))
