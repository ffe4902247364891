"""What a question wants something like: the thing itself, or one quality of what the question names."""

import pytest
from goldpan.kinds.repositories.concepts import names_own_kind
from goldpan.kinds.repositories.likeness import with_liked
from goldpan.kinds.repositories.models import SearchParams

from tests.support.factories import repository
from tests.unit.kinds.repositories.test_relevance import match

VIM = repository("vim/vim", description="Text editor for the terminal", topics=("text-editor",))


@pytest.mark.parametrize(
    ("question", "keyword", "like", "expected"),
    [
        ("vim-like file manager", "file manager", "vim", True),
        ("a file manager like vim", "file manager", "vim", True),
        ("vim alternative for teams", "teams", "vim", False),
        ("offline vim alternative", "offline", "vim", False),
        ("something like vim", "", "vim", False),
        ("Trello-like calendar", "calendar", "Trello", False),
    ],
)
def test_a_kind_beside_a_likeness_is_what_is_searched_for(
    question: str, keyword: str, like: str, *, expected: bool
) -> None:
    """The facts of what it is to be like are then left out; a known product says its kind itself."""
    params = SearchParams(keywords=(keyword,) if keyword else (), question=question, meaning=keyword, likes=(like,))
    assert names_own_kind(params) is expected
    is_product = like == "Trello"
    assert with_liked(params, [VIM]).context == ((like.lower(),) if expected or is_product else ())


def test_a_rival_that_is_another_thing_is_not_relevant() -> None:
    """A spreadsheet "like vim" is no file manager."""
    said = "Spreadsheet with vim-like keys"
    rival = match("file manager", said, likes=("vim",)).relevance
    assert match("file manager", said).relevance <= rival < match("file manager", "File manager").relevance
