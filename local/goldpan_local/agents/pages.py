"""What the tools return: small pages, because each word costs an agent tokens.

Text written by third parties, such as a description or an abstract, is only in fields that `server.py` calls data:
a client can distinguish it from what goldpan says. It has no invisible characters, which could hide an instruction from
the user.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from itertools import zip_longest
from typing import TypeVar

from goldpan.contracts import FAILED_STATUSES, SearchRequest, SourceStatus
from goldpan.counts import counted
from goldpan.engine.presentation import AnyAttribute, AnyPresentation, RankedResult, Value
from goldpan.errors import InvalidRequest
from goldpan.escaping import plain, web_address
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.requests import ChunksAnswer
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.known import Known
from goldpan.local.search_result import SearchResult

from goldpan_local.presentations import NOTHING_FITS, export_formats, presentation, result_address, shown_results

PAGE, MAX_QUOTED = 5, 400
"""Results of a page; characters of a quoted text."""
MAX_NAMES, MAX_NAME = 5, 100
"""Names of a list; characters of a name."""


def quote(text: str | None, limit: int = MAX_QUOTED) -> str | None:
    """Return the beginning of an untrusted text: one line, without invisible characters."""
    shown = plain(text)
    return (shown if len(shown) <= limit else shown[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}") or None


def visible_lines(text: str) -> str:
    """Return an untrusted text with its lines, without invisible characters."""
    return "\n".join(map(plain, text.splitlines()))


Row = TypeVar("Row")
Page = dict[str, object]
"""What a tool returns as structure; what is unknown is left out."""


def known_fields(**fields: object) -> Page:
    """Return the fields that are known."""
    return {name: value for name, value in fields.items() if value is not None}


def cut_page(rows: Sequence[Row], page: int) -> tuple[tuple[Row, ...], int | None]:
    """Return the rows of a page, and the number of the next one. Raises `InvalidRequest` for a page without rows."""
    last = max(1, -(-len(rows) // PAGE))
    if not 1 <= page <= last:
        raise InvalidRequest(f"page: allowed are 1 to {last} (given {page})")
    return tuple(rows[(page - 1) * PAGE : page * PAGE]), page + 1 if page < last else None


def parse_export(name: str | None, request: SearchRequest) -> SearchRequest:
    """Return a request that can be exported to a format. Raises `InvalidRequest`."""
    formats = export_formats()
    if name is not None and name not in formats:
        raise InvalidRequest(f"format: allowed are {', '.join(formats)} (given {name!r})")
    kind = None if name is None else formats[name][0]
    if kind is not None and request.kinds != (kind,):
        raise InvalidRequest(f"format: {name} needs kinds to be {kind} alone (given {', '.join(request.kinds)})")
    return request


def search_page(answer: Answer, page: int, export: str | None = None) -> Page:
    """Cut a page from an answer, the kinds interleaved, or its export to a format. Raises `InvalidRequest`."""
    listed = [
        [(presentation(name), result) for result in shown_results(section)] for name, section in answer.sections.items()
    ]
    merged = [each for row in zip_longest(*listed) for each in row if each is not None]
    cut, following = cut_page(merged, page)
    exported = export and export_formats()[export][1].render([result for _, result in cut])
    nearest = (NOTHING_FITS,) if any(section.nothing_fits for section in answer.sections.values()) else ()
    return known_fields(
        query=answer.query,
        understood=[f"{each.kind}: {each.text}" for each in answer.interpretation],
        results=[] if export else [result_row(*each) for each in cut],
        exported=exported and visible_lines(exported),
        total=len(merged),
        weaker=_weaker(answer),
        next_page=following,
        failed_sources=failed_sources(answer.sources, FAILED_STATUSES - {"skipped"}),
        notes=[*nearest, *answer.warnings, *(f"{each.stage}: {each.error}" for each in answer.errors)],
        strategies=[one for section in answer.sections.values() for one in section.strategies],
    )


def brief(page: Page) -> str:
    """Return the line for clients that read no structure: the addresses of the results, without texts of others."""
    rows = page.get("results")
    addresses = [str(each["url"]) for each in rows if "url" in each] if isinstance(rows, list) else []
    return " ".join(("The structured content has the result.", *addresses))


def known_so_far(known: Known | None) -> str:
    """List what a search that failed had found, by addresses alone: titles are words of others."""
    found = [each for previews in known.candidates.values() for each in previews] if known else []
    addresses = [address for each in found if (address := web_address(each.url))]
    return f" Found before it failed, in no order: {' '.join(addresses)}" if addresses else ""


def _weaker(answer: Answer) -> str | None:
    """Count the weaker matches and name the first of each kind; None if there are only results."""
    below = {name: section.weaker for name, section in answer.sections.items() if section.results and section.weaker}
    names = [
        quote(_text(presentation(name).title, one), MAX_NAME)
        for name, found in below.items()
        for one in found[:MAX_NAMES]
    ]
    count = sum(section.total_weaker for name, section in answer.sections.items() if name in below)
    return f"{counted(count, 'weaker matches')}: {', '.join(filter(None, names))}" if count else None


def failed_sources(rows: Iterable[SourceStatus], statuses: Collection[str]) -> list[str]:
    """Name the sources with one of these statuses, each once, with the reason."""
    failed = (f"{row.source}: {row.status} ({row.detail})" for row in rows if row.status in statuses)
    return list(dict.fromkeys(failed))


def result_row(shown: AnyPresentation, result: RankedResult) -> Page:
    """Reduce a result to what an agent can use."""
    listed = [each for each in (*shown.columns, *shown.facts) if each.format != "share" and not each.free_text]
    named = {f"{each.name}_of_10" if each.format == "score" else each.name: each for each in listed}
    facts = {name: fact for name, each in named.items() if (fact := _fact(each, each.read(result))) not in (None, [])}
    return known_fields(
        kind=shown.singular,
        id=_text(shown.identity, result) or "",
        title=quote(_text(shown.title, result)) or "",
        url=result_address(shown, result),
        relevance=result.relevance,
        why=result.reasoning,
        caveats=list(shown.caveats(result)),
        facts=facts,
        quoted=quote(_text(shown.text or shown.description, result)),
    )


def _text(attribute: AnyAttribute | None, result: object) -> str | None:
    value = None if attribute is None else attribute.read(result)
    return None if value is None else str(value)


def _fact(attribute: AnyAttribute, value: Value) -> object:
    """Return a fact as a JSON value; a text is a short one, and an address one of the web."""
    match value:
        case tuple():
            return list(filter(None, (quote(name, MAX_NAME) for name in value[:MAX_NAMES])))
        case str() if attribute.format == "address":
            return web_address(value)
        case str():
            return quote(value, MAX_NAME)
        case date():
            return value.isoformat()
    return value


def analysis_page(analysis: Analysis) -> Page:
    """Reduce an analysis to what an agent can use."""
    statements = [
        {"dimension": each.dimension, "statement": quote(each.statement), "evidence_url": each.evidence_url}
        for each in analysis.statements
    ]
    return known_fields(
        repo=analysis.repo,
        url=analysis.url,
        relevance=analysis.relevance,
        why=analysis.reasoning,
        scores_of_10=analysis.scores.model_dump(exclude_none=True),
        statements=statements,
        caveats=list(analysis.caveats),
        not_looked_at=failed_sources(analysis.sources, FAILED_STATUSES),
        quoted=quote(analysis.description),
    )


def library_page(result: SearchResult, page: int) -> Page:
    """Cut a page from what was found, with an excerpt of each; the matched words stand between `**`."""
    shown = presentation(KIND)
    rows = [{**result_row(shown, paper), "quoted": quote(paper.excerpt)} for paper in result.results]
    cut, following = cut_page(rows, page)
    total, notes = result.sources[0].available, list(result.warnings)
    return known_fields(query=result.query, results=list(cut), total=total, next_page=following, notes=notes)


def passage_page(answer: ChunksAnswer) -> Page:
    """Rename the texts of passages, so that they are known as quoted; they keep their lines."""
    passages = [
        {
            **chunk.model_dump(mode="json", exclude={"text"}),
            "citation": quote(chunk.citation),
            "quoted": visible_lines(chunk.text),
        }
        for chunk in answer.chunks
    ]
    return {"passages": passages, "notes": list(answer.notes)}
