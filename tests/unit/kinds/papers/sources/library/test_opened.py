"""Open libraries: a search is not disturbed by what closes its library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goldpan.infra.encoder.port import Vector
from goldpan.kinds.papers.sources.library.models import LibraryFilters
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.library_folder import FolderLibraries

from tests.support.hashed_encoder import HashedEncoder
from tests.support.library_fakes import collect, own_paper


class ClosingEncoder(HashedEncoder):
    """Closes the libraries while a search waits for it, as another thread may."""

    libraries: OpenLibraries | None = None

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Close the libraries first."""
        if self.libraries:
            self.libraries.close()
        return super().encode(texts)


def test_a_library_that_is_closed_during_a_search_serves_it_to_its_end(tmp_path: Path) -> None:
    """It is closed after that, and opened again by the next search."""
    collect(tmp_path, "thesis", [own_paper("one", "Cats in graphs"), own_paper("two", "Felines")])
    encoder = ClosingEncoder()
    with LibraryWriter.open(tmp_path / "thesis.sqlite") as writer:
        encode_library(writer, encoder)
    libraries = OpenLibraries(FolderLibraries({"GOLDPAN_LIBRARIES": str(tmp_path)}), encoder)
    encoder.libraries = libraries
    for _ in range(2):
        found = libraries.search("thesis", "cats", 5, LibraryFilters())
        assert [hit.paper.id for hit in found.results][:1] == ["one"]
        assert found.encoder == encoder.name
