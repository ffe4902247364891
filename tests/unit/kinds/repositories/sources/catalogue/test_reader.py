"""A catalogue is searched with the semantics of a GitHub search: words, qualifiers, order."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import Misconfigured, TimedOut
from goldpan.kinds.repositories.models import RepositorySearch, StarRange
from goldpan.kinds.repositories.sources.catalogue.build import Record, build_catalogue
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.text import words
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.factories import StillClock
from tests.support.loopback.llm import HashedEncoder
from tests.support.sample import catalogue_in_memory

ROWS: list[dict[str, object]] = [
    {"full_name": "a/motion", "description": "React animation library", "language": "TypeScript", "stars": 900,
     "topics": ["react", "animation"], "pushed_at": "2026-08-01", "created_at": "2020-01-01T10:00"},
    {"full_name": "b/spring", "description": "Animations for React", "language": "JavaScript", "stars": 5000,
     "pushed_at": "2026-01-01T10:00:00Z", "as_of": {"stars": "2026-08-22"}},
    {"full_name": "c/tween", "description": "Animation engine in C++", "language": "C++", "stars": 60},
    {"full_name": "d/curated", "list_description": "Animate React components", "language_hint": "JavaScript"},
]  # fmt: skip
LETTERS = st.text(st.characters(categories=["L", "N", "M"]), min_size=1, max_size=8)


def made(*rows: Mapping[str, object]) -> closing[Catalogue]:
    """Make a catalogue, to be closed at the end of a block."""
    return closing(catalogue_in_memory(map(Record.model_validate, rows), "a test's catalogue"))


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    """Make a catalogue of four repositories."""
    with made(*ROWS) as four:
        yield four


def found(catalogue: Catalogue, **search: object) -> list[str]:
    """Run one search and list the names it finds."""
    searches = [RepositorySearch.model_validate({"words": (), **search})]
    return [item.full_name for item in catalogue.search(searches, Deadline.after(5, StillClock())).lists[0]]


def found_in(description: str, words: tuple[str, ...]) -> bool:
    """Return whether a search for words finds a repository with this description."""
    with made({"full_name": "a/b", "description": description}) as one:
        return found(one, words=words) == ["a/b"]


def test_a_former_name_finds_the_repository_unless_another_has_it() -> None:
    """The cases of the letters do not count."""
    for rows in (["psf/black"], ["psf/black", "ambv/black"]):
        with made(*({"full_name": name} for name in rows)) as few:
            found = few.look_up(["Ambv/Black", "a/none"], Deadline.after(5, StillClock())).lists
            assert [[one.full_name for one in each] for each in found] == [rows[-1:], []]


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ({"words": ("react", "animation")}, {"a/motion", "b/spring", "d/curated"}),
        ({"words": ("react", "animation", "engine")}, set()),
        ({"words": ("c++",)}, {"c/tween"}),
        ({"words": ("animation",), "language": "javascript"}, {"b/spring", "d/curated"}),
        ({"topics": ("react", "Animation")}, {"a/motion"}),
        ({"words": ("animation",), "stars": StarRange(min=60, max=900)}, {"a/motion", "c/tween", "d/curated"}),
        ({"words": ("react",), "pushed_after": date(2026, 5, 1)}, {"a/motion", "d/curated"}),
        ({"words": ("react",), "created_before": date(2020, 1, 1)}, {"a/motion", "b/spring", "d/curated"}),
        ({"words": ("react",), "created_before": date(2019, 12, 31)}, {"b/spring", "d/curated"}),
        ({"topics": ('re"act',)}, set()),
        ({"words": ('"', "OR", "NEAR(", "*")}, set()),
        ({"words": ("+",)}, set()),
    ],
)
def test_every_word_and_qualifier_must_hold(catalogue: Catalogue, search: dict[str, object], names: set[str]) -> None:
    """All words must occur, in name, description, topics or curator's text; what is unknown meets every range."""
    assert set(found(catalogue, **search)) == names


