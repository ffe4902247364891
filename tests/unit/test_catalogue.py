"""The catalogue answers searches with GitHub's meaning of words, qualifiers and order."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import InvalidRequest, Misconfigured, TimedOut
from goldpan.kinds.repositories.models import RepositorySearch, StarRange
from goldpan.kinds.repositories.sources.catalogue import Catalogue, build_catalogue, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.record import Record
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import StillClock

ROWS: list[dict[str, object]] = [
    {"full_name": "a/motion", "description": "React animation library", "language": "TypeScript", "stars": 900,
     "topics": ["react", "animation"], "pushed_at": "2026-08-01", "created_at": "2020-01-01"},
    {"full_name": "b/spring", "description": "Animations for React", "language": "JavaScript", "stars": 5000,
     "pushed_at": "2026-01-01T10:00:00Z", "as_of": {"stars": "2026-08-22"}},
    {"full_name": "c/tween", "description": "Animation engine in C++", "language": "C++", "stars": 60},
    {"full_name": "d/curated", "list_description": "Animate React components", "language_hint": "JavaScript"},
]  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    """A catalogue of four."""
    yield (made := Catalogue.in_memory([Record.model_validate(row) for row in ROWS], "a test's catalogue"))
    made.close()


def found(catalogue: Catalogue, **search: object) -> list[str]:
    """Run one search and list the names."""
    asked = RepositorySearch.model_validate({"words": (), **search})
    return [item.full_name for item in catalogue.search([asked], Deadline.after(5, StillClock())).lists[0]]


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ({"words": ("react", "animation")}, {"a/motion", "b/spring", "d/curated"}),
        ({"words": ("react", "animation", "engine")}, set()),
        ({"words": ("c++",)}, {"c/tween"}),
        ({"words": ("animation",), "language": "typescript"}, {"a/motion"}),
        ({"words": ("animation",), "language": "JavaScript"}, {"b/spring", "d/curated"}),
        ({"topics": ("react", "animation")}, {"a/motion"}),
        ({"words": ("animation",), "stars": StarRange(min=60, max=900)}, {"a/motion", "c/tween"}),
        ({"words": ("animation",), "stars": StarRange(min=1)}, {"a/motion", "b/spring", "c/tween"}),
        ({"words": ("react",), "pushed_after": date(2026, 5, 1)}, {"a/motion", "d/curated"}),
        ({"words": ("react",), "created_after": date(2019, 1, 1)}, {"a/motion"}),
        ({"words": ('"', "OR", "NEAR(", "*")}, set()),
    ],
)
def test_every_word_and_qualifier_must_hold(catalogue: Catalogue, search: dict[str, object], names: set[str]) -> None:
    """All words must occur; language, topics, stars and dates narrow; unknown stars meet no range."""
    assert set(found(catalogue, **search)) == names


def test_orders_are_githubs(catalogue: Catalogue) -> None:
    """By stars the most starred, by update the last pushed comes first; what is unknown comes last."""
    assert found(catalogue, words=("react",), sort="stars") == ["b/spring", "a/motion", "d/curated"]
    assert found(catalogue, words=("react",), sort="updated") == ["a/motion", "b/spring", "d/curated"]


def test_an_answer_says_where_it_comes_from(catalogue: Catalogue) -> None:
    """The notice names the catalogue, its size and the day of its facts."""
    assert catalogue.notice == "Answered from a test's catalogue of 4 repositories, facts as of 2026-08-22."


def test_no_time_is_a_timeout(catalogue: Catalogue) -> None:
    """A search whose time is up is cut, not answered with nothing."""
    with pytest.raises(TimedOut):
        catalogue.search([RepositorySearch(words=("react",))], Deadline.after(0, StillClock()))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=20), max_size=5))
def test_no_text_breaks_a_search(words: list[str]) -> None:
    """Whatever the words are, the search is answered."""
    made = Catalogue.in_memory([Record.model_validate(ROWS[0])], "one")
    assert isinstance(found(made, words=tuple(words)), list)
    made.close()


@pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.gz"])
def test_a_file_is_built_from_json_lines(tmp_path: Path, name: str) -> None:
    """Packed or not, the same lines make the same catalogue; of one name the last line stands."""
    lines = "\n".join(json.dumps(row) for row in [*ROWS, {**ROWS[0], "full_name": "A/Motion", "stars": 7}]).encode()
    (tmp_path / name).write_bytes(gzip.compress(lines) if name.endswith("gz") else lines)
    out = tmp_path / "out.sqlite"
    assert build_catalogue(records_from_lines(tmp_path / name), out, "mine") == 4
    made = Catalogue.open(out)
    assert found(made, words=("library",)) == ["A/Motion"]
    made.close()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"full_name": "no-slash"}', "line 2: full_name"),
        (b'{"full_name": "a/b", "stars": -1}', "line 2: stars"),
        (b'{"full_name": "a/b"', "line 2"),
        (b'{"full_name": "a/\xff"}', "line 2"),
        (b'["a/b"]', "line 2"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_written(tmp_path: Path, line: bytes, said: str) -> None:
    """The message has the line and the field, and the old catalogue stays as it was."""
    (tmp_path / "in.jsonl").write_bytes(b'{"full_name": "a/b"}\n' + line + b"\n")
    out = tmp_path / "out.sqlite"
    out.write_bytes(b"old")
    with pytest.raises(InvalidRequest, match=said):
        build_catalogue(records_from_lines(tmp_path / "in.jsonl"), out, "mine")
    assert out.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.sqlite"]


def test_what_is_no_catalogue_is_refused(tmp_path: Path) -> None:
    """A missing file, another file and a catalogue of another format are each named."""
    with pytest.raises(Misconfigured, match="no catalogue at"):
        Catalogue.open(tmp_path / "none.sqlite")
    (tmp_path / "text.sqlite").write_text("not a database at all, whatever its name says\n" * 50, "utf-8")
    with pytest.raises(Misconfigured, match="is not a catalogue"):
        Catalogue.open(tmp_path / "text.sqlite")
    out = tmp_path / "old.sqlite"
    build_catalogue([Record(full_name="a/b")], out, "old")
    connection = sqlite3.connect(out)
    connection.execute("UPDATE meta SET value = '0' WHERE key = 'format'")
    connection.commit()
    connection.close()
    with pytest.raises(Misconfigured, match="build it again"):
        Catalogue.open(out)
