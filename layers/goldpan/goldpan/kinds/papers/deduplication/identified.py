"""What a record says of its identity: its identifiers, and the address of one paper."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from goldpan.identities import arxiv_of_doi, normalise_arxiv
from goldpan.kinds.papers.deduplication.preprints import preprint_system, without_version
from goldpan.kinds.papers.identifiers import NORMALISERS, normalise_url
from goldpan.kinds.papers.models import Paper

Key = tuple[str, str]
"""The system of an identifier, and the identifier in its normal form."""
_ARXIV_VENUE = re.compile(r"\b(?:arXiv\s*:\s*|CoRR,?\s+abs/)(\S*\d)", re.IGNORECASE)
"""How exports write the id in the place of a venue: "arXiv preprint arXiv:1706.03762"."""
_OTHER = ("acl", "dblp", "mag", "library")
"""Systems of `other` whose identifiers name one paper everywhere, an id in a library with the name of its project; any
other may be a number of one user."""
_LISTING = re.compile(
    r"(?:^|[/.])(?:about|archives?|authors?|browse|current|home|index|issues?|journals?|loi|people|profile|search|serial"
    r"|toc|users?|vol(?:ume)?s?)(?=[/.?]|$)|publicationissue|recentissue|punumber=",
    re.IGNORECASE,
)
"""Addresses of journals, issues, lists and people."""
_SPECIFIC = re.compile(r"\d{3}|[a-z0-9]+(?:[-_][a-z0-9]+){3}|[?&](?:id|doi|arnumber|pii|article|paper)=", re.IGNORECASE)
"""A number, a title or a parameter that names a paper."""
SYSTEM_NAMES = {"doi": "DOI", "pmid": "PMID", "pmcid": "PMCID", "arxiv": "arXiv id"}
"""As people write them; those of the other systems are ids."""


def normalise(paper: Paper) -> Paper:
    """Return a record with its identifiers in their normal forms; one that no rule can read stays as it is."""
    ids = paper.ids
    known = {name: normalised(getattr(ids, name)) for name, normalised in NORMALISERS.items()}
    if not ids.arxiv and (stated := _ARXIV_VENUE.search(paper.venue or "")):
        known["arxiv"] = normalise_arxiv(stated[1])
    changed = {name: value for name, value in known.items() if value and value != getattr(ids, name)}
    return paper.model_copy(update={"ids": ids.model_copy(update=changed)}) if changed else paper


def identifier_keys(paper: Paper) -> Iterator[Key]:
    """Yield the identifiers of a record, each once in its normal form; those in its address too."""
    ids = paper.ids
    found = {name: normalised(getattr(ids, name)) or normalised(paper.url) for name, normalised in NORMALISERS.items()}
    found["arxiv"] = arxiv_of_doi(found["doi"]) or found["arxiv"] or normalise_arxiv(paper.pdf_url)
    found["doi"] = without_version(found["doi"] or "")
    known = {name.lower(): value for name, value in ids.other.items()}
    found |= {"corpus": ids.corpus, "google_scholar": ids.google_scholar, **{name: known.get(name) for name in _OTHER}}
    yield from ((name, value.strip()) for name, value in found.items() if value and value.strip())


def address_key(paper: Paper) -> str | None:
    """Return the address of a record if it is likely that of one paper."""
    address = normalise_url(paper.url)
    if address is None or _LISTING.search(address):
        return None
    parts = urlsplit(f"//{address}")
    return address if _SPECIFIC.search(f"{parts.path}?{parts.query}") else None


def contradicting_systems(keys: Iterable[Key]) -> frozenset[str]:
    """Return the systems in which a paper has one identifier alone: those of another record are of another paper."""
    found = (preprint_system(value) if system == "doi" else system for system, value in keys if system in SYSTEM_NAMES)
    return frozenset(filter(None, found))
