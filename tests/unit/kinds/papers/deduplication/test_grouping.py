"""Which records are one paper, by identifiers, then by titles that nothing contradicts; and the merged paper."""

from typing import Any

import pytest
from goldpan.kinds.papers.deduplication.grouping import Record, deduplicate
from goldpan.kinds.papers.models import MergedPaper, PaperIds

from tests.unit.kinds.papers.deduplication.records import TITLE, all_apart, are_one, groups, record, titles_are_one

PREPRINT: dict[str, Any] = {"arxiv": "2304.05376"}
PUBLISHED: dict[str, Any] = {"doi": "10.1038/s42256-024-00832-8"}


def test_records_that_share_identifiers_in_a_chain_are_one_paper() -> None:
    """{arXiv id}, {DOI and arXiv id} and {DOI} are one, with every identifier, source and version."""
    chain = [
        record("a", "ChemCrow", PREPRINT, source="arxiv", year=2023, authors=()),
        record("b", "Chemistry tools", {**PUBLISHED, **PREPRINT}, source="semantic_scholar", year=2023, authors=()),
        record("c", TITLE, PUBLISHED, source="crossref", year=2024),
    ]
    (group,) = deduplicate(chain).groups
    ids = group.merged.paper.ids
    assert (group.merged.id, {"doi": ids.doi}, {"arxiv": ids.arxiv}) == (f"doi:{ids.doi}", PUBLISHED, PREPRINT)
    assert set(group.merged.sources) == {"arxiv", "semantic_scholar", "crossref"}
    assert [version.doi or version.arxiv for version in group.merged.versions] == [PUBLISHED["doi"], "2304.05376"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"arxiv": "solv-int/9701001v1"}, {"ids": {"arxiv": "arXiv:solv-int/9701001"}}),
        ({"arxiv": "hep-th/9901001"}, {"ids": {"arxiv": "https://arxiv.org/abs/hep-th/9901001v2"}}),
        ({"arxiv": "2304.05376v3"}, {"ids": {"doi": "10.48550/arXiv.2304.05376"}}),
        ({"doi": "10.21203/rs.3.rs-123/v1"}, {"ids": {"doi": "10.21203/rs.3.rs-123/v2"}}),
        ({"doi": "10.12688/f1000research.7653.1"}, {"ids": {"doi": "10.12688/f1000research.7653.2"}}),
        ({"doi": "10.7554/eLife.84141"}, {"ids": {"doi": "10.7554/eLife.84141.2"}}),
        ({"doi": "10.1101/2023.04.11.536123v1"}, {"ids": {"doi": "https://doi.org/10.1101/2023.04.11.536123/"}}),
        ({"openalex": "https://openalex.org/W2033425827"}, {"ids": {"openalex": "W2033425827"}}),
        (PREPRINT, {"venue": "arXiv preprint arXiv:2304.05376v2"}),
        (PREPRINT, {"venue": "CoRR, abs/2304.05376"}),
        (PREPRINT, {"venue": "arXiv: 2304.05376"}),
    ],
)
def test_an_identifier_is_one_in_every_spelling(one: dict[str, str], other: dict[str, Any]) -> None:
    """Even where titles, authors and years differ; Google Scholar and DBLP have it in the place of a venue."""
    further = record("b", "Another wording", **other, authors=("X. Y",), year=1999)
    assert are_one(record("a", "First title", one), further)


def test_the_year_of_a_later_version_parts_no_paper() -> None:
    """DataCite may give that of the last version; the years of other records of the paper are as good."""
    versions = [record("a", ids=PREPRINT, year=2023), record("b", ids={"doi": "10.48550/arXiv.2304.05376"}, year=2027)]
    assert groups(*versions, record("c", venue="NeurIPS", year=2023)) == {frozenset("abc")}


@pytest.mark.parametrize(("year", "is_one"), [(2021, True), (2022, False)])
def test_a_record_without_a_year_joins_none_of_distant_years(year: int, *, is_one: bool) -> None:
    """It could be of either paper."""
    assert are_one(record("a", year=2020), record("b", year=None), record("c", year=year)) == is_one
    ends = record("a", authors=("Andres M. Bran",)), record("c", authors=("Sam Cox",), year=year)
    assert are_one(*ends, record("b", authors=("Andres M. Bran", "Sam Cox"), year=None)) == is_one


