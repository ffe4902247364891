"""arXiv as a source of papers, over its API: https://info.arxiv.org/help/api/user-manual.html.

One request in 3 s is allowed over all callers (https://info.arxiv.org/help/api/tou.html). Answers are feeds in Atom
(section 3.3 of the manual). They are parsed with defusedxml, which refuses the declarations that entities are made of,
and into no more elements than a page of results can have.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from xml.etree.ElementTree import Element, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Refused, Unavailable
from goldpan.identities import arxiv_of_doi, normalise_arxiv, normalise_doi
from goldpan.infra.redaction import one_line
from goldpan.infra.response_times import read_digits
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.sources.api import ApiSource
from goldpan.kinds.papers.sources.queries import Asked, any_of, in_field, wording, write_query
from goldpan.kinds.papers.sources.records import Record, make_ids, make_paper, members

ATOM, ARXIV = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"
TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
MAX_ELEMENTS = 200_000
"""As many as 100 papers of 1,000 authors each have."""
_ERROR_ID = "/api/errors"
_WITHDRAWN = re.compile(
    r"\b(?:paper|article|submission|manuscript|preprint|work) (?:has been|is|was) (?:temporarily )?withdrawn\b"
    r"|^withdrawn\b",
    re.IGNORECASE,
)
_AFTER_VENUE = re.compile(r"\s*[,;:(@]|\s*\b(?:vol|volume|no|pp|pages)\b|[.'\u2019]?\s*\d", re.IGNORECASE)
"""Begins the volume, the pages or the year of a journal reference, such as `Phys.Rev. D76 (2007) 013009`."""
_BEGIN_OF_VENUE = re.compile(r"^in(?::\s*|\s+(?=proc))", re.IGNORECASE)
_OPEN_END = (" the", " of", " on", " in", " and", " for")
"""A name that ends in one of these goes on after the number: `Proceedings of the 31st Conference`."""
MIN_VENUE_LETTERS = 5


class _BoundedBuilder(TreeBuilder):
    """Refuses more elements than a feed can have."""

    elements = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise ValueError(f"more than {MAX_ELEMENTS} elements")
        return super().start(tag, attrs)


def read_feed(body: bytes) -> tuple[list[Record], int]:
    """Parse a feed into the entries of its page, and how many results there are.

    Raises `Unavailable` if it is none, and `Refused` if it reports an error.
    """
    parser = DefusedXMLParser(target=_BoundedBuilder(), forbid_dtd=True)
    try:
        parser.feed(body)
        root: Element = parser.close()
    except DefusedXmlException as error:
        raise Unavailable("arXiv's response declares entities, which no feed does") from error
    except (ParseError, ValueError, LookupError) as error:  # of the form, of the bounds, of the encoding
        raise Unavailable(f"arXiv's response is not a feed that can be read: {one_line(str(error))}") from error
    if root.tag != f"{ATOM}feed":
        raise Unavailable("arXiv's response is not a feed")
    entries: list[Record] = []
    for entry in root.iterfind(f"{ATOM}entry"):
        texts = {name: entry.findtext(f"{ATOM}{name}") for name in ("id", "title", "summary", "published")}
        if _ERROR_ID in str(texts["id"]):
            raise Refused(f"arXiv refused the query ({one_line(texts['summary'])})")
        texts |= {name: entry.findtext(f"{ARXIV}{name}") for name in ("doi", "journal_ref", "comment")}
        entries.append({**texts, "authors": [name.text for name in entry.iterfind(f"{ATOM}author/{ATOM}name")]})
    total = (root.findtext(TOTAL) or "").strip()
    return entries, read_digits(total) if total.isdecimal() else len(entries)


def read_entry(entry: Record) -> Paper | None:
    """Read a paper; None without a title or an arXiv id.

    A paper with the DOI or the reference of a journal was published there too, and whether that was an article or a
    conference paper is not known.
    """
    arxiv = normalise_arxiv(entry["id"])
    if arxiv is None:
        return None
    doi = next(filter(None, map(normalise_doi, str(entry["doi"] or "").split())), None)
    return make_paper(
        "arxiv",
        entry["title"],
        authors=members(entry["authors"], str),
        year=entry["published"],
        venue=_venue(entry["journal_ref"]),
        abstract=entry["summary"],
        url=f"https://arxiv.org/abs/{arxiv}",
        pdf_url=f"https://arxiv.org/pdf/{arxiv}",
        ids=make_ids(doi=doi, arxiv=arxiv),
        type=None if doi or entry["journal_ref"] else "preprint",
        open_access=True,
        retracted=True if _WITHDRAWN.search(f"{entry['comment'] or ''}\n{entry['summary'] or ''}") else None,
    )


def _venue(reference: object) -> str | None:
    """Return the name of the journal or the conference that begins a reference; the whole where none does."""
    line = _BEGIN_OF_VENUE.sub("", " ".join(str(reference or "").split()))
    name = _AFTER_VENUE.split(line, maxsplit=1)[0].strip()
    is_whole = sum(map(str.isalpha, name)) >= MIN_VENUE_LETTERS and not name.lower().endswith(_OPEN_END)
    return name if is_whole else line or None


LONGEST_QUERY = 1500
"""Characters. arXiv documents no limit; encoded, these are within the 8,000 bytes of RFC 9110, section 4.1."""
FIRST_YEAR, LAST_YEAR = 1986, 2999
"""The year of arXiv's oldest papers, and one after all of them."""
OPERATORS = frozenset({"and", "or", "not", "andnot"})
"""arXiv reads its operators in quotes too, and it finds nothing by these words anyway."""
REVIEW_WORDS = ("survey", "review", "overview")


