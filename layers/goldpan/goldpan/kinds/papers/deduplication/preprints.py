"""Preprints (preprints.toml), whose DOIs never contradict that of the publication, and the versions of a paper."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from goldpan.identities import arxiv_of_doi, normalise_arxiv
from goldpan.kinds.papers.models import Paper, PaperVersion

ARXIV = "https://arxiv.org/abs/"
_SERVERS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_JOURNALS = re.compile("|".join(_SERVERS.pop("journals").values()))
_PATTERNS = {name: pattern for table in _SERVERS.values() for name, pattern in table.items()}
_SERVER = re.compile("|".join(f"({pattern})" for pattern in _PATTERNS.values()))
_NAMES = tuple(_PATTERNS)
_VERSION = re.compile(r"(?:[./-]?v\d{1,2}|\.\d)$")
"""How servers write the version into the DOI."""
PREPRINT_VENUE = re.compile(
    r"\b(?:arxiv|corr|bio ?rxiv|med ?rxiv|chem ?rxiv|ssrn|preprints?|research square|techrxiv|psyarxiv|zenodo)\b",
    re.IGNORECASE,
)


def preprint_server(doi: str | None) -> str | None:
    """Return the server that gave the DOI, None if it is not that of a preprint."""
    match = _SERVER.match(doi) if doi else None
    return _NAMES[match.lastindex - 1] if match and match.lastindex else None


def without_version(doi: str) -> str:
    """Return a DOI without the version of the paper, where it may have one."""
    has_version = preprint_server(doi) in _SERVERS["versioned"] or _JOURNALS.match(doi)
    return _VERSION.sub("", doi) if has_version else doi


def published_doi(doi: str | None) -> str | None:
    """Return the DOI if it is that of a publication."""
    return None if preprint_server(doi) else doi


def preprint_system(doi: str) -> str | None:
    """Return "doi" for that of a publication, else the server; None for one that gives a paper several DOIs."""
    server = preprint_server(doi)
    return "arxiv" if arxiv_of_doi(doi) else None if server in _SERVERS["deposits"] else server or "doi"


def is_preprint(paper: Paper) -> bool:
    """Return whether a record describes a preprint, not a publication."""
    if published_doi(paper.ids.doi):
        return False
    if paper.type == "preprint" or paper.ids.doi or (paper.venue and PREPRINT_VENUE.search(paper.venue)):
        return True
    return bool(not paper.venue and (paper.ids.arxiv or normalise_arxiv(paper.url)))


def versions(papers: Sequence[Paper]) -> tuple[PaperVersion, ...]:
    """List the forms in which a paper appeared, publications first; empty if there is only one."""
    found: dict[tuple[bool, str], PaperVersion] = {}
    every = sorted((each for paper in papers for each in _of_record(paper)), key=lambda each: not _identifier(each))
    for version in every:  # those without an identifier last: each is taken for the first of its form
        is_early, identifier = version.type == "preprint", _identifier(version)
        known = [] if identifier else [key for key in found if key[0] is is_early]
        form = min(known, default=(is_early, identifier))
        first = found.setdefault(form, version)
        lacking = {name: value for name, value in vars(version).items() if getattr(first, name) is None}
        found[form] = first if first is version else first.model_copy(update=lacking)
    return tuple(found[key] for key in sorted(found)) if len(found) > 1 else ()


def _identifier(version: PaperVersion) -> str:
    return version.arxiv or without_version(version.doi or "")


def _of_record(paper: Paper) -> Iterable[PaperVersion]:
    """Yield the publication and the preprint that a record names."""
    doi, is_early = paper.ids.doi, is_preprint(paper)
    arxiv = paper.ids.arxiv or arxiv_of_doi(doi)
    own_url = None if not is_early and normalise_arxiv(paper.url) else paper.url
    if not is_early:
        yield PaperVersion(type=paper.type, year=paper.year, venue=paper.venue, url=own_url, doi=published_doi(doi))
    elif not arxiv:
        venue = paper.venue or preprint_server(doi)
        yield PaperVersion(type="preprint", year=paper.year, venue=venue, url=own_url, doi=doi)
    if arxiv:
        year = paper.year if is_early else None
        own_doi = doi if arxiv_of_doi(doi) else None
        yield PaperVersion(type="preprint", year=year, venue="arXiv", url=ARXIV + arxiv, doi=own_doi, arxiv=arxiv)
