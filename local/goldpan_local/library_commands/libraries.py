"""The libraries of this machine: papers are added by an import or of a search, and an encoder gives them vectors."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from goldpan.counts import counted
from goldpan.errors import CallFailed, Misconfigured
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter, add_results
from goldpan.local.bootstrap import library_encoder, open_connections
from goldpan.local.library_folder import library_file

from goldpan_local.progress import show_share


def add_papers(project: str, results: Iterable[object], environment: Mapping[str, str]) -> list[str]:
    """Add the papers among results to a project, which need not exist. Raises `InvalidRequest` or `Misconfigured`.

    Returns a line such as "thesis: 8 papers added, 2 were there already", and what went wrong with their vectors.
    """
    papers = [each for each in results if isinstance(each, RankedPaper)]
    if not papers:
        return [f"{project}: {counted(0, KIND)} added"]
    with LibraryWriter.open(library_file(project, environment)) as writer:
        counts = add_results(writer, project, papers)
        failures = encode_new_papers(writer, environment)
    duplicates = counts["duplicates"]
    there = f", {duplicates:,} {'was' if duplicates == 1 else 'were'} there already" if duplicates else ""
    return [f"{project}: {counted(counts['added'], KIND)} added{there}", *failures]


@contextmanager
def open_encoder(environment: Mapping[str, str]) -> Iterator[Encoder]:
    """Open the encoder: an endpoint for embeddings if one is configured, else that of this machine."""
    with open_connections(environment) as connections:
        yield library_encoder(environment, connections)


def encode_new_papers(writer: LibraryWriter, environment: Mapping[str, str]) -> list[str]:
    """Give the papers that are new their vectors; return what is to be said if a service fails."""
    try:
        with open_encoder(environment) as encoder, show_share("Encoding") as report:
            encode_library(writer, encoder, report)
    except (CallFailed, Misconfigured) as error:
        return [f"the papers can be searched by words, but not all have vectors: {error}; the next import continues"]
    return []
