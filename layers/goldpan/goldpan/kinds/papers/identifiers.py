"""Normal forms of the identifiers of papers, so that one identifier in several spellings is one.

Sources: those of `goldpan.identities` for DOIs and arXiv, NCBI's "PMID versus PMCID", OpenAlex's "Get a single work".
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import urlsplit

from goldpan.identities import normalise_arxiv, normalise_doi

_PMID = re.compile(
    r"(?:(?:https?://)?(?:pubmed\.ncbi\.nlm\.nih\.gov/|\S*/pubmed/)|pmid:?\s*)?(\d{1,9})/?", re.IGNORECASE
)
_PMCID = re.compile(r"(?:\S*/)?(PMC\d{1,9})(?:\.\d+)?/?", re.IGNORECASE)
_OPENALEX = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?(W\d{1,12})", re.IGNORECASE)
_SEMANTIC_SCHOLAR = re.compile(r"(?:\S*/)?([0-9a-f]{40})", re.IGNORECASE)


def _normalise(pattern: re.Pattern[str], change: Callable[[str], str], text: object) -> str | None:
    match = pattern.fullmatch(str(text).strip()) if isinstance(text, str | int) else None
    return (change(match[1]) or None) if match else None


def normalise_url(text: object) -> str | None:
    """Return an address without scheme, `www.`, fragment and closing slash, to compare; None if it is none."""
    if not isinstance(text, str):
        return None
    try:
        parts = urlsplit(text.strip())
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    path = parts.path.rstrip("/")
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{path}{query}" if parts.scheme in {"http", "https"} and host and (path or query) else None


NORMALISERS: Mapping[str, Callable[[object], str | None]] = {
    "doi": normalise_doi,
    "arxiv": normalise_arxiv,
    "pmid": partial(_normalise, _PMID, lambda digits: digits.lstrip("0")),
    "pmcid": partial(_normalise, _PMCID, str.upper),
    "openalex": partial(_normalise, _OPENALEX, str.upper),
    "semantic_scholar": partial(_normalise, _SEMANTIC_SCHOLAR, str.lower),
}
"""By the systems whose identifiers have a normal form; each returns None for a text that is no such identifier."""
