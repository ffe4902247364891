"""What each source says of a publication reaches every bibliography, and a library that is made of it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from goldpan.kinds.papers.deduplication.merging import merge
from goldpan.kinds.papers.models import Candidate, Paper
from goldpan.kinds.papers.present import PRESENTATION
from goldpan.kinds.papers.sources.arxiv import read_entry
from goldpan.kinds.papers.sources.crossref import read_work as read_crossref
from goldpan.kinds.papers.sources.europe_pmc import read_record
from goldpan.kinds.papers.sources.openalex import read_work as read_openalex
from goldpan.kinds.papers.sources.semantic_scholar import read_paper

from tests.unit.kinds.papers.test_rank import ranked, results
from tests.unit.local.library_files.test_references import read

AUTHOR, DOI, CC = "Garc\u00eda M\u00e1rquez, Gabriel", "10.1000/cats", "https://creativecommons.org/licenses/by/4.0/"
PARTS = {"given": "Gabriel", "family": "Garc\u00eda M\u00e1rquez"}
COMMON = {"title": "On Cats", "DOI": DOI, "doi": DOI, "volume": "7", "issue": "2"}
WORK = COMMON | {
    "author": [PARTS], "editor": [{"given": "Ann", "family": "van Dyke"}], "title": ["On Cats"], "page": "12\u201334",
    "publisher": "Springer", "container-title": ["Nature"], "type": "journal-article",
    "ISBN": ["9783658176716"], "ISSN": ["1234-567X", "2234-5678"],
    "license": [{"URL": "https://x.org/tdm", "content-version": "tdm"}, {"URL": CC, "content-version": "vor"}],
    "updated-by": [{"type": "retraction", "DOI": "10.1000/gone"}, {"type": "correction", "DOI": "10.1000/fix"}],
}  # fmt: skip
PLACE = {
    "license": "cc-by",
    "source": {"display_name": "Nature", "host_organization_name": "Springer", "issn_l": "1234-567X"},
}
OPENALEX = COMMON | {
    "authorships": [{"author": {"display_name": "Gabriel Garc\u00eda M\u00e1rquez"}, "raw_author_name": AUTHOR}],
    "biblio": {"volume": "7", "issue": "2", "first_page": "12", "last_page": "34"}, "primary_location": PLACE,
    "language": "en", "is_retracted": True,
}  # fmt: skip
MEDLINE = COMMON | {
    "authorList": {"author": [{"firstName": "Gabriel", "lastName": "Garc\u00eda M\u00e1rquez"}]}, "pageInfo": "12-34",
    "journalInfo": {"volume": "7", "issue": "2", "journal": {"title": "Nature", "issn": "1234-567X"}},
    "language": "eng",
    "bookOrReportDetails": {"publisher": "Springer", "isbn13": "9783658176716"}, "license": "cc by",
    "commentCorrectionList": {"commentCorrection": [{"type": "Erratum in", "source": "MED", "id": "9"}]},
}  # fmt: skip
JOURNAL = {"volume": "7", "pages": "12 - 34"}
SCHOLAR = COMMON | {"journal": JOURNAL, "openAccessPdf": {"license": "CCBY"}, "externalIds": {"DOI": DOI}}
ENTRY = {
    "id": "2103.03404", "title": "On Cats", "authors": ["Gabriel Garc\u00eda M\u00e1rquez"], "published": "2021-03-05",
    "summary": "This paper has been withdrawn.", "doi": DOI, "journal_ref": None, "comment": None,
}  # fmt: skip
NAMES = {"authors": (AUTHOR,)}
FACTS = {"volume": "7", "issue": "2", "pages": "12-34", "publisher": "Springer", "issn": "1234-567X"}
NOTICES = ("Retraction: 10.1000/gone", "Correction: 10.1000/fix")
CROSSREF = FACTS | {"isbn": "9783658176716", "editors": ("Ann van Dyke",), "license": CC, "notices": NOTICES}
RETRACTED = {"language": "en", "license": "cc-by", "notices": ("Retraction: reported by openalex",)}
EUROPE_PMC = FACTS | {"isbn": "9783658176716", "license": "cc by", "language": "eng", "notices": ("Erratum: MED:9",)}
Read = Callable[[Mapping[str, object]], Paper | None]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([(read_crossref, WORK)], NAMES | CROSSREF),
        ([(read_openalex, OPENALEX)], NAMES | FACTS | RETRACTED),
        ([(read_record, MEDLINE)], NAMES | EUROPE_PMC),
        ([(read_paper, SCHOLAR)], {"volume": "7", "pages": "12-34", "license": "CCBY"}),
        ([(read_entry, ENTRY)], {"notices": ("Retraction: reported by arxiv",)}),
        ([(read_entry, ENTRY), (read_crossref, WORK)], NAMES | CROSSREF),
    ],
    ids=["crossref", "openalex", "europe_pmc", "semantic_scholar", "arxiv", "merged"],
)
def test_what_a_source_says_is_in_every_bibliography(
    records: list[tuple[Read, Mapping[str, object]]], expected: dict[str, object], tmp_path: Path
) -> None:
    """Names in their parts, also of a source that does not tell them, the facts of the publication, retractions."""
    merged = merge([paper for reader, record in records if (paper := reader(record))], ())
    papers = results(ranked([Candidate(merged=merged, relevance=0.4)]))
    for form in PRESENTATION.formats:
        [again], _ = read(tmp_path, f"a{form.suffix}", form.render(papers))
        assert again.model_dump(include={*expected}) == expected, form.name
        assert again.ids.doi == DOI
