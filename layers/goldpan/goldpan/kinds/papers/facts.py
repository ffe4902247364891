"""What every format shows of a paper: authors, links, versions, sources, and what the papers have in common.

What a bibliography says of it is the same in each format, so that all of them can be imported again.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from urllib.parse import quote

from goldpan.escaping import plain, web_address
from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.identifiers import normalise_url
from goldpan.kinds.papers.letters import LETTERS
from goldpan.kinds.papers.models import PaperFacts
from goldpan.kinds.papers.person_names import FURTHER_AUTHORS, Name, may_have_more, split_name
from goldpan.kinds.papers.results import RankedPaper
from goldpan.text import STOP_WORDS


def doi_address(doi: str | None) -> str | None:
    """Return the address that resolves a DOI."""
    return web_address(f"https://doi.org/{quote(plain(doi), safe='/:;.-_')}") if doi else None


def links(item: RankedPaper) -> dict[str, str]:
    """Return the web addresses of a paper by their targets; a page that its DOI resolves to is left out.

    One that has neither a DOI nor a page, but an arXiv id, has its page there.
    """
    doi, page, pdf = doi_address(item.ids.doi), web_address(item.url), web_address(item.pdf_url)
    leads_to = (normalise_url(page) or "").lower().removeprefix("dx.")
    if doi and leads_to == (normalise_url(doi) or "").lower():
        page = None
    arxiv = None if doi or page or not item.ids.arxiv else web_address(f"https://arxiv.org/abs/{item.ids.arxiv}")
    found = (("DOI", doi), ("page", page), ("arXiv", arxiv), ("PDF", pdf))
    return {name: address for name, address in found if address}


ENTRY_TYPES: dict[PaperType, tuple[str, str, str, str]] = {
    "article": ("article", "journal", "JOUR", "article-journal"),
    "review": ("article", "journal", "JOUR", "article-journal"),  # CSL's own "review" is one of a book
    "preprint": ("misc", "howpublished", "UNPB", "article"),
    "conference": ("inproceedings", "booktitle", "CPAPER", "paper-conference"),
    "book": ("book", "publisher", "BOOK", "book"),
    "chapter": ("incollection", "booktitle", "CHAP", "chapter"),
    "thesis": ("phdthesis", "school", "THES", "thesis"),
    "dataset": ("misc", "howpublished", "DATA", "dataset"),
    "other": ("misc", "howpublished", "GEN", "document"),
}
"""The entry type in BibTeX and its field for the venue, the type in RIS, and that in CSL."""
BOOKS = ("book", "thesis")
"""Types whose venue is their publisher, unless both are known."""
MORE_AUTHORS = "There may be further authors."
UNNAMED: tuple[PaperType, ...] = ("review", "preprint", "dataset", "other")
"""Types that not every format has one of its own for, so that they are named."""


def entry_types(item: RankedPaper) -> tuple[str, str, str, str]:
    """Return the types of `ENTRY_TYPES`; a paper of unknown type with a venue is an article."""
    return ENTRY_TYPES[item.type or ("article" if item.venue else "other")]


def people(item: PaperFacts, names: Sequence[str]) -> list[Name]:
    """Split the names of a paper's authors or editors."""
    named = (name for name in names if plain(name) and name.strip() not in FURTHER_AUTHORS)
    return [split_name(name, item.organisations) for name in named]


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
    if may_have_more(item.authors):
        yield MORE_AUTHORS


DIGEST_CHARS = 8
MAX_PART_CHARS = 30


def with_keys(papers: Iterable[RankedPaper]) -> list[tuple[RankedPaper, str]]:
    """Give each paper a citation key: family name of the first author, year, and first word of the title, in ASCII.

    A shared or empty one ends with a digest of the paper's id, so that it does not depend on the order of the papers.
    Papers that share even their id are counted.
    """
    items = list(papers)
    bases = [_base(item) for item in items]
    shared = Counter(base.lower() for base, _ in bases)
    taken, found = Counter[str](), list[tuple[RankedPaper, str]]()
    for item, (base, is_named) in zip(items, bases, strict=True):
        digest = sha256(item.id.encode()).hexdigest()[:DIGEST_CHARS]
        key = base if is_named and shared[base.lower()] == 1 else f"{base}-{digest}"
        taken[key] += 1
        found.append((item, key if taken[key] == 1 else f"{key}-{taken[key]}"))
    return found


def _base(item: RankedPaper) -> tuple[str, bool]:
    """Return the key without a digest, and whether author or title have ASCII letters."""
    family = _ascii(split_name(item.authors[0], item.organisations).sorting) if item.authors else ""
    words = [_ascii(word) for word in item.title.split()]
    word = next((word for word in words if word and word.lower() not in STOP_WORDS), "")
    return f"{family or 'Anon'}{item.year or 'nd'}{word[:1].upper()}{word[1:]}", bool(family or word)


def _ascii(text: str) -> str:
    """Keep ASCII letters and digits, without accents; "" for other scripts."""
    plain = unicodedata.normalize("NFKD", text.translate(LETTERS))
    return re.sub(r"[^A-Za-z0-9]", "", plain)[:MAX_PART_CHARS]
