"""A library answers queries as people type them, in any script, and says plainly what is wrong with a file or query."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from goldpan.errors import Misconfigured, NotFound
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import NO_FILTERS, LibraryFilters, LibraryPaper
from goldpan.kinds.papers.sources.library.query import read_query
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.paper_fakes import collect

PAPERS = (
    LibraryPaper(
        id="distilling",
        title="Distilling the knowledge in a neural network",
        authors=("Hinton, Geoffrey E.", "Vinyals, Oriol", "Dean, Jeff"),
        year=2015,
        venue="NeurIPS",
        tags=("compression", "to read"),
        abstract="A very simple way to improve a model is to train many models and average their predictions.",
    ),
    LibraryPaper(
        id="pruning",
        title="A survey of pruning",
        authors=("Lee, Ada",),
        year=2021,
        venue="Journal of Connections",
        abstract="Pruning removes connections of a neural network; we compare optimization methods in C++ and C#.",
        tags=("survey",),
    ),
    LibraryPaper(id="oslo", title="Forêts aléatoires", authors=("Søren Łukasz",), summary="Notes on random forests"),
    LibraryPaper(id="japanese", title="深層学習による機械翻訳", year=2021),
    LibraryPaper(id="thai", title="การเรียนรู้ของเครื่อง"),
    LibraryPaper(id="framework", title="The ASP.NET runtime", abstract="Parkinson\u2019s disease, of all things"),
    LibraryPaper(id="average", title="Weighted means", abstract="Neural, neural and neural again: average it."),
)


@pytest.fixture(scope="module")
def index() -> LibraryIndex:
    """Index the papers in memory."""
    return LibraryIndex.of_papers(PAPERS, "mine")


def ids(index: LibraryIndex, query: str, **filters: object) -> list[str]:
    """Return the ids that a query finds, best first."""
    return [hit.paper.id for hit in index.search(query, filters=LibraryFilters.model_validate(filters)).results]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("pruning", {"pruning"}), ('"neural network"', {"distilling", "pruning"}), ('"network neural"', set()),
        ("\u201cneural network\u201d -survey", {"distilling"}), ("predictions OR forests", {"distilling", "oslo"}),
        ("neural NOT network", {"average"}), ("neural -(pruning OR means)", {"distilling"}),
        ("neural -(pruning means)", {"distilling"}), ("NOT (survey pruning) neural", {"distilling", "average"}),
        ("(pruning OR predictions) AND neural", {"distilling", "pruning"}), ("+pruning neural", {"pruning"}),
        ("optimi*", {"pruning"}), ("author:hinton", {"distilling"}), ('author:"Geoffrey Hinton"', {"distilling"}),
        ('author:"Geoffrey Vinyals"', set()), ('author:"G Hinton"', {"distilling"}),
        ('author:"Hinton E"', {"distilling"}),
        ("year:2021", {"pruning", "japanese"}), ("year:2023..2020", set()), ("YEAR:0..2015", {"distilling"}),
        ("深", {"japanese"}), ("訳", {"japanese"}), ("機械による翻訳学習", {"japanese"}), ("PRUNING", {"pruning"}),
        ('"parkinson\'s disease"', {"framework"}), ('"ASP .NET runtime"', {"framework"}), ('-"Connections of"', set()),
        ("NOT (survey (means) pruning) neural", {"distilling"}), ('neural -"average it"', {"distilling", "pruning"}),
        ("-venue:nips -year:2021 neural", {"average"}), ("year:2015 year:2021 neural", {"distilling", "pruning"}),
        ("neural && predictions", {"distilling"}), ("(neural OR zebra) -survey", {"distilling", "average"}),
        ("the AND predictions", {"distilling"}), ("neural AND NOT network", {"average"}), ("note: forests", {"oslo"}),
        ('"remov"* connections', {"pruning"}), ("AND: neural", {"distilling", "pruning", "average"}),
        ('methods prune neural networks until "a survey of graphs" runs faster today on small cheap mobile phones',
         {"distilling", "pruning", "average"}),
        ("author:lukasz OR author:lee", {"oslo", "pruning"}),
        ("venue:neurips neural", {"distilling"}), ("venue:connection", set()), ('tag:"to read"', {"distilling"}),
        ("year:2020..2023", {"pruning", "japanese"}), ("year:..2015 neural", {"distilling"}),
        ("year:2016.. -author:lee", {"japanese"}), ("C++", {"pruning"}), (".net", {"framework"}),
        ("parkinson", {"framework"}), ("FORE\u0302TS aléatoires", {"oslo"}), ("pruníng", {"pruning"}),
        ("機械翻訳", {"japanese"}), ("学習", {"japanese"}), ("เรียน", {"thai"}), ("(pruning", {"pruning"}),
        ('"pruning', {"pruning"}), ("zebra", set()),
    ],
)  # fmt: skip
def test_a_query_finds_what_its_writer_means(index: LibraryIndex, query: str, found: set[str]) -> None:
    """Words, phrases, operators, prefixes, filters and scripts."""
    assert set(ids(index, query)) == found
    assert index.search(query, limit=1).count == len(found)


@pytest.mark.parametrize("query", ["!?* (\" '", "🚀", "AND", "NOT", "-pruning", '""', "(((("])
def test_a_query_without_words_finds_nothing_and_says_so(index: LibraryIndex, query: str) -> None:
    """No error, and no list of everything."""
    result = index.search(query)
    assert (result.count, result.results) == (0, ())
    assert "no words to search for" in result.notes[0]


SIGNS = st.sampled_from(
    ['"', "(", ")", " ", "-", "+", "*", ":", "AND ", " OR ", " NOT ", "author:", "year:", "NEAR(", "^", "a",
     "neural", "本", "2020", "..", "<", "{", "'", "\\", "\x00", "é", "🚀", "ก", "\u0301", "#", ".net"]
)  # fmt: skip


@settings(max_examples=200)
@given(query=st.one_of(st.lists(SIGNS, min_size=1, max_size=60).map("".join), st.text(min_size=1, max_size=500)))
def test_no_query_is_a_syntax_error(index: LibraryIndex, query: str) -> None:
    """Whatever is typed, there is a result."""
    result = index.search(query.encode("utf-8", "replace").decode())
    assert result.count >= len(result.results)


def test_500_signs_nested_as_deep_as_they_go_are_no_error(index: LibraryIndex) -> None:
    """Neither the reader of queries nor SQLite's runs out of its stack."""
    for query in ("(a OR " * 83, "(" * 500, "a AND (b OR " * 41, '"a" ' * 125, "a* " * 166, "-a " * 166):
        index.search(query[:500])


