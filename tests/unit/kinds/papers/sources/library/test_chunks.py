"""Tests of the passages of a paper and of its citation."""

from itertools import pairwise
from typing import Any

import pytest
from goldpan.kinds.papers.sources.library.chunks import (
    calibrate_scores,
    citation,
    fuse,
    pages_of,
    rank_passages,
    split,
    text_of,
)
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from hypothesis import given
from hypothesis import strategies as st

from tests.support.paper_fakes import own_paper

SPACED, OTHER = ["word ", "Ende. ", "\n\n", "प्रश्न। ", "e\u0301 ", "  "], ["搜索引擎很快。", "ค้นหา", "x" * 70, "😀"]
PIECES = st.sampled_from([*SPACED, *OTHER])


def test_passages_are_cut_where_sentences_end_and_overlap_there() -> None:
    """A note of 60 sentences: none has more than 200 words, and each begins and ends with a sentence."""
    text = "A heading\n\n" + " ".join(f"Sentence {n} has just eight words, e.g. these." for n in range(60))
    passages = list(split(text))
    parts = [text[start:end] for start, end in passages]
    assert [len(part.split()) for part in parts] == [194, 200, 168]
    assert parts[0].startswith("A heading\n\nSentence 0")
    assert all(part.startswith("Sentence") and part.endswith("these.") for part in parts[1:])
    for (_, end), (start, _) in pairwise(passages):
        assert 20 <= len(text[start:end].split()) <= 40


def test_a_usual_abstract_is_one_passage() -> None:
    """Title and abstract together, without the spaces around them."""
    text = text_of(LibraryPaper(id="a", title="Cats", abstract=" ".join(["word"] * 230) + "\n", summary="  "))
    assert [text[start:end] for start, end in split(text)] == [text.strip()]


@given(st.lists(PIECES, max_size=600).map("".join))
def test_every_word_of_any_text_is_in_a_passage(text: str) -> None:
    """Offsets are exact, in order and bounded; what no passage has is space."""
    passages = list(split(text))
    covered = set[int]()
    for start, end in passages:
        assert text[start:end] == text[start:end].strip() != ""
        covered.update(range(start, end))
    assert not "".join(text[at] for at in range(len(text)) if at not in covered).strip()
    assert passages == sorted(set(passages))
    assert len(passages) <= 1 + len(text) / 100


def test_text_without_spaces_or_sentences_is_cut_too() -> None:
    """Chinese and Thai count two characters a word; a long string without any end is cut as well."""
    assert {end - start for start, end in split("搜索" * 1000)} == {400}
    assert len(list(split("ค" * 2000))) == 5
    assert max(end - start for start, end in split("x" * 20_000)) <= 7500


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"authors": ("Ada Cat", "et al."), "year": 2017, "venue": "ICML"}, "Cat et al. (2017). Why cats? ICML."),
        ({"doi": "10.1/x", "arxiv": "2101.1"}, "Why cats? doi:10.1/x"),
        ({"authors": ("Cat, Ada", "王小明"), "arxiv": "2101.1"}, "Cat and 王小明. Why cats? arXiv:2101.1"),
        ({"year": 2020, "url": "https://e.org/3"}, "(2020). Why cats? https://e.org/3"),
        ({}, "Why cats? [notes-0a1b]"),
        ({"venue": "Nature"}, "Why cats? Nature."),
    ],
)
def test_a_citation_names_what_is_known(facts: dict[str, Any], expected: str) -> None:
    """What is not known leaves no brackets and no stray points; a note is cited by its title and its id."""
    assert citation(own_paper("notes-0a1b", "Why\ncats?", **{"authors": (), "year": None, **facts})) == expected


def test_a_part_of_a_text_with_pages_names_them() -> None:
    """A form feed ends each page."""
    text = "one\ftwo\fthree"
    assert [pages_of(text, 0, end) for end in (3, 7)] == [" P. 1.", " Pp. 1-2."]
    assert (pages_of(text, 8, 13), pages_of("one", 0, 3)) == (" P. 3.", "")


def test_passages_are_ranked_by_words_and_by_meaning() -> None:
    """Each text once; those without any of the words have what the vectors say of them, and else are left out."""
    titles = {"cats": "Cats sleep", "twin": "Cats  sleep", "felines": "Felines doze", "dogs": "Dogs"}
    long = LibraryPaper(id="long", title="Notes", summary="Dogs bark. " * 4000 + "Cats sleep here.")
    papers = [*(LibraryPaper(id=name, title=title) for name, title in titles.items()), long]
    start, end = list(split(text_of(long)))[-1]
    close = {("felines", 0, 12): 0.4, ("long", start, end): 1.2}
    ranked = rank_passages("cats sleep", project="p", papers=papers, by_words=["twin", "cats"], close=close, weight=0.5)
    assert [chunk.document for chunk in ranked][1:] in (["twin", "felines"], ["long", "felines"])
    assert [chunk.score for chunk in ranked] == sorted((chunk.score for chunk in ranked), reverse=True)
    assert (ranked[0].score, ranked[-1].score) == (1, 0.4)
    texts = {paper.id: text_of(paper) for paper in papers}
    assert all(texts[chunk.document][chunk.start : chunk.end] == chunk.text for chunk in ranked)
    assert {chunk.project: chunk.citation for chunk in ranked[-1:]} == {"p": "Felines doze. [felines]"}


def test_rankings_are_fused_by_their_weights() -> None:
    """An item counts once in each; the values fall with the order, within 0 and 1."""
    assert fuse([(["a", "b", "a"], 1.0), (["b", "c"], 1.0), (["d"], 0.5)]) == ["b", "a", "c", "d"]
    assert calibrate_scores("xyz", {"x": 0.2, "y": 1.5, "z": -1.0}) == [("x", 1.0), ("y", 0.2), ("z", 0.0)]
