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
    fitting, index = categories._fitting, categories.category_index()
    found = index.repositories

    def known_fitting(*question: str | tuple[str, ...]) -> tuple[categories.Category, ...]:
        return tuple(one._replace(repositories=one.repositories - names) for one in fitting(*question))

    with (
        patch.object(repository_text, "notes", lambda: notes),
        patch.object(categories, "_fitting", known_fitting),
        patch.object(index, "listed", index.listed - names),
        patch.object(index, "repositories", lambda categories: found(categories) - names),
    ):
        yield
