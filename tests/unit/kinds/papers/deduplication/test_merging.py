"""One paper from several records: field by field, with the source of each, and nothing lost."""

from goldpan.kinds.papers.deduplication.grouping import Record, deduplicate
from goldpan.kinds.papers.models import MergedPaper, PaperIds

from tests.unit.kinds.papers.deduplication.records import TITLE, record

DOI = "10.1038/s42256-024-00832-8"


def merged(*records: Record) -> MergedPaper:
    """Return the one paper of these records."""
    (group,) = deduplicate(records).groups
    return group.merged


def test_every_field_comes_from_the_record_that_knows_it_best() -> None:
    """Abstract, PDF and identifiers of a record that is not the preferred one stay."""
    facts = {"abstract": "The longest abstract.", "pdf_url": "https://x.org/p", "open_access": True, "retracted": True}
    paper = merged(
        record("a", TITLE.upper(), {"doi": DOI}, source="crossref", citations=9, abstract="Short.", retracted=False),
        record("b", TITLE, {"doi": DOI, "openalex": "W1"}, source="openalex", citations=3, abstract="A longer one."),
        record("c", TITLE, {"pmid": "7"}, source="europe_pmc", **facts),
    )
    best = paper.paper
    assert (best.title, best.citations, *(getattr(best, name) for name in facts)) == (TITLE, 9, *facts.values())
    assert best.ids == PaperIds(doi=DOI, openalex="W1", pmid="7")
    assert paper.sources == ("openalex", "crossref", "europe_pmc")
    expected = {
        "title": "openalex", "pmid": "europe_pmc", "doi": "openalex", "pdf_url": "europe_pmc",
        "citations": "crossref", "abstract": "europe_pmc",
    }  # fmt: skip
    assert expected.items() <= paper.provenance.items()
    assert "venue" not in paper.provenance


def test_a_name_keeps_its_parts() -> None:
    """Also where the preferred source does not tell them."""
    written = ("Gabriel García Márquez", "openalex"), ("García Márquez, Gabriel", "crossref")
    paper = merged(*(record(source, authors=(name,), source=source) for name, source in written)).paper
    assert paper.authors == ("García Márquez, Gabriel",)


def test_the_users_library_comes_first_then_hybrid_then_the_preferred_sources() -> None:
    """What the user has corrected stands."""
    ends = {"arxiv": ".", "hybrid": "!", "library": "?"}
    records = [record(name, f"{TITLE}{end}", source=name) for name, end in ends.items()]
    assert merged(*records).paper.title == f"{TITLE}?"
    assert merged(*records[:2]).paper.title == f"{TITLE}!"


def test_preprint_and_publication_are_one_result_with_two_versions() -> None:
    """Year, venue and DOI of the publication come first, even if a preferred source has the preprint alone."""
    preprint = record("a", ids={"doi": "10.1101/2023.04.11.536123"}, source="openalex", year=2019, type="preprint")
    published = record("b", ids={"doi": DOI}, source="crossref", year=2020, venue="Nature Machine Intelligence")
    paper = merged(preprint, published)
    assert (paper.paper.year, paper.paper.venue, paper.paper.ids.doi) == (2020, "Nature Machine Intelligence", DOI)
    assert paper.ids == (PaperIds(doi="10.1101/2023.04.11.536123"),)
    dois = [(version.year, version.doi) for version in paper.versions]
    assert dois == [(2020, DOI), (2019, "10.1101/2023.04.11.536123")]
    assert merged(published).versions == ()
