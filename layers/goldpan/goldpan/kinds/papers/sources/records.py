"""Reads the records of papers one by one, so that one in another form costs nothing else.

The schemas of all sources allow null almost everywhere, also as the member of a list. A null, and a value of another
type than the documented one, is an unknown fact; a record without a title is skipped and counted.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from html import unescape
from typing import Any, TypeVar

from goldpan.counts import counted
from goldpan.engine.payload import truncate_json
from goldpan.errors import Unavailable
from goldpan.identities import arxiv_of_doi, normalise_arxiv, normalise_doi
from goldpan.infra.http import HttpResponse
from goldpan.kinds.papers import models
from goldpan.kinds.papers.constraints import MAX_YEAR, MIN_YEAR
from goldpan.kinds.papers.identifiers import NORMALISERS, normalise_url
from goldpan.kinds.papers.models import PUBLICATION, Paper, PaperIds
from goldpan.kinds.papers.person_names import listed
from goldpan.kinds.papers.sizes import truncate_abstract

MAX_FACT_BYTES, MAX_NOTICES = 100, 5
"""Of a fact of the publication, and the notices of one."""
MAX_READ = 20_000
"""Characters of a text that are read; no abstract is as long."""
_BREAK = re.compile(r"</?(?:\w+:)?(?:p|br|div|title|sec|li|list|list-item|h\d)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_TEX = re.compile(r"<((?:\w+:)?tex-math)(?:\s[^<>]*)?>[^<>]*</\1>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:\w+:[\w-]+|i|b|em|strong|sub|sup|scp|u|sc|tt|span|a|italic|bold|inf|math|m\w+)"
    r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?>",
    re.IGNORECASE,
)
"""Only tags that occur in titles and abstracts: "a <b and c> d" is mathematics."""
_OPENING = re.compile(r"(?:Abstract|ABSTRACT)[\s:.\u2014-]+(?=[A-Z])")
"""How many abstracts begin."""
_RETRACTED = re.compile(r"\W*(?:retracted|withdrawn)(?: (?:article|chapter|paper))?\s*[:)\]]", re.IGNORECASE)
"""How publishers mark a title: "RETRACTED ARTICLE: On cats"."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\ufeff]+")


def one_text(value: object, max_bytes: int) -> str | None:
    """Return a text as one line without markup, truncated as JSON; None if it is none or empty."""
    if not isinstance(value, str):
        return None
    return truncate_json(plain_text(value), max_bytes) or None


def bounded_abstract(text: object) -> str | None:
    """Truncate an abstract, and keep the addresses of repositories of the rest, which often end it."""
    plain = plain_text(text) if isinstance(text, str) else ""
    if opening := _OPENING.match(plain):
        plain = plain[opening.end() :]
    return truncate_abstract(plain, models.MAX_ABSTRACT_BYTES) or None


def plain_text(markup: str) -> str:
    """Return the text of HTML, MathML or JATS, also if it was escaped twice."""
    text = markup[:MAX_READ]
    for _ in range(2):
        if "<" in text:
            text = _TAG.sub("", _BREAK.sub(" ", _TEX.sub("", text)))
        if "&" not in text:
            break
        text = unescape(text)
    else:
        text = _TAG.sub("", _BREAK.sub(" ", text))
    return " ".join(_CONTROL.sub(" ", text).split())


Record = Mapping[str, object]
Member = TypeVar("Member")
MAX_URL = 400
MAX_COUNT = 2**53


def read_records(items: object, read: Callable[[Record], Paper | None], source: str) -> tuple[tuple[Paper, ...], int]:
    """Read the papers of a list, and count the members that are none.

    Raises `Unavailable` if it is no list, or if no member of it can be read.
    """
    if not isinstance(items, list):
        raise Unavailable(f"{source}'s response has no list of papers")
    papers: list[Paper] = []
    for item in items:
        with suppress(TypeError, ValueError, OverflowError):  # it is counted; pydantic's errors are ValueErrors
            if isinstance(item, dict) and (paper := read(item)):
                papers.append(paper)
    unread = len(items) - len(papers)
    if unread and not papers:
        raise Unavailable(f"{source}'s response has {counted(unread, 'records')}, of which none can be read")
    return tuple(papers), unread


