"""Runs code as if goldpan knew nothing of its own: the benchmarks also measure the texts of the data alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from goldpan.kinds.repositories import categories, repository_text


@contextmanager
def texts_alone() -> Iterator[None]:
    """Let no repository have a note or a category."""
    with (
        patch.object(repository_text, "notes", dict[str, str]),
        patch.object(categories, "_fitting", lambda *_: ()),
    ):
        yield
