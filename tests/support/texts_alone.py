"""Runs code as if goldpan knew nothing, or less, of its own: benchmarks also measure the texts of the data alone."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from unittest.mock import patch

from goldpan.kinds.repositories import categories, repository_text


@contextmanager
def texts_alone() -> Iterator[None]:
    """Let no repository have a note or a category."""
    with patch.object(repository_text, "notes", dict[str, str]), patch.object(categories, "_fitting", lambda *_: ()):
        yield


@contextmanager
def without_knowledge_of(names: AbstractSet[str]) -> Iterator[None]:
    """Let the repositories with these names, in lower case, have no note and no category."""
    notes = {name: note for name, note in repository_text.notes().items() if name not in names}
    shares, index = categories.listed_shares, categories.category_index()
    found = index.repositories

    def known_shares(fitting: tuple[categories.Category, ...]) -> dict[str, tuple[float, str]]:
        return {name: share for name, share in shares(fitting).items() if name not in names}

    with (
        patch.object(repository_text, "notes", lambda: notes),
        patch.object(categories, "listed_shares", known_shares),
        patch.object(index, "listed", index.listed - names),
        patch.object(index, "repositories", lambda categories: found(categories) - names),
    ):
        yield