def test_addresses_identify_papers_but_journals_do_not() -> None:
    """The identifier in an address counts; a journal's home, an issue and an author's page are many papers."""
    arxiv = record("a", "One", {"arxiv": "2304.05376"}, authors=())
    assert are_one(arxiv, record("b", "Two", url="https://arxiv.org/pdf/2304.05376v2"))
    page = "https://www.nature.com/articles/s41586-020-2649-2"
    assert titles_are_one("Array programming in NumPy", "Array programming in NumPy: a review", url=page, authors=())
    for listing in ("www.nature.com/nature", "link.springer.com/journal/10994", "example.org/~jones"):
        url = f"https://{listing}"
        assert not titles_are_one("Array programming", "Sparse linear algebra", url=url, authors=())
    for url in (f"{page}9", f"{page[:-1]}1"):
        assert not are_one(record("a", "Array programming", url=page), record("b", "Sparse linear algebra", url=url))
    listed = record("a", "Array programming", url=page, authors=("Ada Roe",))
    assert not are_one(listed, record("b", "Sparse linear algebra", url=page, authors=("Tim Low",)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPT-3 on biomedical question answering", "GPT-4 on biomedical question answering"),
        ("A course of modern analysis", "A course of modern analysis II"),
        ("Vitamin C in critical illness", "Vitamin D in critical illness"),
        ("Teaching data structures in C", "Teaching data structures in C++"),
        ("Supervised learning of word alignment", "Unsupervised learning of word alignment"),
        ("Effects of nitrate on rice growth", "Effects of nitrite on rice growth"),
        ("Attention is all you need", "Comment on: Attention is all you need"),
        ("Attention is all you need", "Expression of Concern: Attention is all you need"),
        ("Cancer statistics, 2019", "Cancer statistics, 2020"),
        ("Effects of β-tocopherol on lipid oxidation", "Effects of $\\gamma$-tocopherol on lipid oxidation"),
        ("Effects of $\\beta$ decay on lipid oxidation", "Effects of $\\alpha$ decay on lipid oxidation"),
        ("深度学习在医学图像分割中的应用", "深度学习在医学图像分类中的应用"),
        ("Effects of tamorin on rats", "Effects of amorin on rats"),
        ("Abstract interpretation of tensor programs", "Interpretation of tensor programs"),
        ("Sketching sparse tensors. Vol. 1. Springer", "Sketching sparse tensors. Vol. 2. Springer"),
        ("C++", "C#"), (".NET", "Go"),
        ("Глубокое обучение", "Машинное обучение"),
    ],
)  # fmt: skip
def test_titles_that_differ_in_what_counts_are_different_papers(one: str, other: str) -> None:
    """Numbers, letters, opposites, substances and notices, in every script; by the same authors in the same year."""
    assert not titles_are_one(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Water policy and farming in Iran", "Water policy and farming in Iraq"),
        ("Learning from noisy labels in clinical imaging", "Federated learning from noisy labels in clinical imaging"),
        ("A benchmark of language understanding: CLUE", "A benchmark of language understanding: CBLUE"),
    ],
)
def test_two_known_words_are_two_words(one: str, other: str) -> None:
    """By the same authors, in the same year or the next; a model may decide, and an unknown word is a typing error."""
    for year in (2020, 2021):
        found = deduplicate([record("a", one), record("b", other, year=year)])
        assert (len(found.groups), found.undecided) == (2, (("a", "b"),))
    assert titles_are_one(one, one.replace("e", "ee", 1))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TITLE, "AUGMENTING LARGE-LANGUAGE MODELS WITH CHEMISTRY TOOLS."),
        (TITLE, "<i>Augmenting</i> Large Language Models &nbsp; with {C}hemistry Tools"),
        ("The $\\lambda$-calculus with $\\Sigma$-types", "The λ-calculus with Σ-types"),
        ("Über die Größe der Quanten", "Uber die \\emph{Gr{\\'o}sse} der Quanten"),
        ("Tensorama: a server for tensor sketches", "A server for tensor sketch"),
        ("Attention is all you need", "RETRACTED ARTICLE: Attention is all you need"),
        ("Deep graph learning", "Deep graph learning: Tensorama"),
        ("Index research (panel session): forest or trees", "Index research: forest or the trees"),
        (f"{TITLE} for many students of science", f"{TITLE} for many students of"),
        ("Maintaining data bases of long lived records", "Maintaining databases of long-lived records"),
        ("Deep unsupervised learning on a very large", "Deep unsupervised learning on a very large corpus of text"),
        ("C++", "c++"), ("深度学习综述", "深度学习综述。"), ("Глубокое обучение", "ГЛУБОКОЕ ОБУЧЕНИЕ"),
    ],
)  # fmt: skip
def test_one_title_is_one_in_several_spellings(one: str, other: str) -> None:
    """Case, punctuation, markup, accents, spaces, inflections and a cut end do not count, where the authors agree."""
    assert titles_are_one(one, other)


def test_published_dois_contradict_each_other_and_preprints_do_not() -> None:
    """A preprint of any server is a version of the publication; a second publication is another paper."""
    published = record("a", ids=PUBLISHED)
    assert all_apart([published, record("b", ids={"doi": "10.1145/3292500"})])
    dois = ("10.1101/2023.04.11.536123", "10.2139/ssrn.4412345", "10.5281/zenodo.123", "10.31219/osf.io/ab3cd")
    for doi in (*dois, "10.5194/acp-2019-123"):
        assert are_one(published, record("b", ids={"doi": doi}, year=2019)), doi
    for doi in ("10.1101/gr.123456.120", "10.5194/acp-20-1-2020"):
        assert all_apart([published, record("b", ids={"doi": doi})])
    assert are_one(*(record(number, ids={"doi": f"10.5281/zenodo.{number}"}) for number in ("123", "124")))


