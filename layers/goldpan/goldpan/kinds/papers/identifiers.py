"""Normal forms of the identifiers of papers, so that one identifier in several spellings is one.

Sources: "DOI Handbook" 2.2 (a DOI ignores case), "Understanding the arXiv identifier" at info.arxiv.org, NCBI's "PMID
versus PMCID", OpenAlex's "Get a single work".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\"<>]+")
_DOI_PREFIX = re.compile(r"^(?:(?:https?://)?(?:[\w-]+\.)*doi\.org/|(?:info:)?doi[:/]\s*|urn:doi:)", re.IGNORECASE)
_ARXIV_DOI = "10.48550/arxiv."
"""Begins the DOIs that arXiv gives to its own papers since 2022."""
_ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)*(?:\.[a-z]{2})?/\d{7})(?:v(\d{1,3}))?", re.IGNORECASE)
_ARXIV_PREFIX = re.compile(
    r"^(?:(?:https?://)?(?:[\w-]+\.)?arxiv\.org/(?:abs|pdf|html|format|ps)/|(?:urn:|oai:)?arxiv(?:\.org)?:\s*)",
    re.IGNORECASE,
)
_PMID = re.compile(
    r"(?:(?:https?://)?(?:pubmed\.ncbi\.nlm\.nih\.gov/|\S*/pubmed/)|pmid:?\s*)?(\d{1,9})/?", re.IGNORECASE
)
_PMCID = re.compile(r"(?:\S*/)?(PMC\d{1,9})(?:\.\d+)?/?", re.IGNORECASE)
_OPENALEX = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?(W\d{1,12})", re.IGNORECASE)
_SEMANTIC_SCHOLAR = re.compile(r"(?:\S*/)?([0-9a-f]{40})", re.IGNORECASE)
_CLOSING = {")": "(", "]": "[", "}": "{"}
_IN_TEXT = re.compile(
    r"\b10\.\d{4,9}(?:\.\d+)*/[^\s\"<>]+"
    r"|(?:\b[\w-]+\.)?arxiv\.org/(?:abs|pdf|html)/[^\s\"<>()\[\]]+|\barxiv:\s?[\w./-]*\d{4}[\w.]*",
    re.IGNORECASE,
)
MAX_ID = 200
"""Characters of an identifier; a longer text is none."""


def normalise_doi(text: object) -> str | None:
    """Return a DOI in lower case, without resolver and closing punctuation; None if the text is no DOI."""
    if not isinstance(text, str) or len(text) > MAX_ID * 2:
        return None
    plain = _DOI_PREFIX.sub("", text.strip())
    plain = _without_closing(unquote(plain) if "%" in plain else plain)
    return plain.lower() if len(plain) <= MAX_ID and _DOI.fullmatch(plain) else None


def arxiv_of_doi(doi: str | None) -> str | None:
    """Return the arXiv id that a DOI of arXiv itself stands for."""
    return normalise_arxiv(doi.removeprefix(_ARXIV_DOI)) if doi and doi.startswith(_ARXIV_DOI) else None


def normalise_arxiv(text: object) -> str | None:
    """Return an arXiv id without its version and its subject class; None if the text is none.

    Both styles: `2104.12255`, and `math/0309136`, which was also written `math.GT/0309136`.
    """
    match = _match_arxiv(text)
    if match is None:
        return None
    archive, slash, number = match[1].lower().rpartition("/")
    return f"{archive.partition('.')[0]}{slash}{number}"


def arxiv_version(text: object) -> int | None:
    """Return the version that an arXiv id names, None if it names none."""
    match = _match_arxiv(text)
    return int(match[2]) if match and match[2] else None


def normalise_pmid(text: object) -> str | None:
    """Return a PubMed id as digits without leading zeros; None if the text is none."""
    match = _PMID.fullmatch(str(text).strip()) if isinstance(text, str | int) else None
    return (match[1].lstrip("0") or None) if match else None


def normalise_pmcid(text: object) -> str | None:
    """Return an id of PubMed Central with its prefix in capitals; None if the text is none."""
    match = _PMCID.fullmatch(text.strip()) if isinstance(text, str) else None
    return match[1].upper() if match else None


def normalise_openalex(text: object) -> str | None:
    """Return the id of a work at OpenAlex, such as `W2741809807`; None if the text is none."""
    match = _OPENALEX.fullmatch(text.strip()) if isinstance(text, str) else None
    return match[1].upper() if match else None


def normalise_semantic_scholar(text: object) -> str | None:
    """Return the SHA of a paper at Semantic Scholar; None if the text is none."""
    match = _SEMANTIC_SCHOLAR.fullmatch(text.strip()) if isinstance(text, str) else None
    return match[1].lower() if match else None


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


def find_identifiers(text: str) -> Iterator[tuple[str, str]]:
    """Yield the identifiers that a text names, as pairs of `doi` or `arxiv` and the normal form."""
    for found in _IN_TEXT.findall(text):
        written = _without_closing(found)
        doi = normalise_doi(written)
        arxiv = arxiv_of_doi(doi) or (None if doi else normalise_arxiv(written.removesuffix(".pdf")))
        if arxiv:
            yield "arxiv", arxiv
        elif doi:
            yield "doi", doi


def _match_arxiv(text: object) -> re.Match[str] | None:
    if not isinstance(text, str) or len(text) > MAX_ID:
        return None
    plain = _ARXIV_PREFIX.sub("", text.strip()).partition("?")[0].partition("#")[0].strip().rstrip("/")
    return _ARXIV.fullmatch(plain.removesuffix(".pdf"))


def _without_closing(text: str) -> str:
    """Strip what ends a sentence or a bracket around the identifier; brackets of its own stay."""
    while text:
        last = text[-1]
        unbalanced = last in _CLOSING and text.count(last) > text.count(_CLOSING[last])
        if last not in ".,;:'`*_\u2019\u201d" and not unbalanced:
            return text
        text = text[:-1]
    return text
