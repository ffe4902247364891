"""A search with the user's library beside sources on loopback ports, and alone, on one machine."""

from pathlib import Path
from typing import Any

import pytest
from goldpan.errors import SourcesFailed
from goldpan.kinds.papers.models import PaperIds
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.bootstrap import make_encoder

from tests.integration.papers.searches import ask, open_search, results
from tests.support.paper_sources import LoopbackPapers, PaperFault

pytestmark = pytest.mark.enable_socket
MINE = (
    LibraryPaper(
        id="cat-3",
        title="Cats in graphs, study 3 (corrected)",
        authors=("Ada Cat", "Bo Katze"),
        year=2021,
        abstract="We find cats in graphs of 3 vertices. The proof has a gap.",
        ids=PaperIds(doi="10.1000/cats.3"),
    ),
    LibraryPaper(id="note", title="What I think of cats in graphs", year=2024, summary="Felines need more vertices."),
    LibraryPaper(id="dogs", title="Dogs in trees", year=2024),
)
SOURCES = ["openalex", "crossref", "europe_pmc"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Make a project whose papers have the vectors of the shipped table."""
    with LibraryWriter.open(tmp_path / "thesis.sqlite") as writer:
        writer.replace_origin("papers.json", "1", MINE)
        encode_library(writer, make_encoder({}))
    return {"GOLDPAN_LIBRARIES": str(tmp_path)}


def rows(answer: Any) -> dict[str, str]:
    """Return the status of each strategy."""
    return {row.strategy: row.status for row in answer.sources}


def test_what_fails_costs_the_other_nothing(
    server: LoopbackPapers, environment: dict[str, str], tmp_path: Path
) -> None:
    """A damaged library leaves the world, a world that is down leaves the library."""
    server.inject(PaperFault.status(500, times=None))
    with open_search(server, None, **environment) as runtime:
        alone = ask(runtime, project_id="thesis", sources=SOURCES, max_seconds=8)
    assert {paper.title for paper in results(alone)} >= {MINE[0].title, MINE[1].title}
    assert rows(alone) == {"library": "ok", "hybrid": "ok"} | dict.fromkeys(SOURCES, "unavailable")
    server.clear_faults()
    (tmp_path / "thesis.sqlite").write_bytes(b"no database" * 100)
    with open_search(server, None, **environment) as runtime:
        world = ask(runtime, project_id="thesis", sources=SOURCES)
        with pytest.raises(SourcesFailed, match="the library thesis cannot be read"):
            ask(runtime, project_id="thesis", library_only=True)
    assert len(results(world)) > 10
    assert rows(world) == {"library": "unavailable", "hybrid": "unavailable"} | dict.fromkeys(SOURCES, "ok")