def test_a_component_that_holds_a_contradiction_stays_undecided_as_a_whole() -> None:
    """The record without identifiers may be either of the two publications, unless one alone is of its year."""
    both = [record("a", ids=PUBLISHED), record("b", ids={"doi": "10.1145/3292500"})]
    found = deduplicate([*both, record("c")])
    assert all_apart([*both, record("c")])
    assert found.undecided == (("a", "b", "c"),)
    dated = [record("a", year=2000), record("b", year=None), record("c", year=2020)]
    assert all_apart(dated)
    for year in (2019, 2021):
        near = record("b", ids={"doi": "10.1145/3292500"}, year=year)
        assert groups(both[0], near, record("c")) == {frozenset("ac"), frozenset("b")}


def test_each_group_says_why() -> None:
    """In plain words, with the identifier or the years."""
    (group,) = deduplicate([record("a", year=2020), record("b", year=2021)]).groups
    assert group.reasons == ("same title and authors, years 2020 and 2021",)
    (group,) = deduplicate([record("a", ids={"doi": "10.1000/X"}), record("b", "Other", {"doi": "10.1000/x"})]).groups
    assert group.reasons == ("same DOI 10.1000/x",)


def merged(*records: Record) -> MergedPaper:
    """Return the one paper of these records."""
    (group,) = deduplicate(records).groups
    return group.merged


def test_every_field_comes_from_the_record_that_knows_it_best() -> None:
    """Abstract, PDF and identifiers of a record that is not the preferred one stay, and its authors if they are all."""
    cut = ("A. Bran", "S. Cox", "et al.")
    facts = {"abstract": "The longest abstract.", "pdf_url": "https://x.org/p", "open_access": True, "retracted": True}
    paper = merged(
        record("a", TITLE.upper(), PUBLISHED, source="crossref", citations=9, abstract="Short.", retracted=False),
        record("b", TITLE, {**PUBLISHED, "openalex": "W1"}, source="openalex", citations=3, authors=cut),
        record("c", TITLE, {"pmid": "7"}, source="europe_pmc", **facts),
    )
    best = paper.paper
    assert (best.title, best.citations, *(getattr(best, name) for name in facts)) == (TITLE, 9, *facts.values())
    assert "et al." not in best.authors
    assert best.ids == PaperIds(**PUBLISHED, openalex="W1", pmid="7")
    assert paper.sources == ("openalex", "crossref", "europe_pmc")
    expected = {"title": "openalex", "doi": "openalex", "pmid": "europe_pmc", "citations": "crossref"}
    assert expected.items() <= paper.provenance.items()
    assert "venue" not in paper.provenance


def test_the_type_is_that_of_crossref_where_others_have_an_article() -> None:
    """They have papers of conferences as articles too; what the user says, and what says more, stands."""
    conference = record("b", ids=PUBLISHED, type="conference")
    for source, expected in (("openalex", "conference"), ("library", "article")):
        assert merged(record("a", ids=PUBLISHED, source=source, type="article"), conference).paper.type == expected
    article = record("a", ids=PUBLISHED, source="openalex", type="article")
    early, vague = record("b", ids={"arxiv": "2304.05376"}, type="preprint"), record("b", ids=PUBLISHED, type="other")
    assert merged(article, early).paper.type == merged(article, vague).paper.type == "article"
    review = record("a", ids=PUBLISHED, source="openalex", type="review")
    assert merged(review, record("b", ids=PUBLISHED, type="article")).paper.type == "review"


def test_every_identifier_of_a_paper_is_kept() -> None:
    """Of each system the best record's, and beside them those that other records have."""
    named = (
        record("a", ids={**PUBLISHED, "other": {"library": "b/1"}}),
        record("b", ids={"other": {"library": "a/2"}}),
    )
    paper = merged(*named)
    assert {ids.other["library"] for ids in (paper.paper.ids, *paper.ids)} == {"b/1", "a/2"}
    assert len(paper.ids) == 1


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
    early: dict[str, Any] = {"doi": "10.1101/2023.04.11.536123"}
    preprint = record("a", ids=early, source="openalex", year=2019, type="preprint")
    published = record("b", ids=PUBLISHED, source="crossref", year=2020, venue="Nature")
    paper = merged(preprint, published)
    assert (paper.paper.year, paper.paper.venue, paper.paper.ids) == (2020, "Nature", PaperIds(**PUBLISHED))
    assert paper.ids == (PaperIds(**early),)
    assert [(each.year, each.doi) for each in paper.versions] == [(2020, PUBLISHED["doi"]), (2019, early["doi"])]
    assert merged(published).versions == ()
    alone = record("a", source="openalex", year=2019, type="preprint")  # of a server that gives no identifier
    assert merged(alone, published).paper.year == 2020
