"""Tests of the hybrid search of a library."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from goldpan.errors import CredentialRejected, Unavailable
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import NO_FILTERS, LibraryFilters, LibraryPaper
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

from tests.support.loopback.llm import HashedEncoder
from tests.support.paper_fakes import collect, open_libraries

SYNONYMS = {"automobile": "car", "automobiles": "car", "cars": "car"}
PAPERS = (
    LibraryPaper(id="cars", title="Cars of tomorrow", abstract="How cars drive themselves.", year=2020),
    LibraryPaper(id="autos", title="Automobiles", abstract="Safety of automobiles.", year=2010),
    LibraryPaper(id="cats", title="Cats", abstract="Cats sleep all day.", summary="They do not drive.", year=2020),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Import three papers into a file."""
    return collect(tmp_path, "mine", PAPERS)


def open_hybrid(path: Path, encoder: Encoder, made_by: Encoder | None = None) -> HybridIndex:
    """Open the file with an encoder, after the same one has encoded its papers by default."""
    with LibraryWriter.open(path) as writer:
        encode_library(writer, made_by or encoder)
    return HybridIndex(LibraryIndex.open(path), encoder)


def test_a_paper_is_found_by_its_meaning(path: Path) -> None:
    """It has none of the words; what has the words too comes first, and the result says which encoder took part."""
    found = open_hybrid(path, HashedEncoder(synonyms=SYNONYMS)).search("cars")
    assert [hit.paper.id for hit in found.results][:2] == ["cars", "autos"]
    assert found.encoder == "hashed"
    assert found.notes == ()
    assert found.count >= 2
    first, second = found.results[:2]
    assert 1 >= first.relevance >= second.relevance > 0
    assert first.score > second.score == 0
    assert "**" in first.excerpt
    assert second.excerpt.startswith("Automobiles")


def test_a_subject_that_the_library_lacks_is_not_found(path: Path) -> None:
    """The nearest passage by the shipped table may be about something else altogether."""
    hybrid = open_hybrid(path, shipped_table())
    assert hybrid.search("quantum chromodynamics").results == ()
    assert hybrid.chunks("quantum chromodynamics")[0] == []
    assert [hit.paper.id for hit in hybrid.search("vehicle").results][:1] != ["cats"]


def test_filters_and_exclusions_hold_for_vectors_too(path: Path) -> None:
    """A near paper that the query or the filters rule out is not found by its vector either."""
    hybrid = open_hybrid(path, encoder := HashedEncoder(synonyms=SYNONYMS))
    assert "autos" not in {hit.paper.id for hit in hybrid.search("cars", 10, LibraryFilters(year_from=2015)).results}
    assert "autos" not in {hit.paper.id for hit in hybrid.search("cars -safety").results}
    assert encoder.texts[-1] == "cars"
    assert "autos" not in {hit.paper.id for hit in hybrid.search('"cars drive"').results}


def test_a_table_adds_papers_after_those_of_the_words(path: Path) -> None:
    """However near a paper is by a sum over words, those that have the words come before it."""
    encoder = HashedEncoder(synonyms={**SYNONYMS, "drive": "car"}, is_summed=True)
    hybrid = open_hybrid(path, encoder)
    before, enough = len(encoder.texts), hybrid.search("drive", 1)
    assert (enough.results[0].paper.id, enough.encoder) == (hybrid.index.search("drive").results[0].paper.id, "hashed")
    assert hybrid.chunks("drive", 1)[0][0].document == enough.results[0].paper.id
    assert len(encoder.texts) == before
    found = [hit.paper.id for hit in hybrid.search("drive").results]
    by_words = [hit.paper.id for hit in hybrid.index.search("drive").results]
    assert found == [*by_words, "autos"]


@pytest.mark.parametrize("failure", [Unavailable("no answer"), CredentialRejected("EMBEDDING_API_KEY: rejected")])
def test_without_the_endpoint_the_words_decide(path: Path, failure: Exception) -> None:
    """The result is that of the words, and a note says why; passages are given all the same."""

    def fail(_: Sequence[str]) -> None:
        raise failure

    hybrid = open_hybrid(path, HashedEncoder(refuse=fail), made_by=HashedEncoder())
    found, by_words = hybrid.search("cars"), hybrid.index.search("cars")
    assert found.results == by_words.results
    assert (found.count, found.encoder) == (by_words.count, None)
    assert found.notes == (f"Words alone decided: {failure}.",)
    assert hybrid.chunks("cars")[0][0].document == "cars"


def test_vectors_of_another_encoder_are_not_compared(path: Path) -> None:
    """The note names both."""
    found = open_hybrid(path, HashedEncoder("new"), made_by=HashedEncoder("old")).search("cars")
    assert found.encoder is None
    assert found.notes == ("Words alone decided: the library has vectors of old, none of new.",)


def test_an_import_is_seen_by_the_next_search(path: Path) -> None:
    """Papers without vectors yet are found by words, and a note counts them; then they are found by meaning."""
    encoder = HashedEncoder(synonyms=SYNONYMS)
    libraries = open_libraries(path.parent, encoder)
    with LibraryWriter.open(path) as writer:
        encode_library(writer, encoder)
        libraries.search("mine", "cars", 10, NO_FILTERS)
        note = "Automobile repair. " + "Dogs bark. " * 300
        writer.replace_origin("more.json", "1", [LibraryPaper(id="late", title="Automobile late", summary=note)])
        found = libraries.search("mine", "cars", 10, NO_FILTERS)
        assert "late" not in {hit.paper.id for hit in found.results}
        assert found.notes == ("1 paper without vectors so far; found by words alone.",)
        encode_library(writer, encoder)
        excerpts = {hit.paper.id: hit.excerpt for hit in libraries.search("mine", "cars", 10, NO_FILTERS).results}
        assert excerpts["late"].startswith("Automobile late Automobile repair. Dogs"), "the nearest passage"


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ('deep "cars drive" -survey year:2020..', "deep cars drive"),
        ("cats AND (dogs OR sleep) NOT fish*", "cats dogs sleep"),
    ],
)
def test_the_encoder_gets_only_the_search_terms(path: Path, query: str, terms: str) -> None:
    """Exclusions, filters and operators are not part of the meaning."""
    open_hybrid(path, encoder := HashedEncoder()).search(query)
    assert encoder.texts[-1] == terms


def test_a_filter_alone_leaves_the_order_to_the_words(path: Path) -> None:
    """Nothing else has a meaning to compare."""
    hybrid = open_hybrid(path, encoder := HashedEncoder())
    asked = len(encoder.texts)
    assert {hit.paper.id for hit in hybrid.search("year:2020").results} == {"cars", "cats"}
    assert len(encoder.texts) == asked
