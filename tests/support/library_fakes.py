"""Libraries in a folder of a test, and what searches them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from goldpan.engine.deadlines import Deadline
from goldpan.kinds.papers.models import PaperIds
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.library_folder import FolderLibraries

from tests.support.factories import StillClock


def own_paper(id: str, title: str, /, **fields: Any) -> LibraryPaper:  # noqa: A002 - the field
    """Make a paper of a library; names of identifiers give its identifiers."""
    ids = {name: fields.pop(name) for name in [*fields] if name in PaperIds.model_fields}
    return LibraryPaper(id=id, title=title, ids=PaperIds(**ids), **{"authors": ("Ada Cat",), "year": 2021, **fields})


def collect(folder: Path, project: str, papers: Iterable[LibraryPaper]) -> Path:
    """Make these papers all that a project has, and return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{project}.sqlite"
    with LibraryWriter.open(file) as writer:
        writer.replace_origin("papers.json", "digest", papers)
    return file


def open_libraries(folder: Path, encoder: Any = None) -> OpenLibraries:
    """Open the libraries of a folder."""
    return OpenLibraries(FolderLibraries({"GOLDPAN_LIBRARIES": str(folder)}), encoder)


def some_seconds() -> Deadline:
    """Return a deadline that does not pass."""
    return Deadline.after(6, StillClock())