def test_filters_of_a_request_hold_beside_the_words(index: LibraryIndex) -> None:
    """All authors and tags, one of the venues, and the years."""
    assert ids(index, "neural", authors=["Hinton"]) == ["distilling"]
    assert ids(index, "neural", venues=["Neural Information Processing Systems", "icml"], tags=["compression"]) == [
        "distilling"
    ]
    assert ids(index, "neural", year_from=2016) == ["pruning"]
    assert ids(index, "neural", tags=["!"]) == ids(index, "neural", venues=["!"]) == []
    queries = ("neural network", "neural -survey", "neural -survey +network")
    allowed = [index.allowed(read_query(query, NO_FILTERS)) for query in queries]
    assert [found and len(found) for found in allowed] == [None, len(PAPERS) - 1, 1]


def test_papers_with_more_of_the_words_come_first(index: LibraryIndex) -> None:
    """A word that is repeated does not outweigh one that is missing, however rare it is; scores say the order."""
    hits = index.search("neural pruning").results
    assert hits[0].paper.id == "pruning"
    assert len(hits) == 3
    for values in ([hit.score for hit in hits], [hit.relevance for hit in hits]):
        assert values == sorted(values, reverse=True)
        assert min(values) > 0
    assert max(hit.relevance for hit in hits) <= 1
    assert len({round(hit.score / hit.relevance, 1) for hit in hits}) == 1
    halves = LibraryIndex.of_papers([LibraryPaper(id="1", title="Attention"), LibraryPaper(id="2", title="Graphs")])
    (half,) = halves.search("attention rnn").results
    assert half.relevance > 0.1, "a word that half of the papers have"
    filler = [LibraryPaper(id=f"other{number}", title=f"Neural model {number}") for number in range(30)]
    both = LibraryPaper(id="both", title="On models", abstract="Here a neural one, there a note on pruning of it.")
    one = LibraryPaper(id="one", title="Pruning", abstract="Pruning, pruning and pruning.", summary="Pruning")
    assert ids(LibraryIndex.of_papers([both, one, *filler]), "neural pruning")[0] == "both"


def written(path: Path) -> Path:
    """Write a library of many papers."""
    papers = (LibraryPaper(id=str(n), title=f"paper {n}", abstract="words " * 50) for n in range(200))
    return collect(path.parent, path.stem, papers)


def execute(path: Path, statement: str) -> None:
    """Run a statement in a database."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.write_text("not a database, but some text of a certain length" * 9), "not a library"),
        (lambda path: execute(path, "CREATE TABLE a (b)"), "not a library"),
        (lambda path: execute(written(path), "PRAGMA user_version = 99"), "version 99"),
        (lambda path: os.truncate(written(path), path.stat().st_size // 2), "damaged"),
        (lambda path: path.write_bytes(b""), "No papers collected yet"),
        (lambda _path: None, "No papers collected yet"),
    ],
)
def test_a_file_that_cannot_be_searched_is_named(tmp_path: Path, make: object, reason: str) -> None:
    """One clear error, with the file."""
    path = tmp_path / "mine.sqlite"
    make(path)  # type: ignore[operator]
    with pytest.raises(NotFound if "No papers" in reason else Misconfigured, match=reason) as raised:
        LibraryIndex.open(path)
    assert str(path) in str(raised.value)


def test_a_file_is_complete_in_itself_and_opens_where_nothing_may_be_written(tmp_path: Path) -> None:
    """A copy of the one file is the library, as on AWS, also one of an older goldpan; others cannot read it."""
    path = written(tmp_path / "mine.sqlite")
    assert path.stat().st_mode & 0o077 == 0
    execute(path, "PRAGMA user_version = 1")
    assert [each.name for each in tmp_path.iterdir()] == ["mine.sqlite"]
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert LibraryIndex(connection, "mine", path).search("paper 7").results[0].paper.id == "7"
    with LibraryIndex.open(path) as index:
        assert (index.project, index.count) == ("mine", 200)
        assert [paper.id for paper in index.papers(["7", "none", "3"])] == ["7", "3"]


def test_what_a_killed_import_left_is_rolled_back(tmp_path: Path) -> None:
    """A file that was cut off while SQLite changed its header, with the journal beside it, opens as it was before."""
    whole, cut = collect(tmp_path, "whole", PAPERS), tmp_path / "cut" / "whole.sqlite"
    cut.parent.mkdir()
    with closing(sqlite3.connect(whole, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # written before the commit
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE papers SET title = printf('%.*c', 9000, 'x')")
        for each in (whole, whole.with_name("whole.sqlite-journal")):
            shutil.copy(each, cut.parent)
    with LibraryIndex.open(cut) as index:
        assert [hit.paper.title for hit in index.search("pruning").results] == ["A survey of pruning"]
