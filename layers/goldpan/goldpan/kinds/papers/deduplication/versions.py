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
    undetermined: list[PaperVersion] = []
    for paper in papers:
        for version in _of_record(paper):
            if version.doi or version.arxiv:
                is_early = version.type == "preprint"
                found.setdefault((is_early, version.arxiv or without_version(version.doi or "")), []).append(version)
            else:
                undetermined.append(version)
    for version in undetermined:
        _add_undetermined(version, found)
    merged = tuple(_merge(found[key]) for key in sorted(found))
    return merged if len(merged) > 1 else ()


def _of_record(paper: Paper) -> Iterable[PaperVersion]:
    """Yield the publication and the preprint that a record names."""
    doi = paper.ids.doi
    arxiv = paper.ids.arxiv or arxiv_of_doi(doi)
    is_early = is_preprint(paper)
    own_url = None if not is_early and normalise_arxiv(paper.url) else paper.url
    if not is_early:
        yield PaperVersion(type=paper.type, year=paper.year, venue=paper.venue, url=own_url, doi=published_doi(doi))
    elif doi and not arxiv:
        yield PaperVersion(
            type="preprint", year=paper.year, venue=paper.venue or preprint_server(doi), url=own_url, doi=doi
        )
    elif not arxiv:
        yield PaperVersion(type="preprint", year=paper.year, venue=paper.venue, url=own_url)
    if arxiv:
        year = paper.year if is_early else None
        own_doi = doi if arxiv_of_doi(doi) else None
        yield PaperVersion(type="preprint", year=year, venue="arXiv", url=ARXIV + arxiv, doi=own_doi, arxiv=arxiv)


def _add_undetermined(version: PaperVersion, found: dict[tuple[bool, str], list[PaperVersion]]) -> None:
    """Add a version without an identifier to the one of its form, if there is one."""
    is_early = version.type == "preprint"
    same_form = [key for key in found if key[0] is is_early]
    found.setdefault(min(same_form) if same_form else (is_early, ""), []).append(version)


def _merge(records: Sequence[PaperVersion]) -> PaperVersion:
    """Take each field from the first record that has it."""
    fields = (name for name in PaperVersion.model_fields)
    values = {
        name: next((value for each in records if (value := getattr(each, name)) is not None), None) for name in fields
    }
    return PaperVersion(**values)
