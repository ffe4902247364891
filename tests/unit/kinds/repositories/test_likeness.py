"""What a question wants something like: the thing itself, or one quality of what the question names."""

import pytest
from goldpan.kinds.repositories.concepts import names_own_kind
from goldpan.kinds.repositories.likeness import derived_searches, find_liked, likeness_note, with_liked
from goldpan.kinds.repositories.models import Repository, SearchParams

from tests.support.factories import ListedSource, params, repository
from tests.unit.kinds.repositories.test_relevance import match

VIM = repository("vim/vim", description="Vim is a text editor", topics=("free", "text-editor", "vim"))


@pytest.mark.parametrize(
    ("like", "found", "known"),
    [
        ("motion", [repository("a/motion", stars=5), repository("b/motion")], "b/motion"),
        ("A/Motion", [repository("a/motion", stars=5), repository("b/motion")], "a/motion"),
        ("motion", [repository("motion/docs", stars=5), repository("motion/server")], "motion/server"),
    ],
)  # fmt: skip
def test_a_name_stands_for_its_repository(like: str, found: list[Repository], known: str) -> None:
    """The most starred one of that name or that owner."""
    liked = find_liked(found, SearchParams(keywords=(), likes=(like,)))
    assert [one.full_name for one in liked] == known.split()


@pytest.mark.parametrize(
    ("question", "like", "liked", "note"),
    [
        ("like Trello", "Trello", [], "Trello was read as “kanban project board”; it is itself left out."),
        ("vim-like file manager", "vim", [VIM], "vim itself is left out; to be like it counts as one quality of what"),
        ("like vim", "vim", [VIM], "vim itself is left out; the results were compared with its facts."),
        ("like frobnicator", "frobnicator", [], "frobnicator was not found, so its name alone was compared: "),
    ],
)  # fmt: skip
def test_the_answer_says_what_stands_for_a_name(question: str, like: str, liked: list[Repository], note: str) -> None:
    """A user must know what the results were compared with."""
    keywords = ("file manager",) if "manager" in question else ()
    asked = SearchParams(keywords=keywords, question=question, likes=(like,))
    assert likeness_note(like, liked, asked).startswith(note)


def test_the_facts_of_what_is_named_become_the_subject() -> None:
    """Beside a subject of the question they only add to it: a spreadsheet “like vim” is no file manager."""
    alone = with_liked(SearchParams(keywords=(), question="like vim", likes=("vim",)), [VIM])
    assert (alone.keywords, alone.expanded_keywords) == (("text editor", "vim"), ("text editor",))
    assert alone.meaning.startswith("is a text editor")
    assert "vim" not in alone.meaning.split()
    beside = with_liked(SearchParams(keywords=("teams",), question="vim alternative for teams", likes=("vim",)), [VIM])
    assert (beside.keywords, beside.expanded_keywords) == (("teams", "vim"), ("text editor",))
    said = "Spreadsheet with vim-like keys"
    rival = match("file manager", said, likes=("vim",)).relevance
    assert match("file manager", said).relevance <= rival < match("file manager", "File manager").relevance


def test_no_more_is_searched_for_than_was_kept_for_it() -> None:
    """A source allows a number of searches; a single query is searched for as it is."""
    asked = params("React animation library", "exploratory")
    assert [len(derived_searches(asked, ListedSource(), limit)) for limit in (0, 2)] == [0, 2]
    (single,) = derived_searches(SearchParams(keywords=(), expanded_keywords=("mock",)), ListedSource(), 6)
    assert single.words == ("mock",)


def test_a_kind_beside_a_likeness_is_what_is_searched_for() -> None:
    """The facts of what it is to be like are then left out; a known product says its kind itself."""
    questions = {
        "vim-like file manager": ("file manager", "vim", True),
        "a file manager like vim": ("file manager", "vim", True),
        "vim alternative for teams": ("teams", "vim", False),
        "Trello-like calendar": ("calendar", "Trello", False),
        "editor like vim": ("editor", "vim", True),
        "editor vim alternative": ("editor", "vim", False),
    }
    for question, (keyword, like, expected) in questions.items():
        params = SearchParams(keywords=(keyword,), question=question, meaning=keyword, likes=(like,))
        assert names_own_kind(params) is expected
        assert bool(with_liked(params, [VIM]).context) == (expected or like == "Trello")
