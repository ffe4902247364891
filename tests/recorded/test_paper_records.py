"""Recorded responses of the real sources are read to the last record, and their pictures of one paper agree."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import rispy
from bibtexparser import parse_string
from goldpan.kinds.papers.deduplication.grouping import Record as Candidate
from goldpan.kinds.papers.deduplication.grouping import deduplicate, merge
from goldpan.kinds.papers.models import PUBLICATION, Paper
from goldpan.kinds.papers.person_names import split_name
from goldpan.kinds.papers.present import PRESENTATION
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources import crossref, openalex, semantic_scholar
from goldpan.kinds.papers.sources.records import Record, read_records
from goldpan_local.library_files.folder import read_papers
from goldpan_local.library_files.records import Reading

from tests.recorded import recorded_exchanges
from tests.support.fixed_papers import LEAST

Read = Callable[[Record], Paper | None]
READERS: dict[str, tuple[str, Read]] = {
    "api.crossref.org": ("items", crossref.read_work),
    "api.openalex.org": ("results", openalex.read_work),
    "api.semanticscholar.org": ("data", semantic_scholar.read_paper),
}


def records(folder: str) -> Iterator[tuple[list[Any], Read]]:
    """Yield the lists of records whose titles were asked for, and how they are read."""
    for exchange in recorded_exchanges(folder):
        address, body = urlsplit(exchange["url"]), exchange["body"]
        if exchange["status"] != 200 or address.netloc not in READERS or not isinstance(body, dict):
            continue
        parameters = parse_qs(address.query)
        fields = parameters.get("fields") or parameters.get("select") or ["title"]
        name, read = READERS[address.netloc]
        message = body.get("message", body)
        if "title" in fields[0] and (listed := message.get(name, [message])):
            yield listed, read


@pytest.mark.parametrize(("folder", "expected"), [("crossref", 46), ("semantic_scholar", 1301), ("mixed_sources", 69)])
def test_every_record_with_a_title_is_read(folder: str, expected: int) -> None:
    """The only record that cannot be read is a work of Crossref that has no title."""
    papers = unread = 0
    for listed, read in records(folder):
        found, missed = read_records(listed, read, folder)
        papers, unread = papers + len(found), unread + missed
        assert all(paper.ids.doi or paper.ids.semantic_scholar for paper in found)
    assert (papers, unread) == (expected, 1 if folder == "crossref" else 0)


def test_the_sources_agree_on_a_paper() -> None:
    """Records with the same DOI have the same year but for preprints, the same first surname and no markup."""
    by_doi: dict[str, list[Paper]] = defaultdict(list)
    for listed, read in records("mixed_sources"):
        for paper in read_records(listed, read, "mixed")[0]:
            by_doi[paper.ids.doi or ""].append(paper)
    shared = [group for doi, group in by_doi.items() if doi and len({paper.source for paper in group}) == 3]
    assert len(shared) >= 5
    for group in shared:
        years = [paper.year for paper in group if paper.year]
        assert max(years) - min(years) <= 1
        assert len({split_name(paper.authors[0]).in_order.split()[-1] for paper in group if paper.authors}) <= 1
        assert not any("<" in f"{paper.title}{paper.abstract}" for paper in group)


def test_recorded_records_of_several_sources_are_the_papers_that_they_are() -> None:
    """No paper is there twice; two case reports have one title, and a preprint joins its publication."""
    papers = [paper for listed, read in records("mixed_sources") for paper in read_records(listed, read, "mixed")[0]]
    found = deduplicate([Candidate(str(number), paper) for number, paper in enumerate(papers)])
    assert (len(papers), len({group.merged.paper.title for group in found.groups}), len(found.groups)) == (69, 14, 15)
    chemistry = next(group for group in found.groups if "10.1038/s42256-024-00832-8" in group.merged.id)
    assert {"crossref", "semantic_scholar", "openalex"} <= set(chemistry.merged.sources)
    assert [version.arxiv for version in chemistry.merged.versions] == [None, "2304.05376"]
    assert found.undecided == ()


def test_recorded_records_survive_every_bibliography(tmp_path: Path) -> None:
    """What is exported is accepted by parsers that know nothing of goldpan, and imported again unchanged."""
    folders = ("crossref", "mixed_sources", "semantic_scholar")
    read = [
        paper for name in folders for listed, read in records(name) for paper in read_records(listed, read, name)[0]
    ]
    rest = {name: LEAST[name] for name in ("relevance", "reasoning", "basis", "found_by")}
    merged = {one.id: {**dict(one.paper), **rest, "id": one.id} for one in (merge([paper], ()) for paper in read)}
    known = [{name: paper[name] for name in RankedPaper.model_fields if name in paper} for paper in merged.values()]
    found = [RankedPaper.model_validate(paper) for paper in known]
    assert len(found) > 300
    compared = {"title", "authors", "year", *PUBLICATION} - {"publisher"}  # that of a preprint may be its venue
    for form in PRESENTATION.formats:
        text, reading = form.render(found), Reading()
        (tmp_path / f"a{form.suffix}").write_text(text, "utf-8", newline="")
        for before, after in zip(found, read_papers(tmp_path / f"a{form.suffix}", reading), strict=True):
            assert after.model_dump(include=compared) == before.model_dump(include=compared), form.name
            assert (after.ids.doi, after.ids.arxiv) == (before.ids.doi, before.ids.arxiv)
        assert [*reading.notes()] == []
        if form.name == "bibtex":
            assert not parse_string(text).failed_blocks
        if form.name == "ris":
            assert not [each for each in rispy.loads(text) if "unknown_tag" in each]
