"""What words, authors and titles have in common: the grades that the decision about two records rests on."""

import pytest
from goldpan.kinds.papers.deduplication.agreement import Agreement, agreement
from goldpan.kinds.papers.deduplication.authors import Shared, compare, read_names
from goldpan.kinds.papers.deduplication.titles import read_title

TITLE = "Gradient sketching for sparse tensor networks"
LONG = f"{TITLE} of unweighted graphs of so remarkably many"
CONTEXT = frozenset({"cox", "schwaller", "2020"})


@pytest.mark.parametrize(
    ("ones", "others", "shared"),
    [
        ("Ada Lovelace", "A. Lovelace", "MOST"), ("Ada Lovelace", "Lovelace Ada", "MOST"),
        ("Ada Lovelace", "Ada Lovelasse", "MOST"), ("Ada Lovelace", "Ada Lovelassen", "CONFLICT"),
        ("Ada Lovelace", "Ada King-Lovelace", "MOST"), ("Ada King", "Ada Kong", "CONFLICT"),
        ("Ada Lovelace", "Augusta Lovelace", "SOME"), ("Ada Lovelace", "Bob Lovelace", "SOME"),
        ("Ada B. Lovelace", "B. Lovelace", "MOST"), ("Katerina Lovelace", "Katarina Lovelace", "MOST"),
        ("Katerina Jane Lovelace", "Kristof Jane Lovelace", "MOST"), ("Jürgen Müller", "J. Mueller", "MOST"),
        ("Ada Lovelace", "Charles Babbage", "CONFLICT"), ("Ada Lovelace", "李明", "UNKNOWN"),
        ("Ada Lovelace", "University of X", "UNKNOWN"),
        ("Ada Lovelace; Charles Babbage", "Charles Babbage; Ada Lovelace", "MOST"),
        ("Ada Lovelace; B. Two; C. Three; D. Four", "Ada Lovelace; E. Five", "MOST"),
        ("Ada Lovelace; B. Two; C. Three; D. Four", "Ada Lovelace; E. Five; F. Six", "SOME"),
        ("B. Two; Ada Lovelace; C. Three; D. Four", "Ada Lovelace; E. Five", "SOME"),
        ("王, 伟", "李, 明", "CONFLICT"), ("Ada Lovelace; A. Lovelace", "Ada Lovelace; C. Babbage; D. Four", "MOST"),
        ("Ada M. Lovelace; Bo Two", "Lovelace, Ada M.; Two, Bo", "MOST"),
        ("Ada M. Lovelace; Bo Two", "Lovelace AM; Two B", "MOST"),
        ("Andres M. Lovelace; Bo Two; Cy Three", "Andrés M Lovelace; et al.", "MOST"),
    ],
)  # fmt: skip
def test_lists_of_authors(ones: str, others: str, shared: str) -> None:
    """Initials, order, accents, misspellings, double names, scripts, lists cut short, and how many are the same."""
    left, right = (read_names(names.split("; ")) for names in (ones, others))
    assert (compare(left, right), compare(right, left)) == (Shared[shared], Shared[shared])


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (TITLE, "Gradients sketching of sparse tensor network", "WORDS"),
        (TITLE, "Gradient sketching for sprase tensor networks", "WORDS"),
        (TITLE, f"Cox Schwaller 2020 {TITLE}", "WORDS"),
        (TITLE, "Gradient sketching for sparse tensor", "CLOSE"),
        (TITLE, "Gradient sketching for sparse tensor…", "CONTAINED"),
        (TITLE, "Gradient sketching for sparze tensor networks", "WORDS"),
        (TITLE, "Gradientsketching of sparse tensor net works", "WORDS"),
        ("Tensorama: a server for tensor sketches", "A server for tensor sketches", "CONTAINED"),
        (TITLE, "Gradient sketching for dense tensor networks", "CLOSE"),
        (TITLE, "Gradient sketching for dense matrix networks", "NONE"),
        ("", "", "NONE"),
        ("Deep graph learning", "Deep graph learning: a survey of methods", "CONTAINED"),
        ("Deep graph learning of trees", "Adaptive deep graph learning of trees", "CLOSE"),
        ("Deep learning", "Deep learning of graphs", "NONE"),
        (f"{LONG} kinds", LONG, "CONTAINED"),
        (f"{TITLE} on rare graphs of animals", f"{TITLE} on rare maps of plants", "CLOSE"),
        ("Sketching of gradients for tensors", "For tensors, sketching of gradients", "WORDS"),
        ("Characterization of sparse tensors", "Charakterizatiom of sparse tensors", "WORDS"),
    ],
)
def test_titles_agree_to_a_degree(one: str, other: str, found: str) -> None:
    """From the same letters to another subject, whichever of the two comes first."""
    left, right = read_title(one), read_title(other)
    assert (agreement(left, right, CONTEXT), agreement(right, left, CONTEXT)) == (Agreement[found], Agreement[found])
