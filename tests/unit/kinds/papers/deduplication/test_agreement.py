"""What words, authors and titles have in common: the grades that the decision about two records rests on."""

from __future__ import annotations

import pytest
from goldpan.kinds.papers.deduplication.agreement import Agreement, agreement, are_different, is_variant
from goldpan.kinds.papers.deduplication.authors import Shared, compare, read_names
from goldpan.kinds.papers.deduplication.titles import read_title

TITLE = "Gradient sketching for sparse tensor networks"
CONTEXT = frozenset({"cox", "schwaller", "2020"})


@pytest.mark.parametrize(
    ("pairs", "different", "variant"),
    [
        ("supervised unsupervised, nitrate nitrite, ethanol ethanal, methane methene, alpha beta", True, False),
        ("regular irregular, hypertension hypotension, macroscopic microscopic, able unable", True, False),
        ("nitrate nitrates, model models, network networking, behaviour behavior, sketch sketsh", False, True),
        ("optimisation optimization, gradients gredientz", False, True),
        ("ate late, ethane butane, classify classified, graph grape, sketch skatsh, large medium", False, False),
        ("gradient gredientz, set sets, method b2", False, False),
    ],
)
def test_forms_of_a_word(pairs: str, *, different: bool, variant: bool) -> None:
    """Inflections and misspellings, as many as its length allows, and look-alikes of another meaning."""
    for pair in pairs.split(", "):
        one, other = pair.split()
        assert (are_different(one, other), are_different(other, one)) == (different, different), pair
        assert (is_variant(one, other), is_variant(other, one)) == (variant, variant), pair


@pytest.mark.parametrize(
    ("ones", "others", "shared"),
    [
        ("Ada Lovelace", "A. Lovelace", "MOST"),
        ("Ada Lovelace", "Lovelace", "MOST"),
        ("Ada Lovelace", "Lovelace Ada", "MOST"),
        ("Ada Lovelace", "Ada Lovelasse", "MOST"),
        ("Ada Lovelace", "Ada Lovelassen", "CONFLICT"),
        ("Ada Lovelace", "Ada King-Lovelace", "MOST"),
        ("Ada Smith", "Ada Smyth", "MOST"),
        ("Ada Smith", "Ada Smythe", "CONFLICT"),
        ("Ada King", "Ada Kong", "CONFLICT"),
        ("Ada Lovelace", "Augusta Lovelace", "SOME"),
        ("Ada Lovelace", "Bob Lovelace", "SOME"),
        ("Ada B. Lovelace", "B. Lovelace", "MOST"),
        ("Katerina Lovelace", "Katarina Lovelace", "MOST"),
        ("Katerina Jane Lovelace", "Kristof Jane Lovelace", "MOST"),
        ("Jürgen Müller", "J. Mueller", "MOST"),
        ("Ada Lovelace", "Charles Babbage", "CONFLICT"),
        ("Ada Lovelace", "李明", "UNKNOWN"),
        ("Ada Lovelace", "University of X", "UNKNOWN"),
        ("Ada Lovelace", "X", "UNKNOWN"),
        ("Ada Lovelace; Charles Babbage", "Charles Babbage; Ada Lovelace", "MOST"),
        ("Ada Lovelace; B. Two; C. Three; D. Four", "Ada Lovelace; E. Five", "MOST"),
        ("Ada Lovelace; B. Two; C. Three; D. Four", "Ada Lovelace; E. Five; F. Six", "SOME"),
        ("B. Two; Ada Lovelace; C. Three; D. Four", "Ada Lovelace; E. Five", "SOME"),
    ],
)
def test_lists_of_authors(ones: str, others: str, shared: str) -> None:
    """Initials, order, misspellings, double names, scripts, and how many of a list are the same."""
    left, right = (read_names(names.split("; ")) for names in (ones, others))
    assert (compare(left, right), compare(right, left)) == (Shared[shared], Shared[shared])


@pytest.mark.parametrize(
    ("title", "marks"),
    [
        ("A history, part IV", "4"),
        ("A history, volume XXIX and chapter XIV", "14 29"),
        ("World war II in 1944 and the third VIII", "1944 2 3 8"),
        ("Vitamin C and plan a", "a c"),
        ("Vitamin V in winter", "v"),
        ("Part I of a course", "1"),
        ("Teaching C++ and .NET", ".net c++"),
        ("Kant's proof of 007", "7"),
    ],
)
def test_numbers_and_letters_of_a_title(title: str, marks: str) -> None:
    """Digits, ordinals and roman numerals as numbers; a letter alone is a name, not an article."""
    assert " ".join(read_title(title).marks) == marks


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (TITLE, f"{TITLE.upper()}!", "EXACT"),
        (TITLE, "Gradients sketching of sparse tensor network", "WORDS"),
        (TITLE, "Gradient sketching for sprase tensor networks", "WORDS"),
        (TITLE, f"{TITLE}, 2020", "WORDS"),
        (TITLE, f"Cox Schwaller 2020 {TITLE}", "WORDS"),
        (TITLE, "Gradient sketching for sparse tensor", "SPELLING"),
        (TITLE, "Gradient sketching for dense tensor networks", "CLOSE"),
        (TITLE, "Gradient sketching for dense matrix networks", "NONE"),
        (TITLE, f"{TITLE} 2", "NONE"),
        (TITLE, f"Comment on: {TITLE}", "NONE"),
        (TITLE, "", "NONE"),
        ("", "", "NONE"),
        ("Deep graph learning", "Deep graph learning: a survey of methods", "CONTAINED"),
        ("Deep graph learning", "Adaptive deep graph learning", "CLOSE"),
        ("Deep graph learning of trees", "Adaptive deep graph learning of trees", "CLOSE"),
        ("Deep graph learning of trees, more cases", "Adaptive deep graph learning of trees, more cases", "SPELLING"),
        ("Deep learning", "Deep learning of graphs", "NONE"),
        ("Vitamin C in illness", "Vitamin D in illness", "NONE"),
        ("深度学习综述方法", "深度学习综述方案", "CLOSE"),
    ],
)
def test_titles_agree_to_a_degree(one: str, other: str, found: str) -> None:
    """From the same letters to another subject, whichever of the two comes first."""
    left, right = read_title(one), read_title(other)
    assert (agreement(left, right, CONTEXT), agreement(right, left, CONTEXT)) == (Agreement[found], Agreement[found])
