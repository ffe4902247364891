"""What the tests of the readers share."""

from pathlib import Path

from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan_local.library_files.folder import read_papers
from goldpan_local.library_files.records import Reading


def read(path: Path, content: str | bytes) -> tuple[list[LibraryPaper], Reading]:
    """Write a file and read its papers."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    reading = Reading()
    return list(read_papers(path, reading)), reading