def test_the_repositories_of_categories_are_found_by_name() -> None:
    """Whatever their texts say; the qualifiers hold, and what the catalogue does not have is not invented."""
    rows = [{"full_name": name, "stars": stars} for name, stars in (("Celery/Celery", 900), ("rq/rq", 90), ("x/y", 5))]
    with made(*rows) as three:
        wanted = {"words": ("job queue for python",), "match": "category"}
        assert found(three, **wanted) == ["Celery/Celery", "rq/rq"]
        assert found(three, **wanted, stars=StarRange(min=100)) == ["Celery/Celery"]


def test_the_order_is_githubs(catalogue: Catalogue) -> None:
    """By stars or update, unknown ones last; else a name counts more than a description, and many stars more."""
    assert found(catalogue, words=("react",), sort="stars") == ["b/spring", "a/motion", "d/curated"]
    assert found(catalogue, words=("react",), sort="updated") == ["a/motion", "b/spring", "d/curated"]
    dates = {"description": "A parser of dates", "stars": 10}
    rows = [
        {**dates, "full_name": "o/one"},
        {**dates, "full_name": "o/two", "stars": 10_000},
        {**dates, "full_name": "o/parser", "description": "A tool for dates"},
        {**dates, "full_name": "o/other", "description": "A tool for maps"},
    ]
    with made(*rows) as four:
        assert found(four, words=("parser",)) == ["o/two", "o/parser", "o/one"]


def test_the_number_of_matches_goes_beyond_the_first_page() -> None:
    """A search returns at most 100 repositories, counts all, is reported as it ran, and is not enriched."""
    searches = [
        RepositorySearch(words=("parser",), stars=StarRange()),
        RepositorySearch(words=("none",), license="MIT"),
    ]
    deadline = Deadline.after(5, StillClock())
    with made(*({"full_name": f"o/r{n}", "description": "parser"} for n in range(120))) as many:
        result = many.search(searches, deadline)
        assert many.enrich(result.lists[0], deadline).repositories == result.lists[0]
    assert ([len(hits) for hits in result.lists], result.available) == ([100, 0], 120)
    assert result.queries == ("parser", "none")


def test_a_passed_deadline_is_a_timeout(catalogue: Catalogue) -> None:
    """A search without time left fails, and never looks empty."""
    with pytest.raises(TimedOut):
        catalogue.search([RepositorySearch(words=("react",))], Deadline.after(0, StillClock()))


@pytest.mark.parametrize("text", ["हिन्दी पाठ", "عَرَبِيّ", "машинное обучение", "机器学习", "İstanbul", "C++ и .NET"])
def test_a_description_in_any_script_is_found_by_its_words(text: str) -> None:
    """The words of a description find it, accents and vowel signs included."""
    assert found_in(f"{text} 1", tuple(words(text)))


@settings(max_examples=100)
@given(LETTERS)
@example("a\u0305b")
@example("a\U0001e137b")
@example("a\ua7d3b")
@example("S")
def test_letters_unknown_to_the_database_are_found(word: str) -> None:
    """A word of any letters and marks is found where it occurs."""
    assert found_in(word, (word,)) == bool(words(word))


def test_what_is_not_a_catalogue_is_refused(tmp_path: Path) -> None:
    """A missing file, another file and a catalogue of another format are each named."""
    (tmp_path / "text.sqlite").write_text("not a database at all, whatever its name says\n" * 50, "utf-8")
    build_catalogue([Record(full_name="a/b")], tmp_path / "old.sqlite", "old")
    with closing(sqlite3.connect(tmp_path / "old.sqlite")) as connection, connection:
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'format'")
    for name, message in {"none": "no catalogue at", "text": "is not a catalogue", "old": "build it again"}.items():
        with pytest.raises(Misconfigured, match=message):
            Catalogue.open(tmp_path / f"{name}.sqlite")


def test_vectors_of_another_encoder_are_not_compared(tmp_path: Path) -> None:
    """They would be close by chance alone; the notice names their encoder."""
    build_catalogue([Record(full_name="a/b")], tmp_path / "mine.sqlite", "mine", HashedEncoder("old"))
    with closing(Catalogue.open(tmp_path / "mine.sqlite", HashedEncoder("new"))) as catalogue:
        assert "meaning" not in catalogue.matches
        assert "Its vectors are of another encoder (old)" in catalogue.notice
