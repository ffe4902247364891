"""Runs `goldpan library search`: on a project, or on the index of a data directory without an import."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from goldpan.errors import InvalidRequest
from goldpan.escaping import plain
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import LibraryFilters, LibraryResult
from goldpan.kinds.papers.sources.library.vectors import has_vectors
from goldpan.local.library_places import (
    DEFAULT_PROJECT,
    HOW_TO_IMPORT,
    INDEX_FILE,
    library_file,
    require_library,
)

from goldpan_local.completion import LIBRARY_FORMATS
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, require_stdout, write_notes, write_stdout
from goldpan_local.library_commands.options import LibrarySearchOptions
from goldpan_local.library_commands.query import read_filters, read_query
from goldpan_local.library_files.reading import Reading
from goldpan_local.library_files.records import read_index
from goldpan_local.option_values import one_of, whole_number

MAX_LIMIT = 1_000
ENCODERS = ("GOLDPAN_ENCODER", "EMBEDDING_BASE_URL", "EMBEDDING_API_KEY", "EMBEDDING_MODEL")
"""One of these variables names a sentence encoder, if there is one."""
DATA_DIR = Path("data")
"""What is searched without an option if there is no default project."""


def run_search(asked: LibrarySearchOptions, environment: Mapping[str, str]) -> int:
    """Search, print the papers, and return the exit code. Raises `InvalidRequest` or `Misconfigured`."""
    require_stdout()
    query, allowed = read_query(asked.words, asked.query), read_filters(asked)
    limit = whole_number("--limit", asked.limit, 1, MAX_LIMIT)
    output_format = one_of("--format", asked.output_format, LIBRARY_FORMATS)
    with open_index(asked.project, asked.data_dir, environment) as index:
        result = _search(index, query, limit, allowed, environment)
    nothing = f"No papers found matching '{query}'"
    if output_format == "json":
        from goldpan_local.library_commands.json_output import render_result  # noqa: PLC0415 - for this format only

        write_stdout(render_result(result))
        write_notes([] if result.results else [nothing])
    elif result.results:
        from goldpan_local.library_commands.table import render_table  # noqa: PLC0415 - imports rich

        write_stdout(render_table(result), sys.stdout.encoding or "utf-8")
    else:
        write_stdout(f"{plain(nothing)}\n", sys.stdout.encoding or "utf-8")
    write_notes(result.notes)
    return SUCCESS if result.results else NOTHING_FOUND


def _search(
    index: LibraryIndex, query: str, limit: int, allowed: LibraryFilters, environment: Mapping[str, str]
) -> LibraryResult:
    """Search by words, and by the vectors of a sentence encoder if there is one."""
    if not any(environment.get(name) for name in ENCODERS) or not has_vectors(index.connection):
        return index.search(query, limit, allowed)
    from goldpan.kinds.papers.sources.library.hybrid import HybridIndex  # noqa: PLC0415 - with an encoder only

    from goldpan_local.library_commands.encoder import encodes_sentences, open_encoder  # noqa: PLC0415

    if not encodes_sentences(environment):
        return index.search(query, limit, allowed)
    with open_encoder(environment) as encoder:
        return HybridIndex(index, encoder).search(query, limit, allowed)


@contextmanager
def open_index(project: str | None, data_dir: Path | None, environment: Mapping[str, str]) -> Iterator[LibraryIndex]:
    """Open what is to be searched. Raises `InvalidRequest` if both are given, or if nothing was collected yet."""
    if project is not None and data_dir is not None:
        raise InvalidRequest("--data-dir: is another library than --project; leave out one of them")
    if data_dir is None and (project is not None or library_file(DEFAULT_PROJECT, environment).exists()):
        name = project or DEFAULT_PROJECT
        with LibraryIndex.open(require_library(name, environment)) as index:
            if not index.count:
                message = f"No papers collected yet. The project {name} is empty; {HOW_TO_IMPORT}"
                raise InvalidRequest(message)
            yield index
        return
    with index_of_directory(data_dir) as index:
        yield index


def index_of_directory(given: Path | None) -> LibraryIndex:
    """Index the papers of a data directory in memory. Raises `InvalidRequest` that names the directory."""
    folder = given or DATA_DIR
    if given is not None and not given.is_dir():
        reason = "is not a directory" if given.exists() else "no such directory"
        message = f"--data-dir: {given}: {reason}"
        raise InvalidRequest(message)
    file, reading = folder / INDEX_FILE, Reading()
    if not file.exists():
        message = f"No papers collected yet. {file} does not exist; {HOW_TO_IMPORT}"
        raise InvalidRequest(message)
    index = LibraryIndex.of_papers(read_index(file, "paper", reading), project=str(folder))
    write_notes(reading.notes())
    if not index.count:
        message = f"No papers collected yet. {file} has none; {HOW_TO_IMPORT}"
        raise InvalidRequest(message)
    return index