def make_paper(source: str, title: object, **facts: object) -> Paper | None:
    """Make a paper of what a source says, each fact by its name, with every text bounded; None without a title."""
    plain = one_text(title, models.MAX_TITLE_BYTES)
    if not plain:
        return None
    known = {name: _READERS[name](value) if name in _READERS else value for name, value in facts.items()}
    known |= {"retracted": True} if _RETRACTED.match(plain) else {}
    return Paper.model_validate({"source": source, "title": plain, **known})


def make_ids(*, arxiv: object = None, pmcid: object = None, **others: object) -> PaperIds:
    """Normalise identifiers; a DOI of arXiv itself also gives the arXiv id.

    `arxiv` may be a list, of which the first arXiv id counts; a `pmcid` may lack its prefix, also in an address.
    """
    number = str(pmcid or "").rstrip("/").rpartition("/")[2]
    written = {**others, "pmcid": f"PMC{number}" if number.isdecimal() else pmcid}
    found = {name: NORMALISERS[name](text) if name in NORMALISERS else text for name, text in written.items()}
    texts = [*(arxiv if isinstance(arxiv, list) else [arxiv]), found.get("doi")]
    named = (normalise_arxiv(text) or arxiv_of_doi(normalise_doi(text)) for text in texts)
    return PaperIds.model_validate({**found, "arxiv": next(filter(None, named), None)})


def read_object(response: HttpResponse, source: str) -> Record:
    """Return the object in a response. Raises `Unavailable` if there is none."""
    body = response.json()
    if not isinstance(body, Mapping):
        raise Unavailable(f"{source}'s response is not an object")
    return body


def at(record: object, *names: str) -> object:
    """Return the value under these names, one within the other; None if there is none."""
    value = record
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def members(value: object, member_type: type[Member]) -> list[Member]:
    """Return the members of a list that have this type; anything else than a list has none."""
    return [item for item in value if isinstance(item, member_type)] if isinstance(value, list | tuple) else []


def read_year(value: object) -> int | None:
    """Read a year as a number, or as the beginning of a date."""
    digits = value[:4] if isinstance(value, str) else str(value) if type(value) is int else ""
    year = int(digits) if digits.isdecimal() and digits.isascii() else 0
    return year if MIN_YEAR <= year <= MAX_YEAR else None


def read_count(value: object) -> int | None:
    """Read a number of citations or results; a bool, which is an int too, is none."""
    return value if type(value) is int and 0 <= value <= MAX_COUNT else None


def read_url(value: object) -> str | None:
    """Read an address of the web; one that is too long to travel is left out."""
    url = value.strip() if isinstance(value, str) and len(value) <= MAX_URL else ""
    return url if normalise_url(url) and url.isprintable() and " " not in url else None


def _read_fact(value: object) -> str | None:
    """Read a fact of the publication: a text or a number, or the first member of a list."""
    first = value[0] if isinstance(value, list) and value else value
    return one_text(str(first) if type(first) is int else first, MAX_FACT_BYTES)


def _read_notices(value: object) -> tuple[str, ...]:
    read = (one_text(each, MAX_FACT_BYTES) for each in members(value, str))
    return tuple(filter(None, read))[:MAX_NOTICES]


def _read_names(value: Iterable[object]) -> tuple[str, ...]:
    read = (one_text(each, models.MAX_AUTHOR_BYTES) for each in value)
    return listed(dict.fromkeys(filter(None, read)), models.MAX_AUTHORS)


_READERS: Mapping[str, Callable[[Any], object]] = {
    **dict.fromkeys(PUBLICATION, _read_fact),
    **dict.fromkeys(("authors", "editors", "organisations"), _read_names),
    "notices": _read_notices,
    "pages": lambda value: re.sub(r"\s*[-\u2013]+\s*", "-", _read_fact(value) or "") or None,
    "year": read_year,
    "venue": lambda value: one_text(value, models.MAX_VENUE_BYTES),
    "abstract": bounded_abstract,
    "snippet": lambda value: one_text(value, models.MAX_ABSTRACT_BYTES),
    "url": read_url,
    "pdf_url": read_url,
    "citations": read_count,
    **dict.fromkeys(("open_access", "retracted"), lambda value: value if isinstance(value, bool) else None),
}
"""By the facts that need reading."""
