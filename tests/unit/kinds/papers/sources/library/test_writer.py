"""An import changes what changed, counts it, and leaves the library whole."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from goldpan.errors import Misconfigured
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.writer import Counts, LibraryWriter, add_results

from tests.support.fixed_papers import section
from tests.support.paper_fakes import own_paper

ONE, TWO = LibraryPaper(id="1", title="zebra stripes"), LibraryPaper(id="2", title="plain horse", year=10**30)


def found(path: Path, query: str) -> list[str]:
    """Return the ids that a query finds in a file."""
    with LibraryIndex.open(path) as index:
        return sorted(hit.paper.id for hit in index.search(query).results)


def test_a_second_import_changes_what_changed(tmp_path: Path) -> None:
    """Papers are added, changed, removed and left alone, the last one of an id; neither file nor index is damaged."""
    path = tmp_path / "new" / "mine.sqlite"
    changed = ONE.model_copy(update={"title": "okapi"})
    with LibraryWriter.open(path) as writer:
        assert writer.replace_origin("a.bib", "d1", [changed, TWO, ONE]) == Counts(added=2, duplicates=1)
        assert writer.replace_origin("a.bib", "d1", [ONE, TWO]) == Counts(unchanged=2)
    with LibraryWriter.open(path) as writer:
        papers = [changed, LibraryPaper(id="3", title="cat")]
        assert writer.replace_origin("a.bib", "d2", papers) == Counts(added=1, changed=1, removed=1)
        assert writer.origins() == {"a.bib": "d2"}
    with LibraryIndex.open(path) as index:
        assert (index.count, index.search("zebra").count) == (2, 0)
    assert [found(path, word) for word in ("zebra", "okapi", "cat", "horse")] == [[], ["1"], ["3"], []]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO texts (texts) VALUES ('integrity-check')")
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_paper_that_two_origins_have_is_not_lost_with_one_of_them(tmp_path: Path) -> None:
    """Where the later origin loses it, the earlier one is to be imported again."""
    path = tmp_path / "mine.sqlite"
    with LibraryWriter.open(path) as writer:
        writer.replace_origin("a", "1", [ONE])
        assert writer.replace_origin("b", "1", [ONE, TWO]) == Counts(added=1, unchanged=1)
        assert writer.replace_origin("a", "2", []) == Counts()
        assert writer.remove_origin("none") == Counts()
        writer.replace_origin("a", "1", [ONE])
        assert writer.remove_origin("a") == Counts(removed=1)
        assert writer.origins() == {"b": ""}


def test_an_import_that_fails_leaves_the_origin_as_it_was(tmp_path: Path) -> None:
    """For those who read it during the import, too; the error reaches the caller."""
    path = tmp_path / "mine.sqlite"

    def broken() -> Iterator[LibraryPaper]:
        yield TWO
        yield from (LibraryPaper(id=f"3-{n}", title="cat", abstract="long " * 10_000) for n in range(80))
        assert (found(path, "zebra"), found(path, "horse")) == (["1"], [])
        raise OSError("the disk is gone")

    with LibraryWriter.open(path) as writer:
        writer.replace_origin("a", "1", [ONE])
        with pytest.raises(OSError, match="gone"):
            writer.replace_origin("a", "2", broken())
        assert writer.origins() == {"a": "1"}
    assert (found(path, "zebra"), found(path, "horse")) == (["1"], [])


def test_a_file_that_is_no_library_is_not_written_to(tmp_path: Path) -> None:
    """Nor is a folder."""
    path = tmp_path / "notes.txt"
    path.write_text("my notes, which I want to keep" * 30)
    with pytest.raises(Misconfigured, match=r"notes\.txt"), LibraryWriter.open(path):
        pass
    assert path.read_text().startswith("my notes")
    with pytest.raises(Misconfigured, match=str(tmp_path)), LibraryWriter.open(tmp_path):
        pass


def test_what_a_search_found_is_added_unless_it_is_there() -> None:
    """By any identifier of it or of its versions, by its id, or by its title unless both have a DOI."""
    cats = own_paper("a", "Cats in graphs", doi="10.1000/a", arxiv="2101.00001")
    known = [cats, own_paper("b", "Dogs"), own_paper("title:c", "C")]
    version = [{"type": "preprint", "arxiv": "2101.00001"}]
    found: dict[str, tuple[str, dict[str, object]]] = {
        "the same DOI": ("duplicates", {"ids": {"doi": "10.1000/a"}}),
        "a known version": ("duplicates", {"ids": {"doi": "10.1000/b"}, "versions": version}),
        "another DOI": ("added", {"title": "Cats in graphs", "ids": {"doi": "10.1000/c"}}),
        "no DOI": ("duplicates", {"title": "Cats, in graphs"}),
        "a DOI now": ("duplicates", {"title": "Dogs", "ids": {"doi": "10.1000/d"}}),
        "of this library": ("duplicates", {"ids": {"other": {"library": "thesis/b"}}}),
        "of another library": ("added", {"ids": {"other": {"library": "notes/b"}}}),
        "the same id": ("duplicates", {"id": "title:c"}),
    }
    least = {"relevance": 0.4, "reasoning": "", "basis": "rules", "found_by": []}
    for title, (expected, fields) in found.items():
        writer = LibraryWriter.in_memory()
        writer.replace_origin("own.bib", "1", known)
        results = section({"id": f"title:{title}", "title": title, **least, **fields}).results
        assert add_results(writer, "thesis", results) == Counts({expected: 1}), title
        assert add_results(writer, "thesis", results) == Counts(duplicates=1), title
        writer.connection.close()
