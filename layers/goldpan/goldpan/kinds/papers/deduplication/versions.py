"""The versions of a paper: its publication and its preprints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from goldpan.identities import arxiv_of_doi, normalise_arxiv
from goldpan.kinds.papers.deduplication.preprints import is_preprint, preprint_server, published_doi, without_version
from goldpan.kinds.papers.models import Paper, PaperVersion

ARXIV = "https://arxiv.org/abs/"


def versions(papers: Sequence[Paper]) -> tuple[PaperVersion, ...]:
    """List the forms in which a paper appeared, publications first; empty if there is only one."""
    found: dict[tuple[bool, str], list[PaperVersion]] = {}
    every = sorted((each for paper in papers for each in _of_record(paper)), key=lambda each: not _identifier(each))
    for version in every:  # those without an identifier last: each is taken for the first of its form
        is_early, identifier = version.type == "preprint", _identifier(version)
        known = [] if identifier else [key for key in found if key[0] is is_early]
        found.setdefault(min(known, default=(is_early, identifier)), []).append(version)
    merged = tuple(_merge(found[key]) for key in sorted(found))
    return merged if len(merged) > 1 else ()


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


def _merge(records: Sequence[PaperVersion]) -> PaperVersion:
    """Take each field from the first record that has it."""
    values = [each.model_dump(exclude_none=True) for each in reversed(records)]
    return PaperVersion.model_validate({name: value for each in values for name, value in each.items()})
