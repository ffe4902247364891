"""What every bibliography says of a paper, so that each format holds the same and can be imported again."""

from collections.abc import Iterator

from goldpan.escaping import plain, web_address
from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.facts import links
from goldpan.kinds.papers.results import RankedPaper

BOOKS = ("book", "thesis")
"""Types whose venue is their publisher, unless both are known."""
UNNAMED: tuple[PaperType, ...] = ("review", "preprint", "dataset", "other")
"""Types that not every format has one of its own for, so that they are named."""


def imprint(item: RankedPaper) -> tuple[str, str]:
    """Return the venue and the publisher, "" if there is none."""
    venue, publisher = plain(item.venue), plain(item.publisher)
    if item.type in BOOKS and publisher in ("", venue):
        return "", venue
    return venue, publisher


def address(item: RankedPaper) -> str:
    """Return the page of a paper; of one without an identifier that leads to it, the PDF."""
    known = item.ids.doi or item.ids.arxiv
    return web_address(item.url) or ("" if known else next(iter(links(item).values()), ""))


def notes(item: RankedPaper) -> Iterator[str]:
    """Yield what only notes can hold, a line each, by names that Zotero uses too."""
    named = (("PMCID: ", item.ids.pmcid), ("PMID: ", item.ids.pmid), ("arXiv:", item.ids.arxiv))
    yield from (f"{name}{plain(value)}" for name, value in (*named, ("License: ", item.license)) if value)
    yield from filter(None, map(plain, item.notices))