class ArXiv(ApiSource):
    """arXiv as a source of papers."""

    name = "arxiv"
    max_in_flight = 1
    read = staticmethod(read_entry)

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints) -> Asked:
        """Write a query; a phrase matches where its words are, stemmed and in any order."""
        asked = write_query(query, constraints, "arxiv", LONGEST_QUERY, partial(_field, "all"), _filters(constraints))
        excluded = [_field("ti", term) for term in constraints.excluded_terms] if asked.text else []
        return replace(asked, text=" ANDNOT ".join([asked.text, *filter(None, excluded)]))

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Ask for arXiv's own papers by their ids; it knows no other DOI."""
        ids = list(filter(None, map(arxiv_of_doi, dois)))
        return Asked(f"{len(ids)} ids" if ids else "", {"id_list": ",".join(ids), "max_results": str(len(ids))})

    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Fetch the first page; an empty one although there are results is a fault of arXiv, which is asked again.

        Of a look-up arXiv also counts the ids that it does not know.
        """
        search = {"search_query": asked.text, "start": "0", "max_results": str(rows)}
        params = asked.params or {**search, "sortBy": "relevance", "sortOrder": "descending"}
        for _ in range(2):
            response = self.send("/query", params, deadline)
            with CPU_LOCK:
                entries, total = read_feed(response.body)
            total = len(entries) if asked.params else total
            if entries or not total:
                break
        return entries, total


def _filters(constraints: Constraints) -> Iterator[str]:
    """Write the constraints that arXiv knows; it has no types, but a survey says in its title that it is one."""
    first, last = constraints.year_from, constraints.year_to
    if first or last:
        last = last or LAST_YEAR
        yield f"submittedDate:[{first or min(FIRST_YEAR, last)}01010000 TO {last}12312359]"
    for author in constraints.authors:
        parts = wording(author).split()
        whole = [part for part in parts if len(part) > 1]  # a name may be written in full
        yield from filter(None, [_field("au", " ".join(whole or parts))])
    venues = () if "arXiv" in constraints.venues else constraints.venues  # where all of its papers are
    yield from any_of([_field(name, venue) for venue in venues for name in ("jr", "co")])
    if constraints.types == ("review",):
        yield from any_of([in_field("ti", word) for word in REVIEW_WORDS])


def _field(name: str, text: str) -> str:
    kept = [word for word in wording(text).split() if word not in OPERATORS]
    return in_field(name, " ".join(kept))
