"""Reads arXiv's answers, which are feeds in Atom: https://info.arxiv.org/help/api/user-manual.html, section 3.3.

They are parsed with defusedxml, which refuses the declarations that entities are made of, and into no more elements
and levels than a page of results can have.
"""

import re
from xml.etree.ElementTree import Element, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from goldpan.errors import Refused, Unavailable
from goldpan.identities import normalise_arxiv, normalise_doi
from goldpan.infra.redaction import one_line
from goldpan.infra.response_times import read_digits
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources.records import Record, make_ids, make_paper, members

ATOM, ARXIV = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"
TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
MAX_LEVELS, MAX_ELEMENTS = 20, 200_000
"""A feed has four levels; 100 papers of 1,000 authors each have 200,000 elements."""
_ERROR_ID = "/api/errors"
_WITHDRAWN = re.compile(
    r"\b(?:paper|article|submission|manuscript|preprint|work) (?:has been|is|was) (?:temporarily )?withdrawn\b"
    r"|^withdrawn\b",
    re.IGNORECASE,
)
_AFTER_VENUE = re.compile(r"\s*[,;:(@]|\s*\b(?:vol|volume|no|pp|pages)\b|\.?\s*\d", re.IGNORECASE)
"""Begins the volume, the pages or the year of a journal reference, such as `Phys.Rev. D76 (2007) 013009`."""
_BEGIN_OF_VENUE = re.compile(r"^in:?\s*(?=proc)", re.IGNORECASE)
_OPEN_END = (" the", " of", " on", " in", " and", " for")
"""A name that ends in one of these goes on after the number: `Proceedings of the 31st Conference`."""
MIN_VENUE_LETTERS = 5


def read_feed(body: bytes) -> tuple[list[Record], int]:
    """Parse a feed into the entries of its page, and how many results there are.

    Raises `Unavailable` if it is none, and `Refused` if it reports an error.
    """
    root = _parse(body)
    if root.tag != f"{ATOM}feed":
        raise Unavailable("arXiv's response is not a feed")
    entries = [_record(entry) for entry in root.iterfind(f"{ATOM}entry")]
    for entry in entries:
        if _ERROR_ID in str(entry["id"]):
            raise Refused(f"arXiv refused the query ({one_line(entry['summary'])})")
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


class _BoundedBuilder(TreeBuilder):
    """Refuses what is deeper or has more elements than a feed can have."""

    levels = elements = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self.levels, self.elements = self.levels + 1, self.elements + 1
        if self.levels > MAX_LEVELS or self.elements > MAX_ELEMENTS:
            raise ValueError(f"more than {MAX_LEVELS} levels or {MAX_ELEMENTS} elements")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self.levels -= 1
        return super().end(tag)


def _parse(body: bytes) -> Element:
    parser = DefusedXMLParser(target=_BoundedBuilder(), forbid_dtd=True)
    try:
        parser.feed(body)
        root: Element = parser.close()
    except DefusedXmlException as error:
        raise Unavailable("arXiv's response declares entities, which no feed does") from error
    except (ParseError, ValueError, LookupError) as error:  # of the form, of the bounds, of the encoding
        raise Unavailable(f"arXiv's response is not a feed that can be read: {one_line(str(error))}") from error
    return root


def _record(entry: Element) -> Record:
    record = {name: entry.findtext(f"{ATOM}{name}") for name in ("id", "title", "summary", "published")}
    extensions = {name: entry.findtext(f"{ARXIV}{name}") for name in ("doi", "journal_ref", "comment")}
    return {**record, **extensions, "authors": [name.text for name in entry.iterfind(f"{ATOM}author/{ATOM}name")]}


def _venue(reference: object) -> str | None:
    """Return the name of the journal or the conference that begins a reference; the whole where none does."""
    line = _BEGIN_OF_VENUE.sub("", " ".join(str(reference or "").split()))
    name = _AFTER_VENUE.split(line, maxsplit=1)[0].strip()
    is_whole = sum(map(str.isalpha, name)) >= MIN_VENUE_LETTERS and not name.lower().endswith(_OPEN_END)
    return name if is_whole else line or None
