"""Identities by which texts name a result of another kind: the DOI or arXiv id of a paper, a repository's address.

An identity is written `doi:10.1000/xyz`, `arxiv:2104.12255` or `github:owner/name`. Sources: "DOI Handbook" 2.2 (a DOI
ignores case), "Understanding the arXiv identifier" at info.arxiv.org, GitHub's limits for names (39 and 100 letters).
"""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

MAX_ID = 200
"""Characters of an identifier; a longer text is none."""
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/(?:[^\s\"<>]|<\w*\d:[^\s\"<>]*>)+")
"""With angle brackets in the form of ANSI/NISO Z39.56 alone, as in 10.1175/1520-0469(1963)020<0130:dnf>2.0.co;2."""
_DOI_PREFIX = re.compile(r"^(?:(?:https?://)?(?:[\w-]+\.)*doi\.org/|(?:info:)?doi[:/\s]\s*|urn:doi:)", re.IGNORECASE)
_ARXIV_DOI = "10.48550/arxiv."
"""Begins the DOIs that arXiv gives to its own papers since 2022."""
_ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)*(?:\.[a-z]{2})?/\d{7})(?:v(\d{1,3}))?", re.IGNORECASE)
_ARXIV_PREFIX = re.compile(
    r"^(?:(?:https?://)?(?:[\w-]+\.)?arxiv\.org/(?:abs|pdf|html|format|ps)/|(?:urn:|oai:)?arxiv(?:\.org)?:\s*)",
    re.IGNORECASE,
)
_PAPER_IN_TEXT = re.compile(
    rf"\b{_DOI.pattern}"
    r"|\barxiv\.org/(?:abs|pdf|html)/[^\s\"<>()\[\]]+|\barxiv:\s?[\w./-]*\d{4}[\w.]*",
    re.IGNORECASE,
)
_REPOSITORY_IN_TEXT = re.compile(r"\bgithub\.com/([a-z0-9][a-z0-9-]{0,38})/([\w.-]{1,100})", re.IGNORECASE | re.ASCII)
_NO_OWNERS = frozenset({"about", "apps", "collections", "features", "marketplace", "orgs", "sponsors", "topics"})
"""First parts of GitHub's own pages."""
_CLOSING = {")": "(", "]": "[", "}": "{"}


def normalise_doi(text: object) -> str | None:
    """Return a DOI in lower case, without resolver and closing punctuation; None if the text is no DOI."""
    if not isinstance(text, str) or len(text) > MAX_ID * 2:
        return None
    plain = _DOI_PREFIX.sub("", unescape(text.strip()))
    plain = _without_closing(unquote(plain) if "%" in plain else plain)
    return plain.lower() if len(plain) <= MAX_ID and _DOI.fullmatch(plain) else None


def arxiv_of_doi(doi: str | None) -> str | None:
    """Return the arXiv id that a DOI of arXiv itself stands for."""
    return normalise_arxiv(doi.removeprefix(_ARXIV_DOI)) if doi and doi.startswith(_ARXIV_DOI) else None


def normalise_arxiv(text: object) -> str | None:
    """Return an arXiv id of either style, without its version and subject class; None if the text is none."""
    if not isinstance(text, str) or len(text) > MAX_ID:
        return None
    plain = _ARXIV_PREFIX.sub("", text.strip()).partition("?")[0].partition("#")[0].strip().rstrip("/")
    match = _ARXIV.fullmatch(plain.removesuffix(".pdf"))
    if match is None:
        return None
    archive, slash, number = match[1].lower().rpartition("/")
    return f"{archive.partition('.')[0]}{slash}{number}"


def find_papers(text: str) -> Iterator[tuple[str, str]]:
    """Yield the identities of the papers that a text names, each with the words that name it."""
    for found in _PAPER_IN_TEXT.findall(text):
        written = _without_closing(found[: 2 * MAX_ID])
        doi = normalise_doi(written)
        arxiv = arxiv_of_doi(doi) or (None if doi else normalise_arxiv(written.removesuffix(".pdf")))
        if arxiv:
            yield f"arxiv:{arxiv}", written
        elif doi:
            yield f"doi:{doi}", written


def find_repositories(text: str) -> Iterator[tuple[str, str]]:
    """Yield the identities of the repositories whose address a text has, each with that address."""
    for owner, name in _REPOSITORY_IN_TEXT.findall(text):
        plain = _without_closing(name).removesuffix(".git")
        if plain.strip(".") and owner.lower() not in _NO_OWNERS:
            yield repository_identity(f"{owner}/{plain}"), f"github.com/{owner}/{plain}"


def repository_identity(full_name: str) -> str:
    """Return the identity of a repository: GitHub's names ignore case."""
    return f"github:{full_name.lower()}"


def _without_closing(text: str) -> str:
    """Strip what ends a sentence or a bracket around the identifier; brackets of its own stay."""
    while text:
        last = text[-1]
        unbalanced = last in _CLOSING and text.count(last) > text.count(_CLOSING[last])
        if last not in ".,;:'`*_/\u2019\u201d" and not unbalanced:
            return text
        text = text[:-1]
    return text
