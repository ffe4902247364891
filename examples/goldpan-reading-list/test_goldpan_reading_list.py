"""The reading list in a search of goldpan, in which this distribution is installed."""

from pathlib import Path

import goldpan
import pytest
from goldpan.errors import SourcesFailed

REQUEST = goldpan.SearchRequest(query="message queues", kinds=("papers",), sources=("reading_list",))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name a file that does not exist yet."""
    monkeypatch.setenv("GOLDPAN_CACHE", "off")
    monkeypatch.setenv("READING_LIST_FILE", str(tmp_path / "reading.jsonl"))
    return tmp_path / "reading.jsonl"


def test_what_fits_is_found_and_what_cannot_be_read_is_counted(file: Path) -> None:
    """A word of the title or of the abstract is enough."""
    file.write_text(
        '{"title": "A survey of message queues", "year": 2021, "doi": "10.1000/queues.1"}\n'
        '{"title": "Stream processing", "abstract": "We compare message queues.", "year": 2023}\n'
        '{"title": "Cats"}\n'
        "this line is no record\n"
    )
    answer = goldpan.search(REQUEST)
    assert answer.papers
    assert [each.title for each in answer.papers.results] == ["A survey of message queues", "Stream processing"]
    assert [(row.status, row.detail) for row in answer.sources] == [("ok", "1 record could not be read")]


def test_a_file_that_is_missing_is_named(file: Path) -> None:
    """It is a failure, not an empty list."""
    with pytest.raises(SourcesFailed, match="the reading list cannot be read"):
        goldpan.search(REQUEST)
    assert not file.exists()
