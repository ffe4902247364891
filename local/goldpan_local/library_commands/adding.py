"""Adds papers to a library of this machine: what an import reads, and what a search found."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from goldpan.counts import counted
from goldpan.errors import Misconfigured
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources.library.writer import LibraryWriter, add_results
from goldpan.local.library_folder import library_file

from goldpan_local.files import named_database, named_in_errors
from goldpan_local.library_commands.encoder import encode_new_papers


@dataclass(frozen=True)
class Added:
    """How many papers were added to a project, how many it had already, and what went wrong with their vectors."""

    project: str
    added: int
    duplicates: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Describe it in a line: "thesis: 8 papers added, 2 were there already"."""
        there = f", {self.duplicates:,} {'was' if self.duplicates == 1 else 'were'} there already"
        return f"{self.project}: {counted(self.added, KIND)} added{there if self.duplicates else ''}"


def add_papers(project: str, results: Iterable[object], environment: Mapping[str, str]) -> Added:
    """Add the papers among results to a project, which need not exist. Raises `InvalidRequest` or `Misconfigured`."""
    papers = [each for each in results if isinstance(each, RankedPaper)]
    if not papers:
        return Added(project, 0, 0)
    with open_for_writing(library_file(project, environment)) as writer:
        counts = add_results(writer, project, papers)
        return Added(project, counts["added"], counts["duplicates"], tuple(encode_new_papers(writer, environment)))


@contextmanager
def open_for_writing(file: Path) -> Iterator[LibraryWriter]:
    """Open the file of a library, or begin one. Raises `Misconfigured`."""
    with named_in_errors(file.parent):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with named_database(file, Misconfigured), LibraryWriter.open(file) as writer:
        yield writer
